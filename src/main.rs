//! The `sutler` command.
use sutler::{diag, project::Project};
fn main() {
    let p = Project::open(std::path::Path::new(&std::env::args().nth(1).unwrap_or_default()));
    print!("{}", diag::render(&p.faults, &p.sources, diag::Format::Full, diag::Style::PLAIN));
    for r in &p.rulesets {
        println!("== {} {}", r.name, r.rules.is_some());
        print!("{}", diag::render(&r.faults, &p.sources, diag::Format::Full, diag::Style::PLAIN));
        if let Some(r) = &r.rules {
            println!("{}", sutler::ir::print(r));
        }
    }
}
