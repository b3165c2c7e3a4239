//! The member functions that a class's body defines, by bracket structure alone.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};

use super::declarations::{MemberFunction, TopDeclaration};
use super::describe::function;
use super::opens::{Opens, opens};

/// The member functions that a class's body defines in one pass.
pub fn member_functions(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    pass: usize,
) -> Vec<MemberFunction> {
    let body = &declaration.class_body;
    let find = |found: &mut dyn FnMut(MemberFunction)| {
        if body.len() > 2 {
            let inside = body.start + 1..body.end - 1;
            BodyWalk { tokens, pass, in_template: false, found }.members(inside);
        }
    };
    let known = declaration.known.0.as_ref().filter(|_| declaration.passes.lowest() == Some(pass));
    let Some(known) = known else {
        let mut members = Vec::new();
        find(&mut |member| members.push(member));
        return members;
    };
    let first = declaration.tokens.start;
    let moved = |range: &Range<usize>| range.start + first..range.end + first;
    let relative = |range: Range<usize>| range.start - first..range.end - first;
    let members = known.members.get_or_init(|| {
        let mut members = Vec::new();
        find(&mut |member| {
            let (head, body) = (relative(member.head), relative(member.body));
            members.push(MemberFunction { head, body, ..member });
        });
        members.into()
    });
    members
        .iter()
        .map(|one| MemberFunction { head: moved(&one.head), body: moved(&one.body), ..*one })
        .collect()
}

/// A class's body, walked in one pass.
struct BodyWalk<'t> {
    tokens: &'t [PpToken],
    pass: usize,
    /// The class at hand is a template, or nested in one.
    in_template: bool,
    found: &'t mut dyn FnMut(MemberFunction),
}

impl BodyWalk<'_> {
    fn members(&mut self, range: Range<usize>) {
        let mut start: Option<usize> = None;
        let mut index = range.start;
        while index < range.end {
            let token = &self.tokens[index];
            if !token.passes.has(self.pass) {
                index += 1;
                continue;
            }
            match token.text {
                sym::SEMI => start = None,
                sym::COLON if start.is_some_and(|start| is_access(self.tokens[start].text)) => start = None,
                sym::LPAREN | sym::LBRACKET => {
                    start.get_or_insert(index);
                    index = closing(self.tokens, index..range.end, self.pass);
                }
                sym::LBRACE => {
                    let end = closing(self.tokens, index..range.end, self.pass);
                    let head = start.unwrap_or(index)..index;
                    let in_template = self.in_template || self.tokens[head.start].text == sym::TEMPLATE;
                    match opens(self.tokens, head.clone(), self.pass) {
                        Opens::Function { .. } => {
                            start = None;
                            let name = function(self.tokens, head.clone(), self.pass);
                            (self.found)(MemberFunction { name, in_template, head, body: index..end + 1 });
                        }
                        Opens::Class => {
                            let around = std::mem::replace(&mut self.in_template, in_template);
                            self.members(index + 1..end);
                            self.in_template = around;
                        }
                        // In a class that is not closed.
                        Opens::Namespace(_) | Opens::Linkage { .. } => start = None,
                        Opens::Enum | Opens::Part => {}
                    }
                    index = end;
                }
                _ => {
                    start.get_or_insert(index);
                }
            }
            index += 1;
        }
    }
}

fn is_access(text: Symbol) -> bool {
    matches!(text, sym::PUBLIC | sym::PRIVATE | sym::PROTECTED)
}

/// The bracket that closes the one at the start of `range`, else the range's last token.
fn closing(tokens: &[PpToken], range: Range<usize>, pass: usize) -> usize {
    let mut depth = 0_usize;
    for index in range.clone() {
        if !tokens[index].passes.has(pass) {
            continue;
        }
        match tokens[index].text {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    range.end - 1
}
