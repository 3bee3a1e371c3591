"""What HyperPyYAML makes: the classes and functions that YAML files name by tags, ``!new:``, ``!name:``, ``!apply:``.

A tag is only read here: nothing of such a file is made or called. Which files a job may be started with, its launch lines say;
where one names none that is there (``hparams/file.yaml`` stands for any), those in a folder beside the script do.
"""

# Paths are plain strings here, as the documents have them.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from trainlint.app.preflight.line import Place
from trainlint.app.preflight.values.words import known, split
from trainlint.documents.document import Document
from trainlint.ir.nodes import Call, Term
from trainlint.jobs.launch_lines import Launch, named_documents
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, FunctionValue, Library, Value

_TAG = re.compile(r"!(new|name|apply|module|include):([A-Za-z_][\w.]*)?")
_KEY = re.compile(r"[ \t-]*([A-Za-z_]\w*):")
#: What folders of such files are called.
_FOLDERS = ("hparams", "hyperparams")
#: The tables of what nobody should say is missing when a file names it.
_ASKED = ("gradient-checkpointing", "log-memory", "log-gradient-norm", "compile")


class Tag(NamedTuple):
    """A tag with the name behind it: of a class that is made, a function that is called, or something that is handed on."""

    kind: str
    name: str


class Tags:
    """Those of a job's files."""

    def __init__(self, program: Program, path: str, launches: Iterable[Launch]) -> None:
        self.program = program
        self.path = path
        self.launches = tuple(launches)

    @cached_property
    def _reads(self) -> frozenset[str]:
        """The files of the program that read such files."""
        names = known(self.program, "makes-by-tags")
        return frozenset(site.module for name in names for site in self.program.ask(CallGraph).sites.get(name, ()))

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The files that the job may be started with."""
        named = [[document for _, document in named_documents(self.program, each)] for each in self.launches]
        found = {document.path: document for some in named for document in some}
        if not all(named) or not named:
            folders = tuple(os.path.join(os.path.dirname(self.path), name) + os.sep for name in _FOLDERS)
            words = [key.encode() for key in known(self.program, "configuration-keys")]
            found.update((each.path, each) for each in self.program.documents.of(words, "yaml") if each.path.startswith(folders))
        return tuple(found[path] for path in sorted(found))

    @cached_property
    def _tags(self) -> tuple[frozenset[Tag], ...]:
        """The tags of each of them."""
        return tuple(frozenset(_tags(each.text)) for each in self.documents)

    @cached_property
    def _values(self) -> dict[Tag, Value]:
        """What the tags of all of them name."""
        return {tag: self.program.lookup(self.path, tag.name) for tags in self._tags for tag in tags if tag.name}

    def files(self, here: str) -> frozenset[str]:
        """The files of the project that are read because of a file that reads such files."""
        if here != self.path or here not in self._reads:
            return frozenset()
        return frozenset(each.module for each in self._values.values() if isinstance(each, (ClassValue, FunctionValue)))

    @property
    def makes(self) -> bool:
        """Whether tags say what is made at all."""
        return any(self._tags)

    def made(self, path: str, callee: Term) -> Iterator[ClassValue | FunctionValue]:
        """The classes and functions of the project that a call makes and calls, whichever of the files it is handed."""
        if path != self.path or path not in self._reads or last_name(callee) not in known(self.program, "makes-by-tags"):
            return
        for tag in sorted(frozenset.intersection(*self._tags)) if self._tags else ():
            value = self._values.get(tag)
            if tag.kind in ("new", "apply") and isinstance(value, (ClassValue, FunctionValue)):
                yield value

    def settles(self, place: Place, files: frozenset[str]) -> bool:
        """Whether all that a call may make is seen: of the job's files, or of libraries that do nothing that is asked about."""
        makes = isinstance(place.term, Call) and last_name(place.term.callee) in known(self.program, "makes-by-tags")
        if not makes or place.module != self.path:
            return False
        if not any(self._tags) or any(tag.kind == "include" or not tag.name for tags in self._tags for tag in tags):
            return False
        asked = {name for table in _ASKED for name in known(self.program, table)}
        for tag, value in self._values.items():
            if isinstance(value, (ClassValue, FunctionValue)):
                if value.module not in files:
                    return False
            elif not isinstance(value, Library) or value.name in asked or value.name.startswith("<project>."):
                return False
            elif tag.kind == "apply" and "seed" in split(tag.name):
                return False  # it is called, and no call of Python
        return not any(self._is_asked_about(key) for each in self.documents for key in _keys(each.text))

    def _is_asked_about(self, key: str) -> bool:
        """Whether a key may ask for what nobody should say is missing then."""
        words = frozenset(split(key))
        if not words.isdisjoint(known(self.program, "gradient-checkpointing-words")):
            return True
        return "log" in words and not words.isdisjoint(("memory", *known(self.program, "gradient-norm-words")))

    def says(self, key: str) -> bool:
        """Whether one of the files has a key."""
        return any(key in _keys(each.text) for each in self.documents)


def _tags(text: str) -> Iterator[Tag]:
    """The tags in a text, but for those in comments."""
    for line in text.splitlines():
        if not line.lstrip().startswith("#"):
            for found in _TAG.finditer(line.partition(" #")[0]):
                yield Tag(found.group(1), (found.group(2) or "").rstrip("."))


def _keys(text: str) -> Iterator[str]:
    """The keys in a text: each is an argument of what is made, or may be."""
    for line in text.splitlines():
        found = _KEY.match(line)
        if found is not None:
            yield found.group(1)
