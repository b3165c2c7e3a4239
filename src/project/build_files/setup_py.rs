//! Targets in a `setup.py`: nvcc's options in string literals, assignments to `TORCH_CUDA_ARCH_LIST`, and extensions that
//! leave their targets to PyTorch.

use std::ops::Range;

use super::python_blocks::{Live, live};
use super::{BuildFile, DeclaredTargets, Notation, nvcc_options};

/// The environment variable with the targets of PyTorch extensions.
const VARIABLE: &str = "TORCH_CUDA_ARCH_LIST";

/// Uses of the class of PyTorch's extensions with CUDA code.
const EXTENSIONS: [&str; 3] = ["CUDAExtension(", "= CUDAExtension", "else CUDAExtension"];

/// The targets that a `setup.py` names. A default that the environment may override counts as well.
pub(super) fn read(file: &BuildFile<'_>) -> DeclaredTargets {
    let text = file.text;
    let mut literals = literals(text);
    literals.iter_mut().for_each(|literal| literal.live = live(file, literal.bytes.start));
    literals.retain(|literal| literal.live != Live::No);
    let mut options: Vec<&Literal> = Vec::new();
    let mut words = Vec::new();
    for (index, literal) in literals.iter().enumerate() {
        let before =
            &text[index.checked_sub(1).map_or(0, |last| literals[last].bytes.end)..literal.bytes.start];
        if index > 0 && literals[index - 1].text == VARIABLE && sets(text, &literals[index - 1], before) {
            if literal.text.is_empty() {
                continue;
            }
            return match literal.plain() {
                true => DeclaredTargets::Plain(Notation::Torch, literal.text.clone(), literal.bytes.clone()),
                false => DeclaredTargets::Computed,
            };
        }
        let option = names_targets(&literal.text)
            || options
                .last()
                .is_some_and(|last| std::ptr::eq(*last, &literals[index - 1]) && is_bare(&last.text));
        if option {
            // A literal that is compared or searched for does not name targets.
            if compared(text, literal) {
                return DeclaredTargets::Computed;
            }
            options.push(literal);
            words.push(literal.text.as_str());
        }
    }
    let Some(first) = options.first() else {
        let uses = |line: &str| EXTENSIONS.iter().any(|use_of_it| line.contains(use_of_it));
        let extends = text.lines().any(|line| uses(line) && !line.trim_start().starts_with('#'));
        return if extends { DeclaredTargets::Torch } else { DeclaredTargets::Nothing };
    };
    let named = nvcc_options(&words.join(" ")).filter(|_| options.iter().all(|literal| literal.plain()));
    named.map_or(DeclaredTargets::Computed, |named| {
        DeclaredTargets::Plain(Notation::Nvcc, named, first.bytes.clone())
    })
}

/// Whether the literal is `-gencode` alone, whose value is the next literal.
fn is_bare(text: &str) -> bool {
    matches!(text.trim(), "-gencode" | "--generate-code" | "-arch" | "-code" | "--gpu-architecture")
}

fn names_targets(text: &str) -> bool {
    ["-gencode", "--generate-code", "-arch=", "--gpu-architecture"]
        .iter()
        .any(|option| text.starts_with(option))
        || is_bare(text)
}

/// Whether the variable's value is set: `os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0"`, `os.environ.setdefault(…)`.
fn sets(text: &str, variable: &Literal, between: &str) -> bool {
    let joined: String = between.chars().filter(|c| !c.is_whitespace()).collect();
    let before = text[..variable.bytes.start - 1].trim_end();
    match joined.trim_matches(['"', '\'']) {
        "]=" => true,
        "," => before.ends_with("setdefault("),
        _ => false,
    }
}

/// A string literal.
#[derive(Debug)]
struct Literal {
    text: String,
    /// The range of the text between the quotes.
    bytes: Range<usize>,
    /// The letters before the opening quotes: `f`, `r`.
    prefix: String,
    /// Whether it is evaluated.
    live: Live,
}

impl Literal {
    /// Whether it is evaluated exactly once and is not a format string.
    fn plain(&self) -> bool {
        let formatted = self.prefix.contains(['f', 'F']) || self.text.contains(['{', '%']);
        !formatted && self.live == Live::Yes
    }
}

/// Whether the literal is an operand of `in`, `==` or `!=`.
fn compared(text: &str, literal: &Literal) -> bool {
    let after = text[literal.bytes.end..].trim_start_matches(['"', '\'']).trim_start();
    let before = text[..literal.bytes.start].trim_end_matches(['"', '\'']).trim_end();
    ["in ", "==", "!="].iter().any(|word| after.starts_with(word))
        || before.ends_with("==")
        || before.ends_with("!=")
}

/// The string literals of a Python text, in order, without those in comments.
fn literals(text: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find(['"', '\'', '#']) {
        let open = at + step;
        if text[open..].starts_with('#') {
            at = text[open..].find('\n').map_or(text.len(), |end| open + end);
            continue;
        }
        let one = &text[open..open + 1];
        let triple = one.repeat(3);
        let quotes = if text[open..].starts_with(&triple) { triple.as_str() } else { one };
        let inner = open + quotes.len();
        let end = inner + closing(&text[inner..], quotes);
        let letters =
            text[..open].len() - text[..open].trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        found.push(Literal {
            text: text[inner..end].to_string(),
            bytes: inner..end,
            prefix: text[open - letters..open].to_string(),
            live: Live::Yes,
        });
        at = (end + quotes.len()).min(text.len());
    }
    found
}

/// The number of bytes before the closing quotes; an unclosed literal of one line ends with its line.
fn closing(text: &str, quotes: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quotes.len() == 1 => return at,
            _ if text[at..].starts_with(quotes) => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::super::declared::tests::{file, said};
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(said(read(&file(text)), text), expected, "{text}");
    }

    #[test]
    fn options_of_nvcc_are_read_where_they_are_plain() {
        check(
            "setup(ext_modules=[CUDAExtension('x', extra_compile_args={\n    'nvcc': ['-O3',\n             '-gencode=arch=compute_80,code=sm_80',\n             \"-gencode\", \"arch=compute_90,code=compute_90\"]})])",
            "-gencode=arch=compute_80,code=sm_80 -gencode arch=compute_90,code=compute_90 at \
             `-gencode=arch=compute_80,code=sm_80`",
        );
        check("def build():\n    return ['-arch=sm_80']\n", "-arch=sm_80 at `-arch=sm_80`");
        check("# '-arch=sm_80'\nx = '-O3'\n", "");
    }

    #[test]
    fn torch_s_list_is_read_where_it_is_set() {
        check("os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0;9.0+PTX'\n", "8.0;9.0+PTX at `8.0;9.0+PTX`");
        check("os.environ.setdefault(\"TORCH_CUDA_ARCH_LIST\", \"8.0\")\n", "8.0 at `8.0`");
        check("x = os.getenv('TORCH_CUDA_ARCH_LIST', '')\n", "");
        check("if big:\n    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n", "computed");
    }

    #[test]
    fn what_only_a_run_would_tell_is_computed() {
        check("if v >= 12:\n    flags += ['-gencode', 'arch=compute_90,code=sm_90']\n", "computed");
        check("flags = [f'-gencode=arch=compute_{a},code=sm_{a}' for a in archs]\n", "computed");
        check("flags = ['-arch=sm_%d' % a]\n", "computed");
        check("x = '-gencode=arch=compute_90a,code=sm_90a' in flags\n", "computed");
        check("x = ['-arch=sm_80'] if a else []\n", "computed");
    }

    #[test]
    fn conditions_on_the_release_are_decided() {
        check(
            "if bare_metal_version >= Version(\"12.8\"):\n    flags.append(\"-gencode\")\n    flags.append(\"arch=compute_100,code=sm_100\")\n",
            "-gencode arch=compute_100,code=sm_100 at `-gencode`",
        );
        check(
            "if CUDA_VERSION < Version('12'):\n    x = ['-arch=sm_50']\nelse:\n    x = ['-arch=sm_80']\n",
            "-arch=sm_80 at `-arch=sm_80`",
        );
        check(
            "if not SKIP_CUDA_BUILD:\n    if IS_ROCM:\n        pass\n    else:\n        x = ['-arch=sm_80']\n",
            "-arch=sm_80 at `-arch=sm_80`",
        );
    }

    #[test]
    fn an_extension_without_targets_leaves_them_to_pytorch() {
        check("setup(ext_modules=[CUDAExtension('x', ['a.cu'])])\n", "torch");
        check("from torch.utils.cpp_extension import CUDAExtension\n", "");
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        for text in ["'", "'''-arch=sm_80", "x = '-gencode'", "\"TORCH_CUDA_ARCH_LIST\"] = '"] {
            read(&file(text));
        }
    }
}
