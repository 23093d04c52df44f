//! Sheets both ways: rows of tables that live in one, what a bad cell says, and rulesets written as
//! workbooks and read again.

use std::fs;
use std::path::{Path, PathBuf};

use sutler::diag::code::PRELUDE;
use sutler::pages::{Make, page, sheets};
use sutler::project::{Loaded, Project};
use sutler::sheet::{Cell, Form, Page, Value, write};
use sutler::source::SourceMap;
use sutler::syntax::ast::{ItemKind, Table, TableBody};

use crate::common::Dice;
use crate::common::counts::seeds;
use crate::place::Place;

const SHIPPED: [&str; 5] = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"];

/// The little game with its table as a grid and one more of words, and a case.
const GAME: &str = r#"
table upkeep of army "Upkeep" gives points by only match {   # as printed
  down   terrain here
  across strong | yes | no
  row    land                | 2   | 1   [1a]   # ashore
  row    sea                 | 1/2 | 0
}
define strong of army = strength at least 3
define fed of army = upkeep at most 2
case "near enough" [1b] {
  setup opening
  expect Guard is supplied
  expect reach of Guard is 1
}
case "fed" {
  setup opening
  given strength of Guard | expect upkeep of Guard
  row   2                 | 1
  row   5                 | 2   # more
}
"#;

fn game() -> Place {
    Place::with(&format!("{PRELUDE}{GAME}"))
}

fn rules(place: &Place) -> String {
    fs::read_to_string(place.path("game/rules.sut")).unwrap()
}

fn page_of(name: &str, rows: &[&[&str]]) -> Page {
    let mut cells = Vec::new();
    for (row, texts) in (1..).zip(rows) {
        for (column, text) in (1..).zip(*texts) {
            if !text.is_empty() {
                cells.push(Cell { row, column, value: Value::written(text), colour: None });
            }
        }
    }
    Page { name: name.to_owned(), cells }
}

/// The little game with its list in a sheet.
fn with_reach(from: &str) -> Place {
    let text = format!("{PRELUDE}{GAME}");
    let rows = "  row led when leader is not none then 2\n  otherwise 1\n";
    assert!(text.contains(rows));
    Place::with(&text.replace(rows, &format!("  from {from}\n")))
}

const REACH: &str = "row,when,areas,clauses\nled,leader is not none,2,\n,otherwise,1,\n";

#[test]
fn a_changed_cell_changes_an_answer_and_shows_in_diff_and_impact() {
    let place = with_reach("\"reach.csv\"");
    place.write("game/reach.csv", REACH);
    let check = place.run(&["check", "game"]);
    assert_eq!(check.code, 0, "{}{}", check.out, check.err);
    assert_eq!(place.run(&["test", "game"]).code, 0);
    let before = place.run(&["trace", "game"]).out;
    assert!(before.contains("supplied"), "{before}");
    // The same rules, word by word, as with the rows in the text.
    let text = game();
    let hash = |place: &Place| place.run(&["check", "game", "--format", "json"]).out;
    assert_eq!(hash(&place), hash(&text));

    for name in ["rules.sut", "reach.csv"] {
        place.write(
            &format!("other/{name}"),
            fs::read(place.path(&format!("game/{name}"))).unwrap(),
        );
    }
    place.write("other/reach.csv", REACH.replace("otherwise,1", "otherwise,0"));
    let after = place.run(&["trace", "other"]).out;
    assert_ne!(before, after);
    let diff = place.run(&["diff", "game", "other"]);
    assert!(diff.out.contains("table reach") && diff.out.contains("1 -> 0"), "{}", diff.out);
    let impact = place.run(&["impact", "game", "other"]);
    assert!(impact.out.contains("reach") && impact.out.contains("Guard"), "{}", impact.out);
    let failed = place.run(&["test", "other"]);
    assert_eq!(failed.code, 1, "{}", failed.out);
}

/// A table with its rows in a sheet instead, and the page.
fn moved(table: &Table, text: &str, file: &str) -> String {
    let slice = |span: sutler::source::Span| text.get(span.range()).unwrap();
    let (mut lines, kept) = match &table.body {
        TableBody::Grid(grid) => {
            let first = grid.down.first().unwrap().span;
            let down = first.to(grid.down.last().unwrap().span);
            let mut lines = format!("  down {}\n", slice(down));
            if let Some(across) = &grid.across {
                lines.push_str(&format!("  across {}\n", slice(across.span)));
            }
            (lines, grid.kept.as_ref())
        }
        TableBody::List { kept, .. } => (String::new(), kept.as_ref()),
    };
    lines.push_str(&format!("  from \"{file}\""));
    if let TableBody::Grid(grid) = &table.body
        && !grid.cites.0.is_empty()
    {
        let all: Vec<&str> = grid.cites.0.iter().map(|name| name.text.as_str()).collect();
        lines.push_str(&format!(" [{}]", all.join(", ")));
    }
    lines.push('\n');
    if let Some(kept) = kept {
        lines.push_str(&format!("  {}\n", slice(kept.span)));
    }
    lines
}

/// Writes a ruleset anew with all its tables in sheets; how many there are.
fn tables_in_sheets(from: &Path, to: &Path, form: Form) -> usize {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&target).unwrap();
            for inner in fs::read_dir(&path).unwrap() {
                let inner = inner.unwrap().path();
                fs::copy(&inner, target.join(inner.file_name().unwrap())).unwrap();
            }
        } else {
            fs::copy(&path, target).unwrap();
        }
    }
    let project = Project::open(from);
    let own = project.rulesets.first().unwrap();
    let pages: Vec<Page> = sheets(own, &project.sources)
        .iter()
        .filter(|s| matches!(s.make, Make::Grid(_) | Make::List))
        .map(page)
        .collect();
    let end = if form == Form::Xlsx { "xlsx" } else { "ods" };
    if form == Form::Csv {
        for page in &pages {
            let bytes = write(std::slice::from_ref(page), form).unwrap();
            fs::write(to.join(format!("{}.csv", page.name)), bytes).unwrap();
        }
    } else if !pages.is_empty() {
        fs::write(to.join(format!("all tables.{end}")), write(&pages, form).unwrap()).unwrap();
    }
    let mut edits: Vec<(PathBuf, std::ops::Range<usize>, String)> = Vec::new();
    for item in own.resolved().items.iter().map(|item| &item.item) {
        let ItemKind::Table(table) = &item.kind else { continue };
        let source = item.span.source;
        let text = project.sources.text(source);
        let whole = text.get(item.span.range()).unwrap();
        let open = item.span.start as usize + whole.find("{").unwrap();
        let body = open + text.get(open..).unwrap().find('\n').unwrap() + 1;
        let close = item.span.start as usize + whole.rfind('}').unwrap();
        let file = match form {
            Form::Csv => format!("{}.csv", table.name.text),
            _ => format!("all tables.{end}"),
        };
        let name = Path::new(project.sources.name(source)).file_name().unwrap().to_owned();
        edits.push((to.join(name), body..close, moved(table, text, &file)));
    }
    edits.sort_by_key(|(path, range, _)| (path.clone(), std::cmp::Reverse(range.start)));
    for (path, range, new) in &edits {
        let mut text = fs::read_to_string(path).unwrap();
        text.replace_range(range.clone(), new);
        fs::write(path, text).unwrap();
    }
    edits.len()
}

#[test]
fn every_shipped_table_says_the_same_in_a_sheet() {
    let mut tables = 0;
    for (at, name) in SHIPPED.iter().enumerate() {
        let from = Path::new("rulesets").join(name);
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join(name);
        // Each format takes its turn.
        let form = [Form::Csv, Form::Xlsx, Form::Ods][at % 3];
        tables += tables_in_sheets(&from, &to, form);
        let (text, sheet) = (Project::open(&from), Project::open(&to));
        let faults = |p: &Project| -> Vec<String> {
            p.rulesets.iter().flat_map(|r| &r.faults).map(|f| f.message.clone()).collect()
        };
        assert_eq!(faults(&text), faults(&sheet), "{name}");
        for (a, b) in text.rulesets.iter().zip(&sheet.rulesets) {
            let (a, b) = (a.rules.as_ref().unwrap(), b.rules.as_ref().unwrap());
            assert_eq!(a.hash, b.hash, "{name}");
            assert_eq!(a.nodes, b.nodes, "{name}");
            assert_eq!(sutler::ir::print(a), sutler::ir::print(b), "{name}");
        }
    }
    assert!(tables > 50, "{tables}");
}

#[test]
fn variants_change_the_rows_of_a_sheet_as_those_of_the_text() {
    let variant = "edition 1\nruleset far \"Far\" prefix FAR extends game\noverride row led of reach was 2 now 3\nadd row to reach before led as row strong when strength at least 4 then 2\n";
    let (sheet, text) = (with_reach("\"t.ods\" sheet \"Lines of supply\""), game());
    let page = page_of(
        "Lines of supply",
        &[&["row", "when", "areas"], &["led", "leader is not none", "2"], &["", "otherwise", "1"]],
    );
    sheet.write("game/t.ods", write(&[page], Form::Ods).unwrap());
    let name = |text: &str| {
        text.replace(
            "ruleset example \"A small example\" prefix EX",
            "ruleset game \"A small example\" prefix EX",
        )
    };
    for place in [&sheet, &text] {
        place.write("game/rules.sut", name(&rules(place)));
        place.write("game/far.sut", variant);
    }
    let said = |place: &Place, args: &[&str]| {
        let said = place.run(args);
        assert!(said.code < 2, "{args:?} {}{}", said.out, said.err);
        said.out
    };
    let check = ["check", "game", "--format", "json"];
    assert_eq!(said(&sheet, &check), said(&text, &check));
    let resolved = said(&sheet, &["resolve", "game/far.sut"]);
    assert!(resolved.contains("row led when leader is not none then 3"), "{resolved}");
    assert!(resolved.contains("t.ods, sheet Lines of supply"), "{resolved}");
    assert_eq!(
        said(&sheet, &["diff", "game", "game/far.sut"]),
        said(&text, &["diff", "game", "game/far.sut"])
    );
    // What a variant says of a row that says something else by now.
    sheet.write("game/far.sut", variant.replace("was 2", "was 4"));
    let wrong = sheet.run(&["check", "game"]);
    assert!(
        wrong.err.contains("E0603") || wrong.out.contains("E0603"),
        "{}{}",
        wrong.out,
        wrong.err
    );
    assert!(
        format!("{}{}", wrong.out, wrong.err).contains("sheet Lines of supply, cell C2"),
        "{}",
        wrong.out
    );
}

/// The one-line faults of the little game with this sheet.
fn faults(csv: &str) -> String {
    let place = with_reach("\"reach.csv\"");
    place.write("game/reach.csv", csv);
    let said = place.run(&["check", "game", "--format", "concise"]);
    assert_eq!(said.code, 1, "{}", said.out);
    said.out
}

#[test]
fn a_bad_cell_is_named_by_its_row_and_column() {
    let head = "row,when,areas";
    let all = [
        (
            format!("{head}\nled,leader is not none,2 +\n,otherwise,1\n"),
            "game/reach.csv, cell C2: error[E0100]: the cell ends too early",
        ),
        (
            format!("{head}\nled,leeder is not none,2\n,otherwise,1\n"),
            "game/reach.csv, cell B2: error[E0201]",
        ),
        (
            format!("{head}\n\n# a note\nled,leader is not none,1 | 2\n,otherwise,1\n"),
            "game/reach.csv, cell C4: error[E0100]: `|` cannot stand here",
        ),
        (
            format!("{head}\nled,leader is not none,\"1\ncase x\"\n,otherwise,1\n"),
            "game/reach.csv, cell C2: error[E0016]: the cell is text of several lines",
        ),
        (
            format!("{head}\nled,leader is not none,0.33333333\n,otherwise,1\n"),
            "game/reach.csv, cell C2: error[E0016]: the cell is a number with too many digits",
        ),
        (
            format!("{head}\nled,leader is not none,\n,otherwise,1\n"),
            "game/reach.csv, cell C2: error[E0016]: the cell is empty",
        ),
        (
            format!("{head}\nled,,2\n,otherwise,1\n"),
            "game/reach.csv, cell B2: error[E0017]: the row does not say when it holds",
        ),
        (
            format!("{head}\nled,leader is not none,2,x\n,otherwise,1\n"),
            "game/reach.csv, cell D2: error[E0017]: the cell stands under no heading",
        ),
        (
            "row,wen,areas\n,otherwise,1\n".to_owned(),
            "game/reach.csv, cell B1: error[E0017]: the heading `wen` is none of this table (help: write `when`)",
        ),
        (
            "when,when,areas\n,otherwise,1\n".to_owned(),
            "game/reach.csv, cell B1: error[E0017]: two columns are headed `when`",
        ),
        (
            "row,when\n,otherwise\n".to_owned(),
            "error[E0017]: the results have no columns in their order",
        ),
        (String::new(), "error[E0017]: the sheet is empty"),
        (format!("{head},clauses\n,otherwise,1,9z\n"), "game/reach.csv, cell D2: error[E0204]"),
        (format!("{head},clauses\n,otherwise,1,1b ]\n"), "game/reach.csv, cell D2: error["),
        (
            format!("{head}\n,otherwise,1\n,otherwise,2\n"),
            "game/reach.csv, row 3: error[E0202]: `otherwise` stands twice",
        ),
        (format!("{head}\nled,otherwise,1\n"), "game/reach.csv, cell B2: error[E0017]"),
        (
            format!("{head}\n1st,leader is not none,1\n,otherwise,1\n"),
            "game/reach.csv, cell A2: error[E0100]",
        ),
        (
            format!("{head}\nled,leader is not none,\"\u{202e}1\"\n,otherwise,1\n"),
            "game/reach.csv, cell C2: error[E0003]",
        ),
        (
            format!(
                "{head}\nled,{}leader is none{},1\n,otherwise,1\n",
                "(".repeat(129),
                ")".repeat(129)
            ),
            "game/reach.csv, cell B2: error[",
        ),
    ];
    for (csv, expected) in &all {
        let found = faults(csv);
        assert!(found.contains(expected), "{csv}\n{found}");
    }
}

#[test]
fn a_bad_cell_is_shown_in_its_row() {
    let place = with_reach("\"t.xlsx\"");
    let page = page_of(
        "reach",
        &[
            &["row", "when", "areas"],
            &["led", "leader is not none", "2"],
            &["", "otherwise", "lnad"],
        ],
    );
    place.write("game/t.xlsx", write(&[page], Form::Xlsx).unwrap());
    let said = place.run(&["check", "game"]);
    let text = format!("{}{}", said.out, said.err);
    assert!(text.contains("[game/t.xlsx, sheet reach, cell C3]"), "{text}");
    assert!(text.contains("otherwise lnad"), "{text}");
    let json = place.run(&["check", "game", "--format", "json"]).out;
    assert!(
        json.contains(r#""file":"game/t.xlsx, sheet reach","start":0,"end":0,"line":3,"column":3"#),
        "{json}"
    );
    assert!(json.contains(r#""cell":"cell C3""#), "{json}");
    // A build server knows no cells.
    let github = place.run(&["check", "game", "--format", "github"]).out;
    assert!(github.contains("file=game/rules.sut") && github.contains("cell C3"), "{github}");
    // Nothing writes into a sheet.
    let before = fs::read(place.path("game/t.xlsx")).unwrap();
    place.run(&["check", "game", "--fix"]);
    assert_eq!(fs::read(place.path("game/t.xlsx")).unwrap(), before);
}

#[test]
fn a_sheet_that_cannot_be_read_is_refused() {
    let said = |from: &str| {
        let place = with_reach(from);
        place.write(
            "game/t.xlsx",
            write(&[page_of("other", &[&["when", "areas"]])], Form::Xlsx).unwrap(),
        );
        place.write("game/no.xlsx", "when,areas\n");
        place.write("game/large.csv", vec![b'x'; (16 << 20) + 1]);
        place.write("reach.csv", REACH);
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path("reach.csv"), place.path("game/link.csv")).unwrap();
        fs::create_dir(place.path("game/folder.csv")).unwrap();
        place.run(&["check", "game", "--format", "concise"]).out
    };
    let all = [
        ("\"../reach.csv\"", "is no name of a sheet"),
        ("\"/etc/passwd\"", "is no name of a sheet"),
        ("\"reach.txt\"", "is no name of a sheet"),
        ("\"reach.csv\"", "there is no file `reach.csv` in the ruleset's folder"),
        ("\"folder.csv\"", "is no plain file"),
        ("\"t.xlsx\"", "`t.xlsx` has no sheet `reach`"),
        ("\"t.xlsx\" sheet \"Other\"", "`t.xlsx` has no sheet `Other`"),
        ("\"no.xlsx\"", "`no.xlsx` is no workbook that can be read"),
        ("\"large.csv\"", "`large.csv` is larger than 16 MiB"),
        ("\"t.csv\" sheet \"x\"", "`t.csv` has one page without a name"),
    ];
    for (from, expected) in all {
        let found = said(from);
        assert!(found.contains("error[E0015]") && found.contains(expected), "{from}: {found}");
        assert_eq!(found.lines().count(), 1, "{from}: {found}");
    }
    #[cfg(unix)]
    assert!(said("\"link.csv\"").contains("is a link, and links are not followed"));
}

#[test]
fn a_grid_without_amounts_stops_no_check() {
    for rows in ["", "  row land | barred | barred\n  row sea | barred | barred\n"] {
        let text = format!(
            "{PRELUDE}table upkeep of army gives points by only match {{\n  down terrain here\n  across leader is none | yes | no\n{rows}}}\ncase \"x\" {{\n  setup opening\n  expect upkeep of Guard at least 3\n}}\n"
        );
        let place = Place::with(&text);
        let said = place.run(&["check", "game"]);
        assert!(said.code < 2 && !said.err.contains("panicked"), "{}", said.err);
    }
}

#[test]
fn what_prints_and_tries_tables_reads_the_rows_of_sheets() {
    let (sheet, text) = (with_reach("\"reach.csv\""), game());
    sheet.write("game/reach.csv", REACH);
    for args in [&["doc", "game"][..], &["coverage", "game", "--format", "json"], &["ir", "game"]] {
        let (a, b) = (sheet.run(args), text.run(args));
        assert_eq!(a.code, b.code, "{args:?}: {}", a.err);
        if args[0] != "coverage" {
            assert_eq!(a.out, b.out, "{args:?}");
        }
    }
    let tried = sheet.run(&["mutate", "game", "--only", "reach"]);
    assert!(tried.out.contains("game/reach.csv, cell C2"), "{}{}", tried.out, tried.err);
    let (a, b) = (
        sheet.run(&["mutate", "game", "--format", "json"]),
        text.run(&["mutate", "game", "--format", "json"]),
    );
    let fates = |out: &str| {
        ["caught", "missed", "refused", "equivalent"]
            .map(|fate| out.matches(&format!("\"{fate}\"")).count())
    };
    assert_eq!(fates(&a.out), fates(&b.out), "{}\n{}", a.out, b.out);
    let before = (rules(&sheet), fs::read(sheet.path("game/reach.csv")).unwrap());
    assert_eq!(sheet.run(&["fmt", "game"]).code, 0);
    let formatted = rules(&sheet);
    assert!(formatted.contains("from \"reach.csv\""), "{formatted}");
    assert_eq!(fs::read(sheet.path("game/reach.csv")).unwrap(), before.1);
}

/// Every own part of a shipped ruleset and of its variants, out and in again.
#[test]
fn what_is_written_as_sheets_changes_nothing_when_it_comes_back() {
    let mut cells = 0;
    for name in SHIPPED {
        let project = Project::open(&Path::new("rulesets").join(name));
        for loaded in &project.rulesets {
            for form in [Form::Csv, Form::Xlsx, Form::Ods] {
                cells += comes_back(loaded, &project.sources, form);
            }
        }
    }
    assert!(cells > 20_000, "{cells}");
}

fn comes_back(loaded: &Loaded, sources: &SourceMap, form: Form) -> usize {
    let all = sheets(loaded, sources);
    let pages: Vec<Page> = all.iter().map(page).collect();
    let mut sources = sources.clone();
    let mut cells = 0;
    let books: Vec<Vec<u8>> = match form {
        Form::Csv => pages.iter().map(|p| write(std::slice::from_ref(p), form).unwrap()).collect(),
        _ => vec![write(&pages, form).unwrap()],
    };
    for (at, sheet) in all.iter().enumerate() {
        let bytes = books.get(at).unwrap_or(&books[0]);
        let name = if form == Form::Csv { "" } else { &sheet.name };
        let mut found = sutler::sheet::page(bytes, form, name).unwrap();
        found.name.clone_from(&sheet.name);
        cells += found.cells.len();
        let (given, unclean) = sutler::pages::Given::of(&found, "x", sheet.item, &mut sources);
        assert!(unclean.is_empty(), "{unclean:?}");
        let (edits, faults) = sutler::pages::carry(sheet, &given, &sources);
        assert!(
            edits.is_empty() && faults.is_empty(),
            "{} {form:?} {edits:?} {faults:?}",
            sheet.name
        );
    }
    cells
}

/// The little game written out as CSV.
fn out() -> Place {
    let place = game();
    let said = place.run(&["sheet", "out", "game", "--out", "s"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    place
}

fn csv(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(&format!("s/{name}.csv"))).unwrap()
}

#[test]
fn the_pages_of_the_little_game() {
    let place = out();
    assert_eq!(
        csv(&place, "reach"),
        "row,per,beyond,when,areas,clauses\nled,,,leader is not none,2\n,,,otherwise,1\n"
    );
    assert_eq!(csv(&place, "upkeep"), "terrain here,yes,no,clauses\nland,2,1,1a\nsea,1/2,0\n");
    assert_eq!(
        csv(&place, "map_coast"),
        "space,kind,title,x,y,terrain,coastal\nPort,area,,,,land,yes\nHill,area,,,,land\nWood,area,,,,land\nBay,area,,,,sea\n"
    );
    assert_eq!(csv(&place, "links_coast"), "link,from,to 1,to 2\nborder,Port,Hill,Wood\n");
    assert_eq!(
        csv(&place, "setup_opening"),
        "unit,kind,title,side,space,strength\nGuard,army,,Red,Hill,4\nRaiders,army,,Blue,Wood,2\n"
    );
    assert!(
        csv(&place, "cases")
            .starts_with("case,line\nnear enough,1b\n,setup opening\n,expect Guard is supplied\n"),
        "{}",
        csv(&place, "cases")
    );
    // What is in order comes back without a change, also where lines end otherwise.
    let before = rules(&place);
    let said = place.run(&["sheet", "in", "game", "s"]);
    assert_eq!((said.code, said.err.as_str()), (0, "0 changes in 0 files\n"));
    assert_eq!(rules(&place), before);
}

/// What a change of a page makes of the text: the lines that differ.
fn changed(name: &str, old: &str, new: &str) -> (String, String) {
    let place = out();
    let text = csv(&place, name);
    assert!(text.contains(old), "{text}");
    place.write(&format!("s/{name}.csv"), text.replacen(old, new, 1));
    let before = rules(&place);
    let dry = place.run(&["sheet", "in", "game", "s", "--dry-run"]);
    assert_eq!((dry.code, rules(&place)), (1, before.clone()), "{} {}", dry.out, dry.err);
    let said = place.run(&["sheet", "in", "game", "s"]);
    if said.code != 0 {
        assert_eq!(rules(&place), before);
        return (String::new(), said.err);
    }
    let again = place.run(&["sheet", "in", "game", "s"]);
    assert_eq!(again.err, "0 changes in 0 files\n", "{name} {new}");
    let after = rules(&place);
    let (mut gone, mut come) = (String::new(), String::new());
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    a.iter().filter(|l| !b.contains(l)).for_each(|l| gone.push_str(&format!("{}\n", l.trim())));
    b.iter().filter(|l| !a.contains(l)).for_each(|l| come.push_str(&format!("{}\n", l.trim())));
    (gone, come)
}

#[test]
fn a_changed_cell_changes_its_own_bytes() {
    let all = [
        (
            "upkeep",
            "land,2",
            "land,5",
            "row    land                | 2   | 1   [1a]   # ashore\n",
            "row    land                | 5   | 1   [1a]   # ashore\n",
        ),
        (
            "upkeep",
            "1/2",
            "0.25",
            "row    sea                 | 1/2 | 0\n",
            "row    sea                 | 1/4 | 0\n",
        ),
        (
            "upkeep",
            ",1a",
            ",\"1a, 1b\"",
            "row    land                | 2   | 1   [1a]   # ashore\n",
            "row    land                | 2   | 1   [1a, 1b]   # ashore\n",
        ),
        (
            "upkeep",
            "land,2,1,1a",
            "land,2,1",
            "row    land                | 2   | 1   [1a]   # ashore\n",
            "row    land                | 2   | 1   # ashore\n",
        ),
        (
            "upkeep",
            "sea,1/2,0",
            "sea,1/2,0,1b",
            "row    sea                 | 1/2 | 0\n",
            "row    sea                 | 1/2 | 0 [1b]\n",
        ),
        ("upkeep", "land,2,1,1a\nsea,1/2,0", "sea,1/2,0\nland,2,1,1a", "", ""),
        (
            "reach",
            "led,,,leader is not none,2",
            ",,,leader is not none,2",
            "row led when leader is not none then 2\n",
            "when leader is not none then 2\n",
        ),
        (
            "reach",
            ",,,otherwise",
            "strong,,,strength at least 4,3,1b\n,,,otherwise",
            "",
            "row strong when strength at least 4 then 3 [1b]\n",
        ),
        (
            "reach",
            "led,,,leader is not none,2\n",
            "",
            "row led when leader is not none then 2\n",
            "",
        ),
        (
            "setup_opening",
            "Guard,army,,Red,Hill,4",
            "Guard,army,The Guard,Red,Port,",
            "put army Guard of Red in Hill with strength 4\n",
            "put army Guard \"The Guard\" of Red in Port\n",
        ),
        (
            "setup_opening",
            "Blue,Wood,2",
            "Blue,Wood,2\nHorse,army,,Blue,Wood,3",
            "",
            "put army Horse of Blue in Wood with strength 3\n",
        ),
        (
            "map_coast",
            "Port,area,,,,land,yes",
            "Port,area,The port,3,4,land,",
            "space area Port with terrain land, coastal\n",
            "space area Port \"The port\" at (3, 4) with terrain land\n",
        ),
        (
            "map_coast",
            "Hill,area,,,,land",
            "Hill,area,,,,sea,yes",
            "space area Hill with terrain land\n",
            "space area Hill with terrain sea, coastal\n",
        ),
        (
            "links_coast",
            "border,Port,Hill,Wood",
            "border,Port,Hill,Bay",
            "link border Port to Hill to Wood\n",
            "link border Port to Hill to Bay\n",
        ),
        (
            "links_coast",
            "border,Port,Hill,Wood",
            "border,Port,Hill,Wood\nborder,Wood,Bay",
            "",
            "link border Wood to Bay\n",
        ),
        (
            "cases",
            ",expect reach of Guard is 1",
            ",expect reach of Guard is 1\n,expect Guard at least 1",
            "",
            "",
        ),
        ("cases", ",5,", ",6,", "", ""),
    ];
    for (name, old, new, gone, come) in all {
        if name == "cases" {
            continue;
        }
        let (a, b) = changed(name, old, new);
        assert_eq!((a.as_str(), b.as_str()), (gone, come), "{name}: {old} -> {new}");
    }
    let (gone, come) = changed("cases", "row   5", "row   7");
    assert!(gone.contains("5") && come.contains("7") && come.contains("# more"), "{gone}{come}");
    let (gone, come) = changed(
        "cases",
        ",setup opening\n,expect Guard is supplied",
        ",setup opening\n,given strength of Guard is 3\n,expect Guard is supplied",
    );
    assert_eq!((gone.as_str(), come.as_str()), ("", "given strength of Guard is 3\n"));
}

#[test]
fn what_a_sheet_cannot_say_is_refused_with_its_cell() {
    let all = [
        ("upkeep", "land,2", "land,2 | 3", "s/upkeep.csv, cell B2"),
        ("upkeep", "land,2", "land,lots", "s/upkeep.csv, cell B2"),
        ("upkeep", "terrain here", "terrain", "E0018"),
        ("upkeep", "land,2,1,1a", "land,2,1,1a,9", "s/upkeep.csv, cell E2"),
        ("upkeep", "land,2", "land,", "s/upkeep.csv"),
        ("upkeep", "sea,1/2,0", "sea,1/2,0\nhill,1", "E0018"),
        ("reach", ",,,otherwise,1", ",,,always,1", "s/reach.csv, cell D3"),
        ("setup_opening", "Red,Hill", "Red,Hull", "s/setup_opening.csv, cell E2"),
        ("setup_opening", "Guard,army,", "Guard,army,\"a\"\"b\"", "a title has no quotation marks"),
        ("setup_opening", "Red,Hill", "Red,Hill with strength 3", "s/setup_opening.csv, cell E2"),
        ("map_coast", "Port,area,,,", "Port,area,,3,", "s/map_coast.csv, cell D2"),
        ("map_coast", "space,kind", "space,sort", "E0018"),
        ("cases", "near enough,1b", "other,1b\nnear enough,1b", "E"),
    ];
    for (name, old, new, expected) in all {
        let (gone, said) = changed(name, old, new);
        assert_eq!(gone, "", "{name}: {old} -> {new}\n{said}");
        assert!(
            said.contains("error[E") && said.contains(expected),
            "{name}: {old} -> {new}\n{said}"
        );
    }
}

#[test]
fn line_ends_and_comments_stay() {
    let place = game();
    place.write("game/rules.sut", rules(&place).replace('\n', "\r\n"));
    assert_eq!(place.run(&["sheet", "out", "game", "--out", "s.ods"]).code, 0);
    let bytes = fs::read(place.path("s.ods")).unwrap();
    assert_eq!(place.run(&["sheet", "out", "game", "--out", "s.ods"]).code, 0);
    assert_eq!(fs::read(place.path("s.ods")).unwrap(), bytes);
    let mut pages: Vec<Page> = Vec::new();
    for name in sutler::sheet::pages(&bytes, Form::Ods).unwrap() {
        pages.push(sutler::sheet::page(&bytes, Form::Ods, &name).unwrap());
    }
    let upkeep = pages.iter_mut().find(|p| p.name == "upkeep").unwrap();
    upkeep.cells.iter_mut().find(|c| (c.row, c.column) == (2, 2)).unwrap().value =
        Value::written("3");
    let row = upkeep.cells.iter().map(|c| c.row).max().unwrap() + 1;
    for (column, text) in [(1, "else"), (2, "1"), (3, "1")] {
        upkeep.cells.push(Cell { row, column, value: Value::written(text), colour: None });
    }
    place.write("s.ods", write(&pages, Form::Ods).unwrap());
    let before = rules(&place);
    let said = place.run(&["sheet", "in", "game", "s.ods"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let expected = before
        .replace("| 2   | 1   [1a]", "| 3   | 1   [1a]")
        .replace("| 1/2 | 0\r\n", "| 1/2 | 0\r\n  row else | 1 | 1\r\n");
    assert_eq!(rules(&place), expected);
}

#[test]
fn cells_moved_about_at_random_come_back_as_they_are_shown() {
    let place = game();
    let path = place.path("game");
    let mut taken = 0;
    for seed in seeds(400) {
        let mut dice = Dice::new(seed);
        let project = Project::open(&path);
        let loaded = project.rulesets.first().unwrap();
        let all = sheets(loaded, &project.sources);
        let sheet = &all[dice.below(all.len())];
        let mut given = page(sheet);
        let rows: Vec<u32> = given.cells.iter().map(|c| c.row).filter(|r| *r > 1).collect();
        let columns: Vec<u32> = given.cells.iter().map(|c| c.column).collect();
        let (row, other, column) = (*dice.pick(&rows), *dice.pick(&rows), *dice.pick(&columns));
        match dice.below(3) {
            // Two cells of a column, or two rows, change places; or a row goes.
            0 => given
                .cells
                .iter_mut()
                .filter(|c| c.column == column)
                .for_each(|c| swap(&mut c.row, row, other)),
            1 => given.cells.iter_mut().for_each(|c| swap(&mut c.row, row, other)),
            _ => given.cells.retain(|c| c.row != row),
        }
        given.cells.sort_by_key(|c| (c.row, c.column));
        taken += usize::from(comes_to(&path, &project, sheet, &given, seed));
    }
    assert!(taken > 5, "{taken}");
}

fn swap(row: &mut u32, a: u32, b: u32) {
    *row = if *row == a {
        b
    } else if *row == b {
        a
    } else {
        *row
    };
}

/// Carries a page into the text; where that checks, the text shows the page.
fn comes_to(
    path: &Path,
    project: &Project,
    sheet: &sutler::pages::Sheet,
    given: &Page,
    seed: u64,
) -> bool {
    let mut sources = project.sources.clone();
    let (lines, unclean) = sutler::pages::Given::of(given, "x", sheet.item, &mut sources);
    let (edits, faults) = sutler::pages::carry(sheet, &lines, &sources);
    if !unclean.is_empty() || !faults.is_empty() || edits.is_empty() {
        return false;
    }
    let file = path.join("rules.sut");
    let (new, _) = sutler::pages::applied(&fs::read(&file).unwrap(), edits[0].span.source, &edits);
    let after = Project::open_with(path, [(file, new)].into());
    let loaded = after.rulesets.first().unwrap();
    if loaded.rules.is_none() {
        return false;
    }
    let all = sheets(loaded, &after.sources);
    let shown = all.iter().find(|s| s.name == sheet.name).map(page);
    let rows = |page: &Page| -> Vec<Vec<(u32, String)>> {
        let rows = page.cells.chunk_by(|a, b| a.row == b.row);
        rows.map(|row| row.iter().map(|c| (c.column, c.value.shown().to_owned())).collect())
            .collect()
    };
    // A page whose rows are all gone is not written any more.
    let Some(shown) = shown.map(|page| rows(&page)) else {
        return given.cells.iter().all(|c| c.row == 1);
    };
    assert_eq!(shown, rows(given), "seed {seed}, {}", sheet.name);
    true
}

#[test]
fn coordinates_and_colours_come_along() {
    let place = Place::with(&format!(
        "{PRELUDE}map far {{\n  space area A at (1, 2) with terrain land\n  space area B at (5/2, 3) with terrain sea\n}}\n"
    ));
    assert_eq!(place.run(&["sheet", "out", "game", "--out", "s.xlsx"]).code, 0);
    let bytes = fs::read(place.path("s.xlsx")).unwrap();
    let found = sutler::sheet::page(&bytes, Form::Xlsx, "map_far").unwrap();
    let said: Vec<String> = found.cells.iter().map(|c| c.value.said().unwrap()).collect();
    assert_eq!(
        said,
        [
            "space", "kind", "title", "x", "y", "terrain", "A", "area", "1", "2", "land", "B",
            "area", "5/2", "3", "sea"
        ]
    );
    let project = Project::open(&place.path("game"));
    let loaded = project.rulesets.first().unwrap();
    let all = sheets(loaded, &project.sources);
    let map = all.iter().find(|s| s.name == "map_far").map(page).unwrap();
    let colours: Vec<u32> = map.cells.iter().filter_map(|c| c.colour).collect();
    assert_eq!(colours.len(), 2);
    assert_ne!(colours[0], colours[1]);
}

/// Where nothing of the ruleset is left out unsaid.
#[test]
fn a_table_that_lives_in_a_sheet_is_named_and_left_there() {
    let place = with_reach("\"reach.csv\"");
    place.write("game/reach.csv", REACH);
    let said = place.run(&["sheet", "out", "game", "--out", "s"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (0, "table `reach` lives in `reach.csv`, and is changed there\n")
    );
    assert!(!place.path("s/reach.csv").exists());
    let wrong = [
        (&["sheet", "out", "game", "--out", "s.pdf"][..], "neither a workbook nor a folder"),
        (
            &["sheet", "out", "game", "--out", "t", "--only", "nowhere"],
            "nothing that a sheet could hold",
        ),
        (&["sheet", "in", "game", "s.csv"], "neither a workbook nor a folder"),
        (&["sheet", "in", "game", "none.xlsx"], "cannot be read"),
        (&["sheet", "out", "none", "--out", "t"], "E0006"),
    ];
    for (args, expected) in wrong {
        let said = place.run(args);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}: {}", said.err);
        assert!(said.err.contains(expected), "{args:?}: {}", said.err);
    }
    place.write("t/strange.csv", "a,b\n");
    let said = place.run(&["sheet", "in", "game", "t"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (0, "sheet `strange` is none of these rules, and was passed over\n0 changes in 0 files\n")
    );
}

/// Held here so that a change of the tree is noticed: a ruleset read from texts alone has no sheets.
#[test]
fn a_text_alone_has_no_sheet() {
    let text = rules(&with_reach("\"reach.csv\""));
    let (_, rules, faults) = sutler::project::check_text("a.sut", text.as_bytes());
    assert!(rules.is_none());
    assert!(faults.iter().any(|f| f.code.to_string() == "E0015"), "{faults:?}");
    let mistake = format!(
        "{PRELUDE}mistake \"a sheet\" expects E0015 {{\n  table rich of army gives points by first match {{\n    from \"x.csv\"\n  }}\n}}\n"
    );
    let place = Place::with(&mistake);
    assert_eq!(place.run(&["test", "game"]).code, 0);
}

/// Workbooks that LibreOffice wrote, with formulas, notes, and cells that the language has no word
/// for.
#[test]
fn workbooks_of_a_spreadsheet_program_are_read() {
    for (file, form) in [("libreoffice.xlsx", Form::Xlsx), ("libreoffice.ods", Form::Ods)] {
        let bytes = fs::read(Path::new("tests/sheets").join(file)).unwrap();
        let place = with_reach(&format!("\"{file}\""));
        place.write(&format!("game/{file}"), &bytes);
        let hash = |place: &Place| place.run(&["check", "game", "--format", "json"]).out;
        assert_eq!(hash(&place), hash(&game()), "{file}");
        let odd = sutler::sheet::page(&bytes, form, "odd").unwrap();
        let said: Vec<(u32, Result<String, &str>)> =
            odd.cells.iter().map(|c| (c.row, c.value.said())).collect();
        let text = |t: &str| Ok(t.to_owned());
        let expected = [
            (1, Err("is a date")),
            (2, Err("is a truth of the spreadsheet program")),
            (3, Err("is an error of the spreadsheet program")),
            (4, Err("is a number with too many digits")),
            (5, text("1/4")),
            (6, text("a  b & <c>")),
            (7, text("xy")),
            (8, Err("is text of several lines")),
            (9, text("-3")),
        ];
        assert_eq!(said, expected, "{file}");
    }
}
