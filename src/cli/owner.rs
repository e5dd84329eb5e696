//! Slash commands for single memories: see, keep, rewrite, delete.

use std::sync::Arc;

use super::after::{After, Doomed};
use super::command::Command;
use super::failure::Failure;
use super::governance::{Listing, Owner, Review, details, remarks};
use super::hits::show;
use super::lines::{content_problem, memory_line, written_line};
use super::memory::{Format, exported, read_records};
use super::screen::Screen;
use super::{Session, now};
use crate::agent::owner::evidence_of;
use crate::agent::{ByHand, Candidate, Event, Fate, Kept, Mode};
use crate::memory::Memory;
use crate::render::one_line;
use crate::store::StoreError;
use crate::text::{self, Lang};

/// Memories on one page of a terminal.
const PAGE: usize = 50;

/// Lists memories, numbered by their short ids.
pub fn list(session: &mut Session, screen: &mut Screen, words: &str) -> Result<(), Failure> {
    let lang = session.lang;
    let listing = match Listing::parse(words) {
        Ok(listing) => listing,
        Err(word) => {
            screen.warning(&text::odd_word(lang, &one_line(&word)));
            screen.notice(&text::hint_line(lang, &text::usage(lang, LIST_USAGE)));
            return Ok(());
        }
    };
    let now = now();
    let all = session.agent.listed().map_err(|error| Failure::store(lang, &error))?;
    let count = all.len();
    let listed: Vec<_> = all.into_iter().filter(|(_, memory)| listing.takes(memory, now)).collect();
    if listed.is_empty() {
        screen.line(if words.is_empty() && count == 0 {
            text::no_memories(lang)
        } else {
            text::nothing_found(lang)
        });
    }
    let pages = listed.len().div_ceil(PAGE);
    let page = listing.page.unwrap_or(1).clamp(1, pages.max(1));
    let paged = screen.is_interactive() || listing.page.is_some();
    let (skip, take) = if paged { ((page - 1) * PAGE, PAGE) } else { (0, listed.len()) };
    let agent = std::cell::RefCell::new(&mut session.agent);
    for (short_id, memory) in listed.iter().skip(skip).take(take) {
        let with_age = screen.is_interactive();
        let remarks = remarks(lang, memory, &|id| agent.borrow_mut().short_id(id), with_age, now);
        screen.line(&format!("{}. {}{remarks}", short_id.trim_start_matches('m'), memory_line(memory)));
    }
    if paged && pages > 1 {
        screen.line(&text::page(lang, page, pages, page + 1));
    }
    for notice in session.agent.store().take_notices() {
        screen.files(&notice);
    }
    Ok(())
}

const LIST_USAGE: &str = "/memories [TEXT] [--type episodic|semantic|procedural] [--all] [--page N]";

/// Carries out a command of the owner's rule.
pub fn govern(
    session: &mut Session,
    screen: &mut Screen,
    command: Command,
    words: &str,
) -> Result<(), Failure> {
    let lang = session.lang;
    let (id, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let named = match command {
        Command::Pin => named(session, screen, words, "/pin m3")?,
        Command::Unpin => named(session, screen, words, "/unpin m3")?,
        Command::Expire if rest.trim().is_empty() => {
            screen.warning(&text::usage(lang, text::expire_usage(lang)));
            return Ok(());
        }
        Command::Expire => named(session, screen, id, text::expire_usage(lang))?,
        _ => None,
    };
    let mut owner = Owner { store: session.agent.store(), screen, lang, as_json: false };
    match (command, named) {
        (Command::Pin, Some((short_id, memory))) => owner.pin(&short_id, &memory.memory_id, true),
        (Command::Unpin, Some((short_id, memory))) => owner.pin(&short_id, &memory.memory_id, false),
        (Command::Expire, Some((short_id, memory))) => {
            owner.expire(&short_id, &memory.memory_id, rest.trim())
        }
        (Command::Undo, _) => owner.undo(),
        (Command::Tidy, _) => owner.tidy(),
        (Command::Stats, _) => owner.stats(),
        (Command::Review, _) => match Review::parse(words) {
            Some(review) => owner.review(&review),
            None => {
                owner.screen.warning(&text::usage(lang, text::how_to_review(lang)));
                Ok(())
            }
        },
        _ => Ok(()),
    }
}

/// Reads and writes memories from now on, or does not.
pub fn set_mode(session: &mut Session, screen: &mut Screen, mode: Mode) -> Result<(), Failure> {
    let lang = session.lang;
    session.agent.set_mode(mode).map_err(|error| Failure::store(lang, &error))?;
    screen.line(match mode {
        Mode::Full => text::resumed(lang),
        Mode::Paused => text::paused(lang),
        Mode::Incognito => text::incognito(lang),
    });
    Ok(())
}

/// Writes the memories to a file, in the form that its ending names.
pub fn export(session: &mut Session, screen: &mut Screen, file: &str) -> Result<(), Failure> {
    let lang = session.lang;
    if file.is_empty() {
        screen.warning(&text::usage(lang, "/export memories.json"));
        return Ok(());
    }
    let path = std::path::Path::new(file);
    let store = session.agent.store();
    let (lines, count) = exported(store, Format::of(path), &session.user_id, lang)?;
    let text = format!("{}\n", lines.join("\n"));
    crate::store::replace(path, text.as_bytes()).map_err(|error| Failure::store(lang, &error))?;
    screen.line(&text::exported(lang, count, file));
    Ok(())
}

/// Takes memories in from a file. Their vectors are made while the user types.
pub fn import(session: &mut Session, screen: &mut Screen, file: &str) -> Result<(), Failure> {
    let lang = session.lang;
    if file.is_empty() {
        screen.warning(&text::usage(lang, "/import memories.json"));
        return Ok(());
    }
    let start = std::time::Instant::now();
    let records = read_records(lang, file)?;
    let memories = records.into_iter().map(|record| record.incoming).collect();
    let imported =
        session.agent.store().import(memories, now()).map_err(|error| Failure::store(lang, &error))?;
    let seconds = start.elapsed().as_secs_f64();
    screen.line(&text::imported(lang, imported.inserted, imported.updated, imported.unchanged, 1, seconds));
    session.vectors_wanted = true;
    Ok(())
}

/// Says what was recalled for the last message, and what became of it.
pub fn why(session: &mut Session, screen: &mut Screen) {
    let lang = session.lang;
    let Some(why) = session.agent.why() else {
        screen.warning(text::nothing_asked(lang));
        return;
    };
    screen.line(&text::why(lang, &one_line(&why.message), why.min_relevance));
    if why.candidates.is_empty() {
        screen.line(text::nothing_found(lang));
    }
    for Candidate { short_id, memory, hit, fate } in &why.candidates {
        let fate = text::fate(
            lang,
            match fate {
                Fate::Shown => "shown",
                Fate::Surplus => "surplus",
                Fate::NotRelevant => "dropped",
                Fate::Pinned => "pinned",
                Fate::Core => "core",
                Fate::Standing => "standing",
            },
        );
        let scores = text::scores(lang, hit.lexical, hit.vector, hit.lift);
        screen.line(&format!("{:.2} {fate} {short_id} {} {scores}", hit.relevance, memory_line(memory)));
    }
}

/// Shows everything about the memory called `id`.
pub fn show_one(session: &mut Session, screen: &mut Screen, id: &str) -> Result<(), Failure> {
    let lang = session.lang;
    if let Some((_, memory)) = named(session, screen, id, "/memory m3")? {
        let audit = session.agent.store().audit().map_err(|error| Failure::store(lang, &error))?;
        for line in details(lang, &memory, audit) {
            screen.line(&line);
        }
    }
    Ok(())
}

/// Keeps `content` as a memory.
pub async fn remember(session: &mut Session, screen: &mut Screen, content: &str) -> Result<(), Failure> {
    let lang = session.lang;
    if !is_text(lang, screen, content, "/remember TEXT") {
        return Ok(());
    }
    if session.agent.mode() == Mode::Incognito {
        screen.warning(text::incognito(lang));
        return Ok(());
    }
    let kept = session.agent.remember(content, now()).await.map_err(|error| Failure::store(lang, &error))?;
    match kept {
        Kept::Written(by_hand) => return tell(lang, screen, Ok(*by_hand)),
        Kept::Known(short_id, memory) => {
            screen.line(&text::known_already(lang, &short_id, &one_line(&memory.content)));
        }
        Kept::Superseded { old, new, content } => {
            screen.line(&text::superseded(lang, &old, &new, &one_line(&content)));
        }
    }
    Ok(())
}

/// Rewrites a memory: `words` are its id and what it says from now on.
pub async fn edit(session: &mut Session, screen: &mut Screen, words: &str) -> Result<(), Failure> {
    let lang = session.lang;
    let (id, content) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let content = content.trim();
    if !is_text(lang, screen, content, "/edit m3 TEXT") {
        return Ok(());
    }
    let Some((_, memory)) = named(session, screen, id, "/edit m3 TEXT")? else { return Ok(()) };
    let result = session.agent.edit(&memory, content, now()).await;
    tell(lang, screen, result)
}

/// Finds what `/forget` means: a memory by its id, or the one that answers best to what it says.
pub async fn doomed(session: &mut Session, screen: &mut Screen, words: &str) -> Result<After, Failure> {
    let lang = session.lang;
    let failed = |error: StoreError| Failure::store(lang, &error);
    if words.is_empty() {
        screen.warning(&text::usage(lang, "/forget m3"));
        return Ok(After::GoOn);
    }
    if let Some((short_id, memory)) = session.agent.named(words).map_err(failed)? {
        return Ok(After::Forget(Doomed { short_id, memory, by_id: true }));
    }
    let found = session.agent.search(words, 1, now()).await.map_err(failed)?;
    let Some(hit) = found.hits.first() else {
        screen.warning(&text::no_such_memory(lang, &one_line(words)));
        screen.notice(&text::hint_line(lang, text::hint_ids(lang)));
        return Ok(After::GoOn);
    };
    let memory = Arc::clone(session.agent.recall().memory(hit));
    let named = session.agent.named(&memory.memory_id).map_err(failed)?;
    show(screen, lang, session.agent.recall(), &found.hits);
    let forget = |(short_id, memory)| After::Forget(Doomed { short_id, memory, by_id: false });
    Ok(named.map_or(After::GoOn, forget))
}

/// Deletes it.
pub fn forget(session: &mut Session, screen: &mut Screen, doomed: &Doomed) -> Result<(), Failure> {
    let lang = session.lang;
    let memory = session
        .agent
        .forget(&doomed.memory.memory_id, now())
        .map_err(|error| Failure::store(lang, &error))?;
    screen.line(&text::forgotten(lang, &one_line(&memory.content)));
    Ok(())
}

/// The same, with the words that the memory rests on: nobody can be asked.
pub fn forget_with_words(session: &mut Session, screen: &mut Screen, doomed: &Doomed) -> Result<(), Failure> {
    let lang = session.lang;
    let said = evidence_of(session.agent.store(), &doomed.memory);
    let said = said.map_err(|error| Failure::store(lang, &error))?;
    forget(session, screen, doomed)?;
    let blanked = session.agent.blank(&said, now()).map_err(|error| Failure::store(lang, &error))?;
    if blanked > 0 {
        screen.notice(&text::blanked_in(lang, blanked));
    }
    Ok(())
}

/// The memory called `id`; tells the user where there is none.
fn named(
    session: &mut Session,
    screen: &mut Screen,
    id: &str,
    usage: &str,
) -> Result<Option<(String, Arc<Memory>)>, Failure> {
    let lang = session.lang;
    if id.is_empty() {
        screen.warning(&text::usage(lang, usage));
        return Ok(None);
    }
    let found = session.agent.named(id).map_err(|error| Failure::store(lang, &error))?;
    if found.is_none() {
        screen.warning(&text::no_such_memory(lang, &one_line(id)));
        screen.notice(&text::hint_line(lang, text::hint_ids(lang)));
    }
    Ok(found)
}

/// Whether `content` can be kept; says why not.
fn is_text(lang: Lang, screen: &mut Screen, content: &str, usage: &str) -> bool {
    let problem = content_problem(lang, content, usage);
    if let Some(problem) = &problem {
        screen.warning(problem);
    }
    problem.is_none()
}

fn tell(lang: Lang, screen: &mut Screen, result: Result<ByHand, StoreError>) -> Result<(), Failure> {
    let ByHand { short_id, written, problem } = result.map_err(|error| Failure::store(lang, &error))?;
    if let Some(error) = problem {
        screen.event(&Event::NoVectors(&error));
    }
    screen.line(&written_line(lang, &short_id, &written));
    Ok(())
}
