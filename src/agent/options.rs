//! How turns are run, and what is done with memories.

use crate::files::Allowed;
use crate::prompt::Layout;
use crate::prompt::window::Window;

/// How turns are run.
#[derive(Debug, Clone)]
pub struct Options {
    pub model: String,
    /// Replaces the built-in persona.
    pub persona: Option<String>,
    /// Memories recalled for a message.
    pub top_k: usize,
    /// Of these, those below this relevance are dropped, 0 to 1.
    pub min_relevance: f64,
    /// And the best of the rest are shown to the model, so many.
    pub inject: usize,
    /// Where recalled memories stand.
    pub layout: Layout,
    pub window: Window,
    /// Of the model, in tokens, where the user knows it.
    pub context_length: Option<usize>,
    /// The share of the context at which turns are condensed, 0 to 1.
    pub compact_at: f64,
    /// Whether the model takes images, where the user knows it.
    pub images: Option<bool>,
    /// Folders that the model may read from.
    pub allowed: Allowed,
    /// Requests within one turn.
    pub max_rounds: usize,
    pub temperature: Option<f64>,
    pub stream: bool,
    /// What the user says is encoded afterwards.
    pub encode: bool,
    /// The model for that, where it is another one.
    pub encode_model: Option<String>,
}

/// What is done with memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// They are read and written.
    Full,
    /// Only read.
    Paused,
    /// Neither; nothing of the conversation is kept.
    Incognito,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Paused => "paused",
            Self::Incognito => "incognito",
        }
    }
}
