//! A value that is computed on another thread while its owner goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::cancel::{CancelFlag, unless_cancelled};

/// A value that is there, or is being computed; the default value, if computing it panics.
#[derive(Debug, Default)]
pub(super) struct Later<T> {
    here: T,
    coming: Option<Coming<T>>,
}

/// A value that is being computed. Who drops it does not want it any more.
#[derive(Debug)]
struct Coming<T> {
    computed: Arc<Computed<T>>,
    unwanted: CancelFlag,
}

/// Where the thread that computes a value puts it.
#[derive(Debug)]
struct Computed<T> {
    value: Mutex<Option<T>>,
    changed: Condvar,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// How often whoever waits looks whether it still has to.
const WAIT: Duration = Duration::from_millis(5);

impl<T: Default + Send + 'static> Later<T> {
    /// Begins to compute it.
    pub(super) fn begin(make: impl FnOnce() -> T + Send + 'static) -> Later<T> {
        let computed = Arc::new(Computed { value: Mutex::new(None), changed: Condvar::new() });
        let coming = Coming { computed: Arc::clone(&computed), unwanted: CancelFlag::default() };
        let unwanted = coming.unwanted.clone();
        rayon::spawn(move || {
            let made = catch_unwind(AssertUnwindSafe(|| unless_cancelled(&unwanted, make)));
            *computed.value.lock().expect(NO_PANIC) = Some(made.ok().flatten().unwrap_or_default());
            computed.changed.notify_all();
        });
        Later { here: T::default(), coming: Some(coming) }
    }

    /// Whether it is still being computed.
    pub(super) fn is_coming(&self) -> bool {
        self.coming.as_ref().is_some_and(Coming::goes_on)
    }

    /// For whoever waits until it is there; `None` if it is.
    pub(super) fn awaited(&self) -> Option<Awaited<T>> {
        self.coming.as_ref().map(|coming| Awaited(Arc::clone(&coming.computed)))
    }

    /// The value, if it is there.
    pub(super) fn here(&mut self) -> Option<&mut T> {
        if let Some(coming) = &self.coming {
            self.here = coming.computed.value.lock().expect(NO_PANIC).take()?;
            self.coming = None;
        }
        Some(&mut self.here)
    }
}

impl<T> Coming<T> {
    fn goes_on(&self) -> bool {
        self.computed.goes_on()
    }
}

impl<T> Computed<T> {
    fn goes_on(&self) -> bool {
        self.value.lock().expect(NO_PANIC).is_none()
    }
}

/// A value that somebody waits for, which its owner may drop meanwhile.
#[derive(Debug)]
pub(super) struct Awaited<T>(Arc<Computed<T>>);

impl<T> Awaited<T> {
    /// Waits until it is there, or `cancel` is set.
    pub(super) fn wait(&self, cancel: &CancelFlag) {
        while self.0.goes_on() && !cancel.is_set() {
            // Where there is no other thread, this one computes it.
            if rayon::yield_now() == Some(rayon::Yield::Executed) {
                continue;
            }
            let value = self.0.value.lock().expect(NO_PANIC);
            if value.is_none() {
                let _ = self.0.changed.wait_timeout(value, WAIT).expect(NO_PANIC);
            }
        }
    }
}

impl<T> Drop for Coming<T> {
    fn drop(&mut self) {
        self.unwanted.set(true);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::cancel::unwind_if_cancelled;

    #[test]
    fn it_comes_with_one_thread_and_with_more() {
        let go_on = CancelFlag::default();
        let value = |mut later: Later<Vec<u8>>| {
            later.awaited().into_iter().for_each(|one| one.wait(&go_on));
            assert!(!later.is_coming());
            later.here().map(|here| here.clone())
        };
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                assert_eq!(value(Later::begin(|| vec![1, 2])), Some(vec![1, 2]));
                assert_eq!(value(Later::begin(|| panic!("on purpose"))), Some(Vec::new()));
            });
        }
        assert_eq!(value(Later::begin(|| vec![7])), Some(vec![7]), "on no thread of a pool");
    }

    #[test]
    fn nobody_waits_longer_than_it_is_wanted() {
        let (started, starts) = channel();
        let (ended, ends) = channel();
        let mut later: Later<u8> = Later::begin(move || {
            started.send(()).unwrap();
            let _at_the_end = SendOnDrop(ended);
            loop {
                unwind_if_cancelled();
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        starts.recv().unwrap();
        let cancel = CancelFlag::default();
        cancel.set(true);
        later.awaited().unwrap().wait(&cancel);
        assert!(later.is_coming() && later.here().is_none());
        drop(later);
        // Its thread gives up.
        ends.recv().unwrap();
    }

    struct SendOnDrop(std::sync::mpsc::Sender<()>);

    impl Drop for SendOnDrop {
        fn drop(&mut self) {
            self.0.send(()).unwrap();
        }
    }
}
