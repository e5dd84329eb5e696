//! The layers of configuration, and which one a value comes from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::ConfigError;
use crate::quirks::PROVIDERS;
use crate::text::{self, Lang};

/// Variables by name.
pub type Environment = HashMap<String, String>;

/// Preferences, written by hand; never a key.
const CONFIG_FILE: &str = "config.toml";
/// What the set-up saved: the one home of a key on disk.
pub const CREDENTIALS_FILE: &str = "credentials.toml";

/// A thing that can be configured: its key in `config.toml` and its variables.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    pub name: &'static str,
    pub vars: &'static [&'static str],
}

impl Key {
    pub const fn new(name: &'static str, vars: &'static [&'static str]) -> Self {
        Self { name, vars }
    }
}

/// A configured value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub value: String,
    place: String,
    layer: Layer,
}

/// Where a value can come from; the greater one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    File,
    DotEnv,
    Environment,
    Flag,
}

impl Found {
    /// Where it is set.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Whether it may name any file. A `.env` from somewhere may name files of its own folder only.
    pub fn may_name(&self, path: &str) -> bool {
        let path = Path::new(path);
        let inside = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        inside || self.layer != Layer::DotEnv
    }

    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// The error that this value has `problem`.
    pub fn error(&self, problem: String) -> ConfigError {
        ConfigError { from_flag: self.layer == Layer::Flag, place: self.place.clone(), problem }
    }
}

/// What the set-up saved.
#[derive(Debug, Clone)]
pub struct Credentials {
    pub base_url: String,
    pub model: String,
    pub key: Option<SecretString>,
    pub path: PathBuf,
}

impl Credentials {
    pub fn error(&self, problem: String) -> ConfigError {
        file_error(&self.path, None, problem)
    }
}

/// All layers, read. Has no `Debug`: the variables hold keys.
pub struct Layers {
    /// Language of the errors.
    pub lang: Lang,
    flags: HashMap<&'static str, String>,
    environment: Environment,
    dot_env: Environment,
    /// The line of each variable of `.env`.
    dot_env_lines: HashMap<String, usize>,
    file: HashMap<String, Found>,
    pub credentials: Option<Credentials>,
}

impl Layers {
    pub fn read(
        lang: Lang,
        flags: HashMap<&'static str, String>,
        environment: Environment,
        work: &Path,
        config_folder: Option<&Path>,
        keys: &[&'static Key],
    ) -> Result<Self, ConfigError> {
        let (dot_env, dot_env_lines) = read_dot_env(&work.join(".env"), lang)?;
        let (mut file, mut credentials) = (HashMap::new(), None);
        if let Some(folder) = config_folder {
            file = read_config_file(&folder.join(CONFIG_FILE), keys, lang)?;
            credentials = read_credentials(&folder.join(CREDENTIALS_FILE), lang)?;
        }
        Ok(Self { lang, flags, environment, dot_env, dot_env_lines, file, credentials })
    }

    /// The variables, the environment before `.env`. An empty variable is as none.
    fn variables(&self) -> [(&Environment, Layer); 2] {
        [(&self.environment, Layer::Environment), (&self.dot_env, Layer::DotEnv)]
    }

    /// How the place of a variable is named: by itself, or with the line of `.env`.
    fn place_in(&self, var: &str, layer: Layer) -> String {
        match self.dot_env_lines.get(var).filter(|_| layer == Layer::DotEnv) {
            Some(line) => format!(".env:{line}: {var}"),
            None => var.to_owned(),
        }
    }

    /// The value of `key` from the highest layer that has one.
    pub fn get(&self, key: &Key) -> Option<Found> {
        if let Some(value) = self.flags.get(key.name) {
            let place = format!("--{}", key.name.replace('_', "-"));
            return Some(Found { value: value.clone(), place, layer: Layer::Flag });
        }
        for (variables, layer) in self.variables() {
            for var in key.vars {
                if let Some(value) = variables.get(*var).filter(|value| !value.is_empty()) {
                    return Some(Found { value: value.clone(), place: self.place_in(var, layer), layer });
                }
            }
        }
        self.file.get(key.name).cloned()
    }

    /// A variable that is no setting of this program, from the environment or `.env`.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let found = self
            .variables()
            .into_iter()
            .find_map(|(variables, ..)| variables.get(name).filter(|value| !value.is_empty()));
        found.map(String::as_str)
    }

    /// A variable of the process alone. A `.env` from somewhere has no say in how connections are made.
    pub fn process_variable(&self, name: &str) -> Option<&str> {
        self.environment.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Variables that look like settings and are none.
    pub fn unknown(&self, known: &[&str]) -> Vec<String> {
        let names = self.environment.keys().chain(self.dot_env.keys());
        let mut unknown: Vec<String> = names
            .filter(|name| name.starts_with("MINI_CHATGPT_") && !known.contains(&name.as_str()))
            .cloned()
            .collect();
        unknown.sort();
        unknown.dedup();
        unknown
    }

    /// Where a variable is set.
    pub fn place_of(&self, var: &str) -> Option<&'static str> {
        if self.environment.get(var).is_some_and(|value| !value.is_empty()) {
            return Some("environment");
        }
        self.dot_env.get(var).is_some_and(|value| !value.is_empty()).then_some(".env")
    }

    /// The key of the first of `rows` that has one, with its row: from the environment if any row has
    /// one there, else from `.env`.
    pub fn first_key<R: Copy>(
        &self,
        rows: &[(R, &[&'static str])],
    ) -> Result<Option<(R, SecretString)>, ConfigError> {
        self.first_key_in(&self.variables(), rows)
    }

    fn first_key_in<R: Copy>(
        &self,
        variables: &[(&Environment, Layer)],
        rows: &[(R, &[&'static str])],
    ) -> Result<Option<(R, SecretString)>, ConfigError> {
        for &(variables, layer) in variables {
            for (row, vars) in rows {
                for var in *vars {
                    let value = variables.get(*var).map(|value| value.trim()).unwrap_or_default();
                    if value.is_empty() {
                        continue;
                    }
                    if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
                        let found = Found { value: String::new(), place: self.place_in(var, layer), layer };
                        return Err(found.error(text::no_such_key(self.lang)));
                    }
                    return Ok(Some((*row, SecretString::from(value))));
                }
            }
        }
        Ok(None)
    }

    /// The first of some variables that holds a key in `.env`.
    pub fn key_in_dot_env(&self, vars: &[&'static str]) -> Result<Option<SecretString>, ConfigError> {
        let [_, dot_env] = self.variables();
        Ok(self.first_key_in(&[dot_env], &[((), vars)])?.map(|((), key)| key))
    }

    /// The first of some variables that holds a key.
    pub fn key(&self, vars: &[&'static str]) -> Result<Option<SecretString>, ConfigError> {
        Ok(self.first_key(&[((), vars)])?.map(|((), key)| key))
    }
}

/// The variables of this process. Values that are not UTF-8 cannot be used and are left out.
#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub fn process_environment() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The text of a file; `None` when there is none.
fn read_text(path: &Path, lang: Lang) -> Result<Option<String>, ConfigError> {
    match std::fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| file_error(path, None, text::not_utf8(lang)))?;
            Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error(path, None, error.to_string())),
    }
}

/// Reads `.env`. The file may be another program's and may hold anything; only a line that names one
/// of our variables has to make sense. Errors never quote it, because it holds keys.
fn read_dot_env(path: &Path, lang: Lang) -> Result<(Environment, HashMap<String, usize>), ConfigError> {
    let mut variables = Environment::new();
    let mut lines = HashMap::new();
    if !path.is_file() {
        return Ok((variables, lines));
    }
    // It may be in any encoding; what concerns us is ASCII.
    let bytes = std::fs::read(path).map_err(|error| file_error(path, None, error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
        let name_end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
        let (name, rest) = line.split_at(name_end);
        let value = rest.trim_start().strip_prefix('=').and_then(dot_env_value);
        match value {
            Some(value) if !name.is_empty() => {
                variables.insert(name.to_owned(), value);
                lines.insert(name.to_owned(), number + 1);
            }
            _ if name.starts_with("MINI_CHATGPT_") || is_provider_variable(name) => {
                return Err(file_error(path, Some(number + 1), text::expected_name_value(lang)));
            }
            _ => {}
        }
    }
    Ok((variables, lines))
}

/// Whether a variable says which endpoint to use, or holds its key.
fn is_provider_variable(name: &str) -> bool {
    ["OPENAI_BASE_URL", "OPENAI_API_BASE"].contains(&name)
        || PROVIDERS.iter().any(|row| row.key_vars.contains(&name))
}

/// The value behind `=`: in quotes as it stands (`\n`, `\"`, `\\` are undone in double ones), else up to
/// a comment. Nothing is substituted. `None` when a quote is not closed.
fn dot_env_value(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('\'') {
        return inner.split_once('\'').map(|(value, _)| value.to_owned());
    }
    let Some(inner) = text.strip_prefix('"') else {
        let end = if text.starts_with('#') { 0 } else { text.find(" #").unwrap_or(text.len()) };
        return Some(text.split_at(end).0.trim_end().to_owned());
    };
    let mut value = String::new();
    let mut characters = inner.chars();
    loop {
        match characters.next()? {
            '"' => return Some(value),
            '\\' => match characters.next()? {
                'n' => value.push('\n'),
                escaped @ ('"' | '\\' | '$') => value.push(escaped),
                other => value.extend(['\\', other]),
            },
            other => value.push(other),
        }
    }
}

fn file_error(path: &Path, line: Option<usize>, problem: String) -> ConfigError {
    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
    ConfigError { from_flag: false, place: format!("{}{line}", path.display()), problem }
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// The entries of a TOML file as text, each with its line.
fn read_toml(path: &Path, lang: Lang) -> Result<Vec<(String, String, usize)>, ConfigError> {
    let Some(text) = read_text(path, lang)? else { return Ok(Vec::new()) };
    let table = DeTable::parse(&text).map_err(|error| {
        let line = error.span().map(|span| line_at(&text, span.start));
        let key = line.and_then(|line| text.lines().nth(line - 1)).and_then(|line| line.split_once('='));
        let key = key.map(|(key, _)| format!("{}: ", key.trim())).unwrap_or_default();
        file_error(path, line, format!("{key}{}", error.message()))
    })?;
    let mut entries = Vec::new();
    for (key, value) in table.get_ref() {
        let line = line_at(&text, key.span().start);
        let name = key.get_ref().to_string();
        match scalar(value) {
            Some(value) => entries.push((name, value, line)),
            None => return Err(file_error(path, Some(line), text::not_a_scalar(lang, &name))),
        }
    }
    Ok(entries)
}

fn scalar(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

fn read_config_file(
    path: &Path,
    keys: &[&'static Key],
    lang: Lang,
) -> Result<HashMap<String, Found>, ConfigError> {
    let mut found = HashMap::new();
    for (name, value, line) in read_toml(path, lang)? {
        if name.contains("api_key") {
            return Err(file_error(path, Some(line), text::key_in_config(lang, &name)));
        }
        if !keys.iter().any(|key| key.name == name) {
            let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
            return Err(file_error(path, Some(line), text::unknown_setting(lang, &name, &known.join(", "))));
        }
        let place = format!("{}:{line}: {name}", path.display());
        found.insert(name, Found { value, place, layer: Layer::File });
    }
    Ok(found)
}

fn read_credentials(path: &Path, lang: Lang) -> Result<Option<Credentials>, ConfigError> {
    let mut entries: HashMap<String, String> =
        read_toml(path, lang)?.into_iter().map(|(name, value, _)| (name, value)).collect();
    let Some(base_url) = entries.remove("base_url") else { return Ok(None) };
    Ok(Some(Credentials {
        base_url,
        model: entries.remove("model").unwrap_or_default(),
        key: entries.remove("api_key").filter(|key| !key.is_empty()).map(SecretString::from),
        path: path.to_owned(),
    }))
}
