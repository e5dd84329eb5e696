//! Slash commands for single memories: see, keep, rewrite, delete.

use std::sync::Arc;

use super::failure::Failure;
use super::memory::{memory_line, show};
use super::screen::Screen;
use super::turn::After;
use super::{Session, now};
use crate::agent::{ByHand, Candidate, Event, Fate};
use crate::memory::Memory;
use crate::render::one_line;
use crate::store::StoreError;
use crate::text::{self, Lang};

/// A memory that is to be deleted once the user has agreed.
#[derive(Debug, PartialEq)]
pub struct Doomed {
    pub short_id: String,
    pub memory: Arc<Memory>,
    /// The user has named it by its id, not by what it says.
    pub by_id: bool,
}

/// Lists all memories, numbered by their short ids.
pub fn list(session: &mut Session, screen: &mut Screen) -> Result<(), Failure> {
    let lang = session.lang;
    let listed = session.agent.listed().map_err(|error| Failure::store(lang, &error))?;
    if listed.is_empty() {
        screen.line(text::no_memories(lang));
    }
    for (short_id, memory) in &listed {
        screen.line(&format!("{}. {}", short_id.trim_start_matches('m'), memory_line(memory)));
    }
    for notice in session.agent.store().take_notices() {
        screen.files(&notice);
    }
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
            },
        );
        let scores = text::scores(lang, hit.lexical, hit.vector);
        screen.line(&format!("{:.2} {fate} {short_id} {} {scores}", hit.relevance, memory_line(memory)));
    }
}

/// Shows everything about the memory called `id`.
pub fn show_one(session: &mut Session, screen: &mut Screen, id: &str) -> Result<(), Failure> {
    let lang = session.lang;
    if let Some((_, memory)) = named(session, screen, id, "/memory m3")? {
        for line in details(lang, &memory) {
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
    let result = session.agent.remember(content, now()).await;
    tell(lang, screen, result)
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
    let found = session.agent.search(words, 1).await.map_err(failed)?;
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
    let memory =
        session.agent.forget(&doomed.memory.memory_id).map_err(|error| Failure::store(lang, &error))?;
    screen.line(&text::forgotten(lang, &one_line(&memory.content)));
    Ok(())
}

/// A memory, line by line.
pub fn details(lang: Lang, memory: &Memory) -> Vec<String> {
    let vector = memory.vector.as_ref().map_or("-".to_owned(), |vector| {
        format!("{} · {}", vector.values.len(), vector.model().unwrap_or("?"))
    });
    let fields = [
        ("id", memory.memory_id.clone()),
        ("content", one_line(&memory.content)),
        ("context", one_line(&memory.context)),
        ("type", text::memory_type_label(memory.memory_type.name())),
        ("created", memory.created_at.clone()),
        ("updated", memory.updated_at.clone()),
        ("vector", vector),
    ];
    let shown = fields.into_iter().filter(|(_, value)| !value.is_empty());
    shown.map(|(name, value)| format!("{}  {value}", text::field_name(lang, name))).collect()
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

/// What is wrong with a content, if anything.
pub fn content_problem(lang: Lang, content: &str, usage: &str) -> Option<String> {
    use crate::memory::TEXT_LIMIT;
    let length = content.chars().count();
    match length {
        0 => Some(text::usage(lang, usage)),
        _ if length > TEXT_LIMIT => Some(text::too_long(lang, "content", length, TEXT_LIMIT)),
        _ => None,
    }
}

fn tell(lang: Lang, screen: &mut Screen, result: Result<ByHand, StoreError>) -> Result<(), Failure> {
    let ByHand { short_id, written, problem } = result.map_err(|error| Failure::store(lang, &error))?;
    if let Some(error) = problem {
        screen.event(&Event::NoVectors(&error));
    }
    screen.line(&written_line(lang, &short_id, &written));
    Ok(())
}

/// What was written.
pub fn written_line(lang: Lang, short_id: &str, written: &crate::store::Written) -> String {
    let content = one_line(&written.memory.content);
    match written.action {
        crate::memory::Action::Inserted => text::remembered(lang, short_id, &content),
        crate::memory::Action::Updated => text::updated(lang, short_id, &content),
    }
}
