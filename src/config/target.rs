//! Which endpoint to speak with, out of everything that is configured.

use secrecy::SecretString;

use super::layers::{Found, Layer, Layers};
use super::{BASE_URL, ConfigError, LOCAL_SERVERS_KEY, MODEL, PROVIDER, base_url};
use crate::endpoint::{BaseUrl, Endpoint};
use crate::quirks::{self, LOCAL_SERVERS, PROVIDERS, Quirks};
use crate::text::{self, Lang};

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

/// Decides which endpoint to use: a chosen base URL or provider (the one from the higher layer; the
/// URL on a tie), the first provider whose key is there, what the set-up saved, and at last a look
/// at this machine. A provider's key goes to that provider's hosts only.
pub fn target(layers: &Layers) -> Result<Target, ConfigError> {
    let lang = layers.lang;
    let model = layers.get(&MODEL).map(|found| found.value.clone());
    let chosen = layers.get(&PROVIDER);
    let row = chosen.as_ref().map(|found| provider(found, lang)).transpose()?;
    let needs_url = row.is_some_and(|row| row.base_url.is_empty());
    let url = layers
        .get(&BASE_URL)
        .filter(|url| needs_url || chosen.as_ref().is_none_or(|provider| url.layer() >= provider.layer()));
    if let Some(found) = url {
        let base_url = base_url(&found, lang)?;
        let owner = quirks::by_host(base_url.host());
        let mut key = None;
        if may_have_owners_key(&found, &base_url) {
            key = layers.key(owner.key_vars)?;
        }
        if key.is_none() {
            let vars = &["OPENAI_API_KEY"];
            let trusted = is_trusted(&found, &base_url);
            key = if trusted { layers.key(vars)? } else { layers.key_in_dot_env(vars)? };
        }
        if key.is_none() && may_have_owners_key(&found, &base_url) {
            key = saved_key(layers, &base_url);
        }
        return Ok(endpoint(base_url, key, model, row.unwrap_or(owner)));
    }
    if let Some(row) = row {
        let base_url = listed_url(row, lang)?;
        return Ok(match layers.key(row.key_vars)?.or_else(|| saved_key(layers, &base_url)) {
            Some(key) => endpoint(base_url, Some(key), model, row),
            None => Target::NoKey(row),
        });
    }
    let with_url = PROVIDERS.iter().filter(|row| !row.base_url.is_empty());
    let rows: Vec<_> = with_url.map(|row| (row, row.key_vars)).collect();
    if let Some((row, key)) = layers.first_key(&rows)? {
        return Ok(endpoint(listed_url(row, lang)?, Some(key), model, row));
    }
    if let Some(saved) = &layers.credentials {
        let base_url = BaseUrl::parse(&saved.base_url);
        let base_url = base_url.map_err(|reason| saved.error(text::no_base_url(lang, &reason)))?;
        let row = quirks::by_host(base_url.host());
        let model = model.or_else(|| Some(saved.model.clone()).filter(|model| !model.is_empty()));
        return Ok(endpoint(base_url, saved.key.clone(), model, row));
    }
    Ok(Target::LookLocally { urls: local_urls(layers), model })
}

/// Whether any key of the environment may go to an address. A folder from somewhere may bring a `.env`
/// that names any host.
pub fn is_trusted(found: &Found, base_url: &BaseUrl) -> bool {
    found.layer() != Layer::DotEnv || base_url.is_local()
}

/// Whether the key of the provider that owns the host may go there: never in clear, on the word of a
/// `.env`.
pub fn may_have_owners_key(found: &Found, base_url: &BaseUrl) -> bool {
    is_trusted(found, base_url) || base_url.is_https()
}

fn endpoint(
    base_url: BaseUrl,
    key: Option<SecretString>,
    model: Option<String>,
    quirks: &'static Quirks,
) -> Target {
    let model = model.or_else(|| Some(quirks.model.to_owned()).filter(|model| !model.is_empty()));
    Target::Endpoint { endpoint: Endpoint { base_url, key, quirks }, model }
}

/// The base URL of a row; some providers have one for each customer.
fn listed_url(row: &'static Quirks, lang: Lang) -> Result<BaseUrl, ConfigError> {
    BaseUrl::parse(row.base_url).map_err(|_| ConfigError {
        from_flag: false,
        place: row.name.to_owned(),
        problem: text::needs_base_url(lang),
    })
}

/// The key that the set-up saved, if it was saved for this very host.
fn saved_key(layers: &Layers, base_url: &BaseUrl) -> Option<SecretString> {
    let saved = layers.credentials.as_ref()?;
    let same = BaseUrl::parse(&saved.base_url).is_ok_and(|url| url.host() == base_url.host());
    saved.key.clone().filter(|_| same)
}

/// Where to look for a server on this machine: a list of URLs, nothing for `off`, or the usual places.
fn local_urls(layers: &Layers) -> Vec<String> {
    if let Some(found) = layers.get(&LOCAL_SERVERS_KEY) {
        let urls = found.value.split(',').map(str::trim);
        return urls.filter(|url| !url.is_empty() && *url != "off").map(str::to_owned).collect();
    }
    let ollama = layers.variable("OLLAMA_HOST").map(ollama_url);
    ollama.into_iter().chain(LOCAL_SERVERS.iter().map(|server| server.base_url.to_owned())).collect()
}

/// `OLLAMA_HOST` as a URL: it may lack the port, and name the address of all interfaces.
pub fn ollama_url(host: &str) -> String {
    let host = host.trim().replace("0.0.0.0", "127.0.0.1");
    let bare = host.split_once("://").map_or(host.as_str(), |(_, rest)| rest);
    let has_port =
        bare.rsplit_once(':').is_some_and(|(_, port)| port.trim_end_matches('/').parse::<u16>().is_ok());
    if has_port { host } else { format!("{}:11434", host.trim_end_matches('/')) }
}

fn provider(found: &Found, lang: Lang) -> Result<&'static Quirks, ConfigError> {
    quirks::by_name(&found.value).ok_or_else(|| {
        let names: Vec<&str> = PROVIDERS.iter().map(|row| row.name).collect();
        found.error(text::none_of(lang, &found.value, &names.join(", ")))
    })
}
