//! The turn: recall, prompt, ask, run tools, ask again, answer.
//!
//! Speaks to the outside through [`Event`]s only; there is no screen, no file and no clock here. A
//! failed or cancelled turn leaves a conversation that can be sent again.

mod calls;
mod conversation;
mod encoding;
mod options;
pub mod owner;
mod recalling;
mod room;

pub use conversation::Joined;
pub use encoding::Encoded;
pub use options::{Mode, Options};
pub use owner::{ByHand, Kept};
pub use recalling::{Candidate, Fate, Why};
pub use room::{Compaction, Known, Parts};

use chrono::{DateTime, Local};

use crate::chat::{Cancel, Chat, ChatError, Progress};
use crate::embed::EmbedError;
use crate::memory::{Memory, ShortIds, offset_time};
use crate::message::{Message, Round, ToolSpec};
use crate::prompt;
use crate::recall::{Found, Progress as Renewal, Recall, RenewError};
use crate::store::{self, Store, StoreError, Written};
use crate::thread::{Line, Spent};
use crate::wire::{Delta, Failure, Finish, Kind, Lesson, Reply, Request};
use conversation::Conversation;
use encoding::Encoding;
use recalling::Recollection;
use room::Room;

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
    /// What was said is not on disk.
    ThreadNotSaved(&'a StoreError),
    /// Another process has begun a thread of that id: this one goes on under a new one.
    Forked {
        from: &'a str,
        to: &'a str,
    },
    /// The memories cannot be read; the turn goes on without them.
    NoRecall(&'a StoreError),
    /// No vectors can be had; recall is lexical. Said once in a session.
    NoVectors(&'a EmbedError),
    Files(&'a store::Notice),
    /// The model has read lines of a file.
    FileRead {
        path: &'a str,
        from: usize,
        to: usize,
        of: usize,
    },
    /// A request failed and is sent again after a pause.
    Retry {
        failure: &'a Failure,
        wait: std::time::Duration,
    },
    /// So many of the oldest turns leave the window, and are being condensed.
    Summarising(usize),
    /// They are.
    Summarised(usize),
    /// They could not be: they are no longer sent, and nothing stands for them.
    NotSummarised {
        turns: usize,
        error: &'a ChatError,
    },
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
    /// In tokens. Nothing was sent.
    #[error("the message takes {size} tokens, and there is room for {room}")]
    TooLarge { size: usize, room: usize },
    /// Nothing was sent.
    #[error("the model takes no images")]
    NoImages { unknown: bool },
}

/// What a turn is asked.
#[derive(Debug, Clone)]
pub struct Asked {
    pub message: Message,
    /// The turn that this one takes the place of, once it is answered.
    pub replaces: Option<usize>,
}

/// What goes on around a turn: when it is, who may stop it, who hears of it.
struct Around<'a, 's> {
    now: DateTime<Local>,
    cancel: &'a mut Cancel,
    sink: &'a mut Sink<'s>,
}

/// One conversation with one user.
#[derive(Debug)]
pub struct Agent {
    chat: Chat,
    store: Store,
    recall: Recall,
    ids: ShortIds,
    conversation: Conversation,
    options: Options,
    vectors_missed: bool,
    mode: Mode,
    encoding: Encoding,
    /// Contents that the current turn has written.
    written: Vec<String>,
    /// What was recalled for the last message.
    why: Option<Why>,
    recollection: Recollection,
    /// Ids of the memories that stand in the system part of this thread, in the order in which they came.
    standing: Vec<String>,
    room: Room,
    /// What the current turn has cost, and the last one.
    spent: Spent,
}

impl Agent {
    /// An agent at the beginning of a new thread.
    pub fn new(chat: Chat, store: Store, recall: Recall, options: Options, now: DateTime<Local>) -> Self {
        let conversation = Conversation::new(&store.new_thread_id(now));
        Self {
            chat,
            store,
            recall,
            ids: ShortIds::default(),
            conversation,
            options,
            vectors_missed: false,
            mode: Mode::Full,
            encoding: Encoding::default(),
            written: Vec::new(),
            why: None,
            recollection: Recollection::default(),
            standing: Vec::new(),
            room: Room::default(),
            spent: Spent::default(),
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
        self.set_incognito(mode == Mode::Incognito);
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
        self.other_model();
    }

    /// What the last turn has cost.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Runs one turn. What it asks is not blank.
    pub async fn turn(
        &mut self,
        asked: Asked,
        now: DateTime<Local>,
        cancel: &mut Cancel,
        sink: &mut Sink<'_>,
    ) -> Result<Ending, TurnError> {
        self.written.clear();
        self.spent = Spent::default();
        self.make_way();
        let number = self.thread().entries().len() + 1;
        let sent = now.format("%Y-%m-%d %H:%M").to_string();
        let asked = Asked { message: asked.message.sent_at(&sent), ..asked };
        let result = self.run_turn(&asked, &mut Around { now, cancel, sink }).await;
        if let Some(error) = self.conversation.take_problem() {
            sink(Event::ThreadNotSaved(&error));
        }
        let entry = self.thread().entries().get(number - 1);
        let answer = entry.and_then(|entry| entry.turn()).map(|turn| turn.answer().to_owned());
        // What the user said stays said when the endpoint fails.
        if answer.is_some() || matches!(result, Err(TurnError::Chat(_))) {
            let written = std::mem::take(&mut self.written);
            let user = asked.message.text();
            if let Err(error) = self.put_off(user, &answer.unwrap_or_default(), &written, number, now) {
                sink(Event::NotSaved(&error));
            }
            self.note_uses(user, now);
        }
        result
    }

    async fn run_turn(&mut self, asked: &Asked, around: &mut Around<'_, '_>) -> Result<Ending, TurnError> {
        let now = around.now;
        self.recall.embedder().wake();
        let Asked { message, replaces } = asked;
        self.know_the_model(message, around.cancel).await;
        if message.images().next().is_some() && self.takes_images() != Some(true) {
            return Err(TurnError::NoImages { unknown: self.takes_images().is_none() });
        }
        let mut listening = around.cancel.clone();
        tokio::select! {
            () = listening.cancelled() => {
                self.begin(asked, now, around.sink);
                return Ok(Ending::Cancelled);
            }
            () = self.recollect(message.text(), *replaces, now, around.sink) => {}
        }
        self.check_size(message, now)?;
        // It is on disk before anything is asked.
        self.begin(asked, now, around.sink);
        if !self.make_room(asked, around).await {
            return Ok(Ending::Cancelled);
        }
        tokio::select! {
            () = listening.cancelled() => return Ok(Ending::Cancelled),
            () = self.recall_earlier(asked, now) => {}
        }
        let beside = self.beside();
        let specs = self.specs();
        let mut rounds: Vec<Round> = Vec::new();
        for number in 1..=self.options.max_rounds {
            // The last request offers no tools, so that an answer comes.
            let last = number == self.options.max_rounds;
            let offered = if last { &[][..] } else { &specs };
            let Some(reply) = self.ask(asked, &beside, &rounds, offered, around).await? else {
                self.keep(&said(&rounds), true, now, around.sink);
                return Ok(Ending::Cancelled);
            };
            if reply.calls.is_empty() || last {
                return self.conclude(reply, &rounds, now, around.sink);
            }
            tracing::debug!(round = number, calls = reply.calls.len(), "tool calls");
            let round = self.run_calls(reply, &rounds, around).await;
            rounds.push(round);
            if around.cancel.is_cancelled() {
                self.keep(&said(&rounds), true, now, around.sink);
                return Ok(Ending::Cancelled);
            }
        }
        Err(TurnError::TooManyRounds(self.options.max_rounds))
    }

    /// Asks; once more with half of the window condensed where the endpoint finds it too long. `None` when the user
    /// has cancelled that.
    async fn ask(
        &mut self,
        asked: &Asked,
        beside: &str,
        rounds: &[Round],
        tools: &[ToolSpec],
        around: &mut Around<'_, '_>,
    ) -> Result<Option<Reply>, ChatError> {
        let closing = if tools.is_empty() && !rounds.is_empty() { prompt::LAST_ROUND } else { "" };
        let takes_images = self.takes_images() == Some(true);
        let mut again = false;
        loop {
            let system =
                format!("{}{closing}", self.system_text(self.conversation.summary(), true, around.now));
            let Self { chat, conversation, options, .. } = &mut *self;
            let request = Request {
                model: &options.model,
                system: &system,
                history: &conversation.window(asked.replaces),
                message: &asked.message,
                beside,
                rounds,
                tools,
                temperature: options.temperature,
                stream: options.stream,
                schema: None,
                images: takes_images,
            };
            let estimated = Self::estimate(&request);
            let has_images = takes_images && request.has_images();
            let mut gap = rounds.last().is_some_and(|round| !round.text.trim().is_empty());
            let Around { cancel, sink, .. } = &mut *around;
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
            match chat.send(&request, cancel, &mut progress).await {
                Ok(reply) => {
                    // Endpoints count an image each in their own way.
                    let spent = self.count((!has_images).then_some(estimated), reply.usage);
                    self.spent.add(spent);
                    return Ok(Some(reply));
                }
                Err(error) if error.failure.kind == Kind::Overflow && !again => {
                    again = true;
                    let refusal = (error.failure.detail.as_str(), estimated);
                    match self.make_do(refusal, asked, around).await {
                        None => return Ok(None),
                        Some(false) => return Err(error),
                        Some(true) => {}
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes the last reply of a turn into the conversation.
    fn conclude(
        &mut self,
        reply: Reply,
        rounds: &[Round],
        now: DateTime<Local>,
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
                self.keep(&text, true, now, sink);
                return Ok(Ending::Cancelled);
            }
            Finish::Cut(failure) => {
                self.keep(&reply.text, true, now, sink);
                return Err(self.chat.error(failure).into());
            }
        }
        self.keep(&reply.text, false, now, sink);
        Ok(Ending::Answered)
    }

    /// Takes the message of a turn into the thread.
    fn begin(&mut self, asked: &Asked, now: DateTime<Local>, sink: &mut Sink<'_>) {
        let line = Line::User {
            at: offset_time(now),
            content: asked.message.text().to_owned(),
            attachments: asked.message.attachments().to_vec(),
            replaces: asked.replaces,
        };
        self.record(line, now, sink);
    }

    /// Takes the answer into the thread, where there is one.
    fn keep(&mut self, answer: &str, cut: bool, now: DateTime<Local>, sink: &mut Sink<'_>) {
        if answer.trim().is_empty() {
            return;
        }
        let line = Line::Assistant {
            at: offset_time(now),
            content: answer.trim().to_owned(),
            cut,
            model: self.options.model.clone(),
            usage: self.spent,
        };
        self.record(line, now, sink);
    }

    fn record(&mut self, line: Line, now: DateTime<Local>, sink: &mut Sink<'_>) {
        self.conversation.note(&self.store, line, now);
        if let Some(from) = self.conversation.take_moved() {
            sink(Event::Forked { from: &from, to: &self.conversation.thread().id });
        }
    }
}

/// What was said before and between the tool calls of a turn.
fn said(rounds: &[Round]) -> String {
    let texts: Vec<&str> =
        rounds.iter().map(|round| round.text.trim()).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}
