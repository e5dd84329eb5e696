//! What is sent of a thread, and what it costs.

use super::{Lang, pick, turns};

pub fn usage_line(lang: Lang, of: &str, prompt: u64, cached: u64, completion: u64, requests: u64) -> String {
    let of = match of {
        "turn" => pick(lang, "上一轮", "last turn  "),
        _ => pick(lang, "这个对话", "this thread"),
    };
    let share = cached.saturating_mul(100).checked_div(prompt).unwrap_or(0);
    pick(
        lang,
        format!(
            "{of}：输入 {prompt} token（缓存 {cached}，{share}%），输出 {completion}，请求 {requests} 次"
        ),
        format!(
            "{of}: {prompt} tokens in ({cached} cached, {share}%), {completion} out, requests: {requests}"
        ),
    )
}

pub fn cost(lang: Lang, cost: f64) -> String {
    pick(lang, format!("，费用 {cost:.4}"), format!(", cost {cost:.4}"))
}

pub fn usage_unknown(lang: Lang) -> &'static str {
    pick(lang, "接口还没有报告用量", "the endpoint has not reported any usage yet")
}

/// What a part of a request is called.
pub fn part_name(lang: Lang, name: &str) -> &'static str {
    match name {
        "persona" => pick(lang, "人设和规则", "persona and rules"),
        "tools" => pick(lang, "工具", "tools"),
        "summary" => pick(lang, "摘要", "summary"),
        "memories" => pick(lang, "记忆", "memories"),
        "turns" => pick(lang, "最近几轮", "recent turns"),
        _ => pick(lang, "合计", "in all"),
    }
}

pub fn context_known(lang: Lang, length: usize, how: &str) -> String {
    let how = match how {
        "set" => pick(lang, "按你的设置", "as you set it"),
        "named" => pick(lang, "按模型名", "by the model's name"),
        "listed" => pick(lang, "接口列出", "as the endpoint lists it"),
        "refused" => pick(lang, "接口拒绝时的说明", "from a refusal of the endpoint"),
        _ => pick(
            lang,
            "这类服务的默认值；可用 --context-length 设定",
            "usual for such a server; --context-length sets it",
        ),
    };
    pick(
        lang,
        format!("模型的上下文：{length} token（{how}）"),
        format!("the model's context: {length} tokens ({how})"),
    )
}

pub fn context_unknown(lang: Lang) -> &'static str {
    pick(
        lang,
        "不知道模型的上下文有多长；可用 --context-length 设定",
        "the length of the model's context is not known; --context-length sets it",
    )
}

pub fn summary_heading(lang: Lang, count: usize) -> String {
    let count = turns(lang, count);
    pick(lang, format!("摘要（代替较早的 {count}）："), format!("The summary in place of {count}:"))
}

pub fn summarising(lang: Lang, count: usize) -> String {
    let count = turns(lang, count);
    pick(lang, format!("正在压缩较早的 {count}…"), format!("condensing {count}…"))
}

pub fn summarised(lang: Lang, count: usize) -> String {
    let count = turns(lang, count);
    pick(
        lang,
        format!("较早的 {count}已压缩成摘要；原文还在，需要时会找回"),
        format!("{count} condensed into a summary; the originals are kept and found again when needed"),
    )
}

pub fn not_summarised(lang: Lang, count: usize, reason: &str) -> String {
    let count = turns(lang, count);
    pick(
        lang,
        format!("较早的 {count}没能压缩成摘要（{reason}）；这几轮不再发送，原文还在"),
        format!(
            "{count} could not be condensed ({reason}) and will not be sent any more; the originals are kept"
        ),
    )
}

pub fn not_compacted(lang: Lang, reason: &str) -> String {
    pick(
        lang,
        format!("没能压缩（{reason}），什么也没有改变"),
        format!("not condensed ({reason}); nothing has changed"),
    )
}

pub fn nothing_to_compact(lang: Lang) -> &'static str {
    pick(lang, "没有可以压缩的内容", "there is nothing to condense")
}

pub fn message_too_large(lang: Lang, size: usize, room: usize) -> String {
    pick(
        lang,
        format!("这条消息约 {size} token，模型的上下文里只放得下 {room}，没有发送"),
        format!(
            "the message takes about {size} tokens, and the model's context has room for {room}; nothing was sent"
        ),
    )
}

pub fn hint_message_too_large(lang: Lang) -> &'static str {
    pick(
        lang,
        "缩短消息或附件，换上下文更长的模型，或用 --context-length 更正它的长度",
        "shorten the message or its files, take a model with a longer context, or correct its length with --context-length",
    )
}
