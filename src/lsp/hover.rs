//! Hover texts: a conditional, macro, kernel or target, as each pass sees it.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::analysis::{MacroMeaning, UnitView};
use crate::report::display_path;
use crate::rules::Card;
use crate::source::{Loc, SourceFile, Sources, Span, Token, TokenKind, lex};
use crate::target::{Passes, parse_arch_list};

use super::position::Lines;

/// A place in a file that a unit reads, with what hover needs to describe it.
pub(super) struct HoverPlace<'p> {
    pub(super) look: &'p UnitView,
    pub(super) sources: &'p Sources,
    pub(super) file: &'p SourceFile,
    pub(super) lines: &'p Lines<'p>,
    pub(super) offset: usize,
}

/// The hover at a place; null if there is nothing to show.
pub(super) fn hover(place: &HoverPlace<'_>) -> Value {
    let token = token_at(&place.file.text, place.offset);
    let text = token.as_ref().and_then(|token| named(place, token)).or_else(|| directive(place));
    match text {
        Some((text, start, end)) => json!({
            "contents": {"kind": "markdown", "value": text},
            "range": place.lines.range(start, end),
        }),
        None => Value::Null,
    }
}

/// The identifier, number or string at an offset.
pub(super) fn token_at(text: &str, offset: usize) -> Option<Token> {
    // Lexing starts at the beginning of the text: a comment or literal may extend over any line end.
    let tokens = lex(text);
    let found = tokens.partition_point(|token| (token.end as usize) < offset);
    let at = |index: usize| {
        tokens.get(index).copied().filter(|token| {
            token.kind != TokenKind::Punctuator
                && token.offset as usize <= offset
                && offset <= token.end as usize
        })
    };
    at(found).or_else(|| at(found + 1))
}

/// The hover of a macro, kernel, target or rule with the token's name.
fn named(place: &HoverPlace<'_>, token: &Token) -> Option<(String, u32, u32)> {
    let word = token.text.as_str();
    let text = match token.kind {
        TokenKind::Identifier => {
            let at = Loc { file: place.file.id, offset: token.offset };
            let meanings = place.look.meanings(word, at);
            if !meanings.is_empty() {
                macro_text(place, word, &meanings)
            } else {
                kernel(place, word).or_else(|| target(&place.look.passes, word))?
            }
        }
        TokenKind::Number => target(&place.look.passes, word)?,
        TokenKind::String => target(&place.look.passes, word.trim_matches('"'))?,
        _ => return None,
    };
    Some((text, token.offset, token.end))
}

/// The hover of the directive in the line: the passes that enter it, and why.
fn directive(place: &HoverPlace<'_>) -> Option<(String, u32, u32)> {
    let start = place.file.line_start(place.file.line_index(place.offset as u32));
    let line = &place.file.text[start..];
    let hash = start + (line.len() - line.trim_start_matches([' ', '\t']).len());
    let at = Loc { file: place.file.id, offset: hash as u32 };
    let (text, reached, entered, steps) = place.look.conditional(at)?;
    let passes = &place.look.passes;
    let mut shown = format!("```cpp\n{text}\n```\n");
    let _ = writeln!(shown, "\n| pass | reads the lines below |\n|---|---|");
    for (set, what) in
        [(entered, "yes"), (reached.minus(entered), "no"), (passes.all().minus(reached), "not reached")]
    {
        if !set.is_empty() {
            let _ = writeln!(shown, "| {} | {what} |", passes.describe(set));
        }
    }
    if steps.len() > 1 {
        shown.push_str("\nWhy the passes differ:\n");
        for step in &steps {
            let from = step.at.map_or("predefined by nvcc".to_string(), |at| place_of(place.sources, at));
            let _ = writeln!(shown, "* `{}`, {from}: {}", step.text, passes.describe(step.passes));
        }
    }
    let end = start + place.file.line_text(place.file.line_index(place.offset as u32)).len();
    Some((shown, hash as u32, end as u32))
}

fn macro_text(place: &HoverPlace<'_>, name: &str, meanings: &[MacroMeaning]) -> String {
    let passes = &place.look.passes;
    let mut shown = format!("macro `{name}`\n\n| pass | definition | from |\n|---|---|---|\n");
    for meaning in meanings {
        let text = match &meaning.text {
            Some(text) => format!("`{}`", text.strip_prefix(name).unwrap_or(text).trim().replace('|', "\\|")),
            None => "not defined".to_string(),
        };
        let text = if text == "``" { "defined, with an empty replacement list".to_string() } else { text };
        let from = match (meaning.at, &meaning.text) {
            (Some(at), _) => place_of(place.sources, at),
            (None, Some(_)) => "predefined, or defined on the command line".into(),
            (None, None) => String::new(),
        };
        let _ = writeln!(shown, "| {} | {text} | {from} |", passes.describe(meaning.passes));
    }
    shown
}

/// A kernel's signature and instantiations in each pass.
fn kernel(place: &HoverPlace<'_>, name: &str) -> Option<String> {
    let passes = &place.look.passes;
    let mut shown = String::new();
    if let Some(fact) = place.look.signed(name) {
        let _ = writeln!(shown, "{} `{}`\n\n| pass | type |\n|---|---|", fact.what, fact.name);
        for case in &fact.cases {
            let _ = writeln!(shown, "| {} | `{}` |", passes.describe(case.passes), case.shown.trim());
        }
        let lacking = passes.all().minus(fact.defined);
        if !lacking.is_empty() {
            let _ = writeln!(shown, "| {} | no definition |", passes.describe(lacking));
        }
    }
    let instantiations: Vec<_> = place.look.instantiations(name).collect();
    if !instantiations.is_empty() {
        let _ = writeln!(shown, "\n| instantiation | in |\n|---|---|");
        for fact in instantiations {
            let _ = writeln!(shown, "| `{}` | {} |", fact.shown, passes.describe(fact.passes));
        }
    }
    let differs = !shown.is_empty();
    if !differs {
        let head =
            super::symbols::kernels(&place.file.text).into_iter().find(|kernel| kernel.name == name)?;
        let _ = writeln!(shown, "```cuda\n{}\n```", head.head);
    }
    match (place.look.is_analysed, differs) {
        (true, false) => shown.push_str("The same in every pass.\n"),
        (true, true) => {}
        (false, false) => shown.push_str("\nBeing analysed.\n"),
        (false, true) => shown.push_str("\nBefore the last edit, which is being analysed.\n"),
    }
    Some(shown)
}

/// A target by any of its names: `sm_90a`, `compute_80`, `900` in a comparison.
fn target(passes: &Passes, word: &str) -> Option<String> {
    let by_value = word.parse::<u32>().ok().filter(|value| value % 10 == 0 && (300..=2000).contains(value));
    let name = match by_value {
        Some(value) => (value / 10).to_string(),
        None if word.starts_with("sm_") || word.starts_with("compute_") => word.to_string(),
        None => return None,
    };
    let archs = parse_arch_list(&name).ok()?;
    let [arch] = archs[..] else { return None };
    let compiled = match passes.archs(passes.devices()).contains(&arch) {
        true => "A target of this unit.",
        false => "Not a target of this unit.",
    };
    Some(format!("target `{}`: `__CUDA_ARCH__` is {}\n\n{compiled}", arch.sm_name(), arch.cuda_arch()))
}

/// `a.cu:12`.
fn place_of(sources: &Sources, at: Span) -> String {
    let file = sources.file(at.file);
    format!("{}:{}", display_path(&file.path), file.line_column(at.start).line)
}

/// A rule's card as Markdown, for the command `explain`.
pub(super) fn explained(card: &Card) -> String {
    let mut text = format!("# {}\n", card.title);
    let sections = crate::rules::SECTIONS.iter().zip(&card.sections);
    for (name, section) in sections.filter(|(_, section)| !section.is_empty()) {
        let _ = write!(text, "\n## {name}\n\n{}\n", section.trim());
    }
    text
}
