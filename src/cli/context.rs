//! What is sent and what it costs, for the user to see: `/context`, `/usage`, `/compact`, `/copy`.

use std::cell::RefCell;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::after::After;
use super::failure::Failure;
use super::quiet::asked_to_end;
use super::screen::Screen;
use super::{Session, now};
use crate::agent::{Compaction, Event, Known, Parts};
use crate::chat::Cancel;
use crate::render::{one_line, plain};
use crate::text;
use crate::thread::Spent;

/// Says what will be sent with the next message.
pub fn show(session: &mut Session, screen: &mut Screen) {
    let lang = session.lang;
    let Parts { persona, summary, memories, tools, turns, summarised, context } = session.agent.parts(now());
    let total = persona + summary + memories + tools + turns.1;
    let parts = [
        ("persona", persona, String::new()),
        ("tools", tools, String::new()),
        ("summary", summary, String::new()),
        ("memories", memories, String::new()),
        ("turns", turns.1, format!(" ({})", text::turns(lang, turns.0))),
        ("total", total, String::new()),
    ];
    for (name, tokens, more) in parts {
        screen.line(&format!("{tokens:>7}  {}{more}", text::part_name(lang, name)));
    }
    match context {
        Some((length, known)) => screen.line(&text::context_known(lang, length, name_of(known))),
        None => screen.line(text::context_unknown(lang)),
    }
    let words = session.agent.thread().summary().map(|summary| summary.content.clone()).unwrap_or_default();
    if summarised > 0 && !words.is_empty() {
        screen.line(&text::summary_heading(lang, summarised));
        screen.line(&plain(&words));
    }
}

fn name_of(known: Known) -> &'static str {
    match known {
        Known::Set => "set",
        Known::Named => "named",
        Known::Listed => "listed",
        Known::Refused => "refused",
        Known::Usual => "usual",
    }
}

/// Says what the last turn and the thread have cost.
pub fn usage(session: &Session, screen: &mut Screen) {
    let lang = session.lang;
    let (turn, thread) = (session.agent.spent(), session.agent.thread().spent());
    if thread.prompt_tokens == 0 {
        screen.line(text::usage_unknown(lang));
        return;
    }
    for (of, spent) in [("turn", turn), ("thread", thread)] {
        let Spent { requests, prompt_tokens, cached_tokens, completion_tokens } = spent;
        let cost = session.price.map(|price| price.of(prompt_tokens, cached_tokens, completion_tokens));
        let cost = cost.map(|cost| text::cost(lang, cost)).unwrap_or_default();
        let line = text::usage_line(lang, of, prompt_tokens, cached_tokens, completion_tokens, requests);
        screen.line(&format!("{line}{cost}"));
    }
}

/// Condenses the older turns now. Ctrl-C cancels it.
pub async fn compact(session: &mut Session, screen: &mut Screen, focus: &str) -> After {
    let lang = session.lang;
    let (canceller, mut cancel) = Cancel::pair();
    let outcome = {
        let screen = RefCell::new(&mut *screen);
        let mut sink = |event: Event<'_>| screen.borrow_mut().event(&event);
        let mut work = std::pin::pin!(session.agent.compact_now(focus, now(), &mut cancel, &mut sink));
        loop {
            tokio::select! {
                outcome = &mut work => break outcome,
                _ = tokio::signal::ctrl_c() => canceller.cancel(),
                code = asked_to_end() => return After::Leave(code),
            }
        }
    };
    match outcome {
        Compaction::Nothing => screen.line(text::nothing_to_compact(lang)),
        Compaction::Cancelled => return After::Cancelled,
        Compaction::Done => {
            let words = session.agent.thread().summary().map(|summary| summary.content.clone());
            screen.line(&plain(&words.unwrap_or_default()));
        }
        Compaction::Failed(error) => {
            screen.warning(&text::not_compacted(lang, &one_line(&error.sentence(lang))));
        }
    }
    After::GoOn
}

/// Copies the last answer, or one of its code blocks: to the clipboard of a terminal (OSC 52), or to stdout.
pub fn copy(session: &Session, screen: &mut Screen, words: &str) -> Result<(), Failure> {
    let lang = session.lang;
    let answer = session.agent.thread().live().rev().find_map(|entry| entry.turn());
    let Some(answer) = answer.map(|turn| turn.answer().to_owned()) else {
        screen.line(text::no_answer_yet(lang));
        return Ok(());
    };
    let copied = match words {
        "" => answer,
        words => {
            let blocks = code_blocks(&answer);
            let number = words.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            match number.and_then(|number| blocks.get(number)) {
                Some(block) => block.clone(),
                None => {
                    screen.warning(&text::no_code_block(lang, blocks.len()));
                    return Ok(());
                }
            }
        }
    };
    let copied = plain(&copied);
    if !screen.is_interactive() {
        screen.line(&copied);
        return Ok(());
    }
    screen.clipboard(&STANDARD.encode(copied.as_bytes()));
    screen.line(&text::copied(lang, copied.chars().count()));
    Ok(())
}

/// What stands between code fences.
fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, Vec<&str>)> = None;
    for line in text.lines() {
        let bare = line.trim_start();
        let fence: String = bare.chars().take_while(|mark| matches!(mark, '`' | '~')).collect();
        match &mut open {
            Some((opened, lines)) if fence.starts_with(opened.as_str()) && bare.trim_end() == fence => {
                blocks.push(lines.join("\n"));
                open = None;
            }
            Some((_, lines)) => lines.push(line),
            None if fence.len() >= 3 => open = Some((fence, Vec::new())),
            None => {}
        }
    }
    // An answer that was cut leaves its last block open.
    blocks.extend(open.map(|(_, lines)| lines.join("\n")));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_blocks_are_found() {
        let text = "a\n```rust\nfn x() {}\n```\nb\n````\n```\ninner\n```\n````\n~~~\nlast";
        assert_eq!(code_blocks(text), ["fn x() {}", "```\ninner\n```", "last"]);
        assert_eq!(code_blocks("none `here`"), Vec::<String>::new());
    }
}
