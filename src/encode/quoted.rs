//! Which part of a user's message is somebody else's text, and whether a text reads like an instruction.
//!
//! Quoting is told by its marks and by the words that lead in, never by the meaning. Every finder passes
//! over the message once and looks a bounded distance around a place. Ranges are byte ranges of the message,
//! in order, apart from each other, on character boundaries. Absent: quotations without any mark; titles in
//! 《》, short quotations and inline code are the user's own words. Text that closes its own tag or fence
//! early reads as the user's from there on.

mod instruction;
mod lead_in;
mod phrases;

pub use instruction::is_instruction;
use std::collections::HashMap;
use std::ops::Range;

/// Adds the quoted parts of one form.
type Finder = fn(&str, &mut Vec<Range<usize>>);

const FINDERS: &[Finder] = &[fences, marked_lines, lead_ins, quotations, tags, blocks, mails];

/// Pairs of quotation marks; the straight one is both.
const QUOTATION_MARKS: &[(char, char)] = &[('“', '”'), ('"', '"'), ('「', '」'), ('『', '』'), ('«', '»')];
/// A quotation of at most this many characters is a phrase of the user's own.
const SHORT_QUOTATION: usize = 11;

/// As far as a tag may reach.
const LONGEST_TAG: usize = 200;

/// First and later headers of a forwarded mail, in lower case.
const FIRST_HEADERS: &[&str] = &["from:", "发件人:", "寄件者:", "寄件人:"];
const OTHER_HEADERS: &[&str] = &[
    "to:",
    "subject:",
    "date:",
    "sent:",
    "cc:",
    "reply-to:",
    "收件人:",
    "主题:",
    "主旨:",
    "日期:",
    "发送时间:",
    "时间:",
    "抄送:",
    "收件者:",
];
/// The lines after the first header in which another must stand.
const HEADER_LINES: usize = 6;
/// Lines over a forwarded mail, without the dashes around them.
const FORWARDED: &[&str] = &[
    "forwarded message",
    "original message",
    "begin forwarded message",
    "原始邮件",
    "转发邮件",
    "转发的邮件",
    "邮件原件",
];
/// What decorates such a line.
const DECORATION: &[char] = &['-', '=', '#', '*', '_', '[', ']', '<', '>', ' ', ':', '：', '—', '\r', '\n'];

/// Byte ranges of the parts of a message that are quoted or pasted rather than said.
pub fn ranges(message: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for find in FINDERS {
        find(message, &mut found);
    }
    found.sort_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in found {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// Whether `part` stands in a message only where it is quoted: every occurrence lies mostly inside
/// [`ranges`]. A part that does not occur is not quoted.
pub fn is_quoted(message: &str, part: &str) -> bool {
    let part = part.trim();
    if part.is_empty() {
        return false;
    }
    let ranges = ranges(message);
    let mut found = false;
    for (start, _) in message.match_indices(part) {
        let end = start + part.len();
        let first = ranges.partition_point(|range| range.end <= start);
        let touching = ranges.iter().skip(first).take_while(|range| range.start < end);
        let inside: usize = touching.map(|range| range.end.min(end) - range.start.max(start)).sum();
        if inside * 2 <= part.len() {
            return false;
        }
        found = true;
    }
    found
}

/// The lines of a message with their ends, and where each begins.
fn lines(message: &str) -> impl Iterator<Item = (usize, &str)> {
    message.split_inclusive('\n').scan(0, |from, line| {
        let start = *from;
        *from += line.len();
        Some((start, line))
    })
}

/// Code fences: three backticks anywhere, three tildes at the beginning of a line; to the end when open.
fn fences(message: &str, found: &mut Vec<Range<usize>>) {
    let mut ticks = message.match_indices("```").map(|(at, _)| at);
    while let Some(open) = ticks.next() {
        found.push(open..ticks.next().map_or(message.len(), |close| close + 3));
    }
    let mut tildes = lines(message).filter(|(_, line)| line.trim_start().starts_with("~~~"));
    while let Some((open, _)) = tildes.next() {
        found.push(open..tildes.next().map_or(message.len(), |(close, line)| close + line.trim_end().len()));
    }
}

/// Lines that begin with `>`.
fn marked_lines(message: &str, found: &mut Vec<Range<usize>>) {
    let marked = lines(message).filter(|(_, line)| line.trim_start().starts_with(['>', '＞']));
    found.extend(marked.map(|(start, line)| start..start + line.len()));
}

/// What follows `he said:` or 原文： up to the end of the paragraph.
fn lead_ins(message: &str, found: &mut Vec<Range<usize>>) {
    let mut open: Option<usize> = None;
    for (start, line) in lines(message) {
        if line.trim().is_empty() {
            found.extend(open.take().map(|from| from..start));
        } else if open.is_none() {
            open = lead_in::end(line).map(|end| start + end);
        }
    }
    found.extend(open.map(|from| from..message.len()));
}

/// Longer quotations in quotation marks, within a paragraph.
fn quotations(message: &str, found: &mut Vec<Range<usize>>) {
    let mut open: Vec<Option<(usize, usize)>> = vec![None; QUOTATION_MARKS.len()];
    let mut last = '\n';
    let mut chars = message.char_indices().enumerate().peekable();
    while let Some((count, (at, c))) = chars.next() {
        if c == '\n' && last == '\n' {
            open.fill(None);
        }
        let spaced = chars.peek().is_none_or(|(_, (_, next))| next.is_whitespace());
        for ((left, right), state) in QUOTATION_MARKS.iter().zip(&mut open) {
            match *state {
                Some((from, opened)) if c == *right => {
                    if count - opened > SHORT_QUOTATION + 1 {
                        found.push(from..at + c.len_utf8());
                    }
                    *state = None;
                }
                None if c == *left && !(spaced && left == right) => *state = Some((at, count)),
                _ => {}
            }
        }
        if c != '\r' {
            last = c;
        }
    }
}

/// `<tag>…</tag>`, each closing tag with the last open one of its name.
fn tags(message: &str, found: &mut Vec<Range<usize>>) {
    let mut open: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, _) in message.match_indices('<') {
        let rest = message.get(at + 1..).unwrap_or_default();
        let closes = rest.starts_with('/');
        let inner: String = rest.chars().take(LONGEST_TAG).take_while(|c| *c != '>' && *c != '<').collect();
        if !rest.get(inner.len()..).is_some_and(|after| after.starts_with('>')) || inner.ends_with('/') {
            continue;
        }
        let name = inner.trim_start_matches('/').split_whitespace().next().unwrap_or_default().to_lowercase();
        let named = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
        if !name.starts_with(char::is_alphabetic) || !name.chars().all(named) {
            continue;
        }
        if !closes {
            open.entry(name).or_default().push(at);
        } else if let Some(from) = open.get_mut(&name).and_then(Vec::pop) {
            found.push(from..at + inner.len() + 2);
        }
    }
}

/// Blocks between a line `BEGIN …` and a line `END …`; a decorated one without end goes to the end.
fn blocks(message: &str, found: &mut Vec<Range<usize>>) {
    let mut open: Option<(usize, &str, bool)> = None;
    for (start, line) in lines(message) {
        let bare = line.trim_matches(DECORATION);
        let decorated = bare.len() < line.trim().len();
        let Some((from, name, _)) = open else {
            open = block_name(bare, "BEGIN", "开始", decorated).map(|name| (start, name, decorated));
            continue;
        };
        if block_name(bare, "END", "结束", decorated).is_some_and(|end| end.is_empty() || end == name) {
            found.push(from..start + line.trim_end().len());
            open = None;
        }
    }
    if let Some((from, _, true)) = open {
        found.push(from..message.len());
    }
}

/// The name of the block that a line begins or ends.
fn block_name<'a>(bare: &'a str, word: &str, han: &str, decorated: bool) -> Option<&'a str> {
    if let Some(rest) = bare.strip_prefix(word) {
        return rest.is_empty().then_some("").or_else(|| rest.strip_prefix([' ', '_', '-']));
    }
    let name = bare.strip_suffix(han).or_else(|| bare.strip_prefix(han));
    name.filter(|_| decorated).map(str::trim)
}

/// A forwarded mail, from its headers or the line over them to the end of the message.
fn mails(message: &str, found: &mut Vec<Range<usize>>) {
    let mut first: Option<(usize, usize)> = None;
    for (number, (start, line)) in lines(message).enumerate() {
        let head: String = line.trim_start().chars().take(40).collect();
        let head = head.to_lowercase().replace('：', ":").replace(" :", ":");
        let bare = head.trim_matches(DECORATION);
        let near = first.filter(|(_, at)| number - at <= HEADER_LINES);
        let other = OTHER_HEADERS.iter().any(|header| head.starts_with(header));
        let from = if FORWARDED.contains(&bare) {
            Some(start)
        } else {
            near.filter(|_| other).map(|(from, _)| from)
        };
        if let Some(from) = from {
            found.push(from..message.len());
            return;
        }
        if FIRST_HEADERS.iter().any(|header| head.starts_with(header)) {
            first = Some((start, number));
        }
    }
}

#[cfg(test)]
mod tests;
