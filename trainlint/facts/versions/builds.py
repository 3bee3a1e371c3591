"""Releases that were not built for what they are to run on: the Python, the CUDA, the driver."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from packaging.version import Version

from trainlint.documents.document import Document
from trainlint.documents.orders import Order
from trainlint.documents.requirements import Wanted
from trainlint.facts.versions.clashing import Clash, Releases, between, said
from trainlint.facts.versions.partners import COMPANIONS
from trainlint.facts.versions.specifiers import before, beyond, known, pythons, settled

_INDEX = re.compile(r"https?://download\.pytorch\.org/whl/(cu\d+)/?")
_DRIVER = re.compile(r"(?:nvidia-driver|cuda-drivers)-(\d{3})(?:-[\w-]+)?")
_BUILD = re.compile(r"cu(\d\d)(\d)")
#: So many versions of Python are none that anybody chose.
_MANY = 8


def python(order: Order, releases: Releases) -> Iterator[Clash]:
    """A release that has no wheel for the Python it is installed for."""
    minors = [] if order.python is None else pythons(order.python.versions)
    if order.python is None or not minors:
        return
    for name in ("torch", "jaxlib"):
        wanted, table = order.package(name), releases.of(name)
        found = {} if wanted is None else known(wanted.versions, table)
        if wanted is None or not found or before(wanted.versions, table):
            continue
        newest = table[max(table, key=Version)]
        if beyond(wanted.versions, table) and _number(minors[-1]) >= _number(newest[0]):
            continue
        if any(minor in built for built in found.values() for minor in minors):
            continue
        last = max(found, key=Version)
        message = (
            f"`{said(wanted)}` cannot be installed for Python {_span(minors)}\n"
            f"{name} {last} has wheels for Python {found[last][0]} to {found[last][-1]}, and no source distribution."
        )
        reason = (order.python.path, order.python.spot, f"The Python is {_span(minors)}.")
        yield Clash(order.document.path, wanted.spot, message, (reason,))


def _number(minor: str) -> int:
    return int(minor.partition(".")[2])


def _span(minors: Sequence[str]) -> str:
    if len(minors) == 1:
        return minors[0]
    return f"{minors[0]} and newer" if _number(minors[-1]) - _number(minors[0]) >= _MANY else f"{minors[0]} to {minors[-1]}"


def missing(order: Order, releases: Releases) -> Iterator[Clash]:
    """A build for a CUDA that a release was not built for."""
    torch = order.package("torch")
    found = None if torch is None else settled(torch.versions, releases.of("torch"))
    if torch is None or found is None or order.is_elsewhere:
        return
    build, table = _build(order, torch), releases.of("cuda")
    if build and all(release in table and build not in table[release] for release in found):
        last = max(found, key=Version)
        message = (
            f"there is no `{said(torch)}` for CUDA {_version(build)}\n"
            f"torch {last} was built for CUDA {', '.join(map(_version, table[last]))}: pip finds no version to install."
        )
        yield Clash(order.document.path, torch.spot, message)


def _build(order: Order, torch: Wanted) -> str:
    """``cu118`` of ``2.1.0+cu118``, or of the one index where a release is looked for; empty when it is another build's."""
    index = _INDEX.fullmatch((order.index or "").strip("\"'"))
    build = torch.local or ("" if index is None else index[1])
    return build if _BUILD.fullmatch(build) else ""


def _version(build: str) -> str:
    found = _BUILD.fullmatch(build)
    return build if found is None else f"{found[1]}.{found[2]}"


def mixed(order: Order) -> Iterator[Clash]:
    """Two builds for different major versions of CUDA."""
    torch = order.package("torch")
    ours = None if torch is None else _BUILD.fullmatch(torch.local)
    for name in COMPANIONS:
        other = order.package(name)
        theirs = None if other is None else _BUILD.fullmatch(other.local)
        if torch is not None and other is not None and ours is not None and theirs is not None and ours[1] != theirs[1]:
            message = (
                f"`{said(other)}` and `{said(torch)}` are built for different CUDA\n"
                f"{name} refuses to be imported beside a torch that was built for another major version."
            )
            yield between(order, other, torch, message)


def drivers(document: Document, found: Sequence[Order], releases: Releases) -> Iterator[Clash]:
    """A driver that a script installs, and that is too old for the CUDA of the torch which it installs."""
    for script in document.scripts:
        installs = [command.words for command in script.commands if any(word.text == "install" for word in command.words)]
        words = [word for words in installs for word in words]
        named = [(word, int(match[1])) for word in words if (match := _DRIVER.fullmatch(word.text or ""))]
        if len(named) != 1 or any("cuda-compat" in (word.text or "") for word in words):
            continue
        word, driver = named[0]
        for order in found:
            torch = order.package("torch")
            cuda = None if torch is None else _cuda(order, torch, releases)
            oldest = releases.of("drivers").get(cuda or "")
            if torch is not None and oldest is not None and driver < int(oldest[0]):
                message = (
                    f"the driver {driver} does not run `{said(torch)}`, which is built for CUDA {cuda}\n"
                    f"CUDA {cuda} needs the driver {oldest[0]} or newer."
                )
                yield Clash(document.path, word.spot, message, ((document.path, torch.spot, "It is installed for this."),))


def _cuda(order: Order, torch: Wanted, releases: Releases) -> str | None:
    """The first number of the CUDA that the torch of a call is built for."""
    build = _BUILD.fullmatch(_build(order, torch))
    if build is not None:
        return build[1]
    found = settled(torch.versions, releases.of("bundled"))
    if torch.local or order.index is not None or found is None:
        return None
    numbers = {value.partition(".")[0] for (value,) in found.values()}
    return numbers.pop() if len(numbers) == 1 else None
