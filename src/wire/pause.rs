//! How long an endpoint asks to wait, in all the spellings it may use.

use std::time::Duration;

use chrono::DateTime;

/// The pause asked for by the headers (looked up by name) or, without one, by the words of the error.
/// `now` is the time in Unix seconds, for a header that names a date.
pub fn asked(header: &dyn Fn(&str) -> Option<String>, words: &str, now: Option<i64>) -> Option<Duration> {
    let seconds = |value: String| value.trim().parse::<f64>().ok();
    if let Some(milliseconds) = header("retry-after-ms").and_then(seconds) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    if let Some(value) = header("retry-after") {
        let date = DateTime::parse_from_rfc2822(value.trim()).ok();
        let until = date.zip(now).map(|(date, now)| (date.timestamp() - now).max(0) as f64);
        return seconds(value).or(until).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    }
    let resets = ["x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"];
    let reset = resets.iter().filter_map(|name| leading_duration(&header(name)?)).max();
    reset.or_else(|| in_words(words))
}

/// `try again in 1.2s`, `"retryDelay": "26s"`.
fn in_words(words: &str) -> Option<Duration> {
    let words = words.to_lowercase();
    ["retrydelay", "try again in", "retry in", "retry after"].iter().find_map(|phrase| {
        let (_, rest) = words.split_once(phrase)?;
        leading_duration(rest.trim_start_matches([' ', '"', ':']))
    })
}

/// A duration at the beginning of `text`: `6m0s`, `500ms`, `1.2s`, `26 seconds`.
fn leading_duration(text: &str) -> Option<Duration> {
    let mut total = 0.0;
    let mut found = false;
    let mut rest = text.trim_start();
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        let Ok(number) = number.parse::<f64>() else { break };
        let after = after.trim_start();
        let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
        let Some((unit, seconds)) = units.iter().find(|(unit, _)| after.starts_with(unit)) else { break };
        total += number * seconds;
        found = true;
        rest = after.strip_prefix(unit).unwrap_or_default();
    }
    found.then(|| Duration::try_from_secs_f64(total).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(headers: &[(&str, &str)], words: &str, expected: Option<u64>) {
        let header = |name: &str| {
            headers.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let asked = asked(&header, words, Some(1_924_992_000)).map(|pause| pause.as_millis() as u64);
        assert_eq!(asked, expected, "{headers:?} {words}");
    }

    #[test]
    fn spellings() {
        check(&[("retry-after", "2")], "", Some(2000));
        check(&[("retry-after", "0.5")], "", Some(500));
        check(&[("retry-after-ms", "250"), ("retry-after", "9")], "", Some(250));
        check(&[("retry-after", "Wed, 01 Jan 2031 00:00:05 GMT")], "", Some(5000));
        check(&[("x-ratelimit-reset-requests", "6m0s")], "", Some(360_000));
        check(&[("x-ratelimit-reset-tokens", "500ms")], "", Some(500));
        check(&[("retry-after", "soon")], "", None);
        check(&[("retry-after", "-1")], "", None);
        check(&[], "Please try again in 1.2s.", Some(1200));
        check(&[], "{\"retryDelay\": \"26s\"}", Some(26_000));
        check(&[], "Please retry after 8 seconds.", Some(8000));
        check(&[], "slow down", None);
    }
}
