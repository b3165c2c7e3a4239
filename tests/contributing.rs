//! CONTRIBUTING.md is followed as it is written: what it names exists, and the edits of "Add a rule, step by step"
//! are made in a copy of the sources, which must compile.
//!
//! `WALKTHROUGH=1` also runs the commands of the walkthrough in that copy, each where it stands: those with an output
//! below them must fail with it, the others must pass. That builds the tests there: some minutes.

#![allow(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::fs;
use std::path::Path;
use std::process::Command;

use cuda_arch_lint::rules::{RULES, Verdict, read_card};

/// The section that is followed.
const WALKTHROUGH: &str = "## Add a rule, step by step\n";
/// How many files a new rule may touch besides its card and its cases.
const FILES: usize = 5;

/// A step of the walkthrough.
#[derive(Debug)]
enum Step {
    /// "Write `path`:" and the text.
    Write { path: String, text: String },
    /// "In `path`, below the line `line`:" and the lines.
    Insert { path: String, line: String, text: String },
    /// A block of commands, and the output that the last of them fails with, if one stands below it.
    Run { commands: Vec<String>, fails_with: Option<String> },
}

/// The code that stands for the next free one in the walkthrough.
const PLACEHOLDER: &str = "CAL999";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn contributing() -> String {
    fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap()
}

fn walkthrough() -> String {
    let text = contributing().replace(PLACEHOLDER, &next_code());
    let start = text.find(WALKTHROUGH).expect("CONTRIBUTING.md has the walkthrough") + WALKTHROUGH.len();
    let mut open: Option<usize> = None;
    let within = text[start..].lines().take_while(|line| {
        open = fence_after(line, open);
        open.is_some() || !line.starts_with("## ")
    });
    within.map(|line| format!("{line}\n")).collect()
}

/// The code of a rule that is added to those of the program.
fn next_code() -> String {
    format!("CAL{:03}", RULES.len() + 1)
}

/// How many backticks the fence has that is open behind a line.
fn fence_after(line: &str, open: Option<usize>) -> Option<usize> {
    let ticks = line.len() - line.trim_start_matches('`').len();
    match open {
        Some(fence) if line.len() == ticks && ticks >= fence => None,
        None if ticks >= 3 => Some(ticks),
        _ => open,
    }
}

/// The fenced blocks of a text: the last line with text above each, the word behind its fence, and what it holds.
fn blocks(text: &str) -> Vec<(String, String, String)> {
    let mut blocks = Vec::new();
    let mut above = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks < 3 {
            if !line.trim().is_empty() {
                above = line.to_string();
            }
            continue;
        }
        let fence = &line[..ticks];
        let held: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        blocks.push((above.clone(), line[ticks..].to_string(), held.join("\n") + "\n"));
    }
    blocks
}

/// The steps of the walkthrough, in order.
fn steps() -> Vec<Step> {
    let mut steps = Vec::new();
    for (above, word, text) in blocks(&walkthrough()) {
        if let Some(path) = above.strip_prefix("Write `").and_then(|rest| rest.strip_suffix("`:")) {
            steps.push(Step::Write { path: path.to_string(), text });
        } else if let Some(rest) = above.strip_prefix("In `") {
            let (path, rest) = rest.split_once("`, below the last line with `").expect("a line is named");
            let line = rest.strip_suffix("`:").expect("a colon ends it").to_string();
            steps.push(Step::Insert { path: path.to_string(), line, text });
        } else if word == "sh" {
            steps.push(Step::Run { commands: text.lines().map(String::from).collect(), fails_with: None });
        } else {
            assert_eq!(word, "text", "a block is an edit, commands or their output: {above}");
            let Some(Step::Run { fails_with, .. }) = steps.last_mut() else {
                panic!("an output follows its command: {above}");
            };
            *fails_with = Some(text.trim_end().to_string());
        }
    }
    steps
}

/// Makes an edit in a copy of the tree.
fn make(step: &Step, copy: &Path) {
    match step {
        Step::Write { path, text } => {
            assert!(!root().join(path).exists(), "the walkthrough writes {path}, which the program has");
            write_if_new(&copy.join(path), text.as_bytes());
        }
        Step::Insert { path, line, text } => {
            let file = copy.join(path);
            let old = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
            let mut lines: Vec<&str> = old.lines().collect();
            let index = lines.iter().rposition(|one| one.contains(line));
            let index = index.unwrap_or_else(|| panic!("{path} has no line with `{line}`"));
            lines.splice(index + 1..index + 1, text.lines());
            write_if_new(&file, (lines.join("\n") + "\n").as_bytes());
        }
        Step::Run { .. } => {}
    }
}

/// The names in a directory that are part of the tree. cargo builds beside the manifest.
fn entries(directory: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let built = |name: &String| name == "target" && directory.join("Cargo.toml").exists();
    names.filter(|name| !built(name) && ![".git", "node_modules"].contains(&name.as_str())).collect()
}

/// Makes `copy` what `tree` is. Files that are the same keep their time, so that cargo compiles only what changed.
fn mirror(tree: &Path, copy: &Path) {
    fs::create_dir_all(copy).unwrap();
    for name in entries(copy) {
        let (from, to) = (tree.join(&name), copy.join(&name));
        if from.is_dir() != to.is_dir() || !from.exists() {
            if to.is_dir() { fs::remove_dir_all(&to).unwrap() } else { fs::remove_file(&to).unwrap() }
        }
    }
    for name in entries(tree) {
        let (from, to) = (tree.join(&name), copy.join(&name));
        match from.is_dir() {
            true => mirror(&from, &to),
            false => write_if_new(&to, &fs::read(&from).unwrap()),
        }
    }
}

fn write_if_new(file: &Path, text: &[u8]) {
    if fs::read(file).ok().as_deref() != Some(text) {
        fs::write(file, text).unwrap();
    }
}

/// The files in which a copy differs from the tree.
fn touched(tree: &Path, copy: &Path, below: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in entries(&copy.join(below)) {
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if copy.join(&path).is_dir() {
            found.extend(touched(tree, copy, &path));
        } else if fs::read(copy.join(&path)).ok() != fs::read(tree.join(&path)).ok() {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A command of the walkthrough in the copy: whether it passes, and what it prints.
fn run(command: &str, copy: &Path) -> (bool, String) {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(copy).env_remove("CARGO_TARGET_DIR").env_remove("WALKTHROUGH");
    let ran = shell.output().unwrap();
    let said = [ran.stdout, ran.stderr].concat();
    (ran.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn the_walkthrough_adds_a_rule() {
    let steps = steps();
    let made = tempfile::tempdir().unwrap();
    let all = std::env::var_os("WALKTHROUGH").is_some();
    // Always the same folder when tests are built in it: cargo finds again what it compiled.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let copy = if all { folder.join("walkthrough") } else { made.path().to_path_buf() };
    mirror(root(), &copy);
    for step in &steps {
        make(step, &copy);
        let Step::Run { commands, fails_with } = step else { continue };
        for command in commands.iter().filter(|_| all) {
            let (passes, said) = run(command, &copy);
            assert_eq!(passes, fails_with.is_none(), "`{command}`:\n{said}");
            let expected = fails_with.as_deref().unwrap_or_default();
            assert!(said.contains(expected), "`{command}` does not say `{expected}`:\n{said}");
        }
    }

    let text = walkthrough();
    let touched = touched(root(), &copy, "");
    assert!(touched.iter().all(|path| text.contains(&format!("`{path}`"))), "{touched:?}");
    let (cards, mut others): (Vec<_>, Vec<_>) =
        touched.into_iter().partition(|path| path.starts_with("rules/") || path.starts_with("corpus/"));
    if !all {
        // The files that the blessing would have written.
        others.extend(["README.md", "tests/goldens/report.sarif"].map(String::from));
    }
    assert!(
        others.len() <= FILES,
        "a new rule touches at most {FILES} files besides card and cases: {others:?}"
    );

    let [path] = &cards[..] else { panic!("the walkthrough writes one card: {cards:?}") };
    let id = path.trim_start_matches("rules/").trim_end_matches(".md");
    let card = fs::read_to_string(copy.join(path)).unwrap();
    let card = read_card(id, &card).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(card.code, Some(next_code()), "the code is the next one");
    assert!(card.examples.iter().any(|example| example.verdict == Verdict::Bad));

    compiles(&copy, &folder.join("walkthrough-check"));
}

/// The library of a tree compiles without a warning, in a copy at `place`.
fn compiles(tree: &Path, place: &Path) {
    // The dependencies that this package's tests have compiled serve the copy too. Under the same name cargo would
    // take what it compiles of the one for the other's.
    for file in ["Cargo.toml", "Cargo.lock"] {
        let text = fs::read_to_string(tree.join(file)).unwrap();
        let renamed = text.replacen("name = \"cuda-arch-lint\"", "name = \"cuda-arch-lint-walkthrough\"", 1);
        assert_ne!(text, renamed, "{file} names the package");
        fs::write(tree.join(file), renamed).unwrap();
    }
    mirror(tree, place);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--quiet", "--offline", "--lib", "--target-dir"]).arg(target);
    let ran = cargo.current_dir(place).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.success() && said.is_empty(),
        "the walkthrough's rule compiles without a warning:\n{said}"
    );
}

/// The text between single backticks outside of fenced blocks.
fn quoted(text: &str) -> Vec<String> {
    let mut prose = String::new();
    let mut open = None;
    for line in text.lines() {
        let before: Option<usize> = open;
        open = fence_after(line, before);
        if before.is_none() && open.is_none() && !line.starts_with("    ") {
            prose.push_str(&format!("{line} "));
        }
    }
    prose.split('`').skip(1).step_by(2).map(String::from).collect()
}

#[test]
fn the_files_that_are_named_exist() {
    let text = contributing();
    let written: Vec<String> = steps()
        .into_iter()
        .filter_map(|step| match step {
            Step::Write { path, .. } => Some(path),
            Step::Insert { .. } | Step::Run { .. } => None,
        })
        .collect();
    let is_path = |one: &&String| {
        one.contains('/') && !one.contains([' ', '<', '*', '=']) && !one.starts_with(['/', '#', '-'])
    };
    let quoted = quoted(&text);
    assert!(quoted.iter().filter(is_path).count() > 20, "the paths are found: {quoted:?}");
    for path in quoted.iter().filter(is_path).filter(|path| !written.contains(path)) {
        assert!(root().join(path).exists(), "CONTRIBUTING.md: `{path}` does not exist");
    }
    for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let (path, heading) = link.split_once('#').unwrap_or((link, ""));
        let file = if path.is_empty() { "CONTRIBUTING.md" } else { path };
        let target = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{link}: {error}"));
        let slug = |line: &str| {
            let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            words.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect::<String>()
        };
        let has =
            heading.is_empty() || target.lines().any(|line| line.starts_with('#') && slug(line) == heading);
        assert!(has, "CONTRIBUTING.md: `{file}` has no heading for `{link}`");
    }
}

/// The sources, file by file.
fn sources(directory: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for name in entries(directory) {
        let path = directory.join(name);
        if path.is_dir() {
            texts.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    texts
}

#[test]
fn the_types_and_members_that_are_named_exist() {
    let all = sources(&root().join("src"));
    let named = quoted(&contributing());
    let members: Vec<(&str, &str)> = named.iter().filter_map(|one| one.split_once("::")).collect();
    let is_type = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(char::is_alphanumeric)
    };
    let members: Vec<_> = members.into_iter().filter(|(name, _)| is_type(name)).collect();
    assert!(members.len() >= 4, "the members are found: {members:?}");
    for (name, member) in members {
        let body = all.iter().find_map(|text| {
            let heads = [format!("struct {name} {{"), format!("enum {name} {{")];
            let at = heads.iter().find_map(|head| text.find(head.as_str()))?;
            Some(&text[at..at + text[at..].find("\n}").unwrap_or(0)])
        });
        let body = body.unwrap_or_else(|| panic!("CONTRIBUTING.md: no type `{name}`"));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let has = body.split(|c| !is_part(c)).any(|word| word == member);
        assert!(has, "CONTRIBUTING.md: `{name}` has no `{member}`");
    }
}

#[test]
fn the_commands_that_are_named_can_be_run() {
    let text = contributing();
    let has = |folder: &str, name: &str| {
        let below = |file: String| root().join(folder).join(file).exists();
        let is_module = folder != "benches" && below(format!("{name}/mod.rs"));
        is_module || below(format!("{name}.rs")) || below(format!("{name}/main.rs"))
    };
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c == '`').collect();
    let mut targets = 0;
    for pair in words.windows(2) {
        let known = match pair[0] {
            "--test" => pair[1] == "all" || has("tests", pair[1]),
            "--bench" => has("benches", pair[1]),
            // A filter that is no module's path may match nothing, and the run would pass.
            "--lib" => pair[1].starts_with("--") || pair[1].ends_with("::"),
            _ => continue,
        };
        targets += 1;
        assert!(known, "CONTRIBUTING.md: `{} {}` is no target", pair[0], pair[1]);
    }
    let modules: Vec<&str> = words.iter().filter_map(|word| word.strip_suffix("::")).collect();
    for module in &modules {
        let file = module.replace("::", "/");
        let known = has("tests", &file) || has("src", &file);
        assert!(known, "CONTRIBUTING.md: `{module}::` is no module of tests/ or src/");
    }
    assert!(targets + modules.len() > 8, "the targets are found: {targets}, {modules:?}");
    let mut runs = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("    cargo run -- ")) {
        let arguments: Vec<&str> =
            line.split(' ').map(|word| if word == "FILE" { "corpus/guide/tour.cu" } else { word }).collect();
        let mut program = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
        let ran = program.args(&arguments).arg("-nostdinc").current_dir(root()).output().unwrap();
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
        runs += 1;
    }
    assert!(runs > 3, "the stages are printed");
}
