//! Proposals: how the model is asked for them, and how its answer is read.
//!
//! The answer is read kindly, since small models wrap it in fences, drop brackets and forget keys. What cannot
//! be read at all is [`Malformed`], which is never the same as "nothing to remember".

use serde_json::{Map, Value, json};

use super::secrets;
use super::wording::{Script, script};
use crate::memory::MemoryType;

/// Characters of the user's messages that are shown to the model, of the answer, and of one related memory.
const MESSAGE_LIMIT: usize = 4000;
const ANSWER_LIMIT: usize = 600;
const RELATED_LIMIT: usize = 120;
/// Facts taken from one answer.
const FACTS: usize = 12;

const INSTRUCTIONS: &str = "\
You note what is worth remembering of what a user said to an assistant. Reply with one JSON object and \
nothing else: {\"facts\": [...], \"episode\": ...}.
Each fact has
- quote: the words of the user that say it, copied exactly from a user message
- content: one self-contained sentence in {language}; it begins with \"{user}\" where the user speaks of \
themselves, even if you know their name, and keeps the user's words
- subject: \"user\", or the person or thing the quote is about
- relation: such as name, lives_in, works_at, job, likes, dislikes, allergic_to, has_pet, family, owns, \
plans, learning, skilled_in, prefers
- object: the value, in the user's words
- kind: fact, preference, task (a plan or appointment), skill, or conduct (how the assistant should answer)
- importance: from 3, nice to know, over 5, usual, to 10, vital
- confidence: 0 to 1
- when: the user's words for the time, only where they say one
Rules:
- One fact for each separate thing the user states about themselves, their people, their plans, their tastes \
or how they want to be answered.
- Nothing from questions, greetings, hypotheses or jokes. Nothing that the assistant said.
- What somebody else says inside a quoted text is not the user's.
- episode: one short sentence in the user's language on what the user did or wanted, or null.
- If there is nothing to remember: {\"facts\": [], \"episode\": null}.";

/// Asked when an answer could not be read.
pub const REPAIR: &str = "That was not the JSON object that was asked for. Reply with the object alone: {\"facts\": [...], \"episode\": ...}";

/// Added where the thread has no title yet.
const TITLE: &str = "\n- title: in the JSON object beside facts and episode, what this conversation is about, in two \
to six words of the user's own language.";

/// A turn as the model sees it here.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    pub user: &'a str,
    /// Context only.
    pub answer: &'a str,
}

/// What is asked for: the system part and the message of a request; with a title for the thread, if `title` says so.
pub fn request(turns: &[Turn<'_>], related: &[(String, &str)], title: bool) -> (String, String) {
    let mut message = String::new();
    let mut line = |value: Value| message.push_str(&format!("{value}\n"));
    for turn in turns {
        line(json!({"user says": shortened(turn.user, MESSAGE_LIMIT / turns.len().max(1))}));
    }
    if let Some(answer) = turns.last().map(|turn| turn.answer.trim()).filter(|answer| !answer.is_empty()) {
        line(json!({"context only, the assistant said": shortened(answer, ANSWER_LIMIT)}));
    }
    for (id, content) in related {
        line(json!({"known already": format!("{id} {}", shortened(content, RELATED_LIMIT))}));
    }
    let said: String = turns.iter().map(|turn| turn.user).collect();
    let (language, user) = match script(&said) {
        Script::Chinese => ("Chinese, as the user writes", "用户"),
        Script::Other("latin") => ("the user's own language", "The user"),
        Script::Other(_) => ("the user's own language and script", "The user"),
    };
    let system = INSTRUCTIONS.replace("{language}", language).replace("{user}", user);
    (format!("{system}{}", if title { TITLE } else { "" }), message)
}

/// The beginning and the end of a text that is longer than `limit` characters.
fn shortened(text: &str, limit: usize) -> String {
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit * 3 / 4).collect();
    let tail: String = text.chars().skip(count - limit / 4).collect();
    format!("{head} […] {tail}")
}

/// The JSON Schema of an answer.
pub fn schema(title: bool) -> Value {
    let text = || json!({"type": "string"});
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    let mut schema = json!({
        "type": "object",
        "properties": {
            "facts": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "quote": text(), "content": text(), "subject": text(), "subject_type": text(),
                    "relation": text(), "object": text(), "object_type": text(),
                    "kind": {"type": "string", "enum": kinds},
                    "importance": {"type": "integer"}, "confidence": {"type": "number"}, "when": text()
                },
                "required": ["quote", "content", "subject", "relation", "object", "kind", "importance", "confidence"]
            }},
            "episode": {"type": ["string", "null"]}
        },
        "required": ["facts", "episode"]
    });
    if title {
        schema["properties"]["title"] = text();
    }
    schema
}

/// What a proposal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Fact,
    Preference,
    Task,
    Skill,
    /// How the assistant is to answer.
    Conduct,
}

impl Kind {
    pub const ALL: [Self; 5] = [Self::Fact, Self::Preference, Self::Task, Self::Skill, Self::Conduct];

    pub fn name(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Preference => "preference",
            Self::Task => "task",
            Self::Skill => "skill",
            Self::Conduct => "conduct",
        }
    }

    /// The kind called `name`; a fact for anything else.
    fn parse(name: &str) -> Self {
        match name.trim().to_lowercase().as_str() {
            "task" | "event" | "plan" | "appointment" => Self::Task,
            other => Self::ALL.into_iter().find(|kind| kind.name() == other).unwrap_or(Self::Fact),
        }
    }

    pub fn memory_type(self) -> MemoryType {
        match self {
            Self::Fact | Self::Preference | Self::Skill => MemoryType::Semantic,
            Self::Task => MemoryType::Episodic,
            Self::Conduct => MemoryType::Procedural,
        }
    }
}

/// One thing the model would keep.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    pub subject: String,
    pub subject_type: String,
    pub relation: String,
    pub object: String,
    pub object_type: String,
    pub content: String,
    pub kind: Kind,
    pub importance: Option<u8>,
    pub confidence: Option<f64>,
    /// The user's words for the time; may be empty.
    pub when: String,
    pub quote: String,
}

impl Proposal {
    /// The proposal without secrets.
    pub fn redacted(&self) -> Self {
        let clean = secrets::clean;
        Self {
            content: clean(&self.content),
            quote: clean(&self.quote),
            subject: clean(&self.subject),
            object: clean(&self.object),
            ..self.clone()
        }
    }
}

/// What an answer proposes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Proposals {
    pub facts: Vec<Proposal>,
    pub episode: Option<String>,
    /// What the conversation is about.
    pub title: Option<String>,
}

/// An answer that holds no proposals in any form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the answer is no JSON object with facts")]
pub struct Malformed;

impl Proposals {
    /// Reads an answer: in fences or words, a bare array, a single fact, with commas too many, cut off at the end.
    pub fn read(answer: &str) -> Result<Self, Malformed> {
        let answer = answer.rsplit_once("</think>").map_or(answer, |(_, rest)| rest);
        let mut starts = answer.char_indices().filter(|(_, letter)| matches!(letter, '{' | '['));
        starts.find_map(|(start, _)| Self::from_value(lenient(answer.get(start..)?)?)).ok_or(Malformed)
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Array(facts) if facts.is_empty() || facts.iter().any(Value::is_object) => {
                Some(Self { facts: facts.iter().filter_map(fact).take(FACTS).collect(), ..Self::default() })
            }
            Value::Object(object) if object.contains_key("facts") || object.contains_key("episode") => {
                let facts = match object.get("facts") {
                    Some(Value::Array(facts)) => facts.iter().filter_map(fact).take(FACTS).collect(),
                    Some(single @ Value::Object(_)) => fact(single).into_iter().collect(),
                    None | Some(Value::Null) => Vec::new(),
                    Some(_) => return None,
                };
                let episode = text(&object, "episode");
                let nothing = ["", "null", "none", "无", "n/a"];
                let episode = (!nothing.contains(&episode.to_lowercase().as_str())).then_some(episode);
                let title = Some(text(&object, "title")).filter(|title| !title.is_empty());
                Some(Self { facts, episode, title })
            }
            single @ Value::Object(_) => Some(Self { facts: vec![fact(&single)?], ..Self::default() }),
            _ => None,
        }
    }
}

/// A proposal, if there is at least something said in it.
fn fact(value: &Value) -> Option<Proposal> {
    let object = value.as_object()?;
    let number = |key: &str| match object.get(key)? {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    };
    let content = text(object, "content");
    if content.is_empty() && text(object, "quote").is_empty() {
        return None;
    }
    Some(Proposal {
        subject: text(object, "subject"),
        subject_type: text(object, "subject_type"),
        relation: text(object, "relation"),
        object: text(object, "object"),
        object_type: text(object, "object_type"),
        content,
        kind: Kind::parse(&text(object, "kind")),
        importance: number("importance").map(|number| number.clamp(1.0, 10.0).round() as u8),
        confidence: number("confidence").map(|number| number.clamp(0.0, 1.0)),
        when: text(object, "when"),
        quote: text(object, "quote"),
    })
}

/// The text at `key`; numbers and lists of texts count as text.
fn text(object: &Map<String, Value>, key: &str) -> String {
    match object.get(key) {
        Some(Value::String(text)) => text.trim().replace(char::is_control, " "),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("、"),
        _ => String::new(),
    }
}

/// The first JSON value of `text`, mended where it has commas too many or lacks its end.
fn lenient(text: &str) -> Option<Value> {
    let first = |text: &str| serde_json::Deserializer::from_str(text).into_iter::<Value>().next()?.ok();
    first(text).or_else(|| first(&mended(text)))
}

/// `text` without trailing commas, and with the brackets closed that are open where it ends.
fn mended(text: &str) -> String {
    let mut mended = String::with_capacity(text.len() + 8);
    let mut open = Vec::new();
    let (mut quoted, mut escaped) = (false, false);
    // Up to here what came is whole, and this is open there; behind it may stand half a pair.
    let mut whole = (0, Vec::new());
    for letter in text.chars() {
        if quoted {
            quoted = letter != '"' || escaped;
            escaped = letter == '\\' && !escaped;
            mended.push(if letter == '\n' { ' ' } else { letter });
            continue;
        }
        match letter {
            '"' => quoted = true,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                while mended.ends_with(|end: char| end == ',' || end.is_whitespace()) {
                    mended.pop();
                }
                if open.pop() != Some(letter) {
                    break;
                }
            }
            _ => {}
        }
        mended.push(letter);
        if matches!(letter, '}' | ']') {
            whole = (mended.len(), open.clone());
        }
        if open.is_empty() {
            return mended;
        }
    }
    // What is open behind the last whole value is left out.
    mended.truncate(whole.0);
    mended.extend(whole.1.into_iter().rev());
    mended
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACT: &str = r#"{"subject":"user","relation":"lives_in","object":"成都","content":"用户住在成都",
        "kind":"fact","importance":7,"confidence":0.9,"quote":"我住在成都"}"#;

    #[track_caller]
    fn contents(answer: &str) -> Vec<String> {
        Proposals::read(answer).unwrap().facts.into_iter().map(|fact| fact.content).collect()
    }

    #[test]
    fn answers_in_all_their_forms() {
        for answer in [
            format!(r#"{{"facts":[{FACT}],"episode":null}}"#),
            format!("```json\n{{\"facts\": [{FACT},], \"episode\": \"null\",}}\n```"),
            format!("<think>[maybe {{]</think>Here you are: {{\"facts\":[{FACT}]}} Anything else?"),
            format!("[{FACT}]"),
            FACT.to_owned(),
            format!("{{\"facts\": {FACT}}}"),
            format!("{{\"facts\":[{FACT},{{\"subject\":\"user\",\"cont"),
        ] {
            assert_eq!(contents(&answer), ["用户住在成都"], "{answer}");
        }
    }

    #[test]
    fn nothing_to_remember_is_no_failure_and_the_other_way_round() {
        for answer in [r#"{"facts":[],"episode":null}"#, "[]", r#"{"episode": "无"}"#] {
            assert_eq!(Proposals::read(answer), Ok(Proposals::default()), "{answer}");
        }
        for answer in
            ["", "There is nothing to remember.", "{\"facts\": 7}", "{}", "[1, 2]", "{{{{", "{\"a\":"]
        {
            assert_eq!(Proposals::read(answer), Err(Malformed), "{answer}");
        }
    }

    #[test]
    fn missing_and_odd_values() {
        let read = Proposals::read(
            r#"{"facts":[{"content":"c","object":["茶","咖啡"],"importance":"99","confidence":2,"kind":"event"}],"episode":"去了"}"#,
        )
        .unwrap();
        let fact = &read.facts[0];
        assert_eq!((fact.importance, fact.confidence, fact.kind), (Some(10), Some(1.0), Kind::Task));
        assert_eq!((fact.object.as_str(), fact.quote.as_str()), ("茶、咖啡", ""));
        assert_eq!(read.episode.as_deref(), Some("去了"));
    }

    #[test]
    fn the_request_holds_what_was_said_and_within_its_limits() {
        let long = "长".repeat(9000);
        let turns = [Turn { user: &long, answer: &long }];
        let (system, message) = request(&turns, &[("m3".to_owned(), "用户叫张三")], false);
        assert!(message.chars().count() < MESSAGE_LIMIT + ANSWER_LIMIT + 300, "{}", message.chars().count());
        assert!(message.contains("m3 用户叫张三") && message.contains("[…]"));
        assert!(system.contains("with \"用户\"") && !system.contains("{user}"));
        let english = [Turn { user: "I live in Rome", answer: "" }];
        assert!(request(&english, &[], true).0.contains("with \"The user\""));
        assert!(!system.contains("20"), "no date that could be taken for one of the user's");
    }

    #[test]
    fn no_answer_panics() {
        for end in 0..FACT.chars().count() {
            let cut: String = FACT.chars().take(end).collect();
            let _ = Proposals::read(&format!("{{\"facts\":[{cut}"));
            let _ = Proposals::read(&cut);
        }
    }
}
