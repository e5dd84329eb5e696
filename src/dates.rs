//! Dates in words: the first day or minute that a short Chinese or English text names.
//!
//! Pure: the clock is an argument, and the same text at the same time means the same day. Each language
//! is a list of small rules over tables of words (`zh`, `en`); at each place where a phrase can begin,
//! all rules read, the one that takes most words wins, and a clock beside it is joined to the day.
//!
//! - Weeks start on Monday. A week, month, season or year is its first day, a weekend its Saturday.
//! - A bare date, festival or day of the month is the next one, today included; a bare weekday is after
//!   today. Days that do not exist (30 February, "the 31st of" a short month) are no dates.
//! - What recurs ("every Friday", `每天`) or is vague ("soon", `几天前`) is no date, and neither is a clock
//!   that could be morning or evening: `明天三点` is only its day.
//! - No input panics, and the search is linear in the text.
//!
//! Absent, because they cannot be told from other things: `5/3`, `3.5`, `15日` alone, two-digit years, bare
//! seasons, bare "May". Absent, because notes hardly hold them: leap months, eras, time zones, ranges.

mod cursor;
mod en;
mod table;
#[cfg(test)]
mod tests;
mod yearly;
mod zh;

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, TimeDelta, Timelike, Weekday};
use cursor::{Cursor, Folded};
use std::fmt::{Display, Formatter, Result as Written};
use std::ops::Range;
use table::Table;

/// A date that words name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// A whole day, or the first day of something longer.
    Day(NaiveDate),
    /// A minute of a day.
    Minute(NaiveDateTime),
}

impl When {
    fn date(self) -> NaiveDate {
        match self {
            Self::Day(date) => date,
            Self::Minute(time) => time.date(),
        }
    }
}

impl Display for When {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        match self {
            Self::Day(date) => write!(out, "{}", date.format("%Y-%m-%d")),
            Self::Minute(time) => write!(out, "{}", time.format("%Y-%m-%dT%H:%M")),
        }
    }
}

/// A date, and the words that name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The date.
    pub when: When,
    /// The bytes of the text that are its words.
    pub words: Range<usize>,
}

/// The date that the text names first, seen from `now`, the local time of the person.
pub fn first(text: &str, now: NaiveDateTime) -> Option<Found> {
    let folded = Folded::new(text);
    let mut c = folded.cursor();
    while c.peek().is_some() {
        let from = c.at;
        if c.fresh() && !skipped(&mut c, now) {
            let found = c.attempt(|c| phrase(c, now)).filter(|when| (1..=9999).contains(&when.date().year()));
            let to = c.at;
            if let Some(when) = found.filter(|_| !c.any(&en::TRAILING)) {
                return Some(Found { when, words: folded.bytes(from, to) });
            }
        }
        c.at = c.at.max(from + 1);
    }
    None
}

/// The date that the text names first, without its words.
pub fn resolve(text: &str, now: NaiveDateTime) -> Option<When> {
    first(text, now).map(|found| found.when)
}

/// Moves past what is no date: a word that only looks like one, or something that recurs, with all its dates.
fn skipped(c: &mut Cursor<'_>, now: NaiveDateTime) -> bool {
    if spoken(c).iter().any(|language| c.any(language.traps)) {
        return true;
    }
    if !spoken(c).iter().any(|language| c.any(language.recurring)) {
        return false;
    }
    for _ in 0..6 {
        while c.attempt(|c| phrase(c, now)).is_some() && c.take("和|、|与|或|,|and|or|&") {}
        if !spoken(c).iter().any(|language| c.any(language.intervals)) {
            break;
        }
    }
    true
}

/// A day, a clock, or both in either order.
fn phrase(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<When> {
    let clock_first = |c: &mut Cursor<'_>| {
        let clock = clock(c)?;
        let day = c.attempt(|c| {
            c.take("on|of|的");
            day(c, now)
        });
        let today = clock.alone.then(|| Named::day(now.date()));
        clock.on(day.or(today)?)
    };
    if let Some(when) = c.attempt(clock_first) {
        return Some(when);
    }
    let mut day = day(c, now)?;
    if let Some(surer) = c.attempt(|c| companion(c, now, day)) {
        day = surer;
    }
    day.part = c.attempt(part).or(day.part);
    let joined = c.attempt(|c| {
        c.take(",|的");
        c.at += usize::from(c.sees("t")); // 2027-03-05T15:30
        clock(c)?.on(day)
    });
    Some(joined.unwrap_or(day.when))
}

/// The day that the words here name.
fn day(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let day = longest(c, now, spoken(c).iter().flat_map(|language| language.rules))?;
    Some(c.attempt(|c| zh::shifted(c, day)).unwrap_or(day))
}

/// What the rule says that takes most words.
fn longest<'r>(
    c: &mut Cursor<'_>,
    now: NaiveDateTime,
    rules: impl Iterator<Item = &'r Rule>,
) -> Option<Named> {
    let here = *c;
    let readings = rules.filter_map(|rule| {
        let mut end = here;
        Some((rule(&mut end, now)?, end))
    });
    let (day, end) = readings.max_by_key(|(_, end)| end.at)?;
    *c = end;
    Some(day)
}

/// The same day once more, as in `12月4日（周五）` or "Friday, 9 June": the written date is the surer one.
fn companion(c: &mut Cursor<'_>, now: NaiveDateTime, first: Named) -> Option<Named> {
    let bracket = c.take("(");
    let apart = c.take(",");
    let second = day(c, now)?;
    if bracket && !c.take(")") {
        return None;
    }
    match (first.kind, second.kind) {
        (Kind::Weekday, Kind::Exact) => Some(second),
        (Kind::Loose, Kind::Exact) if !apart => Some(second),
        (Kind::Exact, Kind::Weekday) => Some(first),
        (Kind::Exact, Kind::Exact) if first.when == second.when => Some(first),
        _ => None,
    }
}

fn part(c: &mut Cursor<'_>) -> Option<Part> {
    c.take("的|in the|at");
    spoken(c).iter().find_map(|language| c.pick(language.parts))
}

fn clock(c: &mut Cursor<'_>) -> Option<Clock> {
    spoken(c).iter().find_map(|language| c.attempt(language.clock))
}

/// The hour and minute of `15:30` or `15:30:59`.
fn digital(c: &mut Cursor<'_>, separator: &str) -> Option<(u32, u32)> {
    let (hour, _) = c.digits()?;
    if !c.sees(separator) {
        return None;
    }
    c.at += 1;
    let (minute, 2) = c.digits()? else { return None };
    let mut seconds = *c;
    if seconds.take(":") && seconds.digits().is_some_and(|(_, width)| width == 2) {
        *c = seconds;
    }
    if c.sees(":/%") {
        return None;
    }
    Some((u32::try_from(hour).ok()?, u32::try_from(minute).ok()?))
}

/// A date as machines write it, `2027-03-05` or `2027/3/5`.
fn iso(c: &mut Cursor<'_>, _: NaiveDateTime) -> Option<Named> {
    let year = c.year()?;
    let separator = c.peek().filter(|c| "-/".contains(*c))?;
    c.at += 1;
    let (month, 1..=2) = c.digits()? else { return None };
    c.at += c.peek().filter(|c| *c == separator).map(|_| 1)?;
    let (day, 1..=2) = c.digits()? else { return None };
    let mut rest = *c;
    if rest.take("-|/|.") && rest.sees_number() {
        return None;
    }
    NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?).map(Named::exact)
}

/// A way to read a day.
type Rule = fn(&mut Cursor<'_>, NaiveDateTime) -> Option<Named>;

/// The words of a language, and how to read them.
struct Language {
    /// The ways to read a day: the one that takes most words wins.
    rules: &'static [Rule],
    clock: fn(&mut Cursor<'_>) -> Option<Clock>,
    parts: &'static Table<Part>,
    /// Words that hold others of the vocabulary without naming a day.
    traps: &'static Table<()>,
    /// Words after which a date recurs.
    recurring: &'static Table<()>,
    /// What may stand between those and the date.
    intervals: &'static Table<()>,
}

static LANGUAGES: [&Language; 2] = [&en::LANGUAGE, &zh::LANGUAGE];

/// The languages whose words can begin here.
fn spoken(c: &Cursor<'_>) -> &'static [&'static Language] {
    match c.next() {
        Some(c) if c.is_ascii_alphabetic() => &LANGUAGES[..1],
        Some(c) if !c.is_ascii() => &LANGUAGES[1..],
        _ => &LANGUAGES,
    }
}

/// How sure a reading is of its day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loose,
    Weekday,
    Exact,
}

/// What a rule reads: a day, and the part of it where the words say one.
#[derive(Debug, Clone, Copy)]
struct Named {
    when: When,
    part: Option<Part>,
    kind: Kind,
}

impl Named {
    fn day(date: NaiveDate) -> Self {
        Self { when: When::Day(date), part: None, kind: Kind::Loose }
    }

    fn weekday(date: NaiveDate) -> Self {
        Self { kind: Kind::Weekday, ..Self::day(date) }
    }

    fn exact(date: NaiveDate) -> Self {
        Self { kind: Kind::Exact, ..Self::day(date) }
    }
}

/// A part of the day, which says what its hours mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// From midnight on; also "am".
    Dawn,
    Morning,
    Noon,
    /// Also "pm".
    Afternoon,
    /// Until the small hours, which are those of the next day.
    Night,
}

/// A time of some day.
#[derive(Debug, Clone, Copy)]
struct Clock {
    hour: u32,
    minute: u32,
    part: Option<Part>,
    /// Written as `15:30`, which is a clock of 24 hours.
    digital: bool,
    /// Means today when no day is named.
    alone: bool,
}

impl Clock {
    /// This time of a day, unless it could be two.
    fn on(self, day: Named) -> Option<When> {
        let When::Day(date) = day.when else { return None };
        let (hour, part) = (self.hour, self.part.or(day.part));
        let (late, hour) = match part {
            _ if hour > 12 => (0, hour),
            Some(Part::Dawn) => (u64::from(day.part == Some(Part::Night) && hour % 12 < 5), hour % 12),
            Some(Part::Noon) if hour < 3 => (0, hour + 12),
            Some(Part::Afternoon) => (0, hour % 12 + 12),
            Some(Part::Night) if hour == 12 || hour < 5 => (1, hour % 12),
            Some(Part::Night) => (0, hour + 12),
            None if !(hour == 0 || self.digital) => return None,
            _ => (0, hour),
        };
        Some(When::Minute(date.checked_add_days(Days::new(late))?.and_hms_opt(hour, self.minute, 0)?))
    }
}

/// A measure of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    /// The same day, `count` of these later; at the end of a short month, its last day.
    fn shift(self, date: NaiveDate, count: i64) -> Option<NaiveDate> {
        let months = |each: i64| {
            let count = count.checked_mul(each)?;
            let months = Months::new(u32::try_from(count.unsigned_abs()).ok()?);
            if count < 0 { date.checked_sub_months(months) } else { date.checked_add_months(months) }
        };
        match self {
            Self::Minute | Self::Hour => None,
            Self::Day => date.checked_add_signed(TimeDelta::try_days(count)?),
            Self::Week => date.checked_add_signed(TimeDelta::try_weeks(count)?),
            Self::Month => months(1),
            Self::Quarter => months(3),
            Self::Year => months(12),
        }
    }

    /// The first day of the one that is `count` after that of `date`.
    fn start(self, date: NaiveDate, count: i64) -> Option<NaiveDate> {
        let start = match self {
            Self::Minute | Self::Hour | Self::Day => date,
            Self::Week => {
                date.checked_sub_days(Days::new(u64::from(date.weekday().num_days_from_monday())))?
            }
            Self::Month => date.with_day(1)?,
            Self::Quarter => date.with_day(1)?.with_month0(date.month0() / 3 * 3)?,
            Self::Year => date.with_day(1)?.with_month(1)?,
        };
        self.shift(start, count)
    }

    /// The last day of the one that is `count` after that of `date`.
    fn end(self, date: NaiveDate, count: i64) -> Option<NaiveDate> {
        self.start(date, count.checked_add(1)?)?.pred_opt()
    }
}

/// An edge of a month or a year.
#[derive(Debug, Clone, Copy)]
enum Edge {
    Start,
    /// The start of the second or the last ten days, which Chinese has words for.
    Tenth(u64),
    End,
}

impl Edge {
    fn of(self, unit: Unit, date: NaiveDate, count: i64) -> Option<NaiveDate> {
        match self {
            Self::Start => unit.start(date, count),
            Self::Tenth(tens) => unit.start(date, count)?.checked_add_days(Days::new(tens * 10)),
            Self::End => unit.end(date, count),
        }
    }
}

/// A length of time: a number of units, and perhaps half of one more.
#[derive(Debug, Clone, Copy)]
struct Span {
    count: i64,
    unit: Unit,
    half: bool,
}

impl Span {
    /// The day this long after `date`, or before it where `sign` is negative.
    fn shift(self, date: NaiveDate, sign: i64) -> Option<NaiveDate> {
        let whole = self.unit.shift(date, sign * self.count)?;
        match self.unit {
            _ if !self.half => Some(whole),
            Unit::Year => Unit::Month.shift(whole, sign * 6),
            Unit::Month => Unit::Day.shift(whole, sign * 15),
            _ => None,
        }
    }

    /// The day or, for hours and minutes, the minute this long after `now` or before it.
    fn from(self, now: NaiveDateTime, sign: i64) -> Option<Named> {
        let minutes = match self.unit {
            Unit::Minute => self.count,
            Unit::Hour => self.count.checked_mul(60)? + 30 * i64::from(self.half),
            _ => return self.shift(now.date(), sign).map(Named::day),
        };
        let time = now.checked_add_signed(TimeDelta::try_minutes(sign * minutes)?)?;
        let when = When::Minute(time.with_second(0)?.with_nanosecond(0)?);
        Some(Named { when, ..Named::day(time.date()) })
    }
}

/// A weekday of the week that is `weeks` after that of `date`.
fn in_week(date: NaiveDate, weeks: i64, weekday: Weekday) -> Option<NaiveDate> {
    Unit::Day.shift(Unit::Week.start(date, weeks)?, i64::from(weekday.num_days_from_monday()))
}

/// The next such weekday after `date`.
fn coming(date: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    let ahead = (weekday.days_since(date.weekday()) + 6) % 7 + 1;
    Unit::Day.shift(date, i64::from(ahead))
}

/// The last such weekday before `date`.
fn previous(date: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    Unit::Week.shift(coming(date.pred_opt()?, weekday)?, -1)
}

/// The next such day of a month, today included.
fn next_day_of_month(today: NaiveDate, day: i64) -> Option<NaiveDate> {
    let day = u32::try_from(day).ok()?;
    let mut months = (0..3).filter_map(|count| Unit::Month.start(today, count)?.with_day(day));
    months.find(|date| *date >= today)
}
