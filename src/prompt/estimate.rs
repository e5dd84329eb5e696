//! A local estimate of how many tokens a text takes, per script.
//!
//! The text is cut into runs the way byte-pair tokenizers cut it before they merge: a word with the one
//! space or mark before it, each digit, a row of marks, a row of spaces. Each run then has a price by its
//! script and its length. The prices are means, measured against the Qwen2.5 tokenizer (151,936 entries)
//! on prose, chat, code, JSON, Markdown, addresses, tables and translations, and kept a little high:
//! a prompt that is held to be too long is cut early, one that is held to be too short is refused.
//!
//! Other tokenizers differ: OpenAI's take three digits at a time, the newer one half as much for Greek and
//! Hindi, the older one three quarters more for Chinese. What a provider reports is learned by
//! [`Correction`]. No vocabulary is kept here, since megabytes of it would be right for one model only.
//! No price depends on text further off than the neighbouring runs, so that
//! `tokens(a + b) <= tokens(a) + tokens(b) + 1`, but for a few tokens where a word in mixed case is cut.

/// Hundredths of a token; all prices here are counted in it.
type Cents = usize;

/// One token.
const TOKEN: Cents = 100;

/// What is charged for a token, so that the estimate is rather over than under.
const WITH_MARGIN: Cents = 103;

/// How many tokens `text` takes, to the nearest; 0 only for an empty text.
pub fn tokens(text: &str) -> usize {
    let mut total: Cents = 0;
    let mut before = Before::Edge;
    let mut run = Run::default();
    for character in text.chars() {
        let script = Script::of(character);
        if script != run.script && run.length > 0 {
            total += run.price(before, Some(script));
            before = run.as_before(before);
            run = Run::default();
        }
        run.push(script, character);
    }
    if run.length > 0 {
        total += run.price(before, None);
    }
    let total = (total * WITH_MARGIN + TOKEN * TOKEN / 2) / (TOKEN * TOKEN);
    total.max(usize::from(!text.is_empty()))
}

/// By how much a provider's count of prompt tokens differs from the estimate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Correction {
    /// Reported over estimated; `None` until the first report.
    factor: Option<f64>,
}

impl Correction {
    /// Estimates below this many tokens say little: what wraps a message weighs more than its text.
    const LEAST: usize = 50;
    /// How much the first report counts against the start of 1.0.
    const FIRST: f64 = 0.8;
    /// How much each later report counts against what is known.
    const LATER: f64 = 0.3;
    /// Factors beyond these are a mistake of a provider, not a tokenizer.
    const RANGE: (f64, f64) = (0.4, 3.0);

    /// `estimate` as the provider would count it, rounded up.
    pub fn apply(self, estimate: usize) -> usize {
        (estimate as f64 * self.factor.unwrap_or(1.0)).ceil() as usize
    }

    /// Takes in that a prompt of `estimated` tokens was reported to have `reported`.
    pub fn learn(&mut self, estimated: usize, reported: usize) {
        if estimated < Self::LEAST || reported == 0 {
            return;
        }
        let (least, most) = Self::RANGE;
        let seen = (reported as f64 / estimated as f64).clamp(least, most);
        let (known, weight) = match self.factor {
            None => (1.0, Self::FIRST),
            Some(factor) => (factor, Self::LATER),
        };
        self.factor = Some(known + weight * (seen - known));
    }
}

/// What characters are priced alike, and make one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Script {
    #[default]
    Space,
    Digit,
    Latin,
    Cyrillic,
    Arabic,
    Hebrew,
    Hangul,
    Han,
    Hiragana,
    Katakana,
    Thai,
    /// Greek, Georgian, Indic and all others, which have about an entry a letter.
    Spelled,
    Mark,
    /// Marks outside ASCII.
    WideMark,
    Emoji,
}

impl Script {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' | 'A'..='Z' => return Self::Latin,
            '0'..='9' => return Self::Digit,
            '\0'..='\x7f' if character.is_whitespace() => return Self::Space,
            '\0'..='\x7f' => return Self::Mark,
            _ => {}
        }
        match u32::from(character) {
            0x00AA | 0x00BA | 0x00C0..=0x00D6 | 0x00D8..=0x00F6 | 0x00F8..=0x024F | 0x1E00..=0x1EFF => {
                Self::Latin
            }
            0x0400..=0x052F => Self::Cyrillic,
            0x0590..=0x05FF => Self::Hebrew,
            0x0620..=0x065F | 0x066E..=0x06D3 => Self::Arabic,
            0x0E00..=0x0E7F => Self::Thai,
            0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF => Self::Hangul,
            0x3040..=0x309F => Self::Hiragana,
            0x30A0..=0x30FF | 0xFF66..=0xFF9F => Self::Katakana,
            0x3005..=0x3007 | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => Self::Han,
            0x200D | 0x2600..=0x27BF | 0x2B00..=0x2BFF | 0xFE00..=0xFE0F | 0x1F000..=0x1FFFF => Self::Emoji,
            0x3000 => Self::WideMark,
            _ if character.is_whitespace() => Self::Space,
            _ if character.is_alphanumeric() => Self::Spelled,
            0x0900..=0x109F | 0x1780..=0x17FF => Self::Spelled,
            _ => Self::WideMark,
        }
    }

    /// Whether the space before it is part of the same token.
    fn joins_space(self) -> bool {
        !matches!(self, Self::Digit | Self::Han | Self::Hiragana | Self::Katakana | Self::Thai | Self::Space)
    }
}

/// What stands before a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The start of the text or of a line.
    Edge,
    Space,
    Digit,
    Marks,
    /// A single mark, which makes one token with the word.
    Glue(char),
    Word(Script),
}

/// Characters of one script in a row.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    script: Script,
    /// In characters.
    length: usize,
    first: char,
    last: char,
    /// What the closed parts of a Latin word cost: `get` and `User` in `getUserName`.
    parts: Cents,
    /// Capitals and small letters of its open part.
    capitals: usize,
    small: usize,
    /// Characters unlike the one before, the first not counted.
    changes: usize,
    has_line_end: bool,
    /// Spaces after the last line end.
    indent: usize,
    /// What single characters cost beyond the price of the run.
    extra: Cents,
}

impl Run {
    fn push(&mut self, script: Script, character: char) {
        let is_repeated = self.length > 0 && self.last == character;
        if self.length == 0 {
            self.script = script;
            self.first = character;
        } else {
            self.changes += usize::from(!is_repeated);
        }
        if script == Script::Latin {
            let is_capital = character.is_uppercase();
            if is_capital && self.small > 0 {
                self.parts += part(self.capitals, self.small);
                (self.capitals, self.small) = (0, 0);
            }
            // `AAAA` takes fewer tokens than `ABCD`.
            self.capitals += usize::from(is_capital && !is_repeated);
            self.small += usize::from(!is_capital);
        }
        if matches!(character, '\n' | '\r') {
            self.has_line_end = true;
            self.indent = 0;
        } else {
            self.indent += 1;
        }
        self.extra += extra(script, character, is_repeated);
        self.length += 1;
        self.last = character;
    }

    /// What the run is to the one after it, when `before` stood before it.
    fn as_before(&self, before: Before) -> Before {
        match self.script {
            Script::Space if self.indent > 0 => Before::Space,
            Script::Space => Before::Edge,
            Script::Digit => Before::Digit,
            Script::Mark if self.length == 1 && before != Before::Space => Before::Glue(self.first),
            Script::Mark | Script::WideMark | Script::Emoji => Before::Marks,
            script => Before::Word(script),
        }
    }

    /// What the run costs between `before` and a run of `next`.
    fn price(&self, before: Before, next: Option<Script>) -> Cents {
        let length = self.length;
        let spaced = before == Before::Space;
        let base = match self.script {
            Script::Space => self.space(before, next),
            Script::Digit => TOKEN * length,
            Script::Latin => self.latin(before),
            Script::Cyrillic if spaced => (35 + 29 * length).max(TOKEN),
            Script::Cyrillic => (85 + 29 * length).max(TOKEN),
            Script::Arabic | Script::Hebrew => (20 + 43 * length).max(TOKEN),
            Script::Hangul => 50 + 72 * length,
            Script::Han | Script::Hiragana | Script::Katakana => {
                let continued =
                    matches!(before, Before::Word(Script::Han | Script::Hiragana | Script::Katakana));
                let each = match self.script {
                    Script::Han => 66,
                    Script::Hiragana => 62,
                    _ => 72,
                };
                each * length + if continued { 0 } else { 35 }
            }
            Script::Thai => 50 + 55 * length,
            Script::Spelled => 60 + TOKEN * length,
            // One mark before a Latin word makes one token with it.
            Script::Mark if length == 1 && !spaced && next == Some(Script::Latin) => 0,
            Script::Mark => TOKEN + 35 * self.changes.saturating_sub(1) + 6 * (length - 1 - self.changes),
            Script::WideMark => 20,
            Script::Emoji if spaced => 110,
            Script::Emoji => 20,
        };
        base + self.extra
    }

    /// Spaces, tabs and line ends. The last one before a word or a mark is part of that.
    fn space(&self, before: Before, next: Option<Script>) -> Cents {
        let after_mark = matches!(before, Before::Marks | Before::Glue(_));
        let line_end = TOKEN * usize::from(self.has_line_end && !after_mark);
        let joined = usize::from(next.is_some_and(Script::joins_space));
        let indent = match self.indent.saturating_sub(joined) {
            0 => 0,
            1 => TOKEN,
            _ => TOKEN * (2 - joined),
        };
        line_end + indent
    }

    /// A word of Latin letters, or what looks like one in code, addresses and encoded bytes.
    fn latin(&self, before: Before) -> Cents {
        let length = self.length;
        if self.parts > 0 || (self.capitals > 1 && self.small > 0) {
            return self.parts + part(self.capitals, self.small);
        }
        if self.small == 0 {
            return stepped(self.capitals, &CAPITALS, 34);
        }
        // A name is less common than another word of its length.
        let capital = if self.capitals > 0 && length > 5 { 15 } else { 0 };
        capital
            + match before {
                // Mostly hashes and keys; no more than a word when it is as long as one.
                Before::Digit => stepped(length.min(8), &KEY, 60).max(stepped(length, &GLUED, 25)),
                Before::Space => stepped(length, &SPACED, 30),
                Before::Glue('.' | '_' | '(' | '#') | Before::Edge | Before::Marks | Before::Word(_) => {
                    stepped(length, &BARE, 28)
                }
                Before::Glue(_) => stepped(length, &GLUED, 25),
            }
    }
}

/// Prices of a word by its length in letters, from 1: after a space.
const SPACED: [Cents; 13] = [100, 100, 101, 103, 105, 108, 112, 120, 130, 145, 165, 190, 215];
/// At the start of a line, after several marks, or after a mark that code has before names.
const BARE: [Cents; 11] = [100, 101, 105, 110, 114, 124, 130, 145, 165, 190, 215];
/// After any other mark.
const GLUED: [Cents; 10] = [100, 112, 126, 146, 162, 170, 205, 222, 235, 260];

/// A word of capitals, by how many there are.
const CAPITALS: [Cents; 7] = [100, 100, 122, 132, 168, 182, 202];
/// After a digit.
const KEY: [Cents; 5] = [100, 115, 165, 225, 280];

/// The price of a part of a word in mixed case: `User` in `getUserName`, `oXA` in base64.
///
/// A capital and three small letters or more are likely a word, fewer are likely none, and so are
/// several capitals before small letters.
fn part(capitals: usize, small: usize) -> Cents {
    match (capitals, small) {
        (0, _) => stepped(small, &[115, 130], 6),
        (1, _) => stepped(small + 1, &[115, 170, 200, 145, 130], 6),
        _ => stepped(capitals, &[115, 155, 235, 310, 360], 40) + 25 * small.min(4) + 60 * small.min(1),
    }
}

/// The price in `table` of a run of `length`, and `more` for each character that it has too few for.
fn stepped(length: usize, table: &[Cents], more: Cents) -> Cents {
    let within = length.clamp(1, table.len());
    let price = table.get(within - 1).copied().unwrap_or(TOKEN);
    price + more * (length - within)
}

/// What `character` adds to the price of its run.
///
/// A letter that English does not have tells that the words around it are not English either, and cost
/// more than their length shows; it pays for these. So do the letters that Russian does not have.
fn extra(script: Script, character: char, is_repeated: bool) -> Cents {
    match (script, u32::from(character)) {
        (Script::Latin, 0x41..=0x5A) if is_repeated => 12,
        (Script::Latin, 0..0x80) => 0,
        (Script::Latin, 0x1E00..) => 0,
        (Script::Latin, _) => match character {
            'ä' | 'ö' | 'ü' | 'ß' | 'Ä' | 'Ö' | 'Ü' => 450,
            'ı' | 'ş' | 'ğ' | 'ç' => 90,
            'ư' | 'ơ' | 'đ' | 'ă' | 'â' | 'ê' | 'ô' | 'à' => 15,
            'ą' | 'ć' | 'ę' | 'ł' | 'ń' | 'ś' | 'ź' | 'ż' | 'č' | 'ř' | 'š' | 'ž' | 'ě' | 'ů' => {
                290
            }
            _ => 190,
        },
        (Script::Cyrillic, _) if matches!(character, 'і' | 'ї' | 'є' | 'ґ' | 'І' | 'Ї' | 'Є' | 'ў') => {
            310
        }
        (Script::Cyrillic, 0x0452..) => 150,
        (Script::Han, 0x3400..0x4E00 | 0x20000..) => 230,
        (Script::WideMark, _) if is_repeated => 30,
        (Script::WideMark, _) => 82,
        (Script::Emoji, _) if is_repeated => 120,
        (Script::Emoji, 0x200D | 0xFE00..=0xFE0F) => 120,
        (Script::Emoji, 0x2600..0x1F600 | 0x1F650..) => 150,
        (Script::Emoji, _) => 130,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Class, count by the Qwen2.5 tokenizer, text.
    #[rustfmt::skip]
    const SAMPLES: &[(&str, usize, &str)] = &[
        ("English", 65, "I moved to a smaller flat last spring, mostly because the rent had gone up twice \
            in a year. The kitchen is tiny, but there's a window over the sink and I can see \
            the river from it. On Sundays my neighbour brings bread that she bakes herself, \
            and we talk about whatever happened during the week."),
        ("Chinese", 68, "去年春天我搬到了一间小一点的公寓，主要是因为房租一年里涨了两次。厨房很小，不过水槽上面有一扇窗\
            户，可以看到河。每到周日，邻居会送来她自己烤的面包，我们就聊聊这一周发生的事情。她说下个月想去\
            成都看女儿，问我要不要一起去。"),
        ("mixed", 65, "我在用 Rust 写一个终端聊天客户端，streaming 的部分已经跑通了，但是 context window \
            满了以后会报 400 错误。你能帮我看看 token 的估算逻辑吗？我觉得 system prompt 太长，retry \
            之前应该先裁掉旧的 tool result。"),
        ("Rust", 79, "pub fn load(path: &Path) -> Result<Vec<Entry>, StoreError> {\n    let text = fs::read_to_strin\
            g(path).map_err(StoreError::Read)?;\n    text.lines()\n        .filter(|line| !line.trim().is_\
            empty())\n        .map(|line| serde_json::from_str(line).map_err(StoreError::Parse))\n        \
            .collect()\n}\n"),
        ("Python", 54, "def merge(left, right):\n    result = []\n    while left and right:\n        if \
            left[0] <= right[0]:\n            result.append(left.pop(0))\n        else:\n            \
            result.append(right.pop(0))\n    return result + left + right\n"),
        ("JSON", 105, "{\"id\": \"call_81\", \"type\": \"function\", \"function\": {\"name\": \"get_weather\", \
            \"arguments\": {\"city\": \"Lisbon\", \"unit\": \"celsius\", \"days\": 3}}, \"created_at\": \
            \"2024-05-17T09:30:00Z\", \"tags\": [\"travel\", \"plan\"], \"score\": 0.8125, \"done\": \
            false, \"parent\": null}"),
        ("Markdown", 80, "## Install\n\n1. Download the archive from the **releases** page.\n2. Run `make \
            install` (it asks for *root*).\n\n- [x] works offline\n- [ ] Windows, see [#42](https://exampl\
            e.com/issues/42)\n\n| key | meaning |\n| --- | --- |\n| `q` | quit |\n| `/` | search \
            |\n"),
        ("URLs", 71, "https://docs.example.org/en/latest/guide/getting-started.html#first-steps\nhttps://github.com/\
            someone/project/blob/main/src/lib.rs\nhttps://shop.example.com/items?id=48213&ref=newsletter&u\
            tm_source=mail\nhttp://localhost:8080/v1/chat/completions\n"),
        ("numbers", 144, "date,open,close,volume\n2024-01-02,187.15,185.64,82488700\n2024-01-03,184.22,184.25,58414500\n\
            2024-01-04,182.15,181.91,71983600\n2024-01-05,181.99,181.18,62303300\n"),
        ("emoji", 48, "🎉🎉 happy birthday!! 🥳 so glad you made it 😂❤️ see you tonight 🍕🍻 bring the \
            dog 🐶 and don't be late ⏰ 好的👌 没问题😊"),
        ("Japanese", 70, "去年の春、家賃が一年に二回も上がったので、少し小さいアパートに引っ越しました。キッチンは狭いで\
            すが、流しの上に窓があって川が見えます。日曜日には隣の人が自分で焼いたパンを持ってきてくれて、\
            一週間の出来事を話します。"),
        ("Korean", 79, "작년 봄에 집세가 일 년에 두 번이나 올라서 조금 더 작은 아파트로 이사했습니다. 부엌은 \
            좁지만 싱크대 위에 창문이 있어서 강이 보입니다. 일요일마다 이웃이 직접 구운 빵을 \
            가져와서 한 주 동안 있었던 일을 이야기합니다."),
        ("Russian", 83, "Прошлой весной я переехал в квартиру поменьше, в основном потому, что аренда за \
            год выросла два раза. Кухня маленькая, но над раковиной есть окно, и из него видно \
            реку. По воскресеньям соседка приносит хлеб, который печёт сама."),
        ("German", 74, "Letztes Frühjahr bin ich in eine kleinere Wohnung gezogen, vor allem weil die Miete \
            in einem Jahr zweimal gestiegen war. Die Küche ist winzig, aber über der Spüle ist \
            ein Fenster, und ich kann den Fluss sehen. Sonntags bringt meine Nachbarin selbst \
            gebackenes Brot."),
        ("Arabic", 69, "انتقلت في الربيع الماضي إلى شقة أصغر لأن الإيجار ارتفع مرتين في سنة واحدة. المطبخ \
            صغير جدا، لكن فوق المغسلة نافذة أرى منها النهر. في يوم الأحد تحضر جارتي الخبز الذي \
            تخبزه بنفسها."),
        ("base64", 69, "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y\
            4OHwAAAABJRU5ErkJggg=="),
        ("hex", 121, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n3fdba35f04dc8c462986c992bcf8\
            75546257113072a909c162f7e470e581e278\n"),
    ];

    #[test]
    fn close_to_a_real_tokenizer_and_rather_over() {
        for (class, counted, text) in SAMPLES {
            let ratio = tokens(text) as f64 / *counted as f64;
            assert!((0.92..=1.22).contains(&ratio), "{class}: {} for {counted}, {ratio:.2}", tokens(text));
        }
        let all: usize = SAMPLES.iter().map(|(_, counted, _)| counted).sum();
        let estimated: usize = SAMPLES.iter().map(|(_, _, text)| tokens(text)).sum();
        let ratio = estimated as f64 / all as f64;
        assert!((1.0..=1.1).contains(&ratio), "{ratio:.3}");
    }

    #[test]
    fn only_an_empty_text_takes_nothing() {
        assert_eq!(tokens(""), 0);
        for text in ["a", " ", "\n", "\u{200D}", ".", "的", "1", "\0", "é", "𠮷", "\u{10FFFF}"] {
            assert!(tokens(text) > 0, "{text:?}");
        }
    }

    #[test]
    fn small_texts_by_hand() {
        let cases = [
            ("hello", 1),
            ("hello world", 2),
            ("12345", 5),
            ("    return", 2),
            ("\n\n\n", 1),
            ("foo.bar", 2),
            ("==========", 2),
            ("你好", 2),
            ("привет мир", 4),
        ];
        for (text, expected) in cases {
            assert_eq!(tokens(text), expected, "{text:?}");
        }
    }

    /// What is cut into pieces and counted piece by piece is not thought to fit when it does not.
    #[test]
    fn the_whole_is_about_its_parts() {
        for (class, _, text) in SAMPLES {
            let whole = tokens(text);
            for (index, character) in text.char_indices() {
                let (head, tail) = text.split_at(index);
                let (head, tail) = (tokens(head), tokens(tail));
                let seam = if character.is_whitespace() { 1 } else { 4 };
                assert!(whole <= head + tail + seam, "{class} at {index}: {whole} > {head} + {tail}");
                assert!(whole + 2 >= head.max(tail), "{class} at {index}: {whole} < {head} or {tail}");
            }
        }
    }

    #[test]
    fn a_long_row_of_anything_is_no_trouble() {
        for (unit, most) in [("a", 40_000), ("A", 40_000), (" ", 2), ("\n", 1), ("-", 10_000), ("的", 80_000)]
        {
            let estimate = tokens(&unit.repeat(100_000));
            assert!((1..=most).contains(&estimate), "{unit:?}: {estimate}");
        }
    }

    #[test]
    fn a_correction_starts_as_none() {
        let correction = Correction::default();
        for estimate in [0, 1, 49, 50, 100_000] {
            assert_eq!(correction.apply(estimate), estimate);
        }
    }

    #[test]
    fn the_first_report_counts_most_and_later_ones_settle() {
        let mut correction = Correction::default();
        correction.learn(1_000, 1_500);
        assert_eq!(correction.apply(1_000), 1_400);
        correction.learn(1_000, 1_400);
        assert_eq!(correction.apply(1_000), 1_400);
        // One odd report moves it by less than a third.
        correction.learn(1_000, 2_400);
        assert_eq!(correction.apply(1_000), 1_700);
    }

    #[test]
    fn reports_that_say_nothing_are_passed_over() {
        let mut correction = Correction::default();
        correction.learn(49, 500);
        correction.learn(1_000, 0);
        correction.learn(0, 0);
        assert_eq!(correction, Correction::default());
    }

    #[test]
    fn any_true_factor_is_found_and_none_leads_astray() {
        for percent in [1, 40, 60, 100, 137, 250, 300, 100_000] {
            let mut correction = Correction::default();
            let mut last_distance = f64::INFINITY;
            let goal = (percent as f64 / 100.0).clamp(0.4, 3.0);
            for round in 0..20 {
                let estimated = 50 + 731 * round;
                correction.learn(estimated, (estimated * percent).div_ceil(100));
                let factor = correction.apply(1_000_000) as f64 / 1_000_000.0;
                assert!((0.4..=3.0).contains(&factor), "{percent}: {factor}");
                let distance = (factor - goal).abs();
                assert!(distance <= last_distance + 0.01, "{percent}: {distance} after {last_distance}");
                last_distance = distance;
            }
            assert!(last_distance < 0.02, "{percent}: off by {last_distance}");
        }
    }
}
