//! Targets in a `CMakeLists.txt`: `CMAKE_CUDA_ARCHITECTURES`, the property `CUDA_ARCHITECTURES`, and nvcc's options
//! in the flags variables.

use std::ops::Range;

use super::{DeclaredTargets, Notation, nvcc_options, only};

/// The variable that initializes the architectures of new targets.
const VARIABLE: &str = "CMAKE_CUDA_ARCHITECTURES";

/// The property of a target that holds its architectures.
const PROPERTY: &str = "CUDA_ARCHITECTURES";

/// Variables that hold nvcc's options; the second belongs to `FindCUDA`.
const FLAGS: [&str; 2] = ["CMAKE_CUDA_FLAGS", "CUDA_NVCC_FLAGS"];

/// Commands that read a variable without changing it.
const READING: [&str; 9] =
    ["if", "elseif", "else", "endif", "message", "foreach", "endforeach", "while", "return"];

/// The targets that a `CMakeLists.txt` names.
pub(super) fn read(text: &str) -> DeclaredTargets {
    let mut blocks: Vec<Block> = Vec::new();
    let mut found: Vec<DeclaredTargets> = Vec::new();
    for command in commands(text) {
        match command.name.as_str() {
            "if" if tests_whether_set(&command.arguments) => blocks.push(Block::Default),
            "if" | "foreach" | "while" | "function" | "macro" | "block" => blocks.push(Block::Other),
            "endif" | "endforeach" | "endwhile" | "endfunction" | "endmacro" | "endblock" => {
                blocks.pop();
            }
            _ => {}
        }
        let Some(declared) = targets_of(&command) else { continue };
        let plain = blocks.iter().all(|block| *block == Block::Default);
        let appended = command.name == "list";
        match (found.last_mut(), declared) {
            (_, DeclaredTargets::Plain(..)) if !plain => found.push(DeclaredTargets::Computed),
            (Some(DeclaredTargets::Plain(known, list, _)), DeclaredTargets::Plain(notation, more, _))
                if appended && *known == notation =>
            {
                *list = format!("{list};{more}");
            }
            (_, declared) => found.push(declared),
        }
    }
    only(found)
}

/// A block that a command stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Block {
    /// `if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)`: the default, unless the user names targets.
    Default,
    /// Any other block; whether its commands run is not known.
    Other,
}

/// Whether a condition is `NOT DEFINED CMAKE_CUDA_ARCHITECTURES` or `NOT CMAKE_CUDA_ARCHITECTURES`.
fn tests_whether_set(arguments: &[Argument]) -> bool {
    let words: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
    matches!(words[..], ["NOT", VARIABLE] | ["NOT", "DEFINED", VARIABLE])
}

/// The targets that a command names, if it names any.
fn targets_of(command: &Command) -> Option<DeclaredTargets> {
    let words: Vec<&str> = command.arguments.iter().map(|argument| argument.text.as_str()).collect();
    let name = command.name.as_str();
    if READING.contains(&name) {
        return None;
    }
    if words.iter().any(|word| *word == VARIABLE || *word == PROPERTY) {
        let values = match (name, &words[..]) {
            ("set", [VARIABLE, ..]) => {
                1..words.iter().position(|word| is_option(word)).unwrap_or(words.len())
            }
            ("list", ["APPEND", VARIABLE, ..]) => 2..words.len(),
            ("set_property", _) => words.iter().position(|word| *word == PROPERTY)? + 1..words.len(),
            ("set_target_properties", _) => {
                let at = words.iter().position(|word| *word == PROPERTY)? + 1;
                at..(at + 1).min(words.len())
            }
            ("get_property" | "get_target_property" | "mark_as_advanced", _) => return None,
            _ => return Some(DeclaredTargets::Computed),
        };
        return Some(plain(Notation::Cmake, &command.arguments[values], |list| Some(list.join(";"))));
    }
    let options = |words: &[&str]| nvcc_options(&words.join(" ").replace(';', " "));
    let at = words.iter().position(|word| FLAGS.contains(word))?;
    let values = &command.arguments[at + 1..];
    let named: Vec<&Argument> = values.iter().filter(|value| names_targets(&value.text)).collect();
    match (name, named.is_empty()) {
        (_, true) => None,
        ("set" | "list" | "string", false) => {
            let own = |value: &Argument| !FLAGS.iter().any(|name| value.text == format!("${{{name}}}"));
            let values: Vec<Argument> =
                values.iter().filter(|value| own(value)).map(Argument::without_itself).collect();
            Some(plain(Notation::Nvcc, &values, options))
        }
        (_, false) => Some(DeclaredTargets::Computed),
    }
}

/// Whether a word is an option, which ends a list of values.
fn is_option(word: &str) -> bool {
    matches!(word, "CACHE" | "PARENT_SCOPE")
}

fn names_targets(text: &str) -> bool {
    ["gencode", "generate-code", "-arch", "gpu-architecture"].iter().any(|option| text.contains(option))
}

/// The targets in the arguments if these are literals; else `Computed`.
fn plain(
    notation: Notation,
    arguments: &[Argument],
    joined: impl Fn(&[&str]) -> Option<String>,
) -> DeclaredTargets {
    let words: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
    let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else {
        return DeclaredTargets::Computed;
    };
    if words.iter().any(|word| word.contains(['$', '@'])) {
        return DeclaredTargets::Computed;
    }
    match joined(&words) {
        // The value depends on the machine, or on options elsewhere.
        Some(list) if !list.contains("native") && !is_off(&list) => {
            DeclaredTargets::Plain(notation, list, first.bytes.start..last.bytes.end)
        }
        _ => DeclaredTargets::Computed,
    }
}

/// Whether the list is CMake's "off": options for the compiler name the targets instead.
fn is_off(list: &str) -> bool {
    list.is_empty() || ["OFF", "FALSE", "NO", "0"].iter().any(|word| list.eq_ignore_ascii_case(word))
}

/// `name(arguments)`.
struct Command {
    /// In lower case: CMake's commands are case-insensitive.
    name: String,
    arguments: Vec<Argument>,
}

/// An argument without its quotes.
struct Argument {
    text: String,
    bytes: Range<usize>,
}

impl Argument {
    /// The argument without a reference to the variable it extends: `"${CMAKE_CUDA_FLAGS} -arch=sm_80"` without the
    /// first.
    fn without_itself(&self) -> Argument {
        let text =
            FLAGS.iter().fold(self.text.clone(), |text, name| text.replace(&format!("${{{name}}}"), ""));
        Argument { text, bytes: self.bytes.clone() }
    }
}

/// The commands of a file, in order (cmake-language(7), "Syntax").
fn commands(text: &str) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut at = 0;
    let mut name = 0..0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '#' => at = after_comment(text, at),
            '(' => {
                let (arguments, end) = arguments(text, at + 1);
                commands.push(Command { name: text[name.clone()].to_ascii_lowercase(), arguments });
                at = end;
            }
            c if c.is_ascii_alphanumeric() || c == '_' => {
                let length = text[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                name = at..at + length.unwrap_or(text.len() - at);
                at = name.end;
            }
            c => at += c.len_utf8(),
        }
    }
    commands
}

/// The arguments after the `(` that ends at byte `from`, and the byte after the matching `)`.
fn arguments(text: &str, from: usize) -> (Vec<Argument>, usize) {
    let (mut arguments, mut at, mut depth) = (Vec::new(), from, 1);
    while let Some(c) = text[at..].chars().next() {
        match c {
            '(' => (depth, at) = (depth + 1, at + 1),
            ')' if depth == 1 => return (arguments, at + 1),
            ')' => (depth, at) = (depth - 1, at + 1),
            '#' => at = after_comment(text, at),
            '"' => {
                let length = closing_quote(&text[at + 1..]);
                let inner = at + 1..at + 1 + length;
                arguments.push(Argument { text: text[inner.clone()].to_string(), bytes: inner.clone() });
                at = (inner.end + 1).min(text.len());
            }
            c if c.is_whitespace() => at += c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '#');
                let length = text[at..].find(ends).unwrap_or(text.len() - at);
                let bytes = at..at + length;
                arguments.push(Argument { text: text[bytes.clone()].to_string(), bytes: bytes.clone() });
                at = bytes.end;
            }
        }
    }
    (arguments, text.len())
}

/// The number of bytes before the closing quote.
fn closing_quote(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

/// The byte after a comment, which extends to the end of the line or from `#[[` to `]]`.
fn after_comment(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let end = match rest.strip_prefix("#[[") {
        Some(_) => rest.find("]]").map(|end| end + 2),
        None => rest.find('\n'),
    };
    at + end.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::super::declared::tests::said;
    use super::*;

    /// Compares the list that is read, `computed`, or nothing.
    fn check(text: &str, expected: &str) {
        assert_eq!(said(read(text), text), expected, "{text}");
    }

    #[test]
    fn the_variable_is_read_where_it_is_plain() {
        check("set(CMAKE_CUDA_ARCHITECTURES 75 80-real 90a)", "75;80-real;90a at `75 80-real 90a`");
        check("SET( CMAKE_CUDA_ARCHITECTURES \"75;80\" CACHE STRING \"the (GPUs)\")", "75;80 at `75;80`");
        check("# set(CMAKE_CUDA_ARCHITECTURES 75)\nproject(x LANGUAGES CUDA)", "");
        check("#[[ set(CMAKE_CUDA_ARCHITECTURES 75) ]] add_library(x a.cu)", "");
        check(
            "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()",
            "80 at `80`",
        );
        check("set(CMAKE_CUDA_ARCHITECTURES 80)\nlist(APPEND CMAKE_CUDA_ARCHITECTURES 90)", "80;90 at `80`");
        check(
            "message(\"${CMAKE_CUDA_ARCHITECTURES}\")\nif(CMAKE_CUDA_ARCHITECTURES MATCHES 80)\nendif()",
            "",
        );
    }

    #[test]
    fn the_property_is_read_where_all_targets_have_the_same() {
        check("set_property(TARGET a PROPERTY CUDA_ARCHITECTURES 80 90)", "80;90 at `80 90`");
        check("set_target_properties(a PROPERTIES CUDA_ARCHITECTURES \"80;90\" LINKER CUDA)", {
            "80;90 at `80;90`"
        });
        let one = |target: &str, list: &str| {
            format!("set_target_properties({target} PROPERTIES CUDA_ARCHITECTURES {list})\n")
        };
        check(&(one("a", "80") + &one("b", "80")), "80 at `80`");
        check(&(one("a", "80") + &one("b", "90")), "computed");
    }

    #[test]
    fn what_only_a_run_would_tell_is_computed() {
        check("if(BIG)\n set(CMAKE_CUDA_ARCHITECTURES 90)\nendif()", "computed");
        check("set(CMAKE_CUDA_ARCHITECTURES ${ARCHS})", "computed");
        check("set(CMAKE_CUDA_ARCHITECTURES native)", "computed");
        check("set(CMAKE_CUDA_ARCHITECTURES OFF)", "computed");
        check(
            "set(CMAKE_CUDA_ARCHITECTURES 80)\nif(x)\nlist(APPEND CMAKE_CUDA_ARCHITECTURES 90)\nendif()",
            "computed",
        );
        check("list(REMOVE_ITEM CMAKE_CUDA_ARCHITECTURES 80)", "computed");
        check("function(f)\n set(CMAKE_CUDA_ARCHITECTURES 90)\nendfunction()", "computed");
    }

    #[test]
    fn options_of_nvcc_are_read_in_its_flags() {
        check(
            "set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -O3 -gencode arch=compute_80,code=sm_80\")",
            "-gencode arch=compute_80,code=sm_80 at `${CMAKE_CUDA_FLAGS} -O3 -gencode arch=compute_80,code=sm_80`",
        );
        check(
            "list(APPEND CUDA_NVCC_FLAGS -gencode arch=compute_80,code=sm_80 -std=c++17)",
            "-gencode arch=compute_80,code=sm_80 at `-gencode arch=compute_80,code=sm_80 -std=c++17`",
        );
        check(
            "set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS};-arch=sm_80)",
            "-arch=sm_80 at `${CUDA_NVCC_FLAGS};-arch=sm_80`",
        );
        check("set(CMAKE_CUDA_FLAGS \"-arch=sm_${CC}\")", "computed");
        check("set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -O3\")", "");
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        for text in ["set(CMAKE_CUDA_ARCHITECTURES \"80", "set(", ")", "#[[", "set(CMAKE_CUDA_ARCHITECTURES"]
        {
            read(text);
        }
    }
}
