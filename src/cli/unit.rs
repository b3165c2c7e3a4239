//! Finds the unit, and the pass, that a command is about.

use std::path::Path;

use crate::project::{TranslationUnit, discover};
use crate::source::Sources;
use crate::target::parse_arch_list;

use super::Failure;
use super::arguments::BuildArguments;
use super::resolve::settings;

/// The unit whose main file is `file`, and the number of the named pass in it. If the file is compiled in several
/// ways, the first unit that has the pass. `80`, `sm_80` and `compute_80` name the same pass.
pub(super) fn unit_of(
    file: &Path,
    build: &BuildArguments,
    pass: Option<&str>,
    sources: &Sources,
) -> Result<(TranslationUnit, Option<usize>), Failure> {
    let project = discover(&[file.to_path_buf()], &settings(build)?, sources)?;
    let units = project.all_units();
    let Some(name) = pass else {
        let first = units.into_iter().next();
        return Ok((first.expect("discover gives at least one unit"), None));
    };
    let wanted = match parse_arch_list(name) {
        Ok(archs) if archs.len() == 1 => archs[0].sm_name(),
        _ => name.to_string(),
    };
    let mut known: Vec<String> = Vec::new();
    for unit in units {
        let names = unit.passes.names(unit.passes.all());
        if let Some(number) = names.iter().position(|known| *known == wanted) {
            return Ok((unit, Some(number)));
        }
        known.extend(names.into_iter().filter(|name| !known.contains(name)).collect::<Vec<_>>());
    }
    Err(Failure::Usage {
        message: format!("the file has no pass `{name}`"),
        help: format!("its passes are {}; `--arch` chooses others", known.join(", ")),
    })
}
