//! CMake's property `CUDA_ARCHITECTURES` (as its reference describes it), with the meaning that CMake 3.23 and later
//! give it for nvcc.

use super::{Context, NvccOptions, ParsedTargets, nearest, read_nvcc, real, virtual_};
use crate::target::arch::Arch;

const WORDS: [&str; 4] = ["all", "all-major", "native", "OFF"];

/// Reads `80-real;90-virtual;90a`. A number without `-real` or `-virtual` stands for machine code and PTX. `OFF`
/// names no target: CMake then passes no option and nvcc uses its default.
pub fn read_cmake(text: &str, context: &Context) -> ParsedTargets {
    let text = text.trim();
    match text {
        "all" | "all-major" | "native" => {
            let options = NvccOptions { arch: Some(text.to_string()), ..NvccOptions::default() };
            return read_nvcc(&options, context);
        }
        _ if off(text) => return read_nvcc(&NvccOptions::default(), context),
        _ => {}
    }
    let mut parsed = ParsedTargets::default();
    for entry in text.split(';').filter(|entry| !entry.is_empty()) {
        let (name, kind) = match entry.rsplit_once('-') {
            Some((name, kind @ ("real" | "virtual"))) => (name, Some(kind)),
            _ => (entry, None),
        };
        let Some(arch) = Arch::of_number(name) else {
            let known: Vec<Arch> = Arch::known().collect();
            let tail = kind.map_or(String::new(), |kind| format!("-{kind}"));
            let error = nearest::unknown(entry, &known, &WORDS, |arch| format!("{arch}{tail}"));
            parsed.errors.push(error);
            continue;
        };
        if kind != Some("real") {
            virtual_(&mut parsed.list, arch);
        }
        if kind != Some("virtual") {
            real(&mut parsed.list, arch);
        }
    }
    parsed
}

/// Whether the text is one of CMake's words for false.
fn off(text: &str) -> bool {
    let upper = text.to_ascii_uppercase();
    matches!(upper.as_str(), "" | "0" | "OFF" | "NO" | "FALSE" | "N" | "IGNORE" | "NOTFOUND")
        || upper.ends_with("-NOTFOUND")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, near: &str) {
        let error = &read_cmake(text, &Context::default()).errors[0];
        assert!(error.help.starts_with(&format!("the nearest is `{near}`")), "{text}: {}", error.help);
    }

    #[test]
    fn an_entry_that_is_none_is_refused_with_the_nearest() {
        refused("80;81-real", "80-real");
        refused("sm_80", "80");
        refused("8.0", "80");
        refused("80-vrtual", "80");
        refused("90f-virtual", "90-virtual");
        refused("al-major", "all-major");
        refused("80;native", "native");
    }
}
