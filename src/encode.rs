//! Encode: what happens to a turn afterwards, so that what the user said is remembered.
//!
//! The model proposes, the program disposes. [`worth`] says without a model whether there is anything to ask
//! about; [`proposal`] words the request and reads the answer; [`check`] holds each proposal against the user's
//! own words and refuses it with a reason; [`settle`] decides what it means for the memories that are there.
//! All of it is a function from values to values: the request itself is sent by `agent`, and `store` writes.

use std::collections::HashSet;

use wording::words;

pub mod check;
mod days;
pub mod proposal;
pub mod quoted;
pub mod secrets;
pub mod settle;
mod tidy;
mod whom;
mod wording;
mod words;
pub mod worth;

pub use check::{Checked, Context, Refusal, check, check_episode, check_tool};
pub use proposal::Proposals;
pub use settle::{Outcome, marks, of_tool, settle};
pub use tidy::tidy;
pub use whom::{Whom, whom};

/// Of a sentence's words, so many have to be in what was written for it to be covered.
const COVERED: f64 = 0.6;

/// Whether `written` memories say everything in `message` that is worth keeping.
pub fn is_covered(message: &str, written: &[String]) -> bool {
    if written.is_empty() {
        return false;
    }
    let said: HashSet<String> = written.iter().flat_map(|content| words(content)).collect();
    let ends = |letter: char| "。！？!?；;，,\n".contains(letter);
    let sentences = message.split(ends).filter(|sentence| worth::skip(sentence).is_none());
    sentences.into_iter().all(|sentence| {
        let words = words(sentence);
        let found = words.iter().filter(|word| said.contains(*word)).count();
        found as f64 >= COVERED * words.len() as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_covers_what_was_said() {
        for (message, written, expected) in [
            ("我叫张三", vec!["用户叫张三"], true),
            ("我叫张三，我在杭州做后端开发", vec!["用户叫张三"], false),
            ("我叫张三，在杭州做后端开发", vec!["用户叫张三", "用户在杭州做后端开发"], true),
            ("My name is Alex. I live in Paris.", vec!["The user's name is Alex"], false),
            ("My name is Alex. What can you do?", vec!["The user's name is Alex"], true),
            ("我叫张三", vec![], false),
        ] {
            let written: Vec<String> = written.into_iter().map(str::to_owned).collect();
            assert_eq!(is_covered(message, &written), expected, "{message}");
        }
    }
}
