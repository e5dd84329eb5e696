//! What was found, shown with its scores.

use super::lines::memory_line;
use super::screen::Screen;
use crate::recall::Recall;
use crate::search::Hit;
use crate::text::{self, Lang};

/// Shows hits with their scores.
pub fn show(screen: &mut Screen, lang: Lang, recall: &Recall, hits: &[Hit]) {
    if hits.is_empty() {
        screen.line(text::nothing_found(lang));
    }
    for hit in hits {
        let scores = text::scores(lang, hit.lexical, hit.vector, hit.lift);
        screen.line(&format!("{:.2} {} {scores}", hit.relevance, memory_line(recall.memory(hit))));
    }
}
