"""What the image of a Dockerfile brings: its Python, and frameworks that pip keeps.

The Python is that of the image ``python:3.12``, or of the Ubuntu, that a stage is made from. A framework that a
requirements file names stays as it is where the file is installed in nothing but images that have it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from packaging.specifiers import SpecifierSet

from trainlint.documents.orders import Order, Python, orders

if TYPE_CHECKING:
    from trainlint.documents.container import Container, Image
    from trainlint.documents.document import Document
    from trainlint.documents.shell import Command

_OFFICIAL = re.compile(r"(?:(?:docker\.io|public\.ecr\.aws/docker)/)?(?:library/)?python")
_VERSION = re.compile(r"(3\.\d+)(?:\.\d+)?(?:[-.].*)?")
_UBUNTU = re.compile(r"(?:docker\.io/)?(?:library/)?ubuntu|(?:nvcr\.io/)?nvidia/cuda")
#: What brings a Python of its own.
_OTHERS = re.compile(
    r"(?i)\b(?:mini|ana)?(?:conda|mamba|forge)|micromamba|pyenv|deadsnakes|virtualenv|\buv (?:venv|python|sync|run)|\bpixi\b"
    r"|\bpython-?3?\.?\$|\bpython-?3\.\d|PYTHON_?VERSION|python\.org|python-build-standalone"
)


def image_of(container: Container, line: int) -> Image | None:
    """The image that a line of a Dockerfile works on: the last one before it, or what that is made from in the same file."""
    images = [image for image in container.images if image.spot.line <= line]
    seen: set[str] = set()
    while images:
        image = images.pop()
        if image.name.lower() in seen:
            return None
        earlier = [each for each in images if each.alias and each.alias.lower() == image.name.lower()]
        if not earlier:
            return image
        seen.add(image.name.lower())
        images = images[: images.index(earlier[-1]) + 1]
    return None


def python_of(document: Document, command: Command, systems: Mapping[str, str]) -> Python | None:
    """The Python that a command of a Dockerfile installs for; None when it may be another than the image's.

    ``systems`` says which Python the releases of Ubuntu have.
    """
    container = document.container
    image = None if container is None else image_of(container, command.spot.line)
    if image is None or _OTHERS.search("\n".join(_but_images(document.text))):
        return None
    minor = None
    if _OFFICIAL.fullmatch(image.name):
        found = _VERSION.fullmatch(image.tag)
        minor = None if found is None else found[1]
    elif _UBUNTU.fullmatch(image.name) and "--from=" not in document.text:
        minor = systems.get(image.tag.rpartition("-ubuntu")[2])
    return None if minor is None else Python(SpecifierSet(f"=={minor}.*"), image.spot, document.path)


def _but_images(text: str) -> Iterator[str]:
    """The lines but those that name the images, in which ``python:3.12`` is what is asked for."""
    return (line for line in text.split("\n") if not line.lstrip().upper().startswith(("FROM ", "#")))


_UPGRADES = frozenset(("-U", "--upgrade", "--force-reinstall"))


def is_kept(listed: Document, name: str, documents: Sequence[Document], tables: Mapping[str, Any]) -> bool:
    """Whether all scripts and Dockerfiles that install the requirements file ``listed`` do so where the framework ``name`` is.

    False when there is none.
    """
    found = [order for document in documents for order in _installing(document, listed.path)]
    return bool(found) and all(_has(order, name, tables) for order in found)


def _installing(document: Document, path: str) -> Iterator[Order]:
    """The calls of a script or a Dockerfile that install a requirements file: of its folder, of one above, or by its path."""
    if document.kind not in ("container", "shell") or PurePath(path).name not in document.text:
        return
    near = document.folder
    there = os.path.dirname(path)  # noqa: PTH120
    for order in orders(document):
        for name in order.files:
            is_around = PurePath(name).name == PurePath(path).name and f"{near}{os.sep}".startswith(there + os.sep)
            if is_around or os.path.normpath(os.path.join(near, name)) == path:  # noqa: PTH118
                yield order
                break


def _has(order: Order, name: str, tables: Mapping[str, Any]) -> bool:
    container, command = order.document.container, order.command
    if container is None or command is None or not _UPGRADES.isdisjoint(word.text for word in command.words):
        return False
    image = image_of(container, command.spot.line)
    if image is None:
        return False
    named = image.name.removeprefix("docker.io/")
    known = named in tables["frameworks.images"]["names"] and named not in tables["frameworks.bare_images"]["names"]
    return known and any(word in named for word in tables["frameworks.held"].get(name, ()))
