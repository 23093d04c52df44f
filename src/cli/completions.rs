//! `sutler completions` and `sutler man`: what a shell and a reader of manuals need, made of the
//! arguments themselves.

use std::path::PathBuf;

use clap::CommandFactory;

use super::{Cli, End, message, print_and, save};

#[derive(clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

#[derive(clap::Args)]
pub(super) struct ManArgs {
    /// One command; the whole program if nothing is said
    command: Option<String>,
    /// Writes a page for the program and one for each command into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// Prints the words that a shell completes.
pub(super) fn completions(args: &CompletionsArgs) -> End {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sutler", &mut text);
    print_and(&String::from_utf8_lossy(&text), End::Clean)
}

/// Prints a manual page, or writes all of them.
pub(super) fn man(args: &ManArgs) -> End {
    let whole = Cli::command();
    let Some(folder) = &args.out else {
        let Some(name) = &args.command else {
            return print_and(&page(whole, "sutler"), End::Clean);
        };
        let Some(found) = whole.find_subcommand(name) else {
            message(&format!(
                "error: there is no command `{name}`\n  help: `sutler --help` lists them\n"
            ));
            return End::Trouble;
        };
        return print_and(&page(found.clone(), &format!("sutler-{name}")), End::Clean);
    };
    if let Err(error) = std::fs::create_dir_all(folder) {
        message(&format!("error: cannot make `{}`: {error}\n", folder.display()));
        return End::Trouble;
    }
    let of_commands = whole.get_subcommands().filter(|c| c.get_name() != "help");
    let commands = of_commands.map(|c| (c.clone(), format!("sutler-{}", c.get_name())));
    let all: Vec<_> =
        std::iter::once((whole.clone(), "sutler".to_owned())).chain(commands).collect();
    for (command, name) in all {
        if let Err(end) = save(&folder.join(format!("{name}.1")), &page(command, &name)) {
            return end;
        }
    }
    End::Clean
}

fn page(command: clap::Command, name: &str) -> String {
    let mut text = Vec::new();
    let command = command.display_name(name.to_owned());
    let man = clap_mangen::Man::new(command).title(name.to_uppercase());
    // Writing to memory does not fail.
    let _ = man.render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
