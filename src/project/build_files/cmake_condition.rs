//! Conditions of CMake's `if`, as far as they can be decided: by CUDA's release, by variables of the same file, and by what
//! a build for CUDA on Linux is.
//!
//! In: the words of a condition and the variables. Out: whether it holds; `None` if that only a run would tell.

use std::collections::BTreeMap;

use regex::RegexBuilder;

use crate::target::Toolkit;

/// A part of a value that is not known.
pub(super) const UNKNOWN: char = '\u{1}';

/// The variables of a file, with [`UNKNOWN`] where their values are not known.
pub(super) struct Variables {
    pub(super) toolkit: Toolkit,
    pub(super) values: BTreeMap<String, String>,
}

/// Variables with the release of CUDA.
const RELEASES: [&str; 6] = [
    "CMAKE_CUDA_COMPILER_VERSION",
    "CUDAToolkit_VERSION",
    "CUDA_VERSION",
    "CUDA_VERSION_STRING",
    "CUDA_COMPILER_VERSION",
    "CUDATOOLKIT_VERSION",
];

/// What CMake says of itself and of the machine: a release that knows all that files ask for, on Linux on x86-64.
const OF_THE_BUILD: [(&str, &str); 6] = [
    ("CMAKE_VERSION", "4.0"),
    ("CMAKE_SYSTEM_NAME", "Linux"),
    ("CMAKE_HOST_SYSTEM_NAME", "Linux"),
    ("CMAKE_SYSTEM_PROCESSOR", "x86_64"),
    ("CMAKE_HOST_SYSTEM_PROCESSOR", "x86_64"),
    ("CMAKE_SIZEOF_VOID_P", "8"),
];

/// The bytes of the largest automaton that an expression of a file may have.
const LARGEST_EXPRESSION: usize = 1 << 16;

impl Variables {
    /// The value of a variable, if it is one.
    fn value(&self, name: &str) -> Option<String> {
        let Toolkit { major, minor, .. } = self.toolkit;
        if RELEASES.contains(&name) {
            return Some(format!("{major}.{minor}"));
        }
        let of_release = |end: &str| name.strip_suffix(end).is_some_and(|name| RELEASES.contains(&name));
        if of_release("_MAJOR") {
            return Some(major.to_string());
        }
        if of_release("_MINOR") {
            return Some(minor.to_string());
        }
        let of_the_build = || OF_THE_BUILD.iter().find(|(own, _)| *own == name);
        self.values.get(name).cloned().or_else(|| of_the_build().map(|(_, value)| value.to_string()))
    }

    /// A text with its references to variables replaced; those to others are [`UNKNOWN`].
    pub(super) fn expanded(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            out.push_str(&rest[..at]);
            let Some(end) = rest[at..].find('}') else {
                out.push(UNKNOWN);
                return out;
            };
            let name = &rest[at + 2..at + end];
            match self.value(name) {
                // Values that double are of no use to anybody.
                Some(value) if out.len() + value.len() < LONGEST => out.push_str(&value),
                _ => out.push(UNKNOWN),
            }
            rest = &rest[at + end + 1..];
        }
        out.push_str(rest);
        // What the environment says comes before what a file does, or is not there.
        if out.contains(OF_ENVIRONMENT) && std::env::var_os("CUDAARCHS").is_none() {
            out = out.replace(OF_ENVIRONMENT, "");
        }
        if out.contains("$ENV{") || out.contains('@') { UNKNOWN.to_string() } else { out }
    }

    /// The value of an operand, which may be a variable's name.
    fn operand(&self, word: &str) -> Option<String> {
        let text = self.expanded(word);
        let value = self.value(&text).unwrap_or(text);
        (!value.contains(UNKNOWN)).then_some(value)
    }

    /// Whether a condition holds.
    pub(super) fn holds(&self, words: &[&str]) -> Option<bool> {
        let mut reader = Reader { variables: self, words, at: 0 };
        let answer = reader.any();
        if reader.at == words.len() { answer } else { None }
    }

    /// The truth of a word that stands alone.
    fn is_true(&self, word: &str) -> Option<bool> {
        let inner = word.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        let text = match inner.filter(|name| self.value(name).is_none()) {
            Some(name) => name.to_string(),
            None => self.expanded(word),
        };
        let upper = text.to_ascii_uppercase();
        let is_false = |upper: &str| {
            matches!(upper, "" | "0" | "OFF" | "NO" | "FALSE" | "N" | "IGNORE" | "NOTFOUND")
                || upper.ends_with("-NOTFOUND")
        };
        if matches!(upper.as_str(), "1" | "ON" | "YES" | "TRUE" | "Y") {
            return Some(true);
        }
        if is_false(&upper) {
            return Some(false);
        }
        if let Some(value) = self.value(&text) {
            return (!value.contains(UNKNOWN)).then(|| !is_false(&value.to_ascii_uppercase()));
        }
        match upper.as_str() {
            "UNIX" | "LINUX" => Some(true),
            "WIN32" | "MSVC" | "APPLE" | "ANDROID" | "IOS" | "MINGW" | "CYGWIN" => Some(false),
            _ if names_a_list(&upper) => Some(false),
            _ if upper.contains("ARCH") => None,
            // What is compiled here is compiled for CUDA.
            _ if ["HIP", "ROCM", "AMD", "SYCL", "MUSA", "METAL"]
                .iter()
                .any(|other| upper.contains(other)) =>
            {
                Some(false)
            }
            _ if ["NO_", "DISABLE", "SKIP", "WITHOUT"].iter().any(|word| upper.contains(word)) => None,
            _ if is_about_cuda(&upper) => Some(true),
            _ => None,
        }
    }
}

/// Whether a variable's name, in upper case, is one that switches CUDA on.
pub(super) fn is_about_cuda(upper: &str) -> bool {
    let other = ["NO_", "DISABLE", "SKIP", "WITHOUT", "ARCH", "STATIC", "DEBUG"];
    ["CUDA", "GPU", "NVCC", "NVIDIA"].iter().any(|name| upper.contains(name))
        && !other.iter().any(|word| upper.contains(word))
}

/// Whether a variable is called as those are that a project keeps its list of architectures in. Until the file sets it, it is
/// the user's to set.
pub(super) fn names_a_list(name: &str) -> bool {
    ["CUDA_ARCHITECTURES", "CUDA_ARCHS", "CUDA_ARCH_LIST"].iter().any(|end| name.ends_with(end))
}

/// The variable of the environment that the variable of CMake's is initialized with.
const OF_ENVIRONMENT: &str = "$ENV{CUDAARCHS}";

/// The length at which values are not known any more.
const LONGEST: usize = 1 << 16;

/// A condition being read.
struct Reader<'a> {
    variables: &'a Variables,
    words: &'a [&'a str],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|next| next.eq_ignore_ascii_case(word));
        self.at += usize::from(found);
        found
    }

    /// `a OR b`.
    fn any(&mut self) -> Option<bool> {
        let mut answer = self.all();
        while self.take("OR") {
            let other = self.all();
            answer = match (answer, other) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
        }
        answer
    }

    /// `a AND b`.
    fn all(&mut self) -> Option<bool> {
        let mut answer = self.one();
        while self.take("AND") {
            let other = self.one();
            answer = match (answer, other) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        answer
    }

    fn one(&mut self) -> Option<bool> {
        let mut negated = false;
        while self.take("NOT") {
            negated = !negated;
        }
        let answer = self.plain();
        answer.map(|answer| answer != negated)
    }

    fn plain(&mut self) -> Option<bool> {
        if self.take("(") {
            // Each pair of parentheses is one level of recursion.
            let answer = if self.words.len() < MOST_WORDS { self.any() } else { None };
            self.take(")");
            return answer;
        }
        let first = *self.words.get(self.at)?;
        self.at += 1;
        if matches!(first, "DEFINED" | "EXISTS" | "TARGET" | "COMMAND" | "POLICY" | "IS_DIRECTORY" | "TEST") {
            let name = *self.words.get(self.at)?;
            self.at += 1;
            return match first {
                "DEFINED" if name.starts_with("ENV{") => Some(false),
                "DEFINED" if self.variables.value(name).is_some() => Some(true),
                "DEFINED" if names_a_list(name) => Some(false),
                _ => None,
            };
        }
        let Some(operator) = self.words.get(self.at).copied().filter(|word| is_operator(word)) else {
            return self.variables.is_true(first);
        };
        let second = self.words.get(self.at + 1).copied();
        self.at = (self.at + 2).min(self.words.len());
        let left = self.variables.operand(first)?;
        // A name that is left as it is may be that of a variable which is set elsewhere.
        if operator == "MATCHES" && left == first {
            return None;
        }
        compared(&left, operator, &self.variables.operand(second?)?)
    }
}

/// The words of the longest condition that is decided.
const MOST_WORDS: usize = 200;

fn is_operator(word: &str) -> bool {
    let plain = word.strip_prefix("VERSION_").unwrap_or(word);
    matches!(
        plain,
        "LESS" | "GREATER" | "EQUAL" | "LESS_EQUAL" | "GREATER_EQUAL" | "STREQUAL" | "MATCHES" | "IN_LIST"
    )
}

fn compared(left: &str, operator: &str, right: &str) -> Option<bool> {
    let order = match operator {
        "STREQUAL" => return Some(left == right),
        "MATCHES" => {
            let expression = RegexBuilder::new(right).size_limit(LARGEST_EXPRESSION).build().ok()?;
            return Some(expression.is_match(left));
        }
        "IN_LIST" => return None,
        _ => numbers(left)?.cmp(&numbers(right)?),
    };
    Some(match operator.strip_prefix("VERSION_").unwrap_or(operator) {
        "LESS" => order.is_lt(),
        "GREATER" => order.is_gt(),
        "LESS_EQUAL" => order.is_le(),
        "GREATER_EQUAL" => order.is_ge(),
        _ => order.is_eq(),
    })
}

/// The parts of a version, without zeros at its end: 12.0 equals 12.
pub(super) fn numbers(text: &str) -> Option<Vec<u32>> {
    let mut parts: Vec<u32> = text.trim().split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    while parts.last() == Some(&0) {
        parts.pop();
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(condition: &str, expected: Option<bool>) {
        let values = BTreeMap::from([("ON_HERE".into(), "ON".into()), ("V".into(), "12.8".into())]);
        let variables = Variables { toolkit: Toolkit::default(), values };
        let words: Vec<&str> = condition.split(' ').collect();
        assert_eq!(variables.holds(&words), expected, "{condition}");
    }

    #[test]
    fn releases_are_compared() {
        check("CUDA_VERSION VERSION_GREATER_EQUAL 12.8", Some(true));
        check("CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.0", Some(false));
        check("${CUDAToolkit_VERSION_MAJOR} EQUAL 13", Some(true));
        check("V VERSION_GREATER 12.8 OR V VERSION_EQUAL 12.8.0", Some(true));
        check("NOT ( CUDA_VERSION VERSION_LESS 11 AND ON_HERE )", Some(true));
    }

    #[test]
    fn a_build_for_cuda_on_linux_is_assumed() {
        check("USE_CUDA AND NOT WIN32", Some(true));
        check("CMAKE_SYSTEM_PROCESSOR MATCHES ^(x86_64|AMD64)$ AND CMAKE_SIZEOF_VOID_P EQUAL 8", Some(true));
        check("${CMAKE_SYSTEM_PROCESSOR} MATCHES ^arm* OR CMAKE_SYSTEM_NAME STREQUAL Windows", Some(false));
        check("USE_ROCM", Some(false));
        check("NOT DEFINED CMAKE_CUDA_ARCHITECTURES", Some(true));
        check("DEFINED ENV{CUDAARCHS}", Some(false));
        check("DEFINED MY_CUDA_ARCHS OR MY_CUDA_ARCHITECTURES", Some(false));
    }

    #[test]
    fn what_only_a_run_would_tell_is_not_known() {
        check("SOMETHING", None);
        check("NOT DEFINED SOMETHING", None);
        check("CUDA_ARCH_OF_THIS", None);
        check("SOMETHING AND WIN32", Some(false));
        check("SOMETHING OR UNIX", Some(true));
        check("CMAKE_CUDA_FLAGS MATCHES x", None);
        check("V MATCHES [", None);
        check("A STREQUAL ${B}", None);
        check("( ( A", None);
    }
}
