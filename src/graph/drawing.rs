//! A part of the graph as it is drawn: nodes and links by number, without what it was built from.

use chrono::{DateTime, FixedOffset};

use super::{Edge, Graph, USER};

/// A person or a thing, and its values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    pub name: String,
    /// Free text; may be empty.
    pub kind: String,
    pub aliases: Vec<String>,
    /// Such as `age` and `28`.
    pub properties: Vec<(String, String)>,
}

/// A relation, with the sentence it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub relation: String,
    /// RFC 3339 times.
    pub since: Option<String>,
    pub until: Option<String>,
    pub memory_id: String,
    pub content: String,
}

/// What is drawn. The first node is the user, or what was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawing {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
}

impl Graph {
    /// The whole graph with its past.
    pub fn drawing(&self) -> Drawing {
        self.draw(USER, self.edges().iter())
    }

    /// What is around `root` at `time`, so many steps far.
    pub fn drawing_around(&self, root: usize, depth: usize, time: DateTime<FixedOffset>) -> Drawing {
        self.draw(root, self.neighbourhood(root, depth, time).into_iter())
    }

    fn draw<'a>(&self, root: usize, edges: impl Iterator<Item = &'a Edge>) -> Drawing {
        let mut drawing = Drawing::default();
        let mut numbers = std::collections::HashMap::new();
        let mut number = |entity: usize, nodes: &mut Vec<Node>| {
            *numbers.entry(entity).or_insert_with(|| {
                let entity = &self.entities()[entity];
                nodes.push(Node {
                    name: entity.name.clone(),
                    kind: entity.kind.clone(),
                    aliases: entity.aliases.clone(),
                    properties: Vec::new(),
                });
                nodes.len() - 1
            })
        };
        number(root, &mut drawing.nodes);
        for edge in edges {
            let from = number(edge.from, &mut drawing.nodes);
            let value = &self.entities()[edge.to];
            // A value that holds no more is a link, so that its past is told.
            if value.is_value && edge.until.is_none() {
                drawing.nodes[from].properties.push((edge.relation.clone(), value.name.clone()));
                continue;
            }
            let to = number(edge.to, &mut drawing.nodes);
            let memory = self.memory(edge);
            drawing.links.push(Link {
                from,
                to,
                relation: edge.relation.clone(),
                since: edge.since.map(|time| time.to_rfc3339()),
                until: edge.until.map(|time| time.to_rfc3339()),
                memory_id: memory.memory_id.clone(),
                content: memory.content.clone(),
            });
        }
        drawing
    }
}
