//! Changes: what is decided about memories, onto what is on disk at that moment, and written down with its cause.
//!
//! The audit log is written before the memory file, and taken back when that fails. After a crash between the two
//! it tells of a change that did not come about; taking that back changes nothing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Local};
use serde_json::Value;

use super::document::Document;
use super::{Store, StoreError};
use crate::memory::audit::{Audit, By, Event, Kind, Line, Recorded, Touched};
use crate::memory::{Change, Memory, Plan, Step};

/// What there is to decide about: as on disk, under the lock.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub memories: &'a [Arc<Memory>],
    pub audit: &'a Audit,
}

impl<'a> View<'a> {
    pub fn find(&self, id: &str) -> Option<&'a Arc<Memory>> {
        self.memories.iter().find(|memory| memory.memory_id == id)
    }
}

/// What `/undo` has done.
#[derive(Debug, Clone, PartialEq)]
pub enum Undone {
    Nothing,
    /// The change, and what the memories say that it brought back or took away.
    Change {
        kind: Kind,
        back: Vec<String>,
        gone: Vec<String>,
    },
    /// It cannot be taken back: what it deleted is gone, or was changed by another program since.
    Impossible(Kind),
}

impl Store {
    /// Lets `decide` say what to change, and does it. Returns what else it says.
    pub fn change<T>(
        &mut self,
        now: DateTime<Local>,
        decide: impl FnOnce(View<'_>) -> (T, Plan),
    ) -> Result<T, StoreError> {
        let _lock = self.lock()?;
        let mut document = self.read()?;
        self.log.refresh(&self.place.log())?;
        let view = View { memories: &self.memories, audit: self.log.audit() };
        let (answer, plan) = decide(view);
        self.carry_out(&mut document, plan, None, now)?;
        Ok(answer)
    }

    /// Changes the memory called `id`, and returns it as it now is.
    pub fn revise(
        &mut self,
        id: &str,
        kind: Kind,
        now: DateTime<Local>,
        revise: impl FnOnce(&mut Memory),
    ) -> Result<Memory, StoreError> {
        self.change(now, |view| match view.find(id) {
            None => (Err(StoreError::UnknownId(id.to_owned())), Plan::default()),
            Some(before) => {
                let mut memory = Memory::clone(before);
                revise(&mut memory);
                let plan = match memory == **before {
                    true => Plan::default(),
                    false => Plan::one(kind, By::Owner, vec![Step::Put(memory.clone())]),
                };
                (Ok(memory), plan)
            }
        })?
    }

    /// Writes something down that changes no memory.
    pub fn note(&mut self, event: Event, now: DateTime<Local>) -> Result<(), StoreError> {
        let _lock = self.lock()?;
        self.log.append(&self.place.log(), &[Line::new(event, now)]).map(|_| ())
    }

    /// Takes out of the audit log what it tells of the memory or proposal called `id`.
    pub fn purge(&mut self, id: &str) -> Result<(), StoreError> {
        let _lock = self.lock()?;
        self.log.purge(&self.place.log(), &HashSet::from([id]))
    }

    /// What the audit log says.
    pub fn audit(&mut self) -> Result<&Audit, StoreError> {
        self.log.refresh(&self.place.log())
    }

    /// Takes the last change back that was not taken back yet.
    pub fn undo(&mut self, now: DateTime<Local>) -> Result<Undone, StoreError> {
        let _lock = self.lock()?;
        let mut document = self.read()?;
        self.log.refresh(&self.place.log())?;
        let Some(last) = self.log.audit().last_change().cloned() else { return Ok(Undone::Nothing) };
        let Some(steps) = self.reversed(&last) else { return Ok(Undone::Impossible(last.kind)) };
        let view = View { memories: &self.memories, audit: self.log.audit() };
        let (mut back, mut gone) = (Vec::new(), Vec::new());
        for step in &steps {
            match step {
                Step::Add(memory) | Step::Put(memory) => back.push(memory.content.clone()),
                Step::Remove(id) => gone.extend(view.find(id).map(|memory| memory.content.clone())),
            }
        }
        let plan = Plan::one(Kind::Undo, By::Owner, steps);
        self.carry_out(&mut document, plan, Some(last.n), now)?;
        Ok(Undone::Change { kind: last.kind, back, gone })
    }

    /// The steps that take `change` back; `None` where that cannot be done.
    fn reversed(&self, change: &Recorded) -> Option<Vec<Step>> {
        if matches!(change.kind, Kind::Forget | Kind::Clear) {
            // The log does not keep what was deleted; this session may.
            let lost = self.forgotten.iter().filter(|(n, _)| *n == change.n);
            let steps: Vec<Step> = lost.map(|(_, memory)| Step::Add(memory.clone())).collect();
            return (!steps.is_empty()).then_some(steps);
        }
        let view = View { memories: &self.memories, audit: self.log.audit() };
        let mut steps = Vec::new();
        for Touched { id, before } in change.records.iter().rev() {
            let current = view.find(id);
            match before {
                None if current.is_some() => steps.push(Step::Remove(id.clone())),
                None => {}
                Some(before) => {
                    let before = restored(before, current.map(Arc::as_ref))?;
                    steps.push(if current.is_some() { Step::Put(before) } else { Step::Add(before) });
                }
            }
        }
        Some(steps)
    }

    /// Writes a plan: first into the log, then into the memory file.
    pub(super) fn carry_out(
        &mut self,
        document: &mut Document,
        plan: Plan,
        undoes: Option<u64>,
        now: DateTime<Local>,
    ) -> Result<(), StoreError> {
        let numbers = self.log.audit().next()..;
        let mut lines = Vec::new();
        let changed = plan.changes.iter().any(|change| !change.steps.is_empty());
        let mut places = if changed { document.places() } else { HashMap::new() };
        let mut gone = HashSet::new();
        for (n, Change { kind, by, steps }) in numbers.zip(plan.changes) {
            let mut records = Vec::with_capacity(steps.len());
            for step in steps {
                let (Step::Add(Memory { memory_id: id, .. })
                | Step::Put(Memory { memory_id: id, .. })
                | Step::Remove(id)) = &step;
                let place = places.get(id).copied();
                let before = place.and_then(|place| document.memory_at(place));
                records.push(before.map_or_else(|| Touched::new(id), |memory| Touched::old(memory)));
                match (step, place) {
                    (Step::Add(memory), _) => {
                        places.insert(memory.memory_id.clone(), document.push(memory));
                    }
                    (Step::Put(memory), Some(place)) => {
                        document.change_at(place, |old| *old = memory);
                    }
                    (Step::Put(_), None) => {}
                    (Step::Remove(id), _) => {
                        gone.insert(id);
                    }
                }
            }
            let event = Event::Change { n, change: kind, by, records, hashes: Vec::new(), undoes };
            lines.push(Line::new(event, now));
        }
        document.remove_all(&gone);
        lines.extend(plan.notes.into_iter().map(|note| Line::new(note, now)));
        let path = self.place.log();
        let before = self.log.append(&path, &lines)?;
        if !changed {
            return Ok(());
        }
        self.commit(document).inspect_err(|_| self.log.take_back(&path, before))
    }

    /// Deletes the memories called `ids` with everything that was kept of them; `hashes` stay. Returns what
    /// they were.
    pub fn forget(
        &mut self,
        ids: &[String],
        hashes: impl Fn(&Memory) -> Vec<String>,
        by: By,
        now: DateTime<Local>,
    ) -> Result<Vec<Memory>, StoreError> {
        let _lock = self.lock()?;
        let mut document = self.read()?;
        let wanted: HashSet<String> = ids.iter().cloned().collect();
        let memories: Vec<Memory> = document.remove_all(&wanted);
        if memories.is_empty() {
            return Err(StoreError::UnknownId(ids.first().cloned().unwrap_or_default()));
        }
        // What they had taken the place of holds again.
        for (_, place) in document.places() {
            document.change_at(place, |memory| {
                if memory.governance.superseded_by.as_ref().is_some_and(|by| wanted.contains(by)) {
                    memory.governance.superseded_by = None;
                    memory.governance.valid_to = None;
                }
            });
        }
        let path = self.place.log();
        self.log.refresh(&path)?;
        let n = self.log.audit().next();
        let hashes = memories.iter().flat_map(hashes).collect();
        let records = memories.iter().map(|memory| Touched::new(&memory.memory_id)).collect();
        let event = Event::Change { n, change: Kind::Forget, by, records, hashes, undoes: None };
        self.log.purge(&path, &wanted.iter().map(String::as_str).collect())?;
        self.log.append(&path, &[Line::new(event, now)])?;
        self.commit(&document)?;
        self.forgotten.extend(memories.iter().map(|memory| (n, memory.clone())));
        Ok(memories)
    }

    /// Deletes all memories of this user, with what the audit log knows of them, and returns how many there
    /// were.
    pub fn clear(&mut self, now: DateTime<Local>) -> Result<usize, StoreError> {
        let _lock = self.lock()?;
        let mut document = self.read()?;
        let path = self.place.log();
        self.log.refresh(&path)?;
        let memories = document.memories();
        if memories.is_empty() {
            return Ok(0);
        }
        let n = self.log.audit().next();
        self.log.clear(&path)?;
        let event = Event::Change {
            n,
            change: Kind::Clear,
            by: By::Owner,
            records: vec![],
            hashes: vec![],
            undoes: None,
        };
        self.log.append(&path, &[Line::new(event, now)])?;
        document.clear();
        self.commit(&document)?;
        let pending = self.place.pending();
        if pending.exists() {
            std::fs::remove_dir_all(&pending)
                .map_err(|source| super::io_error("cannot delete", &pending, source))?;
        }
        self.forgotten.extend(memories.iter().map(|memory| (n, Memory::clone(memory))));
        Ok(memories.len())
    }
}

/// A record of the log as a memory again, with the vector of `current` where the text is the same.
fn restored(before: &Value, current: Option<&Memory>) -> Option<Memory> {
    let mut memory = Memory::from_json(before)?;
    let same_text = current.filter(|current| current.text() == memory.text());
    memory.vector = same_text.and_then(|current| current.vector.clone());
    Some(memory)
}
