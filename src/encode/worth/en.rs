//! What an English clause holds.
//!
//! A clause with "I", "my", "we" … is kept unless each is known to say nothing ("can I", "help me", "my
//! code"). One without is kept where it names kin, health or a standing instruction, and where it is
//! neither a question nor a request that is known. Text comes in folded. Words are whole words.

use super::{Skip, Verdict};
use crate::encode::words::{KIN_EN, OTHERS_EN, PEOPLE_EN, among, is, opening};

const GREETINGS: &str = "hi|hello|hey|yo|hiya|heya|howdy|hi there|hello there|hey there|good morning|good afternoon|good evening|\
    good night|goodnight|morning|greetings|how are you|how are you doing|how are you today|how's it going|what's up|\
    whats up|sup|nice to meet you|pleased to meet you|bye|goodbye|see you|see you later|see you tomorrow|good bye|take care|\
    are you there|anyone there|hi everyone|hello everyone|happy new year|how do you do|long time no see|welcome back|i'm back|how have you been";
const REACTIONS: &str = "ok|okay|k|kk|thanks|thank you|thank you so much|thank you very much|thx|ty|tysm|thanks a lot|thanks so much|\
    many thanks|thanks again|cheers|much appreciated|i appreciate it|appreciate it|for your help|for the help|for that|for helping|\
    for helping me|for explaining|for the explanation|for everything|lol|lmao|rofl|haha|hahaha|hahahaha|hehe|heh|ha|xd|wow|whoa|\
    omg|oh|ah|aha|hm|hmm|huh|oops|ugh|yay|got it|i got it|i see|i understand|understood|makes sense|that makes sense|it makes sense|\
    cool|nice|great|awesome|perfect|excellent|amazing|wonderful|fantastic|brilliant|impressive|interesting|good|very good|so good|\
    very helpful|very nice|so cool|helpful|that works|that worked|it works|it worked|works|it works now|sounds good|looks good|\
    sounds great|looks great|that's great|that's good|that's helpful|that's nice|that's cool|that's it|that's all|that's funny|that's interesting|that was helpful|that helps|that helped|this is great|this is helpful|\
    this is perfect|this is amazing|good job|well done|nice work|nice one|great job|great work|good point|fair enough|sure|alright|all right|fine|np|no problem|no worries|you're welcome|never mind|nevermind|nvm|funny|\
    really|seriously|you rock|you're the best|you are the best|\
    love it|i love it|congrats|congratulations|good to know|noted|roger|done|all good|my bad|sorry|no thanks|yes please|\
    thankyou|bravo|pardon|oh well|oh no|too bad";
/// The same, after another.
const TAILS: &str = "again|there|everyone|assistant|bot|chatgpt|buddy|friend|my friend|so|very|much|then|man|dude|please|well|\
    a lot|sir|for now|now|but|and|too|all|for your time";
const FILLERS: &str = "hi|hello|hey|hi there|hello there|ok|okay|so|well|and|but|also|then|now|just|oh|um|hmm|right|alright|\
    thanks|thank you|btw|by the way|quick question|one more thing|one more question|another question|question|first|next|finally|\
    actually|basically|or|sorry|excuse me|good morning|good evening|great|cool|again|instead|alternatively|specifically|\
    generally|in general|more generally|out of curiosity|just curious|dear|lastly|secondly|firstly";
const POLITE: &str = "can you|could you|would you|will you|can you please|could you please|would you please|will you please|please|\
    pls|plz|kindly|would you mind|i want you to|i need you to|i'd like you to|i would like you to|can you help me|could you help me|\
    help me|help me to|please help me|let's|lets|let us|go ahead and|try to|i want to know|i'd like to know|i need to know|\
    i was wondering if you could|i was wondering if|i was wondering|i'm wondering|i wonder|i wonder if|do you know|any idea|\
    tell me|please tell me|can you tell me|could you tell me|may i ask|can i ask|i have a question|i'm curious|i just want to know|\
    do me a favor and|are you able to|is it possible for you to";

const STANDING: &str = "call me|address me|refer to me|calling me|from now on|from here on|in future|in the future|going forward|\
    keep in mind|bear in mind|don't forget|do not forget|make sure|speak to me|talk to me|answer me|answer in|reply in|respond in|\
    reply to me|respond to me|each time|every time|whenever you|by default|at all times|always|never again|remind me|save this|\
    store this|note that|stop using|stop calling|stop saying|take note|make a note|your name is|call you|my name is|my name's|my birthday is|my age is|my email is";
/// The same, where a request begins with it.
const STANDING_FIRST: &str = "always|never|don't|dont|do not|stop|avoid|no|be|keep|remember|forget|note|answer|reply|respond|speak|\
    talk|prefer|quit|refrain|only|stick|skip|act|treat|limit|assume";
/// Kept whoever it is of, where the speaker is in the clause or something is wanted.
const LIFE: &str = "allergic|allergy|allergies|pregnant|pregnancy|vegan|vegetarian|diabetic|diabetes|divorce|divorced|married|\
    marry|marrying|birthday|anniversary|wedding|engaged|proposal|honeymoon|interview|exam|exams|flight|trip|moving|move to|move out|\
    resignation|quit|unemployed|retired|retire|retirement|depressed|depression|anxiety|insomnia|tired|diagnosed|surgery|gluten|\
    intolerant|lactose|asthma|adhd|autistic|hiv|cancer|blood pressure|cholesterol|injury|injured|weight|my age|vacation|holiday|\
    visa|immigrate|mortgage|rent|salary|laid off|fired|job offer|the job|new job|graduate|graduation|breakup|break up|broke up|\
    cheating|funeral|passed away|kosher|halal|left-handed|colorblind|colour-blind|dyslexic|wheelchair|marathon|tomorrow|tonight|\
    next week|next month|next year|this weekend|on monday|on tuesday|on wednesday|on thursday|on friday|on saturday|on sunday|\
    year old|years old|yo|year-old|every day|every morning|every night|lately|recently|usually|hotel|\
    itinerary|gift|gifts|travel to|grief|puppy|kitten|dog|\
    visit|visiting|fly to|stay in|skin|hair|beginner|beginners";
/// Kept whoever it is of.
const AGES: &str = "year old|years old|year-old|year-olds|pregnant|diagnosed";
/// The speaker in other languages.
const FOREIGN: &str = "ich|mein|meine|meiner|meinen|je|j'ai|mon|ma|mes|yo|mi|mis|soy|tengo|estoy|eu|meu|minha|sono|mio|ik|mijn|saya";

const AUXILIARIES: &str = "do|does|did|can|could|should|would|will|shall|may|might|must|am|is|are|was|were|have|has|had|don't|doesn't|\
    didn't|can't|couldn't|shouldn't|wouldn't|won't|isn't|aren't|wasn't|weren't|haven't|hasn't|cant|dont|isnt";
const ASKING: &str = "what|what's|whats|who|who's|whose|whom|where|where's|why|why's|how|how's|which|when|when's|hows|wheres|whos";
/// Begin a question that has no verb, where a question mark ends it.
const SHORT: &str = "any|best|difference|ways|way|reason|reasons|tips|possible|worth|what|anything|anyone|meaning|capital|examples|\
    example|better|recommendations|suggestions|or|and you|ready|more|else|like";
const SUBJECTS: &str = "i|you|we|he|she|it|they|there|this|that|these|those|the|a|an|my|your|our|his|her|its|their|any|anyone|all|\
    some|someone|somebody|people|most|one|both|everyone|nobody|only";
const PRONOUNS: &str = "i|you|we|he|she|it|they|there|anyone|someone";

const DEEDS: &str = "write|translate|summarise|summarize|explain|list|tell|give|show|make|create|generate|convert|fix|rewrite|rephrase|\
    paraphrase|proofread|correct|edit|improve|shorten|expand|elaborate|describe|define|compare|contrast|calculate|compute|solve|prove|\
    find|search for|look up|recommend|suggest|draw a|draw me|draw an|draw the|design a|design an|design the|build a|build me|build an|\
    build the|implement|code a|code this|refactor|debug|optimize|optimise|review|check|analyze|analyse|continue|go on|keep going|try|\
    try again|again|more|next|one more|another|another one|do it|do this|do that|do the same|repeat|redo|play a|play chess|let me see|\
    format|sort|extract|classify|count the|count to|count how|outline|draft|compose|plan a|plan an|plan the|plan out|brainstorm|\
    name a|name the|name some|name three|name five|name ten|provide|print|run it|run this|run the|test this|test it|simulate|pretend|\
    imagine|teach me|help me|help with|help understand|understand|quiz me|ask me|guess|choose|pick|add|remove|change|replace|turn this|\
    turn it|turn the|simplify|clarify|finish|complete|evaluate|estimate|discuss|walk me through|spell|pronounce|say it|say that|\
    sing a|sing me|read this|read the|sum up|break down|point out|figure out|come up with|get me|get the|return the|output|put it|\
    tl;dr|tldr|recap|start over|start again|start with|go ahead|take this|take the|use the|let me know|swap|split|merge|combine|\
    reverse|shorter|longer|insert";
const MATERIAL: &str = "translate|translation|summarise|summarize|summary|rewrite|rephrase|paraphrase|proofread|shorten|grammar|\
    tldr|tl;dr|condense|polish";
/// The same, where the text does not speak of the speaker.
const SOFT_MATERIAL: &str = "correct|fix|edit|improve|expand|explain|extract|analyze|analyse|simplify|classify|review|convert|mean|\
    sentiment|format|sort";
/// Of these the speaker's own text is made: what follows is about them.
const OWN_TEXTS: &str = "resume|cv|bio|profile|cover letter|report|status update|situation|plan";
/// Begin what belongs to a question or a request and says nothing by itself.
const LEANING: &str = "in|on|if|when|given|for|with|without|using|at|after|before|during|assuming|suppose|considering|while|as in|like|\
    including|include|no more than|under|max|about|to|between|among|unless|e.g|eg|i.e|such as|not|preferably|ideally|into|by|\
    rather than|instead of|per|say|let|until|once|at least|at most|etc|one sentence|one word|in short|regarding|concerning|via";

/// After a noun that might be a deed: "review is on Friday".
const STATED: &str = "is|are|was|were|isn't|wasn't|has|had|will|came|went|starts|started|ends|ended|of|got|results|result|\
    shows|went|gets|goes|looks|date|day|time|engine";
/// Before "me": something is wanted for the speaker.
const FOR_ME: &str = "give|tell|show|help|let|teach|send|make|write|find|get|recommend|explain|to|for|ask|quiz|draw|suggest|build|\
    create|with|helps|gives|tells|understand|walk|remember|about";
/// Begin with "I", and only ask.
const WISHES: &str = "i want you to|i need you to|i'd like you to|i would like you to|i want to know|i need to know|i'd like to know|\
    i would like to know|i wonder|i was wondering|i'm wondering|i have a question|i had a question|i have another question|\
    i have one more question|i need help|i don't understand|i don't get it|i didn't understand|i'm curious|i want to understand|\
    i just want to know|i need some help|i mean|i don't know what|i don't know how|i don't know why|i guess|i see|i understand";
/// After "am I".
const AM_I: &str = "right|correct|wrong|able|allowed|supposed|missing|doing|getting|seeing|understanding|using|reading|talking|\
    speaking|chatting|making|clear";
/// The speaker's things that a question may name without saying anything.
const THINGS: &str = "code|file|files|script|program|function|class|query|text|sentence|paragraph|question|questions|name|\
    previous|last|first|next|own|answer|understanding|app|website|page|data|table|input|output|terminal|browser|computer|laptop|\
    screen|phone number|birthday|age|email|mind|favorite|favourite|grammar|english|spelling|loop|test|tests|build|repo|branch|array|\
    list|string|model|server|database|prompt|message|messages|draft|homework|wifi|password|info|information|chat|memory|memories|\
    life|time|shell|editor|config|package|project|document|spreadsheet|data set|dataset|folder|directory|image";
/// After "as a", "as an": no role of the speaker.
const NO_ROLES: &str = "result|example|reminder|joke|table|list|bonus|function|json|ai|model|string|whole|rule|percentage|number|\
    consequence|start|follow-up|side|last|first|language|general|service|variable|map|tuple|markdown|csv|poem|story|haiku";

/// The words of a clause, without the marks around them.
pub fn words(clause: &str) -> Vec<&str> {
    let is_mark = |character: char| !character.is_alphanumeric();
    let words =
        clause.split(|character: char| !(character.is_alphanumeric() || "'-;.+#&_".contains(character)));
    words.map(|word| word.trim_matches(is_mark)).filter(|word| !word.is_empty()).collect()
}

/// Whether somebody speaks of themselves in a line, and not a program of its `i`.
pub fn speaks(line: &str) -> bool {
    let parts: Vec<&str> = line.split_whitespace().collect();
    let is_self = |word: &str, next: &str| match word {
        "i" => next.starts_with(char::is_alphabetic) && next != "in",
        _ => matches!(word, "i'm" | "i've" | "my" | "we" | "our" | "we're"),
    };
    parts.iter().enumerate().any(|(at, word)| is_self(word, parts.get(at + 1).copied().unwrap_or_default()))
}

/// Whether a line asks for something to be done to the text that follows it.
pub fn is_about_material(line: &str, text: &str) -> bool {
    let (before, last) = line.rsplit_once(',').unwrap_or(("", line));
    let all = words(last);
    let rest = without(without(&all, FILLERS), POLITE);
    let head = all.get(..12).unwrap_or(&all);
    let names_text =
        among(head, "text|below|following|this|sentence|paragraph|article|passage|email|document");
    let table_fits = |table| opening(rest, table).is_some() || names_text && among(head, table);
    let is_soft = || !text.lines().any(speaks) && table_fits(SOFT_MATERIAL);
    !speaks(before) && !among(head, OWN_TEXTS) && (table_fits(MATERIAL) || is_soft())
}

/// The words after the items of a table that they begin with.
fn without<'w, 't>(words: &'w [&'t str], table: &str) -> &'w [&'t str] {
    let mut rest = words;
    while let Some(after) =
        opening(rest, table).and_then(|taken| rest.get(taken..)).filter(|after| !after.is_empty())
    {
        rest = after;
    }
    rest
}

/// What a clause holds; `asks` where a question mark follows it.
pub fn judge(clause: &str, asks: bool) -> Verdict {
    let all = words(clause);
    if let Some(found) = said_by_habit(&all) {
        return Verdict::Skip(found);
    }
    let body = without(&all, FILLERS);
    let plain = without(body, POLITE);
    let is_polite = plain.len() < body.len();
    let is_question = is_question(body, asks) || is_question(plain, asks);
    let is_stated = body.get(1).is_some_and(|word| is(word, STATED));
    let is_request = !is_stated && [plain, body].iter().any(|words| opening(words, DEEDS).is_some());
    let speaker = Speaker::of(body, is_question, is_question || is_request);
    let topic = plain.split(|word| *word == "about").next().unwrap_or(plain);
    let is_standing = among(body, STANDING)
        && (is_polite || !is_question || opening(body, "why|do|does|did|what|how|is").is_none())
        || opening(plain, STANDING_FIRST).is_some() && (is_polite || !is_question);
    let has_lasting = speaker == Speaker::Tells
        || is_standing
        || names_role(body, speaker)
        || [KIN_EN, AGES].iter().any(|table| among(topic, table))
        || among(body, FOREIGN)
        || (speaker == Speaker::Asks || is_request && !is_question) && among(topic, LIFE)
        || speaker == Speaker::Asks && among(topic, PEOPLE_EN);
    if has_lasting {
        Verdict::Keep
    } else if is_question && !(is_polite && opening(plain, DEEDS).is_some()) {
        Verdict::Skip(Skip::Question)
    } else if is_request {
        Verdict::Skip(Skip::Request)
    } else if !asks && opening(body, LEANING).is_some() || speaker == Speaker::Asks {
        if among(body, LIFE) { Verdict::Keep } else { Verdict::Topic }
    } else if asks && body.len() <= 4 && !among(body, LIFE) {
        Verdict::Aside
    } else {
        Verdict::Keep
    }
}

/// Whether the speaker names what they are: "as a nurse".
fn names_role(words: &[&str], speaker: Speaker) -> bool {
    let role = |at: usize| words.get(at..).and_then(|rest| rest.get(opening(rest, "as a|as an")?).copied());
    let until = if speaker == Speaker::Absent { 1 } else { words.len() };
    (0..until).filter_map(role).any(|noun| !is(noun, NO_ROLES))
}

/// The reason, where words are nothing but greetings and reactions.
fn said_by_habit(words: &[&str]) -> Option<Skip> {
    let reason = if opening(words, GREETINGS).is_some() { Skip::Greeting } else { Skip::Reaction };
    let mut rest = words;
    while !rest.is_empty() {
        let known = opening(rest, GREETINGS).max(opening(rest, REACTIONS));
        let taken = known.max(opening(rest, TAILS).filter(|_| rest.len() < words.len()))?;
        rest = rest.get(taken..)?;
    }
    Some(reason)
}

fn is_question(words: &[&str], asks: bool) -> bool {
    let first = words.first().copied().unwrap_or_default();
    let second = words.get(1).copied().unwrap_or_default();
    let inverts = match first {
        "have" | "has" | "had" | "do" | "may" => is(second, PRONOUNS),
        _ => is(second, SUBJECTS),
    };
    is(first, ASKING)
        || is(first, AUXILIARIES) && (asks || inverts)
        || asks && (words.iter().any(|word| is(word, ASKING) || is(word, AUXILIARIES)) || is(first, SHORT))
}

/// How the speaker is in a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Absent,
    /// Only as the one who asks.
    Asks,
    Tells,
}

impl Speaker {
    /// `wants`: the clause is a question or a request.
    fn of(words: &[&str], is_question: bool, wants: bool) -> Self {
        let mut speaker = Self::Absent;
        let wishes = opening(words, WISHES).unwrap_or(0);
        for (at, word) in words.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
            let rest = words.get(at + 1..).unwrap_or_default();
            let after = rest.first().copied().unwrap_or_default();
            let is_known = match *word {
                "i" | "we" if before == "am" => after.is_empty() || is(after, AM_I),
                "i" | "we" => {
                    let asks =
                        is_question && (is(before, AUXILIARIES) || is(before, ASKING) && before != "when");
                    asks || at < wishes || wants && before == "if"
                }
                "i'm" | "i'd" | "i've" | "i'll" => at < wishes,
                "us" if before == "the" => continue,
                "me" | "us" => at > 0 && (is(before, FOR_ME) || before == "let"),
                "my" | "our" => {
                    let is_being = [KIN_EN, PEOPLE_EN, OTHERS_EN].iter().any(|table| is(after, table));
                    wants && !is_being && opening(rest, THINGS).is_some()
                }
                "we're" | "we've" | "we'd" | "we'll" | "im" | "ive" | "mine" | "ours" => false,
                _ => continue,
            };
            if !is_known {
                return Self::Tells;
            }
            speaker = Self::Asks;
        }
        speaker
    }
}
