"""Which variables the scripts and images around a project's code set for it: read as text, in whatever language they are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from trainlint.config.stamps import stamps
from trainlint.regular import read_regular

#: The files from which a run gets its environment, by the ends of their names, and by how these begin.
_ENDS = (".sh", ".bash", ".slurm", ".sbatch", ".env", ".yml", ".yaml", ".toml", ".cfg", ".ini")
_BEGINNINGS = ("Dockerfile", "Makefile", ".env", "docker-compose")
#: Folders in which such files lie beside those above the code.
_FOLDERS = ("scripts", "script", "docker", "bin", "tools", "launch", "slurm", "configs", "config")
#: Larger files are none of these, and of more nobody would know.
_LARGEST, _MOST = 200_000, 300


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
    for number, path in enumerate(_in(folder)):
        if number >= _MOST:
            return True
        try:
            data = read_regular(path, _LARGEST)
        except OSError:
            continue
        if len(data) <= _LARGEST and wanted in data:
            return True
    return False


def state(folders: Iterable[str]) -> list[tuple[str, int, int]]:
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
