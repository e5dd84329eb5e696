//! A thread for other programs and other people: Markdown, JSON in the wire's form, one HTML page.
//!
//! What was taken back is left out; images are named, not shown.

use serde_json::{Value, json};

use super::{Entry, Thread};

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Markdown,
    Json,
    Html,
}

impl Form {
    /// The form called `md`, `json` or `html`.
    pub fn parse(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            "html" => Some(Self::Html),
            _ => None,
        }
    }

    /// `thread` in this form.
    pub fn export(self, thread: &Thread) -> String {
        match self {
            Self::Markdown => markdown(thread),
            Self::Json => format!("{:#}\n", json(thread)),
            Self::Html => html(thread),
        }
    }
}

/// The minute of an ISO-8601 time.
fn minute(at: &str) -> String {
    at.chars().take(16).collect::<String>().replace('T', " ")
}

/// The messages that are not taken back, answered or not.
fn kept(thread: &Thread) -> impl Iterator<Item = &Entry> {
    thread.entries().iter().filter(|entry| !entry.is_gone())
}

fn names(entry: &Entry) -> Vec<&str> {
    entry.message().attachments().iter().map(crate::message::Attachment::name).collect()
}

fn markdown(thread: &Thread) -> String {
    let mut text = format!("# {}\n", thread.title());
    for entry in kept(thread) {
        text.push_str(&format!("\n## {}\n\n{}\n", minute(&entry.at), quoted(entry.message().text())));
        for name in names(entry) {
            text.push_str(&format!(">\n> 📎 {name}\n"));
        }
        if let Some(turn) = entry.turn() {
            text.push_str(&format!("\n{}\n", turn.answer()));
        }
    }
    text
}

/// `text` as a block quote.
fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn json(thread: &Thread) -> Value {
    let mut messages = Vec::new();
    for entry in kept(thread) {
        let mut message = json!({"role": "user", "content": entry.message().text(), "at": entry.at});
        if !entry.message().attachments().is_empty() {
            message["attachments"] = names(entry).into();
        }
        messages.push(message);
        if let Some(turn) = entry.turn() {
            messages.push(json!({"role": "assistant", "content": turn.answer(), "model": entry.model}));
        }
    }
    json!({"id": thread.id, "title": thread.title(), "created_at": thread.created_at(),
        "updated_at": thread.updated_at(), "messages": messages})
}

const PAGE: &str = "<!doctype html>\n<html><head><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>
body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;\
background:Canvas;color:CanvasText;color-scheme:light dark}
h1{font-size:1.4rem}time{color:GrayText;font-size:.8rem}
p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0 1.2rem}
.user{border-left:3px solid Highlight;padding-left:.8rem}
</style></head><body>\n<h1>{title}</h1>\n{body}</body></html>\n";

fn html(thread: &Thread) -> String {
    let mut body = String::new();
    for entry in kept(thread) {
        let files: String = names(entry).iter().map(|name| format!("\n📎 {}", escaped(name))).collect();
        body.push_str(&format!(
            "<time>{}</time>\n<p class=\"user\">{}{files}</p>\n",
            escaped(&minute(&entry.at)),
            escaped(entry.message().text())
        ));
        if let Some(turn) = entry.turn() {
            body.push_str(&format!("<p>{}</p>\n", escaped(turn.answer())));
        }
    }
    // The body last: what it says is not looked through for places to fill.
    PAGE.replace("{title}", &escaped(&thread.title()).replace('{', "&#123;")).replacen("{body}", &body, 1)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread::Thread;

    fn sample() -> Thread {
        let lines = [
            json!({"role": "user", "at": "2026-11-30T20:36:01+08:00", "content": "a <b>\nc",
                "attachments": [{"type": "text", "name": "n.md", "content": "secret"}]}),
            json!({"role": "assistant", "at": "", "content": "x & {body}", "model": "m"}),
            json!({"role": "user", "at": "2026-11-30T20:37:01+08:00", "content": "again"}),
            json!({"role": "withdrawn", "at": "", "turns": [2]}),
        ];
        Thread::read("t", &lines.map(|line| format!("{line}\n")).concat()).0
    }

    #[test]
    fn every_form_has_what_was_said_and_nothing_taken_back() {
        assert_eq!(
            Form::Markdown.export(&sample()),
            "# a <b>\n\n## 2026-11-30 20:36\n\n> a <b>\n> c\n>\n> 📎 n.md\n\nx & {body}\n"
        );
        let html = Form::Html.export(&sample());
        assert!(
            html.contains("<p class=\"user\">a &lt;b&gt;\nc\n📎 n.md</p>\n<p>x &amp; {body}</p>"),
            "{html}"
        );
        assert!(html.starts_with("<!doctype html>") && !html.contains("again"));
        let value: Value = serde_json::from_str(&Form::Json.export(&sample())).unwrap();
        assert_eq!(value["messages"][1], json!({"role": "assistant", "content": "x & {body}", "model": "m"}));
        assert_eq!(value["messages"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn names_of_forms() {
        for (name, form) in [("md", Some(Form::Markdown)), ("HTML", Some(Form::Html)), ("pdf", None)] {
            assert_eq!(Form::parse(name), form);
        }
    }
}
