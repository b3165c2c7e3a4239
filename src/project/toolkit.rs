//! Finds the CUDA toolkit's headers: in an installation, in Python's site-packages or in a conda environment.

use std::path::{Path, PathBuf};

use crate::source::read_utf8;
use crate::target::Toolkit;

/// An installed toolkit's headers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ToolkitHeaders {
    /// The directories that nvcc searches like `-I`.
    pub(super) directories: Vec<PathBuf>,
    /// The directories that it searches like `-isystem`: `include/cccl`, from CUDA 13 on.
    pub(super) system: Vec<PathBuf>,
    /// The release, from `CUDA_VERSION` in `cuda.h`.
    pub(super) release: Option<Toolkit>,
}

/// A header that every toolkit has.
const RUNTIME: &str = "cuda_runtime.h";

/// The places to search, from the environment.
#[derive(Clone, Default, Debug)]
pub(super) struct SearchPlaces {
    /// `CUDA_HOME`, `CUDA_PATH`.
    pub(super) homes: Vec<PathBuf>,
    /// `PATH`.
    pub(super) path: Vec<PathBuf>,
    /// Default installation directories: `/usr/local/cuda`.
    pub(super) usual: Vec<PathBuf>,
    /// Python environments: `VIRTUAL_ENV`, a project's `.venv`.
    pub(super) python: Vec<PathBuf>,
    /// `CONDA_PREFIX`.
    pub(super) conda: Vec<PathBuf>,
}

impl SearchPlaces {
    /// The places that the environment names, and the Python environments of the projects at `roots`.
    pub(super) fn of_environment(roots: &[PathBuf]) -> SearchPlaces {
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let venvs = roots.iter().map(|root| root.join(".venv"));
        SearchPlaces {
            homes: ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(named).collect(),
            path: std::env::split_paths(&path).collect(),
            usual: vec!["/usr/local/cuda".into(), "/opt/cuda".into()],
            python: named("VIRTUAL_ENV").into_iter().chain(venvs).collect(),
            conda: named("CONDA_PREFIX").into_iter().collect(),
        }
    }

    /// The first toolkit that is found.
    pub(super) fn toolkit(&self) -> Option<ToolkitHeaders> {
        let homes = self.homes.iter().find_map(|home| at(home));
        homes
            .or_else(|| self.path.iter().find_map(|directory| of_nvcc(&directory.join("nvcc"))))
            .or_else(|| self.usual.iter().find_map(|home| at(home)))
            .or_else(|| self.python.iter().find_map(|environment| of_python(environment)))
            .or_else(|| self.conda.iter().find_map(|prefix| at(prefix)))
    }
}

/// The toolkit installed in `home`, that is in `home/include` or `home/targets/<target>/include`.
pub(super) fn at(home: &Path) -> Option<ToolkitHeaders> {
    let targets = ["x86_64-linux", "sbsa-linux", "aarch64-linux"];
    let below = targets.iter().map(|target| home.join("targets").join(target).join("include"));
    let include =
        [home.join("include")].into_iter().chain(below).find(|place| place.join(RUNTIME).is_file())?;
    Some(with(vec![include]))
}

/// The toolkit that contains an nvcc, with symbolic links resolved.
pub(super) fn of_nvcc(nvcc: &Path) -> Option<ToolkitHeaders> {
    if !nvcc.is_file() {
        return None;
    }
    let real = nvcc.canonicalize().unwrap_or_else(|_| nvcc.to_path_buf());
    [real.as_path(), nvcc].into_iter().find_map(|program| at(program.parent()?.parent()?))
}

/// pip's packages: for CUDA 13 `nvidia/cu13` is a whole toolkit, for CUDA 12 each component is a package.
fn of_python(environment: &Path) -> Option<ToolkitHeaders> {
    let libraries = subdirectories(&environment.join("lib"));
    let packages = libraries.iter().map(|library| library.join("site-packages/nvidia"));
    for nvidia in packages {
        let packages = subdirectories(&nvidia);
        let whole = packages.iter().rev().find_map(|package| {
            let name = package.file_name()?.to_str()?;
            name.strip_prefix("cu")?.parse::<u32>().ok()?;
            at(package)
        });
        if whole.is_some() {
            return whole;
        }
        let runtime = nvidia.join("cuda_runtime/include");
        if runtime.join(RUNTIME).is_file() {
            let others = packages.iter().map(|package| package.join("include"));
            let others = others.filter(|include| include.is_dir() && *include != runtime);
            return Some(with([runtime.clone()].into_iter().chain(others).collect()));
        }
    }
    None
}

/// The subdirectories of a directory, sorted.
fn subdirectories(directory: &Path) -> Vec<PathBuf> {
    let entries = directory.read_dir().into_iter().flatten().filter_map(Result::ok);
    let mut list: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    list.sort();
    list
}

fn with(directories: Vec<PathBuf>) -> ToolkitHeaders {
    let system = directories.iter().map(|directory| directory.join("cccl")).filter(|path| path.is_dir());
    let system = system.collect();
    let release = directories.iter().find_map(|directory| release(directory));
    ToolkitHeaders { directories, system, release }
}

/// The release of the headers in a directory.
fn release(include: &Path) -> Option<Toolkit> {
    let defined = |header: &str, name: &str| {
        let text = read_utf8(&include.join(header)).ok()?;
        let value = text
            .lines()
            .find_map(|line| line.trim_start().strip_prefix("#define")?.trim_start().strip_prefix(name))?;
        value.trim().parse::<u32>().ok()
    };
    let version =
        defined("cuda.h", "CUDA_VERSION").or_else(|| defined("cuda_runtime_api.h", "CUDART_VERSION"))?;
    Some(Toolkit::of_cuda_version(version))
}

/// The release in a toolkit's path: `/usr/local/cuda-12.4/bin/nvcc`.
pub(super) fn named_release(program: &str) -> Option<Toolkit> {
    let part =
        program.split(['/', '\\']).find_map(|part| part.strip_prefix("cuda-").or(part.strip_prefix('v')))?;
    Toolkit::parse(part).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A directory with headers of these toolkit versions in these places.
    fn tree(places: &[(&str, u32)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (place, version) in places {
            let include = root.path().join(place);
            fs::create_dir_all(&include).unwrap();
            fs::write(include.join(RUNTIME), "").unwrap();
            fs::write(include.join("cuda.h"), format!("#ifndef A\n#define CUDA_VERSION {version}\n"))
                .unwrap();
        }
        root
    }

    /// The toolkit that is found in the places, and its release.
    fn check(root: &Path, places: &SearchPlaces, expected: &str) {
        let found = places.toolkit().map_or("none".to_string(), |found| {
            let names = |paths: &[PathBuf]| {
                let paths =
                    paths.iter().map(|path| path.strip_prefix(root).unwrap_or(path).display().to_string());
                paths.collect::<Vec<_>>().join(" ")
            };
            let release = found.release.map_or("?".into(), |release| release.to_string());
            format!("{release}: {} | {}", names(&found.directories), names(&found.system))
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn a_home_goes_before_the_path_and_the_usual_place() {
        let root =
            tree(&[("a/include", 12040), ("b/targets/x86_64-linux/include", 13000), ("c/include", 11080)]);
        let at = |name: &str| vec![root.path().join(name)];
        fs::create_dir_all(root.path().join("b/bin")).unwrap();
        fs::create_dir_all(root.path().join("b/targets/x86_64-linux/include/cccl")).unwrap();
        fs::write(root.path().join("b/bin/nvcc"), "").unwrap();
        let mut places =
            SearchPlaces { homes: at("a"), path: at("b/bin"), usual: at("c"), ..SearchPlaces::default() };
        check(root.path(), &places, "12.4: a/include | ");
        places.homes = at("missing");
        let found = "targets/x86_64-linux/include";
        check(root.path(), &places, &format!("13.0: b/{found} | b/{found}/cccl"));
        places.path = at("c");
        check(root.path(), &places, "11.8: c/include | ");
        check(root.path(), &SearchPlaces::default(), "none");
    }

    #[cfg(unix)]
    #[test]
    fn an_nvcc_on_the_path_may_be_a_link() {
        let root = tree(&[("toolkit/include", 12080)]);
        fs::create_dir_all(root.path().join("toolkit/bin")).unwrap();
        fs::create_dir_all(root.path().join("bin")).unwrap();
        fs::write(root.path().join("toolkit/bin/nvcc"), "").unwrap();
        let nvcc = root.path().join("toolkit/bin/nvcc").canonicalize().unwrap();
        std::os::unix::fs::symlink(nvcc, root.path().join("bin/nvcc")).unwrap();
        let places = SearchPlaces { path: vec![root.path().join("bin")], ..SearchPlaces::default() };
        check(&root.path().canonicalize().unwrap(), &places, "12.8: toolkit/include | ");
    }

    #[test]
    fn pip_s_packages_are_found_in_both_layouts() {
        let packages = "lib/python3.12/site-packages/nvidia";
        let twelve = [format!("{packages}/cuda_runtime/include"), format!("{packages}/cublas/include")];
        let root = tree(&[(&twelve[0], 12060)]);
        fs::create_dir_all(root.path().join(&twelve[1])).unwrap();
        fs::create_dir_all(root.path().join(packages).join("cudnn/lib")).unwrap();
        let places = SearchPlaces { python: vec![root.path().into()], ..SearchPlaces::default() };
        check(root.path(), &places, &format!("12.6: {} {} | ", twelve[0], twelve[1]));
        let thirteen = format!("{packages}/cu13/include");
        let root = tree(&[(&thirteen, 13000)]);
        let places = SearchPlaces { python: vec![root.path().into()], ..SearchPlaces::default() };
        check(root.path(), &places, &format!("13.0: {thirteen} | "));
    }

    #[test]
    fn a_conda_environment_has_one_too() {
        let root = tree(&[("targets/x86_64-linux/include", 12090)]);
        let places = SearchPlaces { conda: vec![root.path().into()], ..SearchPlaces::default() };
        check(root.path(), &places, "12.9: targets/x86_64-linux/include | ");
    }

    #[test]
    fn a_path_may_name_the_release() {
        assert_eq!(named_release("/usr/local/cuda-12.4/bin/nvcc"), Toolkit::release(12, 4));
        assert_eq!(named_release("C:\\CUDA\\v11.8\\bin\\nvcc.exe"), Toolkit::release(11, 8));
        assert_eq!(named_release("/usr/bin/nvcc"), None);
    }
}
