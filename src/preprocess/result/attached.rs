//! What later stages find of something that units share, kept with it.
//!
//! Knows nothing of what is kept: each stage has a place of its own and alone knows the type there.

use std::any::Any;
use std::fmt;
use std::sync::OnceLock;

/// A place for one value that is found once.
#[derive(Default)]
pub struct Attached(OnceLock<Box<dyn Any + Send + Sync>>);

impl Attached {
    /// The value, if one of that type is kept.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.get()?.downcast_ref()
    }

    /// Keeps a value, unless there is one.
    pub fn set<T: Any + Send + Sync>(&self, value: T) {
        // Two threads may find the same at once.
        let _ = self.0.set(Box::new(value));
    }
}

impl fmt::Debug for Attached {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Attached({})", if self.0.get().is_some() { "…" } else { "" })
    }
}
