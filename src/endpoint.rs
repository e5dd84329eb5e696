//! Where requests go: the base URL as people paste it, the key, and the way through the network.

use std::time::Duration;

use reqwest::header::HeaderValue;
use reqwest::{Certificate, Client, NoProxy, Proxy, RequestBuilder, Url, redirect};
use secrecy::{ExposeSecret, SecretString};

use crate::quirks::{self, Auth, Quirks};

/// Keys shorter than this are no secrets (`ollama`, `none`) and may be words of a sentence.
const SHORTEST_SECRET: usize = 8;

/// An endpoint to speak with.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub base_url: BaseUrl,
    /// Absent for local servers that want none.
    pub key: Option<SecretString>,
    /// How it wants to be spoken to.
    pub quirks: &'static Quirks,
}

impl Endpoint {
    /// `request` with the key, if there is one.
    pub fn authorized(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.key {
            None => request,
            Some(key) => match self.quirks.auth {
                Auth::Bearer => request.bearer_auth(key.expose_secret()),
                Auth::ApiKey => {
                    let mut value = HeaderValue::from_str(key.expose_secret())
                        .unwrap_or_else(|_| HeaderValue::from_static(""));
                    value.set_sensitive(true);
                    request.header("api-key", value)
                }
            },
        }
    }

    /// `text` without this endpoint's key: servers echo it in their errors.
    pub fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) if key.expose_secret().len() >= SHORTEST_SECRET => {
                text.replace(key.expose_secret(), "[key]")
            }
            _ => text.to_owned(),
        }
    }
}

/// The root of an OpenAI-compatible API, in one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// Paths people paste together with the root.
const ENDPOINT_PATHS: [&str; 5] =
    ["/chat/completions", "/completions", "/embeddings", "/models", "/responses"];

impl BaseUrl {
    /// Reads what the user pasted: blanks and trailing slashes go, a missing scheme is added
    /// (`http` on this machine, `https` elsewhere), an endpoint path is cut back to the root, and a
    /// bare host gets `/v1`. The error is a reason in English.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let with_scheme = if text.contains("://") {
            text.to_owned()
        } else {
            let https = format!("https://{text}");
            let local = Url::parse(&https).is_ok_and(|url| is_local(url.host_str().unwrap_or_default()));
            if local { format!("http://{text}") } else { https }
        };
        let mut url = Url::parse(&with_scheme).map_err(|error| error.to_string())?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("the scheme is {}, not http or https", url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("a user name or password does not belong in it".to_owned());
        }
        url.set_fragment(None);
        let mut path = url.path().trim_end_matches('/').to_owned();
        for endpoint in ENDPOINT_PATHS {
            if let Some(root) = path.strip_suffix(endpoint) {
                path = root.to_owned();
                break;
            }
        }
        let root = match url.host_str() {
            Some(host) if quirks::by_host(host).auth == Auth::ApiKey => "/openai/v1",
            _ => "/v1",
        };
        url.set_path(if path.is_empty() { root } else { &path });
        Ok(Self(url))
    }

    /// The URL of an endpoint such as `chat/completions`; a query string stays behind it.
    pub fn join(&self, endpoint: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{endpoint}", self.0.path()));
        url
    }

    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The same with `/v1` behind it, where that may have been forgotten.
    pub fn with_version(&self) -> Option<Self> {
        let last = self.0.path().rsplit('/').next().unwrap_or_default();
        let versioned =
            last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if versioned || last == "openai" || self.0.path().contains("/deployments/") {
            return None;
        }
        let mut url = self.0.clone();
        url.set_path(&format!("{}/v1", self.0.path()));
        Some(Self(url))
    }

    /// Host and port to connect to.
    pub fn socket(&self) -> (String, u16) {
        let host = self.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        (host, self.0.port_or_known_default().unwrap_or(443))
    }

    /// Host and, where it is not the usual one, port; for people.
    pub fn host_and_port(&self) -> String {
        match self.0.port() {
            Some(port) => format!("{}:{port}", self.host()),
            None => self.host().to_owned(),
        }
    }

    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The URL without its query, which may hold a key.
    pub fn without_query(&self) -> String {
        self.to_string().split('?').next().unwrap_or_default().to_owned()
    }

    /// Whether it is on this machine, where prompts may take minutes to be read and no key is needed.
    pub fn is_local(&self) -> bool {
        is_local(self.host())
    }
}

impl std::fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

fn is_local(host: &str) -> bool {
    let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified())
}

/// The way through the network, from the usual variables. Has no `Debug`: proxy URLs hold passwords.
#[derive(Default)]
pub struct Network {
    pub http_proxy: Option<String>,
    pub https_proxy: Option<String>,
    pub all_proxy: Option<String>,
    /// Hosts that are reached directly; this machine always is.
    pub no_proxy: String,
    /// Certificates in PEM form to trust beside the system's.
    pub extra_certificates: Option<Vec<u8>>,
}

impl Network {
    /// Whether a proxy is configured.
    pub fn is_proxied(&self) -> bool {
        [&self.http_proxy, &self.https_proxy, &self.all_proxy].into_iter().any(Option::is_some)
    }
}

/// How long a TCP and TLS connection may take to come about.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// Shorter than the idle limits of common servers, so that a request never meets a connection that
/// is just being closed.
const POOL_IDLE: Duration = Duration::from_secs(4);

/// The HTTP client for everything this program sends. It follows no redirects, so that a key never
/// reaches another host. The error is a reason in English.
pub fn client(network: &Network) -> Result<Client, String> {
    // The first call installs the TLS provider; later calls find it installed, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let direct = format!("{},localhost,127.0.0.0/8,::1", network.no_proxy);
    let mut builder = Client::builder()
        .user_agent(concat!("mini-chatgpt/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_LIMIT)
        .pool_idle_timeout(POOL_IDLE)
        .redirect(redirect::Policy::none())
        .no_proxy();
    type ProxyFor = fn(&str) -> reqwest::Result<Proxy>;
    let proxies: [(&Option<String>, ProxyFor); 3] = [
        (&network.http_proxy, |url| Proxy::http(url)),
        (&network.https_proxy, |url| Proxy::https(url)),
        (&network.all_proxy, |url| Proxy::all(url)),
    ];
    for (url, proxy) in proxies {
        if let Some(url) = url.as_deref().filter(|url| !url.trim().is_empty()) {
            let proxy = proxy(url.trim()).map_err(|error| format!("proxy: {}", innermost(&error)))?;
            builder = builder.proxy(proxy.no_proxy(NoProxy::from_string(&direct)));
        }
    }
    if let Some(pem) = &network.extra_certificates {
        let certificates = Certificate::from_pem_bundle(pem).map_err(|error| innermost(&error))?;
        builder = builder.tls_certs_merge(certificates);
    }
    builder.build().map_err(|error| innermost(&error))
}

/// The deepest cause of an error, which is the one that says something.
pub fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pasted: &str, expected: &str) {
        let url = BaseUrl::parse(pasted).map(|url| url.to_string());
        assert_eq!(url.as_deref(), Ok(expected), "{pasted}");
    }

    #[test]
    fn pasted_in_every_form() {
        check(" https://api.example.com/v1/ ", "https://api.example.com/v1");
        check("https://api.example.com", "https://api.example.com/v1");
        check("api.example.com", "https://api.example.com/v1");
        check("localhost:11434", "http://localhost:11434/v1");
        check("127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1");
        check("http://[::1]:8080", "http://[::1]:8080/v1");
        check("https://h/v1/chat/completions", "https://h/v1");
        check(
            "https://h/openai/deployments/x/chat/completions?api-version=1",
            "https://h/openai/deployments/x?api-version=1",
        );
        check("https://h/api/paas/v4", "https://h/api/paas/v4");
        for wrong in ["", "ftp://h/v1", "https://user:pw@h/v1", "http://"] {
            assert!(BaseUrl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn endpoints_keep_the_query() {
        let url = BaseUrl::parse("https://h/v1?api-version=1").unwrap();
        assert_eq!(url.join("models").as_str(), "https://h/v1/models?api-version=1");
    }

    #[test]
    fn a_forgotten_version_is_added() {
        let with_version = |url: &str| BaseUrl::parse(url).unwrap().with_version().map(|url| url.to_string());
        assert_eq!(with_version("https://h/api").as_deref(), Some("https://h/api/v1"));
        assert_eq!(with_version("https://h/api/v3"), None);
        assert_eq!(with_version("https://h/v1beta/openai"), None);
    }

    #[test]
    fn azure_has_paths_of_its_own() {
        for (pasted, url) in [
            ("https://r1.openai.azure.com", "https://r1.openai.azure.com/openai/v1/chat/completions"),
            (
                "https://r1.openai.azure.com/openai/deployments/a/chat/completions?api-version=1",
                "https://r1.openai.azure.com/openai/deployments/a/chat/completions?api-version=1",
            ),
        ] {
            assert_eq!(BaseUrl::parse(pasted).unwrap().join("chat/completions").as_str(), url);
        }
    }

    #[test]
    fn this_machine_is_local() {
        for (url, local) in
            [("localhost", true), ("127.0.0.9:1", true), ("http://[::1]", true), ("h.com", false)]
        {
            assert_eq!(BaseUrl::parse(url).unwrap().is_local(), local, "{url}");
        }
    }
}
