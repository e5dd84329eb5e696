//! The number of memories at a glance, while a large file is still being read: a prompt waits for nothing else.

use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;

use memchr::memmem;

use super::document::Document;
use super::{FILE_LIMIT, Stamp, Store, StoreError, read, stamp};

/// Bytes of a file that is read beside: a few thousand memories with their vectors, some hundredths of a second.
const LARGE: u64 = 4 << 20;

/// A file that is being read. `None` from one that cannot be read as a whole.
pub(super) type Reading = JoinHandle<Option<(Stamp, Document)>>;

impl Store {
    /// How many memories there are, as far as counting their ids tells. A large file is read on a thread of its own,
    /// and whatever asks for memories next waits for that.
    pub fn count(&mut self) -> Result<usize, StoreError> {
        let path = self.place.memories();
        let is_large = |found: &Stamp| found.length > LARGE && found.length <= FILE_LIMIT;
        let found = stamp(&path)?.filter(|found| is_large(found) && Some(found) != self.stamp.as_ref());
        let Some(found) = found else { return Ok(self.memories()?.len()) };
        let (sender, counted) = mpsc::channel();
        self.reading = Some(std::thread::spawn(move || begin(&path, found, &sender)));
        match counted.recv() {
            Ok(count) => Ok(count),
            Err(_) => Ok(self.memories()?.len()),
        }
    }

    /// Whether a large file is still being read.
    pub fn is_reading(&self) -> bool {
        self.reading.as_ref().is_some_and(|reading| !reading.is_finished())
    }

    /// What was read beside, if it is the file as it is now.
    pub(super) fn take_reading(&mut self, now: Option<&Stamp>) -> Option<Document> {
        let (stamp, document) = self.reading.take()?.join().ok()??;
        (Some(&stamp) == now).then_some(document)
    }
}

fn begin(path: &Path, stamp: Stamp, counted: &mpsc::Sender<usize>) -> Option<(Stamp, Document)> {
    let bytes = read(path).ok()?;
    counted.send(records(&bytes)).ok()?;
    Document::parse(bytes).ok().map(|document| (stamp, document))
}

/// The keys that every record has once. In a text, the quotes before and behind it would be escaped.
fn records(file: &[u8]) -> usize {
    let is_key = |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| file.get(at));
        let behind = file.get(at + KEY.len()..).unwrap_or_default();
        before != Some(&b'\\') && behind.trim_ascii_start().starts_with(b":")
    };
    memmem::find_iter(file, KEY).filter(is_key).count()
}

const KEY: &[u8] = b"\"memory_id\"";

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn large(count: usize) -> String {
        let filler = "\\\"memory_id\\\": no key. ".repeat(20);
        let record = |number: usize| {
            format!("{{\"memory_id\" : \"{number}\", \"content\": \"{number} {filler}\", \"context\": \"\"}}")
        };
        format!("[{}]", (0..count).map(record).collect::<Vec<_>>().join(",\n"))
    }

    #[test]
    fn a_large_file_is_counted_and_read_beside() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("u.json"), large(10_000)).unwrap();
        let mut store = Store::open(folder.path(), "u").unwrap();
        assert_eq!(store.count().unwrap(), 10_000);
        assert!(store.reading.is_some(), "it is large");
        assert_eq!(store.memories().unwrap().len(), 10_000);
        assert!(store.reading.is_none() && !store.is_reading());
        assert_eq!(store.count().unwrap(), 10_000);
    }

    #[test]
    fn what_has_changed_meanwhile_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("u.json");
        fs::write(&path, large(10_000)).unwrap();
        let mut store = Store::open(folder.path(), "u").unwrap();
        assert_eq!(store.count().unwrap(), 10_000);
        fs::write(&path, large(3)).unwrap();
        assert_eq!(store.memories().unwrap().len(), 3);
        fs::write(&path, format!("{} and more", large(10_000))).unwrap();
        assert_eq!(store.count().unwrap(), 10_000, "damage is not seen at a glance");
        assert_eq!(store.memories().unwrap().len(), 10_000);
        assert_eq!(store.take_notices().len(), 1, "but then");
    }
}
