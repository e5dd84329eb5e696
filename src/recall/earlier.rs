//! What was said earlier in a thread and is no longer sent: found again for a message, in its own words.
//!
//! A summary keeps little of a long conversation; the originals are still on disk. They are heard by their words at
//! once, and by their meaning as vectors of them come about, a few with each message.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::embed::Embedder;
use crate::memory::{Governance, Memory, MemoryType, Vector};
use crate::prompt::estimate::tokens;
use crate::prompt::summary::shortened;
use crate::search::{self, Beside, Index};
use crate::thread::Thread;

/// Turns that are shown for a message.
const SHOWN: usize = 3;
/// Vectors made with each message.
const BATCH: usize = 32;
/// Characters of a message and of its answer that are heard, and that are shown.
const HEARD: usize = 1200;
const SHOWN_LENGTH: usize = 500;

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    pub message: &'a str,
    /// The message that this one may lean on.
    pub before: Option<&'a str>,
    pub min_relevance: f64,
    /// Tokens of all that is found, as they are estimated.
    pub budget: usize,
}

/// The turns of a thread that are no longer sent.
#[derive(Debug, Default)]
pub struct Earlier {
    /// The thread that `vectors` are of.
    thread: String,
    /// By the number of the turn. `None` for one that has nothing to be embedded.
    vectors: HashMap<usize, Option<Vector>>,
}

impl Earlier {
    /// The turns that left the window of `thread` and fit `query`, as user and assistant, oldest first.
    pub async fn find(
        &mut self,
        thread: &Thread,
        embedder: &mut Embedder,
        query: Query<'_>,
    ) -> Vec<(String, String)> {
        if self.thread != thread.id {
            *self = Self { thread: thread.id.clone(), ..Self::default() };
        }
        let through = thread.summary().map_or(0, |summary| summary.through);
        let turns: Vec<(usize, &str, &str)> = thread
            .live()
            .take_while(|entry| entry.number <= through)
            .filter_map(|entry| Some((entry.number, entry.turn()?.user(), entry.turn()?.answer())))
            .collect();
        if turns.is_empty() {
            return Vec::new();
        }
        let mut queries = search::queries(query.message, query.before);
        if embedder.model().is_some() {
            let texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
            if let Ok(vectors) = embedder.queries(&texts).await {
                queries.iter_mut().zip(vectors).for_each(|(query, vector)| query.vector = vector);
                self.embed(&turns, embedder).await;
            }
        }
        let memories: Vec<Arc<Memory>> =
            turns.iter().map(|turn| Arc::new(as_memory(*turn, self.vectors.get(&turn.0)))).collect();
        let mut index = Index::new(embedder.model());
        index.update(&memories);
        let beside = Beside { lifts: &HashMap::new(), weigh: &|_| Some(1.0), most: 1.0 };
        let hits = index.listen(&queries).hits(SHOWN, &beside);
        let mut budget = query.budget;
        let mut found: BTreeMap<usize, (String, String)> = BTreeMap::new();
        for hit in hits.iter().filter(|hit| hit.relevance >= query.min_relevance) {
            let Some((_, user, answer)) = turns.get(hit.place) else { continue };
            let turn = (shortened(user, SHOWN_LENGTH), shortened(answer, SHOWN_LENGTH));
            let size = tokens(&turn.0) + tokens(&turn.1);
            if size <= budget {
                budget -= size;
                found.insert(hit.place, turn);
            }
        }
        found.into_values().collect()
    }

    /// Gives the latest turns that have none a vector.
    async fn embed(&mut self, turns: &[(usize, &str, &str)], embedder: &mut Embedder) {
        let waiting = turns.iter().rev().filter(|(number, _, _)| !self.vectors.contains_key(number));
        let (numbers, texts): (Vec<usize>, Vec<String>) =
            waiting.take(BATCH).map(|turn| (turn.0, as_memory(*turn, None).text())).unzip();
        if texts.is_empty() {
            return;
        }
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        match embedder.memories(&texts).await {
            Ok(vectors) => self.vectors.extend(numbers.into_iter().zip(vectors)),
            Err(error) => tracing::debug!(%error, "earlier turns without vectors"),
        }
    }
}

/// A turn in the form that is searched.
fn as_memory((number, user, answer): (usize, &str, &str), vector: Option<&Option<Vector>>) -> Memory {
    Memory {
        memory_id: number.to_string(),
        content: shortened(user, HEARD),
        context: shortened(answer, HEARD),
        created_at: String::new(),
        updated_at: String::new(),
        memory_type: MemoryType::Episodic,
        vector: vector.cloned().flatten(),
        governance: Governance::default(),
    }
}
