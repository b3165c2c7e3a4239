//! With how many arguments functions are called, and can be, as tokens tell.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};

/// A range of numbers of arguments; the whole range where tokens do not tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::facts) struct Arity {
    least: u8,
    /// [`u8::MAX`] for any number.
    most: u8,
}

impl Arity {
    /// Any number of arguments.
    pub(in crate::facts) const ANY: Arity = Arity { least: 0, most: u8::MAX };
    /// No number yet: what others are added to.
    pub(in crate::facts) const NONE: Arity = Arity { least: u8::MAX, most: 0 };

    /// The numbers in either range, and those between.
    pub(in crate::facts) fn or(self, other: Arity) -> Arity {
        Arity { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// Whether some number is in both.
    pub(in crate::facts) fn meets(self, other: Arity) -> bool {
        self.least <= other.most && other.least <= self.most
    }

    /// The same, down to no argument: other declarations may have default arguments.
    pub(in crate::facts) fn at_most(self) -> Arity {
        Arity { least: 0, ..self }
    }

    /// That of a call with arguments in the parentheses that token `open` opens.
    pub(super) fn of_call(tokens: &[PpToken], open: usize) -> Arity {
        let Some(List { all, outermost, is_variadic, .. }) = List::of(tokens, open, tokens.len()) else {
            return Arity::ANY;
        };
        match is_variadic {
            true => Arity::ANY,
            false => Arity { least: number(outermost), most: number(all) },
        }
    }

    /// That of a function with this name and head.
    pub(super) fn of_function(tokens: &[PpToken], name: Symbol, head: Range<usize>) -> Arity {
        let is_name = |at: &usize| tokens[*at].text == name && tokens[at + 1].text == sym::LPAREN;
        let places = || (head.start..head.end.saturating_sub(1)).filter(is_name);
        let (Some(place), 1) = (places().next(), places().count()) else { return Arity::ANY };
        match List::of(tokens, place + 1, head.end) {
            Some(List { all, required, is_variadic, .. }) => {
                let most = if is_variadic { u8::MAX } else { number(all) };
                Arity { least: number(required), most }
            }
            None => Arity::ANY,
        }
    }
}

fn number(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// What the commas of a list in parentheses divide.
struct List {
    /// Its elements, if every comma outside of further brackets divides some.
    all: usize,
    /// If those between `<` and `>` do not.
    outermost: usize,
    /// The same, before the first that has a default argument, and without packs.
    required: usize,
    /// There is a `...`, or a `this` that is no argument.
    is_variadic: bool,
}

impl List {
    /// The list that token `open` opens; `None` if it does not end before `end` in each pass that has its beginning.
    fn of(tokens: &[PpToken], open: usize, end: usize) -> Option<List> {
        let passes = tokens[open].passes;
        let (mut depth, mut angles) = (0_i32, 0_i32);
        let mut list = List { all: 0, outermost: 0, required: 0, is_variadic: false };
        let (mut has_default, mut is_pack, mut is_empty) = (false, false, true);
        for (at, token) in tokens.iter().enumerate().take(end).skip(open) {
            if token.passes != passes {
                return None;
            }
            if at > open {
                is_empty &= token.text == sym::RPAREN || token.text.as_str() == "void";
            }
            match token.text {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
                sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
                sym::LESS if depth == 1 && !has_default => angles += 1,
                sym::GREATER if depth == 1 => angles = (angles - 1).max(0),
                sym::SHR if depth == 1 => angles = (angles - 2).max(0),
                sym::ASSIGN if depth == 1 && angles == 0 => has_default = true,
                sym::ELLIPSIS if depth == 1 => (is_pack, list.is_variadic) = (true, true),
                _ => {}
            }
            list.is_variadic |= at == open + 1 && token.text.as_str() == "this";
            let ends = depth == 0 || depth == 1 && token.text == sym::COMMA;
            if ends && !is_empty {
                list.all += 1;
                if angles == 0 || depth == 0 {
                    list.outermost += 1;
                    list.required += usize::from(!has_default && !is_pack);
                    is_pack = false;
                }
            }
            if depth == 0 {
                return Some(list);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};

    use super::*;

    /// The tokens of a text.
    fn with_tokens<T>(text: &str, look: impl Fn(&[PpToken]) -> T) -> T {
        let sources = Sources::new();
        sources.add(Path::new("a.cu"), text.into());
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let unit = TranslationUnit::new(Path::new("a.cu"), passes);
        let preprocessed = preprocess(&unit, &sources, &Arc::default());
        let first = preprocessed.tokens().iter().position(|token| token.at.file == preprocessed.files[0]);
        look(&preprocessed.tokens()[first.unwrap()..])
    }

    fn called(arguments: &str) -> (u8, u8) {
        let Arity { least, most } = with_tokens(arguments, |tokens| Arity::of_call(tokens, 0));
        (least, most)
    }

    fn declared(head: &str) -> (u8, u8) {
        let Arity { least, most } =
            with_tokens(head, |tokens| Arity::of_function(tokens, Symbol::intern("f"), 0..tokens.len()));
        (least, most)
    }

    #[test]
    fn calls_have_as_many_arguments_as_their_commas_may_divide() {
        assert_eq!(called("()"), (0, 0));
        assert_eq!(called("(a, g(b, c), {d, e}, [=](int x, int y) { return x, y; })"), (4, 4));
        assert_eq!(called("(a < b, c > d)"), (1, 2));
        assert_eq!(called("(pair<int, int>(1, 2), 3)"), (2, 3));
        assert_eq!(called("(a < b, c)"), (1, 2));
        assert_eq!(called("(all...)"), (0, 255));
        assert_eq!(called("(a, b"), (0, 255));
    }

    #[test]
    fn functions_take_as_many_as_they_have_parameters_without_those_that_have_defaults() {
        assert_eq!(declared("void f()"), (0, 0));
        assert_eq!(declared("void f(void)"), (0, 0));
        assert_eq!(declared("void f(void *p, int n = 3, int m = 4) const"), (1, 3));
        assert_eq!(
            declared("template <class T, class U> void f(map<T, U> const &all, T (*g)(U, U))"),
            (2, 3)
        );
        assert_eq!(declared("template <class ...T> void f(int n, T ...rest)"), (1, 255));
        assert_eq!(declared("int f(const char *, ...)"), (1, 255));
        assert_eq!(declared("auto f(int n) -> decltype(f(n))"), (0, 255));
        assert_eq!(declared("void g(int n)"), (0, 255));
        assert_eq!(declared("void f(int a = b < c, int d = e > g)"), (0, 2));
    }
}
