//! Combines a source's compile command with the user's settings: the result is the options that predefine macros and
//! the include path.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::target::{CudaCompiler, Family, HostCompiler, Machine, Options, Standard, Toolkit, family_of};

use super::command::{Command, read_options};
use super::headers::{StandardHeaders, standard_headers};
use super::paths::tidy;
use super::run_compiler::{CompilerAnswer, query};
use super::settings::{Headers, ProjectError, Settings};
use super::toolkit::{self, SearchPlaces, ToolkitHeaders};
use super::unit::IncludeSearch;

/// The header clang includes before a CUDA source.
const WRAPPER: &str = "__clang_cuda_runtime_wrapper.h";

/// Results of running the user's compiler, by its options.
type Answers = BTreeMap<Vec<String>, Result<Arc<CompilerAnswer>, String>>;

/// The compilers and toolkits of a run.
pub(super) struct Compilers<'a> {
    settings: &'a Settings,
    /// The options in the user's settings, parsed.
    given: Command,
    standard: Option<Standard>,
    /// The toolkit release that the user asks for.
    release: Option<Toolkit>,
    /// The toolkit that the user names, else the one that the environment points to.
    toolkit: Option<ToolkitHeaders>,
    answers: RefCell<Answers>,
}

/// A source's compilation.
pub(super) struct Compiled {
    /// The options that predefine macros.
    pub(super) options: Options,
    /// The include path.
    pub(super) search: IncludeSearch,
    /// The release of nvcc, if the user names it or it was found.
    pub(super) toolkit: Option<Toolkit>,
}

impl<'a> Compilers<'a> {
    /// Looks for installed toolkits. `roots` are the directories of the projects.
    pub(super) fn new(settings: &'a Settings, roots: &[PathBuf]) -> Result<Compilers<'a>, ProjectError> {
        let standard = settings.standard.as_deref().map(Standard::parse).transpose()?;
        let release = settings.cuda_version.as_deref().map(Toolkit::parse).transpose()?;
        let toolkit = match (&settings.cuda_path, settings.headers) {
            (Some(path), _) => Some(toolkit::at(path).ok_or_else(|| ProjectError::NoToolkit(path.clone()))?),
            (None, Headers::BuiltIn) => None,
            // If the user asks for a release, a toolkit of another release must not be used.
            (None, Headers::Installed) => SearchPlaces::of_environment(roots)
                .toolkit()
                .filter(|found| release.is_none() || same_release(found.release, release)),
        };
        let given = read_options(&settings.options, Path::new(""));
        let compilers =
            Compilers { settings, given, standard, release, toolkit, answers: RefCell::default() };
        if settings.compiler.is_some() {
            compilers.of(&Command::default())?;
        }
        Ok(compilers)
    }

    /// The options that the user gives to every command.
    pub(super) fn given(&self) -> &Command {
        &self.given
    }

    /// The compilation of a source with this command; nvcc's defaults if the command is empty.
    pub(super) fn of(&self, command: &Command) -> Result<Compiled, ProjectError> {
        let given = &self.given;
        let nvcc = command.nvcc || family_of(&command.program).is_none();
        let program = match nvcc {
            true => given.host.as_ref().or(command.host.as_ref()).map_or("", String::as_str),
            false => command.program.as_str(),
        };
        let (family, version) = family_of(program).unwrap_or((Family::Gcc, None));
        let machine = given.machine.or(command.machine).or_else(|| Machine::of_triple(name(program)));
        let machine = machine.unwrap_or_default();
        let measured = |version| HostCompiler::nearest(family, version).expect("every family has a member");

        let mut search_options = command.search.clone();
        search_options.extend(given.search.clone());
        let root = search_options.sysroot.clone().unwrap_or_else(|| PathBuf::from("/"));
        let installed = self.settings.headers == Headers::Installed;
        let standard_headers = (installed && !search_options.nostdinc)
            .then(|| standard_headers(&root, measured(version), version, machine))
            .flatten();
        let library = standard_headers.as_ref().map(|headers| headers.gcc);
        let host = measured(version.or(library.filter(|_| family == Family::Gcc)));

        let toolkit = self.toolkit_of(command, search_options.cuda_path.as_deref());
        let release = self.release_of(command, toolkit.as_ref());
        let cuda = match nvcc || family != Family::Clang {
            true => CudaCompiler::Nvcc(release.unwrap_or_default()),
            false => CudaCompiler::Clang,
        };
        let mut options = Options {
            cuda,
            host,
            machine,
            standard: self.standard.or(given.standard).or(command.standard),
            ..Options::default()
        };
        let known = |flag: &&String| options.knows(flag);
        options.flags = command.flags.iter().chain(&given.flags).filter(known).cloned().collect();
        let mut standard_directories =
            standard_headers.as_ref().map_or(Vec::new(), |found| found.directories.clone());
        if let Some(answer) = self.answer(&options)? {
            options.asked = Some(Arc::new(answer.macros.clone()));
            if installed && !search_options.nostdinc {
                standard_directories = answer.directories.clone();
            }
        }

        let tidied = |paths: &[PathBuf]| paths.iter().map(|path| tidy(path)).collect::<Vec<_>>();
        let mut search = IncludeSearch {
            quote: tidied(&search_options.quote),
            directories: tidied(&command.search.directories),
            system: tidied(&search_options.system),
            after: tidied(&search_options.after),
            embed: tidied(&search_options.embed),
            macros: tidied(&search_options.macros),
            forced: tidied(&search_options.forced),
            ..IncludeSearch::default()
        };
        search.directories.extend(tidied(&self.settings.directories));
        search.directories.extend(tidied(&given.search.directories));
        match cuda {
            CudaCompiler::Nvcc(_) => of_nvcc(&mut search, toolkit.as_ref(), &standard_directories),
            CudaCompiler::Clang => {
                of_clang(&mut search, toolkit.as_ref(), &standard_directories, standard_headers.as_ref());
            }
        }
        Ok(Compiled { options, search, toolkit: release })
    }

    /// The toolkit release: the one that the user asks for, that of the installed toolkit, or 13.0.
    pub(super) fn release(&self) -> Toolkit {
        self.release.or_else(|| self.toolkit.as_ref()?.release).unwrap_or_default()
    }

    /// The toolkit of a command: the one that it names, that of its nvcc, or that of the run.
    fn toolkit_of(&self, command: &Command, named: Option<&Path>) -> Option<ToolkitHeaders> {
        if self.settings.headers == Headers::BuiltIn || self.settings.cuda_path.is_some() {
            return self.toolkit.clone();
        }
        let own = || command.nvcc.then(|| toolkit::of_nvcc(Path::new(&command.program))).flatten();
        let found = named.and_then(toolkit::at).or_else(own).or_else(|| self.toolkit.clone());
        let wanted = self.release.or_else(|| toolkit::named_release(&command.program));
        found.filter(|found| wanted.is_none() || same_release(found.release, wanted))
    }

    fn release_of(&self, command: &Command, toolkit: Option<&ToolkitHeaders>) -> Option<Toolkit> {
        let found = toolkit.and_then(|toolkit| toolkit.release);
        self.release.or(found).or_else(|| toolkit::named_release(&command.program))
    }

    /// The answer of the compiler that the user names, run with these options.
    fn answer(&self, options: &Options) -> Result<Option<Arc<CompilerAnswer>>, ProjectError> {
        let Some(compiler) = &self.settings.compiler else { return Ok(None) };
        let mut words: Vec<String> =
            options.standard.iter().map(|standard| format!("-std={standard}")).collect();
        words.extend(options.flags.iter().filter(|flag| options.host.knows(flag)).cloned());
        let mut answers = self.answers.borrow_mut();
        let answer = answers.entry(words.clone()).or_insert_with(|| query(compiler, &words).map(Arc::new));
        match answer {
            Ok(answer) => Ok(Some(answer.clone())),
            Err(reason) => Err(ProjectError::Compiler { path: compiler.clone(), reason: reason.clone() }),
        }
    }
}

fn same_release(found: Option<Toolkit>, wanted: Option<Toolkit>) -> bool {
    let release = |toolkit: Toolkit| (toolkit.major, toolkit.minor);
    found.map(release) == wanted.map(release)
}

/// A program's name, without its directory.
fn name(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

/// nvcc's include path: its own headers after the user's `-I`, CCCL's after `-isystem` (measured on 13.0), and the
/// host compiler's last.
fn of_nvcc(search: &mut IncludeSearch, toolkit: Option<&ToolkitHeaders>, standard: &[PathBuf]) {
    if let Some(toolkit) = toolkit {
        search.toolkit = toolkit.directories.clone();
        search.system.extend(toolkit.system.iter().cloned());
    }
    search.system.extend(standard.iter().cloned());
}

/// clang's include path: wrappers of standard headers before the headers themselves, the toolkit last, and a
/// wrapper of the CUDA runtime's header included first (measured on 19).
fn of_clang(
    search: &mut IncludeSearch,
    toolkit: Option<&ToolkitHeaders>,
    standard: &[PathBuf],
    headers: Option<&StandardHeaders>,
) {
    let own = headers.and_then(|headers| headers.clang.as_ref());
    if let (Some(own), Some(_)) = (own, toolkit) {
        search.system.push(own.join("cuda_wrappers"));
        if own.join(WRAPPER).is_file() {
            search.forced.insert(0, own.join(WRAPPER));
        }
    }
    search.system.extend(standard.iter().cloned());
    search.system.extend(toolkit.iter().flat_map(|toolkit| toolkit.directories.iter().cloned()));
}
