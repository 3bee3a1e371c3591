"""Rules of other installed packages, by the entry point group ``trainlint.rules``.

An entry point names what the codes of a package begin with, and the package::

    [project.entry-points."trainlint.rules"]
    XX = "trainlint_example"

In the package a rule is two files, as it is here: ``xx001_unread_marker.py``, which declares ``RULE``, and
``pages/XX001-unread-marker.md``. Two things more may be there: ``knowledge.toml``, tables as in ``trainlint/knowledge/``,
and in ``__init__.py`` a text ``URL``, the address of a page, in which ``{code}`` and ``{name}`` are filled in.

Only what is installed counts: the folders for packages of this interpreter are looked into, never the working folder or
``PYTHONPATH``, where the code under analysis may be. Most environments have no such package, so a look for the group's
name in the files of metadata comes first (measured: 0.3 ms for 64 packages, ``importlib.metadata`` needs 40 ms).
"""

# Paths are plain strings here, and little is imported: this runs at every start.
# ruff: noqa: PTH208

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

GROUP = "trainlint.rules"


class Installed:
    """All rules of installed packages.

    ``rows``: code → what is known of the rule (a ``Row`` of ``packages.py``); ``families``: package → its summary;
    ``prefixes``: what their codes begin with; ``knowledge``: where tables come from → the tables; ``problems``: sentences about
    what cannot be used.
    """

    def __init__(self) -> None:
        self.rows: dict[str, Any] = {}
        self.families: dict[str, str] = {}
        self.prefixes: list[str] = []
        self.knowledge: dict[str, Mapping[str, Any]] = {}
        self.problems: list[str] = []


def metadata() -> Iterator[str]:
    """The folders of metadata that mention the group, in the order of the path."""
    import site

    folders = [*site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    known = {os.path.normcase(folder) for folder in folders}
    wanted = f"[{GROUP}]".encode()
    for folder in sys.path:
        if os.path.normcase(folder) not in known:
            continue
        try:
            names = [name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for name in names:
            path = f"{folder}{os.sep}{name}"
            try:
                with open(f"{path}{os.sep}entry_points.txt", "rb", buffering=0) as opened:  # noqa: PTH123
                    if wanted in opened.read():
                        yield path
            except OSError:
                continue
