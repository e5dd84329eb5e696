//! Which layer wins, and what an error says.

use super::*;
use secrecy::ExposeSecret;

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
    Layers::read(HashMap::new(), variables(environment), folder.path(), Some(&config_folder), &KEYS)
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
    check_error(
        "",
        "\nmodle = 'x'",
        &format!(
            "config.toml:2: unknown key modle; the keys are {}",
            KEYS.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
        ),
    );
    check_error("", "model = ['x']", "config.toml:1: model must be a text, a number, or true or false");
    check_error("A=1\nsk-secret has no name\n", "", ".env:2: expected NAME=value, with quotes around blanks");
    check_error(
        "MINI_CHATGPT_TOP_K=-1",
        "",
        "MINI_CHATGPT_TOP_K in .env: \"-1\" is not a whole number from 0 to 9",
    );
    check_error(
        "OPENAI_BASE_URL=ftp:x",
        "",
        "OPENAI_BASE_URL in .env: \"ftp:x\" is no base URL: invalid port number",
    );
}

#[test]
fn a_broken_config_file_names_its_line() {
    let error = layers(&[], "", "model = 'x'\nlang = ").unwrap_err();
    assert!(error.place.ends_with("config.toml:2"), "{error}");
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
