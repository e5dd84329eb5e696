//! The rule against tables of messages, written before it.

use super::*;

/// The messages of a table, each with what is expected of it.
fn cases(table: &str) -> impl Iterator<Item = (&str, String)> {
    let split = |line| str::split_once(line, '\t').expect("expected<TAB>message");
    table.lines().map(split).map(|(expected, message)| (expected, message.replace("\\n", "\n")))
}

/// The messages of a table that are judged otherwise: lost facts, needless requests, other reasons.
fn misses(table: &str) -> [Vec<String>; 3] {
    let mut misses = [const { Vec::new() }; 3];
    for (expected, message) in cases(table) {
        let found = skip(&message).map_or("keep", Skip::name);
        let kind = match (expected, found) {
            _ if expected == found => continue,
            ("keep", _) => 0,
            (_, "keep") => 1,
            _ => 2,
        };
        misses[kind].push(format!("{expected} -> {found}: {message:?}"));
    }
    misses
}

/// No fact is lost, and exactly as many requests as known are needless.
fn assert_misses(table: &str, needless: usize, other: usize) {
    let misses = misses(table);
    assert!(misses[0].is_empty(), "lost: {:#?}", misses[0]);
    assert_eq!([misses[1].len(), misses[2].len()], [needless, other], "{misses:#?}");
}

#[test]
fn chinese() {
    assert_misses(include_str!("../cases/worth.zh.tsv"), 0, 0);
}

#[test]
fn english() {
    assert_misses(include_str!("../cases/worth.en.tsv"), 0, 1);
}

/// Messages that the rules were mended by once.
#[test]
fn seen() {
    assert_misses(include_str!("../cases/worth.seen.tsv"), 5, 0);
}

/// Messages written after the rules, which were not changed by them.
#[test]
fn held_out() {
    let [lost, needless, other] = misses(include_str!("../cases/worth.held.tsv"));
    assert_eq!([lost.len(), needless.len(), other.len()], [0, 2, 0], "{lost:#?} {needless:#?} {other:#?}");
}

/// Pieces of which messages are made that nobody writes.
const PIECES: [&str; 24] = [
    "我",
    "的",
    "i",
    "I'm",
    "my",
    " ",
    "\n",
    "\n\n",
    "```",
    "> ",
    ",",
    "，",
    "?",
    "。",
    ":",
    "\"",
    "“",
    "'",
    "翻译",
    "summarise",
    "é",
    "한",
    "👍",
    "6",
];

#[test]
fn any_input_is_judged() {
    let mut seed = 1_u64;
    for _ in 0..4_000 {
        let mut message = String::new();
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            message.push_str(PIECES[(seed >> 33) as usize % PIECES.len()]);
        }
        let _ = (skip(&message), crate::encode::whom(&message));
    }
}

#[test]
fn long_messages_are_judged() {
    let units = [
        "什么",
        "why is it so? ",
        "a",
        "我",
        "```\n",
        "> a\n",
        "x = f(1);\n",
        "好的",
        "ok ",
        "\"",
        ",",
        "翻译:",
        "\n",
        "my ",
        "对",
    ];
    for unit in units {
        let message = unit.repeat((1 << 17) / unit.len());
        let _ = (skip(&message), crate::encode::whom(&message));
    }
}
