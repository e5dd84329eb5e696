//! How vectors of a model are compared.
//!
//! Two texts of the built-in model are alike first of all because both are Chinese, or both are
//! questions. What is common to a language and to a role is therefore taken out before the cosine: the
//! mean vector of statements, for memories, and of questions, for queries, of each language. The means
//! are those of the parallel sentences beside the weights. A question then finds a memory of the other
//! language as well as one of its own, and the cosine of what has nothing to do with it is about zero.
//!
//! For other models nothing is known beforehand: there a cosine counts by how far it stands out from
//! the other memories.

use crate::memory::{BUILT_IN_DIMENSIONS, BUILT_IN_MODEL, Vector};

/// `f32`, little endian: statements in English and in Chinese, questions in English and in Chinese.
static CENTRES: &[u8] = include_bytes!("../../assets/e5-small-zhen-q4/centres.f32");

/// An untagged vector of the right length that has less than this in common with its language's mean is
/// of another model.
const FOREIGN: f32 = 0.5;
/// English words weigh as much as this many Chinese characters when a text's language is told.
const WORD: f32 = 1.5;

/// What is expected of cosines in the built-in space before any is seen, in others, and after how many
/// that has half the say.
pub const SPREAD: f32 = 0.09;
const UNKNOWN_MEAN: f32 = 0.35;
const UNKNOWN_SPREAD: f32 = 0.12;
const PRIOR: f32 = 20.0;

/// The vectors of one model.
#[derive(Debug, Clone)]
pub struct Space {
    model: String,
    centres: Option<Centres>,
}

#[derive(Debug, Clone)]
struct Centres {
    statements: [Vec<f32>; 2],
    questions: [Vec<f32>; 2],
}

/// What has to be known of a memory's vector to compare it.
#[derive(Debug, Clone, Copy)]
pub struct Fit {
    /// How Chinese the text is, 0 to 1.
    chinese: f32,
    /// One over the length of the vector without its centre.
    inverse: f32,
}

/// A query's vector, ready to be compared.
#[derive(Debug)]
pub struct Probe {
    direction: Vec<f32>,
    /// What it has in common with the means of statements.
    offsets: [f32; 2],
}

impl Space {
    /// The space of `model`.
    pub fn new(model: &str) -> Self {
        let centres = (model == BUILT_IN_MODEL).then(Centres::read);
        Self { model: model.to_owned(), centres }
    }

    pub fn model(&self) -> &str {
        &self.model
    }

    /// The vectors of a memory that says `text`; empty when they are of another model.
    pub fn fits(&self, text: &str, vector: &Vector) -> Vec<Fit> {
        if vector.model() != Some(self.model.as_str()) {
            return Vec::new();
        }
        let chinese = chinese(text);
        let fit = |values: &[f32]| {
            let length = dot(values, values);
            let Some(centres) = &self.centres else {
                return Some(Fit { chinese, inverse: 1.0 / length.sqrt() });
            };
            if values.len() != BUILT_IN_DIMENSIONS {
                return None;
            }
            let centre = mix(&centres.statements, chinese);
            let (common, size) = (dot(values, &centre), dot(&centre, &centre));
            if vector.tag.is_none() && common < FOREIGN * (length * size).sqrt() {
                return None;
            }
            Some(Fit { chinese, inverse: 1.0 / (length - 2.0 * common + size).sqrt() })
        };
        let fits = vector.vectors().map(fit).collect::<Option<Vec<_>>>();
        fits.filter(|fits| fits.iter().all(|fit| fit.inverse.is_finite())).unwrap_or_default()
    }

    /// Prepares the vector of a query that says `text`; `None` when it is zero.
    pub fn probe(&self, text: &str, values: &[f32]) -> Option<Probe> {
        let mut direction = values.to_vec();
        if let Some(centres) = &self.centres {
            let centre = mix(&centres.questions, chinese(text));
            direction.iter_mut().zip(&centre).for_each(|(value, centre)| *value -= centre);
        }
        let length = dot(&direction, &direction).sqrt();
        // What is left of a unit vector after rounding is nothing.
        if !(length > 1e-4 && length.is_finite()) {
            return None;
        }
        direction.iter_mut().for_each(|value| *value /= length);
        let offset = |language: usize| {
            self.centres.as_ref().map_or(0.0, |centres| dot(&direction, &centres.statements[language]))
        };
        let offsets = [offset(0), offset(1)];
        Some(Probe { direction, offsets })
    }

    /// Brings the cosines of one query to the scale of the built-in space, where what has nothing to do
    /// with a query is about 0. Returns their spread on it: a query that the memories can answer tells
    /// them apart more clearly than one that has nothing to do with any.
    pub fn calibrate(&self, cosines: &mut [Option<f32>]) -> f32 {
        let known = || cosines.iter().flatten().copied();
        let (mean_before, spread_before) = match &self.centres {
            Some(_) => (0.0, SPREAD),
            None => (UNKNOWN_MEAN, UNKNOWN_SPREAD),
        };
        let count = known().count() as f32;
        let mean = (known().sum::<f32>() + PRIOR * mean_before) / (count + PRIOR);
        let squares: f32 = known().map(|cosine| (cosine - mean) * (cosine - mean)).sum();
        let spread = ((squares + PRIOR * spread_before * spread_before) / (count + PRIOR)).sqrt();
        if self.centres.is_some() {
            return spread;
        }
        for cosine in cosines.iter_mut().flatten() {
            *cosine = (*cosine - mean) / spread * SPREAD;
        }
        SPREAD
    }
}

impl Probe {
    /// The cosine with a vector that fits; 0 when the lengths differ.
    #[inline(always)]
    pub fn cosine(&self, values: &[f32], fit: Fit) -> f32 {
        if values.len() != self.direction.len() {
            return 0.0;
        }
        let offset = self.offsets[0] + fit.chinese * (self.offsets[1] - self.offsets[0]);
        (dot(&self.direction, values) - offset) * fit.inverse
    }
}

impl Centres {
    fn read() -> Self {
        let (numbers, _) = CENTRES.as_chunks();
        let mut means = numbers
            .chunks(BUILT_IN_DIMENSIONS)
            .map(|mean| mean.iter().map(|four| f32::from_le_bytes(*four)).collect());
        let mut next = || means.next().unwrap_or_default();
        Self { statements: [next(), next()], questions: [next(), next()] }
    }
}

/// The mean between that of English and that of Chinese texts.
fn mix([english, chinese]: &[Vec<f32>; 2], share: f32) -> Vec<f32> {
    english.iter().zip(chinese).map(|(english, chinese)| english + share * (chinese - english)).collect()
}

/// How Chinese a text is: 0 for none, 1 for nothing else.
fn chinese(text: &str) -> f32 {
    let (mut characters, mut words, mut inside) = (0.0, 0.0, false);
    for character in text.chars() {
        let is_han = matches!(u32::from(character), 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0x20000..=0x3FFFF);
        let is_letter = character.is_ascii_alphabetic();
        characters += f32::from(u8::from(is_han));
        words += f32::from(u8::from(is_letter && !inside));
        inside = is_letter;
    }
    let total = characters + WORD * words;
    if total > 0.0 { characters / total } else { 0.5 }
}

/// In sixteen lanes, so that they can be computed side by side.
#[inline(always)]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    let mut lanes = [0f32; 16];
    for (a, b) in a.iter().zip(b) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages() {
        for (text, expected) in
            [("你好", 1.0), ("hello there", 0.0), ("", 0.5), ("我用Rust", 2.0 / 3.5), ("42", 0.5)]
        {
            assert!((chinese(text) - expected).abs() < 1e-6, "{text}: {}", chinese(text));
        }
    }

    #[test]
    fn the_centres_are_those_of_four_kinds_of_text() {
        let Centres { statements, questions } = Centres::read();
        for mean in statements.iter().chain(&questions) {
            let length = dot(mean, mean).sqrt();
            assert!(mean.len() == BUILT_IN_DIMENSIONS && length > 0.5 && length < 1.0, "{length}");
        }
    }

    #[test]
    fn a_text_in_the_middle_of_its_language_is_like_nothing() {
        let space = Space::new(BUILT_IN_MODEL);
        let centre = Centres::read().questions[1].clone();
        assert!(space.probe("问题", &centre).is_none());
        assert!(Space::new("m").probe("x", &[0.0, 0.0]).is_none());
        assert!(Space::new("m").probe("x", &[f32::NAN, 0.0]).is_none());
    }

    #[test]
    fn cosines_of_an_unknown_model_count_by_how_far_they_stand_out() {
        let mut cosines: Vec<Option<f32>> = (0..50).map(|_| Some(0.7)).collect();
        cosines.push(Some(0.9));
        cosines.push(None);
        let spread = Space::new("m").calibrate(&mut cosines);
        assert!((spread - SPREAD).abs() < 1e-6);
        assert!(
            cosines[50].unwrap() > 0.2 && cosines[0].unwrap() < 0.15 && cosines[51].is_none(),
            "{cosines:?}"
        );
    }

    #[test]
    fn products_of_any_length() {
        let values: Vec<f32> = (0..37u8).map(f32::from).collect();
        let expected: f32 = values.iter().map(|value| value * value).sum();
        assert!((dot(&values, &values) - expected).abs() < 1e-2);
    }
}
