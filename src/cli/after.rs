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
}

/// A memory that is to be deleted once the user has agreed.
#[derive(Debug, PartialEq)]
pub struct Doomed {
    pub short_id: String,
    pub memory: Arc<Memory>,
    /// The user has named it by its id, not by what it says.
    pub by_id: bool,
}
