//! What a memory is, and the rules that change memories.
//!
//! A memory is one record of the user's file: seven fields that other programs read and write too,
//! and whatever else a record carries, kept as found. Everything here is a function from values to
//! values: the time and new ids are arguments, the disk is the business of `store`.

pub mod audit;
mod change;
mod governance;
mod strength;

pub use change::{Change, Plan, Step};
pub use governance::{Evidence, Fact, GOVERNANCE_FIELDS, Governance, Source, offset_time, time_of};
pub use strength::{STRONGEST, Uses, strength};

use std::collections::HashMap;

use chrono::{DateTime, Local};
use serde_json::Value;

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

/// The built-in embedding model, and the numbers in its vectors. Its vectors carry no tag, so that a
/// plain record keeps its seven fields.
pub const BUILT_IN_MODEL: &str = "e5-small-zhen-q4";
pub const BUILT_IN_DIMENSIONS: usize = 384;

/// Decimals of a vector's numbers. Unit vectors of any usual length keep their cosines to six digits.
const VECTOR_DECIMALS: f32 = 1e4;

/// A vector and the model that made it. Vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    /// The tag of the record. Vectors of the built-in model and of other programs have none.
    pub tag: Option<String>,
    pub values: Vec<f32>,
    /// Of the further parts of a text that is longer than the model reads at once.
    pub parts: Vec<Vec<f32>>,
}

impl Vector {
    /// The vector of a text, from the unit vectors that `model` made of its parts; `None` without any.
    /// Numbers are rounded to what is written.
    pub fn new(model: &str, parts: Vec<Vec<f32>>) -> Option<Self> {
        let round = |number: f32| (number * VECTOR_DECIMALS).round() / VECTOR_DECIMALS;
        let mut parts = parts.into_iter().map(|part| part.into_iter().map(round).collect());
        Some(Self {
            tag: (model != BUILT_IN_MODEL).then(|| model.to_owned()),
            values: parts.next()?,
            parts: parts.collect(),
        })
    }

    /// The vectors of all parts.
    pub fn vectors(&self) -> impl Iterator<Item = &[f32]> {
        std::iter::once(self.values.as_slice()).chain(self.parts.iter().map(Vec::as_slice))
    }

    /// The model as far as it is known: the tag, or the built-in one if the length fits.
    pub fn model(&self) -> Option<&str> {
        let built_in = (self.values.len() == BUILT_IN_DIMENSIONS).then_some(BUILT_IN_MODEL);
        self.tag.as_deref().or(built_in)
    }
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
    pub governance: Governance,
}

/// The keys that a record always has, in the order they are written.
pub const FIELDS: [&str; 7] =
    ["memory_id", "content", "context", "created_at", "updated_at", "memory_type", "embedding"];
/// Further keys, where there is something to say: the model of a vector, and the vectors of the parts of
/// a long text after the first.
pub const VECTOR_FIELDS: [&str; 2] = [VECTOR_MODEL, VECTOR_PARTS];
const VECTOR_MODEL: &str = "embedding_model";
const VECTOR_PARTS: &str = "embedding_parts";

impl Memory {
    /// Reads a record. `None` when it lacks what makes a memory: an id and a content.
    /// A missing or unknown `memory_type` reads as semantic, a missing `embedding` as none.
    pub fn from_json(record: &Value) -> Option<Self> {
        let text = |key: &str| record.get(key).and_then(Value::as_str);
        let optional = |key: &str| text(key).unwrap_or_default().to_owned();
        let values = record.get("embedding").and_then(numbers);
        let parts = || -> Option<Vec<Vec<f32>>> {
            record.get(VECTOR_PARTS)?.as_array()?.iter().map(numbers).collect()
        };
        Some(Self {
            memory_id: text("memory_id").filter(|id| !id.is_empty())?.to_owned(),
            content: text("content")?.to_owned(),
            context: optional("context"),
            created_at: optional("created_at"),
            updated_at: optional("updated_at"),
            memory_type: MemoryType::parse(&optional("memory_type")).unwrap_or(MemoryType::Semantic),
            vector: values.map(|values| Vector {
                tag: text(VECTOR_MODEL).map(str::to_owned),
                values,
                parts: parts().unwrap_or_default(),
            }),
            governance: Governance::from_json(record),
        })
    }

    /// Gives the memory the vector of `values`, tagged as its record says.
    pub fn set_values(&mut self, record: &Value, values: Vec<f32>) {
        let tag = record.get(VECTOR_MODEL).and_then(Value::as_str).map(str::to_owned);
        let parts = self.vector.take().map(|vector| vector.parts).unwrap_or_default();
        self.vector = (!values.is_empty()).then_some(Vector { tag, values, parts });
    }

    /// The record as it is written, each key with the JSON text of its value: the seven fields, and what
    /// more there is to say.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let text = |text: &str| Value::from(text).to_string();
        let vector = self.vector.as_ref();
        let values: [String; 7] = [
            text(&self.memory_id),
            text(&self.content),
            text(&self.context),
            text(&self.created_at),
            text(&self.updated_at),
            text(self.memory_type.name()),
            vector.map_or("null".to_owned(), |vector| numbers_text(&vector.values)),
        ];
        let mut fields: Vec<_> = FIELDS.into_iter().zip(values).collect();
        fields.extend(self.governance.fields());
        if let Some(tag) = vector.and_then(|vector| vector.tag.as_deref()) {
            fields.push((VECTOR_MODEL, text(tag)));
        }
        if let Some(vector) = vector.filter(|vector| !vector.parts.is_empty()) {
            let parts: Vec<String> = vector.parts.iter().map(|part| numbers_text(part)).collect();
            fields.push((VECTOR_PARTS, format!("[{}]", parts.join(","))));
        }
        fields
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
            governance: upsert.governance,
        }
    }

    /// Replaces what the memory says, keeping `memory_id` and `created_at`.
    pub fn update(&mut self, upsert: Upsert, now: DateTime<Local>) {
        self.content = upsert.content;
        self.context = upsert.context;
        self.memory_type = upsert.memory_type;
        self.vector = upsert.vector;
        self.updated_at = timestamp(now);
        // What it rests on goes with the old words; what the user has decided about it stays.
        let by_hand = upsert.governance.source == Source::Explicit;
        let old = std::mem::take(&mut self.governance);
        self.governance = Governance {
            pinned: old.pinned,
            importance: upsert.governance.importance.or(old.importance),
            expires_at: upsert.governance.expires_at.clone().or(old.expires_at),
            // What the user says by hand holds from now on.
            valid_to: old.valid_to.filter(|_| !by_hand),
            superseded_by: old.superseded_by.filter(|_| !by_hand),
            ..upsert.governance
        };
    }

    /// Becomes what `record` says, unless that is older. Keeps its id, its vector where the text is the
    /// same, and whatever the record leaves out.
    pub fn replace(&mut self, incoming: Incoming, now: DateTime<Local>) {
        let Incoming { memory: mut record, has_context, has_type } = incoming;
        if !record.updated_at.is_empty() && record.updated_at < self.updated_at {
            return;
        }
        if !has_context {
            record.context = std::mem::take(&mut self.context);
        }
        if !has_type {
            record.memory_type = self.memory_type;
        }
        let same_text = self.content == record.content && (!has_context || self.context == record.context);
        if same_text {
            record.vector = self.vector.take().or(record.vector);
            let plain = Governance { source: record.governance.source, ..Governance::default() };
            if record.governance == plain {
                record.governance = std::mem::take(&mut self.governance);
            }
        }
        if record.created_at.is_empty() {
            record.created_at = std::mem::take(&mut self.created_at);
        }
        if record.updated_at.is_empty() {
            record.updated_at = if same_text { std::mem::take(&mut self.updated_at) } else { timestamp(now) };
        }
        let memory_id = std::mem::take(&mut self.memory_id);
        *self = Self { memory_id, ..record };
    }

    /// Gives a record without times the time `now`.
    pub fn dated(mut self, now: DateTime<Local>) -> Self {
        if self.created_at.is_empty() {
            self.created_at = timestamp(now);
        }
        if self.updated_at.is_empty() {
            self.updated_at = self.created_at.clone();
        }
        self
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

/// Numbers as a JSON array, each in the fewest digits that read back as the same `f32`.
fn numbers_text(numbers: &[f32]) -> String {
    let mut text = String::with_capacity(numbers.len() * 8);
    for number in numbers {
        text.push(if text.is_empty() { '[' } else { ',' });
        text.push_str(&format!("{number:?}"));
    }
    text.push_str(if text.is_empty() { "[]" } else { "]" });
    text
}

/// `now` in the form the records use: local time to the second, without an offset.
pub fn timestamp(now: DateTime<Local>) -> String {
    now.format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// A memory that comes from elsewhere, and which fields it brings.
#[derive(Debug, Clone, PartialEq)]
pub struct Incoming {
    pub memory: Memory,
    pub has_context: bool,
    pub has_type: bool,
}

/// A memory to be written: over the one called `memory_id`, or as a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Upsert {
    pub memory_id: Option<String>,
    pub content: String,
    pub context: String,
    pub memory_type: MemoryType,
    pub vector: Option<Vector>,
    pub governance: Governance,
}

impl Upsert {
    /// A new fact, without a context.
    pub fn fact(content: String) -> Self {
        Self {
            memory_id: None,
            content,
            context: String::new(),
            memory_type: MemoryType::Semantic,
            vector: None,
            governance: Governance::default(),
        }
    }

    /// What the user has said by hand.
    pub fn explicit(mut self) -> Self {
        self.governance.source = Source::Explicit;
        self
    }

    /// `memory` with another content.
    pub fn rewrite(memory: &Memory, content: String) -> Self {
        Self {
            memory_id: Some(memory.memory_id.clone()),
            context: memory.context.clone(),
            memory_type: memory.memory_type,
            ..Self::fact(content)
        }
    }
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
        let full = Self::number(id).and_then(|number| self.full.get(number.checked_sub(1)?));
        full.map_or(id, String::as_str)
    }

    /// The number of what looks like a short id.
    pub fn number(id: &str) -> Option<usize> {
        id.strip_prefix(['m', 'M']).and_then(|digits| digits.parse().ok())
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

    fn written(memory: &Memory) -> Value {
        let fields = memory.fields().into_iter();
        Value::Object(
            fields.map(|(key, text)| (key.to_owned(), serde_json::from_str(&text).unwrap())).collect(),
        )
    }

    fn upsert(memory_id: Option<&str>, content: &str) -> Upsert {
        Upsert {
            memory_id: memory_id.map(str::to_owned),
            content: content.to_owned(),
            context: "chat".to_owned(),
            ..Upsert::fact(String::new())
        }
    }

    #[test]
    fn a_seven_field_record_is_written_with_those_seven() {
        let record = json!({"memory_id": "a", "content": "c", "context": "x", "created_at": "t",
            "updated_at": "u", "memory_type": "episodic", "embedding": [0.5, -1.0]});
        assert_eq!(written(&Memory::from_json(&record).unwrap()), record);
    }

    #[test]
    fn what_is_missing_or_strange_is_read_kindly() {
        let memory = Memory::from_json(&json!({"memory_id": "a", "content": "c",
            "memory_type": "preference", "embedding": ["x"], "context": null, "tag": 1}))
        .unwrap();
        assert_eq!(memory.memory_type, MemoryType::Semantic);
        assert_eq!(memory.vector, None);
        assert_eq!(memory.fields().iter().map(|(key, _)| *key).collect::<Vec<_>>(), FIELDS);
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
        let vector = Vector::new("m", vec![vec![0.100_01, -0.25], vec![1.0]]);
        let memory = Memory::new(Upsert { vector, ..upsert(None, "c") }, "id".into(), noon());
        let fields = memory.fields();
        let text = |key: &str| fields.iter().find(|(name, _)| *name == key).unwrap().1.as_str();
        assert_eq!(text("embedding"), "[0.1,-0.25]");
        assert_eq!(text("embedding_parts"), "[[1.0]]");
        assert_eq!(Memory::from_json(&written(&memory)), Some(memory));
    }

    #[test]
    fn a_vector_without_a_tag_is_of_the_built_in_model_if_the_length_fits() {
        let vector = |tag: Option<&str>, length| Vector {
            tag: tag.map(str::to_owned),
            values: vec![1.0; length],
            parts: Vec::new(),
        };
        assert_eq!(vector(None, BUILT_IN_DIMENSIONS).model(), Some(BUILT_IN_MODEL));
        assert_eq!(vector(None, 1024).model(), None);
        assert_eq!(vector(Some("m"), BUILT_IN_DIMENSIONS).model(), Some("m"));
        assert_eq!(Vector::new(BUILT_IN_MODEL, vec![vec![1.0]]).unwrap().tag, None);
        assert_eq!(Vector::new("m", Vec::new()), None);
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
