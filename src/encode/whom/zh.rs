//! The subject of a Chinese clause.
//!
//! Works on the folded quote from its beginning; a name is given back as it was written. Where a name ends
//! is known only by the word after it.

use super::Whom;
use crate::encode::words::{
    GROUPS_ZH, KIN_ZH, NO_BEINGS_ZH, PEOPLE_ZH, SHORT_KIN_ZH, begins, fold, is_han, within,
};

/// Before the subject.
const OPENERS: &str = "其实|对了|另外|还有|嗯|哦|不过|但是|但|而且|所以|因为|虽然|如果|要是|今天|明天|昨天|后天|前天|现在|目前|最近|下周|\
    下星期|下个月|下月|上周|上个月|今年|明年|去年|前年|刚刚|刚才|每天|每周|周末|周一|周二|周三|周四|周五|周六|周日|周|一|二|三|四|五|六|日|\
    听说|据说|你好|好的|谢谢|那个|早上|晚上|下午|上午|以前|从小|平时|平常|本来|一般|通常|作为|顺便说一下|说实话|是的|月底|年底|国庆|春节";
/// How to answer, or what to do.
const STANDING: &str = "以后|今后|往后|从现在|从今|记住|记得|请|别|不要|叫我|称呼我|喊我|管我|用中文|用英文|用英语|回答|回复|答复|每次|\
    总是|永远|务必|尽量|始终|帮我|给我|一律|不许|禁止|忘掉|忘记|说话|少用|多用|直接";
/// Said to the assistant about how to answer.
const MANNERS: &str = "叫我|称呼我|喊我|管我|以后|回答|回复|用中文|用英文|说中文|说英文|简短|记住|记得|不要|别|提醒我|帮我|告诉我";
/// What goes before a being: "my old friend".
const MODIFIERS: &str = "最好的|最喜欢的|最爱的|最亲的|大学|高中|初中|小学|前|大|二|三|小|亲|新|老|现任|同班|好|男|女|准|干|养的|的|们的|们|家的|家|\
    这个|那个|这位|那位|以前的|现在的";
/// What a body of people has beside itself.
const ATTRIBUTES: &str = "邮箱|地址|电话|账号|网址|工号|门禁|座机|分机|食堂";

/// Begin what is said of a subject.
const PREDICATES: &str = "是|在|住|对|喜欢|爱|有|也|都|很|要|会|能|不|没|说|今年|明|昨|今|后天|下|上|从|姓|叫|和|跟|给|把|被|去|来|刚|已|正|最|\
    生|怀孕|结婚|离|讨厌|养|想|打算|准备|的|教|让|帮|告诉|觉得|每|常|经常|一直|比|做|工作|搬|考|病|死|走|买|卖|开|学|用|得了|得|患|过敏|推荐|送|\
    出|辞|就|还|又|才|可以|应该|特别|非常|挺|真|太|总|当|过|怕|吃|喝|玩|看|读|写|等|欠|约|和我|周|星期|春|退休|失业|升职|毕业|请|找|带";
/// The same, of somebody and not of something.
const PERSONAL: &str = "是我|是个|是一|是他|是她|喜欢|对|住|爱|讨厌|说|今年|怀孕|结婚|离|要|去|来|不吃|不喝|不喜欢|姓|叫|没|生|病|觉得|想|打算|准备|\
    辞|搬|养|刚|明|昨|下|上|的生日|的电话|教|告诉|推荐我|送我|请我|约|和我|跟我|在|退休|毕业|也|都|考|有个|有两|有三|有一";
/// Begin what is said of a speaker who leaves themselves out.
const SUBJECTLESS: &str = "喜欢|爱吃|爱喝|爱看|最爱|热爱|讨厌|不吃|不喝|不喜欢|不爱|不能|不会|不想|不太|不抽|不用|没有|没结|没去|没学|住在|住|在北|在上|在|来自|对|有个|\
    有一|有两|有三|有|养了|养|想|打算|准备|计划|正在|已经|刚|叫|是|姓|会说|会弹|会|从事|从不|做|患|怕|害怕|习惯|擅长|出生|毕业|更喜欢|最喜欢|\
    比较喜欢|很喜欢|一直|失眠|怀孕|结婚|生于|信佛|信教|属|学习|在学|学过|去过|用的是|吃素|素食|单身|已婚|未婚|离异|过敏|偏好|偏爱|希望|需要|身高|体重|\
    换了|搬到|搬家|退休|辞职|经常|曾经|热衷|感兴趣|名字叫|生日是|从来|戒";
/// What begins like that, and is no statement.
const NOTHING: &str = "有道理|有意思|有趣|有没有|是的|是吗|是不是|不错|很好|在吗|不是|没错|没问题|没事|不客气|会不会|会议|对的|对了|对不起|\
    对方|对不对|叫什么|想象|有人|有些|有的|有时|做饭|属于|住宅|住房|刚好|在中国|在线|是否|爱情";

const SURNAMES: &str = "王|李|张|刘|陈|杨|赵|黄|周|吴|徐|孙|胡|朱|高|林|何|郭|马|罗|梁|宋|郑|谢|韩|唐|冯|于|董|萧|程|曹|袁|邓|许|傅|沈|曾|彭|吕|苏|卢|蒋|\
    蔡|贾|丁|魏|薛|叶|阎|余|潘|杜|戴|夏|钟|汪|田|任|姜|范|方|石|姚|谭|廖|邹|熊|金|陆|郝|孔|白|崔|康|毛|邱|秦|江|史|顾|侯|邵|孟|龙|万|段|钱|汤|尹|黎|易|\
    武|乔|贺|赖|龚|文|欧阳|司马|诸葛";
const TITLES: &str = "老师|医生|总|经理|主任|教授|先生|女士|小姐|阿姨|叔叔|哥|姐|工|师傅|律师|校长|院长|处长|局长|董|导|大爷|大妈|奶奶|爷爷|同学|教练";
/// What looks like a name and is none.
const NO_NAMES: &str = "马上|高兴|高三|高二|高一|高考|高中|高血|白天|方便|方法|金牛|金融|黄昏|江苏|小时|小学|小区|小说|小孩|小心|小米|小猫|小狗|\
    小吃|小事|小程|老是|老家|老年|老实|老虎|老板|老师|老公|老婆|阿里|文化|文件|文章|万一|周末|周一|周二|周三|周四|周五|周六|周日|易|石头|于是|\
    何时|何必|任何|程序|史上|龙虾|毛衣|白色|黄色|金色|林业|江西|江南|张家|马路|马来|田野|叶子|钟表|汤|武汉|文学|小提|小红书|胡说|许多|曾经|顾客|段子";

/// Of whom a quote speaks.
pub fn subject(quote: &str) -> Whom {
    let folded = fold(quote);
    let rest = opened(&folded);
    // Everything below takes the beginning of `rest`, which is the end of `folded`.
    let written = |after: &str| {
        let start = folded.chars().count() - rest.chars().count();
        let length = rest.chars().count() - after.chars().count();
        Whom::Other(quote.chars().skip(start).take(length).collect())
    };
    let clause = rest.split([',', '。', '!', '?', ';', '\n']).next().unwrap_or(rest);
    if begins(rest, STANDING).is_some() && begins(rest, "请假|请客|别人|直接原因").is_none() {
        return Whom::User;
    }
    if let Some(after) = rest.strip_prefix('我').or_else(|| rest.strip_prefix("my")) {
        return of_speaker(after).map_or(Whom::User, written);
    }
    if let Some(after) = rest.strip_prefix('你') {
        let instructs = !after.starts_with('的') && within(clause, MANNERS);
        return if instructs { Whom::User } else { Whom::Assistant };
    }
    if let Some((_, after)) = begins(rest, "他们|她们|它们|他|她|它") {
        return written(being(after).unwrap_or(after));
    }
    if let Some(after) = being(rest).filter(|after| is_subject(rest, after)) {
        return written(after);
    }
    if let Some(after) = name(rest) {
        return if begins(after, "和我|跟我|与我").is_some_and(|(_, after)| !after.starts_with('说')) {
            Whom::User
        } else {
            written(after)
        };
    }
    if begins(rest, SUBJECTLESS).is_some() && begins(rest, NOTHING).is_none() {
        Whom::User
    } else {
        Whom::Unclear
    }
}

/// The quote from its subject on.
fn opened(folded: &str) -> &str {
    let is_date = |character: char| character.is_ascii_digit() || "年月日号点".contains(character);
    let mut rest = folded;
    loop {
        rest = rest.trim_start_matches(|character: char| !character.is_alphanumeric());
        let is_dated = rest.starts_with(|character: char| character.is_ascii_digit());
        rest = match begins(rest, OPENERS) {
            Some((_, after)) if !after.is_empty() && name(rest).is_none() => after,
            _ if is_dated => rest.trim_start_matches(is_date),
            _ => return rest,
        };
    }
}

/// What follows the being that "my" is said of; `None` where it is the speaker who is spoken of.
fn of_speaker(after: &str) -> Option<&str> {
    let owned = after.trim_start_matches('们');
    if begins(owned, "和|跟|与|同")
        .is_some_and(|(word, _)| word != "同" || begins(owned, "同事|同学").is_none())
    {
        return None;
    }
    if let Some((_, of_group)) = begins(without_modifiers(owned), GROUPS_ZH) {
        let has = of_group.strip_prefix('的').unwrap_or(of_group);
        if begins(has, ATTRIBUTES).is_some() {
            return None;
        }
    }
    let after = being(owned)?;
    let shares = begins(after, "和我|与我|跟我").filter(|(_, rest)| begins(rest, "说|讲|吵|提").is_none());
    if shares.is_some() { None } else { Some(after) }
}

/// What follows the being, with its name and the being that belongs to it, that the text begins with.
fn being(text: &str) -> Option<&str> {
    let mut after = one_being(text, &[KIN_ZH, SHORT_KIN_ZH, PEOPLE_ZH, GROUPS_ZH])?;
    loop {
        after = after.strip_prefix('们').unwrap_or(after);
        let next =
            after.strip_prefix('的').or(Some(after)).and_then(|rest| one_being(rest, &[KIN_ZH, PEOPLE_ZH]));
        match next {
            Some(next) if next.len() < after.len() => after = next,
            _ => return Some(name(after).unwrap_or(after)),
        }
    }
}

fn one_being<'t>(text: &'t str, tables: &[&str]) -> Option<&'t str> {
    let plain = |text: &'t str| {
        let longest =
            tables.iter().filter_map(|table| begins(text, table)).min_by_key(|(_, rest)| rest.len());
        longest.filter(|_| begins(text, NO_BEINGS_ZH).is_none()).map(|(_, rest)| rest)
    };
    let mut rest = text;
    loop {
        match plain(rest) {
            Some(after) => return Some(after),
            None => rest = begins(rest, MODIFIERS)?.1,
        }
    }
}

fn without_modifiers(text: &str) -> &str {
    let mut rest = text;
    while let Some((_, after)) = begins(rest, MODIFIERS) {
        rest = after;
    }
    rest
}

/// Whether a being without "my" is the subject: kin always, others where something is said of them.
fn is_subject(text: &str, after: &str) -> bool {
    let length = text.chars().count() - after.chars().count();
    begins(text, KIN_ZH).is_some()
        || length > 1 && begins(text, PEOPLE_ZH).is_some() && begins(after, PREDICATES).is_some()
}

/// What follows the name that the text begins with.
fn name(text: &str) -> Option<&str> {
    let ends =
        |rest: &&str| rest.is_empty() || begins(rest, PREDICATES).is_some() || !rest.starts_with(is_word);
    let latin = text.trim_start().trim_start_matches(|character: char| character.is_ascii_alphabetic());
    if latin.len() < text.trim_start().len() {
        let rest = latin.trim_start();
        return begins(rest, PERSONAL).map(|_| latin);
    }
    if begins(text, NO_NAMES).is_some() {
        return None;
    }
    if let Some((_, rest)) = begins(text, "小|老|阿") {
        let mut characters = rest.chars();
        characters.next().filter(|next| is_han(*next))?;
        return Some(characters.as_str()).filter(|rest| begins(rest, PREDICATES).is_some());
    }
    let (_, given) = begins(text, SURNAMES)?;
    if let Some((_, rest)) = begins(given, TITLES)
        && ends(&rest)
    {
        return Some(rest);
    }
    let mut characters = given.chars();
    for _ in 0..2 {
        characters.next().filter(|next| is_han(*next))?;
        if begins(characters.as_str(), PREDICATES).is_some() {
            return Some(characters.as_str());
        }
    }
    None
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric()
}
