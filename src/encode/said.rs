//! The user's words, found again: a quote, and what stands around it.

use std::ops::Range;

use chrono::{DateTime, Local};

use super::wording::{Script, script};
use crate::search::normal;

/// Words of the user, found.
#[derive(Debug, Clone)]
pub struct Said<'a> {
    /// Of the message.
    pub number: usize,
    pub message: &'a str,
    pub time: DateTime<Local>,
    pub place: Range<usize>,
    /// What stands there.
    pub quote: &'a str,
}

impl<'a> Said<'a> {
    /// The clause that the quote stands in, up to the mark that ends it.
    pub fn clause(&self) -> &'a str {
        self.around("。！？!?；;\n.，,")
    }

    /// The sentence that it stands in.
    pub fn sentence(&self) -> &'a str {
        self.around("。！？!?；;\n.")
    }

    fn around(&self, ends: &str) -> &'a str {
        let message = self.message;
        // A point ends a sentence only before a blank.
        let is_end = |text: &str, place: usize, letter: char| {
            let behind = || text.get(place + letter.len_utf8()..).and_then(|rest| rest.chars().next());
            ends.contains(letter) && (letter != '.' || behind().is_none_or(char::is_whitespace))
        };
        let before = message.get(..self.place.start).unwrap_or_default();
        let start = before.char_indices().rev().find(|(place, letter)| is_end(before, *place, *letter));
        let start = start.map_or(0, |(place, letter)| place + letter.len_utf8());
        let behind = message.get(self.place.end..).unwrap_or_default();
        let end = behind.char_indices().find(|(place, letter)| is_end(behind, *place, *letter));
        let end = end.map_or(message.len(), |(place, letter)| self.place.end + place + letter.len_utf8());
        message.get(start..end).unwrap_or(self.quote).trim()
    }
}

/// Finds a quote in what the user said; width, case, spaces and punctuation make no difference.
pub fn find_quote<'a>(quote: &str, messages: &[(&'a str, DateTime<Local>)]) -> Option<Said<'a>> {
    let wanted: Vec<char> = folded(quote).into_iter().map(|(_, letter)| letter).collect();
    if wanted.is_empty() {
        return None;
    }
    messages.iter().enumerate().rev().find_map(|(number, (message, time))| {
        let letters = folded(message);
        let start = letters
            .windows(wanted.len())
            .position(|window| window.iter().map(|(_, letter)| letter).eq(wanted.iter()))?;
        let last = letters.get(start + wanted.len() - 1)?;
        let place = letters.get(start)?.0.start..last.0.end;
        Some(Said { number, message, time: *time, quote: message.get(place.clone())?, place })
    })
}

/// The letters and digits of a text as they are compared, each with its place.
fn folded(text: &str) -> Vec<(Range<usize>, char)> {
    let letters = text.char_indices();
    letters
        .flat_map(|(start, letter)| {
            let place = start..start + letter.len_utf8();
            normal(letter.encode_utf8(&mut [0; 4])).chars().map(|c| (place.clone(), c)).collect::<Vec<_>>()
        })
        .collect()
}

/// The user's language where the quote stands; that of the message, if the quote is a single word.
pub fn script_of_said(said: &Said<'_>) -> Script {
    let words = said.quote.chars().filter(|letter| letter.is_alphabetic()).count();
    script(if words < 4 { said.message } else { said.quote })
}
