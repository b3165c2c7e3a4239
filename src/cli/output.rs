//! Writes reports to standard output and to files. A file is written completely or not at all.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use codespan_reporting::term::termcolor::{BufferedStandardStream, ColorChoice, NoColor};

use crate::project::{HEADER_EXTENSIONS, SOURCE_EXTENSIONS};
use crate::report::{FORMATS, Format, Printed, Report};

use super::Failure;

/// A report to write.
#[derive(Clone, Debug)]
pub struct Output {
    /// The format.
    pub format: &'static Format,
    /// The destination.
    pub to: To,
}

/// The destination of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum To {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file.
    File(PathBuf),
}

impl FromStr for Output {
    type Err = String;

    /// Parses `FORMAT:FILE`; `-` is standard output.
    fn from_str(text: &str) -> Result<Output, String> {
        let Some((format, path)) = text.split_once(':').filter(|(_, path)| !path.is_empty()) else {
            return Err("the form is FORMAT:FILE, such as sarif:report.sarif or json:-".into());
        };
        let to = if path == "-" { To::Stdout } else { To::File(path.into()) };
        Ok(Output { format: format_named(format)?, to })
    }
}

/// The format with this name.
pub(super) fn format_named(name: &str) -> Result<&'static Format, String> {
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        format!("unknown format `{name}`; the formats are {}", names.join(", "))
    })
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// In a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Checks that all outputs can be written, before the analysis begins.
pub(super) fn check(outputs: &[Output]) -> Result<(), Failure> {
    if outputs.iter().filter(|output| output.to == To::Stdout).count() > 1 {
        return Err(Failure::Usage {
            message: "two reports go to standard output".into(),
            help: "write one of them to a file: `--output sarif:report.sarif`".into(),
        });
    }
    let mut places = BTreeSet::new();
    for output in outputs {
        let To::File(path) = &output.to else { continue };
        let directory = directory_of(path);
        if !directory.is_dir() || path.is_dir() {
            return Err(Failure::Usage {
                message: format!(
                    "failed to write `{}`: its directory does not exist, or it is a directory itself",
                    path.display()
                ),
                help: format!("create `{}` first", directory.display()),
            });
        }
        let ends = |known: &[&str]| known.iter().any(|ending| path.to_string_lossy().ends_with(ending));
        if path.is_file() && (ends(SOURCE_EXTENSIONS) || ends(HEADER_EXTENSIONS)) {
            return Err(Failure::Usage {
                message: format!("`{}` is a source file, which a report would replace", path.display()),
                help: "write the report to a file of another name: `--output sarif:report.sarif`".into(),
            });
        }
        if !places.insert(resolved(path)) {
            return Err(Failure::Usage {
                message: format!("two reports go to `{}`", path.display()),
                help: "write each report to a file of its own".into(),
            });
        }
        if !is_stream(path) {
            new_file(path).map_err(|error| Failure::Usage {
                message: format!("failed to write `{}`: {error}", path.display()),
                help: format!(
                    "a report is written beside its place and moved there when it is complete, so files must be \
                     allowed in `{}`",
                    directory.display()
                ),
            })?;
        }
    }
    Ok(())
}

/// The path with symbolic links resolved; the file need not exist.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let directory = directory_of(path).canonicalize().unwrap_or_else(|_| directory_of(path));
    path.canonicalize().unwrap_or_else(|_| directory.join(path.file_name().unwrap_or_default()))
}

/// Writes reports, files first: the reader of standard output may close it before the end. Standard output has some findings
/// already.
pub(super) fn write_all(
    report: &mut Report<'_>,
    outputs: &[Output],
    color: Color,
    printed: &Printed,
) -> Result<(), Failure> {
    let (files, streams): (Vec<&Output>, Vec<&Output>) =
        outputs.iter().partition(|output| matches!(output.to, To::File(_)));
    let mut outcome = Ok(());
    for output in files.into_iter().chain(streams) {
        report.layout.printed = if output.to == To::Stdout { printed.clone() } else { Printed::default() };
        outcome = outcome.and(write(report, output, color));
    }
    outcome
}

fn write(report: &mut Report<'_>, output: &Output, color: Color) -> Result<(), Failure> {
    match &output.to {
        To::Stdout => {
            let choice = color_choice(color, &io::stdout());
            let mut out = BufferedStandardStream::stdout(choice);
            report.layout.width = terminal_size::terminal_size_of(io::stdout()).map(columns);
            report.layout.links = shows_links(choice, &io::stdout());
            (output.format.write)(report, &mut out)?;
        }
        To::Stderr => {
            let choice = color_choice(color, &io::stderr());
            let mut out = BufferedStandardStream::stderr(choice);
            report.layout.width = terminal_size::terminal_size_of(io::stderr()).map(columns);
            report.layout.links = shows_links(choice, &io::stderr());
            (output.format.write)(report, &mut out)?;
        }
        To::File(path) => {
            (report.layout.width, report.layout.links) = (None, false);
            write_file(path, |out| (output.format.write)(report, &mut NoColor::new(out)))
                .map_err(|error| Failure::File { path: path.clone(), error })?;
        }
    }
    Ok(())
}

/// Replaces a file atomically: the old contents stay until the new ones are complete. Pipes and devices are written
/// directly.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if is_stream(path) {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    // If the path is a symbolic link, the file that it points to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut file = new_file(&path)?;
    let mut out = BufWriter::new(file.as_file_mut());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether the path is a pipe or a device.
fn is_stream(path: &Path) -> bool {
    path.exists() && !path.is_file()
}

/// A temporary file beside `path`, deleted when dropped. Errors mention `path`, which the user knows.
fn new_file(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of a new file, from which the umask is subtracted.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory_of(path)).map_err(|error| error.kind().into())
}

/// The prefix of temporary files' names.
pub(super) const TEMPORARY: &str = ".cuda-arch-lint-";

fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_path_buf(),
        None => PathBuf::from("/"),
    }
}

fn columns((width, _): (terminal_size::Width, terminal_size::Height)) -> usize {
    usize::from(width.0)
}

/// Whether names of files are links: on a terminal that has colours. CI systems keep what they show.
fn shows_links(choice: ColorChoice, stream: &impl IsTerminal) -> bool {
    let set = |name: &str| std::env::var_os(name);
    let dumb = set("TERM").is_none_or(|term| term == "dumb" || term == "linux");
    choice != ColorChoice::Never && stream.is_terminal() && !dumb && set("CI").is_none()
}

/// Whether to use colours on a stream: as the option says, else as `NO_COLOR` (<https://no-color.org>),
/// `CLICOLOR_FORCE` and `FORCE_COLOR` (<https://bixense.com/clicolors>, <https://force-color.org>) say, else if it
/// is a terminal. termcolor handles terminals without colours.
fn color_choice(color: Color, stream: &impl IsTerminal) -> ColorChoice {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let forced = |name: &str| set(name) && std::env::var_os(name).is_some_and(|value| value != "0");
    match color {
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
        Color::Auto if set("NO_COLOR") => ColorChoice::Never,
        Color::Auto if forced("CLICOLOR_FORCE") || forced("FORCE_COLOR") => ColorChoice::Always,
        Color::Auto if stream.is_terminal() => ColorChoice::Auto,
        Color::Auto => ColorChoice::Never,
    }
}
