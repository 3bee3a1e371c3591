"""What is known of single files and groups of files from earlier runs over a project, so that an edit costs what it touches.

Three things are remembered, each under all that it depends on:

* of a **file**: which of the words that are asked for it holds, and what it imports, by its text and, where it was parsed, by
  what it binds. It depends on the file's path and content;
* of a **group** of files (see :mod:`trainlint.engine.import_groups`): its findings, before comments are honoured. They depend on
  the content of all its files and of those that rules compare them with, on which rules ask, on what lies around the files
  (requirements, scripts), and on where imports lead:
  while a group is judged, a :class:`Witness` writes down what the finder is asked and what it answers, and the findings count
  only where all answers are the same again;
* what both depend on besides (settings, our version, Python's …) is part of the entry's key.

All of it is one entry of the :mod:`trainlint.engine.cache`, as JSON has it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from trainlint.engine.cache import FILES, Cache
from trainlint.engine.cached_analyses import Around, as_finding, finding_as_data
from trainlint.engine.import_groups import Group, Judged
from trainlint.engine.workspace import Look, Workspace
from trainlint.program.imports import ModuleFinder

#: So many groups are remembered at most, those that were asked for last: a branch that one comes back to has others.
_MOST_GROUPS = 2000
#: What is raised by data that is not as we write it: it is signed, so another version of ours wrote it under the same name.
_OF_ANOTHER_FORM = (ArithmeticError, AttributeError, KeyError, TypeError, ValueError)


class Witness(ModuleFinder):
    """A finder that writes down what it is asked, and what it answers."""

    def __init__(self, finder: ModuleFinder) -> None:
        vars(self).update(vars(finder))
        self._known = {}
        self.splits = {}
        self._finder = finder
        self._absent: set[str] = set()

    def may_be_here(self, dotted: str) -> bool:
        """As ever."""
        if super().may_be_here(dotted):
            return True
        self._absent.add(dotted.partition(".")[0])
        return False

    def _find(self, folder: str, dotted: str) -> str | None:
        return _ask(self._finder, folder, dotted)

    def answers(self) -> dict[str, Any]:
        """Everything that was asked, as data."""
        found: dict[str, dict[str, str | None]] = {}
        for (folder, dotted), path in self._known.items():
            found.setdefault(folder, {})[dotted] = path
        return {"absent": sorted(self._absent), "found": found}


def _ask(finder: ModuleFinder, folder: str, dotted: str) -> str | None:
    return finder.find(folder + os.sep, dotted)


def _holds(answers: Mapping[str, Any], finder: ModuleFinder) -> bool:
    """Whether a finder gives these answers, too."""
    return not any(finder.may_be_here(name) for name in answers["absent"]) and all(
        _ask(finder, folder, dotted) == path for folder, found in answers["found"].items() for dotted, path in found.items()
    )


class Memory:
    """What earlier runs knew of the files of a workspace, and what this one adds.

    ``key`` is that of the entry, ``digests`` say what all files hold, ``around`` what lies around them.
    """

    def __init__(self, cache: Cache, key: str, workspace: Workspace, digests: Mapping[str, str], around: Around) -> None:
        self._cache = cache
        self._key = key
        self._workspace = workspace
        self._digests = digests
        self._around = around
        kept = cache.read(key, FILES)
        sound = isinstance(kept, dict) and isinstance(kept.get("files"), dict) and isinstance(kept.get("groups"), dict)
        self._files: dict[str, Any] = kept["files"] if sound else {}
        self._groups: dict[str, Any] = kept["groups"] if sound else {}
        self._read: dict[str, _Known | None] = {}
        self._looks: dict[str, Look] = {}
        self._parsed: dict[str, list[str]] = {}
        self._read_well: set[str] = set()
        self._is_new = False

    # -- files -----------------------------------------------------------------------------------------------------

    def looks(self) -> dict[str, Look]:
        """What triage sees of files, where that is known; what it sees of others is to be added."""
        for path in self._digests:
            one = self._file(path)
            if one is not None:
                self._looks[path] = one.look
        return self._looks

    def imports(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """The dotted names that these files import, where they were parsed."""
        known = ((path, self._file(path)) for path in paths)
        return {path: one.imports for path, one in known if one is not None and one.imports is not None}

    def _file(self, path: str) -> _Known | None:
        """What is known of a file that holds what it did then."""
        if path not in self._read:
            self._read[path] = None
            with contextlib.suppress(*_OF_ANOTHER_FORM):
                digest, *known = self._files[path]
                if digest == self._digests[path]:
                    self._read[path] = _as_known(*known)
        return self._read[path]

    def note_imports(self, path: str, dotted: list[str]) -> None:
        """Remember what a file imports that was parsed."""
        self._parsed[path] = dotted

    def reads_well(self, path: str) -> bool:
        """Whether a file could be parsed that was parsed for that alone."""
        one = self._file(path)
        return path in self._read_well or (one is not None and one.reads_well)

    def note_reads_well(self, path: str) -> None:
        """Remember that a file can be parsed that no rule asks about."""
        self._read_well.add(path)

    # -- groups ----------------------------------------------------------------------------------------------------

    def judged(self, group: Group, finder: ModuleFinder) -> Judged | None:
        """The findings of a group; None when they are not known."""
        key = self._group_key(group)
        with contextlib.suppress(*_OF_ANOTHER_FORM):
            kept = self._groups.pop(key)
            judged = Judged([as_finding(one) for one in kept["findings"]], int(kept["given_up"]))
            if _holds(kept["answers"], finder):
                self._groups[key] = kept  # it is the last that was asked for
                return judged
        return None

    def witness(self, finder: ModuleFinder) -> Witness:
        """The finder with which a group is to be judged that will be noted."""
        return Witness(finder)

    def note(self, group: Group, judged: Judged, witness: Witness) -> None:
        """Remember the findings of a group, and what they hang on."""
        places = {os.path.abspath(path) for one in judged.findings for path in (one.path, *(place.path for place in one.related))}  # noqa: PTH100
        if not places.issubset((*group.paths, *group.beside)):
            return  # it says something of a file that nobody looked at
        findings = [finding_as_data(one) for one in judged.findings]
        kept = {"answers": witness.answers(), "findings": findings, "given_up": judged.given_up}
        self._groups[self._group_key(group)] = kept
        self._is_new = True

    def _group_key(self, group: Group) -> str:
        spelled, targets = self._workspace.spelled, self._workspace.targets
        files = [[path, str(spelled[path]), path in targets, self._digests.get(path)] for path in (*group.paths, *group.beside)]
        return hashlib.sha256(json.dumps([group.codes, files, self._around.of(group.paths)]).encode()).hexdigest()

    # -- the end ---------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Keep everything for the next run, if anything is new; what is known of files that are gone is left out."""
        for path, look in self._looks.items():
            known = self._file(path)
            dotted = self._parsed.get(path, known.imports if known is not None else None)
            well = self.reads_well(path)
            if path in self._digests and (known is None or dotted is not known.imports or well is not known.reads_well):
                self._files[path] = [self._digests[path], *_as_data(look, dotted), well]
                self._is_new = True
        if self._is_new:
            files = {path: kept for path, kept in self._files.items() if path in self._digests or os.path.exists(path)}  # noqa: PTH110
            groups = dict(list(self._groups.items())[-_MOST_GROUPS:])
            self._cache.write(self._key, {"files": files, "groups": groups}, FILES)


class _Known(NamedTuple):
    """What is known of a file; ``imports`` is None of one that was not parsed, or only to see whether it ``reads_well``."""

    look: Look
    imports: list[str] | None
    reads_well: bool


def _as_data(look: Look, dotted: list[str] | None) -> list[Any]:
    words = sorted(word.decode("latin-1") for word in look.words)
    return [words, look.telling, look.imports, look.commented, dotted]


def _as_known(
    words: list[str], telling: bool, imports: list[Any], commented: bool, dotted: list[str] | None, well: bool
) -> _Known:
    taken = [(str(module), tuple(names)) for module, names in imports]
    return _Known(Look(frozenset(word.encode("latin-1") for word in words), telling, taken, commented), dotted, well)
