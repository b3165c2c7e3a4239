//! The table of architectures and the notations for them.

use std::fmt;

/// What stands after an architecture's number: nothing, `a` (runs on exactly this chip) or `f`
/// (runs inside its family). CUDA C++ Programming Guide, "Feature Set Compiler Targets".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Suffix {
    /// A baseline target, e.g. `compute_90`.
    #[default]
    None,
    /// Architecture-specific, e.g. `compute_90a`.
    A,
    /// Family-specific, e.g. `compute_100f`.
    F,
}

/// A virtual architecture, e.g. `compute_90a`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Arch {
    /// Ten times the major plus the minor compute capability: 75, 90, 120.
    pub number: u16,
    /// The suffix.
    pub suffix: Suffix,
}

/// One known architecture.
struct Row {
    number: u16,
    suffixes: &'static [Suffix],
    /// nvcc 13's `-arch=all` runs a pass for it.
    in_all: bool,
}

const PLAIN: &[Suffix] = &[Suffix::None];
const WITH_A: &[Suffix] = &[Suffix::None, Suffix::A];
const WITH_AF: &[Suffix] = &[Suffix::None, Suffix::A, Suffix::F];

const fn row(number: u16, suffixes: &'static [Suffix], in_all: bool) -> Row {
    Row { number, suffixes, in_all }
}

/// Every architecture nvcc has accepted, from the nvcc manual and `nvcc --list-gpu-arch` of 11.8 to 13.5.
const TABLE: &[Row] = &[
    row(20, PLAIN, false),
    row(21, PLAIN, false),
    row(30, PLAIN, false),
    row(32, PLAIN, false),
    row(35, PLAIN, false),
    row(37, PLAIN, false),
    row(50, PLAIN, false),
    row(52, PLAIN, false),
    row(53, PLAIN, false),
    row(60, PLAIN, false),
    row(61, PLAIN, false),
    row(62, PLAIN, false),
    row(70, PLAIN, false),
    row(72, PLAIN, false),
    row(75, PLAIN, true),
    row(80, PLAIN, true),
    row(86, PLAIN, true),
    row(87, PLAIN, true),
    row(88, PLAIN, true),
    row(89, PLAIN, true),
    row(90, WITH_A, true),
    row(100, WITH_AF, true),
    row(101, WITH_AF, false),
    row(103, WITH_AF, true),
    row(107, WITH_AF, false),
    row(110, WITH_AF, true),
    row(120, WITH_AF, true),
    row(121, WITH_AF, true),
];

/// The word that stands for every architecture of the newest toolkit, as in `nvcc -arch=all`.
pub const ALL: &str = "all";

impl Arch {
    /// The value of `__CUDA_ARCH__` in the architecture's pass: ten times its number.
    pub fn cuda_arch(self) -> u32 {
        u32::from(self.number) * 10
    }

    /// The virtual architecture's name, e.g. `compute_90a`.
    pub fn compute_name(self) -> String {
        format!("compute_{self}")
    }

    /// The name of the GPU the pass's code is for, e.g. `sm_90a`.
    pub fn sm_name(self) -> String {
        format!("sm_{self}")
    }

    /// Every baseline architecture `nvcc -arch=all` of CUDA 13 compiles for, ascending.
    pub fn all() -> Vec<Arch> {
        let rows = TABLE.iter().filter(|row| row.in_all);
        rows.map(|row| Arch { number: row.number, suffix: Suffix::None }).collect()
    }
}

impl fmt::Display for Arch {
    /// The number with its suffix: `90a`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suffix {
            Suffix::None => "",
            Suffix::A => "a",
            Suffix::F => "f",
        };
        write!(f, "{}{suffix}", self.number)
    }
}

/// A target name that can't be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown architecture `{name}`")]
pub struct TargetError {
    /// What stood there.
    pub name: String,
    /// The next thing to try.
    pub help: String,
}

/// Reads a comma-separated list of architectures: `75`, `8.0`, `sm_80`, `compute_90a`, or `all`.
/// The order is kept and a repeated architecture dropped.
///
/// # Errors
/// The first name that is not an architecture any CUDA toolkit has known.
pub fn parse_arch_list(list: &str) -> Result<Vec<Arch>, TargetError> {
    let mut archs = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let named = if name == ALL { Arch::all() } else { vec![parse_arch(name)?] };
        for arch in named {
            if !archs.contains(&arch) {
                archs.push(arch);
            }
        }
    }
    if archs.is_empty() {
        return Err(TargetError {
            name: list.to_string(),
            help: "name one, such as `sm_80`, or `all`".into(),
        });
    }
    Ok(archs)
}

fn parse_arch(name: &str) -> Result<Arch, TargetError> {
    let bare =
        ["sm_", "compute_", "lto_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let bare = bare.replacen('.', "", 1);
    let digits = bare.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = match &bare[digits.len()..] {
        "" => Some(Suffix::None),
        "a" => Some(Suffix::A),
        "f" => Some(Suffix::F),
        _ => None,
    };
    let row = digits.parse::<u16>().ok().and_then(|number| TABLE.iter().find(|row| row.number == number));
    match (row, suffix) {
        (Some(row), Some(suffix)) if row.suffixes.contains(&suffix) => {
            Ok(Arch { number: row.number, suffix })
        }
        (Some(row), _) => Err(TargetError {
            name: name.to_string(),
            help: format!("sm_{} exists as {}", row.number, spellings(row)),
        }),
        (None, _) => Err(TargetError {
            name: name.to_string(),
            help: format!(
                "the known ones are {}",
                TABLE.iter().map(spellings).collect::<Vec<_>>().join(", ")
            ),
        }),
    }
}

fn spellings(row: &Row) -> String {
    let archs = row.suffixes.iter().map(|suffix| Arch { number: row.number, suffix: *suffix }.to_string());
    archs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &str, expected: &str) {
        let archs = parse_arch_list(list).unwrap();
        let names: Vec<_> = archs.into_iter().map(Arch::compute_name).collect();
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn every_notation_names_the_virtual_architecture() {
        check("75,sm_80,compute_90a", "compute_75 compute_80 compute_90a");
        check("9.0a, 8.6", "compute_90a compute_86");
        check("90,80,sm_90", "compute_90 compute_80");
    }

    #[test]
    fn all_is_what_nvcc_13_runs() {
        assert_eq!(Arch::all().len(), 12);
        check("all,75", &Arch::all().into_iter().map(Arch::compute_name).collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn a_name_that_is_no_architecture_is_refused_with_help() {
        let error = parse_arch_list("80a").unwrap_err();
        assert_eq!(error.help, "sm_80 exists as 80");
        assert!(parse_arch_list("sm_81").unwrap_err().help.contains("90, 90a"));
        assert!(parse_arch_list("").is_err());
        assert!(parse_arch_list("gfx1100").is_err());
    }
}
