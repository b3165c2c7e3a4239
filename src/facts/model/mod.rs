//! The facts of a unit as plain data: rules and front ends read these and nothing else of the stage.
//!
//! The small vocabularies come first, since [`UnitFacts`] and its facts are made of them.

mod comparison;
mod digest;
mod entity;
mod blind_spot;
mod unit;
mod kernels;

pub use blind_spot::{BlindSpot, BlindSpotCause};
pub use comparison::Operator;
pub use digest::TextDigest;
pub use entity::EntityKind;
pub use kernels::{KernelList, ListedKernel};
pub use unit::*;
