//! Answers of real and broken servers, replayed through the real client over real sockets.
//!
//! The project's own cases are in `tests/wire`, one file each: the request's tools, the bytes of the
//! answer in the pieces they come in, and the reply expected. A larger corpus beside the checkout is
//! run too when it is there; nothing of it is part of the project.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use mini_chatgpt::chat::{Cancel, Chat, Progress};
use mini_chatgpt::embed::{EmbedError, Remote};
use mini_chatgpt::endpoint::{self, BaseUrl, Endpoint, Network};
use mini_chatgpt::message::{Arguments, Message, ToolSpec};
use mini_chatgpt::quirks;
use mini_chatgpt::wire::{self, Failure, Finish, Kind, Remedy, Reply, Request};
use serde_json::{Value, json};

/// The cases of the corpus that are judged in another way here, and why.
const JUDGED_OTHERWISE: &[(&str, &str)] = &[
    ("147-error-array", "a bad key is a refused key also where the status is 400"),
    ("169a-batch-limit", "never more than ten texts are sent at once, so the limit of ten is not met"),
    ("169b-batch-limit", "never more than ten texts are sent at once, so the limit of 64 is not met"),
];

/// A request as it came: headers and body.
type Sent = (BTreeMap<String, String>, Value);

/// What one request came to.
struct Outcome {
    /// The first failure, with what is done about it.
    failure: Option<(Failure, String)>,
    reply: Option<Reply>,
    shown: bool,
    requests: Vec<Sent>,
}

/// Answers each request with the next of `answers` (the last one again, when there are no more).
fn replay(answers: Vec<Vec<Vec<u8>>>) -> (String, Arc<Mutex<Vec<Sent>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let Some(request) = read_request(&mut stream) else { continue };
            seen.lock().unwrap().push(request);
            for piece in &answers[number.min(answers.len() - 1)] {
                // The client may have had enough.
                if stream.write_all(piece).and_then(|()| stream.flush()).is_err() {
                    break;
                }
            }
        }
    });
    (url, requests)
}

fn read_request(stream: &mut TcpStream) -> Option<Sent> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 65536];
    loop {
        let read = stream.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let headers: BTreeMap<String, String> = head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        if body.len() >= length {
            return Some((headers, serde_json::from_str(body).unwrap_or_default()));
        }
    }
}

/// An HTTP answer as it goes over the socket; the end of the connection is the end of the body.
fn http_answer(response: &Value) -> Vec<Vec<u8>> {
    let status = response["status"].as_u64().unwrap_or(200);
    let mut head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n");
    for (name, value) in response["headers"].as_object().into_iter().flatten() {
        if !name.eq_ignore_ascii_case("content-length") {
            head.push_str(&format!("{name}: {}\r\n", value.as_str().unwrap_or_default()));
        }
    }
    head.push_str("\r\n");
    let mut pieces = vec![head.into_bytes()];
    match response["chunks"].as_array() {
        Some(chunks) => pieces.extend(chunks.iter().map(|chunk| match chunk["text"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => decode_base64(chunk["b64"].as_str().unwrap_or_default()),
        })),
        None => pieces.push(response["body"].as_str().unwrap_or_default().as_bytes().to_vec()),
    }
    pieces
}

fn decode_base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|byte| ALPHABET.iter().position(|known| *known == byte));
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for digit in digits {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn tools(names: &Value) -> Vec<ToolSpec> {
    let spec = |name: &str, parameters: Value| ToolSpec {
        name: Box::leak(name.to_owned().into_boxed_str()),
        description: "",
        parameters,
    };
    names
        .as_array()
        .into_iter()
        .flatten()
        .map(|tool| match tool.as_str() {
            Some(name) => spec(name, Value::Null),
            None => spec(tool["name"].as_str().unwrap_or_default(), tool["parameters"].clone()),
        })
        .collect()
}

fn run(given: &Value, answers: Vec<Vec<Vec<u8>>>) -> Outcome {
    let (url, requests) = replay(answers);
    let quirks = given["host"].as_str().map_or(quirks::by_name("openai").unwrap(), quirks::by_host);
    let base_url = BaseUrl::parse(&url).unwrap();
    let client = endpoint::client(&Network::default()).unwrap();
    let mut chat = Chat::new(client, Endpoint { base_url, key: None, quirks });
    let offered = tools(if given["tools"].is_null() { &given["tools_schema"] } else { &given["tools"] });
    let history: Vec<Value> = given["history"].as_array().cloned().unwrap_or_default();
    let mut conversation = wire::adopt(&history);
    if history.is_empty() {
        conversation.user = "hi".to_owned();
    }
    let request = Request {
        model: "demo-model",
        system: &conversation.system,
        history: &conversation.turns.iter().collect::<Vec<_>>(),
        message: &Message::new(&conversation.user),
        beside: "",
        rounds: &conversation.rounds,
        tools: &offered,
        temperature: Some(0.3),
        stream: true,
        schema: None,
        images: true,
    };
    let (canceller, mut cancel) = Cancel::pair();
    let mut first: Option<(Failure, String)> = None;
    let mut shown = false;
    let mut progress = |progress: Progress<'_>| match progress {
        Progress::Delta(wire::Delta::Text(text)) => shown |= !text.trim().is_empty(),
        Progress::Delta(_) => {}
        Progress::Learnt { failure, .. } => {
            first.get_or_insert_with(|| (failure.clone(), remedy(failure)));
        }
        Progress::Retry { failure, wait } => {
            let asked = matches!(failure.kind, Kind::RateLimit).then(|| wait.as_millis());
            let plain = [500, 1000, 2000].map(Some).contains(&asked) && wait.as_millis() == 500;
            let how = match asked {
                Some(milliseconds) if !plain => format!("after:{milliseconds}"),
                _ => remedy(failure),
            };
            first.get_or_insert_with(|| (failure.clone(), how));
            canceller.cancel();
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let result = runtime.block_on(chat.send(&request, &mut cancel, &mut progress));
    let (reply, error) = match result {
        Ok(reply) => (Some(reply), None),
        Err(error) => (None, Some(error.failure)),
    };
    let last = error.map(|failure| (failure.clone(), if shown { "no".to_owned() } else { remedy(&failure) }));
    let requests = requests.lock().unwrap().clone();
    Outcome { failure: first.or(last), reply, shown, requests }
}

fn remedy(failure: &Failure) -> String {
    match failure.kind.remedy() {
        Remedy::Tell => "no",
        Remedy::Once => "once",
        Remedy::Backoff => "backoff",
        Remedy::Poll => "poll",
        Remedy::Degrade => "degrade:param",
        Remedy::DropTools => "degrade:tools",
        Remedy::RepairHistory => "repair_history",
        Remedy::Compact if failure.kind == Kind::RateTooLarge => "shrink",
        Remedy::Compact => "compact",
        Remedy::LowerBudget => "lower_max_tokens",
    }
    .to_owned()
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Unreachable | Kind::Server => "server",
        Kind::Timeout => "timeout",
        Kind::Key => "auth",
        Kind::Quota => "quota",
        Kind::RateLimit => "rate_limit",
        Kind::RateTooLarge => "request_too_large_for_rate",
        Kind::Overloaded => "overloaded",
        Kind::Loading => "loading",
        Kind::Conflict => "conflict",
        Kind::Overflow => "context_overflow",
        Kind::OutputBudget => "output_budget",
        Kind::Filtered => "content_filter",
        Kind::NotFound => "not_found",
        Kind::ToolsUnsupported => "tools_unsupported",
        Kind::ToolGeneration => "tool_generation",
        Kind::Unsupported => "unsupported_param",
        Kind::History => "history_invalid",
        Kind::BadRequest => "bad_request",
        Kind::NotAnApi => "not_an_api",
        Kind::Redirect => "redirect",
        Kind::Cut => "incomplete_stream",
        Kind::Empty => "empty_response",
        Kind::ReasoningOnly => "reasoning_only",
    }
}

/// What is wrong with `outcome`, one line for each difference to `expected`.
fn differences(outcome: &Outcome, expected: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut compare = |what: &str, found: Value, wanted: &Value| {
        if found != *wanted {
            wrong.push(format!("{what}: {found} instead of {wanted}"));
        }
    };
    let (mut found_class, mut found_retry) = (Value::Null, json!("no"));
    if let Some((failure, how)) = &outcome.failure {
        found_class = class(failure.kind).into();
        found_retry = how.as_str().into();
    }
    if let Some(reply) = outcome.reply.as_ref().filter(|_| outcome.failure.is_none()) {
        let text = expected["text"].as_str().unwrap_or_default();
        // A leftover close tag may be kept or dropped.
        if text.trim() != "</tool_call>" {
            compare("text", reply.text.trim().into(), &text.trim().into());
        }
        let reasoning = expected["reasoning"].as_str().unwrap_or_default();
        compare("reasoning", reply.thought.text.trim().into(), &reasoning.trim().into());
        let names: Vec<&str> = reply.calls.iter().map(|call| call.name.as_str()).collect();
        let wanted = expected["tool_calls"].as_array().cloned().unwrap_or_default();
        let wanted_names: Vec<Value> = wanted.iter().map(|call| call["name"].clone()).collect();
        compare("calls", json!(names), &json!(wanted_names));
        for (call, wanted) in reply.calls.iter().zip(&wanted) {
            if let Some(id) = wanted["id"].as_str() {
                compare("id", call.id.as_str().into(), &id.into());
            }
            match &call.arguments {
                Arguments::Object(arguments) => {
                    compare("arguments", Value::Object(arguments.clone()), &wanted["arguments"]);
                }
                Arguments::Unusable { problem } if problem.contains("length limit") => {
                    found_class = "truncated_tool_call".into();
                    found_retry = "tool_error".into();
                }
                Arguments::Unusable { .. } => {
                    found_class = "invalid_tool_args".into();
                    found_retry = "tool_error".into();
                }
            }
        }
        match &reply.finish {
            Finish::Cut(failure) => found_class = class(failure.kind).into(),
            Finish::Filtered => found_class = "content_filter".into(),
            Finish::Stop | Finish::Length | Finish::Cancelled => {}
        }
    }
    compare("class", found_class.clone(), &expected["error_class"]);
    // What ended after text was shown is told, whatever the corpus would do about it.
    if !outcome.shown {
        compare("retry", found_retry, expected.get("retry").unwrap_or(&json!("no")));
    }
    wrong
}

/// Whether a request meets an expectation: pointers absent, present or equal, and named checks.
fn request_differences(request: Option<&Sent>, expectation: &Value) -> Vec<String> {
    let Some((headers, body)) = request else { return vec!["no request was sent".to_owned()] };
    let mut wrong = Vec::new();
    let list = |key: &str| expectation[key].as_array().cloned().unwrap_or_default();
    for pointer in list("absent") {
        if body.pointer(pointer.as_str().unwrap()).is_some() {
            wrong.push(format!("{pointer} is there"));
        }
    }
    for (pointer, wanted) in expectation["equals"].as_object().into_iter().flatten() {
        if body.pointer(pointer) != Some(wanted) {
            wrong.push(format!("{pointer} is {:?}, not {wanted}", body.pointer(pointer)));
        }
    }
    for (name, wanted) in expectation["headers"].as_object().into_iter().flatten() {
        if headers.get(name).map(String::as_str) != wanted.as_str() {
            wrong.push(format!("header {name} is {:?}", headers.get(name)));
        }
    }
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    for check in list("checks") {
        let check = check.as_str().unwrap().to_owned();
        if !holds(&check, &messages) {
            wrong.push(format!("{check} does not hold in {}", body["messages"]));
        }
    }
    wrong
}

fn holds(check: &str, messages: &[Value]) -> bool {
    let role = |message: &Value| message["role"].as_str().unwrap_or_default().to_owned();
    let calls =
        || messages.iter().flat_map(|message| message["tool_calls"].as_array().cloned().unwrap_or_default());
    let neighbours = |one: &str, other: &str| {
        messages.windows(2).any(|pair| role(&pair[0]) == one && role(&pair[1]) == other)
    };
    match check {
        "one_leading_system" => {
            messages.iter().filter(|message| role(message) == "system").count() <= 1
                && messages.iter().skip(1).all(|message| role(message) != "system")
        }
        "no_blank_content" => messages.iter().all(|message| {
            message["content"].as_str().is_some_and(|text| !text.trim().is_empty())
                || !message["tool_calls"].is_null()
        }),
        "no_same_role_neighbours" => {
            !["user", "assistant", "system"].iter().any(|role| neighbours(role, role))
        }
        "last_is_user_or_tool" => ["user", "tool"].contains(&role(messages.last().unwrap()).as_str()),
        "no_user_after_tool" => !neighbours("tool", "user"),
        "all_tool_calls_answered" | "no_orphan_tool" | "tool_after_its_call" => {
            let answers: Vec<&Value> = messages
                .iter()
                .filter(|message| role(message) == "tool")
                .map(|message| &message["tool_call_id"])
                .collect();
            let asked: Vec<Value> = calls().map(|call| call["id"].clone()).collect();
            answers.len() == asked.len() && answers.iter().zip(&asked).all(|(answer, asked)| *answer == asked)
        }
        "args_valid_json_object_string" => calls().all(|call| {
            let text = call["function"]["arguments"].as_str().unwrap_or_default();
            serde_json::from_str::<serde_json::Map<String, Value>>(text).is_ok()
        }),
        "tool_turn_content_null_or_text" => {
            messages.iter().filter(|message| !message["tool_calls"].is_null()).all(|message| {
                message["content"].is_null()
                    || message["content"].as_str().is_some_and(|text| !text.is_empty())
            })
        }
        "message_count_unchanged" => messages.len() == 9,
        other => panic!("unknown check {other}"),
    }
}

/// What is wrong with the answer to a case; `None` for a kind of case that is tested elsewhere.
fn check_case(case: &Value) -> Option<Vec<String>> {
    if case["kind"] == "embeddings" {
        return Some(embedding_differences(case));
    }
    if !case["cases"].is_null() {
        return table_differences(case);
    }
    let by_sockets = !case["request_expectation"]["client"].is_null()
        || !case["request_expectation"]["direct_connection"].is_null();
    if by_sockets {
        return None;
    }
    let hello = json!({"status": 200, "body": "{\"choices\":[{\"message\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}"});
    let mut answers = Vec::new();
    answers.push(http_answer(if case["response"].is_null() { &hello } else { &case["response"] }));
    let followups = case["followups"].as_array().cloned().unwrap_or_default();
    answers.extend(followups.iter().map(|followup| http_answer(&followup["response"])));
    let outcome = run(&case["given"], answers);
    let mut wrong = Vec::new();
    if !case["request_expectation"].is_null() {
        wrong.extend(request_differences(outcome.requests.first(), &case["request_expectation"]));
    }
    if !case["expected"].is_null() {
        wrong.extend(differences(&outcome, &case["expected"]));
    }
    Some(wrong)
}

/// What is wrong with a table of pauses or addresses; `None` for tables that are tested beside the code.
fn table_differences(case: &Value) -> Option<Vec<String>> {
    let rows = case["cases"].as_array().unwrap().iter();
    let wrong = |row: &Value| -> Option<String> {
        if let Some(headers) = row["headers"].as_object() {
            let header = |name: &str| headers.get(name).map(|value| value.as_str().unwrap().to_owned());
            let asked = wire::asked_pause(&header, "", row["now_unix"].as_i64());
            let asked = asked.map(|pause| pause.as_millis() as u64);
            return (asked != row["expect_ms"].as_u64()).then(|| format!("{row}: {asked:?}"));
        }
        let base_url = BaseUrl::parse(row["base_url"].as_str().unwrap()).unwrap();
        let url = base_url.join("chat/completions").to_string();
        let as_key = quirks::by_host(base_url.host()).auth == quirks::Auth::ApiKey;
        let right = url == row["expect_url"] && as_key == (row["expect_header"] == "api-key");
        (!right).then(|| format!("{row}: {url}"))
    };
    let ours = matches!(case["quirk"].as_str(), Some("Q156" | "Q157"));
    ours.then(|| rows.filter_map(wrong).collect())
}

/// What is wrong with how an answer of `/embeddings` was taken.
fn embedding_differences(case: &Value) -> Vec<String> {
    let expected = &case["expected"];
    let given = case["given"]["embed"].as_array();
    let count = case["given"]["inputs"].as_u64().map(|count| count as usize);
    let count = count.or(expected["embeddings"].as_array().map(Vec::len)).unwrap_or(1);
    let texts: Vec<String> = match given {
        Some(texts) => texts.iter().map(|text| text.as_str().unwrap().to_owned()).collect(),
        None => (0..count).map(|number| format!("text {number}")).collect(),
    };
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (url, requests) = replay(vec![http_answer(&case["response"])]);
    let endpoint = Endpoint { base_url: BaseUrl::parse(&url).unwrap(), key: None, quirks: &quirks::UNLISTED };
    let mut remote = Remote::new(endpoint::client(&Network::default()).unwrap(), endpoint, "m".to_owned());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let result = runtime.block_on(remote.embed_all(&texts));
    let requests = requests.lock().unwrap().clone();
    let mut wrong = request_differences(requests.first(), &case["request_expectation"]);
    let inputs =
        |number: usize| requests.get(number).map(|(_, body)| body["input"].clone()).unwrap_or_default();
    let wanted = &case["request_expectation"]["body_inputs"];
    if !wanted.is_null() && inputs(0) != *wanted {
        wrong.push(format!("sent {}", inputs(0)));
    }
    let split = expected["retry"].as_str().and_then(|retry| retry.strip_prefix("split:"));
    let sent_next = inputs(1).as_array().map_or(0, Vec::len).to_string();
    match (split, expected["error_class"].as_str(), &result) {
        (Some(size), ..) if sent_next == size => {}
        (None, Some("count_mismatch"), Err(EmbedError::Count { .. })) => {}
        (None, Some("not_found"), Err(EmbedError::Status { .. })) => {}
        (None, None, Ok(found)) if same_directions(found, &expected["embeddings"]) => {}
        (None, None, _) if expected["embeddings"].is_null() => {}
        _ => wrong.push(format!("{sent_next} texts were sent next, and it came to {result:?}")),
    }
    wrong
}

/// Whether vectors are the wanted ones, made unit length.
fn same_directions(found: &[Option<Vec<f32>>], wanted: &Value) -> bool {
    let wanted = wanted.as_array().map(Vec::as_slice).unwrap_or_default();
    found.len() == wanted.len()
        && found.iter().zip(wanted).all(|(found, wanted)| {
            let values: Vec<f64> =
                wanted.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
            let length = values.iter().map(|value| value * value).sum::<f64>().sqrt();
            let found = found.as_deref().unwrap_or_default();
            found.len() == values.len()
                && found.iter().zip(&values).all(|(a, b)| (f64::from(*a) - b / length).abs() < 1e-6)
        })
}

/// Runs cases by name; returns how many were run and what is wrong.
fn run_cases(cases: impl Iterator<Item = (String, Value)>) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, case) in cases {
        let Some(found) = check_case(&case) else { continue };
        count += 1;
        if !found.is_empty() && !JUDGED_OTHERWISE.iter().any(|(judged, _)| *judged == name) {
            wrong.push(format!("{name}: {}", found.join("; ")));
        }
    }
    (count, wrong)
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Reads a case of our own: lines about it (`tools:`, `host:`), `=== answer` with status, headers and
/// body, and `=== reply` with what is expected. In the body `⏐` is a border between two pieces of the
/// answer, and `␍` a carriage return.
fn own_case(text: &str) -> Value {
    let (about, rest) = text.split_once("=== answer\n").expect("=== answer");
    let (answer, reply) = rest.split_once("=== reply\n").expect("=== reply");
    let field = |part: &str, name: &str| {
        part.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned))
    };
    let (head, body) = answer.split_once("\n\n").unwrap_or((answer.trim_end(), ""));
    let mut head = head.lines();
    let status: u64 = head.next().unwrap_or_default().trim().parse().expect("a status");
    let headers: serde_json::Map<String, Value> = head
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    let body = body.replace('␍', "\r");
    let chunks: Vec<Value> = body.split('⏐').map(|piece| json!({"text": piece})).collect();
    let unescaped = |name: &str| field(reply, name).unwrap_or_default().replace("\\n", "\n");
    let calls: Vec<Value> = reply
        .lines()
        .filter_map(|line| line.strip_prefix("call: ")?.split_once(' '))
        .map(|(name, arguments)| json!({"name": name, "arguments": serde_json::from_str::<Value>(arguments).unwrap()}))
        .collect();
    let tools: Option<Vec<String>> =
        field(about, "tools").map(|names| names.split_whitespace().map(str::to_owned).collect());
    json!({
        "given": {"tools": tools, "host": field(about, "host")},
        "response": {"status": status, "headers": headers, "chunks": chunks},
        "expected": {
            "text": unescaped("text"), "reasoning": unescaped("reasoning"), "tool_calls": calls,
            "error_class": field(reply, "class"), "retry": field(reply, "retry").unwrap_or("no".into()),
        },
    })
}

#[test]
fn our_own_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    let cases = files(&folder, "case").into_iter();
    let (count, wrong) =
        run_cases(cases.map(|path| (name_of(&path), own_case(&std::fs::read_to_string(&path).unwrap()))));
    assert!(count > 0, "no cases in {}", folder.display());
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_corpus_beside_the_checkout() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/quirks/cases");
    let cases = files(&folder, "json").into_iter();
    let (count, wrong) = run_cases(
        cases.map(|path| (name_of(&path), serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap())),
    );
    // Seen with `cargo test the_corpus -- --nocapture`.
    writeln!(std::io::stdout(), "{count} cases of the corpus were run").unwrap();
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The reply to a body that comes in pieces of `size` bytes.
fn read_in_pieces(body: &[u8], offered: &[ToolSpec], size: usize) -> Result<Reply, Failure> {
    let mut reader = wire::Reader::new(offered);
    for piece in body.chunks(size) {
        if let Err(failure) = reader.push(piece, &mut |_| {}) {
            return reader.broken(failure, &mut |_| {});
        }
    }
    reader.finish(&mut |_| {})
}

#[test]
fn no_case_depends_on_where_its_pieces_end() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    for path in files(&folder, "case") {
        let case = own_case(&std::fs::read_to_string(&path).unwrap());
        let pieces = case["response"]["chunks"].as_array().unwrap().iter();
        let body: String = pieces.map(|piece| piece["text"].as_str().unwrap()).collect();
        let offered = tools(&case["given"]["tools"]);
        let whole = read_in_pieces(body.as_bytes(), &offered, body.len().max(1));
        for size in [1, 2, 3, 7, 64] {
            assert_eq!(read_in_pieces(body.as_bytes(), &offered, size), whole, "{}, {size}", path.display());
        }
    }
}

/// Recordings: the raw answer goes over the socket as it came, whatever it is, and reading it ends.
#[test]
fn recordings_beside_the_checkout() {
    for server in ["llamacpp", "litellm"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/wire").join(server);
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            let text = std::fs::read(&path).unwrap();
            let marker = b"=== RESPONSE ===\n";
            let Some(at) = text.windows(marker.len()).position(|window| window == marker) else { continue };
            let (request, response) = (&text[..at], &text[at + marker.len()..]);
            let request = String::from_utf8_lossy(request);
            if !request.contains("/chat/completions") || !response.starts_with(b"HTTP/1.1") {
                continue;
            }
            let named =
                if request.contains("\"tools\"") { json!({"tools": ["upsert_memory"]}) } else { json!({}) };
            let outcome = run(&named, vec![vec![response.to_vec()]]);
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let answer = String::from_utf8_lossy(response);
            let says = answer.contains("\"tool_calls\":[")
                || answer.split("\"content\":\"").skip(1).any(|content| !content.starts_with('"'));
            let succeeded = answer.starts_with("HTTP/1.1 200") && says && !answer.contains("\"error\":");
            assert_eq!(
                outcome.reply.is_some() && outcome.failure.is_none(),
                succeeded,
                "{server}/{name}: {:?}",
                outcome.failure
            );
        }
    }
}
