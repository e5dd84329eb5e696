//! Sentences on what went wrong, and hints on what to do next.

use super::{Lang, colon, pick};

/// The heading of an error on stderr.
pub fn error_line(lang: Lang, sentence: &str) -> String {
    pick(lang, format!("错误：{sentence}"), format!("error: {sentence}"))
}

pub fn hint_line(lang: Lang, hint: &str) -> String {
    pick(lang, format!("提示：{hint}"), format!("hint: {hint}"))
}

pub fn warning_line(lang: Lang, sentence: &str) -> String {
    pick(lang, format!("注意：{sentence}"), format!("warning: {sentence}"))
}

pub fn unreachable_host(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(lang, format!("连不上 {host}{end}"), format!("cannot reach {host}{end}"))
}

pub fn timed_out(lang: Lang, host: &str) -> String {
    pick(lang, format!("{host} 太久没有发来内容"), format!("{host} sent nothing for too long"))
}

pub fn key_refused(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(lang, format!("{host} 拒绝了这个密钥{end}"), format!("{host} refused the key{end}"))
}

pub fn no_credit(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(lang, format!("{host} 的额度已用完{end}"), format!("no credit left at {host}{end}"))
}

pub fn rate_limited(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(lang, format!("{host} 限流了{end}"), format!("{host} limits the rate of requests{end}"))
}

pub fn overloaded(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(lang, format!("{host} 现在太忙{end}"), format!("{host} is overloaded{end}"))
}

pub fn server_failed(lang: Lang, host: &str, status: Option<u16>, detail: &str) -> String {
    let (http, end) = (http(status), colon(lang, detail));
    pick(lang, format!("{host} 出错了{http}{end}"), format!("{host} failed{http}{end}"))
}

pub fn context_full(lang: Lang, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(
        lang,
        format!("对话超出了模型的上下文长度{end}"),
        format!("the conversation is longer than the model's context{end}"),
    )
}

pub fn filtered(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(
        lang,
        format!("{host} 的内容审核拦下了它{end}"),
        format!("blocked by the content filter of {host}{end}"),
    )
}

pub fn not_found(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(
        lang,
        format!("{host} 上没有这个模型或地址{end}"),
        format!("{host} knows no such model or address{end}"),
    )
}

pub fn no_tools(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(
        lang,
        format!("{host} 上的这个模型不支持工具{end}"),
        format!("this model at {host} takes no tools{end}"),
    )
}

pub fn refused(lang: Lang, host: &str, status: Option<u16>, detail: &str) -> String {
    let (http, end) = (http(status), colon(lang, detail));
    pick(lang, format!("{host} 拒绝了请求{http}{end}"), format!("{host} refused the request{http}{end}"))
}

pub fn not_an_api(lang: Lang, host: &str, status: Option<u16>, detail: &str) -> String {
    let (http, end) = (http(status), colon(lang, detail));
    pick(
        lang,
        format!("{host} 的回应不像聊天接口{http}{end}"),
        format!("{host} answered with something that is no chat API{http}{end}"),
    )
}

pub fn redirected(lang: Lang, host: &str, target: &str) -> String {
    pick(
        lang,
        format!("{host} 要求转到 {target}；为了保护密钥，不会跟随"),
        format!("{host} redirects to {target}, which is not followed, to protect the key"),
    )
}

pub fn stream_cut(lang: Lang, host: &str) -> String {
    pick(
        lang,
        format!("{host} 的回答没有结束就断了"),
        format!("the connection to {host} ended before the answer did"),
    )
}

pub fn empty_answer(lang: Lang, host: &str) -> String {
    pick(lang, format!("{host} 给了空的回答"), format!("{host} gave an empty answer"))
}

pub fn too_many_rounds(lang: Lang, rounds: usize) -> String {
    pick(
        lang,
        format!("模型调用了 {rounds} 轮工具，还是没有给出回答"),
        format!("no answer after {rounds} rounds of tool calls"),
    )
}

fn http(status: Option<u16>) -> String {
    status.map(|status| format!(" (HTTP {status})")).unwrap_or_default()
}

pub fn hint_check_url(lang: Lang) -> &'static str {
    pick(
        lang,
        "检查网络和 --base-url（或 OPENAI_BASE_URL）；本地模型要先启动它的服务",
        "check the network and --base-url (or OPENAI_BASE_URL); for a local model, start its server",
    )
}

pub fn hint_follow_redirect(lang: Lang) -> &'static str {
    pick(lang, "如果可信，把那个地址设为 --base-url", "if you trust it, set --base-url to that address")
}

pub fn hint_try_later(lang: Lang) -> &'static str {
    pick(lang, "稍后再试", "try again in a while")
}

pub fn hint_check_key(lang: Lang) -> &'static str {
    pick(
        lang,
        "检查密钥以及它是否属于这个地址：来自变量就改变量；来自首次设置就删掉配置文件夹里的 credentials.toml 重新设置",
        "check the key and that it belongs to this address: the variable it is in, or credentials.toml in your \
         configuration folder (delete that file to be asked again)",
    )
}

pub fn hint_top_up(lang: Lang) -> &'static str {
    pick(lang, "充值，或换一个服务商：--provider", "top up, or choose another provider with --provider")
}

pub fn hint_shorter(lang: Lang) -> &'static str {
    pick(lang, "发短一些，或开始新的对话", "send less, or start a new conversation")
}

pub fn hint_rephrase(lang: Lang) -> &'static str {
    pick(lang, "换一种说法", "say it in other words")
}

pub fn hint_check_model(lang: Lang) -> &'static str {
    pick(
        lang,
        "用 --model 换一个模型，或检查 --base-url",
        "choose another model with --model, or check --base-url",
    )
}

pub fn hint_other_model(lang: Lang) -> &'static str {
    pick(lang, "用 --model 换一个支持工具的模型", "choose a model that takes tools with --model")
}

pub fn hint_see_log(lang: Lang) -> &'static str {
    pick(
        lang,
        "加上 --log-level debug 可以看到发出的请求",
        "--log-level debug shows the request that was sent",
    )
}

pub fn hint_rounds(lang: Lang) -> &'static str {
    pick(lang, "再问一次，或提高 --max-rounds", "ask again, or raise --max-rounds")
}

pub fn hint_memory_folder(lang: Lang) -> &'static str {
    pick(
        lang,
        "检查这个文件夹的权限和磁盘空间，或用 --memory-dir 换一个",
        "check the permissions of the folder and the space on the disk, or choose another one with --memory-dir",
    )
}

pub fn store_failed(lang: Lang, doing: &str, path: &str, reason: &str) -> String {
    let doing = match (lang, doing) {
        (Lang::Zh, "cannot write") => "无法写入",
        (Lang::Zh, "cannot read") => "无法读取",
        (Lang::Zh, "cannot create the folder") => "无法创建文件夹",
        (Lang::Zh, "cannot lock") => "无法锁定",
        (Lang::Zh, "cannot set aside") => "无法移开",
        (Lang::Zh, "cannot delete") => "无法删除",
        (Lang::Zh, "cannot look at") => "无法查看",
        (Lang::Zh, _) => "无法打开",
        (Lang::En, doing) => doing,
    };
    let end = colon(lang, reason);
    format!("{doing} {path}{end}")
}

pub fn store_locked(lang: Lang, path: &str) -> String {
    pick(
        lang,
        format!("另一个进程一直占用着 {path}"),
        format!("another process has been holding {path} for too long"),
    )
}

pub fn store_too_large(lang: Lang, path: &str) -> String {
    pick(lang, format!("{path} 太大，没有读取"), format!("{path} is too large and was not read"))
}

pub fn same_file(lang: Lang, path: &str, other: &str) -> String {
    pick(
        lang,
        format!("{path} 属于用户 {other}，而这个文件系统不区分大小写"),
        format!(
            "{path} belongs to the user {other}, and this file system does not tell upper from lower case"
        ),
    )
}

pub fn empty_user_id(lang: Lang) -> &'static str {
    pick(lang, "用户 id 不能为空", "the user id must not be empty")
}

pub fn unknown_memory(lang: Lang, id: &str) -> String {
    pick(lang, format!("没有 id 为 {id} 的记忆"), format!("no memory has the id {id}"))
}

pub fn history_unavailable(lang: Lang, reason: &str) -> String {
    pick(lang, format!("输入历史不可用：{reason}"), format!("the input history is not available: {reason}"))
}

pub fn nothing_can_be_saved(lang: Lang, reason: &str) -> String {
    pick(
        lang,
        format!("记忆和输入历史都无法保存：{reason}"),
        format!("neither memories nor input history can be saved: {reason}"),
    )
}

pub fn reason_empty(lang: Lang) -> &'static str {
    pick(lang, "回答是空的", "empty answer")
}

pub fn reason_timeout(lang: Lang) -> &'static str {
    pick(lang, "没有按时回应", "no answer in time")
}

pub fn reason_cut(lang: Lang) -> &'static str {
    pick(lang, "连接断了", "the connection was cut")
}

pub fn reason_server(lang: Lang) -> &'static str {
    pick(lang, "服务器出错", "server error")
}

pub fn answered_status(lang: Lang, host: &str, status: u16) -> String {
    pick(lang, format!("{host} 回应 HTTP {status}"), format!("{host} answered HTTP {status}"))
}

pub fn no_usable_vector(lang: Lang, host: &str) -> String {
    pick(
        lang,
        format!("{host} 的回应里没有可用的向量"),
        format!("the answer of {host} holds no usable vector"),
    )
}

pub fn cannot_read_stdin(lang: Lang, reason: &str) -> String {
    pick(lang, format!("无法读取标准输入：{reason}"), format!("cannot read stdin: {reason}"))
}

pub fn terminal_failed(lang: Lang, reason: &str) -> String {
    pick(lang, format!("终端出错：{reason}"), format!("the terminal failed: {reason}"))
}

pub fn no_log_file(lang: Lang, path: &str, reason: &str) -> String {
    pick(lang, format!("无法写日志 {path}：{reason}"), format!("cannot write the log {path}: {reason}"))
}

pub fn cannot_start(lang: Lang, reason: &str) -> String {
    pick(lang, format!("无法启动：{reason}"), format!("cannot start: {reason}"))
}

/// The heading of a usage error, before the parser's own words.
pub fn hint_usage(lang: Lang) -> &'static str {
    pick(lang, "mini-chatgpt --help 列出全部参数", "mini-chatgpt --help lists all options")
}

pub fn unknown_option(lang: Lang, option: &str, nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => pick(
            lang,
            format!("没有参数 {option}，是不是 {nearest}？"),
            format!("there is no option {option}; did you mean {nearest}?"),
        ),
        None => pick(lang, format!("没有参数 {option}"), format!("there is no option {option}")),
    }
}

pub fn option_needs_value(lang: Lang, option: &str) -> String {
    pick(lang, format!("{option} 后面要有值"), format!("{option} needs a value"))
}

pub fn options_clash(lang: Lang, option: &str, other: &str) -> String {
    pick(lang, format!("{option} 不能和 {other} 一起用"), format!("{option} cannot be used with {other}"))
}

pub fn request_too_large(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(
        lang,
        format!("这个请求超过了 {host} 每分钟允许的量{end}"),
        format!("the request is larger than what {host} allows in a minute{end}"),
    )
}

pub fn loading(lang: Lang, host: &str) -> String {
    pick(lang, format!("{host} 还在加载模型"), format!("{host} is still loading its model"))
}

pub fn output_budget(lang: Lang, host: &str, detail: &str) -> String {
    let end = colon(lang, detail);
    pick(
        lang,
        format!("要求的输出超过了 {host} 的上限{end}"),
        format!("more output was asked for than {host} gives{end}"),
    )
}

pub fn bad_call(lang: Lang, host: &str) -> String {
    pick(
        lang,
        format!("{host} 上的模型写错了工具调用"),
        format!("the model at {host} wrote a tool call that could not be read"),
    )
}

pub fn only_reasoning(lang: Lang, host: &str) -> String {
    pick(
        lang,
        format!("{host} 上的模型只有思考，没有给出回答"),
        format!("the model at {host} only thought and gave no answer"),
    )
}

pub fn hint_certificate(lang: Lang) -> &'static str {
    pick(
        lang,
        "这个服务器的证书不被信任；如果是公司或自签的证书，把它的 PEM 文件放进 SSL_CERT_FILE",
        "the server's certificate is not trusted; if it is your company's or your own, name its PEM file in SSL_CERT_FILE",
    )
}

pub fn reason_too_long(lang: Lang) -> &'static str {
    pick(lang, "文字太长", "the text is too long")
}

pub fn cannot_write_answer(lang: Lang, reason: &str) -> String {
    pick(lang, format!("写不出回答：{reason}"), format!("cannot write the answer: {reason}"))
}

/// What an I/O error means, where it is one of the common ones; the system's own words otherwise.
pub fn io_reason(lang: Lang, error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => pick(lang, "不存在", "it does not exist").to_owned(),
        ErrorKind::PermissionDenied => pick(lang, "没有权限", "permission denied").to_owned(),
        ErrorKind::StorageFull => pick(lang, "磁盘已满", "the disk is full").to_owned(),
        ErrorKind::ReadOnlyFilesystem => {
            pick(lang, "文件系统只读", "the file system is read-only").to_owned()
        }
        ErrorKind::NotADirectory => {
            pick(lang, "路径中有一段不是文件夹", "a part of the path is no folder").to_owned()
        }
        ErrorKind::ConnectionRefused => pick(lang, "连接被拒绝", "connection refused").to_owned(),
        ErrorKind::TimedOut => pick(lang, "超时", "timed out").to_owned(),
        _ => error.to_string(),
    }
}
