//! What was said earlier in a thread and is no longer sent: found again for a message, in its own words.
//!
//! A summary keeps little of a long conversation; the originals are still on disk. They are heard by their words at
//! once, and by their meaning as vectors of them come about: while the user types, and a few with each message.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::Recall;
use crate::embed::Embedder;
use crate::memory::{Governance, Memory, MemoryType, text_of};
use crate::message::{Attachment, Turn};
use crate::prompt::estimate::tokens;
use crate::prompt::summary::shortened;
use crate::search::{Beside, Index};
use crate::thread::Thread;

/// Turns that are shown for a message.
const SHOWN: usize = 3;
/// Vectors made with each message, which waits for them, and at a time while nothing waits.
const WITH_A_MESSAGE: usize = 4;
const AT_A_TIME: usize = 8;
/// Characters of each side of a turn that its vector is made of: a fifth of a second for four turns on one core.
const EMBEDDED: usize = 240;
/// Characters of a message and of its answer that are heard, and that are shown.
const HEARD: usize = 1200;
const SHOWN_LENGTH: usize = 500;

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub struct EarlierQuery<'a> {
    pub message: &'a str,
    /// The message that this one may lean on.
    pub before: Option<&'a str>,
    /// The turns up to this number are not sent.
    pub through: usize,
    pub min_relevance: f64,
    /// Tokens of all that is found, as they are estimated.
    pub budget: usize,
}

/// The turns of a thread that are no longer sent.
#[derive(Debug, Default)]
pub struct Earlier {
    /// The thread that the rest is of.
    thread: String,
    turns: Vec<Known>,
    index: Option<Index>,
}

/// A turn as it is searched.
#[derive(Debug)]
struct Known {
    number: usize,
    memory: Arc<Memory>,
    /// It has a vector, or nothing that could be embedded.
    embedded: bool,
}

impl Recall {
    /// The turns that left the window of `thread` and fit `query`, as user and assistant, oldest first.
    pub async fn earlier(&mut self, thread: &Thread, query: EarlierQuery<'_>) -> Vec<(String, String)> {
        let left = left(thread, query.through);
        self.earlier.keep_step(&thread.id, &left);
        if left.is_empty() {
            return Vec::new();
        }
        let (queries, problem) = self.queries(query.message, query.before).await;
        let Self { earlier, embedder, .. } = self;
        if problem.is_none() && embedder.model().is_some() {
            earlier.embed(embedder, WITH_A_MESSAGE).await;
        }
        let index = earlier.index.get_or_insert_with(|| Index::new(embedder.model()));
        let memories: Vec<Arc<Memory>> = earlier.turns.iter().map(|turn| Arc::clone(&turn.memory)).collect();
        index.update(&memories);
        let beside = Beside { lifts: &HashMap::new(), weigh: &|_| Some(1.0), most: 1.0 };
        let hits = index.listen(&queries).hits(SHOWN, &beside);
        let mut budget = query.budget;
        let mut found: BTreeMap<usize, (String, String)> = BTreeMap::new();
        for hit in hits.iter().filter(|hit| hit.relevance >= query.min_relevance) {
            let Some((_, turn)) = left.get(hit.place) else { continue };
            let turn = (shortened(turn.user(), SHOWN_LENGTH), shortened(turn.answer(), SHOWN_LENGTH));
            let size = tokens(&turn.0) + tokens(&turn.1);
            if size <= budget {
                budget -= size;
                found.insert(hit.place, turn);
            }
        }
        found.into_values().collect()
    }

    /// Gives the turns of `thread` up to the number `through` a vector each, while nothing else goes on. Dropped before
    /// it is done, it goes on from there when it is called again.
    pub async fn prepare_earlier(&mut self, thread: &Thread, through: usize) {
        if matches!(self.embedder, Embedder::BuiltIn) {
            self.earlier.keep_step(&thread.id, &left(thread, through));
            while self.earlier.embed(&mut self.embedder, AT_A_TIME).await {}
        }
    }
}

impl Earlier {
    /// Takes in what has left since, and lets go of what is no longer there or says something else.
    fn keep_step(&mut self, thread: &str, left: &[(usize, &Turn)]) {
        if self.thread != thread {
            *self = Self { thread: thread.to_owned(), ..Self::default() };
        }
        let says_the_same = |(known, (number, turn)): (&Known, &(usize, &Turn))| {
            known.number == *number && known.memory.content == heard(turn)
        };
        let same = self.turns.iter().zip(left).take_while(|pair| says_the_same((pair.0, pair.1))).count();
        self.turns.truncate(same);
        let new = left.iter().skip(same).map(|(number, turn)| Known {
            number: *number,
            memory: Arc::new(as_memory(*number, turn)),
            embedded: false,
        });
        self.turns.extend(new);
    }

    /// Gives at most `most` of the latest turns that have none a vector. Whether that went well and more wait.
    async fn embed(&mut self, embedder: &mut Embedder, most: usize) -> bool {
        let waiting: Vec<&mut Known> =
            self.turns.iter_mut().rev().filter(|turn| !turn.embedded).take(most).collect();
        if waiting.is_empty() {
            return false;
        }
        let short = |memory: &Memory| {
            text_of(&shortened(&memory.content, EMBEDDED), &shortened(&memory.context, EMBEDDED))
        };
        let texts: Vec<String> = waiting.iter().map(|turn| short(&turn.memory)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        match embedder.memories(&texts).await {
            Ok(vectors) => {
                for (turn, vector) in waiting.into_iter().zip(vectors) {
                    turn.embedded = true;
                    turn.memory = Arc::new(Memory { vector, ..Memory::clone(&turn.memory) });
                }
                true
            }
            Err(error) => {
                tracing::debug!(%error, "earlier turns without vectors");
                false
            }
        }
    }
}

/// The turns of `thread` up to the number `through`.
fn left(thread: &Thread, through: usize) -> Vec<(usize, &Turn)> {
    let entries = thread.live().take_while(|entry| entry.number <= through);
    entries.filter_map(|entry| Some((entry.number, entry.turn()?))).collect()
}

/// What is heard of the user's side of a turn, files included.
fn heard(turn: &Turn) -> String {
    let mut heard = shortened(turn.user(), HEARD);
    for file in turn.message().attachments() {
        heard.push_str(&format!("\n{}", file.name()));
        if let Attachment::Text { content, .. } = file {
            heard.push_str(&format!("\n{}", shortened(content, HEARD)));
        }
    }
    heard
}

/// A turn in the form that is searched.
fn as_memory(number: usize, turn: &Turn) -> Memory {
    Memory {
        memory_id: number.to_string(),
        content: heard(turn),
        context: shortened(turn.answer(), HEARD),
        created_at: String::new(),
        updated_at: String::new(),
        memory_type: MemoryType::Episodic,
        vector: None,
        governance: Governance::default(),
    }
}
