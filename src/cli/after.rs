//! What is left to do after a line was carried out.

use std::sync::Arc;

use crate::memory::Memory;

/// What to do after a line.
#[derive(Debug, PartialEq)]
pub enum After {
    GoOn,
    /// The user stopped the turn.
    Cancelled,
    /// Ends the program with this code.
    Leave(u8),
    /// `/clear`, which is not carried out before the user was asked where that is possible.
    Clear,
    /// `/forget`, likewise.
    Forget(Doomed),
    /// `/delete`, likewise: the thread of this id.
    DeleteThread(String),
    /// `/clearall`, likewise.
    ClearAll,
    /// Text for the user to change and send.
    Type(Draft),
    /// A message to be asked now.
    Ask(Draft),
}

/// A message that is not sent yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub text: String,
    /// The turn it takes the place of, once it is answered.
    pub replaces: Option<usize>,
}

impl Draft {
    pub fn new(text: String) -> Self {
        Self { text, replaces: None }
    }
}

/// A memory that is to be deleted once the user has agreed.
#[derive(Debug, PartialEq)]
pub struct Doomed {
    pub short_id: String,
    pub memory: Arc<Memory>,
    /// The user has named it by its id, not by what it says.
    pub by_id: bool,
}
