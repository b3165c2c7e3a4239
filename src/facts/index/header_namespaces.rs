//! Which libraries of system headers lead to kernel templates at all, told by their outermost namespaces.
//!
//! In: the declarations of kernel templates, and those that mention a namespace. Out: the namespaces of which some code may come
//! to a kernel template by itself. Code of a header that is no template has types and functions of its own namespace, of the
//! global one and of those that their code names. So code of `std` that names no other library comes to no kernel of one: its
//! templates call what they are given, but it has nothing of that library to give.

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};
use crate::variance::{DeclKind, TopDeclaration};

use super::name_graph::NameGraph;

impl NameGraph<'_> {
    /// The outermost namespaces with code in system headers that may come to one of the target names, which system headers
    /// declare; with the empty name, all of them.
    pub(super) fn namespaces_that_lead<'n>(
        &self,
        targets: impl Iterator<Item = &'n Symbol>,
    ) -> FxHashSet<Symbol> {
        let is_of_system = |top: &usize| self.token_facts.is_of_system(*top);
        let declaring = targets.flat_map(|name| self.declaring_target(*name)).filter(is_of_system);
        let mut worklist: Vec<Symbol> = declaring.map(|top| self.lookup.outermost_namespace(top)).collect();
        let mut found = FxHashSet::default();
        while let Some(namespace) = worklist.pop() {
            if found.insert(namespace) {
                let mentions = self.token_facts.mentions(namespace).filter(is_of_system);
                let others = mentions.filter(|top| !self.is_specialization_for(*top, namespace));
                worklist.extend(others.map(|top| self.lookup.outermost_namespace(top)));
            }
        }
        found
    }

    /// Whether a declaration of a system header that is no template may come to what namespaces lead to
    /// ([`NameGraph::namespaces_that_lead`]): it is of one, or names one.
    pub(super) fn may_come_to(&self, top: usize, namespaces: &FxHashSet<Symbol>) -> bool {
        let mut named = self.token_facts.names(top).iter();
        namespaces.contains(&sym::EMPTY)
            || namespaces.contains(&self.lookup.outermost_namespace(top))
            || named.any(|name| namespaces.contains(name))
    }

    /// Whether a declaration is a specialization for template arguments that a namespace has, or an explicit instantiation: what
    /// does not name the namespace does not come to these.
    fn is_specialization_for(&self, top: usize, namespace: Symbol) -> bool {
        let declaration = &self.declarations[top];
        match declaration.kind {
            DeclKind::Instantiation => true,
            DeclKind::Class | DeclKind::Forward | DeclKind::Variable => {
                own_arguments(self.lookup.tokens(top), declaration).any(|token| token.text == namespace)
            }
            _ => false,
        }
    }
}

/// The template arguments behind the own name of a declaration with these tokens; none where it has none.
fn own_arguments<'t>(
    tokens: &'t [PpToken],
    declaration: &TopDeclaration,
) -> impl Iterator<Item = &'t PpToken> + use<'t> {
    let own = declaration.names.first().copied();
    let is_own = |pair: &[PpToken]| Some(pair[0].text) == own && pair[1].text == sym::LESS;
    let first = tokens.windows(2).position(is_own).map_or(tokens.len(), |at| at + 1);
    let (mut angles, mut brackets) = (0_i32, 0_i32);
    tokens[first..].iter().take_while(move |token| {
        match token.text {
            sym::LPAREN | sym::LBRACE | sym::LBRACKET => brackets += 1,
            sym::RPAREN | sym::RBRACE | sym::RBRACKET => brackets -= 1,
            sym::LESS if brackets == 0 => angles += 1,
            sym::GREATER if brackets == 0 => angles -= 1,
            sym::SHR if brackets == 0 => angles -= 2,
            _ => {}
        }
        angles > 0 && brackets >= 0
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::{Sources, Symbol};
    use crate::target::{Passes, parse_arch_list};
    use crate::variance::variance;

    use super::super::unit::IndexedUnit;
    use crate::facts::lower::memo::Memo;

    /// The declarations of a system header in namespace `base` or in none that may come to a kernel template of namespace `lib`.
    fn leading(text: &str) -> String {
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let sources = Sources::new();
        let kernels = "namespace lib { template <class T> __global__ void kernel(T) {} struct Own { }; inline void use(); }";
        let header = sources.add(Path::new("/s/h.h"), format!("{kernels}\n{text}"));
        sources.add(
            Path::new("a.cu"),
            "#include <h.h>\nnamespace base { void mine(); using namespace lib; }".into(),
        );
        let mut unit = TranslationUnit::new(Path::new("a.cu"), passes);
        unit.search.system.push("/s".into());
        let (pp, memo) = (preprocess(&unit, &sources, &Arc::default()), Memo::new());
        let variance = variance(&pp, unit.passes.all());
        let unit = IndexedUnit::new(&pp, &variance, &memo, unit.passes.all(), None);
        let graph = unit.name_graph();
        let leading = graph.closure(&unit.token_facts().kernels()).leading_names(graph);
        let is_shown = |top: &usize| {
            let declaration = &variance.declarations[*top];
            let space = unit.namespace(declaration.scope);
            pp.tokens()[declaration.tokens.start].at.file == header.id
                && space != Symbol::intern("lib")
                && !unit.leads_nowhere(*top, &leading)
        };
        let tops = (0..variance.declarations.len()).filter(is_shown);
        tops.filter_map(|top| Some(variance.declarations[top].names.first()?.as_str()))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn namespaces_lead_by_those_that_they_name() {
        let own = "namespace base { inline void call(); template <class T> struct traits; template <> struct traits<int> { }; }";
        assert_eq!(leading(own), "traits");
        let by_name = "namespace base { inline void call() { lib::use(); } void other(); }";
        assert_eq!(leading(by_name), "call other");
        let by_another = "namespace base { void call() { mid::use(); } } namespace mid { using lib::use; }";
        assert_eq!(leading(by_another), "call use");
        let by_directive = "namespace base { inline namespace v1 { using namespace lib; } void call(); }";
        assert_eq!(leading(by_directive), "call");
        let by_alias = "namespace short_name = lib; namespace base { void call() { short_name::use(); } } namespace mid { void other(); }";
        assert_eq!(leading(by_alias), "short_name call other");
        let by_a_template = "namespace base { template <class T> void go(T x) { lib::use(); } void call(); }";
        assert_eq!(leading(by_a_template), "go call");
    }

    #[test]
    fn specializations_for_types_of_a_namespace_make_no_other_code_come_to_it() {
        let text = "namespace base { template <class T> struct traits { };
            template <> struct traits<lib::Own> { void run(); };
            template <class T> struct traits<lib::Other<T>> { };
            template struct traits<lib::Own *>;
            void call(); }";
        assert_eq!(leading(text), "traits traits traits traits");
        let otherwise = "namespace base { template <class T> struct traits { };
            template <class T> struct traits<T *> { using type = lib::Own; };
            void call(); }";
        assert_eq!(leading(otherwise), "traits traits call");
    }
}
