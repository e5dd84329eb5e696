//! How much a server says that its model holds, and whether it takes images: in its list of models, and
//! in the words of a refusal.
//!
//! Pure functions over what was received. A number counts only where it is named as the limit; the
//! number of tokens that were sent stands in the same sentence often enough. What a model was trained
//! for (`n_ctx_train`) is not read: a server that runs it gives it less. What names tell is elsewhere.

use serde_json::Value;

/// The context that the answer to `GET /models` states for `model`, in tokens.
pub fn listed_length(answer: &Value, model: &str) -> Option<usize> {
    let entries = entries_of(answer, model);
    let stated = |paths: &[&str]| {
        let numbers = paths.iter().flat_map(|path| entries.iter().filter_map(|entry| number_at(entry, path)));
        numbers.min()
    };
    LENGTHS.iter().find_map(|paths| stated(paths))
}

/// Whether the answer to `GET /models` says that `model` takes images.
pub fn listed_images(answer: &Value, model: &str) -> Option<bool> {
    let mut said = None;
    for entry in entries_of(answer, model) {
        for sees in [flag(entry), modalities(entry), capabilities(entry), kind(entry)].into_iter().flatten() {
            said = Some(sees || said == Some(true));
        }
    }
    said
}

/// The context that a refusal states in words, in tokens; `None` when unsure.
pub fn stated_limit(detail: &str) -> Option<usize> {
    let text = detail.to_lowercase();
    if RATES.iter().any(|word| text.contains(word)) {
        return None;
    }
    // The first figure of a range is its lower end.
    let range = |after: &str| after.split_once(',').and_then(|(_, upper)| limit_after(upper));
    let ranged = RANGES.iter().find_map(|anchor| text.split_once(anchor).and_then(|(_, after)| range(after)));
    ranged
        .or_else(|| NAMED.iter().find_map(|anchor| named_limit(&text, anchor)))
        .or_else(|| LOOSE.iter().find_map(|(topics, anchor)| loose_limit(&text, topics, anchor)))
        .or_else(|| compared(&text))
        .or_else(|| enclosed(&text))
}

/// Where servers put the context, as JSON pointers. What is loaded comes before what could be; of two
/// in one group the smaller counts.
const LENGTHS: &[&[&str]] = &[
    // LM Studio, llama.cpp, vLLM and its kin.
    &["/loaded_context_length"],
    &["/loaded_instances/0/config/context_length"],
    &["/meta/n_ctx"],
    &["/max_model_len"],
    // OpenRouter and, without the provider, Together, Moonshot, Cohere, Fireworks.
    &["/top_provider/context_length", "/context_length"],
    // Groq.
    &["/context_window"],
    // Mistral, LM Studio.
    &["/max_context_length"],
    // DeepInfra, Novita.
    &["/metadata/context_length"],
    &["/context_size"],
    // Copilot.
    &["/capabilities/limits/max_context_window_tokens"],
    // Gemini, Anthropic.
    &["/inputTokenLimit"],
    &["/input_token_limit"],
    &["/max_input_tokens"],
];

/// Any other number is a mistake or a stand-in for one.
fn plausible(number: usize) -> bool {
    (256..=100_000_000).contains(&number)
}

fn number_at(entry: &Value, path: &str) -> Option<usize> {
    let number = match entry.pointer(path)? {
        Value::Number(number) => match number.as_u64() {
            Some(whole) => usize::try_from(whole).ok()?,
            // Some lists write `2000000.0`.
            None => number.to_string().strip_suffix(".0")?.parse().ok()?,
        },
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    plausible(number).then_some(number)
}

/// What the list says of `model`; a server may describe it in two lists, with different fields.
fn entries_of<'a>(answer: &'a Value, model: &str) -> Vec<&'a Value> {
    let lists = [Some(answer), answer.get("data"), answer.get("models")];
    let all: Vec<&Value> = lists.into_iter().flatten().filter_map(Value::as_array).flatten().collect();
    let named = |same: fn(&str, &str) -> bool| -> Vec<&'a Value> {
        all.iter().copied().filter(|entry| names_of(entry).any(|name| same(name, model))).collect()
    };
    let exact = named(|name, model| name == model);
    if !exact.is_empty() {
        return exact;
    }
    let alike = named(|name, model| bare(name).eq_ignore_ascii_case(bare(model)));
    // llama.cpp serves its one model under any name.
    let own = |entry: &&Value| entry.get("owned_by").and_then(Value::as_str) == Some("llamacpp");
    if alike.is_empty() && all.iter().filter(|entry| own(entry)).count() == 1 && all.len() <= 2 {
        return all;
    }
    alike
}

fn names_of(entry: &Value) -> impl Iterator<Item = &str> {
    let fields = ["id", "name", "model", "key"].into_iter().filter_map(|key| entry.get(key));
    let aliases = entry.get("aliases").and_then(Value::as_array).into_iter().flatten();
    fields.chain(aliases).filter_map(Value::as_str)
}

/// A name without what some servers put around it.
fn bare(name: &str) -> &str {
    let name = name.trim();
    let name = name.strip_prefix("models/").unwrap_or(name);
    name.strip_suffix(":latest").unwrap_or(name)
}

/// A field of its own: Mistral and LM Studio, Copilot, Moonshot.
fn flag(entry: &Value) -> Option<bool> {
    let paths =
        ["/capabilities/vision", "/capabilities/supports/vision", "/supports_image_in", "/supports_vision"];
    paths.iter().find_map(|path| entry.pointer(path)?.as_bool())
}

/// The kinds of input: OpenRouter, llama.cpp, xAI.
fn modalities(entry: &Value) -> Option<bool> {
    let lists = ["/architecture/input_modalities", "/input_modalities"];
    if let Some(list) = lists.iter().find_map(|path| entry.pointer(path)?.as_array()) {
        return Some(list.iter().filter_map(Value::as_str).any(|kind| kind.eq_ignore_ascii_case("image")));
    }
    // The old form is `text+image->text`.
    let (input, _) = entry.pointer("/architecture/modality")?.as_str()?.split_once("->")?;
    Some(input.contains("image"))
}

/// A list of what the model can do: llama.cpp and Ollama name `completion` and what there is besides.
fn capabilities(entry: &Value) -> Option<bool> {
    let can: Vec<&str> = entry.get("capabilities")?.as_array()?.iter().filter_map(Value::as_str).collect();
    if can.iter().any(|word| matches!(*word, "multimodal" | "vision" | "image")) {
        return Some(true);
    }
    can.contains(&"completion").then_some(false)
}

/// The kind of model: LM Studio.
fn kind(entry: &Value) -> Option<bool> {
    match entry.get("type")?.as_str()? {
        "vlm" => Some(true),
        "llm" => Some(false),
        _ => None,
    }
}

/// Words of a refusal that is about a rate, whose limit is another.
const RATES: &[&str] =
    &["per minute", "per min", "per day", "rate limit", "(tpm)", "tpm:", "(rpm)", "每分钟"];

/// Names of a range whose upper end is the limit.
const RANGES: &[&str] = &["range of input length should be", "input length should be in"];

/// Names of the limit itself; the number follows or stands before.
const NAMED: &[&str] = &[
    "maximum context length",
    "max context length",
    "maximum model length",
    "maximum prompt length",
    "maximum input length",
    "maximum sequence length",
    "maximum context window",
    "max_context_length",
    "max_model_len",
    "max_seq_len",
    "max_seq_length",
    "n_ctx",
    "number of tokens allowed",
    "model token limit",
    "configured limit",
    "while limit",
    "context window",
    "context length",
    "context size",
    "context limit",
    "最大上下文长度",
    "最大输入长度",
    "最大输入",
    "上下文长度限制",
    "上下文长度上限",
    "上下文窗口",
    "输入长度上限",
    "输入长度限制",
];

/// Words that may also bound something else: they count only after one of the topics, and never after a
/// name of the output's bound.
const LOOSE: &[(&[&str], &str)] = &[
    (&["inputs`", "inputs "], "must be <="),
    (&["inputs`", "inputs "], "must have less than"),
    (&["tokens in the prompt"], "cannot exceed"),
    (INPUT, "exceeds the limit of"),
    (INPUT, "exceeds limit of"),
    (INPUT, "exceeds the maximum length"),
    (INPUT, "exceeds the maximum of"),
    (INPUT, "token limit"),
    (INPUT, "最大长度"),
    (INPUT, "长度限制"),
    (INPUT, "最大限制"),
    (INPUT, "超过限制"),
    (INPUT, "超出限制"),
    (INPUT, "token上限"),
    (INPUT, "tokens上限"),
    (INPUT, "不能超过"),
    (INPUT, "不得超过"),
];
const INPUT: &[&str] = &["prompt", "input", "context", "token count", "输入", "上下文", "提示"];
const OUTPUT: &[&str] = &["max_tokens", "max_completion_tokens", "max_output_tokens", "输出"];

/// Words between the name of a limit and its number.
const FILLERS: &[&str] = &[
    "is", "was", "of", "for", "this", "the", "model", "only", "limit", "limits", "size", "length", "token",
    "tokens", "allowed", "set", "to", "be", "maximum", "max", "window",
];
const FILLERS_ZH: &[&str] =
    &["限制", "上限", "最大", "长度", "模型", "支持", "大小", "为", "是", "的", "数", "个"];

/// Words before a limit's name that make it what was sent.
const SENT: &[&str] = &["requested", "actual", "prompt", "input", "your"];

fn named_limit(text: &str, anchor: &str) -> Option<usize> {
    text.match_indices(anchor).find_map(|(at, _)| {
        let before = text.get(..at)?;
        if last_word(before).is_some_and(|word| SENT.contains(&word)) {
            return None;
        }
        limit_after(text.get(at + anchor.len()..)?).or_else(|| limit_before(before))
    })
}

fn loose_limit(text: &str, topics: &[&str], anchor: &str) -> Option<usize> {
    text.match_indices(anchor).find_map(|(at, _)| {
        let before = text.get(..at)?;
        if !about(before, topics) || about(before, OUTPUT) {
            return None;
        }
        limit_after(text.get(at + anchor.len()..)?)
    })
}

/// The number at the beginning of `after`, past words that only lead to it.
fn limit_after(after: &str) -> Option<usize> {
    let mut rest = after;
    loop {
        rest = rest.trim_start_matches([
            ' ', ':', '=', '(', '[', '`', '\'', '"', '-', '_', '*', '：', '（', '「', '【', '“',
        ]);
        if rest.starts_with(|sign: char| sign.is_ascii_digit()) {
            let (limit, behind) = number(rest)?;
            let behind = behind.trim_start();
            let behind = behind.strip_prefix("tokens").unwrap_or(behind).trim_start();
            // `(9000 > 8192)` and `7000 + 2000 > 8192` begin with what was sent; `…` is a cut.
            return (!behind.starts_with(['>', '+', '…'])).then_some(limit).filter(|limit| plausible(*limit));
        }
        if let Some(shorter) = FILLERS_ZH.iter().find_map(|word| rest.strip_prefix(word)) {
            rest = shorter;
            continue;
        }
        let word = rest.split(|sign: char| !sign.is_ascii_alphabetic()).next()?;
        if !FILLERS.contains(&word) {
            return None;
        }
        rest = rest.strip_prefix(word)?;
    }
}

/// The number at the end of `before`, where an article shows that it belongs to the name that follows.
fn limit_before(before: &str) -> Option<usize> {
    let before = before.trim_end_matches([' ', '-']);
    let before = before.strip_suffix("tokens").or_else(|| before.strip_suffix("token")).unwrap_or(before);
    let before = before.trim_end_matches([' ', '-']);
    let (lead, digits) = before.rsplit_once(' ')?;
    let (limit, rest) = number(digits)?;
    let article = last_word(lead).is_some_and(|word| ["with", "the", "a", "its", "model's"].contains(&word));
    (rest.is_empty() && article && plausible(limit)).then_some(limit)
}

/// The right side of `sent > limit`, where what was sent is indeed more; it may be a sum.
fn compared(text: &str) -> Option<usize> {
    if !["too long", "exceed", "longer than", "context", "too large"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let text = text.replace(" tokens", "").replace(">=", ">");
    text.match_indices('>').find_map(|(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
        let summand = |sign: char| sign.is_ascii_digit() || matches!(sign, '+' | ' ');
        let sum = before.rsplit(|sign: char| !summand(sign)).next()?.trim();
        let parts: Option<Vec<usize>> = sum.split('+').map(|part| part.trim().parse().ok()).collect();
        let limit = limit_after(after)?;
        let sent = parts?.iter().fold(0_usize, |sum, part| sum.saturating_add(*part));
        (sent > limit).then_some(limit)
    })
}

/// The number of `输入长度超过 N 限制`; without the last word it may be by how much.
fn enclosed(text: &str) -> Option<usize> {
    ["超过", "超出"].iter().find_map(|anchor| {
        let (before, after) = text.split_once(anchor)?;
        let (limit, behind) = number(after.trim_start_matches(['了', ' ']))?;
        let behind = behind.trim_start_matches(['个', '的', ' ', 't', 'o', 'k', 'e', 'n', 's']);
        let bound = behind.starts_with("限制") || behind.starts_with("上限");
        (bound && about(before, INPUT) && !about(before, OUTPUT) && plausible(limit)).then_some(limit)
    })
}

fn about(text: &str, topics: &[&str]) -> bool {
    topics.iter().any(|topic| text.contains(topic))
}

fn last_word(text: &str) -> Option<&str> {
    text.split_whitespace().next_back()
}

/// The number at the beginning of `text` and what follows: `8192`, `128,000` or `128k`.
fn number(text: &str) -> Option<(usize, &str)> {
    let digits = text.split(|sign: char| !sign.is_ascii_digit()).next()?;
    let mut value: usize = digits.parse().ok()?;
    let mut rest = text.strip_prefix(digits)?;
    // Groups of three after a short first one belong together.
    while digits.len() <= 3 {
        let Some(group) = rest.strip_prefix(',').and_then(|more| more.get(..3)) else { break };
        let Ok(more) = group.parse::<usize>() else { break };
        let Some(behind) = rest.strip_prefix(',').and_then(|more| more.strip_prefix(group)) else { break };
        if !group.chars().all(|sign| sign.is_ascii_digit())
            || behind.starts_with(|sign: char| sign.is_ascii_digit())
        {
            break;
        }
        value = value.checked_mul(1000)?.checked_add(more)?;
        rest = behind;
    }
    if let Some(behind) = rest.strip_prefix('k')
        && !behind.starts_with(char::is_alphanumeric)
    {
        return Some((value.checked_mul(1000)?, behind));
    }
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_state_the_length() {
        let table = [
            (json!({"data": [{"id": "m", "max_model_len": 8192}]}), Some(8192)),
            (json!({"data": [{"id": "other", "max_model_len": 8192}]}), None),
            (json!({"data": [{"id": "m", "context_length": 131_072}]}), Some(131_072)),
            (
                json!({"data": [{"id": "m", "context_length": 131_072,
                       "top_provider": {"context_length": 32_768}}]}),
                Some(32_768),
            ),
            (
                json!({"data": [{"id": "m", "context_length": 131_072,
                       "top_provider": {"context_length": null}}]}),
                Some(131_072),
            ),
            (
                json!({"data": [{"id": "m", "max_context_length": 131_072, "loaded_context_length": 4096}]}),
                Some(4096),
            ),
            (json!({"data": [{"id": "m", "max_context_length": 131_072}]}), Some(131_072)),
            (json!({"data": [{"id": "m", "context_window": 131_072}]}), Some(131_072)),
            (json!({"data": [{"id": "x", "aliases": ["m"], "max_context_length": 32_768}]}), Some(32_768)),
            (
                json!({"models": [{"name": "m", "model": "m"}],
                       "data": [{"id": "m", "meta": {"n_ctx_train": 40_960, "n_ctx": 8192}}]}),
                Some(8192),
            ),
            (json!({"data": [{"id": "m", "meta": {"n_ctx_train": 40_960}}]}), None),
            (
                json!({"data": [{"id": "/x/Qwen3.gguf", "owned_by": "llamacpp", "meta": {"n_ctx": 8192}}]}),
                Some(8192),
            ),
            (json!([{"id": "m", "context_length": "32768"}]), Some(32_768)),
            (json!({"models": [{"name": "models/m", "inputTokenLimit": 1_048_576}]}), Some(1_048_576)),
            (json!({"models": [{"name": "models/m", "input_token_limit": 1_048_576}]}), Some(1_048_576)),
            (json!({"data": [{"id": "m:latest", "context_window": 8192.0}]}), Some(8192)),
            (json!({"data": [{"id": "M", "context_window": 8192}]}), Some(8192)),
            (json!({"data": [{"id": "m", "max_model_len": 0, "context_length": 4096}]}), Some(4096)),
            (json!({"data": [{"id": "m", "max_model_len": -1}]}), None),
            (json!({"data": [{"id": "m", "max_model_len": 9_007_199_254_740_991_u64}]}), None),
            (json!({"data": [{"id": "m", "max_model_len": 128}]}), None),
            (json!({"data": {"id": "m"}}), None),
            (json!({"data": [null, 7, "m"]}), None),
            (json!(null), None),
        ];
        for (answer, length) in table {
            assert_eq!(listed_length(&answer, "m"), length, "{answer}");
        }
    }

    #[test]
    fn lists_state_images() {
        let table = [
            (
                json!({"data": [{"id": "m", "architecture": {"input_modalities": ["text", "image"]}}]}),
                Some(true),
            ),
            (json!({"data": [{"id": "m", "architecture": {"input_modalities": ["text"]}}]}), Some(false)),
            (json!({"data": [{"id": "m", "architecture": {"modality": "text+image->text"}}]}), Some(true)),
            (json!({"data": [{"id": "m", "architecture": {"modality": "text->text+image"}}]}), Some(false)),
            (json!({"data": [{"id": "m", "type": "vlm"}]}), Some(true)),
            (json!({"data": [{"id": "m", "type": "llm"}]}), Some(false)),
            (json!({"models": [{"key": "m", "type": "llm", "capabilities": {"vision": true}}]}), Some(true)),
            (json!({"data": [{"id": "m", "type": "chat"}]}), None),
            (json!({"data": [{"id": "m", "capabilities": {"vision": true}}]}), Some(true)),
            (json!({"data": [{"id": "m", "capabilities": {"vision": false}}]}), Some(false)),
            (json!({"data": [{"id": "m", "supports_image_in": true}]}), Some(true)),
            (
                json!({"models": [{"name": "m", "capabilities": ["completion", "multimodal"]}],
                       "data": [{"id": "m", "meta": {"n_ctx": 8192}}]}),
                Some(true),
            ),
            (json!({"models": [{"name": "m", "capabilities": ["completion"]}]}), Some(false)),
            (json!({"models": [{"name": "m", "capabilities": ["chat"]}]}), None),
            (json!({"data": [{"id": "m"}]}), None),
            (json!({"data": [{"id": "n", "type": "vlm"}]}), None),
        ];
        for (answer, images) in table {
            assert_eq!(listed_images(&answer, "m"), images, "{answer}");
        }
    }

    #[track_caller]
    fn check(table: &[(&str, Option<usize>)]) {
        for &(words, limit) in table {
            assert_eq!(stated_limit(words), limit, "{words}");
        }
    }

    const REFUSALS: &[(&str, Option<usize>)] = &[
        (
            "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens",
            Some(8192),
        ),
        ("maximum context length is 65536 tokens; asked for 70010 (66010 in the messages)", Some(65_536)),
        (
            "'max_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your \
          request has 2104 input tokens (2000 > 4096 - 2104).",
            Some(4096),
        ),
        ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length", Some(32_768)),
        ("InvalidParameter: Range of input length should be [1, 98304]", Some(98_304)),
        ("<400> Range of input length should be [1, 6000]", Some(6000)),
        (
            "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
            Some(8192),
        ),
        ("n_prompt_tokens 9000, n_ctx: 4096", Some(4096)),
        (
            "tokens to keep from the initial prompt is greater than the context length (n_keep: 10247 >= \
          n_ctx: 4096)",
            Some(4096),
        ),
        (
            "Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded \
          with context length of only 7866 tokens, which is not enough.",
            Some(7866),
        ),
        ("Requested tokens (40000) exceed context window of 32768", Some(32_768)),
        (
            "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000",
            Some(272_000),
        ),
        ("prompt is too long: 210000 tokens > 200000 maximum", Some(200_000)),
        (
            "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease it",
            Some(200_000),
        ),
        ("length of prompt_tokens (57535) must be less than max_seq_len (32768).", Some(32_768)),
        ("Prompt length 9000 is greater than max_seq_len 4096", Some(4096)),
        ("The decoder prompt (length 21535) is longer than the maximum model length of 16384.", Some(16_384)),
        (
            "The prompt (total length 25938) is too long to fit into the model (context length 4096).",
            Some(4096),
        ),
        (
            "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
            Some(1_048_575),
        ),
        ("Your request exceeded model token limit: 131072 (requested: 140000)", Some(131_072)),
        (
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
            Some(131_072),
        ),
        ("shorten it. Current length is 9000 while limit is 8192", Some(8192)),
        ("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens", Some(4096)),
        (
            "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000",
            Some(4081),
        ),
        ("prompt token count of 128001 exceeds the limit of 128000", Some(128_000)),
        ("prompt has 9000 tokens, but the configured context size is 8192 tokens", Some(8192)),
        ("exceeds the model's 8,192-token context window: maximum context length of 8,192", Some(8192)),
        ("the request does not fit the 32768 token context window", Some(32_768)),
        ("maximum sequence length for this model (23504 > 512) exceeded", Some(512)),
        ("maximum context length of 128k tokens", Some(128_000)),
        ("该模型最大上下文长度为 8192 个 token，您的请求共 9001", Some(8192)),
        ("输入长度 9000 超过最大限制 8192", Some(8192)),
        ("输入长度超过模型最大输入长度：6000", Some(6000)),
        ("输入 tokens 不能超过 32768", Some(32_768)),
        ("输入长度超过 32768 tokens 的限制", Some(32_768)),
        ("上下文长度 9000 超过限制 8192", Some(8192)),
    ];

    #[test]
    fn refusals_state_the_limit() {
        check(REFUSALS);
    }

    #[test]
    fn what_was_sent_is_no_limit() {
        check(&[
            ("", None),
            ("context_length_exceeded", None),
            ("the input length exceeds the context length", None),
            ("context window exceeds limit (2013)", None),
            ("Your input exceeds the context window of this model. 9000 tokens were sent", None),
            ("context length exceeded: 9000 tokens", None),
            ("prompt too long; exceeded max context length by 500 tokens", None),
            ("prompt is too long: 210000 tokens", None),
            ("Requested context length 9000 is too long", None),
            ("Rate limit: maximum context length 5000 tokens per minute", None),
            ("Request too large for demo, TPM: Limit 30000, Requested 34238", None),
            ("Range of max_tokens should be [1, 8192]", None),
            ("max_tokens exceeds the limit of 8192", None),
            ("String too long. Expected a string with maximum length 1048576", None),
            ("maximum context length is 5 tokens", None),
            ("maximum context length is 99999999999999999999999 tokens", None),
            ("Prompt 超长", None),
            ("输入超过 500 个 token", None),
            ("maximum context length is 81…", None),
            ("maximum context length is 8192…", None),
            ("max_tokens 不能超过 8192", None),
        ]);
    }
}
