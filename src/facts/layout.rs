//! The bytes of a class in one pass: its members in order, their offsets, its size.

use std::rc::Rc;

use crate::source::{Span, Symbol};

use super::ast::*;
use super::lookup::View;
use super::types::{Instance, Spelling, Ty};

/// What decides a class's bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// One line per part: a virtual table pointer, a base, a member with its type, an alignment.
    pub parts: Vec<String>,
    /// The names of the members, in order.
    pub names: Vec<Symbol>,
    /// Size and alignment in bytes, when every part's is known.
    pub size: Option<(u64, u64)>,
}

impl Layout {
    /// Whether two layouts put the same things in the same places. Members under other names are the
    /// same, but not the same names in another order.
    pub(super) fn agrees(&self, other: &Layout) -> bool {
        let sorted = |names: &[Symbol]| {
            let mut names = names.to_vec();
            names.sort_by_key(|name| name.as_str());
            names
        };
        let reordered = self.names != other.names && sorted(&self.names) == sorted(&other.names);
        self.parts == other.parts && !reordered
    }

    /// The parts in words, members with their names.
    pub(super) fn shown(&self) -> Vec<String> {
        let members = self.parts.len() - self.names.len().min(self.parts.len());
        let named = self.parts.iter().skip(members).zip(&self.names).map(|(part, name)| {
            if part.ends_with(['*', '&']) { format!("{part}{name}") } else { format!("{part} {name}") }
        });
        self.parts.iter().take(members).cloned().chain(named).collect()
    }
}

/// The class a type is, arrays and cv looked through.
pub(super) fn class_in(ty: &Ty) -> Option<&Rc<Instance>> {
    match ty {
        Ty::Class(instance) => Some(instance),
        Ty::Qualified(inner, ..) | Ty::Array(inner, _) => class_in(inner),
        _ => None,
    }
}

/// Size and alignment of a type in bytes, on a 64-bit platform with the Itanium ABI.
pub(super) fn size_align(view: &View<'_>, ty: &Ty) -> Option<(u64, u64)> {
    match ty {
        Ty::Builtin(name) => builtin_size(name.as_str()).map(|size| (size, size)),
        Ty::Pointer(_) | Ty::LvalueReference(_) | Ty::RvalueReference(_) => Some((8, 8)),
        Ty::Enum(one) => size_align(view, &one.underlying),
        Ty::Qualified(inner, ..) => size_align(view, inner),
        Ty::Array(of, size) => {
            let (element, align) = size_align(view, of)?;
            let count = u64::try_from(size.as_ref()?.int()?).ok()?;
            Some((element.checked_mul(count)?, align))
        }
        Ty::Class(instance) => view.deeper(|| layout(view, instance).size).flatten(),
        Ty::Opaque { text, .. } => vector_size(text),
        Ty::Function(..) | Ty::Parameter(..) => None,
    }
}

fn builtin_size(name: &str) -> Option<u64> {
    Some(match name {
        "bool" | "char" | "signed char" | "unsigned char" | "char8_t" => 1,
        "short" | "unsigned short" | "char16_t" => 2,
        "int" | "unsigned int" | "float" | "char32_t" | "wchar_t" => 4,
        "long" | "unsigned long" | "long long" | "unsigned long long" | "double" | "nullptr_t" => 8,
        "__int128" | "unsigned __int128" => 16,
        _ => return None,
    })
}

/// CUDA's built-in vector types and half-precision types, when no header declares them
/// (CUDA C++ Programming Guide, "Built-in Vector Types").
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
pub(super) fn layout(view: &View<'_>, class: &Rc<Instance>) -> Layout {
    let mut builder = Builder {
        view,
        parts: Vec::new(),
        names: Vec::new(),
        offset: 0,
        align: 1,
        known: true,
        union: false,
    };
    builder.class(class);
    builder.finish()
}

/// The classes that a class holds by value: members and bases, not through pointers.
pub(super) fn held(view: &View<'_>, class: &Rc<Instance>) -> Vec<Rc<Instance>> {
    let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
        return Vec::new();
    };
    let env = view.inside(class);
    let mut held = Vec::new();
    for (base, _) in &definition.bases {
        held.extend(class_in(&view.ty(base, &class.env)).cloned());
    }
    for member in definition.members.iter().flatten() {
        if let DeclBody::Variable(variable) = &member.kind
            && !member.specifiers.is_static
        {
            held.extend(class_in(&view.ty(&variable.ty, &env)).cloned());
        }
    }
    held
}

/// Where the class's name is written.
pub(super) fn place(class: &Instance) -> Option<Span> {
    class.decl.as_ref().map(|decl| decl.at)
}

struct Builder<'v> {
    view: &'v View<'v>,
    parts: Vec<String>,
    names: Vec<Symbol>,
    offset: u64,
    align: u64,
    known: bool,
    union: bool,
}

impl Builder<'_> {
    fn class(&mut self, class: &Rc<Instance>) {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            self.known = false;
            return;
        };
        let Some(members) = &definition.members else {
            self.parts.push("incomplete".into());
            self.known = false;
            return;
        };
        self.union = definition.is_union;
        let env = self.view.inside(class);
        let own_virtual = members.iter().any(|member| member.specifiers.is_virtual);
        let virtual_base = definition.bases.iter().any(|(_, is_virtual)| *is_virtual);
        if own_virtual || virtual_base {
            self.parts.push("virtual table pointer".into());
            self.add(Some((8, 8)));
        }
        for (base, is_virtual) in &definition.bases {
            let ty = self.view.ty(base, &class.env);
            let word = if *is_virtual { "virtual base" } else { "base" };
            self.parts.push(format!("{word} {}", ty.text(Spelling::Canonical)));
            match class_in(&ty) {
                Some(base) if is_empty(self.view, base) => {}
                _ => self.add(size_align(self.view, &ty)),
            }
        }
        for argument in &definition.alignas {
            let align = match argument {
                Argument::Value(expr) => self.view.value(expr, &env).int(),
                Argument::Type(Type::Named(path)) => match self.view.name_value(path, &env).int() {
                    Some(value) => Some(value),
                    None => {
                        size_align(self.view, &self.view.named(path, &env)).map(|(_, align)| align.into())
                    }
                },
                Argument::Type(ty) => {
                    size_align(self.view, &self.view.ty(ty, &env)).map(|(_, align)| align.into())
                }
                Argument::Pack(_) => None,
            };
            match align.and_then(|align| u64::try_from(align).ok()) {
                Some(align) => {
                    self.parts.push(format!("alignas({align})"));
                    self.align = self.align.max(align);
                }
                None => self.known = false,
            }
        }
        for member in members {
            let DeclBody::Variable(variable) = &member.kind else { continue };
            if member.specifiers.is_static {
                continue;
            }
            let ty = self.view.ty(&variable.ty, &env);
            let mut text = ty.text(Spelling::Canonical);
            if let Some(bits) = &variable.bits {
                text.push_str(&format!(" : {}", self.view.value(bits, &env).text()));
                self.known = false;
            }
            self.parts.push(text);
            self.names.push(member.name);
            self.add(size_align(self.view, &ty));
        }
    }

    fn add(&mut self, size_align: Option<(u64, u64)>) {
        let Some((size, align)) = size_align else {
            self.known = false;
            return;
        };
        self.align = self.align.max(align);
        if self.union {
            self.offset = self.offset.max(size);
        } else {
            self.offset = self.offset.next_multiple_of(align.max(1)) + size;
        }
    }

    fn finish(self) -> Layout {
        let size = self.known.then(|| (self.offset.max(1).next_multiple_of(self.align), self.align));
        Layout { parts: self.parts, names: self.names, size }
    }
}

/// A class without non-static members, virtual functions or non-empty bases takes no room as a base.
fn is_empty(view: &View<'_>, class: &Rc<Instance>) -> bool {
    let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
        return false;
    };
    let members = definition.members.iter().flatten();
    let empty_members = members
        .filter(|member| !member.specifiers.is_static)
        .all(|member| !matches!(member.kind, DeclBody::Variable(_)) && !member.specifiers.is_virtual);
    empty_members
        && definition.members.is_some()
        && definition.bases.iter().all(|(base, is_virtual)| {
            !is_virtual && class_in(&view.ty(base, &class.env)).is_some_and(|base| is_empty(view, base))
        })
}
