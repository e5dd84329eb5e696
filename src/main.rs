//! The binary: arguments and environment in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    ExitCode::from(mini_chatgpt::run(arguments, mini_chatgpt::process_environment()))
}
