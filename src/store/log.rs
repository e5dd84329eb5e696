//! The file of the audit log: lines are appended, and what others have appended is read.
//!
//! A line that was torn by a crash is ended before the next one is written. Only forgetting rewrites the file.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{StoreError, io_error, private, read, replace};
use crate::memory::audit::{self, Audit, Line};

/// What has been read of the log, and how far.
#[derive(Debug, Default)]
pub struct Log {
    audit: Audit,
    /// Bytes taken in, up to the end of a line.
    taken: u64,
}

impl Log {
    /// What the log says now.
    pub fn refresh(&mut self, path: &Path) -> Result<&Audit, StoreError> {
        let failed = |source| io_error("cannot read", path, source);
        let length = match fs::metadata(path) {
            Ok(metadata) => metadata.len(),
            // Where the folder should be may stand a file: then writing will say so.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => 0,
            Err(source) => return Err(failed(source)),
        };
        if length < self.taken {
            *self = Self::default();
        }
        if length == self.taken {
            return Ok(&self.audit);
        }
        let mut text = Vec::new();
        let mut file = File::open(path).map_err(failed)?;
        file.seek(SeekFrom::Start(self.taken)).and_then(|_| file.read_to_end(&mut text)).map_err(failed)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        for line in text.get(..whole).unwrap_or_default().split(|byte| *byte == b'\n') {
            match serde_json::from_slice::<Line>(line) {
                Ok(line) => self.audit.take(line),
                Err(error) if !line.is_empty() => {
                    tracing::debug!(%error, "a line of the audit log is no event");
                }
                Err(_) => {}
            }
        }
        self.taken += whole as u64;
        Ok(&self.audit)
    }

    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// Writes `lines` at the end. They are on disk when this returns, behind as many bytes as it says.
    pub fn append(&mut self, path: &Path, lines: &[Line]) -> Result<u64, StoreError> {
        if lines.is_empty() {
            return Ok(self.taken);
        }
        let failed = |source| io_error("cannot write", path, source);
        let options = &mut OpenOptions::new();
        let mut file = private(options.create(true).read(true).append(true)).open(path).map_err(failed)?;
        let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut text = if is_torn(&mut file).map_err(failed)? { "\n".to_owned() } else { String::new() };
        text.extend(lines.iter().map(Line::text));
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(failed);
        written.inspect_err(|_| self.take_back(path, length))?;
        self.refresh(path).map(|_| length)
    }

    /// Takes back what was written behind the first `length` bytes, as far as that can be done.
    pub fn take_back(&mut self, path: &Path, length: u64) {
        let cut = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(length));
        if let Err(error) = cut {
            tracing::warn!(%error, "the audit log tells of a change that did not come about");
        }
        *self = Self::default();
    }

    /// Takes out what the memories called `ids` have said, and what was said about them.
    pub fn purge(&mut self, path: &Path, ids: &HashSet<&str>) -> Result<(), StoreError> {
        if path.exists() {
            let text = String::from_utf8_lossy(&read(path)?).into_owned();
            replace(path, audit::purged(&text, ids).as_bytes())?;
        }
        *self = Self::default();
        self.refresh(path).map(|_| ())
    }

    /// Takes everything out.
    pub fn clear(&mut self, path: &Path) -> Result<(), StoreError> {
        if path.exists() {
            replace(path, b"")?;
        }
        *self = Self::default();
        Ok(())
    }
}

/// Whether the last line has no end.
pub fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}
