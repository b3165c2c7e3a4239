//! The analysis on a thread of its own.
//!
//! In: changes and requests from the [`Mailbox`], where a newer text of a document replaces one that was not yet
//! taken. Out: published diagnostics, and answers to requests on the basis of the newest texts. A change cancels
//! the analysis at hand, so that the worker never spends long on a stale text. The first analysis of a unit that
//! somebody waits for goes on, since later texts are compared with it; open documents are edited beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lsp_types::{Diagnostic, MessageType, Uri};
use serde_json::{Value, json};

use crate::analysis::Session;
use crate::config::{Loaded, find, load};
use crate::finding::{Fix, Reported};
use crate::project::{Project, ProjectError, Settings, TranslationUnit, discover};
use crate::triage::Policy;

use super::capabilities::ClientFeatures;
use super::client::{Client, Purpose};
use super::diagnostics::diagnostics;
use super::documents::{Document, Kind};
use super::mailbox::{ClientRequest, Updates};
use super::triaged::{FilesWithComments, TriageByDirectory, TriageSettings, triaged};
use super::{regions, settings, uri};

/// The state of the analysis, and what has been published to the client.
pub(super) struct Worker {
    pub(super) client: Client,
    pub(super) features: ClientFeatures,
    /// The settings in the client's `initialize` request.
    options: Value,
    /// The settings that the client has sent since, for each root.
    configured: Vec<Value>,
    /// The workspace folders; `None` for one that is not on disk.
    roots: Vec<Option<PathBuf>>,
    pub(super) session: Session,
    /// The units of the workspace folders.
    project: Vec<TranslationUnit>,
    /// Open files outside of those, with the units that they form themselves.
    standalone: BTreeMap<PathBuf, Vec<TranslationUnit>>,
    pub(super) open: BTreeMap<PathBuf, Document>,
    pub(super) policies: TriageByDirectory,
    with_comments: FilesWithComments,
    published: BTreeMap<PathBuf, Published>,
    /// The findings that were published last.
    pub(super) reported: Vec<Reported>,
    pub(super) current: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// The fixes of each finding by fingerprint, kept until a text changes.
    pub(super) fixes: BTreeMap<String, Vec<Fix>>,
    /// Requests that have not been answered yet.
    pub(super) requests: Vec<ClientRequest>,
    /// The pass that the user has selected.
    pub(super) selected_pass: Option<String>,
    /// Whether findings must be published again although no text has changed: the baseline was written.
    pub(super) stale: bool,
    progress: Progress,
    /// Messages that the user has already been shown.
    shown: BTreeSet<String>,
}

/// The state of a file that was last published to the client.
#[derive(PartialEq)]
struct Published {
    uri: Uri,
    version: Option<i32>,
    diagnostics: Vec<Diagnostic>,
    inactive: Option<Value>,
}

/// The progress report of the first scan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// The client has not accepted the progress token yet.
    Unasked,
    /// The client shows the progress.
    Begun,
    /// The scan has ended.
    Over,
}

/// The progress token of the first scan.
pub(super) const TOKEN: &str = "cuda-arch-lint/scan";

impl Worker {
    pub(super) fn new(
        client: Client,
        features: ClientFeatures,
        options: Value,
        roots: Vec<Option<PathBuf>>,
    ) -> Worker {
        Worker {
            client,
            features,
            options,
            configured: Vec::new(),
            roots,
            session: Session::new(),
            project: Vec::new(),
            standalone: BTreeMap::new(),
            open: BTreeMap::new(),
            policies: TriageByDirectory::default(),
            with_comments: FilesWithComments::default(),
            published: BTreeMap::new(),
            reported: Vec::new(),
            current: BTreeMap::new(),
            fixes: BTreeMap::new(),
            requests: Vec::new(),
            selected_pass: None,
            stale: false,
            progress: Progress::Unasked,
            shown: BTreeSet::new(),
        }
    }

    /// Applies changes. Returns whether results are stale now.
    pub(super) fn apply(&mut self, updates: Updates) -> bool {
        let Updates { documents, on_disk, discover, roots, settings, requests, progress, stop: _ } = updates;
        self.requests.extend(requests);
        if progress && self.progress == Progress::Unasked {
            self.progress = Progress::Begun;
            let value = json!({"kind": "begin", "title": "Reading CUDA sources", "percentage": 0});
            self.client.tell("$/progress", json!({"token": TOKEN, "value": value}));
        }
        // Settings that are all empty do not replace those of the `initialize` request.
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
            match document {
                Some(document) => self.edit(document),
                None => {
                    self.session.replace(&path, None);
                    self.open.remove(&path);
                    if self.standalone.remove(&path).is_some() {
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
            // Settings also determine how files outside of the workspace are compiled.
            self.standalone.clear();
            self.discover();
        }
        self.add_standalone_units(Kind::Source);
        true
    }

    /// Whether this is no more than a newer text of an open document: the units stay what they are.
    pub(super) fn is_edit(&self, document: &Document) -> bool {
        self.open.get(&document.path).is_some_and(|known| known.kind == document.kind)
            && self.session.sources.known(&document.path).is_some()
    }

    /// Makes this the newest text of a document.
    pub(super) fn edit(&mut self, document: Document) {
        self.fixes.clear();
        self.session.replace(&document.path, Some(document.text.clone()));
        self.open.insert(document.path.clone(), document);
    }

    /// Finds the units of the workspace folders, each folder with its own build information.
    pub(super) fn discover(&mut self) {
        let mut units: Vec<TranslationUnit> = Vec::new();
        self.policies.0.clear();
        for root in self.roots.clone().into_iter().flatten() {
            for unit in self.units_of(&root, &root) {
                if !units.contains(&unit) {
                    units.push(unit);
                }
            }
        }
        self.standalone.retain(|path, _| !units.iter().any(|unit| unit.main == *path));
        self.project = units;
        self.set_units();
    }

    /// Adds units for open files that no unit reads: for sources at once, for headers when every unit has been
    /// analysed. Returns whether units were added.
    pub(super) fn add_standalone_units(&mut self, kind: Kind) -> bool {
        let standalone: Vec<PathBuf> = self
            .open
            .values()
            .filter(|document| document.kind == kind && !self.standalone.contains_key(&document.path))
            .filter(|document| !self.session.has(&document.path))
            .map(|document| document.path.clone())
            .collect();
        for path in &standalone {
            let around = self.roots.iter().flatten().find(|root| is_under(path, root)).map(PathBuf::as_path);
            let root = around.or(path.parent()).unwrap_or(Path::new("")).to_path_buf();
            let units = self.units_of(path, &root);
            self.standalone.insert(path.clone(), units);
        }
        if !standalone.is_empty() {
            self.set_units();
        }
        !standalone.is_empty()
    }

    fn set_units(&mut self) {
        let units = self.project.iter().chain(self.standalone.values().flatten()).cloned();
        self.session.set_units(units.collect());
    }

    /// The units at or under a path. Relative paths in settings are resolved against `root`. The client's settings
    /// take precedence over those of the configuration file.
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
            // In an editor, a folder without CUDA code is not an error.
            Err(ProjectError::NoSource(_)) => Vec::new(),
            Err(error) => {
                self.show_once(MessageType::WARNING, format!("{error}\n{}", error.help()));
                Vec::new()
            }
        }
    }

    /// The compilation settings of a directory. Its triage settings are stored for [`triaged`].
    fn settings(&mut self, directory: &Path, root: &Path) -> Settings {
        let number = self.roots.iter().position(|known| known.as_deref() == Some(root)).unwrap_or(0);
        let own = self.configured.get(number).filter(|value| value.is_object());
        let (client, problems) = settings::read(own.unwrap_or(&self.options), root);
        for problem in problems {
            self.show_once(MessageType::ERROR, problem);
        }
        let loaded = self.configuration(directory);
        if let Some(policy) = client.policy.clone() {
            let place = loaded.as_ref().map_or(root, |loaded| &loaded.directory).to_path_buf();
            let known = &mut self.policies.0.entry(place).or_default().policy;
            // Rules of the file's are rules whatever the client's settings say about others.
            let catalog = match client.settings.custom.is_empty() {
                true => known.catalog.clone(),
                false => policy.catalog.clone(),
            };
            *known = Policy { catalog, ..policy };
        }
        match loaded {
            Some(loaded) => settings::combined(&client, &loaded),
            None => client.settings,
        }
    }

    /// The configuration file that applies to a directory.
    fn configuration(&mut self, directory: &Path) -> Option<Loaded> {
        let loaded = load(&find(directory)?).and_then(|loaded| {
            let policy = loaded.policy()?;
            // As on the command line, paths in a baseline are relative to the repository's root.
            let root = loaded.directory.ancestors().find(|directory| directory.join(".git").exists());
            let root = root.unwrap_or(&loaded.directory);
            let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
            let baseline = loaded.config.baseline.clone().map(|file| (file, root));
            self.policies.0.insert(loaded.directory.clone(), TriageSettings { policy, baseline });
            Ok(loaded)
        });
        loaded
            .map_err(|error| self.show_once(MessageType::WARNING, format!("{error}\n{}", error.help())))
            .ok()
    }

    fn log(&mut self, project: &Project) {
        for problem in &project.problems {
            let message = format!("{}: {}", problem.path.display(), problem.message);
            if self.shown.insert(message.clone()) {
                self.client.log(MessageType::WARNING, message);
            }
        }
    }

    /// Shows a message to the user, once.
    fn show_once(&mut self, kind: MessageType, message: String) {
        if self.shown.insert(message.clone()) {
            self.client.show(kind, &message);
        }
    }

    /// Publishes what has changed, including that a file has no diagnostics any more.
    pub(super) fn publish(&mut self, what: PublishedScope) {
        let analysis = self.session.analysis();
        let triaged = triaged(analysis, &self.policies, &mut self.with_comments, &self.session.sources);
        let mut found = diagnostics(&triaged, &self.session.sources, self.features);
        self.reported = triaged.findings;
        for path in self.open.keys().chain(self.published.keys()) {
            found.entry(path.clone()).or_default();
        }
        self.current = found;
        let mut changed = false;
        for (path, diagnostics) in &self.current {
            let document = self.open.get(path);
            if what == PublishedScope::Open && document.is_none() {
                continue;
            }
            let uri = document.map(|document| document.uri.clone()).or_else(|| uri::from_path(path));
            let Some(uri) = uri else { continue };
            let version = document.map(|document| document.version);
            let inactive =
                document.filter(|_| self.features.inactive_regions).map(|_| self.inactive_ranges(path));
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
            if !self.features.pulls {
                self.client.publish(now.uri.clone(), now.diagnostics.clone(), now.version);
            }
            if now.diagnostics.is_empty() && document.is_none() {
                self.published.remove(path);
            } else {
                self.published.insert(path.clone(), now);
            }
        }
        if changed && self.features.pulls {
            self.client.request(Purpose::Command, "workspace/diagnostic/refresh", Value::Null);
        }
        // A document's hints and tokens depend on the headers that it includes.
        if what == PublishedScope::All && changed {
            self.refresh();
        }
    }

    /// Asks the client to refresh everything that depends on the selected pass or on the passes.
    pub(super) fn refresh(&self) {
        let all = [
            (self.features.refreshes_hints, "workspace/inlayHint/refresh"),
            (self.features.refreshes_tokens, "workspace/semanticTokens/refresh"),
            (self.features.refreshes_lenses, "workspace/codeLens/refresh"),
        ];
        for (_, method) in all.iter().filter(|(can, _)| *can) {
            self.client.request(Purpose::Command, method, Value::Null);
        }
    }

    /// Selects another pass.
    pub(super) fn select_pass(&mut self, pass: Option<String>) {
        self.selected_pass = pass;
        self.refresh();
        if !self.features.inactive_regions {
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

    /// The inactive ranges of an open document.
    fn inactive_ranges(&self, path: &Path) -> Value {
        let known = self.session.sources.known(path).zip(self.session.regions(path));
        let Some((file, found)) = known else { return json!([]) };
        let lines = super::position::Lines::new(&file.text, self.features.encoding);
        let inactive = regions::inactive(&found, &file, self.selected_pass.as_deref());
        regions::ranges(&inactive, &file, &lines)
    }

    pub(super) fn show_progress(&mut self, settled: bool) {
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
}

/// Whether a path is below another, however they are spelled.
fn is_under(path: &Path, root: &Path) -> bool {
    match (std::path::absolute(path), std::path::absolute(root)) {
        (Ok(path), Ok(root)) => path.starts_with(root),
        _ => path.starts_with(root),
    }
}

/// How much of the newest results has been published.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PublishedScope {
    /// Nothing yet.
    Nothing,
    /// The results for open documents.
    Open,
    /// All results.
    All,
}
