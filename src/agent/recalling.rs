//! Recall within a turn: what is looked for, what passes the gate, and why.

use std::sync::Arc;

use chrono::{DateTime, Local};

use super::{Agent, Event, Mode, Sink};
use crate::embed::EmbedError;
use crate::encode::{self, secrets};
use crate::memory::audit::{Event as Note, Used};
use crate::memory::{Memory, MemoryType, Source};
use crate::prompt::{self, Recalled, Rules};
use crate::recall::Found;
use crate::render::one_line;
use crate::search::Hit;

/// Pinned memories that are shown at most.
const PINNED: usize = 20;
/// Characters of memories that are shown together.
const BUDGET: usize = 8000;
/// Characters of a message in the audit log.
const ABOUT: usize = 60;

/// What became of a memory that was recalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The model has seen it.
    Shown,
    /// Below the least relevance.
    NotRelevant,
    /// Behind the best that are shown.
    Surplus,
    /// Shown because the user has pinned it.
    Pinned,
    /// Shown because it says who the user is.
    Core,
}

impl Fate {
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Shown | Self::Pinned | Self::Core)
    }
}

/// A memory that was recalled for a message.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub short_id: String,
    pub memory: Arc<Memory>,
    pub hit: Hit,
    pub fate: Fate,
}

/// Why the model has seen the memories that it has seen.
#[derive(Debug, Clone)]
pub struct Why {
    pub message: String,
    /// Best first.
    pub candidates: Vec<Candidate>,
    pub min_relevance: f64,
}

impl Agent {
    /// What was recalled for the last message; `None` before the first one.
    pub fn why(&self) -> Option<&Why> {
        self.why.as_ref()
    }

    /// Recalls for `user` and builds the system part; also the short ids of what was recalled. Nothing
    /// that goes wrong here ends the turn.
    pub(super) async fn system_part(
        &mut self,
        user: &str,
        now: DateTime<Local>,
        sink: &mut Sink<'_>,
    ) -> (String, Vec<String>) {
        if self.mode == Mode::Incognito {
            self.why = None;
            return (prompt::system(self.options.persona.as_deref(), Rules::None, None, now), Vec::new());
        }
        let before =
            self.history.last().map(|turn| turn.user().to_owned()).or_else(|| self.last_episode(user));
        let top_k = self.options.top_k;
        let found = self.recall.find(&mut self.store, user, before.as_deref(), top_k, now).await;
        let looked = found.is_ok() && self.options.top_k > 0 && self.options.inject > 0;
        let hits = match found {
            Ok(Found { hits, problem }) => {
                if let Some(error) = problem {
                    self.no_vectors(&error, sink);
                }
                hits
            }
            Err(error) => {
                sink(Event::NoRecall(&error));
                Vec::new()
            }
        };
        for notice in self.store.take_notices() {
            sink(Event::Files(&notice));
        }
        let candidates = self.judged(hits, now);
        let shown: Vec<&Candidate> =
            candidates.iter().filter(|candidate| candidate.fate.is_shown()).collect();
        let recalled: Vec<Recalled<'_>> = shown
            .iter()
            .map(|candidate| Recalled {
                short_id: &candidate.short_id,
                memory: &candidate.memory,
                outdated: is_outdated(&candidate.memory, self.recall.memories()),
            })
            .collect();
        let persona = self.options.persona.as_deref();
        let rules = if self.mode == Mode::Full { Rules::ReadAndWrite } else { Rules::Read };
        let prompt = prompt::system(persona, rules, looked.then_some(recalled.as_slice()), now);
        let ids = shown.iter().map(|candidate| candidate.short_id.clone()).collect();
        let min_relevance = self.options.min_relevance;
        self.why = Some(Why { message: user.to_owned(), candidates, min_relevance });
        (prompt, ids)
    }

    /// What happened last, for a first message that points back to it ("that stock").
    fn last_episode(&mut self, user: &str) -> Option<String> {
        if !encode::points_back(user) {
            return None;
        }
        let memories = self.store.memories().ok()?;
        let is_episode = |memory: &&Arc<Memory>| {
            memory.memory_type == MemoryType::Episodic && memory.governance.source == Source::Extracted
        };
        memories.iter().rev().find(is_episode).map(|memory| memory.content.clone())
    }

    /// Drops what is not relevant enough, and all but the best; what is pinned comes first, whatever is asked.
    fn judged(&mut self, hits: Vec<Hit>, now: DateTime<Local>) -> Vec<Candidate> {
        let Self { recall, ids, options, .. } = self;
        // All memories are numbered in file order, whatever is recalled first.
        for memory in recall.memories() {
            ids.short(&memory.memory_id);
        }
        let core = recall.core(now);
        let fate = |(place, memory): (usize, &Arc<Memory>)| match memory.governance.holds(now) {
            true if memory.governance.pinned => Some((place, Fate::Pinned)),
            true if core.contains(&place) => Some((place, Fate::Core)),
            _ => None,
        };
        let always = recall.memories().iter().enumerate().filter_map(fate).take(PINNED);
        let mut candidates: Vec<Candidate> = always
            .map(|(place, fate)| {
                let found = hits.iter().find(|hit| hit.place == place).copied();
                let unfound = Hit { place, relevance: 0.0, lexical: 0.0, vector: None, lift: 0.0 };
                let hit = found.unwrap_or(unfound);
                let memory = Arc::clone(&recall.memories()[place]);
                // What was found anyway was shown for that.
                let found = fate == Fate::Core && hit.relevance >= options.min_relevance;
                let fate = if found { Fate::Shown } else { fate };
                Candidate { short_id: ids.short(&memory.memory_id), memory, hit, fate }
            })
            .collect();
        let length = |memory: &Memory| memory.content.chars().count() + memory.context.chars().count();
        let mut budget = BUDGET;
        candidates.retain(|candidate| {
            let fits = length(&candidate.memory) <= budget;
            budget = budget.saturating_sub(length(&candidate.memory));
            fits
        });
        let mut left = options.inject;
        for hit in hits {
            let memory = Arc::clone(recall.memory(&hit));
            if candidates.iter().any(|candidate| candidate.memory.memory_id == memory.memory_id) {
                continue;
            }
            let fate = match hit.relevance >= options.min_relevance {
                false => Fate::NotRelevant,
                true if left == 0 || length(&memory) > budget => Fate::Surplus,
                true => Fate::Shown,
            };
            if fate == Fate::Shown {
                left -= 1;
                budget -= length(&memory);
            }
            candidates.push(Candidate { short_id: ids.short(&memory.memory_id), memory, hit, fate });
        }
        for Candidate { memory, hit, fate, .. } in &candidates {
            let Hit { relevance, lexical, vector, .. } = hit;
            let vector = vector.map(|vector| format!("{vector:.3}"));
            let (relevance, lexical) = (format!("{relevance:.3}"), format!("{lexical:.2}"));
            tracing::debug!(relevance, lexical, vector, ?fate, content = memory.content, "recalled");
        }
        let dropped = candidates.iter().filter(|candidate| !candidate.fate.is_shown()).count();
        tracing::debug!(shown = candidates.len() - dropped, dropped, "recall");
        candidates
    }

    /// Writes down which memories have entered the answer to `user`.
    pub(super) fn note_uses(&mut self, user: &str, now: DateTime<Local>) {
        let Some(why) = self.why.as_ref().filter(|_| self.mode != Mode::Incognito) else { return };
        let used = |candidate: &&Candidate| candidate.fate.is_shown() && candidate.fate != Fate::Core;
        let shown = why.candidates.iter().filter(used);
        let memories: Vec<Used> = shown
            .map(|candidate| Used {
                id: candidate.memory.memory_id.clone(),
                relevance: (candidate.hit.relevance * 1e3).round() / 1e3,
            })
            .collect();
        if memories.is_empty() {
            return;
        }
        let about: String = one_line(user).chars().take(ABOUT).collect();
        let about = secrets::clean(&about);
        if let Err(error) = self.store.note(Note::Used { about, memories }, now) {
            tracing::warn!(%error, "the use of memories is not written down");
        }
    }

    pub(super) fn no_vectors(&mut self, error: &EmbedError, sink: &mut Sink<'_>) {
        tracing::debug!(%error, "no vector");
        if !std::mem::replace(&mut self.vectors_missed, true) {
            sink(Event::NoVectors(error));
        }
    }
}

/// Whether an episode supports facts, and none that still holds.
fn is_outdated(episode: &Memory, memories: &[Arc<Memory>]) -> bool {
    let quote = |memory: &Memory| memory.governance.evidence.as_ref().map(|evidence| evidence.quote.clone());
    let Some(said) = quote(episode).filter(|_| episode.memory_type == MemoryType::Episodic) else {
        return false;
    };
    let supported = memories.iter().filter(|memory| {
        memory.governance.fact.is_some()
            && quote(memory).is_some_and(|quote| !quote.is_empty() && said.contains(&quote))
    });
    let mut supported = supported.map(|memory| memory.governance.superseded_by.is_some()).peekable();
    supported.peek().is_some() && supported.all(|superseded| superseded)
}
