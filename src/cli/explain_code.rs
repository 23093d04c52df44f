//! `sutler explain-code`: what a diagnostic code means, with examples.

use super::{End, message, print_and, stdout_style};
use crate::diag::suggest::closest;
use crate::diag::{code, explain_code};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The code, such as E0201; all codes with their titles, if none is named
    code: Option<String>,
}

pub(super) fn run(args: &Args) -> End {
    let Some(name) = &args.code else {
        let list: String =
            code::all().iter().map(|info| format!("{}  {}\n", info.code, info.title)).collect();
        return print_and(&list, End::Clean);
    };
    match code::find(&name.to_uppercase()) {
        Some(info) => print_and(&explain_code(info.text, stdout_style()), End::Clean),
        None => {
            let help = match closest(name, code::all().iter().map(|info| info.code.as_str())) {
                Some(near) => format!("write `{near}`"),
                None => "`sutler explain-code` lists all codes with their titles".to_owned(),
            };
            message(&format!("error: no code is called `{name}`\n  help: {help}\n"));
            End::Trouble
        }
    }
}
