//! A checked proposal as the memory it would be, and what of its triple can be believed.

use chrono::{Local, TimeZone};

use super::days::recurs;
use super::proposal::Proposal;
use super::said::Said;
use super::secrets;
use super::settle::slot;
use super::wording::{bears_out, is_assistant, is_no_more, is_past, is_user, words};
use crate::dates::When;
use crate::memory::{Evidence, Fact, Governance, Source, Upsert, offset_time};
use crate::relation;
use crate::search::normal;

/// The memory that a checked proposal would be.
pub fn upsert(
    proposal: &Proposal,
    content: &str,
    date: Option<When>,
    said: &Said<'_>,
    about: Option<String>,
) -> Upsert {
    let content = secrets::clean(content);
    let time = |when: When| {
        let time = match when {
            When::Day(day) => day.and_hms_opt(0, 0, 0)?,
            When::Minute(time) => time,
        };
        Local.from_local_datetime(&time).earliest().map(offset_time)
    };
    let date = date.filter(|_| !recurs(&proposal.relation) && !recurs(&content));
    let context = match date {
        Some(when) if !content.contains(&when.to_string()) => when.to_string(),
        _ => String::new(),
    };
    let fact = about.and_then(|subject| fact(proposal, subject, &content, said));
    let governance = Governance {
        source: Source::Extracted,
        confidence: proposal.confidence,
        importance: proposal.importance,
        fact,
        evidence: Some(Evidence { quote: secrets::clean(said.quote), ..Evidence::default() }),
        valid_from: date.and_then(time),
        ..Governance::default()
    };
    Upsert { context, memory_type: proposal.kind.memory_type(), governance, ..Upsert::fact(content) }
}

/// The triple: as the content itself says it in a usual form, or as proposed, if the user said the object.
fn fact(proposal: &Proposal, subject: String, content: &str, said: &Said<'_>) -> Option<Fact> {
    let no_more = is_no_more(said.quote);
    if !no_more && (is_past(said.clause()) || is_past(content)) {
        return None;
    }
    if content.contains(secrets::MARK) {
        return None;
    }
    if let Some(read) = slot(content, None).filter(|read| !read.negated) {
        // "coffee these days" is coffee, and "a dog called Biscuit" is Biscuit.
        let proposed = normal(&proposal.object);
        let many = !relation::is_single(&read.relation);
        let shorter = many && !proposed.is_empty() && normal(&read.object).contains(&proposed);
        return Some(Fact {
            subject: read.subject,
            subject_type: proposal.subject_type.clone(),
            relation: read.relation,
            object: if shorter { proposal.object.clone() } else { read.object },
            object_type: proposal.object_type.clone(),
        });
    }
    let plain = said.quote.split([',', '，', '；', ';', '。']).find_map(relation::read);
    if let Some(read) = plain.filter(|read| !read.negated && is_user(&read.subject) && is_user(&subject)) {
        let (subject, relation, object) = (read.subject, read.relation.to_owned(), read.object);
        return Some(Fact { subject, relation, object, ..Fact::default() });
    }
    // A secret is known by the words around it, which the object alone does not have.
    if said.quote.contains(secrets::MARK) && !normal(said.quote).contains(&normal(&proposal.object)) {
        return None;
    }
    let (object_words, of_user) = (words(&proposal.object), words(said.message));
    if object_words.iter().filter(|word| of_user.contains(*word)).count() * 2 < object_words.len() {
        return None;
    }
    let left =
        ["from ", "left ", "从", "离开"].map(|word| format!("{word}{}", proposal.object.to_lowercase()));
    let is_left = left.iter().any(|left| said.quote.to_lowercase().contains(left));
    if is_left && relation::is_single(&proposal.relation) && relation::canonical(&proposal.relation) != "from"
    {
        return None;
    }
    let is_borne_out = bears_out(&relation::canonical(&proposal.relation), said.sentence());
    if !is_borne_out || is_assistant(&proposal.object) {
        return None;
    }
    (!proposal.relation.is_empty() && !proposal.object.is_empty()).then(|| Fact {
        subject: if is_user(&subject) { "user".to_owned() } else { subject },
        subject_type: proposal.subject_type.clone(),
        relation: relation::canonical(&proposal.relation),
        object: proposal.object.clone(),
        object_type: proposal.object_type.clone(),
    })
}
