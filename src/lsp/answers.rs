//! Answers the client's requests about documents.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{ErrorCode, Response, ResponseError};
use lsp_types::{Diagnostic, Position, Range, Uri};
use serde_json::{Value, from_value, json};
use sha2::{Digest, Sha256};

use crate::analysis::UnitView;
use crate::catalog::Catalog;
use crate::finding::{Fix, Region, Reported};
use crate::fix::{Trial, allow};
use crate::preprocess::{LineMarkers, preprocess_like_nvcc, print};
use crate::source::{Loc, SourceFile, Span};
use crate::triage::Baseline;

use super::actions::{self, EditContext};
use super::capabilities::{ADD_TO_BASELINE, CHOOSE_PASS, EXPAND, EXPLAIN, PASSES, SCHEME};
use super::client::Purpose;
use super::hover::{HoverPlace, explained, hover, token_at};
use super::mailbox::{ClientRequest, Mailbox};
use super::position::Lines;
use super::worker::Worker;
use super::{regions, symbols, triaged, uri};

/// The methods of the requests that the worker answers.
pub(super) const METHODS: [&str; 11] = [
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/codeLens",
    "textDocument/documentSymbol",
    "textDocument/definition",
    "textDocument/codeAction",
    "textDocument/diagnostic",
    "workspace/diagnostic",
    "workspace/executeCommand",
    "workspace/textDocumentContent",
];

/// Those of them that are answered from one unit that reads the document, while it or others are analysed.
const LOOKED_UP: [&str; 4] = [
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/documentSymbol",
];

/// Whether a request is answered from one unit.
pub(super) fn is_looked_up(request: &ClientRequest) -> bool {
    LOOKED_UP.contains(&request.method.as_str())
}

/// A file that more units than this read gets no quick fixes: trying them would take too long in an editor. `--fix`
/// has no such limit.
const MOST_UNITS: usize = 32;

/// The result of a request, or the error to answer with.
type Answer = Result<Value, Refusal>;

/// The error that a request is answered with.
#[derive(Debug)]
struct Refusal {
    code: ErrorCode,
    message: String,
}

fn refusal(code: ErrorCode, message: impl Into<String>) -> Refusal {
    Refusal { code, message: message.into() }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Refusal {
        refusal(ErrorCode::InvalidParams, error.to_string())
    }
}

/// The current state of a document that a request is about.
struct DocumentState {
    path: PathBuf,
    file: Arc<SourceFile>,
    regions: Vec<Region>,
}

impl Worker {
    /// Answers a request on the basis of the newest texts.
    pub(super) fn response(&mut self, request: &ClientRequest, mailbox: &Mailbox) -> Response {
        let answer = self.checked(request, mailbox).and_then(|()| self.answer(request, mailbox));
        self.in_protocol(request, answer)
    }

    /// Whether a request is about no more than what one unit says of the newest text of its document, and such a unit is there:
    /// there may be hundreds of others.
    pub(super) fn can_look_up(&self, request: &ClientRequest) -> bool {
        is_looked_up(request) && request.about.as_ref().is_some_and(|(path, _)| self.session.knows(path))
    }

    /// Answers such a request.
    pub(super) fn looked_up(&self, request: &ClientRequest, mailbox: &Mailbox) -> Response {
        let answer = self.checked(request, mailbox).and_then(|()| self.look_up(request));
        self.in_protocol(request, answer)
    }

    fn checked(&self, request: &ClientRequest, mailbox: &Mailbox) -> Result<(), Refusal> {
        if mailbox.is_cancelled(&request.id) {
            return Err(refusal(ErrorCode::RequestCanceled, "cancelled"));
        }
        match self.outdated(request) {
            true => Err(refusal(ErrorCode::ContentModified, "the document has changed since")),
            false => Ok(()),
        }
    }

    fn in_protocol(&self, request: &ClientRequest, answer: Answer) -> Response {
        match answer {
            Ok(value) => Response::new_ok(request.id.clone(), value),
            Err(Refusal { code, message }) => {
                // A client that pulls diagnostics is told to repeat the request.
                let data = (code as i32 == ErrorCode::ContentModified as i32
                    && request.method.ends_with("iagnostic"))
                .then(|| json!({"retriggerRequest": true}));
                let code = if data.is_some() { ErrorCode::ServerCancelled } else { code };
                let error = ResponseError { code: code as i32, message, data };
                Response { id: request.id.clone(), response_result: Err(error) }
            }
        }
    }

    /// Whether the client has edited the document since it sent the request.
    fn outdated(&self, request: &ClientRequest) -> bool {
        let Some((path, version)) = &request.about else { return false };
        self.open.get(path).is_none_or(|document| document.version != *version)
    }

    fn answer(&mut self, request: &ClientRequest, mailbox: &Mailbox) -> Answer {
        let params = &request.params;
        match request.method.as_str() {
            method if LOOKED_UP.contains(&method) => self.look_up(request),
            "textDocument/codeLens" => self.lenses(params),
            "textDocument/definition" => self.definition(params),
            "textDocument/codeAction" => self.actions(request, mailbox),
            "textDocument/diagnostic" => self.document_diagnostics(params),
            "workspace/diagnostic" => self.workspace_diagnostics(params),
            "workspace/executeCommand" => self.execute(params),
            "workspace/textDocumentContent" => self.content(params),
            method => Err(refusal(ErrorCode::MethodNotFound, format!("unknown method `{method}`"))),
        }
    }

    /// Answers a request of [`LOOKED_UP`].
    fn look_up(&self, request: &ClientRequest) -> Answer {
        let params = &request.params;
        match request.method.as_str() {
            "textDocument/inlayHint" => self.hints(params),
            "textDocument/semanticTokens/full" => self.tokens(params),
            "textDocument/documentSymbol" => self.symbols(params),
            _ => self.hover(params),
        }
    }

    /// The document of a request; `None` if no unit reads it.
    fn document(&self, params: &Value) -> Result<Option<DocumentState>, Refusal> {
        let uri: Uri = from_value(params["textDocument"]["uri"].clone())?;
        let Some(path) = uri::to_path(&uri).map(|path| crate::project::tidy(&path)) else { return Ok(None) };
        let known = self.session.sources.known(&path).zip(self.session.regions(&path));
        Ok(known.map(|(file, regions)| DocumentState { path, file, regions }))
    }

    fn lines<'t>(&self, text: &'t str) -> Lines<'t> {
        Lines::new(text, self.features.encoding)
    }

    /// Calls `answer` with the place that a request is about.
    fn at<T>(
        &self,
        params: &Value,
        answer: impl FnOnce(&Worker, &HoverPlace<'_>, &Path) -> T,
    ) -> Result<Option<T>, Refusal> {
        let position: Position = from_value(params["position"].clone())?;
        let Some(document) = self.document(params)? else { return Ok(None) };
        let Some(look): Option<Arc<UnitView>> = self.session.view(&document.path) else { return Ok(None) };
        let lines = self.lines(&document.file.text);
        let offset = lines.offset(position);
        let sources = &self.session.sources;
        let place = HoverPlace { look: &look, sources, file: &document.file, lines: &lines, offset };
        Ok(Some(answer(self, &place, &document.path)))
    }

    fn hover(&self, params: &Value) -> Answer {
        Ok(self.at(params, |_, place, _| hover(place))?.unwrap_or(Value::Null))
    }

    /// The definition to go to from a place: that of a macro, the origin of a condition, the deciding conditional
    /// of a finding, or else the innermost conditional around the place that only some passes enter.
    fn definition(&self, params: &Value) -> Answer {
        let found = self.at(params, |worker, place, path| {
            let at = Loc { file: place.file.id, offset: place.offset as u32 };
            let places = worker.deciding(place, path, at);
            let locations = places.into_iter().filter_map(|at| worker.location(at));
            locations.collect::<Vec<Value>>()
        })?;
        Ok(found.unwrap_or_default().into())
    }

    fn deciding(&self, place: &HoverPlace<'_>, path: &Path, at: Loc) -> Vec<Span> {
        if let Some(token) = token_at(&place.file.text, place.offset) {
            let meanings = place.look.meanings(token.text.as_str(), Loc { offset: token.offset, ..at });
            let places: Vec<Span> = meanings.into_iter().filter_map(|meaning| meaning.at).collect();
            let elsewhere = |span: &Span| span.file != at.file || span.start != token.offset;
            if places.iter().any(elsewhere) {
                return places;
            }
        }
        let line = place.file.line_start(place.file.line_index(at.offset));
        let hash = line + place.file.text[line..].len()
            - place.file.text[line..].trim_start_matches([' ', '\t']).len();
        if let Some((_, _, _, steps)) = place.look.conditional(Loc { offset: hash as u32, ..at }) {
            return steps.iter().skip(1).filter_map(|step| step.at).collect();
        }
        let position = place.lines.position(place.offset);
        let here = Range { start: position, end: position };
        let of_finding =
            self.findings_at(path, here).into_iter().find_map(|(one, _)| one.finding.deciding.clone());
        match of_finding {
            Some(deciding) => vec![deciding.at],
            None => place.look.deciding(at).into_iter().collect(),
        }
    }

    /// A place in the protocol's form; `None` in a built-in header.
    fn location(&self, at: Span) -> Option<Value> {
        let file = self.session.sources.file(at.file);
        if file.built_in() {
            return None;
        }
        let path = crate::project::tidy(&file.path);
        let open = self.open.get(&path).map(|document| document.uri.clone());
        let uri = open.or_else(|| uri::from_path(&path))?;
        Some(json!({"uri": uri, "range": self.lines(&file.text).range(at.start, at.end)}))
    }

    fn hints(&self, params: &Value) -> Answer {
        let range: Range = from_value(params["range"].clone())?;
        let Some(document) = self.document(params)? else { return Ok(json!([])) };
        Ok(regions::hints(&document.regions, &document.file, &self.lines(&document.file.text), range))
    }

    fn tokens(&self, params: &Value) -> Answer {
        let Some(document) = self.document(params)? else { return Ok(json!({"data": []})) };
        let inactive = regions::inactive(&document.regions, &document.file, self.selected_pass.as_deref());
        Ok(regions::tokens(&inactive, &document.file, &self.lines(&document.file.text)))
    }

    fn lenses(&self, params: &Value) -> Answer {
        let Some(document) = self.document(params)? else { return Ok(json!([])) };
        let units = self.session.units_reading(std::slice::from_ref(&document.path));
        let Some(unit) = units.first() else { return Ok(json!([])) };
        let all = unit.passes.all();
        let described = (all, unit.passes.describe(all));
        Ok(symbols::lenses(&document.regions, described, &document.file, &self.lines(&document.file.text)))
    }

    fn symbols(&self, params: &Value) -> Answer {
        let Some(document) = self.document(params)? else { return Ok(json!([])) };
        Ok(symbols::outline(&document.regions, &document.file, &self.lines(&document.file.text)))
    }

    /// The findings in a range of a file, with their diagnostics.
    fn findings_at(&self, path: &Path, range: Range) -> Vec<(&Reported, &Diagnostic)> {
        let here = self.current.get(path).into_iter().flatten();
        let here = here.filter(|diagnostic| actions::overlap_or_touch(diagnostic.range, range));
        let reported = |diagnostic: &Diagnostic| {
            let fingerprint = diagnostic.data.as_ref()?["fingerprint"].as_str()?;
            self.reported.iter().find(|one| one.fingerprint == fingerprint)
        };
        here.filter_map(|diagnostic| Some((reported(diagnostic)?, diagnostic))).collect()
    }

    fn actions(&mut self, request: &ClientRequest, mailbox: &Mailbox) -> Answer {
        let params = &request.params;
        let range: Range = from_value(params["range"].clone())?;
        let Some(document) = self.document(params)? else { return Ok(json!([])) };
        let wanted = params["context"]["only"].as_array();
        let quickfix = |kind: &Value| kind.as_str().is_some_and(|kind| kind.is_empty() || kind == "quickfix");
        if wanted.is_some_and(|kinds| !kinds.iter().any(quickfix)) {
            return Ok(json!([]));
        }
        let found: Vec<(Reported, Diagnostic)> = self
            .findings_at(&document.path, range)
            .into_iter()
            .map(|(one, diagnostic)| (one.clone(), diagnostic.clone()))
            .collect();
        let mut answer = Vec::new();
        for (one, diagnostic) in found {
            let fixes = self.fixes_of(&one, &|| !mailbox.has_changes() && !mailbox.is_cancelled(&request.id));
            if mailbox.is_cancelled(&request.id) {
                return Err(refusal(ErrorCode::RequestCanceled, "cancelled"));
            }
            if mailbox.has_changes() {
                return Err(refusal(ErrorCode::ContentModified, "a document has changed since"));
            }
            let sources = &self.session.sources;
            let editing = EditContext { sources, open: &self.open, features: self.features };
            for (number, fix) in fixes.iter().enumerate() {
                answer.push(editing.fix(fix, &diagnostic, number));
            }
            if let Some(edit) = allow(&one.finding, "say why", sources) {
                answer.push(editing.edit("Allow it here, and say why", &[edit], &diagnostic));
            }
            if let Some((file, _)) = self.policies.of(&document.path).and_then(|one| one.baseline.as_ref()) {
                answer.push(actions::add_to_baseline(&one.fingerprint, file, &diagnostic));
            }
            if self.features.shows_documents {
                answer.push(actions::explain(one.finding.rule, &diagnostic));
            }
        }
        Ok(answer.into())
    }

    /// The quick fixes of a finding. They are tried on copies of the texts.
    fn fixes_of(&mut self, one: &Reported, go_on: &dyn Fn() -> bool) -> Vec<Fix> {
        if let Some(known) = self.fixes.get(&one.fingerprint) {
            return known.clone();
        }
        let sources = &self.session.sources;
        let files = one.finding.places().map(|at| sources.file(at.file));
        let paths: Vec<PathBuf> =
            files.filter(|file| !file.built_in()).map(|file| file.path.clone()).collect();
        let texts = self.open.iter().map(|(path, document)| (path.clone(), document.text.clone())).collect();
        let units = self.session.units_reading(&paths);
        if units.len() > MOST_UNITS {
            return Vec::new();
        }
        let mut trial = Trial::new(units, texts);
        let same = trial.like(&one.finding, &self.session.sources);
        let fixes = same.map(|finding| trial.fixes(&finding, go_on)).unwrap_or_default();
        if go_on() {
            self.fixes.insert(one.fingerprint.clone(), fixes.clone());
        }
        fixes
    }

    fn document_diagnostics(&mut self, params: &Value) -> Answer {
        let uri: Uri = from_value(params["textDocument"]["uri"].clone())?;
        let path = uri::to_path(&uri).map(|path| crate::project::tidy(&path));
        let items = path.and_then(|path| self.current.get(&path)).cloned().unwrap_or_default();
        Ok(report(&items, params["previousResultId"].as_str()))
    }

    fn workspace_diagnostics(&mut self, params: &Value) -> Answer {
        let known: BTreeMap<&str, &str> = params["previousResultIds"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| Some((one["uri"].as_str()?, one["value"].as_str()?)))
            .collect();
        let mut items = Vec::new();
        for (path, diagnostics) in &self.current {
            let document = self.open.get(path);
            let uri = document.map(|document| document.uri.clone()).or_else(|| uri::from_path(path));
            let Some(uri) = uri else { continue };
            let mut item = report(diagnostics, known.get(uri.as_str()).copied());
            item["version"] = document.map(|document| document.version).into();
            item["uri"] = uri.as_str().into();
            items.push(item);
        }
        // Files that had diagnostics before and have none now, or no longer exist, are reported as empty.
        for uri in known.keys() {
            if !items.iter().any(|item| item["uri"] == **uri) {
                let mut item = report(&[], None);
                item["version"] = Value::Null;
                item["uri"] = (*uri).into();
                items.push(item);
            }
        }
        Ok(json!({"items": items}))
    }

    fn execute(&mut self, params: &Value) -> Answer {
        let argument = |index: usize| params["arguments"][index].as_str();
        let missing = |what: &str| refusal(ErrorCode::InvalidParams, format!("the command needs {what}"));
        match params["command"].as_str().unwrap_or_default() {
            CHOOSE_PASS => {
                let names = regions::names(&self.session.passes());
                let chosen = argument(0).map(String::from);
                if let Some(name) = chosen.as_ref().filter(|name| !names.contains(name)) {
                    let text = format!("no pass `{name}`; the passes are {}", names.join(", "));
                    return Err(refusal(ErrorCode::InvalidParams, text));
                }
                self.select_pass(chosen);
                Ok(json!({"passes": names, "chosen": self.selected_pass}))
            }
            PASSES => {
                Ok(json!({"passes": regions::names(&self.session.passes()), "chosen": self.selected_pass}))
            }
            EXPLAIN => {
                let rule = argument(0).ok_or_else(|| missing("a rule"))?;
                let text = self.explained(rule).ok_or_else(|| missing("a known rule"))?;
                let uri = format!("{SCHEME}:/explain/{rule}.md");
                self.show_document(&uri);
                Ok(json!({"uri": uri, "text": text}))
            }
            EXPAND => {
                let (uri, pass) = (argument(0).ok_or_else(|| missing("a URI"))?, argument(1));
                let pass = pass.or(self.selected_pass.as_deref()).unwrap_or("host");
                let path =
                    uri.parse().ok().and_then(|uri| uri::to_path(&uri)).ok_or_else(|| missing("a file"))?;
                let text = self.expanded(&crate::project::tidy(&path), pass)?;
                let uri = format!("{SCHEME}:/expand/{pass}{}", uri::encoded_path(&path));
                self.show_document(&uri);
                Ok(json!({"uri": uri, "text": text}))
            }
            ADD_TO_BASELINE => self.add_to_baseline(argument(0).ok_or_else(|| missing("a fingerprint"))?),
            command => Err(refusal(ErrorCode::InvalidParams, format!("unknown command `{command}`"))),
        }
    }

    /// A rule's card, whichever folder has the rule.
    fn explained(&self, rule: &str) -> Option<String> {
        let known = self.policies.0.values().find_map(|one| one.policy.catalog.card(rule).map(explained));
        known.or_else(|| Catalog::default().card(rule).map(explained))
    }

    /// Opens one of the server's virtual documents, if the client can.
    fn show_document(&self, uri: &str) {
        if self.features.shows_documents {
            self.client.request(
                Purpose::Command,
                "window/showDocument",
                json!({"uri": uri, "takeFocus": true}),
            );
        }
    }

    /// The text of a virtual document.
    fn content(&mut self, params: &Value) -> Answer {
        let uri = params["uri"].as_str().unwrap_or_default();
        let unknown = || refusal(ErrorCode::InvalidParams, format!("no such document: `{uri}`"));
        let path = uri.strip_prefix(SCHEME).and_then(|rest| rest.strip_prefix(':')).ok_or_else(unknown)?;
        let path = path.trim_start_matches('/');
        if let Some(rule) = path.strip_prefix("explain/") {
            let text = self.explained(rule.trim_end_matches(".md")).ok_or_else(unknown)?;
            return Ok(json!({"text": text}));
        }
        let rest = path.strip_prefix("expand/").ok_or_else(unknown)?;
        let (pass, file) = rest.split_once('/').ok_or_else(unknown)?;
        let file: Uri = format!("file:///{file}").parse().map_err(|_| unknown())?;
        let file = uri::to_path(&file).ok_or_else(unknown)?;
        Ok(json!({"text": self.expanded(&crate::project::tidy(&file), pass)?}))
    }

    /// A file's unit after preprocessing in one pass.
    fn expanded(&self, path: &Path, pass: &str) -> Result<String, Refusal> {
        let units = self.session.units_reading(&[path.to_path_buf()]);
        let with = units.iter().find_map(|unit| Some((unit, regions::number(&unit.passes, pass)?)));
        let Some((unit, number)) = with else {
            let text = format!("no unit reads `{}` in a pass `{pass}`", path.display());
            return Err(refusal(ErrorCode::InvalidParams, text));
        };
        let preprocessed = preprocess_like_nvcc(unit, &self.session.sources, &Arc::default());
        Ok(print(&preprocessed, number, LineMarkers::Written, &self.session.sources))
    }

    fn add_to_baseline(&mut self, fingerprint: &str) -> Answer {
        let one = self.reported.iter().find(|one| one.fingerprint == fingerprint).cloned();
        let one = one.ok_or_else(|| refusal(ErrorCode::InvalidParams, "the finding no longer exists"))?;
        let path = self.session.sources.file(one.finding.primary.at.file).path.clone();
        let baseline = self.policies.of(&path).and_then(|one| one.baseline.clone());
        let (file, root) =
            baseline.ok_or_else(|| refusal(ErrorCode::InvalidRequest, "no baseline is configured"))?;
        let new = Baseline::of(&[one], &self.session.sources, &root);
        let mut all = match triaged::read(&file) {
            Some(known) => known,
            // An existing file that is not a baseline must not be overwritten.
            None if file.exists() => {
                let text = format!("`{}` is not a baseline", file.display());
                return Err(refusal(ErrorCode::InvalidRequest, text));
            }
            None => Baseline::of(&[], &self.session.sources, &root),
        };
        all.findings.extend(new.findings);
        all.findings.sort();
        std::fs::write(&file, all.text())
            .map_err(|error| refusal(ErrorCode::RequestFailed, format!("`{}`: {error}", file.display())))?;
        self.stale = true;
        Ok(Value::Null)
    }
}

/// A document's diagnostics, or "unchanged" if the client has the same result already.
fn report(items: &[Diagnostic], known: Option<&str>) -> Value {
    let text = serde_json::to_string(items).unwrap_or_default();
    let id: String = Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    match known == Some(id.as_str()) {
        true => json!({"kind": "unchanged", "resultId": id}),
        false => json!({"kind": "full", "resultId": id, "items": items}),
    }
}
