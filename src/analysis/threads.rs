//! Threads with stacks that are deep enough for the recursion over declarations.

/// The stack of a thread that analyses, in bytes: enough for the limits of [`crate::facts`] on how deep
/// declarations and what they refer to may nest. Only what is used of it costs memory.
const STACK: usize = 1 << 28;

/// Runs `work`, and what it runs in parallel, on threads that have [`STACK`].
pub fn on_deep_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool.install(work),
        // No such threads are to be had: ordinary code needs none.
        Err(_) => work(),
    }
}
