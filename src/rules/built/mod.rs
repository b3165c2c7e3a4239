//! The rules on what was built: the images of a module compared with each other and with what the host registers.
//!
//! In: an artifact. Out: findings without places, which `audit` gives them in the listing of the artifact.

mod evidence;
mod gpus;
pub(super) mod missing_kernel;
pub(super) mod unregistered_kernel;
pub(super) mod mismatched_parameters;
pub(super) mod mismatched_variable;
pub(super) mod mismatched_ptx;
