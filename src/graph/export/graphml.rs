//! GraphML, for Gephi, yEd, Cytoscape, networkx and other readers.
//!
//! Well-formed XML 1.0 (<https://www.w3.org/TR/xml/#charsets>): what its `Char` does not have is dropped,
//! and a carriage return is written as a reference, as it would else be read as a line feed. GraphML has
//! no lists, so aliases are one a line. Each name of a property is a key of its own, prefixed with
//! `property.` where one of the fixed keys has the name; values of a repeated name are one a line.

use super::links;
use crate::graph::{Drawing, Link, Node};

const HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"",
    " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
    " xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns",
    " http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n",
);

/// The keys that are always declared, each with what it is for.
const KEYS: &[(&str, &str)] = &[
    ("name", "node"),
    ("kind", "node"),
    ("aliases", "node"),
    ("relation", "edge"),
    ("since", "edge"),
    ("until", "edge"),
    ("content", "edge"),
    ("memory_id", "edge"),
];

/// The drawing as GraphML.
pub fn graphml(drawing: &Drawing) -> String {
    let properties = property_names(drawing);
    let mut out = String::from(HEAD);
    for (name, of) in KEYS {
        out += &key(name, of, name);
    }
    for (at, name) in properties.iter().enumerate() {
        let taken = KEYS.iter().any(|(key, of)| key == name && *of == "node");
        let prefix = if taken { "property." } else { "" };
        out += &key(&format!("p{at}"), "node", &format!("{prefix}{name}"));
    }
    out += "  <graph id=\"memory\" edgedefault=\"directed\">\n";
    for (at, one) in drawing.nodes.iter().enumerate() {
        out += &node(at, one, &properties);
    }
    for (at, (link, ..)) in links(drawing).enumerate() {
        out += &edge(at, link);
    }
    out += "  </graph>\n</graphml>\n";
    out
}

/// The names of all properties, each once.
fn property_names(drawing: &Drawing) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in drawing.nodes.iter().flat_map(|node| &node.properties) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn key(id: &str, of: &str, name: &str) -> String {
    format!("  <key id=\"{id}\" for=\"{of}\" attr.name=\"{}\" attr.type=\"string\"/>\n", escaped(name, true))
}

fn node(at: usize, node: &Node, properties: &[&str]) -> String {
    let aliases: Vec<String> = node.aliases.iter().map(|alias| alias.replace('\n', " ")).collect();
    let mut out = format!("    <node id=\"n{at}\">\n");
    out += &data("name", &node.name);
    out += &data("kind", &node.kind);
    out += &data("aliases", &aliases.join("\n"));
    for (at, name) in properties.iter().enumerate() {
        let values = node.properties.iter().filter(|(known, _)| known == name);
        let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
        out += &data(&format!("p{at}"), &values.join("\n"));
    }
    out += "    </node>\n";
    out
}

fn edge(at: usize, link: &Link) -> String {
    let Link { from, to, .. } = link;
    let mut out = format!("    <edge id=\"e{at}\" source=\"n{from}\" target=\"n{to}\">\n");
    out += &data("relation", &link.relation);
    out += &data("since", link.since.as_deref().unwrap_or_default());
    out += &data("until", link.until.as_deref().unwrap_or_default());
    out += &data("content", &link.content);
    out += &data("memory_id", &link.memory_id);
    out += "    </edge>\n";
    out
}

/// A value, or nothing if it is empty.
fn data(key: &str, value: &str) -> String {
    if value.is_empty() {
        return String::new();
    }
    format!("      <data key=\"{key}\">{}</data>\n", escaped(value, false))
}

/// `text` as XML text, or as the value of an attribute, where line breaks would be read as spaces.
fn escaped(text: &str, is_attribute: bool) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\r' => out += "&#13;",
            '\n' | '\t' if is_attribute => out += &format!("&#{};", u32::from(character)),
            '\n' | '\t' => out.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn text() {
        assert_eq!(escaped("a<b>&\"c]]>", false), "a&lt;b&gt;&amp;&quot;c]]&gt;");
        assert_eq!(escaped("\u{0}\u{1b}\u{ffff}\r\n你好😀", false), "&#13;\n你好😀");
        assert_eq!(escaped("a\nb", true), "a&#10;b");
    }

    #[test]
    fn a_small_one() {
        let out = graphml(&samples::small());
        assert!(out.contains("<edge id=\"e0\" source=\"n0\" target=\"n1\">\n"));
        assert!(out.contains("<data key=\"relation\">lives_in</data>"));
        assert!(out.contains("<key id=\"p0\" for=\"node\" attr.name=\"age\" attr.type=\"string\"/>"));
        assert!(out.contains("<data key=\"p0\">28</data>"));
        assert_eq!(out.matches("<data key=\"until\">").count(), 1);
    }

    #[test]
    fn properties_do_not_hide_the_name() {
        let mut drawing = samples::small();
        for value in ["x", "y"] {
            drawing.nodes[0].properties.push(("name".to_owned(), value.to_owned()));
        }
        let out = graphml(&drawing);
        assert!(out.contains("attr.name=\"property.name\""));
        assert!(out.contains(">x\ny</data>"));
    }

    #[test]
    fn hostile_text_makes_no_element() {
        let drawing = samples::hostile();
        let out = graphml(&drawing);
        assert_eq!(out.matches("<node ").count(), drawing.nodes.len());
        assert_eq!(out.matches("<edge ").count(), drawing.links.len());
        assert!(!out.contains("</script>"));
        assert!(!out.contains("]]>"));
    }
}
