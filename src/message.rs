//! What a conversation is made of.
//!
//! The types are shaped so that an illegal request cannot be written: an [`Turn`] always has
//! both sides, a [`Round`] carries every call together with its answer, and the system part is not a
//! message at all. How these become JSON is the business of `wire`; nothing here knows it.

use serde_json::{Map, Value};

/// One finished user message and the answer it got, as it is sent again in later requests.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    user: String,
    /// Replies with tool calls before the answer, where they are kept.
    rounds: Vec<Round>,
    answer: String,
    cut: bool,
}

impl Turn {
    /// Pairs a message with its answer; `None` when either side is blank, because endpoints refuse
    /// blank content. `cut` says that the answer ended early.
    pub fn new(user: &str, answer: &str, cut: bool) -> Option<Self> {
        let (user, answer) = (user.trim(), answer.trim());
        (!user.is_empty() && !answer.is_empty()).then(|| Self {
            user: user.to_owned(),
            rounds: Vec::new(),
            answer: answer.to_owned(),
            cut,
        })
    }

    /// The same turn with the rounds that led to its answer.
    pub fn with_rounds(self, rounds: Vec<Round>) -> Self {
        Self { rounds, ..self }
    }

    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    pub fn user(&self) -> &str {
        &self.user
    }

    pub fn answer(&self) -> &str {
        &self.answer
    }

    pub fn is_cut(&self) -> bool {
        self.cut
    }
}

/// What the model asks a tool to do.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Pairs the call with its answer; unique within one reply.
    pub id: String,
    pub name: String,
    pub arguments: Arguments,
    /// What the endpoint wants to see again with this call (`extra_content`), as it came.
    pub extra: Option<Value>,
}

/// Arguments of a call after settling: an object, or the reason why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Arguments {
    Object(Map<String, Value>),
    /// Never run. `problem` is told to the model, so it is English and says how to do better.
    Unusable {
        problem: String,
    },
}

impl Arguments {
    /// The arguments as the JSON object text that goes back to the endpoint (`{}` when unusable).
    pub fn to_json(&self) -> String {
        match self {
            Self::Object(map) => Value::Object(map.clone()).to_string(),
            Self::Unusable { .. } => "{}".to_owned(),
        }
    }
}

/// A call and what the model is told about it. A failure is an answer, too.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredCall {
    pub call: ToolCall,
    pub answer: String,
    /// Whether the call did what it asked for; then it need not run again.
    pub done: bool,
}

/// One reply of the model within a turn that asked for tools, with all answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// What the model said beside its calls; often empty.
    pub text: String,
    /// What the model thought before it called; some endpoints want it back.
    pub thought: Thought,
    pub calls: Vec<AnsweredCall>,
}

/// Reasoning that came with a reply. Never part of the answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thought {
    pub text: String,
    /// `reasoning_details`, as they came.
    pub details: Vec<Value>,
}

/// A tool as it is offered to the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    pub name: &'static str,
    pub description: &'static str,
    /// JSON Schema of the arguments, in the words every endpoint takes: `type` (one word),
    /// `description`, `enum` of strings, `properties`, `required`.
    pub parameters: Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_has_two_sides() {
        assert_eq!(Turn::new(" hi ", " there\n", false).unwrap().answer(), "there");
        assert_eq!(Turn::new("hi", " \n", true), None);
        assert_eq!(Turn::new("", "there", false), None);
    }
}
