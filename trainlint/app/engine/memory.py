"""What is known of single files and groups of files from earlier runs over a project, so that an edit costs what it touches.

Four things are remembered, each under all that it depends on:

* of a **file**: which of the words that are asked for it holds, and what it imports, by its text and, where it was parsed, by
  what it binds. It depends on the file's path and content;
* its **model**, which depends on the same: loading it takes a seventh of parsing and lowering the file, or less;
* of a **group** of files (see :func:`trainlint.program.imports.connected`): what the rules suspected,
  whichever files are checked, before it is confirmed and comments are honoured. It depends on
  the content of all its files and of those that rules compare them with, on which rules ask, on what lies around the files
  (requirements, scripts), and on where imports lead:
  while a group is judged, a :class:`Witness` writes down what the finder is asked and what it answers, and what was suspected
  counts only where all answers are the same again. It counts, too, where files were edited that say what they said before, on
  other lines (:mod:`trainlint.app.engine.moved_lines`);
* what all depend on besides (settings, our version, Python's …) is part of the entry's key.

But for the models, all of it is one entry of the :mod:`trainlint.app.engine.cache`, as JSON has it. Models and suspects are
pickles: an entry is signed with the user's secret, so only we have written it, and what may be made of it all the same are things
of ours and nothing else. Models are spread over a few entries, so that an edit has one of these read and written again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import json
import os
import pickle
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.app.engine.cache import FILES, MODELS, Cache
from trainlint.app.engine.cached_analyses import Around
from trainlint.app.engine.result import Group, Suspected
from trainlint.app.engine.workspace import Look, Trouble
from trainlint.finding import Suspect
from trainlint.ir.sketch import Module
from trainlint.program.imports import ModuleFinder
from trainlint.source.deep import run_deep

if TYPE_CHECKING:
    from trainlint.rules.api import Rule

#: So many groups are remembered at most, those that were asked for last: a branch that one comes back to has others.
MOST_GROUPS = 2000
#: So many states of one list of files are compared with what it is now: the last ones, and those before a change of branches.
_MOST_STATES = 4
#: And so many bytes of them, roughly, since an entry has its limit.
_MOST_BYTES = 12 << 20
#: The models are spread over so many entries.
_PARTS = 8
#: So many models of one file are kept: those of its last states.
MOST_MODELS = 3
#: What a pickle may make besides what our own modules have.
_PLAIN = frozenset((("builtins", "complex"), ("builtins", "Ellipsis")))
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


def _together(some: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Two lots of answers of one finder."""
    folders = some["found"].keys() | more["found"].keys()
    found = {folder: {**some["found"].get(folder, {}), **more["found"].get(folder, {})} for folder in sorted(folders)}
    return {"absent": sorted({*some["absent"], *more["absent"]}), "found": found}


class Memory:
    """What earlier runs knew of the files of a workspace, and what this one adds.

    ``key`` is that of the entry, ``digests`` say what all files hold, ``around`` what lies around them.
    """

    def __init__(self, cache: Cache, key: str, digests: Mapping[str, str], around: Around) -> None:
        self._cache = cache
        self._key = key
        self._digests = digests
        self._around = around
        kept = cache.read(key, FILES)
        sound = isinstance(kept, dict) and all(isinstance(kept.get(name), dict) for name in ("files", "groups", "states"))
        self._files: dict[str, Any] = kept["files"] if sound else {}
        self._groups: dict[str, Any] = kept["groups"] if sound else {}
        #: Of each list of files that was judged as a group: the keys of the last groups that they were, and what they held then.
        self._states: dict[str, Any] = kept["states"] if sound else {}
        self._models = KeptModels(cache, key, digests)
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

    def model(self, path: str) -> Module | None:
        """The model of a file, if it is known; it is good for this run alone."""
        return self._models.model(path, self._digests[path])

    def note_model(self, model: Module) -> None:
        """Remember the model of a file that was lowered just now."""
        self._models.note(model)

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

    def suspected(self, group: Group, finder: ModuleFinder, modules: Mapping[str, Module]) -> Suspected | None:
        """What was suspected in a group; None when it is not known. ``modules`` has the models of the files that were edited."""
        key = self._group_key(group)
        with contextlib.suppress(*_OF_ANOTHER_FORM):
            kept = self._groups.pop(key, None)
            if kept is not None:
                suspected = _suspected(kept)
                if _holds(kept["answers"], finder):
                    self._groups[key] = kept  # it is the last that was asked for
                    self._note_state(group, key)
                    return suspected
            return self._moved(group, key, finder, modules)
        return None

    def _moved(self, group: Group, key: str, finder: ModuleFinder, modules: Mapping[str, Module]) -> Suspected | None:
        """What was suspected in a group of which files were edited since, if they say what they said then, on other lines."""
        for before, digests in reversed(self._states.get(self._state_key(group), ())):
            suspected = self._moved_since(before, digests, group, finder, modules)
            if suspected is not None:
                self._keep(group, key, suspected, self._groups[before]["answers"])
                return suspected
        return None

    def _moved_since(
        self, before: str, digests: list[str], group: Group, finder: ModuleFinder, modules: Mapping[str, Module]
    ) -> Suspected | None:
        kept = self._groups.get(before)
        if kept is None:
            return None
        edited = [path for path, digest in zip(group.paths, digests, strict=True) if digest != self._digests[path]]
        if not modules.keys() >= set(edited) or not _holds(kept["answers"], finder):
            return None
        from trainlint.app.engine.moved_lines import Otherwise, moved_lines

        suspected = _suspected(kept)
        names = [PurePath(path).name for path in group.paths]
        for path in edited:
            then = self._models.model(path, digests[group.paths.index(path)])
            is_alone = names.count(PurePath(path).name) == 1
            lines = moved_lines(then, modules[path], is_alone=is_alone) if then is not None else None
            if lines is None:
                return None
            try:
                suspects = [(code, lines.suspect(suspect)) for code, suspect in suspected.suspects]
                troubles = [(at, lines.trouble(at, trouble)) for at, trouble in suspected.troubles]
            except Otherwise:
                return None
            suspected = Suspected(suspects, troubles, suspected.left)
        return suspected

    def witness(self, finder: ModuleFinder) -> Witness:
        """The finder with which a group is to be judged that will be noted."""
        return Witness(finder)

    def note(
        self,
        group: Group,
        suspects: Iterable[tuple[Rule, Suspect]],
        troubles: list[tuple[str, Trouble]],
        left: Iterable[str],
        witness: Witness,
    ) -> None:
        """Remember what is suspected in a group, for which rules there was no time, and what that hangs on.

        If only those were asked for which there was no time before, it is remembered with what was known already.
        """
        try:
            # What a repair is worked out from may hold the whole program.
            asked = [(rule.code, dataclasses.replace(one, data={"change": rule.repairer(one)})) for rule, one in suspects]
        except Exception:  # noqa: BLE001 - a rule's own mistake: it is told of where the suspect matters
            return
        places = {path for _, one in asked for path in (one.path, *(place.path for place in one.because))}
        if places.issubset((*group.paths, *group.beside)):  # else it says something of a file that nobody looked at
            key, answers = self._group_key(group), witness.answers()
            before = self._groups.get(key)
            if before is not None:
                known = _suspected(before)
                asked = sorted([*known.suspects, *asked], key=lambda one: one[0])
                troubles = list(dict.fromkeys([*known.troubles, *troubles]))
                answers = _together(before["answers"], answers)
            self._keep(group, key, Suspected(asked, troubles, tuple(left)), answers)

    def _keep(self, group: Group, key: str, suspected: Suspected, answers: dict[str, Any]) -> None:
        try:
            asked = packed(tuple(suspected))
            unpacked(asked)
        except Exception:  # noqa: BLE001 - pickle raises what it likes, and a rule may hand on what it likes
            return
        size = len(asked) + sum(len(dotted) for found in answers["found"].values() for dotted in found)
        self._groups[key] = {"answers": answers, "suspected": b64encode(asked).decode(), "size": size}
        self._note_state(group, key)
        self._is_new = True

    def _note_state(self, group: Group, key: str) -> None:
        name = self._state_key(group)
        states = [state for state in self._states.pop(name, ()) if state[0] != key]
        self._states[name] = [*states[1 - _MOST_STATES :], [key, [self._digests[path] for path in group.paths]]]

    def _state_key(self, group: Group) -> str:
        """The name of a group whatever its files hold."""
        beside = [[path, self._digests.get(path)] for path in group.beside]
        return _hash([group.codes, group.paths, beside, self._around.of(group.paths)])

    def _group_key(self, group: Group) -> str:
        return _hash([self._state_key(group), [self._digests.get(path) for path in group.paths]])

    @property
    def has_news(self) -> bool:
        """Whether the next run will know more than this one knew at its beginning."""
        return self._is_new or bool(self._parsed) or self._models.has_news

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
            groups = newest(self._groups)
            states = _newest(self._states, lambda states: sum(len(digest) for _, digests in states for digest in digests))
            self._cache.write(self._key, {"files": files, "groups": groups, "states": states}, FILES)
        self._models.save()


def _suspected(kept: Mapping[str, Any]) -> Suspected:
    """What was kept of a group. Raises one of :data:`_OF_ANOTHER_FORM`."""
    return Suspected(*unpacked(b64decode(kept["suspected"])))


def newest(groups: dict[str, Any]) -> dict[str, Any]:
    """The groups that were asked for last, as many as there is room for."""
    return _newest(groups, lambda kept: int(kept["size"]))


def _newest(kept: dict[str, Any], size: Callable[[Any], int]) -> dict[str, Any]:
    """What was asked for last, as much as there is room for."""
    found: dict[str, Any] = {}
    room = _MOST_BYTES
    for name, one in reversed(kept.items()):
        with contextlib.suppress(*_OF_ANOTHER_FORM):
            room -= size(one)
            if room < 0 or len(found) == MOST_GROUPS:
                break
            found[name] = one
    return dict(reversed(found.items()))


def _hash(about: object) -> str:
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()


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


# -- models and what else is kept as a pickle ---------------------------------------------------------------------------


class _Loading(pickle.Unpickler):
    """Makes what our own modules have, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] == "trainlint" or (module, name) in _PLAIN:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is none of ours")


def packed(value: object) -> bytes:
    """A thing of ours as bytes. Raises whatever pickle does for one that cannot travel."""
    return zlib.compress(run_deep(lambda: pickle.dumps(value, pickle.HIGHEST_PROTOCOL)), 1)


def unpacked(data: bytes) -> Any:
    """What :func:`packed` made into bytes. Only for bytes that are known to be ours. ValueError: they have another form."""
    try:
        text = zlib.decompress(data)
        return run_deep(_Loading(io.BytesIO(text)).load)
    except Exception as error:
        raise ValueError from error


class KeptModels:
    """The last models of each file, by its path and what it held (``digests``: now). ``name`` is that of the entries."""

    def __init__(self, cache: Cache, name: str, digests: Mapping[str, str]) -> None:
        self._cache = cache
        self._name = name
        self._digests = digests
        self._parts: dict[int, dict[str, dict[str, bytes]]] = {}
        self._new: dict[str, bytes] = {}

    def model(self, path: str, digest: str) -> Module | None:
        """The model of a file when it held this; None when it is not known."""
        data = self._part(_number(path)).get(path, {}).get(digest)
        if data is None:
            return None
        try:
            model = unpacked(data)
        except ValueError:
            return None
        return model if isinstance(model, Module) and model.path == path else None

    @property
    def has_news(self) -> bool:
        """Whether a model was made."""
        return bool(self._new)

    def note(self, module: Module) -> None:
        """Keep a model that was made just now, before anybody asks it anything."""
        try:
            self._new[module.path] = packed(module)
        except Exception:  # noqa: BLE001 - pickle raises what it likes; then it is lowered each time
            self._new.pop(module.path, None)

    def save(self) -> None:
        """Keep what is new for the next run; models of files that are gone are left out."""
        for number in sorted({_number(path) for path in self._new}):
            part = {path: kept for path, kept in self._part(number).items() if path in self._digests}
            for path, data in self._new.items():
                if _number(path) == number:
                    last = [each for each in part.get(path, {}).items() if each[0] != self._digests[path]][1 - MOST_MODELS :]
                    part[path] = dict([*last, (self._digests[path], data)])
            self._cache.write_bytes(self._key(number), pickle.dumps(part, pickle.HIGHEST_PROTOCOL), MODELS)

    def _part(self, number: int) -> dict[str, dict[str, bytes]]:
        if number not in self._parts:
            self._parts[number] = {}
            data = self._cache.read_bytes(self._key(number), MODELS)
            if data is not None:
                try:
                    part = _Loading(io.BytesIO(data)).load()
                except Exception:  # noqa: BLE001 - as above
                    part = None
                if isinstance(part, dict):
                    self._parts[number] = part
        return self._parts[number]

    def _key(self, number: int) -> str:
        return hashlib.sha256(f"models {number} {self._name}".encode()).hexdigest()


def _number(path: str) -> int:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).digest()[0] % _PARTS
