//! Keeps what is typed between two prompts off the screen, and whole for the next one.
//!
//! Left alone, a terminal would mix the typed characters into the answer, turn an Enter into the line
//! feed that the editor takes for Ctrl-J, and swallow a Ctrl-D. Ctrl-C stays a signal.

/// The terminal is quiet as long as this lives.
#[cfg(unix)]
pub struct Quiet {
    /// `None` when stdin is no terminal.
    before: Option<rustix::termios::Termios>,
}

#[cfg(unix)]
impl Quiet {
    pub fn start() -> Self {
        use rustix::termios::{InputModes, LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let stdin = std::io::stdin();
        let before = tcgetattr(&stdin).ok();
        if let Some(before) = &before {
            let mut quiet = before.clone();
            quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
            quiet.input_modes.remove(InputModes::ICRNL);
            if let Err(error) = tcsetattr(&stdin, OptionalActions::Now, &quiet) {
                tracing::debug!(%error, "the terminal stays as it is");
            }
        }
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before
            && let Err(error) = tcsetattr(std::io::stdin(), OptionalActions::Now, before)
        {
            tracing::debug!(%error, "the terminal stays quiet");
        }
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
