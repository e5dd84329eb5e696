//! Cypher, for Neo4j: a script for `cypher-shell` or the Browser that may be run again and again.
//!
//! One statement a line. Nodes are merged on `(:Entity {key})`, relationships on their ends, type and
//! `memory_id`, so a second run changes nothing, and a later export updates what has changed. What a later
//! export no longer holds is not deleted.
//!
//! The rules, and where they are from:
//! - Strings: openCypher 9, `StringLiteral` and `EscapedChar`; Neo4j Cypher Manual, "Expressions", escape
//!   sequences `\t \b \n \r \f \' \" \\ \uHHHH`.
//! - Names: Neo4j Cypher Manual, "Naming rules and recommendations": any character between back-ticks, a
//!   back-tick is doubled. All names taken from a drawing are quoted, so none can be a reserved word.
//! - Neo4j Cypher Manual, "Parsing": `\uHHHH` counts anywhere in a query of Cypher 5, also between
//!   back-ticks. So no name keeps a backslash, and a `u` after one in a string is itself escaped.
//! - `datetime()`: Neo4j Cypher Manual, "Temporal values"; a time that it would refuse stays a string.

use super::{is_unseen, links, shortened};
use crate::graph::{Drawing, Link, Node};

const CONSTRAINT: &str =
    "CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (e:Entity) REQUIRE e.key IS UNIQUE;\n";

/// Properties of every node, which those of a drawing must not overwrite.
const FIXED: &[&str] = &["key", "name", "kind", "aliases"];

/// Of a name between back-ticks, no more characters than this.
const NAME: usize = 100;

/// Of a key, no more bytes than this: an index takes some 8,000.
const KEY: usize = 1_000;

/// The drawing as a script of statements.
pub fn cypher(drawing: &Drawing) -> String {
    let keys = keys(&drawing.nodes);
    let mut out = String::from(CONSTRAINT);
    for (node, key) in drawing.nodes.iter().zip(&keys) {
        out += &merge_node(node, key);
    }
    for (link, ..) in links(drawing) {
        if let (Some(from), Some(to)) = (keys.get(link.from), keys.get(link.to)) {
            out += &merge_link(link, from, to);
        }
    }
    out
}

/// A key for each node: its name, with a number if an earlier node has it already.
fn keys(nodes: &[Node]) -> Vec<String> {
    let mut taken = std::collections::HashSet::new();
    let mut keys = Vec::new();
    for node in nodes {
        let name = short_key(&node.name);
        let mut key = name.clone();
        let mut number = 2;
        while !taken.insert(key.clone()) {
            key = format!("{name} #{number}");
            number += 1;
        }
        keys.push(key);
    }
    keys
}

/// `name`, or its beginning and a hash of it all if it is too long to be indexed.
fn short_key(name: &str) -> String {
    if name.len() <= KEY {
        return name.to_owned();
    }
    // FNV-1a, which is the same everywhere and always.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{} {hash:016x}", shortened(name, NAME))
}

fn merge_node(node: &Node, key: &str) -> String {
    let aliases: Vec<String> = node.aliases.iter().map(|alias| string(alias)).collect();
    let mut sets = vec![
        format!("e.name = {}", string(&node.name)),
        format!("e.kind = {}", string(&node.kind)),
        format!("e.aliases = [{}]", aliases.join(", ")),
    ];
    for (name, values) in properties(node) {
        let value = match values.as_slice() {
            [value] => value.clone(),
            _ => format!("[{}]", values.join(", ")),
        };
        sets.push(format!("e.{name} = {value}"));
    }
    if !node.kind.trim().is_empty() {
        sets.push(format!("e:{}", name(node.kind.trim())));
    }
    format!("MERGE (e:Entity {{key: {}}}) SET {};\n", string(key), sets.join(", "))
}

/// Quoted names with their quoted values; a name that came up again has several.
fn properties(node: &Node) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (property, value) in &node.properties {
        let prefix = if FIXED.contains(&property.trim()) { "property_" } else { "" };
        let name = name(&format!("{prefix}{}", property.trim()));
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(string(value)),
            None => found.push((name, vec![string(value)])),
        }
    }
    found
}

fn merge_link(link: &Link, from: &str, to: &str) -> String {
    let (from, to, id) = (string(from), string(to), string(&link.memory_id));
    let relation = name(&kind_of(&link.relation));
    let sets = [
        format!("r.relation = {}", string(&link.relation)),
        format!("r.content = {}", string(&link.content)),
        format!("r.since = {}", time(link.since.as_deref())),
        format!("r.until = {}", time(link.until.as_deref())),
    ];
    format!(
        "MATCH (a:Entity {{key: {from}}}) MATCH (b:Entity {{key: {to}}}) \
         MERGE (a)-[r:{relation} {{memory_id: {id}}}]->(b) SET {};\n",
        sets.join(", ")
    )
}

/// A relation as the type of a relationship: `lives in` as `LIVES_IN`.
fn kind_of(relation: &str) -> String {
    let words: Vec<&str> =
        relation.split([' ', '-', '_', '\t', '\n']).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "RELATED_TO".to_owned() } else { words.join("_").to_uppercase() }
}

/// `text` as a name between back-ticks.
fn name(text: &str) -> String {
    let mut out = String::from("`");
    for character in shortened(text, NAME).chars() {
        match character {
            '`' => out += "``",
            '\\' => out.push('_'),
            _ if character.is_whitespace() => out.push(' '),
            _ if is_unseen(character) => out.push('_'),
            _ => out.push(character),
        }
    }
    if out.len() == 1 {
        out.push('_');
    }
    out.push('`');
    out
}

/// `text` as a string.
fn string(text: &str) -> String {
    let mut out = String::from("'");
    let mut after_backslash = false;
    for character in text.chars() {
        match character {
            '\\' => out += "\\\\",
            '\'' => out += "\\'",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            'u' if after_backslash => out += "\\u0075",
            '\u{85}' | '\u{2028}' | '\u{2029}' => out += &escape(character),
            _ if character.is_control() => {}
            _ if is_unseen(character) => out += &escape(character),
            _ => out.push(character),
        }
        after_backslash = character == '\\';
    }
    out.push('\'');
    out
}

fn escape(character: char) -> String {
    format!("\\u{:04x}", u32::from(character))
}

/// A time as a value: `null`, which removes the property, a `datetime`, or the string that it is.
fn time(time: Option<&str>) -> String {
    let Some(time) = time else { return "null".to_owned() };
    let plain = time.trim().to_ascii_uppercase();
    if is_time(&plain) { format!("datetime('{plain}')") } else { string(time) }
}

/// Whether `text` is an RFC 3339 time on a day of the calendar, with nothing that `datetime()` refuses.
fn is_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_once('T') else { return false };
    let Some(at) = rest.find(['Z', '+', '-']) else { return false };
    let (clock, zone) = rest.split_at(at);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let zone_fits = match zone.strip_prefix(['+', '-']) {
        Some(offset) => {
            matches!(numbers(offset, ':', &[2, 2]).as_deref(), Some([0..=17, 0..=59] | [18, 0]))
        }
        None => zone == "Z",
    };
    zone_fits
        && numbers(date, '-', &[4, 2, 2]).is_some_and(|date| is_day(&date))
        && matches!(numbers(clock, ':', &[2, 2, 2]).as_deref(), Some([0..=23, 0..=59, 0..=59]))
        && (1..=9).contains(&fraction.len())
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

/// The numbers in `text`, if it is so many digits each, with `separator` between them.
fn numbers(text: &str, separator: char, widths: &[usize]) -> Option<Vec<u32>> {
    let parts: Vec<&str> = text.split(separator).collect();
    let fits = parts.len() == widths.len()
        && parts
            .iter()
            .zip(widths)
            .all(|(part, width)| part.len() == *width && part.bytes().all(|byte| byte.is_ascii_digit()));
    if !fits {
        return None;
    }
    parts.iter().map(|part| part.parse().ok()).collect()
}

fn is_day(date: &[u32]) -> bool {
    let [year, month, day] = *date else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=12).contains(&month) && (1..=last).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn strings() {
        assert_eq!(string("O'Brien \"x\""), r#"'O\'Brien "x"'"#);
        assert_eq!(string("a\\"), r"'a\\'");
        assert_eq!(string("\\u0027 + u"), r"'\\\u00750027 + u'");
        assert_eq!(string("a\r\n\tb\u{0}\u{202e}\u{2028}"), r"'a\r\n\tb\u202e\u2028'");
        assert_eq!(string("王芳 🐱"), "'王芳 🐱'");
    }

    #[test]
    fn names() {
        assert_eq!(name("a`b"), "`a``b`");
        assert_eq!(name("x\\u0060\n"), "`x_u0060 `");
        assert_eq!(name(""), "`_`");
        assert_eq!(kind_of("lives_in"), "LIVES_IN");
        assert_eq!(kind_of("best-friend  of"), "BEST_FRIEND_OF");
        assert_eq!(kind_of("住在"), "住在");
        assert_eq!(kind_of(" _ "), "RELATED_TO");
    }

    #[test]
    fn times() {
        for good in
            ["2026-01-02T03:04:05Z", "2026-01-02t03:04:05.123456789+08:00", "2024-02-29T00:00:00-18:00"]
        {
            assert!(time(Some(good)).starts_with("datetime('"), "{good}");
        }
        for bad in [
            "2026-02-29T00:00:00Z",
            "2026-01-02",
            "2026-01-02T03:04:05",
            "2026-01-02T03:04:60Z",
            "2026-01-02T03:04:05+19:00",
            "2026-01-02T03:04:05Z') RETURN 1 //",
            "２026-01-02T03:04:05Z",
            "",
        ] {
            assert!(time(Some(bad)).starts_with('\''), "{bad}");
        }
        assert_eq!(time(None), "null");
    }

    #[test]
    fn keys_differ_and_fit_an_index() {
        let node = |name: &str| Node { name: name.to_owned(), ..Node::default() };
        let long = "长".repeat(10_000);
        let nodes = [node("a"), node("a"), node("a #2"), node(""), node(&long), node(&format!("{long}!"))];
        let keys = keys(&nodes);
        let unique: std::collections::HashSet<_> = keys.iter().collect();
        assert_eq!(unique.len(), nodes.len());
        assert!(keys.iter().all(|key| key.len() <= KEY));
        assert_eq!(keys.first().unwrap(), "a");
    }

    #[test]
    fn a_small_one() {
        let out = cypher(&samples::small());
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(
            lines[1],
            "MERGE (e:Entity {key: 'user'}) SET e.name = 'user', e.kind = 'Person', \
             e.aliases = ['我', 'me'], e.`age` = '28', e:`Person`;"
        );
        assert_eq!(
            lines[4],
            "MATCH (a:Entity {key: 'user'}) MATCH (b:Entity {key: 'Chengdu'}) \
             MERGE (a)-[r:`LIVES_IN` {memory_id: 'm1'}]->(b) SET r.relation = 'lives_in', \
             r.content = 'I live in Chengdu.', r.since = datetime('2026-01-02T00:00:00Z'), r.until = null;"
        );
    }

    #[test]
    fn properties_do_not_hide_the_key() {
        let mut drawing = samples::small();
        for value in ["x", "y"] {
            drawing.nodes[0].properties.push(("key".to_owned(), value.to_owned()));
        }
        assert!(cypher(&drawing).contains("e.`property_key` = ['x', 'y']"));
    }

    /// What stays of a line without its strings and quoted names.
    fn skeleton(line: &str) -> String {
        let mut out = String::new();
        let mut quote = None;
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match quote {
                Some('\'') if character == '\\' => drop(characters.next()),
                Some(open) if character == open => quote = None,
                Some(_) => {}
                None if matches!(character, '\'' | '`') => quote = Some(character),
                None => out.push(character),
            }
        }
        assert_eq!(quote, None, "{line}");
        out
    }

    #[test]
    fn hostile_text_stays_in_its_quotes() {
        let drawing = samples::hostile();
        let out = cypher(&drawing);
        assert_eq!(out.lines().count(), 1 + drawing.nodes.len() + drawing.links.len());
        for line in out.lines().skip(1) {
            let bare = skeleton(line);
            assert!(bare.ends_with(';') && bare.matches(';').count() == 1, "{bare}");
            let allowed = |sign: char| sign.is_ascii_alphanumeric() || " (){}[]:;,.=->_".contains(sign);
            assert!(bare.chars().all(allowed), "{bare}");
        }
    }
}
