//! Recall within a turn: what is looked for, what passes the gate, and why.

use std::sync::Arc;

use chrono::{DateTime, Local};

use super::{Agent, Event, Sink};
use crate::embed::EmbedError;
use crate::memory::Memory;
use crate::prompt::{self, Recalled};
use crate::recall::Found;
use crate::search::Hit;

/// What became of a memory that was recalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The model has seen it.
    Shown,
    /// Below the least relevance.
    NotRelevant,
    /// Behind the best that are shown.
    Surplus,
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
        let before = self.history.last().map(|turn| turn.user().to_owned());
        let found = self.recall.find(&mut self.store, user, before.as_deref(), self.options.top_k).await;
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
        let candidates = self.judged(hits);
        let shown: Vec<&Candidate> =
            candidates.iter().filter(|candidate| candidate.fate == Fate::Shown).collect();
        let recalled: Vec<Recalled<'_>> = shown
            .iter()
            .map(|candidate| Recalled { short_id: &candidate.short_id, memory: &candidate.memory })
            .collect();
        let persona = self.options.persona.as_deref();
        let prompt = prompt::system(persona, looked.then_some(recalled.as_slice()), now);
        let ids = shown.iter().map(|candidate| candidate.short_id.clone()).collect();
        let min_relevance = self.options.min_relevance;
        self.why = Some(Why { message: user.to_owned(), candidates, min_relevance });
        (prompt, ids)
    }

    /// Drops what is not relevant enough, and all but the best.
    fn judged(&mut self, hits: Vec<Hit>) -> Vec<Candidate> {
        // All memories are numbered in file order, whatever is recalled first.
        for memory in self.recall.memories() {
            self.ids.short(&memory.memory_id);
        }
        let mut left = self.options.inject;
        let candidates: Vec<Candidate> = hits
            .into_iter()
            .map(|hit| {
                let fate = match hit.relevance >= self.options.min_relevance {
                    false => Fate::NotRelevant,
                    true if left == 0 => Fate::Surplus,
                    true => Fate::Shown,
                };
                left -= usize::from(fate == Fate::Shown);
                let memory = Arc::clone(self.recall.memory(&hit));
                Candidate { short_id: self.ids.short(&memory.memory_id), memory, hit, fate }
            })
            .collect();
        for Candidate { memory, hit, fate, .. } in &candidates {
            let Hit { relevance, lexical, vector, .. } = hit;
            let vector = vector.map(|vector| format!("{vector:.3}"));
            let (relevance, lexical) = (format!("{relevance:.3}"), format!("{lexical:.2}"));
            tracing::debug!(relevance, lexical, vector, ?fate, content = memory.content, "recalled");
        }
        let dropped = candidates.iter().filter(|candidate| candidate.fate != Fate::Shown).count();
        tracing::debug!(shown = candidates.len() - dropped, dropped, "recall");
        candidates
    }

    pub(super) fn no_vectors(&mut self, error: &EmbedError, sink: &mut Sink<'_>) {
        tracing::debug!(%error, "no vector");
        if !std::mem::replace(&mut self.vectors_missed, true) {
            sink(Event::NoVectors(error));
        }
    }
}
