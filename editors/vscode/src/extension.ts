/** What VS Code loads: the controller with a real language client. */

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, TransportKind } from "vscode-languageclient/node";

import { Client, Controller, ServerCommand } from "./controller";
import { current, SECTION, serverSettings, ServerSettings } from "./settings";

let controller: Controller | undefined;

function createClient(server: ServerCommand, settings: ServerSettings, output: vscode.OutputChannel): Client {
  const serverOptions: ServerOptions = {
    command: server.command,
    args: [...server.args],
    options: { cwd: server.cwd },
    transport: TransportKind.stdio,
  };
  const clientOptions: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "python" },
      { notebook: { scheme: "file", notebookType: "jupyter-notebook" }, language: "python" },
    ],
    initializationOptions: settings,
    outputChannel: output,
    traceOutputChannel: output,
    middleware: {
      workspace: {
        // The section has settings of the extension, too, which the server would call unknown options.
        configuration: async (params, token, next) => {
          const answers = await next(params, token);
          return Array.isArray(answers)
            ? answers.map((answer: unknown, index) =>
                params.items[index]?.section === SECTION ? serverSettings(current()) : answer,
              )
            : answers;
        },
      },
    },
  };
  // The id is the section of `trainlint.trace.server`, which the client reads by itself.
  return new LanguageClient(SECTION, "trainlint", serverOptions, clientOptions);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("trainlint");
  controller = new Controller(context.extensionPath, output, createClient);
  context.subscriptions.push(output, controller);
  await controller.activate();
}

export async function deactivate(): Promise<void> {
  await controller?.stop();
}
