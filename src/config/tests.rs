//! Which layer wins, and what an error says.

use super::target::{ollama_url, target};
use super::*;
use crate::endpoint::Endpoint;
use crate::quirks::UNLISTED;
use secrecy::ExposeSecret;
use secrecy::SecretString;

fn variables(pairs: &[(&str, &str)]) -> Environment {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// The layers of a scratch folder that holds `.env` and, under `config/`, `config.toml`.
fn layers(environment: &[(&str, &str)], dot_env: &str, config: &str) -> Result<Layers, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    let config_folder = folder.path().join("config");
    std::fs::create_dir(&config_folder).unwrap();
    std::fs::write(folder.path().join(".env"), dot_env).unwrap();
    std::fs::write(config_folder.join("config.toml"), config).unwrap();
    Layers::read(Lang::En, HashMap::new(), variables(environment), folder.path(), Some(&config_folder), &KEYS)
}

/// `host key model` of the endpoint that is decided on.
#[track_caller]
fn check_target(environment: &[(&str, &str)], dot_env: &str, config: &str, expected: &str) {
    let target = target(&layers(environment, dot_env, config).unwrap()).unwrap();
    let shown = match target {
        Target::Endpoint { endpoint, model } => format!(
            "{} {} {}",
            endpoint.base_url,
            endpoint.key.map_or("-".to_owned(), |key| key.expose_secret().to_owned()),
            model.as_deref().unwrap_or("?")
        ),
        Target::NoKey(row) => format!("no key for {}", row.name),
        Target::LookLocally { urls, .. } => format!("look at {}", urls.join(" ")),
    };
    assert_eq!(shown, expected);
}

#[test]
fn a_key_alone_is_enough() {
    check_target(
        &[("DASHSCOPE_API_KEY", "k")],
        "",
        "",
        "https://dashscope.aliyuncs.com/compatible-mode/v1 k qwen-plus",
    );
    check_target(&[("DEEPSEEK_API_KEY", "k")], "", "", "https://api.deepseek.com/v1 k deepseek-chat");
    check_target(&[], "OPENAI_API_KEY=k", "", "https://api.openai.com/v1 k gpt-4.1-mini");
}

#[test]
fn what_is_chosen_wins() {
    let keys = [("OPENAI_API_KEY", "o"), ("DEEPSEEK_API_KEY", "d")];
    check_target(&keys, "", "provider = 'deepseek'", "https://api.deepseek.com/v1 d deepseek-chat");
    check_target(&keys, "OPENAI_BASE_URL=localhost:1/v1", "", "http://localhost:1/v1 o ?");
    check_target(
        &keys,
        "OPENAI_BASE_URL=https://api.deepseek.com",
        "",
        "https://api.deepseek.com/v1 d deepseek-chat",
    );
    check_target(&keys, "MINI_CHATGPT_PROVIDER=groq", "", "no key for groq");
    let model = [("OPENAI_API_KEY", "o"), ("MINI_CHATGPT_MODEL", "mine")];
    check_target(&model, "MINI_CHATGPT_MODEL=other", "model = 'third'", "https://api.openai.com/v1 o mine");
    check_target(&[("OPENAI_API_BASE", "h.com")], "", "", "https://h.com/v1 - ?");
}

#[test]
fn a_key_never_goes_to_another_provider() {
    check_target(&[("OPENAI_API_KEY", "o")], "MINI_CHATGPT_PROVIDER=deepseek", "", "no key for deepseek");
    // A gateway named by URL gets the key that is meant for it, whatever it speaks like.
    let gateway = [("DEEPSEEK_API_KEY", "d"), ("OPENAI_API_KEY", "o"), ("OPENAI_BASE_URL", "gate.net")];
    check_target(&gateway, "", "provider = 'deepseek'", "https://gate.net/v1 o deepseek-chat");
    check_target(&[gateway[0], gateway[2]], "", "", "https://gate.net/v1 - ?");
    // The .env of a folder from somewhere cannot send a key of the environment to its host.
    check_target(&[("OPENAI_API_KEY", "o")], "OPENAI_BASE_URL=gate.net", "", "https://gate.net/v1 - ?");
    check_target(&[], "OPENAI_BASE_URL=gate.net\nOPENAI_API_KEY=g", "", "https://gate.net/v1 g ?");
    // Nor in clear to its own host, nor through a proxy.
    let clear = "OPENAI_BASE_URL=http://api.openai.com/v1";
    check_target(&[("OPENAI_API_KEY", "o")], clear, "", "http://api.openai.com/v1 - gpt-4.1-mini");
    let layers = layers(&[], "HTTPS_PROXY=http://evil\nSSL_CERT_FILE=ca.pem", "").unwrap();
    let network = network(&layers).unwrap();
    assert!(network.https_proxy.is_none() && network.extra_certificates.is_none());
}

#[test]
fn a_saved_key_goes_to_its_host_and_never_in_clear_on_the_word_of_a_dot_env() {
    for (url, expected) in
        [("http://saved.net", false), ("https://saved.net", true), ("https://other.net", false)]
    {
        let mut layers = layers(&[], &format!("OPENAI_BASE_URL={url}"), "").unwrap();
        layers.credentials = Some(layers::Credentials {
            base_url: "https://saved.net".to_owned(),
            model: String::new(),
            key: Some(SecretString::from("s")),
            path: PathBuf::new(),
        });
        let target = target(&layers).unwrap();
        let has_key = matches!(&target, Target::Endpoint { endpoint, .. } if endpoint.key.is_some());
        assert_eq!(has_key, expected, "{url}");
    }
}

#[test]
fn the_higher_layer_decides() {
    // A provider chosen above a base URL brings its own URL and key.
    let provider =
        [("MINI_CHATGPT_PROVIDER", "deepseek"), ("DEEPSEEK_API_KEY", "d"), ("OPENAI_API_KEY", "o")];
    check_target(&provider, "OPENAI_BASE_URL=gate.net", "", "https://api.deepseek.com/v1 d deepseek-chat");
    // A key of the environment before any key of .env.
    check_target(
        &[("OPENAI_API_KEY", "o")],
        "DASHSCOPE_API_KEY=d",
        "",
        "https://api.openai.com/v1 o gpt-4.1-mini",
    );
    // An empty variable is as none.
    check_target(
        &[("OPENAI_API_KEY", "")],
        "OPENAI_API_KEY=o",
        "",
        "https://api.openai.com/v1 o gpt-4.1-mini",
    );
}

#[test]
fn dot_env_values() {
    for (line, value) in [
        ("A=b c # note", "b c"),
        ("export A = \"x # y\\n$HOME\"", "x # y\n$HOME"),
        ("A='raw \\n \"'", "raw \\n \""),
        ("A=k$HOME#x", "k$HOME#x"),
        ("A=", ""),
        ("A= # optional", ""),
    ] {
        let read = layers(&[], &format!("not a variable\n\n# {line}\n{line}\n"), "").unwrap();
        assert_eq!(read.variable("A").unwrap_or_default(), value, "{line}");
    }
}

#[test]
fn embeddings_may_have_a_key_of_their_own() {
    let chat = Endpoint {
        base_url: BaseUrl::parse("https://chat.net").unwrap(),
        key: Some(SecretString::from("chat-key")),
        quirks: &UNLISTED,
    };
    let model = ("MINI_CHATGPT_EMBEDDING_MODEL", "m");
    let own_key = ("MINI_CHATGPT_EMBEDDING_API_KEY", "own");
    let elsewhere = ("MINI_CHATGPT_EMBEDDING_BASE_URL", "https://vectors.net");
    for (environment, expected) in [
        (vec![model], "https://chat.net/v1 chat-key"),
        (vec![model, own_key], "https://chat.net/v1 own"),
        (vec![model, elsewhere, own_key], "https://vectors.net/v1 own"),
        (vec![model, elsewhere], "https://vectors.net/v1 -"),
    ] {
        let settings =
            embeddings::embedding_settings(&layers(&environment, "", "").unwrap()).unwrap().unwrap();
        let endpoint = settings.endpoint(&chat);
        let key = endpoint.key.as_ref().map_or("-", |key| key.expose_secret());
        assert_eq!(format!("{} {key}", endpoint.base_url), expected);
    }
}

#[test]
fn ollama_host_in_its_forms() {
    for (host, url) in [
        ("0.0.0.0", "127.0.0.1:11434"),
        ("box:1234", "box:1234"),
        ("http://box", "http://box:11434"),
        ("http://box:1234/", "http://box:1234/"),
    ] {
        assert_eq!(ollama_url(host), url, "{host}");
    }
}

#[test]
fn nothing_configured_means_a_look_at_this_machine() {
    check_target(&[("MINI_CHATGPT_LOCAL_SERVERS", "off")], "", "", "look at ");
    check_target(&[("MINI_CHATGPT_LOCAL_SERVERS", "a:1, b:2")], "", "", "look at a:1 b:2");
}

#[track_caller]
fn check_error(dot_env: &str, config: &str, expected: &str) {
    let error = match layers(&[], dot_env, config) {
        Err(error) => error,
        Ok(layers) => match (target(&layers), number(&layers, &TOP_K, 0..=9)) {
            (Err(error), _) | (_, Err(error)) => error,
            _ => panic!("no error"),
        },
    };
    let shown = error.to_string();
    let name = shown.rsplit('/').next().unwrap();
    assert_eq!(name, expected);
}

#[test]
fn errors_name_file_line_and_key() {
    check_error(
        "",
        "model = 'x'\n\ntop_k = 'many'",
        "config.toml:3: top_k: \"many\" is not a whole number from 0 to 9",
    );
    let known = KEYS.iter().map(|key| key.name).collect::<Vec<_>>().join(", ");
    check_error("", "\nmodle = 'x'", &format!("config.toml:2: unknown key modle; the keys are {known}"));
    check_error("", "model = ['x']", "config.toml:1: model must be a text, a number, or true or false");
    check_error("A=1\nOPENAI_API_KEY sk-secret\n", "", ".env:2: expected NAME=value, with quotes closed");
    check_error("XAI_API_KEY='sk-secret\n", "", ".env:1: expected NAME=value, with quotes closed");
    check_error(
        "MINI_CHATGPT_TOP_K=-1",
        "",
        ".env:1: MINI_CHATGPT_TOP_K: \"-1\" is not a whole number from 0 to 9",
    );
    check_error(
        "OPENAI_BASE_URL=ftp:x",
        "",
        ".env:1: OPENAI_BASE_URL: this is no base URL: invalid port number",
    );
    check_error(
        "DASHSCOPE_API_KEY=\"two\\nlines\"",
        "",
        ".env:1: DASHSCOPE_API_KEY: it has characters that no key has (blanks, line breaks or non-ASCII ones)",
    );
}

#[test]
fn a_broken_config_file_names_its_line() {
    let error = layers(&[], "", "model = 'x'\nlang = ").err().unwrap();
    assert!(error.place.ends_with("config.toml:2") && error.problem.starts_with("lang: "), "{error}");
}

#[test]
fn the_language_is_known_before_anything_is_read() {
    let lang = |arguments: &[&str], environment: &[(&str, &str)]| {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        early_lang(&arguments, &variables(environment))
    };
    assert_eq!(lang(&["--lang", "zh"], &[("LANG", "en_US")]), Lang::Zh);
    assert_eq!(lang(&["--lang=en"], &[("LANG", "zh_CN")]), Lang::En);
    assert_eq!(lang(&[], &[("MINI_CHATGPT_LANG", "zh"), ("LANG", "en")]), Lang::Zh);
    assert_eq!(lang(&[], &[("LC_ALL", "zh_CN.UTF-8"), ("LANG", "en")]), Lang::Zh);
    assert_eq!(lang(&[], &[]), Lang::En);
}
