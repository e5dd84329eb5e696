//! Chinese: its words for days and times, and the rules that read them.

use super::cursor::{Cursor, numeral};
use super::table::Table;
use super::yearly::Yearly;
use super::{Clock, Edge, Kind, Language, Named, Part, Rule, Span, Unit};
use super::{coming, digital, in_week, iso, next_day_of_month};
use chrono::{Datelike, NaiveDate, NaiveDateTime, Weekday};

/// Chinese.
pub(super) static LANGUAGE: Language = Language {
    rules: RULES,
    clock,
    parts: &PARTS,
    traps: &TRAPS,
    recurring: &RECURRING,
    intervals: &INTERVALS,
};

const RULES: &[Rule] = &[iso, named, week, period, calendar, day_of_month, span];

static TRAPS: Table<()> = Table::new(&[(
    "以后天|之后天|然后天|今后天|最后天|雨后天|饭后天|午后天|以前天|之前天|目前天|如今天气|以后年|之后年|\
    今后年|以前年|之前年|目前年|今日头条|明日之星|后天性|后天的努力|后天下之乐|后天免疫|改明|赶明|\
    说明日期|这周围|这周边|本周期|这个周期|上个周期|下个周期|周天子|南方周末|上月球|下月球|这月饼|\
    这月亮|五月天|五月花|十月革命|月复一月|每当|五一路|五一广场|六一路|儿童节目|圣诞老人|圣诞树|圣诞卡|\
    复活节岛|张国庆|王国庆|李国庆|刘国庆|陈国庆|杨国庆|赵国庆|蔡国庆",
    (),
)]);

static RECURRING: Table<()> = Table::new(&[("每|逢|天天|年年|平日|工作日", ())]);
static INTERVALS: Table<()> = Table::new(&[(
    "隔|个|到|逢|一|两|三|半|年|季度|月|周|星期|礼拜|天|日|的|第|早上|上午|中午|下午|晚上|在|都",
    (),
)]);

static PARTS: Table<Part> = Table::new(&[
    ("凌晨|半夜", Part::Dawn),
    ("清晨|早晨|早上|一早|上午", Part::Morning),
    ("下午|午后", Part::Afternoon),
    ("傍晚|晚上|晚间|夜里|深夜", Part::Night),
]);
/// Those that only a clock after them makes clear.
static CLOCK_PARTS: Table<Part> =
    Table::new(&[("早", Part::Morning), ("中午", Part::Noon), ("晚", Part::Night)]);

static NAMED: Table<i64> =
    Table::new(&[("大前天", -3), ("前天", -2), ("昨", -1), ("今", 0), ("明", 1), ("后天", 2), ("大后天", 3)]);
/// What makes a day of `昨`, `今` and `明`.
static SUFFIXES: Table<Option<Part>> = Table::new(&[
    ("天|日|儿|儿个", None),
    ("早|早上|晨", Some(Part::Morning)),
    ("晚|晚上|夜", Some(Part::Night)),
]);
/// What makes another word of those, as in `光明日报`.
const NOT_NAMED: &str = "光黎声证发聪透表清文如";

static RELATIVE: Table<i64> =
    Table::new(&[("上上", -2), ("上|上一", -1), ("这|这一|本", 0), ("下|下一", 1), ("下下", 2)]);
/// What makes another word of those, as in `马上周末了` and `资本周转`.
const NOT_RELATIVE: &str = "一以马线网早晚路海世身地桌床车手头楼乡资成基书日版课剧样文根";

static YEARS: Table<i32> = Table::new(&[
    ("大前年", -3),
    ("前年", -2),
    ("去年", -1),
    ("今年", 0),
    ("明年|来年", 1),
    ("后年", 2),
    ("大后年", 3),
]);

const WEEK: &str = "周|星期|礼拜";
static WEEKDAYS: Table<()> = Table::new(&[("一|二|三|四|五|六|日|天", ())]);

static EDGES: Table<Edge> = Table::new(&[
    ("初|上旬", Edge::Start),
    ("中旬", Edge::Tenth(1)),
    ("下旬", Edge::Tenth(2)),
    ("底|末", Edge::End),
]);

static PERIODS: Table<(&str, Unit)> =
    Table::new(&[("月", ("月", Unit::Month)), ("季度", ("季度", Unit::Quarter)), ("年", ("年", Unit::Year))]);

static UNITS: Table<Unit> = Table::new(&[
    ("分钟", Unit::Minute),
    ("小时|钟头", Unit::Hour),
    ("天", Unit::Day),
    (WEEK, Unit::Week),
    ("月", Unit::Month),
    ("季度", Unit::Quarter),
    ("年", Unit::Year),
]);

/// Before or after.
static SIDES: Table<i64> = Table::new(&[("前|之前|以前", -1), ("后|之后|以后|过后", 1)]);
/// What follows in `前端开发` and `后台经验`.
static NO_SIDE: Table<()> = Table::new(&[("端开|端经|端工|端的|台开|台经|台的|勤工", ())]);

/// What a number with `号` is when it is no day.
static THINGS: Table<()> = Table::new(&[(
    "楼|线|桌|门|球|机|店|馆|厅|院|室|舱|站|床|位|字|员|型|衣|井|牌|坑|包|电池|电梯|汽油|柴油|选手|房|\
    会议室|教室|病房|食堂|柜|窗口|车厢|座|铺|出口|登机口|码头|公路|公馆|服务器|仓|地铁|技师|嫌疑人|文件|\
    人物",
    (),
)]);
/// What begins like one of these and is none.
static EVENTS: Table<()> =
    Table::new(&[("门票|门诊|球赛|机票|店庆|院庆|站会|员工|房租|房贷|座谈|字节|包裹|线上|线下", ())]);
/// What makes of it a number in an address or a name.
const NOT_BEFORE: &str = "路街巷弄道楼座区栋月编型舟征娥宫男女";

static SEASONS: Table<Yearly> = Table::new(&[
    ("春天|春季", Yearly::Months(3, 3)),
    ("夏天|夏季", Yearly::Months(6, 3)),
    ("秋天|秋季", Yearly::Months(9, 3)),
    ("冬天|冬季", Yearly::Months(12, 3)),
]);
static HALF_YEARS: Table<Yearly> =
    Table::new(&[("上半年", Yearly::Months(1, 6)), ("下半年", Yearly::Months(7, 6))]);
static LUNAR_MONTHS: Table<i64> = Table::new(&[("正月", 1), ("冬月", 11), ("腊月", 12)]);

static HOURS: Table<u32> = Table::new(&[("午夜", 0), ("正午", 12)]);
static MINUTES: Table<i64> = Table::new(&[("整", 0), ("一刻", 15), ("半", 30), ("三刻", 45)]);

static FESTIVALS: Table<Yearly> = Table::new(&[
    ("元旦", Yearly::Day(1, 1)),
    ("情人节", Yearly::Day(2, 14)),
    ("妇女节|三八节", Yearly::Day(3, 8)),
    ("植树节", Yearly::Day(3, 12)),
    ("愚人节", Yearly::Day(4, 1)),
    ("五一|劳动节|五一劳动节", Yearly::Day(5, 1)),
    ("青年节", Yearly::Day(5, 4)),
    ("六一|儿童节|六一儿童节", Yearly::Day(6, 1)),
    ("建党节", Yearly::Day(7, 1)),
    ("建军节", Yearly::Day(8, 1)),
    ("教师节", Yearly::Day(9, 10)),
    ("国庆|十一国庆|十一假期|十一长假", Yearly::Day(10, 1)),
    ("万圣节", Yearly::Day(10, 31)),
    ("双十一|双11", Yearly::Day(11, 11)),
    ("双十二|双12", Yearly::Day(12, 12)),
    ("平安夜", Yearly::Day(12, 24)),
    ("圣诞", Yearly::Day(12, 25)),
    ("跨年夜", Yearly::Day(12, 31)),
    ("春节", Yearly::Lunar(1, 1)),
    ("元宵节", Yearly::Lunar(1, 15)),
    ("端午", Yearly::Lunar(5, 5)),
    ("七夕", Yearly::Lunar(7, 7)),
    ("中秋", Yearly::Lunar(8, 15)),
    ("重阳节", Yearly::Lunar(9, 9)),
    ("腊八节", Yearly::Lunar(12, 8)),
    ("除夕|大年夜|年三十|大年三十", Yearly::LunarEve),
    ("清明节|清明假期", Yearly::Qingming),
    ("母亲节", Yearly::Nth(5, 2, Weekday::Sun, 0)),
    ("父亲节", Yearly::Nth(6, 3, Weekday::Sun, 0)),
    ("感恩节", Yearly::Nth(11, 4, Weekday::Thu, 0)),
    ("复活节", Yearly::Easter(0)),
]);

/// `今天`, `昨晚`
fn named(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let other = c.before().is_some_and(|c| NOT_NAMED.contains(c));
    let offset = c.pick(&NAMED).filter(|_| !other)?;
    let part = if offset.abs() < 2 { c.pick(&SUFFIXES)? } else { None };
    Some(Named { part, ..Named::day(Unit::Day.shift(now.date(), offset)?) })
}

/// `下周`, `周五`, `上个星期天`, `周末`; `一周三次` and `两个星期五次` hold no weekday.
fn week(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let counted = c.before().is_some_and(|c| numeral(c) || c.is_ascii_digit() || "个几半整百".contains(c));
    let (today, weeks) = (now.date(), relative(c));
    if !c.take(WEEK) {
        return None;
    }
    if !counted && c.take("末") {
        return in_week(today, weeks.unwrap_or(0), Weekday::Sat).map(Named::day);
    }
    match (weeks, weekday(c)) {
        (None, Some(day)) if !counted => coming(today, day).map(Named::weekday),
        (Some(weeks), Some(day)) => in_week(today, weeks, day).map(Named::weekday),
        (Some(weeks), None) => Unit::Week.start(today, weeks).map(Named::day),
        _ => None,
    }
}

fn weekday(c: &mut Cursor<'_>) -> Option<Weekday> {
    Weekday::try_from(u8::try_from(c.index(&WEEKDAYS)?.min(6)).ok()?).ok()
}

fn relative(c: &mut Cursor<'_>) -> Option<i64> {
    if !c.sees("这") && c.before().is_some_and(|c| NOT_RELATIVE.contains(c)) {
        return None;
    }
    let count = c.pick(&RELATIVE)?;
    c.take("个");
    Some(count)
}

/// `下个月`, `下个月3号`, `月底`, `上季度`, `年初`
fn period(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    if c.before().is_some_and(|c| "正冬腊闰".contains(c)) {
        return None;
    }
    let (count, today) = (relative(c), now.date());
    let (word, unit) = c.pick(&PERIODS)?;
    let edge = c.attempt(|c| {
        c.take("的");
        c.take(word);
        edge(c)
    });
    match (count, edge) {
        (_, Some(edge)) if count.is_none() || unit != Unit::Year => {
            edge.of(unit, today, count.unwrap_or(0)).map(Named::day)
        }
        (Some(count), None) if unit != Unit::Year => {
            let start = unit.start(today, count)?;
            let day = c.attempt(|c| {
                c.take("的");
                c.number().filter(|_| unit == Unit::Month && c.take("号|日"))
            });
            let Some(day) = day else { return Some(Named::day(start)) };
            start.with_day(u32::try_from(day).ok()?).map(Named::exact)
        }
        _ => None,
    }
}

/// An edge; the `初` of `初八` is not one.
fn edge(c: &mut Cursor<'_>) -> Option<Edge> {
    c.pick(&EDGES).filter(|edge| !(matches!(edge, Edge::Start) && c.sees_number()))
}

/// `2027年3月5日`, `明年春节`, `三月底`, `农历八月十五`, `去年夏天`, `上个冬天`, `2030年`
fn calendar(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let today = now.date();
    let year = c.attempt(|c| year(c, today));
    if year.is_some() {
        c.take("的");
    }
    let bare = c.attempt(yearly);
    let date = match (year, bare) {
        (Some(year), Some(yearly)) => yearly.on(year),
        (None, Some(yearly)) => yearly.upcoming(today),
        (Some(year), None) => match part_of_year(c) {
            Some(part) => part.on(year),
            None if c.take("今天|今日") => {
                Unit::Year.shift(today, i64::from(year) - i64::from(today.year()))
            }
            None if c.sees_number() || !(1900..2200).contains(&year) => None,
            None => NaiveDate::from_ymd_opt(year, 1, 1),
        },
        (None, None) => match c.pick(&HALF_YEARS) {
            Some(half) => half.on(today.year()),
            None => {
                let which = relative(c)?;
                c.attempt(yearly).or_else(|| c.pick(&SEASONS))?.relative(today, which)
            }
        },
    }?;
    Some(Named { kind: bare.map_or(Kind::Loose, Yearly::kind), ..Named::day(date) })
}

fn year(c: &mut Cursor<'_>, today: NaiveDate) -> Option<i32> {
    if let Some(offset) = c.pick(&YEARS) {
        return today.year().checked_add(offset);
    }
    c.year().filter(|_| c.take("年"))
}

fn part_of_year(c: &mut Cursor<'_>) -> Option<Yearly> {
    let named = c.pick(&HALF_YEARS).or_else(|| c.pick(&SEASONS));
    let edge = |c: &mut Cursor<'_>| {
        c.take("年");
        match edge(c)? {
            Edge::Start => Some(Yearly::Day(1, 1)),
            Edge::End => Some(Yearly::Day(12, 31)),
            Edge::Tenth(_) => None,
        }
    };
    named.or_else(|| c.attempt(edge))
}

/// A festival, or a month with or without its day.
fn yearly(c: &mut Cursor<'_>) -> Option<Yearly> {
    if c.before().is_some_and(|c| "闰历".contains(c)) {
        return None;
    }
    if let Some(festival) = c.pick(&FESTIVALS) {
        c.take("节|夜");
        return Some(festival);
    }
    c.attempt(lunar).or_else(|| solar(c))
}

/// `大年初一`, `正月十五`, `八月初三`, `农历三月十八`
fn lunar(c: &mut Cursor<'_>) -> Option<Yearly> {
    let month = if c.take("大年初|年初") {
        1
    } else {
        let marked = c.take("农历|阴历|旧历");
        let known = c.pick(&LUNAR_MONTHS);
        let month = known.or_else(|| c.number().filter(|_| c.take("月")))?;
        (c.take("初") || marked || known.is_some()).then_some(month)?
    };
    let day = c.number().filter(|_| !c.sees("起直样定"))?;
    c.take("日|号");
    Some(Yearly::Lunar(u8::try_from(month).ok()?, u8::try_from(day).ok()?))
}

/// `3月5日`, `三月`, `三月底`; `一月一次` holds no date.
fn solar(c: &mut Cursor<'_>) -> Option<Yearly> {
    let month =
        u32::try_from(c.number().filter(|_| c.take("月"))?).ok().filter(|month| (1..=12).contains(month))?;
    let day = c.attempt(|c| {
        let digits = c.peek()?.is_ascii_digit();
        let day = c.number()?;
        let closed = digits
            && c.peek().is_none_or(|c| !(c.is_alphanumeric() || c.is_whitespace() || ".:".contains(c)));
        (c.take("日|号") || closed).then_some(u32::try_from(day).ok()?)
    });
    if let Some(day) = day {
        return Some(Yearly::Day(month, day));
    }
    c.take("份");
    match c.attempt(edge) {
        None if c.sees_number() => None,
        None | Some(Edge::Start) => Some(Yearly::Months(month, 1)),
        Some(Edge::Tenth(tens)) => Some(Yearly::Day(month, u32::try_from(tens).ok()? * 10 + 1)),
        Some(Edge::End) => Some(Yearly::MonthEnd(month)),
    }
}

/// `15号`, but not `三号线`
fn day_of_month(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    if c.before().is_some_and(|c| NOT_BEFORE.contains(c)) {
        return None;
    }
    let day = c.number().filter(|_| c.take("号"))?;
    let mut rest = *c;
    if !rest.any(&EVENTS) && rest.any(&THINGS) {
        return None;
    }
    next_day_of_month(now.date(), day).map(Named::exact)
}

/// `三天前`, `一个半月后`, `半小时后`, `再过两周`
fn span(c: &mut Cursor<'_>, now: NaiveDateTime) -> Option<Named> {
    let ahead = c.take("再过");
    let length = length(c)?;
    let sign = c.attempt(side).or(ahead.then_some(1))?;
    length.from(now, sign)
}

/// `三天前` after a day that is one, as in `春节前三天`; `下周前三天` is the start of the week.
pub(super) fn shifted(c: &mut Cursor<'_>, day: Named) -> Option<Named> {
    let sign = side(c).filter(|_| day.kind != Kind::Loose)?;
    length(c)?.shift(day.when.date(), sign).map(Named::day)
}

fn length(c: &mut Cursor<'_>) -> Option<Span> {
    let only_half = c.take("半");
    let count = if only_half { 0 } else { c.number()? };
    let pieces = c.take("个");
    let half = c.take("半");
    let unit = c.pick(&UNITS)?;
    let half = only_half || half || c.take("半");
    let fits = match unit {
        Unit::Month => pieces,
        Unit::Year => count < 1000,
        _ => true,
    };
    fits.then_some(Span { count, unit, half })
}

fn side(c: &mut Cursor<'_>) -> Option<i64> {
    let side = c.pick(&SIDES)?;
    let mut rest = *c;
    (!rest.any(&NO_SIDE)).then_some(side)
}

/// `下午三点半`, `晚8点`, `15:30`, `中午`
fn clock(c: &mut Cursor<'_>) -> Option<Clock> {
    if c.take("早一点|晚一点") {
        return None;
    }
    let part = c.pick(&PARTS).or_else(|| c.pick(&CLOCK_PARTS));
    let clock = |(hour, minute)| Clock { hour, minute, part, digital: false, alone: part.is_some() };
    if let Some(time) = c.attempt(|c| digital(c, ":")) {
        return Some(Clock { digital: true, ..clock(time) });
    }
    if let Some(time) = c.attempt(spoken) {
        return Some(clock(time));
    }
    let named = if part == Some(Part::Noon) { Some(12) } else { c.pick(&HOURS) };
    Some(Clock { digital: true, alone: false, ..clock((named?, 0)) })
}

/// An hour and its minutes in words: minutes without `分` are two digits.
fn spoken(c: &mut Cursor<'_>) -> Option<(u32, u32)> {
    let hour = c.number().filter(|hour| *hour < 24 && c.take("点|点钟|时"))?;
    let minute = c.pick(&MINUTES).or_else(|| {
        c.attempt(|c| {
            let short = !c.sees("零〇0");
            let minute = c.number()?;
            (c.take("分") || !short || minute > 9).then_some(minute).filter(|minute| *minute < 60)
        })
    });
    Some((u32::try_from(hour).ok()?, u32::try_from(minute.unwrap_or(0)).ok()?))
}
