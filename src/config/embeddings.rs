//! Where vectors come from.

use secrecy::SecretString;

use super::layers::{Key, Layers};
use super::{ConfigError, base_url, target};
use crate::endpoint::{BaseUrl, Endpoint};
use crate::quirks;
use crate::text;

pub const EMBEDDINGS: Key = Key::new("embeddings", &["MINI_CHATGPT_EMBEDDINGS"]);
pub const EMBEDDING_MODEL: Key = Key::new("embedding_model", &["MINI_CHATGPT_EMBEDDING_MODEL"]);
pub const EMBEDDING_BASE_URL: Key = Key::new("embedding_base_url", &["MINI_CHATGPT_EMBEDDING_BASE_URL"]);
/// Variables for an embeddings endpoint of its own.
pub const EMBEDDING_KEY_VARS: &[&str] = &["MINI_CHATGPT_EMBEDDING_API_KEY"];

/// Where vectors come from.
#[derive(Debug)]
pub enum Embeddings {
    Off,
    /// The model inside the binary.
    BuiltIn,
    Remote(EmbeddingSettings),
}

/// An embedding model of an endpoint, and what is different from the chat's endpoint.
#[derive(Debug)]
pub struct EmbeddingSettings {
    pub model: String,
    pub base_url: Option<BaseUrl>,
    pub key: Option<SecretString>,
}

impl EmbeddingSettings {
    /// The endpoint of the embeddings, given the chat's. The chat's key goes to the chat's host only.
    pub fn endpoint(&self, chat: &Endpoint) -> Endpoint {
        let base_url = self.base_url.clone().unwrap_or_else(|| chat.base_url.clone());
        let chat_key = chat.key.clone().filter(|_| base_url.host() == chat.base_url.host());
        Endpoint { quirks: quirks::by_host(base_url.host()), key: self.key.clone().or(chat_key), base_url }
    }
}

/// Where vectors come from: as said, from the endpoint where a model of it is named, else from within.
pub fn embeddings(layers: &Layers) -> Result<Embeddings, ConfigError> {
    let chosen = layers.get(&EMBEDDINGS);
    let remote = embedding_settings(layers)?;
    let Some(found) = chosen else {
        return Ok(remote.map_or(Embeddings::BuiltIn, Embeddings::Remote));
    };
    match found.value.trim().to_ascii_lowercase().as_str() {
        "off" => Ok(Embeddings::Off),
        "builtin" => Ok(Embeddings::BuiltIn),
        "remote" => match remote {
            Some(settings) => Ok(Embeddings::Remote(settings)),
            None => Err(found.error(text::needs_embedding_model(layers.lang))),
        },
        _ => Err(found.error(text::none_of(layers.lang, &found.value, "builtin, remote, off"))),
    }
}

pub fn embedding_settings(layers: &Layers) -> Result<Option<EmbeddingSettings>, ConfigError> {
    let Some(model) = layers.get(&EMBEDDING_MODEL) else { return Ok(None) };
    let mut key = layers.key(EMBEDDING_KEY_VARS)?;
    let mut url = None;
    if let Some(found) = layers.get(&EMBEDDING_BASE_URL) {
        let base_url = base_url(&found, layers.lang)?;
        let owner = quirks::by_host(base_url.host());
        key = match target::is_trusted(&found, &base_url) {
            true => key,
            false => layers.key_in_dot_env(EMBEDDING_KEY_VARS)?,
        };
        if key.is_none() && target::may_have_owners_key(&found, &base_url) {
            key = layers.key(owner.key_vars)?;
        }
        url = Some(base_url);
    }
    let base_url = url;
    Ok(Some(EmbeddingSettings { model: model.value.clone(), base_url, key }))
}
