#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

fn page_of(name: &str, rows: &[&[&str]]) -> Page {
    let mut cells = Vec::new();
    for (row, texts) in (1..).zip(rows) {
        for (column, text) in (1..).zip(*texts) {
            if !text.is_empty() {
                let value = Value::written(text);
                cells.push(Cell { row, column, value, colour: None });
            }
        }
    }
    Page { name: name.to_owned(), cells }
}

fn packed(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut pack = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        pack.start_file(*name, SimpleFileOptions::default()).unwrap();
        pack.write_all(text.as_bytes()).unwrap();
    }
    pack.finish().unwrap().into_inner()
}

const RELS: &str = r#"<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const BOOK: &str =
    r#"<workbook><sheets><sheet name="T" sheetId="1" r:id="r1"/></sheets></workbook>"#;
const PARTS: &str = r#"<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="x/styles" Target="/xl/styles.xml"/><Relationship Id="r3" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#;
const STYLES: &str = r#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm"/><numFmt numFmtId="165" formatCode="[Red]0.0&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>"#;

fn xlsx(sheet: &str, texts: &str) -> Vec<u8> {
    packed(&[
        ("_rels/.rels", RELS),
        ("xl/workbook.xml", BOOK),
        ("xl/_rels/workbook.xml.rels", PARTS),
        ("xl/worksheets/sheet1.xml", sheet),
        ("xl/styles.xml", STYLES),
        ("xl/sharedStrings.xml", texts),
    ])
}

fn ods(table: &str) -> Vec<u8> {
    let text = format!(
        "<document-content><body><spreadsheet><table:table table:name=\"T\">{table}</table:table></spreadsheet></body></document-content>"
    );
    packed(&[("content.xml", &text)])
}

#[test]
fn pages_come_back_as_they_were_written_with_the_same_bytes() {
    let first = page_of(
        "Reach",
        &[
            &["terrain", "summer, hot", "0201"],
            &[],
            &["plain", "", "-3", "1/2"],
            &["  a \"b\" <c> & d", "x  y   z"],
        ],
    );
    let second = page_of("Größe", &[&["", "", "7"]]);
    for form in [Form::Xlsx, Form::Ods] {
        let all = [first.clone(), second.clone()];
        let bytes = write(&all, form).unwrap();
        assert_eq!(bytes, write(&all, form).unwrap(), "{form:?}");
        assert_eq!(pages(&bytes, form).unwrap(), ["Reach", "Größe"]);
        for expected in &all {
            assert_eq!(&page(&bytes, form, &expected.name).unwrap(), expected, "{form:?}");
        }
        let missing = page(&bytes, form, "reach").unwrap_err();
        assert_eq!(missing.what, "has no sheet `reach`");
        assert!(missing.help.contains("`Reach`, `Größe`"), "{missing:?}");
    }
    let bytes = write(std::slice::from_ref(&first), Form::Csv).unwrap();
    let back = page(&bytes, Form::Csv, "").unwrap();
    let shown = |page: &Page| -> Vec<(u32, u32, String)> {
        page.cells.iter().map(|c| (c.row, c.column, c.value.shown().to_owned())).collect()
    };
    assert_eq!(shown(&back), shown(&first));
    assert_eq!(write(&[back], Form::Csv).unwrap(), bytes);
}

#[test]
fn another_reader_sees_the_same_cells() {
    use calamine::{Data, Reader};
    let written = page_of(
        "T",
        &[&["terrain", "summer", "0201"], &["plain", "1", "-3"], &["a & b", "", "1/2"]],
    );
    let judge = |form: Form| -> Vec<(u32, u32, String)> {
        let bytes = Cursor::new(write(std::slice::from_ref(&written), form).unwrap());
        let range = match form {
            Form::Xlsx => calamine::Xlsx::new(bytes).unwrap().worksheet_range("T").unwrap(),
            _ => calamine::Ods::new(bytes).unwrap().worksheet_range("T").unwrap(),
        };
        let (top, left) = range.start().unwrap();
        let cells = range.used_cells().filter(|(_, _, data)| **data != Data::Empty);
        cells
            .map(|(r, c, data)| {
                (
                    top + u32::try_from(r).unwrap() + 1,
                    left + u32::try_from(c).unwrap() + 1,
                    data.to_string(),
                )
            })
            .collect()
    };
    let ours: Vec<(u32, u32, String)> =
        written.cells.iter().map(|c| (c.row, c.column, c.value.shown().to_owned())).collect();
    assert_eq!(judge(Form::Xlsx), ours);
    assert_eq!(judge(Form::Ods), ours);
}

#[test]
fn every_sort_of_cell_is_told_apart() {
    let sheet = r#"<worksheet><sheetData><row r="2"><c r="B2" t="s"><v>1</v></c><c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c r="E2" s="1"><v>44000</v></c><c r="F2" s="2"><v>1</v></c><c r="G2" s="3"><v>2.5</v></c><c r="H2" t="b"><v>1</v></c><c r="I2" t="e"><v>#DIV/0!</v></c><c r="J2"><f>1+1</f><v>2</v></c><c r="K2"><f>1+1</f></c><c r="L2" s="1"/></row><row><c><v>3.0</v></c><c t="str"><f>A1</f><v>a&amp;b</v></c></row></sheetData></worksheet>"#;
    let texts =
        "<sst><si><t>zero</t></si><si><t>o</t><rPh><t>x</t></rPh><r><t>ne</t></r></si></sst>";
    let found = page(&xlsx(sheet, texts), Form::Xlsx, "T").unwrap();
    let shown: Vec<(u32, u32, Result<String, &str>)> =
        found.cells.iter().map(|c| (c.row, c.column, c.value.said())).collect();
    let said = |t: &str| Ok(t.to_owned());
    let date = Err("is a date");
    let expected = [
        (2, 2, said("one")),
        (2, 3, said("inline")),
        (2, 5, date.clone()),
        (2, 6, date),
        (2, 7, said("5/2")),
        (2, 8, Err("is a truth of the spreadsheet program")),
        (2, 9, Err("is an error of the spreadsheet program")),
        (2, 10, said("2")),
        (2, 11, Err("is a formula whose value was not saved")),
        (3, 1, said("3")),
        (3, 2, said("a&b")),
    ];
    assert_eq!(shown, expected);

    let table = r##"<table-row number-rows-repeated="2"><table-cell number-columns-repeated="3"/><table-cell value-type="string" number-columns-repeated="2"><p>a<s c="2"/>b</p><annotation><p>note</p></annotation></table-cell></table-row><table-row><table-cell value-type="float" value="0.25"><p>25%</p></table-cell><table-cell value-type="boolean" boolean-value="true"><p>TRUE</p></table-cell><table-cell value-type="date"><p>1.2.</p></table-cell><table-cell formula="of:=1/0" value-type="string"><p>#DIV/0!</p></table-cell><table-cell number-columns-repeated="16000"/></table-row><table-row number-rows-repeated="1048000"><table-cell number-columns-repeated="16384"/></table-row>"##;
    let found = page(&ods(table), Form::Ods, "T").unwrap();
    let shown: Vec<(u32, u32, Result<String, &str>)> =
        found.cells.iter().map(|c| (c.row, c.column, c.value.said())).collect();
    let expected = [
        (1, 4, said("a  b")),
        (1, 5, said("a  b")),
        (2, 4, said("a  b")),
        (2, 5, said("a  b")),
        (3, 1, said("1/4")),
        (3, 2, Err("is a truth of the spreadsheet program")),
        (3, 3, Err("is a date")),
        (3, 4, Err("is an error of the spreadsheet program")),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn csv_of_other_countries_and_lines_is_read() {
    let cells = |text: &str| -> Vec<(u32, u32, String)> {
        let found = page(text.as_bytes(), Form::Csv, "").unwrap();
        found.cells.iter().map(|c| (c.row, c.column, c.value.said().unwrap())).collect()
    };
    let at = |r, c, t: &str| (r, c, t.to_owned());
    assert_eq!(
        cells("a;b\r\n1;2,5\r\n"),
        [at(1, 1, "a"), at(1, 2, "b"), at(2, 1, "1"), at(2, 2, "2,5")]
    );
    assert_eq!(
        cells("\u{feff}a\tb\n\n\"x\"\"y\"\t0.5"),
        [at(1, 1, "a"), at(1, 2, "b"), at(3, 1, "x\"y"), at(3, 2, "1/2")]
    );
    assert_eq!(cells("0201,3.0,\n"), [at(1, 1, "0201"), at(1, 2, "3")]);
    let open = page(b"a,\"b\n", Form::Csv, "").unwrap_err();
    assert_eq!(open.what, "ends within a quoted cell");
    assert!(page(b"\xff\xfe", Form::Csv, "").is_err());
}

#[test]
fn what_would_unpack_to_too_much_is_refused() {
    let many = "<row><c t=\"s\"><v>0</v></c></row>".repeat(2000);
    let text = "x".repeat(16 << 10);
    let bomb = xlsx(
        &format!("<sheetData>{many}</sheetData>"),
        &format!("<sst><si><t>{text}</t></si></sst>"),
    );
    assert!(bomb.len() < 100_000);
    assert!(page(&bomb, Form::Xlsx, "T").unwrap_err().what.contains("16 MiB of text"));
    let zeros = xlsx(&" ".repeat(65 << 20), "");
    assert!(zeros.len() < 200_000);
    assert!(page(&zeros, Form::Xlsx, "T").unwrap_err().what.contains("64 MiB"));
    let full = "<table-row number-rows-repeated=\"4000000000\"><table-cell number-columns-repeated=\"4000000000\" value-type=\"string\"><p>x</p></table-cell></table-row>";
    assert!(page(&ods(full), Form::Ods, "T").is_err());
    let blanks = "<table-row><table-cell value-type=\"string\"><p><s c=\"4000000000\"/>x</p></table-cell></table-row>";
    assert!(page(&ods(blanks), Form::Ods, "T").unwrap().cells[0].value.shown().len() < 2000);
    let entities = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><x>&a;</x>";
    assert!(page(&packed(&[("content.xml", entities)]), Form::Ods, "T").is_err());
}

#[test]
fn broken_workbooks_are_refused() {
    let good = write(&[page_of("T", &[&["a", "1"]])], Form::Xlsx).unwrap();
    let ods = write(&[page_of("T", &[&["a", "1"]])], Form::Ods).unwrap();
    // Each cut and each changed byte is read or refused.
    for (bytes, form) in [(&good, Form::Xlsx), (&ods, Form::Ods)] {
        for at in (0..bytes.len()).step_by(7) {
            let _ = page(&bytes[..at], form, "T");
            let mut other = bytes.clone();
            other[at] ^= 0x55;
            let _ = page(&other, form, "T");
        }
    }
    for bytes in [&b""[..], b"PK", b"a,b"] {
        assert!(page(bytes, Form::Xlsx, "T").is_err());
        assert!(page(bytes, Form::Ods, "T").is_err());
    }
    assert_eq!(page(&good, Form::Ods, "T").unwrap_err().what, "is no workbook that can be read");
}
