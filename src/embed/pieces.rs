//! Text to the pieces that the built-in model reads: a unigram language model over characters.
//!
//! The best split is the one with the highest sum of log-probabilities, found by Viterbi's algorithm
//! (Kudo, "Subword Regularization", 2018).

use std::collections::HashMap;

use super::weights::{Special, Weights};

/// Stands for a space, and in front of the first word.
const SPACE: char = '▁';
/// An unknown character scores that much less than the least likely piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// The vocabulary.
#[derive(Debug)]
pub struct Pieces<'a> {
    by_text: HashMap<&'a [u8], (u32, f32)>,
    replacements: HashMap<char, String>,
    unknown: u32,
    unknown_score: f32,
    /// Characters of the longest piece.
    longest: usize,
}

impl<'a> Pieces<'a> {
    pub fn new(weights: &Weights<'a>) -> Self {
        let Special { begin, end, pad, unknown } = weights.special;
        let numbered = (0u32..).zip(&weights.pieces);
        let with_text = numbered.filter(|(id, _)| ![begin, end, pad, unknown].contains(id));
        let by_text: HashMap<&[u8], (u32, f32)> =
            with_text.map(|(id, (text, score))| (*text, (id, *score))).collect();
        let characters = |text: &[u8]| text.iter().filter(|byte| !is_continuation(**byte)).count();
        Self {
            longest: by_text.keys().map(|text| characters(text)).max().unwrap_or(1),
            unknown_score: by_text.values().map(|(_, score)| *score).fold(0.0, f32::min) - UNKNOWN_PENALTY,
            by_text,
            replacements: weights.replacements.clone(),
            unknown,
        }
    }

    /// Whether nothing of `text` is left to read.
    pub fn is_blank(&self, text: &str) -> bool {
        self.normalised(text, 1).chars().all(|character| character == SPACE)
    }

    /// The ids of `text`, without begin and end; at most `limit`.
    pub fn ids(&self, text: &str, limit: usize) -> Vec<u32> {
        // Every piece is at least one character, so what lies further on is not reached.
        let normal = self.normalised(text, limit.saturating_mul(self.longest));
        let mut ids = self.best_split(&normal);
        ids.truncate(limit);
        ids
    }

    /// Characters replaced, white space folded to single [`SPACE`]s with one in front; at most `limit`
    /// characters.
    fn normalised(&self, text: &str, limit: usize) -> String {
        let characters = text.chars().flat_map(|character| self.replaced(character));
        let spaced = characters.map(|character| if character.is_whitespace() { SPACE } else { character });
        let mut normal = String::from(SPACE);
        let mut previous = SPACE;
        let folded = spaced.filter(|character| {
            let repeated = *character == SPACE && previous == SPACE;
            previous = *character;
            !repeated
        });
        normal.extend(folded.take(limit));
        normal
    }

    fn replaced(&self, character: char) -> impl Iterator<Item = char> {
        let replacement = self.replacements.get(&character);
        let itself = replacement.is_none().then_some(character);
        replacement.map_or("", String::as_str).chars().chain(itself)
    }

    fn best_split(&self, normal: &str) -> Vec<u32> {
        let bytes = normal.as_bytes();
        // For each place in the text the best way to get there: its score, the last piece, where it starts.
        let mut best: Vec<(f32, u32, usize)> = vec![(f32::NEG_INFINITY, self.unknown, 0); bytes.len() + 1];
        best[0].0 = 0.0;
        let starts: Vec<usize> = normal.char_indices().map(|(place, _)| place).chain([bytes.len()]).collect();
        for (number, start) in starts.iter().enumerate() {
            let so_far = best[*start].0;
            for (length, end) in starts.iter().skip(number + 1).take(self.longest).enumerate() {
                let (id, score) = match self.by_text.get(&bytes[*start..*end]) {
                    Some(found) => *found,
                    None if length == 0 => (self.unknown, self.unknown_score),
                    None => continue,
                };
                if so_far + score > best[*end].0 {
                    best[*end] = (so_far + score, id, *start);
                }
            }
        }
        let mut ids = Vec::new();
        let mut place = bytes.len();
        while place > 0 {
            let (_, id, start) = best[place];
            ids.push(id);
            place = start;
        }
        ids.reverse();
        ids
    }
}

/// Whether a byte of UTF-8 goes on with the character of the byte before.
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
