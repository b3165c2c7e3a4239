//! Template parameters bound to the arguments that deduction finds for them ([temp.deduct.type]/2).
//!
//! In: a parameter or the pattern of a pack expansion, and what it was matched with. Out: bindings, and whether they agree
//! with those found before, which can't be told of arguments that are not resolved.

use crate::source::Symbol;

use super::types::{Bindings, Spelling, TemplateArgument};
use super::viability::Viability;
use crate::facts::lower::ast::TemplateParameter;

/// Binds a template parameter, which has to be bound to the same argument each time ([temp.deduct.type]/2).
pub(super) fn bind_once(name: Symbol, bound: TemplateArgument, found: &mut Bindings) -> Viability {
    match found.iter().find(|(known, _)| *known == name) {
        Some((_, known)) => same_argument(known, &bound),
        None => {
            found.push((name, bound));
            Viability::Yes
        }
    }
}

/// Whether two template arguments are the same.
pub(super) fn same_argument(one: &TemplateArgument, other: &TemplateArgument) -> Viability {
    if let (TemplateArgument::Pack(one), TemplateArgument::Pack(other)) = (one, other)
        && one.len() == other.len()
    {
        return Viability::all(one.iter().zip(other).map(|(one, other)| same_argument(one, other)));
    }
    let text = |one: &TemplateArgument| one.text(Spelling::Canonical);
    // For the bound of an array, say, there is none of the types that a placeholder stands for.
    let is_typed = |one: &TemplateArgument| matches!(one, TemplateArgument::Integer(..));
    let are_same = match is_typed(one) == is_typed(other) {
        true => text(one) == text(other),
        false => text(&one.named()) == text(&other.named()),
    };
    match are_same {
        true => Viability::Yes,
        false if one.is_sure() && other.is_sure() => Viability::No,
        false => Viability::CantTell,
    }
}

/// Deduces from the pattern of a pack expansion and the elements that it stands for, each by itself
/// ([temp.deduct.type]/9): the packs that the pattern names are bound to what the elements bind them to, other parameters
/// to the same for all elements. A pack that the pattern does not deduce is left unbound.
pub(super) fn match_expansion(
    pattern: impl Fn(&mut Vec<Symbol>),
    parameters: &[TemplateParameter],
    count: usize,
    found: &mut Bindings,
    each: impl Fn(usize, &mut Bindings) -> Viability,
) -> Viability {
    let mut names = Vec::new();
    pattern(&mut names);
    let packs = parameters.iter().filter(|one| one.pack && names.contains(&one.name));
    let mut packs: Vec<(Symbol, Vec<TemplateArgument>)> = packs.map(|one| (one.name, Vec::new())).collect();
    let is_pack =
        |name: Symbol| names.contains(&name) && parameters.iter().any(|one| one.pack && one.name == name);
    let mut own: Bindings = found.iter().filter(|(name, _)| !is_pack(*name)).cloned().collect();
    let mut fits = Viability::Yes;
    for number in 0..count {
        fits = fits.and(|| each(number, &mut own));
        if fits.is_ruled_out() {
            return Viability::No;
        }
        for (name, list) in &mut packs {
            list.extend(own.extract_if(.., |(bound, _)| bound == name).map(|(_, bound)| bound));
        }
    }
    for (name, bound) in own {
        if !found.iter().any(|(known, _)| *known == name) {
            found.push((name, bound));
        }
    }
    for (name, list) in packs {
        if list.len() == count {
            let is_known = found.iter().any(|(known, _)| *known == name);
            let same = bind_once(name, TemplateArgument::Pack(list), found);
            // Without elements, nothing tells whether the pattern deduces the pack.
            fits = fits.and(|| if count == 0 && is_known { same.or(|| Viability::CantTell) } else { same });
        }
    }
    fits
}
