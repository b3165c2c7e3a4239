//! The command line's entry point.
fn main() {}
