//! What is known, as a graph: people and things, and dated relations between them.
//!
//! A view of the memories' facts and nothing of its own: what is not in a memory is not here, and what is
//! forgotten is gone. The user is the first node. Names are one entity when they are the same but for case, width
//! and script, or when a fact says that one is called the other; never because they are alike. Two kinds that are
//! told apart (Apple the company, apple the fruit) are two entities.

mod drawing;
pub mod export;
mod hearing;

pub use drawing::{Drawing, Link, Node};

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, FixedOffset, Local};

use crate::memory::{Fact, Memory, MemoryType, time_of};
use crate::relation;
use crate::search::normal;

/// The node of the user.
pub const USER: usize = 0;

/// What the user is called in facts.
const USER_NAMES: [&str; 8] = ["user", "theuser", "用户", "我", "i", "me", "myself", "本人"];
/// Relations that say of one name that it is another.
const ALIASES: [&str; 4] = ["also_called", "ticker", "nickname", "renamed_to"];
/// Relations whose objects are values, not things that anything else is related to.
const VALUES: [&str; 16] = [
    "age",
    "birthday",
    "gender",
    "pronouns",
    "email",
    "phone",
    "height",
    "weight",
    "blood_type",
    "salary",
    "budget",
    "timezone",
    "address",
    "deadline",
    "risk_profile",
    "style",
];
/// How somebody of the user's is named: `用户的姐姐`, `user's sister`.
const OWNED: [&str; 5] = ["用户的", "我的", "user's ", "the user's ", "my "];

/// A person, a thing, or a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entity {
    /// As first written.
    pub name: String,
    /// Free text; may be empty.
    pub kind: String,
    pub aliases: Vec<String>,
    /// It is the value of a relation and nothing more.
    pub is_value: bool,
}

/// A relation between two entities, and how long it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Of the memory that says so, among those the graph was built from.
    pub place: usize,
    pub from: usize,
    pub to: usize,
    /// The canonical name.
    pub relation: String,
    pub since: Option<DateTime<FixedOffset>>,
    pub until: Option<DateTime<FixedOffset>>,
}

impl Edge {
    /// Whether it holds at `time`.
    pub fn holds(&self, time: DateTime<FixedOffset>) -> bool {
        self.since.is_none_or(|since| since <= time) && self.until.is_none_or(|until| time < until)
    }

    /// The other end.
    pub fn other(&self, end: usize) -> usize {
        if self.from == end { self.to } else { self.from }
    }
}

/// The graph of a user's facts.
#[derive(Debug, Clone)]
pub struct Graph {
    memories: Vec<Arc<Memory>>,
    entities: Vec<Entity>,
    edges: Vec<Edge>,
    /// For each memory its edge.
    of: Vec<Option<usize>>,
    /// For each entity the edges that touch it.
    touching: Vec<Vec<usize>>,
    /// Entities by the keys of their names.
    names: HashMap<String, Vec<usize>>,
    /// Entities by their names without what tells namesakes apart: `徐静（邻居）` by `徐静`.
    namesakes: HashMap<String, Vec<usize>>,
    /// Names that are one, by their keys: each leads to the next, the last to itself.
    same: HashMap<String, String>,
    /// Keys that others lead to: what is said to be one is, whatever kinds it is given.
    joined: HashSet<String>,
}

impl Default for Graph {
    fn default() -> Self {
        Self::build(&[])
    }
}

impl Graph {
    /// The graph of all facts of `memories`, in one pass over them and one over their names.
    pub fn build(memories: &[Arc<Memory>]) -> Self {
        let mut graph = Self {
            memories: Vec::new(),
            entities: vec![Entity {
                name: "user".to_owned(),
                kind: "Person".to_owned(),
                ..Entity::default()
            }],
            edges: Vec::new(),
            of: Vec::new(),
            touching: vec![Vec::new()],
            names: HashMap::new(),
            namesakes: HashMap::new(),
            same: HashMap::new(),
            joined: HashSet::new(),
        };
        let facts: Vec<Option<Fact>> = memories.iter().map(|memory| fact_of(memory)).collect();
        graph.take_names(facts.iter().flatten());
        for (memory, fact) in memories.iter().zip(facts) {
            graph.push(memory, fact);
        }
        graph
    }

    /// Takes `memories` in place of what it is built from. What is only added costs only itself, unless it says
    /// that two names are one.
    pub fn update(&mut self, memories: &[Arc<Memory>]) {
        let known = self.memories.len();
        let kept = known <= memories.len()
            && self.memories.iter().zip(memories).all(|(one, other)| {
                Arc::ptr_eq(one, other)
                    || (one.content == other.content && one.governance == other.governance)
            });
        let added: Vec<Option<Fact>> = memories.iter().skip(known).map(|memory| fact_of(memory)).collect();
        if !kept || added.iter().flatten().any(joins_names) {
            *self = Self::build(memories);
            return;
        }
        for (memory, fact) in memories.iter().skip(known).zip(added) {
            self.push(memory, fact);
        }
    }

    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The memory that an edge rests on.
    pub fn memory(&self, edge: &Edge) -> &Arc<Memory> {
        &self.memories[edge.place]
    }

    /// The edge of the memory at `place`.
    fn edge_of(&self, place: usize) -> Option<&Edge> {
        self.of.get(place).copied().flatten().map(|edge| &self.edges[edge])
    }

    /// The edges that touch an entity.
    pub fn around(&self, entity: usize) -> impl Iterator<Item = &Edge> {
        self.touching.get(entity).into_iter().flatten().map(|edge| &self.edges[*edge])
    }

    /// The entities called `name`; several where kinds or a word in brackets tell them apart.
    pub fn find(&self, name: &str) -> Vec<usize> {
        let key = self.root(&normal(name));
        if USER_NAMES.contains(&key.as_str()) {
            return vec![USER];
        }
        let named = self.names.get(&key).into_iter().chain(self.namesakes.get(&key));
        named.flatten().copied().collect()
    }

    /// The edges within `depth` steps of `start` that hold at `time`, nearest first.
    pub fn neighbourhood(&self, start: usize, depth: usize, time: DateTime<FixedOffset>) -> Vec<&Edge> {
        let mut seen = vec![start];
        let mut frontier = vec![start];
        let mut edges: Vec<&Edge> = Vec::new();
        for _ in 0..depth {
            let mut next = Vec::new();
            for entity in std::mem::take(&mut frontier) {
                for edge in self.around(entity).filter(|edge| edge.holds(time)) {
                    if !edges.iter().any(|known| std::ptr::eq(*known, edge)) {
                        edges.push(edge);
                    }
                    let other = edge.other(entity);
                    if !self.entities[other].is_value && !seen.contains(&other) {
                        seen.push(other);
                        next.push(other);
                    }
                }
            }
            frontier = next;
        }
        edges
    }

    /// The shortest chain of edges from one entity to another at `time`; `None` without one.
    pub fn path(&self, from: usize, to: usize, time: DateTime<FixedOffset>) -> Option<Vec<&Edge>> {
        let mut came: HashMap<usize, &Edge> = HashMap::new();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(entity) = queue.pop_front() {
            if entity == to {
                let mut path = Vec::new();
                let mut at = to;
                while at != from {
                    let edge = came.get(&at)?;
                    path.push(*edge);
                    at = edge.other(at);
                }
                path.reverse();
                return Some(path);
            }
            for edge in self.around(entity).filter(|edge| edge.holds(time)) {
                let other = edge.other(entity);
                if other != from && !came.contains_key(&other) {
                    came.insert(other, edge);
                    queue.push_back(other);
                }
            }
        }
        None
    }

    /// Takes in which names are one.
    fn take_names<'a>(&mut self, facts: impl Iterator<Item = &'a Fact> + Clone) {
        let mut people: HashMap<String, Vec<String>> = HashMap::new();
        for fact in facts.clone() {
            let (subject, object) = (normal(&fact.subject), normal(&fact.object));
            let relation = relation::canonical(&fact.relation);
            if ALIASES.contains(&relation.as_str()) || (relation == "name" && is_user(&subject)) {
                self.join(&object, &subject);
            }
            if is_user(&subject) {
                let known = people.entry(relation).or_default();
                if !known.contains(&object) {
                    known.push(object);
                }
            }
        }
        // The user's sister is Ines, if the user has one sister, and she is called Ines.
        for fact in facts {
            let Some(word) = owned(&fact.subject) else { continue };
            let named = relation::find(word).and_then(|relation| people.get(relation.name));
            if let Some([name]) = named.map(Vec::as_slice) {
                self.join(&normal(&fact.subject), name);
            }
        }
        self.joined = self.same.keys().map(|key| self.root(key)).collect();
    }

    fn join(&mut self, one: &str, other: &str) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            // The user's name leads to the user, and not the other way round.
            let (from, to) = if USER_NAMES.contains(&one.as_str()) { (other, one) } else { (one, other) };
            self.same.insert(from, to);
        }
    }

    fn root(&self, key: &str) -> String {
        let mut key = key;
        while let Some(next) = self.same.get(key) {
            key = next;
        }
        key.to_owned()
    }

    fn push(&mut self, memory: &Arc<Memory>, fact: Option<Fact>) {
        let place = self.memories.len();
        self.memories.push(Arc::clone(memory));
        self.of.push(None);
        let Some(fact) = fact else { return };
        let relation = relation::canonical(&fact.relation);
        let is_value = VALUES.contains(&relation.as_str());
        let from = self.entity(&fact.subject, &fact.subject_type, false);
        if relation == "name" || ALIASES.contains(&relation.as_str()) {
            self.add_alias(from, &fact.object);
        }
        let to = self.entity(&fact.object, &fact.object_type, is_value || relation == "name");
        if from == to {
            return;
        }
        let governance = &memory.governance;
        let time = |text: &Option<String>| text.as_deref().and_then(time_of);
        let (since, until) = (time(&governance.valid_from), time(&governance.valid_to));
        let until = until.or_else(|| time(&governance.expires_at));
        self.of[place] = Some(self.edges.len());
        self.connect(Edge { place, from, to, relation, since, until });
        // Whose somebody is, their name says.
        let owner = owned(&fact.subject).and_then(relation::find);
        if let Some(relation) = owner.filter(|_| !self.around(from).any(|edge| edge.other(from) == USER)) {
            let relation = relation.name.to_owned();
            self.connect(Edge { place, from: USER, to: from, relation, since: None, until });
        }
    }

    fn connect(&mut self, edge: Edge) {
        let number = self.edges.len();
        self.touching[edge.from].push(number);
        self.touching[edge.to].push(number);
        self.edges.push(edge);
    }

    /// The entity of that name and kind, made if there is none.
    fn entity(&mut self, name: &str, kind: &str, is_value: bool) -> usize {
        let key = self.root(&normal(name));
        if !is_value {
            if is_user(&key) {
                self.add_alias(USER, name);
                return USER;
            }
            let fits = |place: &&usize| {
                let known = &self.entities[**place].kind;
                known.is_empty()
                    || kind.is_empty()
                    || known.eq_ignore_ascii_case(kind)
                    || self.joined.contains(&key)
            };
            if let Some(found) = self.names.get(&key).and_then(|places| places.iter().find(fits)).copied() {
                self.add_alias(found, name);
                if self.entities[found].kind.is_empty() {
                    kind.clone_into(&mut self.entities[found].kind);
                }
                return found;
            }
        }
        let place = self.entities.len();
        self.entities.push(Entity {
            name: name.trim().to_owned(),
            kind: kind.trim().to_owned(),
            aliases: Vec::new(),
            is_value,
        });
        self.touching.push(Vec::new());
        if !is_value {
            self.names.entry(key).or_default().push(place);
            if let Some((bare, _)) = name.split_once(['(', '（']) {
                self.namesakes.entry(normal(bare)).or_default().push(place);
            }
        }
        place
    }

    fn add_alias(&mut self, place: usize, name: &str) {
        let entity = &mut self.entities[place];
        let known = |other: &String| normal(other) == normal(name);
        if !known(&entity.name) && !is_user(&normal(name)) && !entity.aliases.iter().any(known) {
            entity.aliases.push(name.trim().to_owned());
        }
    }
}

/// What a memory says as a triple.
fn fact_of(memory: &Memory) -> Option<Fact> {
    let fact = match &memory.governance.fact {
        Some(fact) => fact.clone(),
        None if memory.memory_type == MemoryType::Procedural => return None,
        None => {
            let read = relation::read(&memory.content).filter(|read| !read.negated)?;
            let (subject, relation, object) = (read.subject, read.relation.to_owned(), read.object);
            Fact { subject, relation, object, ..Fact::default() }
        }
    };
    (!normal(&fact.subject).is_empty() && !normal(&fact.object).is_empty()).then_some(fact)
}

/// Whether a fact says that two names are one, or may let one be read so.
fn joins_names(fact: &Fact) -> bool {
    let relation = relation::canonical(&fact.relation);
    ALIASES.contains(&relation.as_str()) || relation == "name" || owned(&fact.subject).is_some()
}

/// The word for somebody of the user's: `姐姐` of `用户的姐姐`.
fn owned(name: &str) -> Option<&str> {
    let name = name.trim();
    OWNED.iter().find_map(|owner| name.strip_prefix(owner))
}

fn is_user(key: &str) -> bool {
    USER_NAMES.contains(&key)
}

/// `now` as edges are compared with.
pub fn moment(now: DateTime<Local>) -> DateTime<FixedOffset> {
    now.fixed_offset()
}

#[cfg(test)]
mod tests;
