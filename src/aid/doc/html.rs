//! A page as one HTML file: no scripts, nothing from elsewhere, made to be printed.

use super::page::{Block, Chapter, Page, Table, Word, Words};
use crate::draw::escape;

/// The style of the page. Serif for reading on paper, small capitals for what a rule is, tables as
/// rulebooks set them.
const STYLE: &str = include_str!("page.css");

/// The page as HTML.
#[must_use]
pub fn html(page: &Page) -> String {
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str(&format!(
        "<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape(&page.title)
    ));
    let about = if page.about.is_empty() {
        String::new()
    } else {
        format!("<p>{}</p>\n", words(&page.about))
    };
    out.push_str(&format!("<header>\n<h1>{}</h1>\n{about}</header>\n", escape(&page.title)));
    if page.chapters.len() > 1 {
        contents(page, &mut out);
    }
    page.chapters.iter().for_each(|c| chapter(c, &mut out));
    out.push_str("</body>\n</html>\n");
    out
}

/// The chapters, each with the rules that have a heading in it.
fn contents(page: &Page, out: &mut String) {
    out.push_str("<nav>\n<h2>Contents</h2>\n<ul>\n");
    for chapter in &page.chapters {
        out.push_str(&format!(
            "<li><a href=\"#{}\">{}</a>",
            escape(&chapter.anchor),
            heading(chapter)
        ));
        let heads: Vec<String> = chapter
            .groups
            .iter()
            .flat_map(|g| &g.blocks)
            .filter_map(|b| match b {
                Block::Head { anchor, title, .. } => {
                    Some(format!("<a href=\"#{}\">{}</a>", escape(anchor), escape(title)))
                }
                _ => None,
            })
            .collect();
        if !heads.is_empty() {
            out.push_str(&format!("<span class=\"within\">: {}</span>", heads.join(", ")));
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ul>\n</nav>\n");
}

fn heading(chapter: &Chapter) -> String {
    match chapter.number.as_str() {
        "" => escape(&chapter.title),
        number => {
            format!("<span class=\"number\">{}</span> {}", escape(number), escape(&chapter.title))
        }
    }
}

/// What may stand together in one list of definitions.
#[derive(PartialEq, Eq, Clone, Copy)]
enum List {
    Clauses,
    Entries,
}

fn chapter(chapter: &Chapter, out: &mut String) {
    out.push_str(&format!(
        "<section>\n<h2 id=\"{}\">{}</h2>\n",
        escape(&chapter.anchor),
        heading(chapter)
    ));
    let mut open: Option<List> = None;
    let mut blocks = chapter.groups.iter().flat_map(|g| &g.blocks).peekable();
    while let Some(block) = blocks.next() {
        let list = match block {
            Block::Clause { .. } => Some(List::Clauses),
            Block::Entry { .. } => Some(List::Entries),
            _ => None,
        };
        if open != list {
            out.push_str(if open.is_some() { "</dl>\n" } else { "" });
            out.push_str(match list {
                Some(List::Clauses) => "<dl class=\"clauses\">\n",
                Some(List::Entries) => "<dl class=\"entries\">\n",
                None => "",
            });
            open = list;
        }
        // What leads to a list or a table stays on the same sheet.
        match (block, blocks.peek()) {
            (Block::Text(text), Some(Block::List(_) | Block::Table(_))) => {
                out.push_str(&format!("<p class=\"lead\">{}</p>\n", words(text)))
            }
            _ => write(block, out),
        }
    }
    out.push_str(if open.is_some() { "</dl>\n" } else { "" });
    out.push_str("</section>\n");
}

fn write(block: &Block, out: &mut String) {
    match block {
        Block::Clause { anchor, id, text, rules } => {
            let rules = if rules.is_empty() {
                String::new()
            } else {
                format!(" <span class=\"by\">\u{2192}\u{a0}{}</span>", words(rules))
            };
            out.push_str(&format!(
                "<dt id=\"{}\">{}</dt>\n<dd>{}{rules}</dd>\n",
                escape(anchor),
                escape(id),
                escape(text)
            ));
        }
        Block::Entry { anchor, term, note, body } => {
            let note = if note.is_empty() {
                String::new()
            } else {
                format!(" <span class=\"by\">{}</span>", escape(note))
            };
            let id = if anchor.is_empty() {
                String::new()
            } else {
                format!(" id=\"{}\"", escape(anchor))
            };
            out.push_str(&format!(
                "<dt{id}>{}</dt>\n<dd>{}{note}</dd>\n",
                escape(term),
                words(body)
            ));
        }
        Block::Head { anchor, noun, title, cites } => {
            let cites = if cites.is_empty() {
                String::new()
            } else {
                format!(" <span class=\"cites\">{}</span>", words(cites))
            };
            let title = format!("{} <span class=\"noun\">{noun}</span>", escape(title));
            out.push_str(&format!("<h3 id=\"{}\">{title}{cites}</h3>\n", escape(anchor)));
        }
        Block::Text(text) => out.push_str(&format!("<p>{}</p>\n", words(text))),
        Block::List(rows) => {
            out.push_str("<ul>\n");
            rows.iter().for_each(|row| out.push_str(&format!("<li>{}</li>\n", words(row))));
            out.push_str("</ul>\n");
        }
        Block::Table(table) => write_table(table, out),
    }
}

fn write_table(table: &Table, out: &mut String) {
    out.push_str("<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead><tr>");
    table.heads.iter().for_each(|h| out.push_str(&format!("<th scope=\"col\">{}</th>", escape(h))));
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let class = if at < table.keys { " class=\"key\"" } else { "" };
            out.push_str(&format!("<td{class}>{}</td>", words(cell)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn words(words: &Words) -> String {
    let text: String = words.iter().map(word).collect();
    text.trim().to_owned()
}

fn word(word: &Word) -> String {
    match word {
        Word::Plain(text) => escape(text),
        Word::Strong(text) => format!("<b>{}</b>", escape(text)),
        Word::Small(text) => format!("<small>{}</small>", escape(text)),
        Word::Mark(text) => format!("<mark>{}</mark>", escape(text)),
        Word::Link { to, text } => format!("<a href=\"#{}\">{}</a>", escape(to), escape(text)),
    }
}
