//! Scripts: each line of stdin is a turn, or the whole of it belongs to one prompt.

use std::convert::Infallible;
use std::io::{self, BufRead, IsTerminal, Read};
use std::pin::pin;
use std::time::Duration;

use tokio::sync::mpsc;

use super::after::{After, Draft};
use super::code;
use super::command;
use super::encoding;
use super::failure::Failure;
use super::input::decode;
use super::quiet::asked_to_end;
use super::screen::Screen;
use super::turn;
use super::{Session, now};
use super::{owner, threads};
use crate::text;

/// Vectors made before a script leaves, where memories have none that can be compared.
const VECTORS: usize = 32;
/// A script that sends nothing for so long has time for other matters.
const PAUSE: Duration = Duration::from_secs(2);
/// Lines read ahead of the turn that is under way.
const READ_AHEAD: usize = 16;

/// Runs every line of stdin. The exit code is that of the first failure.
pub async fn run(session: &mut Session, screen: &mut Screen) -> Result<u8, Failure> {
    threads::begin(session, screen)?;
    let mut lines = read_lines();
    session.agent.prepare();
    let mut exit_code = code::OK;
    let mut number = 0;
    let mut end = pin!(asked_to_end());
    loop {
        let line = tokio::select! {
            line = lines.recv() => line,
            Ok(()) = tokio::signal::ctrl_c() => return Ok(code::INTERRUPTED),
            code = &mut end => return Ok(code),
            never = encode_in_pauses(session, screen) => match never {},
        };
        let Some(line) = line else {
            finish(session, screen).await;
            return Ok(exit_code);
        };
        number += 1;
        let line = line.map_err(|error| {
            Failure::plain(code::OTHER, &text::cannot_read_stdin(session.lang, &error.to_string()))
        })?;
        let line = decode(&line, number, session.lang, screen);
        let result = match turn::handle(session, screen, command::parse(&line)).await {
            Ok(After::Clear) => turn::clear(session, screen).map(|()| After::GoOn),
            Ok(After::ClearAll) => threads::clear_all(session, screen).map(|()| After::GoOn),
            Ok(After::DeleteThread(id)) => threads::delete(session, screen, &id).map(|()| After::GoOn),
            Ok(After::Type(Draft { replaces: Some(_), .. })) => {
                screen.warning(&text::usage(session.lang, "/edit-last new text"));
                Ok(After::GoOn)
            }
            Ok(After::Forget(doomed)) if doomed.by_id => {
                owner::forget_with_words(session, screen, &doomed).map(|()| After::GoOn)
            }
            Ok(After::Forget(doomed)) => {
                screen.warning(&text::only_by_id(session.lang, &doomed.short_id));
                Ok(After::GoOn)
            }
            result => result,
        };
        encoding::catch_up(session, screen).await;
        screen.check()?;
        if screen.is_gone() {
            return Ok(exit_code);
        }
        match result {
            Ok(After::Leave(code::OK)) => {
                finish(session, screen).await;
                return Ok(exit_code);
            }
            Ok(After::Leave(code)) => return Ok(code),
            Ok(After::Cancelled) => return Ok(code::INTERRUPTED),
            Ok(_) => {}
            Err(failure) => {
                screen.failure(&failure);
                exit_code = if exit_code == code::OK { failure.code } else { exit_code };
            }
        }
    }
}

/// Asks one thing and leaves. What is piped in belongs to the prompt.
pub async fn once(session: &mut Session, screen: &mut Screen, prompt: String) -> Result<u8, Failure> {
    let mut prompt = prompt;
    // What is piped in may name any file; only the person's own words attach one.
    turn::attach_named(session, screen, &prompt)?;
    threads::begin(session, screen)?;
    session.agent.prepare();
    if !io::stdin().is_terminal() {
        let mut piped = Vec::new();
        io::stdin().read_to_end(&mut piped).map_err(|error| {
            Failure::plain(code::OTHER, &text::cannot_read_stdin(session.lang, &error.to_string()))
        })?;
        let piped = decode(&piped, 1, session.lang, screen);
        if !piped.trim().is_empty() {
            prompt = format!("{prompt}\n\n{}", piped.trim_end());
        }
    }
    if prompt.trim().is_empty() {
        return Err(Failure::plain(code::USAGE, text::empty_prompt(session.lang)));
    }
    // A prompt from the command line is a message, also when it starts with a slash.
    let after = turn::send(session, screen, Draft::new(prompt.trim().to_owned())).await?;
    screen.check()?;
    match after {
        After::Leave(code) => Ok(code),
        After::Cancelled if !screen.is_gone() => Ok(code::INTERRUPTED),
        _ => {
            finish(session, screen).await;
            Ok(code::OK)
        }
    }
}

/// Encodes what was said, once no line has come for a while, and then waits for ever.
async fn encode_in_pauses(session: &mut Session, screen: &mut Screen) -> Infallible {
    tokio::time::sleep(PAUSE).await;
    loop {
        match session.agent.encoded(now).await {
            Ok(encoded) => {
                for encoded in &encoded {
                    screen.notice(&encoding::line(session.lang, encoded));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "not encoded");
                std::future::pending::<()>().await;
            }
        }
    }
}

/// What is left to do before a script leaves.
async fn finish(session: &mut Session, screen: &mut Screen) {
    encoding::finish(session, screen).await;
    make_vectors(session).await;
}

/// Makes a few of the vectors that are missing, so that scripts get there in time too.
async fn make_vectors(session: &mut Session) {
    let made = tokio::select! {
        made = session.agent.renew_vectors(VECTORS) => made,
        _ = tokio::signal::ctrl_c() => return,
        _ = asked_to_end() => return,
    };
    if let Err(error) = made {
        tracing::debug!(%error, "no vectors made");
    }
}

/// Reads stdin on a thread of its own, because a blocked read cannot be cancelled.
fn read_lines() -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let item = match stdin.read_until(b'\n', &mut line) {
                Ok(0) => return,
                Ok(_) => Ok(line),
                Err(error) => Err(error),
            };
            let failed = item.is_err();
            if sender.blocking_send(item).is_err() || failed {
                return;
            }
        }
    });
    receiver
}
