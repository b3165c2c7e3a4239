//! Work whose outcome nobody wants any more is given up.
//!
//! In: a [`Stale`], which another thread may raise while the work goes on. Out: the outcome, or none. Loops that take
//! long ask now and then whether to go on ([`go_on`]), and unwind if not; stages know no more of it than that.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says whether work is stale. Clones speak of the same work.
#[derive(Clone, Debug, Default)]
pub struct Stale(Arc<AtomicBool>);

impl Stale {
    /// The work that goes on is stale, or it is not.
    pub fn set(&self, stale: bool) {
        self.0.store(stale, Ordering::Release);
    }

    /// Whether it is.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

thread_local! {
    /// What says that this thread's work is stale, while it does some that may be given up.
    static WATCHED: RefCell<Option<Stale>> = const { RefCell::new(None) };
}

/// What a thread unwinds with.
struct GivenUp;

/// The outcome of work on this thread, or `None` when it was given up. What the work does for others must be whole
/// whenever it asks whether to go on.
///
/// # Panics
/// When the work does.
pub fn unless_stale<T>(stale: &Stale, work: impl FnOnce() -> T) -> Option<T> {
    let around = WATCHED.replace(Some(stale.clone()));
    let outcome = catch_unwind(AssertUnwindSafe(work));
    WATCHED.set(around);
    match outcome {
        Ok(outcome) => Some(outcome),
        Err(panic) if panic.is::<GivenUp>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// What a caught panic says, unless it is work that was given up: then it goes on to who gave it up.
pub fn caught<T>(outcome: std::thread::Result<T>) -> std::thread::Result<T> {
    outcome.map_err(|panic| if panic.is::<GivenUp>() { resume_unwind(panic) } else { panic })
}

/// What says that the work at hand is stale, if it may be given up: work on other threads may be a part of it.
pub fn watched() -> Option<Stale> {
    WATCHED.with_borrow(Clone::clone)
}

/// Unwinds if the work at hand was given up.
pub fn go_on() {
    if WATCHED.with_borrow(|watched| watched.as_ref().is_some_and(Stale::is_set)) {
        // No message: nothing is wrong.
        resume_unwind(Box::new(GivenUp));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_goes_on_until_it_is_stale() {
        let stale = Stale::default();
        let mut steps = 0;
        let mut work = || {
            for step in 0..10 {
                stale.set(step == 7);
                go_on();
                steps += 1;
            }
        };
        assert_eq!(unless_stale(&stale, &mut work), None);
        assert_eq!(steps, 7);
        // Nobody watches it any more.
        go_on();
        stale.set(false);
        assert_eq!(unless_stale(&stale, || 3), Some(3));
    }
}
