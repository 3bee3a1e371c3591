/** Which Python runs the server, and whether it can. Nothing here knows VS Code. */

import { execFile } from "node:child_process";

/** An interpreter and where the choice came from, in words for a message. */
export interface Interpreter {
  readonly path: string;
  readonly origin: string;
}

/** What a program printed; `code` is its exit code, null where it could not be started or was killed. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Run = (program: string, args: readonly string[], cwd: string) => Promise<Ran>;

/** What a probe of an interpreter says: it can serve, or the sentence that says why it cannot. */
export type Probe =
  | { readonly ok: true; readonly version: string }
  | { readonly ok: false; readonly problem: string };

const PROBE_TIMEOUT_MS = 30_000;
const EXPLAIN_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * The interpreter of the setting, else the one that is selected in the Python extension, else the one on the PATH.
 * `selected` is undefined where there is no Python extension or nothing is selected.
 */
export function chooseInterpreter(setting: string, selected: string | undefined, platform: NodeJS.Platform): Interpreter {
  if (setting.trim() !== "") {
    return { path: setting.trim(), origin: "the setting trainlint.interpreter" };
  }
  if (selected !== undefined && selected !== "") {
    return { path: selected, origin: "the interpreter selected in the Python extension" };
  }
  return { path: platform === "win32" ? "python" : "python3", origin: "the PATH" };
}

// -P (do not look for modules in the working folder) is known to Python 3.11 only, so the working folder is one of ours.
const QUESTION = [
  "import sys, json",
  "from importlib import util, metadata",
  "there = lambda name: util.find_spec(name) is not None",
  "version = metadata.version('trainlint') if there('trainlint') else None",
  "print(json.dumps({'python': '%d.%d' % sys.version_info[:2], 'trainlint': version, 'pygls': there('pygls')}))",
].join("\n");

/** Whether this interpreter has trainlint with what its server needs. `cwd` must hold no Python code of strangers. */
export async function probe(interpreter: Interpreter, cwd: string, run: Run = runProgram): Promise<Probe> {
  const { path, origin } = interpreter;
  const ran = await run(path, ["-c", QUESTION], cwd);
  const answer = ran.code === 0 ? parsed(ran.stdout) : undefined;
  if (answer === undefined) {
    const why = ran.stderr.trim().split("\n").at(-1) ?? "";
    return { ok: false, problem: `${path} (${origin}) cannot be run${why === "" ? "" : `: ${why}`}` };
  }
  const install = `"${path}" -m pip install "trainlint[lsp]"`;
  if (answer.trainlint === null) {
    const problem = `trainlint is not installed in ${path} (Python ${answer.python}, ${origin}). Install it with: ${install}`;
    return { ok: false, problem };
  }
  if (!answer.pygls) {
    const problem = `trainlint ${answer.trainlint} in ${path} lacks its extra "lsp" (pygls). Install it with: ${install}`;
    return { ok: false, problem };
  }
  return { ok: true, version: answer.trainlint };
}

interface Answer {
  readonly python: string;
  readonly trainlint: string | null;
  readonly pygls: boolean;
}

function parsed(text: string): Answer | undefined {
  try {
    return JSON.parse(text.trim().split("\n").at(-1) ?? "") as Answer;
  } catch {
    return undefined;
  }
}

/** Run a program without a shell and wait for its end; the promise is never rejected. */
export function runProgram(program: string, args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, encoding: "utf8", timeout: PROBE_TIMEOUT_MS, maxBuffer: EXPLAIN_OUTPUT_BYTES } as const;
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ code, stdout, stderr: stderr === "" && error !== null ? error.message : stderr });
    });
  });
}
