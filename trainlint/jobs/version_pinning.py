"""Frameworks that a training is started with, in whatever version there is that day.

A requirements file or script is that of a package, of an application, or of another project that lies inside: only an
application must say its versions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from trainlint.documents.orders import Order, orders
from trainlint.documents.project import read_project
from trainlint.documents.tree import Mapping
from trainlint.jobs.containers import manifests
from trainlint.jobs.image_versions import image_of, is_kept
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.container import Container
    from trainlint.documents.document import Document
    from trainlint.finding import Spot
    from trainlint.program.program import Program


class Owners:
    """The folders of a run that are projects of their own: with a ``setup.py``, or a ``pyproject.toml`` that makes a package."""

    def __init__(self, program: Program) -> None:
        self._files = program.finder.files
        self._packaged = {os.path.dirname(path) for path in self._files if PurePath(path).name == "setup.py"}  # noqa: PTH120
        self._read: set[str] = set()
        self._vendored = frozenset(program.knowledge.tables["frameworks.vendored"]["names"])
        for document in program.documents.of(read(program.knowledge, "packages"), "toml"):
            project = read_project(document.text) if document.path.endswith("pyproject.toml") else None
            if project is not None and project.is_package:
                folder = document.folder
                self._packaged.add(folder)
                self._read.update(os.path.normpath(os.path.join(folder, name)) for name in project.files)  # noqa: PTH118

    def is_library(self, path: str) -> bool:
        """Whether a requirements file is a package's.

        It lies beside what makes its folder, or the one above ``requirements/``, a package; a project reads it; or it lies
        among the modules of one, whose ``setup.py`` will read it.
        """
        folder = os.path.dirname(path)  # noqa: PTH120
        above = os.path.dirname(folder) if "requirements" in PurePath(folder).name else folder  # noqa: PTH120
        if path in self._read or folder in self._packaged or above in self._packaged:
            return True
        is_module = os.path.join(folder, "__init__.py") in self._files  # noqa: PTH118
        return is_module and any(folder.startswith(each + os.sep) for each in self._packaged)

    def is_own(self, script: str, folder: str) -> bool:
        """Whether a script below a folder is of the folder's project: not of a package, nor of somebody else's code, in it."""
        return not any(each in self._packaged or PurePath(each).name in self._vendored for each in _between(script, folder))


def _between(script: str, folder: str) -> Iterator[str]:
    """The folders of a script up to another folder, without that one."""
    here = os.path.dirname(script)  # noqa: PTH120
    while len(here) > len(folder):
        yield here
        here = os.path.dirname(here)  # noqa: PTH120


_NAME_PARTS = re.compile(r"[^a-z0-9]+")
_NIGHTLY = re.compile(r"--pre\b|[/-]nightly\b|--no-index\b|(?m:^[ \t]*(?:-c|--constraint)\b)")
_STARTS = re.compile(r"(?m)^(?:CMD|ENTRYPOINT)\b(.*)$")
_MOVING = re.compile(r"latest(?:[-_.].*)?")


class Unpinned(NamedTuple):
    """A framework, or an image with one, of no version; ``name`` is what is written."""

    path: str
    spot: Spot
    name: str
    is_image: bool = False


def unpinned(program: Program) -> Iterator[Unpinned]:
    """All of them in the files of a run, one for each file and framework."""
    search = _Search(program)
    for document in search.documents:
        if search.is_training(document.path) and not search.serves(document):
            yield from search.images(document)
            yield from search.packages(document)


class _Search:
    def __init__(self, program: Program) -> None:
        tables = program.knowledge.tables
        self._tables = tables
        self.documents = list(
            program.documents.of(read(program.knowledge, "frameworks"), "requirements", "toml", "yaml", "container", "shell")
        )
        self._top, self._files = program.finder.top, program.finder.files
        self._frameworks: dict[str, list[str]] = dict(tables["frameworks"])
        self._owners = Owners(program)

    def is_training(self, path: str) -> bool:
        """Whether a file is what a training is installed from, by its name and those of its folders."""
        return not self._parts(path).intersection(self._tables["frameworks.not_training"]["names"])

    def _parts(self, path: str) -> frozenset[str]:
        return frozenset(_NAME_PARTS.split(os.path.relpath(path, self._top).lower()))

    def serves(self, document: Document) -> bool:
        """Whether an image is for something else than training: by what it starts, or since no script of the project trains."""
        if document.kind not in ("container", "yaml"):
            return False
        starts = " ".join(_STARTS.findall(document.text)).lower() if document.kind == "container" else ""
        if not frozenset(_NAME_PARTS.split(starts)).isdisjoint(self._tables["frameworks.serving"]["names"]):
            return True
        return bool(self._files) and not any(self._training(self._top))

    # -- images --------------------------------------------------------------------------------------------------------

    def images(self, document: Document) -> Iterator[Unpinned]:
        """Images of frameworks without a version."""
        known = frozenset(self._tables["frameworks.images"]["names"])
        if document.container is not None:
            aliases = {image.alias.lower() for image in document.container.images}
            for image in document.container.images:
                named = image.name.removeprefix("docker.io/")
                if named in known and named not in aliases and not image.digest and _moves(image.tag):
                    yield Unpinned(document.path, image.spot, f"{image.name}{':' if image.tag else ''}{image.tag}", is_image=True)
        elif document.kind == "yaml" and "image:" in document.text:
            for service in manifests(document):
                text = None if service.image is None else service.image.text
                name, _, tag = (text or "").removeprefix("docker.io/").partition(":")
                if service.image is not None and name in known and _moves(tag):
                    yield Unpinned(document.path, service.image.spot, text or "", is_image=True)

    # -- packages ------------------------------------------------------------------------------------------------------

    def packages(self, document: Document) -> Iterator[Unpinned]:
        """Packages without a version."""
        if document.kind == "requirements" and self._owners.is_library(document.path):
            return
        serving = frozenset(self._tables["frameworks.serving"]["names"])
        service = any(each.name in serving for each in document.wanted)
        folder = document.folder
        if document.kind != "container" and not self._has_training(folder, is_service=service):
            return
        if document.kind not in ("requirements", "container", "yaml") or _NIGHTLY.search(document.text):
            return
        if document.kind == "yaml" and "dependencies:" not in document.text:
            return
        names = {str(root.value("name")) for root in document.roots if isinstance(root, Mapping)}
        if any(not self.is_training(os.path.join(self._top, name)) for name in names):  # noqa: PTH118
            return
        said: set[str] = set()
        found = list(orders(document))
        for order in found:
            for wanted in order.wanted:
                if wanted.name not in self._frameworks or wanted.name in said or wanted.marker:
                    continue
                if str(wanted.versions) or wanted.is_direct:
                    continue
                if not self._is_chosen(document, order, found, wanted.name):
                    said.add(wanted.name)
                    yield Unpinned(document.path, wanted.spot, wanted.name)

    def _has_training(self, folder: str, *, is_service: bool) -> bool:
        """Whether a script of the project in a folder trains. In a service ``main.py`` is something else."""
        return any(self._owners.is_own(path, folder) for path in self._training(folder, is_service=is_service))

    def _training(self, folder: str, *, is_service: bool = False) -> Iterator[str]:
        """The scripts in a folder, or below it, that train by their names."""
        words = [*self._tables["frameworks.scripts"]["names"]]
        if not is_service:
            words += self._tables["frameworks.entries"]["names"]
        for path in self._files:
            name = PurePath(path).name.lower()
            if path.startswith(folder + os.sep) and any(word in name for word in words):
                yield path

    def _is_chosen(self, document: Document, order: Order, found: list[Order], name: str) -> bool:
        """Whether something else says the version: the image, another call, another package, a file beside this one."""
        if order.is_constrained or any(self._says(each, name) for each in found):
            return True
        if document.container is not None and order.command is not None:
            return not self._is_bare(document.container, order.command.spot.line) or _is_filled_in(document, name)
        if document.kind == "requirements" and is_kept(document, name, self.documents, self._tables):
            return True
        folder = document.folder
        locked = frozenset(self._tables["frameworks.locked"]["names"])
        beside = (
            each for each in self.documents if each is not document and (each.folder == folder or self._parts(each.path) & locked)
        )
        return any(self._says(each, name) for other in beside for each in orders(other))

    def _says(self, order: Order, name: str) -> bool:
        """Whether a call asks for one version of a framework, or of what asks for one version of it."""
        names = {name, *self._frameworks[name]}
        return any(each.name in names and (each.is_direct or _is_pinned(str(each.versions))) for each in order.wanted)

    def _is_bare(self, container: Container, line: int) -> bool:
        """Whether the image that a line works on surely has no framework."""
        image = image_of(container, line)
        return image is not None and image.name.removeprefix("docker.io/") in self._tables["frameworks.bare_images"]["names"]


def _moves(tag: str) -> bool:
    """Whether a tag is another image every other week; none is ``latest``."""
    return not tag or _MOVING.fullmatch(tag) is not None


def _is_pinned(versions: str) -> bool:
    return any(sign in versions for sign in ("==", "~=", "<"))


def _is_filled_in(document: Document, name: str) -> bool:
    """Whether a version that stands elsewhere is given to a framework in the same file: ``torch==${TORCH}``."""
    words = [word.written.strip("\"'") for script in document.scripts for command in script.commands for word in command.words]
    return any(re.match(rf"{re.escape(name)}(?:\[[^\]]*\])?(?:[=<~]|\$)", word) for word in words)
