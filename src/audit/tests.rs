//! What is told of artifacts that nvcc made (`tests/artifacts/make`).

use std::path::Path;

use crate::artifact::{Read, read_bytes};
use crate::finding::{Certainty, Defect, Finding, Label, Level, Reported, Verdict, View};
use crate::rules::{DEFINITION, INSTANTIATION, LAYOUT, SIGNATURE};
use crate::source::{Sources, Span};
use crate::target::{Arch, PassSet, Passes};

use super::{Cell, JsonInventory, audit, difference, explain, inventory, judge, write_page, write_table};

const WHOLE: &[u8] = include_bytes!("../../tests/artifacts/whole.o");
const RELOCATABLE: &[u8] = include_bytes!("../../tests/artifacts/relocatable.o");
const FORMS: &[u8] = include_bytes!("../../tests/artifacts/forms.o");
const CUBIN: &[u8] = include_bytes!("../../tests/artifacts/kernels.cubin");

fn of(name: &str, bytes: &[u8]) -> Read {
    let read = read_bytes(Path::new(name), bytes.to_vec());
    assert_eq!(read.problems, []);
    read
}

/// The findings about an object, with the files that they are in.
fn findings(name: &str, bytes: &[u8]) -> (Read, Sources, Vec<Finding>) {
    let (read, sources) = (of(name, bytes), Sources::new());
    let (found, _) = audit(&read, &sources);
    (read, sources, found)
}

/// A finding about a source for sm_80 and sm_90, of which the first views see one thing.
fn source(rule: &'static str, entity: &str, first: &[usize], second: &[usize], sources: &Sources) -> Finding {
    let file = sources.add(Path::new("a.cu"), "__global__ void kernel();\n".into());
    let at = Span { file: file.id, start: 0, end: 10 };
    let set = |all: &[usize]| all.iter().fold(PassSet::EMPTY, |set, pass| set.or(PassSet::single(*pass)));
    let view = |passes: &[usize], sees: &str| View { passes: set(passes), sees: sees.into() };
    Finding {
        rule,
        level: Level::Error,
        certainty: Certainty::Definite,
        defect: Defect::Other,
        message: format!("`{entity}` differs"),
        entity: entity.into(),
        passes: Passes::new(&[Arch::plain(80), Arch::plain(90)]).unwrap().into(),
        instances: Vec::new(),
        primary: Label { at, text: "here".into() },
        related: Vec::new(),
        views: vec![view(first, "one"), view(second, "another")],
        deciding: None,
        consequences: Vec::new(),
        notes: Vec::new(),
    }
}

/// An instantiation that the host has and the other passes have not.
fn instantiation(host: &str, has: &[usize], lacks: &[usize], sources: &Sources) -> Finding {
    let mut finding = source(INSTANTIATION, "fill", has, lacks, sources);
    finding.defect = Defect::InstantiationMissing {
        template: finding.primary.at,
        host: host.into(),
        further: Vec::new(),
        instead: Vec::new(),
    };
    finding
}

fn verdict(finding: Finding, name: &str, bytes: &[u8]) -> (Verdict, String) {
    let (read, sources, found) = findings(name, bytes);
    // The numbers of files are those of one set of sources.
    let mut reported =
        vec![Reported { finding, fingerprint: String::new(), suppression: None, proof: None, fixes: None }];
    judge(&mut reported, &read.artifacts, &found, &sources);
    let proof = reported[0].proof.clone().unwrap();
    assert_eq!(reported[0].finding.notes, std::slice::from_ref(&proof.reason));
    (proof.verdict, proof.reason)
}

#[test]
fn what_every_gpu_has_and_the_host_does_not_register_names_the_image_that_lacks_it() {
    let (_, _, found) = findings("forms.o", FORMS);
    let one = found.iter().find(|one| one.entity == "void fill<float>(float*, Shape)").unwrap();
    assert_eq!(one.message, "the code for sm_90 has `fill<float>`, which the host does not register");
    let why = "the host registers what the image compute_90 has, which has no such kernel";
    assert!(one.consequences[0].contains(why), "{:?}", one.consequences);
}

#[test]
fn a_row_says_which_image_and_which_gpu_has_a_kernel() {
    let read = of("whole.o", WHOLE);
    let one = inventory(&read.artifacts).remove(0);
    let columns: Vec<String> = one.columns.iter().map(ToString::to_string).collect();
    assert_eq!(
        (one.modules, columns.as_slice()),
        (1, &["sm_80", "sm_90", "compute_90"].map(String::from)[..])
    );
    let row = one.rows.iter().find(|row| row.name == "cluster_sum(int*)").unwrap();
    assert_eq!((row.what, row.registered), ("kernel", Some(true)));
    assert_eq!(row.cells, [Cell::Missing, Cell::Code, Cell::Ptx]);
    assert_eq!((row.gpus[&86], row.gpus[&90], row.gpus[&120]), (Cell::Missing, Cell::Code, Cell::Ptx));
    assert!(!row.gpus.contains_key(&75), "no image runs there");
    // The compiler's own variables are no rows.
    assert!(one.rows.iter().filter(|row| row.what == "variable").all(|row| row.registered == Some(true)));
    let alone = inventory(&of("kernels.cubin", CUBIN).artifacts).remove(0);
    assert!(alone.rows.iter().all(|row| row.registered.is_none()));
}

#[test]
fn tables_and_pages_have_a_line_for_each_kernel() {
    let all = inventory(&of("whole.o", WHOLE).artifacts);
    let (mut table, mut page) = (Vec::new(), Vec::new());
    write_table(&all, &mut table).unwrap();
    write_page(&all, &mut page).unwrap();
    let (table, page) = (String::from_utf8(table).unwrap(), String::from_utf8(page).unwrap());
    assert_eq!(table.lines().next(), Some("whole.o: 1 module, 5 kernels"));
    assert!(table.contains("yes     -      +        +       variable cluster_count\n"), "{table}");
    assert!(page.contains("5 kernels in 1 file."), "{page}");
    assert_eq!(page.matches("<p class=\"gap\">").count(), 1, "only what is registered counts: {page}");
    assert!(page.contains("<span>fill&lt;int&gt;(int*, Shape)</span>"), "{page}");
    assert!(page.contains("<small>not registered</small>"), "{page}");
}

#[test]
fn the_inventory_for_programs_keeps_the_order_of_images() {
    let read = of("relocatable.o", RELOCATABLE);
    let json = serde_json::to_value(JsonInventory::of(&read)).unwrap();
    let module = &json["artifacts"][0]["modules"][0];
    assert_eq!(module["relocatable"], true);
    let images: Vec<_> =
        module["images"].as_array().unwrap().iter().map(|one| (&one["kind"], &one["arch"])).collect();
    assert_eq!(images.len(), 3);
    assert_eq!((images[2].0.as_str(), images[2].1.as_str()), (Some("ptx"), Some("90")));
    let kernels = module["kernels"].as_array().unwrap();
    let sum = kernels.iter().find(|one| one["name"] == "cluster_sum(int*)").unwrap();
    assert!(sum["images"][0].is_null() && sum["images"][1].is_object());
}

#[test]
fn a_difference_is_told_gpu_by_gpu() {
    let read = |name: &str, bytes: &[u8]| of(name, bytes).artifacts;
    let (whole, forms) = (read("whole.o", WHOLE), read("forms.o", FORMS));
    assert!(difference(&whole, &read("relocatable.o", RELOCATABLE)).is_empty());
    let lost = difference(&whole, &forms);
    let clip = ["clip".to_string()];
    assert!(
        lost.lost_on.iter().any(|(gpus, names)| gpus[..2] == [80, 86] && names.starts_with(&clip)),
        "{lost:?}"
    );
    // What the one loses the other gains.
    let gained = difference(&forms, &whole);
    assert_eq!((&gained.gained_on, &gained.lost_on), (&lost.lost_on, &lost.gained_on));
    assert_eq!(difference(&[], &whole).lost, Vec::<String>::new());
    assert!(difference(&[], &whole).added.contains(&"variable cluster_count".to_string()));
}

#[test]
fn findings_stand_in_a_listing_at_what_they_are_about() {
    let (_, sources, found) = findings("whole.o", WHOLE);
    assert_eq!(found.len(), 4);
    for one in &found {
        let file = sources.file(one.primary.at.file);
        let text = &file.text[one.primary.at.start as usize..one.primary.at.end as usize];
        assert!(file.listing && one.entity.starts_with(text), "{text}");
    }
    let (_, _, found) = findings("kernels.cubin", CUBIN);
    assert_eq!(found, []);
}

#[test]
fn a_finding_is_explained_by_one_that_separates_the_same_passes() {
    let check = |sources_say: &dyn Fn(&Sources) -> Vec<Finding>, entity: &str, expected: &str| {
        let (_, sources, mut found) = findings("whole.o", WHOLE);
        explain(&mut found, &sources_say(&sources));
        let one = found.iter().find(|one| one.entity.contains(entity)).unwrap();
        assert!(one.notes.last().unwrap().starts_with(expected), "{entity}: {:?}", one.notes);
    };
    check(
        &|s| vec![source(DEFINITION, "cluster_sum", &[0, 2], &[1], s)],
        "cluster_sum",
        "`arch-dependent-definition` explains",
    );
    // It says the same of sm_80 and sm_90, in which the images differ.
    check(&|s| vec![source(DEFINITION, "cluster_sum", &[0], &[1, 2], s)], "cluster_sum", "No finding");
    check(&|s| vec![source(DEFINITION, "lib::cluster_sum", &[0, 2], &[1], s)], "cluster_sum", "No finding");
    check(
        &|s| vec![instantiation("fill<float>", &[0, 1], &[2], s)],
        "fill<float>",
        "`arch-dependent-instantiation` explains",
    );
    check(
        &|s| vec![instantiation("fill<T>", &[0, 1], &[2], s)],
        "fill<float>",
        "`arch-dependent-instantiation` may explain",
    );
    check(
        &|s| vec![source(LAYOUT, "Shape", &[0, 1], &[2], s)],
        "fill<float>",
        "`arch-dependent-layout` may explain",
    );
    let both = |s: &Sources| {
        vec![source(LAYOUT, "Shape", &[0, 1], &[2], s), instantiation("fill<float>", &[0, 1], &[2], s)]
    };
    check(&both, "fill<float>", "`arch-dependent-instantiation` explains");
}

#[test]
fn only_what_is_in_every_image_is_denied() {
    let check = |finding: &dyn Fn(&Sources) -> Finding, expected: Verdict| {
        let (verdict, reason) = verdict(finding(&Sources::new()), "whole.o", WHOLE);
        assert_eq!(verdict, expected, "{reason}");
    };
    check(&|s| source(DEFINITION, "cluster_sum", &[0, 2], &[1], s), Verdict::Proved);
    check(&|s| instantiation("fill<float>", &[0, 1], &[2], s), Verdict::Proved);
    check(&|s| instantiation("fill<int>", &[0, 1], &[2], s), Verdict::Denied);
    check(&|s| instantiation("fill<char>", &[0, 1], &[2], s), Verdict::Open);
    // What the targets have in place of the host's instantiation is no denial of it.
    let instead = |s: &Sources| {
        let mut finding = instantiation("fill<char>", &[0], &[1, 2], s);
        if let Defect::InstantiationMissing { instead, .. } = &mut finding.defect {
            instead.push("fill<int>".into());
        }
        finding
    };
    check(&instead, Verdict::Open);
    check(&|s| source(DEFINITION, "scale", &[0, 2], &[1], s), Verdict::Denied);
    // Another overload may be what the images have.
    check(&|s| source(DEFINITION, "scale", &[0], &[1, 2], s), Verdict::Open);
    check(&|s| source(DEFINITION, "elsewhere", &[0, 2], &[1], s), Verdict::Absent);
    check(&|s| source(SIGNATURE, "scale", &[0, 2], &[1], s), Verdict::Open);
    check(&|s| source(SIGNATURE, "clip", &[0, 1], &[2], s), Verdict::Proved);
    check(&|s| source(LAYOUT, "Shape", &[0], &[1, 2], s), Verdict::Open);
    check(&|s| source("arch-dependent-header", "Shape", &[0], &[1, 2], s), Verdict::Open);
    let mut other = source(DEFINITION, "scale", &[0, 1], &[2], &Sources::new());
    other.passes = Passes::new(&[Arch::plain(75), Arch::plain(80)]).unwrap().into();
    let (of_75, reason) = verdict(other, "whole.o", WHOLE);
    assert!(of_75 == Verdict::Open && reason.contains("no image for sm_75"), "{reason}");
}

#[test]
fn a_release_is_not_told_by_the_files_that_its_variables_are_in() {
    let of_unit = |scope: &str, names: &[&str]| {
        let variable = |name: &&str| format!(".visible .global .align 4 .u32 _ZN{scope}{name}E;\n");
        let variables: String = names.iter().map(variable).collect();
        of("a.ptx", format!(".version 9.0\n.target sm_80\n{variables}").as_bytes()).artifacts
    };
    let old = of_unit("29_INTERNAL_11c37d2e_4_v_cu_arr", &["6kWidth", "6thrust12placeholders2_1"]);
    let moved = of_unit("29_INTERNAL_22c37d2e_4_w_cu_arr", &["6kWidth"]);
    assert!(difference(&old, &moved).is_empty(), "{}", difference(&old, &moved));
    assert_eq!(difference(&old, &of_unit("29_INTERNAL_22c37d2e_4_w_cu_arr", &[])).lost, ["variable kWidth"]);
}
