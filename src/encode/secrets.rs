//! Secrets in a text, so that none is stored verbatim.
//!
//! The text is folded once (full-width forms to ASCII, zero-width characters dropped) and kept with the
//! byte range of every character. Each finder looks at the folded characters alone and reports spans; the
//! spans are joined and their bytes replaced. Every finder looks a bounded distance around a place, or
//! moves past what it read, so the time grows with the length. What is replaced already is not a secret:
//! redacting twice changes nothing.
//!
//! Absent: secrets in pictures or encodings, a password spelled out in words or spread over sentences, and
//! any judgement of whether a secret is real.

mod keys;
mod labels;
mod numbers;
mod opaque;
mod said;
mod seeds;
mod value;

use std::ops::Range;

/// What stands where a secret stood.
pub const MARK: &str = "[REDACTED]";

/// Reads folded characters, adds the spans of secrets of one form.
type Finder = fn(&[char], &mut Vec<Range<usize>>);

const FINDERS: &[Finder] = &[keys::find, numbers::find, opaque::find, said::find, seeds::find];

/// Characters without width, dropped so that they cannot split a secret (Unicode category Cf).
const ZERO_WIDTH: &[char] = &['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'];

/// The text with every secret in it replaced by `[REDACTED]`; `None` when it holds none.
fn redacted(text: &str) -> Option<String> {
    let (chars, bytes) = folded(text);
    let mut spans = Vec::new();
    for find in FINDERS {
        find(&chars, &mut spans);
    }
    spans.retain(|span| span.start < span.end && !starts_with(&chars, span.start, MARK));
    spans.sort_by_key(|span| (span.start, span.end));
    let mut out = String::with_capacity(text.len());
    let (mut copied, mut covered) = (0, 0);
    for span in spans {
        let range = bytes_of(&bytes, &span);
        if span.start >= covered || covered == 0 {
            out.push_str(text.get(copied..range.start).unwrap_or_default());
            out.push_str(MARK);
        }
        covered = covered.max(span.end);
        copied = copied.max(range.end);
    }
    if covered == 0 {
        return None;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Some(out)
}

/// The text as it may be kept: with every secret in it replaced.
pub fn clean(text: &str) -> String {
    redacted(text).unwrap_or_else(|| text.to_owned())
}

/// The characters of a text as the finders see them, and the bytes each came from.
fn folded(text: &str) -> (Vec<char>, Vec<Range<usize>>) {
    let seen = text.char_indices().filter(|(_, c)| !ZERO_WIDTH.contains(c));
    seen.map(|(at, c)| (narrow(c), at..at + c.len_utf8())).unzip()
}

/// A full-width form as ASCII (Unicode block Halfwidth and Fullwidth Forms); wide spaces as a space. Marks
/// that end a clause in Chinese stay, for in ASCII they may be part of a password.
fn narrow(c: char) -> char {
    match c {
        '，' | '；' | '！' | '？' => c,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => ' ',
        '\u{2010}'..='\u{2013}' => '-',
        _ => c,
    }
}

/// The bytes of a span of characters.
fn bytes_of(bytes: &[Range<usize>], span: &Range<usize>) -> Range<usize> {
    let start = bytes.get(span.start).map_or(0, |range| range.start);
    let last = span.end.checked_sub(1).and_then(|at| bytes.get(at));
    start..last.map_or(start, |range| range.end)
}

/// The character before a place.
fn before(chars: &[char], at: usize) -> Option<char> {
    at.checked_sub(1).and_then(|at| chars.get(at)).copied()
}

/// Whether a character at a place passes.
fn is_at(chars: &[char], at: usize, test: impl Fn(char) -> bool) -> bool {
    chars.get(at).is_some_and(|c| test(*c))
}

/// Where the characters from a place on stop passing.
fn run(chars: &[char], at: usize, test: impl Fn(char) -> bool) -> usize {
    let rest = chars.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|c| test(**c)).count()
}

/// Whether a text begins at a place.
fn starts_with(chars: &[char], at: usize, text: &str) -> bool {
    text.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c))
}

/// Whether a text in lower case begins at a place, in any case.
fn starts_with_any_case(chars: &[char], at: usize, text: &str) -> bool {
    text.chars().enumerate().all(|(i, c)| is_at(chars, at + i, |found| found.to_ascii_lowercase() == c))
}

/// The characters of a span; nothing for one that does not exist.
fn slice<'a>(chars: &'a [char], span: &Range<usize>) -> &'a [char] {
    chars.get(span.clone()).unwrap_or_default()
}

/// At most `count` characters before a place, in lower case, from the same line.
fn line_before(chars: &[char], at: usize, count: usize) -> String {
    let near = slice(chars, &(at.saturating_sub(count)..at));
    let from = near.iter().rposition(|c| *c == '\n').map_or(0, |end| end + 1);
    near.iter().skip(from).map(char::to_ascii_lowercase).collect()
}

/// Whether a character is written without spaces between words: Han, kana and their punctuation.
fn is_cjk(c: char) -> bool {
    c >= '\u{2e80}'
}

#[cfg(test)]
mod tests;
