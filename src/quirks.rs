//! The provider table: one row a provider, differences as data.
//!
//! A row says where the endpoint is, which variable holds its key, what to use when nothing is
//! chosen, and what the wire must respect. No code anywhere asks for a provider by name; it asks the
//! row. Hosts not listed get [`UNLISTED`], the most careful row.

mod models;

pub use models::{context_length, takes_images};

/// What is known about one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quirks {
    /// Name for `--provider`, in lower case.
    pub name: &'static str,
    /// Base URL of the Chat Completions API; empty for [`UNLISTED`].
    pub base_url: &'static str,
    /// Hosts that belong to this row (a suffix match on whole labels).
    pub hosts: &'static [&'static str],
    /// Variables that may hold the key, in order of preference.
    pub key_vars: &'static [&'static str],
    /// Model used when none is chosen.
    pub model: &'static str,
    /// Accepts `stream_options` (asked for, so that usage is reported).
    pub stream_options: bool,
    /// Form of tool-call ids the endpoint insists on.
    pub call_ids: CallIds,
    /// Form in which reasoning goes back with a reply that called tools.
    pub reasoning_back: ReasoningBack,
    /// Wants a call's `extra_content` back.
    pub extra_content: bool,
    /// Wants the tool's name on its answer.
    pub tool_names: bool,
    /// What stands beside tool calls where the model said nothing.
    pub no_content: NoContent,
    /// Knows the role `system`.
    pub system_role: bool,
    /// Accepts `stream`.
    pub stream: bool,
    /// Accepts `temperature`.
    pub temperature: bool,
    /// Accepts tools.
    pub tools: bool,
    /// Accepts tools in a request for a stream.
    pub stream_with_tools: bool,
    /// Holds an answer to a JSON Schema (`response_format`).
    pub json_schema: bool,
    /// How the key is sent.
    pub auth: Auth,
}

/// What an endpoint takes as the content of a reply that only called tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoContent {
    Null,
    Empty,
    Space,
}

/// How the key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    Bearer,
    /// In the header `api-key`.
    ApiKey,
}

/// How the reasoning of a reply that called tools goes back to the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasoningBack {
    Never,
    /// As `reasoning_content`.
    Content,
    /// As `reasoning_details`, verbatim.
    Details,
}

/// Form of the ids that pair tool calls with their answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallIds {
    /// Whatever the endpoint itself sent, byte for byte.
    AsSent,
    /// Exactly nine letters or digits.
    NineAlphanumerics,
}

const fn row(
    name: &'static str,
    base_url: &'static str,
    hosts: &'static [&'static str],
    key_vars: &'static [&'static str],
    model: &'static str,
) -> Quirks {
    Quirks {
        name,
        base_url,
        hosts,
        key_vars,
        model,
        stream_options: true,
        call_ids: CallIds::AsSent,
        reasoning_back: ReasoningBack::Never,
        extra_content: false,
        tool_names: false,
        no_content: NoContent::Null,
        system_role: true,
        stream: true,
        temperature: true,
        tools: true,
        stream_with_tools: true,
        json_schema: false,
        auth: Auth::Bearer,
    }
}

/// The row of an endpoint nobody described: nothing optional is sent to it.
pub static UNLISTED: Quirks = UNKNOWN;
const UNKNOWN: Quirks = Quirks { stream_options: false, ..row("custom", "", &[], &[], "") };

/// The row of an endpoint on this machine: every server that people run there holds answers to a schema, and says
/// what was used when it is asked to.
pub static LOCAL: Quirks = Quirks { json_schema: true, stream_options: true, ..UNKNOWN };

/// Every known provider. When several keys are set, the first row whose key is there is used.
pub static PROVIDERS: &[Quirks] = &[
    row(
        "dashscope",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        &["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com"],
        &["DASHSCOPE_API_KEY"],
        "qwen-plus",
    ),
    Quirks {
        json_schema: true,
        ..row("openai", "https://api.openai.com/v1", &["api.openai.com"], &["OPENAI_API_KEY"], "gpt-4.1-mini")
    },
    Quirks {
        reasoning_back: ReasoningBack::Content,
        ..row(
            "deepseek",
            "https://api.deepseek.com/v1",
            &["api.deepseek.com"],
            &["DEEPSEEK_API_KEY"],
            "deepseek-chat",
        )
    },
    Quirks {
        reasoning_back: ReasoningBack::Content,
        ..row(
            "moonshot",
            "https://api.moonshot.cn/v1",
            &["api.moonshot.cn", "api.moonshot.ai"],
            &["MOONSHOT_API_KEY", "KIMI_API_KEY"],
            "kimi-latest",
        )
    },
    row(
        "zhipu",
        "https://open.bigmodel.cn/api/paas/v4",
        &["open.bigmodel.cn", "api.z.ai"],
        &["ZHIPU_API_KEY", "ZHIPUAI_API_KEY", "ZAI_API_KEY"],
        "glm-4-flash",
    ),
    row(
        "siliconflow",
        "https://api.siliconflow.cn/v1",
        &["api.siliconflow.cn", "api.siliconflow.com"],
        &["SILICONFLOW_API_KEY"],
        "Qwen/Qwen3-8B",
    ),
    Quirks {
        reasoning_back: ReasoningBack::Details,
        json_schema: true,
        ..row(
            "openrouter",
            "https://openrouter.ai/api/v1",
            &["openrouter.ai"],
            &["OPENROUTER_API_KEY"],
            "openrouter/auto",
        )
    },
    row(
        "groq",
        "https://api.groq.com/openai/v1",
        &["api.groq.com"],
        &["GROQ_API_KEY"],
        "llama-3.3-70b-versatile",
    ),
    Quirks {
        stream_options: false,
        call_ids: CallIds::NineAlphanumerics,
        json_schema: true,
        ..row(
            "mistral",
            "https://api.mistral.ai/v1",
            &["api.mistral.ai"],
            &["MISTRAL_API_KEY"],
            "mistral-small-latest",
        )
    },
    Quirks {
        extra_content: true,
        tool_names: true,
        json_schema: true,
        ..row(
            "gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            &["generativelanguage.googleapis.com"],
            &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            "gemini-2.5-flash",
        )
    },
    Quirks {
        auth: Auth::ApiKey,
        json_schema: true,
        ..row(
            "azure",
            "",
            &["openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com"],
            &["AZURE_OPENAI_API_KEY"],
            "",
        )
    },
    row("xai", "https://api.x.ai/v1", &["api.x.ai"], &["XAI_API_KEY"], "grok-3-mini"),
];

/// A kind of server that people run on their own machine, and where it listens by default.
#[derive(Debug, PartialEq, Eq)]
pub struct LocalServer {
    pub name: &'static str,
    pub base_url: &'static str,
    /// Tokens of context that it gives a model unless it is told otherwise, where it says so nowhere and cuts what
    /// is longer without a word.
    pub usual_context: Option<usize>,
}

/// Looked for on loopback, in this order, when no key and no base URL is configured.
pub static LOCAL_SERVERS: &[LocalServer] = &[
    LocalServer { name: "Ollama", base_url: "http://127.0.0.1:11434/v1", usual_context: Some(4096) },
    LocalServer { name: "LM Studio", base_url: "http://127.0.0.1:1234/v1", usual_context: None },
    LocalServer { name: "llama.cpp", base_url: "http://127.0.0.1:8080/v1", usual_context: None },
    LocalServer { name: "vLLM", base_url: "http://127.0.0.1:8000/v1", usual_context: None },
];

/// The context that the server at a local `host:port` gives a model unless it is told otherwise; `None` where it is
/// not known, or the server says itself.
pub fn usual_context(host_and_port: &str) -> Option<usize> {
    let port = host_and_port.rsplit_once(':')?.1;
    let server = LOCAL_SERVERS.iter().find(|server| {
        server.base_url.trim_end_matches("/v1").rsplit_once(':').is_some_and(|(_, usual)| usual == port)
    })?;
    server.usual_context
}

/// The row called `name`, in any case.
pub fn by_name(name: &str) -> Option<&'static Quirks> {
    PROVIDERS.iter().find(|row| row.name.eq_ignore_ascii_case(name.trim()))
}

/// The row that `host` belongs to: [`LOCAL`] on this machine, [`UNLISTED`] when nobody claims it.
pub fn by_host(host: &str) -> &'static Quirks {
    let host = host.to_ascii_lowercase();
    if host == "localhost" || host.starts_with("127.") || matches!(host.as_str(), "::1" | "[::1]") {
        return &LOCAL;
    }
    let owns =
        |suffix: &&str| host.strip_suffix(*suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    PROVIDERS.iter().find(|row| row.hosts.iter().any(owns)).unwrap_or(&UNLISTED)
}

/// Parts of the names of models that do not chat.
const NO_CHAT: &[&str] = &[
    "embed",
    "bge-",
    "e5-",
    "gte-",
    "rerank",
    "whisper",
    "tts",
    "speech",
    "audio",
    "clip",
    "moderation",
    "dall-e",
    "diffusion",
    "image",
    "ocr",
];

/// Whether a model of that name is one to talk to, as far as a name can tell.
pub fn is_chat_model(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !NO_CHAT.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_agree_with_themselves() {
        for row in PROVIDERS {
            let host = row.base_url.split('/').nth(2).unwrap_or(row.hosts[0]);
            assert_eq!(by_host(host).name, row.name);
            assert_eq!(by_name(&row.name.to_uppercase()), Some(row));
            assert!(!row.key_vars.is_empty());
            assert_eq!(row.base_url.is_empty(), row.model.is_empty(), "{}", row.name);
        }
    }

    #[test]
    fn servers_that_cut_without_a_word() {
        assert_eq!(usual_context("127.0.0.1:11434"), Some(4096));
        assert_eq!(usual_context("127.0.0.1:8080"), None);
        assert_eq!(usual_context("api.example.com"), None);
    }

    #[test]
    fn chat_models_are_told_by_name() {
        for (name, chats) in
            [("qwen3:8b", true), ("nomic-embed-text", false), ("bge-m3", false), ("gpt-4o-audio", false)]
        {
            assert_eq!(is_chat_model(name), chats, "{name}");
        }
    }

    #[test]
    fn hosts_match_on_whole_labels() {
        assert_eq!(by_host("eu.api.openai.com").name, "openai");
        assert_eq!(by_host("evil-api.openai.com").name, "custom");
        assert_eq!(by_host("api.openai.com.evil.net").name, "custom");
        assert_eq!(by_host("localhost").name, "custom");
    }
}
