//! JUnit's XML, which CI servers show: a failed test case for each finding, a test case with an error for each
//! problem, and one that passed if there is neither.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;
use quick_xml::events::BytesText;

use crate::finding::Finding;

use super::{Format, Report, first_line, paths, xml};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format =
    Format { name: "junit", about: "XML for CI servers' test reports", write, line: None };

/// A test case.
struct Case {
    class: String,
    name: String,
    /// For a test case that did not pass: the element's name, a message of one line, its type, and the full text.
    wrong: Option<(&'static str, String, &'static str, String)>,
}

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    let mut cases: Vec<Case> = report.unsuppressed().map(|finding| failure(report, finding)).collect();
    let incomplete = report.problems.iter().filter(|problem| problem.incomplete);
    cases.extend(incomplete.map(|problem| Case {
        class: paths::below(&problem.path, &report.layout.root),
        name: "analysis".to_string(),
        wrong: Some(("error", problem.message.clone(), "incomplete", problem.message.clone())),
    }));
    if cases.is_empty() {
        cases.push(Case { class: "cuda-arch-lint".into(), name: report.summary.to_string(), wrong: None });
    }
    let count = |kind: &str| {
        let of_kind = |case: &&Case| case.wrong.as_ref().is_some_and(|wrong| wrong.0 == kind);
        cases.iter().filter(of_kind).count().to_string()
    };
    let (tests, failures, errors) = (cases.len().to_string(), count("failure"), count("error"));
    let counts =
        [("name", "cuda-arch-lint"), ("tests", &tests), ("failures", &failures), ("errors", &errors)];
    xml::document(out, |writer| {
        writer.create_element("testsuites").with_attributes(counts).write_inner_content(|writer| {
            writer.create_element("testsuite").with_attributes(counts).write_inner_content(|writer| {
                cases.iter().try_for_each(|case| {
                    let (class, name) = (xml::text(&case.class), xml::text(&case.name));
                    let element = writer
                        .create_element("testcase")
                        .with_attributes([("classname", class.as_str()), ("name", name.as_str())]);
                    let Some((kind, message, rule, all)) = &case.wrong else {
                        return element.write_empty().map(|_| ());
                    };
                    element
                        .write_inner_content(|writer| {
                            let message = xml::text(message);
                            writer
                                .create_element(*kind)
                                .with_attributes([("message", message.as_str()), ("type", rule)])
                                .write_text_content(BytesText::new(&xml::text(all)))
                                .map(|_| ())
                        })
                        .map(|_| ())
                })
            })?;
            Ok(())
        })?;
        Ok(())
    })
}

fn failure(report: &Report<'_>, finding: &Finding) -> Case {
    let at = first_line(report.sources, finding.primary.at);
    let class = at.path(&report.layout.root);
    let head = format!("{class}:{}:{}: {}", at.line, at.column, finding.message);
    let views = finding.views.iter().map(|view| {
        format!("  {}: {}", finding.passes.short_names(view.passes, "host").join(", "), view.sees)
    });
    let lines = std::iter::once(head).chain(views).chain(finding.consequences.iter().cloned());
    let all = lines.collect::<Vec<_>>().join("\n");
    Case {
        class,
        name: format!("{} {} ({}:{})", finding.rule, finding.entity, at.line, at.column),
        wrong: Some(("failure", finding.message.clone(), finding.rule, all)),
    }
}
