//! Sessions over small projects: what is analysed again, what is known, and what goes.

use std::fs;
use std::sync::mpsc::channel;
use std::sync::{Arc, Weak};

use rustc_hash::FxHashSet;

use crate::analysis::analyse;
use crate::analysis::pipeline::ResumedUnit;
use crate::cancel::CancelFlag;
use crate::custom::{Agree, Between, CustomRule, Words};
use crate::finding::Level;
use crate::project::{Define, Settings, TranslationUnit, UnitKind, discover};
use crate::source::{Loc, Sources};
use crate::target::{Passes, parse_arch_list};

use super::Session;
use super::under_way::UnderWay;
use super::units::{MOST_SUPERSEDED, MOST_SUPERSEDED_BYTES, RELEASE_AFTER};

const KERNEL: &str = "__global__ void store(scalar_t value) { }\n";
const VARIES: &str = "#ifdef __CUDA_ARCH__\ntypedef int scalar_t;\n#else\ntypedef long scalar_t;\n#endif\n";
const SAME: &str = "typedef int scalar_t;\n";

/// A session over a project of these files, and its root.
fn session(files: &[(&str, &str)]) -> (Session, tempfile::TempDir) {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(root.path().join(name), text).unwrap();
    }
    let mut session = Session::new();
    let settings = Settings { targets: vec!["80".into()], ..Settings::default() };
    let project = discover(&[root.path().to_path_buf()], &settings, &session.sources).unwrap();
    session.set_units(project.all_units());
    (session, root)
}

fn passes(archs: &[&str]) -> Passes {
    Passes::new(&parse_arch_list(&archs.join(",")).unwrap()).unwrap()
}

/// Analyses all that is out of date; the main files analysed, and the entities found.
fn settle(session: &mut Session) -> (usize, Vec<String>) {
    let count = session.slots.iter().filter(|slot| !slot.fresh).count();
    while session.step(&FxHashSet::default(), &CancelFlag::default()) {}
    let findings = session.analysis().findings;
    (count, findings.into_iter().map(|finding| finding.entity).collect())
}

#[test]
fn only_the_units_that_read_a_changed_file_are_analysed_again() {
    let main = format!("#include \"t.h\"\n{KERNEL}");
    let (mut session, root) = session(&[("a.cu", &main), ("b.cu", "int b;\n"), ("t.h", SAME)]);
    let header = root.path().join("t.h");
    assert_eq!(settle(&mut session), (2, vec![]));
    session.replace(&header, Some(VARIES.into()));
    assert_eq!(settle(&mut session), (1, vec!["store".into()]));
    session.replace(&header, None);
    assert_eq!(settle(&mut session), (1, vec![]));
    session.replace(&header, Some(SAME.into()));
    assert_eq!(settle(&mut session), (0, vec![]));
}

#[test]
fn headers_are_not_kept_over_changes_of_what_they_include() {
    let main = format!("#include \"around.h\"\n{KERNEL}");
    let around = "#include \"t.h\"\n#include \"new.h\"\n";
    let files = [("a.cu", main.as_str()), ("b.cu", &main), ("around.h", around), ("t.h", SAME)];
    let (mut session, root) = session(&files);
    let (header, new) = (root.path().join("t.h"), root.path().join("new.h"));
    assert_eq!(settle(&mut session), (2, vec![]));
    session.replace(&header, Some(VARIES.into()));
    assert_eq!(settle(&mut session), (2, vec!["store".into(), "store".into()]));
    session.replace(&header, None);
    assert_eq!(settle(&mut session), (2, vec![]));
    session.replace(
        &new,
        Some(VARIES.replace("scalar_t", "other_t") + "__global__ void other(other_t value) { }\n"),
    );
    assert_eq!(settle(&mut session), (2, vec!["other".into()]));
}

#[test]
fn an_analysis_of_a_stale_text_is_given_up() {
    let main = format!("{SAME}{KERNEL}");
    let (mut session, root) = session(&[("a.cu", &main)]);
    let (path, open, cancel) = (root.path().join("a.cu"), FxHashSet::default(), CancelFlag::default());
    cancel.set(true);
    // The first analysis goes on: there is nothing yet that a later text could be compared with.
    assert!(session.step(&open, &cancel) && session.settled());
    session.replace(&path, Some(format!("{VARIES}{KERNEL}")));
    assert!(session.step(&open, &cancel) && !session.settled());
    session.replace(&path, Some(format!("{VARIES}{KERNEL}{KERNEL}")));
    cancel.set(false);
    assert!(session.step(&open, &cancel) && session.settled());
    assert_eq!(session.analysis().findings[0].entity, "store");
}

#[test]
fn questions_about_an_edited_text_need_not_wait_for_its_analysis() {
    let guarded = |condition: &str| format!("#if {condition}\nint a;\n#endif\n{VARIES}{KERNEL}");
    let (mut session, root) = session(&[("a.cu", &guarded("1")), ("c.cuh", KERNEL)]);
    let path = root.path().join("a.cu");
    let open = FxHashSet::from_iter([path.clone()]);
    let entered = |session: &Session| {
        let view = session.view(&path).unwrap();
        let file = session.sources.known(&path).unwrap().id;
        let (_, _, entered, _) = view.conditional(Loc { file, offset: 0 }).unwrap();
        assert_eq!(session.regions(&path).unwrap()[0].passes, entered);
        (view.is_analysed, entered.iter().count(), view.signed("store").is_some())
    };
    assert!(session.knows(&path) && !session.knows(&root.path().join("c.cuh")), "a source may include it");
    session.sources.read(&path).unwrap();
    assert_eq!(entered(&session), (false, 2, false), "conditionals before the first analysis");
    while session.step(&open, &CancelFlag::default()) {}
    assert_eq!(entered(&session), (true, 2, true));
    session.replace(&path, Some(guarded("defined(__CUDA_ARCH__)").replace(VARIES, SAME)));
    assert!(session.knows(&path));
    assert_eq!(
        entered(&session),
        (false, 1, true),
        "conditionals of the newest text, kernels of the last one"
    );
    while session.step(&open, &CancelFlag::default()) {}
    assert_eq!(entered(&session), (true, 1, false));
    session.replace(&path, Some(guarded("1")));
    assert_eq!(entered(&session), (false, 2, false));
    let mut units: Vec<TranslationUnit> = session.slots.iter().map(|slot| slot.unit.clone()).collect();
    units.iter_mut().for_each(|unit| unit.passes = passes(&["80", "90"]));
    session.set_units(units);
    assert_eq!(entered(&session), (false, 3, false), "kernels of other passes are not shown");
}

/// The same of a header: a unit that read its earlier text is asked.
#[test]
fn questions_about_an_edited_header_need_not_wait_for_an_analysis() {
    let guarded = |condition: &str| format!("#if {condition}\n{SAME}#endif\n");
    let main = format!("#include \"t.h\"\n{KERNEL}");
    let (mut session, root) = session(&[("a.cu", "int a;\n"), ("b.cu", &main), ("t.h", &guarded("1"))]);
    let header = root.path().join("t.h");
    assert!(!session.knows(&header));
    settle(&mut session);
    for (condition, count) in [("defined(__CUDA_ARCH__)", 1), ("!defined(__CUDA_ARCH__) || 1", 2)] {
        session.replace(&header, Some(guarded(condition)));
        let entered = session.regions(&header).unwrap()[0].passes;
        let view = session.view(&header).unwrap();
        assert_eq!((entered.iter().count(), view.is_analysed), (count, false));
        assert_eq!(view.unit.main, root.path().join("b.cu"));
    }
    settle(&mut session);
    assert!(session.view(&header).unwrap().is_analysed);
}

/// What is asked while a unit is being analysed is told from what the analysis preprocessed.
#[test]
fn a_question_waits_for_the_text_that_is_being_preprocessed_and_for_no_more() {
    let (mut session, root) = session(&[("a.cu", &format!("{VARIES}{KERNEL}"))]);
    let path = root.path().join("a.cu");
    let open = FxHashSet::from_iter([path.clone()]);
    let unit = session.slots[0].unit.clone();
    let batch = session.next_batch(&open);
    let shown = Arc::new(ResumedUnit::new(session.preprocessed(&unit), Arc::default()));
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| session.view(&path).unwrap().is_analysed);
        let begun = session.under_way.begin(0);
        begun.publish(&shown);
        assert!(!asked.join().unwrap());
        assert!(Arc::strong_count(&shown) > 2, "the view has it, too");
    });
    let work = batch.work(&CancelFlag::default(), &CancelFlag::default());
    session.take_in(batch, work);
    assert!(session.view(&path).unwrap().is_analysed);
    assert!(session.under_way.preprocessed(0).is_none(), "nothing is under way");
}

/// A first analysis goes on when its texts are replaced: it reads to its end what it began with, and what it found is
/// that of an earlier text.
#[test]
fn a_text_can_be_replaced_while_it_is_analysed() {
    let main = |rest: &str| format!("#include \"around.h\"\n{KERNEL}void host() {{ int a; {rest}}}\n");
    let around = "#include \"t.h\"\nint around;\n";
    for (header, quiet, found) in [(None, true, 1), (Some(SAME), false, 0)] {
        let files = [("a.cu", main("")), ("around.h", around.into()), ("t.h", VARIES.into())];
        let (mut session, root) = session(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
        let [path, types] = ["a.cu", "t.h"].map(|name| root.path().join(name));
        let open = FxHashSet::from_iter([path.clone()]);
        // Read before, it has an id.
        session.sources.read(&types).unwrap();
        let batch = session.next_batch(&open);
        for text in ["a++; ", "a++; a--; "] {
            session.replace(&path, Some(main(text)));
        }
        if let Some(text) = header {
            session.replace(&types, Some(text.into()));
        }
        let work = batch.work(&CancelFlag::default(), &CancelFlag::default());
        session.take_in(batch, work);
        assert!(!session.settled());
        let view = session.view(&path).unwrap();
        assert!(!view.is_analysed && view.signed("store").is_some(), "as the text was when it began");
        assert_eq!(session.follow_all(), quiet);
        while session.step(&open, &CancelFlag::default()) {}
        assert_eq!(session.analysis().findings.len(), found);
    }
}

/// What an analysis preprocessed is no answer for a text that came since.
#[test]
fn a_question_about_a_newer_text_is_not_told_from_what_is_being_analysed() {
    let main = |condition: &str| format!("#if {condition}\nint a;\n#endif\n{VARIES}{KERNEL}");
    let (mut session, root) = session(&[("a.cu", &main("1"))]);
    let path = root.path().join("a.cu");
    let open = FxHashSet::from_iter([path.clone()]);
    let unit = session.slots[0].unit.clone();
    let batch = session.next_batch(&open);
    let under_way = Arc::clone(&session.under_way);
    let begun = under_way.begin(0);
    begun.publish(&Arc::new(ResumedUnit::new(session.preprocessed(&unit), Arc::default())));
    let entered = |session: &Session| session.regions(&path).unwrap()[0].passes.iter().count();
    assert_eq!(entered(&session), 2);
    session.replace(&path, Some(main("defined(__CUDA_ARCH__)")));
    assert_eq!(entered(&session), 1);
    drop((begun, batch));
}

/// Whoever waits for a unit whose analysis is given up goes on without it.
#[test]
fn a_question_goes_on_when_the_analysis_is_given_up() {
    let under_way = UnderWay::default();
    under_way.expect(0);
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| under_way.preprocessed(0).is_none());
        drop(under_way.begin(0));
        assert!(asked.join().unwrap());
    });
}

/// Whether an edit is quiet is told by dependencies that are collected while the outcome is shown.
#[test]
fn an_edit_does_not_wait_until_dependencies_are_collected() {
    let main = |rest: &str| format!("{VARIES}{KERNEL}void host() {{ int a; {rest}}}\n");
    let (mut session, root) = session(&[("a.cu", &main(""))]);
    let path = root.path().join("a.cu");
    let open = FxHashSet::from_iter([path.clone()]);
    let (mut cancel, go_on) = (CancelFlag::default(), CancelFlag::default());
    while session.step(&open, &go_on) {}
    let (signal, collects) = channel();
    session.slots[0].analysed.as_mut().unwrap().collect_after(collects);
    session.replace(&path, Some(main("a++; ")));
    assert!(!session.view(&path).unwrap().is_analysed, "it is told from the newest text");
    // Another change ends the wait.
    cancel.set(true);
    let batch = session.next_batch(&open);
    let work = batch.work(&cancel, &cancel);
    session.take_in(batch, work);
    assert!(!session.settled());
    session.replace(&path, Some(main("a++; a--; ")));
    cancel = CancelFlag::default();
    signal.send(()).unwrap();
    assert!(session.follow_all(), "both edits are quiet");
    assert_eq!(session.analysis().findings.len(), 1);
    // A step waits for them and follows.
    let (signal, collects) = channel();
    session.slots[0].analysed.as_mut().unwrap().collect_after(collects);
    session.replace(&path, Some(main("a--; ")));
    signal.send(()).unwrap();
    let batch = session.next_batch(&open);
    let work = batch.work(&cancel, &cancel);
    assert!(session.take_in(batch, work) && !session.settled());
    assert!(session.next_batch(&open).is_empty() && session.settled());
}

#[test]
fn what_is_typed_and_taken_back_is_known() {
    let main = format!("{VARIES}{KERNEL}");
    let (mut session, root) = session(&[("a.cu", &main)]);
    let path = root.path().join("a.cu");
    let open = FxHashSet::from_iter([path.clone()]);
    let mut say = |text: String| {
        session.replace(&path, Some(text));
        let known = session.follow_all();
        while session.step(&open, &CancelFlag::default()) {}
        (known, session.analysis().findings.len())
    };
    assert_eq!(say(format!("{main}\n// one\n")), (false, 1));
    assert_eq!(say(format!("{SAME}{KERNEL}")), (false, 0));
    assert_eq!(say(format!("{main}\n// two\n")), (true, 1));
    assert_eq!(say(format!("{SAME}{KERNEL}")), (true, 0));
    // Of other headers nothing that was known holds.
    assert_eq!(say(format!("#include \"t.h\"\n{SAME}{KERNEL}")), (false, 0));
}

#[test]
fn what_is_typed_again_reads_the_header_that_was_missing() {
    let main = format!("#include \"t.h\"\n{KERNEL}");
    let (mut session, root) = session(&[("a.cu", &main)]);
    let path = root.path().join("a.cu");
    let open = FxHashSet::from_iter([path.clone()]);
    let mut say = |file: &str, text: &str| {
        session.replace(&root.path().join(file), Some(text.to_string()));
        while session.step(&open, &CancelFlag::default()) {}
        session.analysis().findings.len()
    };
    assert_eq!(say("a.cu", &format!("{main}int a;\n")), 0);
    assert_eq!(say("a.cu", &format!("{SAME}{KERNEL}")), 0);
    assert_eq!(say("t.h", VARIES), 0);
    assert_eq!(say("a.cu", &format!("{main}int a;\n")), 1);
}

#[test]
fn roots_that_are_settled_count_though_they_are_not_walked_again() {
    let header = format!("{VARIES}template <class T> __global__ void fill(T *out) {{ }}\n");
    let all = "void all(float *out) { fill<float><<<1, 1>>>(out); }\n";
    let differs = "void differs() { fill<scalar_t><<<1, 1>>>(nullptr); }\n";
    let guarded = "void some(float *out) {\n#ifndef __CUDA_ARCH__\nfill<float><<<1, 1>>>(out);\n#endif\n}\n";
    let main = |rest: &str| format!("#include \"fill.h\"\n{rest}");
    let (mut session, root) = session(&[("a.cu", &main(&[all, differs].concat())), ("fill.h", &header)]);
    let path = root.path().join("a.cu");
    let open = FxHashSet::from_iter([path.clone()]);
    let mut say = |text: String| {
        session.replace(&path, Some(text));
        while session.step(&open, &CancelFlag::default()) {}
        let shown = session.analysis().findings.into_iter();
        let shown = shown.map(|finding| finding.message.split('`').nth(1).unwrap_or_default().to_string());
        (shown.collect::<Vec<_>>(), session.walked(&path).map_or([0, 0], |walked| walked.roots_behind()))
    };
    let one = vec!["fill<long>".to_string()];
    assert_eq!(say(main(&[all, differs, "\n"].concat())), (one.clone(), [2, 1]));
    // What the settled root instantiates everywhere is no difference where another does only here and there.
    assert_eq!(say(main(&[all, differs, guarded].concat())), (one.clone(), [2, 1]));
    // Without it, it is one.
    let two = vec![one[0].clone(), "fill<float>".to_string()];
    assert_eq!(say(main(&[differs, guarded].concat())), (two, [2, 0]));
    // What a settled root's names mean is another thing.
    let named = "typedef float value;\nvoid named() { fill<value><<<1, 1>>>(nullptr); }\n";
    assert_eq!(say(main(&[named, differs].concat())), (one.clone(), [2, 1]));
    let (found, settled) = say(main(&[&named.replace("float", "scalar_t"), differs].concat()));
    assert_eq!((found, settled), (one.clone(), [2, 0]));
    // What no root looks up concerns none, though it mentions the name.
    let called = |body: &str| {
        let root = "void root(float *out) { fill<float><<<blocks(), 1>>>(out); }\n";
        main(&[&format!("int blocks() {{ {body} }}\n"), root, differs].concat())
    };
    assert_eq!(say(called("return 1;")), (one.clone(), [2, 1]));
    assert_eq!(say(called("return 2; // two")), (one.clone(), [1, 1]));
    // Of two that lead to one thing the first is followed; without it the second is.
    let both = "template <class T> void fills(T *out) { fill<T><<<1, 1>>>(out); }\n";
    let lead = |first: &str| {
        let first = format!("void first(float *out) {{ {first} }}\n");
        main(&[both, &first, "void second(float *out) { fills(out); }\n", differs].concat())
    };
    assert_eq!(say(lead("fills(out);")), (one.clone(), [3, 2]));
    assert_eq!(say(lead("fills(out);") + guarded), (one.clone(), [2, 2]));
    assert_eq!(say(lead("") + guarded), (one.clone(), [3, 1]));
    // Classes that are passed have the same bytes everywhere, or not.
    let held = |of: &str| {
        let kernel = "template <class T> __global__ void take(T *out, Held held) { }\n";
        let root = "void takes(float *out) { take<float><<<1, 1>>>(out, Held()); }\n\
                    void also(scalar_t *out) { take<scalar_t><<<1, 1>>>(out, Held()); }\n";
        main(&[&format!("struct Held {{ {of} value; }};\n"), kernel, root, differs].concat())
    };
    let first = say(held("scalar_t"));
    assert_eq!(first.1[1], 0, "{first:?}");
    assert_eq!(say(held("scalar_t") + "int more;\n"), first);
    let last = say(held("short"));
    assert_eq!((last.0.len() + 1, last.1[1]), (first.0.len(), 1), "{first:?} {last:?}");
}

#[test]
fn the_units_that_read_an_open_header_come_first() {
    let mut files: Vec<(String, &str)> =
        (0..300).map(|number| (format!("a{number:03}.cu"), "int a;\n")).collect();
    files.push(("z.cu".into(), "#include \"t.h\"\n"));
    files.push(("t.h".into(), SAME));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let (mut session, root) = session(&files);
    let open = FxHashSet::from_iter([root.path().join("t.h")]);
    assert!(session.step(&open, &CancelFlag::default()));
    assert!(session.answers(&open) && !session.settled());
    let last = session.slots.iter().find(|slot| slot.unit.main.ends_with("z.cu")).unwrap();
    assert!(last.fresh);
}

#[test]
fn a_header_that_was_missing_is_found_once_an_editor_has_it() {
    let (mut session, root) = session(&[("a.cu", &format!("#include \"t.h\"\n{KERNEL}"))]);
    assert_eq!(settle(&mut session), (1, vec![]));
    session.replace(&root.path().join("t.h"), Some(VARIES.into()));
    assert_eq!(settle(&mut session), (1, vec!["store".into()]));
    assert!(session.has(&root.path().join("t.h")));
}

#[test]
fn a_header_is_a_unit_until_a_source_includes_it() {
    let header = format!("{VARIES}{KERNEL}");
    let (mut session, root) = session(&[("a.cu", "int a;\n"), ("t.cuh", &header)]);
    assert_eq!(settle(&mut session), (2, vec!["store".into()]));
    session.replace(&root.path().join("a.cu"), Some("#include \"t.cuh\"\n".into()));
    assert_eq!(settle(&mut session), (1, vec!["store".into()]));
}

#[test]
fn the_unit_that_an_open_header_is_asked_of_leaves_what_questions_need() {
    let main = format!("#include \"t.cuh\"\n{KERNEL}");
    let files = [("a.cu", "int a;\n"), ("b.cu", &*main), ("c.cu", &*main), ("t.cuh", VARIES)];
    let (mut session, root) = session(&files);
    let header = root.path().join("t.cuh");
    let left = |session: &Session| -> Vec<bool> {
        let sources = session.slots.iter().filter(|slot| slot.unit.kind == UnitKind::Source);
        sources.map(|slot| slot.analysed.as_ref().is_some_and(|last| last.entities.is_some())).collect()
    };
    settle(&mut session);
    assert_eq!(left(&session), [false, false, false]);
    let open = FxHashSet::from_iter([header.clone()]);
    for edit in 0..3 {
        session.replace(&header, Some(format!("{VARIES}// {edit}\n")));
        while session.step(&open, &CancelFlag::default()) {}
        assert!(left(&session)[1], "after edit {edit}");
        assert!(!left(&session)[0]);
        let view = session.view(&header).unwrap();
        assert_eq!((&view.unit.main, view.is_analysed), (&root.path().join("b.cu"), true));
        assert_eq!(view.signed("store").map(|fact| fact.name.as_str()), Some("store"));
    }
    session.rest();
    assert_eq!(left(&session), [false, false, false]);
}

#[test]
fn many_edits_leave_nothing_behind() {
    let (mut session, root) = session(&[("a.cu", KERNEL)]);
    let path = root.path().join("a.cu");
    let mut ids = Vec::new();
    for edit in 0..3 * RELEASE_AFTER {
        session.replace(&path, Some(format!("{VARIES}{KERNEL}// {edit}\n")));
        assert_eq!(settle(&mut session).1, ["store"]);
        ids.push(session.sources.read(&path).unwrap().id);
    }
    let held = ids.iter().filter(|id| !session.sources.file(**id).text.is_empty());
    assert!(held.count() <= RELEASE_AFTER + 1);
}

#[test]
fn large_texts_leave_nothing_behind_after_few_edits() {
    let (mut session, root) = session(&[("a.cu", KERNEL)]);
    let path = root.path().join("a.cu");
    let large = "x".repeat(MOST_SUPERSEDED_BYTES / 3);
    settle(&mut session);
    let mut texts = Vec::new();
    for edit in 0..RELEASE_AFTER / 2 {
        session.replace(&path, Some(format!("{VARIES}{KERNEL}// {edit} {large}\n")));
        texts.push(Arc::downgrade(&session.sources.read(&path).unwrap()));
        // Whoever types leaves no time for it.
        session.slots[0].analysed.as_mut().unwrap().collect_without_end();
        let given_up = CancelFlag::default();
        given_up.set(true);
        session.step(&FxHashSet::default(), &given_up);
        let held = texts.iter().filter(|text| text.strong_count() > 0).count();
        assert!(held <= 4, "{held} after {edit} edits");
    }
    session.slots[0].analysed.as_mut().unwrap().forget_dependencies();
    assert_eq!(settle(&mut session).1, ["store"]);
}

#[test]
fn edits_that_leave_no_time_for_an_analysis_leave_nothing_behind() {
    let (mut session, root) = session(&[("a.cu", KERNEL)]);
    let path = root.path().join("a.cu");
    settle(&mut session);
    let given_up = CancelFlag::default();
    given_up.set(true);
    let mut texts = Vec::new();
    for edit in 0..3 * MOST_SUPERSEDED {
        session.replace(&path, Some(format!("{VARIES}{KERNEL}// {edit}\n")));
        texts.push(Arc::downgrade(&session.sources.read(&path).unwrap()));
        session.step(&FxHashSet::default(), &given_up);
        let held = texts.iter().filter(|text| text.strong_count() > 0).count();
        assert!(held <= MOST_SUPERSEDED + 1, "{held} after {edit} edits");
    }
    assert_eq!(settle(&mut session).1, ["store"]);
}

#[test]
fn a_session_at_rest_collects_nothing() {
    let (mut session, root) = session(&[("a.cu", KERNEL)]);
    let path = root.path().join("a.cu");
    session.replace(&path, Some(format!("{VARIES}{KERNEL}")));
    settle(&mut session);
    let first = Arc::downgrade(&session.sources.read(&path).unwrap());
    session.slots[0].analysed.as_mut().unwrap().collect_without_end();
    session.replace(&path, None);
    settle(&mut session);
    session.rest();
    assert!(!session.slots[0].is_collecting());
    assert_eq!(first.strong_count(), 0);
    // Whoever opens it again is told the same.
    session.replace(&path, Some(format!("{VARIES}{KERNEL}")));
    assert_eq!(settle(&mut session).1, ["store"]);
}

#[test]
fn a_session_at_rest_has_nothing_of_superseded_texts() {
    let (mut session, root) = session(&[("a.cu", KERNEL)]);
    let path = root.path().join("a.cu");
    let mut texts = Vec::new();
    for edit in 0..RELEASE_AFTER / 2 {
        session.replace(&path, Some(format!("{VARIES}{KERNEL}// {edit}\n")));
        assert_eq!(settle(&mut session).1, ["store"]);
        texts.push(Arc::downgrade(&session.sources.read(&path).unwrap()));
    }
    let held = |texts: &[Weak<_>]| texts.iter().filter(|text| text.strong_count() > 0).count();
    assert!(held(&texts) > 1);
    session.rest();
    assert_eq!(held(&texts), 1);
    assert_eq!(settle(&mut session), (0, vec!["store".to_owned()]));
}

#[test]
fn what_walks_of_superseded_texts_left_goes() {
    // A header that is read under the source's macros, one that asks for the edited header, and one that stays.
    let under = "#if EDIT > 1\n#define WIDE(x) x\n#endif\n";
    let asks = "#pragma once\n#include \"t.h\"\n#define ASKED\n";
    let alone = "#pragma once\n#ifdef __CUDA_ARCH__\n#define ALONE(x) (x)\n#endif\n";
    let files = [("a.cu", KERNEL), ("t.h", SAME), ("under.h", under), ("asks.h", asks), ("alone.h", alone)];
    let (mut session, root) = session(&files);
    let (main, header) = (root.path().join("a.cu"), root.path().join("t.h"));
    let mut sizes = Vec::new();
    let (mut texts, mut alone) = (Vec::new(), Vec::new());
    for edit in 0..8 * RELEASE_AFTER {
        let path = if edit % 4 == 3 { &header } else { &main };
        let once = if path == &header { "#pragma once\n" } else { "" };
        let rest = match path == &header {
            true => format!("#define HEADER {edit}\n#if HEADER > 1\n#endif\n{VARIES}"),
            false => format!(
                "#include \"alone.h\"\n#include \"t.h\"\n#ifdef __CUDA_ARCH__\n#define EDIT {edit}\n#else\n\
                 #define EDIT 0\n#endif\n#include \"under.h\"\n#include \"asks.h\"\n{KERNEL}"
            ),
        };
        session.replace(path, Some(format!("{once}{rest}")));
        let found = settle(&mut session).1;
        assert!(edit < 3 || found == ["store"], "{found:?}");
        texts.push(Arc::downgrade(&session.sources.read(path).unwrap()));
        if session.superseded == 0 && edit > 3 * RELEASE_AFTER {
            sizes.push(session.caches.shared.headers.count());
            let header = session.sources.read(&root.path().join("alone.h")).unwrap();
            alone.push(session.caches.shared.headers.readings(header.id));
        }
    }
    assert!(sizes.len() > 2 && sizes.windows(2).all(|two| two[0] == two[1]), "{sizes:?}");
    let held = texts.iter().filter(|text| text.upgrade().is_some());
    assert!(held.count() <= RELEASE_AFTER + 1);
    // What hangs on no edited text is not read anew.
    assert!(alone.iter().all(|one| one.len() == 1 && one[0] == alone[0][0]), "{alone:?}");
}

/// What a session says of the newest texts after each of many edits is what a fresh one says. With `meanwhile` each is
/// made while the text before it is being analysed, for the first time in every eighth case; else when all is settled.
fn replay(meanwhile: bool, edits: usize) {
    const LINES: &[&str] = &[
        "#if WIDE",
        "#ifdef __CUDA_ARCH__",
        "#if __CUDA_ARCH__ >= 800",
        "#else",
        "#endif",
        "#endif",
        "#undef WIDE",
        "#define WIDE 1",
        "#define WIDE 0",
        "#define TYPE WIDER(long)",
        "#define WIDER(type) type",
        "#pragma push_macro(\"WIDE\")",
        "#pragma pop_macro(\"WIDE\")",
        "#include \"edited.h\"",
        "#include \"under.h\"",
        "#include \"once.h\"",
    ];
    let under = "#if WIDE\n#define TYPE long\n#else\n#define TYPE int\n#endif\n#include \"once.h\"\n\
                 #ifdef __CUDA_ARCH__\n#undef WIDE\n#define WIDE 1\n#endif\n";
    let once = "#pragma once\n#include \"edited.h\"\n#ifndef TYPE\n#define TYPE short\n#endif\n\
                typedef TYPE once_t;\n";
    let kernel = "\n#ifndef TYPE\n#define TYPE int\n#endif\n__global__ void store(TYPE value) { }\n";
    let files = [("a.cu", kernel), ("edited.h", ""), ("under.h", under), ("once.h", once)];
    let (mut session, root) = session(&files);
    let (main, header) = (root.path().join("a.cu"), root.path().join("edited.h"));
    let open = FxHashSet::from_iter([main.clone(), header.clone()]);
    let (mut lines, mut found) = ([Vec::new(), Vec::new()], 0);
    let mut texts = [kernel.to_string(), "\n".to_string()];
    let units: Vec<TranslationUnit> = session.slots.iter().map(|slot| slot.unit.clone()).collect();
    let of_texts = |texts: &[String; 2]| {
        let mut fresh = Session::new();
        fresh.set_units(units.clone());
        fresh.replace(&main, Some(texts[0].clone()));
        fresh.replace(&header, Some(texts[1].clone()));
        fresh
    };
    fastrand::seed(5);
    for edit in 0..edits {
        if meanwhile && edit % 8 == 0 {
            session = of_texts(&texts);
        }
        if edit % 7 == 0 {
            // All was closed and opened again.
            session.rest();
        }
        let mut under_way = None;
        for _ in 0..=usize::from(meanwhile) {
            let number = usize::from(fastrand::usize(..4) == 0);
            let edited: &mut Vec<&str> = &mut lines[number];
            let at = fastrand::usize(..=edited.len());
            match at < edited.len() && fastrand::usize(..12) < edited.len() {
                true => drop(edited.remove(at)),
                // The header includes none.
                false => edited.insert(at, LINES[fastrand::usize(..LINES.len() - 3 * number)]),
            }
            texts = [lines[0].join("\n") + kernel, lines[1].join("\n") + "\n"];
            session.replace([&main, &header][number], Some(texts[number].clone()));
            under_way = under_way.or_else(|| meanwhile.then(|| session.next_batch(&open)));
        }
        if let Some(batch) = under_way {
            // What is asked of the newest texts leaves nothing behind for them, nor does the analysis.
            let work = std::thread::scope(|scope| {
                scope.spawn(|| session.view(&main).is_some());
                batch.work(&CancelFlag::default(), &CancelFlag::default())
            });
            session.take_in(batch, work);
        }
        let mut fresh = of_texts(&texts);
        let said = [&mut session, &mut fresh].map(|session| {
            while session.step(&open, &CancelFlag::default()) {}
            let looked = session.view(&main).unwrap();
            let place = session.sources.read(&main).unwrap();
            let at = Loc { file: place.id, offset: place.text.len() as u32 - 20 };
            let meanings = looked.meanings("TYPE", at).into_iter().map(|one| (one.passes, one.text));
            let analysis = session.analysis();
            let findings = analysis.findings.into_iter().map(|one| {
                let derivation = one.deciding.map(|deciding| format!("{:?}", deciding.derivation.len()));
                (one.message, one.primary.at.start, derivation)
            });
            let problems = analysis.problems.into_iter().map(|one| one.message);
            (findings.collect::<Vec<_>>(), problems.collect::<Vec<_>>(), meanings.collect::<Vec<_>>())
        });
        assert_eq!(said[0], said[1], "edit {edit}: {texts:?}");
        found += said[0].0.len();
    }
    assert!(found > edits / 40, "{found} findings");
}

#[test]
fn what_goes_is_not_missed() {
    replay(false, 40 * RELEASE_AFTER);
}

#[test]
fn what_is_edited_during_an_analysis_is_not_missed() {
    replay(true, 20 * RELEASE_AFTER);
}

#[test]
fn headers_as_units_had_them_before_go_with_the_settings() {
    let (mut session, root) = session(&[("a.cu", "#include \"t.h\"\n"), ("t.h", VARIES)]);
    settle(&mut session);
    let header = session.sources.read(&root.path().join("t.h")).unwrap().id;
    let mut counts = Vec::new();
    for round in 0..4 {
        let units = session.slots.iter().map(|slot| slot.unit.clone());
        let other = |mut unit: TranslationUnit| {
            unit.defines = vec![Define::Define("__CUDA_ARCH__".into(), (800 + round).to_string())];
            unit
        };
        session.set_units(units.map(other).collect());
        settle(&mut session);
        counts.push(session.caches.shared.headers.readings(header).len());
    }
    assert_eq!(counts, [counts[0]; 4]);
}

#[test]
fn what_a_custom_rule_looks_at_is_looked_at_again_after_every_edit() {
    let rule = |agree: Agree, query: &str| CustomRule {
        id: "own-rule".into(),
        level: Level::Note,
        title: "t".into(),
        message: "{name}: {sides}".into(),
        help: "h".into(),
        query: query.into(),
        agree,
        between: Between::All,
        origin: String::new(),
        card: Words::default(),
    };
    let text = |edited: &str| {
        format!(
            "#ifdef __CUDA_ARCH__\nconstexpr int wide = 8;\n#else\nconstexpr int wide = 4;\n#endif\n\
             __device__ void f(int *x) {{ {edited} }}\n__device__ void g() {{\n#ifdef __CUDA_ARCH__\nint a;\n#endif\n{edited}\n}}\n"
        )
    };
    let value = "(init_declarator declarator: (identifier) @name value: (_) @value)";
    for (agree, query) in [
        (Agree::Value, value),
        (Agree::Captured("value".into()), value),
        (
            Agree::Text,
            "(function_definition declarator: (function_declarator declarator: (identifier) @name))",
        ),
    ] {
        let (mut session, root) = session(&[("a.cu", &text(""))]);
        let mut units: Vec<TranslationUnit> = session.slots.iter().map(|slot| slot.unit.clone()).collect();
        units.iter_mut().for_each(|unit| unit.custom = Arc::from([rule(agree.clone(), query)]));
        session.set_units(units.clone());
        let path = root.path().join("a.cu");
        let mut messages = Vec::new();
        for edited in
            ["", "int b = 2;", "const int b = wide + 1;", "const int b = 3; int c = b;", "", "int d = wide;"]
        {
            session.replace(&path, Some(text(edited)));
            let _ = settle(&mut session);
            let mut of_session: Vec<String> =
                session.analysis().findings.into_iter().map(|one| one.message).collect();
            let fresh = Sources::new();
            fresh.overlay(&path, text(edited));
            let mut of_fresh: Vec<String> =
                analyse(&units, &fresh).findings.into_iter().map(|one| one.message).collect();
            of_session.sort();
            of_fresh.sort();
            assert_eq!(of_session, of_fresh, "{agree:?} {edited}");
            messages.extend(of_session);
        }
        messages.sort();
        messages.dedup();
        // No edit touches text that only some passes have.
        let least = if matches!(agree, Agree::Captured(_)) { 1 } else { 2 };
        assert!(messages.len() >= least, "{agree:?}: the edits change what is found: {messages:?}");
    }
}
