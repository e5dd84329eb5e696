//! The shell around the agent: command line, terminal, pipe, signals, clock, exit code.
//!
//! Owns stdout, rustyline, the runtime and the clock. What the protocol says is not parsed here.

mod after;
mod attach;
mod command;
mod context;
mod doctor;
mod editor;
mod encoding;
mod failure;
mod governance;
mod graph;
mod hits;
mod input;
mod learnt;
mod lines;
mod logging;
mod memory;
mod owner;
mod pipe;
mod quiet;
mod repl;
mod screen;
mod setup;
mod threads;
mod turn;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Local};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::agent::{Agent, Mode, Options};
use crate::chat::Chat;
use crate::config::{self, Embeddings, Environment, Flags, Price, Settings};
use crate::embed::{Embedder, Remote};
use crate::endpoint::{self, Endpoint};
use crate::files::Allowed;
use crate::message::Attachment;
use crate::quirks::PROVIDERS;
use crate::recall::Recall;
use crate::store::Store;
use crate::text::{self, Lang};
use after::Doomed;
use failure::Failure;
use learnt::Learnt;
use memory::MemoryCommand;
use screen::Screen;
use threads::Begin;

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
    /// For `doctor`.
    #[arg(long)]
    json: bool,
    #[arg(short, long = "continue", conflicts_with_all = ["resume", "thread"])]
    continue_last: bool,
    #[arg(short, long, value_name = "ID|TITLE", num_args = 0..=1, default_missing_value = "", conflicts_with = "thread")]
    resume: Option<String>,
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
    #[arg(long = "file", value_name = "PATH")]
    attach: Vec<String>,
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Option<Subcommand>,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// Help is in `text`.
    Memory {
        #[command(subcommand)]
        command: MemoryCommand,
    },
}

impl Arguments {
    /// The thread that is asked for.
    fn begin(&self) -> Begin {
        match (&self.resume, &self.thread) {
            (Some(words), _) if words.trim().is_empty() => Begin::Choose,
            (Some(words), _) => Begin::Named(words.clone()),
            (None, Some(id)) => Begin::Id(id.clone()),
            (None, None) if self.continue_last => Begin::Last,
            (None, None) => Begin::New,
        }
    }
}

/// A conversation that is ready to go.
struct Session {
    agent: Agent,
    lang: Lang,
    user_id: String,
    memory_dir: PathBuf,
    /// The endpoint, for the banner.
    host: String,
    /// The thread to begin in.
    begin: Begin,
    /// Files that go with the next message.
    attachments: Vec<Attachment>,
    /// Files outside of the working folder that the user has agreed to.
    agreed_files: Vec<PathBuf>,
    price: Option<Price>,
    learnt: Learnt,
    /// As last listed, for completion.
    models: Vec<String>,
    /// What the model would have deleted: the user is asked after the turn.
    doomed: Vec<Doomed>,
    /// Memories have come in that may have no vector yet.
    vectors_wanted: bool,
    color: bool,
    dumb_terminal: bool,
}

/// How things are said: known roughly at the start, exactly once the settings are read.
struct Look {
    lang: Lang,
    color: bool,
}

/// Runs the program and returns its exit code. Errors are shown here, once.
pub fn run(arguments: Vec<String>, environment: Environment) -> u8 {
    let mut look = Look { lang: config::early_lang(&arguments, &environment), color: false };
    let result = match parse(arguments, look.lang) {
        Ok(Some(arguments)) => start(&arguments, environment, &mut look),
        Ok(None) => Ok(code::OK),
        Err(failure) => Err(failure),
    };
    result.unwrap_or_else(|failure| {
        Screen::new(look.lang, false, look.color).failure(&failure);
        failure.code
    })
}

/// Settings that also stand behind a subcommand.
const EVERYWHERE: [&str; 7] =
    ["user_id", "memory_dir", "embeddings", "embedding_model", "lang", "log_level", "log_file"];

/// Parses the command line; `None` after help or the version was shown.
fn parse(arguments: Vec<String>, lang: Lang) -> Result<Option<Arguments>, Failure> {
    let settings = |argument: clap::Arg| {
        let everywhere = EVERYWHERE.contains(&argument.get_id().as_str());
        argument.global(everywhere)
    };
    let command = localized(Arguments::command().mut_args(settings), lang)
        .about(text::about(lang))
        .disable_version_flag(true)
        .arg(standard_argument("version", 'V', clap::ArgAction::Version, lang));
    let matches = command.try_get_matches_from(arguments);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => Ok(Some(arguments)),
        Err(error) if error.use_stderr() => {
            use clap::error::ErrorKind;
            let sentence = usage_sentence(lang, &error);
            let hint = match error.kind() {
                ErrorKind::InvalidSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                    text::hint_memory_commands(lang)
                }
                _ => text::hint_usage(lang),
            };
            Err(Failure::with_hint(code::USAGE, &sentence, hint))
        }
        Err(help) => {
            // A reader that has gone away is no error of ours.
            let _ = help.print();
            Ok(None)
        }
    }
}

/// The command in the language of the user, and its subcommands likewise.
fn localized(command: clap::Command, lang: Lang) -> clap::Command {
    let name = command.get_name().to_owned();
    let template =
        text::help_template(lang, command.get_positionals().next().is_some(), command.has_subcommands());
    command
        .about(text::subcommand_help(lang, &name))
        .help_template(template)
        .mut_args(|argument| match text::option_help(lang, argument.get_id().as_str()) {
            Some(help) => argument.help(help),
            None => argument,
        })
        .mut_subcommands(|subcommand| localized(subcommand, lang))
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .arg(standard_argument("help", 'h', clap::ArgAction::Help, lang))
}

fn standard_argument(id: &'static str, short: char, action: clap::ArgAction, lang: Lang) -> clap::Arg {
    let help = text::option_help(lang, id).unwrap_or_default();
    clap::Arg::new(id).short(short).long(id).action(action).help(help)
}

/// What is wrong with the command line.
fn usage_sentence(lang: Lang, error: &clap::Error) -> String {
    use clap::error::{ContextKind, ErrorKind};
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    match error.kind() {
        ErrorKind::UnknownArgument if !argument.starts_with('-') => text::one_too_many(lang, &argument),
        ErrorKind::UnknownArgument => {
            let suggested = context(ContextKind::SuggestedArg);
            text::unknown_option(lang, &argument, Some(suggested.as_str()).filter(|name| !name.is_empty()))
        }
        ErrorKind::InvalidSubcommand => {
            text::unknown_subcommand(lang, &context(ContextKind::InvalidSubcommand))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => text::which_subcommand(lang).to_owned(),
        ErrorKind::MissingRequiredArgument => text::argument_missing(lang, &argument),
        ErrorKind::ValueValidation => text::bad_value(lang, &argument, &context(ContextKind::InvalidValue)),
        ErrorKind::InvalidValue if !context(ContextKind::InvalidValue).is_empty() => {
            text::bad_value(lang, &argument, &context(ContextKind::InvalidValue))
        }
        ErrorKind::InvalidValue => text::option_needs_value(lang, &argument),
        ErrorKind::ArgumentConflict => text::options_clash(lang, &argument, &context(ContextKind::PriorArg)),
        _ => error.kind().to_string(),
    }
}

fn start(arguments: &Arguments, environment: Environment, look: &mut Look) -> Result<u8, Failure> {
    let cannot_start = |lang: Lang, reason: &dyn ToString| {
        Failure::plain(code::OTHER, &text::cannot_start(lang, &reason.to_string()))
    };
    let work = std::env::current_dir().map_err(|error| cannot_start(look.lang, &error))?;
    let settings = config::load(&arguments.flags, environment, &work, look.lang)
        .map_err(|error| Failure::config(&error))?;
    *look = Look { lang: settings.lang, color: settings.color };
    let lang = settings.lang;
    for name in &settings.unknown {
        Screen::new(lang, false, settings.color).warning(&text::unknown_variable(lang, name));
    }
    logging::start(settings.log_level, settings.log_file.as_deref()).map_err(|error| {
        let path = settings.log_file.as_deref().unwrap_or(Path::new("stderr")).display().to_string();
        Failure::plain(code::OTHER, &text::no_log_file(lang, &path, &error.to_string()))
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| cannot_start(lang, &error))?;
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let words = (!arguments.prompt.is_empty()).then(|| arguments.prompt.join(" "));
    let once = arguments.once.clone().or(words);
    let reasoning = settings.reasoning;
    let result = runtime.block_on(async {
        if let Some(Subcommand::Memory { command }) = &arguments.command {
            return memory::run(command, &settings, arguments.json).await;
        }
        match arguments.prompt.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["doctor"] => return doctor::run(&settings, &http_client(&settings)?, arguments.json).await,
            ["providers"] => {
                list_providers(&mut Screen::new(lang, false, settings.color));
                return Ok(code::OK);
            }
            _ => {}
        }
        let mut session = open(settings, terminal).await?;
        let mut screen = Screen::new(lang, terminal && once.is_none(), session.color);
        screen.show_reasoning(reasoning);
        session.begin = arguments.begin();
        session.attachments = attach::attach_all(lang, &mut screen, &arguments.attach)?;
        match once {
            Some(prompt) => pipe::once(&mut session, &mut screen, prompt).await,
            None if terminal => repl::run(&mut session, &mut screen).await,
            None => pipe::run(&mut session, &mut screen).await,
        }
    });
    // Vectors that are still being computed are nobody's any more.
    runtime.shutdown_background();
    result
}

/// Where vectors come from. One of an endpoint is found at the chat's, unless it has an address of its own.
fn embedder(embeddings: &Embeddings, client: &reqwest::Client, chat: &Endpoint) -> Embedder {
    match embeddings {
        Embeddings::Off => Embedder::Off,
        Embeddings::BuiltIn => Embedder::BuiltIn,
        Embeddings::Remote(remote) => {
            Embedder::Remote(Remote::new(client.clone(), remote.endpoint(chat), remote.model.clone()))
        }
    }
}

/// The embedder of the settings, where no conversation is begun. Only an endpoint has to be looked for.
async fn embedder_of(settings: &Settings) -> Result<Embedder, Failure> {
    match settings.embeddings {
        Embeddings::Off => Ok(Embedder::Off),
        Embeddings::BuiltIn => Ok(Embedder::BuiltIn),
        Embeddings::Remote(_) => {
            let client = http_client(settings)?;
            let (endpoint, _) = setup::find(settings, &client, false).await?;
            Ok(embedder(&settings.embeddings, &client, &endpoint))
        }
    }
}

fn http_client(settings: &Settings) -> Result<reqwest::Client, Failure> {
    endpoint::client(&settings.network).map_err(|reason| Failure::plain(code::NOT_CONFIGURED, &reason))
}

/// Lists the provider table: name, variable of the key, usual model, base URL.
fn list_providers(screen: &mut Screen) {
    for row in PROVIDERS {
        let key = row.key_vars.first().unwrap_or(&"");
        screen.line(format!("{:<12} {key:<22} {:<24} {}", row.name, row.model, row.base_url).trim_end());
    }
}

/// Opens everything a conversation needs; nothing is asked of the model yet.
async fn open(settings: Settings, terminal: bool) -> Result<Session, Failure> {
    let lang = settings.lang;
    let store =
        Store::open(&settings.memory_dir, &settings.user_id).map_err(|error| Failure::store(lang, &error))?;
    let client = http_client(&settings)?;
    let (endpoint, model) = setup::find(&settings, &client, terminal).await?;
    let recall = Recall::new(embedder(&settings.embeddings, &client, &endpoint));
    let host = endpoint.base_url.host_and_port();
    let options = Options {
        model: model.clone(),
        persona: settings.persona,
        top_k: settings.top_k,
        min_relevance: settings.min_relevance,
        inject: settings.inject,
        max_rounds: settings.max_rounds,
        temperature: settings.temperature,
        stream: settings.stream,
        encode: settings.encoding.on,
        encode_model: settings.encoding.model,
        layout: settings.context.layout,
        window: settings.context.window,
        context_length: settings.context.length,
        compact_at: settings.context.compact_at,
        images: settings.context.images,
        // What is remembered is nobody's file to read, other users' least of all.
        allowed: Allowed::new(settings.context.allow_read).except(&settings.memory_dir),
    };
    tracing::debug!(%model, %host, folder = %settings.memory_dir.display(), "session");
    let learnt = Learnt::new(settings.cache_folder.as_deref(), &host);
    let mut chat = Chat::new(client, endpoint);
    chat.teach(&learnt.lessons(&model));
    let mut agent = Agent::new(chat, store, recall, options, now());
    let mode = if settings.incognito { Mode::Incognito } else { Mode::Full };
    agent.set_mode(mode).map_err(|error| Failure::store(lang, &error))?;
    Ok(Session {
        agent,
        doomed: Vec::new(),
        vectors_wanted: false,
        learnt,
        models: Vec::new(),
        lang,
        user_id: settings.user_id,
        memory_dir: settings.memory_dir,
        host,
        begin: Begin::New,
        attachments: Vec::new(),
        agreed_files: Vec::new(),
        price: settings.context.price,
        color: settings.color,
        dumb_terminal: settings.dumb_terminal,
    })
}

/// The time. Everything below gets it as an argument.
#[expect(clippy::disallowed_methods, reason = "the one place where the clock is read")]
fn now() -> DateTime<Local> {
    Local::now()
}
