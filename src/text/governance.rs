//! What is said of the rule over memories: pins, ends, undo, review, counts.

use super::{Lang, pick};

/// A memory was put in the place of others.
pub fn superseded(lang: Lang, old: &str, new: &str, content: &str) -> String {
    pick(lang, format!("✏️ {old} → {new} 更新：{content}"), format!("✏️ {old} → {new} updated: {content}"))
}

/// An instruction from somebody else's text waits.
pub fn queued(lang: Lang, content: &str) -> String {
    pick(
        lang,
        format!("⏸ 待你决定（/review）：{content}"),
        format!("⏸ waits for your word (/review): {content}"),
    )
}

/// The model would have a memory deleted, where nobody can be asked.
pub fn would_forget(lang: Lang, short_id: &str, content: &str) -> String {
    pick(
        lang,
        format!("模型想删除 {short_id}：{content}；要删就用 /forget {short_id}"),
        format!("the model would delete {short_id}: {content}; to do so: /forget {short_id}"),
    )
}

pub fn pinned(lang: Lang, short_id: &str, content: &str) -> String {
    pick(
        lang,
        format!("📌 {short_id} 每次都给模型看：{content}"),
        format!("📌 {short_id} is always shown: {content}"),
    )
}

pub fn unpinned(lang: Lang, short_id: &str, content: &str) -> String {
    pick(
        lang,
        format!("{short_id} 不再固定：{content}"),
        format!("{short_id} is not pinned any more: {content}"),
    )
}

pub fn expires(lang: Lang, short_id: &str, end: &str) -> String {
    pick(lang, format!("⏳ {short_id} 到 {end} 为止"), format!("⏳ {short_id} holds until {end}"))
}

pub fn never_expires(lang: Lang, short_id: &str) -> String {
    pick(lang, format!("{short_id} 一直有效"), format!("{short_id} holds for good"))
}

pub fn no_time(lang: Lang, words: &str) -> String {
    pick(lang, format!("看不出 {words:?} 是什么时候"), format!("{words:?} names no time"))
}

pub fn hint_time(lang: Lang) -> &'static str {
    pick(
        lang,
        "例如 下周、三天后、2026-12-31；“不”表示一直有效",
        "such as tomorrow, in three weeks, 2026-12-31; never lets it hold for good",
    )
}

/// Whether words after `/expire` mean "never".
pub fn is_never(words: &str) -> bool {
    matches!(
        words.trim().to_lowercase().as_str(),
        "never" | "no" | "off" | "forever" | "不" | "永不" | "永远" | "永不过期" | "一直" | "取消" | "无"
    )
}

pub fn nothing_to_undo(lang: Lang) -> &'static str {
    pick(lang, "没有可以撤销的改动。", "There is nothing to undo.")
}

pub fn cannot_undo(lang: Lang, kind: &str) -> String {
    pick(
        lang,
        format!("上一次改动（{kind}）无法撤销：内容已经不在任何文件里"),
        format!("the last change ({kind}) cannot be undone: what it held is in no file any more"),
    )
}

pub fn undone(lang: Lang, kind: &str, back: &str, gone: &str) -> String {
    let back = match back.is_empty() {
        true => String::new(),
        false => pick(lang, format!("；恢复：{back}"), format!("; back again: {back}")),
    };
    let gone = match gone.is_empty() {
        true => String::new(),
        false => pick(lang, format!("；移除：{gone}"), format!("; taken out: {gone}")),
    };
    pick(lang, format!("↩ 已撤销（{kind}）{back}{gone}"), format!("↩ undone ({kind}){back}{gone}"))
}

/// The name of a change, by its name in the log.
pub fn change_name(lang: Lang, name: &str) -> String {
    let zh = match name {
        "upsert" => "写入",
        "supersede" => "替代",
        "merge" => "合并",
        "fold" => "归并",
        "expire" => "到期",
        "pin" => "固定",
        "unpin" => "取消固定",
        "import" => "导入",
        "forget" => "删除",
        "clear" => "清空",
        "undo" => "撤销",
        other => other,
    };
    pick(lang, zh, name).to_owned()
}

/// Who made a change, by the name in the log.
pub fn by_name(lang: Lang, name: &str) -> String {
    let (zh, en) = match name {
        "owner" => ("你", "you"),
        "tool" => ("模型", "the model"),
        "encode" => ("自动提取", "encode"),
        "tidy" => ("整理", "tidy"),
        other => (other, other),
    };
    pick(lang, zh, en).to_owned()
}

pub fn nothing_waits(lang: Lang) -> &'static str {
    pick(lang, "没有待决定的内容。", "Nothing waits for your word.")
}

pub fn how_to_review(lang: Lang) -> &'static str {
    pick(
        lang,
        "review accept N 收下，review edit N 文字 改写后收下，review drop N 不要",
        "review accept N takes it in, review edit N TEXT in other words, review drop N drops it",
    )
}

pub fn no_such_number(lang: Lang, number: &str) -> String {
    pick(lang, format!("没有第 {number} 条"), format!("there is no number {number}"))
}

pub fn dropped(lang: Lang, content: &str) -> String {
    pick(lang, format!("没有收下：{content}"), format!("dropped: {content}"))
}

pub fn paused(lang: Lang) -> &'static str {
    pick(
        lang,
        "已暂停：只读取记忆，不写入。/resume-memory 恢复。",
        "Paused: memories are read and none is written. /resume-memory goes on.",
    )
}

pub fn resumed(lang: Lang) -> &'static str {
    pick(lang, "记忆恢复读写。", "Memories are read and written again.")
}

pub fn incognito(lang: Lang) -> &'static str {
    pick(
        lang,
        "隐身：不读取也不写入记忆，不保存对话，输入不进历史。/resume-memory 恢复，隐身时说的话届时丢弃。",
        "Incognito: memories are neither read nor written, no thread is kept, and no line enters the history. /resume-memory ends it, and what was said meanwhile is dropped.",
    )
}

pub fn tidied(lang: Lang, merged: usize, expired: usize, folded: usize) -> String {
    match merged + expired + folded {
        0 => pick(lang, "没有需要整理的。".to_owned(), "Nothing to tidy up.".to_owned()),
        _ => pick(
            lang,
            format!("已整理：合并 {merged}，到期关闭 {expired}，归并 {folded}；每一步都可 /undo"),
            format!("Tidied up: {merged} merged, {expired} expired, {folded} folded; each can be undone"),
        ),
    }
}

/// While the program waits to leave.
pub fn finishing(lang: Lang) -> &'static str {
    pick(
        lang,
        "正在记下刚才的对话…（Ctrl-C 跳过，下次启动再记）",
        "Noting what was said… (Ctrl-C leaves it for the next start)",
    )
}

pub fn page(lang: Lang, page: usize, pages: usize, next: usize) -> String {
    match page < pages {
        true => pick(
            lang,
            format!("第 {page}/{pages} 页，下一页：/memories --page {next}"),
            format!("Page {page} of {pages}; the next one: /memories --page {next}"),
        ),
        false => pick(lang, format!("第 {page}/{pages} 页"), format!("Page {page} of {pages}")),
    }
}

/// How old something is, in days.
pub fn age(lang: Lang, days: i64) -> String {
    match days {
        ..1 => pick(lang, "今天".to_owned(), "today".to_owned()),
        1..60 => pick(lang, format!("{days} 天前"), format!("{days} d ago")),
        60..730 => pick(lang, format!("{} 个月前", days / 30), format!("{} mo ago", days / 30)),
        _ => pick(lang, format!("{} 年前", days / 365), format!("{} y ago", days / 365)),
    }
}

pub fn importance(lang: Lang, importance: u8) -> String {
    pick(lang, format!("重要 {importance}"), format!("importance {importance}"))
}

/// A memory that holds no more.
pub fn is_over(lang: Lang, successor: Option<&str>) -> String {
    match successor {
        Some(id) => pick(lang, format!("已被 {id} 取代"), format!("superseded by {id}")),
        None => pick(lang, "已到期".to_owned(), "over".to_owned()),
    }
}

/// A line of `/stats`: its name, for the count behind it.
pub fn count_name(lang: Lang, name: &'static str) -> &'static str {
    let (zh, en) = match name {
        "holding" => ("有效的记忆", "memories that hold"),
        "pinned" => ("固定", "pinned"),
        "over" => ("已到期", "over"),
        "superseded" => ("已被取代", "superseded"),
        "waiting" => ("待决定", "waiting for your word"),
        "changes" => ("改动", "changes"),
        "used" => ("进入过回答的记忆", "memories that entered an answer"),
        "uses" => ("使用次数", "uses"),
        "types" => ("类型", "types"),
        "sources" => ("来源", "sources"),
        "encoded" => ("提取请求", "requests to encode"),
        "refused" => ("没有收下的提议", "proposals refused"),
        other => (other, other),
    };
    pick(lang, zh, en)
}

pub fn ask_blank(lang: Lang) -> &'static str {
    pick(
        lang,
        "它所依据的原话还在对话里，输入历史里也可能有。一并删去吗？[y/N] ",
        "The words it came from are still in your threads, and perhaps in the input history. Delete them too? [y/N] ",
    )
}

pub fn blanked(lang: Lang) -> &'static str {
    pick(lang, "原话也删去了。", "Those words are gone too.")
}

pub fn blanked_in(lang: Lang, threads: usize) -> String {
    pick(
        lang,
        format!("它所依据的原话也从 {threads} 个对话里删去了"),
        format!("the words it came from are gone from {} too", super::thread_count(lang, threads)),
    )
}

pub fn unknown_type(lang: Lang, name: &str) -> String {
    pick(
        lang,
        format!("没有 {name:?} 这种类型：episodic、semantic、procedural"),
        format!("{name:?} is no type: episodic, semantic, procedural"),
    )
}

pub fn expire_usage(lang: Lang) -> &'static str {
    pick(lang, "/expire m3 下周", "/expire m3 next week")
}

pub fn exported(lang: Lang, count: usize, file: &str) -> String {
    let memories = super::memory_count(lang, count);
    pick(lang, format!("{memories}已写到 {file}"), format!("{memories} written to {file}"))
}

pub fn not_in_graph(lang: Lang, name: &str) -> String {
    pick(lang, format!("没有叫 {name:?} 的人或事"), format!("nobody and nothing is known as {name:?}"))
}

pub fn nothing_related(lang: Lang) -> &'static str {
    pick(lang, "还没有可以画的关系。", "No relations are known yet.")
}

pub fn odd_word(lang: Lang, word: &str) -> String {
    pick(lang, format!("不明白 {word:?}"), format!("{word:?} makes no sense here"))
}

pub fn over_now(lang: Lang, short_id: &str) -> String {
    pick(
        lang,
        format!("⏳ {short_id} 到此为止，不再使用"),
        format!("⏳ {short_id} is over now and not used any more"),
    )
}

pub fn holds_no_more(lang: Lang, short_id: &str) -> String {
    pick(
        lang,
        format!("{short_id} 已经不再有效，固定也不会给模型看；/edit 可以让它重新有效"),
        format!("{short_id} holds no more, so that pinning it would show nothing; /edit lets it hold again"),
    )
}

pub fn encode_fails(lang: Lang) -> &'static str {
    pick(
        lang,
        "自动提取没有成功，说过的话留到下次启动再记；mini-chatgpt doctor 可以检查接口",
        "noting what was said does not succeed; it waits for the next start. mini-chatgpt doctor checks the endpoint",
    )
}

pub fn left_for_later(lang: Lang) -> &'static str {
    pick(lang, "还没记完，下次启动接着记", "not all was noted; the next start goes on")
}

pub fn known_already(lang: Lang, short_id: &str, content: &str) -> String {
    pick(lang, format!("已经记得 {short_id}：{content}"), format!("known already as {short_id}: {content}"))
}

pub fn taken_in(lang: Lang, content: &str) -> String {
    pick(lang, format!("💾 已收下：{content}"), format!("💾 taken in: {content}"))
}

/// What stands before the prompt, by the name of the mode; nothing usually.
pub fn mode_mark(lang: Lang, mode: &str) -> &'static str {
    match mode {
        "paused" => pick(lang, "（暂停）", "(paused) "),
        "incognito" => pick(lang, "（隐身）", "(incognito) "),
        _ => "",
    }
}
