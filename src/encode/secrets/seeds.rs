//! Seed phrases of wallets, said by name: a row of small words, or of single Chinese characters.
//!
//! A row of 12 words of 3 letters or more is hardly a sentence. Absent: the word lists of BIP-39, and so
//! phrases without a name before them.

use super::labels::SEED_NAMES;
use super::said::{closers, link, may_begin, name_end};
use super::{is_at, is_cjk, run, slice};
use std::ops::Range;

/// Words of a seed phrase (BIP-39: 12 to 24 words of 3 to 8 letters); longer ones are let in.
const SEED_WORDS: Range<usize> = 12..25;
const SEED_LETTERS: Range<usize> = 3..11;

/// Adds the spans of seed phrases.
pub(super) fn find(chars: &[char], spans: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while at < chars.len() {
        if !may_begin(chars, at) {
            at += 1;
            continue;
        }
        let Some(end) = SEED_NAMES.iter().filter_map(|name| name_end(chars, at, name)).max() else {
            at += 1;
            continue;
        };
        spans.extend(link(chars, closers(chars, end), "").and_then(|(at, _)| seed(chars, at)));
        at = end;
    }
}

/// The words of a seed phrase that begins here: small words, or single Chinese characters.
fn seed(chars: &[char], at: usize) -> Option<Range<usize>> {
    let is_gap = |c: char| c.is_whitespace() || c.is_ascii_digit() || ",.、()\"“`".contains(c);
    let (mut from, mut end, mut count) =
        (at + run(slice(chars, &(at..chars.len().min(at + 8))), 0, is_gap), at, 0);
    let start = from;
    while count < SEED_WORDS.end - 1 {
        let near = slice(chars, &(from..chars.len().min(from + SEED_LETTERS.end)));
        let letters = run(near, 0, |c| c.is_ascii_lowercase());
        let length =
            if letters == 0 { usize::from(near.first().is_some_and(|c| is_cjk(*c))) } else { letters };
        let next = from + length;
        let sized = (letters == 0 && length == 1) || SEED_LETTERS.contains(&letters);
        if !sized || is_at(chars, next, char::is_alphanumeric) {
            break;
        }
        (end, count) = (next, count + 1);
        from = next + run(slice(chars, &(next..chars.len().min(next + 8))), 0, is_gap);
    }
    SEED_WORDS.contains(&count).then_some(start..end)
}
