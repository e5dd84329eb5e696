//! What recall finds: each leg alone, both together, and what each ingredient adds.
//!
//! `cargo bench --bench recall [-- --data FOLDER]…` reads folders with `memories.jsonl` and
//! `queries.jsonl`: those named, or `benches/sets/*` and, where they are, `../shared/recall/*`.
//! R@k is the share of the relevant memories among the first k, MRR the mean of one over the place of
//! the first. Vectors are kept in the target folder, so that only the first run takes minutes.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench prints, and fails loudly"
)]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::Local;
use mini_chatgpt::embed::Model;
use mini_chatgpt::graph::{Graph, moment};
use mini_chatgpt::memory::{BUILT_IN_MODEL, Memory, Vector};
use mini_chatgpt::search::{Beside, Hit, Index, Query, queries};
use serde_json::{Value, json};

/// Relevance below which nothing is shown to a model, by default.
const GATE: f64 = 0.4;
/// Hits that lead on along the graph, as in `recall`.
const LEADING: usize = 8;
/// Memories recalled for a message, by default.
const RECALLED: usize = 5;

struct Question {
    user: String,
    text: String,
    relevant: Vec<String>,
    category: String,
}

struct Set {
    name: String,
    users: BTreeMap<String, Vec<Memory>>,
    questions: Vec<Question>,
}

/// What is heard.
#[derive(Clone, Copy, PartialEq)]
enum Hearing {
    All,
    Words,
    Meaning,
    /// Without the memories of the same sitting.
    NoSittings,
    /// Without what the facts lead to.
    NoGraph,
    /// Without the sentences of a message by themselves.
    NoSentences,
    /// Cosines as of a model whose means are not known.
    NoCentres,
}

const HEARINGS: [(Hearing, &str); 7] = [
    (Hearing::Words, "words alone"),
    (Hearing::Meaning, "meaning alone"),
    (Hearing::All, "all"),
    (Hearing::NoGraph, "  without the graph"),
    (Hearing::NoSittings, "  without sittings"),
    (Hearing::NoSentences, "  without sentences"),
    (Hearing::NoCentres, "  without centres"),
];

fn main() {
    let mut vectors = Vectors::load();
    for folder in folders() {
        let set = Set::read(&folder);
        vectors.make(&set);
        println!(
            "\n{}: {} memories, {} questions",
            set.name,
            set.users.values().map(Vec::len).sum::<usize>(),
            set.questions.len()
        );
        println!("{:20}  R@1   R@5   R@10  MRR   nDCG@10", "");
        for (hearing, name) in HEARINGS {
            println!("{name:20} {}", measure(&set, &vectors, hearing));
        }
    }
}

fn folders() -> Vec<PathBuf> {
    let arguments: Vec<String> = std::env::args().collect();
    let named: Vec<PathBuf> =
        arguments.windows(2).filter(|pair| pair[0] == "--data").map(|pair| PathBuf::from(&pair[1])).collect();
    if !named.is_empty() {
        return named;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = Vec::new();
    for place in ["benches/sets", "../shared/recall"] {
        let Ok(entries) = fs::read_dir(root.join(place)) else {
            println!("{place} is not here; its sets are left out");
            continue;
        };
        folders.extend(
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.join("queries.jsonl").is_file()),
        );
    }
    folders.sort();
    folders
}

fn lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

impl Set {
    fn read(folder: &Path) -> Self {
        let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let mut users: BTreeMap<String, Vec<Memory>> = BTreeMap::new();
        for value in lines(&folder.join("memories.jsonl")) {
            let mut record = value.clone();
            record["memory_id"] = value["id"].clone();
            users.entry(text(&value, "user")).or_default().push(Memory::from_json(&record).unwrap());
        }
        let questions = lines(&folder.join("queries.jsonl"));
        let questions = questions.iter().map(|value| Question {
            user: text(value, "user"),
            text: text(value, "query"),
            relevant: value["relevant"]
                .as_array()
                .unwrap()
                .iter()
                .map(|id| id.as_str().unwrap().to_owned())
                .collect(),
            category: text(value, "category"),
        });
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        Self { name, users, questions: questions.collect() }
    }
}

/// Vectors by their text, kept between runs.
struct Vectors {
    path: PathBuf,
    known: HashMap<String, Vec<f32>>,
}

impl Vectors {
    fn load() -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recall-vectors.jsonl");
        let known = fs::read_to_string(&path).unwrap_or_default();
        let known = known.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Self { path, known }
    }

    fn make(&mut self, set: &Set) {
        let memories = set.users.values().flatten().map(Memory::text);
        let asked =
            set.questions.iter().flat_map(|question| queries(&question.text, None)).map(|query| query.text);
        let mut missing: Vec<String> =
            memories.chain(asked).filter(|text| !self.known.contains_key(text)).collect();
        missing.sort_unstable();
        missing.dedup();
        let mut file = fs::File::options().create(true).append(true).open(&self.path).unwrap();
        for texts in missing.chunks(512) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let parts = Model::get().unwrap().parts_of_all(&texts, 1);
            for (text, mut parts) in texts.into_iter().zip(parts) {
                let Some(vector) = parts.pop() else { continue };
                writeln!(file, "{}", json!([text, vector])).unwrap();
                self.known.insert(text.to_owned(), vector);
            }
        }
    }

    fn index(&self, memories: &[Memory], hearing: Hearing) -> Index {
        let mut index = Index::new(Some(model(hearing)));
        let memories: Vec<Arc<Memory>> = memories
            .iter()
            .map(|memory| {
                let values = self.known.get(&memory.text()).filter(|_| hearing != Hearing::Words);
                let vector = values.and_then(|values| Vector::new(model(hearing), vec![values.clone()]));
                let created_at = if hearing == Hearing::NoSittings { "" } else { &memory.created_at };
                Arc::new(Memory { vector, created_at: created_at.to_owned(), ..memory.clone() })
            })
            .collect();
        index.update(&memories);
        index
    }

    fn queries(&self, text: &str, hearing: Hearing) -> Vec<Query> {
        let mut queries = queries(text, None);
        if hearing == Hearing::NoSentences {
            queries.truncate(1);
        }
        for query in &mut queries {
            query.vector = self.known.get(&query.text).cloned();
            if hearing == Hearing::Meaning {
                // Words of the same language that no memory has.
                let is_chinese =
                    query.text.chars().any(|character| ('\u{4e00}'..='\u{9fff}').contains(&character));
                query.text = if is_chinese { "龘龘" } else { "zzqx" }.to_owned();
            }
        }
        queries
    }
}

fn model(hearing: Hearing) -> &'static str {
    if hearing == Hearing::NoCentres { "another" } else { BUILT_IN_MODEL }
}

#[derive(Default)]
struct Sums {
    count: f64,
    first: f64,
    five: f64,
    ten: f64,
    reciprocal: f64,
    gain: f64,
}

/// What recall finds, as `recall` does it.
fn hits(index: &Index, graph: &Graph, queries: &[Query], question: &Question, hearing: Hearing) -> Vec<Hit> {
    let now = Local::now();
    let weigh = |memory: &Memory| memory.governance.holds(now).then_some(1.0);
    let alone = Beside { lifts: &HashMap::new(), weigh: &weigh, most: 1.0 };
    let listened = index.listen(queries);
    let found: Vec<(usize, f64)> =
        listened.hits(LEADING, &alone).iter().map(|hit| (hit.place, hit.relevance)).collect();
    let lifts = match [Hearing::Words, Hearing::Meaning, Hearing::NoGraph].contains(&hearing) {
        true => HashMap::new(),
        false => graph.hear(&question.text, None, &found, moment(now)),
    };
    listened.hits(20, &Beside { lifts: &lifts, ..alone })
}

fn measure(set: &Set, vectors: &Vectors, hearing: Hearing) -> String {
    let indexes: BTreeMap<&String, (Index, Graph)> = set
        .users
        .iter()
        .map(|(user, memories)| {
            let index = vectors.index(memories, hearing);
            let graph = Graph::build(index.memories());
            (user, (index, graph))
        })
        .collect();
    let mut sums = Sums::default();
    let mut by_category: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    let (mut unanswerable, mut through, mut right, mut lost) = (0, 0, 0, 0);
    for question in &set.questions {
        let (index, graph) = &indexes[&question.user];
        let hits = hits(index, graph, &vectors.queries(&question.text, hearing), question, hearing);
        if question.relevant.is_empty() {
            unanswerable += 1;
            through += usize::from(hits.first().is_some_and(|hit| hit.relevance >= GATE));
            continue;
        }
        let is_right: Vec<bool> = hits
            .iter()
            .map(|hit| question.relevant.contains(&index.memories()[hit.place].memory_id))
            .collect();
        for (hit, _) in hits.iter().zip(&is_right).take(RECALLED).filter(|(_, is_right)| **is_right) {
            right += 1;
            lost += usize::from(hit.relevance < GATE);
        }
        let total = question.relevant.len() as f64;
        let among =
            |most: usize| is_right.iter().take(most).filter(|is_right| **is_right).count() as f64 / total;
        sums.count += 1.0;
        sums.first += f64::from(u8::from(is_right.first() == Some(&true)));
        sums.five += among(5);
        sums.ten += among(10);
        sums.reciprocal +=
            is_right.iter().position(|is_right| *is_right).map_or(0.0, |place| 1.0 / (place + 1) as f64);
        sums.gain += gain(&is_right, question.relevant.len());
        let category = by_category.entry(&question.category).or_default();
        category.0 += 1.0;
        category.1 += f64::from(u8::from(is_right.first() == Some(&true)));
    }
    let percent = |sum: f64| format!("{:5.1}", 100.0 * sum / sums.count);
    let mut line = [sums.first, sums.five, sums.ten, sums.reciprocal, sums.gain].map(percent).join(" ");
    if unanswerable > 0 {
        line += &format!(
            "   through the gate {:.0} %",
            f64::from(through as u32) / f64::from(unanswerable) * 100.0
        );
    }
    line += &format!(
        "   right hits lost {:.1} %",
        f64::from(lost as u32) / f64::from(right.max(1) as u32) * 100.0
    );
    if hearing == Hearing::All {
        let shares =
            by_category.iter().map(|(name, (count, first))| format!("{name} {:.0}", 100.0 * first / count));
        line += &format!("\n{:20} R@1 by kind: {}", "", shares.collect::<Vec<_>>().join(", "));
    }
    line
}

/// nDCG@10 with log2(i + 1).
fn gain(is_right: &[bool], relevant: usize) -> f64 {
    let discount = |place: usize| 1.0 / ((place + 2) as f64).log2();
    let found: f64 = is_right
        .iter()
        .take(10)
        .enumerate()
        .filter(|(_, is_right)| **is_right)
        .map(|(place, _)| discount(place))
        .sum();
    found / (0..relevant.min(10)).map(discount).sum::<f64>()
}
