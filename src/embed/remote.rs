//! Vectors from an endpoint's `/embeddings`.

use std::time::Duration;

use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::EmbedError;
use crate::endpoint::{Endpoint, innermost};

/// Time that a request for vectors may take. A turn goes on without them.
pub const DEADLINE: Duration = Duration::from_secs(5);
/// Texts sent at once, as many as every known endpoint takes.
const BATCH: usize = 10;
/// Characters of a text that are embedded; more than common models read.
const TEXT_LIMIT: usize = 8000;

/// An embeddings endpoint.
#[derive(Debug, Clone)]
pub struct Remote {
    client: Client,
    endpoint: Endpoint,
    model: String,
    /// Texts sent at once.
    batch: usize,
    /// The endpoint has said that it has no embeddings; it is not asked again.
    absent: bool,
    /// It has failed in this turn; it is not asked again before the next one.
    resting: bool,
}

impl Remote {
    pub fn new(client: Client, endpoint: Endpoint, model: String) -> Self {
        Self { client, endpoint, model, batch: BATCH, absent: false, resting: false }
    }

    /// The vectors of `texts` within [`DEADLINE`], unless the endpoint has failed before in this turn.
    pub async fn embed_in_time(&mut self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        if self.absent || self.resting {
            return Ok(vec![None; texts.len()]);
        }
        let result = timeout(DEADLINE, self.embed_all(texts)).await.unwrap_or(Err(EmbedError::Timeout));
        self.resting = result.is_err();
        result
    }

    pub fn model(&self) -> &str {
        &self.model
    }

    /// Whether the endpoint has said that it has no embeddings.
    pub fn is_absent(&self) -> bool {
        self.absent
    }

    /// Begins a turn: what failed in the last one is tried again.
    pub fn wake(&mut self) {
        self.resting = false;
    }

    /// The unit vectors of `texts`, in their order; blank ones have none. Batches that are too large are
    /// split, texts that are too long are embedded by their beginning.
    pub async fn embed_all(&mut self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts.len()];
        let mut waiting: Vec<(usize, String)> = texts
            .iter()
            .enumerate()
            .filter(|(_, text)| !text.trim().is_empty())
            .map(|(place, text)| (place, text.chars().take(TEXT_LIMIT).collect()))
            .collect();
        waiting.reverse();
        while !waiting.is_empty() {
            let start = waiting.len().saturating_sub(self.batch);
            let mut batch = waiting.split_off(start);
            let inputs: Vec<&str> = batch.iter().rev().map(|(_, text)| text.as_str()).collect();
            match self.request(&inputs).await {
                Ok(found) => {
                    for ((place, _), vector) in batch.iter().rev().zip(found) {
                        vectors[*place] = Some(vector);
                    }
                    continue;
                }
                Err(EmbedError::BatchTooLarge { most }) if batch.len() > 1 => {
                    self.batch = most.clamp(1, batch.len() - 1);
                }
                Err(EmbedError::InputTooLong) if batch.len() > 1 => self.batch = 1,
                Err(EmbedError::InputTooLong) if batch[0].1.chars().count() > 1 => {
                    let half = batch[0].1.chars().count() / 2;
                    batch[0].1 = batch[0].1.chars().take(half).collect();
                }
                Err(error) => return Err(error),
            }
            waiting.extend(batch);
        }
        Ok(vectors)
    }

    async fn request(&mut self, inputs: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = json!({"model": self.model, "input": inputs}).to_string();
        let request = self.client.post(self.endpoint.base_url.join("embeddings"));
        let request = self.endpoint.authorized(request).header(CONTENT_TYPE, "application/json").body(body);
        let failed = |error: reqwest::Error| EmbedError::Connection(innermost(&error));
        let host = self.endpoint.base_url.host().to_owned();
        let response = request.send().await.map_err(failed)?;
        let status = response.status().as_u16();
        let body = response.bytes().await.map_err(failed)?;
        if !(200..300).contains(&status) {
            self.absent = matches!(status, 404 | 405 | 410 | 418 | 501);
            return Err(refusal(status, &String::from_utf8_lossy(&body), host, inputs.len()));
        }
        vectors_in(&body, inputs.len(), host)
    }
}

/// What an answer that is no success says about the size of the batch or of a text.
fn refusal(status: u16, body: &str, host: String, sent: usize) -> EmbedError {
    let words = body.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    if says(&["too large to process", "too long", "maximum context"]) {
        return EmbedError::InputTooLong;
    }
    if says(&["batch size", "maximum allowed batch", "too many inputs"]) {
        let numbers =
            words.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<usize>().ok());
        // The limit is the last number that is smaller than what was sent.
        let most = numbers.filter(|number| (1..sent).contains(number)).reduce(|_, last| last);
        return EmbedError::BatchTooLarge { most: most.unwrap_or(sent / 2) };
    }
    EmbedError::Status { host, status }
}

/// The vectors in an answer, in the order of the inputs, made unit length.
fn vectors_in(body: &[u8], wanted: usize, host: String) -> Result<Vec<Vec<f32>>, EmbedError> {
    let answer: Value = serde_json::from_slice(body).unwrap_or_default();
    let items = answer.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if items.len() != wanted {
        return Err(EmbedError::Count { host, found: items.len(), wanted });
    }
    let mut ordered: Vec<(u64, &Value)> = items
        .iter()
        .enumerate()
        .map(|(place, item)| (item.get("index").and_then(Value::as_u64).unwrap_or(place as u64), item))
        .collect();
    let mut seen: Vec<u64> = ordered.iter().map(|(index, _)| *index).collect();
    seen.sort_unstable();
    // Indexes that are no permutation say nothing; then the order given is the order.
    if seen.iter().copied().eq(0..wanted as u64) {
        ordered.sort_by_key(|(index, _)| *index);
    }
    let vectors = ordered.iter().map(|(_, item)| unit_vector(item.get("embedding")?));
    vectors.collect::<Option<_>>().ok_or(EmbedError::Unusable { host })
}

/// A vector as numbers, numeric strings, or base64 of little-endian `f32`; `None` when it is zero.
fn unit_vector(embedding: &Value) -> Option<Vec<f32>> {
    let values: Vec<f64> = match embedding {
        Value::String(text) => {
            let bytes = from_base64(text)?;
            bytes.as_chunks().0.iter().map(|four| f64::from(f32::from_le_bytes(*four))).collect()
        }
        other => {
            let number = |value: &Value| match value {
                Value::String(text) => text.trim().parse().ok(),
                value => value.as_f64(),
            };
            other.as_array()?.iter().map(number).collect::<Option<_>>()?
        }
    };
    let length = values.iter().map(|value| value * value).sum::<f64>().sqrt();
    (length.is_finite() && length > 0.0).then(|| values.iter().map(|value| (value / length) as f32).collect())
}

/// RFC 4648 §4; `None` on a character that does not belong.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(digit)) & 0xFF_FFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(body: &str, wanted: usize) -> Result<Vec<Vec<f32>>, String> {
        vectors_in(body.as_bytes(), wanted, "h".into()).map_err(|error| error.to_string())
    }

    #[test]
    fn answers() {
        let one = |body: &str| vectors(body, 1).ok().map(|mut vectors| vectors.remove(0));
        assert_eq!(one(r#"{"data":[{"embedding":[3,"4"]}]}"#), Some(vec![0.6, 0.8]));
        // 3.0 and 4.0.
        assert_eq!(one(r#"{"data":[{"embedding":"AABAQAAAgEA="}]}"#), Some(vec![0.6, 0.8]));
        for unusable in [
            r#"{"data":[{"embedding":[0,0]}]}"#,
            r#"{"data":[]}"#,
            r#"{"data":[{"embedding":[1,null]}]}"#,
            r#"{"data":[{"embedding":"!"}]}"#,
            "<html>",
        ] {
            assert_eq!(one(unusable), None, "{unusable}");
        }
    }

    #[test]
    fn order_follows_the_indexes() {
        let item = |index: &str, x: u8| format!("{{\"embedding\":[{x},{}]{index}}}", 1 - x);
        let (x, y) = (vec![1.0, 0.0], vec![0.0, 1.0]);
        let answer = |one: &str, other: &str| vectors(&format!("{{\"data\":[{one},{other}]}}"), 2).unwrap();
        let turned = answer(&item(",\"index\":1", 0), &item(",\"index\":0", 1));
        assert_eq!(turned, [x.clone(), y.clone()]);
        assert_eq!(answer(&item("", 1), &item(",\"index\":1", 0)), [x.clone(), y.clone()]);
        assert_eq!(answer(&item(",\"index\":5", 1), &item(",\"index\":5", 0)), [x, y]);
        assert_eq!(vectors(r#"{"data":[]}"#, 2).unwrap_err(), "h answered with 0 vectors for 2 texts");
    }

    #[test]
    fn refusals() {
        let refusal = |status, words: &str, sent| refusal(status, words, "h".into(), sent).to_string();
        assert_eq!(refusal(400, "batch size is invalid, not larger than 10", 16), "at most 10 texts at once");
        assert_eq!(
            refusal(413, "input batch size 80 > maximum allowed batch size 64", 80),
            "at most 64 texts at once"
        );
        assert_eq!(refusal(500, "input is too large to process (batch size 512)", 8), "a text is too long");
        assert_eq!(refusal(418, "WAF", 1), "h answered 418");
    }
}
