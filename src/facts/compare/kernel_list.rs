//! All kernels of a unit by pass, whether or not the passes differ in them.
//!
//! In: a unit with its kernel graph. Out: [`KernelList`]. What the list can't vouch for is in its blind spots.

use std::collections::BTreeMap;

use crate::source::{Span, sym};
use crate::target::PassSet;
use crate::variance::DeclKind;

use super::instantiations::{KernelGraph, all_instantiations};
use super::kernel_libraries::{Libraries, undeclared_calls};
use super::undeclared::{given_to_macros, undeclared_launches};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::ast::DeclBody;
use crate::facts::meaning::types::{Spelling, Ty};
use crate::facts::meaning::view::View;
use crate::facts::model::{KernelList, ListedKernel};

/// The kernels of a unit: those that are no templates and are defined in some pass, and the instantiations of kernel
/// templates.
pub(in crate::facts) fn kernel_list(
    graph: &KernelGraph<'_>,
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
) -> KernelList {
    let (instantiations, mut blind_spots) = all_instantiations(graph, views);
    blind_spots.extend(undeclared_launches(unit, compared));
    blind_spots.extend(undeclared_calls(unit, &Libraries::of(unit), compared));
    blind_spots.extend(given_to_macros(unit, graph.leading(), compared));
    let mut kernels = plain_kernels(unit, views);
    kernels.extend(instantiations);
    let key = |one: &ListedKernel| (one.name.clone(), one.shown.clone(), one.parameters.clone());
    kernels.sort_by_cached_key(key);
    blind_spots.sort_by(|a, b| (a.at, a.why, &a.name).cmp(&(b.at, b.why, &b.name)));
    KernelList { compared, kernels, blind_spots, missing: unit.pp.missing.clone(), incomplete: None }
}

/// The kernels that are no templates, of the passes that define them.
fn plain_kernels(unit: &IndexedUnit<'_>, views: &[(PassSet, View<'_>)]) -> Vec<ListedKernel> {
    let is_function = |kind| matches!(kind, DeclKind::Function | DeclKind::Class);
    let tops: Vec<usize> = (0..unit.variance.declarations.len())
        .filter(|top| is_function(unit.variance.declarations[*top].kind))
        .filter(|top| {
            unit.token_facts().head_has(*top, &[sym::GLOBAL]) && !unit.token_facts().is_template(*top)
        })
        .collect();
    let mut found: BTreeMap<(String, String), (PassSet, bool, Span)> = BTreeMap::new();
    for (passes, view) in views {
        for top in &tops {
            for entity in view.declared(*top) {
                let DeclBody::Function(function) = &entity.decl.kind else { continue };
                if function.body.is_none() || !entity.decl.specifiers.global {
                    continue;
                }
                let types = view.parameter_types(function, &entity.env);
                let shown: Vec<_> = types.iter().map(|ty| ty.text(Spelling::Shown)).collect();
                let key = (view.qualified_name(&entity), format!("({})", shown.join(", ")));
                let sure = types.iter().all(Ty::is_sure);
                let known = found.entry(key).or_insert((PassSet::EMPTY, sure, entity.decl.at));
                known.0 = known.0.or(*passes);
            }
        }
    }
    let listed = |((name, parameters), (passes, sure, declared)): ((String, String), _)| ListedKernel {
        shown: name.clone(),
        name,
        parameters,
        passes,
        sure,
        declared,
        sites: Vec::new(),
    };
    found.into_iter().map(listed).collect()
}
