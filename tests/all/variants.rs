//! Variants made visible: what resolve prints is the variant, the hash is of what the rules say,
//! and diff and impact tell what a slow look at both sides tells.

use crate::common::counts::{seed_base, share};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sutler::check::{Resolved, fold};
use sutler::compare::{Side, diff, resolve};
use sutler::diag::{Diagnostic, has_errors};
use sutler::ir::Ruleset;
use sutler::project::{Project, check_text, compile};
use sutler::source::{SourceMap, screen};
use sutler::syntax::parse;

use crate::place::{Place, command, said};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every shipped ruleset and variant, by its path.
fn shipped() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root().join("rulesets")).unwrap().map(|e| e.unwrap().path()) {
        let files = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path());
        let head = |p: &PathBuf| {
            p.is_file()
                && std::fs::read_to_string(p)
                    .is_ok_and(|t| t.lines().any(|l| l.starts_with("ruleset ")))
        };
        found.extend(files.filter(|p| p.file_name().unwrap() != "rules.sut" && head(p)));
        found.push(folder);
    }
    found.sort();
    found
}

#[test]
fn what_resolve_prints_is_the_ruleset_itself() {
    let all = shipped();
    assert!(all.len() >= 10, "{all:?}");
    for path in all {
        let mut project = Project::open(&path);
        let resolved = project.rulesets[0].take_resolved();
        let rules = project.rulesets[0].rules.take().unwrap();
        for plain in [true, false] {
            let place = Place(tempfile::tempdir().unwrap());
            place.write("game/rules.sut", resolve(&resolved, &project.sources, plain));
            let folder = if path.is_file() { path.parent().unwrap() } else { &path };
            for script in std::fs::read_dir(folder.join("hooks"))
                .into_iter()
                .flatten()
                .map(|e| e.unwrap().path())
            {
                place.write(
                    &format!("game/hooks/{}", script.file_name().unwrap().to_str().unwrap()),
                    std::fs::read(&script).unwrap(),
                );
            }
            let printed = Project::open(&place.path("game"));
            assert!(
                printed.rulesets[0].faults.is_empty(),
                "{}: {:?}",
                path.display(),
                printed.rulesets[0].faults
            );
            let again = printed.rulesets[0].rules.as_ref().unwrap();
            assert_eq!(again.hash, rules.hash, "{}", path.display());
            assert_eq!(again.cases.len(), rules.cases.len(), "{}", path.display());
        }
    }
}

// ---- random variants, against a model that writes the whole ruleset itself

/// A little game in which everything that a variant may change is a value of the model.
#[derive(Clone)]
struct Game {
    /// The rows of a list: name and amount.
    rows: Vec<(String, u64)>,
    otherwise: u64,
    /// The rows of a grid: key and two amounts.
    grid: Vec<(u64, [u64; 2])>,
    /// The sources of a trace: name and least strength of the space.
    sources: Vec<(String, u64)>,
    always: Vec<u64>,
    through: u64,
    define: Option<u64>,
}

impl Game {
    fn new() -> Game {
        Game {
            rows: (0..4).map(|n| (format!("r{n}"), n + 1)).collect(),
            otherwise: 9,
            grid: (0..3).map(|n| (n, [n, n + 3])).collect(),
            sources: (0..3).map(|n| (format!("s{n}"), n)).collect(),
            always: vec![9],
            through: 1,
            define: Some(2),
        }
    }

    fn text(&self, head: &str) -> String {
        let rows: String = self
            .rows
            .iter()
            .map(|(name, n)| format!("  row {name} when strength is {n} then {n} [1a]\n"))
            .collect();
        let grid: String =
            self.grid.iter().map(|(key, [a, b])| format!("  row {key} | {a} | {b}\n")).collect();
        let always: String =
            self.always.iter().map(|n| format!("  always strength is {n}\n")).collect();
        let sources: String = self
            .sources
            .iter()
            .map(|(name, n)| format!("  source {name} where (feeds is {n} and friendly) [1a]\n"))
            .collect();
        let define = self.define.map_or_else(String::new, |n| {
            format!("define loose of army = strength at least {n}\n")
        });
        format!(
            "edition 1\n{head}\nsides Red against Blue\ndimension areas (area), points (point)\n\
             kind area, areas is space {{\n  has feeds in points from 0 to 9\n  has dry yes or no\n}}\nkind road, roads is link\n\
             kind army, armies is unit {{\n  has strength in points from 0 to 9\n}}\n\
             section 1 \"Rules\"\nclause 1a of BA \"A line is so long.\"\n\
             table reach of army gives areas by first match {{\n{rows}  otherwise {}\n}}\n\
             table cost of army gives points by first match {{\n  down strength\n  across dry here | yes | no\n{grid}  row else | 1 | 2\n}}\n\
             trace supply of army {{\n  called fed else hungry\n{always}{sources}  leg march\n    over roads\n    from anywhere\n    \
             through feeds at least {}\n    into anywhere\n    within reach\n}}\n{define}map m {{\n  space area A\n}}\n",
            self.otherwise, self.through
        )
    }

    /// One change, made in the model and said in the language; none where the dice find nothing to
    /// change.
    fn change(
        &mut self,
        dice: &mut Dice,
        level: usize,
        touched: &mut BTreeSet<String>,
    ) -> Option<String> {
        let what = dice.below(9);
        let value = 10 + dice.below(90);
        let mut fresh = |key: String| touched.insert(key);
        Some(match what {
            0 if !self.rows.is_empty() => {
                let at = dice.pick(self.rows.len());
                let (name, _) = self.rows[at].clone();
                fresh(format!("row {name}")).then_some(())?;
                self.rows.remove(at);
                format!("remove row {name} of reach")
            }
            1 => {
                let name = format!("n{level}x{value}");
                (!self.rows.iter().any(|(n, _)| *n == name)).then_some(())?;
                fresh(format!("row {name}"));
                let before = dice.below(2) == 0;
                let at = dice.pick(self.rows.len() + 1);
                let place = if at == self.rows.len() {
                    String::new()
                } else {
                    format!(" {} {}", if before { "before" } else { "after" }, self.rows[at].0)
                };
                let at = if before || at == self.rows.len() { at } else { at + 1 };
                self.rows.insert(at, (name.clone(), value));
                format!(
                    "add row to reach{place} as\n  row {name} when strength is {value} then {value} [BA-1a]"
                )
            }
            2 => {
                fresh("otherwise".to_owned()).then_some(())?;
                let was = std::mem::replace(&mut self.otherwise, value);
                format!("override otherwise of reach was {was} now {value}")
            }
            3 => {
                let (at, column) = (dice.pick(self.grid.len()), dice.pick(2));
                let (key, cells) = &mut self.grid[at];
                fresh(format!("cell {key} {column}")).then_some(())?;
                let was = std::mem::replace(&mut cells[column], value);
                format!(
                    "override cell ({key}, {}) of cost was {was} now {value}",
                    ["yes", "no"][column]
                )
            }
            4 => {
                let at = dice.pick(self.sources.len());
                let (name, feeds) = &mut self.sources[at];
                fresh(format!("source {name}")).then_some(())?;
                let was = std::mem::replace(feeds, value % 10);
                format!(
                    "override source {name} of supply was (feeds is {was} and friendly)\n  now (feeds is {feeds} and friendly)"
                )
            }
            5 if self.sources.len() > 1 => {
                let at = dice.pick(self.sources.len());
                fresh(format!("source {}", self.sources[at].0)).then_some(())?;
                format!("remove source {} of supply", self.sources.remove(at).0)
            }
            6 => {
                fresh("through".to_owned()).then_some(())?;
                let was = std::mem::replace(&mut self.through, value % 10);
                format!(
                    "override through of march of supply was feeds at least {was} now feeds at least {}",
                    self.through
                )
            }
            7 => {
                let n = value % 10;
                (!self.always.contains(&n)).then_some(())?;
                self.sources.push((format!("z{level}x{value}"), n));
                let name = &self.sources[self.sources.len() - 1].0;
                fresh(format!("source {name}")).then_some(())?;
                format!(
                    "add to supply as\n  source {name} where (feeds is {n} and friendly) [BA-1a]   # a new one"
                )
            }
            _ => {
                self.define?;
                fresh("define".to_owned()).then_some(())?;
                self.define = (dice.below(2) == 0).then_some(value);
                match self.define {
                    Some(n) => format!("override define loose of army =\n  strength at least {n}"),
                    None => "remove define loose".to_owned(),
                }
            }
        })
    }
}

/// A small generator of our own: the same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn pick(&mut self, end: usize) -> usize {
        usize::try_from(self.below(u64::try_from(end).unwrap())).unwrap()
    }
}

fn read(sources: &mut SourceMap, name: &str, text: &str) -> sutler::syntax::ast::File {
    let id = sources.next_id();
    let (text, faults) = screen(text.as_bytes(), id);
    assert!(faults.is_empty(), "{faults:?}");
    sources.add(name, text);
    let (file, faults) = parse(id, sources.text(id));
    assert!(faults.is_empty(), "{faults:?}\n{}", sources.text(id));
    file
}

fn sound((rules, faults): (Option<Ruleset>, Vec<Diagnostic>), text: &str) -> Ruleset {
    assert!(!has_errors(&faults), "{faults:#?}\n{text}");
    rules.unwrap()
}

#[test]
fn random_variants_of_variants_are_what_a_model_writes_out() {
    let mut dice = Dice(7 + seed_base());
    let mut changed = 0;
    for _ in 0..share(150) {
        let mut sources = SourceMap::new();
        let mut game = Game::new();
        // The parent says its clause in short, for it is its own.
        let parent =
            game.text("ruleset base \"Base\" prefix BA").replace("clause 1a of BA", "clause a");
        let file = read(&mut sources, "rules.sut", &parent);
        let (mut resolved, faults): (Resolved, _) = fold(None, &[file], &sources);
        assert!(faults.is_empty(), "{faults:?}");
        let first = (resolved.clone(), game.clone());
        let base = sound(compile(&resolved, &sources), &parent);
        for level in 1..=1 + dice.pick(3) {
            let mut text =
                format!("edition 1\nruleset v{level} \"V\" prefix V{level} extends base\n");
            let mut touched = BTreeSet::new();
            for _ in 0..1 + dice.below(8) {
                if let Some(line) = game.change(&mut dice, level, &mut touched) {
                    changed += 1;
                    text.push_str(&format!("{line}   # so \"it\" is [here]\n"));
                }
            }
            let file = read(&mut sources, &format!("v{level}.sut"), &text);
            let (next, faults) = fold(Some(&resolved), &[file], &sources);
            assert!(faults.is_empty(), "{faults:#?}\n{text}");
            resolved = next;
            let rules = sound(compile(&resolved, &sources), &text);
            let model = game
                .text(&format!("ruleset v{level} \"V\" prefix V{level}"))
                .replace("[1a]", "[BA-1a]");
            let (_, whole, faults) = check_text("model.sut", model.as_bytes());
            let whole = sound((whole, faults), &model);
            for plain in [true, false] {
                let printed = resolve(&resolved, &sources, plain);
                let (_, again, faults) = check_text("printed.sut", printed.as_bytes());
                let again = sound((again, faults), &printed);
                assert_eq!(again.hash, whole.hash, "{text}\n{printed}\n{model}");
            }
            assert_eq!(rules.hash, whole.hash, "{text}\n{model}");
            // The hash is the rules: where it is the same, so is all that was compiled, but for
            // names of its own.
            assert_eq!(sutler::ir::print(&rules), sutler::ir::print(&whole), "{text}");
            let told = diff(
                Side { resolved: &first.0, sources: &sources, rules: &base },
                Side { resolved: &resolved, sources: &sources, rules: &rules },
            );
            assert_eq!(parts_of(&told, "table", "reach"), reach_changes(&first.1, &game), "{text}");
        }
    }
    assert!(changed > share(500), "{changed}");
}

fn parts_of(told: &sutler::compare::Difference, noun: &str, name: &str) -> BTreeSet<String> {
    let change = told.changes.iter().filter(|c| c.noun == noun && c.name == name);
    let parts = change.flat_map(|c| &c.parts).filter(|p| p.part != "clauses" && p.part != "order");
    let text = |t: &Option<String>| t.clone().unwrap_or_else(|| "-".to_owned());
    parts.map(|p| format!("{}: {} to {}", p.part, text(&p.was), text(&p.now))).collect()
}

/// The same by looking at both models.
fn reach_changes(a: &Game, b: &Game) -> BTreeSet<String> {
    let row = |(name, n): &(String, u64)| (name.clone(), format!("when strength is {n} | {n}"));
    let (was, now): (Vec<_>, Vec<_>) =
        (a.rows.iter().map(row).collect(), b.rows.iter().map(row).collect());
    let gone = was
        .iter()
        .filter(|(n, _)| !now.iter().any(|(m, _)| m == n))
        .map(|(n, t)| format!("row {n}: {t} to -"));
    let new = now
        .iter()
        .filter(|(n, _)| !was.iter().any(|(m, _)| m == n))
        .map(|(n, t)| format!("row {n}: - to {t}"));
    let last = (a.otherwise != b.otherwise)
        .then(|| format!("otherwise: {} to {}", a.otherwise, b.otherwise));
    gone.chain(new).chain(last).collect()
}

// ---- the hash

const GAME: &str = r#"edition 1
ruleset tiny "Tiny" prefix TY
sides Red against Blue
dimension areas (area), points (point)
kind area, areas is space {
  has town yes or no
}
kind road, roads is link
kind army, armies is unit {
  has strength in points from 0 to 9
}
section 1 "Supply"
clause a "A line is two areas long."
clause b "A town is a source."
define base of area = town and friendly [1b]
table reach of army gives areas by first match [1a] {
  row strong when strength at least 3 then 3
  otherwise 2
}
trace supply of army {
  called  fed else hungry
  source  base where base [1b]
  leg march
    over    roads
    from    anywhere
    through anywhere
    into    anywhere
    within  reach
}
map land {
  space area A with town
  space area B
  link road A to B
}
setup begin on land {
  given control is Red in A
  put army One of Red in B with strength 2
}
case "near" [1a] {
  setup begin
  expect One is fed
}
"#;

fn hash(text: &str) -> String {
    let (_, rules, faults) = check_text("tiny.sut", text.as_bytes());
    sound((rules, faults), text).hash
}

/// The game with a text changed, which must be there.
fn with(old: &str, new: &str) -> String {
    assert!(GAME.contains(old), "{old}");
    GAME.replacen(old, new, 1)
}

#[test]
fn comments_layout_order_setups_and_cases_are_not_in_the_hash() {
    let same = hash(GAME);
    let changes = [
        ("# none\n", with("edition 1\n", "edition 1\n# A comment.\n")),
        ("behind", with("otherwise 2", "otherwise 2   # a comment \"with\" [signs]")),
        ("layout", with("= town and friendly", "=\n    town\n    and   friendly")),
        ("full clause", with("base where base [1b]", "base where base [TY-1b]")),
        ("title of a section", with("section 1 \"Supply\"", "section 1 \"Lines\"")),
        ("setup", with("strength 2", "strength 1")),
        ("case", with("case \"near\"", "case \"very near\"")),
    ];
    for (what, text) in changes {
        assert_eq!(hash(&text), same, "{what}");
    }
    // The items that mean nothing by their order, all the other way round.
    let at = |word: &str| GAME.find(word).unwrap();
    let (define, table, trace, map) =
        (at("define base"), at("table reach"), at("trace supply"), at("map land"));
    let turned = [
        &GAME[..define],
        &GAME[map..],
        &GAME[trace..map],
        &GAME[table..trace],
        &GAME[define..table],
    ]
    .concat();
    assert_eq!(hash(&turned), same);
}

#[test]
fn whatever_changes_an_answer_changes_the_hash() {
    let mut seen = BTreeSet::from([hash(GAME)]);
    let changes = [
        with("otherwise 2", "otherwise 1"),
        with("at least 3", "at least 4"),
        with("at least 3", "more than 3"),
        with("then 3", "then 4"),
        with("town and friendly", "town or friendly"),
        with("through anywhere", "through town"),
        with("into    anywhere", "into    town"),
        with("within  reach", "within  unlimited"),
        with("base where base", "depot where base"),
        with("two areas long", "three areas long"),
        with("link road A to B", "space area C\n  link road A to C to B"),
        with("space area B", "space area B with town"),
        with("from 0 to 9", "from 1 to 9"),
        with("Red against Blue", "Blue against Red"),
        with("[1a] {\n  row", "[1b] {\n  row"),
        with("ruleset tiny", "ruleset small"),
    ];
    for text in changes {
        assert!(seen.insert(hash(&text)), "{text}");
    }
}

#[test]
fn the_order_of_phases_is_in_the_hash_and_a_script_too() {
    let phase =
        |name: &str| format!("phase {name} in turn {{\n  do set strength to 1 for armies\n}}\n");
    let game = with("dimension areas", "clock turn has turn_part\ndimension areas")
        .replace("in turn", "in turn_part");
    let phase = |name: &str| phase(name).replace("in turn ", "in turn_part ");
    let (one, two) = (phase("one"), phase("two"));
    assert_ne!(hash(&format!("{game}{one}{two}")), hash(&format!("{game}{two}{one}")));
    let place = Place(tempfile::tempdir().unwrap());
    let hook = "hook extra of army gives points {\n  reads strength\n  kept between 0 and 9\n  script \"e.rhai\"\n  otherwise 0\n}\n";
    place.write("game/rules.sut", format!("{GAME}{hook}"));
    let of = |script: &str| {
        place.write("game/hooks/e.rhai", script);
        Project::open(&place.path("game")).rulesets[0].rules.as_ref().unwrap().hash.clone()
    };
    assert_ne!(of("strength + 1"), of("strength + 2"));
}

// ---- clashes

#[test]
fn a_whole_and_a_part_clash_in_either_order_and_a_later_variant_may_change_again() {
    let place = Place::with(GAME);
    let whole = "override table reach of army gives areas by first match [TY-1a] {\n  row strong when strength at least 3 then 4\n  otherwise 2\n}\n";
    let part = "override row strong of reach was 3 now 5\n";
    let codes = |text: &str, head: &str| {
        place.write("game/v.sut", format!("edition 1\n{head}\n{text}"));
        let project = Project::open(&place.path("game/v.sut"));
        project.rulesets[0].faults.iter().map(|f| f.code.to_string()).collect::<Vec<_>>()
    };
    let head = "ruleset v \"V\" prefix VV extends tiny";
    assert_eq!(codes(&format!("{whole}{part}"), head), ["E0605"]);
    assert_eq!(codes(&format!("{part}{whole}"), head), ["E0605"]);
    assert_eq!(codes("remove row strong of reach\nremove row strong of reach\n", head), ["E0604"]);
    assert_eq!(
        codes(
            "override source base of supply was base now town\nremove source base of supply\n",
            head
        ),
        ["E0604"]
    );
    // A variant of the variant changes the same row again; it must say what the variant says, not
    // what the parent says.
    place.write(
        "game/w.sut",
        format!(
            "edition 1\nruleset w \"W\" prefix WW extends v\n{}",
            "override row strong of reach was 5 now 6\n"
        ),
    );
    assert_eq!(codes(part, head), [] as [&str; 0]);
    let project = Project::open(&place.path("game/w.sut"));
    assert!(project.rulesets[0].rules.is_some(), "{:?}", project.rulesets[0].faults);
    let wrong = "override row strong of reach was 3 now 6\n";
    place.write("game/w.sut", format!("edition 1\nruleset w \"W\" prefix WW extends v\n{wrong}"));
    let project = Project::open(&place.path("game/w.sut"));
    assert_eq!(project.rulesets[0].faults[0].code.to_string(), "E0603");
}

// ---- diff and impact

fn json_of(args: &[&str]) -> (i32, Value) {
    let said = said(&command(root(), args).output().unwrap());
    (
        said.code,
        serde_json::from_str(&said.out)
            .unwrap_or_else(|e| panic!("{args:?}: {e}\n{}\n{}", said.out, said.err)),
    )
}

#[test]
fn nothing_differs_from_itself() {
    for path in shipped() {
        let path = path.to_str().unwrap();
        let (code, found) = json_of(&["diff", path, path, "--format", "json"]);
        assert_eq!((code, found["changes"].as_array().unwrap().len()), (0, 0), "{path}");
        let (code, found) = json_of(&["impact", path, path, "--format", "json"]);
        assert_eq!((code, found["flips"].as_array().unwrap().len()), (0, 0), "{path}");
    }
}

#[test]
fn a_mistake_is_called_by_its_whole_title() {
    let proof = |code: &str| {
        format!(
            "edition 1\nmistake \"no such word\" expects {code} {{\n  \
             define idle of army = nonsense\n}}\n"
        )
    };
    let place = Place::with(sutler::diag::code::PRELUDE);
    place.write("other/rules.sut", sutler::diag::code::PRELUDE);
    place.write("game/suite.sut", proof("E0201"));
    place.write("other/suite.sut", proof("E0202"));
    let said = place.run(&["diff", "game", "other"]);
    assert!(said.out.contains("no such word"), "{}{}", said.out, said.err);
}

/// The traces of impact, against what the command `trace` says of both sides, unit by unit.
#[test]
fn impact_flips_what_two_traces_say_otherwise() {
    let pairs: [(&str, &str, &[&str], &[&str]); 4] = [
        ("rulesets/soldier_kings", "rulesets/soldier_kings/house.sut", &[], &[]),
        ("rulesets/sgs", "rulesets/sgs/fair_weather.sut", &[], &[]),
        ("rulesets/malaya", "rulesets/malaya/jungle_tracks.sut", &[], &[]),
        ("rulesets/sgs", "rulesets/sgs", &[], &["--ruling", "walled_garrison=holds"]),
    ];
    let mut all = 0;
    for (a, b, _, readings) in pairs {
        let readings = readings_of(b, readings);
        let mut call = vec!["impact", a, b, "--format", "json"];
        let against: Vec<String> = readings.iter().map(|r| format!("--against={r}")).collect();
        call.extend(against.iter().map(String::as_str));
        let (_, found) = json_of(&call);
        for asked in found["positions"].as_array().unwrap() {
            let position = asked["position"].as_str().unwrap();
            let setup = position.strip_prefix("setup ").unwrap();
            let rows = |ruleset: &str, readings: &[String]| {
                let mut call = vec![
                    "trace".to_owned(),
                    ruleset.to_owned(),
                    format!("--setup={setup}"),
                    "--format=json".to_owned(),
                ];
                call.extend(readings.iter().map(|r| format!("--ruling={r}")));
                let (_, said) = json_of(&call.iter().map(String::as_str).collect::<Vec<_>>());
                said
            };
            let (was, now) = (rows(a, &[]), rows(b, &readings));
            let trace = format!("trace {}", was["trace"].as_str().unwrap());
            let state = |said: &Value, unit: &Value| {
                said["units"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|u| u["id"] == *unit)
                    .map(|u| u["state"].clone())
            };
            let expected: Vec<Value> = was["units"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|u| Some(u["state"].clone()) != state(&now, &u["id"]))
                .map(|u| u["id"].clone())
                .collect();
            let flips = found["flips"].as_array().unwrap().iter();
            let told: Vec<Value> = flips
                .filter(|f| f["position"] == position && f["question"] == *trace)
                .map(|f| f["of"].clone())
                .collect();
            assert_eq!(told, expected, "{a} {b} {setup}");
            all += told.len();
        }
        for flip in found["flips"].as_array().unwrap() {
            assert!(!flip["by"].as_array().unwrap().is_empty(), "{flip}");
        }
    }
    assert!(all >= 5, "{all} flips are too few to show anything");
}

/// The readings as named, or the first other reading of the first ruling, where the name is not of
/// this ruleset.
fn readings_of(ruleset: &str, wanted: &[&str]) -> Vec<String> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let project = Project::open(&root().join(ruleset));
    let rules = project.rulesets[0].rules.as_ref().unwrap();
    let other = |at: usize| {
        let ruling = &rules.rulings[at];
        let words = &rules.word_sets[ruling.readings.index()].words;
        let word =
            words.iter().enumerate().find(|(n, _)| *n != usize::from(ruling.default)).unwrap().1;
        format!("{}={word}", ruling.name)
    };
    (0..rules.rulings.len()).map(other).collect()
}

#[test]
fn recorded_positions_are_asked_like_setups_and_a_bad_line_is_told() {
    let place = Place::with(GAME);
    place.write("game/v.sut", "edition 1\nruleset v \"V\" prefix VV extends tiny\noverride otherwise of reach was 2 now 0\n");
    let line = |space: &str| {
        format!(
            "{{\"schema\": 1, \"map\": \"land\", \"units\": [{{\"id\": \"One\", \"kind\": \"army\", \"side\": \"Red\", \"space\": \"{space}\", \"facts\": {{\"strength\": 1}}}}], \"spaces\": {{\"A\": {{\"control\": \"Red\"}}}}}}\n"
        )
    };
    place.write("some.jsonl", format!("{}\n{}", line("A"), line("B")));
    let said = place.run(&[
        "impact",
        "game",
        "game/v.sut",
        "--positions",
        "some.jsonl",
        "--format",
        "json",
    ]);
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    let found: Value = serde_json::from_str(&said.out).unwrap();
    let flips: Vec<(&str, &str)> = found["flips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["position"].as_str().unwrap(), f["question"].as_str().unwrap()))
        .collect();
    // In A it stands in its source, and only its reach is another; in B it is a link away.
    assert_eq!(
        flips,
        [
            ("some.jsonl:1", "table reach"),
            ("some.jsonl:3", "trace supply"),
            ("some.jsonl:3", "table reach")
        ]
    );
    assert_eq!(found["flips"][1]["by"], serde_json::json!(["otherwise of reach"]));
    place.write("bad.jsonl", format!("{}nonsense\n", line("A")));
    let said = place.run(&["impact", "game", "game/v.sut", "--positions", "bad.jsonl"]);
    assert!(said.code == 1 && said.err.contains("bad.jsonl:2"), "{} {}", said.code, said.err);
}

// ---- the hash in every answer

#[test]
fn every_answer_for_programs_carries_its_schema_and_the_hash() {
    let place = Place::with(GAME);
    let test = "clock turn has part of each side\ntest luck of army {\n  roll 1d6\n  when total at least 3 then good\n  otherwise bad\n}\n";
    place.write("game/rules.sut", format!("{GAME}{test}"));
    let hash = Project::open(&place.path("game")).rulesets[0].rules.as_ref().unwrap().hash.clone();
    place.write("positions.jsonl", "{}\n");
    let calls: [(&str, &[&str]); 24] = [
        ("check", &["game", "--format", "json"]),
        ("trace", &["game", "--format", "json"]),
        ("explain", &["game", "One", "--format", "json"]),
        ("why-not", &["game", "One", "--format", "json"]),
        ("threat", &["game", "--format", "json"]),
        ("batch", &["game", "--positions", "positions.jsonl"]),
        ("bench", &["game", "--positions", "8", "--rounds", "1", "--format", "json"]),
        ("odds", &["game", "--test", "luck", "--format", "json"]),
        ("ask", &["game", "yes", "--format", "json"]),
        ("map", &["game", "--format", "json"]),
        ("run", &["game", "--turns", "1", "--seed", "1", "--format", "jsonl"]),
        ("play", &["game", "--games", "2", "--turns", "1", "--format", "jsonl"]),
        ("fuzz", &["game", "--games", "2", "--turns", "1", "--format", "json"]),
        ("test", &["game", "--format", "json"]),
        ("reach", &["game", "--format", "json"]),
        ("coverage", &["game", "--format", "json"]),
        ("ir", &["game", "--format", "json"]),
        ("calendar", &["game", "--format", "json"]),
        ("mutate", &["game", "--format", "json"]),
        ("sweep", &["game", "--format", "json"]),
        ("lint", &["game", "--format", "json"]),
        ("diff", &["game", "game", "--format", "json"]),
        ("impact", &["game", "game", "--format", "json"]),
        ("differ", &["game", "game", "--tries", "1", "--format", "json"]),
    ];
    for (name, args) in calls {
        let said = place.run(&[&[name], args].concat());
        // A log and a stream have one document a line, and the first line tells what it is of.
        let text = if matches!(name, "run" | "batch" | "play") {
            said.out.lines().next().unwrap_or("")
        } else {
            &said.out
        };
        let found: Value = serde_json::from_str(text)
            .unwrap_or_else(|e| panic!("{name}: {e}\n{}{}", said.out, said.err));
        assert!(found["schema"].is_number(), "{name}: {found}");
        assert!(holds(&found, &hash), "{name}: {found}");
    }
    let schema: Value = serde_json::from_str(&place.run(&["schema", "game"]).out).unwrap();
    assert!(schema["$schema"].is_string() && holds(&schema, &hash), "{schema}");
    // A new command joins the walk above, or says here why it has no answer about rules.
    let without = [
        "help",
        "import",
        "explain-code",
        "schema",
        "resolve",
        "doc",
        "fmt",
        "new",
        "migrate",
        "lsp",
        "completions",
        "man",
        "sheet",
    ];
    let help = place.run(&["--help"]).out;
    let commands = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    for line in commands.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   ")) {
        let name = line.split_whitespace().next().unwrap();
        assert!(
            without.contains(&name) || calls.iter().any(|(n, _)| *n == name),
            "`{name}` is not walked"
        );
    }
}

/// Whether a hash stands in a document under that name.
fn holds(found: &Value, hash: &str) -> bool {
    match found {
        Value::Object(fields) => {
            fields.iter().any(|(k, v)| k == "hash" && v == hash || holds(v, hash))
        }
        Value::Array(all) => all.iter().any(|v| holds(v, hash)),
        _ => false,
    }
}

#[test]
fn a_variant_that_knows_its_parent_is_refused_when_the_rules_of_the_parent_change() {
    use sutler::diag::code::PRELUDE;
    let place = Place::with(PRELUDE);
    let check = || place.run(&["check", "game", "--format", "json"]).out;
    let hash = |said: &str| {
        let json: Value = serde_json::from_str(said).unwrap();
        json["rulesets"][0]["hash"].as_str().unwrap().to_owned()
    };
    let now = hash(&check());
    let variant = |known: &str| {
        let head = format!("extends example hash \"{known}\" requires sutler 0.1");
        place.write("game/snow.sut", format!("edition 1\nruleset snow \"Snow\" prefix S {head}\n"));
    };
    variant(&now[..12]);
    assert!(!check().contains("E0606"));
    // Layout, and what changes no answer, leave it as it is.
    place.write("game/rules.sut", format!("{PRELUDE}\n\n# a comment\n"));
    assert!(!check().contains("E0606"));
    place.write("game/rules.sut", format!("{PRELUDE}\ndefine afloat of area = terrain is sea\n"));
    let said = check();
    assert!(said.contains("E0606"), "{said}");
    // The hash that the message names is the one to write.
    variant(&hash(&said)[..12]);
    assert!(!check().contains("E0606"));
    // Too little of a hash holds for too many.
    variant(&hash(&said)[..4]);
    assert!(check().contains("E0606"));
}
