//! What a running conversation shows: banner, commands, notices.

use super::{Lang, pick};

pub fn banner(lang: Lang, user: &str, model: &str, endpoint: &str, folder: &str, memories: usize) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let count = memory_count(lang, memories);
    pick(
        lang,
        format!(
            "mini-chatgpt {version}\n  用户  {user}\n  模型  {model} · {endpoint}\n  记忆  {count} · {folder}\n  \
             命令  /memories /threads /new /clear /help /exit"
        ),
        format!(
            "mini-chatgpt {version}\n  user      {user}\n  model     {model} · {endpoint}\n  \
             memory    {count} · {folder}\n  commands  /memories /threads /new /clear /help /exit"
        ),
    )
}

/// `1 memory`, `12 memories`.
pub fn memory_count(lang: Lang, count: usize) -> String {
    match (lang, count) {
        (Lang::Zh, _) => format!("{count} 条记忆"),
        (Lang::En, 1) => "1 memory".to_owned(),
        (Lang::En, _) => format!("{count} memories"),
    }
}

/// Both names of a memory type, as lists show it: `semantic / 语义记忆`.
pub fn memory_type_label(name: &str) -> String {
    let zh = match name {
        "episodic" => "情景记忆",
        "procedural" => "程序记忆",
        _ => "语义记忆",
    };
    format!("{name} / {zh}")
}

pub fn no_memories(lang: Lang) -> &'static str {
    pick(lang, "还没有记忆", "no memories yet")
}

pub fn remembered(lang: Lang, short_id: &str, content: &str) -> String {
    pick(lang, format!("💾 {short_id} 已记住：{content}"), format!("💾 {short_id} remembered: {content}"))
}

pub fn updated(lang: Lang, short_id: &str, content: &str) -> String {
    pick(lang, format!("💾 {short_id} 已更新：{content}"), format!("💾 {short_id} updated: {content}"))
}

pub fn written_this_turn(lang: Lang, count: usize) -> String {
    let memories = memory_count(lang, count);
    pick(lang, format!("💾 这一轮写入了 {memories}"), format!("💾 {memories} written in this turn"))
}

pub fn not_saved(lang: Lang, reason: &str) -> String {
    pick(lang, format!("没有记住：{reason}"), format!("not remembered: {reason}"))
}

pub fn no_recall(lang: Lang, reason: &str) -> String {
    pick(
        lang,
        format!("这一轮没有用上记忆：{reason}"),
        format!("this turn goes on without memories: {reason}"),
    )
}

pub fn no_vectors(lang: Lang, reason: &str) -> String {
    pick(
        lang,
        format!("得不到向量（{reason}），改用词语查找记忆"),
        format!("no embeddings ({reason}); memories are found by their words"),
    )
}

pub fn file_set_aside(lang: Lang, kept: &str, saved: usize) -> String {
    let saved = memory_count(lang, saved);
    pick(
        lang,
        format!("记忆文件损坏了，原样保存为 {kept}；从中救回 {saved}"),
        format!("the memory file was damaged; it is kept as {kept}, and {saved} could be saved from it"),
    )
}

pub fn strange_entries(lang: Lang, path: &str, count: usize) -> String {
    pick(
        lang,
        format!("{path} 里有 {count} 项不是记忆，原样保留、不使用"),
        format!("{path} holds {count} entries that are no memories; they are kept and not used"),
    )
}

pub fn retrying(lang: Lang, reason: &str, seconds: f64) -> String {
    pick(
        lang,
        format!("{reason}；{seconds:.1} 秒后重试"),
        format!("{reason}; trying again in {seconds:.1} s"),
    )
}

pub fn length_limit(lang: Lang) -> &'static str {
    pick(lang, "回答到了模型的长度上限，没有说完", "the answer stopped at the model's length limit")
}

pub fn filter_ended(lang: Lang) -> &'static str {
    pick(lang, "回答被内容审核中断", "the answer was ended by a content filter")
}

pub fn cut_by_user(lang: Lang) -> &'static str {
    pick(lang, "[已停止]", "[stopped]")
}

pub fn press_again_to_leave(lang: Lang) -> &'static str {
    pick(lang, "再按一次 Ctrl-C 或 Ctrl-D 退出", "press Ctrl-C again or Ctrl-D to leave")
}

pub fn ask_clear(lang: Lang, memories: usize, user: &str) -> String {
    let count = memory_count(lang, memories);
    pick(
        lang,
        format!("删除 {user} 的全部长期记忆（{count}）？[y/N] "),
        format!("Delete all long-term memories of {user} ({count})? [y/N] "),
    )
}

pub fn cleared(lang: Lang, memories: usize) -> String {
    let count = memory_count(lang, memories);
    pick(
        lang,
        format!("已删除 {count}；当前对话继续"),
        format!("{count} deleted; this conversation continues"),
    )
}

pub fn nothing_cleared(lang: Lang) -> &'static str {
    pick(lang, "什么也没有删除", "nothing was deleted")
}

pub fn unknown_command(lang: Lang, name: &str, nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => pick(
            lang,
            format!("没有命令 /{name}，是不是 /{nearest}？/help 列出全部命令"),
            format!("no command /{name}; did you mean /{nearest}? /help lists them all"),
        ),
        None => pick(
            lang,
            format!("没有命令 /{name}；/help 列出全部命令"),
            format!("no command /{name}; /help lists them all"),
        ),
    }
}

pub fn takes_no_words(lang: Lang, name: &str) -> String {
    pick(
        lang,
        format!("/{name} 后面不能带文字，什么也没有做"),
        format!("/{name} takes no words after it; nothing was done"),
    )
}

pub fn replaced_bytes(lang: Lang, line: usize) -> String {
    pick(
        lang,
        format!("第 {line} 行不是合法的 UTF-8，坏字节已替换"),
        format!("line {line} is not valid UTF-8; the bad bytes were replaced"),
    )
}

pub fn model_found(lang: Lang, model: &str, place: &str) -> String {
    pick(lang, format!("使用 {place} 上的模型 {model}"), format!("using the model {model} at {place}"))
}

pub fn reading_prompt(lang: Lang, seconds: u64) -> String {
    pick(lang, format!("正在读题… {seconds} 秒"), format!("reading the prompt… {seconds} s"))
}

pub fn thinking(lang: Lang, seconds: u64) -> String {
    pick(lang, format!("正在思考… {seconds} 秒"), format!("thinking… {seconds} s"))
}

pub fn retry_in(lang: Lang, seconds: u64) -> String {
    pick(
        lang,
        format!("{seconds} 秒后重试，Ctrl-C 停止"),
        format!("trying again in {seconds} s, Ctrl-C stops"),
    )
}

pub fn thought(first_words: &str) -> String {
    format!("💭 {first_words}")
}

pub fn was_thinking(lang: Lang) -> &'static str {
    pick(lang, "[以上是思考过程]", "[the above was thinking]")
}

/// What is done differently after a refusal; `what` is the lesson's own name.
pub fn learnt(lang: Lang, what: &str) -> String {
    match what {
        "no tools" => pick(
            lang,
            "这个模型不支持工具：它能用上记忆，但不能自己写入记忆".to_owned(),
            "this model takes no tools: it can use memories, but not write them".to_owned(),
        ),
        what => pick(
            lang,
            format!("接口拒绝了请求中的一项，已改变方式重发（{what}），并记住了"),
            format!(
                "the endpoint refused a part of the request; sent again in another way ({what}), and noted"
            ),
        ),
    }
}

pub fn nothing_to_retry(lang: Lang) -> &'static str {
    pick(lang, "还没有可以重问的消息", "there is no message to ask again yet")
}

pub fn model_in_use(lang: Lang, model: &str) -> String {
    pick(lang, format!("现在使用模型 {model}"), format!("the model is now {model}"))
}

pub fn reasoning_mode(lang: Lang, mode: &str) -> String {
    pick(
        lang,
        format!("思考过程：{mode}（可选 show、fold、hide）"),
        format!("reasoning: {mode} (show, fold or hide)"),
    )
}

pub fn key_is_set(lang: Lang) -> &'static str {
    pick(lang, "已设置（不显示）", "set (not shown)")
}

pub fn key_is_not_set(lang: Lang) -> &'static str {
    pick(lang, "没有", "none")
}

pub fn models_listed(lang: Lang, count: usize) -> String {
    pick(lang, format!("列出 {count} 个模型"), format!("{count} listed"))
}

pub fn calls_came(lang: Lang, count: usize) -> String {
    match count {
        0 => pick(lang, "接受工具，但模型没有调用", "accepted, but the model called none").to_owned(),
        1 => pick(lang, "可以调用工具（一次一个）", "called one; several at once did not come").to_owned(),
        _ => pick(lang, format!("可以一次调用 {count} 个"), format!("{count} calls in one reply")),
    }
}

pub fn usage_reported(lang: Lang, prompt_tokens: Option<u64>) -> String {
    match prompt_tokens {
        Some(tokens) => {
            pick(lang, format!("正常，提示 {tokens} 个 token"), format!("works, {tokens} prompt tokens"))
        }
        None => pick(lang, "正常，不报告用量", "works, no usage reported").to_owned(),
    }
}

pub fn dimensions(lang: Lang, count: usize) -> String {
    pick(lang, format!("{count} 维"), format!("{count} dimensions"))
}

pub fn through_proxy(lang: Lang) -> &'static str {
    pick(lang, "经过代理，由代理去连接", "through a proxy, which makes the connection")
}

pub fn models_unlisted(lang: Lang) -> &'static str {
    pick(
        lang,
        "这个接口不列出模型；/model 名称 可以直接换",
        "this endpoint has no list of models; /model NAME switches",
    )
}

/// Name of a check of doctor.
pub fn check_name(lang: Lang, name: &'static str) -> &'static str {
    let zh = match name {
        "version" => "版本",
        "user" => "用户",
        "terminal" => "终端",
        "memory" => "记忆",
        "setting" => "设置",
        "endpoint" => "接口",
        "key" => "密钥",
        "model" => "模型",
        "connect" => "连接",
        "models" => "模型列表",
        "answer" => "回答",
        "stream" => "流式",
        "tools" => "工具",
        "embeddings" => "嵌入",
        other => other,
    };
    pick(lang, zh, name)
}
