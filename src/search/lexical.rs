//! Words in common: BM25 over an inverted index.
//!
//! Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with two
//! changes: rare words count a little more than their idf, and single characters of scripts without
//! spaces less than pairs, since most characters mean little alone.

use std::collections::HashMap;

use super::tokens::tokens;

/// Saturation of repeated words, and how much long texts pay for their length. Memories are short and
/// of similar length, hence below the usual 1.2 and 0.75.
const K1: f32 = 0.9;
const B: f32 = 0.5;
/// Exponent of the idf.
const RARITY: f32 = 1.3;
/// Weight of a single character.
const CHARACTER: f32 = 0.3;
/// Texts without any token of the query that are thought to be there as well: in a memory of three, a
/// word of one is no common word.
const UNSEEN: f32 = 6.0;
/// Different tokens of a query that are looked for. A pasted page has more; its beginning says what it
/// is about.
const QUERY_LIMIT: usize = 512;

/// Which text has which token how often.
#[derive(Debug, Default)]
pub struct Lexical {
    terms: HashMap<String, u32>,
    postings: Vec<Vec<Posting>>,
    lengths: Vec<f32>,
    total_length: f32,
}

#[derive(Debug, Clone, Copy)]
struct Posting {
    place: u32,
    count: f32,
}

/// BM25 of every text for one query.
#[derive(Debug)]
pub struct Scores {
    pub values: Vec<f32>,
    /// How much of the query each text has, by the weight of its tokens, 0 to 1.
    pub shares: Vec<f32>,
    /// What the values are divided by to be compared across queries: their own spread, and the weight
    /// that a token of a single text would have, so that a chance hit in a small memory stays small.
    pub unit: f32,
}

/// Share of [`Scores::unit`] that does not depend on the query.
const UNIT_FLOOR: f32 = 0.4;

impl Lexical {
    /// Adds a text; its place is the number of texts before it.
    pub fn push(&mut self, text: &str) {
        let place = self.lengths.len() as u32;
        let mut found = tokens(text);
        self.lengths.push(found.len() as f32);
        self.total_length += found.len() as f32;
        found.sort_unstable();
        for run in found.chunk_by(|a, b| a == b) {
            let term = match self.terms.get(&run[0]) {
                Some(term) => *term,
                None => {
                    let term = self.postings.len() as u32;
                    self.terms.insert(run[0].clone(), term);
                    self.postings.push(Vec::new());
                    term
                }
            };
            self.postings[term as usize].push(Posting { place, count: run.len() as f32 });
        }
    }

    /// Scores every text for `query`.
    pub fn scores(&self, query: &str) -> Scores {
        let count = self.lengths.len().max(1) as f32;
        let total = count + UNSEEN;
        let mean_length = (self.total_length / count).max(1.0);
        let mut values = vec![0.0; self.lengths.len()];
        let mut shares = vec![0.0; self.lengths.len()];
        let mut whole = 0.0;
        let mut wanted: Vec<String> = tokens(query);
        wanted.truncate(QUERY_LIMIT);
        wanted.sort_unstable();
        wanted.dedup();
        for token in &wanted {
            let postings = self.terms.get(token).map(|term| self.postings[*term as usize].as_slice());
            let postings = postings.unwrap_or_default();
            let kind = if is_character(token) { CHARACTER } else { 1.0 };
            let weight = kind * rarity(total, postings.len() as f32);
            whole += weight;
            for Posting { place, count } in postings {
                let norm = K1 * (1.0 - B + B * self.lengths[*place as usize] / mean_length);
                shares[*place as usize] += weight;
                values[*place as usize] += weight * count * (K1 + 1.0) / (count + norm);
            }
        }
        for share in &mut shares {
            *share /= whole;
        }
        let mean = values.iter().sum::<f32>() / total;
        let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / total;
        Scores { values, shares, unit: variance.sqrt() + UNIT_FLOOR * total.ln_1p().powf(RARITY) }
    }
}

/// Weight of a token that `having` of `total` texts have.
fn rarity(total: f32, having: f32) -> f32 {
    ((total - having + 0.5) / (having + 0.5)).ln_1p().powf(RARITY)
}

/// Whether a token is one character of a script without spaces.
fn is_character(token: &str) -> bool {
    let mut characters = token.chars();
    characters.next().is_some_and(super::tokens::is_spaceless) && characters.next().is_none()
}
