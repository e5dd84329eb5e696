//! The turn: recall, prompt, ask, run tools, ask again, answer.
//!
//! Speaks to the outside through [`Event`]s only; there is no screen, no file and no clock here. A
//! failed or cancelled turn leaves a conversation that can be sent again.

mod encoding;
mod options;
pub mod owner;
mod recalling;

pub use encoding::Encoded;
pub use options::{Mode, Options};
pub use owner::{ByHand, Kept};
pub use recalling::{Candidate, Fate, Why};

use chrono::{DateTime, Local};
use serde_json::{Map, Value};

use crate::chat::{Cancel, Chat, ChatError, Progress};
use crate::embed::EmbedError;
use crate::memory::{Memory, ShortIds};
use crate::message::{AnsweredCall, Arguments, Round, ToolCall, ToolSpec, Turn};
use crate::prompt;
use crate::recall::{Found, Progress as Renewal, Recall, RenewError};
use crate::store::{self, Store, StoreError, Written};
use crate::tools::{self, Bench, Effect};
use crate::wire::{Delta, Failure, Finish, Kind, Lesson, Reply, Request};
use encoding::Encoding;

/// What happens during a turn, in order.
#[derive(Debug)]
pub enum Event<'a> {
    /// A piece of the answer.
    Text(&'a str),
    /// A piece of what the model thinks before it answers.
    Reasoning(&'a str),
    /// All text so far was thinking.
    Retract,
    /// The endpoint refuses something, and is spoken to without it from now on.
    Learnt(Lesson),
    /// A memory is on disk.
    Remembered {
        short_id: &'a str,
        written: &'a Written,
    },
    /// A memory is on disk that has taken the place of older ones.
    Superseded {
        old: &'a str,
        new: &'a str,
        content: &'a str,
    },
    /// The model would have a memory deleted. Only the user can do that.
    WouldForget {
        short_id: &'a str,
        memory: &'a Memory,
    },
    NotSaved(&'a StoreError),
    /// The memories cannot be read; the turn goes on without them.
    NoRecall(&'a StoreError),
    /// No vectors can be had; recall is lexical. Said once in a session.
    NoVectors(&'a EmbedError),
    Files(&'a store::Notice),
    /// A request failed and is sent again after a pause.
    Retry {
        failure: &'a Failure,
        wait: std::time::Duration,
    },
    /// So many of the oldest turns are no longer sent: the conversation had become too long.
    LeftOut(usize),
    /// The model stopped at its output limit.
    LengthLimit,
    /// A content filter ended the answer.
    Filtered,
}

/// Receives the events of a turn.
pub type Sink<'a> = dyn FnMut(Event<'_>) + 'a;

/// How a turn that did not fail has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Answered,
    /// The user stopped it; what had come is kept, marked as cut.
    Cancelled,
}

/// Why there is no whole answer.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    #[error(transparent)]
    Chat(#[from] ChatError),
    #[error("no answer after {0} rounds of tool calls")]
    TooManyRounds(usize),
}

/// One conversation with one user.
#[derive(Debug)]
pub struct Agent {
    chat: Chat,
    store: Store,
    recall: Recall,
    ids: ShortIds,
    history: Vec<Turn>,
    options: Options,
    vectors_missed: bool,
    mode: Mode,
    encoding: Encoding,
    /// Contents that the current turn has written.
    written: Vec<String>,
    /// What was recalled for the last message.
    why: Option<Why>,
    /// The message of the last turn, whatever became of it.
    last_message: Option<String>,
    /// The last turn is the last of the history.
    last_is_kept: bool,
    /// The turn that the current one asks again.
    replaced: Option<Turn>,
}

impl Agent {
    pub fn new(chat: Chat, store: Store, recall: Recall, options: Options) -> Self {
        Self {
            chat,
            store,
            recall,
            ids: ShortIds::default(),
            history: Vec::new(),
            options,
            vectors_missed: false,
            mode: Mode::Full,
            encoding: Encoding::default(),
            written: Vec::new(),
            why: None,
            last_message: None,
            last_is_kept: false,
            replaced: None,
        }
    }

    pub fn store(&mut self) -> &mut Store {
        &mut self.store
    }

    /// Begins to prepare for the first message; nothing waits for it. Memories that cannot be read are
    /// reported when they are needed.
    pub fn prepare(&mut self) {
        if let Ok(memories) = self.store.memories() {
            self.recall.prepare(memories);
        }
    }

    /// How many memories have no vector that can be compared, at a glance; they are found by their words.
    pub fn unmatched_vectors(&mut self) -> Result<usize, StoreError> {
        Ok(self.recall.unmatched(self.store.memories()?))
    }

    /// Gives a vector to at most `limit` memories that wait for one.
    pub async fn renew_vectors(&mut self, limit: usize) -> Result<Renewal, RenewError> {
        self.recall.renew(&mut self.store, limit).await
    }

    /// The best `limit` memories for `text`, whatever their relevance.
    pub async fn search(
        &mut self,
        text: &str,
        limit: usize,
        now: DateTime<Local>,
    ) -> Result<Found, StoreError> {
        self.recall.embedder().wake();
        self.recall.find(&mut self.store, text, None, limit, now).await
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Reads and writes memories from now on, or does not.
    pub fn set_mode(&mut self, mode: Mode) -> Result<(), StoreError> {
        // What was said incognito is not said again otherwise.
        if self.mode == Mode::Incognito && mode != Mode::Incognito {
            self.last_message = None;
            self.last_is_kept = false;
        }
        self.mode = mode;
        match mode {
            Mode::Full => self.open_pending(),
            Mode::Paused | Mode::Incognito => Ok(()),
        }
    }

    pub fn recall(&self) -> &Recall {
        &self.recall
    }

    pub fn chat(&self) -> &Chat {
        &self.chat
    }

    /// Takes over what was learnt about this endpoint and model earlier.
    pub fn teach(&mut self, lessons: &[Lesson]) {
        self.chat.teach(lessons);
    }

    pub fn model(&self) -> &str {
        &self.options.model
    }

    /// Speaks with another model of the endpoint from now on; the conversation goes on.
    pub fn set_model(&mut self, model: String) {
        self.options.model = model;
        self.chat = Chat::new(self.chat.client(), self.chat.endpoint().clone());
    }

    /// Takes the last message back, so that it can be asked again. The answer it got comes back if the
    /// next turn gets none.
    pub fn take_last_message(&mut self) -> Option<String> {
        let asked = self.last_message.take()?;
        if std::mem::take(&mut self.last_is_kept) {
            self.replaced = self.history.pop();
        }
        Some(asked)
    }

    /// Runs one turn for the message `user`, which is not blank.
    pub async fn turn(
        &mut self,
        user: &str,
        now: DateTime<Local>,
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> Result<Ending, TurnError> {
        self.last_is_kept = false;
        self.written.clear();
        self.make_way();
        let result = self.run_turn(user, now, cancel, sink).await;
        let replaced = self.replaced.take();
        // What the user said stays said when the endpoint fails.
        if self.last_is_kept || matches!(result, Err(TurnError::Chat(_))) {
            let kept = self.history.last().filter(|_| self.last_is_kept);
            let answer = kept.map(|turn| turn.answer().to_owned()).unwrap_or_default();
            let written = std::mem::take(&mut self.written);
            if let Err(error) = self.put_off(user, &answer, &written, now) {
                sink(Event::NotSaved(&error));
            }
            self.note_uses(user, now);
        }
        if !self.last_is_kept && replaced.is_some() {
            self.history.extend(replaced);
            self.last_is_kept = true;
        }
        result
    }

    async fn run_turn(
        &mut self,
        user: &str,
        now: DateTime<Local>,
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> Result<Ending, TurnError> {
        self.recall.embedder().wake();
        self.last_message = Some(user.to_owned());
        let (system, recalled) = tokio::select! {
            () = cancel.cancelled() => return Ok(Ending::Cancelled),
            system = self.system_part(user, now, sink) => system,
        };
        let specs = match self.mode {
            Mode::Full => tools::specs(&recalled, true),
            Mode::Paused => tools::specs(&recalled, false),
            Mode::Incognito => Vec::new(),
        };
        let mut rounds: Vec<Round> = Vec::new();
        for number in 1..=self.options.max_rounds {
            // The last request offers no tools, so that an answer comes.
            let last = number == self.options.max_rounds;
            let offered = if last { &[][..] } else { &specs };
            let closing = if last && !rounds.is_empty() { prompt::LAST_ROUND } else { "" };
            let system = format!("{system}{closing}");
            let reply = self.ask(user, &system, &rounds, offered, cancel, sink).await?;
            if reply.calls.is_empty() || last {
                return self.conclude(user, reply, &rounds, sink);
            }
            tracing::debug!(round = number, calls = reply.calls.len(), "tool calls");
            let round = self.run_calls(reply, &rounds, now, cancel, sink).await;
            rounds.push(round);
            if cancel.is_cancelled() {
                self.keep(user, &said(&rounds), true);
                return Ok(Ending::Cancelled);
            }
        }
        Err(TurnError::TooManyRounds(self.options.max_rounds))
    }

    /// Asks; again with the older half of the conversation left out, as often as the endpoint finds it
    /// too long.
    async fn ask(
        &mut self,
        user: &str,
        system: &str,
        rounds: &[Round],
        tools: &[ToolSpec],
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> Result<Reply, ChatError> {
        loop {
            let request = Request {
                model: &self.options.model,
                system,
                history: &self.history,
                user,
                rounds,
                tools,
                temperature: self.options.temperature,
                stream: self.options.stream,
                schema: None,
            };
            let mut gap = rounds.last().is_some_and(|round| !round.text.trim().is_empty());
            let mut progress = |progress: Progress<'_>| match progress {
                Progress::Delta(Delta::Text(text)) => {
                    // What was said before a tool call stands on lines of its own.
                    if std::mem::take(&mut gap) {
                        sink(Event::Text("\n"));
                    }
                    sink(Event::Text(text));
                }
                Progress::Delta(Delta::Reasoning(text)) => sink(Event::Reasoning(text)),
                Progress::Delta(Delta::Retract) => sink(Event::Retract),
                Progress::Learnt { lesson, .. } => sink(Event::Learnt(lesson)),
                Progress::Retry { failure, wait } => sink(Event::Retry { failure, wait }),
            };
            match self.chat.send(&request, cancel, &mut progress).await {
                Err(error) if error.failure.kind == Kind::Overflow && !self.history.is_empty() => {
                    let left_out = self.history.len().div_ceil(2);
                    self.history.drain(..left_out);
                    sink(Event::LeftOut(left_out));
                }
                result => return result,
            }
        }
    }

    /// Runs every call of a reply and pairs it with its answer. Once the user cancels, the calls that
    /// are left are answered and not run.
    async fn run_calls(
        &mut self,
        reply: Reply,
        earlier: &[Round],
        now: DateTime<Local>,
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> Round {
        let mut answered: Vec<AnsweredCall> = Vec::with_capacity(reply.calls.len());
        for mut call in reply.calls {
            call.name = tools::resolve(&call.name);
            let before = earlier.iter().flat_map(|round| &round.calls).chain(&answered);
            let repeated = before.into_iter().any(|before| before.done && is_repeat(&before.call, &call));
            let (answer, done) = if repeated {
                (
                    r#"{"already_done": true, "note": "this call has run; answer the user now"}"#.to_owned(),
                    true,
                )
            } else {
                tokio::select! {
                    biased;
                    () = cancel.cancelled() => (r#"{"error": "cancelled by the user"}"#.to_owned(), false),
                    answered = self.run_call(&call, now, sink) => answered,
                }
            };
            tracing::debug!(name = call.name, answer, repeated, "tool answered");
            answered.push(AnsweredCall { call, answer, done });
        }
        Round { text: reply.text, thought: reply.thought, calls: answered }
    }

    async fn run_call(
        &mut self,
        call: &ToolCall,
        now: DateTime<Local>,
        sink: &mut Sink<'_>,
    ) -> (String, bool) {
        let writes = self.mode == Mode::Full;
        let message = self.last_message.clone().unwrap_or_default();
        let said: Vec<&str> = self.history.iter().map(Turn::user).chain([message.as_str()]).collect();
        let said = said.join("\n");
        let min_relevance = self.options.min_relevance;
        let Self { store, recall, ids, .. } = self;
        let (message, said) = (message.as_str(), said.as_str());
        let mut bench = Bench { store, recall, ids, now, message, said, writes, min_relevance };
        let outcome = tools::run(call, &mut bench).await;
        self.written.extend(outcome.says);
        for effect in outcome.effects {
            match effect {
                Effect::Remembered { short_id, written } => {
                    sink(Event::Remembered { short_id: &short_id, written: &written });
                }
                Effect::Superseded { old, new, content } => {
                    sink(Event::Superseded { old: &old, new: &new, content: &content });
                }
                Effect::WouldForget { short_id, memory } => {
                    sink(Event::WouldForget { short_id: &short_id, memory: &memory });
                }
                Effect::NotSaved(error) => sink(Event::NotSaved(&error)),
                Effect::NoVector(error) => self.no_vectors(&error, sink),
            }
        }
        (outcome.answer, outcome.done)
    }

    /// Takes the last reply of a turn into the conversation.
    fn conclude(
        &mut self,
        user: &str,
        reply: Reply,
        rounds: &[Round],
        sink: &mut Sink<'_>,
    ) -> Result<Ending, TurnError> {
        match reply.finish {
            Finish::Stop if reply.text.trim().is_empty() => {
                return Err(TurnError::TooManyRounds(self.options.max_rounds));
            }
            Finish::Stop => {}
            Finish::Length => sink(Event::LengthLimit),
            Finish::Filtered => sink(Event::Filtered),
            Finish::Cancelled => {
                let text = if reply.text.trim().is_empty() { said(rounds) } else { reply.text };
                self.keep(user, &text, true);
                return Ok(Ending::Cancelled);
            }
            Finish::Cut(failure) => {
                self.keep(user, &reply.text, true);
                return Err(self.chat.error(failure).into());
            }
        }
        self.keep(user, &reply.text, false);
        Ok(Ending::Answered)
    }

    fn keep(&mut self, user: &str, answer: &str, cut: bool) {
        if let Some(turn) = Turn::new(user, answer, cut) {
            self.history.push(turn);
            self.last_is_kept = true;
        }
    }
}

/// What was said before and between the tool calls of a turn.
fn said(rounds: &[Round]) -> String {
    let texts: Vec<&str> =
        rounds.iter().map(|round| round.text.trim()).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// Whether `call` asks again for what has been run: word for word, or the same content once more,
/// as small models do, under the id that the first call has given it.
fn is_repeat(before: &ToolCall, call: &ToolCall) -> bool {
    match (&before.arguments, &call.arguments) {
        (Arguments::Object(one), Arguments::Object(other)) if before.name == call.name => {
            let content = |arguments: &Map<String, Value>| {
                arguments.get("content").and_then(Value::as_str).map(|text| text.trim().to_owned())
            };
            without_nulls(one) == without_nulls(other)
                || content(one).is_some_and(|content_before| Some(content_before) == content(other))
        }
        _ => false,
    }
}

fn without_nulls(arguments: &Map<String, Value>) -> Map<String, Value> {
    arguments
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}
