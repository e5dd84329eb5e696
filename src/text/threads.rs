//! Threads, and what is done with them.

use super::{Lang, pick};

/// What a command about threads does.
pub fn thread_command_help(lang: Lang, name: &str) -> &'static str {
    match name {
        "new" => {
            pick(lang, "开始新的对话；/new 文字 同时定标题", "begin a new thread; /new TEXT gives it a title")
        }
        "thread" => pick(
            lang,
            "换到某个对话，没有就新建：/thread id",
            "switch to a thread, a new one if there is none of that id: /thread ID",
        ),
        "threads" => pick(
            lang,
            "列出对话；/threads 文字 在全部对话里查找",
            "list the threads; /threads TEXT searches all of them",
        ),
        "id" => pick(lang, "这个对话的 id", "the id of this thread"),
        "title" => pick(
            lang,
            "这个对话的标题；/title 文字 改标题",
            "the title of this thread; /title TEXT changes it",
        ),
        "rename" => pick(lang, "改标题：/rename 文字", "change the title: /rename TEXT"),
        "delete" => pick(
            lang,
            "删除这个对话，或 /delete id（会先确认）",
            "delete this thread, or /delete ID, after asking",
        ),
        "export-thread" => pick(
            lang,
            "导出这个对话：/export-thread md|json|html [文件]",
            "write this thread out: /export-thread md|json|html [FILE]",
        ),
        "clearall" => pick(
            lang,
            "删除全部对话和全部长期记忆（会先确认）",
            "delete all threads and all long-term memories, after asking",
        ),
        "rewind" => pick(
            lang,
            "收回最近一轮，或最近几轮；最早收回的那条放回输入行：/rewind [2]",
            "take back the last turn, or several; the text of the earliest returns to the input line: /rewind [2]",
        ),
        "edit-last" => pick(
            lang,
            "改上一条消息再问：/edit-last [新的文字]",
            "change the last message and ask again: /edit-last [NEW TEXT]",
        ),
        "copy" => pick(
            lang,
            "复制上一个回答，或其中第 n 个代码块：/copy [1]",
            "copy the last answer, or its n-th code block: /copy [1]",
        ),
        "usage" => pick(lang, "这一轮和这个对话用了多少 token", "tokens of the last turn and of this thread"),
        "context" => pick(
            lang,
            "下一次会发送什么，各占多少 token",
            "what will be sent next, and the tokens of each part",
        ),
        "compact" => pick(
            lang,
            "现在就把较早的几轮压缩成摘要：/compact [重点]",
            "condense the older turns into a summary now: /compact [FOCUS]",
        ),
        _ => "",
    }
}

/// How long ago something was, in minutes.
pub fn ago(lang: Lang, minutes: i64) -> String {
    match minutes {
        ..1 => pick(lang, "刚才".to_owned(), "just now".to_owned()),
        1..60 => pick(lang, format!("{minutes} 分钟前"), format!("{minutes} min ago")),
        60..1440 => pick(lang, format!("{} 小时前", minutes / 60), format!("{} h ago", minutes / 60)),
        _ => super::age(lang, minutes / 1440),
    }
}

pub fn turns(lang: Lang, turns: usize) -> String {
    match (lang, turns) {
        (Lang::Zh, turns) => format!("{turns} 轮"),
        (Lang::En, 1) => "1 turn".to_owned(),
        (Lang::En, turns) => format!("{turns} turns"),
    }
}

pub fn no_threads(lang: Lang) -> &'static str {
    pick(lang, "还没有对话", "no threads yet")
}

pub fn no_thread_says(lang: Lang) -> &'static str {
    pick(lang, "没有对话提到它", "no thread mentions it")
}

pub fn more_threads(lang: Lang, count: usize) -> String {
    pick(
        lang,
        format!("还有 {count} 个；/threads 文字 可以查找"),
        format!("and {count} more; /threads TEXT searches all of them"),
    )
}

pub fn new_thread(lang: Lang, id: &str) -> String {
    pick(lang, format!("新的对话 {id}"), format!("New thread {id}"))
}

pub fn no_last_thread(lang: Lang) -> &'static str {
    pick(lang, "没有可以继续的对话，这是新的对话", "there is no thread to go on with; this is a new one")
}

pub fn thread_goes_on(lang: Lang, title: &str, id: &str, count: usize) -> String {
    let count = turns(lang, count);
    pick(lang, format!("继续：{title}（{id}，{count}）"), format!("Going on: {title} ({id}, {count})"))
}

pub fn thread_line(lang: Lang, title: &str, id: &str) -> String {
    match title.is_empty() {
        true => pick(lang, format!("{id}（还没有内容）"), format!("{id} (nothing said yet)")),
        false => format!("{id}  {title}"),
    }
}

pub fn thread_forked(lang: Lang, from: &str, id: &str) -> String {
    pick(
        lang,
        format!("另一个程序正在使用对话 {from}；接下来的话写进它的副本 {id}，不再影响原来的对话"),
        format!(
            "another process has thread {from} open; from here on you talk in a copy of it, {id}, and the original stays as it is"
        ),
    )
}

pub fn unanswered(lang: Lang) -> &'static str {
    pick(
        lang,
        "最后一条消息没有得到回答；/retry 再问一次",
        "the last message got no answer; /retry asks it again",
    )
}

pub fn not_a_thread_id(lang: Lang, id: &str) -> String {
    pick(
        lang,
        format!("{id:?} 不能用作对话的 id：不能有空格，最多 60 个字符；/threads 列出已有的 id"),
        format!(
            "{id:?} cannot be the id of a thread: no spaces, at most 60 characters; /threads lists the ids there are"
        ),
    )
}

pub fn no_such_thread(lang: Lang, words: &str) -> String {
    pick(
        lang,
        format!("没有 id 或标题像 {words:?} 的对话"),
        format!("no thread has an id or a title like {words:?}"),
    )
}

pub fn several_threads(lang: Lang, words: &str) -> String {
    pick(lang, format!("有几个对话都符合 {words:?}"), format!("{words:?} fits several threads"))
}

pub fn say_the_id(lang: Lang) -> &'static str {
    pick(lang, "请写明 id：-r ID", "name it by its id: -r ID")
}

pub fn hint_threads(lang: Lang) -> &'static str {
    pick(
        lang,
        "在终端里，mini-chatgpt -r 从列表里选；对话中或脚本里，/threads 列出对话和 id",
        "in a terminal, mini-chatgpt -r lets you choose; in a conversation or a script, /threads lists threads and ids",
    )
}

pub fn which_thread(lang: Lang, highest: usize) -> String {
    pick(
        lang,
        format!("哪一个？[1-{highest}，或标题里的字；回车：新的对话] "),
        format!("Which one? [1-{highest}, or words of its title; Enter: a new thread] "),
    )
}

pub fn resume_needs_words(lang: Lang) -> &'static str {
    pick(
        lang,
        "不在终端里时，要写明继续哪个对话：-r ID 或 -r 标题",
        "outside a terminal, say which thread: -r ID or -r TITLE",
    )
}

pub fn title_is(lang: Lang, title: &str) -> String {
    pick(lang, format!("标题：{title}"), format!("Title: {title}"))
}

pub fn ask_delete_thread(lang: Lang, title: &str, id: &str, count: usize) -> String {
    let count = turns(lang, count);
    pick(
        lang,
        format!("删除对话 {title}（{id}，{count}）？[y/N] "),
        format!("Delete the thread {title} ({id}, {count})? [y/N] "),
    )
}

pub fn thread_deleted(lang: Lang, id: &str) -> String {
    pick(lang, format!("🗑 已删除对话 {id}"), format!("🗑 thread {id} deleted"))
}

pub fn no_thread_with_id(lang: Lang, id: &str) -> String {
    pick(
        lang,
        format!("没有 id 为 {id:?} 的对话，什么也没有删除；/threads 列出对话和 id"),
        format!(
            "no thread has the id {id:?}; nothing was deleted. /threads lists the threads with their ids"
        ),
    )
}

pub fn thread_count(lang: Lang, count: usize) -> String {
    match (lang, count) {
        (Lang::Zh, _) => format!("{count} 个对话"),
        (Lang::En, 1) => "1 thread".to_owned(),
        (Lang::En, _) => format!("{count} threads"),
    }
}

pub fn ask_clear_all(lang: Lang, threads: usize, memories: usize, user: &str) -> String {
    let (threads, memories) = (thread_count(lang, threads), super::memory_count(lang, memories));
    pick(
        lang,
        format!("删除 {user} 的全部对话和全部长期记忆（{threads}，{memories}）？[y/N] "),
        format!("Delete all threads and all long-term memories of {user} ({threads}, {memories})? [y/N] "),
    )
}

pub fn cleared_all(lang: Lang, threads: usize, memories: usize) -> String {
    let (threads, memories) = (thread_count(lang, threads), super::memory_count(lang, memories));
    pick(lang, format!("已删除 {threads}和 {memories}"), format!("{threads} and {memories} deleted"))
}

pub fn threads_in_use(lang: Lang, count: usize) -> String {
    let count = thread_count(lang, count);
    pick(
        lang,
        format!("另一个程序正在使用 {count}，没有删除；关掉它再试"),
        format!("{count} not deleted: in use by another process; close it and try again"),
    )
}

pub fn taken_back(lang: Lang, message: &str) -> String {
    pick(lang, format!("已收回：{message}"), format!("Taken back: {message}"))
}

pub fn nothing_to_rewind(lang: Lang) -> &'static str {
    pick(lang, "没有可以收回的内容", "there is nothing to take back")
}

pub fn exported_thread(lang: Lang, file: &str) -> String {
    pick(lang, format!("对话已写到 {file}"), format!("thread written to {file}"))
}

pub fn file_exists(lang: Lang, file: &str) -> String {
    pick(
        lang,
        format!("{file} 已经存在，没有覆盖；请换一个文件名"),
        format!("{file} exists already and was not overwritten; choose another name"),
    )
}

pub fn nothing_said_yet(lang: Lang) -> &'static str {
    pick(lang, "这个对话里还没有内容", "nothing has been said in this thread yet")
}

pub fn no_answer_yet(lang: Lang) -> &'static str {
    pick(lang, "还没有可以复制的回答", "there is no answer to copy yet")
}

pub fn copied(lang: Lang, characters: usize) -> String {
    pick(
        lang,
        format!("已送到剪贴板（{characters} 个字符）；如果粘贴不出来，是终端不支持 OSC 52"),
        format!(
            "Sent to the clipboard (characters: {characters}); if pasting gives nothing, the terminal does not support OSC 52"
        ),
    )
}

pub fn no_code_block(lang: Lang, blocks: usize) -> String {
    let count = match blocks {
        0 => "no code block".to_owned(),
        1 => "1 code block".to_owned(),
        _ => format!("{blocks} code blocks"),
    };
    pick(
        lang,
        format!("没有复制：上一个回答里有 {blocks} 个代码块，/copy 后面写它的序号"),
        format!("nothing was copied: the last answer has {count}; /copy takes the number of one"),
    )
}

pub fn thread_not_saved(lang: Lang, reason: &str) -> String {
    pick(
        lang,
        format!("这个对话没能写到磁盘（{reason}），下一条消息时会再试"),
        format!("this thread could not be written to disk ({reason}); the next message tries again"),
    )
}
