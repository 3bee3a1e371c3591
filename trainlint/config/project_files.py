"""What the files around the code declare: versions of frameworks, exported variables, and when they changed.

What tells that a file beside the code changed, came or went, without reading it.

Which versions of a framework a project says that it runs with: in its requirements, its packaging, its environment.

Which variables the scripts and images around a project's code set for it: read as text, in whatever language they
are.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from trainlint.config.target import version_range
from trainlint.regular import LARGEST, absolute_path, read_regular


def stamps(paths: Iterable[str | os.PathLike[str]]) -> list[tuple[str, int, int]]:
    """Of the files among these that are there: path, bytes, and when it was changed last (nanoseconds)."""
    found: list[tuple[str, int, int]] = []
    for path in paths:
        try:
            about = os.stat(path)  # noqa: PTH116 - thousands of paths, most of which lead nowhere
        except OSError:
            continue
        found.append((os.fspath(path), about.st_size, about.st_mtime_ns))
    return found


#: The files in which a project says so.
FILES = ("requirements.txt", "pyproject.toml", "setup.cfg", "setup.py", "environment.yml", "environment.yaml")
#: What conda calls things.
_OTHER_NAMES = {"torch": "(?:torch|pytorch)"}
_ONE = r"(?:===|==|~=|!=|<=|>=|<|>|=)\s*v?\d[\w.*+!-]*"


def declared_versions(framework: str, folder: str, top: str) -> tuple[str, ...]:
    """The version ranges that the nearest folder from ``folder`` up to ``top`` asks for, where any says something.

    What lies around a repository of its own does not count.
    """
    return _nearest(_in_folder, framework, folder, top)


def told_versions(framework: str, folder: str, top: str) -> tuple[str, ...]:
    """The versions of which the nearest folder's other texts speak: its README, its documentation, its images, more requirements.

    Nobody has to keep to what such a text says; but what is newer is not sure to be there.
    """
    return _nearest(_told_in, framework, folder, top)


def _nearest(read: Callable[[str, str], tuple[str, ...]], framework: str, folder: str, top: str) -> tuple[str, ...]:
    while True:
        found = read(framework, folder)
        above = os.path.dirname(folder)  # noqa: PTH120
        if found or len(folder) <= len(top) or above == folder or os.path.exists(os.path.join(folder, ".git")):  # noqa: PTH110, PTH118
            return found
        folder = above


def requirement_stamps(folders: Iterable[str]) -> list[tuple[str, int, int]]:
    """What changes when one of these files changes, in any of the folders."""
    wanted = sorted(folders)
    declared = [os.path.join(folder, name) for folder in wanted for name in (*FILES, *_STYLED)]  # noqa: PTH118
    return stamps(dict.fromkeys((*declared, *(path for folder in wanted for path in _telling(folder)))))


#: Where formatters and linters are told how long a line may be, and how.
_STYLED = ("ruff.toml", ".ruff.toml", "pyproject.toml", ".flake8", "setup.cfg", "tox.ini")
_LENGTH = re.compile(r"(?m)^[ \t]*(?:line[-_]length|max[-_]line[-_]length)[ \t]*[=:][ \t]*(\d+)")


def line_length(path: str) -> int | None:
    """How long lines of a file may be, as the nearest folder says to black, ruff or flake8; None where none does."""
    folder = os.path.dirname(absolute_path(path))  # noqa: PTH120
    while True:
        found = _said(_lengths, "", (os.path.join(folder, name) for name in _STYLED))  # noqa: PTH118
        above = os.path.dirname(folder)  # noqa: PTH120
        if found or above == folder or os.path.exists(os.path.join(folder, ".git")):  # noqa: PTH110, PTH118
            return int(found[0]) if found else None
        folder = above


def _lengths(_framework: str, text: str) -> Iterator[str]:
    return (found[1] for found in _LENGTH.finditer(text))


def _in_folder(framework: str, folder: str) -> tuple[str, ...]:
    return _said(specifiers, framework, (os.path.join(folder, name) for name in FILES))  # noqa: PTH118


def _told_in(framework: str, folder: str) -> tuple[str, ...]:
    return _said(mentions, framework, _telling(folder))


_Reader = Callable[[str, str], Iterator[str]]


def _said(read: _Reader, framework: str, paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for path, _, changed in stamps(paths) for each in _in_file(read, framework, path, changed)))


@functools.lru_cache(maxsize=1024)
def _in_file(read: _Reader, framework: str, path: str, changed: int) -> tuple[str, ...]:  # noqa: ARG001 - `changed` tells versions of the file apart
    try:
        data = read_regular(path, LARGEST)
    except OSError:
        return ()
    if len(data) > LARGEST:
        return ()
    return tuple(read(framework, data.decode("utf-8", "replace")))


#: Other texts that speak of versions: by the beginnings of their names, and the folders beside the code in which they lie.
_TELLING = re.compile(
    r"(?i)\A(?:readme|install|setup|getting_?started|requirements?|conda|env)[\w-]*(?:\.(?:md|rst|txt|ya?ml|in|sh))?\Z"
    r"|\A[\w-]*(?:conda|env)[\w-]*\.ya?ml\Z|dockerfile"
)
_DOCUMENTATION = re.compile(r"(?i)\.(?:md|rst|txt)\Z|dockerfile")
_BESIDE = ("docs", "doc", "docker", "requirements")


def _telling(folder: str) -> Iterator[str]:
    """The texts of a folder that may speak of versions, in the order of their names."""
    for place, wanted in ((folder, _TELLING), *((os.path.join(folder, name), _DOCUMENTATION) for name in _BESIDE)):  # noqa: PTH118
        try:
            names = sorted(os.listdir(place))  # noqa: PTH208 - no entry is looked at but by its name
        except OSError:
            continue
        yield from (os.path.join(place, name) for name in names if wanted.search(name))  # noqa: PTH118


#: A version as sentences have it: `PyTorch (>= 1.7)`, `PyTorch v1.4+`, `pytorch-1.13.1`, `pytorch/pytorch:1.7.1-cuda11.0`.
_SPOKEN = (
    r"(?:version|v|is|with|tested|on|we|use[ds]?|using|install(?:ed|ation)?|\]\([^)\s]*\)|[\s`*_:,(\[=/-])*(?P<how>>=|==|<=|~=|=|>|<|\u2265|%3E=)?[\s`*]*v?"
    r"(?P<number>\d\.\d+(?:\.\d+)?)(?![\d.]*\d)(?P<up>\+(?!\w)|\s*or (?:later|higher|newer|above|greater))?"
)
#: NVIDIA names its images by year and month: ``nvcr.io/nvidia/pytorch:23.07-py3``.
_MONTH = r"\d\d\.\d\d"
_AT_LEAST = (">=", ">", "\u2265", "%3E=")


def mentions(framework: str, text: str) -> Iterator[str]:
    """The versions of a framework of which a text speaks, in whatever words; a bare number is the version that is used.

    The month of an image of NVIDIA's is given as it stands, ``23.07``: which version such an image has is for others to know.
    """
    name = _OTHER_NAMES.get(framework, re.escape(framework))
    for found in re.finditer(rf"(?i)(?<![a-z0-9_.@-]){name}(?![a-z]){_SPOKEN}", text):
        how, number = found["how"], found["number"]
        if how in ("<", "<="):
            yield f"{how}{number}"
        else:
            yield f"{'>=' if how in _AT_LEAST or found['up'] else '=='}{number}"
    for found in re.finditer(rf"(?i)\bnvidia/{name}:({_MONTH})", text):
        yield found[1]


def specifiers(framework: str, text: str) -> Iterator[str]:
    """The version ranges that stand behind a framework's name in a text, in whatever format: PEP 440, Poetry's, conda's."""
    name = _OTHER_NAMES.get(framework, re.escape(framework))
    before = rf"(?<![\w./@-]){name}\s*(?:\[[\w,\s-]*\]\s*)?"
    for line in text.splitlines():
        bare = line.partition("#")[0]
        for match in re.finditer(rf"{before}\(?({_ONE}(?:\s*,\s*{_ONE})*)", bare):
            yield from _valid(match[1])
        for match in re.finditer(rf"""^{name}\s*=\s*(?:\{{\s*version\s*=\s*)?["']([^"']+)["']""", bare):
            yield from _valid(match[1])


def _valid(written: str) -> Iterator[str]:
    clauses = [_clause(clause.strip()) for clause in written.split(",") if clause.strip()]
    specifier = ",".join(clauses)
    try:
        version_range(specifier)
    except ValueError:
        return
    yield specifier


def _clause(written: str) -> str:
    """One clause as PEP 440 has it: without a local label; ``=1.13`` of conda, ``^1.13`` and ``~1.13`` of Poetry spelled out."""
    clause = re.sub(r"\s|\+.*", "", written)
    match = re.fullmatch(r"(=|\^|~|)v?(\d+)((?:\.\d+)*)(?:\.\*)?", clause)
    if match is None:
        return clause
    how, major, rest = match.groups()
    if how == "^":
        return f">={major}{rest},<{int(major) + 1}"
    if how == "~":
        return f"~={major}{rest}" if rest else f"=={major}.*"
    return f"=={major}{rest}.*"


#: The files from which a run gets its environment, by the ends of their names, and by how these begin.
_ENDS = (".sh", ".bash", ".slurm", ".sbatch", ".env", ".yml", ".yaml", ".toml", ".cfg", ".ini")
_BEGINNINGS = ("Dockerfile", "Makefile", ".env", "docker-compose")
#: Folders in which such files lie beside those above the code.
_FOLDERS = ("scripts", "script", "docker", "bin", "tools", "launch", "slurm", "configs", "config")


def is_exported(variable: str, folder: str, top: str, seen: dict[str, bool]) -> bool:
    """Whether a file beside the code in ``folder``, or above it up to ``top``, speaks of a variable.

    ``seen`` keeps the answers for single folders: what lies above many folders is read once.
    """
    for place in _around(folder, top):
        if place not in seen:
            seen[place] = _is_in(variable.encode(), Path(place))
        if seen[place]:
            return True
    return False


def _is_in(wanted: bytes, folder: Path) -> bool:
    for path in _in(folder):
        try:
            data = read_regular(path, LARGEST)
        except OSError:
            continue
        if len(data) <= LARGEST and wanted in data:
            return True
    return False


def export_stamps(folders: Iterable[str]) -> list[tuple[str, int, int]]:
    """What changes when one of these files beside or in any of the folders changes, comes or goes."""
    places = (Path(folder) / name for folder in sorted(folders) for name in ("", *_FOLDERS))
    return stamps(path for place in places for path in _in(place))


def _around(folder: str, top: str) -> Iterator[str]:
    here = Path(folder)
    while True:
        yield str(here)
        for name in _FOLDERS:
            yield str(here / name)
        if len(str(here)) <= len(top) or here.parent == here or (here / ".git").exists():
            return
        here = here.parent


def _in(folder: Path) -> Iterator[Path]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - no entry is looked at but by its name
    except OSError:
        return
    yield from (folder / name for name in names if name.endswith(_ENDS) or name.startswith(_BEGINNINGS))
