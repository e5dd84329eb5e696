//! What is wrong with a setting. The place stands before it: a flag, a variable, a file and its line.

use super::{Lang, pick};

pub fn it_is_empty(lang: Lang) -> String {
    pick(lang, "不能为空", "it is empty").to_owned()
}

pub fn none_of(lang: Lang, value: &str, allowed: &str) -> String {
    pick(lang, format!("{value:?} 不在可选的值之中：{allowed}"), format!("{value:?} is none of {allowed}"))
}

pub fn not_a_window(lang: Lang, value: &str) -> String {
    pick(
        lang,
        format!("{value:?} 不是轮数（例如 10）、token 数（例如 8k、3000t）或 off"),
        format!("{value:?} is neither a number of turns (10), nor of tokens (8k, 3000t), nor off"),
    )
}

pub fn not_a_folder(lang: Lang, path: &str) -> String {
    pick(lang, format!("{path} 不是文件夹"), format!("{path} is not a folder"))
}

pub fn not_a_price(lang: Lang, value: &str) -> String {
    pick(
        lang,
        format!("{value:?} 不是每百万 token 的价格；写成 输入,输出 或 输入,缓存,输出，例如 0.8,2"),
        format!("{value:?} is not a price of a million tokens; write IN,OUT or IN,CACHED,OUT, such as 0.8,2"),
    )
}

pub fn not_a_language(lang: Lang) -> String {
    pick(lang, "只能是 zh 或 en", "this is neither zh nor en").to_owned()
}

pub fn not_in_range(lang: Lang, value: &str, low: usize, high: usize) -> String {
    pick(
        lang,
        format!("{value:?} 不是 {low} 到 {high} 之间的整数"),
        format!("{value:?} is not a whole number from {low} to {high}"),
    )
}

pub fn not_a_decimal(lang: Lang, value: &str, low: f64, high: f64) -> String {
    pick(
        lang,
        format!("{value:?} 不是 {low} 到 {high} 之间的数"),
        format!("{value:?} is not a number from {low} to {high}"),
    )
}

pub fn needs_embedding_model(lang: Lang) -> String {
    pick(
        lang,
        "还要说明用接口的哪个嵌入模型：--embedding-model",
        "it needs the name of an embedding model of the endpoint: --embedding-model",
    )
    .to_owned()
}

pub fn needs_base_url(lang: Lang) -> String {
    pick(lang, "需要你自己的接口地址：--base-url", "it has a base URL of your own; name it with --base-url")
        .to_owned()
}

/// Never quotes the value, which may hold a password.
pub fn no_base_url(lang: Lang, reason: &str) -> String {
    pick(lang, format!("不是可用的接口地址：{reason}"), format!("this is no base URL: {reason}"))
}

/// Never quotes the value.
pub fn no_such_key(lang: Lang) -> String {
    pick(
        lang,
        "含有密钥里不会出现的字符（空白、换行或非 ASCII 字符）",
        "it has characters that no key has (blanks, line breaks or non-ASCII ones)",
    )
    .to_owned()
}

pub fn cannot_read(lang: Lang, path: &str, reason: &str) -> String {
    pick(lang, format!("无法读取 {path}：{reason}"), format!("cannot read {path}: {reason}"))
}

pub fn not_utf8(lang: Lang) -> String {
    pick(lang, "不是 UTF-8 文本", "it is not UTF-8").to_owned()
}

pub fn expected_name_value(lang: Lang) -> String {
    pick(lang, "应当是 NAME=value，引号要成对", "expected NAME=value, with quotes closed").to_owned()
}

pub fn not_a_scalar(lang: Lang, name: &str) -> String {
    pick(
        lang,
        format!("{name} 必须是文字、数字、true 或 false"),
        format!("{name} must be a text, a number, or true or false"),
    )
}

pub fn key_in_config(lang: Lang, name: &str) -> String {
    pick(
        lang,
        format!("{name}：密钥不能放在这里，请放进变量（见 .env.example）"),
        format!("{name}: a key has no place here; put it into a variable (see .env.example)"),
    )
}

pub fn unknown_setting(lang: Lang, name: &str, known: &str) -> String {
    pick(
        lang,
        format!("没有 {name} 这个键；可用的键：{known}"),
        format!("unknown key {name}; the keys are {known}"),
    )
}

pub fn no_home(lang: Lang) -> String {
    pick(
        lang,
        "找不到用户目录，请用它指定记忆文件夹",
        "there is no home folder; name a memory folder with it",
    )
    .to_owned()
}

pub fn unknown_variable(lang: Lang, name: &str) -> String {
    pick(lang, format!("没有 {name} 这个变量，已忽略"), format!("there is no variable {name}; it is ignored"))
}

pub fn outside_folder(lang: Lang) -> String {
    pick(lang, ".env 里只能指定当前文件夹里的文件", "a .env may name files of its own folder only").to_owned()
}
