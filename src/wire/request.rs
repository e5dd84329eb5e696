//! A turn as the JSON body of a request.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::fnv1a;
use crate::message::{Attachment, Message, Round, ToolCall, ToolSpec, Turn};
use crate::quirks::{CallIds, NoContent, Quirks, ReasoningBack};

/// Everything one request says. Borrowed: it is built anew for each round of a turn.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub model: &'a str,
    /// Not blank.
    pub system: &'a str,
    pub history: &'a [&'a Turn],
    /// Not blank.
    pub message: &'a Message,
    /// Stands beside the message in this request only; may be empty.
    pub beside: &'a str,
    pub rounds: &'a [Round],
    /// Empty means: no tools are offered.
    pub tools: &'a [ToolSpec],
    pub temperature: Option<f64>,
    pub stream: bool,
    /// JSON Schema of the answer, for endpoints that hold it to one.
    pub schema: Option<&'a Value>,
    /// The model takes images; where it does not, it is told that there was one.
    pub images: bool,
}

impl Request<'_> {
    /// Whether any message has an image.
    pub fn has_images(&self) -> bool {
        let messages = self.history.iter().map(|turn| turn.message()).chain([self.message]);
        messages.into_iter().any(|message| message.images().next().is_some())
    }
}

/// Told to the model behind an answer that ended early, so that it can go on from there.
const CUT_MARK: &str = " […cut off here]";

/// The body of `request` under a row of the provider table.
pub fn body(request: &Request<'_>, quirks: &Quirks) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), request.model.into());
    body.insert("messages".into(), messages(request, quirks).into());
    let tools = if quirks.tools { request.tools } else { &[] };
    let stream = request.stream && quirks.stream && (tools.is_empty() || quirks.stream_with_tools);
    body.insert("stream".into(), stream.into());
    if stream && quirks.stream_options {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    if let Some(temperature) = request.temperature.filter(|_| quirks.temperature) {
        body.insert("temperature".into(), temperature.into());
    }
    if !tools.is_empty() {
        body.insert("tools".into(), tools.iter().map(tool).collect());
    }
    if let Some(schema) = request.schema.filter(|_| quirks.json_schema) {
        let format = json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}});
        body.insert("response_format".into(), format);
    }
    Value::Object(body)
}

fn messages(request: &Request<'_>, quirks: &Quirks) -> Vec<Value> {
    let mut messages = Vec::new();
    if !request.system.trim().is_empty() {
        messages.push(json!({"role": "system", "content": request.system}));
    }
    for turn in request.history {
        let mark = if turn.is_cut() { CUT_MARK } else { "" };
        messages.push(json!({"role": "user", "content": content(turn.message(), "", request.images)}));
        push_rounds(&mut messages, turn.rounds(), quirks);
        messages.push(json!({"role": "assistant", "content": format!("{}{mark}", turn.answer())}));
    }
    messages
        .push(json!({"role": "user", "content": content(request.message, request.beside, request.images)}));
    push_rounds(&mut messages, request.rounds, quirks);
    if !quirks.system_role && messages.len() > 1 && messages[0]["role"] == "system" {
        let head = format!("{}\n\n---\n\n", request.system);
        match &mut messages[1]["content"] {
            Value::Array(parts) => parts.insert(0, json!({"type": "text", "text": head})),
            user => *user = format!("{head}{}", user.as_str().unwrap_or_default()).into(),
        }
        messages.remove(0);
    }
    messages
}

/// A message as its content: text alone, or parts where images go with it.
fn content(message: &Message, beside: &str, with_images: bool) -> Value {
    let words = message.words(beside);
    if !with_images {
        let images = message.attachments().iter().filter(|file| matches!(file, Attachment::Image { .. }));
        let told: String =
            images.map(|image| format!("\n[image {:?}, which you cannot see]", image.name())).collect();
        return format!("{words}{told}").into();
    }
    let images: Vec<Value> = message
        .images()
        .map(|(media_type, base64)| {
            json!({"type": "image_url", "image_url": {"url": format!("data:{media_type};base64,{base64}")}})
        })
        .collect();
    if images.is_empty() {
        return words.into();
    }
    let mut parts = images;
    parts.push(json!({"type": "text", "text": words}));
    parts.into()
}

/// Each round as the reply that called and the answers to its calls.
fn push_rounds(messages: &mut Vec<Value>, rounds: &[Round], quirks: &Quirks) {
    for round in rounds {
        let ids = call_ids(round, quirks.call_ids);
        let content = match round.text.trim() {
            "" => match quirks.no_content {
                NoContent::Null => Value::Null,
                NoContent::Empty => "".into(),
                NoContent::Space => " ".into(),
            },
            _ => round.text.as_str().into(),
        };
        let calls: Vec<Value> =
            round.calls.iter().zip(&ids).map(|(answered, id)| call(&answered.call, id, quirks)).collect();
        let mut reply = json!({"role": "assistant", "content": content, "tool_calls": calls});
        match quirks.reasoning_back {
            ReasoningBack::Never => {}
            // An endpoint that insists on it takes a blank where there is none.
            ReasoningBack::Content => {
                let thought = if round.thought.text.is_empty() { " " } else { &round.thought.text };
                reply["reasoning_content"] = thought.into();
            }
            ReasoningBack::Details if round.thought.details.is_empty() => {}
            ReasoningBack::Details => reply["reasoning_details"] = round.thought.details.clone().into(),
        }
        messages.push(reply);
        for (answered, id) in round.calls.iter().zip(&ids) {
            let answer = if answered.answer.trim().is_empty() { "(no output)" } else { &answered.answer };
            let mut message = json!({"role": "tool", "tool_call_id": id, "content": answer});
            if quirks.tool_names {
                message["name"] = answered.call.name.as_str().into();
            }
            messages.push(message);
        }
    }
}

fn call(call: &ToolCall, id: &str, quirks: &Quirks) -> Value {
    let mut value = json!({"id": id, "type": "function",
        "function": {"name": call.name, "arguments": call.arguments.to_json()}});
    if let Some(extra) = call.extra.as_ref().filter(|_| quirks.extra_content) {
        value["extra_content"] = extra.clone();
    }
    value
}

fn tool(tool: &ToolSpec) -> Value {
    // Strict endpoints want a schema also from a tool that takes nothing.
    let nothing = || json!({"type": "object", "properties": {}, "required": []});
    let parameters = if tool.parameters.is_null() { nothing() } else { tool.parameters.clone() };
    json!({"type": "function", "function":
        {"name": tool.name, "description": tool.description, "parameters": parameters}})
}

/// The ids of a round's calls in the form the endpoint takes.
fn call_ids(round: &Round, form: CallIds) -> Vec<String> {
    let ids = round.calls.iter().map(|answered| answered.call.id.as_str());
    match form {
        CallIds::AsSent => ids.map(str::to_owned).collect(),
        CallIds::NineAlphanumerics => {
            let mut taken = HashSet::new();
            ids.map(|id| nine_alphanumerics(id, &mut taken)).collect()
        }
    }
}

/// `id` itself when it has the form, else nine base-36 digits of its hash, moved on by one
/// where another id of the round has them already.
fn nine_alphanumerics(id: &str, taken: &mut HashSet<String>) -> String {
    if id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        taken.insert(id.to_owned());
        return id.to_owned();
    }
    let mut hash = fnv1a(id.bytes());
    loop {
        let mut rest = hash;
        let digits: String = (0..9)
            .filter_map(|_| {
                let digit = char::from_digit((rest % 36) as u32, 36);
                rest /= 36;
                digit
            })
            .collect();
        if taken.insert(digits.clone()) {
            return digits;
        }
        hash = hash.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{AnsweredCall, Arguments, Thought};
    use crate::quirks;

    fn request<'a>(history: &'a [&'a Turn], rounds: &'a [Round], tools: &'a [ToolSpec]) -> Request<'a> {
        Request {
            model: "m",
            system: "s",
            history,
            message: Box::leak(Box::new(Message::new("u"))),
            beside: "",
            rounds,
            tools,
            temperature: None,
            stream: true,
            schema: None,
            images: true,
        }
    }

    #[test]
    fn the_body_is_minimal() {
        assert_eq!(
            body(&request(&[], &[], &[]), &quirks::UNLISTED),
            json!({"model": "m", "stream": true, "messages": [
                {"role": "system", "content": "s"}, {"role": "user", "content": "u"}]})
        );
    }

    #[test]
    fn images_go_as_parts() {
        let image = Attachment::Image {
            name: "a.png".into(),
            media_type: "image/png".into(),
            base64: "QUJD".into(),
            width: 1,
            height: 1,
        };
        let message = Message::new("u").with_attachments(vec![image]);
        let with_image = Request { message: &message, ..request(&[], &[], &[]) };
        let parts = json!([{"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
            {"type": "text", "text": "u"}]);
        assert_eq!(body(&with_image, &quirks::UNLISTED)["messages"][1]["content"], parts);
        let row = Quirks { system_role: false, ..quirks::UNLISTED.clone() };
        let sent = body(&with_image, &row);
        assert_eq!(sent["messages"][0]["content"][0]["text"], "s\n\n---\n\n");
    }

    #[test]
    fn without_a_system_role_the_first_message_says_it_all() {
        let row = Quirks { system_role: false, ..quirks::UNLISTED.clone() };
        let sent = body(&request(&[], &[], &[]), &row);
        assert_eq!(sent["messages"], json!([{"role": "user", "content": "s\n\n---\n\nu"}]));
    }

    #[test]
    fn a_round_goes_back_with_its_answers() {
        let round = Round {
            text: " ".into(),
            thought: Thought { text: "hm".into(), details: vec![] },
            calls: vec![AnsweredCall {
                call: ToolCall {
                    id: "functions.save:0".into(),
                    name: "save".into(),
                    arguments: Arguments::Object(Map::from_iter([("a".into(), 1.into())])),
                    extra: Some(json!({"google": 1})),
                },
                answer: "".into(),
                done: true,
            }],
        };
        let turn = Turn::new("hi", "hel", true).unwrap();
        let history = [&turn];
        let rounds = [round];
        let sent = body(&request(&history, &rounds, &[]), &quirks::UNLISTED);
        assert_eq!(
            sent["messages"].as_array().unwrap()[1..],
            [
                json!({"role": "user", "content": "hi"}),
                json!({"role": "assistant", "content": "hel […cut off here]"}),
                json!({"role": "user", "content": "u"}),
                json!({"role": "assistant", "content": null, "tool_calls": [{"id": "functions.save:0",
                    "type": "function", "function": {"name": "save", "arguments": "{\"a\":1}"}}]}),
                json!({"role": "tool", "tool_call_id": "functions.save:0", "content": "(no output)"}),
            ]
        );
        let mistral = quirks::by_name("mistral").unwrap();
        let sent = body(&request(&history, &rounds, &[]), mistral);
        let id = sent["messages"][4]["tool_calls"][0]["id"].as_str().unwrap().to_owned();
        assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
        assert_eq!(sent["messages"][5]["tool_call_id"], id);
        let deepseek = body(&request(&history, &rounds, &[]), quirks::by_name("deepseek").unwrap());
        assert_eq!(deepseek["messages"][4]["reasoning_content"], "hm");
        let gemini = body(&request(&history, &rounds, &[]), quirks::by_name("gemini").unwrap());
        assert_eq!(gemini["messages"][4]["tool_calls"][0]["extra_content"], json!({"google": 1}));
        assert_eq!(gemini["messages"][5]["name"], "save");
    }
}
