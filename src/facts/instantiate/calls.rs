//! What a mention means: a function, an object that is called, the alternatives of a visitor.

use std::rc::Rc;

use crate::source::Symbol;

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::types::{Bindings, Env, Instance, TemplateArgument, Ty};
use crate::facts::meaning::view::LookupResult;

/// How many combinations of alternatives a visitor is followed for: more than anybody compiles.
const ALTERNATIVES_LIMIT: usize = 4096;

impl Walk<'_> {
    pub(in crate::facts) fn resolve(&mut self, mention: &Mention, env: &Env) {
        // What the bodies mention is not explicit.
        let explicit = self.context.explicit.take();
        if mention.whole_class {
            if let Ty::Class(class) = self.view.named(&mention.path, env) {
                self.explicit_class(&class, explicit);
            }
            return;
        }
        if mention.path.last().name == Symbol::intern("visit") && self.visits(mention, env) {
            return;
        }
        self.made_by_the_library(mention, env);
        let hit = match &mention.receiver {
            Some((object, arrow)) => match self.view.object_class(object, *arrow, env) {
                Some(class) => self.view.member(&class, mention.path.last().name),
                None => LookupResult::Nothing,
            },
            None => self.associated_too(mention, self.view.hit(&mention.path, env), env),
        };
        let hit = match self.callable(mention, &hit, env) {
            Some(class) => self.view.member(&class, self.relevance.call_operator),
            None => hit,
        };
        match hit {
            LookupResult::Entities(entities) => self.functions(mention, &entities, env, explicit),
            LookupResult::TemplateArgument(TemplateArgument::Type(ty)) => self.object(&ty),
            LookupResult::Class(class) => {
                self.object(&Ty::Class(class.clone()));
                if let Some(arguments) = &mention.arguments {
                    self.constructed(&class, arguments, env, mention.at);
                }
            }
            _ => {}
        }
    }

    /// The class of an object that is called like a function.
    pub(in crate::facts) fn callable(
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

    /// The functions that a call's name means, and those that its arguments' types add ([basic.lookup.argdep]/3).
    pub(in crate::facts) fn associated_too(
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

    /// A call of `std::visit`, whose own way to the visitor leads through tables: one call of it for each alternative
    /// ([variant.visit]). Whether it is one.
    pub(in crate::facts) fn visits(&mut self, mention: &Mention, env: &Env) -> bool {
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
