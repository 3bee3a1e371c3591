"""Packages of which one asks for another release of the other than the project does."""

from __future__ import annotations

from collections.abc import Iterator

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from trainlint.documents.orders import Order
from trainlint.documents.requirements import Wanted
from trainlint.facts.versions.clashing import Clash, Releases, between, said
from trainlint.facts.versions.specifiers import allows, before, beyond, known, overlap, public, settled

#: Packages whose releases belong to one release of torch each.
COMPANIONS = ("torchvision", "torchaudio")
#: Package, what it asks for, and the table that says which.
_PAIRS = (("jax", "jaxlib", "jax"), ("torch", "triton", "triton"))


def companions(order: Order, releases: Releases) -> Iterator[Clash]:
    """``torchvision`` and ``torchaudio`` beside a torch that none of the releases allowed asks for."""
    torch, all_torch = order.package("torch"), releases.of("torch")
    if torch is None or not known(torch.versions, all_torch) or before(torch.versions, all_torch):
        return
    for name in COMPANIONS:
        wanted, table = order.package(name), releases.of(name)
        if wanted is None or (order.is_loose and not _exact(torch, wanted)):
            continue
        own = known(wanted.versions, table)
        versions = _minor(torch.versions) if order.is_loose else torch.versions
        if not own or before(wanted.versions, table) or any(_fits(versions, pin, all_torch) for (pin,) in own.values()):
            continue
        if not (beyond(wanted.versions, table) and beyond(torch.versions, all_torch)):
            last = max(own, key=Version)
            right = [release for release, (pin,) in table.items() if (exact := _pinned(pin)) and allows(torch.versions, exact)]
            repair = f"; with `{said(torch)}` goes {name} {max(right, key=Version)}" if right else ""
            message = f"`{said(wanted)}` does not go with `{said(torch)}`\n{name} {last} asks for torch{own[last][0]}{repair}."
            yield between(order, wanted, torch, message)


def _fits(versions: SpecifierSet, pin: str, table: dict[str, list[str]]) -> bool:
    """Whether a torch is allowed that a pin allows, too."""
    exact = _pinned(pin)
    if exact:
        return allows(versions, exact)
    return beyond(versions, table) or any(SpecifierSet(pin).contains(release) for release in known(versions, table))


def _pinned(pin: str) -> str:
    """The one release that a pin allows; empty when it allows more."""
    return next((each.version for each in SpecifierSet(pin) if each.operator == "=="), "")


def _exact(*wanted: Wanted) -> bool:
    return all(len(each.versions) == 1 and str(each.versions).startswith("==") for each in wanted)


def _minor(versions: SpecifierSet) -> SpecifierSet:
    """``==2.1.*`` of ``==2.1.0``: conda has builds that PyPI has not."""
    (only,) = public(versions)
    return SpecifierSet("==" + ".".join(only.version.removesuffix(".*").split(".")[:2]) + ".*")


def pairs(order: Order, releases: Releases) -> Iterator[Clash]:
    """``jaxlib`` beside ``jax``, ``triton`` beside ``torch``."""
    for name, other, table in _PAIRS:
        first, second = order.package(name), order.package(other)
        found = None if first is None else settled(first.versions, releases.of(table))
        if first is None or second is None or found is None or not str(second.versions):
            continue
        if any(len(pin) > 1 for pin in found.values()):  # asked for on some versions of Python alone
            continue
        if not any(overlap(second.versions, SpecifierSet(pin[0])) for pin in found.values()):
            last = max(found, key=Version)
            message = f"`{said(second)}` does not go with `{said(first)}`\n{name} {last} asks for {other}{found[last][0]}."
            yield between(order, second, first, message)


def numpy(order: Order, releases: Releases) -> Iterator[Clash]:
    """NumPy 2 beside a torch that was built for NumPy 1."""
    torch, wanted = order.package("torch"), order.package("numpy")
    found = None if torch is None else settled(torch.versions, releases.of("torch"))
    if torch is None or wanted is None or found is None or torch.local.startswith("rocm"):
        return  # AMD builds older releases again
    (first,) = releases.of("numpy")["torch"]
    ones = any(allows(wanted.versions, f"1.{minor}.{micro}") for minor in range(10, 27) for micro in range(8))
    twos = any(allows(wanted.versions, f"2.{minor}.{micro}") for minor in range(10) for micro in range(8))
    if twos and not ones and all(Version(release) < Version(first) for release in found):
        message = (
            f"`{said(wanted)}` does not go with `{said(torch)}`\nBefore {first} torch was built for NumPy 1: beside NumPy 2, "
            "`tensor.numpy()` and `torch.from_numpy()` fail."
        )
        yield between(order, wanted, torch, message)
