//! The house rules that a compiler does not check.

use std::fs;
use std::path::{Path, PathBuf};

/// A name may import only names on earlier lines.
const LAYERS: &[&[&str]] = &[
    &["message", "memory", "sse", "quirks", "text", "dates", "fold"],
    &["files", "relation"],
    &["wire", "search", "prompt", "endpoint", "render"],
    &["embed", "encode", "graph", "thread"],
    &["chat", "store"],
    &["recall"],
    &["tools"],
    &["agent", "config"],
    &["cli"],
    &["lib"],
    &["main"],
];

/// Lines of production code after which a file becomes a folder of the same name.
const FILE_LIMIT: usize = 500;
const MAIN_LIMIT: usize = 40;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The top-level name a source file belongs to.
fn name_of(path: &Path) -> String {
    let relative = path.strip_prefix(src()).unwrap();
    relative.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The production part of a file.
fn production(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap()
}

fn layer_of(name: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.contains(&name))
        .unwrap_or_else(|| panic!("{name} has no place in the layers of tests/it/tidy.rs"))
}

/// The names that `text` takes from the crate's root.
fn imports(text: &str) -> Vec<&str> {
    let parts = text.split("crate::").skip(1);
    parts.map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()).collect()
}

#[test]
fn no_name_imports_upwards() {
    let mut wrong = Vec::new();
    for path in sources(&src()) {
        let name = name_of(&path);
        let text = fs::read_to_string(&path).unwrap();
        for import in imports(&text).into_iter().filter(|import| *import != name) {
            if layer_of(import) >= layer_of(&name) {
                wrong.push(format!("{}: {name} imports {import}", path.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut wrong = Vec::new();
    for path in sources(&src()) {
        let text = fs::read_to_string(&path).unwrap();
        let lines = production(&text).lines().count();
        let limit = if path.ends_with("src/main.rs") { MAIN_LIMIT } else { FILE_LIMIT };
        if lines > limit {
            wrong.push(format!("{}: {lines} lines, at most {limit}", path.display()));
        }
        if !text.starts_with("//! ") {
            wrong.push(format!("{}: no //! at the top", path.display()));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn no_leftovers() {
    let forbidden = ["TODO", "FIXME", "XXX", "HACK"];
    let mut wrong = Vec::new();
    for path in sources(&src()) {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            if forbidden.iter().any(|word| line.contains(word)) {
                wrong.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
