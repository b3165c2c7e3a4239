//! The text of `--version`, which has the facts that a bug report needs.

use std::sync::LazyLock;

use crate::rules::RULES;
use crate::target::Arch;

/// The version, the build's commit and profile, and the number of rules and targets. The commit is known if CI
/// built the program (`CUDA_ARCH_LINT_COMMIT` in the environment).
pub(super) static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("CUDA_ARCH_LINT_COMMIT").unwrap_or("unknown");
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let targets = Arch::all();
    let newest = targets.iter().max().map(|arch| arch.sm_name()).unwrap_or_default();
    format!(
        "{}\ncommit:   {commit}\nbuilt:    {profile}, {}-{}\nrules:    {}\ntargets:  {}, the newest {newest}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        RULES.len(),
        targets.len(),
    )
});
