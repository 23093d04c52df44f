//! The syntax files for editors know the words of the grammar, and no others.

use std::collections::BTreeSet;

use crate::support::text_of;

type Words = BTreeSet<String>;

/// The word of each rule `k_NAME` of the grammar.
fn keywords() -> Words {
    let text = text_of("grammar/words.pest");
    let rules = text.lines().filter(|line| line.starts_with("k_"));
    let found: Words = rules.flat_map(|rule| quoted(rule, '"')).collect();
    assert!(found.len() > 150, "only {} words", found.len());
    found
}

/// What stands in quotes and is a word.
fn quoted(text: &str, quote: char) -> Vec<String> {
    let parts = text.split(quote).skip(1).step_by(2);
    parts.filter(|part| is_word(part)).map(str::to_owned).collect()
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase())
}

/// The words of a regular expression: its letters, without those of escapes and classes.
fn words_of(regex: &str) -> Words {
    let mut plain = String::new();
    let (mut class, mut escaped) = (false, false);
    for c in regex.chars() {
        match c {
            _ if escaped => {
                escaped = false;
                plain.push(' ');
            }
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            _ if class => {}
            c if c.is_ascii_lowercase() => plain.push(c),
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

/// The texts of all fields of these names.
fn fields(value: &serde_json::Value, names: &[&str], found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                match value.as_str() {
                    Some(text) if names.contains(&key.as_str()) => found.push(text.to_owned()),
                    _ => fields(value, names, found),
                }
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|v| fields(v, names, found)),
        _ => {}
    }
}

fn assert_same(what: &str, found: &Words, wanted: &Words) {
    let missing: Vec<_> = wanted.difference(found).collect();
    let more: Vec<_> = found.difference(wanted).collect();
    assert!(missing.is_empty(), "{what} lacks {missing:?}");
    assert!(more.is_empty(), "{what} has {more:?}, which the grammar has not");
}

#[test]
fn the_textmate_grammar_has_the_words_of_the_grammar() {
    let text = text_of("editors/vscode/syntaxes/sutler.tmLanguage.json");
    let grammar: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut regexes = Vec::new();
    fields(&grammar, &["match", "begin", "end"], &mut regexes);
    let mut found: Words = regexes.iter().flat_map(|regex| words_of(regex)).collect();
    // Built-in values have a colour and are no words of the grammar; `hex` begins a label, and `d`
    // stands in dice.
    for word in ["anywhere", "unlimited", "barred", "hex", "d"] {
        assert!(found.remove(word), "{word}");
    }
    // An article is one word with an end that may be there: `an?`.
    found.insert("a".to_owned());
    assert_same("the TextMate grammar", &found, &keywords());
}

#[test]
fn the_vim_syntax_has_the_words_of_the_grammar() {
    let text = text_of("editors/vim/syntax/sutler.vim");
    let mut found = Words::new();
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("syntax keyword sutlerReserved ") {
            found.extend(words.split_whitespace().map(str::to_owned));
        }
        let matched = ["sutlerLine", "sutlerSlot", "sutlerItem"]
            .iter()
            .find_map(|group| line.strip_prefix(&format!("syntax match {group} /")));
        if let Some(regex) = matched {
            let regex = regex.rsplit_once('/').map_or(regex, |(regex, _)| regex);
            let regex = regex.replace("\\zs", " ").replace("\\ze", " ");
            found.extend(words_of(&regex));
        }
    }
    // `match\%(es\)\?` is two words, `an\?` too; `hex` begins a label.
    for word in ["es", "hex"] {
        assert!(found.remove(word), "{word}");
    }
    found.extend(["matches", "a"].map(str::to_owned));
    assert_same("the Vim syntax", &found, &keywords());
}

#[test]
fn the_vim_syntax_reserves_what_the_grammar_reserves() {
    let grammar = text_of("grammar/words.pest");
    let (_, rest) = grammar.split_once("reserved = @{").expect("the reserved words");
    let (list, _) = rest.split_once('}').expect("their end");
    let reserved: Words = quoted(list, '"').into_iter().collect();
    let vim = text_of("editors/vim/syntax/sutler.vim");
    let lines = vim.lines().filter_map(|line| line.strip_prefix("syntax keyword sutlerReserved "));
    let found: Words = lines.flat_map(str::split_whitespace).map(str::to_owned).collect();
    assert_same("the Vim syntax", &found, &reserved);
}

#[test]
fn the_tree_sitter_grammar_has_the_words_of_the_grammar() {
    let text = text_of("editors/tree-sitter-sutler/grammar.js");
    let (_, rules) = text.split_once("rules: {").expect("the rules");
    let rules = rules.replace("field('name'", "").replace("field('title'", "");
    let rules = rules.replace("field('subject'", "");
    let code: String = rules.lines().map(|l| l.split("//").next().unwrap_or(l)).collect();
    let found: Words = quoted(&code, '\'').into_iter().collect();
    assert_same("the tree-sitter grammar", &found, &keywords());
    let queries = text_of("editors/tree-sitter-sutler/queries/highlights.scm");
    assert_same("its highlights", &quoted(&queries, '"').into_iter().collect(), &keywords());
}

#[test]
fn every_item_of_the_grammar_is_declared_in_the_editors() {
    let grammar = text_of("grammar/items.pest");
    let (_, rest) = grammar.split_once("item_word = @{").expect("the words of items");
    let (list, _) = rest.split_once('}').expect("their end");
    let items: Words = quoted(list, '"').into_iter().collect();
    let vim = text_of("editors/vim/syntax/sutler.vim");
    let lines = vim.lines().filter_map(|line| line.strip_prefix("syntax match sutlerItem /^"));
    let found: Words = lines.filter_map(|line| line.split('/').next()).flat_map(words_of).collect();
    assert_same("the items of the Vim syntax", &found, &items);
    let text = text_of("editors/vscode/syntaxes/sutler.tmLanguage.json");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut regexes = Vec::new();
    let declared = json.pointer("/repository/items/patterns").expect("the items");
    fields(declared, &["match", "begin"], &mut regexes);
    let first = |regex: &String| {
        let rest = regex.strip_prefix("^(")?;
        Some(words_of(rest.split(')').next().unwrap_or(rest)))
    };
    let found: Words = regexes.iter().filter_map(first).flatten().collect();
    assert_same("the items of the TextMate grammar", &found, &items);
}

#[test]
fn the_package_for_visual_studio_code_offers_each_command() {
    let text = text_of("editors/vscode/extension.js");
    let list = text.split_once("const COMMANDS = {").unwrap().1.split_once("};").unwrap().0;
    let offered: Words = list
        .split(',')
        .filter_map(|pair| Some(pair.split_once(':')?.0.trim().trim_matches('\'').to_owned()))
        .collect();
    let help = crate::place::command(std::path::Path::new("."), &["--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    // The server is started by the package itself, and two are for a shell.
    let wanted: Words = names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| !["lsp", "help", "completions", "man"].contains(name))
        .map(str::to_owned)
        .collect();
    assert!(wanted.len() > 20, "{help}");
    assert_same("the package for Visual Studio Code", &offered, &wanted);
}
