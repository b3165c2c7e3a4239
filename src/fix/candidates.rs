//! The fixes that may help against a finding, before any is tried.

use crate::finding::{Defect, Finding};
use crate::source::Sources;

use super::context::Context;
use super::edit::Candidate;
use super::{condition, guard, head, instruction, lift, mention, spelling};

/// The candidates for a finding in the order of preference, not tried yet.
pub(super) fn candidates(finding: &Finding, sources: &Sources) -> Vec<Candidate> {
    let context = Context { finding, sources };
    let mut fixes = Vec::new();
    match &finding.defect {
        Defect::InstructionMissing { narrowest, .. } => fixes.extend(instruction::fixes(&context, narrowest)),
        Defect::IntrinsicMissing { .. }
        | Defect::HostAnswer
        | Defect::Uncompilable
        | Defect::LoadedKernelMissing => {}
        Defect::Misspelt { meant } => fixes.extend(spelling::fixes(&context, meant)),
        Defect::TypeDiffers
        | Defect::KernelMissing
        | Defect::InstantiationMissing { .. }
        | Defect::HostCodeLost
        | Defect::Other => {
            fixes.extend(condition::tests(&context));
            if finding.defect == Defect::HostCodeLost {
                fixes.extend(condition::let_in(&context));
            }
            fixes.extend(guard::fixes(&context));
            fixes.extend(head::fixes(&context));
            fixes.extend(lift::fixes(&context));
            fixes.extend(condition::lists(&context));
            fixes.extend(mention::fixes(&context));
        }
    }
    let mut different: Vec<Candidate> = Vec::new();
    for mut fix in fixes {
        fix.edits.sort();
        fix.edits.dedup();
        let apart =
            fix.edits.windows(2).all(|pair| pair[0].path != pair[1].path || pair[0].end <= pair[1].start);
        if apart && !fix.edits.is_empty() && different.iter().all(|known| known.edits != fix.edits) {
            different.push(fix);
        }
    }
    different.sort_by_key(|fix| fix.kind);
    different
}
