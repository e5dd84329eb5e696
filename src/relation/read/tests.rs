//! Sentences that are read, and many more that must not be.

use super::*;

/// Sentence, subject, relation, object.
#[rustfmt::skip]
const SAID: &[(&str, &str, &str, &str)] = &[
    ("用户住在成都", "user", "lives_in", "成都"),
    ("用户现在住在成都。", "user", "lives_in", "成都"),
    ("目前用户居住在上海浦东", "user", "lives_in", "上海浦东"),
    ("我住在北京市海淀区！", "user", "lives_in", "北京市海淀区"),
    ("用户搬到了杭州", "user", "lives_in", "杭州"),
    ("用户搬家到深圳了", "user", "lives_in", "深圳"),
    ("用户最近搬去阿姆斯特丹了", "user", "lives_in", "阿姆斯特丹"),
    ("User住在Berlin", "user", "lives_in", "Berlin"),
    ("用户定居于新西兰", "user", "lives_in", "新西兰"),
    ("小李住在北京", "小李", "lives_in", "北京"),
    ("李明搬到上海了", "李明", "lives_in", "上海"),
    ("Bob住在巴黎", "Bob", "lives_in", "巴黎"),
    ("用户的姐姐住在巴黎", "用户的姐姐", "lives_in", "巴黎"),
    ("我姐姐住在巴黎", "用户的姐姐", "lives_in", "巴黎"),
    ("用户的居住地是成都", "user", "lives_in", "成都"),
    ("用户在腾讯工作", "user", "works_at", "腾讯"),
    ("用户目前在字节跳动上班", "user", "works_at", "字节跳动"),
    ("我在Google工作", "user", "works_at", "Google"),
    ("用户入职了华为", "user", "works_at", "华为"),
    ("用户就职于星辰科技", "user", "works_at", "星辰科技"),
    ("用户在北京大学工作", "user", "works_at", "北京大学"),
    ("用户跳槽到美团了", "user", "works_at", "美团"),
    ("用户是一名软件工程师", "user", "job", "软件工程师"),
    ("用户是程序员", "user", "job", "程序员"),
    ("我是个产品经理", "user", "job", "产品经理"),
    ("用户的职业是律师", "user", "job", "律师"),
    ("用户的老婆是医生", "用户的老婆", "job", "医生"),
    ("用户28岁", "user", "age", "28"),
    ("用户今年二十八岁了", "user", "age", "28"),
    ("用户的年龄是28岁", "user", "age", "28"),
    ("我女儿5岁", "用户的女儿", "age", "5"),
    ("用户的生日是5月3日", "user", "birthday", "05-03"),
    ("用户的生日是五月三号", "user", "birthday", "05-03"),
    ("用户出生于1990年5月3日", "user", "birthday", "1990-05-03"),
    ("用户出生于武汉", "user", "born_in", "武汉"),
    ("用户叫李明", "user", "name", "李明"),
    ("我叫糖糖", "user", "name", "糖糖"),
    ("用户的名字是张小雨", "user", "name", "张小雨"),
    ("我的名字叫Bob", "user", "name", "Bob"),
    ("用户是中国人", "user", "nationality", "中国"),
    ("用户的国籍是加拿大", "user", "nationality", "加拿大"),
    ("用户来自四川", "user", "from", "四川"),
    ("用户的邮箱是li.ming@example.com", "user", "email", "li.ming@example.com"),
    ("用户的手机号是13800138000", "user", "phone", "13800138000"),
    ("用户的老板是王总", "user", "reports_to", "王总"),
    ("用户向张伟汇报", "user", "reports_to", "张伟"),
    ("用户和李娜结婚了", "user", "married_to", "李娜"),
    ("我老婆叫李娜", "user", "married_to", "李娜"),
    ("小李的老板是王芳", "小李", "reports_to", "王芳"),
    ("用户喜欢吃火锅", "user", "likes", "吃火锅"),
    ("用户很喜欢爬山", "user", "likes", "爬山"),
    ("用户爱吃辣", "user", "likes", "吃辣"),
    ("用户不喜欢咖啡", "user", "dislikes", "咖啡"),
    ("我不太喜欢香菜", "user", "dislikes", "香菜"),
    ("用户讨厌香菜", "user", "dislikes", "香菜"),
    ("用户对花生过敏", "user", "allergic_to", "花生"),
    ("用户养了一只猫", "user", "has_pet", "猫"),
    ("用户有一只橘猫", "user", "has_pet", "橘猫"),
    ("用户的狗叫旺财", "user", "has_pet", "旺财"),
    ("用户会说法语", "user", "speaks", "法语"),
    ("我会讲粤语", "user", "speaks", "粤语"),
    ("用户有一辆特斯拉", "user", "owns", "特斯拉"),
    ("用户的血型是O型", "user", "blood_type", "O型"),
    ("用户身高180cm", "user", "height", "180cm"),
    ("用户就读于清华大学", "user", "studies_at", "清华大学"),
    ("The user lives in Chengdu", "user", "lives_in", "Chengdu"),
    ("User currently lives in New York City.", "user", "lives_in", "New York City"),
    ("Currently, the user lives in Berlin", "user", "lives_in", "Berlin"),
    ("I live in Rio de Janeiro now", "user", "lives_in", "Rio de Janeiro"),
    ("I'm based in London.", "user", "lives_in", "London"),
    ("The user moved to Berlin", "user", "lives_in", "Berlin"),
    ("The user has moved to the Netherlands", "user", "lives_in", "Netherlands"),
    ("Bob lives in Paris", "Bob", "lives_in", "Paris"),
    ("My sister lives in Paris", "user's sister", "lives_in", "Paris"),
    ("The user’s sister lives in Paris", "user's sister", "lives_in", "Paris"),
    ("My older brother lives in the US", "user's older brother", "lives_in", "US"),
    ("Bob's sister lives in Rome", "Bob's sister", "lives_in", "Rome"),
    ("The user works at Acme", "user", "works_at", "Acme"),
    ("User works for eBay", "user", "works_at", "eBay"),
    ("The user joined Google", "user", "works_at", "Google"),
    ("I started working at Acme Corp.", "user", "works_at", "Acme Corp"),
    ("The user is a software engineer", "user", "job", "software engineer"),
    ("I work as a nurse", "user", "job", "nurse"),
    ("My sister is a doctor", "user's sister", "job", "doctor"),
    ("The user's occupation is teacher", "user", "job", "teacher"),
    ("The user is 28 years old", "user", "age", "28"),
    ("I'm 28", "user", "age", "28"),
    ("The user is twenty-eight years old.", "user", "age", "28"),
    ("My birthday is May 3rd", "user", "birthday", "05-03"),
    ("The user's birthday is May 3, 1990", "user", "birthday", "1990-05-03"),
    ("The user was born on 1990-05-03", "user", "birthday", "1990-05-03"),
    ("The user was born in Wuhan", "user", "born_in", "Wuhan"),
    ("The user's name is Bob", "user", "name", "Bob"),
    ("My name is Anna Schmidt", "user", "name", "Anna Schmidt"),
    ("The user's name is 李明", "user", "name", "李明"),
    ("The user is named Bob", "user", "name", "Bob"),
    ("My boss is French", "user's boss", "nationality", "French"),
    ("The user is French", "user", "nationality", "French"),
    ("I am from Sichuan", "user", "from", "Sichuan"),
    ("The user's email is bob@example.com.", "user", "email", "bob@example.com"),
    ("My phone number is +49 170 1234567", "user", "phone", "+49 170 1234567"),
    ("The user is married to Anna", "user", "married_to", "Anna"),
    ("My wife is named Anna", "user", "married_to", "Anna"),
    ("The user's boss is Bob Miller", "user", "reports_to", "Bob Miller"),
    ("The user reports to Bob", "user", "reports_to", "Bob"),
    ("The user likes spicy food", "user", "likes", "spicy food"),
    ("I really love hiking", "user", "likes", "hiking"),
    ("The user doesn't like coffee", "user", "dislikes", "coffee"),
    ("The user hates cilantro", "user", "dislikes", "cilantro"),
    ("Bob likes tea", "Bob", "likes", "tea"),
    ("The user is allergic to peanuts", "user", "allergic_to", "peanuts"),
    ("The user has a cat", "user", "has_pet", "cat"),
    ("I have two black cats", "user", "has_pet", "two black cats"),
    ("The user has a dog named Rex", "user", "has_pet", "dog named Rex"),
    ("The user speaks fluent French", "user", "speaks", "French"),
    ("The user owns a Tesla", "user", "owns", "Tesla"),
    ("The user studies at Stanford University", "user", "studies_at", "Stanford University"),
];

/// The same, denied.
#[rustfmt::skip]
const DENIED: &[(&str, &str, &str, &str)] = &[
    ("用户不再住在成都", "user", "lives_in", "成都"),
    ("用户不住在成都了", "user", "lives_in", "成都"),
    ("用户现在已经不在腾讯工作了", "user", "works_at", "腾讯"),
    ("用户从腾讯离职了", "user", "works_at", "腾讯"),
    ("用户不再喜欢咖啡", "user", "likes", "咖啡"),
    ("用户不喜欢咖啡了", "user", "likes", "咖啡"),
    ("用户不讨厌香菜", "user", "dislikes", "香菜"),
    ("用户对花生不过敏", "user", "allergic_to", "花生"),
    ("用户没有养猫", "user", "has_pet", "猫"),
    ("用户不会说法语", "user", "speaks", "法语"),
    ("用户不再是程序员", "user", "job", "程序员"),
    ("用户的老板不是王总", "user", "reports_to", "王总"),
    ("用户和李娜离婚了", "user", "married_to", "李娜"),
    ("The user no longer works at Acme", "user", "works_at", "Acme"),
    ("The user doesn't live in Berlin anymore", "user", "lives_in", "Berlin"),
    ("The user does not live in Berlin", "user", "lives_in", "Berlin"),
    ("I'm no longer living in Berlin", "user", "lives_in", "Berlin"),
    ("The user no longer likes coffee", "user", "likes", "coffee"),
    ("The user doesn't like coffee anymore", "user", "likes", "coffee"),
    ("The user is not allergic to peanuts", "user", "allergic_to", "peanuts"),
    ("The user is not a doctor", "user", "job", "doctor"),
    ("The user has no cats", "user", "has_pet", "cats"),
    ("The user does not speak French", "user", "speaks", "French"),
    ("The user's boss is no longer Bob", "user", "reports_to", "Bob"),
    ("Bob no longer lives in Paris", "Bob", "lives_in", "Paris"),
];

#[rustfmt::skip]
const UNREAD: &[&str] = &[
    "用户住在成都时喜欢吃火锅", "用户住在成都的姐姐来看他", "用户住在公司附近", "用户住在父母家", "用户住在三楼", "用户住在宿舍", "用户住在心里", "用户住在成都三年",
    "用户住在成都上班", "用户住在成都和北京", "用户住在成都,喜欢火锅", "用户住在成都但想搬走", "用户住在成都玩", "用户住在哪里", "用户住在成都吗", "用户曾经住在成都", "用户以前住在成都",
    "用户想搬到上海", "用户打算搬到上海", "用户可能住在成都", "如果用户住在成都", "用户说他住在成都", "他住在成都", "用户搬到了新家", "用户搬到二楼", "用户搬到了郊区", "用户搬到女朋友家了",
    "用户在家工作", "用户在北京工作", "用户在咖啡馆工作", "用户在一家创业公司工作", "用户在互联网公司上班", "用户在晚上工作", "用户在认真工作", "用户加入了健身俱乐部", "用户加入了一个社团", "用户在深圳市上班",
    "用户是好人", "用户是老人", "用户是年轻人", "用户是会员", "用户是素食主义者", "用户是前程序员", "用户是张三的老师", "用户是李老师", "用户是独生子", "用户是腾讯的工程师", "用户是一名好老师", "用户是退休教师", "用户是足球爱好者",
    "用户的工作是远程的", "用户的工作是朝九晚五", "用户30岁时结婚", "用户3岁的儿子", "用户大约30岁左右", "用户出生于1990年", "用户生日是下周", "用户的生日是农历五月初三",
    "用户叫外卖", "用户叫他回家", "用户叫了滴滴", "用户的妈妈叫他吃饭", "用户的老板是个好人", "用户的老板是四川人", "用户的老婆是高中老师的女儿", "用户的老板很严格", "用户的名字是保密", "用户和李娜明年结婚", "用户和朋友结婚",
    "用户的邮箱是公司邮箱", "用户的电话是新的", "用户喜欢小李的妹妹", "用户喜欢上了爬山", "用户喜欢和朋友吃饭", "用户喜欢猫和狗", "用户喜欢什么", "用户喜欢吃火锅不喜欢吃面", "用户喜欢的颜色是蓝色", "用户喜欢你", "用户喜欢猫、狗",
    "用户对此过敏吗", "用户对花生和虾过敏", "用户会讲笑话", "用户会说话", "用户说今天很累", "用户有一只叫不出名字的猫", "用户养成了好习惯", "用户养家", "用户有两个孩子", "周末喜欢爬山", "大家喜欢火锅", "很多人住在北京", "老人住在乡下",
    "用户不知道住在哪", "用户没住过成都", "用户从成都离职的同事", "不喜欢咖啡", "住在成都", "用户", "",
    "The user lives in Berlin with two cats and plans to move", "I live in fear", "I live in a house with two cats", "I live in an apartment", "I live in May",
    "The user lives in Paris when he works", "The user lives in Paris but wants to leave", "The user lives in Berlin, Germany", "The user lived in Paris", "The user used to live in Paris",
    "The user will live in Paris", "The user wants to move to Berlin", "The user might move to Berlin", "I live in Berlin. My sister too", "I live in the same city as Bob", "Does the user live in Berlin?",
    "The user lives in harmony", "I live in Vim", "The user moved to a new house", "The user moved to second place", "If I live in Berlin", "He lives in Paris", "She works at Acme", "Everyone lives in Paris",
    "Friends like pizza", "People love Berlin", "The user works at night", "The user works at home", "The user works for himself", "The user works at a bank", "I work at Christmas", "The user works at Acme as an engineer",
    "The user joined a gym", "The user joined Reddit", "The user joined the Chess Club", "The user joined Bob for dinner", "The user is a former teacher", "The user is a good cook", "The user is an aspiring writer",
    "The user is a teacher at heart", "The user is a night owl", "The user is the CEO of Acme", "The user is a big fan of jazz", "The user is 28 minutes late", "The user is 500 years old", "The user is 30 years old and tall",
    "The user was born in 1990", "My birthday is next week", "My birthday is in May", "My name is on the list", "My name is hard to spell", "The user's name is not important", "I am happy", "The user is tired",
    "My boss is great", "My wife is pregnant", "My wife is a doctor and a mother", "The user's boss is not happy", "My sister who lives in Paris visits", "My email is broken",
    "The user's phone is an iPhone 15", "I like you", "I like it", "I like the way it works", "I like cats and dogs", "I like coffee when tired", "I would like a coffee", "I'd like tea", "The user likes to swim because it is fun",
    "The user is allergic to nuts and eggs", "The user has a cat allergy", "The user has a hot dog", "The user has a cold", "The user has two kids", "The user speaks three languages", "The user speaks French and German",
    "The user speaks to Bob", "The user owns it", "I own up to my mistakes", "The user never liked coffee", "The user did not move to Berlin", "The user thinks Bob lives in Paris", "Where the user lives", "Life is a journey",
    "It is 5 years old", "Today is Monday", "live in Berlin", "The user says: I live in Berlin", "The user may be French", "The user is not sure", "I", "The user", "My",
    "用户住在大学城", "用户住在城东", "用户住在深山", "用户住在帐篷", "用户搬到前排", "用户搬去同居", "用户住在北京打拼", "用户住在上海挺好", "用户入职了新公司",
    "用户入职三天", "用户入职培训", "用户任职于销售部", "用户从原公司离职", "用户在人民医院工作", "用户在ICU工作", "用户来自未来", "用户来自腾讯", "用户出生在春天",
    "用户是新手司机", "用户的名字是英文", "用户的名字是三个字", "用户名叫隔壁老王", "用户的猫叫得很响", "用户的狗叫个不停", "用户对狗毛严重过敏", "用户有一辆车要卖",
    "用户的学校是重点大学", "我,住在成都", "用户的公司是上市公司", "用户嫁给了爱情", "用户和李娜结婚三年", "The user lives in Constant Fear",
    "The user lives in Building C", "The user lives in the Past", "The user lives in Mom's Basement",
    "The user moved to Python", "The user moved to Google", "The user moved to Team Blue",
    "The user works for Free", "The user joined LinkedIn", "The user joined World of Warcraft",
    "The user joined Alex", "The user joined the Army", "The user is one", "The user is 5",
    "The user is a lazy developer", "The user is a shower singer", "The user is a worse cook",
    "My wife is Pregnant", "I am from Google", "I am from Mars", "I enjoy myself",
    "The user lives in Rome for now", "The user is named after Bob", "The user turned 30 pages",
    "I have a dog to walk", "I am married to my job", "I was born in March", "Tom and Anna live in Rome",
    "The user, Tom, lives in Rome",
];

fn check(cases: &[(&str, &str, &str, &str)], negated: bool) {
    for (sentence, subject, relation, object) in cases {
        let said = read(sentence);
        let said = said.unwrap_or_else(|| panic!("{sentence} is not read"));
        let found = (said.subject.as_str(), said.relation, said.object.as_str(), said.negated);
        assert_eq!(found, (*subject, *relation, *object, negated), "{sentence}");
    }
}

#[test]
fn plain_sentences_are_read() {
    check(SAID, false);
    assert!(SAID.len() >= 60);
}

#[test]
fn denials_are_read() {
    check(DENIED, true);
}

#[test]
fn other_sentences_are_not() {
    let wrong: Vec<_> = UNREAD.iter().filter_map(|sentence| Some((sentence, read(sentence)?))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(UNREAD.len() >= 60);
}

#[test]
fn relations_read_are_in_the_table() {
    for (sentence, ..) in SAID.iter().chain(DENIED) {
        if let Some(said) = read(sentence) {
            assert_eq!(crate::relation::canonical(said.relation), said.relation, "{sentence}");
        }
    }
}

#[test]
fn odd_sentences_do_not_panic() {
    for text in crate::relation::tests::odd() {
        assert_eq!(read(&text), None, "{text}");
    }
    // Every beginning and every end of what is read, cut at any character.
    for (sentence, ..) in SAID {
        for (place, _) in sentence.char_indices() {
            let (front, back) = sentence.split_at(place);
            read(front);
            read(back);
        }
    }
}
