//! A value that is computed on another thread while its owner goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

/// A value that is there, or is being computed; the default value, if computing it panics.
#[derive(Debug, Default)]
pub(super) struct Later<T> {
    here: T,
    coming: Option<Mutex<Receiver<T>>>,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl<T: Default + Send + 'static> Later<T> {
    /// Begins to compute it.
    pub(super) fn begin(make: impl FnOnce() -> T + Send + 'static) -> Later<T> {
        let (sender, receiver) = channel();
        rayon::spawn(move || {
            if let Ok(made) = catch_unwind(AssertUnwindSafe(make)) {
                // Its owner may have gone.
                let _ = sender.send(made);
            }
        });
        Later { here: T::default(), coming: Some(Mutex::new(receiver)) }
    }

    /// Waits for it.
    pub(super) fn wait(&mut self) -> &mut T {
        if let Some(coming) = self.coming.take() {
            // Where there is no other thread, this one makes it.
            while rayon::yield_now() == Some(rayon::Yield::Executed) {}
            self.here = coming.into_inner().expect(NO_PANIC).recv().unwrap_or_default();
        }
        &mut self.here
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_with_one_thread_and_with_more() {
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut made, mut failed) =
                    (Later::begin(|| vec![1, 2]), Later::<Vec<u8>>::begin(|| panic!("on purpose")));
                assert_eq!((made.wait().clone(), failed.wait().clone()), (vec![1, 2], Vec::new()));
                made.wait().push(3);
                assert_eq!(*made.wait(), [1, 2, 3]);
            });
        }
        assert_eq!(*Later::begin(|| 7).wait(), 7, "on no thread of a pool");
    }
}
