//! Targets in a `Makefile`: nvcc's options in its variables and recipes, included files among them.
//!
//! Variables are expanded as make does; what a shell says is not known, except CUDA's release, which is that of the toolkit
//! in force. What is set behind a condition that can't be decided is not known afterwards.

use std::path::Path;

use crate::source::read_utf8;

use super::cmake_condition::UNKNOWN;
use super::make_expansion::Variables;
use super::{BuildFile, DeclaredTargets, Notation, nvcc_options};

/// The targets that the file names.
pub(super) fn read(file: &BuildFile<'_>) -> DeclaredTargets {
    let mut walk = Walk { variables: Variables::new(file.toolkit), blocks: Vec::new(), recipes: Vec::new() };
    walk.file(file.text, file.directory, 0);
    walk.declared(file.text)
}

/// How deeply files include each other.
const MOST_INCLUDES: usize = 4;

/// Whether lines count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Live {
    Yes,
    Maybe,
    No,
}

/// A conditional.
struct Block {
    live: Live,
    /// Whether some branch was taken.
    taken: Live,
}

struct Walk {
    variables: Variables,
    blocks: Vec<Block>,
    /// Lines of recipes that name targets, before expansion.
    recipes: Vec<String>,
}

impl Walk {
    fn file(&mut self, text: &str, directory: &Path, depth: usize) {
        let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
        for line in text.lines() {
            if self.conditional(line.trim()) {
                continue;
            }
            let live = self.live();
            if let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with('\t')) {
                self.variables.note_uses(name.trim_end_matches([':', '?', '+', '!', ' ']).trim(), value);
            }
            if live == Live::No {
                continue;
            }
            if let Some(recipe) = line.strip_prefix('\t').filter(|line| !line.contains(":=")) {
                if live == Live::Yes
                    && recipe.contains("nvcc") | recipe.contains("NVCC") | names_targets(recipe)
                {
                    self.recipes.push(recipe.to_string());
                }
                continue;
            }
            let line = line.split('#').next().unwrap_or_default().trim();
            if let Some(path) = line.strip_prefix("include ").or_else(|| line.strip_prefix("-include ")) {
                let path = directory.join(self.variables.expanded(path.trim()));
                if depth < MOST_INCLUDES
                    && path.is_file()
                    && let Ok(text) = read_utf8(&path)
                {
                    self.file(&text, path.parent().unwrap_or(directory), depth + 1);
                }
                continue;
            }
            self.assignment(line, live);
        }
    }

    fn live(&self) -> Live {
        self.blocks.iter().map(|block| block.live).max().unwrap_or(Live::Yes)
    }

    /// Carries a line out that belongs to a conditional; whether it does.
    fn conditional(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once([' ', '\t', '(']).unwrap_or((line, ""));
        let rest = &line[line.len().min(word.len())..line.len() - rest.len() + rest.len()];
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let live = self.branch(word, rest.trim());
                self.blocks.push(Block { live, taken: live });
            }
            "else" => {
                let next = rest.trim().split_once([' ', '\t', '(']).map_or("", |(word, _)| word);
                let live = match next {
                    "" => Live::Yes,
                    word => self.branch(word, rest.trim()[word.len()..].trim()),
                };
                let Some(block) = self.blocks.last_mut() else { return true };
                block.live = match block.taken {
                    Live::Yes => Live::No,
                    Live::No => live,
                    Live::Maybe => live.max(Live::Maybe),
                };
                block.taken = if block.taken == Live::Maybe { Live::Maybe } else { block.taken.min(live) };
            }
            "endif" => {
                self.blocks.pop();
            }
            _ => return false,
        }
        true
    }

    fn branch(&self, word: &str, condition: &str) -> Live {
        let answer = match word {
            "ifdef" | "ifndef" => {
                let value = self.variables.value(condition);
                Some(!value.is_empty()).filter(|_| !value.contains(UNKNOWN))
            }
            _ => sides(condition).and_then(|(left, right)| {
                let (left, right) = (self.variables.expanded(&left), self.variables.expanded(&right));
                let known = !left.contains(UNKNOWN) && !right.contains(UNKNOWN);
                known.then(|| left.trim() == right.trim())
            }),
        };
        match answer.map(|answer| answer != matches!(word, "ifneq" | "ifndef")) {
            Some(true) => Live::Yes,
            Some(false) => Live::No,
            None => Live::Maybe,
        }
    }

    /// `NAME = value`, with `:=`, `?=` or `+=`.
    fn assignment(&mut self, line: &str, live: Live) {
        let line = line.strip_prefix("export ").or_else(|| line.strip_prefix("override ")).unwrap_or(line);
        let Some(at) = line.find('=') else { return };
        let (left, value) = (&line[..at], line[at + 1..].trim());
        let name = left.trim_end_matches([':', '?', '+', '!']).trim();
        let operator = &left[left.trim_end_matches([':', '?', '+', '!']).len()..];
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || !name.chars().all(plain) {
            return;
        }
        let value = match (live, operator) {
            (Live::Maybe, _) | (_, "!") => UNKNOWN.to_string(),
            (_, ":" | "::") => self.variables.expanded(value),
            _ => value.to_string(),
        };
        match operator {
            "?" => self.variables.set_default(name, value),
            "+" => self.variables.lengthen(name, &value),
            _ => self.variables.set(name, value),
        }
    }

    /// What the file names after its last line.
    fn declared(&self, text: &str) -> DeclaredTargets {
        let mut found: Vec<Option<String>> = Vec::new();
        for name in self.variables.names().filter(|name| !self.variables.is_used(name)) {
            found.extend(options_of(&self.variables.value(name)));
        }
        for recipe in &self.recipes {
            found.extend(options_of(&self.variables.expanded(recipe)));
        }
        if found.is_empty() {
            return DeclaredTargets::Nothing;
        }
        let Some(mut known) = found.into_iter().collect::<Option<Vec<String>>>() else {
            return DeclaredTargets::Computed;
        };
        known.sort_by_key(|options| std::cmp::Reverse(options.len()));
        let longest = known[0].clone();
        let words: Vec<&str> = longest.split(' ').collect();
        if known.iter().any(|options| options.split(' ').any(|word| !words.contains(&word))) {
            return DeclaredTargets::Computed;
        }
        // Named in an included file, it has no place here.
        let place = ["-gencode", "--generate-code", "-arch", "--gpu-architecture", "include"]
            .iter()
            .find_map(|word| text.find(word).map(|at| at..at + word.len()));
        DeclaredTargets::Plain(Notation::Nvcc, longest, place.unwrap_or(0..0))
    }
}

/// nvcc's target options in an expanded text; `None` inside if something in them is not known.
fn options_of(text: &str) -> Option<Option<String>> {
    if !names_targets(text) {
        return None;
    }
    let options = nvcc_options(&text.replace(['"', '\''], ""))?;
    Some(Some(options).filter(|options| !options.contains([UNKNOWN, '$']) && !options.contains("native")))
}

fn names_targets(text: &str) -> bool {
    [
        "gencode",
        "generate-code",
        "-arch=sm",
        "-arch sm",
        "-arch=compute",
        "-arch=all",
        "gpu-architecture",
        "-arch=\u{1}",
    ]
    .iter()
    .any(|option| text.contains(option))
}

/// The sides of `(a,b)`, `"a" "b"`.
fn sides(condition: &str) -> Option<(String, String)> {
    if let Some(inner) = condition.strip_prefix('(') {
        let mut depth = 0;
        let comma = inner.char_indices().find(|(_, c)| {
            match c {
                '(' | '{' => depth += 1,
                ')' | '}' => depth -= 1,
                _ => {}
            }
            *c == ',' && depth == 0
        })?;
        let right = inner[comma.0 + 1..].trim().strip_suffix(')')?;
        return Some((inner[..comma.0].trim().into(), right.trim().into()));
    }
    let mut parts = condition.split(['"', '\'']).filter(|part| !part.trim().is_empty());
    Some((parts.next()?.into(), parts.next().unwrap_or_default().into()))
}

#[cfg(test)]
mod tests {
    use super::super::declared::tests::{file, said};
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = said(read(&file(text)), text);
        assert_eq!(found.split(" at ").next().unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn variables_are_expanded() {
        check("SM = 80\nNVCCFLAGS += -O3 -arch=sm_$(SM)\n", "-arch=sm_80");
        check(
            "ARCH= -gencode arch=compute_50,code=sm_50 \\\n  -gencode arch=compute_80,code=sm_80\nF = -O3 $(ARCH)\n",
            "-gencode arch=compute_50,code=sm_50 -gencode arch=compute_80,code=sm_80",
        );
        check(
            "SMS ?= 80 90\nG := $(foreach s,$(SMS),-gencode arch=compute_$(s),code=sm_$(s))\n",
            "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90",
        );
        check("a: a.cu\n\tnvcc -arch=sm_80 -c a.cu # one\n", "-arch=sm_80");
    }

    #[test]
    fn conditions_on_the_release_are_decided() {
        check(
            "ifeq ($(shell test \"0$(CUDA_MAJOR)\" -ge 13; echo $$?),0)\nA = -arch=sm_90\nelse\nA = -arch=sm_50\nendif\n",
            "-arch=sm_90",
        );
        check("ifdef DEBUG\nA = -arch=sm_50\nelse\nA = -arch=sm_80\nendif\n", "-arch=sm_80");
        check(
            "GPU := H100\nifeq ($(GPU),H100)\nA += -arch=sm_90a\nelse ifeq ($(GPU),A100)\nA += -arch=sm_80\nendif\n",
            "-arch=sm_90a",
        );
    }

    #[test]
    fn what_only_a_run_would_tell_is_computed() {
        check("A = -arch=sm_$(shell nvidia-smi)\n", "computed");
        check("A = -arch=sm_80\nB = -arch=sm_90\n", "computed");
        check("X := $(shell x)\nifeq ($(X),1)\nA = 80\nendif\nF = -arch=sm_$(A)\n", "computed");
        check("CFLAGS = -march=native -O3\n", "");
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        for text in
            ["A = $(A)\nB = -arch=sm_$(A)", "A = $(", "ifeq (", "else", "endif", "ifeq", "$($($(", "=\n:=\n"]
        {
            read(&file(text));
        }
        let doubling: String = (0..60).map(|n| format!("A{} = $(A{n}) $(A{n})\n", n + 1)).collect();
        read(&file(&format!("A0 = -arch=sm_80\n{doubling}")));
    }
}
