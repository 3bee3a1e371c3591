"""Frameworks that a requirements file names, and that the image has in which alone the file is installed: pip keeps them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trainlint.documents.orders import Order, orders
from trainlint.facts.versions.stages import image_of

if TYPE_CHECKING:
    from trainlint.documents.document import Document

_UPGRADES = frozenset(("-U", "--upgrade", "--force-reinstall"))


def is_kept(listed: Document, name: str, documents: Sequence[Document], tables: Mapping[str, Any]) -> bool:
    """Whether all scripts and Dockerfiles that install the requirements file ``listed`` do so where the framework ``name`` is.

    False when there is none.
    """
    found = [order for document in documents for order in _installing(document, listed.path)]
    return bool(found) and all(_has(order, name, tables) for order in found)


def _installing(document: Document, path: str) -> Iterator[Order]:
    """The calls of a script or a Dockerfile that install a requirements file: of its folder, of one above, or by its path."""
    if document.kind not in ("container", "shell") or os.path.basename(path) not in document.text:  # noqa: PTH119
        return
    near = os.path.dirname(document.path)  # noqa: PTH120
    there = os.path.dirname(path)  # noqa: PTH120
    for order in orders(document):
        for name in order.files:
            is_around = os.path.basename(name) == os.path.basename(path) and f"{near}{os.sep}".startswith(there + os.sep)  # noqa: PTH119
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
