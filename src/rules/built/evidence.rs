//! Shared by the rules on what was built: whether the host registers a name and uses it, equal findings merged, and names
//! in messages.

use std::collections::BTreeMap;

use crate::artifact::{Artifact, Brackets, function, is_instance, readable};
use crate::rules::unplaced::Built;

/// Whether the host registers a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Registered {
    Yes,
    No,
    /// The file has no host code.
    Unknown,
}

/// Whether an artifact's host code registers a name.
pub(super) fn registered(artifact: &Artifact, name: &str) -> Registered {
    match &artifact.registered {
        None => Registered::Unknown,
        Some(names) if names.contains(name) => Registered::Yes,
        Some(_) => Registered::No,
    }
}

/// Whether an artifact's host code uses what it registers, or would have to register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Used {
    /// It refers to it, or it is no instance of a template: those the host's own pass defines.
    Yes,
    /// Nothing but stubs and registration code refers to it: a device pass alone made the instance, which is no fault.
    No,
    /// It is an instance of a template, and its references can't be told.
    Unknown,
}

/// Whether an artifact's host code uses a kernel or variable.
pub(super) fn used(artifact: &Artifact, name: &str) -> Used {
    match &artifact.uses {
        _ if !is_instance(name) => Used::Yes,
        Some(uses) if uses.used.contains(name) => Used::Yes,
        Some(uses) if uses.unused.contains(name) => Used::No,
        _ => Used::Unknown,
    }
}

/// The note on a finding about an instance of which it is not known whether the host uses it.
pub(super) const UNKNOWN_USE: &str = "The host registers each instance that the pass for the last target makes, also one that no host code uses; a linked file does not tell which these are. Its objects do, and so do the sources.";

/// One finding for what several modules say in the same words; the others are counted in a note.
pub(super) fn merged(findings: Vec<Built>) -> Vec<Built> {
    let mut first: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut kept: Vec<(Built, usize)> = Vec::new();
    for one in findings {
        let key = (one.entity.clone(), one.message.clone());
        match first.get(&key) {
            Some(index) => kept[*index].1 += 1,
            None => {
                first.insert(key, kept.len());
                kept.push((one, 1));
            }
        }
    }
    let counted = |(mut one, modules): (Built, usize)| {
        if modules > 1 {
            one.notes.push(format!("It is so in {modules} modules of the file."));
        }
        one
    };
    kept.into_iter().map(counted).collect()
}

/// A name for a message: without its result and parameters, and without template arguments that are too long to read.
pub(super) fn short(name: &str) -> String {
    const LONGEST: usize = 90;
    let full = readable(name);
    let mut without = String::new();
    let mut arguments = String::new();
    let mut brackets = Brackets::default();
    for c in function(&full).chars() {
        let inside = brackets.step(c) > 0;
        if inside || !arguments.is_empty() {
            arguments.push(c);
        } else {
            without.push(c);
        }
        if !inside && !arguments.is_empty() {
            let kept = arguments.starts_with('(') || arguments.chars().count() <= LONGEST / 2;
            without.push_str(if kept { &arguments } else { "<…>" });
            arguments.clear();
        }
    }
    without.push_str(&arguments);
    match without.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &without[..at]),
        None => without,
    }
}

/// Names as a sentence has them: `a, b and c`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_messages_can_be_read() {
        assert_eq!(short("_Z2tkIiEvPT_"), "tk<int>");
        assert_eq!(short("_ZN33_GLOBAL__N__0afd850d_4_a_cu_cname4anonEdcPi"), "(anonymous namespace)::anon");
        assert_eq!(short("scale"), "scale");
        assert_eq!(short("_Z1kISt6vectorIiSaIiEEEvT_"), "k<std::vector<int, std::allocator<int> > >");
        assert_eq!(short(&format!("_Z1kI{}EvT_", "i".repeat(40))), "k<…>");
    }
}
