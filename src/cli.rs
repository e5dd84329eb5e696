//! The shell around the agent: command line, terminal, pipe, signals, clock, exit code.
//!
//! Owns stdout, rustyline, the runtime and the clock. What the protocol says is not parsed here.

mod command;
mod editor;
mod failure;
mod logging;
mod pipe;
mod quiet;
mod repl;
mod screen;
mod setup;
mod turn;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Local};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::agent::{Agent, Options};
use crate::chat::Chat;
use crate::config::{self, Environment, Flags, Settings};
use crate::embed::Embedder;
use crate::endpoint::{self, Endpoint};
use crate::store::Store;
use crate::text::{self, Lang};
use failure::Failure;
use screen::Screen;

/// Exit codes, as README lists them.
mod code {
    pub const OK: u8 = 0;
    pub const OTHER: u8 = 1;
    pub const USAGE: u8 = 2;
    pub const TRY_LATER: u8 = 75;
    pub const KEY_REFUSED: u8 = 77;
    pub const NOT_CONFIGURED: u8 = 78;
    pub const INTERRUPTED: u8 = 130;
}

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "mini-chatgpt", version, disable_help_subcommand = true)]
struct Arguments {
    #[arg(value_name = "PROMPT")]
    prompt: Vec<String>,
    #[arg(long, value_name = "TEXT", conflicts_with = "prompt")]
    once: Option<String>,
    #[command(flatten)]
    flags: Flags,
}

/// A conversation that is ready to go.
struct Session {
    agent: Agent,
    lang: Lang,
    user_id: String,
    memory_dir: PathBuf,
    /// Model and host, for the banner.
    model: String,
    host: String,
    color: bool,
}

/// Runs the program and returns its exit code. Errors are shown here, once.
pub fn run(arguments: Vec<String>, environment: Environment) -> u8 {
    let lang = config::early_lang(&arguments, &environment);
    let color = config::wants_color(&environment);
    let arguments = match parse(arguments, lang) {
        Ok(arguments) => arguments,
        Err(shown) => return shown,
    };
    let result = start(&arguments, environment, lang);
    result.unwrap_or_else(|failure| {
        Screen::new(lang, false, color).failure(&failure);
        failure.code
    })
}

/// Parses the command line; `Err` is the exit code after help, version or a usage error was shown.
fn parse(arguments: Vec<String>, lang: Lang) -> Result<Arguments, u8> {
    let command = Arguments::command()
        .about(text::about(lang))
        .help_template(text::help_template(lang))
        .mut_args(|argument| match text::option_help(lang, argument.get_id().as_str()) {
            Some(help) => argument.help(help),
            None => argument,
        });
    let command = ["help", "version"].into_iter().fold(command, |command, id| {
        let short = if id == "help" { 'h' } else { 'V' };
        let action = if id == "help" { clap::ArgAction::Help } else { clap::ArgAction::Version };
        let argument = clap::Arg::new(id).short(short).long(id).action(action);
        command.arg(argument.help(text::option_help(lang, id).unwrap_or_default()))
    });
    let command = command.disable_help_flag(true).disable_version_flag(true);
    command.try_get_matches_from(arguments).and_then(|matches| Arguments::from_arg_matches(&matches)).map_err(
        |error| {
            // A reader that has gone away is no error of ours.
            let _ = error.print();
            if error.use_stderr() { code::USAGE } else { code::OK }
        },
    )
}

fn start(arguments: &Arguments, environment: Environment, lang: Lang) -> Result<u8, Failure> {
    let work = std::env::current_dir()
        .map_err(|error| Failure::plain(code::OTHER, &format!("working directory: {error}")))?;
    let settings =
        config::load(&arguments.flags, environment, &work).map_err(|error| Failure::config(&error))?;
    logging::start(settings.log_level, settings.log_file.as_deref()).map_err(|error| {
        let path = settings.log_file.as_deref().unwrap_or(Path::new("stderr"));
        Failure::plain(code::USAGE, &format!("--log-file {}: {error}", path.display()))
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::plain(code::OTHER, &format!("runtime: {error}")))?;
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let once = arguments.once.clone().or_else(|| {
        let words = arguments.prompt.join(" ");
        (!arguments.prompt.is_empty()).then_some(words)
    });
    let lang = if settings.lang == lang { lang } else { settings.lang };
    runtime.block_on(async {
        let mut session = open(settings, terminal).await?;
        let mut screen = Screen::new(lang, terminal && once.is_none(), session.color);
        match once {
            Some(prompt) => pipe::once(&mut session, &mut screen, prompt).await,
            None if terminal => repl::run(&mut session, &mut screen).await,
            None => pipe::run(&mut session, &mut screen).await,
        }
    })
}

/// Opens everything a conversation needs; nothing is asked of the model yet.
async fn open(settings: Settings, terminal: bool) -> Result<Session, Failure> {
    let lang = settings.lang;
    let store =
        Store::open(&settings.memory_dir, &settings.user_id).map_err(|error| Failure::store(lang, &error))?;
    let client = endpoint::client(&settings.network)
        .map_err(|reason| Failure::plain(code::NOT_CONFIGURED, &reason))?;
    let (endpoint, model) = setup::find(&settings, &client, terminal).await?;
    let embedder = match &settings.embedding {
        None => Embedder::Off,
        Some((model, own)) => {
            let endpoint: Endpoint = own.clone().unwrap_or_else(|| endpoint.clone());
            Embedder::remote(client.clone(), endpoint, model.clone())
        }
    };
    let host = endpoint.base_url.host_and_port();
    let options = Options {
        model: model.clone(),
        persona: settings.persona,
        top_k: settings.top_k,
        max_rounds: settings.max_rounds,
        temperature: settings.temperature,
        stream: settings.stream,
    };
    tracing::debug!(%model, %host, folder = %settings.memory_dir.display(), "session");
    Ok(Session {
        agent: Agent::new(Chat::new(client, endpoint), store, embedder, options),
        lang,
        user_id: settings.user_id,
        memory_dir: settings.memory_dir,
        model,
        host,
        color: settings.color,
    })
}

/// The time. Everything below gets it as an argument.
#[expect(clippy::disallowed_methods, reason = "the one place where the clock is read")]
fn now() -> DateTime<Local> {
    Local::now()
}
