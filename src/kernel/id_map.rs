//! Maps and sets of the kernel: entries keep an order of their own, and the hash is fast, for the keys are
//! ids and facts and no text from outside.

use rustc_hash::FxBuildHasher;

/// A map in the order of its entries.
pub(in crate::kernel) type IdMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// A set in the order of its entries.
pub(in crate::kernel) type IdSet<K> = indexmap::IndexSet<K, FxBuildHasher>;
