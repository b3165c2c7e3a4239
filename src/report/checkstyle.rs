//! Checkstyle's XML, which Jenkins, reviewdog and other tools read.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::{Finding, Level};

use super::{Format, Line, Report, first_line, xml};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "checkstyle", about: "XML for Jenkins and reviewdog", write, line: None };

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    let places: Vec<(Line, &Finding)> = report
        .unsuppressed()
        .map(|finding| (first_line(report.sources, finding.primary.at), finding))
        .collect();
    xml::document(out, |writer| {
        let root = writer.create_element("checkstyle").with_attribute(("version", "4.3"));
        root.write_inner_content(|writer| {
            for file in places.chunk_by(|(left, _), (right, _)| left.path == right.path) {
                let path = xml::text(&file[0].0.path(&report.layout.root));
                let element = writer.create_element("file").with_attribute(("name", path.as_str()));
                element.write_inner_content(|writer| {
                    for (at, finding) in file {
                        let (line, column) = (at.line.to_string(), at.column.to_string());
                        let source = format!("cuda-arch-lint.{}", finding.rule);
                        let element = writer.create_element("error").with_attributes([
                            ("line", line.as_str()),
                            ("column", &column),
                            ("severity", severity(finding.level)),
                            ("message", &xml::text(&finding.message)),
                            ("source", &source),
                        ]);
                        element.write_empty()?;
                    }
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "info",
    }
}
