//! The days that contents speak of: computed from the user's words, and written behind them.

use std::ops::Range;

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime};

use super::wording::{Script, script};
use crate::dates::{self, When};
use crate::search::normal;

/// How much time words name: a day, or more than one of which only the first is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    Day,
    Week,
    Month,
    Year,
}

impl Span {
    /// The span of words that were resolved.
    pub fn of(words: &str) -> Self {
        let mut words = words.to_lowercase();
        for season in ["春", "夏", "秋", "冬"] {
            words = words.replace(&format!("{season}天"), season);
        }
        let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
        let numbered = words.chars().any(|letter| letter.is_ascii_digit());
        let day_zh =
            has(&["一", "二", "三", "四", "五", "六", "日", "天", "号", "末", "底", "初", "节", "前", "后"]);
        let day_en =
            has(&["day", "end", "ago", "in ", "from", "eve", "before", "after", "start", "beginning"]);
        if numbered && !has(&["年"]) || day_en {
            return Self::Day;
        }
        let weekday = has(&["周", "星期", "礼拜"]) && day_zh;
        match () {
            () if has(&["week"]) || (has(&["周", "星期", "礼拜"]) && !weekday) => Self::Week,
            () if has(&["month"]) || (has(&["月"]) && !day_zh && !has(&["号"])) => Self::Month,
            () if has(&["year", "summer", "winter", "spring", "autumn", "fall"]) => Self::Year,
            () if has(&["年", "春", "夏", "秋", "冬"]) && !day_zh && !has(&["月"]) => Self::Year,
            () => Self::Day,
        }
    }

    /// The last day of the span that begins on `day`.
    pub fn last_day(self, day: NaiveDate) -> NaiveDate {
        let end = match self {
            Self::Day => Some(day),
            Self::Week => day.checked_add_days(Days::new(6)),
            Self::Month => day.checked_add_months(Months::new(1)).and_then(|day| day.with_day(1)?.pred_opt()),
            Self::Year => NaiveDate::from_ymd_opt(day.year(), 12, 31),
        };
        end.unwrap_or(day)
    }

    /// What is written behind words for a span that begins at `when`: no more than they say.
    fn written(self, when: When) -> String {
        match (self, when) {
            (Self::Day, when) => when.to_string(),
            (_, When::Minute(time)) => time.format("%Y-%m-%d").to_string(),
            (Self::Week, When::Day(day)) => format!("{day} – {}", self.last_day(day).format("%m-%d")),
            (Self::Month, When::Day(day)) => day.format("%Y-%m").to_string(),
            (Self::Year, When::Day(day)) => day.format("%Y").to_string(),
        }
    }
}

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
            let span = Span::of(named_words).written(found.when);
            let chinese = script(&content) == Script::Chinese;
            let note = if chinese { format!("（{span}）") } else { format!(" ({span})") };
            annotated.insert_str(found.words.end, &note);
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
            Some(("用户明天（2026-12-01）要去体检", Some("2026-12-01"))),
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

    #[test]
    fn no_more_is_written_than_was_said() {
        for (words, expected) in [
            ("明天", "2026-12-01"),
            ("下周", "2026-12-01 – 12-07"),
            ("下周三", "2026-12-01"),
            ("下个月", "2026-12"),
            ("月底", "2026-12-01"),
            ("明年", "2026"),
            ("去年夏天", "2026"),
            ("next week", "2026-12-01 – 12-07"),
            ("next month", "2026-12"),
            ("the end of the month", "2026-12-01"),
            ("last summer", "2026"),
            ("next Friday", "2026-12-01"),
            ("in three weeks", "2026-12-01"),
            ("三天后", "2026-12-01"),
        ] {
            let day = NaiveDate::from_ymd_opt(2026, 12, 1).unwrap();
            assert_eq!(Span::of(words).written(When::Day(day)), expected, "{words}");
        }
        let month = Span::Month.last_day(NaiveDate::from_ymd_opt(2028, 2, 1).unwrap());
        assert_eq!(month.to_string(), "2028-02-29");
    }
}
