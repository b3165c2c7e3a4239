//! Passes, sets of passes, and values that differ by pass.

use std::fmt;

use smallvec::{SmallVec, smallvec};

use super::arch::Arch;
use super::foreign::Foreign;

/// A pass: one run of the compiler's front end over a translation unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Pass {
    /// The host pass: `__CUDA_ARCH__` is not defined.
    Host,
    /// The pass for one virtual architecture.
    Device(Arch),
    /// The pass for an AMD GPU that is named directly.
    Foreign(Foreign),
}

impl fmt::Display for Pass {
    /// `host` or the GPU's name, `sm_90a`, `gfx1100`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pass::Host => f.write_str("host"),
            Pass::Device(arch) => f.write_str(&arch.sm_name()),
            Pass::Foreign(foreign) => foreign.gpu.fmt(f),
        }
    }
}

/// A set of the passes of one unit. Bit `n` stands for pass number `n`, bit 0 for the host pass.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, serde::Serialize, serde::Deserialize,
)]
pub struct PassSet(pub u64);

impl PassSet {
    /// The empty set.
    pub const EMPTY: PassSet = PassSet(0);
    /// The set of all passes that a unit may have.
    pub const EVERY: PassSet = PassSet(u64::MAX);
    /// The set of the host pass alone.
    pub const HOST: PassSet = PassSet(1);

    /// The set of the pass with this number.
    pub fn single(index: usize) -> PassSet {
        PassSet(1 << index)
    }

    /// The set of the passes numbered `0..count`.
    pub fn first(count: usize) -> PassSet {
        PassSet(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of passes in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether pass number `index` is in the set.
    pub fn has(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// Whether every pass of `other` is in the set.
    pub fn contains(self, other: PassSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether the sets have a pass in common.
    pub fn meets(self, other: PassSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The intersection: passes in both sets.
    #[must_use]
    pub fn and(self, other: PassSet) -> PassSet {
        PassSet(self.0 & other.0)
    }

    /// The union: passes in either set.
    #[must_use]
    pub fn or(self, other: PassSet) -> PassSet {
        PassSet(self.0 | other.0)
    }

    /// The difference: passes of `self` that are not in `other`.
    #[must_use]
    pub fn minus(self, other: PassSet) -> PassSet {
        PassSet(self.0 & !other.0)
    }

    /// The lowest-numbered pass, if there is one.
    pub fn lowest(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
    }

    /// The numbers of the passes, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lowest = PassSet(rest).lowest()?;
            rest &= rest - 1;
            Some(lowest)
        })
    }
}

impl fmt::Debug for PassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The error when a unit has more passes than a [`PassSet`] holds.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} device targets, and one unit can have at most 63")]
pub struct TooManyPasses(pub usize);

/// The passes of a unit, numbered: 0 is the host, then the targets in command-line order.
///
/// The order matters: nvcc takes the host stubs and the registration of kernels from the *last* target's pass.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Passes {
    list: Vec<Pass>,
}

impl Default for Passes {
    /// The host pass alone.
    fn default() -> Passes {
        Passes { list: vec![Pass::Host] }
    }
}

impl Passes {
    /// The host pass and one pass for each of these targets, in order.
    ///
    /// # Errors
    /// If there are more than 63 targets.
    pub fn new(targets: &[Arch]) -> Result<Passes, TooManyPasses> {
        Passes::of(targets.iter().map(|arch| Pass::Device(*arch)))
    }

    /// The host pass and these device passes, in order.
    ///
    /// # Errors
    /// If there are more than 63.
    pub fn of(devices: impl Iterator<Item = Pass>) -> Result<Passes, TooManyPasses> {
        let list: Vec<Pass> = std::iter::once(Pass::Host).chain(devices).collect();
        if list.len() > 64 {
            return Err(TooManyPasses(list.len() - 1));
        }
        Ok(Passes { list })
    }

    /// All passes, by number.
    pub fn list(&self) -> &[Pass] {
        &self.list
    }

    /// The set of all passes.
    pub fn all(&self) -> PassSet {
        PassSet::first(self.list.len())
    }

    /// The set of the device passes.
    pub fn devices(&self) -> PassSet {
        self.all().minus(PassSet::HOST)
    }

    /// The number of the pass from which the host object takes stubs and registration: the last target's (measured on
    /// nvcc 11.8 to 13.5). `None` without targets, and with AMD's, which another compiler handles.
    pub fn stub(&self) -> Option<usize> {
        let last = self.list.len() - 1;
        matches!(self.list[last], Pass::Device(_)).then_some(last)
    }

    /// The architectures of NVIDIA's device passes in `set`.
    pub fn archs(&self, set: PassSet) -> Vec<Arch> {
        let pass = |index: usize| match self.list[index] {
            Pass::Host | Pass::Foreign(_) => None,
            Pass::Device(arch) => Some(arch),
        };
        set.and(self.all()).iter().filter_map(pass).collect()
    }

    /// The set as a phrase for messages: "the host", "sm_80 and sm_90", "every target".
    pub fn describe(&self, set: PassSet) -> String {
        let names = self.short_names(set, "the host");
        match names.as_slice() {
            [] => "no pass".into(),
            [one] => one.clone(),
            [init @ .., last] => format!("{} and {last}", init.join(", ")),
        }
    }

    /// Short names of the passes for people, with the given name for the host. All targets together are one name,
    /// and four or more consecutive targets are written as a range, `sm_80 … sm_90`.
    pub fn short_names(&self, set: PassSet, host: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        if set.has(0) {
            names.push(host.into());
        }
        let devices = set.and(self.devices());
        if devices == self.devices() && devices.len() > 1 {
            names.push("every target".into());
            return names;
        }
        let mut all = self.archs(self.devices());
        all.sort();
        let chosen = self.archs(devices);
        for run in all.chunk_by(|left, right| chosen.contains(left) == chosen.contains(right)) {
            match run {
                [first, ..] if !chosen.contains(first) => {}
                [first, _, _, .., last] => names.push(format!("{} … {}", first.sm_name(), last.sm_name())),
                few => names.extend(few.iter().map(|arch| arch.sm_name())),
            }
        }
        let foreign = devices.iter().filter(|index| matches!(self.list[*index], Pass::Foreign(_)));
        names.extend(foreign.map(|index| self.list[index].to_string()));
        names
    }

    /// The passes' names in order, for machine-readable output: `host`, `sm_80`.
    pub fn names(&self, set: PassSet) -> Vec<String> {
        set.and(self.all()).iter().map(|index| self.list[index].to_string()).collect()
    }
}

/// A value that may differ by pass: disjoint sets of passes with their values. Nearly always there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByPass<T> {
    cases: SmallVec<[(PassSet, T); 1]>,
}

impl<T> Default for ByPass<T> {
    fn default() -> Self {
        ByPass { cases: SmallVec::new() }
    }
}

impl<T: PartialEq> ByPass<T> {
    /// No value in any pass.
    pub fn new() -> ByPass<T> {
        ByPass::default()
    }

    /// The same value in every pass of `set`.
    pub fn uniform(set: PassSet, value: T) -> ByPass<T> {
        ByPass { cases: smallvec![(set, value)] }
    }

    /// Sets the value for the passes of `set`, replacing earlier values. Equal values share a case.
    pub fn set(&mut self, set: PassSet, value: T) {
        self.clear(set);
        match self.cases.iter_mut().find(|(_, old)| *old == value) {
            Some((passes, _)) => *passes = passes.or(set),
            None => self.cases.push((set, value)),
        }
    }
}

impl<T> ByPass<T> {
    /// Removes the value of the passes of `set`.
    pub fn clear(&mut self, set: PassSet) {
        for (passes, _) in &mut self.cases {
            *passes = passes.minus(set);
        }
        self.cases.retain(|(passes, _)| !passes.is_empty());
    }

    /// Sorts the cases by their lowest passes.
    pub fn sort(&mut self) {
        self.cases.sort_by_key(|(passes, _)| passes.lowest());
    }

    /// The disjoint cases, in the order in which they were set or sorted.
    pub fn cases(&self) -> &[(PassSet, T)] {
        &self.cases
    }

    /// The passes that have a value.
    pub fn passes(&self) -> PassSet {
        self.cases.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes))
    }

    /// The value in pass number `pass`.
    pub fn get(&self, pass: usize) -> Option<&T> {
        self.cases.iter().find(|(passes, _)| passes.has(pass)).map(|(_, value)| value)
    }

    /// Whether passes that have a value have different ones.
    pub fn varies(&self) -> bool {
        self.cases.len() > 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::foreign::Gfx;
    use super::*;

    fn passes(list: &str) -> Passes {
        Passes::new(&crate::target::parse_arch_list(list).unwrap()).unwrap()
    }

    #[test]
    fn sets_are_described_as_people_say_them() {
        let passes = passes("90,80");
        assert_eq!(passes.describe(PassSet::HOST), "the host");
        assert_eq!(passes.describe(PassSet(0b110)), "every target");
        assert_eq!(passes.describe(PassSet(0b111)), "the host and every target");
        assert_eq!(passes.describe(PassSet(0b011)), "the host and sm_90");
        assert_eq!(passes.describe(PassSet::EMPTY), "no pass");
        let many = self::passes("100,75,80,86,89,90");
        assert_eq!(many.describe(PassSet(0b0011100)), "sm_75, sm_80 and sm_86");
        assert_eq!(many.describe(PassSet(0b1011101)), "the host, sm_75, sm_80, sm_86 and sm_90");
        assert_eq!(many.describe(PassSet(0b1111101)), "the host and sm_75 … sm_90");
    }

    #[test]
    fn amd_s_gpus_are_named_behind_nvidia_s() {
        let foreign = |name: &str| Pass::Foreign(Foreign::new(Gfx::parse(name).unwrap()));
        let nvidia = crate::target::parse_arch_list("90,80").unwrap().into_iter().map(Pass::Device);
        let passes = Passes::of(nvidia.chain([foreign("gfx1100"), foreign("gfx90a")])).unwrap();
        assert_eq!(passes.describe(PassSet(0b01011)), "the host, sm_90 and gfx1100");
        assert_eq!(passes.describe(PassSet(0b11110)), "every target");
        assert_eq!(passes.names(PassSet(0b10101)), ["host", "sm_80", "gfx90a"]);
        assert_eq!((passes.archs(passes.all()).len(), passes.stub()), (2, None));
    }

    #[test]
    fn the_last_target_gives_the_stubs() {
        assert_eq!(passes("90,80").stub(), Some(2));
    }

    #[test]
    fn equal_values_share_a_case_and_later_ones_replace() {
        let mut value = ByPass::new();
        value.set(PassSet(0b111), 1);
        value.set(PassSet(0b010), 2);
        value.set(PassSet(0b100), 2);
        assert_eq!(value.cases(), [(PassSet(0b001), 1), (PassSet(0b110), 2)]);
        value.clear(PassSet(0b010));
        assert_eq!((value.get(1), value.get(2)), (None, Some(&2)));
        assert!(value.varies());
    }

    #[test]
    fn more_than_63_targets_are_refused() {
        let arch = crate::target::Arch::all()[0];
        assert_eq!(Passes::new(&[arch; 64]), Err(TooManyPasses(64)));
        assert!(Passes::new(&[arch; 63]).is_ok());
    }
}
