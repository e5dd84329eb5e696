//! What a checked memory means for those that are there: known already, new, or in the place of an older one.
//!
//! Subject and relation are a slot. In one that holds a single value, a new value supersedes the old one, which
//! is kept and closed. Two memories that are merely alike never touch each other.

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, Local};

use super::wording::{corrects, denies, is_user, words};
use crate::memory::audit::{By, Event, Kind};
use crate::memory::{Fact, Memory, MemoryType, Plan, Step, Upsert, offset_time, time_of};
use crate::relation;
use crate::search::normal;

/// Two memories are the same when so much of their words is.
const SAME_WORDS: f64 = 0.85;
/// But not of fewer words than this.
const FEWEST: usize = 2;

/// Two memories are about the same thing when more than this share of the shorter one's words is in the other.
const SHARED_WORDS: f64 = 0.5;
/// The user's words for having something written over.
const ASKED: [&str; 8] = ["update", "replace", "correct that", "correct it", "更新", "替换", "纠正", "更正"];
/// Where the user's words tell of a change, so many are enough.
const SHARED_WORDS_CORRECTED: f64 = 0.33;
/// Words that do not tell what a memory is about, as they are compared.
const FEELINGS: &str = "likes dislikes loves hates prefers wants does not 不 喜 欢 爱 讨 厌 想 要";

/// A proposal that may become a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    pub upsert: Upsert,
    /// It says that something is no longer so.
    pub negated: bool,
    /// The user's words tell of a change, so it may take the place of what was in its slot.
    pub corrects: bool,
    /// Where in what was said it stands: message and place.
    pub place: (usize, usize),
    /// An instruction that came in somebody else's words: only the user can let it in.
    pub review: bool,
}

/// What a memory says in a slot, in words as they are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    pub subject: String,
    pub relation: String,
    pub object: String,
    /// It says that this is not so any more.
    pub negated: bool,
}

impl Slot {
    fn is_single(&self) -> bool {
        relation::is_single(&self.relation)
    }

    fn subject_key(&self) -> String {
        if is_user(&self.subject) { "user".to_owned() } else { normal(&self.subject) }
    }

    /// Whether both speak of the same relation of the same subject.
    fn shares(&self, other: &Self) -> bool {
        self.relation == other.relation && self.subject_key() == other.subject_key()
    }
}

/// The slot of a memory: its triple, or what its content says in a usual form.
pub fn slot(content: &str, fact: Option<&Fact>) -> Option<Slot> {
    if let Some(Fact { subject, relation, object, .. }) = fact {
        return Some(Slot {
            subject: subject.clone(),
            relation: relation::canonical(relation),
            object: object.clone(),
            negated: false,
        });
    }
    let said = relation::read(content)?;
    Some(Slot {
        subject: said.subject,
        relation: said.relation.to_owned(),
        object: said.object,
        negated: said.negated,
    })
}

/// The slot of a memory that may have one.
fn slot_of(memory: &Memory) -> Option<Slot> {
    if memory.memory_type == MemoryType::Procedural {
        return None;
    }
    slot(&memory.content, memory.governance.fact.as_ref())
}

/// What an object is compared by: without the verbs and articles that models add or leave out.
fn object_key(object: &str) -> String {
    const IN_FRONT: [&str; 15] = [
        "drinking ",
        "eating ",
        "playing ",
        "watching ",
        "listening to ",
        "a ",
        "an ",
        "the ",
        "喝",
        "吃",
        "看",
        "听",
        "玩",
        "去",
        "一只",
    ];
    let object = object.trim().to_lowercase();
    let bare = IN_FRONT.iter().find_map(|front| object.strip_prefix(front)).unwrap_or(&object);
    let key = text_key(bare);
    if key.is_empty() { text_key(&object) } else { key }
}

/// Hashes by which a memory that was forgotten is known again: of what it says, and of its slot.
pub fn marks(content: &str, fact: Option<&Fact>) -> Vec<String> {
    let hash = |text: &str| {
        let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
        digest.as_ref().iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let mut marks = vec![hash(&normal(content))];
    if let Some(slot) = slot(content, fact) {
        marks.push(hash(&format!("{} {} {}", slot.subject_key(), slot.relation, object_key(&slot.object))));
    }
    marks
}

/// What became of a checked memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is one that is there.
    Known(Arc<Memory>),
    Added(Memory),
    /// It took the place of older ones.
    Superseded {
        old: Vec<Arc<Memory>>,
        new: Memory,
    },
}

/// Decides what `checked` means among `memories`; a new memory is called `id`. Also gives the plan that brings it
/// about: one change, or the note that what is known was said again.
pub fn settle(
    memories: &[Arc<Memory>],
    checked: Checked,
    id: String,
    by: By,
    now: DateTime<Local>,
) -> (Outcome, Plan) {
    let Checked { upsert, negated, corrects, .. } = checked;
    let evidence = upsert.governance.evidence.clone();
    let mut new = Memory::new(upsert, id, now);
    let current: Vec<&Arc<Memory>> = memories.iter().filter(|memory| memory.governance.holds(now)).collect();
    let slot = slot_of(&new);
    if negated {
        new.governance.fact = None;
    }
    let is_known = |old: &&Arc<Memory>| match negated {
        true => text_key(&old.content) == text_key(&new.content),
        false => is_same(old, &new, slot.as_ref()),
    };
    if let Some(known) = current.iter().copied().find(is_known) {
        let note = Event::Evidence { id: known.memory_id.clone(), evidence: evidence.unwrap_or_default() };
        return (Outcome::Known(Arc::clone(known)), Plan { changes: Vec::new(), notes: vec![note] });
    }
    let begins = new.governance.valid_from.as_deref().and_then(time_of);
    let later = begins.is_some_and(|begins| begins > now.fixed_offset());
    // A model's triple alone ends nothing: the sentence says so in a usual form, or the user tells of a change.
    let ends = corrects || relation::read(&new.content).is_some();
    let old: Vec<Arc<Memory>> = match &slot {
        // What will be so one day does not end what is so today.
        Some(slot) if !later => {
            let gives_way = |old: &&Arc<Memory>| gives_way(old, slot, negated, ends);
            current.into_iter().filter(gives_way).map(Arc::clone).collect()
        }
        _ => Vec::new(),
    };
    if old.is_empty() {
        let plan = Plan::one(Kind::Upsert, by, vec![Step::Add(new.clone())]);
        return (Outcome::Added(new), plan);
    }
    let end = new.governance.valid_from.clone().unwrap_or_else(|| offset_time(now));
    let closed = old.iter().map(|old| Step::Put(superseded(old, &new.memory_id, &end)));
    let steps = std::iter::once(Step::Add(new.clone())).chain(closed).collect();
    (Outcome::Superseded { old, new }, Plan::one(Kind::Supersede, by, steps))
}

/// `old` as it is once `by` holds from `end` on.
pub(super) fn superseded(old: &Memory, by: &str, end: &str) -> Memory {
    let mut old = old.clone();
    old.governance.valid_to = Some(end.to_owned());
    old.governance.superseded_by = Some(by.to_owned());
    old
}

/// Whether two memories say the same.
pub(super) fn is_same(old: &Memory, new: &Memory, new_slot: Option<&Slot>) -> bool {
    if text_key(&old.content) == text_key(&new.content) {
        return true;
    }
    let same_words = old.memory_type == new.memory_type && has_same_words(&old.content, &new.content);
    if let (Some(old), Some(new)) = (slot_of(old), new_slot) {
        let (one, other) = (object_key(&old.object), object_key(&new.object));
        // "Chengdu" says no more than "Chengdu, China", which is known already.
        let same_object = one == other || (new.is_single() && one.contains(&other));
        if old.shares(new) && !old.negated {
            return same_object || (!new.is_single() && same_words);
        }
        // Who and whom are not to be confused: of the same words, one of the two has to be about the user.
        let users = |slot: &Slot| {
            is_user(&slot.subject) || slot.subject.contains("user") || slot.subject.contains("用户")
        };
        if old.subject_key() != new.subject_key() && !users(&old) && !users(new) {
            return false;
        }
    }
    same_words
}

/// What a text is compared by; what is written together, such as an address or a version, as a whole.
fn text_key(text: &str) -> String {
    let letters: Vec<char> = text.chars().map(crate::fold::character).flat_map(char::to_lowercase).collect();
    let joins = |place: usize| {
        let neighbour = |place: Option<usize>| {
            place.and_then(|place| letters.get(place)).is_some_and(char::is_ascii_alphanumeric)
        };
        "._-@+/:".contains(letters[place]) && neighbour(place.checked_sub(1)) && neighbour(Some(place + 1))
    };
    (0..letters.len())
        .filter(|place| letters[*place].is_alphanumeric() || joins(*place))
        .map(|place| letters[place])
        .collect()
}

/// Whether nearly all words are the same, and all that tell things apart.
fn has_same_words(one: &str, other: &str) -> bool {
    let (one_words, other_words) = (words(one), words(other));
    let tells = |word: &&String| word.chars().any(|letter| letter.is_ascii_digit());
    if denies(one) != denies(other) || one_words.symmetric_difference(&other_words).any(|word| tells(&word)) {
        return false;
    }
    let shared = one_words.intersection(&other_words).count();
    let all = one_words.union(&other_words).count();
    shared >= FEWEST && shared as f64 >= SAME_WORDS * all as f64
}

/// Whether `old` no longer holds once `new` does.
fn gives_way(old: &Memory, new: &Slot, negated: bool, ends: bool) -> bool {
    let Some(slot) = slot_of(old).filter(|slot| !slot.negated) else { return false };
    let same_object = object_key(&slot.object) == object_key(&new.object);
    if slot.subject_key() != new.subject_key() {
        return false;
    }
    match slot.relation == new.relation {
        true if negated => same_object,
        true => ends && new.is_single(),
        false => same_object && relation::opposite(&new.relation) == Some(slot.relation.as_str()),
    }
}

/// Whether `content` may be written over `old`, which a model has named: it is about the same thing, or the user's
/// `message` tells of a change. Models name any memory that they were shown, and what it said would be lost.
pub fn may_replace(old: &Memory, content: &str, message: &str) -> bool {
    let asked = message.to_lowercase();
    if ASKED.iter().any(|word| asked.contains(word)) {
        return true;
    }
    let corrects = corrects(message);
    if let (Some(old), Some(new)) = (slot_of(old), slot(content, None))
        && old.shares(&new)
    {
        return corrects || new.is_single() || object_key(&old.object) == object_key(&new.object);
    }
    let telling = |text: &str| -> HashSet<String> {
        words(text).into_iter().filter(|word| !FEELINGS.split(' ').any(|feeling| feeling == word)).collect()
    };
    let (old, new) = (telling(&old.content), telling(content));
    let fewest = old.len().min(new.len());
    if fewest < FEWEST {
        // Too little is said to tell what it is about.
        return true;
    }
    let shared = old.intersection(&new).count() as f64 / fewest as f64;
    shared > SHARED_WORDS || (corrects && shared >= SHARED_WORDS_CORRECTED)
}

/// A memory that the model's tool call would write, as one that was checked.
pub fn of_tool(upsert: Upsert) -> Checked {
    let negated = slot(&upsert.content, None).is_some_and(|slot| slot.negated);
    Checked { upsert, negated, corrects: false, place: (0, 0), review: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Governance;
    use chrono::TimeZone;

    fn now() -> DateTime<Local> {
        Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap()
    }

    fn run(contents: &[&str]) -> Vec<Arc<Memory>> {
        let mut memories = Vec::new();
        for (number, content) in contents.iter().enumerate() {
            let checked = of_tool(Upsert::fact((*content).to_owned()));
            let (_, plan) = settle(&memories, checked, number.to_string(), By::Tool, now());
            plan.changes.iter().for_each(|change| change.apply(&mut memories));
        }
        memories
    }

    /// What holds after all that was said.
    #[track_caller]
    fn check(contents: &[&str], expected: &[&str]) {
        let memories = run(contents);
        let holding = memories.iter().filter(|memory| memory.governance.holds(now()));
        assert_eq!(
            holding.map(|memory| memory.content.as_str()).collect::<Vec<_>>(),
            expected,
            "{contents:?}"
        );
    }

    #[test]
    fn what_holds_in_the_end() {
        check(&["用户住在成都", "用户住在成都。"], &["用户住在成都"]);
        check(&["用户住在成都", "用户住在上海"], &["用户住在上海"]);
        check(&["用户住在成都", "用户住在上海", "用户住在成都"], &["用户住在成都"]);
        check(&["The user lives in Paris", "The user lives in Berlin."], &["The user lives in Berlin."]);
        check(&["用户喜欢咖啡", "用户喜欢茶"], &["用户喜欢咖啡", "用户喜欢茶"]);
        check(&["用户喜欢咖啡", "用户喜欢喝咖啡"], &["用户喜欢咖啡"]);
        check(&["用户喜欢咖啡", "用户不喜欢咖啡"], &["用户不喜欢咖啡"]);
        check(&["用户住在成都", "用户的姐姐住在上海"], &["用户住在成都", "用户的姐姐住在上海"]);
        check(&["用户有三只猫", "用户有两只狗"], &["用户有三只猫", "用户有两只狗"]);
    }

    #[test]
    fn a_model_may_not_write_over_what_is_about_something_else() {
        for (old, new, message, expected) in [
            (
                "The user's cat is called Pixel",
                "The user's parrot is called Coco",
                "My parrot is called Coco.",
                false,
            ),
            (
                "The user dislikes meetings before ten",
                "The user dislikes coriander",
                "I hate coriander",
                false,
            ),
            (
                "The user's dentist is called Dr. Okafor",
                "The user's dentist is Dr. Silva",
                "It is Dr. Silva",
                true,
            ),
            ("The user lives in Paris", "The user lives in Berlin", "I live in Berlin", true),
            (
                "The user has a cat called Pixel",
                "The user's cat Pixel is three years old",
                "She is three",
                true,
            ),
            ("The user likes tea", "The user likes coffee", "Actually I like coffee", true),
            ("The user likes tea", "The user likes coffee", "I like coffee", false),
            ("用户的猫叫像素", "用户有一只鹦鹉叫可可", "我养了一只鹦鹉，叫可可。", false),
            ("用户不喜欢十点之前开会", "用户不喜欢香菜", "请记住：我讨厌香菜。", false),
            ("用户的牙医叫周敏", "用户的牙医叫王磊", "我换牙医了", true),
            ("用户住在厦门", "用户住在青岛", "我住在青岛", true),
            ("用户不喜欢十点之前开会", "用户开一辆比亚迪", "我把沃尔沃卖了，现在开比亚迪。", false),
            (
                "The user drives a Volvo V60",
                "The user drives a Renault Zoe",
                "I now drive a Renault Zoe",
                true,
            ),
            ("用户对花生过敏", "用户对花生过敏。", "我对花生过敏", true),
            (
                "The user likes tea",
                "The user likes long walks at night",
                "Update what I like: long walks",
                true,
            ),
            ("first", "second thing of all", "x", true),
        ] {
            let old = Memory { content: old.into(), ..run(&["x"])[0].as_ref().clone() };
            assert_eq!(may_replace(&old, new, message), expected, "{new}");
        }
    }

    #[test]
    fn an_older_memory_is_closed_and_kept() {
        let memories = run(&["用户住在成都", "用户住在上海"]);
        let old = &memories[0].governance;
        assert_eq!(old.superseded_by.as_deref(), Some("1"));
        assert_eq!(old.valid_to.as_deref().and_then(time_of), Some(now().fixed_offset()));
    }

    #[test]
    fn what_is_forgotten_is_known_again_in_other_words() {
        let of = |content: &str| marks(content, None);
        let shared = |one: &str, other: &str| of(one).iter().any(|mark| of(other).contains(mark));
        assert!(shared("用户住在成都", "用户目前住在成都。"));
        assert!(!shared("用户住在成都", "用户住在上海"));
        let fact = Fact {
            subject: "user".into(),
            relation: "residence".into(),
            object: "成都".into(),
            ..Fact::default()
        };
        assert!(marks("用户家在成都", Some(&fact)).iter().any(|mark| of("用户住在成都").contains(mark)));
    }

    #[test]
    fn what_will_be_so_does_not_end_what_is() {
        let mut memories = run(&["用户住在成都"]);
        let governance =
            Governance { valid_from: Some("2027-01-01T00:00:00+08:00".into()), ..Governance::default() };
        let checked = of_tool(Upsert { governance, ..Upsert::fact("用户住在上海".into()) });
        let (outcome, plan) = settle(&memories, checked, "n".into(), By::Encode, now());
        assert!(matches!(outcome, Outcome::Added(_)), "{outcome:?}");
        plan.changes.iter().for_each(|change| change.apply(&mut memories));
        assert_eq!(memories.iter().filter(|memory| memory.governance.holds(now())).count(), 2);
    }
}
