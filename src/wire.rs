//! Chat Completions on the wire: requests to JSON, bytes to replies.
//!
//! Pure: no HTTP, no clock. Requests are minimal (model, messages, stream, tools) because every
//! optional field is refused by somebody. Decoding is tolerant: a field that is missing, null or of
//! another type is as if it were not there, and one bad event never loses the answer.

mod arguments;
mod calls;
mod code;
mod context;
mod failure;
mod history;
mod kind;
mod lenient;
mod lesson;
mod markup;
mod pause;
mod reply;
mod request;
mod think;

pub use context::{listed_images, listed_length, stated_limit};
pub use failure::{Failure, from_response};
pub use history::{Conversation, adopt};
pub use kind::{Kind, Remedy};
pub use lesson::Lesson;
pub use pause::asked as asked_pause;
pub use reply::{Delta, Finish, OnDelta, Reader, Reply, Usage};
pub use request::{Request, body};

use serde_json::Value;

/// The model ids in an answer of `/models`, in the order given.
pub fn model_ids(answer: &Value) -> Vec<String> {
    let list = ["data", "models"].into_iter().find_map(|key| answer.get(key)).unwrap_or(answer);
    let id_of = |model: &Value| {
        ["id", "name"].into_iter().find_map(|key| model.get(key)?.as_str().map(str::to_owned))
    };
    list.as_array().into_iter().flatten().filter_map(id_of).collect()
}

/// The 64-bit FNV-1a hash: small, and the same on every machine and in every version.
fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
