import { Disposable } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
export class Passes implements Disposable {
  async connect(_client: LanguageClient): Promise<void> {}
  disconnect(): void {}
  dispose(): void {}
}
