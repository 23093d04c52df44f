//! A table of the game that `sutler new` makes lives in a workbook, LibreOffice changes a cell of it,
//! and an answer changes. Where LibreOffice is not installed, the test says that it was skipped.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::place::Place;

/// The module of the macro that changes a cell.
const MACRO: &str = include_str!("../sheets/Change.bas");

/// What LibreOffice calls a library of macros with one more module.
const LIBRARY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false">
 <library:element library:name="Change"/>
</library:library>
"#;

fn module() -> String {
    let text = MACRO.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE script:module PUBLIC \"-//OpenOffice.org//DTD OfficeDocument 1.0//EN\" \"module.dtd\">\n\
         <script:module xmlns:script=\"http://openoffice.org/2000/script\" script:name=\"Change\" script:language=\"StarBasic\">\n\
         {text}</script:module>\n"
    )
}

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

#[test]
fn a_cell_that_a_spreadsheet_program_changes_changes_an_answer() {
    let place = Place(tempfile::tempdir().unwrap());
    let profile = place.path("profile");
    // The first start makes the settings, and would undo a library that stands there before.
    if !office(&profile, &["--terminate_after_init"]) {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: LibreOffice (`soffice`) is not installed, so no spreadsheet program has changed a cell"
        );
        return;
    }
    let library = profile.join("user/basic/Standard");
    fs::write(library.join("script.xlb"), LIBRARY).unwrap();
    fs::write(library.join("Change.xba"), module()).unwrap();

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
    let files: Vec<String> = forms
        .iter()
        .flat_map(|form| [format!("book.{form}"), format!("after_{form}/book.{form}")])
        .map(|file| place.path(&file).display().to_string())
        .collect();
    let call =
        format!("macro:///Standard.Change.Change(\"reach\",\"E3\",1,\"{}\")", files.join("|"));
    assert!(office(&profile, &[&call]));

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
