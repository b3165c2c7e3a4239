//! The targets of each unit: those that the user names, else those of its command or build file, else all.

use std::path::{Path, PathBuf};

use crate::target::notation::{self, Ccmap, ParsedTargets, read_list};
use crate::target::{
    Context, CudaCompiler, Gfx, Options, Passes, TargetError, TargetList, TooManyPasses, Toolkit,
};

use super::build_files::{BuildFiles, BuildTargets};
use super::command::Command;
use super::compilers::{Compiled, Compilers};
use super::database::Compilation;
use super::devices::devices;
use super::settings::{ProjectError, Settings};
use super::unit::{Statement, TargetOrigin};

/// The targets of a run without sources, and the toolkit in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestedTargets {
    /// The targets.
    pub list: TargetList,
    /// The toolkit: of the release that the user asks for, else the installed one, else 13.0.
    pub toolkit: Toolkit,
}

/// The targets that the settings name; every architecture of the toolkit if they name none.
///
/// # Errors
/// If a target or the toolkit release is unknown.
pub fn requested_targets(settings: &Settings) -> Result<RequestedTargets, ProjectError> {
    let compilers = Compilers::new(settings, &[PathBuf::from(".")])?;
    let Targets { requested, all, .. } = Targets::new(settings, &compilers, &[])?;
    Ok(RequestedTargets { list: requested.unwrap_or(all), toolkit: compilers.release() })
}

/// The information about targets that all units of a run share.
pub(super) struct Targets {
    /// The targets that the user names.
    requested: Option<TargetList>,
    /// Every architecture of the toolkit in force.
    all: TargetList,
    /// The build files, for sources without a command.
    build_files: BuildFiles,
    /// Whether all units of the database are analysed in this run.
    pub(super) complete: bool,
}

/// The targets of one unit.
pub(super) struct UnitTargets {
    /// The passes.
    pub(super) passes: Passes,
    /// The targets with their images.
    pub(super) list: TargetList,
    /// Where the targets come from.
    pub(super) origin: TargetOrigin,
    /// The place in the build that names them, if there is one.
    pub(super) stated: Option<Statement>,
    /// The errors in its command.
    pub(super) errors: Vec<TargetError>,
}

impl Targets {
    /// Reads the targets that the user names, as targets or in options that every command gets, for sources under `roots`.
    pub(super) fn new(
        settings: &Settings,
        compilers: &Compilers<'_>,
        roots: &[PathBuf],
    ) -> Result<Targets, ProjectError> {
        let context = context(compilers.release());
        let mut requested = TargetList::default();
        let given = compilers.given().targets(&context).filter(|_| settings.targets.is_empty());
        let named = given.is_some() || !settings.targets.is_empty();
        if let Some(given) = given {
            requested.extend(&given.strict()?);
        }
        for list in &settings.targets {
            let asks = |word: &str| word.trim() == "native";
            if list.split(is_separator).any(asks) && devices().is_empty() {
                return Err(TargetError::new(
                    "`native` stands for this machine's GPUs, and the driver reports none",
                    "name the targets: `--arch 80,90`",
                )
                .into());
            }
            requested.extend(&read_list(list, &context).strict()?);
        }
        if let Some(ccmap) = named_map()? {
            requested.map(&ccmap);
        }
        requested.to_passes()?;
        let all = read_list("all", &context).strict()?;
        Ok(Targets {
            requested: named.then_some(requested),
            all,
            build_files: BuildFiles::new(roots, compilers.release()),
            complete: false,
        })
    }

    /// The targets of a unit that has a compile command.
    pub(super) fn of_command(
        &self,
        compilation: &Compilation,
        compiled: &Compiled,
        database: &Path,
    ) -> Result<UnitTargets, TooManyPasses> {
        let command = &compilation.command;
        let mut parsed = command.targets(&context(toolkit(&compiled.options))).unwrap_or_default();
        match ccmap_of(command) {
            Ok(Some(ccmap)) => parsed.list.map(&ccmap),
            Ok(None) => {}
            Err(error) => parsed.errors.push(error),
        }
        let stated = Statement {
            path: database.to_path_buf(),
            bytes: compilation.bytes.clone(),
            toolkit: compiled.toolkit,
            complete: self.complete,
        };
        let origin = TargetOrigin::Database(database.to_path_buf());
        self.choose(parsed, origin, Some(stated))
    }

    /// The targets of a source that has no command: those of all other commands, or those of a build file.
    pub(super) fn of_commands(
        &self,
        file: &Path,
        commands: &[Command],
        compiled: &Compiled,
        database: Option<&Path>,
    ) -> Result<UnitTargets, TooManyPasses> {
        let context = context(toolkit(&compiled.options));
        let mut parsed = ParsedTargets::default();
        for one in commands.iter().filter_map(|command| command.targets(&context)) {
            parsed.list.extend(&one.list);
        }
        let (None, None) = (database, &self.requested) else {
            let origin = database.map_or(TargetOrigin::Default, |path| TargetOrigin::Database(path.into()));
            return self.choose(parsed, origin, None);
        };
        let Some(named) = self.build_files.targets_of(file, &context) else {
            return self.choose(parsed, TargetOrigin::Default, None);
        };
        let (path, bytes) = match named {
            BuildTargets::File { path, bytes, list } => {
                parsed.list = list;
                (path, bytes)
            }
            BuildTargets::Environment(found) => {
                parsed.list = found.list;
                return self.choose(parsed, TargetOrigin::Environment(found.variable), None);
            }
            BuildTargets::Torch { path, list } => {
                parsed.list = list;
                return self.choose(parsed, TargetOrigin::Torch(path), None);
            }
        };
        let stated = Statement {
            path: path.clone(),
            bytes,
            toolkit: compiled.toolkit,
            complete: self.build_files.covers(&path),
        };
        self.choose(parsed, TargetOrigin::BuildFile(path), Some(stated))
    }

    /// The targets that the user names, else those that were read, else all.
    fn choose(
        &self,
        parsed: ParsedTargets,
        origin: TargetOrigin,
        stated: Option<Statement>,
    ) -> Result<UnitTargets, TooManyPasses> {
        let (list, origin, stated) = match &self.requested {
            Some(requested) => (requested.clone(), TargetOrigin::CommandLine, None),
            None if parsed.list.is_empty() => (self.all.clone(), TargetOrigin::Default, None),
            None => (parsed.list, origin, stated),
        };
        Ok(UnitTargets { passes: list.to_passes()?, list, origin, stated, errors: parsed.errors })
    }
}

/// The map that the environment names, which SCALE's compiler uses in every build.
fn named_map() -> Result<Option<Ccmap>, TargetError> {
    let variable = std::env::var_os(notation::VARIABLE).map(PathBuf::from);
    found(&notation::compiler_search(None, variable.as_deref(), Path::new("")))
}

fn found(search: &[notation::Search]) -> Result<Option<Ccmap>, TargetError> {
    let help = "a line is a GPU, or a GPU, a blank and a compute capability: `gfx1030 86`";
    let found = notation::find(search).map_err(|error| TargetError::new(error.to_string(), help))?;
    Ok(found.map(|(_, ccmap)| ccmap))
}

/// The map that SCALE's compiler uses for a command. Each nvcc in `targets/gfx1100` has a map of its own.
fn ccmap_of(command: &Command) -> Result<Option<Ccmap>, TargetError> {
    let variable = std::env::var_os(notation::VARIABLE).filter(|_| command.nvcc).map(PathBuf::from);
    let program = Path::new(&command.program);
    let search = notation::compiler_search(command.ccmap.as_deref(), variable.as_deref(), program);
    let found = found(&search)?;
    let own = || {
        let mut parts = command.program.split(['/', '\\']).rev();
        let (_, bin, gpu, targets) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        (bin == "bin" && targets == "targets").then(|| Gfx::parse(gpu)).flatten().map(Ccmap::wildcard)
    };
    Ok(found.or_else(own))
}

/// The toolkit of a unit's compiler; the default toolkit for clang.
fn toolkit(options: &Options) -> Toolkit {
    match options.cuda {
        CudaCompiler::Nvcc(toolkit) => toolkit,
        CudaCompiler::Clang => Toolkit::default(),
    }
}

/// Whether a character separates the targets of a list, in any notation.
fn is_separator(c: char) -> bool {
    matches!(c, ',' | ';') || c.is_whitespace()
}

fn context(toolkit: Toolkit) -> Context {
    Context { toolkit, devices }
}
