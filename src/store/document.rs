//! The text of a memory file: an array of records, two-space indented, as other programs write it.
//!
//! A record that is not changed keeps the very text of its values, whatever they are: other programs
//! may know more than this one.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::vectors::{self, Slim, Taken};
use crate::memory::{
    Evidence, FIELDS, Fact, GOVERNANCE_FIELDS, Governance, Memory, MemoryType, Source, VECTOR_FIELDS, Vector,
};

/// The fields of a record in the order found, each with the text of its value.
#[derive(Debug)]
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl Fields<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.get())
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A record as nearly all are: read in one pass, many times faster than one whose values may be anything.
#[derive(Deserialize)]
struct Plain<'a> {
    #[serde(borrow)]
    memory_id: Cow<'a, str>,
    #[serde(borrow)]
    content: Cow<'a, str>,
    #[serde(borrow)]
    context: Cow<'a, str>,
    #[serde(borrow)]
    created_at: Cow<'a, str>,
    #[serde(borrow)]
    updated_at: Cow<'a, str>,
    #[serde(borrow)]
    memory_type: Cow<'a, str>,
    #[serde(borrow)]
    embedding: &'a RawValue,
    #[serde(borrow)]
    embedding_model: Option<Cow<'a, str>>,
    embedding_parts: Option<Unusual>,
    source: Option<Source>,
    confidence: Option<f64>,
    importance: Option<u8>,
    pinned: Option<bool>,
    expires_at: Option<String>,
    fact: Option<Fact>,
    evidence: Option<Evidence>,
    valid_from: Option<String>,
    valid_to: Option<String>,
    superseded_by: Option<String>,
}

/// What makes a record not plain.
#[derive(Deserialize)]
enum Unusual {}

impl Plain<'_> {
    /// The memory; `None` when it is none, or has a vector of an unusual form.
    fn memory(self, values: &mut [Vec<f32>]) -> Option<Memory> {
        if self.embedding_parts.is_some() {
            return None;
        }
        let values = match (self.embedding.get(), vectors::number_of(self.embedding.get())) {
            ("null", _) => Vec::new(),
            (_, Some(number)) => std::mem::take(values.get_mut(number)?),
            _ => return None,
        };
        let tag = self.embedding_model.map(Cow::into_owned);
        Some(Memory {
            memory_id: Some(self.memory_id.into_owned()).filter(|id| !id.is_empty())?,
            content: self.content.into_owned(),
            context: self.context.into_owned(),
            created_at: self.created_at.into_owned(),
            updated_at: self.updated_at.into_owned(),
            memory_type: MemoryType::parse(&self.memory_type).unwrap_or(MemoryType::Semantic),
            vector: (!values.is_empty()).then_some(Vector { tag, values, parts: Vec::new() }),
            governance: Governance {
                source: self.source.unwrap_or_default(),
                confidence: self.confidence,
                importance: self.importance,
                pinned: self.pinned.unwrap_or_default(),
                expires_at: self.expires_at,
                fact: self.fact,
                evidence: self.evidence,
                valid_from: self.valid_from,
                valid_to: self.valid_to,
                superseded_by: self.superseded_by,
            },
        })
    }
}

/// An entry of the file: a memory, or something else that is kept as found.
#[derive(Debug)]
enum Entry {
    Memory {
        memory: Arc<Memory>,
        /// The text of the record, vectors taken out; empty for a new one.
        raw: String,
        /// `raw` is no longer what the memory says.
        changed: bool,
    },
    Strange(String),
}

impl Entry {
    /// Reads an entry of a text without its vectors, which are in `values`.
    fn new(raw: &RawValue, values: &mut [Vec<f32>]) -> Self {
        let raw = raw.get();
        let plain = serde_json::from_str::<Plain<'_>>(raw).ok().and_then(|plain| plain.memory(values));
        match plain.or_else(|| unusual_memory(raw, values)) {
            Some(memory) => Self::Memory { memory: Arc::new(memory), raw: raw.to_owned(), changed: false },
            None => Self::Strange(raw.to_owned()),
        }
    }
}

/// A memory whose values may be anything.
fn unusual_memory(raw: &str, values: &mut [Vec<f32>]) -> Option<Memory> {
    let value: Value = serde_json::from_str(raw).ok()?;
    let mut memory = Memory::from_json(&value)?;
    let fields: Fields<'_> = serde_json::from_str(raw).ok()?;
    let taken = fields.get("embedding").and_then(vectors::number_of);
    if let Some(values) = taken.and_then(|number| values.get_mut(number)) {
        memory.set_values(&value, std::mem::take(values));
    }
    Some(memory)
}

/// The entries of a memory file, in order.
#[derive(Debug, Default)]
pub struct Document {
    entries: Vec<Entry>,
    taken: Taken,
}

/// A file that is no array of entries, and what could be saved from it.
#[derive(Debug)]
pub struct Damaged {
    pub salvaged: Document,
}

impl Document {
    /// Reads a file. A byte order mark and any line ends are fine; an empty file has no memories.
    pub fn parse(mut bytes: Vec<u8>) -> Result<Self, Damaged> {
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        if bytes.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        let Slim { text, mut values, taken } = vectors::slim(bytes);
        match serde_json::from_slice::<Vec<&RawValue>>(&text) {
            Ok(raw) => {
                let entries = raw.into_iter().map(|raw| Entry::new(raw, &mut values)).collect();
                Ok(Self { entries, taken })
            }
            Err(error) => {
                tracing::debug!(%error, "the memory file is no JSON array");
                let entries = salvage(&String::from_utf8_lossy(&text), &mut values);
                Err(Damaged { salvaged: Self { entries, taken } })
            }
        }
    }

    pub fn memories(&self) -> Vec<Arc<Memory>> {
        let memory = |entry: &Entry| match entry {
            Entry::Memory { memory, .. } => Some(Arc::clone(memory)),
            Entry::Strange(_) => None,
        };
        self.entries.iter().filter_map(memory).collect()
    }

    /// How many entries are no memories.
    pub fn strange(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Entry::Strange(_))).count()
    }

    pub fn memory_at(&self, place: usize) -> Option<&Arc<Memory>> {
        match self.entries.get(place)? {
            Entry::Memory { memory, .. } => Some(memory),
            Entry::Strange(_) => None,
        }
    }

    /// Adds `memory` at the end and returns its place.
    pub fn push(&mut self, memory: Memory) -> usize {
        self.entries.push(Entry::Memory { memory: Arc::new(memory), raw: String::new(), changed: true });
        self.entries.len() - 1
    }

    /// Takes the memories called `ids` out and returns them.
    pub fn remove_all(&mut self, ids: &HashSet<String>) -> Vec<Memory> {
        if ids.is_empty() {
            return Vec::new();
        }
        let goes = |entry: &mut Entry| matches!(entry, Entry::Memory { memory, .. } if ids.contains(&memory.memory_id));
        let taken = self.entries.extract_if(.., goes);
        let memory = |entry| match entry {
            Entry::Memory { memory, .. } => Some(Arc::unwrap_or_clone(memory)),
            Entry::Strange(_) => None,
        };
        taken.filter_map(memory).collect()
    }

    /// The places of the memories by their ids; the first of each.
    pub fn places(&self) -> HashMap<String, usize> {
        let mut places = HashMap::new();
        for (place, entry) in self.entries.iter().enumerate() {
            if let Entry::Memory { memory, .. } = entry {
                places.entry(memory.memory_id.clone()).or_insert(place);
            }
        }
        places
    }

    /// Changes the memory at `place` and says whether it is another one now.
    pub fn change_at(&mut self, place: usize, change: impl FnOnce(&mut Memory)) -> bool {
        let Some(Entry::Memory { memory, changed, .. }) = self.entries.get_mut(place) else { return false };
        let mut after = (**memory).clone();
        change(&mut after);
        let differs = after != **memory;
        if differs {
            *memory = Arc::new(after);
            *changed = true;
        }
        differs
    }

    /// Takes all memories out and leaves what else the file holds.
    pub fn clear(&mut self) {
        self.entries.retain(|entry| matches!(entry, Entry::Strange(_)));
    }

    /// The whole file.
    pub fn to_text(&self) -> String {
        if self.entries.is_empty() {
            return "[]\n".to_owned();
        }
        let entries: Vec<String> = self
            .entries
            .iter()
            .map(|entry| match entry {
                Entry::Memory { memory, raw, changed } => self.record_text(memory, raw, *changed),
                Entry::Strange(text) => self.taken.restored(text).into_owned(),
            })
            .collect();
        format!("[\n  {}\n]\n", entries.join(",\n  "))
    }

    /// A record with a line for each field: the seven first, then what else was found in it.
    fn record_text(&self, memory: &Memory, raw: &str, changed: bool) -> String {
        let found = serde_json::from_str::<Fields<'_>>(raw).map(|fields| fields.0).unwrap_or_default();
        let value_in = |key: &str| {
            let value = found.iter().rev().find(|(name, _)| name == key);
            value.map(|(_, value)| self.taken.restored(value.get()))
        };
        let whole = FIELDS.iter().all(|key| found.iter().any(|(name, _)| name == key));
        let current = if changed || !whole { memory.fields() } else { Vec::new() };
        let current_of = |key: &str| {
            let field = current.iter().find(|(name, _)| *name == key);
            field.map(|(_, value)| Cow::Borrowed(value.as_str()))
        };
        let mut text = String::from("{\n");
        let mut line = |key: &str, value: &str| {
            text.push_str(if text.len() > 2 { ",\n    " } else { "    " });
            text.push_str(&Value::from(key).to_string());
            text.push_str(": ");
            text.push_str(value);
        };
        let optional = || GOVERNANCE_FIELDS.into_iter().chain(VECTOR_FIELDS);
        let understood = if changed { understood(raw) } else { Vec::new() };
        let ours = |key: &str| FIELDS.contains(&key) || optional().any(|ours| ours == key);
        for key in FIELDS.into_iter().chain(optional()) {
            // A value that says nothing here may say something to another program.
            let foreign = !FIELDS.contains(&key) && !understood.contains(&key) && current_of(key).is_none();
            let kept = if changed && !foreign { None } else { value_in(key) };
            if let Some(value) = kept.or_else(|| current_of(key)) {
                line(key, &value);
            }
        }
        for (key, value) in found.iter().filter(|(key, _)| !ours(key)) {
            line(key, &self.taken.restored(value.get()));
        }
        text.push_str("\n  }");
        text
    }
}

/// The keys of a record that were understood.
fn understood(raw: &str) -> Vec<&'static str> {
    let value = serde_json::from_str(raw).unwrap_or_default();
    let memory = Memory::from_json(&value);
    let fields = memory.map(|memory| memory.fields()).unwrap_or_default();
    // A vector that was taken out is understood, whatever stands in its place.
    fields.into_iter().map(|(key, _)| key).chain(VECTOR_FIELDS).collect()
}

/// Every whole record found anywhere in a damaged text, the first of each id.
fn salvage(text: &str, values: &mut [Vec<f32>]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut known = HashSet::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let (_, from_brace) = rest.split_at(start);
        let mut found = serde_json::Deserializer::from_str(from_brace).into_iter::<&RawValue>();
        let entry = found.next().and_then(Result::ok).map(|raw| Entry::new(raw, values));
        let read = match &entry {
            Some(Entry::Memory { .. }) => found.byte_offset(),
            _ => 1,
        };
        rest = from_brace.split_at(read).1;
        if let Some(Entry::Memory { memory, .. }) = &entry
            && known.insert(memory.memory_id.clone())
        {
            entries.extend(entry);
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Upsert;
    use chrono::{DateTime, Local, TimeZone};

    fn parse(text: &str) -> Document {
        Document::parse(text.into()).unwrap()
    }

    fn noon() -> DateTime<Local> {
        Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap()
    }

    const FILE: &str = r#"[
  {
    "memory_id": "a",
    "content": "用户叫张三",
    "context": {"k": 1},
    "created_at": 1700000000,
    "updated_at": "2026-01-02T03:04:05",
    "memory_type": "preference",
    "embedding": [
      0.12345678901234567,
      -1.0
    ],
    "big": 123456789012345678901234567890
  },
  "not a memory"
]
"#;

    #[test]
    fn what_is_not_changed_keeps_its_very_text() {
        assert_eq!(parse(FILE).to_text(), FILE);
        assert_eq!(parse(FILE).strange(), 1);
        assert_eq!(parse("").to_text(), "[]\n");
        let mut document = parse(FILE);
        document.push(Memory::new(Upsert::fact("new".into()), "b".into(), noon()));
        let text = document.to_text();
        assert!(text.starts_with(FILE.trim_end_matches("\n]\n")), "{text}");
    }

    #[test]
    fn a_changed_record_keeps_the_keys_it_does_not_know() {
        let mut document = parse(FILE);
        assert!(document.change_at(0, |memory| memory.update(Upsert::fact("new".into()), noon())));
        let text = document.to_text();
        for part in [
            "\"content\": \"new\"",
            "\"created_at\": \"\"",
            "\"embedding\": null",
            "\"big\": 1234567890123456789",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!document.change_at(7, |memory| memory.content.clear()));
    }

    #[test]
    fn a_short_record_is_completed() {
        let text = parse(r#"[{"content": "c", "memory_id": "a", "x": 1}]"#).to_text();
        let value: Value = serde_json::from_str(&text).unwrap();
        let keys: Vec<&String> = value[0].as_object().unwrap().keys().collect();
        assert_eq!(keys[..7], FIELDS);
        assert_eq!(keys[7..], ["x"]);
        assert_eq!(value[0]["memory_type"], "semantic");
    }

    #[test]
    fn bom_and_crlf_are_fine() {
        let text = "\u{feff}[\r\n{\"memory_id\": \"a\",\r\n \"content\": \"c\"}\r\n]\r\n";
        assert_eq!(parse(text).memories().len(), 1);
    }

    #[test]
    fn whole_records_are_saved_from_a_damaged_file() {
        let record = |id: &str| format!("{{\"memory_id\": \"{id}\", \"content\": \"c {{ 字\"}}");
        let text = format!("[{}, {}, {{\"memory_id\": \"c\", \"cont", record("a"), record("b"));
        let damaged = Document::parse(text.into()).unwrap_err();
        let ids: Vec<String> =
            damaged.salvaged.memories().iter().map(|memory| memory.memory_id.clone()).collect();
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(Document::parse(b"{\"memories\": []}".to_vec()).unwrap_err().salvaged.entries.len(), 0);
    }

    #[test]
    fn clearing_leaves_what_is_no_memory() {
        let mut document = parse(FILE);
        document.clear();
        assert_eq!(document.to_text(), "[\n  \"not a memory\"\n]\n");
    }
}
