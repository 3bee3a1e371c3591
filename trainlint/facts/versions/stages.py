"""Which Python a Dockerfile installs packages for: that of the image ``python:3.12``, or of the Ubuntu, a stage is made from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from trainlint.documents.orders import Python

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
