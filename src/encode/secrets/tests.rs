//! Cases of secrets, and of what only looks like one.

use super::*;

/// Rows of a table; `{}` is a joint that keeps scanners from taking a row for a leak.
fn rows() -> impl Iterator<Item = (String, String)> {
    let table = include_str!("../cases/secrets.tsv");
    table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (expected, text) = line.split_once('\t').unwrap();
        (expected.replace("\\n", "\n"), text.replace("{}", "").replace("\\n", "\n"))
    })
}

#[test]
fn the_table() {
    let mut wrong = Vec::new();
    for (expected, text) in rows() {
        let found = redacted(&text).unwrap_or("-".into());
        if found != expected {
            wrong.push(format!("{text}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_table_is_large_enough() {
    let innocent = rows().filter(|(expected, _)| expected == "-").count();
    assert!(rows().count() >= 120 && innocent >= 60);
}

#[test]
fn redacting_twice_changes_nothing() {
    for (_, text) in rows() {
        if let Some(once) = redacted(&text) {
            assert_eq!(redacted(&once), None, "{once}");
        }
    }
}

#[test]
fn a_secret_is_found_inside_a_sentence_and_among_zero_width_characters() {
    for (expected, text) in rows().filter(|(expected, text)| expected != "-" && !text.contains("-----BEGIN"))
    {
        let found = redacted(&format!("好的。\n{text}\n谢谢")).unwrap();
        assert_eq!(found, format!("好的。\n{expected}\n谢谢"));
    }
    let split = "key gh\u{200b}p_FAKEfake0123456789\u{feff}FAKEfake01234567!";
    assert_eq!(redacted(split).unwrap(), "key [REDACTED]!");
}

#[test]
fn odd_texts_do_not_panic() {
    let pieces = [
        "",
        "\0",
        "密码",
        "密码：",
        "password",
        "password is",
        "password's",
        "password: \"",
        "pin",
        "://",
        "a://:@",
        "-----BEGIN PRIVATE KEY-----",
        "sk-",
        "eyJ",
        "eyJ.",
        "Bearer ",
        "authorization:",
        "4",
        "4 ",
        "GB82",
        "0x",
        "\u{200b}",
        "é",
        "👩‍👩‍👧",
        "\u{fffd}",
        "“",
        "(",
        "是",
        "seed phrase",
        "助记词：",
        "１",
        "ｓｋ－",
        "\n",
        "is my password",
    ];
    for left in pieces {
        for right in pieces {
            for text in [
                format!("{left}{right}"),
                format!("{left} {right}{left}"),
                format!("{right}\n{left}1{right}"),
            ] {
                let _ = redacted(&text);
            }
        }
    }
}

#[test]
fn long_texts_are_searched() {
    for piece in [
        "a",
        "1",
        "4 ",
        "4-",
        "sk-",
        "eyJ-",
        "eyJ.",
        "://",
        "a://",
        "a:@",
        "-----BEGIN ",
        "bearer ",
        "authorization: ",
        "password ",
        "password: ",
        "密码",
        "密码是",
        "password for ",
        "pin ",
        "\"",
        "password \"",
        "GB82 ",
        "seed phrase ",
        "seed phrase: able ",
        "is my ",
        "1 is my password ",
        "aA1",
        "aaaaaaaaaaaaaaaaaaaaaaaa.",
        "/",
        "(",
        "'s",
        " ",
        "\n",
        "to ",
        "password to ",
        "-----BEGIN PRIVATE KEY-----",
    ] {
        let text = piece.repeat((1 << 15) / piece.len());
        let _ = redacted(&text);
    }
}
