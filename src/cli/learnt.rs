//! What has been learnt about endpoints, kept from one run to the next.
//!
//! A cache: it may be deleted at any time, and what cannot be read is as if it were not there. A lesson
//! is forgotten after a week, because servers change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::NaiveDate;

use super::now;
use crate::store;
use crate::wire::Lesson;

/// The day of each lesson by its name, by host and model.
type Lessons = BTreeMap<String, BTreeMap<String, NaiveDate>>;

/// Days for which a lesson holds.
const HOLDS: i64 = 7;

/// The lessons of one endpoint.
#[derive(Debug)]
pub struct Learnt {
    file: Option<PathBuf>,
    host: String,
}

impl Learnt {
    pub fn new(cache_folder: Option<&Path>, host: &str) -> Self {
        Self { file: cache_folder.map(|folder| folder.join("endpoints.json")), host: host.to_owned() }
    }

    pub fn lessons(&self, model: &str) -> Vec<Lesson> {
        let today = now().date_naive();
        let known = self.read().remove(&self.entry(model)).unwrap_or_default();
        let fresh = known.into_iter().filter(|(_, day)| (today - *day).num_days() < HOLDS);
        fresh.filter_map(|(name, _)| Lesson::parse(&name)).collect()
    }

    /// Adds lessons to what is on disk.
    pub fn add(&self, model: &str, lessons: &[Lesson]) {
        let Some(file) = self.file.as_deref().filter(|_| !lessons.is_empty()) else { return };
        let mut known = self.read();
        let days = known.entry(self.entry(model)).or_default();
        days.extend(lessons.iter().map(|lesson| (lesson.name().to_owned(), now().date_naive())));
        let text = serde_json::to_string_pretty(&known).unwrap_or_default();
        let folder = file.parent().unwrap_or(Path::new("."));
        let written =
            store::create_private_folder(folder).and_then(|()| store::replace(file, text.as_bytes()));
        if let Err(error) = written {
            tracing::debug!(%error, "what was learnt is not kept");
        }
    }

    fn entry(&self, model: &str) -> String {
        format!("{} {model}", self.host)
    }

    fn read(&self) -> Lessons {
        let bytes = self.file.as_deref().and_then(|file| std::fs::read(file).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }
}
