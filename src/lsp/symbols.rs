//! Document symbols and code lenses: the kernels and conditionals of a file.

use serde_json::{Value, json};

use crate::finding::Region;
use crate::source::{SourceFile, Token, closing, lex};
use crate::target::PassSet;

use super::position::Lines;

/// A kernel's declaration in the source text.
pub(super) struct Kernel {
    pub(super) name: String,
    /// From the declaration's first token to the end of the parameters, on one line.
    pub(super) head: String,
    /// The start of the whole declaration, as a byte offset.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The byte range of the name.
    pub(super) named: (u32, u32),
    /// Whether it has a body.
    pub(super) defined: bool,
}

/// The `__global__` functions in a text. Those that a macro expands to are not found.
pub(super) fn kernels(text: &str) -> Vec<Kernel> {
    let tokens: Vec<Token> = without_directives(lex(text));
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.text.as_str() == "__global__"
            && let Some(kernel) = kernel(text, &tokens, index)
        {
            found.push(kernel);
        }
    }
    found
}

fn without_directives(tokens: Vec<Token>) -> Vec<Token> {
    let mut inside = false;
    let keep = |token: &Token| {
        if token.line_start {
            inside = token.text.as_str() == "#";
        }
        !inside
    };
    let mut keep = keep;
    tokens.into_iter().filter(|token| keep(token)).collect()
}

fn kernel(text: &str, tokens: &[Token], at: usize) -> Option<Kernel> {
    let mut open = at;
    // Attributes such as `__launch_bounds__(128)` have parentheses of their own.
    let attributes =
        ["__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "__block_size__"];
    loop {
        open +=
            tokens[open..].iter().position(|token| matches!(token.text.as_str(), "(" | ";" | "{" | "}"))?;
        if tokens[open].text.as_str() != "(" {
            return None;
        }
        if !attributes.contains(&tokens[open.checked_sub(1)?].text.as_str()) {
            break;
        }
        open = closing(tokens, open)?;
    }
    let mut name = open.checked_sub(1)?;
    // `fill<int>` in an explicit instantiation or specialization.
    if tokens[name].text.as_str() == ">" {
        name = (at..name).rev().find(|index| tokens[*index].text.as_str() == "<")?.checked_sub(1)?;
    }
    let close = closing(tokens, open)?;
    let after = tokens[close + 1..].iter().position(|token| matches!(token.text.as_str(), ";" | "{"))?;
    let after = close + 1 + after;
    let defined = tokens[after].text.as_str() == "{";
    let end = if defined { closing(tokens, after)? } else { after };
    let first = (0..at).rev().find(|index| matches!(tokens[*index].text.as_str(), ";" | "{" | "}"));
    let first = first.map_or(0, |index| index + 1);
    let head = &text[tokens[first].offset as usize..tokens[close].end as usize];
    Some(Kernel {
        name: tokens[name].text.as_str().to_string(),
        head: head.split_whitespace().collect::<Vec<_>>().join(" "),
        start: tokens[first].offset,
        end: tokens[end].end,
        named: (tokens[name].offset, tokens[name].end),
        defined,
    })
}

/// The document symbols: kernels, and conditionals that differ between passes.
pub(super) fn outline(regions: &[Region], file: &SourceFile, lines: &Lines<'_>) -> Value {
    let mut symbols: Vec<(u32, Value)> = Vec::new();
    for kernel in kernels(&file.text) {
        let symbol = json!({
            "name": kernel.name,
            "detail": kernel.head,
            "kind": 12,
            "range": lines.range(kernel.start, kernel.end),
            "selectionRange": lines.range(kernel.named.0, kernel.named.1),
        });
        symbols.push((kernel.start, symbol));
    }
    for region in
        regions.iter().filter(|region| !region.passes.is_empty() && region.passes != region.of.all())
    {
        let end = (region.at.end as usize).min(file.text.len()) as u32;
        let line = file.line_text(file.line_index(region.at.start)).trim();
        let line_end = region.at.start + (line.len() as u32).min(end - region.at.start);
        let symbol = json!({
            "name": line,
            "detail": region.of.describe(region.passes),
            "kind": 3,
            "range": lines.range(region.at.start, end),
            "selectionRange": lines.range(region.at.start, line_end),
        });
        symbols.push((region.at.start, symbol));
    }
    symbols.sort_by_key(|(start, _)| *start);
    symbols.into_iter().map(|(_, symbol)| symbol).collect()
}

/// A code lens above each kernel that is defined: the passes that see it.
pub(super) fn lenses(
    regions: &[Region],
    all: (PassSet, String),
    file: &SourceFile,
    lines: &Lines<'_>,
) -> Value {
    let lens = |kernel: Kernel| {
        // Of the regions around it, the innermost has the fewest passes.
        let around = regions
            .iter()
            .filter(|region| region.at.start < kernel.named.0 && kernel.named.0 < region.at.end);
        let inner = around.min_by_key(|region| region.passes.len());
        let (passes, described) = match inner {
            Some(region) => (region.passes, region.of.describe(region.passes)),
            None => all.clone(),
        };
        let title = match passes {
            _ if passes == all.0 => "in every pass".to_string(),
            _ if passes.is_empty() => "in no pass".to_string(),
            _ => format!("in {described} only"),
        };
        json!({
            "range": lines.range(kernel.named.0, kernel.named.1),
            "command": {"title": title, "command": super::capabilities::PASSES},
        })
    };
    kernels(&file.text).into_iter().filter(|kernel| kernel.defined).map(lens).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_by_their_word() {
        let text = "template <class T>\n__global__ void __launch_bounds__(128, 2) a(T *x) { if (x) {} }\n\
                    #define K __global__ void c(int)\nextern \"C\" __global__ void b(int);\n\
                    template __global__ void a<int>(int *);\n";
        let found: Vec<(String, bool)> =
            kernels(text).into_iter().map(|kernel| (kernel.name, kernel.defined)).collect();
        assert_eq!(found, [("a".into(), true), ("b".into(), false), ("a".into(), false)]);
        assert_eq!(
            kernels(text)[0].head,
            "template <class T> __global__ void __launch_bounds__(128, 2) a(T *x)"
        );
    }
}
