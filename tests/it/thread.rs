//! Threads: a conversation outlives the process, a crash and a second process.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::Test;

/// The files of all threads, by name.
pub fn thread_files(test: &Test, user: &str) -> Vec<PathBuf> {
    let folder = test.path(&format!(".memory/{user}/threads"));
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The lines of the only thread.
pub fn lines(test: &Test) -> Vec<Value> {
    let files = thread_files(test, "demo-user");
    assert_eq!(files.len(), 1, "{files:?}");
    let text = fs::read_to_string(&files[0]).unwrap();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn answers<const N: usize>(answers: [&str; N]) -> Server {
    Server::new().replies(answers.map(Reply::text)).start()
}

#[test]
fn a_conversation_goes_on_in_the_next_run() {
    let server = answers(["Hello Lena", "blue", "again blue", "elsewhere"]);
    let test = Test::new().server(&server);
    test.run_with(&["--thread", "colours"], "I am Lena\n").ok().stderr("New thread colours\n");
    let run = test.run_with(&["-c"], "my colour?\n");
    run.ok().stdout("blue\n").stderr("Going on: I am Lena (colours, 1 turn)\n> I am Lena\nHello Lena\n");
    test.run_with(&["--resume", "lena", "and now?"], "").ok().stdout("again blue\n");
    test.run_with(&["--thread", "other", "hi"], "").ok();
    let requests = server.requests();
    assert_eq!(requests[2].said(), ["I am Lena", "Hello Lena", "my colour?", "blue", "and now?"]);
    assert_eq!(requests[3].said(), ["hi"]);
    let files = thread_files(&test, "demo-user");
    assert!(files[0].ends_with("colours.jsonl") && files.len() == 2, "{files:?}");
    let first = fs::read_to_string(&files[0]).unwrap();
    let lines: Vec<Value> = first.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[0]["role"], "user");
    assert_eq!(lines[1]["model"], "test-model");
    assert!(lines[1]["usage"]["prompt_tokens"].as_u64().unwrap() > 100, "{}", lines[1]);
    assert!(lines.iter().all(|line| line["at"].as_str().unwrap().ends_with("+08:00")));
}

#[test]
fn a_thread_that_is_not_there_is_told_of() {
    let server = answers(["ok"]);
    let test = Test::new().server(&server);
    test.run_with(&["-c"], "").ok().stderr("there is no thread to go on with; this is a new one\n");
    test.run_with(&["-r", "nothing"], "x\n")
        .code(1)
        .stderr_has("no thread has an id or a title like \"nothing\"");
    test.run_with(&["-r"], "x\n").code(2).stderr_has("outside a terminal, say which thread");
    test.run_with(&["--thread", "two words"], "x\n").code(2).stderr_has("cannot be the id of a thread");
    test.run_with(&["-c", "--thread", "x"], "x\n").code(2);
    assert_eq!(thread_files(&test, "demo-user"), Vec::<PathBuf>::new(), "nothing was said");
    test.run_with(&["--thread", "旅行"], "/thread\n好\n/id\n")
        .ok()
        .stdout("旅行 (nothing said yet)\nok\n旅行\n");
}

#[test]
fn a_second_process_forks_the_thread() {
    let server = answers(["one", "two", "three"]);
    let test = Test::new().server(&server);
    let mut first = test.spawn_with(&["--thread", "shared"]);
    first.send_line("a");
    first.wait_stdout("one");
    let run = test.run_with(&["--thread", "shared"], "b\n");
    run.ok().stderr_has("another process has thread shared open; from here on you talk in a copy of it");
    first.send_line("c");
    first.wait_stdout("three");
    first.finish().ok();
    let requests = server.requests();
    assert_eq!(requests[1].said(), ["a", "one", "b"]);
    assert_eq!(requests[2].said(), ["a", "one", "c"]);
    assert_eq!(thread_files(&test, "demo-user").len(), 2);
}

#[test]
fn what_was_said_before_a_crash_is_there_afterwards() {
    let server =
        Server::new().reply(Reply::text("fine")).reply(Reply::hang()).reply(Reply::text("back")).start();
    let test = Test::new().server(&server);
    let mut live = test.spawn();
    live.send_line("how are you?");
    live.wait_stdout("fine");
    live.send_line("and this?");
    server.wait_for_requests(2);
    live.kill();
    drop(live.wait());
    let said: Vec<Value> = lines(&test).iter().map(|line| line["content"].clone()).collect();
    assert_eq!(said, ["how are you?", "fine", "and this?"]);
    // The crash has torn the last line of another program's pen as well.
    let file = &thread_files(&test, "demo-user")[0];
    let mut text = fs::read_to_string(file).unwrap();
    text.push_str("{\"role\":\"user\",\"at\":\"20");
    fs::write(file, text).unwrap();
    let run = test.run_with(&["-c"], "/retry\n");
    run.ok().stdout("back\n").stderr_has("the last message got no answer; /retry asks it again");
    assert_eq!(server.requests()[2].said(), ["how are you?", "fine", "and this?"]);
    assert_eq!(lines(&test).last().unwrap()["content"], "back");
}

#[test]
fn an_answer_asked_for_again_stays_on_disk() {
    let server = answers(["first", "second", "third"]);
    let test = Test::new().server(&server);
    test.run_with(&[], "hello\n/retry\nbye\n").ok();
    let lines = lines(&test);
    assert_eq!(lines[1]["content"], "first");
    assert_eq!((&lines[2]["replaces"], &lines[3]["content"]), (&json!(1), &json!("second")));
    assert_eq!(server.requests()[2].said(), ["hello", "second", "bye"]);
}

#[test]
fn only_the_last_of_several_attempts_counts() {
    let server = Server::new()
        .reply(Reply::text("one"))
        .reply(Reply::error(400, "not now"))
        .replies(["two", "three"].map(Reply::text))
        .start();
    let test = Test::new().server(&server);
    test.run_with(&[], "hello\n/retry\n/retry\nbye\n").code(1).stderr_has("not now");
    let said: Vec<Vec<String>> = server.requests().iter().map(crate::server::Request::said).collect();
    assert_eq!(said[1..], [vec!["hello"], vec!["hello"], vec!["hello", "two", "bye"]]);
}

#[test]
fn two_processes_that_begin_the_same_thread_do_not_mix() {
    let server = answers(["one", "two"]);
    let test = Test::new().server(&server);
    let mut first = test.spawn_with(&["--thread", "new"]);
    first.wait_stderr("New thread new");
    test.run_with(&["--thread", "new"], "b\n").ok();
    first.send_line("a");
    first.wait_stdout("two");
    first.finish().ok().stderr_has("another process has thread new open");
    assert_eq!(server.requests()[1].said(), ["a"]);
    assert_eq!(thread_files(&test, "demo-user").len(), 2);
}

#[test]
fn what_is_taken_back_is_not_encoded() {
    let server = Server::new().reply(Reply::text("ok")).start();
    let test = Test::new().server(&server).without_env("MINI_CHATGPT_ENCODE");
    test.run_with(&[], "I live in Rome now\n/rewind\n").ok();
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn turns_are_taken_back_and_changed() {
    let server = answers(["1", "2", "3", "2b", "4"]);
    let test = Test::new().server(&server);
    let run =
        test.run_with(&[], "/rewind\na\nb\nc\n/rewind 9x\n/rewind\n/edit-last b, but better\nd\n/rewind 9\n");
    run.ok()
        .stdout_has("Taken back: c\n2b\n4\nTaken back: a\nTaken back: b, but better\nTaken back: d\n")
        .stderr_has("there is nothing to take back");
    assert_eq!(server.requests()[3].said(), ["a", "1", "b, but better"]);
    assert_eq!(server.requests()[4].said(), ["a", "1", "b, but better", "2b", "d"]);
    assert_eq!(
        lines(&test).iter().filter(|line| line["role"] == "assistant").count(),
        5,
        "all of it is kept"
    );
}

#[test]
fn threads_are_listed_found_renamed_written_out_and_deleted() {
    let server = answers(["The Müller report is in the blue folder", "ok"]);
    let test = Test::new().server(&server);
    test.run_with(&["--thread", "work"], "where is it?\n").ok();
    test.run_with(&["--thread", "home"], "ＡＢＣ\n").ok();
    let run = test.run_with(
        &[],
        "/threads\n/threads BLUE müller\n/threads nothing\n/thread work\n/rename Reports\n/title\n",
    );
    run.ok()
        .stdout_has("  home  ＡＢＣ  just now · 1 turn\n")
        .stdout_has("  work  where is it?  just now · 1 turn\n    The Müller report is in the blue folder\n")
        .stdout_has("no thread mentions it\n")
        .stdout_has("Title: Reports\nTitle: Reports\n");
    test.run_with(
        &["-r", "reports"],
        "/export-thread md out.md\n/export-thread md out.md\n/export-thread pdf\n",
    )
    .ok()
    .stderr_has("out.md exists already and was not overwritten");
    assert!(test.read("out.md").starts_with("# Reports\n"), "{}", test.read("out.md"));
    let json = test.run_with(&["-r", "reports"], "/export-thread json\n");
    let value: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(value["messages"][0]["content"], "where is it?");
    let run = test.run_with(&[], "/delete work\n/delete nowhere\n/threads\n/delete\n");
    run.ok()
        .stdout_has("thread work deleted\n")
        .stdout_lacks("Reports")
        .stderr_has("no thread has the id \"nowhere\"; nothing was deleted");
    assert_eq!(thread_files(&test, "demo-user").len(), 1);
}

#[test]
fn memories_and_threads_are_cleared_apart_and_together() {
    let server = answers(["one", "two"]);
    let file = json!([{"memory_id": "a", "content": "likes tea"}]).to_string();
    let test = Test::new().server(&server).file(".memory/demo-user.json", &file);
    test.run_with(&[], "hi\n/clear\n").ok().stdout_has("1 memory deleted");
    assert_eq!(thread_files(&test, "demo-user").len(), 1, "/clear leaves threads alone");
    test.run_with(&["--user-id", "eve"], "hi\n").ok();
    test.run_with(&[], "/remember I like tea\n/clearall\n/memories\n/threads\n")
        .ok()
        .stdout_has("1 thread and 1 memory deleted\nno memories yet\nno threads yet\n");
    assert_eq!(thread_files(&test, "demo-user"), Vec::<PathBuf>::new());
    assert_eq!(thread_files(&test, "eve").len(), 1, "another user's are another user's");
}

#[test]
fn nothing_of_an_incognito_conversation_is_kept() {
    let server = answers(["one", "hidden", "two"]);
    let test = Test::new().server(&server);
    test.run_with(&[], "a\n/incognito\nsecret\n/title hush\n/resume-memory\nb\n").ok();
    assert_eq!(server.requests()[1].said(), ["a", "one", "secret"]);
    assert_eq!(server.requests()[2].said(), ["a", "one", "b"]);
    let said: Vec<Value> = lines(&test).iter().map(|line| line["content"].clone()).collect();
    assert_eq!(said, ["a", "one", "b", "two"]);
    let test = Test::new().server(&server);
    test.run_with(&["--incognito"], "/id\n").ok();
    assert_eq!(thread_files(&test, "demo-user"), Vec::<PathBuf>::new());
}

#[test]
fn forgotten_words_are_gone_from_the_threads() {
    let arguments = json!({"content": "I am allergic to \"nuts\"", "context": "", "memory_type": "semantic"});
    let server =
        Server::new().reply(Reply::calls([("upsert_memory", arguments)])).reply(Reply::text("noted")).start();
    let test = Test::new().server(&server);
    test.run_with(&[], "I am allergic to \"nuts\"\n/forget m1\n/threads nuts\n")
        .ok()
        .stdout_has("no thread mentions it")
        .stderr_has("the words it came from are gone from 1 thread too");
    let text = fs::read_to_string(&thread_files(&test, "demo-user")[0]).unwrap();
    assert!(!text.contains("nuts"), "{text}");
    assert!(lines(&test).len() >= 2, "every line is still one");
}

#[test]
fn what_was_used_and_what_it_costs() {
    let server = answers(["one", "two"]);
    let test = Test::new().server(&server).args(["--price", "1000,100,10"]);
    let run = test.run_with(&[], "/usage\na\nb\n/usage\n");
    let usage = |line: usize| lines(&test)[line]["usage"].clone();
    let number = |line: usize, key: &str| usage(line)[key].as_u64().unwrap();
    let (prompt, cached) = (
        number(1, "prompt_tokens") + number(3, "prompt_tokens"),
        number(1, "cached_tokens") + number(3, "cached_tokens"),
    );
    let cost = ((prompt - cached) as f64 * 1000.0 + cached as f64 * 100.0 + 14.0 * 10.0) / 1e6;
    run.ok().stdout_has("the endpoint has not reported any usage yet\none\n").stdout_has(&format!(
        "this thread: {prompt} tokens in ({cached} cached, {}%), 14 out, requests: 2, cost {cost:.4}\n",
        cached * 100 / prompt
    ));
    Test::new().run_with(&["--price", "cheap"], "").code(2).stderr_has("such as 0.8,2");
}

#[test]
fn the_last_answer_is_copied_from_a_script_too() {
    let server = answers(["Look:\n```sh\nls -l\n```\ndone"]);
    let run = Test::new().server(&server).run_with(&[], "/copy\nshow me\n/copy 1\n/copy 2\n");
    run.ok().stdout("there is no answer to copy yet\nLook:\n```sh\nls -l\n```\ndone\nls -l\n");
    run.stderr_has("the last answer has 1 code block;");
}

#[test]
fn the_model_names_a_thread_that_nobody_has_named() {
    let title = json!({"facts": [], "episode": null, "title": "Moving to Rome."}).to_string();
    let other = json!({"facts": [], "episode": null, "title": "罗马"}).to_string();
    let server = Server::new()
        .reply(Reply::text("ok"))
        .reply(Reply::text(&other))
        .reply(Reply::text("ok"))
        .reply(Reply::text(&title))
        .reply(Reply::text("ok"))
        .reply(Reply::text(&title))
        .start();
    let test = Test::new().server(&server).without_env("MINI_CHATGPT_ENCODE");
    test.run_with(&[], "I live in Rome now\n").ok();
    test.run_with(&["-c"], "/title\nMy sister lives in Rome too\n")
        .ok()
        .stdout_has("Title: I live in Rome now\n");
    test.run_with(&["-c"], "/title\n/rename My own\nMy brother lives in Oslo\n")
        .ok()
        .stdout_has("Title: Moving to Rome\n");
    let asked = |request: usize| server.requests()[request].system();
    assert!(asked(1).contains("- title:") && !asked(5).contains("- title:"));
    test.run_with(&["-c"], "/title\n").ok().stdout("Title: My own\n");
}
