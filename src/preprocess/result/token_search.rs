//! Searches for tokens of a unit, with the results in the headers that a unit begins with reused.

use std::sync::Arc;

use super::preamble::Preamble;
use super::tokens::PpToken;
use super::unit::Preprocessed;

/// The result of a search in the headers that a unit begins with.
#[derive(Debug)]
pub struct TokenSearch {
    preamble: Preamble,
    found: Vec<u32>,
}

impl Preprocessed {
    /// The indices of the wanted tokens, in order.
    pub fn find_tokens(&self, wanted: impl Fn(&PpToken) -> bool) -> Vec<usize> {
        (0..self.tokens().len()).filter(|index| wanted(&self.tokens()[*index])).collect()
    }

    /// The same with the result of the last search, for the same tokens, reused in the headers that both begin with.
    /// Also returns the result for the next search.
    pub fn find_tokens_again(
        &self,
        last: Option<&Arc<TokenSearch>>,
        wanted: impl Fn(&PpToken) -> bool,
    ) -> (Vec<usize>, Arc<TokenSearch>) {
        let tokens = self.tokens();
        let preamble = self.preamble().clone();
        let first = preamble.tokens();
        let same = last.filter(|last| last.preamble == preamble).cloned();
        let search = same.unwrap_or_else(|| {
            let found = (0..first).filter(|index| wanted(&tokens[*index]));
            Arc::new(TokenSearch { preamble, found: found.map(|index| index as u32).collect() })
        });
        let own = (first..tokens.len()).filter(|index| wanted(&tokens[*index]));
        (search.found.iter().map(|index| *index as usize).chain(own).collect(), search)
    }
}
