//! The kernels by GPU as a page that is complete in itself: a matrix of kernels and GPUs.
//!
//! A kernel is one line of text: a character for each GPU, coloured by what the GPU runs, and the name, of which a click
//! shows what there is no room for. Those of one name that differ in nothing are one line. The page of 10,000 kernels
//! stays as light as its text; the script only hides what a filter leaves out.

use std::collections::BTreeSet;
use std::io::{self, Write};

use quick_xml::escape::escape;

use crate::target::Arch;

use super::inventory::{Cell, Inventory, Row};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Each kind of cell with its CSS class, its character and its meaning in the legend.
const CELLS: [(Cell, &str, char, &str); 4] = [
    (Cell::Code, "code", '█', "machine code"),
    (Cell::Ptx, "ptx", '▒', "PTX, compiled by the driver"),
    (Cell::Missing, "missing", '×', "not in the code that the GPU runs"),
    (Cell::NoImage, "none", '·', "nothing that the GPU can run"),
];

/// Writes the page.
///
/// # Errors
/// When it can't be written.
pub fn write_page(all: &[Inventory], out: &mut dyn Write) -> io::Result<()> {
    let kernels: usize =
        all.iter().map(|one| one.rows.iter().filter(|row| row.what == "kernel").count()).sum();
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n<title>{kernels} kernels by GPU</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<header><h1>Kernels by GPU</h1>\n<p>{kernels} kernels in {} file{}. A click on a name shows all of it.</p>\n\
         <p class=\"key\">",
        all.len(),
        plural(all.len())
    )?;
    for (_, class, sign, meaning) in CELLS {
        writeln!(out, "<span><i class=\"{class}\">{sign}</i> {meaning}</span>")?;
    }
    writeln!(
        out,
        "</p>\n</header>\n<form id=\"filters\"><label>Name <input id=\"name\" type=\"search\"></label>\n\
         <label><input id=\"gaps\" type=\"checkbox\"> only kernels that some GPU lacks</label>\n\
         <output id=\"count\"></output></form>\n<main>"
    )?;
    for one in all {
        file(one, out)?;
    }
    writeln!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>")?;
    out.flush()
}

/// A file: its GPUs above, a line for each kernel below.
fn file(one: &Inventory, out: &mut dyn Write) -> io::Result<()> {
    let gpus: BTreeSet<u16> = one.rows.iter().flat_map(|row| row.gpus.keys().copied()).collect();
    let gpus: Vec<u16> = gpus.into_iter().collect();
    writeln!(
        out,
        "<section>\n<h2>{}</h2>\n<p>{} module{}; images: {}</p>\n<div class=\"matrix\" style=\"--gpus: {}\">\n<p class=\"head\"><b>",
        escape(one.path.display().to_string()),
        one.modules,
        plural(one.modules),
        one.columns.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        gpus.len(),
    )?;
    for gpu in &gpus {
        let arch = Arch::plain(*gpu);
        writeln!(out, "<i title=\"{}\">{}</i>", escape(arch.gpus()), arch.capability())?;
    }
    writeln!(out, "</b></p>")?;
    let mut kernels: Vec<&Row> = one.rows.iter().filter(|row| row.what == "kernel").collect();
    kernels.sort_by_key(|row| shown(row));
    let alike = |left: &&Row, right: &&Row| {
        (&left.name, left.registered, &left.gpus) == (&right.name, right.registered, &right.gpus)
    };
    for same in kernels.chunk_by(alike) {
        line(same, &gpus, out)?;
    }
    writeln!(out, "</div>\n</section>")
}

/// The line of kernels that look alike.
fn line(same: &[&Row], gpus: &[u16], out: &mut dyn Write) -> io::Result<()> {
    let Some(row) = same.first() else { return Ok(()) };
    let cells: Vec<Cell> =
        gpus.iter().map(|gpu| row.gpus.get(gpu).copied().unwrap_or(Cell::NoImage)).collect();
    let gap = cells.contains(&Cell::Missing) && row.registered != Some(false);
    write!(out, "<p{}", if gap { " class=\"gap\"" } else { "" })?;
    if same.len() > 1 {
        write!(out, " data-kernels=\"{}\"", same.len())?;
    }
    write!(out, "><b>")?;
    for run in cells.chunk_by(|left, right| left == right) {
        let (_, class, sign, _) =
            CELLS.iter().find(|(cell, ..)| *cell == run[0]).expect("every kind has a row");
        write!(out, "<i class=\"{class}\">{}</i>", sign.to_string().repeat(run.len()))?;
    }
    write!(out, "</b><span>{}", escape(shown(row)))?;
    if row.registered == Some(false) {
        write!(out, " <small>not registered</small>")?;
    }
    if same.len() > 1 {
        write!(out, " <small>{} times</small>", same.len())?;
    }
    writeln!(out, "</span></p>")
}

/// A kernel's name; that a template's result is `void` needs no room.
fn shown(row: &Row) -> &str {
    row.name.strip_prefix("void ").unwrap_or(&row.name)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
