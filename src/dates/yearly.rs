//! Days and seasons that come every year: dates, months, and the festivals of both calendars.
//!
//! The Chinese calendar is that of `icu_calendar`, exact for 1901-2100, the years used here.

use super::{Kind, Unit, coming};
use chrono::{Datelike, NaiveDate, Weekday};
use icu_calendar::{Date, Iso, types::Month};

/// Something that comes once in most years.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Yearly {
    /// A month and its day.
    Day(u32, u32),
    /// The first of so many months.
    Months(u32, u32),
    /// The last day of a month.
    MonthEnd(u32),
    /// A month of the Chinese calendar and its day; the twelfth month belongs to the year it ends.
    Lunar(u8, u8),
    /// The day before the Chinese new year.
    LunarEve,
    /// Tomb Sweeping Day.
    Qingming,
    /// The n-th such weekday of a month, and so many days more.
    Nth(u32, u8, Weekday, i64),
    /// So many days after Easter Sunday.
    Easter(i64),
}

impl Yearly {
    /// Whether it is a day or something longer.
    pub(super) fn kind(self) -> Kind {
        if matches!(self, Self::Months(..) | Self::MonthEnd(_)) { Kind::Loose } else { Kind::Exact }
    }

    /// Its first day in a year.
    pub(super) fn on(self, year: i32) -> Option<NaiveDate> {
        match self {
            Self::Day(month, day) => NaiveDate::from_ymd_opt(year, month, day),
            Self::Months(month, _) => NaiveDate::from_ymd_opt(year, month, 1),
            Self::MonthEnd(month) => Unit::Month.end(NaiveDate::from_ymd_opt(year, month, 1)?, 0),
            Self::Lunar(month, day) => lunar(year - i32::from(month == 12), month, day),
            Self::LunarEve => lunar(year, 1, 1)?.pred_opt(),
            Self::Qingming => qingming(year),
            Self::Nth(month, nth, weekday, more) => {
                let day = NaiveDate::from_weekday_of_month_opt(year, month, weekday, nth)?;
                Unit::Day.shift(day, more)
            }
            Self::Easter(more) => Unit::Day.shift(easter(year)?, more),
        }
    }

    /// Its last day in a year.
    fn until(self, year: i32) -> Option<NaiveDate> {
        match self {
            Self::Months(_, count) => Unit::Month.end(self.on(year)?, i64::from(count) - 1),
            _ => self.on(year),
        }
    }

    /// The one that is not over yet on `today`.
    pub(super) fn upcoming(self, today: NaiveDate) -> Option<NaiveDate> {
        self.search(today, |year| self.until(year).is_some_and(|last| last >= today))
    }

    /// The next one (1), the last one that is over (-1), or that of this year (0).
    pub(super) fn relative(self, today: NaiveDate, which: i64) -> Option<NaiveDate> {
        match which {
            0 => self.on(today.year()),
            1 => self.search(today, |year| self.on(year).is_some_and(|first| first > today)),
            -1 => {
                let over = |year: &i32| self.until(*year).is_some_and(|last| last < today);
                years(today).rev().find(over).and_then(|year| self.on(year))
            }
            _ => None,
        }
    }

    /// The last one that has begun.
    pub(super) fn latest(self, today: NaiveDate) -> Option<NaiveDate> {
        years(today).rev().filter_map(|year| self.on(year)).find(|first| *first <= today)
    }

    fn search(self, today: NaiveDate, fits: impl Fn(i32) -> bool) -> Option<NaiveDate> {
        years(today).find(|year| fits(*year)).and_then(|year| self.on(year))
    }
}

/// The years around a day: there may be eight from one 29 February to the next.
fn years(today: NaiveDate) -> std::ops::RangeInclusive<i32> {
    today.year() - 9..=today.year() + 9
}

fn lunar(year: i32, month: u8, day: u8) -> Option<NaiveDate> {
    let known = (1901..=2100).contains(&year) && (1..=12).contains(&month);
    let date = Date::try_new_chinese_traditional(known.then_some(year)?, Month::new(month), day)
        .ok()?
        .to_calendar(Iso);
    let month = u32::from(date.month().ordinal);
    NaiveDate::from_ymd_opt(date.year().extended_year(), month, u32::from(date.day_of_month().0))
}

/// The day the sun reaches 15°, by the mean length of the year; checked for this century.
fn qingming(year: i32) -> Option<NaiveDate> {
    let since = u32::try_from(year - 2000).ok().filter(|since| *since < 100)?;
    NaiveDate::from_ymd_opt(year, 4, (since * 2422 + 48_100) / 10_000 - since / 4)
}

/// The Sunday after the full moon of spring, as the Gregorian tables of 1900-2199 have it.
fn easter(year: i32) -> Option<NaiveDate> {
    let golden = u32::try_from(year).ok().filter(|year| (1900..2200).contains(year))? % 19;
    let moon = match (19 * golden + 24) % 30 {
        29 => 28,
        28 if golden > 10 => 27,
        age => age,
    };
    coming(Unit::Day.shift(NaiveDate::from_ymd_opt(year, 3, 21)?, i64::from(moon))?, Weekday::Sun)
}
