//! GPUs that are not NVIDIA's, by the names LLVM gives them.

use std::cmp::Reverse;
use std::fmt;

/// An AMD GPU: `gfx1100`, or with the features that code is bound to, `gfx90a:xnack-`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Gfx(String);

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
    /// Every name begins with this.
    pub const PREFIX: &'static str = "gfx";

    /// Reads a name with its features, each of which ends in `+` or `-`.
    pub fn parse(text: &str) -> Option<Gfx> {
        let mut parts = text.split(':');
        let processor = parts.next()?;
        let switched = |feature: &str| feature.len() > 1 && feature.ends_with(['+', '-']);
        (KNOWN.contains(&processor) && parts.all(switched)).then(|| Gfx(text.to_string()))
    }

    /// The known name nearest to another: the first with the most letters in common at the beginning.
    pub fn nearest(text: &str) -> &'static str {
        let common = |known: &str| text.chars().zip(known.chars()).take_while(|(a, b)| a == b).count();
        let far = |known: &&&str| (Reverse(common(known)), strsim::levenshtein(text, known));
        KNOWN.iter().min_by_key(far).expect("the table is not empty")
    }

    /// The name, with its features.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Gfx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
        for name in ["gfx", "gfx1", "gfx90a:", "gfx90a:xnack", "sm_90", "GFX90A"] {
            assert_eq!(Gfx::parse(name), None, "{name}");
        }
        assert_eq!(Gfx::nearest("gfx1105"), "gfx1100");
    }
}
