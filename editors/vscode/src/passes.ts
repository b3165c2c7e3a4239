// The pass that the user looks through: chosen in the status bar, and what it does not read is dimmed.

import * as vscode from "vscode";
import { ClientCapabilities, FeatureState, LanguageClient, StaticFeature } from "vscode-languageclient/node";

import { SECTION } from "./settings";

/** Commands of the server; the client makes each an editor's command of the same name. */
const CHOOSE = "cuda-arch-lint.choosePass";
const LIST = "cuda-arch-lint.passes";

/** The notification that clangd has for this, too. */
const INACTIVE = "textDocument/inactiveRegions";

interface InactiveRegions {
  textDocument: { uri: string };
  regions: { start: vscode.Position; end: vscode.Position }[];
}

/** What the server knows about passes. */
interface Known {
  passes: string[];
  chosen: string | null;
}

/** Says that this client dims what `textDocument/inactiveRegions` names. */
export class InactiveRegionsFeature implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    Object.assign(capabilities.textDocument ?? {}, { inactiveRegionsCapabilities: { inactiveRegions: true } });
  }
  getState(): FeatureState {
    return { kind: "static" };
  }
  initialize(): void {}
  clear(): void {}
}

export class Passes implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("pass", vscode.StatusBarAlignment.Right, 99);
  private readonly dimmed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    opacity: "0.5",
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
  private readonly regions = new Map<string, vscode.Range[]>();
  private readonly parts: vscode.Disposable[];
  private client: LanguageClient | undefined;
  private chosen: string | null = null;

  constructor() {
    this.item.name = "CUDA pass";
    this.item.command = "cuda-arch-lint.lookThroughPass";
    this.parts = [
      this.item,
      this.dimmed,
      vscode.commands.registerCommand("cuda-arch-lint.lookThroughPass", () => this.pick()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.dim()),
      vscode.workspace.onDidChangeConfiguration(() => this.dim()),
      vscode.workspace.onDidCloseTextDocument((document) => this.regions.delete(document.uri.toString())),
    ];
  }

  /** A server that is about to start. What the user chose before a restart still holds. */
  prepare(client: LanguageClient): void {
    client.registerFeature(new InactiveRegionsFeature());
    client.onNotification(INACTIVE, ({ textDocument, regions }: InactiveRegions) => {
      const uri = client.protocol2CodeConverter.asUri(textDocument.uri).toString();
      this.regions.set(uri, regions.map((range) => client.protocol2CodeConverter.asRange(range)));
      this.dim();
    });
  }

  /** A server that has started. */
  async connect(client: LanguageClient): Promise<void> {
    this.client = client;
    if (this.chosen !== null) {
      await this.choose(this.chosen);
    }
    this.show();
  }

  disconnect(): void {
    this.client = undefined;
    this.item.hide();
    this.regions.clear();
    this.dim();
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** The passes to choose from, and the one looked through; `undefined` without a server. */
  async known(): Promise<Known | undefined> {
    return this.client?.sendRequest<Known>("workspace/executeCommand", { command: LIST, arguments: [] });
  }

  private async pick(): Promise<void> {
    const known = await this.known();
    if (known === undefined) {
      void vscode.window.showWarningMessage("cuda-arch-lint is not running.");
      return;
    }
    const every = { label: "every pass", description: "dim only what no pass reads", pass: null };
    const passes = known.passes.map((pass) => ({ label: pass, description: "", pass }));
    const items = [every, ...passes].map((item) => (item.pass === known.chosen ? { ...item, picked: true } : item));
    const placeHolder = `Look through the eyes of a pass (now ${known.chosen ?? every.label})`;
    const picked = await vscode.window.showQuickPick(items, { placeHolder });
    if (picked !== undefined) {
      await this.choose(picked.pass);
      this.show();
    }
  }

  private async choose(pass: string | null): Promise<void> {
    await this.client?.sendRequest("workspace/executeCommand", { command: CHOOSE, arguments: [pass] });
    this.chosen = pass;
  }

  private show(): void {
    this.item.text = `$(eye) ${this.chosen ?? "every pass"}`;
    this.item.tooltip = "The pass whose code is not dimmed";
    this.item.show();
  }

  private dim(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { uri } = editor.document;
      const wanted = vscode.workspace.getConfiguration(SECTION, uri).get<boolean>("dimInactiveCode", true);
      editor.setDecorations(this.dimmed, (wanted && this.regions.get(uri.toString())) || []);
    }
  }
}
