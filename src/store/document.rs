//! The text of a memory file: an array of records, two-space indented, as other programs write it.

use serde_json::{Map, Value};

use crate::memory::Memory;

/// An entry of the file: a memory, or something else that is kept as found.
#[derive(Debug, PartialEq)]
enum Entry {
    Memory(Box<Memory>),
    Strange(Value),
}

/// The entries of a memory file, in order.
#[derive(Debug, Default, PartialEq)]
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
        match serde_json::from_slice::<Vec<Value>>(bytes) {
            Ok(values) => Ok(values.into_iter().map(Entry::from).collect()),
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
                Entry::Memory(memory) => Some(&**memory),
                Entry::Strange(_) => None,
            })
            .collect()
    }

    /// How many entries are no memories.
    pub fn strange(&self) -> usize {
        self.entries.len() - self.memories().len()
    }

    /// Takes the memories out to be changed; [`Document::put_memories`] brings them back.
    pub fn take_memories(&mut self) -> Vec<Memory> {
        let (memories, strange): (Vec<_>, Vec<_>) =
            self.entries.drain(..).partition(|entry| matches!(entry, Entry::Memory(_)));
        self.entries = strange;
        memories
            .into_iter()
            .filter_map(|entry| match entry {
                Entry::Memory(memory) => Some(*memory),
                Entry::Strange(_) => None,
            })
            .collect()
    }

    /// Puts memories in front of what else the file holds.
    pub fn put_memories(&mut self, memories: Vec<Memory>) {
        let strange = std::mem::take(&mut self.entries);
        self.entries = memories.into_iter().map(|memory| Entry::Memory(Box::new(memory))).collect();
        self.entries.extend(strange);
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
                Entry::Memory(memory) => record_text(&memory.to_json()),
                Entry::Strange(value) => indented(value, "  "),
            })
            .collect();
        format!("[\n  {}\n]\n", entries.join(",\n  "))
    }
}

impl FromIterator<Entry> for Document {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        Self { entries: entries.into_iter().collect() }
    }
}

impl From<Value> for Entry {
    fn from(value: Value) -> Self {
        match Memory::from_json(&value) {
            Some(memory) => Self::Memory(Box::new(memory)),
            None => Self::Strange(value),
        }
    }
}

/// A record with a line for each field; a vector stays on its line, so that the file can be read.
fn record_text(record: &Map<String, Value>) -> String {
    let fields: Vec<String> = record
        .iter()
        .map(|(key, value)| {
            let value = match value {
                Value::Array(items) if items.iter().all(Value::is_number) => value.to_string(),
                value => indented(value, "    "),
            };
            format!("    {}: {value}", Value::from(key.as_str()))
        })
        .collect();
    format!("{{\n{}\n  }}", fields.join(",\n"))
}

/// `value` over several lines, each but the first behind `indent`. JSON text has no other newlines
/// than those between its parts.
fn indented(value: &Value, indent: &str) -> String {
    format!("{value:#}").replace('\n', &format!("\n{indent}"))
}

/// Every whole record found anywhere in a damaged text, the first of each id.
fn salvage(text: &str) -> Document {
    let mut document = Document::default();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let (_, from_brace) = rest.split_at(start);
        let mut values = serde_json::Deserializer::from_str(from_brace).into_iter::<Value>();
        let memory = values.next().and_then(Result::ok).as_ref().and_then(Memory::from_json);
        let read = if memory.is_some() { values.byte_offset() } else { 1 };
        rest = from_brace.split_at(read).1;
        if let Some(memory) = memory
            && !document.memories().iter().any(|known| known.memory_id == memory.memory_id)
        {
            document.entries.push(Entry::Memory(Box::new(memory)));
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Document {
        Document::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn layout() {
        let text = r#"[
  {
    "memory_id": "a",
    "content": "用户叫张三",
    "context": "line\nbreak",
    "created_at": "2026-01-02T03:04:05",
    "updated_at": "2026-01-02T03:04:05",
    "memory_type": "semantic",
    "embedding": [0.5,-1.0],
    "tags": {
      "x": [
        "y"
      ]
    }
  },
  "not a memory"
]
"#;
        assert_eq!(parse(text).to_text(), text);
        assert_eq!(parse(text).strange(), 1);
        assert_eq!(parse("").to_text(), "[]\n");
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
        assert_eq!(Document::parse(b"{\"memories\": []}").unwrap_err().salvaged, Document::default());
    }

    #[test]
    fn taking_and_putting_loses_nothing() {
        let mut document = parse(r#"["x", {"memory_id": "a", "content": "c"}]"#);
        let memories = document.take_memories();
        assert_eq!((memories.len(), document.memories().len()), (1, 0));
        document.put_memories(memories);
        assert_eq!((document.memories().len(), document.strange()), (1, 1));
    }
}
