//! The audit log: every change in a user's memory with its cause, and which memories entered which answer.
//!
//! One JSON object a line. From it are derived: how often a memory was used, what `/undo` takes back, what is
//! not learnt again, what waits for review. A line that cannot be understood is kept and says nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Local};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Evidence, Memory, Uses, offset_time, time_of};

/// What a change does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Upsert,
    /// A newer memory closes the validity of an older one.
    Supersede,
    Merge,
    /// Old episodes become one.
    Fold,
    Expire,
    Pin,
    Unpin,
    Import,
    Forget,
    Clear,
    Undo,
}

/// Who has caused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The user.
    Owner,
    /// The model's tool call.
    Tool,
    Encode,
    Tidy,
}

/// A record that a change has touched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Touched {
    pub id: String,
    /// What it was, without vectors; `None` where it was not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
}

impl Touched {
    /// `memory` as it is before the change.
    pub fn old(memory: &Memory) -> Self {
        let fields = memory.fields().into_iter();
        let kept = fields.filter(|(key, _)| !key.starts_with("embedding"));
        let parsed =
            kept.map(|(key, text)| (key.to_owned(), serde_json::from_str(&text).unwrap_or_default()));
        Self { id: memory.memory_id.clone(), before: Some(Value::Object(parsed.collect())) }
    }

    pub fn new(id: &str) -> Self {
        Self { id: id.to_owned(), before: None }
    }
}

/// A memory that has entered an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Used {
    pub id: String,
    pub relevance: f64,
}

/// What a line tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    Change {
        /// Counts the changes of this user.
        n: u64,
        change: Kind,
        by: By,
        records: Vec<Touched>,
        /// Of what was forgotten: it is not learnt again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hashes: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undoes: Option<u64>,
    },
    /// The user has said again what a memory says.
    Evidence { id: String, evidence: Evidence },
    /// Memories have entered the answer to a message that begins like this.
    Used { about: String, memories: Vec<Used> },
    /// A proposal was not taken.
    Refused { reason: String },
    /// A proposal waits for the user's word.
    Queued { id: String, memory: Value },
    Reviewed {
        id: String,
        accepted: bool,
        /// Of what was dropped: it is not proposed again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hashes: Vec<String>,
    },
    /// A request for proposals has ended so.
    Encoded { outcome: String },
}

impl Event {
    /// `memory` waits for the user's word.
    pub fn queued(memory: &Memory) -> Self {
        let Touched { id, before } = Touched::old(memory);
        Self::Queued { id, memory: before.unwrap_or_default() }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub at: String,
    #[serde(flatten)]
    pub event: Event,
}

impl Line {
    pub fn new(event: Event, now: DateTime<Local>) -> Self {
        Self { at: offset_time(now), event }
    }

    /// The line as it is written, with its end.
    pub fn text(&self) -> String {
        format!("{}\n", serde_json::to_string(self).unwrap_or_default())
    }
}

/// A change that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    pub n: u64,
    pub at: String,
    pub kind: Kind,
    pub by: By,
    pub records: Vec<Touched>,
    /// It has been taken back.
    pub undone: bool,
}

/// When a memory was used, and for what.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    pub at: String,
    pub about: String,
    pub relevance: f64,
}

/// A proposal that waits for the user's word.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    pub id: String,
    pub at: String,
    pub memory: Value,
}

/// What the log says, taken together.
#[derive(Debug, Clone, Default)]
pub struct Audit {
    pub uses: HashMap<String, Vec<Use>>,
    pub changes: Vec<Recorded>,
    pub evidence: HashMap<String, Vec<(String, Evidence)>>,
    pub waiting: Vec<Waiting>,
    /// How often proposals were refused, by reason.
    pub refused: BTreeMap<String, usize>,
    /// How often requests for proposals have ended how.
    pub encoded: BTreeMap<String, usize>,
    forgotten: HashMap<u64, Vec<String>>,
    dropped: Vec<String>,
}

impl Audit {
    /// Takes a line in.
    pub fn take(&mut self, Line { at, event }: Line) {
        match event {
            Event::Change { n, change, by, records, hashes, undoes } => {
                if !hashes.is_empty() {
                    self.forgotten.insert(n, hashes);
                }
                if let Some(undone) = undoes {
                    self.forgotten.remove(&undone);
                    self.changes.iter_mut().filter(|c| c.n == undone).for_each(|c| c.undone = true);
                }
                self.changes.push(Recorded { n, at, kind: change, by, records, undone: false });
            }
            Event::Evidence { id, evidence } => self.evidence.entry(id).or_default().push((at, evidence)),
            Event::Used { about, memories } => {
                for Used { id, relevance } in memories {
                    let used = Use { at: at.clone(), about: about.clone(), relevance };
                    self.uses.entry(id).or_default().push(used);
                }
            }
            Event::Refused { reason } => *self.refused.entry(reason).or_default() += 1,
            Event::Queued { id, memory } => self.waiting.push(Waiting { id, at, memory }),
            Event::Reviewed { id, hashes, .. } => {
                self.waiting.retain(|waiting| waiting.id != id);
                self.dropped.extend(hashes);
            }
            Event::Encoded { outcome } => *self.encoded.entry(outcome).or_default() += 1,
        }
    }

    /// The number of the next change.
    pub fn next(&self) -> u64 {
        self.changes.last().map_or(1, |last| last.n + 1)
    }

    /// How often the memory called `id` was used, and when last.
    pub fn uses_of(&self, id: &str) -> Option<Uses> {
        let uses = self.uses.get(id)?;
        Some(Uses { count: uses.len(), last: time_of(&uses.last()?.at)? })
    }

    /// The hashes of what is not learnt again.
    pub fn forgotten(&self) -> HashSet<&str> {
        self.forgotten.values().flatten().chain(&self.dropped).map(String::as_str).collect()
    }

    /// The change that `/undo` takes back.
    pub fn last_change(&self) -> Option<&Recorded> {
        self.changes.iter().rev().find(|change| !change.undone && change.kind != Kind::Undo)
    }
}

/// The text of a log without anything that the memories called `ids` have said, or that was said about them.
pub fn purged(log: &str, ids: &HashSet<&str>) -> String {
    let mut purged = String::with_capacity(log.len());
    for text in log.lines() {
        let Ok(mut line) = serde_json::from_str::<Line>(text) else {
            if !ids.iter().any(|id| text.contains(*id)) {
                purged.push_str(text);
                purged.push('\n');
            }
            continue;
        };
        let touched = match &mut line.event {
            Event::Change { records, .. } => {
                let touched = records.iter_mut().filter(|record| ids.contains(record.id.as_str()));
                touched.map(|record| record.before = None).count() > 0
            }
            Event::Used { about, memories } => {
                let before = memories.len();
                memories.retain(|used| !ids.contains(used.id.as_str()));
                let touched = memories.len() < before;
                if touched {
                    about.clear();
                }
                touched
            }
            Event::Evidence { id, .. } | Event::Queued { id, .. } if ids.contains(id.as_str()) => continue,
            _ => false,
        };
        if touched {
            purged.push_str(&line.text());
        } else {
            purged.push_str(text);
            purged.push('\n');
        }
    }
    purged
}

#[cfg(test)]
mod tests {
    use super::super::Upsert;
    use super::*;
    use chrono::TimeZone;

    fn now() -> DateTime<Local> {
        Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap()
    }

    fn change(n: u64, kind: Kind, id: &str, undoes: Option<u64>) -> Event {
        let memory = Memory::new(Upsert::fact(format!("secret of {id}")), id.into(), now());
        let records = vec![Touched::old(&memory)];
        Event::Change { n, change: kind, by: By::Owner, records, hashes: vec![format!("h{n}")], undoes }
    }

    fn audit(events: Vec<Event>) -> Audit {
        let mut audit = Audit::default();
        for event in events {
            let line = Line::new(event, now());
            assert_eq!(serde_json::from_str::<Line>(&line.text()).unwrap(), line);
            audit.take(line);
        }
        audit
    }

    #[test]
    fn undo_goes_back_step_by_step() {
        let mut audit = audit(vec![change(1, Kind::Upsert, "a", None), change(2, Kind::Forget, "b", None)]);
        assert_eq!((audit.next(), audit.last_change().map(|change| change.n)), (3, Some(2)));
        assert!(audit.forgotten().contains("h2"));
        audit.take(Line::new(change(3, Kind::Undo, "b", Some(2)), now()));
        assert_eq!(audit.last_change().map(|change| change.n), Some(1));
        assert!(!audit.forgotten().contains("h2"));
    }

    #[test]
    fn uses_and_reviews_are_counted() {
        let used = |id: &str| Event::Used {
            about: "q".into(),
            memories: vec![Used { id: id.into(), relevance: 0.8 }],
        };
        let queued = Event::Queued { id: "w".into(), memory: Value::Null };
        let mut audit = audit(vec![used("a"), used("a"), used("b"), queued]);
        assert_eq!(audit.uses_of("a").map(|uses| uses.count), Some(2));
        assert_eq!(audit.waiting.len(), 1);
        audit.take(Line::new(Event::Reviewed { id: "w".into(), accepted: false, hashes: vec![] }, now()));
        assert_eq!(audit.waiting, []);
    }

    #[test]
    fn a_purge_leaves_nothing_that_was_said() {
        let events = [
            change(1, Kind::Upsert, "a", None),
            change(2, Kind::Upsert, "b", None),
            Event::Evidence {
                id: "a".into(),
                evidence: Evidence { quote: "secret of a".into(), ..Evidence::default() },
            },
            Event::Used {
                about: "about the secret of a".into(),
                memories: vec![
                    Used { id: "a".into(), relevance: 1.0 },
                    Used { id: "b".into(), relevance: 1.0 },
                ],
            },
        ];
        let log: String = events.into_iter().map(|event| Line::new(event, now()).text()).collect();
        let log = format!("{log}{{torn \"a\"\n{{other}}\n");
        let purged = purged(&log, &HashSet::from(["a"]));
        assert!(!purged.contains("secret of a") && !purged.contains("torn"), "{purged}");
        assert!(purged.contains("secret of b") && purged.contains("{other}"), "{purged}");
        let lines = purged.lines().filter(|line| serde_json::from_str::<Line>(line).is_ok());
        assert_eq!(lines.count(), 3);
    }
}
