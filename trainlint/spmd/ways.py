"""Where the ways out of a block lead: to what stands behind it, and by ``return``, ``break``, an error to somewhere else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from trainlint.facts.values import Frame
from trainlint.ir.nodes import Term
from trainlint.spmd.trace import Node

#: The node behind an error that is raised in an activation; None where it is not known who catches it.
Catches = Callable[[Term, Frame], "Node | None"]


class Ways(NamedTuple):
    """Where each way out of a block leads."""

    next: Node
    returns: Node
    breaks: Node
    continues: Node
    raises: Node
    yields: Callable[[Ways], Node] | None = None
    #: Where an error leads whose class is known: the handler that catches it.
    catches: Catches | None = None

    def through(self, way: Callable[[Node], Node]) -> Ways:
        """The same ways, each of which leads through something first."""
        catches = None if self.catches is None else partial(_caught_through, self.catches, way)
        return Ways(
            way(self.next), way(self.returns), way(self.breaks), way(self.continues), way(self.raises), self.yields, catches
        )

    def error(self, error: Term | None, frame: Frame) -> Node:
        """Where an error leads."""
        found = self.catches(error, frame) if self.catches is not None and error is not None else None
        return self.raises if found is None else found


#: What is put in the place of a call, or of the body of a ``with``: the trace of what runs, from the ways out of it.
Run = Callable[[Ways], Node]


def _caught_through(catches: Catches, way: Callable[[Node], Node], error: Term, frame: Frame) -> Node | None:
    """The handler of an error, with what is run on the way there."""
    found = catches(error, frame)
    return None if found is None else way(found)
