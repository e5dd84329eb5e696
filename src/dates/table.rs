//! Vocabulary as data: words and what they mean, found by their first character.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Words by their first character: each with its meaning, and its place among the words that share it.
type Heads<T> = HashMap<char, Vec<(&'static str, T, usize)>>;

/// Words and their meanings; words of one meaning are separated by bars.
pub(super) struct Table<T: 'static> {
    words: &'static [(&'static str, T)],
    heads: OnceLock<Heads<T>>,
}

impl<T: Copy> Table<T> {
    pub(super) const fn new(words: &'static [(&'static str, T)]) -> Self {
        Self { words, heads: OnceLock::new() }
    }

    /// The words that begin with `head`.
    pub(super) fn starting(&self, head: char) -> &[(&'static str, T, usize)] {
        let heads = self.heads.get_or_init(|| {
            let mut heads = Heads::<T>::new();
            for (words, meaning) in self.words {
                for (place, word) in words.split('|').enumerate() {
                    let head = word.chars().next().unwrap_or_default();
                    heads.entry(head).or_default().push((word, *meaning, place));
                }
            }
            heads
        });
        heads.get(&head).map_or(&[], Vec::as_slice)
    }
}
