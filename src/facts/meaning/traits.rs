//! ReachabilityCache about types that compilers answer by themselves, on which the libraries' traits are built: `__is_enum(T)`
//! and its like ([meta.unary]; GCC's and clang's type traits).
//!
//! In: such a question with types that are known in one pass. Out: the answer there.

use super::types::{Env, Spelling, Ty, Value};
use super::view::View;
use crate::facts::lower::ast::*;

/// The compiler's own questions are asked by such names.
pub(in crate::facts) fn is_type_trait(path: &Path) -> bool {
    path.last().name.as_str().starts_with("__is_")
}

impl View<'_> {
    /// The answer to a question that is asked like a call; nothing where it is none or a type is not known.
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
            ("__is_same" | "__is_same_as", [one, other]) => {
                one.text(Spelling::Canonical) == other.text(Spelling::Canonical)
            }
            _ => return None,
        };
        Some(Value::bool(answer))
    }

    /// The type that stands where a call has an argument.
    fn trait_operand(&self, argument: &Expr, env: &Env) -> Option<Ty> {
        let Expr::Name(path) = argument else { return None };
        let ty = self.named_type(path, env);
        (ty.is_sure() && !matches!(ty.without_cvref(), Ty::Parameter(..))).then_some(ty)
    }
}
