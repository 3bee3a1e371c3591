"""Under which regime a call runs: in which autocast context, and whether gradients are recorded.

The innermost context manager decides; where a function opens none itself, its decorators; then the call that runs the
function, in the caller's regime. A function that nobody is seen to call runs under none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from trainlint.facts.precision.autocast import Autocast, Autocasts
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library, Made, Other
from trainlint.ir.nodes import Call, Const, Term


class Regime(NamedTuple):
    """``autocasts`` are the contexts of which one is the innermost (empty: none; None: nobody knows).

    ``grad`` is False when gradients are not recorded.
    """

    autocasts: tuple[Autocast, ...] | None = ()
    grad: bool = True

    def within(self, dtypes: Collection[str]) -> Autocast | None:
        """The autocast, when there is one and whichever it is computes in one of these precisions."""
        if not self.autocasts or not all(one.computes_in(dtypes) for one in self.autocasts):
            return None
        return self.autocasts[0]


class Regimes:
    """Answers for the calls of a program. Only what is asked is computed."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.contexts = program.ask(Autocasts)
        self._entered: dict[Frame, Regime] = {}
        self._modes: dict[tuple[Term, Frame], bool | None] = {}

    def of(self, call: Call, frame: Frame) -> Regime:
        """The regime under which a call of this activation runs."""
        managers = self.program.ask_of(surroundings, frame.function).of(call).managers
        return self._inside(managers, frame, self._entry(frame))

    def _entry(self, frame: Frame) -> Regime:
        """The regime under which an activation begins."""
        known = self._entered.get(frame)
        if known is None:
            self._entered[frame] = Regime()  # ends recursion
            outer = Regime()
            if frame.call is not None and frame.caller is not None:
                outer = self.of(frame.call, frame.caller)
            known = self._entered[frame] = self._decorated(frame, outer)
        return known

    def _decorated(self, frame: Frame, outer: Regime) -> Regime:
        function = frame.function
        if not function.decorators:
            return outer
        holder = frame.closure or self.program.frame(frame.module, self.program.modules[frame.module].functions["<module>"])
        for decorator in function.decorators:
            mode = self.mode(decorator, holder)
            if mode is not None:
                outer = outer._replace(grad=mode)
        opened = self.contexts.decorating(function, frame)
        return outer._replace(autocasts=opened) if opened else outer

    def _inside(self, managers: tuple[Term, ...], frame: Frame, outer: Regime) -> Regime:
        for manager in managers:
            mode = self.mode(manager, frame)
            if mode is not None:
                outer = outer._replace(grad=mode)
                continue
            opened = self.contexts.opened(manager, frame)
            if opened is None:
                outer = outer._replace(autocasts=None)
            elif opened:
                outer = outer._replace(autocasts=opened)
        return outer

    def mode(self, manager: Term, frame: Frame) -> bool | None:
        """Whether a context manager or decorator switches the recording of gradients, and to what."""
        key = (manager, frame)
        if key not in self._modes:
            self._modes[key] = self._mode(manager, frame)
        return self._modes[key]

    def _mode(self, manager: Term, frame: Frame) -> bool | None:
        modes = self.program.knowledge.grad_modes
        for value in self.program.values(manager, frame):
            word = modes.get(value.name) if isinstance(value, (Made, Library)) else None
            if word == "flag" and isinstance(value, Made) and value.call is not None and value.frame is not None:
                return self._given(value.call, value.frame)
            if word is not None:
                return word == "on"
        return None

    def _given(self, call: Call, frame: Frame) -> bool:
        """``set_grad_enabled(flag)``: off only when the flag is False for certain."""
        for argument in (*call.args[:1], *(value for _, value in call.kwargs)):
            values = self.program.values(argument, frame)
            return not (
                values and all(isinstance(v, Other) and isinstance(v.term, Const) and v.term.value is False for v in values)
            )
        return True
