//! A unit as rules see it: its facts for one unit at a time, a summary for questions across units.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::custom::CustomRules;
use crate::facts::{HeaderFact, UnitFacts};
use crate::source::{FileId, Span};
use crate::target::notation::ArchBound;
use crate::target::{Arch, Gfx, Passes, TargetList, Toolkit};

/// A unit as rules see it.
pub struct Unit<'u> {
    /// Its passes.
    pub passes: Arc<Passes>,
    /// It is compiled for separate compilation.
    pub rdc: bool,
    /// The passes that make code for a GPU that is not NVIDIA's, with the GPU.
    pub foreign: Vec<(usize, Gfx)>,
    /// Whether a file is another project's, or a copy of one of the toolkit's headers.
    pub is_third_party: &'u (dyn Fn(FileId) -> bool + Sync),
    /// The rules that are checked besides the built-in ones.
    pub custom: &'u CustomRules,
    /// Its facts.
    pub facts: &'u UnitFacts,
}

/// The data about a unit that rules across units need.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// The unit's main file.
    pub unit: PathBuf,
    /// Its passes.
    pub passes: Arc<Passes>,
    /// It is compiled for separate compilation.
    pub rdc: bool,
    /// The list of targets that a build names for it.
    pub stated: Option<Stated>,
    /// Its use of target suffixes.
    pub suffixes: SuffixUse,
    /// The groups of conditionals that nothing but the pass decides.
    pub branches: Vec<Branch>,
    /// Its link groups, as far as a build names them.
    pub groups: BTreeSet<PathBuf>,
    /// The bounds on the GPU in its project's conda recipes.
    pub recipes: Vec<RecipeBound>,
    /// The functions and variables of headers it has a copy of.
    pub header_entities: Vec<HeaderFact>,
}

/// A list of targets as a build names it.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Stated {
    /// The words that name them.
    pub at: Span,
    /// The targets.
    pub list: TargetList,
    /// The release of nvcc that compiles, if it is known.
    pub toolkit: Option<Toolkit>,
    /// Every source that they are named for is looked at.
    pub complete: bool,
}

/// A unit's use of target suffixes.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct SuffixUse {
    /// The need of each of its targets that has a suffix.
    pub needs: Vec<(Arch, Need)>,
    /// Directives that ask for the `a` target of a number, one a number.
    pub asked: Vec<(u16, Span)>,
}

/// The features of a target that a unit's code for it needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Need {
    /// None beyond the baseline of its number.
    Baseline,
    /// Features of a family.
    Family,
    /// Features of one chip, or it could not be determined.
    Chip,
}

/// A bound on the GPU in a conda recipe.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct RecipeBound {
    /// Its line.
    pub at: Span,
    /// The bound, or the text that could not be read as one.
    pub bound: Result<ArchBound, String>,
}

/// A group of a conditional that nothing but the pass decides.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Branch {
    /// The directive that opens it.
    pub at: Span,
    /// The directive as written.
    pub text: String,
    /// The directive that opens the conditional, if it is another, as written.
    pub opening: Option<(Span, String)>,
    /// Some pass of the unit enters it.
    pub entered: bool,
}

impl Summary {
    /// The unit and another may become parts of one program.
    pub(super) fn may_be_linked_with(&self, other: &Summary) -> bool {
        self.groups.is_empty() || other.groups.is_empty() || !self.groups.is_disjoint(&other.groups)
    }
}
