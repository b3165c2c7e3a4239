//! Targets in a `CMakeLists.txt`: `CMAKE_CUDA_ARCHITECTURES`, the property `CUDA_ARCHITECTURES`, and nvcc's options in the
//! flags variables and compile options.
//!
//! Commands are followed in order, with the variables of the file; what is set behind a condition that can't be decided,
//! or in a loop, is not known afterwards.

use std::collections::BTreeMap;
use std::ops::Range;

use super::cmake_condition::{UNKNOWN, Variables, is_about_cuda, names_a_list};
use super::cmake_syntax::{Argument, Command, commands};
use super::{BuildFile, DeclaredTargets, Notation, nvcc_options, only};

/// The variable that initializes the architectures of new targets.
const VARIABLE: &str = "CMAKE_CUDA_ARCHITECTURES";

/// The property of a target that holds its architectures.
const PROPERTY: &str = "CUDA_ARCHITECTURES";

/// Variables that hold nvcc's options; the second belongs to `FindCUDA`.
const FLAGS: [&str; 2] = ["CMAKE_CUDA_FLAGS", "CUDA_NVCC_FLAGS"];

/// Commands that read a variable without changing it.
const READING: [&str; 10] = [
    "message",
    "foreach",
    "endforeach",
    "while",
    "return",
    "get_property",
    "get_target_property",
    "mark_as_advanced",
    "project",
    "include",
];

/// The targets that a `CMakeLists.txt` names.
pub(super) fn read(file: &BuildFile<'_>) -> DeclaredTargets {
    let mut walk = Walk {
        variables: Variables { toolkit: file.toolkit, values: BTreeMap::new() },
        blocks: Vec::new(),
        places: BTreeMap::new(),
        overridable: false,
        found: Vec::new(),
    };
    for command in commands(file.text) {
        walk.command(&command);
    }
    walk.declared()
}

/// Whether the commands at a place run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Live {
    Yes,
    /// Unless the user names targets.
    Default,
    Maybe,
    No,
}

/// A block of commands.
struct Block {
    /// Whether its commands run, if those around it do.
    live: Live,
    /// Whether some branch of the conditional was taken.
    taken: Live,
}

/// A file being followed.
struct Walk {
    variables: Variables,
    blocks: Vec<Block>,
    /// Where variables that name targets were set first.
    places: BTreeMap<String, Range<usize>>,
    /// The architectures are those of a build whose user names none.
    overridable: bool,
    /// What properties and compile options name.
    found: Vec<DeclaredTargets>,
}

impl Walk {
    fn live(&self) -> Live {
        self.blocks.iter().map(|block| block.live).max().unwrap_or(Live::Yes)
    }

    fn command(&mut self, command: &Command) {
        let words: Vec<&str> = command.arguments.iter().map(|argument| argument.text.as_str()).collect();
        match command.name.as_str() {
            "if" => {
                let live = self.branch(&words);
                return self.blocks.push(Block { live, taken: live });
            }
            "elseif" | "else" => return self.next_branch((command.name == "elseif").then_some(&*words)),
            "foreach" | "while" | "function" | "macro" => {
                return self.blocks.push(Block { live: Live::Maybe, taken: Live::Maybe });
            }
            "block" => return self.blocks.push(Block { live: Live::Yes, taken: Live::Yes }),
            "endif" | "endforeach" | "endwhile" | "endfunction" | "endmacro" | "endblock" => {
                self.blocks.pop();
                return;
            }
            _ => {}
        }
        if self.live() != Live::No && !READING.contains(&command.name.as_str()) {
            self.run(command, &words);
        }
    }

    /// Whether the branch of this condition runs.
    fn branch(&self, words: &[&str]) -> Live {
        // `if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND …)`, or a list of the project's own: the default, unless the user names
        // targets.
        let is_unset_list = |word: &&str| names_a_list(word) && !self.variables.values.contains_key(*word);
        let asks = words.iter().any(is_unset_list);
        match self.variables.holds(words) {
            Some(true) if asks => Live::Default,
            Some(true) => Live::Yes,
            Some(false) => Live::No,
            None => Live::Maybe,
        }
    }

    /// Goes on with the `elseif` of this condition, or with `else`.
    fn next_branch(&mut self, condition: Option<&[&str]>) {
        let next = condition.map_or(Live::Yes, |words| self.branch(words));
        let Some(block) = self.blocks.last_mut() else { return };
        block.live = match block.taken {
            Live::Yes | Live::Default => Live::No,
            Live::No => next,
            Live::Maybe => next.max(Live::Maybe),
        };
        block.taken = block.taken.min(if block.taken == Live::Maybe { Live::Maybe } else { next });
    }

    /// Carries a command out.
    fn run(&mut self, command: &Command, words: &[&str]) {
        match (command.name.as_str(), words) {
            ("set", [name, values @ ..]) => {
                let end = values.iter().position(|word| is_option(word)).unwrap_or(values.len());
                let cached = values.get(end) == Some(&"CACHE") && !values.contains(&"FORCE");
                if cached && self.variables.values.contains_key(*name) {
                    return;
                }
                let arguments = &command.arguments[1..1 + end];
                self.set(name, self.joined(arguments), arguments);
                if cached && *name == VARIABLE {
                    self.overridable = true;
                }
            }
            ("unset", [name, ..]) => {
                self.variables.values.remove(*name);
            }
            ("option", [name, _, value @ ..]) if !self.variables.values.contains_key(*name) => {
                // Who compiles CUDA code has switched it on.
                let on = is_about_cuda(&name.to_ascii_uppercase());
                let value = if on { "ON" } else { value.first().copied().unwrap_or("OFF") }.to_string();
                self.set(name, value, &[]);
            }
            ("list", ["APPEND", name, ..]) | ("string", ["APPEND", name, ..]) => {
                let arguments = &command.arguments[2..];
                let known = self.variables.values.get(*name).cloned();
                let unset = || if self.may_begin(name) { String::new() } else { UNKNOWN.to_string() };
                let between = if command.name == "list" { ";" } else { "" };
                let before = known.filter(|known| !known.is_empty()).unwrap_or_else(unset);
                let added = self.joined(arguments);
                let between = if before.is_empty() { "" } else { between };
                self.set(name, format!("{before}{between}{added}"), arguments);
            }
            ("list", ["REMOVE_ITEM", name, items @ ..]) if self.variables.values.contains_key(*name) => {
                let items: Vec<String> = items.iter().map(|item| self.variables.expanded(item)).collect();
                let value = &self.variables.values[*name];
                let kept: Vec<&str> =
                    value.split(';').filter(|one| !items.iter().any(|item| item == one)).collect();
                let value = kept.join(";");
                self.set(name, value, &[]);
            }
            ("list", ["POP_BACK", name, out]) if self.variables.values.contains_key(*name) => {
                let value = self.variables.values[*name].clone();
                let (rest, last) = value.rsplit_once(';').unwrap_or(("", &value));
                self.set(out, last.to_string(), &[]);
                self.set(name, rest.to_string(), &[]);
            }
            ("list", ["TRANSFORM", name, "APPEND", end, to @ ..])
                if self.variables.values.contains_key(*name) && matches!(to, [] | ["OUTPUT_VARIABLE", _]) =>
            {
                let end = self.variables.expanded(end);
                let ended = |one: &str| format!("{one}{end}");
                let value = self.variables.values[*name].split(';').map(ended).collect::<Vec<_>>().join(";");
                self.set(to.get(1).unwrap_or(name), value, &[]);
            }
            ("list", ["REMOVE_DUPLICATES" | "SORT" | "LENGTH" | "FIND" | "GET", ..]) => {}
            ("set_property", _) if words.contains(&PROPERTY) => self.property(command, words, words.len()),
            ("set_target_properties", _) if words.contains(&PROPERTY) => self.property(command, words, 1),
            (
                "target_compile_options" | "add_compile_options" | "cuda_add_executable" | "cuda_add_library",
                _,
            ) => {
                self.compile_options(command);
            }
            (_, words) => {
                let named: Vec<&&str> = words.iter().filter(|word| self.is_about_targets(word)).collect();
                for name in named {
                    self.variables.values.insert(name.to_string(), UNKNOWN.to_string());
                    self.places.entry(name.to_string()).or_insert(0..0);
                }
            }
        }
    }

    /// A variable that a command may change in a way that is not followed.
    fn is_about_targets(&self, word: &str) -> bool {
        word == VARIABLE || FLAGS.contains(&word) || self.variables.values.contains_key(word)
    }

    /// An unset list of architectures begins with nothing; any other variable may come from elsewhere.
    fn may_begin(&self, name: &str) -> bool {
        name == VARIABLE || FLAGS.contains(&name)
    }

    /// The values joined to a list. Flags that are not set yet are none about targets.
    fn joined(&self, arguments: &[Argument]) -> String {
        let expand = |argument: &Argument| {
            let mut text = argument.text.clone();
            for name in FLAGS.iter().filter(|name| !self.variables.values.contains_key(**name)) {
                text = text.replace(&format!("${{{name}}}"), "");
            }
            self.variables.expanded(&text)
        };
        arguments.iter().map(expand).collect::<Vec<_>>().join(";")
    }

    fn set(&mut self, name: &str, value: String, arguments: &[Argument]) {
        let live = self.live();
        let value = match live {
            Live::Maybe => UNKNOWN.to_string(),
            _ => value,
        };
        if name == VARIABLE {
            self.overridable = live == Live::Default;
        }
        if let (Some(first), Some(last)) = (arguments.first(), arguments.last()) {
            match value.is_empty() {
                true => _ = self.places.remove(name),
                false => _ = self.places.entry(name.to_string()).or_insert(first.bytes.start..last.bytes.end),
            }
        }
        self.variables.values.insert(name.to_string(), value);
    }

    /// A property of a target or a file; at most so many values belong to it.
    fn property(&mut self, command: &Command, words: &[&str], most: usize) {
        let Some(at) = words.iter().position(|word| *word == PROPERTY) else { return };
        let values = &command.arguments[at + 1..(at + 1 + most).min(words.len())];
        let own = format!("${{{VARIABLE}}}");
        if values.iter().all(|value| value.text == own) && !self.variables.values.contains_key(VARIABLE) {
            return;
        }
        let (Some(first), Some(last)) = (values.first(), values.last()) else { return };
        let value = if self.live() == Live::Maybe { UNKNOWN.to_string() } else { self.joined(values) };
        let declared = of_list(value, first.bytes.start..last.bytes.end);
        self.found.push(declared);
    }

    /// Options for the compiler: `$<$<COMPILE_LANGUAGE:CUDA>:-arch=sm_80>`, `"SHELL:-gencode arch=…"`.
    fn compile_options(&mut self, command: &Command) {
        let named: Vec<&Argument> =
            command.arguments.iter().filter(|argument| names_targets(&argument.text)).collect();
        let (Some(first), Some(last)) = (named.first(), named.last()) else { return };
        let from = command.arguments.iter().position(|argument| std::ptr::eq(argument, *first)).unwrap_or(0);
        let values = &command.arguments[from..];
        let text = self.joined(values).replace(';', " ");
        let text: Vec<&str> = text.split_whitespace().map(without_generator).collect();
        let unknown = self.live() == Live::Maybe;
        let options = nvcc_options(&text.join(" ")).filter(|options| !unknown && !is_open(options));
        self.found.push(options.map_or(DeclaredTargets::Computed, |options| {
            DeclaredTargets::Plain(Notation::Nvcc, options, first.bytes.start..last.bytes.end)
        }));
    }

    /// What the file names after its last command.
    fn declared(mut self) -> DeclaredTargets {
        if let Some(value) = self.variables.values.get(VARIABLE) {
            let place = self.places.get(VARIABLE).cloned().unwrap_or(0..0);
            let declared = of_list(value.clone(), place);
            match declared {
                DeclaredTargets::Plain(notation, list, bytes) if self.overridable => {
                    self.found.push(DeclaredTargets::Default(notation, list, bytes));
                }
                declared => self.found.push(declared),
            }
        }
        for name in FLAGS {
            let Some(value) = self.variables.values.get(name).filter(|value| names_targets(value)) else {
                continue;
            };
            let place = self.places.get(name).cloned().unwrap_or(0..0);
            let options = nvcc_options(&value.replace(';', " ")).filter(|options| !is_open(options));
            self.found.push(options.map_or(DeclaredTargets::Computed, |options| {
                DeclaredTargets::Plain(Notation::Nvcc, options, place)
            }));
        }
        only(self.found)
    }
}

/// Whether a word is an option, which ends a list of values.
fn is_option(word: &str) -> bool {
    matches!(word, "CACHE" | "PARENT_SCOPE")
}

fn names_targets(text: &str) -> bool {
    ["gencode", "generate-code", "-arch", "gpu-architecture"].iter().any(|option| text.contains(option))
}

/// Options in which something is not known.
fn is_open(options: &str) -> bool {
    options.contains([UNKNOWN, '$', '<', '>'])
}

/// A word without the generator expressions around it.
fn without_generator(word: &str) -> &str {
    let word = word.rfind(">:").map_or(word, |at| &word[at + 2..]);
    let word = word.strip_prefix("SHELL:").unwrap_or(word);
    word.trim_end_matches('>')
}

/// The targets in a list of architectures, if they are known.
fn of_list(list: String, bytes: Range<usize>) -> DeclaredTargets {
    // The value may depend on the machine, or on options elsewhere.
    match list.contains([UNKNOWN, '$']) || list.contains("native") || is_off(&list) {
        true => DeclaredTargets::Computed,
        false => DeclaredTargets::Plain(Notation::Cmake, list, bytes),
    }
}

/// Whether the list is CMake's "off": options for the compiler name the targets instead.
fn is_off(list: &str) -> bool {
    list.is_empty() || ["OFF", "FALSE", "NO", "0"].iter().any(|word| list.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::super::declared::tests::{file, said};
    use super::*;

    /// Compares the list that is read, `computed`, or nothing.
    fn check(text: &str, expected: &str) {
        assert_eq!(said(read(&file(text)), text), expected, "{text}");
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
            "set(CMAKE_CUDA_ARCHITECTURES \"\")\nlist(APPEND CMAKE_CUDA_ARCHITECTURES 80 90)",
            "80;90 at `80 90`",
        );
        check(
            "message(\"${CMAKE_CUDA_ARCHITECTURES}\")\nif(CMAKE_CUDA_ARCHITECTURES MATCHES 80)\nendif()",
            "",
        );
    }

    #[test]
    fn the_property_is_read_where_all_targets_have_the_same() {
        check("set_property(TARGET a PROPERTY CUDA_ARCHITECTURES 80 90)", "80;90 at `80 90`");
        check(
            "set_target_properties(a PROPERTIES CUDA_ARCHITECTURES \"80;90\" LINKER CUDA)",
            "80;90 at `80;90`",
        );
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
        check("foreach(a 80 90)\nlist(APPEND CMAKE_CUDA_ARCHITECTURES ${a})\nendforeach()", "computed");
        check("list(REMOVE_ITEM CMAKE_CUDA_ARCHITECTURES 80)", "computed");
        check("cuda_select(CMAKE_CUDA_ARCHITECTURES)", "computed");
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
    fn variables_and_conditions_on_the_release_are_followed() {
        check("set(MINE 80 90)\nset(CMAKE_CUDA_ARCHITECTURES ${MINE})", "80;90 at `${MINE}`");
        check(
            "set(A 75)\nif(CUDA_VERSION VERSION_GREATER_EQUAL 12.8)\nlist(APPEND A 100)\nelse()\nset(A 50)\nendif()\n\
             set_target_properties(x PROPERTIES CUDA_ARCHITECTURES \"${A}\")",
            "75;100 at `${A}`",
        );
        check(
            "if(USE_CUDA)\nif(NOT CMAKE_CUDA_ARCHITECTURES)\nset(CMAKE_CUDA_ARCHITECTURES 75)\nendif()\nendif()",
            "75 at `75`",
        );
        // A project's own list, which its user may set.
        check(
            "if(NOT DEFINED MY_CUDA_ARCHITECTURES)\nif(\"$ENV{CUDAARCHS}\" STREQUAL \"\")\nset(ARCHS \"61;75\")\n\
             else()\nset(ARCHS \"$ENV{CUDAARCHS}\")\nendif()\n\
             set(MY_CUDA_ARCHITECTURES \"${ARCHS}\" CACHE INTERNAL \"\")\nendif()\n\
             set(CMAKE_CUDA_ARCHITECTURES \"${MY_CUDA_ARCHITECTURES}\")",
            "61;75 at `${MY_CUDA_ARCHITECTURES}`",
        );
        check(
            "if(NOT MY_CUDA_ARCHS)\nset(MY_CUDA_ARCHS 80)\nendif()\nset(CMAKE_CUDA_ARCHITECTURES ${MY_CUDA_ARCHS})",
            "80 at `${MY_CUDA_ARCHS}`",
        );
        check("set(CMAKE_CUDA_ARCHITECTURES \"$ENV{MINE}\")", "computed");
        let own = "if(NOT MY_CUDA_ARCHS)\nset(CMAKE_CUDA_ARCHITECTURES 80)\nendif()";
        assert!(
            matches!(read(&file(own)), DeclaredTargets::Default(..)),
            "whoever sets the list names others"
        );
        check("option(BIG \"x\" OFF)\nif(BIG)\nset(CMAKE_CUDA_ARCHITECTURES 90)\nendif()", "");
        check(
            "if(WIN32)\nset(CMAKE_CUDA_ARCHITECTURES 90)\nelse()\nset(CMAKE_CUDA_ARCHITECTURES 80)\nendif()",
            "80 at `80`",
        );
        check(
            "set(CMAKE_CUDA_ARCHITECTURES 80 90)\nlist(REMOVE_ITEM CMAKE_CUDA_ARCHITECTURES 90)",
            "80 at `80 90`",
        );
    }

    #[test]
    fn compile_options_are_read() {
        check(
            "target_compile_options(x PRIVATE -O2 $<$<COMPILE_LANGUAGE:CUDA>:-arch=sm_80>)",
            "-arch=sm_80 at `$<$<COMPILE_LANGUAGE:CUDA>:-arch=sm_80>`",
        );
        check(
            "add_compile_options(\"SHELL:-gencode arch=compute_80,code=sm_80\")",
            "-gencode arch=compute_80,code=sm_80 at `SHELL:-gencode arch=compute_80,code=sm_80`",
        );
        check("target_compile_options(x PRIVATE -arch=sm_${A})", "computed");
    }

    #[test]
    fn values_that_double_are_not_known() {
        let doubling: String = (0..60).map(|n| format!("set(A{} ${{A{n}}}${{A{n}}})\n", n + 1)).collect();
        check(&format!("set(A0 80)\n{doubling}set(CMAKE_CUDA_ARCHITECTURES ${{A60}})"), "computed");
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        for text in ["set(CMAKE_CUDA_ARCHITECTURES \"80", "set(", ")", "#[[", "set(CMAKE_CUDA_ARCHITECTURES"]
        {
            read(&file(text));
        }
    }
}
