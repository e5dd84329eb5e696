//! Keeps what is typed between two prompts off the screen, and whole for the next one.
//!
//! Left alone, a terminal would mix the typed characters into the answer, turn an Enter into the line
//! feed that the editor takes for Ctrl-J, and swallow a Ctrl-D. Ctrl-C stays a signal.

/// The terminal is quiet as long as this lives.
#[cfg(unix)]
pub struct Quiet {
    /// `None` when stdin is no terminal.
    before: Option<nix::sys::termios::Termios>,
}

#[cfg(unix)]
impl Quiet {
    pub fn start() -> Self {
        use nix::sys::termios::{InputFlags, LocalFlags, SetArg, tcgetattr, tcsetattr};
        let stdin = std::io::stdin();
        let before = tcgetattr(&stdin).ok();
        if let Some(before) = &before {
            let mut quiet = before.clone();
            quiet.local_flags.remove(LocalFlags::ECHO | LocalFlags::ICANON);
            quiet.input_flags.remove(InputFlags::ICRNL);
            if let Err(error) = tcsetattr(&stdin, SetArg::TCSANOW, &quiet) {
                tracing::debug!(%error, "the terminal stays as it is");
            }
        }
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use nix::sys::termios::{SetArg, tcsetattr};
        if let Some(before) = &self.before
            && let Err(error) = tcsetattr(std::io::stdin(), SetArg::TCSANOW, before)
        {
            tracing::debug!(%error, "the terminal stays quiet");
        }
    }
}

/// Lets the calling thread hear Ctrl-Z, or not. A stop must reach the thread that asked for it before
/// it goes on, and that is certain only where no other thread can take it.
#[cfg(unix)]
pub fn hear_suspend(hear: bool) {
    use nix::sys::signal::{SigSet, Signal};
    let mut set = SigSet::empty();
    set.add(Signal::SIGTSTP);
    let result = if hear { set.thread_unblock() } else { set.thread_block() };
    if let Err(error) = result {
        tracing::debug!(%error, "Ctrl-Z is heard as before");
    }
}

/// Ends with an exit code when the process is asked to end.
#[cfg(unix)]
pub async fn asked_to_end() -> u8 {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut hangup), Ok(mut terminate)) = (signal(SignalKind::hangup()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    // 128 and the number of the signal, as shells count.
    tokio::select! {
        _ = hangup.recv() => 129,
        _ = terminate.recv() => 143,
    }
}

/// Consoles of Windows echo nothing while nobody reads.
#[cfg(not(unix))]
pub struct Quiet;

#[cfg(not(unix))]
impl Quiet {
    pub fn start() -> Self {
        Self
    }
}

#[cfg(not(unix))]
pub fn hear_suspend(_hear: bool) {}

#[cfg(not(unix))]
pub async fn asked_to_end() -> u8 {
    std::future::pending().await
}
