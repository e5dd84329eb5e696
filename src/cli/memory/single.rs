//! `memory show|add|edit|forget|pin|…`: one memory, named by its id, the beginning of it or its number.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;

use super::{MemoryCommand, Work};
use crate::agent::owner;
use crate::cli::failure::Failure;
use crate::cli::governance::{Owner, Review, details};
use crate::cli::lines::{content_problem, embed_sentence, memory_line, record_json, written_line};
use crate::cli::{code, now};
use crate::encode::Outcome;
use crate::memory::audit::By;
use crate::memory::{Memory, Upsert};
use crate::store::{Store, Written};
use crate::text;

impl Work<'_> {
    /// Shows the memory called `id`.
    pub fn show_one(&mut self, id: &str, as_json: bool) -> Result<(), Failure> {
        let mut store = self.open(&self.settings.user_id)?;
        let memory = self.named(&mut store, id)?;
        let lines = details(self.lang, &memory, store.audit().map_err(|error| self.failed(&error))?);
        self.print(&memory, as_json, |work| {
            for line in lines {
                work.screen.line(&line);
            }
        });
        Ok(())
    }

    /// Keeps `words` as a memory.
    pub async fn add(&mut self, words: &[String], as_json: bool) -> Result<(), Failure> {
        let content = self.content(words, "mini-chatgpt memory add TEXT")?;
        let mut store = self.open(&self.settings.user_id)?;
        let mut upsert = Upsert::fact(content).explicit();
        self.embed(&mut upsert).await;
        let outcome = owner::remember(&mut store, upsert, now()).map_err(|error| self.failed(&error))?;
        let memory = match &outcome {
            Outcome::Known(memory) => Memory::clone(memory),
            Outcome::Added(memory) | Outcome::Superseded { new: memory, .. } => memory.clone(),
        };
        let content = crate::render::one_line(&memory.content);
        let line = match &outcome {
            Outcome::Known(_) => text::known_already(self.lang, short(&memory), &content),
            Outcome::Added(_) => text::remembered(self.lang, short(&memory), &content),
            Outcome::Superseded { old, .. } => {
                let old: Vec<&str> = old.iter().map(|old| short(old)).collect();
                text::superseded(self.lang, &old.join(" "), short(&memory), &content)
            }
        };
        self.print(&memory, as_json, |work| work.screen.line(&line));
        Ok(())
    }

    /// Lets the memory called `id` say `words` from now on.
    pub async fn edit(&mut self, id: &str, words: &[String], as_json: bool) -> Result<(), Failure> {
        let content = self.content(words, "mini-chatgpt memory edit ID TEXT")?;
        let mut store = self.open(&self.settings.user_id)?;
        let memory = self.named(&mut store, id)?;
        self.write(&mut store, Upsert::rewrite(&memory, content).explicit(), as_json).await
    }

    /// Deletes the memory called `id`, after asking where somebody can answer.
    pub fn forget(&mut self, id: &str, yes: bool, as_json: bool) -> Result<(), Failure> {
        let mut store = self.open(&self.settings.user_id)?;
        let memory = self.named(&mut store, id)?;
        if !yes && !self.agreed(&memory)? {
            self.screen.notice(text::nothing_cleared(self.lang));
            return Ok(());
        }
        let said = owner::evidence_of(&mut store, &memory).map_err(|error| self.failed(&error))?;
        let memory =
            owner::forget(&mut store, &memory.memory_id, now()).map_err(|error| self.failed(&error))?;
        let blanked = store.erase_said(&said).map_err(|error| self.failed(&error))?;
        if blanked > 0 {
            self.screen.notice(&text::blanked_in(self.lang, blanked));
        }
        self.print(&memory, as_json, |work| {
            work.screen.line(&text::forgotten(work.lang, &crate::render::one_line(&memory.content)));
        });
        Ok(())
    }

    /// Carries out a command of the owner's rule.
    pub fn govern(&mut self, command: &MemoryCommand, as_json: bool) -> Result<(), Failure> {
        use MemoryCommand::{Clear, Expire, Pin, Review as Reviewing, Stats, Tidy, Undo, Unpin};
        let mut store = self.open(&self.settings.user_id)?;
        let (json, id) = match command {
            Pin { json, id } | Unpin { json, id } | Expire { json, id, .. } => (*json, Some(id)),
            Undo { json } | Tidy { json } | Stats { json } | Reviewing { json, .. } => (*json, None),
            Clear { json, yes } => return self.clear(&mut store, *yes, *json || as_json),
            _ => return Ok(()),
        };
        let memory = id.map(|id| self.named(&mut store, id)).transpose()?;
        let id = memory.as_ref().map(|memory| memory.memory_id.as_str()).unwrap_or_default();
        let short_id = memory.as_deref().map(short).unwrap_or_default();
        let as_json = json || as_json;
        let lang = self.lang;
        let mut owner = Owner { store: &mut store, screen: &mut self.screen, lang, as_json };
        match command {
            Pin { .. } => owner.pin(short_id, id, true),
            Unpin { .. } => owner.pin(short_id, id, false),
            Expire { when, .. } => owner.expire(short_id, id, &when.join(" ")),
            Undo { .. } => owner.undo(),
            Tidy { .. } => owner.tidy(),
            Stats { .. } => owner.stats(),
            Reviewing { action, number, text, .. } => {
                let number = number.map(|number| number.to_string());
                let words = action.iter().chain(&number).chain(text).cloned().collect::<Vec<_>>().join(" ");
                let usage = || Failure::plain(code::USAGE, &text::usage(lang, text::how_to_review(lang)));
                owner.review(&Review::parse(&words).ok_or_else(usage)?)
            }
            _ => Ok(()),
        }
    }

    /// Deletes all memories, after asking where somebody can answer.
    fn clear(&mut self, store: &mut Store, yes: bool, as_json: bool) -> Result<(), Failure> {
        let lang = self.lang;
        let count = store.memories().map_err(|error| self.failed(&error))?.len();
        if count > 0 && !yes && !self.asked(&text::ask_clear(lang, count, &self.settings.user_id))? {
            self.screen.notice(text::nothing_cleared(lang));
            return Ok(());
        }
        let count = store.clear(now()).map_err(|error| self.failed(&error))?;
        let cleared = serde_json::json!({"cleared": count}).to_string();
        self.screen.line(&if as_json { cleared } else { text::cleared(lang, count) });
        Ok(())
    }

    fn agreed(&mut self, memory: &Memory) -> Result<bool, Failure> {
        if io::stdin().is_terminal() {
            self.screen.notice(&memory_line(memory));
        }
        self.asked(text::ask_forget(self.lang))
    }

    /// Whether the user says yes; an error where there is nobody to ask.
    fn asked(&mut self, question: &str) -> Result<bool, Failure> {
        let lang = self.lang;
        if !io::stdin().is_terminal() {
            return Err(Failure::with_hint(code::USAGE, text::needs_yes(lang), text::hint_yes(lang)));
        }
        let mut stderr = io::stderr();
        let mut answer = String::new();
        let asked = stderr.write_all(question.as_bytes()).and_then(|()| stderr.flush());
        asked.and_then(|()| io::stdin().lock().read_line(&mut answer)).map_err(|error| {
            Failure::plain(code::OTHER, &text::cannot_read_stdin(lang, &error.to_string()))
        })?;
        Ok(text::is_yes(&answer))
    }

    /// The one memory whose id is, or begins with, `id`.
    fn named(&self, store: &mut Store, id: &str) -> Result<Arc<Memory>, Failure> {
        let lang = self.lang;
        let memories = store.memories().map_err(|error| self.failed(&error))?;
        // `m3` is the third of the list.
        let number = id.strip_prefix(['m', 'M']).and_then(|digits| digits.parse::<usize>().ok());
        let numbered = number.and_then(|number| memories.get(number.checked_sub(1)?));
        let whole = memories.iter().find(|memory| memory.memory_id == id).or(numbered);
        if let Some(memory) = whole {
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
        self.embed(&mut upsert).await;
        let written = store.upsert(upsert, By::Owner, now()).map_err(|error| self.failed(&error))?;
        let Written { memory, .. } = &written;
        self.print(memory, as_json, |work| {
            work.screen.line(&written_line(work.lang, short(memory), &written));
        });
        Ok(())
    }

    /// Gives it a vector, or says why it has none yet.
    async fn embed(&mut self, upsert: &mut Upsert) {
        if let Err(error) = self.recall.embedder().complete(upsert).await {
            self.screen.warning(&text::no_vectors(self.lang, &embed_sentence(self.lang, &error)));
        }
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
