//! Text from a model, made safe for a terminal.
//!
//! A model may say anything, also escape sequences that would move the cursor, rename the window or
//! fill the clipboard. Control characters go; line breaks and tabs stay.

/// Incremental filter; a sequence may be cut by the border between two pieces of an answer.
#[derive(Debug, Default)]
pub struct Cleaner {
    state: State,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After an ESC.
    Escape,
    /// In a CSI sequence, which ends with a byte from `@` to `~` (ECMA-48 §5.4).
    Control,
    /// In an OSC, DCS, APC, PM or SOS string, which ends with BEL or ST.
    String,
    /// After an ESC within a string: `\` makes it ST.
    StringEscape,
}

impl Cleaner {
    /// The part of `text` that may be shown.
    pub fn clean(&mut self, text: &str) -> String {
        text.chars().filter(|character| self.keeps(*character)).collect()
    }

    fn keeps(&mut self, character: char) -> bool {
        let (state, keep) = match (self.state, character) {
            (State::StringEscape, '\\') => (State::Text, false),
            (State::String | State::StringEscape, '\u{1b}') => (State::StringEscape, false),
            (State::String | State::StringEscape, '\u{7}' | '\u{9c}' | '\n') => {
                (State::Text, character == '\n')
            }
            (State::String | State::StringEscape, _) => (State::String, false),
            (_, '\u{1b}') => (State::Escape, false),
            (State::Escape, '[') | (State::Text, '\u{9b}') => (State::Control, false),
            (State::Escape, ']' | 'P' | 'X' | '^' | '_') => (State::String, false),
            (State::Text, '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}') => (State::String, false),
            (State::Escape, ' '..='/') => (State::Escape, false),
            (State::Escape, '0'..='~') => (State::Text, false),
            (State::Control, ' '..='?') => (State::Control, false),
            (State::Control, '@'..='~') => (State::Text, false),
            (_, '\n' | '\t') => (State::Text, true),
            _ => (State::Text, !character.is_control() && !is_direction(character)),
        };
        self.state = state;
        keep
    }
}

/// Marks that change the direction of the text around them, by which a line can be made to read as
/// another one (CVE-2021-42574).
fn is_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text`, clean.
pub fn plain(text: &str) -> String {
    Cleaner::default().clean(text)
}

/// `text` on one line, clean.
pub fn one_line(text: &str) -> String {
    let clean = Cleaner::default().clean(text);
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Cleaner::default().clean(text), expected);
    }

    #[test]
    fn sequences_go_and_text_stays() {
        check("plain 你好 😀\n\tx", "plain 你好 😀\n\tx");
        check("\x1b[31mred\x1b[0m", "red");
        check("\x1b]0;title\x07after", "after");
        check("\x1b]52;c;aGk=\x1b\\after", "after");
        check("a\r\x08\x00b", "ab");
        check("\x1bcreset", "reset");
        check("\u{9b}31mred", "red");
        check("x\u{202e}evil", "xevil");
        check("\x1b]never closed\nnext line", "\nnext line");
        assert_eq!(one_line(" a\n b\x1b[1m c "), "a b c");
    }

    proptest! {
        #[test]
        fn pieces_never_matter(text in "[a-c\\x1b\\[\\]\\\\\\x07\n;m你]{0,40}", cut in 0usize..40) {
            let cut = text.char_indices().nth(cut).map_or(text.len(), |(at, _)| at);
            let (one, other) = text.split_at(cut);
            let mut cleaner = Cleaner::default();
            let pieces = cleaner.clean(one) + &cleaner.clean(other);
            prop_assert!(!pieces.contains('\x1b'));
            prop_assert_eq!(pieces, Cleaner::default().clean(&text));
        }
    }
}
