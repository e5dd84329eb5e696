//! Durable state of one user: the only writer under the memory folder.
//!
//! Invariants: a file is replaced as a whole or not at all (temporary file, fsync, rename, fsync of
//! the folder); every change is applied onto what is on disk at that moment, under a lock that other
//! processes respect; what cannot be read is never overwritten; files are 0600 and folders 0700 from
//! their creation. Nothing is printed here: what the user should know is a [`Notice`].

mod change;
mod document;
mod erasing;
mod glance;
mod log;
mod pending;
mod place;
mod threads;
mod vectors;

pub use change::Undone;
pub use erasing::tells;
pub use pending::{Pending, Said};
pub use threads::{Opened, ThreadFile, is_thread_id};

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Local};
use uuid::Uuid;

use crate::memory::audit::{By, Kind};
use crate::memory::{Action, Incoming, Memory, Plan, Step, Upsert, Vector};
use document::{Damaged, Document};
use glance::Reading;
use log::Log;
use place::Place;

/// Largest memory file that is read, in bytes.
const FILE_LIMIT: u64 = 1024 * 1024 * 1024;
/// How long another process may hold the lock.
const LOCK_LIMIT: Duration = Duration::from_secs(3);
/// Further looks at a file that seems damaged, and the pause before each.
const SECOND_LOOKS: u32 = 3;
const SECOND_LOOK_PAUSE: Duration = Duration::from_millis(100);

/// Why the state could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the user id is empty")]
    EmptyUserId,
    #[error("{} belongs to the user id {other:?}, and this file system does not tell them apart", .path.display())]
    SameFile { path: PathBuf, other: String },
    #[error("no memory has the id {0:?}")]
    UnknownId(String),
    #[error("another process has been writing to {} for too long", .path.display())]
    Locked { path: PathBuf },
    #[error("{} is larger than {FILE_LIMIT} bytes", .path.display())]
    TooLarge { path: PathBuf },
    #[error("{doing} {}: {source}", .path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
}

/// Something the user should know about their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The memory file could not be read as a whole; it was kept under `kept`, and `saved` memories
    /// were saved from it.
    SetAside { kept: PathBuf, saved: usize },
    /// So many entries of the file are no memories; they stay in it untouched.
    StrangeEntries { path: PathBuf, count: usize },
}

/// What an upsert did, as it now is on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    pub memory: Memory,
    pub action: Action,
}

/// What an import did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    pub inserted: usize,
    pub updated: usize,
    pub unchanged: usize,
}

/// A vector for a memory, made while the memory said `text`.
#[derive(Debug, Clone)]
pub struct Renewed {
    pub memory_id: String,
    pub text: String,
    pub vector: Vector,
}

/// The state of one user.
#[derive(Debug)]
pub struct Store {
    place: Place,
    /// As last read.
    memories: Vec<Arc<Memory>>,
    /// Entries of the file that are no memories, as last read.
    strange: usize,
    /// Identity of the file that was read; `None` before the first read.
    stamp: Option<Stamp>,
    log: Log,
    /// What was forgotten in this session, by the number of the change: no file has it any more.
    forgotten: Vec<(u64, Memory)>,
    notices: Vec<Notice>,
    /// A large file that is being read beside.
    reading: Option<Reading>,
}

/// What tells one version of a file from another without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    modified: Option<std::time::SystemTime>,
    length: u64,
    /// On Unix: inode, and time of the last change of the inode in nanoseconds.
    inode: (u64, i64),
}

impl Store {
    /// Opens the state of `user_id` under `folder`. Nothing is created before there is something to
    /// keep.
    pub fn open(folder: &Path, user_id: &str) -> Result<Self, StoreError> {
        let place = Place::new(folder, user_id)?;
        Ok(Self {
            place,
            memories: Vec::new(),
            strange: 0,
            stamp: None,
            log: Log::default(),
            forgotten: Vec::new(),
            notices: Vec::new(),
            reading: None,
        })
    }

    /// The user's memories as they are on disk now, oldest first.
    pub fn memories(&mut self) -> Result<&[Arc<Memory>], StoreError> {
        self.refresh()?;
        Ok(&self.memories)
    }

    /// Writes a memory, over the one it names or as a new one, and returns it as it now is on disk.
    pub fn upsert(&mut self, upsert: Upsert, by: By, now: DateTime<Local>) -> Result<Written, StoreError> {
        self.change(now, |view| {
            let (memory, action) = match &upsert.memory_id {
                None => (Memory::new(upsert, Uuid::new_v4().to_string(), now), Action::Inserted),
                Some(id) => match view.find(id) {
                    None => return (Err(StoreError::UnknownId(id.clone())), Plan::default()),
                    Some(memory) => {
                        let mut memory = Memory::clone(memory);
                        memory.update(upsert, now);
                        (memory, Action::Updated)
                    }
                },
            };
            let step = match action {
                Action::Inserted => Step::Add(memory.clone()),
                Action::Updated => Step::Put(memory.clone()),
            };
            (Ok(Written { memory, action }), Plan::one(Kind::Upsert, by, vec![step]))
        })?
    }

    /// Takes `records` in, all or none; those without times get `now`. One whose id is known replaces what
    /// that memory says, unless it is older, and keeps its vector where the text is the same.
    pub fn import(&mut self, records: Vec<Incoming>, now: DateTime<Local>) -> Result<Imported, StoreError> {
        self.change(now, |view| {
            let mut imported = Imported::default();
            let mut steps: Vec<Step> = Vec::new();
            let mut places: HashMap<String, usize> = HashMap::new();
            let known: HashMap<&str, &Arc<Memory>> =
                view.memories.iter().rev().map(|memory| (memory.memory_id.as_str(), memory)).collect();
            for record in records {
                let id = record.memory.memory_id.clone();
                let earlier = places.get(&id).and_then(|place| steps.get_mut(*place));
                if let Some(Step::Add(memory) | Step::Put(memory)) = earlier {
                    let before = memory.clone();
                    memory.replace(record, now);
                    let changed = usize::from(*memory != before);
                    imported.updated += changed;
                    imported.unchanged += 1 - changed;
                    continue;
                }
                match known.get(id.as_str()) {
                    None => {
                        imported.inserted += 1;
                        places.insert(id, steps.len());
                        steps.push(Step::Add(record.memory.dated(now)));
                    }
                    Some(memory) => {
                        let mut after = Memory::clone(memory);
                        after.replace(record, now);
                        if after == ***memory {
                            imported.unchanged += 1;
                        } else {
                            imported.updated += 1;
                            places.insert(id, steps.len());
                            steps.push(Step::Put(after));
                        }
                    }
                }
            }
            let plan =
                if steps.is_empty() { Plan::default() } else { Plan::one(Kind::Import, By::Owner, steps) };
            (imported, plan)
        })
    }

    /// The memory file as it is on disk now, with everything that other programs keep in it.
    pub fn text(&mut self) -> Result<String, StoreError> {
        self.refresh()?;
        let path = self.place.memories();
        if !path.exists() {
            return Ok(Document::default().to_text());
        }
        let document = Document::parse(read(&path)?);
        Ok(document.unwrap_or_else(|damaged| damaged.salvaged).to_text())
    }

    /// Gives memories new vectors, unless they say something else by now. Returns how many it were.
    pub fn renew(&mut self, renewed: Vec<Renewed>) -> Result<usize, StoreError> {
        let _lock = self.lock()?;
        let mut document = self.read()?;
        let places = document.places();
        let mut count = 0;
        for Renewed { memory_id, text, vector } in renewed {
            let Some(place) = places.get(&memory_id) else { continue };
            count += usize::from(document.change_at(*place, |memory| {
                if memory.text() == text {
                    memory.vector = Some(vector);
                }
            }));
        }
        if count > 0 {
            self.commit(&document)?;
        }
        Ok(count)
    }

    /// What has come up since the last call.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// Where the line-editing history lives; its folder exists when this returns.
    pub fn history_file(&self) -> Result<PathBuf, StoreError> {
        self.place.create_folder()?;
        Ok(self.place.history())
    }

    /// Reads the file again if it looks changed.
    fn refresh(&mut self) -> Result<(), StoreError> {
        let path = self.place.memories();
        let stamp = stamp(&path)?;
        if stamp.is_some() && stamp == self.stamp {
            return Ok(());
        }
        if stamp.is_none() {
            self.take_over(&Document::default(), None);
            return Ok(());
        }
        if let Some(document) = self.take_reading(stamp.as_ref()) {
            self.adopt(&document, &path, stamp);
            return Ok(());
        }
        // To set a damaged file aside takes the lock; by then it may be whole again.
        if self.parse(&path)?.is_err() {
            let _lock = self.lock()?;
            self.read()?;
        }
        Ok(())
    }

    /// Reads the file, whatever it looks like; the lock is held. What is damaged is set aside, unless
    /// it becomes whole meanwhile: another program may be writing it in pieces.
    fn read(&mut self) -> Result<Document, StoreError> {
        let path = self.place.memories();
        if !path.exists() {
            self.take_over(&Document::default(), None);
            return Ok(Document::default());
        }
        for _ in 0..SECOND_LOOKS {
            if let Ok(document) = self.parse(&path)? {
                return Ok(document);
            }
            std::thread::sleep(SECOND_LOOK_PAUSE);
        }
        match self.parse(&path)? {
            Ok(document) => Ok(document),
            Err(damaged) => {
                self.set_aside(&path, &damaged.salvaged)?;
                Ok(damaged.salvaged)
            }
        }
    }

    fn parse(&mut self, path: &Path) -> Result<Result<Document, Damaged>, StoreError> {
        let stamp = stamp(path)?;
        if stamp.as_ref().is_some_and(|stamp| stamp.length > FILE_LIMIT) {
            return Err(StoreError::TooLarge { path: path.to_owned() });
        }
        let document = match Document::parse(read(path)?) {
            Ok(document) => document,
            Err(damaged) => return Ok(Err(damaged)),
        };
        self.adopt(&document, path, stamp);
        Ok(Ok(document))
    }

    /// Takes over what was read at `path`, and notes what in it is no memory.
    fn adopt(&mut self, document: &Document, path: &Path, stamp: Option<Stamp>) {
        if document.strange() > self.strange {
            self.notices.push(Notice::StrangeEntries { path: path.to_owned(), count: document.strange() });
        }
        self.take_over(document, stamp);
    }

    fn take_over(&mut self, document: &Document, stamp: Option<Stamp>) {
        self.memories = document.memories();
        self.strange = document.strange();
        self.stamp = stamp;
    }

    /// Keeps a damaged file under another name and puts what was saved from it in its place.
    fn set_aside(&mut self, path: &Path, salvaged: &Document) -> Result<(), StoreError> {
        let kept = self.place.aside();
        replace(&kept, &read(path)?)?;
        self.commit(salvaged)?;
        self.notices.push(Notice::SetAside { kept, saved: self.memories.len() });
        Ok(())
    }

    /// Writes `document`. When that fails, the next read starts from the disk again.
    fn commit(&mut self, document: &Document) -> Result<(), StoreError> {
        self.stamp = None;
        let path = self.place.memories();
        // A link that the user made to keep the file elsewhere stays a link.
        let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        let target = if is_link {
            fs::canonicalize(&path).map_err(|source| io_error("cannot write", &path, source))?
        } else {
            path.clone()
        };
        replace(&target, document.to_text().as_bytes())?;
        self.take_over(document, stamp(&path)?);
        Ok(())
    }

    /// Takes the user's lock, waiting for other processes. It is let go when the file is dropped.
    fn lock(&self) -> Result<File, StoreError> {
        self.place.create_folder()?;
        let path = self.place.lock();
        let file = private(OpenOptions::new().create(true).truncate(false).write(true))
            .open(&path)
            .map_err(|source| io_error("cannot open", &path, source))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(fs::TryLockError::WouldBlock) if start.elapsed() < LOCK_LIMIT => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(fs::TryLockError::WouldBlock) => return Err(StoreError::Locked { path }),
                Err(fs::TryLockError::Error(source)) => return Err(io_error("cannot lock", &path, source)),
            }
        }
    }
}

/// Writes a whole file so that after a crash there is the old one or the new one.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    let failed = |source| io_error("cannot write", path, source);
    let mut temporary = tempfile::Builder::new().prefix(".tmp-").tempfile_in(folder).map_err(failed)?;
    temporary.write_all(bytes).map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(path).map_err(|error| failed(error.error))?;
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    Ok(())
}

/// Creates `folder` and what leads to it, readable by the user alone.
pub fn create_private_folder(folder: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|source| io_error("cannot create the folder", folder, source))
}

/// Makes what `options` creates readable by the user alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let result = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    result.map(|_| bytes).map_err(|source| io_error("cannot read", path, source))
}

fn stamp(path: &Path) -> Result<Option<Stamp>, StoreError> {
    match fs::metadata(path) {
        Ok(metadata) => {
            #[cfg(unix)]
            let inode = {
                use std::os::unix::fs::MetadataExt;
                (
                    metadata.ino(),
                    metadata.ctime().wrapping_mul(1_000_000_000).wrapping_add(metadata.ctime_nsec()),
                )
            };
            #[cfg(not(unix))]
            let inode = (0, 0);
            Ok(Some(Stamp { modified: metadata.modified().ok(), length: metadata.len(), inode }))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(io_error("cannot look at", path, source)),
    }
}

fn io_error(doing: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { doing, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
