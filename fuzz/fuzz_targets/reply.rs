//! Any bytes as the answer of an endpoint: reading them never panics, and gives the same reply in one
//! piece and in pieces of the size that the first byte says.
//!
//! `cargo install cargo-fuzz`, then `cargo fuzz run reply` (with `-s none` and `RUSTC_BOOTSTRAP=1` on a
//! stable toolchain).

#![no_main]

use libfuzzer_sys::fuzz_target;
use mini_chatgpt::message::ToolSpec;
use mini_chatgpt::wire::{Delta, Failure, Reader, Reply};

fn read(bytes: &[u8], piece: usize) -> (Result<Reply, Failure>, String) {
    let tool = ToolSpec { name: "f", description: "", parameters: serde_json::Value::Null };
    let mut reader = Reader::new(&[tool]);
    let mut shown = String::new();
    let mut show = |delta: Delta<'_>| match delta {
        Delta::Text(text) => shown.push_str(text),
        Delta::Reasoning(_) => {}
        Delta::Retract => shown.clear(),
    };
    for chunk in bytes.chunks(piece.max(1)) {
        if let Err(failure) = reader.push(chunk, &mut show) {
            return (reader.broken(failure, &mut show), shown);
        }
    }
    (reader.finish(&mut show), shown)
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    assert_eq!(read(rest, rest.len()), read(rest, usize::from(*first)));
});
