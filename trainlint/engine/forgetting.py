"""What is forgotten while the rules ask, as soon as no rule that follows is known to ask for it.

What is found out about a program takes more memory than its models, and most of it is asked for by rules that follow one another:
what a rank's conditions are worth, which functions JAX traces, what each term is a part of. A rule that asks for it later all the
same has it found out again, so the table below is about memory only, never about findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.facts.values import Frame

#: The memories of evaluators (see :attr:`trainlint.facts.values.Frame.answers`) by what is in their own names: all of them, and
#: those of what a rank runs next, which are most of what TL101 leaves, and hardly asked for by another rule.
_EVALUATED, _TRACED = "answers of evaluators", "tracing answers of evaluators"
_MEMORIES = {_EVALUATED: "Evaluator", _TRACED: "tracing answers of "}

#: By rule what none behind it asks for: names in :attr:`trainlint.facts.program.Program.analyses`, or of memories.
#: Only what is large is listed.
_LAST: Mapping[str, tuple[str, ...]] = {
    "TL101": (_TRACED,),
    "TL103": (_EVALUATED, "failing"),
    "TL109": (_EVALUATED,),
    "TL112": ("communication",),
    "TL215": (_EVALUATED, "own data"),
    "TL527": ("jax activations",),
    "TL534": ("jax dispatch", "jax keys", "jax traced"),
    "TL552": ("pipelines of data",),
    "TL612": ("checkpoint reads", "origins", "uses"),
}


@runtime_checkable
class _Beginning(Protocol):
    """An analysis that makes activations which nobody calls, and follows calls from there."""

    def begun(self) -> set[Frame]:
        """These activations."""


class Forgetting:
    """Goes along with the rules, by code, that one program is asked by."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._pending = sorted(_LAST)

    def before(self, code: str) -> None:
        """Forget what no rule from this one on asks for."""
        while self._pending and self._pending[0] < code:
            self._forget(_LAST[self._pending.pop(0)])

    def _forget(self, names: tuple[str, ...]) -> None:
        gone = [self.program.analyses.pop(name) for name in names if name in self.program.analyses]
        for each in gone:
            if isinstance(each, _Beginning):
                self.program.leave(each.begun())
        for part in (_MEMORIES[name] for name in names if name in _MEMORIES):
            for frame in self.program.entered():
                for name in [name for name in frame.answers if part in name]:
                    del frame.answers[name]


__all__ = ["Forgetting"]
