//! `/graph` and `memory graph`: what is known, drawn.

use chrono::{DateTime, FixedOffset};
use clap::ValueEnum;

use super::failure::Failure;
use super::screen::Screen;
use super::{Session, code, now};
use crate::dates::{self, When};
use crate::graph::{Graph, USER, export, moment};
use crate::memory::time_of;
use crate::render::one_line;
use crate::text::{self, Lang};

/// Forms of a drawing of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    /// For a terminal: what is around somebody or something.
    Tree,
    Dot,
    Mermaid,
    Graphml,
    /// For Neo4j.
    Cypher,
    Json,
    /// One page, to be opened in a browser.
    Html,
}

/// Steps from the middle of a tree, and columns of its lines.
const DEPTH: usize = 2;
const WIDTH: usize = 100;

/// What of the graph is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    pub name: String,
    pub depth: usize,
    /// A day; now without one.
    pub as_of: Option<String>,
}

impl View {
    /// Reads `[NAME] [--depth N] [--as-of DATE]`; `Err` with the word that makes no sense.
    pub fn parse(words: &str) -> Result<Self, String> {
        let mut view = Self { name: String::new(), depth: DEPTH, as_of: None };
        let mut name = Vec::new();
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_default().to_owned();
            match word {
                "--depth" => {
                    let number = value();
                    view.depth = number.parse().map_err(|_| number)?;
                }
                "--as-of" => view.as_of = Some(value()),
                word if word.starts_with("--") => return Err(word.to_owned()),
                word => name.push(word),
            }
        }
        view.name = name.join(" ");
        Ok(view)
    }

    /// The time that is asked about.
    fn time(&self) -> Result<DateTime<FixedOffset>, String> {
        let Some(day) = &self.as_of else { return Ok(moment(now())) };
        let resolved = || match dates::resolve(day, now().naive_local())? {
            When::Day(day) => time_of(&day.to_string()),
            When::Minute(time) => time_of(&time.format("%Y-%m-%dT%H:%M:%S").to_string()),
        };
        time_of(day).or_else(resolved).ok_or_else(|| day.clone())
    }
}

/// Draws what is around somebody or something as a tree.
pub fn show(session: &mut Session, screen: &mut Screen, words: &str) -> Result<(), Failure> {
    let lang = session.lang;
    let view = View::parse(words).map_err(|word| misunderstood(lang, &word))?;
    let graph = session.agent.graph().map_err(|error| Failure::store(lang, &error))?;
    for line in tree(lang, graph, &view)? {
        screen.line(&line);
    }
    Ok(())
}

/// The lines of a tree.
pub fn tree(lang: Lang, graph: &Graph, view: &View) -> Result<Vec<String>, Failure> {
    let time = time_of_view(lang, view)?;
    let roots = if view.name.is_empty() { vec![USER] } else { graph.find(&view.name) };
    if roots.is_empty() {
        return Ok(vec![text::not_in_graph(lang, &one_line(&view.name))]);
    }
    let mut lines = Vec::new();
    for root in roots {
        let drawing = graph.drawing_around(root, view.depth, time);
        if drawing.links.is_empty() && drawing.nodes.iter().all(|node| node.properties.is_empty()) {
            lines.push(text::nothing_related(lang).to_owned());
            continue;
        }
        lines.extend(export::tree(&drawing, 0, view.depth, WIDTH));
    }
    Ok(lines)
}

/// A drawing in the form asked for: of the whole graph, or of what is around somebody or something.
pub fn drawn(
    lang: Lang,
    graph: &Graph,
    format: Picture,
    view: &View,
    user_id: &str,
) -> Result<Vec<String>, Failure> {
    if format == Picture::Tree {
        return tree(lang, graph, view);
    }
    let drawing = match graph.find(&view.name).first() {
        _ if view.name.is_empty() && view.as_of.is_none() => graph.drawing(),
        _ if view.name.is_empty() => graph.drawing_around(USER, usize::MAX, time_of_view(lang, view)?),
        Some(root) => graph.drawing_around(*root, view.depth, time_of_view(lang, view)?),
        None => {
            return Err(Failure::plain(code::OTHER, &text::not_in_graph(lang, &one_line(&view.name))));
        }
    };
    let picture = match format {
        Picture::Dot => export::dot(&drawing),
        Picture::Mermaid => export::mermaid(&drawing),
        Picture::Graphml => export::graphml(&drawing),
        Picture::Cypher => export::cypher(&drawing),
        Picture::Html => export::html(&drawing, &one_line(user_id), lang == Lang::Zh),
        Picture::Json | Picture::Tree => export::json(&drawing),
    };
    Ok(vec![picture.trim_end().to_owned()])
}

fn time_of_view(lang: Lang, view: &View) -> Result<DateTime<FixedOffset>, Failure> {
    view.time().map_err(|day| {
        Failure::with_hint(code::USAGE, &text::no_time(lang, &one_line(&day)), text::hint_time(lang))
    })
}

fn misunderstood(lang: Lang, word: &str) -> Failure {
    let usage = text::usage(lang, "/graph [NAME] [--depth 2] [--as-of 2026-01-31]");
    Failure::with_hint(code::USAGE, &text::odd_word(lang, &one_line(word)), &usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_graph() {
        let view = View::parse("王 建国 --depth 3 --as-of 2025-01-01").unwrap();
        assert_eq!(
            (view.name.as_str(), view.depth, view.as_of.as_deref()),
            ("王 建国", 3, Some("2025-01-01"))
        );
        assert_eq!(View::parse("--depth x"), Err("x".to_owned()));
        assert_eq!(View::parse("--wide"), Err("--wide".to_owned()));
        assert!(View::parse("--as-of blue").unwrap().time().is_err());
    }
}
