//! Annotations of GitHub Actions: one line each, with what they would take for a sign written as
//! its number.

use std::path::Path;

/// `::error file=...,line=...,col=...,title=...::message`
pub(super) fn annotation(
    level: &str,
    file: &str,
    (line, column): (u32, u32),
    title: &str,
    message: &str,
) -> String {
    let (file, title) = (property(from_root(file)), property(title));
    format!("::{level} file={file},line={line},col={column},title={title}::{}\n", data(message))
}

/// A path without `./` before it, which hosts do not match with the files of a change.
pub(super) fn from_root(path: &str) -> &str {
    Path::new(path).strip_prefix(".").ok().and_then(Path::to_str).unwrap_or(path)
}

fn data(text: &str) -> String {
    crate::diag::clean::line(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{annotation, from_root};

    #[test]
    fn paths_are_from_the_root() {
        let plain = ["./a/b.sut", "a/./b.sut", "../a.sut", ".a.sut", "/a.sut"].map(from_root);
        assert_eq!(plain, ["a/b.sut", "a/./b.sut", "../a.sut", ".a.sut", "/a.sut"]);
    }

    #[test]
    fn signs_are_written_as_numbers() {
        let made = annotation("error", "a,b:c.sut", (3, 7), "50%: \"x\"", "two\nlines, 100%");
        assert_eq!(
            made,
            "::error file=a%2Cb%3Ac.sut,line=3,col=7,title=50%25%3A \"x\"::two%0Alines, 100%25\n"
        );
    }
}
