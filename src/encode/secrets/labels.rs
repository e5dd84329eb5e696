//! The words around a secret that is said: its names, the verbs between, and what is no secret after all.
//!
//! Tables only, all in lower case. A space in a name stands for one space, `_`, `-`, or nothing.

/// What counts as the value of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A password: anything with a digit or a sign, and a plain word where it is clearly the value.
    Word,
    /// As `Word`, and words of a language.
    Spoken,
    /// A key: long, with a digit; a plain word when assigned.
    Key,
    /// A word with everyday meanings: letters with digits only.
    Bare,
    /// Letters and digits of a one-time code.
    Code,
    /// That many digits.
    Digits(usize, usize),
}

/// Names of secrets.
pub(super) const NAMES: &[(&str, Kind)] = &[
    ("password", Kind::Word),
    ("pass word", Kind::Word),
    ("passwd", Kind::Word),
    ("pwd", Kind::Word),
    ("pw", Kind::Bare),
    ("user/pass", Kind::Word),
    ("passcode", Kind::Word),
    ("pass code", Kind::Word),
    ("wifi key", Kind::Word),
    ("passphrase", Kind::Spoken),
    ("pass phrase", Kind::Spoken),
    ("密码", Kind::Word),
    ("密碼", Kind::Word),
    ("口令", Kind::Spoken),
    ("暗号", Kind::Spoken),
    ("暗號", Kind::Spoken),
    ("api key", Kind::Key),
    ("access key", Kind::Key),
    ("access key id", Kind::Key),
    ("secret access key", Kind::Key),
    ("secret key", Kind::Key),
    ("client secret", Kind::Key),
    ("app secret", Kind::Key),
    ("private key", Kind::Key),
    ("encryption key", Kind::Key),
    ("license key", Kind::Key),
    ("access token", Kind::Key),
    ("auth token", Kind::Key),
    ("bot token", Kind::Key),
    ("refresh token", Kind::Key),
    ("api token", Kind::Key),
    ("密钥", Kind::Key),
    ("密鑰", Kind::Key),
    ("秘钥", Kind::Key),
    ("私钥", Kind::Key),
    ("令牌", Kind::Key),
    ("secret", Kind::Bare),
    ("token", Kind::Bare),
    ("credential", Kind::Bare),
    ("pin", Kind::Digits(4, 12)),
    ("pin code", Kind::Digits(4, 12)),
    ("pin number", Kind::Digits(4, 12)),
    ("pin码", Kind::Digits(4, 12)),
    ("cvv", Kind::Digits(3, 4)),
    ("cvc", Kind::Digits(3, 4)),
    ("安全码", Kind::Digits(3, 8)),
    ("ssn", Kind::Digits(9, 9)),
    ("social security number", Kind::Digits(9, 9)),
    ("card number", Kind::Digits(12, 19)),
    ("银行卡号", Kind::Digits(12, 19)),
    ("信用卡号", Kind::Digits(12, 19)),
    ("身份证", Kind::Digits(15, 18)),
    ("身份证号", Kind::Digits(15, 18)),
    ("身份证号码", Kind::Digits(15, 18)),
    ("verification code", Kind::Code),
    ("security code", Kind::Code),
    ("confirmation code", Kind::Code),
    ("one time code", Kind::Code),
    ("otp", Kind::Code),
    ("otp code", Kind::Code),
    ("2fa code", Kind::Code),
    ("login code", Kind::Code),
    ("recovery code", Kind::Code),
    ("backup code", Kind::Code),
    ("door code", Kind::Code),
    ("gate code", Kind::Code),
    ("alarm code", Kind::Code),
    ("entry code", Kind::Code),
    ("unlock code", Kind::Code),
    ("lock code", Kind::Code),
    ("combination", Kind::Code),
    ("safe combination", Kind::Code),
    ("lock combination", Kind::Code),
    ("验证码", Kind::Code),
    ("驗證碼", Kind::Code),
    ("校验码", Kind::Code),
    ("动态码", Kind::Code),
    ("提取码", Kind::Code),
    ("门禁码", Kind::Code),
    ("恢复码", Kind::Code),
];

/// Names of the words that restore a wallet (BIP-39).
pub(super) const SEED_NAMES: &[&str] = &[
    "seed phrase",
    "seed words",
    "recovery phrase",
    "recovery words",
    "backup phrase",
    "secret phrase",
    "wallet phrase",
    "mnemonic",
    "mnemonic phrase",
    "助记词",
    "助記詞",
    "种子词",
    "恢复短语",
];

/// Words between a name and its value; with one of the first table the value may be a plain word.
pub(super) const COPULAS: &[&str] = &["is", "was", "are", "be", "equals", "being"];
pub(super) const LINKS: &[&str] = &[
    "now",
    "still",
    "to",
    "as",
    "just",
    "always",
    "currently",
    "set",
    "changed",
    "reset",
    "updated",
    "been",
    "has",
    "will",
    "should",
    "again",
];
/// Words between one value and the next.
pub(super) const AND: &[&str] = &["and", "or", "but", "is", "was", "now", "then", "also", "later"];
/// A change said before the name makes `to` a copula.
pub(super) const CHANGES: &[&str] = &["chang", "reset", "set ", "updat", "改", "换", "设"];
/// What may come between a name and a copula, as in `the password for the router is`.
pub(super) const PREPOSITIONS: &[&str] = &["for", "of", "to", "on", "at", "in", "i", "we", "that"];

/// Characters that may stand between a name and the Chinese copula.
pub(super) const FILLERS: &str =
    "我你他她它们已经也都就还又现在刚才一直今天被重新统一默认初始原来给您是设改换大概应该可能好像其实";
pub(super) const COPULAS_HAN: &[&str] = &[
    "是",
    "为",
    "為",
    "叫",
    "改成",
    "改成了",
    "改为",
    "改为了",
    "换成",
    "换成了",
    "设成",
    "设成了",
    "设为",
    "设置为",
    "设置成",
    "设的是",
    "用的是",
    "变成",
    "写成",
    "等于",
];

/// Between a value and the name of it, as in `hunter2 is my password`.
pub(super) const BACKWARD: &[&str] = &[
    " is my ",
    " is the ",
    " is our ",
    " is his ",
    " is her ",
    " is their ",
    " was my ",
    " was the ",
    " as my ",
    " as the ",
    " for my ",
    ", that's my ",
    "就是",
    "是",
    "做",
    "当",
    "作为",
    "作",
];
/// Said between, it was no statement about the value.
pub(super) const NOT_BACKWARD: &[char] = &['忘', '改', '换', '丢', '设', '找', '输', '问', '不', '没', '年'];

/// Beginnings of a stand-in for a value.
pub(super) const STAND_INS: &[&str] = &[
    "$",
    "<",
    "{",
    "[",
    "*",
    "%",
    "•",
    "(",
    "...",
    "…",
    "xxx",
    "os.",
    "process.",
    "env.",
    "std::",
    "config.",
    "getenv",
    "http://",
    "https://",
    "settings.",
    "self.",
    "--",
];

/// After digits, they are a measure or a date.
pub(super) const UNITS_HAN: &str = "年月日位个個次条号块元分秒字章页天种";
pub(super) const UNITS: &[&str] = &[
    "characters",
    "chars",
    "character",
    "digits",
    "letters",
    "words",
    "bits",
    "bytes",
    "minutes",
    "seconds",
    "days",
    "years",
    "times",
    "months",
    "people",
    "attempts",
    "symbols",
    "percent",
    "tokens",
];

/// What is said about passwords: alone, no password where one could stand.
#[rustfmt::skip]
pub(super) const ABOUT: &[&str] = &[
    "weak", "strong", "secure", "insecure", "safe", "unsafe", "expired", "wrong", "incorrect",
    "invalid", "valid",
    "required", "optional", "forgotten", "lost", "stolen", "leaked", "correct", "long", "short",
    "secret", "missing",
    "saved", "stored", "reset", "changed", "same", "unknown", "good", "bad", "easy", "hard", "old",
    "new", "ready",
    "here", "there", "below", "above", "empty", "blank", "none", "null", "true", "false", "yes",
    "hidden", "shared",
    "protected", "encrypted", "hashed", "written", "kept", "set", "needed", "necessary",
    "important", "different",
    "unique", "simple", "complex", "complicated", "random", "private", "public", "default",
    "compromised", "hacked",
    "minimum", "maximum", "length", "string", "text", "number", "field", "input", "type", "nope", "something",
    "nothing", "anything", "everything", "impossible", "gone", "broken", "working", "disabled",
    "enabled", "fine",
    "okay", "terrible", "awful", "great", "funny", "silly", "tbd", "todo", "redacted", "undefined",
    "patience",
];
/// What begins or joins the words of a sentence.
#[rustfmt::skip]
pub(super) const JOINING: &[&str] = &[
    "a", "an", "the", "i", "we", "you", "he", "she", "it", "they", "my", "your", "his", "her", "our", "their",
    "this", "that", "these", "those", "is", "are", "was", "were", "be", "been", "has", "have",
    "had", "do", "does",
    "did", "can", "could", "will", "would", "must", "should", "may", "might", "not", "never", "no",
    "only", "also",
    "always", "to", "of", "in", "on", "at", "by", "for", "from", "with", "without", "and", "or",
    "but", "if", "when",
    "where", "what", "which", "who", "how", "why", "as", "than", "then", "so", "very", "too",
    "really", "quite",
    "please", "see", "ask", "use", "keep", "enter", "check", "make", "let", "try", "get", "forgot", "contact",
    "about", "like", "some", "any", "all", "more", "most", "still", "now", "again", "up", "out",
];
/// Beginnings of what is said about a password in Chinese.
pub(super) const PLAIN_HAN: &[&str] = &[
    "忘", "我", "你", "他", "她", "请", "不", "没", "未", "已", "无", "见", "如", "需", "必", "错", "正确",
    "要", "由", "指", "一", "至少", "什么", "多少", "是", "的", "在", "为", "用", "和", "或", "同", "跟",
    "这", "那", "可", "应", "会", "能", "八", "六", "长度", "太", "很", "过", "保", "暂", "空", "怎", "吗",
    "呢",
];
