//! Which targets a unit is compiled for: those the user names, else those of its command, else all.

use std::path::{Path, PathBuf};

use crate::target::notation::{self, Ccmap, Reading, read_list};
use crate::target::{
    Context, CudaCompiler, Gfx, Options, Passes, TargetError, TargetList, TooManyPasses, Toolkit,
};

use super::command::Command;
use super::compilers::Compilers;
use super::devices::devices;
use super::discover::{ProjectError, Settings};
use super::unit::TargetOrigin;

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
    let Targets { requested, all } = Targets::new(&settings.targets, toolkit)?;
    Ok(Requested { list: requested.unwrap_or(all), toolkit })
}

/// What decides the targets of a run.
pub(super) struct Targets {
    /// Those the user named.
    requested: Option<TargetList>,
    /// Every architecture of the toolkit in force.
    all: TargetList,
}

/// The targets of one unit.
pub(super) struct Chosen {
    /// Its passes.
    pub(super) passes: Passes,
    /// The same with their images.
    pub(super) list: TargetList,
    /// Where they were read.
    pub(super) origin: TargetOrigin,
    /// What its command says wrongly.
    pub(super) errors: Vec<TargetError>,
}

impl Targets {
    /// Reads what the user named, `toolkit` in force.
    pub(super) fn new(lists: &[String], toolkit: Toolkit) -> Result<Targets, ProjectError> {
        let context = context(toolkit);
        let mut requested = TargetList::default();
        for list in lists {
            requested.extend(&read_list(list, &context).strict()?);
        }
        Passes::new(&requested.passes)?;
        let all = read_list("all", &context).strict()?;
        Ok(Targets { requested: (!lists.is_empty()).then_some(requested), all })
    }

    /// Those of a unit with a command of its own.
    pub(super) fn of_command(
        &self,
        command: &Command,
        options: &Options,
        database: &Path,
    ) -> Result<Chosen, TooManyPasses> {
        let mut reading = command.targets(&context(toolkit(options))).unwrap_or_default();
        match ccmap_of(command) {
            Ok(Some(ccmap)) => reading.list.map(&ccmap),
            Ok(None) => {}
            Err(error) => reading.errors.push(error),
        }
        self.choose(reading, Some(database))
    }

    /// Those of a unit without one: all that the others have.
    pub(super) fn of_commands(
        &self,
        commands: &[Command],
        options: &Options,
        database: Option<&Path>,
    ) -> Result<Chosen, TooManyPasses> {
        let context = context(toolkit(options));
        let mut reading = Reading::default();
        for one in commands.iter().filter_map(|command| command.targets(&context)) {
            reading.list.extend(&one.list);
        }
        self.choose(reading, database)
    }

    fn choose(&self, reading: Reading, database: Option<&Path>) -> Result<Chosen, TooManyPasses> {
        let (list, origin) = match (&self.requested, database) {
            (Some(requested), _) => (requested.clone(), TargetOrigin::CommandLine),
            (None, Some(database)) if !reading.list.passes.is_empty() => {
                (reading.list, TargetOrigin::Database(database.to_path_buf()))
            }
            (None, _) => (self.all.clone(), TargetOrigin::Default),
        };
        Ok(Chosen { passes: Passes::new(&list.passes)?, list, origin, errors: reading.errors })
    }
}

/// The map that SCALE's compiler uses; its nvcc below `targets/gfx1100` has one of its own.
fn ccmap_of(command: &Command) -> Result<Option<Ccmap>, TargetError> {
    let variable = std::env::var_os(notation::VARIABLE).filter(|_| command.nvcc).map(PathBuf::from);
    let program = Path::new(&command.program);
    let search = notation::compiler_search(command.ccmap.as_deref(), variable.as_deref(), program);
    let help = "a line is a GPU, or a GPU, a blank and a compute capability: `gfx1030 86`";
    let found = notation::find(&search).map_err(|error| TargetError::new(error.to_string(), help))?;
    let own = || {
        let mut parts = command.program.split(['/', '\\']).rev();
        let (_, bin, gpu, targets) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        (bin == "bin" && targets == "targets").then(|| Gfx::parse(gpu)).flatten().map(Ccmap::wildcard)
    };
    Ok(found.map(|(_, ccmap)| ccmap).or_else(own))
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
