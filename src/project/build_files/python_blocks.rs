//! Whether a place in a Python text is evaluated, judged by indentation and the conditions around it.
//!
//! Conditions on CUDA's release are decided by the toolkit in force; of the others those that ask whether the build is one
//! for CUDA, on Linux.

use crate::target::Toolkit;

use super::BuildFile;
use super::cmake_condition::numbers;

/// Whether something is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Live {
    /// Once.
    Yes,
    /// Perhaps, or several times.
    Maybe,
    /// Never.
    No,
}

/// Whether what stands at byte `at` is evaluated.
pub(super) fn live(file: &BuildFile<'_>, at: usize) -> Live {
    let text = file.text;
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    if line.contains(" if ") || line.contains(" for ") {
        return Live::Maybe;
    }
    let mut worst = Live::Yes;
    let mut least = indent(line);
    let before: Vec<&str> = text[..start].lines().collect();
    for (number, line) in before.iter().enumerate().rev() {
        if line.trim().is_empty() || indent(line) >= least || line.trim_start().starts_with('#') {
            continue;
        }
        least = indent(line);
        worst = worst.max(of_header(&before[..number], line, file));
        if least == 0 {
            break;
        }
    }
    worst
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether the block of this line runs; `before` are the lines before it.
fn of_header(before: &[&str], line: &str, file: &BuildFile<'_>) -> Live {
    let (word, condition) = parts(line);
    let own = match word {
        "if" => return of_answer(holds(condition, file)),
        "elif" => holds(condition, file),
        "else" => Some(true),
        "for" | "while" | "except" | "match" | "case" => return Live::Maybe,
        _ => return Live::Yes,
    };
    let chain = branches_before(before, indent(line));
    let taken = chain.iter().map(|condition| holds(condition, file));
    let mut open = Live::No;
    for answer in taken {
        match answer {
            Some(true) => return Live::No,
            Some(false) => {}
            None => open = Live::Maybe,
        }
    }
    match open {
        Live::Maybe => of_answer(own).max(Live::Maybe),
        _ => of_answer(own),
    }
}

/// The conditions of the branches before one at this indentation.
fn branches_before<'t>(before: &[&'t str], level: usize) -> Vec<&'t str> {
    let mut conditions = Vec::new();
    for line in before.iter().rev().filter(|line| !line.trim().is_empty()) {
        if indent(line) < level {
            break;
        }
        if indent(line) > level {
            continue;
        }
        match parts(line) {
            ("if", condition) => {
                conditions.push(condition);
                break;
            }
            ("elif", condition) => conditions.push(condition),
            _ if line.trim_start().starts_with('#') => {}
            _ => break,
        }
    }
    conditions
}

/// The first word of a line, and what stands before its colon.
fn parts(line: &str) -> (&str, &str) {
    let line = line.trim();
    let end = line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len());
    let condition = line[end..].trim();
    let condition = condition.rfind(':').map_or(condition, |colon| &condition[..colon]);
    (&line[..end], condition.trim())
}

fn of_answer(answer: Option<bool>) -> Live {
    match answer {
        Some(true) => Live::Yes,
        Some(false) => Live::No,
        None => Live::Maybe,
    }
}

/// Whether a condition holds.
fn holds(condition: &str, file: &BuildFile<'_>) -> Option<bool> {
    let condition = condition.trim();
    let bare = condition.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
    if let Some(inner) = bare.filter(|inner| is_balanced(inner)) {
        return holds(inner, file);
    }
    if let Some((left, right)) = condition.split_once(" or ") {
        return match (holds(left, file), holds(right, file)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
    }
    if let Some((left, right)) = condition.split_once(" and ") {
        return match (holds(left, file), holds(right, file)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
    }
    match condition.strip_prefix("not ") {
        Some(inner) => holds(inner, file).map(|answer| !answer),
        None => one(condition, file),
    }
}

/// Whether no parenthesis in a text belongs to one outside.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    }) && depth == 0
}

/// Whether a condition without `and`, `or` and `not` holds.
fn one(condition: &str, file: &BuildFile<'_>) -> Option<bool> {
    let lower = condition.to_ascii_lowercase();
    if lower.contains("==") && ["darwin", "win32", "windows"].iter().any(|other| lower.contains(other)) {
        return Some(false);
    }
    for operator in [">=", "<=", "==", "!=", ">", "<"] {
        if let Some((left, right)) = lower.split_once(operator) {
            return compared(left, operator, right, file.toolkit);
        }
    }
    if lower.contains("torch_cuda_arch_list") {
        // Nobody has set it, else it would have been taken.
        return (lower.contains("is none") || lower.contains("not in")).then_some(true);
    }
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let answer = match () {
        () if has(&["cuda.is_available()"]) => return Some(file.gpus > 0),
        () if has(&["hip", "rocm", "win32", "darwin", "musa", "skip", "disable", "no_cuda", "cpu_only"]) => {
            false
        }
        () if has(&["cuda", "gpu", "nvcc"]) => true,
        () => return None,
    };
    Some(if lower.ends_with("is none") { !answer } else { answer })
}

/// A comparison of CUDA's release.
fn compared(left: &str, operator: &str, right: &str, toolkit: Toolkit) -> Option<bool> {
    let of_release = |text: &str| {
        let asks = text.contains("version") || text.contains("cuda") || text.contains("bare_metal");
        asks && !text.contains("torch_version") && !text.contains("torch.__version__")
    };
    if !of_release(left)
        || left.contains(['[', '(']) && !left.contains("version.cuda") && !left.contains("int(")
    {
        return None;
    }
    let digits: String = right
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    if right.contains(',') {
        return None;
    }
    let Toolkit { major, minor, .. } = toolkit;
    let own = match () {
        () if left.contains("major") => vec![major],
        () if left.contains("minor") => vec![minor],
        () => numbers(&format!("{major}.{minor}"))?,
    };
    let order = own.cmp(&numbers(&digits)?);
    Some(match operator {
        ">=" => order.is_ge(),
        "<=" => order.is_le(),
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        ">" => order.is_gt(),
        _ => order.is_lt(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::declared::tests::file;
    use super::*;

    fn check(condition: &str, expected: Option<bool>) {
        assert_eq!(holds(condition, &file("")), expected, "{condition}");
    }

    #[test]
    fn releases_are_compared() {
        check("bare_metal_version >= Version(\"12.8\")", Some(true));
        check("(bare_metal_version < Version('11.0'))", Some(false));
        check("int(bare_metal_major) >= 11", Some(true));
        check("CUDA_VERSION >= (12, 8)", None);
        check("TORCH_VERSION >= Version('2.0')", None);
    }

    #[test]
    fn a_build_for_cuda_is_assumed() {
        check("not SKIP_CUDA_BUILD", Some(true));
        check("HIP_BUILD or sys.platform == 'win32'", Some(false));
        check("CUDA_HOME is None", Some(false));
        check("sys.platform == 'darwin'", Some(false));
        check("os.environ.get('TORCH_CUDA_ARCH_LIST') is None and CUDA_HOME is not None", Some(true));
        check("not torch.cuda.is_available()", Some(true));
        check("big", None);
    }

    #[test]
    fn blocks_are_told_by_indentation() {
        let at = |text: &str| live(&file(text), text.find('@').expect("a place"));
        assert_eq!(at("def f():\n    @"), Live::Yes);
        assert_eq!(at("if big:\n    @"), Live::Maybe);
        assert_eq!(at("if IS_ROCM:\n    x\nelse:\n    @"), Live::Yes);
        assert_eq!(at("if USE_CUDA:\n    x\nelif y:\n    @"), Live::No);
        assert_eq!(at("for a in b:\n    @"), Live::Maybe);
        assert_eq!(at("if big:\n    x\n@"), Live::Yes);
    }
}
