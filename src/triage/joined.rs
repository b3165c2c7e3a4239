//! Findings of one cause that stand at many places, joined into one for a report.
//!
//! In: findings after suppressions and the baseline, which speak of single places. Out: of those that say the same, the
//! first, which names the others. An editor has no use for it: there each place needs its own diagnostic and its own fix.

use std::path::{Path, PathBuf};

use crate::finding::{Defect, Finding, Label, Reported};
use crate::source::Sources;

/// How many further places a finding shows.
const SHOWN: usize = 8;

/// Joins the findings on instructions that nothing keeps from targets which lack them: those in one file, since it can't
/// be built for these targets at all, and those of the files of a directory in which equal lines reach the same, since
/// something generated them.
pub fn joined(findings: Vec<Reported>, sources: &Sources) -> Vec<Reported> {
    let mut kept: Vec<Group> = Vec::new();
    let mut order: Vec<Option<Reported>> = Vec::new();
    for reported in findings {
        let open = reported.suppression.is_none();
        let Some(lacking) = unguarded(&reported.finding).filter(|_| open) else {
            order.push(Some(reported));
            continue;
        };
        let path = &sources.file(reported.finding.primary.at.file).path;
        match kept.iter_mut().find(|group| group.path == *path) {
            Some(group) => group.add(reported, lacking),
            None => {
                order.push(None);
                let place = order.len() - 1;
                kept.push(Group { path: path.clone(), place, worst: reported, lacking, others: Vec::new() });
            }
        }
    }
    let mut groups: Vec<(Group, Vec<Label>)> = Vec::new();
    for group in kept {
        match groups.iter_mut().find(|(known, _)| known.is_like(&group, sources)) {
            Some((_, files)) => {
                files.push(Label { at: group.worst.finding.primary.at, text: "and here".into() })
            }
            None => groups.push((group, Vec::new())),
        }
    }
    for (group, files) in groups {
        let place = group.place;
        order[place] = Some(group.finish(files));
    }
    order.into_iter().flatten().collect()
}

/// Whether the finding may yet be joined with others: by [`joined`], or as an instance of a template of which other units may
/// have further ones.
pub fn joinable(finding: &Finding) -> bool {
    unguarded(finding).is_some() || !finding.instances.is_empty()
}

/// The number of targets that lack an instruction which every pass reaches, if the finding is about one.
fn unguarded(finding: &Finding) -> Option<usize> {
    match &finding.defect {
        Defect::InstructionMissing { lacking, .. } | Defect::IntrinsicMissing { lacking }
            if finding.deciding.is_none() =>
        {
            Some(lacking.len())
        }
        _ => None,
    }
}

/// The findings in one file.
struct Group {
    path: PathBuf,
    /// The index of the first in the list.
    place: usize,
    /// The first of those that most targets lack.
    worst: Reported,
    lacking: usize,
    others: Vec<Label>,
}

impl Group {
    fn add(&mut self, reported: Reported, lacking: usize) {
        let other = match lacking > self.lacking {
            true => {
                self.lacking = lacking;
                std::mem::replace(&mut self.worst, reported)
            }
            false => reported,
        };
        self.others.push(Label { at: other.finding.primary.at, text: "this too".into() });
    }

    /// Another file of the directory has the same on an equal line.
    fn is_like(&self, other: &Group, sources: &Sources) -> bool {
        let line = |finding: &Finding| {
            let at = finding.primary.at;
            let file = sources.file(at.file);
            file.line_text(file.line_index(at.start)).trim().to_string()
        };
        let (own, others) = (&self.worst.finding, &other.worst.finding);
        let directory = |path: &Path| path.parent().map(Path::to_path_buf);
        own.rule == others.rule
            && own.message == others.message
            && self.others.len() == other.others.len()
            && directory(&self.path) == directory(&other.path)
            && line(own) == line(others)
    }

    fn finish(self, files: Vec<Label>) -> Reported {
        let mut reported = self.worst;
        let finding = &mut reported.finding;
        let further = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(one.to_string()),
            _ => Some(many.replace("{}", &count.to_string())),
        };
        let here = further(
            self.others.len(),
            "Another instruction of the file is under no condition either.",
            "{} more instructions of the file are under no condition either.",
        );
        let there = further(
            files.len(),
            "Another file of the directory has the same line.",
            "{} more files of the directory have the same line.",
        );
        finding.consequences.extend(here.into_iter().chain(there));
        finding.related.extend(self.others.into_iter().take(SHOWN));
        finding.related.extend(files.into_iter().take(SHOWN));
        reported
    }
}
