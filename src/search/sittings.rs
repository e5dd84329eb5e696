//! Memories that belong together: those of one sitting, which share their context and follow each other
//! closely in time.

use std::collections::HashMap;

use chrono::NaiveDateTime;

use crate::memory::Memory;

/// A longer pause begins another sitting, in seconds.
const PAUSE: i64 = 60 * 60;
/// How much of the better neighbour's evidence, and of its sitting's, a memory gets.
const NEIGHBOUR: f32 = 0.5;
const SITTING: f32 = 0.5;
/// The best of a sitting that speak for it.
const SPEAKERS: usize = 3;

/// Who was said when, by context.
#[derive(Debug, Default)]
pub struct Sittings {
    /// For each context its memories in the order of time: seconds and place.
    contexts: HashMap<String, Vec<(i64, u32)>>,
}

impl Sittings {
    /// Adds the memory at `place`. One without a context or a time belongs to no other.
    pub fn push(&mut self, place: usize, memory: &Memory) {
        let context = memory.context.trim();
        let Some(time) = seconds(&memory.created_at).filter(|_| !context.is_empty()) else { return };
        let entry = (time, place as u32);
        match self.contexts.get_mut(context) {
            Some(known) => known.insert(known.partition_point(|other| *other < entry), entry),
            None => {
                self.contexts.insert(context.to_owned(), vec![entry]);
            }
        }
    }

    /// Adds to each memory's evidence some of that of the memories around it.
    pub fn lift(&self, evidence: &mut [f32]) {
        let total = evidence.len() as f32;
        let before = evidence.to_vec();
        let of = |entry: &(i64, u32)| before[entry.1 as usize].max(0.0);
        let sittings = self.contexts.values().flat_map(|known| known.chunk_by(|a, b| b.0 - a.0 <= PAUSE));
        for sitting in sittings.filter(|sitting| sitting.len() > 1) {
            let mut best: Vec<f32> = sitting.iter().map(of).collect();
            best.sort_unstable_by(|a, b| b.total_cmp(a));
            let speakers = best.iter().take(SPEAKERS).sum::<f32>() / SPEAKERS as f32;
            // Where all memories are of one sitting, that says nothing.
            let sitting_lift = SITTING * speakers * (1.0 - sitting.len() as f32 / total);
            for (number, entry) in sitting.iter().enumerate() {
                let earlier = number.checked_sub(1).and_then(|before| sitting.get(before)).map_or(0.0, of);
                let later = sitting.get(number + 1).map_or(0.0, of);
                evidence[entry.1 as usize] += NEIGHBOUR * earlier.max(later) + sitting_lift;
            }
        }
    }
}

/// The seconds of a local ISO-8601 time.
fn seconds(time: &str) -> Option<i64> {
    let time = NaiveDateTime::parse_from_str(time.get(..19)?, "%Y-%m-%dT%H:%M:%S").ok()?;
    Some(time.and_utc().timestamp())
}
