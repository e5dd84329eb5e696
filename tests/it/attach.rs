//! Files that go with a message, and files that the model reads.

use std::fs;

use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::Test;
use crate::thread::lines;

/// A red pixel as PNG (written by hand: signature, IHDR, IDAT, IEND).
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82";

#[test]
fn files_that_a_message_names_go_with_it() {
    let server = Server::new().replies((0..3).map(|_| Reply::text("ok"))).start();
    let test = Test::new().server(&server).file("notes.md", "# Budget\n1200").file("a b.txt", "spaced");
    let run = test.run_with(&[], "看看@notes.md，谢谢\nand @\"a b.txt\" or @alice and @none.txt\n");
    run.ok().stderr_has("📎 notes.md (13 B, about ").stderr_has("there is no file none.txt");
    test.run_with(&["sum up", "--file", "notes.md"], "piped @\"a b.txt\"\n").ok();
    let requests = server.requests();
    assert_eq!(
        requests[0].last_user(),
        "<file name=\"notes.md\">\n# Budget\n1200\n</file>\n\n看看@notes.md，谢谢"
    );
    let second = requests[1].said();
    assert!(second[0].contains("1200"), "it is there in later requests");
    assert!(
        second[2].contains("<file name=\"a b.txt\">\nspaced\n</file>") && !second[2].contains("none.txt\">")
    );
    let third = requests[2].last_user();
    assert!(third.contains("1200") && third.ends_with("sum up\n\npiped @\"a b.txt\""), "{third}");
    assert!(!third.contains("spaced"), "what is piped in attaches nothing");
}

#[test]
fn nothing_hidden_outside_or_binary_is_taken_and_nothing_is_sent_without_its_file() {
    let server = Server::new().replies((0..3).map(|_| Reply::text("ok"))).start();
    let test = Test::new().server(&server).file(".env.local", "KEY=1");
    fs::write(test.home().join("secret.txt"), "s").unwrap();
    fs::write(test.path("data.bin"), b"\x7fELF\0\0\0").unwrap();
    let outside = test.home().join("secret.txt").display().to_string();
    let run = test.run_with(&[], format!("a @.env.local\nb @{outside}\nc @data.bin\n"));
    run.code(1)
        .stdout("ok\nok\n")
        .stderr_has("warning: .env.local was not attached")
        .stderr_has("secret.txt was not attached")
        .stderr_has("error: data.bin: it is binary");
    let said: String = server.requests().iter().flat_map(crate::server::Request::said).collect();
    assert!(!said.contains("KEY=1") && !said.contains("<file"), "{said}");
    fs::write(test.path("notes.md"), "N-O-T-E-S").unwrap();
    test.run_with(&[], "d @notes.md @data.bin\nplain\n").code(1);
    assert!(!server.requests()[2].last_user().contains("N-O-T-E-S"), "all files of a message go, or none");
    test.run_with(&["x", "--file", "gone.md"], "").code(1).stderr_has("gone.md: there is no such file");
    test.run_with(&["x", "--file", "."], "").code(1).stderr_has("it is not a regular file");
}

#[test]
fn images_go_to_models_that_take_them() {
    let server = Server::new().replies(["red", "still red", "so I hear"].map(Reply::text)).start();
    let test = Test::new().server(&server);
    fs::write(test.path("dot.png"), PNG).unwrap();
    test.run_with(&["what colour?", "--file", "dot.png"], "")
        .code(1)
        .stderr_has("it is not known whether test-model accepts images; nothing was sent")
        .stderr_has("--images on");
    test.run_with(&["what colour?", "--file", "dot.png", "-m", "gpt-3.5-turbo"], "")
        .code(1)
        .stderr_has("gpt-3.5-turbo does not accept images");
    test.run_with(&["--images", "on", "--thread", "t", "--file", "dot.png"], "what colour?\n")
        .ok()
        .stderr_has("📎 dot.png (1×1)");
    test.run_with(&["--images", "on", "--thread", "t"], "sure?\n").ok();
    test.run_with(&["-m", "gpt-3.5-turbo", "--thread", "t"], "and now?\n").ok();
    let requests = server.requests();
    assert_eq!(requests[2].said()[0], "what colour?\n[image \"dot.png\", which you cannot see]");
    let parts = &requests[0].messages()[1]["content"];
    assert!(parts[0]["image_url"]["url"].as_str().unwrap().starts_with("data:image/png;base64,iVBOR"));
    assert!(parts[1]["text"].as_str().unwrap().ends_with("what colour?"));
    assert_eq!(&requests[1].messages()[1]["content"], parts, "it is kept in the thread");
    assert_eq!(lines(&test)[0]["attachments"][0]["media_type"], "image/png");
}

#[test]
fn the_model_reads_files_where_it_may_and_every_read_is_shown() {
    let read =
        |path: &str, range: Value| Reply::calls([("read_file", json!({"path": path, "range": range}))]);
    let server = Server::new()
        .reply(read("src/a.txt", json!("2-3")))
        .reply(read("../work/secret.txt", json!(null)))
        .reply(read("/etc/passwd", json!(null)))
        .reply(read(".env", json!(null)))
        .reply(Reply::text("done"))
        .reply(read("src/a.txt", json!(null)))
        .reply(Reply::text("none of it"))
        .reply(Reply::text("no tool"))
        .start();
    let test = Test::new()
        .server(&server)
        .file("docs/src/a.txt", "one\ntwo\nthree\nfour\n")
        .file("docs/.env", "KEY=hush")
        .file("secret.txt", "hush");
    let run = test.run_with(&["--allow-read", "docs"], "read it\n");
    run.ok().stdout("done\n").stderr("📄 the model reads src/a.txt, lines 2-3 of 4\n");
    let requests = server.requests();
    assert!(requests[0].tools().contains(&"read_file".to_owned()));
    let answer =
        |request: usize| requests[request].messages().last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(answer(1).contains("two\\nthree") && !answer(1).contains("four"), "{}", answer(1));
    test.run_with(&["--memory-dir", "docs", "--allow-read", "docs"], "read my memories\n").ok();
    let requests = server.requests();
    let answer =
        |request: usize| requests[request].messages().last().unwrap()["content"].as_str().unwrap().to_owned();
    for refused in [answer(2), answer(3), answer(4), answer(6)] {
        assert!(refused.contains("only files within") && !refused.contains("hush"), "{refused}");
    }
    test.run_with(&[], "again\n").ok();
    assert!(!server.requests()[7].tools().contains(&"read_file".to_owned()), "off by default");
    test.run_with(&["--allow-read", "nowhere"], "").code(2).stderr_has("nowhere");
    test.file(".env", "MINI_CHATGPT_ALLOW_READ=/etc\n").run_with(&[], "x\n").code(78);
}
