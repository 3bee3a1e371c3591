/** The extension without the client's library: when the server is started, with what, and what the commands do. */

import * as vscode from "vscode";

import { Explanations, placeOf, SCHEME } from "./explain";
import { chooseInterpreter, Interpreter, probe, Run, runProgram } from "./interpreter";
import { onSelected, selectedInterpreter } from "./pythonExtension";
import { current, SECTION, serverSettings, ServerSettings, STARTING } from "./settings";

/** How the server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** What is needed of a language client. */
export interface Client {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export type CreateClient = (server: ServerCommand, settings: ServerSettings, output: vscode.OutputChannel) => Client;

const FIX_ALL = "source.fixAll.trainlint";

/** The command line of the server. The working folder is not the project's: Python would import modules from there. */
export function serverCommand(interpreter: Interpreter, args: readonly string[], cwd: string): ServerCommand {
  return { command: interpreter.path, args: ["-m", "trainlint", "server", ...args], cwd };
}

export class Controller {
  private client: Client | undefined;
  private interpreter: Interpreter | undefined;
  private turn: Promise<void> = Promise.resolve();
  private readonly disposables: vscode.Disposable[] = [];
  private readonly explanations: Explanations;

  constructor(
    private readonly cwd: string,
    private readonly output: vscode.OutputChannel,
    private readonly createClient: CreateClient,
    private readonly run: Run = runProgram,
  ) {
    this.explanations = new Explanations(cwd, run);
  }

  /** Register everything and start the server. */
  async activate(): Promise<void> {
    const commands: [string, () => unknown][] = [
      ["trainlint.fixAll", () => this.fixAll()],
      ["trainlint.explainLine", () => this.explainLine()],
      ["trainlint.restart", () => this.restart()],
      ["trainlint.showOutput", () => { this.output.show(); }],
    ];
    this.disposables.push(
      ...commands.map(([name, command]) => vscode.commands.registerCommand(name, command)),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this.explanations),
      vscode.workspace.onDidCloseTextDocument((document) => { this.explanations.forget(document.uri); }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (STARTING.some((key) => event.affectsConfiguration(key))) {
          void this.restart();
        }
      }),
    );
    const selecting = await onSelected(() => {
      if (current().get<string>("interpreter", "").trim() === "") {
        void this.restart();
      }
    });
    if (selecting !== undefined) {
      this.disposables.push(selecting);
    }
    await this.restart();
  }

  /** Stop the server, if there is one, and start it with what is set now; one after another, however often it is called. */
  restart(): Promise<void> {
    this.turn = this.turn.then(() => this.restartNow());
    return this.turn;
  }

  private async restartNow(): Promise<void> {
    await this.stop();
    const settings = current();
    if (!settings.get<boolean>("enable", true)) {
      this.output.appendLine("trainlint.enable is false: the server is not started.");
      return;
    }
    const interpreter = await this.choose();
    const found = await probe(interpreter, this.cwd, this.run);
    if (!found.ok) {
      this.output.appendLine(found.problem);
      void this.complain(found.problem);
      return;
    }
    const server = serverCommand(interpreter, settings.get<string[]>("args", []), this.cwd);
    this.output.appendLine(`trainlint ${found.version}: ${[server.command, ...server.args].join(" ")}`);
    const client = this.createClient(server, serverSettings(settings), this.output);
    try {
      await client.start();
      this.client = client;
    } catch (error) {
      const problem = `the server could not be started: ${error instanceof Error ? error.message : String(error)}`;
      this.output.appendLine(problem);
      void this.complain(problem);
    }
  }

  private async choose(): Promise<Interpreter> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const setting = current().get<string>("interpreter", "");
    const selected = setting.trim() === "" ? await selectedInterpreter(folder) : undefined;
    this.interpreter = chooseInterpreter(setting, selected, process.platform);
    return this.interpreter;
  }

  private async complain(problem: string): Promise<void> {
    const select = "Select interpreter";
    const open = "Open settings";
    const offered = vscode.extensions.getExtension("ms-python.python") === undefined ? [open] : [select, open];
    const chosen = await vscode.window.showErrorMessage(`trainlint: ${problem}`, ...offered);
    if (chosen === select) {
      await vscode.commands.executeCommand("python.setInterpreter");
    } else if (chosen === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.interpreter`);
    }
  }

  /** Apply all safe repairs to the file in the active editor. */
  async fixAll(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "python") {
      void vscode.window.showInformationMessage("trainlint: open a Python file to repair it.");
      return;
    }
    const end = document.lineAt(Math.max(document.lineCount - 1, 0)).range.end;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[] | undefined>(
      "vscode.executeCodeActionProvider",
      document.uri,
      new vscode.Range(new vscode.Position(0, 0), end),
      FIX_ALL,
    );
    const edit = actions?.find((action) => action.kind?.value === FIX_ALL)?.edit;
    if (edit === undefined) {
      void vscode.window.showInformationMessage("trainlint: no finding in this file has a safe repair.");
      return;
    }
    if (!(await vscode.workspace.applyEdit(edit))) {
      void vscode.window.showWarningMessage("trainlint: the file changed meanwhile; nothing was repaired.");
    }
  }

  /** Show what the analysis knows of the line of the cursor. */
  async explainLine(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const place = editor === undefined ? undefined : placeOf(editor.document, editor.selection.active.line);
    if (editor === undefined || place === undefined) {
      void vscode.window.showInformationMessage("trainlint: put the cursor into a line of a saved Python file.");
      return;
    }
    if (editor.document.isDirty) {
      const save = "Save and explain";
      const question = "trainlint: `trainlint explain` reads the file on the disk, and this one has unsaved changes.";
      if ((await vscode.window.showWarningMessage(question, save)) !== save || !(await editor.document.save())) {
        return;
      }
    }
    const interpreter = this.interpreter ?? (await this.choose());
    const configuration = current().get<string>("configuration", "");
    const progress = { location: vscode.ProgressLocation.Window, title: "trainlint: explaining the line" };
    await vscode.window.withProgress(progress, () => this.explanations.show(place, interpreter, configuration));
  }

  /** End the server. */
  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.stop();
  }

  dispose(): void {
    this.explanations.dispose();
    for (const each of this.disposables.splice(0)) {
      each.dispose();
    }
  }
}
