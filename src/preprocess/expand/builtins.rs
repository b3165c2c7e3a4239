//! The macros that the preprocessor computes ([cpp.predefined]), and `_Pragma` ([cpp.pragma.op]).

use crate::source::{Symbol, TokenKind, lex, sym};

use super::{DefinitionId, Expander, Split, Tok, is_for_compiler, pad, unquoted};

impl Expander<'_, '_> {
    pub(super) fn builtin(
        &mut self,
        token: Tok,
        name: Symbol,
        id: DefinitionId,
    ) -> Result<Option<Tok>, Split> {
        let (kind, text) = match name {
            sym::PRAGMA_OPERATOR => return self.pragma_operator(token),
            // Like GCC: where it is written or, in what a macro leads to, where that macro is invoked.
            sym::LINE_MACRO => {
                let outermost = self.outermost.filter(|_| self.within_replacement());
                let at = outermost.map_or(token.at, |outermost| outermost.at);
                (TokenKind::Number, self.walker.line_at(at, self.set, self.moment)?.to_string())
            }
            // Like GCC: as the file is called where reading has come to.
            sym::FILE_MACRO => {
                let at = self.reached.unwrap_or(token.at);
                (TokenKind::String, quoted(&self.walker.name_at(at, self.set, self.moment)?))
            }
            sym::INCLUDE_LEVEL => {
                self.walker.tie();
                (TokenKind::Number, self.moment.level.to_string())
            }
            sym::COUNTER => {
                let settled = &self.effects.settled.counted;
                let value = match settled.get(self.effects.counted.len()) {
                    Some(value) => *value,
                    None => {
                        let further = self.effects.counted.len() - settled.len();
                        self.walker.counter(self.set)? + further as u32
                    }
                };
                self.effects.counted.push(value);
                (TokenKind::Number, value.to_string())
            }
            _ => match self.walker.builtin_text(name) {
                Some(found) => found,
                None => return Ok(Some(token)),
            },
        };
        let expansion = self.begin(token, id);
        Ok(Some(Tok { expansion: Some(expansion), ..token.with(kind, &text) }))
    }

    /// `_Pragma("…")` leaves no token of the program, only what says where it stood.
    fn pragma_operator(&mut self, token: Tok) -> Result<Option<Tok>, Split> {
        if !self.at_parenthesis()? {
            return Ok(Some(token));
        }
        self.next()?;
        let mut depth = 1;
        let mut text = String::new();
        while depth > 0 {
            let Some(next) = self.next()? else { break };
            match next.text {
                sym::LPAREN => depth += 1,
                sym::RPAREN => depth -= 1,
                _ => text.push_str(next.text.as_str()),
            }
        }
        let content = unquoted(&text);
        let made = token.pragma(&content);
        self.effects.pragmas.push(content);
        pad(&mut self.pending, &token.padding(token.space));
        Ok(is_for_compiler(&lex(made.text.as_str())[2..]).then_some(made))
    }
}

/// A string literal that holds `text`.
pub(in crate::preprocess) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
