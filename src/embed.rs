//! Text to unit vectors, or the word that there are none.
//!
//! They come from the model inside the binary, which needs nothing and nobody, or from an endpoint's
//! `/embeddings`. Nothing is printed here, and a failure is never the failure of a turn.

mod builtin;
mod kernel;
mod math;
mod pieces;
mod remote;
mod weights;

pub use builtin::Model;
pub use remote::Remote;

use crate::memory::{self, BUILT_IN_MODEL, Upsert, Vector};
use remote::DEADLINE;

/// Parts of a memory's text that are embedded, enough for the longest one.
const MEMORY_PARTS: usize = 12;

/// Texts that an endpoint is asked for within its deadline, in two requests.
const REMOTE_BATCH: usize = 20;

/// Why there is no vector.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("no answer within {} s", DEADLINE.as_secs())]
    Timeout,
    #[error("{host} answered {status}")]
    Status { host: String, status: u16 },
    #[error("the answer of {host} holds no usable vector")]
    Unusable { host: String },
    #[error("{host} answered with {found} vectors for {wanted} texts")]
    Count { host: String, found: usize, wanted: usize },
    /// So many texts at once are too many; `most` are not.
    #[error("at most {most} texts at once")]
    BatchTooLarge { most: usize },
    #[error("a text is too long")]
    InputTooLong,
    #[error("{0}")]
    Connection(String),
    #[error("this build has no embedding model inside")]
    NoModel,
}

/// Where vectors come from.
#[derive(Debug, Clone)]
pub enum Embedder {
    Off,
    /// The model inside the binary.
    BuiltIn,
    Remote(Remote),
}

impl Embedder {
    /// The model whose vectors are made and can be compared; `None` when there are none.
    pub fn model(&self) -> Option<&str> {
        match self {
            Self::Off => None,
            Self::BuiltIn => Some(BUILT_IN_MODEL),
            Self::Remote(remote) => Some(remote.model()).filter(|_| !remote.is_absent()),
        }
    }

    /// Texts that are embedded within the time a request may take.
    pub fn batch(&self) -> usize {
        match self {
            Self::Off | Self::BuiltIn => usize::MAX,
            Self::Remote(_) => REMOTE_BATCH,
        }
    }

    /// Begins a turn: what failed in the last one is tried again.
    pub fn wake(&mut self) {
        if let Self::Remote(remote) = self {
            remote.wake();
        }
    }

    /// A vector for each text that is looked for; `None` for a blank one.
    pub async fn queries(&mut self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        match self {
            Self::Off => Ok(vec![None; texts.len()]),
            Self::BuiltIn => {
                let parts = built_in(texts, 1).await?;
                Ok(parts.into_iter().map(|mut parts| parts.pop()).collect())
            }
            Self::Remote(remote) => remote.embed_in_time(texts).await,
        }
    }

    /// Gives `upsert` the vector of what it says, where one is made.
    pub async fn complete(&mut self, upsert: &mut Upsert) -> Result<(), EmbedError> {
        let text = memory::text_of(&upsert.content, &upsert.context);
        upsert.vector = self.memories(&[&text]).await?.pop().flatten();
        Ok(())
    }

    /// The vector of each text of a memory, with all its parts; `None` for a blank one, and for all when
    /// this embedder makes none.
    pub async fn memories(&mut self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        let (model, parts) = match self {
            Self::Off => return Ok(vec![None; texts.len()]),
            Self::BuiltIn => (BUILT_IN_MODEL.to_owned(), built_in(texts, MEMORY_PARTS).await?),
            Self::Remote(remote) => {
                let vectors = remote.embed_in_time(texts).await?;
                (
                    remote.model().to_owned(),
                    vectors.into_iter().map(|vector| vector.into_iter().collect()).collect(),
                )
            }
        };
        Ok(parts.into_iter().map(|parts| Vector::new(&model, parts)).collect())
    }
}

/// The parts of each text, computed beside the runtime so that it can be cancelled.
async fn built_in(texts: &[&str], limit: usize) -> Result<Vec<Vec<Vec<f32>>>, EmbedError> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let parts = tokio::task::spawn_blocking(move || {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Model::get().map(|model| model.parts_of_all(&texts, limit))
    });
    parts.await.ok().flatten().ok_or(EmbedError::NoModel)
}
