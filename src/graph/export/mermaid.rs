//! Mermaid, for Markdown pages.
//!
//! Every ASCII sign in a label but a few harmless ones is written as `#N;`, Mermaid's own entity
//! (<https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters>), so that neither
//! its grammar nor its Markdown sees it; the rest of Unicode stands as it is. Sentences are left out, and
//! long names are cut: Mermaid draws at most 50,000 characters and 500 links.

use super::palette::{self, Colour, OTHER, USER};
use super::{is_unseen, links, shortened, span, spoken};
use crate::graph::{Drawing, Link};

/// Of a name, no more characters than this.
const NAME: usize = 60;

/// Stands in an empty label, which Mermaid does not take.
const BLANK: &str = "#160;";

/// The drawing as a flowchart from left to right; closed links are dashed.
pub fn mermaid(drawing: &Drawing) -> String {
    let kinds = palette::kinds(drawing);
    let mut out = String::from("flowchart LR\n");
    for (at, node) in drawing.nodes.iter().enumerate() {
        let colour = palette::colour(&kinds, at, &node.kind);
        let class = if at == 0 { "user".to_owned() } else { class(&kinds, colour) };
        out += &format!("  n{at}([\"{}\"]):::{class}\n", label(&node.name));
    }
    for (link, ..) in links(drawing) {
        out += &arrow(link);
    }
    let mut colours: Vec<_> = kinds.iter().map(|(_, colour)| *colour).filter(|one| *one != OTHER).collect();
    colours.push(OTHER);
    out += &definition("user", USER);
    for colour in colours {
        out += &definition(&class(&kinds, colour), colour);
    }
    out
}

/// The style class of a colour.
fn class(kinds: &[(String, Colour)], colour: Colour) -> String {
    match kinds.iter().position(|(_, known)| *known == colour && colour != OTHER) {
        Some(at) => format!("k{at}"),
        None => "other".to_owned(),
    }
}

fn definition(class: &str, colour: Colour) -> String {
    format!("  classDef {class} fill:{0},stroke:{0},color:#fff\n", colour.light)
}

fn arrow(link: &Link) -> String {
    let Link { from, to, .. } = link;
    let arrow = if link.until.is_some() { "-.->" } else { "-->" };
    let relation = label(&spoken(&link.relation));
    let span = span(link);
    if span.is_empty() {
        return format!("  n{from} {arrow}|\"{relation}\"| n{to}\n");
    }
    format!("  n{from} {arrow}|\"{relation}<br/>{}\"| n{to}\n", label(&span))
}

/// `text` as the inside of a quoted label.
fn label(text: &str) -> String {
    let mut out = String::new();
    for character in shortened(text.trim(), NAME).chars() {
        match character {
            '\n' => out += "<br/>",
            '\t' | ' ' => out.push(' '),
            _ if is_unseen(character) => {}
            _ if character.is_ascii_alphanumeric() || !character.is_ascii() => out.push(character),
            _ => out += &format!("#{};", u32::from(character)),
        }
    }
    if out.trim().is_empty() { BLANK.to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn labels() {
        assert_eq!(label("a\"b]"), "a#34;b#93;");
        assert_eq!(label("#1\n王芳 🐱"), "#35;1<br/>王芳 🐱");
        assert_eq!(label("`x`"), "#96;x#96;");
        assert_eq!(label(" \u{0} "), BLANK);
    }

    #[test]
    fn a_small_one() {
        let out = mermaid(&samples::small());
        assert!(
            out.starts_with("flowchart LR\n  n0([\"user\"]):::user\n  n1([\"Chengdu\"]):::k0\n"),
            "{out}"
        );
        assert!(out.contains("  n0 -->|\"lives in<br/>since 2026#45;01#45;02\"| n1\n"));
        assert!(out.contains("  n0 -.->|\"works at<br/>"));
    }

    #[test]
    fn hostile_text_stays_in_its_label() {
        let drawing = samples::hostile();
        let out = mermaid(&drawing);
        let body = out.lines().filter(|line| !line.contains("classDef")).count();
        assert_eq!(body, 1 + drawing.nodes.len() + drawing.links.len());
        for line in out.lines().filter(|line| line.starts_with("  n")) {
            assert_eq!(line.matches('"').count(), 2, "{line}");
            assert!(!line.contains(['`', '\\', '\u{1b}']), "{line}");
        }
    }
}
