"""How long what rules found out about a program is kept: until no rule that follows can ask for it.

What is found out takes more memory than the models, and most of it is asked for by rules that follow one another: what a rank's
conditions are worth, which functions JAX traces, what each term is a part of. A rule can ask only for an analysis whose module
its own reaches by imports, and :mod:`trainlint.prepare` has worked out which rule is the last one that reaches each. An analysis
that is asked for all the same is made again: this is about memory only, never about findings. So what was prepared may be out of
date; where it is missing, every analysis is kept.

What a rule of another package imports nobody has looked at, and it may ask for anything: until the last one has run, every
analysis is kept.

What terms are worth is remembered in activations, which are there for long: of that, the size decides, too.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from trainlint.app.engine.garbage import collect_much
from trainlint.codes import INSTALLED
from trainlint.program.memo import forget_answers, forget_answers_of, relieve
from trainlint.program.program import Program

if TYPE_CHECKING:
    from trainlint.flow.paths import GivenUp
    from trainlint.program.values import Context


#: What terms are worth is forgotten when more tables of that are kept than this, each of one activation and about five terms. In
#: accelerate (29,000 activations) the rules that compare ranks leave 9,000 (3 MB), and ask for them again.
_MOST_KEPT = 30_000


@cache
def last_rules() -> Mapping[str, str]:
    """By module the code of the last rule that reaches it; empty where nothing was prepared."""
    try:
        prepared = importlib.import_module("trainlint.app.engine._prepared")
    except ImportError:
        return {}
    last: dict[str, str] = prepared.LAST
    return last


class Lifetimes:
    """Goes along with the rules, by code, that one program is asked by."""

    def __init__(self, program: Program, codes: Sequence[str]) -> None:
        self._program = program
        self._last = last_rules()
        #: Up to this rule everything is kept.
        self._foreign = max((code for code in codes if code in INSTALLED.rows), default="")
        self._given_up: list[GivenUp] = []

    def before(self, code: str) -> None:
        """Forget what neither this rule nor one after it can ask for."""
        if code <= self._foreign:
            return
        compared = self._leave_analyses(code)
        remembering = self._program.remembering
        for name in [name for name, (kind, _) in remembering.items() if self._last.get(kind.__module__, code) < code]:
            forget_answers_of(self._program, name)
        relieve(self._program)
        if compared:
            collect_much(times=4)  # what compares ranks is many objects that hold one another; a look takes as long as a rule

    def _leave_analyses(self, code: str) -> bool:
        """Forget these analyses; whether one that compares ranks is among them."""
        analyses, compared = self._program.analyses, False
        for question in [question for question in analyses if self._last.get(question.__module__, code) < code]:
            answer = analyses.pop(question)
            begun: Callable[[], set[Context]] | None = getattr(answer, "begun", None)
            if begun is not None:  # it makes activations which nobody calls, and follows calls from there
                self._program.leave(begun())
            given_up = _given_up_by(answer)
            if given_up is not None:
                self._given_up += given_up.values()
                compared = True
        return compared

    def after(self) -> None:
        """Forget answers about terms that take too much room."""
        forget_answers(self._program, _MOST_KEPT)

    def given_up(self) -> Iterator[GivenUp]:
        """The functions that were too much for an analysis, for those that are forgotten as well."""
        yield from self._given_up
        for answer in self._program.analyses.values():
            yield from (_given_up_by(answer) or {}).values()


def _given_up_by(answer: object) -> Mapping[int, GivenUp] | None:
    """The functions that are too much for an analysis; None where none can be."""
    given_up: Mapping[int, GivenUp] | None = getattr(answer, "given_up", None)
    return given_up
