//! The page of rules for players: a small one in full, and all shipped rulesets for what every page
//! must hold.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Dice;
use sutler::aid::{Block, Word, band_chances, doc, html, markdown};
use sutler::compare::Side;
use sutler::ir::{SetupId, TestId};
use sutler::kernel::{Fraction, Position};
use sutler::project::{Loaded, Project, check_text};
use sutler::syntax::ast::{Expr, ItemKind, TableBody, TraceLineKind};
use sutler::world::{ThingRef, start};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn side<'a>(project: &'a Project, loaded: &'a Loaded) -> Side<'a> {
    Side {
        resolved: loaded.resolved(),
        sources: &project.sources,
        rules: loaded.rules.as_ref().unwrap(),
    }
}

fn run(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
        .env("COLUMNS", "10000")
        .args(args)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn a_small_rulebook_reads_so() {
    let page = run(&["doc", "tests/doc"]);
    let golden = std::fs::read_to_string(root().join("tests/doc/page.md")).unwrap();
    assert_eq!(page, golden, "the page is another than tests/doc/page.md");
}

/// The anchors and the links of a page whose tags are balanced.
struct Tags {
    ids: Vec<String>,
    links: Vec<String>,
}

/// Reads HTML as strictly as XML: every tag that opens is closed in turn, every text is escaped.
fn tags(page: &str) -> Tags {
    let (mut ids, mut links, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("the declaration");
    while let Some(at) = rest.find('<') {
        text(&rest[..at]);
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name.to_owned()), "`{name}` is closed");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "`{name}` is no tag");
        assert_ne!(name, "script");
        let mut parts = attributes.split('"');
        while let (Some(key), Some(value)) = (parts.next().filter(|k| !k.is_empty()), parts.next())
        {
            match key.trim() {
                "id=" => ids.push(value.to_owned()),
                "href=" => {
                    links.push(value.strip_prefix('#').expect("links stay on the page").to_owned())
                }
                _ => text(value),
            }
        }
        match name {
            "meta" => {}
            // The style is no text of the page.
            "style" => rest = rest.split_once("</style>").expect("the style ends").1,
            _ => open.push(name.to_owned()),
        }
    }
    text(rest);
    assert!(open.is_empty(), "{open:?} stay open");
    Tags { ids, links }
}

fn text(text: &str) {
    assert!(!text.contains('>'), "`{text}` holds a bare sign");
    for entity in text.split('&').skip(1) {
        let name = entity.split_once(';').map_or("", |(name, _)| name);
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "`&{name}` is no sign of ours");
    }
}

/// The text of a piece of HTML, blanks folded.
fn plain(page: &str) -> String {
    let mut out = String::new();
    for (at, piece) in page.split('<').enumerate() {
        let text = if at == 0 { piece } else { piece.split_once('>').map_or("", |(_, text)| text) };
        out.push_str(text);
        out.push_str(if at > 0 && piece.starts_with("/td") { " | " } else { "" });
    }
    let out = out
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A value as the author wrote it, as a reader sees it.
fn words(project: &Project, expr: &Expr) -> String {
    let text = sutler::check::written::folded(&project.sources, expr.span).replace('_', " ");
    // Brackets round the whole are left out: the first closes with the last.
    let closes = text.char_indices().scan(0, |depth, (at, c)| {
        *depth += i32::from(c == '(') - i32::from(c == ')');
        Some((at, *depth))
    });
    let first = closes.into_iter().find(|(_, depth)| *depth == 0).map(|(at, _)| at);
    match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) if first == Some(text.len() - 1) => inner.trim().to_owned(),
        _ => text,
    }
}

#[test]
fn every_shipped_ruleset_is_a_whole_page() {
    let project = Project::open(&root().join("rulesets"));
    let (mut clauses, mut rows) = (0, 0);
    for loaded in &project.rulesets {
        let page = doc(side(&project, loaded), None);
        let page = html(&page);
        let tags = tags(&page);
        let ids: BTreeSet<&String> = tags.ids.iter().collect();
        assert_eq!(ids.len(), tags.ids.len(), "{}: an anchor stands twice", loaded.name);
        for link in &tags.links {
            assert!(ids.contains(link), "{}: `{link}` leads nowhere", loaded.name);
        }
        for clause in &loaded.rules.as_ref().unwrap().clauses {
            assert!(
                page.contains(&format!("<dt id=\"clause-{0}\">{0}</dt>", clause.id)),
                "{} is missing",
                clause.id
            );
            assert!(
                plain(&page)
                    .contains(&clause.text.split_whitespace().collect::<Vec<_>>().join(" ")),
                "the text of {}",
                clause.id
            );
            clauses += 1;
        }
        for item in &loaded.resolved().items {
            let ItemKind::Table(table) = &item.item.kind else { continue };
            rows += rows_stand(&project, &page, table);
        }
    }
    assert!(
        clauses > 100 && rows > 100,
        "{clauses} clauses and {rows} rows are too few to judge by"
    );
}

/// Holds the rows of a printed table against those that were written; how many there are.
fn rows_stand(project: &Project, page: &str, table: &sutler::syntax::ast::Table) -> usize {
    let name = &table.name.text;
    let (_, from) = page
        .split_once(&format!("<h3 id=\"table-{name}\">"))
        .unwrap_or_else(|| panic!("no table {name}"));
    let (_, body) = from.split_once("<tbody>").unwrap();
    let printed: Vec<String> = body
        .split_once("</tbody>")
        .unwrap()
        .0
        .split("</tr>")
        .map(plain)
        .filter(|r| !r.is_empty())
        .collect();
    let written: Vec<Vec<String>> = match &table.body {
        TableBody::List { rows, otherwise, .. } => {
            let row = |r: &sutler::syntax::ast::ListRow| {
                let name = r.name.iter().map(|n| n.text.replace('_', " "));
                let asked =
                    [&r.per, &r.beyond, &r.when].into_iter().flatten().map(|e| words(project, e));
                name.chain(asked).chain(r.values.iter().map(|v| words(project, v))).collect()
            };
            let last = otherwise.iter().map(|o| {
                std::iter::once("otherwise".to_owned())
                    .chain(o.values.iter().map(|v| words(project, v)))
                    .collect()
            });
            rows.iter().map(row).chain(last).collect()
        }
        TableBody::Grid(grid) => {
            let key = |k: &sutler::syntax::ast::KeyCell| {
                sutler::check::written::folded(&project.sources, k.span).replace('_', " ")
            };
            let row = |r: &sutler::syntax::ast::GridRow| {
                r.keys.iter().map(key).chain(r.values.iter().map(|v| words(project, v))).collect()
            };
            grid.rows.iter().map(row).collect()
        }
    };
    assert_eq!(printed.len(), written.len(), "the rows of {name}");
    for (printed, cells) in printed.iter().zip(&written) {
        let mut rest = printed.as_str();
        for cell in cells {
            let at = rest
                .find(cell.as_str())
                .unwrap_or_else(|| panic!("{name}: `{cell}` is not in `{printed}`"));
            rest = &rest[at + cell.len()..];
        }
    }
    printed.len()
}

#[test]
fn the_tables_of_markdown_are_as_wide_as_their_heads() {
    let project = Project::open(&root().join("rulesets"));
    let mut tables = 0;
    for loaded in &project.rulesets {
        let page = markdown(&doc(side(&project, loaded), None));
        let mut wide: Option<usize> = None;
        for line in page.lines() {
            if !line.starts_with('|') {
                wide = None;
                continue;
            }
            // A stroke that stands for itself has another before it.
            let cells = line.replace("\\|", "").matches('|').count() - 1;
            assert_eq!(*wide.get_or_insert(cells), cells, "{}: {line}", loaded.name);
            tables += usize::from(line.starts_with("| --- |"));
        }
    }
    assert!(tables > 20, "{tables} tables are too few to judge by");
}

#[test]
fn a_variant_says_first_what_it_changes() {
    let page = run(&["doc", "rulesets/malaya/jungle_tracks.sut", "--format", "html"]);
    tags(&page);
    let text = plain(&page);
    assert!(
        text.contains("What this variant changes It is played as malaya, but for this:"),
        "{text}"
    );
    assert!(text.contains("table entry cost | cell (jungle, armour) | 4 | 3 |"), "{text}");
    assert!(
        page.contains("<th scope=\"col\">terrain here</th><th scope=\"col\">infantry</th>"),
        "the chart is there in full"
    );
    assert!(
        !run(&["doc", "rulesets/malaya", "--format", "html"]).contains("What this variant changes")
    );
}

#[test]
fn one_rule_is_asked_for_by_its_name() {
    let page = run(&["doc", "rulesets/malaya", "--only", "entry_cost"]);
    assert!(
        page.contains("### Terrain costs (table)") && !page.contains("Line of supply"),
        "{page}"
    );
    let page = run(&["doc", "rulesets/soldier_kings", "--only", "22.1", "--format", "html"]);
    tags(&page);
    assert!(page.contains("clause-SK-22.1a") && !page.contains("clause-SK-22.2a"), "{page}");
}

#[test]
fn a_wrong_name_is_told_with_the_nearest() {
    let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
        .env("COLUMNS", "10000")
        .args(["doc", "rulesets/malaya", "--only", "entry_cots"])
        .current_dir(root())
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(out.stdout.is_empty());
    assert!(String::from_utf8_lossy(&out.stderr).contains("write `entry_cost`"));
}

#[test]
fn a_file_is_written_as_its_name_says() {
    let folder = tempfile::tempdir().unwrap();
    for (file, begins) in [("aid.html", "<!DOCTYPE html>"), ("aid.md", "# 1942")] {
        let path = folder.path().join(file);
        assert_eq!(run(&["doc", "rulesets/malaya", "--out", &path.display().to_string()]), "");
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(begins), "{file}");
    }
}

#[test]
fn what_authors_write_is_text_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "edition 1\nruleset wild \"</title><script>alert(1)</script>\" prefix WI\nsection 1 \"a | b <b> & 'c'\"\n\
                 clause a \"<img src=x onerror=y> [link](http://x) `code` | end\"\nkind hex, hexes is space\n";
    std::fs::write(folder.path().join("rules.sut"), rules).unwrap();
    let path = folder.path().display().to_string();
    let page = run(&["doc", &path, "--format", "html"]);
    tags(&page);
    assert!(
        !page.contains("<script") && !page.contains("<img") && page.contains("&lt;img src=x"),
        "{page}"
    );
    let page = run(&["doc", &path]);
    assert!(
        page.contains("\\<img src=x onerror=y\\> \\[link\\](http://x) \\`code\\` \\| end"),
        "{page}"
    );
}

/// The chance of each outcome, where several rows may come to one.
fn by_outcome(rows: impl Iterator<Item = (u16, Fraction)>, outcomes: usize) -> Vec<Fraction> {
    let mut sums = vec![Fraction::from_integer(0.into()); outcomes];
    rows.for_each(|(outcome, chance)| sums[usize::from(outcome)] += chance);
    sums
}

#[test]
fn chances_are_those_of_the_kernel() {
    let mut dice = Dice::new(11);
    let mut held = 0;
    for round in 0..60 {
        let throw = *dice.pick(&[
            "1d6",
            "2d6",
            "3d6",
            "1d100",
            "1d6 + 1d10",
            "2d6 - 2",
            "1d10 + 3",
            "1d6 + luck",
        ]);
        let (low, high) = (dice.below(6) + 1, dice.below(8) + 7);
        let first = *dice.pick(&[
            "total at most",
            "natural at most",
            "not total more than",
            "total less than",
        ]);
        let second = *dice.pick(&["total at least", "natural more than"]);
        let retry = if dice.percent(20) { "\n  retry at most 1 when fate is good" } else { "" };
        let text = format!(
            "edition 1\nruleset r \"R\" prefix RR\nsides Red\ndimension points (point)\nkind hex, hexes is space\n\
             kind man, men is unit {{\n  has luck in points from 0 to 3\n}}\ntest fate of man {{\n  roll {throw}\n  \
             when {first} {low} then bad\n  when {second} {high} then good\n  otherwise middling{retry}\n}}\n\
             map m {{\n  space hex H\n}}\nsetup s on m {{\n  put man A of Red in H with luck 2\n}}\n"
        );
        let (_, rules, faults) = check_text("r", text.as_bytes());
        // Bands that no throw reaches are a fault of the ruleset.
        let Some(rules) = rules else { continue };
        let free = retry.is_empty() && !throw.contains("luck");
        let Some(chances) = band_chances(&rules, &rules.tests[0]) else {
            assert!(!free, "round {round}: {text}{faults:?}");
            continue;
        };
        assert!(free, "round {round}: these depend on more than the dice\n{text}");
        let world = start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        let odds = position.odds(TestId(0), ThingRef::Unit(0)).unwrap();
        let outcomes = rules.word_sets[rules.tests[0].outcomes.index()].words.len();
        let ours = by_outcome(rules.tests[0].rows.iter().map(|r| r.1).zip(chances), outcomes);
        let theirs = by_outcome(
            odds.into_iter().filter_map(|(outcome, chance)| Some((outcome?, chance))),
            outcomes,
        );
        assert_eq!(ours, theirs, "round {round}: {text}");
        held += 1;
    }
    assert!(held > 15, "{held} tests are too few to judge by");
}

#[test]
fn a_page_is_the_same_every_time() {
    let path = Path::new("rulesets/blockade_siege").display().to_string();
    assert_eq!(run(&["doc", &path]), run(&["doc", &path]));
}

/// A page of the rules for all readers, from a text of rules.
fn page_of(rules: &str) -> sutler::aid::Page {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rules.sut"), rules).unwrap();
    let project = Project::open(folder.path());
    let faults: Vec<_> = project.rulesets[0].faults.iter().map(|f| &f.message).collect();
    assert!(project.rulesets[0].rules.is_some(), "{faults:?}");
    doc(side(&project, &project.rulesets[0]), None)
}

fn all_words(page: &sutler::aid::Page) -> Vec<&Word> {
    let blocks = page.chapters.iter().flat_map(|c| &c.groups).flat_map(|g| &g.blocks);
    blocks
        .flat_map(|block| match block {
            Block::Clause { rules, .. } => vec![rules],
            Block::Head { cites, .. } => vec![cites],
            Block::Entry { body, .. } => vec![body],
            Block::Text(words) => vec![words],
            Block::List(rows) => rows.iter().collect(),
            Block::Table(table) => table.rows.iter().flatten().collect(),
        })
        .flatten()
        .collect()
}

/// The names under which an item of a ruleset is met on its page.
fn met_as(kind: &ItemKind) -> Vec<&str> {
    let mut names: Vec<&str> =
        sutler::check::handle(kind).map(|(_, n)| n.text.as_str()).into_iter().collect();
    match kind {
        ItemKind::Count(count) => names.push(&count.name.text),
        ItemKind::Given(given) => names.push(&given.name.text),
        ItemKind::Kind(kind) => names.push(&kind.name.text),
        ItemKind::Table(table) => names.extend(table.results.iter().map(|r| r.name.text.as_str())),
        ItemKind::Trace(trace) => {
            for line in &trace.lines {
                match &line.kind {
                    TraceLineKind::Called { yes, no } => {
                        names.extend([yes.text.as_str(), no.text.as_str()])
                    }
                    TraceLineKind::Counts { name, .. } => names.push(&name.text),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    names
}

#[test]
fn every_link_leads_to_what_it_names() {
    let project = Project::open(&root().join("rulesets"));
    let mut links = 0;
    for loaded in &project.rulesets {
        let page = doc(side(&project, loaded), None);
        for word in all_words(&page) {
            let Word::Link { to, text } = word else { continue };
            if to.starts_with("clause-") {
                assert!(to.ends_with(text.as_str()), "{}: {text} leads to {to}", loaded.name);
                continue;
            }
            if text == "its steps" {
                assert!(to.starts_with("phase-"), "{to}");
                continue;
            }
            let named = loaded.resolved().items.iter().any(|item| {
                let names = met_as(&item.item.kind);
                let first = names.first().copied().unwrap_or_default();
                let own = to
                    .split_once('-')
                    .is_some_and(|(_, n)| n == first || n.starts_with(&format!("{first}.")));
                own && names.iter().any(|n| n.replace('_', " ") == *text)
            });
            assert!(named, "{}: `{text}` leads to {to}", loaded.name);
            links += 1;
        }
    }
    assert!(links > 500, "{links} links are too few to judge by");
}

#[test]
fn a_name_of_two_things_leads_to_the_one_that_is_meant() {
    let rules = format!(
        "{}define strong of army = strength at least 5\n\
         define strong of area = any army here where strong\n\
         define sea of army = strength is 0\n\
         define held of area = strong and terrain is not sea\n\
         define charge of army = strong or sea\n",
        sutler::diag::code::PRELUDE
    );
    let page = page_of(&rules);
    let entries: Vec<(&str, &str, &str, Vec<&Word>)> = page
        .chapters
        .iter()
        .flat_map(|c| &c.groups)
        .flat_map(|g| &g.blocks)
        .filter_map(|b| match b {
            Block::Entry { anchor, term, note, body } => {
                Some((anchor.as_str(), term.as_str(), note.as_str(), body.iter().collect()))
            }
            _ => None,
        })
        .collect();
    let links = |of: &str| -> Vec<(&str, &str)> {
        let (_, _, _, body) = entries.iter().find(|e| e.1 == of).expect("an entry");
        body.iter()
            .filter_map(|w| match w {
                Word::Link { to, text } => {
                    let (_, _, note, _) = entries.iter().find(|e| e.0 == to).expect("a target");
                    Some((text.as_str(), *note))
                }
                _ => None,
            })
            .collect()
    };
    // `sea` is a word of terrain there, and no define.
    assert_eq!(links("held"), [("strong", "of an area")]);
    assert_eq!(links("charge"), [("strong", "of an army"), ("sea", "of an army")]);
}

#[test]
fn clauses_lead_in_the_order_in_which_they_are_printed() {
    let rules = "edition 1\nruleset order \"Order\" prefix OR\nsides Red against Blue\n\
        kind area, areas is space\nkind army, armies is unit\n\
        section 10 \"Late\"\nclause b \"Late second.\"\nclause a \"Late first.\"\n\
        section 9 \"Early\"\nclause a10 \"Tenth.\"\nclause a2 \"Second.\"\n\
        define late of army = any enemy army here   [10a]\n\
        define beside_it of army = late\n\
        define early of army = no enemy army here   [9a2]\n";
    let page = page_of(rules);
    let chapters: Vec<(&str, Vec<&str>)> = page
        .chapters
        .iter()
        .filter(|c| !c.number.is_empty())
        .map(|c| (c.number.as_str(), c.groups.iter().map(|g| g.name.as_str()).collect()))
        .collect();
    assert_eq!(
        chapters,
        [
            ("9", vec!["OR-9a2", "OR-9a10", "early"]),
            ("10", vec!["OR-10a", "OR-10b", "late", "beside_it"])
        ]
    );
}

#[test]
fn samples_are_marked_as_samples() {
    let rules = format!(
        "{}# sample: ours,\n# until the printed one is at hand\ntable toll of army gives points by first match {{\n  \
         row weak when strength is 0 then 1   # sample\n  otherwise 2\n}}\n\
         define quick of army = strength is 1   # sample: a guess\n",
        sutler::diag::code::PRELUDE
    );
    let text = markdown(&page_of(&rules));
    assert!(text.contains("sample**: ours, until the printed one is at hand; "), "{text}");
    assert!(text.contains("sample** row weak"), "{text}");
    assert!(text.contains("sample**: a guess"), "{text}");
    assert_eq!(text.matches("sample**").count(), 3, "{text}");
    // Of the shipped rulesets every reason that a comment gives is on the page.
    for (name, least) in [("blockade_siege", 9), ("malaya", 4)] {
        let page = run(&["doc", &format!("rulesets/{name}"), "--format", "html"]);
        let read = plain(&page);
        let file = root().join("rulesets").join(name).join("rules.sut");
        let source = std::fs::read_to_string(file).unwrap();
        assert!(!source.contains("# A SAMPLE"), "{name}: no word that marks");
        let reasons: Vec<&str> = source
            .lines()
            .filter_map(|line| line.split_once("# sample: ").map(|(_, reason)| reason))
            .map(|reason| reason.trim_end_matches('.'))
            .collect();
        assert!(reasons.len() >= least, "{reasons:?}");
        for reason in reasons {
            assert!(read.contains(reason), "{name}: `{reason}` is dropped");
        }
    }
}

#[test]
fn what_is_hidden_is_kept_from_players() {
    let folder = tempfile::tempdir().unwrap();
    let rules = format!(
        "{}# hidden: the umpire alone knows\ndefine ambushed of army = strength is 1   [1a]\n\
         define wary of army = not ambushed\n\
         hook weather_card of army gives points {{\n  reads   strength\n  kept between 0 and 3\n  otherwise 0\n}}\n",
        sutler::diag::code::PRELUDE
    );
    std::fs::write(folder.path().join("rules.sut"), rules).unwrap();
    let path = folder.path().display().to_string();
    let all = run(&["doc", &path]);
    assert!(all.contains("define-ambushed") && all.contains("hook-weather"), "{all}");
    for format in ["markdown", "html"] {
        let kept = run(&["doc", &path, "--players", "--format", format]);
        assert!(!kept.contains("id=\"define-ambushed") && !kept.contains("weather"), "{kept}");
        assert!(!kept.contains("#define-ambushed") && kept.contains("wary"), "{kept}");
    }
}

#[test]
fn a_page_reads_in_the_dark_on_a_phone_and_on_paper() {
    let page = run(&["doc", "rulesets/sgs", "--format", "html"]);
    for part in [
        "@media screen and (prefers-color-scheme: dark)",
        "@media (max-width: 34rem)",
        "@media print",
        "width=device-width",
        ".wide { overflow-x: auto; }",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let wide = page.matches("<div class=\"wide\" tabindex=\"0\">\n<table>").count();
    assert_eq!(wide, page.matches("<table>").count());
    assert!(wide > 5);
    // Every colour of the light page has one for the dark.
    let (light, dark) = page.split_once("@media screen and (prefers-color-scheme: dark)").unwrap();
    let dark = dark.split_once("@media print").unwrap().0;
    for line in light.lines().filter(|l| l.contains("color: #") || l.contains("background: #")) {
        let selector = line.split('{').next().unwrap().trim().rsplit(", ").next().unwrap();
        let last = selector.split(' ').next_back().unwrap();
        assert!(dark.contains(last), "`{line}` has no colour in the dark");
    }
}
