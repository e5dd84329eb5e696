//! Graphviz.
//!
//! Strings follow <https://graphviz.org/doc/info/lang.html> and the `escString` of its attributes: a
//! backslash and a quote are escaped, and so is `&`, which would begin an HTML entity. Identifiers are
//! numbers of nodes. Colours are those for light surroundings. Nothing is laid out here.

use super::palette::{self, Colour};
use super::{is_unseen, links, shortened, span, spoken};
use crate::graph::{Drawing, Link};

/// Of a name, no more characters than this.
const NAME: usize = 60;

/// Of a sentence, no more characters than this.
const SENTENCE: usize = 300;

const HEAD: &str = r##"digraph memory {
  graph [charset="UTF-8", rankdir="LR", overlap="false", splines="true", bgcolor="#ffffff"];
  node [shape="box", style="rounded,filled", fontname="sans-serif", fontcolor="#ffffff", penwidth="0"];
  edge [fontname="sans-serif", fontsize="10", color="#9a9ca5", fontcolor="#60646c", arrowsize="0.7"];
"##;

/// The drawing in the DOT language; closed links are dashed.
pub fn dot(drawing: &Drawing) -> String {
    let kinds = palette::kinds(drawing);
    let mut out = String::from(HEAD);
    for (at, node) in drawing.nodes.iter().enumerate() {
        let Colour { light, .. } = palette::colour(&kinds, at, &node.kind);
        let (label, kind) = (quoted(&node.name, NAME), quoted(&node.kind, NAME));
        out += &format!("  \"n{at}\" [label={label}, tooltip={kind}, fillcolor=\"{light}\"];\n");
    }
    for (link, ..) in links(drawing) {
        out += &edge(link);
    }
    out += "}\n";
    out
}

fn edge(link: &Link) -> String {
    let Link { from, to, .. } = link;
    let span = span(link);
    let separator = if span.is_empty() { "" } else { "\n" };
    let label = quoted(&format!("{}{separator}{span}", spoken(&link.relation)), 2 * NAME);
    let tooltip = quoted(&link.content, SENTENCE);
    let closed = if link.until.is_some() { ", style=\"dashed\"" } else { "" };
    format!("  \"n{from}\" -> \"n{to}\" [label={label}, tooltip={tooltip}{closed}];\n")
}

/// `text` as a string of the language, cut to `limit` characters.
fn quoted(text: &str, limit: usize) -> String {
    let mut out = String::from("\"");
    for character in shortened(text, limit).chars() {
        match character {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '&' => out += "&amp;",
            '\n' => out += "\\n",
            '\t' => out.push(' '),
            _ if is_unseen(character) => {}
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn strings() {
        assert_eq!(quoted("a\"b\\", 9), r#""a\"b\\""#);
        assert_eq!(quoted("x\n&lt;\u{0}", 9), r#""x\n&amp;lt;""#);
        assert_eq!(quoted("你好世界", 3), "\"你好…\"");
    }

    #[test]
    fn a_small_one() {
        let out = dot(&samples::small());
        assert!(out.contains("\"n0\" -> \"n1\" [label=\"lives in\\nsince 2026-01-02\""));
        assert!(out.contains("\"n0\" -> \"n2\" [label=\"works at\\nsince 2024-03-01, until 2025-12-31\""));
        assert_eq!(out.matches("style=\"dashed\"").count(), 1);
    }

    #[test]
    fn hostile_text_stays_in_its_string() {
        let drawing = samples::hostile();
        let out = dot(&drawing);
        let head = HEAD.lines().count();
        assert_eq!(out.lines().count(), head + drawing.nodes.len() + drawing.links.len() + 1);
        for line in out.lines().skip(1) {
            let bare = line.replace("\\\\", "").replace("\\\"", "");
            assert_eq!(bare.matches('"').count() % 2, 0, "{line}");
        }
    }
}
