//! One request to the model: send, stream, retry, cancel.
//!
//! Knows HTTP and the wire, nothing of memory, disk or screen. A retry happens only while nothing
//! of the answer has been shown, because what was shown cannot be taken back.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::endpoint::{Endpoint, innermost};
use crate::text::{self, Lang};
use crate::wire::{self, Failure, Finish, Kind, Reader, Reply, Request};

/// Attempts at one request, the first included.
const ATTEMPTS: u32 = 3;
/// A server that asks for a longer pause than this is not waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Limits until the first byte and between bytes; none until the first byte on this machine, where
/// a long prompt may take minutes to be read.
const SILENCE_LIMIT: Duration = Duration::from_secs(300);
/// Limit after the model has said why it stopped: usage and the end mark follow at once, if at all.
const FINISH_LIMIT: Duration = Duration::from_secs(2);
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
    /// What happened, for the user.
    pub fn sentence(&self, lang: Lang) -> String {
        let Failure { kind, status, detail } = &self.failure;
        let (host, detail) = (self.host.as_str(), detail.as_str());
        match kind {
            Kind::Unreachable => text::unreachable_host(lang, host, detail),
            Kind::Timeout => text::timed_out(lang, host),
            Kind::Key => text::key_refused(lang, host, detail),
            Kind::Quota => text::no_credit(lang, host, detail),
            Kind::RateLimit => text::rate_limited(lang, host, detail),
            Kind::Overloaded => text::overloaded(lang, host, detail),
            Kind::Server => text::server_failed(lang, host, *status, detail),
            Kind::Overflow => text::context_full(lang, detail),
            Kind::Filtered => text::filtered(lang, host, detail),
            Kind::NotFound => text::not_found(lang, host, detail),
            Kind::ToolsUnsupported => text::no_tools(lang, host, detail),
            Kind::BadRequest => text::refused(lang, host, *status, detail),
            Kind::NotAnApi => text::not_an_api(lang, host, *status, detail),
            Kind::Redirect => text::redirected(lang, host, detail),
            Kind::Cut => text::stream_cut(lang, host),
            Kind::Empty => text::empty_answer(lang, host),
        }
    }

    /// What to do about it, for the user.
    pub fn hint(&self, lang: Lang) -> &'static str {
        match self.failure.kind {
            Kind::Unreachable | Kind::Redirect | Kind::NotAnApi => text::hint_check_url(lang),
            Kind::Timeout | Kind::Server | Kind::Overloaded | Kind::RateLimit | Kind::Cut | Kind::Empty => {
                text::hint_try_later(lang)
            }
            Kind::Key => text::hint_check_key(lang),
            Kind::Quota => text::hint_top_up(lang),
            Kind::Overflow => text::hint_shorter(lang),
            Kind::Filtered => text::hint_rephrase(lang),
            Kind::NotFound => text::hint_check_model(lang),
            Kind::ToolsUnsupported => text::hint_other_model(lang),
            Kind::BadRequest => text::hint_see_log(lang),
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
    Text(&'a str),
    /// An attempt failed, another one follows after `wait`.
    Retry {
        failure: &'a Failure,
        wait: Duration,
    },
}

/// A failed attempt, and how long the server asked to wait.
struct Rejected {
    failure: Failure,
    retry_after: Option<Duration>,
}

impl From<Failure> for Rejected {
    fn from(failure: Failure) -> Self {
        Self { failure, retry_after: None }
    }
}

/// An endpoint together with the client that reaches it.
#[derive(Debug, Clone)]
pub struct Chat {
    client: Client,
    endpoint: Endpoint,
}

impl Chat {
    pub fn new(client: Client, endpoint: Endpoint) -> Self {
        Self { client, endpoint }
    }

    /// Sends `request` and reads the answer. When the user cancels, what has come by then is the
    /// reply, with [`Finish::Cancelled`].
    pub async fn send(
        &self,
        request: &Request<'_>,
        cancel: &mut Cancel,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Reply, ChatError> {
        let body = wire::body(request, self.endpoint.quirks);
        tracing::debug!(%body, "request");
        let body = body.to_string();
        let mut attempt = 1;
        loop {
            let mut shown = false;
            let result = self
                .attempt(&body, request.stream, cancel, &mut |text| {
                    shown = true;
                    progress(Progress::Text(text));
                })
                .await;
            let Rejected { mut failure, retry_after } = match result {
                Ok(mut reply) => {
                    if let Finish::Cut(failure) = &mut reply.finish {
                        failure.detail = self.endpoint.without_key(&failure.detail);
                    }
                    tracing::debug!(?reply, "reply");
                    return Ok(reply);
                }
                Err(rejected) => rejected,
            };
            // Servers echo keys.
            failure.detail = self.endpoint.without_key(&failure.detail);
            tracing::debug!(?failure, ?retry_after, attempt, "attempt failed");
            let wait = (!shown).then(|| pause(failure.kind, retry_after, attempt)).flatten();
            let Some(wait) = wait else { return Err(self.error(failure)) };
            progress(Progress::Retry { failure: &failure, wait });
            tokio::select! {
                () = cancel.cancelled() => return Ok(cancelled(String::new())),
                () = tokio::time::sleep(wait) => attempt += 1,
            }
        }
    }

    /// The ids of the models the endpoint offers.
    pub async fn models(&self, limit: Duration) -> Result<Vec<String>, ChatError> {
        let request = self.endpoint.authorized(self.client.get(self.endpoint.base_url.join("models")));
        let answer = async {
            let response = request.send().await.map_err(|error| connection_failure(&error))?;
            let (status, body) = whole_body(response).await;
            if !status.is_success() {
                return Err(wire::from_response(status.as_u16(), &body));
            }
            serde_json::from_slice::<Value>(&body)
                .map_err(|_| Failure::new(Kind::NotAnApi, ""))
                .map(|value| wire::model_ids(&value))
        };
        match timeout(limit, answer).await {
            Ok(result) => result.map_err(|mut failure| {
                failure.detail = self.endpoint.without_key(&failure.detail);
                self.error(failure)
            }),
            Err(_) => Err(self.error(Failure::new(Kind::Timeout, ""))),
        }
    }

    async fn attempt(
        &self,
        body: &str,
        stream: bool,
        cancel: &mut Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Reply, Rejected> {
        let url = self.endpoint.base_url.join("chat/completions");
        let accept = if stream { "text/event-stream" } else { "application/json" };
        let request = self
            .endpoint
            .authorized(self.client.post(url))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, accept)
            .body(body.to_owned());
        let first_byte = (!self.endpoint.base_url.is_local()).then_some(SILENCE_LIMIT);
        let response = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(cancelled(String::new())),
            response = within(first_byte, request.send()) => match response {
                Some(response) => response.map_err(|error| connection_failure(&error))?,
                None => return Err(Failure::new(Kind::Timeout, "").into()),
            },
        };
        if !response.status().is_success() {
            let retry_after = retry_after(response.headers());
            let location = response.headers().get("location").and_then(|to| to.to_str().ok());
            let location = location.map(str::to_owned);
            let (status, body) = tokio::select! {
                biased;
                () = cancel.cancelled() => return Ok(cancelled(String::new())),
                whole = whole_body(response) => whole,
            };
            let mut failure = wire::from_response(status.as_u16(), &body);
            if failure.kind == Kind::Redirect {
                failure.detail = location.unwrap_or_default();
            }
            return Err(Rejected { failure, retry_after });
        }
        Ok(read(response, first_byte, cancel, on_text).await?)
    }

    /// Dresses a failure for the user.
    pub fn error(&self, failure: Failure) -> ChatError {
        ChatError { failure, host: self.endpoint.base_url.host().to_owned() }
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
    mut silence: Option<Duration>,
    cancel: &mut Cancel,
    on_text: &mut dyn FnMut(&str),
) -> Result<Reply, Failure> {
    let mut reader = Reader::default();
    while !reader.is_done() {
        let chunk = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(cancelled(reader.text().to_owned())),
            chunk = within(silence, response.chunk()) => chunk,
        };
        let failure = match chunk {
            Some(Ok(Some(bytes))) => match reader.push(&bytes, on_text) {
                Ok(()) => {
                    silence = silence_after(&reader);
                    continue;
                }
                Err(failure) => failure,
            },
            Some(Ok(None)) => break,
            Some(Err(error)) => Failure::new(Kind::Cut, &innermost(&error)),
            None => Failure::new(Kind::Timeout, ""),
        };
        return reader.broken(failure, on_text);
    }
    reader.finish(on_text)
}

/// How long the server may be silent now.
fn silence_after(reader: &Reader) -> Option<Duration> {
    Some(if reader.is_finishing() { FINISH_LIMIT } else { SILENCE_LIMIT })
}

fn cancelled(text: String) -> Reply {
    Reply { text, calls: Vec::new(), finish: Finish::Cancelled, usage: None }
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
fn pause(kind: Kind, asked: Option<Duration>, attempt: u32) -> Option<Duration> {
    let attempts = match kind {
        Kind::Unreachable | Kind::Timeout | Kind::RateLimit | Kind::Overloaded | Kind::Server => ATTEMPTS,
        Kind::Cut | Kind::Empty => 2,
        _ => 1,
    };
    let wait = asked.unwrap_or_else(|| Duration::from_millis(500) * 2u32.pow(attempt - 1));
    (attempt < attempts && wait <= LONGEST_WAIT).then_some(wait)
}

/// The pause a server asks for, in seconds or milliseconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let milliseconds = number("retry-after-ms").map(|number| number / 1000.0);
    let seconds = milliseconds.or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses() {
        let second = Duration::from_secs(1);
        assert_eq!(pause(Kind::Server, None, 1), Some(second / 2));
        assert_eq!(pause(Kind::Server, None, 2), Some(second));
        assert_eq!(pause(Kind::Server, None, 3), None);
        assert_eq!(pause(Kind::RateLimit, Some(2 * second), 1), Some(2 * second));
        assert_eq!(pause(Kind::RateLimit, Some(61 * second), 1), None);
        assert_eq!(pause(Kind::Empty, None, 2), None);
        for never in [Kind::Key, Kind::Quota, Kind::Filtered, Kind::BadRequest, Kind::NotFound] {
            assert_eq!(pause(never, None, 1), None, "{never:?}");
        }
    }
}
