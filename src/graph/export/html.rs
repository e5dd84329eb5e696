//! One page for a browser: a picture to move about in, with what is known of each thing beside it.
//!
//! The page holds all it needs and can load nothing: its Content-Security-Policy forbids any request. The
//! drawing is in it as JSON with every `<` escaped, so no text can end its element; the script of the page
//! puts texts in place as text only. The template is cut at its own marks once, and what is filled in is
//! never searched for marks.
//!
//! The picture is drawn by Cytoscape.js (MIT, `assets/cytoscape.LICENSE`): it is kept up for over a
//! decade, depends on nothing, draws labelled, parallel and dashed edges on a canvas without touching the
//! document, and knows touch and wheel. The layout is the page's own, as Cytoscape's lets long labels
//! overlap. There is no editing in the page.

use serde_json::{Map, Value, json};

use super::{json, palette};
use crate::graph::Drawing;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPTS: [&str; 3] =
    [include_str!("page/layout.js"), include_str!("page/panel.js"), include_str!("page/page.js")];
const LIBRARY: &str = include_str!("../../../assets/cytoscape/cytoscape.min.js");

/// Around the name of a part in the template.
const MARK: &str = "@@";

/// Words of the page: name, Chinese, English.
const WORDS: &[(&str, &str, &str)] = &[
    ("search", "搜索名字、别名、内容…", "Search names, aliases, facts…"),
    ("nothing", "没有找到", "Nothing found"),
    ("past", "显示过去的事实", "Show past facts"),
    ("in", "放大", "Zoom in"),
    ("out", "缩小", "Zoom out"),
    ("fit", "显示全部", "Show everything"),
    ("close", "关闭", "Close"),
    ("user", "用户", "User"),
    ("other", "其他", "Other"),
    ("unnamed", "（无名）", "(no name)"),
    ("aliases", "又称", "Also called"),
    ("properties", "属性", "Properties"),
    ("facts", "现在的事实", "Current facts"),
    ("pastFacts", "过去的事实", "Past facts"),
    ("noFacts", "没有相关的事实。", "No facts."),
    ("since", "{} 起", "since {}"),
    ("until", "至 {}", "until {}"),
    ("between", "{} 至 {}", "{} to {}"),
    ("counts", "{} 个事物 · {} 条事实", "{} things · {} facts"),
    ("hint", "点击一个节点，查看相关的事实", "Click a node to see what is known about it"),
    ("empty", "还没有记忆。", "No memories yet."),
    ("legend", "点击可隐藏或显示", "Click to hide or show"),
];

/// The drawing as a page called `title`, in Chinese or English.
pub fn html(drawing: &Drawing, title: &str, lang_zh: bool) -> String {
    let data = script_safe(&data(drawing, lang_zh).to_string());
    let title = escaped(title);
    let mut out = String::with_capacity(LIBRARY.len() + data.len() + 64_000);
    // Text, name of a part, text, name, …: the template begins with text.
    for (at, piece) in TEMPLATE.split(MARK).enumerate() {
        match piece {
            _ if at % 2 == 0 => out += piece,
            "language" => out += if lang_zh { "zh-CN" } else { "en" },
            "title" => out += &title,
            "style" => out += STYLE,
            "data" => out += &data,
            "library" => out += LIBRARY,
            "script" => out += &SCRIPTS.concat(),
            word => out += &escaped(self::word(word, lang_zh)),
        }
    }
    out
}

/// What the script of the page reads.
fn data(drawing: &Drawing, lang_zh: bool) -> Value {
    let words: Map<String, Value> =
        WORDS.iter().map(|(name, ..)| ((*name).to_owned(), word(name, lang_zh).into())).collect();
    let colour = |colour: palette::Colour| json!([colour.light, colour.dark]);
    let kinds: Vec<Value> = palette::kinds(drawing)
        .into_iter()
        .map(|(kind, found)| json!({ "kind": kind, "colour": colour(found) }))
        .collect();
    // The script compares kinds as the palette does.
    let folded: Vec<String> = drawing.nodes.iter().map(|node| palette::folded(&node.kind)).collect();
    let mut data = json::parts(drawing);
    let more = [
        ("kindOf", folded.into()),
        ("kinds", kinds.into()),
        ("user", colour(palette::USER)),
        ("other", colour(palette::OTHER)),
        ("words", words.into()),
    ];
    data.extend(more.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(data)
}

fn word(name: &str, lang_zh: bool) -> &'static str {
    let found = WORDS.iter().find(|(known, ..)| *known == name);
    found.map_or("", |(_, zh, en)| if lang_zh { zh } else { en })
}

/// JSON that cannot end the script element it stands in, nor begin a comment there.
fn script_safe(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// `text` as HTML text or as an attribute in double quotes.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\0' => {}
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    /// What is between `start` and the next `end`.
    fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
        text.split_once(start).unwrap().1.split_once(end).unwrap().0
    }

    #[test]
    fn parts_cannot_end_their_elements() {
        for script in SCRIPTS.iter().chain([&LIBRARY]) {
            for bad in ["</script", "<script", "<!--"] {
                assert!(!script.to_lowercase().contains(bad), "{bad}");
            }
        }
        assert!(!STYLE.contains("</"));
    }

    #[test]
    fn scripts_make_no_markup_and_no_request() {
        for bad in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "fetch(", "http"] {
            assert!(SCRIPTS.iter().all(|script| !script.contains(bad)), "{bad}");
            assert!(bad == "http" || bad == "eval(" || !LIBRARY.contains(bad), "{bad}");
        }
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
        assert!(!TEMPLATE.contains("src=") && !TEMPLATE.contains("href="));
    }

    #[test]
    fn the_policy_comes_first_and_forbids_requests() {
        let page = html(&samples::small(), "t", false);
        let policy = between(&page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'")
        );
        assert!(page.find("Content-Security-Policy") < page.find("<style"));
    }

    #[test]
    fn hostile_text_is_data() {
        let drawing = samples::hostile();
        let bare = html(&Drawing::default(), "", false);
        for title in samples::HOSTILE {
            let page = html(&drawing, title, true);
            for tag in ["<script", "</script", "<img", "<!--", "<title"] {
                assert_eq!(page.matches(tag).count(), bare.matches(tag).count(), "{tag} {title}");
            }
        }
        let page = html(&drawing, "t", true);
        let text = between(&page, "<script type=\"application/json\" id=\"data\">", "</script>");
        let data: Value = serde_json::from_str(text).unwrap();
        for (node, one) in data["nodes"].as_array().unwrap().iter().zip(&drawing.nodes) {
            assert_eq!(node["name"], one.name);
        }
    }

    #[test]
    fn every_word_is_there_and_used() {
        for (name, zh, en) in WORDS {
            assert_eq!(zh.matches("{}").count(), en.matches("{}").count(), "{name}");
            let used = TEMPLATE.contains(&format!("@@{name}@@"))
                || SCRIPTS.iter().any(|script| script.contains(&format!("words.{name}")));
            assert!(used, "{name}");
        }
        let parts = ["language", "title", "style", "data", "library", "script"];
        for part in TEMPLATE.split(MARK).skip(1).step_by(2) {
            assert!(parts.contains(&part) || !word(part, true).is_empty(), "{part}");
        }
    }
}
