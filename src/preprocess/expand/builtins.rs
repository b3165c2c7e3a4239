//! The macros that the preprocessor computes ([cpp.predefined]), and `_Pragma` ([cpp.pragma.op]).

use crate::source::{Symbol, TokenKind, lex, sym};

use super::effects::Split;
use super::host::{Host, TokenSource};
use super::pragma::{is_for_compiler, quoted, unquoted};
use super::reader::Expander;
use super::token::Tok;

impl<'u, H: Host<'u>, S: TokenSource<H>> Expander<'_, 'u, H, S> {
    /// The value of a macro that the preprocessor computes, other than `_Pragma`; none for the names that only
    /// conditions understand.
    pub(super) fn computed(
        &mut self,
        token: &Tok,
        name: Symbol,
    ) -> Result<Option<(TokenKind, String)>, Split> {
        let moment = self.position.moment;
        Ok(Some(match name {
            // Like GCC: where it is written or, in what a macro leads to, where that macro is invoked.
            sym::LINE_MACRO => {
                let outermost = self.nesting.outermost.filter(|_| self.within_replacement());
                let at = outermost.map_or(token.at, |outermost| outermost.at);
                (TokenKind::Number, self.host.line_at(at, self.set, moment)?.to_string())
            }
            // Like GCC: as the file is called where reading has come to.
            sym::FILE_MACRO => {
                let at = self.position.reached.unwrap_or(token.at);
                (TokenKind::String, quoted(&self.host.file_name_at(at, self.set, moment)?))
            }
            sym::INCLUDE_LEVEL => {
                self.host.note_untracked();
                (TokenKind::Number, moment.level.to_string())
            }
            sym::COUNTER => {
                let settled = &self.effects.settled.counted;
                let value = match settled.get(self.effects.counted.len()) {
                    Some(value) => *value,
                    None => {
                        let further = self.effects.counted.len() - settled.len();
                        self.host.counter(self.set)? + further as u32
                    }
                };
                self.effects.counted.push(value);
                (TokenKind::Number, value.to_string())
            }
            sym::BASE_FILE => {
                self.host.note_untracked();
                (TokenKind::String, quoted(&self.host.main_file_name()))
            }
            sym::DATE => (TokenKind::String, quoted("Jan  1 1970")),
            sym::TIME => (TokenKind::String, quoted("00:00:00")),
            sym::TIMESTAMP => (TokenKind::String, quoted("Thu Jan  1 00:00:00 1970")),
            _ => return Ok(None),
        }))
    }

    /// Carries out `_Pragma("…")`: no token of the program is left of it, only one that stands for the pragma.
    pub(super) fn pragma_operator(&mut self, token: Tok) -> Result<Option<Tok>, Split> {
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
        self.contexts.pad(&token.padding(token.space));
        Ok(is_for_compiler(&lex(made.text.as_str())[2..]).then_some(made))
    }
}
