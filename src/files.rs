//! Files that go with a message, and files that the model may read.
//!
//! A file is attached only where the person has typed its path. The model reads only within folders that the person
//! has allowed; links and `..` are resolved before that is decided. What is neither text nor an image is refused.
//! Nothing is written here.

pub mod image;
pub mod mentions;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::message::Attachment;
use image::{Picture, PictureError, is_image, picture};

/// Largest file that is attached or read, in bytes.
const FILE_LIMIT: u64 = 100 * 1024 * 1024;
/// Largest text file that is attached or read.
const TEXT_LIMIT: usize = 10 * 1024 * 1024;
/// Lines and characters that the model gets of a file at once.
const LINES: usize = 400;
const CHARACTERS: usize = 16_000;
/// So much of a file tells whether it is binary.
const SAMPLE: usize = 8192;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("there is no such file")]
    Missing,
    #[error("it is no regular file")]
    NotAFile,
    #[error("it is a binary file")]
    Binary,
    #[error("it has {bytes} bytes, at most {limit} are taken")]
    TooLarge { bytes: u64, limit: u64 },
    #[error("it is not within a folder that the user has allowed, or hidden there")]
    NotAllowed,
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            _ => Self::Io(error),
        }
    }
}

/// The file at `path` as an attachment called `name`.
pub fn attachment(path: &Path, name: &str) -> Result<Attachment, FileError> {
    let bytes = bytes(path)?;
    // A drawing in XML is text that every model reads.
    let is_svg = std::str::from_utf8(&bytes).is_ok() && is_image(&bytes);
    if is_image(&bytes) && !is_svg {
        let Picture { media_type, base64, width, height } = picture(&bytes)?;
        let (name, media_type) = (name.to_owned(), media_type.to_owned());
        return Ok(Attachment::Image { name, media_type, base64, width, height });
    }
    Ok(Attachment::Text { name: name.to_owned(), content: text(&bytes)? })
}

fn bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    let metadata = fs::metadata(path)?;
    // To open a pipe or a device may wait for ever.
    if !metadata.is_file() {
        return Err(FileError::NotAFile);
    }
    if metadata.len() > FILE_LIMIT {
        return Err(FileError::TooLarge { bytes: metadata.len(), limit: FILE_LIMIT });
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(FILE_LIMIT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Bytes as text: UTF-8 or UTF-16, with or without a mark. A few broken characters are forgiven.
fn text(bytes: &[u8]) -> Result<String, FileError> {
    if bytes.len() > TEXT_LIMIT {
        return Err(FileError::TooLarge { bytes: bytes.len() as u64, limit: TEXT_LIMIT as u64 });
    }
    let wide = |from: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            bytes.get(2..).unwrap_or_default().as_chunks::<2>().0.iter().map(|pair| from(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    let text = text.trim_start_matches('\u{feff}').to_owned();
    let sample: Vec<char> = text.chars().take(SAMPLE).collect();
    let odd = |letter: &&char| {
        **letter == '\u{fffd}'
            || (letter.is_control() && !matches!(letter, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}'))
    };
    if text.contains('\0') || sample.iter().filter(odd).count() * 20 > sample.len() {
        return Err(FileError::Binary);
    }
    Ok(text.replace("\r\n", "\n"))
}

/// Folders that the model may read from.
#[derive(Debug, Default, Clone)]
pub struct Allowed {
    /// Without links in them.
    folders: Vec<PathBuf>,
    /// Where nothing is read from all the same.
    except: Vec<PathBuf>,
}

/// A part of a file, in whole lines.
#[derive(Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// As it is called within the folder it was found in.
    pub path: String,
    pub text: String,
    /// First and last line of it, from 1; both 0 for an empty file.
    pub from: usize,
    pub to: usize,
    /// Lines of the file.
    pub of: usize,
}

impl Allowed {
    /// `folders` exist and have no links in them.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, except: Vec::new() }
    }

    /// The same without what is within `folder`.
    pub fn except(mut self, folder: &Path) -> Self {
        self.except.push(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
        self
    }

    pub fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Reads lines `from` to `to` of the file that `path` names, absolute or within one of the folders; as many
    /// as are given at once, and no more than `most` characters.
    pub fn read(
        &self,
        path: &str,
        from: usize,
        to: Option<usize>,
        most: usize,
    ) -> Result<Excerpt, FileError> {
        let (folder, real) = self.resolve(path)?;
        let text = text(&bytes(&real)?)?;
        let lines: Vec<&str> = text.lines().collect();
        let from = from.clamp(1, lines.len().max(1));
        let count = to.map_or(LINES, |to| to.saturating_sub(from).saturating_add(1).clamp(1, LINES));
        let mut left = most.min(CHARACTERS);
        let mut taken = Vec::new();
        for line in lines.iter().skip(from - 1).take(count) {
            let length = line.chars().count() + 1;
            if length > left && !taken.is_empty() {
                break;
            }
            // One endless line is cut.
            taken.push(line.chars().take(left).collect::<String>());
            left = left.saturating_sub(length);
        }
        let name = real.strip_prefix(folder).unwrap_or(&real).display().to_string();
        let (from, to) = if taken.is_empty() { (0, 0) } else { (from, from + taken.len() - 1) };
        Ok(Excerpt { path: name, text: taken.join("\n"), from, to, of: lines.len() })
    }

    /// The file that `path` names, without links, and the folder it is in.
    fn resolve(&self, path: &str) -> Result<(&PathBuf, PathBuf), FileError> {
        let path = Path::new(path.trim());
        let mut problem = FileError::NotAllowed;
        for folder in &self.folders {
            match folder.join(path).canonicalize() {
                Ok(real) => {
                    let within =
                        |folder: &&PathBuf| real.strip_prefix(folder).is_ok_and(|inside| !is_hidden(inside));
                    let excepted = self.except.iter().any(|folder| real.starts_with(folder));
                    if let Some(folder) = self.folders.iter().find(within).filter(|_| !excepted) {
                        return Ok((folder, real));
                    }
                }
                // What is outside is not told to be there or not.
                Err(_) if path.is_absolute() || path.components().any(|part| part.as_os_str() == "..") => {}
                Err(error) => problem = error.into(),
            }
        }
        Err(problem)
    }
}

/// Whether a part of a path is hidden, as keys and settings often are.
pub fn is_hidden(path: &Path) -> bool {
    path.components().any(|part| match part {
        Component::Normal(name) => name.to_string_lossy().starts_with('.'),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_from_binary() {
        assert_eq!(text(b"\xef\xbb\xbfa\r\nb").unwrap(), "a\nb");
        assert_eq!(text(b"\xff\xfe`O}Y").unwrap(), "你好");
        assert_eq!(text(b"\xfe\xffO`Y}").unwrap(), "你好");
        assert_eq!(text(b"").unwrap(), "");
        assert!(text("naïve \u{fffd}, but words all the same, and many of them".as_bytes()).is_ok());
        for binary in [&b"\x7fELF\x02\x01\x01\0\0"[..], b"\x80\x81\x82\x83", b"\x01\x02\x03\x04text"] {
            assert!(matches!(text(binary), Err(FileError::Binary)), "{binary:?}");
        }
        assert!(matches!(text(&vec![b'a'; TEXT_LIMIT + 1]), Err(FileError::TooLarge { .. })));
    }

    #[test]
    fn files_become_attachments() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n.md");
        fs::write(&path, "words").unwrap();
        let expected = Attachment::Text { name: "n".into(), content: "words".into() };
        assert_eq!(attachment(&path, "n").unwrap(), expected);
        fs::write(&path, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
        assert!(matches!(attachment(&path, "n").unwrap(), Attachment::Text { .. }));
        assert!(matches!(attachment(folder.path(), "n"), Err(FileError::NotAFile)));
        assert!(matches!(attachment(&folder.path().join("x"), "n"), Err(FileError::Missing)));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_of_the_allowed_folders_is_read() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let (inside, outside) = (root.join("in"), root.join("out"));
        fs::create_dir_all(inside.join("sub")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("secret"), "s").unwrap();
        fs::write(inside.join("sub/a.txt"), "one\ntwo\nthree\n").unwrap();
        std::os::unix::fs::symlink(outside.join("secret"), inside.join("link")).unwrap();
        std::os::unix::fs::symlink(&outside, inside.join("folder")).unwrap();
        let allowed = Allowed::new(vec![inside.clone()]);
        let whole = allowed.read("sub/a.txt", 1, None, usize::MAX).unwrap();
        assert_eq!((whole.path.as_str(), whole.text.as_str(), whole.to), ("sub/a.txt", "one\ntwo\nthree", 3));
        let part = allowed.read("sub/../sub/a.txt", 2, Some(2), usize::MAX).unwrap();
        assert_eq!((part.text.as_str(), part.from, part.to, part.of), ("two", 2, 2, 3));
        assert_eq!(
            allowed.read(inside.join("sub/a.txt").to_str().unwrap(), 9, None, usize::MAX).unwrap().from,
            3
        );
        for path in
            ["../out/secret", "link", "folder/secret", "/etc/passwd", "sub/../../out/secret", "../out/none"]
        {
            let refused = allowed.read(path, 1, None, usize::MAX);
            assert!(matches!(refused, Err(FileError::NotAllowed)), "{path}: {refused:?}");
        }
        assert!(matches!(allowed.read("none", 1, None, usize::MAX), Err(FileError::Missing)));
        assert!(matches!(allowed.read("sub", 1, None, usize::MAX), Err(FileError::NotAFile)));
        assert!(matches!(
            Allowed::default().read("sub/a.txt", 1, None, usize::MAX),
            Err(FileError::NotAllowed)
        ));
        // Nothing hidden, and nothing of what is kept out.
        fs::write(inside.join(".env"), "KEY").unwrap();
        fs::create_dir(inside.join("kept")).unwrap();
        fs::write(inside.join("kept/a"), "a").unwrap();
        assert!(matches!(allowed.read(".env", 1, None, usize::MAX), Err(FileError::NotAllowed)));
        assert!(allowed.read("kept/a", 1, None, usize::MAX).is_ok());
        let allowed = allowed.except(&inside.join("kept"));
        assert!(matches!(allowed.read("kept/a", 1, None, usize::MAX), Err(FileError::NotAllowed)));
        // A folder whose name begins like the allowed one is another folder.
        fs::create_dir(root.join("in2")).unwrap();
        fs::write(root.join("in2/b"), "b").unwrap();
        assert!(matches!(allowed.read("../in2/b", 1, None, usize::MAX), Err(FileError::NotAllowed)));
    }

    #[test]
    fn long_files_come_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::write(folder.join("l"), "x\n".repeat(1000)).unwrap();
        fs::write(folder.join("w"), "y".repeat(50_000)).unwrap();
        fs::write(folder.join("e"), "").unwrap();
        let allowed = Allowed::new(vec![folder]);
        let first = allowed.read("l", 1, None, usize::MAX).unwrap();
        assert_eq!((first.from, first.to, first.of), (1, LINES, 1000));
        assert_eq!(allowed.read("l", 990, Some(5000), usize::MAX).unwrap().to, 1000);
        assert_eq!(allowed.read("w", 1, None, usize::MAX).unwrap().text.len(), CHARACTERS);
        assert_eq!(allowed.read("w", 1, None, 100).unwrap().text.len(), 100);
        assert_eq!(allowed.read("e", 1, None, usize::MAX).unwrap().of, 0);
    }
}
