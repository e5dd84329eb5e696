//! The keyboard: a line editor with completion, continuation lines and a history.
//!
//! The editor lives on a thread of its own, because waiting for a line blocks, and what goes on
//! meanwhile (a connection being closed, say) must not.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use rustyline::completion::{Completer, Pair};
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::history::{DefaultHistory, History};
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event, EventContext,
    EventHandler, Helper, Hinter, KeyEvent, Modifiers, Movement, RepeatCount, Validator,
};

use tokio::sync::oneshot;

use super::command::{SLASHES, completions};

type LineEditor = Editor<LineHelper, DefaultHistory>;

/// Lines kept in the history.
const HISTORY_LIMIT: usize = 10_000;

/// Completes slash commands and hides what is secret.
#[derive(Helper, Hinter, Validator)]
struct LineHelper {
    /// Shows nothing of what is typed.
    secret: bool,
    color: bool,
}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..at).unwrap_or_default();
        let Some(name) = typed.strip_prefix(SLASHES).filter(|_| !self.secret) else {
            return Ok((at, Vec::new()));
        };
        let pair = |name: &str| Pair { display: format!("/{name}"), replacement: format!("/{name}") };
        Ok((0, completions(name).into_iter().map(pair).collect()))
    }
}

/// Enter behind a backslash puts a line break in its place. A pasted backslash is left alone, since a
/// paste does not come through the keys.
struct Continue;

impl ConditionalEventHandler for Continue {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let before = context.line().get(..context.pos()).unwrap_or_default();
        before.ends_with('\\').then(|| Cmd::Replace(Movement::BackwardChar(1), Some("\n".to_owned())))
    }
}

impl Highlighter for LineHelper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.secret { Cow::Owned("*".repeat(line.chars().count())) } else { Cow::Borrowed(line) }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.color { Cow::Owned(format!("\x1b[1;36m{prompt}\x1b[0m")) } else { Cow::Borrowed(prompt) }
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.secret && kind != CmdKind::MoveCursor
    }
}

/// What the editor's thread is asked to do.
enum Wish {
    Line { prompt: String, secret: bool, line: oneshot::Sender<rustyline::Result<String>> },
    Remember(String),
}

/// The way to the editor's thread.
pub struct Keyboard {
    wishes: mpsc::Sender<Wish>,
}

impl Keyboard {
    /// Opens the editor, with the history in the file `history` if there is one; `color` for its
    /// prompts. The second value says why there is no history.
    pub fn open(color: bool, history: Option<PathBuf>) -> rustyline::Result<(Self, Option<ReadlineError>)> {
        let mut editor = new(color)?;
        let loaded = history.as_deref().map_or(Ok(()), |path| load_history(&mut editor, path));
        let (wishes, receiver) = mpsc::channel();
        std::thread::spawn(move || serve(editor, history.as_deref(), &receiver));
        Ok((Self { wishes }, loaded.err()))
    }

    /// Waits for a line, which may have line breaks in it.
    pub async fn line(&self, prompt: &str) -> rustyline::Result<String> {
        self.read(prompt, false).await
    }

    /// Waits for a line that is not shown and enters no history.
    pub async fn secret(&self, prompt: &str) -> rustyline::Result<String> {
        self.read(prompt, true).await
    }

    /// Takes a line into the history.
    pub fn remember(&self, line: &str) {
        // The thread ends with this value and not before.
        let _ = self.wishes.send(Wish::Remember(line.to_owned()));
    }

    async fn read(&self, prompt: &str, secret: bool) -> rustyline::Result<String> {
        let (sender, line) = oneshot::channel();
        let wish = Wish::Line { prompt: prompt.to_owned(), secret, line: sender };
        if self.wishes.send(wish).is_err() {
            return Err(ReadlineError::Eof);
        }
        line.await.unwrap_or(Err(ReadlineError::Eof))
    }
}

fn serve(mut editor: LineEditor, history: Option<&Path>, wishes: &mpsc::Receiver<Wish>) {
    for wish in wishes {
        match wish {
            Wish::Line { prompt, secret, line } => {
                set_secret(&mut editor, secret);
                // Nobody waits any more when the program is ending.
                let _ = line.send(editor.readline(&prompt));
                set_secret(&mut editor, false);
            }
            Wish::Remember(line) => {
                let Ok(true) = editor.add_history_entry(line) else { continue };
                let Some(path) = history else { continue };
                if let Err(error) = editor.append_history(path) {
                    tracing::warn!(%error, "the input history was not written");
                }
            }
        }
    }
}

fn new(color: bool) -> rustyline::Result<LineEditor> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .history_ignore_space(true)
        .history_ignore_dups(true)?
        .max_history_size(HISTORY_LIMIT)?
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(LineHelper { secret: false, color }));
    editor.bind_sequence(KeyEvent::ctrl('J'), Cmd::Newline);
    editor.bind_sequence(KeyEvent::new('\r', Modifiers::NONE), EventHandler::Conditional(Box::new(Continue)));
    Ok(editor)
}

fn set_secret(editor: &mut LineEditor, secret: bool) {
    if let Some(helper) = editor.helper_mut() {
        helper.secret = secret;
    }
    // Without colours the editor would not ask the helper how to show the line.
    editor.set_color_mode(if secret { ColorMode::Forced } else { ColorMode::Enabled });
}

/// Loads the history, each line once, where it was used last.
fn load_history(editor: &mut LineEditor, path: &Path) -> rustyline::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    editor.load_history(path)?;
    let mut seen = std::collections::HashSet::new();
    let mut lines: Vec<String> =
        editor.history().iter().rev().filter(|line| seen.insert((*line).clone())).cloned().collect();
    if lines.len() == editor.history().len() {
        return Ok(());
    }
    lines.reverse();
    editor.clear_history()?;
    for line in lines {
        editor.add_history_entry(line)?;
    }
    editor.save_history(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_keeps_each_line_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let mut editor = new(false).unwrap();
        for line in ["a", "b", "a", " hidden", "c"] {
            editor.add_history_entry(line).unwrap();
        }
        editor.save_history(&path).unwrap();
        let mut next = new(false).unwrap();
        load_history(&mut next, &path).unwrap();
        let lines: Vec<&String> = next.history().iter().collect();
        assert_eq!(lines, ["b", "a", "c"]);
    }
}
