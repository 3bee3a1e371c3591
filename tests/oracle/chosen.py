"""Some hundred small random programs on which the analysis is right, with their truth: what one change of it makes wrong shows.

``python -m tests.oracle.chosen`` chooses them anew and writes ``chosen.txt``: of each its number, a digest of its text, what
the interpreter says of it (the kind of mistake, the lines of the collectives and of the guards), and what the analysis reports.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from tests import said
from tests.oracle.generator import generate
from tests.oracle.interpreter import Verdict
from tests.oracle.program import Program
from tests.oracle.scorer import CODES, Result, compare
from tests.oracle.world import Line
from trainlint import check_paths

KEPT = Path(__file__).parent / "chosen.txt"
FIRST, MANY, LONGEST = 40_000, 400, 110
"""The number that is tried first, how many programs are chosen, and how many lines the longest of them has."""

_HEAD = "## "


class Chosen(NamedTuple):
    """A program as it is kept; lines as ``train.py:3 train.py:7``, ``said`` as :func:`tests.said.said_of` writes it."""

    seed: int
    digest: str
    kind: str
    collectives: str
    guards: str
    said: str

    def text(self) -> str:
        """The part of the file that is about it."""
        head = f"{_HEAD}{self.seed} {self.digest} {self.kind}"
        return f"{head}\n# collectives: {self.collectives}\n# guards: {self.guards}\n{self.said}"


def digest(program: Program) -> str:
    """Tells whether the generator still writes the same program."""
    return hashlib.sha256(program.text().encode()).hexdigest()[:12]


def said_of(program: Program) -> str:
    """What the rules about ranks that part say of a program."""
    with tempfile.TemporaryDirectory(prefix="oracle") as name:
        folder = Path(name).resolve()
        program.write(folder)
        return said.said_of(folder, check_paths([folder], select=[*CODES, "TL005"]))


def named(lines: set[Line]) -> str:
    """Places in a line of the file."""
    return " ".join(f"{path}:{line}" for path, line in sorted(lines))


def known(program: Program, verdict: Verdict) -> Chosen:
    """What is kept of a program."""
    truth = (verdict.kind or "right", named(verdict.collectives), named(verdict.guards))
    return Chosen(program.seed, digest(program), *truth, said_of(program))


def read() -> Iterator[Chosen]:
    """The programs that are kept."""
    for part in ("\n" + KEPT.read_text(encoding="utf-8")).split(f"\n{_HEAD}")[1:]:
        head, collectives, guards, *lines = part.removesuffix("\n").split("\n")
        seed, name, kind = head.split(" ")
        text = "".join(f"{line}\n" for line in lines)
        yield Chosen(int(seed), name, kind, collectives.partition(": ")[2], guards.partition(": ")[2], text)


def choose() -> Iterator[Result]:
    """Short programs that are judged rightly, in order."""
    short = (each for each in map(generate, count(FIRST)) if each.text().count("\n") <= LONGEST)
    return islice((each for each in map(compare, short) if each.right), MANY)


def main() -> None:
    """Choose, and write what is known of them."""
    parts = [known(each.program, each.verdict).text() for each in choose()]
    KEPT.write_text("".join(parts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
