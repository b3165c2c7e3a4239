//! What the exit code says. The same for every format.

/// Everything was analysed and nothing was found.
pub const CLEAN: u8 = 0;
/// Everything was analysed and there are findings.
pub const FINDINGS: u8 = 1;
/// Nothing was analysed: the command line, a path, a target or the build information is wrong.
pub const USAGE: u8 = 2;
/// Something could not be analysed, so silence about it means nothing. Wins over [`FINDINGS`]: the
/// findings that were made are printed all the same.
pub const INCOMPLETE: u8 = 3;

/// Each code with what it means, for the help and the documentation.
pub const TABLE: &[(u8, &str)] = &[
    (CLEAN, "everything was analysed, and nothing was found that fails the run"),
    (
        FINDINGS,
        "everything was analysed, and there are findings (of the level of `--fail-on` or a worse one)",
    ),
    (USAGE, "nothing was analysed: the command line or the configuration is wrong, or there is no source"),
    (INCOMPLETE, "something could not be analysed, so silence about it means nothing; findings are printed"),
];
