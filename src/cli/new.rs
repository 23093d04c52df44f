//! `sutler new`: a folder with a small ruleset that runs.

use std::path::Path;

use super::{End, print_and, stderr_style, told};
use crate::diag::{self, Diagnostic, code};
use crate::scaffold::{Scaffold, scaffold};
use crate::source::SourceMap;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Its name, and that of its folder
    name: String,
    /// What reports call it; made of the name if nothing is said
    #[arg(long)]
    title: Option<String>,
    /// What its clauses begin with; the first letters of its words if nothing is said
    #[arg(long)]
    prefix: Option<String>,
}

pub(super) fn run(args: &Args) -> End {
    let written = match scaffold(&args.name, args.title.as_deref(), args.prefix.as_deref()) {
        Ok(new) => write(&new),
        Err(fault) => Err(fault),
    };
    match written {
        Ok(text) => print_and(&text, End::Clean),
        Err(fault) => {
            told(&diag::render(&[fault], &SourceMap::new(), diag::Format::Full, stderr_style()));
            End::Trouble
        }
    }
}

/// Writes the folder, or nothing at all.
#[expect(
    clippy::result_large_err,
    reason = "a ruleset is begun once, and the fault is printed as it is"
)]
fn write(new: &Scaffold) -> Result<String, Diagnostic> {
    let name = &new.name;
    let folder = Path::new(name);
    std::fs::create_dir(folder).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Diagnostic::bare(code::E1067, format!("`{name}` is there already"))
                .help("nothing was changed; choose another name, or remove what is there")
        }
        _ => Diagnostic::bare(code::E0007, format!("the folder `{name}` cannot be made: {error}"))
            .help("nothing was changed"),
    })?;
    for (file, text) in &new.files {
        if let Err(fault) = crate::output::save(&folder.join(file), text.as_bytes()) {
            // The folder is our own and new, so that nothing of anybody else's goes with it.
            let _ = std::fs::remove_dir_all(folder);
            return Err(fault);
        }
    }
    let files: String = new.files.iter().map(|(file, _)| format!("{name}/{file}\n")).collect();
    Ok(format!("{files}now try: sutler check {name}, sutler test {name}, sutler map {name}\n"))
}
