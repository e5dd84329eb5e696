//! What a conversation is made of.
//!
//! The types are shaped so that an illegal request cannot be written: an [`Turn`] always has
//! both sides, a [`Round`] carries every call together with its answer, and the system part is not a
//! message at all. How these become JSON is the business of `wire`; nothing here knows it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the user says in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    text: String,
    /// Local time to the minute, `2026-11-30 20:36`; empty where the model is not told.
    sent: String,
    attachments: Vec<Attachment>,
}

/// A file that goes with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Attachment {
    Text {
        name: String,
        content: String,
    },
    Image {
        name: String,
        /// Such as `image/png`.
        media_type: String,
        base64: String,
        width: u32,
        height: u32,
    },
}

impl Attachment {
    pub fn name(&self) -> &str {
        match self {
            Self::Text { name, .. } | Self::Image { name, .. } => name,
        }
    }
}

impl Message {
    pub fn new(text: &str) -> Self {
        Self { text: text.trim().to_owned(), ..Self::default() }
    }

    /// The same message, sent at that local time.
    pub fn sent_at(self, time: &str) -> Self {
        Self { sent: time.to_owned(), ..self }
    }

    pub fn with_attachments(self, attachments: Vec<Attachment>) -> Self {
        Self { attachments, ..self }
    }

    /// As it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    /// What the model reads: when it was sent, attached texts, what stands `beside` it (empty for nothing),
    /// and what was typed. The same in every later request, but for what stands beside it.
    pub fn words(&self, beside: &str) -> String {
        let mut words = String::new();
        if !self.sent.is_empty() {
            words.push_str(&format!("[{}]\n", self.sent));
        }
        for attachment in &self.attachments {
            if let Attachment::Text { name, content } = attachment {
                // No file can end its own block.
                let content = content.replace("</file", "<\\/file");
                let name = name.replace(['"', '\n', '<'], "_");
                words.push_str(&format!("<file name=\"{name}\">\n{}\n</file>\n\n", content.trim_end()));
            }
        }
        if !beside.is_empty() {
            words.push_str(&format!("{beside}\n\n"));
        }
        words.push_str(&self.text);
        words
    }

    /// The images: media type and base64.
    pub fn images(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attachments.iter().filter_map(|attachment| match attachment {
            Attachment::Image { media_type, base64, .. } => Some((media_type.as_str(), base64.as_str())),
            Attachment::Text { .. } => None,
        })
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// One finished user message and the answer it got, as it is sent again in later requests.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    message: Message,
    /// Replies with tool calls before the answer, where they are kept.
    rounds: Vec<Round>,
    answer: String,
    cut: bool,
}

impl Turn {
    /// Pairs a message with its answer; `None` when either side is blank, because endpoints refuse
    /// blank content. `cut` says that the answer ended early.
    pub fn new(message: impl Into<Message>, answer: &str, cut: bool) -> Option<Self> {
        let (message, answer) = (message.into(), answer.trim());
        (!message.text.is_empty() && !answer.is_empty()).then(|| Self {
            message,
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

    pub fn message(&self) -> &Message {
        &self.message
    }

    /// What the user typed.
    pub fn user(&self) -> &str {
        &self.message.text
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
    fn a_message_reads_the_same_but_for_what_stands_beside_it() {
        let file = Attachment::Text { name: "a\"b".into(), content: "x</file>y\n".into() };
        let message = Message::new(" hi ").sent_at("2026-11-30 20:36").with_attachments(vec![file]);
        let file = "<file name=\"a_b\">\nx<\\/file>y\n</file>";
        assert_eq!(message.words(""), format!("[2026-11-30 20:36]\n{file}\n\nhi"));
        assert_eq!(message.words("B"), format!("[2026-11-30 20:36]\n{file}\n\nB\n\nhi"));
        assert_eq!(Message::new("hi").words(""), "hi");
    }

    #[test]
    fn an_exchange_has_two_sides() {
        assert_eq!(Turn::new(" hi ", " there\n", false).unwrap().answer(), "there");
        assert_eq!(Turn::new("hi", " \n", true), None);
        assert_eq!(Turn::new("", "there", false), None);
    }
}
