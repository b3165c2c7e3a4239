//! A finding with its evidence, as plain data.

use std::sync::Arc;

use crate::source::{Span, kept_text};
use crate::target::{PassSet, Passes};

use super::defect::Defect;
use super::fix::Fix;

/// The severity of a finding.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Undefined by the guide's letter, or harmful only under some uses.
    Warning,
    /// A program that runs into it misbehaves.
    Error,
}

/// The certainty of a finding.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// An unresolved name or a parse error stood in the way of a proof.
    Likely,
    /// The passes provably differ.
    Definite,
}

/// A place with something to say about it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Label {
    /// The place.
    pub at: Span,
    /// A phrase about the code there.
    pub text: String,
}

/// A side: one group of passes and the thing that all of them see.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct View {
    /// The passes.
    pub passes: PassSet,
    /// The type or definition that they see, or `no definition`.
    pub sees: String,
}

/// The conditional that makes the passes differ.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Deciding {
    /// The directive as written: `#if __CUDA_ARCH__ >= 800`.
    pub text: String,
    /// The directive's place.
    pub at: Span,
    /// From the directive back to the macro nvcc predefines by pass.
    pub derivation: Vec<Derived>,
}

/// One step of a derivation.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Derived {
    /// A directive, a definition, or a predefined macro's name.
    pub text: String,
    /// Its place; `None` for a predefined macro.
    pub at: Option<Span>,
    /// The passes that enter or define it.
    pub passes: PassSet,
}

/// A rule's id.
pub type RuleId = &'static str;

/// One way in which the passes of a program disagree.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Finding {
    /// The rule's id, e.g. `arch-dependent-signature`.
    #[serde(deserialize_with = "kept_text")]
    pub rule: RuleId,
    /// Its severity.
    pub level: Level,
    /// Its certainty.
    pub certainty: Certainty,
    /// The kind of defect, with the data that a fix needs.
    pub defect: Defect,
    /// The fact with both sides, one line: "`scale` takes `double *` on sm_80 and `float *` on the host".
    pub message: String,
    /// The qualified name of the entity that differs, without template arguments.
    pub entity: String,
    /// The instances of a template that differ alike, each where it is used; the message is about the first. Empty if the entity
    /// is no instance of a template.
    pub instances: Vec<Label>,
    /// The passes of the unit it was found in, which number every [`PassSet`] here. Not written with it: who writes it knows
    /// the unit.
    #[serde(skip)]
    pub passes: Arc<Passes>,
    /// The code to change.
    pub primary: Label,
    /// The other sides, uses, instantiation sites.
    pub related: Vec<Label>,
    /// The sides, the host's first.
    pub views: Vec<View>,
    /// The conditional behind it, where one was found.
    pub deciding: Option<Deciding>,
    /// The consequences and the GPUs they occur on, one sentence each.
    pub consequences: Vec<String>,
    /// The restriction of the CUDA C++ Programming Guide that it violates, and how to fix it.
    pub notes: Vec<String>,
}

impl Finding {
    /// The instances of a template that differ as the first does, which the message is about.
    pub fn further_instances(&self) -> &[Label] {
        self.instances.get(1..).unwrap_or_default()
    }

    /// Every place the finding points at: the primary one, related ones, the conditional that decides,
    /// and the way from there back to the predefined macro.
    pub fn places(&self) -> impl Iterator<Item = Span> {
        let related = self.related.iter().chain(&self.instances).map(|label| label.at);
        let derived = |deciding: &Deciding| {
            let steps = deciding.derivation.iter().filter_map(|step| step.at);
            std::iter::once(deciding.at).chain(steps).collect::<Vec<_>>()
        };
        std::iter::once(self.primary.at).chain(related).chain(self.deciding.iter().flat_map(derived))
    }

    /// Every place in it, to be moved when the text before it changed. The pattern is exhaustive so that a new
    /// field can't be forgotten.
    pub fn places_mut(&mut self) -> Vec<&mut Span> {
        let Finding {
            rule: _,
            level: _,
            certainty: _,
            defect,
            message: _,
            entity: _,
            instances,
            passes: _,
            primary,
            related,
            views: _,
            deciding,
            consequences: _,
            notes: _,
        } = self;
        let mut places = vec![&mut primary.at];
        places.extend(related.iter_mut().chain(instances).map(|label| &mut label.at));
        places.extend(defect.place_mut());
        if let Some(deciding) = deciding {
            places.push(&mut deciding.at);
            places.extend(deciding.derivation.iter_mut().filter_map(|step| step.at.as_mut()));
        }
        places
    }
}

/// A finding as a report has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reported {
    /// The finding.
    pub finding: Finding,
    /// Its own among those of [`fingerprints`].
    pub fingerprint: String,
    /// The comment or baseline entry that suppresses it.
    pub suppression: Option<Suppression>,
    /// What was built says of it, if that was read too.
    pub proof: Option<Proof>,
    /// The fixes that were found by trying them, safe ones first; `None` where none were tried.
    pub fixes: Option<Vec<Fix>>,
}

/// What was built from the sources says of a finding about them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Whether it is so.
    pub verdict: Verdict,
    /// What it rests on, one sentence.
    pub reason: String,
}

/// Whether what was built bears a finding out.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The difference is in it.
    Proved,
    /// It has the entity for every target that the finding speaks of, and no difference.
    Denied,
    /// It has no such kernel or variable.
    Absent,
    /// It has the entity, and can't show whether there is a difference.
    Open,
}

/// The reason why a finding is not reported and does not count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Suppression {
    /// A comment in the source, and the reason it gives (empty if none).
    Source(String),
    /// The baseline has it.
    Baseline,
}

/// The lines under an `#if`, `#elif` or `#else`, and the passes that see them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// From the directive to the one that ends its group.
    pub at: Span,
    /// The passes that enter it, through any inclusion of the file.
    pub passes: PassSet,
    /// The passes of the unit that number [`Region::passes`].
    pub of: Arc<Passes>,
}
