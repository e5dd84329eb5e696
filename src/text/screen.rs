//! What a running conversation shows: banner, commands, notices.

use super::{Lang, pick};

pub fn banner(lang: Lang, user: &str, model: &str, endpoint: &str, folder: &str, memories: usize) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let count = memory_count(lang, memories);
    pick(
        lang,
        format!(
            "mini-chatgpt {version}\n  用户  {user}\n  模型  {model} · {endpoint}\n  记忆  {count} · {folder}\n  \
             命令  /memories /clear /help /exit"
        ),
        format!(
            "mini-chatgpt {version}\n  user      {user}\n  model     {model} · {endpoint}\n  \
             memory    {count} · {folder}\n  commands  /memories /clear /help /exit"
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
    pick(lang, "没有删除任何记忆", "nothing was deleted")
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
