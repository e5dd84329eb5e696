//! What the owner of the memories does with them, by hand.

use std::sync::Arc;

use chrono::{DateTime, Local};

use super::Agent;
use crate::dates::{self, When};
use crate::embed::EmbedError;
use crate::encode::{self, Outcome, days::Span};
use crate::graph::Graph;
use crate::memory::audit::{Audit, By, Event as Note, Kind, Waiting};
use crate::memory::{Action, Evidence, Memory, Plan, Source, Step, Upsert, offset_time};
use crate::store::{Said, Store, StoreError, Written};

/// A memory that was written by hand.
#[derive(Debug)]
pub struct ByHand {
    pub short_id: String,
    pub written: Written,
    /// Why it has no vector yet.
    pub problem: Option<EmbedError>,
}

/// What became of something to be remembered.
#[derive(Debug)]
pub enum Kept {
    Known(String, Arc<Memory>),
    Written(Box<ByHand>),
    /// It took the place of older memories.
    Superseded {
        old: String,
        new: String,
        content: String,
    },
}

/// How many memories there are of what kind, and what has become of proposals.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub holding: usize,
    pub pinned: usize,
    pub over: usize,
    pub superseded: usize,
    /// By type, by source: name and count.
    pub types: Vec<(&'static str, usize)>,
    pub sources: Vec<(&'static str, usize)>,
    pub waiting: usize,
    pub changes: usize,
    /// Memories that have entered an answer, and how often in all.
    pub used: usize,
    pub uses: usize,
    /// Requests for proposals by their end, and proposals refused by reason.
    pub encoded: Vec<(String, usize)>,
    pub refused: Vec<(String, usize)>,
}

impl Agent {
    /// All memories with their short ids, in file order.
    pub fn listed(&mut self) -> Result<Vec<(String, Arc<Memory>)>, StoreError> {
        let Self { store, ids, .. } = self;
        let memories = store.memories()?;
        Ok(memories.iter().map(|memory| (ids.short(&memory.memory_id), Arc::clone(memory))).collect())
    }

    /// The memory that `id` names, short or whole.
    pub fn named(&mut self, id: &str) -> Result<Option<(String, Arc<Memory>)>, StoreError> {
        let listed = self.listed()?;
        let wanted = self.ids.resolve(id).to_owned();
        Ok(listed.into_iter().find(|(_, memory)| memory.memory_id == wanted))
    }

    /// The graph of what is known.
    pub fn graph(&mut self) -> Result<&Graph, StoreError> {
        let Self { store, recall, .. } = self;
        recall.graph(store)
    }

    /// The short id of a memory.
    pub fn short_id(&mut self, memory_id: &str) -> String {
        self.ids.short(memory_id)
    }

    /// Keeps `content` as a new memory, unless one says so already.
    pub async fn remember(&mut self, content: &str, now: DateTime<Local>) -> Result<Kept, StoreError> {
        // Memories keep their numbers, whatever is written first.
        self.listed()?;
        let mut upsert = Upsert::fact(content.to_owned()).explicit();
        let problem = self.recall.embedder().complete(&mut upsert).await.err();
        let outcome = remember(&mut self.store, upsert, now)?;
        let ids = &mut self.ids;
        Ok(match outcome {
            Outcome::Known(memory) => Kept::Known(ids.short(&memory.memory_id), memory),
            Outcome::Added(memory) => {
                let short_id = ids.short(&memory.memory_id);
                Kept::Written(Box::new(ByHand {
                    short_id,
                    written: Written { memory, action: Action::Inserted },
                    problem,
                }))
            }
            Outcome::Superseded { old, new } => {
                let old: Vec<String> = old.iter().map(|old| ids.short(&old.memory_id)).collect();
                Kept::Superseded { old: old.join(" "), new: ids.short(&new.memory_id), content: new.content }
            }
        })
    }

    /// Lets `memory` say `content` from now on.
    pub async fn edit(
        &mut self,
        memory: &Memory,
        content: &str,
        now: DateTime<Local>,
    ) -> Result<ByHand, StoreError> {
        self.write(Upsert::rewrite(memory, content.to_owned()).explicit(), now).await
    }

    /// Deletes a memory with everything that was kept of it, and what waits to be encoded.
    pub fn forget(&mut self, memory_id: &str, now: DateTime<Local>) -> Result<Memory, StoreError> {
        let memory = forget(&mut self.store, memory_id, now)?;
        self.retain_pending(|said| !tells(said, &memory))?;
        self.why = None;
        Ok(memory)
    }

    /// Deletes all memories, and what waits to be encoded.
    pub fn clear(&mut self, now: DateTime<Local>) -> Result<usize, StoreError> {
        self.drop_pending()?;
        self.why = None;
        self.store.clear(now)
    }

    async fn write(&mut self, mut upsert: Upsert, now: DateTime<Local>) -> Result<ByHand, StoreError> {
        let problem = self.recall.embedder().complete(&mut upsert).await.err();
        let written = self.store.upsert(upsert, By::Owner, now)?;
        Ok(ByHand { short_id: self.ids.short(&written.memory.memory_id), written, problem })
    }
}

/// Writes what the user has said by hand: a new memory, unless one says so already.
pub fn remember(store: &mut Store, upsert: Upsert, now: DateTime<Local>) -> Result<Outcome, StoreError> {
    let checked = encode::of_tool(upsert);
    store.change(now, |view| {
        let id = uuid::Uuid::new_v4().to_string();
        let (outcome, plan) = encode::settle(view.memories, checked, id, By::Owner, now);
        // That it was said again by hand is evidence of nothing new.
        (outcome, Plan { notes: Vec::new(), ..plan })
    })
}

/// Deletes the memory called `id` with everything that was kept of it; a hash stays, so that it is not learnt
/// again.
pub fn forget(store: &mut Store, id: &str, now: DateTime<Local>) -> Result<Memory, StoreError> {
    let marks = |memory: &Memory| encode::marks(&memory.content, memory.governance.fact.as_ref());
    let mut gone = store.forget(&[id.to_owned()], marks, By::Owner, now)?;
    if let Some(memory) = gone.last() {
        store.pending()?.retain(|said| !tells(said, memory))?;
    }
    gone.pop().ok_or_else(|| StoreError::UnknownId(id.to_owned()))
}

/// All that `memory` rests on: the user's words, and where they were said.
pub fn evidence_of(store: &mut Store, memory: &Memory) -> Result<Vec<Evidence>, StoreError> {
    let noted = store.audit()?.evidence.get(&memory.memory_id).into_iter().flatten();
    let all = noted.map(|(_, evidence)| evidence).chain(&memory.governance.evidence);
    let mut evidence: Vec<Evidence> = Vec::new();
    for one in all.filter(|evidence| !evidence.quote.trim().is_empty()) {
        if !evidence.contains(one) {
            evidence.push(one.clone());
        }
    }
    Ok(evidence)
}

/// Whether a turn that waits has the words of `memory`.
fn tells(said: &Said, memory: &Memory) -> bool {
    let quote =
        memory.governance.evidence.as_ref().map(|evidence| evidence.quote.as_str()).unwrap_or_default();
    (!quote.is_empty() && said.user.contains(quote))
        || encode::is_covered(&memory.content, std::slice::from_ref(&said.user))
}

/// Pins the memory called `id`, or takes the pin out.
pub fn pin(store: &mut Store, id: &str, pinned: bool, now: DateTime<Local>) -> Result<Memory, StoreError> {
    let kind = if pinned { Kind::Pin } else { Kind::Unpin };
    store.revise(id, kind, now, |memory| memory.governance.pinned = pinned)
}

/// Lets the memory called `id` hold until `end`; for ever, without one.
pub fn expire(
    store: &mut Store,
    id: &str,
    end: Option<DateTime<Local>>,
    now: DateTime<Local>,
) -> Result<Memory, StoreError> {
    store.revise(id, Kind::Expire, now, |memory| memory.governance.expires_at = end.map(offset_time))
}

/// The time that `words` name, for an expiry: the end of the day, week, month or year that they name.
pub fn end_of(words: &str, now: DateTime<Local>) -> Option<DateTime<Local>> {
    use chrono::{NaiveDate, TimeZone};
    let end = |day: NaiveDate| day.and_hms_opt(23, 59, 59);
    let time = match dates::resolve(words, now.naive_local()) {
        Some(When::Minute(time)) => time,
        Some(When::Day(day)) => end(Span::of(words).last_day(day))?,
        None => end(words.trim().replace('/', "-").parse::<NaiveDate>().ok()?)?,
    };
    Local.from_local_datetime(&time).earliest()
}

/// Tidies up. Returns what kinds of changes were made.
pub fn tidy(store: &mut Store, now: DateTime<Local>) -> Result<Vec<Kind>, StoreError> {
    let mut new_id = || uuid::Uuid::new_v4().to_string();
    store.change(now, |view| {
        let changes = encode::tidy(view.memories, &mut new_id, now);
        let kinds = changes.iter().map(|change| change.kind).collect();
        (kinds, Plan { changes, notes: Vec::new() })
    })
}

/// What waits for the user's word.
pub fn waiting(store: &mut Store) -> Result<Vec<Waiting>, StoreError> {
    Ok(store.audit()?.waiting.clone())
}

/// Takes a waiting proposal in, as it is or with another content, or drops it. `None` when there is none of
/// that id; otherwise the memory, or what would have been one.
pub fn review(
    store: &mut Store,
    id: &str,
    accepted: bool,
    content: Option<&str>,
    now: DateTime<Local>,
) -> Result<Option<Memory>, StoreError> {
    let reviewed = store.change(now, |view| {
        let waiting = view.audit.waiting.iter().find(|waiting| waiting.id == id);
        let Some(mut memory) = waiting.and_then(|waiting| Memory::from_json(&waiting.memory)) else {
            return (None, Plan::default());
        };
        if let Some(content) = content {
            memory.content = content.to_owned();
            memory.governance.fact = None;
        }
        // The user has said so now.
        memory.governance.source = Source::Explicit;
        let mut plan = match accepted {
            true => Plan::one(Kind::Upsert, By::Owner, vec![Step::Add(memory.clone())]),
            false => Plan::default(),
        };
        let hashes = if accepted { Vec::new() } else { encode::marks(&memory.content, None) };
        plan.notes.push(Note::Reviewed { id: id.to_owned(), accepted, hashes });
        (Some(memory), plan)
    })?;
    // What was dropped is in no file any more.
    if reviewed.is_some() && !accepted {
        store.purge(id)?;
    }
    Ok(reviewed)
}

/// Counts.
pub fn counts(store: &mut Store, now: DateTime<Local>) -> Result<Counts, StoreError> {
    use crate::memory::MemoryType;
    let memories = store.memories()?.to_vec();
    let audit: &Audit = store.audit()?;
    let holding: Vec<&Memory> =
        memories.iter().map(Arc::as_ref).filter(|memory| memory.governance.holds(now)).collect();
    let superseded = memories.iter().filter(|memory| memory.governance.superseded_by.is_some()).count();
    let count = |wanted: &dyn Fn(&Memory) -> bool| holding.iter().filter(|memory| wanted(memory)).count();
    let types = MemoryType::ALL.map(|kind| (kind.name(), count(&|memory| memory.memory_type == kind)));
    let sources = [Source::Tool, Source::Explicit, Source::Extracted, Source::Imported]
        .map(|source| (source.name(), count(&|memory| memory.governance.source == source)));
    let list = |counts: &std::collections::BTreeMap<String, usize>| {
        counts.iter().map(|(name, count)| (name.clone(), *count)).collect()
    };
    Ok(Counts {
        holding: holding.len(),
        pinned: count(&|memory| memory.governance.pinned),
        over: memories.len() - holding.len() - superseded,
        superseded,
        types: types.to_vec(),
        sources: sources.to_vec(),
        waiting: audit.waiting.len(),
        changes: audit.changes.len(),
        used: audit.uses.len(),
        uses: audit.uses.values().map(Vec::len).sum(),
        encoded: list(&audit.encoded),
        refused: list(&audit.refused),
    })
}
