//! Files that go with a message, and files that the model reads.

use super::{Lang, pick};

pub fn no_images(lang: Lang, model: &str, unknown: bool) -> String {
    match unknown {
        true => pick(
            lang,
            format!("不知道 {model} 能不能看图，没有发送"),
            format!("it is not known whether {model} accepts images; nothing was sent"),
        ),
        false => pick(
            lang,
            format!("{model} 不能看图，没有发送"),
            format!("{model} does not accept images; nothing was sent"),
        ),
    }
}

pub fn hint_no_images(lang: Lang, unknown: bool) -> &'static str {
    match unknown {
        true => pick(
            lang,
            "如果它能看图，加上 --images on 重新启动；或用 /model 换一个模型",
            "if it does, start again with --images on; or switch models with /model",
        ),
        false => {
            pick(lang, "用 /model 换一个能看图的模型", "switch with /model to a model that accepts images")
        }
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

pub fn goes_again(lang: Lang, name: &str) -> String {
    pick(lang, format!("📎 {name} 会随下一条消息发送"), format!("📎 {name} goes with the next message"))
}

pub fn ask_attach(lang: Lang, path: &str) -> String {
    pick(
        lang,
        format!("{path} 不在当前文件夹里，或者是隐藏文件。要附上吗？[y/N] "),
        format!("{path} is outside the current folder or hidden. Attach it? [y/N] "),
    )
}

pub fn not_attached(lang: Lang, path: &str) -> String {
    pick(
        lang,
        format!("没有附上 {path}：它不在当前文件夹里，或者是隐藏文件；要附上，启动时加 --file"),
        format!(
            "{path} was not attached: it is outside the current folder or hidden; to attach it, start with --file"
        ),
    )
}

pub fn file_missing(lang: Lang, path: &str) -> String {
    pick(
        lang,
        format!("没有文件 {path}，这几个字照原样发送"),
        format!("there is no file {path}; the words are sent as they are"),
    )
}

/// Why a file cannot be attached or read.
pub fn file_problem(lang: Lang, name: &str, problem: &str, detail: &str) -> String {
    let words = match problem {
        "missing" => pick(lang, "没有这个文件".to_owned(), "there is no such file".to_owned()),
        "no-file" => pick(lang, "不是普通文件".to_owned(), "it is not a regular file".to_owned()),
        "binary" => pick(
            lang,
            "是二进制文件，只能附上文本和图片".to_owned(),
            "it is binary; text files and images can be attached".to_owned(),
        ),
        "large" => pick(lang, format!("文件太大（{detail}）"), format!("it is too large ({detail})")),
        "format" => pick(
            lang,
            format!("读不了 {detail} 图片，只支持 PNG、JPEG、GIF 和 WebP"),
            format!("{detail} images cannot be read; PNG, JPEG, GIF and WebP can"),
        ),
        "pixels" => pick(
            lang,
            "图片太大：最多一亿像素、100 MB".to_owned(),
            "the image is too large: at most 100 million pixels and 100 MB".to_owned(),
        ),
        "image" => pick(lang, format!("图片不能用：{detail}"), format!("the image cannot be used: {detail}")),
        _ => detail.to_owned(),
    };
    pick(lang, format!("{name}：{words}"), format!("{name}: {words}"))
}

pub fn size_limit(lang: Lang, size: &str, limit: &str) -> String {
    pick(lang, format!("{size}，上限 {limit}"), format!("{size}, at most {limit}"))
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
