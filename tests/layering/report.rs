//! The work that is left: violations by folder, circles, and an order that would hold.

use std::fmt::Write;

use super::law::{Law, Member, Step, components};
use super::tree::{ModuleId, Tree};
use super::uses::Use;

/// Uses that are shown of a step.
const SHOWN: usize = 6;

/// The report on every folder that something is to be done in, of those in `wanted`: `all` or the path of a folder.
pub(crate) fn report(tree: &Tree, law: &Law, wanted: &str) -> String {
    let mut text = String::new();
    for (folder, graph) in law.folders() {
        let path = tree.path(folder);
        if wanted != "all" && path != wanted && !path.starts_with(&format!("{wanted}::")) {
            continue;
        }
        let components = components(&graph);
        let circles: Vec<_> = components.iter().filter(|members| members.len() > 1).collect();
        let broken: Vec<_> = law.broken_in(folder).collect();
        if broken.is_empty() && circles.is_empty() {
            continue;
        }
        let count: usize = broken.iter().map(|(_, uses)| uses.len()).sum();
        line(
            &mut text,
            format!(
                "== {} ({}): {count} violations, {} circles",
                tree.path(folder),
                tree.modules[folder].file.display(),
                circles.len()
            ),
        );
        for members in &circles {
            line(&mut text, format!("   circle: {}", names(law, members)));
        }
        if circles.iter().any(|members| members.contains(&Member::Own)) {
            line(&mut text, "   (mod.rs in a circle: a child uses what mod.rs itself defines)".to_string());
        }
        if !broken.is_empty() {
            let order = components.iter().filter(|members| **members != [Member::Own]).map(|members| {
                match members.as_slice() {
                    [member] => law.name(*member).to_string(),
                    members => format!("[{}]", names(law, members)),
                }
            });
            line(&mut text, format!("   an order that would hold: {}", order.collect::<Vec<_>>().join(" ")));
        }
        for (step, uses) in &broken {
            add_step(&mut text, tree, law, *step, uses);
        }
        for members in &circles {
            for (from, to) in members.iter().flat_map(|from| members.iter().map(move |to| (*from, *to))) {
                let step = Step { folder, from, to };
                let uses = law.uses(step);
                if !uses.is_empty() && !broken.iter().any(|(other, _)| *other == step) {
                    let uses: Vec<_> = uses.into_iter().collect();
                    line(
                        &mut text,
                        format!(
                            "   (back: {} -> {}: {})",
                            law.name(from),
                            law.name(to),
                            shown(tree, &uses, 2)
                        ),
                    );
                }
            }
        }
        text.push('\n');
    }
    text
}

fn add_step(text: &mut String, tree: &Tree, law: &Law, step: Step, uses: &[&Use]) {
    line(text, format!("   {} -> {}: {}", law.name(step.from), law.name(step.to), shown(tree, uses, SHOWN)));
}

fn shown(tree: &Tree, uses: &[&Use], most: usize) -> String {
    let place = |used: &&Use| format!("{}:{} {}", short(tree, used.from), used.line, used.what);
    let mut shown: Vec<_> = uses.iter().take(most).map(place).collect();
    if uses.len() > most {
        shown.push(format!("and {} more", uses.len() - most));
    }
    shown.join(", ")
}

fn short(tree: &Tree, module: ModuleId) -> String {
    tree.modules[module].file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn names(law: &Law, members: &[Member]) -> String {
    members.iter().map(|member| law.name(*member)).collect::<Vec<_>>().join(" ")
}

fn line(text: &mut String, line: String) {
    writeln!(text, "{line}").expect("a string takes all");
}
