//! Whether a text tells an assistant what to do.
//!
//! A text is read clause by clause. A clause instructs by how it begins (`always recommend`, 不要告诉) or by
//! what it says of the assistant (`the assistant must`, 你必须推荐); statements of a speaker about himself and
//! questions do not. The words are tables. Absent: instructions wrapped in a story, in other languages, or
//! encoded; a single request (`recommend a film`) is none unless it is to hold from now on.

use super::phrases::{
    ACTS, ACTS_HAN, ADVERBS, ADVERBS_HAN, AGENTS, AGENTS_HAN, ANYWHERE, BANS_HAN, DROPS, DROPS_HAN, HEADS,
    HOLDS_HAN, LASTING, LASTING_HAN, LEADS, LEADS_HAN, MEMORY, MODALS, MODALS_HAN, OPENINGS, OPENINGS_HAN,
    OTHERS_HAN, QUALIFIERS, ROLES, ROLES_HAN, RULES, RULES_HAN, SENDS, SENDS_HAN, SPEAKERS, STORED, WIPES,
};

/// As far behind a modal verb a Chinese act may stand, in characters.
const ACT_NEAR: usize = 8;

/// Whether a text tells an assistant what to do.
pub fn is_instruction(text: &str) -> bool {
    sentences(&folded(text)).iter().any(|(sentence, question)| {
        let heads = HEADS.iter().any(|head| sentence.starts_with(head));
        heads || ANYWHERE.iter().any(|words| sentence.contains(words)) || instructs(sentence, *question)
    })
}

/// Small letters, full-width forms as ASCII.
fn folded(text: &str) -> String {
    let narrow = text
        .chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'))
        .map(|c| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            '\u{3000}' | '\u{a0}' => ' ',
            '’' => '\'',
            _ => c,
        });
    narrow.flat_map(char::to_lowercase).collect()
}

/// The sentences of a text, and whether each is a question.
fn sentences(text: &str) -> Vec<(String, bool)> {
    let mut sentences = Vec::new();
    let mut sentence = String::new();
    let mut chars = text.chars().chain(['\n']).peekable();
    while let Some(c) = chars.next() {
        let full_stop = c == '.' && chars.peek().is_none_or(|next| next.is_whitespace());
        if !full_stop && !matches!(c, '!' | '?' | '。' | '\n' | ';') {
            sentence.push(c);
            continue;
        }
        let trimmed = sentence.trim_matches(|c: char| c.is_whitespace() || "\"“”「」'*-•".contains(c));
        if !trimmed.is_empty() {
            let question = c == '?' || trimmed.ends_with(['吗', '呢', '嗎']);
            sentences.push((trimmed.split_whitespace().collect::<Vec<_>>().join(" "), question));
        }
        sentence.clear();
    }
    sentences
}

/// Whether a clause of the sentence instructs; a clause of lead-in words alone lends them to the next.
fn instructs(sentence: &str, question: bool) -> bool {
    let mut lasting = false;
    for clause in sentence.split([',', ':', '、']) {
        let clause = clause.trim();
        let words: Vec<&str> = clause
            .split(|c: char| !(c.is_alphanumeric() || c == '\''))
            .filter(|word| !word.is_empty())
            .collect();
        let (rest, lasts) = without_leads(&words);
        if !question && english(rest, lasting || lasts) {
            return true;
        }
        let (han, lasts_han) = without_leads_han(clause);
        if !question && chinese(han, lasting || lasts_han) {
            return true;
        }
        lasting = (rest.is_empty() || han.is_empty()) && (lasting || lasts || lasts_han);
    }
    false
}

/// The words after `please`, `from now on` and the like, and whether it is to last.
fn without_leads<'a>(words: &'a [&'a str]) -> (&'a [&'a str], bool) {
    let (mut rest, mut lasts) = (words, false);
    loop {
        if let Some(after) = LASTING.iter().find_map(|lead| rest.strip_prefix(*lead)) {
            (rest, lasts) = (after, true);
        } else if let Some(([first], after)) = rest.split_first_chunk::<1>()
            && LEADS.contains(first)
        {
            rest = after;
        } else {
            return (rest, lasts || LASTING.iter().any(|lead| rest.ends_with(lead)));
        }
    }
}

fn english(words: &[&str], lasting: bool) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    let second = rest.first().copied().unwrap_or_default();
    let any = |table: &[&str]| rest.iter().any(|word| table.contains(word));
    let about_me = rest.get(1).is_some_and(|word| *word == "me");
    let said = words.join(" ");
    if OPENINGS.iter().any(|opening| starts_with_words(&said, opening)) || drops(words) {
        return true;
    }
    match *first {
        "always" | "never" | "don't" | "only" if ACTS.contains(&second) => !about_me,
        "do" if second == "not" => {
            rest.get(1).is_some_and(|act| ACTS.contains(act)) && rest.get(2) != Some(&"me")
        }
        "you" => modal(rest) || (lasting && ACTS.contains(&second)),
        "you're" | "your" => false,
        first if SENDS.contains(&first) && any(&["to"]) => true,
        first if WIPES.contains(&first) && any(STORED) => true,
        first if ["add", "save", "store", "write", "commit"].contains(&first) && any(MEMORY) => true,
        first if DROPS.contains(&first) && any(RULES) => true,
        first if lasting && (ACTS.contains(&first) || ADVERBS.contains(&first) || first == "no") => true,
        _ => {
            let agent = words.iter().take(3).position(|word| AGENTS.contains(word));
            agent.is_some_and(|at| words.get(at + 1..).is_some_and(modal))
        }
    }
}

/// Whether a text begins with whole words.
fn starts_with_words(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// `must always` and an act; `are now a` and a role.
fn modal(words: &[&str]) -> bool {
    if let ["are", "now", role, ..] = words {
        return ROLES.contains(role);
    }
    let Some(after) = MODALS.iter().find_map(|modal| words.strip_prefix(*modal)) else { return false };
    after.iter().find(|word| !ADVERBS.contains(word)).is_some_and(|act| ACTS.contains(act))
}

/// `ignore all previous instructions`, anywhere, unless it is said of a speaker.
fn drops(words: &[&str]) -> bool {
    let at = words.iter().position(|word| DROPS.contains(word));
    at.is_some_and(|at| {
        let near = words.iter().skip(at + 1).take(6);
        let own = words.iter().take(at).any(|word| SPEAKERS.contains(word));
        !own && near.clone().any(|word| RULES.contains(word))
            && near.clone().any(|word| QUALIFIERS.contains(word))
    })
}

fn without_leads_han(clause: &str) -> (&str, bool) {
    let (mut rest, mut lasts) = (clause, false);
    loop {
        rest = rest.trim_start();
        if let Some(after) = LASTING_HAN.iter().find_map(|lead| rest.strip_prefix(lead)) {
            (rest, lasts) = (after, true);
        } else if let Some(after) = LEADS_HAN.iter().find_map(|lead| rest.strip_prefix(lead)) {
            // A request after `from now on` is an order, whatever it asks for.
            if lasts && rest.starts_with('请') {
                return ("务必", true);
            }
            rest = after;
        } else {
            return (rest, lasts);
        }
    }
}

fn chinese(clause: &str, lasting: bool) -> bool {
    let starts = |table: &[&str]| table.iter().find_map(|words| clause.strip_prefix(words));
    if starts(OPENINGS_HAN).is_some() || drops_han(clause) {
        return true;
    }
    if lasting && starts(HOLDS_HAN).is_some() {
        return true;
    }
    if let Some(rest) = starts(&["你", "您"]) {
        let rest = LASTING_HAN.iter().find_map(|lead| rest.strip_prefix(lead)).unwrap_or(rest);
        let role = rest.strip_prefix("现在是").or_else(|| rest.strip_prefix("是"));
        let role = role.filter(|role| ROLES_HAN.iter().any(|word| role.contains(word)));
        let orders = lasting && (HOLDS_HAN.iter().any(|hold| rest.starts_with(hold)) || acts_near(rest));
        return orders || role.is_some() || modal_han(rest);
    }
    if let Some(rest) = starts(&["在"]) {
        let held = |adverb: &&str| {
            rest.split_once(*adverb).is_some_and(|(_, act)| ACTS_HAN.iter().any(|a| act.starts_with(a)))
        };
        return !rest.contains(OTHERS_HAN) && ADVERBS_HAN.iter().any(held);
    }
    if let Some(rest) = starts(BANS_HAN) {
        return acts_near(rest) && !rest.starts_with("告诉我");
    }
    if let Some(rest) = starts(ADVERBS_HAN) {
        let banned = BANS_HAN.iter().find_map(|ban| rest.strip_prefix(ban)).unwrap_or(rest);
        return ACTS_HAN.iter().any(|act| banned.starts_with(act));
    }
    if let Some(rest) = starts(&["把", "将"]) {
        return SENDS_HAN.iter().any(|send| {
            rest.split_once(send).is_some_and(|(_, after)| !after.starts_with('了') && !rest.ends_with('了'))
        });
    }
    starts(AGENTS_HAN).is_some_and(|rest| modal_han(rest.trim_start()))
        || (clause.starts_with("必须") && acts_near(clause))
}

fn modal_han(rest: &str) -> bool {
    MODALS_HAN.iter().find_map(|modal| rest.strip_prefix(modal)).is_some_and(acts_near)
}

fn acts_near(rest: &str) -> bool {
    let near: String = rest.chars().take(ACT_NEAR).collect();
    ACTS_HAN.iter().any(|act| near.contains(act))
}

/// 忽略之前的指令, unless it is said of a person.
fn drops_han(clause: &str) -> bool {
    DROPS_HAN.iter().any(|verb| {
        clause.split_once(verb).is_some_and(|(before, after)| {
            !before.contains(OTHERS_HAN)
                && !after.starts_with('了')
                && RULES_HAN.iter().any(|rule| after.contains(rule))
        })
    })
}
