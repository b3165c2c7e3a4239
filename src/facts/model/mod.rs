//! The facts of a unit as plain data: rules and front ends read these and nothing else of the stage.

mod comparison;
mod entity;
mod unit;

pub use comparison::Operator;
pub use entity::EntityKind;
pub use unit::*;
