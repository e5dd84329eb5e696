//! One line from the user: a command is carried out, a message becomes a turn.

use std::cell::RefCell;
use std::pin::pin;
use std::sync::Arc;

use super::after::{After, Doomed, Draft};
use super::command::{Command, Input};
use super::failure::Failure;
use super::hits::show;
use super::owner;
use super::quiet::asked_to_end;
use super::screen::{Screen, TICK};
use super::{Session, code, now};
use super::{attach, context, graph, threads};
use crate::agent::{Asked, Ending, Event, Mode};
use crate::chat::{Cancel, LIST_LIMIT};
use crate::config::ShowReasoning;
use crate::memory::Memory;
use crate::message::Message;
use crate::render::one_line;
use crate::text;

/// Carries out `input`.
pub async fn handle(session: &mut Session, screen: &mut Screen, input: Input) -> Result<After, Failure> {
    let lang = session.lang;
    match input {
        Input::Blank => {}
        Input::Message(text) => return ask(session, screen, Draft::new(text)).await,
        Input::Command(Command::Exit, _) => return Ok(After::Leave(code::OK)),
        Input::Command(Command::Clear, _) => return Ok(After::Clear),
        Input::Command(Command::ClearAll, _) => return Ok(After::ClearAll),
        Input::Command(Command::Retry, _) => match session.agent.last_message() {
            Some((message, number)) => {
                let asked = Asked { message, replaces: Some(number) };
                return message_turn(session, screen, asked).await;
            }
            None => screen.warning(text::nothing_to_retry(lang)),
        },
        Input::Command(Command::Usage, _) => context::usage(session, screen),
        Input::Command(Command::Context, _) => context::show(session, screen),
        Input::Command(Command::Compact, focus) => return Ok(context::compact(session, screen, &focus).await),
        Input::Command(Command::Copy, words) => context::copy(session, screen, &words)?,
        Input::Command(command, words) if command.is_about_threads() => {
            return match threads::command(session, screen, command, &words)? {
                After::Ask(draft) => ask(session, screen, draft).await,
                after => Ok(after),
            };
        }
        Input::Command(Command::Model, name) => return choose_model(session, screen, name).await,
        Input::Command(Command::Reasoning, mode) => {
            if let Some(mode) = ShowReasoning::parse(&mode) {
                screen.show_reasoning(mode);
            }
            screen.line(&text::reasoning_mode(lang, screen.reasoning().name()));
        }
        Input::Command(Command::Help, _) => {
            for command in Command::ALL {
                let name = format!("/{}", command.name());
                screen.line(&format!("{name:<15} {}", text::command_help(lang, command.name())));
            }
            screen.line(text::typing_help(lang));
        }
        Input::Command(Command::Forget, words) => return owner::doomed(session, screen, &words).await,
        Input::Command(command, words) => memory_command(session, screen, command, &words).await?,
        Input::WithWords(command) => screen.warning(&text::takes_no_words(lang, command.name())),
        Input::Unknown { name, nearest } => screen.warning(&text::unknown_command(lang, &name, nearest)),
    }
    Ok(After::GoOn)
}

/// Carries out a command about memories that asks nothing.
async fn memory_command(
    session: &mut Session,
    screen: &mut Screen,
    command: Command,
    words: &str,
) -> Result<(), Failure> {
    match command {
        Command::Memories => owner::list(session, screen, words),
        Command::Why => {
            owner::why(session, screen);
            Ok(())
        }
        Command::Memory => owner::show_one(session, screen, words),
        Command::Remember => owner::remember(session, screen, words).await,
        Command::Edit => owner::edit(session, screen, words).await,
        Command::Search => search(session, screen, words).await,
        Command::Graph => graph::show(session, screen, words),
        Command::Export => owner::export(session, screen, words),
        Command::Import => owner::import(session, screen, words),
        Command::Pause => owner::set_mode(session, screen, Mode::Paused),
        Command::Incognito => owner::set_mode(session, screen, Mode::Incognito),
        Command::ResumeMemory => owner::set_mode(session, screen, Mode::Full),
        _ => owner::govern(session, screen, command, words),
    }
}

/// Asks a message, with the files that it names.
pub async fn ask(session: &mut Session, screen: &mut Screen, draft: Draft) -> Result<After, Failure> {
    attach_named(session, screen, &draft.text)?;
    send(session, screen, draft).await
}

/// Puts the files that `typed` names among those that go with the next message.
pub fn attach_named(session: &mut Session, screen: &mut Screen, typed: &str) -> Result<(), Failure> {
    let lang = session.lang;
    let (files, missing) = attach::named(typed);
    for path in missing {
        screen.notice(&text::file_missing(lang, &one_line(&path)));
    }
    let mut attachments = Vec::new();
    for file in files {
        match file.usual || session.agreed_files.contains(&file.path) {
            true => attachments.push(attach::attach(lang, screen, &file.name, &file.path)?),
            false => screen.warning(&text::not_attached(lang, &one_line(&file.name))),
        }
    }
    // All of them go, or none.
    session.attachments.extend(attachments);
    Ok(())
}

/// Asks a message, with the files that are there to go with it.
pub async fn send(session: &mut Session, screen: &mut Screen, draft: Draft) -> Result<After, Failure> {
    let attachments = std::mem::take(&mut session.attachments);
    let message = Message::new(&draft.text).with_attachments(attachments);
    let asked = Asked { message, replaces: draft.replaces };
    let result = message_turn(session, screen, asked.clone()).await;
    if result.as_ref().is_err_and(|failure| failure.not_sent) {
        attach::keep(session, screen, &asked.message, &draft.text);
    }
    result
}

/// Runs a turn. Ctrl-C cancels it, and so does a stdout that nobody reads any more.
async fn message_turn(session: &mut Session, screen: &mut Screen, asked: Asked) -> Result<After, Failure> {
    let lang = session.lang;
    let (canceller, mut cancel) = Cancel::pair();
    let mut lessons = Vec::new();
    let mut doomed = Vec::new();
    let mut leave = None;
    screen.begin_turn();
    let result = {
        // The events and the clock write to the same screen, never at the same time.
        let screen = RefCell::new(&mut *screen);
        let mut sink = |event: Event<'_>| {
            let mut screen = screen.borrow_mut();
            match &event {
                Event::Learnt(lesson) => lessons.push(*lesson),
                Event::WouldForget { short_id, memory } => doomed.push(Doomed {
                    short_id: (*short_id).to_owned(),
                    memory: Arc::new(Memory::clone(memory)),
                    by_id: true,
                }),
                _ => {}
            }
            screen.event(&event);
            if screen.is_gone() {
                canceller.cancel();
            }
        };
        let mut turn = pin!(session.agent.turn(asked, now(), &mut cancel, &mut sink));
        let mut ticks = tokio::time::interval(TICK);
        let mut end = pin!(asked_to_end());
        loop {
            tokio::select! {
                code = &mut end, if leave.is_none() => {
                    leave = Some(code);
                    canceller.cancel();
                }
                result = &mut turn => break result,
                _ = ticks.tick() => screen.borrow_mut().tick(),
                signal = tokio::signal::ctrl_c() => {
                    if let Err(error) = signal {
                        tracing::warn!(%error, "Ctrl-C cannot be heard");
                        break turn.await;
                    }
                    canceller.cancel();
                }
            }
        }
    };
    if result.is_ok() {
        session.learnt.add(session.agent.model(), &lessons);
    }
    session.doomed = doomed;
    screen.end_turn();
    if let Some(code) = leave {
        return Ok(After::Leave(code));
    }
    match result {
        Ok(Ending::Answered) => Ok(After::GoOn),
        Ok(Ending::Cancelled) => Ok(After::Cancelled),
        Err(error) => Err(Failure::turn(lang, session.agent.model(), &error)),
    }
}

/// Lists the endpoint's models, or switches to `name`.
async fn choose_model(session: &mut Session, screen: &mut Screen, name: String) -> Result<After, Failure> {
    let lang = session.lang;
    if name.is_empty() {
        let models = tokio::select! {
            models = session.agent.chat().models(LIST_LIMIT) => models,
            Ok(()) = tokio::signal::ctrl_c() => return Ok(After::GoOn),
            code = asked_to_end() => return Ok(After::Leave(code)),
        };
        let models = match models {
            Ok(models) => models,
            Err(error) if error.has_no_list() => {
                screen.line(text::models_unlisted(lang));
                return Ok(After::GoOn);
            }
            Err(error) => return Err(Failure::chat(lang, &error)),
        };
        for model in &models {
            let mark = if *model == session.agent.model() { "*" } else { " " };
            screen.line(&format!("{mark} {}", one_line(model)));
        }
        session.models = models;
        return Ok(After::GoOn);
    }
    let lessons = session.learnt.lessons(&name);
    session.agent.set_model(name);
    session.agent.teach(&lessons);
    screen.line(&text::model_in_use(lang, &one_line(session.agent.model())));
    Ok(After::GoOn)
}

/// Memories shown by `/search`.
const SEARCH_LIMIT: usize = 10;

/// Shows what recall finds for `words`, with scores.
async fn search(session: &mut Session, screen: &mut Screen, words: &str) -> Result<(), Failure> {
    let lang = session.lang;
    if words.is_empty() {
        screen.warning(text::asks_nothing(lang));
        return Ok(());
    }
    let found = session
        .agent
        .search(words, SEARCH_LIMIT, now())
        .await
        .map_err(|error| Failure::store(lang, &error))?;
    if let Some(error) = found.problem {
        screen.event(&Event::NoVectors(&error));
    }
    show(screen, lang, session.agent.recall(), &found.hits);
    Ok(())
}

/// Deletes the user's long-term memories.
pub fn clear(session: &mut Session, screen: &mut Screen) -> Result<(), Failure> {
    let lang = session.lang;
    let count = session.agent.clear(now()).map_err(|error| Failure::store(lang, &error))?;
    screen.line(&text::cleared(lang, count));
    Ok(())
}
