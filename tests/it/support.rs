//! Runs the program hermetically: a temp folder, an environment with nothing of the developer's in it,
//! and checks on stdout, stderr and exit code that print all three when they fail.
//!
//! Invariants:
//! - a child sees only the variables listed in `Test::new` and what the test sets;
//! - no child outlives its test, none runs longer than `RUN_LIMIT`;
//! - output is read by threads of its own, so that a full pipe never blocks a child;
//! - a panic of the program fails whatever check comes first.
//!
//! One `Test` is one folder. Each run is a process of its own, so two runs of one `Test` are what a
//! user has who quits and comes back. Absent on purpose: terminals. A pty test takes `Test::command`.

#![allow(dead_code, reason = "a toolbox: not every test run uses every tool")]
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test harness has to fail loudly, and prepares files and variables for the program"
)]

use crate::server::Server;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const RUN_LIMIT: Duration = Duration::from_secs(60);
const OUTPUT_LIMIT: Duration = Duration::from_secs(20);

/// Everything a run of the program depends on.
#[must_use]
pub struct Test {
    root: PathBuf,
    args: Vec<String>,
    env: BTreeMap<String, String>,
    stdin: Vec<u8>,
    // Last, since dropping it removes the folder.
    _folder: TempDir,
}

impl Test {
    pub fn new() -> Test {
        let folder = TempDir::new().expect("a temp folder");
        // On macOS the temp folder is behind a link, and the child would print another path.
        let root = if cfg!(unix) { folder.path().canonicalize() } else { Ok(folder.path().to_owned()) };
        let root = root.expect("the temp folder's path");
        let home = root.join("home");
        fs::create_dir_all(&home).expect("home/");
        fs::create_dir_all(root.join("work").join(".memory")).expect("work/.memory/");
        let mut env = BTreeMap::new();
        for (name, folder) in [
            ("HOME", home.clone()),
            ("XDG_CONFIG_HOME", home.join(".config")),
            ("XDG_DATA_HOME", home.join(".local").join("share")),
            ("XDG_CACHE_HOME", home.join(".cache")),
        ] {
            env.insert(name.to_owned(), folder.to_str().expect("a UTF-8 temp folder").to_owned());
        }
        let test = Test { root, args: Vec::new(), env, stdin: Vec::new(), _folder: folder };
        test.env("LANG", "en_US.UTF-8")
            .env("TZ", "Asia/Shanghai")
            .env("MINI_CHATGPT_LOCAL_SERVERS", "off")
            // Loading the built-in model in each of hundreds of runs would take minutes.
            .env("MINI_CHATGPT_EMBEDDINGS", "off")
            // Each turn would be followed by a request for proposals.
            .env("MINI_CHATGPT_ENCODE", "off")
            .inherit("PATH")
            // Windows cannot open a socket without it.
            .inherit(if cfg!(windows) { "SystemRoot" } else { "PATH" })
    }

    fn inherit(self, name: &str) -> Test {
        match std::env::var(name) {
            Ok(value) => self.env(name, &value),
            Err(_) => self,
        }
    }

    pub fn arg(mut self, arg: &str) -> Test {
        self.args.push(arg.to_owned());
        self
    }

    pub fn args<const N: usize>(mut self, args: [&str; N]) -> Test {
        self.args.extend(args.map(str::to_owned));
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Test {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Takes back a variable that `new`, `server` or `env` set.
    pub fn without_env(mut self, name: &str) -> Test {
        self.env.remove(name);
        self
    }

    /// What the program reads; by default nothing, i.e. a pipe that is closed at once.
    pub fn stdin(self, text: &str) -> Test {
        self.stdin_bytes(text.as_bytes().to_vec())
    }

    pub fn stdin_bytes(mut self, bytes: Vec<u8>) -> Test {
        self.stdin = bytes;
        self
    }

    /// Makes `server` the provider.
    pub fn server(self, server: &Server) -> Test {
        self.env("OPENAI_BASE_URL", &server.url())
            .env("OPENAI_API_KEY", "sk-test")
            .env("MINI_CHATGPT_MODEL", "test-model")
    }

    /// Writes a file in `work/`, with its folders.
    pub fn file(self, relative: &str, content: &str) -> Test {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a folder above the file")).expect("the file's folder");
        fs::write(&path, content).expect("the file");
        self
    }

    /// Without it `work/.memory/` exists, and the program keeps its memory there.
    pub fn without_memory_dir(self) -> Test {
        fs::remove_dir_all(self.path(".memory")).expect("work/.memory/");
        self
    }

    /// A path in `work/`, the folder that the program runs in.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join("work").join(relative)
    }

    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The text of a file in `work/`.
    #[track_caller]
    pub fn read(&self, relative: &str) -> String {
        let path = self.path(relative);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// `work/.memory/<user>.json`.
    #[track_caller]
    pub fn memory_file(&self, user: &str) -> Value {
        let text = self.read(&Path::new(".memory").join(format!("{user}.json")).to_string_lossy());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{user}.json: {error}: {text}"))
    }

    /// The program with all that was set except stdin, for tests that start it their own way.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mini-chatgpt"));
        command.args(&self.args).env_clear().envs(&self.env).current_dir(self.path(""));
        command
    }

    #[track_caller]
    pub fn run(&self) -> Run {
        self.run_with(&[], &self.stdin)
    }

    /// A run with more arguments and its own stdin; for the second process in the same folder.
    #[track_caller]
    pub fn run_with(&self, more_args: &[&str], stdin: impl AsRef<[u8]>) -> Run {
        let mut live = self.spawn_with(more_args);
        let pipe = live.stdin.take();
        let bytes = stdin.as_ref().to_vec();
        // On its own thread, since a child may write before it has read all.
        let writer = thread::spawn(move || pipe.map(|mut pipe| pipe.write_all(&bytes)));
        let run = live.wait();
        if let Some(Err(error)) = writer.join().expect("the stdin writer") {
            // A program may leave without having read its input.
            assert_eq!(error.kind(), ErrorKind::BrokenPipe, "writing stdin");
        }
        run
    }

    /// Starts the program on pipes that the test holds.
    #[track_caller]
    pub fn spawn(&self) -> Live {
        self.spawn_with(&[])
    }

    #[track_caller]
    pub fn spawn_with(&self, more_args: &[&str]) -> Live {
        let mut command = self.command();
        command.args(more_args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        Live {
            stdin: child.stdin.take(),
            stdout: Capture::of(child.stdout.take().expect("piped stdout")),
            stderr: Capture::of(child.stderr.take().expect("piped stderr")),
            child,
        }
    }
}

/// A running program; dropping it kills it.
#[must_use]
pub struct Live {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Capture,
    stderr: Capture,
}

impl Live {
    #[track_caller]
    pub fn send(&mut self, text: &str) {
        let pipe = self.stdin.as_mut().expect("stdin is still open");
        let sent = pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush());
        if let Err(error) = sent {
            panic!("could not write stdin: {error}\n{}", self.output());
        }
    }

    #[track_caller]
    pub fn send_line(&mut self, line: &str) {
        self.send(&format!("{line}\n"));
    }

    /// End of input.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Blocks until stdout contains `text`.
    #[track_caller]
    pub fn wait_stdout(&self, text: &str) {
        self.wait_output(&self.stdout, text);
    }

    /// Blocks until stderr contains `text`.
    #[track_caller]
    pub fn wait_stderr(&self, text: &str) {
        self.wait_output(&self.stderr, text);
    }

    #[track_caller]
    fn wait_output(&self, capture: &Capture, text: &str) {
        let deadline = Instant::now() + OUTPUT_LIMIT;
        if !capture.wait(deadline, |captured| captured.text().contains(text)) {
            panic!("waited in vain for {text:?}\n{}", self.output());
        }
    }

    pub fn stdout(&self) -> String {
        self.stdout.lock().text()
    }

    pub fn stderr(&self) -> String {
        self.stderr.lock().text()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ctrl-C.
    #[cfg(unix)]
    #[track_caller]
    pub fn interrupt(&self) {
        self.signal("INT");
    }

    /// By the `kill` command, because std sends no signals and `unsafe` is forbidden.
    #[cfg(unix)]
    #[track_caller]
    pub fn signal(&self, name: &str) {
        let command = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &command]).status().expect("sh starts");
        assert!(status.success(), "{command} failed\n{}", self.output());
    }

    /// As a power cut would; `wait` then says what was printed before.
    pub fn kill(&mut self) {
        self.child.kill().expect("the program can be killed");
    }

    /// Closes stdin and waits for the end.
    #[track_caller]
    pub fn finish(mut self) -> Run {
        self.close_stdin();
        self.wait()
    }

    /// Waits for the end with stdin as it is.
    #[track_caller]
    pub fn wait(mut self) -> Run {
        let deadline = Instant::now() + RUN_LIMIT;
        let closed = |captured: &Captured| captured.closed;
        let closed = self.stdout.wait(deadline, closed) && self.stderr.wait(deadline, closed);
        let status = if closed { self.reap(deadline) } else { None };
        let Some(status) = status else {
            let _ = self.child.kill();
            panic!("the program was still running after {RUN_LIMIT:?}\n{}", self.output());
        };
        Run { stdout: self.stdout(), stderr: self.stderr(), code: code_of(status) }
    }

    /// A process whose pipes are closed is all but gone; std offers no wait with a limit for the rest.
    fn reap(&mut self, deadline: Instant) -> Option<ExitStatus> {
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("the program's status") {
                return Some(status);
            }
            thread::park_timeout(Duration::from_millis(1));
        }
        None
    }

    fn output(&self) -> String {
        format!("--- stdout\n{}\n--- stderr\n{}\n---", self.stdout(), self.stderr())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // After `wait` the process is reaped, and both do nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// As a shell says it: a death by signal is 128 and the signal.
fn code_of(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return 128 + signal;
        }
    }
    status.code().unwrap_or(-1)
}

/// One output pipe, read to its end by a thread.
struct Capture(Arc<(Mutex<Captured>, Condvar)>);

#[derive(Default)]
struct Captured {
    bytes: Vec<u8>,
    closed: bool,
}

impl Captured {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl Capture {
    fn of(mut pipe: impl Read + Send + 'static) -> Capture {
        let capture = Capture(Arc::default());
        let twin = Capture(Arc::clone(&capture.0));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                let count = match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Ok(count) => count,
                    Err(_) => 0,
                };
                let mut captured = twin.lock();
                captured.bytes.extend(buffer.iter().take(count));
                captured.closed = count == 0;
                twin.0.1.notify_all();
                if captured.closed {
                    return;
                }
            }
        });
        capture
    }

    fn lock(&self) -> MutexGuard<'_, Captured> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether `met` came true before the deadline; the end of the output ends the wait early.
    fn wait(&self, deadline: Instant, met: impl Fn(&Captured) -> bool) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        let waiting = |captured: &mut Captured| !captured.closed && !met(captured);
        let (captured, _) =
            self.0.1.wait_timeout_while(self.lock(), left, waiting).unwrap_or_else(PoisonError::into_inner);
        met(&captured)
    }
}

/// How a run ended. The checks chain, and the first to fail prints all there is.
#[derive(Clone, Debug)]
#[must_use]
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

// The checks take `&self`: a `Run` handed back by value would be one more `must_use`.
impl Run {
    #[track_caller]
    pub fn ok(&self) -> &Run {
        self.code(0)
    }

    #[track_caller]
    pub fn code(&self, code: i32) -> &Run {
        self.check(self.code == code, || format!("exit code is not {code}"))
    }

    #[track_caller]
    pub fn stdout(&self, exact: &str) -> &Run {
        self.check(self.stdout == exact, || format!("stdout is not {exact:?}, but {:?}", self.stdout))
    }

    #[track_caller]
    pub fn stderr(&self, exact: &str) -> &Run {
        self.check(self.stderr == exact, || format!("stderr is not {exact:?}, but {:?}", self.stderr))
    }

    #[track_caller]
    pub fn stdout_has(&self, part: &str) -> &Run {
        self.check(self.stdout.contains(part), || format!("stdout lacks {part:?}"))
    }

    #[track_caller]
    pub fn stderr_has(&self, part: &str) -> &Run {
        self.check(self.stderr.contains(part), || format!("stderr lacks {part:?}"))
    }

    #[track_caller]
    pub fn stdout_lacks(&self, part: &str) -> &Run {
        self.check(!self.stdout.contains(part), || format!("stdout has {part:?}"))
    }

    #[track_caller]
    pub fn stderr_lacks(&self, part: &str) -> &Run {
        self.check(!self.stderr.contains(part), || format!("stderr has {part:?}"))
    }

    /// Part of every other check; by itself for runs of which nothing else is known.
    #[track_caller]
    pub fn no_panic(&self) -> &Run {
        self.check(true, String::new)
    }

    /// No escape sequence on either stream.
    #[track_caller]
    pub fn no_ansi(&self) -> &Run {
        let plain = !self.stdout.contains('\u{1b}') && !self.stderr.contains('\u{1b}');
        self.check(plain, || "an escape sequence was printed".to_owned())
    }

    #[track_caller]
    fn check(&self, good: bool, complaint: impl FnOnce() -> String) -> &Run {
        let complaint = match self.stderr.contains("panicked at") {
            true => "the program panicked".to_owned(),
            false if good => return self,
            false => complaint(),
        };
        let Run { stdout, stderr, code } = self;
        panic!("{complaint}\n--- exit code {code}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n---");
    }
}
