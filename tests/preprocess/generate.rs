//! Programs full of what makes passes part ways, from a seed.
//!
//! In: a number. Out: a main file and headers, as text. Nothing here promises that a program makes
//! sense: what a preprocessor does with nonsense must not hang on the other passes either.

use fastrand::Rng;

/// The constructs that a program must leave out, so that a given reader can be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Our own preprocessor: nothing is left out.
    Ours,
    /// GCC: no invocations that nothing closes, and nothing the standard leaves open.
    Gcc,
    /// Clang, which further refuses `#include` in the arguments of an invocation, and has other names
    /// for files.
    Clang,
}

/// A program: file names and their texts, the main file first.
pub(crate) type Program = Vec<(String, String)>;

/// The targets whose passes, with the host's, read the programs.
pub(crate) const TARGETS: &str = "70,75,80,86,90,90a,100";

const HEADERS: usize = 4;

/// The program of a seed.
pub(crate) fn program(seed: u64, reader: Reader) -> Program {
    let rng = Rng::with_seed(seed);
    let closed = reader != Reader::Ours || seed.is_multiple_of(2);
    let mut maker = Maker { rng, reader, closed, lines: Vec::new(), file: 0, in_call: 0 };
    let mut files = Vec::new();
    for file in (0..=HEADERS).rev() {
        maker.file = file;
        let guard = match file {
            0 => Guard::None,
            _ => maker.pick(&[Guard::None, Guard::Once, Guard::Macro]),
        };
        match guard {
            Guard::Once => maker.line("#pragma once"),
            Guard::Macro => {
                maker.line(format!("#ifndef GUARD{file}\n#define GUARD{file} {file}"));
            }
            Guard::None => {}
        }
        if file == 0 {
            maker.prelude();
        }
        let length = if file == 0 { 4 + maker.below(12) } else { 1 + maker.below(4) };
        maker.block(length, 0);
        if file == 0 {
            maker.probes();
        }
        if guard == Guard::Macro {
            maker.line("#endif");
        }
        let name = if file == 0 { "main.cu".to_string() } else { format!("h{file}.h") };
        files.push((name, std::mem::take(&mut maker.lines).join("\n") + "\n"));
    }
    files.reverse();
    files
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    None,
    Once,
    Macro,
}

struct Maker {
    rng: Rng,
    reader: Reader,
    /// Every invocation is closed where it is meant to be.
    closed: bool,
    lines: Vec<String>,
    /// The number of the file being made: it includes only files with higher ones.
    file: usize,
    /// How many invocations are open around the line.
    in_call: usize,
}

/// Names that are macros of any kind in some passes, and of another or none in others.
const NAMES: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];

impl Maker {
    fn below(&mut self, limit: usize) -> usize {
        self.rng.usize(..limit)
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.rng.usize(..list.len())]
    }

    fn name(&mut self) -> &'static str {
        self.pick(&NAMES)
    }

    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// Macros that later lines rely on in every program.
    fn prelude(&mut self) {
        self.line("#define ID(x) x");
        self.line("#define PASTE(a, b) PASTE_(a, b)");
        self.line("#define PASTE_(a, b) a##b");
        self.line("#define STR(...) STR_(__VA_ARGS__)");
        self.line("#define STR_(...) #__VA_ARGS__");
        self.line("#define OPT(x, ...) x __VA_OPT__([ x __VA_ARGS__ ]) end");
        self.line("#define GNU(x, rest...) f(x, ## rest)");
        self.line("#define EMPTY");
        self.line("#define OPEN (");
        self.line("#define HAS(x) defined(x)");
        self.line("#define HEADER \"h1.h\"");
        for _ in 0..2 + self.below(3) {
            self.conditional(1, 1);
        }
    }

    /// The state of every name, counter, stack and header at the end.
    fn probes(&mut self) {
        self.line("#line 9000 \"end\"");
        for name in NAMES {
            self.line(format!(
                "#ifdef {name}\n{name}_is {name} {name}(1) {name}(1, 2) STR({name}(x, y)) ;\n#endif"
            ));
        }
        self.line("__COUNTER__ __LINE__ __FILE__");
        for name in NAMES {
            self.line(format!("#pragma pop_macro(\"{name}\")\n{name} ;"));
        }
        for header in 1..=HEADERS {
            self.line(format!("#include \"h{header}.h\""));
        }
    }

    fn block(&mut self, length: usize, depth: usize) {
        for _ in 0..length {
            self.item(depth);
        }
    }

    fn item(&mut self, depth: usize) {
        match self.below(24) {
            0..=6 => {
                let text = self.text(5, 2);
                self.line(text);
            }
            7..=10 => self.define(),
            11 => {
                let name = self.name();
                self.line(format!("#undef {name}"));
            }
            12..=15 if depth < 4 => {
                let length = self.below(3);
                self.conditional(length, depth + 1);
            }
            16..=18 if depth < 4 => self.split_call(depth + 1),
            19 => self.include(),
            20 => self.stack(),
            21 => {
                let number = 10 + self.below(500);
                let text = match self.below(4) {
                    0 => format!("#line {number}"),
                    1 => format!("#line {number} \"renamed{number}\""),
                    2 => format!("# {number} \"marked{number}\" 3"),
                    _ => format!("#line PASTE({number}, EMPTY)"),
                };
                self.line(text);
            }
            22 if (self.in_call == 0 || self.reader == Reader::Ours) && self.one_in(3) => {
                let condition = self.arch();
                // One that every pass of a unit meets stops none.
                self.line(format!("#ifdef __CUDA_ARCH__\n#if {condition}\n#error stop\n#endif\n#endif"));
            }
            22 if self.one_in(3) => self.line("#warning beware"),
            _ => {
                let name = self.name();
                // Nothing but the name: what follows may be another pass's parenthesis.
                self.line(name);
            }
        }
    }

    fn define(&mut self) {
        let name = self.name();
        // Compilers go their own ways where an invocation has too few or too many arguments.
        let kind = match self.below(12) {
            5..=8 if self.reader != Reader::Ours => 7,
            kind => kind,
        };
        let text = match kind {
            4 if self.reader == Reader::Clang => {
                format!("#define {name}(...) {}", self.body(&["__VA_ARGS__"]))
            }
            0..=3 => format!("#define {name} {}", self.body(&[])),
            4..=5 => format!("#define {name}(x) {}", self.body(&["x"])),
            6 => format!("#define {name}(x, y) {}", self.body(&["x", "y"])),
            7 => format!("#define {name}(x, ...) {}", self.body(&["x", "__VA_ARGS__"])),
            8 => format!("#define {name}() {}", self.body(&[])),
            9 => format!("#define {name} {}", self.below(4)),
            10 if self.reader == Reader::Ours => format!("#define {name}(x) x"),
            10 => format!("#define {name}(x, ...) x"),
            _ => {
                let other = self.name();
                match self.below(4) {
                    0 => format!("#define {name} HAS({other})"),
                    1 => format!("#define {name} __CUDA_ARCH__"),
                    2 => format!("#define HEADER \"h{}.h\"", 1 + self.below(HEADERS)),
                    _ => format!("#define {name} {other}"),
                }
            }
        };
        // A redefinition without `#undef` is an error to compilers, and done all the same.
        if self.one_in(2) {
            let defined = text.split([' ', '(']).nth(1).unwrap_or_default().to_string();
            self.line(format!("#undef {defined}"));
        }
        self.line(text);
    }

    /// A replacement list with the given parameters.
    fn body(&mut self, parameters: &[&str]) -> String {
        let mut words = Vec::new();
        for _ in 0..self.below(5) {
            let parameter = match parameters {
                [] => "p".to_string(),
                _ => self.pick(parameters).to_string(),
            };
            words.push(match self.below(14) {
                0..=3 => parameter,
                4 if !parameters.is_empty() => format!("#{parameter}"),
                5 | 6 if self.reader == Reader::Clang => format!("{parameter}_ n"),
                5 => format!("{parameter}_##{parameter}"),
                6 => format!("n ## {parameter}"),
                7 if parameters.contains(&"__VA_ARGS__") => {
                    format!("__VA_OPT__(, {parameter} {}) tail", self.name())
                }
                8 => format!("{}({parameter})", self.name()),
                9 if self.reader == Reader::Ours => "__LINE__".to_string(),
                10 if !self.closed => self.pick(&["(", ")", "OPEN", "ID OPEN", "__COUNTER__"]).to_string(),
                10 if self.reader != Reader::Ours => self.pick(&["+ -", "__COUNTER__"]).to_string(),
                10 => self.pick(&[",", "+ -", "__COUNTER__", "__CUDA_ARCH__"]).to_string(),
                _ => self.name().to_string(),
            });
        }
        words.join(self.pick(&[" ", "  "]))
    }

    fn text(&mut self, length: usize, depth: usize) -> String {
        let mut words = Vec::new();
        for _ in 0..1 + self.below(length) {
            let word = self.word(depth);
            words.push(word);
        }
        // What GCC prints of a literal and a name without a blank between them is not always what it read.
        words.join(if self.reader == Reader::Ours && self.one_in(4) { "" } else { " " })
    }

    fn word(&mut self, depth: usize) -> String {
        let name = self.name();
        match self.below(24) {
            0..=4 => name.to_string(),
            5..=9 if depth > 0 => {
                let arguments = self.arguments(depth - 1);
                let blank = self.pick(&["", "", " "]);
                format!("{name}{blank}({arguments})")
            }
            10..=13 if depth > 0 => {
                let arguments = self.arguments(depth - 1);
                let called = self.pick(&["ID", "PASTE", "STR", "STR_", "OPT", "GNU"]);
                match called {
                    "PASTE" => format!("PASTE({name}, {})", self.pick(&["_t", "1", name, "__CUDA_ARCH__"])),
                    "ID" => format!("ID({})", self.text(2, depth - 1)),
                    called => format!("{called}({arguments})"),
                }
            }
            14 => "__COUNTER__".to_string(),
            // In an argument of several lines each compiler has its own line.
            15 if self.reader == Reader::Ours || self.in_call == 0 => "__LINE__".to_string(),
            16 if self.reader == Reader::Clang => "__CUDA_ARCH__".to_string(),
            16 => self.pick(&["__FILE__", "__INCLUDE_LEVEL__", "__CUDA_ARCH__"]).to_string(),
            17 if self.reader != Reader::Ours => "\"s\"".to_string(),
            17 => format!("\"s\"{}", if self.one_in(2) { name } else { "_x" }),
            18 if !self.closed => {
                self.pick(&["(", ")", ",", "OPEN", "ID OPEN", "ID EMPTY (x)", "%:", "<:"]).to_string()
            }
            19 if self.reader == Reader::Ours => {
                format!("_Pragma(\"{}_macro(\\\"{name}\\\")\")", self.pick(&["push", "pop"]))
            }
            20 => format!("{}", self.below(100)),
            _ => self.pick(&["int", "float", "x", "y", "+", "::", ";", "'c'", "/* c */", "$v"]).to_string(),
        }
    }

    fn arguments(&mut self, depth: usize) -> String {
        let count = self.below(4);
        let list: Vec<String> = (0..count).map(|_| self.text(2, depth)).collect();
        list.join(", ")
    }

    /// A condition on the architecture alone.
    fn arch(&mut self) -> String {
        let number = self.pick(&[700, 750, 800, 860, 900, 1000]);
        let operator = self.pick(&[">=", "<", "==", "!="]);
        match self.below(7) {
            0 => "defined(__CUDA_ARCH__)".to_string(),
            1 => "!defined __CUDA_ARCH__".to_string(),
            2 => format!("__CUDA_ARCH__-0 {operator} {number}"),
            3 => format!("{number} <= __CUDA_ARCH__ && __CUDA_ARCH__ < 1000"),
            4 => format!("not defined __CUDA_ARCH__ or __CUDA_ARCH__ {operator} {number}"),
            _ => format!("__CUDA_ARCH__ {operator} {number}"),
        }
    }

    fn condition(&mut self) -> String {
        let (one, two) = (self.name(), self.name());
        let arch = self.arch();
        match self.below(16) {
            0..=5 => arch,
            6 => format!("defined {one}"),
            7 => format!("defined({one}) && !defined({two})"),
            8 => format!("defined {one} || {arch}"),
            9 => format!("({arch}) ? defined {one} : defined {two}"),
            10 => format!("HAS({one})"),
            11 => format!("__has_include(\"h{}.h\") && {arch}", self.below(HEADERS + 3)),
            12 if self.reader == Reader::Ours => format!("{one} && {one}(1, 2) > -1u || {two}"),
            13 if self.reader == Reader::Ours => format!("PASTE({one}, {two}) - {two} >= ID({one})"),
            14 => "__COUNTER__ % 2".to_string(),
            12 => format!("0 && {one} / 0 || ~0u > {}", self.below(3)),
            _ => format!("{} {} {}", self.below(3), self.pick(&["<", "==", "-", "^"]), self.below(3)),
        }
    }

    fn conditional(&mut self, length: usize, depth: usize) {
        let opening = match self.below(5) {
            0 => format!("#ifdef {}", self.name()),
            1 => format!("#ifndef {}", self.name()),
            2 => "#ifdef __CUDA_ARCH__".to_string(),
            _ => format!("#if {}", self.condition()),
        };
        self.line(opening);
        self.block(length, depth);
        for _ in 0..self.below(3) {
            let next = match self.below(5) {
                0 => format!("#elifdef {}", self.name()),
                1 => format!("#elifndef {}", self.name()),
                _ => format!("#elif {}", self.condition()),
            };
            self.line(next);
            let length = self.below(3);
            self.block(length, depth);
        }
        if self.one_in(2) {
            self.line("#else");
            self.block(length, depth);
        }
        self.line("#endif");
    }

    /// An invocation with lines of their own in its arguments, directives among them.
    fn split_call(&mut self, depth: usize) {
        let name = match self.below(3) {
            0 => self.pick(&["ID", "STR", "STR_", "OPT", "GNU"]),
            _ => self.name(),
        };
        self.line(format!("{name}("));
        self.in_call += 1;
        let most = if name == "ID" { 1 } else { 3 };
        for argument in 0..1 + self.below(most) {
            if argument > 0 {
                self.line(",");
            }
            let length = 1 + self.below(2);
            if self.one_in(2) {
                self.conditional(length, depth);
            } else {
                self.block(length, depth);
            }
        }
        self.in_call -= 1;
        let after = self.pick(&["", ";", "(1)", "after"]);
        self.line(format!(") {after}"));
    }

    fn include(&mut self) {
        if self.file == HEADERS || self.in_call > 0 && self.reader == Reader::Clang {
            return;
        }
        let header = self.file + 1 + self.below(HEADERS - self.file);
        let text = match self.below(6) {
            0 => format!("#import \"h{header}.h\""),
            1 => format!("#define HEADER_ \"h{header}.h\"\n#include HEADER_"),
            2 if self.file == 0 => "#include HEADER".to_string(),
            3 => format!("#include <h{header}.h>"),
            _ => format!("#include \"h{header}.h\""),
        };
        let text = match self.reader {
            Reader::Ours => text,
            _ => text.replace("#import", "#include").replace(['<', '>'], "\""),
        };
        self.line(text);
    }

    fn stack(&mut self) {
        let name = self.name();
        match self.below(3) {
            0 => self.line(format!("#pragma pop_macro(\"{name}\")")),
            _ => self.line(format!("#pragma push_macro(\"{name}\")")),
        }
    }
}
