//! Bytes of an answer to a [`Reply`], what can be shown on the way.

use serde::Deserialize;
use serde_json::Value;

use super::calls::{CallDelta, Calls, FunctionDelta};
use super::failure::{self, Failure};
use super::kind::Kind;
use super::lenient::{count, lenient, lenient_list, refusal_of, text, text_of, thinking_of};
use super::markup::{Holder, TextCall};
use super::think::{self, Splitter};
use crate::message::{Thought, ToolCall, ToolSpec};
use crate::sse::{Decoder, EVENT_LIMIT, Event};

/// A complete answer of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub text: String,
    pub thought: Thought,
    /// Never from a cut stream.
    pub calls: Vec<ToolCall>,
    pub finish: Finish,
    pub usage: Option<Usage>,
}

/// How a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    Stop,
    /// At the output limit of the model.
    Length,
    /// By a content filter, after what came.
    Filtered,
    /// The user stopped it.
    Cancelled,
    /// The stream broke after some text had come.
    Cut(Failure),
}

/// Tokens as the endpoint counts them; a count it does not report is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct Usage {
    #[serde(default, deserialize_with = "count")]
    pub prompt_tokens: Option<u64>,
    #[serde(default, deserialize_with = "count")]
    pub completion_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    prompt_tokens_details: Option<PromptDetails>,
    /// Where an endpoint of the table says it outside the details.
    #[serde(default, deserialize_with = "count")]
    prompt_cache_hit_tokens: Option<u64>,
    #[serde(default, deserialize_with = "count")]
    cached_tokens: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
struct PromptDetails {
    #[serde(default, deserialize_with = "count")]
    cached_tokens: Option<u64>,
}

impl Usage {
    /// Prompt tokens that the endpoint had read before and did not read again.
    pub fn cached(&self) -> Option<u64> {
        let details = self.prompt_tokens_details.and_then(|details| details.cached_tokens);
        details.or(self.prompt_cache_hit_tokens).or(self.cached_tokens)
    }
}

#[derive(Default, Deserialize)]
struct Payload {
    #[serde(default, deserialize_with = "lenient_list")]
    choices: Vec<Choice>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<Usage>,
}

#[derive(Default, Deserialize)]
struct Choice {
    #[serde(default, deserialize_with = "count")]
    index: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    delta: Option<Part>,
    #[serde(default, deserialize_with = "lenient")]
    message: Option<Part>,
    #[serde(default, deserialize_with = "lenient")]
    finish_reason: String,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<Usage>,
}

/// A `delta` or a whole `message`.
#[derive(Default, Deserialize)]
struct Part {
    #[serde(default)]
    content: Value,
    #[serde(default, deserialize_with = "text")]
    reasoning_content: String,
    #[serde(default, deserialize_with = "text")]
    reasoning: String,
    #[serde(default, deserialize_with = "lenient")]
    reasoning_details: Vec<Value>,
    #[serde(default, deserialize_with = "text")]
    refusal: String,
    #[serde(default, deserialize_with = "lenient_list")]
    tool_calls: Vec<CallDelta>,
    #[serde(default, deserialize_with = "lenient")]
    function_call: Option<FunctionDelta>,
}

/// What becomes known of an answer while it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    Text(&'a str),
    Reasoning(&'a str),
    /// All text so far was reasoning.
    Retract,
}

/// Receives the deltas of an answer.
pub type OnDelta<'a> = dyn FnMut(Delta<'_>) + 'a;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing but blanks has come.
    Unknown,
    Events,
    /// One JSON document, though a stream was asked for; or HTML.
    Whole,
}

/// Incremental reader of one answer, in either form: whether it is a stream is decided by its first
/// byte, since servers send one form under the name of the other.
#[derive(Debug)]
pub struct Reader {
    /// The tools that were offered; without them no text is taken for a call.
    tools: Vec<ToolSpec>,
    form: Form,
    decoder: Decoder,
    whole: Vec<u8>,
    splitter: Splitter,
    holder: Holder,
    text: String,
    thought: Thought,
    refusal: String,
    calls: Calls,
    finish_reason: String,
    usage: Option<Usage>,
    done: bool,
}

impl Reader {
    /// A reader of the answer to a request that offered `tools`.
    pub fn new(tools: &[ToolSpec]) -> Self {
        Self {
            tools: tools.to_vec(),
            form: Form::Unknown,
            decoder: Decoder::default(),
            whole: Vec::new(),
            splitter: Splitter::default(),
            holder: Holder::default(),
            text: String::new(),
            thought: Thought::default(),
            refusal: String::new(),
            calls: Calls::default(),
            finish_reason: String::new(),
            usage: None,
            done: false,
        }
    }

    /// Reads the next bytes; `on` gets each piece as it becomes known.
    pub fn push(&mut self, bytes: &[u8], on: &mut OnDelta<'_>) -> Result<(), Failure> {
        let mut bytes = bytes;
        if self.form == Form::Unknown {
            self.whole.extend_from_slice(bytes);
            let start = self.whole.trim_ascii_start();
            let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
            match start.first() {
                None | Some(0xEF | 0xBB | 0xBF) => return Ok(()),
                Some(b'{' | b'[' | b'<') => {
                    self.form = Form::Whole;
                    self.whole = start.to_vec();
                    bytes = &[];
                }
                Some(_) => self.form = Form::Events,
            }
        }
        if self.form == Form::Whole {
            self.whole.extend_from_slice(bytes);
            return if self.whole.len() > EVENT_LIMIT { Err(too_long()) } else { Ok(()) };
        }
        let first = std::mem::take(&mut self.whole);
        let bytes = if first.is_empty() { bytes } else { &first };
        let events = self.decoder.push(bytes).map_err(|_| too_long())?;
        events.into_iter().try_for_each(|event| self.event(&event, on))
    }

    /// Whether the answer is complete, so that nothing more need be read.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the model has said why it stopped, so that only usage and the end mark can follow.
    pub fn is_finishing(&self) -> bool {
        !self.finish_reason.is_empty()
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Ends the answer. A stream that broke off is an error only if no text had come; with text it
    /// is a reply whose [`Finish`] says so.
    pub fn finish(mut self, on: &mut OnDelta<'_>) -> Result<Reply, Failure> {
        match self.form {
            Form::Unknown => return Err(Failure::new(Kind::Empty, "")),
            Form::Whole => self.whole_document(on)?,
            Form::Events => {
                let last = std::mem::take(&mut self.decoder).finish();
                let ended = last.map_or(Ok(()), |event| self.event(&event, on));
                if let Err(failure) = ended {
                    return self.broken(failure, on);
                }
            }
        }
        if !self.done && self.finish_reason.is_empty() {
            return self.broken(Failure::new(Kind::Cut, ""), on);
        }
        self.conclude(on)
    }

    /// What a failure in the middle of the answer leaves: the text, if there is any. An answer whose
    /// finish reason has come is whole.
    pub fn broken(mut self, failure: Failure, on: &mut OnDelta<'_>) -> Result<Reply, Failure> {
        if self.is_finishing() {
            return self.conclude(on);
        }
        self.end_content(on);
        if self.text.trim().is_empty() {
            return Err(failure);
        }
        Ok(Reply {
            text: self.text,
            thought: self.thought,
            calls: Vec::new(),
            finish: Finish::Cut(failure),
            usage: self.usage,
        })
    }

    /// The reply of a complete answer.
    fn conclude(mut self, on: &mut OnDelta<'_>) -> Result<Reply, Failure> {
        for call in self.end_content(on) {
            self.calls.push_text_call(call);
        }
        if self.text.trim().is_empty() && self.calls.is_empty() && !self.refusal.is_empty() {
            self.text = std::mem::take(&mut self.refusal);
            on(Delta::Text(&self.text));
        }
        let finish = self.finish_kind();
        let mut calls = self.calls.settle(finish == Finish::Length);
        if matches!(finish, Finish::Cut(_)) {
            calls.clear();
        }
        if self.text.trim().is_empty() && calls.is_empty() {
            let kind = match finish {
                Finish::Filtered => Kind::Filtered,
                Finish::Cut(failure) => return Err(failure),
                _ if !self.thought.text.trim().is_empty() => Kind::ReasoningOnly,
                _ => Kind::Empty,
            };
            return Err(Failure::new(kind, &self.thought.text));
        }
        Ok(Reply { text: self.text, thought: self.thought, calls, finish, usage: self.usage })
    }

    /// Lets go of what was held back; returns the calls that were written as text.
    fn end_content(&mut self, on: &mut OnDelta<'_>) -> Vec<TextCall> {
        if let Some(part) = self.splitter.finish() {
            self.content_part(part, on);
        }
        let holder = std::mem::take(&mut self.holder);
        let (text, calls) = holder.finish(&self.tools, !self.calls.is_empty());
        self.show(&text, on);
        calls
    }

    fn event(&mut self, event: &Event, on: &mut OnDelta<'_>) -> Result<(), Failure> {
        if self.done {
            return Ok(());
        }
        let joined = event.data.join("\n");
        if serde_json::from_str::<Value>(&joined).is_ok() || event.data.len() == 1 {
            return self.data(&event.name, &joined, on);
        }
        event.data.iter().try_for_each(|line| self.data(&event.name, line, on))
    }

    fn data(&mut self, name: &str, data: &str, on: &mut OnDelta<'_>) -> Result<(), Failure> {
        let data = data.trim();
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        match serde_json::from_str::<Value>(data) {
            Ok(value) => match failure::in_payload(&value) {
                Some(failure) => Err(failure),
                None if name == "error" => Err(failure::from_text(data)),
                None => {
                    self.payload(value, on);
                    Ok(())
                }
            },
            Err(_) if name == "error" => Err(failure::from_text(data)),
            Err(error) => {
                if !data.is_empty() && !data.starts_with(':') {
                    tracing::debug!(%error, "skipped an event that is no JSON");
                }
                Ok(())
            }
        }
    }

    fn payload(&mut self, value: Value, on: &mut OnDelta<'_>) {
        let payload: Payload = serde_json::from_value(value).unwrap_or_default();
        self.usage = payload.usage.filter(|usage| *usage != Usage::default()).or(self.usage);
        for choice in payload.choices {
            if choice.index.is_some_and(|index| index != 0) {
                continue;
            }
            self.usage = choice.usage.filter(|usage| *usage != Usage::default()).or(self.usage);
            if let Some(delta) = choice.delta {
                self.part(delta, on);
            }
            // Some servers repeat the whole message in the last chunk.
            if let Some(message) = choice.message
                && self.text.is_empty()
                && self.calls.is_empty()
            {
                // Whole messages: each entry is a call of its own, numbered or not.
                let mut message = message;
                for (place, call) in message.tool_calls.iter_mut().enumerate() {
                    call.number(place);
                }
                self.part(message, on);
            }
            let decided = matches!(self.finish_reason.as_str(), "tool_calls" | "length");
            if !choice.finish_reason.is_empty() && !decided {
                self.finish_reason = choice.finish_reason;
            }
        }
    }

    fn part(&mut self, part: Part, on: &mut OnDelta<'_>) {
        // One of the two fields; some servers send the same words in both.
        let reasoning =
            if part.reasoning_content.is_empty() { part.reasoning } else { part.reasoning_content };
        self.think(&reasoning, on);
        self.think(&thinking_of(&part.content), on);
        self.thought.details.extend(part.reasoning_details);
        for part in self.splitter.push(&text_of(&part.content)) {
            self.content_part(part, on);
        }
        self.refusal.push_str(&part.refusal);
        self.refusal.push_str(&refusal_of(&part.content));
        for call in part.tool_calls {
            self.calls.push(call);
        }
        if let Some(function) = part.function_call {
            self.calls.push(function.into());
        }
    }

    fn content_part(&mut self, part: think::Part, on: &mut OnDelta<'_>) {
        match part {
            think::Part::Text(text) if self.tools.is_empty() => self.show(&text, on),
            think::Part::Text(text) => {
                let shown = self.holder.push(&text);
                self.show(&shown, on);
            }
            think::Part::Reasoning(text) => self.think(&text, on),
            think::Part::Retract => {
                on(Delta::Retract);
                let text = std::mem::take(&mut self.text);
                self.thought.text.push_str(&text);
            }
        }
    }

    fn show(&mut self, text: &str, on: &mut OnDelta<'_>) {
        if !text.is_empty() {
            self.text.push_str(text);
            on(Delta::Text(text));
        }
    }

    fn think(&mut self, text: &str, on: &mut OnDelta<'_>) {
        if !text.is_empty() {
            self.thought.text.push_str(text);
            on(Delta::Reasoning(text));
        }
    }

    fn whole_document(&mut self, on: &mut OnDelta<'_>) -> Result<(), Failure> {
        let text = String::from_utf8_lossy(&self.whole).into_owned();
        if text.starts_with('<') {
            return Err(failure::from_html(&text));
        }
        let mut documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        let Some(Ok(value)) = documents.next() else {
            return Err(Failure::new(Kind::Cut, ""));
        };
        // Some gateways wrap the answer one level down.
        let wrapped = ["data", "result"].into_iter().find_map(|key| value.get(key));
        let value = match (value.get("choices"), wrapped) {
            (None, Some(inner)) if inner.get("choices").is_some() => inner.clone(),
            _ => value,
        };
        if let Some(failure) = failure::in_payload(&value) {
            return Err(failure);
        }
        self.payload(value, on);
        self.done = true;
        Ok(())
    }

    fn finish_kind(&self) -> Finish {
        match self.finish_reason.as_str() {
            "length" | "max_tokens" | "model_length" => Finish::Length,
            "content_filter" | "sensitive" | "SAFETY" => Finish::Filtered,
            "network_error" | "error" | "insufficient_system_resource" => {
                Finish::Cut(Failure::new(Kind::Overloaded, &self.finish_reason))
            }
            "model_context_window_exceeded" => Finish::Cut(Failure::new(Kind::Overflow, "")),
            _ => Finish::Stop,
        }
    }
}

fn too_long() -> Failure {
    Failure::new(Kind::NotAnApi, "an event of the answer is larger than 32 MiB")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(chunks: &[&[u8]]) -> (Result<Reply, Failure>, String) {
        let mut reader = Reader::new(&[]);
        let mut shown = String::new();
        let mut show = |delta: Delta<'_>| match delta {
            Delta::Text(text) => shown.push_str(text),
            Delta::Reasoning(_) => {}
            Delta::Retract => shown.clear(),
        };
        let mut pushed = chunks.iter().map(|chunk| reader.push(chunk, &mut show));
        let failed = pushed.find_map(Result::err);
        let reply = match failed {
            Some(failure) => reader.broken(failure, &mut show),
            None => reader.finish(&mut show),
        };
        (reply, shown)
    }

    /// Reads a whole body and compares `text` and how it ended: a finish, or a kind of failure.
    #[track_caller]
    fn check(body: &str, expected: Result<(&str, Finish), Kind>) {
        let (reply, shown) = read(&[body.as_bytes()]);
        match (&reply, expected) {
            (Ok(reply), Ok((text, finish))) => {
                assert_eq!((reply.text.as_str(), &reply.finish), (text, &finish), "{body}");
                assert_eq!(shown, text, "{body}");
            }
            (Err(failure), Err(kind)) => assert_eq!(failure.kind, kind, "{body}"),
            (reply, expected) => panic!("{reply:?} instead of {expected:?}\n{body}"),
        }
    }

    fn content(text: &str) -> String {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    }

    const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    const DONE: &str = "data: [DONE]\n\n";

    #[test]
    fn streams() {
        let hello = content("hel") + &content("lo");
        let stop = || Ok(("hello", Finish::Stop));
        check(&format!("{hello}{STOP}{DONE}"), stop());
        check(&format!("{hello}{STOP}"), stop());
        check(&format!("{hello}{DONE}"), stop());
        check(
            &format!(
                ": hi\n\n{hello}data: nonsense\n\ndata: null\n\ndata: {{\"choices\":null,\"usage\":{{}}}}\n\n{DONE}"
            ),
            stop(),
        );
        check(&format!("{hello}{STOP}{DONE}{}", content("!")), stop());
        check(&hello, Ok(("hello", Finish::Cut(Failure::new(Kind::Cut, "")))));
        check(
            "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"length\"}]}\n\ndata: {\"choices\":[{\"finish_reason\":\"stop\"}]}",
            Ok(("x", Finish::Length)),
        );
        check(
            "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}}]}\n\ndata:[DONE]",
            Ok(("x", Finish::Stop)),
        );
        check(DONE, Err(Kind::Empty));
        check("", Err(Kind::Empty));
        check("event: error\ndata: overloaded\n\n", Err(Kind::Overloaded));
        check("data: {\"error\":{\"code\":500,\"message\":\"boom\"}}\n\n", Err(Kind::Server));
    }

    #[test]
    fn an_error_after_text_keeps_the_text() {
        let body = content("half") + "data: {\"error\":{\"code\":500,\"message\":\"boom\"}}\n\n";
        let (reply, shown) = read(&[body.as_bytes()]);
        let reply = reply.unwrap();
        assert_eq!((reply.text.as_str(), shown.as_str()), ("half", "half"));
        assert!(matches!(reply.finish, Finish::Cut(Failure { kind: Kind::Server, .. })));
    }

    #[test]
    fn an_answer_with_its_finish_reason_is_whole_whatever_follows() {
        let body = content("all") + STOP + "data: {\"error\":{\"code\":500,\"message\":\"late\"}}\n\n";
        check(&body, Ok(("all", Finish::Stop)));
    }

    #[test]
    fn reasoning_is_never_the_answer() {
        let event = |delta: &str| format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n");
        let body = event(r#"{"reasoning":"Think "}"#)
            + &event(r#"{"reasoning":"hard.","reasoning_content":"hard."}"#)
            + &event(
                r#"{"content":[{"type":"thinking","thinking":" Still."},{"type":"text","text":"Done."}]}"#,
            )
            + DONE;
        let (reply, shown) = read(&[body.as_bytes()]);
        let reply = reply.unwrap();
        assert_eq!((reply.text.as_str(), shown.as_str()), ("Done.", "Done."));
        assert_eq!(reply.thought.text, "Think hard. Still.");
        check(&(content("<think>a</thi") + &content("nk>b") + DONE), Ok(("b", Finish::Stop)));
        check(&(content("a</think>b") + DONE), Ok(("b", Finish::Stop)));
        check(&(event(r#"{"reasoning_content":"only"}"#) + DONE), Err(Kind::ReasoningOnly));
    }

    #[test]
    fn whole_documents() {
        let message = r#"{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3.0}}"#;
        check(message, Ok(("hello", Finish::Stop)));
        check(&format!("\n\u{feff}{message}\ndata: [DONE]"), Ok(("hello", Finish::Stop)));
        check(&format!("\u{feff}\n {message}\ndata: [DONE]"), Ok(("hello", Finish::Stop)));
        check(&format!(r#"{{"data":{message}}}"#), Ok(("hello", Finish::Stop)));
        check(r#"{"choices":[{"message":{"content":null,"refusal":"no"}}]}"#, Ok(("no", Finish::Stop)));
        check(r#"{"choices":[]}"#, Err(Kind::Empty));
        check(r#"{"error":"bad"}"#, Err(Kind::Server));
        check("<!doctype html><title>Login</title>", Err(Kind::NotAnApi));
        check(r#"{"choices":[{"message":{"cont"#, Err(Kind::Cut));
        assert_eq!(read(&[message.as_bytes()]).0.unwrap().usage.unwrap().prompt_tokens, Some(3));
    }

    #[test]
    fn unfinished_calls_of_a_cut_stream_are_dropped() {
        let call = r#"data: {"choices":[{"delta":{"content":"wait","tool_calls":[{"index":0,"id":"k","function":{"name":"save","arguments":"{}"}}]}}]}"#;
        let (cut, _) = read(&[call.as_bytes()]);
        assert_eq!(cut.unwrap().calls, []);
        let (whole, _) = read(&[call.as_bytes(), b"\n\n", DONE.as_bytes()]);
        assert_eq!(whole.unwrap().calls.len(), 1);
    }

    proptest! {
        #[test]
        fn chunking_never_matters(cuts in proptest::collection::vec(0usize..400, 0..12)) {
            let body = format!("\u{feff}{}: ping\r\n\r\n{}{}{}", content("你"), content("好😀"), STOP, DONE);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
            cuts.extend([0, body.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> =
                cuts.windows(2).map(|pair| &body.as_bytes()[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&chunks), read(&[body.as_bytes()]));
        }

        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&[&bytes]);
        }
    }
}
