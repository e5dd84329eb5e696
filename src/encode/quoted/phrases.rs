//! The words by which an instruction is told: tables only, in small letters.

/// Beginnings of a sentence that speak in the name of a system.
#[rustfmt::skip]
pub(super) const HEADS: &[&str] = &[
    "system:", "system prompt:", "system message:", "<system", "[system", "<|im_start|>", "<|system",
    "[inst]", "<<sys>>", "### instruction", "## instruction", "# instruction", "### system",
    "new instructions", "系统:", "系统提示:", "系统指令:", "系统消息:", "新的指令", "新指令", "【系统",
];
/// Instructions wherever they stand.
#[rustfmt::skip]
pub(super) const ANYWHERE: &[&str] = &[
    "tell the user", "inform the user that", "user wants you to", "user expects you to",
    "user would like you to", "remember: ", "system prompt override", "用户希望你", "用户想要你",
    "用户要求你", "用户想让你", "用户需要你", "告诉用户",
];
/// Beginnings of a clause that instruct by themselves.
#[rustfmt::skip]
pub(super) const OPENINGS: &[&str] = &[
    "remember that", "remember to", "remember this", "remember the user", "remember user",
    "remember always", "keep in mind that", "make sure to", "make sure you", "make sure that", "be sure to",
    "act as", "act like", "behave as", "behave like", "pretend you", "pretend to", "pretend that",
    "roleplay as", "respond in", "respond with", "respond only", "respond as", "reply in", "reply with",
    "reply only", "answer only", "answer with", "answer in", "answer as", "your new task", "your new role",
    "your new job", "your new name", "your new goal", "your new identity", "your new persona",
    "your only task", "you are a helpful", "you are an assistant", "you are an ai", "you will now",
    "reveal your", "print your",
    "output only", "no matter what the user",
];

/// Words before an instruction.
#[rustfmt::skip]
pub(super) const LEADS: &[&str] = &[
    "please", "now", "and", "then", "also", "but", "so", "hey", "hi", "hello", "dear", "assistant", "ai",
    "chatgpt", "claude", "gpt", "important", "note", "just", "kindly", "first", "next", "finally",
    "instead", "ok", "okay", "attention", "warning",
];
/// It is to hold from now on.
#[rustfmt::skip]
pub(super) const LASTING: &[&[&str]] = &[
    &["from", "now", "on"], &["from", "this", "point", "on"], &["from", "here", "on"],
    &["going", "forward"], &["henceforth"], &["in", "the", "future"], &["in", "future"],
    &["in", "future", "replies"], &["in", "all", "future", "replies"], &["for", "all", "future", "replies"],
    &["in", "every", "reply"],
];
#[rustfmt::skip]
pub(super) const MODALS: &[&[&str]] = &[
    &["must"], &["should"], &["shall"], &["will"], &["have", "to"], &["has", "to"], &["need", "to"],
    &["needs", "to"], &["are", "to"], &["are", "required", "to"], &["can", "only"], &["may", "only"],
    &["cannot"], &["can't"], &["mustn't"], &["shouldn't"], &["may", "not"],
];
pub(super) const ADVERBS: &[&str] =
    &["always", "never", "not", "only", "now", "also", "immediately", "ever", "just", "first", "instead"];
/// What an assistant can be told to do.
#[rustfmt::skip]
pub(super) const ACTS: &[&str] = &[
    "recommend", "say", "answer", "respond", "reply", "use", "call", "mention", "include", "add",
    "write", "tell",
    "suggest", "end", "start", "begin", "choose", "prefer", "output", "print", "obey", "follow", "ignore",
    "disregard", "forget", "send", "forward", "email", "delete", "remove", "reveal", "share",
    "disclose", "store",
    "save", "remember", "record", "treat", "address", "refer", "translate", "speak", "act",
    "pretend", "behave",
    "promote", "praise", "rate", "click", "visit", "open", "run", "execute", "refuse", "decline",
    "avoid", "stop",
    "trust", "provide", "ask", "insert", "append", "format", "transfer", "approve", "inform",
    "warn", "let", "show",
    "talk", "repeat", "confirm", "quote", "cite", "assume", "comply", "agree", "give",
];
/// What `you are now` may be followed by.
#[rustfmt::skip]
pub(super) const ROLES: &[&str] = &[
    "a", "an", "my", "dan", "called", "named", "free", "no", "unrestricted", "acting", "jailbroken",
    "developer",
];
/// Names of the assistant.
#[rustfmt::skip]
pub(super) const AGENTS: &[&str] = &[
    "assistant", "assistants", "model", "models", "ai", "bot", "chatbot", "agent", "agents", "llm", "llms",
    "chatgpt",
];

/// Verbs that set rules aside, the rules, and what tells them from anybody's rules.
pub(super) const DROPS: &[&str] = &["ignore", "disregard", "override", "bypass", "forget", "discard"];
#[rustfmt::skip]
pub(super) const RULES: &[&str] = &[
    "instruction", "instructions", "prompt", "prompts", "rule", "rules", "guideline", "guidelines",
    "directions",
    "directives", "restrictions", "constraints", "above", "policies", "everything", "programming",
    "safeguards",
];
#[rustfmt::skip]
pub(super) const QUALIFIERS: &[&str] = &[
    "previous", "prior", "above", "earlier", "all", "any", "your", "system", "preceding", "these", "those",
    "other",
];
pub(super) const SPEAKERS: &[&str] = &["i", "we", "he", "she", "they", "i'll", "i'd", "people"];

/// Verbs that send something somewhere, wipe something stored, or store something.
pub(super) const SENDS: &[&str] = &["send", "forward", "email", "transfer", "upload", "wire"];
pub(super) const WIPES: &[&str] = &["delete", "erase", "remove", "wipe", "clear"];
pub(super) const STORED: &[&str] =
    &["memory", "memories", "history", "files", "data", "conversation", "notes"];
pub(super) const MEMORY: &[&str] = &["memory", "memories"];

#[rustfmt::skip]
pub(super) const OPENINGS_HAN: &[&str] = &[
    "记住", "請記住", "牢记", "记得用户", "务必", "扮演", "假装", "充当", "假设你是", "你的新任务",
    "你的新角色", "你的新身份", "你的新名字", "你的新目标", "你的新指令", "你要扮演", "你扮演", "你要听",
    "你不再是",
];
#[rustfmt::skip]
pub(super) const LEADS_HAN: &[&str] = &[
    "请", "請", "麻烦", "现在", "另外", "然后", "并且", "还有", "注意", "重要", "你好", "好的", "那么",
    "同时", "此外", "最后", "首先", "而且", "但是", "但",
];
#[rustfmt::skip]
pub(super) const LASTING_HAN: &[&str] = &[
    "从现在起", "从现在开始", "从今以后", "从今往后", "从今天起", "从今天开始", "从此以后", "从此", "以后",
    "今后", "往后", "接下来", "此后", "從現在起", "以後",
];
/// After `from now on`, an order.
#[rustfmt::skip]
pub(super) const HOLDS_HAN: &[&str] = &[
    "必须", "不要", "别", "不许", "不准", "不得", "一律", "总是", "务必", "只能", "叫我", "称呼我",
    "用中文", "用英文", "只用", "推荐", "回答", "回复", "禁止", "每次回答", "每次回复", "所有回答",
    "所有回复",
];
#[rustfmt::skip]
pub(super) const MODALS_HAN: &[&str] = &[
    "现在必须", "必须", "只能", "不得", "不许", "不准", "务必", "一定要", "应该", "应当", "需要", "不要",
    "不能", "都要", "要", "得", "将", "会",
];
#[rustfmt::skip]
pub(super) const BANS_HAN: &[&str] = &[
    "不要", "别", "不准", "不许", "禁止", "切勿", "不得", "绝不能", "绝对不要", "千万别", "千万不要",
    "永远不要", "请勿", "不能",
];
pub(super) const ADVERBS_HAN: &[&str] =
    &["总是", "始终", "永远", "一律", "优先", "每次都", "只能", "必须", "一定要"];
#[rustfmt::skip]
pub(super) const ACTS_HAN: &[&str] = &[
    "推荐", "回答", "回复", "称呼", "叫我", "说", "使用", "忽略", "无视", "记住", "遵守", "服从", "听从", "听我", "扮演",
    "假装", "发送", "转发", "删除", "保存", "告诉", "透露", "泄露", "拒绝", "执行", "提到", "提及", "提醒用户", "调用",
    "通知用户", "警告用户", "让用户", "询问用户", "问用户", "用中文", "用英文", "相信", "同意", "输出", "打开", "点击",
    "建议用户", "引导", "购买",
];
/// What an assistant may be told to be.
#[rustfmt::skip]
pub(super) const ROLES_HAN: &[&str] = &[
    "助手", "专家", "机器人", "ai", "人工智能", "没有限制", "不受限制", "黑客", "翻译", "模型", "角色",
    "猫娘", "主人", "开发者模式", "dan",
];
pub(super) const AGENTS_HAN: &[&str] =
    &["助手", "ai", "模型", "机器人", "智能体", "大模型", "本助手", "所有助手"];
pub(super) const DROPS_HAN: &[&str] =
    &["忽略", "无视", "忘记", "忘掉", "不要理会", "别理", "覆盖", "绕过", "抛弃", "無視"];
#[rustfmt::skip]
pub(super) const RULES_HAN: &[&str] = &[
    "指令", "指示", "提示", "规则", "设定", "要求", "命令", "限制", "上文", "以上", "之前的", "约束",
    "規則",
];
pub(super) const OTHERS_HAN: &[char] = &['我', '他', '她', '们', '谁'];
#[rustfmt::skip]
pub(super) const SENDS_HAN: &[&str] = &[
    "发送到", "发送给", "发给", "发到", "转发给", "转发到", "上传到", "转给", "转账给", "寄给", "写入记忆",
    "存入记忆", "存到记忆", "加入记忆", "记入记忆", "删除", "删掉", "發送到",
];
