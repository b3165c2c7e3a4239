//! Conditionals that read an architecture macro: their comparisons, and the passes that enter their groups.

use std::collections::BTreeMap;

use crate::preprocess::{Conditional, Preprocessed};
use crate::source::Span;
use crate::target::PassSet;

use super::dump::Printer;
use crate::facts::model::{ArchComparison, ConditionFact, Operator};

/// The macro that is defined in device passes only.
const ARCH: &str = "__CUDA_ARCH__";

/// The number of the first architecture.
const LEAST: u64 = 100;

/// The prefix of the macros that describe an architecture.
const FAMILY: &str = "__CUDA_ARCH_";

/// The list of all targets' numbers, defined in every pass, by toolkits from 11.5 on.
const LIST: &str = "__CUDA_ARCH_LIST__";

/// Words of a directive on which a condition does not depend.
const NEUTRAL: [&str; 5] = ["defined", "if", "elif", "ifdef", "ifndef"];

/// The groups of the project's conditionals that read an architecture macro, by place. A group in a file that is
/// included several times is one fact, with the passes that enter it at any inclusion.
pub(in crate::facts) fn conditions(pp: &Preprocessed) -> Vec<ConditionFact> {
    let mut found: BTreeMap<Span, ConditionFact> = BTreeMap::new();
    let asks = |conditional: &Conditional| {
        conditional.reads.iter().any(|read| read.name.as_str().starts_with(FAMILY))
    };
    for conditional in pp.conditionals().into_iter().filter(|conditional| asks(conditional)) {
        let mut opening: Option<(Span, String)> = None;
        // Until some condition reads anything but the pass. Groups behind it depend on it too.
        let mut pure = true;
        for group in conditional.groups.iter().map(|id| pp.group(*id)) {
            if pp.system.contains(&group.directive.file) {
                break;
            }
            let text = group.written.text();
            let words = words(&text);
            pure &= words.iter().all(|word| is_about_passes(word));
            let known = found.entry(group.directive).or_insert_with(|| ConditionFact {
                at: group.directive,
                opening: opening.clone(),
                passes: PassSet::EMPTY,
                asked: PassSet::EMPTY,
                numeric: is_numeric(&words),
                comparisons: comparisons(&words),
                macros: words.iter().filter(|word| is_suffix_macro(word)).map(ToString::to_string).collect(),
                pure,
                text: text.clone(),
            });
            known.passes = known.passes.or(group.passes);
            known.asked = known.asked.or(conditional.passes);
            opening.get_or_insert((group.directive, text));
        }
    }
    found.into_values().collect()
}

/// `__CUDA_ARCH_FEAT_SM90_ALL`, `__CUDA_ARCH_SPECIFIC__`, `__CUDA_ARCH_FAMILY_SPECIFIC__`: macros that are only defined
/// for targets with a suffix.
pub(in crate::facts) fn is_suffix_macro(name: &str) -> bool {
    name.starts_with(FAMILY) && !matches!(name, ARCH | LIST)
}

/// Whether a word of a condition depends on nothing but the pass.
fn is_about_passes(word: &str) -> bool {
    let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    !is_name
        || NEUTRAL.contains(&word)
        || word.starts_with(FAMILY) && word != LIST
        || matches!(word, "else" | "elifdef" | "elifndef")
}

/// Whether the value of `__CUDA_ARCH__` is used, not only whether it is defined.
fn is_numeric(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| *word == ARCH && !is_defined(words, at))
}

/// `defined(__CUDA_ARCH__)`, `defined __CUDA_ARCH__`, `#ifdef __CUDA_ARCH__`.
fn is_defined(words: &[&str], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map(|index| words[index]);
    let asks =
        |word: Option<&str>| matches!(word, Some("defined" | "ifdef" | "ifndef" | "elifdef" | "elifndef"));
    asks(before(1)) || before(1) == Some("(") && asks(before(2))
}

/// The comparisons of `__CUDA_ARCH__` with literals in a directive.
pub(in crate::facts) fn comparisons_in(directive: &str) -> Vec<ArchComparison> {
    comparisons(&words(directive))
}

/// Whether a directive asks if `__CUDA_ARCH__` has a value at all: by `defined`, as a truth value, or by comparing it with a
/// number below that of every architecture.
pub(in crate::facts) fn asks_for_zero(directive: &str) -> bool {
    let words = words(directive);
    let named = words.iter().filter(|word| **word == ARCH).count();
    let compared = comparisons(&words);
    compared.len() < named || compared.iter().any(|one| one.value <= LEAST)
}

/// The comparisons of `__CUDA_ARCH__` with a literal on either side.
fn comparisons(words: &[&str]) -> Vec<ArchComparison> {
    let mut found = Vec::new();
    for at in (0..words.len()).filter(|at| words[*at] == ARCH && !is_defined(words, *at)) {
        let mut after = words[at + 1..].iter().skip_while(|word| **word == ")");
        let operator = after.next().and_then(|word| Operator::of_token(word));
        let value = after.next().and_then(|word| literal_value(word));
        // In `800 + x` the literal is not what the macro is compared with.
        let ends = after.next().is_none_or(|word| matches!(*word, ")" | "&&" | "||" | "?" | ":"));
        if let (Some(operator), Some(value), true) = (operator, value, ends) {
            found.push(ArchComparison { operator, value });
            continue;
        }
        let mut before = words[..at].iter().rev().skip_while(|word| **word == "(");
        let operator = before.next().and_then(|word| Operator::of_token(word)).map(Operator::exchanged);
        let value = before.next().and_then(|word| literal_value(word));
        let begins =
            before.next().is_none_or(|word| matches!(*word, "(" | "&&" | "||" | "if" | "elif" | "!"));
        if let (Some(operator), Some(value), true) = (operator, value, begins) {
            found.push(ArchComparison { operator, value });
        }
    }
    found
}

/// The value of a decimal or hexadecimal literal, with or without suffix.
pub(in crate::facts) fn literal_value(word: &str) -> Option<u64> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']).replace('\'', "");
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// Names, numbers and operators of a directive without its `#`; operators of two characters are one word.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start_matches('#').trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let length = match word(first) {
            true => rest.find(|c: char| !word(c)).unwrap_or(rest.len()),
            false
                if ["<=", ">=", "==", "!=", "&&", "||", "<<", ">>"]
                    .iter()
                    .any(|two| rest.starts_with(two)) =>
            {
                2
            }
            false => first.len_utf8(),
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

/// Prints for `dump`. A group of a conditional: the passes that enter it.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &ConditionFact) {
    let lines = vec![(fact.passes, "entered".into()), (fact.asked.minus(fact.passes), "not entered".into())];
    to.paragraph(&format!("condition {}", fact.text), fact.at, lines, None);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let words = words(text);
        let compared: Vec<String> =
            comparisons(&words).iter().map(|one| format!("{} {}", one.operator, one.value)).collect();
        let numeric = if is_numeric(&words) { "numeric" } else { "presence" };
        assert_eq!(format!("{numeric} {}", compared.join(", ")).trim(), expected, "{text}");
    }

    #[test]
    fn comparisons_with_numbers_are_read_from_either_side() {
        check("#if __CUDA_ARCH__ >= 800", "numeric >= 800");
        check("#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 700u)", "numeric < 700");
        check("#elif 900 <= __CUDA_ARCH__ && __CUDA_ARCH__ != 0x3e8", "numeric >= 900, != 1000");
        check("#if (__CUDA_ARCH__) == 890 || X", "numeric == 890");
    }

    #[test]
    fn other_uses_are_no_comparisons_with_a_number() {
        check("#ifdef __CUDA_ARCH__", "presence");
        check("#if !defined __CUDA_ARCH__ && 0", "presence");
        check("#if __CUDA_ARCH__ >= MINIMUM", "numeric");
        check("#if __CUDA_ARCH__ / 100 >= 8", "numeric");
        check("#if __CUDA_ARCH__ >= 80 * 10", "numeric");
        check("#if __CUDA_ARCH__", "numeric");
    }
}
