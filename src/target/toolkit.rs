//! The releases of the CUDA toolkit, and the macros that nvcc predefines.

use std::fmt;

/// A release of the CUDA toolkit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Toolkit {
    /// 13 of 13.0.
    pub major: u32,
    /// 0 of 13.0.
    pub minor: u32,
    /// The build number of nvcc: 88 of 13.0.88.
    pub build: u32,
}

/// The last build of each release and its PTX ISA version. From 11.7 on as measured (`ptxas --version`, `nvcc
/// --version`); earlier ones are not verified.
pub(super) const TOOLKITS: &[(u32, u32, u32, (u8, u8))] = &[
    (11, 0, 221, (7, 0)),
    (11, 1, 105, (7, 1)),
    (11, 2, 152, (7, 2)),
    (11, 3, 109, (7, 3)),
    (11, 4, 152, (7, 4)),
    (11, 5, 119, (7, 5)),
    (11, 6, 124, (7, 6)),
    (11, 7, 99, (7, 7)),
    (11, 8, 89, (7, 8)),
    (12, 0, 140, (8, 0)),
    (12, 1, 105, (8, 1)),
    (12, 2, 140, (8, 2)),
    (12, 3, 107, (8, 3)),
    (12, 4, 131, (8, 4)),
    (12, 5, 82, (8, 5)),
    (12, 6, 85, (8, 5)),
    (12, 8, 93, (8, 7)),
    (12, 9, 86, (8, 8)),
    (13, 0, 88, (9, 0)),
    (13, 1, 115, (9, 1)),
    (13, 2, 86, (9, 2)),
    (13, 3, 73, (9, 3)),
    (13, 4, 92, (9, 4)),
    (13, 5, 37, (9, 5)),
];

/// Major and minor number of a release.
pub type Release = (u32, u32);

/// A macro of nvcc, the first release that defines it, the first that no longer does, and its value. From the
/// commands that `nvcc --dryrun` prints: measured on 13.0; for 10.2, 11.1, 11.5, 11.6, 12.0, 12.1, 12.3, 12.4, 12.8
/// and 12.9 as build logs show them.
const NVCC: &[(&str, Release, Release, &str)] = &[
    ("__CUDACC__", ALWAYS, NEVER, "1"),
    ("__NVCC__", ALWAYS, NEVER, "1"),
    ("__NVCC_DIAG_PRAGMA_SUPPORT__", (11, 5), NEVER, "1"),
    ("__NV_LEGACY_LAUNCH", (12, 4), (13, 0), "1"),
    ("__CUDACC_DEVICE_ATOMIC_BUILTINS__", (12, 8), NEVER, "1"),
];

const ALWAYS: Release = (0, 0);
const NEVER: Release = (u32::MAX, 0);

/// An option of nvcc without its dashes, and the macro that it defines as 1 in every pass (measured on 13.0).
const OPTIONS: &[(&str, &str)] = &[
    ("G", "__CUDACC_DEBUG__"),
    ("device-debug", "__CUDACC_DEBUG__"),
    ("expt-relaxed-constexpr", "__CUDACC_RELAXED_CONSTEXPR__"),
    ("extended-lambda", "__CUDACC_EXTENDED_LAMBDA__"),
    ("expt-extended-lambda", "__CUDACC_EXTENDED_LAMBDA__"),
    ("ewp", "__CUDACC_EWP__"),
    ("extensible-whole-program", "__CUDACC_EWP__"),
    ("default-stream=per-thread", "CUDA_API_PER_THREAD_DEFAULT_STREAM"),
];

impl Default for Toolkit {
    /// 13.0.
    fn default() -> Toolkit {
        Toolkit { major: 13, minor: 0, build: 88 }
    }
}

impl Toolkit {
    /// Parses `12.4`, or `12.4.131` with a build number.
    ///
    /// # Errors
    /// If no toolkit from 11.0 to 13.5 has that number.
    pub fn parse(text: &str) -> Result<Toolkit, UnknownToolkit> {
        let unknown = || UnknownToolkit(text.to_string());
        let numbers: Result<Vec<u32>, _> = text.split('.').map(str::parse).collect();
        match numbers.map_err(|_| unknown())?[..] {
            [major, minor] => Toolkit::release(major, minor).ok_or_else(unknown),
            [major, minor, build] => {
                Toolkit::release(major, minor).map(|one| Toolkit { build, ..one }).ok_or_else(unknown)
            }
            _ => Err(unknown()),
        }
    }

    /// The last build of a release; `None` for an unknown release.
    pub fn release(major: u32, minor: u32) -> Option<Toolkit> {
        let row = TOOLKITS.iter().find(|row| (row.0, row.1) == (major, minor))?;
        Some(Toolkit { major, minor, build: row.2 })
    }

    /// The toolkit of a header whose `CUDA_VERSION` is this (12040 for 12.4), known or not.
    pub fn of_cuda_version(version: u32) -> Toolkit {
        let (major, minor) = (version / 1000, version % 1000 / 10);
        Toolkit::release(major, minor).unwrap_or(Toolkit { major, minor, build: 0 })
    }

    /// The macros that its nvcc predefines in every pass, without `__CUDA_ARCH_LIST__`.
    pub fn macros(self) -> Vec<(String, String)> {
        let release = (self.major, self.minor);
        let there = NVCC.iter().filter(|(_, from, until, _)| *from <= release && release < *until);
        let mut macros: Vec<(String, String)> =
            there.map(|(name, .., value)| ((*name).to_string(), (*value).to_string())).collect();
        let mut number = |name: &str, value: u32| macros.push((name.to_string(), value.to_string()));
        number("__CUDACC_VER_MAJOR__", self.major);
        number("__CUDACC_VER_MINOR__", self.minor);
        number("__CUDACC_VER_BUILD__", self.build);
        if release >= (11, 0) {
            number("__CUDA_API_VER_MAJOR__", self.major);
            number("__CUDA_API_VER_MINOR__", self.minor);
        }
        macros
    }

    /// Whether its nvcc defines `__CUDA_ARCH_LIST__`, as it does since 11.5.
    pub fn has_arch_list(self) -> bool {
        (self.major, self.minor) >= (11, 5)
    }

    /// Whether its `a` and `f` targets define `__CUDA_ARCH_SPECIFIC__` and `__CUDA_ARCH_FAMILY_SPECIFIC__`, as they
    /// do since 12.9.
    pub fn has_specific(self) -> bool {
        (self.major, self.minor) >= (12, 9)
    }
}

impl fmt::Display for Toolkit {
    /// The release: `13.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The macro that an option of nvcc, with one dash or two, defines as 1.
pub(super) fn nvcc_option(option: &str) -> Option<&'static str> {
    let bare = option.strip_prefix("--").or_else(|| option.strip_prefix('-'))?;
    OPTIONS.iter().find(|(name, _)| *name == bare).map(|(_, defined)| *defined)
}

/// The error for a toolkit release that is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown CUDA toolkit `{0}`")]
pub struct UnknownToolkit(pub String);

impl UnknownToolkit {
    /// The remedy to suggest.
    pub fn help(&self) -> String {
        let names: Vec<String> =
            TOOLKITS.iter().map(|(major, minor, ..)| format!("{major}.{minor}")).collect();
        format!("the known ones are {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The macros that this toolkit defines and some other does not.
    fn check(version: &str, expected: &str) {
        let all = ["__CUDACC", "__NVCC__", "__CUDA_API"];
        let macros = Toolkit::parse(version).unwrap().macros();
        let special = |name: &&str| !all.iter().any(|one| name.starts_with(one)) || name.contains("ATOMIC");
        let names: Vec<&str> = macros.iter().map(|(name, _)| name.as_str()).filter(special).collect();
        assert_eq!(names.join(" "), expected, "{version}");
    }

    #[test]
    fn nvcc_s_macros_came_and_went_with_releases() {
        check("11.1", "");
        check("11.8", "__NVCC_DIAG_PRAGMA_SUPPORT__");
        check("12.4", "__NVCC_DIAG_PRAGMA_SUPPORT__ __NV_LEGACY_LAUNCH");
        check("12.8", "__NVCC_DIAG_PRAGMA_SUPPORT__ __NV_LEGACY_LAUNCH __CUDACC_DEVICE_ATOMIC_BUILTINS__");
        check("13.0", "__NVCC_DIAG_PRAGMA_SUPPORT__ __CUDACC_DEVICE_ATOMIC_BUILTINS__");
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(Toolkit::parse("12.4"), Ok(Toolkit { major: 12, minor: 4, build: 131 }));
        assert_eq!(Toolkit::parse("12.4.99"), Ok(Toolkit { major: 12, minor: 4, build: 99 }));
        assert!(Toolkit::parse("12.7").unwrap_err().help().contains("12.6, 12.8"));
        assert!(Toolkit::parse("new").is_err() && Toolkit::parse("12").is_err());
        assert_eq!(Toolkit::of_cuda_version(13000), Toolkit::default());
        assert_eq!(Toolkit::of_cuda_version(14020).to_string(), "14.2");
    }
}
