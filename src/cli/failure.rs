//! An error at the edge: a sentence, a hint, an exit code.

use super::code;
use crate::agent::TurnError;
use crate::chat::ChatError;
use crate::config::ConfigError;
use crate::store::StoreError;
use crate::text::{self, Lang};
use crate::wire::Kind;

/// What the user is told, and what the exit code says.
#[derive(Debug)]
pub struct Failure {
    pub sentence: String,
    pub hint: Option<String>,
    pub code: u8,
    /// A message was not sent, and can be corrected.
    pub not_sent: bool,
}

impl Failure {
    pub fn plain(code: u8, sentence: &str) -> Self {
        Self { sentence: sentence.to_owned(), hint: None, code, not_sent: false }
    }

    pub fn with_hint(code: u8, sentence: &str, hint: &str) -> Self {
        Self { sentence: sentence.to_owned(), hint: Some(hint.to_owned()), code, not_sent: false }
    }

    /// The same, of a message that was not sent.
    pub fn unsent(self) -> Self {
        Self { not_sent: true, ..self }
    }

    pub fn config(error: &ConfigError) -> Self {
        let code = if error.from_flag { code::USAGE } else { code::NOT_CONFIGURED };
        Self::plain(code, &error.to_string())
    }

    pub fn chat(lang: Lang, error: &ChatError) -> Self {
        let code = match error.failure.kind {
            Kind::Unreachable
            | Kind::Timeout
            | Kind::RateLimit
            | Kind::Overloaded
            | Kind::Loading
            | Kind::Server
            | Kind::Conflict
            | Kind::Cut
            | Kind::Empty
            | Kind::ReasoningOnly
            | Kind::ToolGeneration => code::TRY_LATER,
            Kind::Key => code::KEY_REFUSED,
            Kind::Quota
            | Kind::RateTooLarge
            | Kind::Overflow
            | Kind::OutputBudget
            | Kind::Filtered
            | Kind::NotFound
            | Kind::ToolsUnsupported
            | Kind::Unsupported
            | Kind::History
            | Kind::BadRequest
            | Kind::NotAnApi
            | Kind::Redirect => code::OTHER,
        };
        Self::with_hint(code, &error.sentence(lang), error.hint(lang))
    }

    pub fn turn(lang: Lang, model: &str, error: &TurnError) -> Self {
        match error {
            TurnError::TooLarge { size, room } => Self::with_hint(
                code::OTHER,
                &text::message_too_large(lang, *size, *room),
                text::hint_message_too_large(lang),
            )
            .unsent(),
            TurnError::NoImages { unknown } => Self::with_hint(
                code::OTHER,
                &text::no_images(lang, model, *unknown),
                text::hint_no_images(lang, *unknown),
            )
            .unsent(),
            TurnError::Chat(error) => Self::chat(lang, error),
            TurnError::TooManyRounds(rounds) => {
                Self::with_hint(code::OTHER, &text::too_many_rounds(lang, *rounds), text::hint_rounds(lang))
            }
        }
    }

    pub fn store(lang: Lang, error: &StoreError) -> Self {
        let code = match error {
            StoreError::EmptyUserId => code::USAGE,
            _ => code::OTHER,
        };
        Self::with_hint(code, &store_sentence(lang, error), text::hint_memory_folder(lang))
    }
}

/// What went wrong with the files, for the user.
pub fn store_sentence(lang: Lang, error: &StoreError) -> String {
    match error {
        StoreError::EmptyUserId => text::empty_user_id(lang).to_owned(),
        StoreError::SameFile { path, other } => text::same_file(lang, &path.display().to_string(), other),
        StoreError::UnknownId(id) => text::unknown_memory(lang, id),
        StoreError::Locked { path } => text::store_locked(lang, &path.display().to_string()),
        StoreError::TooLarge { path } => text::store_too_large(lang, &path.display().to_string()),
        StoreError::Io { doing, path, source } => {
            text::store_failed(lang, doing, &path.display().to_string(), &text::io_reason(lang, source))
        }
    }
}
