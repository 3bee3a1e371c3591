import "./vscodeStub";

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";

import type * as vscode from "vscode";

import { Controller } from "../src/controller";
import { serverSettings, STARTING } from "../src/settings";
import { recorded, reset } from "./vscodeStub";

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { default: unknown }> };
  };
}

const ROOT = path.resolve(__dirname, "../.."); // from out/test
const MANIFEST = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as Manifest;
const PROPERTIES = MANIFEST.contributes.configuration.properties;

test("every command that package.json names is registered, and no other", async () => {
  reset();
  recorded.settings = { enable: false };
  const output = { appendLine: () => undefined } as unknown as vscode.OutputChannel;
  await new Controller("/extension", output, () => assert.fail("nothing is to be started")).activate();
  assert.deepEqual([...recorded.commands.keys()].sort(), MANIFEST.contributes.commands.map((each) => each.command).sort());
});

test("what VS Code loads can be loaded", async () => {
  const { activate, deactivate } = await import("../src/extension");
  assert.deepEqual([typeof activate, typeof deactivate], ["function", "function"]);
  await deactivate(); // without a server
});

test("the settings that restart the server are settings", () => {
  assert.deepEqual(STARTING.filter((key) => !(key in PROPERTIES)), []);
});

test("with the defaults of package.json nothing is sent to the server", () => {
  const get = (key: string): unknown => PROPERTIES[`trainlint.${key}`]?.default;
  assert.deepEqual(serverSettings({ get } as unknown as vscode.WorkspaceConfiguration), {});
});

test("README.md documents every setting and command", () => {
  const text = readFileSync(path.join(ROOT, "README.md"), "utf8");
  const missing = Object.keys(PROPERTIES).filter((key) => !text.includes(`\`${key}\``));
  assert.deepEqual(missing, []);
  const titles = (MANIFEST.contributes.commands as unknown as { title: string }[]).map((each) => each.title);
  assert.deepEqual(titles.filter((title) => !text.includes(title)), []);
});
