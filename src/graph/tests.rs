//! Cases of the graph: what is known, at what time, and what a question leads to.

use chrono::TimeZone;

use super::*;
use crate::memory::{Governance, Upsert};

fn noon() -> DateTime<Local> {
    Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap()
}

fn time(day: &str) -> DateTime<FixedOffset> {
    time_of(day).unwrap()
}

/// A memory of a triple, written `subject | relation | object`, with the time it holds.
fn memory(triple: &str, since: &str, until: &str) -> Arc<Memory> {
    let parts: Vec<&str> = triple.split(" | ").collect();
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let fact = Fact {
        subject: parts[0].into(),
        relation: parts[1].into(),
        object: parts[2].into(),
        subject_type: parts.get(3).copied().unwrap_or_default().into(),
        ..Fact::default()
    };
    let governance = Governance {
        fact: Some(fact),
        valid_from: some(since),
        valid_to: some(until),
        ..Governance::default()
    };
    Arc::new(Memory::new(Upsert { governance, ..Upsert::fact(triple.into()) }, triple.into(), noon()))
}

fn graph(triples: &[&str]) -> Graph {
    Graph::build(&triples.iter().map(|triple| memory(triple, "", "")).collect::<Vec<_>>())
}

/// The objects that `name` has by `relation` at `day`.
fn objects(graph: &Graph, name: &str, relation: &str, day: &str) -> Vec<String> {
    let entity = graph.find(name)[0];
    let edges = graph.around(entity).filter(|edge| edge.from == entity && edge.relation == relation);
    edges.filter(|edge| edge.holds(time(day))).map(|edge| graph.entities()[edge.to].name.clone()).collect()
}

#[test]
fn a_life_in_three_cities() {
    let graph = Graph::build(&[
        memory("user | lives_in | 成都", "", "2024-05-01"),
        memory("user | lives_in | 上海", "2024-05-01", "2026-03-01"),
        memory("user | lives_in | 柏林", "2026-03-01", ""),
    ]);
    for (day, city) in
        [("2026-11-30", "柏林"), ("2025-01-01", "上海"), ("2020-01-01", "成都"), ("2026-03-01", "柏林")]
    {
        assert_eq!(objects(&graph, "用户", "lives_in", day), [city], "{day}");
    }
    assert_eq!(graph.around(USER).count(), 3, "history stays");
}

#[test]
fn names_are_one_when_a_fact_says_so_and_never_because_they_are_alike() {
    let graph = graph(&[
        "AAPL | also_called | Apple",
        "苹果公司 | also_called | ＡＰＰＬＥ",
        "user | interested_in | aapl",
        "Apples | is_a | fruit",
        "user | name | 张三",
        "user | has_pet | 豆豆",
        "300750 | also_called | 宁德时代 | Stock",
        "宁德时代 | founded_by | 曾毓群 | Company",
    ]);
    assert_eq!(graph.find("300750"), graph.find("宁德时代"));
    assert_eq!(objects(&graph, "300750", "founded_by", "2026-11-30"), ["曾毓群"]);
    assert_eq!(graph.find("AAPL"), graph.find("苹果公司"));
    assert_eq!(graph.find("蘋果公司"), graph.find("apple"));
    assert_ne!(graph.find("Apples"), graph.find("Apple"));
    assert_eq!(graph.find("张三"), [USER]);
    assert_eq!(objects(&graph, "张三", "has_pet", "2026-11-30"), ["豆豆"]);
}

#[test]
fn kinds_tell_the_same_name_apart() {
    let graph = graph(&["Apple | located_in | Cupertino | Company", "Apple | is_a | fruit | Food"]);
    assert_eq!(graph.find("apple").len(), 2);
}

#[test]
fn people_of_the_same_name_stay_apart_and_are_both_found() {
    let graph = graph(&[
        "user | sibling_of | 徐静",
        "徐静 | lives_in | 南京",
        "徐静（邻居） | lives_in | 苏州",
        "Anna (neighbour) | job | baker",
        "Anna | job | dentist",
        "同事小李 | from | 成都",
        "邻居小李 | from | 贵阳",
    ]);
    assert_eq!(objects(&graph, "徐静", "lives_in", "2026-11-30"), ["南京"]);
    assert_eq!(graph.find("徐静").len(), 2);
    assert_eq!(graph.find("anna").len(), 2);
    assert_ne!(graph.find("同事小李"), graph.find("邻居小李"));
}

#[test]
fn a_renamed_company_is_the_same_company() {
    let graph = graph(&[
        "user | works_at | 海蓝软件",
        "海蓝软件 | renamed_to | 潮汐智能",
        "潮汐智能 | located_in | 济南",
    ]);
    assert_eq!(graph.find("海蓝软件"), graph.find("潮汐智能"));
    let heard = graph.hear("我公司现在在哪个城市？", None, &[], moment(noon()));
    assert!(heard.get(&2).is_some_and(|evidence| *evidence >= 4.0), "{heard:?}");
}

#[test]
fn what_is_forgotten_leaves_no_edge_behind() {
    let memories = [memory("user | reports_to | 王总", "", ""), memory("王总 | from | 绵阳", "", "")];
    let mut graph = Graph::build(&memories);
    assert_eq!(graph.edges().len(), 2);
    graph.update(&memories[..1]);
    assert_eq!(graph.edges().len(), 1);
    assert!(graph.find("绵阳").is_empty());
    graph.update(&memories);
    assert_eq!(graph.find("绵阳").len(), 1, "what is added is taken in");
}

#[test]
fn neighbourhoods_and_paths() {
    let graph = graph(&[
        "user | colleague_of | 小李",
        "小李 | reports_to | 王总",
        "王总 | lives_in | 上海",
        "上海 | part_of | 中国",
        "小美 | lives_in | 上海",
    ]);
    let now = moment(noon());
    assert_eq!(graph.neighbourhood(USER, 2, now).len(), 2);
    assert_eq!(graph.neighbourhood(USER, 3, now).len(), 3);
    let end = graph.find("小美")[0];
    let path: Vec<&str> =
        graph.path(USER, end, now).unwrap().iter().map(|edge| edge.relation.as_str()).collect();
    assert_eq!(path, ["colleague_of", "reports_to", "lives_in", "lives_in"]);
    assert_eq!(graph.path(USER, USER, now).unwrap().len(), 0);
}

#[test]
fn somebody_of_the_users_is_who_they_are_called() {
    let graph = graph(&[
        "user | sibling_of | Ines",
        "user's sister | works_at | a bakery",
        "用户的老板 | from | 绵阳",
    ]);
    assert_eq!(graph.find("Ines"), graph.find("user's sister"));
    let boss = graph.find("用户的老板")[0];
    assert!(graph.around(USER).any(|edge| edge.to == boss && edge.relation == "reports_to"));
}

#[test]
fn a_question_leads_to_the_end_of_the_way_it_names() {
    let triples = [
        "user | reports_to | 王建国",
        "王建国 | from | 绵阳",
        "user | colleague_of | 小李",
        "小李 | reports_to | 周敏",
        "周敏 | lives_in | 深圳",
        "user | sibling_of | Ines",
        "Ines | has_pet | Bolt",
        "user | likes | 火锅",
    ];
    let graph = graph(&triples);
    for (question, fact) in [
        ("我老板的老家在哪里？", "王建国 | from | 绵阳"),
        ("我同事的老板在哪个城市", "周敏 | lives_in | 深圳"),
        ("What is my sister's dog called?", "Ines | has_pet | Bolt"),
    ] {
        let heard = graph.hear(question, None, &[], moment(noon()));
        let place = triples.iter().position(|triple| *triple == fact).unwrap();
        assert!(heard.get(&place).is_some_and(|evidence| *evidence >= 3.0), "{question}: {heard:?}");
        assert!(!heard.contains_key(&7), "{question}: {heard:?}");
    }
    let next_to_it = graph.hear("王建国是哪里人？", None, &[], moment(noon()));
    assert_eq!(next_to_it.get(&1), Some(&2.0));
    // What was found by its words leads on, too.
    let found = graph.hear("那位现在在哪座城市", None, &[(3, 0.8)], moment(noon()));
    assert!(found.contains_key(&4) && !found.contains_key(&1), "{found:?}");
    let before = graph.hear("他是哪里人", Some("我想给王建国买礼物"), &[], moment(noon()));
    assert!(before.contains_key(&1), "{before:?}");
}

#[test]
fn a_hundred_thousand_facts_are_built_in_one_pass() {
    let memories: Vec<Arc<Memory>> =
        (0..100_000).map(|number| memory(&format!("p{number} | knows | p{}", number / 2), "", "")).collect();
    let graph = Graph::build(&memories);
    assert_eq!(graph.edges().len(), 100_000 - 1, "p0 does not know itself");
    assert_eq!(graph.entities().len(), 100_000 + 1);
}
