//! Files that go with a message: those that it names with `@`, and those of `--file`.
//!
//! Only what the person has typed is looked at, and what lies outside of the working folder or is hidden is not
//! taken without a question: a pasted page may name it, too.

use std::path::{Path, PathBuf};

use super::Session;
use super::failure::Failure;
use super::screen::Screen;
use crate::files::image::PictureError;
use crate::files::mentions::{looks_like_a_path, mentions};
use crate::files::{self, FileError};
use crate::message::{Attachment, Message};
use crate::prompt::estimate::tokens;
use crate::render::one_line;
use crate::text::{self, Lang};

/// A file that a message names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// As it was typed.
    pub name: String,
    pub path: PathBuf,
    /// It lies in the working folder, and nothing of its path is hidden.
    pub usual: bool,
}

/// The files that `message` names, and the words in it that look like a path and name none.
pub fn named(message: &str) -> (Vec<Named>, Vec<String>) {
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    for (path, bare) in mentions(message) {
        let found = [&path, &bare].into_iter().find_map(|name| {
            let path = whole(name);
            path.is_file().then(|| Named { name: name.clone(), usual: is_usual(&path), path })
        });
        match found {
            Some(file) => files.push(file),
            None if looks_like_a_path(&bare) => missing.push(bare),
            None => {}
        }
    }
    (files, missing)
}

/// A path with the home folder in the place of `~`.
fn whole(name: &str) -> PathBuf {
    match name.strip_prefix("~/") {
        Some(rest) => etcetera::home_dir().map_or_else(|_| PathBuf::from(name), |home| home.join(rest)),
        None => PathBuf::from(name),
    }
}

fn is_usual(path: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let (Some(work), Some(path)) = (real(Path::new(".")), real(path)) else { return false };
    path.strip_prefix(&work).is_ok_and(|inside| !files::is_hidden(inside))
}

/// The files of `message` that `words`, which are sent in its place, do not name themselves.
fn unnamed(message: &Message, words: &str) -> Vec<Attachment> {
    let named = named(words).0;
    let files = message.attachments().iter();
    files.filter(|file| named.iter().all(|named| named.name != file.name())).cloned().collect()
}

/// Lets the files of `message` go with the words that the user makes of it.
pub fn keep(session: &mut Session, screen: &mut Screen, message: &Message, words: &str) {
    if !screen.is_interactive() {
        return;
    }
    let files = unnamed(message, words);
    for file in &files {
        screen.notice(&text::goes_again(session.lang, &one_line(file.name())));
    }
    session.attachments.extend(files);
}

/// Reads a file and says what goes with the message.
pub fn attach(lang: Lang, screen: &mut Screen, name: &str, path: &Path) -> Result<Attachment, Failure> {
    let attachment = files::attachment(path, name).map_err(|error| failure(lang, name, &error))?;
    let shown = match &attachment {
        Attachment::Text { content, .. } => {
            text::attached(lang, &one_line(name), &size(content.len() as u64), tokens(content))
        }
        Attachment::Image { width, height, .. } => text::attached_image(&one_line(name), *width, *height),
    };
    screen.notice(&shown);
    Ok(attachment)
}

/// Reads the files of `--file`.
pub fn attach_all(lang: Lang, screen: &mut Screen, paths: &[String]) -> Result<Vec<Attachment>, Failure> {
    paths.iter().map(|path| attach(lang, screen, path, &whole(path))).collect()
}

fn failure(lang: Lang, name: &str, error: &FileError) -> Failure {
    let (problem, detail) = match error {
        FileError::Missing => ("missing", String::new()),
        FileError::NotAFile => ("no-file", String::new()),
        FileError::Binary => ("binary", String::new()),
        FileError::TooLarge { bytes, limit } => {
            ("large", text::size_limit(lang, &size(*bytes), &size(*limit)))
        }
        FileError::Picture(PictureError::Damaged(reason)) => ("image", reason.clone()),
        FileError::Picture(PictureError::Unsupported(kind)) => ("format", (*kind).to_owned()),
        FileError::Picture(PictureError::TooLarge) => ("pixels", String::new()),
        FileError::Picture(PictureError::NotAnImage) => ("binary", String::new()),
        FileError::Io(error) => ("io", text::io_reason(lang, error)),
        FileError::NotAllowed => ("io", error.to_string()),
    };
    let sentence = text::file_problem(lang, &one_line(name), problem, &detail);
    Failure::with_hint(super::code::OTHER, &sentence, text::hint_not_sent(lang)).unsent()
}

/// Bytes for people.
fn size(bytes: u64) -> String {
    match bytes {
        ..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!([5, 2048, 3_500_000].map(size), ["5 B", "2.0 KB", "3.3 MB"]);
    }
}
