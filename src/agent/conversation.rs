//! The conversation: a thread in memory, and its file in step with it.
//!
//! A line is on disk before the model is asked. What cannot be written waits and is written with the next line.
//! Incognito, nothing is written, and what was said goes when that ends.

use chrono::{DateTime, Local};

use super::Agent;
use crate::memory::offset_time;
use crate::message::{Message, Turn};
use crate::store::{Opened, Store, StoreError, ThreadFile};
use crate::thread::{Entry, Line, Thread, Titled};

/// A thread and its file.
#[derive(Debug)]
pub struct Conversation {
    thread: Thread,
    /// `None` before the first line is written.
    file: Option<ThreadFile>,
    /// Lines that are not on disk yet.
    backlog: Vec<Line>,
    /// The thread as it was before nothing was to be kept.
    before_incognito: Option<Thread>,
}

/// How a thread was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Joined {
    /// It goes on where it was left.
    Goes,
    /// There is none of that id yet.
    New,
    /// Another process has it open: this is a copy of the one called so.
    Forked(String),
}

impl Conversation {
    pub fn new(id: &str) -> Self {
        Self { thread: Thread::new(id), file: None, backlog: Vec::new(), before_incognito: None }
    }

    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Takes a line in, and writes it.
    pub fn say(&mut self, store: &Store, line: Line, now: DateTime<Local>) -> Result<(), StoreError> {
        self.thread.apply(line.clone());
        if self.before_incognito.is_some() {
            return Ok(());
        }
        self.backlog.push(line);
        self.write(store, now)
    }

    fn write(&mut self, store: &Store, now: DateTime<Local>) -> Result<(), StoreError> {
        if self.file.is_none() {
            self.file = Some(match store.create_thread(&self.thread.id) {
                // Another process has begun a thread of that id meanwhile.
                Err(StoreError::Locked { .. }) => {
                    self.thread.id = store.new_thread_id(now);
                    store.create_thread(&self.thread.id)?
                }
                file => file?,
            });
        }
        if let Some(file) = &mut self.file {
            file.append(&self.backlog)?;
            self.backlog.clear();
        }
        Ok(())
    }

    /// The turns that are sent, oldest first, without the one called `replaced`.
    pub fn window(&self, replaced: Option<usize>) -> Vec<&Turn> {
        self.thread
            .unsummarised()
            .filter(|entry| Some(entry.number) != replaced)
            .filter_map(Entry::turn)
            .collect()
    }

    /// What stands for the turns that are not sent; empty for none.
    pub fn summary(&self) -> &str {
        self.thread.summary().map_or("", |summary| &summary.content)
    }
}

impl Agent {
    pub fn thread(&self) -> &Thread {
        self.conversation.thread()
    }

    /// Begins a new thread; under `id`, where one is given. Nothing is on disk before something is said.
    pub fn new_thread(&mut self, id: Option<&str>, now: DateTime<Local>) {
        let id = id.map_or_else(|| self.store.new_thread_id(now), str::to_owned);
        self.take_on(Conversation::new(&id));
    }

    /// Goes on with the thread called `id`.
    pub fn open_thread(&mut self, id: &str, now: DateTime<Local>) -> Result<Joined, StoreError> {
        if self.thread().id == id && !self.thread().is_empty() {
            return Ok(Joined::Goes);
        }
        let Some(opened) = self.store.open_thread(id)? else {
            self.new_thread(Some(id), now);
            return Ok(Joined::New);
        };
        let (joined, Opened { thread, file, strange }) = match opened.file {
            Some(_) => (Joined::Goes, opened),
            None => (Joined::Forked(id.to_owned()), self.store.fork_thread(id, now)?),
        };
        if strange > 0 {
            tracing::warn!(id, strange, "lines of the thread cannot be read");
        }
        let conversation = Conversation { thread, file, backlog: Vec::new(), before_incognito: None };
        self.take_on(conversation);
        Ok(joined)
    }

    fn take_on(&mut self, mut conversation: Conversation) {
        if self.conversation.before_incognito.is_some() {
            conversation.before_incognito = Some(conversation.thread.clone());
        }
        self.conversation = conversation;
        self.standing.clear();
        self.why = None;
    }

    /// Nothing that is said is written from now on; or what was said so is forgotten.
    pub(super) fn set_incognito(&mut self, incognito: bool) {
        let conversation = &mut self.conversation;
        match (incognito, conversation.before_incognito.take()) {
            (true, None) => conversation.before_incognito = Some(conversation.thread.clone()),
            (false, Some(thread)) => conversation.thread = thread,
            (_, before) => conversation.before_incognito = before.filter(|_| incognito),
        }
    }

    /// Gives the thread a title.
    pub fn rename_thread(&mut self, title: &str, now: DateTime<Local>) -> Result<(), StoreError> {
        let line = Line::Title { at: offset_time(now), content: title.to_owned(), by: Titled::User };
        self.conversation.say(&self.store, line, now)
    }

    /// The last message, to be asked again: its answer is kept until there is another one.
    pub fn last_message(&self) -> Option<(Message, usize)> {
        self.thread().last().map(|entry| (entry.message().clone(), entry.number))
    }

    /// Takes the last `count` messages back. Returns what they said, oldest first.
    pub fn rewind(&mut self, count: usize, now: DateTime<Local>) -> Result<Vec<Message>, StoreError> {
        let turns = self.thread().last_numbers(count);
        let entries = self.thread().entries();
        let messages = turns.iter().rev().filter_map(|number| entries.get(number - 1));
        let messages: Vec<Message> = messages.map(|entry| entry.message().clone()).collect();
        if !turns.is_empty() {
            self.conversation.say(&self.store, Line::Withdrawn { at: offset_time(now), turns }, now)?;
        }
        Ok(messages)
    }

    /// Deletes the thread called `id`; a new one begins where it is this one. `false` when there is none.
    pub fn delete_thread(&mut self, id: &str, now: DateTime<Local>) -> Result<bool, StoreError> {
        if id != self.thread().id {
            return self.store.delete_thread(id);
        }
        self.conversation.file = None;
        let was_said = !self.thread().is_empty();
        let deleted = self.store.delete_thread(id)?;
        self.new_thread(None, now);
        Ok(deleted || was_said)
    }

    /// Deletes all threads. Returns how many they were, and how many other processes have open.
    pub fn delete_threads(&mut self, now: DateTime<Local>) -> Result<(usize, usize), StoreError> {
        let own = self.thread().id.clone();
        let (mut deleted, mut open) = (usize::from(self.delete_thread(&own, now)?), 0);
        for id in self.store.thread_ids() {
            match self.store.delete_thread(&id) {
                Ok(was_there) => deleted += usize::from(was_there),
                Err(StoreError::Locked { .. }) => open += 1,
                Err(error) => return Err(error),
            }
        }
        Ok((deleted, open))
    }

    /// Whether any of `words` stand in this conversation, or in a thread on disk.
    pub fn still_says(&self, words: &[String]) -> Result<bool, StoreError> {
        if self.thread().entries().iter().any(|entry| says_one_of(entry, words)) {
            return Ok(true);
        }
        words.iter().try_fold(false, |found, words| Ok(found || self.store.threads_with(words)? > 0))
    }

    /// Deletes `words` from all threads, and takes the turns out of this conversation in which they stand. Returns in
    /// how many threads they stood.
    pub fn blank(&mut self, words: &[String], now: DateTime<Local>) -> Result<usize, StoreError> {
        let entries = self.thread().entries().iter();
        let said = entries.filter(|entry| !entry.is_gone() && says_one_of(entry, words));
        let turns: Vec<usize> = said.map(|entry| entry.number).collect();
        if !turns.is_empty() {
            self.conversation.say(&self.store, Line::Withdrawn { at: offset_time(now), turns }, now)?;
        }
        let mut count = 0;
        for words in words {
            count = count.max(self.store.erase_in_threads(words)?);
        }
        if self.conversation.before_incognito.is_none()
            && let Some(opened) = self.store.open_thread(&self.thread().id)?
        {
            self.conversation.thread = opened.thread;
        }
        Ok(count)
    }
}

fn says_one_of(entry: &Entry, words: &[String]) -> bool {
    words.iter().any(|words| entry.message().text().contains(words.as_str()))
}
