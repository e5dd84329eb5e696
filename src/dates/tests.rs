//! The tables of cases, and what holds for any text.

use super::{When, first, resolve};
use chrono::{Datelike, NaiveDate, NaiveDateTime};

const CHINESE: &str = include_str!("cases/zh.tsv");
const ENGLISH: &str = include_str!("cases/en.tsv");

fn time(text: &str) -> NaiveDateTime {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M").unwrap()
}

fn rows(cases: &str) -> impl Iterator<Item = [&str; 3]> {
    cases.lines().map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap())
}

fn check(cases: &str) {
    let wrong = rows(cases).filter_map(|[now, text, expected]| {
        let got = resolve(text, time(now)).map(|when| when.to_string()).unwrap_or_default();
        (got != expected).then(|| format!("{now} {text}: {got:?}, not {expected:?}"))
    });
    let wrong = wrong.collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn chinese_cases() {
    check(CHINESE);
}

#[test]
fn english_cases() {
    check(ENGLISH);
}

/// The words found name the same date by themselves, and stand where they are said to.
#[test]
fn words_name_the_date() {
    for [now, text, _] in rows(CHINESE).chain(rows(ENGLISH)) {
        let padded = format!("《é》 {text}");
        let (Some(found), Some(inner)) = (first(text, time(now)), first(&padded, time(now))) else {
            continue;
        };
        let words = text.get(found.words.clone()).unwrap();
        assert_eq!(words.trim(), words, "{text}");
        assert_eq!(resolve(words, time(now)), Some(found.when), "{text}: {words}");
        assert_eq!((padded.get(inner.words).unwrap(), inner.when), (words, found.when), "{text}");
    }
}

#[test]
fn full_width_words_are_found_where_they_are() {
    let text = "房租２０２７年１月１５日到期";
    let found = first(text, time("2026-11-30T20:15")).unwrap();
    assert_eq!(text.get(found.words), Some("２０２７年１月１５日"));
    assert_eq!(found.when, When::Day(NaiveDate::from_ymd_opt(2027, 1, 15).unwrap()));
}

/// Texts put together from the vocabulary, the numbers at the edges and other characters.
fn texts() -> impl Iterator<Item = String> {
    let words = "0 1 31 32 99 9999 10000 999999999 99999999999999999999 . , : / - ( ) ' é 👪 \u{301} \u{0} 每 周 上 下 \
        个 月 年 日 号 点 半 前 后 三 十 百 千 万 零 两 初 底 农历 腊月 春节 除夕 今天 大后天 晚上 凌晨 中午 去年 夏天 星期 \
        天 分 小时 再过 the of in at on a next last this week weekend month year day Friday sat May March 9th 31st ago from \
        now before after end summer Christmas Easter am pm noon midnight every two hundred hours minutes half o'clock";
    let words = words.split(' ').collect::<Vec<_>>();
    let mut state = 7_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    (0..20_000).map(move |_| {
        let mut text = String::new();
        for _ in 0..=random(8) {
            text += words[random(words.len())];
            text += ["", " "][random(2)];
        }
        text
    })
}

#[test]
fn no_text_panics_and_all_years_are_of_four_digits() {
    let nows =
        ["0001-01-01T00:00", "1900-03-01T12:00", "2028-02-29T23:59", "2100-12-31T23:59", "9999-12-31T23:59"];
    let mut nows = nows.map(time).to_vec();
    nows.extend([NaiveDateTime::MIN, NaiveDateTime::MAX]);
    for (index, text) in texts().enumerate() {
        if let Some(found) = first(&text, nows[index % nows.len()]) {
            assert!((1..=9999).contains(&found.when.date().year()), "{text}");
            assert!(!text.get(found.words).unwrap().is_empty(), "{text}");
        }
    }
}

#[test]
fn long_texts_are_searched_to_their_end() {
    let now = time("2026-11-30T20:15");
    for filler in
        ["1", "三", " ", "in a ", "every ", "每", "the week before ", "at 3 ", "我们在", "1 ", "一周一"]
    {
        let text = filler.repeat(50_000 / filler.len()) + "。\n明天";
        let tomorrow =
            first(&text, now).map(|found| (found.when.to_string(), text.get(found.words).unwrap()));
        assert_eq!(tomorrow, Some(("2026-12-01".to_owned(), "明天")), "{filler}");
    }
}

/// Dates of the observatory of Hong Kong.
#[test]
fn festivals_of_the_chinese_calendar() {
    let dates = [
        ("2020年春节", "2020-01-25"),
        ("2033年春节", "2033-01-31"),
        ("2034年春节", "2034-02-19"),
        ("2020年端午节", "2020-06-25"),
        ("2020年中秋节", "2020-10-01"),
        ("2033年中秋节", "2033-09-08"),
        ("2025年除夕", "2025-01-28"),
        ("2024年清明节", "2024-04-04"),
        ("2023年清明节", "2023-04-05"),
    ];
    for (text, date) in dates {
        assert_eq!(
            resolve(text, time("2026-11-30T20:15")).map(|when| when.to_string()).as_deref(),
            Some(date),
            "{text}"
        );
    }
}
