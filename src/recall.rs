//! Recall: finding the memories that matter for a message.
//!
//! Keeps a search index in step with the store, has the message embedded, and names the memories whose
//! vectors have to be made anew. A failure to embed is no failure here: then words alone are heard.

mod earlier;

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::JoinHandle;

use chrono::{DateTime, Local};

use crate::embed::{EmbedError, Embedder, Model};
use crate::graph::{Graph, USER, moment};
use crate::memory::{Memory, STRONGEST, Vector, strength};
use crate::search::{self, Beside, Hit, Index, Query};
use crate::store::{Renewed, Store, StoreError};

pub use earlier::EarlierQuery;

use earlier::Earlier;

/// Finds memories of one user.
#[derive(Debug)]
pub struct Recall {
    embedder: Embedder,
    index: Index,
    graph: Graph,
    /// Both are being built beside the conversation.
    building: Option<JoinHandle<(Index, Graph)>>,
    /// The embedder has failed to renew vectors; it is not asked to again in this session.
    stuck: bool,
    /// What was looked for last, message and the one before, embedded: turns that left are looked for behind memories.
    heard: Option<(String, Option<String>, Vec<Query>)>,
    earlier: Earlier,
}

/// What was found for a message.
#[derive(Debug)]
pub struct Found {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Why meaning was not heard.
    pub problem: Option<EmbedError>,
}

/// How far the renewal of vectors is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    pub renewed: usize,
    pub left: usize,
}

/// Why vectors could not be renewed.
#[derive(Debug, thiserror::Error)]
pub enum RenewError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

/// Hits that lead on to what is related to them.
const LEADING: usize = 8;

/// Words that ask for what was, not for what is.
const PAST: [&str; 17] = [
    "以前",
    "之前",
    "曾经",
    "过去",
    "原来",
    "当时",
    "改过",
    "used to",
    "use to",
    "previously",
    "formerly",
    "in the past",
    "earlier",
    "history",
    " before",
    "did i live",
    "did i work",
];

fn asks_about_past(message: &str) -> bool {
    let message = message.to_lowercase();
    PAST.iter().any(|word| message.contains(word))
}

impl Recall {
    pub fn new(embedder: Embedder) -> Self {
        let index = Index::new(embedder.model());
        Self {
            embedder,
            index,
            graph: Graph::default(),
            building: None,
            stuck: false,
            heard: None,
            earlier: Earlier::default(),
        }
    }

    pub fn embedder(&mut self) -> &mut Embedder {
        &mut self.embedder
    }

    /// Begins to load the model and to build the index, so that the first message need not wait.
    pub fn prepare(&mut self, memories: &[Arc<Memory>]) {
        if memories.is_empty() {
            return;
        }
        let memories = memories.to_vec();
        let mut index = Index::new(self.embedder.model());
        let loads = matches!(self.embedder, Embedder::BuiltIn);
        self.building = Some(std::thread::spawn(move || {
            let model = loads.then(|| std::thread::spawn(|| Model::get().is_some()));
            index.update(&memories);
            let graph = Graph::build(&memories);
            if let Some(model) = model {
                let _ = model.join();
            }
            (index, graph)
        }));
    }

    /// Takes over what the store holds now.
    pub fn update(&mut self, memories: &[Arc<Memory>]) {
        if let Some((index, graph)) = self.building.take().and_then(|building| building.join().ok()) {
            self.index = index;
            self.graph = graph;
        }
        self.index.update(memories);
        self.graph.update(memories);
    }

    /// The best `limit` of the memories that hold at `now` for `message`, which may lean on the one `before`.
    /// What holds no more is heard where the message asks about the past.
    pub async fn find(
        &mut self,
        store: &mut Store,
        message: &str,
        before: Option<&str>,
        limit: usize,
        now: DateTime<Local>,
    ) -> Result<Found, StoreError> {
        self.update(store.memories()?);
        let (queries, problem) = match self.index.has_vectors() {
            true => self.queries(message, before).await,
            false => (search::queries(message, before), None),
        };
        let audit = store.audit()?;
        let past = asks_about_past(message);
        let weigh = |memory: &Memory| {
            let heard = past || memory.governance.holds(now);
            heard.then(|| strength(memory, audit.uses_of(&memory.memory_id).as_ref(), now))
        };
        let listened = self.index.listen(&queries);
        let alone = Beside { lifts: &HashMap::new(), weigh: &weigh, most: STRONGEST };
        let found: Vec<(usize, f64)> =
            listened.hits(LEADING, &alone).iter().map(|hit| (hit.place, hit.relevance)).collect();
        let lifts = self.graph.hear(message, before, &found, moment(now));
        let beside = Beside { lifts: &lifts, ..alone };
        Ok(Found { hits: listened.hits(limit, &beside), problem })
    }

    /// The queries for `message`, with their vectors as far as they can be had.
    async fn queries(&mut self, message: &str, before: Option<&str>) -> (Vec<Query>, Option<EmbedError>) {
        if let Some((heard, leaning, queries)) = &self.heard
            && heard == message
            && leaning.as_deref() == before
        {
            return (queries.clone(), None);
        }
        let mut queries = search::queries(message, before);
        let texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
        match self.embedder.queries(&texts).await {
            Ok(vectors) => queries.iter_mut().zip(vectors).for_each(|(query, vector)| query.vector = vector),
            Err(error) => return (queries, Some(error)),
        }
        self.heard = Some((message.to_owned(), before.map(str::to_owned), queries.clone()));
        (queries, None)
    }

    /// The places of the memories that say who the user is.
    pub fn core(&self, now: DateTime<Local>) -> Vec<usize> {
        let names = self.graph.around(USER).filter(|edge| edge.from == USER && edge.relation == "name");
        names.filter(|edge| edge.holds(moment(now))).map(|edge| edge.place).collect()
    }

    /// The graph of what the store holds now.
    pub fn graph(&mut self, store: &mut Store) -> Result<&Graph, StoreError> {
        self.update(store.memories()?);
        Ok(&self.graph)
    }

    /// What was searched last, in file order.
    pub fn memories(&self) -> &[Arc<Memory>] {
        self.index.memories()
    }

    /// The memory of a hit.
    pub fn memory(&self, hit: &Hit) -> &Arc<Memory> {
        &self.index.memories()[hit.place]
    }

    /// How many of `memories` have no vector of the embedder's model, by their tags; 0 where none is made.
    /// Nothing is built for this.
    pub fn unmatched(&self, memories: &[Arc<Memory>]) -> usize {
        let Some(model) = self.embedder.model() else { return 0 };
        let vectors = memories.iter().map(|memory| memory.vector.as_ref().and_then(Vector::model));
        vectors.filter(|found| *found != Some(model)).count()
    }

    /// Makes and writes vectors for at most `limit` memories that have none which can be compared.
    /// Dropped before it is done, it has changed nothing.
    pub async fn renew(&mut self, store: &mut Store, limit: usize) -> Result<Progress, RenewError> {
        if self.stuck || self.embedder.model().is_none() {
            return Ok(Progress::default());
        }
        self.update(store.memories()?);
        let waiting = self.index.without_vector().count();
        if waiting == 0 {
            return Ok(Progress::default());
        }
        let memories = self.index.memories();
        let chosen: Vec<(String, String)> = self
            .index
            .without_vector()
            .take(limit.min(self.embedder.batch()))
            .map(|place| (memories[place].memory_id.clone(), memories[place].text()))
            .collect();
        let texts: Vec<&str> = chosen.iter().map(|(_, text)| text.as_str()).collect();
        let vectors = self.embedder.memories(&texts).await.inspect_err(|_| self.stuck = true)?;
        let pairs = chosen.iter().zip(vectors);
        let renewed: Vec<Renewed> = pairs
            .filter_map(|((memory_id, text), vector)| {
                Some(Renewed { memory_id: memory_id.clone(), text: text.clone(), vector: vector? })
            })
            .collect();
        let written = match renewed.is_empty() {
            true => 0,
            false => store.renew(renewed).inspect_err(|_| self.stuck = true)?,
        };
        // What cannot be embedded now cannot be embedded later either.
        self.stuck = written == 0;
        Ok(Progress { renewed: written, left: waiting.saturating_sub(chosen.len()) })
    }
}
