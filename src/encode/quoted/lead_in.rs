//! The words before a colon after which somebody else speaks: `the email says:`, 他说：, 原文：.
//!
//! A verb of speech counts unless the user is its subject (`I said:`). A noun counts where it is the whole
//! clause. Absent: speech without a colon.

/// Verbs of speech and writing; `say` alone is a wish.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "says", "said", "writes", "wrote", "written", "reads", "read", "states", "stated", "replied",
    "replies", "told",
    "tells", "texted", "texts", "asked", "asks", "mentioned", "posted", "announced", "claims",
    "claimed", "goes",
    "emailed", "messaged", "answered", "responded", "tweeted", "commented", "shouted", "whispered", "saying",
    "reading", "insists", "insisted",
];
/// Words after the verb.
#[rustfmt::skip]
const AFTER_VERB: &[&str] = &[
    "me", "us", "him", "her", "them", "this", "that", "here", "today", "yesterday", "back", "to",
    "again", "the",
    "following", "in", "out", "loud",
];
/// Words between the subject and the verb.
#[rustfmt::skip]
const BEFORE_VERB: &[&str] = &[
    "just", "have", "has", "had", "already", "always", "also", "once", "even", "never", "recently", "only",
];
const USER: &[&str] = &["i", "we", "i've", "we've", "i'd", "i’ve", "i’d"];

/// Nouns for somebody's text: alone, or with one of the words beside them.
const NOUNS: &[&str] = &["article", "transcript", "excerpt", "quote", "quotation", "original", "citation"];
const COMMON_NOUNS: &[&str] = &[
    "email", "mail", "page", "text", "message", "letter", "document", "review", "post", "log", "logs",
    "content",
];
const POINTERS: &[&str] = &[
    "the",
    "this",
    "that",
    "here",
    "here's",
    "is",
    "following",
    "original",
    "below",
    "forwarded",
    "pasted",
    "full",
];
/// Work on a text that follows.
#[rustfmt::skip]
const TASKS: &[&str] = &["translate", "summarize", "summarise", "proofread", "paraphrase", "rewrite"];
const TASKS_HAN: &[&str] = &["翻译", "总结", "润色", "概括", "校对", "改写", "翻譯", "總結"];

/// Chinese verbs of speech at the end of a clause, the longest first among those that end alike.
const VERBS_HAN: &[&str] = &[
    "跟我说",
    "对我说",
    "告诉我",
    "回复说",
    "回复我",
    "留言说",
    "写的是",
    "说道",
    "说过",
    "写着",
    "写道",
    "写到",
    "表示",
    "提到",
    "讲道",
    "问我",
    "问道",
    "发来",
    "显示",
    "指出",
    "声称",
    "宣称",
    "喊道",
    "评论道",
    "回我",
    "留言",
    "上说",
    "里说",
    "說",
    "说",
    "讲",
    "问",
    "写着的是",
    "嚷嚷",
];
/// Clauses that end like speech and are none.
const NOT_SPEECH: &[&str] = &[
    "来说",
    "就是说",
    "比如说",
    "换句话说",
    "话说",
    "听说",
    "想说",
    "要说",
    "我是说",
    "按理说",
    "反正说",
    "小说",
    "传说",
    "演说",
    "解说",
    "学说",
    "或者说",
    "可以说",
    "应该说",
    "再说",
    "请说",
    "应说",
    "请问",
    "疑问",
    "想问",
    "要问",
    "提问",
    "访问",
    "顾问",
    "演讲",
    "这么说",
    "据我所说",
    "请讲",
    "说说",
    "没说",
];
/// At the beginning, the user speaks or asks for speech.
const USER_HAN: &[&str] = &[
    "我跟",
    "我对",
    "我和",
    "我向",
    "我就",
    "我想",
    "我要",
    "我只",
    "我再",
    "我先",
    "我也",
    "我还",
    "我曾",
    "我已",
    "我刚",
    "我们想",
    "我们要",
    "请",
    "帮我",
    "替我",
    "麻烦",
    "让你",
    "要你",
    "你要",
    "你应",
    "直接",
];

/// Nouns for somebody's text, and those that need a pointing word.
const NOUNS_HAN: &[&str] = &[
    "文章",
    "原文",
    "正文",
    "全文",
    "引用",
    "摘录",
    "转发",
    "聊天记录",
    "邮件内容",
    "网页内容",
    "文章内容",
    "邮件原文",
];
const COMMON_NOUNS_HAN: &[&str] =
    &["邮件", "内容", "通知", "公告", "短信", "新闻", "报道", "帖子", "评论", "文字", "消息", "网页", "话"];
const POINTERS_HAN: &[&str] =
    &["以下", "下面", "这篇", "这封", "这段", "这条", "这个", "这是", "附", "是", "的", "请看"];

/// The longest clause that leads in, in characters.
const LONGEST_CLAUSE: usize = 60;

/// Where, in a line, the words of somebody else begin.
pub(super) fn end(line: &str) -> Option<usize> {
    line.match_indices([':', '：']).find_map(|(at, colon)| {
        let before = line.get(..at)?;
        let mut clause: Vec<char> = before
            .chars()
            .rev()
            .take(LONGEST_CLAUSE)
            .take_while(|c| !".!?。！？；;,，、:：\"“”「」()（）".contains(*c))
            .collect();
        clause.reverse();
        let clause: String = clause.into_iter().collect::<String>().trim().to_lowercase();
        (is_english(&clause) || is_chinese(&clause)).then_some(at + colon.len())
    })
}

fn is_english(clause: &str) -> bool {
    let words: Vec<&str> = clause
        .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .filter(|w| !w.is_empty())
        .collect();
    let Some(last) = words.last() else { return false };
    let pointed = words.iter().any(|word| POINTERS.contains(word));
    let rest_points = words.iter().rev().skip(1).all(|word| POINTERS.contains(word));
    if rest_points && (NOUNS.contains(last) || (pointed && COMMON_NOUNS.contains(last))) {
        return true;
    }
    if words.iter().take(4).any(|word| TASKS.contains(word)) && !words.iter().any(|word| USER.contains(word))
    {
        return true;
    }
    let verb = words.iter().rposition(|word| !AFTER_VERB.contains(word));
    let Some(verb) = verb.filter(|at| words.get(*at).is_some_and(|word| VERBS.contains(word))) else {
        return false;
    };
    let subject = words.iter().take(verb).rev().find(|word| !BEFORE_VERB.contains(word));
    !subject.is_some_and(|word| USER.contains(word))
}

fn is_chinese(clause: &str) -> bool {
    if TASKS_HAN.iter().any(|task| clause.contains(task)) && !clause.contains("我的") {
        return true;
    }
    let noun = clause.strip_suffix("如下").unwrap_or(clause).trim();
    let pointed = noun.len() < clause.len() || POINTERS_HAN.iter().any(|word| noun.starts_with(word));
    let mut name = noun;
    while let Some(rest) = POINTERS_HAN.iter().find_map(|word| name.strip_prefix(word)) {
        name = rest.trim_start();
    }
    if NOUNS_HAN.contains(&name) || (pointed && COMMON_NOUNS_HAN.contains(&name)) {
        return true;
    }
    if NOT_SPEECH.iter().any(|words| clause.ends_with(words))
        || USER_HAN.iter().any(|own| clause.starts_with(own))
    {
        return false;
    }
    let Some(subject) = VERBS_HAN.iter().find_map(|verb| clause.strip_suffix(verb)) else { return false };
    let subject =
        subject.trim_end_matches(['就', '也', '还', '又', '都', '曾', '刚', '已', '经', '直', '常', ' ']);
    !subject.is_empty() && !["我", "我们", "咱", "咱们", "俺"].contains(&subject)
}
