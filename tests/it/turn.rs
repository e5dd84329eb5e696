//! The turn and its tools, through the binary.

use serde_json::{Value, json};

use crate::server::{Reply, Server, embedding};
use crate::support::Test;

fn upsert(content: &str) -> (&'static str, Value) {
    ("upsert_memory", json!({"content": content, "context": "self-introduction", "memory_type": "semantic"}))
}

/// The text of the tool answers in the last request.
fn tool_answers(server: &Server) -> Vec<String> {
    let last = server.requests().pop().expect("a request");
    let answers = last.messages().iter().filter(|message| message["role"] == "tool");
    answers.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_one_process_is_told_another_one_recalls() {
    let server = Server::new()
        .reply(Reply::text_and_calls("好的。", [upsert("用户叫张三")]))
        .reply(Reply::text("你好，张三！"))
        .reply(Reply::text("你叫张三。"))
        .start();
    let test = Test::new().server(&server).args(["--recall-in", "system"]);
    let run = test.run_with(&[], "我叫张三\n/memories\n/exit\n");
    run.ok()
        .stdout("好的。\n你好，张三！\n1. [semantic / 语义记忆] 用户叫张三 | self-introduction\n")
        .stderr("💾 m1 remembered: 用户叫张三\n");
    let record = &test.memory_file("demo-user")[0];
    let keys: Vec<&String> = record.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["memory_id", "content", "context", "created_at", "updated_at", "memory_type", "embedding"]
    );
    assert_eq!(record["embedding"], Value::Null);

    test.run_with(&["--once", "张三是谁？"], "").ok().stdout("你叫张三。\n").stderr("");
    let requests = server.requests();
    assert!(requests[0].system().contains("No memory matches"), "{}", requests[0].system());
    let recalled =
        r#"{"id":"m1","type":"semantic","content":"用户叫张三","context":"self-introduction","date":"20"#;
    assert!(requests[2].shown().contains(recalled), "{}", requests[2].shown());
    assert_eq!(requests[2].tools(), ["upsert_memory", "search_memory", "query_graph", "forget_memory"]);
    let ids = |request: usize| {
        let parameters = &requests[request].body["tools"][0]["function"]["parameters"];
        parameters["properties"]["memory_id"]["enum"].clone()
    };
    assert_eq!((ids(0), ids(2)), (json!(["new"]), json!(["new", "m1"])));
}

#[test]
fn the_answer_names_what_was_written() {
    let server = Server::new().reply(Reply::calls([upsert("a")])).reply(Reply::text("ok")).start();
    let test = Test::new().server(&server);
    test.run_with(&["--once", "remember a"], "").ok();
    let id = test.memory_file("demo-user")[0]["memory_id"].as_str().unwrap().to_owned();
    let answer: Value = serde_json::from_str(&tool_answers(&server)[0]).unwrap();
    assert_eq!(answer, json!({"saved": true, "id": "m1", "memory_id": id, "content": "a"}));
}

#[test]
fn a_memory_is_updated_by_short_id_and_by_uuid() {
    let change = |id: &str, content: &str| {
        let arguments =
            json!({"content": content, "context": "", "memory_type": "episodic", "memory_id": id});
        ("upsert_memory", arguments)
    };
    let server = Server::new()
        .reply(Reply::calls([change("m1", "second")]))
        .reply(Reply::text("ok"))
        .reply(Reply::calls([change("11111111-1111-4111-8111-111111111111", "third")]))
        .reply(Reply::text("ok"))
        .start();
    let record = json!([{"memory_id": "11111111-1111-4111-8111-111111111111", "content": "first",
        "context": "", "created_at": "2026-01-01T00:00:00", "updated_at": "2026-01-01T00:00:00",
        "memory_type": "semantic", "embedding": null}]);
    let test = Test::new().server(&server).file(".memory/demo-user.json", &record.to_string());
    let run = test.run_with(&[], "now it is second\nnow it is third\n");
    run.ok().stderr("💾 m1 updated: second\n💾 m1 updated: third\n");
    let memories = test.memory_file("demo-user");
    assert_eq!(memories.as_array().unwrap().len(), 1);
    assert_eq!((&memories[0]["content"], &memories[0]["memory_type"]), (&json!("third"), &json!("episodic")));
    assert_eq!(memories[0]["created_at"], "2026-01-01T00:00:00");
    assert_ne!(memories[0]["updated_at"], "2026-01-01T00:00:00");
}

#[test]
fn what_is_about_something_else_is_a_memory_of_its_own() {
    let call = |content: &str, id: &str| {
        let arguments =
            json!({"content": content, "context": "", "memory_type": "semantic", "memory_id": id});
        Reply::calls([("upsert_memory", arguments)])
    };
    let server = Server::new()
        .reply(call("The user's parrot is called Coco", "m1"))
        .reply(Reply::text("ok"))
        .reply(call("The user hates coriander", "coriander"))
        .reply(Reply::text("ok"))
        .start();
    let record = json!([{"memory_id": "a", "content": "The user's cat is called Pixel"}]);
    let test = Test::new().server(&server).file(".memory/demo-user.json", &record.to_string());
    let run = test.run_with(&[], "My parrot is called Coco.\nI hate coriander\n");
    run.ok().stderr(
        "💾 m2 remembered: The user's parrot is called Coco\n💾 m3 remembered: The user hates coriander\n",
    );
    assert_eq!(test.memory_file("demo-user")[0]["content"], "The user's cat is called Pixel");
}

#[test]
fn an_unknown_id_is_an_error_that_lists_the_valid_ones() {
    let wrong = json!({"content": "x", "context": "", "memory_type": "semantic", "memory_id": "m7"});
    let server = Server::new()
        .reply(Reply::calls([upsert("known fact")]))
        .reply(Reply::text("ok"))
        .reply(Reply::calls([("upsert_memory", wrong)]))
        .reply(Reply::text("sorry"))
        .start();
    let test = Test::new().server(&server);
    test.run_with(&[], "one\ntwo\n").ok().stdout("ok\nsorry\n");
    assert_eq!(test.memory_file("demo-user").as_array().unwrap().len(), 1);
    let answer = &tool_answers(&server)[0];
    assert!(answer.contains("m7") && answer.contains("m1 (known fact)"), "{answer}");
}

#[test]
fn every_call_of_a_reply_is_run_and_answered() {
    let server = Server::new()
        .reply(Reply::calls([
            upsert("one"),
            ("forget_everything", json!({})),
            ("upsert_memory", json!("{\"content\": \"half")),
            ("upsert_memory", json!({"context": "no content"})),
            upsert("two"),
        ]))
        .reply(Reply::text("done"))
        .start();
    let test = Test::new().server(&server);
    let run = test.run_with(&["--once", "go"], "");
    run.ok()
        .stdout("done\n")
        .stderr("💾 m1 remembered: one\n💾 m2 remembered: two\n💾 2 memories written in this turn\n");
    let answers = tool_answers(&server);
    assert!(
        answers[1].contains("there is no tool") && answers[1].contains("upsert_memory"),
        "{}",
        answers[1]
    );
    assert!(answers[2].contains("not a JSON object"), "{}", answers[2]);
    assert!(answers[3].contains("content is missing"), "{}", answers[3]);
}

#[test]
fn a_repeated_call_is_not_run_again() {
    let again =
        json!({"content": "once", "context": "said so", "memory_type": "semantic", "memory_id": "m1"});
    let server = Server::new()
        .reply(Reply::calls([upsert("once"), upsert("once")]))
        .reply(Reply::calls([upsert("once"), ("upsert_memory", again)]))
        .reply(Reply::text("done"))
        .start();
    let test = Test::new().server(&server);
    test.run_with(&["--once", "go"], "").ok().stderr("💾 m1 remembered: once\n");
    assert_eq!(test.memory_file("demo-user").as_array().unwrap().len(), 1);
    assert!(tool_answers(&server).iter().skip(1).all(|answer| answer.contains("already_done")));
}

#[test]
fn a_call_that_failed_may_be_tried_again() {
    let server = Server::new()
        .reply(Reply::calls([upsert("")]))
        .reply(Reply::calls([upsert("")]))
        .reply(Reply::text("done"))
        .start();
    Test::new().server(&server).run_with(&["--once", "go"], "").ok();
    assert!(tool_answers(&server).iter().all(|answer| answer.contains("content is missing")));
}

#[cfg(unix)]
#[test]
fn ctrl_c_is_heard_while_a_tool_waits() {
    use std::io::Read;
    // An embeddings endpoint that takes the connection and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let server = Server::new().reply(Reply::calls([upsert("a"), upsert("b")])).start();
    let test = Test::new().server(&server).env("MINI_CHATGPT_EMBEDDING_BASE_URL", &address).args([
        "--embeddings",
        "remote",
        "--embedding-model",
        "m",
        "--once",
        "go",
    ]);
    let mut live = test.spawn();
    live.close_stdin();
    let (mut connection, _) = silent.accept().unwrap();
    connection.read_exact(&mut [0; 16]).unwrap();
    live.interrupt();
    live.wait().code(130);
    assert!(!test.path(".memory/demo-user.json").exists());
}

#[test]
fn the_last_round_is_asked_without_tools() {
    let call = |number: usize| Reply::calls([upsert(&format!("fact {number}"))]);
    let server = Server::new()
        .replies((1..=4).map(call))
        .reply(Reply::text("at last"))
        .replies((5..=6).map(call))
        .reply(call(7))
        .start();
    let test = Test::new().server(&server);
    test.run_with(&["--once", "go"], "").ok().stdout("at last\n");
    let offered: Vec<usize> = server.requests().iter().map(|request| request.tools().len()).collect();
    assert_eq!(offered, [4, 4, 4, 4, 0]);
    assert!(server.requests()[4].system().ends_with("Answer the user now, in plain words."));

    // A model that calls all the same gives no answer, and that is said.
    let run = test.run_with(&["--once", "go", "--max-rounds", "3"], "");
    run.code(1).stdout("").stderr_has("error: no answer after 3 rounds of tool calls\nhint: ");
}

#[test]
fn only_the_message_and_the_final_answer_enter_the_history() {
    let server = Server::new()
        .reply(Reply::text_and_calls("Let me note that.", [upsert("a")]))
        .reply(Reply::text("Noted."))
        .reply(Reply::text("Bye."))
        .start();
    Test::new()
        .server(&server)
        .run_with(&[], "remember a\nbye\n")
        .ok()
        .stdout("Let me note that.\nNoted.\nBye.\n");
    let last = server.requests().pop().unwrap();
    assert_eq!(last.said(), ["remember a", "Noted.", "bye"]);
}

#[test]
fn an_unknown_memory_type_is_stored_as_semantic_and_logged() {
    let odd = json!({"content": "a", "context": "b", "memory_type": "preference"});
    let server = Server::new().reply(Reply::calls([("upsert_memory", odd)])).reply(Reply::text("ok")).start();
    let test = Test::new().server(&server);
    let run = test.run_with(&["--once", "go", "--log-level", "info"], "");
    run.ok().stderr_has("unknown memory_type, stored as semantic");
    assert_eq!(test.memory_file("demo-user")[0]["memory_type"], "semantic");
}

#[test]
fn a_failed_write_is_told_to_the_model_and_to_the_person() {
    let server = Server::new().reply(Reply::calls([upsert("a")])).reply(Reply::text("I could not.")).start();
    let test = Test::new().server(&server).file("blocked", "a file where a folder should be");
    let run = test.run_with(&["--once", "go", "--memory-dir", "blocked"], "");
    run.ok().stdout("I could not.\n").stderr_has("warning: not remembered: cannot create the folder");
    assert!(tool_answers(&server)[0].contains("not saved"), "{:?}", tool_answers(&server));
}

#[test]
fn vectors_find_what_words_do_not() {
    let server = Server::new()
        .with_embeddings()
        .reply(Reply::calls([upsert("likes green tea"), upsert("owns a boat")]))
        .reply(Reply::text("ok"))
        .reply(Reply::text("tea"))
        .start();
    let test = Test::new().server(&server).args([
        "--embeddings",
        "remote",
        "--embedding-model",
        "tiny",
        "--top-k",
        "1",
    ]);
    test.run_with(&["--once", "hello"], "").ok();
    let memory = &test.memory_file("demo-user")[0];
    assert_eq!(memory["embedding_model"], "tiny");
    let expected = embedding("likes green tea\nself-introduction");
    let stored = memory["embedding"].as_array().unwrap();
    assert!(stored.iter().zip(&expected).all(|(a, b)| (a.as_f64().unwrap() - f64::from(*b)).abs() < 1e-4));
    test.run_with(&["--once", "likes green tea self-introduction"], "").ok();
    let system = server.requests().pop().unwrap().shown();
    assert!(system.contains("likes green tea") && !system.contains("owns a boat"), "{system}");
}

#[test]
fn without_vectors_recall_goes_on_by_words_and_says_so_once() {
    let server = Server::new()
        .embeddings_fail(503)
        .reply(Reply::calls([upsert("one")]))
        .reply(Reply::text("ok"))
        .reply(Reply::calls([upsert("two")]))
        .reply(Reply::text("ok"))
        .start();
    let test = Test::new().server(&server).args(["--embeddings", "remote", "--embedding-model", "tiny"]);
    let run = test.run_with(&[], "first\nsecond\n");
    run.ok();
    assert_eq!(run.stderr.matches("no embeddings").count(), 1, "{}", run.stderr);
    assert_eq!(test.memory_file("demo-user").as_array().unwrap().len(), 2);
}

#[test]
fn a_debug_log_tells_the_whole_turn_and_no_key() {
    let server = Server::new()
        .require_key("sk-test")
        .reply(Reply::calls([upsert("a fact")]))
        .reply(Reply::text("fine"))
        .start();
    let test = Test::new().server(&server);
    test.run_with(&["--once", "the message", "--log-level", "debug", "--log-file", "log"], "")
        .ok()
        .stderr_lacks("DEBUG");
    let log = test.read("log");
    for part in ["the message", "a fact", "tool answered", "fine", "upsert_memory"] {
        assert!(log.contains(part), "{part} is not in\n{log}");
    }
    assert!(!log.contains("sk-test"), "{log}");
}

#[test]
fn what_is_known_is_not_written_again() {
    let server = Server::new()
        .reply(Reply::calls([upsert("用户对花生过敏")]))
        .reply(Reply::text("ok"))
        .reply(Reply::calls([upsert("用戶對花生過敏。")]))
        .reply(Reply::text("I know"))
        .start();
    let test = Test::new().server(&server);
    let run = test.run_with(&[], "one\ntwo\n");
    run.ok();
    assert_eq!(run.stderr.matches("remembered").count(), 1, "{}", run.stderr);
    assert_eq!(test.memory_file("demo-user").as_array().unwrap().len(), 1);
    assert!(tool_answers(&server)[0].contains("already_known"), "{:?}", tool_answers(&server));
}
