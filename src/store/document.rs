//! The text of a memory file: an array of records, two-space indented, as other programs write it.
//!
//! A record that is not changed keeps the very text of its values, whatever they are: other programs
//! may know more than this one.

use std::collections::HashSet;
use std::fmt;

use chrono::{DateTime, Local};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::memory::{Action, FIELDS, Memory, Upsert, VECTOR_MODEL};

/// The fields of a record in the order found, each with the text of its value.
#[derive(Debug, Default)]
struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.get())
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
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

/// An entry of the file: a memory, or something else that is kept as found.
#[derive(Debug)]
enum Entry {
    Memory {
        memory: Box<Memory>,
        found: Fields,
        /// `found` is no longer what the memory says.
        changed: bool,
    },
    Strange(Box<RawValue>),
}

impl From<Box<RawValue>> for Entry {
    fn from(raw: Box<RawValue>) -> Self {
        let memory = serde_json::from_str(raw.get()).ok().and_then(|value| Memory::from_json(&value));
        match (memory, serde_json::from_str(raw.get())) {
            (Some(memory), Ok(found)) => Self::Memory { memory: Box::new(memory), found, changed: false },
            _ => Self::Strange(raw),
        }
    }
}

/// The entries of a memory file, in order.
#[derive(Debug, Default)]
pub struct Document {
    entries: Vec<Entry>,
}

/// A file that is no array of entries, and what could be saved from it.
#[derive(Debug)]
pub struct Damaged {
    pub salvaged: Document,
}

impl Document {
    /// Reads a file. A byte order mark and any line ends are fine; an empty file has no memories.
    pub fn parse(bytes: &[u8]) -> Result<Self, Damaged> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        if bytes.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        match serde_json::from_slice::<Vec<Box<RawValue>>>(bytes) {
            Ok(values) => Ok(Self { entries: values.into_iter().map(Entry::from).collect() }),
            Err(error) => {
                tracing::debug!(%error, "the memory file is no JSON array");
                Err(Damaged { salvaged: salvage(&String::from_utf8_lossy(bytes)) })
            }
        }
    }

    pub fn memories(&self) -> Vec<&Memory> {
        self.entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Memory { memory, .. } => Some(&**memory),
                Entry::Strange(_) => None,
            })
            .collect()
    }

    /// How many entries are no memories.
    pub fn strange(&self) -> usize {
        self.entries.len() - self.memories().len()
    }

    /// Applies `upsert`: over the memory it names, or as a new one called `new_id`. `None` when the
    /// memory it names is not there.
    pub fn upsert(
        &mut self,
        upsert: Upsert,
        new_id: String,
        now: DateTime<Local>,
    ) -> Option<(Memory, Action)> {
        let Some(wanted) = upsert.memory_id.clone() else {
            let memory = Memory::new(upsert, new_id, now);
            let entry =
                Entry::Memory { memory: Box::new(memory.clone()), found: Fields::default(), changed: true };
            self.entries.push(entry);
            return Some((memory, Action::Inserted));
        };
        self.entries.iter_mut().find_map(|entry| match entry {
            Entry::Memory { memory, changed, .. } if memory.memory_id == wanted => {
                memory.update(upsert.clone(), now);
                *changed = true;
                Some(((**memory).clone(), Action::Updated))
            }
            _ => None,
        })
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
                Entry::Memory { memory, found, changed } => record_text(memory, found, *changed),
                Entry::Strange(raw) => raw.get().to_owned(),
            })
            .collect();
        format!("[\n  {}\n]\n", entries.join(",\n  "))
    }
}

/// A record with a line for each field: the seven first, then what else was found in it.
fn record_text(memory: &Memory, found: &Fields, changed: bool) -> String {
    let current = memory.to_json();
    let ours = FIELDS.into_iter().chain([VECTOR_MODEL]).filter_map(|key| {
        let found = found.get(key).filter(|_| !changed).map(str::to_owned);
        let value = found.or_else(|| current.get(key).map(Value::to_string))?;
        Some((key, value))
    });
    let others = found.0.iter().filter(|(key, _)| !FIELDS.contains(&key.as_str()) && key != VECTOR_MODEL);
    let others = others.map(|(key, value)| (key.as_str(), value.get().to_owned()));
    let lines: Vec<String> =
        ours.chain(others).map(|(key, value)| format!("    {}: {value}", Value::from(key))).collect();
    format!("{{\n{}\n  }}", lines.join(",\n"))
}

/// Every whole record found anywhere in a damaged text, the first of each id.
fn salvage(text: &str) -> Document {
    let mut entries = Vec::new();
    let mut known = HashSet::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let (_, from_brace) = rest.split_at(start);
        let mut values = serde_json::Deserializer::from_str(from_brace).into_iter::<Box<RawValue>>();
        let entry = values.next().and_then(Result::ok).map(Entry::from);
        let read = match &entry {
            Some(Entry::Memory { .. }) => values.byte_offset(),
            _ => 1,
        };
        rest = from_brace.split_at(read).1;
        if let Some(Entry::Memory { memory, .. }) = &entry
            && known.insert(memory.memory_id.clone())
        {
            entries.extend(entry);
        }
    }
    Document { entries }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryType;
    use chrono::TimeZone;

    fn parse(text: &str) -> Document {
        Document::parse(text.as_bytes()).unwrap()
    }

    fn upsert(memory_id: Option<&str>) -> Upsert {
        Upsert {
            memory_id: memory_id.map(str::to_owned),
            content: "new".to_owned(),
            context: String::new(),
            memory_type: MemoryType::Semantic,
            vector: None,
        }
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
        document.upsert(upsert(None), "b".to_owned(), noon()).unwrap();
        let text = document.to_text();
        assert!(text.starts_with(FILE.trim_end_matches("\n]\n")), "{text}");
    }

    #[test]
    fn a_changed_record_keeps_the_keys_it_does_not_know() {
        let mut document = parse(FILE);
        let (_, action) = document.upsert(upsert(Some("a")), String::new(), noon()).unwrap();
        assert_eq!(action, Action::Updated);
        let text = document.to_text();
        for part in [
            "\"content\": \"new\"",
            "\"created_at\": \"\"",
            "\"embedding\": null",
            "\"big\": 1234567890123456789",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(document.upsert(upsert(Some("z")), String::new(), noon()).is_none());
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
        let damaged = Document::parse(text.as_bytes()).unwrap_err();
        let ids: Vec<&str> =
            damaged.salvaged.memories().iter().map(|memory| memory.memory_id.as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(Document::parse(b"{\"memories\": []}").unwrap_err().salvaged.entries.len(), 0);
    }

    #[test]
    fn clearing_leaves_what_is_no_memory() {
        let mut document = parse(FILE);
        document.clear();
        assert_eq!(document.to_text(), "[\n  \"not a memory\"\n]\n");
    }
}
