//! The capabilities that client and server tell each other at initialization.

use lsp_types::InitializeParams;
use serde_json::{Value, json};

use super::position::Encoding;

/// The source name in diagnostics and messages.
pub(super) const NAME: &str = env!("CARGO_PKG_NAME");

/// The commands for `workspace/executeCommand`.
pub(super) const COMMANDS: [&str; 5] = [CHOOSE_PASS, PASSES, EXPLAIN, EXPAND, ADD_TO_BASELINE];

/// Selects the pass whose inactive code is dimmed: `[name]`, or `[null]` for none.
pub(super) const CHOOSE_PASS: &str = "cuda-arch-lint.choosePass";
/// Returns the passes and the selected one.
pub(super) const PASSES: &str = "cuda-arch-lint.passes";
/// Returns a rule's card: `[rule]`.
pub(super) const EXPLAIN: &str = "cuda-arch-lint.explain";
/// Shows a file as it is after preprocessing in a pass: `[uri, pass]`.
pub(super) const EXPAND: &str = "cuda-arch-lint.expand";
/// Adds a finding to the baseline: `[fingerprint]`.
pub(super) const ADD_TO_BASELINE: &str = "cuda-arch-lint.addToBaseline";

/// The URI scheme of virtual documents: `cuda-arch-lint:/expand/sm_90/home/a/b.cu`,
/// `cuda-arch-lint:/explain/arch-dependent-signature.md`.
pub(super) const SCHEME: &str = "cuda-arch-lint";

/// The client's capabilities that matter to the server.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClientFeatures {
    /// How columns are counted.
    pub(super) encoding: Encoding,
    /// Diagnostics may have related locations.
    pub(super) related: bool,
    /// Diagnostics may have a link to their rule's documentation.
    pub(super) described: bool,
    /// It pulls diagnostics and repeats the request when asked to refresh, so that none are pushed. A client
    /// without that refresh (Neovim 0.11) would miss results of the first scan and of other files; diagnostics are
    /// pushed to it.
    pub(super) pulls: bool,
    /// It requests inlay hints again when asked to refresh.
    pub(super) refreshes_hints: bool,
    /// It requests semantic tokens again when asked to refresh.
    pub(super) refreshes_tokens: bool,
    /// It requests code lenses again when asked to refresh.
    pub(super) refreshes_lenses: bool,
    /// It dims the ranges in clangd's notification of inactive regions.
    pub(super) inactive_regions: bool,
    /// It shows progress that the server reports.
    pub(super) progress: bool,
    /// It answers `workspace/configuration`.
    pub(super) configuration: bool,
    /// It watches files that the server registers.
    pub(super) watches: bool,
    /// Edits may state the version of the document they apply to.
    pub(super) versioned_edits: bool,
    /// It opens documents at the server's request.
    pub(super) shows_documents: bool,
}

impl ClientFeatures {
    /// Reads the client's capabilities.
    pub(super) fn of(params: &InitializeParams, capabilities: &Value) -> ClientFeatures {
        let can = |path: &str| capabilities.pointer(path).and_then(Value::as_bool).unwrap_or(false);
        let general = params.capabilities.general.as_ref();
        ClientFeatures {
            encoding: Encoding::agreed(general.and_then(|general| general.position_encodings.as_deref())),
            related: can("/textDocument/publishDiagnostics/relatedInformation"),
            described: can("/textDocument/publishDiagnostics/codeDescriptionSupport"),
            pulls: capabilities.pointer("/textDocument/diagnostic").is_some_and(Value::is_object)
                && (can("/workspace/diagnostics/refreshSupport")
                    || can("/workspace/diagnostic/refreshSupport")),
            refreshes_hints: can("/workspace/inlayHint/refreshSupport"),
            refreshes_tokens: can("/workspace/semanticTokens/refreshSupport"),
            refreshes_lenses: can("/workspace/codeLens/refreshSupport"),
            inactive_regions: can("/textDocument/inactiveRegionsCapabilities/inactiveRegions"),
            progress: can("/window/workDoneProgress"),
            configuration: can("/workspace/configuration"),
            watches: can("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            versioned_edits: can("/workspace/workspaceEdit/documentChanges"),
            shows_documents: can("/window/showDocument/support"),
        }
    }
}

/// The server's capabilities. `lsp-types` lacks clangd's notification and the virtual documents of LSP 3.18.
pub(super) fn offered(features: ClientFeatures) -> Value {
    let mut capabilities = json!({
        "positionEncoding": features.encoding.kind(),
        "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
        "hoverProvider": true,
        "inlayHintProvider": true,
        "codeLensProvider": {"resolveProvider": false},
        "documentSymbolProvider": true,
        "definitionProvider": true,
        "codeActionProvider": {"codeActionKinds": ["quickfix"]},
        "semanticTokensProvider": {
            "legend": {"tokenTypes": ["comment"], "tokenModifiers": ["inactive"]},
            "full": true,
        },
        "inactiveRegionsProvider": true,
        "executeCommandProvider": {"commands": COMMANDS},
        "workspace": {
            "workspaceFolders": {"supported": true, "changeNotifications": true},
            "textDocumentContent": {"schemes": [SCHEME]},
        },
    });
    if features.pulls {
        capabilities["diagnosticProvider"] = json!({
            "identifier": NAME, "interFileDependencies": true, "workspaceDiagnostics": true,
        });
    }
    json!({
        "capabilities": capabilities,
        "serverInfo": {"name": NAME, "version": env!("CARGO_PKG_VERSION")},
    })
}
