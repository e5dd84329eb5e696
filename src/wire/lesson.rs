//! What is learnt about an endpoint from a refusal: a change to its row of the provider table.

use super::failure::Failure;
use super::kind::Kind;
use crate::quirks::{CallIds, NoContent, Quirks, ReasoningBack};

/// One thing an endpoint has been found to refuse or to insist on, for one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lesson {
    NoStreamOptions,
    NoStream,
    NoTemperature,
    /// Tools only in answers that are not streamed.
    NoStreamWithTools,
    NoTools,
    /// No `response_format` with a schema.
    NoSchema,
    NineCharacterIds,
    ToolNames,
    /// Empty text instead of null beside tool calls.
    EmptyContent,
    /// A blank instead of null or empty text beside tool calls.
    SpaceContent,
    NoReasoning,
    ReasoningContent,
    /// The system part stands at the head of the first user message.
    SystemInUser,
}

impl Lesson {
    pub const ALL: [Self; 13] = [
        Self::NoStreamOptions,
        Self::NoStream,
        Self::NoTemperature,
        Self::NoStreamWithTools,
        Self::NoTools,
        Self::NoSchema,
        Self::NineCharacterIds,
        Self::ToolNames,
        Self::EmptyContent,
        Self::SpaceContent,
        Self::NoReasoning,
        Self::ReasoningContent,
        Self::SystemInUser,
    ];

    /// Its name in files and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoStreamOptions => "no stream_options",
            Self::NoStream => "no stream",
            Self::NoTemperature => "no temperature",
            Self::NoStreamWithTools => "no stream with tools",
            Self::NoTools => "no tools",
            Self::NoSchema => "no response_format",
            Self::NineCharacterIds => "call ids of nine characters",
            Self::ToolNames => "names on tool messages",
            Self::EmptyContent => "empty content beside tool calls",
            Self::SpaceContent => "a blank as content beside tool calls",
            Self::NoReasoning => "no reasoning_content",
            Self::ReasoningContent => "reasoning_content beside tool calls",
            Self::SystemInUser => "no system role",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lesson| lesson.name() == name)
    }

    /// Whether `quirks` already say so.
    pub fn is_known(self, quirks: &Quirks) -> bool {
        let mut taught = quirks.clone();
        self.teach(&mut taught);
        taught == *quirks
    }

    /// Changes `quirks` accordingly.
    pub fn teach(self, quirks: &mut Quirks) {
        match self {
            Self::NoStreamOptions => quirks.stream_options = false,
            Self::NoStream => quirks.stream = false,
            Self::NoTemperature => quirks.temperature = false,
            Self::NoStreamWithTools => quirks.stream_with_tools = false,
            Self::NoTools => quirks.tools = false,
            Self::NoSchema => quirks.json_schema = false,
            Self::NineCharacterIds => quirks.call_ids = CallIds::NineAlphanumerics,
            Self::ToolNames => quirks.tool_names = true,
            Self::EmptyContent => quirks.no_content = NoContent::Empty,
            Self::SpaceContent => quirks.no_content = NoContent::Space,
            Self::NoReasoning => quirks.reasoning_back = ReasoningBack::Never,
            Self::ReasoningContent => quirks.reasoning_back = ReasoningBack::Content,
            Self::SystemInUser => quirks.system_role = false,
        }
    }

    /// What `failure` teaches, if it is anything new and the request can be sent in another way.
    /// `with_calls` says that the request carried tool calls; without them nothing is learnt about them.
    pub fn from_failure(failure: &Failure, quirks: &Quirks, with_calls: bool) -> Option<Self> {
        let words = failure.detail.to_lowercase();
        let says = |phrase: &str| words.contains(phrase);
        let candidates: &[Self] = match failure.kind {
            Kind::Unsupported | Kind::BadRequest if says("response_format") || says("json_schema") => {
                &[Self::NoSchema]
            }
            Kind::Unsupported => match failure.param {
                Some("stream_options") => &[Self::NoStreamOptions],
                Some("stream") => &[Self::NoStream],
                Some("temperature" | "top_p") => &[Self::NoTemperature],
                _ => &[],
            },
            Kind::ToolsUnsupported if says("with stream") => &[Self::NoStreamWithTools, Self::NoTools],
            Kind::ToolsUnsupported => &[Self::NoTools],
            Kind::History if says("system role") => &[Self::SystemInUser],
            _ if !with_calls => &[],
            Kind::History if says("length 9") || says("length of 9") => &[Self::NineCharacterIds],
            Kind::History if says("function_response.name") => &[Self::ToolNames],
            Kind::History
                if says("reasoning_content")
                    && (says("missing") || says("passed back") || says("must be")) =>
            {
                &[Self::ReasoningContent]
            }
            Kind::History if says("reasoning_content") => &[Self::NoReasoning],
            Kind::History if says("empty") => &[Self::SpaceContent],
            Kind::History if says("nil") || says("null") => &[Self::EmptyContent, Self::SpaceContent],
            _ => &[],
        };
        candidates.iter().copied().find(|lesson| !lesson.is_known(quirks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quirks;

    #[test]
    fn names_lead_back() {
        for lesson in Lesson::ALL {
            assert_eq!(Lesson::parse(lesson.name()), Some(lesson));
        }
    }

    #[test]
    fn a_lesson_is_learnt_once() {
        let failure = |kind, detail: &str, param| Failure { param, ..Failure::new(kind, detail) };
        let mut quirks = quirks::by_name("openai").unwrap().clone();
        let refused = failure(Kind::Unsupported, "x", Some("stream_options"));
        assert_eq!(Lesson::from_failure(&refused, &quirks, true), Some(Lesson::NoStreamOptions));
        Lesson::NoStreamOptions.teach(&mut quirks);
        assert_eq!(Lesson::from_failure(&refused, &quirks, true), None);

        let streamed = failure(Kind::ToolsUnsupported, "Cannot use tools with stream", None);
        assert_eq!(Lesson::from_failure(&streamed, &quirks, true), Some(Lesson::NoStreamWithTools));
        Lesson::NoStreamWithTools.teach(&mut quirks);
        assert_eq!(Lesson::from_failure(&streamed, &quirks, true), Some(Lesson::NoTools));

        let schema = failure(Kind::BadRequest, "This response_format type is unavailable now", None);
        assert_eq!(Lesson::from_failure(&schema, &quirks, false), Some(Lesson::NoSchema));

        let ids = failure(Kind::History, "tool call id x must be a-z, A-Z, 0-9, length 9", None);
        assert_eq!(Lesson::from_failure(&ids, &quirks, true), Some(Lesson::NineCharacterIds));
        assert_eq!(Lesson::from_failure(&ids, &quirks, false), None, "there were no ids");
        assert_eq!(Lesson::from_failure(&failure(Kind::Key, "", None), &quirks, true), None);
    }
}
