//! A printer of facts for `dump`: a title with its place, and a line for each set of passes.

use crate::facts::model::Cause;
use crate::source::{Sources, Span};
use crate::target::{PassSet, Passes};

/// Prints facts one a paragraph: what the passes that are shown see of them.
pub(in crate::facts) struct Printer<'p> {
    out: String,
    passes: &'p Passes,
    shown: PassSet,
    sources: &'p Sources,
}

/// The passes that see an entity as one line of text says.
pub(in crate::facts) type Line = (PassSet, String);

impl<'p> Printer<'p> {
    /// One that shows what the passes `shown` see.
    pub(in crate::facts) fn new(passes: &'p Passes, shown: PassSet, sources: &'p Sources) -> Printer<'p> {
        Printer { out: String::new(), passes, shown, sources }
    }

    /// No pass was chosen: all are shown.
    pub(in crate::facts) fn shows_all(&self) -> bool {
        self.shown == self.passes.all()
    }

    /// The text so far.
    pub(in crate::facts) fn finish(self) -> String {
        self.out
    }

    /// A title with its place, a line for each set of passes, the conditional behind it; nothing when
    /// no pass that is shown has a line.
    pub(in crate::facts) fn paragraph(
        &mut self,
        title: &str,
        at: Span,
        lines: Vec<Line>,
        cause: Option<&Cause>,
    ) {
        let seen = lines.into_iter().map(|(passes, text)| (passes.and(self.shown), text));
        let seen: Vec<Line> = seen.filter(|(passes, _)| !passes.is_empty()).collect();
        if seen.is_empty() {
            return;
        }
        self.line(&format!("{title}\t{}", self.place(at)));
        for (passes, text) in seen {
            self.line(&format!("  {}: {text}", self.passes.names(passes).join(",")));
        }
        if let Some(cause) = cause {
            self.line(&format!("  because {}\t{}", cause.text, self.place(cause.at)));
        }
    }

    /// A line by itself.
    pub(in crate::facts) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A place as `file:line:column`.
    pub(in crate::facts) fn place(&self, at: Span) -> String {
        let file = self.sources.file(at.file);
        let position = file.line_column(at.start);
        format!("{}:{}:{}", file.path.display(), position.line, position.column)
    }
}
