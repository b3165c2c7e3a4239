//! The kinds of edits in an hour of work on CUDA code, with their shares.
//!
//! The shares are an assumption about people, stated here so that anybody can dispute them: two keystrokes in three
//! are in bodies of functions, one in ten in comments, the rest in signatures, new declarations, conditions and
//! headers. Snippets are typed a character at a time, without the brackets and quotes that some editors add by
//! themselves, and then taken back in the same way.

use super::project::{CALLER, COMMENT, CONDITION, Change, DEFINITION, LAUNCHER, PARAMETER, SLOT, Text};

/// One kind of keystroke.
pub(super) struct Kind {
    /// Where it is made, in words.
    pub(super) what: &'static str,
    /// How many of a hundred keystrokes.
    pub(super) share: usize,
    /// It is in the header.
    pub(super) in_header: bool,
    place: Place,
    typed: &'static [&'static str],
}

/// Where on a line.
enum Place {
    /// At the end of one that ends in this.
    End(&'static str),
    /// Behind this.
    Behind(&'static str),
    /// On an empty line.
    Empty,
}

const STATEMENTS: &[&str] = &[
    "float added = 2.0f * value; out[0] += added;",
    "if (value > 1.0f) { out[0] = value; }",
    "for (int step = 0; step < 4; ++step) { value += out[step]; }",
    "value = sqrtf(value) + fmaxf(value, 0.5f);",
    "__syncthreads();",
];

/// All kinds; the shares sum up to a hundred.
pub(super) const KINDS: &[Kind] = &[
    Kind {
        what: "bodies of kernels",
        share: 45,
        in_header: false,
        place: Place::End(SLOT),
        typed: STATEMENTS,
    },
    Kind {
        what: "bodies that launch kernels",
        share: 20,
        in_header: false,
        place: Place::End(LAUNCHER),
        typed: &[
            "if (count < 1) { return; }",
            "printf(\"%d rows\\n\", count);",
            "cudaStreamSynchronize(stream);",
            "int blocks = divided(count, 128);",
        ],
    },
    Kind {
        what: "comments",
        share: 10,
        in_header: false,
        place: Place::End(COMMENT),
        typed: &[" through shared memory, a tile at a time", ": see #12, \"bank conflicts\""],
    },
    Kind {
        what: "parameters of kernels",
        share: 6,
        in_header: false,
        place: Place::Behind(PARAMETER),
        typed: &["float factor, ", "int const *indices, "],
    },
    Kind {
        what: "new declarations",
        share: 5,
        in_header: false,
        place: Place::Empty,
        typed: &[
            "__device__ float half_of(float x) { return x / 2; }",
            "struct Extent { int width; };",
            "// What comes next is slow.",
            "constexpr int kStages = 3;",
        ],
    },
    Kind {
        what: "callers of CUTLASS",
        share: 3,
        in_header: false,
        place: Place::End(CALLER),
        typed: STATEMENTS,
    },
    Kind {
        what: "conditions",
        share: 3,
        in_header: false,
        place: Place::End(CONDITION),
        typed: &[" && defined(FAST)"],
    },
    Kind {
        what: "bodies in the header",
        share: 5,
        in_header: true,
        place: Place::End(SLOT),
        typed: STATEMENTS,
    },
    Kind {
        what: "declarations of the header",
        share: 2,
        in_header: true,
        place: Place::Empty,
        typed: &["struct Extent { int width; };", "constexpr int kStages = 3;"],
    },
    Kind {
        what: "macros of the header",
        share: 1,
        in_header: true,
        place: Place::End(DEFINITION),
        typed: &["0"],
    },
];

/// A snippet on its way into a text and out again.
pub(super) struct Typing {
    line: usize,
    column: usize,
    snippet: &'static str,
    typed: usize,
    /// It is taken back.
    back: bool,
}

impl Typing {
    /// One of a kind somewhere in a text; `None` if there is no place for it.
    pub(super) fn start(kind: &Kind, text: &Text) -> Option<Typing> {
        let lines: Vec<usize> = match kind.place {
            Place::End(mark) => text.slots(mark),
            Place::Behind(mark) => text.all(|line| line.contains(mark)),
            Place::Empty => text.all(str::is_empty),
        };
        let line = fastrand::choice(lines)?;
        let column = match kind.place {
            Place::Behind(mark) => text.line(line).find(mark)? + mark.len(),
            _ => text.line(line).len(),
        };
        let snippet = fastrand::choice(kind.typed)?;
        Some(Typing { line, column, snippet, typed: 0, back: false })
    }

    /// The part of the snippet that is typed so far, and its place.
    pub(super) fn told(&self) -> String {
        format!("{}`{}`", if self.back { "back to " } else { "" }, &self.snippet[..self.typed])
    }

    /// The next keystroke; `None` when the text is as it was.
    pub(super) fn next(&mut self, text: &mut Text) -> Option<Change> {
        self.back |= self.typed == self.snippet.len();
        if self.back {
            self.typed = self.typed.checked_sub(1)?;
            return Some(text.edit(self.line, self.column + self.typed, 1, ""));
        }
        let key = &self.snippet[self.typed..=self.typed];
        self.typed += 1;
        Some(text.edit(self.line, self.column + self.typed - 1, 0, key))
    }
}

/// The kind that is the furthest behind its share of the keystrokes so far.
pub(super) fn next_kind(made: &[usize]) -> usize {
    let all: usize = made.iter().sum();
    let behind = |index: &usize| (KINDS[*index].share * (all + 1)) as i64 - 100 * made[*index] as i64;
    (0..KINDS.len()).max_by_key(behind).expect("there are kinds")
}
