"""A digest of all that the model keeps of a program: of each expectation case, each page's example and the other small programs.

``python -m tests.model.sketched`` writes ``sketched.txt`` anew; ``python -m tests.model.sketched FILE`` prints what is digested.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import said
from tests.model.revealing import EXITS
from trainlint.model.lower import lower
from trainlint.model.sketch import Class, Function, Module
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind, statements_of, surroundings

KEPT = Path(__file__).with_suffix(".txt")
_DERIVED = {"flat", "kinds", "around"}
"""What of a function is kept by walking it, in objects of which only the identity says which they are."""


class _Written:
    """Writes a value of the model as text, each term once: it is shared by many, and deep."""

    def __init__(self) -> None:
        self._numbers: dict[Term, int] = {}
        self.lines: list[str] = []

    def text(self, value: object) -> str:
        """The text of a value; terms are numbers of lines."""
        if isinstance(value, Term):
            return self._term(value)
        if isinstance(value, Module | Function | Class):
            fields = {name: each for name, each in vars(value).items() if name not in _DERIVED}
            return f"{type(value).__name__}({self.text(fields)})"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.text(key)}: {self.text(each)}" for key, each in value.items()) + "}"
        if isinstance(value, frozenset):
            return "{" + ", ".join(sorted(self.text(each) for each in value)) + "}"
        if isinstance(value, tuple):
            return f"{type(value).__name__}({', '.join(map(self.text, value))})"
        return repr(value)

    def _term(self, term: Term) -> str:
        pending = [term]
        while pending:  # without recursion: a sum of a thousand numbers is a thousand deep
            current = pending[-1]
            inner = [each for each in _terms_in(current) if each not in self._numbers]
            if inner:
                pending += inner
                continue
            pending.pop()
            if current not in self._numbers:
                line = f"({', '.join(map(self.text, current))})"
                self._numbers[current] = len(self.lines)
                self.lines.append(line)
        return f"#{self._numbers[term]}"


def _terms_in(value: tuple[object, ...]) -> Iterator[Term]:
    for each in value:
        if isinstance(each, Term):
            yield each
        elif isinstance(each, tuple):
            yield from _terms_in(each)


def sketched(text: str) -> str | None:
    """All that the model keeps of a file; None where the positions of what it holds hang on the version of Python (f-strings)."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    if any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree)):
        return None
    module = lower("file.py", tree, EXITS)
    written = _Written()
    parts = [written.text(module)]
    for name, function in module.functions.items():
        flat = statements_of(function)
        numbers = {id(node): number for number, node in enumerate(flat)}
        kinds = {
            kind.__name__: [numbers[id(node)] for node in of_kind(function, kind)] for kind in dict.fromkeys(map(type, flat))
        }
        around = {
            numbers[node]: [numbers[id(loop)] for loop in loops]
            for node, loops in surroundings(function).items()
            if node in numbers
        }
        parts.append(f"{name}: {kinds} {around}")
    return "\n".join([*parts, *written.lines])


def groups() -> dict[str, list[str]]:
    """The names of the programs, by what stands before the slash."""
    found: dict[str, list[str]] = {}
    for name in said.kept_projects():
        found.setdefault(name.partition("/")[0], []).append(name)
    return found


def digests(names: list[str]) -> Iterator[str]:
    """A line for each file of these programs: its name, and the digest of what the model keeps of it."""
    for name in names:
        with tempfile.TemporaryDirectory(prefix="trainlint-sketched-") as folder:
            root = said.kept_projects()[name].put(Path(folder).resolve())
            for path in sorted(root.rglob("*.py")):
                text = sketched(path.read_text(encoding="utf-8", errors="replace"))
                if text is not None:
                    yield f"{name} {path.relative_to(root).as_posix()} {hashlib.sha256(text.encode()).hexdigest()[:10]}"


def kept() -> dict[str, list[str]]:
    """The lines that are kept, by what stands before the first slash."""
    found: dict[str, list[str]] = {}
    for line in KEPT.read_text(encoding="utf-8").splitlines():
        found.setdefault(line.partition("/")[0], []).append(line)
    return found


def main() -> None:
    """Write the digests of today, or show what is digested."""
    if len(sys.argv) > 1:
        sys.stdout.write(f"{sketched(Path(sys.argv[1]).read_text(encoding='utf-8'))}\n")
        return
    lines = [line for names in groups().values() for line in digests(names)]
    KEPT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
