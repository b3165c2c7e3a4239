//! The HTML report in a headless Chromium: filters and links are clicked, and a large page stays usable.
//!
//! `cargo test --test browser`. A script is put into the page that does what a user would and writes what it
//! saw into the document, which Chromium prints. `SCREENSHOTS=FOLDER` keeps pictures of the page, light and dark.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

const TYPE: &str = "#ifdef __CUDA_ARCH__\ntypedef double scalar;\n#else\ntypedef int scalar;\n#endif\n";

/// Names of the browser, the first of which is there is taken.
const BROWSERS: [&str; 4] = ["chromium", "google-chrome", "chromium-browser", "chrome"];

fn browser() -> &'static str {
    let runs = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    BROWSERS.iter().find(runs).expect("a Chromium is installed: `apt-get install chromium`")
}

/// A project and its page.
fn page(files: &[(String, String)]) -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(["check", ".", "-nostdinc", "--arch", "75,80,90", "--format", "html"])
        .current_dir(directory.path())
        .output()
        .expect("the program runs");
    (directory, String::from_utf8(output.stdout).expect("reports are UTF-8"))
}

/// Lets the page's timers run, as fast as they can.
const TIMERS: &str = "--virtual-time-budget=2000";

/// The browser's output for a page, with more options.
fn open(directory: &Path, page: &str, options: &[&str]) -> String {
    let path = directory.join("page.html");
    fs::write(&path, page).expect("a new file");
    let output = Command::new(browser())
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"])
        .arg(format!("--user-data-dir={}", directory.join("profile").display()))
        .args(options)
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("the browser runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The result of a script in the page; it calls `say` with an object.
fn sees(directory: &Path, page: &str, options: &[&str], script: &str) -> Value {
    let say = "const say = (it) => { const p = document.createElement('pre'); p.id = 'said'; \
               p.textContent = JSON.stringify(it); document.body.append(p); };\n\
               const shown = () => [...document.querySelectorAll('article')].filter((one) => one.offsetParent)\
               .map((one) => one.dataset.name);\n\
               const type = (id, text) => { const it = document.getElementById(id); it.value = text; \
               it.dispatchEvent(new Event('input', { bubbles: true })); };\n";
    let page = page.replace("</body>", &format!("<script>{say}{script}</script></body>"));
    let document = open(directory, &page, &[options, &["--dump-dom"]].concat());
    let said = document.split("<pre id=\"said\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let said = said.unwrap_or_else(|| panic!("the script did not end:\n{document}"));
    serde_json::from_str(&said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).expect("JSON")
}

fn small() -> (TempDir, String) {
    let kernel = |name: &str| format!("__global__ void {name}(scalar value) {{}}\n");
    let only = "#if __CUDA_ARCH__ >= 900\ntypedef long wide;\n#else\ntypedef int wide;\n#endif\n\
                __global__ void newest(wide value) {}\n";
    let layout = "struct Options {\n#ifdef __CUDA_ARCH__\n    int device_only;\n#endif\n    char mode;\n};\n\
                  __global__ void run(Options options) {}\n";
    page(&[
        ("src/a.cu".into(), format!("{TYPE}{}{}", kernel("alpha"), kernel("beta"))),
        ("src/b.cu".into(), only.into()),
        ("include/c.cu".into(), layout.into()),
    ])
}

#[test]
fn filters_and_links_do_what_they_say() {
    let (directory, page) = small();
    let script = "
        const all = shown();
        type('search', 'src/a BET');
        const searched = shown();
        type('search', '');
        type('target', 'sm_80');
        const target = shown();
        type('target', '');
        const box = [...document.querySelectorAll('input[name=rule]')].find((box) => box.value.endsWith('signature'));
        box.click();
        const unticked = shown();
        const count = document.getElementById('count').textContent;
        const files = [...document.querySelectorAll('#files li')].filter((one) => !one.hidden)
            .map((one) => one.textContent);
        document.getElementById('clear').click();
        const paper = () => getComputedStyle(document.body).backgroundColor;
        const before = paper();
        document.getElementById('theme').click();
        const after = paper();
        const mark = document.querySelectorAll('.strip a')[1];
        const link = mark.getAttribute('href');
        setTimeout(() => {
            const cleared = shown();
            type('search', 'nowhere');
            const none = [shown().length, document.getElementById('nothing').hidden];
            location.hash = link;
            setTimeout(() => {
                const box = document.getElementById(link.slice(1)).getBoundingClientRect();
                const visible = box.height > 0 && box.top >= 0 && box.top < innerHeight;
                say({ all, searched, target, unticked, count, files, cleared, none, themes: [before, after], visible });
            }, 300);
        }, 300);";
    let seen = sees(directory.path(), &page, &[TIMERS], script);
    assert_eq!(seen["all"], serde_json::json!(["Options", "alpha", "beta", "newest"]), "{seen}");
    assert_eq!(seen["searched"], serde_json::json!(["beta"]));
    assert_eq!(
        seen["target"],
        serde_json::json!(["Options", "alpha", "beta"]),
        "sm_80 sees of `newest` what the host does"
    );
    assert_eq!(seen["unticked"], serde_json::json!(["Options"]));
    assert_eq!(seen["count"], "1 of 4 shown");
    assert_eq!(seen["files"], serde_json::json!(["include/c.cu 1"]));
    assert_eq!(seen["cleared"], seen["all"]);
    assert_eq!(seen["none"], serde_json::json!([0, false]));
    assert_eq!(seen["themes"], serde_json::json!(["rgb(255, 255, 255)", "rgb(22, 24, 27)"]));
    assert_eq!(seen["visible"], true, "a link shows what it leads to, though a filter hides it: {seen}");
    if let Some(folder) = std::env::var_os("SCREENSHOTS") {
        for (name, theme) in [("light", "1"), ("dark", "0")] {
            let shot = Path::new(&folder).join(format!("{name}.png"));
            let shot = format!("--screenshot={}", shot.display());
            let theme = format!("--blink-settings=preferredColorScheme={theme}");
            open(directory.path(), &page, &[&shot, &theme]);
        }
    }
}

#[test]
fn the_strip_shows_who_sees_which_lines() {
    let (directory, page) = small();
    let script = "
        const strips = [...document.querySelectorAll('section.file')].map((file) => [file.dataset.path,
            [...file.querySelectorAll('.strip .names span')].map((name) => name.textContent),
            [...file.querySelectorAll('.strip svg > rect')].map((rect) => rect.textContent)]);
        say(strips);";
    let seen = sees(directory.path(), &page, &[], script);
    assert_eq!(
        seen[2],
        serde_json::json!([
            "src/b.cu",
            ["host, sm_75, sm_80", "sm_90"],
            [
                "host, sm_75, sm_80: lines 1 to 1",
                "host, sm_75, sm_80: lines 3 to 7",
                "sm_90: lines 1 to 3",
                "sm_90: lines 5 to 7"
            ]
        ]),
        "{seen}"
    );
}

#[test]
fn a_page_of_two_thousand_findings_stays_usable() {
    let file = |number: usize| {
        let kernels =
            (0..50).map(|kernel| format!("__global__ void k{number}_{kernel}(scalar value) {{}}\n"));
        (format!("src/file{number}.cu"), format!("{TYPE}{}", kernels.collect::<String>()))
    };
    let (directory, page) = page(&(0..40).map(file).collect::<Vec<_>>());
    let script = "
        addEventListener('load', () => {
            const loaded = performance.now();
            const start = performance.now();
            type('search', 'k17_');
            const found = shown().length;
            const filtered = performance.now() - start;
            say({ all: document.querySelectorAll('article').length, found, loaded, filtered });
        });";
    let seen = sees(directory.path(), &page, &[], script);
    println!("{} bytes; loaded and filtered after these milliseconds: {seen}", page.len());
    assert_eq!((&seen["all"], &seen["found"]), (&2000.into(), &50.into()));
    assert!(seen["filtered"].as_f64().is_some_and(|milliseconds| milliseconds < 2000.0), "{seen}");
}

#[test]
fn the_page_needs_no_network_and_runs_nothing_from_the_sources() {
    let kernel =
        "__global__ void k(scalar value) {} // <img src=x onerror=\"document.title='owned'\"></pre>\n";
    let (directory, page) = page(&[("a.cu".into(), format!("{TYPE}{kernel}"))]);
    for needle in ["http://", "https://", "<link", "<img", "@import"] {
        assert!(!page.contains(needle), "{needle}");
    }
    let seen = sees(directory.path(), &page, &[TIMERS], "setTimeout(() => say([document.title]), 200);");
    assert_eq!(seen, serde_json::json!(["cuda-arch-lint: 1 finding"]));
}

#[test]
fn a_narrow_window_needs_no_scrolling_to_the_side() {
    let long = format!("deep/{}/a.cu", "a_directory_with_quite_a_long_name/".repeat(4).trim_end_matches('/'));
    let kernel = format!("__global__ void {}(scalar value) {{}}\n", "a_kernel_with_a_long_name_".repeat(6));
    let (directory, page) = page(&[(long, format!("{TYPE}{kernel}"))]);
    let script = "say([document.documentElement.clientWidth, document.documentElement.scrollWidth,
        getComputedStyle(document.querySelector('header')).position]);";
    let seen = sees(directory.path(), &page, &["--window-size=500,800"], script);
    assert_eq!(seen[0], seen[1], "{seen}");
    assert_eq!(seen[2], "static", "the filters leave room for the findings: {seen}");
}

#[test]
fn a_page_without_findings_says_so_and_has_nothing_to_filter() {
    let (directory, page) = page(&[("a.cu".into(), "int a;\n".into())]);
    let script = "
        document.getElementById('theme').click();
        say([document.querySelector('main').textContent.trim(), document.forms.length,
             document.documentElement.dataset.theme]);";
    let seen = sees(directory.path(), &page, &[], script);
    assert_eq!(seen, serde_json::json!(["No findings.", 0, "dark"]));
}

#[test]
fn places_near_each_other_are_shown_in_one_picture() {
    let (directory, page) = small();
    let script = "
        const finding = document.querySelector('article[data-name=Options]');
        say([...finding.querySelectorAll('figure')].map((figure) => [
            [...figure.querySelectorAll('figcaption span')].map((it) => it.textContent.split(' — ')[0]),
            [...figure.querySelectorAll('mark')].map((it) => it.textContent)]));";
    let seen = sees(directory.path(), &page, &[], script);
    assert_eq!(
        seen[0],
        serde_json::json!([
            ["include/c.cu:1", "include/c.cu:2", "include/c.cu:7"],
            ["Options", "#ifdef __CUDA_ARCH__", "run"]
        ]),
        "{seen}"
    );
}

/// The page of `audit --list=html` for PTX of as many kernels.
fn kernels(count: usize) -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let kernel = |number: usize| {
        let name = "a_long_name_".repeat(30);
        format!(".visible .entry {name}{number}(.param .u64 out)\n{{\n ret;\n}}\n")
    };
    let kernels: String = (0..count).map(kernel).collect();
    let text = format!(".version 9.0\n.target sm_80\n.address_size 64\n{kernels}");
    fs::write(directory.path().join("all.ptx"), text).expect("a new file");
    let output = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(["audit", "all.ptx", "--isolated", "--list=html"])
        .current_dir(directory.path())
        .output()
        .expect("the program runs");
    (directory, String::from_utf8(output.stdout).expect("pages are UTF-8"))
}

#[test]
fn a_page_of_twelve_thousand_kernels_is_searched_and_read() {
    let (directory, page) = kernels(12_000);
    let script = "{
        const rows = () => [...document.querySelectorAll('.matrix p:not(.head)')];
        const shown = () => rows().filter((row) => !row.hidden).length;
        const count = () => document.getElementById('count').textContent;
        const all = [shown(), count()];
        const row = rows()[0];
        const heights = [row.offsetHeight];
        row.querySelector('span').click();
        heights.push(row.offsetHeight);
        row.querySelector('span').click();
        heights.push(row.offsetHeight);
        const wide = document.documentElement.scrollWidth > innerWidth;
        type('name', '_1199');
        setTimeout(() => {
            const found = [shown(), count()];
            type('name', '');
            setTimeout(() => {
                scrollTo(0, 100000);
                const head = document.querySelector('.head').getBoundingClientRect();
                const bar = document.getElementById('filters').getBoundingClientRect();
                say({ all, heights, wide, found, bar: bar.top, head: head.top - bar.bottom });
            }, 300);
        }, 300);
        }";
    for width in ["--window-size=1280,1000", "--window-size=500,1000"] {
        let seen = sees(directory.path(), &page, &[width, TIMERS], script);
        assert_eq!(seen["all"], serde_json::json!([12_000, "12000 of 12000 kernels"]), "{seen}");
        assert_eq!(seen["found"], serde_json::json!([11, "11 of 12000 kernels"]), "{seen}");
        let heights: Vec<u64> =
            seen["heights"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
        assert!(
            heights[0] == 18 && heights[2] == 18 && heights[1] > 18,
            "a click shows all of a name: {seen}"
        );
        assert_eq!(seen["wide"], false, "{seen}");
        assert_eq!((&seen["bar"], &seen["head"]), (&0.into(), &0.into()), "GPUs stay in sight: {seen}");
    }
    if let Some(folder) = std::env::var_os("SCREENSHOTS") {
        let shot = Path::new(&folder).join("kernels.png");
        open(directory.path(), &page, &[&format!("--screenshot={}", shot.display())]);
    }
}
