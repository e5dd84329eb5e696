//! `memory show|add|edit|forget`: one memory, named by its id or the beginning of it.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;

use super::{Work, memory_line, record_json};
use crate::cli::failure::Failure;
use crate::cli::owner::{content_problem, details};
use crate::cli::screen::embed_sentence;
use crate::cli::{code, now};
use crate::memory::{Memory, Upsert};
use crate::store::{Store, Written};
use crate::text;

impl Work<'_> {
    /// Shows the memory called `id`.
    pub fn show_one(&mut self, id: &str, as_json: bool) -> Result<(), Failure> {
        let mut store = self.open(&self.settings.user_id)?;
        let memory = self.named(&mut store, id)?;
        self.print(&memory, as_json, |work| {
            for line in details(work.lang, &memory) {
                work.screen.line(&line);
            }
        });
        Ok(())
    }

    /// Keeps `words` as a memory.
    pub async fn add(&mut self, words: &[String], as_json: bool) -> Result<(), Failure> {
        let content = self.content(words, "mini-chatgpt memory add TEXT")?;
        let mut store = self.open(&self.settings.user_id)?;
        self.write(&mut store, Upsert::fact(content), as_json).await
    }

    /// Lets the memory called `id` say `words` from now on.
    pub async fn edit(&mut self, id: &str, words: &[String], as_json: bool) -> Result<(), Failure> {
        let content = self.content(words, "mini-chatgpt memory edit ID TEXT")?;
        let mut store = self.open(&self.settings.user_id)?;
        let memory = self.named(&mut store, id)?;
        self.write(&mut store, Upsert::rewrite(&memory, content), as_json).await
    }

    /// Deletes the memory called `id`, after asking where somebody can answer.
    pub fn forget(&mut self, id: &str, yes: bool, as_json: bool) -> Result<(), Failure> {
        let mut store = self.open(&self.settings.user_id)?;
        let memory = self.named(&mut store, id)?;
        if !yes && !self.agreed(&memory)? {
            self.screen.notice(text::nothing_cleared(self.lang));
            return Ok(());
        }
        let memory = store.forget(&memory.memory_id).map_err(|error| self.failed(&error))?;
        self.print(&memory, as_json, |work| {
            work.screen.line(&text::forgotten(work.lang, &crate::render::one_line(&memory.content)));
        });
        Ok(())
    }

    fn agreed(&mut self, memory: &Memory) -> Result<bool, Failure> {
        let lang = self.lang;
        if !io::stdin().is_terminal() {
            return Err(Failure::with_hint(code::USAGE, text::needs_yes(lang), text::hint_yes(lang)));
        }
        self.screen.notice(&memory_line(memory));
        let mut stderr = io::stderr();
        let mut answer = String::new();
        let asked = stderr.write_all(text::ask_forget(lang).as_bytes()).and_then(|()| stderr.flush());
        asked.and_then(|()| io::stdin().lock().read_line(&mut answer)).map_err(|error| {
            Failure::plain(code::OTHER, &text::cannot_read_stdin(lang, &error.to_string()))
        })?;
        Ok(text::is_yes(&answer))
    }

    /// The one memory whose id is, or begins with, `id`.
    fn named(&self, store: &mut Store, id: &str) -> Result<Arc<Memory>, Failure> {
        let lang = self.lang;
        let memories = store.memories().map_err(|error| self.failed(&error))?;
        if let Some(memory) = memories.iter().find(|memory| memory.memory_id == id) {
            return Ok(Arc::clone(memory));
        }
        let mut beginning =
            memories.iter().filter(|memory| !id.is_empty() && memory.memory_id.starts_with(id));
        let sentence = match (beginning.next(), beginning.count()) {
            (Some(memory), 0) => return Ok(Arc::clone(memory)),
            (Some(_), others) => text::several_memories(lang, id, others + 1),
            (None, _) => text::no_such_memory(lang, id),
        };
        Err(Failure::with_hint(code::OTHER, &sentence, text::hint_script_ids(lang)))
    }

    fn content(&self, words: &[String], usage: &str) -> Result<String, Failure> {
        let content = words.join(" ").trim().to_owned();
        match content_problem(self.lang, &content, usage) {
            None => Ok(content),
            Some(problem) => Err(Failure::plain(code::USAGE, &problem)),
        }
    }

    async fn write(&mut self, store: &mut Store, mut upsert: Upsert, as_json: bool) -> Result<(), Failure> {
        if let Err(error) = self.recall.embedder().complete(&mut upsert).await {
            self.screen.warning(&text::no_vectors(self.lang, &embed_sentence(self.lang, &error)));
        }
        let written = store.upsert(upsert, now()).map_err(|error| self.failed(&error))?;
        let Written { memory, .. } = &written;
        self.print(memory, as_json, |work| {
            work.screen.line(&crate::cli::owner::written_line(work.lang, short(memory), &written));
        });
        Ok(())
    }

    fn print(&mut self, memory: &Memory, as_json: bool, otherwise: impl FnOnce(&mut Self)) {
        if as_json {
            self.screen.line(&record_json(memory).to_string());
        } else {
            otherwise(self);
        }
    }
}

/// The beginning of an id, enough to name a memory by.
pub fn short(memory: &Memory) -> &str {
    let end = memory.memory_id.char_indices().nth(8).map_or(memory.memory_id.len(), |(place, _)| place);
    memory.memory_id.get(..end).unwrap_or_default()
}
