//! What a memory is, and the rules that change memories.
//!
//! A memory is one record of the user's file: seven fields that other programs read and write too,
//! and whatever else a record carries, kept as found. Everything here is a function from values to
//! values: the time and new ids are arguments, the disk is the business of `store`.

use std::collections::HashMap;

use chrono::{DateTime, Local};
use serde_json::{Map, Value};

/// Longest `content` or `context` of a memory, in characters.
pub const TEXT_LIMIT: usize = 4000;

/// The three kinds of long-term memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryType {
    /// What happened.
    Episodic,
    /// What is known.
    Semantic,
    /// How things are to be done.
    Procedural,
}

impl MemoryType {
    pub const ALL: [Self; 3] = [Self::Episodic, Self::Semantic, Self::Procedural];

    pub fn name(self) -> &'static str {
        match self {
            Self::Episodic => "episodic",
            Self::Semantic => "semantic",
            Self::Procedural => "procedural",
        }
    }

    /// The type called `name`, in any case; `None` for anything else.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name.trim()))
    }
}

/// A vector and the model that made it. Vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    /// `None` in records of other programs, which do not say.
    pub model: Option<String>,
    pub values: Vec<f32>,
}

/// One long-term memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    pub memory_id: String,
    pub content: String,
    /// When or why the user said it; may be empty.
    pub context: String,
    /// Local ISO-8601 time to the second, as written.
    pub created_at: String,
    pub updated_at: String,
    pub memory_type: MemoryType,
    /// Of content and context together.
    pub vector: Option<Vector>,
}

/// The keys a record always has, in the order they are written.
pub const FIELDS: [&str; 7] =
    ["memory_id", "content", "context", "created_at", "updated_at", "memory_type", "embedding"];
/// The further key that names the model of a vector.
pub const VECTOR_MODEL: &str = "embedding_model";

impl Memory {
    /// Reads a record. `None` when it lacks what makes a memory: an id and a content.
    /// A missing or unknown `memory_type` reads as semantic, a missing `embedding` as none.
    pub fn from_json(record: &Value) -> Option<Self> {
        let text = |key: &str| record.get(key).and_then(Value::as_str);
        let optional = |key: &str| text(key).unwrap_or_default().to_owned();
        let values = record.get("embedding").and_then(numbers);
        Some(Self {
            memory_id: text("memory_id").filter(|id| !id.is_empty())?.to_owned(),
            content: text("content")?.to_owned(),
            context: optional("context"),
            created_at: optional("created_at"),
            updated_at: optional("updated_at"),
            memory_type: MemoryType::parse(&optional("memory_type")).unwrap_or(MemoryType::Semantic),
            vector: values.map(|values| Vector { model: text(VECTOR_MODEL).map(str::to_owned), values }),
        })
    }

    /// The record as it is written: the seven fields, and the model of the vector where it is known.
    pub fn to_json(&self) -> Map<String, Value> {
        let vector = self.vector.as_ref();
        let values: [Value; 7] = [
            self.memory_id.as_str().into(),
            self.content.as_str().into(),
            self.context.as_str().into(),
            self.created_at.as_str().into(),
            self.updated_at.as_str().into(),
            self.memory_type.name().into(),
            vector.map_or(Value::Null, |vector| vector.values.iter().map(shortest).collect()),
        ];
        let mut record: Map<String, Value> = FIELDS.map(str::to_owned).into_iter().zip(values).collect();
        if let Some(model) = vector.and_then(|vector| vector.model.as_deref()) {
            record.insert(VECTOR_MODEL.to_owned(), model.into());
        }
        record
    }

    /// A new memory called `memory_id`.
    pub fn new(upsert: Upsert, memory_id: String, now: DateTime<Local>) -> Self {
        let time = timestamp(now);
        Self {
            memory_id,
            content: upsert.content,
            context: upsert.context,
            created_at: time.clone(),
            updated_at: time,
            memory_type: upsert.memory_type,
            vector: upsert.vector,
        }
    }

    /// Replaces what the memory says, keeping `memory_id` and `created_at`.
    pub fn update(&mut self, upsert: Upsert, now: DateTime<Local>) {
        self.content = upsert.content;
        self.context = upsert.context;
        self.memory_type = upsert.memory_type;
        self.vector = upsert.vector;
        self.updated_at = timestamp(now);
    }

    /// What is embedded and searched: content and context together.
    pub fn text(&self) -> String {
        text_of(&self.content, &self.context)
    }
}

/// Content and context as the one text that is embedded and searched.
pub fn text_of(content: &str, context: &str) -> String {
    if context.is_empty() { content.to_owned() } else { format!("{content}\n{context}") }
}

fn numbers(value: &Value) -> Option<Vec<f32>> {
    let values: Option<Vec<f32>> =
        value.as_array()?.iter().map(|number| number.as_f64().map(|number| number as f32)).collect();
    values.filter(|values| !values.is_empty() && values.iter().all(|number| number.is_finite()))
}

/// `number` as JSON in the fewest digits that read back as the same `f32`: 0.1, not 0.10000000149.
fn shortest(number: &f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// `now` in the form the records use: local time to the second, without an offset.
pub fn timestamp(now: DateTime<Local>) -> String {
    now.format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// A memory to be written: over the one called `memory_id`, or as a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Upsert {
    pub memory_id: Option<String>,
    pub content: String,
    pub context: String,
    pub memory_type: MemoryType,
    pub vector: Option<Vector>,
}

/// Whether an upsert made a new memory or replaced one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Inserted,
    Updated,
}

/// Short names (`m3`) for the memories of one session, so that a model need not copy UUIDs.
///
/// A number is given at first sight and never again to another memory, so a short id that was shown
/// earlier in the conversation cannot come to mean something else.
#[derive(Debug, Default)]
pub struct ShortIds {
    full: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl ShortIds {
    /// The short id of `memory_id`, given now if it has none.
    pub fn short(&mut self, memory_id: &str) -> String {
        if let Some(number) = self.numbers.get(memory_id) {
            return format!("m{number}");
        }
        self.full.push(memory_id.to_owned());
        self.numbers.insert(memory_id.to_owned(), self.full.len());
        format!("m{}", self.full.len())
    }

    /// The memory that `id` names, be it a short id or a full one; `id` itself when it is neither.
    pub fn resolve<'a>(&'a self, id: &'a str) -> &'a str {
        let id = id.trim();
        let number = id.strip_prefix(['m', 'M']).and_then(|digits| digits.parse::<usize>().ok());
        let full = number.and_then(|number| self.full.get(number.checked_sub(1)?));
        full.map_or(id, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;
    use serde_json::json;

    fn noon() -> DateTime<Local> {
        Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 5).unwrap()
    }

    fn upsert(memory_id: Option<&str>, content: &str) -> Upsert {
        Upsert {
            memory_id: memory_id.map(str::to_owned),
            content: content.to_owned(),
            context: "chat".to_owned(),
            memory_type: MemoryType::Semantic,
            vector: None,
        }
    }

    #[test]
    fn a_seven_field_record_is_written_with_those_seven() {
        let record = json!({"memory_id": "a", "content": "c", "context": "x", "created_at": "t",
            "updated_at": "u", "memory_type": "episodic", "embedding": [0.5, -1.0]});
        assert_eq!(Value::Object(Memory::from_json(&record).unwrap().to_json()), record);
    }

    #[test]
    fn what_is_missing_or_strange_is_read_kindly() {
        let memory = Memory::from_json(&json!({"memory_id": "a", "content": "c",
            "memory_type": "preference", "embedding": ["x"], "context": null, "tag": 1}))
        .unwrap();
        assert_eq!(memory.memory_type, MemoryType::Semantic);
        assert_eq!(memory.vector, None);
        let written = memory.to_json();
        assert_eq!(written.keys().collect::<Vec<_>>(), FIELDS);
        for unusable in [json!({"content": "c"}), json!({"memory_id": "a"}), json!([]), json!("x")] {
            assert_eq!(Memory::from_json(&unusable), None);
        }
    }

    #[test]
    fn an_update_keeps_identity_and_birth() {
        let mut memory = Memory::new(upsert(None, "old"), "id-1".into(), noon());
        memory.update(upsert(Some("id-1"), "new"), noon() + chrono::Duration::seconds(60));
        assert_eq!(
            (memory.memory_id.as_str(), memory.content.as_str(), memory.created_at.as_str()),
            ("id-1", "new", "2026-11-30T12:00:05")
        );
        assert_eq!(memory.updated_at, "2026-11-30T12:01:05");
    }

    #[test]
    fn vectors_are_written_in_few_digits() {
        let vector = Some(Vector { model: Some("m".into()), values: vec![0.1, -0.25] });
        let memory = Memory::new(Upsert { vector, ..upsert(None, "c") }, "id".into(), noon());
        let written = Value::Object(memory.to_json());
        assert_eq!(written["embedding"].to_string(), "[0.1,-0.25]");
        assert_eq!(Memory::from_json(&written), Some(memory));
    }

    #[test]
    fn short_ids_are_stable_and_resolve() {
        let mut ids = ShortIds::default();
        assert_eq!(ids.short("uuid-a"), "m1");
        assert_eq!(ids.short("uuid-b"), "m2");
        assert_eq!(ids.short("uuid-a"), "m1");
        for (id, full) in
            [("m2", "uuid-b"), (" M1 ", "uuid-a"), ("uuid-b", "uuid-b"), ("m9", "m9"), ("m0", "m0")]
        {
            assert_eq!(ids.resolve(id), full);
        }
    }
}
