//! Configuration files and baselines.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use cuda_arch_lint::config::{FILE_NAME, load};
use cuda_arch_lint::triage::Baseline;
use cuda_arch_lint_fuzz::directory;
use libfuzzer_sys::fuzz_target;

static PATH: LazyLock<PathBuf> = LazyLock::new(|| directory().join(FILE_NAME));

fuzz_target!(|data: &[u8]| {
    fs::write(&*PATH, data).expect("it can be written");
    match load(&PATH) {
        Ok(loaded) => {
            let _ = (loaded.settings(), loaded.policy());
        }
        Err(error) => drop(error.to_string()),
    }
    let _ = Baseline::read(&String::from_utf8_lossy(data));
});
