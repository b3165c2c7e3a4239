//! Only what a change touches or causes: `--diff`.

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, USAGE};

use super::project::{Project, SAME, TYPE, kernel};

#[test]
fn only_what_a_change_touches_or_causes_is_reported() {
    let main = |name: &str| format!("#include \"types.h\"\n{}", kernel(name));
    let project = Project::new(&[
        ("types.h", SAME),
        ("a.cu", &main("a")),
        ("old.cu", &format!("{TYPE}{}{}", kernel("untouched"), kernel("edited"))),
    ]);
    project.git("init -q");
    project.git("add .");
    project.git("commit -qm one");
    let check = |expected: &[&str]| {
        let ran = project.check(". --diff HEAD");
        assert_eq!(ran.names(), expected, "{}{}", ran.out, ran.err);
        ran
    };
    let ran = check(&[]);
    assert!(ran.summary().ends_with("; 2 outside the change"), "{}", ran.summary());
    // Touched: the line of the finding itself.
    project.write(
        "old.cu",
        &project.read("old.cu").replace("void edited(scalar value)", "void edited(scalar  value)"),
    );
    check(&["edited"]);
    // Caused: the header decides, and the kernel's file is as it was.
    project.write("types.h", TYPE);
    check(&["a", "edited"]);
    // Caused, with nothing on the way from the macro to the kernel touched: an include.
    project.git("add .");
    project.git("commit -qm two");
    project.write("e.cu", &kernel("e"));
    project.write("f.h", SAME);
    project.write("f.cu", &format!("#include \"f.h\"\n{}", kernel("f")));
    project.git("add .");
    project.git("commit -qm three");
    check(&[]);
    project.write("f.h", "#include \"types.h\"\n");
    check(&["f"]);
    // A new name is no new finding.
    project.git("checkout -q .");
    project.git("mv a.cu renamed.cu");
    check(&[]);
}

#[test]
fn git_has_to_know_the_revision() {
    let project = Project::new(&[("a.cu", SAME)]);
    project.git("init -q");
    let ran = project.check("a.cu --diff nowhere");
    assert_eq!((ran.code, ran.err.starts_with("error: failed to get the change from git: ")), (USAGE, true));
}

#[test]
fn before_the_first_commit_all_is_new() {
    let project = Project::new(&[("a.cu", &format!("{TYPE}{}", kernel("a")))]);
    project.git("init -q");
    for step in ["untracked", "staged"] {
        let ran = project.check(". --diff HEAD");
        assert_eq!((ran.code, ran.names()), (FINDINGS, vec!["a"]), "{step}: {}", ran.err);
        project.git("add .");
    }
    project.git("commit -qm one");
    assert_eq!(project.check(". --diff HEAD").code, CLEAN);
    // A name that no branch has is still wrong.
    assert_eq!(project.check(". --diff HEAD~1").code, USAGE);
}

#[test]
fn what_git_does_not_know_may_be_left_out() {
    let project = Project::new(&[("a.cu", SAME)]);
    project.git("init -q");
    project.git("add .");
    project.git("commit -qm one");
    project.write("b.cu", &format!("{TYPE}{}", kernel("b")));
    project.write("a.cu", &format!("{TYPE}{}", kernel("a")));
    assert_eq!(project.check(". --diff HEAD").names(), ["a", "b"]);
    assert_eq!(project.check(". --diff HEAD --no-untracked").names(), ["a"]);
    assert_eq!(project.check(". --no-untracked").code, USAGE);
}

#[test]
fn three_dots_mean_where_the_branches_parted() {
    let old = format!("{TYPE}{}", kernel("old"));
    let project = Project::new(&[("old.cu", &old), ("b.cu", SAME)]);
    project.git("init -q");
    project.git("add .");
    project.git("commit -qm one");
    project.git("checkout -qb branch");
    project.write("fresh.cu", &format!("{TYPE}{}", kernel("fresh")));
    project.git("add .");
    project.git("commit -qm two");
    // What main has mended since is not this branch's doing.
    project.git("checkout -q main");
    project.write("old.cu", SAME);
    project.git("commit -qam three");
    project.git("checkout -q branch");
    assert_eq!(project.check(". --diff main").names(), ["fresh", "old"]);
    assert_eq!(project.check(". --diff main...").names(), ["fresh"]);
}

#[test]
fn a_submodules_changes_count() {
    let module = Project::new(&[("types.h", SAME), ("m.cu", &format!("{TYPE}{}", kernel("m")))]);
    module.git("init -q");
    module.git("add .");
    module.git("commit -qm one");
    let project = Project::new(&[("a.cu", &format!("#include \"mod/types.h\"\n{}", kernel("a")))]);
    project.git("init -q");
    project.git("add .");
    project.git("commit -qm one");
    let add =
        format!("-c protocol.file.allow=always submodule --quiet add {} mod", module.0.path().display());
    project.git(&add);
    assert_eq!(project.check(". --diff HEAD").names(), ["m"], "all of a new submodule is new");
    project.git("commit -qm two");
    let expect = |names: &[&str]| {
        let ran = project.check(". --diff HEAD");
        assert_eq!(ran.names(), names, "{}{}", ran.out, ran.err);
    };
    expect(&[]);
    // An edit in the submodule causes something outside of it; a new file in it has something.
    project.write("mod/types.h", TYPE);
    expect(&["a"]);
    project.write("mod/n.cu", &format!("{TYPE}{}", kernel("n")));
    expect(&["a", "n"]);
    // The same, committed there.
    project.git("-C mod add .");
    project.git("-C mod commit -qm two");
    expect(&["a", "n"]);
    project.git("commit -qam three");
    expect(&[]);
}

#[test]
fn the_users_settings_of_git_change_nothing() {
    let lines = format!("{TYPE}{}{}{}", kernel("a"), kernel("b"), kernel("c"));
    let project = Project::new(&[("a.cu", &lines)]);
    project.git("init -q");
    project.git("add .");
    project.git("commit -qm one");
    for setting in [
        "diff.interHunkContext 9",
        "diff.noprefix true",
        "diff.mnemonicPrefix true",
        "diff.submodule log",
        "color.ui always",
        "core.quotePath false",
    ] {
        project.git(&format!("config {setting}"));
    }
    project.write(
        "a.cu",
        &lines.replace("a(scalar value)", "a(scalar v)").replace("c(scalar value)", "c(scalar v)"),
    );
    assert_eq!(project.check(". --diff HEAD").names(), ["a", "c"], "the line between is as it was");
}

#[test]
fn a_path_of_another_repository_is_refused() {
    let [here, other] = [(); 2].map(|()| Project::new(&[("a.cu", SAME)]));
    here.git("init -q");
    let ran = here.check(&format!("{} --diff HEAD", other.0.path().display()));
    assert_eq!(ran.code, USAGE);
    assert!(ran.err.contains(" is not in the repository "), "{}", ran.err);
}

#[test]
fn a_repository_inside_that_git_does_not_know_is_left_alone() {
    let project = Project::new(&[("a.cu", SAME), ("inner/b.cu", &format!("{TYPE}{}", kernel("b")))]);
    project.git("init -q");
    project.git("init -q inner");
    project.git("-C inner add .");
    project.git("-C inner commit -qm one");
    project.git("add a.cu");
    project.git("commit -qm one");
    let ran = project.check(". --diff HEAD");
    assert_eq!((ran.code, ran.names()), (CLEAN, vec![]), "{}{}", ran.out, ran.err);
}
