//! The log: to a file of the user's own, or to stderr; never to stdout.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::store;

/// Starts logging at `level`. Other crates are heard at `trace` only; they may log what they send.
pub fn start(level: LevelFilter, file: Option<&Path>) -> io::Result<()> {
    let others = if level == LevelFilter::TRACE { LevelFilter::DEBUG } else { LevelFilter::OFF };
    let filter = Targets::new().with_target("mini_chatgpt", level).with_default(others);
    let layer = tracing_subscriber::fmt::layer().with_ansi(false);
    match file {
        Some(path) => {
            let file = store::private(OpenOptions::new().create(true).append(true)).open(path)?;
            tracing_subscriber::registry().with(filter).with(layer.with_writer(Mutex::new(file))).init();
        }
        None => tracing_subscriber::registry().with(filter).with(layer.with_writer(io::stderr)).init(),
    }
    Ok(())
}
