//! A page as GitHub-flavoured Markdown.

use super::page::{Block, Page, Table, Word, Words};

/// The page as Markdown.
#[must_use]
pub fn markdown(page: &Page) -> String {
    let mut out = format!("# {}\n", escape(&page.title));
    if !page.about.is_empty() {
        out.push_str(&format!("\n{}\n", words(&page.about)));
    }
    if page.chapters.len() > 1 {
        out.push_str("\n## Contents\n\n");
        for chapter in &page.chapters {
            out.push_str(&format!(
                "- [{}](#{})\n",
                escape(heading(&chapter.number, &chapter.title).trim()),
                chapter.anchor
            ));
        }
    }
    for chapter in &page.chapters {
        out.push_str(&format!("\n<a id=\"{}\"></a>\n\n", chapter.anchor));
        out.push_str(&format!("## {}\n", escape(heading(&chapter.number, &chapter.title).trim())));
        // Lines of one sort that follow each other are one list.
        let mut listed = false;
        for block in chapter.groups.iter().flat_map(|g| &g.blocks) {
            let line = matches!(block, Block::Clause { .. } | Block::Entry { .. });
            if !(line && listed) {
                out.push('\n');
            }
            listed = line;
            write(block, &mut out);
        }
    }
    out
}

fn heading(number: &str, title: &str) -> String {
    format!("{number} {title}")
}

fn write(block: &Block, out: &mut String) {
    match block {
        Block::Clause { anchor, id, text, rules } => {
            out.push_str(&format!("- <a id=\"{anchor}\"></a>**{}** {}", escape(id), escape(text)));
            if !rules.is_empty() {
                out.push_str(&format!(" \u{2192} {}", words(rules)));
            }
            out.push('\n');
        }
        Block::Entry { anchor, term, note, body } => {
            let note = if note.is_empty() { String::new() } else { format!(" ({})", escape(note)) };
            let anchor =
                if anchor.is_empty() { String::new() } else { format!("<a id=\"{anchor}\"></a>") };
            out.push_str(&format!("- {anchor}**{}**{note}: {}\n", escape(term), words(body)));
        }
        Block::Head { anchor, noun, title, cites } => {
            out.push_str(&format!("<a id=\"{anchor}\"></a>\n\n### {} ({noun})", escape(title)));
            if !cites.is_empty() {
                out.push_str(&format!(" {}", words(cites)));
            }
            out.push('\n');
        }
        Block::Text(text) => out.push_str(&format!("{}\n", words(text))),
        Block::List(rows) => {
            rows.iter().for_each(|row| out.push_str(&format!("- {}\n", words(row))))
        }
        Block::Table(table) => write_table(table, out),
    }
}

fn write_table(table: &Table, out: &mut String) {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&row(table.heads.iter().map(|h| escape(h)).collect()));
    out.push_str(&row(table.heads.iter().map(|_| "---".to_owned()).collect()));
    for cells in &table.rows {
        out.push_str(&row(cells.iter().map(words).collect()));
    }
}

fn words(words: &Words) -> String {
    let text: String = words.iter().map(word).collect();
    text.trim().to_owned()
}

fn word(word: &Word) -> String {
    match word {
        Word::Plain(text) => escape(text),
        Word::Strong(text) => format!("**{}**", escape(text)),
        Word::Small(text) => escape(text),
        Word::Mark(text) => format!("**\u{25c7}\u{a0}{}**", escape(text)),
        Word::Link { to, text } => format!("[{}](#{to})", escape(text)),
    }
}

/// Text that means itself: every sign that Markdown could read as its own stands behind a stroke,
/// in a table too.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(crate::draw::plain(c)),
        }
    }
    out
}
