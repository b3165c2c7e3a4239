//! The table of virtual architectures: names, the toolkits that compile for each, and the GPUs.

use std::fmt;

use super::toolkit::{Release, TOOLKITS, Toolkit};

/// The suffix of an architecture's number: none, `a` (code runs on this chip only) or `f` (code runs within its
/// family). CUDA C++ Programming Guide, "Feature Set Compiler Targets".
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, serde::Serialize, serde::Deserialize,
)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Arch {
    /// Ten times the major plus the minor compute capability: 75, 90, 120.
    pub number: u16,
    /// The suffix.
    pub suffix: Suffix,
}

/// A version of the PTX instruction set, as in `.version 9.0`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Isa {
    /// 9 of 9.0.
    pub major: u8,
    /// 0 of 9.0.
    pub minor: u8,
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// One known architecture.
struct Row {
    arch: Arch,
    /// The first PTX ISA version whose `.target` directive may name it.
    isa: Isa,
    /// The first toolkit release that compiles for it.
    first: Release,
    /// The last toolkit release that compiles for it; `NOW` if today's still do.
    last: Release,
    /// The lowest architecture of its family: `f` code runs on the family's GPUs, from its own number up.
    family: u16,
    /// The GPUs, as a short phrase.
    gpus: &'static str,
}

const NOW: Release = (u32::MAX, 0);

const fn row(
    number: u16,
    suffix: Suffix,
    (major, minor): (u8, u8),
    first: Release,
    last: Release,
    family: u16,
    gpus: &'static str,
) -> Row {
    Row { arch: Arch { number, suffix }, isa: Isa { major, minor }, first, last, family, gpus }
}

use Suffix::{A, F, None as N};

/// Every architecture that nvcc has accepted since Fermi. From sm_50 on as measured with ptxas 11.7 to 13.5 and nvcc
/// 11.8, 12.4, 13.0 and 13.5. Older ones are not measured: their PTX versions are those that clang 19 writes (it has
/// none below 3.2), their last releases those of clang's table of toolkits, and the rest (PTX below 3.2, releases
/// before 8.0) is from the release notes of the PTX ISA and of the toolkits. sm_21 is a real architecture only; its
/// virtual architecture is compute_20.
const TABLE: &[Row] = &[
    row(20, N, (2, 0), (3, 0), (8, 0), 20, "Fermi"),
    row(21, N, (2, 0), (3, 2), (8, 0), 20, "Fermi"),
    row(30, N, (3, 0), (4, 2), (10, 2), 30, "Kepler"),
    row(32, N, (4, 0), (6, 0), (10, 2), 32, "Tegra K1"),
    row(35, N, (3, 1), (5, 0), (11, 8), 35, "Kepler"),
    row(37, N, (4, 1), (6, 5), (11, 8), 37, "Kepler K80"),
    row(50, N, (4, 0), (6, 0), (12, 9), 50, "Maxwell"),
    row(52, N, (4, 1), (6, 5), (12, 9), 52, "Maxwell"),
    row(53, N, (4, 2), (7, 0), (12, 9), 53, "Tegra X1"),
    row(60, N, (5, 0), (8, 0), (12, 9), 60, "Pascal P100"),
    row(61, N, (5, 0), (8, 0), (12, 9), 61, "Pascal"),
    row(62, N, (5, 0), (8, 0), (12, 9), 62, "Tegra X2"),
    row(70, N, (6, 0), (9, 0), (12, 9), 70, "Volta"),
    row(72, N, (6, 1), (9, 1), (12, 9), 72, "Tegra Xavier"),
    row(75, N, (6, 3), (10, 0), NOW, 75, "Turing"),
    row(80, N, (7, 0), (11, 0), NOW, 80, "Ampere A100"),
    row(86, N, (7, 1), (11, 1), NOW, 86, "Ampere"),
    row(87, N, (7, 4), (11, 4), NOW, 87, "Tegra Orin"),
    row(88, N, (9, 0), (13, 0), NOW, 88, "Ampere"),
    row(89, N, (7, 8), (11, 8), NOW, 89, "Ada"),
    row(90, N, (7, 8), (11, 8), NOW, 90, "Hopper"),
    row(90, A, (8, 0), (12, 0), NOW, 90, "Hopper"),
    row(100, N, (8, 6), (12, 8), NOW, 100, "Blackwell B200"),
    row(100, A, (8, 6), (12, 8), NOW, 100, "Blackwell B200"),
    row(100, F, (8, 8), (12, 9), NOW, 100, "Blackwell B200"),
    row(101, N, (8, 6), (12, 8), (12, 9), 101, "Tegra Thor, sm_110 since CUDA 13"),
    row(101, A, (8, 6), (12, 8), (12, 9), 101, "Tegra Thor, sm_110 since CUDA 13"),
    row(101, F, (8, 8), (12, 9), (12, 9), 101, "Tegra Thor, sm_110 since CUDA 13"),
    row(103, N, (8, 8), (12, 9), NOW, 100, "Blackwell B300"),
    row(103, A, (8, 8), (12, 9), NOW, 100, "Blackwell B300"),
    row(103, F, (8, 8), (12, 9), NOW, 100, "Blackwell B300"),
    row(107, N, (9, 4), (13, 4), NOW, 100, "Rubin"),
    row(107, A, (9, 4), (13, 4), NOW, 100, "Rubin"),
    row(107, F, (9, 4), (13, 4), NOW, 100, "Rubin"),
    row(110, N, (9, 0), (13, 0), NOW, 110, "Tegra Thor"),
    row(110, A, (9, 0), (13, 0), NOW, 110, "Tegra Thor"),
    row(110, F, (9, 0), (13, 0), NOW, 110, "Tegra Thor"),
    row(120, N, (8, 7), (12, 8), NOW, 120, "RTX Blackwell"),
    row(120, A, (8, 7), (12, 8), NOW, 120, "RTX Blackwell"),
    row(120, F, (8, 8), (12, 9), NOW, 120, "RTX Blackwell"),
    row(121, N, (8, 8), (12, 9), NOW, 120, "Blackwell GB10"),
    row(121, A, (8, 8), (12, 9), NOW, 120, "Blackwell GB10"),
    row(121, F, (8, 8), (12, 9), NOW, 120, "Blackwell GB10"),
];

impl Arch {
    /// The baseline architecture (without suffix) of this number, whether or not it exists.
    pub fn plain(number: u16) -> Arch {
        Arch { number, suffix: Suffix::None }
    }

    /// Every architecture of the table, by number; of equal numbers baseline, then `a`, then `f`.
    pub fn known() -> impl Iterator<Item = Arch> {
        TABLE.iter().map(|row| row.arch)
    }

    /// Parses a number with its suffix: `90a`. `None` if no such architecture exists.
    pub fn of_number(text: &str) -> Option<Arch> {
        Arch::known().find(|arch| arch.to_string() == text)
    }

    /// The value of `__CUDA_ARCH__` in its pass: ten times its number.
    pub fn cuda_arch(self) -> u32 {
        u32::from(self.number) * 10
    }

    /// The virtual architecture's name, e.g. `compute_90a`.
    pub fn compute_name(self) -> String {
        format!("compute_{self}")
    }

    /// The name of the real architecture with the same number and suffix, e.g. `sm_90a`.
    pub fn sm_name(self) -> String {
        format!("sm_{self}")
    }

    /// The compute capability as people and conda write it: `9.0`, without a suffix.
    pub fn capability(self) -> String {
        format!("{}.{}", self.number / 10, self.number % 10)
    }

    /// The first PTX ISA version that has it as a target.
    pub fn isa(self) -> Option<Isa> {
        self.row().map(|row| row.isa)
    }

    /// The GPUs that have it, as a short phrase.
    pub fn gpus(self) -> &'static str {
        self.row().map_or("unknown", |row| row.gpus)
    }

    /// Whether nvcc of this toolkit compiles for it.
    pub fn accepted_by(self, toolkit: Toolkit) -> bool {
        let release = (toolkit.major, toolkit.minor);
        self.row().is_some_and(|row| row.first <= release && release <= row.last)
    }

    /// The first toolkit release that compiles for it.
    pub fn first_release(self) -> Option<Release> {
        self.row().map(|row| row.first)
    }

    /// The last toolkit release that compiles for it; `None` if today's still do.
    pub fn last_release(self) -> Option<Release> {
        self.row().map(|row| row.last).filter(|last| *last != NOW)
    }

    /// Whether family-specific code for `self` runs on a GPU with architecture number `other`: same family, not
    /// lower.
    pub fn family_has(self, other: u16) -> bool {
        let family = |number| Arch::plain(number).row().map(|row| row.family);
        self.number <= other && family(self.number).is_some() && family(self.number) == family(other)
    }

    /// The baseline architectures that `nvcc -arch=all` of a toolkit compiles for, ascending.
    pub fn all_of(toolkit: Toolkit) -> Vec<Arch> {
        Arch::known().filter(|arch| arch.suffix == Suffix::None && arch.accepted_by(toolkit)).collect()
    }

    /// The architectures of `nvcc -arch=all-major`: of each major version the lowest of [`Arch::all_of`].
    pub fn all_major_of(toolkit: Toolkit) -> Vec<Arch> {
        let mut archs = Arch::all_of(toolkit);
        archs.dedup_by_key(|arch| arch.number / 10);
        archs
    }

    /// Every baseline architecture of the default toolkit.
    pub fn all() -> Vec<Arch> {
        Arch::all_of(Toolkit::default())
    }

    fn row(self) -> Option<&'static Row> {
        TABLE.iter().find(|row| row.arch == self)
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

impl Toolkit {
    /// The PTX ISA version that its compiler writes; for an unknown release that of the newest.
    pub fn isa(self) -> Isa {
        let row = TOOLKITS.iter().find(|row| (row.0, row.1) == (self.major, self.minor));
        let (.., (major, minor)) = row.unwrap_or(&TOOLKITS[TOOLKITS.len() - 1]);
        Isa { major: *major, minor: *minor }
    }

    /// nvcc's default target (measured on 11.8, 12.4 and 13.0 to 13.5).
    pub fn default_arch(self) -> Arch {
        Arch::plain(if self.major >= 13 { 75 } else { 52 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The baseline architectures of a toolkit, or those with a suffix.
    fn check(release: &str, suffixed: bool, expected: &str) {
        let toolkit = Toolkit::parse(release).unwrap();
        let archs = Arch::known().filter(|arch| arch.accepted_by(toolkit));
        let chosen = archs.filter(|arch| (arch.suffix != Suffix::None) == suffixed);
        assert_eq!(chosen.map(|arch| arch.to_string()).collect::<Vec<_>>().join(" "), expected, "{release}");
    }

    #[test]
    fn toolkits_take_the_architectures_that_were_measured() {
        check("11.7", false, "35 37 50 52 53 60 61 62 70 72 75 80 86 87");
        check("11.8", false, "35 37 50 52 53 60 61 62 70 72 75 80 86 87 89 90");
        check("11.8", true, "");
        check("12.4", false, "50 52 53 60 61 62 70 72 75 80 86 87 89 90");
        check("12.4", true, "90a");
        check("12.8", false, "50 52 53 60 61 62 70 72 75 80 86 87 89 90 100 101 120");
        check("12.8", true, "90a 100a 101a 120a");
        check("12.9", false, "50 52 53 60 61 62 70 72 75 80 86 87 89 90 100 101 103 120 121");
        check("12.9", true, "90a 100a 100f 101a 101f 103a 103f 120a 120f 121a 121f");
        check("13.0", false, "75 80 86 87 88 89 90 100 103 110 120 121");
        check("13.5", false, "75 80 86 87 88 89 90 100 103 107 110 120 121");
        check("13.5", true, "90a 100a 100f 103a 103f 107a 107f 110a 110f 120a 120f 121a 121f");
    }

    #[test]
    fn no_architecture_is_older_than_the_ptx_of_its_first_toolkit() {
        for row in TABLE {
            let arch = row.arch;
            let Some(first) = Toolkit::release(row.first.0, row.first.1) else { continue };
            assert!(arch.isa() <= Some(first.isa()), "{arch}: {} before {first}", row.isa);
            assert!(row.first <= row.last, "{arch}");
        }
    }

    #[test]
    fn families_are_those_nvcc_compiles_for() {
        let family = |number: u16| -> Vec<u16> {
            let arch = Arch { number, suffix: Suffix::F };
            Arch::known()
                .filter(|one| one.suffix == Suffix::None && arch.family_has(one.number))
                .map(|one| one.number)
                .collect()
        };
        assert_eq!(family(100), [100, 103, 107]);
        assert_eq!(family(103), [103, 107]);
        assert_eq!(family(101), [101]);
        assert_eq!(family(110), [110]);
        assert_eq!(family(120), [120, 121]);
        assert_eq!(family(121), [121]);
    }

    #[test]
    fn the_major_ones_are_the_lowest_of_their_version() {
        let major = |release| {
            let archs = Arch::all_major_of(Toolkit::parse(release).unwrap());
            archs.iter().map(|arch| arch.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(major("11.8"), "35 50 60 70 80 90");
        assert_eq!(major("12.4"), "50 60 70 80 90");
        assert_eq!(major("13.0"), "75 80 90 100 110 120");
        assert_eq!(Arch::all().len(), 12);
    }
}
