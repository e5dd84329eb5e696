//! How many columns of a terminal a text takes, and cutting it to so many.
//!
//! Wide characters take two: Unicode's `East_Asian_Width` W and F, which holds most emoji. Joined emoji
//! count as the sum of their parts, as terminals that do not join them show them: a line may so be cut
//! sooner than it had to be, and never too late. Characters of ambiguous width take one.

/// First and last of the wide characters (Unicode 15; gaps that hold no character are left in).
const WIDE: &[(char, char)] = &[
    ('\u{1100}', '\u{115f}'),
    ('\u{231a}', '\u{231b}'),
    ('\u{2329}', '\u{232a}'),
    ('\u{23e9}', '\u{23ec}'),
    ('\u{23f0}', '\u{23f0}'),
    ('\u{23f3}', '\u{23f3}'),
    ('\u{25fd}', '\u{25fe}'),
    ('\u{2614}', '\u{2615}'),
    ('\u{2648}', '\u{2653}'),
    ('\u{267f}', '\u{267f}'),
    ('\u{2693}', '\u{2693}'),
    ('\u{26a1}', '\u{26a1}'),
    ('\u{26aa}', '\u{26ab}'),
    ('\u{26bd}', '\u{26be}'),
    ('\u{26c4}', '\u{26c5}'),
    ('\u{26ce}', '\u{26ce}'),
    ('\u{26d4}', '\u{26d4}'),
    ('\u{26ea}', '\u{26ea}'),
    ('\u{26f2}', '\u{26f3}'),
    ('\u{26f5}', '\u{26f5}'),
    ('\u{26fa}', '\u{26fa}'),
    ('\u{26fd}', '\u{26fd}'),
    ('\u{2705}', '\u{2705}'),
    ('\u{270a}', '\u{270b}'),
    ('\u{2728}', '\u{2728}'),
    ('\u{274c}', '\u{274c}'),
    ('\u{274e}', '\u{274e}'),
    ('\u{2753}', '\u{2755}'),
    ('\u{2757}', '\u{2757}'),
    ('\u{2795}', '\u{2797}'),
    ('\u{27b0}', '\u{27b0}'),
    ('\u{27bf}', '\u{27bf}'),
    ('\u{2b1b}', '\u{2b1c}'),
    ('\u{2b50}', '\u{2b50}'),
    ('\u{2b55}', '\u{2b55}'),
    ('\u{2e80}', '\u{303e}'),
    ('\u{3041}', '\u{3247}'),
    ('\u{3250}', '\u{4dbf}'),
    ('\u{4e00}', '\u{a4c6}'),
    ('\u{a960}', '\u{a97c}'),
    ('\u{ac00}', '\u{d7a3}'),
    ('\u{f900}', '\u{fad9}'),
    ('\u{fe10}', '\u{fe19}'),
    ('\u{fe30}', '\u{fe6b}'),
    ('\u{ff01}', '\u{ff60}'),
    ('\u{ffe0}', '\u{ffe6}'),
    ('\u{16fe0}', '\u{1b2fb}'),
    ('\u{1f004}', '\u{1f004}'),
    ('\u{1f0cf}', '\u{1f0cf}'),
    ('\u{1f18e}', '\u{1f18e}'),
    ('\u{1f191}', '\u{1f19a}'),
    ('\u{1f200}', '\u{1f320}'),
    ('\u{1f32d}', '\u{1f335}'),
    ('\u{1f337}', '\u{1f37c}'),
    ('\u{1f37e}', '\u{1f393}'),
    ('\u{1f3a0}', '\u{1f3ca}'),
    ('\u{1f3cf}', '\u{1f3d3}'),
    ('\u{1f3e0}', '\u{1f3f0}'),
    ('\u{1f3f4}', '\u{1f3f4}'),
    ('\u{1f3f8}', '\u{1f43e}'),
    ('\u{1f440}', '\u{1f440}'),
    ('\u{1f442}', '\u{1f4fc}'),
    ('\u{1f4ff}', '\u{1f53d}'),
    ('\u{1f54b}', '\u{1f54e}'),
    ('\u{1f550}', '\u{1f567}'),
    ('\u{1f57a}', '\u{1f57a}'),
    ('\u{1f595}', '\u{1f596}'),
    ('\u{1f5a4}', '\u{1f5a4}'),
    ('\u{1f5fb}', '\u{1f64f}'),
    ('\u{1f680}', '\u{1f6c5}'),
    ('\u{1f6cc}', '\u{1f6cc}'),
    ('\u{1f6d0}', '\u{1f6d2}'),
    ('\u{1f6d5}', '\u{1f6df}'),
    ('\u{1f6eb}', '\u{1f6ec}'),
    ('\u{1f6f4}', '\u{1f6fc}'),
    ('\u{1f7e0}', '\u{1f7f0}'),
    ('\u{1f90c}', '\u{1f93a}'),
    ('\u{1f93c}', '\u{1f945}'),
    ('\u{1f947}', '\u{1f9ff}'),
    ('\u{1fa70}', '\u{1faf6}'),
    ('\u{20000}', '\u{3fffd}'),
];

/// First and last of the characters that take no column: marks on the one before.
const NONE: &[(char, char)] = &[
    ('\u{300}', '\u{36f}'),
    ('\u{483}', '\u{489}'),
    ('\u{591}', '\u{5bd}'),
    ('\u{610}', '\u{61a}'),
    ('\u{64b}', '\u{65f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{20d0}', '\u{20ff}'),
    ('\u{fe20}', '\u{fe2f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{e0001}', '\u{e007f}'),
    ('\u{e0100}', '\u{e01ef}'),
];

/// The columns of a character.
fn of(character: char) -> usize {
    let within = |table: &[(char, char)]| {
        let at = table.partition_point(|(_, last)| *last < character);
        table.get(at).is_some_and(|(first, _)| *first <= character)
    };
    if within(NONE) {
        return 0;
    }
    1 + usize::from(within(WIDE))
}

/// The columns of `text`, which holds no control characters.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(of).sum()
}

/// `text` in at most `limit` columns; `…` stands for what was cut.
pub(super) fn cut(text: &str, limit: usize) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut left = limit;
    for character in text.chars() {
        let columns = of(character);
        if columns + 1 > left {
            break;
        }
        left -= columns;
        out.push(character);
    }
    out.truncate(out.trim_end().len());
    if left > 0 {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        for (text, columns) in [
            ("", 0),
            ("abc", 3),
            ("你好", 4),
            ("，。", 4),
            ("🐱", 2),
            ("e\u{301}", 1),
            ("한글", 4),
            ("├─ →", 4),
        ] {
            assert_eq!(width(text), columns, "{text}");
        }
    }

    #[test]
    fn cuts() {
        assert_eq!(cut("你好世界", 8), "你好世界");
        assert_eq!(cut("你好世界", 7), "你好世…");
        assert_eq!(cut("你好世界", 6), "你好…");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("你好", 1), "…");
        for limit in 0..30 {
            assert!(width(&cut("a你b好🐱c世d界é\u{301}x👩‍👩‍👧", limit)) <= limit);
        }
    }

    #[test]
    fn tables_are_in_order() {
        for table in [WIDE, NONE] {
            assert!(table.iter().all(|(first, last)| first <= last));
            assert!(table.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }
}
