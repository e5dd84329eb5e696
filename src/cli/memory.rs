//! `mini-chatgpt memory …`: what people do with memories, for scripts.

mod arguments;
mod import;
mod single;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

pub use arguments::{Format, MemoryCommand};

use super::failure::Failure;
use super::governance::{Listing, remarks};
use super::graph::{self, Picture, View};
use super::hits::show;
use super::input::decode;
use super::lines::{embed_sentence, memory_line, record_json, renew_sentence};
use super::screen::Screen;
use super::{code, now};
use crate::config::Settings;
use crate::embed::Embedder;
use crate::graph::Graph;
use crate::memory::{Incoming, Memory, MemoryType};
use crate::recall::{Found, Recall};
use crate::render::one_line;
use crate::search::Hit;
use crate::store::{Notice, Store, StoreError};
use crate::text::{self, Lang};

/// Vectors made between two writes of the file, or a twentieth of a large file.
const BATCH: usize = 128;

/// Carries out `command`; `as_json` was said before it.
pub async fn run(command: &MemoryCommand, settings: &Settings, as_json: bool) -> Result<u8, Failure> {
    use MemoryCommand::{Add, Edit, Export, Forget, Import, List, Search, Show};
    // Only what finds or writes needs vectors.
    let embedder = match command {
        Search { .. } | Add { .. } | Edit { .. } => super::embedder_of(settings).await?,
        _ => Embedder::Off,
    };
    let mut work = Work {
        lang: settings.lang,
        settings,
        screen: Screen::new(settings.lang, false, settings.color),
        recall: Recall::new(embedder),
    };
    match command {
        List { json, all, kind, text } => work.list(text, kind.as_deref(), *all, *json || as_json)?,
        Search { json, limit, query } => match query.as_slice() {
            [dash] if dash == "-" => return work.search_lines(*json || as_json, *limit).await,
            words => work.search(&words.join(" "), *json || as_json, *limit).await?,
        },
        Show { json, id } => work.show_one(id, *json || as_json)?,
        Add { json, text } => work.add(text, *json || as_json).await?,
        Edit { json, id, text } => work.edit(id, text, *json || as_json).await?,
        Forget { json, yes, id } => work.forget(id, *yes, *json || as_json)?,
        Import { file } => return work.import(file).await,
        Export { format } => return work.export(*format),
        MemoryCommand::Graph { format, depth, as_of, name } => {
            let view = View { name: name.join(" "), depth: *depth, as_of: as_of.clone() };
            work.graph(*format, as_json, &view)?;
        }
        other => work.govern(other, as_json)?,
    }
    work.screen.check()?;
    Ok(code::OK)
}

struct Work<'a> {
    lang: Lang,
    settings: &'a Settings,
    screen: Screen,
    /// Of the user of the settings.
    recall: Recall,
}

impl Work<'_> {
    fn open(&self, user: &str) -> Result<Store, Failure> {
        Store::open(&self.settings.memory_dir, user).map_err(|error| self.failed(&error))
    }

    /// Says what has come up with the files. Whether something may be missing from what was read.
    fn tell(&mut self, store: &mut Store) -> bool {
        let notices = store.take_notices();
        for notice in &notices {
            self.screen.files(notice);
        }
        notices.iter().any(|notice| matches!(notice, Notice::SetAside { .. }))
    }

    fn failed(&self, error: &StoreError) -> Failure {
        Failure::store(self.lang, error)
    }

    fn list(
        &mut self,
        words: &[String],
        kind: Option<&str>,
        all: bool,
        as_json: bool,
    ) -> Result<(), Failure> {
        let lang = self.lang;
        let memory_type = match kind {
            None => None,
            Some(name) => Some(
                MemoryType::parse(name)
                    .ok_or_else(|| Failure::plain(code::USAGE, &text::unknown_type(lang, name)))?,
            ),
        };
        let listing = Listing { query: words.join(" "), memory_type, all, page: None };
        let mut store = self.open(&self.settings.user_id)?;
        let memories = store.memories().map_err(|error| self.failed(&error))?.to_vec();
        self.tell(&mut store);
        let now = now();
        let listed = listing.of(&memories, now);
        if as_json {
            let records: Vec<Value> = listed.iter().map(|(_, memory)| record_json(memory)).collect();
            self.screen.line(&Value::from(records).to_string());
            return Ok(());
        }
        if listed.is_empty() {
            let nothing =
                if memories.is_empty() { text::no_memories(lang) } else { text::nothing_found(lang) };
            self.screen.line(nothing);
        }
        let short_id = |id: &str| id.chars().take(8).collect();
        for (place, memory) in listed {
            let id = single::short(&memory);
            let remarks = remarks(lang, &memory, &short_id, false, now);
            self.screen.line(&format!("{}. {} ({id}){remarks}", place + 1, memory_line(&memory)));
        }
        Ok(())
    }

    async fn search(&mut self, query: &str, as_json: bool, limit: usize) -> Result<(), Failure> {
        if query.trim().is_empty() {
            let (sentence, hint) = (text::asks_nothing(self.lang), text::hint_search(self.lang));
            return Err(Failure::with_hint(code::USAGE, sentence, hint));
        }
        let mut store = self.open(&self.settings.user_id)?;
        let hits = find(&mut self.recall, &mut store, query, limit, &mut self.screen, self.lang).await?;
        self.tell(&mut store);
        if as_json {
            self.screen.line(&answer(&self.recall, query, &hits).to_string());
        } else {
            show(&mut self.screen, self.lang, &self.recall, &hits);
        }
        Ok(())
    }

    /// Answers one query a line. Each user's store and index are opened once.
    async fn search_lines(&mut self, as_json: bool, limit: usize) -> Result<u8, Failure> {
        let lang = self.lang;
        let mut users: BTreeMap<String, (Store, Recall)> = BTreeMap::new();
        for (number, line) in io::stdin().lock().split(b'\n').enumerate() {
            let line = line.map_err(|error| {
                Failure::plain(code::OTHER, &text::cannot_read_stdin(lang, &error.to_string()))
            })?;
            let line = decode(&line, number + 1, lang, &mut self.screen);
            let (query, user) = asked(line.trim_end_matches('\r'));
            let user = user.unwrap_or_else(|| self.settings.user_id.clone());
            if !users.contains_key(&user) {
                let recall = Recall::new(self.recall.embedder().clone());
                users.insert(user.clone(), (self.open(&user)?, recall));
            }
            let Some((store, recall)) = users.get_mut(&user) else { continue };
            let hits = find(recall, store, &query, limit, &mut self.screen, lang).await?;
            self.tell(store);
            if as_json {
                self.screen.line(&answer(recall, &query, &hits).to_string());
            } else {
                self.screen.line(&format!("# {}", one_line(&query)));
                show(&mut self.screen, lang, recall, &hits);
            }
            self.screen.check()?;
            if self.screen.is_gone() {
                break;
            }
        }
        Ok(code::OK)
    }

    async fn import(&mut self, file: &str) -> Result<u8, Failure> {
        let lang = self.lang;
        let start = Instant::now();
        let records = read_records(lang, file)?;
        let mut by_user: BTreeMap<String, Vec<Incoming>> = BTreeMap::new();
        for record in records {
            let user = record.user.unwrap_or_else(|| self.settings.user_id.clone());
            by_user.entry(user).or_default().push(record.incoming);
        }
        let users: Vec<String> = by_user.keys().cloned().collect();
        let (mut inserted, mut updated, mut unchanged) = (0, 0, 0);
        for (user, memories) in by_user {
            let mut store = self.open(&user)?;
            let imported = store.import(memories, now()).map_err(|error| self.failed(&error))?;
            self.tell(&mut store);
            inserted += imported.inserted;
            updated += imported.updated;
            unchanged += imported.unchanged;
        }
        let done = self.fill_in(&users).await?;
        let seconds = start.elapsed().as_secs_f64();
        match done {
            Ok(()) => {
                let users = users.len();
                self.screen.line(&text::imported(lang, inserted, updated, unchanged, users, seconds));
                self.screen.check()?;
                Ok(code::OK)
            }
            Err((done, total)) => {
                self.screen.notice(&text::import_stopped(lang, done, total));
                Ok(code::INTERRUPTED)
            }
        }
    }

    /// Makes the vectors that are missing. `Err` with how many of them were made when the user stops it.
    async fn fill_in(&mut self, users: &[String]) -> Result<Result<(), (usize, usize)>, Failure> {
        let lang = self.lang;
        let embedder = super::embedder_of(self.settings).await?;
        let mut stores = Vec::new();
        let mut total = 0;
        for user in users {
            let mut store = self.open(user)?;
            let recall = Recall::new(embedder.clone());
            let missing = recall.unmatched(store.memories().map_err(|error| self.failed(&error))?);
            total += missing;
            if missing > 0 {
                stores.push((store, recall));
            }
        }
        let mut meter = Meter::new(total);
        for (mut store, mut recall) in stores {
            loop {
                let count = store.memories().map_err(|error| self.failed(&error))?.len();
                let progress = tokio::select! {
                    progress = recall.renew(&mut store, BATCH.max(count / 20)) => progress,
                    Ok(()) = tokio::signal::ctrl_c() => return Ok(Err((meter.done, total))),
                };
                match progress {
                    Ok(progress) if progress.renewed == 0 => break,
                    Ok(progress) => meter.add(progress.renewed, lang, &mut self.screen),
                    Err(error) => {
                        let reason = renew_sentence(lang, &error);
                        self.screen.warning(&text::vectors_stopped(lang, &reason));
                        return Ok(Ok(()));
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    /// Draws what is known.
    fn graph(&mut self, format: Picture, as_json: bool, view: &View) -> Result<(), Failure> {
        let mut store = self.open(&self.settings.user_id)?;
        let graph = Graph::build(store.memories().map_err(|error| self.failed(&error))?);
        self.tell(&mut store);
        let format = if as_json { Picture::Json } else { format };
        let lines = graph::drawn(self.lang, &graph, format, view, &self.settings.user_id)?;
        lines.iter().for_each(|line| self.screen.line(line));
        Ok(())
    }

    /// Writes all memories to stdout. What could not be read whole is no success: somebody may be about to
    /// write it over a better copy.
    fn export(&mut self, format: Format) -> Result<u8, Failure> {
        let mut store = self.open(&self.settings.user_id)?;
        let (lines, _) = exported(&mut store, format, &self.settings.user_id, self.lang)?;
        for line in &lines {
            self.screen.line(line);
        }
        let damaged = self.tell(&mut store);
        self.screen.check()?;
        Ok(if damaged { code::OTHER } else { code::OK })
    }
}

/// The memories in a form of export, and how many they are.
pub fn exported(
    store: &mut Store,
    format: Format,
    user_id: &str,
    lang: Lang,
) -> Result<(Vec<String>, usize), Failure> {
    let failed = |error: StoreError| Failure::store(lang, &error);
    let memories = store.memories().map_err(failed)?.to_vec();
    let lines = match format {
        Format::Json => vec![store.text().map_err(failed)?.trim_end().to_owned()],
        Format::Jsonl => memories.iter().map(|memory| record_json(memory).to_string()).collect(),
        Format::Md => {
            let line = |memory: &Arc<Memory>| format!("- {} ({})", memory_line(memory), memory.created_at);
            std::iter::once(format!("# {}", one_line(user_id))).chain(memories.iter().map(line)).collect()
        }
    };
    Ok((lines, memories.len()))
}

/// How far and how fast vectors are made.
struct Meter {
    start: Instant,
    shown: Instant,
    done: usize,
    total: usize,
}

impl Meter {
    fn new(total: usize) -> Self {
        let now = Instant::now();
        Self { start: now, shown: now, done: 0, total }
    }

    fn add(&mut self, count: usize, lang: Lang, screen: &mut Screen) {
        self.done += count;
        let pause = if screen.is_live() { 0.2 } else { 10.0 };
        if self.shown.elapsed().as_secs_f64() < pause {
            return;
        }
        self.shown = Instant::now();
        let speed = self.done as f64 / self.start.elapsed().as_secs_f64();
        screen.progress(&text::importing(lang, self.done, self.total, speed));
    }
}

/// The query of a line, and its user where it names one: plain text, or a JSON object.
fn asked(line: &str) -> (String, Option<String>) {
    let value: Value = serde_json::from_str(line).unwrap_or_default();
    match value.get("query").and_then(Value::as_str) {
        Some(query) => {
            let user = value.get("user").and_then(Value::as_str).filter(|user| !user.is_empty());
            (query.to_owned(), user.map(str::to_owned))
        }
        None => (line.to_owned(), None),
    }
}

/// Searches. Memories without a vector get one first, as far as that is a matter of a second; what is left is
/// found by words, and the user is told.
async fn find(
    recall: &mut Recall,
    store: &mut Store,
    query: &str,
    limit: usize,
    screen: &mut Screen,
    lang: Lang,
) -> Result<Vec<Hit>, Failure> {
    let failed = |error: StoreError| Failure::store(lang, &error);
    if recall.unmatched(store.memories().map_err(failed)?) > 0 {
        match recall.renew(store, BATCH).await {
            Ok(progress) if progress.left > 0 => screen.notice(&text::found_by_words(lang, progress.left)),
            Ok(_) => {}
            Err(error) => screen.warning(&text::vectors_stopped(lang, &renew_sentence(lang, &error))),
        }
    }
    let Found { hits, problem } = recall.find(store, query, None, limit, now()).await.map_err(failed)?;
    if let Some(error) = problem {
        screen.warning(&text::no_vectors(lang, &embed_sentence(lang, &error)));
    }
    Ok(hits)
}

fn answer(recall: &Recall, query: &str, hits: &[Hit]) -> Value {
    let hits: Vec<Value> = hits
        .iter()
        .map(|hit| {
            let mut value = record_json(recall.memory(hit));
            value["relevance"] = rounded(hit.relevance);
            value["lexical"] = rounded(hit.lexical);
            value["vector"] = hit.vector.map_or(Value::Null, rounded);
            value["graph"] = rounded(hit.lift);
            value
        })
        .collect();
    json!({"query": query, "hits": hits})
}

fn rounded(number: f64) -> Value {
    Value::from((number * 1e4).round() / 1e4)
}

/// The records of a file, or what is wrong with it; `-` is stdin.
pub fn read_records(lang: Lang, file: &str) -> Result<Vec<import::Record>, Failure> {
    let bytes = read(file).map_err(|error| {
        Failure::plain(code::OTHER, &text::cannot_read(lang, file, &text::io_reason(lang, &error)))
    })?;
    import::records(lang, &bytes).map_err(|refusal| {
        let place = text::import_place(lang, file, refusal.number, refusal.is_line);
        let sentence = text::import_refused(lang, &place, &refusal.problem);
        Failure::with_hint(code::OTHER, &sentence, text::hint_import(lang))
    })
}

fn read(file: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match file {
        "-" => io::stdin().lock().read_to_end(&mut bytes)?,
        path => std::fs::File::open(path)?.read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}
