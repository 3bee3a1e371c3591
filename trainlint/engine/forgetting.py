"""What is forgotten while the rules ask, as soon as no rule that follows is known to ask for it.

What is found out about a program takes more memory than its models, and most of it is asked for by rules that follow one another:
what a rank's conditions are worth, which functions JAX traces, what each term is a part of. A rule that asks for it later all the
same has it found out again, so the table below is about memory only, never about findings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from trainlint.facts.program import Program
    from trainlint.facts.values import Frame

#: The memories of evaluators (see :attr:`trainlint.facts.values.Frame.answers`) by what is in their own names: all of them, and
#: those of what a rank runs next, which are most of what TL101 leaves, and hardly asked for by another rule.
_EVALUATED, _TRACED = "answers of evaluators", "tracing answers of evaluators"
_MEMORIES = {_EVALUATED: "Evaluator", _TRACED: "tracing answers of "}

#: By rule what none behind it asks for: questions in :attr:`trainlint.facts.program.Program.analyses`, by their dotted names (so
#: that nothing is imported for it), or memories. Only what is large is listed.
_LAST: Mapping[str, tuple[str, ...]] = {
    "TL101": (_TRACED,),
    "TL103": (_EVALUATED, "trainlint.spmd.failing.Failing"),
    "TL109": (_EVALUATED,),
    "TL112": ("trainlint.facts.communication.Communication",),
    "TL215": (_EVALUATED, "trainlint.facts.per_rank_taint.OwnData"),
    "TL527": ("trainlint.facts.jax.activations.Activations",),
    "TL534": (
        "trainlint.facts.jax.dispatch.Dispatch",
        "trainlint.facts.jax.keys.Keys",
        "trainlint.facts.jax.traced.TracedFunctions",
    ),
    "TL552": ("trainlint.facts.tensorflow.pipelines.Pipelines",),
    "TL612": (
        "trainlint.facts.checkpoints.reads.Reads",
        "trainlint.facts.checkpoints.origins.Origins",
        "trainlint.facts.def_use.Uses",
    ),
}


def name_of(question: Callable[..., object]) -> str:
    """The dotted name of a class or a function that a program is asked by."""
    return f"{question.__module__}.{question.__qualname__}"


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
        analyses = self.program.analyses
        for question in [question for question in analyses if name_of(question) in names]:
            answer = analyses.pop(question)
            if isinstance(answer, _Beginning):
                self.program.leave(answer.begun())
        for part in (_MEMORIES[name] for name in names if name in _MEMORIES):
            for frame in self.program.entered():
                for name in [name for name in frame.answers if part in name]:
                    del frame.answers[name]


__all__ = ["Forgetting", "name_of"]
