//! Whether what the user says is encoded, and by which model.

use super::ConfigError;
use super::layers::{Key, Layers};
use crate::text;

pub const ENCODE: Key = Key::new("encode", &["MINI_CHATGPT_ENCODE"]);
pub const ENCODE_MODEL: Key = Key::new("encode_model", &["MINI_CHATGPT_ENCODE_MODEL"]);
pub const INCOGNITO: Key = Key::new("incognito", &["MINI_CHATGPT_INCOGNITO"]);

/// Whether and how turns are encoded.
#[derive(Debug)]
pub struct Encoding {
    pub on: bool,
    /// Where it is not the chat's.
    pub model: Option<String>,
}

pub fn encoding(layers: &Layers) -> Result<Encoding, ConfigError> {
    let on = match layers.get(&ENCODE) {
        None => true,
        Some(found) => match found.value.trim().to_ascii_lowercase().as_str() {
            "auto" => true,
            "off" => false,
            _ => return Err(found.error(text::none_of(layers.lang, &found.value, "auto, off"))),
        },
    };
    let model = layers.get(&ENCODE_MODEL).map(|found| found.value.trim().to_owned());
    Ok(Encoding { on, model: model.filter(|model| !model.is_empty()) })
}
