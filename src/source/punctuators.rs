//! Operators and punctuators ([lex.operators]), by their spelling. Digraphs have the symbol of their primary spelling.

use super::symbol::{Symbol, sym};

/// The punctuators of one character, indexed by the character.
pub(super) static ALONE: [Option<Symbol>; 256] = {
    let mut symbols = [None; 256];
    let mut byte = 0;
    while byte < 256 {
        symbols[byte] = punctuator(&[byte as u8]);
        byte += 1;
    }
    symbols
};

/// The symbol of a punctuator; `None` if the text is not one.
pub(super) const fn punctuator(text: &[u8]) -> Option<Symbol> {
    Some(match text {
        b"%:%:" | b"##" => sym::HASH_HASH,
        b"<=>" => sym::SPACESHIP,
        b"->*" => sym::ARROW_STAR,
        b"..." => sym::ELLIPSIS,
        b"<<=" => sym::SHL_ASSIGN,
        b">>=" => sym::SHR_ASSIGN,
        b"<:" | b"[" => sym::LBRACKET,
        b":>" | b"]" => sym::RBRACKET,
        b"<%" | b"{" => sym::LBRACE,
        b"%>" | b"}" => sym::RBRACE,
        b"%:" | b"#" => sym::HASH,
        b"::" => sym::SCOPE,
        b".*" => sym::DOT_STAR,
        b"->" => sym::ARROW,
        b"++" => sym::PLUS_PLUS,
        b"--" => sym::MINUS_MINUS,
        b"+=" => sym::PLUS_ASSIGN,
        b"-=" => sym::MINUS_ASSIGN,
        b"*=" => sym::STAR_ASSIGN,
        b"/=" => sym::SLASH_ASSIGN,
        b"%=" => sym::PERCENT_ASSIGN,
        b"^=" => sym::CARET_ASSIGN,
        b"&=" => sym::AMP_ASSIGN,
        b"|=" => sym::BAR_ASSIGN,
        b"==" => sym::EQ_EQ,
        b"!=" => sym::BANG_EQ,
        b"<=" => sym::LESS_EQ,
        b">=" => sym::GREATER_EQ,
        b"&&" => sym::AMP_AMP,
        b"||" => sym::BAR_BAR,
        b"<<" => sym::SHL,
        b">>" => sym::SHR,
        b"(" => sym::LPAREN,
        b")" => sym::RPAREN,
        b"<" => sym::LESS,
        b">" => sym::GREATER,
        b"," => sym::COMMA,
        b";" => sym::SEMI,
        b":" => sym::COLON,
        b"=" => sym::ASSIGN,
        b"*" => sym::STAR,
        b"&" => sym::AMP,
        b"!" => sym::BANG,
        b"?" => sym::QUESTION,
        b"." => sym::DOT,
        b"~" => sym::TILDE,
        b"+" => sym::PLUS,
        b"-" => sym::MINUS,
        b"/" => sym::SLASH,
        b"%" => sym::PERCENT,
        b"|" => sym::BAR,
        b"^" => sym::CARET,
        _ => return None,
    })
}
