//! The fixes of every case: each is applied, the edited case is analysed from its files, and the finding is gone.
//!
//! `corpus/fixes.tsv` has what is offered for the findings of each case; `BLESS=1` writes it anew. With `FIXED=DIRECTORY` the
//! test leaves the mended cases there, without their marks, for `corpus/judge.py` to compile. With `EACH=DIRECTORY` it leaves
//! every case there after each fix alone, and a list of them, `fixes.tsv`, for `corpus/judge_fixes.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cuda_arch_lint::analysis::{Analysis, analyse};
use cuda_arch_lint::finding::{Edit, Finding, Fix, KINDS, Kind, applied};
use cuda_arch_lint::fix::Trial;
use cuda_arch_lint::rules::cards;
use cuda_arch_lint::source::Sources;

use super::{Case, TOPICS, corpus, golden, names, shown};

#[test]
fn every_fix_of_every_case_mends_its_finding() {
    let left_at = std::env::var_os("FIXED").map(PathBuf::from);
    let mut table =
        String::from("# case, what differs, the fixes offered; written by `BLESS=1 cargo test corpus::`\n");
    let mut failures = Vec::new();
    let mut each = Each { directory: std::env::var_os("EACH").map(PathBuf::from), list: String::new() };
    for topic in TOPICS {
        for name in names(&corpus().join(topic)) {
            let root = corpus().join(topic).join(&name);
            if !(root.is_dir() || name.ends_with(".cu")) {
                continue;
            }
            let case = Case { root, rule: None };
            if case.marks().is_empty() {
                continue;
            }
            let mended = mended(&case, &mut table, &mut failures, &mut each);
            for (number, (kind, texts)) in mended.iter().enumerate() {
                if let Some(directory) = &left_at {
                    leave(&case, texts, &directory.join(format!("{}-{topic}-{number}-{name}", kind.name())));
                }
            }
        }
    }
    each.write_list();
    let file = corpus().join("fixes.tsv");
    if golden::is_blessing() {
        std::fs::write(&file, &table).unwrap();
    }
    failures.extend(differences(&std::fs::read_to_string(&file).unwrap_or_default(), &table));
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

/// The offered fixes that differ from the golden. A case that it does not have yet is none.
fn differences(golden: &str, table: &str) -> Vec<String> {
    let by_case = |text: &str| {
        let mut cases: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in text.lines() {
            cases.entry(line.split('\t').next().unwrap_or_default().into()).or_default().push(line.into());
        }
        cases
    };
    let (known, now) = (by_case(golden), by_case(table));
    let other = known.iter().filter(|(case, lines)| now.get(*case).is_none_or(|now| now != *lines));
    other
        .map(|(case, _)| {
            let text =
                |lines: Option<&Vec<String>>| lines.map_or(String::new(), |lines| lines.join("\n") + "\n");
            let (said, now) = (text(known.get(case)), text(now.get(case)));
            golden::lines(&format!("corpus/fixes.tsv, {case}"), &said, &now).unwrap_or_default()
        })
        .collect()
}

type Texts = BTreeMap<PathBuf, String>;

/// The cases after one fix each, left in a directory if there is one.
struct Each {
    directory: Option<PathBuf>,
    /// Of each: its name there, the case, the rule, the kind and applicability of the fix, its title.
    list: String,
}

impl Each {
    fn leave(&mut self, case: &Case, finding: &Finding, fix: &Fix, texts: &Texts) {
        let Some(directory) = &self.directory else { return };
        let number = self.list.lines().count();
        let name = format!("{number:04}");
        let file = case.root.file_name().unwrap();
        leave(case, texts, &directory.join(&name).join(file));
        let (kind, applicability) = (fix.kind.name(), fix.applicability.name());
        let place = shown(&case.root);
        let fields = [name.as_str(), place.as_str(), finding.rule, kind, applicability, fix.title.as_str()];
        self.list.push_str(&format!("{}\n", fields.join("\t")));
    }

    fn write_list(&self) {
        if let Some(directory) = &self.directory {
            std::fs::write(directory.join("fixes.tsv"), &self.list).unwrap();
        }
    }
}

/// The texts of the case after each fix, where that leaves no finding.
fn mended(
    case: &Case,
    table: &mut String,
    failures: &mut Vec<String>,
    each: &mut Each,
) -> Vec<(Kind, Texts)> {
    let place = shown(&case.root);
    let mut trial = Trial::new(case.units(), BTreeMap::new());
    let mut mended: Vec<(Kind, Texts)> = Vec::new();
    let count = on(trial.analysis()).len();
    for index in 0..count {
        let finding = on(trial.analysis())[index].clone();
        let before = same(trial.analysis(), &finding.entity, finding.rule);
        let fixes = trial.fixes(&finding, &|| true);
        let title = |fix: &Fix| format!("{} {}: {}", fix.applicability.name(), fix.kind.name(), fix.title);
        let titles: Vec<String> = fixes.iter().map(title).collect();
        let titles = if titles.is_empty() { "nothing".into() } else { titles.join("; ") };
        table.push_str(&format!("{place}\t{}\t{titles}\n", finding.entity));
        for fix in fixes {
            let texts = edited(case, &fix);
            each.leave(case, &finding, &fix, &texts);
            let after = analysed(case, &texts);
            if same(&after, &finding.entity, finding.rule) >= before {
                failures.push(format!("{place}: `{}` leaves the finding", fix.title));
            }
            if on(&after).len() >= count {
                failures.push(format!("{place}: `{}` brings findings", fix.title));
            }
            let clean = if on(&after).is_empty() { Some(texts) } else { rest_mended(case, &fix) };
            if let Some(texts) = clean
                && mended.iter().all(|(_, known)| *known != texts)
            {
                mended.push((fix.kind, texts));
            }
        }
    }
    mended
}

/// The texts after a fix and then the first that there is for each finding that is left; `None` if some stay.
fn rest_mended(case: &Case, fix: &Fix) -> Option<Texts> {
    let mut trial = Trial::new(case.units(), BTreeMap::new());
    trial.keep(fix);
    while let Some(finding) = on(trial.analysis()).first().map(|one| (*one).clone()) {
        let next = trial.first_fix(&finding, &KINDS.map(|(kind, _)| kind))?;
        trial.keep(&next);
    }
    let absolute = |path: &PathBuf| {
        case.files().into_iter().find(|file| file.canonicalize().ok() == path.canonicalize().ok())
    };
    Some(trial.texts().iter().filter_map(|(path, text)| Some((absolute(path)?, text.clone()))).collect())
}

/// The findings of rules that are not off by default.
fn on(analysis: &Analysis) -> Vec<&Finding> {
    let off: Vec<String> = cards().into_iter().filter(|card| !card.enabled).map(|card| card.id).collect();
    let off = |id: &str| off.iter().any(|one| one == id);
    analysis.findings.iter().filter(|finding| !off(finding.rule)).collect()
}

fn same(analysis: &Analysis, entity: &str, rule: &str) -> usize {
    analysis.findings.iter().filter(|finding| finding.entity == entity && finding.rule == rule).count()
}

fn edited(case: &Case, fix: &Fix) -> Texts {
    let mut texts = Texts::new();
    for path in case.files() {
        let here = |edit: &&Edit| edit.path.canonicalize().unwrap() == path.canonicalize().unwrap();
        let edits: Vec<_> = fix.edits.iter().filter(here).collect();
        if !edits.is_empty() {
            texts.insert(path.clone(), applied(&std::fs::read_to_string(&path).unwrap(), edits));
        }
    }
    assert!(!texts.is_empty(), "{}: {fix:?} edits no file of the case", shown(&case.root));
    texts
}

fn analysed(case: &Case, texts: &Texts) -> Analysis {
    let sources = Sources::new();
    for (path, text) in texts {
        sources.overlay(path, text.clone());
    }
    analyse(&case.units(), &sources)
}

/// Writes a case with these texts and without its marks.
fn leave(case: &Case, texts: &Texts, to: &Path) {
    for path in case.files() {
        let text = texts.get(&path).cloned().unwrap_or_else(|| std::fs::read_to_string(&path).unwrap());
        let lines = text.lines().map(|line| line.split("//~").next().unwrap_or(line).trim_end());
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let to = if case.root.is_dir() { to.join(path.strip_prefix(&case.root).unwrap()) } else { to.into() };
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, text).unwrap();
    }
}
