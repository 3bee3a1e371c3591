/** The settings of the extension, and which of them are the server's. */

import * as vscode from "vscode";

export const SECTION = "trainlint";

/** What decides which program is started: a change of it restarts the server. */
export const STARTING = ["trainlint.enable", "trainlint.interpreter", "trainlint.args"] as const;

/** The server's options by the names that it knows; what is not set is left out, so that the project's configuration decides. */
export type ServerSettings = Record<string, unknown>;

/** The options to send to the server: as `initializationOptions`, and whenever it asks for the section `trainlint`. */
export function serverSettings(configuration: vscode.WorkspaceConfiguration): ServerSettings {
  const settings: ServerSettings = {};
  const select = configuration.get<string[] | null>("select");
  if (select !== null && select !== undefined) {
    settings.select = select;
  }
  for (const key of ["ignore", "extendSelect"]) {
    const codes = configuration.get<string[]>(key) ?? [];
    if (codes.length > 0) {
      settings[key] = codes;
    }
  }
  for (const key of ["preview", "advice"]) {
    const value = configuration.get<boolean | null>(key);
    if (value !== null && value !== undefined) {
      settings[key] = value;
    }
  }
  const file = configuration.get<string>("configuration") ?? "";
  if (file !== "") {
    settings.config = file;
  }
  return settings;
}

/** The settings in force now, for the whole window. */
export function current(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SECTION);
}
