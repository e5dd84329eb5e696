//! What a predicate takes as its object, and in which form the object is kept.

use super::number::{date, has_han, is_han_letter, number};
use super::words::{
    ABBREVIATIONS, CALENDAR, CITY_ENDS, CLASSIFIERS, CLAUSE_EN, CLAUSE_ZH, CLUBS, COUNTRIES_ZH, DEMONYMS,
    DIALECTS, DOING, DOUBLE_SURNAMES, GENDERS, GENERIC_FRONTS, GENERIC_ORGS, GIVEN_NAMES, JOBS_EN, JOBS_ZH,
    JOINED, LANGUAGES, LEVELS, NAMES_LIKE_DEMONYMS, NOT_FIRST_EN, NOT_FIRST_OF_JOB, NOT_FIRST_OF_ORG,
    NOT_FIRST_ZH, NOT_IN_NAME, NOT_IN_PLACE, NOT_IN_PLACE_EN, NOT_JOB_EN, NOT_JOB_ZH, NOT_LAST_OF_PERSON,
    NOT_LAST_OF_PLACE, NOT_NAME_EN, NOT_NAME_ZH, NOT_ORG_EN, NOT_ORG_ZH, NOT_PERSON, NOT_PLACE_EN,
    NOT_PLACE_ZH, NOT_THING_EN, NOT_THING_ZH, ORG_ENDS, ORGS_ZH, PARTICLES, PET_FRONTS_EN, PET_FRONTS_ZH,
    PETS_EN, PETS_ZH, PLACE_ENDS, PLACES_EN, PLACES_ZH, QUOTES, SCHOOL_ENDS, SCHOOLS_ZH, SIGNS, SURNAMES,
    TITLES, TONGUES, TRAITS, TRANSLITERATION, UNITS, WELL,
};

/// Most Chinese characters and most words of an object.
const MOST_HAN: usize = 20;
const MOST_WORDS: usize = 6;

/// Kinds of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What `name is` takes.
    Name,
    /// What `叫` takes, which may also mean to call for something.
    Called,
    /// A person by name.
    Person,
    Place,
    /// A place by a name that is known, where anything else might stand.
    SurePlace,
    /// An employer that cannot be taken for a city: by its ending, or well known, or in Latin letters.
    Org,
    /// An employer, where a club might stand.
    Joined,
    School,
    Job,
    Age,
    /// An age, where any number might stand.
    BareAge,
    Date,
    Country,
    /// `法国人`.
    National,
    Email,
    Phone,
    Language,
    Pet,
    /// A pet's own name.
    PetName,
    /// A number with a unit.
    Measure,
    Blood,
    Gender,
    /// Whatever is not a clause.
    Thing,
    /// A verb and what it is done to: `吃辣`.
    Doing,
}

impl Kind {
    /// The object as it is kept, or `None` if it is not of this kind.
    pub fn value(self, object: &str) -> Option<String> {
        let object = object.trim();
        let object = quoted(object).unwrap_or(object);
        if self == Self::Date {
            return date(object);
        }
        if !is_plain(object) {
            return None;
        }
        match self {
            Self::Age => age(object).map(|years| years.to_string()),
            Self::BareAge => bare_age(object),
            Self::Country => country(object),
            Self::National => country(object.strip_suffix('人')?),
            Self::Language => language(object),
            Self::Job => job(object),
            Self::Pet => pet(object),
            _ => self.holds(object).then(|| self.trimmed(object).to_owned()),
        }
    }

    /// Without the article, which tells nothing.
    fn trimmed(self, object: &str) -> &str {
        let articles: &[&str] = match self {
            Self::Place | Self::SurePlace | Self::Org | Self::School => &["the "],
            Self::Thing => &["a ", "an ", "any "],
            _ => &[],
        };
        articles.iter().find_map(|article| object.strip_prefix(article)).unwrap_or(object)
    }

    fn holds(self, object: &str) -> bool {
        match self {
            Self::Name => is_name(object),
            Self::Called => is_called(object),
            Self::Person => is_person(object) || (is_latin_name(object) && !is_trait(object)),
            Self::Place => is_place(object),
            Self::SurePlace => is_place(object) && (has_han(object) || is_known_place(object)),
            Self::Org => is_sure_org(object),
            Self::Joined => is_sure_org(object) && is_joined_by_staff(object),
            Self::School => is_school(object),
            Self::Email => is_email(object),
            Self::Phone => is_phone(object),
            Self::PetName => is_pet_name(object),
            Self::Measure => is_measure(object),
            Self::Blood => is_blood(object),
            Self::Gender => GENDERS.contains(&object.to_lowercase().as_str()),
            Self::Thing => is_thing(object),
            Self::Doing => is_thing(object) && object.starts_with(DOING),
            _ => false,
        }
    }
}

/// Only Chinese characters, `least` to `most`, and none that joins clauses.
fn is_han(text: &str, least: usize, most: usize) -> bool {
    let length = text.chars().count();
    (least..=most).contains(&length) && text.chars().all(is_han_letter)
}

fn lower(text: &str) -> String {
    text.to_lowercase()
}

/// The text in one pair of quotation marks.
fn quoted(text: &str) -> Option<&str> {
    QUOTES.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))
}

/// Short, of one piece, without anything that begins another clause.
fn is_plain(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let initials = |word: &str| word.chars().count() > 1 && word.chars().all(char::is_uppercase);
    let clause = |word: &&str| !initials(word) && CLAUSE_EN.contains(&lower(word).as_str());
    let stop = |word: &&str| word.ends_with('.') && !ABBREVIATIONS.contains(&lower(word).as_str());
    !text.is_empty()
        && words.len() <= MOST_WORDS
        && text.chars().filter(|letter| is_han_letter(*letter)).count() <= MOST_HAN
        && !text.contains(SIGNS)
        && !words.iter().any(|word| clause(word) || stop(word))
        && !CLAUSE_ZH.iter().any(|word| text.contains(word))
}

fn is_thing(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(lower).collect();
    let first = words.first().map(String::as_str).unwrap_or_default();
    !NOT_THING_ZH.iter().any(|word| text.contains(word))
        && !text.starts_with(NOT_FIRST_ZH)
        && !NOT_FIRST_EN.contains(&first)
        && !words.iter().any(|word| NOT_THING_EN.contains(&word.as_str()))
        && text.chars().any(char::is_alphanumeric)
}

/// One to `most` words with a capital, particles between them aside.
fn is_capitalised(text: &str, most: usize) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let small = |word: &&str| PARTICLES.contains(word);
    !has_han(text)
        && (1..=most).contains(&words.len())
        && words.first().is_some_and(capital)
        && words.last().is_some_and(capital)
        && words.iter().all(|word| capital(word) || small(word))
        && !words.iter().any(|word| CALENDAR.contains(&lower(word).as_str()))
}

/// A Latin name of up to three words, letters only.
pub fn is_latin_name(text: &str) -> bool {
    let sign = |letter: char| letter.is_alphabetic() || matches!(letter, ' ' | '-' | '\'' | '.');
    is_capitalised(text, 3)
        && text.chars().all(sign)
        && !text.split_whitespace().any(|word| NOT_NAME_EN.contains(&lower(word).as_str()))
}

/// A capitalised word that says what somebody is, not who.
fn is_trait(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = lower(word);
        DEMONYMS.contains(&word.as_str())
            || TRAITS.contains(&word.as_str())
            || JOBS_EN.contains(&word.as_str())
            || (word.ends_with("ese") || word.ends_with("ish") || word.ends_with("ian"))
                && !NAMES_LIKE_DEMONYMS.contains(&word.as_str())
    })
}

/// A Chinese personal name, or a form of address: `李明`, `欧阳娜娜`, `小李`, `王总`, `李老师`.
pub fn is_person(text: &str) -> bool {
    if !is_han(text, 2, 4) || text.contains(NOT_IN_NAME) {
        return false;
    }
    if NOT_PERSON.iter().any(|word| text.starts_with(word))
        || JOBS_ZH.iter().any(|word| text.ends_with(word) && !TITLES.contains(word))
        || text.ends_with(NOT_LAST_OF_PERSON)
    {
        return false;
    }
    let rest = |front: char| text.strip_prefix(front).map(|rest| (rest, rest.chars().count()));
    let surname = SURNAMES.chars().find_map(rest);
    let double = DOUBLE_SURNAMES.iter().find_map(|front| text.strip_prefix(front));
    let address = ['小', '老', '阿'].into_iter().find_map(rest);
    surname.is_some_and(|(rest, count)| TITLES.contains(&rest) || (count <= 2 && !is_titled(rest)))
        || double.is_some_and(|rest| is_han(rest, 1, 2))
        || address.is_some_and(|(_, count)| count == 1)
}

/// `中老师` of `高中老师`.
fn is_titled(rest: &str) -> bool {
    TITLES.iter().any(|title| title.chars().count() > 1 && rest.ends_with(title))
}

fn is_called(text: &str) -> bool {
    let foreign = is_han(text, 2, 4) && text.chars().all(|letter| TRANSLITERATION.contains(letter));
    let chinese = is_person(text) || is_doubled(text) || foreign || is_transliterated_name(text);
    is_latin_name(text) || (chinese && !NOT_NAME_ZH.iter().any(|word| text.contains(word)))
}

/// `糖糖`.
fn is_doubled(text: &str) -> bool {
    let mut letters = text.chars();
    is_han(text, 2, 2) && letters.next() == letters.next()
}

fn is_pet_name(text: &str) -> bool {
    let words = NOT_NAME_ZH.iter().any(|word| text.contains(word));
    is_latin_name(text) || (is_han(text, 2, 4) && !text.contains(NOT_IN_NAME) && !words)
}

fn is_name(text: &str) -> bool {
    let chinese = is_han(text, 2, 4)
        && !text.contains(NOT_IN_NAME)
        && !NOT_NAME_ZH.iter().any(|word| text.contains(word));
    chinese || is_latin_name(text)
}

fn is_transliterated_name(text: &str) -> bool {
    text.contains('·') && text.split('·').all(|part| is_han(part, 1, 6))
}

/// A place by its name. Homes, buildings and surroundings are none: they go with any city.
fn is_place(text: &str) -> bool {
    if !has_han(text) {
        let text = text.strip_prefix("the ").unwrap_or(text);
        let digit = text.chars().any(char::is_numeric);
        return is_capitalised(text, 4) && !digit && !is_no_place(&lower(text));
    }
    if PLACES_ZH.contains(&text) {
        return true;
    }
    let length = text.chars().count();
    let foreign = text.chars().all(|letter| TRANSLITERATION.contains(letter));
    let known = PLACES_ZH.iter().any(|place| text.strip_prefix(place).is_some_and(is_place_in));
    is_han(text, 2, 10)
        && !NOT_PLACE_ZH.iter().any(|word| text.contains(word))
        && !text.contains(NOT_IN_PLACE)
        && !text.ends_with(NOT_LAST_OF_PLACE)
        && (known || (foreign && length >= 3) || (length >= 3 && text.ends_with(PLACE_ENDS)))
}

/// What may follow a city: nothing, a further city, or something that ends as places do.
fn is_place_in(rest: &str) -> bool {
    let rest = rest.strip_prefix(['市', '省']).unwrap_or(rest);
    rest.is_empty() || PLACES_ZH.contains(&rest) || (is_han(rest, 2, 6) && rest.ends_with(PLACE_ENDS))
}

fn is_no_place(text: &str) -> bool {
    let part = |word: &str| NOT_IN_PLACE_EN.contains(&word) || word.ends_with("'s");
    NOT_PLACE_EN.contains(&text) || text.split(' ').any(part)
}

fn is_known_place(text: &str) -> bool {
    let text = text.strip_prefix("the ").unwrap_or(text);
    PLACES_ZH.contains(&text) || PLACES_EN.contains(&lower(text).as_str()) || text.ends_with(CITY_ENDS)
}

fn is_org(text: &str) -> bool {
    if is_known_place(text) || GENERIC_ORGS.contains(&text) {
        return false;
    }
    if has_han(text) {
        return text.chars().count() >= 2
            && !text.starts_with(NOT_FIRST_OF_ORG)
            && !NOT_ORG_ZH.iter().any(|word| text.contains(word))
            && !text.contains(' ');
    }
    is_capitalised_org(text)
}

/// As [`is_capitalised`], and `eBay` too.
fn is_capitalised_org(text: &str) -> bool {
    let text = text.strip_prefix("the ").unwrap_or(text);
    let humped = text.chars().skip(1).any(char::is_uppercase) && !text.contains(' ');
    (is_capitalised(text, 4) || humped) && !NOT_ORG_EN.contains(&lower(text).as_str()) && !ends_as_club(text)
}

fn ends_as_club(text: &str) -> bool {
    text.split_whitespace().last().is_some_and(|word| CLUBS.contains(&lower(word).as_str()))
}

fn is_joined_by_staff(text: &str) -> bool {
    let text = lower(text);
    let words = || text.split(' ');
    !JOINED.contains(&text.as_str())
        && !words().any(|word| PARTICLES.contains(&word))
        && !words().next().is_some_and(|first| GIVEN_NAMES.contains(&first))
}

fn is_sure_org(text: &str) -> bool {
    let named = |end: &&str| text.strip_suffix(*end).is_some_and(|front| front.chars().count() >= 2);
    let ends = ORG_ENDS.iter().any(named) && !is_generic(text);
    is_org(text) && (!has_han(text) || ORGS_ZH.contains(&text) || ends)
}

/// `互联网公司` and the like, of which there are many.
fn is_generic(text: &str) -> bool {
    GENERIC_FRONTS.iter().any(|front| text.starts_with(front))
}

fn is_school(text: &str) -> bool {
    let named = |end: &&str| text.strip_suffix(*end).is_some_and(|front| front.chars().count() >= 2);
    if !has_han(text) {
        let text = text.strip_prefix("the ").unwrap_or(text);
        return is_capitalised(text, 5) && !is_known_place(text);
    }
    SCHOOLS_ZH.contains(&text) || (is_org(text) && !is_generic(text) && SCHOOL_ENDS.iter().any(named))
}

fn job(text: &str) -> Option<String> {
    if has_han(text) {
        let text = CLASSIFIERS.iter().find_map(|front| text.strip_prefix(front)).unwrap_or(text);
        let fits = JOBS_ZH.iter().any(|end| text.ends_with(end))
            && text.chars().count() <= 10
            && !NOT_JOB_ZH.iter().any(|word| text.contains(word))
            && !text.starts_with(NOT_FIRST_OF_JOB)
            && !is_over(text)
            && !is_person(text);
        return fits.then(|| text.to_owned());
    }
    let text = ["a ", "an "].iter().find_map(|front| text.strip_prefix(front)).unwrap_or(text);
    let words: Vec<String> = text.split_whitespace().map(lower).collect();
    let last = words.last()?;
    let fits = words.len() <= 4
        && JOBS_EN.contains(&last.as_str())
        && !words.iter().any(|word| NOT_JOB_EN.contains(&word.as_str()) || word.ends_with("'s"));
    fits.then(|| text.to_owned())
}

/// `前程序员`, but not `前端工程师`.
fn is_over(job: &str) -> bool {
    job.strip_prefix('前').is_some_and(|rest| !rest.starts_with(['端', '台']))
}

fn bare_age(text: &str) -> Option<String> {
    let years = age(text)?;
    (years >= 10 || text.contains("year")).then(|| years.to_string())
}

fn age(text: &str) -> Option<u32> {
    let ends = ["周岁", "岁", " years old", " years of age", " years"];
    let text = ends.iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    number(text).filter(|years| (1..=120).contains(years))
}

/// A country, without the ending of its people or its language's article.
fn country(text: &str) -> Option<String> {
    let bare = text.strip_suffix(['籍', '人']).unwrap_or(text);
    if COUNTRIES_ZH.contains(&bare) {
        return Some(bare.to_owned());
    }
    let text = ["a ", "an "].iter().find_map(|front| text.strip_prefix(front)).unwrap_or(text);
    DEMONYMS.contains(&lower(text).as_str()).then(|| text.to_owned())
}

fn language(text: &str) -> Option<String> {
    if DIALECTS.contains(&text) {
        return Some(text.to_owned());
    }
    if let Some(tongue) = text.strip_suffix(['语', '文']) {
        return TONGUES.contains(&tongue).then(|| text.to_owned());
    }
    let text = LEVELS.iter().find_map(|front| text.strip_prefix(front)).unwrap_or(text);
    let text = WELL.iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    LANGUAGES.contains(&lower(text).as_str()).then(|| text.to_owned())
}

/// `一只猫` is `猫`, `a black cat` is `black cat`, `a dog named Rex` stays so.
fn pet(text: &str) -> Option<String> {
    if has_han(text) {
        let front = ["一只", "一条", "一匹", "只", "条"];
        let single = front.iter().find_map(|front| text.strip_prefix(front)).unwrap_or(text);
        let colour = PETS_ZH.iter().find_map(|pet| single.strip_suffix(pet))?;
        let plain = colour.is_empty() || PET_FRONTS_ZH.contains(&colour);
        return plain.then(|| single.to_owned());
    }
    let text = ["a ", "an "].iter().find_map(|front| text.strip_prefix(front)).unwrap_or(text);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if let Some(place) = words.iter().position(|word| matches!(*word, "named" | "called")) {
        let name = words.split_off(place).into_iter().skip(1).collect::<Vec<_>>().join(" ");
        if !is_latin_name(&name) {
            return None;
        }
    }
    let (last, front) = words.split_last()?;
    let known = PETS_EN.contains(&lower(last).as_str());
    let plain = front.iter().all(|word| PET_FRONTS_EN.contains(&lower(word).as_str()));
    (known && plain).then(|| text.to_owned())
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "._%+-".contains(letter);
    !name.is_empty()
        && host.contains('.')
        && !host.starts_with('.')
        && !host.ends_with('.')
        && name.chars().chain(host.chars()).all(fits)
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (5..=16).contains(&digits) && text.chars().all(|sign| sign.is_ascii_digit() || "+- ".contains(sign))
}

fn is_measure(text: &str) -> bool {
    let unit = text.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.').trim();
    text.starts_with(|sign: char| sign.is_ascii_digit()) && UNITS.contains(&lower(unit).as_str())
}

fn is_blood(text: &str) -> bool {
    let bare = text.trim_end_matches(['型', '+', '-', '血']).trim();
    matches!(bare.to_uppercase().as_str(), "A" | "B" | "O" | "AB")
}
