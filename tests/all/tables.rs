//! Tables of positions as Parquet: answers are those of the lines, and no file that lies about
//! itself ends the program or leaves a file of answers.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int64Array, RecordBatch, StringArray};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};

use crate::common::Dice;
use crate::common::counts::share;
use sutler::arrow::{Answers, Asked, Positions, refused_rows};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn sutler(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sutler")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A column of words, some of them null.
fn column(words: impl Iterator<Item = Option<String>>) -> ArrayRef {
    Arc::new(words.collect::<StringArray>())
}

fn write(path: &Path, table: &RecordBatch, rows_of_a_group: usize) {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(rows_of_a_group))
        .set_data_page_row_count_limit(97)
        .set_write_batch_size(32)
        .build();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, table.schema(), Some(properties)).unwrap();
    writer.write(table).unwrap();
    writer.close().unwrap();
}

/// The tables of a Parquet file.
pub(crate) fn read(path: &Path) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    reader.build().unwrap().map(Result::unwrap).collect()
}

/// Positions by chance: where units stand, who controls spaces and one fact of a unit.
struct Random {
    units: Vec<String>,
    spaces: Vec<String>,
    stands: Vec<Vec<Option<String>>>,
    control: Vec<Vec<Option<String>>>,
}

impl Random {
    fn new(dice: &mut Dice, like: &sutler::Position, rows: usize) -> Random {
        let own = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let units = own(like.units().collect());
        let spaces = own(like.spaces().collect());
        let sides = own(like.game().sides().collect());
        let mut some = |names: &[String], none: usize| {
            let at = dice.below(names.len() + none);
            names.get(at).cloned()
        };
        let stands = units.iter().map(|_| (0..rows).map(|_| some(&spaces, 3)).collect()).collect();
        let few = spaces.iter().take(5);
        let control = few.map(|_| (0..rows).map(|_| some(&sides, 1)).collect()).collect();
        Random { units, spaces, stands, control }
    }

    fn table(&self) -> RecordBatch {
        let words = |all: &Vec<Option<String>>| column(all.iter().cloned());
        let units = self.units.iter().zip(&self.stands);
        let units = units.map(|(id, all)| (format!("{id}.space"), words(all)));
        let spaces = self.spaces.iter().zip(&self.control);
        let spaces = spaces.map(|(id, all)| (format!("{id}.control"), words(all)));
        let rows = self.stands[0].len();
        let numbers: ArrayRef = Arc::new((0..rows as i64).collect::<Int64Array>());
        let own = std::iter::once(("game".to_owned(), numbers));
        RecordBatch::try_from_iter_with_nullable(
            own.chain(units).chain(spaces).map(|(n, a)| (n, a, true)),
        )
        .unwrap()
    }

    /// The same as lines, made of the setup's own JSON.
    fn lines(&self, like: &sutler::Position) -> String {
        self.lines_on(&serde_json::from_str(&like.json()).unwrap())
    }

    /// The same as lines that say this, and what is other in them.
    fn lines_on(&self, base: &Value) -> String {
        let mut lines = String::new();
        for row in 0..self.stands[0].len() {
            let mut position = base.clone();
            if !position["units"].is_array() {
                position["units"] = json!([]);
            }
            for (id, all) in self.units.iter().zip(&self.stands) {
                let units = position["units"].as_array_mut().unwrap();
                let at = units.iter().position(|unit| unit["id"] == **id).unwrap_or_else(|| {
                    units.push(json!({ "id": id }));
                    units.len() - 1
                });
                units[at]["space"] = json!(all[row]);
            }
            for (id, all) in self.spaces.iter().zip(&self.control) {
                if !position["spaces"].is_object() {
                    position["spaces"] = json!({});
                }
                if !position["spaces"][id].is_object() {
                    position["spaces"][id] = json!({});
                }
                position["spaces"][id]["control"] = json!(all[row]);
            }
            lines.push_str(&(position.to_string() + "\n"));
        }
        lines
    }
}

/// The same words in a dictionary: one that columns share, or one of its own with the last first.
fn in_dictionary(plain: &ArrayRef, shared: &ArrayRef, own: bool) -> ArrayRef {
    let words = shared.as_string::<i32>();
    let values: ArrayRef = match own {
        false => Arc::clone(shared),
        true => {
            let all: Vec<&str> = words.iter().flatten().collect();
            Arc::new(StringArray::from(all.into_iter().rev().collect::<Vec<_>>()))
        }
    };
    let known: BTreeMap<&str, i32> = values.as_string::<i32>().iter().flatten().zip(0..).collect();
    let keys = plain.as_string::<i32>().iter().map(|word| word.map(|word| known[word])).collect();
    Arc::new(DictionaryArray::<Int32Type>::try_new(keys, values).unwrap())
}

/// What a word came to in one column is known of the next with the same dictionary: where units
/// stand and who controls what have some words in common, which mean other things there.
#[test]
fn columns_that_share_a_dictionary_are_read_as_plain_ones() {
    let game = sutler::Rules::open("rulesets/soldier_kings").game().unwrap();
    let like = game.first_setup().unwrap();
    for seed in 0..4 {
        let mut dice = Dice::new(seed);
        let many = 300 + dice.below(400);
        let mut random = Random::new(&mut dice, &like, many);
        let rows = random.stands[0].len();
        // Words that are none, and a side where a space should be.
        for word in ["Nowhere", "France", "Nowhere"] {
            let at = dice.below(random.stands.len());
            random.stands[at][dice.below(rows)] = Some(word.to_owned());
        }
        let wrong = dice.below(random.control.len());
        random.control[wrong][rows - 1] = Some("Hesse".to_owned());
        let plain = random.table();
        let mut words: Vec<&str> = like.spaces().chain(game.sides()).collect();
        words.push("Nowhere");
        let shared: ArrayRef = Arc::new(StringArray::from(words));
        let schema = plain.schema();
        let columns = schema.fields().iter().zip(plain.columns()).map(|(field, all)| {
            let own = dice.percent(20);
            let words = all.data_type() == &DataType::Utf8;
            let all = if words { in_dictionary(all, &shared, own) } else { Arc::clone(all) };
            (field.name().clone(), all, true)
        });
        let table = RecordBatch::try_from_iter_with_nullable(columns.collect::<Vec<_>>()).unwrap();
        let asked = Asked::of_trace(like.clone(), game.trace("supply").unwrap(), false).unwrap();
        let keep = ["game".to_owned()];
        let [wanted, found] = [&plain, &table].map(|table| asked.answer(table, 0, &keep).unwrap());
        assert_eq!(found, wanted, "seed {seed}");
        let errors = wanted.column_by_name("error").unwrap();
        assert!((1..=4).contains(&(rows - errors.null_count())), "seed {seed}");
    }
}

/// A fact that all rows have alike is asked as a table whole.
#[test]
fn a_column_of_one_fact_is_as_a_position_that_has_it() {
    let game = sutler::Rules::open("rulesets/soldier_kings").game().unwrap();
    let like = game.first_setup().unwrap();
    let mut led: Value = serde_json::from_str(&like.json()).unwrap();
    let units = led["units"].as_array_mut().unwrap();
    let third = units.iter_mut().find(|unit| unit["id"] == "F3").unwrap();
    assert_eq!(third["facts"]["leader"], "Broglie");
    third["facts"]["leader"] = Value::Null;
    let led = game.position(&led.to_string()).unwrap();
    let random = Random::new(&mut Dice::new(7), &like, 700);
    let plain = random.table().project(&(1..random.table().num_columns()).collect::<Vec<_>>());
    let plain = plain.unwrap();
    let nobody = column((0..700).map(|_| None));
    let names = plain.schema().fields().iter().map(|f| f.name().clone()).collect::<Vec<_>>();
    let with_fact = names.iter().map(String::as_str).zip(plain.columns().iter().cloned());
    let with_fact = with_fact.chain([("F3.leader", nobody)]).map(|(n, all)| (n, all, true));
    let with_fact = RecordBatch::try_from_iter_with_nullable(with_fact).unwrap();
    let supply = game.trace("supply").unwrap();
    let answers = |like: &sutler::Position, table: &RecordBatch| {
        Asked::of_trace(like.clone(), supply, false).unwrap().answer(table, 0, &[]).unwrap()
    };
    assert_eq!(answers(&like, &with_fact), answers(&led, &plain));
    assert_ne!(answers(&like, &with_fact), answers(&like, &plain), "the leader counts");
}

#[test]
fn a_table_is_answered_as_the_lines_are() {
    for (nth, ruleset) in ["soldier_kings", "malaya"].into_iter().enumerate() {
        let folder = folder(&format!("same_{ruleset}"));
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let rules = format!("{}/rulesets/{ruleset}", env!("CARGO_MANIFEST_DIR"));
        let game = sutler::Rules::open(&rules).game().unwrap();
        let like = game.first_setup().unwrap();
        let random = Random::new(&mut Dice::new(70 + nth as u64), &like, 40 + share(400));
        write(&folder.join("in.parquet"), &random.table(), 150);
        std::fs::write(folder.join("in.jsonl"), random.lines(&like)).unwrap();

        let lines = sutler(&["batch", &rules, "--positions", &at("in.jsonl")]);
        assert_eq!(lines.status.code(), Some(0), "{}", text(&lines.stderr));
        let printed = text(&lines.stdout);
        let mut lines = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let yes = lines.next().unwrap()["answers"][0].clone();
        let lines: Vec<Value> = lines.collect();

        for jobs in ["1", "3"] {
            let out = at(&format!("out{jobs}.parquet"));
            let positions = at("in.parquet");
            let args = ["batch", &rules, "--positions", &positions, "--out", &out];
            let done = sutler(&[&args[..], &["--keep", "game", "--jobs", jobs]].concat());
            assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
            assert!(done.stdout.is_empty());
            let mut row = 0;
            for answers in read(Path::new(&out)) {
                for at in 0..answers.num_rows() {
                    let states: BTreeMap<String, bool> = answers
                        .schema()
                        .fields()
                        .iter()
                        .zip(answers.columns())
                        .filter_map(|(field, column)| {
                            let id = field.name().strip_suffix(".yes")?;
                            (!column.is_null(at))
                                .then(|| (id.to_owned(), column.as_boolean().value(at)))
                        })
                        .collect();
                    let said = lines[row]["states"].as_object().unwrap();
                    let said: BTreeMap<String, bool> =
                        said.iter().map(|(id, state)| (id.clone(), *state == yes)).collect();
                    assert_eq!(states, said, "{ruleset}, row {row}");
                    row += 1;
                }
            }
            assert_eq!(row, lines.len());
        }
        assert_eq!(
            std::fs::read(at("out1.parquet")).unwrap(),
            std::fs::read(at("out3.parquet")).unwrap()
        );
    }
}

#[test]
fn lengths_and_bad_rows_are_those_of_each_position_by_itself() {
    let folder = folder("lengths");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let rules = format!("{}/rulesets/soldier_kings", env!("CARGO_MANIFEST_DIR"));
    let game = sutler::Rules::open(&rules).game().unwrap();
    let (like, trace) = (game.setup("opening").unwrap(), game.trace("supply").unwrap());
    let places = ["Hesse", "Nowhere", "Ile_de_France", "Bohemia"];
    let table = RecordBatch::try_from_iter([(
        "F3.space",
        column(places.iter().map(|place| Some((*place).to_owned()))),
    )]);
    write(&folder.join("in.parquet"), &table.unwrap(), 100);
    let (positions, out) = (at("in.parquet"), at("out.parquet"));
    let args = ["batch", &rules, "--positions", &positions, "--out", &out, "--lengths"];
    let done = sutler(&[&args[..], &["--setup", "opening"]].concat());
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("3 rows answered"), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("1 without an answer"), "{}", text(&done.stderr));

    let answers = &read(Path::new(&out))[0];
    let error = answers.column_by_name("error").unwrap().as_struct();
    let yes = answers.column_by_name("F3.yes").unwrap().as_boolean();
    let lengths = answers.column_by_name("F3.length").unwrap().as_primitive::<UInt32Type>();
    for (row, place) in places.iter().enumerate() {
        let mut position = like.clone();
        let unit = position.unit("F3").unwrap();
        let Ok(space) = position.space(place) else {
            assert!(error.is_valid(row) && yes.is_null(row) && lengths.is_null(row));
            let said = |name: &str| error.column_by_name(name).unwrap().clone();
            assert_eq!(said("code").as_string::<i32>().value(row), "E1052");
            assert_eq!(said("column").as_string::<i32>().value(row), "F3.space");
            assert_eq!(said("row").as_primitive::<UInt64Type>().value(row), row as u64);
            continue;
        };
        position.move_unit(unit, Some(space)).unwrap();
        let answer = position.ask(trace, unit).unwrap();
        assert!(error.is_null(row));
        assert_eq!(yes.value(row), answer.yes, "{place}");
        let length = (!lengths.is_null(row)).then(|| lengths.value(row));
        assert_eq!(length, answer.distance, "{place}");
    }
}

#[test]
fn what_cannot_be_answered_is_refused_and_leaves_no_file() {
    let folder = folder("refused");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let rules = format!("{}/rulesets/soldier_kings", env!("CARGO_MANIFEST_DIR"));
    let words = || column(std::iter::once(Some("Hesse".to_owned())));
    let table = |name: &str| RecordBatch::try_from_iter([(name, words())]).unwrap();
    write(&folder.join("good.parquet"), &table("F3.space"), 10);
    write(&folder.join("wrong.parquet"), &table("F3.spcae"), 10);
    std::fs::write(folder.join("lines.jsonl"), "{}\n").unwrap();
    std::fs::write(folder.join("text.parquet"), "no table at all").unwrap();
    std::fs::create_dir(folder.join("folder.parquet")).unwrap();
    let out = at("out.parquet");
    for (positions, rest, says) in [
        ("good.parquet", vec![], "name a file that ends in `.parquet` as `--out`"),
        ("good.parquet", vec!["--out", "answers.csv"], "let the name of `--out` end"),
        ("lines.jsonl", vec!["--out", &out], "`--out` is for a table"),
        ("good.parquet", vec!["--out", &out, "--from", "2"], "`--from` counts lines"),
        ("good.parquet", vec!["--out", &out, "--keep", "game"], "no column is called `game`"),
        ("good.parquet", vec!["--out", &out, "--setup", "none"], "no setup is called `none`"),
        ("wrong.parquet", vec!["--out", &out], "E1076"),
        ("text.parquet", vec!["--out", &out], "the file is no Parquet"),
        ("folder.parquet", vec!["--out", &out], "it is a folder"),
        ("absent.parquet", vec!["--out", &out], "cannot be read"),
    ] {
        let positions = at(positions);
        let done = sutler(&[&["batch", &rules, "--positions", &positions], &rest[..]].concat());
        assert_eq!(done.status.code(), Some(2), "{positions} {rest:?}");
        assert!(text(&done.stderr).contains(says), "{says}: {}", text(&done.stderr));
        assert!(!Path::new(&out).exists());
    }
    let left: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "{left:?}");
}

/// Positions of a table, each with its row.
fn rows(asked: &Asked, table: &RecordBatch) -> Vec<sutler::Position> {
    (0..table.num_rows())
        .map(|row| asked.position(table, row, &["game".to_owned()]).unwrap())
        .collect()
}

fn game_and_table(ruleset: &str, seed: u64) -> (sutler::Game, sutler::Position, RecordBatch) {
    let rules = format!("{}/rulesets/{ruleset}", env!("CARGO_MANIFEST_DIR"));
    let game = sutler::Rules::open(rules).game().unwrap();
    let like = game.first_setup().unwrap();
    let table = Random::new(&mut Dice::new(seed), &like, 20 + share(100)).table();
    (game, like, table)
}

/// A table without columns of control, and where it has a unit F1 with one of its strength.
fn of_facts(table: &RecordBatch) -> RecordBatch {
    let schema = table.schema();
    let columns = schema.fields().iter().zip(table.columns());
    let mut columns: Vec<(String, ArrayRef, bool)> = columns
        .filter(|(field, _)| !field.name().ends_with(".control"))
        .map(|(field, column)| (field.name().clone(), Arc::clone(column), true))
        .collect();
    if table.column_by_name("F1.space").is_some() {
        let rows = 0..table.num_rows() as i64;
        let strength: Int64Array = rows.map(|row| (row % 5 > 0).then_some(row % 7)).collect();
        columns.push(("F1.strength".to_owned(), Arc::new(strength), true));
    }
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

#[test]
fn a_question_of_rows_is_that_question_of_each_position() {
    let mut seen = Vec::new();
    for (ruleset, of, text) in [
        ("soldier_kings", Some("army"), "any enemy army here"),
        ("soldier_kings", Some("force"), "land_move"),
        ("soldier_kings", Some("unit"), "own"),
        ("soldier_kings", Some("side"), "count of own army"),
        ("soldier_kings", Some("army"), "(count of own army) / 2"),
        ("soldier_kings", None, "1 + 2"),
        ("malaya", Some("counter"), "strength / 2"),
        ("soldier_kings", Some("army"), "strength"),
        ("soldier_kings", Some("army"), "strength at least 3"),
        ("soldier_kings", Some("army"), "(strength + 1) / 2"),
        ("soldier_kings", Some("army"), "strength at least 3 and any enemy army here"),
        ("malaya", Some("space"), "any unit here"),
        ("malaya", Some("space"), "control"),
    ] {
        let (game, like, table) = game_and_table(ruleset, 31);
        let table = if text.contains("strength") { of_facts(&table) } else { table };
        let Ok(asked) = Asked::of_question(like, game.question(of, text).unwrap()) else {
            panic!("{ruleset}: {text}");
        };
        let answers = asked.answer(&table, 0, &["game".to_owned()]).unwrap();
        let error = answers.column_by_name("error").unwrap();
        let question = game.question(of, text).unwrap();
        for row in 0..table.num_rows() {
            let position = asked.position(&table, row, &["game".to_owned()]);
            assert_eq!(position.is_err(), error.is_valid(row), "{text}, row {row}");
            let Ok(position) = &position else { continue };
            for said in question.of(position).unwrap().values {
                let column = answers.column_by_name(&format!("{}.value", said.id)).unwrap();
                seen.push(column.data_type().clone());
                let found = match column.data_type() {
                    _ if column.is_null(row) => Value::Null,
                    DataType::Boolean => column.as_boolean().value(row).into(),
                    DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
                    DataType::Utf8 => column.as_string::<i32>().value(row).into(),
                    _ => {
                        let number = column.as_primitive::<Float64Type>().value(row);
                        // The value in words is exact: `3 1/2`, `1/2` or `3`.
                        let exact =
                            said.words.split(' ').filter(|w| !w.is_empty()).map(|word| match word
                                .split_once('/')
                            {
                                Some((over, under)) => {
                                    over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap()
                                }
                                None => word.parse().unwrap(),
                            });
                        assert_eq!(number, exact.sum::<f64>(), "{}", said.words);
                        continue;
                    }
                };
                assert_eq!(found, said.value, "{ruleset}, {text}, row {row}, {}", said.id);
            }
        }
    }
    for kind in [DataType::Boolean, DataType::Int64, DataType::Utf8, DataType::Float64] {
        assert!(seen.contains(&kind), "no question gives {kind}");
    }
}

#[test]
fn the_odds_of_rows_are_those_of_each_position() {
    let mut lists = 0;
    for ruleset in ["malaya", "sgs", "blockade_siege", "twilight", "ten_crowns", "iron_rivers"] {
        let (game, like, table) = game_and_table(ruleset, 5);
        for test in game.tests().map(str::to_owned).collect::<Vec<_>>() {
            let asked = Asked::of_test(like.clone(), &test).unwrap();
            let answers = asked.answer(&table, 0, &["game".to_owned()]).unwrap();
            assert_eq!(refused_rows(&answers), 0);
            for (row, position) in rows(&asked, &table).iter().enumerate().take(10) {
                for odds in position.odds(&test, &[]).unwrap().odds {
                    let mut all = 0.0;
                    for chance in &odds.roll.odds {
                        lists += usize::from(chance.what == "goes through");
                        let column = format!("{}.{}", odds.id, chance.what);
                        let column = answers.column_by_name(&column).unwrap();
                        let found = column.as_primitive::<Float64Type>().value(row);
                        // The exact chance is `over/under`, or a whole number.
                        let (over, under) =
                            chance.chance.split_once('/').unwrap_or((&chance.chance, "1"));
                        let exact = over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap();
                        assert!(
                            (found - exact).abs() < 1e-12,
                            "{test}: {found}, {}",
                            chance.chance
                        );
                        all += found;
                    }
                    assert!((all - 1.0).abs() < 1e-9, "{test}");
                }
            }
        }
    }
    assert!(lists > 0);
}

#[test]
fn the_command_writes_the_chances_of_a_table() {
    let folder = folder("chances");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let rules = format!("{}/rulesets/malaya", env!("CARGO_MANIFEST_DIR"));
    let (_, like, table) = game_and_table("malaya", 8);
    write(&folder.join("in.parquet"), &table, 50);
    let (positions, out) = (at("in.parquet"), at("out.parquet"));
    let call = ["odds", &rules, "--test", "attrition", "--positions", &positions, "--keep", "game"];
    let done = sutler(&[&call[..], &["--out", &out]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let asked = Asked::of_test(like, "attrition").unwrap();
    let own = asked.answer(&table, 0, &["game".to_owned()]).unwrap();
    let found = read(Path::new(&out));
    let mut row = 0;
    for table in &found {
        for (column, own) in table.columns().iter().zip(own.columns()) {
            assert_eq!(column.as_ref(), own.slice(row, table.num_rows()).as_ref());
        }
        row += table.num_rows();
    }
    assert_eq!(row, own.num_rows());

    // Every command takes tables alike, or says why not.
    let refused = sutler(&call);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    let refused = sutler(&[&call[..], &["--out", &out, "--side", "Japan"]].concat());
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
}

/// What a file says that has been changed: its rows, or that it is refused.
fn asked(asked: &Asked, path: &Path) -> Option<usize> {
    let positions = Positions::open(File::open(path).unwrap(), &["game".to_owned()]).ok()?;
    let schema = asked.answers(positions.schema(), &["game".to_owned()]).ok()?;
    let mut answers = Answers::new(Vec::new(), &schema).unwrap();
    let mut rows = 0;
    for (number, table) in (0..).zip(positions) {
        let found = asked.answer(&table.ok()?, number, &["game".to_owned()]).ok()?;
        rows += found.num_rows() - refused_rows(&found);
        answers.write(&found).unwrap();
    }
    answers.finish().unwrap();
    Some(rows)
}

#[test]
fn a_file_that_lies_about_itself_ends_nothing() {
    let folder = folder("lies");
    let game = sutler::Rules::open(concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets/soldier_kings"));
    let game = game.game().unwrap();
    let like = game.first_setup().unwrap();
    let prepared = Asked::of_trace(like.clone(), game.trace("supply").unwrap(), false).unwrap();
    let mut dice = Dice::new(9);
    write(&folder.join("good.parquet"), &Random::new(&mut dice, &like, 60).table(), 25);
    let good = std::fs::read(folder.join("good.parquet")).unwrap();
    assert_eq!(asked(&prepared, &folder.join("good.parquet")), Some(60));

    let (mut refused, path) = (0, folder.join("bad.parquet"));
    for nth in 0..share(3000) {
        let mut bad = good.clone();
        if nth % 4 == 0 {
            bad.truncate(dice.below(good.len()));
        } else {
            for _ in 0..=dice.below(3) {
                // Most of what a reader believes stands at the end.
                let from = if nth % 2 == 0 { good.len() * 3 / 4 } else { 0 };
                let at = from + dice.below(good.len() - from);
                bad[at] = dice.below(256) as u8;
            }
        }
        std::fs::write(&path, bad).unwrap();
        refused += usize::from(asked(&prepared, &path).is_none());
        if nth % 100 == 0 {
            // The command says what is wrong in its own words, and in no others.
            let out = folder.join("out.parquet");
            let files = [path.to_str().unwrap(), "--out", out.to_str().unwrap(), "--keep", "game"];
            let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets/soldier_kings");
            let done = sutler(&[&["batch", rules, "--positions"], &files[..]].concat());
            let said = text(&done.stderr);
            assert!(matches!(done.status.code(), Some(0..=2)), "{said}");
            assert!(!said.contains("panicked"), "{said}");
            assert_eq!(out.exists(), done.status.code() != Some(2), "{said}");
            let _ = std::fs::remove_file(&out);
        }
    }
    assert!(refused > 0);
}

#[test]
fn a_dictionary_stays_one_however_it_was_written() {
    let folder = folder("dictionary");
    let game = sutler::Rules::open(concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets/soldier_kings"));
    let game = game.game().unwrap();
    let words: DictionaryArray<Int32Type> = ["Hesse", "Bohemia", "Hesse"].into_iter().collect();
    for column in [Arc::new(words) as ArrayRef, Arc::new(StringArray::from(vec!["Hesse"]))] {
        let table = RecordBatch::try_from_iter([("F3.space", column)]).unwrap();
        write(&folder.join("in.parquet"), &table, 10);
        let file = File::open(folder.join("in.parquet")).unwrap();
        let found: Vec<_> = Positions::open(file, &[]).unwrap().map(Result::unwrap).collect();
        assert_eq!(found.len(), 1);
        let keys = found[0].column(0).as_dictionary_opt::<Int32Type>();
        assert_eq!(keys.unwrap().len(), table.num_rows());
        let like = game.setup("opening").unwrap();
        let all = Asked::of_trace(like, game.trace("supply").unwrap(), false).unwrap();
        let answers = all.answer(&found[0], 0, &[]).unwrap();
        assert_eq!(answers.columns(), all.answer(&table, 0, &[]).unwrap().columns());
    }
}

/// What a command says of recorded positions, with the same name for lines and for rows.
fn said_of(args: &[&str], positions: &str) -> (Option<i32>, String, String) {
    let done = sutler(&[args, &["--positions", positions]].concat());
    let plain = |bytes: &[u8]| {
        let mut said = text(bytes);
        // `in.parquet:3 (2)`: the kept column counts from 0.
        for row in (0..100).rev() {
            said = said.replace(&format!("in.parquet:{} ({row})", row + 1), &format!("row {row}"));
            said = said.replace(&format!("in.jsonl:{}", row + 1), &format!("row {row}"));
        }
        said
    };
    (done.status.code(), plain(&done.stdout), plain(&done.stderr))
}

/// Each command that compares answers to recorded positions reads them as rows too.
#[test]
fn positions_of_a_table_are_compared_as_those_of_lines() {
    let folder = folder("compared");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let rules = format!("{}/rulesets/soldier_kings", env!("CARGO_MANIFEST_DIR"));
    let variant = format!("{rules}/house.sut");
    let game = sutler::Rules::open(&rules).game().unwrap();
    let like = game.setup("opening").unwrap();
    let mut random = Random::new(&mut Dice::new(81), &like, 12);
    random.stands[1][7] = Some("Nowhere".to_owned());
    write(&folder.join("in.parquet"), &random.table(), 5);
    std::fs::write(
        folder.join("in.jsonl"),
        random.lines_on(&json!({ "schema": 1, "setup": "opening" })),
    )
    .unwrap();
    let keep = ["--setup", "opening", "--keep", "game"];
    let impact = ["impact", &rules, &variant, "--format", "json"];
    let sweep = ["sweep", &rules, "--only", "land_move", "--format", "json"];
    let differ = ["differ", &rules, &variant, "--tries", "0", "--format", "json"];
    for call in [&impact[..], &sweep, &differ] {
        let lines = said_of(call, &at("in.jsonl"));
        let rows = said_of(&[call, &keep].concat(), &at("in.parquet"));
        assert_eq!(rows.0, Some(1), "{}", rows.2);
        assert_eq!((rows.0, &rows.1), (lines.0, &lines.1));
        assert!(rows.1.len() > 200, "{}", rows.1);
        // A row that cannot be read is said, and the others are asked.
        let of_row = call[0] == "differ" || rows.2.contains("row 7") && lines.2.contains("row 7");
        assert!(of_row, "{} {}", rows.2, lines.2);
        assert!(call[0] != "impact" || rows.1.contains("row 11"), "{}", rows.1);

        let unkept = sutler(&[call, &["--positions", &at("in.parquet")]].concat());
        assert_eq!(unkept.status.code(), Some(2));
        assert!(text(&unkept.stderr).contains("E1076"), "{}", text(&unkept.stderr));
        let of_table = sutler(&[call, &keep, &["--positions", &at("in.jsonl")]].concat());
        assert_eq!(of_table.status.code(), Some(2));
        assert!(text(&of_table.stderr).contains("a table of positions"));
    }
}

#[test]
fn a_position_that_cannot_be_read_does_not_lose_the_others() {
    let folder = folder("left_out");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let rules = format!("{}/rulesets/soldier_kings", env!("CARGO_MANIFEST_DIR"));
    let good =
        r#"{ "schema": 1, "setup": "opening", "units": [{ "id": "F3", "space": "Hesse" }] }"#;
    let bytes = [good.as_bytes(), b"\n\xff\xfe\n{ \"setup\": \n", good.as_bytes()].concat();
    std::fs::write(folder.join("in.jsonl"), bytes).unwrap();
    let positions = at("in.jsonl");
    let variant = format!("{rules}/house.sut");
    let done = sutler(&["impact", &rules, &variant, "--format", "json", "--positions", &positions]);
    assert_eq!(done.status.code(), Some(1));
    let said: Value = serde_json::from_slice(&done.stdout).unwrap();
    let asked = said["positions"].as_array().unwrap();
    assert_eq!(asked.len(), 2, "{said}");
    let told = text(&done.stderr);
    assert!(told.contains("in.jsonl:2") && told.contains("in.jsonl:3"), "{told}");
}
