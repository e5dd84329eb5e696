//! Paths in a message: `@notes.md`, `@"a b.txt"`, `@~/x`.
//!
//! An `@` names a path only at the beginning of a word, so that an e-mail address is none.

/// Marks that end a path that is not quoted.
const ENDS: [char; 13] = ['，', '。', '；', '：', '？', '！', '、', '（', '）', '“', '”', '》', '《'];
/// Marks that may end a sentence behind a path.
const TRAILING: [char; 9] = ['.', ',', ';', ':', '?', '!', ')', ']', '\''];

/// The paths that `text` names, each once, in order. Each comes with what is left of it when the marks that may
/// belong to the sentence are taken from its end.
pub fn mentions(text: &str) -> Vec<(String, String)> {
    let mut paths: Vec<(String, String)> = Vec::new();
    let mut before: Option<char> = None;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let behind = rest.strip_prefix(letter).unwrap_or_default();
        let begins = before.is_none_or(|before| !is_word(before));
        before = Some(letter);
        rest = behind;
        if letter != '@' || !begins {
            continue;
        }
        let (path, exact) = match behind.strip_prefix('"') {
            Some(quoted) => match quoted.split_once('"') {
                Some((path, _)) if !path.contains('\n') => (path.to_owned(), true),
                _ => continue,
            },
            None => {
                let ends = |letter: char| letter.is_whitespace() || ENDS.contains(&letter);
                (behind.split(ends).next().unwrap_or_default().to_owned(), false)
            }
        };
        let bare = if exact { path.as_str() } else { path.trim_end_matches(TRAILING) };
        if !bare.is_empty() && paths.iter().all(|(known, _)| *known != path) {
            paths.push((path.clone(), bare.to_owned()));
        }
    }
    paths
}

/// Whether a name before an `@` goes on there.
fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-' | '+' | '@' | '/')
}

/// Whether words that name no file look as if they should.
pub fn looks_like_a_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    path.contains('/') || path.contains('\\') || has_ending
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_other_words() {
        for (text, expected) in [
            ("看看@报告.md，谢谢", vec!["报告.md"]),
            ("compare @a/b.rs and @\"c d.txt\".", vec!["a/b.rs", "c d.txt"]),
            ("read @notes.md.", vec!["notes.md"]),
            ("(see @x.txt)", vec!["x.txt"]),
            ("mail me@example.com or a.b@c.d", vec![]),
            ("hi @alice!", vec!["alice"]),
            ("@", vec![]),
            ("@ x @\"open", vec![]),
            ("@~/a @~/a", vec!["~/a"]),
            ("@a.b\n@c", vec!["a.b", "c"]),
        ] {
            let found: Vec<String> = mentions(text).into_iter().map(|(_, bare)| bare).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn names_of_people_are_no_paths() {
        for (path, expected) in [
            ("alice", false),
            ("notes.md", true),
            ("src/x", true),
            ("v2.", false),
            ("张三", false),
            (".x", false),
        ] {
            assert_eq!(looks_like_a_path(path), expected, "{path}");
        }
    }
}
