//! What is wrong with a chat request, whoever sends it: the rules that every endpoint has in some form.
//!
//! One leading system message, each call answered and each answer asked for, arguments that are JSON
//! objects in a string, no blank content, no optional field that somebody refuses.

use std::collections::{BTreeMap, HashSet, VecDeque};

use serde_json::{Value, json};

use crate::server::{JSON, Request};

/// What is wrong with a chat request, in words; empty if nothing is.
pub fn police(request: &Request) -> Vec<String> {
    let mut notes = Vec::new();
    let kind = request.headers.get("content-type").map_or("", String::as_str);
    if kind.split(';').next() != Some(JSON) {
        notes.push(format!("content-type is {kind:?}"));
    }
    if !request.body.is_object() {
        notes.push("the body is not a JSON object".to_owned());
        return notes;
    }
    police_body(&request.body, &mut notes);
    let messages = request.messages();
    for (index, message) in messages.iter().enumerate() {
        let place = format!("messages[{index}]");
        police_content(message, &place, &mut notes);
        police_calls(message, &place, &mut notes);
    }
    police_order(messages, &mut notes);
    police_answers(messages, &mut notes);
    police_tools(&request.body["tools"], &mut notes);
    notes
}

fn police_body(body: &Value, notes: &mut Vec<String>) {
    if is_blank(&body["model"]) {
        notes.push("model is not a non-blank string".to_owned());
    }
    if body["messages"].as_array().is_none_or(Vec::is_empty) {
        notes.push("messages is not a non-empty list".to_owned());
    }
    for refused in ["tool_choice", "parallel_tool_calls", "strict"] {
        if body.get(refused).is_some() {
            notes.push(format!("{refused} is refused by some providers"));
        }
    }
    if body.get("stream").is_some_and(|stream| !stream.is_boolean()) {
        notes.push("stream is not a boolean".to_owned());
    }
    if body.get("stream_options").is_some() && body["stream"] != true {
        notes.push("stream_options without a stream".to_owned());
    }
    let mut rest = body.clone();
    for message in rest.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten() {
        if message["role"] == "assistant" {
            // The one place for a null; `police_content` judges it.
            message["content"] = json!("");
        }
    }
    police_nulls(&rest, "body", notes);
}

fn police_nulls(value: &Value, place: &str, notes: &mut Vec<String>) {
    match value {
        Value::Null => notes.push(format!("{place} is null")),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                police_nulls(item, &format!("{place}[{index}]"), notes);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                police_nulls(field, &format!("{place}.{name}"), notes);
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn police_content(message: &Value, place: &str, notes: &mut Vec<String>) {
    let content = &message["content"];
    let problem = match role(message) {
        "user" if content.is_array() => {
            match content.as_array().is_some_and(|parts| parts.iter().all(is_part)) {
                true => return,
                false => "content has a part that is neither text nor an image",
            }
        }
        "system" | "user" | "tool" if is_blank(content) => "content is not a non-blank string",
        // A missing content reads like a null one, as it does at OpenAI.
        "assistant" if content.is_null() && message.get("tool_calls").is_none() => {
            "an assistant message with neither content nor tool_calls"
        }
        "assistant" if !content.is_null() && is_blank(content) => {
            "content is neither a non-blank string nor null"
        }
        "system" | "user" | "tool" | "assistant" => return,
        _ => "role is none of system, user, assistant and tool",
    };
    notes.push(format!("{place}: {problem}: {message}"));
}

/// Whether a part of a message is text, or an image as data.
fn is_part(part: &Value) -> bool {
    match part["type"].as_str() {
        Some("text") => !is_blank(&part["text"]),
        Some("image_url") => part["image_url"]["url"].as_str().is_some_and(|url| {
            url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,")).is_some()
        }),
        _ => false,
    }
}

fn police_calls(message: &Value, place: &str, notes: &mut Vec<String>) {
    let mut note = |problem: &str| notes.push(format!("{place}: {problem}: {message}"));
    if message.get("tool_call_id").is_some() && role(message) != "tool" {
        note("tool_call_id outside a tool message");
    }
    let Some(calls) = message.get("tool_calls") else {
        return;
    };
    if role(message) != "assistant" {
        note("tool_calls outside an assistant message");
    }
    let calls = calls.as_array().map_or(&[][..], Vec::as_slice);
    if calls.is_empty() {
        note("tool_calls is not a non-empty list");
    }
    let mut ids = HashSet::new();
    for call in calls {
        if is_blank(&call["id"]) {
            note("a call without id");
        } else if !ids.insert(&call["id"]) {
            note("two calls with one id");
        }
        if call["type"] != "function" {
            note("a call that is not of type function");
        }
        if !is_name(&call["function"]["name"]) {
            note("a call without a valid function name");
        }
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        if !serde_json::from_str(arguments).is_ok_and(|value: Value| value.is_object()) {
            note("arguments are not a JSON object in a string");
        }
    }
}

fn police_order(messages: &[Value], notes: &mut Vec<String>) {
    let roles: Vec<&str> = messages.iter().map(role).collect();
    let systems = roles.iter().filter(|role| **role == "system").count();
    if systems != 1 || roles.first() != Some(&"system") {
        notes.push(format!("not exactly one system message at the start: {roles:?}"));
    }
    if !matches!(roles.last(), Some(&"user" | &"tool")) {
        notes.push(format!("the last message is neither of user nor of tool: {roles:?}"));
    }
    for (index, pair) in roles.windows(2).enumerate() {
        if pair[0] == pair[1] && pair[0] != "tool" {
            notes.push(format!("messages[{index}]: two neighbours of role {}", pair[0]));
        }
        if pair == ["tool", "user"] {
            notes.push(format!("messages[{index}]: a user message directly after a tool message"));
        }
    }
}

/// Each call is answered by one tool message, directly after, in order; there are no others.
fn police_answers(messages: &[Value], notes: &mut Vec<String>) {
    let mut open: VecDeque<&Value> = VecDeque::new();
    for (index, message) in messages.iter().enumerate() {
        if role(message) == "tool" {
            let id = &message["tool_call_id"];
            match open.pop_front() {
                Some(expected) if expected == id => {}
                Some(expected) => {
                    notes.push(format!("messages[{index}]: answers {id}, expected {expected}"));
                }
                None => notes.push(format!("messages[{index}]: an orphan answer to {id}")),
            }
            continue;
        }
        let unanswered = open.drain(..).map(|id| format!("call {id} is not answered"));
        notes.extend(unanswered);
        let calls = message["tool_calls"].as_array();
        open.extend(calls.into_iter().flatten().map(|call| &call["id"]));
    }
    notes.extend(open.iter().map(|id| format!("call {id} is not answered")));
}

fn police_tools(tools: &Value, notes: &mut Vec<String>) {
    if tools.is_null() {
        // Absent; a null that is present is `police_nulls`' to find.
        return;
    }
    let tools = tools.as_array().map_or(&[][..], Vec::as_slice);
    if tools.is_empty() {
        notes.push("tools has to be absent or a non-empty list".to_owned());
    }
    let mut names = HashSet::new();
    for (index, tool) in tools.iter().enumerate() {
        let mut note = |problem: &str| notes.push(format!("tools[{index}]: {problem}"));
        let function = &tool["function"];
        let parameters = &function["parameters"];
        if tool["type"] != "function" {
            note("is not of type function");
        }
        if !is_name(&function["name"]) {
            note("function.name does not match [A-Za-z0-9_-]{1,64}");
        }
        if !names.insert(&function["name"]) {
            note("a second tool of that name");
        }
        if tool.get("strict").is_some() || function.get("strict").is_some() {
            note("strict is refused by some providers");
        }
        if parameters["type"] != "object" || !parameters["properties"].is_object() {
            note("parameters is not of type object with properties");
        }
        let required = parameters["required"].as_array();
        let is_property =
            |name: &Value| name.as_str().is_some_and(|n| !parameters["properties"][n].is_null());
        if !required.is_some_and(|names| names.iter().all(is_property)) {
            note("parameters.required is not a list of properties");
        }
        police_schema(parameters, &format!("tools[{index}].parameters"), notes);
    }
}

/// A `type` is one word, in a schema and all below it. A *property* may be called `type`.
fn police_schema(schema: &Value, place: &str, notes: &mut Vec<String>) {
    if schema.get("type").is_some_and(|word| !word.is_string()) {
        notes.push(format!("{place}.type is not a single string"));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        police_schema(property, &format!("{place}.properties.{name}"), notes);
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(below) = schema.get(keyword) {
            police_schema(below, &format!("{place}.{keyword}"), notes);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        for below in schema[keyword].as_array().into_iter().flatten() {
            police_schema(below, &format!("{place}.{keyword}"), notes);
        }
    }
}

fn role(message: &Value) -> &str {
    message["role"].as_str().unwrap_or_default()
}

fn is_blank(value: &Value) -> bool {
    value.as_str().is_none_or(|text| text.trim().is_empty())
}

fn is_name(value: &Value) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    value.as_str().is_some_and(|name| (1..=64).contains(&name.len()) && name.chars().all(is_part))
}

mod policing_tests {
    use super::*;
    use crate::server::{Reply, Server};

    type Edit = fn(&mut Value);

    /// A request that is in order: two calls, both answered, an answer, and the next question.
    fn good() -> Value {
        let call =
            |id: &str| json!({"id": id, "type": "function", "function": {"name": "save", "arguments": "{}"}});
        let properties =
            json!({"type": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}});
        let parameters = json!({"type": "object", "properties": properties, "required": ["type"]});
        json!({
            "model": "m",
            "stream": true,
            "stream_options": {"include_usage": true},
            "messages": [
                {"role": "system", "content": "be kind"},
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": null, "tool_calls": [call("a"), call("b")]},
                {"role": "tool", "tool_call_id": "a", "content": "done"},
                {"role": "tool", "tool_call_id": "b", "content": "done"},
                {"role": "assistant", "content": "well"},
                {"role": "user", "content": "more"},
            ],
            "tools": [{"type": "function", "function": {"name": "save", "parameters": parameters}}],
        })
    }

    fn notes_after(edit: Edit) -> Vec<String> {
        let mut body = good();
        edit(&mut body);
        let headers = BTreeMap::from([("content-type".to_owned(), JSON.to_owned())]);
        police(&Request { path: "/v1/chat/completions".to_owned(), headers, body })
    }

    fn list<'a>(body: &'a mut Value, name: &str) -> &'a mut Vec<Value> {
        body[name].as_array_mut().unwrap()
    }

    fn without(body: &mut Value, index: usize) {
        list(body, "messages").remove(index);
    }

    fn remove(value: &mut Value, name: &str) {
        value.as_object_mut().unwrap().remove(name);
    }

    #[track_caller]
    fn check_flagged(rows: &[(&str, Edit)]) {
        for (phrase, edit) in rows {
            let notes = notes_after(*edit);
            assert!(notes.iter().any(|n| n.contains(phrase)), "no {phrase:?} in {notes:#?}");
        }
    }

    #[test]
    fn good_requests_pass() {
        let rows: &[Edit] = &[
            |_| {},
            |b| remove(b, "tools"),
            |b| list(b, "messages").truncate(2),
            |b| list(b, "messages").truncate(5),
            |b| b["messages"][2]["content"] = json!("let me see"),
            |b| remove(&mut b["messages"][2], "content"),
            |b| {
                remove(b, "stream");
                remove(b, "stream_options");
            },
        ];
        for edit in rows {
            assert_eq!(notes_after(*edit), Vec::<String>::new());
        }
    }

    #[test]
    fn a_bad_body_is_flagged() {
        check_flagged(&[
            ("not a JSON object", |b| *b = json!([])),
            ("model is not", |b| b["model"] = json!(" ")),
            ("model is not", |b| remove(b, "model")),
            ("messages is not", |b| b["messages"] = json!([])),
            ("tool_choice is refused", |b| b["tool_choice"] = json!("auto")),
            ("parallel_tool_calls is", |b| b["parallel_tool_calls"] = json!(true)),
            ("strict is refused", |b| b["strict"] = json!(true)),
            ("stream is not a boolean", |b| b["stream"] = json!("yes")),
            ("stream_options without", |b| b["stream"] = json!(false)),
            ("body.temperature is null", |b| b["temperature"] = Value::Null),
            ("[1].name is null", |b| b["messages"][1]["name"] = Value::Null),
            ("body.tools is null", |b| b["tools"] = Value::Null),
        ]);
    }

    #[test]
    fn a_wrong_content_type_is_flagged() {
        let request = Request { path: String::new(), headers: BTreeMap::new(), body: good() };
        assert_eq!(police(&request), ["content-type is \"\""]);
    }

    #[test]
    fn dropping_the_server_tells() {
        let report = |server: Server| {
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(server)));
            panic.err().map(|report| *report.downcast::<String>().unwrap())
        };
        let script = || [Reply::text("a"), Reply::text("b")];
        let unused = "the fake server objects:\n- 2 scripted replies were never asked for";
        assert_eq!(report(Server::new().replies(script()).start()).as_deref(), Some(unused));
        assert_eq!(report(Server::new().replies(script()).allow_unused().start()), None);
    }

    #[test]
    fn bad_messages_are_flagged() {
        check_flagged(&[
            ("[0]: content", |b| b["messages"][0]["content"] = json!(" \n")),
            ("[1]: content", |b| b["messages"][1]["content"] = json!([{"type": "text", "text": " "}])),
            ("[3]: content", |b| b["messages"][3]["content"] = json!("")),
            ("[2]: content", |b| b["messages"][2]["content"] = json!("")),
            ("neither content nor", |b| b["messages"][5]["content"] = Value::Null),
            ("[1]: role", |b| b["messages"][1]["role"] = json!("developer")),
            ("one system", |b| without(b, 0)),
            ("one system", |b| list(b, "messages").swap(0, 1)),
            ("one system", |b| b["messages"][6]["role"] = json!("system")),
            ("last message", |b| list(b, "messages").truncate(6)),
            ("last message", |b| list(b, "messages").truncate(1)),
            ("neighbours of role user", |b| b["messages"][5]["role"] = json!("user")),
            ("neighbours of role assistant", |b| b["messages"][6]["role"] = json!("assistant")),
            ("directly after a tool", |b| without(b, 5)),
        ]);
    }

    #[test]
    fn bad_calls_are_flagged() {
        check_flagged(&[
            ("tool_calls is not", |b| b["messages"][2]["tool_calls"] = json!([])),
            ("tool_calls outside", |b| b["messages"][1]["tool_calls"] = json!([])),
            ("tool_call_id outside", |b| b["messages"][1]["tool_call_id"] = json!("a")),
            ("call \"b\" is not answered", |b| without(b, 4)),
            ("call \"a\" is not answered", |b| list(b, "messages").truncate(3)),
            ("answers \"b\", expected \"a\"", |b| list(b, "messages").swap(3, 4)),
            ("orphan answer", |b| b["messages"][5] = b["messages"][4].clone()),
            ("orphan answer", |b| remove(&mut b["messages"][2], "tool_calls")),
            ("expected \"b\"", |b| remove(&mut b["messages"][4], "tool_call_id")),
            ("without id", |b| b["messages"][2]["tool_calls"][0]["id"] = json!("")),
            ("with one id", |b| b["messages"][2]["tool_calls"][1]["id"] = json!("a")),
            ("of type function", |b| remove(&mut b["messages"][2]["tool_calls"][0], "type")),
            ("valid function name", |b| call_field(b, "name", "")),
            ("arguments are not", |b| call_field(b, "arguments", "")),
            ("arguments are not", |b| call_field(b, "arguments", "[]")),
            ("arguments are not", |b| call_field(b, "arguments", "{\"a\":")),
            ("arguments are not", |b| {
                b["messages"][2]["tool_calls"][0]["function"]["arguments"] = json!({});
            }),
        ]);
    }

    #[test]
    fn bad_tools_are_flagged() {
        check_flagged(&[
            ("absent or", |b| b["tools"] = json!([])),
            ("of type function", |b| remove(&mut b["tools"][0], "type")),
            ("function.name", |b| b["tools"][0]["function"]["name"] = json!("a.b")),
            ("function.name", |b| b["tools"][0]["function"]["name"] = json!("x".repeat(65))),
            ("second tool", |b| {
                let tool = b["tools"][0].clone();
                list(b, "tools").push(tool);
            }),
            ("strict is", |b| b["tools"][0]["function"]["strict"] = json!(false)),
            ("with properties", |b| remove(&mut b["tools"][0]["function"], "parameters")),
            ("with properties", |b| remove(parameters(b), "properties")),
            ("required is not", |b| remove(parameters(b), "required")),
            ("required is not", |b| parameters(b)["required"] = json!(["nobody"])),
            ("tags.type is not", |b| {
                parameters(b)["properties"]["tags"]["type"] = json!(["string", "null"]);
            }),
            ("items.type is not", |b| {
                parameters(b)["properties"]["tags"]["items"]["type"] = json!(["string"]);
            }),
        ]);
    }

    fn call_field(body: &mut Value, field: &str, value: &str) {
        body["messages"][2]["tool_calls"][0]["function"][field] = json!(value);
    }

    fn parameters(body: &mut Value) -> &mut Value {
        &mut body["tools"][0]["function"]["parameters"]
    }
}
