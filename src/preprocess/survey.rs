//! Directives without the text between them.
//!
//! In: the text before a directive. Out: whether it must be walked although nobody wants its tokens. Text
//! decides what directives do only where it pushes or pops macros (`_Pragma`): it must hold the words, or
//! the name of a macro that leads to them. Where a condition counts (`__COUNTER__`), all text before it matters.

use memchr::memmem::Finder;

use crate::source::{Symbol, TokenKind, sym};

use super::macros::{Macro, MacroId, mixed};
use super::walk::Walker;

/// What a walk needs that leaves text out.
#[derive(Debug)]
pub(super) struct Survey {
    /// What text holds that pushes or pops macros.
    acting: Vec<Finder<'static>>,
    names: Vec<Symbol>,
    /// Something depended on text that was left out.
    pub(super) torn: bool,
}

/// What text that acts by itself has parts of: `push_macro`, `pop_macro`, and `"once"` in what is a string
/// itself or not.
const WORDS: &[&str] = &["_macro", "\"once"];

impl Survey {
    pub(super) fn new() -> Survey {
        let acting = WORDS.iter().map(Finder::new).collect();
        Survey { acting, names: Vec::new(), torn: false }
    }

    /// A fingerprint of the macros that act.
    pub(super) fn state(&self) -> u64 {
        self.names.iter().fold(0, |all, name| all ^ mixed(name))
    }

    fn acts(&self, text: &str) -> bool {
        self.acting.iter().any(|word| word.find(text.as_bytes()).is_some())
    }

    /// The macro leads to what acts.
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

impl Walker<'_> {
    /// The text that comes next may be left out.
    pub(super) fn leaves_out(&self) -> bool {
        let (Some(survey), Some(frame)) = (&self.survey, self.frames.last()) else { return false };
        self.ahead.is_empty() && frame.next == 0 && !survey.acts(frame.file.run_text(frame.section))
    }

    /// Notes a macro that text may lead to.
    pub(super) fn note_defined(&mut self, name: Symbol, id: MacroId) {
        let common = self.common;
        let Some(survey) = &mut self.survey else { return };
        if !survey.leads(common.macro_of(id)) {
            return;
        }
        survey.add(name);
        // Those that lead to it, and to them.
        let mut known = 0;
        while known < survey.names.len() {
            known = survey.names.len();
            for (name, id) in self.table.all() {
                if survey.leads(common.macro_of(id)) {
                    survey.add(name);
                }
            }
        }
    }
}
