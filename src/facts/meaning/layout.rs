//! Class layout in one pass, as the Itanium C++ ABI has it: the members in order, size and alignment.
//!
//! In: a class. Out: its [`Layout`]. Sizes and alignments are in bytes unless they are called bits.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Span, Symbol, sym};

use super::identity::Identity;
use super::types::{Env, Instance, Spelling, Ty};
use super::view::{ClassProperty, Layout, View};
use crate::facts::lower::ast::*;

/// The class of a type, or of an array's elements, cv-qualified or not.
pub(in crate::facts) fn class_in(ty: &Ty) -> Option<&Rc<Instance>> {
    match ty {
        Ty::Class(instance) => Some(instance),
        Ty::Qualified(inner, ..) | Ty::Array(inner, _) => class_in(inner),
        _ => None,
    }
}

/// Size and alignment of a type in bytes, on a 64-bit platform with the Itanium C++ ABI; `None` if not known.
pub(in crate::facts) fn size_align(view: &View<'_>, ty: &Ty) -> Option<(u64, u64)> {
    match ty {
        Ty::Builtin(name) if name.as_str() == LONG_DOUBLE => view.is_host().then_some((16, 16)),
        Ty::Builtin(name) => builtin_size(name.as_str()).map(|size| (size, size)),
        Ty::Pointer(_) | Ty::LvalueReference(_) | Ty::RvalueReference(_) => Some((8, 8)),
        Ty::Enum(one) => size_align(view, &one.underlying),
        Ty::Qualified(inner, ..) => size_align(view, inner),
        Ty::Array(of, size) => {
            let (element, align) = size_align(view, of)?;
            let count = u64::try_from(size.as_ref()?.int()?).ok()?;
            Some((element.checked_mul(count)?, align))
        }
        Ty::Class(instance) => view.within_limits(|| layout(view, instance).size).flatten(),
        Ty::Opaque { text, .. } => vector_size(text),
        Ty::Function(..) | Ty::Parameter(..) => None,
    }
}

/// The only fundamental type whose size differs between host and device: on the host that of x86-64; in
/// device passes the eight bytes of a `double`, which nvcc aligns to 16. nvcc lays out the surrounding
/// members in more than one way (measured on 13.0), so no size is given for it there.
const LONG_DOUBLE: &str = "long double";

/// Whether a type is `long double` or an array of it.
pub(in crate::facts) fn is_long_double(ty: &Ty) -> bool {
    match ty {
        Ty::Builtin(name) => name.as_str() == LONG_DOUBLE,
        Ty::Qualified(inner, ..) | Ty::Array(inner, _) => is_long_double(inner),
        _ => false,
    }
}

/// A note for a type whose name does not tell its size in this pass.
fn size_note(view: &View<'_>, ty: &Ty) -> &'static str {
    if is_long_double(ty) && !view.is_host() { " (a `double`)" } else { "" }
}

/// The size, and alignment, of a fundamental type in bytes (LP64).
fn builtin_size(name: &str) -> Option<u64> {
    Some(match name {
        "bool" | "char" | "signed char" | "unsigned char" | "char8_t" => 1,
        "short" | "unsigned short" | "char16_t" => 2,
        "int" | "unsigned int" | "float" | "char32_t" | "wchar_t" => 4,
        "long" | "unsigned long" | "long long" | "unsigned long long" | "double" | "nullptr_t" => 8,
        "__int128" | "unsigned __int128" | "__float128" => 16,
        _ => return None,
    })
}

/// Size and alignment in bytes of CUDA's built-in vector and half-precision types, where no header declares
/// them (CUDA C++ Programming Guide, "Built-in Vector Types").
fn vector_size(name: &str) -> Option<(u64, u64)> {
    let name = name.trim_start_matches("::");
    match name {
        "__half" | "half" | "__nv_bfloat16" | "nv_bfloat16" => return Some((2, 2)),
        "__half2" | "half2" | "__nv_bfloat162" | "nv_bfloat162" => return Some((4, 4)),
        "dim3" => return Some((12, 4)),
        _ => {}
    }
    let count: u64 =
        name.get(name.len().checked_sub(1)?..)?.parse().ok().filter(|count| (1..=4).contains(count))?;
    let element = match &name[..name.len() - 1] {
        "char" | "uchar" => 1,
        "short" | "ushort" => 2,
        "int" | "uint" | "float" => 4,
        "long" | "ulong" | "longlong" | "ulonglong" | "double" => 8,
        _ => return None,
    };
    let align = if count == 3 { element } else { (element * count).min(16) };
    Some((element * count, align))
}

/// The layout of a class.
pub(in crate::facts) fn layout(view: &View<'_>, class: &Rc<Instance>) -> Rc<Layout> {
    let key = (Rc::as_ptr(class) as usize, 0, Identity::new());
    view.cached(&view.caches.layouts, key, class, class.alike, || Rc::new(laid_out(view, class)))
}

fn laid_out(view: &View<'_>, class: &Rc<Instance>) -> Layout {
    let mut builder = Builder {
        view,
        parts: Vec::new(),
        shown: Vec::new(),
        names: Vec::new(),
        bits: 0,
        align: 1,
        complete: true,
        resolved: true,
        computed: true,
        union: false,
        packed: false,
    };
    builder.class(class);
    // The tail padding of a class whose size is not known is of no use to anybody.
    let pod = builder.complete && is_pod(view, class);
    builder.finish(pod)
}

/// The classes of a class's base class subobjects and data members, not through pointers. Unnamed classes are
/// replaced by those inside them.
pub(in crate::facts) fn subobject_classes(view: &View<'_>, class: &Rc<Instance>) -> Vec<Rc<Instance>> {
    let bases = view.bases(class).into_iter();
    let mut classes: Vec<Rc<Instance>> = bases.filter_map(|ty| class_in(&ty).cloned()).collect();
    for member in members(view, class) {
        match class_in(&member.ty) {
            Some(inner) if is_unnamed(inner) => classes.extend(self::subobject_classes(view, inner)),
            inner => classes.extend(inner.cloned()),
        }
    }
    classes
}

/// Where the class's name is written.
pub(in crate::facts) fn place(class: &Instance) -> Option<Span> {
    class.decl.as_ref().map(|decl| decl.at)
}

fn definition(class: &Instance) -> Option<&Class> {
    match class.decl.as_ref().map(|decl| &decl.kind) {
        Some(DeclBody::Class(definition)) if class.alternatives.is_empty() => Some(definition),
        _ => None,
    }
}

fn is_unnamed(class: &Instance) -> bool {
    class.decl.as_ref().is_some_and(|decl| decl.name.as_str().starts_with('(') || decl.name == sym::EMPTY)
}

/// A non-static data member.
pub(super) struct Member<'c> {
    name: Symbol,
    pub(super) ty: Ty,
    /// `None` for an anonymous union or struct.
    variable: Option<&'c Variable>,
    non_public: bool,
}

/// The non-static data members of a class, in order.
pub(super) fn members<'c>(view: &View<'_>, class: &'c Rc<Instance>) -> Vec<Member<'c>> {
    let env = class.env.inside(class.clone());
    let mut members = Vec::new();
    for decl in definition(class).and_then(|definition| definition.members.as_ref()).into_iter().flatten() {
        let non_public = decl.specifiers.non_public;
        match &decl.kind {
            DeclBody::Variable(variable) if !decl.specifiers.is_static => {
                let ty = view.ty(&variable.ty, &env);
                members.push(Member { name: decl.name, ty, variable: Some(variable), non_public });
            }
            DeclBody::Class(_) if decl.name == sym::EMPTY => {
                let anonymous = Instance {
                    number: view.caches.identities.named(&class.name, &[]),
                    name: class.name.clone(),
                    arguments: Vec::new(),
                    decl: Some(decl.clone()),
                    env: env.clone(),
                    top: class.top,
                    alike: class.alike,
                    weight: 1,
                    alternatives: Vec::new(),
                    texts: Default::default(),
                    portability: Default::default(),
                };
                let ty = Ty::Class(Rc::new(anonymous));
                members.push(Member { name: sym::EMPTY, ty, variable: None, non_public });
            }
            _ => {}
        }
    }
    members
}

/// Lays a class out (Itanium C++ ABI, section 2.4).
struct Builder<'v> {
    view: &'v View<'v>,
    parts: Vec<String>,
    shown: Vec<String>,
    names: Vec<Symbol>,
    /// The number of bits laid out so far.
    bits: u64,
    align: u64,
    /// Size and alignment of all parts are known.
    complete: bool,
    /// The types of all parts are resolved.
    resolved: bool,
    /// The type of no part is one that could not be computed.
    computed: bool,
    union: bool,
    packed: bool,
}

impl Builder<'_> {
    fn class(&mut self, class: &Rc<Instance>) {
        let Some(definition) = definition(class).filter(|one| one.members.is_some()) else {
            self.part("incomplete".into());
            (self.complete, self.resolved) = (false, false);
            return;
        };
        self.union = definition.is_union;
        self.packed = definition.packed;
        self.bases(class);
        let env = class.env.inside(class.clone());
        let requested: Vec<Option<u64>> =
            definition.alignas.iter().map(|argument| self.alignment(argument, &env)).collect();
        let (parts, shown) = (self.parts.len(), self.shown.len());
        for member in members(self.view, class) {
            self.member(&member, &env);
        }
        // An alignment-specifier that is no stricter than the members' alignment changes nothing and is no
        // part.
        for align in requested {
            if self.complete && align.is_some_and(|align| align <= self.align) {
                continue;
            }
            let text = format!("alignas({})", align.map_or("?".into(), |align| align.to_string()));
            self.parts.insert(parts, text.clone());
            self.shown.insert(shown, text);
            self.aligned(align);
        }
    }

    fn bases(&mut self, class: &Rc<Instance>) {
        let bases = self.view.base_specifiers(class);
        let inherited = bases.iter().position(|(ty, is_virtual)| {
            !is_virtual && class_in(ty).is_some_and(|base| is_dynamic_class(self.view, base))
        });
        if is_dynamic_class(self.view, class) && inherited.is_none() {
            self.part("virtual table pointer".into());
            self.add(Some((8, 8)));
        }
        for (ty, is_virtual) in bases.iter() {
            // An empty base class takes no room, so its name is no part.
            if !is_virtual && class_in(ty).is_some_and(|base| is_empty(self.view, base)) {
                continue;
            }
            let word = if *is_virtual { "virtual base" } else { "base" };
            self.part_type(ty);
            self.part(format!("{word} {}", ty.text(Spelling::Canonical)));
        }
        // The first non-virtual dynamic base class is the primary base: it comes first and shares its virtual
        // table pointer.
        let first = inherited.into_iter();
        let order = first.chain((0..bases.len()).filter(|index| Some(*index) != inherited));
        let mut empty: Vec<String> = Vec::new();
        for (ty, is_virtual) in order.map(|index| &bases[index]) {
            // Virtual base classes follow the members in an order that is not modelled.
            self.complete &= !is_virtual;
            match class_in(ty) {
                Some(base) if is_empty(self.view, base) => empty.push(base.text(Spelling::Canonical)),
                Some(base) => {
                    let layout = self.view.within_limits(|| layout(self.view, base));
                    let extent = layout.and_then(|layout| Some((layout.extent, layout.size?.1)));
                    self.add(extent);
                }
                None => self.complete = false,
            }
        }
        // Two subobjects of one empty class have different addresses ([intro.object]/9).
        let first = members(self.view, class).into_iter().next();
        let first = first.as_ref().and_then(|member| class_in(&member.ty));
        let clash = first.is_some_and(|first| empty.contains(&first.text(Spelling::Canonical)));
        self.complete &= !clash && (empty.len() < 2 || bases.len() == empty.len());
    }

    fn member(&mut self, member: &Member<'_>, env: &Env) {
        let mut text = match class_in(&member.ty) {
            Some(inner) if is_unnamed(inner) => {
                let inner_is = self.view.within_limits(|| {
                    let inner = layout(self.view, inner);
                    (inner.resolved, inner.computed)
                });
                let (resolved, computed) = inner_is.unwrap_or((false, false));
                self.resolved &= resolved;
                self.computed &= computed;
                self.unnamed(inner)
            }
            _ => member.ty.text(Spelling::Canonical),
        };
        let glue = if text.ends_with(['*', '&']) || member.name == sym::EMPTY { "" } else { " " };
        let mut shown = format!("{text}{glue}{}", member.name);
        let mut size_align = size_align(self.view, &member.ty);
        if self.packed {
            size_align = size_align.map(|(size, _)| (size, 1));
        }
        for argument in member.variable.iter().flat_map(|variable| &variable.alignas) {
            let align = self.alignment(argument, env);
            let word = format!("alignas({}) ", align.map_or("?".into(), |align| align.to_string()));
            (text, shown) = (format!("{word}{text}"), format!("{word}{shown}"));
            size_align = size_align.zip(align).map(|((size, own), align)| (size, own.max(align)));
        }
        match member.variable.and_then(|variable| variable.bits.as_ref()) {
            Some(width) => {
                let width = self.view.value(width, env);
                self.resolved &= width.is_known();
                text.push_str(&format!(" : {}", width.text()));
                shown.push_str(&format!(" : {}", width.text()));
                let width = width.int().and_then(|width| u64::try_from(width).ok());
                self.bit_field(size_align, width, member.name != sym::EMPTY);
            }
            None => self.add(size_align),
        }
        let note = size_note(self.view, &member.ty);
        self.part_type(&member.ty);
        self.parts.push(format!("{text}{note}"));
        self.shown.push(format!("{shown}{note}"));
        self.names.push(member.name);
    }

    /// An unnamed class spelled by its parts: `union { int a; float b }`.
    fn unnamed(&self, class: &Rc<Instance>) -> String {
        let word = match definition(class) {
            Some(definition) if definition.is_union => "union",
            _ => "struct",
        };
        let parts = self.view.within_limits(|| layout(self.view, class).shown.clone()).unwrap_or_default();
        format!("{word} {{ {} }}", parts.join("; "))
    }

    /// The alignment that an alignment-specifier asks for, in bytes; `None` if it is not a known power of
    /// two.
    fn alignment(&self, argument: &Argument, env: &Env) -> Option<u64> {
        let of_type = |ty: &Ty| size_align(self.view, ty).map(|(_, align)| i128::from(align));
        let align = match argument {
            Argument::Value(Expr::Name(path)) | Argument::Type(Type::Named(path)) => {
                let value = self.view.name_value(path, env).int();
                value.or_else(|| of_type(&self.view.named_type(path, env)))
            }
            Argument::Value(expr) => self.view.value(expr, env).int(),
            Argument::Type(ty) => of_type(&self.view.ty(ty, env)),
            Argument::Pack(_) => None,
        };
        align.and_then(|align| u64::try_from(align).ok()).filter(|align| align.is_power_of_two())
    }

    /// Adds a part that is spelled alike for comparison and for people.
    fn part(&mut self, text: String) {
        self.shown.push(text.clone());
        self.parts.push(text);
    }

    /// Notes whether the type of a part is known.
    fn part_type(&mut self, ty: &Ty) {
        self.resolved &= ty.is_sure();
        self.computed &= !ty.is_unknown();
    }

    fn aligned(&mut self, align: Option<u64>) {
        match align {
            Some(align) => self.align = self.align.max(align),
            None => (self.complete, self.resolved) = (false, false),
        }
    }

    /// Places a subobject of a size and alignment at the next offset.
    fn add(&mut self, size_align: Option<(u64, u64)>) {
        self.aligned(size_align.map(|(_, align)| align));
        let Some((size, align)) = size_align else { return };
        let start = if self.union { 0 } else { self.bits.next_multiple_of(align.max(1).saturating_mul(8)) };
        self.bits = self.bits.max(start.saturating_add(size.saturating_mul(8)));
    }

    /// Places a bit-field: it does not cross the boundary of a storage unit of its type, and one of width 0
    /// ends the unit ([class.bit]).
    fn bit_field(&mut self, size_align: Option<(u64, u64)>, width: Option<u64>, named: bool) {
        let Some(((size, align), width)) = size_align.zip(width) else {
            self.complete = false;
            return;
        };
        let unit = size * 8;
        if width > unit || self.packed {
            self.complete = false;
            return;
        }
        if named {
            self.align = self.align.max(align);
        }
        if self.union {
            self.bits = self.bits.max(width);
        } else if width == 0 {
            self.bits = self.bits.next_multiple_of(unit.max(1));
        } else {
            if self.bits / unit != (self.bits + width - 1) / unit {
                self.bits = self.bits.next_multiple_of(align * 8);
            }
            self.bits += width;
        }
    }

    fn finish(self, pod: bool) -> Layout {
        let bytes = self.bits.div_ceil(8).max(1);
        let size = bytes.next_multiple_of(self.align);
        Layout {
            parts: self.parts,
            shown: self.shown,
            names: self.names,
            size: self.complete.then_some((size, self.align)),
            extent: if pod || self.union { size } else { bytes },
            resolved: self.resolved,
            computed: self.computed,
        }
    }
}

/// Whether a class is dynamic (Itanium C++ ABI): it has a virtual function or a virtual base class, its own
/// or inherited.
fn is_dynamic_class(view: &View<'_>, class: &Rc<Instance>) -> bool {
    let Some(definition) = definition(class) else { return false };
    definition.members.iter().flatten().any(|member| member.specifiers.is_virtual)
        || view
            .base_specifiers(class)
            .iter()
            .any(|(base, is_virtual)| *is_virtual || matches_base(view, base, is_dynamic_class))
}

/// Whether a class is empty ([meta.unary.prop]): no non-static data members, virtual functions or non-empty
/// base classes; `None` if it is not known.
pub(in crate::facts) fn emptiness(view: &View<'_>, class: &Rc<Instance>) -> Option<bool> {
    view.class_property(class, ClassProperty::Empty, || {
        definition(class)?.members.as_ref()?;
        if !members(view, class).is_empty() || is_dynamic_class(view, class) {
            return Some(false);
        }
        let bases = view.bases(class);
        let mut bases = bases.iter().map(|base| class_in(base).and_then(|base| emptiness(view, base)));
        bases.try_fold(true, |all, one| Some(all && one?))
    })
}

fn is_empty(view: &View<'_>, class: &Rc<Instance>) -> bool {
    emptiness(view, class) == Some(true)
}

fn matches_base(view: &View<'_>, base: &Ty, holds: fn(&View<'_>, &Rc<Instance>) -> bool) -> bool {
    class_in(base).is_some_and(|base| view.within_limits(|| holds(view, base)).unwrap_or(false))
}

/// Whether a class is POD for the purpose of layout (C++03): a derived class does not use its tail padding.
fn is_pod(view: &View<'_>, class: &Rc<Instance>) -> bool {
    let (Some(definition), Some(decl)) = (definition(class), &class.decl) else { return false };
    let special = |member: &Arc<Decl>| {
        let name = member.name.as_str();
        let function = matches!(&member.kind, DeclBody::Function(function) if !function.defaulted);
        function && (member.name == decl.name || name.starts_with('~') || name == "operator=")
    };
    let has_pods_only = || {
        let all = members(view, class).iter().all(|member| {
            let pod = class_in(&member.ty).is_none_or(|inner| is_pod(view, inner));
            let reference = matches!(member.ty, Ty::LvalueReference(_) | Ty::RvalueReference(_));
            pod && !reference && !member.non_public
        });
        Some(all)
    };
    definition.bases.is_empty()
        && !definition.members.iter().flatten().any(special)
        && !is_dynamic_class(view, class)
        && view.class_property(class, ClassProperty::PodMembers, has_pods_only) == Some(true)
}
