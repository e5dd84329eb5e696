//! Tool calls within a turn.

use chrono::{DateTime, Local};
use serde_json::{Map, Value};

use super::{Agent, Around, Event, Mode, Sink};
use crate::message::{AnsweredCall, Arguments, Round, ToolCall};
use crate::tools::{self, Bench, Effect};
use crate::wire::Reply;

impl Agent {
    /// Runs every call of a reply and pairs it with its answer. Once the user cancels, the calls that
    /// are left are answered and not run.
    pub(super) async fn run_calls(
        &mut self,
        reply: Reply,
        earlier: &[Round],
        around: &mut Around<'_, '_>,
    ) -> Round {
        let Around { now, cancel, sink } = around;
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
                    answered = self.run_call(&call, *now, sink) => answered,
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
        let asked = self.thread().last().map(|entry| (entry.number, entry.message().text().to_owned()));
        let (number, message) = asked.unwrap_or_default();
        let said: Vec<&str> = self.thread().live().map(|entry| entry.message().text()).collect();
        let said = format!("{}\n{message}", said.join("\n"));
        let min_relevance = self.options.min_relevance;
        let excerpt = self.excerpt();
        let Self { store, recall, ids, options, conversation, .. } = self;
        let (message, said) = (message.as_str(), said.as_str());
        let mut bench = Bench {
            store,
            recall,
            ids,
            now,
            message,
            said,
            place: (&conversation.thread().id, number),
            writes,
            min_relevance,
            allowed: &options.allowed,
            excerpt,
        };
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
                Effect::FileRead { path, from, to, of } => {
                    sink(Event::FileRead { path: &path, from, to, of });
                }
                Effect::NotSaved(error) => sink(Event::NotSaved(&error)),
                Effect::NoVector(error) => self.no_vectors(&error, sink),
            }
        }
        (outcome.answer, outcome.done)
    }
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
