//! Kernel launches: `kern<<<grid, block>>>(x)` is for the grammar a call of a call.

use crate::source::sym;

use super::rewriter::{Fate, Rewriter};

impl Rewriter<'_> {
    /// `kern<T><<<grid, block>>>(x)` becomes `kern<T>(grid, block)(x)`.
    pub(super) fn launch(&mut self, at: usize) -> usize {
        if self.text(at + 1) != sym::LESS {
            return at + 1;
        }
        let Some(close) = self.launch_end(at + 2) else { return at + 1 };
        self.fates[at] = Fate::Text("(");
        self.fates[at + 1] = Fate::Lift;
        self.fates[close] = Fate::Text(")");
        self.fates[close + 1] = Fate::Lift;
        self.launches.push(at + 2..close);
        at + 2
    }

    /// The `>>` of the `>>>` that ends the launch configuration which begins at `start`.
    ///
    /// In `<<<blocks<A<B<int>>>(n), 256>>>` the first `>>>` closes template arguments, so `<` after
    /// a name is counted; a comparison would spoil the count, so without a match it is not.
    pub(super) fn launch_end(&self, start: usize) -> Option<usize> {
        self.launch_end_with(start, Less::OpensArguments)
            .or_else(|| self.launch_end_with(start, Less::Compares))
    }

    fn launch_end_with(&self, start: usize, less: Less) -> Option<usize> {
        let mut depth = 0;
        let mut index = start;
        while index < self.tokens.len() {
            match self.text(index) {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => index = self.closing(index)?,
                sym::SEMI | sym::RPAREN | sym::RBRACKET | sym::RBRACE => return None,
                sym::LESS if less == Less::OpensArguments && self.is_name(index - 1) => depth += 1,
                sym::GREATER if depth > 0 => depth -= 1,
                sym::SHR if depth > 1 => depth -= 2,
                sym::SHR if depth == 0 && self.text(index + 1) == sym::GREATER => return Some(index),
                _ => {}
            }
            index += 1;
        }
        None
    }
}

/// The meaning of `<` after a name in a launch configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Less {
    /// It opens template arguments.
    OpensArguments,
    /// It compares.
    Compares,
}
