//! Memory files: those of other programs, those of other users, and damaged ones.

use std::process::Command;

use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::Test;

fn remember(content: &str) -> Reply {
    let arguments = json!({"content": content, "context": "chat", "memory_type": "semantic"});
    Reply::calls([("upsert_memory", arguments)])
}

/// Ten lines of another program that reads and writes the file with the seven fields.
const OTHER_PROGRAM: &str = r#"
import json, sys, uuid, datetime
path, content = sys.argv[1], sys.argv[2]
with open(path, encoding="utf-8") as f: records = json.load(f)
for r in records: assert set(r) == {"memory_id", "content", "context", "created_at", "updated_at", "memory_type", "embedding"}, r
now = datetime.datetime.now().isoformat(timespec="seconds")
for r in records: datetime.datetime.fromisoformat(r["created_at"])
records.append(dict(memory_id=str(uuid.uuid4()), content=content, context="python", created_at=now,
    updated_at=now, memory_type="procedural", embedding=[0.1, -0.2]))
with open(path, "w", encoding="utf-8") as f: json.dump(records, f, ensure_ascii=False, indent=2)
"#;

#[test]
fn another_program_reads_and_writes_the_same_file() {
    let server = Server::new()
        .reply(remember("用户叫张三"))
        .reply(Reply::text("ok"))
        .reply(remember("第三条"))
        .reply(Reply::text("ok"))
        .start();
    let test = Test::new().server(&server);
    test.run_with(&["--once", "我叫张三"], "").ok();
    let path = test.path(".memory/demo-user.json");
    let python = |content: &str| {
        let status = Command::new("python3").arg("-c").arg(OTHER_PROGRAM).arg(&path).arg(content).status();
        assert!(status.expect("python3").success());
    };
    python("回答要简短");
    test.run_with(&[], "/memories\n再记一条\n")
        .ok()
        .stdout_has("2. [procedural / 程序记忆] 回答要简短 | python\n");
    python("第四条");
    let memories = test.memory_file("demo-user");
    assert_eq!(memories.as_array().unwrap().len(), 4);
    assert_eq!(memories[1]["embedding"], json!([0.1, -0.2]));
    assert!(test.read(".memory/demo-user.json").contains("用户叫张三"), "non-ASCII is kept as it is");
}

#[test]
fn files_of_system_a_open_unchanged() {
    let text = "\u{feff}[\r\n  {\"memory_id\": \"1\", \"content\": \"with vector\", \"context\": \"c\", \
        \"created_at\": \"2025-01-01T10:00:00\", \"updated_at\": \"2025-01-01T10:00:00\", \
        \"memory_type\": \"episodic\", \"embedding\": [0.5, 0.25]},\r\n  {\"memory_id\": \"2\", \
        \"content\": \"bare\", \"context\": \"\", \"created_at\": \"x\", \"updated_at\": \"y\"},\r\n  \
        {\"memory_id\": \"3\", \"content\": \"odd\", \"context\": \"c\", \"memory_type\": \"belief\", \
        \"stars\": 5}\r\n]\r\n";
    let server = Server::new().reply(remember("new")).reply(Reply::text("ok")).start();
    let test = Test::new().server(&server).file(".memory/demo-user.json", text);
    test.run_with(&[], "/memories\n").ok().stderr("").stdout(
        "1. [episodic / 情景记忆] with vector | c\n2. [semantic / 语义记忆] bare\n3. [semantic / 语义记忆] odd | c\n",
    );
    assert_eq!(test.read(".memory/demo-user.json"), text, "reading changes nothing");
    test.run_with(&["--once", "go"], "").ok();
    let memories = test.memory_file("demo-user");
    assert_eq!(memories[0]["embedding"], json!([0.5, 0.25]));
    let keys: Vec<&String> = memories[1].as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 7, "a short record is completed: {keys:?}");
    assert_eq!((&memories[1]["embedding"], &memories[1]["memory_type"]), (&Value::Null, &json!("semantic")));
    assert_eq!(memories[2]["memory_type"], "belief", "what is not changed is kept as it is");
    assert_eq!(memories[2]["stars"], 5);
    assert_eq!(memories[3]["content"], "new");
}

#[test]
fn users_are_strangers_to_each_other() {
    let long = "x".repeat(300);
    let users =
        ["a/b", "a_b", "a%2Fb", "..", "CON", "con", "张三", "😀", "a b", long.as_str(), ".", "a\\b", "-"];
    let server = Server::new()
        .replies(users.iter().flat_map(|user| [remember(&format!("I am {user}")), Reply::text("ok")]))
        .start();
    let test = Test::new().server(&server);
    let user_flag = |user: &str| format!("--user-id={user}");
    for user in users {
        test.run_with(&[&user_flag(user), "--once", "remember me"], "").ok();
    }
    for user in users {
        let line = format!("1. [semantic / 语义记忆] I am {user} | chat\n");
        test.run_with(&[&user_flag(user)], "/memories\n").ok().stdout(&line);
    }
    let files = std::fs::read_dir(test.path(".memory")).unwrap();
    let json =
        files.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|e| e == "json")).count();
    assert_eq!(json, users.len());
    let beside: Vec<_> =
        std::fs::read_dir(test.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(beside, [".memory"], "nothing leaves the folder");
    test.run_with(&["--user-id=", "hi"], "").code(2).stderr_has("--user-id: it is empty");
}

#[test]
fn a_damaged_file_is_set_aside_and_the_person_is_told() {
    let server = Server::new().reply(Reply::text("ok")).start();
    let damaged = r#"[{"memory_id": "a", "content": "kept"}, {"memory_id": "b", "content": "los"#;
    let test = Test::new().server(&server).file(".memory/demo-user.json", damaged);
    let run = test.run_with(&["--once", "kept?"], "");
    run.ok()
        .stdout("ok\n")
        .stderr_has("the memory file was damaged; it is kept as")
        .stderr_has("1 memory could be saved");
    assert_eq!(test.read(".memory/demo-user.damaged-1.json"), damaged);
    assert!(server.requests()[0].shown().contains("kept"));
}

#[cfg(unix)]
#[test]
fn a_killed_process_leaves_the_old_file_or_the_new_one() {
    let server = Server::new()
        .replies((0..40).flat_map(|number| [remember(&format!("fact {number}")), Reply::text("ok")]))
        .allow_unused()
        .start();
    let test = Test::new().server(&server);
    for kill_after in [1, 3, 4, 7] {
        let mut live = test.spawn();
        for number in 0..20 {
            live.send_line(&format!("message {number}"));
        }
        let seen = server.requests().len();
        server.wait_for_requests(seen + kill_after);
        live.kill();
        drop(live);
        let run = test.run_with(&[], "/memories\n");
        run.ok().stderr("");
    }
    let leftovers = std::fs::read_dir(test.path(".memory")).unwrap();
    let damaged =
        leftovers.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("damaged"));
    assert_eq!(damaged.count(), 0);
}
