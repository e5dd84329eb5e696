//! Finding a model to talk to: configured, on this machine, or asked for.

use std::path::Path;
use std::time::Duration;

use reqwest::Client;
use rustyline::error::ReadlineError;
use secrecy::{ExposeSecret, SecretString};

use super::code;
use super::editor::Keyboard;
use super::failure::Failure;
use super::screen::Screen;
use crate::chat::{Cancel, Chat, LIST_LIMIT};
use crate::config::{FALLBACK_MODEL, Settings, Target};
use crate::endpoint::{BaseUrl, Endpoint};
use crate::message::Message;
use crate::quirks::{self, PROVIDERS};
use crate::render::one_line;
use crate::store;
use crate::text::{self, Lang};
use crate::wire::{Kind, Request};

/// Time a server on this machine may take; a closed port answers at once.
const LOOK_LIMIT: Duration = Duration::from_secs(1);

/// The endpoint and model to use. `terminal` says that the user can be asked.
pub async fn find(
    settings: &Settings,
    client: &Client,
    terminal: bool,
) -> Result<(Endpoint, String), Failure> {
    let lang = settings.lang;
    let tell = |endpoint: &Endpoint, model: &str| {
        let found = text::model_found(lang, &one_line(model), &endpoint.base_url.host_and_port());
        Screen::new(lang, false, settings.color).notice(&found);
    };
    match &settings.target {
        Target::Endpoint { endpoint, model: Some(model) } => Ok((endpoint.clone(), model.clone())),
        Target::Endpoint { endpoint, model: None } => {
            let model = first_model(endpoint, client, lang).await?;
            Screen::new(lang, false, settings.color).notice(&text::model_found(
                lang,
                &model,
                &endpoint.base_url.host_and_port(),
            ));
            Ok((endpoint.clone(), model))
        }
        Target::NoKey(row) => Err(Failure::with_hint(
            code::NOT_CONFIGURED,
            &text::provider_without_key(lang, row.name),
            &text::hint_set_key(lang, row.key_vars.first().unwrap_or(&"OPENAI_API_KEY")),
        )),
        Target::LookLocally { urls, model } => {
            let found = look_around(urls, model.as_deref(), client).await;
            if let Some((endpoint, model)) = found {
                tell(&endpoint, &model);
                return Ok((endpoint, model));
            }
            if terminal {
                return ask(settings, client).await;
            }
            Err(Failure::with_hint(code::NOT_CONFIGURED, text::not_configured(lang), text::next_steps(lang)))
        }
    }
}

/// The first chat model an endpoint lists. One that has no such list is asked for the usual model.
async fn first_model(endpoint: &Endpoint, client: &Client, lang: Lang) -> Result<String, Failure> {
    let chat = Chat::new(client.clone(), endpoint.clone());
    match chat.models(LIST_LIMIT).await {
        Ok(models) => {
            let usual = models.iter().find(|model| *model == FALLBACK_MODEL);
            let model = usual.or_else(|| models.iter().find(|model| quirks::is_chat_model(model)));
            model.cloned().ok_or_else(|| {
                let sentence = text::no_model_chosen(lang, endpoint.base_url.host());
                Failure::with_hint(code::NOT_CONFIGURED, &sentence, text::hint_check_model(lang))
            })
        }
        Err(error) => match error.failure.kind {
            _ if error.has_no_list() => Ok(FALLBACK_MODEL.to_owned()),
            Kind::Unreachable | Kind::Key => Err(Failure::chat(lang, &error)),
            _ => Ok(FALLBACK_MODEL.to_owned()),
        },
    }
}

/// The first server on this machine that has a chat model.
async fn look_around(urls: &[String], model: Option<&str>, client: &Client) -> Option<(Endpoint, String)> {
    for url in urls {
        let Ok(base_url) = BaseUrl::parse(url) else { continue };
        let endpoint = Endpoint { quirks: quirks::by_host(base_url.host()), base_url, key: None };
        let models = Chat::new(client.clone(), endpoint.clone()).models(LOOK_LIMIT).await;
        let Ok(models) = models.inspect_err(|error| tracing::debug!(url, %error, "no server")) else {
            continue;
        };
        let Some(found) = models.iter().find(|model| quirks::is_chat_model(model)) else { continue };
        let model = model.unwrap_or(found).to_owned();
        return Some((endpoint, model));
    }
    None
}

/// Asks for a provider and a key, tests them, and saves them once they work.
async fn ask(settings: &Settings, client: &Client) -> Result<(Endpoint, String), Failure> {
    let lang = settings.lang;
    let mut screen = Screen::new(lang, true, settings.color);
    let terminal = |error: ReadlineError| match error {
        ReadlineError::Eof | ReadlineError::Interrupted => {
            Failure::with_hint(code::NOT_CONFIGURED, text::not_configured(lang), text::next_steps(lang))
        }
        error => Failure::plain(code::OTHER, &text::terminal_failed(lang, &error.to_string())),
    };
    screen.line(text::setup_intro(lang));
    let (keyboard, _) = Keyboard::open(settings.color, None).map_err(terminal)?;
    loop {
        let (endpoint, model) = ask_once(&keyboard, &mut screen, client, lang).await.map_err(terminal)?;
        screen.line(&text::setup_testing(lang, endpoint.base_url.host()));
        match test(&endpoint, &model, client).await {
            Ok(()) => {
                if let Some(path) = &settings.credentials_file {
                    save(path, &endpoint, &model, lang)?;
                    screen.line(&text::setup_saved(lang, &path.display().to_string()));
                }
                return Ok((endpoint, model));
            }
            Err(error) => {
                // The usual hints speak of variables and options, which nobody has used here.
                screen.failure(&Failure { hint: None, ..Failure::chat(lang, &error) });
                screen.line(text::setup_again(lang));
            }
        }
    }
}

async fn ask_once(
    keyboard: &Keyboard,
    screen: &mut Screen,
    client: &Client,
    lang: Lang,
) -> Result<(Endpoint, String), ReadlineError> {
    let base_url = choose_base_url(keyboard, screen, lang).await?;
    let quirks = quirks::by_host(base_url.host());
    let key = SecretString::from(keyboard.secret(text::setup_key(lang)).await?.trim());
    let key = (!key.expose_secret().is_empty()).then_some(key);
    let endpoint = Endpoint { base_url, key, quirks };
    let listed = match quirks.model {
        "" => first_model(&endpoint, client, lang).await.unwrap_or_default(),
        usual => usual.to_owned(),
    };
    let model = loop {
        let typed = keyboard.line(&text::setup_model(lang, &listed)).await?;
        let model = if typed.trim().is_empty() { &listed } else { typed.trim() };
        if !model.is_empty() {
            break model.to_owned();
        }
        screen.warning(text::setup_model_needed(lang));
    };
    Ok((endpoint, model))
}

async fn choose_base_url(
    keyboard: &Keyboard,
    screen: &mut Screen,
    lang: Lang,
) -> Result<BaseUrl, ReadlineError> {
    let rows: Vec<_> = PROVIDERS.iter().filter(|row| !row.base_url.is_empty()).collect();
    for (place, row) in rows.iter().enumerate() {
        screen.line(&format!("{:>3}. {}", place + 1, text::provider_title(lang, row.name)));
    }
    let other = rows.len() + 1;
    screen.line(&format!("{other:>3}. {}", text::setup_other(lang)));
    loop {
        let choice = keyboard.line(&text::setup_choose(lang, other)).await?;
        let choice = choice.trim();
        let named = quirks::by_name(choice).map(|row| row.base_url.to_owned());
        let url = match (choice.parse::<usize>(), named) {
            (Ok(number), _) if number == other => keyboard.line(text::setup_base_url(lang)).await?,
            (Ok(number), _) if (1..other).contains(&number) => rows[number - 1].base_url.to_owned(),
            (_, Some(url)) => url,
            _ => {
                screen.warning(&text::setup_not_a_choice(lang, other));
                continue;
            }
        };
        match BaseUrl::parse(&url) {
            Ok(base_url) => return Ok(base_url),
            Err(reason) => screen.warning(&text::no_base_url(lang, &reason)),
        }
    }
}

/// One small question, since a list of models is public at some providers.
async fn test(endpoint: &Endpoint, model: &str, client: &Client) -> Result<(), crate::chat::ChatError> {
    let request = Request {
        model,
        system: "Answer with one word.",
        history: &[],
        message: &Message::new("Hello"),
        beside: "",
        rounds: &[],
        tools: &[],
        temperature: None,
        stream: true,
        schema: None,
        images: false,
    };
    let (canceller, mut cancel) = Cancel::pair();
    let mut chat = Chat::new(client.clone(), endpoint.clone());
    let result = chat.send(&request, &mut cancel, &mut |_| {}).await;
    drop(canceller);
    result.map(|_| ())
}

/// Saves what works, readable by the user alone.
fn save(path: &Path, endpoint: &Endpoint, model: &str, lang: Lang) -> Result<(), Failure> {
    // A JSON string is a TOML basic string.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let key = endpoint.key.as_ref().map(ExposeSecret::expose_secret).unwrap_or_default();
    let text = format!(
        "# Written by the set-up of mini-chatgpt. Delete this file to be asked again.\n\
         base_url = {}\nmodel = {}\napi_key = {}\n",
        quoted(&endpoint.base_url.to_string()),
        quoted(model),
        quoted(key)
    );
    let failed = |error| Failure::store(lang, &error);
    if let Some(folder) = path.parent() {
        store::create_private_folder(folder).map_err(failed)?;
    }
    store::replace(path, text.as_bytes()).map_err(failed)
}
