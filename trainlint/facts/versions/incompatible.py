"""Versions that cannot work together, among the packages that are asked for at once.

Said is what the metadata of the releases decides (tables ``releases``): a release without a wheel for the Python, for the CUDA;
two packages of which one asks for another release of the other. A wheel brings its own CUDA: the image's does not matter to it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from trainlint.documents.document import lies_above
from trainlint.documents.orders import Order, orders
from trainlint.facts.versions import builds, partners
from trainlint.facts.versions.clashing import Clash, Releases
from trainlint.facts.versions.stages import python_of
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.facts.program import Program
    from trainlint.finding import Spot

_NIGHTLY = re.compile(r"--pre\b|[/-]nightly\b")
#: Folders of what was installed when something ran.
_RECORDS = frozenset(("wandb", "mlruns"))


def clashes(program: Program) -> Iterator[Clash]:
    """Everything in the files of a run that cannot work, each place once."""
    said: set[tuple[str, Spot]] = set()
    for clash in _clashes(program):
        if (clash.path, clash.spot) not in said:
            said.add((clash.path, clash.spot))
            yield clash


def _clashes(program: Program) -> Iterator[Clash]:
    found_there = program.documents.of(
        read(program.knowledge, "versions"), "requirements", "toml", "yaml", "json", "container", "shell"
    )
    documents = [each for each in found_there if _RECORDS.isdisjoint(each.path.split(os.sep))]  # noqa: PTH206
    releases = Releases(program.knowledge.tables)
    systems = program.knowledge.tables["releases.systems"]
    for document in documents:
        found = list(orders(document))
        for order in found:
            python = python_of(document, order.command, systems) if order.command is not None else None
            yield from _of(order if python is None else replace(order, python=python), releases)
            for name in order.files if python is not None else ():
                listed = _listed(documents, document, name)
                for inner in () if listed is None else orders(listed):
                    yield from builds.python(replace(inner, python=python), releases)
        if document.kind == "shell":
            yield from builds.drivers(document, found, releases)


def _of(order: Order, releases: Releases) -> Iterator[Clash]:
    """What cannot be in one call of an installer; of builds that are no releases yet nobody knows what they ask for."""
    if _takes_nightlies(order):
        return
    if not order.is_alone:
        yield from partners.companions(order, releases)
    if order.is_loose:
        return
    yield from builds.python(order, releases)
    yield from builds.missing(order, releases)
    yield from builds.mixed(order)
    if not order.is_alone:
        yield from partners.pairs(order, releases)
    yield from partners.numpy(order, releases)


def _takes_nightlies(order: Order) -> bool:
    """Whether a call, or the file of requirements itself, also takes what is built every night."""
    if order.command is not None:
        return any(_NIGHTLY.search(word.text or "") for word in order.command.words)
    return order.document.kind == "requirements" and _NIGHTLY.search(order.document.text) is not None


def _listed(documents: list[Document], near: Document, name: str) -> Document | None:
    """The requirements file that a Dockerfile installs, in its folder or one above; None when several may be meant."""
    base = os.path.basename(name)  # noqa: PTH119
    found = [
        each
        for each in documents
        if each.kind == "requirements"
        and os.path.basename(each.path) == base  # noqa: PTH119
        and lies_above(each.path, near.path)
    ]
    return found[0] if len(found) == 1 else None
