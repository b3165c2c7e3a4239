//! Environments: the enclosing scopes that unqualified lookup goes through, innermost first.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::source::Symbol;
use crate::target::PassSet;
use crate::variance::ScopeId;

use super::types::{Bindings, Env, Frame, FrameKind, Instance, TemplateArgument, Ty};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::ast::*;

impl Env {
    /// The environment at the end of a namespace scope.
    pub(in crate::facts) fn namespace(scope: ScopeId) -> Env {
        Env { scope, frame: None, top: usize::MAX }
    }

    /// The environment in which the names of a top-level declaration are looked up.
    pub(in crate::facts) fn of_top(unit: &IndexedUnit, top: usize) -> Env {
        Env::namespace(unit.variance.declarations[top].scope).at(top)
    }

    /// The same scopes, looked at from a top-level declaration.
    pub(in crate::facts) fn at(self, top: usize) -> Env {
        Env { top, ..self }
    }

    /// The environment in which the names of a default argument are looked up.
    pub(in crate::facts) fn of_default(&self, from: Option<usize>) -> Env {
        from.map_or_else(|| self.clone(), |from| self.clone().at(from))
    }

    /// A number that tells the environment from others while it lives. Inside a class it is the class's,
    /// since each access to a class makes a frame of its own.
    pub(in crate::facts) fn identity(&self) -> usize {
        match self.frame.as_ref().map(|frame| (frame, &frame.kind)) {
            None => self.scope.0 as usize,
            Some((_, FrameKind::Class(class))) => Rc::as_ptr(class) as usize,
            Some((frame, _)) => Rc::as_ptr(frame) as usize,
        }
    }

    /// The passes in which the names of its scopes mean the same, blocks aside: what these declare, only the pass that
    /// declared it looks up.
    pub(in crate::facts) fn alike(&self) -> PassSet {
        self.frame.as_ref().map_or(PassSet::EVERY, |frame| frame.alike)
    }

    fn push(&self, kind: FrameKind) -> Env {
        let own = match &kind {
            FrameKind::Bindings(bindings) => {
                bindings.iter().fold(PassSet::EVERY, |all, (_, bound)| all.and(bound.alike()))
            }
            FrameKind::Class(class) => class.alike,
            FrameKind::Parameters(parameters) => {
                parameters.iter().fold(PassSet::EVERY, |all, (_, ty)| all.and(ty.alike()))
            }
            FrameKind::Block(_) => PassSet::EVERY,
        };
        let alike = self.alike().and(own);
        let frame = Some(Rc::new(Frame { parent: self.frame.clone(), kind, alike }));
        Env { frame, ..*self }
    }

    /// The environment with template parameters bound to arguments.
    pub(in crate::facts) fn with_bindings(&self, bindings: Bindings) -> Env {
        if bindings.is_empty() { self.clone() } else { self.push(FrameKind::Bindings(bindings)) }
    }

    /// The environment inside a class, whose members lookup finds.
    pub(in crate::facts) fn inside(&self, class: Rc<Instance>) -> Env {
        self.push(FrameKind::Class(class))
    }

    /// The innermost enclosing class, which `this` points to. The body of a lambda-expression is in the class
    /// that the expression is in.
    pub(in crate::facts) fn class(&self) -> Option<Rc<Instance>> {
        let frames = std::iter::successors(self.frame.as_ref(), |frame| frame.parent.as_ref());
        frames.into_iter().find_map(|frame| match &frame.kind {
            FrameKind::Class(class) => (!class.is_closure()).then(|| class.clone()),
            _ => None,
        })
    }

    /// The local declarations of the enclosing block scopes up to the innermost class, each with its
    /// environment.
    pub(in crate::facts) fn declared_in_blocks(&self) -> Vec<(Arc<Decl>, Env)> {
        let mut declared = Vec::new();
        for frame in std::iter::successors(self.frame.as_ref(), |frame| frame.parent.as_ref()) {
            match &frame.kind {
                FrameKind::Block(block) => {
                    let env = Env { frame: Some(frame.clone()), ..*self };
                    let block = block.borrow();
                    declared.extend(block.declarations().iter().map(|decl| (decl.clone(), env.clone())));
                }
                FrameKind::Class(_) => break,
                FrameKind::Bindings(_) | FrameKind::Parameters(_) => {}
            }
        }
        declared
    }

    /// The class that is the innermost scope, template parameters aside.
    pub(in crate::facts) fn innermost_class(&self) -> Option<&Rc<Instance>> {
        let mut frames = std::iter::successors(self.frame.as_ref(), |frame| frame.parent.as_ref());
        match &frames.find(|frame| !matches!(frame.kind, FrameKind::Bindings(_)))?.kind {
            FrameKind::Class(class) => Some(class),
            _ => None,
        }
    }

    /// The argument that an enclosing template parameter of that name is bound to.
    pub(in crate::facts) fn bound(&self, name: Symbol) -> Option<&TemplateArgument> {
        let frames = std::iter::successors(self.frame.as_ref(), |frame| frame.parent.as_ref());
        frames.into_iter().find_map(|frame| match &frame.kind {
            FrameKind::Bindings(bindings) => {
                bindings.iter().find(|(bound, _)| *bound == name).map(|(_, argument)| argument)
            }
            _ => None,
        })
    }

    /// The elements of the enclosing template parameter pack of that name, also within an expansion of the pack, where the
    /// name is bound to one of them.
    pub(in crate::facts) fn bound_pack(&self, name: Symbol) -> Option<&[TemplateArgument]> {
        let frames = std::iter::successors(self.frame.as_ref(), |frame| frame.parent.as_ref());
        frames.into_iter().find_map(|frame| {
            let FrameKind::Bindings(bindings) = &frame.kind else { return None };
            bindings.iter().find_map(|(bound, argument)| match argument {
                TemplateArgument::Pack(elements) if *bound == name => Some(elements.as_slice()),
                _ => None,
            })
        })
    }

    /// The arguments that the enclosing template parameters are bound to, outermost first.
    pub(in crate::facts) fn bound_arguments(&self) -> Vec<TemplateArgument> {
        let mut bound: Vec<Vec<TemplateArgument>> = Vec::new();
        let mut frame = self.frame.as_ref();
        while let Some(one) = frame {
            match &one.kind {
                FrameKind::Bindings(bindings) => {
                    bound.push(bindings.iter().map(|(_, bound)| bound.clone()).collect());
                }
                FrameKind::Class(class) => {
                    bound.push(class.arguments.clone());
                    break;
                }
                FrameKind::Block(_) | FrameKind::Parameters(_) => {}
            }
            frame = one.parent.as_ref();
        }
        bound.into_iter().rev().flatten().collect()
    }

    /// The environment that encloses the innermost class, block or namespace.
    pub(in crate::facts) fn enclosing(&self, unit: &IndexedUnit) -> Env {
        let mut frames = std::iter::successors(self.frame.as_ref(), |frame| frame.parent.as_ref());
        match frames.find(|frame| matches!(frame.kind, FrameKind::Class(_) | FrameKind::Block(_))) {
            Some(frame) => Env { frame: frame.parent.clone(), ..*self },
            None => Env::namespace(unit.scopes_outward(self.scope).nth(1).unwrap_or(self.scope)).at(self.top),
        }
    }

    /// The environment inside a function with these parameters.
    pub(in crate::facts) fn with_parameters(&self, parameters: Vec<(Symbol, Ty)>) -> Env {
        if parameters.is_empty() { self.clone() } else { self.push(FrameKind::Parameters(parameters)) }
    }

    /// The environment of a new block scope.
    pub(in crate::facts) fn block(&self) -> Env {
        self.push(FrameKind::Block(RefCell::default()))
    }

    /// Declares a name in the innermost block scope.
    pub(in crate::facts) fn declare(&self, decl: Arc<Decl>) {
        let mut frame = self.frame.as_ref();
        while let Some(one) = frame {
            if let FrameKind::Block(block) = &one.kind {
                block.borrow_mut().declare(decl);
                return;
            }
            frame = one.parent.as_ref();
        }
    }
}

impl Instance {
    /// Whether its members are templated entities ([temp.pre]/8), so that uses instantiate their definitions.
    pub(in crate::facts) fn is_templated(&self) -> bool {
        !self.arguments.is_empty() || self.env.class().is_some_and(|outer| outer.is_templated())
    }
}
