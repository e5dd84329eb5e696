//! The fact in a plain sentence.
//!
//! Only whole sentences in a usual form are read: a subject, one predicate of the tables in
//! `chinese` and `english`, and an object of the kind that the predicate takes. Anything further, a
//! clause, a list, a place that looks like none, and nothing is read: what is found here may replace
//! what is known, so a miss is cheap and a mistake is not.

mod chinese;
mod english;
mod number;
mod value;
#[rustfmt::skip]
mod words;

#[cfg(test)]
mod tests;

use super::opposite;
use crate::fold;

/// Longest sentence that is read, in characters.
const LIMIT: usize = 120;

/// Who the user is called as a subject.
const USER: &str = "user";

/// What a whole plain sentence about somebody says, where it says one thing in a usual form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// `user`, a name, or somebody's relative: `user's sister`, `用户的姐姐`.
    pub subject: String,
    /// The canonical name.
    pub relation: &'static str,
    /// As written, but for numbers (`28`), dates (`05-03`, `1990-05-03`), countries and articles.
    pub object: String,
    /// Not so, or no longer.
    pub negated: bool,
}

/// Reads a sentence; `None` for all but the plainest.
pub fn read(sentence: &str) -> Option<Said> {
    let sentence: String = sentence.trim().chars().take(LIMIT + 1).map(fold::character).collect();
    if sentence.chars().count() > LIMIT || sentence.chars().any(char::is_control) {
        return None;
    }
    let sentence = sentence.strip_suffix(['。', '.', '!']).unwrap_or(&sentence).trim_end();
    chinese::read(sentence).or_else(|| english::read(sentence))
}

/// How a predicate is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Denial {
    None,
    Not,
    NoLonger,
}

impl Denial {
    /// What is said with `relation`. Not to like is to dislike; no longer to like is not.
    fn apply(self, subject: &str, relation: &'static str, object: String) -> Said {
        let subject = subject.to_owned();
        match (self, opposite(relation)) {
            (Self::Not, Some(other)) if relation == "likes" => {
                Said { subject, relation: other, object, negated: false }
            }
            _ => Said { subject, relation, object, negated: self != Self::None },
        }
    }
}
