//! The command line of `mini-chatgpt memory`. What `--help` says is in `text`.

use std::path::Path;

use clap::{Subcommand, ValueEnum};

use crate::cli::graph::Picture;

/// The subcommands.
#[derive(Debug, Clone, Subcommand)]
pub enum MemoryCommand {
    List {
        #[arg(long)]
        json: bool,
        #[arg(long)]
        all: bool,
        #[arg(long = "type", id = "memory_type", value_name = "TYPE")]
        kind: Option<String>,
        #[arg(value_name = "TEXT")]
        text: Vec<String>,
    },
    Search {
        #[arg(long)]
        json: bool,
        #[arg(long, value_name = "K", default_value_t = 5, hide_default_value = true)]
        limit: usize,
        #[arg(value_name = "QUERY", required = true)]
        query: Vec<String>,
    },
    Show {
        #[arg(long)]
        json: bool,
        #[arg(value_name = "ID")]
        id: String,
    },
    Add {
        #[arg(long)]
        json: bool,
        #[arg(value_name = "TEXT", required = true)]
        text: Vec<String>,
    },
    Edit {
        #[arg(long)]
        json: bool,
        #[arg(value_name = "ID")]
        id: String,
        #[arg(value_name = "TEXT", required = true)]
        text: Vec<String>,
    },
    Forget {
        #[arg(long)]
        json: bool,
        #[arg(long)]
        yes: bool,
        #[arg(value_name = "ID")]
        id: String,
    },
    Pin {
        #[arg(long)]
        json: bool,
        #[arg(value_name = "ID")]
        id: String,
    },
    Unpin {
        #[arg(long)]
        json: bool,
        #[arg(value_name = "ID")]
        id: String,
    },
    Expire {
        #[arg(long)]
        json: bool,
        #[arg(value_name = "ID")]
        id: String,
        #[arg(value_name = "WHEN", required = true)]
        when: Vec<String>,
    },
    Undo {
        #[arg(long)]
        json: bool,
    },
    Review {
        #[arg(long)]
        json: bool,
        #[arg(value_name = "accept|edit|drop")]
        action: Option<String>,
        #[arg(value_name = "N", requires = "action")]
        number: Option<usize>,
        #[arg(value_name = "TEXT", requires = "number")]
        text: Vec<String>,
    },
    Tidy {
        #[arg(long)]
        json: bool,
    },
    Stats {
        #[arg(long)]
        json: bool,
    },
    Graph {
        #[arg(long, value_enum, value_name = "tree|dot|mermaid|graphml|cypher|json|html", default_value_t = Picture::Tree, hide_default_value = true, hide_possible_values = true)]
        format: Picture,
        #[arg(long, value_name = "N", default_value_t = 2, hide_default_value = true)]
        depth: usize,
        #[arg(long, value_name = "DATE")]
        as_of: Option<String>,
        #[arg(value_name = "NAME")]
        name: Vec<String>,
    },
    Clear {
        #[arg(long)]
        json: bool,
        #[arg(long)]
        yes: bool,
    },
    Import {
        #[arg(value_name = "FILE|-")]
        file: String,
    },
    Export {
        #[arg(long, value_enum, value_name = "json|jsonl|md", default_value_t = Format::Json, hide_default_value = true, hide_possible_values = true)]
        format: Format,
    },
}

/// Forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The array of records, with vectors.
    Json,
    /// One record a line, as import reads it.
    Jsonl,
    /// For reading.
    Md,
}

impl Format {
    /// The form that a file's ending names; whole records for any other.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => Self::Jsonl,
            Some("md") => Self::Md,
            _ => Self::Json,
        }
    }
}
