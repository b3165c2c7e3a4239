//! The audit: what was built, told to people and programs.
//!
//! In: what was read of artifacts. Out: the findings of the rules at places that reports can show; the kernels by
//! architecture, as a table, JSON or a page; what a release adds and loses; and what the sources and what was built from
//! them say of each other. Knows neither the terminal nor how files
//! are read.

mod findings;
mod inventory;
mod table;
mod json;
mod page;
mod difference;
mod entity;
mod explain;
mod judge;
#[cfg(test)]
mod tests;

pub use difference::{Difference, difference};
pub use explain::explain;
pub use findings::audit;
pub use inventory::{Cell, Column, Inventory, Row, inventory};
pub use json::JsonInventory;
pub use judge::judge;
pub use page::write_page;
pub use table::write_table;
