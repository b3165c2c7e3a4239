//! The headers that units begin with.
//!
//! In: the outermost reading of a unit. Out: its [`Preamble`], or what it has in common with another unit's. Two units have
//! a header in common only where both have the same reading of it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::inclusion::Inclusion;

/// The headers that a unit begins with, before any text of its own, as they were read. Of a header that another unit has
/// not, those count that it begins with.
#[derive(Clone, Debug, Default)]
pub struct Preamble {
    readings: Vec<Arc<Inclusion>>,
    tokens: usize,
    expansions: usize,
}

/// Readings are equal if they are the same: readings of equal texts are not.
impl PartialEq for Preamble {
    fn eq(&self, other: &Preamble) -> bool {
        self.readings.len() == other.readings.len()
            && self.readings.iter().zip(&other.readings).all(|(one, other)| Arc::ptr_eq(one, other))
    }
}

impl Preamble {
    /// The headers that a unit begins with, whole.
    pub(crate) fn of(root: &Inclusion) -> Preamble {
        Preamble::from(leading(root).collect())
    }

    fn from(readings: Vec<Arc<Inclusion>>) -> Preamble {
        let (mut tokens, mut expansions) = (0, 0);
        let mut count = |one: &Inclusion| {
            tokens += one.tokens.len();
            expansions += one.expansions.len();
        };
        readings.iter().for_each(|reading| reading.each(&mut count));
        Preamble { readings, tokens, expansions }
    }

    /// The headers that a unit begins with too.
    pub(crate) fn in_common_with(&self, root: &Inclusion) -> Preamble {
        let mut own = Heads { readings: self.readings.iter().cloned().collect() };
        let mut others = Heads { readings: leading(root).collect() };
        let mut readings = Vec::new();
        while let (Some(one), Some(other)) = (own.readings.front(), others.readings.front()) {
            if Arc::ptr_eq(one, other) {
                readings.extend(own.readings.pop_front());
                others.readings.pop_front();
            } else if size(one) < size(other) {
                others.open_first();
            } else {
                own.open_first();
            }
        }
        let is_whole = readings.len() == self.readings.len()
            && readings.iter().zip(&self.readings).all(|(one, other)| Arc::ptr_eq(one, other));
        if is_whole { self.clone() } else { Preamble::from(readings) }
    }

    /// The readings, in order.
    pub(super) fn readings(&self) -> &[Arc<Inclusion>] {
        &self.readings
    }

    /// The number of their tokens.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// The number of their macro expansions.
    pub(super) fn expansions(&self) -> usize {
        self.expansions
    }
}

/// The readings before the first token of another.
fn leading(one: &Inclusion) -> impl Iterator<Item = Arc<Inclusion>> {
    let first = one.children().take_while(|child| child.after.tokens == 0);
    first.map(|child| Arc::clone(&child.inclusion))
}

/// The number of a reading's tokens, with those of the readings inside it.
fn size(reading: &Inclusion) -> usize {
    let mut tokens = 0;
    reading.each(&mut |one| tokens += one.tokens.len());
    tokens
}

/// Readings in a row from the beginning of a unit.
struct Heads {
    readings: VecDeque<Arc<Inclusion>>,
}

impl Heads {
    /// Puts the readings that the first one begins with in its place. If it has text of its own, nothing follows them.
    fn open_first(&mut self) {
        let Some(first) = self.readings.pop_front() else { return };
        if first.tokens.len() > 0 || !first.expansions.is_empty() {
            self.readings.clear();
        }
        let inside: Vec<Arc<Inclusion>> = leading(&first).collect();
        inside.into_iter().rev().for_each(|reading| self.readings.push_front(reading));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::preprocess::{Preprocessed, preprocess};
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};

    /// How many tokens of their own headers units with these texts have in common, each with the one before it; the flat tokens of each are made
    /// from those of the one before it.
    fn check(headers: &[(&str, &str)], units: &[(&str, usize)]) {
        let (sources, common) = (Sources::new(), std::sync::Arc::default());
        for (path, text) in headers {
            sources.add(Path::new(path), (*text).to_string());
        }
        let path = Path::new("a.cu");
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let unit = TranslationUnit::new(path, passes);
        let read = |text: &str| -> Preprocessed {
            sources.overlay(path, text.to_string());
            preprocess(&unit, &sources, &common)
        };
        let before_all = read("").headers().tokens();
        let mut last: Option<Preprocessed> = None;
        for (text, expected) in units {
            let (fresh, mut resumed) = (read(text), read(text));
            if let Some(flat) = last.take().and_then(|mut last| last.take_flat_tokens()) {
                let shared = flat.headers().in_common_with(&resumed.root);
                assert_eq!(shared.tokens() - before_all, *expected, "{text}");
                resumed.reuse_flat_tokens(flat);
            }
            assert_eq!(resumed.tokens(), fresh.tokens(), "{text}");
            assert_eq!(resumed.expansions(), fresh.expansions(), "{text}");
            last = Some(resumed);
        }
    }

    const TYPES: (&str, &str) = ("types.h", "#pragma once\n#define INT int\nINT a; INT b;\n");

    #[test]
    fn units_that_begin_with_one_header_have_it_in_common() {
        check(&[TYPES], &[("#include \"types.h\"\nint c;", 0), ("#include \"types.h\"\nINT d;", 6)]);
    }

    #[test]
    fn headers_that_begin_with_one_header_have_it_in_common() {
        let one = ("one.h", "#pragma once\n#include \"types.h\"\nINT c;\n");
        let two = ("two.h", "#pragma once\n#include \"types.h\"\nINT d; INT e;\n");
        check(
            &[TYPES, one, two],
            &[
                ("#include \"one.h\"\nINT f;", 0),
                ("#include \"two.h\"\n", 6),
                ("#include \"types.h\"\nINT g;", 6),
            ],
        );
    }

    #[test]
    fn text_before_a_header_ends_what_units_have_in_common() {
        let one = ("one.h", "#pragma once\nint c;\n#include \"types.h\"\n");
        check(&[TYPES, one], &[("#include \"one.h\"\n", 0), ("#include \"types.h\"\n", 0)]);
    }

    #[test]
    fn headers_of_headers_alone_are_looked_into() {
        let more = ("more.h", "#pragma once\nint c;\n");
        let all = ("all.h", "#pragma once\n#include \"types.h\"\n#include \"more.h\"\n");
        let units =
            [("#include \"all.h\"\nint d;", 0), ("#include \"types.h\"\n#include \"more.h\"\nint e;", 9)];
        check(&[TYPES, more, all], &units);
    }
}
