//! Strength: what is used and what matters stands a little before its equals.

use chrono::{DateTime, FixedOffset, Local};

use super::{Memory, time_of};

/// What is left of freshness after an hour without use.
const FADING: f64 = 0.995;
/// How far apart strength may move two memories of the same relevance.
const REACH: f64 = 0.15;

/// No strength is above this.
pub const STRONGEST: f64 = 1.0 + REACH;

/// How often a memory has entered an answer, and when last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uses {
    pub count: usize,
    pub last: DateTime<FixedOffset>,
}

/// What the relevance of `memory` is multiplied with for the order of hits: 1 for one of usual importance
/// that has not been used for long, and never more than 15 % above another's.
pub fn strength(memory: &Memory, uses: Option<&Uses>, now: DateTime<Local>) -> f64 {
    let written = || time_of(&memory.updated_at);
    let last = uses.map(|uses| uses.last).or_else(written);
    let hours = last.map(|last| (now.fixed_offset() - last).num_minutes().max(0) as f64 / 60.0);
    let freshness = hours.map_or(0.0, |hours| FADING.powf(hours));
    let importance = f64::from(memory.governance.importance() - 1) / 9.0;
    // Both halves together go from 0 to 1, so the factor goes from `lowest` to `lowest * (1 + REACH)`.
    let usual = f64::from(super::governance::USUAL_IMPORTANCE - 1) / 9.0 / 2.0;
    let lowest = 1.0 / (1.0 + REACH * usual);
    lowest * (1.0 + REACH * f64::midpoint(freshness, importance))
}

#[cfg(test)]
mod tests {
    use super::super::{Governance, Upsert};
    use super::*;
    use chrono::{Duration, TimeZone};

    fn now() -> DateTime<Local> {
        Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap()
    }

    fn memory(importance: Option<u8>, age: Duration) -> Memory {
        let governance = Governance { importance, ..Governance::default() };
        let upsert = Upsert { governance, ..Upsert::fact("x".into()) };
        Memory::new(upsert, "a".into(), now() - age)
    }

    #[test]
    fn near_equals_move_by_at_most_fifteen_percent() {
        let old = Duration::days(3650);
        let usual = strength(&memory(None, old), None, now());
        assert!((usual - 1.0).abs() < 1e-9);
        let weakest = strength(&memory(Some(1), old), None, now());
        let strongest = strength(&memory(Some(10), Duration::zero()), None, now());
        assert!((strongest / weakest - 1.15).abs() < 1e-9, "{strongest} {weakest}");
    }

    #[test]
    fn use_and_importance_lift() {
        let old = Duration::days(365);
        let unused = strength(&memory(None, old), None, now());
        let uses = Uses { count: 1, last: (now() - Duration::hours(1)).fixed_offset() };
        assert!(strength(&memory(None, old), Some(&uses), now()) > unused);
        assert!(strength(&memory(Some(9), old), None, now()) > unused);
        // A clock that went backwards, and a time that is none, do no harm.
        let ahead = Uses { count: 1, last: (now() + Duration::days(9)).fixed_offset() };
        assert!(strength(&memory(None, old), Some(&ahead), now()) < 1.1);
        let undated = Memory { updated_at: "?".into(), ..memory(None, old) };
        assert!((strength(&undated, None, now()) - 1.0).abs() < 1e-9);
    }
}
