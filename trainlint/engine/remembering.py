"""Analyses that are kept in a :mod:`trainlint.engine.cache`: what they depend on."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainlint import __version__
from trainlint.codes import INSTALLED
from trainlint.config import Settings
from trainlint.engine.analysis import Analyser
from trainlint.engine.around import Around
from trainlint.engine.as_data import as_data, from_data
from trainlint.engine.cache import Cache
from trainlint.engine.outcome import Analysis
from trainlint.engine.workspace import Workspace
from trainlint.knowledge.words import READ_SCRIPTS

if TYPE_CHECKING:
    from trainlint.engine.memory import Memory

#: What another form of the entries, or of their keys, must change.
_FORM = 4
#: Settings that say what is done with findings, not which there are.
_AFTERWARDS = ("jobs", "output_format", "fix", "unsafe_fixes", "show_fixes", "baseline", "cache_dir", "origins")
_PACKAGE = Path(__file__).resolve().parents[1]


class State(NamedTuple):
    """What an analysis depends on: what all files hold, by path, and what lies around them."""

    digests: dict[str, str]
    around: list[object]


def remembered(cache: Cache, analyser: Analyser, kept_for: str, run: Callable[[], Analysis]) -> Analysis:
    """The analysis of a workspace: one that was kept, if all of its files are what they were then; else made, and kept.

    ``kept_for`` names what it depends on that is not seen here. Where not all files are what they were, what is known of single
    ones and of groups of them is used. Processes that ask for the same at once make it once. What comments silenced is not kept:
    ``silenced`` is empty in an analysis from the cache.
    """
    workspace = analyser.workspace
    about = surroundings(analyser.settings, analyser.roots, kept_for)
    top = min(analyser.roots, key=len, default="")
    around = Around(top, scripts=not READ_SCRIPTS.isdisjoint(analyser.interest.words))
    state = _state(workspace, around)
    key = _key(workspace, about, state)
    known = _known(cache, key)
    if known is not None:
        return known
    with cache.alone(key):
        known = _known(cache, key)
        if known is not None:
            return known
        if not kept_for:
            # What somebody else knows of libraries may be another thing in each run: nothing would be found again.
            name = hashlib.sha256(b"memory" + _plainly(about)).hexdigest()
            analyser.memory = _memory(cache, name, workspace, state, around)
        analysis = run()
        if _state(workspace, around.again()) == state:  # else a file changed, perhaps before it was read
            if analyser.memory is not None:
                analyser.memory.save()
            if not analysis.internal_errors:  # a failure of ours is to be seen again
                cache.write(key, as_data(analysis))
        return analysis


def _memory(cache: Cache, name: str, workspace: Workspace, state: State, around: Around) -> Memory:
    from trainlint.engine.memory import Memory

    return Memory(cache, name, workspace, state.digests, around)


def surroundings(settings: Settings, roots: Sequence[str], more: str) -> list[object]:
    """What an analysis depends on besides the text of files: us, Python's grammar, the settings, where names count from."""
    relevant = {key: value for key, value in vars(settings).items() if key not in _AFTERWARDS}
    return [_FORM, tool(), sys.version_info[:3], relevant, list(roots), os.getcwd(), more]  # noqa: PTH109


def _known(cache: Cache, key: str) -> Analysis | None:
    found = cache.read(key)
    try:
        return None if found is None else from_data(found)
    except (
        ArithmeticError,
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
    ):  # it is signed, so this is ours: another form under the same version
        return None


def _state(workspace: Workspace, around: Around) -> State:
    """What all files hold (of one that cannot be read the reason) and what lies around them, now."""
    found = {}
    for path in sorted(workspace.spelled):
        data = workspace.replaced.get(path)
        if data is None:
            try:
                with open(path, "rb") as file:  # noqa: PTH123 - thousands of them
                    data = file.read()
            except OSError as error:
                found[path] = f"error {error.errno}"
                continue
        found[path] = hashlib.sha256(data).hexdigest()
    return State(found, around.of(found))


def _key(workspace: Workspace, about: object, state: State) -> str:
    """The name of the state of all files and of what else matters."""
    files = [[path, str(workspace.spelled[path]), path in workspace.targets, digest] for path, digest in state.digests.items()]
    return hashlib.sha256(_plainly([about, files, state.around])).hexdigest()


def _plainly(about: object) -> bytes:
    return json.dumps(about, sort_keys=True, default=_plain).encode()


def _plain(value: object) -> object:
    if isinstance(value, (frozenset, set)):
        return sorted(value)
    return dict(value) if hasattr(value, "keys") else str(value)  # type: ignore[call-overload]


@cache
def tool() -> list[object]:
    """Our version and that of packages with rules, with what their files look like: in a checkout they change without it."""
    modules = (getattr(sys.modules.get(row.module.partition(".")[0]), "__file__", None) for row in INSTALLED.rows.values())
    folders = {_PACKAGE, *(Path(file).parent for file in modules if file)}
    return [__version__, [list(_looks(folder)) for folder in sorted(folders)]]


def _looks(folder: Path) -> Iterator[tuple[str, int, int]]:
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            about = os.stat(os.path.join(here, name))  # noqa: PTH116, PTH118
            yield name, about.st_size, about.st_mtime_ns
