//! Suppression comments applied to findings.

use std::collections::BTreeSet;

use crate::catalog::Catalog;
use crate::finding::{Finding, Reported, Suppression};
use crate::rules::{Check, RULES, Rule};
use crate::source::{FileId, Sources, Span};

use super::comments::{Comment, Notation, Says, Scope, comments};
use super::policy::{Policy, Remark};

/// A suppression: rules, and the lines on which it applies.
struct Allowed {
    at: Span,
    /// The first line and the last, from 0, whose findings it allows.
    lines: (usize, usize),
    /// The rules' ids; empty for all.
    rules: Vec<String>,
    reason: String,
    notation: Notation,
    used: bool,
}

/// Suppresses findings by comments at the line of the primary label or of the deciding conditional. Returns remarks about
/// comments that are malformed or suppress nothing.
pub(super) fn suppress(
    findings: &mut [Reported],
    files: &[FileId],
    policy: &Policy,
    sources: &Sources,
) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut allowed = Vec::new();
    for file in files {
        let file = sources.file(*file);
        if !policy.exclude.has(&file.path) {
            allowed.extend(allowances(&comments(&file, &policy.catalog), policy, &mut remarks));
        }
    }
    for one in findings {
        let places = anchors(&one.finding);
        for allow in &mut allowed {
            let rule = allow.rules.is_empty() || allow.rules.iter().any(|rule| rule == one.finding.rule);
            let here = places.iter().any(|at| {
                let line = sources.file(at.file).line_index(at.start);
                at.file == allow.at.file && allow.lines.0 <= line && line <= allow.lines.1
            });
            if rule && here {
                allow.used = true;
                one.suppression.get_or_insert_with(|| Suppression::Source(allow.reason.clone()));
            }
        }
    }
    // What a rule finds across units depends on which are looked at; and what is not checked finds nothing.
    let across = |rule: &String| {
        let program =
            |known: &&Rule| known.id == rule && matches!(known.check, Check::Program(_) | Check::List(..));
        RULES.iter().any(|known| program(&known)) || !policy.catalog.is_checked(rule)
    };
    let unused = |allow: &&Allowed| !allow.used && !allow.rules.iter().any(across);
    for allow in allowed.iter().filter(unused).filter(|allow| allow.notation != Notation::Bare) {
        let message = "this comment allows nothing that is found here".to_string();
        remarks.push(Remark { at: allow.at, message });
    }
    remarks.sort_by_key(|remark| (remark.at.file, remark.at.start));
    remarks
}

/// Where a comment may stand for a finding.
fn anchors(finding: &Finding) -> Vec<Span> {
    [finding.primary.at].into_iter().chain(finding.deciding.iter().map(|deciding| deciding.at)).collect()
}

/// The suppressions in a file's comments.
fn allowances(comments: &[Comment], policy: &Policy, remarks: &mut Vec<Remark>) -> Vec<Allowed> {
    let mut allowed: Vec<Allowed> = Vec::new();
    let mut open: Vec<Allowed> = Vec::new();
    for comment in comments {
        let mut remark = |message: String| remarks.push(Remark { at: comment.at, message });
        let (rules, scope, reason, notation) = match &comment.says {
            Says::Allow { rules, scope, reason, notation } => (rules, *scope, reason, *notation),
            Says::Unclear(message) => {
                remark(message.clone());
                continue;
            }
        };
        let ids = known(rules, &policy.catalog, &mut remark);
        let ids: Vec<String> = BTreeSet::from_iter(ids).into_iter().collect();
        if ids.is_empty() && !rules.is_empty() {
            continue;
        }
        if policy.require_reason && reason.is_empty() && notation == Notation::Own && scope != Scope::End {
            remark("a comment that allows something has to say why: `allow(rule) -- reason`".into());
        }
        let new = |first, last| Allowed {
            at: comment.at,
            lines: (first, last),
            rules: ids.clone(),
            reason: reason.clone(),
            notation,
            used: false,
        };
        match scope {
            Scope::Here if !comment.after_code && notation == Notation::Own => {
                let (first, last) = comment.next_code.unwrap_or((comment.line, comment.line));
                allowed.push(new(first, last));
            }
            Scope::Here => allowed.push(new(comment.line, comment.line)),
            Scope::NextLine => allowed.push(new(comment.line + 1, comment.line + 1)),
            Scope::File => allowed.push(new(0, usize::MAX)),
            Scope::Begin => open.push(new(comment.line, usize::MAX)),
            Scope::End => {
                let same = |one: &Allowed| {
                    one.rules == ids && (one.notation == Notation::Own) == (notation == Notation::Own)
                };
                match open.iter().rposition(same) {
                    Some(index) => {
                        let mut ended = open.remove(index);
                        ended.lines.1 = comment.line;
                        allowed.push(ended);
                    }
                    None if notation != Notation::Bare => remark("nothing that this ends was begun".into()),
                    None => {}
                }
            }
        }
    }
    for mut one in open {
        // A forgotten end must not keep the rest of the file quiet.
        let begin = comments.iter().find(|comment| comment.at == one.at);
        let (_, last) = begin.and_then(|comment| comment.next_code).unwrap_or(one.lines);
        one.lines.1 = if last == usize::MAX { one.lines.0 } else { last };
        let end = if one.notation == Notation::Own { "allow-end" } else { "NOLINTEND" };
        remarks.push(Remark {
            at: one.at,
            message: format!("no `{end}` ends what begins here: it applies to the next declaration only"),
        });
        allowed.push(one);
    }
    allowed
}

/// The ids of the rules with these names; a remark for each unknown name.
fn known(names: &[String], catalog: &Catalog, remark: &mut impl FnMut(String)) -> Vec<String> {
    let mut ids = Vec::new();
    for name in names {
        match catalog.card(name) {
            Some(card) => ids.push(card.id.clone()),
            None => remark(match catalog.nearest(name) {
                Some(near) => format!("unknown rule `{name}`; did you mean `{near}`?"),
                None => format!("unknown rule `{name}`"),
            }),
        }
    }
    ids
}
