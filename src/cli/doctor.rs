//! `mini-chatgpt doctor`: what is configured, what can be reached, what works.
//!
//! Four tiny requests at most. Each line is one check; a failing one says what to do. The key is never
//! shown, only whether there is one.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};

use super::failure::{Failure, store_sentence};
use super::screen::Screen;
use super::{code, setup};
use crate::chat::{Cancel, Chat, ChatError, LIST_LIMIT, Progress};
use crate::config::Settings;
use crate::endpoint::Endpoint;
use crate::message::{Message, ToolSpec};
use crate::store::Store;
use crate::text::{self, Lang};
use crate::wire::{Lesson, Reply, Request};

/// Time to find a host and connect to it.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// One line of the report.
struct Check {
    name: &'static str,
    ok: bool,
    detail: String,
    hint: Option<String>,
    took: Option<Duration>,
}

impl Check {
    fn fact(name: &'static str, detail: String) -> Self {
        Self { name, ok: true, detail, hint: None, took: None }
    }
}

/// Runs all checks and reports them; the exit code is that of the first failure.
pub async fn run(settings: &Settings, client: &Client, as_json: bool) -> Result<u8, Failure> {
    let lang = settings.lang;
    let mut screen = Screen::new(lang, false, settings.color);
    let mut checks = local_facts(settings);
    let exit = match setup::find(settings, client, false).await {
        Ok((endpoint, model)) => {
            checks.push(Check::fact(
                "endpoint",
                format!("{}/chat/completions", endpoint.base_url.without_query()),
            ));
            let key =
                if endpoint.key.is_some() { text::key_is_set(lang) } else { text::key_is_not_set(lang) };
            checks.push(Check::fact("key", key.to_owned()));
            checks.push(Check::fact("model", model.clone()));
            checks.push(reach(settings, &endpoint).await);
            endpoint_checks(settings, client, &endpoint, &model, &mut checks).await
        }
        Err(Failure { sentence, hint, code, .. }) => {
            checks.push(Check { name: "endpoint", ok: false, detail: sentence, hint, took: None });
            code
        }
    };
    let exit = if exit == code::OK && checks.iter().any(|check| !check.ok) { code::OTHER } else { exit };
    if as_json {
        screen.line(&to_json(&checks, exit).to_string());
    } else {
        for check in &checks {
            show(&mut screen, lang, check);
        }
    }
    Ok(exit)
}

/// What is known without the network.
fn local_facts(settings: &Settings) -> Vec<Check> {
    let lang = settings.lang;
    let folder = settings.memory_dir.display().to_string();
    let memories = Store::open(&settings.memory_dir, &settings.user_id)
        .and_then(|mut store| store.memories().map(<[_]>::len));
    let memory = match memories {
        Ok(count) => Check::fact("memory", format!("{} · {folder}", text::memory_count(lang, count))),
        Err(error) => Check {
            name: "memory",
            ok: false,
            detail: store_sentence(lang, &error),
            hint: Some(text::hint_memory_folder(lang).to_owned()),
            took: None,
        },
    };
    let lang_name = if lang == Lang::Zh { "zh" } else { "en" };
    let mut checks = vec![
        Check::fact("version", env!("CARGO_PKG_VERSION").to_owned()),
        Check::fact("user", settings.user_id.clone()),
        Check::fact("terminal", terminal_facts(settings, lang_name)),
        memory,
    ];
    checks.extend(folder_fault(settings));
    checks.extend(settings.sources.iter().map(|(name, value, place)| {
        // What stands behind a question mark may be a key.
        let value: String = value.split('?').next().unwrap_or_default().chars().take(60).collect();
        Check::fact("setting", format!("{name} = {value} ({place})"))
    }));
    checks
}

fn terminal_facts(settings: &Settings, lang: &str) -> String {
    let stream =
        |name: &str, terminal: bool| format!("{name} {}", if terminal { "terminal" } else { "pipe" });
    let color = if settings.color { "color" } else { "no color" };
    [
        stream("stdin", std::io::stdin().is_terminal()),
        stream("stdout", std::io::stdout().is_terminal()),
        color.to_owned(),
        lang.to_owned(),
    ]
    .join(", ")
}

/// Whether the memory folder, where it exists, cannot be written.
fn folder_fault(settings: &Settings) -> Option<Check> {
    let folder = &settings.memory_dir;
    let error = folder.is_dir().then(|| tempfile::tempfile_in(folder).err()).flatten()?;
    Some(Check {
        name: "memory",
        ok: false,
        detail: text::store_failed(
            settings.lang,
            "cannot write",
            &folder.display().to_string(),
            &error.to_string(),
        ),
        hint: Some(text::hint_memory_folder(settings.lang).to_owned()),
        took: None,
    })
}

/// Name and TCP connection, which a proxy would make instead.
async fn reach(settings: &Settings, endpoint: &Endpoint) -> Check {
    let lang = settings.lang;
    let proxied = settings.network.is_proxied() && !endpoint.base_url.is_local();
    if proxied {
        return Check::fact("connect", text::through_proxy(lang).to_owned());
    }
    let (host, port) = endpoint.base_url.socket();
    let start = Instant::now();
    let connect = async {
        let addresses: Vec<_> = tokio::net::lookup_host((host.as_str(), port)).await?.collect();
        tokio::net::TcpStream::connect(addresses.as_slice()).await?;
        std::io::Result::Ok(addresses.first().map(ToString::to_string).unwrap_or_default())
    };
    let result = tokio::time::timeout(CONNECT_LIMIT, connect)
        .await
        .unwrap_or(Err(std::io::ErrorKind::TimedOut.into()));
    let took = Some(start.elapsed());
    match result {
        Ok(address) => Check { name: "connect", ok: true, detail: address, hint: None, took },
        Err(error) => Check {
            name: "connect",
            ok: false,
            detail: text::unreachable_host(lang, &host, &error.to_string()),
            hint: Some(text::hint_check_url(lang).to_owned()),
            took,
        },
    }
}

/// The requests; returns the exit code.
async fn endpoint_checks(
    settings: &Settings,
    client: &Client,
    endpoint: &Endpoint,
    model: &str,
    checks: &mut Vec<Check>,
) -> u8 {
    let lang = settings.lang;
    let mut exit = code::OK;
    let mut push = |name, took: Duration, result: Result<String, ChatError>| match result {
        Ok(detail) => checks.push(Check { name, ok: true, detail, hint: None, took: Some(took) }),
        Err(error) => {
            let Failure { sentence, hint, code, .. } = Failure::chat(lang, &error);
            exit = if exit == code::OK { code } else { exit };
            checks.push(Check { name, ok: false, detail: sentence, hint, took: Some(took) });
        }
    };
    let mut chat = Chat::new(client.clone(), endpoint.clone());
    let start = Instant::now();
    let models = match chat.models(LIST_LIMIT).await {
        Ok(models) => Ok(text::models_listed(lang, models.len())),
        // Not every endpoint has a list; that is no fault.
        Err(error) if error.has_no_list() => Ok(text::models_unlisted(lang).to_owned()),
        Err(error) => Err(error),
    };
    push("models", start.elapsed(), models);
    let tool = ToolSpec {
        name: "note",
        description: "Takes a note.",
        parameters: json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
    };
    let both = "Call note twice in this reply: once with text A, once with text B.";
    let asks: [(&'static str, bool, &str, &[ToolSpec]); 3] = [
        ("answer", false, "Say OK.", &[]),
        ("stream", true, "Say OK.", &[]),
        ("tools", true, both, std::slice::from_ref(&tool)),
    ];
    for (name, stream, user, tools) in asks {
        let start = Instant::now();
        let mut lessons = Vec::new();
        let reply = ask(&mut chat, model, stream, user, tools, &mut lessons).await;
        let took = start.elapsed();
        let learnt: Vec<String> = lessons.iter().map(|lesson| text::learnt(lang, lesson.name())).collect();
        let described = reply.map(|reply| match learnt.is_empty() {
            true => describe(lang, name, &reply),
            false => learnt.join("; "),
        });
        push(name, took, described);
    }
    let mut embedder = super::embedder(&settings.embeddings, client, endpoint);
    if embedder.model().is_some() {
        let start = Instant::now();
        let (ok, detail) = match embedder.queries(&["hello"]).await {
            Ok(mut vectors) => {
                let vector = vectors.pop().flatten().unwrap_or_default();
                (true, text::dimensions(lang, vector.len()))
            }
            Err(error) => (false, super::lines::embed_sentence(lang, &error)),
        };
        let hint = (!ok).then(|| text::hint_check_model(lang).to_owned());
        checks.push(Check { name: "embeddings", ok, detail, hint, took: Some(start.elapsed()) });
    }
    exit
}

async fn ask(
    chat: &mut Chat,
    model: &str,
    stream: bool,
    user: &str,
    tools: &[ToolSpec],
    lessons: &mut Vec<Lesson>,
) -> Result<Reply, ChatError> {
    let request = Request {
        model,
        system: "Answer in as few words as possible.",
        history: &[],
        message: &Message::new(user),
        beside: "",
        rounds: &[],
        tools,
        temperature: None,
        stream,
        schema: None,
        images: false,
    };
    let (canceller, mut cancel) = Cancel::pair();
    let mut progress = |progress: Progress<'_>| {
        if let Progress::Learnt { lesson, .. } = progress {
            lessons.push(lesson);
        }
    };
    let reply = chat.send(&request, &mut cancel, &mut progress).await;
    drop(canceller);
    reply
}

fn describe(lang: Lang, name: &str, reply: &Reply) -> String {
    let usage = reply.usage.and_then(|usage| usage.prompt_tokens);
    match name {
        "tools" => text::calls_came(lang, reply.calls.len()),
        _ => text::usage_reported(lang, usage),
    }
}

fn show(screen: &mut Screen, lang: Lang, check: &Check) {
    let mark = if check.ok { "✓" } else { "✗" };
    let took = check.took.map(|took| format!(" ({} ms)", took.as_millis())).unwrap_or_default();
    let name = text::check_name(lang, check.name);
    screen.line(&format!("{mark} {name:<10} {}{took}", crate::render::one_line(&check.detail)));
    if let Some(hint) = &check.hint {
        screen.line(&format!("  → {hint}"));
    }
}

fn to_json(checks: &[Check], exit: u8) -> Value {
    let checks: Vec<Value> = checks
        .iter()
        .map(|check| {
            json!({"name": check.name, "ok": check.ok, "detail": check.detail, "hint": check.hint,
                "milliseconds": check.took.map(|took| took.as_millis() as u64)})
        })
        .collect();
    json!({"ok": exit == code::OK, "checks": checks})
}
