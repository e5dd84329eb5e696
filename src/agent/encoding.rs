//! Encoding beside the conversation: what was said waits on disk, is asked about while nothing else goes on, and
//! what comes back is checked, settled and written.
//!
//! A failure never disturbs the conversation and is never taken for "nothing to remember": what could not be
//! asked waits for the next turn or the next start.

mod proposing;

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::Arc;

use chrono::{DateTime, Local};
use uuid::Uuid;

use super::{Agent, Mode};
use crate::encode::{self, Checked, Context, Outcome, Proposals, Refusal, proposal, secrets};
use crate::memory::audit::{By, Event as Note};
use crate::memory::{Evidence, Governance, Memory, MemoryType, Plan, Source, Upsert, offset_time, time_of};
use crate::search::normal;
use crate::store::{Pending, Said, StoreError};
use crate::thread::{self, Line, Titled};
use proposing::{Answer, Failed, propose};

/// Turns that one request asks about, and the characters of their messages together.
const TURNS: usize = 4;
const CHARACTERS: usize = 4000;
/// Memories shown as known already.
const RELATED: usize = 5;
/// Turns that wait at most, where no request succeeds; the oldest go first.
const WAITING: usize = 256;
/// So many that wait are worth a pause of a script that makes none.
const MANY: usize = 16;
/// Importance of an episode that no model has judged.
const EPISODE_IMPORTANCE: u8 = 3;
/// Times that a request is tried for the same turns in one session.
const TRIES: usize = 3;

/// Something the user should know of.
#[derive(Debug, Clone, PartialEq)]
pub enum Encoded {
    Remembered {
        short_id: String,
        content: String,
    },
    Superseded {
        old: String,
        new: String,
        content: String,
    },
    /// It waits for the user's word.
    Queued {
        content: String,
    },
    /// No request succeeds; what was said waits for the next start.
    Failing,
}

type Asking = Pin<Box<dyn Future<Output = Answer>>>;

/// What waits, and what is under way.
#[derive(Default)]
pub struct Encoding {
    pending: Option<Pending>,
    asking: Option<Asking>,
    answered: Option<Answer>,
    failures: usize,
    /// The memories that the last request has shown.
    shown: String,
}

impl std::fmt::Debug for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoding").field("pending", &self.pending).finish_non_exhaustive()
    }
}

impl Agent {
    /// Opens what earlier processes have left to encode.
    pub fn open_pending(&mut self) -> Result<(), StoreError> {
        if self.encodes() && self.encoding.pending.is_none() {
            self.encoding.pending = Some(self.store.pending()?);
        }
        Ok(())
    }

    fn encodes(&self) -> bool {
        self.options.encode && self.mode == Mode::Full
    }

    /// Whether something waits to be encoded.
    pub fn has_to_encode(&self) -> bool {
        let waits = self.encoding.pending.as_ref().is_some_and(|pending| !pending.turns().is_empty());
        self.encodes() && (self.encoding.answered.is_some() || (waits && self.encoding.failures < TRIES))
    }

    /// Whether so much waits to be encoded that it should not wait for a pause.
    pub fn has_much_to_encode(&self) -> bool {
        let waits = self.encoding.pending.as_ref().map_or(0, |pending| pending.turns().len());
        waits >= MANY && self.has_to_encode()
    }

    /// Puts a finished turn among those that wait, if there may be something to remember in it that `written`
    /// memories do not say yet.
    pub(super) fn put_off(
        &mut self,
        user: &str,
        answer: &str,
        written: &[String],
        number: usize,
        now: DateTime<Local>,
    ) -> Result<(), StoreError> {
        if !self.encodes() {
            return Ok(());
        }
        self.keep_episode(user, number, now)?;
        if let Some(skip) = encode::worth::skip(user) {
            tracing::debug!(reason = skip.name(), "nothing to encode");
            return Ok(());
        }
        if encode::is_covered(user, written) {
            tracing::debug!("everything said was written already");
            return Ok(());
        }
        self.encoding.failures = 0;
        // What nobody should know is not even asked about.
        let said = Said {
            at: offset_time(now),
            user: secrets::clean(user),
            answer: secrets::clean(answer),
            thread: self.thread().id.clone(),
            turn: number,
        };
        self.open_pending()?;
        let Some(pending) = &mut self.encoding.pending else { return Ok(()) };
        let surplus = (pending.turns().len() + 1).saturating_sub(WAITING);
        if surplus > 0 {
            pending.done(surplus)?;
        }
        pending.push(said)
    }

    /// Keeps what happened in a turn that states nothing, where that may be asked about another day.
    fn keep_episode(&mut self, user: &str, number: usize, now: DateTime<Local>) -> Result<(), StoreError> {
        let (thread, turn) = (self.thread().id.clone(), number.to_string());
        let graph = self.recall.graph(&mut self.store)?;
        let names = || !graph.mentioned(user).is_empty();
        let Some(content) = encode::local_episode(user, names) else { return Ok(()) };
        let governance = Governance {
            source: Source::Extracted,
            importance: Some(EPISODE_IMPORTANCE),
            evidence: Some(Evidence { thread, turn, quote: content.clone() }),
            valid_from: Some(offset_time(now)),
            ..Governance::default()
        };
        let upsert = Upsert { memory_type: MemoryType::Episodic, governance, ..Upsert::fact(content) };
        let checked = encode::of_tool(upsert);
        self.store.change(now, |view| {
            let id = Uuid::new_v4().to_string();
            let (_, plan) = encode::settle(view.memories, checked, id, By::Encode, now);
            ((), plan)
        })
    }

    /// A turn begins. A server on this machine answers one at a time, so it is not kept busy with another matter.
    pub(super) fn make_way(&mut self) {
        if self.chat.endpoint().base_url.is_local() {
            self.encoding.asking = None;
        }
    }

    /// Forgets what waits and does not fit.
    pub(super) fn retain_pending(&mut self, keep: impl Fn(&Said) -> bool) -> Result<(), StoreError> {
        let Some(pending) = &mut self.encoding.pending else { return Ok(()) };
        let before = pending.turns().len();
        pending.retain(keep)?;
        if pending.turns().len() < before {
            self.encoding.asking = None;
            self.encoding.answered = None;
        }
        Ok(())
    }

    /// Forgets what waits.
    pub(super) fn drop_pending(&mut self) -> Result<(), StoreError> {
        self.encoding.asking = None;
        self.encoding.answered = None;
        self.encoding.pending.as_mut().map_or(Ok(()), Pending::clear)
    }

    /// Asks about what waits, and writes what comes of it. Dropped before it is done, it goes on from there
    /// when it is called again. Waits for ever when there is nothing to do.
    pub async fn encoded(&mut self, clock: fn() -> DateTime<Local>) -> Result<Vec<Encoded>, StoreError> {
        if self.mode != Mode::Full {
            // What comes of it is written once that is wanted again.
            return std::future::pending().await;
        }
        if self.encoding.answered.is_none() {
            if self.encoding.asking.is_none() {
                self.encoding.asking = self.ask_about_next(clock()).await;
            }
            let Some(asking) = &mut self.encoding.asking else { return std::future::pending().await };
            self.encoding.answered = Some(asking.await);
            self.encoding.asking = None;
        }
        let Some(answer) = &self.encoding.answered else { return Ok(Vec::new()) };
        let (turns, lessons) = (answer.turns, answer.lessons.clone());
        self.chat.teach(&lessons);
        let notes = match answer.result.clone() {
            Ok(proposals) => {
                self.entitle(&proposals, turns, clock());
                let encoded = self.commit(proposals, turns, clock()).await?;
                self.encoding.failures = 0;
                self.finish(turns)?;
                return Ok(encoded);
            }
            Err(Failed::Malformed) => {
                self.finish(turns)?;
                "malformed"
            }
            Err(Failed::Request) => {
                self.encoding.failures += 1;
                self.encoding.answered = None;
                "failed"
            }
        };
        self.store.note(Note::Encoded { outcome: notes.to_owned() }, clock())?;
        Ok(if self.encoding.failures == TRIES { vec![Encoded::Failing] } else { Vec::new() })
    }

    /// The first `turns` that wait are done.
    fn finish(&mut self, turns: usize) -> Result<(), StoreError> {
        self.encoding.answered = None;
        self.encoding.pending.as_mut().map_or(Ok(()), |pending| pending.done(turns))
    }

    /// A request about the turns that have waited longest; `None` when none do.
    async fn ask_about_next(&mut self, now: DateTime<Local>) -> Option<Asking> {
        if !self.has_to_encode() {
            return None;
        }
        let turns = self.next_turns();
        let said: String = turns.iter().map(|said| format!("{}\n", said.user)).collect();
        let found = self.recall.find(&mut self.store, &said, None, RELATED, now).await.ok();
        let related: Vec<(String, Arc<Memory>)> = found
            .iter()
            .flat_map(|found| &found.hits)
            .filter(|hit| hit.relevance >= self.options.min_relevance)
            .map(|hit| Arc::clone(self.recall.memory(hit)))
            .map(|memory| (self.ids.short(&memory.memory_id), memory))
            .collect();
        let shown: Vec<(String, &str)> =
            related.iter().map(|(id, memory)| (id.clone(), memory.content.as_str())).collect();
        self.encoding.shown = shown.iter().map(|(_, content)| format!("{content}\n")).collect();
        let asked: Vec<proposal::Turn<'_>> =
            turns.iter().map(|said| proposal::Turn { user: &said.user, answer: &said.answer }).collect();
        let title = turns.last().is_some_and(|said| self.wants_title(said));
        let (system, message) = proposal::request(&asked, &shown, title);
        let model = self.options.encode_model.clone().unwrap_or_else(|| self.options.model.clone());
        let (chat, stream) = (self.chat.in_background(), self.options.stream);
        Some(Box::pin(propose(chat, model, stream, (system, message, proposal::schema(title)), turns.len())))
    }

    /// Whether the thread of a turn has no title but the beginning of its first message.
    fn wants_title(&self, said: &Said) -> bool {
        said.thread == self.thread().id && self.thread().titled().is_none()
    }

    /// Gives this thread the title that is proposed for it. One that cannot be had is no loss.
    fn entitle(&mut self, proposals: &Proposals, turns: usize, now: DateTime<Local>) {
        let said =
            self.encoding.pending.as_ref().and_then(|pending| pending.turns().get(turns.checked_sub(1)?));
        let Some(said) = said.filter(|said| self.wants_title(said)) else { return };
        let Some(title) = proposals.title.as_deref().and_then(|title| encode::title(title, &said.user))
        else {
            return;
        };
        let content = thread::shortened(&title);
        let line = Line::Title { at: offset_time(now), content, by: Titled::Model };
        if let Err(error) = self.conversation.say(&self.store, line, now) {
            tracing::debug!(%error, "the title was not written");
        }
    }

    fn next_turns(&self) -> Vec<Said> {
        let Some(pending) = &self.encoding.pending else { return Vec::new() };
        let mut left = CHARACTERS;
        let fits = |said: &&Said| {
            let length = said.user.chars().count();
            let fits = length <= left || left == CHARACTERS;
            left = left.saturating_sub(length);
            fits
        };
        pending.turns().iter().take(TURNS).take_while(fits).cloned().collect()
    }

    /// Holds the proposals against what was said in the first `turns` that wait, and writes what is left.
    async fn commit(
        &mut self,
        proposals: Proposals,
        turns: usize,
        now: DateTime<Local>,
    ) -> Result<Vec<Encoded>, StoreError> {
        let said: Vec<Said> = match &self.encoding.pending {
            Some(pending) => pending.turns().iter().take(turns).cloned().collect(),
            None => Vec::new(),
        };
        let (mut checked, refusals) = self.checked(&proposals, &said, now)?;
        for checked in &mut checked {
            if let Err(error) = self.recall.embedder().complete(&mut checked.upsert).await {
                tracing::debug!(%error, "a memory without a vector");
            }
        }
        let outcomes = self.store.change(now, |view| {
            let mut memories = view.memories.to_vec();
            let mut plan = Plan::default();
            let mut outcomes = Vec::new();
            for checked in checked {
                let id = Uuid::new_v4().to_string();
                if checked.review {
                    let memory = Memory::new(checked.upsert, id.clone(), now);
                    outcomes.push(Err(memory.content.clone()));
                    plan.notes.push(Note::queued(&memory));
                    continue;
                }
                let (outcome, settled) = encode::settle(&memories, checked, id, By::Encode, now);
                settled.changes.iter().for_each(|change| change.apply(&mut memories));
                plan.changes.extend(settled.changes);
                plan.notes.extend(settled.notes);
                outcomes.push(Ok(outcome));
            }
            let refused = refusals.iter().map(|refusal| Note::Refused { reason: refusal.name().to_owned() });
            plan.notes.extend(refused);
            plan.notes.push(Note::Encoded { outcome: "done".to_owned() });
            (outcomes, plan)
        })?;
        Ok(outcomes.into_iter().filter_map(|outcome| self.told(outcome)).collect())
    }

    /// The proposals that may become memories, and why the others do not.
    fn checked(
        &mut self,
        proposals: &Proposals,
        said: &[Said],
        now: DateTime<Local>,
    ) -> Result<(Vec<Checked>, Vec<Refusal>), StoreError> {
        let memories = self.store.memories()?;
        let latest: Vec<String> =
            memories.iter().rev().take(said.len()).map(|memory| memory.content.clone()).collect();
        let known: HashSet<String> = memories
            .iter()
            .filter_map(|memory| memory.governance.fact.as_ref())
            .flat_map(|fact| [normal(&fact.subject), normal(&fact.object)])
            .collect();
        let messages: Vec<(&str, DateTime<Local>)> = said
            .iter()
            .map(|said| {
                let time = time_of(&said.at).map(|time| time.with_timezone(&Local));
                (said.user.as_str(), time.unwrap_or(now))
            })
            .collect();
        let forgotten = self.store.audit()?.forgotten();
        let context = Context {
            messages: &messages,
            known: &known,
            shown: &self.encoding.shown,
            forgotten: &forgotten,
        };
        let (mut checked, mut refusals) = (Vec::new(), Vec::new());
        for proposal in &proposals.facts {
            match encode::check(proposal, &context) {
                Ok(kept) => checked.push(kept),
                Err(refusal) => {
                    tracing::debug!(reason = refusal.name(), quote = proposal.quote, "refused");
                    refusals.push(refusal);
                }
            }
        }
        for kept in &mut checked {
            says_where(&mut kept.upsert, said.get(kept.place.0));
        }
        // What was said later holds in the end, in whatever order it was proposed.
        checked.sort_by_key(|checked| checked.place);
        let mut contents: Vec<String> =
            checked.iter().map(|checked| checked.upsert.content.clone()).collect();
        // What happened in these turns may be kept already.
        contents.extend(latest);
        if let Some(episode) =
            proposals.episode.as_deref().filter(|episode| !encode::is_covered(episode, &contents))
        {
            match encode::check_episode(episode, &context) {
                Ok(mut kept) => {
                    says_where(&mut kept.upsert, said.last());
                    checked.push(kept);
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        Ok((checked, refusals))
    }

    /// What the user is told of an outcome; nothing of what was known.
    fn told(&mut self, outcome: Result<Outcome, String>) -> Option<Encoded> {
        Some(match outcome {
            Err(content) => Encoded::Queued { content },
            Ok(Outcome::Known(_)) => return None,
            Ok(Outcome::Added(memory)) => {
                Encoded::Remembered { short_id: self.ids.short(&memory.memory_id), content: memory.content }
            }
            Ok(Outcome::Superseded { old, new }) => {
                let old: Vec<String> = old.iter().map(|old| self.ids.short(&old.memory_id)).collect();
                let short_id = self.ids.short(&new.memory_id);
                Encoded::Superseded { old: old.join(" "), new: short_id, content: new.content }
            }
        })
    }
}

/// Notes in which turn of which thread the words of a memory stand.
fn says_where(upsert: &mut Upsert, said: Option<&Said>) {
    let Some(evidence) = &mut upsert.governance.evidence else { return };
    if let Some(said) = said.filter(|said| said.turn > 0) {
        evidence.thread.clone_from(&said.thread);
        evidence.turn = said.turn.to_string();
    }
}
