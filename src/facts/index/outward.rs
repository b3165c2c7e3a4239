//! The namespaces around a scope, in the order in which unqualified lookup searches them.
//!
//! Headers with braces that are not closed nest hundreds of namespaces, and nearly all lookups end in few of them: a
//! lookup visits only the places where a name, or a using-directive, may be.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::source::{Symbol, sym};

/// The namespaces around a scope, the innermost first, each once: that of the scope itself, and those that its members are
/// found in, too, because it is inline or unnamed.
#[derive(Debug)]
pub(in crate::facts) struct Outward {
    namespaces: Vec<Symbol>,
    places: FxHashMap<Symbol, usize>,
    /// The places of those with using-directives, in order.
    directing: Vec<usize>,
    /// The places that [`Outward::joining`] found.
    joining: RefCell<FxHashMap<(usize, Symbol), usize>>,
}

impl Outward {
    /// Of namespaces in the order of lookup, some of them more than once. `directs` tells which have using-directives.
    pub(super) fn new(namespaces: impl Iterator<Item = Symbol>, directs: impl Fn(Symbol) -> bool) -> Outward {
        let (mut all, mut places) = (Vec::new(), FxHashMap::default());
        for namespace in namespaces {
            places.entry(namespace).or_insert_with(|| {
                all.push(namespace);
                all.len() - 1
            });
        }
        let directing = (0..all.len()).filter(|place| directs(all[*place])).collect();
        Outward { namespaces: all, places, directing, joining: RefCell::default() }
    }

    /// The namespace at a place.
    pub(in crate::facts) fn namespace(&self, place: usize) -> Symbol {
        self.namespaces[place]
    }

    /// The places of some namespaces, of those that are there, in order.
    pub(in crate::facts) fn places_of(&self, namespaces: &[Symbol]) -> Vec<usize> {
        let place = |namespace: &Symbol| self.places.get(namespace).copied();
        let mut places: Vec<usize> = namespaces.iter().filter_map(place).collect();
        places.sort_unstable();
        places
    }

    /// The first place from `first` on of a namespace with using-directives.
    pub(in crate::facts) fn directing_from(&self, first: usize) -> Option<usize> {
        self.directing.get(self.directing.partition_point(|place| *place < first)).copied()
    }

    /// The place from `first` on where the members of a namespace are found that a using-directive nominates: as if they
    /// stood in the nearest namespace that encloses both ([namespace.udir]/2).
    pub(in crate::facts) fn joining(&self, first: usize, nominated: Symbol) -> Option<usize> {
        let find = || {
            let around = self.namespaces[first..].iter().position(|one| encloses(*one, nominated));
            around.map_or(self.namespaces.len(), |number| first + number)
        };
        let place = *self.joining.borrow_mut().entry((first, nominated)).or_insert_with(find);
        (place < self.namespaces.len()).then_some(place)
    }
}

/// Whether a namespace is another one or encloses it.
pub(in crate::facts) fn encloses(namespace: Symbol, other: Symbol) -> bool {
    let rest = other.as_str().strip_prefix(namespace.as_str());
    namespace == sym::EMPTY || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_lookup() {
        let of = |names: &[&str]| names.iter().map(|name| Symbol::intern(name)).collect::<Vec<Symbol>>();
        let around = of(&["a::b::c", "a::b", "a::b", "a", ""]);
        let outward = Outward::new(around.into_iter(), |namespace| namespace.as_str() == "a");
        assert_eq!(outward.places_of(&of(&["", "a::b", "other"])), [1, 3]);
        assert_eq!([0, 2, 3].map(|first| outward.directing_from(first)), [Some(2), Some(2), None]);
        let joining = |first: usize, name: &str| outward.joining(first, Symbol::intern(name));
        assert_eq!(
            [joining(0, "a::b::c::d"), joining(0, "a::bc"), joining(1, "x")],
            [Some(0), Some(2), Some(3)]
        );
        assert_eq!([joining(1, "a::b::c"), joining(3, "a::b")], [Some(1), Some(3)]);
    }
}
