//! Threads, what is sent of them, and what goes with a message.

use super::{Lang, pick};

/// What a command about threads does.
pub fn thread_command_help(lang: Lang, name: &str) -> &'static str {
    match name {
        "new" => pick(lang, "开始新的对话", "begin a new thread"),
        "thread" => pick(
            lang,
            "换到某个对话，没有就新建：/thread id",
            "switch to a thread, a new one if there is none of that id: /thread ID",
        ),
        "threads" => pick(
            lang,
            "列出对话；/threads 文字 在全部对话里查找",
            "list the threads; /threads TEXT looks through all of them",
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
            "收回最近一轮或几轮，文字放回输入行：/rewind [2]",
            "take the last turn or turns back, the text goes into the line editor: /rewind [2]",
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
            "现在就把较早的对话压缩成摘要：/compact [重点]",
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
    pick(lang, "没有对话提到它", "no thread says so")
}

pub fn more_threads(lang: Lang, count: usize) -> String {
    pick(
        lang,
        format!("还有 {count} 个；/threads 文字 可以查找"),
        format!("and {count} more; /threads TEXT looks through all"),
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
        true => pick(lang, format!("{id}（还是空的）"), format!("{id} (empty yet)")),
        false => format!("{id}  {title}"),
    }
}

pub fn thread_forked(lang: Lang, from: &str, id: &str) -> String {
    pick(
        lang,
        format!("另一个程序正在使用对话 {from}；这里是它的副本 {id}，从现在起各走各的"),
        format!(
            "another process has thread {from} open; this is a copy of it, {id}, that goes its own way from here"
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
        format!("{id:?} 不能作对话的 id：一个词，最多 60 个字符"),
        format!("{id:?} cannot be the id of a thread: one word of at most 60 characters"),
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
    pick(lang, format!("{words:?} 可以是几个对话："), format!("{words:?} may be one of several threads:"))
}

pub fn say_the_id(lang: Lang) -> &'static str {
    pick(lang, "请用 id 说明是哪一个", "say which one, by its id")
}

pub fn hint_threads(lang: Lang) -> &'static str {
    pick(lang, "/threads 列出全部；-r 从列表里选", "/threads lists all; -r without words lets you choose")
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

pub fn ask_clear_all(lang: Lang, threads: usize, memories: usize, user: &str) -> String {
    pick(
        lang,
        format!("删除 {user} 的全部 {threads} 个对话和全部 {memories} 条长期记忆？[y/N] "),
        format!("Delete all {threads} threads and all {memories} long-term memories of {user}? [y/N] "),
    )
}

pub fn cleared_all(lang: Lang, threads: usize, memories: usize) -> String {
    pick(
        lang,
        format!("已删除 {threads} 个对话和 {memories} 条长期记忆"),
        format!("Deleted {threads} threads and {memories} long-term memories"),
    )
}

pub fn threads_in_use(lang: Lang, count: usize) -> String {
    pick(
        lang,
        format!("{count} 个对话正被其他程序使用，没有删除"),
        format!("{count} threads are open in other processes and were not deleted"),
    )
}

pub fn taken_back(lang: Lang, message: &str) -> String {
    pick(lang, format!("已收回：{message}"), format!("Taken back: {message}"))
}

pub fn nothing_to_rewind(lang: Lang) -> &'static str {
    pick(lang, "没有可以收回的内容", "there is nothing to take back")
}

pub fn exported_thread(lang: Lang, file: &str) -> String {
    pick(lang, format!("对话已写到 {file}"), format!("The thread is in {file}"))
}

pub fn file_exists(lang: Lang, file: &str) -> String {
    pick(lang, format!("{file} 已经存在，没有覆盖"), format!("{file} exists already and was not overwritten"))
}

pub fn nothing_said_yet(lang: Lang) -> &'static str {
    pick(lang, "这个对话里还没有内容", "nothing was said in this thread yet")
}

pub fn copied(lang: Lang, characters: usize) -> String {
    pick(
        lang,
        format!("已复制 {characters} 个字符（终端要支持 OSC 52）"),
        format!("Copied {characters} characters (where the terminal knows OSC 52)"),
    )
}

pub fn no_code_block(lang: Lang, blocks: usize) -> String {
    pick(
        lang,
        format!("上一个回答里有 {blocks} 个代码块"),
        format!("the last answer has {blocks} code blocks"),
    )
}

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
    pick(lang, "接口没有报告用量", "the endpoint has not reported any usage")
}

/// What a part of a request is called.
pub fn part_name(lang: Lang, name: &str) -> &'static str {
    match name {
        "persona" => pick(lang, "人设和规则", "persona and rules"),
        "tools" => pick(lang, "工具", "tools"),
        "summary" => pick(lang, "摘要", "summary"),
        "memories" => pick(lang, "记忆", "memories"),
        "turns" => pick(lang, "最近的对话", "window"),
        _ => pick(lang, "合计", "together"),
    }
}

pub fn context_known(lang: Lang, length: usize, how: &str) -> String {
    let how = match how {
        "set" => pick(lang, "按你的设置", "as you set it"),
        "named" => pick(lang, "按模型名", "by the model's name"),
        "listed" => pick(lang, "接口列出", "as the endpoint lists it"),
        "refused" => pick(lang, "接口拒绝时说明", "as a refusal said"),
        _ => pick(
            lang,
            "这类服务的默认值；可用 --context-length 设定",
            "usual for such a server; --context-length sets it",
        ),
    };
    pick(lang, format!("上下文 {length} token（{how}）"), format!("of a context of {length} ({how})"))
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
    pick(lang, format!("摘要代替了 {count}："), format!("The summary stands for {count}:"))
}

pub fn summarising(lang: Lang, count: usize) -> String {
    let count = turns(lang, count);
    pick(lang, format!("正在压缩较早的 {count}…"), format!("condensing the older {count}…"))
}

pub fn summarised(lang: Lang, count: usize) -> String {
    let count = turns(lang, count);
    pick(
        lang,
        format!("较早的 {count}已压缩成摘要；原文仍在磁盘上，需要时会找回"),
        format!("the older {count} are a summary now; the originals stay on disk and are found again"),
    )
}

pub fn not_summarised(lang: Lang, count: usize, reason: &str) -> String {
    let count = turns(lang, count);
    pick(
        lang,
        format!("较早的 {count}没有压缩成摘要，只是不再发送：{reason}"),
        format!("the older {count} are no longer sent, and no summary stands for them: {reason}"),
    )
}

pub fn nothing_to_compact(lang: Lang) -> &'static str {
    pick(lang, "没有可以压缩的内容", "there is nothing to condense")
}

pub fn thread_not_saved(lang: Lang, reason: &str) -> String {
    pick(
        lang,
        format!("这个对话没有写到磁盘，下一条消息时再试：{reason}"),
        format!("this conversation is not on disk, the next message tries again: {reason}"),
    )
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

pub fn no_images(lang: Lang, model: &str, unknown: bool) -> String {
    match unknown {
        true => pick(
            lang,
            format!("不知道 {model} 能不能看图，没有发送"),
            format!("whether {model} takes images is not known; nothing was sent"),
        ),
        false => pick(
            lang,
            format!("{model} 不能看图，没有发送"),
            format!("{model} takes no images; nothing was sent"),
        ),
    }
}

pub fn hint_no_images(lang: Lang, unknown: bool) -> &'static str {
    match unknown {
        true => pick(lang, "如果能看，用 --images on", "if it does, say so with --images on"),
        false => pick(lang, "用 /model 换一个能看图的模型", "switch to a model that does with /model"),
    }
}

pub fn attached(lang: Lang, name: &str, what: &str, tokens: usize) -> String {
    pick(
        lang,
        format!("📎 {name}（{what}，约 {tokens} token）"),
        format!("📎 {name} ({what}, about {tokens} tokens)"),
    )
}

pub fn attached_image(name: &str, width: u32, height: u32) -> String {
    format!("📎 {name} ({width}×{height})")
}

pub fn ask_attach(lang: Lang, path: &str) -> String {
    pick(
        lang,
        format!("{path} 不在当前文件夹里或是隐藏文件，附上它？[y/N] "),
        format!("{path} is outside this folder or hidden. Attach it? [y/N] "),
    )
}

pub fn not_attached(lang: Lang, path: &str) -> String {
    pick(
        lang,
        format!("{path} 没有附上：不在当前文件夹里或是隐藏文件；可用 --file"),
        format!("{path} was not attached: it is outside this folder or hidden; --file attaches it"),
    )
}

pub fn file_missing(lang: Lang, path: &str) -> String {
    pick(
        lang,
        format!("没有文件 {path}，按文字发送"),
        format!("there is no file {path}; it was sent as words"),
    )
}

/// Why a file cannot be attached or read.
pub fn file_problem(lang: Lang, name: &str, problem: &str, detail: &str) -> String {
    let words = match problem {
        "missing" => pick(lang, "没有这个文件".to_owned(), "there is no such file".to_owned()),
        "no-file" => pick(lang, "不是普通文件".to_owned(), "it is no regular file".to_owned()),
        "binary" => pick(
            lang,
            "是二进制文件，只能附上文本和图片".to_owned(),
            "it is binary; text files and images can be attached".to_owned(),
        ),
        "large" => pick(lang, format!("太大：{detail}"), format!("it is too large: {detail}")),
        "image" => pick(lang, format!("图片不能用：{detail}"), format!("the image cannot be used: {detail}")),
        _ => detail.to_owned(),
    };
    format!("{name}: {words}")
}

pub fn hint_not_sent(lang: Lang) -> &'static str {
    pick(lang, "没有发送；改好再试", "nothing was sent; correct it and try again")
}

pub fn file_read(lang: Lang, path: &str, from: usize, to: usize, of: usize) -> String {
    pick(
        lang,
        format!("📄 模型读取 {path}，第 {from}-{to} 行，共 {of} 行"),
        format!("📄 the model reads {path}, lines {from}-{to} of {of}"),
    )
}
