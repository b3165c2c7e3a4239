//! The analysis on a thread of its own.
//!
//! In: what the main loop puts into the [`Mailbox`], where the newest text of a document takes the
//! place of one not yet looked at. Out: published diagnostics. The worker looks into the mailbox
//! between any two steps of the analysis, so it never works on a stale text for long.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex};

use lsp_types::{Diagnostic, MessageType, Uri};
use rustc_hash::FxHashSet;

use crate::analysis::Session;
use crate::config::{Loaded, find, load};
use crate::project::{Project, ProjectError, Settings, TranslationUnit, discover};

use super::client::Client;
use super::diagnostics::{Dialect, diagnostics};
use super::documents::{Document, Kind};
use super::triaged::{Policies, triaged};
use super::{settings, uri};

/// What has happened since the worker last looked.
#[derive(Debug, Default)]
struct News {
    /// The newest state of documents; `None` for closed ones.
    documents: BTreeMap<PathBuf, Option<Document>>,
    /// Something was saved: there may be other files, or other build information.
    saved: bool,
    /// The server shuts down.
    stop: bool,
}

impl News {
    fn is_empty(&self) -> bool {
        self.documents.is_empty() && !self.saved && !self.stop
    }
}

/// Where the main loop leaves news for the worker.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    news: Mutex<News>,
    arrived: Condvar,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl Mailbox {
    /// A document was opened or edited.
    pub(super) fn edited(&self, document: &Document) {
        self.post(|news| news.documents.insert(document.path.clone(), Some(document.clone())));
    }

    /// A document was closed.
    pub(super) fn closed(&self, path: &Path) {
        self.post(|news| news.documents.insert(path.to_path_buf(), None));
    }

    /// A document was saved.
    pub(super) fn saved(&self) {
        self.post(|news| news.saved = true);
    }

    /// The server shuts down.
    pub(super) fn stop(&self) {
        self.post(|news| news.stop = true);
    }

    fn post<T>(&self, change: impl FnOnce(&mut News) -> T) {
        change(&mut self.news.lock().expect(NO_PANIC));
        self.arrived.notify_one();
    }

    fn is_empty(&self) -> bool {
        self.news.lock().expect(NO_PANIC).is_empty()
    }

    /// The news there are.
    fn take(&self) -> News {
        std::mem::take(&mut *self.news.lock().expect(NO_PANIC))
    }

    /// The news there are, or the next to come.
    fn wait(&self) -> News {
        let news = self.news.lock().expect(NO_PANIC);
        let mut news = self.arrived.wait_while(news, |news| news.is_empty()).expect(NO_PANIC);
        std::mem::take(&mut *news)
    }
}

/// The analysis and what the client was told of it.
pub(super) struct Worker {
    client: Client,
    dialect: Dialect,
    settings: Settings,
    /// The workspace folders.
    roots: Vec<PathBuf>,
    session: Session,
    /// Their units.
    project: Vec<TranslationUnit>,
    /// Open files that belong to none of those, each with the units it is itself.
    strays: BTreeMap<PathBuf, Vec<TranslationUnit>>,
    open: BTreeMap<PathBuf, Document>,
    policies: Policies,
    published: BTreeMap<PathBuf, Published>,
    /// Complaints the user has seen.
    shown: BTreeSet<String>,
}

/// What the client knows of a file.
#[derive(PartialEq)]
struct Published {
    uri: Uri,
    version: Option<i32>,
    diagnostics: Vec<Diagnostic>,
}

impl Worker {
    pub(super) fn new(client: Client, dialect: Dialect, settings: Settings, roots: Vec<PathBuf>) -> Worker {
        Worker {
            client,
            dialect,
            settings,
            roots,
            session: Session::new(),
            project: Vec::new(),
            strays: BTreeMap::new(),
            open: BTreeMap::new(),
            policies: Policies::default(),
            published: BTreeMap::new(),
            shown: BTreeSet::new(),
        }
    }

    /// Works until the mailbox says stop.
    pub(super) fn run(mut self, mailbox: &Mailbox) {
        self.discover();
        let mut news = mailbox.take();
        let mut told = Told::Nothing;
        while !news.stop {
            if !news.is_empty() {
                told = Told::Nothing;
                self.apply(news);
            }
            let open: FxHashSet<PathBuf> = self.open.keys().cloned().collect();
            self.session.step(&open);
            let settled = self.session.settled() && !self.adopt(Kind::Header);
            // With news in the mailbox, what would be published is stale already.
            let due = match told {
                _ if !mailbox.is_empty() => None,
                Told::Nothing | Told::Open if settled => Some(Told::All),
                Told::Nothing if self.session.answers(&open) => Some(Told::Open),
                _ => None,
            };
            if let Some(due) = due {
                self.publish(due);
                told = due;
            }
            news = if settled { mailbox.wait() } else { mailbox.take() };
        }
    }

    fn apply(&mut self, news: News) {
        for (path, document) in news.documents {
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
        if news.saved {
            self.discover();
        }
        self.adopt(Kind::Source);
    }

    /// Finds the units of the workspace folders, each with its own build information.
    fn discover(&mut self) {
        let mut units: Vec<TranslationUnit> = Vec::new();
        self.policies.0.clear();
        for root in self.roots.clone() {
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
            let around = self.roots.iter().find(|root| is_under(path, root)).map(PathBuf::as_path);
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
        let mut settings = settings::below(&self.settings, root);
        let directory = if path.is_dir() { path } else { path.parent().unwrap_or(root) };
        if let Some(loaded) = self.configuration(directory) {
            settings = settings::over(settings, loaded.settings());
        }
        match discover(&[path.to_path_buf()], &settings, &self.session.sources) {
            Ok(project) => {
                self.log(&project);
                project.all_units()
            }
            // A folder without CUDA code is nothing to complain about in an editor.
            Err(ProjectError::NoSource(_)) => Vec::new(),
            Err(error) => {
                self.complain(MessageType::WARNING, format!("{error}\n{}", error.help()));
                Vec::new()
            }
        }
    }

    /// The configuration file that counts in a directory. What it says of findings is kept for [`triaged`].
    fn configuration(&mut self, directory: &Path) -> Option<Loaded> {
        let loaded = load(&find(directory)?).and_then(|loaded| {
            let policy = loaded.policy()?;
            self.policies.0.insert(loaded.directory.clone(), policy);
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

    /// Publishes what has changed, also that a file has no diagnostics any more.
    fn publish(&mut self, what: Told) {
        let analysis = triaged(self.session.analysis(), &self.policies, &self.session.sources);
        let mut found = diagnostics(&analysis, &self.session.sources, self.dialect);
        for path in self.open.keys().chain(self.published.keys()) {
            found.entry(path.clone()).or_default();
        }
        for (path, diagnostics) in found {
            let document = self.open.get(&path);
            if what == Told::Open && document.is_none() {
                continue;
            }
            let uri = document.map(|document| document.uri.clone()).or_else(|| uri::from_path(&path));
            let Some(uri) = uri else { continue };
            let now = Published { uri, version: document.map(|document| document.version), diagnostics };
            if self.published.get(&path) == Some(&now) {
                continue;
            }
            self.client.publish(now.uri.clone(), now.diagnostics.clone(), now.version);
            if now.diagnostics.is_empty() && document.is_none() {
                self.published.remove(&path);
            } else {
                self.published.insert(path, now);
            }
        }
    }
}

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
