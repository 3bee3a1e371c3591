/** As much of the `vscode` module as the extension uses, with what happened to it on record; there is no window. */

import Module from "node:module";

type Listener = (event: unknown) => unknown;

/** What a test sets, and what it looks at afterwards. */
export interface Recorded {
  settings: Record<string, unknown>;
  extensions: Record<string, unknown>;
  commands: Map<string, (...args: unknown[]) => unknown>;
  executed: [string, ...unknown[]][];
  answers: Record<string, unknown>;
  messages: { kind: string; text: string; offered: string[] }[];
  choose: string | undefined;
  editor: unknown;
  notebooks: unknown[];
  edits: unknown[];
  opened: string[];
  provider: { provideTextDocumentContent(uri: unknown): string } | undefined;
  configurationListeners: Listener[];
}

export const recorded: Recorded = fresh();

function fresh(): Recorded {
  return {
    settings: {}, extensions: {}, commands: new Map(), executed: [], answers: {}, messages: [], choose: undefined,
    editor: undefined, notebooks: [], edits: [], opened: [], provider: undefined, configurationListeners: [],
  };
}

/** Forget what other tests did. */
export function reset(): void {
  Object.assign(recorded, fresh());
}

class EventEmitter {
  private readonly listeners: Listener[] = [];
  readonly event = (listener: Listener): object => {
    this.listeners.push(listener);
    return nothing;
  };
  fire(event: unknown): void {
    for (const listener of this.listeners) {
      listener(event);
    }
  }
  dispose(): void {
    this.listeners.length = 0;
  }
}

const nothing = { dispose: (): void => undefined };

function message(kind: string) {
  return (text: string, ...offered: string[]): Promise<string | undefined> => {
    recorded.messages.push({ kind, text, offered });
    const { choose } = recorded;
    return Promise.resolve(choose !== undefined && offered.includes(choose) ? choose : undefined);
  };
}

const stub = {
  version: "1.90.0",
  EventEmitter,
  Position: class {
    constructor(readonly line: number, readonly character: number) {}
  },
  Range: class {
    constructor(readonly start: unknown, readonly end: unknown) {}
  },
  Uri: {
    from: (parts: { scheme: string; path: string; query: string }) => ({
      ...parts,
      toString: () => `${parts.scheme}:${parts.path}?${parts.query}`,
    }),
  },
  ViewColumn: { Beside: -2 },
  ProgressLocation: { Window: 10 },
  commands: {
    registerCommand: (name: string, command: (...args: unknown[]) => unknown) => {
      recorded.commands.set(name, command);
      return nothing;
    },
    executeCommand: (name: string, ...args: unknown[]) => {
      recorded.executed.push([name, ...args]);
      return Promise.resolve(recorded.answers[name]);
    },
  },
  extensions: { getExtension: (name: string) => recorded.extensions[name] },
  window: {
    get activeTextEditor() {
      return recorded.editor;
    },
    showErrorMessage: message("error"),
    showWarningMessage: message("warning"),
    showInformationMessage: message("information"),
    showTextDocument: () => Promise.resolve(),
    withProgress: (_options: unknown, task: () => unknown) => task(),
  },
  workspace: {
    workspaceFolders: [{ uri: { fsPath: "/project" } }],
    get notebookDocuments() {
      return recorded.notebooks;
    },
    getConfiguration: () => ({
      get: (key: string, otherwise?: unknown) => (key in recorded.settings ? recorded.settings[key] : otherwise),
    }),
    registerTextDocumentContentProvider: (_scheme: string, provider: NonNullable<Recorded["provider"]>) => {
      recorded.provider = provider;
      return nothing;
    },
    onDidCloseTextDocument: () => nothing,
    onDidChangeConfiguration: (listener: Listener) => {
      recorded.configurationListeners.push(listener);
      return nothing;
    },
    openTextDocument: (uri: unknown) => {
      recorded.opened.push(recorded.provider?.provideTextDocumentContent(uri) ?? "");
      return Promise.resolve({ uri });
    },
    applyEdit: (edit: unknown) => {
      recorded.edits.push(edit);
      return Promise.resolve(true);
    },
  },
};

// The client's library derives classes from others of VS Code's when it is loaded.
const whole = new Proxy(stub, { get: (known, name) => (Reflect.has(known, name) ? Reflect.get(known, name) : EventEmitter) as unknown });

const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
const load = loader._load.bind(loader);
loader._load = (request, ...rest) => (request === "vscode" ? whole : load(request, ...rest));
