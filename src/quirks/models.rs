//! What is known of models by their names: how much they can hold, and whether they take images.
//!
//! A name is brought to one form, and the first row of a fixed table that occurs in it answers. A
//! figure is what the model holds at most wherever it is served; a server that runs it may give it
//! less, and what that server says of itself comes first. Where sources differ the smaller figure
//! stands: one too small only compacts early, one too large is refused. A name nobody described is
//! unknown; no family is guessed for it, and no figure is made up for a generation to come.

/// Tokens that a model of that name can hold at most; `None` when the name says nothing.
pub fn context_length(name: &str) -> Option<usize> {
    let name = plain(name);
    written_size(&name).or_else(|| row_of(&name).map(|row| row.1))
}

/// Whether a model of that name takes images; `None` when the name does not tell.
pub fn takes_images(name: &str) -> Option<bool> {
    let name = plain(name);
    if SEEING.iter().any(|word| occurs(&name, word)) {
        return Some(true);
    }
    row_of(&name)?.2
}

/// Part of a name, context in tokens, images.
///
/// A part is in the form of [`plain`]. `*` joins parts that may stand anywhere, `^` is the beginning of the
/// name.
type Row = (&'static str, usize, Option<bool>);

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);
const UNSURE: Option<bool> = None;

/// Words in a name that mean the model sees, whatever its family.
const SEEING: &[&str] =
    &["vl", "vlm", "vision", "visual", "multimodal", "omni", "llava", "1v", "4v", "5v", "6v"];

/// Families that write their context into the name, as in `-32k`. Others write a budget for thinking
/// or a number of examples there.
const SIZED: &[&str] = &[
    "moonshot", "kimi", "doubao", "ernie", "phi", "yi", "step", "gpt", "glm", "chatglm", "hunyuan",
    "baichuan", "internlm",
];

/// The table; the first row that occurs in a name answers, so the more specific one stands first.
///
/// Figures are from the vendors' model pages and model cards (`max_position_embeddings`), compared with
/// published price lists that state context windows, as of late 2026. Where a vendor bounds the input
/// apart from the whole (DashScope, OpenAI from GPT-5 on, Hunyuan), the bound of the input stands.
static TABLE: &[Row] = &[
    // Names that hold another family's name.
    ("deepseek-r-1-distill", 32_768, NO),
    ("bakllava", 4_096, YES),
    ("llava", 4_096, YES),
    ("minicpm-llama", 8_192, YES),
    ("wizardlm-2-8x-22b", 65_536, NO),
    ("marco-o-1", 32_768, NO),
    // Qwen, by API.
    ("qwen-long", 1_000_000, NO),
    ("qwen-max-latest", 129_024, NO),
    ("qwen-max", 30_720, NO),
    ("qwen-plus", 129_024, NO),
    ("qwen-turbo", 129_024, NO),
    ("qwen-flash", 995_904, NO),
    ("qwen-coder", 129_024, NO),
    ("qwen-omni", 30_720, YES),
    ("qwen-vl", 30_720, YES),
    ("qwq-plus", 98_304, NO),
    ("qvq-max", 98_304, YES),
    // Qwen, open weights and later API names.
    ("qwq", 32_768, NO),
    ("qvq", 32_768, YES),
    ("codeqwen", 65_536, NO),
    ("qwen-3-5-plus", 980_000, YES),
    ("qwen-3-5-flash", 980_000, YES),
    ("qwen-3-5", 262_144, YES),
    ("qwen-3-6-plus", 980_000, UNSURE),
    ("qwen-3-6-flash", 980_000, UNSURE),
    ("qwen-3-6", 258_048, UNSURE),
    ("qwen-3-7", 258_048, UNSURE),
    ("qwen-3-8", 258_048, UNSURE),
    ("qwen-3-max", 258_048, NO),
    ("qwen-3-coder-plus", 997_952, NO),
    ("qwen-3-coder-flash", 997_952, NO),
    ("qwen-3-coder", 262_144, NO),
    ("qwen-3-next", 262_144, NO),
    ("qwen-3-vl", 258_048, YES),
    ("qwen-3-omni", 49_152, YES),
    ("qwen-3*2507", 262_144, NO),
    ("qwen-3", 32_768, NO),
    ("qwen-2-5*1m", 1_000_000, NO),
    ("qwen-2-5-vl", 32_768, YES),
    ("qwen-2-5-omni", 32_768, YES),
    ("qwen-2-5-math", 4_096, NO),
    ("qwen-2-5", 32_768, NO),
    ("qwen-2-vl", 32_768, YES),
    ("qwen-2-math", 4_096, NO),
    ("qwen-2", 32_768, NO),
    ("qwen-1-5", 32_768, NO),
    // OpenAI.
    ("gpt-oss", 131_072, NO),
    ("gpt-4o", 128_000, YES),
    ("chatgpt-4o", 128_000, YES),
    ("gpt-4-1", 1_047_576, YES),
    ("gpt-4-5", 128_000, YES),
    ("gpt-4-turbo-preview", 128_000, NO),
    ("gpt-4-turbo", 128_000, YES),
    ("gpt-4-vision", 128_000, YES),
    ("gpt-4-1106", 128_000, NO),
    ("gpt-4-0125", 128_000, NO),
    ("gpt-4", 8_192, NO),
    ("gpt-3-5-turbo-instruct", 4_096, NO),
    ("gpt-3-5-turbo-0301", 4_096, NO),
    ("gpt-3-5-turbo-0613", 4_096, NO),
    ("gpt-3-5", 16_385, NO),
    ("gpt-35", 4_096, NO),
    ("gpt-5*chat", 128_000, YES),
    ("gpt-5", 272_000, YES),
    ("gpt-6", 272_000, UNSURE),
    ("codex-mini", 200_000, YES),
    ("^o-1-mini", 128_000, NO),
    ("^o-1-preview", 128_000, NO),
    ("^o-1", 200_000, YES),
    ("^o-3-mini", 200_000, NO),
    ("^o-3", 200_000, YES),
    ("^o-4-mini", 200_000, YES),
    // DeepSeek.
    ("deepseek-v-4", 1_000_000, UNSURE),
    ("deepseek-flash", 1_000_000, UNSURE),
    ("deepseek-pro", 1_000_000, UNSURE),
    ("deepseek-chat", 128_000, NO),
    ("deepseek-reasoner", 128_000, NO),
    ("deepseek-v-3-1", 128_000, NO),
    ("deepseek-v-3-2", 128_000, NO),
    ("deepseek-v-3", 65_536, NO),
    ("deepseek-r-1", 65_536, NO),
    ("deepseek-coder-v-2", 128_000, NO),
    ("deepseek-coder", 16_384, NO),
    ("deepseek-v-2", 32_768, NO),
    ("deepseek-vl", 4_096, YES),
    ("deepseek-llm", 4_096, NO),
    // Moonshot.
    ("moonshot-v-1-auto", 131_072, NO),
    ("moonshot", 8_192, NO),
    ("kimi-latest", 131_072, YES),
    ("kimi-thinking", 131_072, YES),
    ("kimi-vl", 131_072, YES),
    ("kimi-for-coding", 262_144, UNSURE),
    ("kimi-k-3", 1_000_000, UNSURE),
    ("kimi-k-2-5", 262_144, YES),
    ("kimi-k-2-6", 262_144, YES),
    ("kimi-k-2-7", 262_144, UNSURE),
    ("kimi-k-2-thinking", 262_144, NO),
    ("kimi-k-2-turbo", 262_144, NO),
    ("kimi-k-2*0905", 262_144, NO),
    ("kimi-k-2", 131_072, NO),
    ("kimi-dev", 131_072, NO),
    // Zhipu.
    ("glm-4*1m", 1_000_000, NO),
    ("glm-4-long", 1_000_000, NO),
    ("glm-4-airx", 8_000, NO),
    ("glm-4v", 8_000, YES),
    ("glm-4-1v", 64_000, YES),
    ("glm-4-5v", 64_000, YES),
    ("glm-4-6v", 128_000, YES),
    ("glm-4-5", 128_000, NO),
    ("glm-4-6", 200_000, NO),
    ("glm-4-7-flash", 128_000, NO),
    ("glm-4-7", 200_000, NO),
    ("glm-4*0414", 32_768, NO),
    ("glm-4", 128_000, NO),
    ("glm-5v", 200_000, YES),
    ("glm-5-2", 1_000_000, UNSURE),
    ("glm-5-3", 1_000_000, UNSURE),
    ("glm-5", 200_000, NO),
    ("glm-z-1", 32_768, NO),
    ("glm-3", 128_000, NO),
    ("chatglm", 8_192, NO),
    ("codegeex-4", 128_000, NO),
    // Mistral.
    ("mixtral-8x-22b", 65_536, NO),
    ("mixtral", 32_768, NO),
    ("pixtral", 128_000, YES),
    ("ministral*2512", 131_072, YES),
    ("ministral-3", 131_072, YES),
    ("ministral", 128_000, UNSURE),
    ("codestral*mamba", 256_000, NO),
    ("codestral-2501", 256_000, NO),
    ("codestral-2508", 256_000, NO),
    ("codestral", 32_000, NO),
    ("devstral", 128_000, UNSURE),
    ("magistral*2509", 40_000, YES),
    ("magistral", 40_000, UNSURE),
    ("mathstral", 32_768, NO),
    ("voxtral", 32_000, NO),
    ("mistral-nemo", 128_000, NO),
    ("mistral-large-2402", 32_000, NO),
    ("mistral-large-2407", 128_000, NO),
    ("mistral-large-2411", 128_000, NO),
    ("mistral-large", 128_000, UNSURE),
    ("mistral-medium-2312", 32_000, NO),
    ("mistral-medium", 128_000, YES),
    ("mistral-small-latest", 128_000, YES),
    ("mistral-small-2503", 128_000, YES),
    ("mistral-small-2506", 128_000, YES),
    ("mistral-small-2603", 128_000, YES),
    ("mistral-small-3-1", 128_000, YES),
    ("mistral-small-3-2", 128_000, YES),
    ("mistral-small", 32_000, UNSURE),
    ("mistral", 32_000, UNSURE),
    // Google.
    ("gemini*live", 131_072, UNSURE),
    ("gemini*image", 32_768, YES),
    ("gemini-1-5-pro", 1_000_000, YES),
    ("gemini-pro-1-5", 1_000_000, YES),
    ("gemini-1-5", 1_000_000, YES),
    ("gemini-1-0", 30_720, NO),
    ("gemini-2", 1_048_576, YES),
    ("gemini-3", 1_000_000, YES),
    ("gemini-4", 1_000_000, UNSURE),
    ("gemini-flash", 1_000_000, YES),
    ("gemini-pro-latest", 1_000_000, YES),
    ("gemini-pro", 30_720, NO),
    ("gemma-4", 131_072, YES),
    ("gemma-3-1b", 32_768, NO),
    ("gemma-3-270m", 32_768, NO),
    ("gemma-3n", 32_768, UNSURE),
    ("gemma-3", 131_072, YES),
    ("gemma-2", 8_192, NO),
    ("gemma-1-1", 8_192, NO),
    ("gemma-2b", 8_192, NO),
    ("gemma-7b", 8_192, NO),
    ("codegemma", 8_192, NO),
    // Anthropic; the later ones hold more.
    ("claude-instant", 100_000, NO),
    ("claude-2", 100_000, NO),
    ("claude-v", 100_000, NO),
    ("claude", 200_000, YES),
    // xAI.
    ("grok-2-vision", 32_768, YES),
    ("grok-vision", 8_192, YES),
    ("grok-2", 32_768, NO),
    ("grok-beta", 131_072, NO),
    ("grok-3", 131_072, NO),
    ("grok-4-fast", 2_000_000, YES),
    ("grok-4-1-fast", 2_000_000, YES),
    ("grok-4", 256_000, YES),
    ("grok-code", 256_000, NO),
    ("grok-build", 256_000, UNSURE),
    // Meta.
    ("llama-4", 131_072, YES),
    ("llama-3-1", 131_072, NO),
    ("llama-3-2-11b", 131_072, YES),
    ("llama-3-2-90b", 131_072, YES),
    ("llama-3-2", 131_072, NO),
    ("llama-3-3", 131_072, NO),
    ("llama-3", 8_192, NO),
    ("llama-v-3-1", 131_072, NO),
    ("llama-v-3-2", 131_072, NO),
    ("llama-v-3-3", 131_072, NO),
    ("llama-v-3", 8_192, NO),
    ("llama-2", 4_096, NO),
    ("codellama", 16_384, NO),
    ("tinyllama", 2_048, NO),
    // Cohere.
    ("command-a-vision", 128_000, YES),
    ("command-a", 256_000, NO),
    ("command-r", 128_000, NO),
    ("^command-light", 4_096, NO),
    ("aya-vision", 16_384, YES),
    ("aya-expanse", 8_192, NO),
    // Microsoft.
    ("phi-4-multimodal", 131_072, YES),
    ("phi-4-mini", 131_072, NO),
    ("phi-4-reasoning", 32_768, NO),
    ("phi-4", 16_384, NO),
    ("phi-3-5", 131_072, NO),
    ("phi-3", 4_096, NO),
    ("phi-2", 2_048, NO),
    // 01.AI.
    ("yi-large-turbo", 16_384, NO),
    ("yi-large", 32_768, NO),
    ("yi-medium", 16_384, NO),
    ("yi-spark", 16_384, NO),
    ("yi-lightning", 16_384, NO),
    ("yi-vision", 16_384, YES),
    ("yi-vl", 4_096, YES),
    ("yi-coder", 128_000, NO),
    ("yi-1-5", 4_096, NO),
    ("yi-34b", 4_096, NO),
    ("yi-9b", 4_096, NO),
    ("yi-6b", 4_096, NO),
    // ByteDance.
    ("doubao-seed", 224_000, YES),
    ("doubao-1-5-thinking", 96_000, UNSURE),
    ("doubao-1-5-pro", 32_768, NO),
    ("doubao-1-5-lite", 32_768, NO),
    ("doubao-pro", 4_096, NO),
    ("doubao-lite", 4_096, NO),
    ("doubao", 32_768, UNSURE),
    ("seed-oss", 262_144, NO),
    ("^seed-1-6", 224_000, YES),
    ("^seed-2", 224_000, YES),
    // Tencent.
    ("hunyuan*vision", 6_000, YES),
    ("hunyuan-lite", 250_000, NO),
    ("hunyuan-large-longcontext", 128_000, NO),
    ("hunyuan-a-13b", 131_072, NO),
    ("hunyuan", 28_000, UNSURE),
    ("^hy-3", 256_000, UNSURE),
    ("^hy-4", 1_000_000, UNSURE),
    // Baidu.
    ("ernie-5", 120_000, YES),
    ("ernie*vl", 30_000, YES),
    ("ernie-4-5-turbo", 120_000, UNSURE),
    ("ernie-4-5-0-3b", 120_000, NO),
    ("ernie-4-5-21b", 120_000, NO),
    ("ernie-4-5-300b", 120_000, NO),
    ("ernie-4-5", 8_000, UNSURE),
    ("ernie-x-1", 32_000, NO),
    ("ernie", 7_000, NO),
    // MiniMax; the `-80k` of M1 is what it may think.
    ("minimax-m-1", 1_000_000, NO),
    ("minimax-m-2-her", 65_536, NO),
    ("minimax-m-2", 196_000, NO),
    ("minimax-m-3", 512_000, UNSURE),
    ("minimax-text-01", 1_000_000, NO),
    ("minimax-01", 1_000_000, UNSURE),
    ("abab-6-5s", 245_000, NO),
    ("abab", 8_192, NO),
    // StepFun.
    ("^step-1v", 8_192, YES),
    ("^step-1o", 32_000, YES),
    ("^step-1", 8_192, NO),
    ("^step-2", 16_000, NO),
    ("^step-3-5", 256_000, UNSURE),
    ("^step-3", 64_000, YES),
    // Others that people run.
    ("minicpm-v", 32_768, YES),
    ("minicpm-o", 32_768, YES),
    ("minicpm-3", 32_768, NO),
    ("minicpm-4", 32_768, NO),
    ("internvl-3", 32_768, YES),
    ("internvl", 8_192, YES),
    ("intern-s-1", 32_768, YES),
    ("internlm*1m", 1_000_000, NO),
    ("internlm", 32_768, NO),
    ("baichuan-4", 32_768, NO),
    ("baichuan-3", 32_768, NO),
    ("baichuan", 4_096, NO),
    ("nova-micro", 128_000, NO),
    ("nova-lite", 300_000, YES),
    ("nova-pro", 300_000, YES),
    ("nova-premier", 1_000_000, YES),
    ("sonar", 127_000, UNSURE),
    ("jamba", 70_000, NO),
    ("granite-3-0", 4_096, NO),
    ("granite-3", 131_072, NO),
    ("granite-4", 131_072, NO),
    ("nemotron", 128_000, UNSURE),
    ("hermes-3", 131_072, NO),
    ("hermes-4", 131_072, NO),
    ("mimo-v-2", 256_000, UNSURE),
    ("longcat-flash", 128_000, UNSURE),
    ("smollm-2", 8_192, NO),
    ("smollm-3", 65_536, NO),
    ("smolvlm", 8_192, YES),
    ("moondream", 2_048, YES),
    ("exaone", 32_768, NO),
    ("olmo-2", 4_096, NO),
    ("dbrx", 32_768, NO),
];

/// One form for every way to write a name.
///
/// Without vendor and path, in lower case, with `-` around every word and for every other sign, and
/// with `-` between a letter and a digit that follows: `Qwen/Qwen2.5-7B` is `-qwen-2-5-7b-`. A tag is
/// a word like others. A `p` between digits is a dot, as hosts write that allow none.
fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let last = name.rsplit(['/', '\\']).next().unwrap_or(&name);
    let mut form = String::from("-");
    let mut before = '-';
    let mut signs = last.strip_suffix(".gguf").unwrap_or(last).chars().peekable();
    while let Some(sign) = signs.next() {
        let digit_follows = signs.peek().is_some_and(char::is_ascii_digit);
        let dot = sign == 'p' && before.is_ascii_digit() && digit_follows;
        let sign = if dot || !sign.is_alphanumeric() { '-' } else { sign };
        if sign.is_ascii_digit() && before.is_alphabetic() {
            form.push('-');
        }
        if sign != '-' || before != '-' {
            form.push(sign);
        }
        before = sign;
    }
    if before != '-' {
        form.push('-');
    }
    form
}

fn row_of(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.0.split('*').all(|part| occurs(name, part)))
}

/// Whether `part` occurs in a plain name as whole words.
fn occurs(name: &str, part: &str) -> bool {
    let ends = |rest: &str| rest.starts_with('-');
    if let Some(part) = part.strip_prefix('^') {
        return name.strip_prefix('-').and_then(|name| name.strip_prefix(part)).is_some_and(ends);
    }
    name.match_indices(part).any(|(at, _)| {
        name.get(..at).is_some_and(|head| head.ends_with('-'))
            && name.get(at + part.len()..).is_some_and(ends)
    })
}

/// The context that a name states, as `-32k` does.
fn written_size(name: &str) -> Option<usize> {
    if !SIZED.iter().any(|family| occurs(name, family)) {
        return None;
    }
    let thousands = |word: &str| word.strip_suffix('k')?.parse::<usize>().ok();
    let size = name.split('-').find_map(thousands).filter(|size| (4..=2_000).contains(size))?;
    // Powers of two are counted in 1024, round figures in 1000.
    Some(size * if size.is_power_of_two() { 1024 } else { 1000 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_stands_behind_one_that_hides_it() {
        for row in TABLE {
            let name = row.0.trim_start_matches('^').replace('*', "-x-");
            assert_eq!(plain(&name), format!("-{name}-"), "{} is in plain form", row.0);
            assert_eq!(row_of(&plain(&name)).map(|found| found.0), Some(row.0));
            assert!((1_000..=10_000_000).contains(&row.1), "{}", row.0);
        }
    }

    #[test]
    fn one_form_for_every_spelling() {
        for (name, form) in [
            ("Qwen/Qwen2.5-7B-Instruct", "-qwen-2-5-7b-instruct-"),
            ("qwen2.5:7b", "-qwen-2-5-7b-"),
            ("accounts/fireworks/models/llama-v3p1-8b", "-llama-v-3-1-8b-"),
            (r"C:\models\Phi-3-mini.gguf", "-phi-3-mini-"),
            ("deepseek/deepseek-r1:free", "-deepseek-r-1-free-"),
            ("/models/", "-"),
            ("", "-"),
            ("通义 千问", "-通义-千问-"),
        ] {
            assert_eq!(plain(name), form, "{name}");
        }
    }

    const KNOWN: &[(&str, Option<usize>, Option<bool>)] = &[
        ("qwen-plus", Some(129_024), NO),
        ("qwen-plus-latest", Some(129_024), NO),
        ("qwen-max", Some(30_720), NO),
        ("qwen-flash", Some(995_904), NO),
        ("qwen-vl-max", Some(30_720), YES),
        ("Qwen/Qwen3-8B", Some(32_768), NO),
        ("qwen3:8b", Some(32_768), NO),
        ("qwen3.8-27b", Some(258_048), UNSURE),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", Some(262_144), NO),
        ("qwen3-vl:8b", Some(258_048), YES),
        ("qwen3-coder-plus", Some(997_952), NO),
        ("qwen2.5:7b", Some(32_768), NO),
        ("Qwen2.5-14B-Instruct-1M", Some(1_000_000), NO),
        ("qwen/qwen-2.5-vl-72b-instruct:free", Some(32_768), YES),
        ("qwen2:0.5b", Some(32_768), NO),
        ("openai/gpt-4o-mini", Some(128_000), YES),
        ("gpt-4.1-mini", Some(1_047_576), YES),
        ("gpt-4", Some(8_192), NO),
        ("gpt-4-0613", Some(8_192), NO),
        ("gpt-4-32k", Some(32_768), NO),
        ("gpt-4-1106-preview", Some(128_000), NO),
        ("gpt-4-1106-vision-preview", Some(128_000), YES),
        ("gpt-3.5-turbo", Some(16_385), NO),
        ("gpt-5-mini", Some(272_000), YES),
        ("gpt-5.1-chat-latest", Some(128_000), YES),
        ("gpt-oss:20b", Some(131_072), NO),
        ("ft:gpt-4o-mini-2024-07-18:me::abc", Some(128_000), YES),
        ("o1-mini", Some(128_000), NO),
        ("o3", Some(200_000), YES),
        ("o4-mini", Some(200_000), YES),
        ("deepseek-chat", Some(128_000), NO),
        ("deepseek-reasoner", Some(128_000), NO),
        ("deepseek-ai/DeepSeek-V3.1", Some(128_000), NO),
        ("deepseek-r1:7b", Some(65_536), NO),
        ("DeepSeek-R1-Distill-Llama-70B", Some(32_768), NO),
        ("moonshot-v1-8k", Some(8_192), NO),
        ("moonshot-v1-128k", Some(131_072), NO),
        ("moonshot-v1-32k-vision-preview", Some(32_768), YES),
        ("kimi-latest", Some(131_072), YES),
        ("moonshotai/Kimi-K2-Instruct-0905", Some(262_144), NO),
        ("kimi-k2.5", Some(262_144), YES),
        ("glm-4-flash", Some(128_000), NO),
        ("glm-4v-plus", Some(8_000), YES),
        ("glm-4.5-air", Some(128_000), NO),
        ("glm-4.5v", Some(64_000), YES),
        ("glm-4-9b-chat-1m", Some(1_000_000), NO),
        ("llama3.1:8b", Some(131_072), NO),
        ("llama-3.3-70b-versatile", Some(131_072), NO),
        ("meta.llama3-2-11b-instruct-v1:0", Some(131_072), YES),
        ("llama3.2:3b", Some(131_072), NO),
        ("llama3.2-vision", Some(131_072), YES),
        ("llama3:8b", Some(8_192), NO),
        ("accounts/fireworks/models/llama-v3p1-8b-instruct", Some(131_072), NO),
        ("mixtral:8x22b", Some(65_536), NO),
        ("open-mixtral-8x7b", Some(32_768), NO),
        ("pixtral-12b-2409", Some(128_000), YES),
        ("mistral-small-latest", Some(128_000), YES),
        ("mistral-small3.1:24b", Some(128_000), YES),
        ("mistral:7b", Some(32_000), UNSURE),
        ("codestral-latest", Some(32_000), NO),
        ("models/gemini-2.5-flash", Some(1_048_576), YES),
        ("google/gemini-pro-1.5", Some(1_000_000), YES),
        ("gemma3:1b", Some(32_768), NO),
        ("gemma3:4b", Some(131_072), YES),
        ("gemma2:2b", Some(8_192), NO),
        ("anthropic/claude-3.5-sonnet", Some(200_000), YES),
        ("us.anthropic.claude-sonnet-4-20250514-v1:0", Some(200_000), YES),
        ("grok-3-mini", Some(131_072), NO),
        ("grok-4-0709", Some(256_000), YES),
        ("grok-2-vision-1212", Some(32_768), YES),
        ("command-r7b-12-2024", Some(128_000), NO),
        ("phi4", Some(16_384), NO),
        ("Phi-3-mini-128k-instruct", Some(131_072), NO),
        ("yi-34b-200k", Some(200_000), NO),
        ("doubao-1-5-pro-32k-250115", Some(32_768), NO),
        ("doubao-1.5-vision-pro-32k", Some(32_768), YES),
        ("doubao-seed-1-6-251015", Some(224_000), YES),
        ("hunyuan-turbos-latest", Some(28_000), UNSURE),
        ("ernie-4.5-turbo-128k", Some(131_072), UNSURE),
        ("MiniMax-M1-80k", Some(1_000_000), NO),
        ("step-1v-8k", Some(8_192), YES),
        ("step-1-256k", Some(262_144), NO),
        ("llava:13b", Some(4_096), YES),
        ("minicpm-v:8b", Some(32_768), YES),
        ("OpenGVLab/InternVL3-8B", Some(32_768), YES),
        ("somebody-vl-2b", None, YES),
        ("reiher-thinking-8b", None, UNSURE),
        ("my-model-32k", None, UNSURE),
        ("openrouter/auto", None, UNSURE),
        ("", None, UNSURE),
    ];

    #[test]
    fn names_tell_length_and_images() {
        for &(name, length, images) in KNOWN {
            assert_eq!((context_length(name), takes_images(name)), (length, images), "{name}");
        }
    }
}
