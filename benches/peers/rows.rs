//! The rows of `target/peers.json`, one a ratio.
//!
//! The file is a list of `{"workload", "what", "peer", "ratio"}`. `workload` names what is asked,
//! `what` which of our ways answers it, `peer` who else does, and `ratio` is the peer's time
//! divided by ours: the median of the ratios of single rounds, in which all ways take turns. A new
//! row is made by [`row`], and its report gives it to `main`, which prints all rows in one
//! [`table`] and writes them with [`keep`]. Rows are measurements: nothing reads them back but
//! people.

use std::path::Path;

use serde_json::{Value, json};

/// One row, its ratio cut to two digits behind the point.
pub fn row(workload: &str, what: &str, peer: &str, ratio: f64) -> Value {
    json!({ "workload": workload, "what": what, "peer": peer, "ratio": (ratio * 100.0).round() / 100.0 })
}

/// The ratio of a row.
pub fn ratio(row: &Value) -> f64 {
    row["ratio"].as_f64().unwrap_or(0.0)
}

/// Writes all rows; those of an earlier run are replaced, or kept where this run was of a part
/// only.
pub fn keep(rows: &[Value], part: bool) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers.json");
    let mut all = rows.to_vec();
    if part
        && let Some(Value::Array(old)) =
            std::fs::read_to_string(&file).ok().and_then(|t| serde_json::from_str(&t).ok())
    {
        let fresh = |row: &Value| rows.iter().any(|r| r["workload"] == row["workload"]);
        all.extend(old.into_iter().filter(|row| !fresh(row)));
    }
    let text = serde_json::to_string_pretty(&all).unwrap_or_default();
    let fresh = file.with_extension("json.new");
    if let Err(error) = std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, &file)) {
        eprintln!("{} cannot be written: {error}", file.display());
    }
}

/// Prints all rows, a line each.
pub fn table(rows: &[Value]) {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let wide = |key: &str| rows.iter().map(|r| text(r, key).len()).max().unwrap_or(0);
    let (workload, what, peer) = (wide("workload"), wide("what"), wide("peer"));
    println!("{:<workload$}  {:<what$}  {:<peer$}  ratio", "workload", "what", "peer");
    for row in rows {
        println!(
            "{:<workload$}  {:<what$}  {:<peer$}  {}",
            text(row, "workload"),
            text(row, "what"),
            text(row, "peer"),
            found(row)
        );
    }
}

/// What a row came to, with what it should come to where that is said.
fn found(row: &Value) -> String {
    if let Some(why) = row["absent"].as_str() {
        return why.to_owned();
    }
    if let (Some(found), Some(most)) = (row["ms"].as_f64(), row["most"].as_f64()) {
        return format!("{found:.1} ms (at most {most})");
    }
    match (row["floor"].as_f64(), row["goal"].as_f64()) {
        (Some(floor), Some(goal)) => format!("{:.2} (floor {floor}, goal {goal})", ratio(row)),
        _ => format!("{:.2}", ratio(row)),
    }
}

/// The middle of the ratios of single rounds.
pub fn middle(theirs: &[u128], ours: &[u128]) -> f64 {
    let mut ratios: Vec<f64> =
        theirs.iter().zip(ours).map(|(t, o)| *t as f64 / (*o).max(1) as f64).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(0.0)
}
