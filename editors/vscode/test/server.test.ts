/** The real server, started as the extension starts it and spoken to over stdio. */

import "./vscodeStub";

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

import {
  CodeAction,
  createProtocolConnection,
  Diagnostic,
  PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

import { serverCommand } from "../src/controller";
import { placeOf } from "../src/explain";
import { chooseInterpreter, probe, runProgram } from "../src/interpreter";
import type * as vscode from "vscode";

// The Python with trainlint: the environment of the test run says it; without it, what the extension would take.
const PYTHON = chooseInterpreter(process.env.TRAINLINT_PYTHON ?? "", undefined, process.platform);
const HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n";
const LEAKS = [
  "def train(model, loader, optimizer):",
  "    total = 0.0",
  "    for batch in loader:",
  "        loss = model(batch)",
  "        loss.backward()",
  "        optimizer.step()",
  "        optimizer.zero_grad()",
  "        total += loss",
  "    return total",
  "",
].join("\n");

function folder(t: test.TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), "trainlint-vscode-"));
  t.after(() => { rmSync(made, { recursive: true }); });
  writeFileSync(path.join(made, "pyproject.toml"), "");
  return made;
}

/** A session with one file open; returns what is said of it, and its action that repairs everything. */
async function session(t: test.TestContext, text: string, settings: object): Promise<[Diagnostic[], CodeAction | undefined]> {
  const project = folder(t);
  const uri = pathToFileURL(path.join(project, "train.py")).href;
  writeFileSync(path.join(project, "train.py"), text);
  const { command, args, cwd } = serverCommand(PYTHON, ["--stdio"], tmpdir());
  const server = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<number | null>((resolve) => server.on("close", resolve));
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  connection.onRequest("workspace/configuration", () => [settings]);
  connection.onRequest("client/registerCapability", () => null);
  const told = new Promise<PublishDiagnosticsParams>((resolve) => {
    connection.onNotification("textDocument/publishDiagnostics", resolve);
  });
  connection.listen();
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(project).href,
    workspaceFolders: [{ uri: pathToFileURL(project).href, name: "project" }],
    capabilities: { workspace: { configuration: true }, textDocument: { publishDiagnostics: {} } },
    initializationOptions: settings,
  });
  await connection.sendNotification("initialized", {});
  await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "python", version: 1, text } });
  const { diagnostics } = await told;
  const all = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const actions = await connection.sendRequest<CodeAction[] | null>("textDocument/codeAction", {
    textDocument: { uri },
    range: all,
    context: { diagnostics: [], only: ["source.fixAll.trainlint"] },
  });
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await ended, 0);
  return [diagnostics, actions?.find((action) => action.kind === "source.fixAll.trainlint")];
}

test("the interpreter of this run has trainlint and can serve", async () => {
  assert.deepEqual({ ...(await probe(PYTHON, tmpdir())), version: "" }, { ok: true, version: "" });
});

test("a file that is opened gets its findings", { timeout: 120_000 }, async (t) => {
  const [diagnostics] = await session(t, HANGS, {});
  assert.deepEqual(diagnostics.map(({ code, source, range }) => [code, source, range.start.line]), [["TL101", "trainlint", 3]]);
});

test("the settings reach the server", { timeout: 120_000 }, async (t) => {
  const [diagnostics] = await session(t, HANGS, { ignore: ["TL101"] });
  assert.deepEqual(diagnostics, []);
});

test("fix all is the action that the command asks for", { timeout: 120_000 }, async (t) => {
  const [diagnostics, action] = await session(t, LEAKS, {});
  assert.deepEqual(diagnostics.map(({ code }) => code), ["TL302"]);
  assert.match(JSON.stringify(action?.edit), /detach\(\)/);
});

test("`trainlint explain` takes the place and the options that the command gives it", { timeout: 120_000 }, async (t) => {
  const project = folder(t);
  const file = path.join(project, "train.py");
  writeFileSync(file, HANGS);
  const document = { uri: { scheme: "file", fsPath: file } } as unknown as vscode.TextDocument;
  const place = placeOf(document, 3) ?? "";
  const ran = await runProgram(PYTHON.path, ["-m", "trainlint", "explain", "--color", "never", "--", place], tmpdir());
  assert.deepEqual([ran.code, ran.stderr], [0, ""]);
  assert.match(ran.stdout, /TL101/);
});
