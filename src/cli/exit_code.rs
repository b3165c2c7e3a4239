//! Exit codes, the same for every output format.

/// Everything was analysed and no finding fails the run.
pub const CLEAN: u8 = 0;
/// Everything was analysed and there are findings.
pub const FINDINGS: u8 = 1;
/// Nothing was analysed because of an error in the command line, a path, a target or the build information.
pub const USAGE: u8 = 2;
/// Something could not be analysed, so that the absence of findings there proves nothing. Takes precedence over
/// [`FINDINGS`]; findings are printed all the same.
pub const INCOMPLETE: u8 = 3;
/// The run was interrupted, as a shell says it of a program that Ctrl-C ended.
pub const INTERRUPTED: u8 = 130;

/// The meaning of each code, for help and documentation.
pub const TABLE: &[(u8, &str)] = &[
    (CLEAN, "everything was analysed, and no finding fails the run"),
    (
        FINDINGS,
        "everything was analysed, and there are findings of level `warning` or `error` (`--fail-on` sets the level)",
    ),
    (USAGE, "nothing was analysed: the command line or configuration is wrong, or no source was found"),
    (
        INCOMPLETE,
        "something could not be analysed and may have findings that are not reported; the others are printed",
    ),
    (INTERRUPTED, "the run was interrupted (Ctrl-C); what was found until then is printed"),
];
