//! Comparisons that look like template arguments. Whether `<` opens these is told by the name before it ([temp.names]/3),
//! which the grammar does not look up.

use crate::source::sym;
use crate::variance::{Word, word};

use super::rewriter::{Fate, Rewriter, Variables};

/// How far a bracket is looked for, in tokens, those in other brackets counting one.
const FARTHEST_BRACKET: usize = 1_000;

impl Rewriter<'_> {
    /// `conditional<N >= 3, A, B>`, `x < 80 && y >= 70`: the grammar takes the `>` for the end of
    /// template arguments, so the operator becomes one of the same precedence without it.
    pub(super) fn comparison(&mut self, at: usize) -> usize {
        if self.previous(at) != sym::OPERATOR {
            self.fates[at] = Fate::Text("<=");
        }
        at + 1
    }

    /// `select(i < n, a, Int<1>{})`, where `i` is a variable: the grammar takes the `<` for the begin of template arguments,
    /// so the operator becomes another of the same precedence.
    pub(super) fn less_than(&mut self, at: usize) -> bool {
        let compares = at > 0
            && self.is_name(at - 1)
            && !matches!(
                self.text(at.wrapping_sub(2)),
                sym::SCOPE | sym::DOT | sym::ARROW | sym::TEMPLATE | sym::OPERATOR
            )
            && self.has_closing_angle(at)
            && self
                .variables()
                .get(&self.text(at - 1))
                .is_some_and(|all| all.iter().any(|one| one.contains(&at)));
        if compares {
            self.fates[at] = Fate::Text("<=");
        }
        compares
    }

    /// Whether a `>` behind `<` could close it as a bracket.
    fn has_closing_angle(&self, at: usize) -> bool {
        let mut index = at + 1;
        for _ in 0..FARTHEST_BRACKET {
            match self.text(index) {
                sym::GREATER | sym::SHR => return true,
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => match self.closing(index) {
                    Some(close) => index = close,
                    None => return false,
                },
                sym::SEMI | sym::RPAREN | sym::RBRACKET | sym::RBRACE | sym::EMPTY => return false,
                _ => {}
            }
            index += 1;
        }
        false
    }

    /// The variables that the tokens declare, found when they are asked for first: none of them can be a template
    /// ([temp.pre]/2).
    fn variables(&self) -> &Variables {
        self.variables.get_or_init(|| {
            let mut found = Variables::default();
            for at in (0..self.tokens.len()).filter(|at| self.declares_variable(*at)) {
                if let Some(end) = self.end_of_scope(at) {
                    found.entry(self.text(at)).or_default().push(at..end);
                }
            }
            found
        })
    }

    /// Whether a token is a name that is declared with a type before it, as no expression has: `auto const &a,`, `Shape b)`,
    /// `C<3> c;`.
    fn declares_variable(&self, at: usize) -> bool {
        let ends = matches!(
            self.text(at + 1),
            sym::COMMA | sym::RPAREN | sym::ASSIGN | sym::SEMI | sym::LBRACE | sym::COLON | sym::LBRACKET
        );
        if !ends || at == 0 || !self.is_name(at) {
            return false;
        }
        let is_declarator =
            |index: &usize| matches!(self.text(*index), sym::AMP | sym::AMP_AMP | sym::STAR | sym::ELLIPSIS);
        let Some(before) = (0..at).rev().find(|index| !is_declarator(index)) else { return false };
        match word(self.text(before)) {
            Some(Word::Type) => true,
            Some(_) => self.text(before) == sym::CONST,
            None if before + 1 != at => false,
            None if matches!(self.text(before), sym::GREATER | sym::SHR) => self.ends_type(before),
            None => self.is_name(before),
        }
    }

    /// Whether a `>` or `>>` before a name ends a type, where a comparison would be without effect: in the list of a function's
    /// parameters, and where a statement begins with what it closes.
    fn ends_type(&self, angle: usize) -> bool {
        let open = self.brackets.around[angle] as usize;
        if self.text(open) == sym::LPAREN {
            let next = self.closing(open).map_or(sym::EMPTY, |close| self.text(close + 1));
            let is_function = open > 0 && (self.is_name(open - 1) || self.text(open - 1) == sym::RBRACKET);
            return is_function
                && matches!(
                    next,
                    sym::LBRACE | sym::CONST | sym::MUTABLE | sym::NOEXCEPT | sym::ARROW | sym::OVERRIDE
                );
        }
        let (mut depth, mut at) = (0_i32, angle);
        for _ in 0..FARTHEST_BRACKET {
            match self.text(at) {
                sym::GREATER => depth += 1,
                sym::SHR => depth += 2,
                sym::LESS => depth -= 1,
                sym::RPAREN | sym::RBRACKET | sym::RBRACE => match self.opening(at) {
                    Some(opening) => at = opening,
                    None => return false,
                },
                sym::SEMI | sym::LPAREN | sym::LBRACKET | sym::LBRACE => return false,
                _ => {}
            }
            if at == 0 || depth < 0 {
                return false;
            }
            at -= 1;
            if depth == 0 {
                break;
            }
        }
        if depth > 0 {
            return false;
        }
        // The name of the template, `a::b`, and what stands before it.
        while self.is_name(at) && at > 1 && self.text(at - 1) == sym::SCOPE {
            at -= 2;
        }
        let before = if at == 0 { sym::EMPTY } else { self.text(at - 1) };
        self.is_name(at)
            && matches!(
                before,
                sym::SEMI
                    | sym::LBRACE
                    | sym::RBRACE
                    | sym::CONST
                    | sym::CONSTEXPR
                    | sym::STATIC
                    | sym::TYPENAME
            )
    }

    /// Where the scope of the variable that is declared at a token ends; `None` if it is in no function.
    fn end_of_scope(&self, at: usize) -> Option<usize> {
        let open = self.brackets.around[at] as usize;
        match self.text(open) {
            sym::LBRACE if open != at && self.is_block(open) => self.closing(open),
            sym::LPAREN if open != at => {
                let mut index = self.closing(open)? + 1;
                for _ in 0..FARTHEST_BRACKET {
                    match self.text(index) {
                        sym::LBRACE => return self.closing(index),
                        sym::SEMI | sym::RPAREN | sym::RBRACKET | sym::RBRACE | sym::EMPTY => {
                            return Some(index);
                        }
                        sym::LPAREN | sym::LBRACKET => index = self.closing(index)?,
                        _ => {}
                    }
                    index += 1;
                }
                Some(index)
            }
            _ => None,
        }
    }

    /// Whether a brace opens a block of a function, and no class or namespace.
    fn is_block(&self, open: usize) -> bool {
        let mut open = open;
        loop {
            let before = self.previous(open);
            let follows_head = matches!(before, sym::RPAREN | sym::ELSE | sym::DO | sym::TRY);
            let follows_words = matches!(before, sym::CONST | sym::NOEXCEPT | sym::MUTABLE | sym::OVERRIDE);
            if follows_head || follows_words {
                return true;
            }
            let around = self.brackets.around[open] as usize;
            // A block within a block, as of a label, stands behind a statement.
            if around == open || self.text(around) != sym::LBRACE {
                return false;
            }
            if !matches!(before, sym::SEMI | sym::LBRACE | sym::RBRACE | sym::COLON) {
                return false;
            }
            open = around;
        }
    }
}
