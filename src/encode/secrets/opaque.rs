//! Tokens of no known kind that look random: base64, base64url, hexadecimal.
//!
//! A token is random when it is long, has digits among its letters, changes between kinds of characters
//! often, and its characters are spread evenly. Words joined in any style change kind seldom. URLs, paths,
//! e-mail addresses, UUIDs and hashes said to be hashes are ids and stay. Absent: random strings of letters
//! alone, and those shorter than the bound.

use super::{before, is_at, is_cjk, line_before, run, slice, starts_with};
use std::ops::Range;

/// Fewest characters of a token.
const SHORTEST: usize = 20;
/// Bits a character by Shannon's entropy: text of 16 signs drawn evenly has 4, words of 20 letters about
/// 3.3 to 3.8. The bounds lie below what 20 signs drawn at random reach nearly always.
const HEX_BITS: f64 = 2.8;
const BITS: f64 = 3.4;
/// Least share of neighbours of different kind. Drawn at random from 62 signs: 0.45 (a capital before a
/// small letter is no change), from 36 signs: 0.40. Identifiers of words stay under 0.2.
const CHANGES: f64 = 0.2;
/// Most characters, of a token with capitals, that lie in words: a letter and three small ones or more.
const IN_WORDS: f64 = 0.5;

/// Public by their nature: SSH public keys, integrity hashes (W3C SRI).
const PUBLIC_STARTS: &[&str] =
    &["AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "sha256-", "sha384-", "sha512-"];

/// Said on the line before a hexadecimal number, they make it an id.
#[rustfmt::skip]
const HASH_WORDS: &[&str] = &[
    "commit", "commits", "sha", "sha1", "sha256", "sha512", "md5", "hash", "checksum", "digest", "revision",
    "rev", "git", "merge", "revert", "reverts", "pick", "fixed", "fixes", "tag", "branch", "etag", "contract",
    "address", "tx", "txid", "transaction", "block", "objectid", "id", "checkout",
];
const HASH_WORDS_HAN: &[&str] = &["提交", "哈希", "校验", "摘要", "版本", "地址", "交易", "区块", "合约"];
const NEAR: usize = 40;

/// Lengths of the groups of a UUID (RFC 9562).
const UUID: [usize; 5] = [8, 4, 4, 4, 12];

/// Adds the spans of tokens that look random.
pub(super) fn find(chars: &[char], spans: &mut Vec<Range<usize>>) {
    let (mut at, mut url_end) = (0, 0);
    while at < chars.len() {
        if at >= url_end && starts_with(chars, at, "://") {
            url_end = run(chars, at, |c| !c.is_whitespace() && !is_cjk(c) && !"\"'<>`".contains(c));
        }
        let end = run(chars, at, is_sign);
        if end - at >= SHORTEST && at >= url_end && !is_address(chars, at, end) {
            let token = slice(chars, &(at..end));
            if is_secret(chars, at, token) {
                spans.push(at..run(chars, end, |c| c == '='));
            }
        }
        at = end.max(at + 1);
    }
}

fn is_sign(c: char) -> bool {
    c.is_ascii_alphanumeric() || "+/_-".contains(c)
}

/// Whether a token is part of a path, a file name or an e-mail address.
fn is_address(chars: &[char], at: usize, end: usize) -> bool {
    let beside = |c: char| before(chars, at) == Some(c) || chars.get(end) == Some(&c);
    if beside('@') || beside('\\') || starts_with(chars, end, "://") {
        return true;
    }
    let suffix = run(chars, end + 1, |c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if starts_with(chars, end, ".") && (end + 3..=end + 5).contains(&suffix) {
        return true;
    }
    let token = slice(chars, &(at..end));
    let rooted = before(chars, at).is_some_and(|c| c == '~' || c == '.') && token.first() == Some(&'/');
    let part_is_word = |part: &[char]| part.len() >= 3 && part.iter().all(char::is_ascii_lowercase);
    rooted || (token.contains(&'/') && token.split(|c| *c == '/').any(part_is_word))
}

fn is_secret(chars: &[char], at: usize, token: &[char]) -> bool {
    if is_uuid(token) || PUBLIC_STARTS.iter().any(|start| starts_with(token, 0, start)) {
        return false;
    }
    let prefixed = starts_with(token, 0, "0x");
    let number = token.get(if prefixed { 2 } else { 0 }..).unwrap_or_default();
    let digits = number.iter().filter(|c| c.is_ascii_digit()).count();
    if number.iter().all(char::is_ascii_hexdigit) {
        // `0x` and 40 digits is the address of an account (EIP-55).
        let address = prefixed && number.len() == 40;
        let mixed = digits >= 3 && number.len() >= digits + 2;
        return !address && mixed && entropy(number) >= HEX_BITS && !is_hash(chars, at);
    }
    digits > 0 && is_mixed(token) && entropy(token) >= BITS
}

/// Whether the words before a hexadecimal number say that it is a hash or an id.
fn is_hash(chars: &[char], at: usize) -> bool {
    let near = line_before(chars, at, NEAR);
    near.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| HASH_WORDS.contains(&word))
        || HASH_WORDS_HAN.iter().any(|word| near.contains(word))
}

/// Whether a token ends in a UUID that stands alone or after a sign that is no letter or digit.
fn is_uuid(token: &[char]) -> bool {
    let Some(from) = token.len().checked_sub(36) else { return false };
    let tail = token.get(from..).unwrap_or_default();
    let parts: Vec<&[char]> = tail.split(|c| *c == '-').collect();
    parts.iter().map(|part| part.len()).eq(UUID)
        && parts.iter().all(|part| part.iter().all(char::is_ascii_hexdigit))
        && !before(token, from).is_some_and(|c| c.is_ascii_alphanumeric())
}

/// Whether kinds change often and little of the token lies in words.
fn is_mixed(token: &[char]) -> bool {
    let kind = |c: char| (c.is_ascii_lowercase(), c.is_ascii_uppercase(), c.is_ascii_digit());
    let (mut pairs, mut changes) = (0, 0);
    for (left, right) in token.iter().zip(token.iter().skip(1)) {
        if left.is_ascii_alphanumeric() && right.is_ascii_alphanumeric() {
            let begins_word = left.is_ascii_uppercase() && right.is_ascii_lowercase();
            pairs += 1;
            changes += usize::from(kind(*left) != kind(*right) && !begins_word);
        }
    }
    let capitals = token.iter().any(char::is_ascii_uppercase);
    let wordy = capitals && share(in_words(token), token.len()) >= IN_WORDS;
    share(changes, pairs) >= CHANGES && !wordy
}

/// How many characters lie in words of four letters or more.
fn in_words(token: &[char]) -> usize {
    let (mut at, mut sum) = (0, 0);
    while at < token.len() {
        let end = run(token, at + 1, |c| c.is_ascii_lowercase());
        if is_at(token, at, |c| c.is_ascii_alphabetic()) && end - at >= 4 {
            sum += end - at;
        }
        at = end;
    }
    sum
}

/// Bits a character (C. E. Shannon, A Mathematical Theory of Communication, 1948).
fn entropy(token: &[char]) -> f64 {
    let mut counts = [0_usize; 128];
    for c in token {
        if let Some(count) = counts.get_mut(*c as usize) {
            *count += 1;
        }
    }
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| share(*count, token.len()))
        .map(|p| -p * p.log2())
        .sum()
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
