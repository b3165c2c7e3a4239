//! Cancellation of work whose result is no longer wanted, because an editor has a newer text.
//!
//! In: a [`Stale`] flag, which another thread may set while the work goes on. Out: the result, or `None` if the work
//! was cancelled. Long loops call [`go_on`] now and then, which unwinds the stack if the flag is set; that is all that
//! the stages know of cancellation.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cancellation flag. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stale(Arc<AtomicBool>);

impl Stale {
    /// Sets or clears the flag.
    pub fn set(&self, stale: bool) {
        self.0.store(stale, Ordering::Release);
    }

    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

thread_local! {
    /// The flag of the cancellable work that this thread is doing, if it is doing any.
    static WATCHED: RefCell<Option<Stale>> = const { RefCell::new(None) };
}

/// The payload with which a cancelled thread unwinds.
struct GivenUp;

/// Runs `work` on this thread and returns its result, or `None` if `stale` was set meanwhile and the work was
/// cancelled. Whatever the work shares with others must be consistent at each of its calls of [`go_on`].
///
/// # Panics
/// If the work panics.
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

/// The panic of a `catch_unwind` as a value. A cancellation is not caught: it continues to [`unless_stale`].
pub fn caught<T>(outcome: std::thread::Result<T>) -> std::thread::Result<T> {
    outcome.map_err(|panic| if panic.is::<GivenUp>() { resume_unwind(panic) } else { panic })
}

/// The flag of the work that this thread is doing, if that can be cancelled; for parts of it on other threads.
pub fn watched() -> Option<Stale> {
    WATCHED.with_borrow(Clone::clone)
}

/// Unwinds if the work at hand has been cancelled.
pub fn go_on() {
    if WATCHED.with_borrow(|watched| watched.as_ref().is_some_and(Stale::is_set)) {
        // Without a message, since nothing is wrong.
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
        // Outside of cancellable work the flag has no effect.
        go_on();
        stale.set(false);
        assert_eq!(unless_stale(&stale, || 3), Some(3));
    }
}
