//! A line as typed: a slash command, or a message.

/// The commands, in the order help lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    New,
    Thread,
    Threads,
    Id,
    Title,
    Rename,
    /// Deletes a thread.
    Delete,
    ExportThread,
    /// Takes turns back.
    Rewind,
    EditLast,
    Copy,
    Usage,
    /// Says what will be sent.
    Context,
    Compact,
    Memories,
    /// Shows what recall finds for the words behind it.
    Search,
    /// Everything about one memory.
    Memory,
    Remember,
    Edit,
    Forget,
    Pin,
    Unpin,
    /// Lets a memory hold until a time.
    Expire,
    /// Takes the last change of a memory back.
    Undo,
    /// What waits for the user's word.
    Review,
    Tidy,
    /// What is known of somebody or something, as a tree.
    Graph,
    Stats,
    Export,
    Import,
    /// Memories are read and none is written.
    Pause,
    /// Memories are neither read nor written.
    Incognito,
    ResumeMemory,
    Clear,
    /// Deletes all memories and threads.
    ClearAll,
    /// Says what was recalled for the last answer, and why.
    Why,
    /// Asks the last message again.
    Retry,
    /// Lists the models, or switches to the one named.
    Model,
    /// Says or sets what is shown of reasoning.
    Reasoning,
    Help,
    Exit,
}

/// Every name, the main one of each command first.
const NAMES: &[(&str, Command)] = &[
    ("new", Command::New),
    ("thread", Command::Thread),
    ("threads", Command::Threads),
    ("id", Command::Id),
    ("title", Command::Title),
    ("rename", Command::Rename),
    ("delete", Command::Delete),
    ("export-thread", Command::ExportThread),
    ("rewind", Command::Rewind),
    ("edit-last", Command::EditLast),
    ("copy", Command::Copy),
    ("usage", Command::Usage),
    ("context", Command::Context),
    ("compact", Command::Compact),
    ("memories", Command::Memories),
    ("search", Command::Search),
    ("memory", Command::Memory),
    ("remember", Command::Remember),
    ("edit", Command::Edit),
    ("forget", Command::Forget),
    ("pin", Command::Pin),
    ("unpin", Command::Unpin),
    ("expire", Command::Expire),
    ("undo", Command::Undo),
    ("review", Command::Review),
    ("tidy", Command::Tidy),
    ("graph", Command::Graph),
    ("stats", Command::Stats),
    ("export", Command::Export),
    ("import", Command::Import),
    ("pause", Command::Pause),
    ("incognito", Command::Incognito),
    ("resume-memory", Command::ResumeMemory),
    ("clear", Command::Clear),
    ("clearall", Command::ClearAll),
    ("why", Command::Why),
    ("retry", Command::Retry),
    ("model", Command::Model),
    ("reasoning", Command::Reasoning),
    ("help", Command::Help),
    ("exit", Command::Exit),
    ("quit", Command::Exit),
];

/// Commands that take no words.
const WORDLESS: [Command; 15] = [
    Command::Id,
    Command::Usage,
    Command::Context,
    Command::ClearAll,
    Command::Undo,
    Command::Tidy,
    Command::Stats,
    Command::Pause,
    Command::Incognito,
    Command::ResumeMemory,
    Command::Clear,
    Command::Why,
    Command::Retry,
    Command::Help,
    Command::Exit,
];

/// What `/` looks like on the keyboards of its users: full-width, or the key's mark in Chinese.
pub const SLASHES: [char; 3] = ['/', '／', '、'];

/// Edits by which a mistyped name may differ from a command.
const NEAR: usize = 2;

impl Command {
    pub const ALL: [Self; 41] = [
        Self::New,
        Self::Thread,
        Self::Threads,
        Self::Id,
        Self::Title,
        Self::Rename,
        Self::Delete,
        Self::ExportThread,
        Self::Rewind,
        Self::EditLast,
        Self::Copy,
        Self::Usage,
        Self::Context,
        Self::Compact,
        Self::Memories,
        Self::Search,
        Self::Memory,
        Self::Remember,
        Self::Edit,
        Self::Forget,
        Self::Pin,
        Self::Unpin,
        Self::Expire,
        Self::Undo,
        Self::Review,
        Self::Tidy,
        Self::Graph,
        Self::Stats,
        Self::Export,
        Self::Import,
        Self::Pause,
        Self::Incognito,
        Self::ResumeMemory,
        Self::Clear,
        Self::ClearAll,
        Self::Why,
        Self::Retry,
        Self::Model,
        Self::Reasoning,
        Self::Help,
        Self::Exit,
    ];

    /// Whether words may follow it.
    fn takes_words(self) -> bool {
        !WORDLESS.contains(&self)
    }

    /// Whether it is carried out by `threads`.
    pub fn is_about_threads(self) -> bool {
        matches!(
            self,
            Self::New
                | Self::Thread
                | Self::Threads
                | Self::Id
                | Self::Title
                | Self::Rename
                | Self::Delete
                | Self::ExportThread
                | Self::Rewind
                | Self::EditLast
        )
    }

    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, command)| *command == self).map_or("", |(name, _)| name)
    }
}

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    Blank,
    Message(String),
    /// A command, and the words behind it.
    Command(Command, String),
    /// A command that takes no words, with words.
    WithWords(Command),
    /// Looks like a command and is none.
    Unknown {
        name: String,
        nearest: Option<&'static str>,
    },
}

/// Reads a line. `/usr/bin is full` is a message: a command is one word of letters.
pub fn parse(line: &str) -> Input {
    let line = line.trim();
    if line.is_empty() {
        return Input::Blank;
    }
    let message = || Input::Message(line.to_owned());
    let Some(rest) = line.strip_prefix(SLASHES) else { return message() };
    let (name, words) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let name = name.to_lowercase();
    if let Some((_, command)) = NAMES.iter().find(|(known, _)| *known == name) {
        let words = words.trim().to_owned();
        let fits = words.is_empty() || command.takes_words();
        return if fits { Input::Command(*command, words) } else { Input::WithWords(*command) };
    }
    let is_word = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphabetic());
    let nearest = nearest(&name);
    // With words behind it, or behind the Chinese mark, only a near miss is taken for a command.
    let lenient = !words.trim().is_empty() || line.starts_with('、');
    if !is_word || (lenient && nearest.is_none()) {
        return message();
    }
    Input::Unknown { name, nearest }
}

/// The commands whose names start with `typed`.
pub fn completions(typed: &str) -> Vec<&'static str> {
    let typed = typed.to_lowercase();
    NAMES.iter().map(|(name, _)| *name).filter(|name| name.starts_with(&typed)).collect()
}

/// The command name closest to `name`: one that goes on like it, is at most [`NEAR`] edits away, or one that begins like it.
fn nearest(name: &str) -> Option<&'static str> {
    let names = || NAMES.iter().map(|(known, _)| *known);
    let begun = names().find(|known| name.chars().count() > NEAR && known.starts_with(name));
    if begun.is_some() {
        return begun;
    }
    let edited = names().map(|known| (distance(name, known), known)).filter(|(edits, _)| *edits <= NEAR);
    let begins_alike = |known: &&str| {
        let shared = name.chars().zip(known.chars()).take_while(|(a, b)| a == b).count();
        shared >= 2 && shared * 3 >= name.chars().count() * 2
    };
    edited.min_by_key(|(edits, _)| *edits).map(|(_, known)| known).or_else(|| names().find(begins_alike))
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Input) {
        assert_eq!(parse(line), expected, "{line}");
    }

    fn message(text: &str) -> Input {
        Input::Message(text.to_owned())
    }

    fn command(command: Command) -> Input {
        Input::Command(command, String::new())
    }

    fn unknown(name: &str, nearest: Option<&'static str>) -> Input {
        Input::Unknown { name: name.to_owned(), nearest }
    }

    #[test]
    fn lines() {
        check("  ", Input::Blank);
        check(" hello ", message("hello"));
        check("/memories", command(Command::Memories));
        check(" ／CLEAR ", command(Command::Clear));
        check("、help", command(Command::Help));
        check("/quit", command(Command::Exit));
        check("/model  qwen max ", Input::Command(Command::Model, "qwen max".into()));
        check("/clear everything about work", Input::WithWords(Command::Clear));
        check("/memorys", unknown("memorys", Some("memory")));
        check("/forget m3", Input::Command(Command::Forget, "m3".into()));
        check("/mem", unknown("mem", Some("memories")));
        check("/exti now", unknown("exti", Some("exit")));
        check("/zzzzzz", unknown("zzzzzz", None));
        check("/usr/bin is full", message("/usr/bin is full"));
        check("/tmp is full", message("/tmp is full"));
        check("/", message("/"));
        check("// a comment", message("// a comment"));
        check("/你好", message("/你好"));
        check("、然后呢", message("、然后呢"));
        check("、zzzzzz", message("、zzzzzz"));
    }

    #[test]
    fn every_command_has_its_name() {
        for command in Command::ALL {
            check(&format!("/{}", command.name()), Input::Command(command, String::new()));
        }
        assert_eq!(completions("ex"), ["export-thread", "expire", "export", "exit"]);
        assert_eq!(completions("").len(), NAMES.len());
    }

    #[test]
    fn distances() {
        for (a, b, expected) in
            [("", "abc", 3), ("kitten", "sitting", 3), ("exit", "exit", 0), ("exti", "exit", 2)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }
}
