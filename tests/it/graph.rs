//! What is known and what happened, over several runs of the program.

use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::Test;

fn fact(quote: &str, content: &str, relation: &str, object: &str) -> Value {
    json!({"subject": "user", "relation": relation, "object": object, "content": content, "kind": "fact",
        "importance": 7, "confidence": 0.9, "quote": quote})
}

/// Nothing to remember, where that is asked.
fn answer(body: &Value) -> Reply {
    match body.get("response_format") {
        Some(_) => Reply::text(r#"{"facts": [], "episode": null}"#),
        None => Reply::text("There are others."),
    }
}

/// Three runs: who the user is, a question about a share, and one that names neither.
fn alex(says: [&str; 3], facts: &[Value]) -> String {
    let proposals = json!({"facts": facts, "episode": null}).to_string();
    let server = Server::new()
        .reply(Reply::text("Hello!"))
        .reply(Reply::text(&proposals))
        .replies((0..4).map(|_| Reply::with(answer)))
        .allow_unused()
        .start();
    let test = Test::new()
        .server(&server)
        .env("MINI_CHATGPT_ENCODE", "auto")
        .env("MINI_CHATGPT_EMBEDDINGS", "builtin");
    for say in says {
        test.run_with(&[say], "").ok();
    }
    let requests = server.requests();
    let mut chats = requests.iter().filter(|request| request.body.get("response_format").is_none());
    chats.next_back().unwrap().shown()
}

#[test]
fn an_episode_of_what_is_no_longer_so_says_so() {
    let server = Server::new().reply(Reply::text("ok")).start();
    let said = json!({"quote": "I live in Paris and love it"});
    let fact = json!({"subject": "user", "relation": "lives_in", "object": "Paris"});
    let file = json!([
        {"memory_id": "a", "content": "The user lives in Paris", "fact": fact, "superseded_by": "b",
            "evidence": {"quote": "I live in Paris"}},
        {"memory_id": "b", "content": "The user lives in Rome"},
        {"memory_id": "c", "content": "The user told how much they love living in Paris",
            "memory_type": "episodic", "evidence": said},
    ]);
    let test = Test::new().server(&server).file(".memory/demo-user.json", &file.to_string());
    test.run_with(&["how do they love living in Paris?"], "").ok();
    let system = server.requests()[0].shown();
    assert!(system.contains(r#""note":"no longer so""#), "{system}");
}

#[test]
fn the_graph_is_drawn_for_people_and_for_other_programs() {
    let boss = json!({"subject": "user", "relation": "reports_to", "object": "王建国"});
    let town = json!({"subject": "王建国", "relation": "from", "object": "绵阳"});
    let file = json!([
        {"memory_id": "a", "content": "用户的老板是王建国", "fact": boss},
        {"memory_id": "b", "content": "王建国的老家在绵阳", "fact": town, "valid_from": "2020-01-01"},
    ]);
    let server = Server::new().start();
    let test = Test::new().server(&server).file(".memory/demo-user.json", &file.to_string());
    test.run_with(&[], "/graph\n/graph 王建国 --as-of 2019-01-01\n/graph nobody\n")
        .ok()
        .stdout_has("绵阳")
        .stdout_has("nobody and nothing is known as \"nobody\"");
    test.run_with(&[], "/graph --wide\n").code(2).stderr_has("--depth");
    for (format, part) in [
        ("dot", "digraph"),
        ("mermaid", "flowchart"),
        ("graphml", "<graphml"),
        ("cypher", "MERGE"),
        ("json", "\"nodes\""),
        ("html", "Content-Security-Policy"),
        ("tree", "绵阳"),
    ] {
        test.run_with(&["memory", "graph", "--format", format], "").ok().stdout_has(part);
    }
    test.run_with(&["memory", "graph", "--format", "dot", "zebra"], "").code(1).stderr_has("zebra");
}

#[test]
fn a_model_asks_the_graph() {
    let ask = |arguments: Value| Reply::calls([("query_graph", arguments)]);
    let server = Server::new()
        .reply(ask(json!({"entity": "user", "relation": "residence"})))
        .reply(ask(json!({"entity": "me", "as_of": "2021-06-01"})))
        .reply(ask(json!({"entity": "me", "as_of": "blue"})))
        .reply(Reply::text("Berlin now, Paris then."))
        .start();
    let home = |city: &str| json!({"subject": "user", "relation": "lives_in", "object": city});
    let file = json!([
        {"memory_id": "a", "content": "The user lives in Paris", "fact": home("Paris"), "valid_to": "2022-01-01",
            "superseded_by": "b"},
        {"memory_id": "b", "content": "The user lives in Berlin", "fact": home("Berlin"), "valid_from": "2022-01-01"},
    ]);
    let test = Test::new().server(&server).file(".memory/demo-user.json", &file.to_string());
    test.run_with(&["where do I live, and where did I?"], "").ok();
    let requests = server.requests();
    let last = |number: usize| requests[number].messages().last().unwrap()["content"].to_string();
    assert!(last(1).contains("Berlin") && !last(1).contains("Paris"), "{}", last(1));
    assert!(last(2).contains("Paris") && !last(2).contains("Berlin"), "{}", last(2));
    assert!(last(3).contains("as_of is no date"), "{}", last(3));
}

#[test]
fn the_third_run_knows_who_asks_and_what_about() {
    let system = alex(
        [
            "I am Alex, a conservative investor, mainly interested in established tech stocks",
            "What do you think of Apple (AAPL)?",
            "Given my goals, what alternatives to that stock are there?",
        ],
        &[
            fact("I am Alex", "The user's name is Alex", "name", "Alex"),
            fact(
                "a conservative investor, mainly interested in established tech stocks",
                "The user is a conservative investor, mainly interested in established tech stocks",
                "style",
                "conservative",
            ),
        ],
    );
    for part in ["Alex", "conservative investor", "\"type\":\"episodic\"", "AAPL"] {
        assert!(system.contains(part), "{part} is not in {system}");
    }
}

#[test]
fn the_third_run_knows_it_in_chinese_too() {
    let system = alex(
        [
            "我叫小林，是保守型投资者，主要关注成熟的科技股",
            "你觉得苹果公司（AAPL）怎么样？",
            "结合我的目标，那只股票有什么替代品？",
        ],
        &[
            fact("我叫小林", "用户叫小林", "name", "小林"),
            fact(
                "是保守型投资者，主要关注成熟的科技股",
                "用户是保守型投资者，主要关注成熟的科技股",
                "style",
                "保守型",
            ),
        ],
    );
    for part in ["小林", "保守型投资者", "\"type\":\"episodic\"", "AAPL"] {
        assert!(system.contains(part), "{part} is not in {system}");
    }
}
