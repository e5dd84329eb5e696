//! Secrets said in words: a name such as `password` or 密码, then its value.
//!
//! How sure the value is depends on what stands between: a sign (`:`), a verb (`is`, 是), or nothing. The
//! surer the link, the plainer a value may be; a word of a language counts only where it is clearly the
//! value. Absent: names not in the tables, a value sentences away from its name.

use super::labels::{
    AND, BACKWARD, CHANGES, COPULAS, COPULAS_HAN, FILLERS, Kind, LINKS, NAMES, NOT_BACKWARD, PREPOSITIONS,
    UNITS_HAN,
};
use super::value::{LONGEST_GAP, Link, judge, read, spaces, stops, word};
use super::{before, is_at, is_cjk, line_before, run, slice, starts_with, starts_with_any_case};
use std::ops::Range;

/// Marks that may stand between a name and what joins it to a value.
const CLOSERS: &str = "\"'”’`*」』】";

/// As far as a remark in brackets may reach.
const LONGEST_REMARK: usize = 20;

/// Adds the spans of values said after, or before, the name of a secret.
pub(super) fn find(chars: &[char], spans: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while at < chars.len() {
        if !may_begin(chars, at) {
            at += 1;
            continue;
        }
        let named = NAMES.iter().filter_map(|(name, kind)| Some((name_end(chars, at, name)?, *kind)));
        let Some((end, kind)) = named.max_by_key(|(end, _)| *end) else {
            at += 1;
            continue;
        };
        let found = value_after(chars, at..end, kind).or_else(|| value_before(chars, at..end, kind));
        at = end;
        if let Some(span) = found {
            at = at.max(more(chars, span.end, kind, spans));
            spans.push(span);
        }
    }
}

/// Adds further values after one: `hunter2 and hunter3`, `1234 but is now 4321`. Where they end.
fn more(chars: &[char], from: usize, kind: Kind, spans: &mut Vec<Range<usize>>) -> usize {
    let mut end = from;
    loop {
        let mut at = end;
        loop {
            at += run(slice(chars, &(at..chars.len().min(at + 3))), 0, |c| " ,，、/\"'”".contains(c));
            let (word, word_end) = word(chars, at);
            let han = is_at(chars, at, |c| "和或及跟".contains(c));
            if !(han || AND.contains(&word.as_str())) || at > end + LONGEST_GAP {
                break;
            }
            at = if han { at + 1 } else { word_end };
        }
        let span = read(chars, at).span;
        let text = slice(chars, &span);
        let digits = text.iter().filter(|c| c.is_ascii_digit()).count();
        let alike = match kind {
            Kind::Digits(..) | Kind::Code => digits == text.len() && (4..=10).contains(&digits),
            _ => digits > 0 && digits < text.len() && text.len() >= 6,
        };
        if at == end || !alike || is_at(chars, spaces(chars, span.end), |c| UNITS_HAN.contains(c)) {
            return end;
        }
        end = span.end;
        spans.push(span);
    }
}

/// Whether a name can begin here: not inside a word of small letters. Spares most of the comparing.
pub(super) fn may_begin(chars: &[char], at: usize) -> bool {
    let inside = before(chars, at).is_some_and(|c| c.is_ascii_alphabetic());
    is_at(chars, at, |c| is_cjk(c) || c.is_ascii_alphanumeric() && !(inside && c.is_ascii_lowercase()))
}

/// Where a name that begins here ends.
pub(super) fn name_end(chars: &[char], at: usize, name: &str) -> Option<usize> {
    let first = name.chars().next()?;
    if !is_at(chars, at, |c| c.to_ascii_lowercase() == first) {
        return None;
    }
    let camel = is_at(chars, at, |c| c.is_ascii_uppercase());
    let joined = |c: char| if camel { c.is_ascii_uppercase() } else { c.is_ascii_alphabetic() };
    if first.is_ascii() && before(chars, at).is_some_and(joined) {
        return None;
    }
    let mut end = at;
    for wanted in name.chars() {
        if wanted == ' ' {
            end += usize::from(is_at(chars, end, |c| matches!(c, ' ' | '_' | '-')));
        } else if is_at(chars, end, |c| c.to_ascii_lowercase() == wanted) {
            end += 1;
        } else {
            return None;
        }
    }
    if name.ends_with(is_cjk) {
        return Some(end);
    }
    end += usize::from(is_at(chars, end, |c| c == 's' || c == 'S'));
    (!is_at(chars, end, |c| c.is_ascii_alphanumeric())).then_some(end)
}

fn value_after(chars: &[char], name: Range<usize>, kind: Kind) -> Option<Range<usize>> {
    let flag = line_before(chars, name.start, 2) == "--";
    let from = skip_remark(chars, closers(chars, name.end));
    let verb = |at| link(chars, at, &line_before(chars, name.start, 24));
    let direct =
        verb(from).map(|(at, link)| (at, if flag && link == Link::Near { Link::Flag } else { link }));
    let found = direct.and_then(|(at, link)| judge(chars, at, link, kind));
    found.or_else(|| {
        let (at, link) = gap(chars, from).and_then(verb)?;
        judge(chars, at, link, kind)
    })
}

/// Past marks that close a name, but not past `'s`.
pub(super) fn closers(chars: &[char], at: usize) -> usize {
    if is_at(chars, at + 1, |c| c == 's') { at } else { run(chars, at, |c| CLOSERS.contains(c)) }
}

/// Past a remark in brackets.
fn skip_remark(chars: &[char], at: usize) -> usize {
    let open = run(chars, at, |c| c == ' ');
    if !is_at(chars, open, |c| c == '(') {
        return at;
    }
    let near = slice(chars, &(open..chars.len().min(open + LONGEST_REMARK)));
    near.iter().position(|c| *c == ')').filter(|close| *close > 1).map_or(at, |close| open + close + 1)
}

/// What joins a name that ends here to a value, and where the value begins.
pub(super) fn link(chars: &[char], at: usize, said_before: &str) -> Option<(usize, Link)> {
    let (mut end, mut verb) = (at, false);
    if is_at(chars, end, |c| matches!(c, '\'' | '’')) && is_at(chars, end + 1, |c| c == 's') {
        (end, verb) = (end + 2, true);
    }
    loop {
        let from = spaces(chars, end);
        let (word, word_end) = word(chars, from);
        let copula = COPULAS.contains(&word.as_str());
        if !(copula || LINKS.contains(&word.as_str())) {
            end = from;
            break;
        }
        let changed = word == "to" && CHANGES.iter().any(|change| said_before.contains(change));
        (end, verb) = (word_end, verb || copula || changed);
    }
    if let Some(han) = copula_han(chars, end) {
        (end, verb) = (spaces(chars, han), true);
    }
    let signs = run(chars, end, |c| matches!(c, ':' | '=' | '→'));
    let signs = if starts_with(chars, signs, ">") && signs > end { signs + 1 } else { signs };
    if signs > end {
        let value = spaces(chars, signs);
        let line = value + usize::from(is_at(chars, value, |c| c == '\n'));
        return Some((spaces(chars, line), Link::Sign));
    }
    Some((end, if verb { Link::Verb } else { Link::Near }))
}

/// The end of a Chinese copula, after what may come before it.
fn copula_han(chars: &[char], at: usize) -> Option<usize> {
    (0..=6).take_while(|skip| *skip == 0 || is_at(chars, at + skip - 1, |c| FILLERS.contains(c))).find_map(
        |skip| {
            let ends = COPULAS_HAN.iter().filter(|copula| starts_with(chars, at + skip, copula));
            ends.map(|copula| at + skip + copula.chars().count()).max()
        },
    )
}

/// Where the verb stands after a gap such as `for the router`.
fn gap(chars: &[char], at: usize) -> Option<usize> {
    let (first, mut end) = word(chars, spaces(chars, at));
    if !PREPOSITIONS.contains(&first.as_str()) {
        return None;
    }
    while end < at + LONGEST_GAP {
        let next = spaces(chars, end);
        let (word, word_end) = word(chars, next);
        if COPULAS.contains(&word.as_str()) || is_at(chars, next, |c| matches!(c, ':' | '=' | '是' | '为'))
        {
            return Some(next);
        }
        if is_at(chars, next, |c| ",.;!?\n，。；！？".contains(c)) || next >= chars.len() {
            return None;
        }
        end = word_end.max(next + 1);
    }
    None
}

/// The value in `hunter2 is my password`, where the name ends its clause.
fn value_before(chars: &[char], name: Range<usize>, kind: Kind) -> Option<Range<usize>> {
    if matches!(kind, Kind::Bare)
        || is_at(chars, spaces(chars, name.end), |c| !",.;!?\n，。；！？、".contains(c))
    {
        return None;
    }
    let from = name.start.saturating_sub(LONGEST_GAP);
    for at in (from..name.start).rev() {
        let Some(copula) = BACKWARD.iter().find(|words| starts_with_any_case(chars, at, words)) else {
            continue;
        };
        let between = at + copula.chars().count()..name.start;
        let said = chars.get(between)?;
        let words = said.split(|c| *c == ' ').filter(|word| !word.is_empty()).count();
        let clause = said.iter().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\''));
        let blanks = slice(chars, &(from..at)).iter().rev().take_while(|c| **c == ' ').count();
        let at = at - blanks;
        let start = (from..at).rev().take_while(|place| !stops(chars, *place)).last()?;
        let digits = slice(chars, &(start..at)).iter().filter(|c| c.is_ascii_digit()).count();
        let long = at - start >= 4 && digits > 0;
        let fits = clause && words <= 2 && said.len() <= 24 && !said.iter().any(|c| NOT_BACKWARD.contains(c));
        return (long && fits).then_some(start..at);
    }
    None
}
