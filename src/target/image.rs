//! The images that a build embeds in its fat binary, and the GPUs that can run them.

use std::fmt;

use super::arch::{Arch, Suffix};

/// The form of an image in a fat binary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum ImageKind {
    /// Machine code, a cubin: `code=sm_80`.
    Elf,
    /// PTX, which the driver compiles for the GPU at run time: `code=compute_80`.
    Ptx,
    /// The intermediate form of link-time optimisation, which no GPU runs: `code=lto_80`.
    Lto,
}

/// One image of a fat binary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Image {
    /// Its form.
    pub kind: ImageKind,
    /// The architecture it is for.
    pub arch: Arch,
}

/// Integrated GPUs, on one chip with a CPU. Their machine code is not compatible with discrete GPUs, nor from one of
/// them to another (CUDA C++ Programming Guide, "Binary Compatibility").
pub(super) const TEGRA: [u16; 7] = [32, 53, 62, 72, 87, 101, 110];

impl Image {
    /// Whether a GPU of this compute capability (ten times major plus minor) can run it. Machine code runs within
    /// its major version from its own minor version on, PTX on all later GPUs, `a` code on its chip only, and `f`
    /// code in its family (CUDA C++ Programming Guide, "Binary Compatibility", "PTX Compatibility" and "Feature Set
    /// Compiler Targets").
    pub fn runs_on(self, device: u16) -> bool {
        let own = self.arch.number;
        match (self.kind, self.arch.suffix) {
            (ImageKind::Lto, _) => false,
            (_, Suffix::A) => own == device,
            (_, Suffix::F) => self.arch.family_has(device),
            (ImageKind::Ptx, Suffix::None) => own <= device,
            (ImageKind::Elf, Suffix::None) => {
                let tegra = TEGRA.contains(&own) || TEGRA.contains(&device);
                own == device || !tegra && own / 10 == device / 10 && own < device
            }
        }
    }
}

impl fmt::Display for Image {
    /// As `code=` spells it: `sm_80`, `compute_80`, `lto_80`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = match self.kind {
            ImageKind::Elf => "sm",
            ImageKind::Ptx => "compute",
            ImageKind::Lto => "lto",
        };
        write!(f, "{prefix}_{}", self.arch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The baseline architectures whose GPUs run an image.
    fn check(kind: ImageKind, arch: &str, expected: &str) {
        let image = Image { kind, arch: Arch::of_number(arch).unwrap() };
        let devices = Arch::known().filter(|one| one.suffix == Suffix::None && image.runs_on(one.number));
        let names: Vec<String> = devices.map(|one| one.to_string()).collect();
        assert_eq!(names.join(" "), expected, "{image}");
    }

    #[test]
    fn machine_code_runs_inside_its_major_version() {
        check(ImageKind::Elf, "80", "80 86 88 89");
        check(ImageKind::Elf, "86", "86 88 89");
        check(ImageKind::Elf, "87", "87");
        check(ImageKind::Elf, "90", "90");
        check(ImageKind::Elf, "120", "120 121");
        check(ImageKind::Elf, "100", "100 103 107");
    }

    #[test]
    fn ptx_runs_on_all_that_came_later() {
        check(ImageKind::Ptx, "100", "100 101 103 107 110 120 121");
        check(ImageKind::Ptx, "120", "120 121");
    }

    #[test]
    fn suffixes_bind_to_a_chip_or_a_family() {
        for kind in [ImageKind::Elf, ImageKind::Ptx] {
            check(kind, "90a", "90");
            check(kind, "100f", "100 103 107");
            check(kind, "103f", "103 107");
            check(kind, "120f", "120 121");
        }
        check(ImageKind::Lto, "80", "");
    }
}
