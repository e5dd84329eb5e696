//! What went wrong, from what the endpoint said about it.
//!
//! Endpoints disagree on the shape of an error and reuse status codes, so the kind comes from the
//! status together with the words. Only key phrases are matched, in lower case.

use serde_json::Value;

use super::kind::{Kind, kind_of, refused_param};

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
