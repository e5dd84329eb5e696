//! Scripts: what goes to which stream, and what the exit code says.

use serde_json::json;

use crate::server::{Reply, Server};
use crate::support::Test;

#[test]
fn each_line_is_a_turn_and_stdout_holds_answers_only() {
    let server = Server::new().reply(Reply::text("  one\n\n")).reply(Reply::text("two")).start();
    let run = Test::new().server(&server).run_with(&[], "\u{feff}first\r\n\n   \nsecond");
    run.ok().stdout("one\ntwo\n").stderr("").no_ansi();
    assert_eq!(server.requests()[0].last_user(), "first");
}

#[test]
fn commands_work_and_unknown_ones_suggest() {
    let server = Server::new().reply(Reply::text("a path")).start();
    let run = Test::new()
        .server(&server)
        .run_with(&[], "/memories\n／help\n/memoris\n/clear now\n/usr/bin is full\n、exit\nnever sent\n");
    run.ok().stdout_has("no memories yet\n/new").stdout_has("a path\n");
    run.stderr(
        "warning: no command /memoris; did you mean /memories? /help lists them all\n\
         warning: /clear takes no words after it; nothing was done\n",
    );
}

#[test]
fn clear_deletes_without_asking_and_says_what_stays() {
    let server = Server::new().start();
    let memories = json!([{"memory_id": "a", "content": "x"}, {"memory_id": "b", "content": "y"}]);
    let test = Test::new().server(&server).file(".memory/demo-user.json", &memories.to_string());
    test.run_with(&[], "/clear\n/memories\n")
        .ok()
        .stdout("2 memories deleted; this conversation continues\nno memories yet\n");
    assert_eq!(test.memory_file("demo-user"), json!([]));
    let run = test.run_with(&["--lang", "zh"], "/clear\n");
    run.ok().stdout("已删除 0 条记忆；当前对话继续\n");
}

#[test]
fn a_failed_turn_is_reported_and_the_next_line_still_runs() {
    let server = Server::new().reply(Reply::error(400, "strange")).reply(Reply::text("fine")).start();
    let run = Test::new().server(&server).run_with(&[], "one\ntwo\n");
    run.code(1).stdout("fine\n").stderr_has(" refused the request (HTTP 400): strange\nhint: ");
    let said = server.requests()[1].messages().len();
    assert_eq!(said, 2, "the failed turn is not in the history");
}

#[test]
fn exit_codes() {
    let refused = Server::new().require_key("other").start();
    let run = Test::new().server(&refused).run_with(&["--once", "hi"], "");
    run.code(77).stdout("").stderr_has("refused the key").stderr_lacks("sk-test");

    let busy = Server::new().replies((0..3).map(|_| Reply::error(503, "overloaded"))).start();
    let run = Test::new().server(&busy).run_with(&["--once", "hi"], "");
    run.code(75).stderr_has("trying again in 0.5 s").stderr_has(" is overloaded: overloaded");

    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let run = Test::new()
        .env("OPENAI_BASE_URL", &format!("http://{nobody}/v1"))
        .env("MINI_CHATGPT_MODEL", "m")
        .run_with(&["--once", "hi"], "");
    run.code(75).stderr_has("Connection refused");

    Test::new().run_with(&["--once", "hi"], "").code(78).stderr_has("  1. set a key").stderr_has("  3. ");
    let run = Test::new().run_with(&["--nonsense"], "");
    run.code(2).stderr("error: there is no option --nonsense\nhint: mini-chatgpt --help lists all options\n");
    Test::new().run_with(&["--model"], "").code(2).stderr_has("--model <NAME> needs a value");
    Test::new()
        .run_with(&["--top-k", "x", "hi"], "")
        .code(2)
        .stderr_has("error: --top-k: \"x\" is not a whole number");
}

#[test]
fn a_request_is_retried_before_anything_was_shown_and_never_after() {
    let server = Server::new()
        .reply(Reply::error(500, "hiccup"))
        .reply(Reply::text("fine"))
        .reply(Reply::text("a long answer that is cut").then_cut())
        .reply(Reply::text("third"))
        .start();
    let run = Test::new().server(&server).run_with(&[], "one\ntwo\nthree\n");
    run.code(75).stdout("fine\na long answer t\nthird\n").stderr_has(" ended before the answer did");
    // The half answer stays in the conversation, marked.
    let kept = server.requests().pop().unwrap();
    assert_eq!(kept.messages()[4]["content"], "a long answer t […cut off here]");
}

#[test]
fn a_key_that_a_server_echoes_is_not_shown() {
    let key = "sk-secret-secret";
    let echo = |status: u16| Reply::error(status, &format!("wrong with {key}"));
    let server = Server::new().reply(echo(500)).reply(echo(400)).start();
    let test = Test::new().server(&server).env("OPENAI_API_KEY", key);
    let run = test.run_with(&["hi", "--log-level", "debug"], "");
    run.code(1).stderr_has("wrong with [key]; trying again").stderr_lacks(key);
}

#[test]
fn an_answer_with_its_finish_reason_is_whole() {
    let finish = r#"data: {"choices":[{"delta":{"content":"whole"},"finish_reason":"stop"}]}"#;
    let body = vec![format!("{finish}\n\n").into_bytes()];
    let server =
        Server::new().reply(Reply::raw(body.clone()).then_cut()).reply(Reply::raw(body).then_stall()).start();
    let test = Test::new().server(&server);
    test.run_with(&[], "one\ntwo\n").ok().stdout("whole\nwhole\n").stderr("");
}

#[test]
fn retry_after_is_honoured_up_to_a_minute() {
    let wait = |seconds: &str| Reply::error(429, "slow down").header("retry-after", seconds);
    let server = Server::new().reply(wait("0.1")).reply(Reply::text("ok")).reply(wait("61")).start();
    let test = Test::new().server(&server);
    test.run_with(&["--once", "a"], "")
        .ok()
        .stdout("ok\n")
        .stderr("warning: slow down; trying again in 0.1 s\n");
    test.run_with(&["--once", "b"], "").code(75).stderr_has("limits the rate");
}

#[test]
fn piped_text_belongs_to_the_prompt() {
    let server = Server::new().replies((0..3).map(|_| Reply::text("ok"))).start();
    let test = Test::new().server(&server);
    test.run_with(&["--once", "summarise"], "line one\nline two\n").ok();
    test.run_with(&["what", "is", "Rust?"], "").ok().stdout("ok\n");
    test.run_with(&["--once", "/memories"], "").ok();
    let asked: Vec<String> = server.requests().iter().map(crate::server::Request::last_user).collect();
    assert_eq!(asked, ["summarise\n\nline one\nline two", "what is Rust?", "/memories"]);
    test.run_with(&["--once", "  "], "").code(2).stderr_has("the prompt is empty");
}

#[test]
fn a_megabyte_on_one_line_and_bad_bytes() {
    let server = Server::new().reply(Reply::text("long")).reply(Reply::text("odd")).start();
    let mut input = "字".repeat(350_000).into_bytes();
    input.extend_from_slice(b"\nbad \xff byte\n");
    let run = Test::new().server(&server).run_with(&[], input);
    run.ok()
        .stdout("long\nodd\n")
        .stderr("warning: line 2 is not valid UTF-8; the bad bytes were replaced\n");
    assert_eq!(server.requests()[0].last_user().chars().count(), 350_000);
    assert_eq!(server.requests()[1].last_user(), "bad \u{fffd} byte");
}

#[test]
fn streaming_can_be_turned_off() {
    let server = Server::new().reply(Reply::text("whole")).start();
    Test::new()
        .server(&server)
        .run_with(&["--no-stream", "--temperature", "0.5", "hi"], "")
        .ok()
        .stdout("whole\n");
    let body = server.requests()[0].body.clone();
    assert_eq!((&body["stream"], &body["temperature"]), (&json!(false), &json!(0.5)));
}

#[test]
fn nothing_a_model_says_reaches_the_terminal_as_a_command() {
    let server = Server::new().reply(Reply::text("a\u{1b}[2Jb\u{1b}]0;title\u{7}c")).start();
    Test::new().server(&server).run_with(&["hi"], "").ok().stdout("abc\n").no_ansi();
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    use std::process::Stdio;
    let server = Server::new().reply(Reply::text("one")).reply(Reply::text("two")).allow_unused().start();
    let test = Test::new().server(&server);
    let mut command = test.command();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    std::io::Write::write_all(&mut stdin, b"a\nb\nc\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_script_with_130() {
    let server = Server::new().reply(Reply::text("a long answer that stalls").then_stall()).start();
    let test = Test::new().server(&server);
    let mut live = test.spawn();
    live.send_line("hi");
    live.wait_stdout("a long answer t");
    live.interrupt();
    server.wait_for_disconnect();
    live.finish().code(130).stdout("a long answer t\n");
    let mut idle = test.spawn();
    idle.send_line("/memories");
    idle.wait_stdout("no memories");
    idle.interrupt();
    idle.wait().code(130);
    // Also after a turn, which listens to the same signals.
    let server = Server::new().reply(Reply::text("one")).start();
    let test = Test::new().server(&server);
    let mut waiting = test.spawn();
    waiting.send_line("hi");
    waiting.wait_stdout("one\n");
    waiting.signal("TERM");
    waiting.wait().code(143);
}

#[test]
fn in_chinese() {
    let server = Server::new().reply(Reply::error(400, "x")).start();
    let test = Test::new().server(&server).env("LANG", "zh_CN.UTF-8");
    let host = server.url().replace("http://", "").replace("/v1", "");
    test.run_with(&[], "你好\n/memoris\n").code(1).stderr(&format!(
        "错误：{host} 拒绝了请求 (HTTP 400)：x\n提示：加上 --log-level debug 可以看到发出的请求\n\
         注意：没有命令 /memoris，是不是 /memories？/help 列出全部命令\n"
    ));
    test.run_with(&["--help"], "").ok().stdout_has("用法：").stdout_has("记忆所在的文件夹");
    test.run_with(&["--help", "--lang", "en"], "")
        .ok()
        .stdout_has("Usage:")
        .stdout_has("Folder of the memories");
}

#[test]
fn retry_asks_again_and_forgets_the_first_answer() {
    let server = Server::new()
        .reply(Reply::text("first"))
        .reply(Reply::text("second"))
        .reply(Reply::text("third"))
        .start();
    let run = Test::new().server(&server).run_with(&[], "/retry\nhello\n/retry\nbye\n");
    run.ok().stdout("first\nsecond\nthird\n").stderr("warning: there is no message to ask again yet\n");
    let last = server.requests().pop().unwrap();
    assert_eq!(last.said(), ["hello", "second", "bye"]);
}

#[test]
fn the_model_can_be_changed_and_the_conversation_goes_on() {
    let server =
        Server::new().models(["a", "test-model"]).reply(Reply::text("one")).reply(Reply::text("two")).start();
    let run = Test::new().server(&server).run_with(&[], "hi\n/model\n/model a\nhi again\n");
    run.ok().stdout("one\n  a\n* test-model\nthe model is now a\ntwo\n");
    let last = server.requests().pop().unwrap();
    assert_eq!((last.body["model"].as_str(), last.messages().len()), (Some("a"), 4));
}

#[test]
fn what_an_endpoint_refuses_is_left_out_said_once_and_remembered() {
    let server = Server::new()
        .reply(Reply::error(400, "this model does not support tools"))
        .reply(Reply::text("fine"))
        .reply(Reply::text("still fine"))
        .reply(Reply::text("works now"))
        .start();
    let test = Test::new().server(&server);
    let said = "warning: this model takes no tools: it can use memories, but not write them\n";
    test.run_with(&["hi"], "").ok().stdout("fine\n").stderr(said);
    test.run_with(&["hi"], "").ok().stdout("still fine\n").stderr("");
    // After a week it is tried anew.
    let file = test.home().join(".cache/mini-chatgpt/endpoints.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, day) = text.split_once("\"no tools\": \"").unwrap();
    std::fs::write(&file, format!("{before}\"no tools\": \"2020-01-01{}", day.get(10..).unwrap())).unwrap();
    test.run_with(&["hi"], "").ok().stdout("works now\n").stderr("");
    let offered: Vec<usize> = server.requests().iter().map(|request| request.tools().len()).collect();
    assert_eq!(offered, [4, 0, 0, 4]);
}

#[test]
fn reasoning_is_shown_on_request_and_never_on_stdout() {
    let thinking = r#"data: {"choices":[{"delta":{"reasoning_content":"hm, let me see"}}]}"#;
    let answer = r#"data: {"choices":[{"delta":{"content":"42"},"finish_reason":"stop"}]}"#;
    let body = vec![format!("{thinking}\n\n{answer}\n\ndata: [DONE]\n\n").into_bytes()];
    let server = Server::new().replies((0..2).map(|_| Reply::raw(body.clone()))).start();
    let test = Test::new().server(&server);
    test.run_with(&["hi"], "").ok().stdout("42\n").stderr("");
    test.run_with(&["--reasoning", "show", "hi"], "").ok().stdout("42\n").stderr("hm, let me see\n");
}

#[test]
fn doctor_says_what_works_and_what_to_do() {
    let server = Server::new()
        .models(["test-model"])
        .reply(Reply::text("OK"))
        .reply(Reply::text("OK"))
        .reply(Reply::calls([("note", json!({"text": "A"})), ("note", json!({"text": "B"}))]))
        .start();
    let test = Test::new().server(&server);
    let run = test.run_with(&["doctor"], "");
    run.ok().stdout_has("✓ endpoint   http://127.0.0.1:").stdout_has("✓ tools      2 calls in one reply");
    run.stdout_lacks("sk-test");
    let nobody = Test::new().run_with(&["doctor", "--json"], "");
    nobody.code(78);
    let report: serde_json::Value = serde_json::from_str(&nobody.stdout).unwrap();
    assert_eq!(report["ok"], false);
    Test::new().run_with(&["providers"], "").ok().stdout_has("deepseek     DEEPSEEK_API_KEY");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let server = Server::new().reply(Reply::text("one")).start();
    let test = Test::new().server(&server);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = test.command().arg("hi").stdin(std::process::Stdio::null()).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the answer"));
}

#[test]
fn servers_that_trickle_reset_and_lie() {
    let server = Server::new()
        .reply(Reply::text("每个字节都单独来 🐢").byte_by_byte())
        .reply(Reply::drop_connection())
        .reply(Reply::text("after a reset"))
        .start();
    let test = Test::new().server(&server);
    let run = test.run_with(&[], "one\ntwo\n");
    run.ok().stdout("每个字节都单独来 🐢\nafter a reset\n").stderr_has("trying again in 0.5 s");

    // One that promises more bytes than it sends.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let lying = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 65536];
        std::io::Read::read(&mut stream, &mut request).unwrap();
        let event = "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n";
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 5000\r\n\r\n";
        std::io::Write::write_all(&mut stream, format!("{head}{event}").as_bytes()).unwrap();
    });
    let test = Test::new().env("OPENAI_BASE_URL", &url).env("MINI_CHATGPT_MODEL", "m");
    test.run_with(&["hi"], "").code(75).stdout("half\n").stderr_has("ended before the answer did");
    lying.join().unwrap();
}

#[test]
fn a_forgotten_version_in_the_address_is_found() {
    let server = Server::new().reply(Reply::error(404, "no such path")).reply(Reply::text("found")).start();
    let short = server.url().replace("/v1", "/gate");
    let run = Test::new().server(&server).env("OPENAI_BASE_URL", &short).run_with(&["hi"], "");
    run.ok().stdout("found\n");
    assert_eq!(server.all_paths(), ["/gate/chat/completions", "/gate/v1/chat/completions"]);
}

#[test]
fn a_connection_that_was_closed_between_turns_costs_nothing() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 65536];
            if std::io::Read::read(&mut stream, &mut request).unwrap_or(0) > 0 {
                // Promises to keep the connection, and closes it.
                let body = r#"{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}"#;
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
                std::io::Write::write_all(&mut stream, format!("{head}{body}").as_bytes()).unwrap();
            }
        }
    });
    let test = Test::new().env("OPENAI_BASE_URL", &url).env("MINI_CHATGPT_MODEL", "m");
    test.run_with(&[], "one\ntwo\nthree\n").ok().stdout("ok\nok\nok\n");
}

#[test]
fn a_refused_conversation_is_condensed_and_asked_again_once() {
    let full = || Reply::error(400, "maximum context length is 8192 tokens");
    let server = Server::new()
        .replies((1..=3).map(|number| Reply::text(&format!("answer {number}"))))
        .reply(full())
        .reply(Reply::text("They counted."))
        .reply(Reply::text("still here"))
        .reply(full())
        .reply(full())
        .reply(full())
        .start();
    let run = Test::new().server(&server).run_with(&[], "one\ntwo\nthree\nfour\nfive\n");
    run.code(1).stdout("answer 1\nanswer 2\nanswer 3\nstill here\n");
    run.stderr_has("2 turns condensed into a summary")
        .stderr_has("1 turn could not be condensed")
        .stderr_has("error: the conversation is longer than");
    let requests = server.requests();
    // The fourth message is refused, the first two turns are condensed, and it is asked again; likewise the fifth, of
    // which the second refusal is the last.
    let sent: Vec<usize> = requests.iter().map(|request| request.messages().len()).collect();
    assert_eq!(sent, [2, 4, 6, 8, 2, 4, 6, 2, 4]);
    assert!(requests[5].system().contains("They counted."), "{}", requests[5].system());
    assert_eq!(requests[5].said(), ["three", "answer 3", "four"]);
}

#[test]
fn a_retry_that_fails_brings_the_first_answer_back() {
    let server = Server::new()
        .reply(Reply::text("first"))
        .reply(Reply::error(400, "no"))
        .reply(Reply::text("second"))
        .start();
    Test::new().server(&server).run_with(&[], "hello\n/retry\nbye\n").code(1).stdout("first\nsecond\n");
    let last = server.requests().pop().unwrap();
    assert_eq!(last.messages()[2]["content"], "first");
}
