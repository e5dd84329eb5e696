//! The owner's rule over memories, for the terminal and for scripts alike: pins, ends, undo, review, counts.

use std::sync::Arc;

use chrono::{DateTime, Local};
use serde_json::{Value, json};

use super::failure::Failure;
use super::lines::{memory_line, record_json};
use super::now;
use super::screen::Screen;
use crate::agent::owner;
use crate::memory::audit::{Audit, Kind, Waiting};
use crate::memory::{Memory, time_of};
use crate::render::one_line;
use crate::store::{Store, StoreError, Undone};
use crate::text::{self, Lang};

/// Somebody's memories, and where to say what was done.
pub struct Owner<'a> {
    pub store: &'a mut Store,
    pub screen: &'a mut Screen,
    pub lang: Lang,
    pub as_json: bool,
}

/// What `/review` and `memory review` are told to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Review {
    List,
    Accept(usize),
    /// With another content.
    Edit(usize, String),
    Drop(usize),
}

impl Review {
    /// Reads `accept 1`, `edit 1 TEXT`, `drop 1`, or nothing.
    pub fn parse(words: &str) -> Option<Self> {
        let mut parts = words.split_whitespace();
        let Some(verb) = parts.next() else { return Some(Self::List) };
        let number = parts.next()?.parse().ok()?;
        let rest = parts.collect::<Vec<_>>().join(" ");
        match (verb.to_lowercase().as_str(), rest.is_empty()) {
            ("accept", true) => Some(Self::Accept(number)),
            ("drop", true) => Some(Self::Drop(number)),
            ("edit", false) => Some(Self::Edit(number, rest)),
            _ => None,
        }
    }
}

impl Owner<'_> {
    fn failed(&self, error: &StoreError) -> Failure {
        Failure::store(self.lang, error)
    }

    /// Says `line`, or `value` to a script that wants JSON.
    fn say(&mut self, line: &str, value: impl FnOnce() -> Value) {
        if self.as_json {
            self.screen.line(&value().to_string());
        } else {
            self.screen.line(line);
        }
    }

    /// Pins a memory, or takes the pin out.
    pub fn pin(&mut self, short_id: &str, id: &str, pinned: bool) -> Result<(), Failure> {
        let memories = self.store.memories().map_err(|error| Failure::store(self.lang, &error))?;
        let holds = |memory: &&Arc<Memory>| memory.memory_id == id && memory.governance.holds(now());
        if pinned && !memories.iter().any(|memory| holds(&memory)) {
            return Err(Failure::plain(super::code::OTHER, &text::holds_no_more(self.lang, short_id)));
        }
        let memory = owner::pin(self.store, id, pinned, now()).map_err(|error| self.failed(&error))?;
        let content = one_line(&memory.content);
        let line = match pinned {
            true => text::pinned(self.lang, short_id, &content),
            false => text::unpinned(self.lang, short_id, &content),
        };
        self.say(&line, || record_json(&memory));
        Ok(())
    }

    /// Lets a memory hold until the time that `words` name.
    pub fn expire(&mut self, short_id: &str, id: &str, words: &str) -> Result<(), Failure> {
        let lang = self.lang;
        let end = match text::is_never(words) {
            true => None,
            false => Some(owner::end_of(words, now()).ok_or_else(|| {
                let sentence = text::no_time(lang, words);
                Failure::with_hint(super::code::USAGE, &sentence, text::hint_time(lang))
            })?),
        };
        let memory = owner::expire(self.store, id, end, now()).map_err(|error| self.failed(&error))?;
        let line = match end {
            Some(end) if end <= now() => text::over_now(lang, short_id),
            Some(end) => text::expires(lang, short_id, &shown(end)),
            None => text::never_expires(lang, short_id),
        };
        self.say(&line, || record_json(&memory));
        Ok(())
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> Result<(), Failure> {
        let lang = self.lang;
        let undone = self.store.undo(now()).map_err(|error| self.failed(&error))?;
        match undone {
            Undone::Nothing => self.say(text::nothing_to_undo(lang), || json!({"undone": null})),
            Undone::Impossible(kind) => {
                let sentence = text::cannot_undo(lang, &kind_name(lang, kind));
                return Err(Failure::plain(super::code::OTHER, &sentence));
            }
            Undone::Change { kind, back, gone } => {
                let line = text::undone(lang, &kind_name(lang, kind), &listed(&back), &listed(&gone));
                self.say(&line, || json!({"undone": kind, "restored": back, "removed": gone}));
            }
        }
        Ok(())
    }

    /// Merges duplicates, closes what is over, folds old episodes.
    pub fn tidy(&mut self) -> Result<(), Failure> {
        let kinds = owner::tidy(self.store, now()).map_err(|error| self.failed(&error))?;
        let count = |kind| kinds.iter().filter(|made| **made == kind).count();
        let (merged, expired, folded) = (count(Kind::Merge), count(Kind::Expire), count(Kind::Fold));
        self.say(
            &text::tidied(self.lang, merged, expired, folded),
            || json!({"merged": merged, "expired": expired, "folded": folded}),
        );
        Ok(())
    }

    /// Lists what waits for the user's word, or decides on one of it.
    pub fn review(&mut self, review: &Review) -> Result<(), Failure> {
        let lang = self.lang;
        let waiting = owner::waiting(self.store).map_err(|error| self.failed(&error))?;
        let (number, accepted, content) = match review {
            Review::List => {
                self.list_waiting(&waiting);
                return Ok(());
            }
            Review::Accept(number) => (*number, true, None),
            Review::Edit(number, content) => (*number, true, Some(content.as_str())),
            Review::Drop(number) => (*number, false, None),
        };
        let chosen = number.checked_sub(1).and_then(|place| waiting.get(place));
        let memory = match chosen {
            Some(waiting) => owner::review(self.store, &waiting.id, accepted, content, now())
                .map_err(|error| self.failed(&error))?,
            None => None,
        };
        let Some(memory) = memory else {
            let sentence = text::no_such_number(lang, &number.to_string());
            return Err(Failure::plain(super::code::OTHER, &sentence));
        };
        let said = one_line(&memory.content);
        let line = if accepted { text::taken_in(lang, &said) } else { text::dropped(lang, &said) };
        self.say(&line, || record_json(&memory));
        Ok(())
    }

    fn list_waiting(&mut self, waiting: &[Waiting]) {
        if self.as_json {
            let records: Vec<&Value> = waiting.iter().map(|waiting| &waiting.memory).collect();
            self.screen.line(&json!(records).to_string());
            return;
        }
        if waiting.is_empty() {
            self.screen.line(text::nothing_waits(self.lang));
            return;
        }
        for (place, waiting) in waiting.iter().enumerate() {
            let Some(memory) = Memory::from_json(&waiting.memory) else { continue };
            let quote = memory.governance.evidence.as_ref().map(|evidence| one_line(&evidence.quote));
            self.screen.line(&format!("{}. {}", place + 1, memory_line(&memory)));
            self.screen.line(&format!("   “{}”", quote.unwrap_or_default()));
        }
        self.screen.line(text::how_to_review(self.lang));
    }

    /// How many there are of what.
    pub fn stats(&mut self) -> Result<(), Failure> {
        let lang = self.lang;
        let counts = owner::counts(self.store, now()).map_err(|error| self.failed(&error))?;
        let plain = [
            ("holding", counts.holding),
            ("pinned", counts.pinned),
            ("over", counts.over),
            ("superseded", counts.superseded),
            ("waiting", counts.waiting),
            ("changes", counts.changes),
            ("used", counts.used),
            ("uses", counts.uses),
        ];
        let named = |pairs: Vec<(&'static str, usize)>| -> Vec<(String, usize)> {
            pairs.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
        };
        let listed = [
            ("types", named(counts.types)),
            ("sources", named(counts.sources)),
            ("encoded", counts.encoded),
            ("refused", counts.refused),
        ];
        if self.as_json {
            let mut value: serde_json::Map<String, Value> =
                plain.iter().map(|(name, count)| ((*name).to_owned(), (*count).into())).collect();
            for (name, pairs) in listed {
                let pairs: serde_json::Map<String, Value> =
                    pairs.into_iter().map(|(name, count)| (name, count.into())).collect();
                value.insert(name.to_owned(), Value::Object(pairs));
            }
            self.screen.line(&Value::Object(value).to_string());
            return Ok(());
        }
        for (name, count) in plain {
            self.screen.line(&format!("{count:>6}  {}", text::count_name(lang, name)));
        }
        for (name, pairs) in listed.iter().filter(|(_, pairs)| pairs.iter().any(|(_, count)| *count > 0)) {
            let pairs: Vec<String> = pairs
                .iter()
                .filter(|(_, count)| *count > 0)
                .map(|(name, count)| format!("{name} {count}"))
                .collect();
            self.screen.line(&format!("{}: {}", text::count_name(lang, name), pairs.join(", ")));
        }
        Ok(())
    }
}

/// Everything about a memory, line by line: its fields, what it rests on, its changes, where it was used.
pub fn details(lang: Lang, memory: &Memory, audit: &Audit) -> Vec<String> {
    let vector = memory.vector.as_ref().map_or("-".to_owned(), |vector| {
        format!("{} · {}", vector.values.len(), vector.model().unwrap_or("?"))
    });
    let governance = &memory.governance;
    let time = |text: &Option<String>| text.as_deref().map(local).unwrap_or_default();
    let fact = governance.fact.as_ref().map(|fact| {
        format!("{} – {} – {}", one_line(&fact.subject), one_line(&fact.relation), one_line(&fact.object))
    });
    let fields = [
        ("id", memory.memory_id.clone()),
        ("content", one_line(&memory.content)),
        ("context", one_line(&memory.context)),
        ("type", text::memory_type_label(memory.memory_type.name())),
        ("created", memory.created_at.clone()),
        ("updated", memory.updated_at.clone()),
        ("source", governance.source.name().to_owned()),
        ("importance", governance.importance.map(|number| number.to_string()).unwrap_or_default()),
        ("confidence", governance.confidence.map(|number| format!("{number:.2}")).unwrap_or_default()),
        ("pinned", if governance.pinned { "📌".to_owned() } else { String::new() }),
        ("expires", time(&governance.expires_at)),
        ("valid from", time(&governance.valid_from)),
        ("valid to", time(&governance.valid_to)),
        ("superseded by", governance.superseded_by.clone().unwrap_or_default()),
        ("fact", fact.unwrap_or_default()),
        ("evidence", governance.evidence.as_ref().map(|e| one_line(&e.quote)).unwrap_or_default()),
        ("vector", vector),
    ];
    let shown = fields.into_iter().filter(|(_, value)| !value.is_empty());
    let mut lines: Vec<String> =
        shown.map(|(name, value)| format!("{}  {value}", text::field_name(lang, name))).collect();
    let id = memory.memory_id.as_str();
    for (at, evidence) in audit.evidence.get(id).into_iter().flatten() {
        lines.push(format!(
            "{}  {} {}",
            text::field_name(lang, "evidence"),
            local(at),
            one_line(&evidence.quote)
        ));
    }
    for change in audit.changes.iter().filter(|change| change.records.iter().any(|record| record.id == id)) {
        let before =
            change.records.iter().find(|record| record.id == id).and_then(|record| record.before.as_ref());
        let before = before.and_then(|before| before.get("content")).and_then(Value::as_str).map(one_line);
        let before = before.filter(|before| *before != one_line(&memory.content));
        let by = text::by_name(lang, &name_of(change.by));
        let what = kind_name(lang, change.kind);
        let before = before.map(|before| format!(" ← {before}")).unwrap_or_default();
        lines.push(format!(
            "{}  {} {what} · {by}{before}",
            text::field_name(lang, "change"),
            local(&change.at)
        ));
    }
    for used in audit.uses.get(id).into_iter().flatten() {
        let about = one_line(&used.about);
        lines.push(format!(
            "{}  {} {:.2} {about}",
            text::field_name(lang, "used"),
            local(&used.at),
            used.relevance
        ));
    }
    lines
}

/// What `/memories` says behind a memory: what is unusual about it, and how old it is where people read it.
pub fn remarks(
    lang: Lang,
    memory: &Memory,
    short_id: &dyn Fn(&str) -> String,
    with_age: bool,
    now: DateTime<Local>,
) -> String {
    let governance = &memory.governance;
    let mut remarks = Vec::new();
    if let Some(time) = time_of(&memory.created_at).filter(|_| with_age) {
        remarks.push(text::age(lang, (now.fixed_offset() - time).num_days()));
    }
    remarks.extend(governance.importance.map(|importance| text::importance(lang, importance)));
    if governance.pinned {
        remarks.push("📌".to_owned());
    }
    if !governance.holds(now) {
        let successor = governance.superseded_by.as_deref().map(short_id);
        remarks.push(text::is_over(lang, successor.as_deref()));
    }
    if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join(" · ")) }
}

/// What of the memories is listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    pub query: String,
    pub memory_type: Option<crate::memory::MemoryType>,
    /// Also what holds no more.
    pub all: bool,
    /// From 1.
    pub page: Option<usize>,
}

impl Listing {
    /// Reads `[query] [--type TYPE] [--all] [--page N]`; `Err` with the word that makes no sense.
    pub fn parse(words: &str) -> Result<Self, String> {
        let mut listing = Self::default();
        let mut query = Vec::new();
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "--all" => listing.all = true,
                "--type" => {
                    let name = words.next().unwrap_or_default();
                    let parsed = crate::memory::MemoryType::parse(name);
                    listing.memory_type = Some(parsed.ok_or_else(|| name.to_owned())?);
                }
                "--page" => {
                    let number = words.next().unwrap_or_default();
                    listing.page = Some(number.parse().map_err(|_| number.to_owned())?);
                }
                word if word.starts_with("--") => return Err(word.to_owned()),
                word => query.push(word),
            }
        }
        listing.query = query.join(" ");
        Ok(listing)
    }

    /// Whether `memory` is listed.
    pub fn takes(&self, memory: &Memory, now: DateTime<Local>) -> bool {
        use crate::search::normal;
        let wanted = normal(&self.query);
        (self.all || memory.governance.holds(now))
            && self.memory_type.is_none_or(|wanted| wanted == memory.memory_type)
            && (wanted.is_empty() || normal(&memory.text()).contains(&wanted))
    }

    /// The listed ones of `memories`, each with its place.
    pub fn of(&self, memories: &[Arc<Memory>], now: DateTime<Local>) -> Vec<(usize, Arc<Memory>)> {
        let all = memories.iter().enumerate();
        all.filter(|(_, memory)| self.takes(memory, now)).map(|(place, m)| (place, Arc::clone(m))).collect()
    }
}

fn kind_name(lang: Lang, kind: Kind) -> String {
    text::change_name(lang, &name_of(kind))
}

/// A few contents on one line.
fn listed(contents: &[String]) -> String {
    const SHOWN: usize = 3;
    let mut shown: Vec<String> = contents.iter().take(SHOWN).map(|content| one_line(content)).collect();
    if contents.len() > SHOWN {
        shown.push(format!("… ({})", contents.len()));
    }
    shown.join(" / ")
}

/// The name of a value as it stands in the log.
fn name_of(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| Some(value.as_str()?.to_owned())).unwrap_or_default()
}

/// A time of a record as it is shown: local; a day without the hour.
fn local(text: &str) -> String {
    time_of(text).map_or_else(|| one_line(text), |time| shown(time.with_timezone(&Local)))
}

fn shown(time: DateTime<Local>) -> String {
    let text = time.format("%Y-%m-%d %H:%M").to_string();
    let day = text.strip_suffix(" 00:00").or_else(|| text.strip_suffix(" 23:59"));
    day.map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryType;

    #[test]
    fn words_behind_review() {
        for (words, expected) in [
            ("", Some(Review::List)),
            ("accept 2", Some(Review::Accept(2))),
            ("edit 1 以后 都用中文", Some(Review::Edit(1, "以后 都用中文".into()))),
            ("drop 1", Some(Review::Drop(1))),
            ("drop 1 now", None),
            ("edit 1", None),
            ("burn 1", None),
        ] {
            assert_eq!(Review::parse(words), expected, "{words}");
        }
    }

    #[test]
    fn words_behind_memories() {
        let listing = Listing::parse("花生 --type episodic --all --page 2").unwrap();
        assert_eq!(listing.memory_type, Some(MemoryType::Episodic));
        assert_eq!((listing.query.as_str(), listing.all, listing.page), ("花生", true, Some(2)));
        assert_eq!(Listing::parse(""), Ok(Listing::default()));
        assert_eq!(Listing::parse("--type dream"), Err("dream".to_owned()));
        assert_eq!(Listing::parse("--every"), Err("--every".to_owned()));
    }
}
