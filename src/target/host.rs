//! Host compilers: the macros that each predefines, as data.
//!
//! A compiler's table under `predefined/` is what `-dM -E` printed, stored as differences. Each section has a
//! heading that begins with `@` and lists the conditions under which the section applies: machines, language
//! standards (`c++17`), `gnu` or `strict` (`-std=gnu++17`, `-std=c++17`) and options. Of each kind of condition in
//! the heading, one must hold. A line of a section is a macro's name with its parameters, a blank and the value;
//! `+` stands before names whose value is 1, `-` before names that are undefined again.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A host compiler whose predefined macros are stored.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub enum HostCompiler {
    /// g++ 11.
    Gcc11,
    /// g++ 12.
    #[default]
    Gcc12,
    /// clang++ 19.
    Clang19,
    /// cl.exe of Visual Studio 2022, as far as its macros are documented.
    Msvc,
}

/// A compiler family. Its members differ mainly in their version.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// GCC.
    Gcc,
    /// Clang.
    Clang,
    /// Microsoft's.
    Msvc,
}

/// A row of the table of host compilers.
struct Row {
    compiler: HostCompiler,
    family: Family,
    /// The major version.
    version: u32,
    /// The language standard without `-std`.
    standard: Standard,
    table: &'static str,
}

const TABLE: &[Row] = &[
    Row {
        compiler: HostCompiler::Gcc11,
        family: Family::Gcc,
        version: 11,
        standard: Standard { year: Year::Cpp17, gnu: true },
        table: include_str!("predefined/gcc-11.txt"),
    },
    Row {
        compiler: HostCompiler::Gcc12,
        family: Family::Gcc,
        version: 12,
        standard: Standard { year: Year::Cpp17, gnu: true },
        table: include_str!("predefined/gcc-12.txt"),
    },
    Row {
        compiler: HostCompiler::Clang19,
        family: Family::Clang,
        version: 19,
        standard: Standard { year: Year::Cpp17, gnu: true },
        table: include_str!("predefined/clang-19.txt"),
    },
    Row {
        compiler: HostCompiler::Msvc,
        family: Family::Msvc,
        version: 19,
        standard: Standard { year: Year::Cpp14, gnu: false },
        table: include_str!("predefined/msvc.txt"),
    },
];

/// The sections of each compiler's table, parallel to [`TABLE`].
static SECTIONS: LazyLock<Vec<Vec<Section>>> =
    LazyLock::new(|| TABLE.iter().map(|row| sections(row.table)).collect());

impl HostCompiler {
    /// Every compiler of the table.
    pub fn all() -> Vec<HostCompiler> {
        TABLE.iter().map(|row| row.compiler).collect()
    }

    /// The compiler that a program name such as `aarch64-linux-gnu-g++-12` or `clang++` stands for: of its family the
    /// measured one that is nearest to the version in the name; without a version the newest.
    pub fn named(program: &str) -> Option<HostCompiler> {
        let (family, version) = family_of(program)?;
        HostCompiler::nearest(family, version)
    }

    /// The measured member of a family nearest to a major version; the newer of two equally near.
    pub fn nearest(family: Family, version: Option<u32>) -> Option<HostCompiler> {
        let members = TABLE.iter().filter(|row| row.family == family);
        let far = |row: &&Row| version.map_or(u32::MAX - row.version, |wanted| wanted.abs_diff(row.version));
        members.rev().min_by_key(far).map(|row| row.compiler)
    }

    /// Its family.
    pub fn family(self) -> Family {
        self.row().family
    }

    /// Its major version.
    pub fn version(self) -> u32 {
        self.row().version
    }

    /// The language standard it compiles without `-std`.
    pub fn standard(self) -> Standard {
        self.row().standard
    }

    fn row(self) -> &'static Row {
        &TABLE[self.index()]
    }

    fn index(self) -> usize {
        TABLE.iter().position(|row| row.compiler == self).expect("every compiler has a row")
    }

    /// Whether the option, as spelled, predefines or undefines a macro.
    pub fn knows(self, option: &str) -> bool {
        SECTIONS[self.index()].iter().any(|section| section.options.contains(&option)) || is_level(option)
    }

    /// The predefined macros: value by name (with parameters).
    pub fn macros(
        self,
        machine: Machine,
        standard: Standard,
        options: &[String],
    ) -> BTreeMap<String, String> {
        let sections = &SECTIONS[self.index()];
        let mut macros = FxHashMap::default();
        let holds = |section: &&Section| {
            (section.machines.is_empty() || section.machines.contains(&machine))
                && (section.years.is_empty() || section.years.contains(&standard.year))
                && section.gnu.is_none_or(|gnu| gnu == standard.gnu)
        };
        for section in sections.iter().filter(|section| section.options.is_empty()).filter(holds) {
            section.apply(&mut macros);
        }
        for option in in_force(options) {
            let named = |section: &&Section| section.options.contains(&option);
            for section in sections.iter().filter(named).filter(holds) {
                section.apply(&mut macros);
            }
        }
        macros.into_iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
    }
}

/// The family and version that a program name states: `g++-12` is GCC 12, `clang++` is Clang of unknown version.
pub fn family_of(program: &str) -> Option<(Family, Option<u32>)> {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let (name, version) = match name.rsplit_once('-') {
        Some((name, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => {
            (name, version.split('.').next().and_then(|major| major.parse().ok()))
        }
        _ => (name, None),
    };
    let name = name.rsplit('-').next().unwrap_or(name);
    let family = match name {
        "g++" | "gcc" | "c++" | "cc" => Family::Gcc,
        "clang++" | "clang" => Family::Clang,
        "cl" => Family::Msvc,
        _ => return None,
    };
    Some((family, version))
}

/// Whether the option is an optimisation level. `-O0` has no section: it only cancels an earlier level.
fn is_level(option: &str) -> bool {
    option == "-O0"
}

/// The options in effect: the last optimisation level, the last processor, and none that a later one cancels
/// (`-fopenmp -fno-openmp`).
fn in_force(options: &[String]) -> Vec<&str> {
    let mut list: Vec<&str> = Vec::new();
    for option in options {
        list.retain(|earlier| !replaces(option, earlier));
        list.push(option);
    }
    list
}

/// Whether the later option overrides the earlier one.
fn replaces(later: &str, earlier: &str) -> bool {
    let one_of_its_kind = |prefix: &str| later.starts_with(prefix) && earlier.starts_with(prefix);
    let negated = |yes: &str, no: &str, prefix: &str, negative: &str| {
        yes.strip_prefix(prefix).is_some_and(|name| no.strip_prefix(negative) == Some(name))
    };
    let opposite = |a, b| negated(a, b, "-f", "-fno-") || negated(a, b, "-m", "-mno-");
    later == earlier
        || one_of_its_kind("-O")
        || one_of_its_kind("-march=")
        || one_of_its_kind("-mcpu=")
        || opposite(later, earlier)
        || opposite(earlier, later)
}

/// A processor architecture, with the ABI of Linux (of Windows for MSVC).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Machine {
    /// x86-64.
    X86_64,
    /// 64-bit ARM.
    Aarch64,
}

impl Machine {
    /// Every machine.
    pub const ALL: [Machine; 2] = [Machine::X86_64, Machine::Aarch64];

    /// The machine of a target triple, or of a program name that begins with one: `aarch64-linux-gnu-g++`.
    pub fn of_triple(triple: &str) -> Option<Machine> {
        match triple.split('-').next()? {
            "x86_64" | "amd64" => Some(Machine::X86_64),
            "aarch64" | "arm64" | "sbsa" => Some(Machine::Aarch64),
            _ => None,
        }
    }

    /// The first component of its target triples: `x86_64`.
    pub fn name(self) -> &'static str {
        match self {
            Machine::X86_64 => "x86_64",
            Machine::Aarch64 => "aarch64",
        }
    }
}

impl Default for Machine {
    /// The machine this program was built for, which is also a compiler's default.
    fn default() -> Machine {
        if cfg!(target_arch = "aarch64") { Machine::Aarch64 } else { Machine::X86_64 }
    }
}

/// An edition of the C++ standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Year {
    /// C++11.
    Cpp11,
    /// C++14.
    Cpp14,
    /// C++17.
    Cpp17,
    /// C++20.
    Cpp20,
    /// C++23.
    Cpp23,
}

/// The editions' names in options: the final name first, then those of the drafts.
const YEARS: &[(Year, &[&str])] = &[
    (Year::Cpp11, &["11", "0x"]),
    (Year::Cpp14, &["14", "1y"]),
    (Year::Cpp17, &["17", "1z"]),
    (Year::Cpp20, &["20", "2a"]),
    (Year::Cpp23, &["23", "2b", "latest"]),
];

/// A value of `-std`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Standard {
    /// Which standard.
    pub year: Year,
    /// With the compiler's extensions: `-std=gnu++17`.
    pub gnu: bool,
}

impl Standard {
    /// Every standard, in the order of the years.
    pub fn all() -> Vec<Standard> {
        let both = |year: &(Year, &[&str])| [false, true].map(|gnu| Standard { year: year.0, gnu });
        YEARS.iter().flat_map(both).collect()
    }

    /// Parses `c++17`, `gnu++2a`.
    ///
    /// # Errors
    /// When the name is not one of a standard from C++11 to C++23.
    pub fn parse(name: &str) -> Result<Standard, UnknownStandard> {
        let (gnu, rest) = match (name.strip_prefix("gnu++"), name.strip_prefix("c++")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err(UnknownStandard(name.to_string())),
        };
        let row = YEARS.iter().find(|(_, spellings)| spellings.contains(&rest));
        row.map(|(year, _)| Standard { year: *year, gnu }).ok_or_else(|| UnknownStandard(name.to_string()))
    }
}

impl fmt::Display for Standard {
    /// As `-std` takes it: `gnu++17`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = YEARS.iter().find(|(year, _)| *year == self.year).expect("every year has a row");
        write!(f, "{}++{}", if self.gnu { "gnu" } else { "c" }, row.1[0])
    }
}

/// A `-std` value that is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown language standard `{0}`")]
pub struct UnknownStandard(pub String);

impl UnknownStandard {
    /// The remedy to suggest.
    pub fn help(&self) -> String {
        let names: Vec<String> = Standard::all().iter().map(ToString::to_string).collect();
        format!("the known ones are {}", names.join(", "))
    }
}

/// A section of a compiler's table.
struct Section {
    machines: Vec<Machine>,
    years: Vec<Year>,
    gnu: Option<bool>,
    options: Vec<&'static str>,
    /// Names with values; `None` undefines the name.
    macros: Vec<(&'static str, Option<&'static str>)>,
}

impl Section {
    fn headed(words: &'static str) -> Section {
        let mut section = Section {
            machines: Vec::new(),
            years: Vec::new(),
            gnu: None,
            options: Vec::new(),
            macros: Vec::new(),
        };
        for word in words.split_whitespace() {
            if let Some(machine) = Machine::ALL.into_iter().find(|machine| machine.name() == word) {
                section.machines.push(machine);
            } else if let Ok(standard) = Standard::parse(word) {
                section.years.push(standard.year);
            } else if matches!(word, "gnu" | "strict") {
                section.gnu = Some(word == "gnu");
            } else {
                section.options.push(word);
            }
        }
        section
    }

    fn apply(&self, macros: &mut FxHashMap<&'static str, &'static str>) {
        for (name, value) in &self.macros {
            match value {
                Some(value) => macros.insert(name, value),
                None => macros.remove(name),
            };
        }
    }
}

fn sections(table: &'static str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        if let Some(words) = line.strip_prefix('@') {
            sections.push(Section::headed(words));
            continue;
        }
        let macros = &mut sections.last_mut().expect("a table begins with a heading").macros;
        match (line.strip_prefix("+ "), line.strip_prefix("- ")) {
            (Some(names), _) => macros.extend(names.split(' ').map(|name| (name, Some("1")))),
            (None, Some(names)) => macros.extend(names.split(' ').map(|name| (name, None))),
            (None, None) => {
                let (name, value) = line.split_once(' ').unwrap_or((line, ""));
                macros.push((name, Some(value)));
            }
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(program: &str, expected: Option<HostCompiler>) {
        assert_eq!(HostCompiler::named(program), expected, "{program}");
    }

    #[test]
    fn a_program_means_the_nearest_measured_compiler() {
        check("g++", Some(HostCompiler::Gcc12));
        check("/usr/bin/aarch64-linux-gnu-g++-11", Some(HostCompiler::Gcc11));
        check("x86_64-conda-linux-gnu-c++", Some(HostCompiler::Gcc12));
        check("g++-9.4", Some(HostCompiler::Gcc11));
        check("clang++-15", Some(HostCompiler::Clang19));
        check("C:\\VC\\bin\\cl.exe", Some(HostCompiler::Msvc));
        check("icpx", None);
    }

    fn value(compiler: HostCompiler, options: &str, name: &str) -> Option<String> {
        let options: Vec<String> = options.split_whitespace().map(String::from).collect();
        compiler.macros(Machine::X86_64, compiler.standard(), &options).remove(name)
    }

    #[test]
    fn the_last_option_of_a_kind_is_in_force() {
        let gcc = |options: &str, name: &str| value(HostCompiler::Gcc12, options, name);
        assert_eq!(gcc("-O3", "__OPTIMIZE__").as_deref(), Some("1"));
        assert_eq!(gcc("-O3", "__NO_INLINE__"), None);
        assert_eq!(gcc("-O3 -O0", "__OPTIMIZE__"), None);
        assert_eq!(gcc("-fopenmp", "_OPENMP").as_deref(), Some("201511"));
        assert_eq!(gcc("-fopenmp -fno-openmp", "_OPENMP"), None);
        assert_eq!(gcc("-march=haswell -march=x86-64-v2", "__AVX2__"), None);
        assert_eq!(gcc("-mavx2 -mno-avx2", "__AVX2__"), None);
        assert!(HostCompiler::Gcc12.knows("-O0") && !HostCompiler::Gcc12.knows("-Wall"));
    }

    #[test]
    fn microsoft_s_macros_are_documented() {
        let msvc = |options: &str, name: &str| value(HostCompiler::Msvc, options, name);
        assert_eq!(msvc("", "__cplusplus").as_deref(), Some("199711L"));
        assert_eq!(msvc("/Zc:__cplusplus", "__cplusplus").as_deref(), Some("201402L"));
        assert_eq!(msvc("/openmp", "_OPENMP").as_deref(), Some("200203"));
        assert_eq!(msvc("", "__GNUC__"), None);
    }

    #[test]
    fn standards_are_read_as_compilers_read_them() {
        for standard in Standard::all() {
            assert_eq!(Standard::parse(&standard.to_string()), Ok(standard));
        }
        assert_eq!(Standard::parse("gnu++2a").map(|one| one.to_string()), Ok("gnu++20".into()));
        assert!(Standard::parse("c17").unwrap_err().help().contains("c++11, gnu++11, c++14"));
    }
}
