//! What is written where: answers to stdout, everything else to stderr.
//!
//! Through a pipe, stdout carries answers and command output only. On a terminal both streams share
//! the screen, so a notice that comes in the middle of an answer starts a line of its own. Writing to
//! a stdout that nobody reads any more is remembered, not an error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::code;
use super::failure::{Failure, store_sentence};
use super::lines::{embed_sentence, written_line};
use crate::agent::Event;
use crate::config::ShowReasoning;
use crate::render::{Cleaner, one_line};
use crate::store::Notice;
use crate::text::{self, Lang};
use crate::wire::Kind;

/// Styles of the terminal's own palette (ECMA-48 §8.3.117), so that themes are respected.
pub const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
pub const RESET: &str = "\x1b[0m";

/// How often the line that says what is waited for is drawn.
pub const TICK: Duration = Duration::from_millis(100);
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// Characters of folded reasoning.
const FOLDED: usize = 60;

/// The two output streams.
pub struct Screen {
    lang: Lang,
    interactive: bool,
    /// Notices are dim and errors red: stderr is a terminal whose owner wants colours.
    color: bool,
    cleaner: Cleaner,
    /// Something of the current answer has been written.
    started: bool,
    /// Line breaks and blanks held back until more text comes, so that an answer ends with one newline.
    held: String,
    /// On a terminal: the cursor is behind text.
    mid_line: bool,
    /// Why stdout cannot be written any more.
    stdout_fault: Option<io::Error>,
    written: usize,
    reasoning: ShowReasoning,
    /// Reasoning that is not shown yet, or has been shown without its end.
    thought: String,
    /// Since when nothing has come, and until when a pause lasts.
    waiting: Option<Instant>,
    pause_until: Option<Instant>,
    /// A line that says so is on the screen.
    status: bool,
}

/// What the user should know about their files.
pub fn notice_sentence(lang: Lang, notice: &Notice) -> String {
    match notice {
        Notice::SetAside { kept, saved } => text::file_set_aside(lang, &kept.display().to_string(), *saved),
        Notice::StrangeEntries { path, count } => {
            text::strange_entries(lang, &path.display().to_string(), *count)
        }
    }
}

impl Screen {
    /// `interactive`: the user talks in a terminal; `color`: they want colours.
    pub fn new(lang: Lang, interactive: bool, color: bool) -> Self {
        Self {
            lang,
            interactive,
            color: color && io::stderr().is_terminal(),
            cleaner: Cleaner::default(),
            started: false,
            held: String::new(),
            mid_line: false,
            stdout_fault: None,
            written: 0,
            reasoning: ShowReasoning::Fold,
            thought: String::new(),
            waiting: None,
            pause_until: None,
            status: false,
        }
    }

    pub fn reasoning(&self) -> ShowReasoning {
        self.reasoning
    }

    pub fn show_reasoning(&mut self, mode: ShowReasoning) {
        self.reasoning = mode;
    }

    /// A turn begins.
    pub fn begin_turn(&mut self) {
        self.waiting = Some(Instant::now());
    }

    /// Time has passed: says for how long nothing has come. Only where a line can be taken back.
    pub fn tick(&mut self) {
        let Some(since) = self.waiting.filter(|_| self.interactive && self.color && !self.mid_line) else {
            return;
        };
        let elapsed = since.elapsed();
        if elapsed < Duration::from_secs(1) {
            return;
        }
        let seconds = elapsed.as_secs();
        let pause = self.pause_until.and_then(|until| until.checked_duration_since(Instant::now()));
        let words = match pause {
            Some(left) => text::retry_in(self.lang, left.as_secs() + 1),
            None if !self.thought.is_empty() => text::thinking(self.lang, seconds),
            None => text::reading_prompt(self.lang, seconds),
        };
        let frame = SPINNER[(elapsed.as_millis() / TICK.as_millis()) as usize % SPINNER.len()];
        let _ = write!(io::stderr(), "\r\x1b[K{DIM}{frame} {words}{RESET}");
        self.status = true;
    }

    /// The user talks in a terminal.
    pub fn is_interactive(&self) -> bool {
        self.interactive
    }

    /// Whether lines can be taken back.
    pub fn is_live(&self) -> bool {
        self.color
    }

    /// Says how far something is: over the line before where lines can be taken back.
    pub fn progress(&mut self, words: &str) {
        if !self.is_live() {
            return self.notice(words);
        }
        let _ = write!(io::stderr(), "\r\x1b[K{DIM}{words}{RESET}");
        self.status = true;
    }

    fn clear_status(&mut self) {
        if std::mem::take(&mut self.status) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// Nobody reads stdout any more.
    pub fn is_gone(&self) -> bool {
        self.stdout_fault.is_some()
    }

    /// A stdout that cannot be written is an error, unless its reader has just left.
    pub fn check(&self) -> Result<(), Failure> {
        match &self.stdout_fault {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let sentence = text::cannot_write_answer(self.lang, &error.to_string());
                Err(Failure::plain(code::OTHER, &sentence))
            }
            _ => Ok(()),
        }
    }

    /// Shows an event of a turn.
    pub fn event(&mut self, event: &Event<'_>) {
        let lang = self.lang;
        match event {
            Event::Text(piece) => {
                self.end_thought();
                self.text(piece);
            }
            Event::Reasoning(piece) => self.think(piece),
            Event::Retract => {
                self.notice(text::was_thinking(lang));
                self.started = false;
            }
            Event::Learnt(lesson) => self.warning(&text::learnt(lang, lesson.name())),
            Event::Remembered { short_id, written } => {
                self.written += 1;
                self.notice(&written_line(lang, short_id, written));
            }
            Event::Superseded { old, new, content } => {
                self.written += 1;
                self.notice(&text::superseded(lang, old, new, &one_line(content)));
            }
            Event::WouldForget { short_id, memory } => {
                if !self.interactive {
                    self.notice(&text::would_forget(lang, short_id, &one_line(&memory.content)));
                }
            }
            Event::NotSaved(error) => self.warning(&text::not_saved(lang, &store_sentence(lang, error))),
            Event::NoRecall(error) => self.warning(&text::no_recall(lang, &store_sentence(lang, error))),
            Event::NoVectors(error) => self.warning(&text::no_vectors(lang, &embed_sentence(lang, error))),
            Event::Files(notice) => self.files(notice),
            Event::Retry { failure, wait } => {
                let named = kind_name(lang, failure.kind);
                let reason = one_line(if failure.detail.is_empty() { named } else { &failure.detail });
                if !wait.is_zero() {
                    self.warning(&text::retrying(lang, &reason, wait.as_secs_f64()));
                    self.pause_until = Some(Instant::now() + *wait);
                }
            }
            Event::ThreadNotSaved(error) => {
                self.warning(&text::thread_not_saved(lang, &store_sentence(lang, error)));
            }
            Event::Forked { from, to } => {
                self.warning(&text::thread_forked(lang, &one_line(from), &one_line(to)));
            }
            Event::Summarising(turns) if self.is_live() => self.progress(&text::summarising(lang, *turns)),
            Event::Summarising(_) => {}
            Event::Summarised(turns) => self.notice(&text::summarised(lang, *turns)),
            Event::NotSummarised { turns, error } => {
                self.warning(&text::not_summarised(lang, *turns, &one_line(&error.sentence(lang))));
            }
            Event::FileRead { path, from, to, of } => {
                self.notice(&text::file_read(lang, &one_line(path), *from, *to, *of));
            }
            Event::LengthLimit => self.warning(text::length_limit(lang)),
            Event::Filtered => self.warning(text::filter_ended(lang)),
        }
    }

    /// Tells what has come up about the user's files.
    pub fn files(&mut self, notice: &Notice) {
        self.warning(&notice_sentence(self.lang, notice));
    }

    fn think(&mut self, piece: &str) {
        let piece = self.cleaner.clean(piece);
        if self.reasoning == ShowReasoning::Show {
            self.clear_status();
            let (dim, reset) = if self.color { (DIM, RESET) } else { ("", "") };
            let _ = write!(io::stderr(), "{dim}{piece}{reset}");
            self.waiting = None;
        }
        self.thought.push_str(&piece);
    }

    /// The thinking is over: it is closed, or folded to one line.
    fn end_thought(&mut self) {
        let thought = std::mem::take(&mut self.thought);
        let folded = one_line(&thought);
        if folded.is_empty() {
            return;
        }
        match self.reasoning {
            ShowReasoning::Show => {
                let _ = writeln!(io::stderr());
            }
            ShowReasoning::Fold if self.interactive => {
                let mut words: String = folded.chars().take(FOLDED).collect();
                if words.len() < folded.len() {
                    words.push('…');
                }
                self.notice(&text::thought(&words));
            }
            ShowReasoning::Fold | ShowReasoning::Hide => {}
        }
    }

    /// Writes a piece of an answer.
    fn text(&mut self, piece: &str) {
        let piece = self.cleaner.clean(piece);
        let piece = if self.started { &piece } else { piece.trim_start() };
        let body = piece.trim_end();
        if body.is_empty() {
            if self.started {
                self.held.push_str(piece);
            }
            return;
        }
        if self.interactive && !self.mid_line && self.started {
            // A notice has ended the line already.
            self.held.clear();
        }
        self.started = true;
        self.mid_line = true;
        self.waiting = None;
        let held = std::mem::take(&mut self.held);
        self.write(&format!("{held}{body}"));
        self.held = piece.strip_prefix(body).unwrap_or_default().to_owned();
    }

    /// Ends the turn's output: the answer gets its newline, several written memories their count.
    pub fn end_turn(&mut self) {
        self.clear_status();
        self.end_thought();
        self.waiting = None;
        self.pause_until = None;
        if self.started && (self.mid_line || !self.interactive) {
            self.write("\n");
        }
        let written = std::mem::take(&mut self.written);
        self.started = false;
        self.mid_line = false;
        self.held.clear();
        self.cleaner = Cleaner::default();
        if written > 1 {
            self.notice(&text::written_this_turn(self.lang, written));
        }
    }

    /// Puts base64 into the clipboard of the terminal (OSC 52, xterm control sequences).
    pub fn clipboard(&mut self, base64: &str) {
        self.write(&format!("\x1b]52;c;{base64}\x07"));
    }

    /// Writes output of a command to stdout.
    pub fn line(&mut self, line: &str) {
        self.write(&format!("{line}\n"));
    }

    pub fn warning(&mut self, sentence: &str) {
        self.styled(YELLOW, &text::warning_line(self.lang, sentence));
    }

    /// Writes a line to stderr.
    pub fn notice(&mut self, line: &str) {
        self.styled(DIM, line);
    }

    fn styled(&mut self, style: &str, line: &str) {
        self.clear_status();
        self.end_thought();
        if self.interactive && self.mid_line {
            self.write("\n");
            self.mid_line = false;
            // After a tool call the model is waited for again.
            self.waiting = Some(Instant::now());
        }
        // With stderr closed there is nobody left to tell.
        let _ = if self.color {
            writeln!(io::stderr(), "{style}{line}{RESET}")
        } else {
            writeln!(io::stderr(), "{line}")
        };
    }

    pub fn failure(&mut self, failure: &Failure) {
        self.styled(RED, &text::error_line(self.lang, &one_line(&failure.sentence)));
        if let Some(hint) = &failure.hint {
            self.notice(&text::hint_line(self.lang, hint));
        }
    }

    fn write(&mut self, text: &str) {
        self.clear_status();
        let mut stdout = io::stdout().lock();
        if self.stdout_fault.is_none() {
            self.stdout_fault = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).err();
        }
    }
}

fn kind_name(lang: Lang, kind: Kind) -> &'static str {
    match kind {
        Kind::Empty => text::reason_empty(lang),
        Kind::Timeout => text::reason_timeout(lang),
        Kind::Cut => text::reason_cut(lang),
        _ => text::reason_server(lang),
    }
}
