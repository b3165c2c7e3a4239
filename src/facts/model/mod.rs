//! The facts of a unit as plain data: rules and front ends read these and nothing else of the stage.

mod comparison;
mod digest;
mod entity;
mod unit;

pub use comparison::Operator;
pub use digest::TextDigest;
pub use entity::EntityKind;
pub use unit::*;
