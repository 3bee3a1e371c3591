"""Which of several classes or functions a job takes: ``if args.net == "small": Net = Small elif …``, and then ``Net()``."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue
from trainlint.ir.nodes import Global, Ref, Select, Term
from trainlint.preflight.settings.options import Options
from trainlint.preflight.ways import Way

#: Arms of arms.
_MOST = 40


class Arms:
    """What calls of a job choose between, each with the option without which it is not taken; None where it is, or may be."""

    def __init__(self, program: Program, options: Options) -> None:
        self.program = program
        self.options = options
        self._options: dict[int, str | None] = {}

    def take(self, callee: Term, frame: Frame) -> None:
        """Take up what a call may mean, before it is asked about."""
        if not isinstance(callee, (Select, Ref, Global)):
            return
        for term, option in self._leaves(callee, frame.module):
            for value in self.program.values(term, frame):
                if isinstance(value, FunctionValue):
                    self._note(id(value.function), option)
                if isinstance(value, ClassValue) and option is None:
                    self.made(value)
                elif isinstance(value, ClassValue):
                    self._note(id(value.cls), option)

    def made(self, value: ClassValue) -> None:
        """Take up that objects of a class are made, whatever is chosen elsewhere; its methods are also those of its bases."""
        for above in self.program.lineage(value):
            if isinstance(above, ClassValue):
                self._note(id(above.cls), None)

    def _note(self, key: int, option: str | None) -> None:
        self._options[key] = option if key not in self._options else option and self._options[key]

    def _leaves(self, callee: Term, path: str) -> Iterator[tuple[Term, str | None]]:
        waiting: list[tuple[Term, str | None]] = [(callee, None)]
        for _ in range(_MOST):
            if not waiting:
                return
            term, option = waiting.pop()
            if not isinstance(term, Select):
                yield term, option
                continue
            for arm, inner in ((True, term.then), (False, term.other)):
                waiting.append((inner, option or self.options.off(term.test, arm, path)))
        yield from ((term, None) for term, _ in waiting)

    def way(self, way: Way, target: FunctionValue | ClassValue) -> Way:
        """How a target is reached: with the option without which another one is taken."""
        if isinstance(target, ClassValue):
            found = self._options.get(id(target.cls))
        else:
            function = target.function
            own = self.program.modules[target.module].classes.get(function.cls) if function.cls is not None else None
            found = self._options.get(id(function if own is None else own))
        return way if found is None or way.option is not None else way._replace(option=found)
