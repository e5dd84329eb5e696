//! What an import reads: an array of records, or one JSON object a line.
//!
//! All of it is read and checked before anything is written. A record without an id gets one that is
//! made of what it says, so that the same file read twice is the same memories.

use chrono::{DateTime, Local, NaiveDate, NaiveDateTime};
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value};
use uuid::Builder;

use crate::memory::{self, Incoming, Memory, Source};
use crate::text::{self, Lang};

/// Characters of a content or context that are taken in: more than a model may write, since other programs
/// write longer ones.
const LIMIT: usize = 100_000;

/// A memory, and whose it is where the file says so.
#[derive(Debug, PartialEq)]
pub struct Record {
    pub user: Option<String>,
    pub incoming: Incoming,
}

/// Where and why a file cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Line or number of the record, from 1.
    pub number: usize,
    pub is_line: bool,
    pub problem: String,
}

/// Reads `bytes`. Records without a time have none yet.
pub fn records(lang: Lang, bytes: &[u8]) -> Result<Vec<Record>, Refusal> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.trim_ascii_start().starts_with(b"[") {
        let records: Vec<Value> = serde_json::from_slice(bytes).map_err(|error| Refusal {
            number: error.line(),
            is_line: true,
            problem: text::not_an_object(lang, &error.to_string()),
        })?;
        let records = records.iter().enumerate();
        return records
            .map(|(place, value)| {
                record(lang, value).map_err(|problem| Refusal { number: place + 1, is_line: false, problem })
            })
            .collect();
    }
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    lines
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(place, line)| {
            let value =
                serde_json::from_slice(line).map_err(|error| text::not_an_object(lang, &error.to_string()));
            let record = value.and_then(|value: Value| record(lang, &value));
            record.map_err(|problem| Refusal { number: place + 1, is_line: true, problem })
        })
        .collect()
}

fn record(lang: Lang, value: &Value) -> Result<Record, String> {
    let Some(fields) = value.as_object() else {
        return Err(text::not_an_object(lang, &value.to_string().chars().take(40).collect::<String>()));
    };
    let content = fields.get("content").and_then(Value::as_str).map(str::trim).unwrap_or_default();
    if content.is_empty() {
        return Err(text::no_content(lang).to_owned());
    }
    let context = optional(lang, fields, "context")?.trim().to_owned();
    for (key, value) in [("content", content), ("context", context.as_str())] {
        let length = value.chars().count();
        if length > LIMIT {
            return Err(text::too_long(lang, key, length, LIMIT));
        }
    }
    let user = optional(lang, fields, "user")?;
    if !user.is_empty() && (user.trim() != user || user.chars().any(char::is_control)) {
        return Err(text::not_a_user(lang, &user));
    }
    let has = |key: &str| fields.get(key).is_some_and(|value| !value.is_null());
    let (has_context, has_type) = (has("context"), has("memory_type"));
    let given = optional(lang, fields, "created_at")?;
    let created_at = match given.trim() {
        "" => String::new(),
        time => local_time(time).ok_or_else(|| text::not_a_time(lang, time))?,
    };
    let id = match optional(lang, fields, "memory_id")? {
        id if id.trim().is_empty() => optional(lang, fields, "id")?,
        id => id,
    };
    let id = match id.trim() {
        "" => id_of(&[&user, content, &context, given.trim()]),
        id => id.to_owned(),
    };
    let mut fields = fields.clone();
    let mut set = |key: &str, value: &str| fields.insert(key.to_owned(), Value::from(value));
    set("memory_id", &id);
    set("content", content);
    set("context", &context);
    set("created_at", &created_at);
    let updated_at = value.get("updated_at").and_then(Value::as_str).and_then(local_time);
    set("updated_at", &updated_at.unwrap_or(created_at));
    let mut memory =
        Memory::from_json(&Value::Object(fields)).ok_or_else(|| text::no_content(lang).to_owned())?;
    if !has("source") {
        memory.governance.source = Source::Imported;
    }
    let incoming = Incoming { memory, has_context, has_type };
    Ok(Record { user: Some(user).filter(|user| !user.is_empty()), incoming })
}

/// The text at `key`; empty where there is none.
fn optional(lang: Lang, fields: &Map<String, Value>, key: &str) -> Result<String, String> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        Some(_) => Err(text::not_text(lang, key)),
    }
}

/// An ISO-8601 time as records have it: local, to the second.
fn local_time(time: &str) -> Option<String> {
    if let Ok(time) = DateTime::parse_from_rfc3339(time) {
        return Some(memory::timestamp(time.with_timezone(&Local)));
    }
    let forms = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M"];
    let exact = forms.iter().find_map(|form| NaiveDateTime::parse_from_str(time, form).ok());
    let midnight = || NaiveDate::parse_from_str(time, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    exact.or_else(midnight).map(|time| time.format("%Y-%m-%dT%H:%M:%S").to_string())
}

/// A UUID of what a record says.
fn id_of(texts: &[&str]) -> String {
    let hash = digest(&SHA256, texts.join("\0").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.as_ref()[..16]);
    Builder::from_custom_bytes(bytes).into_uuid().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryType;

    fn read(file: &str) -> Result<Vec<Record>, String> {
        records(Lang::En, file.as_bytes())
            .map_err(|refusal| format!("{} {}: {}", refusal.number, refusal.is_line, refusal.problem))
    }

    #[test]
    fn lines_and_arrays() {
        let lines = "\n{\"content\": \" likes tea \", \"id\": \"a\", \"user\": \"u\", \"memory_type\": \"episodic\"}\r\n{\"content\": \"c\"}\n";
        let records = read(lines).unwrap();
        let Record { user, incoming: Incoming { memory, .. } } = &records[0];
        assert_eq!(
            (user.as_deref(), memory.memory_id.as_str(), memory.content.as_str()),
            (Some("u"), "a", "likes tea")
        );
        assert_eq!((memory.memory_type, memory.created_at.as_str()), (MemoryType::Episodic, ""));
        let array =
            r#" [{"memory_id": "a", "content": "c", "created_at": "2026-01-02", "embedding": [1, 2]}]"#;
        let memory = &read(array).unwrap()[0].incoming.memory;
        assert_eq!(memory.created_at, "2026-01-02T00:00:00");
        assert_eq!(memory.vector.as_ref().unwrap().values, [1.0, 2.0]);
        assert_eq!(read("").unwrap(), []);
    }

    #[test]
    fn without_an_id_the_same_is_the_same() {
        let file = "{\"content\": \"c\", \"user\": \"u\"}\n{\"content\": \"d\"}\n";
        let ids = |file: &str| -> Vec<String> {
            read(file).unwrap().into_iter().map(|record| record.incoming.memory.memory_id).collect()
        };
        assert_eq!(ids(file), ids(file));
        assert_ne!(ids(file)[0], ids(file)[1]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (file, expected) in [
            ("{\"content\": \"c\"}\n{\"content\": 7}", "2 true: it has no content"),
            ("{\"content\"", "1 true: this is no JSON object"),
            ("7", "1 true: this is no JSON object: 7"),
            ("[{\"content\": \"c\"}, {\"content\": \" \"}]", "2 false: it has no content"),
            ("[{\"content\": \"c\"},\n", "2 true: this is no JSON object"),
            ("{\"content\": \"c\", \"created_at\": \"yesterday\"}", "1 true: created_at \"yesterday\""),
            ("{\"content\": \"c\", \"user\": \" \"}", "1 true: user \" \""),
            ("{\"content\": \"c\", \"user\": [1]}", "1 true: user is no text"),
        ] {
            let refusal = read(file).unwrap_err();
            assert!(refusal.starts_with(expected), "{refusal}");
        }
    }
}
