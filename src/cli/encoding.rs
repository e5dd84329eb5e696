//! Encoding, seen from the shell: what it says, and the wait for it before the program leaves.

use std::time::Duration;

use super::quiet::asked_to_end;
use super::screen::Screen;
use super::{Session, now};
use crate::agent::{Agent, Encoded};
use crate::render::one_line;
use crate::text::{self, Lang};

/// How long leaving may wait. What is not done by then is done at the next start.
const LAST_WAIT: Duration = Duration::from_secs(60);

/// What came of a turn, for the user.
pub fn line(lang: Lang, encoded: &Encoded) -> String {
    match encoded {
        Encoded::Remembered { short_id, content } => text::remembered(lang, short_id, &one_line(content)),
        Encoded::Superseded { old, new, content } => text::superseded(lang, old, new, &one_line(content)),
        Encoded::Failing => text::encode_fails(lang).to_owned(),
        Encoded::Queued { content } => text::queued(lang, &one_line(content)),
    }
}

/// Encodes what waits, before the program leaves; Ctrl-C, a signal or time ends the wait.
pub async fn finish(session: &mut Session, screen: &mut Screen) {
    if screen.is_interactive() && session.agent.has_to_encode() {
        screen.notice(text::finishing(session.lang));
    }
    work_off(session, screen, Agent::has_to_encode).await;
    if session.agent.has_to_encode() {
        screen.notice(text::left_for_later(session.lang));
    }
}

/// Encodes what waits, if that has become much.
pub async fn catch_up(session: &mut Session, screen: &mut Screen) {
    work_off(session, screen, Agent::has_much_to_encode).await;
}

async fn work_off(session: &mut Session, screen: &mut Screen, more: fn(&Agent) -> bool) {
    if !more(&session.agent) {
        return;
    }
    let lang = session.lang;
    let work = async {
        while more(&session.agent) {
            match session.agent.encoded(now).await {
                Ok(encoded) => encoded.iter().for_each(|encoded| screen.notice(&line(lang, encoded))),
                Err(error) => {
                    tracing::warn!(%error, "not encoded");
                    return;
                }
            }
        }
    };
    tokio::select! {
        () = work => {}
        () = tokio::time::sleep(LAST_WAIT) => {}
        _ = tokio::signal::ctrl_c() => {}
        _ = asked_to_end() => {}
    }
}
