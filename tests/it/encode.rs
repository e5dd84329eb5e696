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

const NOTHING: &str = r#"{"facts": [], "episode": null}"#;

fn proposal(quote: &str, content: &str) -> String {
    let fact = json!({"subject": "user", "relation": "", "object": "", "content": content, "kind": "fact",
        "importance": 6, "confidence": 0.9, "quote": quote});
    json!({"facts": [fact], "episode": null}).to_string()
}

fn contents(test: &Test) -> Vec<String> {
    let file = test.memory_file("demo-user");
    file.as_array().unwrap().iter().map(|memory| memory["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_request_holds_the_users_words_and_nothing_to_learn_wrong_things_from() {
    let server = Server::new()
        .reply(Reply::text("好的"))
        .reply(Reply::text(&proposal("我住在成都", "用户住在成都")))
        .start();
    let test = encoding()
        .server(&server)
        .file(".memory/demo-user.json", r#"[{"memory_id": "a", "content": "用户在成都有一套房子"}]"#);
    let run = test.run_with(&["--system", "You are Ada.", "我住在成都"], "");
    run.ok().stdout("好的\n").stderr("💾 m2 remembered: 用户住在成都\n");
    let request = &server.requests()[1];
    assert_eq!(request.tools(), Vec::<String>::new());
    assert_eq!(request.body["response_format"]["type"], "json_schema");
    let text = request.body.to_string();
    assert!(!text.contains("Ada") && !text.contains("<memories>"), "{text}");
    assert!(text.contains("我住在成都") && text.contains("m1 用户在成都有一套房子"), "{text}");
    let record = &test.memory_file("demo-user")[1];
    assert_eq!(record["source"], "extracted");
    assert_eq!(record["evidence"]["quote"], "我住在成都");
    assert_eq!(record["fact"]["relation"], "lives_in");
}

#[test]
fn an_endpoint_without_schemas_is_asked_in_plain_words() {
    let refusal = "This response_format type is unavailable now";
    let server = Server::new()
        .reply(Reply::text("ok"))
        .reply(Reply::error(400, refusal))
        .reply(Reply::text(&proposal("I live in Rome", "The user lives in Rome")))
        .reply(Reply::text("ok"))
        .reply(Reply::text(NOTHING))
        .start();
    let test = encoding().server(&server);
    // What was learnt holds for the rest of the conversation.
    test.run_with(&[], "I live in Rome\n").ok().stdout("ok\n");
    let schemas: Vec<bool> =
        server.requests().iter().map(|request| request.body.get("response_format").is_some()).collect();
    assert_eq!(schemas, [false, true, false]);
    assert_eq!(contents(&test), ["The user lives in Rome"]);
    test.run_with(&[], "I live in Rome\n").ok();
}

#[test]
fn a_failure_disturbs_nobody_and_is_made_good_at_the_next_start() {
    let server = Server::new()
        .reply(Reply::text("ok"))
        .replies((0..3).map(|_| Reply::error(500, "broken")))
        .reply(Reply::text("hello"))
        .reply(Reply::text(&proposal("I live in Rome", "The user lives in Rome")))
        .start();
    let test = encoding().server(&server);
    let run = test.run_with(&["I live in Rome"], "");
    run.ok().stdout("ok\n").stderr_has("noting what was said does not succeed");
    assert!(!test.path(".memory/demo-user.json").exists());
    test.run_with(&["hi"], "").ok().stdout("hello\n").stderr("💾 m1 remembered: The user lives in Rome\n");
    assert_eq!(std::fs::read_dir(test.path(".memory/demo-user/pending")).unwrap().count(), 0);
    test.run_with(&["memory", "stats", "--json"], "").ok().stdout_has(r#""encoded":{"done":1,"failed":3}"#);
}

#[test]
fn what_was_said_before_a_kill_is_encoded_at_the_next_start() {
    let server = Server::new()
        .reply(Reply::text("ok"))
        .reply(Reply::hang())
        .reply(Reply::text("hello"))
        .reply(Reply::text(&proposal("My cat is called Tom", "The user's cat is called Tom")))
        .start();
    let test = encoding().server(&server);
    let mut live = test.spawn_with(&["My cat is called Tom"]);
    live.close_stdin();
    server.wait_for_requests(2);
    live.kill();
    test.run_with(&["hi"], "").ok().stderr("💾 m1 remembered: The user's cat is called Tom\n");
}

#[test]
fn what_a_tool_has_written_is_not_asked_about_again() {
    let arguments = json!({"content": "用户对花生过敏", "context": "自我介绍", "memory_type": "semantic"});
    let server = Server::new()
        .reply(Reply::calls([("upsert_memory", arguments)]))
        .reply(Reply::text("记住了"))
        .start();
    let test = encoding().server(&server);
    test.run_with(&["我对花生过敏"], "").ok();
    assert_eq!(contents(&test), ["用户对花生过敏"]);
}

#[test]
fn a_script_is_answered_first_and_encoded_in_few_requests() {
    let server =
        Server::new().replies(["one", "two", "three"].map(Reply::text)).reply(Reply::text(NOTHING)).start();
    let test = encoding().server(&server);
    test.run_with(&[], "I live in Rome\nI have a cat\nMy wife is called Anna\n")
        .ok()
        .stdout("one\ntwo\nthree\n");
    let asked = server.requests()[3].last_user();
    assert!(asked.contains("Rome") && asked.contains("cat") && asked.contains("Anna"), "{asked}");
}

#[test]
fn paused_means_read_only_and_incognito_neither() {
    let server = Server::new().replies((0..3).map(|_| Reply::text("ok"))).start();
    let test = encoding().server(&server).file(
        ".memory/demo-user.json",
        r#"[{"memory_id": "a", "content": "The user is allergic to peanuts"}]"#,
    );
    test.run_with(&[], "/pause\nMy cat hates peanuts, am I allergic to peanuts?\n").ok();
    test.run_with(&["--incognito"], "Do I like peanuts? I have a dog.\n").ok();
    test.run_with(&[], "/incognito\nPeanuts again. I have a dog.\n/resume-memory\n").ok();
    let requests = server.requests();
    assert_eq!(requests[0].tools(), ["search_memory", "query_graph"]);
    assert!(requests[0].shown().contains("The user is allergic to peanuts"));
    for request in &requests[1..] {
        assert_eq!(request.tools(), Vec::<String>::new());
        assert!(!request.shown().contains("The user is"), "{}", request.shown());
    }
    assert_eq!(contents(&test).len(), 1);
    assert!(!test.path(".memory/demo-user/pending").exists());
}

#[test]
fn a_model_that_names_no_json_is_asked_once_more_and_then_given_up() {
    let server = Server::new().replies(["ok", "I would remember that.", "Sorry!"].map(Reply::text)).start();
    let test = encoding().server(&server);
    test.run_with(&["I live in Rome"], "").ok().stderr("");
    test.run_with(&["memory", "stats", "--json"], "").ok().stdout_has(r#""encoded":{"malformed":1}"#);
    let repair = server.requests()[2].last_user();
    assert!(repair.contains("not the JSON object"), "{repair}");
}

#[test]
fn a_smaller_model_may_do_it_and_nobody_has_to() {
    let server =
        Server::new().reply(Reply::text("ok")).reply(Reply::text(NOTHING)).reply(Reply::text("ok")).start();
    let test = encoding().server(&server);
    test.run_with(&["--encode-model", "tiny", "I live in Rome"], "").ok();
    test.run_with(&["--encode", "off", "I live in Rome"], "").ok();
    let models: Vec<String> = server.requests().iter().map(|r| r.body["model"].to_string()).collect();
    assert_eq!(models, ["\"test-model\"", "\"tiny\"", "\"test-model\""]);
    test.run_with(&["--encode", "always", "x"], "").code(2).stderr_has("auto, off");
}

#[test]
fn two_hundred_turns_that_say_the_same_leave_as_much_as_one() {
    let said =
        ["I live in Lisbon", "My home is in Lisbon", "我养了一只猫叫豆豆", "我的猫叫豆豆，我住在里斯本"];
    let propose = |body: &Value| {
        let asked = body["messages"][1]["content"].as_str().unwrap_or_default();
        let lines = asked.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let quotes = lines.filter_map(|line| Some(line.get("user says")?.as_str()?.to_owned()));
        let facts: Vec<Value> = quotes
            .map(|quote| match quote.starts_with(['我', '住']) {
                true => json!({"quote": "豆豆", "content": "用户的猫叫豆豆", "subject": "user", "relation": "has_pet",
                    "object": "豆豆", "importance": 5}),
                false => json!({"quote": quote, "content": "The user lives in Lisbon", "subject": "user",
                    "relation": "lives_in", "object": "Lisbon", "importance": 5}),
            })
            .collect();
        Reply::text(&json!({"facts": facts, "episode": null}).to_string())
    };
    let reply = move || {
        Reply::with(move |body| match body.get("response_format") {
            Some(_) => propose(body),
            None => Reply::text("ok"),
        })
    };
    let server = Server::new().replies((0..300).map(|_| reply())).allow_unused().start();
    let test = encoding().server(&server).args(["--window", "off"]);
    let lines: String = (0..200).map(|turn| format!("{}\n", said[turn % said.len()])).collect();
    test.run_with(&[], lines).ok();
    assert_eq!(contents(&test), ["The user lives in Lisbon", "用户的猫叫豆豆"]);
    assert_eq!(server.requests().len(), 250, "four turns to a request for proposals");
}
