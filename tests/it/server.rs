//! The fake OpenAI-compatible server: it plays a script of replies and polices every chat request.
//!
//! Purpose: a test says what the model answers, byte by byte if need be, and gets for free the
//! proof that what the program sent is a request every provider accepts.
//!
//! Invariants:
//! - loopback and std only; nothing sleeps, every wait is on a condvar or a socket and has a limit;
//! - the n-th chat request takes the n-th reply; a refused key takes none;
//! - a request is recorded and policed before its reply starts, so after `wait_for_requests(n)`
//!   the n-th one can be read;
//! - dropping a `Server` fails the test on any violation, and on replies nobody asked for.
//!
//! Absent on purpose: TLS, HTTP/2, compression. They belong to the HTTP library, not to us.

#![allow(dead_code, reason = "a toolbox: not every test run uses every tool")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::print_stderr,
    reason = "a broken test harness has to fail loudly"
)]

use crate::police::police;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

const WAIT_LIMIT: Duration = Duration::from_secs(20);
const CLOSE_LIMIT: Duration = Duration::from_secs(5);
const LINE_LIMIT: u64 = 64 * 1024;
const BODY_LIMIT: usize = 64 * 1024 * 1024;
const PIECE_CHARS: usize = 5;
const DIMENSIONS: usize = 16;
const SSE: &str = "text/event-stream";
pub const JSON: &str = "application/json";

// ---------------------------------------------------------------------------------- the server

pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    acceptor: Option<JoinHandle<()>>,
}

impl Server {
    /// A server that does nothing but play `script`.
    pub fn start(script: Vec<Reply>) -> Server {
        Server::new().replies(script).start()
    }

    /// Settings first, then `Setup::start`.
    #[allow(clippy::new_ret_no_self, reason = "reads as one sentence: new, settings, start")]
    pub fn new() -> Setup {
        Setup::default()
    }

    /// What goes into `OPENAI_BASE_URL`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The chat requests so far, in order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.lock().requests.clone()
    }

    /// The target of every request so far, of whatever kind.
    pub fn all_paths(&self) -> Vec<String> {
        self.shared.lock().paths.clone()
    }

    /// Blocks until `count` chat requests have arrived.
    #[track_caller]
    pub fn wait_for_requests(&self, count: usize) {
        let what = format!("{count} chat requests");
        drop(self.shared.wait(&what, |state| state.requests.len() >= count));
    }

    /// Blocks until a client that was left hanging went away; each call waits for one more.
    #[track_caller]
    pub fn wait_for_disconnect(&self) {
        let what = "a disconnect";
        let mut state = self.shared.wait(what, |state| state.departures > 0);
        state.departures -= 1;
    }

    /// Ends all connections and says what was wrong. A step of `drop` that never panics itself.
    fn close(&mut self) -> Vec<String> {
        self.shared.lock().stopping = true;
        // The acceptor blocks in `accept`; one more connection wakes it up.
        drop(TcpStream::connect(self.address));
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        for connection in self.shared.lock().connections.drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
        // Limited, because a `Reply::with` may wait for something the test no longer does.
        let (mut state, _) = self
            .shared
            .changed
            .wait_timeout_while(self.shared.lock(), CLOSE_LIMIT, |state| state.open > 0)
            .unwrap_or_else(PoisonError::into_inner);
        let mut problems = std::mem::take(&mut state.violations);
        if state.open > 0 {
            problems.push(format!("{} connections did not end", state.open));
        }
        if !state.script.is_empty() && !self.shared.settings.allow_unused {
            let unused = state.script.len();
            problems.push(format!("{unused} scripted replies were never asked for"));
        }
        problems
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let problems = self.close();
        if problems.is_empty() {
            return;
        }
        let report = format!("the fake server objects:\n- {}", problems.join("\n- "));
        if thread::panicking() {
            // A second panic would abort and hide the first, of which this may be the cause.
            eprintln!("{report}");
        } else {
            panic!("{report}");
        }
    }
}

/// What the server will do, before it runs.
#[derive(Default)]
#[must_use]
pub struct Setup {
    script: VecDeque<Reply>,
    settings: Settings,
}

#[derive(Default)]
struct Settings {
    models: Option<Vec<String>>,
    embeddings: Embeddings,
    key: Option<String>,
    allow_unused: bool,
    /// Tokens of a request at most.
    context: Option<usize>,
    /// What the list of models says besides the ids.
    listed: Value,
}

#[derive(Default)]
enum Embeddings {
    #[default]
    Missing,
    Working,
    Failing(u16),
}

impl Setup {
    pub fn reply(mut self, reply: Reply) -> Setup {
        self.script.push_back(reply);
        self
    }

    pub fn replies(mut self, replies: impl IntoIterator<Item = Reply>) -> Setup {
        self.script.extend(replies);
        self
    }

    /// What `/models` lists; without this it is a 404.
    pub fn models<const N: usize>(mut self, ids: [&str; N]) -> Setup {
        self.settings.models = Some(ids.map(str::to_owned).to_vec());
        self
    }

    /// Answers `/embeddings` with `embedding`; without this it is a 404.
    pub fn with_embeddings(mut self) -> Setup {
        self.settings.embeddings = Embeddings::Working;
        self
    }

    pub fn embeddings_fail(mut self, status: u16) -> Setup {
        self.settings.embeddings = Embeddings::Failing(status);
        self
    }

    /// Anything but `Bearer key` is answered with a 401, on every path.
    pub fn require_key(mut self, key: &str) -> Setup {
        self.settings.key = Some(key.to_owned());
        self
    }

    /// Refuses a request of more tokens, which is a violation as well.
    pub fn context(mut self, tokens: usize) -> Setup {
        self.settings.context = Some(tokens);
        self
    }

    /// Fields of each model in the list of models.
    pub fn listed(mut self, fields: Value) -> Setup {
        self.settings.listed = fields;
        self
    }

    /// Scripted replies may be left over.
    pub fn allow_unused(mut self) -> Setup {
        self.settings.allow_unused = true;
        self
    }

    pub fn start(self) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = listener.local_addr().expect("the port's address");
        let shared = Arc::new(Shared {
            settings: self.settings,
            calls: AtomicUsize::new(0),
            changed: Condvar::new(),
            state: Mutex::new(State { script: self.script, ..State::default() }),
        });
        let acceptor = thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Server { shared, address, acceptor: Some(acceptor) }
    }
}

struct Shared {
    settings: Settings,
    calls: AtomicUsize,
    changed: Condvar,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    script: VecDeque<Reply>,
    requests: Vec<Request>,
    paths: Vec<String>,
    violations: Vec<String>,
    departures: usize,
    connections: Vec<TcpStream>,
    open: usize,
    stopping: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    #[track_caller]
    fn wait(&self, what: &str, mut met: impl FnMut(&State) -> bool) -> MutexGuard<'_, State> {
        let (state, timeout) = self
            .changed
            .wait_timeout_while(self.lock(), WAIT_LIMIT, |state| !met(state))
            .unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() {
            let paths = state.paths.clone();
            // Released first, so that the panic does not poison what `drop` still reads.
            drop(state);
            panic!("waited {WAIT_LIMIT:?} for {what}; the requests so far: {paths:?}");
        }
        state
    }

    /// The reply to one request; a chat request is recorded and policed on the way.
    fn route(&self, method: &str, request: &Request) -> Reply {
        let path = request.path.split('?').next().unwrap_or_default();
        let is_chat = method == "POST" && path.ends_with("/chat/completions");
        let mut violations = if is_chat { police(request) } else { Vec::new() };
        let (size, most) = (tokens_of(&request.body), self.settings.context.unwrap_or(usize::MAX));
        let too_long = is_chat && size > most;
        if too_long {
            violations.push(format!("{size} tokens are more than {most}"));
        }
        self.update(|state| {
            state.paths.push(request.path.clone());
            if is_chat {
                state.requests.push(request.clone());
                let number = state.requests.len();
                let labelled = violations.iter().map(|v| format!("chat request {number}: {v}"));
                state.violations.extend(labelled);
            }
        });
        let expected = self.settings.key.as_ref().map(|key| format!("Bearer {key}"));
        if expected.is_some() && expected.as_ref() != request.headers.get("authorization") {
            return Reply::error(401, "Incorrect API key provided.");
        }
        match path.rsplit('/').next() {
            _ if too_long => Reply::error(400, &format!("maximum context length is {most} tokens")),
            _ if is_chat => self.next_reply(),
            Some("models") if method == "GET" => self.list_models(),
            Some("embeddings") if method == "POST" => self.embed(&request.body),
            _ => Reply::error(404, &format!("Unknown request: {method} {path}")),
        }
    }

    fn next_reply(&self) -> Reply {
        let mut state = self.lock();
        if let Some(reply) = state.script.pop_front() {
            return reply;
        }
        let number = state.requests.len();
        let message = format!("the script is exhausted, nothing is left for chat request {number}");
        state.violations.push(message.clone());
        Reply::error(500, &message)
    }

    fn list_models(&self) -> Reply {
        let Some(ids) = &self.settings.models else {
            return Reply::error(404, "Unknown request: GET /models");
        };
        let row = |id: &String| {
            let mut row = json!({"id": id, "object": "model", "created": 0, "owned_by": "fake"});
            for (name, value) in self.settings.listed.as_object().into_iter().flatten() {
                row[name] = value.clone();
            }
            row
        };
        let rows: Vec<Value> = ids.iter().map(row).collect();
        Reply::status(200, json!({"object": "list", "data": rows}))
    }

    fn embed(&self, body: &Value) -> Reply {
        match self.settings.embeddings {
            Embeddings::Missing => return Reply::error(404, "Unknown request: POST /embeddings"),
            Embeddings::Failing(code) => return Reply::error(code, "Embeddings are failing."),
            Embeddings::Working => {}
        }
        let texts: Option<Vec<&str>> = match &body["input"] {
            Value::String(text) => Some(vec![text.as_str()]),
            Value::Array(texts) => texts.iter().map(Value::as_str).collect(),
            _ => None,
        };
        let Some(texts) = texts.filter(|texts| texts.iter().all(|text| !text.is_empty())) else {
            return Reply::error(400, "'input' has to be a non-empty string or a list of them.");
        };
        let row = |(index, text): (usize, &&str)| {
            let vector = embedding(text);
            json!({"object": "embedding", "index": index, "embedding": vector})
        };
        let rows: Vec<Value> = texts.iter().enumerate().map(row).collect();
        let usage = json!({"prompt_tokens": 1, "total_tokens": 1});
        Reply::status(200, json!({"object": "list", "data": rows, "model": body["model"], "usage": usage}))
    }
}

/// The vector `/embeddings` gives: each word and each CJK character adds to one of 16 dimensions,
/// so texts that share words are near each other, and the same text is always the same vector.
pub fn embedding(text: &str) -> Vec<f32> {
    let mut vector = [0.0_f32; DIMENSIONS];
    for token in tokens(&text.to_lowercase()) {
        // FNV-1a: std's hasher does not promise to be the same in the next release.
        let hash = token.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
        vector[(hash >> 32) as usize % DIMENSIONS] += sign;
    }
    if vector.iter().all(|x| *x == 0.0) {
        vector[0] = 1.0;
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        let is_cjk = ('\u{2e80}'..='\u{9fff}').contains(&c) || c >= '\u{f900}' && c.is_alphabetic();
        if c.is_alphanumeric() && !is_cjk {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word));
        }
        if is_cjk && c.is_alphanumeric() {
            tokens.push(c.to_string());
        }
    }
    tokens
}

// ------------------------------------------------------------------------------------- requests

/// One request as it arrived; `body` is null if it was not JSON.
#[derive(Clone, Debug)]
pub struct Request {
    pub path: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Value,
}

impl Request {
    pub fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The content of the system message, empty without one.
    pub fn system(&self) -> String {
        content_of(self.messages().iter().find(|m| m["role"] == "system"))
    }

    /// All that the model is shown before it answers: the system part, and the newest message with what stands beside it.
    pub fn shown(&self) -> String {
        format!("{}\n{}", self.system(), self.last_user())
    }

    /// What the last user message says, empty without one.
    pub fn last_user(&self) -> String {
        typed(&content_of(self.messages().iter().rfind(|m| m["role"] == "user")))
    }

    /// What all messages but the system part say.
    pub fn said(&self) -> Vec<String> {
        self.messages()[1..].iter().map(|message| typed(&content_of(Some(message)))).collect()
    }

    /// The names of the tools on offer.
    pub fn tools(&self) -> Vec<String> {
        let tools = self.body["tools"].as_array().map_or(&[][..], Vec::as_slice);
        let name = |tool: &Value| tool["function"]["name"].as_str().unwrap_or_default().to_owned();
        tools.iter().map(name).collect()
    }
}

/// A message without the time that it begins with.
fn typed(content: &str) -> String {
    let stamped = content.strip_prefix("[20").and_then(|rest| rest.split_once("]\n"));
    stamped
        .filter(|(time, _)| time.len() == "26-11-30 20:36".len())
        .map_or(content, |(_, rest)| rest)
        .to_owned()
}

fn content_of(message: Option<&Value>) -> String {
    let content = message.and_then(|m| m["content"].as_str());
    content.unwrap_or_default().to_owned()
}

// -------------------------------------------------------------------------------------- replies

/// One scripted answer to a chat request.
#[must_use]
pub struct Reply {
    body: Body,
    headers: Vec<(String, String)>,
    ending: Ending,
    byte_by_byte: bool,
}

enum Body {
    Message { text: String, calls: Vec<(String, String)> },
    Status { code: u16, kind: &'static str, text: String },
    Raw(Vec<Vec<u8>>),
    Nothing,
    NoResponse,
    Computed(Box<dyn FnOnce(&Value) -> Reply + Send>),
}

#[derive(Clone, Copy, PartialEq)]
enum Ending {
    Complete,
    Cut,
    Stall,
}

impl Reply {
    fn of(body: Body) -> Reply {
        Reply { body, headers: Vec::new(), ending: Ending::Complete, byte_by_byte: false }
    }

    /// A final answer: streamed if the request wants a stream, else one JSON completion.
    pub fn text(text: &str) -> Reply {
        Reply::of(Body::Message { text: text.to_owned(), calls: Vec::new() })
    }

    /// Tool calls. Arguments that are a JSON string are sent as they stand, so that
    /// `("save", json!("{broken"))` is a call with unparsable arguments.
    pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Reply {
        Reply::text_and_calls("", calls)
    }

    pub fn text_and_calls<'a>(text: &str, calls: impl IntoIterator<Item = (&'a str, Value)>) -> Reply {
        let call = |(name, arguments): (&str, Value)| (name.to_owned(), bare(&arguments));
        let calls = calls.into_iter().map(call).collect();
        Reply::of(Body::Message { text: text.to_owned(), calls })
    }

    /// Any status with a body: a string is sent as plain text, everything else as JSON.
    pub fn status(code: u16, body: impl Into<Value>) -> Reply {
        let body = body.into();
        let kind = if body.is_string() { "text/plain; charset=utf-8" } else { JSON };
        Reply::of(Body::Status { code, kind, text: bare(&body) })
    }

    /// A failure in OpenAI's shape.
    pub fn error(code: u16, message: &str) -> Reply {
        let (kind, word) = match code {
            401 => ("invalid_request_error", "invalid_api_key"),
            429 => ("requests", "rate_limit_exceeded"),
            500.. => ("server_error", "server_error"),
            _ => ("invalid_request_error", "invalid_request"),
        };
        let error = json!({"message": message, "type": kind, "param": null, "code": word});
        Reply::status(code, json!({"error": error}))
    }

    /// These bytes as the body of an event stream, each element in a chunk of its own.
    pub fn raw(chunks: Vec<Vec<u8>>) -> Reply {
        Reply::of(Body::Raw(chunks))
    }

    /// Response headers and then nothing until the client goes away.
    pub fn hang() -> Reply {
        Reply::of(Body::Nothing).then_stall()
    }

    /// Closes the connection without a response.
    pub fn drop_connection() -> Reply {
        Reply::of(Body::NoResponse)
    }

    /// A reply computed from the request's body. It runs on the connection's thread and may block,
    /// e.g. on a channel, to hold the answer back until the test lets it go.
    pub fn with(compute: impl FnOnce(&Value) -> Reply + Send + 'static) -> Reply {
        Reply::of(Body::Computed(Box::new(compute)))
    }

    pub fn header(mut self, name: &str, value: &str) -> Reply {
        self.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// Sends half of the answer (of `raw` all chunks) and drops the connection without the
    /// terminating chunk.
    pub fn then_cut(mut self) -> Reply {
        self.ending = Ending::Cut;
        self
    }

    /// Sends half of the answer (of `raw` all chunks) and nothing more until the client goes away.
    pub fn then_stall(mut self) -> Reply {
        self.ending = Ending::Stall;
        self
    }

    /// Sends each byte of the body in its own write, of a stream in its own chunk.
    pub fn byte_by_byte(mut self) -> Reply {
        self.byte_by_byte = true;
        self
    }

    /// Computes what has to be computed; what was asked of the outer reply holds for the inner.
    fn resolve(self, request: &Value) -> Reply {
        let Body::Computed(compute) = self.body else {
            return self;
        };
        let mut inner = compute(request).resolve(request);
        inner.headers.extend(self.headers);
        inner.byte_by_byte |= self.byte_by_byte;
        if self.ending != Ending::Complete {
            inner.ending = self.ending;
        }
        inner
    }

    /// The reply as bytes. `next_call` gives the numbers of the tool calls.
    fn render(self, request: &Value, next_call: impl Fn() -> usize) -> Rendered {
        let streamed = request["stream"] == true;
        let (code, kind, mut pieces) = match self.body {
            Body::Message { text, calls } => {
                let message = Message::new(request, &text, &calls, next_call);
                match streamed {
                    true => (200, SSE, message.events(self.ending)),
                    false => (200, JSON, vec![message.completion().to_string().into_bytes()]),
                }
            }
            Body::Status { code, kind, text } => (code, kind, vec![text.into_bytes()]),
            Body::Raw(chunks) => (200, SSE, chunks),
            Body::Nothing => (200, if streamed { SSE } else { JSON }, Vec::new()),
            Body::NoResponse | Body::Computed(_) => unreachable!("handled before"),
        };
        let mut headers = self.headers;
        if !headers.iter().any(|(name, _)| name == "content-type") {
            headers.push(("content-type".to_owned(), kind.to_owned()));
        }
        let chunked = kind == SSE || pieces.is_empty();
        let framing = match chunked {
            true => ("transfer-encoding".to_owned(), "chunked".to_owned()),
            false => ("content-length".to_owned(), pieces.iter().map(Vec::len).sum::<usize>().to_string()),
        };
        headers.push(framing);
        if !chunked && self.ending != Ending::Complete {
            pieces.iter_mut().for_each(|piece| piece.truncate(piece.len() / 2));
        }
        Rendered { code, headers, pieces, chunked, ending: self.ending, byte_by_byte: self.byte_by_byte }
    }
}

/// A string as it stands, any other value as JSON.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// An assistant message in OpenAI's two shapes.
struct Message<'a> {
    model: &'a Value,
    text: &'a str,
    calls: Vec<(String, &'a str, &'a str)>,
    include_usage: bool,
    prompt_tokens: usize,
}

impl<'a> Message<'a> {
    fn new(
        request: &'a Value,
        text: &'a str,
        calls: &'a [(String, String)],
        next_call: impl Fn() -> usize,
    ) -> Message<'a> {
        let call = |(name, arguments): &'a (String, String)| {
            (format!("call_{}", next_call()), name.as_str(), arguments.as_str())
        };
        Message {
            model: &request["model"],
            text,
            calls: calls.iter().map(call).collect(),
            include_usage: request["stream_options"]["include_usage"] == true,
            prompt_tokens: tokens_of(request),
        }
    }

    fn finish_reason(&self) -> &'static str {
        if self.calls.is_empty() { "stop" } else { "tool_calls" }
    }

    fn completion(&self) -> Value {
        let mut message = json!({"role": "assistant", "content": self.text});
        if !self.calls.is_empty() {
            let call = |(id, name, arguments): &(String, &str, &str)| {
                let function = json!({"name": name, "arguments": arguments});
                json!({"id": id, "type": "function", "function": function})
            };
            message["tool_calls"] = self.calls.iter().map(call).collect();
        }
        if self.text.is_empty() {
            message["content"] = Value::Null;
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": self.finish_reason()});
        let mut completion = self.envelope("chat.completion", &json!([choice]));
        completion["usage"] = usage(self.prompt_tokens);
        completion
    }

    /// The stream's events, in order; of one that breaks off, the first half of what it says.
    fn events(&self, ending: Ending) -> Vec<Vec<u8>> {
        let mut deltas = self.deltas();
        if ending != Ending::Complete {
            // The role and, rounded up, half of the rest: something has been said in any case.
            deltas.truncate(1 + deltas.len() / 2);
        }
        let choice =
            |delta: Value, reason: Value| json!([{"index": 0, "delta": delta, "finish_reason": reason}]);
        let mut events: Vec<Value> =
            deltas.into_iter().map(|delta| self.chunk(&choice(delta, Value::Null))).collect();
        if ending == Ending::Complete {
            events.push(self.chunk(&choice(json!({}), json!(self.finish_reason()))));
            if self.include_usage {
                let mut last = self.chunk(&json!([]));
                last["usage"] = usage(self.prompt_tokens);
                events.push(last);
            }
            events.push(json!("[DONE]"));
        }
        let frame = |event: &Value| format!("data: {}\n\n", bare(event)).into_bytes();
        events.iter().map(frame).collect()
    }

    fn deltas(&self) -> Vec<Value> {
        let opening = if self.text.is_empty() { Value::Null } else { json!("") };
        let mut deltas = vec![json!({"role": "assistant", "content": opening})];
        deltas.extend(split(self.text).map(|piece| json!({"content": piece})));
        for (index, (id, name, arguments)) in self.calls.iter().enumerate() {
            let function = json!({"name": name, "arguments": ""});
            let call = json!({"index": index, "id": id, "type": "function", "function": function});
            deltas.push(json!({"tool_calls": [call]}));
            let more =
                |piece: String| json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]});
            deltas.extend(split(arguments).map(more));
        }
        deltas
    }

    fn envelope(&self, object: &str, choices: &Value) -> Value {
        json!({
            "id": "chatcmpl-fake",
            "object": object,
            "created": 0,
            "model": self.model,
            "choices": choices,
        })
    }

    fn chunk(&self, choices: &Value) -> Value {
        let mut chunk = self.envelope("chat.completion.chunk", choices);
        if self.include_usage {
            // OpenAI announces the usage with a null in every chunk before it.
            chunk["usage"] = Value::Null;
        }
        chunk
    }
}

/// A third of what was sent is said to have been read before.
fn usage(prompt: usize) -> Value {
    json!({"prompt_tokens": prompt, "completion_tokens": 7, "total_tokens": prompt + 7,
        "prompt_tokens_details": {"cached_tokens": prompt / 3}})
}

/// Tokens of a request, as this server counts: three letters are one, and so is each other character.
pub fn tokens_of(body: &Value) -> usize {
    let text = format!("{}{}", body["messages"], body["tools"]);
    let ascii = text.chars().filter(char::is_ascii).count();
    ascii.div_ceil(3) + text.chars().count() - ascii
}

fn split(text: &str) -> impl Iterator<Item = String> {
    let chars: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = chars.chunks(PIECE_CHARS).map(|c| c.iter().collect()).collect();
    pieces.into_iter()
}

// ----------------------------------------------------------------------------------------- HTTP

struct Rendered {
    code: u16,
    headers: Vec<(String, String)>,
    pieces: Vec<Vec<u8>>,
    chunked: bool,
    ending: Ending,
    byte_by_byte: bool,
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.lock().stopping {
            return;
        }
        let Ok(stream) = stream else { continue };
        let twin = stream.try_clone().expect("a second handle of the socket");
        shared.update(|state| {
            state.connections.push(twin);
            state.open += 1;
        });
        let shared = Arc::clone(shared);
        thread::spawn(move || Connection::new(stream, shared).serve());
    }
}

struct Connection {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
    shared: Arc<Shared>,
}

impl Connection {
    fn new(writer: TcpStream, shared: Arc<Shared>) -> Connection {
        // Without it the kernel would glue the small writes together that a test asked for.
        writer.set_nodelay(true).expect("TCP_NODELAY");
        let twin = writer.try_clone().expect("a second handle of the socket");
        Connection { reader: BufReader::new(twin), writer, shared }
    }

    fn serve(mut self) {
        loop {
            match read_request(&mut self.reader) {
                Ok(Some((method, request))) => match self.answer(&method, &request) {
                    Ok(true) => {}
                    // The client left in the middle of an answer: its right, as with Ctrl-C.
                    Ok(false) | Err(_) => return,
                },
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    let violation = format!("unreadable HTTP request: {error}");
                    self.shared.update(|state| state.violations.push(violation));
                    return;
                }
                Ok(None) | Err(_) => return,
            }
        }
    }

    /// Returns whether the connection can take another request.
    fn answer(&mut self, method: &str, request: &Request) -> io::Result<bool> {
        let reply = self.shared.route(method, request).resolve(&request.body);
        if matches!(reply.body, Body::NoResponse) {
            return Ok(false);
        }
        let next_call = || self.shared.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let rendered = reply.render(&request.body, next_call);
        let sent = self.send(&rendered);
        if rendered.ending == Ending::Stall {
            if sent.is_ok() {
                self.wait_until_client_leaves();
            }
            self.shared.update(|state| state.departures += 1);
            return Ok(false);
        }
        let closes = request.headers.get("connection").is_some_and(|v| v == "close");
        sent.map(|()| rendered.ending == Ending::Complete && !closes)
    }

    fn send(&mut self, rendered: &Rendered) -> io::Result<()> {
        let Rendered { code, headers, pieces, chunked, .. } = rendered;
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("HTTP/1.1 {code} Scripted\r\n{headers}\r\n");
        self.writer.write_all(head.as_bytes())?;
        for piece in pieces {
            let size = if rendered.byte_by_byte { 1 } else { piece.len().max(1) };
            for part in piece.chunks(size) {
                match chunked {
                    true => self.write_chunk(part)?,
                    false => self.writer.write_all(part)?,
                }
            }
        }
        if *chunked && rendered.ending == Ending::Complete {
            self.writer.write_all(b"0\r\n\r\n")?;
        }
        Ok(())
    }

    fn write_chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend_from_slice(bytes);
        chunk.extend_from_slice(b"\r\n");
        self.writer.write_all(&chunk)
    }

    fn wait_until_client_leaves(&mut self) {
        let mut ignored = [0; 1024];
        while matches!(self.reader.read(&mut ignored), Ok(count) if count > 0) {}
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Explicit, because the server keeps a handle that would hold the socket open.
        let _ = self.writer.shutdown(Shutdown::Both);
        self.shared.update(|state| {
            state.open -= 1;
            if thread::panicking() {
                let violation = "answering a request panicked, see stderr".to_owned();
                state.violations.push(violation);
            }
        });
    }
}

/// Reads method and request; `None` if the client closed the connection between two requests.
fn read_request(reader: &mut BufReader<TcpStream>) -> io::Result<Option<(String, Request)>> {
    if reader.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let line = read_line(reader)?;
    let mut words = line.split(' ');
    let (Some(method), Some(path), Some("HTTP/1.1")) = (words.next(), words.next(), words.next()) else {
        return Err(invalid(&format!("request line {line:?}")));
    };
    let mut headers = BTreeMap::new();
    loop {
        let line = read_line(reader)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| invalid("header without colon"))?;
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let bytes = read_body(reader, &headers)?;
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Ok(Some((method.to_owned(), Request { path: path.to_owned(), headers, body })))
}

fn read_body(reader: &mut BufReader<TcpStream>, headers: &BTreeMap<String, String>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    if headers.get("transfer-encoding").is_none_or(|coding| coding != "chunked") {
        let length = headers.get("content-length").map_or("0", String::as_str);
        let length = length.parse().map_err(|_| invalid("content-length"))?;
        read_exactly(reader, length, &mut body)?;
        return Ok(body);
    }
    loop {
        let line = read_line(reader)?;
        let digits = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(digits, 16).map_err(|_| invalid("chunk size"))?;
        read_exactly(reader, size, &mut body)?;
        if !read_line(reader)?.is_empty() {
            return Err(invalid("a chunk longer than its size, or a trailer"));
        }
        if size == 0 {
            return Ok(body);
        }
    }
}

fn read_exactly(reader: &mut impl Read, count: usize, body: &mut Vec<u8>) -> io::Result<()> {
    let start = body.len();
    if count > BODY_LIMIT - start {
        return Err(invalid("body over the limit"));
    }
    body.resize(start + count, 0);
    reader.read_exact(&mut body[start..])
}

fn read_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    reader.take(LINE_LIMIT).read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    String::from_utf8(line).map_err(|_| invalid("not UTF-8"))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
