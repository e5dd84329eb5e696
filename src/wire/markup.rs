//! Tool calls that a model wrote as text, because its server does not understand its markup.
//!
//! Looked for only when tools were offered, outside code, and taken only when the markup is complete
//! and names an offered tool; anything else stays text. From the first marker on nothing is shown
//! until the reply is complete, so that the user never sees markup.

use serde_json::{Map, Value};

use super::code::Code;
use crate::message::ToolSpec;

/// Beginnings of markup. DeepSeek's bars come in three glyphs, single and doubled.
const MARKERS: [&str; 13] = [
    "<tool_call>",
    "</tool_call>",
    "<function=",
    "[TOOL_CALLS]",
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    "<minimax:tool_call>",
    "<｜DSML｜",
    "<‖DSML‖",
    "<|DSML|",
    "<｜｜DSML｜｜",
    "<‖‖DSML‖‖",
    "<||DSML||",
];

/// A call found in text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextCall {
    pub name: String,
    pub arguments: Map<String, Value>,
}

/// Holds back what may be markup.
#[derive(Debug, Default)]
pub struct Holder {
    code: Code,
    held: String,
    /// `held` begins with a marker, not just with what may become one.
    marked: bool,
}

impl Holder {
    /// The part of the text so far that can be shown.
    pub fn push(&mut self, text: &str) -> String {
        self.held.push_str(text);
        if self.marked {
            return String::new();
        }
        let mut shown = String::new();
        for (at, character) in self.held.char_indices() {
            let (_, rest) = self.held.split_at(at);
            if !self.code.is_inside() && matches!(character, '<' | '[') {
                self.marked = MARKERS.iter().any(|marker| rest.starts_with(marker));
                if self.marked || MARKERS.iter().any(|marker| marker.starts_with(rest)) {
                    break;
                }
            }
            self.code.push(character);
            shown.push(character);
        }
        self.held.drain(..shown.len());
        shown
    }

    /// The calls in what was held, and the text that is left of it. With `structured` calls beside it
    /// the markup is a leftover, of which no second copy is taken.
    pub fn finish(self, tools: &[ToolSpec], structured: bool) -> (String, Vec<TextCall>) {
        if !self.marked {
            return (self.held, Vec::new());
        }
        let bars = self.held.starts_with('<') && self.held.chars().nth(1).is_some_and(|c| "｜‖|".contains(c));
        let held = if bars { without_bars(&self.held) } else { self.held.clone() };
        let (text, calls) = parse(&held, tools);
        if structured {
            return (text, Vec::new());
        }
        if calls.is_empty() { (self.held, calls) } else { (text, calls) }
    }
}

/// DeepSeek's markup with the bars of its tags taken out is plain invoke markup.
fn without_bars(text: &str) -> String {
    let mut text = text.to_owned();
    for bar in ["｜｜", "‖‖", "||", "｜", "‖", "|"] {
        for slash in ["", "/"] {
            text = text.replace(&format!("<{slash}{bar}DSML{bar}"), &format!("<{slash}"));
        }
    }
    text
}

/// All calls in `text`, and what is left of it.
fn parse(text: &str, tools: &[ToolSpec]) -> (String, Vec<TextCall>) {
    const STARTS: [&str; 7] = [
        "<tool_call>",
        "<function=",
        "[TOOL_CALLS]",
        "<|tool_call_begin|>",
        "<invoke ",
        "<|tool_calls_section_begin|>",
        "<minimax:tool_call>",
    ];
    const WRAPPERS: [&str; 9] = [
        "</tool_call>",
        "<|tool_calls_section_begin|>",
        "<|tool_calls_section_end|>",
        "<minimax:tool_call>",
        "</minimax:tool_call>",
        "<tool_calls>",
        "</tool_calls>",
        "<function_calls>",
        "</function_calls>",
    ];
    let mut left = String::new();
    let mut calls = Vec::new();
    let mut code = Code::default();
    let mut rest = text.chars();
    loop {
        let here = rest.as_str();
        if !code.is_inside()
            && STARTS.iter().any(|start| here.starts_with(start))
            && let Some((found, after)) = block_calls(here, tools)
        {
            calls.extend(found);
            rest = after.chars();
            continue;
        }
        let wrapper = WRAPPERS.iter().find_map(|wrapper| here.strip_prefix(wrapper));
        if let Some(after) = wrapper.filter(|_| !code.is_inside()) {
            rest = after.chars();
            continue;
        }
        let Some(character) = rest.next() else { break };
        code.push(character);
        left.push(character);
    }
    (left, calls)
}

/// The calls of the block that `text` begins with, and the text behind it.
fn block_calls<'a>(text: &'a str, tools: &[ToolSpec]) -> Option<(Vec<TextCall>, &'a str)> {
    if let Some(inner) = text.strip_prefix("<tool_call>") {
        let inner = inner.trim_start();
        let (call, rest) = if inner.starts_with('{') {
            json_call(inner, tools)?
        } else if inner.starts_with("<function=") {
            function_call(inner, tools)?
        } else {
            glm_call(inner, tools)?
        };
        let rest = rest.trim_start();
        return Some((vec![call], rest.strip_prefix("</tool_call>").unwrap_or(rest)));
    }
    if text.starts_with("<function=") {
        return function_call(text, tools).map(|(call, rest)| (vec![call], rest));
    }
    if let Some(inner) = text.strip_prefix("[TOOL_CALLS]") {
        return mistral_calls(inner.trim_start(), tools);
    }
    if let Some(inner) = text.strip_prefix("<|tool_call_begin|>") {
        let (name, inner) = inner.split_once("<|tool_call_argument_begin|>")?;
        let name = name.trim().trim_start_matches("functions.");
        let name = name.split_once(':').map_or(name, |(name, _)| name);
        let (arguments, rest) = leading_object(inner)?;
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("<|tool_call_end|>").unwrap_or(rest);
        return Some((vec![offered(name, arguments, tools)?], rest));
    }
    let inner = text.strip_prefix("<invoke name=\"")?;
    let (name, inner) = inner.split_once("\">")?;
    let (body, rest) = inner.split_once("</invoke>")?;
    let arguments = parameters(body, "<parameter name=\"", '"', name, tools)?;
    Some((vec![offered(name, arguments, tools)?], rest))
}

/// Hermes: `{"name": …, "arguments": {…}}`.
fn json_call<'a>(text: &'a str, tools: &[ToolSpec]) -> Option<(TextCall, &'a str)> {
    let (mut object, rest) = leading_object(text)?;
    let arguments = ["arguments", "parameters"].into_iter().find_map(|key| object.remove(key));
    let arguments = match arguments {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(Value::String(text)) => serde_json::from_str(&text).ok()?,
        Some(_) => return None,
    };
    let call = offered(object.get("name")?.as_str()?, arguments, tools)?;
    Some((call, rest))
}

/// Qwen: `<function=name><parameter=key>value</parameter></function>`.
fn function_call<'a>(text: &'a str, tools: &[ToolSpec]) -> Option<(TextCall, &'a str)> {
    let (name, inner) = text.strip_prefix("<function=")?.split_once('>')?;
    let (body, rest) = inner.split_once("</function>")?;
    let arguments = parameters(body, "<parameter=", '>', name, tools)?;
    Some((offered(name, arguments, tools)?, rest))
}

/// GLM: `name<arg_key>key</arg_key><arg_value>value</arg_value>…</tool_call>`.
fn glm_call<'a>(text: &'a str, tools: &[ToolSpec]) -> Option<(TextCall, &'a str)> {
    let end = text.find("</tool_call>")?;
    let (body, rest) = text.split_at(end);
    let (name, mut pairs) = body.split_at(body.find("<arg_key>").unwrap_or(body.len()));
    let mut arguments = Map::new();
    while let Some((_, after)) = pairs.split_once("<arg_key>") {
        let (key, after) = after.split_once("</arg_key>")?;
        let (_, after) = after.split_once("<arg_value>")?;
        let (value, after) = after.split_once("</arg_value>")?;
        arguments.insert(key.trim().to_owned(), typed(value, name.trim(), key.trim(), tools));
        pairs = after;
    }
    Some((offered(name.trim(), arguments, tools)?, rest))
}

/// Mistral: `name[ARGS]{…}`, or a JSON list of calls.
fn mistral_calls<'a>(text: &'a str, tools: &[ToolSpec]) -> Option<(Vec<TextCall>, &'a str)> {
    if text.starts_with('[') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Vec<Value>>();
        let list = values.next()?.ok()?;
        let calls: Option<Vec<TextCall>> =
            list.iter().map(|call| json_call(&call.to_string(), tools).map(|(call, _)| call)).collect();
        return Some((calls?, text.split_at(values.byte_offset()).1));
    }
    let (name, inner) = text.split_once("[ARGS]").or_else(|| Some(text.split_at(text.find('{')?)))?;
    let (arguments, rest) = leading_object(inner)?;
    let name = name.split_once("[CALL_ID]").map_or(name, |(name, _)| name);
    Some((vec![offered(name.trim(), arguments, tools)?], rest))
}

/// Parameters of XML-like markup. `open` leads to the key, which `end` ends.
fn parameters(
    body: &str,
    open: &str,
    end: char,
    name: &str,
    tools: &[ToolSpec],
) -> Option<Map<String, Value>> {
    let mut arguments = Map::new();
    let mut rest = body;
    while let Some((_, after)) = rest.split_once(open) {
        let (key, after) = after.split_once(end)?;
        let (attributes, after) = if end == '>' { ("", after) } else { after.split_once('>')? };
        let (value, after) = after.split_once("</parameter>")?;
        let value = if attributes.contains("string=\"true\"") {
            Value::from(value)
        } else {
            typed(value, name, key, tools)
        };
        arguments.insert(key.trim().to_owned(), value);
        rest = after;
    }
    Some(arguments)
}

/// A value as JSON, or as text where the tool wants text or nothing else fits.
fn typed(value: &str, name: &str, key: &str, tools: &[ToolSpec]) -> Value {
    let value = value.strip_prefix('\n').unwrap_or(value);
    let value = value.strip_suffix('\n').unwrap_or(value);
    let tool = tools.iter().find(|tool| tool.name == name);
    let kind = tool.and_then(|tool| tool.parameters.pointer(&format!("/properties/{key}/type")));
    if kind.is_some_and(|kind| kind == "string") {
        return Value::from(value);
    }
    serde_json::from_str(value).unwrap_or_else(|_| Value::from(value))
}

fn leading_object(text: &str) -> Option<(Map<String, Value>, &str)> {
    let text = text.trim_start();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    let object = values.next()?.ok()?;
    let (_, rest) = text.split_at(values.byte_offset());
    Some((object, rest))
}

fn offered(name: &str, arguments: Map<String, Value>, tools: &[ToolSpec]) -> Option<TextCall> {
    let name = name.trim().trim_start_matches("functions.");
    tools.iter().any(|tool| tool.name == name).then(|| TextCall { name: name.to_owned(), arguments })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tools() -> Vec<ToolSpec> {
        let text = json!({"type": "object", "properties": {"spot": {"type": "string"}}, "required": []});
        let name = |name| ToolSpec { name, description: "", parameters: text.clone() };
        vec![name("read_tide"), name("list_boats")]
    }

    /// Text shown and calls found, `name{arguments}`, in a reply that comes one character at a time.
    #[track_caller]
    fn check(reply: &str, text: &str, calls: &[&str]) {
        let mut holder = Holder::default();
        let mut shown: String = reply.chars().map(|character| holder.push(&character.to_string())).collect();
        if !calls.is_empty() {
            assert!(!shown.contains(['<', '[']), "markup was shown: {shown}");
        }
        let (rest, found) = holder.finish(&tools(), false);
        shown.push_str(&rest);
        let found: Vec<String> = found
            .iter()
            .map(|call| format!("{}{}", call.name, Value::Object(call.arguments.clone())))
            .collect();
        assert_eq!((shown.trim(), found), (text, calls.iter().map(|call| (*call).to_owned()).collect()));
    }

    const TIDE: &str = r#"read_tide{"spot":"pier 4"}"#;

    #[test]
    fn every_form_is_found() {
        check(
            "Wait.\n<tool_call>\n{\"name\": \"read_tide\", \"arguments\": {\"spot\": \"pier 4\"}}\n</tool_call>",
            "Wait.",
            &[TIDE],
        );
        check("<tool_call>{\"name\":\"read_tide\",\"arguments\":{\"spot\":\"pier 4\"}}", "", &[TIDE]);
        check(
            "<tool_call>read_tide\n<arg_key>spot</arg_key>\n<arg_value>pier 4</arg_value>\n</tool_call>",
            "",
            &[TIDE],
        );
        check(
            "<tool_call>\n<function=read_tide>\n<parameter=spot>\npier 4\n</parameter>\n</function>\n</tool_call>",
            "",
            &[TIDE],
        );
        check(
            "<function=read_tide><parameter=spot>12</parameter></function>",
            "",
            &[r#"read_tide{"spot":"12"}"#],
        );
        check("[TOOL_CALLS]read_tide[ARGS]{\"spot\": \"pier 4\"}", "", &[TIDE]);
        check(
            "[TOOL_CALLS][{\"name\":\"read_tide\",\"arguments\":{\"spot\":\"pier 4\"}},{\"name\":\"list_boats\"}]",
            "",
            &[TIDE, "list_boats{}"],
        );
        check(
            "Looking.<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"read_tide\">\n<｜DSML｜parameter name=\"spot\" string=\"true\">pier 4</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
            "Looking.",
            &[TIDE],
        );
        check(
            "<‖DSML‖function_calls><‖DSML‖invoke name=\"list_boats\"><‖DSML‖parameter name=\"pier\" string=\"false\">2</‖DSML‖parameter></‖DSML‖invoke></‖DSML‖function_calls>",
            "",
            &[r#"list_boats{"pier":2}"#],
        );
        check(
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_tide:0<|tool_call_argument_begin|>{\"spot\":\"pier 4\"}<|tool_call_end|><|tool_calls_section_end|>",
            "",
            &[TIDE],
        );
        check("[TOOL_CALLS]read_tide[CALL_ID]x1[ARGS]{\"spot\": \"pier 4\"}", "", &[TIDE]);
        check(
            "<tool_call>{\"name\":\"read_tide\",\"arguments\":{\"spot\":\"x|DSML|y\"}}</tool_call>",
            "",
            &[r#"read_tide{"spot":"x|DSML|y"}"#],
        );
        check(
            "<minimax:tool_call><invoke name=\"read_tide\"><parameter name=\"spot\">pier 4</parameter></invoke></minimax:tool_call>",
            "",
            &[TIDE],
        );
    }

    #[test]
    fn what_is_no_call_stays_text() {
        for text in [
            "```\n<tool_call>{\"name\":\"list_boats\",\"arguments\":{}}</tool_call>\n```\nThat is all.",
            "the `<tool_call>` tag",
            "<tool_call>{\"name\":\"wipe_disk\",\"arguments\":{}}</tool_call>",
            "<tool_call>{\"name\":\"read_tide\",\"argum",
            "[TOOL_CALLS] is a token, a < b, [1]",
            "<tool",
            "So <tool_call> it is:\n```\n<tool_call>{\"name\":\"list_boats\",\"arguments\":{}}</tool_call>\n```\nDone.",
        ] {
            check(text, text, &[]);
        }
    }

    #[test]
    fn a_leftover_beside_structured_calls_goes() {
        let mut holder = Holder::default();
        assert_eq!(holder.push("ok\n</tool_call>"), "ok\n");
        assert_eq!(holder.finish(&tools(), true), (String::new(), Vec::new()));
    }
}
