//! Configuration: flags > environment > `.env` > `config.toml` > what the set-up saved > defaults.
//!
//! Everything is read once into a [`Settings`] value and handed down; no name below `cli` knows this
//! file. Each value keeps the source it came from, so that an error can say where it is wrong.

mod context;
mod embeddings;
mod encoding;
mod folders;
mod layers;
mod target;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use tracing::level_filters::LevelFilter;

use crate::endpoint::{BaseUrl, Network};
use crate::quirks::PROVIDERS;
use crate::text::{self, Lang};
use context::{ALLOW_READ, COMPACT_AT, CONTEXT_LENGTH, IMAGES, PRICE, RECALL_IN, WINDOW};
use embeddings::{EMBEDDING_BASE_URL, EMBEDDING_KEY_VARS, EMBEDDING_MODEL, EMBEDDINGS};
use encoding::{ENCODE, ENCODE_MODEL, INCOGNITO};
use folders::Folders;
use layers::{Found, Key, Layers};

pub use context::{Context, Price};
pub use embeddings::Embeddings;
pub use encoding::Encoding;
pub use layers::{Environment, process_environment};
pub use target::Target;

/// Options of the command line that configure; the help texts are in `text`.
#[derive(Debug, Default, Clone, clap::Args)]
pub struct Flags {
    #[arg(long, value_name = "ID")]
    pub user_id: Option<String>,
    #[arg(short, long, value_name = "NAME")]
    pub model: Option<String>,
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
    #[arg(long, value_name = "FOLDER")]
    pub memory_dir: Option<String>,
    #[arg(long, value_name = "TEXT|@FILE")]
    pub system: Option<String>,
    #[arg(long, value_name = "N")]
    pub top_k: Option<String>,
    #[arg(long, value_name = "0..1")]
    pub min_relevance: Option<String>,
    #[arg(long, value_name = "N")]
    pub inject: Option<String>,
    #[arg(long, value_name = "N")]
    pub max_rounds: Option<String>,
    #[arg(long, value_name = "TURNS|TOKENS|off")]
    pub window: Option<String>,
    #[arg(long, value_name = "TOKENS")]
    pub context_length: Option<String>,
    #[arg(long, value_name = "0..1")]
    pub compact_at: Option<String>,
    #[arg(long, value_name = "system|user")]
    pub recall_in: Option<String>,
    #[arg(long, value_name = "on|off")]
    pub images: Option<String>,
    #[arg(long, value_name = "FOLDER")]
    pub allow_read: Vec<String>,
    #[arg(long, value_name = "IN[,CACHED],OUT")]
    pub price: Option<String>,
    #[arg(long)]
    pub no_stream: bool,
    #[arg(long, value_name = "0..2", allow_negative_numbers = true)]
    pub temperature: Option<String>,
    #[arg(long, value_name = "show|fold|hide")]
    pub reasoning: Option<String>,
    #[arg(long, value_name = "builtin|remote|off")]
    pub embeddings: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub embedding_model: Option<String>,
    #[arg(long, value_name = "auto|off")]
    pub encode: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub encode_model: Option<String>,
    #[arg(long)]
    pub incognito: bool,
    #[arg(long, value_name = "zh|en")]
    pub lang: Option<String>,
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<String>,
}

/// A value that cannot be used, and where it stands.
#[derive(Debug)]
pub struct ConfigError {
    /// Set on the command line, which makes it a usage error.
    pub from_flag: bool,
    /// Names the place: a flag, a variable, or file, line and key.
    pub place: String,
    pub problem: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for ConfigError {}

/// Everything that can be configured, decided.
pub struct Settings {
    pub lang: Lang,
    pub user_id: String,
    pub memory_dir: PathBuf,
    pub target: Target,
    pub persona: Option<String>,
    pub top_k: usize,
    pub min_relevance: f64,
    pub inject: usize,
    pub max_rounds: usize,
    pub stream: bool,
    pub temperature: Option<f64>,
    pub reasoning: ShowReasoning,
    pub embeddings: Embeddings,
    pub encoding: Encoding,
    pub context: Context,
    /// Memories are neither read nor written.
    pub incognito: bool,
    pub log_level: LevelFilter,
    pub log_file: Option<PathBuf>,
    pub network: Network,
    pub color: bool,
    /// The terminal cannot move its cursor.
    pub dumb_terminal: bool,
    /// Where the set-up saves a tested key; `None` when the platform names no such folder.
    pub credentials_file: Option<PathBuf>,
    /// Where what is learnt about endpoints is kept; `None` when the platform names no such folder.
    pub cache_folder: Option<PathBuf>,
    /// What is set, and where: name, value, place. Of keys only the variable.
    pub sources: Vec<(String, String, String)>,
    /// Variables that look like settings and are none.
    pub unknown: Vec<String>,
}

/// What is shown of a model's reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShowReasoning {
    Show,
    /// One line of it.
    Fold,
    Hide,
}

impl ShowReasoning {
    pub const ALL: [Self; 3] = [Self::Show, Self::Fold, Self::Hide];

    pub fn name(self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Fold => "fold",
            Self::Hide => "hide",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name().eq_ignore_ascii_case(name.trim()))
    }
}

/// Values of `TERM` for terminals that cannot move their cursor.
const DUMB_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];
/// Memory folder that is used when the working directory has it.
const LOCAL_MEMORY_DIR: &str = ".memory";
/// Model of system A, asked for where an endpoint cannot say which models it has.
pub const FALLBACK_MODEL: &str = "qwen-plus";

const USER_ID: Key = Key::new("user_id", &["MINI_CHATGPT_USER_ID"]);
const MODEL: Key = Key::new("model", &["MINI_CHATGPT_MODEL"]);
const BASE_URL: Key = Key::new("base_url", &["OPENAI_BASE_URL", "OPENAI_API_BASE"]);
const PROVIDER: Key = Key::new("provider", &["MINI_CHATGPT_PROVIDER"]);
const MEMORY_DIR: Key = Key::new("memory_dir", &["MINI_CHATGPT_MEMORY_DIR"]);
const SYSTEM: Key = Key::new("system", &["MINI_CHATGPT_SYSTEM"]);
const TOP_K: Key = Key::new("top_k", &["MINI_CHATGPT_TOP_K"]);
const MIN_RELEVANCE: Key = Key::new("min_relevance", &["MINI_CHATGPT_MIN_RELEVANCE"]);
const INJECT: Key = Key::new("inject", &["MINI_CHATGPT_INJECT"]);
const MAX_ROUNDS: Key = Key::new("max_rounds", &["MINI_CHATGPT_MAX_ROUNDS"]);
const STREAM: Key = Key::new("stream", &["MINI_CHATGPT_STREAM"]);
const TEMPERATURE: Key = Key::new("temperature", &["MINI_CHATGPT_TEMPERATURE"]);
const REASONING: Key = Key::new("reasoning", &["MINI_CHATGPT_REASONING"]);
const LANG: Key = Key::new("lang", &["MINI_CHATGPT_LANG"]);
const LOG_LEVEL: Key = Key::new("log_level", &["MINI_CHATGPT_LOG_LEVEL"]);
const LOG_FILE: Key = Key::new("log_file", &["MINI_CHATGPT_LOG_FILE"]);
const LOCAL_SERVERS_KEY: Key = Key::new("local_servers", &["MINI_CHATGPT_LOCAL_SERVERS"]);

/// Every key of `config.toml`.
const KEYS: [&Key; 30] = [
    &REASONING,
    &USER_ID,
    &MODEL,
    &BASE_URL,
    &PROVIDER,
    &MEMORY_DIR,
    &SYSTEM,
    &TOP_K,
    &MIN_RELEVANCE,
    &INJECT,
    &MAX_ROUNDS,
    &WINDOW,
    &CONTEXT_LENGTH,
    &COMPACT_AT,
    &RECALL_IN,
    &IMAGES,
    &ALLOW_READ,
    &PRICE,
    &STREAM,
    &TEMPERATURE,
    &EMBEDDINGS,
    &EMBEDDING_MODEL,
    &EMBEDDING_BASE_URL,
    &ENCODE,
    &ENCODE_MODEL,
    &INCOGNITO,
    &LANG,
    &LOG_LEVEL,
    &LOG_FILE,
    &LOCAL_SERVERS_KEY,
];

/// The language for what is said before everything is read: from the arguments or the variables.
pub fn early_lang(arguments: &[String], environment: &Environment) -> Lang {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--lang") {
            Some("") => words.next().map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(lang) = value.and_then(Lang::parse) {
            return lang;
        }
    }
    let chosen = environment.get("MINI_CHATGPT_LANG").and_then(|name| Lang::parse(name));
    chosen.unwrap_or_else(|| locale_lang(environment))
}

fn locale_lang(environment: &Environment) -> Lang {
    let locales = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let locale = locales.iter().find_map(|name| environment.get(*name).filter(|value| !value.is_empty()));
    Lang::of_locale(locale.map_or("", String::as_str))
}

/// Reads every layer and decides. `work` is the working directory, `lang` the language of errors.
pub fn load(
    flags: &Flags,
    environment: Environment,
    work: &Path,
    lang: Lang,
) -> Result<Settings, ConfigError> {
    let folders = Folders::of_platform();
    let locale = locale_lang(&environment);
    let mut layers =
        Layers::read(lang, flag_values(flags), environment, work, folders.config.as_deref(), &KEYS)?;
    let lang = match layers.get(&LANG) {
        Some(found) => Lang::parse(&found.value).ok_or_else(|| found.error(text::not_a_language(lang)))?,
        None => locale,
    };
    layers.lang = lang;
    Ok(Settings {
        lang,
        user_id: user_id(&layers)?,
        memory_dir: memory_dir(&layers, work, folders.data.as_deref())?,
        target: target::target(&layers)?,
        persona: persona(&layers, work)?,
        top_k: number(&layers, &TOP_K, 0..=100)?.unwrap_or(5),
        min_relevance: decimal(&layers, &MIN_RELEVANCE, 0.0..=1.0)?.unwrap_or(0.4),
        inject: number(&layers, &INJECT, 0..=100)?.unwrap_or(3),
        max_rounds: number(&layers, &MAX_ROUNDS, 1..=50)?.unwrap_or(5),
        stream: switch(&layers, &STREAM)?.unwrap_or(true),
        temperature: decimal(&layers, &TEMPERATURE, 0.0..=2.0)?,
        reasoning: reasoning(&layers)?,
        embeddings: embeddings::embeddings(&layers)?,
        encoding: encoding::encoding(&layers)?,
        context: context::context(&layers, work)?,
        incognito: switch(&layers, &INCOGNITO)?.unwrap_or(false),
        log_level: log_level(&layers)?,
        log_file: log_file(&layers, work)?,
        network: network(&layers)?,
        color: layers.variable("NO_COLOR").is_none(),
        dumb_terminal: layers.variable("TERM").is_none_or(|term| DUMB_TERMINALS.contains(&term)),
        sources: sources(&layers),
        unknown: unknown(&layers),
        cache_folder: folders.cache,
        credentials_file: folders.config.map(|folder| folder.join(layers::CREDENTIALS_FILE)),
    })
}

fn unknown(layers: &Layers) -> Vec<String> {
    let settings = KEYS.iter().flat_map(|key| key.vars).chain(EMBEDDING_KEY_VARS);
    // `scripts/try-local` is told by it which program to run.
    let known: Vec<&str> = settings.copied().chain(["MINI_CHATGPT_BIN"]).collect();
    layers.unknown(&known)
}

fn sources(layers: &Layers) -> Vec<(String, String, String)> {
    let settings = KEYS.iter().filter_map(|key| {
        let found = layers.get(key)?;
        Some((key.name.to_owned(), found.value.clone(), found.place().to_owned()))
    });
    let vars = PROVIDERS.iter().flat_map(|row| row.key_vars).chain(EMBEDDING_KEY_VARS);
    let keys =
        vars.filter_map(|var| Some(("key".to_owned(), (*var).to_owned(), layers.place_of(var)?.to_owned())));
    let saved = layers
        .credentials
        .iter()
        .map(|saved| ("base_url".to_owned(), saved.base_url.clone(), saved.path.display().to_string()));
    settings.chain(keys).chain(saved).collect()
}

fn flag_values(flags: &Flags) -> HashMap<&'static str, String> {
    let stream = flags.no_stream.then(|| "false".to_owned());
    let incognito = flags.incognito.then(|| "true".to_owned());
    // Each of them is a flag of its own.
    let allow_read = std::env::join_paths(&flags.allow_read).ok();
    let allow_read =
        allow_read.and_then(|joined| joined.into_string().ok()).filter(|joined| !joined.is_empty());
    let given = [
        (&USER_ID, &flags.user_id),
        (&MODEL, &flags.model),
        (&BASE_URL, &flags.base_url),
        (&PROVIDER, &flags.provider),
        (&MEMORY_DIR, &flags.memory_dir),
        (&SYSTEM, &flags.system),
        (&TOP_K, &flags.top_k),
        (&MIN_RELEVANCE, &flags.min_relevance),
        (&INJECT, &flags.inject),
        (&MAX_ROUNDS, &flags.max_rounds),
        (&WINDOW, &flags.window),
        (&CONTEXT_LENGTH, &flags.context_length),
        (&COMPACT_AT, &flags.compact_at),
        (&RECALL_IN, &flags.recall_in),
        (&IMAGES, &flags.images),
        (&ALLOW_READ, &allow_read),
        (&PRICE, &flags.price),
        (&STREAM, &stream),
        (&TEMPERATURE, &flags.temperature),
        (&REASONING, &flags.reasoning),
        (&EMBEDDINGS, &flags.embeddings),
        (&EMBEDDING_MODEL, &flags.embedding_model),
        (&ENCODE, &flags.encode),
        (&ENCODE_MODEL, &flags.encode_model),
        (&INCOGNITO, &incognito),
        (&LANG, &flags.lang),
        (&LOG_LEVEL, &flags.log_level),
        (&LOG_FILE, &flags.log_file),
    ];
    given.into_iter().filter_map(|(key, value)| Some((key.name, value.clone()?))).collect()
}

fn user_id(layers: &Layers) -> Result<String, ConfigError> {
    match layers.get(&USER_ID) {
        Some(found) if found.value.trim().is_empty() => Err(found.error(text::it_is_empty(layers.lang))),
        Some(found) => Ok(found.value.clone()),
        None => Ok("demo-user".to_owned()),
    }
}

fn memory_dir(layers: &Layers, work: &Path, data: Option<&Path>) -> Result<PathBuf, ConfigError> {
    if let Some(found) = layers.get(&MEMORY_DIR) {
        if found.value.trim().is_empty() {
            return Err(found.error(text::it_is_empty(layers.lang)));
        }
        return Ok(work.join(&found.value));
    }
    let local = work.join(LOCAL_MEMORY_DIR);
    if local.is_dir() {
        return Ok(local);
    }
    match data {
        Some(data) => Ok(data.join("memory")),
        None => Err(ConfigError {
            from_flag: false,
            place: "--memory-dir".to_owned(),
            problem: text::no_home(layers.lang),
        }),
    }
}

fn persona(layers: &Layers, work: &Path) -> Result<Option<String>, ConfigError> {
    let Some(found) = layers.get(&SYSTEM) else { return Ok(None) };
    let Some(file) = found.value.strip_prefix('@') else { return Ok(Some(found.value.clone())) };
    if !found.may_name(file) {
        return Err(found.error(text::outside_folder(layers.lang)));
    }
    let path = work.join(file);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => {
            let path = path.display().to_string();
            Err(found.error(text::cannot_read(layers.lang, &path, &error.to_string())))
        }
    }
}

fn number(
    layers: &Layers,
    key: &Key,
    range: std::ops::RangeInclusive<usize>,
) -> Result<Option<usize>, ConfigError> {
    let Some(found) = layers.get(key) else { return Ok(None) };
    match found.value.trim().parse() {
        Ok(number) if range.contains(&number) => Ok(Some(number)),
        _ => Err(found.error(text::not_in_range(layers.lang, &found.value, *range.start(), *range.end()))),
    }
}

fn switch(layers: &Layers, key: &Key) -> Result<Option<bool>, ConfigError> {
    let Some(found) = layers.get(key) else { return Ok(None) };
    match found.value.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(Some(true)),
        "false" | "0" | "no" | "off" => Ok(Some(false)),
        _ => Err(found.error(text::none_of(layers.lang, &found.value, "true, false"))),
    }
}

fn decimal(
    layers: &Layers,
    key: &Key,
    range: std::ops::RangeInclusive<f64>,
) -> Result<Option<f64>, ConfigError> {
    let Some(found) = layers.get(key) else { return Ok(None) };
    match found.value.trim().parse::<f64>() {
        Ok(number) if range.contains(&number) => Ok(Some(number)),
        _ => Err(found.error(text::not_a_decimal(layers.lang, &found.value, *range.start(), *range.end()))),
    }
}

fn reasoning(layers: &Layers) -> Result<ShowReasoning, ConfigError> {
    let Some(found) = layers.get(&REASONING) else { return Ok(ShowReasoning::Fold) };
    ShowReasoning::parse(&found.value)
        .ok_or_else(|| found.error(text::none_of(layers.lang, &found.value, "show, fold, hide")))
}

fn log_file(layers: &Layers, work: &Path) -> Result<Option<PathBuf>, ConfigError> {
    match layers.get(&LOG_FILE) {
        Some(found) if !found.may_name(&found.value) => Err(found.error(text::outside_folder(layers.lang))),
        found => Ok(found.map(|found| work.join(&found.value))),
    }
}

fn log_level(layers: &Layers) -> Result<LevelFilter, ConfigError> {
    let Some(found) = layers.get(&LOG_LEVEL) else { return Ok(LevelFilter::WARN) };
    found.value.trim().to_ascii_lowercase().parse().map_err(|_| {
        found.error(text::none_of(layers.lang, &found.value, "off, error, warn, info, debug, trace"))
    })
}

fn base_url(found: &Found, lang: Lang) -> Result<BaseUrl, ConfigError> {
    BaseUrl::parse(&found.value).map_err(|reason| found.error(text::no_base_url(lang, &reason)))
}

fn network(layers: &Layers) -> Result<Network, ConfigError> {
    let either = |name: &str| {
        layers.process_variable(name).or_else(|| layers.process_variable(&name.to_ascii_lowercase()))
    };
    let extra_certificates = match layers.process_variable("SSL_CERT_FILE") {
        None => None,
        Some(path) => Some(std::fs::read(path).map_err(|error| ConfigError {
            from_flag: false,
            place: "SSL_CERT_FILE".to_owned(),
            problem: text::cannot_read(layers.lang, path, &error.to_string()),
        })?),
    };
    Ok(Network {
        http_proxy: either("HTTP_PROXY").map(str::to_owned),
        https_proxy: either("HTTPS_PROXY").map(str::to_owned),
        all_proxy: either("ALL_PROXY").map(str::to_owned),
        no_proxy: either("NO_PROXY").unwrap_or_default().to_owned(),
        extra_certificates,
    })
}

#[cfg(test)]
mod tests;
