//! The tests that look at the program from outside, in one binary: linking it once is quicker than thirty times.
//!
//! `cargo test --test all corpus::` runs those of one file. `browser.rs`, `editors.rs` and `campaign.rs` need what not
//! every machine has, or hours: they are binaries of their own, which run only when they are asked for.

mod audit;
mod cards;
mod clang_notation;
mod cli;
mod cmake_notation;
mod config;
mod contributing;
mod corpus;
mod custom;
mod dump;
mod fix;
mod folders;
mod golden;
mod hostile;
mod include_search;
mod layering;
mod limits;
mod lsp;
mod nv_target;
mod nvcc_notation;
mod nvcc_options;
mod patterns;
mod predefined;
mod preprocess_differential;
mod preprocess_passes;
mod programs;
mod ptx_table;
mod queries;
mod readme;
mod report;
mod sarif;
mod triage;
mod two_steps;
mod vscode;
