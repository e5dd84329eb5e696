//! Ranking memories for a message: words and vectors, heard together.
//!
//! Each thing that is asked gets, from every memory, evidence by words (`lexical`) and by meaning
//! (`space`), each measured against what the other memories get. The two are added before anything is
//! left out, so that a rare word rescues a weak cosine and the other way round. The sum becomes a
//! relevance between 0 and 1 that means the same for every query.
//!
//! Pure and deterministic: ties go to the memory that comes first. No threshold is applied here.

mod lexical;
mod sittings;
mod space;
mod tokens;

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

use crate::memory::{Memory, Vector};
use lexical::Lexical;
use sittings::Sittings;
use space::{Fit, Probe, SPREAD, Space};

pub use tokens::{normal, tokens};

/// Weights of the evidence: by words, where there is evidence by meaning; by words and the share of the
/// query that they make up, where there is none; of a cosine; and of how much more than usual the
/// cosines of a query are spread.
const WORDS: f32 = 0.85;
const WORDS_ALONE: f32 = 1.6;
const SHARE_ALONE: f32 = 2.0;
const MEANING: f32 = 12.0;
const SPREADING: f32 = 130.0;
/// How far the spread counts: memories that are all alike, or few of which one is a sure hit, say less
/// about a query than their spread does.
const DULL: f32 = 0.01;
const CLEAR: f32 = 0.005;
/// How much of the cosine of the runners-up, by place, is taken from all: what stands out from them is an
/// answer, what is no better than they are is the theme.
const STANDING_OUT: f32 = 0.7;
const RUNNERS_UP: std::ops::Range<usize> = 2..8;
/// The evidence at which a memory among [`USUAL_COUNT`] is as likely to be right as wrong, with meaning and
/// by words alone: the logit of the relevance is what goes beyond it.
const HALFWAY: f32 = 2.4;
const HALFWAY_ALONE: f32 = 3.7;
/// Among more memories, one is more likely to look right by chance.
const CROWD: f32 = 0.3;
const USUAL_COUNT: f32 = 60.0;
/// Added to both counts, so that the first memories are not taken for certain.
const FEW: f32 = 2.0;

/// Sentences of a message that are looked for by themselves, besides the whole.
const SENTENCE_LIMIT: usize = 4;
/// Memories that one thread compares before another is worth its while.
const SHARE: usize = 8192;
/// A message of more characters is a page, whose sentences ask nothing by themselves.
const PAGE: usize = 1000;
/// Characters of a sentence that can ask something.
const SENTENCE_MIN: usize = 4;
/// A point behind fewer letters ends no sentence.
const ABBREVIATION: usize = 4;
/// A message of at most so many tokens may lean on the one before it.
const FOLLOW_UP_LIMIT: usize = 4;
/// Weight of what is found only with the words of the message before.
const FOLLOW_UP_WEIGHT: f64 = 0.8;

/// One thing that is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub text: String,
    /// Of the model of the index.
    pub vector: Option<Vec<f32>>,
    /// What its relevances are multiplied by.
    pub weight: f64,
}

/// A memory worth showing, with its place in the list that is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub place: usize,
    /// 0 to 1.
    pub relevance: f64,
    /// Evidence by words; 0 without a word in common.
    pub lexical: f64,
    /// Evidence by meaning, as a cosine; `None` without vectors to compare.
    pub vector: Option<f64>,
    /// Evidence from elsewhere, as a logit; 0 without any.
    pub lift: f64,
}

/// What else is heard of a memory, beside its words and its vector.
pub struct Beside<'a> {
    /// Evidence by the place of a memory, added as a logit before anything is left out.
    pub lifts: &'a HashMap<usize, f64>,
    /// What the relevance is multiplied with for the order of hits; `None` for a memory that is not heard.
    pub weigh: &'a dyn Fn(&Memory) -> Option<f64>,
    /// Nothing weighs more.
    pub most: f64,
}

/// What speaks for each memory as an answer to one query.
#[derive(Debug)]
struct Judged {
    words: Vec<f32>,
    cosines: Vec<Option<f32>>,
    evidence: Vec<f32>,
    /// See [`Space::calibrate`].
    spread: f32,
    /// Mean cosine of those behind the best.
    runners_up: f32,
}

/// What a message asks for: itself, its sentences, and itself with the message before where it is too
/// short to say what it means.
pub fn queries(message: &str, before: Option<&str>) -> Vec<Query> {
    let query = |text: String, weight| Query { text, vector: None, weight };
    let mut queries = vec![query(message.to_owned(), 1.0)];
    let is_short = message.chars().nth(PAGE).is_none();
    let sentences = if is_short { sentences(message) } else { Vec::new() };
    if sentences.len() > 1 {
        queries.extend(sentences.into_iter().take(SENTENCE_LIMIT).map(|text| query(text.to_owned(), 1.0)));
    }
    if let Some(before) = before.filter(|_| tokens(message).len() <= FOLLOW_UP_LIMIT) {
        queries.push(query(format!("{before}\n{message}"), FOLLOW_UP_WEIGHT));
    }
    queries
}

/// The sentences of a text that can ask something.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let (mut rest, mut length) = (text, 0);
    let mut characters = text.chars().peekable();
    // Letters in a row: a point behind few of them is an abbreviation, as in Dr. or v2.1.
    let mut letters = 0;
    while let Some(character) = characters.next() {
        length += character.len_utf8();
        let ends = match character {
            '。' | '？' | '！' | '；' | '?' | '!' | ';' | '\n' => true,
            '.' => letters >= ABBREVIATION && characters.peek().is_some_and(|next| next.is_whitespace()),
            _ => false,
        };
        letters = if character.is_alphabetic() { letters + 1 } else { 0 };
        if ends && let Some((sentence, behind)) = rest.split_at_checked(length) {
            sentences.push(sentence);
            (rest, length) = (behind, 0);
        }
    }
    sentences.push(rest);
    let ends = |character: char| character.is_whitespace() || "。？！；?!;.".contains(character);
    sentences
        .into_iter()
        .map(|sentence| sentence.trim().trim_end_matches(ends))
        .filter(|sentence| sentence.chars().count() >= SENTENCE_MIN)
        .collect()
}

/// The memories of one user, ready to be searched.
#[derive(Debug)]
pub struct Index {
    memories: Vec<Arc<Memory>>,
    lexical: Lexical,
    sittings: Sittings,
    /// `None` where no vectors are compared.
    space: Option<Space>,
    /// For each memory its vectors that can be compared.
    fits: Vec<Vec<Fit>>,
}

impl Index {
    /// An empty index that compares vectors of `model`, if any.
    pub fn new(model: Option<&str>) -> Self {
        Self {
            memories: Vec::new(),
            lexical: Lexical::default(),
            sittings: Sittings::default(),
            space: model.map(Space::new),
            fits: Vec::new(),
        }
    }

    /// Takes `memories` in place of what it holds. What is only added, or only has another vector, costs
    /// only itself.
    pub fn update(&mut self, memories: &[Arc<Memory>]) {
        let says_the_same = |(one, other): (&Arc<Memory>, &Arc<Memory>)| {
            Arc::ptr_eq(one, other)
                || (one.content == other.content
                    && one.context == other.context
                    && one.created_at == other.created_at)
        };
        let known = self.memories.len();
        if known > memories.len() || !self.memories.iter().zip(memories).all(says_the_same) {
            *self = Self::new(self.space.as_ref().map(Space::model));
        }
        for (place, memory) in memories.iter().enumerate() {
            match self.memories.get(place) {
                None => self.push(memory),
                Some(known) if Arc::ptr_eq(known, memory) => {}
                Some(_) => {
                    self.fits[place] = self.fits_of(memory);
                    self.memories[place] = Arc::clone(memory);
                }
            }
        }
    }

    fn push(&mut self, memory: &Arc<Memory>) {
        self.lexical.push(&memory.text());
        self.sittings.push(self.memories.len(), memory);
        self.fits.push(self.fits_of(memory));
        self.memories.push(Arc::clone(memory));
    }

    fn fits_of(&self, memory: &Memory) -> Vec<Fit> {
        let vector = memory.vector.as_ref().zip(self.space.as_ref());
        vector.map(|(vector, space)| space.fits(&memory.text(), vector)).unwrap_or_default()
    }

    /// What is searched, in order.
    pub fn memories(&self) -> &[Arc<Memory>] {
        &self.memories
    }

    /// Whether any vector can be compared.
    pub fn has_vectors(&self) -> bool {
        self.fits.iter().any(|fits| !fits.is_empty())
    }

    /// The places of the memories whose vectors cannot be compared.
    pub fn without_vector(&self) -> impl Iterator<Item = usize> {
        self.fits.iter().enumerate().filter(|(_, fits)| fits.is_empty()).map(|(place, _)| place)
    }

    /// The best `limit` memories for `queries`, best first: each counts by the query that it answers
    /// best. One with no word in common and no cosine above nothing is no hit.
    pub fn search(&self, queries: &[Query], limit: usize) -> Vec<Hit> {
        let beside = Beside { lifts: &HashMap::new(), weigh: &|_| Some(1.0), most: 1.0 };
        self.listen(queries).hits(limit, &beside)
    }

    /// What speaks for each memory, for all queries.
    pub fn listen<'a>(&'a self, queries: &'a [Query]) -> Listened<'a> {
        let asked: Vec<&Query> = queries.iter().filter(|query| !query.text.trim().is_empty()).collect();
        let judged: Vec<Judged> = asked.iter().map(|query| self.judge(query)).collect();
        Listened { index: self, asked, judged }
    }
    /// What speaks for each memory as an answer to `query`.
    fn judge(&self, query: &Query) -> Judged {
        let scores = self.lexical.scores(&query.text);
        let (cosines, spread) = self.cosines(query);
        let unit = scores.unit.max(f32::MIN_POSITIVE);
        let words: Vec<f32> = scores.values.iter().map(|value| value / unit).collect();
        let legs = words.iter().zip(&scores.shares).zip(&cosines);
        let mut evidence: Vec<f32> = legs
            .map(|((words, share), cosine)| match cosine {
                Some(cosine) => WORDS * words + MEANING * cosine,
                None => WORDS_ALONE * words + SHARE_ALONE * share,
            })
            .collect();
        self.sittings.lift(&mut evidence);
        let runners_up = runners_up(&cosines);
        Judged { words, cosines, evidence, spread, runners_up }
    }

    /// The cosine of each memory's best part with `query`, as far as there are vectors, and their spread.
    fn cosines(&self, query: &Query) -> (Vec<Option<f32>>, f32) {
        let probe = self.space.as_ref().zip(query.vector.as_ref());
        let probe = probe.and_then(|(space, values)| Some((space, space.probe(&query.text, values)?)));
        let Some((space, probe)) = probe else {
            return (vec![None; self.memories.len()], SPREAD);
        };
        let mut cosines = vec![None; self.memories.len()];
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let share = self.memories.len().div_ceil(workers).max(SHARE);
        let shares = self.memories.chunks(share).zip(self.fits.chunks(share)).zip(cosines.chunks_mut(share));
        std::thread::scope(|scope| {
            let mut shares = shares.map(|((memories, fits), cosines)| {
                let probe = &probe;
                move || best_cosines(probe, memories, fits, cosines)
            });
            let mut first = shares.next();
            for other in shares {
                scope.spawn(other);
            }
            if let Some(first) = &mut first {
                first();
            }
        });
        let spread = space.calibrate(&mut cosines);
        (cosines, spread)
    }
}

/// What speaks for each memory as an answer to what was asked, before anything is left out.
pub struct Listened<'a> {
    index: &'a Index,
    asked: Vec<&'a Query>,
    judged: Vec<Judged>,
}

impl Listened<'_> {
    /// The best `limit` memories, with what else is heard.
    pub fn hits(&self, limit: usize, beside: &Beside<'_>) -> Vec<Hit> {
        let spread = self.judged.iter().map(|judged| judged.spread).fold(0.0, f32::max);
        let crowd = ((self.index.memories.len() as f32 + FEW) / (USUAL_COUNT + FEW)).ln();
        let clearness = SPREADING * (spread - SPREAD).clamp(-DULL, CLEAR);
        let runners_up = self.judged.iter().map(|judged| judged.runners_up).fold(0.0, f32::max);
        let offset = clearness - MEANING * STANDING_OUT * runners_up - CROWD * crowd - HALFWAY;
        let offset_alone = -CROWD * crowd - HALFWAY_ALONE;
        let hits = (0..self.index.memories.len()).filter_map(|place| {
            let lift = beside.lifts.get(&place).copied().unwrap_or_default();
            let hits = self.asked.iter().zip(&self.judged).filter_map(|(query, judged)| {
                let (words, cosine) = (judged.words[place], judged.cosines[place]);
                let offset = if cosine.is_some() { offset } else { offset_alone };
                (words > 0.0 || lift > 0.0 || cosine.is_some_and(|cosine| cosine > 0.0)).then(|| Hit {
                    place,
                    relevance: logistic(judged.evidence[place] + offset + lift as f32) * query.weight,
                    lexical: f64::from(words),
                    vector: cosine.map(f64::from),
                    lift,
                })
            });
            hits.max_by(|a, b| a.relevance.total_cmp(&b.relevance))
        });
        top(hits, limit, beside.most, |hit| (beside.weigh)(&self.index.memories[hit.place]))
    }
}

/// Writes the cosine of each memory's best part with `probe`.
fn best_cosines(probe: &Probe, memories: &[Arc<Memory>], fits: &[Vec<Fit>], cosines: &mut [Option<f32>]) {
    pulp::Arch::new().dispatch(|| {
        for ((memory, fits), best) in memories.iter().zip(fits).zip(cosines) {
            let vectors = memory.vector.iter().flat_map(Vector::vectors);
            for (values, fit) in vectors.zip(fits) {
                let cosine = probe.cosine(values, *fit);
                *best = Some(best.map_or(cosine, |best| best.max(cosine)));
            }
        }
    });
}

/// The mean cosine of those at the places of [`RUNNERS_UP`]; 0 without any.
fn runners_up(cosines: &[Option<f32>]) -> f32 {
    let mut known: Vec<f32> = cosines.iter().flatten().copied().collect();
    let best = known.len().min(RUNNERS_UP.end);
    if best <= RUNNERS_UP.start {
        return 0.0;
    }
    known.select_nth_unstable_by(best - 1, |a, b| b.total_cmp(a));
    known.truncate(best);
    known.sort_unstable_by(|a, b| b.total_cmp(a));
    let behind = &known[RUNNERS_UP.start..];
    behind.iter().sum::<f32>() / behind.len() as f32
}

/// In double precision, so that two sure hits are still told apart.
fn logistic(logit: f32) -> f64 {
    1.0 / (1.0 + (-f64::from(logit)).exp())
}

/// A hit in the order of worth: higher in rank, then earlier.
#[derive(Debug, PartialEq)]
struct Worth {
    rank: f64,
    hit: Hit,
}

impl Eq for Worth {}

impl Ord for Worth {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.total_cmp(&other.rank).then(other.hit.place.cmp(&self.hit.place))
    }
}

impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best `limit` of `hits`, best first. Only what may be among them is weighed.
fn top(
    hits: impl Iterator<Item = Hit>,
    limit: usize,
    most: f64,
    weigh: impl Fn(&Hit) -> Option<f64>,
) -> Vec<Hit> {
    let mut heap: BinaryHeap<Reverse<Worth>> = BinaryHeap::with_capacity(limit.saturating_add(1).min(1024));
    for hit in hits {
        let least = heap.peek().filter(|_| heap.len() >= limit).map(|Reverse(least)| least.rank);
        if limit == 0 || least.is_some_and(|least| hit.relevance * most < least) {
            continue;
        }
        let Some(weight) = weigh(&hit) else { continue };
        heap.push(Reverse(Worth { rank: hit.relevance * weight, hit }));
        if heap.len() > limit {
            heap.pop();
        }
    }
    heap.into_sorted_vec().into_iter().map(|Reverse(Worth { hit, .. })| hit).collect()
}

#[cfg(test)]
mod tests;
