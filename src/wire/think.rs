//! Telling thinking from answer where a model writes both into its content.
//!
//! `<think>…</think>` in front of the answer, also when a border between two pieces cuts a tag, when
//! the tag is never closed, or when only the closing tag came. A tag inside code is text.

use super::code::Code;

/// What a piece of content is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Reasoning(String),
    /// All text so far was thinking: its opening tag had never come.
    Retract,
}

const OPENERS: [&str; 2] = ["<think>", "<thinking>"];
const CLOSERS: [&str; 2] = ["</think>", "</thinking>"];

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing but blanks since the start or since a closing tag.
    #[default]
    Before,
    Thinking,
    Answering,
}

/// Splits a content that comes in pieces.
#[derive(Debug, Default)]
pub struct Splitter {
    state: State,
    /// The end of what has come, as long as it may be the beginning of a tag.
    held: String,
    opened: bool,
    code: Code,
}

impl Splitter {
    pub fn push(&mut self, content: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        self.held.push_str(content);
        while self.step(&mut parts) {}
        parts
    }

    /// What was held back at the end of the content.
    pub fn finish(&mut self) -> Option<Part> {
        let held = std::mem::take(&mut self.held);
        match self.state {
            _ if held.is_empty() => None,
            State::Thinking => Some(Part::Reasoning(held)),
            State::Before | State::Answering => Some(Part::Text(held)),
        }
    }

    /// Takes one decision; `false` when more has to come first.
    fn step(&mut self, parts: &mut Vec<Part>) -> bool {
        match self.state {
            State::Before => self.before(),
            State::Thinking => {
                let (thought, closer) = split_at_tag(&self.held, &CLOSERS, |_| true);
                let length = thought.len();
                if length > 0 {
                    parts.push(Part::Reasoning(thought.to_owned()));
                }
                self.held.drain(..length + closer.unwrap_or(0));
                if closer.is_some() {
                    self.state = State::Before;
                }
                closer.is_some()
            }
            State::Answering => {
                let mut code = self.code.clone();
                let (text, closer) = split_at_tag(&self.held, &CLOSERS, |character| {
                    let outside = !code.is_inside();
                    code.push(character);
                    outside
                });
                let text = text.to_owned();
                text.chars().for_each(|character| self.code.push(character));
                self.held.drain(..text.len());
                if !text.is_empty() {
                    parts.push(Part::Text(text));
                }
                let Some(length) = closer else { return false };
                if self.opened {
                    // A second closing tag means nothing.
                    parts.push(Part::Text(self.held.drain(..length).collect()));
                } else {
                    self.held.drain(..length);
                    self.opened = true;
                    self.state = State::Before;
                    parts.push(Part::Retract);
                }
                true
            }
        }
    }

    fn before(&mut self) -> bool {
        let rest = self.held.trim_start();
        if let Some(opener) = OPENERS.iter().find(|opener| rest.starts_with(**opener)) {
            let start = self.held.len() - rest.len();
            self.held.drain(..start + opener.len());
            self.opened = true;
            self.state = State::Thinking;
            return true;
        }
        if rest.is_empty() || OPENERS.iter().any(|opener| opener.starts_with(rest)) {
            return false;
        }
        if self.opened {
            // Blanks between the thinking and the answer belong to neither.
            self.held.drain(..self.held.len() - rest.len());
        }
        self.state = State::Answering;
        true
    }
}

/// `text` up to the first of `tags`, and that tag's length; without one, up to where the beginning
/// of a tag may stand at the end. `counts` is asked, with each character in turn, whether a tag may
/// start there.
fn split_at_tag<'a>(
    text: &'a str,
    tags: &[&str],
    mut counts: impl FnMut(char) -> bool,
) -> (&'a str, Option<usize>) {
    for (at, character) in text.char_indices() {
        if !counts(character) || character != '<' {
            continue;
        }
        let (before, rest) = text.split_at(at);
        if let Some(tag) = tags.iter().find(|tag| rest.starts_with(**tag)) {
            return (before, Some(tag.len()));
        }
        if tags.iter().any(|tag| tag.starts_with(rest)) {
            return (before, None);
        }
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Text and reasoning of a content that comes in `pieces`.
    fn split(pieces: &[&str]) -> (String, String) {
        let mut splitter = Splitter::default();
        let (mut text, mut reasoning) = (String::new(), String::new());
        let mut parts: Vec<Part> = pieces.iter().flat_map(|piece| splitter.push(piece)).collect();
        parts.extend(splitter.finish());
        for part in parts {
            match part {
                Part::Text(piece) => text.push_str(&piece),
                Part::Reasoning(piece) => reasoning.push_str(&piece),
                Part::Retract => reasoning.push_str(&std::mem::take(&mut text)),
            }
        }
        (text, reasoning)
    }

    #[track_caller]
    fn check(content: &str, text: &str, reasoning: &str) {
        assert_eq!(split(&[content]), (text.to_owned(), reasoning.to_owned()), "{content}");
    }

    #[test]
    fn forms() {
        check("<think>hm</think>\n\nYes.", "Yes.", "hm");
        check(" \n<thinking>hm</thinking>Yes.", "Yes.", "hm");
        check("hm, low.</think>\nYes.", "Yes.", "hm, low.");
        check("<think>never closed", "", "never closed");
        check("<think>a</think> <think>b</think> c", "c", "ab");
        check("<think></think>x", "x", "");
        check("plain <b>text</b>", "plain <b>text</b>", "");
        check("use `<think>` and `</think>` so", "use `<think>` and `</think>` so", "");
        check("```\n</think>\n```", "```\n</think>\n```", "");
        check("a <think>b</think> c", "c", "a <think>b");
        check("<think>a</think>b</think>c", "b</think>c", "a");
        check("  leading", "  leading", "");
        check("ends in <", "ends in <", "");
    }

    proptest! {
        #[test]
        fn pieces_never_matter(
            content in "(<think>|</think>|`|```\n|<|t|a |你|\n){0,12}",
            cuts in proptest::collection::vec(0usize..40, 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts
                .into_iter()
                .map(|cut| content.char_indices().nth(cut).map_or(content.len(), |(at, _)| at))
                .chain([0, content.len()])
                .collect();
            cuts.sort_unstable();
            let pieces: Vec<&str> = cuts.windows(2).map(|pair| content.get(pair[0]..pair[1]).unwrap()).collect();
            prop_assert_eq!(split(&pieces), split(&[content.as_str()]));
        }
    }
}
