//! One command line of nvcc, clang or hipcc: the options that matter to preprocessing and to the choice of targets.

use std::path::{Path, PathBuf};

use crate::source::read_utf8;
use crate::target::notation::{
    ClangOptions, Context, NvccOption, NvccOptions, ParsedTargets, clang_option, nvcc_target_option,
    read_clang, read_nvcc,
};
use crate::target::{Machine, Standard, family_of};

use super::unit::Define;
use super::words::{split_commas, split_option_file};

/// The options of a compile command that matter here.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    /// The compiler's program, as spelled.
    pub(super) program: String,
    /// Whether the compiler is nvcc, or Kokkos' `nvcc_wrapper`, which calls nvcc.
    pub(super) nvcc: bool,
    /// Whether the language is CUDA whatever the file's name: `-x cu` (nvcc), `-x cuda` (clang), always with
    /// `nvcc_wrapper`.
    pub(super) cuda_language: bool,
    /// Whether the compiler is hipcc, or the language is `hip`.
    pub(super) hip: bool,
    /// nvcc's target options.
    pub(super) nvcc_targets: NvccOptions,
    /// clang's and hipcc's target options.
    pub(super) clang_targets: ClangOptions,
    /// The first word that names targets, as spelled.
    pub(super) target_word: Option<String>,
    /// `-o`.
    pub(super) output: Option<String>,
    /// SCALE's `--cuda-ccmap`.
    pub(super) ccmap: Option<PathBuf>,
    /// `-rdc=true`, `-dc`, `-fgpu-rdc`.
    pub(super) rdc: bool,
    /// `-std`, if its value is known.
    pub(super) standard: Option<Standard>,
    /// `-ccbin`: nvcc's host compiler, as spelled.
    pub(super) host: Option<String>,
    /// `--target`: the machine that host code is for.
    pub(super) machine: Option<Machine>,
    /// Other options, in order; some of them predefine macros.
    pub(super) flags: Vec<String>,
    /// `-D` and `-U`, in order.
    pub(super) defines: Vec<Define>,
    /// The options about include paths. Relative directories are resolved against the command's directory.
    pub(super) search: SearchOptions,
    /// Errors about option files that could not be read.
    pub(super) unreadable: Vec<String>,
}

/// The options of a command that determine the include path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct SearchOptions {
    /// `-iquote`.
    pub(super) quote: Vec<PathBuf>,
    /// `-I`.
    pub(super) directories: Vec<PathBuf>,
    /// `-isystem`.
    pub(super) system: Vec<PathBuf>,
    /// `-idirafter`.
    pub(super) after: Vec<PathBuf>,
    /// `--embed-dir`.
    pub(super) embed: Vec<PathBuf>,
    /// `-imacros` files.
    pub(super) macros: Vec<PathBuf>,
    /// `-include` files.
    pub(super) forced: Vec<PathBuf>,
    /// `--sysroot`, `-isysroot`: the directory below which system headers are.
    pub(super) sysroot: Option<PathBuf>,
    /// `--cuda-path`.
    pub(super) cuda_path: Option<PathBuf>,
    /// `-nostdinc`: system headers are not read.
    pub(super) nostdinc: bool,
}

impl Command {
    /// The targets that the command names, if it names any: by nvcc's options if it is nvcc, else by clang's.
    pub(super) fn targets(&self, context: &Context) -> Option<ParsedTargets> {
        if !self.nvcc_targets.is_empty() {
            let options = NvccOptions { rdc: self.rdc, ..self.nvcc_targets.clone() };
            return Some(read_nvcc(&options, context));
        }
        (!self.clang_targets.is_empty()).then(|| read_clang(&self.clang_targets, context))
    }
}

impl SearchOptions {
    /// Appends the options of another command.
    pub(super) fn extend(&mut self, other: SearchOptions) {
        self.quote.extend(other.quote);
        self.directories.extend(other.directories);
        self.system.extend(other.system);
        self.after.extend(other.after);
        self.embed.extend(other.embed);
        self.macros.extend(other.macros);
        self.forced.extend(other.forced);
        self.sysroot = other.sysroot.or(self.sysroot.take());
        self.cuda_path = other.cuda_path.or(self.cuda_path.take());
        self.nostdinc |= other.nostdinc;
    }
}

/// The effect of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Ccmap,
    Quote,
    Include,
    SystemInclude,
    AfterInclude,
    EmbedDirectory,
    Macros,
    ForcedInclude,
    Sysroot,
    CudaPath,
    NoStandardIncludes,
    Standard,
    Host,
    Target,
    /// An optimisation level as nvcc spells it, with a separate value.
    Optimize,
    DefaultStream,
    NoExceptions,
    Define,
    Undefine,
    RdcValue,
    Rdc,
    NoRdc,
    OptionsFile,
    Language,
    Forward,
    Output,
    /// None, except that the next word is the option's value.
    Skip,
}

use Meaning::{
    AfterInclude, Ccmap, CudaPath, DefaultStream, Define as DefineMacro, EmbedDirectory, ForcedInclude,
    Forward, Host, Include, Language, Macros, NoExceptions, NoRdc, NoStandardIncludes, Optimize, OptionsFile,
    Output, Quote, Rdc, RdcValue, Skip, Standard as LanguageStandard, Sysroot, SystemInclude, Target,
    Undefine,
};

/// Options by name, without dashes. nvcc accepts one dash or two before each.
const OPTIONS: &[(&str, Meaning)] = &[
    ("cuda-ccmap", Ccmap),
    ("I", Include),
    ("include-path", Include),
    ("isystem", SystemInclude),
    ("system-include", SystemInclude),
    ("iquote", Quote),
    ("idirafter", AfterInclude),
    ("embed-dir", EmbedDirectory),
    ("imacros", Macros),
    ("include", ForcedInclude),
    ("pre-include", ForcedInclude),
    ("D", DefineMacro),
    ("define-macro", DefineMacro),
    ("U", Undefine),
    ("undefine-macro", Undefine),
    ("rdc", RdcValue),
    ("relocatable-device-code", RdcValue),
    ("dc", Rdc),
    ("device-c", Rdc),
    ("dw", NoRdc),
    ("device-w", NoRdc),
    ("fgpu-rdc", Rdc),
    ("fno-gpu-rdc", NoRdc),
    ("optf", OptionsFile),
    ("options-file", OptionsFile),
    ("x", Language),
    ("Xcompiler", Forward),
    ("compiler-options", Forward),
    ("o", Output),
    ("output-file", Output),
    ("MF", Skip),
    ("MT", Skip),
    ("MQ", Skip),
    ("isysroot", Sysroot),
    ("sysroot", Sysroot),
    ("cuda-path", CudaPath),
    ("nostdinc", NoStandardIncludes),
    ("std", LanguageStandard),
    ("ccbin", Host),
    ("compiler-bindir", Host),
    ("target", Target),
    ("optimize", Optimize),
    ("default-stream", DefaultStream),
    ("no-exceptions", NoExceptions),
    ("Xptxas", Skip),
    ("Xcudafe", Skip),
    ("Xlinker", Skip),
    ("Xclang", Skip),
    ("Xcuda-ptxas", Skip),
    ("Xcuda-fatbinary", Skip),
    ("odir", Skip),
    ("output-directory", Skip),
    ("diag-suppress", Skip),
    ("diag-error", Skip),
    ("diag-warn", Skip),
    ("m", Skip),
    ("target-dir", Skip),
    ("target-directory", Skip),
    ("maxrregcount", Skip),
    ("threads", Skip),
    ("t", Skip),
];

/// Kokkos' wrapper of nvcc.
const WRAPPER: &str = "nvcc_wrapper";

/// AMD's driver, a wrapper of clang.
const HIPCC: &str = "hipcc";

/// Whether a program compiles CUDA, C++ or HIP.
fn is_compiler(name: &str) -> bool {
    name.contains("nvcc") || name == HIPCC || family_of(name).is_some()
}

/// Programs that run the compiler given in their arguments.
const LAUNCHERS: &[&str] = &["ccache", "sccache", "distcc", "icecc", "buildcache", "time", "env", "cmake"];

/// How deeply option files may nest.
const OPTION_FILE_DEPTH: usize = 8;

/// Reads a command that runs in `directory`.
pub(super) fn read_command(arguments: &[String], directory: &Path) -> Command {
    let known = arguments.iter().position(|word| is_compiler(program(word)));
    let compiler = known.or_else(|| arguments.iter().position(|word| !is_launcher(word))).unwrap_or(0);
    let name = arguments.get(compiler).map_or("", |word| program(word));
    let mut reader = Reader {
        directory,
        forwarded: Vec::new(),
        command: Command {
            program: arguments.get(compiler).cloned().unwrap_or_default(),
            nvcc: name.contains("nvcc"),
            cuda_language: name == WRAPPER,
            hip: name == HIPCC,
            ..Command::default()
        },
    };
    reader.words(arguments.get(compiler + 1..).unwrap_or_default(), 0);
    reader.finish()
}

/// Reads options without a compiler; each list element is one word.
pub(super) fn read_options(options: &[String], directory: &Path) -> Command {
    let mut reader = Reader { directory, forwarded: Vec::new(), command: Command::default() };
    reader.words(options, 0);
    reader.finish()
}

/// Whether a word is a launcher, or an assignment or option of one before the compiler (`env CC=gcc -i nvcc`).
fn is_launcher(word: &str) -> bool {
    LAUNCHERS.contains(&program(word)) || word.starts_with('-') || (word.contains('=') && !word.contains('/'))
}

/// The name of a program, without its directory and `.exe`.
fn program(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

struct Reader<'a> {
    directory: &'a Path,
    /// The words that `-Xcompiler` passes to the host compiler.
    forwarded: Vec<String>,
    command: Command,
}

impl Reader<'_> {
    /// The command. Words for the host compiler come before nvcc's own options and are split at blanks and quotes,
    /// as the shell does that runs it (measured on 13.0).
    fn finish(mut self) -> Command {
        let forwarded = self.forwarded.join(" ");
        let words = shlex::split(&forwarded).unwrap_or_else(|| self.forwarded.clone());
        if words.is_empty() {
            return self.command;
        }
        let own = std::mem::take(&mut self.command);
        // Host compilers have no comma-separated lists.
        self.command = Command { nvcc: false, ..Command::default() };
        self.words(&words, 0);
        let mut search = std::mem::take(&mut self.command.search);
        search.extend(own.search);
        Command {
            standard: own.standard.or(self.command.standard),
            machine: own.machine.or(self.command.machine),
            flags: [self.command.flags, own.flags].concat(),
            defines: [self.command.defines, own.defines].concat(),
            unreadable: [own.unreadable, self.command.unreadable].concat(),
            search,
            ..own
        }
    }

    fn words(&mut self, words: &[String], depth: usize) {
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if let Some(file) = word.strip_prefix('@') {
                self.option_file(file, depth);
                continue;
            }
            if nvcc_target_option(word).is_some() || clang_option(word) {
                self.command.target_word.get_or_insert_with(|| word.clone());
            }
            if let Some(target) = nvcc_target_option(word) {
                let joined = word.split_once('=').map(|(_, value)| value.to_string());
                let value = match target {
                    NvccOption::Lto => Some(String::new()),
                    _ => joined.or_else(|| rest.next().cloned()),
                };
                if let Some(value) = value {
                    self.command.nvcc_targets.add(target, &value);
                }
                continue;
            }
            if clang_option(word) {
                self.command.clang_targets.add(word);
                continue;
            }
            let Some((meaning, joined)) = option(word) else {
                if word.starts_with(['-', '/']) {
                    self.command.flags.push(word.clone());
                }
                continue;
            };
            match meaning {
                Rdc | NoRdc => self.command.rdc = meaning == Rdc,
                NoStandardIncludes => self.command.search.nostdinc = true,
                NoExceptions => self.command.flags.push("-fno-exceptions".into()),
                _ => {}
            }
            if matches!(meaning, Rdc | NoRdc | NoStandardIncludes | NoExceptions) {
                continue;
            }
            let Some(value) = joined.or_else(|| rest.next().cloned()) else { continue };
            self.value(meaning, &value, depth);
        }
    }

    fn value(&mut self, meaning: Meaning, value: &str, depth: usize) {
        match meaning {
            Ccmap => self.command.ccmap = Some(self.directory.join(value)),
            Quote => self.command.search.quote.extend(self.paths(value)),
            Include => self.command.search.directories.extend(self.paths(value)),
            SystemInclude => self.command.search.system.extend(self.paths(value)),
            AfterInclude => self.command.search.after.extend(self.paths(value)),
            EmbedDirectory => self.command.search.embed.extend(self.paths(value)),
            Macros => self.command.search.macros.extend(self.paths(value)),
            ForcedInclude => self.command.search.forced.extend(self.paths(value)),
            Sysroot => self.command.search.sysroot = Some(self.directory.join(value)),
            CudaPath => self.command.search.cuda_path = Some(self.directory.join(value)),
            LanguageStandard => {
                self.command.standard = Standard::parse(value).ok().or(self.command.standard);
            }
            Host => self.command.host = Some(value.to_string()),
            Target => self.command.machine = Machine::of_triple(value).or(self.command.machine),
            Optimize => self.command.flags.push(format!("-O{value}")),
            DefaultStream => self.command.flags.push(format!("-default-stream={value}")),
            DefineMacro => {
                self.command.defines.extend(self.list(value).iter().map(|text| Define::parse(text)))
            }
            Undefine => self.command.defines.extend(self.list(value).into_iter().map(Define::Undef)),
            RdcValue => self.command.rdc = value == "true",
            Language => {
                self.command.cuda_language = matches!(value, "cu" | "cuda");
                self.command.hip |= value == "hip";
            }
            OptionsFile => value.split(',').for_each(|file| self.option_file(file, depth)),
            Forward => self.forwarded.extend(self.list(value)),
            Output => self.command.output = Some(value.to_string()),
            Rdc | NoRdc | NoStandardIncludes | NoExceptions | Skip => {}
        }
    }

    /// The directories or files in a value. A leading `=` stands for the sysroot.
    fn paths(&self, value: &str) -> Vec<PathBuf> {
        let sysroot = self.command.search.sysroot.as_deref().unwrap_or(Path::new("/"));
        let path = |path: &String| match path.strip_prefix('=') {
            Some(below) => sysroot.join(below.trim_start_matches('/')),
            None => self.directory.join(path),
        };
        self.list(value).iter().map(path).collect()
    }

    /// Splits a value at commas for nvcc; other compilers take it as one.
    fn list(&self, value: &str) -> Vec<String> {
        if self.command.nvcc { split_commas(value) } else { vec![value.to_string()] }
    }

    fn option_file(&mut self, file: &str, depth: usize) {
        let path = self.directory.join(file);
        let problem = match read_utf8(&path) {
            Ok(_) if depth >= OPTION_FILE_DEPTH => "option files are nested too deeply".to_string(),
            Ok(text) if self.command.nvcc => {
                return self.words(&split_option_file(&text), depth + 1);
            }
            Ok(text) => match shlex::split(&text) {
                Some(words) => return self.words(&words, depth + 1),
                None => "a quote is not closed".to_string(),
            },
            Err(error) => error.to_string(),
        };
        self.command.unreadable.push(format!("failed to read option file `{}`: {problem}", path.display()));
    }
}

/// The effect of a word as an option, and the value that it contains: `-arch=sm_80`, `-Idir`.
fn option(word: &str) -> Option<(Meaning, Option<String>)> {
    let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    let (name, value) = match bare.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (bare, None),
    };
    let named = |name: &str| OPTIONS.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning);
    if let Some(meaning) = named(name) {
        return Some((meaning, value.map(str::to_string)));
    }
    if word.starts_with("--") {
        return None;
    }
    let joined = ["isystem", "iquote", "idirafter", "imacros", "isysroot", "I", "D", "U", "x"]
        .iter()
        .find(|prefix| bare.starts_with(**prefix))?;
    Some((named(joined)?, Some(bare[joined.len()..].to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(command: &str) -> Command {
        read_command(&shlex::split(command).unwrap(), Path::new("/b"))
    }

    fn check(command: &str, expected: &str) {
        let command_read = read(command);
        let targets = command_read.targets(&Context::default()).unwrap_or_default().list.passes;
        let Command { nvcc, cuda_language, rdc, defines, search, .. } = command_read;
        let directories = [search.quote, search.directories, search.system].concat();
        let forced = search.forced;
        let targets: Vec<_> = targets.iter().map(ToString::to_string).collect();
        let defines: Vec<_> = defines
            .iter()
            .map(|define| match define {
                Define::Define(name, value) => format!("{name}={value}"),
                Define::Undef(name) => format!("!{name}"),
            })
            .collect();
        let paths = |list: Vec<PathBuf>| {
            list.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        let text = format!(
            "nvcc={nvcc} cuda={cuda_language} rdc={rdc} [{}] [{}] [{}] [{}]",
            targets.join(" "),
            defines.join(" "),
            paths(directories),
            paths(forced)
        );
        assert_eq!(text, expected, "{command}");
    }

    #[test]
    fn a_cmake_command_is_read() {
        check(
            "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DA -DB=2 --options-file=/nonexistent \
             -I/s/include -isystem=/s/third -std=c++17 \"--generate-code=arch=compute_80,code=[sm_80]\" \
             \"--generate-code=arch=compute_90a,code=[compute_90a,sm_90a]\" -Xcompiler=-fPIC,-DHOST=1 -x cu \
             -rdc=true -c /s/a.cu -o a.o",
            "nvcc=true cuda=true rdc=true [80 90a] [HOST=1 A=1 B=2] [/s/include /s/third] []",
        );
    }

    #[test]
    fn every_spelling_of_an_option_is_known() {
        check(
            "ccache nvcc -I x,y --include-path z --include-path=w -D 'F(a)=a,G=1\\,2' --define-macro=H \
             -U H --undefine-macro K -dc -include p.h --pre-include=q.h -arch sm_90a --dont-know",
            "nvcc=true cuda=false rdc=true [90 90a] [F(a)=a G=1,2 H=1 !H !K] [/b/x /b/y /b/z /b/w] \
             [/b/p.h /b/q.h]",
        );
    }

    #[test]
    fn clang_is_read_too() {
        check(
            "env CCACHE_DIR=x sccache /usr/bin/clang++-19 -x cuda --offload-arch=sm_80,sm_90 \
             --cuda-gpu-arch=sm_70 -fgpu-rdc -Ia,b -iquoteq -isystem s -DX=1,2 a.cu",
            "nvcc=false cuda=true rdc=true [70 80 90] [X=1,2] [/b/q /b/a,b /b/s] []",
        );
    }

    #[test]
    fn the_compiler_is_found_behind_launchers_and_wrappers() {
        let about = |command: &str| {
            let Command { program, nvcc, cuda_language, hip, .. } = read(command);
            format!("{program} nvcc={nvcc} cuda={cuda_language} hip={hip}")
        };
        for launcher in
            ["", "ccache ", "sccache ", "env A=b -i ", "time -f %e ", "cmake -E env A=b -- ", "icecc "]
        {
            let expected = "/opt/cuda/bin/nvcc nvcc=true cuda=false hip=false";
            assert_eq!(about(&format!("{launcher}/opt/cuda/bin/nvcc -ccbin g++ -c a.cu")), expected);
        }
        assert_eq!(about("ccache nvcc_wrapper -c a.cpp"), "nvcc_wrapper nvcc=true cuda=true hip=false");
        assert_eq!(about("hipcc --offload-arch=gfx90a -c a.cu"), "hipcc nvcc=false cuda=false hip=true");
        assert_eq!(about("clang++ -x hip -c a.cu"), "clang++ nvcc=false cuda=false hip=true");
        assert_eq!(about("clang++-19 -x cuda -c a.cc"), "clang++-19 nvcc=false cuda=true hip=false");
    }

    #[test]
    fn what_decides_predefined_macros_is_kept() {
        let command = read(
            "nvcc -std=c++20 -ccbin g++-11 --optimize 3 -Xcompiler -fopenmp,-fPIC --default-stream per-thread \
             --expt-relaxed-constexpr -forward-unknown-to-host-compiler -march=haswell a.cu",
        );
        assert_eq!(command.standard, Standard::parse("c++20").ok());
        assert_eq!(command.host.as_deref(), Some("g++-11"));
        assert_eq!(
            command.flags.join(" "),
            "-fopenmp -fPIC -O3 -default-stream=per-thread --expt-relaxed-constexpr \
             -forward-unknown-to-host-compiler -march=haswell"
        );
        let command = read("clang++ --target=aarch64-linux-gnu -std=gnu++17 -x cuda -O2 a.cu");
        assert_eq!(command.machine, Some(Machine::Aarch64));
        assert_eq!((command.program.as_str(), command.flags.join(" ").as_str()), ("clang++", "-O2"));
    }

    #[test]
    fn every_place_for_headers_is_told_apart() {
        let command = read(
            "nvcc -I a -isystem=b,c -Xcompiler -iquote,d,-idirafter,e -Xcompiler=-imacros,f -include g \
             --embed-dir=i --sysroot=/s -isystem =/h -nostdinc --cuda-path=/cuda a.cu",
        );
        let list = |names: &str| names.split(' ').map(PathBuf::from).collect::<Vec<_>>();
        let expected = SearchOptions {
            quote: list("/b/d"),
            directories: list("/b/a"),
            system: list("/b/b /b/c /s/h"),
            after: list("/b/e"),
            embed: list("/b/i"),
            macros: list("/b/f"),
            forced: list("/b/g"),
            sysroot: Some("/s".into()),
            cuda_path: Some("/cuda".into()),
            nostdinc: true,
        };
        assert_eq!(command.search, expected);
    }

    #[test]
    fn option_files_are_spliced_in() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("o"), "-DIN_FILE -arch=sm_80 @o2").unwrap();
        std::fs::write(directory.path().join("o2"), "-dc").unwrap();
        let arguments = ["nvcc", "--options-file", "o", "a.cu"].map(String::from);
        let command = read_command(&arguments, directory.path());
        assert_eq!(command.defines, [Define::Define("IN_FILE".into(), "1".into())]);
        assert!(command.rdc && command.unreadable.is_empty());
        assert_eq!(read("nvcc @missing a.cu").unreadable.len(), 1);
    }
}
