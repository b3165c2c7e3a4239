//! The kernels and variables that a release adds and loses, GPU by GPU.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::artifact::Artifact;
use crate::target::Arch;

use super::inventory::{Cell, Row, inventory};

/// The kernels and variables that two builds have for each GPU, where these differ.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// Names that only the new build has.
    pub added: Vec<String>,
    /// Names that only the old build has.
    pub lost: Vec<String>,
    /// Names that both have, and the GPUs for which only the new one has them.
    pub gained_on: BTreeMap<Vec<u16>, Vec<String>>,
    /// Names that both have, and the GPUs for which only the old one had them.
    pub lost_on: BTreeMap<Vec<u16>, Vec<String>>,
}

/// The difference between two builds. A kernel counts for a GPU if the code that the GPU runs of any module has it.
pub fn difference(old: &[Artifact], new: &[Artifact]) -> Difference {
    let (old, new) = (by_name(old), by_name(new));
    let mut difference = Difference::default();
    for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
        match (old.get(name), new.get(name)) {
            (None, _) => difference.added.push(name.clone()),
            (_, None) => difference.lost.push(name.clone()),
            (Some(old), Some(new)) => {
                let only = |left: &BTreeSet<u16>, right: &BTreeSet<u16>| {
                    left.difference(right).copied().collect::<Vec<_>>()
                };
                let (gained, lost) = (only(new, old), only(old, new));
                if !gained.is_empty() {
                    difference.gained_on.entry(gained).or_default().push(name.clone());
                }
                if !lost.is_empty() {
                    difference.lost_on.entry(lost).or_default().push(name.clone());
                }
            }
        }
    }
    difference
}

/// The GPUs that have each kernel and variable.
fn by_name(artifacts: &[Artifact]) -> BTreeMap<String, BTreeSet<u16>> {
    let mut names: BTreeMap<String, BTreeSet<u16>> = BTreeMap::new();
    for row in inventory(artifacts).into_iter().flat_map(|one| one.rows).filter(|row| !is_of_headers(row)) {
        let has = row.gpus.iter().filter(|(_, cell)| matches!(cell, Cell::Code | Cell::Ptx));
        let name = if row.what == "kernel" { row.name } else { format!("variable {}", row.name) };
        names.entry(name).or_default().extend(has.map(|(gpu, _)| *gpu));
    }
    names
}

/// What NVIDIA's headers define in every unit that includes them. Which units these are is no matter of a release.
fn is_of_headers(row: &Row) -> bool {
    const NAMESPACES: [&str; 3] = ["cub::", "cuda::", "thrust::"];
    row.what == "variable"
        && row.symbol.contains("_INTERNAL_")
        && NAMESPACES.iter().any(|one| row.name.starts_with(one))
}

impl Difference {
    /// Both builds have the same.
    pub fn is_empty(&self) -> bool {
        *self == Difference::default()
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut part = |head: String, sign: char, names: &[String]| {
            if names.is_empty() {
                return Ok(());
            }
            writeln!(f, "{head} ({}):", names.len())?;
            names.iter().try_for_each(|name| writeln!(f, "  {sign} {name}"))
        };
        part("lost".into(), '-', &self.lost)?;
        for (gpus, names) in &self.lost_on {
            part(format!("lost on {}", capabilities(gpus)), '-', names)?;
        }
        part("added".into(), '+', &self.added)?;
        for (gpus, names) in &self.gained_on {
            part(format!("added on {}", capabilities(gpus)), '+', names)?;
        }
        match self.is_empty() {
            true => writeln!(f, "no difference"),
            false => Ok(()),
        }
    }
}

/// `7.0, 7.5`.
fn capabilities(gpus: &[u16]) -> String {
    gpus.iter().map(|gpu| Arch::plain(*gpu).capability()).collect::<Vec<_>>().join(", ")
}
