//! Numbers and days, in digits, Chinese characters and English words.

use super::words::{HAN_DIGITS, MONTHS, SMALL, TENS};

/// A number under 100 (in digits, any) in digits, Chinese characters or English words.
pub fn number(text: &str) -> Option<u32> {
    if text.is_empty() || text.chars().count() > 20 {
        return None;
    }
    if text.chars().all(|sign| sign.is_ascii_digit()) {
        return text.parse().ok();
    }
    if has_han(text) { han_number(text) } else { english_number(text) }
}

fn han_number(text: &str) -> Option<u32> {
    let digit = |text: &str| HAN_DIGITS.iter().position(|word| *word == text).map(|place| place as u32);
    let (front, back) = match text.split_once('十') {
        Some((front, back)) => (if front.is_empty() { 1 } else { digit(front)? }, back),
        None => (0, text),
    };
    let units = if back.is_empty() { 0 } else { digit(back)? };
    Some(front * 10 + units)
}

fn english_number(text: &str) -> Option<u32> {
    let text = text.to_lowercase();
    let small = |word: &str| SMALL.iter().position(|name| *name == word).map(|place| place as u32);
    let tens = |word: &str| TENS.iter().position(|name| *name == word).map(|place| place as u32 * 10 + 20);
    if let Some(number) = small(&text).or_else(|| tens(&text)) {
        return Some(number);
    }
    let (front, back) = text.split_once(['-', ' '])?;
    Some(tens(front)? + small(back).filter(|units| (1..=9).contains(units))?)
}

/// A day with its month, as `05-03`, or `1990-05-03` if the year is there.
pub fn date(text: &str) -> Option<String> {
    let (year, month, day) = han_date(text).or_else(|| iso_date(text)).or_else(|| english_date(text))?;
    let fits = (1..=12).contains(&month) && (1..=31).contains(&day);
    match year {
        _ if !fits => None,
        Some(year) if !(1900..=2100).contains(&year) => None,
        Some(year) => Some(format!("{year}-{month:02}-{day:02}")),
        None => Some(format!("{month:02}-{day:02}")),
    }
}

type Day = (Option<u32>, u32, u32);

fn han_date(text: &str) -> Option<Day> {
    let (year, rest) = match text.split_once('年') {
        Some((year, rest)) => (Some(number(year.trim())?), rest),
        None => (None, text),
    };
    let (month, day) = rest.split_once('月')?;
    let day = day.trim().strip_suffix(['日', '号'])?;
    Some((year, number(month.trim())?, number(day.trim())?))
}

fn iso_date(text: &str) -> Option<Day> {
    let parts: Vec<&str> = text.split(['-', '/']).collect();
    let [year, month, day] = parts.as_slice() else { return None };
    let short = |part: &&str| (1..=2).contains(&part.len());
    let numbers = year.len() == 4 && short(month) && short(day);
    numbers.then_some(())?;
    Some((Some(year.parse().ok()?), month.parse().ok()?, day.parse().ok()?))
}

fn english_date(text: &str) -> Option<Day> {
    let (mut year, mut month, mut day) = (None, None, None);
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        let bare = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(&word);
        let slot = if let Some(place) = MONTHS.iter().position(|names| names.contains(&word.as_str())) {
            (&mut month, place as u32 + 1)
        } else if matches!(word.as_str(), "the" | "of") {
            continue;
        } else if word.len() == 4 {
            (&mut year, word.parse().ok()?)
        } else {
            (&mut day, bare.parse().ok()?)
        };
        if slot.0.replace(slot.1).is_some() {
            return None;
        }
    }
    Some((year, month?, day?))
}

/// Whether a text has Chinese characters.
pub fn has_han(text: &str) -> bool {
    text.chars().any(is_han_letter)
}

pub fn is_han_letter(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}
