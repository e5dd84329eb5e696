//! The conversation in a terminal.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use rustyline::error::ReadlineError;

use super::after::{After, Doomed, Draft};
use super::command::{self, Input};
use super::editor::Keyboard;
use super::failure::{Failure, store_sentence};
use super::lines::{memory_line, renew_sentence};
use super::quiet::{Quiet, asked_to_end};
use super::screen::{DIM, RESET, Screen, notice_sentence};
use super::threads::Begin;
use super::turn;
use super::{Session, code, encoding, now};
use super::{attach, owner, threads};
use crate::agent::{Mode, owner::evidence_of};
use crate::memory::Evidence;
use crate::render::one_line;
use crate::text::{self, Lang};

const PROMPT: &str = "> ";
/// Ends bracketed paste (xterm control sequences, DECSET 2004).
const END_PASTE: &str = "\x1b[?2004l";

/// Talks until the user leaves.
pub async fn run(session: &mut Session, screen: &mut Screen) -> Result<u8, Failure> {
    let lang = session.lang;
    let terminal =
        |error: ReadlineError| Failure::plain(code::OTHER, &text::terminal_failed(lang, &error.to_string()));
    show_banner(session, screen)?;
    let history = session.agent.store().history_file();
    let history = history
        .inspect_err(|error| {
            screen.warning(&text::nothing_can_be_saved(lang, &store_sentence(lang, error)));
            screen.notice(&text::hint_line(lang, text::hint_memory_folder(lang)));
        })
        .ok();
    let (keyboard, problem) = Keyboard::open(session.color, history).map_err(terminal)?;
    if let Some(error) = problem {
        screen.warning(&text::history_unavailable(lang, &error.to_string()));
    }
    if let Some(code) = choose_thread(session, screen, &keyboard).await? {
        return Ok(code);
    }
    // An editor that cannot move the cursor reads whole lines, which the terminal has to put together.
    let _quiet = (!session.dumb_terminal).then(Quiet::start);
    // Listens from here on, also while something else is asked.
    let mut end = pin!(asked_to_end());
    let mut vectors = Vectors::default();
    if !session.agent.store().is_reading() {
        vectors.begin(session).into_iter().for_each(|line| screen.notice(&line));
    }
    let mut told = Vec::new();
    let mut leaving = false;
    let mut draft: Option<Draft> = None;
    loop {
        let prompt = format!("{}{PROMPT}", text::mode_mark(lang, session.agent.mode().name()));
        let line = tokio::select! {
            // The prompt comes first.
            biased;
            line = keyboard.line_from(&prompt, draft.as_ref().map_or("", |draft| &draft.text)) => line,
            code = &mut end => {
                // The editor is still waiting: what it asked of the terminal is taken back here.
                screen.line(END_PASTE);
                return Ok(code);
            }
            never = background(session, &mut vectors, &keyboard, &mut told) => match never {},
        };
        told.drain(..).for_each(|line: String| screen.notice(&line));
        vectors.tell(lang, screen);
        let line = match line {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) if leaving => return Ok(code::OK),
            Err(ReadlineError::Interrupted) => {
                leaving = true;
                screen.notice(text::press_again_to_leave(lang));
                continue;
            }
            Err(ReadlineError::Eof) => {
                encoding::finish(session, screen).await;
                return Ok(code::OK);
            }
            Err(error) => return Err(terminal(error)),
        };
        leaving = false;
        let replaces = draft.take().and_then(|draft| draft.replaces);
        match carry_out(session, screen, &keyboard, &line, replaces).await? {
            Next::Leave(code) => return Ok(code),
            Next::Type(next) => draft = Some(next),
            Next::GoOn => {}
        }
        vectors.pending |= std::mem::take(&mut session.vectors_wanted);
    }
}

/// What comes after a line.
enum Next {
    GoOn,
    Leave(u8),
    /// The line editor begins with this.
    Type(Draft),
}

/// Carries a line out. As a message, it takes the place of the turn called `replaces`.
async fn carry_out(
    session: &mut Session,
    screen: &mut Screen,
    keyboard: &Keyboard,
    line: &str,
    replaces: Option<usize>,
) -> Result<Next, Failure> {
    if !line.trim().is_empty() && session.agent.mode() != Mode::Incognito {
        keyboard.remember(line);
    }
    let result = match command::parse(line) {
        Input::Message(text) => match agree_to_files(session, keyboard, &text).await {
            Ok(true) => turn::ask(session, screen, Draft { text, replaces }).await,
            Ok(false) => Ok(After::Type(Draft { text, replaces })),
            Err(code) => Ok(After::Leave(code)),
        },
        input => turn::handle(session, screen, input).await,
    };
    let result = match result {
        Ok(After::Clear) => clear(session, screen, keyboard).await,
        Ok(After::ClearAll) => clear_all(session, screen, keyboard).await,
        Ok(After::DeleteThread(id)) => delete_thread(session, screen, keyboard, &id).await,
        Ok(After::Forget(doomed)) => forget(session, screen, keyboard, &doomed).await,
        result => result,
    };
    let mut next = Next::GoOn;
    if !session.models.is_empty() {
        keyboard.offer(std::mem::take(&mut session.models));
    }
    match result {
        Ok(After::Leave(code)) => {
            if code == code::OK {
                encoding::finish(session, screen).await;
            }
            return Ok(Next::Leave(code));
        }
        Ok(After::Cancelled) => screen.notice(text::cut_by_user(session.lang)),
        Ok(After::Type(draft)) => next = Next::Type(draft),
        Ok(_) => {}
        Err(failure) => {
            screen.failure(&failure);
            // What was not sent is there to be corrected.
            if let (Input::Message(text), true) = (command::parse(line), failure.not_sent) {
                next = Next::Type(Draft { text, replaces });
            }
        }
    }
    for doomed in std::mem::take(&mut session.doomed) {
        if let After::Leave(code) = forget(session, screen, keyboard, &doomed).await? {
            return Ok(Next::Leave(code));
        }
    }
    screen.check()?;
    if screen.is_gone() {
        return Ok(Next::Leave(code::OK));
    }
    screen.line("");
    Ok(next)
}

/// Asks about the files that a message names and that are not taken without a question. `false` when the user would
/// rather not send it; `Err` with the exit code when they were asked to leave.
async fn agree_to_files(session: &mut Session, keyboard: &Keyboard, message: &str) -> Result<bool, u8> {
    session.agreed_files.clear();
    let lang = session.lang;
    for file in attach::named(message).0.into_iter().filter(|file| !file.usual) {
        let question = text::ask_attach(lang, &one_line(&file.path.display().to_string()));
        match answer_to(keyboard, &question).await? {
            Ok(answer) if text::is_yes(&answer) => session.agreed_files.push(file.path),
            Ok(_) => {}
            Err(_) => return Ok(false),
        }
    }
    Ok(true)
}

/// Opens the thread to begin in; the user chooses it where that is what they want. The exit code, where they were asked
/// to leave instead.
async fn choose_thread(
    session: &mut Session,
    screen: &mut Screen,
    keyboard: &Keyboard,
) -> Result<Option<u8>, Failure> {
    let lang = session.lang;
    if session.begin != Begin::Choose {
        return threads::begin(session, screen).map(|()| None);
    }
    let threads = threads::choices(session)?;
    if threads.is_empty() {
        screen.notice(text::no_last_thread(lang));
        return Ok(None);
    }
    for (place, thread) in threads.iter().enumerate() {
        screen.line(&format!("{:>3}. {}", place + 1, threads::line(lang, thread, now())));
    }
    loop {
        let question = text::which_thread(lang, threads.len());
        let answer = match answer_to(keyboard, &question).await {
            Ok(answer) => answer.unwrap_or_default(),
            Err(code) => return Ok(Some(code)),
        };
        let answer = answer.trim();
        if answer.is_empty() {
            return Ok(None);
        }
        let place = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        if let Some(thread) = place.and_then(|place| threads.get(place)) {
            return threads::open_id(session, screen, &thread.id).map(|()| None);
        }
        match threads::named(session, answer)?.as_slice() {
            [one] => return threads::open_id(session, screen, &one.id.clone()).map(|()| None),
            [] => screen.warning(&text::no_such_thread(lang, answer)),
            _ => screen.warning(&text::several_threads(lang, answer)),
        }
    }
}

/// Deletes a thread if the user says so.
async fn delete_thread(
    session: &mut Session,
    screen: &mut Screen,
    keyboard: &Keyboard,
    id: &str,
) -> Result<After, Failure> {
    let question = threads::delete_question(session, id);
    match agreed(keyboard, &question).await {
        Err(code) => return Ok(After::Leave(code)),
        Ok(true) => threads::delete(session, screen, id)?,
        Ok(false) => screen.line(text::nothing_cleared(session.lang)),
    }
    Ok(After::GoOn)
}

/// Deletes all threads and memories if the user says so.
async fn clear_all(
    session: &mut Session,
    screen: &mut Screen,
    keyboard: &Keyboard,
) -> Result<After, Failure> {
    let lang = session.lang;
    let memories = session.agent.store().memories().map_err(|error| Failure::store(lang, &error))?.len();
    let threads = session.agent.store().thread_ids().len();
    let question = text::ask_clear_all(lang, threads, memories, &session.user_id);
    match agreed(keyboard, &question).await {
        Err(code) => return Ok(After::Leave(code)),
        Ok(true) => threads::clear_all(session, screen)?,
        Ok(false) => screen.line(text::nothing_cleared(lang)),
    }
    Ok(After::GoOn)
}

/// What goes on while the user types: vectors are made of memories and of turns that are no longer sent, and what was
/// said is encoded. What came of it is
/// written above the prompt, or put into `told` where the terminal cannot do that.
async fn background(
    session: &mut Session,
    vectors: &mut Vectors,
    keyboard: &Keyboard,
    told: &mut Vec<String>,
) -> Infallible {
    let lang = session.lang;
    while session.agent.store().is_reading() {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let begun = vectors.begin(session);
    let notices = session.agent.store().take_notices();
    let notices = notices.iter().map(|notice| text::warning_line(lang, &notice_sentence(lang, notice)));
    notices.chain(begun).for_each(|line| above(session.color, keyboard, told, line));
    vectors.make_all(session).await;
    session.agent.prepare_earlier().await;
    loop {
        let encoded = tokio::select! {
            encoded = session.agent.encoded(now) => encoded,
            () = tokio::time::sleep(IDLE), if !vectors.tidied => {
                vectors.tidied = true;
                if let Err(error) = crate::agent::owner::tidy(session.agent.store(), now()) {
                    tracing::warn!(%error, "not tidied up");
                }
                continue;
            }
        };
        match encoded {
            Ok(encoded) => {
                for line in encoded.iter().map(|encoded| encoding::line(lang, encoded)) {
                    above(session.color, keyboard, told, line);
                }
            }
            Err(error) => {
                told.push(text::warning_line(lang, &text::not_saved(lang, &store_sentence(lang, &error))));
                return std::future::pending().await;
            }
        }
    }
}

/// Writes a line above the prompt, or keeps it to be told behind it.
fn above(color: bool, keyboard: &Keyboard, told: &mut Vec<String>, line: String) {
    let shown = if color { format!("{DIM}{line}{RESET}") } else { line.clone() };
    if !keyboard.print_above(&shown) {
        told.push(line);
    }
}

/// How often it is looked whether a large memory file has been read.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// After so long without a line, memories are tidied up, once in a session.
const IDLE: Duration = Duration::from_secs(60);

/// Vectors made while the user types, where memories have none that can be compared.
#[derive(Debug, Default)]
struct Vectors {
    /// The memories were looked at.
    begun: bool,
    /// There may be memories that wait for one.
    pending: bool,
    /// As many as are known to.
    left: usize,
    renewed: usize,
    told: usize,
    problem: Option<String>,
    /// Memories were tidied up in this session.
    tidied: bool,
}

/// Vectors made at a time: what is under way when the user has typed is done again later.
const BATCH: usize = 128;

impl Vectors {
    /// Looks at the memories once they are read, and prepares for the first message. What there is to be told.
    fn begin(&mut self, session: &mut Session) -> Option<String> {
        if std::mem::replace(&mut self.begun, true) {
            return None;
        }
        session.agent.prepare();
        // Memories that cannot be read are reported when they are needed.
        self.left = session.agent.unmatched_vectors().unwrap_or_default();
        self.pending = true;
        (self.left > 0).then(|| text::vectors_begin(session.lang, self.left))
    }

    /// Makes them batch by batch.
    async fn make_all(&mut self, session: &mut Session) {
        while self.pending {
            match session.agent.renew_vectors(BATCH).await {
                Ok(progress) => {
                    self.renewed += progress.renewed;
                    self.left = progress.left;
                    self.pending = progress.renewed > 0 && progress.left > 0;
                }
                Err(error) => {
                    self.problem = Some(renew_sentence(session.lang, &error));
                    self.pending = false;
                }
            }
        }
    }

    /// Says what has come about since the last call.
    fn tell(&mut self, lang: Lang, screen: &mut Screen) {
        if self.renewed > self.told {
            screen.notice(&text::vectors_so_far(lang, self.renewed, self.left));
            self.told = self.renewed;
        }
        if let Some(reason) = self.problem.take() {
            screen.warning(&text::vectors_stopped(lang, &reason));
        }
    }
}

fn show_banner(session: &mut Session, screen: &mut Screen) -> Result<(), Failure> {
    let lang = session.lang;
    let count = session.agent.store().count().map_err(|error| Failure::store(lang, &error))?;
    let folder = session.memory_dir.display().to_string();
    let (user, model) = (one_line(&session.user_id), one_line(session.agent.model()));
    screen.line(&text::banner(lang, &user, &model, &session.host, &one_line(&folder), count));
    for notice in session.agent.store().take_notices() {
        screen.files(&notice);
    }
    screen.line("");
    Ok(())
}

/// Deletes the memories if the user says so.
async fn clear(session: &mut Session, screen: &mut Screen, keyboard: &Keyboard) -> Result<After, Failure> {
    let lang = session.lang;
    let count = session.agent.store().memories().map_err(|error| Failure::store(lang, &error))?.len();
    if count == 0 {
        // What was said and not noted yet goes all the same.
        session.agent.clear(now()).map_err(|error| Failure::store(lang, &error))?;
        screen.line(text::no_memories(lang));
        return Ok(After::GoOn);
    }
    let question = text::ask_clear(lang, count, &session.user_id);
    match agreed(keyboard, &question).await {
        Err(code) => return Ok(After::Leave(code)),
        Ok(true) => return turn::clear(session, screen).map(|()| After::GoOn),
        Ok(false) => {}
    }
    screen.line(text::nothing_cleared(lang));
    Ok(After::GoOn)
}

/// Deletes one memory if the user says so.
async fn forget(
    session: &mut Session,
    screen: &mut Screen,
    keyboard: &Keyboard,
    doomed: &Doomed,
) -> Result<After, Failure> {
    let lang = session.lang;
    if doomed.by_id {
        screen.line(&memory_line(&doomed.memory));
    }
    match agreed(keyboard, text::ask_forget(lang)).await {
        Err(code) => return Ok(After::Leave(code)),
        Ok(true) => {
            let said = evidence_of(session.agent.store(), &doomed.memory);
            let said = said.map_err(|error| Failure::store(lang, &error))?;
            owner::forget(session, screen, doomed)?;
            return blank(session, screen, keyboard, &said).await;
        }
        Ok(false) => screen.line(text::nothing_cleared(lang)),
    }
    Ok(After::GoOn)
}

/// Offers to delete the words too that a forgotten memory rested on.
async fn blank(
    session: &mut Session,
    screen: &mut Screen,
    keyboard: &Keyboard,
    said: &[Evidence],
) -> Result<After, Failure> {
    let lang = session.lang;
    if session.agent.still_says(said).map_err(|error| Failure::store(lang, &error))? {
        match agreed(keyboard, text::ask_blank(lang)).await {
            Err(code) => return Ok(After::Leave(code)),
            Ok(true) => {
                session.agent.blank(said, now()).map_err(|error| Failure::store(lang, &error))?;
                said.iter().for_each(|evidence| keyboard.erase(&evidence.quote));
                screen.line(text::blanked(lang));
            }
            Ok(false) => {}
        }
    }
    Ok(After::GoOn)
}

/// Whether the user says yes. `Err` with the exit code when they were asked to leave instead.
async fn agreed(keyboard: &Keyboard, question: &str) -> Result<bool, u8> {
    let answer = answer_to(keyboard, question).await?;
    Ok(text::is_yes(&answer.unwrap_or_default()))
}

/// What the user answers. `Err` with the exit code when they were asked to leave instead.
async fn answer_to(keyboard: &Keyboard, question: &str) -> Result<rustyline::Result<String>, u8> {
    tokio::select! {
        answer = keyboard.line(question) => Ok(answer),
        code = asked_to_end() => Err(code),
    }
}
