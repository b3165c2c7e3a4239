//! Threads with stacks that are deep enough for the recursion over declarations.

use std::thread;

/// The stack of a thread that analyses, in bytes: enough for the limits of [`crate::facts`] on how deep
/// declarations and what they refer to may nest. Only what is used of it costs memory.
const STACK: usize = 1 << 28;

/// Runs `work` beside `other`, which gets a thread of its own with [`STACK`].
pub fn beside<T>(work: impl FnOnce() -> T, other: impl FnOnce() + Send) -> T {
    thread::scope(|scope| {
        // Without such a thread only the work is done.
        let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, other);
        work()
    })
}

/// Runs `work`, and what it runs in parallel, on as many threads as rayon has that have [`STACK`].
pub fn on_deep_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let threads = rayon::current_num_threads();
    match rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build() {
        Ok(pool) => pool.install(work),
        // No such threads are to be had: ordinary code needs none.
        Err(_) => work(),
    }
}
