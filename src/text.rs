//! Every sentence the user sees, in Chinese and English: one function each.
//!
//! Two languages are few enough for a `match`, and so the compiler finds a missing translation.
//! Nothing is printed here. What a model reads is English and lives where it is sent.

mod context;
mod failures;
mod files;
mod governance;
mod help;
mod memory;
mod screen;
mod settings;
mod threads;

pub use context::*;
pub use failures::*;
pub use files::*;
pub use governance::*;
pub use help::*;
pub use memory::*;
pub use screen::*;
pub use settings::*;
pub use threads::*;

/// A language of the user interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    Zh,
    En,
}

impl Lang {
    /// The language called `zh` or `en`, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "zh" => Some(Self::Zh),
            "en" => Some(Self::En),
            _ => None,
        }
    }

    /// The language for a locale such as `zh_CN.UTF-8`: Chinese for any `zh`, English otherwise.
    pub fn of_locale(locale: &str) -> Self {
        let language = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("zh") { Self::Zh } else { Self::En }
    }
}

/// Picks the sentence of a language.
fn pick<T>(lang: Lang, zh: T, en: T) -> T {
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

/// `: detail`, or nothing.
fn colon(lang: Lang, detail: &str) -> String {
    match (detail.is_empty(), lang) {
        (true, _) => String::new(),
        (_, Lang::Zh) => format!("：{detail}"),
        (_, Lang::En) => format!(": {detail}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales() {
        for (locale, lang) in [
            ("zh_CN.UTF-8", Lang::Zh),
            ("zh-TW", Lang::Zh),
            ("ZH", Lang::Zh),
            ("en_US.UTF-8", Lang::En),
            ("C", Lang::En),
            ("zha_CN", Lang::En),
            ("", Lang::En),
        ] {
            assert_eq!(Lang::of_locale(locale), lang, "{locale}");
        }
    }
}
