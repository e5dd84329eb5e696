//! Help: of the command line, of the slash commands, and for someone with nothing configured.

use super::{Lang, pick};

/// What a slash command does.
pub fn command_help(lang: Lang, name: &str) -> &'static str {
    match name {
        "why" => pick(lang, "上一个回答用了哪些记忆，为什么", "which memories the last answer had, and why"),
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
        other => match super::thread_command_help(lang, other) {
            "" => memory_command_help(lang, other),
            help => help,
        },
    }
}

/// What a command about memories does.
fn memory_command_help(lang: Lang, name: &str) -> &'static str {
    match name {
        "memories" => pick(
            lang,
            "列出长期记忆：/memories [文字] [--type semantic] [--all] [--page 2]",
            "list the long-term memories: /memories [TEXT] [--type semantic] [--all] [--page 2]",
        ),
        "search" => pick(
            lang,
            "查找记忆并显示得分：/search 文字",
            "what recall finds for some words, with scores: /search TEXT",
        ),
        "memory" => pick(lang, "一条记忆的全部内容：/memory m3", "everything about one memory: /memory m3"),
        "remember" => pick(lang, "记住这句话：/remember 文字", "keep this as a memory: /remember TEXT"),
        "edit" => pick(lang, "改写一条记忆：/edit m3 文字", "rewrite a memory: /edit m3 TEXT"),
        "forget" => pick(
            lang,
            "删除一条记忆（会先确认）：/forget m3 或 /forget 文字",
            "delete one memory, after asking: /forget m3 or /forget TEXT",
        ),
        "pin" => pick(lang, "每次都给模型看这条：/pin m3", "always show this one to the model: /pin m3"),
        "unpin" => pick(lang, "不再固定：/unpin m3", "no longer: /unpin m3"),
        "expire" => {
            pick(lang, "有效到什么时候：/expire m3 下周", "until when it holds: /expire m3 next week")
        }
        "undo" => pick(
            lang,
            "撤销记忆的上一次改动，无论是谁改的",
            "take the last change of a memory back, whoever made it",
        ),
        "review" => pick(
            lang,
            "别人的话里夹带的要求，由你决定：/review [accept|edit|drop N]",
            "orders found in other people's words, for you to decide: /review [accept|edit|drop N]",
        ),
        "tidy" => pick(
            lang,
            "合并重复，关闭到期，归并旧事",
            "merge duplicates, close what is over, fold old episodes",
        ),
        "graph" => pick(
            lang,
            "关于某人某事知道些什么，画成树：/graph [名字] [--depth 2] [--as-of 2026-01-31]",
            "what is known of someone or something, as a tree: /graph [NAME] [--depth 2] [--as-of 2026-01-31]",
        ),
        "stats" => pick(lang, "记忆和自动提取的统计", "counts of memories and of what was made of proposals"),
        "export" => pick(
            lang,
            "把记忆写到文件（.json .jsonl .md）：/export 文件",
            "write the memories to a file (.json .jsonl .md): /export FILE",
        ),
        "import" => pick(lang, "从文件读入记忆：/import 文件", "take memories in from a file: /import FILE"),
        "pause" => pick(lang, "只读取记忆，不写入", "read memories and write none"),
        "incognito" => pick(
            lang,
            "不读取也不写入记忆，也不保存对话",
            "neither read nor write memories, and keep no thread",
        ),
        "resume-memory" => pick(lang, "恢复读写记忆", "read and write memories again"),
        "clear" => pick(
            lang,
            "删除全部长期记忆，当前对话继续",
            "delete all long-term memories; this conversation continues",
        ),
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
         mini-chatgpt doctor 检查配置和接口，mini-chatgpt providers 列出服务商，\n\
         mini-chatgpt memory 查看、查找、导入、导出记忆。\n\
         不带参数进入对话；也可以用管道：每行一轮。",
        "A ChatGPT with memory, in the terminal: one binary, your own files, any OpenAI-compatible model.\n\
         mini-chatgpt doctor checks settings and endpoint; mini-chatgpt providers lists the providers;\n\
         mini-chatgpt memory lists, searches, imports and exports memories.\n\
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
        "json" => ("用 JSON 输出（doctor、memory）", "Answer in JSON (doctor, memory)"),
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
        "min_relevance" => (
            "相关度低于它的记忆不用，0 到 1 [默认 0.4]",
            "Memories below this relevance are not used, 0 to 1 [default: 0.4]",
        ),
        "inject" => ("其中最多给模型看几条 [默认 3]", "Of these, shown to the model [default: 3]"),
        "embeddings" => (
            "按意思查找记忆：内置模型、接口、或不用 [默认 builtin]",
            "Finding memories by meaning: the model inside, the endpoint, or not [default: builtin]",
        ),
        "embedding_model" => {
            ("用接口的这个嵌入模型查找记忆", "Find memories by this embedding model of the endpoint")
        }
        "encode" => (
            "每轮之后自动提取值得记住的内容：auto 或 off [默认 auto]",
            "Note what is worth remembering after each turn: auto or off [default: auto]",
        ),
        "encode_model" => ("提取用的模型，可以比对话的小", "The model for that, which may be a smaller one"),
        "incognito" => {
            ("不读取也不写入记忆，也不保存对话", "Neither read nor write memories, and keep no thread")
        }
        other => return conversation_option_help(lang, other),
    };
    Some(pick(lang, zh, en))
}

/// The same, of the options that say what is sent, and of which thread.
fn conversation_option_help(lang: Lang, id: &str) -> Option<&'static str> {
    let (zh, en) = match id {
        "continue_last" => ("继续上一个对话", "Go on with the last thread"),
        "resume" => (
            "继续某个对话：id 或标题；不写就从列表里选",
            "Go on with a thread, by its id or title; with neither, choose from a list",
        ),
        "thread" => ("使用这个 id 的对话，没有就新建", "The thread of this id; a new one if there is none"),
        "attach" => ("附上文件或图片，可重复", "Attach a text file or an image; may be repeated"),
        "window" => (
            "发送最近多少轮（如 10）或多少 token（如 8k），off 为不限 [默认 10]",
            "How much is sent: turns (10), tokens (8k), or off for no limit [default: 10]",
        ),
        "context_length" => ("模型的上下文有多少 token", "Tokens of the model's context"),
        "compact_at" => (
            "用到上下文的这个比例就压缩较早的几轮 [默认 0.8]",
            "Condense older turns at this share of the context [default: 0.8]",
        ),
        "recall_in" => (
            "想起的记忆放在哪里：system 部分，或 user 消息旁 [默认 user]",
            "Where recalled memories stand: in the system part, or beside the user's message [default: user]",
        ),
        "images" => {
            ("模型能否看图，程序不知道时用", "Whether the model takes images, where that is not known")
        }
        "allow_read" => (
            "允许模型读取这个文件夹里的文件，可重复",
            "Let the model read files in this folder; may be repeated",
        ),
        "price" => ("每百万 token 的价格，用于 /usage", "Price of a million tokens, for /usage"),
        "all" => ("包括已到期和被取代的", "Also what is over or superseded"),
        "memory_type" => ("只要这种类型", "Only of this type"),
        "when" => ("到什么时候，例如 下周；never 表示一直", "Until when, such as tomorrow; never for good"),
        "action" => ("accept、edit 或 drop", "accept, edit or drop"),
        "depth" => ("几步以内 [默认 2]", "So many steps [default: 2]"),
        "as_of" => ("那一天的情况，例如 2026-01-31", "As it was on a day, such as 2026-01-31"),
        "name" => ("谁或什么；不写就是你", "Whom or what; you, if left out"),
        "number" => ("第几条", "Which of the list"),
        "lang" => ("界面语言：zh 或 en", "Language of the interface: zh or en"),
        "log_level" => (
            "off、error、warn、info、debug 或 trace [默认 warn]",
            "off, error, warn, info, debug or trace [default: warn]",
        ),
        "log_file" => ("日志写到这个文件，而不是 stderr", "Write the log to this file instead of stderr"),
        "help" => ("显示帮助", "Print help"),
        "version" => ("显示版本", "Print version"),
        _ => return memory_option_help(lang, id),
    };
    Some(pick(lang, zh, en))
}

/// The same, of the options of `memory`.
fn memory_option_help(lang: Lang, id: &str) -> Option<&'static str> {
    let (zh, en) = match id {
        "id" => ("记忆的 id，或它的开头几位", "Id of the memory, or the beginning of it"),
        "text" => ("文字", "The text"),
        "yes" => ("不再询问", "Do not ask"),
        "limit" => ("最多几条 [默认 5]", "At most so many [default: 5]"),
        "query" => ("要找的话；- 从 stdin 每行读一个", "What to look for; - reads one a line from stdin"),
        "file" => ("文件；- 是 stdin", "The file; - is stdin"),
        "format" => (
            "json 是完整的记录，jsonl 每行一条，md 供阅读 [默认 json]",
            "json: whole records; jsonl: one a line; md: for reading [default: json]",
        ),
        _ => return None,
    };
    Some(pick(lang, zh, en))
}

/// Layout of `--help`, in clap's template words: of a command with arguments, with commands of its own
/// (the program's own are in what is said about it), or with neither.
pub fn help_template(lang: Lang, has_arguments: bool, has_commands: bool) -> &'static str {
    match (has_arguments, has_commands) {
        (true, _) => pick(
            lang,
            "{about}\n\n用法：{usage}\n\n参数：\n{positionals}\n\n选项：\n{options}",
            "{about}\n\nUsage: {usage}\n\nArguments:\n{positionals}\n\nOptions:\n{options}",
        ),
        (false, true) => pick(
            lang,
            "{about}\n\n用法：{usage}\n\n命令：\n{subcommands}\n\n选项：\n{options}",
            "{about}\n\nUsage: {usage}\n\nCommands:\n{subcommands}\n\nOptions:\n{options}",
        ),
        (false, false) => pick(
            lang,
            "{about}\n\n用法：{usage}\n\n选项：\n{options}",
            "{about}\n\nUsage: {usage}\n\nOptions:\n{options}",
        ),
    }
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
