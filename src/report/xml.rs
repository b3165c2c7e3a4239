//! Helpers that the XML formats share.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::excerpt::harmless;

/// Writes a document: the XML declaration, the output of `body`, and a line end.
pub(super) fn document(
    mut out: &mut dyn WriteColor,
    body: impl FnOnce(&mut Writer<&mut &mut dyn WriteColor>) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = Writer::new_with_indent(&mut out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    body(&mut writer)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The text without characters that XML 1.0 can't represent.
pub(super) fn text(text: &str) -> String {
    harmless(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
