//! A drawing as text: for Graphviz, Mermaid, GraphML readers, Neo4j, scripts, a browser, a terminal.
//!
//! Any text in a drawing comes out as text: each format is escaped by its own rules, and none lets a
//! name end a string, a line or a script. A link to a node that does not exist is left out. A closed
//! link is one with an `until`, in the past or not: no clock is read here. The same drawing gives the
//! same bytes. There is no reader for any of these formats.

mod columns;
mod cypher;
mod dot;
mod graphml;
mod html;
mod json;
mod mermaid;
mod palette;
mod tree;

#[cfg(test)]
mod samples;

use crate::graph::{Drawing, Link, Node};

pub use cypher::cypher;
pub use dot::dot;
pub use graphml::graphml;
pub use html::html;
pub use json::json;
pub use mermaid::mermaid;
pub use tree::tree;

/// The links whose two ends exist, with those ends.
fn links(drawing: &Drawing) -> impl Iterator<Item = (&Link, &Node, &Node)> {
    drawing.links.iter().filter_map(|link| {
        let from = drawing.nodes.get(link.from)?;
        let to = drawing.nodes.get(link.to)?;
        Some((link, from, to))
    })
}

/// `lives_in` as `lives in`.
fn spoken(relation: &str) -> String {
    one_line(&relation.replace('_', " "))
}

/// The day of an RFC 3339 time, as it is written there; the whole text if it is none.
fn day(time: &str) -> String {
    let date: String = time.chars().take(10).collect();
    let is_date = date.len() == 10
        && date.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if is_date { date } else { one_line(time) }
}

/// `since …, until …`, or nothing.
fn span(link: &Link) -> String {
    let part = |word: &str, time: &Option<String>| {
        let day = time.as_deref().map(day).filter(|day| !day.is_empty());
        day.map(|day| format!("{word} {day}"))
    };
    let (since, until) = (part("since", &link.since), part("until", &link.until));
    since.into_iter().chain(until).collect::<Vec<_>>().join(", ")
}

/// `text` on one line, without control characters and marks that turn the direction of a line.
fn one_line(text: &str) -> String {
    let spaced = text.replace(char::is_whitespace, " ");
    let clean: String = spaced.chars().filter(|character| !is_unseen(*character)).collect();
    clean.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Controls, what is no character, and marks by which a line can be made to read as another one
/// (CVE-2021-42574).
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
}

/// At most `limit` characters of `text`; `…` stands for the rest.
fn shortened(text: &str, limit: usize) -> String {
    if text.chars().nth(limit).is_none() {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        assert_eq!(day("2026-01-02T03:04:05+08:00"), "2026-01-02");
        assert_eq!(day("last\nyear"), "last year");
        assert_eq!(day("二〇二六年一月二日那天"), "二〇二六年一月二日那天");
        assert_eq!(day(""), "");
    }

    #[test]
    fn lines() {
        assert_eq!(one_line(" a\n\n b\u{1b}[1m\u{202e}c\u{0} "), "a b[1mc");
        assert_eq!(spoken("lives_in"), "lives in");
        assert_eq!(shortened("你好世界", 3), "你好…");
        assert_eq!(shortened("你好", 2), "你好");
    }

    #[test]
    fn links_to_nowhere_are_left_out() {
        let mut drawing = samples::small();
        let kept = links(&drawing).count();
        drawing.links.push(Link { from: 0, to: 999, ..Link::default() });
        assert_eq!(links(&drawing).count(), kept);
        let exporters: [fn(&Drawing) -> String; 5] = [dot, mermaid, graphml, cypher, json];
        for exporter in exporters {
            assert!(!exporter(&drawing).contains("999"));
        }
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let empty = Drawing::default();
        assert!(dot(&empty).ends_with("}\n"));
        assert!(mermaid(&empty).starts_with("flowchart LR\n"));
        assert!(graphml(&empty).ends_with("</graphml>\n"));
        assert_eq!(cypher(&empty).lines().filter(|line| !line.starts_with("//")).count(), 1);
        assert_eq!(json(&empty), "{\n  \"nodes\": [],\n  \"links\": []\n}\n");
        assert!(html(&empty, "", true).ends_with("</html>\n"));
        assert!(tree(&empty, 0, 3, 80).is_empty());
    }
}
