//! The kernels by architecture as text: a column for each image, a row for each kernel.

use std::io::{self, Write};

use super::inventory::{Cell, Inventory};

/// Prints a table for each file.
///
/// # Errors
/// When it can't be written.
pub fn write_table(all: &[Inventory], out: &mut dyn Write) -> io::Result<()> {
    for (index, one) in all.iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        let kernels = one.rows.iter().filter(|row| row.what == "kernel").count();
        let (modules, kernels) = (counted(one.modules, "module"), counted(kernels, "kernel"));
        writeln!(out, "{gap}{}: {modules}, {kernels}", one.path.display())?;
        let names: Vec<String> = one.columns.iter().map(ToString::to_string).collect();
        writeln!(out, "host  {}  name", names.join("  "))?;
        for row in &one.rows {
            let host = match row.registered {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            };
            let cells = row
                .cells
                .iter()
                .zip(&names)
                .map(|(cell, name)| format!("{:^width$}", sign(*cell), width = name.len()));
            let what = if row.what == "kernel" { "" } else { "variable " };
            writeln!(out, "{host:4}  {}  {what}{}", cells.collect::<Vec<_>>().join("  "), row.name)?;
        }
    }
    out.flush()
}

/// `1 module`, `2 modules`.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// `+` in the image, `-` not in it, blank where the module has no such image.
fn sign(cell: Cell) -> &'static str {
    match cell {
        Cell::NoImage => "",
        Cell::Missing => "-",
        Cell::Ptx | Cell::Code => "+",
    }
}
