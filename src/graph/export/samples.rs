//! Drawings for tests: a small one, one of hostile texts.

use crate::graph::{Drawing, Link, Node};

fn node(name: &str, kind: &str) -> Node {
    Node { name: name.to_owned(), kind: kind.to_owned(), ..Node::default() }
}

/// A user, a city, a former employer.
pub(super) fn small() -> Drawing {
    let mut user = node("user", "Person");
    user.aliases = vec!["我".to_owned(), "me".to_owned()];
    user.properties = vec![("age".to_owned(), "28".to_owned())];
    let lives = Link {
        from: 0,
        to: 1,
        relation: "lives_in".to_owned(),
        since: Some("2026-01-02T00:00:00Z".to_owned()),
        until: None,
        memory_id: "m1".to_owned(),
        content: "I live in Chengdu.".to_owned(),
    };
    let worked = Link {
        from: 0,
        to: 2,
        relation: "works_at".to_owned(),
        since: Some("2024-03-01T09:00:00+08:00".to_owned()),
        until: Some("2025-12-31T18:00:00+08:00".to_owned()),
        memory_id: "m2".to_owned(),
        content: "我以前在华为工作。".to_owned(),
    };
    Drawing {
        nodes: vec![user, node("Chengdu", "City"), node("华为", "Company")],
        links: vec![lives, worked],
    }
}

/// Texts that would break out of one format or another.
pub(super) const HOSTILE: &[&str] = &[
    "",
    " ",
    "O'Brien",
    "say \"hi\"",
    "C:\\new\\",
    "\\u0027 \\u0060 \\\\u0027",
    "`tick` ``two`",
    "line\nbreak\r\ncarriage\u{2028}separator\u{85}next",
    "</script><script>alert(1)</script>",
    "<!-- --> ]]> &lt; &#60; <b>bold</b> <img src=x onerror=alert(1)>",
    "-->|x| n0; %% comment",
    "end",
    "1. list",
    "# head * star * _under_ ~ $1 @@data@@ #quot;",
    "x'}) DETACH DELETE e; //",
    "x` {a: 1}]->() DELETE n; `",
    "tab\tnull\u{0}escape\u{1b}[31m bell\u{7} \u{fffe}\u{ffff}",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🐱",
    "مرحبا بالعالم",
    "over\u{202e}ride \u{2066}isolate\u{2069}",
    "王芳「成都」；＃",
    "{\"json\": [1, 2]}",
    "${1 + 1} {{x}} %s",
];

/// Every hostile text in every place where a text can be.
pub(super) fn hostile() -> Drawing {
    let mut texts: Vec<String> = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
    texts.push("长句子 ".repeat(2_500));
    let nodes = texts.iter().map(|text| Node {
        name: text.clone(),
        kind: text.clone(),
        aliases: vec![text.clone(), String::new()],
        properties: vec![(text.clone(), text.clone()), ("name".to_owned(), text.clone())],
    });
    let links = texts.iter().enumerate().map(|(at, text)| Link {
        from: at,
        to: (at * 7 + 1) % texts.len(),
        relation: text.clone(),
        since: Some(text.clone()),
        until: (at % 2 == 0).then(|| text.clone()),
        memory_id: text.clone(),
        content: text.clone(),
    });
    Drawing { nodes: nodes.collect(), links: links.collect() }
}
