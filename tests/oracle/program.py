"""What the generator makes and the interpreter runs: the files of one program."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Program:
    """Python files, the one that is started, and which constructs its author put in.

    ``slips`` names the idioms in which a mistake was made on purpose (which need not hurt: what is wrong the interpreter says).

    ``files`` maps a path inside the program ("job/train.py") to its text; ``entry`` is one of these paths. A program with
    a package is started as ``python -m job.train``, any other as ``python train.py``.
    """

    files: dict[str, str]
    entry: str
    constructs: frozenset[str] = field(default_factory=frozenset)
    slips: tuple[str, ...] = ()
    seed: int = -1

    def write(self, folder: Path) -> None:
        """Put the files into a folder."""
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def text(self) -> str:
        """All files one after the other, each under its name, as a person wants to read them."""
        return "".join(f"# ---- {name}\n{text}" for name, text in self.files.items())


def from_text(text: str) -> Program:
    """The program that :meth:`Program.text` wrote (the last file is the one that is started)."""
    files: dict[str, list[str]] = {}
    current: list[str] = files.setdefault("main.py", []) if not text.startswith("# ---- ") else []
    for line in text.splitlines(keepends=True):
        if line.startswith("# ---- "):
            current = files.setdefault(line[7:].strip(), [])
        else:
            current.append(line)
    return Program({name: "".join(lines) for name, lines in files.items()}, list(files)[-1])
