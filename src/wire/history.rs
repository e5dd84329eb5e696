//! Any list of messages as a conversation that every endpoint takes.
//!
//! Whatever state a stored conversation is in (cut off in a tool round, trimmed in the middle, written
//! by another program), reading it through here makes it well-formed: the types allow nothing else.

use serde_json::Value;

use super::arguments;
use super::lenient::text_of;
use crate::message::{AnsweredCall, Round, Thought, ToolCall, Turn};

/// What stands for an answer that never came.
const NO_ANSWER: &str = "(interrupted)";
/// What stands for a message that is no longer there.
const EARLIER: &str = "(earlier)";
/// Asks a model to go on where the conversation ends with its own words.
const GO_ON: &str = "continue";

/// A conversation ready to be sent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conversation {
    pub system: String,
    pub turns: Vec<Turn>,
    /// The message that waits for an answer, with the rounds it has had.
    pub user: String,
    pub rounds: Vec<Round>,
}

/// Reads messages in the wire's own form.
pub fn adopt(messages: &[Value]) -> Conversation {
    let mut conversation = Conversation::default();
    let mut system: Vec<String> = Vec::new();
    for message in messages {
        let content = message.get("content").map(text_of).unwrap_or_default();
        let content = content.trim();
        match message.get("role").and_then(Value::as_str).unwrap_or_default() {
            "system" | "developer" if !content.is_empty() => system.push(content.to_owned()),
            "user" if !content.is_empty() => conversation.hear(content),
            "assistant" => conversation.say(message, content),
            "tool" => conversation.take_answer(message, content),
            _ => {}
        }
    }
    conversation.system = system.join("\n\n");
    for round in &mut conversation.rounds {
        fill(round);
    }
    if conversation.user.is_empty() {
        conversation.user = GO_ON.to_owned();
    }
    conversation
}

impl Conversation {
    fn hear(&mut self, content: &str) {
        if self.rounds.is_empty() {
            // Two messages in a row are one.
            let gap = if self.user.is_empty() { "" } else { "\n\n" };
            self.user = format!("{}{gap}{content}", self.user);
        } else {
            self.close(NO_ANSWER);
            self.user = content.to_owned();
        }
    }

    fn say(&mut self, message: &Value, content: &str) {
        let calls =
            message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if calls.is_empty() && content.is_empty() {
            return;
        }
        if calls.is_empty() {
            // Two answers in a row are one.
            match self.turns.pop_if(|_| self.user.is_empty()) {
                Some(turn) => {
                    let joined = format!("{}\n\n{content}", turn.answer());
                    let rounds = turn.rounds().to_vec();
                    let turn = Turn::new(turn.user(), &joined, false);
                    self.turns.extend(turn.map(|turn| turn.with_rounds(rounds)));
                }
                None => self.close(content),
            }
            return;
        }
        if self.user.is_empty() {
            self.user = EARLIER.to_owned();
        }
        let text = |key: &str| message.get(key).map(text_of).unwrap_or_default();
        let reasoning = Some(text("reasoning_content")).filter(|text| !text.is_empty());
        let details = message.get("reasoning_details").and_then(Value::as_array).cloned().unwrap_or_default();
        self.rounds.push(Round {
            text: content.to_owned(),
            thought: Thought { text: reasoning.unwrap_or_else(|| text("reasoning")), details },
            calls: calls.iter().map(call).collect(),
        });
    }

    /// Ends the turn that is under way.
    fn close(&mut self, answer: &str) {
        let mut rounds = std::mem::take(&mut self.rounds);
        rounds.iter_mut().for_each(fill);
        let user = std::mem::take(&mut self.user);
        let user = if user.is_empty() { EARLIER } else { &user };
        self.turns.extend(Turn::new(user, answer, false).map(|turn| turn.with_rounds(rounds)));
    }

    /// Gives a tool's answer to the call it belongs to, within the last reply; an orphan is dropped.
    fn take_answer(&mut self, message: &Value, content: &str) {
        let id = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
        let calls = self.rounds.last_mut().map(|round| round.calls.iter_mut()).into_iter().flatten();
        for answered in calls {
            if answered.call.id == id && !answered.done {
                answered.answer = content.to_owned();
                answered.done = true;
                return;
            }
        }
    }
}

/// Gives the calls of a round that have no answer one.
fn fill(round: &mut Round) {
    for answered in round.calls.iter_mut().filter(|answered| !answered.done) {
        answered.answer = NO_ANSWER.to_owned();
    }
}

fn call(value: &Value) -> AnsweredCall {
    let function = value.get("function");
    let name = function.and_then(|function| function.get("name")).and_then(Value::as_str).unwrap_or_default();
    let raw = match function.and_then(|function| function.get("arguments")) {
        Some(Value::String(text)) => text.clone(),
        Some(other) if !other.is_null() => other.to_string(),
        _ => String::new(),
    };
    let call = ToolCall {
        id: value.get("id").and_then(Value::as_str).unwrap_or_default().to_owned(),
        name: name.to_owned(),
        arguments: arguments::settle(&raw, false),
        extra: value.get("extra_content").filter(|extra| !extra.is_null()).cloned(),
    };
    AnsweredCall { call, answer: String::new(), done: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn neighbours_merge_and_orphans_go() {
        let conversation = adopt(&[
            json!({"role": "tool", "tool_call_id": "x", "content": "orphan"}),
            json!({"role": "assistant", "content": "hello"}),
            json!({"role": "user", "content": "one"}),
            json!({"role": "user", "content": [{"type": "text", "text": "two"}]}),
            json!({"role": "system", "content": "be brief"}),
            json!({"role": "assistant", "content": ""}),
            json!({"role": "assistant", "content": "a"}),
            json!({"role": "assistant", "content": "b"}),
        ]);
        assert_eq!(conversation.system, "be brief");
        let turns: Vec<(&str, &str)> =
            conversation.turns.iter().map(|turn| (turn.user(), turn.answer())).collect();
        assert_eq!(turns, [("(earlier)", "hello"), ("one\n\ntwo", "a\n\nb")]);
        assert_eq!(conversation.user, "continue");
    }

    #[test]
    fn every_call_has_an_answer() {
        let call = |id: &str| json!({"id": id, "function": {"name": "f", "arguments": "{\"a\":"}});
        let conversation = adopt(&[
            json!({"role": "user", "content": "go"}),
            json!({"role": "assistant", "content": null, "tool_calls": [call("k"), call("l")]}),
            json!({"role": "tool", "tool_call_id": "l", "content": "done"}),
            json!({"role": "user", "content": "stop"}),
        ]);
        let turn = &conversation.turns[0];
        let answers: Vec<&str> = turn.rounds()[0].calls.iter().map(|call| call.answer.as_str()).collect();
        assert_eq!((answers, turn.answer()), (vec!["(interrupted)", "done"], "(interrupted)"));
        assert_eq!((conversation.user.as_str(), conversation.rounds.len()), ("stop", 0));
    }

    proptest! {
        #[test]
        fn any_list_becomes_a_conversation(kinds in proptest::collection::vec(0u8..7, 0..12)) {
            let message = |kind: u8| match kind {
                0 => json!({"role": "user", "content": "u"}),
                1 => json!({"role": "assistant", "content": "a"}),
                2 => json!({"role": "assistant", "content": "", "tool_calls": [{"id": "k", "function": {"name": "f"}}]}),
                3 => json!({"role": "tool", "tool_call_id": "k", "content": "t"}),
                4 => json!({"role": "system", "content": "s"}),
                5 => json!({"role": "assistant", "content": null, "tool_calls": []}),
                _ => json!({"role": 7}),
            };
            let messages: Vec<Value> = kinds.into_iter().map(message).collect();
            let conversation = adopt(&messages);
            prop_assert!(!conversation.user.is_empty());
            prop_assert!(conversation.turns.iter().all(|turn| !turn.answer().is_empty() && !turn.user().is_empty()));
        }
    }
}
