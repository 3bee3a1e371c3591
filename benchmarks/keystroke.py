"""How long an editor waits for the answer to a keystroke, as a multiple of what parsing the file takes.

    python benchmarks/keystroke.py [FOLDER] [--lines N] [--files N] [--keys N] [--json]

The interpreter that runs this script must have trainlint with its extra `lsp`. What the figures mean is in README.md.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import gc
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from pygls.lsp.client import LanguageClient

BUDGET = 20
SAMPLES = Path(__file__).resolve().parents[1] / "sample_repos"
#: Seconds between two keys of somebody who types, and after which somebody has stopped to think.
TYPING, THINKING = 0.12, 0.6
PATIENCE = 300.0


class Measured(NamedTuple):
    """A file: its lines, findings, seconds for parsing it, and seconds for each answer, while typing and after a pause."""

    name: str
    lines: int
    findings: int
    parse: float
    typing: list[float]
    thinking: list[float]

    def ratio(self, seconds: Sequence[float]) -> float:
        """The usual answer (the median), in parses."""
        return statistics.median(seconds) / self.parse

    @property
    def worst(self) -> float:
        """The slowest answer of all, in parses."""
        return max(*self.typing, *self.thinking) / self.parse

    @property
    def ok(self) -> bool:
        """Whether the budget is kept, typing or not."""
        return max(self.ratio(self.typing), self.ratio(self.thinking)) <= BUDGET


class Editor:
    """Just enough of an editor: it says what changed and notes when it is answered."""

    def __init__(self) -> None:
        self.client = LanguageClient("keystroke", "1")
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._published))
        self.findings: dict[tuple[str, int | None], int] = {}
        self._news = asyncio.Event()

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        self.findings[params.uri, params.version] = len(params.diagnostics)
        self._news.set()
        self._news = asyncio.Event()

    async def start(self, folder: Path) -> None:
        """Start the server and open a folder."""
        await self.client.start_io(sys.executable, "-m", "trainlint", "server", cwd=folder)
        folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
        params = types.InitializeParams(types.ClientCapabilities(), root_uri=folder.as_uri(), workspace_folders=folders)
        await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())

    async def stop(self) -> None:
        """End the server."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    async def open(self, path: Path, text: str) -> int:
        """Open a file; how many findings it has."""
        item = types.TextDocumentItem(path.as_uri(), "python", 0, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self._answered(path.as_uri(), 0)

    def close(self, path: Path) -> None:
        """Close a file."""
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(path.as_uri())))

    async def change(self, path: Path, text: str, version: int) -> float:
        """Change a file; the seconds until its findings are there."""
        document = types.VersionedTextDocumentIdentifier(version, path.as_uri())
        whole = types.TextDocumentContentChangeWholeDocument(text)
        begun = time.perf_counter()
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        await self._answered(path.as_uri(), version)
        return time.perf_counter() - begun

    async def _answered(self, uri: str, version: int) -> int:
        async def waiting() -> None:
            while (uri, version) not in self.findings:
                await self._news.wait()

        await asyncio.wait_for(waiting(), PATIENCE)
        return self.findings[uri, version]


async def measure(folder: Path, files: Sequence[Path], keys: int) -> list[Measured]:
    """Type in each of the files."""
    editor = Editor()
    await editor.start(folder)
    found = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        findings = await editor.open(path, text)
        await asyncio.sleep(2 * THINKING)
        typing, thinking, parses = [], [], []
        for version, changed in enumerate(keystrokes(text, 2 * keys), 1):
            pause = version > keys
            await asyncio.sleep(THINKING if pause else TYPING)
            (thinking if pause else typing).append(await editor.change(path, changed, version))
            parses.append(parse(changed))
        editor.close(path)
        lines = text.count("\n")
        found.append(Measured(str(path.relative_to(folder)), lines, findings, statistics.median(parses), typing, thinking))
    await editor.stop()
    return found


def keystrokes(text: str, count: int) -> Iterator[str]:
    """The text as it is after each of some keys: somebody writes a long name, here and there between two statements.

    It can be parsed after each key: one that cannot be is answered sooner.
    """
    lines = text.splitlines(keepends=True)
    places = [
        (node.lineno, node.col_offset) for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Assign, ast.Expr, ast.If))
    ]
    places = [(line, column) for line, column in places if not lines[line - 1][:column].strip() and line > len(lines) // 10]
    chance = random.Random(1)  # noqa: S311 - a place, not a secret
    statement = "value_of_something_or_other"
    while True:
        line, column = chance.choice(places)
        for length in range(1, len(statement) + 1):
            yield "".join([*lines[: line - 1], lines[line - 1][:column], statement[:length], "\n", *lines[line - 1 :]])
            count -= 1
            if not count:
                return


def parse(text: str) -> float:
    """Seconds for parsing a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = time.perf_counter()
        ast.parse(text)
        return time.perf_counter() - begun


def of_length(folder: Path, lines: int, most: int) -> list[Path]:
    """Some files of about that length, of those that hold a word of training code."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        data = path.read_bytes()
        if 0.9 * lines <= data.count(b"\n") <= 1.1 * lines and (b"torch" in data or b"jax" in data or b"accelerate" in data):
            try:
                ast.parse(data)
            except SyntaxError:
                continue
            found.append(path)
    random.Random(1).shuffle(found)  # noqa: S311 - a sample, not a secret
    return found[:most]


@contextmanager
def made(lines: int) -> Iterator[tuple[Path, list[Path]]]:
    """A project of the sample repositories as they are wrong, and a file made of them, about so long."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "pyproject.toml").write_text("")
        parts: list[str] = []
        for path in sorted(SAMPLES.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            copy = folder / path.relative_to(SAMPLES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="utf-8")
            if path.parts[len(SAMPLES.parts)] == "fsdp_lm" and sum(part.count("\n") for part in parts) < lines:
                parts.append(text.replace("from __future__ import annotations\n", ""))
        number = 0
        while sum(part.count("\n") for part in parts) < lines:
            parts.append(parts[number])
            number += 1
        long = folder / "fsdp_lm" / "lm" / "everything.py"
        long.write_text("\n\n".join(parts), encoding="utf-8")
        yield folder, [long]


@contextmanager
def chosen(folder: Path, lines: int, most: int) -> Iterator[tuple[Path, list[Path]]]:
    """Files of a folder."""
    yield folder, of_length(folder, lines, most)


def main() -> int:
    """Measure, print, and return 1 when the budget is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, help="a project with files of that length [one made of sample_repos]")
    parser.add_argument("--lines", type=int, default=1000, help="how long the files are, roughly [%(default)s]")
    parser.add_argument("--files", type=int, default=10, help="how many of them [%(default)s]")
    parser.add_argument("--keys", type=int, default=20, help="how many keys while typing, and as many after pauses [%(default)s]")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    given = parser.parse_args()
    gc.disable()
    project = made(given.lines) if given.folder is None else chosen(given.folder.resolve(), given.lines, given.files)
    with project as (folder, files):
        if not files:
            parser.error(f"there are no files of about {given.lines} lines in {given.folder}")
        rows = asyncio.run(measure(folder, files, given.keys))
    print(as_json(rows) if given.json else as_table(rows))
    return int(not all(row.ok for row in rows))


def as_table(rows: Sequence[Measured]) -> str:
    """The rows for people."""
    lines = [
        f"an answer, in parses of the file (budget ≤ {BUDGET}); Python {platform.python_version()}, {os.cpu_count()} cores",
        "",
    ]
    lines.append("     typing  after a pause  slowest  file")
    for row in rows:
        figures = f"{row.ratio(row.typing):>6.1f} {row.ratio(row.thinking):>14.1f} {row.worst:>8.1f}"
        about = f"{row.lines} lines, findings: {row.findings}, parsed in {row.parse * 1000:.1f} ms"
        lines.append(f"{'ok  ' if row.ok else 'OVER'} {figures}  {row.name} ({about})")
    return "\n".join(lines)


def as_json(rows: Sequence[Measured]) -> str:
    """The rows for programs."""
    return json.dumps(
        {
            "budget": BUDGET,
            "rows": [
                {
                    "file": row.name,
                    "lines": row.lines,
                    "findings": row.findings,
                    "parse": row.parse,
                    "typing": row.ratio(row.typing),
                    "thinking": row.ratio(row.thinking),
                    "slowest": row.worst,
                    "ok": row.ok,
                }
                for row in rows
            ],
        },
        indent=2,
    )


if __name__ == "__main__":
    sys.exit(main())
