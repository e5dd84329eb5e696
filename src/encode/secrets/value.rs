//! The value after the name of a secret: where it ends, and whether it is one.
//!
//! The surer the link between name and value, the plainer the value may be: digits and odd signs always
//! count, a word of a language only where it is clearly the value. Absent: how common a password is.

use super::labels::{ABOUT, JOINING, Kind, PLAIN_HAN, STAND_INS, UNITS, UNITS_HAN};
use super::{before, is_at, is_cjk, run, slice, starts_with};
use std::ops::Range;

/// How a name and a value are joined, the surest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(super) enum Link {
    Near,
    Verb,
    Flag,
    Sign,
}

/// What is read as the value of a name.
pub(super) struct Value {
    pub(super) span: Range<usize>,
    pub(super) quoted: bool,
}

/// Quotation marks around a value.
const QUOTES: &[(char, char)] =
    &[('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('【', '】')];

/// Marks of program text, not of keys.
const CODE: &[char] = &['(', ')', '<', '>', '{', '}', '[', ']'];

/// As far as a value in quotation marks may reach.
const LONGEST_QUOTED: usize = 64;

/// As far as a row of spaces, a word, or a gap before a verb may reach.
pub(super) const LONGEST_GAP: usize = 40;

/// Most words of a passphrase, most characters of a Chinese one.
const MOST_WORDS: usize = 8;

const MOST_HAN: usize = 12;

pub(super) fn read(chars: &[char], at: usize) -> Value {
    let opener = chars.get(at).and_then(|open| QUOTES.iter().find(|(left, _)| left == open));
    if let Some((_, right)) = opener {
        let near = slice(chars, &(at + 1..chars.len().min(at + 1 + LONGEST_QUOTED)));
        let close = near.iter().position(|c| c == right || *c == '\n');
        if let Some(close) = close.filter(|close| near.get(*close) == Some(right)) {
            return Value { span: at + 1..at + 1 + close, quoted: true };
        }
    }
    let at = at + usize::from(opener.is_some());
    let mut end = at;
    while end < chars.len() && !stops(chars, end) {
        end += 1;
    }
    while end > at && is_at(chars, end - 1, |c| ".?:".contains(c)) {
        end -= 1;
    }
    Value { span: at..end, quoted: false }
}

/// Whether a value without quotation marks ends before this character.
pub(super) fn stops(chars: &[char], at: usize) -> bool {
    let Some(c) = chars.get(at) else { return true };
    let last = chars.get(at + 1).is_none_or(|next| next.is_whitespace() || is_cjk(*next));
    match c {
        '"' | '`' | '\'' => true,
        ',' | ';' | ')' | ']' | '}' => last,
        '&' => {
            let name =
                run(slice(chars, &(at + 1..chars.len().min(at + 20))), 0, |c| c.is_ascii_alphanumeric());
            is_at(chars, at + 1 + name, |c| c == '=')
        }
        _ => c.is_whitespace() || is_cjk(*c) || (!c.is_ascii() && !c.is_alphanumeric()),
    }
}

/// The span of the value that begins here, when it is one for this name.
pub(super) fn judge(chars: &[char], at: usize, link: Link, kind: Kind) -> Option<Range<usize>> {
    let Value { span, quoted } = read(chars, at);
    let text: String = slice(chars, &span).iter().map(char::to_ascii_lowercase).collect();
    let code = matches!(kind, Kind::Key | Kind::Bare)
        && (text.starts_with('/') || text.contains(CODE) || !text.contains(char::is_alphanumeric));
    if code || STAND_INS.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let others = text.chars().count() - digits;
    if others == 0 && digits > 0 {
        return number(chars, span, link, kind);
    }
    let letters = text.contains(char::is_alphabetic);
    let odd = (link > Link::Near || before(chars, at) == Some(' ')) && is_odd(&text);
    let fits = match kind {
        Kind::Digits(fewest, most) => {
            let signs = text.chars().all(|c| c.is_ascii_digit() || "- x".contains(c));
            signs && (fewest..=most).contains(&(digits + text.matches('x').count()))
        }
        Kind::Code => digits > 0 && (4..=16).contains(&(digits + others)),
        Kind::Word | Kind::Spoken => digits + others >= 3 && (digits > 0 || odd),
        Kind::Key => letters && digits > 0 && digits + others >= if link == Link::Near { 8 } else { 6 },
        Kind::Bare => letters && digits > 0 && digits + others >= if link == Link::Sign { 4 } else { 6 },
    };
    if fits {
        return Some(span);
    }
    plain(chars, &Value { span, quoted }, link, kind)
}

/// Letters around or beside signs that words do not have.
fn is_odd(text: &str) -> bool {
    text.is_ascii() && text.trim_end_matches('!').chars().any(|c| "@#$%^&*!+~_\\|".contains(c))
}

/// Digits alone: in groups as they are said, and no measure or date.
fn number(chars: &[char], span: Range<usize>, link: Link, kind: Kind) -> Option<Range<usize>> {
    let mut end = span.end;
    while is_at(chars, end, |c| c == ' ') && end < span.start + 24 {
        let next = run(slice(chars, &(end + 1..chars.len().min(end + 8))), 0, |c| c.is_ascii_digit());
        if next == 0 || is_at(chars, end + 1 + next, |c| c.is_alphanumeric() && !is_cjk(c)) {
            break;
        }
        end += 1 + next;
    }
    let digits = slice(chars, &(span.start..end)).iter().filter(|c| c.is_ascii_digit()).count();
    let after = spaces(chars, end);
    let unit =
        is_at(chars, after, |c| UNITS_HAN.contains(c)) || UNITS.contains(&word(chars, after).0.as_str());
    let fits = match kind {
        Kind::Digits(fewest, most) => (fewest..=most).contains(&digits),
        Kind::Code => (4..=10).contains(&digits),
        Kind::Word | Kind::Spoken => digits >= if link == Link::Near { 4 } else { 3 },
        Kind::Key => digits >= 6,
        Kind::Bare => digits >= 6 && link != Link::Near,
    };
    (fits && !(unit && digits < 6)).then_some(span.start..end)
}

/// Words of a language as a value.
fn plain(chars: &[char], value: &Value, link: Link, kind: Kind) -> Option<Range<usize>> {
    let span = &value.span;
    let passwords = matches!(kind, Kind::Word | Kind::Spoken);
    let first = text(chars, span);
    let first = first.trim_end_matches('!');
    if JOINING.contains(&first) || (value.quoted && ABOUT.contains(&first)) {
        return None;
    }
    if value.quoted {
        let assigned = passwords || (kind == Kind::Key && link == Link::Sign);
        return (assigned && span.len() >= 3).then(|| span.clone());
    }
    let spoken = kind == Kind::Spoken && link >= Link::Verb;
    if passwords && span.is_empty() && (link == Link::Sign || spoken) {
        return plain_han(chars, span.start);
    }
    let letters = slice(chars, span);
    if letters.len() < if link == Link::Sign { 3 } else { 4 }
        || !letters.iter().all(|c| c.is_alphabetic() || matches!(c, '-' | '!'))
    {
        return None;
    }
    let words = words(chars, span.start);
    let alone = words.len() == 1;
    let known =
        |table: &[&str]| words.iter().filter(|word| table.contains(&text(chars, word).as_str())).count();
    let phrase = (3..=MOST_WORDS).contains(&words.len()) && known(JOINING) == 0 && known(ABOUT) <= 1;
    if ABOUT.contains(&first) && !phrase {
        return None;
    }
    match (kind, link) {
        (Kind::Word | Kind::Spoken, Link::Flag) => Some(span.clone()),
        (Kind::Word, Link::Verb) | (Kind::Key, Link::Sign) => alone.then(|| span.clone()),
        (Kind::Word, Link::Sign) | (Kind::Spoken, Link::Verb | Link::Sign) => {
            let phrase = phrase || (words.len() == 2 && known(JOINING) == 0);
            Some(span.start..if phrase { words.last()?.end } else { span.end })
        }
        (Kind::Bare, Link::Sign) => (before(chars, span.start) == Some('=')).then(|| span.clone()),
        _ => None,
    }
}

fn text(chars: &[char], span: &Range<usize>) -> String {
    slice(chars, span).iter().map(char::to_ascii_lowercase).collect()
}

/// The words up to the end of the clause, one more than a passphrase has at most.
fn words(chars: &[char], at: usize) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut from = at;
    while words.len() <= MOST_WORDS {
        let near = slice(chars, &(from..chars.len().min(from + LONGEST_QUOTED)));
        let end =
            from + run(near, 0, |c| (c.is_alphanumeric() && !is_cjk(c)) || matches!(c, '-' | '!' | '\''));
        if end == from {
            break;
        }
        words.push(from..end);
        from = spaces(chars, end);
    }
    words
}

/// A Chinese password, to the end of the clause.
fn plain_han(chars: &[char], at: usize) -> Option<Range<usize>> {
    let near = slice(chars, &(at..chars.len().min(at + MOST_HAN + 1)));
    let end = at + run(near, 0, |c| is_cjk(c) && c.is_alphanumeric());
    let said = PLAIN_HAN.iter().any(|start| starts_with(chars, at, start));
    ((at + 2..=at + MOST_HAN).contains(&end) && !said).then_some(at..end)
}

pub(super) fn spaces(chars: &[char], at: usize) -> usize {
    let near = slice(chars, &(at..chars.len().min(at + LONGEST_GAP)));
    at + run(near, 0, |c| matches!(c, ' ' | '\t'))
}

/// The word of small length that begins here, in lower case, and its end.
pub(super) fn word(chars: &[char], at: usize) -> (String, usize) {
    let near = slice(chars, &(at..chars.len().min(at + LONGEST_GAP)));
    let end = at + run(near, 0, |c| c.is_ascii_alphabetic() || c == '\'');
    let whole = !is_at(chars, end, |c| c.is_ascii_alphanumeric() || "@#$%^&*_-".contains(c));
    let letters = slice(chars, &(at..end)).iter().map(char::to_ascii_lowercase);
    (if whole { letters.collect() } else { String::new() }, end)
}
