//! The relations around one thing, as a tree of lines for a terminal.
//!
//! Every link is shown once. A thing is unfolded where the fewest steps lead to it; wherever else it comes
//! up it is followed by `…`, so circles end. Outward relations come before inward ones, closed ones last.
//! Names are on one line, without control characters, and no line is wider than asked. No colours.

use std::collections::{HashSet, VecDeque};

use super::{columns, links, one_line, span};
use crate::graph::{Drawing, Link, Node};

/// Deeper than a terminal is wide.
const DEEPEST: usize = 64;

/// A link as seen from one of its ends.
#[derive(Debug, Clone, Copy)]
struct Branch {
    link: usize,
    other: usize,
    is_inward: bool,
    is_closed: bool,
}

/// The tree around node `root`: `depth` steps far, each line in at most `width` columns.
///
/// There are no lines if there is no such node.
pub fn tree(drawing: &Drawing, root: usize, depth: usize, width: usize) -> Vec<String> {
    let Some(node) = drawing.nodes.get(root) else { return Vec::new() };
    let branches = branches(drawing);
    let unfolding = unfolding(&branches, root);
    let links = links(drawing).collect();
    let mut growth = Growth { links, branches, unfolding, shown: HashSet::new(), lines: Vec::new() };
    growth.lines.push(shown_name(&node.name));
    growth.grow(root, "", depth.min(DEEPEST));
    growth.lines.iter().map(|line| columns::cut(line, width)).collect()
}

/// For each node its branches, in the order in which they are shown.
fn branches(drawing: &Drawing) -> Vec<Vec<Branch>> {
    let mut branches = vec![Vec::new(); drawing.nodes.len()];
    let mut add = |from: usize, branch: Branch| {
        if let Some(list) = branches.get_mut(from) {
            list.push(branch);
        }
    };
    for (at, (link, ..)) in links(drawing).enumerate() {
        let is_closed = link.until.is_some();
        add(link.from, Branch { link: at, other: link.to, is_inward: false, is_closed });
        add(link.to, Branch { link: at, other: link.from, is_inward: true, is_closed });
    }
    for list in &mut branches {
        list.sort_by_key(|branch| (branch.is_closed, branch.is_inward, branch.link));
    }
    branches
}

/// For each node the link below which it is unfolded: the first to reach it in the fewest steps.
fn unfolding(branches: &[Vec<Branch>], root: usize) -> Vec<Option<usize>> {
    let mut found = vec![None; branches.len()];
    let mut queue = VecDeque::from([root]);
    while let Some(at) = queue.pop_front() {
        for branch in branches.get(at).into_iter().flatten() {
            if branch.other == root {
                continue;
            }
            if let Some(slot @ None) = found.get_mut(branch.other) {
                *slot = Some(branch.link);
                queue.push_back(branch.other);
            }
        }
    }
    found
}

/// A tree in the making.
struct Growth<'a> {
    links: Vec<(&'a Link, &'a Node, &'a Node)>,
    branches: Vec<Vec<Branch>>,
    unfolding: Vec<Option<usize>>,
    shown: HashSet<usize>,
    lines: Vec<String>,
}

impl Growth<'_> {
    /// Adds the lines below node `at`.
    fn grow(&mut self, at: usize, prefix: &str, depth: usize) {
        if depth == 0 {
            return;
        }
        let mut fresh = self.branches.get(at).cloned().unwrap_or_default();
        // A link from a node to itself is there twice.
        fresh.retain(|branch| self.shown.insert(branch.link));
        let count = fresh.len();
        for (number, branch) in fresh.into_iter().enumerate() {
            let (fork, below) = if number + 1 == count { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let unfolds = self.unfolding.get(branch.other).is_some_and(|link| *link == Some(branch.link));
            if let Some(text) = self.text(branch, unfolds) {
                self.lines.push(format!("{prefix}{fork}{text}"));
            }
            if unfolds {
                self.grow(branch.other, &format!("{prefix}{below}"), depth - 1);
            }
        }
    }

    /// `lives_in → Chengdu (since 2026-01-02)`.
    fn text(&self, branch: Branch, unfolds: bool) -> Option<String> {
        let (link, from, to) = self.links.get(branch.link)?;
        let relation = one_line(&link.relation);
        let (arrow, other) = if branch.is_inward { ("←", from) } else { ("→", to) };
        let name = shown_name(&other.name);
        let span = span(link);
        let when = if span.is_empty() { String::new() } else { format!(" ({span})") };
        let more = if unfolds { "" } else { " …" };
        Some(format!("{relation} {arrow} {name}{when}{more}").trim_start().to_owned())
    }
}

fn shown_name(name: &str) -> String {
    let name = one_line(name);
    if name.is_empty() { "?".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    /// A drawing of links such as `a knows b`; the first name is node 0.
    fn drawing(links: &[&str]) -> Drawing {
        let mut drawing = Drawing::default();
        for link in links {
            let [from, relation, to] = link.split(' ').collect::<Vec<_>>()[..] else { panic!("{link}") };
            let mut place = |name: &str| {
                let at = drawing.nodes.iter().position(|node| node.name == name);
                at.unwrap_or_else(|| {
                    drawing.nodes.push(Node { name: name.to_owned(), ..Node::default() });
                    drawing.nodes.len() - 1
                })
            };
            let (from, to) = (place(from), place(to));
            drawing.links.push(Link { from, to, relation: relation.to_owned(), ..Link::default() });
        }
        drawing
    }

    #[test]
    fn dates_and_closed_links() {
        assert_eq!(
            tree(&samples::small(), 0, 3, 80),
            [
                "user",
                "├─ lives_in → Chengdu (since 2026-01-02)",
                "└─ works_at → 华为 (since 2024-03-01, until 2025-12-31)",
            ]
        );
    }

    #[test]
    fn directions_depth_and_circles() {
        let drawing =
            drawing(&["me knows bob", "bob knows ann", "ann manages me", "ann likes ann", "bob has cat"]);
        assert_eq!(
            tree(&drawing, 0, 9, 80),
            [
                "me",
                "├─ knows → bob",
                "│  ├─ knows → ann …",
                "│  └─ has → cat",
                "└─ manages ← ann",
                "   └─ likes → ann …",
            ]
        );
        assert_eq!(tree(&drawing, 0, 1, 80), ["me", "├─ knows → bob", "└─ manages ← ann"]);
        assert_eq!(tree(&drawing, 0, 0, 80), ["me"]);
        assert_eq!(tree(&drawing, 99, 1, 80), [""; 0]);
    }

    #[test]
    fn two_links_between_two_things() {
        let drawing = drawing(&["me knows bob", "bob likes me"]);
        assert_eq!(tree(&drawing, 0, 9, 80), ["me", "├─ knows → bob", "└─ likes ← bob …"]);
    }

    #[test]
    fn lines_are_cut() {
        assert_eq!(tree(&samples::small(), 0, 3, 20)[2], "└─ works_at → 华为…");
    }

    #[test]
    fn hostile_names_stay_on_their_lines() {
        let drawing = samples::hostile();
        for root in 0..drawing.nodes.len() {
            for line in tree(&drawing, root, usize::MAX, 60) {
                assert!(columns::width(&line) <= 60, "{line}");
                assert!(
                    !line.contains(char::is_control) && !line.contains(['\u{202e}', '\u{2066}']),
                    "{line}"
                );
            }
        }
    }

    #[test]
    fn long_chains_end() {
        let names: Vec<String> = (0..2_000).map(|at| format!("n{at} next n{}", at + 1)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(tree(&drawing(&names), 0, usize::MAX, 80).len(), DEEPEST + 1);
    }
}
