//! Workbooks of LibreOffice, written with the same bytes for the same pages.
//!
//! The format needs three parts; a library would bring more than they are.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{Cell, Page, Trouble, Value};

const KIND: &str = "application/vnd.oasis.opendocument.spreadsheet";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const SPACES: &str = "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
    xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" \
    xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
    xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
    xmlns:number=\"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0\" \
    xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" \
    office:version=\"1.3\"";

pub(super) fn write(pages: &[Page]) -> Result<Vec<u8>, Trouble> {
    pack(&content(pages)).map_err(|error| {
        Trouble::new(format!("cannot be written: {error}"), "write it as XLSX or CSV")
    })
}

fn pack(content: &str) -> zip::result::ZipResult<Vec<u8>> {
    let mut pack = ZipWriter::new(Cursor::new(Vec::new()));
    // The time of the machine would be in the bytes, so that all parts have the first day of the format.
    let plain = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    // Programs know the format by this part: it comes first and is not packed.
    pack.start_file("mimetype", plain.compression_method(CompressionMethod::Stored))?;
    pack.write_all(KIND.as_bytes())?;
    let packed = plain.compression_method(CompressionMethod::Deflated);
    pack.start_file("META-INF/manifest.xml", packed)?;
    let manifest = "xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"";
    let entry = |path: &str, kind: &str| {
        format!(
            "<manifest:file-entry manifest:full-path=\"{path}\" manifest:media-type=\"{kind}\"/>"
        )
    };
    let text = format!(
        "{HEAD}<manifest:manifest {manifest} manifest:version=\"1.3\">{}{}</manifest:manifest>",
        entry("/", KIND),
        entry("content.xml", "text/xml")
    );
    pack.write_all(text.as_bytes())?;
    pack.start_file("content.xml", packed)?;
    pack.write_all(content.as_bytes())?;
    Ok(pack.finish()?.into_inner())
}

fn content(pages: &[Page]) -> String {
    let mut colours: Vec<u32> =
        pages.iter().flat_map(|p| &p.cells).filter_map(|c| c.colour).collect();
    colours.sort_unstable();
    colours.dedup();
    // Texts stay texts when they are edited.
    let mut out = format!(
        "{HEAD}<office:document-content {SPACES}><office:automatic-styles>\
        <number:text-style style:name=\"words\"><number:text-content/></number:text-style>\
        <style:style style:name=\"text\" style:family=\"table-cell\" style:data-style-name=\"words\"/>"
    );
    for colour in &colours {
        for (name, words) in [("n", ""), ("t", " style:data-style-name=\"words\"")] {
            let _ = write!(
                out,
                "<style:style style:name=\"{name}{colour:06x}\" style:family=\"table-cell\"{words}>\
                 <style:table-cell-properties fo:background-color=\"#{colour:06x}\"/></style:style>"
            );
        }
    }
    out.push_str("</office:automatic-styles><office:body><office:spreadsheet>");
    for page in pages {
        let _ = write!(out, "<table:table table:name=\"{}\">", escape(&page.name));
        rows(&mut out, &page.cells);
        out.push_str("</table:table>");
    }
    out.push_str("</office:spreadsheet></office:body></office:document-content>\n");
    out
}

fn rows(out: &mut String, cells: &[Cell]) {
    let mut next = 1;
    for row in cells.chunk_by(|a, b| a.row == b.row) {
        let Some(number) = row.first().map(|cell| cell.row) else { continue };
        if number > next {
            let times = number - next;
            let _ = write!(
                out,
                "<table:table-row table:number-rows-repeated=\"{times}\"><table:table-cell/></table:table-row>"
            );
        }
        out.push_str("<table:table-row>");
        let mut column = 1;
        for cell in row {
            if cell.column > column {
                let times = cell.column - column;
                let _ =
                    write!(out, "<table:table-cell table:number-columns-repeated=\"{times}\"/>");
            }
            one(out, cell);
            column = cell.column + 1;
        }
        out.push_str("</table:table-row>");
        next = number + 1;
    }
    if cells.is_empty() {
        out.push_str("<table:table-row><table:table-cell/></table:table-row>");
    }
}

fn one(out: &mut String, cell: &Cell) {
    let text = escape(cell.value.shown());
    let (sort, style) = match &cell.value {
        Value::Number(_) => (format!("float\" office:value=\"{text}"), "n"),
        _ => ("string".to_owned(), "t"),
    };
    let style = match (cell.colour, style) {
        (Some(colour), style) => format!(" table:style-name=\"{style}{colour:06x}\""),
        (None, "t") => " table:style-name=\"text\"".to_owned(),
        (None, _) => String::new(),
    };
    let _ = write!(
        out,
        "<table:table-cell{style} office:value-type=\"{sort}\"><text:p>{}</text:p></table:table-cell>",
        spaced(&text)
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Several blanks would be read as one.
fn spaced(text: &str) -> String {
    text.replace("  ", " <text:s/>")
}
