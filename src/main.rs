//! The command line's entry point.

use std::process::ExitCode;

fn main() -> ExitCode {
    cuda_arch_lint::cli::run(std::env::args_os())
}
