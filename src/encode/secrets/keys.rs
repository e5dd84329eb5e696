//! Secrets with a form of their own: keys by prefix, tokens, key blocks, credentials in URLs.
//!
//! Only what stands in the tables is known. A prefix counts where no letter or digit stands before it and
//! enough of a key follows; documentation such as `sk-...` is left alone.

use super::{before, is_at, run, slice, starts_with, starts_with_any_case};
use std::ops::Range;

/// Which characters the rest of a key is made of.
#[derive(Clone, Copy)]
enum Body {
    Alnum,
    Word,
    Dotted,
    Path,
}

impl Body {
    fn has(self, c: char) -> bool {
        let word = c.is_ascii_alphanumeric() || c == '_' || c == '-';
        match self {
            Self::Alnum => c.is_ascii_alphanumeric(),
            Self::Word => word,
            Self::Dotted => word || c == '.',
            Self::Path => word || c == '/',
        }
    }
}

/// Prefix, fewest characters after it, and their alphabet, as the issuers document them.
const PREFIXES: &[(&str, usize, Body)] = &[
    // OpenAI, Anthropic (sk-ant-), DeepSeek, DashScope, Moonshot.
    ("sk-", 10, Body::Word),
    ("gsk_", 16, Body::Alnum),
    ("xai-", 16, Body::Word),
    ("pplx-", 16, Body::Alnum),
    ("nvapi-", 16, Body::Word),
    ("tvly-", 16, Body::Word),
    ("hf_", 16, Body::Alnum),
    ("r8_", 16, Body::Alnum),
    // GitHub, GitLab.
    ("ghp_", 16, Body::Alnum),
    ("gho_", 16, Body::Alnum),
    ("ghu_", 16, Body::Alnum),
    ("ghs_", 16, Body::Alnum),
    ("ghr_", 16, Body::Alnum),
    ("github_pat_", 20, Body::Word),
    ("glpat-", 16, Body::Word),
    // Slack, Discord.
    ("xoxa-", 12, Body::Word),
    ("xoxb-", 12, Body::Word),
    ("xoxp-", 12, Body::Word),
    ("xoxr-", 12, Body::Word),
    ("xoxs-", 12, Body::Word),
    ("xapp-", 12, Body::Word),
    ("hooks.slack.com/services/", 20, Body::Path),
    ("discord.com/api/webhooks/", 20, Body::Path),
    // Amazon, Google, Aliyun, Tencent Cloud, DigitalOcean.
    ("AKIA", 16, Body::Alnum),
    ("ASIA", 16, Body::Alnum),
    ("AIza", 20, Body::Word),
    ("ya29.", 16, Body::Dotted),
    ("GOCSPX-", 16, Body::Word),
    ("LTAI", 12, Body::Alnum),
    ("AKID", 20, Body::Alnum),
    ("dop_v1_", 20, Body::Alnum),
    // Package registries.
    ("npm_", 20, Body::Alnum),
    ("pypi-", 20, Body::Word),
    // Stripe, SendGrid, Shopify.
    ("sk_live_", 10, Body::Alnum),
    ("rk_live_", 10, Body::Alnum),
    ("pk_live_", 10, Body::Alnum),
    ("sk_test_", 10, Body::Alnum),
    ("rk_test_", 10, Body::Alnum),
    ("whsec_", 16, Body::Alnum),
    ("SG.", 20, Body::Dotted),
    ("shpat_", 16, Body::Alnum),
];

/// Fewest digits in the rest of a key; a long rest in both cases needs none.
const FEWEST_DIGITS: usize = 3;
const LONG: usize = 20;

/// As far as a key is looked at to tell whether it is one; the bound keeps the time linear.
const PROBE: usize = 1024;

/// Schemes of the header `Authorization` (IANA HTTP authentication schemes, and `token`).
const SCHEMES: &[&str] = &["basic ", "bearer ", "digest ", "token "];

/// A user part of a URL this long with a digit is a token.
const USER_TOKEN: usize = 16;

/// Adds the spans of secrets with a form of their own.
pub(super) fn find(chars: &[char], spans: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while at < chars.len() {
        let found = block(chars, at).or_else(|| token(chars, at)).or_else(|| credentials(chars, at));
        at = found.as_ref().map_or(at + 1, |span| span.end.max(at + 1));
        spans.extend(found);
    }
}

/// What begins where no letter or digit stands before.
fn token(chars: &[char], at: usize) -> Option<Range<usize>> {
    if before(chars, at).is_some_and(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    prefixed(chars, at).or_else(|| web_token(chars, at)).or_else(|| header(chars, at))
}

fn prefixed(chars: &[char], at: usize) -> Option<Range<usize>> {
    PREFIXES.iter().find_map(|(prefix, fewest, body)| {
        if !starts_with(chars, at, prefix) {
            return None;
        }
        let from = at + prefix.chars().count();
        let near = slice(chars, &(from..chars.len().min(from + PROBE)));
        let near = near.get(..run(near, 0, |c| body.has(c))).unwrap_or_default();
        if near.len() < *fewest || !is_random(near) {
            return None;
        }
        let end = run(chars, from, |c| body.has(c));
        let rest = slice(chars, &(from..end));
        Some(at..from + rest.iter().rposition(|c| !matches!(c, '.' | '-' | '/'))? + 1)
    })
}

fn is_random(rest: &[char]) -> bool {
    let has = |test: fn(&char) -> bool| rest.iter().any(test);
    let digits = rest.iter().filter(|c| c.is_ascii_digit()).count();
    let both_cases = has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase);
    digits >= FEWEST_DIGITS || (rest.len() >= LONG && both_cases)
}

/// A JSON Web Token (RFC 7519): `eyJ` is `{"` in base64url; the signature may be cut off.
fn web_token(chars: &[char], at: usize) -> Option<Range<usize>> {
    if !starts_with(chars, at, "eyJ") {
        return None;
    }
    let near = slice(chars, &(at..chars.len().min(at + PROBE)));
    let head = at + run(near, 0, |c| Body::Word.has(c));
    if head < at + 10 || !starts_with(chars, head, ".") {
        return None;
    }
    let claims = run(chars, head + 1, |c| Body::Word.has(c));
    if claims < head + 7 {
        return None;
    }
    let signature = run(chars, claims + 1, |c| Body::Word.has(c));
    let signed = starts_with(chars, claims, ".") && signature > claims + 1;
    Some(at..if signed { signature } else { claims })
}

/// The value in `Authorization: Scheme value`, or a token after `Bearer` (RFC 6750).
fn header(chars: &[char], at: usize) -> Option<Range<usize>> {
    let named = starts_with_any_case(chars, at, "authorization");
    let mut from =
        if named { run(chars, at + 13, |c| matches!(c, ' ' | ':' | '=' | '"' | '\'')) } else { at };
    if named && from == at + 13 {
        return None;
    }
    let scheme = SCHEMES.iter().find(|scheme| starts_with_any_case(chars, from, scheme));
    if let Some(scheme) = scheme {
        from = run(chars, from + scheme.len(), |c| c == ' ');
    }
    let bearer = scheme.is_some_and(|scheme| *scheme == "bearer ");
    if !named && !bearer {
        return None;
    }
    let mut end = run(chars, from, |c| c.is_ascii_alphanumeric() || "._~+/=-".contains(c));
    while end > from && is_at(chars, end - 1, |c| c == '.') {
        end -= 1;
    }
    let value = slice(chars, &(from..end));
    let random = value.iter().any(char::is_ascii_digit) || value.len() >= LONG;
    let wanted = (named && value.len() >= 6) || (bearer && value.len() >= 8 && random);
    wanted.then_some(from..end)
}

/// A PEM block of a private key (RFC 7468), to the end of the text when it has no end.
fn block(chars: &[char], at: usize) -> Option<Range<usize>> {
    const BEGIN: &str = "-----BEGIN ";
    const END: &str = "-----END ";
    if !starts_with(chars, at, BEGIN) {
        return None;
    }
    let title = at + BEGIN.len()..run(chars, at + BEGIN.len(), |c| c.is_ascii_uppercase() || c == ' ');
    let name: String = slice(chars, &title).iter().collect();
    if !name.contains("PRIVATE KEY") {
        return None;
    }
    let mut end = title.end;
    while end < chars.len() {
        if starts_with(chars, end, END) {
            let close = run(chars, end + END.len(), |c| c.is_ascii_uppercase() || c == ' ');
            return Some(at..run(chars, close, |c| c == '-'));
        }
        end += 1;
    }
    Some(at..end)
}

/// The password in `scheme://user:password@host` (RFC 3986), or a user that is a token.
fn credentials(chars: &[char], at: usize) -> Option<Range<usize>> {
    if !starts_with(chars, at, "://") || !before(chars, at).is_some_and(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let from = at + 3;
    let end = run(chars, from, |c| !c.is_whitespace() && !"/?#\"'<>".contains(c) && !super::is_cjk(c));
    let sign = from + slice(chars, &(from..end)).iter().rposition(|c| *c == '@')?;
    let user = slice(chars, &(from..sign));
    match user.iter().position(|c| *c == ':') {
        Some(colon) => Some(from + colon + 1..sign),
        None => (user.len() >= USER_TOKEN && user.iter().any(char::is_ascii_digit)).then_some(from..sign),
    }
}
