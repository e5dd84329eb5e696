//! Changes as values: decided here and there, carried out by `store`.

use std::sync::Arc;

use super::Memory;
use super::audit::{By, Event, Kind};

/// What happens to one record.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Add(Memory),
    /// Over the memory of the same id.
    Put(Memory),
    Remove(String),
}

/// One change: it comes about as a whole, and is taken back as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub kind: Kind,
    pub by: By,
    pub steps: Vec<Step>,
}

/// Changes, and what else is to be written down.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    pub changes: Vec<Change>,
    pub notes: Vec<Event>,
}

impl Plan {
    /// A plan of one change.
    pub fn one(kind: Kind, by: By, steps: Vec<Step>) -> Self {
        Self { changes: vec![Change { kind, by, steps }], notes: Vec::new() }
    }
}

impl Change {
    /// Lets `memories` be what they are after the change.
    pub fn apply(&self, memories: &mut Vec<Arc<Memory>>) {
        for step in &self.steps {
            match step {
                Step::Add(memory) => memories.push(Arc::new(memory.clone())),
                Step::Put(memory) => {
                    let old = memories.iter_mut().find(|old| old.memory_id == memory.memory_id);
                    if let Some(old) = old {
                        *old = Arc::new(memory.clone());
                    }
                }
                Step::Remove(id) => memories.retain(|memory| memory.memory_id != *id),
            }
        }
    }
}
