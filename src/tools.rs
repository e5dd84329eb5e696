//! The tools the model may call, and their running.
//!
//! A failure is an answer for the model, never the end of a turn. The user is bound in the store
//! that is handed in: no tool has a parameter for it. The answers are English, since the model reads
//! them; what the user reads comes from the [`Effect`].

use chrono::{DateTime, Local};
use serde_json::{Map, Value, json};

use crate::embed::{EmbedError, Embedder};
use crate::memory::{self, MemoryType, ShortIds, Upsert};
use crate::message::{Arguments, ToolCall, ToolSpec};
use crate::search;
use crate::store::{Store, StoreError, Written};

const UPSERT_MEMORY: &str = "upsert_memory";
/// Memories listed to a model that named an id that is not there.
const LISTED_IDS: usize = 50;

/// What the tools work on.
#[derive(Debug)]
pub struct Bench<'a> {
    pub store: &'a mut Store,
    pub embedder: &'a mut Embedder,
    pub ids: &'a mut ShortIds,
    pub now: DateTime<Local>,
}

/// What a call did that the user should know.
#[derive(Debug)]
pub enum Effect {
    /// A memory is on disk.
    Remembered { short_id: String, written: Box<Written> },
    /// A memory should be on disk and is not.
    NotSaved(StoreError),
    /// A memory was written without a vector.
    NoVector(EmbedError),
}

/// The answer to a call, and its effects in order.
#[derive(Debug)]
pub struct Outcome {
    pub answer: String,
    /// Whether the call did what it asked for.
    pub done: bool,
    pub effects: Vec<Effect>,
}

/// What stands for "no id" in `memory_id`. Small models fill every parameter they are shown; given
/// nothing but this word and the ids they have seen, they do not make one up.
const NEW: &str = "new";

/// All tools, as they are offered. `recalled` are the short ids that the model can know.
pub fn specs(recalled: &[String]) -> Vec<ToolSpec> {
    let ids: Vec<&str> = std::iter::once(NEW).chain(recalled.iter().map(String::as_str)).collect();
    vec![ToolSpec {
        name: UPSERT_MEMORY,
        description: "Remember one lasting fact about the user, or correct a remembered one. \
            Call it whenever they state something about themselves, their people, preferences, plans, \
            or how they want things done.",
        parameters: json!({
            "type": "object",
            "properties": {
                "content": {"type": "string", "description":
                    "The fact as one self-contained sentence, in the user's own language."},
                "context": {"type": "string", "description":
                    "When or why they said it, in a few words."},
                "memory_type": {"type": "string", "enum": MemoryType::ALL.map(MemoryType::name),
                    "description": "semantic: what is so; episodic: what happened; \
                        procedural: how they want things done."},
                "memory_id": {"type": "string", "enum": ids, "description":
                    "new, or the id of the listed memory to replace."}
            },
            "required": ["content", "context", "memory_type"]
        }),
    }]
}

/// The tool that `name` means: models add prefixes, and mix up case, `-` and `_`. A name that means
/// none comes back in characters that every endpoint takes.
pub fn resolve(name: &str) -> String {
    let bare = ["functions.", "default_api.", "tools.", "tool."]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    if bare.to_lowercase().replace('-', "_") == UPSERT_MEMORY {
        return UPSERT_MEMORY.to_owned();
    }
    let allowed = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let first = if starts_well { "" } else { "_" };
    let rest = name.chars().map(|character| if allowed(character) { character } else { '_' });
    first.chars().chain(rest).take(64).collect()
}

/// Runs `call`.
pub async fn run(call: &ToolCall, bench: &mut Bench<'_>) -> Outcome {
    let arguments = match &call.arguments {
        Arguments::Object(arguments) => arguments,
        Arguments::Unusable { problem } => return refused(&format!("not run: {problem}")),
    };
    match call.name.as_str() {
        UPSERT_MEMORY => upsert_memory(arguments, bench).await,
        unknown => refused(&format!("there is no tool {unknown:?}; the only tool is {UPSERT_MEMORY}")),
    }
}

fn refused(problem: &str) -> Outcome {
    tracing::debug!(problem, "tool call refused");
    Outcome { answer: json!({"error": problem}).to_string(), done: false, effects: Vec::new() }
}

async fn upsert_memory(arguments: &Map<String, Value>, bench: &mut Bench<'_>) -> Outcome {
    let mut upsert = match checked(arguments, bench.ids) {
        Ok(upsert) => upsert,
        Err(problem) => return refused(&problem),
    };
    if let Some(known) = already_known(&upsert, bench) {
        return known;
    }
    let mut effects = Vec::new();
    if let Err(error) = bench.embedder.complete(&mut upsert).await {
        effects.push(Effect::NoVector(error));
    }
    let written = match bench.store.upsert(upsert, bench.now) {
        Ok(written) => written,
        Err(StoreError::UnknownId(id)) => return unknown_id(&id, bench),
        Err(error) => {
            let answer = json!({"error": format!("not saved: {error}")}).to_string();
            effects.push(Effect::NotSaved(error));
            return Outcome { answer, done: false, effects };
        }
    };
    let short_id = bench.ids.short(&written.memory.memory_id);
    let answer = json!({"saved": true, "id": short_id, "memory_id": written.memory.memory_id,
        "content": written.memory.content});
    effects.insert(0, Effect::Remembered { short_id, written: Box::new(written) });
    Outcome { answer: answer.to_string(), done: true, effects }
}

/// The answer for a new memory that says what one says already; it is not written again.
fn already_known(upsert: &Upsert, bench: &mut Bench<'_>) -> Option<Outcome> {
    let wanted = search::normal(&upsert.content);
    let memories =
        bench.store.memories().ok().filter(|_| upsert.memory_id.is_none() && !wanted.is_empty())?;
    let known = memories.iter().find(|memory| search::normal(&memory.content) == wanted)?;
    let answer = json!({"already_known": true, "id": bench.ids.short(&known.memory_id),
        "memory_id": known.memory_id, "content": known.content});
    Some(Outcome { answer: answer.to_string(), done: true, effects: Vec::new() })
}

/// The arguments as an upsert, or what is wrong with them.
fn checked(arguments: &Map<String, Value>, ids: &ShortIds) -> Result<Upsert, String> {
    let text = |key: &str| match arguments.get(key) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.trim().to_owned()),
        Some(other) => Err(format!("{key} must be a string, not {other}")),
    };
    let content = text("content")?;
    if content.is_empty() {
        return Err("content is missing or empty; give the fact as one sentence".to_owned());
    }
    let context = text("context")?;
    for (key, value) in [("content", &content), ("context", &context)] {
        let length = value.chars().count();
        if length > memory::TEXT_LIMIT {
            return Err(format!("{key} has {length} characters; at most {} are kept", memory::TEXT_LIMIT));
        }
    }
    let kind = text("memory_type")?;
    let memory_type = MemoryType::parse(&kind).unwrap_or_else(|| {
        tracing::info!(kind, "unknown memory_type, stored as semantic");
        MemoryType::Semantic
    });
    let id = text("memory_id")?;
    let is_new = id.is_empty() || id.eq_ignore_ascii_case(NEW);
    let memory_id = (!is_new).then(|| ids.resolve(&id).to_owned());
    Ok(Upsert { memory_id, content, context, memory_type, vector: None })
}

fn unknown_id(id: &str, bench: &mut Bench<'_>) -> Outcome {
    let memories = match bench.store.memories() {
        Ok(memories) => memories,
        Err(error) => return refused(&format!("not saved: {error}")),
    };
    let valid: Vec<String> = memories
        .iter()
        .take(LISTED_IDS)
        .map(|memory| {
            let start: String = memory.content.chars().take(60).collect();
            format!("{} ({start})", bench.ids.short(&memory.memory_id))
        })
        .collect();
    let valid = if valid.is_empty() { "there are none yet".to_owned() } else { valid.join(", ") };
    refused(&format!(
        "nothing was saved, because no memory has the id {id:?}. Valid ids: {valid}. \
         Call {UPSERT_MEMORY} again with one of them, or with memory_id {NEW:?} for a new memory."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(arguments: Value, expected: Result<(&str, &str, MemoryType, Option<&str>), &str>) {
        let mut ids = ShortIds::default();
        ids.short("uuid-a");
        let checked = checked(arguments.as_object().unwrap(), &ids);
        match (checked, expected) {
            (Ok(upsert), Ok(expected)) => {
                let Upsert { memory_id, content, context, memory_type, .. } = &upsert;
                assert_eq!((&**content, &**context, *memory_type, memory_id.as_deref()), expected);
            }
            (Err(problem), Err(part)) => assert!(problem.contains(part), "{problem}"),
            (checked, expected) => panic!("{checked:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn arguments() {
        use MemoryType::{Episodic, Semantic};
        check(
            json!({"content": " c ", "context": "x", "memory_type": "Episodic", "memory_id": "m1"}),
            Ok(("c", "x", Episodic, Some("uuid-a"))),
        );
        check(
            json!({"content": "c", "memory_type": "fact", "memory_id": null}),
            Ok(("c", "", Semantic, None)),
        );
        check(json!({"content": "c", "memory_id": "nope"}), Ok(("c", "", Semantic, Some("nope"))));
        check(json!({"content": "c", "memory_id": "New"}), Ok(("c", "", Semantic, None)));
        check(json!({"content": "  "}), Err("content is missing"));
        check(json!({"content": 7}), Err("must be a string"));
        check(json!({"content": "字".repeat(4001)}), Err("4001 characters"));
    }

    #[test]
    fn mangled_names() {
        for (name, resolved) in [
            ("upsert_memory", "upsert_memory"),
            ("functions.Upsert-Memory", "upsert_memory"),
            ("rm -rf /", "rm_-rf__"),
            ("9lives", "_9lives"),
            ("", "_"),
        ] {
            assert_eq!(resolve(name), resolved);
        }
    }

    #[test]
    fn no_tool_knows_the_user() {
        for tool in specs(&["m1".to_owned()]) {
            let properties = tool.parameters["properties"].as_object().unwrap();
            assert!(properties.keys().all(|name| !name.contains("user")), "{}", tool.name);
            assert_eq!(properties["memory_id"]["enum"], json!(["new", "m1"]));
        }
    }
}
