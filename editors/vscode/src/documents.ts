// Documents that are in no file: rules' cards, and sources as one pass reads them. The server makes their text.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { Passes } from "./passes";

/** The scheme of their addresses, which the server gives. */
export const SCHEME = "cuda-arch-lint";

/** The request of LSP 3.18 for the text of such a document. */
const CONTENT = "workspace/textDocumentContent";

export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly parts: vscode.Disposable[];
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private client: LanguageClient | undefined;

  constructor(private readonly passes: Passes) {
    this.parts = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand("cuda-arch-lint.expandFile", () => this.expand()),
    ];
  }

  connect(client: LanguageClient | undefined): void {
    this.client = client;
    client?.onRequest(`${CONTENT}/refresh`, ({ uri }: { uri: string }) => {
      this.changed.fire(vscode.Uri.parse(uri));
      return null;
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string | undefined> {
    const answer = await this.client?.sendRequest<{ text: string }>(CONTENT, { uri: uri.toString() });
    return answer?.text;
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** Shows the file in the active editor as a pass reads it, beside the file. */
  private async expand(): Promise<void> {
    const file = vscode.window.activeTextEditor?.document.uri;
    const known = await this.passes.known();
    if (file?.scheme !== "file" || known === undefined) {
      void vscode.window.showWarningMessage("There is no CUDA file in the active editor, or no server.");
      return;
    }
    const pass = await vscode.window.showQuickPick(known.passes, { placeHolder: "The pass that reads the file" });
    if (pass !== undefined) {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/expand/${pass}${file.path}` });
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    }
  }
}
