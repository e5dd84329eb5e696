//! How memories and what becomes of them are put in a line, in the terminal and for scripts alike.

use serde_json::{Value, json};

use super::failure::store_sentence;
use crate::embed::EmbedError;
use crate::memory::{Action, Memory, TEXT_LIMIT};
use crate::recall::RenewError;
use crate::render::one_line;
use crate::store::Written;
use crate::text::{self, Lang};

/// A memory on one line: `[semantic / 语义记忆] content | context`.
pub fn memory_line(memory: &Memory) -> String {
    let label = text::memory_type_label(memory.memory_type.name());
    let context = one_line(&memory.context);
    let context = if context.is_empty() { context } else { format!(" | {context}") };
    format!("[{label}] {}{context}", one_line(&memory.content))
}

/// A memory without its vector. `id` is what import reads as its id.
pub fn record_json(memory: &Memory) -> Value {
    let mut record = json!({"id": memory.memory_id});
    for (key, text) in memory.fields() {
        if !key.starts_with("embedding") {
            record[key] = serde_json::from_str(&text).unwrap_or_default();
        }
    }
    record
}

/// What is wrong with a content, if anything.
pub fn content_problem(lang: Lang, content: &str, usage: &str) -> Option<String> {
    let length = content.chars().count();
    match length {
        0 => Some(text::usage(lang, usage)),
        _ if length > TEXT_LIMIT => Some(text::too_long(lang, "content", length, TEXT_LIMIT)),
        _ => None,
    }
}

/// What was written.
pub fn written_line(lang: Lang, short_id: &str, written: &Written) -> String {
    let content = one_line(&written.memory.content);
    match written.action {
        Action::Inserted => text::remembered(lang, short_id, &content),
        Action::Updated => text::updated(lang, short_id, &content),
    }
}

/// Why vectors are not made.
pub fn renew_sentence(lang: Lang, error: &RenewError) -> String {
    match error {
        RenewError::Store(error) => store_sentence(lang, error),
        RenewError::Embed(error) => embed_sentence(lang, error),
    }
}

/// Why there are no vectors.
pub fn embed_sentence(lang: Lang, error: &EmbedError) -> String {
    match error {
        EmbedError::Timeout => text::reason_timeout(lang).to_owned(),
        EmbedError::Status { host, status } => text::answered_status(lang, host, *status),
        EmbedError::Unusable { host } | EmbedError::Count { host, .. } => text::no_usable_vector(lang, host),
        EmbedError::BatchTooLarge { .. } | EmbedError::InputTooLong => text::reason_too_long(lang).to_owned(),
        EmbedError::Connection(reason) => one_line(reason),
        EmbedError::NoModel => text::no_model_inside(lang).to_owned(),
    }
}
