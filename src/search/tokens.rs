//! Text to the tokens that words are compared by.
//!
//! Width, case, and traditional or simplified characters make no difference. English words are lightly
//! stemmed; words that say nothing are left out. Scripts without spaces give each character and each
//! pair. What is written together (`foo_bar`, `v2.1.0`, `a@b.com`) counts as a whole and in its parts.

use std::sync::LazyLock;

use crate::fold;

/// Characters that can stand inside a word that is written together.
const CONNECTORS: &str = "._-@+/#:~'’";

/// English words that say nothing about what is meant.
const STOP_WORDS: &str = "a about am an and any are as at be been being but by can could did do does doing \
    for from had has have having he her hers him his how i if in into is it its itself just let like me my \
    myself of on or our ours she should so some than that the their theirs them then there these they this \
    those to up us was we were what when where which while who whom whose why will with would you your yours \
    tell please know user s t re ve ll d m don doesn didn isn wasn aren won";

/// Chinese characters that say nothing by themselves.
const STOP_CHARACTERS: &str =
    "的了吗呢吧啊呀嘛么是在我你您他她它们这那有和与就都也很还又被把给对从到着过之其所以及或但";

/// The tokens of `text`, in order, repeated as often as they occur.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut previous: Option<char> = None;
    let mut characters = text.chars().map(fold::character).peekable();
    while let Some(character) = characters.next() {
        if is_spaceless(character) {
            push_word(&mut word, &mut tokens);
            if !STOP.characters.contains(&character) {
                tokens.push(character.to_string());
            }
            tokens.extend(previous.map(|previous| format!("{previous}{character}")));
            previous = Some(character);
            continue;
        }
        previous = None;
        let joins = CONNECTORS.contains(character)
            && !word.is_empty()
            && characters.peek().is_some_and(|next| next.is_alphanumeric() && !is_spaceless(*next));
        if character.is_alphanumeric() || joins {
            word.push(character);
        } else {
            push_word(&mut word, &mut tokens);
        }
    }
    push_word(&mut word, &mut tokens);
    tokens
}

/// What is left of `text` when width, case, script, spaces and punctuation make no difference.
pub fn normal(text: &str) -> String {
    text.chars()
        .map(fold::character)
        .flat_map(char::to_lowercase)
        .filter(|character| character.is_alphanumeric())
        .collect()
}

struct Stop {
    words: std::collections::HashSet<&'static str>,
    characters: std::collections::HashSet<char>,
}

static STOP: LazyLock<Stop> = LazyLock::new(|| Stop {
    words: STOP_WORDS.split_whitespace().collect(),
    characters: STOP_CHARACTERS.chars().collect(),
});

/// Adds what `word` is compared by: itself, and its parts if it was written together.
fn push_word(word: &mut String, tokens: &mut Vec<String>) {
    if word.is_empty() {
        return;
    }
    let word = std::mem::take(word);
    let parts = parts(&word);
    let whole = word.to_lowercase();
    if parts.len() > 1 {
        let plain = whole.strip_suffix("'s").or_else(|| whole.strip_suffix("’s"));
        match plain {
            // A possessive is no name of its own.
            Some(_) if parts.len() == 2 => {}
            _ => tokens.push(whole),
        }
    }
    for part in parts {
        let part = part.to_lowercase();
        if !STOP.words.contains(part.as_str()) {
            tokens.push(stem(part));
        }
    }
}

/// `word` cut at connectors, at `camelCase` humps, and between letters and digits.
fn parts(word: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    let mut previous: Option<char> = None;
    for character in word.chars() {
        let boundary = previous.is_some_and(|previous| {
            let hump = previous.is_lowercase() && character.is_uppercase();
            let kinds = previous.is_ascii_digit() != character.is_ascii_digit();
            hump || (kinds && part.chars().count() > 1)
        });
        if !character.is_alphanumeric() || boundary {
            parts.extend((!part.is_empty()).then(|| std::mem::take(&mut part)));
        }
        if character.is_alphanumeric() {
            part.push(character);
        }
        previous = character.is_alphanumeric().then_some(character);
    }
    parts.extend((!part.is_empty()).then_some(part));
    parts
}

/// An English word without the endings of number and tense; other words as they are.
fn stem(word: String) -> String {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word;
    }
    let has_vowel = |stem: &str| stem.bytes().any(|byte| b"aeiouy".contains(&byte));
    let singular = match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => format!("{stem}y"),
        _ => match word.strip_suffix('s') {
            Some(stem) if !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
            _ => word,
        },
    };
    let bare = ["ing", "edly", "ed", "ly"].iter().find_map(|ending| singular.strip_suffix(ending));
    let bare = match bare {
        Some(bare) if bare.len() > 2 && has_vowel(bare) => bare,
        _ => return singular.strip_suffix('e').filter(|stem| stem.len() > 2).unwrap_or(&singular).to_owned(),
    };
    let mut letters = bare.bytes().rev();
    match (letters.next(), letters.next()) {
        // planned, running: the doubled letter belongs to the ending.
        (Some(last), Some(before)) if last == before && !b"aeioulsz".contains(&last) => {
            bare.strip_suffix(char::from(last)).unwrap_or(bare).to_owned()
        }
        _ => bare.strip_suffix('e').filter(|stem| stem.len() > 2).unwrap_or(bare).to_owned(),
    }
}

/// Han, kana, and Thai, Lao, Khmer, Burmese: scripts that do not separate words by spaces.
pub fn is_spaceless(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3005..=0x3007 | 0x3040..=0x30FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
        && character.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(tokens(text).join(" "), expected, "{text}");
    }

    #[test]
    fn whole_and_in_parts() {
        check("Foo_bar v2!", "foo_bar foo bar v2");
        check("v2.1.0", "v2.1.0 v2 1 0");
        check("mail a.b@example.com.", "mail a.b@example.com b exampl com");
        check("getUserName", "getusername get nam");
        check("iPhone14", "iphone14 phon 14");
        check("the user's dog", "dog");
        check("top-of-the-range", "top-of-the-range top rang");
    }

    #[test]
    fn characters_and_pairs() {
        check("我在Rust组", "我在 rust 组");
        check("花生过敏", "花 生 花生 生过 敏 过敏");
        check(" ,。!", "");
    }

    #[test]
    fn width_case_and_script_make_no_difference() {
        for (one, other) in [("ＡＢＣ　１２", "abc 12"), ("張三愛臺灣", "张三爱台湾"), ("ÉCOLE", "école")]
        {
            assert_eq!(tokens(one), tokens(other), "{one}");
        }
    }

    #[test]
    fn the_same_sentence_in_other_clothes() {
        assert_eq!(normal("用戶對花生過敏。"), normal(" 用户对花生过敏"));
        assert_eq!(normal("Likes Tea!"), normal("likes  tea"));
        assert_ne!(normal("likes tea"), normal("doesn't like tea"));
        assert_ne!(normal("v2.1"), normal("v2.2"));
        assert_eq!(normal("?!"), "");
    }

    #[test]
    fn endings() {
        for (words, stem) in [
            ("plan plans planned planning", "plan"),
            ("live lives lived living", "liv"),
            ("party parties", "party"),
            ("quick quickly", "quick"),
            ("glass", "glass"),
            ("bus", "bus"),
            ("sing", "sing"),
            ("red", "red"),
        ] {
            for word in words.split(' ') {
                check(word, stem);
            }
        }
    }
}
