"""Analyses that are kept from run to run: as what data, and on what around the code they depend.

What lies around the files of a project and has a say in what is found in them: requirements, packaging, scripts.

Analyses and findings as what JSON has, and back.

Analyses that are kept in a :mod:`trainlint.app.engine.cache`: what they depend on.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint import __version__
from trainlint.app.engine.analysis import Analyser
from trainlint.app.engine.cache import Cache
from trainlint.app.engine.result import Analysis
from trainlint.app.engine.timing import phase
from trainlint.app.engine.workspace import Workspace
from trainlint.codes import INSTALLED
from trainlint.config import Settings, project_files
from trainlint.finding import Applicability, Edit, Finding, Level, Place, Repair, Span
from trainlint.knowledge.words import READ_SCRIPTS

if TYPE_CHECKING:
    from trainlint.app.engine.memory import Memory


class Around:
    """What tells that something around files changed, came or went, looked at once for each folder.

    ``top`` is the folder of the project; ``scripts`` says whether rules ask what scripts set.
    """

    def __init__(self, top: str, *, scripts: bool) -> None:
        self.top = top
        self.scripts = scripts
        self._known: dict[str, list[Any]] = {}

    def of(self, paths: Iterable[str]) -> list[Any]:
        """The state of everything around these files."""
        return [self._in(folder) for folder in sorted(self._folders(paths))]

    def again(self) -> Around:
        """The same, looked at anew."""
        return Around(self.top, scripts=self.scripts)

    def _in(self, folder: str) -> list[Any]:
        known = self._known.get(folder)
        if known is None:
            begins = os.path.exists(os.path.join(folder, ".git"))  # noqa: PTH110, PTH118 - what lies above does not count then
            scripts = project_files.export_stamps([folder]) if self.scripts else []
            known = self._known[folder] = [begins, project_files.requirement_stamps([folder]), scripts]
        return known

    def _folders(self, paths: Iterable[str]) -> set[str]:
        """The folders of files and those above them, up to the project's."""
        found: set[str] = set()
        for path in paths:
            folder = os.path.dirname(path)  # noqa: PTH120
            while folder not in found and len(folder) >= len(self.top):
                found.add(folder)
                folder = os.path.dirname(folder)  # noqa: PTH120
                if folder == os.path.dirname(folder):  # noqa: PTH120
                    break
        return found


def as_data(analysis: Analysis) -> dict[str, Any]:
    """Findings and statistics as what JSON has."""
    # Nothing is parsed or judged when it is read.
    nothing = dict.fromkeys(("files parsed", "files judged"), 0)
    return {"findings": [finding_as_data(one) for one in analysis.findings], "statistics": {**analysis.statistics, **nothing}}


def from_data(data: Any) -> Analysis:
    """What :func:`as_data` made. Raises KeyError, TypeError or ValueError for anything else."""
    statistics = {str(name): int(number) for name, number in data["statistics"].items()}
    return Analysis([as_finding(one) for one in data["findings"]], statistics=statistics)


def finding_as_data(finding: Finding) -> dict[str, Any]:
    """One finding."""
    shown = {field.name: getattr(finding, field.name) for field in dataclasses.fields(finding)}
    repair = finding.repair
    return {
        **shown,
        "level": finding.level.value,
        "path": str(finding.path),
        "related": [[str(place.path), place.span, place.message, place.cell] for place in finding.related],
        "repair": None
        if repair is None
        else [repair.applicability.value, repair.message, [[edit.span, edit.content, edit.cell] for edit in repair.edits]],
    }


def as_finding(data: dict[str, Any]) -> Finding:
    """What :func:`finding_as_data` made. Raises KeyError, TypeError or ValueError for anything else."""
    repair = data["repair"]
    return Finding(
        **{
            **data,
            "level": Level(data["level"]),
            "path": Path(data["path"]),
            "span": Span(*data["span"]),
            "related": tuple(Place(Path(path), Span(*span), message, cell) for path, span, message, cell in data["related"]),
            "repair": None if repair is None else _as_repair(*repair),
            "honoured": tuple(data["honoured"]),
        }
    )


def _as_repair(applicability: str, message: str, edits: Iterable[Any]) -> Repair:
    return Repair(Applicability(applicability), message, tuple(Edit(Span(*span), text, cell) for span, text, cell in edits))


#: What another form of the entries, or of their keys, must change.
_FORM = 6
#: Settings that say what is done with findings, not which there are.
_AFTERWARDS = ("jobs", "output_format", "fix", "unsafe_fixes", "show_fixes", "baseline", "cache_dir", "max_seconds", "origins")
_PACKAGE = Path(__file__).resolve().parents[2]


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
    with phase("reading"):
        state = _state(workspace, around)
    key = _key(workspace, about, state)
    known = _known(cache, key)
    if known is not None:
        return known
    with cache.alone(key, *([analyser.deadline.left] if analyser.deadline is not None else [])):
        known = _known(cache, key)
        if known is not None:
            return known
        name = hashlib.sha256(b"memory" + _plainly(about)).hexdigest()
        analyser.memory = _memory(cache, name, state, around)
        analysis = run()
        if _state(workspace, around.again()) == state:  # else a file changed, perhaps before it was read
            if analyser.memory is not None:
                with phase("keeping"):
                    analyser.memory.save()
            if not analysis.internal_errors and not analysis.unjudged:  # a failure of ours is to be seen again
                cache.write(key, as_data(analysis))
        return analysis


def _memory(cache: Cache, name: str, state: State, around: Around) -> Memory:
    from trainlint.app.engine.memory import Memory

    return Memory(cache, name, state.digests, around)


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
    return key_for([about, files, state.around])


def key_for(about: object) -> str:
    """The key for what depends on this."""
    return hashlib.sha256(_plainly(about)).hexdigest()


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
