// The extension: finds the program, runs its language server, and restarts it when it is asked to.

import * as vscode from "vscode";
import { ConfigurationParams, DidChangeConfigurationNotification, ShowDocumentResult } from "vscode-languageclient";
import { LanguageClient, LanguageClientOptions, State, Trace } from "vscode-languageclient/node";

import { Documents, SCHEME } from "./documents";
import { Passes } from "./passes";
import { findProgram } from "./program";
import { asked, SECTION } from "./settings";

/** The languages that CUDA code is in: VS Code's own name, that of other extensions, and those of headers. */
const LANGUAGES = ["cuda-cpp", "cuda", "cpp", "c"];

/** Where the program's installation is described. */
const INSTALL = "https://github.com/cuda-arch-lint/cuda-arch-lint#readme";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  server = new Server(context);
  await server.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

class Server {
  private readonly output: vscode.LogOutputChannel;
  private readonly passes = new Passes();
  private readonly documents = new Documents(this.passes);
  private client: LanguageClient | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.output = vscode.window.createOutputChannel("cuda-arch-lint", { log: true });
    context.subscriptions.push(
      this.output,
      this.passes,
      this.documents,
      vscode.commands.registerCommand("cuda-arch-lint.restart", () => this.restart()),
      vscode.commands.registerCommand("cuda-arch-lint.showOutput", () => this.output.show()),
      vscode.workspace.onDidChangeConfiguration((change) => this.configured(change)),
    );
  }

  /** Starts the server, or says why it can't. */
  async start(): Promise<void> {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    const path = vscode.workspace.getConfiguration(SECTION).get<string>("path", "").trim();
    const { found, looked } = await findProgram(path, folders);
    if (found === undefined) {
      this.output.error(`cuda-arch-lint is not installed. Looked for:\n  ${looked.join("\n  ")}`);
      void this.offerHelp(path);
      return;
    }
    this.output.info(`starting ${found} lsp`);
    const client = new LanguageClient(SECTION, "cuda-arch-lint", { command: found, args: ["lsp"] }, this.options());
    this.passes.prepare(client);
    this.documents.connect(client);
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) {
        this.passes.disconnect();
      }
    });
    this.client = client;
    try {
      await client.start();
      this.output.info(`${client.initializeResult?.serverInfo?.version ?? "an unknown version"} is running`);
      await this.passes.connect(client);
    } catch (error) {
      // The client has told the user already.
      this.output.error(`the server did not start: ${error}`);
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.passes.disconnect();
    this.documents.connect(undefined);
    if (client !== undefined) {
      await client.setTrace(Trace.Off).catch(() => undefined);
      await client.dispose();
    }
  }

  private async restart(): Promise<void> {
    try {
      await this.stop();
    } catch (error) {
      // A server that died can't be shut down in order.
      this.output.warn(`the server did not stop in order: ${error}`);
    }
    await this.start();
  }

  private options(): LanguageClientOptions {
    const { extension } = this.context;
    return {
      documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
      outputChannel: this.output,
      initializationOptions: asked(extension),
      middleware: {
        // What a pass does not read is dimmed; its colours stay.
        provideDocumentSemanticTokens: () => null,
        window: {
          // A rule's card is to be read, not edited.
          showDocument: async (params, next) => {
            const uri = vscode.Uri.parse(params.uri);
            if (uri.scheme !== SCHEME || !uri.path.endsWith(".md")) {
              return (await next(params, new vscode.CancellationTokenSource().token)) as ShowDocumentResult;
            }
            await vscode.commands.executeCommand("markdown.showPreview", uri);
            return { success: true };
          },
        },
        workspace: {
          configuration: async (params: ConfigurationParams, token, next) => {
            const answers = await next(params, token);
            if (!Array.isArray(answers)) {
              return answers;
            }
            return params.items.map(({ section, scopeUri }, index) =>
              section === SECTION ? asked(extension, scopeUri ? vscode.Uri.parse(scopeUri) : undefined) : answers[index],
            );
          },
        },
      },
    };
  }

  private async configured(change: vscode.ConfigurationChangeEvent): Promise<void> {
    if (change.affectsConfiguration(`${SECTION}.path`)) {
      await this.restart();
    } else if (change.affectsConfiguration(SECTION) && this.client?.isRunning()) {
      const settings = { [SECTION]: asked(this.context.extension) };
      await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings });
    }
  }

  private async offerHelp(path: string): Promise<void> {
    const message = path === "" ? "cuda-arch-lint is not installed." : `cuda-arch-lint is not at ${path}.`;
    const [install, set, retry] = ["How to install it", "Set its path", "Try again"] as const;
    switch (await vscode.window.showErrorMessage(message, install, set, retry)) {
      case install:
        await vscode.env.openExternal(vscode.Uri.parse(INSTALL));
        break;
      case set:
        await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.path`);
        break;
      case retry:
        await this.restart();
        break;
    }
  }
}
