//! English: its words for days and times, and the rules that read them.

use super::cursor::Cursor;
use super::table::Table;
use super::yearly::Yearly;
use super::{Clock, Edge, Language, Named, Part, Rule, Span, Unit};
use super::{coming, digital, in_week, longest, next_day_of_month, previous};
use chrono::{Datelike, NaiveDate, NaiveDateTime, Weekday};

/// English.
pub(super) static LANGUAGE: Language = Language {
    rules: RULES,
    clock,
    parts: &PARTS,
    traps: &TRAPS,
    recurring: &RECURRING,
    intervals: &INTERVALS,
};

const RULES: &[Rule] =
    &[named, weekday, led_weekday, period, edge, calendar, within, day_of_month, span, anchored];

static TRAPS: Table<()> = Table::new(&[(
    "each other|christmas tree|christmas card|christmas cards|easter egg|easter eggs|sunday school",
    (),
)]);

static RECURRING: Table<()> = Table::new(&[(
    "every|each|daily|nightly|weekly|monthly|yearly|weekdays|weekends|mondays|tuesdays|wednesdays|\
    thursdays|fridays|saturdays|sundays",
    (),
)]);
/// Words after a date or a clock that make it recur.
pub(super) static TRAILING: Table<()> = Table::new(&[(
    "every day|every week|every month|every year|every morning|every evening|every night|each day|\
    each week|each month|each year|daily|on weekdays|on weekends|on mondays|on tuesdays|on wednesdays|\
    on thursdays|on fridays|on saturdays|on sundays",
    (),
)]);
static INTERVALS: Table<()> = Table::new(&[(
    "other|second|two|three|2|3|day|days|week|weeks|weekday|month|months|year|years|morning|afternoon|\
    evening|night|on|in|of|the",
    (),
)]);

static PARTS: Table<Part> =
    Table::new(&[("morning", Part::Morning), ("afternoon", Part::Afternoon), ("evening|night", Part::Night)]);
static HALVES: Table<Part> = Table::new(&[("am|a.m.", Part::Dawn), ("pm|p.m.", Part::Afternoon)]);

static NAMED: Table<(i64, Option<Part>)> = Table::new(&[
    ("day before yesterday", (-2, None)),
    ("yesterday", (-1, None)),
    ("last night", (-1, Some(Part::Night))),
    ("today", (0, None)),
    ("this morning", (0, Some(Part::Morning))),
    ("this afternoon", (0, Some(Part::Afternoon))),
    ("tonight|this evening", (0, Some(Part::Night))),
    ("tomorrow|tmrw", (1, None)),
    ("day after tomorrow", (2, None)),
]);

static RELATIVE: Table<i64> =
    Table::new(&[("last|this past|previous", -1), ("this|this coming", 0), ("next", 1)]);
static BEYOND: Table<i64> = Table::new(&[("before last", -2), ("after next", 2)]);

static WEEKDAYS: Table<Weekday> = Table::new(&[
    ("monday", Weekday::Mon),
    ("tuesday|tues|tue", Weekday::Tue),
    ("wednesday", Weekday::Wed),
    ("thursday|thurs|thur|thu", Weekday::Thu),
    ("friday|fri", Weekday::Fri),
    ("saturday", Weekday::Sat),
    ("sunday", Weekday::Sun),
]);
/// Abbreviations that are words too.
static SHORT_WEEKDAYS: Table<Weekday> =
    Table::new(&[("mon", Weekday::Mon), ("wed", Weekday::Wed), ("sat", Weekday::Sat), ("sun", Weekday::Sun)]);

static PERIODS: Table<Unit> = Table::new(&[
    ("week", Unit::Week),
    ("month", Unit::Month),
    ("quarter", Unit::Quarter),
    ("year", Unit::Year),
]);
static EDGES: Table<Edge> = Table::new(&[("start|beginning", Edge::Start), ("end|close", Edge::End)]);

/// The units of spans, each so many of a measure.
static UNITS: Table<(Unit, i64)> = Table::new(&[
    ("minute|minutes|mins", (Unit::Minute, 1)),
    ("hour|hours|hrs", (Unit::Hour, 1)),
    ("day|days", (Unit::Day, 1)),
    ("week|weeks", (Unit::Week, 1)),
    ("fortnight|fortnights", (Unit::Week, 2)),
    ("month|months", (Unit::Month, 1)),
    ("quarter|quarters", (Unit::Quarter, 1)),
    ("year|years", (Unit::Year, 1)),
]);

static SIDES: Table<i64> = Table::new(&[("ago", -1), ("from now|from today", 1)]);
static ANCHORS: Table<i64> = Table::new(&[("before", -1), ("of", 0), ("after|from", 1)]);

static ONES: Table<()> = Table::new(&[(
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|\
    seventeen|eighteen|nineteen",
    (),
)]);
static TENS: Table<()> = Table::new(&[("ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety", ())]);
static COUNTS: Table<i64> =
    Table::new(&[("a|an", 1), ("a couple|a couple of", 2), ("a dozen", 12), ("a hundred|one hundred", 100)]);

static MONTHS: Table<()> = Table::new(&[(
    "january|february|march|april|may|june|july|august|september|october|november|december",
    (),
)]);
static SHORT_MONTHS: Table<()> = Table::new(&[("jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", ())]);
/// Months that are verbs too.
const VERBS: [u32; 2] = [3, 5];

static SEASONS: Table<u32> = Table::new(&[("spring", 3), ("summer", 6), ("autumn|fall", 9), ("winter", 12)]);

static FESTIVALS: Table<Yearly> = Table::new(&[
    ("new year's day", Yearly::Day(1, 1)),
    ("valentine's day", Yearly::Day(2, 14)),
    ("women's day", Yearly::Day(3, 8)),
    ("st patrick's day", Yearly::Day(3, 17)),
    ("april fools' day", Yearly::Day(4, 1)),
    ("may day", Yearly::Day(5, 1)),
    ("halloween", Yearly::Day(10, 31)),
    ("christmas eve", Yearly::Day(12, 24)),
    ("christmas|christmas day|xmas", Yearly::Day(12, 25)),
    ("boxing day", Yearly::Day(12, 26)),
    ("new year's eve", Yearly::Day(12, 31)),
    ("chinese new year|lunar new year|spring festival", Yearly::Lunar(1, 1)),
    ("chinese new year's eve", Yearly::LunarEve),
    ("lantern festival", Yearly::Lunar(1, 15)),
    ("dragon boat festival", Yearly::Lunar(5, 5)),
    ("mid-autumn festival|mid autumn festival", Yearly::Lunar(8, 15)),
    ("qingming festival|tomb sweeping day", Yearly::Qingming),
    ("mother's day", Yearly::Nth(5, 2, Weekday::Sun, 0)),
    ("father's day", Yearly::Nth(6, 3, Weekday::Sun, 0)),
    ("thanksgiving", Yearly::Nth(11, 4, Weekday::Thu, 0)),
    ("black friday", Yearly::Nth(11, 4, Weekday::Thu, 1)),
    ("good friday", Yearly::Easter(-2)),
    ("easter|easter sunday", Yearly::Easter(0)),
    ("easter monday", Yearly::Easter(1)),
]);

/// Words that show where something happens in time.
static LEADS: Table<()> = Table::new(&[("on|by|until|till|before|after|from|since", ())]);

/// What may follow a doubtful date: in "the 3rd edition" and "9 may come" something else does.
static FOLLOWERS: Table<()> = Table::new(&[(
    "a|after|afternoon|and|at|because|before|but|by|evening|for|from|he|i|if|in|morning|my|night|or|our|\
    please|she|so|the|then|they|to|until|we|when|will|with|you",
    (),
)]);

/// "today", "the day after tomorrow", "last night"
fn named(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    c.take("the");
    let (offset, part) = c.pick(&NAMED)?;
    Some(Named { part, ..Named::day(Unit::Day.shift(now.date(), offset)?) })
}

/// "Friday", "next Friday", "Friday of last week", "next week on Friday", "Friday the 13th"
fn weekday(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let today = now.date();
    let which = c.pick(&RELATIVE);
    let before = which.filter(|_| c.take("week"));
    if before.is_some() {
        c.take("on");
    }
    let day = c.pick(&WEEKDAYS).or_else(|| short_weekday(c, which.is_some()))?;
    let suffixed = |c: &mut Cursor<'_>| the_ordinal(c).filter(|(_, suffixed)| *suffixed && closed(c, true));
    if let Some((day, _)) = c.attempt(suffixed) {
        return next_day_of_month(today, i64::from(day)).map(Named::exact);
    }
    let after = c.attempt(|c| {
        c.take("of|,");
        c.pick(&RELATIVE).filter(|_| c.take("week"))
    });
    let date = match (before.or(after), which) {
        (Some(weeks), _) => in_week(today, weeks, day),
        (None, Some(-1)) => previous(today, day),
        (None, Some(weeks)) => in_week(today, weeks, day),
        (None, None) => coming(today, day),
    };
    date.map(Named::weekday)
}

/// "on Sat"
fn led_weekday(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let day = c.any(&LEADS).then(|| short_weekday(c, true))??;
    coming(now.date(), day).map(Named::weekday)
}

/// A weekday that may be a word, when something before it or a clock after it shows that it is not.
fn short_weekday(c: &mut Cursor<'_>, led: bool) -> Option<Weekday> {
    let day = c.pick(&SHORT_WEEKDAYS)?;
    let mut rest = *c;
    rest.skip_blanks();
    let timed = rest.sees_number() && clock(&mut rest).is_some();
    (timed || led && closed(c, true)).then_some(day)
}

/// Whether what was read stands by itself: no word follows but one that can, if `led` shows what it is.
fn closed(c: &Cursor<'_>, led: bool) -> bool {
    let mut rest = *c;
    !rest.next().is_some_and(|c| c.is_ascii_alphabetic()) || rest.take("at") || led && rest.any(&FOLLOWERS)
}

/// "next week", "the month before last", "the weekend"
fn period(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let today = now.date();
    let which = c.pick(&RELATIVE);
    if which.is_none() && !c.take("the") {
        return None;
    }
    let unit = c.pick(&PERIODS);
    let weekend = unit.is_none() && c.take("weekend");
    let beyond = c.pick(&BEYOND).filter(|_| which.is_none());
    let count = which.or(beyond).or(weekend.then_some(0))?;
    let date = if weekend { in_week(today, count, Weekday::Sat) } else { unit?.start(today, count) };
    date.map(Named::day)
}

/// "the end of next month", "end of March", "the start of 2027"
fn edge(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let today = now.date();
    c.take("the");
    let edge = c.pick(&EDGES).filter(|_| c.take("of"))?;
    let period = |c: &mut Cursor<'_>| {
        let count = c.pick(&RELATIVE);
        c.take("the");
        Some((c.pick(&PERIODS)?, count.unwrap_or(0)))
    };
    let date = if let Some((unit, count)) = c.attempt(period) {
        edge.of(unit, today, count)
    } else if let Some(month) = c.attempt(month) {
        let first = dated(Yearly::Months(month, 1), c.attempt(|c| of_year(c, today)), today)?;
        edge.of(Unit::Month, first, 0)
    } else {
        edge.of(Unit::Year, Yearly::Day(1, 1).on(plain_year(c)?)?, 0)
    };
    date.map(Named::day)
}

/// "9 June", "June 9th, 2027", "March 2027", "last summer", "Christmas next year"
fn calendar(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let today = now.date();
    let which = c.pick(&RELATIVE);
    if which.is_none() {
        c.take("the");
    }
    let (yearly, doubtful) = yearly(c)?;
    let year = c.attempt(|c| of_year(c, today));
    let date = match (yearly, which, year) {
        (_, None, Some(_)) => dated(yearly, year, today),
        (Yearly::Months(..), Some(0), _) if doubtful => None,
        (_, Some(which), None) => yearly.relative(today, which),
        (Yearly::Months(..), None, None) => None,
        _ if doubtful && !closed(c, true) => None,
        _ => yearly.upcoming(today),
    }?;
    Some(Named { kind: yearly.kind(), ..Named::day(date) })
}

/// "in March", "by March 2027", "in 2030", "since Monday", "since Christmas"
fn within(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let today = now.date();
    let since = c.take("since");
    if !since && !c.take("in|by|until|till|during|for") {
        return None;
    }
    if let Some(day) = c.pick(&WEEKDAYS).filter(|_| since) {
        return previous(today, day).map(Named::weekday);
    }
    if let Some(year) = c.attempt(plain_year) {
        return Yearly::Day(1, 1).on(year).map(Named::day);
    }
    let (yearly, _) = yearly(c).filter(|(yearly, _)| since || matches!(yearly, Yearly::Months(_, 1)))?;
    let year = c.attempt(|c| of_year(c, today));
    let date = if since && year.is_none() { yearly.latest(today) } else { dated(yearly, year, today) };
    date.map(Named::day)
}

fn dated(yearly: Yearly, year: Option<i32>, today: NaiveDate) -> Option<NaiveDate> {
    year.map_or_else(|| yearly.upcoming(today), |year| yearly.on(year))
}

/// A festival, a season, or a month with or without its day; and whether it may well be something else.
fn yearly(c: &mut Cursor<'_>) -> Option<(Yearly, bool)> {
    if let Some(festival) = c.pick(&FESTIVALS) {
        return Some((festival, false));
    }
    if let Some(month) = c.pick(&SEASONS) {
        return Some((Yearly::Months(month, 3), false));
    }
    let rest = c.after_number(); // of "30 February"
    let before = c.attempt(ordinal);
    if before.is_some() {
        c.take("of");
    }
    let month = month(c)?;
    let day = before.or_else(|| c.attempt(the_ordinal));
    if day.is_none() && rest {
        return None;
    }
    let doubtful = VERBS.contains(&month) && !day.is_some_and(|(_, suffixed)| suffixed);
    Some((day.map_or(Yearly::Months(month, 1), |(day, _)| Yearly::Day(month, day)), doubtful))
}

fn month(c: &mut Cursor<'_>) -> Option<u32> {
    let index =
        c.index(&MONTHS).or_else(|| c.index(&SHORT_MONTHS)).or_else(|| c.take("sept").then_some(8))?;
    c.attempt(|c| c.take(".").then(|| c.next())?.filter(char::is_ascii_digit));
    Some(u32::try_from(index).ok()? + 1)
}

/// A day of a month, and whether it is written as one: `9`, `9th`.
fn ordinal(c: &mut Cursor<'_>) -> Option<(u32, bool)> {
    let (day, _) = c.digits()?;
    let suffixed = c.take("st|nd|rd|th");
    let whole = !c.peek().is_some_and(|c| c.is_ascii_alphanumeric() || ":/%".contains(c));
    let day = u32::try_from(day).ok().filter(|day| whole && (1..=31).contains(day))?;
    Some((day, suffixed))
}

fn the_ordinal(c: &mut Cursor<'_>) -> Option<(u32, bool)> {
    c.take("the");
    ordinal(c)
}

/// The year after a date: "2027", "of 2027", ", 2027", "next year".
fn of_year(c: &mut Cursor<'_>, today: NaiveDate) -> Option<i32> {
    c.take("of|,");
    if let Some(year) = c.attempt(Cursor::year) {
        return Some(year).filter(|_| closed_number(c));
    }
    let count = c.pick(&RELATIVE).filter(|_| c.take("year"))?;
    today.year().checked_add(i32::try_from(count).ok()?)
}

/// A year that stands for itself.
fn plain_year(c: &mut Cursor<'_>) -> Option<i32> {
    c.take("the year");
    c.year().filter(|year| (1900..2200).contains(year) && closed_number(c))
}

fn closed_number(c: &Cursor<'_>) -> bool {
    !c.peek().is_some_and(|c| c.is_ascii_alphanumeric() || "-/:%".contains(c))
}

/// "the 15th", "on the 3rd of next month"
fn day_of_month(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let led = c.any(&LEADS);
    let (day, _) = c.take("the").then(|| ordinal(c))?.filter(|(_, suffixed)| *suffixed)?;
    let month = c.attempt(|c| {
        let count = c.take("of").then(|| c.pick(&RELATIVE).or(c.take("the").then_some(0)))??;
        c.take("month").then_some(count)
    });
    match month {
        Some(count) => Unit::Month.start(now.date(), count)?.with_day(day),
        None if closed(c, led) => next_day_of_month(now.date(), i64::from(day)),
        None => None,
    }
    .map(Named::exact)
}

/// "in three days", "a fortnight ago", "half an hour ago", "two weeks from now"; "in a day or two" is vague.
fn span(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let ahead = c.take("in");
    let length = length(c)?;
    let sign = if ahead { 1 } else { c.pick(&SIDES)? };
    if c.take("or") {
        return None;
    }
    length.from(now, sign)
}

/// "the week before 9 June", "a week from Friday", "two days after Christmas", "the week of the 15th"
fn anchored(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let period = c.attempt(|c| c.take("the").then(|| c.pick(&UNITS))?);
    let length = if period.is_none() { Some(length(c)?) } else { None };
    let sign = c.pick(&ANCHORS)?;
    let anchor = longest(c, now, [named, weekday, calendar, day_of_month].iter())?.when.date();
    let date = match (period, length) {
        (Some((unit, count)), _) => unit.start(anchor, sign * count),
        (None, Some(length)) if sign != 0 => length.shift(anchor, sign),
        _ => None,
    };
    date.map(Named::day)
}

fn length(c: &mut Cursor<'_>) -> Option<Span> {
    let half = c.take("half a|half an");
    let count = if half { Some(0) } else { number(c) };
    let article = !half && count.is_none();
    let count = if let Some(count) = count { count } else { c.pick(&COUNTS)? };
    let (unit, each) = c.pick(&UNITS)?;
    let vague = article && count == 1 && unit == Unit::Minute;
    (!vague).then_some(Span { count: count.checked_mul(each)?, unit, half })
}

fn number(c: &mut Cursor<'_>) -> Option<i64> {
    if let Some((value, _)) = c.attempt(Cursor::digits) {
        return Some(value);
    }
    let tens = c.index(&TENS).map(|index| (index + 1) * 10);
    let ones = c.attempt(|c| {
        if tens.is_some() {
            c.take("-");
        }
        c.index(&ONES)
    });
    let value = tens.unwrap_or(0) + ones.map_or(0, |index| index + 1);
    i64::try_from(value).ok().filter(|value| *value > 0)
}

/// "3pm", "7:30 am", "at 20:30", "noon", "8 o'clock in the evening"
fn clock(c: &mut Cursor<'_>) -> Option<Clock> {
    let led = c.take("at|@|by|around|about|before|after|from|until|till");
    let clock = |(hour, minute), part| Clock { hour, minute, part, digital: false, alone: led };
    if c.take("noon|midday") {
        return Some(clock((12, 0), Some(Part::Noon)));
    }
    if c.take("midnight") {
        return Some(Clock { digital: true, alone: false, ..clock((0, 0), None) });
    }
    let halves = c.attempt(|c| {
        let time = c.attempt(|c| digital(c, ":.")).or_else(|| Some((hour(c)?, 0)))?;
        let part = c.pick(&HALVES)?;
        (1..=12).contains(&time.0).then_some((time, part))
    });
    if let Some((time, part)) = halves {
        return Some(clock(time, Some(part)));
    }
    if let Some(time) = c.attempt(|c| digital(c, ":")) {
        return Some(Clock { digital: true, alone: led && time.0 > 12, ..clock(time, None) });
    }
    let hour = hour(c).filter(|_| c.take("o'clock") || led)?;
    let part = c.attempt(|c| c.take("in the|at").then(|| c.pick(&PARTS))?);
    Some(Clock { alone: led && part.is_some(), ..clock((hour, 0), part) })
}

fn hour(c: &mut Cursor<'_>) -> Option<u32> {
    u32::try_from(number(c)?).ok().filter(|hour| (1..=12).contains(hour))
}
