"""The sizes that one line or one file gives for a job: degrees of parallelism, the model's own, the batch's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.finding import Spot


@dataclass(frozen=True)
class Size:
    """A number that is written somewhere; ``written`` is how (``--num-layers 32``). A switch that is on is 1."""

    value: int
    document: Document
    spot: Spot
    written: str


@dataclass(frozen=True)
class Setup:
    """What is said of one job.

    ``family`` says whose sizes they are (a key of the table ``degrees.laws``), ``sizes`` are those that are known, by what they
    are (keys of ``degrees.megatron`` and so on); ``unknown`` are there with a value that is not. ``also`` are the other options,
    with hyphens. ``is_whole``: what is neither is at its default; ``is_job``: nothing of it is there for somebody to replace who
    takes it as a beginning. ``world`` is how many processes there are.
    """

    family: str
    sizes: Mapping[str, Size]
    unknown: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    is_whole: bool = True
    is_job: bool = True
    world: Size | None = field(default=None)

    def value(self, what: str, default: int | None = None) -> int | None:
        """A size, its default where it surely has that; None when it is not known."""
        size = self.sizes.get(what)
        if size is not None:
            return size.value
        return None if what in self.unknown or not self.is_whole else default

    def first(self, *names: str) -> Size | None:
        """The first of some sizes that is written and more than 1; else the first that is written."""
        there = [self.sizes[name] for name in names if name in self.sizes]
        return next((size for size in there if size.value > 1), there[0] if there else None)
