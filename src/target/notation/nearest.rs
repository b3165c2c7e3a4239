//! Suggestions for misspelt names: the nearest name that exists.

use super::TargetError;
use crate::target::arch::{Arch, Suffix};

/// The least similarity (Jaro-Winkler, 0 to 1) at which one word is taken for a misspelling of another.
const ALIKE: f64 = 0.75;

/// The error for an unknown architecture in a notation that writes known ones like `spell`.
pub(super) fn unknown(
    name: &str,
    known: &[Arch],
    words: &[&str],
    spell: impl Fn(Arch) -> String,
) -> TargetError {
    let message = format!("unknown architecture `{name}`");
    let help = match nearest(name, known, words, spell) {
        Some(near) => format!("the nearest is `{near}`; `cuda-arch-lint targets --list` lists all"),
        None => "`cuda-arch-lint targets --list` lists the known ones".to_string(),
    };
    TargetError::new(message, help)
}

/// The known name nearest to an unknown one. Of names with a number: the most similar of those with the same or else
/// the nearest number. Of words: the most similar, if any is similar enough; for a generation its first architecture.
pub(super) fn nearest(
    name: &str,
    known: &[Arch],
    words: &[&str],
    spell: impl Fn(Arch) -> String,
) -> Option<String> {
    let alike = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let word = words.iter().map(|word| (alike(word), *word)).max_by(|a, b| a.0.total_cmp(&b.0));
    let Some(number) = number(name) else {
        let generation = |arch: &&Arch| arch.gpus().to_lowercase().contains(&name.to_lowercase());
        let of_generation =
            known.iter().find(generation).filter(|_| !name.is_empty()).map(|arch| spell(*arch));
        let word = word.filter(|(likeness, _)| *likeness >= ALIKE).map(|(_, word)| word.to_string());
        return word.or(of_generation);
    };
    let suffix = suffix(name);
    let best = known.iter().min_by_key(|arch| {
        // Of two equally near take the lower one: its code runs on the higher, not the other way round.
        let far = arch.number.abs_diff(number);
        (far, arch.number, arch.suffix != suffix, arch.suffix)
    });
    best.map(|arch| spell(*arch))
}

/// The architecture number in a name: 81 of `sm_81`, `8.1` and `compute_81a`.
fn number(name: &str) -> Option<u16> {
    let from = name.find(|c: char| c.is_ascii_digit())?;
    let digits: String =
        name[from..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').filter(|c| *c != '.').collect();
    digits.parse().ok()
}

/// The suffix that is most similar to the letters after the number.
fn suffix(name: &str) -> Suffix {
    let after = name.rsplit(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
    match after.chars().next().map(|c| c.to_ascii_lowercase()) {
        Some('a') => Suffix::A,
        Some('f') => Suffix::F,
        _ => Suffix::None,
    }
}
