//! Room in the context: what a request takes, what has to leave the window, and the summary that stands for it.
//!
//! What leaves is not lost: the originals stay in the thread's file and are found again by recall, and what is still
//! to be encoded waits with its own words, whatever the window holds.

use chrono::{DateTime, Local};

use super::{Agent, Asked, Event, Sink, TurnError};
use crate::chat::{Cancel, ChatError};
use crate::memory::offset_time;
use crate::message::{Message, ToolSpec, Turn};
use crate::prompt::estimate::{Correction, tokens};
use crate::prompt::summary;
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
    /// So many turns are no longer sent, and no summary stands for them.
    Failed(usize, ChatError),
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
        let known =
            matches!(self.context(), Some((_, Known::Set | Known::Named | Known::Listed | Known::Refused)));
        if wants_images || (is_long && !known) {
            self.ask_for_length(cancel).await;
        }
    }

    /// Forgets what is known of the model, since there is another one.
    pub(super) fn other_model(&mut self) {
        self.room = Room::default();
    }

    /// Learns from what the endpoint counts. Returns what a request has cost.
    pub(super) fn count(&mut self, estimated: usize, usage: Option<Usage>) -> Spent {
        let usage = usage.unwrap_or_default();
        let prompt = usage.prompt_tokens.unwrap_or_default();
        self.room.correction.learn(estimated, usize::try_from(prompt).unwrap_or(usize::MAX));
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
        let with_memories = correct(tokens(&self.system_text("", true, now)) + FRAME);
        let through = self.thread().summary().map_or(0, |summary| summary.through);
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

    /// Refuses a message that does not fit into the context, whatever is left out.
    pub(super) fn check_size(&self, message: &Message, now: DateTime<Local>) -> Result<(), TurnError> {
        let least = tokens(&self.system_text("", true, now)) + tools_cost(&self.specs()) + FRAME;
        let least = self.room.correction.apply(least);
        let size = self.room.correction.apply(message_cost(message, ""));
        let Some(room) = self.limits().room(least) else { return Ok(()) };
        tracing::debug!(size, room, least, "size of the message");
        if size > room { Err(TurnError::TooLarge { size, room }) } else { Ok(()) }
    }

    /// Lets the oldest turns leave the window where the next request would be too long. `false` when the user has
    /// cancelled.
    pub(super) async fn make_room(
        &mut self,
        asked: &Asked,
        now: DateTime<Local>,
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> bool {
        let Asked { message, replaces: replaced } = asked;
        let correct = |estimate: usize| self.room.correction.apply(estimate);
        let costs: Vec<usize> =
            self.conversation.window(*replaced).into_iter().map(|turn| correct(cost(turn))).collect();
        let system = tokens(&self.system_text(self.conversation.summary(), true, now));
        let beside = self.beside();
        let fixed = correct(system + tools_cost(&self.specs()) + message_cost(message, &beside) + FRAME)
            + self.thread().summary().map_or(0, |_| self.earlier_budget());
        let leaving = self.limits().leaving(&costs, fixed);
        if leaving == 0 {
            return true;
        }
        tracing::debug!(leaving, turns = costs.len(), fixed, "turns leave the window");
        !matches!(self.compact(leaving, *replaced, "", now, cancel, sink).await, Compaction::Cancelled)
    }

    /// How many tokens the memories take that are shown.
    pub(super) fn memory_budget(&self) -> usize {
        self.share(MEMORY_SHARE, MEMORY_BUDGET)
    }

    /// How many tokens the turns take that have left the window and are shown again.
    pub(super) fn earlier_budget(&self) -> usize {
        self.share(EARLIER_SHARE, EARLIER_BUDGET)
    }

    /// A share of the context, and no more than `most`.
    fn share(&self, share: f64, most: usize) -> usize {
        self.context().map_or(most, |(length, _)| most.min((length as f64 * share) as usize))
    }

    /// Condenses all but the last turns, with an eye on `focus`.
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
        self.compact(turns - kept, None, focus, now, cancel, sink).await
    }

    /// Lets the oldest `leaving` turns leave the window, with a summary in their place. The turn called `replaced` is
    /// none of them.
    pub(super) async fn compact(
        &mut self,
        leaving: usize,
        replaced: Option<usize>,
        focus: &str,
        now: DateTime<Local>,
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> Compaction {
        let context = self.context().map(|(length, _)| length);
        let limit = summary::limit(context);
        let entries = self.thread().unsummarised().filter(|entry| Some(entry.number) != replaced);
        let leaving: Vec<_> = entries.take(leaving).collect();
        let Some(through) = leaving.last().map(|entry| entry.number) else { return Compaction::Nothing };
        let turns: Vec<&Turn> = leaving.iter().filter_map(|entry| entry.turn()).collect();
        let count = turns.len();
        sink(Event::Summarising(count));
        let budget = context.map_or(SUMMARY_BUDGET, |length| (length as f64 * SUMMARY_SHARE) as usize);
        let earlier = self.conversation.summary().to_owned();
        let (system, words) = summary::request(Some(&earlier), &turns, focus, limit, budget);
        let message = Message::new(&words);
        let request = Request {
            model: &self.options.model,
            system: &system,
            history: &[],
            message: &message,
            beside: "",
            rounds: &[],
            tools: &[],
            temperature: self.options.temperature,
            stream: self.options.stream,
            schema: None,
        };
        let estimated = Self::estimate(&request);
        let result = self.chat.send(&request, cancel, &mut |_| {}).await;
        let (content, usage, outcome) = match result {
            Ok(reply) if reply.finish == Finish::Cancelled => return Compaction::Cancelled,
            Ok(reply) => {
                let spent = self.count(estimated, reply.usage);
                match summary::read(&reply.text, limit) {
                    Some(content) => (content, spent, Compaction::Done),
                    None => {
                        let error = self.chat.error(wire::Failure::new(Kind::Empty, ""));
                        (earlier, spent, Compaction::Failed(count, error))
                    }
                }
            }
            Err(error) => (earlier, Spent::default(), Compaction::Failed(count, error)),
        };
        match &outcome {
            Compaction::Failed(turns, error) => sink(Event::NotSummarised { turns: *turns, error }),
            _ => sink(Event::Summarised(count)),
        }
        let line = Line::Summary { at: offset_time(now), content, through, usage };
        self.record(line, now, sink);
        outcome
    }

    /// An endpoint has refused a request as too long: learns its limit, and lets half of the window leave. `false`
    /// when nothing can leave.
    pub(super) async fn make_do(
        &mut self,
        refusal: (&str, usize),
        replaced: Option<usize>,
        now: DateTime<Local>,
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> bool {
        let (detail, estimated) = refusal;
        let stated = wire::stated_limit(detail);
        if let Some(length) = stated {
            let shorter = self.context().is_none_or(|(known, _)| length < known);
            self.room.length = if shorter { Some((length, Known::Refused)) } else { self.room.length };
            // It is shorter than what was thought to fit.
            self.room.correction.learn(estimated, length);
        }
        let turns = self.conversation.window(replaced).len();
        if turns == 0 {
            return false;
        }
        let outcome = self.compact(turns.div_ceil(2), replaced, "", now, cancel, sink).await;
        !matches!(outcome, Compaction::Cancelled | Compaction::Nothing)
    }
}
