//! Mentions resolved: to functions, to the call operator of an object, to the alternatives of `std::visit`.

use std::rc::Rc;

use crate::source::Symbol;

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::types::{Bindings, Env, Instance, TemplateArgument, Ty};
use crate::facts::meaning::view::LookupResult;
use crate::facts::model::BlindSpotCause;

/// How many combinations of alternatives of `std::visit` are followed: more than anybody compiles.
const ALTERNATIVES_LIMIT: usize = 4096;

impl Walk<'_> {
    /// Resolves a mention by name look-up, and follows what it denotes.
    pub(in crate::facts) fn resolve(&mut self, mention: &Mention, env: &Env) {
        self.seen.insert(mention.at);
        // Only the mention itself is an explicit instantiation, not those in the bodies that it instantiates.
        let explicit = self.context.explicit.take();
        if mention.whole_class {
            if let Ty::Class(class) = self.view.named_type(&mention.path, env) {
                self.instantiate_class_explicitly(&class, explicit);
            }
            return;
        }
        if mention.path.last().name == Symbol::intern("visit") && self.follow_std_visit(mention, env) {
            return;
        }
        if self.follow_destructor(mention, env) {
            return;
        }
        self.follow_library_factory(mention, env);
        let hit = match &mention.receiver {
            Some((object, arrow)) => match self.view.object_class(object, *arrow, env) {
                Some(class) => self.view.lookup_member(&class, mention.path.last().name),
                None => return self.leave_unsettled(mention, BlindSpotCause::UnknownObject),
            },
            None => self.with_associated_functions(mention, self.view.lookup(&mention.path, env), env),
        };
        let hit = match self.called_object(mention, &hit, env) {
            Some(class) => self.view.lookup_member(&class, self.relevance.call_operator),
            None => hit,
        };
        match hit {
            LookupResult::Entities(entities) => self.follow_functions(mention, &entities, env, explicit),
            LookupResult::TemplateArgument(TemplateArgument::Type(ty)) => self.follow_object(&ty),
            LookupResult::Class(class) => {
                self.follow_object(&Ty::Class(class.clone()));
                if let Some(arguments) = &mention.arguments {
                    self.follow_constructor(&class, arguments, env, mention.at);
                }
            }
            LookupResult::Nothing => self.leave_unsettled(mention, BlindSpotCause::Undeclared),
            LookupResult::TemplateArgument(_) | LookupResult::Parameter(_) | LookupResult::Namespace(_) => {}
        }
    }

    /// Follows an explicit call of a destructor, `p->~T()` ([class.dtor]/15). Tells whether it is one.
    fn follow_destructor(&mut self, mention: &Mention, env: &Env) -> bool {
        let Some((object, arrow)) = &mention.receiver else { return false };
        if !mention.path.last().name.as_str().starts_with('~') {
            return false;
        }
        if let Some(class) = self.view.object_class(object, *arrow, env) {
            self.destroy_object(&class);
        }
        true
    }

    /// The class of the object that a call names, if it names no function ([over.call.object]).
    pub(in crate::facts) fn called_object(
        &self,
        mention: &Mention,
        hit: &LookupResult,
        env: &Env,
    ) -> Option<Rc<Instance>> {
        mention.arguments.as_ref()?;
        let is_object = match hit {
            LookupResult::Parameter(_) => true,
            LookupResult::Entities(entities) => matches!(entities.first()?.decl.kind, DeclBody::Variable(_)),
            _ => false,
        };
        if !is_object {
            return None;
        }
        let object = match &mention.receiver {
            Some((object, arrow)) => {
                Expr::Member(Box::new(object.clone()), *arrow, mention.path.last().clone())
            }
            None => Expr::Name(mention.path.clone()),
        };
        self.view.object_class(&object, false, env)
    }

    /// The functions that a call names, and those that argument-dependent look-up adds ([basic.lookup.argdep]/3).
    pub(in crate::facts) fn with_associated_functions(
        &self,
        mention: &Mention,
        hit: LookupResult,
        env: &Env,
    ) -> LookupResult {
        let Some(arguments) = mention.arguments.as_deref() else { return hit };
        let name = mention.path.last().name;
        if mention.path.segments.len() > 1 || mention.path.global || !self.relevance.has(name) {
            return hit;
        }
        let mut functions = match hit {
            LookupResult::Nothing => Vec::new(),
            LookupResult::Entities(found)
                if found.iter().all(|one| {
                    one.owner.is_none()
                        && one.top != usize::MAX
                        && matches!(one.decl.kind, DeclBody::Function(_))
                }) =>
            {
                found
            }
            other => return other,
        };
        self.view.add_associated(name, &Call::new(self.view, arguments, env), &mut functions);
        if functions.is_empty() { LookupResult::Nothing } else { LookupResult::Entities(functions) }
    }

    /// Follows a call of `std::visit` as one call of the visitor for each combination of alternatives
    /// ([variant.visit]): the library itself calls it through tables of function pointers. Tells whether it is such a
    /// call.
    pub(in crate::facts) fn follow_std_visit(&mut self, mention: &Mention, env: &Env) -> bool {
        let Some([visitor, variants @ ..]) = mention.arguments.as_deref() else { return false };
        let lists: Option<Vec<Vec<Ty>>> =
            variants.iter().map(|variant| self.view.alternatives(variant, env)).collect();
        let Some(lists) = lists.filter(|lists| !lists.is_empty()) else { return false };
        let name = |number: usize| Symbol::intern(&format!("alternative:{number}"));
        let count = lists.iter().map(Vec::len).product();
        if count > ALTERNATIVES_LIMIT {
            self.incomplete = true;
            return true;
        }
        for number in 0..count {
            let mut rest = number;
            let mut bindings = Bindings::new();
            for (position, list) in lists.iter().enumerate() {
                bindings.push((name(position), TemplateArgument::Type(list[rest % list.len()].clone())));
                rest /= list.len();
            }
            let arguments = (0..lists.len()).map(|position| Expr::Name(Path::plain(name(position))));
            let call = Mention {
                path: Path::plain(self.relevance.call_operator),
                receiver: Some((visitor.clone(), false)),
                arguments: Some(arguments.collect()),
                ..mention.clone()
            };
            self.resolve(&call, &env.with_bindings(bindings));
        }
        true
    }
}
