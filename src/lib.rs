//! Finds CUDA code that means different things in nvcc's host and device passes.
//!
//! nvcc compiles a source once for the host, where `__CUDA_ARCH__` is not defined, and once for every targeted
//! architecture, where it is. Each of these is a *pass*. nvcc joins the results by symbol name and trusts that the
//! passes agreed; where they did not, no compiler says a word. This program reads the sources for all passes at once
//! and reports which declared things differ between them in a way CUDA forbids, which `#if` made them differ, and what
//! each pass sees. It needs no CUDA toolkit, no compiler and no build.
//!
//! # The map
//!
//! Data flows down this list, and **a module uses only modules above it**; so do the files of every folder, in the order
//! of its `mod` lines (`tests/layering` holds the law, and the few circles that recursion makes).
//!
//! | module | in → out | what it keeps |
//! |---|---|---|
//! | [`cancel`] | – | how work is cancelled when an editor has a newer text |
//! | [`source`] | paths → files, tokens | the only reader of source files; each is read and lexed once |
//! | [`target`] | notations → passes | architectures, predefined macros, [`target::PassSet`] and [`target::ByPass`] |
//! | [`finding`] | – | findings as plain data |
//! | [`custom`] | – | rules of a project's own as plain data |
//! | [`project`] | paths, compile databases → translation units | the only module that knows build systems |
//! | [`preprocess`] | a unit → tokens with presence conditions | for every pass, the tokens that a preprocessor for that pass alone gives |
//! | [`variance`] | tokens → declarations and names that vary | the filter before all parsing: in doubt, it varies |
//! | [`syntax`] | a declaration's tokens → a tree | parsing can't fail; syntax errors are counted |
//! | [`facts`] | trees → facts by pass | types, constants, launches, instantiations; a name that can't be resolved stays as spelled |
//! | [`artifact`] | objects, libraries, packages → device code, registrations | no byte is believed: what is malformed is an error with its offset, never a panic or an unbounded allocation |
//! | [`rules`] | facts, artifacts → findings | a file and a card a rule; no tokens, trees or files on disk |
//! | [`catalog`] | custom rules → cards | all rules that a run knows: whatever shows, names or chooses rules asks there |
//! | [`audit`] | artifacts → findings, lists of kernels | a finding in a binary file has its place in a listing, the text that stands for the file |
//! | [`analysis`] | units → summaries → findings | the one entry for all front ends; a panic costs one unit; a session says what a fresh run says, and a summary from disk what the analysis of its unit would |
//! | [`triage`] | findings → reported findings | levels, suppressions, baseline: a finding that is kept quiet is marked and counted |
//! | [`fix`] | a finding → edits | offered only when the edited texts were analysed and the finding was gone |
//! | [`config`] | `cuda-arch-lint.toml` → settings | what it does not understand is an error |
//! | [`report`] | findings → text, JSON, SARIF … | a file a format; knows nothing of the analysis |
//! | [`lsp`] | unsaved texts → diagnostics | the only module that knows the protocol |
//! | [`cli`] | the command line → a run | the only module that knows the terminal |
//!
//! Each folder's `mod.rs` goes on with its own map. `dump --stage tokens|conditions|declarations|facts|kernels FILE` prints what a
//! stage gives.
//!
//! `check` is two steps in one process: `summarize` finds what there is in each unit alone, `judge` what there is in all of them
//! together. Between the two stands a summary, which may leave the process as a file (`src/analysis/kept/`).
//!
//! # Invariants
//!
//! * For every pass, the tokens whose presence condition has that pass are, in order, what a preprocessor for that pass
//!   alone gives. What is kept from one header, unit or edit to the next changes no token, no record and no finding.
//! * One analysis serves all passes: a set of passes fits a machine word, and passes share nearly all their tokens.
//! * Code is input: a stage expands and parses what it can, records what it could not, and carries on. `Result` is for
//!   disk, command line and build information.
//! * No claim beyond what was seen: a finding is `likely` when something stood in the way of a proof, and a run that
//!   left something out says so with its exit code.
//! * Equality is decided by comparing, or by a cryptographic digest where the other text is out of reach; never by a
//!   short hash. Decisions are made on data; no code reads a message back.
//!
//! # Deliberately absent
//!
//! * Running a compiler. What compilers do was measured and is written down beside the code that relies on it; one is
//!   asked only where the user names it (`--compiler`).
//! * One analysis per pass, solvers and BDDs.
//! * Network access and telemetry.
//!
#![doc = include_str!("glossary.md")]

/// jemalloc gives back what a server freed, and takes less time than the C library's allocator. It stands for `malloc`
/// too: of what the parser takes, which is C, the C library's gives back little while a server runs. Sanitizers have
/// an allocator of their own.
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(fuzzing)))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

pub mod cancel;
pub mod source;
pub mod target;
pub mod finding;
pub mod custom;
pub mod project;
pub mod preprocess;
pub mod variance;
pub mod syntax;
pub mod facts;
pub mod artifact;
pub mod rules;
pub mod catalog;
pub mod audit;
pub mod analysis;
pub mod triage;
pub mod fix;
pub mod config;
pub mod report;
pub mod lsp;
pub mod cli;
