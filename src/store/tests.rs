//! The store through its public face: files in, files out.

use std::fs;
use std::sync::Arc;

use chrono::TimeZone;
use serde_json::Value;

use super::*;
use crate::memory::audit::Event;

fn noon() -> DateTime<Local> {
    Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap()
}

fn remember(content: &str) -> Upsert {
    Upsert { context: "chat".to_owned(), ..Upsert::fact(content.to_owned()) }
}

fn contents(store: &mut Store) -> Vec<String> {
    store.memories().unwrap().iter().map(|memory| memory.content.clone()).collect()
}

#[test]
fn what_is_written_is_found_by_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let written =
        Store::open(folder.path(), "demo-user").unwrap().upsert(remember("张三"), By::Owner, noon()).unwrap();
    assert_eq!(written.action, Action::Inserted);
    let mut store = Store::open(folder.path(), "demo-user").unwrap();
    assert_eq!(store.memories().unwrap(), [Arc::new(written.memory.clone())]);
    let update = Upsert { memory_id: Some(written.memory.memory_id.clone()), ..remember("李四") };
    assert_eq!(store.upsert(update, By::Owner, noon()).unwrap().action, Action::Updated);
    assert_eq!(contents(&mut store), ["李四"]);
}

#[test]
fn a_change_is_applied_onto_what_is_on_disk_now() {
    let folder = tempfile::tempdir().unwrap();
    let mut one = Store::open(folder.path(), "u").unwrap();
    let mut other = Store::open(folder.path(), "u").unwrap();
    one.upsert(remember("a"), By::Owner, noon()).unwrap();
    other.upsert(remember("b"), By::Owner, noon()).unwrap();
    one.upsert(remember("c"), By::Owner, noon()).unwrap();
    assert_eq!(contents(&mut other), ["a", "b", "c"]);
}

#[test]
fn many_writers_lose_nothing() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let folder = Arc::clone(&folder);
            std::thread::spawn(move || {
                let mut store = Store::open(folder.path(), "u").unwrap();
                for number in 0..10 {
                    store.upsert(remember(&format!("{writer}-{number}")), By::Owner, noon()).unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    assert_eq!(Store::open(folder.path(), "u").unwrap().memories().unwrap().len(), 40);
}

#[test]
fn an_unknown_id_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    let result = store.upsert(Upsert { memory_id: Some("nope".into()), ..remember("x") }, By::Owner, noon());
    assert!(matches!(result, Err(StoreError::UnknownId(id)) if id == "nope"));
    assert_eq!(contents(&mut store), Vec::<String>::new());
}

#[test]
fn a_damaged_file_is_set_aside_and_saved_from() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = r#"[{"memory_id": "a", "content": "kept"}, {"memory_id": "b", "#;
    fs::write(folder.path().join("u.json"), damaged).unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    assert_eq!(contents(&mut store), ["kept"]);
    let kept = folder.path().join("u.damaged-1.json");
    assert_eq!(store.take_notices(), [Notice::SetAside { kept: kept.clone(), saved: 1 }]);
    assert_eq!(fs::read_to_string(kept).unwrap(), damaged);
    store.upsert(remember("new"), By::Owner, noon()).unwrap();
    assert_eq!(contents(&mut store), ["kept", "new"]);
}

#[test]
fn entries_that_are_no_memories_stay_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("u.json");
    fs::write(&path, r#"[{"note": "mine"}]"#).unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    store.upsert(remember("x"), By::Owner, noon()).unwrap();
    let file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(file[0]["note"], "mine");
    assert_eq!(store.take_notices(), [Notice::StrangeEntries { path, count: 1 }]);
}

#[test]
fn what_could_not_be_written_is_not_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    store.upsert(remember("kept"), By::Owner, noon()).unwrap();
    // A folder in the place of the file lets nothing be written, also for root.
    let path = folder.path().join("u.json");
    let text = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("x"), "").unwrap();
    assert!(store.upsert(remember("lost"), By::Owner, noon()).is_err());
    assert!(store.clear(noon()).is_err());
    fs::remove_dir_all(&path).unwrap();
    fs::write(&path, text).unwrap();
    assert_eq!(contents(&mut store), ["kept"]);
    store.upsert(remember("next"), By::Owner, noon()).unwrap();
    assert_eq!(contents(&mut store), ["kept", "next"]);
}

#[test]
fn an_edit_that_keeps_length_and_time_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    store.upsert(remember("old"), By::Owner, noon()).unwrap();
    let path = folder.path().join("u.json");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let text = fs::read_to_string(&path).unwrap().replace("old", "new");
    fs::write(&path, text).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    store.upsert(remember("x"), By::Owner, noon()).unwrap();
    assert_eq!(contents(&mut store), ["new", "x"]);
}

#[test]
fn clearing_deletes_this_users_memories_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut mine = Store::open(folder.path(), "a/b").unwrap();
    let mut other = Store::open(folder.path(), "a_b").unwrap();
    mine.upsert(remember("mine"), By::Owner, noon()).unwrap();
    other.upsert(remember("other"), By::Owner, noon()).unwrap();
    assert_eq!(mine.clear(noon()).unwrap(), 1);
    assert_eq!((contents(&mut mine), contents(&mut other)), (vec![], vec!["other".to_owned()]));
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("memory");
    let mut store = Store::open(&root, "u").unwrap();
    store.upsert(remember("x"), By::Owner, noon()).unwrap();
    let mode = |path: &str| fs::metadata(root.join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(["", "u.json", "u", "u/lock"].map(mode), [0o700, 0o600, 0o700, 0o600]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_elsewhere_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere.json");
    fs::write(&elsewhere, "[]").unwrap();
    let link = folder.path().join("u.json");
    std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
    Store::open(folder.path(), "u").unwrap().upsert(remember("x"), By::Owner, noon()).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(elsewhere).unwrap().contains("\"x\""));
}

#[test]
fn a_folder_that_cannot_be_written_is_said_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    fs::write(&blocked, "").unwrap();
    let error = Store::open(&blocked, "u").unwrap().upsert(remember("x"), By::Owner, noon()).unwrap_err();
    assert!(error.to_string().contains("file"), "{error}");
}

#[test]
fn an_import_is_all_or_nothing_and_the_same_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    let record = |id: &str, content: &str| {
        let memory = Memory::new(remember(content), id.to_owned(), noon());
        Incoming { memory, has_context: true, has_type: true }
    };
    let counts = |imported: Imported| (imported.inserted, imported.updated, imported.unchanged);
    let first =
        store.import(vec![record("a", "one"), record("b", "two"), record("a", "twice")], noon()).unwrap();
    assert_eq!(counts(first), (2, 1, 0));
    let vector = Vector::new("m", vec![vec![1.0]]).unwrap();
    let text = "twice\nchat".to_owned();
    let renewed = Renewed { memory_id: "a".to_owned(), text, vector: vector.clone() };
    assert_eq!(store.renew(vec![renewed]).unwrap(), 1);
    let again =
        store.import(vec![record("a", "twice"), record("b", "other"), record("c", "three")], noon()).unwrap();
    assert_eq!(counts(again), (1, 1, 1));
    assert_eq!(contents(&mut store), ["twice", "other", "three"]);
    assert_eq!(store.memories().unwrap()[0].vector, Some(vector));
}

#[test]
fn a_vector_is_not_given_to_a_memory_that_says_something_else_by_now() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    let id = store.upsert(remember("new"), By::Owner, noon()).unwrap().memory.memory_id;
    let vector = Vector::new("m", vec![vec![1.0]]).unwrap();
    let renewed = |id: &str, text: &str| Renewed {
        memory_id: id.to_owned(),
        text: text.to_owned(),
        vector: vector.clone(),
    };
    assert_eq!(store.renew(vec![renewed(&id, "old\nchat"), renewed("gone", "new\nchat")]).unwrap(), 0);
    assert_eq!(store.renew(vec![renewed(&id, "new\nchat")]).unwrap(), 1);
}

#[test]
fn an_older_record_and_what_a_record_leaves_out_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    let id = store.upsert(remember("new"), By::Owner, noon()).unwrap().memory.memory_id;
    let mut memory = Memory::new(remember("old"), id.clone(), noon() - chrono::Duration::days(1));
    let old = Incoming { memory: memory.clone(), has_context: true, has_type: true };
    assert_eq!(store.import(vec![old], noon()).unwrap().unchanged, 1);
    memory = Memory { content: "newer".into(), context: String::new(), updated_at: String::new(), ..memory };
    let partial = Incoming { memory, has_context: false, has_type: false };
    assert_eq!(store.import(vec![partial], noon()).unwrap().updated, 1);
    let now = &store.memories().unwrap()[0];
    assert_eq!(
        (now.content.as_str(), now.context.as_str(), now.memory_id.as_str()),
        ("newer", "chat", id.as_str())
    );
}

fn log(folder: &tempfile::TempDir) -> String {
    fs::read_to_string(folder.path().join("u/changes.jsonl")).unwrap()
}

#[test]
fn every_change_is_taken_back_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    let id = store.upsert(remember("one"), By::Tool, noon()).unwrap().memory.memory_id;
    store.upsert(Upsert { memory_id: Some(id.clone()), ..remember("two") }, By::Encode, noon()).unwrap();
    store.revise(&id, Kind::Pin, noon(), |memory| memory.governance.pinned = true).unwrap();
    // Another process takes back what this one has done.
    let mut other = Store::open(folder.path(), "u").unwrap();
    let said = |contents: &[&str]| contents.iter().map(|content| (*content).to_owned()).collect();
    let done =
        |kind, back: &[&str], gone: &[&str]| Undone::Change { kind, back: said(back), gone: said(gone) };
    assert_eq!(other.undo(noon()).unwrap(), done(Kind::Pin, &["two"], &[]));
    assert!(!store.memories().unwrap()[0].governance.pinned);
    assert_eq!(store.undo(noon()).unwrap(), done(Kind::Upsert, &["one"], &[]));
    assert_eq!(contents(&mut store), ["one"]);
    assert_eq!(store.undo(noon()).unwrap(), done(Kind::Upsert, &[], &["one"]));
    assert_eq!(contents(&mut store), Vec::<String>::new());
    assert_eq!(store.undo(noon()).unwrap(), Undone::Nothing);
}

#[test]
fn what_is_forgotten_is_in_no_file_and_comes_back_only_in_this_session() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    let id = store.upsert(remember("peanuts"), By::Tool, noon()).unwrap().memory.memory_id;
    store.upsert(Upsert { memory_id: Some(id.clone()), ..remember("all nuts") }, By::Owner, noon()).unwrap();
    assert!(log(&folder).contains("peanuts"));
    store.forget(std::slice::from_ref(&id), |_| vec!["hash".into()], By::Owner, noon()).unwrap();
    let file = fs::read_to_string(folder.path().join("u.json")).unwrap();
    for text in [log(&folder), file] {
        assert!(!text.contains("nuts"), "{text}");
    }
    let mut other = Store::open(folder.path(), "u").unwrap();
    assert!(other.audit().unwrap().forgotten().contains("hash"));
    assert_eq!(other.undo(noon()).unwrap(), Undone::Impossible(Kind::Forget));
    assert_eq!(
        store.undo(noon()).unwrap(),
        Undone::Change { kind: Kind::Forget, back: vec!["all nuts".into()], gone: vec![] }
    );
    assert_eq!(contents(&mut other), ["all nuts"]);
    assert!(!other.audit().unwrap().forgotten().contains("hash"));
}

#[test]
fn a_torn_log_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), "u").unwrap();
    store.upsert(remember("one"), By::Tool, noon()).unwrap();
    let path = folder.path().join("u/changes.jsonl");
    fs::write(&path, format!("{}{{\"at\": \"2026-1", log(&folder))).unwrap();
    let mut next = Store::open(folder.path(), "u").unwrap();
    next.note(Event::Refused { reason: "x".into() }, noon()).unwrap();
    next.upsert(remember("two"), By::Tool, noon()).unwrap();
    let mut last = Store::open(folder.path(), "u").unwrap();
    let audit = last.audit().unwrap();
    assert_eq!((audit.changes.len(), audit.next(), audit.refused["x"]), (2, 3, 1));
}
