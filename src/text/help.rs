//! Help: of the command line, of the slash commands, and for someone with nothing configured.

use super::{Lang, pick};

/// What a slash command does.
pub fn command_help(lang: Lang, name: &str) -> &'static str {
    match name {
        "memories" => pick(lang, "列出长期记忆", "list the long-term memories"),
        "clear" => pick(
            lang,
            "删除全部长期记忆，当前对话继续",
            "delete all long-term memories; this conversation continues",
        ),
        "retry" => pick(lang, "把上一条消息再问一次", "ask the last message again"),
        "model" => pick(
            lang,
            "列出模型；/model 名称 换一个，对话继续",
            "list the models; /model NAME switches, the conversation goes on",
        ),
        "reasoning" => pick(
            lang,
            "思考过程：show 全部显示、fold 只显示一行、hide 不显示",
            "the model's reasoning: show all, fold to one line, or hide",
        ),
        "help" => pick(lang, "显示这些说明", "show this help"),
        "exit" => pick(lang, "离开（也可以用 /quit 或 Ctrl-D）", "leave (also /quit or Ctrl-D)"),
        _ => "",
    }
}

/// How a line is typed.
pub fn typing_help(lang: Lang) -> &'static str {
    pick(
        lang,
        "换行：行尾输入 \\ 再回车，或 Ctrl-J。粘贴多行是一条消息。\n\
         Ctrl-C 停止回答；Ctrl-R 搜索历史；行首空格的输入不进历史。",
        "New line: \\ at the end and Enter, or Ctrl-J. A paste of several lines is one message.\n\
         Ctrl-C stops an answer; Ctrl-R searches the history; a leading space keeps a line out of it.",
    )
}

/// What `mini-chatgpt --help` says about the program.
pub fn about(lang: Lang) -> &'static str {
    pick(
        lang,
        "终端里有记忆的 ChatGPT：一个程序，你自己的文件，任何 OpenAI 兼容的模型。\n\
         mini-chatgpt doctor 检查配置和接口，mini-chatgpt providers 列出服务商。\n\
         不带参数进入对话；也可以用管道：每行一轮。",
        "A ChatGPT with memory, in the terminal: one binary, your own files, any OpenAI-compatible model.\n\
         mini-chatgpt doctor checks settings and endpoint; mini-chatgpt providers lists the providers.\n\
         Without arguments it starts a conversation; through a pipe, each line is a turn.",
    )
}

/// What `--help` says about an option, by its id; `None` for an unknown id.
pub fn option_help(lang: Lang, id: &str) -> Option<&'static str> {
    let (zh, en) = match id {
        "prompt" => (
            "只问这一句，回答后退出；管道里的文字附在后面",
            "Ask this, answer and leave; piped text is appended",
        ),
        "json" => ("doctor 的结果用 JSON 输出", "Report of doctor as JSON"),
        "once" => ("同 PROMPT，写成选项", "PROMPT, written as an option"),
        "user_id" => ("记忆属于谁", "Whom the memories belong to"),
        "model" => ("模型名", "Name of the model"),
        "base_url" => ("接口地址", "Base URL of the endpoint"),
        "provider" => {
            ("服务商，例如 dashscope、deepseek、openai", "Provider, such as dashscope, deepseek, openai")
        }
        "memory_dir" => ("记忆所在的文件夹", "Folder of the memories"),
        "system" => {
            ("代替内置的人设；@FILE 从文件读取", "Replaces the built-in persona; @FILE reads it from a file")
        }
        "top_k" => ("每条消息最多回想几条记忆 [默认 5]", "Memories recalled for a message [default: 5]"),
        "max_rounds" => ("一轮对话最多几次请求 [默认 5]", "Requests within one turn [default: 5]"),
        "no_stream" => ("等整个回答一次给出", "Wait for the whole answer instead of streaming it"),
        "temperature" => ("采样温度", "Sampling temperature"),
        "reasoning" => {
            ("思考过程怎么显示 [默认 fold]", "What to show of the model's reasoning [default: fold]")
        }
        "embedding_model" => {
            ("用接口的这个嵌入模型查找记忆", "Find memories by this embedding model of the endpoint")
        }
        "lang" => ("界面语言：zh 或 en", "Language of the interface: zh or en"),
        "log_level" => (
            "off、error、warn、info、debug 或 trace [默认 warn]",
            "off, error, warn, info, debug or trace [default: warn]",
        ),
        "log_file" => ("日志写到这个文件，而不是 stderr", "Write the log to this file instead of stderr"),
        "help" => ("显示帮助", "Print help"),
        "version" => ("显示版本", "Print version"),
        _ => return None,
    };
    Some(pick(lang, zh, en))
}

/// Layout of `--help`, in clap's template words.
pub fn help_template(lang: Lang) -> &'static str {
    pick(
        lang,
        "{about}\n\n用法：{usage}\n\n参数：\n{positionals}\n\n选项：\n{options}",
        "{about}\n\nUsage: {usage}\n\nArguments:\n{positionals}\n\nOptions:\n{options}",
    )
}

/// Nothing is configured and nobody can be asked.
pub fn not_configured(lang: Lang) -> &'static str {
    pick(
        lang,
        "没有找到可用的模型：没有密钥，本机也没有正在运行的模型服务",
        "no model to talk to: there is no key, and no model server runs on this machine",
    )
}

/// Three ways out of it.
pub fn next_steps(lang: Lang) -> &'static str {
    pick(
        lang,
        "任选一种：\n  1. 设置一个密钥，例如 export DASHSCOPE_API_KEY=…（全部变量见 .env.example）\n  \
         2. 启动本地模型，例如 ollama run qwen3，再运行一次\n  \
         3. 指定任意兼容接口：export OPENAI_BASE_URL=… OPENAI_API_KEY=…",
        "do one of these:\n  1. set a key, such as export DASHSCOPE_API_KEY=… (.env.example lists all variables)\n  \
         2. start a local model, such as ollama run qwen3, and run this again\n  \
         3. name any compatible endpoint: export OPENAI_BASE_URL=… OPENAI_API_KEY=…",
    )
}

/// A provider was chosen whose key is not there.
pub fn provider_without_key(lang: Lang, provider: &str) -> String {
    pick(lang, format!("没有 {provider} 的密钥"), format!("there is no key for {provider}"))
}

pub fn hint_set_key(lang: Lang, variable: &str) -> String {
    pick(lang, format!("设置 {variable}"), format!("set {variable}"))
}

pub fn no_model_chosen(lang: Lang, host: &str) -> String {
    pick(lang, format!("{host} 没有列出聊天模型"), format!("{host} lists no chat model"))
}

pub fn setup_intro(lang: Lang) -> &'static str {
    pick(
        lang,
        "还没有配置模型。选一个服务商，粘贴密钥；测试通过后才会保存。Ctrl-D 离开。",
        "No model is configured yet. Choose a provider and paste a key; it is saved once a test has passed. \
         Ctrl-D leaves.",
    )
}

pub fn setup_other(lang: Lang) -> &'static str {
    pick(lang, "其他：自己输入接口地址", "another one: type its base URL")
}

pub fn setup_choose(lang: Lang, highest: usize) -> String {
    pick(lang, format!("服务商 [1-{highest}]："), format!("provider [1-{highest}]: "))
}

pub fn setup_base_url(lang: Lang) -> &'static str {
    pick(lang, "接口地址：", "base URL: ")
}

pub fn setup_key(lang: Lang) -> &'static str {
    pick(lang, "密钥（显示为 *）：", "key (shown as *): ")
}

pub fn setup_model(lang: Lang, default: &str) -> String {
    match (lang, default) {
        (Lang::Zh, "") => "模型：".to_owned(),
        (Lang::En, "") => "model: ".to_owned(),
        (Lang::Zh, default) => format!("模型 [{default}]："),
        (Lang::En, default) => format!("model [{default}]: "),
    }
}

pub fn setup_testing(lang: Lang, host: &str) -> String {
    pick(lang, format!("正在用 {host} 测试…"), format!("testing with {host}…"))
}

pub fn setup_saved(lang: Lang, path: &str) -> String {
    pick(lang, format!("测试通过，已保存到 {path}"), format!("it works; saved in {path}"))
}

pub fn setup_again(lang: Lang) -> &'static str {
    pick(lang, "没有保存，请再试一次。", "Nothing was saved; try again.")
}

pub fn setup_not_a_choice(lang: Lang, highest: usize) -> String {
    pick(
        lang,
        format!("先选服务商：输入 1 到 {highest} 之间的数字，密钥下一步再粘贴"),
        format!("choose the provider first: type a number from 1 to {highest}; the key comes next"),
    )
}

pub fn empty_prompt(lang: Lang) -> &'static str {
    pick(lang, "没有要问的内容", "there is nothing to ask: the prompt is empty")
}

/// A provider's name as its customers know it.
pub fn provider_title(lang: Lang, name: &'static str) -> &'static str {
    match name {
        "dashscope" => pick(lang, "阿里云百炼 DashScope（通义千问）", "Alibaba Cloud DashScope (Qwen)"),
        "openai" => "OpenAI",
        "deepseek" => "DeepSeek",
        "moonshot" => pick(lang, "月之暗面 Moonshot（Kimi）", "Moonshot (Kimi)"),
        "zhipu" => pick(lang, "智谱（GLM）", "Zhipu (GLM)"),
        "siliconflow" => pick(lang, "硅基流动 SiliconFlow", "SiliconFlow"),
        "openrouter" => "OpenRouter",
        "groq" => "Groq",
        "mistral" => "Mistral",
        "gemini" => "Google Gemini",
        "xai" => "xAI (Grok)",
        other => other,
    }
}

pub fn setup_model_needed(lang: Lang) -> &'static str {
    pick(lang, "请输入模型的名字", "type the name of a model")
}
