//! Text to unit vectors, or the word that there are none.
//!
//! Today's vectors come from an endpoint's `/embeddings`; without one, recall is lexical. Nothing is
//! printed here, and a failure is never the failure of a turn.

use std::time::Duration;

use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::endpoint::{Endpoint, innermost};
use crate::memory::Vector;

/// Time a vector may take. A turn goes on without it.
const DEADLINE: Duration = Duration::from_secs(5);
/// Characters of a text that are embedded; more than common models read.
const TEXT_LIMIT: usize = 8000;

/// Why there is no vector.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("no answer within {} s", DEADLINE.as_secs())]
    Timeout,
    #[error("{host} answered {status}")]
    Status { host: String, status: u16 },
    #[error("the answer of {host} holds no usable vector")]
    Unusable { host: String },
    #[error("{0}")]
    Connection(String),
}

/// Where vectors come from.
#[derive(Debug)]
pub enum Embedder {
    Off,
    Remote(Remote),
}

/// An embeddings endpoint.
#[derive(Debug)]
pub struct Remote {
    client: Client,
    endpoint: Endpoint,
    model: String,
    /// The endpoint has said that it has no embeddings; it is not asked again.
    absent: bool,
    /// It has failed in this turn; it is not asked again before the next one.
    resting: bool,
}

impl Embedder {
    pub fn remote(client: Client, endpoint: Endpoint, model: String) -> Self {
        Self::Remote(Remote { client, endpoint, model, absent: false, resting: false })
    }

    /// Whether a vector of `model` can be compared with what this embedder makes.
    pub fn comparable(&self, model: Option<&str>) -> bool {
        match self {
            Self::Off => false,
            Self::Remote(remote) => model == Some(&remote.model) && !remote.absent,
        }
    }

    /// Begins a turn: what failed in the last one is tried again.
    pub fn wake(&mut self) {
        match self {
            Self::Off => {}
            Self::Remote(remote) => remote.resting = false,
        }
    }

    /// The unit vector of `text`; `None` when this embedder makes none.
    pub async fn embed(&mut self, text: &str) -> Result<Option<Vector>, EmbedError> {
        match self {
            Self::Off => Ok(None),
            Self::Remote(remote) if remote.absent || remote.resting || text.trim().is_empty() => Ok(None),
            Self::Remote(remote) => {
                let result = timeout(DEADLINE, remote.embed(text)).await.unwrap_or(Err(EmbedError::Timeout));
                remote.resting = result.is_err();
                result.map(Some)
            }
        }
    }
}

impl Remote {
    async fn embed(&mut self, text: &str) -> Result<Vector, EmbedError> {
        let input: String = text.chars().take(TEXT_LIMIT).collect();
        let body = json!({"model": self.model, "input": [input]}).to_string();
        let request = self.client.post(self.endpoint.base_url.join("embeddings"));
        let request = self.endpoint.authorized(request).header(CONTENT_TYPE, "application/json").body(body);
        let failed = |error: reqwest::Error| EmbedError::Connection(innermost(&error));
        let host = self.endpoint.base_url.host().to_owned();
        let response = request.send().await.map_err(failed)?;
        let status = response.status();
        let body = response.bytes().await.map_err(failed)?;
        if !status.is_success() {
            self.absent = matches!(status.as_u16(), 404 | 405 | 410 | 418 | 501);
            return Err(EmbedError::Status { host, status: status.as_u16() });
        }
        let values = vector_in(&body).ok_or(EmbedError::Unusable { host })?;
        tracing::debug!(model = %self.model, dimensions = values.len(), first = ?values.first(), "embedded");
        Ok(Vector { model: Some(self.model.clone()), values })
    }
}

/// The vector in an answer, made unit length; `None` when there is none, or it is zero.
fn vector_in(body: &[u8]) -> Option<Vec<f32>> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let numbers = answer.get("data")?.get(0)?.get("embedding")?.as_array()?;
    let number = |value: &Value| match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    };
    let values: Vec<f64> = numbers.iter().map(number).collect::<Option<_>>()?;
    let length = values.iter().map(|value| value * value).sum::<f64>().sqrt();
    (length.is_finite() && length > 0.0).then(|| values.iter().map(|value| (value / length) as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        let vector = |body: &str| vector_in(body.as_bytes());
        assert_eq!(vector(r#"{"data":[{"embedding":[3,"4"]}]}"#), Some(vec![0.6, 0.8]));
        for unusable in [
            r#"{"data":[{"embedding":[0,0]}]}"#,
            r#"{"data":[]}"#,
            r#"{"data":[{"embedding":[1,null]}]}"#,
            "<html>",
        ] {
            assert_eq!(vector(unusable), None, "{unusable}");
        }
    }
}
