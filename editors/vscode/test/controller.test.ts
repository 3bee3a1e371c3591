import "./vscodeStub";

import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import type * as vscode from "vscode";

import { Controller, ServerCommand } from "../src/controller";
import { Ran } from "../src/interpreter";
import { ServerSettings } from "../src/settings";
import { recorded, reset } from "./vscodeStub";

const THERE: Ran = { code: 0, stdout: '{"python": "3.12", "trainlint": "0.1.0", "pygls": true}\n', stderr: "" };
const MISSING: Ran = { code: 0, stdout: '{"python": "3.12", "trainlint": null, "pygls": false}\n', stderr: "" };

/** A controller with a client that only records what it is told. */
class Session {
  readonly log: string[] = [];
  readonly started: { server: ServerCommand; settings: ServerSettings }[] = [];
  readonly ran: (readonly string[])[] = [];
  readonly controller: Controller;
  probed = THERE;
  failure: Error | undefined;
  explained: Ran = { code: 0, stdout: "train.py:3: statement\n", stderr: "" };

  constructor() {
    const output = { appendLine: (line: string) => this.log.push(line), show: () => this.log.push("shown") };
    this.controller = new Controller(
      "/extension",
      output as unknown as vscode.OutputChannel,
      (server, settings) => {
        this.started.push({ server, settings });
        return {
          start: async () => {
            if (this.failure !== undefined) {
              throw this.failure;
            }
            this.log.push("start");
          },
          stop: async () => {
            this.log.push("stop");
          },
        };
      },
      (program, args) => {
        this.ran.push([program, ...args]);
        return Promise.resolve(args[0] === "-c" ? this.probed : this.explained);
      },
    );
  }

  command(name: string): Promise<void> {
    return Promise.resolve(recorded.commands.get(`trainlint.${name}`)?.()) as Promise<void>;
  }
}

function editor(overrides: object = {}): unknown {
  const uri = { scheme: "file", fsPath: "/project/train.py", toString: () => "file:///project/train.py" };
  const document = {
    uri, languageId: "python", isDirty: false, lineCount: 4,
    lineAt: () => ({ range: { end: { line: 3, character: 7 } } }),
    save: () => Promise.resolve(true),
    ...overrides,
  };
  return { document, selection: { active: { line: 2 } } };
}

/** The Python extension with this interpreter selected. */
function pythonExtension(path: string | undefined, listeners: (() => void)[] = []): object {
  const environments = {
    getActiveEnvironmentPath: () => ({ path: "id" }),
    resolveEnvironment: () => Promise.resolve({ executable: { uri: path === undefined ? undefined : { fsPath: path } } }),
    onDidChangeActiveEnvironmentPath: (listener: () => void) => {
      listeners.push(listener);
      return { dispose: () => undefined };
    },
  };
  return { isActive: false, activate: () => Promise.resolve({ environments }) };
}

beforeEach(reset);

test("the server is started with the selected interpreter, outside of the project's folder", async () => {
  recorded.extensions["ms-python.python"] = pythonExtension("/venv/bin/python");
  recorded.settings = { args: ["--stdio"], ignore: ["TL9"], preview: true, select: null };
  const session = new Session();
  await session.controller.activate();
  assert.deepEqual(session.started, [
    {
      server: { command: "/venv/bin/python", args: ["-m", "trainlint", "server", "--stdio"], cwd: "/extension" },
      settings: { ignore: ["TL9"], preview: true },
    },
  ]);
});

test("what is not set is not sent, so that the project's configuration decides", async () => {
  const session = new Session();
  await session.controller.activate();
  assert.deepEqual(session.started[0]?.settings, {});
});

test("where trainlint is missing nothing is started, and the message offers a way out", async () => {
  recorded.extensions["ms-python.python"] = pythonExtension("/venv/bin/python");
  recorded.choose = "Select interpreter";
  const session = new Session();
  session.probed = MISSING;
  await session.controller.activate();
  await new Promise(setImmediate);
  assert.deepEqual(session.started, []);
  assert.match(recorded.messages[0]?.text ?? "", /^trainlint: trainlint is not installed in \/venv\/bin\/python/);
  assert.deepEqual(recorded.executed, [["python.setInterpreter"]]);
});

test("another interpreter, a changed setting and the command restart the server, one after another", async () => {
  const listeners: (() => void)[] = [];
  recorded.extensions["ms-python.python"] = pythonExtension("/venv/bin/python", listeners);
  const session = new Session();
  await session.controller.activate();
  listeners[0]?.();
  recorded.configurationListeners[0]?.({ affectsConfiguration: (key: string) => key === "trainlint.args" });
  await session.command("restart");
  const steps = session.log.filter((line) => line === "start" || line === "stop");
  assert.deepEqual(steps, ["start", "stop", "start", "stop", "start", "stop", "start"]);
});

test("a setting that is the server's does not restart it", async () => {
  const session = new Session();
  await session.controller.activate();
  recorded.configurationListeners[0]?.({ affectsConfiguration: (key: string) => key === "trainlint.select" });
  await new Promise(setImmediate);
  assert.equal(session.started.length, 1);
});

test("trainlint.enable = false starts nothing", async () => {
  recorded.settings = { enable: false };
  const session = new Session();
  await session.controller.activate();
  assert.deepEqual(session.started, []);
});

test("a server that does not start is said, and the command tries again", async () => {
  const session = new Session();
  session.failure = new Error("no such program");
  await session.controller.activate();
  assert.equal(recorded.messages[0]?.text, "trainlint: the server could not be started: no such program");
  session.failure = undefined;
  await session.command("restart");
  assert.deepEqual([session.started.length, session.log.at(-1)], [2, "start"]);
});

test("fix all applies the edit of the server's action", async () => {
  recorded.editor = editor();
  const edit = { fixed: true };
  recorded.answers["vscode.executeCodeActionProvider"] = [
    { kind: { value: "source.fixAll.other" }, edit: {} },
    { kind: { value: "source.fixAll.trainlint" }, edit },
  ];
  const session = new Session();
  await session.controller.activate();
  await session.command("fixAll");
  assert.deepEqual(recorded.edits, [edit]);
});

test("fix all says so where there is nothing to repair, and where there is no Python file", async () => {
  const session = new Session();
  await session.controller.activate();
  await session.command("fixAll");
  recorded.editor = editor();
  await session.command("fixAll");
  assert.deepEqual(recorded.edits, []);
  assert.deepEqual(
    recorded.messages.map((each) => each.text),
    ["trainlint: open a Python file to repair it.", "trainlint: no finding in this file has a safe repair."],
  );
});

test("explain this line runs `trainlint explain` and shows what it says", async () => {
  recorded.editor = editor();
  recorded.settings = { configuration: "/etc/trainlint.toml" };
  const session = new Session();
  await session.controller.activate();
  await session.command("explainLine");
  const expected = ["explain", "--color", "never", "--config", "/etc/trainlint.toml", "--", "/project/train.py:3"];
  assert.deepEqual(session.ran.at(-1), ["python3", "-m", "trainlint", ...expected]);
  assert.deepEqual(recorded.opened, ["train.py:3: statement\n"]);
});

test("an explanation that fails shows the error", async () => {
  recorded.editor = editor();
  const session = new Session();
  session.explained = { code: 2, stdout: "", stderr: "Error: the file cannot be parsed\n" };
  await session.controller.activate();
  await session.command("explainLine");
  assert.deepEqual(recorded.opened, ["Error: the file cannot be parsed\n"]);
});

test("a file with unsaved changes is explained only after it was saved", async () => {
  let saved = 0;
  const save = () => Promise.resolve(++saved > 0);
  recorded.editor = editor({ isDirty: true, save });
  const session = new Session();
  await session.controller.activate();
  await session.command("explainLine");
  assert.deepEqual([saved, recorded.opened.length], [0, 0]);
  recorded.choose = "Save and explain";
  await session.command("explainLine");
  assert.deepEqual([saved, recorded.opened.length], [1, 1]);
});

test("a line of a notebook's cell is named by the cell's number", async () => {
  const cell = { scheme: "vscode-notebook-cell", toString: () => "cell:2" };
  const cells = [{ document: { uri: { toString: () => "cell:1" } } }, { document: { uri: cell } }];
  recorded.notebooks = [{ uri: { scheme: "file", fsPath: "/project/run.ipynb" }, getCells: () => cells }];
  recorded.editor = editor({ uri: cell });
  const session = new Session();
  await session.controller.activate();
  await session.command("explainLine");
  assert.equal(session.ran.at(-1)?.at(-1), "/project/run.ipynb:cell 2:3");
});

test("show output shows it", async () => {
  const session = new Session();
  await session.controller.activate();
  await session.command("showOutput");
  assert.equal(session.log.at(-1), "shown");
});
