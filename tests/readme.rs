//! The README's generated parts and commands. `BLESS=1 cargo test readme::` rewrites the parts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cuda_arch_lint::cli::exit_code;
use cuda_arch_lint::config::contributed;
use cuda_arch_lint::report::FORMATS;
use cuda_arch_lint::rules::{cards, level_name};

use super::golden;

/// The command the README opens with, as the program's arguments.
const EXAMPLE: [&str; 3] = ["corpus/guide/typedef-by-pass.cu", "--arch", "80,90"];
/// The command that runs the tests.
const TESTS: &str = "cargo test --locked";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Compares the part of that name with what it should be, or rewrites it.
fn check(part: &str, expected: &str) {
    let text = read("README.md");
    let open = format!("<!-- generated: {part} -->\n");
    let start = text.find(&open).unwrap_or_else(|| panic!("README.md has no part `{part}`")) + open.len();
    let end = start + text[start..].find("<!-- end -->").expect("a generated part ends");
    if golden::is_blessing() {
        fs::write(path("README.md"), format!("{}{expected}{}", &text[..start], &text[end..]))
            .expect("the README can be written");
    } else {
        let difference = golden::lines(&format!("README.md, `{part}`"), &text[start..end], expected);
        assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    }
}

fn table(head: &str, rows: impl Iterator<Item = String>) -> String {
    head.lines().map(String::from).chain(rows).map(|row| row + "\n").collect()
}

/// One test for all parts: blessing them from several threads would lose some.
#[test]
fn the_generated_parts_are_what_the_program_says() {
    let output = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(EXAMPLE)
        .arg("-nostdinc")
        .current_dir(path(""))
        .output()
        .expect("the program runs");
    let output = String::from_utf8(output.stdout).expect("reports are UTF-8");
    assert!(output.contains("error["), "the README's example shows a finding:\n{output}");
    check("output", &format!("```text\n$ cuda-arch-lint {}\n{output}```\n", EXAMPLE.join(" ")));

    let rows = exit_code::TABLE.iter().map(|(code, meaning)| format!("| {code} | {meaning} |"));
    check("exit codes", &table("| Exit code | Meaning |\n|---|---|", rows));

    let rows = FORMATS.iter().map(|format| format!("| `{}` | {} |", format.name, format.about));
    check("formats", &table("| Format | What it is for |\n|---|---|", rows));

    let rows = cards().into_iter().map(|card| {
        let (id, level) = (&card.id, card.level_text());
        let code = card.code.as_deref().expect("a built-in rule has a code");
        format!("| [{id}](rules/{id}.md) | {code} | {level} | {} |", card.title)
    });
    check("rules", &table("| Rule | Code | Level | What it finds |\n|---|---|---|---|", rows));
    let rows = contributed().iter().map(|rule| {
        let (id, level) = (&rule.id, level_name(rule.level));
        format!("| [{id}](rules/contrib/{id}.toml) | {level} | {} |", rule.title)
    });
    check("contributed rules", &table("| Rule | Level | What it finds |\n|---|---|---|", rows));
    check_section("## Five minutes\n", "\n## What it prints", 8, SHOWN);
    check_section("### Rules of your own\n", "\n## How it works", 1, usize::MAX);
}

/// How many lines of an output the README shows.
const SHOWN: usize = 8;

/// A line in place of those of an output that the README leaves out.
const LEFT_OUT: &str = "…";

/// Follows a section in an empty folder, command by command, and compares each output, of which the last lines are shown. Files
/// that the section shows are written first: the language of their block is followed by their name.
fn check_section(heading: &str, next: &str, least: usize, shown: usize) {
    let readme = read("README.md");
    let start = readme.find(heading).expect("the README has the section");
    let end = start + 3 + readme[start + 3..].find(next).expect("that section follows");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut place = folder.path().to_path_buf();
    let (mut followed, mut steps, mut console) = (String::new(), 0, false);
    let mut file: Option<(&str, String)> = None;
    for line in readme[start..end].lines() {
        match (&mut file, line.strip_prefix("```").and_then(|open| open.split_once(' '))) {
            (Some((name, text)), _) if line == "```" => {
                fs::write(folder.path().join(name), text).expect("a file can be written");
                file = None;
            }
            (Some((_, text)), _) => *text += &format!("{line}\n"),
            (None, Some((_, name))) => file = Some((name, String::new())),
            (None, None) => {}
        }
        match (line.strip_prefix("$ "), line) {
            (Some(command), _) if console => {
                followed += &format!("{line}\n{}", said(command, &mut place, shown));
                steps += 1;
            }
            (_, "```console") => console = true,
            (_, "```") => console = false,
            // What was said when the text was written.
            _ if console => continue,
            _ => {}
        }
        if !console || line == "```console" {
            followed += &format!("{line}\n");
        }
    }
    assert!(steps > least, "the commands are found: {steps}");
    if golden::is_blessing() {
        let text = format!("{}{followed}{}", &readme[..start], &readme[end..]);
        fs::write(path("README.md"), text).expect("the README can be written");
    } else {
        let difference = golden::lines(&format!("README.md, {heading}"), &readme[start..end], &followed);
        assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    }
}

/// Runs a command of the README as a shell does, and says what it prints, shortened. `cd` changes the place.
fn said(command: &str, place: &mut PathBuf, shown: usize) -> String {
    if let Some(folder) = command.strip_prefix("cd ") {
        place.push(folder);
        return String::new();
    }
    let program =
        Path::new(env!("CARGO_BIN_EXE_cuda-arch-lint")).parent().expect("the program is in a folder");
    let paths = std::env::var("PATH").expect("there is a search path");
    let ran = Command::new("sh")
        .args(["-c", &format!("{command} 2>&1")])
        .env("PATH", format!("{}:{paths}", program.display()))
        .current_dir(&*place)
        .output()
        .expect("a shell runs");
    let output = String::from_utf8(ran.stdout).expect("reports are UTF-8");
    let lines: Vec<&str> = output.lines().map(str::trim_end).collect();
    let left_out = lines.len().saturating_sub(shown);
    let shown = lines[left_out..].iter().map(|line| format!("{line}\n"));
    let marked = (left_out > 0).then(|| format!("{LEFT_OUT}\n"));
    marked.into_iter().chain(shown).collect()
}

#[test]
fn the_commands_are_those_that_are_run() {
    let readme = read("README.md");
    assert!(readme.contains(&format!("cargo run --release -- {}\n", EXAMPLE.join(" "))));
    assert!(readme.contains(TESTS));
    let in_ci = format!("step {TESTS}");
    assert!(read(".ci/run").lines().any(|line| line == in_ci), ".ci/run runs the README's test command");
}

#[test]
fn what_the_readme_points_at_exists() {
    let readme = read("README.md");
    // GitHub makes a heading's anchor of its letters and digits, with hyphens for blanks.
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    let headings = readme.lines().filter(|line| line.starts_with('#'));
    let anchors: Vec<String> = headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect();
    for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let exists = match link.strip_prefix('#') {
            Some(section) => anchors.iter().any(|one| one == section),
            None => link.contains("://") || path(link.split('#').next().unwrap_or(link)).exists(),
        };
        assert!(exists, "README.md: `{link}` does not exist");
    }
    for name in ["src/target/arch.rs", "src/rules", "src/report", "src/facts", "queries", "rules", "corpus"] {
        assert!(readme.contains(name) && path(name).exists(), "`{name}` is in the README and in the tree");
    }
}

/// Options on our pages that other programs have.
const OTHERS: [&str; 15] = [
    "--check",
    "--cuda-ccmap",
    "--disable-pip-version-check",
    "--health",
    "--ignore-missing",
    "--ignore-scripts",
    "--install-extension",
    "--list-gpu-arch",
    "--locked",
    "--omit",
    "--path",
    "--release",
    "--repo",
    "--root",
    "--test",
];

/// The words of a text that are long options.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| {
        word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    })
}

#[test]
fn the_options_that_pages_name_exist() {
    let help = |command: &[&str]| {
        let ran = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint")).args(command).arg("--help").output();
        String::from_utf8(ran.expect("the program runs").stdout).expect("help is UTF-8")
    };
    let own = help(&[]);
    let commands = own.split("Commands:").nth(1).expect("the help lists the commands");
    let commands = commands.lines().skip(1).take_while(|line| line.starts_with("  "));
    let commands = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut known: BTreeSet<String> = OTHERS.iter().map(|option| option.to_string()).collect();
    for command in commands.filter(|command| !command.is_empty() && *command != "help") {
        known.extend(options(&help(&[command])).map(String::from));
    }
    known.extend(options(&own).map(String::from));
    assert!(known.len() > 60, "the options are found: {known:?}");
    let mut pages = vec![path("README.md"), path("CHANGELOG.md"), path("action.yml")];
    for folder in ["integrations", "editors", "editors/vscode", "rules"] {
        let entries = fs::read_dir(path(folder))
            .expect("it is a folder")
            .map(|entry| entry.expect("it is there").path());
        pages.extend(entries.filter(|page| page.extension().is_some_and(|extension| extension == "md")));
    }
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page is text");
        for option in options(&text) {
            assert!(known.contains(option), "{}: no command has `{option}`", page.display());
        }
    }
}
