//! Recall within a turn: what is looked for, what passes the gate, and why.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Local};

use super::{Agent, Asked, Event, Mode, Sink};
use crate::embed::EmbedError;
use crate::encode::{self, secrets};
use crate::memory::audit::{Event as Note, Used};
use crate::memory::{Memory, MemoryType, Source};
use crate::message::ToolSpec;
use crate::prompt::estimate::tokens;
use crate::prompt::{self, Layout, Recalled, Rules, System};
use crate::recall::{EarlierQuery, Found};
use crate::render::one_line;
use crate::search::Hit;
use crate::tools;

/// Pinned memories that are shown at most.
const PINNED: usize = 20;
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
    /// Shown because an earlier message of this thread has recalled it.
    Standing,
}

impl Fate {
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Shown | Self::Pinned | Self::Core | Self::Standing)
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

/// What was recalled for the message that is asked.
#[derive(Debug, Default)]
pub struct Recollection {
    /// Memories were looked for.
    looked: bool,
    /// What the model is shown.
    memories: Vec<Shown>,
    /// What was said earlier in this thread and is no longer sent, user and assistant.
    earlier: Vec<(String, String)>,
}

/// A memory that the model is shown.
#[derive(Debug, Clone)]
struct Shown {
    short_id: String,
    memory: Arc<Memory>,
    /// See [`is_outdated`].
    outdated: bool,
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

    /// Recalls for `user`. Nothing that goes wrong here ends the turn. `replaced` is the turn that is asked again.
    pub(super) async fn recollect(
        &mut self,
        user: &str,
        replaced: Option<usize>,
        now: DateTime<Local>,
        sink: &mut Sink<'_>,
    ) {
        self.recollection = Recollection::default();
        let turns = self.conversation.window(replaced);
        let before = turns.last().map(|turn| turn.user().to_owned()).or_else(|| self.last_episode(user));
        if self.mode == Mode::Incognito {
            self.why = None;
            return;
        }
        let top_k = self.options.top_k;
        let found = self.recall.find(&mut self.store, user, before.as_deref(), top_k, now).await;
        self.recollection.looked = found.is_ok() && self.options.top_k > 0 && self.options.inject > 0;
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
        let mut candidates = self.judged(hits, now);
        let shown: Vec<(String, Arc<Memory>)> = candidates
            .iter()
            .filter(|candidate| candidate.fate.is_shown())
            .map(|candidate| (candidate.short_id.clone(), Arc::clone(&candidate.memory)))
            .collect();
        let shown = match self.options.layout {
            Layout::User => shown,
            Layout::System => self.stand(&shown, now),
        };
        let unseen =
            shown.iter().filter(|(short_id, _)| candidates.iter().all(|seen| seen.short_id != *short_id));
        let standing: Vec<Candidate> = unseen
            .map(|(short_id, memory)| {
                let hit = Hit { place: usize::MAX, relevance: 0.0, lexical: 0.0, vector: None, lift: 0.0 };
                Candidate {
                    short_id: short_id.clone(),
                    memory: Arc::clone(memory),
                    hit,
                    fate: Fate::Standing,
                }
            })
            .collect();
        let all = self.recall.memories();
        let shown = shown.into_iter().map(|(short_id, memory)| Shown {
            outdated: is_outdated(&memory, all),
            short_id,
            memory,
        });
        self.recollection.memories = shown.collect();
        candidates.extend(standing);
        let min_relevance = self.options.min_relevance;
        self.why = Some(Why { message: user.to_owned(), candidates, min_relevance });
    }

    /// Finds turns of this thread that are no longer sent and fit what is asked.
    pub(super) async fn recall_earlier(&mut self, asked: &Asked, now: DateTime<Local>) {
        let through = self.conversation.through();
        if through == 0 {
            return;
        }
        let budget = self.free(asked, now);
        let Self { conversation, recall, options, .. } = &mut *self;
        let window = conversation.window(asked.replaces);
        let query = EarlierQuery {
            message: asked.message.text(),
            before: window.last().map(|turn| turn.user()),
            through,
            min_relevance: options.min_relevance,
            budget,
        };
        self.recollection.earlier = recall.earlier(conversation.thread(), query).await;
    }

    /// Prepares for finding turns of this thread that are no longer sent.
    pub async fn prepare_earlier(&mut self) {
        let Self { conversation, recall, .. } = self;
        recall.prepare_earlier(conversation.thread(), conversation.through()).await;
    }

    /// Adds what is `shown` now to what stands in the system part of this thread already, and returns all of it in
    /// the order in which it came: what stands there changes only when something new comes in, or a memory changes.
    fn stand(&mut self, shown: &[(String, Arc<Memory>)], now: DateTime<Local>) -> Vec<(String, Arc<Memory>)> {
        for (_, memory) in shown {
            if !self.standing.contains(&memory.memory_id) {
                self.standing.push(memory.memory_id.clone());
            }
        }
        let is_shown = |id: &String| shown.iter().any(|(_, memory)| memory.memory_id == *id);
        let memories = self.recall.memories();
        let current: HashMap<&str, &Arc<Memory>> =
            memories.iter().map(|memory| (memory.memory_id.as_str(), memory)).collect();
        // What was deleted, or holds no more and is not asked about, goes.
        self.standing.retain(|id| {
            current.get(id.as_str()).is_some_and(|memory| memory.governance.holds(now) || is_shown(id))
        });
        let budget = self.memory_budget();
        let length = |id: &String| current.get(id.as_str()).map_or(0, |memory| length_of(memory));
        let mut total: usize = self.standing.iter().map(length).sum();
        // The oldest go first, half of what may stand at once: each time the whole part has to be read anew.
        if total > budget {
            self.standing.retain(|id| {
                let goes = total > budget / 2 && !is_shown(id);
                total -= if goes { length(id) } else { 0 };
                !goes
            });
        }
        let standing: Vec<Arc<Memory>> = self
            .standing
            .iter()
            .filter_map(|id| current.get(id.as_str()).map(|memory| Arc::clone(memory)))
            .collect();
        standing.into_iter().map(|memory| (self.ids.short(&memory.memory_id), memory)).collect()
    }

    /// The system part as it is now, without its memories where `memories` says so.
    pub(super) fn system_text(&self, summary: &str, memories: bool, now: DateTime<Local>) -> String {
        let rules = match self.mode {
            Mode::Full => Rules::ReadAndWrite,
            Mode::Paused => Rules::Read,
            Mode::Incognito => Rules::None,
        };
        let recalled = self.recalled();
        let recalled = (self.recollection.looked && memories).then_some(recalled.as_slice());
        prompt::system(&System {
            persona: self.options.persona.as_deref(),
            rules,
            layout: self.options.layout,
            now,
            summary,
            recalled,
        })
    }

    /// What stands beside the message.
    pub(super) fn beside(&self) -> String {
        prompt::beside(self.options.layout, &self.recalled(), &self.recollection.earlier)
    }

    fn recalled(&self) -> Vec<Recalled<'_>> {
        let recalled = self.recollection.memories.iter();
        recalled
            .map(|Shown { short_id, memory, outdated }| Recalled { short_id, memory, outdated: *outdated })
            .collect()
    }

    /// Shows no memories with this message, which leaves them no room.
    pub(super) fn drop_recalled(&mut self) {
        self.recollection.memories.clear();
        let shown = self.why.iter_mut().flat_map(|why| &mut why.candidates);
        shown
            .filter(|candidate| candidate.fate.is_shown())
            .for_each(|candidate| candidate.fate = Fate::Surplus);
    }

    /// The tools as they are offered now.
    pub(super) fn specs(&self) -> Vec<ToolSpec> {
        let ids: Vec<String> =
            self.recollection.memories.iter().map(|shown| shown.short_id.clone()).collect();
        // Beside a message they change with it; the tools, which stand before everything, do not.
        let ids = (self.options.layout == Layout::System).then_some(ids.as_slice());
        let mut specs = match self.mode {
            Mode::Full => tools::specs(ids, true),
            Mode::Paused => tools::specs(ids, false),
            Mode::Incognito => Vec::new(),
        };
        specs.extend(tools::file_spec(&self.options.allowed));
        specs
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
        let mut budget = self.memory_budget();
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
        candidates.retain(|candidate| {
            let fits = length_of(&candidate.memory) <= budget;
            budget = budget.saturating_sub(length_of(&candidate.memory));
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
                true if left == 0 || length_of(&memory) > budget => Fate::Surplus,
                true => Fate::Shown,
            };
            if fate == Fate::Shown {
                left -= 1;
                budget -= length_of(&memory);
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
        let used = |candidate: &&Candidate| {
            candidate.fate.is_shown() && !matches!(candidate.fate, Fate::Core | Fate::Standing)
        };
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

/// The tokens of a memory, as they are estimated.
fn length_of(memory: &Memory) -> usize {
    tokens(&memory.content) + tokens(&memory.context)
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
