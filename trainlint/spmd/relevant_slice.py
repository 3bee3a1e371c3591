"""What of a block can put something into a trace. The rest is not gone through again for each rank, call and round.

A training script is a thousand statements, of which some dozens call what may communicate, leave, or lead there.
"""

from __future__ import annotations

from abc import abstractmethod

from trainlint.facts.communication import Communication
from trainlint.ir.nodes import Call
from trainlint.ir.sketch import Block, CallStep, Exit, If, Loop, Statement, Try, With, Yield


class Telling:
    """The part of :class:`trainlint.spmd.uniform_check.Agreement` that knows which statements matter."""

    communication: Communication
    #: Whether the iteration of something may communicate.
    drawing_tells: bool
    _telling: dict[int, tuple[Block, Block]]

    @abstractmethod
    def may_talk(self, call: Call) -> bool:
        """Whether a call may communicate."""

    def telling(self, block: Block, module: str) -> Block:
        """The statements of a block, of the file ``module``, that can put something into the trace of a rank (remembered)."""
        known = self._telling.get(id(block))
        if known is None:
            kept: list[Statement] = []
            for statement in block:  # no generator expressions here: ten thousand cases are ten thousand levels
                if self._tells(statement, module):
                    kept.append(statement)  # noqa: PERF401
            # The block itself is kept too: its id is nobody else's as long as it lives.
            known = self._telling[id(block)] = block, tuple(kept)
        return known[1]

    def _tells(self, statement: Statement, module: str) -> bool:
        if isinstance(statement, CallStep):
            return self.may_talk(statement.term) or self.communication.says(module, statement.term)
        if isinstance(statement, If):
            return bool(self.telling(statement.body, module) or self.telling(statement.orelse, module))
        if isinstance(statement, Loop):
            endless = statement.kind != "for"  # it may go on for ever, which is told, too
            return endless or self.drawing_tells or self._any(module, statement.body, statement.orelse)
        if isinstance(statement, Try):
            return self._any(module, statement.body, *statement.handlers, statement.orelse, statement.final)
        return isinstance(statement, (Exit, With, Yield))

    def _any(self, module: str, *blocks: Block) -> bool:
        return any(self.telling(block, module) for block in blocks)


__all__ = ["Telling"]
