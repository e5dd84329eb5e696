//! One request to the model: send, stream, retry, cancel.
//!
//! Knows HTTP and the wire, nothing of memory, disk or screen. A retry happens only while nothing
//! of the answer has been shown, because what was shown cannot be taken back.

use std::time::Duration;

use chrono::DateTime;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::endpoint::{BaseUrl, Endpoint, innermost};
use crate::message::Thought;
use crate::quirks::Quirks;
use crate::text::{self, Lang};
use crate::wire::{self, Delta, Failure, Finish, Kind, Lesson, OnDelta, Reader, Remedy, Reply, Request};

/// Attempts at one request, the first included.
const ATTEMPTS: u32 = 3;
/// Pause before the second attempt; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// Looks at a server that is loading its model, five minutes in all.
const POLLS: u32 = 150;
const POLL_WAIT: Duration = Duration::from_secs(2);
/// Refusals that one request may teach.
const LESSONS: u32 = 5;
/// A server that asks for a longer pause than this is not waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Limits until the first byte and between bytes; none until the first byte on this machine, where
/// a long prompt may take minutes to be read.
const SILENCE_LIMIT: Duration = Duration::from_secs(300);
/// Limit after the model has said why it stopped: usage and the end mark follow at once, if at all.
const FINISH_LIMIT: Duration = Duration::from_secs(2);
/// Time an endpoint may take to list its models.
pub const LIST_LIMIT: Duration = Duration::from_secs(10);
/// Longest body of an answer that is no success.
const ERROR_BODY_LIMIT: usize = 1024 * 1024;

/// A request that failed for good.
#[derive(Debug, thiserror::Error)]
#[error("{host}: {:?} {}", .failure.kind, .failure.detail)]
pub struct ChatError {
    pub failure: Failure,
    pub host: String,
}

impl ChatError {
    /// Whether an endpoint that was asked for its models has just no such list.
    pub fn has_no_list(&self) -> bool {
        matches!(self.failure.kind, Kind::NotFound | Kind::NotAnApi | Kind::BadRequest)
            || self.failure.status == Some(403)
    }

    /// What happened, for the user.
    pub fn sentence(&self, lang: Lang) -> String {
        let Failure { kind, status, detail, .. } = &self.failure;
        let (host, detail) = (self.host.as_str(), detail.as_str());
        match kind {
            Kind::Unreachable => text::unreachable_host(lang, host, detail),
            Kind::Timeout => text::timed_out(lang, host),
            Kind::Key => text::key_refused(lang, host, detail),
            Kind::Quota => text::no_credit(lang, host, detail),
            Kind::RateLimit => text::rate_limited(lang, host, detail),
            Kind::RateTooLarge => text::request_too_large(lang, host, detail),
            Kind::Overloaded => text::overloaded(lang, host, detail),
            Kind::Loading => text::loading(lang, host),
            Kind::Server | Kind::Conflict => text::server_failed(lang, host, *status, detail),
            Kind::Overflow => text::context_full(lang, detail),
            Kind::OutputBudget => text::output_budget(lang, host, detail),
            Kind::Filtered => text::filtered(lang, host, detail),
            Kind::NotFound => text::not_found(lang, host, detail),
            Kind::ToolsUnsupported => text::no_tools(lang, host, detail),
            Kind::ToolGeneration => text::bad_call(lang, host),
            Kind::BadRequest | Kind::Unsupported | Kind::History => {
                text::refused(lang, host, *status, detail)
            }
            Kind::NotAnApi => text::not_an_api(lang, host, *status, detail),
            Kind::Redirect => text::redirected(lang, host, detail),
            Kind::Cut => text::stream_cut(lang, host),
            Kind::Empty => text::empty_answer(lang, host),
            Kind::ReasoningOnly => text::only_reasoning(lang, host),
        }
    }

    /// What to do about it, for the user.
    pub fn hint(&self, lang: Lang) -> &'static str {
        match self.failure.kind {
            Kind::Unreachable if self.failure.detail.to_lowercase().contains("certificate") => {
                text::hint_certificate(lang)
            }
            Kind::Redirect => text::hint_follow_redirect(lang),
            Kind::Unreachable | Kind::NotAnApi => text::hint_check_url(lang),
            Kind::Timeout
            | Kind::Server
            | Kind::Conflict
            | Kind::Overloaded
            | Kind::Loading
            | Kind::RateLimit
            | Kind::Cut
            | Kind::Empty
            | Kind::ToolGeneration
            | Kind::ReasoningOnly => text::hint_try_later(lang),
            Kind::Key => text::hint_check_key(lang),
            Kind::Quota => text::hint_top_up(lang),
            Kind::Overflow | Kind::RateTooLarge => text::hint_shorter(lang),
            Kind::Filtered => text::hint_rephrase(lang),
            Kind::NotFound => text::hint_check_model(lang),
            Kind::ToolsUnsupported => text::hint_other_model(lang),
            Kind::BadRequest | Kind::Unsupported | Kind::History | Kind::OutputBudget => {
                text::hint_see_log(lang)
            }
        }
    }
}

/// The sending half of [`Cancel`].
#[derive(Debug)]
pub struct Canceller(watch::Sender<bool>);

impl Canceller {
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

/// Lets the user stop what is under way. Everything that waits listens to it.
#[derive(Debug, Clone)]
pub struct Cancel(watch::Receiver<bool>);

impl Cancel {
    pub fn pair() -> (Canceller, Self) {
        let (sender, receiver) = watch::channel(false);
        (Canceller(sender), Self(receiver))
    }

    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Ends when the user cancels; never, when the [`Canceller`] is gone.
    pub async fn cancelled(&mut self) {
        if self.0.wait_for(|cancelled| *cancelled).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// What is told while a request is under way.
#[derive(Debug)]
pub enum Progress<'a> {
    Delta(Delta<'a>),
    /// The endpoint refused something; the request is sent again without it.
    Learnt {
        lesson: Lesson,
        failure: &'a Failure,
    },
    /// An attempt failed, another one follows after `wait`.
    Retry {
        failure: &'a Failure,
        wait: Duration,
    },
}

/// A failed attempt, and how long the server asked to wait.
struct Rejected {
    failure: Failure,
    asked: Option<Duration>,
}

impl From<Failure> for Rejected {
    fn from(failure: Failure) -> Self {
        Self { failure, asked: None }
    }
}

/// An endpoint together with the client that reaches it.
#[derive(Debug, Clone)]
pub struct Chat {
    client: Client,
    endpoint: Endpoint,
    /// The endpoint's row, with what has been learnt since.
    quirks: Quirks,
    /// A failed attempt is not repeated.
    once: bool,
}

impl Chat {
    pub fn new(client: Client, endpoint: Endpoint) -> Self {
        let quirks = endpoint.quirks.clone();
        Self { client, endpoint, quirks, once: false }
    }

    /// The same way to the model, for what nobody waits for: a failed request is not sent again.
    pub fn in_background(&self) -> Self {
        Self { once: true, ..self.clone() }
    }

    /// Takes over what was learnt about this endpoint earlier.
    pub fn teach(&mut self, lessons: &[Lesson]) {
        for lesson in lessons {
            lesson.teach(&mut self.quirks);
        }
    }

    pub fn client(&self) -> Client {
        self.client.clone()
    }

    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends `request` and reads the answer. When the user cancels, what has come by then is the
    /// reply, with [`Finish::Cancelled`].
    pub async fn send(
        &mut self,
        request: &Request<'_>,
        cancel: &mut Cancel,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Reply, ChatError> {
        let mut attempt = 1;
        let mut lessons = 0;
        let mut forgotten: Option<(BaseUrl, Failure)> = None;
        loop {
            let mut shown = false;
            let result = self
                .attempt(request, cancel, &mut |delta| {
                    shown |= matches!(delta, Delta::Text(_));
                    progress(Progress::Delta(delta));
                })
                .await;
            let (failure, asked) = match result {
                Ok(mut reply) => {
                    if let Finish::Cut(failure) = reply.finish {
                        reply.finish = Finish::Cut(self.keyless(failure));
                    }
                    tracing::debug!(?reply, "reply");
                    return Ok(reply);
                }
                Err(Rejected { failure, asked }) => (self.keyless(failure), asked),
            };
            tracing::debug!(?failure, ?asked, attempt, "attempt failed");
            if shown {
                return Err(self.error(failure));
            }
            let with_calls =
                !request.rounds.is_empty() || request.history.iter().any(|turn| !turn.rounds().is_empty());
            let lesson =
                Lesson::from_failure(&failure, &self.quirks, with_calls).filter(|_| lessons < LESSONS);
            if let Some(lesson) = lesson {
                lesson.teach(&mut self.quirks);
                lessons += 1;
                progress(Progress::Learnt { lesson, failure: &failure });
                continue;
            }
            // A pasted address may lack its `/v1`; one look there, and back if it is not that.
            if failure.kind == Kind::NotFound && attempt == 1 && forgotten.is_none() {
                if let Some(longer) = self.endpoint.base_url.with_version() {
                    let shorter = std::mem::replace(&mut self.endpoint.base_url, longer);
                    forgotten = Some((shorter, failure));
                    continue;
                }
            } else if let Some((shorter, first)) = forgotten.take() {
                self.endpoint.base_url = shorter;
                return Err(self.error(first));
            }
            let wait = pause(failure.kind.remedy(), asked, attempt).filter(|_| !self.once);
            let Some(wait) = wait else {
                return Err(self.error(failure));
            };
            progress(Progress::Retry { failure: &failure, wait });
            tokio::select! {
                () = cancel.cancelled() => return Ok(cancelled(&Reader::new(&[]))),
                () = tokio::time::sleep(wait) => attempt += 1,
            }
        }
    }

    /// The ids of the models the endpoint offers.
    pub async fn models(&self, limit: Duration) -> Result<Vec<String>, ChatError> {
        self.listing(limit).await.map(|listing| wire::model_ids(&listing))
    }

    /// What the endpoint says of the models it offers, as it came.
    pub async fn listing(&self, limit: Duration) -> Result<Value, ChatError> {
        let request = self.endpoint.authorized(self.client.get(self.endpoint.base_url.join("models")));
        let answer = async {
            let response = request.send().await.map_err(|error| connection_failure(&error))?;
            let (status, body) = whole_body(response).await;
            if !status.is_success() {
                return Err(wire::from_response(status.as_u16(), &body));
            }
            serde_json::from_slice::<Value>(&body).map_err(|_| Failure::new(Kind::NotAnApi, ""))
        };
        match timeout(limit, answer).await {
            Ok(result) => result.map_err(|failure| self.error(self.keyless(failure))),
            Err(_) => Err(self.error(Failure::new(Kind::Timeout, ""))),
        }
    }

    async fn attempt(
        &self,
        request: &Request<'_>,
        cancel: &mut Cancel,
        on: &mut OnDelta<'_>,
    ) -> Result<Reply, Rejected> {
        let nothing = || Ok(cancelled(&Reader::new(&[])));
        let body = wire::body(request, &self.quirks);
        tracing::debug!(%body, "request");
        let sent = self
            .endpoint
            .authorized(self.client.post(self.endpoint.base_url.join("chat/completions")))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, if request.stream { "text/event-stream" } else { "application/json" })
            .header(ACCEPT_ENCODING, "identity")
            .body(body.to_string())
            .send();
        let first_byte = (!self.endpoint.base_url.is_local()).then_some(SILENCE_LIMIT);
        let response = tokio::select! {
            biased;
            () = cancel.cancelled() => return nothing(),
            response = within(first_byte, sent) => match response {
                Some(response) => response.map_err(|error| connection_failure(&error))?,
                None => return Err(Failure::new(Kind::Timeout, "").into()),
            },
        };
        if !response.status().is_success() {
            let headers = response.headers().clone();
            let (status, body) = tokio::select! {
                biased;
                () = cancel.cancelled() => return nothing(),
                whole = whole_body(response) => whole,
            };
            // Its key goes before anything is shortened, so that no half of it stays.
            let body = self.endpoint.without_key(&String::from_utf8_lossy(&body)).into_bytes();
            let mut failure = wire::from_response(status.as_u16(), &body);
            if failure.kind == Kind::Redirect {
                failure.detail = header(&headers, "location").unwrap_or_default();
            }
            let now = header(&headers, "date").and_then(|date| DateTime::parse_from_rfc2822(&date).ok());
            let now = now.map(|date| date.timestamp());
            let words = String::from_utf8_lossy(&body);
            // The resets of a rate limit come with every answer, and mean nothing to other failures.
            let limited = failure.kind == Kind::RateLimit;
            let asked = wire::asked_pause(
                &|name| header(&headers, name).filter(|_| limited || !name.starts_with("x-ratelimit")),
                &words,
                now,
            );
            return Err(Rejected { failure, asked });
        }
        let tools = if self.quirks.tools { request.tools } else { &[] };
        Ok(read(response, Reader::new(tools), first_byte, cancel, on).await?)
    }

    /// `failure` without this endpoint's key: servers echo it.
    fn keyless(&self, mut failure: Failure) -> Failure {
        failure.detail = self.endpoint.without_key(&failure.detail);
        failure
    }

    /// Dresses a failure for the user.
    pub fn error(&self, failure: Failure) -> ChatError {
        ChatError { failure, host: self.endpoint.base_url.host_and_port() }
    }
}

/// Status and body of an answer that is no stream, the body up to [`ERROR_BODY_LIMIT`].
async fn whole_body(mut response: Response) -> (reqwest::StatusCode, Vec<u8>) {
    let status = response.status();
    let mut body = Vec::new();
    while let Ok(Ok(Some(chunk))) = timeout(SILENCE_LIMIT, response.chunk()).await {
        body.extend_from_slice(&chunk);
        if body.len() > ERROR_BODY_LIMIT {
            break;
        }
    }
    (status, body)
}

/// Reads an answer to its end, its cut or its cancellation.
async fn read(
    mut response: Response,
    mut reader: Reader,
    mut silence: Option<Duration>,
    cancel: &mut Cancel,
    on: &mut OnDelta<'_>,
) -> Result<Reply, Failure> {
    let mut begun = false;
    while !reader.is_done() {
        let chunk = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(cancelled(&reader)),
            chunk = within(silence, response.chunk()) => chunk,
        };
        let failure = match chunk {
            Some(Ok(Some(bytes))) => match reader.push(&bytes, on) {
                Ok(()) => {
                    begun = true;
                    silence = silence_after(&reader);
                    continue;
                }
                Err(failure) => failure,
            },
            Some(Ok(None)) => break,
            Some(Err(error)) => {
                let kind = if begun { Kind::Cut } else { Kind::Unreachable };
                Failure::new(kind, &innermost(&error))
            }
            None => Failure::new(Kind::Timeout, ""),
        };
        return reader.broken(failure, on);
    }
    reader.finish(on)
}

/// How long the server may be silent now.
fn silence_after(reader: &Reader) -> Option<Duration> {
    Some(if reader.is_finishing() { FINISH_LIMIT } else { SILENCE_LIMIT })
}

fn cancelled(reader: &Reader) -> Reply {
    Reply {
        text: reader.text().to_owned(),
        thought: Thought::default(),
        calls: Vec::new(),
        finish: Finish::Cancelled,
        usage: None,
    }
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

async fn within<F: Future>(limit: Option<Duration>, future: F) -> Option<F::Output> {
    match limit {
        Some(limit) => timeout(limit, future).await.ok(),
        None => Some(future.await),
    }
}

fn connection_failure(error: &reqwest::Error) -> Failure {
    let kind = if error.is_timeout() && !error.is_connect() { Kind::Timeout } else { Kind::Unreachable };
    Failure::new(kind, &innermost(error))
}

/// How long to wait before attempt `attempt + 1`; `None` when there is to be none.
fn pause(remedy: Remedy, asked: Option<Duration>, attempt: u32) -> Option<Duration> {
    let (attempts, wait) = match remedy {
        Remedy::Backoff => (ATTEMPTS, asked.unwrap_or_else(|| FIRST_WAIT * 2u32.pow(attempt.min(10) - 1))),
        Remedy::Poll => (POLLS, asked.unwrap_or(POLL_WAIT).max(POLL_WAIT)),
        Remedy::Once => (2, Duration::ZERO),
        Remedy::Tell
        | Remedy::Degrade
        | Remedy::DropTools
        | Remedy::RepairHistory
        | Remedy::Compact
        | Remedy::LowerBudget => return None,
    };
    (attempt < attempts && wait <= LONGEST_WAIT).then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses() {
        let second = Duration::from_secs(1);
        assert_eq!(pause(Remedy::Backoff, None, 1), Some(second / 2));
        assert_eq!(pause(Remedy::Backoff, None, 2), Some(second));
        assert_eq!(pause(Remedy::Backoff, None, 3), None);
        assert_eq!(pause(Remedy::Backoff, Some(2 * second), 1), Some(2 * second));
        assert_eq!(pause(Remedy::Backoff, Some(61 * second), 1), None);
        assert_eq!(pause(Remedy::Once, None, 1), Some(Duration::ZERO));
        assert_eq!(pause(Remedy::Once, None, 2), None);
        assert_eq!(pause(Remedy::Poll, None, 100), Some(2 * second));
        assert_eq!(pause(Remedy::Tell, None, 1), None);
    }
}
