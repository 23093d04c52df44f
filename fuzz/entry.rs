//! What must hold of any bytes, whoever makes them: the fuzz targets, `tests/all/fuzzing.rs` and
//! the random bytes of `tests/all/hostile.rs`. The first three read bytes as they are; all others
//! read them as choices of a generator.

pub mod beside;
pub mod changed_json;
pub mod choices;
pub mod edits;
pub mod games;
pub mod grammar;
pub mod passes;
pub mod rulesets;
pub mod seeds;

use std::sync::OnceLock;

use sutler::diag::code::PRELUDE;
use sutler::diag::{self, Diagnostic, Format, Style, has_errors};
use sutler::import::{self, Options};
use sutler::ir::{Ruleset, TraceId};
use sutler::kernel::Position;
use sutler::map::Layout;
use sutler::project::check_text;
use sutler::report::{trace_report, trace_text};
use sutler::source::{SourceId, SourceMap, screen};
use sutler::syntax::parse;
use sutler::world::json;

/// What a target does with bytes: true for what is sound.
pub type Target = fn(&[u8]) -> bool;

/// Every target by its name.
pub const TARGETS: [(&str, Target); 10] = [
    ("check_bytes", check_bytes),
    ("position_json", position_json),
    ("import_text", import_text),
    ("rulesets", rulesets),
    ("cases", cases),
    ("orders", beside::orders),
    ("logs", beside::logs),
    ("positions", beside::positions),
    ("imports", beside::imports),
    ("edits", edits::edits),
];

/// Runs a target on a stack of its own, as every command does.
pub fn run(target: Target, bytes: &[u8]) -> bool {
    const STACK: usize = 256 << 20;
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || target(bytes));
        match thread.expect("a thread can be started").join() {
            Ok(sound) => sound,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The text that a target makes of bytes, where it is one.
pub fn text_of(name: &str, bytes: &[u8]) -> Option<String> {
    let mut choices = choices::Choices::new(bytes);
    let texts = match name {
        "rulesets" => rulesets::any(&mut choices),
        "cases" => rulesets::with_cases(&mut choices),
        _ => return None,
    };
    let variant = texts.variant.map_or_else(String::new, |text| format!("\n# the variant\n{text}"));
    Some(texts.base + variant.as_str())
}

/// A ruleset of the grammar, through all passes. True if it compiles.
pub fn rulesets(bytes: &[u8]) -> bool {
    passes::all(&rulesets::any(&mut choices::Choices::new(bytes)))
}

/// A sound ruleset with cases of the grammar, through all passes. True if it compiles.
pub fn cases(bytes: &[u8]) -> bool {
    passes::all(&rulesets::with_cases(&mut choices::Choices::new(bytes)))
}

/// Bytes as a ruleset: rules if and only if there is no error, and cases that come to an end. True
/// if it is clean.
pub fn check_bytes(bytes: &[u8]) -> bool {
    let (sources, rules, faults) = check_text("any.sut", bytes);
    assert_eq!(
        rules.is_none(),
        has_errors(&faults),
        "rules are given if and only if there is no error"
    );
    printed(&faults, &sources);
    let Some(rules) = rules else { return false };
    passes::cases(&rules, &sources);
    true
}

/// Bytes as a position of the little game: a position or faults, and what is read is written the
/// same. True for a position.
pub fn position_json(bytes: &[u8]) -> bool {
    static RULES: OnceLock<Option<Ruleset>> = OnceLock::new();
    let Some(rules) = RULES.get_or_init(|| check_text("prelude.sut", PRELUDE.as_bytes()).1) else {
        return false;
    };
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    let (text, mut faults) = screen(bytes, id);
    sources.add("any.json", text);
    let (world, more) = json::read(sources.text(id), id, rules);
    assert_eq!(
        world.is_none(),
        has_errors(&more),
        "a position is given if and only if there is no error"
    );
    faults.extend(more);
    printed(&faults, &sources);
    let Some(world) = world else { return false };
    let written = json::write(rules, &world);
    let (again, faults) = json::read(&written, id, rules);
    assert!(faults.is_empty(), "{written}\n{faults:?}");
    assert_eq!(again.map(|w| json::write(rules, &w)).as_deref(), Some(written.as_str()));
    if let Some(position) = Position::new(rules, &world) {
        for trace in 0..rules.traces.len() {
            if let Ok(report) = trace_report(&position, TraceId::at(trace)) {
                clean(&trace_text(&report, false));
            }
        }
    }
    true
}

/// Bytes as a file of another program: what is imported without an error is a map in the language.
/// True for a map.
pub fn import_text(bytes: &[u8]) -> bool {
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    let (text, screened) = screen(bytes, id);
    sources.add("any.csv", text);
    let layout = Layout { flat: bytes.len().is_multiple_of(2), odd: bytes.len().is_multiple_of(3) };
    let options = Options { name: "coast".to_owned(), kind: "hex".to_owned(), layout };
    let text = sources.text(id);
    let drafts = [
        import::csv::read((text, id), None, &options),
        import::csv::read((text, id), Some((text, id)), &options),
        import::text_mapper::read(text, id, "terrain", &options),
    ];
    let mut some = false;
    for (draft, faults) in drafts {
        printed(&faults, &sources);
        if !has_errors(&faults) && !has_errors(&screened) {
            let map = import::print(&draft, layout);
            clean(&map);
            let (_, wrong) = parse(SourceId(0), &map);
            assert!(wrong.is_empty(), "{map}\n{wrong:?}");
            some = true;
        }
    }
    some
}

/// Prints faults in every format; nothing of the input may steer a terminal.
pub fn printed(faults: &[Diagnostic], sources: &SourceMap) {
    for format in [Format::Full, Format::Concise, Format::Json] {
        clean(&diag::render(faults, sources, format, Style::PLAIN));
    }
}

/// Nothing that steers a terminal, hides or turns the text round.
pub fn clean(text: &str) {
    let raw = text.chars().find(|c| {
        (c.is_control() && *c != '\n')
            || matches!(*c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    });
    assert!(raw.is_none(), "{raw:?} is printed raw: {text:?}");
}
