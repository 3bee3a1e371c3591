/** What the Python extension (ms-python.python) says of the selected interpreter; it need not be there. */

import * as vscode from "vscode";

/** The part of its API that is used here: https://github.com/microsoft/vscode-python/wiki/Python-Environment-APIs */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (extension === undefined) {
    return undefined;
  }
  const exported = extension.isActive ? extension.exports : await extension.activate();
  // Versions before 2022 export something else.
  return (exported as Partial<PythonApi> | undefined)?.environments === undefined ? undefined : exported;
}

/** The interpreter that is selected for a folder (or the window); undefined where none is, or there is no such extension. */
export async function selectedInterpreter(resource: vscode.Uri | undefined): Promise<string | undefined> {
  const python = await api();
  if (python === undefined) {
    return undefined;
  }
  const environment = python.environments.getActiveEnvironmentPath(resource);
  const resolved = await python.environments.resolveEnvironment(environment);
  return resolved?.executable.uri?.fsPath;
}

/** Call `changed` whenever another interpreter is selected. */
export async function onSelected(changed: () => void): Promise<vscode.Disposable | undefined> {
  const python = await api();
  return python?.environments.onDidChangeActiveEnvironmentPath(changed);
}
