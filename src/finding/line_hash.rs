//! The hash of each line of a file as GitHub's code scanning computes it.
//!
//! Code scanning tells alerts apart by `primaryLocationLineHash`: when a report has none, or another one,
//! the same finding is a new alert after every edit above it. The action that uploads SARIF computes
//! it as follows (github/codeql-action, `src/fingerprints.ts`): over the UTF-16 code units of the file
//! without blanks and tabs, line ends as `\n` and one 65535 after the last, the hash of a line is that
//! of the 100 units from its start, padded with zeros, followed by how often the hash has occurred so far.

use std::collections::HashMap;

/// How many code units from a line's start its hash covers.
const BLOCK: usize = 100;
/// The base of the rolling hash.
const BASE: u64 = 37;
/// The number that follows the last code unit.
const END: u64 = 65535;

const SPACE: u64 = 0x20;
const TAB: u64 = 0x09;
const FEED: u64 = 0x0a;
const RETURN: u64 = 0x0d;

/// The hash of each line, the first line's first. Lines end with `\n`, `\r\n` or a lone `\r`.
pub fn line_hashes(text: &str) -> Vec<String> {
    let mut roll = Roll::new();
    for unit in text.encode_utf16() {
        roll.take(u64::from(unit));
    }
    roll.take(END);
    roll.finish()
}

/// The rolling hash over the last [`BLOCK`] units, and the lines that start among them.
struct Roll {
    window: [u64; BLOCK],
    /// A line starts at this place of the window.
    starts: [bool; BLOCK],
    at: usize,
    hash: u64,
    /// `BASE` to the power of `BLOCK`.
    first: u64,
    line_start: bool,
    after_return: bool,
    seen: HashMap<u64, u32>,
    hashes: Vec<String>,
}

impl Roll {
    fn new() -> Roll {
        Roll {
            window: [0; BLOCK],
            starts: [false; BLOCK],
            at: 0,
            hash: 0,
            first: BASE.wrapping_pow(BLOCK as u32),
            line_start: true,
            after_return: false,
            seen: HashMap::new(),
            hashes: Vec::new(),
        }
    }

    fn take(&mut self, unit: u64) {
        if matches!(unit, SPACE | TAB) || self.after_return && unit == FEED {
            self.after_return = false;
            return;
        }
        self.after_return = unit == RETURN;
        let unit = if unit == RETURN { FEED } else { unit };
        self.put_out();
        self.starts[self.at] = self.line_start;
        self.line_start = unit == FEED;
        self.push(unit);
    }

    /// The window has moved to where a line starts: its hash is complete.
    fn put_out(&mut self) {
        if std::mem::take(&mut self.starts[self.at]) {
            let count = self.seen.entry(self.hash).or_default();
            *count += 1;
            self.hashes.push(format!("{:x}:{count}", self.hash));
        }
    }

    fn push(&mut self, unit: u64) {
        let gone = std::mem::replace(&mut self.window[self.at], unit);
        self.hash =
            self.hash.wrapping_mul(BASE).wrapping_add(unit).wrapping_sub(self.first.wrapping_mul(gone));
        self.at = (self.at + 1) % BLOCK;
    }

    fn finish(mut self) -> Vec<String> {
        for _ in 0..BLOCK {
            self.put_out();
            self.push(0);
        }
        self.hashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that the action's own code gave for these files.
    #[test]
    fn hashes_are_those_of_the_uploading_action() {
        let kernel = "#if defined(__CUDA_ARCH__)\n__global__ void k(int *p) {}\n#endif\n";
        assert_eq!(
            line_hashes(kernel)[..3],
            ["7792fcd007f9ee7e:1", "64e836208a274918:1", "1d9d52c26729a5ea:1"]
        );
        assert_eq!(line_hashes(""), ["c129715d7a2bc9a3:1"]);
        assert_eq!(line_hashes("\u{feff}int x;\n")[0], "1eba37772d944d4a:1");
    }

    #[test]
    fn line_ends_and_blanks_do_not_matter_and_equal_lines_are_counted() {
        let plain = line_hashes("int a;\nint b;\n");
        assert_eq!(line_hashes("int  a;\r\nint\tb;\r\n"), plain);
        assert_eq!(line_hashes("int a;\rint b;\r"), plain);
        let long = format!("{}\n", "x".repeat(120)).repeat(3);
        let hashes = line_hashes(&long);
        let ends: Vec<&str> = hashes.iter().filter_map(|hash| hash.split_once(':')).map(|(_, n)| n).collect();
        assert_eq!(ends, ["1", "2", "3", "1"]);
    }
}
