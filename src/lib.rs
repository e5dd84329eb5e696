//! mini-chatgpt: a ChatGPT with memory, in the terminal.
//!
//! The map of the house is in ARCHITECTURE.md. What is public here is public for the binary, for the
//! tests that replay recorded answers through the real client, and for the fuzz target.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::needless_pass_by_value,
        reason = "tests prepare files of their own and hand over literals"
    )
)]

mod agent;
pub mod chat;
mod cli;
mod config;
mod dates;
pub mod embed;
mod encode;
pub mod endpoint;
mod files;
mod fold;
pub mod graph;
pub mod memory;
pub mod message;
mod prompt;
pub mod quirks;
mod recall;
mod relation;
mod render;
pub mod search;
pub mod sse;
mod store;
mod text;
mod thread;
mod tools;
pub mod wire;

pub use cli::run;
pub use config::process_environment;
