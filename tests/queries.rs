//! The files of `queries/`: each compiles, documents its captures, and matches its own examples.

#![expect(clippy::unwrap_used, reason = "a test that can't read its files fails")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cuda_arch_lint::preprocess::PpToken;
use cuda_arch_lint::source::{Sources, Span, lex};
use cuda_arch_lint::syntax::parse;
use cuda_arch_lint::target::PassSet;
use tree_sitter::StreamingIterator;

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("queries");
    let entries = std::fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The lines of a file: those of its head comment, and the rest.
fn head_and_patterns(text: &str) -> (Vec<&str>, Vec<&str>) {
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.iter().position(|line| line.is_empty()).unwrap();
    (lines[..end].to_vec(), lines[end..].to_vec())
}

#[test]
fn every_file_compiles_and_is_exposed() {
    let names: Vec<String> =
        files().iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["declarations.scm", "uses.scm"]);
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let query = tree_sitter::Query::new(&tree_sitter_cpp::LANGUAGE.into(), &text);
        assert!(query.is_ok(), "{}: {}", path.display(), query.unwrap_err());
    }
}

#[test]
fn captures_and_head_comment_agree() {
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let query = tree_sitter::Query::new(&tree_sitter_cpp::LANGUAGE.into(), &text).unwrap();
        let captured: BTreeSet<&str> = query.capture_names().iter().copied().collect();
        let (head, _) = head_and_patterns(&text);
        let documented = head.iter().filter_map(|line| line.strip_prefix("; @"));
        let documented: BTreeSet<&str> =
            documented.map(|line| line.split_whitespace().next().unwrap()).collect();
        assert_eq!(captured, documented, "{}", path.display());
    }
}

#[test]
fn every_pattern_matches_the_line_above_it() {
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let query = tree_sitter::Query::new(&tree_sitter_cpp::LANGUAGE.into(), &text).unwrap();
        let (_, lines) = head_and_patterns(&text);
        let starts = lines.iter().enumerate().filter(|(_, line)| line.starts_with('('));
        for (pattern, (index, _)) in starts.enumerate() {
            let example = index.checked_sub(1).and_then(|above| lines[above].strip_prefix("; "));
            let example =
                example.unwrap_or_else(|| panic!("{}: no example for {}", path.display(), lines[index]));
            let parsed = parse(&tokens(example));
            assert_eq!(parsed.error_bytes, 0, "{example}: {}", parsed.tree.root_node());
            let mut cursor = tree_sitter::QueryCursor::new();
            let mut matches = cursor.matches(&query, parsed.tree.root_node(), parsed.text.as_bytes());
            let mut is_matched = false;
            while let Some(found) = matches.next() {
                is_matched |= found.pattern_index == pattern;
            }
            assert!(
                is_matched,
                "{}: `{example}` does not match its pattern in {}",
                path.display(),
                parsed.tree.root_node()
            );
        }
    }
}

fn tokens(source: &str) -> Vec<PpToken> {
    let file = Sources::new().add(Path::new("example.cu"), source.to_string()).id;
    let token = |token: cuda_arch_lint::source::Token| {
        let at = Span { file, start: token.offset, end: token.end };
        PpToken {
            kind: token.kind,
            space_before: token.space_before,
            line_start: token.line_start,
            text: token.text,
            passes: PassSet::HOST,
            at,
            spelled: at.loc(),
            expansion: None,
            group: None,
        }
    };
    lex(source).into_iter().map(token).collect()
}
