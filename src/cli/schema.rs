//! `sutler schema`: the JSON Schema of positions.

use std::path::PathBuf;

use super::open::open_one;
use super::{End, json, print_and};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset whose positions to describe; those of any ruleset, if none is named
    ruleset: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> End {
    let schema = match &args.ruleset {
        Some(path) => match open_one(path) {
            Ok((_, rules)) => {
                let mut schema = crate::world::json::schema(&rules);
                // A keyword that validators pass over: whose positions these are.
                if let Some(fields) = schema.as_object_mut() {
                    fields.insert(
                        "x-rules".to_owned(),
                        serde_json::json!({ "ruleset": rules.name, "hash": rules.hash }),
                    );
                }
                schema
            }
            Err(end) => return end,
        },
        None => crate::world::json::general_schema(),
    };
    print_and(&json(&schema), End::Clean)
}
