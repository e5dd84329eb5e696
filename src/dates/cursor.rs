//! A place in a folded text, and the few ways to move it that both languages need.
//!
//! Folding is one character to one character (full width to ASCII, capitals to small letters,
//! traditional characters to simplified ones), so a place in the folded text is a place in the original.
//! Every move is bounded by the length of a word or of a number, which keeps the search linear.

use super::table::Table;
use std::ops::Range;

/// Traditional characters of the vocabulary, each before its simplified form.
const TRADITIONAL: &str = "週周後后個个兩两號号點点幾几數数這这禮礼節节鐘钟鍾钟時时間间農农曆历歷历陰阴\
    臘腊聖圣誕诞國国慶庆勞劳動动兒儿婦妇親亲師师軍军樹树萬万雙双復复陽阳愛爱來来過过長长裡里裏里\
    樓楼線线電电館馆廳厅門门車车間间機机選选櫃柜圍围邊边亮亮餅饼氣气際际從从舊旧歲岁還还開开";

/// Characters that, before a digit, make it part of something that is not a date.
const GLUE: &str = ".-/:$#+_€£¥%第几数";
/// Characters that, before a Chinese numeral, make it part of a longer number or of an ordinal.
const PREFIXES: &str = "几数多第点零〇一二两三四五六七八九十百千万廿";
/// The most blanks between two words of one phrase.
const BLANKS: usize = 3;

/// A text made comparable, and where each of its characters stands in the original.
pub(super) struct Folded {
    chars: Vec<char>,
    offsets: Vec<usize>,
}

impl Folded {
    pub(super) fn new(text: &str) -> Self {
        let chars = text.chars().map(fold).collect();
        let offsets = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        Self { chars, offsets }
    }

    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor { text: &self.chars, at: 0 }
    }

    /// The bytes of the original between two places.
    pub(super) fn bytes(&self, from: usize, to: usize) -> Range<usize> {
        let offset = |at: usize| self.offsets.get(at).or(self.offsets.last()).copied().unwrap_or_default();
        offset(from)..offset(to)
    }
}

fn fold(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '’' | '‘' => '\'',
        '！'..='～' => char::from_u32(u32::from(c) - 0xFEE0).map_or(c, |c| c.to_ascii_lowercase()),
        '\u{4E00}'.. => {
            let mut pairs = TRADITIONAL.chars();
            while let (Some(old), Some(new)) = (pairs.next(), pairs.next()) {
                if old == c {
                    return new;
                }
            }
            c
        }
        _ => c.to_ascii_lowercase(),
    }
}

/// The value of a Chinese digit.
fn digit(c: char) -> Option<i64> {
    Some(match c {
        '零' | '〇' => 0,
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    })
}

/// A place in a folded text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a [char],
    pub(super) at: usize,
}

impl Cursor<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// The next character that is not blank, if it is near.
    pub(super) fn next(&self) -> Option<char> {
        self.text.get(self.past_blanks(self.at)).copied()
    }

    pub(super) fn before(&self) -> Option<char> {
        self.text.get(self.at.checked_sub(1)?).copied()
    }

    /// Whether a number and a blank are before this place.
    pub(super) fn after_number(&self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.text.get(at));
        before(1).is_some_and(|c| c.is_whitespace()) && before(2).is_some_and(char::is_ascii_digit)
    }

    /// Whether a phrase can begin here: not inside a word, a number, a version or an amount.
    pub(super) fn fresh(&self) -> bool {
        let (Some(here), before) = (self.peek(), self.before().unwrap_or(' ')) else {
            return false;
        };
        let latin = before.is_alphanumeric() && before < '\u{2E80}';
        if here.is_ascii_digit() {
            let grouped =
                before == ',' && self.at > 1 && self.text.get(self.at - 2).is_some_and(char::is_ascii_digit);
            !(latin || grouped || GLUE.contains(before))
        } else if here.is_alphanumeric() && here < '\u{2E80}' {
            !(latin || before == '_')
        } else if numeral(here) {
            !(before.is_ascii_digit() || PREFIXES.contains(before))
        } else {
            !here.is_whitespace()
        }
    }

    /// Runs `read`, and stays here when it reads nothing.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let here = self.at;
        let value = read(self);
        if value.is_none() {
            self.at = here;
        }
        value
    }

    /// The place of the next character that is not blank, if it is near.
    fn past_blanks(&self, from: usize) -> usize {
        (from..from + BLANKS)
            .find(|at| !self.text.get(*at).is_some_and(|c| c.is_whitespace()))
            .unwrap_or(from + BLANKS)
    }

    /// Skips the blanks before the next word.
    pub(super) fn skip_blanks(&mut self) {
        self.at = self.past_blanks(self.at);
    }

    /// The place after `word`, if it is at `from`: a blank of it is any blanks, an apostrophe may be absent.
    fn after(&self, from: usize, word: &str) -> Option<usize> {
        let mut at = from;
        for c in word.chars() {
            let here = self.text.get(at).copied();
            match c {
                ' ' => {
                    let next = self.past_blanks(at);
                    at = (next > at).then_some(next)?;
                }
                '\'' if here != Some('\'') => {}
                _ => at = (here == Some(c)).then_some(at + 1)?,
            }
        }
        let letter = |c: Option<&char>| c.is_some_and(char::is_ascii_alphanumeric);
        let cut = letter(self.text.get(at)) && letter(at.checked_sub(1).and_then(|last| self.text.get(last)));
        (!cut).then_some(at)
    }

    /// Moves past the longest of these words, which bars separate, if one comes next.
    pub(super) fn take(&mut self, words: &str) -> bool {
        let from = self.past_blanks(self.at);
        let end = words.split('|').filter_map(|word| self.after(from, word)).max();
        end.map(|end| self.at = end).is_some()
    }

    /// Moves past the longest word of `table` that comes next, for its meaning and its place.
    fn find<T: Copy>(&mut self, table: &Table<T>) -> Option<(T, usize)> {
        let from = self.past_blanks(self.at);
        let likely = table.starting(*self.text.get(from)?).iter();
        let found =
            likely.filter_map(|(word, meaning, place)| Some((self.after(from, word)?, *meaning, *place)));
        let (end, meaning, place) = found.max_by_key(|(end, ..)| *end)?;
        self.at = end;
        Some((meaning, place))
    }

    /// Moves past the longest word of `table` that comes next, for what it means.
    pub(super) fn pick<T: Copy>(&mut self, table: &Table<T>) -> Option<T> {
        self.find(table).map(|(meaning, _)| meaning)
    }

    /// Moves past the longest word of `table` that comes next, for its place in the list.
    pub(super) fn index(&mut self, table: &Table<()>) -> Option<usize> {
        self.find(table).map(|(_, place)| place)
    }

    /// Moves past the longest word of `table`, if one comes next.
    pub(super) fn any(&mut self, table: &Table<()>) -> bool {
        self.find(table).is_some()
    }

    /// Whether one of these characters comes next.
    pub(super) fn sees(&self, chars: &str) -> bool {
        self.peek().is_some_and(|c| chars.contains(c))
    }

    /// Whether a number comes next.
    pub(super) fn sees_number(&self) -> bool {
        self.peek().is_some_and(|c| c.is_ascii_digit() || numeral(c))
    }

    /// A run of digits with its length; more of them than a date can need are no number.
    pub(super) fn digits(&mut self) -> Option<(i64, usize)> {
        let from = self.past_blanks(self.at);
        let run = self.text.get(from..)?.iter().take_while(|c| c.is_ascii_digit()).take(10).count();
        self.at = from + run;
        let value = self.text.get(from..self.at)?.iter().filter_map(|c| c.to_digit(10));
        (1..10).contains(&run).then(|| (value.fold(0, |sum, digit| sum * 10 + i64::from(digit)), run))
    }

    /// Exactly four digits, Chinese ones read one by one: a year.
    pub(super) fn year(&mut self) -> Option<i32> {
        self.skip_blanks();
        let run = self.text.get(self.at..self.at + 4)?.iter();
        let digits = run.map(|c| c.to_digit(10).map(i64::from).or(digit(*c))).collect::<Option<Vec<_>>>()?;
        self.at += 4;
        let year = digits.iter().fold(0, |year, digit| year * 10 + digit);
        (year >= 1000 && !self.sees_number()).then_some(i32::try_from(year).ok()?)
    }

    /// A number in digits or in Chinese numerals.
    pub(super) fn number(&mut self) -> Option<i64> {
        self.skip_blanks();
        if self.peek()?.is_ascii_digit() { self.digits().map(|(value, _)| value) } else { self.numerals() }
    }

    /// A Chinese number below a hundred million; `三五` ("three or five") is none.
    fn numerals(&mut self) -> Option<i64> {
        let (mut sum, mut part, from) = (0, None, self.at);
        while let Some(c) = self.peek() {
            match (digit(c), c) {
                (Some(value), _) if part.unwrap_or(0) == 0 => part = Some(value),
                (Some(_), _) => return None,
                (_, '廿') => sum += 20,
                (_, '十') => sum += part.take().filter(|value| *value > 0).unwrap_or(1) * 10,
                (_, '百') => sum += part.take()? * 100,
                (_, '千') => sum += part.take()? * 1000,
                _ => break,
            }
            self.at += 1;
            if self.at > from + 9 {
                return None;
            }
        }
        (self.at > from).then_some(sum + part.unwrap_or(0))
    }
}

/// Whether this is a Chinese numeral that can begin a number.
pub(super) fn numeral(c: char) -> bool {
    digit(c).is_some() || matches!(c, '十' | '廿')
}
