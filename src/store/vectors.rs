//! Vectors are nine tenths of a memory file. They are taken out before its JSON is read, and read in a
//! pass of their own, many times faster.
//!
//! Only plain arrays of numbers are taken; anything else stays where it is.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem};

use crate::memory::BUILT_IN_DIMENSIONS;

/// Stands before a vector.
const KEY: &[u8] = b"\"embedding\"";
/// What stands in the text for a vector: this and its number. A file that has it by itself is read as
/// it is.
const MARK: &str = "\\u0000vector ";

/// A file whose vectors are known by number.
#[derive(Debug, Default)]
pub struct Taken {
    file: Vec<u8>,
    ranges: Vec<Range<usize>>,
}

/// What is left of a file, the vectors, and how to put them back.
#[derive(Debug)]
pub struct Slim {
    pub text: Vec<u8>,
    pub values: Vec<Vec<f32>>,
    pub taken: Taken,
}

/// Takes the vectors out of `file`.
pub fn slim(file: Vec<u8>) -> Slim {
    let (mut text, mut ranges, mut values) = (Vec::with_capacity(file.len() / 4), Vec::new(), Vec::new());
    let found = arrays(&file);
    let mut copied = 0;
    for (range, numbers) in found.iter().zip(read(&file, &found)) {
        let Some(numbers) = numbers else { continue };
        text.extend_from_slice(&file[copied..range.start]);
        text.extend_from_slice(format!("\"{MARK}{}\"", values.len()).as_bytes());
        copied = range.end;
        ranges.push(range.clone());
        values.push(numbers);
    }
    text.extend_from_slice(&file[copied..]);
    Slim { text, values, taken: Taken { file, ranges } }
}

/// Where the arrays behind [`KEY`] are, up to the first closing bracket.
fn arrays(file: &[u8]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    if memmem::find(file, MARK.as_bytes()).is_some() {
        return ranges;
    }
    for key in memmem::find_iter(file, KEY) {
        // An escaped quote begins no key.
        let inside = ranges.last().is_some_and(|last| key < last.end);
        if inside || file.get(..key).is_some_and(|before| before.ends_with(b"\\")) {
            continue;
        }
        let Some(start) = array_after(file, key + KEY.len()) else { continue };
        let length = file.get(start..).and_then(|rest| memchr(b']', rest));
        ranges.extend(length.map(|length| start..start + length + 1));
    }
    ranges
}

/// Arrays that one thread reads before another is worth its while.
const SHARE: usize = 256;

/// The numbers of each array, read on all cores; `None` for one that holds anything else.
fn read(file: &[u8], ranges: &[Range<usize>]) -> Vec<Option<Vec<f32>>> {
    let one = |range: &Range<usize>| {
        let (values, length) = numbers(file.get(range.clone())?)?;
        (length == range.len()).then_some(values)
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let share = ranges.len().div_ceil(workers).max(SHARE);
    let all = |ranges: &[Range<usize>]| ranges.iter().map(one).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let mut shares = ranges.chunks(share);
        let first = shares.next().unwrap_or_default();
        let others: Vec<_> = shares.map(|share| (share.len(), scope.spawn(move || all(share)))).collect();
        let mut read = all(first);
        for (length, other) in others {
            read.extend(other.join().unwrap_or_else(|_| vec![None; length]));
        }
        read
    })
}

/// The number of the vector that `value`, a JSON value, stands for.
pub fn number_of(value: &str) -> Option<usize> {
    value.strip_prefix('"')?.strip_prefix(MARK)?.strip_suffix('"')?.parse().ok()
}

impl Taken {
    /// `text`, a piece of the slim text, with its vectors back in it.
    pub fn restored<'a>(&'a self, text: &'a str) -> Cow<'a, str> {
        if let Some(vector) = self.vector(text) {
            return Cow::Borrowed(vector);
        }
        if !text.contains(MARK) {
            return Cow::Borrowed(text);
        }
        let mut restored = String::new();
        let mut rest = text;
        let opening = format!("\"{MARK}");
        while let Some((before, after)) = rest.split_once(&opening) {
            let (number, behind) = after.split_once('"').unwrap_or((after, ""));
            restored.push_str(before);
            let value = format!("{opening}{number}\"");
            restored.push_str(self.vector(&value).unwrap_or(&value));
            rest = behind;
        }
        Cow::Owned(restored + rest)
    }

    fn vector(&self, value: &str) -> Option<&str> {
        let range = self.ranges.get(number_of(value)?)?;
        std::str::from_utf8(self.file.get(range.clone())?).ok()
    }
}

/// Where an array begins, if a colon and one come next.
fn array_after(bytes: &[u8], at: usize) -> Option<usize> {
    let skip = |at: usize| {
        let rest = bytes.get(at..)?;
        Some(at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?)
    };
    let colon = skip(at).filter(|at| bytes.get(*at) == Some(&b':'))?;
    skip(colon + 1).filter(|at| bytes.get(*at) == Some(&b'['))
}

/// The numbers of the array that `bytes` begin with, and its length in bytes; `None` for anything but
/// finite numbers.
fn numbers(bytes: &[u8]) -> Option<(Vec<f32>, usize)> {
    let mut values = Vec::with_capacity(BUILT_IN_DIMENSIONS);
    let mut at = skip_space(bytes, 1);
    if bytes.get(at) == Some(&b']') {
        return Some((values, at + 1));
    }
    loop {
        let rest = bytes.get(at..)?;
        let (value, length) = short_number(rest).or_else(|| number(rest))?;
        values.push(value);
        at = skip_space(bytes, at + length);
        match bytes.get(at)? {
            b',' => at = skip_space(bytes, at + 1),
            b']' => return Some((values, at + 1)),
            _ => return None,
        }
    }
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// A number as this program writes them, with the comma or bracket behind it: `0.` and one to four digits,
/// read four at a time.
fn short_number(bytes: &[u8]) -> Option<(f32, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let [b'0', b'.', digits @ .., _] = bytes.get(usize::from(negative)..)?.first_chunk::<8>()? else {
        return None;
    };
    let [one, two, three, four, _] = *digits;
    let values = u32::from_le_bytes([one, two, three, four]) ^ 0x3030_3030;
    // The high bit of each byte that is no digit.
    let others = (values.wrapping_add(0x7676_7676) | values) & 0x8080_8080;
    let count = (others.trailing_zeros() / 8) as usize;
    if count == 0 || !matches!(digits.get(count)?, b',' | b']') {
        return None;
    }
    let [one, two, three, four] =
        (values & u32::MAX.checked_shr(32 - 8 * count as u32)?).to_le_bytes().map(u32::from);
    let value = f64::from(one * 1000 + two * 100 + three * 10 + four) / 1e4;
    // Signs are as good as random, which a branch would have to guess.
    let sign = [1.0, -1.0][usize::from(negative)];
    Some(((value * sign) as f32, usize::from(negative) + 2 + count))
}

/// A JSON number at the beginning of `bytes`, and its length.
fn number(bytes: &[u8]) -> Option<(f32, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut at = start;
    let (mut digits, mut decimals) = (0u64, None);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => digits = digits.wrapping_mul(10).wrapping_add(u64::from(byte - b'0')),
            b'.' if decimals.is_none() && at > start => decimals = Some(at + 1),
            _ => break,
        }
        at += 1;
    }
    let leading_zero =
        bytes.get(start) == Some(&b'0') && bytes.get(start + 1).is_some_and(u8::is_ascii_digit);
    let behind_point = decimals.map_or(0, |first| at - first);
    if at == start || leading_zero || (decimals.is_some() && behind_point == 0) {
        return None;
    }
    if at - start > 16 || matches!(bytes.get(at), Some(b'e' | b'E')) {
        return long_number(bytes);
    }
    // Both are exact in 64 bits, so there is one rounding here and one to 32 bits.
    let value = digits as f64 / POWERS[behind_point];
    Some((if negative { -value } else { value } as f32, at))
}

const POWERS: [f64; 17] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16];

fn long_number(bytes: &[u8]) -> Option<(f32, usize)> {
    let belongs = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let length = bytes.iter().take_while(belongs).count();
    let text = std::str::from_utf8(bytes.get(..length)?).ok()?;
    let value: f64 = serde_json::from_str(text).ok()?;
    let value = value as f32;
    value.is_finite().then_some((value, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(file: &str, slim_text: &str, vectors: &[&[f32]]) {
        let Slim { text, values, taken } = slim(file.as_bytes().to_vec());
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, slim_text);
        assert_eq!(values, vectors);
        assert_eq!(taken.restored(&text), file);
    }

    #[test]
    fn plain_arrays_of_numbers_are_taken() {
        check(
            r#"[{"embedding": [0.5, -1e-2,3 ],"x":1},{"embedding":[]}]"#,
            r#"[{"embedding": "\u0000vector 0","x":1},{"embedding":"\u0000vector 1"}]"#,
            &[&[0.5, -0.01, 3.0], &[]],
        );
        check(
            r#"{"embedding": [0.12345678901234567, -1.0]}"#,
            r#"{"embedding": "\u0000vector 0"}"#,
            &[&[0.12345679, -1.0]],
        );
    }

    #[test]
    fn anything_else_stays() {
        for file in [
            r#"{"embedding": null}"#,
            r#"{"embedding": [1, "2"]}"#,
            r#"{"embedding": [1.]}"#,
            r#"{"embedding": [1e999]}"#,
            r#"{"embedding": [01]}"#,
            r#"{"embedding": [1x]}"#,
            r#"{"embedding": [0.1, "#,
            r#"{"content": "\"embedding\": [1]"}"#,
            r#"{"content": "\u0000vector 0", "embedding": [1]}"#,
        ] {
            check(file, file, &[]);
        }
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_the_standard_library_reads_them(value in -1e3f32..1e3, decimals in 0usize..9) {
            let text = format!("[{value:.decimals$}]");
            let expected: f32 = text.trim_matches(['[', ']']).parse().unwrap();
            prop_assert_eq!(numbers(text.as_bytes()), Some((vec![expected], text.len())));
        }

        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let slim = slim(bytes.clone());
            prop_assert_eq!(slim.values.is_empty(), slim.text == bytes);
        }
    }
}
