//! The stage `kernels` of `dump` as text and as JSON.

use serde::Serialize;

use crate::facts::{BlindSpot, KernelList, ListedKernel};
use crate::preprocess::Missing;
use crate::report::{count, display_path};
use crate::source::{Sources, Span};
use crate::target::{PassSet, Passes};

use super::arguments::DumpFormat;

/// The list as text, of the kernels and blind spots of the passes `shown`.
pub(super) fn text(
    list: &KernelList,
    passes: &Passes,
    shown: PassSet,
    sources: &Sources,
    format: DumpFormat,
) -> String {
    let printed = Printed { passes, shown, sources };
    match format {
        DumpFormat::Text => printed.text(list),
        DumpFormat::Json => printed.json(list),
    }
}

/// What every line needs.
struct Printed<'a> {
    passes: &'a Passes,
    shown: PassSet,
    sources: &'a Sources,
}

/// The list for programs.
#[derive(Serialize)]
struct JsonKernelList {
    /// The passes that were compared.
    passes: Vec<String>,
    /// The kernels, by name.
    kernels: Vec<JsonKernel>,
    /// Where the list may lack a kernel or have one too many.
    blind_spots: Vec<JsonBlindSpot>,
    /// The headers that were not found: what they declare and the kernels that they instantiate themselves are not in
    /// the list.
    headers_not_found: Vec<JsonMissing>,
    /// Why something of the unit was not analysed, so that any kernel may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<String>,
}

/// A kernel, or an instantiation of a kernel template.
#[derive(Serialize)]
struct JsonKernel {
    /// The qualified name with template arguments.
    name: String,
    /// The types of its parameters.
    parameters: String,
    /// The passes that have it.
    passes: Vec<String>,
    /// Every template argument was resolved.
    sure: bool,
    /// Where it is declared.
    declared: String,
    /// The mentions that instantiate it, and the mentions in code that is no template from which those are reached.
    sites: Vec<JsonSite>,
}

/// A mention that instantiates a kernel.
#[derive(Serialize)]
struct JsonSite {
    at: String,
    root: String,
    passes: Vec<String>,
}

/// A place where it can't be told which kernels are instantiated.
#[derive(Serialize)]
struct JsonBlindSpot {
    at: String,
    name: String,
    why: String,
    passes: Vec<String>,
}

/// A header that was not found.
#[derive(Serialize)]
struct JsonMissing {
    /// Where it is included.
    at: String,
    /// As spelled in the directive, with quotes or brackets.
    header: String,
    passes: Vec<String>,
}

impl Printed<'_> {
    fn text(&self, list: &KernelList) -> String {
        let kernels: Vec<&ListedKernel> = self.kernels(list).collect();
        let mut out = String::new();
        for one in &kernels {
            let doubt = if one.sure { "" } else { " (with an argument that was not resolved)" };
            let (passes, place) = (self.column(one.passes, list), self.place(one.declared));
            out.push_str(&format!("{passes}  {}{}{doubt}\t{place}\n", one.shown, one.parameters));
            for site in one.sites.iter().filter(|site| site.passes.meets(self.shown)) {
                let from = match site.root == site.at {
                    true => String::new(),
                    false => format!(", reached from {}", self.place(site.root)),
                };
                out.push_str(&format!("    mentioned at {}{from}\n", self.place(site.at)));
            }
        }
        let spots: Vec<&BlindSpot> = self.spots(list).collect();
        let (kernels, blind) = (count(kernels.len(), "kernel"), count(spots.len(), "blind spot"));
        out.push_str(&format!("{kernels}, {blind}\n"));
        if let Some(why) = &list.incomplete {
            out.push_str(&format!("the list is incomplete: {why}\n"));
        }
        for spot in spots {
            let (place, passes) = (self.place(spot.at), self.column(spot.passes, list));
            out.push_str(&format!("{passes}  `{}`: {}\t{place}\n", spot.name, spot.why));
        }
        for one in self.missing(list) {
            let (place, passes) = (self.place(one.at), self.column(one.passes, list));
            out.push_str(&format!("{passes}  header {} not found\t{place}\n", one.header));
        }
        out
    }

    fn json(&self, list: &KernelList) -> String {
        let site = |site: &crate::facts::Site| JsonSite {
            at: self.place(site.at),
            root: self.place(site.root),
            passes: self.passes.names(site.passes),
        };
        let kernel = |one: &ListedKernel| JsonKernel {
            name: one.shown.clone(),
            parameters: one.parameters.clone(),
            passes: self.passes.names(one.passes.and(self.shown)),
            sure: one.sure,
            declared: self.place(one.declared),
            sites: one.sites.iter().map(site).collect(),
        };
        let spot = |spot: &BlindSpot| JsonBlindSpot {
            at: self.place(spot.at),
            name: spot.name.clone(),
            why: spot.why.to_string(),
            passes: self.passes.names(spot.passes.and(self.shown)),
        };
        let missing = |one: &Missing| JsonMissing {
            at: self.place(one.at),
            header: one.header.clone(),
            passes: self.passes.names(one.passes.and(self.shown)),
        };
        let document = JsonKernelList {
            passes: self.passes.names(list.compared.and(self.shown)),
            kernels: self.kernels(list).map(kernel).collect(),
            blind_spots: self.spots(list).map(spot).collect(),
            headers_not_found: self.missing(list).map(missing).collect(),
            incomplete: list.incomplete.clone(),
        };
        let mut text = serde_json::to_string_pretty(&document).expect("strings and booleans are JSON");
        text.push('\n');
        text
    }

    fn kernels<'l>(&self, list: &'l KernelList) -> impl Iterator<Item = &'l ListedKernel> {
        let shown = self.shown;
        list.kernels.iter().filter(move |one| one.passes.meets(shown))
    }

    fn spots<'l>(&self, list: &'l KernelList) -> impl Iterator<Item = &'l BlindSpot> {
        let shown = self.shown;
        list.blind_spots.iter().filter(move |one| one.passes.meets(shown))
    }

    fn missing<'l>(&self, list: &'l KernelList) -> impl Iterator<Item = &'l Missing> {
        let shown = self.shown;
        list.missing.iter().filter(move |one| one.passes.meets(shown))
    }

    /// The passes of a line; `*` for all.
    fn column(&self, set: PassSet, list: &KernelList) -> String {
        if set == list.compared { "*".into() } else { self.passes.names(set).join(",") }
    }

    fn place(&self, at: Span) -> String {
        let file = self.sources.file(at.file);
        let position = file.line_column(at.start);
        format!("{}:{}:{}", display_path(&file.path), position.line, position.column)
    }
}
