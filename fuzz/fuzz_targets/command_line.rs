//! Command lines: the program's own, a word a line, and the options of a compiler.

#![no_main]

use std::path::Path;

use clap::Parser;
use cuda_arch_lint::cli::Arguments;
use cuda_arch_lint::project::{Define, Settings, discover};
use cuda_arch_lint::source::Sources;
use cuda_arch_lint::target::parse_arch_list;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let words: Vec<String> = text.lines().map(str::to_string).collect();
    let _ = Arguments::try_parse_from(std::iter::once("cuda-arch-lint".to_string()).chain(words.clone()));
    for word in &words {
        let _ = (parse_arch_list(word), Define::parse_own(word));
    }
    let sources = Sources::new();
    let path = Path::new("unit.cu");
    sources.overlay(path, String::new());
    let settings = Settings { options: words, ..Settings::default() };
    let _ = discover(&[path.to_path_buf()], &settings, &sources);
});
