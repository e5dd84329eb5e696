//! What is remembered of a turn afterwards: the cases in `tests/encode`, through the binary.
//!
//! Each case says what memories there are, what the user says, what a model proposes, and what has to be in
//! memory in the end. The fake endpoint answers the turn first and the request for proposals then.

use std::path::Path;

use chrono::{Duration, Utc};
use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::Test;

fn encoding() -> Test {
    Test::new().env("MINI_CHATGPT_ENCODE", "auto")
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    items.iter().map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
}

/// `{+1}` as tomorrow's date.
fn with_dates(text: &str) -> String {
    let mut text = text.to_owned();
    // The harness lets the program live in Shanghai.
    let today = (Utc::now() + Duration::hours(8)).date_naive();
    for days in -40_i64..=40 {
        let day = (today + Duration::days(days)).to_string();
        text = text.replace(&format!("{{{days:+}}}"), &day);
    }
    text
}

/// The memory file before the case.
fn before(case: &Value) -> String {
    let memories = case["before"].as_array().cloned().unwrap_or_default();
    let records = memories.iter().enumerate().map(|(number, memory)| {
        let mut record = json!({"memory_id": format!("before-{number}"), "content": "", "context": "",
            "created_at": "2026-01-01T00:00:00", "updated_at": "2026-01-01T00:00:00",
            "memory_type": "semantic", "embedding": null});
        match memory {
            Value::String(content) => record["content"] = content.as_str().into(),
            fields => {
                for (key, value) in fields.as_object().unwrap() {
                    record[key] = value.clone();
                }
            }
        }
        record
    });
    Value::from(records.collect::<Vec<_>>()).to_string()
}

/// What a run of the program leaves: contents that hold, that were superseded, reasons of refusals, and how
/// much waits for the user.
#[derive(Debug, PartialEq)]
struct Left {
    holds: Vec<String>,
    closed: Vec<String>,
    refused: Vec<String>,
    waiting: usize,
}

fn left(test: &Test) -> Left {
    let mut left = Left { holds: vec![], closed: vec![], refused: vec![], waiting: 0 };
    if test.path(".memory/demo-user.json").exists() {
        for memory in test.memory_file("demo-user").as_array().unwrap() {
            let content = memory["content"].as_str().unwrap().to_owned();
            match memory.get("superseded_by") {
                Some(_) => left.closed.push(content),
                None => left.holds.push(content),
            }
        }
    }
    if test.path(".memory/demo-user/changes.jsonl").exists() {
        for line in test.read(".memory/demo-user/changes.jsonl").lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            match line["event"].as_str().unwrap() {
                "refused" => left.refused.push(line["reason"].as_str().unwrap().to_owned()),
                "queued" => left.waiting += 1,
                _ => {}
            }
        }
    }
    left
}

/// The replies to one turn, and how many of them have to be asked for.
fn replies(turn: &Value) -> (Vec<Reply>, usize) {
    let answer = Reply::text(turn["answer"].as_str().unwrap_or("ok"));
    let proposed: Vec<Reply> = match &turn["propose"] {
        Value::Null => Vec::new(),
        Value::Array(answers) => answers.iter().map(|answer| Reply::text(answer.as_str().unwrap())).collect(),
        Value::String(answer) => vec![Reply::text(answer)],
        object => vec![Reply::text(&object.to_string())],
    };
    let count = 1 + proposed.len();
    (std::iter::once(answer).chain(proposed).collect(), count)
}

/// Runs a case; what came out of it otherwise than it should.
fn problem(case: &Value) -> Option<String> {
    let test = encoding();
    for content in texts(&case["forgotten"]) {
        let added = test.run_with(&["memory", "add", "--json", &content], "");
        let id =
            serde_json::from_str::<Value>(&added.ok().stdout).unwrap()["id"].as_str().unwrap().to_owned();
        test.run_with(&["memory", "forget", "--yes", &id], "").ok();
    }
    let test =
        if case.get("before").is_some() { test.file(".memory/demo-user.json", &before(case)) } else { test };
    let mut requests = Vec::new();
    for turn in case["turns"].as_array().unwrap() {
        let (replies, wanted) = replies(turn);
        let surplus = (0..2).map(|_| Reply::text(r#"{"facts": [], "episode": null}"#));
        let server = Server::new().replies(replies).replies(surplus).allow_unused().start();
        let env = [("OPENAI_BASE_URL", server.url()), ("OPENAI_API_KEY", "sk-test".to_owned())];
        let mut command = test.command();
        command.args(["--once", turn["say"].as_str().unwrap()]).envs(env).env("MINI_CHATGPT_MODEL", "m");
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stderr));
        let got = server.requests().len();
        if got != wanted {
            requests.push(format!("{got} requests instead of {wanted} for {}", turn["say"]));
        }
    }
    let expected = Left {
        holds: texts(&case["holds"]).iter().map(|text| with_dates(text)).collect(),
        closed: texts(&case["closed"]).iter().map(|text| with_dates(text)).collect(),
        refused: texts(&case["refused"]),
        waiting: case["waiting"].as_u64().unwrap_or_default() as usize,
    };
    let left = left(&test);
    if left == expected && requests.is_empty() {
        return None;
    }
    Some(format!("{} {requests:?}\n  got      {left:?}\n  expected {expected:?}", case["name"]))
}

/// Runs the cases of a file; `known` are those of which the README says that they come out otherwise.
#[track_caller]
fn check(file: &str, known: &[&str]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/encode").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let half = cases.len() / 2;
    let run = |cases: &[Value]| -> Vec<(String, Option<String>)> {
        cases.iter().map(|case| (case["name"].as_str().unwrap().to_owned(), problem(case))).collect()
    };
    let results = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(&cases[half..]));
        let mut results = run(&cases[..half]);
        results.extend(other.join().unwrap());
        results
    });
    let wrong: Vec<&String> = results
        .iter()
        .filter_map(|(name, problem)| problem.as_ref().filter(|_| !known.contains(&name.as_str())))
        .collect();
    let mended: Vec<&String> = results
        .iter()
        .filter(|(name, problem)| problem.is_none() && known.contains(&name.as_str()))
        .map(|(name, _)| name)
        .collect();
    let report: String = wrong.iter().map(|problem| format!("{problem}\n")).collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n{report}", wrong.len(), cases.len());
    assert!(mended.is_empty(), "known as wrong, and right now: {mended:?}");
}

#[test]
fn chinese_cases() {
    check("zh.jsonl", &[]);
}

#[test]
fn english_cases() {
    check("en.jsonl", &["en-gate-thanks"]);
}
