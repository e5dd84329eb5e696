//! How recall hears the graph: from what a message names, along the relations that it names.
//!
//! "My boss's home town" names the user, a relation to somebody, and a relation of theirs. Facts on the way get
//! evidence, the more of the way was named the more; whether that is enough, their relevance decides.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, FixedOffset};

use super::{Graph, USER};
use crate::fold;
use crate::relation;
use crate::search::normal;

/// Evidence for a fact at the end of so many steps that were named, as a logit: the end of a longer way is what was
/// asked for, and what is next to the start is found without it.
const EVIDENCE: [f64; STEPS] = [2.0, 4.0, 5.0];
/// What is left of it for each step that was not named, and for each entity only named in the turn before.
const UNNAMED: f64 = 0.35;
const BEFORE: f64 = 0.5;
/// Evidence that is too little to be passed on.
const LEAST: f64 = 0.15;
/// Steps of a way.
const STEPS: usize = 3;
/// Longest name in a message, in Chinese characters and in words.
const CHARACTERS: usize = 10;
const WORDS: usize = 4;
/// Characters of a message that names are looked for in.
const MESSAGE_LIMIT: usize = 2000;

/// Words that ask for a place, and the relations that answer.
const WHERE: [&str; 8] =
    ["哪里", "哪儿", "什么地方", "哪个城市", "哪座城市", "where", "which city", "what city"];
const PLACES: [&str; 4] = ["lives_in", "located_in", "from", "born_in"];
/// Named by nearly every sentence.
const EVERYWHERE: [&str; 1] = ["is_a"];
/// Relations that are told by another one, too.
const ALSO: [(&str, &str); 4] =
    [("mother", "parent_of"), ("father", "parent_of"), ("reports_to", "supervises"), ("works_at", "employs")];
/// Further words for relations, as questions have them.
const ASKED: [(&str, &str); 32] = [
    ("上班", "works_at"),
    ("工作", "works_at"),
    ("做什么", "job"),
    ("干什么", "job"),
    ("叫什么", "name"),
    ("狗", "has_pet"),
    ("猫", "has_pet"),
    ("宠物", "has_pet"),
    ("dog", "has_pet"),
    ("cat", "has_pet"),
    ("work", "works_at"),
    ("called", "name"),
    ("language", "speaks"),
    ("语言", "speaks"),
    ("开什么车", "drives"),
    ("drive", "drives"),
    ("company", "works_at"),
    ("公司", "works_at"),
    ("stock", "invested_in"),
    ("股票", "invested_in"),
    ("stock", "interested_in"),
    ("股票", "interested_in"),
    ("goal", "interested_in"),
    ("goal", "plans"),
    ("goal", "risk_profile"),
    ("目标", "interested_in"),
    ("目标", "plans"),
    ("目标", "risk_profile"),
    ("style", "style"),
    ("风格", "style"),
    ("风险", "risk_profile"),
    ("risk", "risk_profile"),
];
/// Words of a speaker for themselves.
const FIRST: [&str; 8] = ["我", "咱", "i", "my", "me", "mine", "our", "we"];

impl Graph {
    /// The entities whose names stand in `text`, in the order found.
    pub fn mentioned(&self, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for phrase in phrases(text) {
            if phrase.chars().count() < 2 {
                continue;
            }
            for entity in self.find(&phrase) {
                if entity != USER && !found.contains(&entity) {
                    found.push(entity);
                }
            }
        }
        found
    }

    /// Evidence for the memories that `message` leads to, by their places. What was `found` by words and meaning,
    /// with its relevance, leads on; entities of the message `before` count for less.
    pub fn hear(
        &self,
        message: &str,
        before: Option<&str>,
        found: &[(usize, f64)],
        time: DateTime<FixedOffset>,
    ) -> HashMap<usize, f64> {
        if self.edges.is_empty() {
            return HashMap::new();
        }
        let named = Named::by(message);
        let mut starts: Vec<(usize, f64, usize)> =
            self.mentioned(message).into_iter().map(|entity| (entity, 1.0, 0)).collect();
        if starts.is_empty() || speaks_of_self(message) {
            starts.push((USER, 1.0, 0));
        }
        let earlier = before.map(|before| self.mentioned(before)).unwrap_or_default();
        starts.extend(earlier.into_iter().map(|entity| (entity, BEFORE, 0)));
        for (place, relevance) in found {
            let Some(edge) = self.edge_of(*place) else { continue };
            let ends =
                [edge.from, edge.to].into_iter().filter(|end| *end != USER && !self.entities[*end].is_value);
            // The fact that was found was the first step.
            starts.extend(ends.map(|end| (end, *relevance, 1)));
        }
        starts.sort_by(|one, other| other.1.total_cmp(&one.1));
        let mut best: HashMap<usize, f64> = HashMap::new();
        let mut walk = Walk { named, time, gone: HashSet::new(), heard: HashMap::new(), next: starts };
        for _ in 0..STEPS {
            for (entity, weight, depth) in std::mem::take(&mut walk.next) {
                if best.get(&entity).is_none_or(|known| *known < weight) {
                    best.insert(entity, weight);
                    self.step(entity, weight, depth, &mut walk);
                }
            }
        }
        walk.heard
    }

    /// Goes from `entity` along its edges. Of the user's, of which there are hundreds, only along those named.
    fn step(&self, entity: usize, weight: f64, depth: usize, walk: &mut Walk) {
        for number in self.touching[entity].iter().copied() {
            let edge = &self.edges[number];
            if !edge.holds(walk.time) {
                continue;
            }
            let is_named = walk.named.is_by(&edge.relation, entity != USER);
            if !is_named && entity == USER {
                continue;
            }
            let weight = if is_named { weight } else { weight * UNNAMED };
            if weight < LEAST || !walk.gone.insert(number) {
                continue;
            }
            // What was read out of a plain sentence leads on, and gets no evidence itself.
            if self.memories[edge.place].governance.fact.is_some() {
                let evidence = walk.heard.entry(edge.place).or_default();
                *evidence = evidence.max(EVIDENCE.get(depth).copied().unwrap_or_default() * weight);
            }
            let other = edge.other(entity);
            if other != USER && !self.entities[other].is_value {
                walk.next.push((other, weight, depth + 1));
            }
        }
    }
}

/// A walk over the graph: what leads it, where it has been, what it has found, where it goes next.
struct Walk {
    named: Named,
    time: DateTime<FixedOffset>,
    /// Edges, since no way goes back over one.
    gone: HashSet<usize>,
    heard: HashMap<usize, f64>,
    /// Entities with what is left of the evidence, and the steps to them.
    next: Vec<(usize, f64, usize)>,
}

/// The relations that a message names, by their canonical names.
struct Named {
    relations: HashSet<String>,
    /// It asks where.
    place: bool,
}

impl Named {
    fn by(message: &str) -> Self {
        let lower: String = message.chars().map(fold::character).flat_map(char::to_lowercase).collect();
        let phrases = phrases(message);
        let exact = phrases.iter().filter_map(|phrase| relation::exact(phrase)).map(|relation| relation.name);
        let asked = ASKED.iter().filter(|(word, _)| lower.contains(word)).map(|(_, name)| *name);
        let mut names: Vec<&str> = exact.chain(asked).filter(|name| !EVERYWHERE.contains(name)).collect();
        let also = ALSO.iter().filter(|(name, _)| names.contains(name)).map(|(_, also)| *also);
        names.extend(also.collect::<Vec<_>>());
        let place = WHERE.iter().any(|word| lower.contains(word));
        Self { relations: names.into_iter().map(str::to_owned).collect(), place }
    }

    /// Whether a step by `relation` was named; where somebody lives only of others than the user.
    fn is_by(&self, relation: &str, of_others: bool) -> bool {
        let inverse = relation::find(relation).and_then(|relation| relation.inverse);
        self.relations.contains(relation)
            || inverse.is_some_and(|name| self.relations.contains(name))
            || (of_others && self.place && PLACES.contains(&relation))
    }
}

/// Whether a message speaks of the one who writes it.
fn speaks_of_self(message: &str) -> bool {
    let lower = message.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    FIRST.iter().take(2).any(|word| lower.contains(word)) || words.any(|word| FIRST.contains(&word))
}

/// Everything in a text that may be a name: runs of Chinese characters, and runs of words, also without the
/// possessive's `s`.
fn phrases(text: &str) -> Vec<String> {
    let text: String = text.chars().take(MESSAGE_LIMIT).collect();
    let mut phrases = Vec::new();
    let han: Vec<char> = text.chars().collect();
    let is_han = |letter: char| ('\u{3400}'..='\u{9fff}').contains(&letter);
    for start in 0..han.len() {
        if !is_han(han[start]) {
            continue;
        }
        for end in (start + 1..=han.len().min(start + CHARACTERS)).rev() {
            if han[start..end].iter().all(|letter| is_han(*letter) || letter.is_alphanumeric()) {
                phrases.push(han[start..end].iter().collect());
            }
        }
    }
    let spaced: String = text.chars().map(|letter| if is_han(letter) { ' ' } else { letter }).collect();
    let words: Vec<&str> = spaced
        .split(|letter: char| letter.is_whitespace() || "()[]（）,，?？!！\"“”;；:：/".contains(letter))
        .map(|word| word.trim_end_matches(['.', '。']))
        .map(|word| word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word))
        .filter(|word| !normal(word).is_empty())
        .collect();
    for start in 0..words.len() {
        for end in (start + 1..=words.len().min(start + WORDS)).rev() {
            phrases.push(words[start..end].join(" "));
        }
    }
    phrases
}
