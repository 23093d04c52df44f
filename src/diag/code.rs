//! The registry of codes.
//!
//! Takes one Markdown file per code from `codes/`. Gives the codes as constants, their
//! titles, explanations and examples. A code is added by its file and one line below;
//! nothing else can make a [`Code`].

use std::fmt;

use super::suggest;

/// The name of a fault, such as `E0001`. Only registered codes exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// The code as it is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A code with its explanation.
#[derive(Debug, Clone, Copy)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// The whole Markdown text, from its title line.
    pub text: &'static str,
}

/// An example in an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example<'a> {
    /// `sutler`, `json`, `text` or `bytes`.
    pub language: &'a str,
    /// Whether it is the right way; else it shows the fault.
    pub right: bool,
    /// The example, up to and with its last newline.
    pub text: &'a str,
}

/// What stands before an example that does not begin with `edition`.
pub const PRELUDE: &str = include_str!("prelude.sut");

/// The explanation of a code; a module of WebAssembly has none, for a page loads those it asks for.
#[cfg(not(target_family = "wasm"))]
macro_rules! explanation {
    ($code:ident) => {
        include_str!(concat!("codes/", stringify!($code), ".md"))
    };
}
#[cfg(target_family = "wasm")]
macro_rules! explanation {
    ($code:ident) => {
        concat!("# ", stringify!($code), ": \n")
    };
}

macro_rules! codes {
    ($($code:ident,)*) => {
        $(
            #[doc = include_str!(concat!("codes/", stringify!($code), ".md"))]
            pub const $code: Code = Code(stringify!($code));
        )*
        static ALL: &[CodeInfo] = &[$(CodeInfo {
            code: $code,
            title: title(explanation!($code)),
            text: explanation!($code),
        },)*];
    };
}

// One line each, in order.
codes! {
    E0001,
    E0002,
    E0003,
    E0004,
    E0005,
    E0006,
    E0007,
    E0008,
    E0009,
    E0010,
    E0011,
    E0012,
    E0013,
    E0014,
    E0015,
    E0016,
    E0017,
    E0018,
    E0100,
    E0101,
    E0102,
    E0103,
    E0104,
    E0105,
    E0106,
    E0107,
    E0108,
    E0109,
    E0110,
    E0112,
    E0190,
    E0201,
    E0202,
    E0203,
    E0204,
    E0205,
    E0206,
    E0207,
    E0208,
    E0210,
    E0211,
    E0213,
    E0214,
    E0215,
    E0219,
    E0301,
    E0302,
    E0303,
    E0304,
    E0305,
    E0306,
    E0307,
    E0308,
    E0309,
    E0313,
    E0316,
    E0317,
    E0318,
    E0319,
    E0320,
    E0321,
    E0322,
    E0401,
    E0402,
    E0403,
    E0405,
    E0406,
    E0407,
    E0410,
    E0411,
    E0412,
    E0413,
    E0414,
    E0415,
    E0416,
    E0417,
    E0418,
    E0419,
    E0420,
    E0501,
    E0502,
    E0504,
    E0506,
    E0508,
    E0520,
    E0521,
    E0530,
    E0531,
    E0532,
    E0533,
    E0534,
    E0601,
    E0602,
    E0603,
    E0604,
    E0605,
    E0606,
    E0607,
    E0608,
    E0609,
    E0610,
    E0611,
    E0612,
    E0613,
    E0701,
    E0702,
    E0703,
    E0704,
    E0705,
    E0706,
    E0707,
    E0708,
    E0709,
    E0710,
    E0711,
    E0712,
    E0713,
    E0714,
    E0715,
    E0716,
    E0717,
    E0718,
    E0720,
    E0721,
    E0722,
    E0723,
    E0724,
    E0725,
    E0726,
    E0727,
    E0728,
    E0729,
    E0730,
    E0731,
    E0732,
    E0733,
    E0801,
    E0802,
    E0803,
    E0804,
    E0805,
    E0806,
    E0807,
    E0808,
    E0809,
    E0810,
    E0811,
    E0812,
    E0813,
    E0814,
    E0815,
    E0816,
    E1001,
    E1002,
    E1003,
    E1004,
    E1005,
    E1006,
    E1011,
    E1020,
    E1021,
    E1022,
    E1023,
    E1024,
    E1025,
    E1027,
    E1050,
    E1051,
    E1052,
    E1060,
    E1061,
    E1065,
    E1066,
    E1067,
    E1068,
    E1069,
    E1070,
    E1071,
    E1072,
    E1073,
    E1074,
    E1075,
    E1076,
    E1077,
    E1078,
    E1101,
    E1102,
    E1103,
    E1104,
    E1105,
    E1106,
    E1107,
    E1108,
    W0212,
    W0216,
    W0217,
    W0218,
    W0312,
    W0313,
    W0417,
    W0503,
    W0507,
    W0522,
    W0523,
    W0614,
    W0717,
    W0720,
    W0721,
    W0734,
    W1026,
    W1110,
    W1201,
    W1202,
    W1203,
    W1204,
    W1205,
    W1206,
    W1207,
    W1208,
    W1209,
    W1210,
    W1211,
    W1212,
    W1213,
    W1214,
    W1215,
    W1216,
}

/// The words behind `# E0001: ` in the first line; a test holds every file to that shape.
const fn title(text: &'static str) -> &'static str {
    let mut bytes = text.as_bytes();
    let mut end = 0;
    while let Some((byte, rest)) = bytes.split_first() {
        if *byte == b'\n' {
            break;
        }
        end += 1;
        bytes = rest;
    }
    let line = match text.split_at_checked(end) {
        Some((line, _)) => line,
        None => text,
    };
    match line.split_at_checked("# E0001: ".len()) {
        Some((_, title)) => title,
        None => line,
    }
}

/// Every code, in order.
#[must_use]
pub fn all() -> &'static [CodeInfo] {
    ALL
}

/// The code of that name, in capitals or not.
#[must_use]
pub fn find(name: &str) -> Option<&'static CodeInfo> {
    ALL.iter().find(|info| info.code.as_str().eq_ignore_ascii_case(name))
}

/// The code nearest to a name that is none.
#[must_use]
pub fn closest(name: &str) -> Option<&'static CodeInfo> {
    suggest::closest(name, ALL.iter().map(|info| info.code.as_str())).and_then(find)
}

/// The examples of an explanation, in order: the fenced blocks marked `wrong` or `right`.
#[must_use]
pub fn examples(info: &CodeInfo) -> Vec<Example<'static>> {
    let blocks = blocks(info.text);
    blocks.into_iter().filter_map(|block| block.example()).collect()
}

/// A part of an explanation: prose, or a fenced block with the words behind its fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block<'a> {
    pub(super) fence: Option<&'a str>,
    pub(super) text: &'a str,
}

impl<'a> Block<'a> {
    pub(super) fn example(self) -> Option<Example<'a>> {
        let (language, mark) = self.fence?.split_once(' ')?;
        let right = match mark {
            "right" => true,
            "wrong" => false,
            _ => return None,
        };
        Some(Example { language, right, text: self.text })
    }
}

/// Cuts an explanation at its fences; a fence left open reaches to the end.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut fence = None;
    let mut rest = text;
    loop {
        let (at, line) = next_fence(rest);
        let (inside, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        if fence.is_some() || !inside.trim().is_empty() {
            blocks.push(Block { fence, text: inside });
        }
        let Some(line) = line else { return blocks };
        fence = if fence.is_some() { None } else { Some(line.trim_start_matches('`').trim()) };
        rest = tail.get(line.len()..).unwrap_or("");
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
}

/// Where the next fence begins, and its line; the end of the text if there is none.
fn next_fence(text: &str) -> (usize, Option<&str>) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("```") {
            return (at, Some(line.trim_end_matches('\n')));
        }
        at += line.len();
    }
    (at, None)
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
