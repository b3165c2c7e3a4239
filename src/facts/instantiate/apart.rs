//! Instantiations of system headers' templates that come to no kernel template: the library leads to none, and neither does
//! what it is given.
//!
//! In: the names that lead. Out: whether an instantiation *stands apart*. So what `std::vector<int>` does is not walked.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::facts::index::leading_names::LeadingNames;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::meaning::types::{
    ClassNumber, Env, Frame, FrameKind, Instance, TemplateArgument, Ty, Value,
};

/// What stands apart in a unit, in one pass.
pub(super) struct Apart<'v> {
    unit: &'v IndexedUnit<'v>,
    leading: &'v LeadingNames,
    declarations: RefCell<FxHashMap<usize, bool>>,
    classes: RefCell<FxHashMap<ClassNumber, bool>>,
}

impl<'v> Apart<'v> {
    pub(super) fn new(unit: &'v IndexedUnit<'v>, leading: &'v LeadingNames) -> Apart<'v> {
        Apart { unit, leading, declarations: RefCell::default(), classes: RefCell::default() }
    }

    /// Whether code in an environment stands apart: it is of such a library, and so are all its template arguments.
    pub(super) fn has_code(&self, env: &Env) -> bool {
        self.has_declaration(env.top) && self.has_frames(env)
    }

    fn has_frames(&self, env: &Env) -> bool {
        let mut frames = std::iter::successors(env.frame.as_ref(), |frame| frame.parent.as_ref());
        frames.all(|frame: &std::rc::Rc<Frame>| match &frame.kind {
            FrameKind::Bindings(bindings) => bindings.iter().all(|(_, argument)| self.has_argument(argument)),
            FrameKind::Class(class) => self.has_class(class),
            FrameKind::Block(_) | FrameKind::Parameters(_) => false,
        })
    }

    fn has_declaration(&self, top: usize) -> bool {
        if top == usize::MAX {
            return false;
        }
        let mut known = self.declarations.borrow_mut();
        *known.entry(top).or_insert_with(|| self.unit.stands_apart(top, self.leading))
    }

    fn has_class(&self, class: &Instance) -> bool {
        if let Some(known) = self.classes.borrow().get(&class.number) {
            return *known;
        }
        let apart = !class.is_closure()
            && class.alternatives.is_empty()
            && self.has_declaration(class.top)
            && class.arguments.iter().all(|argument| self.has_argument(argument))
            && self.has_frames(&class.env);
        self.classes.borrow_mut().insert(class.number, apart);
        apart
    }

    fn has_argument(&self, argument: &TemplateArgument) -> bool {
        match argument {
            TemplateArgument::Type(ty) => self.has_type(ty),
            TemplateArgument::Pack(members) => members.iter().all(|one| self.has_argument(one)),
            TemplateArgument::Value(Value::Int(..) | Value::Float(..) | Value::Null) => true,
            // A function, say, or an enumerator of any enumeration.
            TemplateArgument::Value(Value::Pointer(_) | Value::Object(_) | Value::Opaque(_))
            | TemplateArgument::Integer(..)
            | TemplateArgument::Template(_) => false,
        }
    }

    fn has_type(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Builtin(_) => true,
            Ty::Class(class) => self.has_class(class),
            Ty::Pointer(to) | Ty::LvalueReference(to) | Ty::RvalueReference(to) => self.has_type(to),
            Ty::Array(of, _) | Ty::Qualified(of, ..) => self.has_type(of),
            Ty::Function(result, parameters, _) => {
                self.has_type(result) && parameters.iter().all(|one| self.has_type(one))
            }
            Ty::Enum(_) | Ty::Parameter(..) | Ty::Opaque { .. } => false,
        }
    }
}
