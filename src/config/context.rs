//! What is sent of a conversation, where memories stand, what the model can take, and what it costs.

use std::path::{Path, PathBuf};

use super::layers::{Key, Layers};
use super::{ConfigError, decimal, number, switch};
use crate::prompt::Layout;
use crate::prompt::window::Window;
use crate::text;

pub const WINDOW: Key = Key::new("window", &["MINI_CHATGPT_WINDOW"]);
pub const CONTEXT_LENGTH: Key = Key::new("context_length", &["MINI_CHATGPT_CONTEXT_LENGTH"]);
pub const COMPACT_AT: Key = Key::new("compact_at", &["MINI_CHATGPT_COMPACT_AT"]);
pub const RECALL_IN: Key = Key::new("recall_in", &["MINI_CHATGPT_RECALL_IN"]);
pub const IMAGES: Key = Key::new("images", &["MINI_CHATGPT_IMAGES"]);
pub const ALLOW_READ: Key = Key::new("allow_read", &["MINI_CHATGPT_ALLOW_READ"]);
pub const PRICE: Key = Key::new("price", &["MINI_CHATGPT_PRICE"]);

/// Turns that are sent unless the user says otherwise (the window of system B).
const TURNS: usize = 10;
/// A number above this can only mean tokens.
const MOST_TURNS: usize = 200;
const COMPACT_AT_USUAL: f64 = 0.8;

/// Prices of a million tokens, in whatever currency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    pub prompt: f64,
    /// Of those that the endpoint has read before.
    pub cached: f64,
    pub completion: f64,
}

/// See the module.
#[derive(Debug)]
pub struct Context {
    pub window: Window,
    pub length: Option<usize>,
    pub compact_at: f64,
    pub layout: Layout,
    pub images: Option<bool>,
    /// Folders that the model may read from.
    pub allow_read: Vec<PathBuf>,
    pub price: Option<Price>,
}

pub fn context(layers: &Layers, work: &Path) -> Result<Context, ConfigError> {
    let layout = match layers.get(&RECALL_IN) {
        None => Layout::User,
        Some(found) => Layout::parse(&found.value.trim().to_ascii_lowercase())
            .ok_or_else(|| found.error(text::none_of(layers.lang, &found.value, "system, user")))?,
    };
    Ok(Context {
        window: window(layers)?,
        length: number(layers, &CONTEXT_LENGTH, 512..=100_000_000)?,
        compact_at: decimal(layers, &COMPACT_AT, 0.1..=1.0)?.unwrap_or(COMPACT_AT_USUAL),
        layout,
        images: switch(layers, &IMAGES)?,
        allow_read: allow_read(layers, work)?,
        price: price(layers)?,
    })
}

/// `10` turns, `3000t` or `8k` tokens, `off`.
fn window(layers: &Layers) -> Result<Window, ConfigError> {
    let Some(found) = layers.get(&WINDOW) else { return Ok(Window { turns: Some(TURNS), tokens: None }) };
    let value = found.value.trim().to_ascii_lowercase();
    if value == "off" {
        return Ok(Window { turns: None, tokens: None });
    }
    let wrong = || found.error(text::not_a_window(layers.lang, &found.value));
    let parse = |digits: &str| digits.trim().parse::<usize>().map_err(|_| wrong());
    let tokens = |tokens: usize| match tokens {
        0 => Err(wrong()),
        tokens => Ok(Window { turns: None, tokens: Some(tokens) }),
    };
    if let Some(digits) = value.strip_suffix('k') {
        return tokens(parse(digits)?.saturating_mul(1000));
    }
    let digits = value.strip_suffix("tokens").or_else(|| value.strip_suffix('t'));
    match digits {
        Some(digits) => tokens(parse(digits)?),
        None => match parse(value.strip_suffix("turns").unwrap_or(&value))? {
            turns if turns <= MOST_TURNS => Ok(Window { turns: Some(turns), tokens: None }),
            many => tokens(many),
        },
    }
}

fn allow_read(layers: &Layers, work: &Path) -> Result<Vec<PathBuf>, ConfigError> {
    let Some(found) = layers.get(&ALLOW_READ) else { return Ok(Vec::new()) };
    let folders = std::env::split_paths(&found.value).filter(|folder| !folder.as_os_str().is_empty());
    folders
        .map(|folder| {
            let name = folder.display().to_string();
            if !found.may_name(&name) {
                return Err(found.error(text::outside_folder(layers.lang)));
            }
            let folder = work.join(folder);
            let real = folder.canonicalize().map_err(|error| {
                found.error(text::cannot_read(layers.lang, &name, &text::io_reason(layers.lang, &error)))
            })?;
            if real.is_dir() { Ok(real) } else { Err(found.error(text::not_a_folder(layers.lang, &name))) }
        })
        .collect()
}

/// `IN,OUT` or `IN,CACHED,OUT`.
fn price(layers: &Layers) -> Result<Option<Price>, ConfigError> {
    let Some(found) = layers.get(&PRICE) else { return Ok(None) };
    let numbers: Vec<f64> = found
        .value
        .split(',')
        .map(|number| number.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0))
        .collect::<Option<_>>()
        .unwrap_or_default();
    match numbers.as_slice() {
        [prompt, completion] => Ok(Some(Price { prompt: *prompt, cached: *prompt, completion: *completion })),
        [prompt, cached, completion] => {
            Ok(Some(Price { prompt: *prompt, cached: *cached, completion: *completion }))
        }
        _ => Err(found.error(text::not_a_price(layers.lang, &found.value))),
    }
}

impl Price {
    /// What tokens cost.
    pub fn of(&self, prompt: u64, cached: u64, completion: u64) -> f64 {
        let read = prompt.saturating_sub(cached) as f64 * self.prompt;
        (read + cached as f64 * self.cached + completion as f64 * self.completion) / 1e6
    }
}
