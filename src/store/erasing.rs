//! Words that the user has deleted, overwritten in the files of threads.
//!
//! They are overwritten in place, byte for byte, so that a process that is appending loses nothing; and only within
//! what was said, so that every line stays a line with its time and its numbers.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{Store, StoreError, io_error, read};
use crate::memory::Evidence;
use crate::thread::{DELETED, Line, Titled};

/// A quote of less weight is only deleted where it was all that was said: "30" stands in many places. A letter weighs
/// one, a Chinese character three.
const LONG: usize = 12;

impl Store {
    /// In how many threads what `said` quotes can still be read.
    pub fn threads_saying(&self, said: &[Evidence]) -> Result<usize, StoreError> {
        Ok(self.files_saying(said)?.len())
    }

    /// Overwrites what `said` quotes, and what was derived from it: summaries, titles given by a model. Returns in
    /// how many threads it stood.
    pub fn erase_said(&self, said: &[Evidence]) -> Result<usize, StoreError> {
        let files = self.files_saying(said)?;
        for (path, places) in &files {
            overwrite(path, places).map_err(|source| io_error("cannot write", path, source))?;
        }
        Ok(files.len())
    }

    fn files_saying(&self, said: &[Evidence]) -> Result<Vec<Found>, StoreError> {
        let mut files = Vec::new();
        for (id, path, _) in self.thread_files() {
            let places = places(&id, &read(&path)?, said);
            if !places.is_empty() {
                files.push((path, places));
            }
        }
        Ok(files)
    }
}

/// A file, and the bytes in it that are to be overwritten.
type Found = (PathBuf, Vec<Range<usize>>);

/// Overwrites the bytes at each of `places`. When it was written last is left as it was.
fn overwrite(path: &Path, places: &[Range<usize>]) -> io::Result<()> {
    let mut file: File = OpenOptions::new().write(true).open(path)?;
    let modified = fs::metadata(path)?.modified()?;
    for place in places {
        file.seek(SeekFrom::Start(place.start as u64))?;
        file.write_all(&vec![DELETED as u8; place.len()])?;
    }
    file.set_modified(modified)?;
    file.sync_all()
}

/// The bytes in the file of the thread called `id` that are to be overwritten.
fn places(id: &str, file: &[u8], said: &[Evidence]) -> Vec<Range<usize>> {
    let (mut places, mut start, mut number) = (Vec::new(), 0, 0);
    // The first turn in which something was found.
    let mut first: Option<usize> = None;
    for line in file.split_inclusive(|byte| *byte == b'\n') {
        let place = start;
        start += line.len();
        let Ok(parsed) = serde_json::from_slice::<Line>(line) else { continue };
        let spans = contents(line);
        number += usize::from(matches!(parsed, Line::User { .. }));
        let is_derived = match &parsed {
            Line::Summary { through, .. } => first.is_some_and(|first| first <= *through),
            Line::Title { by: Titled::Model, .. } => first.is_some(),
            _ => false,
        };
        let own = |evidence: &&Evidence| evidence.thread == id && evidence.turn == number.to_string();
        let is_own = matches!(parsed, Line::User { .. }) && said.iter().any(|evidence| own(&evidence));
        let mut found: Vec<Range<usize>> = Vec::new();
        for span in &spans {
            let text = line.get(span.clone()).unwrap_or_default();
            let whole = text.trim_ascii();
            for evidence in said {
                let quote = spelt(&evidence.quote);
                let anywhere = is_long(&evidence.quote) || (is_own && own(&evidence));
                if quote.is_empty() || !(anywhere || whole == quote) {
                    continue;
                }
                let starts = memchr::memmem::find_iter(text, &quote);
                found.extend(starts.map(|at| span.start + at..span.start + at + quote.len()));
            }
        }
        match spans.first() {
            // It was kept in other words, or without a secret.
            Some(typed) if is_derived || (is_own && found.is_empty()) => found.push(typed.clone()),
            _ => {}
        }
        found.retain(|range| {
            let bytes = line.get(range.clone()).unwrap_or_default();
            bytes.iter().any(|byte| *byte != DELETED as u8)
        });
        if !found.is_empty() && !is_derived {
            first = first.or(Some(number));
        }
        places.extend(found.into_iter().map(|range| place + range.start..place + range.end));
    }
    places
}

/// `quote` as it stands inside a JSON string.
fn spelt(quote: &str) -> Vec<u8> {
    let text = serde_json::to_string(quote.trim()).unwrap_or_default();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().as_bytes().to_vec()
}

fn is_long(quote: &str) -> bool {
    quote.trim().chars().map(|letter| if letter.is_ascii() { 1 } else { 3 }).sum::<usize>() >= LONG
}

/// Whether `text` says what is quoted: in full, or in a part where the quote is long enough to mean nothing else.
pub fn tells(text: &str, quote: &str) -> bool {
    let quote = quote.trim();
    !quote.is_empty() && (text.trim() == quote || (is_long(quote) && text.contains(quote)))
}

/// Where the strings under a key `content` stand in a line, without their quotes.
fn contents(line: &[u8]) -> Vec<Range<usize>> {
    let (mut spans, mut at, mut wanted) = (Vec::new(), 0, false);
    while let Some(byte) = line.get(at) {
        at += 1;
        if *byte != b'"' {
            continue;
        }
        let start = at;
        while let Some(byte) = line.get(at).filter(|byte| **byte != b'"') {
            at += if *byte == b'\\' { 2 } else { 1 };
        }
        let string = start..at.min(line.len());
        at += 1;
        let is_key = line.get(at..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"));
        if !is_key && wanted {
            spans.push(string.clone());
        }
        wanted = is_key && line.get(string) == Some(b"content");
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        format!("{text}\n")
    }

    fn said(thread: &str, turn: &str, quote: &str) -> Evidence {
        Evidence { thread: thread.into(), turn: turn.into(), quote: quote.into() }
    }

    fn user(content: &str) -> String {
        let line = Line::User {
            at: "2026-11-30T20:36:30+08:00".into(),
            content: content.into(),
            attachments: vec![],
            replaces: None,
        };
        serde_json::to_string(&line).unwrap() + "\n"
    }

    /// The file as it is afterwards.
    fn erased(file: &str, quotes: &[Evidence]) -> String {
        let mut bytes = file.as_bytes().to_vec();
        for place in places("t", file.as_bytes(), quotes) {
            bytes[place].fill(b'*');
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn only_what_was_said_is_overwritten() {
        let answer = line(
            r#"{"role":"assistant","at":"2026-11-30T20:36:30+08:00","content":"30? 过敏 is noted","model":"user","usage":{"prompt_tokens":1306}}"#,
        );
        let file =
            format!("{}{answer}{}{}", user("30"), user("我对\"花生\"过敏。真的"), user("at 20:30 then"));
        let text = erased(&file, &[said("", "", "30")]);
        assert_eq!(text, file.replacen("\"30\"", "\"**\"", 1), "a short quote is what all of a message says");
        let text = erased(&file, &[said("", "", "我对\"花生\"过敏")]);
        assert!(
            !text.contains("花生") && text.contains("。真的") && text.contains("过敏 is noted"),
            "{text}"
        );
        assert!(text.lines().all(|line| serde_json::from_str::<Line>(line).is_ok()), "{text}");
        let text = erased(&file, &[said("t", "3", "20:30")]);
        assert_eq!(text, file.replace("at 20:30 then", "at ***** then"), "in its own turn anywhere");
        for nothing in [said("", "", " "), said("t", "9", "user"), said("", "", "assistant")] {
            assert_eq!(erased(&file, &[nothing]), file);
        }
        assert_eq!(
            erased("no line\n{\"role\":\"user\"", &[said("t", "1", "no")]),
            "no line\n{\"role\":\"user\""
        );
    }

    #[test]
    fn what_was_kept_in_other_words_goes_with_its_turn() {
        let summary = |through: usize| {
            line(&format!(r#"{{"role":"summary","at":"x","content":"About nuts.","through":{through}}}"#))
        };
        let title = |by: &str| line(&format!(r#"{{"role":"title","at":"x","content":"Nuts","by":"{by}"}}"#));
        let file = [
            user("hello"),
            title("model"),
            summary(1),
            user("my key is sk-123"),
            summary(2),
            title("model"),
            title("user"),
        ]
        .concat();
        let text = erased(&file, &[said("t", "2", "The user said: my key is [REDACTED]")]);
        let lines: Vec<&str> = text.lines().collect();
        let before: Vec<&str> = file.lines().collect();
        assert_eq!(lines[..3], before[..3]);
        for number in [3, 4, 5] {
            assert!(lines[number].contains("\"****"), "{}", lines[number]);
        }
        assert_eq!(lines[6], before[6]);
        assert_eq!(erased(&text, &[said("t", "2", "The user said: my key is [REDACTED]")]), text);
        assert!(places("t", text.as_bytes(), &[said("t", "2", "my key")]).is_empty(), "nothing is left");
    }
}
