//! What was said and not encoded yet, so that nothing is lost when the program ends before it is.
//!
//! Each process has a file of its own, which it keeps locked while it lives: a file without a lock was left
//! behind, and is taken over by the next start. Lines are only appended; a file with nothing left is deleted.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Store, StoreError, create_private_folder, io_error, private};

/// A turn that is to be encoded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Local ISO-8601 time with its offset.
    pub at: String,
    pub user: String,
    pub answer: String,
    /// The thread it was said in, and the number of the turn there; 0 where that is not known.
    #[serde(default)]
    pub thread: String,
    #[serde(default)]
    pub turn: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Said(Said),
    /// So many of the turns before are done.
    Done {
        done: usize,
    },
}

/// The turns that wait, oldest first.
#[derive(Debug)]
pub struct Pending {
    folder: PathBuf,
    own: Option<(PathBuf, File)>,
    turns: VecDeque<Said>,
}

impl Store {
    /// Opens what waits, with what earlier processes have left behind.
    pub fn pending(&self) -> Result<Pending, StoreError> {
        let mut pending = Pending { folder: self.place.pending(), own: None, turns: VecDeque::new() };
        pending.take_over()?;
        Ok(pending)
    }
}

impl Pending {
    pub fn turns(&self) -> &VecDeque<Said> {
        &self.turns
    }

    /// Adds a turn. It is on disk when this returns.
    pub fn push(&mut self, said: Said) -> Result<(), StoreError> {
        self.append(&Line::Said(said.clone()))?;
        self.turns.push_back(said);
        Ok(())
    }

    /// The first `count` turns need not be kept any more.
    pub fn done(&mut self, count: usize) -> Result<(), StoreError> {
        self.turns.drain(..count.min(self.turns.len()));
        if self.turns.is_empty() {
            return self.remove();
        }
        self.append(&Line::Done { done: count })
    }

    /// Only the turns that `keep` says wait on.
    pub fn retain(&mut self, keep: impl Fn(&Said) -> bool) -> Result<(), StoreError> {
        let kept: Vec<Said> = self.turns.iter().filter(|said| keep(said)).cloned().collect();
        if kept.len() == self.turns.len() {
            return Ok(());
        }
        self.clear()?;
        kept.into_iter().try_for_each(|said| self.push(said))
    }

    /// Nothing of this waits any more.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        self.done(usize::MAX)
    }

    fn append(&mut self, line: &Line) -> Result<(), StoreError> {
        if self.own.is_none() {
            create_private_folder(&self.folder)?;
            let path = self.folder.join(format!("{}.jsonl", Uuid::new_v4()));
            let file = private(OpenOptions::new().create_new(true).append(true))
                .open(&path)
                .map_err(|source| io_error("cannot write", &path, source))?;
            // A file system without locks: then a second process may encode the same turns again.
            let _ = file.try_lock();
            self.own = Some((path, file));
        }
        let Some((path, file)) = &mut self.own else { return Ok(()) };
        let text = format!("{}\n", serde_json::to_string(line).unwrap_or_default());
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|source| io_error("cannot write", path, source))
    }

    fn remove(&mut self) -> Result<(), StoreError> {
        let Some((path, file)) = self.own.take() else { return Ok(()) };
        drop(file);
        fs::remove_file(&path).map_err(|source| io_error("cannot delete", &path, source))
    }

    /// Takes the turns over that processes have left which live no more.
    fn take_over(&mut self) -> Result<(), StoreError> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Ok(()) };
        for path in entries.flatten().map(|entry| entry.path()) {
            let Ok(mut file) = OpenOptions::new().read(true).append(true).open(&path) else { continue };
            if file.try_lock().is_err() {
                continue;
            }
            let mut text = String::new();
            if file.read_to_string(&mut text).is_err() {
                continue;
            }
            for said in left(&text) {
                self.push(said)?;
            }
            drop(file);
            fs::remove_file(&path).map_err(|source| io_error("cannot delete", &path, source))?;
        }
        Ok(())
    }
}

/// The turns of a file that are not done. A torn line is none.
fn left(text: &str) -> VecDeque<Said> {
    let mut turns = VecDeque::new();
    for line in text.lines() {
        match serde_json::from_str(line) {
            Ok(Line::Said(said)) => turns.push_back(said),
            Ok(Line::Done { done }) => drop(turns.drain(..done.min(turns.len()))),
            Err(error) => tracing::debug!(%error, "a pending line is none"),
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(user: &str) -> Said {
        Said {
            at: "2026-11-30T12:00:00+08:00".into(),
            user: user.into(),
            answer: "ok".into(),
            thread: "t".into(),
            turn: 1,
        }
    }

    fn users(pending: &Pending) -> Vec<&str> {
        pending.turns().iter().map(|said| said.user.as_str()).collect()
    }

    #[test]
    fn what_is_left_behind_is_taken_over_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), "u").unwrap();
        let mut first = store.pending().unwrap();
        for user in ["a", "b", "c"] {
            first.push(said(user)).unwrap();
        }
        first.done(1).unwrap();
        let mut beside = store.pending().unwrap();
        assert_eq!(users(&beside), Vec::<&str>::new(), "the first one lives");
        drop(first);
        beside.push(said("d")).unwrap();
        let mut next = store.pending().unwrap();
        assert_eq!(users(&next), ["b", "c"]);
        next.clear().unwrap();
        beside.done(1).unwrap();
        assert_eq!(fs::read_dir(store.place.pending()).unwrap().count(), 0);
    }

    #[test]
    fn a_torn_line_is_no_turn() {
        let whole = serde_json::to_string(&said("a")).unwrap();
        let turns = left(&format!("{whole}\n{{\"at\": \"2026\n{{\"done\": 0}}\n{whole}"));
        assert_eq!(turns, [said("a"), said("a")]);
    }
}
