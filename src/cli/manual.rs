//! The commands `completions` and `man`, generated from the command line's definition.

use std::io::{Write, stdout};

use clap::CommandFactory;
use clap_complete::Shell;

use super::arguments::Arguments;
use super::words::completed;
use super::{Failure, exit_code};

/// Runs `completions`: prints a shell's completion script.
pub(super) fn completions(shell: Shell) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut completed(), "cuda-arch-lint", &mut text);
    stdout().lock().write_all(&text)?;
    Ok(exit_code::CLEAN)
}

/// Runs `man`: prints the manual page of the program, followed by that of each command.
pub(super) fn man() -> Result<u8, Failure> {
    let mut text = Vec::new();
    let command = Arguments::command();
    let page = clap_mangen::Man::new(command.clone());
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    writeln!(
        text,
        ".SH SYNOPSIS\n\\fBcuda\\-arch\\-lint\\fR [\\fIcommand\\fR] [\\fIoption\\fR ...] [\\fIpath\\fR ...]"
    )?;
    page.render_description_section(&mut text)?;
    writeln!(text, ".SH COMMANDS")?;
    let commands: Vec<&clap::Command> = command.get_subcommands().filter(|one| !one.is_hide_set()).collect();
    for command in &commands {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(text, ".TP\n\\fB{}\\fR\n{}", escaped(command.get_name()), escaped(&about))?;
    }
    for command in commands {
        let name = format!("cuda-arch-lint {}", command.get_name());
        writeln!(text, ".SH \"{}\"", escaped(&name.to_uppercase()))?;
        let man = clap_mangen::Man::new(command.clone().bin_name(name));
        man.render_synopsis_section(&mut text)?;
        man.render_options_section(&mut text)?;
    }
    writeln!(text, ".SH \"EXIT STATUS\"")?;
    for (code, meaning) in exit_code::TABLE {
        writeln!(text, ".TP\n\\fB{code}\\fR\n{}", escaped(meaning))?;
    }
    writeln!(text, ".SH \"SEE ALSO\"\n{}", escaped(env!("CARGO_PKG_REPOSITORY")))?;
    stdout().lock().write_all(&text)?;
    Ok(exit_code::CLEAN)
}

/// Escapes a text for roff: backslashes, hyphens, and characters that begin a request.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
