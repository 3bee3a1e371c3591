/** "Explain this line": what `trainlint explain` says, in a read-only document beside the code. */

import * as vscode from "vscode";

import { Interpreter, Run, runProgram } from "./interpreter";

export const SCHEME = "trainlint-explain";

/** A line as `trainlint explain` takes it (`train.py:12`, `run.ipynb:cell 3:5`); undefined where there is no file. */
export function placeOf(document: vscode.TextDocument, line: number): string | undefined {
  if (document.uri.scheme === "file") {
    return `${document.uri.fsPath}:${line + 1}`;
  }
  for (const notebook of vscode.workspace.notebookDocuments) {
    const index = notebook.getCells().findIndex((cell) => cell.document.uri.toString() === document.uri.toString());
    if (index >= 0 && notebook.uri.scheme === "file") {
      return `${notebook.uri.fsPath}:cell ${index + 1}:${line + 1}`;
    }
  }
  return undefined;
}

/** The explanations that were asked for, as documents. */
export class Explanations implements vscode.TextDocumentContentProvider {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly texts = new Map<string, string>();
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly cwd: string,
    private readonly run: Run = runProgram,
  ) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Ask of one place and show the answer; an error of the program is shown as it says it. */
  async show(place: string, interpreter: Interpreter, configuration: string): Promise<void> {
    const options = ["--color", "never", ...(configuration === "" ? [] : ["--config", configuration])];
    const args = ["-m", "trainlint", "explain", ...options, "--", place];
    const ran = await this.run(interpreter.path, args, this.cwd);
    const text = ran.code === 0 ? ran.stdout : ran.stderr;
    const name = place.slice(Math.max(place.lastIndexOf("/"), place.lastIndexOf("\\")) + 1);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: place });
    this.texts.set(uri.toString(), text === "" ? `trainlint explain ${place} said nothing.\n` : text);
    this.changes.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  /** A document was closed: nobody reads its text any more. */
  forget(uri: vscode.Uri): void {
    this.texts.delete(uri.toString());
  }

  dispose(): void {
    this.changes.dispose();
  }
}
