//! The analysis on a thread of its own.
//!
//! In: what the main loop puts into the [`Mailbox`], where the newest text of a document takes the
//! place of one not yet looked at. Out: published diagnostics, and answers to what the client asks, which are about
//! the newest texts. The worker looks into the mailbox between any two steps of the analysis, so it never works on a
//! stale text for long.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use lsp_server::{ErrorCode, Response};
use lsp_types::{Diagnostic, MessageType, Uri};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use crate::analysis::Session;
use crate::config::{Loaded, find, load};
use crate::finding::Reported;
use crate::fix::Fix;
use crate::project::{Project, ProjectError, Settings, TranslationUnit, discover};
use crate::stale::unless_stale;

use super::capabilities::Dialect;
use super::client::{Client, Purpose};
use super::diagnostics::diagnostics;
use super::documents::{Document, Kind};
use super::mailbox::{Ask, Mailbox, News};
use super::triaged::{Policies, Reporting, Speaking, triaged};
use super::{regions, settings, uri};

/// The analysis and what the client was told of it.
pub(super) struct Worker {
    pub(super) client: Client,
    pub(super) dialect: Dialect,
    /// The settings that the client sent at the start.
    options: Value,
    /// Those that it sent for each root since.
    configured: Vec<Value>,
    /// The workspace folders; `None` for one that is not on disk.
    roots: Vec<Option<PathBuf>>,
    pub(super) session: Session,
    /// Their units.
    project: Vec<TranslationUnit>,
    /// Open files that belong to none of those, each with the units it is itself.
    strays: BTreeMap<PathBuf, Vec<TranslationUnit>>,
    pub(super) open: BTreeMap<PathBuf, Document>,
    pub(super) policies: Policies,
    speaking: Speaking,
    published: BTreeMap<PathBuf, Published>,
    /// The findings that were published last, and the diagnostics of each file.
    pub(super) reported: Vec<Reported>,
    pub(super) current: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// What mends a finding, by its fingerprint, while no text changes.
    pub(super) fixes: BTreeMap<String, Vec<Fix>>,
    /// What the client asked and was not told yet.
    asks: Vec<Ask>,
    /// The pass that is looked through.
    pub(super) chosen: Option<String>,
    /// What is reported has changed though no text has: the baseline was written.
    pub(super) stale: bool,
    progress: Progress,
    /// Complaints the user has seen.
    shown: BTreeSet<String>,
}

/// What the client knows of a file.
#[derive(PartialEq)]
struct Published {
    uri: Uri,
    version: Option<i32>,
    diagnostics: Vec<Diagnostic>,
    inactive: Option<Value>,
}

/// Whether the client shows that the first scan goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// It has not said yet that it would.
    Unasked,
    /// It does.
    Begun,
    /// The scan is over.
    Over,
}

/// The token of the progress of the first scan.
pub(super) const TOKEN: &str = "cuda-arch-lint/scan";

impl Worker {
    pub(super) fn new(
        client: Client,
        dialect: Dialect,
        options: Value,
        roots: Vec<Option<PathBuf>>,
    ) -> Worker {
        Worker {
            client,
            dialect,
            options,
            configured: Vec::new(),
            roots,
            session: Session::new(),
            project: Vec::new(),
            strays: BTreeMap::new(),
            open: BTreeMap::new(),
            policies: Policies::default(),
            speaking: Speaking::default(),
            published: BTreeMap::new(),
            reported: Vec::new(),
            current: BTreeMap::new(),
            fixes: BTreeMap::new(),
            asks: Vec::new(),
            chosen: None,
            stale: false,
            progress: Progress::Unasked,
            shown: BTreeSet::new(),
        }
    }

    /// Works until the mailbox says stop.
    pub(super) fn run(mut self, mailbox: &Mailbox) {
        self.discover();
        let mut news = mailbox.take();
        let mut told = Told::Nothing;
        while !news.stop {
            if self.apply(news) {
                told = Told::Nothing;
            }
            let open: FxHashSet<PathBuf> = self.open.keys().cloned().collect();
            self.session.step(&open, &mailbox.stale);
            let settled = self.session.settled() && !self.adopt(Kind::Header);
            // With changes in the mailbox, what would be published is stale already.
            let due = match told {
                _ if mailbox.has_changes() => None,
                Told::Nothing | Told::Open if settled => Some(Told::All),
                Told::Nothing if self.session.answers(&open) => Some(Told::Open),
                _ => None,
            };
            if let Some(due) = due {
                self.publish(due);
                told = due;
            }
            self.show_progress(settled);
            self.answer_asks(told, mailbox);
            if std::mem::take(&mut self.stale) {
                self.publish(told);
            }
            news = if settled { mailbox.wait() } else { mailbox.take() };
        }
    }

    /// Says whether anything is stale now.
    fn apply(&mut self, news: News) -> bool {
        let News { documents, on_disk, discover, roots, settings, asks, progress, stop: _ } = news;
        self.asks.extend(asks);
        if progress && self.progress == Progress::Unasked {
            self.progress = Progress::Begun;
            let value = json!({"kind": "begin", "title": "Reading CUDA sources", "percentage": 0});
            self.client.tell("$/progress", json!({"token": TOKEN, "value": value}));
        }
        // Where nothing is set, what the client said at the start counts.
        let settings = settings.map(|all| if all.iter().any(Value::is_object) { all } else { Vec::new() });
        let settings = settings.filter(|all| *all != self.configured);
        let discover = discover || roots.is_some() || settings.is_some();
        if documents.is_empty() && on_disk.is_empty() && !discover {
            return false;
        }
        self.fixes.clear();
        for path in on_disk.iter().filter(|path| !self.open.contains_key(*path)) {
            self.session.replace(path, None);
        }
        for (path, document) in documents {
            self.session.replace(&path, document.as_ref().map(|document| document.text.clone()));
            match document {
                Some(document) => {
                    self.open.insert(path, document);
                }
                None => {
                    self.open.remove(&path);
                    if self.strays.remove(&path).is_some() {
                        self.set_units();
                    }
                }
            }
        }
        if let Some(roots) = roots {
            self.roots = roots;
            self.configured.clear();
        }
        if let Some(settings) = settings {
            self.configured = settings;
        }
        if discover {
            // A stray is compiled by the settings too.
            self.strays.clear();
            self.discover();
        }
        self.adopt(Kind::Source);
        true
    }

    /// Finds the units of the workspace folders, each with its own build information.
    fn discover(&mut self) {
        let mut units: Vec<TranslationUnit> = Vec::new();
        self.policies.0.clear();
        for root in self.roots.clone().into_iter().flatten() {
            for unit in self.units_of(&root, &root) {
                if !units.contains(&unit) {
                    units.push(unit);
                }
            }
        }
        self.strays.retain(|path, _| !units.iter().any(|unit| unit.main == *path));
        self.project = units;
        self.set_units();
    }

    /// Makes open files that no unit reads units of their own: sources at once, headers when every
    /// unit was asked. Says whether there are new units.
    fn adopt(&mut self, kind: Kind) -> bool {
        let strays: Vec<PathBuf> = self
            .open
            .values()
            .filter(|document| document.kind == kind && !self.strays.contains_key(&document.path))
            .filter(|document| !self.session.has(&document.path))
            .map(|document| document.path.clone())
            .collect();
        for path in &strays {
            let around = self.roots.iter().flatten().find(|root| is_under(path, root)).map(PathBuf::as_path);
            let root = around.or(path.parent()).unwrap_or(Path::new("")).to_path_buf();
            let units = self.units_of(path, &root);
            self.strays.insert(path.clone(), units);
        }
        if !strays.is_empty() {
            self.set_units();
        }
        !strays.is_empty()
    }

    fn set_units(&mut self) {
        let units = self.project.iter().chain(self.strays.values().flatten()).cloned();
        self.session.set_units(units.collect());
    }

    /// The units at or under a path; relative settings are meant from `root`. Settings of the client go before
    /// those of the configuration file.
    fn units_of(&mut self, path: &Path, root: &Path) -> Vec<TranslationUnit> {
        let directory = if path.is_dir() { path } else { path.parent().unwrap_or(root) };
        let settings = self.settings(directory, root);
        match discover(&[path.to_path_buf()], &settings, &self.session.sources) {
            Ok(project) => {
                self.log(&project);
                let excluded = |unit: &TranslationUnit| {
                    self.policies.of(&unit.main).is_some_and(|one| one.policy.exclude.has(&unit.main))
                };
                project.all_units().into_iter().filter(|unit| !excluded(unit)).collect()
            }
            // A folder without CUDA code is nothing to complain about in an editor.
            Err(ProjectError::NoSource(_)) => Vec::new(),
            Err(error) => {
                self.complain(MessageType::WARNING, format!("{error}\n{}", error.help()));
                Vec::new()
            }
        }
    }

    /// How code in a directory is compiled. What is said of findings there is kept for [`triaged`].
    fn settings(&mut self, directory: &Path, root: &Path) -> Settings {
        let number = self.roots.iter().position(|known| known.as_deref() == Some(root)).unwrap_or(0);
        let own = self.configured.get(number).filter(|value| value.is_object());
        let (client, problems) = settings::read(own.unwrap_or(&self.options), root);
        for problem in problems {
            self.complain(MessageType::ERROR, problem);
        }
        let loaded = self.configuration(directory);
        if let Some(policy) = client.policy.clone() {
            let place = loaded.as_ref().map_or(root, |loaded| &loaded.directory).to_path_buf();
            self.policies.0.entry(place).or_default().policy = policy;
        }
        match loaded {
            Some(loaded) => settings::over(&client, &loaded),
            None => client.settings,
        }
    }

    /// The configuration file that counts in a directory.
    fn configuration(&mut self, directory: &Path) -> Option<Loaded> {
        let loaded = load(&find(directory)?).and_then(|loaded| {
            let policy = loaded.policy()?;
            // As on the command line, paths in a baseline begin at the repository's root.
            let root = loaded.directory.ancestors().find(|directory| directory.join(".git").exists());
            let root = root.unwrap_or(&loaded.directory);
            let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
            let baseline = loaded.config.baseline.clone().map(|file| (file, root));
            self.policies.0.insert(loaded.directory.clone(), Reporting { policy, baseline });
            Ok(loaded)
        });
        loaded.map_err(|error| self.complain(MessageType::WARNING, format!("{error}\n{}", error.help()))).ok()
    }

    fn log(&mut self, project: &Project) {
        for problem in &project.problems {
            let message = format!("{}: {}", problem.path.display(), problem.message);
            if self.shown.insert(message.clone()) {
                self.client.log(MessageType::WARNING, message);
            }
        }
    }

    /// Shows the user a message, once.
    fn complain(&mut self, kind: MessageType, message: String) {
        if self.shown.insert(message.clone()) {
            self.client.show(kind, &message);
        }
    }

    /// Tells what has changed, also that a file has no diagnostics any more.
    fn publish(&mut self, what: Told) {
        let analysis = self.session.analysis();
        let triaged = triaged(analysis, &self.policies, &mut self.speaking, &self.session.sources);
        let mut found = diagnostics(&triaged, &self.session.sources, self.dialect);
        self.reported = triaged.findings;
        for path in self.open.keys().chain(self.published.keys()) {
            found.entry(path.clone()).or_default();
        }
        self.current = found;
        let mut changed = false;
        for (path, diagnostics) in &self.current {
            let document = self.open.get(path);
            if what == Told::Open && document.is_none() {
                continue;
            }
            let uri = document.map(|document| document.uri.clone()).or_else(|| uri::from_path(path));
            let Some(uri) = uri else { continue };
            let version = document.map(|document| document.version);
            let inactive =
                document.filter(|_| self.dialect.inactive_regions).map(|_| self.inactive_ranges(path));
            let now = Published { uri, version, diagnostics: diagnostics.clone(), inactive };
            let before = self.published.get(path);
            if before == Some(&now) {
                continue;
            }
            if let Some(regions) = &now.inactive
                && before.and_then(|before| before.inactive.as_ref()) != Some(regions)
            {
                let document = json!({"uri": now.uri, "version": now.version});
                let params = json!({"textDocument": document, "regions": regions});
                self.client.tell("textDocument/inactiveRegions", params);
            }
            changed |= before.map(|before| &before.diagnostics) != Some(&now.diagnostics);
            if !self.dialect.pulls {
                self.client.publish(now.uri.clone(), now.diagnostics.clone(), now.version);
            }
            if now.diagnostics.is_empty() && document.is_none() {
                self.published.remove(path);
            } else {
                self.published.insert(path.clone(), now);
            }
        }
        if changed && self.dialect.pulls {
            self.client.ask(Purpose::Done, "workspace/diagnostic/refresh", Value::Null);
        }
        // Hints and tokens of a document depend on the headers it reads.
        if what == Told::All && changed {
            self.refresh();
        }
    }

    /// Asks the client to ask anew for what depends on passes.
    pub(super) fn refresh(&self) {
        let all = [
            (self.dialect.refreshes_hints, "workspace/inlayHint/refresh"),
            (self.dialect.refreshes_tokens, "workspace/semanticTokens/refresh"),
            (self.dialect.refreshes_lenses, "workspace/codeLens/refresh"),
        ];
        for (_, method) in all.iter().filter(|(can, _)| *can) {
            self.client.ask(Purpose::Done, method, Value::Null);
        }
    }

    /// Looks through another pass.
    pub(super) fn choose(&mut self, pass: Option<String>) {
        self.chosen = pass;
        self.refresh();
        if !self.dialect.inactive_regions {
            return;
        }
        for document in self.open.values() {
            let regions = self.inactive_ranges(&document.path);
            let about = json!({"uri": document.uri, "version": document.version});
            let params = json!({"textDocument": about, "regions": regions});
            self.client.tell("textDocument/inactiveRegions", params);
            if let Some(known) = self.published.get_mut(&document.path) {
                known.inactive = Some(regions);
            }
        }
    }

    /// The lines of an open document that are greyed, as ranges.
    fn inactive_ranges(&self, path: &Path) -> Value {
        let known = self.session.sources.known(path).zip(self.session.regions(path));
        let Some((file, found)) = known else { return json!([]) };
        let lines = super::position::Lines::new(&file.text, self.dialect.encoding);
        let inactive = regions::inactive(&found, &file, self.chosen.as_deref());
        regions::ranges(&inactive, &file, &lines)
    }

    fn show_progress(&mut self, settled: bool) {
        if self.progress != Progress::Begun {
            if settled {
                self.progress = Progress::Over;
            }
            return;
        }
        let (done, all) = self.session.progress();
        let value = match settled {
            true => json!({"kind": "end"}),
            false => json!({
                "kind": "report", "message": format!("{done} of {all}"), "percentage": 100 * done / all.max(1),
            }),
        };
        self.client.tell("$/progress", json!({"token": TOKEN, "value": value}));
        if settled {
            self.progress = Progress::Over;
        }
    }

    /// The answer to a request; a panic on the way to it costs that answer alone.
    fn safe_response(&mut self, ask: &Ask, mailbox: &Mailbox) -> Response {
        let refused = |code: ErrorCode, why: &str| Response::new_err(ask.id.clone(), code as i32, why.into());
        let answer =
            catch_unwind(AssertUnwindSafe(|| unless_stale(&mailbox.stale, || self.response(ask, mailbox))));
        match answer {
            Ok(Some(answer)) => answer,
            Ok(None) => refused(ErrorCode::ContentModified, "the text has changed since"),
            Err(_) => refused(ErrorCode::InternalError, DEFECT),
        }
    }

    /// Answers what can be answered by now.
    fn answer_asks(&mut self, told: Told, mailbox: &Mailbox) {
        for ask in std::mem::take(&mut self.asks) {
            let needs = match ask.method.as_str() {
                "workspace/diagnostic" => told == Told::All,
                _ => told != Told::Nothing,
            };
            if needs || mailbox.is_cancelled(&ask.id) {
                let response = self.safe_response(&ask, mailbox);
                mailbox.answered(&ask.id);
                self.client.send(response);
            } else {
                self.asks.push(ask);
            }
        }
    }
}

/// What a panic is answered with.
const DEFECT: &str = "the answer stopped on a defect of its own; please report it";

/// One path is below another, however they are spelled.
fn is_under(path: &Path, root: &Path) -> bool {
    match (std::path::absolute(path), std::path::absolute(root)) {
        (Ok(path), Ok(root)) => path.starts_with(root),
        _ => path.starts_with(root),
    }
}

/// How much of what is known was published.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// Nothing since the last news.
    Nothing,
    /// What concerns the open documents.
    Open,
    /// All.
    All,
}
