//! Where the platform keeps what a program has.

use std::path::PathBuf;

/// The platform's folders for this program.
#[derive(Debug, Default)]
pub struct Folders {
    pub config: Option<PathBuf>,
    pub data: Option<PathBuf>,
    pub cache: Option<PathBuf>,
}

impl Folders {
    pub fn of_platform() -> Self {
        use etcetera::BaseStrategy;
        match etcetera::choose_base_strategy() {
            Ok(base) => Self {
                config: Some(base.config_dir().join("mini-chatgpt")),
                data: Some(base.data_dir().join("mini-chatgpt")),
                cache: Some(base.cache_dir().join("mini-chatgpt")),
            },
            Err(_) => Self::default(),
        }
    }
}
