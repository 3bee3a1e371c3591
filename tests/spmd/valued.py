"""What is known of each expression of small programs: which values it may have, and what it is worth on each rank.

Of each program a digest is kept. ``python -m tests.spmd.valued`` writes ``valued.txt`` anew, and with a name (what a line of
it begins with: ``TL101/called``) prints what is digested.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests import said
from tests.model.revealing import EXITS
from trainlint.facts.modules import ModuleFinder
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame
from trainlint.knowledge import Knowledge, load_knowledge
from trainlint.model.lower import lower
from trainlint.model.sketch import Class, Function
from trainlint.model.terms import Term, parts_of, show
from trainlint.model.walk import statements_of
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import UNKNOWN

KEPT = Path(__file__).with_suffix(".txt")
_LONGEST = 60


@cache
def _knowledge() -> Knowledge:
    return load_knowledge()


class _Told:
    """Tells what is known of a program as text. What is unknown has a number: two that have the same are known to be equal."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._numbers: dict[object, int] = {}

    def lines(self) -> Iterator[str]:
        """A line for each expression of each function; those of a file follow its name."""
        for path, module in self.program.modules.items():
            yield path
            for function in module.functions.values():
                yield function.qualname
                frame = self.program.frame(path, function)
                terms = [part for node in statements_of(function) for part in node if isinstance(part, Term)]
                terms += [*function.bound.values(), *function.looped.values()]
                for term in dict.fromkeys(parts_of(*terms)):
                    if term[0] != "c":
                        yield f"{show(term)[:_LONGEST]}: {self._values(term, frame)}; {self._on_ranks(term, frame)}"

    def _values(self, term: Term, frame: Frame) -> str:
        return ", ".join(self._plain(value) for value in self.program.values(term, frame))

    def _on_ranks(self, term: Term, frame: Frame) -> str:
        peers: list[Evaluator] = Evaluator(self.program, 0, lambda _: None).peers()
        found = [peer.value(term, frame) for peer in peers]
        texts = [self._worth(value) for value in found]
        return texts[0] if len(set(texts)) == 1 else " | ".join(texts)

    def _worth(self, value: object) -> str:
        if not isinstance(value, UNKNOWN):
            return (
                f"{type(value).__name__} {value!r}"
                if isinstance(value, int | str | float | tuple | list)
                else type(value).__name__
            )
        parts = [self._worth(part) if isinstance(part, UNKNOWN) else self._key(part) for part in value]
        return f"{type(value).__name__}({', '.join(parts)})"

    def _key(self, key: object) -> str:
        if key is None or isinstance(key, bool | int | str):
            return repr(key)
        return f"#{self._numbers.setdefault(key, len(self._numbers))}"

    def _plain(self, value: object) -> str:
        """A value that an expression may have, without what surrounds it."""
        if isinstance(value, Term):
            return show(value)[:_LONGEST]
        if isinstance(value, Frame):
            return f"in {value.function.qualname}"
        if isinstance(value, Function | Class):
            return value.qualname
        if isinstance(value, Bound):
            return f"given {show(value.term)[:_LONGEST]}"
        if isinstance(value, tuple):
            return f"{type(value).__name__}({', '.join(map(self._plain, value))})"
        return repr(value)


def told(root: Path) -> str | None:
    """What is known of the expressions of a program; None where some version of Python sees other places in it (f-strings)."""
    modules = {}
    for path in sorted(root.rglob("*.py")):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
        except SyntaxError:
            return None
        if any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree)):
            return None
        name = f"/project/{path.relative_to(root).as_posix()}"
        modules[name] = lower(name, tree, EXITS)
    return "\n".join(_Told(Program(modules, ModuleFinder(set(modules), ["/project"]), _knowledge())).lines())


def groups() -> dict[str, list[str]]:
    """The names of the programs, by what stands before the slash; those that are there to take long are left out."""
    found: dict[str, list[str]] = {}
    for name in said.kept_projects():
        if not name.startswith("fuzz/"):
            found.setdefault(name.partition("/")[0], []).append(name)
    return found


def _told_of(name: str) -> str | None:
    with tempfile.TemporaryDirectory(prefix="trainlint-valued-") as folder:
        return told(said.kept_projects()[name].put(Path(folder).resolve()))


def digests(names: list[str]) -> Iterator[str]:
    """A line for each program: its name, and the digest of what is known of it."""
    for name in names:
        text = _told_of(name)
        if text is not None:
            yield f"{name} {hashlib.sha256(text.encode()).hexdigest()[:10]}"


def kept() -> dict[str, list[str]]:
    """The lines that are kept, by what stands before the first slash."""
    found: dict[str, list[str]] = {}
    for line in KEPT.read_text(encoding="utf-8").splitlines():
        found.setdefault(line.partition("/")[0], []).append(line)
    return found


def main() -> None:
    """Write the digests of today, or show what is digested."""
    if len(sys.argv) > 1:
        sys.stdout.write(f"{_told_of(sys.argv[1])}\n")
        return
    lines = [line for names in groups().values() for line in digests(names)]
    KEPT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
