//! The conversation: a thread in memory, and its file in step with it.
//!
//! A line is on disk before the model is asked. What cannot be written waits and is written with the next line.
//! Incognito, nothing is written, and what was said goes when that ends.

use chrono::{DateTime, Local};

use super::Agent;
use crate::memory::{Evidence, offset_time};
use crate::message::{Message, Turn};
use crate::store::{Opened, Store, StoreError, ThreadFile, tells};
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
    /// Turns up to this number are not sent, though no summary stands for them: it has failed, and is tried again
    /// with the next turns that leave.
    left_out: usize,
    /// The id that this thread was begun under, where another process has begun one of that id meanwhile.
    moved: Option<String>,
    /// Why the last line could not be written.
    problem: Option<StoreError>,
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
        Self::of(Thread::new(id), None)
    }

    fn of(thread: Thread, file: Option<ThreadFile>) -> Self {
        Self {
            thread,
            file,
            backlog: Vec::new(),
            before_incognito: None,
            left_out: 0,
            moved: None,
            problem: None,
        }
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

    /// Takes a line in; what goes wrong with its file is told later, at once for all lines.
    pub fn note(&mut self, store: &Store, line: Line, now: DateTime<Local>) {
        self.problem = self.say(store, line, now).err();
    }

    /// Why lines are not on disk yet, told once.
    pub fn take_problem(&mut self) -> Option<StoreError> {
        self.problem.take()
    }

    fn write(&mut self, store: &Store, now: DateTime<Local>) -> Result<(), StoreError> {
        if self.file.is_none() {
            self.file = Some(match store.create_thread(&self.thread.id) {
                // Another process has begun a thread of that id meanwhile.
                Err(StoreError::Locked { .. }) => {
                    let id = std::mem::replace(&mut self.thread.id, store.new_thread_id(now));
                    self.moved = Some(id);
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

    /// The turns that are sent, oldest first, without those that go once `replaced` is asked again.
    pub fn window(&self, replaced: Option<usize>) -> Vec<&Turn> {
        let entries = self.unsummarised(replaced).into_iter().filter(|entry| entry.number > self.left_out);
        entries.filter_map(Entry::turn).collect()
    }

    /// The turns that no summary stands for, oldest first.
    pub fn unsummarised(&self, replaced: Option<usize>) -> Vec<&Entry> {
        let replaced = self.thread.replaced(replaced);
        self.thread.unsummarised().filter(|entry| !replaced.contains(&entry.number)).collect()
    }

    /// The turns up to this number are not sent.
    pub fn through(&self) -> usize {
        self.thread.summary().map_or(0, |summary| summary.through).max(self.left_out)
    }

    /// No longer sends the turns up to `number`, for as long as the program runs.
    pub fn leave_out(&mut self, number: usize) {
        self.left_out = self.left_out.max(number);
    }

    /// The id that the thread has lost to another process, told once.
    pub fn take_moved(&mut self) -> Option<String> {
        self.moved.take()
    }

    /// Reads the thread as it is on disk, where words were deleted. What is not on disk stays as it is.
    fn reload(&mut self, store: &Store) -> Result<(), StoreError> {
        let Some(Opened { thread, .. }) = store.open_thread(&self.thread.id)? else { return Ok(()) };
        match &mut self.before_incognito {
            Some(before) => *before = thread,
            None => self.thread = thread,
        }
        Ok(())
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
        self.take_on(Conversation::of(thread, file));
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
            let id = self.thread().id.clone();
            let line = Line::Withdrawn { at: offset_time(now), turns: turns.clone() };
            self.conversation.say(&self.store, line, now)?;
            // What waits to be encoded is taken back as well.
            self.retain_pending(|said| said.thread != id || !turns.contains(&said.turn))?;
        }
        Ok(messages)
    }

    /// Deletes the thread called `id`; a new one begins where it is this one. `false` when there is none.
    pub fn delete_thread(&mut self, id: &str, now: DateTime<Local>) -> Result<bool, StoreError> {
        if id != self.thread().id {
            let deleted = self.store.delete_thread(id)?;
            self.retain_pending(|said| said.thread != id)?;
            return Ok(deleted);
        }
        self.conversation.file = None;
        self.retain_pending(|said| said.thread != id)?;
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

    /// Whether anything of what `said` quotes stands in this conversation, or in a thread on disk.
    pub fn still_says(&self, said: &[Evidence]) -> Result<bool, StoreError> {
        let id = &self.thread().id;
        let here = self.thread().entries().iter().any(|entry| !entry.is_gone() && says(id, entry, said));
        Ok(here || self.store.threads_saying(said)? > 0)
    }

    /// Deletes what `said` quotes from all threads, and takes the turns out of this conversation in which it stands.
    /// Returns in how many threads it stood.
    pub fn blank(&mut self, said: &[Evidence], now: DateTime<Local>) -> Result<usize, StoreError> {
        let Self { conversation, store, .. } = self;
        let id = conversation.thread.id.clone();
        let entries = conversation.thread.entries().iter();
        let turns: Vec<usize> = entries
            .filter(|entry| !entry.is_gone() && says(&id, entry, said))
            .map(|entry| entry.number)
            .collect();
        let count = store.erase_said(said)?;
        if !turns.is_empty() {
            let line = Line::Withdrawn { at: offset_time(now), turns };
            match &mut conversation.before_incognito {
                // What was deleted is deleted for later as well.
                Some(before) => {
                    let known = before.entries().len();
                    before.apply(line.clone());
                    conversation.thread.apply(line.clone());
                    if let (Line::Withdrawn { at, turns }, false) = (line, conversation.file.is_none()) {
                        let turns = turns.into_iter().filter(|turn| *turn <= known).collect();
                        conversation.backlog.push(Line::Withdrawn { at, turns });
                        conversation.write(store, now)?;
                    }
                }
                None => conversation.say(store, line, now)?,
            }
        }
        if count > 0 && conversation.backlog.is_empty() {
            conversation.reload(store)?;
        }
        Ok(count)
    }
}

/// Whether `entry` of the thread called `id` is what `said` quotes, or has its words.
fn says(id: &str, entry: &Entry, said: &[Evidence]) -> bool {
    let number = entry.number.to_string();
    said.iter().any(|evidence| {
        let is_own = evidence.thread == id && evidence.turn == number;
        is_own || tells(entry.message().text(), &evidence.quote)
    })
}
