//! What the memory commands say.

use super::{Lang, pick};

/// What `--help` says about a subcommand, by its name.
pub fn subcommand_help(lang: Lang, name: &str) -> &'static str {
    match name {
        "memory" => pick(
            lang,
            "查看、查找、增改、删除、导入、导出记忆",
            "See, search, change, delete, import and export memories",
        ),
        "list" => pick(lang, "列出记忆", "List the memories"),
        "search" => pick(
            lang,
            "按意思和字词查找记忆；QUERY 为 - 时从 stdin 每行读一个",
            "Find memories by meaning and words; with - as QUERY, one a line from stdin",
        ),
        "show" => pick(lang, "显示一条记忆", "Show one memory"),
        "add" => pick(lang, "记住一句话", "Keep a sentence as a memory"),
        "edit" => pick(lang, "改写一条记忆", "Rewrite a memory"),
        "forget" => pick(lang, "删除一条记忆", "Delete one memory"),
        "pin" => pick(lang, "每次都给模型看一条记忆", "Always show a memory to the model"),
        "unpin" => pick(lang, "不再固定", "No longer"),
        "expire" => pick(lang, "一条记忆有效到什么时候", "Until when a memory holds"),
        "undo" => pick(lang, "撤销上一次改动", "Take the last change back"),
        "review" => pick(lang, "查看和决定待定的内容", "See and decide on what waits for your word"),
        "tidy" => pick(
            lang,
            "合并重复，关闭到期，归并旧事",
            "Merge duplicates, close what is over, fold old episodes",
        ),
        "graph" => pick(
            lang,
            "画出知道的关系；--format dot、mermaid、graphml、cypher、json、html",
            "Draw what is known; --format dot, mermaid, graphml, cypher, json, html",
        ),
        "stats" => pick(lang, "统计", "Counts"),
        "clear" => pick(lang, "删除全部记忆", "Delete all memories"),
        "import" => pick(
            lang,
            "读入记忆：记录的 JSON 数组，或每行一个 JSON；- 是 stdin",
            "Take memories in: a JSON array of records, or one JSON object a line; - is stdin",
        ),
        "export" => pick(lang, "把记忆写到 stdout", "Write the memories to stdout"),
        _ => "",
    }
}

pub fn unknown_subcommand(lang: Lang, name: &str) -> String {
    pick(lang, format!("没有命令 memory {name}"), format!("there is no command memory {name}"))
}

pub fn which_subcommand(lang: Lang) -> &'static str {
    pick(lang, "memory 后面还缺一个命令", "memory needs a command behind it")
}

pub fn bad_value(lang: Lang, option: &str, value: &str) -> String {
    pick(lang, format!("{option} 不能是 {value:?}"), format!("{option} cannot be {value:?}"))
}

pub fn one_too_many(lang: Lang, word: &str) -> String {
    pick(lang, format!("多了一个 {word}"), format!("{word} is one word too many"))
}

pub fn argument_missing(lang: Lang, argument: &str) -> String {
    pick(lang, format!("缺少 {argument}"), format!("{argument} is missing"))
}

pub fn hint_memory_commands(lang: Lang) -> &'static str {
    pick(
        lang,
        "memory list、search、show、add、edit、forget 等；说明见 mini-chatgpt memory --help",
        "memory list, search, show, add, edit, forget and so on; see mini-chatgpt memory --help",
    )
}

pub fn no_model_inside(lang: Lang) -> &'static str {
    pick(lang, "这个版本没有内置嵌入模型", "this build has no embedding model inside")
}

pub fn nothing_found(lang: Lang) -> &'static str {
    pick(lang, "没有找到。", "Nothing found.")
}

/// A hit's scores, behind what it says.
pub fn scores(lang: Lang, lexical: f64, vector: Option<f64>, graph: f64) -> String {
    let vector = vector.map_or("-".to_owned(), |vector| format!("{vector:.2}"));
    let (graph_zh, graph_en) = match graph > 0.0 {
        true => (format!("，关系 {graph:.1}"), format!(", graph {graph:.1}")),
        false => (String::new(), String::new()),
    };
    pick(
        lang,
        format!("（字词 {lexical:.1}，意思 {vector}{graph_zh}）"),
        format!("(words {lexical:.1}, meaning {vector}{graph_en})"),
    )
}

/// Before the first prompt, when memories have no vector yet.
pub fn vectors_begin(lang: Lang, count: usize) -> String {
    let memories = super::memory_count(lang, count);
    pick(
        lang,
        format!("{memories}还没有向量，会在你打字时补上；在此之前按字词查找。"),
        format!("{memories} without a vector: made while you type, found by words until then."),
    )
}

pub fn vectors_so_far(lang: Lang, renewed: usize, left: usize) -> String {
    match left {
        0 => pick(
            lang,
            format!("向量已补齐：{renewed} 条。"),
            format!("All vectors are there: {renewed} made."),
        ),
        _ => pick(
            lang,
            format!("向量：已补 {renewed} 条，还有 {left} 条。"),
            format!("Vectors: {renewed} made, {left} to go."),
        ),
    }
}

pub fn vectors_stopped(lang: Lang, reason: &str) -> String {
    pick(
        lang,
        format!("没有继续补向量（{reason}），这些记忆按字词查找"),
        format!("no more vectors are made ({reason}); those memories are found by their words"),
    )
}

pub fn importing(lang: Lang, done: usize, total: usize, per_second: f64) -> String {
    pick(
        lang,
        format!("向量 {done}/{total} · 每秒 {per_second:.0} 条"),
        format!("vectors {done}/{total} · {per_second:.0} a second"),
    )
}

pub fn imported(
    lang: Lang,
    inserted: usize,
    updated: usize,
    unchanged: usize,
    users: usize,
    seconds: f64,
) -> String {
    let memories = super::memory_count(lang, inserted + updated + unchanged);
    let of_users = if users == 1 { "1 user".to_owned() } else { format!("{users} users") };
    pick(
        lang,
        format!(
            "读入 {memories}，{users} 个用户：新增 {inserted}，更新 {updated}，未变 {unchanged}；用时 {seconds:.1} 秒"
        ),
        format!(
            "took in {memories} of {of_users}: {inserted} new, {updated} updated, {unchanged} unchanged; {seconds:.1} s"
        ),
    )
}

pub fn import_stopped(lang: Lang, done: usize, total: usize) -> String {
    pick(
        lang,
        format!("停在 {done}/{total} 条向量；记忆都已保存，再运行一次会接着补"),
        format!(
            "stopped after {done} of {total} vectors; all memories are saved, and the same command goes on from here"
        ),
    )
}

pub fn not_a_user(lang: Lang, user: &str) -> String {
    pick(
        lang,
        format!("user {user:?} 不能用作用户：为空、首尾有空格或含控制字符"),
        format!(
            "user {user:?} cannot be a user: it is blank, or has spaces around it or control characters in it"
        ),
    )
}

/// Searched by words although meaning is wanted.
pub fn found_by_words(lang: Lang, count: usize) -> String {
    let memories = super::memory_count(lang, count);
    pick(
        lang,
        format!("{memories}还没有向量，这次按字词查找"),
        format!("{memories} without a vector: found by words this time"),
    )
}

/// Where and why an import was refused; nothing was taken in.
pub fn import_refused(lang: Lang, place: &str, problem: &str) -> String {
    pick(
        lang,
        format!("{place}：{problem}；什么都没有读入"),
        format!("{place}: {problem}; nothing was taken in"),
    )
}

/// The place of a record in an import.
pub fn import_place(lang: Lang, file: &str, number: usize, is_line: bool) -> String {
    match is_line {
        true => pick(lang, format!("{file} 第 {number} 行"), format!("{file}, line {number}")),
        false => pick(lang, format!("{file} 第 {number} 条"), format!("{file}, record {number}")),
    }
}

pub fn not_an_object(lang: Lang, reason: &str) -> String {
    pick(lang, format!("不是一个 JSON 对象：{reason}"), format!("this is no JSON object: {reason}"))
}

pub fn no_content(lang: Lang) -> &'static str {
    pick(lang, "没有 content，或它不是文字", "it has no content, or one that is no text")
}

pub fn not_text(lang: Lang, key: &str) -> String {
    pick(lang, format!("{key} 不是文字"), format!("{key} is no text"))
}

pub fn too_long(lang: Lang, key: &str, length: usize, most: usize) -> String {
    pick(
        lang,
        format!("{key} 有 {length} 个字符，最多 {most} 个"),
        format!("{key} has {length} characters, and at most {most} are allowed"),
    )
}

pub fn not_a_time(lang: Lang, value: &str) -> String {
    pick(
        lang,
        format!("created_at 的 {value:?} 不是 ISO-8601 时间，例如 2026-01-31T09:30:00"),
        format!("created_at {value:?} is no ISO-8601 time, such as 2026-01-31T09:30:00"),
    )
}

pub fn hint_import(lang: Lang) -> &'static str {
    pick(
        lang,
        "每行一个对象，至少有 content；可选 id、context、created_at、memory_type、user",
        "one object a line with at least content; id, context, created_at, memory_type, user are optional",
    )
}

pub fn asks_nothing(lang: Lang) -> &'static str {
    pick(lang, "没有要查找的文字", "there is nothing to look for")
}

pub fn hint_search(lang: Lang) -> &'static str {
    pick(
        lang,
        "例如 mini-chatgpt memory search 花生，或用 - 从 stdin 每行读一个",
        "such as mini-chatgpt memory search peanuts, or - to read one a line from stdin",
    )
}

/// A command names no memory, or one that is not there.
pub fn no_such_memory(lang: Lang, id: &str) -> String {
    pick(lang, format!("没有叫 {id:?} 的记忆"), format!("no memory is called {id:?}"))
}

pub fn several_memories(lang: Lang, id: &str, count: usize) -> String {
    pick(
        lang,
        format!("{id:?} 开头的记忆有 {count} 条，请多写几位"),
        format!("{count} memories have ids that begin with {id:?}; write more of it"),
    )
}

pub fn hint_ids(lang: Lang) -> &'static str {
    pick(lang, "/memories 列出全部记忆；第 3 条是 m3", "/memories lists them all; the one numbered 3 is m3")
}

pub fn hint_script_ids(lang: Lang) -> &'static str {
    pick(
        lang,
        "mini-chatgpt memory list 列出全部记忆和 id",
        "mini-chatgpt memory list shows all memories with their ids",
    )
}

/// How a command with words is written.
pub fn usage(lang: Lang, usage: &str) -> String {
    pick(lang, format!("用法：{usage}"), format!("usage: {usage}"))
}

pub fn ask_forget(lang: Lang) -> &'static str {
    pick(lang, "删除这条记忆？[y/N] ", "Delete this memory? [y/N] ")
}

/// Whether an answer to such a question agrees, in any language and width.
pub fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "是" | "ｙ")
}

pub fn forgotten(lang: Lang, content: &str) -> String {
    pick(lang, format!("🗑 已删除：{content}"), format!("🗑 forgotten: {content}"))
}

pub fn needs_yes(lang: Lang) -> &'static str {
    pick(lang, "这里没有人可以确认", "there is nobody here to ask")
}

pub fn hint_yes(lang: Lang) -> &'static str {
    pick(lang, "确定要删除就加上 --yes", "add --yes to delete it")
}

/// Not deleted: a script has to name the memory.
pub fn only_by_id(lang: Lang, short_id: &str) -> String {
    pick(
        lang,
        format!("没有删除；确定的话：/forget {short_id}"),
        format!("not deleted; to do so: /forget {short_id}"),
    )
}

/// The name of a line of `/memory`.
pub fn field_name(lang: Lang, name: &'static str) -> &'static str {
    let zh = match name {
        "content" => "内容",
        "context" => "背景",
        "type" => "类型",
        "created" => "记于",
        "updated" => "改于",
        "vector" => "向量",
        "source" => "来源",
        "importance" => "重要",
        "confidence" => "把握",
        "pinned" => "固定",
        "expires" => "有效到",
        "valid from" => "自",
        "valid to" => "止",
        "superseded by" => "被取代",
        "fact" => "事实",
        "evidence" => "原话",
        "change" => "改动",
        "used" => "用于",
        _ => name,
    };
    pick(lang, zh, name)
}

/// `/why` before the first message.
pub fn nothing_asked(lang: Lang) -> &'static str {
    pick(lang, "还没有问过什么", "nothing was asked yet")
}

/// The heading of `/why`.
pub fn why(lang: Lang, message: &str, min_relevance: f64) -> String {
    pick(
        lang,
        format!("为“{message}”回想的记忆；低于 {min_relevance:.2} 的不用："),
        format!("recalled for \"{message}\"; below {min_relevance:.2} is not used:"),
    )
}

/// What became of a memory: it was shown to the model, or why not.
pub fn fate(lang: Lang, name: &str) -> &'static str {
    match name {
        "shown" => pick(lang, "给模型看了", "shown"),
        "pinned" => pick(lang, "固定      ", "pinned "),
        "core" => pick(lang, "你的名字  ", "your name"),
        "standing" => pick(lang, "之前已给  ", "shown before"),
        "surplus" => pick(lang, "名额已满  ", "no room"),
        _ => pick(lang, "不够相关  ", "too far"),
    }
}
