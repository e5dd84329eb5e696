//! The table and the names that models give.

use std::collections::{HashMap, HashSet};

use super::*;

/// Names as models give them, and what they are.
#[rustfmt::skip]
const NAMES: &[(&str, &str)] = &[
    ("lives_in", "lives_in"), ("lives in", "lives_in"), ("Lives In", "lives_in"), ("livesIn", "lives_in"), ("LIVES-IN", "lives_in"),
    ("ｌｉｖｅｓ＿ｉｎ", "lives_in"), ("live_in", "lives_in"), ("residence", "lives_in"), ("居住地", "lives_in"), ("住在", "lives_in"),
    ("currently_lives_in", "lives_in"), ("is_living_in", "lives_in"), ("user's residence", "lives_in"), ("current city", "lives_in"),
    ("用户居住地", "lives_in"), ("目前居住地", "lives_in"), ("现居住地", "lives_in"), ("用户的居住城市", "lives_in"), ("city", "lives_in"),
    ("works_for", "works_at"), ("employer", "works_at"), ("Employer Name", "works_at"), ("公司名称", "works_at"), ("就职于", "works_at"),
    ("currentEmployer", "works_at"), ("is_employed_by", "works_at"), ("work_at", "works_at"), ("occupation", "job"), ("has_job", "job"),
    ("job title", "job"), ("职业", "job"), ("工作", "job"), ("当前职位", "job"), ("likes_food", "likes"), ("likes", "likes"),
    ("favorite_color", "likes"), ("favouriteFood", "likes"), ("最喜欢的颜色", "likes"), ("喜欢吃", "likes"), ("like_to", "likes"),
    ("hates", "dislikes"), ("does not like", "dislikes"), ("doesn't_like", "dislikes"), ("不喜欢吃", "dislikes"), ("讨厌", "dislikes"),
    ("name", "name"), ("user_name", "name"), ("user.name", "name"), ("username", "account"), ("lives_in_city", "lives_in"), ("full name", "name"), ("名字", "name"), ("用户姓名", "name"), ("name_of", "name"),
    ("姓名是", "name"), ("用户名", "account"), ("age", "age"), ("年龄", "age"), ("is_aged", "age"), ("date_of_birth", "birthday"),
    ("DOB", "birthday"), ("dateOfBirth", "birthday"), ("生日", "birthday"), ("出生地", "born_in"), ("was_born_in", "born_in"),
    ("hometown", "from"), ("is from", "from"), ("老家", "from"), ("国籍", "nationality"), ("email address", "email"), ("E-Mail", "email"),
    ("邮箱地址", "email"), ("手机号", "phone"), ("phoneNumber", "phone"), ("boss", "reports_to"), ("has_manager", "reports_to"),
    ("老板名字", "reports_to"), ("boss's name", "reports_to"), ("manager_of", "manages"), ("is_manager_of", "manages"), ("下属", "manages"),
    ("mother_of", "parent_of"), ("daughter", "parent_of"), ("has_children", "parent_of"), ("son_of", "child_of"), ("parents", "child_of"),
    ("mother", "mother"), ("mother's name", "mother"), ("妈妈", "mother"), ("wife", "married_to"), ("is_married_to", "married_to"),
    ("妻子", "married_to"), ("女朋友", "partner_of"), ("sister", "sibling_of"), ("is_friends_with", "friend_of"), ("has a pet", "has_pet"),
    ("pet_name", "has_pet"), ("宠物名字", "has_pet"), ("养了", "has_pet"), ("allergies", "allergic_to"), ("is_allergic_to", "allergic_to"),
    ("过敏原", "allergic_to"), ("忌口", "cannot_eat"), ("hobby", "interested_in"), ("爱好", "interested_in"), ("AKA", "also_called"),
    ("股票代码", "ticker"), ("持仓", "invested_in"), ("风险偏好", "risk_profile"), ("due date", "deadline"), ("截止日期", "deadline"),
    ("回答风格", "style"), ("time zone", "timezone"), ("血型", "blood_type"), ("medications", "takes"), ("服用", "takes"),
    ("speaks_language", "speaks"), ("精通", "skilled_in"), ("打算", "plans"), ("goal", "wants"), ("instance of", "is_a"),
    ("薪水", "salary"), ("went to", "visited"),
];

/// Names that are no relation of the table, tidied.
#[rustfmt::skip]
const FREE: &[(&str, &str)] = &[
    ("former_employer", "former_employer"), ("Previous Job", "previous_job"), ("ex-wife", "ex_wife"), ("used to live in", "used_to_live_in"),
    ("前公司", "前公司"), ("曾住在", "曾住在"), ("no_longer_lives_in", "no_longer_lives_in"), ("is_boss", "is_boss"), ("is_parent", "is_parent"),
    ("worked_at", "worked_at"), ("lived in", "lived_in"), ("moonPhase", "moon_phase"), ("上次 见面", "上次_见面"), ("", ""), ("___", ""),
    ("employer_of", "employer_of"), ("家庭 氛围！", "家庭_氛围"), ("not_allergic_to", "not_allergic_to"), ("works", "works"), ("country", "country"), ("has_", "has"),
];

#[test]
fn names_are_found() {
    for (name, expected) in NAMES {
        assert_eq!(canonical(name), *expected, "{name}");
    }
    assert!(NAMES.len() >= 60);
}

#[test]
fn other_names_are_tidied() {
    for (name, expected) in FREE {
        if *name != "has_" {
            assert!(find(name).is_none(), "{name}: {:?}", find(name).map(|relation| relation.name));
            assert_eq!(canonical(name), *expected, "{name}");
        }
        assert_eq!(canonical(&canonical(name)), canonical(name), "{name}");
    }
}

#[test]
fn single_and_opposite() {
    for name in
        ["住在", "employer", "name", "age", "birthday", "job", "e-mail", "phone", "wife", "boss", "国籍"]
    {
        assert!(is_single(name), "{name}");
    }
    for name in
        ["likes", "不喜欢", "pet", "speaks", "owns", "friend", "allergy", "whatever", "", "former_employer"]
    {
        assert!(!is_single(name), "{name}");
    }
    assert_eq!(opposite("喜欢"), Some("dislikes"));
    assert_eq!(opposite("hates"), Some("likes"));
    assert_eq!(opposite("lives_in"), None);
    assert_eq!(opposite("nonsense"), None);
}

#[test]
fn the_table_is_consistent() {
    let rows: HashMap<&str, &Relation> = RELATIONS.iter().map(|row| (row.name, row)).collect();
    assert_eq!(rows.len(), RELATIONS.len(), "a name is there twice");
    let mut seen: HashMap<String, &str> = HashMap::new();
    for row in RELATIONS {
        let snake_case = row.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
        assert!(snake_case && snake(row.name) == row.name, "{}", row.name);
        assert!(!row.label.0.is_empty() && !row.label.1.is_empty(), "{}", row.name);
        let mut own = HashSet::new();
        for name in std::iter::once(&row.name).chain(row.aliases) {
            let key = key(&snake(name));
            assert!(!key.is_empty(), "{name}");
            assert!(own.insert(key.clone()), "{name} twice in {}", row.name);
            if let Some(other) = seen.insert(key, row.name) {
                assert_eq!(other, row.name, "{name}");
            }
            assert_eq!(find(name).map(|found| found.name), Some(row.name), "{name}");
        }
        if let Some(inverse) = row.inverse.and_then(|name| rows.get(name)) {
            assert_eq!(inverse.inverse, Some(row.name), "{}", row.name);
        }
        if let Some(other) = row.opposite {
            assert_eq!(rows[other].opposite, Some(row.name), "{}", row.name);
        }
    }
    for (_, relation) in FAMILIES {
        assert!(rows.contains_key(relation), "{relation}");
    }
    assert!((60..=100).contains(&RELATIONS.len()), "{}", RELATIONS.len());
}

/// Strings that no model should give and some do.
#[rustfmt::skip]
const ODD: &[&str] = &[
    "", " ", "\n", "。", "的", "用户", "我", "User", "I", "The user", "the user's", "'s", "is", "是",
    "住在", "用户住在", "用户是", "用户的", "用户的是", "用户对过敏", "用户岁", "用户和结婚", "我在工作", "\u{0}", "\u{feff}",
    "🦀", "用户🦀", "I am", "I am a", "My", "My is", "My name is", "My name is ", "User has no",
    "𠮷野家", "用户住在𠮷", "İstanbul", "ẞ", "ﬁ", "e\u{301}", "用户的生日是年月日", "My birthday is -/-",
    "My birthday is é月é", "The user is -", "The user is no longer", "does not", "I do not",
    "用户不", "用户不了", "用户了", "用户 了", "_", "has_is_the_", "is_is_is", "的的的", "用户的用户的",
    "👩‍👩‍👧‍👧 likes 👩", "Bob's", "Bob's sister", "小李", "小李的", "小李的姐姐", "用户的生日是99999999999年9月9日",
    "The user is 99999999999 years old", "user-", "'", "’", "“", "用户喜欢“”", "用户喜欢“",
];

/// [`ODD`], and some that are long.
pub fn odd() -> Vec<String> {
    let mut odd: Vec<String> = ODD.iter().map(|text| (*text).to_owned()).collect();
    odd.push("a".repeat(5000));
    odd.push("住".repeat(5000));
    odd.push("is_".repeat(500));
    odd.push("I live in ".repeat(100));
    odd
}

#[test]
fn odd_names_do_not_panic() {
    for text in odd() {
        let name = canonical(&text);
        assert_eq!(canonical(&name), name, "{text}");
        is_single(&text);
        opposite(&text);
    }
}
