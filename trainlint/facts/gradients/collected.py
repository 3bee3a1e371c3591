"""What is behind a container or a total: what a function put into the one, what its loop added to the other.

``sum(losses.values())`` and ``for part in losses.values(): loss = loss + part`` are made of what ``losses`` was filled with.
"""

from __future__ import annotations

from trainlint.facts.gradients.sinks import Sinks
from trainlint.facts.literals import dict_viewed
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import LoopPhi, Subscript, Term


def collected(program: Program, holder: Term, frame: Frame) -> list[Term]:
    """What the function of an activation adds to ``holder``, or puts into it, in the order of its statements.

    A holder is a name that a loop carries (a ``LoopPhi``, its value in the loop or behind it), or a list or dict where it is
    made.
    """
    found = []
    for sink in program.ask(Sinks).found.get((frame.module, frame.function.qualname), ()):
        if sink.kind != "hand" and not sink.doubtful and _same(_container(sink.holder), holder):
            found += [part.term for part in sink.parts]
    return found


def _container(holder: Term) -> Term:
    """The container around an item that is set."""
    while isinstance(holder, Subscript):
        holder = holder.base
    return holder


def _same(holder: Term, asked: Term) -> bool:
    """Whether two holders are one; a name is the same in its loop and behind it."""
    return holder is asked or (isinstance(holder, LoopPhi) and isinstance(asked, LoopPhi) and holder.place == asked.place)


def viewed(program: Program, term: Term) -> Term | None:
    """The dict whose values a call hands out (``losses.values()``), by the name of its method (table ``views``)."""
    return dict_viewed(program.knowledge.views, term, "value", "pair")
