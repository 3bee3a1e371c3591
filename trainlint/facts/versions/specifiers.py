"""Which releases a specifier leaves: of those that are known, and whether also older or newer ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

_Value = TypeVar("_Value")
#: Beyond any release: what allows one of these has no upper bound that counts.
_NEWER = ("99.0", "98.7.6")
_OLDEST_PYTHON, _NEWEST_PYTHON = 6, 16


@lru_cache(maxsize=4096)
def public(versions: SpecifierSet) -> SpecifierSet:
    """A specifier without the builds it asks for: ``==2.1.0`` of ``==2.1.0+cu118``."""
    parts = (f"{each.operator.replace('===', '==')}{each.version.partition('+')[0]}" for each in versions)
    try:
        return SpecifierSet(",".join(parts))
    except InvalidSpecifier:  # `===` may stand before anything
        return SpecifierSet("<0")


def allows(versions: SpecifierSet, release: str) -> bool:
    """Whether a specifier allows a release."""
    return public(versions).contains(release, prereleases=False)


def known(versions: SpecifierSet, table: Mapping[str, _Value]) -> dict[str, _Value]:
    """The releases of a table that are allowed."""
    return {release: value for release, value in table.items() if allows(versions, release)}


def beyond(versions: SpecifierSet, table: Iterable[str]) -> bool:
    """Whether releases after the newest of a table are allowed."""
    newest = max(map(Version, table))
    after = (f"{newest.major}.{newest.minor}.{newest.micro + 1}", f"{newest.major}.{newest.minor + 1}.0", f"{newest.major + 1}.0")
    return any(allows(versions, release) for release in (*after, *_NEWER))


def before(versions: SpecifierSet, table: Iterable[str]) -> bool:
    """Whether releases before the oldest of a table may be allowed: nothing bounds it from below, or that does."""
    oldest = min(map(Version, table))
    if not any(each.operator in (">=", ">", "==", "~=") for each in public(versions)):
        return True
    bounds = [Version(each.version.removesuffix(".*")) for each in public(versions) if each.operator in (">=", ">", "==", "~=")]
    return max(bounds) < oldest


def settled(versions: SpecifierSet, table: Mapping[str, _Value]) -> dict[str, _Value] | None:
    """The releases that are allowed, when all of them are known and there is one; else None."""
    found = known(versions, table)
    return found if found and not beyond(versions, table) and not before(versions, table) else None


def pythons(versions: SpecifierSet) -> list[str]:
    """The minor versions of Python that are allowed, one more than there are for what has no upper bound."""
    numbers = range(_OLDEST_PYTHON, _NEWEST_PYTHON + 1)
    return [f"3.{each}" for each in numbers if any(allows(versions, f"3.{each}.{micro}") for micro in (*range(30), 99))]


def overlap(versions: SpecifierSet, others: SpecifierSet) -> bool:
    """Whether a release may be in both: each number that either of them names is tried, with its neighbours."""
    named = [Version(each.version.removesuffix(".*")) for each in (*public(versions), *public(others))]
    tried = set(map(str, named))
    for each in named:
        tried.update(f"{each.major}.{each.minor}.{micro}" for micro in range(max(0, each.micro - 1), each.micro + 3))
        tried.update(f"{each.major}.{minor}.0" for minor in (each.minor + 1, max(0, each.minor - 1)))
    return any(allows(versions, each) and allows(others, each) for each in tried)
