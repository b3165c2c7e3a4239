//! Bounds on the virtual package `__cuda_arch` (CEP 46) in conda recipes, in the syntax of match specifications.

use super::{TargetError, nearest};
use crate::target::arch::{Arch, Suffix};
use crate::target::foreign::Gfx;

/// A recipe's bound on the GPU's compute capability.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct ArchBound {
    /// The line it stands on, from 1.
    pub line: usize,
    /// The constraint as written, `>=8.0,<10`.
    pub text: String,
    /// Alternatives of conjunctions: `,` binds tighter than `|`.
    alternatives: Vec<Vec<Constraint>>,
}

/// The virtual package's name.
const PACKAGE: &str = "__cuda_arch";

#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
enum Operator {
    AtLeast,
    Above,
    AtMost,
    Below,
    Equal,
    Unequal,
    /// `~=8.6`: at least that version, and equal in all components but the last.
    Compatible,
    /// `8.*`, `=8`: equal in the given components.
    Begins,
}

/// An operator and a version's components; components that are left out are 0.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
struct Constraint {
    operator: Operator,
    version: Vec<u16>,
}

impl ArchBound {
    /// Whether a GPU of this compute capability (ten times major plus minor) satisfies the bound.
    pub fn allows(&self, number: u16) -> bool {
        let device = [number / 10, number % 10];
        let holds = |constraint: &Constraint| {
            let version: Vec<u16> = constraint.version.iter().copied().chain([0, 0]).take(2).collect();
            let order = device.as_slice().cmp(&version);
            match constraint.operator {
                Operator::AtLeast => order.is_ge(),
                Operator::Above => order.is_gt(),
                Operator::AtMost => order.is_le(),
                Operator::Below => order.is_lt(),
                Operator::Equal => order.is_eq(),
                Operator::Unequal => order.is_ne(),
                Operator::Compatible => {
                    let before = constraint.version.len().saturating_sub(1).min(2);
                    order.is_ge() && device.starts_with(&constraint.version[..before])
                }
                Operator::Begins => {
                    device.starts_with(&constraint.version[..constraint.version.len().min(2)])
                }
            }
        };
        self.alternatives.iter().any(|all| all.iter().all(holds))
    }
}

/// The bounds on `__cuda_arch` in a recipe (`meta.yaml`, `recipe.yaml`), in order, from lists of requirements and
/// from `${{ … }}` strings; and the constraints that can't be parsed, with their lines.
pub fn read_conda(recipe: &str) -> (Vec<ArchBound>, Vec<(usize, String)>) {
    let (mut bounds, mut unread) = (Vec::new(), Vec::new());
    for (index, line) in recipe.lines().enumerate() {
        let line_text = line.split(" #").next().unwrap_or(line);
        let Some((before, after)) = line_text.split_once(PACKAGE) else { continue };
        let comment = before.trim_start().starts_with('#');
        let part_of_a_name = after.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
        if comment || part_of_a_name {
            continue;
        }
        let text = after.split(['"', '\'', '}', ']']).next().unwrap_or_default().trim();
        match alternatives(text) {
            Some(alternatives) => {
                bounds.push(ArchBound { line: index + 1, text: text.to_string(), alternatives })
            }
            None => unread.push((index + 1, text.to_string())),
        }
    }
    (bounds, unread)
}

/// Parses `>=8.0,<9|12.*`. A build string after a blank is ignored: it is always 0.
fn alternatives(text: &str) -> Option<Vec<Vec<Constraint>>> {
    let spaceless = text.replace(", ", ",").replace("= ", "=").replace("> ", ">").replace("< ", "<");
    let version = spaceless.split_whitespace().next().unwrap_or("*");
    version.split('|').map(|all| all.split(',').map(constraint).collect()).collect()
}

/// The operators before a version (conda's documentation of `VersionSpec`); the first that fits is taken.
const OPERATORS: [(&str, Operator); 8] = [
    (">=", Operator::AtLeast),
    ("<=", Operator::AtMost),
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("~=", Operator::Compatible),
    (">", Operator::Above),
    ("<", Operator::Below),
    ("=", Operator::Begins),
];

/// The error for a constraint that can't be parsed, with its invalid part and the nearest valid constraint.
pub fn unread_bound(text: &str) -> TargetError {
    let part = text.split(['|', ',']).map(str::trim).find(|part| constraint(part).is_none()).unwrap_or(text);
    let message = format!("`{part}` in `__cuda_arch {text}` is not a version constraint");
    let signs: String = part.chars().take_while(|c| "<>=!~".contains(*c)).collect();
    // `=>` and `=<` are misspellings of `>=` and `<=`.
    let operator = match signs.as_str() {
        "=>" => ">=",
        "=<" => "<=",
        _ => OPERATORS
            .iter()
            .map(|(spelled, _)| *spelled)
            .find(|spelled| signs.starts_with(spelled))
            .unwrap_or(">="),
    };
    let version = &part[signs.len()..];
    let known: Vec<Arch> = Arch::known().filter(|arch| arch.suffix == Suffix::None).collect();
    let near = nearest::nearest(version, &known, &[], Arch::capability)
        .filter(|_| !version.starts_with(Gfx::PREFIX));
    let example = near.unwrap_or_else(|| "8.0".to_string());
    TargetError::new(
        message,
        format!("the nearest is `{operator}{example}`; the package's version has no letters"),
    )
}

fn constraint(text: &str) -> Option<Constraint> {
    let operator = OPERATORS.into_iter().find(|(spelled, _)| text.starts_with(spelled));
    let (spelled, mut operator) = operator.unwrap_or(("", Operator::Equal));
    let mut version = &text[spelled.len()..];
    if version == "*" {
        return Some(Constraint { operator: Operator::Begins, version: Vec::new() });
    }
    if let Some(prefix) = version.strip_suffix(".*").or_else(|| version.strip_suffix('*')) {
        version = prefix;
        // `>=8.*` means `>=8`.
        if matches!(operator, Operator::Equal) {
            operator = Operator::Begins;
        }
    }
    // `<9.0a0` also excludes pre-releases of 9.0, which compute capabilities do not have.
    let version = version.strip_suffix("a0").unwrap_or(version);
    let version: Option<Vec<u16>> = version.split('.').map(|part| part.parse().ok()).collect();
    Some(Constraint { operator, version: version? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The architectures from sm_75 to sm_120 that a line of a recipe allows.
    fn check(line: &str, expected: &str) {
        let (bounds, unread) = read_conda(&format!("requirements:\n  run:\n    - {line}\n"));
        assert_eq!((bounds.len(), unread.len()), (1, 0), "{line}");
        assert_eq!(bounds[0].line, 3);
        let allowed = [75, 80, 86, 90, 100, 120].into_iter().filter(|number| bounds[0].allows(*number));
        let allowed: Vec<String> = allowed.map(|number| number.to_string()).collect();
        assert_eq!(allowed.join(" "), expected, "{line}");
    }

    #[test]
    fn match_specifications_are_read_as_conda_reads_them() {
        check("__cuda_arch >=8.0", "80 86 90 100 120");
        check("__cuda_arch >=8.0,<10.0", "80 86 90");
        check("__cuda_arch >=8.0, <9.0a0", "80 86");
        check("__cuda_arch 8.*", "80 86");
        check("__cuda_arch =8", "80 86");
        check("__cuda_arch 8.0", "80");
        check("__cuda_arch ==9.0", "90");
        check("__cuda_arch 8.6|>=10", "86 100 120");
        check("__cuda_arch !=8.6,>8", "90 100 120");
        check("__cuda_arch ~=8.0", "80 86");
        check("__cuda_arch ~=8.6", "86");
        check("__cuda_arch", "75 80 86 90 100 120");
        check("__cuda_arch >=9 0", "90 100 120");
        check("\"__cuda_arch >=9.0\"", "90 100 120");
        check("${{ '__cuda_arch >=12' if cuda }}", "120");
        check("__cuda_arch <=8.0  # the driver's", "75 80");
    }

    #[test]
    fn a_constraint_that_is_none_is_said() {
        let (bounds, unread) =
            read_conda("- __cuda_arch >=sm_80\n# __cuda_arch >=9\n- __cuda_arch_max 8\n- __cuda >=12\n");
        assert!(bounds.is_empty());
        assert_eq!(unread, [(1, ">=sm_80".to_string())]);
    }

    #[test]
    fn a_constraint_that_is_none_is_refused_with_the_nearest() {
        for (text, part, near) in [
            (">=sm_80", ">=sm_80", ">=8.0"),
            (">=9.0a", ">=9.0a", ">=9.0"),
            (">=8.0,<sm_90", "<sm_90", "<9.0"),
            ("=>8.0", "=>8.0", ">=8.0"),
            ("8.6|~9.0f", "~9.0f", ">=9.0"),
            ("ampere", "ampere", ">=8.0"),
        ] {
            let (_, unread) = read_conda(&format!("- __cuda_arch {text}\n"));
            assert_eq!(unread, [(1, text.to_string())]);
            let error = unread_bound(text);
            assert_eq!(
                error.message,
                format!("`{part}` in `__cuda_arch {text}` is not a version constraint")
            );
            assert!(error.help.starts_with(&format!("the nearest is `{near}`;")), "{text}: {}", error.help);
        }
    }
}
