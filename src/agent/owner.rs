//! What the owner of the memories does with them, by hand.

use std::sync::Arc;

use chrono::{DateTime, Local};

use super::Agent;
use crate::embed::EmbedError;
use crate::memory::{Memory, Upsert};
use crate::store::{StoreError, Written};

/// A memory that was written by hand.
#[derive(Debug)]
pub struct ByHand {
    pub short_id: String,
    pub written: Written,
    /// Why it has no vector yet.
    pub problem: Option<EmbedError>,
}

impl Agent {
    /// All memories with their short ids, in file order.
    pub fn listed(&mut self) -> Result<Vec<(String, Arc<Memory>)>, StoreError> {
        let Self { store, ids, .. } = self;
        let memories = store.memories()?;
        Ok(memories.iter().map(|memory| (ids.short(&memory.memory_id), Arc::clone(memory))).collect())
    }

    /// The memory that `id` names, short or whole.
    pub fn named(&mut self, id: &str) -> Result<Option<(String, Arc<Memory>)>, StoreError> {
        let listed = self.listed()?;
        let wanted = self.ids.resolve(id).to_owned();
        Ok(listed.into_iter().find(|(_, memory)| memory.memory_id == wanted))
    }

    /// Keeps `content` as a new memory.
    pub async fn remember(&mut self, content: &str, now: DateTime<Local>) -> Result<ByHand, StoreError> {
        self.write(Upsert::fact(content.to_owned()), now).await
    }

    /// Lets `memory` say `content` from now on.
    pub async fn edit(
        &mut self,
        memory: &Memory,
        content: &str,
        now: DateTime<Local>,
    ) -> Result<ByHand, StoreError> {
        self.write(Upsert::rewrite(memory, content.to_owned()), now).await
    }

    /// Deletes the memory called `memory_id`, with its vector.
    pub fn forget(&mut self, memory_id: &str) -> Result<Memory, StoreError> {
        self.store.forget(memory_id)
    }

    async fn write(&mut self, mut upsert: Upsert, now: DateTime<Local>) -> Result<ByHand, StoreError> {
        let problem = self.recall.embedder().complete(&mut upsert).await.err();
        let written = self.store.upsert(upsert, now)?;
        Ok(ByHand { short_id: self.ids.short(&written.memory.memory_id), written, problem })
    }
}
