//! Built-in type traits, on which the standard library's are implemented: `__is_enum(T)` and its like
//! ([meta.unary]; GCC's and Clang's type trait intrinsics).
//!
//! In: a trait and types that are resolved in one pass. Out: its value there.

use super::layout::emptiness;
use super::types::{Env, Spelling, Ty, Value};
use super::view::View;
use crate::facts::lower::ast::*;

/// Whether a name is that of a built-in type trait.
pub(in crate::facts) fn is_type_trait(path: &Path) -> bool {
    path.last().name.as_str().starts_with("__is_")
}

impl View<'_> {
    /// The value of a built-in type trait, whose operands are parsed as call arguments; `None` for another
    /// name, or if a type is not resolved.
    pub(in crate::facts) fn type_trait(&self, name: &Path, arguments: &[Expr], env: &Env) -> Option<Value> {
        if !is_type_trait(name) {
            return None;
        }
        let types: Vec<Ty> =
            arguments.iter().map(|one| self.trait_operand(one, env)).collect::<Option<_>>()?;
        let class = |ty: &Ty| match ty.unqualified() {
            Ty::Class(class) => match &class.decl.as_ref()?.kind {
                DeclBody::Class(class) => Some(Some(class.is_union)),
                _ => None,
            },
            _ => Some(None),
        };
        let answer = match (name.last().name.as_str(), types.as_slice()) {
            ("__is_enum", [ty]) => matches!(ty.unqualified(), Ty::Enum(_)),
            ("__is_class", [ty]) => class(ty)? == Some(false),
            ("__is_union", [ty]) => class(ty)? == Some(true),
            ("__is_final", [ty]) => match ty.unqualified() {
                Ty::Class(class) => match &class.decl.as_ref()?.kind {
                    DeclBody::Class(class) if class.members.is_some() => class.is_final,
                    _ => return None,
                },
                _ => false,
            },
            ("__is_empty", [ty]) => match ty.unqualified() {
                Ty::Class(class) => emptiness(self, class)?,
                _ => false,
            },
            ("__is_base_of", [base, derived]) => match (base.unqualified(), derived.unqualified()) {
                (Ty::Class(base), Ty::Class(class)) => {
                    let same = base.text(Spelling::Canonical) == class.text(Spelling::Canonical);
                    let related = same || self.is_derived(derived, base);
                    if !related && !self.is_complete(class) {
                        return None;
                    }
                    related
                }
                _ => false,
            },
            ("__is_same" | "__is_same_as", [one, other]) => {
                one.text(Spelling::Canonical) == other.text(Spelling::Canonical)
            }
            _ => return None,
        };
        Some(Value::bool(answer))
    }

    /// The operand of a type trait, which is parsed as an expression.
    fn trait_operand(&self, argument: &Expr, env: &Env) -> Option<Ty> {
        let Expr::Name(path) = argument else { return None };
        let ty = self.named_type(path, env);
        (ty.is_sure() && !matches!(ty.without_cvref(), Ty::Parameter(..))).then_some(ty)
    }
}
