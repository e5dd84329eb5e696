//! What went wrong, from what the endpoint said about it.
//!
//! Endpoints disagree on the shape of an error and reuse status codes, so the kind comes from the
//! status together with the words. Only key phrases are matched, in lower case.

use serde_json::Value;

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
    /// A field of the request is refused; [`Failure::param`] says which.
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

/// A failure as the endpoint told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: Kind,
    pub status: Option<u16>,
    /// The endpoint's own words, at most [`DETAIL_LIMIT`] characters; may be empty.
    pub detail: String,
    /// The field of the request that is refused.
    pub param: Option<&'static str>,
}

/// Longest `detail`, in characters.
pub const DETAIL_LIMIT: usize = 500;

impl Failure {
    pub fn new(kind: Kind, detail: &str) -> Self {
        Self { kind, status: None, detail: shortened(detail), param: None }
    }
}

fn shortened(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= DETAIL_LIMIT {
        return text;
    }
    text.chars().take(DETAIL_LIMIT).chain(['…']).collect()
}

/// The failure behind an HTTP answer whose status is not 2xx.
pub fn from_response(status: u16, body: &[u8]) -> Failure {
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{feff}').trim();
    let told = |words: &str, detail: &str| Failure {
        kind: kind_of(Some(status), words),
        status: Some(status),
        detail: shortened(detail),
        param: refused_param(words),
    };
    match serde_json::from_str::<Value>(text) {
        Ok(value) => {
            let words = words_of(&value);
            told(&words.all, &words.message)
        }
        Err(_) if text.starts_with('<') => {
            let kind = match status {
                404 | 405 | 501 => Kind::NotFound,
                500.. => Kind::Server,
                _ => Kind::NotAnApi,
            };
            Failure { kind, ..told("", &title_of(text)) }
        }
        // Some proxies refuse what is too large without a word.
        Err(_) if text.is_empty() && status == 413 => Failure { kind: Kind::Overflow, ..told("", "") },
        Err(_) => told(text, text),
    }
}

/// The failure in a payload that came with a success status; `None` when it is an answer.
pub fn in_payload(payload: &Value) -> Option<Failure> {
    let object = match payload {
        Value::Array(items) => items.first()?.as_object()?,
        other => other.as_object()?,
    };
    let present = |key: &str| object.get(key).is_some_and(|value| !is_blank(value));
    let vendor = object.get("base_resp").and_then(|resp| resp.get("status_code"));
    let vendor_failed = vendor.is_some_and(|code| code.as_i64() != Some(0));
    // An event that names its kind is an error only if it says so.
    let kind = object.get("type").and_then(Value::as_str).unwrap_or("error");
    let typed_error = ["error", "invalid", "exception", "overload"].iter().any(|word| kind.contains(word));
    let error_like = present("error")
        || present("errors")
        || vendor_failed
        || (!present("choices")
            && typed_error
            && ["error_type", "error_message", "error_msg", "detail", "message", "msg"]
                .iter()
                .any(|key| present(key)));
    if !error_like {
        return None;
    }
    let words = words_of(payload);
    let status = words.status.filter(|status| (400..600).contains(status));
    Some(Failure {
        kind: kind_of(status, &words.all),
        status,
        detail: shortened(&words.message),
        param: refused_param(&words.all),
    })
}

/// The failure an `event: error` stands for when its data is no JSON.
pub fn from_text(text: &str) -> Failure {
    Failure { param: refused_param(text), ..Failure::new(kind_of(None, text), text) }
}

/// The failure of an HTML page that came instead of an answer.
pub fn from_html(page: &str) -> Failure {
    Failure::new(Kind::NotAnApi, &title_of(page))
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

struct Words {
    /// For the user.
    message: String,
    /// For classification: message, codes and types together.
    all: String,
    status: Option<u16>,
}

/// Collects message, type and code wherever an error body may hold them.
fn words_of(payload: &Value) -> Words {
    let mut messages = Vec::new();
    let mut codes = Vec::new();
    let mut status = None;
    collect(payload, 0, &mut messages, &mut codes, &mut status);
    messages.dedup();
    let message = messages.join("; ");
    let all = format!("{message} {}", codes.join(" "));
    Words { message, all, status }
}

fn collect(
    value: &Value,
    depth: usize,
    messages: &mut Vec<String>,
    codes: &mut Vec<String>,
    status: &mut Option<u16>,
) {
    match value {
        _ if depth > 6 => {}
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(nested @ Value::Object(_)) => collect(&nested, depth + 1, messages, codes, status),
            _ => messages.push(text.clone()),
        },
        Value::Array(items) => {
            for item in items.iter().take(3) {
                collect(item, depth + 1, messages, codes, status);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                match key.as_str() {
                    "error" | "errors" | "detail" | "metadata" | "raw" | "base_resp" | "message" | "msg"
                    | "error_message" | "error_msg" | "errorMessage" | "status_msg" | "failed_reason" => {
                        collect(field, depth + 1, messages, codes, status);
                    }
                    "code" | "type" | "error_type" | "status" | "status_code" | "loc" | "param" => {
                        let code = field.as_str().map_or_else(|| field.to_string(), str::to_owned);
                        *status = status.or_else(|| code.parse().ok());
                        codes.push(code);
                    }
                    _ => {}
                }
            }
        }
        _ => {}
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
    "does not support tools",
    "enable-auto-tool-choice",
    "tool-call-parser",
    "requires --jinja",
    "cannot use tools with stream",
    "does not support function",
];
const BAD_CALL: &[&str] = &["tool_use_failed", "failed to call a function", "malformed_function_call"];
const NO_MODEL: &[&str] = &["model_not_found", "model not found", "no such model", "unknown model"];
const LOADING: &[&str] = &["loading model", "model is loading"];
const BUSY: &[&str] =
    &["overloaded", "server is busy", "too busy", "at capacity", "provider_unavailable", "queue full"];
/// Words for a message that stands or looks as the endpoint will not have it.
const HISTORY: &[&str] = &[
    "unexpected role",
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
fn refused_param(words: &str) -> Option<&'static str> {
    let words = words.to_lowercase();
    if !REFUSAL.iter().any(|phrase| words.contains(phrase)) {
        return None;
    }
    // The field that is named first: an advice to use another one comes behind.
    let named = OPTIONAL_FIELDS.iter().filter_map(|field| Some((find_word(&words, field)?, *field)));
    named.min_by_key(|(place, field)| (*place, usize::MAX - field.len())).map(|(_, field)| field)
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

fn kind_of(status: Option<u16>, words: &str) -> Kind {
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
        () if refused && refused_param(words).is_some() => Kind::Unsupported,
        () if says(NO_MODEL) => Kind::NotFound,
        () if says(LOADING) => Kind::Loading,
        () if says(BUSY) => Kind::Overloaded,
        () if says(KEY) => Kind::Key,
        () => return None,
    })
}

/// The title of an HTML page, which is as much of it as the user should see.
fn title_of(page: &str) -> String {
    let lower = page.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|start| {
        let open = start + lower.get(start..)?.find('>')? + 1;
        let close = open + lower.get(open..)?.find("</title")?;
        page.get(open..close)
    });
    title.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(status: u16, body: &str, kind: Kind, detail: &str) {
        let failure = from_response(status, body.as_bytes());
        assert_eq!((failure.kind, failure.detail.as_str()), (kind, detail), "{body}");
    }

    #[test]
    fn shapes() {
        check(401, r#"{"error":{"message":"bad key","code":"invalid_api_key"}}"#, Kind::Key, "bad key");
        check(400, r#"{"error":"plain"}"#, Kind::BadRequest, "plain");
        check(422, r#"{"detail":[{"loc":["body","x"],"msg":"extra"}]}"#, Kind::BadRequest, "extra");
        check(500, r#"[{"error":{"message":"in a list"}}]"#, Kind::Server, "in a list");
        check(502, "<html><TITLE>Bad gateway</title>", Kind::Server, "Bad gateway");
        check(200, "<html>hi", Kind::NotAnApi, "");
        check(503, "", Kind::Overloaded, "");
        check(
            400,
            r#"{"error":{"message":"Provider error","metadata":{"raw":"{\"message\":\"inner\"}"}}}"#,
            Kind::BadRequest,
            "Provider error; inner",
        );
    }

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

    #[test]
    fn answers_are_not_failures() {
        assert_eq!(in_payload(&json!({"choices": [], "error": null})), None);
        assert_eq!(in_payload(&json!({"type": "ping", "message": "keepalive"})), None);
        assert_eq!(in_payload(&json!({"choices": [{}], "message": "ok"})), None);
        assert_eq!(in_payload(&json!({"base_resp": {"status_code": 0}})), None);
        let failure = in_payload(&json!({"error": {"code": 500, "message": "boom"}})).unwrap();
        assert_eq!((failure.kind, failure.status), (Kind::Server, Some(500)));
        let failure =
            in_payload(&json!({"base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}));
        assert_eq!(failure.unwrap().kind, Kind::Quota);
    }

    #[test]
    fn details_are_short_and_on_one_line() {
        let failure = Failure::new(Kind::Server, &"错\n".repeat(1000));
        assert_eq!(failure.detail.chars().count(), DETAIL_LIMIT + 1);
        assert!(!failure.detail.contains('\n'));
    }
}
