//! Ranking memories for a message: tokens, BM25, cosine.
//!
//! Pure and deterministic: the same input gives the same order on every machine, ties go to the
//! document that comes first. There is no threshold and no I/O here.

use std::collections::HashMap;

/// BM25 term-frequency saturation and length normalisation; the usual values of Robertson and
/// Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Different tokens of a query that are looked for. A pasted page has more; its beginning says what it
/// is about.
const QUERY_LIMIT: usize = 512;

/// What is ranked: a text, and its vector where it can be compared with the query's.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    pub text: &'a str,
    pub vector: Option<&'a [f32]>,
}

/// Which comparison found a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leg {
    Cosine,
    Lexical,
}

/// A document worth showing, with its place in the list that was ranked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub place: usize,
    /// 0 to 1: the cosine, or the share of the best BM25 score this query could reach.
    pub relevance: f64,
    pub leg: Leg,
}

/// The best `limit` documents for `query`, best first. A document is compared by cosine when both
/// sides have a vector, by words otherwise. An empty query, no common word, or a cosine of zero or
/// less is no hit.
pub fn rank(query: &str, query_vector: Option<&[f32]>, documents: &[Document<'_>], limit: usize) -> Vec<Hit> {
    if query.trim().is_empty() {
        return Vec::new();
    }
    let lexical = bm25(query, documents);
    let mut hits: Vec<Hit> = documents
        .iter()
        .enumerate()
        .map(|(place, document)| match (query_vector, document.vector) {
            (Some(query), Some(vector)) if query.len() == vector.len() => {
                Hit { place, relevance: cosine(query, vector), leg: Leg::Cosine }
            }
            _ => Hit { place, relevance: lexical[place], leg: Leg::Lexical },
        })
        .filter(|hit| hit.relevance > 0.0)
        .collect();
    hits.sort_by(|a, b| b.relevance.total_cmp(&a.relevance).then(a.place.cmp(&b.place)));
    hits.truncate(limit);
    hits
}

/// Cosine of two vectors of equal length, 0 when either is zero or not finite.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot =
        |x: &[f32], y: &[f32]| -> f64 { x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum() };
    let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    if cosine.is_finite() { cosine } else { 0.0 }
}

/// For each document its BM25 score as a share of the highest score the query could reach.
fn bm25(query: &str, documents: &[Document<'_>]) -> Vec<f64> {
    let mut columns: HashMap<String, usize> = HashMap::new();
    for token in tokens(query) {
        let next = columns.len();
        if next < QUERY_LIMIT {
            columns.entry(token).or_insert(next);
        }
    }
    let mut having = vec![0u32; columns.len()];
    let mut lengths = Vec::with_capacity(documents.len());
    let mut counts: Vec<Vec<(usize, f64)>> = Vec::with_capacity(documents.len());
    for document in documents {
        let tokens = tokens(document.text);
        lengths.push(tokens.len() as f64);
        let mut found: Vec<usize> = tokens.iter().filter_map(|token| columns.get(token).copied()).collect();
        found.sort_unstable();
        let row: Vec<(usize, f64)> =
            found.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as f64)).collect();
        for (column, _) in &row {
            having[*column] += 1;
        }
        counts.push(row);
    }
    let total = documents.len() as f64;
    let mean_length = (lengths.iter().sum::<f64>() / total).max(1.0);
    let weights: Vec<f64> = having
        .iter()
        .map(|having| ((total - f64::from(*having) + 0.5) / (f64::from(*having) + 0.5)).ln_1p())
        .collect();
    let highest = weights.iter().sum::<f64>() * (K1 + 1.0);
    let score = |row: &[(usize, f64)], length: f64| -> f64 {
        let norm = K1 * (1.0 - B + B * length / mean_length);
        row.iter().map(|(column, count)| weights[*column] * count * (K1 + 1.0) / (count + norm)).sum()
    };
    counts
        .iter()
        .zip(lengths)
        .map(|(row, length)| if highest > 0.0 { score(row, length) / highest } else { 0.0 })
        .collect()
}

/// Words in lower case, and for scripts written without spaces each character and each pair.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut previous: Option<char> = None;
    for character in text.chars().flat_map(char::to_lowercase) {
        let spaceless = is_spaceless(character);
        if character.is_alphanumeric() && !spaceless {
            word.push(character);
            previous = None;
            continue;
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word));
        }
        if spaceless {
            tokens.push(character.to_string());
            tokens.extend(previous.map(|previous| format!("{previous}{character}")));
        }
        previous = spaceless.then_some(character);
    }
    if !word.is_empty() {
        tokens.push(word);
    }
    tokens
}

/// Han, kana, and Thai, Lao, Khmer, Burmese: scripts that do not separate words by spaces.
fn is_spaceless(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3005..=0x3007 | 0x3040..=0x30FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
        && character.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check_best(query: &str, texts: &[&str], expected: &[usize]) {
        let documents: Vec<_> = texts.iter().map(|text| Document { text, vector: None }).collect();
        let places: Vec<usize> = rank(query, None, &documents, 5).iter().map(|hit| hit.place).collect();
        assert_eq!(places, expected, "{query}");
    }

    #[test]
    fn tokens_of_both_languages() {
        assert_eq!(tokens("Foo_bar v2!"), ["foo", "bar", "v2"]);
        assert_eq!(tokens("我在Rust组"), ["我", "在", "我在", "rust", "组"]);
        assert_eq!(tokens(" ,。!"), Vec::<String>::new());
    }

    #[test]
    fn words_find_in_chinese_and_english() {
        let texts = ["用户对花生过敏", "The user lives in Chengdu", "用户喜欢龙井茶"];
        check_best("我能吃花生吗", &texts, &[0]);
        check_best("what tea? 龙井", &texts, &[2]);
        check_best("CHENGDU weather", &texts, &[1]);
        check_best("  ", &texts, &[]);
        check_best("?!", &texts, &[]);
        check_best("zebra", &texts, &[]);
        check_best("花生", &[], &[]);
    }

    #[test]
    fn cosine_where_both_have_vectors_words_elsewhere() {
        let documents = [
            Document { text: "alpha", vector: Some(&[0.6, 0.8]) },
            Document { text: "beta", vector: None },
            Document { text: "gamma", vector: Some(&[1.0, 0.0, 0.0]) },
            Document { text: "delta", vector: Some(&[-1.0, 0.0]) },
        ];
        let hits = rank("beta", Some(&[1.0, 0.0]), &documents, 5);
        let found: Vec<_> = hits.iter().map(|hit| (hit.place, hit.leg)).collect();
        assert_eq!(found, [(0, Leg::Cosine), (1, Leg::Lexical)]);
        assert!((hits[0].relevance - 0.6).abs() < 1e-6);
    }

    #[test]
    fn ties_go_to_the_first() {
        check_best("tea", &["tea", "tea", "tea"], &[0, 1, 2]);
    }

    proptest! {
        #[test]
        fn relevance_is_a_share(query in ".{0,20}", texts in proptest::collection::vec(".{0,30}", 0..8)) {
            let documents: Vec<_> = texts.iter().map(|text| Document { text, vector: None }).collect();
            for hit in rank(&query, None, &documents, 8) {
                prop_assert!(hit.relevance > 0.0 && hit.relevance <= 1.0);
            }
        }
    }
}
