//! Every command holds the deepest that the limits allow on a small stack: 8 MiB as the main thread
//! of a program has, and 2 MiB in a release build, which `SUTLER_RELEASE` names. `SUTLER_QUICK` names
//! the program of the quick profile, whose stack is as large as any main thread's.

use std::path::{Path, PathBuf};
use std::process::Command;

use sutler::diag::code::PRELUDE;

/// The deepest of each sort, by what it is, its text and what a case expects of it.
fn deepest() -> Vec<(&'static str, String, &'static str)> {
    let many = |n: usize, one: &dyn Fn(usize) -> String| (0..n).map(one).collect::<String>();
    let wrapped = |open: &str, close: &str, n: usize, inner: &str| {
        format!("define v0 of army = {}{inner}{}\n", open.repeat(n), close.repeat(n))
    };
    let chain = |n: usize| format!("define v{n} of army = strength\n");
    let trace = |n: usize, always: &str| {
        format!(
            "trace t{n} of army [1a] {{\n  called ok{n} else ko{n}\n  {always}\n  source s{n} where \
             home\n  leg l{n}\n    over borders\n    from anywhere\n    through not b{n}\n    into \
             anywhere\n    within 9\n}}\n"
        )
    };
    let first = "define b60 of area = any enemy army here\n".to_owned();
    vec![
        ("brackets", wrapped("(", ")", 32, "strength"), "v0 of Guard is 4 points"),
        ("functions", wrapped("greater of (1, ", ")", 32, "strength"), "v0 of Guard is 4 points"),
        ("signs and brackets", wrapped("not (", ")", 16, "strength at least 9"), "Guard is not v0"),
        (
            "roundings",
            wrapped("1 + 0 * rounded down (", ")", 32, "strength"),
            "v0 of Guard is 1 point",
        ),
        (
            "names seen before they are said",
            many(240, &|n| format!("define v{n} of army = v{} + 1\n", n + 1)) + chain(240).as_str(),
            "v0 of Guard is 244 points",
        ),
        (
            "names in brackets",
            many(16, &|n| {
                format!("define v{n} of army = {}v{}{}\n", "(".repeat(30), n + 1, ")".repeat(30))
            }) + chain(16).as_str(),
            "v0 of Guard is 4 points",
        ),
        (
            "tables",
            chain(120)
                + many(120, &|n| {
                    let (n, next) = (119 - n, 120 - n);
                    let row = format!("when v{next} at least 1 then 4");
                    format!(
                        "table v{n} of army gives points by first match {{\n  {row}\n  otherwise \
                         0\n}}\n"
                    )
                })
                .as_str(),
            "v0 of Guard is 4 points",
        ),
        (
            "traces that read traces",
            first
                + trace(60, "never strength at least 9").as_str()
                + many(60, &|n| {
                    let (n, next) = (59 - n, 60 - n);
                    let blocked = format!(
                        "define b{n} of area = any enemy army here where (it is ko{next})\n"
                    );
                    trace(n, &format!("never t{next} is ko{next}")) + blocked.as_str()
                })
                .as_str(),
            "Guard is ok0",
        ),
    ]
}

/// A command on a stack of so many KiB.
fn on_stack(kib: u32, program: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -c 0; ulimit -s {kib}; exec \"$0\" \"$@\"")]);
    let out = shell.arg(program).args(args).output().unwrap();
    (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
}

#[test]
#[cfg(unix)]
fn the_deepest_is_answered_on_a_small_stack() {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    let (program, kib) = match (named("SUTLER_RELEASE"), named("SUTLER_QUICK")) {
        (Some(program), _) => (program, 2048),
        (None, Some(program)) => (program, 8192),
        (None, None) => (PathBuf::from(env!("CARGO_BIN_EXE_sutler")), 8192),
    };
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules.sut");
    let game = folder.path().to_str().unwrap();
    for (what, text, expect) in deepest() {
        let case = format!("case \"so it is\" {{\n  setup opening\n  expect {expect}\n}}\n");
        std::fs::write(&rules, format!("{PRELUDE}\n{text}{case}")).unwrap();
        let mut asks = vec!["check", "test", "trace", "explain", "why-not", "threat", "ir", "doc"];
        asks.extend(["lint", "coverage", "calendar", "resolve", "map"]);
        for ask in asks {
            let mut args = vec![ask, game];
            if what.starts_with("traces")
                && ["trace", "explain", "why-not", "threat"].contains(&ask)
            {
                args.extend(["--trace", "t0"]);
            }
            let (code, err) = on_stack(kib, &program, &args);
            let fine = code == Some(0) || (code == Some(1) && ["lint", "coverage"].contains(&ask));
            assert!(fine, "{what}: {ask} ends with {code:?}\n{err}");
        }
    }
}
