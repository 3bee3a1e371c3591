"""Keys: whether an item is set under another key every time, so that a dict grows, or under one that comes again."""

from __future__ import annotations

from trainlint.facts.contexts import activations, site_of
from trainlint.facts.gradients.graphs import mentions
from trainlint.facts.gradients.rows import source_of
from trainlint.facts.gradients.sinks import Sink, mentions_parameter
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, FunctionValue, Library
from trainlint.ir.nodes import Access, Attr, Call, Const, Element, LoopPhi, Param, Self, Term, Unknown
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Loop
from trainlint.ir.terms import parts_of

_DEEPEST = 4


class Keys:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def differs(self, key: Term, loop: Loop | None, frame: Frame) -> bool:
        """Whether a key is another one in every round of a loop; without a loop, in every call of the function.

        Where an inner loop makes the key, it must be part of what the round is about (the numbers of its samples): counting
        from 0, and going over the names in a dict, gives the same keys in every round.
        """
        if isinstance(key, Const):
            return False
        text = self.program.modules[frame.module].texts.get(key)
        if text is not None:  # ``f"step {index}"``
            return any(self.differs(part, loop, frame) for part in text)
        if _made_by_a_loop(key) and (loop is None or not _binds(loop, key)):
            subject = self._subject(key, frame, loop)
            if subject is None:
                return False
            return loop is not None or (isinstance(subject, Param) and self._is_new(subject, frame))
        if loop is None:
            return False
        return loop.target is None or mentions(key, frozenset((loop.target,))) or _carried(key, loop)

    def handed(self, inner: Sink, key: Term, call: Call, loop: Loop | None, frame: Frame) -> bool:
        """Whether a method that sets an item is handed another key in every round of the loop around its call."""
        for target in self._methods(inner, call, frame):
            entered = self.program.enter(target, call, frame)
            given = [
                bound.term
                for name, bound in entered.arguments.items()
                if isinstance(bound, Bound) and mentions_parameter(key, inner.function.qualname, name)
            ]
            if any(self.differs(term, loop, frame) for term in given):
                return True
        return False

    def _methods(self, inner: Sink, call: Call, frame: Frame) -> list[FunctionValue]:
        found = self.program.values(call.callee, frame)
        return [value for value in found if isinstance(value, FunctionValue) and value.function is inner.function]

    def _subject(self, key: Term, frame: Frame, loop: Loop | None) -> Term | None:
        """The parameter, or what the loop binds, whose items make the keys; None when anything else has a say."""
        for _ in range(2 * _DEEPEST):
            if loop is not None and loop.target is key:
                return key
            if loop is None and isinstance(key, Param):
                return key if key.function == frame.function.qualname else None
            source = source_of(self.program, key, frame)
            if source is not None:
                key = source
            elif isinstance(key, Access) and not isinstance(key.base, Self):
                key = key.base
            elif (
                isinstance(key, Call)
                and isinstance(key.callee, Attr)
                and not key.args
                and key.callee.name not in self.program.knowledge.views
            ):
                key = key.callee.base  # ``numbers.tolist()``
            elif isinstance(key, Call) and len(key.args) == 1 and self._hands_on(key, frame):
                key = key.args[0]
            else:
                return None
        return None

    def _hands_on(self, call: Call, frame: Frame) -> bool:
        known = self.program.knowledge.transparent
        return any(isinstance(value, Library) and value.name in known for value in self.program.values(call.callee, frame))

    def _is_new(self, parameter: Param, frame: Frame) -> bool:
        """Whether every call in sight hands something of its own round to a parameter."""
        frames = [frame] if frame.caller is not None else activations(self.program, frame.module, frame.function)
        return all(self._from_a_round(parameter, each, _DEEPEST) for each in frames)

    def _from_a_round(self, parameter: Param, frame: Frame, depth: int) -> bool:
        if frame.caller is None:
            return True  # nobody is seen to call it
        bound = frame.arguments.get(parameter.name)
        site = site_of(self.program, frame)
        if not isinstance(bound, Bound) or site is None:
            return bound is None and parameter.name not in frame.function.defaults  # ``step(*batch)``
        targets = [loop.target for loop in loops_around(site.function, site.call.term) if loop.target is not None]
        if isinstance(bound.term, Unknown) or mentions(bound.term, frozenset(targets)):
            return True
        if targets:
            return False  # the same in all rounds
        if not isinstance(bound.term, Param) or bound.term.function != bound.frame.function.qualname:
            return False
        return depth > 0 and self._from_a_round(bound.term, bound.frame, depth - 1)


def _made_by_a_loop(key: Term) -> bool:
    """Whether a key is, or is read off, what a loop binds: ``number``, ``int(number)``, ``row["id"]``."""
    while True:
        if isinstance(key, Element):
            return True
        if isinstance(key, Access):
            key = key.base
        elif isinstance(key, Call) and isinstance(key.callee, Attr):
            key = key.callee.base
        elif isinstance(key, Call) and len(key.args) == 1:
            key = key.args[0]
        else:
            return False


def _binds(loop: Loop, key: Term) -> bool:
    """Whether a key is read off what this very loop binds, and not off what an inner loop does."""
    while key is not loop.target:
        if isinstance(key, Access):
            key = key.base
        elif isinstance(key, Call) and isinstance(key.callee, Attr):
            key = key.callee.base
        elif isinstance(key, Call) and len(key.args) == 1:
            key = key.args[0]
        else:
            return False
    return True


def _carried(key: Term, loop: Loop) -> bool:
    """Whether what the loop carries from round to round is part of a key: a count, as it is or in a text."""
    return any(isinstance(part, LoopPhi) and (part.line, part.column) == loop.spot[:2] for part in parts_of(key))
