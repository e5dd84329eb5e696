//! How words are held against each other: in what script, how much of it was said, whether it denies, whether it
//! tells of what is over.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::search::{normal, tokens};

/// Of the words of a content, so many have to be the user's.
const GROUNDED: f64 = 0.4;

/// In what script a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Chinese characters, also among others.
    Chinese,
    Other(&'static str),
}

/// The script that most of a text is in, a Chinese character counting as much as a word of letters.
pub fn script(text: &str) -> Script {
    let mut counts = [0_usize; 5];
    let mut previous = None;
    for letter in text.chars() {
        let class = match letter {
            '\u{3040}'..='\u{30ff}' => Some(3),
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Some(0),
            '\u{ac00}'..='\u{d7af}' => Some(4),
            '\u{0400}'..='\u{052f}' => Some(2),
            letter if letter.is_alphabetic() => Some(1),
            _ => None,
        };
        if let Some(class) = class
            && (class == 0 || class == 3 || previous != Some(class))
        {
            counts[class] += 1;
        }
        previous = class;
    }
    let [chinese, latin, cyrillic, kana, hangul] = counts;
    let most = counts.into_iter().max().unwrap_or_default();
    match most {
        _ if kana * 4 > chinese && kana > 0 => Script::Other("kana"),
        _ if chinese == most => Script::Chinese,
        _ if hangul == most => Script::Other("hangul"),
        _ if cyrillic == most => Script::Other("cyrillic"),
        _ if latin == most => Script::Other("latin"),
        _ => Script::Other("none"),
    }
}

/// Words that sentences about somebody are made of, whatever they say.
static LIGHT: LazyLock<HashSet<String>> = LazyLock::new(|| tokens(LIGHT_WORDS).into_iter().collect());
const LIGHT_WORDS: &str = "user users name named call called like say said mention own has still just also really very 用 户 名 字 叫 说 自 己 \
    养 有 家 只 个 位 条 一 是 的 在 了 过 仍 还 也 很";

/// The words of a text that say something: of Chinese each character, of other scripts each word.
pub fn words(text: &str) -> HashSet<String> {
    let is_han = |letter: char| ('\u{3400}'..='\u{9fff}').contains(&letter);
    let one = |word: &String| !word.starts_with(is_han) || word.chars().nth(1).is_none();
    let says = |word: &String| !word.contains(['\'', '’']) && !LIGHT.contains(word);
    tokens(text).into_iter().filter(|word| one(word) && says(word)).collect()
}

/// Whether enough of a content's words are in `said`, and every number and every name that it introduces;
/// names may also be in what was `shown`.
pub fn is_grounded(content: &str, said: &str, shown: &str) -> bool {
    let (mut words, of_user) = (words(content), words(said));
    words.retain(|word| !word.chars().all(|letter| letter.is_ascii_digit()));
    let found = words.iter().filter(|word| of_user.contains(*word)).count();
    let enough = words.is_empty() || found as f64 >= GROUNDED * words.len() as f64;
    enough && !brings_in(content, said, shown)
}

/// Whether a content has a number, a name or a longer Chinese word that was neither said nor shown.
pub fn brings_in(content: &str, said: &str, shown: &str) -> bool {
    let numbers_said =
        || numbers(content).iter().all(|number| says_number(&format!("{said}\n{shown}"), number));
    has_foreign_run(content, said, shown) || !numbers_said() || !has_names(content, said, shown)
}

/// Chinese words that contents are worded with, whatever was said.
const WORDING: [&str; 44] = [
    "用户", "居住", "工作", "职业", "名字", "姓名", "喜欢", "希望", "拥有", "正在", "学习", "计划", "打算",
    "偏好", "回答", "助手", "使用", "来自", "家乡", "结婚", "妻子", "丈夫", "年龄", "生日", "电话", "邮箱",
    "爱好", "饮食", "宠物", "需要", "应该", "进行", "参加", "准备", "表示", "提到", "提及", "认为", "目前",
    "现在", "自己", "询问", "想要", "知道",
];
/// So many characters in a row that were not said are a word that was not.
const FOREIGN_RUN: usize = 3;

/// Whether a content has a longer Chinese word of which nothing was said.
fn has_foreign_run(content: &str, said: &str, shown: &str) -> bool {
    let fold = |text: &str| text.chars().map(crate::fold::character).collect::<String>();
    let said: HashSet<char> = fold(said).chars().collect();
    let shown = fold(shown);
    let content = WORDING.iter().fold(fold(content), |content, word| content.replace(word, " "));
    let is_foreign = |letter: char| ('\u{3400}'..='\u{9fff}').contains(&letter) && !said.contains(&letter);
    let mut runs = content.split(|letter| !is_foreign(letter));
    runs.any(|run| run.chars().count() >= FOREIGN_RUN && !shown.contains(run))
}

/// The runs of digits of a text.
fn numbers(text: &str) -> Vec<String> {
    let folded: String = text.chars().map(crate::fold::character).collect();
    folded
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|run| !run.is_empty())
        .map(|run| run.trim_start_matches('0').to_owned())
        .collect()
}

/// Whether a text has a number, in digits or in words.
fn says_number(text: &str, number: &str) -> bool {
    if numbers(text).iter().any(|said| said == number) {
        return true;
    }
    let Some(value) = number.parse::<usize>().ok().filter(|value| *value < 100) else { return false };
    let text = text.to_lowercase();
    let english: Vec<&str> = text.split(|letter: char| !letter.is_alphabetic()).collect();
    let (tens, ones) = (value / 10, value % 10);
    let spelt = match (value, TENS.get(tens)) {
        (..20, _) => ONES.get(value).is_some_and(|word| english.contains(word)),
        (_, Some(word)) if ones == 0 => english.contains(word),
        (_, Some(word)) => english.contains(word) && english.contains(&ONES[ones]),
        _ => false,
    };
    spelt || chinese_numbers(value).iter().any(|word| text.contains(word))
}

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// How a number below a hundred is written in Chinese.
fn chinese_numbers(value: usize) -> Vec<String> {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let digit = |digit: usize| DIGITS.get(digit).copied().unwrap_or_default();
    let ones = if value.is_multiple_of(10) { "" } else { digit(value % 10) };
    match value {
        2 => vec!["二".to_owned(), "两".to_owned(), "俩".to_owned()],
        ..10 => vec![digit(value).to_owned()],
        10..20 => vec![format!("十{ones}")],
        _ => vec![format!("{}十{ones}", digit(value / 10))],
    }
}

/// Whether the names that a content introduces were said: behind "named", and any word in a capital letter.
fn has_names(content: &str, said: &str, shown: &str) -> bool {
    const BEFORE: [&str; 5] = ["名叫", "取名", "叫做", "叫", "名字是"];
    let said_key = normal(&format!("{said}\n{shown}"));
    let is_said = |name: &str| normal(name).is_empty() || said_key.contains(&normal(name));
    let ends = |letter: char| "的，,。.、；;！!（(和与 ".contains(letter);
    for before in BEFORE {
        let Some((_, behind)) = content.split_once(before) else { continue };
        let name = behind.split(ends).next().unwrap_or_default();
        if name.chars().count() <= 4 && !is_said(name) {
            return false;
        }
    }
    let mut starts = true;
    for word in content.split_whitespace() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
        let capital = bare.chars().next().is_some_and(|first| first.is_ascii_uppercase());
        let known = ["I", "User", "The", "AI"].contains(&bare);
        if capital && !starts && !known && !is_said(bare) {
            return false;
        }
        starts = word.ends_with(['.', '!', '?', ':']);
    }
    true
}

/// Words that deny; and phrases in which they do not.
const NOT_ZH: [&str; 6] = ["不", "没", "未", "勿", "无法", "讨厌"];
const NO_NOT_ZH: [&str; 24] = [
    "不知",
    "没想到",
    "不瞒",
    "别忘",
    "不好意思",
    "不过",
    "不仅",
    "不但",
    "不只",
    "不错",
    "差不多",
    "不断",
    "不对",
    "不是吗",
    "不久",
    "不得不",
    "不同",
    "没错",
    "没问题",
    "未来",
    "不用说",
    "忍不住",
    "说不定",
    "不要忘",
];
const NOT_EN: [&str; 13] =
    ["not", "never", "no", "don", "doesn", "didn", "isn", "aren", "wasn", "won", "can", "cannot", "without"];
const NO_NOT_EN: [&str; 8] = [
    "don't forget",
    "do not forget",
    "not only",
    "no problem",
    "can't wait",
    "why not",
    "no doubt",
    "no wonder",
];
/// Words that deny by what they mean.
const MEANS_NOT: [&str; 26] = [
    "素食",
    "过敏",
    "单身",
    "戒",
    "忌",
    "避免",
    "拒绝",
    "反感",
    "讨厌",
    "缺",
    "辞",
    "离",
    "停",
    "别",
    "vegan",
    "vegetarian",
    "allerg",
    "avoid",
    "dislike",
    "hate",
    "quit",
    "stop",
    "refus",
    "lack",
    "single",
    "free",
];

/// Whether words deny something.
pub fn denies(words: &str) -> bool {
    let mut words = words.to_lowercase().replace('’', "'");
    for phrase in NO_NOT_ZH.iter().chain(&NO_NOT_EN) {
        words = words.replace(phrase, " ");
    }
    // "don't" is "don" and "t"; "can" alone denies nothing.
    let parts: Vec<&str> = words.split(|letter: char| !letter.is_ascii_alphabetic()).collect();
    let english = parts.iter().enumerate().any(|(at, part)| {
        let shortened = parts.get(at + 1) == Some(&"t");
        NOT_EN.contains(part) && (shortened || !["can", "don", "won"].contains(part))
    });
    english || NOT_ZH.iter().any(|word| words.contains(word))
}

/// Whether a content denies what was said, or says what was denied.
pub fn turns_round(content: &str, said: &str) -> bool {
    let means_not = |words: &str| {
        let words = words.to_lowercase();
        MEANS_NOT.iter().any(|word| words.contains(word))
    };
    denies(content) != denies(said) && !means_not(content) && !means_not(said)
}

/// Whether words say that something was so, and is no more.
pub fn is_past(words: &str) -> bool {
    const PAST: [&str; 16] = [
        "以前",
        "曾经",
        "过去",
        "小时候",
        "当年",
        "之前住",
        "之前在",
        "原来",
        "原先",
        "used to",
        "formerly",
        "previously",
        "in the past",
        "as a child",
        "once lived",
        "once worked",
    ];
    let words = words.to_lowercase();
    PAST.iter().any(|marker| words.contains(marker))
}

/// Whether words take something back that was so.
pub fn is_no_more(words: &str) -> bool {
    const NO_MORE: [&str; 22] = [
        "不再",
        "已经不",
        "不是了",
        "不喜欢了",
        "不爱",
        "不住",
        "不用了",
        "不养了",
        "不学了",
        "不做了",
        "戒了",
        "辞职",
        "离职",
        "分手",
        "离婚",
        "no longer",
        "not anymore",
        "any more",
        "anymore",
        "i quit",
        "stopped",
        "gave up",
    ];
    let words = words.to_lowercase();
    NO_MORE.iter().any(|marker| words.contains(marker))
}

/// Words without which a relation was not said, whatever a model calls it.
const CUES: [(&str, &str); 21] = [
    ("likes", "喜欢 爱 喜好 偏好 迷 粉 like love enjoy prefer favo fan into"),
    ("dislikes", "不喜 讨厌 不爱 不吃 不喝 反感 受不了 hate dislike don't doesn't can't not never"),
    ("allergic_to", "过敏 allerg"),
    ("lives_in", "住 搬 家 居 定 在 place live living moved based resid home"),
    ("works_at", "工作 上班 就职 入职 公司 在 做 当 work job join employ at for"),
    ("job", "工作 职业 当 做 是 上班 师 员 work job am i'm as"),
    ("name", "我叫 叫我 名字 姓名 我是 name i'm i@am call@me"),
    ("nickname", "叫 昵称 外号 小名 call name"),
    ("age", "岁 年龄 生于 years turned old age born"),
    ("birthday", "生日 出生 生于 born birth"),
    ("born_in", "出生 生于 生在 born"),
    ("from", "老家 家乡 来自 人 from home native grew"),
    ("nationality", "国 籍 人 citizen national from"),
    ("married_to", "妻 夫 老婆 老公 爱人 先生 太太 结婚 嫁 娶 wife husband married spouse partner"),
    ("reports_to", "老板 上司 领导 经理 主管 boss manager report lead supervisor"),
    ("studies_at", "学 读 大学 study student school university college"),
    ("email", "邮 mail @"),
    ("phone", "电话 手机 号 phone number mobile call"),
    ("address", "地址 住 address live"),
    ("height", "高 tall height cm"),
    ("weight", "重 斤 weigh kg pounds"),
];

/// Whether words can say what a relation says. A relation that holds one value, and so may end another memory, has
/// to be in the table.
pub fn bears_out(relation: &str, words: &str) -> bool {
    let words = words.to_lowercase().replace('’', "'");
    let cues = CUES.iter().find(|(name, _)| *name == relation);
    cues.map_or(!crate::relation::is_single(relation), |(_, cues)| {
        cues.split(' ').any(|cue| words.contains(&cue.replace('@', " ")))
    })
}

/// Whether words correct what was said before, or tell that something has changed.
pub fn corrects(words: &str) -> bool {
    const CORRECTS: [&str; 32] = [
        "打错",
        "搞错",
        "记错",
        "写错",
        "sorry",
        "typo",
        "搬",
        "改",
        "换",
        "现在",
        "如今",
        "目前",
        "其实",
        "不对",
        "说错",
        "更正",
        "已经",
        "新",
        "刚",
        "今天起",
        "now",
        "moved",
        "changed",
        "switched",
        "actually",
        "instead",
        "correction",
        "i meant",
        "new",
        "these days",
        "just ",
        "since",
    ];
    let words = words.to_lowercase();
    CORRECTS.iter().any(|marker| words.contains(marker)) || is_no_more(&words)
}

/// Whether a clause asks.
pub fn asks(clause: &str) -> bool {
    const ASKS_ZH: [&str; 12] = [
        "吗",
        "是不是",
        "会不会",
        "有没有",
        "能不能",
        "可不可以",
        "什么",
        "怎么",
        "为何",
        "哪",
        "谁",
        "多少",
    ];
    const FIRST: [&str; 25] = [
        "am", "is", "are", "was", "do", "does", "did", "can", "could", "should", "shall", "will", "would",
        "may", "have", "has", "what", "where", "when", "who", "why", "how", "which", "isn", "don",
    ];
    const SECOND: [&str; 14] =
        ["i", "you", "we", "it", "there", "he", "she", "they", "my", "the", "this", "that", "your", "any"];
    let clause = clause.trim().to_lowercase();
    let marked = clause.ends_with(['?', '？']);
    let mut words = clause.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let asks_zh = ASKS_ZH.iter().any(|word| clause.contains(word));
    // "When I was ten" asks nothing.
    let verb_first = FIRST.iter().take(16).any(|verb| *verb == first) && SECOND.contains(&second);
    (marked && (asks_zh || FIRST.contains(&first))) || verb_first
}

/// Names that models give the user, and the assistant.
const USER: [&str; 10] = ["user", "theuser", "用户", "我", "i", "me", "myself", "本人", "使用者", "speaker"];
const ASSISTANT: [&str; 9] =
    ["assistant", "theassistant", "ai", "助手", "你", "you", "minichatgpt", "model", "chatbot"];

pub fn is_user(subject: &str) -> bool {
    USER.contains(&normal(subject).as_str())
}

pub fn is_assistant(name: &str) -> bool {
    ASSISTANT.contains(&normal(name).as_str())
}

/// A content in the first person, told of the user instead.
pub fn third_person(content: &str) -> String {
    const FIRST: [(&str, &str); 11] = [
        ("我们", "用户说：我们"),
        ("我的", "用户的"),
        ("我", "用户"),
        ("I am ", "The user is "),
        ("I'm ", "The user is "),
        ("I’m ", "The user is "),
        ("I have ", "The user has "),
        ("My ", "The user's "),
        ("my ", "the user's "),
        ("We ", "The user said: We "),
        ("I ", "The user said: I "),
    ];
    let content = content.trim();
    let first =
        FIRST.iter().find_map(|(first, third)| Some(format!("{third}{}", content.strip_prefix(first)?)));
    first.unwrap_or_else(|| content.to_owned())
}

/// A content about the user, told by the user.
pub fn first_person(content: &str) -> String {
    const THIRD: [(&str, &str); 6] = [
        ("用户的", "我的"),
        ("用户", "我"),
        ("The user's ", "My "),
        ("the user's ", "my "),
        ("The user ", "I "),
        ("the user ", "I "),
    ];
    THIRD.iter().fold(content.to_owned(), |content, (third, first)| content.replace(third, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts() {
        for (text, script_of) in [
            ("用户在 Google 做 SRE", Script::Chinese),
            ("My dog is called 小白", Script::Other("latin")),
            ("犬が好きです", Script::Other("kana")),
            ("Я люблю чай", Script::Other("cyrillic")),
            ("나는 커피를 좋아해", Script::Other("hangul")),
        ] {
            assert_eq!(script(text), script_of, "{text}");
        }
    }

    #[test]
    fn what_was_said_and_what_was_not() {
        for (content, said, expected) in [
            ("用户养了3只猫", "我养了三只猫", true),
            ("用户养了3只猫", "我养了几只猫", false),
            ("The user has two cats", "I have 2 cats", true),
            ("The user is 28", "I'm twenty-eight", true),
            ("The user is a programmer at Microsoft", "I'm a programmer", false),
            ("用户养了一只叫大黄的金毛", "我养了一只金毛", false),
            ("The user adopted a greyhound named Flash", "I adopted a greyhound, Flash", true),
            ("用户喜欢弹钢琴", "周末去哪里玩", false),
        ] {
            assert_eq!(is_grounded(content, said, ""), expected, "{content} / {said}");
        }
        assert!(!is_grounded("陈晓雨对海鲜过敏", "我对海鲜过敏", ""));
        assert!(is_grounded("陈晓雨对海鲜过敏", "我对海鲜过敏", "我叫陈晓雨"));
    }

    #[test]
    fn what_is_denied() {
        for (content, said, expected) in [
            ("用户吃香菜", "我不吃香菜", true),
            ("用户不吃香菜", "我不吃香菜", false),
            ("The user eats pork", "I don't eat pork", true),
            ("The user dislikes coffee", "I do not like coffee", false),
            ("用户对花生过敏", "别忘了我对花生过敏", false),
            ("The user can swim", "I can swim", false),
            ("The user likes tea", "I like tea, no doubt", false),
        ] {
            assert_eq!(turns_round(content, said), expected, "{content} / {said}");
        }
    }

    #[test]
    fn persons() {
        for (content, third) in [
            ("我住在成都", "用户住在成都"),
            ("I'm a nurse", "The user is a nurse"),
            ("My dog is Rex", "The user's dog is Rex"),
            ("我们下周搬家", "用户说：我们下周搬家"),
            ("The user is a nurse", "The user is a nurse"),
        ] {
            assert_eq!(third_person(content), third);
        }
        assert_eq!(first_person("The user's sister lives in Paris"), "My sister lives in Paris");
    }
}
