"""Imports by the path that a project has where its authors keep it: ``lab.video.clips.tools.train`` for ``tools/train.py``."""

# Paths are plain strings here, as the finder of modules has them.
# ruff: noqa: PTH100, PTH118, PTH206

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

_IMPORT = re.compile(r"^[ \t]{0,16}(?:from|import)[ \t]{1,4}([A-Za-z_][\w.]{0,200})", re.MULTILINE)
#: So many packages stand around the project's own: a library with one of that name has it right below its top.
_LEAST = 2


def internal_paths(scripts: Iterable[Path], files: Iterable[Path], roots: Iterable[str]) -> tuple[str, ...]:
    """What stands before a package of the project in imports that can mean nothing else: ``lab.vision``.

    The script imports the package by its plain name, too; nothing of the project is called as the path begins; and the rest of
    it leads to a file, within the package or, as the package's tools lie beside it, from the folder around.
    """
    known = {os.path.abspath(path) for path in files}
    named = {part.removesuffix(".py") for path in known for part in path.split(os.sep)}
    tops = tuple(dict.fromkeys(os.path.abspath(root) for root in roots))
    found: dict[str, None] = {}
    for script in scripts:
        try:
            names = _IMPORT.findall(script.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
        plain = {name.partition(".")[0] for name in names}
        for name in names:
            parts = name.split(".")
            if parts[0] in named or parts[0] in sys.stdlib_module_names:
                continue
            found.update((path, None) for path in _before(parts, plain, known, tops))
    return tuple(found)


def _before(parts: list[str], plain: set[str], known: set[str], tops: tuple[str, ...]) -> Iterator[str]:
    for index in range(_LEAST, len(parts) - 1):
        if parts[index] not in plain:
            continue
        for top in tops:
            package = os.path.join(top, parts[index])
            rest = parts[index + 1 :]
            if not any(path.startswith(package + os.sep) for path in known):
                continue
            whole = any(_is_file(folder, rest, known) for folder in ((package, top) if len(rest) > 1 else (package,)))
            if whole:
                yield ".".join(parts[:index])


def _is_file(folder: str, names: list[str], known: set[str]) -> bool:
    base = os.path.join(folder, *names)
    return base + ".py" in known or os.path.join(base, "__init__.py") in known
