//! mini-chatgpt: a ChatGPT with memory, in the terminal.
//!
//! The map of the house is in ARCHITECTURE.md.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::needless_pass_by_value,
        reason = "tests prepare files of their own and hand over literals"
    )
)]

use std::process::ExitCode;

mod agent;
mod chat;
mod cli;
mod config;
mod embed;
mod endpoint;
mod memory;
mod message;
mod prompt;
mod quirks;
mod render;
mod search;
mod sse;
mod store;
mod text;
mod tools;
mod wire;

fn main() -> ExitCode {
    let arguments = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    ExitCode::from(cli::run(arguments, config::process_environment()))
}
