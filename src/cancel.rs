//! Cancellation of work whose result is no longer wanted, because an editor has a newer text.
//!
//! In: a [`CancelFlag`], which another thread may set while the work goes on. Out: the result, or `None` if the work was
//! cancelled. Long loops call [`unwind_if_cancelled`] now and then, which unwinds the stack if the flag is set; that is
//! all that the stages know of cancellation.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cancellation flag. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Sets or clears the flag.
    pub fn set(&self, is_cancelled: bool) {
        self.0.store(is_cancelled, Ordering::Release);
    }

    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

thread_local! {
    /// The flag of the cancellable work that this thread is doing, if it is doing any.
    static CURRENT: RefCell<Option<CancelFlag>> = const { RefCell::new(None) };
}

/// The payload with which a cancelled thread unwinds.
struct Cancelled;

/// Runs `work` on this thread and returns its result, or `None` if `flag` was set meanwhile and the work was
/// cancelled. Whatever the work shares with others must be consistent at each of its calls of [`unwind_if_cancelled`].
///
/// # Panics
/// If the work panics.
pub fn unless_cancelled<T>(flag: &CancelFlag, work: impl FnOnce() -> T) -> Option<T> {
    let around = CURRENT.replace(Some(flag.clone()));
    let outcome = catch_unwind(AssertUnwindSafe(work));
    CURRENT.set(around);
    match outcome {
        Ok(outcome) => Some(outcome),
        Err(panic) if panic.is::<Cancelled>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// The panic of a `catch_unwind` as a value. A cancellation is not caught: it continues to [`unless_cancelled`].
pub fn caught<T>(outcome: std::thread::Result<T>) -> std::thread::Result<T> {
    outcome.map_err(|panic| if panic.is::<Cancelled>() { resume_unwind(panic) } else { panic })
}

/// The flag of the work that this thread is doing, if that can be cancelled; for parts of it on other threads.
pub fn current_flag() -> Option<CancelFlag> {
    CURRENT.with_borrow(Clone::clone)
}

/// Unwinds if the work at hand has been cancelled.
pub fn unwind_if_cancelled() {
    if CURRENT.with_borrow(|flag| flag.as_ref().is_some_and(CancelFlag::is_set)) {
        // Without a message, since nothing is wrong.
        resume_unwind(Box::new(Cancelled));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_runs_until_it_is_cancelled() {
        let flag = CancelFlag::default();
        let mut steps = 0;
        let mut work = || {
            for step in 0..10 {
                flag.set(step == 7);
                unwind_if_cancelled();
                steps += 1;
            }
        };
        assert_eq!(unless_cancelled(&flag, &mut work), None);
        assert_eq!(steps, 7);
        // Outside of cancellable work the flag has no effect.
        unwind_if_cancelled();
        flag.set(false);
        assert_eq!(unless_cancelled(&flag, || 3), Some(3));
    }
}
