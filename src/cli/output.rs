//! Where reports go: standard output, and files that are complete or not there.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use codespan_reporting::term::termcolor::{BufferedStandardStream, ColorChoice, NoColor};

use crate::report::{FORMATS, Format, Report};

use super::Failure;
use super::arguments::Color;

/// A report to write.
#[derive(Clone, Debug)]
pub struct Output {
    /// How.
    pub format: &'static Format,
    /// Where.
    pub to: To,
}

/// Where a report goes.
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

    /// `FORMAT:FILE`; `-` is standard output.
    fn from_str(text: &str) -> Result<Output, String> {
        let Some((format, path)) = text.split_once(':').filter(|(_, path)| !path.is_empty()) else {
            return Err("it has the form FORMAT:FILE, such as sarif:report.sarif or json:-".into());
        };
        let to = if path == "-" { To::Stdout } else { To::File(path.into()) };
        Ok(Output { format: format_named(format)?, to })
    }
}

/// The format of that name.
pub(super) fn format_named(name: &str) -> Result<&'static Format, String> {
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        format!("unknown format `{name}`; known are {}", names.join(", "))
    })
}

/// Says before the work begins which output could not be written after it.
pub(super) fn check(outputs: &[Output]) -> Result<(), Failure> {
    if outputs.iter().filter(|output| output.to == To::Stdout).count() > 1 {
        return Err(Failure::Usage {
            message: "two reports for standard output".into(),
            help: "give one of them a file: `--output sarif:report.sarif`".into(),
        });
    }
    for output in outputs {
        let To::File(path) = &output.to else { continue };
        let directory = directory_of(path);
        if !directory.is_dir() || path.is_dir() {
            return Err(Failure::Usage {
                message: format!("failed to write `{}`: no such directory, or it is one", path.display()),
                help: format!("create `{}` first", directory.display()),
            });
        }
    }
    Ok(())
}

/// Writes a report.
pub(super) fn write(report: &Report<'_>, output: &Output, color: Color) -> Result<(), Failure> {
    match &output.to {
        To::Stdout => {
            let mut out = BufferedStandardStream::stdout(color_choice(color, &io::stdout()));
            (output.format.write)(report, &mut out)?;
        }
        To::Stderr => {
            let mut out = BufferedStandardStream::stderr(color_choice(color, &io::stderr()));
            (output.format.write)(report, &mut out)?;
        }
        To::File(path) => write_file(path, |out| (output.format.write)(report, &mut NoColor::new(out)))
            .map_err(|error| Failure::File { path: path.clone(), error })?,
    }
    Ok(())
}

/// Writes a file all or not at all: what is at `path` stays until the new text is complete. A pipe or a device
/// is written to as it is.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if path.exists() && !path.is_file() {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    // What stands behind a symbolic link is replaced, not the link.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut file = new_file(&path)?;
    let mut out = BufWriter::new(file.as_file_mut());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(unix)]
fn new_file(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    // The permissions of any new file; the process's umask takes from them.
    let permissions = std::fs::Permissions::from_mode(0o666);
    tempfile::Builder::new()
        .prefix(".cuda-arch-lint-")
        .permissions(permissions)
        .tempfile_in(directory_of(path))
}

#[cfg(not(unix))]
fn new_file(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(".cuda-arch-lint-").tempfile_in(directory_of(path))
}

fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_path_buf(),
        None => PathBuf::from("/"),
    }
}

/// The columns of the terminal that standard output is; `None` if it is none.
pub(super) fn terminal_width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0))
}

/// `NO_COLOR` (<https://no-color.org>) and dumb terminals are termcolor's business.
fn color_choice(color: Color, stream: &impl IsTerminal) -> ColorChoice {
    match color {
        Color::Always => ColorChoice::Always,
        Color::Auto if stream.is_terminal() => ColorChoice::Auto,
        Color::Auto | Color::Never => ColorChoice::Never,
    }
}
