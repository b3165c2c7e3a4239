//! The marks and settings in the examples of cards, which are for tests.
//!
//! In: an example's text, or a card's section of them. Out: the text as a compiler takes it, or as people read it, with
//! comments in place of marks and settings. `tests/corpus.rs` says how both are written.

/// What opens a mark, up to the end of the line.
const MARK: &str = "//~";

/// What opens a setting, at the beginning of a line.
const SETTING: &str = "//@";

/// A source without marks and settings.
pub fn as_source(text: &str) -> String {
    let lines = text.lines().filter(|line| setting(line).is_none());
    lines.map(|line| format!("{}\n", unmarked(line).map_or(line, |(code, ..)| code))).collect()
}

/// The values of a setting in a source.
pub fn settings<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    text.lines().filter_map(setting).filter(|(key, _)| *key == name).map(|(_, value)| value).collect()
}

/// A mark: a finding that is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The line of the finding, from 1, in the text without settings.
    pub line: usize,
    /// The line of the mark, from 0, in the text as it is written.
    pub written: usize,
    /// The rule; empty if none is named.
    pub rule: String,
    /// A part of the message; empty if none is asked for.
    pub text: String,
}

/// The marks of a source. Each `^` behind the slashes points a line further up.
pub fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut line = 0_usize;
    for (written, own) in text.lines().enumerate() {
        if setting(own).is_some() {
            continue;
        }
        line += 1;
        let (Some((_, _, rule)), Some((_, mark))) = (unmarked(own), own.split_once(MARK)) else { continue };
        let up = mark.chars().take_while(|one| *one == '^').count();
        let quoted = mark.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"'));
        found.push(Mark {
            line: line.saturating_sub(up),
            written,
            rule: if rule.starts_with('"') { String::new() } else { rule.to_string() },
            text: quoted.map_or("", |(text, _)| text).to_string(),
        });
    }
    found
}

/// A section of examples as people read it: what is compiled how, and comments that point at lines with findings.
pub fn for_readers(section: &str) -> String {
    let lines: Vec<String> = section.lines().filter_map(line_for_readers).collect();
    lines.join("\n")
}

fn line_for_readers(line: &str) -> Option<String> {
    Some(match line {
        "```cuda bad" => "Found:\n\n```cuda".to_string(),
        "```cuda good" => "Not found:\n\n```cuda".to_string(),
        _ if line.starts_with("//- ") => format!("// {}:", line["//- ".len()..].trim()),
        _ => match (setting(line), unmarked(line)) {
            (Some((name, value)), _) => format!("// {}", said(name, value)?),
            (None, Some((code, comment, rules))) => format!("{code} {comment} <- {rules}"),
            (None, None) => line.to_string(),
        },
    })
}

/// A setting's name and value.
fn setting(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_start().strip_prefix(SETTING)?;
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    Some((name.trim(), value.trim()))
}

/// What a setting means for a compilation; none for those of the tests alone.
fn said(name: &str, value: &str) -> Option<String> {
    match name {
        "targets" => Some(format!("compiled for {}", value.replace(',', ", "))),
        "rdc" => Some("with -rdc=true".to_string()),
        "define" => Some(format!("with -D{value}")),
        "cuda" => Some(format!("by CUDA {value}")),
        "std" => Some(format!("as {value}")),
        _ => None,
    }
}

/// The code before a mark, what opens a comment there, and the rule that the mark names.
fn unmarked(line: &str) -> Option<(&str, &str, &str)> {
    let (code, mark) = line.split_once(MARK)?;
    // `[host,sm_80]` and `^` say more about the finding than its place.
    let mark = mark.trim_start_matches('^').trim_start();
    let mark = mark.strip_prefix('[').and_then(|views| views.split_once(']')).map_or(mark, |(_, rest)| rest);
    let rule = mark.split_whitespace().next().unwrap_or("");
    let code = code.trim_end();
    // In files that are no C++ the mark stands in a comment of theirs.
    match code.strip_suffix('#') {
        Some(code) => Some((code.trim_end(), "#", rule)),
        None => Some((code, "//", rule)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_settings_are_no_part_of_a_source() {
        let text =
            "//@ targets: 80\nint a; //~[host] some-rule \"text\"\nset(X 1) # //~ some-rule\n// plain\n";
        assert_eq!(as_source(text), "int a;\nset(X 1)\n// plain\n");
    }

    #[test]
    fn people_read_what_marks_and_settings_mean() {
        let section = "```cuda bad\n//- a.cu\n//@ targets: 75,80\n//@ rdc\n//@ nvcc: agrees\n\
                       int a; //~[host] some-rule \"text\"\n//- CMakeLists.txt\nset(X 1) # //~ other-rule\n```\n\n\
                       Without:\n\n```cuda good\nint b;\n```";
        let read = "Found:\n\n```cuda\n// a.cu:\n// compiled for 75, 80\n// with -rdc=true\n\
                    int a; // <- some-rule\n// CMakeLists.txt:\nset(X 1) # <- other-rule\n```\n\n\
                    Without:\n\nNot found:\n\n```cuda\nint b;\n```";
        assert_eq!(for_readers(section), read);
    }
}
