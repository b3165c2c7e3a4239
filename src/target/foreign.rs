//! GPUs of other makers than NVIDIA: AMD's, by LLVM's names.

use std::cmp::Reverse;
use std::fmt;

/// An AMD GPU by LLVM's target ID: `gfx1100`, or with features that the code depends on, `gfx90a:xnack-`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Gfx {
    processor: &'static str,
    /// Each of [`FEATURES`] on or off; `None` if code runs with both.
    features: [Option<bool>; FEATURES.len()],
}

/// An AMD GPU as a target of CUDA code, as SCALE's compiler supports it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Foreign {
    /// The GPU.
    pub gpu: Gfx,
    /// The compute capability that stands for it, as ten times major plus minor.
    pub number: u32,
}

/// The features of a target ID (LLVM's AMDGPU user guide, "Target ID"), in alphabetical order.
const FEATURES: [&str; 2] = ["sramecc", "xnack"];

/// The processors of LLVM's AMDGPU backend that have a name of their own (its user guide, "Processors").
const KNOWN: &[&str] = &[
    "gfx600",
    "gfx601",
    "gfx602",
    "gfx700",
    "gfx701",
    "gfx702",
    "gfx703",
    "gfx704",
    "gfx705",
    "gfx801",
    "gfx802",
    "gfx803",
    "gfx805",
    "gfx810",
    "gfx900",
    "gfx902",
    "gfx904",
    "gfx906",
    "gfx908",
    "gfx909",
    "gfx90a",
    "gfx90c",
    "gfx940",
    "gfx941",
    "gfx942",
    "gfx950",
    "gfx1010",
    "gfx1011",
    "gfx1012",
    "gfx1013",
    "gfx1030",
    "gfx1031",
    "gfx1032",
    "gfx1033",
    "gfx1034",
    "gfx1035",
    "gfx1036",
    "gfx1100",
    "gfx1101",
    "gfx1102",
    "gfx1103",
    "gfx1150",
    "gfx1151",
    "gfx1152",
    "gfx1153",
    "gfx1200",
    "gfx1201",
    "gfx1250",
    "gfx9-generic",
    "gfx9-4-generic",
    "gfx10-1-generic",
    "gfx10-3-generic",
    "gfx11-generic",
    "gfx12-generic",
];

impl Gfx {
    /// The prefix of every name.
    pub const PREFIX: &'static str = "gfx";

    /// Parses a target ID: a processor and features, each of which ends in `+` or `-`.
    pub fn parse(text: &str) -> Option<Gfx> {
        let mut parts = text.split(':');
        let name = parts.next()?;
        let processor = KNOWN.iter().find(|known| **known == name)?;
        let mut features = [None; FEATURES.len()];
        for part in parts {
            let feature = part.strip_suffix(['+', '-'])?;
            let index = FEATURES.iter().position(|known| *known == feature)?;
            features[index] = Some(part.ends_with('+'));
        }
        Some(Gfx { processor, features })
    }

    /// The known name with the longest common prefix; the first of several.
    pub fn nearest(text: &str) -> &'static str {
        let common = |known: &str| text.chars().zip(known.chars()).take_while(|(a, b)| a == b).count();
        let far = |known: &&&str| (Reverse(common(known)), strsim::levenshtein(text, known));
        KNOWN.iter().min_by_key(far).expect("the table is not empty")
    }

    /// The processor without features: `gfx90a`.
    pub fn processor(self) -> &'static str {
        self.processor
    }

    /// Threads in a warp, unless the build says otherwise: 64 up to gfx9, 32 from gfx10 on.
    pub fn warp_size(self) -> u32 {
        match self.digits() {
            (generation, _) if generation < 10 => 64,
            _ => 32,
        }
    }

    /// The compute capability (ten times major plus minor) that stands for it where no [`super::notation::Ccmap`]
    /// sets another. The last two characters of the name become two decimal digits each, letters counting on from
    /// 10; the resulting number is the major version (SCALE manual, "Default numbering scheme"): gfx90c becomes
    /// 90012.0.
    pub fn default_number(self) -> u32 {
        let (generation, [minor, stepping]) = self.digits();
        (generation * 10_000 + minor * 100 + stepping) * 10
    }

    /// Generation, minor version and stepping: 10, 3 and 0 of gfx1030; 9, 4 and 0 of gfx9-4-generic.
    fn digits(self) -> (u32, [u32; 2]) {
        let value = |c: char| c.to_digit(36).expect("names are letters and digits behind the prefix");
        let name = &self.processor[Gfx::PREFIX.len()..];
        if let Some(numbers) = name.strip_suffix("-generic") {
            let mut parts = numbers.split('-').map(|part| part.parse().unwrap_or(0));
            return (parts.next().unwrap_or(0), [parts.next().unwrap_or(0), 0]);
        }
        let (generation, last) = name.split_at(name.len() - 2);
        let mut last = last.chars().map(value);
        let mut next = || last.next().unwrap_or(0);
        (generation.parse().unwrap_or(0), [next(), next()])
    }
}

impl serde::Serialize for Gfx {
    /// As its target ID.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'d> serde::Deserialize<'d> for Gfx {
    fn deserialize<D: serde::Deserializer<'d>>(deserializer: D) -> Result<Gfx, D::Error> {
        let text = String::deserialize(deserializer)?;
        Gfx::parse(&text).ok_or_else(|| serde::de::Error::custom("it is no target ID"))
    }
}

impl fmt::Display for Gfx {
    /// The target ID: the name with its features.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.processor)?;
        for (name, switched) in FEATURES.iter().zip(self.features) {
            match switched {
                Some(true) => write!(f, ":{name}+")?,
                Some(false) => write!(f, ":{name}-")?,
                None => {}
            }
        }
        Ok(())
    }
}

impl Foreign {
    /// A GPU with its default number, used without a map.
    pub fn new(gpu: Gfx) -> Foreign {
        Foreign { gpu, number: gpu.default_number() }
    }

    /// The value of `__CUDA_ARCH__` in its pass: ten times the number. It does not describe the GPU's abilities.
    pub fn cuda_arch(self) -> u32 {
        self.number * 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_with_their_features() {
        for name in ["gfx1100", "gfx90a", "gfx90a:sramecc+:xnack-", "gfx11-generic"] {
            assert_eq!(Gfx::parse(name).map(|gfx| gfx.to_string()).as_deref(), Some(name));
        }
        for name in ["gfx", "gfx1", "gfx90a:", "gfx90a:xnack", "gfx90a:xnac+", "sm_90", "GFX90A"] {
            assert_eq!(Gfx::parse(name), None, "{name}");
        }
        assert_eq!(Gfx::nearest("gfx1105"), "gfx1100");
    }

    #[test]
    fn every_gpu_has_a_number_that_no_gpu_of_nvidia_s_has() {
        let number = |name: &str| Gfx::parse(name).unwrap().default_number();
        assert_eq!(number("gfx1030"), 1_003_000);
        assert_eq!(number("gfx90c"), 900_120);
        assert_eq!(number("gfx90a:xnack-"), 900_100);
        assert_eq!(number("gfx9-4-generic"), 904_000);
        assert!(KNOWN.iter().all(|name| number(name) >= 600_000));
        assert_eq!(Foreign::new(Gfx::parse("gfx1030").unwrap()).cuda_arch(), 10_030_000);
    }

    #[test]
    fn warps_are_as_wide_as_the_generation_s() {
        let width = |name: &str| Gfx::parse(name).unwrap().warp_size();
        assert_eq!((width("gfx90a"), width("gfx950"), width("gfx9-generic")), (64, 64, 64));
        assert_eq!((width("gfx1030"), width("gfx1201"), width("gfx11-generic")), (32, 32, 32));
    }
}
