//! Configuration: flags > environment > `.env` > `config.toml` > what the set-up saved > defaults.
//!
//! Everything is read once into a [`Settings`] value and handed down; no name below `cli` knows this
//! file. Each value keeps the source it came from, so that an error can say where it is wrong.

mod layers;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use tracing::level_filters::LevelFilter;

use crate::endpoint::{BaseUrl, Endpoint, Network};
use crate::quirks::{self, LOCAL_SERVERS, PROVIDERS, Quirks};
use crate::text::Lang;
use layers::{Found, Key, Layers};

pub use layers::{Environment, process_environment};

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
    #[arg(long, value_name = "N")]
    pub max_rounds: Option<String>,
    #[arg(long)]
    pub no_stream: bool,
    #[arg(long, value_name = "0..2", allow_negative_numbers = true)]
    pub temperature: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub embedding_model: Option<String>,
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

/// Which endpoint to speak with.
#[derive(Debug)]
pub enum Target {
    Endpoint {
        endpoint: Endpoint,
        /// `None`: the endpoint is asked which models it has.
        model: Option<String>,
    },
    /// A provider was chosen whose key is missing.
    NoKey(&'static Quirks),
    /// Nothing is configured; these base URLs on this machine are worth a look.
    LookLocally { urls: Vec<String>, model: Option<String> },
}

/// Everything that can be configured, decided.
#[derive(Debug)]
pub struct Settings {
    pub lang: Lang,
    pub user_id: String,
    pub memory_dir: PathBuf,
    pub target: Target,
    pub persona: Option<String>,
    pub top_k: usize,
    pub max_rounds: usize,
    pub stream: bool,
    pub temperature: Option<f64>,
    /// Model, and the endpoint if it is another one than the chat's.
    pub embedding: Option<(String, Option<Endpoint>)>,
    pub log_level: LevelFilter,
    pub log_file: Option<PathBuf>,
    pub network: Network,
    pub color: bool,
    /// Where the set-up saves a tested key; `None` when the platform names no such folder.
    pub credentials_file: Option<PathBuf>,
}

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
const MAX_ROUNDS: Key = Key::new("max_rounds", &["MINI_CHATGPT_MAX_ROUNDS"]);
const STREAM: Key = Key::new("stream", &["MINI_CHATGPT_STREAM"]);
const TEMPERATURE: Key = Key::new("temperature", &["MINI_CHATGPT_TEMPERATURE"]);
const EMBEDDING_MODEL: Key = Key::new("embedding_model", &["MINI_CHATGPT_EMBEDDING_MODEL"]);
const EMBEDDING_BASE_URL: Key = Key::new("embedding_base_url", &["MINI_CHATGPT_EMBEDDING_BASE_URL"]);
const LANG: Key = Key::new("lang", &["MINI_CHATGPT_LANG"]);
const LOG_LEVEL: Key = Key::new("log_level", &["MINI_CHATGPT_LOG_LEVEL"]);
const LOG_FILE: Key = Key::new("log_file", &["MINI_CHATGPT_LOG_FILE"]);
const LOCAL_SERVERS_KEY: Key = Key::new("local_servers", &["MINI_CHATGPT_LOCAL_SERVERS"]);

/// Every key of `config.toml`.
const KEYS: [&Key; 16] = [
    &USER_ID,
    &MODEL,
    &BASE_URL,
    &PROVIDER,
    &MEMORY_DIR,
    &SYSTEM,
    &TOP_K,
    &MAX_ROUNDS,
    &STREAM,
    &TEMPERATURE,
    &EMBEDDING_MODEL,
    &EMBEDDING_BASE_URL,
    &LANG,
    &LOG_LEVEL,
    &LOG_FILE,
    &LOCAL_SERVERS_KEY,
];

/// Variables for an embeddings endpoint of its own.
const EMBEDDING_KEY_VARS: &[&str] = &["MINI_CHATGPT_EMBEDDING_API_KEY"];

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

/// Whether colours are wanted: not with a `NO_COLOR` that is not empty (no-color.org).
pub fn wants_color(environment: &Environment) -> bool {
    environment.get("NO_COLOR").is_none_or(String::is_empty)
}

fn locale_lang(environment: &Environment) -> Lang {
    let locales = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let locale = locales.iter().find_map(|name| environment.get(*name).filter(|value| !value.is_empty()));
    Lang::of_locale(locale.map_or("", String::as_str))
}

/// Reads every layer and decides. `work` is the working directory.
pub fn load(flags: &Flags, environment: Environment, work: &Path) -> Result<Settings, ConfigError> {
    let folders = Folders::of_platform();
    let flag_values = flag_values(flags);
    let layers = Layers::read(flag_values, environment, work, folders.config.as_deref(), &KEYS)?;
    let lang = match layers.get(&LANG) {
        Some(found) => Lang::parse(&found.value).ok_or_else(|| found.error("this is neither zh nor en"))?,
        None => locale_lang(&layers.environment),
    };
    Ok(Settings {
        lang,
        user_id: user_id(&layers)?,
        memory_dir: memory_dir(&layers, work, folders.data.as_deref())?,
        target: target(&layers)?,
        persona: persona(&layers, work)?,
        top_k: number(&layers, &TOP_K, 0..=100)?.unwrap_or(5),
        max_rounds: number(&layers, &MAX_ROUNDS, 1..=50)?.unwrap_or(5),
        stream: stream(&layers)?,
        temperature: temperature(&layers)?,
        embedding: embedding(&layers)?,
        log_level: log_level(&layers)?,
        log_file: layers.get(&LOG_FILE).map(|found| work.join(&found.value)),
        network: network(&layers)?,
        color: wants_color(&layers.environment) && wants_color(&layers.dot_env),
        credentials_file: folders.config.map(|folder| folder.join(layers::CREDENTIALS_FILE)),
    })
}

fn flag_values(flags: &Flags) -> HashMap<&'static str, String> {
    let stream = flags.no_stream.then(|| "false".to_owned());
    let given = [
        (&USER_ID, &flags.user_id),
        (&MODEL, &flags.model),
        (&BASE_URL, &flags.base_url),
        (&PROVIDER, &flags.provider),
        (&MEMORY_DIR, &flags.memory_dir),
        (&SYSTEM, &flags.system),
        (&TOP_K, &flags.top_k),
        (&MAX_ROUNDS, &flags.max_rounds),
        (&STREAM, &stream),
        (&TEMPERATURE, &flags.temperature),
        (&EMBEDDING_MODEL, &flags.embedding_model),
        (&LANG, &flags.lang),
        (&LOG_LEVEL, &flags.log_level),
        (&LOG_FILE, &flags.log_file),
    ];
    given.into_iter().filter_map(|(key, value)| Some((key.name, value.clone()?))).collect()
}

/// The platform's folders for this program.
#[derive(Debug, Default)]
struct Folders {
    config: Option<PathBuf>,
    data: Option<PathBuf>,
}

impl Folders {
    fn of_platform() -> Self {
        use etcetera::BaseStrategy;
        match etcetera::choose_base_strategy() {
            Ok(base) => Self {
                config: Some(base.config_dir().join("mini-chatgpt")),
                data: Some(base.data_dir().join("mini-chatgpt")),
            },
            Err(_) => Self::default(),
        }
    }
}

fn user_id(layers: &Layers) -> Result<String, ConfigError> {
    match layers.get(&USER_ID) {
        Some(found) if found.value.trim().is_empty() => Err(found.error("it is empty")),
        Some(found) => Ok(found.value.clone()),
        None => Ok("demo-user".to_owned()),
    }
}

fn memory_dir(layers: &Layers, work: &Path, data: Option<&Path>) -> Result<PathBuf, ConfigError> {
    if let Some(found) = layers.get(&MEMORY_DIR) {
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
            place: "memory folder".to_owned(),
            problem: "there is no home folder; name one with --memory-dir".to_owned(),
        }),
    }
}

fn persona(layers: &Layers, work: &Path) -> Result<Option<String>, ConfigError> {
    let Some(found) = layers.get(&SYSTEM) else { return Ok(None) };
    let Some(file) = found.value.strip_prefix('@') else { return Ok(Some(found.value.clone())) };
    let path = work.join(file);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => Err(found.error(&format!("cannot read {}: {error}", path.display()))),
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
        _ => {
            let (low, high) = (range.start(), range.end());
            Err(found.error(&format!("{:?} is not a whole number from {low} to {high}", found.value)))
        }
    }
}

fn stream(layers: &Layers) -> Result<bool, ConfigError> {
    let Some(found) = layers.get(&STREAM) else { return Ok(true) };
    match found.value.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err(found.error(&format!("{:?} is neither true nor false", found.value))),
    }
}

fn temperature(layers: &Layers) -> Result<Option<f64>, ConfigError> {
    let Some(found) = layers.get(&TEMPERATURE) else { return Ok(None) };
    match found.value.trim().parse::<f64>() {
        Ok(number) if (0.0..=2.0).contains(&number) => Ok(Some(number)),
        _ => Err(found.error(&format!("{:?} is not a number from 0 to 2", found.value))),
    }
}

fn log_level(layers: &Layers) -> Result<LevelFilter, ConfigError> {
    let Some(found) = layers.get(&LOG_LEVEL) else { return Ok(LevelFilter::WARN) };
    found.value.trim().to_ascii_lowercase().parse().map_err(|_| {
        found.error(&format!("{:?} is none of off, error, warn, info, debug, trace", found.value))
    })
}

fn base_url(found: &Found) -> Result<BaseUrl, ConfigError> {
    BaseUrl::parse(&found.value)
        .map_err(|reason| found.error(&format!("{:?} is no base URL: {reason}", found.value)))
}

fn provider(found: &Found) -> Result<&'static Quirks, ConfigError> {
    quirks::by_name(&found.value).ok_or_else(|| {
        let names: Vec<&str> = PROVIDERS.iter().map(|row| row.name).collect();
        found.error(&format!("{:?} is none of {}", found.value, names.join(", ")))
    })
}

/// Decides which endpoint to use: a chosen base URL, a chosen provider, the first provider whose key
/// is there, what the set-up saved, and at last a look at this machine.
fn target(layers: &Layers) -> Result<Target, ConfigError> {
    let chosen = layers.get(&PROVIDER).as_ref().map(provider).transpose()?;
    let url = layers.get(&BASE_URL).as_ref().map(base_url).transpose()?;
    let model = layers.get(&MODEL).map(|found| found.value.clone());
    if let Some(base_url) = url {
        let row = chosen.unwrap_or_else(|| quirks::by_host(base_url.host()));
        let key = layers.key(row.key_vars).or_else(|| layers.key(&["OPENAI_API_KEY"]));
        let key = key.or_else(|| saved_key(layers, &base_url));
        return Ok(endpoint(base_url, key, model, row));
    }
    let with_key = PROVIDERS.iter().find_map(|row| Some((row, layers.key(row.key_vars)?)));
    let row_and_key = match chosen {
        Some(row) => Some((row, layers.key(row.key_vars))),
        None => with_key.map(|(row, key)| (row, Some(key))),
    };
    if let Some((row, key)) = row_and_key {
        let base_url = listed_url(row)?;
        return Ok(match key.or_else(|| saved_key(layers, &base_url)) {
            Some(key) => endpoint(base_url, Some(key), model, row),
            None => Target::NoKey(row),
        });
    }
    if let Some(saved) = &layers.credentials {
        let base_url = BaseUrl::parse(&saved.base_url).map_err(|reason| saved.error(&reason))?;
        let row = quirks::by_host(base_url.host());
        let model = model.or_else(|| Some(saved.model.clone()).filter(|model| !model.is_empty()));
        return Ok(endpoint(base_url, saved.key.clone(), model, row));
    }
    Ok(Target::LookLocally { urls: local_urls(layers), model })
}

fn endpoint(base_url: BaseUrl, key: Option<SecretString>, model: Option<String>, row: &Quirks) -> Target {
    let model = model.or_else(|| Some(row.model.to_owned()).filter(|model| !model.is_empty()));
    Target::Endpoint { endpoint: Endpoint { base_url, key }, model }
}

fn listed_url(row: &'static Quirks) -> Result<BaseUrl, ConfigError> {
    BaseUrl::parse(row.base_url).map_err(|problem| ConfigError {
        from_flag: false,
        place: row.name.to_owned(),
        problem,
    })
}

/// The key that the set-up saved, if it was saved for this very host.
fn saved_key(layers: &Layers, base_url: &BaseUrl) -> Option<SecretString> {
    let saved = layers.credentials.as_ref()?;
    let same = BaseUrl::parse(&saved.base_url).is_ok_and(|url| url.host() == base_url.host());
    saved.key.clone().filter(|_| same)
}

/// Where to look for a server on this machine: a list of URLs, nothing for `off`, or the usual ports.
fn local_urls(layers: &Layers) -> Vec<String> {
    if let Some(found) = layers.get(&LOCAL_SERVERS_KEY) {
        let urls = found.value.split(',').map(str::trim);
        return urls.filter(|url| !url.is_empty() && *url != "off").map(str::to_owned).collect();
    }
    let ollama = layers.variable("OLLAMA_HOST").map(|host| host.replace("0.0.0.0", "127.0.0.1"));
    ollama.into_iter().chain(LOCAL_SERVERS.iter().map(|server| server.base_url.to_owned())).collect()
}

fn embedding(layers: &Layers) -> Result<Option<(String, Option<Endpoint>)>, ConfigError> {
    let Some(model) = layers.get(&EMBEDDING_MODEL) else { return Ok(None) };
    let own = match layers.get(&EMBEDDING_BASE_URL) {
        None => None,
        Some(found) => {
            let base_url = base_url(&found)?;
            let row = quirks::by_host(base_url.host());
            let key = layers.key(EMBEDDING_KEY_VARS).or_else(|| layers.key(row.key_vars));
            Some(Endpoint { base_url, key })
        }
    };
    Ok(Some((model.value.clone(), own)))
}

fn network(layers: &Layers) -> Result<Network, ConfigError> {
    let either = |name: &str| layers.variable(name).or_else(|| layers.variable(&name.to_ascii_lowercase()));
    let extra_certificates = match layers.variable("SSL_CERT_FILE") {
        None => None,
        Some(path) => Some(std::fs::read(path).map_err(|error| ConfigError {
            from_flag: false,
            place: "SSL_CERT_FILE".to_owned(),
            problem: format!("cannot read {path}: {error}"),
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
