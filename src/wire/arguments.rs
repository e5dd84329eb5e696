//! Settling the arguments of a call: what the model wrote, to an object or a reason.
//!
//! Done once, when the reply is complete. Damage that has only one reading is repaired; a value
//! whose end is missing is never invented, because running a tool on half a text is worse than
//! asking again.

use serde_json::{Map, Value};

use crate::message::Arguments;

/// Settles `raw`. `cut_off` says that the reply ended at its length limit while this call was the
/// last one: then nothing is run, even if the text parses, for the server may have closed it.
pub fn settle(raw: &str, cut_off: bool) -> Arguments {
    if cut_off {
        return unusable(
            "the reply reached its length limit inside this call; call again with a smaller payload",
        );
    }
    match understand(raw) {
        Some(object) => Arguments::Object(object),
        None => unusable(&format!("the arguments are not a JSON object: {}", excerpt(raw))),
    }
}

fn unusable(problem: &str) -> Arguments {
    Arguments::Unusable { problem: problem.to_owned() }
}

fn excerpt(raw: &str) -> String {
    let mut excerpt: String = raw.chars().take(200).collect();
    if excerpt.len() < raw.len() {
        excerpt.push('…');
    }
    excerpt
}

/// The object `raw` stands for, by the first reading that gives one.
fn understand(raw: &str) -> Option<Map<String, Value>> {
    let raw = unfenced(raw.trim());
    if raw.is_empty() || raw == "null" {
        return Some(Map::new());
    }
    match serde_json::from_str(raw) {
        Ok(Value::Object(object)) => return Some(object),
        Ok(Value::String(inner)) => {
            return match serde_json::from_str(&inner) {
                _ if inner.trim().is_empty() => Some(Map::new()),
                Ok(Value::Object(object)) => Some(object),
                _ => None,
            };
        }
        Ok(_) => return None,
        Err(_) => {}
    }
    first_object(raw).or_else(|| doubled_braces(raw)).or_else(|| repaired(raw))
}

/// The text inside a Markdown code fence, or the text itself.
fn unfenced(raw: &str) -> &str {
    let Some(inner) = raw.strip_prefix("```") else { return raw };
    // The language stands behind the fence, up to a blank or a line break.
    let inner = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    inner.trim_end().strip_suffix("```").unwrap_or(inner).trim()
}

/// The first complete object of several, passing over a leading `{}` placeholder.
fn first_object(raw: &str) -> Option<Map<String, Value>> {
    let mut values = serde_json::Deserializer::from_str(raw).into_iter::<Value>();
    let mut empty = None;
    while let Some(Ok(value)) = values.next() {
        match value {
            Value::Object(object) if object.is_empty() => empty = Some(object),
            Value::Object(object) => return Some(object),
            _ => break,
        }
    }
    // `{}` followed by half an object is half an object, not "no arguments".
    let rest = raw.trim_start().strip_prefix("{}")?;
    empty.filter(|_| rest.trim().is_empty())
}

/// `{{"a": 1}}`, as prompt templates teach some models.
fn doubled_braces(raw: &str) -> Option<Map<String, Value>> {
    let inner = raw.strip_prefix('{')?.strip_suffix('}')?;
    serde_json::from_str(inner).ok()
}

/// Almost-JSON: single quotes, bare keys, Python literals, trailing commas, raw control characters
/// in strings, and closing brackets missing after the last finished value.
fn repaired(raw: &str) -> Option<Map<String, Value>> {
    let tokens = lex(raw)?;
    let mut json = String::new();
    let mut open = Vec::new();
    let mut rest = tokens.iter().peekable();
    while let Some(token) = rest.next() {
        match token {
            Token::Punctuation(',') if matches!(rest.peek(), None | Some(Token::Punctuation('}' | ']'))) => {}
            Token::Punctuation(mark) => {
                match mark {
                    '{' => open.push('}'),
                    '[' => open.push(']'),
                    '}' | ']' if open.pop() != Some(*mark) => return None,
                    _ => {}
                }
                json.push(*mark);
                if open.is_empty() {
                    break;
                }
            }
            Token::Text(text) => json.push_str(&Value::from(text.as_str()).to_string()),
            Token::Word(word) => {
                let key = matches!(rest.peek(), Some(Token::Punctuation(':')));
                json.push_str(&literal(word, key)?);
            }
        }
    }
    if matches!(tokens.last(), Some(Token::Punctuation(':'))) {
        return None;
    }
    json.extend(open.iter().rev());
    serde_json::from_str(&json).ok()
}

fn literal(word: &str, key: bool) -> Option<String> {
    if key {
        return Some(Value::from(word).to_string());
    }
    match word {
        "true" | "True" => Some("true".to_owned()),
        "false" | "False" => Some("false".to_owned()),
        "null" | "None" | "undefined" => Some("null".to_owned()),
        number => number.parse::<f64>().ok().filter(|number| number.is_finite()).map(|_| number.to_owned()),
    }
}

enum Token {
    Punctuation(char),
    Text(String),
    Word(String),
}

/// Splits almost-JSON into tokens; `None` when a string has no end, or the end cuts a bare word.
fn lex(raw: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = raw.chars().peekable();
    while let Some(character) = chars.next() {
        match character {
            '{' | '}' | '[' | ']' | ':' | ',' => tokens.push(Token::Punctuation(character)),
            '"' | '\'' => tokens.push(Token::Text(quoted(character, &mut chars)?)),
            space if space.is_whitespace() => {}
            _ => {
                let mut word = String::from(character);
                while let Some(next) =
                    chars.next_if(|next| !next.is_whitespace() && !"{}[]:,\"'".contains(*next))
                {
                    word.push(next);
                }
                chars.peek()?;
                tokens.push(Token::Word(word));
            }
        }
    }
    Some(tokens)
}

/// The rest of a string after its opening `quote`, with JSON escapes undone.
fn quoted(quote: char, chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    let mut text = String::new();
    loop {
        match chars.next()? {
            end if end == quote => return Some(text),
            '\\' => match chars.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                'u' => text.push(unicode_escape(chars)?),
                escaped @ ('"' | '\'' | '\\' | '/') => text.push(escaped),
                // Not an escape of JSON, so the backslash was meant: `\d`.
                other => text.extend(['\\', other]),
            },
            other => text.push(other),
        }
    }
}

/// The character behind `\u`: four hex digits, or the two escapes of a surrogate pair (RFC 8259 §7).
fn unicode_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<char> {
    let unit = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        let digits: String = (0..4).map_while(|_| chars.next()).collect();
        u16::from_str_radix(&digits, 16).ok()
    };
    let first = unit(chars)?;
    let pair = if (0xD800..0xDC00).contains(&first) {
        let escaped = chars.next() == Some('\\') && chars.next() == Some('u');
        vec![first, escaped.then(|| unit(chars)).flatten()?]
    } else {
        vec![first]
    };
    char::decode_utf16(pair).next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[track_caller]
    fn check(raw: &str, expected: Option<Value>) {
        let settled = match settle(raw, false) {
            Arguments::Object(object) => Some(Value::Object(object)),
            Arguments::Unusable { .. } => None,
        };
        assert_eq!(settled, expected, "{raw}");
    }

    #[test]
    fn readings() {
        let pier = || Some(json!({"spot": "pier 4"}));
        check("", Some(json!({})));
        check(" null ", Some(json!({})));
        check(r#"{"spot":"pier 4"}"#, pier());
        check(r#""{\"spot\":\"pier 4\"}""#, pier());
        check("```json\n{\"spot\":\"pier 4\"}\n```", pier());
        check(r#"{}{"spot":"pier 4"}"#, pier());
        check(r#"{"spot":"pier 4"}{"spot":"pier 4"}"#, pier());
        check(r#"{"spot":"pier 4"}</tool_call>"#, pier());
        check(r#"{{"spot":"pier 4"}}"#, pier());
        check("{'spot': 'pier 4',}", pier());
        check("{spot: 'pier 4'}", pier());
        check(r#"{"spot":"pier 4""#, pier());
        check("```json {\"spot\":\"pier 4\"} ```", pier());
        check(r#""""#, Some(json!({})));
        check(r#"{"a":"\ud83c\udf75 \u8336",}"#, Some(json!({"a": "🍵 茶"})));
        check(r#"{"a":"\ud83c",}"#, None);
        check("{'a': True, 'b': None, 'c': [1, 2,], }", Some(json!({"a": true, "b": null, "c": [1, 2]})));
        check("{\"a\": \"one\ntwo\"}", Some(json!({"a": "one\ntwo"})));
        check(r#"{"rx":"\d+"}"#, Some(json!({"rx": "\\d+"})));
        check(r#"{'a': '"quoted"'}"#, Some(json!({"a": "\"quoted\""})));
    }

    #[test]
    fn half_a_value_is_never_run() {
        for raw in [
            r#"{"spot":"pier"#,
            r#"{"spot":"#,
            r#"{"n":12"#,
            "[1]",
            "7",
            "\"x\"",
            "save it",
            r#"{}{"spot":"pi"#,
            "{\"a\":1]",
        ] {
            check(raw, None);
        }
        assert!(matches!(settle(r#"{"spot":"pier 4"}"#, true), Arguments::Unusable { .. }));
    }

    proptest! {
        #[test]
        fn never_panics(raw in r#"[\{\}\[\]:,"'a1\\ `\n]{0,40}"#) {
            settle(&raw, false);
        }

        #[test]
        fn json_objects_are_taken_as_they_are(key in "[a-z]{1,5}", value in ".{0,20}") {
            let object = json!({key: value});
            let settled = settle(&object.to_string(), false);
            prop_assert_eq!(settled, Arguments::Object(object.as_object().unwrap().clone()));
        }
    }
}
