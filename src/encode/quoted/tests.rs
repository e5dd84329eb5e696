//! Cases of quoted text and of instructions.

use super::*;

/// The rows of a table.
fn rows(table: &str) -> Vec<Vec<String>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(|cell| cell.replace("\\n", "\n")).collect()).collect()
}

#[test]
fn quoted_parts() {
    let rows = rows(include_str!("../cases/quoted.tsv"));
    assert!(rows.len() >= 60);
    let wrong: Vec<_> = rows
        .iter()
        .filter(|row| is_quoted(&row[2], &row[1]) != (row[0] == "quoted"))
        .map(|row| format!("{row:?} {:?}", ranges(&row[2])))
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn instructions() {
    let rows = rows(include_str!("../cases/instruction.tsv"));
    let innocent = rows.iter().filter(|row| row[0] == "no").count();
    assert!(rows.len() >= 80 && innocent * 5 >= rows.len() * 2);
    let wrong: Vec<_> = rows.iter().filter(|row| is_instruction(&row[1]) != (row[0] == "yes")).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{wrong:#?}", wrong.len());
}

#[test]
fn ranges_are_in_order_and_on_character_boundaries() {
    for row in rows(include_str!("../cases/quoted.tsv")) {
        let ranges = ranges(&row[2]);
        assert!(ranges.iter().all(|range| range.start < range.end && row[2].get(range.clone()).is_some()));
        assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
    }
}

#[test]
fn odd_texts_do_not_panic() {
    let pieces = [
        "",
        "\0",
        "```",
        "~~~",
        ">",
        "＞",
        "他说：",
        "he said:",
        "：",
        ":",
        "\"",
        "“",
        "”",
        "「",
        "<",
        "</",
        "<a>",
        "</a>",
        "<a",
        "BEGIN",
        "END",
        "-----BEGIN-----",
        "From:",
        "To:",
        "\r\n",
        "\n\n",
        "é",
        "👩‍👩‍👧",
        "\u{fffd}",
        "İ",
        "ß",
        "你",
        "请",
        "以后",
        "from now on",
        "always",
        "remember",
        "忽略",
        "把",
    ];
    for left in pieces {
        for right in pieces {
            for text in [
                format!("{left}{right}"),
                format!("{left} {right}\n{left}"),
                format!("{right}{left}x{right}"),
            ] {
                let _ =
                    (ranges(&text), is_quoted(&text, left), is_quoted(&text, right), is_instruction(&text));
            }
        }
    }
}

#[test]
fn long_texts_are_searched() {
    for piece in [
        "a",
        "> a\n",
        "```",
        "~~~\n",
        "\"",
        "“",
        "<a>",
        "<a",
        "</a>",
        "<a><b></a>",
        "he said: ",
        "他说：",
        ":",
        "BEGIN\n",
        "From: a\n",
        "ignore ",
        "忽略",
        "以后",
        "请",
        "from now on ",
        "please ",
        "you must ",
        ", ",
        "\n",
    ] {
        let text = piece.repeat((1 << 15) / piece.len());
        let _ = (ranges(&text), is_quoted(&text, piece), is_instruction(&text));
    }
}
