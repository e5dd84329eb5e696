//! How recall and start-up grow with the number of memories.
//!
//! `cargo bench --bench growth [-- COUNT…]`: 1,000, 10,000 and 100,000 memories unless counts are given.
//! Times are of this machine; what counts is how they grow.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench prints, and fails loudly"
)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mini_chatgpt::embed::Model;
use mini_chatgpt::memory::{BUILT_IN_MODEL, Memory, Vector};
use mini_chatgpt::search::{Index, queries};
use serde_json::{Value, json};

fn main() {
    let counts: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let counts = if counts.is_empty() { vec![1_000, 10_000, 100_000] } else { counts };
    let model = Model::get().unwrap();
    let (texts, questions) = texts();
    let parts = model.parts_of_all(&texts.iter().map(String::as_str).collect::<Vec<_>>(), 1);
    let samples: Vec<(String, Vec<f32>)> =
        texts.into_iter().zip(parts.into_iter().map(|mut parts| parts.remove(0))).collect();
    println!("memories   index built   recall p50   p95   file      start   resident");
    for count in counts {
        let memories = memories(&samples, count);
        let start = Instant::now();
        let mut index = Index::new(Some(BUILT_IN_MODEL));
        index.update(&memories);
        let built = start.elapsed();
        let mut times: Vec<Duration> =
            questions.iter().map(|question| recall(model, &index, question)).collect();
        times.sort_unstable();
        let (middle, late) = (times[times.len() / 2], times[times.len() * 95 / 100]);
        let (size, started, resident) = start_up(&memories);
        println!(
            "{count:8} {built:12.0?} {middle:12.1?} {late:8.1?} {size:6} MB {started:8.0?} {resident:6} MB"
        );
    }
    import(&samples);
}

/// One recall as a turn does it, the embedding of the message included.
fn recall(model: &Model, index: &Index, question: &str) -> Duration {
    let start = Instant::now();
    let mut asked = queries(question, None);
    let texts: Vec<&str> = asked.iter().map(|query| query.text.as_str()).collect();
    let vectors = model.parts_of_all(&texts, 1);
    for (query, mut parts) in asked.iter_mut().zip(vectors) {
        query.vector = parts.pop();
    }
    assert!(index.search(&asked, 5).len() <= 5);
    start.elapsed()
}

/// What the sets beside this file say and ask.
fn texts() -> (Vec<String>, Vec<String>) {
    let sets = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/sets");
    let all = |file: &str, key: &str| -> Vec<String> {
        let lines =
            ["own", "held"].map(|set| fs::read_to_string(sets.join(set).join(file)).unwrap()).concat();
        lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()[key].as_str().unwrap().to_owned())
            .collect()
    };
    (all("memories.jsonl", "content"), all("queries.jsonl", "query"))
}

/// `count` memories that say what the samples say, with a word of their own each and vectors nearby.
fn memories(samples: &[(String, Vec<f32>)], count: usize) -> Vec<Arc<Memory>> {
    let mut state = 1u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 0.03
    };
    (0..count)
        .map(|number| {
            let (text, values) = &samples[number % samples.len()];
            let values = values.iter().map(|value| value + noise()).collect();
            let record = json!({"memory_id": number.to_string(), "content": format!("{text} ({number})"),
                "context": "", "created_at": "2026-01-01T00:00:00", "updated_at": "2026-01-01T00:00:00"});
            let memory = Memory::from_json(&record).unwrap();
            Arc::new(Memory { vector: Vector::new(BUILT_IN_MODEL, vec![values]), ..memory })
        })
        .collect()
}

/// Size of the file, time until the program would prompt, and what it then holds.
fn start_up(memories: &[Arc<Memory>]) -> (u64, Duration, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo-user.json");
    let records: Vec<String> = memories
        .iter()
        .map(|memory| {
            let fields: Vec<String> =
                memory.fields().iter().map(|(key, value)| format!("    \"{key}\": {value}")).collect();
            format!("  {{\n{}\n  }}", fields.join(",\n"))
        })
        .collect();
    fs::write(&path, format!("[\n{}\n]\n", records.join(",\n"))).unwrap();
    let mut times: Vec<(Duration, u64)> = (0..5).map(|_| run_once(folder.path())).collect();
    times.sort_unstable();
    (fs::metadata(&path).unwrap().len() / 1_000_000, times[2].0, times[2].1)
}

/// A process that gets ready, answers `/help`, and is then looked at.
fn run_once(folder: &Path) -> (Duration, u64) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_mini-chatgpt"))
        .args(["--base-url", "http://127.0.0.1:9", "--model", "m", "--memory-dir"])
        .arg(folder)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"/help\n").unwrap();
    let mut first = [0];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
    let started = start.elapsed();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    let resident = resident.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() / 1000;
    drop(stdin);
    child.wait().unwrap();
    (started, resident)
}

/// Time to take in two thousand lines, vectors included.
fn import(samples: &[(String, Vec<f32>)]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines");
    let lines: Vec<String> = (0..2000)
        .map(|number| {
            json!({"content": format!("{} ({number})", samples[number % samples.len()].0)}).to_string()
        })
        .collect();
    fs::write(&path, lines.join("\n")).unwrap();
    let start = Instant::now();
    let done = Command::new(env!("CARGO_BIN_EXE_mini-chatgpt"))
        .args(["memory", "import", path.to_str().unwrap(), "--memory-dir", folder.path().to_str().unwrap()])
        .env_clear()
        .stderr(Stdio::null())
        .output()
        .unwrap();
    assert!(done.status.success());
    println!("import: {:.0} memories a second", 2000.0 / start.elapsed().as_secs_f64());
    let size = fs::metadata(env!("CARGO_BIN_EXE_mini-chatgpt")).unwrap().len();
    println!("binary: {:.1} MB", size as f64 / 1e6);
}
