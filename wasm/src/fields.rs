//! The fields of a call, each taken once.
//!
//! By hand, for one type of all calls would be read by twice as much code as all that they do.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::calls::Refusal;

/// What stands in a call and was not taken yet.
pub struct Fields(Map<String, Value>);

impl Fields {
    /// Those of a text.
    pub fn of(call: &[u8]) -> Result<Fields, Refusal> {
        serde_json::from_slice(call).map(Fields).map_err(no_call)
    }

    /// One that must be there; `null` stands for what may be left out.
    pub fn need<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, Refusal> {
        let value = self.0.remove(name).unwrap_or_default();
        T::deserialize(value).map_err(|error| no_call(format!("`{name}`: {error}")))
    }

    /// One that may be left out.
    pub fn may<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, Refusal> {
        self.need(name)
    }

    /// The last one: behind it nothing is left.
    pub fn only<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, Refusal> {
        let value = self.need(name)?;
        self.end()?;
        Ok(value)
    }

    /// Refuses what no call takes.
    pub fn end(&self) -> Result<(), Refusal> {
        match self.0.keys().next() {
            Some(name) => Err(no_call(format!("`{name}` is not part of it"))),
            None => Ok(()),
        }
    }
}

fn no_call(why: impl std::fmt::Display) -> Refusal {
    Refusal::Call(format!("this is no call: {why}"))
}
