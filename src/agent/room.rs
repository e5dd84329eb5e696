//! Room in the context: what a request takes, what has to leave the window, and the summary that stands for it.
//!
//! What leaves is not lost: the originals stay in the thread's file and are found again by recall, and what is still
//! to be encoded waits with its own words, whatever the window holds.

use chrono::{DateTime, Local};

use super::{Agent, Around, Asked, Event, Sink, TurnError};
use crate::chat::{Cancel, ChatError, Progress};
use crate::memory::offset_time;
use crate::message::{Message, ToolSpec, Turn};
use crate::prompt::estimate::{Correction, tokens};
use crate::prompt::summary::{self, Question};
use crate::prompt::window::Limits;
use crate::quirks;
use crate::thread::{Line, Spent};
use crate::wire::{self, Finish, Kind, Request, Usage};

/// A request is told to be this much larger than its words: roles, separators, the names of tools.
const FRAME: usize = 16;
/// The same for a message.
const MESSAGE_FRAME: usize = 6;
/// Tokens of an image, which endpoints count very differently.
const IMAGE: usize = 1200;
/// An endpoint is asked for the length of its context once a request takes so many tokens.
const ASK_FROM: usize = 2500;
/// How long it may take to answer that.
const ASK_LIMIT: std::time::Duration = std::time::Duration::from_secs(5);
/// Share of the context that a request for a summary may take.
const SUMMARY_SHARE: f64 = 0.5;
/// And what it takes where the context is not known, in tokens.
const SUMMARY_BUDGET: usize = 6000;
/// Share of the context that memories may take, and the most that they take.
const MEMORY_SHARE: f64 = 0.25;
const MEMORY_BUDGET: usize = 3000;
/// The same for turns that have left the window.
const EARLIER_SHARE: f64 = 0.125;
const EARLIER_BUDGET: usize = 1500;
/// A file that is read at once has as many characters as the context has tokens, over this: in Chinese that is three
/// eighths of it.
const EXCERPT_SHARE: usize = 2;
/// Turns that `/compact` leaves in the window.
const KEPT: usize = 2;

/// Where the length of the context is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// The user has said so.
    Set,
    /// By the name of the model.
    Named,
    /// The endpoint lists it.
    Listed,
    /// The endpoint has refused what was longer.
    Refused,
    /// What a server of this kind uses unless it is told otherwise.
    Usual,
}

/// What is known of the context of the model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Room {
    length: Option<(usize, Known)>,
    asked: bool,
    /// The endpoint says whether the model takes images.
    images: Option<bool>,
    correction: Correction,
}

/// What a request is made of, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    pub persona: usize,
    pub summary: usize,
    pub memories: usize,
    pub tools: usize,
    /// The turns of the window: their number and tokens.
    pub turns: (usize, usize),
    /// Turns that the summary stands for.
    pub summarised: usize,
    pub context: Option<(usize, Known)>,
}

/// How a compaction has ended.
#[derive(Debug)]
pub enum Compaction {
    Done,
    /// There is nothing to condense.
    Nothing,
    Cancelled,
    Failed(ChatError),
}

/// The tokens of a turn, as they are estimated.
fn cost(turn: &Turn) -> usize {
    message_cost(turn.message(), "") + tokens(turn.answer()) + MESSAGE_FRAME
}

fn message_cost(message: &Message, beside: &str) -> usize {
    tokens(&message.words(beside)) + message.images().count() * IMAGE + MESSAGE_FRAME
}

pub fn tools_cost(tools: &[ToolSpec]) -> usize {
    let cost = |tool: &ToolSpec| tokens(tool.description) + tokens(&tool.parameters.to_string()) + FRAME;
    tools.iter().map(cost).sum()
}

impl Agent {
    /// The length of the context in tokens, and how it is known.
    pub fn context(&self) -> Option<(usize, Known)> {
        let set = self.options.context_length.map(|length| (length, Known::Set));
        let refused = self.room.length.filter(|(_, known)| *known == Known::Refused);
        if let (Some((set, _)), Some((length, _))) = (set, refused)
            && length < set
        {
            return refused;
        }
        set.or(self.room.length).or_else(|| {
            let base_url = &self.chat.endpoint().base_url;
            // How long a context a server on this machine has is up to who has started it.
            match base_url.is_local() {
                true => quirks::usual_context(&base_url.host_and_port()).map(|length| (length, Known::Usual)),
                false => quirks::context_length(&self.options.model).map(|length| (length, Known::Named)),
            }
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            window: self.options.window,
            context: self.context().map(|(length, _)| length),
            compact_at: self.options.compact_at,
        }
    }

    /// Whether the model takes images; `None` where nobody knows.
    pub fn takes_images(&self) -> Option<bool> {
        self.options.images.or(self.room.images).or_else(|| quirks::takes_images(&self.options.model))
    }

    /// What the endpoint's list says of the model, asked once.
    async fn ask_for_length(&mut self, cancel: &mut Cancel) {
        self.room.asked = true;
        let listed = tokio::select! {
            listed = self.chat.listing(ASK_LIMIT) => listed,
            () = cancel.cancelled() => return,
        };
        match listed {
            Ok(listed) => {
                let length = wire::listed_length(&listed, &self.options.model);
                tracing::debug!(?length, "the list of models on the context");
                self.room.length = length.map(|length| (length, Known::Listed)).or(self.room.length);
                self.room.images = wire::listed_images(&listed, &self.options.model);
            }
            Err(error) => tracing::debug!(%error, "no list of models"),
        }
    }

    /// Learns what the endpoint says of the model, where that matters for a message: it is long, or has images.
    pub(super) async fn know_the_model(&mut self, message: &Message, cancel: &mut Cancel) {
        if self.room.asked {
            return;
        }
        let wants_images = message.images().next().is_some() && self.takes_images().is_none();
        let window: usize = self.conversation.window(None).into_iter().map(cost).sum();
        let is_long = window + message_cost(message, "") > ASK_FROM;
        let unknown = matches!(self.context(), None | Some((_, Known::Usual)));
        if wants_images || (is_long && unknown) {
            self.ask_for_length(cancel).await;
        }
    }

    /// Forgets what is known of the model, since there is another one.
    pub(super) fn other_model(&mut self) {
        self.room = Room::default();
    }

    /// Learns from what the endpoint counts, where text alone was `estimated`. Returns what a request has cost.
    pub(super) fn count(&mut self, estimated: Option<usize>, usage: Option<Usage>) -> Spent {
        let usage = usage.unwrap_or_default();
        let prompt = usage.prompt_tokens.unwrap_or_default();
        if let Some(estimated) = estimated {
            self.room.correction.learn(estimated, usize::try_from(prompt).unwrap_or(usize::MAX));
        }
        Spent {
            requests: 1,
            prompt_tokens: prompt,
            cached_tokens: usage.cached().unwrap_or_default(),
            completion_tokens: usage.completion_tokens.unwrap_or_default(),
        }
    }

    /// What a request is estimated to take, as it is before the correction.
    pub(super) fn estimate(request: &Request<'_>) -> usize {
        let turns: usize = request.history.iter().map(|turn| cost(turn)).sum();
        let rounds = request.rounds.iter().flat_map(|round| &round.calls);
        let rounds: usize = rounds
            .map(|call| tokens(&call.call.arguments.to_json()) + tokens(&call.answer) + 2 * FRAME)
            .sum();
        tokens(request.system)
            + turns
            + rounds
            + tools_cost(request.tools)
            + message_cost(request.message, request.beside)
            + FRAME
    }

    /// What is sent with the next message, by its parts.
    pub fn parts(&mut self, now: DateTime<Local>) -> Parts {
        let correct = |estimate: usize| self.room.correction.apply(estimate);
        let window = self.conversation.window(None);
        let turns = (window.len(), correct(window.into_iter().map(cost).sum()));
        let persona = correct(tokens(&self.system_text("", false, now)) + FRAME);
        let summary = self.conversation.summary();
        let with_summary = correct(tokens(&self.system_text(summary, false, now)) + FRAME);
        // Beside a message stands what was recalled for it: here, for the last one.
        let beside = tokens(&self.beside());
        let with_memories = correct(tokens(&self.system_text("", true, now)) + beside + FRAME);
        let through = self.conversation.through();
        Parts {
            persona,
            summary: with_summary - persona,
            memories: with_memories.saturating_sub(persona),
            tools: correct(tools_cost(&self.specs())),
            turns,
            summarised: self.thread().live().filter(|entry| entry.number <= through).count(),
            context: self.context(),
        }
    }

    /// Refuses a message that does not fit into the context, whatever is left out. Memories give way to it.
    pub(super) fn check_size(&mut self, message: &Message, now: DateTime<Local>) -> Result<(), TurnError> {
        let correct = |estimate: usize| self.room.correction.apply(estimate);
        let system = |memories: bool| tokens(&self.system_text(self.conversation.summary(), memories, now));
        let bare = system(false) + tools_cost(&self.specs()) + FRAME;
        let memories = correct(system(true).saturating_sub(system(false)) + tokens(&self.beside()));
        let size = correct(message_cost(message, ""));
        let Some(room) = self.limits().room(correct(bare)) else { return Ok(()) };
        tracing::debug!(size, room, memories, "size of the message");
        if size > room {
            return Err(TurnError::TooLarge { size, room });
        }
        if size + memories > room {
            self.drop_recalled();
        }
        Ok(())
    }

    /// What each turn of the window takes, oldest first, and all else that is sent.
    fn load(&self, asked: &Asked, now: DateTime<Local>) -> (Vec<usize>, usize) {
        let correct = |estimate: usize| self.room.correction.apply(estimate);
        let window = self.conversation.window(asked.replaces).into_iter();
        let costs = window.map(|turn| correct(cost(turn))).collect();
        let system = tokens(&self.system_text(self.conversation.summary(), true, now));
        let message = message_cost(&asked.message, &self.beside());
        (costs, correct(system + tools_cost(&self.specs()) + message + FRAME))
    }

    /// Lets the oldest turns leave the window where the next request would be too long. `false` when the user has
    /// cancelled.
    pub(super) async fn make_room(&mut self, asked: &Asked, around: &mut Around<'_, '_>) -> bool {
        let (costs, fixed) = self.load(asked, around.now);
        // Turns that have left may be shown again.
        let earlier = if self.conversation.through() > 0 { self.earlier_budget() } else { 0 };
        let leaving = self.limits().leaving(&costs, fixed + earlier);
        if leaving == 0 {
            return true;
        }
        tracing::debug!(leaving, turns = costs.len(), fixed, "turns leave the window");
        self.let_leave(leaving, asked.replaces, around).await
    }

    /// How many tokens are free for turns that have left the window.
    pub(super) fn free(&self, asked: &Asked, now: DateTime<Local>) -> usize {
        let (costs, fixed) = self.load(asked, now);
        let room = self.limits().room(fixed + costs.iter().sum::<usize>());
        room.unwrap_or(usize::MAX).min(self.earlier_budget())
    }

    /// How many tokens the memories take that are shown.
    pub(super) fn memory_budget(&self) -> usize {
        self.share(MEMORY_SHARE, MEMORY_BUDGET)
    }

    /// How many characters of a file the model may read at once.
    pub(super) fn excerpt(&self) -> usize {
        self.context().map_or(usize::MAX, |(length, _)| length / EXCERPT_SHARE)
    }

    /// How many tokens the turns take that have left the window and are shown again.
    fn earlier_budget(&self) -> usize {
        self.share(EARLIER_SHARE, EARLIER_BUDGET)
    }

    /// A share of the context, and no more than `most`.
    fn share(&self, share: f64, most: usize) -> usize {
        self.context().map_or(most, |(length, _)| most.min((length as f64 * share) as usize))
    }

    /// Condenses all but the last turns, with an eye on `focus`. Where that fails, nothing changes.
    pub async fn compact_now(
        &mut self,
        focus: &str,
        now: DateTime<Local>,
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> Compaction {
        let turns = self.conversation.window(None).len();
        // A short conversation has its last turn left, a single turn is condensed itself.
        let kept = KEPT.min(turns.saturating_sub(1));
        let leaving = self.leaving_turns(turns - kept, None);
        let outcome = self.compact(leaving, focus, &mut Around { now, cancel, sink }).await;
        if let Some(error) = self.conversation.take_problem() {
            sink(Event::ThreadNotSaved(&error));
        }
        outcome
    }

    /// Condenses the turns of these numbers, oldest first.
    async fn compact(
        &mut self,
        mut waiting: Vec<usize>,
        focus: &str,
        around: &mut Around<'_, '_>,
    ) -> Compaction {
        if waiting.is_empty() {
            return Compaction::Nothing;
        }
        let context = self.context().map(|(length, _)| length);
        let limit = summary::limit(context);
        let budget = context.map_or(SUMMARY_BUDGET, |length| (length as f64 * SUMMARY_SHARE) as usize);
        let count = waiting.len();
        (around.sink)(Event::Summarising(count));
        while let Some(first) = waiting.first() {
            let entries = self.thread().entries();
            let turn = |number: &usize| entries.get(number.checked_sub(1)?)?.turn();
            let turns: Vec<&Turn> = waiting.iter().filter_map(turn).collect();
            let question = summary::request(self.conversation.summary(), &turns, focus, limit, budget);
            let through = waiting.get(question.turns.saturating_sub(1)).unwrap_or(first).to_owned();
            match self.condense(&question, limit, around).await {
                Ok(Some((content, usage))) => {
                    let line = Line::Summary { at: offset_time(around.now), content, through, usage };
                    self.record(line, around.now, around.sink);
                }
                Ok(None) => return Compaction::Cancelled,
                Err(error) => return Compaction::Failed(error),
            }
            waiting.retain(|number| *number > through);
        }
        (around.sink)(Event::Summarised(count));
        Compaction::Done
    }

    /// The numbers of the oldest `count` turns of the window, and of those before them that no summary stands for.
    fn leaving_turns(&self, count: usize, replaced: Option<usize>) -> Vec<usize> {
        let through = self.conversation.through();
        let entries = self.conversation.unsummarised(replaced);
        let out = entries.iter().filter(|entry| entry.number <= through).count();
        entries.into_iter().take(out + count).map(|entry| entry.number).collect()
    }

    /// Asks for a summary; `None` when the user has cancelled.
    async fn condense(
        &mut self,
        question: &Question,
        limit: usize,
        around: &mut Around<'_, '_>,
    ) -> Result<Option<(String, Spent)>, ChatError> {
        let message = Message::new(&question.message);
        let request = Request {
            model: &self.options.model,
            system: &question.system,
            history: &[],
            message: &message,
            beside: "",
            rounds: &[],
            tools: &[],
            temperature: self.options.temperature,
            stream: self.options.stream,
            schema: None,
            images: false,
        };
        let estimated = Some(Self::estimate(&request));
        let Around { cancel, sink, .. } = around;
        let mut progress = |progress: Progress<'_>| {
            if let Progress::Retry { failure, wait } = progress {
                sink(Event::Retry { failure, wait });
            }
        };
        let reply = self.chat.send(&request, cancel, &mut progress).await?;
        let usage = self.count(estimated, reply.usage);
        match reply.finish {
            Finish::Cancelled => Ok(None),
            Finish::Cut(failure) => Err(self.chat.error(failure)),
            Finish::Filtered => Err(self.chat.error(wire::Failure::new(Kind::Filtered, ""))),
            Finish::Stop | Finish::Length => match summary::read(&reply.text, limit) {
                Some(content) => Ok(Some((content, usage))),
                None => Err(self.chat.error(wire::Failure::new(Kind::Empty, ""))),
            },
        }
    }

    /// Lets the oldest `leaving` turns leave the window: condensed, or without a summary where that fails. `false` when
    /// the user has cancelled.
    async fn let_leave(
        &mut self,
        leaving: usize,
        replaced: Option<usize>,
        around: &mut Around<'_, '_>,
    ) -> bool {
        let turns = self.leaving_turns(leaving, replaced);
        let last = turns.last().copied();
        match self.compact(turns, "", around).await {
            Compaction::Cancelled => return false,
            // The turn will meet the same failure, and say so.
            Compaction::Failed(error) if error.failure.kind.is_of_the_endpoint() => {}
            Compaction::Failed(error) => {
                (around.sink)(Event::NotSummarised { turns: leaving, error: &error });
                self.conversation.leave_out(last.unwrap_or_default());
            }
            Compaction::Done | Compaction::Nothing => {}
        }
        true
    }

    /// An endpoint has refused a request as too long: learns its limit, and lets half of the window leave, or more
    /// where the limit asks for it. `None` when the user has cancelled, `false` when nothing can leave.
    pub(super) async fn make_do(
        &mut self,
        refusal: (&str, usize),
        asked: &Asked,
        around: &mut Around<'_, '_>,
    ) -> Option<bool> {
        let (detail, estimated) = refusal;
        if let Some(length) = wire::stated_limit(detail) {
            let shorter = self.context().is_none_or(|(known, _)| length < known);
            self.room.length = if shorter { Some((length, Known::Refused)) } else { self.room.length };
            // What was thought to fit is longer than that.
            if self.room.correction.apply(estimated) < length {
                self.room.correction.learn(estimated, length);
            }
        }
        if self.check_size(&asked.message, around.now).is_err() {
            return Some(false);
        }
        let (costs, fixed) = self.load(asked, around.now);
        let leaving = self.limits().leaving(&costs, fixed).max(costs.len().div_ceil(2));
        if leaving == 0 {
            return Some(false);
        }
        self.let_leave(leaving, asked.replaces, around).await.then_some(true)
    }
}
