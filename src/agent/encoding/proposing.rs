//! The request for proposals.

use serde_json::Value;

use crate::chat::{Cancel, Chat, Progress};
use crate::encode::{Proposals, proposal};
use crate::message::{Message, Turn};
use crate::wire::{Delta, Lesson, Request};

/// An answer is read up to so many characters.
const ANSWER_LIMIT: usize = 12_000;

/// How a request for proposals has ended.
#[derive(Debug)]
pub struct Answer {
    pub turns: usize,
    pub result: Result<Proposals, Failed>,
    pub lessons: Vec<Lesson>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// Nothing came.
    Request,
    /// Nothing that could be read came, twice.
    Malformed,
}

/// Asks for proposals; once more if the answer cannot be read.
pub async fn propose(
    mut chat: Chat,
    model: String,
    stream: bool,
    (system, message, schema): (String, String, Value),
    turns: usize,
) -> Answer {
    let mut lessons = Vec::new();
    let mut history: Vec<Turn> = Vec::new();
    let mut user = message;
    loop {
        let request = Request {
            model: &model,
            system: &system,
            history: &history.iter().collect::<Vec<_>>(),
            message: &Message::new(&user),
            beside: "",
            rounds: &[],
            tools: &[],
            temperature: Some(0.0),
            stream,
            schema: Some(&schema),
            images: false,
        };
        let (canceller, mut cancel) = Cancel::pair();
        let mut length = 0;
        let reply = chat
            .send(&request, &mut cancel, &mut |progress| match progress {
                Progress::Delta(Delta::Text(text)) => {
                    length += text.chars().count();
                    if length > ANSWER_LIMIT {
                        canceller.cancel();
                    }
                }
                Progress::Learnt { lesson, .. } => lessons.push(lesson),
                _ => {}
            })
            .await;
        let text = match reply {
            Ok(reply) => reply.text,
            Err(error) => {
                tracing::debug!(%error, "no proposals");
                return Answer { turns, result: Err(Failed::Request), lessons };
            }
        };
        match Proposals::read(&text) {
            Ok(proposals) => return Answer { turns, result: Ok(proposals), lessons },
            Err(_) if history.is_empty() => {
                let Some(turn) = Turn::new(user.as_str(), &text, false) else {
                    return Answer { turns, result: Err(Failed::Malformed), lessons };
                };
                history.push(turn);
                user = proposal::REPAIR.to_owned();
            }
            Err(_) => return Answer { turns, result: Err(Failed::Malformed), lessons },
        }
    }
}
