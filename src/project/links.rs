//! Which programs the objects of each CMake target are linked into, directly or through libraries.
//!
//! In: the directories in which CMake keeps the objects of each target. Out: for each, the programs and shared
//! libraries that contain its objects. Read from the files that CMake writes for Ninja (`build.ninja`, and
//! `impl-*.ninja` for several configurations) and for make (`link.txt` of each target, with its response files).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::source::read_utf8;

use super::database::cmake_target;
use super::paths::tidy;

/// The programs and shared libraries that the objects of each CMake target are linked into.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// By the target's object directory.
    programs: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

/// A command that links a program or library, or that creates a static library.
#[derive(Debug)]
struct LinkStep {
    output: PathBuf,
    inputs: Vec<PathBuf>,
}

/// The extensions of object files.
const OBJECTS: [&str; 2] = [".o", ".obj"];

/// The extensions of static libraries.
const ARCHIVES: [&str; 2] = [".a", ".lib"];

impl Links {
    /// Reads the link steps of the builds that these targets belong to, given by their object directories.
    pub(super) fn read<'d>(targets: impl Iterator<Item = &'d Path>) -> Links {
        let (mut steps, mut builds) = (Vec::new(), BTreeSet::new());
        let targets: BTreeSet<&Path> = targets.collect();
        for target in &targets {
            steps.extend(of_make(target));
            // Builds may be nested: the `CMakeFiles` of the target's directory, then those of its parents.
            for directory in target.ancestors().skip(2) {
                let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
                let of_cmake = ["CMakeFiles", "build.ninja"].iter().any(|name| directory.join(name).exists());
                if !of_cmake || !builds.insert(directory.to_path_buf()) {
                    break;
                }
                steps.extend(of_ninja(directory));
                steps.extend(of_target_list(directory, &targets));
            }
        }
        Links::of(&steps)
    }

    /// The programs and shared libraries that contain the objects of a target.
    pub(super) fn programs_of(&self, target: &Path) -> impl Iterator<Item = &PathBuf> {
        self.programs.get(target).into_iter().flatten()
    }

    fn of(steps: &[LinkStep]) -> Links {
        let is_archive = |path: &Path| ends_in(path, &ARCHIVES);
        let archives: BTreeMap<&Path, &LinkStep> = steps
            .iter()
            .filter(|step| is_archive(&step.output))
            .map(|step| (step.output.as_path(), step))
            .collect();
        let mut links = Links::default();
        for step in steps.iter().filter(|step| !is_archive(&step.output)) {
            let taken = step.inputs.iter().filter_map(|input| archives.get(input.as_path()));
            let objects = step.inputs.iter().chain(taken.flat_map(|archive| &archive.inputs));
            for target in objects.filter(|path| ends_in(path, &OBJECTS)).filter_map(|path| cmake_target(path))
            {
                links.programs.entry(target).or_default().insert(step.output.clone());
            }
        }
        links
    }
}

/// The link steps in the Ninja files of a build directory. CMake names their rules like
/// `CUDA_EXECUTABLE_LINKER__app_Debug`; those of a `DEVICE_LINKER` take the same objects.
fn of_ninja(build: &Path) -> Vec<LinkStep> {
    let mut files = vec![build.join("build.ninja")];
    let several = std::fs::read_dir(build.join("CMakeFiles")).into_iter().flatten().filter_map(Result::ok);
    let several = several.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("impl-") && name.ends_with(".ninja")
    });
    files.extend(several.map(|entry| entry.path()));
    let mut steps = Vec::new();
    for text in files.iter().filter_map(|file| read_utf8(file).ok()) {
        let text = text.replace("$\n", "");
        steps.extend(text.lines().filter_map(|line| ninja_step(line, build)));
    }
    steps
}

/// Parses `build app: CUDA_EXECUTABLE_LINKER__app_ a.o b.o | libbase.a || libbase.a`.
fn ninja_step(line: &str, build: &Path) -> Option<LinkStep> {
    let words = ninja_words(line.strip_prefix("build ")?);
    let colon = words.iter().position(|word| word == ":")?;
    let rule = words.get(colon + 1)?;
    if !rule.contains("_LINKER__") || rule.contains("_DEVICE_LINKER__") {
        return None;
    }
    let path = |word: &String| below(build, word);
    // Order-only dependencies, after `||`, are not linked.
    let inputs = words[colon + 2..].iter().take_while(|word| *word != "||").filter(|word| *word != "|");
    Some(LinkStep { output: path(words.first()?), inputs: inputs.map(path).collect() })
}

/// The words of a build statement, and its `:`, `|` and `||` (Ninja manual, "Lexical syntax").
fn ninja_words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut characters = text.chars();
    let finish = |word: &mut String, words: &mut Vec<String>| {
        if !word.is_empty() {
            words.push(std::mem::take(word));
        }
    };
    while let Some(c) = characters.next() {
        match c {
            '$' => word.extend(characters.next()),
            ' ' | '\r' => finish(&mut word, &mut words),
            ':' => {
                finish(&mut word, &mut words);
                words.push(":".into());
            }
            c => word.push(c),
        }
    }
    finish(&mut word, &mut words);
    words
}

/// The link steps of targets without sources of their own, which the database therefore does not mention.
fn of_target_list(build: &Path, known: &BTreeSet<&Path>) -> Vec<LinkStep> {
    let list = read_utf8(&build.join("CMakeFiles/TargetDirectories.txt")).unwrap_or_default();
    let targets = list.lines().map(|line| tidy(Path::new(line)));
    targets.filter(|target| !known.contains(target.as_path())).flat_map(|target| of_make(&target)).collect()
}

/// The link step that make runs for a target, if it has one.
fn of_make(target: &Path) -> Option<LinkStep> {
    let text = read_utf8(&target.join("link.txt")).ok()?;
    // The command runs in the directory that contains `CMakeFiles`.
    let directory = target.parent()?.parent()?;
    let mut words: Vec<String> = Vec::new();
    // The second line of a static library is `ranlib`.
    for word in shlex::split(text.lines().next()?)? {
        match word.strip_prefix('@') {
            Some(file) => {
                let listed = read_utf8(&directory.join(file)).unwrap_or_default();
                words.extend(shlex::split(&listed).unwrap_or_default());
            }
            None => words.push(word),
        }
    }
    let path = |word: &String| below(directory, word);
    let is_archive = |word: &&String| ends_in(Path::new(word), &ARCHIVES);
    let named = words.iter().position(|word| word == "-o").and_then(|at| words.get(at + 1));
    let output = named.or_else(|| words.iter().find(is_archive))?;
    let takes = |word: &&String| ends_in(Path::new(word), &OBJECTS) || is_archive(word);
    let inputs = words.iter().filter(|word| *word != output).filter(takes).map(path).collect();
    Some(LinkStep { output: path(output), inputs })
}

/// An absolute path from a path written relative to a directory. Resolves `..` by name: the file may not exist yet.
fn below(directory: &Path, written: &str) -> PathBuf {
    let (mut directory, mut rest) = (directory, written);
    while let (Some(up), Some(parent)) = (rest.strip_prefix("../"), directory.parent())
        && directory != Path::new(".")
    {
        (directory, rest) = (parent, up);
    }
    tidy(&directory.join(rest))
}

fn ends_in(path: &Path, endings: &[&str]) -> bool {
    let name = path.as_os_str().to_string_lossy();
    endings.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The programs that contain the objects of each target, in a build with these files.
    fn check(files: &[(&str, &str)], targets: &[&str], expected: &[&str]) {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(root.join("CMakeFiles")).unwrap();
        let directories: Vec<PathBuf> = targets.iter().map(|target| root.join(target)).collect();
        let links = Links::read(directories.iter().map(PathBuf::as_path));
        let shown = |target: &PathBuf| {
            let programs = links.programs_of(target).map(|program| program.strip_prefix(&root).unwrap());
            programs.map(|program| program.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(directories.iter().map(shown).collect::<Vec<_>>(), expected);
    }

    const TARGETS: [&str; 5] = [
        "CMakeFiles/base.dir",
        "CMakeFiles/mid.dir",
        "CMakeFiles/app.dir",
        "CMakeFiles/shared.dir",
        "sub/CMakeFiles/tool.dir",
    ];
    const EXPECTED: [&str; 5] = ["app sub/tool", "app", "app", "libshared.so", "sub/tool"];

    #[test]
    fn libraries_are_followed_to_programs_in_what_ninja_reads() {
        let text = "\
build CMakeFiles/base.dir/base.cu.o: CUDA_COMPILER__base_unscanned_ ../base.cu
build libbase.a: CUDA_STATIC_LIBRARY_LINKER__base_ CMakeFiles/base.dir/base.cu.o
build libmid.a: CUDA_STATIC_LIBRARY_LINKER__mid_ CMakeFiles/mid.dir/mid.cu.o || libbase.a
build CMakeFiles/app.dir/cmake_device_link.o: CUDA_EXECUTABLE_DEVICE_LINKER__app_ CMakeFiles/app.dir/main.cu.o | $
  libmid.a libbase.a || libbase.a libmid.a
build app: CUDA_EXECUTABLE_LINKER__app_ CMakeFiles/app.dir/with$ blank.cu.o | libmid.a libbase.a || libshared.so
build libshared.so: CUDA_SHARED_LIBRARY_LINKER__shared_ CMakeFiles/shared.dir/shared.cu.o
build sub/tool: CXX_EXECUTABLE_LINKER__tool_ sub/CMakeFiles/tool.dir/tool.cpp.o | libbase.a libshared.so
build all: phony app sub/all
";
        check(&[("build.ninja", text), ("sub/CMakeFiles/x", "")], &TARGETS, &EXPECTED);
        let several = text.replace(": CUDA_EXECUTABLE_LINKER__app_", ": CUDA_EXECUTABLE_LINKER__app_Debug");
        check(&[("CMakeFiles/impl-Debug.ninja", &several), ("sub/CMakeFiles/x", "")], &TARGETS, &EXPECTED);
    }

    #[test]
    fn libraries_are_followed_to_programs_in_what_make_runs() {
        check(
            &[
                (
                    "CMakeFiles/base.dir/link.txt",
                    "/usr/bin/ar qc libbase.a CMakeFiles/base.dir/base.cu.o\n/usr/bin/ranlib libbase.a\n",
                ),
                ("CMakeFiles/mid.dir/link.txt", "/usr/bin/ar qc libmid.a CMakeFiles/mid.dir/mid.cu.o\n"),
                (
                    "CMakeFiles/app.dir/link.txt",
                    "/usr/bin/g++ @CMakeFiles/app.dir/objects1.rsp CMakeFiles/app.dir/cmake_device_link.o -o app \
                     @CMakeFiles/app.dir/linkLibs.rsp -L\"/usr/local/cuda/lib64\"\n",
                ),
                ("CMakeFiles/app.dir/objects1.rsp", "\"CMakeFiles/app.dir/with blank.cu.o\""),
                ("CMakeFiles/app.dir/linkLibs.rsp", " libmid.a libbase.a -lcudadevrt \n"),
                (
                    "CMakeFiles/shared.dir/link.txt",
                    "/usr/bin/g++ -fPIC -shared -o libshared.so CMakeFiles/shared.dir/shared.cu.o\n",
                ),
                (
                    "sub/CMakeFiles/tool.dir/link.txt",
                    "/usr/bin/c++ CMakeFiles/tool.dir/tool.cpp.o -o tool ../libbase.a ../libshared.so\n",
                ),
            ],
            &TARGETS,
            &EXPECTED,
        );
    }

    #[test]
    fn a_target_without_sources_of_its_own_is_in_the_list_of_all() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "CMakeFiles/TargetDirectories.txt",
            &format!("{}\n", root.join("CMakeFiles/app.dir").display()),
        );
        write("CMakeFiles/app.dir/link.txt", "g++ CMakeFiles/objects.dir/a.cu.o -o app\n");
        let target = root.join("CMakeFiles/objects.dir");
        let links = Links::read([target.as_path()].into_iter());
        assert_eq!(links.programs_of(&target).collect::<Vec<_>>(), [&root.join("app")]);
    }

    #[test]
    fn a_build_without_such_files_says_nothing() {
        check(&[], &TARGETS[..1], &[""]);
        check(&[("build.ninja", "build\nbuild x\nbuild : \nbuild a: b_LINKER__c")], &TARGETS[..1], &[""]);
        check(&[("CMakeFiles/base.dir/link.txt", "ar \"")], &TARGETS[..1], &[""]);
    }
}
