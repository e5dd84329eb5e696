//! Plain English sentences.

use super::number::has_han;
use super::value::{Kind, is_latin_name, is_person};
use super::words::{KIN_EN, KIN_FRONTS_EN};
use super::{Denial, Said, USER};

/// Predicates by their verb as [`VERBS`] has it: the first that fits and takes its object is it.
#[rustfmt::skip]
const PHRASES: &[(&str, &str, Kind)] = &[
    ("live in", "lives_in", Kind::Place),
    ("be living in", "lives_in", Kind::Place),
    ("reside in", "lives_in", Kind::Place),
    ("be based in", "lives_in", Kind::Place),
    ("moved to", "lives_in", Kind::SurePlace),
    ("relocated to", "lives_in", Kind::SurePlace),
    ("settled in", "lives_in", Kind::SurePlace),
    ("work at", "works_at", Kind::Org),
    ("work for", "works_at", Kind::Org),
    ("be working at", "works_at", Kind::Org),
    ("be working for", "works_at", Kind::Org),
    ("be employed at", "works_at", Kind::Org),
    ("be employed by", "works_at", Kind::Org),
    ("started working at", "works_at", Kind::Org),
    ("started working for", "works_at", Kind::Org),
    ("got a job at", "works_at", Kind::Org),
    ("joined", "works_at", Kind::Joined),
    ("study at", "studies_at", Kind::School),
    ("be studying at", "studies_at", Kind::School),
    ("graduated from", "graduated_from", Kind::School),
    ("be named", "name", Kind::Name),
    ("be called", "name", Kind::Name),
    ("go by", "nickname", Kind::Name),
    ("be from", "from", Kind::SurePlace),
    ("come from", "from", Kind::SurePlace),
    ("be born in", "born_in", Kind::SurePlace),
    ("be born on", "birthday", Kind::Date),
    ("be", "age", Kind::BareAge),
    ("be aged", "age", Kind::Age),
    ("turned", "age", Kind::BareAge),
    ("be", "nationality", Kind::Country),
    ("be a", "job", Kind::Job),
    ("be an", "job", Kind::Job),
    ("became a", "job", Kind::Job),
    ("became an", "job", Kind::Job),
    ("work as", "job", Kind::Job),
    ("be employed as", "job", Kind::Job),
    ("be working as", "job", Kind::Job),
    ("be allergic to", "allergic_to", Kind::Thing),
    ("have an allergy to", "allergic_to", Kind::Thing),
    ("like", "likes", Kind::Thing),
    ("love", "likes", Kind::Thing),
    ("enjoy", "likes", Kind::Thing),
    ("adore", "likes", Kind::Thing),
    ("dislike", "dislikes", Kind::Thing),
    ("hate", "dislikes", Kind::Thing),
    ("detest", "dislikes", Kind::Thing),
    ("cannot stand", "dislikes", Kind::Thing),
    ("have", "has_pet", Kind::Pet),
    ("own", "has_pet", Kind::Pet),
    ("own", "owns", Kind::Thing),
    ("speak", "speaks", Kind::Language),
    ("be fluent in", "speaks", Kind::Language),
    ("be married to", "married_to", Kind::Person),
    ("married", "married_to", Kind::Person),
    ("report to", "reports_to", Kind::Person),
];

/// What somebody's something is: `birthday is`.
#[rustfmt::skip]
const ATTRIBUTES: &[(&[&str], &str, Kind)] = &[
    (&["name", "full name", "real name"], "name", Kind::Name),
    (&["nickname"], "nickname", Kind::Name),
    (&["age"], "age", Kind::Age),
    (&["birthday", "birthdate", "birth date", "date of birth"], "birthday", Kind::Date),
    (&["gender"], "gender", Kind::Gender),
    (&["nationality"], "nationality", Kind::Country),
    (&["hometown", "home town"], "from", Kind::Place),
    (&["birthplace", "place of birth"], "born_in", Kind::Place),
    (&["home city", "city of residence"], "lives_in", Kind::Place),
    (&["employer"], "works_at", Kind::Org),
    (&["job", "occupation", "profession", "job title"], "job", Kind::Job),
    (&["email", "e-mail", "email address"], "email", Kind::Email),
    (&["phone", "phone number", "mobile number", "telephone number"], "phone", Kind::Phone),
    (&["boss", "manager", "supervisor", "line manager"], "reports_to", Kind::Person),
    (&["wife", "husband", "spouse"], "married_to", Kind::Person),
    (&["girlfriend", "boyfriend", "partner"], "partner_of", Kind::Person),
    (&["mother", "mom", "mum"], "mother", Kind::Person),
    (&["father", "dad"], "father", Kind::Person),
    (&["sister", "brother", "older sister", "younger sister", "older brother", "younger brother"], "sibling_of", Kind::Person),
    (&["son", "daughter"], "parent_of", Kind::Person),
    (&["friend", "best friend"], "friend_of", Kind::Person),
    (&["colleague", "coworker"], "colleague_of", Kind::Person),
    (&["cat", "dog", "pet"], "has_pet", Kind::Person),
    (&["university", "school", "college"], "studies_at", Kind::School),
    (&["native language", "mother tongue"], "speaks", Kind::Language),
    (&["blood type"], "blood_type", Kind::Blood),
    (&["height"], "height", Kind::Measure),
    (&["weight"], "weight", Kind::Measure),
];

/// The present forms of verbs: of one, of others. Past forms stand in [`PHRASES`] as they are.
#[rustfmt::skip]
const VERBS: &[(&str, &str)] = &[
    ("lives", "live"), ("resides", "reside"), ("works", "work"), ("studies", "study"), ("goes", "go"), ("comes", "come"), ("likes", "like"),
    ("loves", "love"), ("enjoys", "enjoy"), ("adores", "adore"), ("dislikes", "dislike"), ("hates", "hate"), ("detests", "detest"),
    ("has", "have"), ("owns", "own"), ("speaks", "speak"), ("reports", "report"), ("is", "be"),
];
/// Verbs that are the same for one and for others, so that they tell nothing about the subject.
const PAST: &[&str] = &[
    "moved",
    "relocated",
    "settled",
    "started",
    "got",
    "joined",
    "graduated",
    "turned",
    "became",
    "married",
];
/// The past after `has`, where it is another word.
const PERFECT: &[(&str, &str)] = &[("become", "became"), ("gotten", "got")];

const ADVERBS: &[&str] = &[
    "currently",
    "now",
    "still",
    "really",
    "already",
    "just",
    "recently",
    "presently",
    "absolutely",
    "truly",
];
const FINAL: &[&str] =
    &[" right now", " now", " currently", " at the moment", " very much", " a lot", " at all"];
const ANY_MORE: &[&str] = &[" anymore", " any more", " any longer"];
const CONTRACTIONS: &[(&str, &[&str])] = &[
    ("i'm", &["I", "am"]),
    ("i've", &["I", "have"]),
    ("isn't", &["is", "not"]),
    ("aren't", &["are", "not"]),
    ("doesn't", &["does", "not"]),
    ("don't", &["do", "not"]),
    ("can't", &["cannot"]),
];

pub fn read(sentence: &str) -> Option<Said> {
    let sentence = sentence.replace('’', "'");
    let (sentence, over) = match ANY_MORE.iter().find_map(|end| sentence.strip_suffix(end)) {
        Some(shorter) => (shorter, true),
        None => (sentence.as_str(), false),
    };
    let sentence = FINAL.iter().find_map(|end| sentence.strip_suffix(end)).unwrap_or(sentence);
    let mut words: Vec<&str> = Vec::new();
    for word in sentence.split_whitespace() {
        match CONTRACTIONS.iter().find(|(short, _)| word.eq_ignore_ascii_case(short)) {
            Some((_, long)) => words.extend(*long),
            None => words.push(word),
        }
    }
    let adverb = |word: &&&str| ADVERBS.contains(&word.trim_end_matches(',').to_lowercase().as_str());
    let leading = words.iter().take_while(adverb).count();
    said(words.get(leading..)?, over)
}

fn said(words: &[&str], over: bool) -> Option<Said> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match lower.as_slice() {
        ["the", "user", ..] => predicate(USER, words.get(2..)?, over, false),
        ["user" | "i", ..] => predicate(USER, words.get(1..)?, over, false),
        ["the", "user's", ..] => of(USER, words.get(2..)?, over),
        ["user's" | "my", ..] => of(USER, words.get(1..)?, over),
        _ => named(words, over),
    }
}

/// A sentence about somebody by name.
fn named(words: &[&str], over: bool) -> Option<Said> {
    (1..=2).find_map(|length| {
        let (name, rest) = words.split_at_checked(length)?;
        let name = name.join(" ");
        match name.strip_suffix("'s") {
            Some(owner) if is_subject(owner) => of(owner, rest, over),
            None if is_subject(&name) => predicate(&name, rest, over, true),
            _ => None,
        }
    })
}

fn is_subject(name: &str) -> bool {
    is_person(name) || (!has_han(name) && is_latin_name(name))
}

/// Something of somebody's, or somebody who is theirs.
fn of(owner: &str, words: &[&str], over: bool) -> Option<Said> {
    let place = words.iter().position(|word| *word == "is");
    if let Some(said) = place.and_then(|place| attribute(owner, words.split_at_checked(place)?, over)) {
        return Some(said);
    }
    let (kin, rest) = words.split_first()?;
    if KIN_EN.contains(kin) {
        return predicate(&format!("{owner}'s {kin}"), rest, over, true);
    }
    let (second, rest) = rest.split_first()?;
    let known = KIN_FRONTS_EN.contains(kin) && KIN_EN.contains(second);
    known.then(|| predicate(&format!("{owner}'s {kin} {second}"), rest, over, true)).flatten()
}

fn attribute(owner: &str, (what, is): (&[&str], &[&str]), over: bool) -> Option<Said> {
    let what = what.join(" ");
    let (_, relation, kind) = ATTRIBUTES.iter().find(|(names, ..)| names.contains(&what.as_str()))?;
    let (denial, rest) = denied(is.get(1..)?, over);
    let (called, rest) = match rest.split_first() {
        Some((&("named" | "called"), rest)) => (true, rest),
        _ => (false, rest),
    };
    let kind = if called && *kind == Kind::Person { Kind::Name } else { *kind };
    let object = kind.value(&rest.join(" "))?;
    Some(denial.apply(owner, relation, object))
}

fn predicate(subject: &str, words: &[&str], over: bool, third: bool) -> Option<Said> {
    let (denial, verb, rest) = verb(words, over, third)?;
    let text = std::iter::once(verb.as_str()).chain(rest.iter().copied()).collect::<Vec<_>>().join(" ");
    PHRASES.iter().find_map(|(phrase, relation, kind)| {
        let object = text.strip_prefix(phrase)?.strip_prefix(' ')?;
        let (denial, object) = match object.strip_prefix("no ") {
            Some(object) if *kind == Kind::Pet && denial == Denial::None => (Denial::Not, object),
            _ => (denial, object),
        };
        let object = kind.value(object)?;
        Some(denial.apply(subject, relation, object))
    })
}

/// How a predicate is denied, its verb as in [`PHRASES`], and what follows. `third` asks for the form
/// of one person: `Friends like pizza` is not about anybody.
fn verb<'a>(words: &'a [&'a str], over: bool, third: bool) -> Option<(Denial, String, &'a [&'a str])> {
    let words = skip(words);
    match words {
        ["does" | "do", "not", rest @ ..] => {
            let (first, rest) = skip(rest).split_first()?;
            let plain = VERBS.iter().any(|(_, base)| base == first);
            let denial = if over { Denial::NoLonger } else { Denial::Not };
            plain.then(|| (denial, (*first).to_owned(), rest))
        }
        ["no", "longer", first, rest @ ..] => match denied(rest, false) {
            (Denial::None, rest) => Some((Denial::NoLonger, base(first, third)?, rest)),
            _ => None,
        },
        ["was", "born", word @ ("in" | "on"), rest @ ..] if !over => {
            Some((Denial::None, format!("be born {word}"), rest))
        }
        ["has" | "have", past, rest @ ..] if perfect(past).is_some() && !over => {
            Some((Denial::None, perfect(past)?.to_owned(), rest))
        }
        ["is" | "am" | "are", rest @ ..] => {
            let (denial, rest) = denied(rest, over);
            Some((denial, "be".to_owned(), rest))
        }
        ["cannot", rest @ ..] if !over => Some((Denial::None, "cannot".to_owned(), rest)),
        [first, rest @ ..] if !over => {
            let past = PAST.contains(first).then(|| (*first).to_owned());
            Some((Denial::None, past.or_else(|| base(first, third))?, skip(rest)))
        }
        _ => None,
    }
}

/// `not`, `no longer` and adverbs after `is`.
fn denied<'a>(words: &'a [&'a str], over: bool) -> (Denial, &'a [&'a str]) {
    match skip(words) {
        ["not", rest @ ..] if over => (Denial::NoLonger, skip(rest)),
        ["not", rest @ ..] => (Denial::Not, skip(rest)),
        ["no", "longer", rest @ ..] => (Denial::NoLonger, skip(rest)),
        rest => (Denial::None, rest),
    }
}

fn base(word: &str, third: bool) -> Option<String> {
    let found = VERBS.iter().find(|(one, others)| *one == word || (!third && *others == word));
    found.or_else(|| VERBS.last().filter(|_| !third && word == "am")).map(|(_, base)| (*base).to_owned())
}

/// The past verb that follows `has`.
fn perfect(word: &str) -> Option<&'static str> {
    let other = PERFECT.iter().find(|(form, _)| *form == word).map(|(_, past)| *past);
    other.or_else(|| PAST.iter().copied().find(|past| *past == word))
}

fn skip<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let adverbs = words.iter().take_while(|word| ADVERBS.contains(word)).count();
    words.get(adverbs..).unwrap_or_default()
}
