"""What stands around a call in its function: the context managers that are open there, the tests, the loops."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.ir.control_dependence import positive
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.sketch import Block, CallStep, Function, If, Loop, Statement, With, Yield
from trainlint.ir.walk import blocks_of

#: Managers that are opened and closed by calls, not by ``with``: of a ``contextlib.ExitStack``, of the manager itself.
_OPENS, _OPENS_ITSELF, _CLOSES_ITSELF = "enter_context", "__enter__", "__exit__"


class Around(NamedTuple):
    """Outermost first: open managers, tests with the way that was taken, loops."""

    managers: tuple[Term, ...] = ()
    tests: tuple[tuple[Term, bool], ...] = ()
    loops: tuple[Loop, ...] = ()


NOWHERE = Around()


class Surroundings:
    """The surroundings of the calls and of the ``yield`` of one function; made once for each function that is asked about."""

    def __init__(self, function: Function) -> None:
        self.calls: dict[Term, Around] = {}
        self.places: list[tuple[CallStep, Around]] = []
        self.yields: Around | None = None
        self.left_open: tuple[Term, ...] = self._block(function.body, NOWHERE).managers

    def of(self, call: Call) -> Around:
        """What stands around a call; nothing for a call of another function."""
        return self.calls.get(call, NOWHERE)

    def _block(self, block: Block, around: Around) -> Around:
        """Note what is in a block; what is around its end."""
        for node in block:
            if isinstance(node, CallStep):
                self.calls.setdefault(node.term, around)
                self.places.append((node, around))
                around = _opened(node.term, around)
            elif isinstance(node, Yield):
                self.yields = self.yields or around
            else:
                self._inside(node, around)
        return around

    def _inside(self, node: Statement, around: Around) -> None:
        if isinstance(node, With):
            self._block(node.body, around._replace(managers=(*around.managers, *node.items)))
        elif isinstance(node, If):
            self._block(node.body, around._replace(tests=(*around.tests, positive(node.condition, holds=True))))
            self._block(node.orelse, around._replace(tests=(*around.tests, positive(node.condition, holds=False))))
        elif isinstance(node, Loop):
            self._block(node.body, around._replace(loops=(*around.loops, node)))
            self._block(node.orelse, around)
        else:
            for inner in blocks_of(node):
                self._block(inner, around)


def _opened(call: Call, around: Around) -> Around:
    """What is around the statements behind a call that opens or closes a manager."""
    callee = call.callee
    if not isinstance(callee, Attr):
        return around
    if callee.name == _OPENS and len(call.args) == 1:
        return around._replace(managers=(*around.managers, call.args[0]))
    if callee.name == _OPENS_ITSELF:
        return around._replace(managers=(*around.managers, callee.base))
    if callee.name == _CLOSES_ITSELF:
        return around._replace(managers=tuple(manager for manager in around.managers if manager is not callee.base))
    return around


def surroundings(_program: Program, function: Function) -> Surroundings:
    """The surroundings in a function."""
    return Surroundings(function)
