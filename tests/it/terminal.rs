//! What only a terminal shows: banner, editing, Ctrl-C, set-up.

use std::time::Duration;

use expectrl::session::OsSession;
use expectrl::{Eof, Expect, Session};

use crate::server::{Reply, Server};
use crate::support::Test;

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const CTRL_J: &str = "\n";
const ENTER: &str = "\r";

/// The program in a terminal.
struct Terminal(OsSession);

impl Terminal {
    fn start(test: &Test) -> Self {
        Self::start_with(test, &[])
    }

    fn start_with(test: &Test, args: &[&str]) -> Self {
        let mut command = test.command();
        command.args(args);
        command.env("TERM", "xterm-256color");
        let mut session = Session::spawn(command).expect("a pty");
        session.set_expect_timeout(Some(Duration::from_secs(20)));
        Self(session)
    }

    /// Waits until `text` is on the screen.
    #[track_caller]
    fn sees(&mut self, text: &str) -> String {
        match self.0.expect(text) {
            Ok(found) => String::from_utf8_lossy(found.as_bytes()).into_owned(),
            Err(error) => panic!("{text:?} did not come: {error}"),
        }
    }

    fn types(&mut self, text: &str) {
        self.0.send(text).expect("typing");
    }

    fn signal(&self, name: &str) {
        let pid = self.0.get_process().pid().to_string();
        let status = std::process::Command::new("kill").args([&format!("-{name}"), &pid]).status();
        assert!(status.expect("kill").success());
    }

    /// Waits for the end and returns the exit code.
    #[track_caller]
    fn ends(mut self) -> i32 {
        self.0.expect(Eof).expect("the program ends");
        match self.0.get_process().wait().expect("a status") {
            expectrl::process::unix::WaitStatus::Exited(_, code) => code,
            other => panic!("{other:?}"),
        }
    }
}

fn test(server: &Server) -> Test {
    Test::new().server(server).env("NO_COLOR", "1")
}

#[test]
fn the_banner_names_user_model_folder_memories_and_commands() {
    let server = Server::new().start();
    let memories = r#"[{"memory_id": "a", "content": "x"}]"#;
    let test = test(&server).file(".memory/demo-user.json", memories);
    let mut terminal = Terminal::start(&test);
    let banner = terminal.sees("> ");
    let folder = test.path(".memory").display().to_string();
    for part in ["demo-user", "test-model", "1 memory", &folder, "/memories /threads /new /clear /help /exit"]
    {
        assert!(banner.contains(part), "{part} is not in {banner}");
    }
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn tab_completes_a_command() {
    let server = Server::new().start();
    let test = test(&server);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("/memori\t");
    terminal.sees("/memories");
    terminal.types(ENTER);
    terminal.sees("no memories yet");
    terminal.sees("> ");
    terminal.types("/exit\r");
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn a_paste_and_a_continued_line_are_one_message() {
    let server = Server::new().replies((0..3).map(|n| Reply::text(&format!("answer {n}")))).start();
    let test = test(&server);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("\x1b[200~one\\\rtwo\r\x1b[201~\r");
    terminal.sees("answer 0");
    terminal.sees("> ");
    terminal.types("three\\\rfour\r");
    terminal.sees("answer 1");
    terminal.sees("> ");
    terminal.types("five");
    terminal.types(CTRL_J);
    terminal.types("six\r");
    terminal.sees("answer 2");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    let asked: Vec<String> = server.requests().iter().map(crate::server::Request::last_user).collect();
    assert_eq!(asked, ["one\\\ntwo", "three\nfour", "five\nsix"]);
}

#[test]
fn ctrl_c_stops_the_answer_and_not_the_program() {
    let server = Server::new()
        .reply(Reply::text("a long answer that stalls").then_stall())
        .reply(Reply::text("still here"))
        .start();
    let test = test(&server);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("hi\r");
    terminal.sees("a long answer t");
    terminal.types(CTRL_C);
    terminal.sees("[stopped]");
    server.wait_for_disconnect();
    terminal.sees("> ");
    terminal.types("go on\r");
    terminal.sees("still here");
    terminal.sees("> ");
    let kept = server.requests().pop().unwrap();
    assert_eq!(kept.messages()[2]["content"], "a long answer t […cut off here]");
    terminal.types("half a line");
    terminal.types(CTRL_C);
    terminal.sees("press Ctrl-C again");
    terminal.sees("> ");
    terminal.types(CTRL_C);
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn what_is_typed_during_an_answer_waits_for_the_next_prompt() {
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    let server = Server::new()
        .reply(Reply::with(move |_| {
            wait.recv().unwrap();
            Reply::text("first answer")
        }))
        .reply(Reply::text("second answer"))
        .reply(Reply::text("third answer"))
        .start();
    let test = test(&server);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("one\r");
    server.wait_for_requests(1);
    terminal.types("two\rthree\r");
    go_on.send(()).unwrap();
    let shown = terminal.sees("first answer");
    assert!(!shown.contains("two"), "{shown}");
    terminal.sees("second answer");
    terminal.sees("third answer");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    let asked: Vec<String> = server.requests().iter().map(crate::server::Request::last_user).collect();
    assert_eq!(asked, ["one", "two", "three"]);
}

#[test]
fn clear_asks_first() {
    let server = Server::new().start();
    let memories = r#"[{"memory_id": "a", "content": "x"}]"#;
    let test = test(&server).file(".memory/demo-user.json", memories);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("/clear\r");
    terminal.sees("Delete all long-term memories of demo-user (1 memory)? [y/N]");
    terminal.types(ENTER);
    terminal.sees("nothing was deleted");
    assert_eq!(test.memory_file("demo-user").as_array().unwrap().len(), 1);
    terminal.types("/clear\r");
    terminal.sees("[y/N]");
    terminal.types("y\r");
    terminal.sees("1 memory deleted; this conversation continues");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn forget_shows_what_it_would_delete_and_asks() {
    let server = Server::new().start();
    let memories =
        r#"[{"memory_id": "a", "content": "likes green tea"}, {"memory_id": "b", "content": "owns a boat"}]"#;
    let test = test(&server).file(".memory/demo-user.json", memories);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("/forget green tea\r");
    terminal.sees("likes green tea (words");
    terminal.sees("Delete this memory? [y/N]");
    terminal.types(ENTER);
    terminal.sees("nothing was deleted");
    terminal.types("/forget m2\r");
    terminal.sees("owns a boat");
    terminal.sees("[y/N]");
    terminal.types("y\r");
    terminal.sees("forgotten: owns a boat");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    let left = test.memory_file("demo-user");
    assert_eq!((left.as_array().unwrap().len(), &left[0]["memory_id"]), (1, &"a".into()));
}

#[test]
fn vectors_are_made_while_the_user_types() {
    let server = Server::new().start();
    let memories = r#"[{"memory_id": "a", "content": "likes green tea", "embedding": [0.5, 0.5]}]"#;
    let test =
        test(&server).env("MINI_CHATGPT_EMBEDDINGS", "builtin").file(".memory/demo-user.json", memories);
    let mut terminal = Terminal::start(&test);
    terminal.sees("1 memory without a vector");
    terminal.sees("> ");
    let deadline = std::time::Instant::now() + Duration::from_secs(30);
    while test.memory_file("demo-user")[0]["embedding"].as_array().unwrap().len() != 384 {
        assert!(std::time::Instant::now() < deadline, "no vector was made");
        std::thread::yield_now();
    }
    terminal.types("/memories\r");
    terminal.sees("All vectors are there: 1 made.");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn the_history_is_kept_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::new().reply(Reply::text("one")).reply(Reply::text("two")).start();
    let test = test(&server);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("keep this\r");
    terminal.sees("one");
    terminal.sees("> ");
    terminal.types(" not this\r");
    terminal.sees("two");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    let history = test.read(".memory/demo-user/history");
    assert!(history.contains("keep this") && !history.contains("not this"), "{history}");
    let mode = std::fs::metadata(test.path(".memory/demo-user/history")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn with_nothing_configured_a_person_is_asked_and_a_working_key_is_saved() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::new()
        .require_key("sk-right")
        .reply(Reply::text("Hello"))
        .reply(Reply::text("hi there"))
        .reply(Reply::text("hi again"))
        .start();
    let test = Test::new().env("NO_COLOR", "1");
    let mut terminal = Terminal::start(&test);
    let wrong_then_right = ["sk-wrong", "sk-right"];
    for key in wrong_then_right {
        terminal.sees("provider [1-12]: ");
        terminal.types("12\r");
        terminal.sees("base URL: ");
        terminal.types(&format!("{}\r", server.url()));
        terminal.sees("key (shown as *): ");
        terminal.types(&format!("{key}\r"));
        let shown = terminal.sees(if key == "sk-wrong" { "model: " } else { "model [qwen-plus]: " });
        assert!(!shown.contains(key), "{shown}");
        terminal.types("mine\r");
        terminal.sees(if key == "sk-wrong" { "refused the key" } else { "it works; saved in" });
    }
    terminal.sees("> ");
    terminal.types("hi\r");
    terminal.sees("hi there");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    let path = test.home().join(".config/mini-chatgpt/credentials.toml");
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    test.run_with(&["hi"], "").ok().stdout("hi again\n");
}

#[test]
fn leaving_the_set_up_says_what_to_do() {
    let test = Test::new().env("NO_COLOR", "1");
    let mut terminal = Terminal::start(&test);
    terminal.sees("provider [1-12]: ");
    terminal.types(CTRL_D);
    terminal.sees("1. set a key");
    assert_eq!(terminal.ends(), 78);
}

#[test]
fn a_request_to_end_is_followed_at_once() {
    let server = Server::new().reply(Reply::text("a long answer that stalls").then_stall()).start();
    let test = test(&server);
    let mut idle = Terminal::start(&test);
    idle.sees("> ");
    idle.signal("TERM");
    assert_eq!(idle.ends(), 143);
    let mut answering = Terminal::start(&test);
    answering.sees("> ");
    answering.types("hi\r");
    answering.sees("a long");
    answering.signal("HUP");
    assert_eq!(answering.ends(), 129);
}

#[test]
fn the_screen_says_what_is_waited_for_and_folds_reasoning() {
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    let thinking = r#"data: {"choices":[{"delta":{"reasoning_content":"first\nsecond thought"}}]}"#;
    let answer = r#"data: {"choices":[{"delta":{"content":"42"},"finish_reason":"stop"}]}"#;
    let body = vec![format!("{thinking}\n\n{answer}\n\ndata: [DONE]\n\n").into_bytes()];
    let server = Server::new()
        .reply(Reply::with(move |_| {
            wait.recv().unwrap();
            Reply::raw(body.clone())
        }))
        .start();
    let test = Test::new().server(&server);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("hi\r");
    terminal.sees("reading the prompt… 1 s");
    go_on.send(()).unwrap();
    terminal.sees("💭 first second thought");
    terminal.sees("42");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn what_was_remembered_stands_above_what_is_being_typed() {
    let (let_go, held) = std::sync::mpsc::channel::<()>();
    let fact =
        r#"{"facts": [{"quote": "I live in Rome", "content": "The user lives in Rome", "importance": 5}]}"#;
    let server = Server::new()
        .reply(Reply::text("noted"))
        .reply(Reply::with(move |_| {
            let _ = held.recv();
            Reply::text(fact)
        }))
        .start();
    let test = test(&server).env("MINI_CHATGPT_ENCODE", "auto");
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("I live in Rome");
    terminal.types(ENTER);
    terminal.sees("noted");
    terminal.sees("> ");
    terminal.types("/memo");
    terminal.sees("/memo");
    server.wait_for_requests(2);
    let_go.send(()).unwrap();
    terminal.sees("m1 remembered: The user lives in Rome");
    // The line that was begun is there again, and goes on.
    terminal.sees("> /memo");
    terminal.types("ries");
    terminal.types(ENTER);
    terminal.sees("1. [semantic / 语义记忆] The user lives in Rome (today · importance 5)");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn a_model_that_would_forget_has_the_user_asked() {
    let forget = || Reply::calls([("forget_memory", serde_json::json!({"id": "m1", "reason": "asked to"}))]);
    let server = Server::new()
        .replies([forget(), Reply::text("I asked."), forget(), Reply::text("Asked again.")])
        .start();
    let test =
        test(&server).file(".memory/demo-user.json", r#"[{"memory_id": "a", "content": "likes tea"}]"#);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("forget the tea");
    terminal.types(ENTER);
    terminal.sees("I asked.");
    terminal.sees("Delete this memory? [y/N]");
    terminal.types("n");
    terminal.types(ENTER);
    terminal.sees("nothing was deleted");
    terminal.sees("> ");
    terminal.types("really");
    terminal.types(ENTER);
    terminal.sees("Delete this memory? [y/N]");
    terminal.types("y");
    terminal.types(ENTER);
    terminal.sees("forgotten: likes tea");
    terminal.sees("> ");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    assert_eq!(test.memory_file("demo-user"), serde_json::json!([]));
}

#[test]
fn a_thread_is_chosen_and_its_last_exchange_shown() {
    let server = Server::new().replies(["one", "two", "three"].map(Reply::text)).start();
    let test = test(&server);
    test.run_with(&["--thread", "first"], "about tea\n").ok();
    test.run_with(&["--thread", "second"], "about boats\n").ok();
    let mut terminal = Terminal::start_with(&test, &["-r"]);
    let list = terminal.sees("Which one? [1-2");
    assert!(list.contains("first  about tea  just now · 1 turn"), "{list}");
    terminal.types("nothing\r");
    terminal.sees("no thread has an id or a title like \"nothing\"");
    terminal.sees("Which one? [1-2");
    terminal.types("TEA\r");
    terminal.sees("Going on: about tea (first, 1 turn)");
    terminal.sees("> about tea");
    terminal.sees("one");
    terminal.sees("> ");
    terminal.types("and now?\r");
    terminal.sees("three");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    assert_eq!(server.requests()[2].said(), ["about tea", "one", "and now?"]);
}

#[test]
fn what_is_taken_back_stands_at_the_prompt_again() {
    let server = Server::new().replies(["one", "two"].map(Reply::text)).start();
    let test = test(&server);
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("helo\r");
    terminal.sees("one");
    terminal.sees("> ");
    terminal.types("/rewind\r");
    terminal.sees("> helo");
    terminal.types(" world\r");
    terminal.sees("two");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    assert_eq!(server.requests()[1].said(), ["helo world"]);
}

#[test]
fn a_file_from_elsewhere_is_asked_about() {
    let server = Server::new().replies(["one", "two"].map(Reply::text)).start();
    let test = test(&server).file(".hidden.txt", "the tide is at six");
    let mut terminal = Terminal::start(&test);
    terminal.sees("> ");
    terminal.types("see @.hid\t");
    terminal.sees(".hidden.txt");
    terminal.types(ENTER);
    terminal.sees("Attach it? [y/N]");
    terminal.types(ENTER);
    terminal.sees("one");
    terminal.sees("> ");
    terminal.types("see @.hidden.txt\r");
    terminal.sees("Attach it? [y/N]");
    terminal.types("y\r");
    terminal.sees("📎 .hidden.txt (18 B");
    terminal.sees("two");
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), 0);
    let requests = server.requests();
    assert!(!requests[0].last_user().contains("tide") && requests[1].last_user().contains("tide"));
}
