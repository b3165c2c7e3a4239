//! Facts that the tokens of declarations tell and that few declarations are asked for. Each is found when it is asked for
//! first and kept with the [token facts](super::token_facts), so that of a preamble it is found once for all texts behind it.

use std::ops::Range;
use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::function_tokens::FunctionTokens;

/// Such facts of consecutive declarations.
#[derive(Debug, Default)]
pub(in crate::facts) struct OnDemandFacts {
    /// The functions with a body that are defined for the host.
    pub(in crate::facts) functions: OnDemand<Arc<[FunctionTokens]>>,
    /// The insides of bodies of functions that GPUs alone run.
    pub(super) bodies_on_device: OnDemand<Arc<[Range<usize>]>>,
    /// The identifiers that mean local variables, as indices of tokens, in order.
    pub(super) locals: OnDemand<Arc<[usize]>>,
    /// There is a `<<<`.
    pub(super) launches: OnDemand<bool>,
    /// There may be a launch or another call that [host values](crate::facts::compare::host_values) are about.
    pub(in crate::facts) tells_devices: OnDemand<bool>,
    /// There is an extended lambda.
    pub(in crate::facts) has_closures: OnDemand<bool>,
    /// There is a `static_assert` that is not in a template.
    pub(in crate::facts) asserts: OnDemand<bool>,
    /// There may be a call that [host builtins](crate::facts::compare::host_builtins) are about.
    pub(in crate::facts) calls_builtins: OnDemand<bool>,
}

/// One fact, by declaration.
#[derive(Debug)]
pub(in crate::facts) struct OnDemand<T>(RwLock<FxHashMap<usize, T>>);

impl<T> Default for OnDemand<T> {
    fn default() -> OnDemand<T> {
        OnDemand(RwLock::default())
    }
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "nothing is computed while the lock is held";

impl<T: Clone> OnDemand<T> {
    /// The fact of the declaration with this index.
    pub(in crate::facts) fn get(&self, top: usize, find: impl FnOnce() -> T) -> T {
        if let Some(known) = self.0.read().expect(NO_PANIC).get(&top) {
            return known.clone();
        }
        let found = find();
        self.0.write().expect(NO_PANIC).insert(top, found.clone());
        found
    }
}
