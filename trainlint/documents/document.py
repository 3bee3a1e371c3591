"""A file beside the Python: what kind of text it is, by its name; read when somebody asks; and all of those of a run."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from trainlint.documents.container import Container
    from trainlint.documents.requirements import Wanted
    from trainlint.documents.shell import Script
    from trainlint.documents.tree import Node

Kind = Literal["json", "yaml", "toml", "shell", "container", "requirements", "ini"]

_BY_SUFFIX: dict[str, Kind] = {
    ".json": "json",
    ".jsonc": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".ini": "ini",
    ".sh": "shell",
    ".bash": "shell",
    ".slurm": "shell",
    ".sbatch": "shell",
    ".pbs": "shell",
    ".lsf": "shell",
    ".dockerfile": "container",
    ".containerfile": "container",
}
#: What installers lock, which ends as no other text of its kind does.
_LOCKS: dict[str, Kind] = {"poetry.lock": "toml", "uv.lock": "toml", "pdm.lock": "toml", "Pipfile.lock": "json"}
# Compiled when a name needs them: most names of most folders do not.
_REQUIREMENTS = r"(?i)(?:requirements|constraints)[\w.-]*\.(?:txt|in)|[\w.-]*[-_.]?requirements\.(?:txt|in)"
_CONTAINER = r"(?i)(?:Docker|Container)file(?:[._-].*)?"
#: What a suffix says of another tool's files: `Dockerfile.py` is Python.
_NOT_A_CONTAINER = (".py", ".pyc", ".md", ".rst", ".ipynb", ".dockerignore")


def kind_of(name: str) -> Kind | None:
    """The kind of a file by its name without folders; None for one that is not read.

    >>> kind_of("ds_config.json"), kind_of("Dockerfile.gpu"), kind_of("requirements-dev.txt"), kind_of("train.py")
    ('json', 'container', 'requirements', None)
    """
    dot = name.rfind(".")
    kind = _BY_SUFFIX.get(name[dot:].lower()) if dot > 0 else None
    if kind is not None:
        return kind
    if name.endswith(".lock"):
        return _LOCKS.get(name)
    if name.endswith((".txt", ".in")) and re.fullmatch(_REQUIREMENTS, name):
        return "requirements"
    if "file" in name and re.fullmatch(_CONTAINER, name) and not name.lower().endswith(_NOT_A_CONTAINER):
        return "container"
    return None


def lies_above(path: str, other: str) -> bool:
    """Whether a file lies in the folder of another one, or in a folder above that; both by their absolute paths."""
    return (os.path.dirname(other) + os.sep).startswith(os.path.dirname(path).rstrip(os.sep) + os.sep)  # noqa: PTH120


class Document:
    """One file. What it holds is read when first asked for; in a file that cannot be read there is nothing.

    Attributes:
        path: its absolute path.
        kind: what kind of text it is, by its name.
        text: what it says; places in it are :class:`trainlint.finding.Spot` (1-based lines, 0-based byte columns).

    Raises ValueError for a file that its name says is of no kind, unless the kind is given.

    """

    def __init__(self, path: str, text: str, kind: Kind | None = None) -> None:
        kind = kind or kind_of(os.path.basename(path))  # noqa: PTH119
        if kind is None:
            message = f"{path} is nothing that is read"
            raise ValueError(message)
        self.path = path
        self.kind = kind
        self.text = text

    @property
    def folder(self) -> str:
        """The absolute path of the folder that it is in."""
        return os.path.dirname(self.path)  # noqa: PTH120 - paths are plain strings here

    @cached_property
    def lines(self) -> list[str]:
        """What it says, line by line, without the line feeds."""
        return self.text.split("\n")

    @cached_property
    def roots(self) -> tuple[Node, ...]:
        """The data of a JSON, TOML or INI file (one) or of a YAML file (any number)."""
        if self.kind == "json":
            from trainlint.documents.json_tree import read_json

            value = read_json(self.text.encode("utf-8", "replace"))
            return () if value is None else (value,)
        if self.kind == "yaml":
            from trainlint.documents.yaml_tree import read_yaml

            return read_yaml(self.text)
        if self.kind == "toml":
            from trainlint.documents.toml_tree import read_toml

            table = read_toml(self.text.encode("utf-8", "replace"))
            return () if table is None else (table,)
        if self.kind == "ini":
            from trainlint.documents.tree import read_ini

            return (read_ini(self.text),)
        return ()

    @cached_property
    def container(self) -> Container | None:
        """What a Dockerfile says."""
        if self.kind != "container":
            return None
        from trainlint.documents.container import read_container

        return read_container(self.text.encode("utf-8", "replace"))

    @cached_property
    def scripts(self) -> tuple[Script, ...]:
        """The shell scripts in it: the file itself, or those that a Dockerfile runs."""
        if self.kind == "shell":
            from trainlint.documents.shell import read_shell

            script = read_shell(self.text.encode("utf-8", "replace"))
            return () if script is None else (script,)
        return () if self.container is None else tuple(self.container.runs)

    @cached_property
    def wanted(self) -> tuple[Wanted, ...]:
        """The packages it asks for: those of a requirements file, and those that its scripts install."""
        from trainlint.documents.requirements import installed_by, read_requirements

        if self.kind == "requirements":
            return tuple(read_requirements(self.text))
        return tuple(wanted for script in self.scripts for wanted in installed_by(script.commands))


class Documents:
    """The files beside the Python of a run which have any of the words that the rules ask for."""

    def __init__(self, words: Mapping[str, frozenset[bytes]], text: Callable[[str], str | None]) -> None:
        """``words`` are those of each file by its absolute path, ``text`` gives what it says (None: it cannot be read)."""
        self._words = dict(words)
        self._text = text
        self._read: dict[str, Document | None] = {}

    def __len__(self) -> int:
        return len(self._words)

    def have(self, words: Collection[bytes]) -> bool:
        """Whether one of the words stands in any of the files."""
        return any(not known.isdisjoint(words) for known in self._words.values())

    def paths(self, words: Collection[bytes]) -> tuple[str, ...]:
        """The files in which one of the words stands, sorted."""
        return tuple(path for path in sorted(self._words) if not self._words[path].isdisjoint(words))

    def of(self, words: Collection[bytes], *kinds: Kind) -> Iterator[Document]:
        """Those of some kinds (none given: of any) in which one of some words stands, by path."""
        for path in self.paths(words):
            if not kinds or kind_of(os.path.basename(path)) in kinds:  # noqa: PTH119
                document = self.at(path)
                if document is not None:
                    yield document

    def at(self, path: str) -> Document | None:
        """The one at an absolute path; None when it is not there, not known by any word, or cannot be read."""
        if path not in self._words:
            return None
        if path not in self._read:
            text = self._text(path)
            self._read[path] = None if text is None else Document(path, text)
        return self._read[path]
