//! Shell completions and the manual page, from the command line's definition.

use std::io::{Write, stdout};

use clap::CommandFactory;
use clap_complete::Shell;

use super::arguments::Arguments;
use super::{Failure, exit_code};

/// Prints the completion script of a shell.
pub(super) fn completions(shell: Shell) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "cuda-arch-lint", &mut text);
    stdout().lock().write_all(&text)?;
    Ok(exit_code::CLEAN)
}

/// Prints the manual page: the program's, then each command's.
pub(super) fn man() -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut text)?;
    for command in Arguments::command().get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("cuda-arch-lint {}", command.get_name());
        writeln!(text, ".SH \"{}\"", name.to_uppercase())?;
        let man = clap_mangen::Man::new(command.clone().bin_name(name));
        man.render_synopsis_section(&mut text)?;
        man.render_options_section(&mut text)?;
    }
    stdout().lock().write_all(&text)?;
    Ok(exit_code::CLEAN)
}
