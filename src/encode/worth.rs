//! A cheap local rule: does a user's message hold anything lasting that might be worth remembering?
//!
//! It saves a request to a model where there is nothing. A needless request costs little and a false skip
//! loses a fact, so only a message of which every clause is *known* to hold nothing is skipped; whatever
//! nobody foresaw is kept. Only the person's own words count: no fences, no quotes, no pasted code, not the
//! text that is to be translated or summarised.
//!
//! Each clause is judged by [`zh`] or [`en`], by its script. Absent: other languages (kept), the turns
//! before (a bare "yes" is kept, for it may answer a question), and what the lasting thing is.

mod en;
mod zh;

use crate::encode::words::{fold, is_han, within};

/// Own words beyond this are too many to judge: kept.
const MOST: usize = 8000;

/// Why a message holds nothing to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// No words at all.
    Blank,
    Greeting,
    Question,
    /// Something to be done once.
    Request,
    /// Code, what a machine printed, or numbers.
    Code,
    /// "ok", "thanks", "haha", an emoji.
    Reaction,
}

impl Skip {
    pub fn name(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::Greeting => "greeting",
            Self::Question => "question",
            Self::Request => "request",
            Self::Code => "code",
            Self::Reaction => "reaction",
        }
    }

    /// Of two reasons the one that says more about the message.
    fn weight(self) -> u8 {
        match self {
            Self::Blank => 0,
            Self::Reaction => 1,
            Self::Greeting => 2,
            Self::Code => 3,
            Self::Question | Self::Request => 4,
        }
    }
}

/// What a clause holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Something lasting, or something nobody foresaw.
    Keep,
    Skip(Skip),
    /// Nothing, beside a question or a request: "in Rust", "if a number is even".
    Topic,
    /// Nothing, beside a question.
    Aside,
}

/// Why the message holds nothing lasting, or `None` where it may.
pub fn skip(message: &str) -> Option<Skip> {
    let (own, has_code) = own_words(message)?;
    let mut reason = if has_code { Skip::Code } else { Skip::Blank };
    for (sentence, asks) in sentences(&own) {
        let found = judge(&sentence, asks)?;
        if found.weight() > reason.weight() {
            reason = found;
        }
    }
    let is_picture = |character: char| matches!(u32::from(character), 0x2190..=0x2bff | 0x1f000..=0x1faff);
    if reason == Skip::Blank && message.chars().any(is_picture) {
        reason = Skip::Reaction;
    }
    Some(reason)
}

/// What the person wrote, folded, and whether there was code around it. `None` where it is too long.
fn own_words(message: &str) -> Option<(String, bool)> {
    let (mut own, mut length, mut has_code) = (String::new(), 0, false);
    let (mut fenced, mut after_code) = (false, false);
    let mut fences = message.lines().filter(|line| is_fence(line)).count();
    for line in message.lines() {
        let bare = line.trim();
        if is_fence(bare) {
            // The last one of an odd number closes nothing, and hides nothing.
            fences -= 1;
            fenced = !fenced && fences > 0;
            has_code = true;
            continue;
        }
        if fenced || is_quote(bare) {
            continue;
        }
        after_code = !bare.is_empty() && (is_code(bare) || after_code && line.starts_with([' ', '\t']));
        if after_code {
            has_code = true;
            continue;
        }
        // Of a text that is too long, only the beginning can say that it is somebody else's.
        length += bare.len();
        if length <= 4 * MOST {
            own.push_str(&fold(bare));
            own.push('\n');
        }
    }
    let own = without_material(&own);
    let too_long = length > 4 * MOST && own.len() > MOST || own.chars().nth(MOST).is_some();
    (!too_long).then_some((own, has_code))
}

/// Whether a line opens or closes a block of code.
fn is_fence(line: &str) -> bool {
    let mark = ["```", "~~~"].into_iter().find_map(|mark| line.trim().strip_prefix(mark));
    mark.is_some_and(|rest| !rest.contains("``") && !rest.contains(' '))
}

/// Whether a line quotes somebody, and is not "more than".
fn is_quote(line: &str) -> bool {
    line.strip_prefix('>')
        .is_some_and(|rest| !rest.starts_with(|next: char| next == '=' || next.is_ascii_digit()))
}

/// The words without the text that they ask to translate, summarise, correct …
fn without_material(own: &str) -> String {
    let own = own.trim();
    let is_task =
        |head: &str, text: &str| zh::is_about_material(head, text) || en::is_about_material(head, text);
    let (first, below) = own.split_once('\n').unwrap_or((own, ""));
    let head = match first.split_once(':') {
        Some((head, text)) if is_task(head, text) && is_task(head, below) => head,
        _ if !below.is_empty() && is_task(first, below) => first,
        _ => return own.to_owned(),
    };
    // Below the text there may be more of the person's own.
    match own.rsplit_once("\n\n") {
        Some((above, last))
            if above.trim_end_matches([':', '\n']).len() > head.len() && !last.contains('\n') =>
        {
            format!("{head}\n{last}")
        }
        _ => head.to_owned(),
    }
}

/// Whether a line is code, what a machine printed, or numbers.
fn is_code(line: &str) -> bool {
    const OPENERS: &str = "Traceback (|File \"|#include|#!|import {|from .|SELECT |INSERT INTO|UPDATE |DELETE FROM|\
        CREATE TABLE|$ |# apt|error[|error: |warning: |Error: |fatal: |Exception in|Caused by|//|/*|*/|</|<?|<!|<div|\
        <html|{|}|[{|]|)|def |class |func |fn |pub fn |impl |public |private |static |const |var |let mut |--> |==> |\
        at java|at Object|drwx|-rw-|npm ERR!|INFO |WARN |ERROR |DEBUG |Compiling |Finished |thread '|goroutine ";
    const CLOSERS: &str = "{|}|};|);|)|]|],|},|/>|):|;|\">|('|\"|')|,";
    if is_number(line) {
        return !is_cheer(line);
    }
    // Where somebody speaks it is not code, or not only.
    if line.contains('我') || en::speaks(&line.to_ascii_lowercase()) {
        return false;
    }
    let opens = crate::encode::words::begins(line, OPENERS).is_some();
    let closes = crate::encode::words::ends(line, CLOSERS);
    let name = line.split_whitespace().next().unwrap_or_default();
    let is_problem = name.ends_with("Error:") || name.ends_with("Exception:");
    let symbols = line.chars().filter(|character| "=(){}[];<>|$\"".contains(*character)).count();
    let is_call = line.ends_with(')') && line.split_once('(').is_some_and(|(name, _)| is_name(name));
    is_problem
        || is_call
        || symbols >= 2 && closes && (opens || within(line, "=|()|({|]("))
        || is_output(line, opens)
}

/// Whether a line begins as no person's would.
fn is_output(line: &str, opens: bool) -> bool {
    const CERTAIN: &str = "Traceback (|File \"|#include|#!|SELECT |INSERT INTO|DELETE FROM|CREATE TABLE|$ |error[|npm ERR!|\
        Exception in thread|Caused by: |//|/*|*/|</|<?|<!|<div|<html|}|])|drwx|-rw-|--> |thread '|goroutine ";
    const COMMANDS: &str = "sudo |git push|git pull|git commit|git add|git clone|git checkout|git status|git log|npm install|npm run|\
        cargo build|cargo run|cargo test|pip install|docker run|docker ps|kubectl get|curl -|curl http|cd /|cd ..|ls -|mkdir ";
    crate::encode::words::begins(line, COMMANDS).is_some() && line.is_ascii()
        || opens
            && (crate::encode::words::begins(line, CERTAIN).is_some()
                || line.ends_with('{')
                || matches!(line, "{" | "[" | "]" | ")"))
}

/// Whether a text is the dotted name of something in a program.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|character| character.is_ascii_alphanumeric() || "._:!".contains(character))
}

/// Whether a line is numbers and arithmetic only. A lone long number or a date is none: it may be an answer.
fn is_number(line: &str) -> bool {
    let digits = line.chars().filter(char::is_ascii_digit).count();
    let signs = |wanted: &str| line.chars().filter(|character| wanted.contains(*character)).count();
    let calculates = signs("+*/^%=()×÷") > 0 && !line.starts_with('+') || signs("-") == 1;
    digits > 0
        && line.chars().all(|character| character.is_ascii_digit() || " .,+-*/^%=()×÷?？".contains(character))
        && (digits < 6 || calculates)
}

/// Whether a number is a Chinese reaction.
fn is_cheer(line: &str) -> bool {
    line == "6" || line.starts_with("66") && line.chars().all(|digit| digit == '6') || line.starts_with("233")
}

/// The sentences of a text, and whether each ends as a question.
fn sentences(text: &str) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    let mut sentence = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let ends = match character {
            '?' | '!' | '。' | '\n' | ';' | '…' => true,
            '.' => characters.peek().is_none_or(|next| next.is_whitespace()),
            _ => false,
        };
        if !ends {
            sentence.push(character);
        } else if sentence.chars().any(char::is_alphanumeric) {
            all.push((std::mem::take(&mut sentence), character == '?'));
        } else {
            sentence.clear();
        }
    }
    if sentence.chars().any(char::is_alphanumeric) {
        all.push((sentence, false));
    }
    all
}

/// A sentence without the words in its quotation marks, if others remain.
fn without_quotes(sentence: &str) -> String {
    let mut outside = String::new();
    let mut closing = None;
    for character in sentence.chars() {
        match (closing, character) {
            (Some(mark), _) if character == mark => closing = None,
            (Some(_), _) => {}
            (None, '"') => closing = Some('"'),
            (None, '“') => closing = Some('”'),
            (None, '「') => closing = Some('」'),
            (None, '《') => closing = Some('》'),
            (None, _) => outside.push(character),
        }
    }
    if closing.is_none() && outside.chars().any(char::is_alphanumeric) {
        outside
    } else {
        sentence.to_owned()
    }
}

/// Why a sentence holds nothing lasting, or `None` where it may.
fn judge(sentence: &str, asks: bool) -> Option<Skip> {
    let breaks = [',', ':', '(', ')', '—', '~', '"', '“', '”', '《', '》'];
    let sentence = without_quotes(sentence);
    let has_words = |clause: &&str| clause.chars().any(char::is_alphanumeric);
    let mut clauses = sentence.split(breaks).map(str::trim).filter(has_words).peekable();
    let (mut reason, mut leans_on_any, mut leans_on_question) = (Skip::Blank, false, false);
    while let Some(clause) = clauses.next() {
        let asks = asks && clauses.peek().is_none();
        match verdict(clause, asks) {
            Verdict::Keep => return None,
            Verdict::Topic => leans_on_any = true,
            Verdict::Aside => leans_on_question = true,
            Verdict::Skip(found) if found.weight() > reason.weight() => reason = found,
            Verdict::Skip(_) => {}
        }
    }
    let holds = match reason {
        Skip::Question => true,
        Skip::Request => !leans_on_question,
        _ => !leans_on_any && !leans_on_question,
    };
    holds.then_some(reason)
}

/// What a clause holds; `asks` where a question mark follows it.
fn verdict(clause: &str, asks: bool) -> Verdict {
    let is_foreign = |character: char| {
        character.is_alphabetic() && !character.is_ascii() && !is_han(character) && character > '\u{24f}'
    };
    if clause.chars().any(is_foreign) {
        Verdict::Keep
    } else if is_cheer(clause) {
        Verdict::Skip(Skip::Reaction)
    } else if is_number(clause) {
        Verdict::Skip(Skip::Code)
    } else if clause.chars().any(is_han) {
        zh::judge(clause, asks)
    } else {
        en::judge(clause, asks)
    }
}

#[cfg(test)]
mod tests;
