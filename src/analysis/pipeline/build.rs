//! Statements of the build about targets, with their places in the build's files.

use crate::project::TranslationUnit;
use crate::rules::{RecipeBound, Stated};
use crate::source::{Sources, Span};

/// The unit's list of targets with the place that names it.
pub(in crate::analysis) fn stated(unit: &TranslationUnit, sources: &Sources) -> Option<Stated> {
    let statement = unit.stated.as_ref()?;
    let file = sources.read(&statement.path).ok()?;
    // An editor may hold another text than the one that was read.
    let bytes = Some(statement.bytes.clone()).filter(|bytes| file.text.get(bytes.clone()).is_some());
    let bytes = bytes.unwrap_or(0..0);
    let at = Span { file: file.id, start: bytes.start as u32, end: bytes.end as u32 };
    let (list, toolkit) = (unit.targets.clone(), statement.toolkit);
    Some(Stated { at, list, toolkit, complete: statement.complete })
}

/// The project's bounds on the GPU with their places.
pub(in crate::analysis) fn recipes(unit: &TranslationUnit, sources: &Sources) -> Vec<RecipeBound> {
    let mut bounds = Vec::new();
    for recipe in unit.recipes.iter() {
        let Ok(file) = sources.read(&recipe.path) else { continue };
        let at = |line: usize| {
            let text = file.line_text(line - 1);
            let start = file.line_start(line - 1) + text.len() - text.trim_start().len();
            Span { file: file.id, start: start as u32, end: (start + text.trim().len()) as u32 }
        };
        let read = recipe.bounds.iter().map(|bound| (bound.line, Ok(bound.clone())));
        let unread = recipe.unread.iter().map(|(line, text)| (*line, Err(text.clone())));
        bounds.extend(read.chain(unread).map(|(line, bound)| RecipeBound { at: at(line), bound }));
    }
    bounds
}
