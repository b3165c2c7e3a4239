//! The host compiler's own include directories, found where Linux distributions install them. No compiler is run.

use std::path::{Path, PathBuf};

use crate::target::{Family, HostCompiler, Machine};

/// A host compiler's own include directories.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StandardHeaders {
    /// The directories, in the order the compiler searches them.
    pub(super) directories: Vec<PathBuf>,
    /// The GCC release of the libstdc++ in them.
    pub(super) gcc: u32,
    /// clang's own headers, if the compiler is clang and they are installed.
    pub(super) clang: Option<PathBuf>,
}

/// The rest of a target triple after the machine, as distributions use it in directory names.
const VENDORS: &[&str] = &["linux-gnu", "redhat-linux", "suse-linux", "pc-linux-gnu", "unknown-linux-gnu"];

/// The include directories of a compiler for a machine, below `root` (`/` or a sysroot). Without a version: those
/// of the compiler that `g++` links to, else of the newest.
pub(super) fn standard_headers(
    root: &Path,
    compiler: HostCompiler,
    version: Option<u32>,
    machine: Machine,
) -> Option<StandardHeaders> {
    let gcc_version = version.filter(|_| compiler.family() == Family::Gcc);
    let installed = installed_gcc(root, machine);
    let wanted = gcc_version.or_else(|| default_gcc(root));
    let gcc = installed
        .iter()
        .find(|gcc| Some(gcc.major) == wanted)
        .or_else(|| installed.iter().max_by_key(|gcc| gcc.major))?;
    let clang = match compiler.family() {
        Family::Gcc | Family::Msvc => None,
        Family::Clang => clang_headers(root, version),
    };
    let mut directories = vec![gcc.library.clone()];
    directories.extend(gcc.library_of_machine(root, machine));
    directories.push(gcc.library.join("backward"));
    directories.push(clang.clone().unwrap_or_else(|| gcc.own.join("include")));
    match &gcc.cross {
        Some(triple) => {
            directories.push(gcc.own.join("include-fixed"));
            directories.push(root.join("usr").join(triple).join("include"));
            directories.push(root.join("usr/include").join(triple));
        }
        None => {
            directories.push(root.join("usr/local/include"));
            directories.push(gcc.own.join("include-fixed"));
            directories.push(root.join("usr/include").join(&gcc.triple));
        }
    }
    directories.push(root.join("usr/include"));
    directories.retain(|directory| directory.is_dir());
    Some(StandardHeaders { directories, gcc: gcc.major, clang })
}

/// An installed GCC release.
struct Gcc {
    major: u32,
    triple: String,
    /// The directory name of the release: `12`, `14.2.1`.
    name: String,
    /// `/usr/lib/gcc/<triple>/<name>`.
    own: PathBuf,
    /// The headers of its libstdc++.
    library: PathBuf,
    /// For a cross compiler, the target triple under which its headers are.
    cross: Option<String>,
}

impl Gcc {
    /// The directory with the machine-dependent headers of libstdc++.
    fn library_of_machine(&self, root: &Path, machine: Machine) -> Option<PathBuf> {
        let debian = root.join("usr/include").join(&self.triple).join("c++").join(&self.name);
        let mut places = vec![self.library.join(&self.triple), debian];
        places.extend(VENDORS.iter().map(|vendor| self.library.join(format!("{}-{vendor}", machine.name()))));
        places.into_iter().find(|place| place.join("bits/c++config.h").is_file())
    }
}

/// The GCC releases whose libstdc++ headers are installed too.
fn installed_gcc(root: &Path, machine: Machine) -> Vec<Gcc> {
    let mut installed = Vec::new();
    for vendor in VENDORS {
        let triple = format!("{}-{vendor}", machine.name());
        for place in ["usr/lib/gcc", "usr/lib64/gcc", "usr/lib/gcc-cross"] {
            let Ok(entries) = root.join(place).join(&triple).read_dir() else { continue };
            for entry in entries.filter_map(Result::ok) {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let Some(major) = name.split('.').next().and_then(|major| major.parse().ok()) else {
                    continue;
                };
                let cross = place.ends_with("cross").then(|| triple.clone());
                let library = match &cross {
                    Some(triple) => root.join("usr").join(triple).join("include/c++"),
                    None => root.join("usr/include/c++"),
                };
                let (own, library) = (entry.path(), library.join(&name));
                if library.join("cstddef").is_file() {
                    installed.push(Gcc { major, triple: triple.clone(), name, own, library, cross });
                }
            }
        }
    }
    installed.sort_by(|a, b| a.name.cmp(&b.name));
    installed
}

/// The version that `g++` links to: `/usr/bin/g++ -> g++-12`.
fn default_gcc(root: &Path) -> Option<u32> {
    let target = root.join("usr/bin/g++").read_link().ok()?;
    target.file_name()?.to_str()?.rsplit('-').next()?.split('.').next()?.parse().ok()
}

/// clang's own headers, of this version or else of the newest.
fn clang_headers(root: &Path, version: Option<u32>) -> Option<PathBuf> {
    let newest = 30;
    let versions = version.into_iter().chain((11..newest).rev());
    let places = versions.flat_map(|version| {
        let debian = format!("usr/lib/llvm-{version}/lib/clang/{version}/include");
        [debian, format!("usr/lib/clang/{version}/include"), format!("usr/lib64/clang/{version}/include")]
    });
    places.map(|place| root.join(place)).find(|place| place.join("stddef.h").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root directory with these files.
    fn root(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        root
    }

    fn check(root: &Path, compiler: HostCompiler, version: Option<u32>, machine: Machine, expected: &str) {
        let found =
            standard_headers(root, compiler, version, machine).map_or(Vec::new(), |found| found.directories);
        let names = found.iter().map(|path| path.strip_prefix(root).unwrap().display().to_string());
        assert_eq!(names.collect::<Vec<_>>().join(" "), expected);
    }

    const DEBIAN: &[&str] = &[
        "usr/include/c++/11/cstddef",
        "usr/include/c++/12/cstddef",
        "usr/include/c++/12/backward/hash_map",
        "usr/include/x86_64-linux-gnu/c++/12/bits/c++config.h",
        "usr/include/x86_64-linux-gnu/sys/types.h",
        "usr/lib/gcc/x86_64-linux-gnu/11/include/stddef.h",
        "usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h",
        "usr/lib/gcc/x86_64-linux-gnu/13/include/stddef.h",
        "usr/lib/llvm-19/lib/clang/19/include/stddef.h",
        "usr/local/include/a.h",
        "usr/aarch64-linux-gnu/include/c++/12/cstddef",
        "usr/aarch64-linux-gnu/include/c++/12/aarch64-linux-gnu/bits/c++config.h",
        "usr/lib/gcc-cross/aarch64-linux-gnu/12/include/stddef.h",
    ];

    #[test]
    fn debian_s_directories_are_found() {
        let root = root(DEBIAN);
        let check = |compiler, version, machine, expected: &str| {
            check(root.path(), compiler, version, machine, expected)
        };
        let twelve = "usr/include/c++/12 usr/include/x86_64-linux-gnu/c++/12 usr/include/c++/12/backward \
                      usr/lib/gcc/x86_64-linux-gnu/12/include usr/local/include \
                      usr/include/x86_64-linux-gnu usr/include";
        check(HostCompiler::Gcc12, None, Machine::X86_64, twelve);
        let eleven = "usr/include/c++/11 usr/lib/gcc/x86_64-linux-gnu/11/include usr/local/include \
                      usr/include/x86_64-linux-gnu usr/include";
        check(HostCompiler::Gcc11, Some(11), Machine::X86_64, eleven);
        let clang = twelve.replace("gcc/x86_64-linux-gnu/12", "llvm-19/lib/clang/19");
        check(HostCompiler::Clang19, None, Machine::X86_64, &clang);
        check(
            HostCompiler::Gcc12,
            None,
            Machine::Aarch64,
            "usr/aarch64-linux-gnu/include/c++/12 usr/aarch64-linux-gnu/include/c++/12/aarch64-linux-gnu \
             usr/lib/gcc-cross/aarch64-linux-gnu/12/include usr/aarch64-linux-gnu/include usr/include",
        );
    }

    #[test]
    fn fedora_s_directories_are_found() {
        let root = root(&[
            "usr/include/c++/14/cstddef",
            "usr/include/c++/14/x86_64-redhat-linux/bits/c++config.h",
            "usr/lib/gcc/x86_64-redhat-linux/14/include/stddef.h",
        ]);
        check(
            root.path(),
            HostCompiler::Gcc12,
            None,
            Machine::X86_64,
            "usr/include/c++/14 usr/include/c++/14/x86_64-redhat-linux \
             usr/lib/gcc/x86_64-redhat-linux/14/include usr/include",
        );
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        let root = root(&["usr/include/stdio.h"]);
        check(root.path(), HostCompiler::Gcc12, None, Machine::X86_64, "");
    }
}
