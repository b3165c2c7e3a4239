//! Which targets a unit is compiled for: those the user names, else those of its command, else all.

use std::path::{Path, PathBuf};

use crate::target::notation::{self, Ccmap, Reading, read_list};
use crate::target::{
    Context, CudaCompiler, Gfx, Options, Passes, TargetError, TargetList, TooManyPasses, Toolkit,
};

use super::build_files::BuildFiles;
use super::command::Command;
use super::compilers::{Compiled, Compilers};
use super::database::Compilation;
use super::devices::devices;
use super::discover::{ProjectError, Settings};
use super::unit::{Statement, TargetOrigin};

/// Targets that were named without a project, and the toolkit in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requested {
    /// The targets.
    pub list: TargetList,
    /// The release that was asked for, that of the toolkit found, or 13.0.
    pub toolkit: Toolkit,
}

/// What the settings alone name; without any targets, every architecture of the toolkit.
///
/// # Errors
/// When a target or the toolkit is unknown.
pub fn requested_targets(settings: &Settings) -> Result<Requested, ProjectError> {
    let toolkit = Compilers::new(settings, &[PathBuf::from(".")])?.release();
    let Targets { requested, all, .. } = Targets::new(&settings.targets, toolkit, &[])?;
    Ok(Requested { list: requested.unwrap_or(all), toolkit })
}

/// What decides the targets of a run.
pub(super) struct Targets {
    /// Those the user named.
    requested: Option<TargetList>,
    /// Every architecture of the toolkit in force.
    all: TargetList,
    /// What names them where no command does.
    build_files: BuildFiles,
    /// All that the database compiles is looked at.
    pub(super) complete: bool,
}

/// The targets of one unit.
pub(super) struct Chosen {
    /// Its passes.
    pub(super) passes: Passes,
    /// The same with their images.
    pub(super) list: TargetList,
    /// Where they were read.
    pub(super) origin: TargetOrigin,
    /// The words that name them, if a build does.
    pub(super) stated: Option<Statement>,
    /// What its command says wrongly.
    pub(super) errors: Vec<TargetError>,
}

impl Targets {
    /// Reads what the user named, `toolkit` in force, for sources under `roots`.
    pub(super) fn new(
        lists: &[String],
        toolkit: Toolkit,
        roots: &[PathBuf],
    ) -> Result<Targets, ProjectError> {
        let context = context(toolkit);
        let mut requested = TargetList::default();
        for list in lists {
            requested.extend(&read_list(list, &context).strict()?);
        }
        if let Some(ccmap) = named_map()? {
            requested.map(&ccmap);
        }
        requested.to_passes()?;
        let all = read_list("all", &context).strict()?;
        Ok(Targets {
            requested: (!lists.is_empty()).then_some(requested),
            all,
            build_files: BuildFiles::new(roots),
            complete: false,
        })
    }

    /// Those of a unit with a command of its own.
    pub(super) fn of_command(
        &self,
        compilation: &Compilation,
        compiled: &Compiled,
        database: &Path,
    ) -> Result<Chosen, TooManyPasses> {
        let command = &compilation.command;
        let mut reading = command.targets(&context(toolkit(&compiled.options))).unwrap_or_default();
        match ccmap_of(command) {
            Ok(Some(ccmap)) => reading.list.map(&ccmap),
            Ok(None) => {}
            Err(error) => reading.errors.push(error),
        }
        let stated = Statement {
            path: database.to_path_buf(),
            bytes: compilation.bytes.clone(),
            toolkit: compiled.toolkit,
            complete: self.complete,
        };
        let origin = TargetOrigin::Database(database.to_path_buf());
        self.choose(reading, origin, Some(stated))
    }

    /// Those of a source without one: all that the others have, or what a build file names.
    pub(super) fn of_commands(
        &self,
        file: &Path,
        commands: &[Command],
        compiled: &Compiled,
        database: Option<&Path>,
    ) -> Result<Chosen, TooManyPasses> {
        let context = context(toolkit(&compiled.options));
        let mut reading = Reading::default();
        for one in commands.iter().filter_map(|command| command.targets(&context)) {
            reading.list.extend(&one.list);
        }
        let (None, None) = (database, &self.requested) else {
            let origin = database.map_or(TargetOrigin::Default, |path| TargetOrigin::Database(path.into()));
            return self.choose(reading, origin, None);
        };
        let Some(named) = self.build_files.targets_of(file, &context) else {
            return self.choose(reading, TargetOrigin::Default, None);
        };
        reading.list = named.list;
        let stated = Statement {
            path: named.path.clone(),
            bytes: named.bytes,
            toolkit: compiled.toolkit,
            complete: self.build_files.covers(&named.path),
        };
        self.choose(reading, TargetOrigin::BuildFile(named.path), Some(stated))
    }

    /// What the user named, else what was read, else all.
    fn choose(
        &self,
        reading: Reading,
        origin: TargetOrigin,
        stated: Option<Statement>,
    ) -> Result<Chosen, TooManyPasses> {
        let (list, origin, stated) = match &self.requested {
            Some(requested) => (requested.clone(), TargetOrigin::CommandLine, None),
            None if reading.list.is_empty() => (self.all.clone(), TargetOrigin::Default, None),
            None => (reading.list, origin, stated),
        };
        Ok(Chosen { passes: list.to_passes()?, list, origin, stated, errors: reading.errors })
    }
}

/// The map that the environment names; SCALE's compiler takes it in every build.
fn named_map() -> Result<Option<Ccmap>, TargetError> {
    let variable = std::env::var_os(notation::VARIABLE).map(PathBuf::from);
    found(&notation::compiler_search(None, variable.as_deref(), Path::new("")))
}

fn found(search: &[notation::Search]) -> Result<Option<Ccmap>, TargetError> {
    let help = "a line is a GPU, or a GPU, a blank and a compute capability: `gfx1030 86`";
    let found = notation::find(search).map_err(|error| TargetError::new(error.to_string(), help))?;
    Ok(found.map(|(_, ccmap)| ccmap))
}

/// The map that SCALE's compiler uses; its nvcc below `targets/gfx1100` has one of its own.
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

/// The toolkit of a unit's compiler; for clang's the default.
fn toolkit(options: &Options) -> Toolkit {
    match options.cuda {
        CudaCompiler::Nvcc(toolkit) => toolkit,
        CudaCompiler::Clang => Toolkit::default(),
    }
}

fn context(toolkit: Toolkit) -> Context {
    Context { toolkit, devices }
}
