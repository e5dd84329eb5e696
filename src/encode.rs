//! Encode: what happens to a turn afterwards, so that what the user said is remembered.
//!
//! The model proposes, the program disposes. [`worth`] says without a model whether there is anything to ask
//! about; [`proposal`] words the request and reads the answer; [`mod@check`] holds each proposal against the user's
//! own words and refuses it with a reason; [`mod@settle`] decides what it means for the memories that are there.
//! All of it is a function from values to values: the request itself is sent by `agent`, and `store` writes.

use std::collections::HashSet;

use wording::words;

pub mod check;
pub mod days;
mod draft;
pub mod proposal;
pub mod quoted;
mod said;
pub mod secrets;
pub mod settle;
mod tidy;
mod whom;
mod wording;
mod words;
pub mod worth;

pub use check::{Context, Refusal, check, check_episode, check_tool};
pub use proposal::Proposals;
pub use settle::{Checked, Outcome, marks, may_replace, of_tool, settle};
pub use tidy::tidy;
pub use whom::{Whom, whom};

/// Of a sentence's words, so many have to be in what was written for it to be covered.
const COVERED: f64 = 0.6;

/// A title as it may be kept: in one line, in the script that the user has written, with no secret in it.
pub fn title(proposed: &str, said: &str) -> Option<String> {
    let title = proposed.split_whitespace().collect::<Vec<_>>().join(" ");
    let title =
        title.trim_matches(|letter: char| matches!(letter, '"' | '“' | '”' | '《' | '》' | '.' | '。'));
    let plain = !title.is_empty() && !title.contains(char::is_control) && secrets::clean(title) == title;
    (plain && wording::script(title) == wording::script(said)).then(|| title.to_owned())
}

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

/// Words that point back to what was spoken of.
const BACK: [&str; 18] = [
    "那只",
    "这只",
    "那个",
    "这个",
    "那家",
    "这家",
    "上次",
    "刚才",
    "该股",
    "它",
    "that ",
    "this ",
    "those ",
    "these ",
    "it ",
    "them",
    "the same",
    "last time",
];

/// Whether a message points back to something that it does not name.
pub fn points_back(message: &str) -> bool {
    let message = format!("{} ", message.to_lowercase());
    BACK.iter().any(|word| message.contains(word))
}

/// Words of one who weighs something up, rather than looks it up.
const WEIGHS: [&str; 22] = [
    "怎么看",
    "怎么样",
    "觉得",
    "看法",
    "值得",
    "推荐",
    "要不要",
    "该不该",
    "适合",
    "担心",
    "买",
    "think of",
    "think about",
    "opinion",
    "worth",
    "recommend",
    "should i",
    "good idea",
    "invest",
    "buy",
    "compare",
    "prefer",
];
/// Longest message that an episode is made of, in characters.
const EPISODE_LIMIT: usize = 200;

/// The episode of a turn in which nothing was stated, but something named was weighed up; made without a model, so
/// that "that stock" is known another day. `names` says whether the message names something that is known.
pub fn local_episode(message: &str, names: impl FnOnce() -> bool) -> Option<String> {
    let message = message.trim();
    let lower = message.to_lowercase();
    let weighs = WEIGHS.iter().any(|word| lower.contains(word));
    let one = message.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let is_one = !one.contains(['\n', '。', '！', '!', '；', ';']) && !one.contains(". ");
    let is_short = message.chars().count() <= EPISODE_LIMIT && is_one;
    let is_question = message.ends_with(['?', '？']) || wording::asks(message);
    if !weighs
        || !is_question
        || !is_short
        || quoted::is_instruction(message)
        || !(names_something(message) || names())
    {
        return None;
    }
    let message = secrets::clean(message);
    Some(match wording::script(&message) {
        wording::Script::Chinese => format!("用户问：{message}"),
        wording::Script::Other(_) => format!("The user asked: {message}"),
    })
}

/// Whether a message has a name in it: a capital letter inside a sentence, or a title.
fn names_something(message: &str) -> bool {
    let is_chinese = wording::script(message) == wording::Script::Chinese;
    let words = message.split(|letter: char| !letter.is_alphanumeric() || !letter.is_ascii());
    let names = words.filter(|word| !word.is_empty()).skip(usize::from(!is_chinese));
    let capital = |word: &str| word.starts_with(|first: char| first.is_ascii_uppercase()) && word.len() > 1;
    message.contains('《') || names.into_iter().any(capital)
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

    #[test]
    fn what_is_weighed_up_is_an_episode() {
        for (message, expected) in [
            (
                "What do you think of Apple (AAPL)?",
                Some("The user asked: What do you think of Apple (AAPL)?"),
            ),
            ("你觉得苹果公司（AAPL）怎么样？", Some("用户问：你觉得苹果公司（AAPL）怎么样？")),
            ("How do I read a file in Rust?", None),
            ("What do you think of this?", None),
            ("I am Alex, an investor in Apple", None),
            ("你觉得怎么样？", None),
        ] {
            assert_eq!(local_episode(message, || false).as_deref(), expected, "{message}");
        }
        assert!(local_episode("你觉得豆豆该不该绝育？", || true).is_some());
        assert!(
            points_back("what alternatives to that stock are there?") && !points_back("What is the time?")
        );
    }
}
