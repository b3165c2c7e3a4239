//! SCALE's `ccmap.conf`, which maps compute capabilities to AMD GPUs (SCALE manual, "Compute Capability Mapping").

use std::path::{Path, PathBuf};

use crate::source::read_utf8;
use crate::target::arch::Arch;
use crate::target::foreign::Gfx;

/// The environment variable that names the map file.
pub const VARIABLE: &str = "SCALE_CCMAP";

/// The map's location relative to the directory of the compiler or library.
const BESIDE: &str = "../share/scale/ccmap.conf";

/// A map; its lines in order, since the first that applies counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ccmap {
    entries: Vec<Entry>,
}

/// One line: a GPU and the compute capability it stands for, or a GPU for all remaining capabilities.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    gpu: Gfx,
    number: Option<u32>,
}

/// The reason why a map can't be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CcmapError {
    /// A line that can't be parsed.
    #[error("line {line}: {message}")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// The reason, with the offending word.
        message: String,
    },
    /// The file that an option or the environment names can't be read.
    #[error("failed to read `{}`: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        reason: String,
    },
}

impl Ccmap {
    /// Parses a map. Each line has a GPU and, after a blank, a compute capability as ten times major plus minor. A
    /// GPU alone stands for all compute capabilities that no earlier line names. Lines that begin with `#` are
    /// comments.
    ///
    /// # Errors
    /// The first line of another form.
    pub fn parse(text: &str) -> Result<Ccmap, CcmapError> {
        let mut entries = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line_error = |message: String| CcmapError::Line { line: index + 1, message };
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let mut words = line.split_whitespace();
            let name = words.next().expect("the line is not blank");
            let gpu = Gfx::parse(name).ok_or_else(|| {
                line_error(match name.starts_with(Gfx::PREFIX) {
                    true => format!("unknown GPU `{name}`; the nearest is `{}`", Gfx::nearest(name)),
                    false => format!("`{name}` is not the name of a GPU such as `gfx1100`"),
                })
            })?;
            let number = words.next().map(|word| {
                word.parse()
                    .map_err(|_| line_error(format!("`{word}` is not a compute capability such as `86`")))
            });
            if let Some(more) = words.next() {
                return Err(line_error(format!("unexpected `{more}` after the compute capability")));
            }
            entries.push(Entry { gpu, number: number.transpose()? });
        }
        Ok(Ccmap { entries })
    }

    /// The map with a single line, a GPU alone: that of the compiler in `<SCALE>/targets/<gpu>`.
    pub fn wildcard(gpu: Gfx) -> Ccmap {
        Ccmap { entries: vec![Entry { gpu, number: None }] }
    }

    /// The GPU that SCALE compiles for under `-arch=sm_80`: that of the first line that applies.
    pub fn gpu_for(&self, arch: Arch) -> Option<Gfx> {
        let applies = |entry: &&Entry| entry.number.is_none_or(|number| number == u32::from(arch.number));
        self.entries.iter().find(applies).map(|entry| entry.gpu)
    }

    /// The compute capability that a program sees for a GPU: that of the first line that names one for it.
    pub fn capability_of(&self, gpu: Gfx) -> Option<u32> {
        self.entries
            .iter()
            .filter(|entry| entry.gpu.processor() == gpu.processor())
            .find_map(|entry| entry.number)
    }
}

/// A file in which a map may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// The file.
    pub path: PathBuf,
    /// An option or variable names the file, so that it is an error if it does not exist.
    pub named: bool,
}

/// The files in which SCALE's compiler looks, in order: that of `--cuda-ccmap`, that of `SCALE_CCMAP`, and one
/// relative to the compiler's directory.
pub fn compiler_search(option: Option<&Path>, variable: Option<&Path>, compiler: &Path) -> Vec<Search> {
    let named = option.into_iter().chain(variable).map(|path| Search { path: path.into(), named: true });
    // A program name without a directory was found by the shell; its directory is not known here.
    let directory = compiler.parent().filter(|directory| !directory.as_os_str().is_empty());
    let beside = directory.map(|directory| Search { path: directory.join(BESIDE), named: false });
    named.chain(beside).collect()
}

/// The files in which SCALE's runtime library looks, in order: that of `SCALE_CCMAP`, one relative to the library's
/// directory, the user's and the system's.
pub fn library_search(variable: Option<&Path>, library: &Path, home: Option<&Path>) -> Vec<Search> {
    let unnamed = |path: PathBuf| Search { path, named: false };
    let named = variable.map(|path| Search { path: path.into(), named: true });
    let beside = library.parent().map(|directory| unnamed(directory.join(BESIDE)));
    let user = home.map(|home| unnamed(home.join(".scale/ccmap.conf")));
    let system = unnamed("/etc/scale/ccmap.conf".into());
    named.into_iter().chain(beside).chain(user).chain([system]).collect()
}

/// The first map that exists, with its path.
///
/// # Errors
/// If a file that an option or variable names does not exist, or the map can't be parsed.
pub fn find(search: &[Search]) -> Result<Option<(PathBuf, Ccmap)>, CcmapError> {
    for Search { path, named } in search {
        if !named && !path.is_file() {
            continue;
        }
        let text = read_utf8(path)
            .map_err(|error| CcmapError::Unreadable { path: path.clone(), reason: error.to_string() })?;
        return Ok(Some((path.clone(), Ccmap::parse(&text)?)));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::target::Context;
    use crate::target::notation::read_list;

    fn gfx(name: &str) -> Gfx {
        Gfx::parse(name).unwrap()
    }

    /// The GPU that the compiler picks for each of these architectures under a map.
    fn check(map: &str, expected: &[(u16, &str)]) {
        let map = Ccmap::parse(map).unwrap();
        for (number, gpu) in expected {
            let found = map.gpu_for(Arch::plain(*number)).map_or("none", Gfx::processor);
            assert_eq!(found, *gpu, "sm_{number}");
        }
    }

    #[test]
    fn a_line_is_a_gpu_a_blank_and_a_number() {
        check("gfx900 61\n", &[(61, "gfx900"), (62, "none")]);
    }

    #[test]
    fn for_a_compute_capability_it_answers_with_a_gpu() {
        let map = Ccmap::parse("gfx1030 86\n").unwrap();
        assert_eq!(map.gpu_for(Arch::plain(86)), Some(gfx("gfx1030")));
    }

    #[test]
    fn for_a_gpu_it_answers_with_a_compute_capability() {
        let map = Ccmap::parse("gfx900 61\ngfx1030 86\n").unwrap();
        assert_eq!(map.capability_of(gfx("gfx1030")), Some(86));
        assert_eq!(map.capability_of(gfx("gfx1100")), None);
    }

    #[test]
    fn entries_are_tried_in_order_and_the_first_applies() {
        let map = "gfx1030 86\ngfx1100 86\ngfx1030 80\n";
        check(map, &[(86, "gfx1030"), (80, "gfx1030")]);
        assert_eq!(Ccmap::parse(map).unwrap().capability_of(gfx("gfx1030")), Some(86));
        assert_eq!(Ccmap::parse(map).unwrap().capability_of(gfx("gfx1100")), Some(86));
    }

    #[test]
    fn a_gpu_alone_takes_all_that_remain() {
        check("gfx900 61\ngfx1100\n", &[(61, "gfx900"), (80, "gfx1100"), (121, "gfx1100")]);
        check("gfx1100\ngfx900 61\n", &[(61, "gfx1100")]);
        assert_eq!(Ccmap::parse("gfx1100\n").unwrap().capability_of(gfx("gfx1100")), None);
    }

    #[test]
    fn lines_that_begin_with_a_hash_are_comments() {
        check("# gfx900 61\n#\n\ngfx1030 86\n", &[(61, "none"), (86, "gfx1030")]);
    }

    #[test]
    fn without_a_line_that_applies_nothing_is_mapped() {
        check("", &[(86, "none")]);
        check("gfx900 61\n", &[(86, "none")]);
    }

    #[test]
    fn a_target_directory_s_compiler_maps_every_number() {
        assert_eq!(Ccmap::wildcard(gfx("gfx1100")).gpu_for(Arch::plain(75)), Some(gfx("gfx1100")));
    }

    #[test]
    fn a_gpu_that_is_named_itself_has_the_number_of_its_line() {
        let named = |map: &str| {
            let mut list = read_list("gfx1030:xnack-,86", &Context::default()).strict().unwrap();
            list.map(&Ccmap::parse(map).unwrap());
            let mapped: Vec<String> = list.mapped.iter().map(|(arch, gpu)| format!("{arch} {gpu}")).collect();
            (list.foreign[0].cuda_arch(), mapped.join(", "))
        };
        assert_eq!(named("gfx1030 86\n"), (860, "86 gfx1030".into()));
        assert_eq!(named("gfx1030 80\ngfx1100\n"), (800, "86 gfx1100".into()));
        assert_eq!(named("gfx1100 86\n"), (10_030_000, "86 gfx1100".into()));
        assert_eq!(named("gfx1030\n"), (10_030_000, "86 gfx1030".into()));
    }

    #[test]
    fn a_line_that_is_none_is_refused() {
        let refused = |map: &str, expected: &str| {
            assert_eq!(Ccmap::parse(map).unwrap_err().to_string(), expected, "{map}");
        };
        refused("gfx1030 86\ngfx1109 80", "line 2: unknown GPU `gfx1109`; the nearest is `gfx1100`");
        refused("gfx1030 8.6", "line 1: `8.6` is not a compute capability such as `86`");
        refused("gfx1030 86 80", "line 1: unexpected `80` after the compute capability");
        refused("\nsm_86 86", "line 2: `sm_86` is not the name of a GPU such as `gfx1100`");
    }

    /// The file in which a search below `root` finds a map, when each of `files` holds one.
    fn found(files: &[&str], search: impl Fn(&Path) -> Vec<Search>) -> String {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("bin")).unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "gfx1100\n").unwrap();
        }
        match find(&search(root.path())) {
            Ok(Some((path, _))) => {
                let path = path.canonicalize().unwrap();
                path.strip_prefix(root.path().canonicalize().unwrap()).unwrap().display().to_string()
            }
            Ok(None) => "none".into(),
            Err(_) => "error".into(),
        }
    }

    #[test]
    fn the_compiler_looks_at_its_option_first() {
        let all = ["option", "variable", "share/scale/ccmap.conf"];
        let search = |root: &Path| {
            compiler_search(Some(&root.join("option")), Some(&root.join("variable")), &root.join("bin/nvcc"))
        };
        assert_eq!(found(&all, search), "option");
        assert_eq!(found(&all[1..], search), "error");
    }

    #[test]
    fn the_compiler_looks_at_the_variable_second_and_beside_itself_last() {
        let all = ["variable", "share/scale/ccmap.conf"];
        let search =
            |root: &Path| compiler_search(None, Some(&root.join("variable")), &root.join("bin/nvcc"));
        assert_eq!(found(&all, search), "variable");
        assert_eq!(found(&all[1..], search), "error");
        let search = |root: &Path| compiler_search(None, None, &root.join("bin/nvcc"));
        assert_eq!(found(&all, search), "share/scale/ccmap.conf");
        assert_eq!(found(&[], search), "none");
    }

    #[test]
    fn the_library_looks_at_the_variable_first() {
        let search = |root: &Path| {
            library_search(Some(&root.join("variable")), &root.join("bin/lib.so"), Some(&root.join("home")))
        };
        assert_eq!(found(&["variable", "share/scale/ccmap.conf"], search), "variable");
        assert_eq!(found(&["share/scale/ccmap.conf"], search), "error");
    }

    #[test]
    fn the_library_looks_beside_itself_then_at_the_user_s_then_at_the_system_s() {
        let search = |root: &Path| library_search(None, &root.join("bin/lib.so"), Some(&root.join("home")));
        let all = ["share/scale/ccmap.conf", "home/.scale/ccmap.conf"];
        assert_eq!(found(&all, search), "share/scale/ccmap.conf");
        assert_eq!(found(&all[1..], search), "home/.scale/ccmap.conf");
        let last = library_search(None, Path::new("/x/lib.so"), None).pop().unwrap();
        assert_eq!((last.path, last.named), ("/etc/scale/ccmap.conf".into(), false));
    }
}
