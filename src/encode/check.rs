//! The check of a proposal: what the user did not say is not remembered.
//!
//! A proposal has to rest on words of the user, speak their language, be about whom the words speak of, hold no
//! secret, and name no date and no thing that was not said. Times that words name are computed here, never by
//! the model. Each refusal has its reason.

use std::collections::HashSet;

use chrono::{DateTime, Local};

use super::days::{dated, without_days};
use super::draft::upsert;
use super::proposal::{Kind, Proposal};
use super::said::{Said, find_quote, script_of_said};
use super::settle::{Checked, marks, slot};
use super::wording::{
    Script, asks, brings_in, corrects, first_person, is_assistant, is_grounded, is_no_more, is_past, is_user,
    script, third_person, turns_round, words,
};
use super::{Whom, quoted, secrets, whom, worth};
use crate::memory::{Evidence, Governance, MemoryType, Source, Upsert, offset_time};
use crate::relation;
use crate::search::normal;

/// Longest content and quote of a memory that is encoded, in characters.
const CONTENT_LIMIT: usize = 300;
const QUOTE_LIMIT: usize = 600;
/// Words from which on a message says for itself what it says.
const WORDY: usize = 6;
/// Importance up to which a proposal is not worth a memory.
const TRIVIAL: u8 = 2;

/// What a proposal is held against.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The messages of the user, each with its time, oldest first.
    pub messages: &'a [(&'a str, DateTime<Local>)],
    /// Names of people and things that memories are about.
    pub known: &'a HashSet<String>,
    /// What the model was shown of memories: it may take names from there.
    pub shown: &'a str,
    /// Hashes of what the user had forgotten.
    pub forgotten: &'a HashSet<&'a str>,
}

/// Why a proposal is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Empty,
    TooLong,
    Trivial,
    /// There is no quote, or the user has not said it.
    NotSaid,
    /// The quote is somebody else's text.
    NotTheUsersWords,
    Question,
    Hypothetical,
    AboutAssistant,
    WrongSubject,
    UnknownSubject,
    WrongLanguage,
    /// The content says something that the quote does not.
    Invented,
    InventedDate,
    Forgotten,
}

impl Refusal {
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too long",
            Self::Trivial => "trivial",
            Self::NotSaid => "not said by the user",
            Self::NotTheUsersWords => "somebody else's words",
            Self::Question => "a question",
            Self::Hypothetical => "hypothetical",
            Self::AboutAssistant => "about the assistant",
            Self::WrongSubject => "about somebody else",
            Self::UnknownSubject => "about nobody named",
            Self::WrongLanguage => "in another language",
            Self::Invented => "invented",
            Self::InventedDate => "an invented date",
            Self::Forgotten => "forgotten by the user",
        }
    }
}

/// Checks a proposal.
pub fn check(proposal: &Proposal, context: &Context<'_>) -> Result<Checked, Refusal> {
    let proposal = &proposal.redacted();
    if proposal.content.is_empty() || normal(&proposal.content).is_empty() {
        return Err(Refusal::Empty);
    }
    if proposal.content.chars().count() > CONTENT_LIMIT || proposal.quote.chars().count() > QUOTE_LIMIT {
        return Err(Refusal::TooLong);
    }
    if proposal.importance.is_some_and(|importance| importance <= TRIVIAL) {
        return Err(Refusal::Trivial);
    }
    let said = find_quote(&proposal.quote, context.messages).ok_or(Refusal::NotSaid)?;
    let review = voice(&said, proposal)?;
    if script(&proposal.content) != script_of_said(&said) {
        return Err(Refusal::WrongLanguage);
    }
    if review {
        if is_forgotten(&Upsert::fact(proposal.content.clone()), context) {
            return Err(Refusal::Forgotten);
        }
        let upsert = upsert(proposal, &proposal.content, None, &said, None);
        let place = (said.number, said.place.start);
        return Ok(Checked { upsert, negated: false, corrects: false, place, review });
    }
    let about = subject(proposal, &said, context)?;
    let now = said.time.naive_local();
    let clause = said.clause();
    let content = of_user(&third_person(&proposal.content), about.as_deref(), &said, context.shown);
    let misheard = turns_round(&content, clause)
        || (is_past(clause) && !is_past(&content))
        || !has_object(proposal, &said);
    let told = without_days(&content, now);
    if !is_grounded(&told, said.message, context.shown) || (misheard && proposal.kind != Kind::Conduct) {
        return Err(Refusal::Invented);
    }
    let (content, date) =
        dated(content, &proposal.when, said.quote, said.message, now).ok_or(Refusal::InventedDate)?;
    let upsert = upsert(proposal, &content, date, &said, about);
    if is_forgotten(&upsert, context) {
        return Err(Refusal::Forgotten);
    }
    let negated = is_no_more(said.quote) || slot(&upsert.content, None).is_some_and(|slot| slot.negated);
    let place = (said.number, said.place.start);
    Ok(Checked { upsert, negated, corrects: corrects(said.sentence()), place, review })
}

/// A content about the user that calls them by the name they have given, told of the user instead.
fn of_user(content: &str, about: Option<&str>, said: &Said<'_>, shown: &str) -> String {
    if about != Some("user") || whom(said.quote) != Whom::User {
        return content.to_owned();
    }
    match script(content) {
        Script::Chinese => {
            let is_name = |letter: &char| !said.message.contains(*letter) && !"用户".contains(*letter);
            let name: String = content.chars().take_while(is_name).collect();
            let rest = content.strip_prefix(&name).unwrap_or(content);
            let known = name.chars().count() >= 2 && shown.contains(&name) && !rest.is_empty();
            if known { format!("用户{rest}") } else { content.to_owned() }
        }
        Script::Other(_) => {
            let (name, rest) = content.split_once(' ').unwrap_or((content, ""));
            let bare = name.trim_end_matches("'s");
            let known = bare != "The" && !said.message.contains(bare) && shown.contains(bare);
            match known && !rest.is_empty() {
                true if name.ends_with("'s") => format!("The user's {rest}"),
                true => format!("The user {rest}"),
                false => content.to_owned(),
            }
        }
    }
}

fn is_forgotten(upsert: &Upsert, context: &Context<'_>) -> bool {
    let marks = marks(&upsert.content, upsert.governance.fact.as_ref());
    marks.iter().any(|mark| context.forgotten.contains(mark.as_str()))
}

/// Whether the user has said what the content has of the triple's object; it may be the user, or a day.
fn has_object(proposal: &Proposal, said: &Said<'_>) -> bool {
    let now = said.time.naive_local();
    let content = words(&proposal.content);
    let object = words(&without_days(&proposal.object, now));
    let of_user = words(said.message);
    let told: Vec<&String> = object.iter().filter(|word| content.contains(*word)).collect();
    let found = told.iter().filter(|word| of_user.contains(**word)).count();
    found * 2 >= told.len() || is_user(&proposal.object) || is_assistant(&proposal.object)
}

/// Checks what the model would write by its tool: it may be worded freely, but not in another language than the
/// user's `message`, and not with names, numbers or things that are neither in what they have `said` nor in what
/// was `shown`. A message of a few words may stand for anything.
pub fn check_tool(content: &str, message: &str, said: &str, shown: &str) -> Result<(), Refusal> {
    if words(message).len() < WORDY {
        return Ok(());
    }
    if script(content) != script(message) {
        return Err(Refusal::WrongLanguage);
    }
    if brings_in(content, said, shown) { Err(Refusal::Invented) } else { Ok(()) }
}

/// Checks the sentence on what happened in a turn, which rests on all that the user said in it.
pub fn check_episode(episode: &str, context: &Context<'_>) -> Result<Checked, Refusal> {
    let Some((message, time)) = context.messages.last().copied() else { return Err(Refusal::NotSaid) };
    let all: Vec<&str> = context.messages.iter().map(|(message, _)| *message).collect();
    let all = all.join("\n");
    if normal(episode).is_empty() {
        return Err(Refusal::Empty);
    }
    if episode.chars().count() > CONTENT_LIMIT {
        return Err(Refusal::TooLong);
    }
    if script(episode) != script(&all) {
        return Err(Refusal::WrongLanguage);
    }
    if !is_grounded(&without_days(episode, time.naive_local()), &all, context.shown) {
        return Err(Refusal::Invented);
    }
    let content = secrets::clean(episode);
    let start: String = message.chars().take(QUOTE_LIMIT).collect();
    let quote = secrets::clean(&start);
    let governance = Governance {
        source: Source::Extracted,
        evidence: Some(Evidence { quote, ..Evidence::default() }),
        valid_from: Some(offset_time(time)),
        ..Governance::default()
    };
    let upsert =
        Upsert { memory_type: MemoryType::Episodic, governance, ..Upsert::fact(third_person(&content)) };
    if is_forgotten(&upsert, context) {
        return Err(Refusal::Forgotten);
    }
    let place = (context.messages.len(), 0);
    Ok(Checked { upsert, negated: false, corrects: false, place, review: false })
}

/// Whether the words are the user's own, and a statement. `Ok(true)`: only with the user's leave.
fn voice(said: &Said<'_>, proposal: &Proposal) -> Result<bool, Refusal> {
    if quoted::is_quoted(said.message, said.quote) {
        let instruction = proposal.kind == Kind::Conduct
            || quoted::is_instruction(said.quote)
            || quoted::is_instruction(&proposal.content);
        return if instruction { Ok(true) } else { Err(Refusal::NotTheUsersWords) };
    }
    if worth::skip(said.clause()) == Some(worth::Skip::Question)
        || (proposal.kind != Kind::Conduct && asks(said.clause()))
    {
        return Err(Refusal::Question);
    }
    if proposal.kind != Kind::Conduct && is_hypothetical(said) {
        return Err(Refusal::Hypothetical);
    }
    Ok(false)
}

const HYPOTHETICAL: [&str; 14] = [
    "如果",
    "假如",
    "假设",
    "要是",
    "倘若",
    "万一",
    "if i ",
    "if we ",
    "if my ",
    "suppose ",
    "imagine ",
    "what if",
    "let's say",
    "hypothetically",
];

/// Whether the sentence that the quote stands in only supposes something up to there.
fn is_hypothetical(said: &Said<'_>) -> bool {
    let sentence = said.sentence();
    let supposed = sentence.find(said.quote).and_then(|place| sentence.get(..place + said.quote.len()));
    let words = supposed.unwrap_or(sentence).to_lowercase();
    HYPOTHETICAL.iter().any(|marker| words.contains(marker))
}

/// Whom the memory is about: `user`, or a name; `None` where it is somebody else's and no triple should say so.
fn subject(proposal: &Proposal, said: &Said<'_>, context: &Context<'_>) -> Result<Option<String>, Refusal> {
    let speaks_of = speaks_of(said);
    let named = normal(&proposal.subject);
    let conduct = proposal.kind == Kind::Conduct;
    if !conduct && (is_assistant(&proposal.subject) || speaks_of == Whom::Assistant) {
        return Err(Refusal::AboutAssistant);
    }
    if conduct || named.is_empty() || is_user(&proposal.subject) {
        let Whom::Other(other) = speaks_of else { return Ok((!conduct).then(|| "user".to_owned())) };
        // The triple would make the friend's the user's.
        let about_user = whom(&first_person(&proposal.content)) == Whom::User;
        let other = normal(without_owner(&other));
        let told = normal(&proposal.content).contains(&other) || names_kin(&proposal.content, &other);
        let says_so = told && (!about_user || has(&proposal.content));
        return if says_so { Ok(None) } else { Err(Refusal::WrongSubject) };
    }
    let bare = normal(without_owner(&proposal.subject));
    let is_named = normal(said.message).contains(&bare) || context.known.contains(&bare);
    if bare.is_empty() || !is_named {
        return Err(Refusal::UnknownSubject);
    }
    // "I am Dana's manager" says nothing of who manages the user.
    let quote = normal(said.quote);
    let is_theirs = [format!("我是{bare}的"), format!("iam{bare}s"), format!("im{bare}s")];
    if is_theirs.iter().any(|turned| quote.contains(turned)) {
        return Err(Refusal::WrongSubject);
    }
    Ok(Some(proposal.subject.clone()))
}

/// Whom the quote speaks of; where it has no subject, the one of its sentence.
fn speaks_of(said: &Said<'_>) -> Whom {
    let clause = said.clause();
    let words = clause.to_lowercase();
    let mut parts = words.split(|letter: char| !letter.is_alphanumeric());
    let first_person =
        words.contains('我') || parts.any(|word| ["i", "my", "me", "we", "our"].contains(&word));
    let of_clause = whom(clause);
    match whom(said.sentence()) {
        other @ Whom::Other(_) if !first_person && of_clause != Whom::Assistant => other,
        _ => of_clause,
    }
}

/// Whether a content calls somebody by another word for what they are: `妻子` for `老婆`, `mother` for `mum`.
fn names_kin(content: &str, word: &str) -> bool {
    let Some(kin) = relation::kin_in(word) else { return false };
    let content = content.to_lowercase();
    let mut names = kin.aliases.iter().chain([&kin.name]);
    names.any(|name| name.chars().count() > 1 && content.contains(name))
}

/// Whether a content says that the user has somebody.
fn has(content: &str) -> bool {
    const HAS: [&str; 6] = ["有", "认识", " has ", " have ", " knows ", " know "];
    HAS.iter().any(|word| content.contains(word))
}

/// `用户的姐姐` and `my sister` without whose she is.
fn without_owner(subject: &str) -> &str {
    const OWNERS: [&str; 9] =
        ["用户的", "我的", "用户", "我", "the user's ", "The user's ", "user's ", "my ", "My "];
    let subject = subject.trim();
    OWNERS.iter().find_map(|owner| subject.strip_prefix(owner)).unwrap_or(subject)
}
