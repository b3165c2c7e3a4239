//! Names the program by its sources: what it keeps on disk is read by no other program (`src/analysis/kept/`).
//!
//! In: the sources, the cards, the queries and the lock file. Out: `CUDA_ARCH_LINT_SOURCES`, a digest of all of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// What the program is made of.
const PARTS: [&str; 5] = ["src", "rules", "queries", "Cargo.toml", "Cargo.lock"];

fn main() {
    let mut files = BTreeSet::new();
    for part in PARTS {
        println!("cargo::rerun-if-changed={part}");
        files_below(Path::new(part), &mut files);
    }
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.to_string_lossy().replace('\\', "/"));
        // Git may write other line ends in another checkout; the program is the same.
        let bytes = std::fs::read(&file).unwrap_or_default();
        let plain: Vec<u8> = bytes.into_iter().filter(|byte| *byte != b'\r').collect();
        hash.update([0]);
        hash.update((plain.len() as u64).to_le_bytes());
        hash.update(plain);
    }
    let digest: String = hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=CUDA_ARCH_LINT_SOURCES={digest}");
}

fn files_below(path: &Path, files: &mut BTreeSet<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| files_below(&entry.path(), files)),
        // The lock file is not in a package.
        Err(_) if !path.is_file() => {}
        Err(_) => {
            files.insert(path.to_path_buf());
        }
    }
}
