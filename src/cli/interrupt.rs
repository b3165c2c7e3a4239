//! Ctrl-C and the signals that end a program: the first one cancels the analysis, so that what was found is printed, and a
//! second one ends the program at once.

use std::io::{Write, stderr};
use std::process::exit;

use crate::cancel::CancelFlag;

use super::exit_code;

/// The flag that the first interrupt sets. Where signals can't be handled, nothing ever sets it, and the first one ends the
/// program as it always did.
pub(super) fn listen() -> CancelFlag {
    let flag = CancelFlag::default();
    let own = flag.clone();
    let handler = move || {
        if own.is_set() {
            exit(i32::from(exit_code::INTERRUPTED));
        }
        own.set(true);
        // Nobody may be there to read it.
        let _ = writeln!(
            stderr(),
            "interrupted: what was found so far follows; once more ends the program at once"
        );
    };
    // The program may have been started with a handler that can't be replaced.
    let _ = ctrlc::set_handler(handler);
    flag
}
