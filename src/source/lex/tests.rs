//! Tests of the lexer.

use super::*;

/// Renders the tokens separated by blanks, with a new line at each token that begins one.
fn check(text: &str, expected: &str) {
    let mut shown = String::new();
    for token in lex(text) {
        if !shown.is_empty() {
            shown.push(if token.line_start { '\n' } else { ' ' });
        }
        let kind = match token.kind {
            TokenKind::Identifier => 'i',
            TokenKind::Number => 'n',
            TokenKind::Character => 'c',
            TokenKind::String => 's',
            TokenKind::Punctuator => 'p',
            TokenKind::Other => 'o',
        };
        let space = if token.space_before { "_" } else { "" };
        shown += &format!("{space}{kind}:{}", token.text);
    }
    assert_eq!(shown, expected);
}

#[test]
fn identifiers_take_dollars_and_letters_of_any_script() {
    check("a$b _x9 größe", "i:a$b _i:_x9 _i:größe");
}

/// Names and blanks are read sixteen bytes at a time; the result must be the same as byte by byte.
#[test]
fn names_and_blanks_of_any_length_end_where_they_end() {
    for length in 1..70 {
        let name = "a_9$Zé".chars().cycle().take(length).collect::<String>();
        let blanks = " ".repeat(length);
        for end in ["", ";", "@", "[", "`", "{", "/", ":", "#", "-", "\n"] {
            let text = format!("{blanks}{name}{blanks}{name}{end}");
            let tokens = lex(&text);
            let names: Vec<&str> = tokens.iter().take(2).map(|token| token.text.as_str()).collect();
            assert_eq!(names, [&name, &name], "{text:?}");
            assert_eq!(tokens.len(), 2 + usize::from(!matches!(end, "" | "\n")), "{text:?}");
            assert_eq!(tokens[1].offset as usize, 2 * length + name.len());
            assert_eq!(tokens[1].end as usize, 2 * (length + name.len()));
        }
        check(&format!("{name}\"x\""), &format!("i:{name} s:\"x\""));
        check(&format!("{name}\\\n{name};"), &format!("i:{name}{name} p:;"));
    }
}

#[test]
fn universal_character_names_are_the_characters_in_identifiers() {
    check(r"gr\u00f6\U000000dfe \u00e9x 1\u00e9", r"i:größe _i:éx _n:1\u00e9");
    check(r#""\u00e9" \u00 \uD800"#, r#"s:"\u00e9" _o:\ i:u00 _o:\ i:uD800"#);
}

#[test]
fn numbers_take_separators_exponents_and_suffixes() {
    check("1'000'000u 0x1p-3f 1e+5 .5 1..2", "n:1'000'000u _n:0x1p-3f _n:1e+5 _n:.5 _n:1..2");
    check("0x1e+1 1'", "n:0x1e+1 _n:1 o:'");
}

#[test]
fn literals_take_prefixes_and_suffixes() {
    check(r#"u8"a" L'x' "s"_km u'\'' "a\"b""#, r#"s:u8"a" _c:L'x' _s:"s"_km _c:u'\'' _s:"a\"b""#);
    check(r#"u8R"(a"b\n)"x R"d()")d" u R L8"a""#, r#"s:u8R"(a"b\n)"x _s:R"d()")d" _i:u _i:R _i:L8 s:"a""#);
}

#[test]
fn a_raw_strings_delimiter_may_hold_quotes() {
    check("R\"a\"b(x)\"b(y)a\"b\" c", "s:R\"a\"b(x)\"b(y)a\"b\" _i:c");
    // Also behind a raw string that is not closed.
    check("R\"z(\nR\"\"()\"(y)\"\" R\"x\"(y)x\"\"", "o:R\"z(\ns:R\"\"()\"(y)\"\" _s:R\"x\"(y)x\"\"");
}

#[test]
fn of_a_literal_that_is_not_closed_the_ends_are_kept() {
    let text = |middle: &str| format!("R\"({}{middle}{} end", "a".repeat(1000), "b ".repeat(1000));
    let all = ["one", "two", "one"].map(|middle| lex(&text(middle)));
    let [one, other, again] = all.each_ref().map(|tokens| tokens.as_slice());
    assert_eq!([one.len(), other.len(), again.len()], [1, 1, 1]);
    assert_eq!((one[0].text, one[0].kind), (again[0].text, TokenKind::Other));
    assert_ne!(one[0].text, other[0].text);
    let kept = one[0].text.as_str();
    assert!(kept.starts_with("R\"(aaa") && kept.ends_with("b  end") && kept.len() < 1000, "{kept}");
    assert_eq!(one[0].end as usize, text("one").len());
}

#[test]
fn a_raw_string_keeps_splices() {
    check("R\"(a\\\nb)\" c", "s:R\"(a\\\nb)\" _i:c");
}

#[test]
fn splices_vanish_inside_tokens_and_comments() {
    check("ab\\\ncd +\\\n+ \"x\\\ny\" 1\\\r\n2", "i:abcd _p:++ _s:\"xy\" _n:12");
    check("a // b \\\n c\nd /\\\n* x *\\\n/ e", "i:a\ni:d _i:e");
}

#[test]
fn comments_are_space_and_lines_are_logical() {
    check("a/* \n */b\n# if", "i:a _i:b\np:# _i:if");
}

#[test]
fn the_longest_punctuator_wins() {
    check(
        "<=> ->* .* ... ## %:%: <: :> <% %> %:",
        "p:<=> _p:->* _p:.* _p:... _p:## _p:## _p:[ _p:] _p:{ _p:} _p:#",
    );
    check("k<<<a>>>b <<=c x<::y", "i:k p:<< p:< i:a p:>> p:> i:b _p:<<= i:c _i:x p:< p::: i:y");
}

#[test]
fn a_lone_quote_ends_with_its_line() {
    check("don't stop\nnext \"open\nc", "i:don o:'t stop\ni:next _o:\"open\ni:c");
}

#[test]
fn other_characters_stand_alone() {
    check("a @ \\ b `", "i:a _o:@ _o:\\ _i:b _o:`");
}

#[test]
fn offsets_span_the_written_text() {
    let tokens = lex("x ab\\\ncd;");
    assert_eq!((tokens[1].offset, tokens[1].end), (2, 8));
}

#[test]
fn a_literal_is_read_character_by_character() {
    let codes = |mut text: &str| {
        let mut codes = Vec::new();
        while let Some((code, rest)) = one_character(text) {
            codes.push(code);
            text = rest;
        }
        codes
    };
    assert_eq!(codes(r"a\n\x1fg\1018\u00e9é\'"), [97, 10, 0x1f, 103, 65, 56, 0xe9, 0xe9, 39]);
    assert!(one_character("\\").is_none());
}

#[test]
fn the_list_of_a_long_text_is_not_reused() {
    lex("a b");
    assert!(GROWING.take().capacity() > 0);
    lex(&"a ".repeat(MOST_REUSED + 1));
    assert_eq!(GROWING.take().capacity(), 0);
}
