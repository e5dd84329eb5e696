//! The one vocabulary of relations: what models call them, and which hold one value at a time.
//!
//! Models name relations as they please: `lives in`, `residence`, `居住地`. [`find`] knows the names
//! that come up, [`canonical`] makes a tidy one of any other, and [`fn@read`] finds the fact in a plain
//! sentence that was kept without one. The vocabulary is a table, [`RELATIONS`].

mod read;
mod table;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::fold;

pub use read::read;
pub use table::RELATIONS;

/// How a relation behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation {
    /// The canonical name, English in `snake_case`.
    pub name: &'static str,
    /// Wording between subject and object, in Chinese and in English.
    pub label: (&'static str, &'static str),
    /// A subject has one value at a time.
    pub single: bool,
    /// The relation from the object back to the subject. Not all of these are in the table.
    pub inverse: Option<&'static str>,
    /// The relation that cannot hold of the same object.
    pub opposite: Option<&'static str>,
    /// Further names that models give.
    pub aliases: &'static [&'static str],
}

impl Relation {
    /// Whether subject and object are not to be confused: the way back has another name.
    fn is_directed(&self) -> bool {
        self.inverse.is_some_and(|inverse| inverse != self.name)
    }
}

/// Beginnings that change nothing.
const LEADING: &[&str] = &[
    "user_",
    "users_",
    "the_",
    "my_",
    "his_",
    "her_",
    "their_",
    "its_",
    "current_",
    "currently_",
    "now_",
    "present_",
    "has_",
    "have_",
    "is_",
    "are_",
    "am_",
    "a_",
    "an_",
    "用户的",
    "用户",
    "我的",
    "目前",
    "现在",
    "当前",
    "现",
    "的",
];

/// Ends that change nothing, unless subject and object would change places.
const TRAILING: &[&str] =
    &["_of", "_is", "_names", "_name", "的名字", "名字", "的姓名", "姓名", "名称", "是", "为", "了", "的"];

/// Last words after which `is_` leaves the direction alone: `is_parent_of` is `parent_of`, while
/// `is_parent` is not what `parent` says.
const PREPOSITIONS: &[&str] = &["_of", "_in", "_at", "_to", "_with", "_from", "_by", "_for"];

/// Beginnings after which anything may follow: `likes_food`, `favorite_color`, `喜欢吃`.
const FAMILIES: &[(&str, &str)] = &[
    ("favorite_", "likes"),
    ("favourite_", "likes"),
    ("fav_", "likes"),
    ("likes_", "likes"),
    ("loves_", "likes"),
    ("dislikes_", "dislikes"),
    ("hates_", "dislikes"),
    ("disliked_", "dislikes"),
    ("owns_", "owns"),
    ("lives_in_", "lives_in"),
    ("works_at_", "works_at"),
    ("works_for_", "works_at"),
    ("最喜欢", "likes"),
    ("最爱", "likes"),
    ("喜欢", "likes"),
    ("不喜欢", "dislikes"),
    ("讨厌", "dislikes"),
];

/// Places in [`RELATIONS`] by [`key`].
static INDEX: LazyLock<HashMap<String, &'static Relation>> = LazyLock::new(|| {
    let names = |relation: &'static Relation| {
        let all = std::iter::once(&relation.name).chain(relation.aliases);
        all.map(move |name| (key(&snake(name)), relation))
    };
    RELATIONS.iter().flat_map(names).collect()
});

/// The relation called `name`, canonically or otherwise. Case, width, spaces, hyphens, humps and a
/// few words that change nothing (`has_`, `user's`, `当前`) do not matter.
pub fn find(name: &str) -> Option<&'static Relation> {
    let name = snake(name);
    // `user_name` is a name, while `username` is an account.
    let of_user = || known(name.strip_prefix("user_")?);
    of_user().or_else(|| known(&name)).or_else(|| family(&name)).or_else(|| undressed(&name))
}

/// The relation that has exactly this name, in any case and spacing.
pub fn exact(name: &str) -> Option<&'static Relation> {
    INDEX.get(&key(&snake(name))).copied()
}

/// The relation that `words` begin with the name of: `老婆` of `老婆林悦`.
pub fn kin_in(words: &str) -> Option<&'static Relation> {
    let letters: Vec<char> = words.chars().collect();
    let beginnings = (1..=letters.len()).rev().map(|end| letters.iter().take(end).collect::<String>());
    beginnings.into_iter().find_map(|beginning| exact(&beginning))
}

/// The canonical name of a relation; of one that is not in the table, its own name in `snake_case`,
/// with Chinese characters as they are.
pub fn canonical(name: &str) -> String {
    find(name).map_or_else(|| snake(name), |relation| relation.name.to_owned())
}

/// Whether a subject has one value of `name` at a time. Relations that are not in the table add.
pub fn is_single(name: &str) -> bool {
    find(name).is_some_and(|relation| relation.single)
}

/// The relation that says the opposite of `name`.
pub fn opposite(name: &str) -> Option<&'static str> {
    find(name)?.opposite
}

/// A name in the table, or its verb or noun in another number: `live_in`, `managers`.
fn known(name: &str) -> Option<&'static Relation> {
    let index = &*INDEX;
    if let Some(relation) = index.get(&key(name)) {
        return Some(relation);
    }
    let (first, rest) = name.split_once('_').unwrap_or((name, ""));
    if !first.is_empty()
        && let Some(relation) = index.get(&format!("{first}s{}", key(rest)))
    {
        return Some(relation);
    }
    index.get(&key(name.strip_suffix('s')?)).copied()
}

fn family(name: &str) -> Option<&'static Relation> {
    let (_, relation) = FAMILIES.iter().find(|(front, _)| name.starts_with(front))?;
    known(relation)
}

/// The relation under beginnings and ends that change nothing.
fn undressed(name: &str) -> Option<&'static Relation> {
    let mut rest = name;
    let mut stated = false;
    while let Some((front, shorter)) =
        LEADING.iter().find_map(|front| Some((*front, rest.strip_prefix(front)?)))
    {
        rest = shorter;
        stated |= front == "is_" || front == "are_" || front == "am_";
        if let Some(relation) = known(rest).or_else(|| family(rest)) {
            let safe =
                !stated || !relation.is_directed() || PREPOSITIONS.iter().any(|word| rest.ends_with(word));
            return safe.then_some(relation);
        }
    }
    for end in TRAILING {
        let Some(relation) = rest.strip_suffix(end).and_then(known) else { continue };
        let turned = relation.is_directed() && (stated || *end == "_of");
        return (!turned).then_some(relation);
    }
    None
}

/// A name in lower case, words joined by `_`, without quotation marks and other signs.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut gap = false;
    let mut after_small = false;
    for letter in name.chars().map(fold::character) {
        if letter.is_alphanumeric() {
            let hump = after_small && letter.is_uppercase();
            if (gap || hump) && !snake.is_empty() {
                snake.push('_');
            }
            gap = false;
            after_small = letter.is_lowercase();
            snake.extend(letter.to_lowercase().filter(|small| small.is_alphanumeric()));
        } else if !matches!(letter, '\'' | '’' | '‘' | '`') {
            gap = true;
        }
    }
    snake
}

/// What names are compared by: no gaps at all.
fn key(snake: &str) -> String {
    snake.replace('_', "")
}
