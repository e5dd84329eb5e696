//! Colours by kind, the same in every picture of one drawing.
//!
//! The user has a colour that no kind has. Kinds take the others by how often they come up, so that the
//! frequent ones differ most; kinds past the table, and nodes without a kind, are grey.

use crate::graph::Drawing;

/// A colour for light and one for dark surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour {
    pub(super) light: &'static str,
    pub(super) dark: &'static str,
}

/// The colour of node 0.
pub(super) const USER: Colour = Colour { light: "#e5484d", dark: "#ff6369" };

/// The colour of what has no kind, or a rare one.
pub(super) const OTHER: Colour = Colour { light: "#8b8d98", dark: "#7d808c" };

/// Colours of kinds, the most frequent first.
const KINDS: &[Colour] = &[
    Colour { light: "#3b7dd8", dark: "#5b9cf5" },
    Colour { light: "#12a594", dark: "#2bc4b0" },
    Colour { light: "#e2850c", dark: "#f2a33c" },
    Colour { light: "#8e4ec6", dark: "#b07be0" },
    Colour { light: "#5d9a2f", dark: "#86c255" },
    Colour { light: "#d6409f", dark: "#f06bbd" },
    Colour { light: "#0b8fb8", dark: "#3dbbe0" },
    Colour { light: "#a4703c", dark: "#cb9a68" },
    Colour { light: "#5b5bd6", dark: "#8080f0" },
    Colour { light: "#b39b00", dark: "#d8c33a" },
];

/// The kinds of all nodes but the user, frequent ones first, each with its colour.
pub(super) fn kinds(drawing: &Drawing) -> Vec<(String, Colour)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for node in drawing.nodes.iter().skip(1) {
        let kind = folded(&node.kind);
        if kind.is_empty() {
            continue;
        }
        match counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let colours = KINDS.iter().copied().chain(std::iter::repeat(OTHER));
    counts.into_iter().map(|(kind, _)| kind).zip(colours).collect()
}

/// The colour of a node, given what [`kinds`] found.
pub(super) fn colour(kinds: &[(String, Colour)], at: usize, kind: &str) -> Colour {
    if at == 0 {
        return USER;
    }
    let kind = folded(kind);
    kinds.iter().find(|(known, _)| *known == kind).map_or(OTHER, |(_, colour)| *colour)
}

/// A kind as kinds are compared.
pub(super) fn folded(kind: &str) -> String {
    super::one_line(kind).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Node;

    #[test]
    fn frequent_kinds_come_first_and_case_does_not_matter() {
        let node = |kind: &str| Node { kind: kind.to_owned(), ..Node::default() };
        let nodes = vec![node("Person"), node("City"), node("person"), node("Person"), node("")];
        let kinds = kinds(&Drawing { nodes, links: Vec::new() });
        let names: Vec<_> = kinds.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(names, ["person", "city"]);
        assert_eq!(colour(&kinds, 0, "Person"), USER);
        assert_eq!(colour(&kinds, 2, " PERSON"), KINDS[0]);
        assert_eq!(colour(&kinds, 4, ""), OTHER);
    }

    #[test]
    fn many_kinds_are_grey_at_last() {
        let nodes = (0..30).map(|at| Node { kind: format!("k{at}"), ..Node::default() }).collect();
        let kinds = kinds(&Drawing { nodes, links: Vec::new() });
        assert_eq!(kinds.len(), 29);
        assert_eq!(kinds[10].1, OTHER);
    }
}
