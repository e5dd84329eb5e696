//! The files of threads: lines are appended, one process at a time.
//!
//! The process that has a thread open keeps its file locked; another one that wants it gets a copy under a new id.
//! A last line that a crash has torn is ended before the next one is written.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Local};
use uuid::Uuid;

use super::log::is_torn;
use super::place::{decoded, file_name};
use super::{Store, StoreError, create_private_folder, io_error, private, read};
use crate::thread::{Line, Thread};

/// Longest id of a thread, in characters, and in bytes of a file name.
const ID_LIMIT: usize = 60;
const FILE_NAME_LIMIT: usize = 200;
/// Letters and digits of a new id that cannot be mistaken for one another.
const DIGITS: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";
/// Letters behind the day in a new id.
const SUFFIX: u32 = 4;

/// Whether a thread can be called `id`.
pub fn is_thread_id(id: &str) -> bool {
    !id.is_empty()
        && id.chars().count() <= ID_LIMIT
        && !id.chars().any(|letter| letter.is_whitespace() || letter.is_control())
        && file_name(id).len() <= FILE_NAME_LIMIT
}

/// A thread's file, kept locked for this process.
#[derive(Debug)]
pub struct ThreadFile {
    path: PathBuf,
    file: File,
}

/// A thread that is on disk.
#[derive(Debug)]
pub struct Opened {
    pub thread: Thread,
    /// `None` while another process has it open.
    pub file: Option<ThreadFile>,
    /// Lines that could not be read, the one that a crash has torn left out.
    pub strange: usize,
}

impl ThreadFile {
    /// Writes lines at the end. They are on disk when this returns.
    pub fn append(&mut self, lines: &[Line]) -> Result<(), StoreError> {
        let failed = |source| io_error("cannot write", &self.path, source);
        let mut text = if is_torn(&mut self.file).map_err(failed)? { "\n".to_owned() } else { String::new() };
        for line in lines {
            text.push_str(&serde_json::to_string(line).unwrap_or_default());
            text.push('\n');
        }
        let length = self.file.metadata().map_err(failed)?.len();
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data()).map_err(|source| {
            // What is only half there would be there twice after the next attempt.
            drop(self.file.set_len(length));
            failed(source)
        })
    }

    fn open(path: &Path, options: &mut OpenOptions) -> Result<Self, StoreError> {
        let file = private(options.read(true).append(true))
            .open(path)
            .map_err(|source| io_error("cannot write", path, source))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Takes the lock; `false` while another process has it. Where the file system has none, everybody does.
    fn lock(&self) -> bool {
        !matches!(self.file.try_lock(), Err(fs::TryLockError::WouldBlock))
    }
}

impl Store {
    /// An id that no thread has yet: the day, and a few letters.
    pub fn new_thread_id(&self, now: DateTime<Local>) -> String {
        loop {
            let mut random = Uuid::new_v4().as_u128();
            let mut letter = || {
                let digit = DIGITS.get((random % DIGITS.len() as u128) as usize).copied().unwrap_or(b'x');
                random /= DIGITS.len() as u128;
                char::from(digit)
            };
            let suffix: String = (0..SUFFIX).map(|_| letter()).collect();
            let id = format!("{}-{suffix}", now.format("%Y%m%d"));
            if !self.thread_path(&id).exists() {
                return id;
            }
        }
    }

    fn thread_path(&self, id: &str) -> PathBuf {
        self.place.threads().join(format!("{}.jsonl", file_name(id)))
    }

    /// The files of all threads with their ids, and when they were written last.
    pub(super) fn thread_files(&self) -> Vec<(String, PathBuf, Option<std::time::SystemTime>)> {
        let Ok(entries) = fs::read_dir(self.place.threads()) else { return Vec::new() };
        let file = |entry: fs::DirEntry| {
            let path = entry.path();
            let id = decoded(path.file_name()?.to_str()?.strip_suffix(".jsonl")?)?;
            let modified = entry.metadata().ok().filter(fs::Metadata::is_file)?.modified().ok();
            Some((id, path, modified))
        };
        let mut files: Vec<_> = entries.flatten().filter_map(file).collect();
        files.sort_by(|(id_a, _, a), (id_b, _, b)| b.cmp(a).then_with(|| id_b.cmp(id_a)));
        files
    }

    /// All threads that anything was said in, the latest first.
    pub fn threads(&self) -> Result<Vec<Thread>, StoreError> {
        let threads = self.thread_files().into_iter().map(|(id, path, _)| thread_in(&id, &path));
        let threads: Result<Vec<Thread>, StoreError> = threads.collect();
        let mut threads: Vec<Thread> = threads?.into_iter().filter(|thread| !thread.is_empty()).collect();
        threads.sort_by(|a, b| b.updated_at().cmp(a.updated_at()));
        Ok(threads)
    }

    /// The id of the thread in which something was said last.
    pub fn last_thread(&self) -> Result<Option<String>, StoreError> {
        for (id, path, _) in self.thread_files() {
            if !thread_in(&id, &path)?.is_empty() {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The ids of all threads, the latest first.
    pub fn thread_ids(&self) -> Vec<String> {
        self.thread_files().into_iter().map(|(id, _, _)| id).collect()
    }

    /// Opens the thread called `id`; `None` when there is none.
    pub fn open_thread(&self, id: &str) -> Result<Option<Opened>, StoreError> {
        let path = self.thread_path(id);
        if !path.is_file() {
            return Ok(None);
        }
        let file = ThreadFile::open(&path, &mut OpenOptions::new())?;
        let file = Some(file).filter(ThreadFile::lock);
        let bytes = read(&path)?;
        let torn = usize::from(bytes.last().is_some_and(|last| *last != b'\n'));
        let (thread, strange) = Thread::read(id, &String::from_utf8_lossy(&bytes));
        Ok(Some(Opened { thread, file, strange: strange.saturating_sub(torn) }))
    }

    /// Creates the file of a new thread. Locked, where another process has begun one of that id.
    pub fn create_thread(&self, id: &str) -> Result<ThreadFile, StoreError> {
        self.place.create_folder()?;
        create_private_folder(&self.place.threads())?;
        let path = self.thread_path(id);
        let file = ThreadFile::open(&path, OpenOptions::new().create(true))?;
        let is_new = file.lock() && file.file.metadata().is_ok_and(|metadata| metadata.len() == 0);
        if is_new { Ok(file) } else { Err(StoreError::Locked { path }) }
    }

    /// Copies the thread called `from` to a new one.
    pub fn fork_thread(&self, from: &str, now: DateTime<Local>) -> Result<Opened, StoreError> {
        let text = String::from_utf8_lossy(&read(&self.thread_path(from))?).into_owned();
        let id = self.new_thread_id(now);
        let mut lines: Vec<Line> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        lines.push(Line::Forked { at: crate::memory::offset_time(now), from: from.to_owned() });
        let mut file = self.create_thread(&id)?;
        file.append(&lines)?;
        let mut thread = Thread::new(&id);
        lines.into_iter().for_each(|line| thread.apply(line));
        Ok(Opened { thread, file: Some(file), strange: 0 })
    }

    /// Deletes the thread called `id`, unless another process has it open. `false` when there is none.
    pub fn delete_thread(&self, id: &str) -> Result<bool, StoreError> {
        let path = self.thread_path(id);
        if !path.is_file() {
            return Ok(false);
        }
        let file = ThreadFile::open(&path, &mut OpenOptions::new())?;
        if !file.lock() {
            return Err(StoreError::Locked { path });
        }
        fs::remove_file(&path).map_err(|source| io_error("cannot delete", &path, source))?;
        Ok(true)
    }
}

/// The thread called `id` as its file says it now.
fn thread_in(id: &str, path: &Path) -> Result<Thread, StoreError> {
    Ok(Thread::read(id, &String::from_utf8_lossy(&read(path)?)).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Evidence;
    use chrono::TimeZone;

    fn user(content: &str) -> Line {
        let at = "2026-11-30T20:36:01+08:00".to_owned();
        Line::User { at, content: content.into(), attachments: Vec::new(), replaces: None }
    }

    fn messages(thread: &Thread) -> Vec<&str> {
        thread.entries().iter().map(|entry| entry.message().text()).collect()
    }

    fn noon() -> DateTime<Local> {
        Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 5).unwrap()
    }

    #[test]
    fn a_thread_is_one_process_s_and_the_next_one_forks_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), "u").unwrap();
        assert!(store.open_thread("旅行/1").unwrap().is_none());
        let mut file = store.create_thread("旅行/1").unwrap();
        file.append(&[user("a")]).unwrap();
        let second = store.open_thread("旅行/1").unwrap().unwrap();
        assert!(second.file.is_none());
        let mut fork = store.fork_thread("旅行/1", noon()).unwrap();
        assert!(fork.thread.id.starts_with("20261130-"), "{}", fork.thread.id);
        assert_eq!(fork.thread.forked_from.as_deref(), Some("旅行/1"));
        fork.file.as_mut().unwrap().append(&[user("b")]).unwrap();
        file.append(&[user("c")]).unwrap();
        assert!(matches!(store.delete_thread("旅行/1"), Err(StoreError::Locked { .. })));
        drop(file);
        let first = store.open_thread("旅行/1").unwrap().unwrap();
        assert_eq!((messages(&first.thread), first.file.is_some()), (vec!["a", "c"], true));
        drop(first);
        assert!(store.delete_thread("旅行/1").unwrap());
        assert_eq!(store.thread_ids(), [fork.thread.id]);
    }

    #[test]
    fn ids_are_one_word_that_a_file_can_be_called_by() {
        for (id, expected) in [
            ("旅行", true),
            (&"旅".repeat(22), true),
            (&"旅".repeat(23), false),
            (&"a".repeat(60), true),
            (&"a".repeat(61), false),
            ("", false),
            ("two words", false),
        ] {
            assert_eq!(is_thread_id(id), expected, "{id}");
        }
    }

    #[test]
    fn a_thread_that_somebody_else_has_begun_is_not_written_into() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), "u").unwrap();
        fs::create_dir_all(store.thread_path("t").parent().unwrap()).unwrap();
        fs::write(store.thread_path("t"), "").unwrap();
        let mut file = store.create_thread("t").unwrap();
        file.append(&[user("a")]).unwrap();
        drop(file);
        assert!(matches!(store.create_thread("t"), Err(StoreError::Locked { .. })));
        assert_eq!(store.last_thread().unwrap().as_deref(), Some("t"));
    }

    #[test]
    fn a_torn_line_is_ended_and_nothing_else_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), "u").unwrap();
        let mut file = store.create_thread("t").unwrap();
        file.append(&[user("a"), user("b")]).unwrap();
        drop(file);
        let path = store.thread_path("t");
        let whole = fs::read(&path).unwrap();
        for cut in 1..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut opened = store.open_thread("t").unwrap().unwrap();
            assert_eq!(opened.strange, 0, "{cut}");
            opened.file.as_mut().unwrap().append(&[user("c")]).unwrap();
            drop(opened);
            let opened = store.open_thread("t").unwrap().unwrap();
            assert_eq!(messages(&opened.thread).last(), Some(&"c"), "{cut}");
            let first_is_whole = cut >= whole.len() / 2 - 1;
            assert_eq!(messages(&opened.thread).first() == Some(&"a"), first_is_whole, "{cut}");
        }
    }

    #[test]
    fn deleted_words_are_gone_from_a_file_that_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), "u").unwrap();
        let mut file = store.create_thread("t").unwrap();
        file.append(&[user("我对\"花生\"过敏。真的"), user("other")]).unwrap();
        let said = [Evidence { quote: "我对\"花生\"过敏".into(), ..Evidence::default() }];
        let modified = || fs::metadata(store.thread_path("t")).unwrap().modified().unwrap();
        let before = modified();
        assert_eq!(store.threads_saying(&said).unwrap(), 1);
        assert_eq!(store.erase_said(&said).unwrap(), 1);
        assert_eq!((store.threads_saying(&said).unwrap(), modified()), (0, before));
        file.append(&[user("more")]).unwrap();
        let text = fs::read_to_string(store.thread_path("t")).unwrap();
        assert!(!text.contains("花生") && text.contains("真的"), "{text}");
        let opened = store.open_thread("t").unwrap().unwrap();
        assert_eq!((opened.strange, messages(&opened.thread).len()), (0, 3));
    }
}
