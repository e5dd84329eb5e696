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
    chats.next_back().unwrap().system()
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
    for part in ["What you know:", "Alex", "conservative investor", "What happened:", "AAPL"] {
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
    for part in ["小林", "保守型投资者", "What happened:", "AAPL"] {
        assert!(system.contains(part), "{part} is not in {system}");
    }
}
