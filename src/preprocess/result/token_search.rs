//! Searches for tokens of a unit. What is found in a header is kept with its reading, for all units that have it.

use rustc_hash::FxHashMap;

use super::flat::Piece;
use super::search::Search;
use super::unit::Preprocessed;

impl Preprocessed {
    /// The indices of the tokens that each of some searches wants, in order. Of each search `key` is what the outcome depends
    /// on besides the tokens.
    pub fn find_tokens<const N: usize>(
        &self,
        searches: [(Search, u64); N],
        wanted: impl Fn(usize) -> [bool; N],
    ) -> [Vec<usize>; N] {
        let mut all = [const { Vec::new() }; N];
        let add = |all: &mut [Vec<usize>; N], index: usize| {
            for (all, wanted) in all.iter_mut().zip(wanted(index)) {
                if wanted {
                    all.push(index);
                }
            }
        };
        // Of the readings that were not searched yet: a piece, and what was found.
        let mut fresh: FxHashMap<usize, (&Piece, [Vec<u32>; N])> = FxHashMap::default();
        let ahead = searches.iter().map(|(search, _)| search.looks_ahead()).max().unwrap_or(0);
        let mut next = 0;
        for piece in self.pieces() {
            (next..piece.tokens.start).for_each(|index| add(&mut all, index));
            next = piece.tokens.end;
            let by = piece.tokens.start - piece.from;
            let known = searches.map(|(search, key)| piece.found(search).get().filter(|one| one.0 == key));
            if known.iter().all(Option::is_some) {
                let end = piece.from + piece.tokens.len().saturating_sub(ahead);
                for (all, (_, found)) in all.iter_mut().zip(known.into_iter().flatten()) {
                    let from = found.partition_point(|own| (*own as usize) < piece.from);
                    let found = found[from..].iter().map(|own| *own as usize);
                    all.extend(found.take_while(|own| *own < end).map(|own| own + by));
                }
                (end + by..next).for_each(|index| add(&mut all, index));
                continue;
            }
            let before = all.each_ref().map(Vec::len);
            piece.tokens.clone().for_each(|index| add(&mut all, index));
            let (_, found) =
                fresh.entry(piece.reading_address()).or_insert((piece, [const { Vec::new() }; N]));
            for ((found, all), before) in found.iter_mut().zip(&all).zip(before) {
                found.extend(all[before..].iter().map(|index| (index - by) as u32));
            }
        }
        (next..self.tokens().len()).for_each(|index| add(&mut all, index));
        for (piece, found) in fresh.into_values() {
            for ((search, key), mut found) in searches.into_iter().zip(found) {
                // A unit may have a reading twice.
                found.sort_unstable();
                found.dedup();
                // Another thread may have found the same.
                let _ = piece.found(search).set((key, found.into()));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::preprocess::{Common, preprocess};
    use crate::project::TranslationUnit;
    use crate::source::{Sources, sym};
    use crate::target::{Passes, parse_arch_list};

    use super::*;

    const HEADERS: [(&str, &str); 4] = [
        ("long.h", "#pragma once\nlong\n"),
        ("double.h", "#pragma once\ndouble value;\n"),
        ("two.h", "int one;\n#include \"double.h\"\nlong double two;\n#include \"long.h\"\nint three;\n"),
        ("arch.h", "#ifdef __CUDA_ARCH__\nint arch = __CUDA_ARCH__;\n#endif\nlong double four;\n"),
    ];

    const UNITS: [&str; 5] = [
        "#include \"long.h\"\n#include \"double.h\"\n#include \"arch.h\"\n",
        "#include \"long.h\"\nint a;\n#include \"two.h\"\n#include \"two.h\"\n",
        "#include \"arch.h\"\nint a;\n#include \"long.h\"\ndouble b;\n",
        "#include \"two.h\"\nlong double b = __CUDA_ARCH__;\n#include \"arch.h\"\n#include \"arch.h\"\n",
        "long\n#include \"double.h\"\n#include \"long.h\"\n;\n",
    ];

    /// What is found in a unit: the tokens with `long double`, those that not every pass has, and all `__CUDA_ARCH__`.
    fn found(sources: &Sources, text: &str, common: &Arc<Common>) -> [Vec<usize>; 3] {
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let all = passes.all();
        sources.overlay(Path::new("a.cu"), text.into());
        let unit = preprocess(&TranslationUnit::new(Path::new("a.cu"), passes), sources, common);
        let tokens = unit.tokens();
        let text = |index: usize| tokens.get(index).map_or(sym::EMPTY, |token| token.text);
        let is_long_double = |index: usize| (text(index), text(index + 1)) == (sym::LONG, sym::DOUBLE);
        let wanted = |index: usize| [is_long_double(index), !tokens[index].passes.contains(all)];
        let [sizes, partial] = unit.find_tokens([(Search::Sizes, 0), (Search::Partial, all.0)], wanted);
        let numbers = |index: usize| [tokens[index].expansion.is_some()];
        let [numbers] = unit.find_tokens([(Search::Numbers, 0)], numbers);
        let every: Vec<usize> = (0..tokens.len()).filter(|index| is_long_double(*index)).collect();
        assert_eq!(sizes, every);
        [sizes, partial, numbers]
    }

    #[test]
    fn the_same_is_found_whatever_was_searched_before() {
        let new = || {
            let sources = Sources::new();
            HEADERS.iter().for_each(|(name, text)| _ = sources.add(Path::new(name), (*text).into()));
            sources
        };
        let alone: Vec<_> = UNITS.iter().map(|text| found(&new(), text, &Arc::default())).collect();
        assert!((0..3).all(|search| alone.iter().any(|found| !found[search].is_empty())));
        for start in 0..UNITS.len() {
            let (sources, common) = (new(), Arc::default());
            for number in (start..UNITS.len()).chain(0..start) {
                assert_eq!(found(&sources, UNITS[number], &common), alone[number], "{start}, {number}");
            }
        }
    }
}
