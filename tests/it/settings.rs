//! Where settings come from, and finding a model without any.

use crate::server::{Reply, Server};
use crate::support::Test;

#[test]
fn flags_beat_environment_beats_dot_env_beats_the_file() {
    let server = Server::new().replies((0..4).map(|_| Reply::text("ok"))).start();
    let config = "model = 'from-file'\nuser_id = 'filed'\n";
    let test = Test::new()
        .server(&server)
        .without_env("MINI_CHATGPT_MODEL")
        .file("../home/.config/mini-chatgpt/config.toml", config);
    test.run_with(&["hi"], "").ok();
    let test = test.file(".env", "MINI_CHATGPT_MODEL=from-dot-env\n");
    test.run_with(&["hi"], "").ok();
    let test = test.env("MINI_CHATGPT_MODEL", "from-environment");
    test.run_with(&["hi"], "").ok();
    test.run_with(&["-m", "from-flag", "hi"], "").ok();
    let models: Vec<String> =
        server.requests().iter().map(|request| request.body["model"].as_str().unwrap().to_owned()).collect();
    assert_eq!(models, ["from-file", "from-dot-env", "from-environment", "from-flag"]);
}

#[test]
fn a_broken_config_file_is_named_with_line_and_key() {
    let test =
        Test::new().file("../home/.config/mini-chatgpt/config.toml", "model = 'x'\nmax_rounds = 'lots'\n");
    test.env("OPENAI_API_KEY", "k")
        .run_with(&["hi"], "")
        .code(78)
        .stderr_has("config.toml:2: max_rounds: \"lots\" is not");
}

#[test]
fn an_endpoint_without_a_model_is_asked_for_one() {
    let server = Server::new().models(["nomic-embed-text", "llama3"]).reply(Reply::text("ok")).start();
    let test = Test::new().server(&server).without_env("MINI_CHATGPT_MODEL");
    test.run_with(&["hi"], "").ok().stdout("ok\n").stderr_has("using the model llama3 at 127.0.0.1:");
    assert_eq!(server.requests()[0].body["model"], "llama3");
}

#[test]
fn an_endpoint_that_lists_no_models_is_asked_for_the_usual_one() {
    let server = Server::new().reply(Reply::text("ok")).start();
    Test::new().server(&server).without_env("MINI_CHATGPT_MODEL").run_with(&["hi"], "").ok();
    assert_eq!(server.requests()[0].body["model"], "qwen-plus");
}

#[test]
fn with_no_key_a_server_on_this_machine_is_found() {
    let server = Server::new().models(["bge-m3", "qwen3:8b"]).reply(Reply::text("ok")).start();
    let places = format!("127.0.0.1:9, {}", server.url());
    let run = Test::new().env("MINI_CHATGPT_LOCAL_SERVERS", &places).run_with(&["hi"], "");
    run.ok().stdout("ok\n").stderr_has("using the model qwen3:8b");
    assert!(!server.requests()[0].headers.contains_key("authorization"));
}

#[test]
fn a_chosen_provider_needs_its_own_key() {
    let run = Test::new().env("OPENAI_API_KEY", "sk-secret").run_with(&["--provider", "deepseek", "hi"], "");
    run.code(78).stderr("error: there is no key for deepseek\nhint: set DEEPSEEK_API_KEY\n");
    let run = Test::new().run_with(&["--provider", "nobody", "hi"], "");
    run.code(2).stderr_has("--provider: \"nobody\" is none of dashscope, openai");
}

#[test]
fn the_memory_folder_is_where_it_is_said_to_be() {
    let server = Server::new().start();
    let test = Test::new().server(&server).env("MINI_CHATGPT_MEMORY_DIR", "named");
    let memories = r#"[{"memory_id": "a", "content": "found"}]"#;
    let found = "1. [semantic / 语义记忆] found\n";
    let test = test.file("named/demo-user.json", memories).file("flagged/demo-user.json", memories);
    test.run_with(&[], "/memories\n").ok().stdout(found);
    test.run_with(&["--memory-dir", "flagged"], "/memories\n").ok().stdout(found);
    test.run_with(&["--memory-dir", "other"], "/memories\n").ok().stdout("no memories yet\n");

    // Without a .memory here, an installed program finds its memories from everywhere.
    let test = Test::new().server(&server).without_memory_dir();
    let test = test.file("../home/.local/share/mini-chatgpt/memory/demo-user.json", memories);
    test.run_with(&[], "/memories\n").ok().stdout(found);
}

#[test]
fn the_persona_can_be_replaced_by_a_text_or_a_file() {
    let server = Server::new().reply(Reply::text("ok")).reply(Reply::text("ok")).start();
    let test = Test::new().server(&server).file("persona.txt", "You are a pirate.");
    test.run_with(&["--system", "@persona.txt", "hi"], "").ok();
    test.run_with(&["--system", "You are a monk.", "hi"], "").ok();
    let starts: Vec<String> = server.requests().iter().map(crate::server::Request::system).collect();
    assert!(starts[0].starts_with("You are a pirate.\n") && starts[1].starts_with("You are a monk.\n"));
    test.run_with(&["--system", "@missing", "hi"], "").code(2).stderr_has("--system: cannot read");
}

#[test]
fn a_redirect_never_carries_the_key_away() {
    let elsewhere = Server::new().start();
    let target = format!("{}/chat/completions", elsewhere.url());
    let server = Server::new().reply(Reply::status(307, "").header("location", &target)).start();
    Test::new()
        .server(&server)
        .run_with(&["hi"], "")
        .code(1)
        .stderr_has("redirects to")
        .stderr_has("not followed");
    assert_eq!(elsewhere.all_paths(), Vec::<String>::new());
}

#[test]
fn a_proxy_is_never_asked_for_this_machine() {
    let server = Server::new().reply(Reply::text("direct")).start();
    let test = Test::new()
        .server(&server)
        .env("HTTP_PROXY", "http://127.0.0.1:9")
        .env("ALL_PROXY", "socks5://127.0.0.1:9");
    test.run_with(&["hi"], "").ok().stdout("direct\n");
}

#[test]
fn a_mistyped_variable_is_not_silent() {
    let server = Server::new().reply(Reply::text("ok")).start();
    let test = Test::new().server(&server).env("MINI_CHATGPT_TOPK", "3");
    test.run_with(&["hi"], "")
        .ok()
        .stderr("warning: there is no variable MINI_CHATGPT_TOPK; it is ignored\n");
    test.run_with(&["--modle", "x"], "")
        .code(2)
        .stderr_has("there is no option --modle; did you mean --model?");
}
