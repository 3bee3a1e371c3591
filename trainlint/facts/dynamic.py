"""Shapes that depend on values, in what a training step on XLA runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.batches import statement_of
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.facts.xla import Evidence
from trainlint.finding import Spot
from trainlint.model.terms import Term


class Dynamic(NamedTuple):
    """TODO."""

    call: Term


def dynamic_shapes(program: Program) -> Iterator[Dynamic]:
    """TODO."""
    yield from ()
