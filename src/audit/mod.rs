//! The audit: what was built, told to people and programs.
//!
//! In: what was read of artifacts. Out: the findings of the rules at places that reports can show; the kernels by
//! architecture, as a table, JSON or a page; and what a release adds and loses. Knows neither the terminal nor how files
//! are read.

mod findings;
mod inventory;
mod table;
mod json;
mod page;
mod difference;

pub use difference::{Difference, difference};
pub use findings::audit;
pub use inventory::{Cell, Column, Inventory, Row, inventory};
pub use json::JsonInventory;
pub use page::write_page;
pub use table::write_table;
