//! `constant-arch-comparison`: a comparison of `__CUDA_ARCH__` that all architectures answer alike.

use crate::facts::ArchComparison;
use crate::finding::{Finding, Level};
use crate::source::Span;
use crate::target::{Arch, Fault, Suffix};

use super::evidence::of_fault;
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/constant-arch-comparison.md"), check: Check::Unit(check) };

const ID: &str = "constant-arch-comparison";

/// The numbers of Tesla's architectures, which no toolkit since 7.0 has and old code still asks for.
const OLDEST: [u64; 4] = [100, 110, 120, 130];

/// Beyond any number that the next generations will have.
const BEYOND: u64 = 3000;

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let conditions = unit.facts.conditions.iter();
    let conditions =
        conditions.flat_map(|one| one.comparisons.iter().map(|comparison| (one.at, *comparison)));
    let numbers = unit.facts.numbers.iter().filter_map(|one| Some((one.at, one.comparison?)));
    conditions.chain(numbers).filter_map(|(at, comparison)| of_comparison(unit, at, comparison)).collect()
}

fn of_comparison(unit: &Unit<'_>, at: Span, comparison: ArchComparison) -> Option<Finding> {
    let answer = constant(comparison)?;
    let ArchComparison { operator, value } = comparison;
    let says = if answer { "holds on every GPU" } else { "holds on no GPU" };
    let fault = Fault {
        about: format!("__CUDA_ARCH__ {operator} {value}"),
        message: format!("`__CUDA_ARCH__ {operator} {value}` {says}{}", meant(value)),
        help: "the macro is ten times major and minor compute capability together: 890 on 8.9".into(),
    };
    Some(of_fault(ID, Level::Warning, &unit.passes, at, "every architecture answers alike", fault))
}

/// The result of a comparison if it is the same for every architecture, old ones and future ones included. `> 0` and
/// `>= 100` test whether the macro is defined, so they are no such comparison.
fn constant(comparison: ArchComparison) -> Option<bool> {
    let ArchComparison { operator, value } = comparison;
    if value <= 1 || value == OLDEST[0] {
        return None;
    }
    let holds = |number: u64| operator.holds(number, value);
    let known: Vec<u64> = Arch::known()
        .filter(|arch| arch.suffix == Suffix::None)
        .map(|arch| u64::from(arch.cuda_arch()))
        .collect();
    let newest = known.iter().copied().max().unwrap_or_default();
    let coming = (newest + 10..BEYOND).step_by(10);
    let mut answers = OLDEST.into_iter().chain(known.iter().copied()).chain(coming).map(holds);
    let first = answers.next()?;
    answers.all(|answer| answer == first).then_some(first)
}

/// The number that was most likely meant: with one zero more or less.
fn meant(value: u64) -> String {
    let known = |number: u64| {
        let mut archs = Arch::known();
        archs.find(|arch| arch.suffix == Suffix::None && u64::from(arch.cuda_arch()) == number)
    };
    let near = [value * 10, value / 10].into_iter().find_map(known);
    near.map_or(String::new(), |arch| format!(": on {} it is {}", arch.sm_name(), arch.cuda_arch()))
}

#[cfg(test)]
mod tests {
    use crate::facts::Operator;

    use super::*;

    fn check(operator: &str, value: u64, expected: Option<bool>) {
        let operator = Operator::of_token(operator).expect("an operator that compares");
        assert_eq!(constant(ArchComparison { operator, value }), expected, "{operator} {value}");
    }

    #[test]
    fn a_zero_less_or_more_makes_a_constant() {
        check(">=", 75, Some(true));
        check("<", 80, Some(false));
        check("==", 90, Some(false));
        check("!=", 86, Some(true));
        check(">=", 8000, Some(false));
        check("<", 9000, Some(true));
    }

    #[test]
    fn numbers_that_no_architecture_has_are_equal_to_none() {
        check("==", 810, Some(false));
        check("==", 805, Some(false));
        check("==", 860, None);
        check("==", 210, None);
    }

    #[test]
    fn ranges_that_old_or_coming_architectures_tell_apart_are_none() {
        for value in [110, 130, 200, 810, 899, 1210, 1211, 1300, 2000] {
            check(">=", value, None);
            check("<", value, None);
        }
    }

    #[test]
    fn asking_whether_there_is_a_number_is_no_comparison() {
        check(">", 0, None);
        check(">=", 1, None);
        check(">=", 100, None);
    }
}
