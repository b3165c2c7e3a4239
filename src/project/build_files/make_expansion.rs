//! The variables of a `Makefile` and their expansion (GNU make's manual, "How to Use Variables").
//!
//! In: assignments. Out: values, with [`UNKNOWN`] for what a shell says.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::target::Toolkit;

use super::cmake_condition::UNKNOWN;

/// Variables by name.
pub(super) struct Variables {
    toolkit: Toolkit,
    values: BTreeMap<String, String>,
    /// The variables that others refer to, in any branch.
    used: BTreeSet<String>,
}

/// The references that one expansion follows: variables may double.
const MOST_REFERENCES: usize = 10_000;

/// How deeply variables may refer to each other.
const DEEPEST: usize = 30;

impl Variables {
    /// No variables, in a build with this toolkit.
    pub(super) fn new(toolkit: Toolkit) -> Variables {
        Variables { toolkit, values: BTreeMap::new(), used: BTreeSet::new() }
    }

    pub(super) fn set(&mut self, name: &str, value: String) {
        self.values.insert(name.to_string(), value);
    }

    pub(super) fn set_default(&mut self, name: &str, value: String) {
        self.values.entry(name.to_string()).or_insert(value);
    }

    pub(super) fn lengthen(&mut self, name: &str, value: &str) {
        let all = self.values.entry(name.to_string()).or_default();
        all.push(' ');
        all.push_str(value);
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Notes the variables that the value of `name` refers to, whether it is set or not.
    pub(super) fn note_uses(&mut self, name: &str, value: &str) {
        for part in value.split('$').skip(1) {
            let Some(inner) = part.strip_prefix(['(', '{']) else { continue };
            let end = inner.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inner.len());
            if end > 0 && inner[..end] != *name {
                self.used.insert(inner[..end].to_string());
            }
        }
    }

    /// Whether another variable refers to it.
    pub(super) fn is_used(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// The expanded value of a variable.
    pub(super) fn value(&self, name: &str) -> String {
        self.expanded(&format!("$({name})"))
    }

    /// A text with its references replaced.
    pub(super) fn expanded(&self, text: &str) -> String {
        self.expand(text, &[], &Cell::new(MOST_REFERENCES), 0)
    }

    fn expand(&self, text: &str, locals: &[(&str, &str)], left: &Cell<usize>, depth: usize) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let Some(first) = rest.chars().next() else { break };
            if !matches!(first, '(' | '{') {
                rest = &rest[first.len_utf8()..];
                match first {
                    '$' => out.push('$'),
                    // Automatic variables of recipes name no targets.
                    _ => out.push(' '),
                }
                continue;
            }
            let Some(end) = closing(rest) else {
                out.push(UNKNOWN);
                return out;
            };
            let inner = &rest[1..end];
            rest = &rest[end + 1..];
            if depth > DEEPEST || left.get() == 0 {
                out.push(UNKNOWN);
                continue;
            }
            left.set(left.get() - 1);
            out.push_str(&self.reference(inner, locals, left, depth + 1));
        }
        out.push_str(rest);
        out
    }

    /// The value of what stands in `$( … )`.
    fn reference(&self, inner: &str, locals: &[(&str, &str)], left: &Cell<usize>, depth: usize) -> String {
        let expand = |text: &str| self.expand(text, locals, left, depth);
        if let Some((function, rest)) = inner.split_once([' ', '\t']) {
            let parts = arguments(rest);
            return match (function, parts.as_slice()) {
                ("foreach", [name, list, body]) => {
                    let (name, list) = (name.trim(), expand(list));
                    let one = |word: &str| {
                        let mut locals = locals.to_vec();
                        locals.push((name, word));
                        self.expand(body, &locals, left, depth)
                    };
                    list.split_whitespace().map(one).collect::<Vec<_>>().join(" ")
                }
                ("strip" | "sort", [list]) => expand(list).split_whitespace().collect::<Vec<_>>().join(" "),
                ("subst", [from, to, text]) => expand(text).replace(&expand(from), &expand(to)),
                ("addprefix", [prefix, list]) => {
                    let prefix = expand(prefix);
                    expand(list).split_whitespace().map(|word| format!("{prefix}{word} ")).collect()
                }
                ("shell", _) => of_shell(&expand(rest)).unwrap_or(UNKNOWN.to_string()),
                ("info" | "warning" | "error" | "eval" | "call", _) => String::new(),
                _ => UNKNOWN.to_string(),
            };
        }
        let name = expand(inner);
        if let Some((_, value)) = locals.iter().rev().find(|(local, _)| *local == name) {
            return value.to_string();
        }
        match self.of_release(&name) {
            Some(number) => number,
            None => self.values.get(&name).map_or(String::new(), |value| expand(value)),
        }
    }

    /// The value of a variable with CUDA's release, which a build asks nvcc for.
    fn of_release(&self, name: &str) -> Option<String> {
        let Toolkit { major, minor, .. } = self.toolkit;
        match name.strip_prefix("NVCC_").unwrap_or(name) {
            "CUDA_MAJOR" | "CUDA_VERSION_MAJOR" | "CUDA_MAJOR_VERSION" => Some(major.to_string()),
            "CUDA_MINOR" | "CUDA_VERSION_MINOR" | "CUDA_MINOR_VERSION" => Some(minor.to_string()),
            "CUDA_VERSION" => Some(format!("{major}.{minor}")),
            _ => None,
        }
    }
}

/// The index of the bracket that closes the first character.
fn closing(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(')'),
            '{' => open.push('}'),
            ')' | '}' if open.last() == Some(&c) => {
                open.pop();
                if open.is_empty() {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The arguments of a function, separated by commas outside of brackets.
fn arguments(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            // The body of `foreach` may have commas.
            ',' if depth == 0 && parts.len() < 2 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// The output of a command that only tests numbers: `test "013" -ge 13; echo $?`.
fn of_shell(command: &str) -> Option<String> {
    let (test, echo) = command.split_once(';').or_else(|| command.split_once("&&"))?;
    let quoted = test.replace(['"', '\'', '[', ']', '(', ')', '\\'], " ");
    let mut words = quoted.split_whitespace().filter(|word| *word != "test").peekable();
    words.peek()?;
    let mut answer: Option<bool> = None;
    let mut or = false;
    loop {
        let (left, operator, right) = (words.next()?, words.next()?, words.next()?);
        let (left, right): (i64, i64) = (left.parse().ok()?, right.parse().ok()?);
        let one = match operator {
            "-eq" => left == right,
            "-ne" => left != right,
            "-ge" => left >= right,
            "-gt" => left > right,
            "-le" => left <= right,
            "-lt" => left < right,
            _ => return None,
        };
        answer = Some(match answer {
            None => one,
            Some(before) if or => before || one,
            Some(before) => before && one,
        });
        match words.next() {
            Some("-o") => or = true,
            Some("-a") => or = false,
            Some(_) => return None,
            None => break,
        }
    }
    match echo.trim() {
        "echo $?" => answer.map(|answer| if answer { "0" } else { "1" }.to_string()),
        _ => None,
    }
}
