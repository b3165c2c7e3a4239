//! Finds CUDA code that means different things in nvcc's host and device passes.
//!
//! nvcc compiles a source once for the host, where `__CUDA_ARCH__` is not defined, and once for
//! every targeted architecture, where it is. Each of these is a *pass*. nvcc glues the results together by
//! symbol name and trusts that the passes agreed; where they did not, no compiler says a word. This
//! program says it: which declared things differ between the passes in a way CUDA forbids, which
//! `#if` made them differ, and what each pass sees. It reads sources; it needs no CUDA toolkit, no
//! compiler and no build.
//!
//! # The flow
//!
//! ```text
//! paths, compile_commands.json, unsaved texts
//!   -> project      translation units: main file, include path, defines, targets
//!   -> preprocess   one walk for all passes: tokens that carry the set of passes they exist in
//!   -> variance     top-level declarations that vary, names that vary
//!   -> syntax       a tree-sitter tree of each declaration that variance reaches
//!   -> facts        types, constants, launches, instantiations, each by pass
//!   -> rules        facts compared across passes: findings with evidence
//!   -> triage       which of them are reported
//!   -> report       text, JSON, SARIF, ...
//!   -> lsp          the same findings in an editor, while it types
//! ```
//!
//! # The modules
//!
//! They are listed below in reading order, which is the order of the data.
//! **Invariant:** a module uses only modules above it. `tests/layering.rs` reads the list and every
//! `crate::` path.
//!
//! [`stale`] is how work is given up whose outcome nobody wants any more: an editor has a newer text.
//!
//! [`source`] holds files, positions, interned spellings and lexed tokens, each file cut at its
//! directives. **Invariant:** it is the only reader of source files, reads each once a run, and lexes what
//! a pass sees of it once.
//!
//! [`target`] knows architectures and what each pass predefines, and has the currency of the
//! program: [`target::PassSet`], the passes something exists in, and [`target::ByPass`], a value
//! that may differ by pass. One feature with at most 64 values fits a machine word; that is why no
//! BDDs or solvers are here.
//!
//! [`project`] turns paths, compilation databases and options into translation units, and finds the
//! headers of the compilers and toolkits that are installed. **Invariant:** it is the only module that
//! knows build systems.
//!
//! [`preprocess`] is translation phases 1 to 4 for all passes in one walk. **Invariant:** for every
//! pass, the tokens whose set has that pass are, in order, what a preprocessor run for that pass
//! alone would give. Every token knows the conditional that put it under its set, and the way from
//! there back to `__CUDA_ARCH__`. A header that all passes read is a reading of its own, which is kept
//! ([`preprocess::Common`]) and stands wherever the macros it looks at are the same again, in the same unit or
//! in another; within a unit, what a condition answered is kept likewise. **Invariant:** what is kept changes
//! no token and no record. What walks left that nothing kept refers to goes, and what hangs on a text that another has
//! taken the place of.
//!
//! [`variance`] cuts the tokens into top-level declarations by bracket structure alone and finds those that can
//! differ. A name varies in the scopes that its declaration is seen from, and not where a local variable hides it.
//! **Invariant:** it errs towards "varies", since it is the filter in front of all parsing. A brace that is not
//! closed yet ends with its function, as far as words and the first column tell where.
//!
//! [`syntax`] parses one declaration as one pass sees it, and maps the tree back to tokens.
//! **Invariant:** parsing can't fail; what the grammar could not make sense of is counted. A statement that is not
//! finished takes no other along.
//!
//! [`facts`] knows what declarations mean: names, types, constants, linkage, launches and
//! instantiations, each by pass. A name that can't be resolved stays as spelled.
//!
//! [`finding`] is what a rule concludes, as plain data.
//!
//! [`rules`] compares facts across passes, a file a rule. What a rule says about itself is in its
//! card, `rules/<id>.md`, and nowhere else. **Invariant:** rules know facts, never tokens of trees
//! or files on disk.
//!
//! [`analysis`] runs the stages over units, in parallel. **Invariant:** it is the one entry for
//! every front end, and a panic in one unit does not lose the others. What is kept between runs is
//! keyed by file ids, and a text that changes gets a new one; only kept headers that read it have to go. An edit of a
//! unit's main file that no stage would notice, in statements that none of them follows, moves the places of what
//! was found and costs nothing else. After any other, what concerns only the headers that the unit begins with stays:
//! their tokens, how they are cut, what their declarations say and which of them vary, and which of them lead to no
//! kernel; what an edit only moved is not parsed again, and what makes the same in every pass is not walked again while
//! nothing that is looked up for it has changed. What tells which edits no stage would notice is found while the rest is
//! told. **Invariant:** after every edit a session says what a fresh run says.
//!
//! [`triage`] decides which findings are reported, and at which level: levels by rule and path, comments in
//! the sources that allow a finding, a baseline, a change's lines. **Invariant:** what is kept quiet is
//! kept, marked as such, and counted.
//!
//! [`fix`] guesses edits that may mend a finding and tries them. **Invariant:** a fix is offered only when the
//! edited texts were analysed, the finding was gone and nothing new was there.
//!
//! [`config`] reads `cuda-arch-lint.toml`. **Invariant:** what it does not understand is an error.
//!
//! [`report`] prints findings, a file a format. **Invariant:** it knows findings, sources, targets
//! and cards, never how the analysis came by them.
//!
//! [`lsp`] is the language server: unsaved texts in, diagnostics out, the analysis on a thread of its
//! own. **Invariant:** it is the only module that knows the protocol.
//!
//! [`cli`] is the command line. **Invariant:** it is the only module that knows the terminal.
//!
//! # What is deliberately absent
//!
//! * Running a compiler. What compilers do was measured and is written down beside the code that relies
//!   on it; the program asks one only where the user names it (`--compiler`).
//! * One analysis per pass. The passes share nearly all their tokens, and so does the work.
//! * Errors for broken code. Code is input: a stage expands and parses what it can, says what it
//!   could not, and carries on. `Result` is for disk, command line and build information.
//! * Claims beyond what was seen. A finding is `likely` when something stood in the way of a proof,
//!   and a run that left something out says so with its exit code.
//! * Network access and telemetry.

/// jemalloc gives back what a server freed, and takes less time than the C library's allocator.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

pub mod stale;
pub mod source;
pub mod target;
pub mod project;
pub mod preprocess;
pub mod variance;
pub mod syntax;
pub mod facts;
pub mod finding;
pub mod rules;
pub mod analysis;
pub mod triage;
pub mod fix;
pub mod config;
pub mod report;
pub mod lsp;
pub mod cli;
