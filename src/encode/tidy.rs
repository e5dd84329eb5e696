//! Growth kept in hand: what says the same becomes one, what is over is closed, old episodes of a day become one.
//!
//! Every step is a change that can be taken back. Nothing goes because its score is low.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::{DateTime, Duration, Local};

use super::settle::{is_same, slot, superseded};
use crate::memory::audit::{By, Kind};
use crate::memory::{
    Change, Governance, Memory, MemoryType, Source, Step, TEXT_LIMIT, Upsert, offset_time, time_of,
};
use crate::search::normal;

/// Episodes younger than this stay as they are.
const FOLDED_AFTER: Duration = Duration::days(30);
/// Episodes of one thread and day that are worth folding.
const FOLDED_FROM: usize = 3;

/// The changes that tidy `memories` up; new memories are called what `new_id` says.
pub fn tidy(
    memories: &[Arc<Memory>],
    new_id: &mut dyn FnMut() -> String,
    now: DateTime<Local>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut current: Vec<Arc<Memory>> = memories.to_vec();
    for steps in [merges(&current, now), expiries(&current, now)] {
        for (kind, steps) in steps {
            let change = Change { kind, by: By::Tidy, steps };
            change.apply(&mut current);
            changes.push(change);
        }
    }
    for steps in folds(&current, new_id, now) {
        changes.push(Change { kind: Kind::Fold, by: By::Tidy, steps });
    }
    changes
}

/// Duplicates: the older one stays, and the newer one is superseded by it.
fn merges(memories: &[Arc<Memory>], now: DateTime<Local>) -> Vec<(Kind, Vec<Step>)> {
    // Only what shares its words or its slot can be the same; no pair is looked at that does not.
    let mut groups: HashMap<String, Vec<&Arc<Memory>>> = HashMap::new();
    for memory in memories.iter().filter(|memory| memory.governance.holds(now)) {
        let slot = slot(&memory.content, memory.governance.fact.as_ref());
        let key = slot.map_or_else(
            || normal(&memory.content),
            |slot| format!("{}\n{}", normal(&slot.subject), slot.relation),
        );
        groups.entry(key).or_default().push(memory);
    }
    let mut steps = Vec::new();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let mut kept: Vec<&Arc<Memory>> = Vec::new();
        for memory in group {
            let slot = slot(&memory.content, memory.governance.fact.as_ref());
            match kept.iter().find(|old| is_same(old, memory, slot.as_ref())) {
                Some(old) => steps.push((memory.created_at.clone(), merge(old, memory, now))),
                None => kept.push(memory),
            }
        }
    }
    // In the order of the file, whatever the order of the groups.
    steps.sort_by(|(one, _), (other, _)| one.cmp(other));
    steps.into_iter().map(|(_, steps)| (Kind::Merge, steps)).collect()
}

fn merge(old: &Memory, new: &Memory, now: DateTime<Local>) -> Vec<Step> {
    let mut kept = old.clone();
    kept.governance.pinned |= new.governance.pinned;
    kept.governance.importance = kept.governance.importance.max(new.governance.importance);
    let closed = Step::Put(superseded(new, &old.memory_id, &offset_time(now)));
    if kept == *old { vec![closed] } else { vec![Step::Put(kept), closed] }
}

/// What has expired is closed at the time it did.
fn expiries(memories: &[Arc<Memory>], now: DateTime<Local>) -> Vec<(Kind, Vec<Step>)> {
    let is_over = |end: &str| time_of(end).is_some_and(|end| end <= now.fixed_offset());
    let open = memories.iter().filter(|memory| memory.governance.valid_to.is_none());
    open.filter_map(|memory| {
        let end = memory.governance.expires_at.as_deref().filter(|end| is_over(end))?;
        let governance = Governance { valid_to: Some(end.to_owned()), ..memory.governance.clone() };
        Some((Kind::Expire, vec![Step::Put(Memory { governance, ..Memory::clone(memory) })]))
    })
    .collect()
}

/// Old episodes that were extracted on the same day become one, which holds what they said.
fn folds(
    memories: &[Arc<Memory>],
    new_id: &mut dyn FnMut() -> String,
    now: DateTime<Local>,
) -> Vec<Vec<Step>> {
    let mut days: BTreeMap<(String, String), Vec<&Arc<Memory>>> = BTreeMap::new();
    let is_old = |memory: &Memory| {
        time_of(&memory.created_at).is_some_and(|time| now.fixed_offset() - time > FOLDED_AFTER)
    };
    for memory in memories.iter().filter(|memory| {
        memory.memory_type == MemoryType::Episodic
            && memory.governance.source == Source::Extracted
            && memory.governance.fact.is_none()
            && !memory.governance.pinned
            && memory.governance.holds(now)
            && is_old(memory)
    }) {
        let thread = memory.governance.evidence.as_ref().map(|evidence| evidence.thread.clone());
        let day: String = memory.created_at.chars().take(10).collect();
        days.entry((day, thread.unwrap_or_default())).or_default().push(memory);
    }
    days.into_iter()
        .filter(|(_, episodes)| episodes.len() >= FOLDED_FROM)
        .filter_map(|((day, _), episodes)| fold(&day, &episodes, new_id(), now))
        .collect()
}

fn fold(day: &str, episodes: &[&Arc<Memory>], id: String, now: DateTime<Local>) -> Option<Vec<Step>> {
    let said: Vec<&str> = episodes.iter().map(|memory| memory.content.as_str()).collect();
    let content = said.join("\n");
    if content.chars().count() > TEXT_LIMIT {
        return None;
    }
    let first = episodes.first()?;
    let governance = Governance {
        source: Source::Extracted,
        importance: episodes.iter().filter_map(|memory| memory.governance.importance).max(),
        evidence: first.governance.evidence.clone(),
        valid_from: first.governance.valid_from.clone(),
        ..Governance::default()
    };
    let upsert = Upsert {
        context: day.to_owned(),
        memory_type: MemoryType::Episodic,
        governance,
        ..Upsert::fact(content)
    };
    let mut folded = Memory::new(upsert, id, now);
    folded.created_at = first.created_at.clone();
    let end = offset_time(now);
    let closed = episodes.iter().map(|memory| Step::Put(superseded(memory, &folded.memory_id, &end)));
    Some(std::iter::once(Step::Add(folded.clone())).chain(closed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    fn now() -> DateTime<Local> {
        Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap()
    }

    fn memory(id: &str, content: &str, age: i64, governance: Governance) -> Arc<Memory> {
        let upsert = Upsert { governance, ..Upsert::fact(content.to_owned()) };
        Arc::new(Memory::new(upsert, id.to_owned(), now() - Duration::days(age)))
    }

    fn tidied(memories: &[Arc<Memory>]) -> (Vec<Kind>, Vec<Arc<Memory>>) {
        let mut after = memories.to_vec();
        let changes = tidy(memories, &mut || "new".to_owned(), now());
        changes.iter().for_each(|change| change.apply(&mut after));
        let again = tidy(&after, &mut || "again".to_owned(), now());
        assert_eq!(again, [], "what is tidy stays as it is");
        (changes.iter().map(|change| change.kind).collect(), after)
    }

    #[test]
    fn the_same_becomes_one() {
        let pinned = Governance { pinned: true, ..Governance::default() };
        let memories = [
            memory("a", "用户住在成都", 9, Governance::default()),
            memory("b", "用户目前住在成都。", 5, pinned),
            memory("c", "用户的姐姐住在成都", 3, Governance::default()),
        ];
        let (kinds, after) = tidied(&memories);
        assert_eq!(kinds, [Kind::Merge]);
        assert!(after[0].governance.pinned && after[0].governance.holds(now()));
        assert_eq!(after[1].governance.superseded_by.as_deref(), Some("a"));
    }

    #[test]
    fn what_is_over_is_closed_and_kept() {
        let over =
            Governance { expires_at: Some("2026-11-01T00:00:00+00:00".into()), ..Governance::default() };
        let (kinds, after) = tidied(&[memory("a", "x", 60, over)]);
        assert_eq!(kinds, [Kind::Expire]);
        assert_eq!(after[0].governance.valid_to.as_deref(), Some("2026-11-01T00:00:00+00:00"));
    }

    #[test]
    fn old_episodes_of_a_day_become_one() {
        let episode = |id: &str, age| {
            let governance = Governance { source: Source::Extracted, ..Governance::default() };
            let mut episode = Memory::clone(&memory(id, &format!("用户问了 {id}"), age, governance));
            episode.memory_type = MemoryType::Episodic;
            Arc::new(episode)
        };
        let old = [episode("a", 40), episode("b", 40), episode("c", 40), episode("d", 1), episode("e", 50)];
        let (kinds, after) = tidied(&old);
        assert_eq!(kinds, [Kind::Fold]);
        let folded = after.last().unwrap();
        assert_eq!(folded.content, "用户问了 a\n用户问了 b\n用户问了 c");
        assert_eq!(after.iter().filter(|memory| memory.governance.holds(now())).count(), 3);
    }
}
