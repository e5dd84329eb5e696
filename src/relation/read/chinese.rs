//! Plain Chinese sentences.

use super::value::{Kind, is_latin_name, is_person};
use super::words::KIN_ZH;
use super::{Denial, Said, USER};

/// A predicate: what stands before and after the object.
struct Phrase {
    front: &'static str,
    back: &'static str,
    relation: &'static str,
    kind: Kind,
    /// Says that it is over, or not so.
    ends: bool,
}

const fn phrase(front: &'static str, back: &'static str, relation: &'static str, kind: Kind) -> Phrase {
    Phrase { front, back, relation, kind, ends: false }
}

const fn ended(front: &'static str, back: &'static str, relation: &'static str, kind: Kind) -> Phrase {
    Phrase { front, back, relation, kind, ends: true }
}

/// Predicates. The first that fits and takes its object is it.
#[rustfmt::skip]
const PHRASES: &[Phrase] = &[
    phrase("住在", "", "lives_in", Kind::Place),
    phrase("居住在", "", "lives_in", Kind::Place),
    phrase("居住于", "", "lives_in", Kind::Place),
    phrase("定居在", "", "lives_in", Kind::Place),
    phrase("定居于", "", "lives_in", Kind::Place),
    phrase("定居", "", "lives_in", Kind::Place),
    phrase("搬到", "", "lives_in", Kind::SurePlace),
    phrase("搬家到", "", "lives_in", Kind::SurePlace),
    phrase("搬去", "", "lives_in", Kind::SurePlace),
    phrase("搬来", "", "lives_in", Kind::SurePlace),
    phrase("家住", "", "lives_in", Kind::Place),
    phrase("现居", "", "lives_in", Kind::Place),
    phrase("常住", "", "lives_in", Kind::Place),
    phrase("在", "工作", "works_at", Kind::Org),
    phrase("在", "上班", "works_at", Kind::Org),
    phrase("就职于", "", "works_at", Kind::Org),
    phrase("任职于", "", "works_at", Kind::Org),
    phrase("供职于", "", "works_at", Kind::Org),
    phrase("受雇于", "", "works_at", Kind::Org),
    phrase("入职", "", "works_at", Kind::Org),
    phrase("跳槽到", "", "works_at", Kind::Org),
    phrase("跳槽去", "", "works_at", Kind::Org),
    phrase("加入", "", "works_at", Kind::Joined),
    ended("从", "离职", "works_at", Kind::Org),
    ended("从", "辞职", "works_at", Kind::Org),
    phrase("就读于", "", "studies_at", Kind::School),
    phrase("在", "读书", "studies_at", Kind::School),
    phrase("在", "上学", "studies_at", Kind::School),
    phrase("毕业于", "", "graduated_from", Kind::School),
    phrase("出生在", "", "born_in", Kind::SurePlace),
    phrase("出生于", "", "born_in", Kind::SurePlace),
    phrase("出生于", "", "birthday", Kind::Date),
    phrase("生于", "", "birthday", Kind::Date),
    phrase("来自", "", "from", Kind::SurePlace),
    phrase("是", "", "nationality", Kind::National),
    phrase("是", "", "job", Kind::Job),
    phrase("担任", "", "job", Kind::Job),
    phrase("成为", "", "job", Kind::Job),
    phrase("转行做", "", "job", Kind::Job),
    phrase("转行当", "", "job", Kind::Job),
    phrase("名叫", "", "name", Kind::Called),
    phrase("叫做", "", "name", Kind::Called),
    phrase("叫", "", "name", Kind::Called),
    phrase("", "岁", "age", Kind::Age),
    phrase("满", "岁", "age", Kind::Age),
    phrase("对", "不过敏", "allergic_to", Kind::Thing),
    phrase("对", "过敏", "allergic_to", Kind::Thing),
    phrase("喜欢", "", "likes", Kind::Thing),
    phrase("喜爱", "", "likes", Kind::Thing),
    phrase("热爱", "", "likes", Kind::Thing),
    phrase("爱", "", "likes", Kind::Doing),
    phrase("讨厌", "", "dislikes", Kind::Thing),
    phrase("厌恶", "", "dislikes", Kind::Thing),
    phrase("反感", "", "dislikes", Kind::Thing),
    phrase("养", "", "has_pet", Kind::Pet),
    phrase("养着", "", "has_pet", Kind::Pet),
    phrase("有一只", "", "has_pet", Kind::Pet),
    phrase("有一条", "", "has_pet", Kind::Pet),
    phrase("会说", "", "speaks", Kind::Language),
    phrase("会讲", "", "speaks", Kind::Language),
    phrase("能说", "", "speaks", Kind::Language),
    phrase("讲", "", "speaks", Kind::Language),
    phrase("说", "", "speaks", Kind::Language),
    phrase("拥有一辆", "", "owns", Kind::Thing),
    phrase("拥有一台", "", "owns", Kind::Thing),
    phrase("拥有一套", "", "owns", Kind::Thing),
    phrase("有一辆", "", "owns", Kind::Thing),
    phrase("有一台", "", "owns", Kind::Thing),
    phrase("有一部", "", "owns", Kind::Thing),
    phrase("有一套", "", "owns", Kind::Thing),
    phrase("和", "结婚", "married_to", Kind::Person),
    phrase("跟", "结婚", "married_to", Kind::Person),
    phrase("与", "结婚", "married_to", Kind::Person),
    phrase("嫁给", "", "married_to", Kind::Person),
    phrase("娶", "", "married_to", Kind::Person),
    ended("和", "离婚", "married_to", Kind::Person),
    ended("跟", "离婚", "married_to", Kind::Person),
    ended("与", "离婚", "married_to", Kind::Person),
    phrase("向", "汇报工作", "reports_to", Kind::Person),
    phrase("向", "汇报", "reports_to", Kind::Person),
];

/// What somebody's something is: `生日是`. Longer ones before their beginnings.
#[rustfmt::skip]
const ATTRIBUTES: &[(&[&str], &str, Kind)] = &[
    (&["名字", "姓名", "全名", "真名", "本名"], "name", Kind::Called),
    (&["昵称", "外号", "小名"], "nickname", Kind::Name),
    (&["年龄", "年纪"], "age", Kind::Age),
    (&["生日", "出生日期"], "birthday", Kind::Date),
    (&["性别"], "gender", Kind::Gender),
    (&["国籍"], "nationality", Kind::Country),
    (&["家乡", "故乡", "老家"], "from", Kind::Place),
    (&["出生地"], "born_in", Kind::Place),
    (&["居住地", "现居地", "居住城市", "所在城市"], "lives_in", Kind::Place),
    (&["公司", "工作单位", "单位", "雇主"], "works_at", Kind::Org),
    (&["职业", "工作", "职位", "岗位"], "job", Kind::Job),
    (&["电子邮箱", "邮箱地址", "邮箱", "邮件地址", "email", "Email"], "email", Kind::Email),
    (&["手机号码", "手机号", "手机", "电话号码", "联系电话", "电话"], "phone", Kind::Phone),
    (&["直属领导", "老板", "上司", "上级", "领导", "主管", "经理"], "reports_to", Kind::Person),
    (&["妻子", "丈夫", "老婆", "老公", "太太", "爱人", "配偶"], "married_to", Kind::Person),
    (&["女朋友", "男朋友", "女友", "男友"], "partner_of", Kind::Person),
    (&["妈妈", "母亲"], "mother", Kind::Person),
    (&["爸爸", "父亲"], "father", Kind::Person),
    (&["姐姐", "妹妹", "哥哥", "弟弟"], "sibling_of", Kind::Person),
    (&["儿子", "女儿", "孩子"], "parent_of", Kind::Person),
    (&["好朋友", "朋友", "好友"], "friend_of", Kind::Person),
    (&["同事"], "colleague_of", Kind::Person),
    (&["猫咪", "狗狗", "猫", "狗", "宠物"], "has_pet", Kind::PetName),
    (&["学校", "大学"], "studies_at", Kind::School),
    (&["母语"], "speaks", Kind::Language),
    (&["血型"], "blood_type", Kind::Blood),
    (&["身高"], "height", Kind::Measure),
    (&["体重"], "weight", Kind::Measure),
];

const ADVERBS: &[&str] = &[
    "现在", "目前", "如今", "当前", "眼下", "一直", "已经", "最近", "刚刚", "刚", "今年", "真的", "非常",
    "特别", "十分", "超级", "很", "最", "挺", "还", "仍然", "仍",
];
const NO_LONGER: &[&str] = &["不再", "已不再", "已经不再", "再也不"];
const NOT: &[&str] = &["不是很", "不太", "不怎么", "并不", "不"];
/// Denies having and having done; `没住在` and the like say too little.
const NOT_HAVING: &[&str] = &["没有", "没"];
const USERS: &[&str] = &["用户", "该用户", "本用户", "The user", "the user", "User", "user", "我"];
const COPULAS: &[&str] = &["是", "为", "叫做", "叫"];

pub fn read(sentence: &str) -> Option<Said> {
    let sentence = adverbs(sentence).trim_start_matches([' ', ',']);
    if let Some(rest) = USERS.iter().find_map(|user| sentence.strip_prefix(user)) {
        return about("用户", USER, rest, true);
    }
    // A name has no end of its own: the longest first.
    let latin: String = sentence.chars().take_while(char::is_ascii).collect();
    let named = (2..=4).rev().find_map(|length| {
        let name: String = sentence.chars().take(length).collect();
        let rest = sentence.strip_prefix(&name)?;
        is_person(&name).then(|| about(&name, &name, rest, false)).flatten()
    });
    named.or_else(|| {
        let name = latin.trim();
        let short = name.split_whitespace().count() <= 2 && is_latin_name(name);
        short.then(|| about(name, name, sentence.strip_prefix(&latin)?, false)).flatten()
    })
}

/// What `rest` says about somebody, about something of theirs, or about a relative. `owner` is their
/// name before 的, which after the user and `我` may be left out.
fn about(owner: &str, subject: &str, rest: &str, bare: bool) -> Option<Said> {
    let rest = rest.trim_start();
    let theirs = rest.strip_prefix('的').or_else(|| bare.then_some(rest));
    if let Some(said) = theirs.and_then(|theirs| attribute(subject, theirs)) {
        return Some(said);
    }
    let relative = theirs.and_then(|theirs| {
        KIN_ZH.iter().find_map(|kin| {
            let rest = theirs.strip_prefix(kin)?;
            let subject = format!("{owner}的{kin}");
            let own = attribute(&subject, rest.strip_prefix('的').unwrap_or(rest));
            own.or_else(|| predicate(&subject, rest))
        })
    });
    relative.or_else(|| predicate(subject, rest))
}

fn attribute(subject: &str, text: &str) -> Option<Said> {
    ATTRIBUTES.iter().find_map(|(words, relation, kind)| {
        let rest = words.iter().find_map(|word| text.strip_prefix(word))?;
        let rest = adverbs(rest);
        let (denial, rest) = denied(rest, &[]);
        let copula = COPULAS.iter().find_map(|copula| Some((*copula, rest.strip_prefix(copula)?)));
        let (kind, object) = match copula {
            Some((copula, object)) => (called(*kind, copula), object),
            None if *kind == Kind::Measure || *kind == Kind::Age => (*kind, rest),
            None => return None,
        };
        let object = kind.value(object)?;
        Some(denial.apply(subject, relation, object))
    })
}

/// People are `叫` what they are called, which need not look like a name as after `是`.
fn called(kind: Kind, copula: &str) -> Kind {
    if kind == Kind::Person && copula != "是" { Kind::Called } else { kind }
}

fn predicate(subject: &str, text: &str) -> Option<Said> {
    let text = adverbs(text);
    let (denial, text) = denied(text, NOT_HAVING);
    let text = adverbs(text);
    let (text, over) = text.strip_suffix('了').map_or((text, false), |text| (text, true));
    PHRASES.iter().find_map(|phrase| {
        let object = text.strip_prefix(phrase.front)?.strip_suffix(phrase.back)?;
        let object = object.strip_prefix('了').unwrap_or(object);
        let object = phrase.kind.value(object)?;
        let denial = match denial {
            Denial::None if phrase.ends || phrase.back.starts_with('不') => Denial::NoLonger,
            Denial::Not | Denial::NoLonger if phrase.ends => return None,
            Denial::Not if over => Denial::NoLonger,
            _ => denial,
        };
        Some(denial.apply(subject, phrase.relation, object))
    })
}

/// The text without the adverbs before it.
fn adverbs(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(shorter) = ADVERBS.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = shorter.trim_start();
    }
    rest
}

fn denied<'a>(text: &'a str, further: &[&str]) -> (Denial, &'a str) {
    let strip = |words: &[&str]| words.iter().find_map(|word| text.strip_prefix(word));
    if let Some(rest) = strip(NO_LONGER) {
        (Denial::NoLonger, rest)
    } else if let Some(rest) = strip(NOT).or_else(|| strip(further)) {
        (Denial::Not, rest)
    } else {
        (Denial::None, text)
    }
}
