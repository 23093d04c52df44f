//! `sutler import`: a map in the language, made from a file of another program.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::{End, message, print_and, stderr_style, told};
use crate::diag::{self, Diagnostic};
use crate::import::{self, Draft, Options};
use crate::map::Layout;
use crate::source::{MAX_BYTES, SourceId, SourceMap, read, screen};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    from: From,
}

#[derive(clap::Subcommand)]
enum From {
    /// A table of spaces, with a table of links if there is one
    Csv {
        /// The table of spaces: a column `id`, if wanted `title` and `kind`, and one column an
        /// attribute
        spaces: PathBuf,
        /// The table of links: columns `kind`, `from` and `to`
        #[arg(long, value_name = "FILE")]
        links: Option<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
    /// A text map: lines such as `0102 mountain "Title"`
    TextMapper {
        /// The text map
        file: PathBuf,
        /// The attribute that the first word of a hex gives
        #[arg(long, default_value = "terrain")]
        attribute: String,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(clap::Args)]
struct Common {
    /// The kind of spaces that say nothing of their kind
    #[arg(long, default_value = "hex")]
    kind: String,
    /// The name of the map
    #[arg(long, default_value = "imported")]
    name: String,
    /// Which columns of flat hexes stand lower, or which rows of pointy ones farther right
    #[arg(long, value_enum, default_value_t)]
    layout: Lie,
}

/// The layouts by name.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Lie {
    FlatOdd,
    #[default]
    FlatEven,
    PointyOdd,
    PointyEven,
}

pub(super) fn run(args: &Args) -> End {
    let mut sources = SourceMap::new();
    match &args.from {
        From::Csv { spaces, links, common } => {
            let Some(options) = common.options() else { return End::Trouble };
            let mut faults = Vec::new();
            let Some(spaces) = load(spaces, &mut sources, &mut faults) else { return End::Trouble };
            let links = match links.as_deref().map(|path| load(path, &mut sources, &mut faults)) {
                Some(None) => return End::Trouble,
                Some(links) => links,
                None => None,
            };
            let (draft, more) = import::csv::read(
                (sources.text(spaces), spaces),
                links.map(|id| (sources.text(id), id)),
                &options,
            );
            faults.extend(more);
            end(&draft, &options, faults, &sources)
        }
        From::TextMapper { file, attribute, common } => {
            let Some(options) = common.options() else { return End::Trouble };
            let mut faults = Vec::new();
            let Some(attribute) = import::name_of(attribute).filter(|name| name == attribute)
            else {
                message(&format!(
                    "error: `{attribute}` cannot be an attribute\n  help: a name begins with a letter\n"
                ));
                return End::Trouble;
            };
            let Some(id) = load(file, &mut sources, &mut faults) else { return End::Trouble };
            let (draft, more) =
                import::text_mapper::read(sources.text(id), id, &attribute, &options);
            faults.extend(more);
            end(&draft, &options, faults, &sources)
        }
    }
}

impl Common {
    fn options(&self) -> Option<Options> {
        for (name, what) in [(&self.kind, "a kind"), (&self.name, "the name of a map")] {
            if import::name_of(name).as_ref() != Some(name) {
                message(&format!(
                    "error: `{name}` cannot be {what}\n  help: a name begins with a letter, with letters, digits and `_` behind it\n"
                ));
                return None;
            }
        }
        let (flat, odd) = match self.layout {
            Lie::FlatOdd => (true, true),
            Lie::FlatEven => (true, false),
            Lie::PointyOdd => (false, true),
            Lie::PointyEven => (false, false),
        };
        Some(Options {
            name: self.name.clone(),
            kind: self.kind.clone(),
            layout: Layout { flat, odd },
        })
    }
}

fn load(path: &Path, sources: &mut SourceMap, faults: &mut Vec<Diagnostic>) -> Option<SourceId> {
    let bytes = match read(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => {
            message(&format!("error: `{}` cannot be read: {error}\n", path.display()));
            return None;
        }
    };
    let (text, more) = screen(&bytes, sources.next_id());
    faults.extend(more);
    Some(sources.add(path.display().to_string(), text))
}

/// Prints the map, unless something in the files has no place on one.
fn end(draft: &Draft, options: &Options, mut faults: Vec<Diagnostic>, sources: &SourceMap) -> End {
    diag::sort(&mut faults);
    if !faults.is_empty() {
        told(&diag::render(&faults, sources, diag::Format::Full, stderr_style()));
    }
    if diag::has_errors(&faults) {
        return End::Findings;
    }
    let text = import::print(draft, options.layout);
    match unreadable(&text) {
        Some(fault) => {
            told(&diag::render(&[fault], sources, diag::Format::Full, stderr_style()));
            End::Findings
        }
        None => print_and(&text, End::Clean),
    }
}

/// What keeps a printed map from being read again.
fn unreadable(text: &str) -> Option<Diagnostic> {
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    let (clean, mut faults) = screen(text.as_bytes(), id);
    faults.extend(crate::syntax::parse(id, &clean).1);
    sources.add("map", clean);
    let fault = faults.into_iter().find(|f| f.severity == diag::Severity::Error)?;
    let line = fault.primary().map_or(0, |span| sources.line_col(id, span.start).line);
    let message = format!("line {line} of the map could not be read: {}", fault.message);
    Some(
        Diagnostic::bare(diag::code::E0009, message)
            .help("nothing was printed; look for a text that is no title or no name"),
    )
}
