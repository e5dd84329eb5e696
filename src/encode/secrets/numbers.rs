//! Secrets that are numbers: bank cards, Chinese resident IDs, US social security numbers, IBANs.
//!
//! A number counts by its checksum and its issuer, never by its length alone. Digits may stand in groups
//! with one space or dash between. Absent: 15-digit resident IDs, passports, tax numbers.

use super::{before, is_at, line_before, run};
use std::ops::Range;

/// Issuer ranges of cards, by leading digits, with the lengths issued (ISO/IEC 7812-1; lists of the
/// schemes): Visa, Mastercard, American Express, Diners Club, JCB, Discover, UnionPay, Maestro, Mir.
const ISSUERS: &[(u32, u32, &[usize])] = &[
    (4, 4, &[13, 16, 18, 19]),
    (51, 55, &[16]),
    (2221, 2720, &[16]),
    (34, 34, &[15]),
    (37, 37, &[15]),
    (300, 305, &[14, 16]),
    (36, 36, &[14, 16]),
    (38, 39, &[14, 16]),
    (3528, 3589, &[16, 17, 18, 19]),
    (6011, 6011, &[16, 17, 18, 19]),
    (644, 659, &[16, 17, 18, 19]),
    (62, 62, &[16, 17, 18, 19]),
    (81, 81, &[16, 17, 18, 19]),
    (50, 50, &[13, 14, 15, 16, 17, 18, 19]),
    (56, 58, &[13, 14, 15, 16, 17, 18, 19]),
    (63, 63, &[13, 14, 15, 16, 17, 18, 19]),
    (67, 67, &[13, 14, 15, 16, 17, 18, 19]),
    (2200, 2204, &[16, 17, 18, 19]),
];
const SHORTEST_CARD: usize = 13;
const LONGEST_CARD: usize = 19;

/// Said before digits without groups, they are not a card.
const NOT_CARDS: &[&str] =
    &["order", "tracking", "isbn", "invoice", "serial", "订单", "单号", "流水号", "序列号", "訂單", "單號"];

/// Country and length of an IBAN (ISO 13616, SWIFT IBAN registry).
const IBAN_LENGTHS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AT", 20),
    ("BE", 16),
    ("BG", 22),
    ("BR", 29),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FR", 27),
    ("GB", 22),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("KW", 30),
    ("KZ", 20),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PK", 24),
    ("PL", 28),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("SA", 24),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("TR", 26),
    ("UA", 29),
];

/// Weights and check characters of a resident ID (GB 11643-1999, ISO 7064 MOD 11-2).
const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECKS: [char; 11] = ['1', '0', 'X', '9', '8', '7', '6', '5', '4', '3', '2'];
/// First and last code of a province (GB/T 2260).
const PROVINCES: Range<u32> = 11..83;

/// Adds the spans of secret numbers.
pub(super) fn find(chars: &[char], spans: &mut Vec<Range<usize>>) {
    for at in 0..chars.len() {
        if before(chars, at).is_some_and(|c| c.is_ascii_alphanumeric()) {
            continue;
        }
        if is_at(chars, at, |c| c.is_ascii_digit()) && !before(chars, at).is_some_and(|c| "+._".contains(c)) {
            let found = resident(chars, at).or_else(|| social(chars, at)).or_else(|| card(chars, at));
            spans.extend(found);
        } else if is_at(chars, at, |c| c.is_ascii_alphabetic()) {
            spans.extend(iban(chars, at));
        }
    }
}

/// Groups of digits from a place on, one space or dash between, no more digits than a card has.
fn groups(chars: &[char], at: usize) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let (mut from, mut digits) = (at, 0);
    loop {
        let rest = chars.get(from..(from + LONGEST_CARD + 1).min(chars.len())).unwrap_or_default();
        let end = run(rest, 0, |c| c.is_ascii_digit()) + from;
        digits += end - from;
        if end == from || digits > LONGEST_CARD {
            return groups;
        }
        groups.push(from..end);
        if !is_at(chars, end, is_separator) {
            return groups;
        }
        from = end + 1;
    }
}

fn is_separator(c: char) -> bool {
    c == ' ' || c == '-'
}

/// Whether nothing continues a number that ends here.
fn ends(chars: &[char], at: usize) -> bool {
    let digit = |at| is_at(chars, at, |c| c.is_ascii_digit());
    let goes_on = is_at(chars, at, |c| c.is_ascii_alphanumeric() || c == '_');
    let fraction = is_at(chars, at, |c| c == '.') && digit(at + 1);
    !goes_on && !fraction
}

fn values(chars: &[char], groups: &[Range<usize>]) -> Vec<u32> {
    groups.iter().flat_map(|group| super::slice(chars, group)).filter_map(|c| c.to_digit(10)).collect()
}

/// The longest card number that begins here.
fn card(chars: &[char], at: usize) -> Option<Range<usize>> {
    if phone_before(chars, at) {
        return None;
    }
    let groups = groups(chars, at);
    for count in (1..=groups.len()).rev() {
        let taken = groups.get(..count).unwrap_or_default();
        let total: usize = taken.iter().map(Range::len).sum();
        if total < SHORTEST_CARD {
            return None;
        }
        let digits = values(chars, taken);
        let even = count == 1
            || taken.iter().all(|group| group.len() >= 3)
            || taken.iter().all(|group| group.len() == 1);
        let end = taken.last().map_or(at, |group| group.end);
        if even && ends(chars, end) && is_issued(&digits) && luhn(&digits) {
            let before = line_before(chars, at, 14);
            let named = count == 1 && NOT_CARDS.iter().any(|word| before.contains(word));
            return (!named).then_some(at..end);
        }
    }
    None
}

/// Whether a `+` opened the digits that lead here: a phone number.
fn phone_before(chars: &[char], at: usize) -> bool {
    let near = line_before(chars, at, 8);
    let digits = near.trim_end_matches(|c: char| c.is_ascii_digit() || is_separator(c));
    digits.ends_with('+')
}

fn is_issued(digits: &[u32]) -> bool {
    ISSUERS.iter().any(|(low, high, lengths)| {
        let places = low.ilog10() as usize + 1;
        let head = digits.iter().take(places).fold(0, |sum, digit| sum * 10 + digit);
        lengths.contains(&digits.len()) && (*low..=*high).contains(&head)
    })
}

/// The check of card numbers (Luhn, ISO/IEC 7812-1 annex B).
fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, digit)| if i % 2 == 0 { *digit } else { digit * 2 / 10 + digit * 2 % 10 })
        .sum();
    sum.is_multiple_of(10)
}

/// A resident ID: place, birthday, sequence, check; spaces only between those parts.
fn resident(chars: &[char], at: usize) -> Option<Range<usize>> {
    let (mut digits, mut end) = (Vec::with_capacity(17), at);
    while digits.len() < 17 {
        if matches!(digits.len(), 6 | 14) && is_at(chars, end, is_separator) {
            end += 1;
        }
        digits.push(chars.get(end)?.to_digit(10)?);
        end += 1;
    }
    let number =
        |range: Range<usize>| digits.get(range).unwrap_or_default().iter().fold(0, |n, d| n * 10 + d);
    let dated = (1..=12).contains(&number(10..12)) && (1..=31).contains(&number(12..14));
    let born = (1800..2100).contains(&number(6..10));
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    let check = CHECKS.get((sum % 11) as usize)?;
    let checked = chars.get(end)?.to_ascii_uppercase() == *check;
    let found = checked && dated && born && PROVINCES.contains(&number(0..2)) && ends(chars, end + 1);
    found.then_some(at..end + 1)
}

/// A social security number as `AAA-GG-SSSS` (US SSA: no 000, 666 or 9xx; no group 00, no serial 0000).
fn social(chars: &[char], at: usize) -> Option<Range<usize>> {
    let groups = groups(chars, at);
    let [area, group, serial, ..] = groups.as_slice() else { return None };
    let dashed = is_at(chars, area.end, |c| c == '-') && is_at(chars, group.end, |c| c == '-');
    let sized = (area.len(), group.len(), serial.len()) == (3, 2, 4);
    let alone = ends(chars, serial.end)
        && !is_at(chars, serial.end, |c| c == '-')
        && before(chars, at).is_none_or(|c| c != '-');
    let number = |group: &Range<usize>| {
        values(chars, std::slice::from_ref(group)).iter().fold(0, |n, digit| n * 10 + digit)
    };
    let issued = !matches!(number(area), 0 | 666 | 900..) && number(group) > 0 && number(serial) > 0;
    (dashed && sized && alone && issued).then_some(at..serial.end)
}

/// An account number by country, length and remainder (ISO 13616, ISO 7064 MOD 97-10).
fn iban(chars: &[char], at: usize) -> Option<Range<usize>> {
    let country = super::slice(chars, &(at..at + 2)).iter().map(char::to_ascii_uppercase).collect::<String>();
    let (_, length) = IBAN_LENGTHS.iter().find(|(name, _)| *name == country)?;
    let (mut signs, mut end) = (Vec::with_capacity(*length), at);
    while signs.len() < *length {
        if signs.len() >= 4 && is_at(chars, end, is_separator) {
            end += 1;
        }
        signs.push(chars.get(end)?.to_digit(36)?);
        end += 1;
    }
    let checked = signs.get(2..4)?.iter().all(|sign| *sign < 10);
    let turned = signs.iter().skip(4).chain(signs.iter().take(4));
    let rest = turned.fold(0, |rest, sign| (if *sign < 10 { rest * 10 } else { rest * 100 } + sign) % 97);
    (checked && rest == 1 && ends(chars, end)).then_some(at..end)
}
