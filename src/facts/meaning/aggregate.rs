//! Aggregate classes and designated initializers ([dcl.init.aggr]).

use std::rc::Rc;
use std::sync::Arc;

use crate::source::sym;

use super::types::Instance;
use crate::facts::lower::ast::*;

/// The non-static data members of an aggregate class; `None` if the class is no aggregate
/// ([dcl.init.aggr]/1).
pub(in crate::facts) fn data_members(class: &Rc<Instance>) -> Option<Vec<&Arc<Decl>>> {
    let decl = class.decl.as_ref()?;
    let DeclBody::Class(definition) = &decl.kind else { return None };
    let own = || definition.members.iter().flatten();
    let constructs = own().any(|member| {
        member.name == decl.name && matches!(&member.kind, DeclBody::Function(one) if !one.defaulted)
    });
    if constructs || !class.alternatives.is_empty() || definition.is_union || !definition.bases.is_empty() {
        return None;
    }
    let is_data = |member: &&Arc<Decl>| {
        matches!(member.kind, DeclBody::Variable(_))
            && !member.specifiers.is_static
            && member.name != sym::EMPTY
    };
    Some(own().filter(is_data).collect())
}

/// Whether an element of an initializer list is designated, `.x = e`.
pub(in crate::facts) fn is_designated(value: &Expr) -> bool {
    matches!(value, Expr::Binary(sym::ASSIGN, ..))
}
