//! Layout: whatever stands in a file, laying it out changes no word and no comment, and doing it
//! twice changes nothing.
//!
//! The formatter proves its own result by the shape of the parse; here it is held against other
//! judges: the tree without its places, and the text without its spaces.

use crate::common;
use crate::common::counts::{part, seed_base, seeds, share};
use crate::support;
use std::path::{Path, PathBuf};

use sutler::format::{Formatted, format, unified};
use sutler::source::{SourceId, screen};
use sutler::syntax::parse;

use crate::common::Dice;

fn laid_out(text: &str) -> Formatted {
    format(SourceId::default(), text.as_bytes())
        .unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

/// The tree without its places. What has faults is told by its codes alone.
fn tree(text: &str) -> (String, Vec<&'static str>) {
    let (screened, _) = screen(text.as_bytes(), SourceId::default());
    let (file, faults) = parse(SourceId::default(), &screened);
    let all = format!("{:?}", file.items);
    let mut rest = all.as_str();
    let mut out = String::new();
    while let Some(at) = rest.find("Span {") {
        let end = at + rest[at..].find('}').expect("the end of a span");
        out.push_str(&rest[..at]);
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    (out, faults.iter().map(|f| f.code.as_str()).collect())
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// What must hold of every text.
fn holds(text: &str, what: &str) -> String {
    let new = laid_out(text).text;
    assert_eq!(bare(text), bare(&new), "{what}: words or comments changed");
    assert_eq!(tree(text), tree(&new), "{what}: the tree changed\n{text}\n----\n{new}");
    assert_eq!(laid_out(&new).text, new, "{what}: laying out twice changes more");
    if laid_out(text).left == 0 {
        assert!(
            new.lines().all(|line| line.trim_end() == line),
            "{what}: blanks at the end of a line"
        );
    }
    new
}

fn shipped() -> Vec<PathBuf> {
    sutler::project::sut_files(&support::root().join("rulesets")).expect("the shipped rulesets")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a ruleset")
}

#[test]
fn shipped_rulesets_keep_their_meaning() {
    let files = shipped();
    assert!(files.len() > 20, "only {} files", files.len());
    for path in part(&files) {
        holds(&read(path), &path.display().to_string());
    }
    for path in files {
        assert_eq!(laid_out(&read(&path)).left, 0, "{}", path.display());
    }
}

#[test]
fn examples_of_the_documents_keep_their_meaning_right_and_wrong() {
    let mut count = 0;
    for page in ["docs/language.md", "docs/patterns.md"] {
        for block in support::blocks(page).iter().filter(|b| b.is(&["sutler"])) {
            holds(&block.text, &block.place());
            count += 1;
        }
    }
    for info in sutler::diag::code::all() {
        for example in sutler::diag::code::examples(info).iter().filter(|e| e.language == "sutler")
        {
            holds(example.text, info.code.as_str());
            count += 1;
        }
    }
    holds(&read(&support::root().join("tests/mistakes.sut")), "mistakes");
    assert!(count > 300, "only {count} examples");
}

#[test]
fn random_rulesets_keep_their_meaning() {
    for seed in seeds(40) {
        let dice = &mut Dice::new(seed);
        let taste = common::random_rules::Taste { slow: true, spaces: 12 };
        let text = common::random_rules::text(dice, taste, common::random_rules::random_links);
        let laid = holds(&text, "random rules");
        assert_eq!(holds(&respaced(&text, dice), "random rules, respaced"), laid);
        holds(&common::random_hexes::ruleset(dice).1, "random hexes");
    }
}

/// The same words, every run of spaces another one. What is indented stays so, and what is not
/// stays so too.
fn respaced(text: &str, dice: &mut Dice) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut quoted = false;
        let body = line.trim_start();
        out.push_str(&" ".repeat(if body.len() < line.len() { 1 + dice.below(9) } else { 0 }));
        let mut rest = body.chars().peekable();
        while let Some(c) = rest.next() {
            quoted ^= c == '"';
            if c == '#' && !quoted {
                out.push(c);
                out.extend(rest.by_ref());
            } else if c == ' ' && !quoted {
                while rest.next_if_eq(&' ').is_some() {}
                out.push_str(&" ".repeat(1 + dice.below(5)));
            } else {
                out.push(c);
            }
        }
        out.push_str(if dice.percent(20) { "  \n" } else { "\n" });
    }
    out
}

#[test]
fn the_layout_does_not_hang_on_the_spaces_that_were_there() {
    let mut count = 0;
    for (seed, path) in shipped().iter().enumerate() {
        let text = read(path);
        // The items of a mistake are told by how deep they stand, so there spaces mean something.
        if text.contains("\nmistake ") {
            continue;
        }
        let laid = laid_out(&text).text;
        for round in 0..share(3) {
            let other = respaced(&text, &mut Dice::new((seed * 7 + round) as u64 + seed_base()));
            assert_eq!(laid_out(&other).text, laid, "{}", path.display());
        }
        count += 1;
    }
    assert!(count > 10, "only {count} files without mistakes");
}

#[test]
fn comments_anywhere_are_kept_in_their_order() {
    let mut texts: Vec<String> = shipped().iter().map(|p| read(p)).collect();
    texts.extend(
        support::blocks("docs/language.md")
            .into_iter()
            .filter(|b| b.is(&["sutler"]))
            .map(|b| b.text),
    );
    for (seed, text) in part(texts.iter().enumerate()) {
        let dice = &mut Dice::new(seed as u64 + seed_base());
        let mut out = String::new();
        let mut notes = Vec::new();
        // A comment may hold what opens, closes or joins elsewhere.
        let said = ["", " said \"so", " {", " }", " [4a", " (", " a, but {", " now it", " =", " #"];
        for line in text.lines() {
            let what = said[dice.below(said.len())];
            if dice.percent(15) {
                notes.push(format!("# own {}{what}", notes.len()));
                let indent = dice.below(6);
                out.push_str(&format!("{}{}\n", " ".repeat(indent), notes[notes.len() - 1]));
            }
            out.push_str(line);
            if dice.percent(15) && !line.contains('#') {
                notes.push(format!("# end {}{what}", notes.len()));
                out.push_str(&format!(" {}", notes[notes.len() - 1]));
            }
            out.push_str(["\n", "\n", "\n\n", "\n\n\n"][dice.below(4)]);
        }
        let new = holds(&out, "with comments");
        let found: Vec<&str> = new
            .lines()
            .filter_map(|l| l.find("# own ").or(l.find("# end ")).map(|at| &l[at..]))
            .collect();
        assert_eq!(found, notes, "comments lost or moved");
        if laid_out(&out).left == 0 {
            assert!(!new.contains("\n\n\n"), "more than one blank line");
        }
    }
}

#[test]
fn line_ends_marks_and_tabs() {
    let plain = "edition 1\nruleset a \"A\" prefix A\nkind field, fields is space {\n  has town yes or no\n}\n";
    let odd = "\u{feff}edition\t1\r\nruleset a\t\"A\"  prefix A\r\nkind field ,fields is space{\r\n\thas town yes or no\r\n}\r\n\r\n\r\n";
    assert_eq!(laid_out(odd).text, format!("\u{feff}{}", plain.replace('\n', "\r\n")));
    assert_eq!(laid_out(&odd.replace("\r\n", "\n")).text, format!("\u{feff}{plain}"));
    assert_eq!(laid_out(odd.trim_start_matches('\u{feff}')).text, plain.replace('\n', "\r\n"));
    assert_eq!(laid_out(plain.trim_end()).text, plain);
    assert_eq!(laid_out("").text, "");
    assert_eq!(laid_out("\n\n# alone\n\n").text, "# alone\n");
}

#[test]
fn what_is_no_text_is_refused_with_its_fault() {
    let faults = format(SourceId::default(), b"edition 1\n# \xff\n").expect_err("no text");
    assert_eq!(faults[0].code.as_str(), "E0001");
}

#[test]
fn items_with_faults_stay_to_the_byte() {
    let wrong = "define   a  of army=  strength   at   leest 3  \n   # mine\n";
    let text = format!("edition  1\n{wrong}define   b=3\n");
    let new = laid_out(&text);
    assert_eq!(new.text, format!("edition 1\n{wrong}define b = 3\n"));
    assert_eq!(new.left, 1);
    // Items that stay keep their own line ends too.
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(laid_out(&crlf).text, new.text.replace('\n', "\r\n"));
}

#[test]
fn each_construct_has_its_layout() {
    let cases = [
        ("define a=-1+ -2-(3)*4/ 5", "define a = -1 + -2 - (3) * 4 / 5"),
        ("define a = 3/4", "define a = 3/4"),
        ("define a = strength-1", "define a = strength - 1"),
        ("override row led of reach was -1 now -2", "override row led of reach was -1 now -2"),
        ("clause  22.0-a   of SK   \"x  y\"", "clause 22.0-a of SK \"x  y\""),
        ("define a =\n b\n  and c", "define a =\n  b\n  and c"),
        ("define a=b   [1a,2-b.c]", "define a = b   [1a, 2-b.c]"),
    ];
    for (text, wanted) in cases {
        assert_eq!(
            laid_out(&format!("edition 1\n{text}\n")).text,
            format!("edition 1\n{wanted}\n")
        );
    }
    let table = "table t of army gives steps by first match {\n row a when leader is none then 1 [1a]\n row bcd when strength at least 3 then 22 [1b,1c] # c\n otherwise 3\n}\n";
    let wanted = "table t of army gives steps by first match {\n  row a   when leader is none      then 1    [1a]\n  row bcd when strength at least 3 then 22   [1b, 1c]   # c\n  otherwise 3\n}\n";
    assert_eq!(laid_out(table).text, wanted);
    let grid = "table t of army gives steps by only match {\n down terrain\n across | steps\n row plain | 1\n row hills | -12 [1a]\n}\n";
    let wanted = "table t of army gives steps by only match {\n  down    terrain\n  across        | steps\n  row     plain |     1\n  row     hills |   -12   [1a]\n}\n";
    assert_eq!(laid_out(grid).text, wanted);
    let mistake = "mistake \"m\" expects E0301 {\n      define a=1\n      # c\n      kind b,c is unit {\n        has d yes or no\n      }\n}\n";
    let wanted = "mistake \"m\" expects E0301 {\n  define a = 1\n  # c\n  kind b, c is unit {\n    has d yes or no\n  }\n}\n";
    assert_eq!(laid_out(mistake).text, wanted);
}

/// A line at the margin begins an item, whatever its first word is.
#[test]
fn what_goes_on_with_an_item_never_stands_at_the_margin() {
    for broken in [
        "exception cold to old|when season is winter",
        "exception old to reach|when veteran|then 3|[6a]",
        "exception old to source depot of supply # why { \" (|when veteran|then supplied",
        "define far of army =|strength|+ 1|[6a]",
        "override through of march of supply was|open|now not open",
        "override clause 6a was \"old\"|now \"new\"",
        "override table reach, but {|  row old was then 2|  and more|  now then 3|  then 4|}",
        "add row to reach before old as|row new when veteran then 3",
        "add to supply as|source dale where name is Dale",
    ] {
        let text = format!("edition 1\n{}\n", broken.replace('|', "\n  "));
        assert_eq!(laid_out(&text).left, 0, "{text}");
        let new = holds(&text, broken);
        let margin = new.lines().skip(1).filter(|l| !l.starts_with(' ') && *l != "}").count();
        assert_eq!(margin, 1, "{new}");
    }
}

#[test]
fn the_difference_is_one_that_programs_apply() {
    let (old, new) = ("a\n\n\nb  c\nd\n", "a\n\nb c\nd\n");
    assert_eq!(
        unified("x.sut", old, new),
        "--- x.sut\n+++ x.sut\n@@ -1,5 +1,4 @@\n a\n \n-\n-b  c\n+b c\n d\n"
    );
    assert_eq!(unified("x.sut", old, old), "");
}

#[test]
fn the_number_of_a_clause_stays_in_one_piece_wherever_it_is_named() {
    for line in [
        "clause 22.1b \"a\"",
        "override clause SK-22.1b was \"a\" now \"b\"",
        "override clause 22.1b was \"a\" now \"b\"",
        "override section 22.1 was \"a\" now \"b\"",
        "remove clause SK-22.1b",
    ] {
        let text = format!("edition 1\nruleset v \"V\" prefix V extends w\n\n{line}\n");
        assert_eq!(laid_out(&text).text, text);
    }
}
