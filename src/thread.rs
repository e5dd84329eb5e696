//! A thread: one conversation, as the lines of a file that are only ever appended.
//!
//! Each line stands for itself (who, when, what, and what it cost), so that a file can be read by any program and
//! a torn line loses nothing but itself. What a line takes back stays in the file and is no longer sent. Nothing
//! here reads a file or a clock.

pub mod export;

use serde::{Deserialize, Serialize};

use crate::message::{Attachment, Message, Turn};
use crate::search::normal;

/// Columns of a title: Chinese characters take two.
const TITLE_COLUMNS: usize = 40;
/// What stands in the place of each byte of words that the user has deleted.
pub const DELETED: char = '*';
/// Characters before and behind what was found.
const AROUND: usize = 24;
/// Letters at the beginning that are not cut off for being before that.
const NEAR: usize = 8;

/// One line of a thread's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum Line {
    User {
        /// Local ISO-8601 time with its offset, as in all lines.
        at: String,
        content: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
        /// The turn that this one takes the place of, once it is answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaces: Option<usize>,
    },
    /// The answer to the user line before it.
    Assistant {
        at: String,
        content: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
        #[serde(default)]
        model: String,
        #[serde(default)]
        usage: Spent,
    },
    Title {
        at: String,
        content: String,
        by: Titled,
    },
    /// Turns that are no longer part of the conversation.
    Withdrawn {
        at: String,
        turns: Vec<usize>,
    },
    /// Stands for all turns up to `through`.
    Summary {
        at: String,
        content: String,
        through: usize,
        #[serde(default)]
        usage: Spent,
    },
    /// The thread that the lines before this one were copied from.
    Forked {
        at: String,
        from: String,
    },
}

/// Who has given a thread its title.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Titled {
    Model,
    User,
}

/// Tokens as the endpoint has counted them, over one or more requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spent {
    #[serde(default)]
    pub requests: u64,
    #[serde(default)]
    pub prompt_tokens: u64,
    /// Of these, those that the endpoint had read before.
    #[serde(default)]
    pub cached_tokens: u64,
    #[serde(default)]
    pub completion_tokens: u64,
}

impl Spent {
    pub fn add(&mut self, other: Self) {
        self.requests += other.requests;
        self.prompt_tokens += other.prompt_tokens;
        self.cached_tokens += other.cached_tokens;
        self.completion_tokens += other.completion_tokens;
    }
}

/// A message of the user, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Counts from 1, in the order of the file.
    pub number: usize,
    pub at: String,
    said: Said,
    /// Its answer is not part of the conversation any more.
    gone: bool,
    replaces: Option<usize>,
    pub model: String,
    pub spent: Spent,
}

#[derive(Debug, Clone, PartialEq)]
enum Said {
    Waiting(Message),
    Answered(Turn),
}

impl Entry {
    pub fn message(&self) -> &Message {
        match &self.said {
            Said::Waiting(message) => message,
            Said::Answered(turn) => turn.message(),
        }
    }

    /// The message with its answer, once it has one.
    pub fn turn(&self) -> Option<&Turn> {
        match &self.said {
            Said::Waiting(_) => None,
            Said::Answered(turn) => Some(turn),
        }
    }

    /// Whether it is part of the conversation.
    pub fn is_live(&self) -> bool {
        !self.gone && self.turn().is_some()
    }

    /// Whether another answer has taken its place, or the user has taken it back.
    pub fn is_gone(&self) -> bool {
        self.gone
    }
}

/// What stands for the turns up to number `through`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub content: String,
    pub through: usize,
    /// Its own words were deleted; `content` is that of the one before it.
    deleted: bool,
}

/// A conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    pub id: String,
    pub forked_from: Option<String>,
    title: Option<(Titled, String)>,
    entries: Vec<Entry>,
    summaries: Vec<Summary>,
    /// What summaries have cost.
    summarised: Spent,
    updated_at: String,
}

impl Thread {
    pub fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            forked_from: None,
            title: None,
            entries: Vec::new(),
            summaries: Vec::new(),
            summarised: Spent::default(),
            updated_at: String::new(),
        }
    }

    /// Reads the text of a file; also how many of its lines are none.
    pub fn read(id: &str, text: &str) -> (Self, usize) {
        let mut thread = Self::new(id);
        let mut strange = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(line) => thread.apply(line),
                Err(_) => strange += 1,
            }
        }
        (thread, strange)
    }

    /// Takes a line in.
    pub fn apply(&mut self, line: Line) {
        match line {
            Line::User { at, content, attachments, replaces } => {
                let sent: String = at.chars().take(16).collect();
                let message =
                    Message::new(&content).sent_at(&sent.replace('T', " ")).with_attachments(attachments);
                self.updated_at.clone_from(&at);
                self.entries.push(Entry {
                    number: self.entries.len() + 1,
                    at,
                    said: Said::Waiting(message),
                    gone: false,
                    replaces,
                    model: String::new(),
                    spent: Spent::default(),
                });
            }
            Line::Assistant { at, content, cut, model, usage } => {
                self.updated_at = at;
                self.answer(&content, cut, model, usage);
            }
            Line::Title { content, by, .. } => {
                let mine = self.title.as_ref().map(|(by, _)| *by);
                if !is_deleted(&content) && mine.is_none_or(|mine| by >= mine) {
                    self.title = Some((by, content.trim().to_owned()));
                }
            }
            Line::Withdrawn { at, turns } => {
                self.updated_at = at;
                turns.into_iter().for_each(|number| self.withdraw(number));
            }
            Line::Summary { mut content, through, usage, .. } => {
                self.summarised.add(usage);
                // Its turns stay out all the same.
                let deleted = is_deleted(&content);
                if deleted {
                    content = self.summary().map(|before| before.content.clone()).unwrap_or_default();
                }
                self.summaries.push(Summary { content, through, deleted });
            }
            Line::Forked { from, .. } => self.forked_from = Some(from),
        }
    }

    /// The last message is answered, once; what it was asked in the place of goes.
    fn answer(&mut self, content: &str, cut: bool, model: String, usage: Spent) {
        let waiting = |entry: &&mut Entry| matches!(entry.said, Said::Waiting(_));
        let Some(entry) = self.entries.last_mut().filter(waiting) else { return };
        let Some(turn) = Turn::new(entry.message().clone(), content, cut) else { return };
        (entry.said, entry.model, entry.spent) = (Said::Answered(turn), model, usage);
        for replaced in self.replaced(self.entries.last().and_then(|entry| entry.replaces)) {
            self.withdraw(replaced);
        }
    }

    /// The numbers of the turns that go once what is asked in the place of `number` is answered: that one, and what
    /// it was asked in the place of itself, without ever being answered.
    pub fn replaced(&self, number: Option<usize>) -> Vec<usize> {
        let mut replaced = Vec::new();
        let mut next = number;
        while let Some(number) = next.filter(|number| !replaced.contains(number)) {
            replaced.push(number);
            next = number.checked_sub(1).and_then(|place| self.entries.get(place)?.replaces);
        }
        replaced
    }

    fn withdraw(&mut self, number: usize) {
        if let Some(entry) = number.checked_sub(1).and_then(|place| self.entries.get_mut(place)) {
            entry.gone = true;
        }
        // A summary that tells of it stands for nothing any more.
        self.summaries.retain(|summary| summary.through < number || summary.deleted);
    }

    /// All messages ever, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The turns that are part of the conversation, oldest first.
    pub fn live(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_live())
    }

    /// What stands for the older turns.
    pub fn summary(&self) -> Option<&Summary> {
        self.summaries.last()
    }

    /// The live turns that no summary stands for.
    pub fn unsummarised(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        let through = self.summary().map_or(0, |summary| summary.through);
        self.live().filter(move |entry| entry.number > through)
    }

    /// The last message that is not taken back, answered or not.
    pub fn last(&self) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| !entry.gone)
    }

    /// The numbers of the last `count` messages that are not taken back, latest first.
    pub fn last_numbers(&self, count: usize) -> Vec<usize> {
        self.entries.iter().rev().filter(|entry| !entry.gone).take(count).map(|entry| entry.number).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn created_at(&self) -> &str {
        self.entries.first().map_or("", |entry| &entry.at)
    }

    pub fn updated_at(&self) -> &str {
        &self.updated_at
    }

    /// The title, given by somebody or taken from the first message that has words; empty for an empty thread.
    pub fn title(&self) -> String {
        match &self.title {
            Some((_, title)) => title.clone(),
            // The words of the first message may have been forgotten.
            None => {
                let mut titles = self.entries.iter().map(|entry| shortened(entry.message().text()));
                titles.find(|title| !is_deleted(title)).unwrap_or_default()
            }
        }
    }

    /// Who has given it its title; nobody, while it is the beginning of the first message.
    pub fn titled(&self) -> Option<Titled> {
        self.title.as_ref().map(|(by, _)| *by)
    }

    /// What it has cost so far, summaries and answers that were taken back included.
    pub fn spent(&self) -> Spent {
        let mut spent = self.summarised;
        self.entries.iter().for_each(|entry| spent.add(entry.spent));
        spent
    }

    /// Where all of `words` stand in the title or in one message or answer: a piece of the text around the first
    /// of them. Case, width and script of characters make no difference.
    pub fn find(&self, words: &[String]) -> Option<String> {
        let texts = std::iter::once(self.title()).chain(self.live().flat_map(|entry| {
            let answer = entry.turn().map(|turn| turn.answer().to_owned()).unwrap_or_default();
            [entry.message().text().to_owned(), answer]
        }));
        let found = |text: &String| {
            let text = normal(text);
            words.iter().all(|word| text.contains(word.as_str()))
        };
        texts.into_iter().find(found).map(|text| piece(&text, words.first().map_or("", String::as_str)))
    }
}

/// Whether nothing is left of a text.
fn is_deleted(text: &str) -> bool {
    text.chars().all(|letter| letter == DELETED || letter.is_whitespace())
}

/// The words of a query in the form that [`Thread::find`] takes.
pub fn query(text: &str) -> Vec<String> {
    text.split_whitespace().map(normal).filter(|word| !word.is_empty()).collect()
}

/// The first line of `text`, cut to the width of a title.
pub fn shortened(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut columns = 0;
    let fits = |letter: &char| {
        columns += if letter.is_ascii() { 1 } else { 2 };
        columns <= TITLE_COLUMNS
    };
    let title: String = line.chars().take_while(fits).collect();
    if title.len() == line.len() { title } else { format!("{}…", title.trim_end()) }
}

/// A piece of `text` around `word`, in one line.
fn piece(text: &str, word: &str) -> String {
    let line: Vec<char> = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    // Letters that count stand at these places.
    let places: Vec<(usize, char)> = line
        .iter()
        .enumerate()
        .flat_map(|(place, letter)| {
            normal(&letter.to_string()).chars().map(move |l| (place, l)).collect::<Vec<_>>()
        })
        .collect();
    let letters: String = places.iter().map(|(_, letter)| letter).collect();
    let before =
        letters.find(word).map_or(0, |start| letters.get(..start).map_or(0, |head| head.chars().count()));
    let start = places.get(before).map_or(0, |(place, _)| *place).saturating_sub(AROUND);
    // A few letters more do not deserve a mark that they are missing.
    let start = if start <= NEAR { 0 } else { start };
    let end = (start + 2 * AROUND + word.chars().count()).min(line.len());
    let cut: String = line.get(start..end).unwrap_or_default().iter().collect();
    let (head, tail) = (if start > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    format!("{head}{}{tail}", cut.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(content: &str, replaces: Option<usize>) -> Line {
        let at = "2026-11-30T20:36:01+08:00".to_owned();
        Line::User { at, content: content.into(), attachments: Vec::new(), replaces }
    }

    fn answer(content: &str) -> Line {
        let usage = Spent { requests: 1, prompt_tokens: 10, cached_tokens: 4, completion_tokens: 2 };
        let at = "2026-11-30T20:36:09+08:00".to_owned();
        Line::Assistant { at, content: content.into(), cut: false, model: "m".into(), usage }
    }

    fn thread(lines: Vec<Line>) -> Thread {
        let text: String =
            lines.iter().map(|line| format!("{}\n", serde_json::to_string(line).unwrap())).collect();
        let (thread, strange) = Thread::read("t", &text);
        assert_eq!(strange, 0);
        thread
    }

    fn live(thread: &Thread) -> Vec<(usize, &str)> {
        thread.live().map(|entry| (entry.number, entry.message().text())).collect()
    }

    #[test]
    fn lines_are_plain_json_for_other_programs() {
        let line = serde_json::to_value(answer("hello")).unwrap();
        assert_eq!(
            line,
            serde_json::json!({"role": "assistant", "at": "2026-11-30T20:36:09+08:00", "content": "hello", "model": "m",
                "usage": {"requests": 1, "prompt_tokens": 10, "cached_tokens": 4, "completion_tokens": 2}})
        );
        let (thread, strange) = Thread::read(
            "t",
            "{\"role\":\"user\",\"at\":\"2026-11-30T20:36:01+08:00\",\"content\":\"hi\"}\nnoise\n{\"role\":\"us",
        );
        assert_eq!(
            (thread.last().unwrap().message().words(""), strange),
            ("[2026-11-30 20:36]\nhi".to_owned(), 2)
        );
        assert_eq!(thread.live().count(), 0, "it has no answer");
    }

    #[test]
    fn an_answer_asked_for_again_takes_the_place_of_the_old_one() {
        let mut thread = thread(vec![user("a", None), answer("1"), user("a", Some(1))]);
        assert_eq!(live(&thread), [(1, "a")], "not before it is there");
        thread.apply(answer("2"));
        assert_eq!(live(&thread), [(2, "a")]);
        assert_eq!(thread.spent().prompt_tokens, 20, "both were paid for");
    }

    #[test]
    fn what_is_taken_back_takes_its_summary_along() {
        let at = String::new;
        let mut lines = Vec::new();
        for number in 1..=4 {
            lines.extend([user(&number.to_string(), None), answer("ok")]);
        }
        let summary = |content: &str, through| {
            let usage = Spent::default();
            Line::Summary { at: at(), content: content.into(), through, usage }
        };
        lines.extend([summary("one", 1), summary("three", 3)]);
        let mut thread = thread(lines);
        assert_eq!(thread.unsummarised().map(|entry| entry.number).collect::<Vec<_>>(), [4]);
        thread.apply(Line::Withdrawn { at: at(), turns: thread.last_numbers(2) });
        assert_eq!(live(&thread), [(1, "1"), (2, "2")]);
        assert_eq!(thread.summary().map(|summary| summary.content.as_str()), Some("one"));
        assert_eq!(thread.unsummarised().map(|entry| entry.number).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn titles() {
        let mut thread = thread(vec![user(
            "\n  第一行是这样开始的，后面还有很多很多很多很多的字，放不下了\n第二行",
            None,
        )]);
        assert_eq!(thread.title(), "第一行是这样开始的，后面还有很多很多很多…");
        let title = |by, content: &str| Line::Title { at: String::new(), content: content.into(), by };
        thread.apply(title(Titled::Model, "模型给的"));
        thread.apply(title(Titled::User, "我的"));
        thread.apply(title(Titled::Model, "模型又给"));
        assert_eq!((thread.title().as_str(), thread.titled()), ("我的", Some(Titled::User)));
        assert_eq!(Thread::new("t").title(), "");
    }

    #[test]
    fn an_answer_without_a_message_is_nobody_s() {
        let mut thread = thread(vec![user("a", None), answer("1")]);
        thread.apply(answer("2"));
        assert_eq!(thread.live().next().unwrap().turn().unwrap().answer(), "1");
    }

    #[test]
    fn a_summary_that_was_deleted_keeps_its_place() {
        let summary = |content: &str, through| {
            let at = String::new();
            Line::Summary { at, content: content.into(), through, usage: Spent::default() }
        };
        let mut lines = Vec::new();
        for number in 1..=6 {
            lines.extend([user(&number.to_string(), None), answer("x")]);
        }
        lines.extend([summary("of two", 2), summary("****", 4)]);
        lines.push(Line::Withdrawn { at: String::new(), turns: vec![3] });
        let thread = thread(lines);
        let summary = thread.summary().unwrap();
        assert_eq!((summary.content.as_str(), summary.through), ("of two", 4));
        assert_eq!(thread.unsummarised().map(|entry| entry.number).collect::<Vec<_>>(), [5, 6]);
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        let thread = thread(vec![
            user("Where is the Müller report?", None),
            answer("In the folder 臺灣, next to the 2026 budget that nobody has ever read to the end"),
        ]);
        assert_eq!(thread.find(&query("müller REPORT")).as_deref(), Some("Where is the Müller report?"));
        let found = thread.find(&query("budget 台湾")).unwrap();
        assert!(found.contains("2026 budget") && found.ends_with('…'), "{found}");
        assert_eq!(thread.find(&query("report budget")), None, "not in one text");
        assert_eq!(thread.find(&query("nothing")), None);
    }
}
