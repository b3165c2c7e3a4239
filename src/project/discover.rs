//! From paths and settings to translation units.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::source::Sources;
use crate::target::{Context, TargetError};

use super::command::{Command, SearchOptions};
use super::compilers::{Compiled, Compilers};
use super::database::{self, Compilation, Database};
use super::links::Links;
use super::paths::{project_root, tidy};
use super::recipes::{Recipe, recipe};
use super::settings::{ByName, ProjectError, Settings};
use super::targets::{Targets, UnitTargets};
use super::third_party::submodules;
use super::unit::{ARCH_MACRO, Define, IncludeSearch, TranslationUnit, UnitKind};
use super::walk::{self, Found, SOURCE_EXTENSIONS, ends_in};

/// The translation units and recipes to analyse.
#[derive(Debug, Default)]
pub struct Project {
    /// The sources, by path. A source that is compiled in several ways is several units.
    pub units: Vec<TranslationUnit>,
    /// Headers under the given paths that mention CUDA, by path, each as a unit. Only those that no other unit
    /// includes need be analysed.
    pub headers: Vec<TranslationUnit>,
    /// conda recipes under the given paths with bounds on `__cuda_arch`.
    pub recipes: Arc<Vec<Recipe>>,
    /// Files that could not be read.
    pub problems: Vec<ProjectProblem>,
    /// How many C++ sources are under the given paths, if no CUDA source is: the build may compile them as CUDA.
    pub cpp_sources: usize,
}

impl Project {
    /// The units of sources, then those of headers.
    pub fn all_units(&self) -> Vec<TranslationUnit> {
        self.units.iter().chain(&self.headers).cloned().collect()
    }
}

/// A file that could not be read while units were looked for. Each leaves something unanalysed.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct ProjectProblem {
    /// The file it concerns.
    pub path: PathBuf,
    /// The reason: one sentence in lower case without a full stop.
    pub message: String,
}

/// Finds the translation units under `paths`.
///
/// Directories are searched as `ripgrep` does. A file that is named itself is a unit whatever its extension, even if
/// it exists only in an editor.
///
/// # Errors
/// If a path does not exist, no source is found, a target is unknown, there are too many targets, or the compilation
/// database can't be read.
pub fn discover(paths: &[PathBuf], settings: &Settings, sources: &Sources) -> Result<Project, ProjectError> {
    let tree = Tree::find(paths, sources)?;
    let database = read_database(paths, settings)?;
    let mut project = Project::default();
    project.problems.extend(tree.unreadable.iter().map(|message| ProjectProblem {
        path: tree.roots.first().cloned().unwrap_or_default(),
        message: message.clone(),
    }));
    let compilers = Compilers::new(settings, &tree.projects())?;
    for define in &compilers.given().defines {
        Define::check_name(define.name()).map_err(ProjectError::Option)?;
    }
    let targets = Targets::new(settings, &compilers, &tree.roots)?;
    project.recipes = Arc::new(tree.recipes.iter().filter_map(|path| recipe(path)).collect());
    let mut builder = Builder {
        settings,
        targets,
        index: Arc::new(match settings.by_name {
            ByName::Found => tree.header_index(),
            ByName::NotFound => BTreeMap::new(),
        }),
        recipes: project.recipes.clone(),
        submodules: Arc::new(tree.submodules()),
        links: Links::default(),
        compilers,
    };
    let compilations = database.iter().flat_map(|database| &database.compilations);
    builder.links = Links::read(compilations.filter_map(|one| one.group.as_deref()));
    let cuda = database.as_ref().map_or(Vec::new(), |database| cuda_of(&database.compilations));
    let origin = database.as_ref().map(|database| database.path.as_path());
    let bad_entries = database.iter().flat_map(|database| &database.problems);
    project.problems.extend(bad_entries.map(|message| ProjectProblem {
        path: origin.expect("entries come from a database").to_path_buf(),
        message: message.clone(),
    }));
    if let (Some(path), true, true) = (origin, settings.database.is_some(), cuda.is_empty()) {
        return Err(ProjectError::Database {
            path: path.to_path_buf(),
            reason: match project.problems.iter().find(|problem| problem.path == path) {
                Some(problem) => format!("none of its entries compiles a CUDA source; {}", problem.message),
                None => "none of its entries compiles a CUDA source".into(),
            },
        });
    }
    let common = DatabaseDefaults::of(&cuda);
    builder.targets.complete = cuda.iter().all(|compilation| tree.holds(&compilation.file));
    let compiled: Vec<_> = cuda.into_iter().filter(|compilation| tree.holds(&compilation.file)).collect();
    let known: BTreeSet<&Path> = compiled.iter().map(|compilation| compilation.file.as_path()).collect();

    let mut by_main: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for compilation in &compiled {
        let origin = origin.expect("compilations come from a database");
        project.problems.extend(problems_of(compilation));
        let (unit, problems) = builder.compiled(compilation, origin)?;
        project.problems.extend(problems);
        let of_file = by_main.entry(&compilation.file).or_default();
        match of_file.iter().find(|index| project.units[**index].same_compilation(&unit)) {
            Some(index) => project.units[*index].groups.extend(unit.groups),
            None => {
                of_file.push(project.units.len());
                project.units.push(unit);
            }
        }
    }
    for source in &tree.sources {
        if !known.contains(source.as_path()) {
            project.units.push(builder.uncompiled(source, UnitKind::Source, &common, origin)?);
        }
    }
    // The order in which a database has two compilations of one source says nothing.
    project.units.sort_by(|a, b| a.main.cmp(&b.main).then_with(|| a.key().cmp(&b.key())));
    for header in &tree.headers {
        if mentions_cuda(header, sources) {
            project.headers.push(builder.uncompiled(header, UnitKind::Header, &common, origin)?);
        }
    }
    if project.units.is_empty() {
        project.cpp_sources = tree.cpp_sources;
    }
    if project.units.is_empty() && project.headers.is_empty() {
        return Err(ProjectError::NoSource(paths.to_vec()));
    }
    Ok(project)
}

/// The files under the given paths.
#[derive(Default)]
struct Tree {
    /// The given paths, tidied.
    roots: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    headers: Vec<PathBuf>,
    bare: Vec<PathBuf>,
    recipes: Vec<PathBuf>,
    unreadable: Vec<String>,
    cpp_sources: usize,
}

impl Tree {
    fn find(paths: &[PathBuf], sources: &Sources) -> Result<Tree, ProjectError> {
        let mut tree = Tree::default();
        for path in paths {
            let root = tidy(path);
            if root.is_file() || sources.known(&root).is_some() {
                tree.sources.push(root.clone());
            } else if root.is_dir() {
                let found = walk::walk(&root);
                tree.sources.extend(found.sources);
                tree.headers.extend(found.headers);
                tree.bare.extend(found.bare);
                tree.recipes.extend(found.recipes);
                tree.unreadable.extend(found.unreadable);
                tree.cpp_sources += found.cpp_sources;
            } else {
                return Err(ProjectError::NoSuchPath(path.clone()));
            }
            tree.roots.push(root);
        }
        for files in [&mut tree.sources, &mut tree.headers, &mut tree.recipes] {
            files.sort();
            files.dedup();
        }
        // A header that the user named is a source already.
        tree.headers.retain(|header| tree.sources.binary_search(header).is_err());
        Ok(tree)
    }

    /// Whether the file is under one of the given paths.
    fn holds(&self, file: &Path) -> bool {
        self.roots.iter().any(|root| root == Path::new(".") && file.is_relative() || file.starts_with(root))
    }

    /// The directories that may contain the projects' own environments (`.venv`).
    fn projects(&self) -> Vec<PathBuf> {
        let repositories = self.roots.iter().filter_map(|root| project_root(root));
        let mut projects: Vec<PathBuf> =
            repositories.chain(self.roots.iter().filter(|root| root.is_dir()).cloned()).collect();
        projects.push(PathBuf::from("."));
        projects.dedup();
        projects
    }

    /// The submodules of the projects that contain the given paths and the working directory.
    fn submodules(&self) -> Vec<PathBuf> {
        let places = self.roots.iter().map(PathBuf::as_path).chain([Path::new(".")]);
        let repositories: BTreeSet<PathBuf> = places.filter_map(project_root).collect();
        let found: BTreeSet<PathBuf> = repositories.iter().flat_map(|one| submodules(one)).collect();
        found.into_iter().collect()
    }

    /// The headers of the projects that contain the given paths, and those under the paths; with the files that have no
    /// extension.
    fn header_index(&self) -> BTreeMap<String, Vec<PathBuf>> {
        let mut around: Vec<PathBuf> = self.roots.iter().filter_map(|root| project_root(root)).collect();
        around.sort();
        around.dedup();
        around.retain(|root| !self.roots.contains(root));
        let outside: Vec<Found> = around.iter().map(|root| walk::walk(root)).collect();
        let outside = outside.iter().flat_map(|found| found.headers.iter().chain(&found.bare));
        walk::by_name(self.headers.iter().chain(&self.bare).chain(outside))
    }
}

/// The database that `-p` names, else the first found for a path, else that of the working directory.
fn read_database(paths: &[PathBuf], settings: &Settings) -> Result<Option<Database>, ProjectError> {
    let path = match &settings.database {
        Some(path) if path.is_dir() => Some(path.join(database::FILE_NAME)),
        Some(path) => Some(path.clone()),
        None => {
            let places = paths.iter().flat_map(|path| places(path)).chain([PathBuf::from(".")]);
            places.into_iter().find_map(|place| database::find(&place))
        }
    };
    let Some(path) = path else { return Ok(None) };
    let path = tidy(&path);
    database::read(&path).map(Some).map_err(|reason| ProjectError::Database { path, reason })
}

/// The directories in which a path's database may be: its repository's root, and its directory up to there.
fn places(path: &Path) -> Vec<PathBuf> {
    let directory = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf());
    let Some(root) = project_root(path).and_then(|root| std::path::absolute(root).ok()) else {
        return vec![directory];
    };
    let below = directory.ancestors().take_while(|place| *place != root).map(Path::to_path_buf);
    [root.clone()].into_iter().chain(below).collect()
}

/// The compilations of CUDA sources.
fn cuda_of(compilations: &[Compilation]) -> Vec<&Compilation> {
    let is_cuda = |compilation: &&Compilation| {
        let command = &compilation.command;
        let named = ends_in(&compilation.file, SOURCE_EXTENSIONS) || command.cuda_language;
        // HIP code that is compiled for AMD GPUs only has no `__CUDA_ARCH__`.
        named
            && (!command.hip
                || !command.targets(&Context::default()).unwrap_or_default().list.passes.is_empty())
    };
    compilations.iter().filter(is_cuda).collect()
}

/// The problems with a command: option files that could not be read, and a definition of what makes the passes.
fn problems_of(compilation: &Compilation) -> Vec<ProjectProblem> {
    let unreadable = compilation.command.unreadable.iter();
    let problem =
        |message: &String| ProjectProblem { path: compilation.file.clone(), message: message.clone() };
    let unreadable = unreadable.map(problem);
    let own = compilation.command.defines.iter().find(|define| define.name() == ARCH_MACRO);
    let own =
        own.map(|_| problem(&format!("its command defines `{ARCH_MACRO}`, which the compiler does itself")));
    unreadable.chain(own).collect()
}

/// The compilation of a file that the database does not mention, such as a header or a source of another build: the
/// targets and include directories of all its commands, and the compiler of the first.
#[derive(Default)]
struct DatabaseDefaults {
    /// The commands that name targets.
    commands: Vec<Command>,
    command: Command,
}

impl DatabaseDefaults {
    fn of(compilations: &[&Compilation]) -> DatabaseDefaults {
        let mut common = DatabaseDefaults::default();
        if let Some(first) = compilations.first() {
            common.command = Command {
                nvcc_targets: Default::default(),
                clang_targets: Default::default(),
                defines: Vec::new(),
                ..first.command.clone()
            };
            common.command.search = SearchOptions {
                sysroot: first.command.search.sysroot.clone(),
                cuda_path: first.command.search.cuda_path.clone(),
                ..SearchOptions::default()
            };
        }
        let search = &mut common.command.search;
        for compilation in compilations {
            let command = &compilation.command;
            let same = |one: &Command| {
                (&one.nvcc_targets, &one.clang_targets) == (&command.nvcc_targets, &command.clang_targets)
            };
            if !common.commands.iter().any(same) {
                common.commands.push(command.clone());
            }
            add_new(&mut search.quote, command.search.quote.iter().cloned());
            add_new(&mut search.directories, command.search.directories.iter().cloned());
            add_new(&mut search.system, command.search.system.iter().cloned());
            add_new(&mut search.embed, command.search.embed.iter().cloned());
            add_new(&mut search.after, command.search.after.iter().cloned());
        }
        common
    }
}

fn add_new<T: PartialEq>(list: &mut Vec<T>, items: impl Iterator<Item = T>) {
    for item in items {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// Builds translation units.
struct Builder<'a> {
    settings: &'a Settings,
    targets: Targets,
    index: Arc<BTreeMap<String, Vec<PathBuf>>>,
    recipes: Arc<Vec<Recipe>>,
    submodules: Arc<Vec<PathBuf>>,
    links: Links,
    compilers: Compilers<'a>,
}

impl Builder<'_> {
    /// A unit of the database, and the errors in its command.
    fn compiled(
        &self,
        compilation: &Compilation,
        database: &Path,
    ) -> Result<(TranslationUnit, Vec<ProjectProblem>), ProjectError> {
        let command = &compilation.command;
        let compiled = self.compilers.of(command)?;
        let chosen = self.targets.of_command(compilation, &compiled, database)?;
        let file = compilation.file.display();
        let problem = |error: &TargetError| ProjectProblem {
            path: database.to_path_buf(),
            message: format!("{error} in the command for `{file}`"),
        };
        let problems = chosen.errors.iter().map(problem).collect();
        let mut unit = self.unit(&compilation.file, UnitKind::Source, chosen, compiled);
        unit.rdc |= command.rdc;
        if let Some(target) = &compilation.group {
            unit.groups.extend(self.links.programs_of(target).cloned().chain([target.clone()]));
        }
        unit.defines.splice(0..0, command.defines.iter().cloned());
        Ok((unit, problems))
    }

    /// A unit that the database does not mention, or that has no database.
    fn uncompiled(
        &self,
        file: &Path,
        kind: UnitKind,
        common: &DatabaseDefaults,
        database: Option<&Path>,
    ) -> Result<TranslationUnit, ProjectError> {
        let compiled = self.compilers.of(&common.command)?;
        let chosen = self.targets.of_commands(file, &common.commands, &compiled, database)?;
        Ok(self.unit(file, kind, chosen, compiled))
    }

    fn unit(&self, file: &Path, kind: UnitKind, chosen: UnitTargets, compiled: Compiled) -> TranslationUnit {
        TranslationUnit {
            main: file.to_path_buf(),
            kind,
            passes: chosen.passes,
            targets: chosen.list,
            origin: chosen.origin,
            stated: chosen.stated,
            groups: BTreeSet::new(),
            recipes: self.recipes.clone(),
            submodules: self.submodules.clone(),
            rdc: self.settings.rdc || self.compilers.given().rdc,
            options: compiled.options,
            defines: self.settings.defines.iter().chain(&self.compilers.given().defines).cloned().collect(),
            search: IncludeSearch { project_headers: self.index.clone(), ..compiled.search },
            answers: None,
            custom: self.settings.custom.clone(),
        }
    }
}

/// Whether a header is CUDA code: it is a `.cuh`, or its text mentions kernels or `__CUDA_ARCH__`. One that can't be
/// read does not count here; a problem is reported if a unit includes it.
fn mentions_cuda(header: &Path, sources: &Sources) -> bool {
    ends_in(header, &[".cuh"])
        || sources
            .read(header)
            .is_ok_and(|file| file.text.contains("__global__") || file.text.contains("__CUDA_ARCH__"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::project::TargetOrigin;
    use crate::project::unit::Define;

    use super::*;

    /// A directory with these files, given as lines `name: text`.
    fn tree(files: &str) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for line in files.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (name, text) = line.split_once(": ").unwrap();
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.replace("@ROOT@", &directory.path().display().to_string())).unwrap();
        }
        directory
    }

    fn describe(root: &Path, units: &[TranslationUnit]) -> Vec<String> {
        let line = |unit: &TranslationUnit| {
            let main = unit.main.strip_prefix(root).unwrap().display();
            let rdc = if unit.rdc { " rdc" } else { "" };
            let targets = unit.passes.names(unit.passes.devices());
            format!("{main}: {}{rdc}", targets.join(" "))
        };
        units.iter().map(line).collect()
    }

    fn check(files: &str, below: &[&str], settings: Settings, units: &[&str], headers: &[&str]) -> Project {
        let directory = tree(files);
        let root = directory.path();
        let paths: Vec<_> = below.iter().map(|path| root.join(path)).collect();
        let project = discover(&paths, &settings, &Sources::new()).unwrap();
        assert_eq!(describe(root, &project.units), units);
        assert_eq!(describe(root, &project.headers), headers);
        project
    }

    fn targets(list: &str) -> Settings {
        Settings { targets: vec![list.into()], ..Settings::default() }
    }

    #[test]
    fn sources_and_cuda_headers_are_found_where_the_paths_say() {
        let project = check(
            "\
            .git/HEAD: x
            .gitignore: generated/
            src/a.cu: int a;
            src/deep/b.cu: int b;
            src/b.cuh: int b;
            src/plain.h: int c;
            src/kernels.hpp: __global__ void f();
            src/.hidden/c.cu: int c;
            src/generated/d.cu: int d;
            other/e.cu: int e;
            include/lib/limits: int f;
            include/lib/f.h: int f;",
            &["src", "src/a.cu"],
            targets("80"),
            &["src/a.cu: sm_80", "src/deep/b.cu: sm_80"],
            &["src/b.cuh: sm_80", "src/kernels.hpp: sm_80"],
        );
        let names: Vec<_> = project.units[0].search.project_headers.keys().cloned().collect();
        assert_eq!(names, ["b.cuh", "f.h", "kernels.hpp", "limits", "plain.h"]);
    }

    #[test]
    fn units_know_the_submodules_of_their_repository() {
        let directory = tree(".git/HEAD: x\n .gitmodules: path = csrc/cutlass\n csrc/a.cu: int a;");
        let path = directory.path().join("csrc/a.cu");
        let project = discover(&[path], &targets("80"), &Sources::new()).unwrap();
        let expected = tidy(&directory.path().join("csrc/cutlass"));
        assert!(project.units[0].submodules.contains(&expected));
    }

    #[test]
    fn a_file_named_itself_is_a_unit_whatever_its_name() {
        check(
            "k.cuh: int k;\n x.cpp: int x;",
            &["k.cuh", "x.cpp"],
            targets("90"),
            &["k.cuh: sm_90", "x.cpp: sm_90"],
            &[],
        );
    }

    #[test]
    fn a_file_that_was_never_saved_is_a_unit() {
        let directory = tree("");
        let path = directory.path().join("new.cu");
        let sources = Sources::new();
        sources.overlay(&path, "int a;".into());
        let project = discover(&[path], &targets("80"), &sources).unwrap();
        assert_eq!(describe(directory.path(), &project.units), ["new.cu: sm_80"]);
    }

    const DATABASE: &str = r#"
        a.cu: int a;
        b.cu: int b;
        .git/HEAD: x
        k.cpp: int k;
        c.cpp: int c;
        build/compile_commands.json: [{"directory": "@ROOT@/build", "file": "../a.cu", "command": "nvcc -arch=sm_90a -dc -I../inc -DA -c ../a.cu"}, {"directory": "@ROOT@", "file": "k.cpp", "arguments": ["nvcc", "-x", "cu", "-gencode", "arch=compute_80,code=sm_80", "k.cpp"]}, {"directory": "@ROOT@", "file": "c.cpp", "command": "g++ -c c.cpp"}]"#;

    #[test]
    fn a_database_says_how_units_are_compiled() {
        let project = check(
            DATABASE,
            &["."],
            Settings::default(),
            &["a.cu: sm_90 sm_90a rdc", "b.cu: sm_90 sm_90a sm_80", "k.cpp: sm_80"],
            &[],
        );
        assert_eq!(project.units[0].defines, [Define::Define("A".into(), "1".into())]);
        assert!(project.units[0].search.directories[0].ends_with("inc"));
        assert!(matches!(project.units[0].origin, TargetOrigin::Database(_)));
    }

    #[test]
    fn what_is_compiled_for_amd_s_gpus_alone_is_not_that_compilation() {
        let database = r#"
        a.cu: int a;
        b.cu: int b;
        compile_commands.json: [{"directory": "@ROOT@", "file": "a.cu", "command": "hipcc --offload-arch=gfx90a -DHIP a.cu"}, {"directory": "@ROOT@", "file": "b.cu", "command": "nvcc_wrapper -arch=sm_90 b.cu"}]"#;
        let units = ["a.cu: sm_90", "b.cu: sm_90"];
        let project = check(database, &["."], Settings::default(), &units, &[]);
        assert!(project.units[0].defines.is_empty());
    }

    #[test]
    fn a_database_is_found_for_a_file_from_its_directory_up() {
        let entry = |arch: &str| {
            format!(
                "compile_commands.json: [{{\"directory\": \"@ROOT@\", \"file\": \"src/deep/a.cu\", \"command\": \"nvcc -arch={arch} a.cu\"}}]"
            )
        };
        let files = format!(".git/HEAD: x\n src/deep/a.cu: int a;\n src/build-x/{}", entry("sm_80"));
        check(&files, &["src/deep/a.cu"], Settings::default(), &["src/deep/a.cu: sm_80"], &[]);
        let files = format!("{files}\n {}", entry("sm_90"));
        check(&files, &["src/deep/a.cu"], Settings::default(), &["src/deep/a.cu: sm_90"], &[]);
    }

    #[test]
    fn a_file_the_database_does_not_know_gets_what_the_others_have() {
        let project = check(DATABASE, &["b.cu"], Settings::default(), &["b.cu: sm_90 sm_90a sm_80"], &[]);
        assert!(project.units[0].search.directories[0].ends_with("inc"));
    }

    #[test]
    fn the_command_line_overrides_targets_and_adds_the_rest() {
        let settings = Settings {
            defines: vec![Define::Undef("A".into())],
            directories: vec!["/i".into()],
            rdc: true,
            ..targets("75")
        };
        let project = check(
            DATABASE,
            &["."],
            settings,
            &["a.cu: sm_75 rdc", "b.cu: sm_75 rdc", "k.cpp: sm_75 rdc"],
            &[],
        );
        assert_eq!(project.units[0].defines.last(), Some(&Define::Undef("A".into())));
        assert_eq!(project.units[0].search.directories.last().unwrap(), Path::new("/i"));
        assert_eq!(project.units[0].origin, TargetOrigin::CommandLine);
    }

    #[test]
    fn what_cannot_be_a_project_is_refused() {
        let directory = tree("a.cu: int a;\n docs/x.txt: x\n bad/compile_commands.json: [{]");
        let discover = |path: &str, settings: Settings| {
            discover(&[directory.path().join(path)], &settings, &Sources::new()).unwrap_err()
        };
        assert!(matches!(discover("nowhere", targets("80")), ProjectError::NoSuchPath(_)));
        assert!(discover("docs", targets("80")).help().contains(".cu"));
        assert!(discover("a.cu", targets("81")).help().contains("`80`"));
        let settings = Settings { database: Some(directory.path().join("bad")), ..Settings::default() };
        assert!(matches!(discover("a.cu", settings), ProjectError::Database { .. }));
    }
}
