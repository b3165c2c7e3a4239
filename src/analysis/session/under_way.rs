//! The units that are being analysed. Each is there for questions as soon as it is preprocessed: most of an analysis comes
//! after that, and conditionals and macros need no more.

use std::sync::{Arc, Condvar, Mutex};

use rustc_hash::FxHashMap;

use crate::analysis::pipeline::ResumedUnit;

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// The units, by their places in the session, whose analyses are due or go on.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    /// `None` until a unit is preprocessed.
    units: Mutex<FxHashMap<usize, Option<Arc<ResumedUnit>>>>,
    changed: Condvar,
}

impl UnderWay {
    /// The analysis of a unit is due; whoever asks for the unit from now on waits until it is preprocessed.
    pub(super) fn expect(&self, index: usize) {
        self.units.lock().expect(NO_PANIC).insert(index, None);
    }

    /// The analysis of a unit that is expected, until this is dropped.
    pub(super) fn begin(&self, index: usize) -> Begun<'_> {
        Begun { all: self, index }
    }

    /// A unit as its analysis has it, waited for; `None` if it is not being analysed, or no longer.
    pub(super) fn preprocessed(&self, index: usize) -> Option<Arc<ResumedUnit>> {
        let units = self.units.lock().expect(NO_PANIC);
        let waiting = |units: &mut FxHashMap<_, Option<Arc<ResumedUnit>>>| {
            units.get(&index).is_some_and(Option::is_none)
        };
        let units = self.changed.wait_while(units, waiting).expect(NO_PANIC);
        units.get(&index).cloned().flatten()
    }
}

/// An analysis that goes on.
#[derive(Debug)]
pub(super) struct Begun<'a> {
    all: &'a UnderWay,
    index: usize,
}

impl Begun<'_> {
    /// Shows its unit to those who ask.
    pub(super) fn publish(&self, unit: &Arc<ResumedUnit>) {
        self.all.units.lock().expect(NO_PANIC).insert(self.index, Some(Arc::clone(unit)));
        self.all.changed.notify_all();
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if let Ok(mut units) = self.all.units.lock() {
            units.remove(&self.index);
        }
        self.all.changed.notify_all();
    }
}
