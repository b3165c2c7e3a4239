//! The targets that a build file declares.
//!
//! In: what its reader found in single statements. Out: [`DeclaredTargets`] of the whole file. Knows no build system.

use std::ops::Range;
use std::path::Path;

use crate::target::Toolkit;

/// The targets that a build file, or a statement of it, names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum DeclaredTargets {
    /// It does not mention targets.
    Nothing,
    /// It names targets that only running it would determine.
    Computed,
    /// It names these targets; the range is that of the first name, in bytes.
    Plain(Notation, String, Range<usize>),
    /// It names these targets for a build whose user, cache and environment name none.
    Default(Notation, String, Range<usize>),
    /// It leaves them to PyTorch, which takes the GPUs of the machine.
    Torch,
}

/// A build file to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildFile<'a> {
    pub(super) text: &'a str,
    /// The directory that it is in, for the files that it includes.
    pub(super) directory: &'a Path,
    /// The toolkit in force: files ask for CUDA's release.
    pub(super) toolkit: Toolkit,
    /// The number of this machine's GPUs.
    pub(super) gpus: usize,
}

/// How a build file spells targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notation {
    /// `CMAKE_CUDA_ARCHITECTURES`.
    Cmake,
    /// `TORCH_CUDA_ARCH_LIST`.
    Torch,
    /// Options of nvcc's.
    Nvcc,
}

/// Combines several statements, which must all name the same targets.
pub(super) fn only(mut found: Vec<DeclaredTargets>) -> DeclaredTargets {
    let Some(first) = found.pop() else { return DeclaredTargets::Nothing };
    let says = |declared: &DeclaredTargets| match declared {
        DeclaredTargets::Plain(notation, text, _) | DeclaredTargets::Default(notation, text, _) => {
            Some((*notation, text.clone()))
        }
        _ => None,
    };
    let same = found.iter().all(|other| says(other).is_some() && says(other) == says(&first));
    if same { found.into_iter().next().unwrap_or(first) } else { DeclaredTargets::Computed }
}

/// The target options of nvcc among the words of a text, if there are any.
pub(super) fn nvcc_options(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut options = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if crate::target::notation::nvcc_target_option(word).is_some() {
            options.push(*word);
            if !word.contains('=') {
                options.extend(rest.next());
            }
        }
    }
    (!options.is_empty()).then(|| options.join(" "))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A build file's targets as text, for the tests of the readers.
    pub(in crate::project::build_files) fn said(declared: DeclaredTargets, text: &str) -> String {
        match declared {
            DeclaredTargets::Nothing => String::new(),
            DeclaredTargets::Computed => "computed".to_string(),
            DeclaredTargets::Torch => "torch".to_string(),
            DeclaredTargets::Plain(_, list, bytes) | DeclaredTargets::Default(_, list, bytes) => {
                format!("{list} at `{}`", &text[bytes])
            }
        }
    }

    /// A build file of this text, in no directory, for the default toolkit.
    pub(in crate::project::build_files) fn file(text: &str) -> BuildFile<'_> {
        BuildFile { text, directory: Path::new("/nowhere"), toolkit: Toolkit::default(), gpus: 0 }
    }
}
