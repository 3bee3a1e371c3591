"""Which versions of the frameworks the checked code must run with, and what follows from that.

The user declares ranges (``torch = ">=2.4,<3"``). A rule bound to a version asks here; ``packaging`` is imported by the first
question about a declared framework, so undeclared ones cost nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from packaging.version import Version

FRAMEWORKS = (
    "accelerate", "apex", "composer", "deepspeed", "fairscale", "flax", "horovod", "jax", "keras", "lightning",
    "megatron-core", "numpy", "optax", "orbax-checkpoint", "peft", "python", "pytorch-ignite", "pytorch-lightning", "tensorflow",
    "timm", "torch", "torch-xla", "torchaudio", "torchdata", "torchvision", "transformers",
)  # fmt: skip
"""The names ``target-versions`` knows, as the package index normalises them."""


def normal_name(framework: str) -> str:
    """Return the normalised package name: lower case, ``-`` for runs of ``-``, ``_`` and ``.``."""
    import re

    return re.sub(r"[-_.]+", "-", framework).lower()


class Bound(NamedTuple):
    """One end of a range of versions; ``inclusive`` tells whether the version itself is inside."""

    version: Version
    inclusive: bool


class Target(NamedTuple):
    """The declared ranges, normalised framework name -> specifier (all valid: the configuration was checked).

    Versions count as dense: between 2.5 and 2.6 there is always another one. Local labels and pre-releases are not told apart.
    """

    specifiers: Mapping[str, str]

    def declared(self, framework: str) -> bool:
        """Tell whether the user said anything about the framework."""
        return normal_name(framework) in self.specifiers

    def may_be_below(self, framework: str, version: str) -> bool:
        """Tell whether some allowed version is older than ``version``; True when nothing was declared."""
        specifier = self.specifiers.get(normal_name(framework))
        if specifier is None:
            return True
        from packaging.version import Version

        lowest = version_range(specifier)[0]
        return lowest is None or lowest.version < Version(version)

    def may_be_at_least(self, framework: str, version: str) -> bool:
        """Tell whether some allowed version is ``version`` or newer; True when nothing was declared."""
        specifier = self.specifiers.get(normal_name(framework))
        if specifier is None:
            return True
        from packaging.version import Version

        highest, wanted = version_range(specifier)[1], Version(version)
        return highest is None or wanted < highest.version or (highest.inclusive and wanted == highest.version)

    def below(self, framework: str, version: str) -> bool:
        """Tell whether every allowed version is older than ``version``; False when nothing was declared."""
        return not self.may_be_at_least(framework, version)


ANY_VERSION = Target({})
"""Nobody said anything."""


@functools.lru_cache(maxsize=128)
def version_range(specifier: str) -> tuple[Bound | None, Bound | None]:
    """Return the lowest and the highest allowed version of a PEP 440 specifier, None for an open end.

    Raises ValueError, with a sentence for the user, when it is no specifier or allows no version.
    """
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import Version

    try:
        clauses = [(clause.operator, clause.version) for clause in SpecifierSet(specifier)]
    except InvalidSpecifier:
        raise ValueError(f'"{specifier}" is not a version range; write ">=2.4", "==2.4.*" or ">=2.4,<3"') from None
    if not clauses or any(operator == "===" for operator, _ in clauses):
        raise ValueError(f'"{specifier}" is not a range of versions; write ">=2.4", "==2.4.*" or ">=2.4,<3"')
    lowest = max((bound for clause in clauses for bound in _lower(*clause)), key=_lower_order, default=None)
    highest = min((bound for clause in clauses for bound in _upper(*clause)), key=_upper_order, default=None)
    holes = [_wildcard(version) for operator, version in clauses if operator == "!=" and version.endswith(".*")]
    points = {Version(version) for operator, version in clauses if operator == "!=" and not version.endswith(".*")}
    lowest, highest = _shrink(lowest, highest, holes, points)
    if lowest and highest and not _some_version(lowest, highest):
        raise ValueError(f'no version satisfies "{specifier}"')
    return lowest, highest


def _lower(operator: str, text: str) -> Iterator[Bound]:
    from packaging.version import Version

    if operator == "==" and text.endswith(".*"):
        yield Bound(_wildcard(text)[0], inclusive=True)
    elif operator in {">=", "==", "~="}:
        yield Bound(Version(text), inclusive=True)
    elif operator == ">":
        yield Bound(Version(text), inclusive=False)


def _upper(operator: str, text: str) -> Iterator[Bound]:
    from packaging.version import Version

    if operator == "==" and text.endswith(".*"):
        yield Bound(_wildcard(text)[1], inclusive=False)
    elif operator == "~=":  # ~=2.4.1 is >=2.4.1, ==2.4.*
        yield Bound(_wildcard(_without_last(Version(text)))[1], inclusive=False)
    elif operator in {"<=", "=="}:
        yield Bound(Version(text), inclusive=True)
    elif operator == "<":
        yield Bound(Version(text), inclusive=False)


def _without_last(version: Version) -> str:
    return f"{version.epoch}!" + ".".join(map(str, version.release[:-1])) + ".*"


def _wildcard(text: str) -> tuple[Version, Version]:
    """Return the first version of ``2.4.*`` and the first one after it."""
    from packaging.version import Version

    first = Version(text.removesuffix(".*"))
    following = (*first.release[:-1], first.release[-1] + 1)
    return first, Version(f"{first.epoch}!" + ".".join(map(str, following)))


def _lower_order(bound: Bound) -> tuple[Version, bool]:
    return bound.version, not bound.inclusive  # of two equal versions the one that leaves it out is the stricter


def _upper_order(bound: Bound) -> tuple[Version, bool]:
    return bound.version, bound.inclusive


def _shrink(
    lowest: Bound | None, highest: Bound | None, holes: list[tuple[Version, Version]], points: set[Version]
) -> tuple[Bound | None, Bound | None]:
    """Move the ends of the range out of what ``!=`` leaves out."""
    for first, after in sorted(holes):
        if lowest and first <= lowest.version < after:
            lowest = Bound(after, inclusive=True)
    for first, after in sorted(holes, reverse=True):
        # An open end at `after` means versions up to it, which are the hole's; a closed end at `first` is the hole's own first.
        last_allowed = highest and (highest.version, highest.inclusive)
        if last_allowed and (first, True) <= last_allowed <= (after, False):
            highest = Bound(first, inclusive=False)
    if lowest and lowest.version in points:
        lowest = Bound(lowest.version, inclusive=False)
    if highest and highest.version in points:
        highest = Bound(highest.version, inclusive=False)
    return lowest, highest


def _some_version(lowest: Bound, highest: Bound) -> bool:
    if lowest.version == highest.version:
        return lowest.inclusive and highest.inclusive
    return lowest.version < highest.version
