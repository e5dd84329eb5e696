//! Where a user's files are: an injective, reversible encoding of the user id as a file name.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{StoreError, create_private_folder, io_error, private};

/// Longest encoded name, in bytes. File systems allow 255, and endings are added to it.
const NAME_LIMIT: usize = 200;
/// Names that Windows keeps for devices, whatever their ending.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// The files of one user.
#[derive(Debug)]
pub struct Place {
    folder: PathBuf,
    name: String,
    /// The id itself, where `name` does not spell it.
    long_id: Option<String>,
}

impl Place {
    pub fn new(folder: &Path, user_id: &str) -> Result<Self, StoreError> {
        if user_id.is_empty() {
            return Err(StoreError::EmptyUserId);
        }
        let name = file_name(user_id);
        let long_id = (name.len() > NAME_LIMIT).then(|| user_id.to_owned());
        let name = if long_id.is_some() { hashed(user_id) } else { name };
        let place = Self { folder: folder.to_owned(), name, long_id };
        place.refuse_other_case()?;
        Ok(place)
    }

    pub fn memories(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.name))
    }

    pub fn lock(&self) -> PathBuf {
        self.own_folder().join("lock")
    }

    /// The audit log.
    pub fn log(&self) -> PathBuf {
        self.own_folder().join("changes.jsonl")
    }

    /// The folder of what was said and not encoded yet.
    pub fn pending(&self) -> PathBuf {
        self.own_folder().join("pending")
    }

    /// The folder of the threads.
    pub fn threads(&self) -> PathBuf {
        self.own_folder().join("threads")
    }

    pub fn history(&self) -> PathBuf {
        self.own_folder().join("history")
    }

    /// A name that is not taken yet, for a memory file that could not be read.
    pub fn aside(&self) -> PathBuf {
        let names = (1..).map(|number| self.folder.join(format!("{}.damaged-{number}.json", self.name)));
        names.into_iter().find(|path| !path.exists()).unwrap_or_else(|| self.folder.join("damaged.json"))
    }

    /// Creates the user's folder; one whose name is a hash says inside whose it is.
    pub fn create_folder(&self) -> Result<(), StoreError> {
        let folder = self.own_folder();
        create_private_folder(&folder)?;
        let Some(id) = &self.long_id else { return Ok(()) };
        let path = folder.join("user-id");
        match private(OpenOptions::new().write(true).create_new(true)).open(&path) {
            Ok(mut file) => {
                file.write_all(id.as_bytes()).map_err(|source| io_error("cannot write", &path, source))
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            Err(source) => Err(io_error("cannot write", &path, source)),
        }
    }

    fn own_folder(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// On a file system that does not tell `Bob` from `bob`, the second of them is refused rather
    /// than shown the first one's memories.
    fn refuse_other_case(&self) -> Result<(), StoreError> {
        for path in [self.memories(), self.own_folder()] {
            let Some(wanted) = path.file_name().filter(|_| path.exists()) else { continue };
            let Ok(entries) = std::fs::read_dir(&self.folder) else { continue };
            let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
            if names.iter().any(|name| name == wanted) {
                continue;
            }
            if let Some(other) = names.iter().find(|name| name.eq_ignore_ascii_case(wanted)) {
                let other = other.to_string_lossy().trim_end_matches(".json").to_owned();
                return Err(StoreError::SameFile { path, other });
            }
        }
        Ok(())
    }
}

/// Letters, digits, `_` and `-` stand for themselves, every other byte is `%` and two hex digits.
/// A device name of Windows has its first letter encoded.
pub fn file_name(user_id: &str) -> String {
    let device = is_device(user_id);
    user_id
        .bytes()
        .enumerate()
        .map(|(place, byte)| match byte {
            _ if device && place == 0 => format!("%{byte:02X}"),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// What [`file_name`] has encoded; `None` for a name that it never gives.
pub fn decoded(name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn is_device(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let numbered = |device: &&str| {
        upper.strip_prefix(*device).is_some_and(|digit| matches!(digit.as_bytes(), [b'0'..=b'9']))
    };
    DEVICES.contains(&upper.as_str()) || NUMBERED_DEVICES.iter().any(numbered)
}

/// The name of an id too long to be spelt out: `~` (which [`file_name`] never gives) and its
/// SHA-256.
fn hashed(user_id: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, user_id.as_bytes());
    let hex: String = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("~{hex}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names() {
        for (id, name) in [
            ("demo-user", "demo-user"),
            ("a_b", "a_b"),
            ("a/b", "a%2Fb"),
            ("..", "%2E%2E"),
            ("CON", "%43ON"),
            ("nul", "%6Eul"),
            ("com1", "%63om1"),
            ("COM", "COM"),
            ("张", "%E5%BC%A0"),
        ] {
            assert_eq!(file_name(id), name);
        }
    }

    #[test]
    fn a_long_id_gets_a_short_name_and_is_kept_inside() {
        let folder = tempfile::tempdir().unwrap();
        let id = "😀".repeat(300);
        let place = Place::new(folder.path(), &id).unwrap();
        place.create_folder().unwrap();
        place.create_folder().unwrap();
        assert!(place.memories().file_name().unwrap().len() <= 255);
        assert_eq!(std::fs::read_to_string(place.own_folder().join("user-id")).unwrap(), id);
    }

    #[test]
    fn an_empty_id_is_refused() {
        assert!(matches!(Place::new(Path::new("."), ""), Err(StoreError::EmptyUserId)));
    }

    proptest! {
        #[test]
        fn encoding_is_reversible(id in "\\PC{1,20}") {
            let name = file_name(&id);
            prop_assert_eq!(decoded(&name), Some(id));
            prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-%".contains(&byte)));
        }
    }
}
