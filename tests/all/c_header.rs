//! The header of C declares what the library for C has, and says what its sources say of it.
//! `.ci/c` compares every byte where cbindgen is at hand.

use crate::support::text_of;

/// A function as the sources have it: its name, how many parameters, and the lines above it.
struct Function {
    name: String,
    parameters: usize,
    said: Vec<String>,
}

fn functions(
    text: &str,
    opens: for<'a> fn(&'a str) -> Option<&'a str>,
    comment: &str,
) -> Vec<Function> {
    let mut found = Vec::new();
    let mut said = Vec::new();
    for line in text.lines() {
        if let Some(words) = line.strip_prefix(comment) {
            said.push(words.trim().to_owned());
        } else if let Some(head) = opens(line) {
            let (name, rest) = head.split_once('(').unwrap();
            let inside = rest.split_once(')').unwrap().0;
            let parameters =
                if matches!(inside, "" | "void") { 0 } else { inside.split(',').count() };
            found.push(Function {
                name: name.to_owned(),
                parameters,
                said: std::mem::take(&mut said),
            });
        } else if !line.starts_with("#[") {
            said.clear();
        }
    }
    found
}

fn in_source(line: &str) -> Option<&str> {
    line.split_once("extern \"C\" fn ").map(|(_, head)| head)
}

fn in_header(line: &str) -> Option<&str> {
    line.find("sutler_").filter(|_| line.ends_with(");")).map(|at| &line[at..])
}

#[test]
fn the_header_declares_what_the_library_has() {
    // Each head on one line, as the header has it.
    let source = text_of("c/src/lib.rs").replace("(\n    ", "(").replace(",\n    ", ", ");
    let source = functions(&source.replace(",\n)", ")"), in_source, "///");
    let header = functions(&text_of("c/sutler.h"), in_header, "//");
    assert_eq!(source.len(), 6);
    assert_eq!(header.len(), source.len());
    for (here, there) in source.iter().zip(&header) {
        assert_eq!((&here.name, here.parameters), (&there.name, there.parameters));
        assert_eq!(here.said, there.said, "{}", here.name);
    }
}
