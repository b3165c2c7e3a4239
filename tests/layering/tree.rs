//! The modules of a crate, as its `mod` lines make them.
//!
//! In: texts by their paths below `src`. Out: [`Tree`]: every module with its children in the order of their
//! `mod` lines and the items that a build without tests has. Knows nothing of what names mean.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, ForeignItem, ImplItem, Item, Meta, Stmt, TraitItem};

/// The texts of a crate, by their paths below `src`.
pub(crate) type Texts = BTreeMap<PathBuf, String>;

/// The index of a module in [`Tree::modules`]; the root has index 0.
pub(crate) type ModuleId = usize;

/// The modules of a crate.
pub(crate) struct Tree {
    pub(crate) modules: Vec<Module>,
    /// Files that no `mod` line leads to, not even one of the tests.
    pub(crate) orphans: Vec<PathBuf>,
}

/// A module.
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) parent: Option<ModuleId>,
    /// The file that its items stand in.
    pub(crate) file: PathBuf,
    /// The module of that whole file: another one for a module between braces.
    pub(crate) room: ModuleId,
    /// In the order of their `mod` lines.
    pub(crate) children: Vec<ModuleId>,
    /// Those that a build without tests has.
    pub(crate) items: Vec<Item>,
}

impl Tree {
    /// The tree below `root`, which is `lib.rs`.
    pub(crate) fn new(texts: &Texts, root: &str) -> Tree {
        let mut tree = Tree { modules: Vec::new(), orphans: Vec::new() };
        let mut reached = BTreeSet::new();
        tree.add_file(texts, &mut reached, String::new(), None, root.into());
        tree.orphans = texts.keys().filter(|path| !reached.contains(*path)).cloned().collect();
        tree
    }

    /// Parents from `module` up to the root, `module` first.
    pub(crate) fn ancestry(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        std::iter::successors(Some(module), |module| self.modules[*module].parent)
    }

    /// The path of a module, without `crate`.
    pub(crate) fn path(&self, module: ModuleId) -> String {
        let mut names: Vec<_> =
            self.ancestry(module).map(|module| self.modules[module].name.as_str()).collect();
        names.pop();
        names.reverse();
        if names.is_empty() { "lib.rs".to_string() } else { names.join("::") }
    }

    /// The children of a module that are files or folders of their own.
    pub(crate) fn files_of(&self, module: ModuleId) -> Vec<ModuleId> {
        let children = self.modules[module].children.iter();
        children.copied().filter(|child| self.modules[*child].room == *child).collect()
    }

    fn add_file(
        &mut self,
        texts: &Texts,
        reached: &mut BTreeSet<PathBuf>,
        name: String,
        parent: Option<ModuleId>,
        file: PathBuf,
    ) -> ModuleId {
        let text = &texts[&file];
        let items = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", file.display())).items;
        reached.insert(file.clone());
        let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
            Some("lib" | "mod") => file.with_file_name(""),
            _ => file.with_extension(""),
        };
        self.add(texts, reached, Place { name, parent, file, folder, room: None }, items)
    }

    fn add(
        &mut self,
        texts: &Texts,
        reached: &mut BTreeSet<PathBuf>,
        place: Place,
        items: Vec<Item>,
    ) -> ModuleId {
        let id = self.modules.len();
        let Place { name, parent, file, folder, room } = place;
        let room = room.unwrap_or(id);
        let module =
            Module { name, parent, file: file.clone(), room, children: Vec::new(), items: Vec::new() };
        self.modules.push(module);
        for item in items {
            let Item::Mod(child) = item else {
                if !is_test(item_attributes(&item)) {
                    self.modules[id].items.push(item);
                }
                continue;
            };
            let child_name = child.ident.to_string();
            if is_test(&child.attrs) {
                reach(texts, reached, &folder, &child_name);
                continue;
            }
            assert!(!child.attrs.iter().any(|attribute| attribute.path().is_ident("path")), "no `#[path]`");
            let child_id = match child.content {
                Some((_, items)) => {
                    let below = folder.join(&child_name);
                    let file = file.clone();
                    let place =
                        Place { name: child_name, parent: Some(id), file, folder: below, room: Some(room) };
                    self.add(texts, reached, place, items)
                }
                None => {
                    let mut files = candidates(&folder, &child_name).into_iter();
                    let found = files.find(|path| texts.contains_key(path));
                    let found =
                        found.unwrap_or_else(|| panic!("{}: no file for `{child_name}`", file.display()));
                    self.add_file(texts, reached, child_name, Some(id), found)
                }
            };
            self.modules[id].children.push(child_id);
        }
        id
    }
}

/// Where a module stands.
struct Place {
    name: String,
    parent: Option<ModuleId>,
    file: PathBuf,
    /// The folder of its children's files.
    folder: PathBuf,
    /// The module of the whole file, for a module between braces.
    room: Option<ModuleId>,
}

fn candidates(folder: &Path, name: &str) -> [PathBuf; 2] {
    [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")]
}

/// The files of a test module, and of all modules below it, are no orphans.
fn reach(texts: &Texts, reached: &mut BTreeSet<PathBuf>, folder: &Path, name: &str) {
    let below = folder.join(name);
    let files =
        texts.keys().filter(|path| path.starts_with(&below) || candidates(folder, name).contains(path));
    reached.extend(files.cloned());
}

/// `#[cfg(test)]`, `#[cfg(all(test, ...))]` or `#[test]` is among `attributes`.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            attribute.parse_args().is_ok_and(|meta| needs_test(&meta))
        }
        _ => false,
    })
}

/// The condition holds in builds of tests only.
fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let parts =
                list.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(needs_test))
        }
        _ => false,
    }
}

pub(crate) fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

pub(crate) fn impl_item_attributes(item: &ImplItem) -> &[Attribute] {
    match item {
        ImplItem::Const(item) => &item.attrs,
        ImplItem::Fn(item) => &item.attrs,
        ImplItem::Type(item) => &item.attrs,
        ImplItem::Macro(item) => &item.attrs,
        _ => &[],
    }
}

pub(crate) fn trait_item_attributes(item: &TraitItem) -> &[Attribute] {
    match item {
        TraitItem::Const(item) => &item.attrs,
        TraitItem::Fn(item) => &item.attrs,
        TraitItem::Type(item) => &item.attrs,
        TraitItem::Macro(item) => &item.attrs,
        _ => &[],
    }
}

pub(crate) fn foreign_item_attributes(item: &ForeignItem) -> &[Attribute] {
    match item {
        ForeignItem::Fn(item) => &item.attrs,
        ForeignItem::Static(item) => &item.attrs,
        _ => &[],
    }
}

/// The attributes of a statement, as far as a `cfg` is written before statements of its kind.
pub(crate) fn statement_attributes(statement: &Stmt) -> &[Attribute] {
    match statement {
        Stmt::Local(local) => &local.attrs,
        Stmt::Item(item) => item_attributes(item),
        Stmt::Macro(statement) => &statement.attrs,
        Stmt::Expr(Expr::Block(expression), _) => &expression.attrs,
        Stmt::Expr(Expr::Call(expression), _) => &expression.attrs,
        Stmt::Expr(Expr::If(expression), _) => &expression.attrs,
        Stmt::Expr(Expr::Macro(expression), _) => &expression.attrs,
        Stmt::Expr(Expr::MethodCall(expression), _) => &expression.attrs,
        Stmt::Expr(..) => &[],
    }
}
