//! Bytes of an answer to a [`Reply`], text on the way.

use serde::Deserialize;
use serde_json::Value;

use super::calls::{CallDelta, Calls, FunctionDelta};
use super::failure::{self, Failure, Kind};
use super::lenient::{count, lenient, lenient_list, text};
use crate::message::ToolCall;
use crate::sse::{Decoder, EVENT_LIMIT, Event};

/// A complete answer of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub text: String,
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
    #[serde(default, deserialize_with = "text")]
    content: String,
    #[serde(default, deserialize_with = "text")]
    refusal: String,
    #[serde(default, deserialize_with = "lenient_list")]
    tool_calls: Vec<CallDelta>,
    #[serde(default, deserialize_with = "lenient")]
    function_call: Option<FunctionDelta>,
}

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
    form: Form,
    decoder: Decoder,
    whole: Vec<u8>,
    text: String,
    refusal: String,
    calls: Calls,
    finish_reason: String,
    usage: Option<Usage>,
    done: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            form: Form::Unknown,
            decoder: Decoder::default(),
            whole: Vec::new(),
            text: String::new(),
            refusal: String::new(),
            calls: Calls::default(),
            finish_reason: String::new(),
            usage: None,
            done: false,
        }
    }
}

impl Reader {
    /// Reads the next bytes; `on_text` gets each piece of text as it becomes known.
    pub fn push(&mut self, bytes: &[u8], on_text: &mut dyn FnMut(&str)) -> Result<(), Failure> {
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
        events.into_iter().try_for_each(|event| self.event(&event, on_text))
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
    pub fn finish(mut self, on_text: &mut dyn FnMut(&str)) -> Result<Reply, Failure> {
        match self.form {
            Form::Unknown => return Err(Failure::new(Kind::Empty, "")),
            Form::Whole => self.whole_document(on_text)?,
            Form::Events => {
                let last = std::mem::take(&mut self.decoder).finish();
                let ended = last.map_or(Ok(()), |event| self.event(&event, on_text));
                if let Err(failure) = ended {
                    return self.broken(failure, on_text);
                }
            }
        }
        if !self.done && self.finish_reason.is_empty() {
            return self.broken(Failure::new(Kind::Cut, ""), on_text);
        }
        self.conclude(on_text)
    }

    /// The reply of a complete answer.
    fn conclude(mut self, on_text: &mut dyn FnMut(&str)) -> Result<Reply, Failure> {
        if self.text.trim().is_empty() && self.calls.is_empty() && !self.refusal.is_empty() {
            self.text = std::mem::take(&mut self.refusal);
            on_text(&self.text);
        }
        let finish = self.finish_kind();
        let calls = self.calls.settle(finish == Finish::Length);
        if self.text.trim().is_empty() && calls.is_empty() {
            let kind = if finish == Finish::Filtered { Kind::Filtered } else { Kind::Empty };
            return Err(Failure::new(kind, &self.finish_reason));
        }
        Ok(Reply { text: self.text, calls, finish, usage: self.usage })
    }

    /// What a failure in the middle of the answer leaves: the text, if there is any. An answer whose
    /// finish reason has come is whole.
    pub fn broken(self, failure: Failure, on_text: &mut dyn FnMut(&str)) -> Result<Reply, Failure> {
        if self.is_finishing() {
            return self.conclude(on_text);
        }
        if self.text.trim().is_empty() {
            return Err(failure);
        }
        Ok(Reply { text: self.text, calls: Vec::new(), finish: Finish::Cut(failure), usage: self.usage })
    }

    fn event(&mut self, event: &Event, on_text: &mut dyn FnMut(&str)) -> Result<(), Failure> {
        if self.done {
            return Ok(());
        }
        let joined = event.data.join("\n");
        if serde_json::from_str::<Value>(&joined).is_ok() || event.data.len() == 1 {
            return self.data(&event.name, &joined, on_text);
        }
        event.data.iter().try_for_each(|line| self.data(&event.name, line, on_text))
    }

    fn data(&mut self, name: &str, data: &str, on_text: &mut dyn FnMut(&str)) -> Result<(), Failure> {
        let data = data.trim();
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        match serde_json::from_str::<Value>(data) {
            Ok(value) => match failure::in_payload(&value) {
                Some(failure) => Err(failure),
                None => {
                    self.payload(value, on_text);
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

    fn payload(&mut self, value: Value, on_text: &mut dyn FnMut(&str)) {
        let payload: Payload = serde_json::from_value(value).unwrap_or_default();
        self.usage = payload.usage.filter(|usage| *usage != Usage::default()).or(self.usage);
        for choice in payload.choices {
            if choice.index.is_some_and(|index| index != 0) {
                continue;
            }
            self.usage = choice.usage.filter(|usage| *usage != Usage::default()).or(self.usage);
            if let Some(delta) = choice.delta {
                self.part(delta, on_text);
            }
            // Some servers repeat the whole message in the last chunk.
            if let Some(message) = choice.message
                && self.text.is_empty()
                && self.calls.is_empty()
            {
                self.part(message, on_text);
            }
            let decided = matches!(self.finish_reason.as_str(), "tool_calls" | "length");
            if !choice.finish_reason.is_empty() && !decided {
                self.finish_reason = choice.finish_reason;
            }
        }
    }

    fn part(&mut self, part: Part, on_text: &mut dyn FnMut(&str)) {
        if !part.content.is_empty() {
            self.text.push_str(&part.content);
            on_text(&part.content);
        }
        self.refusal.push_str(&part.refusal);
        for call in part.tool_calls {
            self.calls.push(call);
        }
        if let Some(function) = part.function_call {
            self.calls.push(function.into());
        }
    }

    fn whole_document(&mut self, on_text: &mut dyn FnMut(&str)) -> Result<(), Failure> {
        let text = String::from_utf8_lossy(&self.whole).into_owned();
        if text.starts_with('<') {
            return Err(failure::from_html(&text));
        }
        let mut documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        let Some(Ok(value)) = documents.next() else {
            return Err(Failure::new(Kind::Cut, ""));
        };
        if let Some(failure) = failure::in_payload(&value) {
            return Err(failure);
        }
        // Some gateways wrap the answer one level down.
        let wrapped = ["data", "result"].into_iter().find_map(|key| value.get(key));
        let value = match (value.get("choices"), wrapped) {
            (None, Some(inner)) if inner.get("choices").is_some() => inner.clone(),
            _ => value,
        };
        self.payload(value, on_text);
        self.done = true;
        Ok(())
    }

    fn finish_kind(&self) -> Finish {
        match self.finish_reason.as_str() {
            "length" | "max_tokens" | "model_length" => Finish::Length,
            "content_filter" | "sensitive" | "SAFETY" => Finish::Filtered,
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
        let mut reader = Reader::default();
        let mut shown = String::new();
        for chunk in chunks {
            if let Err(failure) = reader.push(chunk, &mut |text| shown.push_str(text)) {
                let reply = reader.broken(failure, &mut |text| shown.push_str(text));
                return (reply, shown);
            }
        }
        let mut tail = String::new();
        let reply = reader.finish(&mut |text| tail.push_str(text));
        (reply, shown + &tail)
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
