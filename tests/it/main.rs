//! The program as its users meet it: through a pipe, in a terminal, against a server that polices
//! every request.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken test fails loudly, and tests prepare files and variables for the program"
)]

mod attach;
mod dependencies;
mod encode;
mod files;
mod graph;
mod memory;
mod owner;
mod pipe;
mod police;
mod server;
mod settings;
mod support;
#[cfg(unix)]
mod terminal;
mod thread;
mod tidy;
mod turn;
mod window;
mod wire;
