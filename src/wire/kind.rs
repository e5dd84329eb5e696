//! Kinds of failure, what can be done about each, and how a kind is told from status and words.

/// Kinds of failure, by what can be done about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// No connection, or it broke before an answer.
    Unreachable,
    /// The server took too long.
    Timeout,
    /// The key is missing, wrong or not allowed.
    Key,
    /// No credit left; waiting does not help.
    Quota,
    RateLimit,
    /// One request is larger than what is allowed in a minute; waiting does not help.
    RateTooLarge,
    Overloaded,
    /// The server is loading its model.
    Loading,
    /// The server's own fault.
    Server,
    Conflict,
    /// The conversation is longer than the model's context.
    Overflow,
    /// More output was asked for than the model gives.
    OutputBudget,
    /// Refused by a content filter.
    Filtered,
    /// No such model or path.
    NotFound,
    /// The model or server takes no tools.
    ToolsUnsupported,
    /// The model wrote a call that its server could not read.
    ToolGeneration,
    /// A field of the request is refused; `Failure::param` says which.
    Unsupported,
    /// The messages are refused for their form.
    History,
    BadRequest,
    /// HTML or something else that is no Chat Completions answer.
    NotAnApi,
    /// Sent elsewhere; never followed, so that the key stays where it belongs.
    Redirect,
    /// The stream ended before the answer did.
    Cut,
    /// A complete answer with nothing in it.
    Empty,
    /// A complete answer that is all thinking.
    ReasoningOnly,
}

impl Kind {
    /// Whether any other request would fail in the same way now.
    pub fn is_of_the_endpoint(self) -> bool {
        matches!(
            self,
            Self::Unreachable
                | Self::Timeout
                | Self::Key
                | Self::Quota
                | Self::RateLimit
                | Self::Overloaded
                | Self::Loading
                | Self::NotFound
                | Self::NotAnApi
                | Self::Redirect
        )
    }
}

/// What to do about a failure while nothing of the answer has been shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Tell the user.
    Tell,
    /// The same request again, once.
    Once,
    /// Again after a pause that grows.
    Backoff,
    /// Ask every second or two until the model is loaded.
    Poll,
    /// Without the field that was refused.
    Degrade,
    /// Without tools.
    DropTools,
    /// With the messages in the most careful form.
    RepairHistory,
    /// With less of the conversation.
    Compact,
    /// With fewer tokens asked for.
    LowerBudget,
}

impl Kind {
    pub fn remedy(self) -> Remedy {
        match self {
            Self::Unreachable
            | Self::Timeout
            | Self::RateLimit
            | Self::Overloaded
            | Self::Server
            | Self::Conflict
            | Self::ToolGeneration => Remedy::Backoff,
            Self::Loading => Remedy::Poll,
            Self::Empty | Self::ReasoningOnly => Remedy::Once,
            Self::Unsupported => Remedy::Degrade,
            Self::ToolsUnsupported => Remedy::DropTools,
            Self::History => Remedy::RepairHistory,
            Self::Overflow | Self::RateTooLarge => Remedy::Compact,
            Self::OutputBudget => Remedy::LowerBudget,
            Self::Key
            | Self::Quota
            | Self::Filtered
            | Self::NotFound
            | Self::BadRequest
            | Self::NotAnApi
            | Self::Redirect
            | Self::Cut => Remedy::Tell,
        }
    }
}

/// Phrases by which servers say that the context is full: all parts of one row must occur.
const OVERFLOW: &[&[&str]] = &[
    &["context_length_exceeded"],
    &["model_context_window_exceeded"],
    &["exceed_context_size"],
    &["maximum context length"],
    &["exceed", "the context window"],
    &["exceeds the", "context"],
    &["exceed", "context size"],
    &["exceed", "context length"],
    &["greater than the context length"],
    &["input token count", "exceeds the maximum"],
    &["maximum prompt length"],
    &["reduce the length of the messages"],
    &["context window exceeds limit"],
    &["exceeded model token limit"],
    &["too large for model with", "maximum context"],
    &["current length is", "while limit is"],
    &["range of input length should be"],
    &["input is too long"],
    &["prompt is too long"],
    &["prompt has", "tokens, but"],
    &["prompt contains", "tokens, but"],
    &["inputs` tokens + `max_new_tokens"],
    &["to keep from the initial prompt is greater"],
    &["total message size", "exceeds"],
    &["configured context size"],
];

const KEY: &[&str] = &[
    "invalid_api_key",
    "incorrect api key",
    "invalid api key",
    "api key not valid",
    "unauthorized",
    "authentication",
];
const QUOTA: &[&str] = &[
    "insufficient_quota",
    "insufficient balance",
    "account balance",
    "balance is",
    "billing",
    "arrear",
    "credit",
    "payment",
    "余额",
    "欠费",
];
const WAIT: &[&str] = &["retrydelay", "try again in", "retry in", "retry after"];
const RATE: &[&str] = &["rate limit", "rate_limit", "ratelimit", "throttl", "too many requests"];
const FILTER: &[&str] = &[
    "content_filter",
    "data_inspection",
    "content management policy",
    "moderation",
    "content_policy",
    "sensitive content",
    "sensitive information",
    "sensitive word",
];
const NO_TOOLS: &[&str] = &[
    "not support tool",
    "support tool use",
    "support tool calling",
    "tools are not supported",
    "tool calling is not supported",
    "function calling is not",
    "not support function",
    "enable-auto-tool-choice",
    "tool-call-parser",
    "requires --jinja",
    "cannot use tools with stream",
];
const BAD_CALL: &[&str] = &["tool_use_failed", "failed to call a function", "malformed_function_call"];
const NO_MODEL: &[&str] = &["model_not_found", "model not found", "no such model", "unknown model"];
const LOADING: &[&str] = &["loading model", "model is loading"];
const BUSY: &[&str] =
    &["overloaded", "server is busy", "too busy", "at capacity", "provider_unavailable", "queue full"];
/// Words for a message that stands or looks as the endpoint will not have it.
const HISTORY: &[&str] = &[
    "unexpected role",
    "system role",
    "must alternate",
    "must be at the beginning",
    "content type: <nil>",
    "must not be empty",
    "invalid type: sequence",
    "function_response.name",
    "tool call id",
    "tool_call_id",
    "must be followed by tool",
    "must be a response to",
    "last role",
    "thought_signature",
    "reasoning_content",
    "must contain either",
    "text content blocks must be non-empty",
    "message_order",
];
/// Fields of a request that are refused by some, in the order in which they are dropped.
const OPTIONAL_FIELDS: &[&str] = &[
    "stream_options",
    "stream",
    "parallel_tool_calls",
    "tool_choice",
    "max_completion_tokens",
    "max_tokens",
    "temperature",
    "top_p",
    "enable_thinking",
    "reasoning_effort",
    "thinking",
    "strict",
    "response_format",
    "developer",
];
const REFUSAL: &[&str] = &[
    "unsupported",
    "not supported",
    "not permitted",
    "extra_forbidden",
    "unknown",
    "unrecognized",
    "unexpected",
    "cannot specify",
    "must be set",
    "only the default",
    "does not support",
];

/// The optional field that `words` refuse.
pub fn refused_param(words: &str) -> Option<&'static str> {
    let words = words.to_lowercase();
    if !REFUSAL.iter().any(|phrase| words.contains(phrase)) {
        return None;
    }
    // The field that is named first: an advice to use another one comes behind.
    let named = OPTIONAL_FIELDS.iter().filter_map(|field| Some((find_word(&words, field)?, *field)));
    named.min_by_key(|(place, field)| (*place, usize::MAX - field.len())).map(|(_, field)| field)
}

/// Whether `words` refuse the field `tools` itself.
fn refusal_of_tools(words: &str) -> bool {
    REFUSAL.iter().any(|phrase| words.contains(phrase))
        && find_word(words, "tools").is_some()
        && !words.contains("tools[")
}

/// Where `word` stands on its own, not inside a longer name.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let joins = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let (before, rest) = text.split_at(*at);
        !before.ends_with(joins) && !rest.strip_prefix(word).is_some_and(|after| after.starts_with(joins))
    })
}

/// Whether more is requested than a limit per minute allows: "Limit 6000, Requested 9100".
fn is_over_limit(words: &str) -> bool {
    let number = |name: &str| -> Option<u64> {
        let (_, rest) = words.split_once(name)?;
        let digits: String =
            rest.trim_start_matches([' ', ':']).chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    matches!((number("limit "), number("requested ")), (Some(limit), Some(requested)) if requested > limit)
}

/// The kind of a failure, from its status and its words.
pub fn kind_of(status: Option<u16>, words: &str) -> Kind {
    let words = words.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let limited = status == Some(429) || says(RATE);
    if let Some(kind) = kind_by_words(status, &words, limited) {
        return kind;
    }
    match status {
        Some(401 | 403 | 407) => Kind::Key,
        Some(402) => Kind::Quota,
        _ if limited => Kind::RateLimit,
        Some(404 | 405 | 410 | 418 | 501) => Kind::NotFound,
        Some(408 | 504 | 524) => Kind::Timeout,
        Some(409) => Kind::Conflict,
        Some(503 | 529) => Kind::Overloaded,
        Some(500..=599) => Kind::Server,
        Some(300..=399) => Kind::Redirect,
        None => Kind::Server,
        Some(_) => Kind::BadRequest,
    }
}

/// The kind that the words alone decide, whatever the status.
fn kind_by_words(status: Option<u16>, words: &str, limited: bool) -> Option<Kind> {
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let client_error = status.is_none_or(|status| status < 500);
    let refused = matches!(status, None | Some(400 | 422 | 500));
    Some(match () {
        () if says(NO_TOOLS) => Kind::ToolsUnsupported,
        () if says(BAD_CALL) => Kind::ToolGeneration,
        () if is_over_limit(words) => Kind::RateTooLarge,
        () if !limited && OVERFLOW.iter().any(|row| row.iter().all(|part| words.contains(part))) => {
            Kind::Overflow
        }
        () if says(FILTER) => Kind::Filtered,
        () if says(QUOTA) && !says(WAIT) && client_error => Kind::Quota,
        () if limited => return None,
        () if words.contains("max_tokens") && words.contains("range") => Kind::OutputBudget,
        () if refused && words.contains("unknown variant") => Kind::Unsupported,
        () if refused && says(HISTORY) => Kind::History,
        () if refused && refusal_of_tools(words) => Kind::ToolsUnsupported,
        () if refused && refused_param(words).is_some() => Kind::Unsupported,
        () if says(NO_MODEL) => Kind::NotFound,
        () if says(LOADING) => Kind::Loading,
        () if says(BUSY) => Kind::Overloaded,
        () if says(KEY) => Kind::Key,
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let table = [
            (429, "You exceeded your current quota, check your billing details", Kind::Quota),
            (429, "quota exceeded, check billing, retryDelay 26s", Kind::RateLimit),
            (429, "Rate limit: maximum context length 5 tokens per minute", Kind::RateLimit),
            (402, "", Kind::Quota),
            (429, "Rate limited by the load balancer", Kind::RateLimit),
            (404, "Model not found. Model names are case-sensitive.", Kind::NotFound),
            (400, "This model's maximum context length is 8192 tokens", Kind::Overflow),
            (400, "the request exceeds the available context size", Kind::Overflow),
            (400, "Range of input length should be [1, 6000]", Kind::Overflow),
            (400, "x does not support tools", Kind::ToolsUnsupported),
            (500, "tools param requires --jinja flag", Kind::ToolsUnsupported),
            (404, "No endpoints found that support tool use", Kind::ToolsUnsupported),
            (400, "Unsupported parameter: 'tools'", Kind::ToolsUnsupported),
            (422, "Extra inputs are not permitted body tools", Kind::ToolsUnsupported),
            (400, "m does not support tool calling", Kind::ToolsUnsupported),
            (400, "Function calling is not supported", Kind::ToolsUnsupported),
            (400, "'stream' does not support true", Kind::Unsupported),
            (404, "model `x` not found", Kind::NotFound),
            (400, "data_inspection_failed", Kind::Filtered),
            (529, "Overloaded", Kind::Overloaded),
            (503, "Loading model", Kind::Loading),
            (413, "TPM: Limit 6000, Requested 9100", Kind::RateTooLarge),
            (422, "stream_options: extra_forbidden", Kind::Unsupported),
            (400, "Unexpected role 'user' after role 'tool'", Kind::History),
            (400, "max_tokens outside its valid range", Kind::OutputBudget),
            (400, "Failed to call a function tool_use_failed", Kind::ToolGeneration),
            (403, "country not supported", Kind::Key),
            (307, "", Kind::Redirect),
        ];
        for (status, words, kind) in table {
            assert_eq!(kind_of(Some(status), words), kind, "{status} {words}");
        }
    }

    #[test]
    fn the_refused_field_is_named() {
        for (words, param) in [
            ("Unsupported parameter 'max_tokens'; use 'max_completion_tokens' instead", Some("max_tokens")),
            ("property 'reasoning_effort' is unsupported", Some("reasoning_effort")),
            ("loc body stream_options extra_forbidden", Some("stream_options")),
            ("messages must be a list", None),
            ("temperature is nice", None),
            ("Unknown model: reiher-thinking-8b", None),
        ] {
            assert_eq!(refused_param(words), param, "{words}");
        }
    }
}
