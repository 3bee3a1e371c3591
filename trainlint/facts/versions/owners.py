"""Whose a requirements file or a script is: that of a package, of an application, or of another project that lies inside."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from trainlint.documents.project import read_project
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainlint.facts.program import Program


class Owners:
    """The folders of a run that are projects of their own: with a ``setup.py``, or a ``pyproject.toml`` that makes a package."""

    def __init__(self, program: Program) -> None:
        self._files = program.finder.files
        self._packaged = {os.path.dirname(path) for path in self._files if os.path.basename(path) == "setup.py"}  # noqa: PTH119, PTH120
        self._read: set[str] = set()
        self._vendored = frozenset(program.knowledge.tables["frameworks.vendored"]["names"])
        for document in program.documents.of(read(program.knowledge, "packages"), "toml"):
            project = read_project(document.text) if document.path.endswith("pyproject.toml") else None
            if project is not None and project.is_package:
                folder = os.path.dirname(document.path)  # noqa: PTH120
                self._packaged.add(folder)
                self._read.update(os.path.normpath(os.path.join(folder, name)) for name in project.files)  # noqa: PTH118

    def is_library(self, path: str) -> bool:
        """Whether a requirements file is a package's.

        It lies beside what makes its folder, or the one above ``requirements/``, a package; a project reads it; or it lies
        among the modules of one, whose ``setup.py`` will read it.
        """
        folder = os.path.dirname(path)  # noqa: PTH120
        above = os.path.dirname(folder) if "requirements" in os.path.basename(folder) else folder  # noqa: PTH119, PTH120
        if path in self._read or folder in self._packaged or above in self._packaged:
            return True
        is_module = os.path.join(folder, "__init__.py") in self._files  # noqa: PTH118
        return is_module and any(folder.startswith(each + os.sep) for each in self._packaged)

    def is_own(self, script: str, folder: str) -> bool:
        """Whether a script below a folder is of the folder's project: not of a package, nor of somebody else's code, in it."""
        return not any(each in self._packaged or os.path.basename(each) in self._vendored for each in _between(script, folder))  # noqa: PTH119


def _between(script: str, folder: str) -> Iterator[str]:
    """The folders of a script up to another folder, without that one."""
    here = os.path.dirname(script)  # noqa: PTH120
    while len(here) > len(folder):
        yield here
        here = os.path.dirname(here)  # noqa: PTH120
