//! The subject of an English clause.
//!
//! Works on words. A being is the subject where nothing but a verb, a name or an owner's `'s` follows it:
//! "my work email" is the user's, "my boss's email" the boss's.

use super::Whom;
use crate::encode::words::{KIN_EN, OTHERS_EN, PEOPLE_EN, fold, is, opening, simple};

/// Before the subject.
const OPENERS: &str = "wow|cool|great|awesome|nice|aww|congrats|haha|lol|no worries|no problem|sounds good|well|so|oh|hi|hey|hello|yes|yeah|yep|ok|okay|actually|also|and|but|btw|by the way|honestly|thanks|thank you|today|\
    yesterday|tomorrow|tonight|now|currently|recently|lately|last week|last month|last year|next week|next month|next year|\
    this week|this month|this year|in fact|i heard|i heard that|i hear|i hear that|apparently|because|although|though|that|when|\
    as you know|as i said|fyi|to be honest|on monday|on tuesday|on wednesday|on thursday|on friday|on saturday|on sunday|since|if|\
    these days|nowadays|sometimes|usually|normally|then|hmm|um|anyway|sure|in general|first of all|unfortunately|luckily|sadly";
/// Before a time or a place, which end with a comma or a speaker.
const PREPOSITIONS: &str = "in|at|on|for|with|during|after|before|from|by|as";
/// How to answer, or what to do.
const STANDING: &str = "always|never|don't|do not|dont|please|call me|answer|reply|respond|use|be|keep|remember|speak|talk|write|avoid|\
    stop|from now on|in future|in the future|no|note|make sure|only|forget|treat me|address me|refer to me|you can call me|\
    you may call me|you should call me|you should always|you should never|you should answer|you should reply|you must|you need to|\
    you can always|you can use|keep in mind|going forward|explain|give me|tell me|help me|remind me|let's|stick to|skip|limit|act";
const SPEAKER: &str = "i|i'm|i've|i'd|i'll|im|ive|we|we're|we've|we'd|we'll|me|us|myself|mine|ours|id|u're";
/// Begin what is said of a speaker who leaves themselves out.
const SUBJECTLESS: &str = "love|loves|like|enjoy|hate|prefer|live|living|work|working|works|born|allergic|vegetarian|vegan|diabetic|married|\
    single|divorced|moved|have|got|had|want|planning|trying|looking|learning|studying|own|drive|play|going|named|called|raised|based|\
    aged|am|was|used to|can't|cannot|didn't|been|favorite|favourite|name|name's|birthday|email|phone|lactose|pregnant|retired|\
    left-handed|afraid|scared|interested|fluent|turning|turned|just moved|just got|just started|dislike|adore|need|studied|graduated|\
    lived|worked|grew up|can speak|currently|gluten|need|not a fan|big fan|huge fan|mostly|native|self-employed|unemployed";
const YOU: &str = "you|you're|you've|you'll|you'd|your|yours|u|ur";
/// Of the third person, with the form to name them by.
const THIRD: &str = "he|he's|he'd|he'll|his|him|she|she's|she'd|she'll|her|hers|they|they're|they've|they'll|they'd|their|them";
const DETERMINERS: &str = "the|a|an|this|that|these|those|his|her|their|one of my|some of my";
/// Verbs that end a subject; others are known by their ending.
const VERBS: &str = "is|are|was|were|am|be|has|have|had|does|do|did|doesn't|don't|didn't|isn't|aren't|wasn't|weren't|hasn't|haven't|can|can't|\
    could|will|won't|would|should|must|may|might|says|said|say|told|likes|like|loves|love|hates|hate|lives|live|lived|works|work|\
    worked|wants|want|needs|need|got|gets|get|went|goes|go|came|comes|come|moved|moves|who|which|that|just|also|really|always|\
    never|usually|often|already|recently|currently|both|all|still|now|only|in|at|on|from|with|thinks|think|thought|knows|know|knew|\
    made|makes|gave|gives|took|takes|bought|left|lost|died|passed|turned|turns|started|quit|married|divorced|had|eats|eat|plays|\
    play|studies|study|teaches|taught|speaks|speak|prefers|prefer|enjoys|enjoy|calls|call|named|called|owns|drives|keeps|asked|asks|\
    used|plans|runs|ran|met|won|broke|fell|became|won't|cannot|wouldn't|couldn't|shouldn't|ate|bites|barks|hurts|sleeps|snores";
/// After a being: what the user has to do with them.
const ERRANDS: &str = "appointment|appointments|id|loan|loans|visit|insurance|meeting|card|discount|visa|food|photos|party|reunion";
/// Begin a sentence as a name would.
const NO_NAMES: &str = "sounds|looks|seems|wow|cool|great|awesome|hope|glad|happy|thanks|congrats|sorry|love|can't|best|being|having|getting|losing|\
    hearing|seeing|any|anything|your|his|her|their|its|our|guess|yes|no|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|\
    october|november|december|coffee|tea|python|rust|java|javascript|linux|windows|english|chinese|french|german|spanish|what|who|where|\
    when|why|how|which|it|it's|there|here|this|that|these|those|the|a|an|everything|nothing|something|everyone|nobody|people|some|\
    most|many|all|both|each|water|food|music|work|life|time|today|tomorrow|yesterday|christmas|google|apple|microsoft|china|germany|\
    france|japan|paris|london|berlin|tokyo|beijing|shanghai|breakfast|dinner|lunch|sometimes|maybe|perhaps|can|could|would|should|\
    do|does|did|is|are|was|were|will|nice|good|great|that's|there's|here's|not|if|while|although|let|then|one|two|three|dogs|cats";

/// A word as written, folded, and whether a clause ends with it.
struct Word {
    written: String,
    folded: String,
    stops: bool,
}

impl Word {
    fn of(text: &str) -> Option<Self> {
        let bare = text.trim_matches(|character: char| {
            !(character.is_alphanumeric() || character == '\'' || character == '’')
        });
        let written: String = bare.chars().map(simple).collect();
        let stops = text.ends_with([',', '.', ';', ':', '!', '?', ')', '—', '-']);
        (!written.is_empty()).then(|| Self { folded: fold(&written), written, stops })
    }

    /// The word without an owner's `'s`, and whether it had one.
    fn owner(&self) -> (&str, bool) {
        let bare = self.folded.strip_suffix("'s").or_else(|| self.folded.strip_suffix('\''));
        (bare.unwrap_or(&self.folded), bare.is_some())
    }

    fn is_being(&self) -> bool {
        [KIN_EN, PEOPLE_EN, OTHERS_EN].iter().any(|table| is(self.owner().0, table))
    }

    fn is_verb(&self) -> bool {
        is(&self.folded, VERBS)
    }

    fn is_capital(&self) -> bool {
        self.written.starts_with(char::is_uppercase)
    }

    /// Whether it may be a verb after a subject.
    fn follows_subject(&self) -> bool {
        self.is_verb() || !self.is_capital() && (self.folded.ends_with('s') || self.folded.ends_with("ed"))
    }
}

/// Whether the quote begins with an English speaker.
pub fn is_speaker(quote: &str) -> bool {
    let first = quote.split_whitespace().next().and_then(Word::of);
    first.is_some_and(|word| is(&word.folded, SPEAKER) || is(&word.folded, "my|our|my name"))
}

/// Of whom a quote speaks.
pub fn subject(quote: &str) -> Whom {
    let all: Vec<Word> = quote.split_whitespace().filter_map(Word::of).collect();
    let folded: Vec<&str> = all.iter().map(|word| word.folded.as_str()).collect();
    let start = opened(&all, &folded);
    let (words, folded) = (all.get(start..).unwrap_or_default(), folded.get(start..).unwrap_or_default());
    let Some(first) = words.first() else { return Whom::Unclear };
    if opening(folded, STANDING).is_some() {
        return Whom::User;
    }
    if is(&first.folded, "my|our") {
        return being(words, 1).unwrap_or(Named::Speaker).whom(words);
    }
    if is(&first.folded, SPEAKER) {
        return Whom::User;
    }
    if is(&first.folded, YOU) {
        return Whom::Assistant;
    }
    if let Some(found) = opening(folded, DETERMINERS).and_then(|taken| being(words, taken)) {
        return found.whom(words);
    }
    if is(&first.folded, THIRD) {
        return Whom::Other(nominative(&first.folded).to_owned());
    }
    if is(first.owner().0, KIN_EN)
        && let Some(found) = being(words, 0)
    {
        return found.whom(words);
    }
    if first.is_capital()
        && let Some(found) = named(words)
    {
        return found;
    }
    if opening(folded, SUBJECTLESS).is_some() { Whom::User } else { Whom::Unclear }
}

/// The pronoun to name somebody by.
fn nominative(pronoun: &str) -> &'static str {
    match pronoun.split('\'').next() {
        Some("he" | "his" | "him") => "he",
        Some("she" | "her" | "hers") => "she",
        _ => "they",
    }
}

/// The place of the word with which the subject begins.
fn opened(words: &[Word], folded: &[&str]) -> usize {
    let mut at = 0;
    loop {
        let rest = folded.get(at..).unwrap_or_default();
        let Some(first) = rest.first() else { return at };
        if opening(rest, STANDING).is_some() {
            return at;
        }
        if let Some(taken) = opening(rest, OPENERS).filter(|taken| at + taken < words.len()) {
            at += taken;
            continue;
        }
        if !is(first, PREPOSITIONS) {
            return at;
        }
        // "In 2020 I …", "in Berlin, my sister …"
        let within = words.iter().zip(folded).enumerate().skip(at + 1);
        let next = within.into_iter().find_map(|(place, (word, folded))| {
            let is_pronoun = is(folded, "i|we|i'm|we're|he|she|they|you");
            is_pronoun.then_some(place).or_else(|| word.stops.then_some(place + 1))
        });
        match next {
            Some(next) if next < words.len() => at = next,
            _ => return at,
        }
    }
}

/// The subject that begins with a determiner or a being.
enum Named {
    /// A being; the place of its last word.
    Until(usize),
    /// The speaker, alone or not.
    Speaker,
}

impl Named {
    fn whom(self, words: &[Word]) -> Whom {
        match self {
            Self::Until(last) => joined(words, last),
            Self::Speaker => Whom::User,
        }
    }
}

/// The being that the words name from `from` on, where it is what they speak of.
fn being(words: &[Word], from: usize) -> Option<Named> {
    let mut found: Option<(usize, &Word)> = None;
    for (at, word) in words.iter().enumerate().skip(from).take(4) {
        let ends = word.owner().1 || word.stops;
        if word.is_being() {
            found = Some((at, word));
        } else if found.is_some() || word.is_verb() {
            break;
        }
        if ends {
            break;
        }
    }
    let (mut last, head) = found?;
    if head.owner().1 {
        // "My sister's husband", but "my sister's name".
        let deeper = words.get(last + 1).is_some_and(Word::is_being).then(|| being(words, last + 1));
        return deeper.flatten().or(Some(Named::Until(last)));
    }
    let goes_on = |last: usize| words.get(last).is_some_and(|word| !word.stops);
    while goes_on(last)
        && words.get(last + 1).is_some_and(|word| word.is_capital() && !is(&word.folded, SPEAKER))
    {
        last += 1;
    }
    let next = words.get(last + 1).filter(|_| goes_on(last));
    let Some(next) = next else { return Some(Named::Until(last)) };
    let after = words.get(last + 2).map_or("", |word| word.folded.as_str());
    if next.folded == "and" {
        if is(after, "i|me|myself") {
            return Some(Named::Speaker);
        }
        let others = words.iter().enumerate().skip(last + 2).take(3).take_while(|(_, word)| !word.is_verb());
        let other = others.filter(|(_, word)| word.is_being() || word.is_capital()).last();
        return Some(Named::Until(other.map_or(last, |(at, _)| at)));
    }
    let is_thing = is(&head.folded, OTHERS_EN) && !next.follows_subject() && is(after, "is|are|was|were");
    if is_thing || is(&next.folded, ERRANDS) { Some(Named::Speaker) } else { Some(Named::Until(last)) }
}

/// The words up to `last`, as somebody.
fn joined(words: &[Word], last: usize) -> Whom {
    let mut parts: Vec<&str> = words.iter().take(last + 1).map(|word| word.written.as_str()).collect();
    if let (Some(part), Some(word)) = (parts.first_mut(), words.first())
        && (is(&word.folded, "my|our") || is(&word.folded, DETERMINERS))
    {
        *part = &word.folded;
    }
    let text = parts.join(" ");
    let bare = text.strip_suffix("'s").or_else(|| text.strip_suffix('\'')).unwrap_or(&text);
    Whom::Other(bare.to_owned())
}

/// The person that the words name first.
fn named(words: &[Word]) -> Option<Whom> {
    let first = words.first()?;
    // "Bob, …" only calls somebody.
    let is_shortened = first.folded.contains('\'') && !first.owner().1;
    let is_doing = first.folded.ends_with("ing");
    if first.stops
        || is_shortened
        || is_doing
        || [first.owner().0, &first.folded].iter().any(|word| is(word, NO_NAMES))
    {
        return None;
    }
    if first.owner().1 {
        return Some(joined(words, 0));
    }
    let second = words.get(1)?;
    let last =
        usize::from(second.is_capital() && !is(&second.folded, SPEAKER) && !is(second.owner().0, NO_NAMES));
    let next = words.get(last + 1)?;
    let after = words.get(last + 2).map_or("", |word| word.folded.as_str());
    match next.folded.as_str() {
        _ if words.get(last)?.owner().1 => Some(joined(words, last)),
        "and" if is(after, "i|me|myself") => Some(Whom::User),
        "and" if words.get(last + 2)?.is_capital() => Some(joined(words, last + 2)),
        "is" | "was" if after == "the" => None,
        _ if next.follows_subject() && !is(&next.folded, "in|at|on|from|with|that|which|all|both") => {
            Some(joined(words, last))
        }
        _ => None,
    }
}
