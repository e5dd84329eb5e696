//! Word tables and how they are searched; the beings that both rules know.
//!
//! A table is one string, its items between `|`: data, not code. Chinese is searched by characters and
//! English by whole words, both in lower case. Text comes in folded by [`fold`]. Nothing here judges.

/// Kin and partners: named without "my" they are still the speaker's own.
pub const KIN_ZH: &str = "舅妈|姑妈|姨妈|婶婶|伯父|伯母|姑父|姨父|大伯|姐夫|嫂子|弟媳|妹夫|外孙|小姨|小叔|先生|太太|妈妈|爸爸|妈咪|老妈|老爸|爸妈|父母|母亲|父亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥|弟弟|\
    姐姐|妹妹|儿子|女儿|孩子|宝宝|闺女|老公|老婆|丈夫|妻子|媳妇|女朋友|男朋友|女友|男友|未婚妻|未婚夫|对象|爱人|\
    岳父|岳母|公公|婆婆|侄子|侄女|外甥|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|叔叔|舅舅|姑姑|阿姨|孙子|孙女|\
    家人|家里人|双胞胎";
/// Short forms of kin, after "my" only.
pub const SHORT_KIN_ZH: &str = "妈|爸|爹|娘|哥|弟|姐|妹|儿|娃|爷|奶|姥|舅|姨|姑|叔|伯";
/// Whoever else may follow "my": people and animals.
pub const PEOPLE_ZH: &str = "朋友|好友|闺蜜|哥们|兄弟|姐妹|\
    同事|同学|老同学|室友|舍友|邻居|房东|租客|老板|领导|上司|下属|经理|主管|导师|老师|教练|学生|徒弟|师傅|师父|医生|律师|\
    客户|搭档|合伙人|队友|网友|粉丝|亲戚|前任|前女友|前男友|初恋|偶像|猫|狗|猫咪|狗狗|小猫|小狗|宠物|兔子|仓鼠|鹦鹉|乌龟|\
    boss|leader|mentor";
/// Bodies of people that may follow "my".
pub const GROUPS_ZH: &str = "公司|学校|团队|部门|单位|班级|组|队|店|餐厅|工厂|家族|乐队|社团";
/// What begins like a being and is none.
pub const NO_BEINGS_ZH: &str = "老是|老师傅|对象棋|爱人类|爱人工|爱人民|朋友圈|学生时代|学生证|学生会|学生卡|学生票|老婆饼|儿时|组织|组装|\
    组合|组建|队列|店铺|公司法|娘娘腔|妹子|猫粮|狗粮|弟子规|奶茶|奶粉|奶油|姑且|爸气|猫眼";

/// Kin and partners.
pub const KIN_EN: &str = "mom|mum|mommy|mother|dad|daddy|father|parents|parent|brother|brothers|sister|sisters|son|sons|\
    daughter|daughters|kid|kids|child|children|toddler|wife|husband|spouse|fiance|fiancee|girlfriend|boyfriend|gf|bf|\
    grandma|grandpa|grandmother|grandfather|grandparents|grandson|granddaughter|grandkids|nephew|niece|uncle|aunt|cousin|\
    cousins|stepson|stepdaughter|stepmom|stepdad|twins|mother-in-law|father-in-law|in-laws";
/// Other people whom one may have.
pub const PEOPLE_EN: &str = "friend|friends|buddy|partner|ex|bestie|roommate|roommates|flatmate|housemate|neighbor|\
    neighbour|neighbors|neighbours|landlord|landlady|tenant|boss|manager|supervisor|lead|colleague|colleagues|coworker|\
    co-worker|coworkers|teammate|teammates|teacher|professor|tutor|mentor|coach|student|students|client|clients|\
    customer|customers|doctor|dentist|therapist|lawyer|accountant|assistant|family|cofounder|co-founder|crush|idol|baby";
/// Animals and bodies of people: before another noun ("my dog food") they are no subject.
pub const OTHERS_EN: &str = "dog|dogs|cat|cats|puppy|kitten|pet|pets|rabbit|hamster|parrot|horse|tortoise|company|firm|\
    startup|team|school|university|employer|department|band|club|church|shop|restaurant";

/// Traditional characters of the tables, each before its simplified form.
const SIMPLE: &str = "媽妈爺爷兒儿孫孙親亲妳你們们這这個个來来對对過过歡欢愛爱說说話话記记請请幫帮給给讓让寫写譯译總总結结\
    釋释紹绍薦荐講讲從从現现後后養养貓猫婦妇導导師师學学醫医闆板領领難难為为麼么嗎吗誰谁幾几會会時时間间應应該该\
    問问題题謝谢職职離离訂订禮礼紀纪試试遊游簽签機机產产體体術术燒烧壓压頭头減减討讨厭厌習习慣惯歲岁樣样區区別别還还\
    開开關关門门東东車车書书買买賣卖長长點点電电腦脑檔档碼码語语詞词換换繼继續续嚐尝麽么啟启畫画號号";

/// The items of a table.
pub fn items(table: &str) -> impl Iterator<Item = &str> {
    table.split('|')
}

/// Whether `word` is an item of the table.
pub fn is(word: &str, table: &str) -> bool {
    items(table).any(|item| item == word)
}

/// Whether any item of the table stands in the text.
pub fn within(text: &str, table: &str) -> bool {
    items(table).any(|item| text.contains(item))
}

/// The longest item that the text begins with, and the rest of the text.
pub fn begins<'t>(text: &'t str, table: &str) -> Option<(&'t str, &'t str)> {
    let length = items(table).filter(|item| text.starts_with(item)).map(str::len).max()?;
    text.split_at_checked(length)
}

/// Whether the text ends with an item of the table.
pub fn ends(text: &str, table: &str) -> bool {
    items(table).any(|item| text.ends_with(item))
}

/// How many of the words the longest item takes that they begin with.
pub fn opening(words: &[&str], table: &str) -> Option<usize> {
    let first = words.first()?;
    let fits = |item: &&str| {
        let mut parts = item.split(' ');
        parts.next() == Some(first)
            && item.split(' ').enumerate().all(|(at, part)| words.get(at) == Some(&part))
    };
    items(table).filter(fits).map(|item| item.split(' ').count()).max()
}

/// Whether any item of the table stands among the words.
pub fn among(words: &[&str], table: &str) -> bool {
    (0..words.len()).any(|at| words.get(at..).is_some_and(|rest| opening(rest, table).is_some()))
}

/// Whether a character is Chinese.
pub fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{323af}')
}

/// The text in lower case and simplified characters, with plain apostrophes: as many characters as before.
pub fn fold(text: &str) -> String {
    text.chars().map(|character| simple(character).to_ascii_lowercase()).collect()
}

/// A character without its traditional or typographic form.
pub fn simple(character: char) -> char {
    match character {
        '’' | '‘' | '＇' => '\'',
        '\u{3000}' | '\u{a0}' => ' ',
        '俺' | '咱' => '我',
        '您' => '你',
        '！'..='～' => char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character),
        _ if !is_han(character) => character,
        _ => {
            let mut pairs = SIMPLE.chars().filter(|character| is_han(*character));
            while let (Some(from), Some(to)) = (pairs.next(), pairs.next()) {
                if from == character {
                    return to;
                }
            }
            character
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_clean_items() {
        for table in [KIN_ZH, SHORT_KIN_ZH, PEOPLE_ZH, GROUPS_ZH, NO_BEINGS_ZH, KIN_EN, PEOPLE_EN, OTHERS_EN]
        {
            assert!(items(table).all(|item| !item.is_empty() && item.trim() == item), "{table}");
        }
        assert_eq!(SIMPLE.chars().filter(|character| is_han(*character)).count() % 2, 0);
    }

    #[test]
    fn searching() {
        assert_eq!(begins("妈妈说", "妈|妈妈"), Some(("妈妈", "说")));
        assert_eq!(opening(&["thank", "you", "sir"], "thank|thank you"), Some(2));
        assert!(among(&["so", "call", "me", "sam"], "call me"));
        assert!(!among(&["called", "me"], "call me"));
        assert_eq!(fold("我對媽媽說，I’m ＯＫ"), "我对妈妈说,i'm ok");
    }
}
