#!/usr/bin/env python3
"""Drives the language server over its pipe with pytest-lsp, a client that nobody here wrote.

    python3 -m venv target/lsp-client && target/lsp-client/bin/pip install pytest-lsp==1.0.1
    target/lsp-client/bin/pytest tests/lsp_client.py

The program is `target/debug/cuda-arch-lint`, or what CUDA_ARCH_LINT names. The client checks every message against
the protocol's types; capabilities are those that pytest-lsp recorded of real editors.
"""

import asyncio
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pygls.exceptions import JsonRpcException

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("CUDA_ARCH_LINT", str(ROOT / "target/debug/cuda-arch-lint"))

BAD = """\
#ifdef __CUDA_ARCH__
typedef double scalar;
#else
typedef int scalar;
#endif
/*😀*/ __global__ void store(scalar value, scalar *out) { *out = value; }
"""
GOOD = "typedef int scalar;\n__global__ void store(scalar value) {}\n"


TOLD = [
    types.CLIENT_REGISTER_CAPABILITY,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.cu").write_text(GOOD)
    (tmp_path / "b.cu").write_text(BAD.replace("store", "other"))
    return tmp_path


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[PROGRAM, "lsp"]),
    params=["visual-studio-code", "neovim", "emacs"],
)
async def client(request, lsp_client: LanguageClient, folder):
    parameters = types.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="w")],
        root_uri=folder.as_uri(),
        initialization_options={"arch": ["80"]},
    )
    # What editors do when they are told to ask anew, and pytest-lsp knows nothing of.
    for method in TOLD:
        lsp_client.feature(method)(lambda *_: None)
    lsp_client.uri = (folder / "a.cu").as_uri()
    answer = await lsp_client.initialize_session(parameters)
    lsp_client.encoding = answer.capabilities.position_encoding
    yield
    await lsp_client.shutdown_session()


def opened(client, text):
    document = types.TextDocumentItem(uri=client.uri, language_id="cuda", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))


def edited(client, version, changes):
    document = types.VersionedTextDocumentIdentifier(uri=client.uri, version=version)
    parameters = types.DidChangeTextDocumentParams(text_document=document, content_changes=changes)
    client.text_document_did_change(parameters)


def span(line, start, end_line, end):
    return types.Range(types.Position(line, start), types.Position(end_line, end))


def replaced(line, start, end_line, end, text):
    return types.TextDocumentContentChangePartial(range=span(line, start, end_line, end), text=text)


async def diagnostics(client):
    """Those of the newest text, pulled; that the client declares to pull or not is the fixture's business."""
    if client.capabilities.text_document.diagnostic:
        asked = types.DocumentDiagnosticParams(text_document=types.TextDocumentIdentifier(client.uri))
        return list((await client.text_document_diagnostic_async(asked)).items)
    # Code lenses are answered when the newest text was analysed and what came of it was published.
    asked = types.CodeLensParams(types.TextDocumentIdentifier(client.uri))
    await client.text_document_code_lens_async(asked)
    return list(client.diagnostics.get(client.uri, []))


async def hover(client, line, character):
    place = types.HoverParams(types.TextDocumentIdentifier(client.uri), types.Position(line, character))
    return await client.text_document_hover_async(place)


@pytest.mark.asyncio
async def test_columns_are_counted_as_agreed(client):
    # VS Code speaks UTF-16, in which the character is a pair of surrogates; the others offer UTF-8.
    wide, narrow, before = (2, 1, 23) if client.encoding == "utf-16" else (4, 2, 25)
    opened(client, BAD)
    (found,) = await diagnostics(client)
    assert (found.range.start.line, found.range.start.character) == (5, before)
    edited(client, 2, [replaced(5, 2, 5, 2 + wide, "é")])
    (found,) = await diagnostics(client)
    assert found.range.start.character == before - wide + narrow


@pytest.mark.asyncio
async def test_what_a_place_means(client):
    opened(client, BAD)
    await diagnostics(client)
    shown = await hover(client, 0, 2)
    assert "| sm_80 | yes |" in shown.contents.value
    place = types.DefinitionParams(types.TextDocumentIdentifier(client.uri), types.Position(5, 25))
    (location,) = await client.text_document_definition_async(place)
    assert location.range.start.line == 0
    document = types.TextDocumentIdentifier(client.uri)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [symbol.name for symbol in symbols] == ["#ifdef __CUDA_ARCH__", "#else", "store"]
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, span(0, 0, 9, 0)))
    assert [hint.label for hint in hints] == ["sm_80", "host"]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert list(tokens.data) == []
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert [lens.command.title for lens in lenses] == ["in every pass"]


@pytest.mark.asyncio
async def test_a_fix_is_applied_and_the_finding_goes(client):
    opened(client, BAD)
    (found,) = await diagnostics(client)
    asked = types.CodeActionParams(
        types.TextDocumentIdentifier(client.uri), found.range, types.CodeActionContext(diagnostics=[found])
    )
    actions = await client.text_document_code_action_async(asked)
    edit = actions[0].edit
    edits = edit.changes[client.uri] if edit.changes else edit.document_changes[0].edits
    ordered = sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True)
    changes = [types.TextDocumentContentChangePartial(range=one.range, text=one.new_text) for one in ordered]
    edited(client, 2, changes)
    assert await diagnostics(client) == []


@pytest.mark.asyncio
async def test_the_last_of_many_rapid_edits_counts(client):
    opened(client, GOOD)
    edited(client, 2, [replaced(0, 0, 2, 0, BAD)])
    for version in range(3, 503):
        # A comment grows at the end, a surrogate pair a time, and is taken away half way.
        text = "// 😀\n" if version < 253 else ""
        line = 6 + (version - 3) if version < 253 else 6 + (502 - version)
        edited(client, version, [replaced(line, 0, line if text else line + 1, 0, text)])
    assert len(await diagnostics(client)) == 1
    edited(client, 503, [replaced(0, 0, 5, 0, "typedef int scalar;\n")])
    assert await diagnostics(client) == []


@pytest.mark.asyncio
async def test_cancelled_requests_are_answered_and_others_are_not_lost(client):
    opened(client, BAD)
    asked = []
    for version in range(2, 42):
        edited(client, version, [replaced(6, 0, 6, 0, f"// {version}\n")])
        place = types.HoverParams(types.TextDocumentIdentifier(client.uri), types.Position(0, 2))
        identifier = f"hover-{version}"
        asked.append(asyncio.wrap_future(client.protocol.send_request("textDocument/hover", place, msg_id=identifier)))
        client.cancel_request(types.CancelParams(id=identifier))
    codes = set()
    for answer in await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 60):
        if isinstance(answer, JsonRpcException):
            codes.add(answer.code)
        else:
            assert answer is None or "sm_80" in answer.contents.value
    assert -32800 in codes and codes <= {-32800, -32801}, codes
    assert len(await diagnostics(client)) == 1


@pytest.mark.asyncio
async def test_a_command_chooses_the_pass_looked_through(client):
    opened(client, BAD)
    await diagnostics(client)
    command = types.ExecuteCommandParams("cuda-arch-lint.choosePass", arguments=["host"])
    answer = await client.workspace_execute_command_async(command)
    assert dict(answer if isinstance(answer, dict) else answer._asdict())["chosen"] == "host"
    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(types.TextDocumentIdentifier(client.uri))
    )
    assert list(tokens.data) == [1, 0, 22, 0, 1]
