//! The layers of configuration, and which one a value comes from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::ConfigError;

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
    from_flag: bool,
}

impl Found {
    /// The error that this value has `problem`.
    pub fn error(&self, problem: &str) -> ConfigError {
        ConfigError { from_flag: self.from_flag, place: self.place.clone(), problem: problem.to_owned() }
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
    pub fn error(&self, problem: &str) -> ConfigError {
        file_error(&self.path, None, problem)
    }
}

/// All layers, read.
#[derive(Debug)]
pub struct Layers {
    flags: HashMap<&'static str, String>,
    pub environment: Environment,
    pub dot_env: Environment,
    file: HashMap<String, Found>,
    pub credentials: Option<Credentials>,
}

impl Layers {
    pub fn read(
        flags: HashMap<&'static str, String>,
        environment: Environment,
        work: &Path,
        config_folder: Option<&Path>,
        keys: &[&'static Key],
    ) -> Result<Self, ConfigError> {
        let dot_env = read_dot_env(&work.join(".env"))?;
        let file = match config_folder {
            Some(folder) => read_config_file(&folder.join(CONFIG_FILE), keys)?,
            None => HashMap::new(),
        };
        let credentials = match config_folder {
            Some(folder) => read_credentials(&folder.join(CREDENTIALS_FILE))?,
            None => None,
        };
        Ok(Self { flags, environment, dot_env, file, credentials })
    }

    /// The value of `key` from the highest layer that has one. An empty variable is as none.
    pub fn get(&self, key: &Key) -> Option<Found> {
        if let Some(value) = self.flags.get(key.name) {
            let place = format!("--{}", key.name.replace('_', "-"));
            return Some(Found { value: value.clone(), place, from_flag: true });
        }
        for (layer, file) in [(&self.environment, ""), (&self.dot_env, " in .env")] {
            for var in key.vars {
                if let Some(value) = layer.get(*var).filter(|value| !value.is_empty()) {
                    return Some(Found {
                        value: value.clone(),
                        place: format!("{var}{file}"),
                        from_flag: false,
                    });
                }
            }
        }
        self.file.get(key.name).cloned()
    }

    /// A variable that is no setting of this program, from the environment or `.env`.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let layers = [&self.environment, &self.dot_env];
        layers
            .into_iter()
            .find_map(|layer| layer.get(name))
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// The first of some variables that holds a key.
    pub fn key(&self, vars: &[&str]) -> Option<SecretString> {
        let value = vars.iter().find_map(|var| self.variable(var).map(str::trim))?;
        (!value.is_empty()).then(|| SecretString::from(value))
    }
}

/// The variables of this process. Values that are not UTF-8 cannot be used and are left out.
#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub fn process_environment() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

fn read_text(path: &Path) -> Result<Option<String>, ConfigError> {
    match std::fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| file_error(path, None, "it is not UTF-8"))?;
            Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error(path, None, &error.to_string())),
    }
}

/// Parses `.env` into pairs; it may hold keys, so an error never quotes it.
fn read_dot_env(path: &Path) -> Result<Environment, ConfigError> {
    let Some(text) = read_text(path)? else { return Ok(Environment::new()) };
    dotenvy::from_read_iter(text.as_bytes()).collect::<Result<_, _>>().map_err(|error| {
        let line = match &error {
            dotenvy::Error::LineParse(line, _) => {
                text.lines().position(|candidate| candidate.trim() == line.trim())
            }
            _ => None,
        };
        file_error(path, line.map(|line| line + 1), "expected NAME=value, with quotes around blanks")
    })
}

fn file_error(path: &Path, line: Option<usize>, problem: &str) -> ConfigError {
    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
    ConfigError { from_flag: false, place: format!("{}{line}", path.display()), problem: problem.to_owned() }
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// The entries of a TOML file as text, each with its line.
fn read_toml(path: &Path) -> Result<Vec<(String, String, usize)>, ConfigError> {
    let Some(text) = read_text(path)? else { return Ok(Vec::new()) };
    let table = DeTable::parse(&text).map_err(|error| {
        let line = error.span().map(|span| line_at(&text, span.start));
        file_error(path, line, error.message())
    })?;
    let mut entries = Vec::new();
    for (key, value) in table.get_ref() {
        let line = line_at(&text, key.span().start);
        let name = key.get_ref().to_string();
        match scalar(value) {
            Some(value) => entries.push((name, value, line)),
            None => {
                let problem = format!("{name} must be a text, a number, or true or false");
                return Err(file_error(path, Some(line), &problem));
            }
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

fn read_config_file(path: &Path, keys: &[&'static Key]) -> Result<HashMap<String, Found>, ConfigError> {
    let mut found = HashMap::new();
    for (name, value, line) in read_toml(path)? {
        if name.contains("api_key") {
            let problem =
                format!("{name}: a key has no place here; put it into a variable (see .env.example)");
            return Err(file_error(path, Some(line), &problem));
        }
        if !keys.iter().any(|key| key.name == name) {
            let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
            let problem = format!("unknown key {name}; the keys are {}", known.join(", "));
            return Err(file_error(path, Some(line), &problem));
        }
        let place = format!("{}:{line}: {name}", path.display());
        found.insert(name, Found { value, place, from_flag: false });
    }
    Ok(found)
}

fn read_credentials(path: &Path) -> Result<Option<Credentials>, ConfigError> {
    let mut entries: HashMap<String, String> =
        read_toml(path)?.into_iter().map(|(name, value, _)| (name, value)).collect();
    let Some(base_url) = entries.remove("base_url") else { return Ok(None) };
    Ok(Some(Credentials {
        base_url,
        model: entries.remove("model").unwrap_or_default(),
        key: entries.remove("api_key").filter(|key| !key.is_empty()).map(SecretString::from),
        path: path.to_owned(),
    }))
}
