//! The survey: directives without the text between them.
//!
//! In: the text before a directive. Out: whether it must be walked although nobody wants its tokens. Text changes what
//! directives do only where it pushes or pops macros (`_Pragma`): it must hold the words, or the name of a macro that
//! leads to them. Where a condition reads `__COUNTER__`, all text before it matters.

use memchr::memmem::Finder;

use crate::preprocess::expand::definition::Macro;
use crate::preprocess::expand::interned::MacroStore;
use crate::preprocess::expand::table::{MacroTable, fingerprint};
use crate::source::{Symbol, TokenKind, sym};

/// The macros and words that text must not be left out for.
#[derive(Debug)]
pub(crate) struct Survey {
    /// Words of text that pushes or pops macros.
    acting: Vec<Finder<'static>>,
    names: Vec<Symbol>,
    /// Something depended on text that was left out: the unit must be walked in full.
    pub(crate) torn: bool,
}

/// Parts of text that acts by itself: `push_macro`, `pop_macro`, and `"once"` in what is a string
/// itself or not.
const WORDS: &[&str] = &["_macro", "\"once"];

impl Survey {
    /// No macro leads to acting text yet.
    pub(crate) fn new() -> Survey {
        let acting = WORDS.iter().map(Finder::new).collect();
        Survey { acting, names: Vec::new(), torn: false }
    }

    /// The fingerprint of the macros that act.
    pub(crate) fn state(&self) -> u64 {
        self.names.iter().fold(0, |all, name| all ^ fingerprint(name))
    }

    /// Whether text pushes or pops macros.
    pub(crate) fn acts(&self, text: &str) -> bool {
        self.acting.iter().any(|word| word.find(text.as_bytes()).is_some())
    }

    /// Takes in a macro that was defined, and those that lead to it.
    pub(crate) fn add_macro(&mut self, name: Symbol, one: &Macro, table: &MacroTable, store: &MacroStore) {
        if !self.leads(one) {
            return;
        }
        self.add(name);
        let mut known = 0;
        while known < self.names.len() {
            known = self.names.len();
            for (name, id) in table.all() {
                if self.leads(store.get(id)) {
                    self.add(name);
                }
            }
        }
    }

    /// Whether the macro leads to text that acts.
    fn leads(&self, one: &Macro) -> bool {
        one.body.iter().any(|token| match token.text {
            sym::PUSH_MACRO | sym::POP_MACRO | sym::ONCE => true,
            text => self.names.contains(&text) || token.kind == TokenKind::String && self.acts(text.as_str()),
        })
    }

    fn add(&mut self, name: Symbol) {
        if !self.names.contains(&name) {
            self.names.push(name);
            self.acting.push(Finder::new(name.as_str()));
        }
    }
}
