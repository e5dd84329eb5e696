//! Threads in the shell: which one is talked in, and what is done with them.

use std::path::Path;

use chrono::{DateTime, Local};

use super::after::{After, Draft};
use super::command::Command;
use super::failure::Failure;
use super::screen::Screen;
use super::{Session, attach, now};
use crate::agent::Joined;
use crate::memory::time_of;
use crate::render::{one_line, plain};
use crate::store::{self, StoreError, is_thread_id};
use crate::text::{self, Lang};
use crate::thread::export::Form;
use crate::thread::{self, Thread};

/// Threads listed at most.
const LISTED: usize = 20;
/// Lines of the last exchange that are shown when a thread goes on.
const SHOWN_LINES: usize = 12;
/// Fewer letters than this name no thread by the end of its id.
const ID_PART: usize = 3;

/// Which thread a conversation begins in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begin {
    New,
    Last,
    /// The one called so, by id or title.
    Named(String),
    /// The user chooses.
    Choose,
    /// The one of that id, or a new one.
    Id(String),
}

/// Carries out a command about threads that asks nothing.
pub fn command(
    session: &mut Session,
    screen: &mut Screen,
    command: Command,
    words: &str,
) -> Result<After, Failure> {
    let lang = session.lang;
    match command {
        Command::New => {
            session.agent.new_thread(None, now());
            let id = session.agent.thread().id.clone();
            screen.line(&text::new_thread(lang, &one_line(&id)));
            if !words.is_empty() {
                rename(session, screen, words)?;
            }
        }
        Command::Thread if words.is_empty() => show(session, screen),
        Command::Thread => {
            let id = named_by_id(session, words).unwrap_or_else(|| words.to_owned());
            open_id(session, screen, &id)?;
        }
        Command::Threads => list(session, screen, words)?,
        Command::Id => screen.line(&one_line(&session.agent.thread().id)),
        Command::Title if words.is_empty() => {
            let title = session.agent.thread().title();
            match title.is_empty() {
                true => screen.line(text::nothing_said_yet(lang)),
                false => screen.line(&text::title_is(lang, &one_line(&title))),
            }
        }
        Command::Title | Command::Rename => rename(session, screen, words)?,
        Command::Delete => return Ok(doomed(session, screen, words)),
        Command::ExportThread => export(session, screen, words)?,
        Command::Rewind => return rewind(session, screen, words),
        Command::EditLast => return Ok(edit_last(session, screen, words)),
        _ => {}
    }
    Ok(After::GoOn)
}

/// Opens the thread that the command line asks for, unless the user has to choose it.
pub fn begin(session: &mut Session, screen: &mut Screen) -> Result<(), Failure> {
    let lang = session.lang;
    match &std::mem::replace(&mut session.begin, Begin::New) {
        Begin::New => Ok(()),
        Begin::Id(id) => open_id(session, screen, id),
        Begin::Last => {
            match session.agent.store().last_thread().map_err(|error| Failure::store(lang, &error))? {
                Some(id) => open_id(session, screen, &id),
                None => {
                    screen.notice(text::no_last_thread(lang));
                    Ok(())
                }
            }
        }
        Begin::Choose => Err(Failure::with_hint(
            super::code::USAGE,
            text::resume_needs_words(lang),
            text::hint_threads(lang),
        )),
        Begin::Named(words) => {
            let found = named(session, words)?;
            match found.as_slice() {
                [] => Err(Failure::with_hint(
                    super::code::OTHER,
                    &text::no_such_thread(lang, words),
                    text::hint_threads(lang),
                )),
                [one] => open_id(session, screen, &one.id.clone()),
                several => {
                    screen.warning(&text::several_threads(lang, words));
                    several.iter().take(LISTED).for_each(|thread| screen.notice(&line(lang, thread, now())));
                    Err(Failure::plain(super::code::OTHER, text::say_the_id(lang)))
                }
            }
        }
    }
}

/// The latest threads, for the user to choose from.
pub fn choices(session: &mut Session) -> Result<Vec<Thread>, Failure> {
    let lang = session.lang;
    let mut threads = session.agent.store().threads().map_err(|error| Failure::store(lang, &error))?;
    threads.truncate(LISTED);
    Ok(threads)
}

/// A thread in one line: title, age, turns, id.
pub fn line(lang: Lang, thread: &Thread, now: DateTime<Local>) -> String {
    let time = time_of(thread.updated_at());
    let minutes = time.map_or(0, |time| (now.fixed_offset() - time).num_minutes());
    let turns = text::turns(lang, thread.live().count());
    format!("{}  {}  {} · {turns}", one_line(&thread.id), one_line(&thread.title()), text::ago(lang, minutes))
}

/// Threads whose id or title fits `words`: the one whose id they are, or else all that are like it.
pub fn named(session: &mut Session, words: &str) -> Result<Vec<Thread>, Failure> {
    let lang = session.lang;
    let mut threads = session.agent.store().threads().map_err(|error| Failure::store(lang, &error))?;
    if let Some(place) = threads.iter().position(|thread| thread.id == words.trim()) {
        return Ok(vec![threads.swap_remove(place)]);
    }
    let wanted = thread::query(words);
    let fits = |thread: &Thread| {
        let title = crate::search::normal(&thread.title());
        is_part(&thread.id, words) || (!wanted.is_empty() && wanted.iter().all(|word| title.contains(word)))
    };
    threads.retain(fits);
    Ok(threads)
}

/// Whether `words` are the end of an id.
fn is_part(id: &str, words: &str) -> bool {
    words.chars().count() >= ID_PART && id.ends_with(words.trim())
}

fn named_by_id(session: &mut Session, words: &str) -> Option<String> {
    let ids = session.agent.store().thread_ids();
    if ids.iter().any(|id| id == words) {
        return None;
    }
    let mut parts = ids.into_iter().filter(|id| is_part(id, words));
    let first = parts.next()?;
    parts.next().is_none().then_some(first)
}

/// Goes on with the thread of that id, or begins it.
pub fn open_id(session: &mut Session, screen: &mut Screen, id: &str) -> Result<(), Failure> {
    let lang = session.lang;
    let id = id.trim();
    if !is_thread_id(id) {
        return Err(Failure::plain(super::code::USAGE, &text::not_a_thread_id(lang, id)));
    }
    let joined = session.agent.open_thread(id, now()).map_err(|error| Failure::store(lang, &error))?;
    let (id, title) = {
        let thread = session.agent.thread();
        (one_line(&thread.id), one_line(&thread.title()))
    };
    match joined {
        Joined::New => {
            screen.notice(&text::new_thread(lang, &id));
            return Ok(());
        }
        Joined::Forked(from) => screen.warning(&text::thread_forked(lang, &one_line(&from), &id)),
        Joined::Goes => {}
    }
    let turns = session.agent.thread().live().count();
    screen.notice(&text::thread_goes_on(lang, &title, &id, turns));
    show_last(session, screen);
    Ok(())
}

/// Shows the last exchange.
fn show_last(session: &Session, screen: &mut Screen) {
    let Some(entry) = session.agent.thread().last() else { return };
    let short = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        let more = if lines.len() > SHOWN_LINES { "\n…" } else { "" };
        format!("{}{more}", plain(&lines.into_iter().take(SHOWN_LINES).collect::<Vec<_>>().join("\n")))
    };
    screen.notice(&format!("> {}", short(entry.message().text())));
    match entry.turn() {
        Some(turn) => screen.notice(&short(turn.answer())),
        None => screen.notice(text::unanswered(session.lang)),
    }
}

fn show(session: &Session, screen: &mut Screen) {
    let thread = session.agent.thread();
    let title = one_line(&thread.title());
    screen.line(&text::thread_line(session.lang, &title, &one_line(&thread.id)));
}

/// Lists threads, or those that say `words`.
fn list(session: &mut Session, screen: &mut Screen, words: &str) -> Result<(), Failure> {
    let lang = session.lang;
    let query = thread::query(words);
    let threads = session.agent.store().threads().map_err(|error| Failure::store(lang, &error))?;
    let found: Vec<(&Thread, Option<String>)> = threads
        .iter()
        .filter_map(|thread| match query.is_empty() {
            true => Some((thread, None)),
            false => thread.find(&query).map(|piece| (thread, Some(piece))),
        })
        .collect();
    if found.is_empty() {
        screen.line(if threads.is_empty() { text::no_threads(lang) } else { text::no_thread_says(lang) });
        return Ok(());
    }
    for (thread, piece) in found.iter().take(LISTED) {
        let mark = if thread.id == session.agent.thread().id { "*" } else { " " };
        screen.line(&format!("{mark} {}", line(lang, thread, now())));
        if let Some(piece) = piece.as_ref().filter(|piece| **piece != thread.title()) {
            screen.line(&format!("    {}", one_line(piece)));
        }
    }
    if found.len() > LISTED {
        screen.notice(&text::more_threads(lang, found.len() - LISTED));
    }
    Ok(())
}

fn rename(session: &mut Session, screen: &mut Screen, words: &str) -> Result<(), Failure> {
    let lang = session.lang;
    if words.is_empty() {
        screen.warning(&text::usage(lang, "/rename TITLE"));
        return Ok(());
    }
    let title = one_line(words);
    session.agent.rename_thread(&title, now()).map_err(|error| Failure::store(lang, &error))?;
    screen.line(&text::title_is(lang, &title));
    Ok(())
}

/// The thread that is to be deleted.
fn doomed(session: &mut Session, screen: &mut Screen, words: &str) -> After {
    let lang = session.lang;
    let own = session.agent.thread().id.clone();
    let id = match words {
        "" => own.clone(),
        words => named_by_id(session, words).unwrap_or_else(|| words.to_owned()),
    };
    let is_there = id == own || session.agent.store().thread_ids().contains(&id);
    match is_there {
        false => screen.warning(&text::no_thread_with_id(lang, words)),
        true if id == own && session.agent.thread().is_empty() => {
            screen.line(text::nothing_said_yet(lang));
        }
        true => return After::DeleteThread(id),
    }
    After::GoOn
}

/// What the user is asked before the thread called `id` is deleted.
pub fn delete_question(session: &mut Session, id: &str) -> String {
    let lang = session.lang;
    let question = |thread: &Thread| {
        let title = one_line(&thread.title());
        text::ask_delete_thread(lang, &title, &one_line(id), thread.live().count())
    };
    if session.agent.thread().id == id {
        return question(session.agent.thread());
    }
    let opened = session.agent.store().open_thread(id).ok().flatten();
    opened.map_or_else(|| text::ask_delete_thread(lang, "", id, 0), |opened| question(&opened.thread))
}

/// Deletes the thread called `id`.
pub fn delete(session: &mut Session, screen: &mut Screen, id: &str) -> Result<(), Failure> {
    let lang = session.lang;
    match session.agent.delete_thread(id, now()) {
        Ok(true) => screen.line(&text::thread_deleted(lang, &one_line(id))),
        Ok(false) => screen.warning(&text::no_thread_with_id(lang, id)),
        Err(StoreError::Locked { .. }) => screen.warning(&text::threads_in_use(lang, 1)),
        Err(error) => return Err(Failure::store(lang, &error)),
    }
    Ok(())
}

/// Deletes all threads and all memories.
pub fn clear_all(session: &mut Session, screen: &mut Screen) -> Result<(), Failure> {
    let lang = session.lang;
    let failed = |error: StoreError| Failure::store(lang, &error);
    let memories = session.agent.clear(now()).map_err(failed)?;
    let (threads, open) = session.agent.delete_threads(now()).map_err(failed)?;
    screen.line(&text::cleared_all(lang, threads, memories));
    if open > 0 {
        screen.warning(&text::threads_in_use(lang, open));
    }
    Ok(())
}

fn export(session: &mut Session, screen: &mut Screen, words: &str) -> Result<(), Failure> {
    let lang = session.lang;
    let (form, file) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let file = file.trim();
    let Some(form) = Form::parse(form) else {
        screen.warning(&text::usage(lang, "/export-thread md|json|html thread.md"));
        return Ok(());
    };
    if session.agent.thread().is_empty() {
        screen.line(text::nothing_said_yet(lang));
        return Ok(());
    }
    let exported = form.export(session.agent.thread());
    if file.is_empty() {
        screen.line(plain(&exported).trim_end());
        return Ok(());
    }
    let path = Path::new(file);
    if path.exists() {
        screen.warning(&text::file_exists(lang, &one_line(file)));
        return Ok(());
    }
    store::replace(path, exported.as_bytes()).map_err(|error| Failure::store(lang, &error))?;
    screen.line(&text::exported_thread(lang, &one_line(file)));
    Ok(())
}

/// Takes turns back; their text goes into the line editor.
fn rewind(session: &mut Session, screen: &mut Screen, words: &str) -> Result<After, Failure> {
    let lang = session.lang;
    let count = if words.is_empty() { Some(1) } else { words.parse().ok().filter(|count| *count > 0) };
    let Some(count) = count else {
        screen.warning(&text::usage(lang, "/rewind 2"));
        return Ok(After::GoOn);
    };
    let messages = session.agent.rewind(count, now()).map_err(|error| Failure::store(lang, &error))?;
    if messages.is_empty() {
        screen.warning(text::nothing_to_rewind(lang));
    }
    for message in &messages {
        screen.line(&text::taken_back(lang, &one_line(message.text())));
    }
    let Some(message) = messages.first() else { return Ok(After::GoOn) };
    attach::keep(session, screen, message, message.text());
    Ok(After::Type(Draft::new(plain(message.text()))))
}

/// The last message as a draft, or with new words at once.
fn edit_last(session: &mut Session, screen: &mut Screen, words: &str) -> After {
    let Some((message, number)) = session.agent.last_message() else {
        screen.warning(text::nothing_to_retry(session.lang));
        return After::GoOn;
    };
    attach::keep(session, screen, &message, if words.is_empty() { message.text() } else { words });
    match words.is_empty() {
        true => After::Type(Draft { text: plain(message.text()), replaces: Some(number) }),
        false => After::Ask(Draft { text: words.to_owned(), replaces: Some(number) }),
    }
}
