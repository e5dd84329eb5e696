//! JSON, for scripts and for the page in a browser.
//!
//! Nothing is lost or changed but links to nowhere, which are left out. Properties are a list, since a
//! name may come up again. `id` of a node is what `from` and `to` of links count.

use serde_json::{Map, Value, json};

use super::links;
use crate::graph::{Drawing, Link, Node};

/// The drawing as `{"nodes": […], "links": […]}`, indented.
pub fn json(drawing: &Drawing) -> String {
    // The alternate form of a value is the indented one.
    format!("{:#}\n", Value::Object(parts(drawing)))
}

/// What is in the object: nodes and links.
pub(super) fn parts(drawing: &Drawing) -> Map<String, Value> {
    let nodes: Vec<Value> = drawing.nodes.iter().enumerate().map(|(at, one)| node(at, one)).collect();
    let links: Vec<Value> = links(drawing).map(|(one, ..)| link(one)).collect();
    Map::from_iter([("nodes".to_owned(), nodes.into()), ("links".to_owned(), links.into())])
}

fn node(at: usize, node: &Node) -> Value {
    let property = |(name, value): &(String, String)| json!({ "name": name, "value": value });
    json!({
        "id": at,
        "name": node.name,
        "kind": node.kind,
        "aliases": node.aliases,
        "properties": node.properties.iter().map(property).collect::<Vec<_>>(),
    })
}

fn link(link: &Link) -> Value {
    json!({
        "from": link.from,
        "to": link.to,
        "relation": link.relation,
        "since": link.since,
        "until": link.until,
        "memory_id": link.memory_id,
        "content": link.content,
    })
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn everything_comes_back() {
        for drawing in [samples::small(), samples::hostile()] {
            let read: Value = serde_json::from_str(&json(&drawing)).unwrap();
            for (node, one) in read["nodes"].as_array().unwrap().iter().zip(&drawing.nodes) {
                assert_eq!(node["name"], one.name);
                assert_eq!(node["properties"].as_array().unwrap().len(), one.properties.len());
            }
            for (link, one) in read["links"].as_array().unwrap().iter().zip(&drawing.links) {
                assert_eq!(link["content"], one.content);
                assert_eq!(link["until"].as_str(), one.until.as_deref());
            }
        }
    }
}
