import assert from "node:assert/strict";
import test from "node:test";

import { chooseInterpreter, probe, Ran, runProgram } from "../src/interpreter";

const INTERPRETER = { path: "/venv/bin/python", origin: "the PATH" };

function prints(answer: unknown): () => Promise<Ran> {
  return () => Promise.resolve({ code: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: "" });
}

test("the setting comes before the selected interpreter, and that before the PATH", () => {
  assert.equal(chooseInterpreter(" /mine/python ", "/selected/python", "linux").path, "/mine/python");
  assert.equal(chooseInterpreter("", "/selected/python", "linux").path, "/selected/python");
  assert.equal(chooseInterpreter("", undefined, "linux").path, "python3");
  assert.equal(chooseInterpreter("", "", "win32").path, "python");
});

test("an interpreter with trainlint and pygls can serve", async () => {
  const found = await probe(INTERPRETER, "/", prints({ python: "3.12", trainlint: "0.1.0", pygls: true }));
  assert.deepEqual(found, { ok: true, version: "0.1.0" });
});

test("where trainlint is missing the message names the interpreter and how to install it there", async () => {
  const found = await probe(INTERPRETER, "/", prints({ python: "3.12", trainlint: null, pygls: false }));
  assert.ok(!found.ok);
  assert.match(found.problem, /^trainlint is not installed in \/venv\/bin\/python \(Python 3\.12, the PATH\)/);
  assert.match(found.problem, /"\/venv\/bin\/python" -m pip install "trainlint\[lsp\]"$/);
});

test("where only pygls is missing the message says so", async () => {
  const found = await probe(INTERPRETER, "/", prints({ python: "3.12", trainlint: "0.1.0", pygls: false }));
  assert.ok(!found.ok);
  assert.match(found.problem, /lacks its extra "lsp"/);
});

test("a program that is not there, or is no Python, is a problem and not an exception", async () => {
  const missing = await probe({ path: "/no/such/python", origin: "the setting" }, "/", runProgram);
  assert.ok(!missing.ok);
  assert.match(missing.problem, /^\/no\/such\/python \(the setting\) cannot be run: .*ENOENT/);
  const silent = await probe(INTERPRETER, "/", () => Promise.resolve({ code: 0, stdout: "hello\n", stderr: "" }));
  assert.ok(!silent.ok);
});
