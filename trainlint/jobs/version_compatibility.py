"""Versions that cannot work together, among the packages that are asked for at once (tables ``releases``).

Packages of which one needs another release of the other; releases that were not built for the Python, the CUDA or the
driver that they are to run on. A specifier leaves some of the releases that are known, and perhaps older or newer
ones.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from trainlint.documents.document import Document, lies_above
from trainlint.documents.orders import Order, orders
from trainlint.documents.requirements import Wanted
from trainlint.finding import Spot
from trainlint.jobs.image_versions import python_of
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.program.program import Program


class Clash(NamedTuple):
    """What cannot be: the place that is said to be wrong, what is wrong there, and the places that make it so."""

    path: str
    spot: Spot
    message: str
    because: tuple[tuple[str, Spot, str], ...] = ()


class Releases:
    """The tables ``releases`` of the knowledge."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self._tables = tables
        self._read: dict[str, dict[str, list[str]]] = {}

    def of(self, name: str) -> dict[str, list[str]]:
        """One of them, release to what is known of it; a text is a list of one."""
        if name not in self._read:
            table = self._tables[f"releases.{name}"]
            self._read[name] = {key: [value] if isinstance(value, str) else list(value) for key, value in table.items()}
        return self._read[name]


def clash_between(order: Order, wanted: Wanted, other: Wanted, message: str) -> Clash:
    """A package that is incompatible with another of the same call."""
    return Clash(
        order.document.path,
        wanted.spot,
        message,
        ((order.document.path, other.spot, f"`{requirement_text(other)}` is required here."),),
    )


def requirement_text(wanted: Wanted) -> str:
    """A requirement as it is written, without its extras."""
    return f"{wanted.name}{wanted.versions}"


_Value = TypeVar("_Value")
#: Beyond any release: what allows one of these has no upper bound that counts.
_NEWER = ("99.0", "98.7.6")
_OLDEST_PYTHON, _NEWEST_PYTHON = 6, 16


@lru_cache(maxsize=4096)
def public_specifier(versions: SpecifierSet) -> SpecifierSet:
    """A specifier without the builds it asks for: ``==2.1.0`` of ``==2.1.0+cu118``."""
    parts = (f"{each.operator.replace('===', '==')}{each.version.partition('+')[0]}" for each in versions)
    try:
        return SpecifierSet(",".join(parts))
    except InvalidSpecifier:  # `===` may stand before anything
        return SpecifierSet("<0")


def allows(versions: SpecifierSet, release: str) -> bool:
    """Whether a specifier allows a release."""
    return public_specifier(versions).contains(release, prereleases=False)


def known_releases(versions: SpecifierSet, table: Mapping[str, _Value]) -> dict[str, _Value]:
    """The releases of a table that are allowed."""
    return {release: value for release, value in table.items() if allows(versions, release)}


def allows_newer(versions: SpecifierSet, table: Iterable[str]) -> bool:
    """Whether releases after the newest of a table are allowed."""
    newest = max(map(Version, table))
    after = (f"{newest.major}.{newest.minor}.{newest.micro + 1}", f"{newest.major}.{newest.minor + 1}.0", f"{newest.major + 1}.0")
    return any(allows(versions, release) for release in (*after, *_NEWER))


def allows_older(versions: SpecifierSet, table: Iterable[str]) -> bool:
    """Whether releases before the oldest of a table may be allowed: nothing bounds it from below, or that does."""
    oldest = min(map(Version, table))
    if not any(each.operator in (">=", ">", "==", "~=") for each in public_specifier(versions)):
        return True
    bounds = [
        Version(each.version.removesuffix(".*"))
        for each in public_specifier(versions)
        if each.operator in (">=", ">", "==", "~=")
    ]
    return max(bounds) < oldest


def settled_releases(versions: SpecifierSet, table: Mapping[str, _Value]) -> dict[str, _Value] | None:
    """The releases that are allowed, when all of them are known and there is one; else None."""
    found = known_releases(versions, table)
    return found if found and not allows_newer(versions, table) and not allows_older(versions, table) else None


def allowed_pythons(versions: SpecifierSet) -> list[str]:
    """The minor versions of Python that are allowed, one more than there are for what has no upper bound."""
    numbers = range(_OLDEST_PYTHON, _NEWEST_PYTHON + 1)
    return [f"3.{each}" for each in numbers if any(allows(versions, f"3.{each}.{micro}") for micro in (*range(30), 99))]


def overlap(versions: SpecifierSet, others: SpecifierSet) -> bool:
    """Whether a release may be in both: each number that either of them names is tried, with its neighbours."""
    named = [Version(each.version.removesuffix(".*")) for each in (*public_specifier(versions), *public_specifier(others))]
    tried = set(map(str, named))
    for each in named:
        tried.update(f"{each.major}.{each.minor}.{micro}" for micro in range(max(0, each.micro - 1), each.micro + 3))
        tried.update(f"{each.major}.{minor}.0" for minor in (each.minor + 1, max(0, each.minor - 1)))
    return any(allows(versions, each) and allows(others, each) for each in tried)


#: Packages whose releases belong to one release of torch each.
COMPANIONS = ("torchvision", "torchaudio")
#: Package, what it asks for, and the table that says which.
_PAIRS = (("jax", "jaxlib", "jax"), ("torch", "triton", "triton"))


def companion_clashes(order: Order, releases: Releases) -> Iterator[Clash]:
    """``torchvision`` and ``torchaudio`` beside a torch that none of the releases allowed asks for."""
    torch, all_torch = order.package("torch"), releases.of("torch")
    if torch is None or not known_releases(torch.versions, all_torch) or allows_older(torch.versions, all_torch):
        return
    for name in COMPANIONS:
        wanted, table = order.package(name), releases.of(name)
        if wanted is None or (order.is_loose and not _exact(torch, wanted)):
            continue
        own = known_releases(wanted.versions, table)
        versions = _minor(torch.versions) if order.is_loose else torch.versions
        if not own or allows_older(wanted.versions, table) or any(_fits(versions, pin, all_torch) for (pin,) in own.values()):
            continue
        if not (allows_newer(wanted.versions, table) and allows_newer(torch.versions, all_torch)):
            last = max(own, key=Version)
            right = [release for release, (pin,) in table.items() if (exact := _pinned(pin)) and allows(torch.versions, exact)]
            repair = f"; with `{requirement_text(torch)}` use {name} {max(right, key=Version)}" if right else ""
            message = (
                f"`{requirement_text(wanted)}` is incompatible with `{requirement_text(torch)}`\n"
                f"{name} {last} requires torch{own[last][0]}{repair}."
            )
            yield clash_between(order, wanted, torch, message)


def _fits(versions: SpecifierSet, pin: str, table: dict[str, list[str]]) -> bool:
    """Whether a torch is allowed that a pin allows, too."""
    exact = _pinned(pin)
    if exact:
        return allows(versions, exact)
    return allows_newer(versions, table) or any(
        SpecifierSet(pin).contains(release) for release in known_releases(versions, table)
    )


def _pinned(pin: str) -> str:
    """The one release that a pin allows; empty when it allows more."""
    return next((each.version for each in SpecifierSet(pin) if each.operator == "=="), "")


def _exact(*wanted: Wanted) -> bool:
    return all(len(each.versions) == 1 and str(each.versions).startswith("==") for each in wanted)


def _minor(versions: SpecifierSet) -> SpecifierSet:
    """``==2.1.*`` of ``==2.1.0``: conda has builds that PyPI has not."""
    (only,) = public_specifier(versions)
    return SpecifierSet("==" + ".".join(only.version.removesuffix(".*").split(".")[:2]) + ".*")


def pair_clashes(order: Order, releases: Releases) -> Iterator[Clash]:
    """``jaxlib`` beside ``jax``, ``triton`` beside ``torch``."""
    for name, other, table in _PAIRS:
        first, second = order.package(name), order.package(other)
        found = None if first is None else settled_releases(first.versions, releases.of(table))
        if first is None or second is None or found is None or not str(second.versions):
            continue
        if any(len(pin) > 1 for pin in found.values()):  # asked for on some versions of Python alone
            continue
        if not any(overlap(second.versions, SpecifierSet(pin[0])) for pin in found.values()):
            last = max(found, key=Version)
            message = (
                f"`{requirement_text(second)}` is incompatible with `{requirement_text(first)}`\n"
                f"{name} {last} requires {other}{found[last][0]}."
            )
            yield clash_between(order, second, first, message)


def numpy_clashes(order: Order, releases: Releases) -> Iterator[Clash]:
    """NumPy 2 beside a torch that was built for NumPy 1."""
    torch, wanted = order.package("torch"), order.package("numpy")
    found = None if torch is None else settled_releases(torch.versions, releases.of("torch"))
    if torch is None or wanted is None or found is None or torch.local.startswith("rocm"):
        return  # AMD builds older releases again
    (first,) = releases.of("numpy")["torch"]
    ones = any(allows(wanted.versions, f"1.{minor}.{micro}") for minor in range(10, 27) for micro in range(8))
    twos = any(allows(wanted.versions, f"2.{minor}.{micro}") for minor in range(10) for micro in range(8))
    if twos and not ones and all(Version(release) < Version(first) for release in found):
        message = (
            f"`{requirement_text(wanted)}` is incompatible with `{requirement_text(torch)}`\n"
            f"Before {first} torch was built for NumPy 1: with NumPy 2, "
            "`tensor.numpy()` and `torch.from_numpy()` fail."
        )
        yield clash_between(order, wanted, torch, message)


_INDEX = re.compile(r"https?://download\.pytorch\.org/whl/(cu\d+)/?")
_DRIVER = re.compile(r"(?:nvidia-driver|cuda-drivers)-(\d{3})(?:-[\w-]+)?")
_BUILD = re.compile(r"cu(\d\d)(\d)")
#: So many versions of Python are none that anybody chose.
_MANY = 8


def python_clashes(order: Order, releases: Releases) -> Iterator[Clash]:
    """A release that has no wheel for the Python it is installed for."""
    minors = [] if order.python is None else allowed_pythons(order.python.versions)
    if order.python is None or not minors:
        return
    for name in ("torch", "jaxlib"):
        wanted, table = order.package(name), releases.of(name)
        found = {} if wanted is None else known_releases(wanted.versions, table)
        if wanted is None or not found or allows_older(wanted.versions, table):
            continue
        newest = table[max(table, key=Version)]
        if allows_newer(wanted.versions, table) and _number(minors[-1]) >= _number(newest[0]):
            continue
        if any(minor in built for built in found.values() for minor in minors):
            continue
        last = max(found, key=Version)
        message = (
            f"`{requirement_text(wanted)}` cannot be installed for Python {_span(minors)}\n"
            f"{name} {last} has wheels for Python {found[last][0]} to {found[last][-1]}, and no source distribution."
        )
        reason = (order.python.path, order.python.spot, f"The Python version is {_span(minors)}.")
        yield Clash(order.document.path, wanted.spot, message, (reason,))


def _number(minor: str) -> int:
    return int(minor.partition(".")[2])


def _span(minors: Sequence[str]) -> str:
    if len(minors) == 1:
        return minors[0]
    return f"{minors[0]} and newer" if _number(minors[-1]) - _number(minors[0]) >= _MANY else f"{minors[0]} to {minors[-1]}"


def missing_builds(order: Order, releases: Releases) -> Iterator[Clash]:
    """A build for a CUDA that a release was not built for."""
    torch = order.package("torch")
    found = None if torch is None else settled_releases(torch.versions, releases.of("torch"))
    if torch is None or found is None or order.is_elsewhere:
        return
    build, table = _build(order, torch), releases.of("cuda")
    if build and all(release in table and build not in table[release] for release in found):
        last = max(found, key=Version)
        message = (
            f"there is no `{requirement_text(torch)}` for CUDA {_version(build)}\n"
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


def mixed_builds(order: Order) -> Iterator[Clash]:
    """Two builds for different major versions of CUDA."""
    torch = order.package("torch")
    ours = None if torch is None else _BUILD.fullmatch(torch.local)
    for name in COMPANIONS:
        other = order.package(name)
        theirs = None if other is None else _BUILD.fullmatch(other.local)
        if torch is not None and other is not None and ours is not None and theirs is not None and ours[1] != theirs[1]:
            message = (
                f"`{requirement_text(other)}` and `{requirement_text(torch)}` are built for different CUDA versions\n"
                f"{name} refuses to be imported with a torch that was built for another major version."
            )
            yield clash_between(order, other, torch, message)


def driver_clashes(document: Document, found: Sequence[Order], releases: Releases) -> Iterator[Clash]:
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
                    f"driver {driver} cannot run `{requirement_text(torch)}`, which is built for CUDA {cuda}\n"
                    f"CUDA {cuda} needs driver {oldest[0]} or newer."
                )
                yield Clash(document.path, word.spot, message, ((document.path, torch.spot, "It is installed for this."),))


def _cuda(order: Order, torch: Wanted, releases: Releases) -> str | None:
    """The first number of the CUDA that the torch of a call is built for."""
    build = _BUILD.fullmatch(_build(order, torch))
    if build is not None:
        return build[1]
    found = settled_releases(torch.versions, releases.of("bundled"))
    if torch.local or order.index is not None or found is None:
        return None
    numbers = {value.partition(".")[0] for (value,) in found.values()}
    return numbers.pop() if len(numbers) == 1 else None


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
                    yield from python_clashes(replace(inner, python=python), releases)
        if document.kind == "shell":
            yield from driver_clashes(document, found, releases)


def _of(order: Order, releases: Releases) -> Iterator[Clash]:
    """What cannot be in one call of an installer; of builds that are no releases yet nobody knows what they ask for."""
    if _takes_nightlies(order):
        return
    if not order.is_alone:
        yield from companion_clashes(order, releases)
    if order.is_loose:
        return
    yield from python_clashes(order, releases)
    yield from missing_builds(order, releases)
    yield from mixed_builds(order)
    if not order.is_alone:
        yield from pair_clashes(order, releases)
    yield from numpy_clashes(order, releases)


def _takes_nightlies(order: Order) -> bool:
    """Whether a call, or the file of requirements itself, also takes what is built every night."""
    if order.command is not None:
        return any(_NIGHTLY.search(word.text or "") for word in order.command.words)
    return order.document.kind == "requirements" and _NIGHTLY.search(order.document.text) is not None


def _listed(documents: list[Document], near: Document, name: str) -> Document | None:
    """The requirements file that a Dockerfile installs, in its folder or one above; None when several may be meant."""
    base = PurePath(name).name
    found = [
        each
        for each in documents
        if each.kind == "requirements" and PurePath(each.path).name == base and lies_above(each.path, near.path)
    ]
    return found[0] if len(found) == 1 else None
