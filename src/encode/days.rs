//! The days that contents speak of: computed from the user's words, and written behind them.

use std::ops::Range;

use chrono::NaiveDateTime;

use crate::dates::{self, When};
use crate::search::normal;

/// The content with the days that its words name, and the first of them, or the day that `quote` or `when` name.
/// `None` where a date is not in the user's `message`.
pub fn dated(
    content: String,
    when: &str,
    quote: &str,
    message: &str,
    now: NaiveDateTime,
) -> Option<(String, Option<When>)> {
    let named: Vec<When> = all_dates(message, now).into_iter().map(|found| found.when).collect();
    let mut annotated = content.clone();
    let mut first = None;
    for found in all_dates(&content, now).into_iter().rev() {
        let named_words = content.get(found.words.clone()).unwrap_or_default();
        if is_title(&content, &found.words) {
            continue;
        }
        if !named.contains(&found.when) && !normal(message).contains(&normal(named_words)) {
            return None;
        }
        let digits = named_words.chars().filter(char::is_ascii_digit).count();
        let yearly = recurs(&content) && digits > 0;
        if !yearly {
            first = Some(found.when);
        }
        if digits < 4 && !yearly {
            annotated.insert_str(found.words.end, &format!(" ({})", found.when));
        }
    }
    if first.is_some() || !all_dates(&content, now).is_empty() {
        return Some((annotated, first));
    }
    let is_said = |when: &&str| !when.is_empty() && normal(message).contains(&normal(when));
    let date = dates::resolve(quote, now).or_else(|| dates::resolve(Some(when).filter(is_said)?, now));
    Some((content, date))
}

/// Whether words stand in a title or between quotation marks.
fn is_title(content: &str, place: &Range<usize>) -> bool {
    let before = content.get(..place.start).and_then(|before| before.chars().next_back());
    let behind = content.get(place.end..).and_then(|behind| behind.chars().next());
    let marks = ["《》", "“”", "\"\"", "「」", "『』", "‘’", "''"];
    let pair: String = before.into_iter().chain(behind).collect();
    marks.contains(&pair.as_str())
}

/// A text without the words that name days, which are compared as days.
pub fn without_days(text: &str, now: NaiveDateTime) -> String {
    let mut text = text.to_owned();
    for found in all_dates(&text.clone(), now).into_iter().rev() {
        text.replace_range(found.words, " ");
    }
    text
}

/// Dates that come back every year say nothing of when something holds.
pub fn recurs(content: &str) -> bool {
    const YEARLY: [&str; 6] = ["生日", "纪念日", "每年", "birthday", "anniversary", "every year"];
    let content = content.to_lowercase();
    YEARLY.iter().any(|word| content.contains(word))
}

/// Every date that a text names, in order.
fn all_dates(text: &str, now: NaiveDateTime) -> Vec<dates::Found> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(date) = text.get(start..).and_then(|rest| dates::first(rest, now)) {
        let words = start + date.words.start..start + date.words.end;
        if words.is_empty() {
            break;
        }
        start = words.end;
        found.push(dates::Found { words, ..date });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_stand_behind_their_words() {
        let now = "2026-11-30T20:15:00".parse().unwrap();
        let check = |content: &str, message: &str, expected: Option<(&str, Option<&str>)>| {
            let got = dated(content.to_owned(), "", "", message, now);
            let got = got.map(|(content, day)| (content, day.map(|day| day.to_string())));
            let expected = expected.map(|(content, day)| (content.to_owned(), day.map(str::to_owned)));
            assert_eq!(got, expected, "{content}");
        };
        check(
            "用户明天要去体检",
            "我明天要去体检",
            Some(("用户明天 (2026-12-01)要去体检", Some("2026-12-01"))),
        );
        check("用户5月3日结婚", "我明天结婚", None);
        check("用户的生日是5月3日", "我的生日是5月3日", Some(("用户的生日是5月3日", None)));
        check("用户喜欢《后天》", "我喜欢《后天》", Some(("用户喜欢《后天》", None)));
        check(
            "The user moved on 2026-01-02",
            "I moved on 2026-01-02",
            Some(("The user moved on 2026-01-02", Some("2026-01-02"))),
        );
    }
}
