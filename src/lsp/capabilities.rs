//! What client and server can do, as they tell each other at the start.

use lsp_types::InitializeParams;
use serde_json::{Value, json};

use super::NAME;
use super::position::Encoding;

/// The commands of `workspace/executeCommand`.
pub(super) const COMMANDS: [&str; 5] = [CHOOSE_PASS, PASSES, EXPLAIN, EXPAND, ADD_TO_BASELINE];

/// Looks through a pass: `[name]`, or `[null]` for none.
pub(super) const CHOOSE_PASS: &str = "cuda-arch-lint.choosePass";
/// The passes there are, and the one looked through.
pub(super) const PASSES: &str = "cuda-arch-lint.passes";
/// A rule's card: `[rule]`.
pub(super) const EXPLAIN: &str = "cuda-arch-lint.explain";
/// A file as a pass reads it: `[uri, pass]`.
pub(super) const EXPAND: &str = "cuda-arch-lint.expand";
/// Adds a finding to the baseline: `[fingerprint]`.
pub(super) const ADD_TO_BASELINE: &str = "cuda-arch-lint.addToBaseline";

/// The scheme of documents that are in no file: `cuda-arch-lint:/expand/sm_90/home/a/b.cu`,
/// `cuda-arch-lint:/explain/arch-dependent-signature.md`.
pub(super) const SCHEME: &str = "cuda-arch-lint";

/// What the client understands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    /// How columns are counted.
    pub(super) encoding: Encoding,
    /// Diagnostics may have related places.
    pub(super) related: bool,
    /// Diagnostics may have a link to what is said of their rule.
    pub(super) described: bool,
    /// It asks for diagnostics, and anew when it is told to, so none are sent. One that asks only for what it edits
    /// (Neovim 0.11) would never hear what comes of a scan or of another file: it is sent them.
    pub(super) pulls: bool,
    /// It asks anew for inlay hints when it is told to.
    pub(super) refreshes_hints: bool,
    /// It asks anew for semantic tokens when it is told to.
    pub(super) refreshes_tokens: bool,
    /// It asks anew for code lenses when it is told to.
    pub(super) refreshes_lenses: bool,
    /// It greys what clangd's notification names.
    pub(super) inactive_regions: bool,
    /// It shows progress that the server begins.
    pub(super) progress: bool,
    /// It answers for its settings.
    pub(super) configuration: bool,
    /// It watches files that it is told to watch.
    pub(super) watches: bool,
    /// Edits may name the version of the document they are for.
    pub(super) versioned_edits: bool,
    /// It opens documents that it is asked to show.
    pub(super) shows_documents: bool,
}

impl Dialect {
    /// What the client says it understands.
    pub(super) fn of(params: &InitializeParams, capabilities: &Value) -> Dialect {
        let can = |path: &str| capabilities.pointer(path).and_then(Value::as_bool).unwrap_or(false);
        let general = params.capabilities.general.as_ref();
        Dialect {
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

/// What the server offers. `lsp-types` has no word for clangd's notification, nor for the documents of 3.18.
pub(super) fn offered(dialect: Dialect) -> Value {
    let mut capabilities = json!({
        "positionEncoding": dialect.encoding.kind(),
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
    if dialect.pulls {
        capabilities["diagnosticProvider"] = json!({
            "identifier": NAME, "interFileDependencies": true, "workspaceDiagnostics": true,
        });
    }
    json!({
        "capabilities": capabilities,
        "serverInfo": {"name": NAME, "version": env!("CARGO_PKG_VERSION")},
    })
}
