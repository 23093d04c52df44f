//! A table of the game that `sutler new` makes lives in a workbook, LibreOffice opens it and stores
//! it with a cell changed, and an answer changes. Where LibreOffice is not installed, the test says that it was skipped.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::place::Place;

/// Starts LibreOffice with settings of its own, and waits until it ends; false where there is none.
fn office(profile: &Path, args: &[&str]) -> bool {
    let settings = format!("-env:UserInstallation=file://{}", profile.display());
    let mut run = Command::new("soffice");
    run.args(["--headless", "--norestore", &settings]).args(args);
    match run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(status) => {
            assert!(status.success(), "LibreOffice ends with {status}");
            true
        }
        Err(_) => false,
    }
}

/// Has LibreOffice open a workbook and store it again, with 1 for the 2 in the table `reach`.
fn store_changed(profile: &Path, book: &Path, form: &str) {
    let place = tempfile::tempdir().unwrap();
    let to = |form: &str, file: &Path| {
        let (folder, file) = (place.path().display().to_string(), file.display().to_string());
        assert!(office(profile, &["--convert-to", form, "--outdir", &folder, &file]));
    };
    to("fods", book);
    let open = place.path().join("book.fods");
    let text = fs::read_to_string(&open).unwrap();
    let (before, sheet) = text.split_once("table:name=\"reach\"").expect("the sheet");
    let changed = sheet.replacen("office:value=\"2\"", "office:value=\"1\"", 1);
    assert_ne!(sheet, changed, "the cell is there");
    fs::write(&open, format!("{before}table:name=\"reach\"{changed}")).unwrap();
    to(form, &open);
    fs::copy(place.path().join(format!("book.{form}")), book).unwrap();
}

#[test]
fn a_cell_that_a_spreadsheet_program_changes_changes_an_answer() {
    let place = Place(tempfile::tempdir().unwrap());
    let profile = place.path("profile");
    if !office(&profile, &["--terminate_after_init"]) {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: LibreOffice (`soffice`) is not installed, so no spreadsheet program has changed a cell"
        );
        return;
    }

    let ok = |args: &[&str]| {
        let said = place.run(args);
        assert_eq!(said.code, 0, "{args:?}: {}{}", said.out, said.err);
        said.out
    };
    let forms = ["xlsx", "ods"];
    ok(&["new", "winter_road"]);
    let text = fs::read_to_string(place.path("winter_road/rules.sut")).unwrap();
    let rows = "  row led when leader is not none then 3\n  otherwise 2\n";
    assert!(text.contains(rows), "{text}");
    for form in forms {
        let book = format!("book.{form}");
        ok(&["sheet", "out", "winter_road", "--out", &book]);
        for folder in ["before", "after"] {
            for file in ["map.sut", "setups.sut", "suite.sut"] {
                let said = fs::read(place.path(&format!("winter_road/{file}"))).unwrap();
                place.write(&format!("{folder}_{form}/{file}"), said);
            }
            let lives = text.replace(rows, &format!("  from \"{book}\" sheet \"reach\"\n"));
            place.write(&format!("{folder}_{form}/rules.sut"), lives);
            let bytes = fs::read(place.path(&book)).unwrap();
            place.write(&format!("{folder}_{form}/{book}"), bytes);
        }
    }
    let hash = |folder: &str| {
        let json = place.run(&["check", folder, "--format", "json"]).out;
        json.split_once("\"hash\":").expect("a hash").1[..34].to_owned()
    };
    for form in forms {
        let book = place.path(&format!("book.{form}"));
        store_changed(&profile, &book, form);
        fs::copy(&book, place.path(&format!("after_{form}/book.{form}"))).unwrap();
    }

    for form in forms {
        let (before, after) = (format!("before_{form}"), format!("after_{form}"));
        assert_eq!(hash(&before), hash("winter_road"), "the table says what the text said");
        let state = |folder: &str| {
            let said = ok(&["trace", folder]);
            said.lines().find(|l| l.starts_with("First")).expect("the First Army").to_owned()
        };
        assert!(state(&before).contains("+ supplied"), "{form}");
        assert!(state(&after).contains("x cut_off"), "{form}: {}", state(&after));
        let diff = place.run(&["diff", &before, &after]);
        assert!(diff.out.contains("table reach") && diff.out.contains("2 -> 1"), "{}", diff.out);
        let impact = place.run(&["impact", &before, &after]).out;
        assert!(impact.contains("First") && impact.contains("supplied -> cut_off"), "{impact}");

        // The same cell carried into the text: one line changes, and the rules are the same.
        let copy = format!("copy_{form}");
        for file in ["rules.sut", "map.sut", "setups.sut", "suite.sut"] {
            let said = fs::read(place.path(&format!("winter_road/{file}"))).unwrap();
            place.write(&format!("{copy}/{file}"), said);
        }
        let said = place.run(&["sheet", "in", &copy, &format!("book.{form}")]);
        assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
        assert!(said.err.contains("1 change in 1 file"), "{}", said.err);
        let now = fs::read_to_string(place.path(&format!("{copy}/rules.sut"))).unwrap();
        assert_eq!(now, text.replace("  otherwise 2\n", "  otherwise 1\n"), "{form}");
        assert_eq!(hash(&copy), hash(&after), "{form}");
    }
}
