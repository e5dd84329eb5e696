//! What is sent of a conversation: the window, the summary, what was recalled, and no more than fits.

use serde_json::{Value, json};

use crate::server::{Reply, Request, Server, tokens_of};
use crate::support::Test;
use crate::thread::{lines, thread_files};

/// Whether a request asks for a summary.
fn condenses(body: &Value) -> bool {
    body["messages"][0]["content"].as_str().is_some_and(|system| system.starts_with("You condense"))
}

/// Answers messages with their number, and condenses to `summary`.
fn answering(summary: &'static str, answer: &'static str) -> impl Fn() -> Reply {
    move || {
        Reply::with(move |body| match condenses(body) {
            true => Reply::text(summary),
            false => Reply::text(answer),
        })
    }
}

fn is_summary(request: &&Request) -> bool {
    condenses(&request.body)
}

#[test]
fn the_last_ten_turns_are_sent_and_older_ones_are_condensed_together() {
    let reply = answering("They counted from one.", "yes");
    let server = Server::new().replies((0..40).map(|_| reply())).allow_unused().start();
    let said: String = (1..=21).map(|number| format!("number {number}\n")).collect();
    let run = Test::new().server(&server).run_with(&[], &said);
    run.ok().stderr_has("5 turns condensed into a summary");
    let requests = server.requests();
    let summaries: Vec<usize> =
        (0..requests.len()).filter(|place| condenses(&requests[*place].body)).collect();
    assert_eq!(summaries, [15, 21], "once in five turns");
    let turns: Vec<usize> = requests
        .iter()
        .filter(|request| !is_summary(request))
        .map(|request| request.said().len() / 2)
        .collect();
    assert_eq!(&turns[10..], [10, 11, 12, 13, 14, 10, 11, 12, 13, 14, 10]);
    // The second summary is told the first.
    let asked = requests[21].last_user();
    assert!(asked.starts_with("{\"earlier summary\":\"They counted from one.\"}\n"), "{asked}");
    assert_eq!(asked.lines().count(), 6);
    let last = requests.last().unwrap();
    assert!(last.system().contains("<summary>\n\"They counted from one.\"\n</summary>"), "{}", last.system());
    assert_eq!(last.said()[0], "number 11");
    // Between two summaries nothing changes but the end.
    let before = requests[16].messages();
    assert_eq!(&requests[17].messages()[..before.len()], before);
}

#[test]
fn the_window_is_the_user_s_choice() {
    for (window, kept) in [("2", 2), ("off", 6), ("0", 0), ("150t", 3)] {
        let reply = answering("short", "yes");
        let server = Server::new().replies((0..20).map(|_| reply())).allow_unused().start();
        let test = Test::new().server(&server).args(["--window", window]);
        test.run_with(&[], "a\nb\nc\nd\ne\nf\ng\n").ok();
        let requests = server.requests();
        let last = requests.iter().rfind(|request| !is_summary(request)).unwrap();
        assert_eq!(last.said().len() / 2, kept, "--window {window}: {:?}", last.said());
    }
}

#[test]
fn a_summary_that_fails_loses_nothing_but_itself() {
    let server = Server::new()
        .replies((0..3).map(|_| Reply::text("yes")))
        .reply(Reply::error(400, "no summaries today"))
        .reply(Reply::text("still"))
        .reply(Reply::text("The code is 7319."))
        .reply(Reply::text("on"))
        .start();
    let test = Test::new().server(&server).args(["--window", "2"]);
    let run = test.run_with(&[], "the code is 7319\nb\nc\nwhat is the code?\n");
    run.ok()
        .stdout("yes\nyes\nyes\nstill\n")
        .stderr_has("1 turn could not be condensed")
        .stderr_has("no summaries today");
    assert_eq!(lines(&test)[0]["content"], "the code is 7319");
    let last = server.requests().pop().unwrap();
    assert_eq!(last.said().len(), 5);
    // What is not sent any more is found again by its words.
    assert!(last.said()[4].contains("\"user\":\"the code is 7319\""), "{:?}", last.said());
    // The next summary is asked to stand for it, too.
    test.run_with(&["-c"], "go on\n").ok().stderr_has("2 turns condensed into a summary");
    let requests = server.requests();
    assert!(requests[5].last_user().contains("the code is 7319"), "{}", requests[5].last_user());
    assert!(requests[6].system().contains("The code is 7319."));
}

#[test]
fn an_endpoint_that_is_away_costs_no_turn_its_place() {
    let server = Server::new().replies((0..3).map(|_| Reply::text("yes"))).start();
    let test = Test::new().server(&server).args(["--window", "2"]);
    test.run_with(&[], "a\nb\nc\n").ok();
    test.run_with(&["-c", "--base-url", "http://127.0.0.1:1/v1"], "d\n/compact\n")
        .code(75)
        .stderr_lacks("will not be sent any more")
        .stderr_has("nothing has changed");
    assert!(lines(&test).iter().all(|line| line["role"] != "summary"));
}

#[test]
fn a_context_much_smaller_than_the_conversation_is_found_out_once() {
    let server = Server::new().replies((0..20).map(|_| Reply::text("yes"))).start();
    let test = Test::new().server(&server).args(["--window", "off"]);
    let long = "word ".repeat(300);
    test.run_with(&[], (0..20).map(|number| format!("{number} {long}\n")).collect::<String>()).ok();
    let strict = || {
        Reply::with(|body| match (tokens_of(body) > 3000, condenses(body)) {
            (true, _) => Reply::error(400, "This model's maximum context length is 3000 tokens."),
            (false, true) => Reply::text("Words."),
            (false, false) => Reply::text("fits"),
        })
    };
    let server = Server::new().replies((0..40).map(|_| strict())).allow_unused().start();
    let said: String = (0..6).map(|number| format!("{number} {long}\n")).collect();
    test.server(&server).run_with(&["-c"], said).ok().stdout(&"fits\n".repeat(6));
    let requests = server.requests();
    let refused = requests.iter().filter(|request| tokens_of(&request.body) > 3000).count();
    let summaries = requests.iter().filter(is_summary).count();
    assert_eq!(refused, 1, "of {}", requests.len());
    assert!((2..20).contains(&summaries), "{summaries}");
}

#[test]
fn two_hundred_turns_fit_into_a_small_context() {
    const BUDGET: usize = 4096;
    let reply =
        answering("The user counts things in a warehouse.", "I have noted that, and will say so when asked.");
    let server = Server::new().replies((0..400).map(|_| reply())).allow_unused().context(BUDGET).start();
    let test = Test::new().server(&server).args(["--context-length", "4096", "--window", "off"]);
    let mut said = "My locker has the combination 7319, and my colleague is called Ottilie.\n".to_owned();
    for number in 1..199 {
        let chinese = number % 3 == 0;
        said.push_str(&match chinese {
            true => format!("第{number}号架子上放着{}箱螺丝钉，需要在周五之前清点完毕。\n", number * 7),
            false => format!(
                "Shelf {number} holds {} boxes of bolts that have to be counted by Friday.\n",
                number * 7
            ),
        });
    }
    said.push_str("What is the combination of my locker?\n");
    let run = test.run_with(&[], &said);
    run.ok().stderr_lacks("error");
    let requests = server.requests();
    let sizes: Vec<usize> = requests.iter().map(|request| tokens_of(&request.body)).collect();
    assert!(sizes.iter().all(|size| *size <= BUDGET), "{:?}", sizes.iter().max());
    let last = requests.last().unwrap();
    assert!(last.last_user().contains("7319"), "the first turn is recalled: {}", last.last_user());
    let summaries = requests.iter().filter(is_summary).count();
    assert!((4..40).contains(&summaries), "{summaries} summaries");
    assert_eq!(lines(&test).iter().filter(|line| line["role"] == "user").count(), 200);
}

#[test]
fn killed_at_any_point_a_long_conversation_goes_on() {
    let reply = answering("Things were counted.", "noted");
    let server = Server::new().replies((0..400).map(|_| reply())).allow_unused().context(4096).start();
    let test = Test::new().server(&server).args(["--context-length", "4096", "--thread", "long"]);
    let mut asked = 0;
    for round in 0..8 {
        let mut live = test.spawn();
        for number in 0..25 {
            live.send_line(&format!(
                "In round {round}, shelf {number} holds boxes of bolts and of nuts, {number} each."
            ));
        }
        // Somewhere in the middle, without waiting for what is under way.
        asked += 3 + round * 2;
        server.wait_for_requests(asked);
        live.kill();
        drop(live.wait());
        asked = server.requests().len();
    }
    let run = test.run_with(&[], "/threads\nand now?\n");
    run.ok().stdout_has("* long").stdout_has("noted\n").stderr_has("Going on: ");
    let text = std::fs::read_to_string(&thread_files(&test, "demo-user")[0]).unwrap();
    let whole = text.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count();
    assert!(whole + 8 >= text.lines().count(), "at most one torn line a crash");
    let answered = lines(&test).iter().filter(|line| line["role"] == "assistant").count();
    assert!(answered > 8 * 2, "{answered}");
}

#[test]
fn a_refusal_teaches_how_long_the_context_is() {
    let reply = answering("Words were said.", "yes");
    // Nobody has told the program: it learns that from the first refusal.
    let full = Reply::error(
        400,
        "This model's maximum context length is 3000 tokens. However, you requested 3107 tokens.",
    );
    let server = Server::new()
        .replies((0..3).map(|_| reply()))
        .reply(full)
        .replies((0..60).map(|_| reply()))
        .allow_unused()
        .start();
    let test = Test::new().server(&server).args(["--window", "off"]);
    let long = "word ".repeat(160);
    let said: String = (0..24).map(|number| format!("{number} {long}\n")).collect();
    test.run_with(&[], format!("{said}/context\n"))
        .ok()
        .stdout_has("the model's context: 3000 tokens (from a refusal of the endpoint)");
    let requests = server.requests();
    let refused = requests.iter().skip(4).filter(|request| tokens_of(&request.body) > 3000).count();
    assert_eq!(refused, 0, "no second refusal");
}

#[test]
fn the_context_is_asked_for_when_it_matters_and_a_message_that_cannot_fit_is_not_sent() {
    let server = Server::new()
        .models(["test-model"])
        .listed(json!({"max_model_len": 4000}))
        .reply(Reply::text("hi"))
        .start();
    let test = Test::new().server(&server);
    let run = test.run_with(&[], format!("short\n{}\n/context\n", "long words ".repeat(4000)));
    run.code(1)
        .stdout_has("hi\n")
        .stdout_has("the model's context: 4000 tokens (as the endpoint lists it)")
        .stderr_has("and the model's context has room for")
        .stderr_has("nothing was sent");
    let paths = server.all_paths();
    assert_eq!(paths.iter().filter(|path| path.ends_with("/models")).count(), 1, "{paths:?}");
    assert_eq!(paths.first().map(String::as_str), Some("/v1/chat/completions"), "not for a short message");
    assert_eq!(lines(&test).len(), 2, "it is not in the thread either");
}

#[test]
fn a_conversation_is_condensed_on_demand() {
    let server = Server::new()
        .replies((0..4).map(|_| Reply::text("yes")))
        .reply(Reply::text(&"约翰的箱子。".repeat(200)))
        .reply(Reply::text("sure"))
        .start();
    let test = Test::new().server(&server);
    let run = test.run_with(&[], "/compact\na\nb\nc\nd\n/compact the boxes of John\n/context\ne\n");
    run.ok()
        .stdout_has("there is nothing to condense")
        .stdout_has("The summary in place of 2 turns:\n约翰的箱子。");
    let requests = server.requests();
    assert!(requests[4].system().ends_with("this: the boxes of John"), "{}", requests[4].system());
    assert_eq!(requests[5].said(), ["c", "yes", "d", "yes", "e"]);
    let summary = lines(&test).into_iter().find(|line| line["role"] == "summary").unwrap();
    assert_eq!((&summary["through"], summary["content"].as_str().unwrap().chars().count()), (&json!(2), 300));
    // It is there in the next run.
    let server = Server::new().reply(Reply::text("on")).start();
    test.server(&server).run_with(&["-c"], "f\n").ok();
    assert!(server.requests()[0].system().contains("约翰的箱子"));
    assert_eq!(server.requests()[0].said().len(), 7);
}

const MEMORIES: &str = r#"[{"memory_id": "a", "content": "The user has a cat called Miso"},
    {"memory_id": "b", "content": "The user plays the cello on Sundays"}]"#;

#[test]
fn the_system_part_changes_only_when_something_new_is_recalled() {
    let server = Server::new().replies((0..4).map(|_| Reply::text("ok"))).start();
    let test =
        Test::new().server(&server).file(".memory/demo-user.json", MEMORIES).args(["--recall-in", "system"]);
    test.run_with(&[], "what is my cat called?\nthank you\nand the cello?\nthanks\n/why\n")
        .ok()
        .stdout_has("shown before");
    let requests = server.requests();
    let systems: Vec<String> = requests.iter().map(Request::system).collect();
    assert!(systems[0].contains("Miso") && !systems[0].contains("cello"), "{}", systems[0]);
    assert_eq!(systems[0], systems[1], "it stands there still");
    assert!(
        systems[2]
            .strip_suffix("</memories>")
            .unwrap()
            .starts_with(systems[1].strip_suffix("</memories>").unwrap())
    );
    assert!(systems[2].contains("cello"));
    assert_eq!(systems[2], systems[3]);
    assert_eq!(
        requests[3].said(),
        ["what is my cat called?", "ok", "thank you", "ok", "and the cello?", "ok", "thanks"]
    );
    // A turn whose messages are sent again reads as it did the first time.
    let first = &requests[0].messages()[1];
    assert!(requests.iter().all(|request| request.messages()[1] == *first));
}

#[test]
fn beside_the_message_it_is_there_once() {
    let server = Server::new().replies((0..2).map(|_| Reply::text("ok"))).start();
    let test =
        Test::new().server(&server).file(".memory/demo-user.json", MEMORIES).args(["--recall-in", "user"]);
    test.run_with(&[], "what is my cat called?\nthank you\n").ok();
    let requests = server.requests();
    assert_eq!(requests[0].system(), requests[1].system());
    assert_eq!(requests[0].body["tools"], requests[1].body["tools"]);
    let asked = requests[0].last_user();
    assert!(
        asked.contains("<memories>\n{\"id\":\"m1\"") && asked.ends_with("what is my cat called?"),
        "{asked}"
    );
    assert_eq!(requests[1].said()[..2], ["what is my cat called?", "ok"], "not repeated in the history");
    assert!(requests[1].last_user().ends_with("thank you"), "{}", requests[1].last_user());
    Test::new().server(&server).run_with(&["--recall-in", "air"], "").code(2).stderr_has("system, user");
}
