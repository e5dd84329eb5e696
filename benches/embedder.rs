//! The built-in model: how fast it loads and embeds.
//!
//! `cargo bench --bench embedder` measures; `-- centres` makes `centres.f32` anew from the parallel
//! sentences.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench prints, and fails loudly"
)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use mini_chatgpt::embed::Model;
use serde_json::Value;

fn main() {
    let start = Instant::now();
    let model = Model::get().unwrap();
    println!("loading               {:8.1?}", start.elapsed());
    if std::env::args().any(|argument| argument == "centres") {
        return write_centres(model);
    }
    // Begin, end and prefix included: 14, 30, 130 and 512 tokens.
    let word = "tea ";
    for (tokens, words) in [(14, 9), (30, 25), (130, 125), (512, 600)] {
        let text = word.repeat(words);
        println!("{tokens:4} tokens, one core {:8.2?}", median(|| drop(model.parts(&text, 1))));
    }
    let texts: Vec<String> =
        (0..400).map(|number| format!("{number} {}", "a cup of green tea ".repeat(5))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let start = Instant::now();
    model.parts_of_all(&texts, 1);
    println!("30 tokens, all cores  {:8.0} texts/s", 400.0 / start.elapsed().as_secs_f64());
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        let lines = status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("RssAnon"));
        println!("{}", lines.collect::<Vec<_>>().join("  "));
    }
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..31)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn write_centres(model: &Model) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/e5-small-zhen-q4");
    let rows = fs::read_to_string(folder.join("parallel.jsonl")).unwrap();
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut bytes = Vec::new();
    for kind in ["statement", "question"] {
        for language in ["en", "zh"] {
            let texts: Vec<&str> = rows
                .iter()
                .filter(|row| row["kind"] == kind)
                .map(|row| row[language].as_str().unwrap())
                .collect();
            let vectors: Vec<Vec<f32>> = model.parts_of_all(&texts, 1).into_iter().flatten().collect();
            for place in 0..vectors[0].len() {
                let sum: f64 = vectors.iter().map(|vector| f64::from(vector[place])).sum();
                bytes.extend(((sum / vectors.len() as f64) as f32).to_le_bytes());
            }
        }
    }
    fs::write(folder.join("centres.f32"), &bytes).unwrap();
    println!("{} bytes", bytes.len());
}
