//! Suppression comments: `cuda-arch-lint: allow(rule) -- reason`, and clang-tidy's `NOLINT`.

use crate::catalog::Catalog;
use crate::rules::Card;
use crate::source::{SUPPRESSES, SourceFile, Span, Token, lex, sym};

/// The beginning of our own comments.
const OURS: &str = SUPPRESSES[0];
/// The name for all our rules in `NOLINT` lists.
const OUR_NAME: &str = "cuda-arch-lint";
/// The beginning of clang-tidy's.
const NOLINT: &str = SUPPRESSES[1];

/// A comment, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Comment {
    /// Where it stands.
    pub(super) at: Span,
    /// Its line, from 0.
    pub(super) line: usize,
    /// Its meaning.
    pub(super) says: Says,
    /// Code stands before it on its line.
    pub(super) after_code: bool,
    /// The first line and the last, from 0, of the code that follows, if some does: a directive's line, or a
    /// declaration or statement up to its first `{`, `}` or `;`.
    pub(super) next_code: Option<(usize, usize)>,
}

/// The meaning of a suppression comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Says {
    /// To allow these rules somewhere.
    Allow {
        /// The rules' names; empty for all.
        rules: Vec<String>,
        /// Where.
        scope: Scope,
        /// Why; empty if it does not say.
        reason: String,
        /// Whose notation it is.
        notation: Notation,
    },
    /// It is malformed.
    Unclear(String),
}

/// Where a comment allows its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// On its own line, or when it stands alone on the next line with code.
    Here,
    /// On the next line, whatever it holds.
    NextLine,
    /// In the whole file.
    File,
    /// From here to the comment that ends it.
    Begin,
    /// Up to here.
    End,
}

/// Whose notation a comment is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notation {
    /// Ours.
    Own,
    /// `NOLINT` that names us or a rule of ours.
    Named,
    /// `NOLINT` for every tool.
    Bare,
}

/// Whether a file may have suppression comments.
pub fn may_speak(file: &SourceFile) -> bool {
    file.about().may_suppress
}

/// The suppression comments of a file, in order.
pub(super) fn comments(file: &SourceFile, catalog: &Catalog) -> Vec<Comment> {
    if !may_speak(file) {
        return Vec::new();
    }
    let tokens = lex(&file.text);
    let mut found = Vec::new();
    let mut before: Option<usize> = None;
    let mut start = 0;
    for next in 0..=tokens.len() {
        let end = tokens.get(next).map_or(file.text.len(), |token| token.offset as usize);
        let comments = between(&file.text, start, end);
        let next_code = if comments.is_empty() { None } else { head(file, &tokens[next..]) };
        for (at, text) in comments {
            let Some(says) = read(text, catalog) else { continue };
            let line = file.line_index(at as u32);
            let at = Span { file: file.id, start: at as u32, end: (at + text.len()) as u32 };
            found.push(Comment { at, line, says, after_code: before == Some(line), next_code });
        }
        if let Some(token) = tokens.get(next) {
            before = Some(file.line_index(token.end.saturating_sub(1)));
            start = token.end as usize;
        }
    }
    found
}

/// The lines of the directive or declaration that begins with these tokens.
fn head(file: &SourceFile, tokens: &[Token]) -> Option<(usize, usize)> {
    let directive = |token: &Token| token.line_start && token.text == sym::HASH;
    let first = tokens.first()?;
    let last = match directive(first) {
        true => first,
        false => {
            let ends = |token: &&Token| matches!(token.text.as_str(), "{" | "}" | ";");
            let head = tokens.iter().take_while(|token| !directive(token));
            head.clone().find(ends).or_else(|| head.last())?
        }
    };
    Some((file.line_index(first.offset), file.line_index(last.offset)))
}

/// The comments of a text between two tokens, with their places.
fn between(text: &str, mut start: usize, end: usize) -> Vec<(usize, &str)> {
    let mut comments = Vec::new();
    while let Some(gap) = text.get(start..end) {
        let Some(at) = gap.find('/').map(|at| start + at) else { break };
        let rest = &text[at..end];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |close| close + 2)
        } else {
            start = at + 1;
            continue;
        };
        comments.push((at, rest[..length].trim_end()));
        start = at + length;
    }
    comments
}

/// The meaning of a comment, if it is a suppression comment.
fn read(comment: &str, catalog: &Catalog) -> Option<Says> {
    let text =
        comment.trim_start_matches('/').trim_start_matches('*').trim_end_matches('/').trim_end_matches('*');
    if let Some(at) = text.find(OURS) {
        return Some(own(text[at + OURS.len()..].trim()));
    }
    nolint(&text[text.find(NOLINT)? + NOLINT.len()..], catalog)
}

fn own(text: &str) -> Says {
    let (head, reason) = text.split_once("--").unwrap_or((text, ""));
    let Some((verb, rules)) = head.trim().split_once('(') else { return unclear(text) };
    let scope = match verb.trim() {
        "allow" => Scope::Here,
        "allow-file" => Scope::File,
        "allow-begin" => Scope::Begin,
        "allow-end" => Scope::End,
        _ => return unclear(text),
    };
    let Some(rules) = rules.strip_suffix(')') else { return unclear(text) };
    let rules: Vec<String> = names(rules);
    if rules.is_empty() {
        return Says::Unclear("no rule is named between the parentheses".into());
    }
    Says::Allow { rules, scope, reason: reason.trim().to_string(), notation: Notation::Own }
}

fn unclear(text: &str) -> Says {
    Says::Unclear(format!(
        "`{text}` is not understood: write `allow(rule) -- reason`, `allow-file(…)`, or `allow-begin(…)` and \
         `allow-end(…)`"
    ))
}

/// The text after `NOLINT` (clang.llvm.org/extra/clang-tidy, "Suppressing Undesired Diagnostics").
fn nolint(text: &str, catalog: &Catalog) -> Option<Says> {
    let forms =
        [("NEXTLINE", Scope::NextLine), ("BEGIN", Scope::Begin), ("END", Scope::End), ("", Scope::Here)];
    let (scope, rest) = forms.iter().find_map(|(form, scope)| Some((*scope, text.strip_prefix(form)?)))?;
    let allow = |rules, reason: &str, notation| {
        let reason = reason.trim_start_matches([':', '-', ' ']).trim().to_string();
        Some(Says::Allow { rules, scope, reason, notation })
    };
    let Some(list) = rest.strip_prefix('(') else {
        let ends = rest.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_');
        return if ends { allow(Vec::new(), rest, Notation::Bare) } else { None };
    };
    let (list, reason) = list.split_once(')')?;
    let names = names(list);
    let everything = names.iter().any(|name| name == "*");
    let all: Vec<String> =
        catalog.cards().filter(|card| listed(&names, card)).map(|card| card.id.clone()).collect();
    match all.len() {
        // Names of other tools' checks are none of our business.
        0 => None,
        some if some == catalog.cards().count() => {
            allow(Vec::new(), reason, if everything { Notation::Bare } else { Notation::Named })
        }
        _ => allow(all, reason, if everything { Notation::Bare } else { Notation::Named }),
    }
}

/// Whether a `NOLINT` list has a rule, by clang-tidy's rules: `*` matches anything, and the last name that matches
/// decides; a `-` before it excludes. A rule matches by id or code, with or without `cuda-arch-lint-` before it; the
/// program's name means all rules.
fn listed(names: &[String], card: &Card) -> bool {
    let known = [Some(card.id.as_str()), card.code.as_deref(), Some(OUR_NAME)];
    let fits = |glob: &str| {
        let short = glob.strip_prefix(OUR_NAME).and_then(|rest| rest.strip_prefix('-')).unwrap_or(glob);
        known.iter().flatten().any(|name| matches(short, name))
    };
    let last = names.iter().rev().find(|name| fits(name.strip_prefix('-').unwrap_or(name)));
    last.is_some_and(|name| !name.starts_with('-'))
}

/// Whether a name matches a pattern, in which `*` matches anything.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(start) else { return false };
    let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    ends.into_iter().any(|at| matches(rest, &name[at..]))
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::source::Sources;

    use super::*;

    fn read(comment: &str) -> Option<Says> {
        super::read(comment, &Catalog::default())
    }

    fn allow(rules: &[&str], scope: Scope, reason: &str, notation: Notation) -> Says {
        let rules = rules.iter().map(|rule| rule.to_string()).collect();
        Says::Allow { rules, scope, reason: reason.into(), notation }
    }

    #[test]
    fn comments_are_read() {
        let check = |text: &str, expected: Says| assert_eq!(read(text), Some(expected), "{text}");
        check(
            "// cuda-arch-lint: allow(CAL001, arch-dependent-layout) -- the host never looks",
            allow(&["CAL001", "arch-dependent-layout"], Scope::Here, "the host never looks", Notation::Own),
        );
        check("/* cuda-arch-lint: allow-file(x) */", allow(&["x"], Scope::File, "", Notation::Own));
        check("// cuda-arch-lint: allow-begin(x) -- a-b", allow(&["x"], Scope::Begin, "a-b", Notation::Own));
        check("// NOLINT", allow(&[], Scope::Here, "", Notation::Bare));
        check("// NOLINTNEXTLINE(*): why", allow(&[], Scope::NextLine, "why", Notation::Bare));
        check("// NOLINTBEGIN(cuda-arch-lint)", allow(&[], Scope::Begin, "", Notation::Named));
        check(
            "// NOLINT(bugprone-x, CAL005)",
            allow(&["arch-dependent-layout"], Scope::Here, "", Notation::Named),
        );
        check("// NOLINT(*,-bugprone-*)", allow(&[], Scope::Here, "", Notation::Bare));
        let two = ["arch-dependent-header", "arch-dependent-layout"];
        check("// NOLINT(arch-dependent-*er, CAL005*)", allow(&two, Scope::Here, "", Notation::Named));
        check(
            "// NOLINT(cuda-arch-lint-*target*, -cuda-arch-lint-suffixed-*)",
            allow(
                &["unsupported-target", "target-gap", "guard-misses-target"],
                Scope::Here,
                "",
                Notation::Named,
            ),
        );
        assert!(matches!(
            read("// NOLINT(*, -CAL001)"),
            Some(Says::Allow { rules, .. }) if rules.len() + 1 == crate::rules::RULES.len() && !rules.iter().any(|id| id == "CAL001")
        ));
        assert_eq!(read("// NOLINT(CAL001, -arch-*)"), None);
        assert_eq!(read("// NOLINT(bugprone-x)"), None);
        assert_eq!(read("// NOLINTED"), None);
        assert!(matches!(read("// cuda-arch-lint: alow(x)"), Some(Says::Unclear(_))));
        assert!(matches!(read("// cuda-arch-lint: allow()"), Some(Says::Unclear(_))));
    }

    #[test]
    fn comments_are_found_where_comments_are() {
        let sources = Sources::new();
        let text = "const char *s = \"// NOLINT\"; // NOLINT\n/* a */ // NOLINTNEXTLINE\n\nint x; /* NOLINT\n*/ int y;\n";
        let file = sources.add(Path::new("x.cu"), text.into());
        let found: Vec<_> = comments(&file, &Catalog::default())
            .into_iter()
            .map(|comment| (comment.line, comment.after_code, comment.next_code))
            .collect();
        assert_eq!(found, [(0, true, Some((3, 3))), (1, false, Some((3, 3))), (3, true, Some((4, 4)))]);
    }

    #[test]
    fn what_follows_a_comment_ends_where_its_head_does() {
        let sources = Sources::new();
        let check = |code: &str, expected: Option<(usize, usize)>| {
            let path = format!("{}.cu", code.len());
            let file = sources.add(Path::new(&path), format!("// NOLINT\n{code}"));
            assert_eq!(comments(&file, &Catalog::default())[0].next_code, expected, "{code}");
        };
        check("template <class T>\n__global__ void\nk(T)\n{\n}\n", Some((1, 4)));
        check("int a,\n  b;\nint c;\n", Some((1, 2)));
        check("#if A && \\\n  B\nint c;\n", Some((1, 1)));
        check("template <class T>\n#if A\nint c;\n", Some((1, 1)));
        check("\n", None);
    }
}
