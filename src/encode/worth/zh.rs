//! What a Chinese clause holds.
//!
//! A clause with 我 is kept unless what stands around each 我 is known to say nothing ("帮我", "我该怎么").
//! One without is kept where it names kin, health, habits or plans; else it is a question, a request, or
//! leans on one. Text comes in folded. Words are found by characters: there is no segmentation.

use super::{Skip, Verdict, en};
use crate::encode::words::{
    GROUPS_ZH, KIN_ZH, NO_BEINGS_ZH, PEOPLE_ZH, SHORT_KIN_ZH, begins, ends, is_han, items, within,
};

const GREETINGS: &str = "你好|你们好|大家好|早上好|早安|早|上午好|中午好|下午好|晚上好|晚安|嗨|哈喽|哈啰|嘿|在吗|在不在|在么|\
    很高兴认识你|很高兴见到你|好久不见|再见|拜拜|回头见|明天见|新年快乐|hi|hello|hey|bye|吃了吗|最近怎么样|你怎么样|最近好吗";
const REACTIONS: &str = "好的|好|好吧|好啦|好嘞|好滴|行|行吧|可以的|可以|没问题|没事|没关系|谢谢|多谢|感谢|非常感谢|太感谢|谢谢你|谢了|\
    谢啦|辛苦|辛苦了|不客气|哈|呵|嘿|嘻|嗯|哦|噢|喔|呃|额|唉|哎|啊|呀|哇|嗷|诶|原来如此|原来是这样|原来这样|这样啊|明白|明白了|\
    懂|懂了|我懂了|我明白了|我知道了|知道了|了解|了解了|收到|太棒|太好|太强|太厉害|厉害|牛|牛逼|赞|棒|真棒|很棒|很好|不错|挺好|\
    真不错|完美|优秀|有道理|有意思|说得对|说得好|有趣|好笑|笑死|笑死我了|真厉害|这个不错|我去|天哪|天啊|真的|真的吗|是吗|不会吧|加油|学到了|\
    有用|很有用|很有帮助|ok|okay|thanks|thx|thank you|lol|nice|cool|good|great|6|233";
/// The same, after another.
const TAILS: &str = "你的帮助|你的解答|你的回答|你|你真|真|的|3|again|so much|a lot";
const PARTICLES: &str = "啊|呀|哦|啦|吧|呢|了|哈|嘛|哟|喔";
const FILLERS: &str = "你好|请问一下|请问|嗨|那么|那|对了|另外|还有|然后|所以|但是|但|不过|而且|其实|好的|谢谢|嗯|哦|首先|最后|再问一下|\
    顺便问一下|话说|hi|hello";

/// How to answer from now on, or what to remember.
const STANDING: &str = "以后|今后|往后|从现在起|从现在开始|从今天起|从今|叫我|称呼我|喊我|管我叫|别再|不要再|不用再|别忘|\
    一律|始终|默认|永远用|永远不|每次都|总是用|回答我|回复我|跟我说中文|我说中文|请记|帮我记|记一下|记下|记得提醒|提醒我";
/// The same, where nothing is asked.
const STANDING_SAID: &str = "记住|记得|忘掉|忘记|忘了|每次|永远|总是|不要|不许|禁止|尽量";
/// The same, at the beginning.
const FORBIDDING: &str = "别|请别|也别|就别|都别|千万别";
const MANNERS: &str = "回答|回复|答复|回应|交流|对话|说话";

/// Said by the body: kept whoever it is of.
const HEALTH: &str = "过敏|怀孕|孕妇|备孕|产后|发烧|感冒|失眠|头痛|头疼|胃痛|牙疼|腰疼|糖尿病|高血压|血压|血糖|尿酸|痛风|抑郁|\
    焦虑症|手术|确诊|住院|受伤|骨折|哮喘|癌|近视|乳糖不耐|忌口|月子|哺乳|家里|体重|身高|\
    月薪|工资|年薪|零基础|新手|小白|应届|0岁|1岁|2岁|3岁|4岁|5岁|6岁|7岁|8岁|9岁|生日送|生日礼物|过生日|纪念日|失恋|被裁|裁员";
/// What happens in a life.
const EVENTS: &str = "结婚|离婚|订婚|婚礼|分手|恋爱|暗恋|表白|生日|纪念日|毕业|高考|中考|考研|考公|考试|面试|辞职|离职|跳槽|失业|\
    退休|入职|升职|换工作|换了工作|找工作|实习|创业|加班|搬家|搬到|租房|买房|装修|出差|旅行|旅游|度假|蜜月|签证|机票|酒店|行程|\
    留学|移民|预产期|减肥|健身|戒烟|戒酒|素食|吃素|清真|参军|聚会|聚餐|约会|体检|葬礼|去世|中奖|房贷|贷款|养老|礼物|应聘|求职|单身|上班|上学|打工|兼职|考证|副业|读研|博士|硕士|offer";
/// What people are and like, where nothing is asked.
const TRAITS: &str = "喜欢|讨厌|爱吃|爱喝|爱看|爱玩|不吃|不喝|害怕|怕|最爱|偏好|偏爱|习惯|住在|老家|出生|岁|星座|属相|信佛|信教|\
    擅长|不会|新同事|工作|上班|上学|他|她|家里|预算|专业|学生|老师|老板|同事|朋友|在学|在用|养了";
/// When, where nothing is asked.
const TIMES: &str = "明天|后天|大后天|下周|下星期|下个月|下月|明年|周末|周一|周二|周三|周四|周五|周六|周日|今晚|今天|昨天|上周|上个月|\
    去年|今年|最近|一直|每天|每周|经常|平时|从小|刚|正在|打算|准备|已经|计划|号要|月底|年底|暑假|寒假|国庆|春节|五一";
/// Begin a question of somebody who leaves themselves out, and what begins like it.
const INTENTS: &str = "想|打算|准备|计划|正在|刚|本来|自从";
const NO_INTENTS: &str = "想问|想请|想知道|想了解|想象|想法|计划经济|计划生育|刚才|刚刚说|想看看";
/// End a question about somebody's trouble.
const TROUBLES: &str = "怎么办|怎么回事|正常吗|咋办|咋回事|怎么缓解|怎么调整";
const CHRONIC: &str = "最近|老是|总是|一直|每天|刚|了";
/// Whom a request may be for.
const ADDRESSEES: &str = "总写|总发|总回|总的|总做|经理|主任|教授|医生";
/// Of these the speaker's own text is made: what follows is about them.
const OWN_TEXTS: &str = "周报|日报|月报|简历|自我介绍|述职|情况|个人";
/// Habits and plans, where the speaker is in the clause.
const HABITS: &str =
    "总是|老是|老觉得|一直|经常|每天|每周|每次|最近|下周|下个月|明年|周末|明天|后天|今年|从小|刚";

/// Before 我: something is wanted for or from the speaker.
const FOR_ME: &str = "帮|帮帮|给|教|告诉|让|替|陪|发|推荐|问|跟|和|考|考考|为|请|能帮|助";
/// After 我: the speaker asks for something.
const WISHES: &str = "想问|想请问|想知道|想请教|想了解|想请你|想让你|想看看|要你|需要你|希望你|问一下|问下|问你|有个问题|有一个问题|\
    有问题|有几个问题|来问|再问|看看|看一下|看一看|一下|想一想";
/// After 我, in a question: only the question.
const ASKED: &str = "该|应该|应当|能|可以|可不可以|要怎么|要如何|怎么|怎样|如何|为什么|为啥|需要|是谁|叫什么|叫啥|喜欢什么|喜欢吃什么|\
    喜欢喝什么|喜欢哪|最喜欢什么|最喜欢哪|住哪|住在哪|在哪|多大|几岁|今年几岁|今年多大|有什么|有哪些|有没有|有几|有多少|想要什么|要不要|\
    可否|用什么|用的是什么|说过|说的|说了|上次说|上次问|上次提|刚才说|刚才问|刚才提|刚刚说|刚刚问|之前说|之前问|之前提|前面说|前面提|\
    昨天说|昨天问|跟你说|和你说|还能|还可以|还要|还需要|是什么|是做什么|是哪|什么|哪|讨厌什么|不吃什么|对什么|的生日是|几月|几点|几号|几个|几时";
/// Things of the speaker that a question may name without saying anything.
const THINGS: &str = "代码|程序|脚本|函数|项目报错|文件|文档|文件夹|文章|作文|论文|句子|问题|名字|姓名|意思|电脑|手机|屏幕|浏览器|网页|\
    表格|数据|图片|邮件|回答|答案|理解|想法|提问|话|配置|生日|年龄|职业|爱好|简历|信息|资料|记忆|段|份|句|里|边|次|行";

const QUESTIONS: &str = "吗|什么|怎么|怎样|咋|如何|哪|谁|多少|多大|多远|多久|多高|多长|多重|为何|为啥|啥|是否|能否|可否|有没有|是不是|\
    能不能|可不可以|会不会|要不要|好不好|对不对|行不行|是多|有几|第几|几个|几点|几岁|区别|能帮我|还记得";
/// What looks like a question word and asks nothing.
const NO_QUESTIONS: &str = "什么都|怎么都|谁都|哪都|哪里都|没什么|什么的|哪怕|多少有|多少会|几个朋友";

/// What opens a request.
const OPENERS: &str = "帮我|帮忙|请帮|给我|请给|麻烦|替我|教我|告诉我|陪我|能帮我|能给我|你能|可以帮我|能不能帮我|我想让你|我要你|\
    我需要你|我想请你|我希望你|帮|请你|请|再|接着|继续|重新|能否|可否|直接|用一句话|用几句话|用简单|用通俗|用自己|用表格|用列表";
/// The same, where what is asked for is counted: "用Python写一个".
const WEAK_OPENERS: &str = "用|把|将|以|根据|按照|针对|从|换成|给|来|先|现在|快|简单";
/// What is asked for, once.
const DEEDS: &str = "翻译|译成|译为|总结|概括|归纳|解释|说明|介绍|推荐|列出|列举|生成|对比|比较|改写|改正|修改|润色|校对|缩写|扩写|续写|仿写|\
    设计|制定|制作|计算|证明|分析|推导|实现|编写|整理|提取|转换|转成|搜索|分享|描述|评价|评论|造句|讨论|看看|看一下|检查|优化|重构|\
    调试|修复|补充|展开|详细|给出|给我|说说|聊聊|朗读|模拟|扮演|继续|重来|再来|再试|接着|告诉|输出|打印|创建|规划|安排|帮我|换一|讲讲";
/// The same, where a count or an object follows.
const LIGHT_DEEDS: &str = "写|画|编|算|查|找|搜|讲|背|念|猜|改|换|举|教|列|出|做|起|取|想|来|说|拟";
const OBJECTS: &str = "一|个|几|这|那|下|上面|以下|成|出|为|两|三|四|五|六|七|八|九|十|0|1|2|3|4|5|6|7|8|9|段|篇|首|份|句|封|些|点|我|你";
/// What begins like something asked for, and what stands in a statement.
const NO_DEEDS: &str = "分析师|检查结果|设计师|设计院|设计部|翻译行业|翻译公司|翻译专业|说明书|介绍人|介绍信|推荐人|推荐信|安排在|安排了|\
    计算机|比较喜欢|总结会|搜索引擎|制作人|评论员|比较";
const STATED: &str = "是|在|了|有|已|会|被|定|归|叫|住|姓|很|都|没|正常|显示|结果|完成|通过";
const MATERIAL: &str = "翻译|译成|译为|总结|概括|归纳|润色|校对|改写|改正|缩写|扩写|续写|摘要|纠正|语病";
/// The same, where the text does not speak of the speaker.
const SOFT_MATERIAL: &str = "解释|提取|转换成|改成|修改|分析|什么意思|排序|检查";
/// What may follow a request and belongs to it.
const CONDITIONS: &str = "题目|标题|要|需要|不超过|不少于|字数|风格|主题|关于|包括|包含|最好|语气|大概|大约|用|以|分|每|限|控制在|并|然后|再|越|尽可能|\
    如果|比如|例如|假设|给出|不要超过";

/// Begin and end what a question is about, and no statement.
const TOPICS: &str = "在|对于|关于|如果|假如|假设|当|用|比如|例如|一个|两个|某|设|已知|根据|从|以|除了|与|和|同样|比起|相比|按照|通过|为了";
const TOPIC_ENDS: &str = "里|中|下|上|时|的时候|的话|方面|之后|之前|以外|里面|来说|来讲|例子|为例";

/// Whether a line asks for something to be done to the text that follows it.
pub fn is_about_material(line: &str, text: &str) -> bool {
    let asks = |words: &str| within(words, MATERIAL) || !text.contains('我') && within(words, SOFT_MATERIAL);
    let last = line.rsplit(',').next().unwrap_or_default();
    line.chars().any(is_han) && !within(line, OWN_TEXTS) && (asks(last) || asks(line) && !line.contains('我'))
}

/// What a clause holds; `asks` where a question mark follows it.
pub fn judge(clause: &str, asks: bool) -> Verdict {
    if let Some(found) = said_by_habit(clause) {
        return Verdict::Skip(found);
    }
    let clause = without_fillers(clause);
    let is_question = asks
        || within(clause, QUESTIONS) && !within(clause, NO_QUESTIONS)
        || clause.ends_with('呢') && clause.chars().count() <= 6;
    let is_request = is_request(clause);
    let speaks = Speaker::of(clause, is_question, is_question || is_request);
    let is_said = !is_question && !is_request;
    let topic = clause.split("关于").next().unwrap_or(clause);
    let has_lasting = speaks == Speaker::Tells
        || en::speaks(clause)
        || is_standing(clause, is_question)
        || within(topic, HEALTH)
        || within(topic, KIN_ZH)
        || begins(clause, "作为|身为")
            .is_some_and(|(_, rest)| begins(rest, "ai|例|对|参考|一个例").is_none())
        || speaks == Speaker::Asks && [EVENTS, HABITS, PEOPLE_ZH].iter().any(|table| within(clause, table))
        || is_request
            && (within(topic, EVENTS)
                || topic.contains('给') && is_for_somebody(topic)
                || topic.contains("适合"))
        || is_question && hides_speaker(clause)
        || is_said && [EVENTS, TRAITS, TIMES].iter().any(|table| within(clause, table));
    if has_lasting {
        Verdict::Keep
    } else if is_question {
        Verdict::Skip(Skip::Question)
    } else if is_request {
        Verdict::Skip(Skip::Request)
    } else if speaks == Speaker::Asks || begins(clause, CONDITIONS).is_some() {
        Verdict::Topic
    } else if begins(clause, TOPICS).is_some() || ends(clause, TOPIC_ENDS) {
        Verdict::Aside
    } else {
        Verdict::Keep
    }
}

/// Whether a clause says how to answer, or what to remember.
fn is_standing(clause: &str, is_question: bool) -> bool {
    let is_said = within(clause, STANDING_SAID)
        || begins(clause, FORBIDDING).is_some()
        || within(clause, MANNERS) && clause.contains('用');
    within(clause, STANDING) || is_said && !is_question
}

fn is_for_somebody(clause: &str) -> bool {
    within(clause, PEOPLE_ZH) || within(clause, ADDRESSEES)
}

/// Whether a question without 我 is about the speaker all the same.
fn hides_speaker(clause: &str) -> bool {
    begins(clause, INTENTS).is_some() && begins(clause, NO_INTENTS).is_none()
        || within(clause, TROUBLES) && within(clause, CHRONIC)
        || within(clause, EVENTS) && within(clause, "了|去|到")
        || within(clause, TIMES) && within(clause, "去|要|得")
}

/// The reason, where a clause is nothing but greetings and reactions.
fn said_by_habit(clause: &str) -> Option<Skip> {
    let (mut rest, mut reason) = (clause, Skip::Reaction);
    if begins(rest, GREETINGS).is_some() {
        reason = Skip::Greeting;
    }
    loop {
        rest = rest.trim_start_matches(|character: char| !character.is_alphanumeric());
        if rest.is_empty() {
            return Some(reason);
        }
        let tables: &[&str] =
            if rest == clause { &[GREETINGS, REACTIONS] } else { &[GREETINGS, REACTIONS, PARTICLES, TAILS] };
        rest = tables.iter().filter_map(|table| begins(rest, table)).min_by_key(|(_, rest)| rest.len())?.1;
    }
}

fn without_fillers(clause: &str) -> &str {
    let mut rest = clause;
    while let Some((_, after)) = begins(rest, FILLERS) {
        let after = after.trim_start();
        if after.is_empty() {
            break;
        }
        rest = after;
    }
    rest
}

/// Whether a clause asks for something to be done once.
fn is_request(clause: &str) -> bool {
    let (mut rest, mut is_opened) = (clause, false);
    loop {
        if is_commanded(rest) {
            return true;
        }
        rest = match (begins(rest, OPENERS), begins(rest, WEAK_OPENERS)) {
            (Some((opener, _)), _) if opener.contains('我') || opener == "麻烦" => return true,
            (Some((_, after)), _) => {
                is_opened = true;
                after
            }
            (None, Some((_, after))) => after,
            (None, None) => break,
        };
    }
    let deeds = || items(DEEDS).chain(items(LIGHT_DEEDS));
    let is_counted = |deed| rest.split(deed).skip(1).any(|after| begins(after, OBJECTS).is_some());
    let is_weak = rest.len() < clause.len();
    is_opened && deeds().any(|deed| rest.contains(deed)) || is_weak && deeds().any(is_counted)
}

/// Whether a clause begins with what is to be done, and not with a noun like it.
fn is_commanded(clause: &str) -> bool {
    let has_object = |after: &str| after.is_empty() || begins(after, OBJECTS).is_some();
    let deed = begins(clause, DEEDS).filter(|_| begins(clause, NO_DEEDS).is_none());
    deed.is_some_and(|(_, after)| has_object(after) || !within(after, STATED))
        || begins(clause, LIGHT_DEEDS).is_some_and(|(_, after)| has_object(after) && !within(after, "了|是"))
        || begins(clause, "比较").is_some_and(|(_, after)| within(after, "和|与|跟"))
}

/// How the speaker is in a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Absent,
    /// Only as the one who asks.
    Asks,
    Tells,
}

impl Speaker {
    /// `wants`: the clause is a question or a request.
    fn of(clause: &str, is_question: bool, wants: bool) -> Self {
        let clause = clause.replace("自我", "").replace("我国", "").replace("本人", "我");
        let mut speaker = Self::Absent;
        let mut pieces = clause.split('我');
        let mut before = pieces.next().unwrap_or_default();
        for after in pieces {
            let after_all = after.trim_start_matches('们');
            let owned = begins(after_all, "家的|家|的|这个|那个|这|那").map_or(after_all, |(_, rest)| rest);
            let is_own = after_all.len() > owned.len();
            let is_thing = is_own && begins(owned, THINGS).is_some_and(|(_, rest)| !tells(rest));
            let is_being = begins(owned, NO_BEINGS_ZH).is_none()
                && [KIN_ZH, SHORT_KIN_ZH, PEOPLE_ZH, GROUPS_ZH]
                    .iter()
                    .any(|table| begins(owned, table).is_some());
            let is_for_me = ends(before, FOR_ME) && !is_own && begins(after_all, "和|跟|与|们").is_none();
            let is_known = begins(after_all, WISHES).is_some()
                || wants && (is_thing || is_for_me)
                || is_question && begins(after_all, ASKED).is_some();
            if is_being || !is_known {
                return Self::Tells;
            }
            speaker = Self::Asks;
            before = after;
        }
        speaker
    }
}

/// Whether what follows a thing says what it is.
fn tells(rest: &str) -> bool {
    begins(rest, "是|叫|为").is_some_and(|(_, rest)| {
        begins(rest, "什么|谁|哪|多少|啥|几|不是|否|怎|何|多").is_none() && !rest.is_empty()
    })
}
