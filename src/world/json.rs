//! stub until merged
use crate::{diag::Diagnostic, ir::Ruleset, source::SourceId};
pub fn read(_: &str, _: SourceId, _: &Ruleset) -> (Option<super::World>, Vec<Diagnostic>) {
    (None, Vec::new())
}
pub fn schema(_: &Ruleset) -> serde_json::Value {
    serde_json::Value::Null
}
pub fn general_schema() -> serde_json::Value {
    serde_json::Value::Null
}
