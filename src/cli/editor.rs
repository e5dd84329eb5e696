//! The keyboard: a line editor with completion, continuation lines and a history.
//!
//! The editor lives on a thread of its own, because waiting for a line blocks, and what goes on
//! meanwhile (a connection being closed, say) must not.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::history::{DefaultHistory, History};
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event, EventContext,
    EventHandler, ExternalPrinter, Helper, Hinter, KeyEvent, Modifiers, RepeatCount, Validator,
};

use tokio::sync::oneshot;

use super::command::{SLASHES, completions};
use super::quiet::hear_suspend;
use crate::store::tells;

type LineEditor = Editor<LineHelper, DefaultHistory>;

/// Lines kept in the history.
const HISTORY_LIMIT: usize = 10_000;

/// Completes slash commands and hides what is secret.
#[derive(Helper, Hinter, Validator)]
struct LineHelper {
    /// Shows nothing of what is typed.
    secret: bool,
    color: bool,
    /// Model names that `/model` completes.
    models: Vec<String>,
    /// Completes paths behind an `@`.
    files: FilenameCompleter,
}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..at).unwrap_or_default();
        let Some(name) = typed.strip_prefix(SLASHES).filter(|_| !self.secret) else {
            return if self.secret { Ok((at, Vec::new())) } else { self.complete_path(typed, at) };
        };
        if let Some(start) = name.strip_prefix("model ") {
            let fitting = self.models.iter().filter(|model| model.starts_with(start.trim_start()));
            let pair =
                |model: &String| Pair { display: model.clone(), replacement: format!("/model {model}") };
            return Ok((0, fitting.map(pair).collect()));
        }
        let pair = |name: &str| Pair { display: format!("/{name}"), replacement: format!("/{name}") };
        Ok((0, completions(name).into_iter().map(pair).collect()))
    }
}

impl LineHelper {
    /// The files that the path behind the last `@` may mean.
    fn complete_path(&self, typed: &str, at: usize) -> rustyline::Result<(usize, Vec<Pair>)> {
        let word = typed.rsplit(char::is_whitespace).next().unwrap_or_default();
        match word.rsplit_once('@') {
            Some((_, path)) => {
                let (start, pairs) = self.files.complete_path_unsorted(path, path.len())?;
                Ok((at - path.len() + start, sorted(pairs)))
            }
            None => Ok((at, Vec::new())),
        }
    }
}

fn sorted(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_by(|a, b| a.display.cmp(&b.display));
    pairs
}

/// Enter behind a backslash starts a new line. The backslashes that asked for one are noted by their
/// place, to be taken out of the finished message; a pasted one is left alone, since a paste does not
/// come through the keys.
struct Continue {
    backslashes: Backslashes,
}

type Backslashes = Arc<Mutex<Vec<usize>>>;

impl ConditionalEventHandler for Continue {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let before = context.line().get(..context.pos())?.strip_suffix('\\')?;
        self.backslashes.lock().unwrap_or_else(PoisonError::into_inner).push(before.len());
        Some(Cmd::Newline)
    }
}

/// `line` without the backslashes noted; one that edits have moved is left where it is.
fn without(backslashes: &Backslashes, mut line: String) -> String {
    let mut places = std::mem::take(&mut *backslashes.lock().unwrap_or_else(PoisonError::into_inner));
    places.sort_unstable();
    places.dedup();
    for place in places.into_iter().rev() {
        if line.get(place..).is_some_and(|rest| rest.starts_with("\\\n")) {
            line.remove(place);
        }
    }
    line
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
    Line { prompt: String, initial: String, secret: bool, line: oneshot::Sender<rustyline::Result<String>> },
    Remember(String),
    Erase(String),
    Offer(Vec<String>),
}

/// The way to the editor's thread.
pub struct Keyboard {
    wishes: mpsc::Sender<Wish>,
    /// Writes above what is being typed; `None` where the terminal cannot.
    above: Mutex<Option<Box<dyn ExternalPrinter + Send>>>,
}

impl Keyboard {
    /// Opens the editor, with the history in the file `history` if there is one; `color` for its
    /// prompts. The second value says why there is no history.
    pub fn open(color: bool, history: Option<PathBuf>) -> rustyline::Result<(Self, Option<ReadlineError>)> {
        let (mut editor, backslashes) = new(color)?;
        let above = editor.create_external_printer().ok().map(|printer| Box::new(printer) as Box<_>);
        let loaded = history.as_deref().map_or(Ok(()), |path| load_history(&mut editor, path));
        let (wishes, receiver) = mpsc::channel();
        hear_suspend(false);
        std::thread::spawn(move || {
            hear_suspend(true);
            serve(editor, &backslashes, history.as_deref(), &receiver);
        });
        Ok((Self { wishes, above: Mutex::new(above) }, loaded.err()))
    }

    /// Writes a line above what is being typed. `false` where that cannot be done.
    pub fn print_above(&self, line: &str) -> bool {
        let mut above = self.above.lock().unwrap_or_else(PoisonError::into_inner);
        above.as_mut().is_some_and(|printer| printer.print(format!("{line}\n")).is_ok())
    }

    /// Takes every line out of the history in which `words` stand.
    pub fn erase(&self, words: &str) {
        let _ = self.wishes.send(Wish::Erase(words.to_owned()));
    }

    /// Waits for a line, which may have line breaks in it.
    pub async fn line(&self, prompt: &str) -> rustyline::Result<String> {
        self.read(prompt, "", false).await
    }

    /// Waits for a line that begins as `initial`, for the user to change.
    pub async fn line_from(&self, prompt: &str, initial: &str) -> rustyline::Result<String> {
        self.read(prompt, initial, false).await
    }

    /// Waits for a line that is not shown and enters no history.
    pub async fn secret(&self, prompt: &str) -> rustyline::Result<String> {
        self.read(prompt, "", true).await
    }

    /// Takes a line into the history.
    pub fn remember(&self, line: &str) {
        // The thread ends with this value and not before.
        let _ = self.wishes.send(Wish::Remember(line.to_owned()));
    }

    /// Offers model names for completion.
    pub fn offer(&self, models: Vec<String>) {
        let _ = self.wishes.send(Wish::Offer(models));
    }

    async fn read(&self, prompt: &str, initial: &str, secret: bool) -> rustyline::Result<String> {
        let (sender, line) = oneshot::channel();
        let (prompt, initial) = (prompt.to_owned(), initial.to_owned());
        let wish = Wish::Line { prompt, initial, secret, line: sender };
        if self.wishes.send(wish).is_err() {
            return Err(ReadlineError::Eof);
        }
        line.await.unwrap_or(Err(ReadlineError::Eof))
    }
}

fn serve(
    mut editor: LineEditor,
    backslashes: &Backslashes,
    history: Option<&Path>,
    wishes: &mpsc::Receiver<Wish>,
) {
    for wish in wishes {
        match wish {
            Wish::Line { prompt, initial, secret, line } => {
                set_secret(&mut editor, secret);
                // Nobody waits any more when the program is ending.
                let _ = line.send(
                    editor
                        .readline_with_initial(&prompt, (&initial, ""))
                        .map(|line| without(backslashes, line)),
                );
                set_secret(&mut editor, false);
            }
            Wish::Offer(models) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.models = models;
                }
            }
            Wish::Erase(words) => {
                if let Err(error) = erase(&mut editor, &words, history) {
                    tracing::warn!(%error, "the input history was not written");
                }
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

fn erase(editor: &mut LineEditor, words: &str, history: Option<&Path>) -> rustyline::Result<()> {
    let lines: Vec<String> = editor.history().iter().filter(|line| !tells(line, words)).cloned().collect();
    editor.clear_history()?;
    for line in lines {
        editor.add_history_entry(line)?;
    }
    history.map_or(Ok(()), |path| editor.save_history(path))
}

fn new(color: bool) -> rustyline::Result<(LineEditor, Backslashes)> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .history_ignore_space(true)
        .history_ignore_dups(true)?
        .max_history_size(HISTORY_LIMIT)?
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(LineHelper {
        secret: false,
        color,
        models: Vec::new(),
        files: FilenameCompleter::new(),
    }));
    editor.bind_sequence(KeyEvent::ctrl('J'), Cmd::Newline);
    let backslashes = Backslashes::default();
    let on_enter = Continue { backslashes: Arc::clone(&backslashes) };
    editor.bind_sequence(KeyEvent::new('\r', Modifiers::NONE), EventHandler::Conditional(Box::new(on_enter)));
    Ok((editor, backslashes))
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
    fn only_noted_backslashes_go() {
        let noted = |places: &[usize]| Backslashes::new(Mutex::new(places.to_vec()));
        assert_eq!(without(&noted(&[1, 4]), "a\\\nb\\\nc".to_owned()), "a\nb\nc");
        assert_eq!(without(&noted(&[9, 1]), "ab\\\nc".to_owned()), "ab\\\nc");
        assert_eq!(without(&noted(&[]), "a\\\nb".to_owned()), "a\\\nb");
    }

    #[test]
    fn the_history_keeps_each_line_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let (mut editor, _) = new(false).unwrap();
        for line in ["a", "b", "a", " hidden", "c"] {
            editor.add_history_entry(line).unwrap();
        }
        editor.save_history(&path).unwrap();
        let (mut next, _) = new(false).unwrap();
        load_history(&mut next, &path).unwrap();
        let lines: Vec<&String> = next.history().iter().collect();
        assert_eq!(lines, ["b", "a", "c"]);
    }
}
