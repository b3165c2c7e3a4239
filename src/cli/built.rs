//! What was built, for the commands that look at it: artifacts at paths, what could not be read of them, and the targets
//! that they name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::artifact::{Read, Unread, read};
use crate::project::{HEADER_EXTENSIONS, SOURCE_EXTENSIONS, discover};
use crate::report::Problem;
use crate::source::Sources;
use crate::target::{Arch, ImageKind};

use super::Failure;
use super::resolve::Run;

/// The artifacts at `paths`.
///
/// # Errors
/// When a path does not exist or is a source, or none holds device code.
pub(super) fn artifacts(paths: &[PathBuf]) -> Result<Read, Failure> {
    if let Some(path) = paths.iter().find(|path| !path.exists()) {
        let is_format = ["table", "json", "html"].contains(&&*path.to_string_lossy());
        let help = match is_format {
            true => format!("a format of the list is given with an equals sign: `--list={}`", path.display()),
            false => "name what was built: objects, libraries, executables, packages".to_string(),
        };
        return Err(Failure::Usage {
            message: format!("no such file or directory: `{}`", path.display()),
            help,
        });
    }
    if let Some(path) = paths.iter().find(|path| is_source(path)) {
        return Err(Failure::Usage {
            message: format!("`{}` is a source, and nothing that was built", path.display()),
            help: format!("sources are looked at by `check`: cuda-arch-lint check {}", path.display()),
        });
    }
    let read = read(paths);
    if read.artifacts.is_empty() && read.problems.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return Err(Failure::Usage {
            message: format!("no device code in {}", names.join(", ")),
            help: "sources are looked at by `check`".into(),
        });
    }
    Ok(read)
}

/// Whether a path has the name of a source or a header. A directory may be called as it likes.
fn is_source(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let mut endings = SOURCE_EXTENSIONS.iter().chain(HEADER_EXTENSIONS);
    endings.any(|ending| name.ends_with(ending)) && !path.is_dir()
}

/// What could not be read.
pub(super) fn problems(read: &Read) -> Vec<Problem> {
    let problem = |one: &Unread| Problem {
        path: one.path.clone(),
        message: one.message.clone(),
        at: None,
        incomplete: true,
    };
    read.problems.iter().map(problem).collect()
}

/// The targets of sources of which nothing else names any are those of the images.
///
/// # Errors
/// Those of the search for sources.
pub(super) fn take_targets(run: &mut Run, read: &Read, sources: &Sources) -> Result<(), Failure> {
    if !run.settings.targets.is_empty() {
        return Ok(());
    }
    let project = discover(&run.paths, &run.settings, sources)?;
    if project.all_units().iter().any(|unit| unit.origin.is_chosen()) {
        return Ok(());
    }
    let images =
        read.artifacts.iter().flat_map(|artifact| &artifact.modules).flat_map(|module| &module.images);
    let archs: BTreeSet<Arch> =
        images.filter(|image| image.kind != ImageKind::Lto).map(|image| image.arch).collect();
    run.settings.targets = archs.iter().map(|arch| arch.to_string()).collect();
    run.arch_source = "the images".into();
    Ok(())
}
