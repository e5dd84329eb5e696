//! `mini-chatgpt memory …` and the built-in model, as scripts and people meet them.

use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::Test;

/// The built-in model is on, which the harness turns off elsewhere.
fn with_model() -> Test {
    Test::new().env("MINI_CHATGPT_EMBEDDINGS", "builtin")
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn pantry() -> String {
    lines(&[
        json!({"id": "p", "content": "用户对花生过敏，吃了会起疹子", "context": "自我介绍"}),
        json!({"id": "d", "content": "The user has a dog named Rex", "memory_type": "episodic"}),
        json!({"id": "c", "content": "The user lives in Chengdu and cycles to work"}),
        json!({"id": "b", "content": "Rents a boat", "user": "other"}),
    ])
}

fn hits(line: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(line).unwrap()["hits"].as_array().unwrap().clone()
}

#[test]
fn a_question_finds_a_memory_of_the_other_language() {
    let test = with_model();
    test.run_with(&["memory", "import", "-"], pantry())
        .ok()
        .stdout_has("took in 4 memories of 2 users: 4 new");
    let run =
        test.run_with(&["memory", "search", "--json", "-"], "Which nuts must I avoid?\n我的狗叫什么名字？\n");
    run.ok();
    let answers: Vec<Vec<Value>> = run.stdout.lines().map(hits).collect();
    assert_eq!(
        (&answers[0][0]["memory_id"], &answers[1][0]["memory_id"]),
        (&json!("p"), &json!("d")),
        "{}",
        run.stdout
    );
    for hit in [&answers[0][0], &answers[1][0]] {
        assert!(hit["relevance"].as_f64().unwrap() >= 0.4, "{hit}");
        assert!(hit["vector"].as_f64().unwrap() > 0.1 && hit["lexical"] == 0.0, "{hit}");
    }
    let record = &test.memory_file("demo-user")[0];
    assert_eq!(record.as_object().unwrap().len(), 8, "{record}");
    assert_eq!(record["source"], "imported");
    assert_eq!(record["embedding"].as_array().unwrap().len(), 384);
}

#[test]
fn a_turn_recalls_across_languages_and_shows_the_best() {
    let server = Server::new().reply(Reply::text("no peanuts")).start();
    let test = with_model().server(&server);
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    test.run_with(&["--once", "Which nuts must I avoid?", "--inject", "1"], "").ok();
    let system = server.requests().pop().unwrap().shown();
    assert!(system.contains("花生") && !system.contains("Rex"), "{system}");
}

#[test]
fn what_is_not_relevant_is_not_shown() {
    let server = Server::new().reply(Reply::text("42")).reply(Reply::text("42")).start();
    let test = with_model().server(&server);
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    test.run_with(&["--once", "Prove that the square root of two is irrational"], "").ok();
    test.run_with(&["--once", "What is the capital of Peru?", "--min-relevance", "0"], "").ok();
    let shown: Vec<String> = server.requests().iter().map(crate::server::Request::last_user).collect();
    assert_eq!(shown[0], "Prove that the square root of two is irrational");
    assert!(shown[1].starts_with("<memories>"), "{}", shown[1]);
}

#[test]
fn a_user_in_a_line_is_that_users() {
    let test = Test::new();
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    let queries = lines(&[json!({"query": "boat", "user": "other"}), json!({"query": "boat"})]);
    let run = test.run_with(&["memory", "search", "--json", "--limit", "1", "-"], &queries);
    run.ok();
    let counts: Vec<usize> = run.stdout.lines().map(|line| hits(line).len()).collect();
    assert_eq!(counts, [1, 0], "{}", run.stdout);
}

#[test]
fn reading_the_same_file_twice_changes_nothing() {
    let test = with_model()
        .file("file.jsonl", "{\"content\": \"likes tea\"}\n{\"content\": \"owns a boat\", \"id\": \"b\"}\n");
    test.run_with(&["memory", "import", "file.jsonl"], "").ok().stdout_has("2 new");
    let before = test.memory_file("demo-user");
    test.run_with(&["memory", "import", "file.jsonl"], "").ok().stdout_has("0 new, 0 updated, 2 unchanged");
    assert_eq!(test.memory_file("demo-user"), before);
}

#[test]
fn a_bad_line_takes_nothing_in_and_is_named() {
    let test = Test::new().file("file.jsonl", "{\"content\": \"likes tea\"}\n{\"content\": 7}\n");
    test.run_with(&["memory", "import", "file.jsonl"], "")
        .code(1)
        .stderr_has("file.jsonl, line 2")
        .stderr_has("hint:");
    test.run_with(&["memory", "import", "nowhere"], "").code(1).stderr_has("nowhere");
    test.run_with(&["memory", "list"], "").ok().stdout("no memories yet\n");
}

#[test]
fn what_is_exported_can_be_imported() {
    let test = with_model();
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    for format in ["json", "jsonl"] {
        let exported = test.run_with(&["memory", "export", "--format", format], "");
        exported.ok();
        let other = with_model();
        other.run_with(&["memory", "import", "-"], &exported.stdout).ok().stdout_has("3 new");
        assert_eq!(other.memory_file("demo-user"), test.memory_file("demo-user"), "{format}");
    }
    let readable = test.run_with(&["memory", "export", "--format", "md"], "");
    readable
        .ok()
        .stdout_has("# demo-user")
        .stdout_has("- [semantic / 语义记忆] 用户对花生过敏，吃了会起疹子 | 自我介绍");
    test.run_with(&["memory", "list", "--json"], "").ok().stdout_has("\"id\":\"d\"");
}

#[test]
fn vectors_of_another_model_are_renewed_by_and_by() {
    let server = Server::new().reply(Reply::text("hi")).start();
    let foreign = json!([
        {"memory_id": "1", "content": "用户对花生过敏", "context": "", "created_at": "2026-01-01T00:00:00",
            "updated_at": "2026-01-01T00:00:00", "memory_type": "semantic", "embedding": [0.5, 0.5]},
        {"memory_id": "2", "content": "owns a boat", "context": "", "created_at": "2026-01-01T00:00:00",
            "updated_at": "2026-01-01T00:00:00", "memory_type": "semantic", "embedding": null}
    ]);
    let test = with_model().server(&server).file(".memory/demo-user.json", &foreign.to_string());
    test.run_with(&["--once", "hello"], "").ok();
    for record in test.memory_file("demo-user").as_array().unwrap() {
        assert_eq!(record["embedding"].as_array().unwrap().len(), 384, "{record}");
        assert_eq!(record.as_object().unwrap().len(), 7, "{record}");
    }
}

#[test]
fn a_search_shows_its_scores_in_both_languages() {
    let test = Test::new();
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    test.run_with(&["memory", "search", "dog"], "").ok().stdout_has("The user has a dog named Rex (words ");
    test.run_with(&["memory", "search", "--lang", "zh", "花生"], "").ok().stdout_has("（字词 ");
    test.run_with(&["memory", "search", "zebra"], "").ok().stdout("Nothing found.\n");
    test.run_with(&["memory", "search", " "], "").code(2).stderr_has("nothing to look for");
    test.run_with(&["memory", "serch"], "").code(2).stderr_has("no command memory serch");
    test.run_with(&["memory"], "").code(2).stderr_has("memory list, search, show, add");
    test.run_with(&["memory", "--help"], "").ok().stdout_has("Take memories in");
}

#[test]
fn slash_search_shows_what_recall_finds() {
    let server = Server::new().start();
    let test = Test::new().server(&server);
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    test.run_with(&[], "/search boat\n/search dog\n/search\n")
        .ok()
        .stdout_has("Nothing found")
        .stdout_has("named Rex");
    assert!(server.requests().is_empty());
}

#[test]
fn embeddings_are_said_in_so_many_words() {
    let test = Test::new();
    for (arguments, part) in [
        (["--embeddings", "magic"], "none of builtin, remote, off"),
        (["--embeddings", "remote"], "--embedding-model"),
        (["--min-relevance", "2"], "not a number from 0 to 1"),
        (["--inject", "many"], "not a whole number"),
    ] {
        test.run_with(&[arguments[0], arguments[1], "memory", "list"], "").code(2).stderr_has(part);
    }
}

#[test]
fn single_memories_are_seen_rewritten_and_deleted_in_a_script() {
    let server = Server::new().start();
    let test = Test::new().server(&server);
    let run = test.run_with(
        &[],
        "/remember 我对花生过敏\n/remember likes tea\n/memories\n/edit m2 likes coffee\n/memory m2\n/forget m1\n\
         /memories\n/remember one more\n/memories\n",
    );
    run.ok();
    for part in [
        "💾 m1 remembered: 我对花生过敏",
        "1. [semantic / 语义记忆] 我对花生过敏\n2. [semantic / 语义记忆] likes tea\n",
        "💾 m2 updated: likes coffee",
        "content  likes coffee\n",
        "🗑 forgotten: 我对花生过敏\n2. [semantic / 语义记忆] likes coffee\n",
        // A number is never given to another memory.
        "2. [semantic / 语义记忆] likes coffee\n3. [semantic / 语义记忆] one more\n",
    ] {
        run.stdout_has(part);
    }
    assert_eq!(test.memory_file("demo-user").as_array().unwrap().len(), 2);
    assert!(!test.read(".memory/demo-user.json").contains("花生"));
    assert!(server.requests().is_empty());
}

#[test]
fn a_script_deletes_by_id_and_not_by_what_a_memory_says() {
    let server = Server::new().start();
    let test = Test::new().server(&server);
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    let run =
        test.run_with(&[], "/forget Rex\n/forget zebra\n/forget\n/edit m9 x\n/edit m1\n/remember\n/memory\n");
    run.ok();
    for part in [
        "/forget m2",
        "no memory is called \"zebra\"",
        "/forget m3",
        "\"m9\"",
        "/edit m3 TEXT",
        "/remember TEXT",
    ] {
        run.stderr_has(part);
    }
    assert_eq!(test.memory_file("demo-user").as_array().unwrap().len(), 3);
}

#[test]
fn what_people_can_do_with_a_memory_scripts_can_do_too() {
    let test = with_model();
    let added = test.run_with(&["memory", "add", "--json", "likes", "tea"], "");
    added.ok();
    let id = serde_json::from_str::<Value>(&added.stdout).unwrap()["id"].as_str().unwrap().to_owned();
    let short = id.get(..8).unwrap();
    test.run_with(&["memory", "list"], "")
        .ok()
        .stdout(&format!("1. [semantic / 语义记忆] likes tea ({short})\n"));
    test.run_with(&["memory", "edit", short, "likes", "coffee"], "").ok().stdout_has("updated: likes coffee");
    test.run_with(&["memory", "show", &id], "").ok().stdout_has("vector  384");
    test.run_with(&["memory", "show", "--json", short], "").ok().stdout_has("\"content\":\"likes coffee\"");
    test.run_with(&["memory", "add", "owns a boat"], "").ok();
    test.run_with(&["memory", "show", "nothing"], "").code(1).stderr_has("nothing").stderr_has("memory list");
    test.run_with(&["memory", "forget", short], "").code(2).stderr_has("--yes");
    assert_eq!(test.memory_file("demo-user").as_array().unwrap().len(), 2);
    test.run_with(&["memory", "forget", "--yes", short], "").ok().stdout_has("forgotten: likes coffee");
    assert_eq!(test.memory_file("demo-user")[0]["content"], "owns a boat");
    test.run_with(&["memory", "add", " "], "").code(2).stderr_has("memory add TEXT");
    test.run_with(&["memory", "add", &"x".repeat(4001)], "").code(2).stderr_has("4001");
}

#[test]
fn an_id_that_could_be_several_is_refused() {
    let test = Test::new();
    test.run_with(
        &["memory", "import", "-"],
        "{\"id\":\"ab1\",\"content\":\"x\"}\n{\"id\":\"ab2\",\"content\":\"y\"}\n",
    )
    .ok();
    test.run_with(&["memory", "forget", "--yes", "ab"], "").code(1).stderr_has("2 memories");
    test.run_with(&["memory", "forget", "--yes", "ab2"], "").ok();
    assert_eq!(test.memory_file("demo-user")[0]["memory_id"], "ab1");
}

#[test]
fn a_damaged_file_is_told_and_is_no_good_export() {
    let test =
        Test::new().file(".memory/demo-user.json", "[{\"memory_id\": \"a\", \"content\": \"precious\"");
    test.run_with(&["memory", "export"], "").code(1).stdout("[]\n").stderr_has("demo-user.damaged-1.json");
    let test = Test::new().file(".memory/demo-user.json", "[{\"note\": 1}]");
    test.run_with(&["memory", "list"], "").ok().stdout("no memories yet\n").stderr_has("1 entries");
    test.run_with(&["memory", "export"], "").ok().stdout_has("\"note\": 1");
}

#[test]
fn a_search_makes_the_vectors_that_are_missing_first() {
    let test = with_model().file(
        ".memory/demo-user.json",
        r#"[{"memory_id": "d", "content": "The user has a dog named Rex", "embedding": [0.5]}]"#,
    );
    let run = test.run_with(&["memory", "search", "--json", "我的狗叫什么名字？"], "");
    run.ok().stderr("");
    assert!(hits(&run.stdout)[0]["vector"].is_number(), "{}", run.stdout);
    assert_eq!(test.memory_file("demo-user")[0]["embedding"].as_array().unwrap().len(), 384);
}

#[test]
fn odd_lines_of_a_search_are_answered_too() {
    let test = Test::new();
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    let run =
        test.run_with(&["--json", "memory", "search", "-"], b"\xEF\xBB\xBFRex\r\n\xff\xfe\n\nChengdu\n");
    run.ok().stderr_has("line 2");
    let found: Vec<usize> = run.stdout.lines().map(|line| hits(line).len()).collect();
    assert_eq!(found, [1, 0, 0, 1], "{}", run.stdout);
    assert!(run.stdout.starts_with("{\"query\":\"Rex\""), "{}", run.stdout);
}

#[test]
fn usage_errors_name_the_word() {
    let test = Test::new();
    for (arguments, part) in [
        (&["memory", "search", "--limit", "abc", "x"][..], "\"abc\""),
        (&["memory", "export", "--format", "xml"], "\"xml\""),
        (&["memory", "export", "out.json"], "out.json is one word too many"),
    ] {
        test.run_with(arguments, "").code(2).stderr_has(part);
    }
    // Reading one's own file needs nobody.
    let remote = ["--embeddings", "remote", "--embedding-model", "e", "memory", "list"];
    test.run_with(&remote, "").ok();
}

#[test]
fn why_says_what_the_answer_had_and_what_it_had_not() {
    let server = Server::new().reply(Reply::text("no peanuts")).start();
    let test = with_model().server(&server);
    test.run_with(&["memory", "import", "-"], pantry()).ok();
    let run = test.run_with(&["--inject", "1"], "/why\nWhich nuts must I avoid?\n/why\n");
    run.ok().stderr_has("nothing was asked yet").stdout_has("recalled for \"Which nuts must I avoid?\"");
    let lines: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("0.")).collect();
    assert!(lines[0].contains(" shown m1 ") && lines[0].contains("花生"), "{lines:?}");
    assert!(
        lines[1..].iter().all(|line| line.contains(" no room ") || line.contains(" too far ")),
        "{lines:?}"
    );
    let system = server.requests().pop().unwrap().shown();
    assert!(system.contains("花生") && !system.contains("Rex"), "{system}");
}
