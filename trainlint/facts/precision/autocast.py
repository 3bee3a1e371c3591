"""Autocast: which contexts a context manager, a decorator or a helper of the project opens.

What the calls say that make them is read in ``autocast_calls.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.precision.autocast_calls import UNKNOWN, Autocast, Reading
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import And, Call, Const, Or, Select, Term
from trainlint.ir.sketch import Function

__all__ = ["Autocast", "Autocasts", "origin"]

_DEEPEST = 4


class Autocasts(Reading):
    """Questions about autocast contexts."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.tables = program.knowledge.autocasts
        self._managers: dict[tuple[Term, Frame], tuple[Autocast, ...] | None] = {}

    def opened(self, manager: Term, frame: Frame) -> tuple[Autocast, ...] | None:
        """What autocast contexts a context manager may stand for; empty: it is something else, None: nobody knows.

        A helper that yields inside of its own contexts opens those; what it may open beside an autocast (``nullcontext``)
        leaves the numbers alone.
        """
        key = (manager, frame)
        if key not in self._managers:
            self._managers[key] = ()  # ends recursion
            self._managers[key] = self._opened(manager, frame, 0)
        return self._managers[key]

    def _opened(self, manager: Term, frame: Frame, depth: int) -> tuple[Autocast, ...] | None:
        found: list[Autocast] = []
        doubt = False
        for value in self.program.values(manager, frame):
            opened = self._of_value(value, depth)
            if opened is None:
                doubt = True
            else:
                found += opened
        return None if doubt and found else tuple(found)

    def _of_value(self, value: Value, depth: int) -> tuple[Autocast, ...] | None:
        if isinstance(value, Made):
            made = self._made(value)
            return (made,) if made is not None else ()
        if isinstance(value, Instance):
            return self._of_object(value, depth)
        if isinstance(value, Other) and isinstance(value.term, Call):
            return self._of_call(value.term, value.frame, depth)
        if isinstance(value, Other):
            return () if isinstance(value.term, Const) else None
        return ()

    def _made(self, value: Made) -> Autocast | None:
        """The autocast that a library call made."""
        if value.call is None or value.frame is None or value.name not in self.tables:
            return None
        return self.read(value.name, value.call, value.frame, value.call, value.frame)

    def _of_call(self, call: Call, frame: Frame, depth: int) -> tuple[Autocast, ...] | None:
        """A call that values do not follow: of a generator of the project, of what ``functools.partial`` made."""
        found: list[Autocast] = []
        for callee in self.program.values(call.callee, frame):
            if isinstance(callee, FunctionValue) and callee.function.generator and depth < _DEEPEST:
                found += self._around_yield(callee, call, frame, depth)
            elif isinstance(callee, Made) and callee.call is not None and callee.frame is not None and callee.call.args:
                for wrapped in self.program.values(callee.call.args[0], callee.frame):
                    if isinstance(wrapped, Library) and wrapped.name in self.tables:
                        found.append(self.read(wrapped.name, callee.call, callee.frame, call, frame, skip=1))
            elif isinstance(callee, Other):
                return None
        return tuple(found)

    def _around_yield(self, callee: FunctionValue, call: Call, frame: Frame, depth: int) -> Iterator[Autocast]:
        around = self.program.ask_of(surroundings, callee.function).yields
        inner = self.program.enter(callee, call, frame)
        for manager in around.managers if around is not None else ():
            yield from self._opened(manager, inner, depth + 1) or ()

    def _of_object(self, value: Instance, depth: int) -> tuple[Autocast, ...]:
        """An object of the project: of a class derived from an autocast, or one that opens an autocast when it is entered."""
        cls = ClassValue(value.module, value.cls)
        method = self.program.method(cls, "__enter__")
        if method is not None and depth < _DEEPEST:
            inner = self.program.instance_frame(value, *method)
            found: list[Autocast] = []
            for manager in self.program.ask_of(surroundings, method[1]).left_open:
                found += self._opened(manager, inner, depth + 1) or ()
            return tuple(found)
        for base in self.program.lineage(cls):
            if isinstance(base, Library) and base.name in self.tables and value.call is not None and value.frame is not None:
                own = self.program.method(cls, "__init__")
                read = self.read(base.name, value.call, value.frame, value.call, value.frame)
                return (read,) if own is None else (read._replace(dtypes=frozenset((UNKNOWN,))),)
        return ()

    def modules(self, dtypes: Collection[str]) -> list[str]:
        """The files in which something may make an autocast context of one of these precisions."""
        index = self.program.ask(CallGraph)
        found: set[str] = set()
        for word in {name.rpartition(".")[2] for name in self.tables}:
            for site in index.sites_named(word):
                if site.module not in found and self._may(site, dtypes):
                    found.add(site.module)
        return sorted(found)

    def _may(self, site: CallSite, dtypes: Collection[str]) -> bool:
        frame, call = self.program.frame(site.module, site.function), site.call.term
        named = [v.name for v in self.program.values(call.callee, frame) if isinstance(v, Library) and v.name in self.tables]
        if not named:
            return True
        made = self.read(named[0], call, frame, call, frame)
        return made.enabled is not False and not made.dtypes.isdisjoint((*dtypes, UNKNOWN))

    def decorating(self, function: Function, frame: Frame) -> tuple[Autocast, ...]:
        """The autocast contexts in which a decorated function runs."""
        outer = frame.closure or self.program.frame(frame.module, self.program.modules[frame.module].functions["<module>"])
        found: list[Autocast] = []
        for decorator in function.decorators:
            if isinstance(decorator, Call):
                found += self.opened(decorator, outer) or ()
        return tuple(found)


def origin(program: Program, autocast: Autocast) -> tuple[Call, Frame]:
    """Where the code asks for this context: its own call, or the call of the helper that hands it out to whoever asks."""
    call, frame = autocast.call, autocast.frame
    while frame.call is not None and frame.caller is not None and _handed_out(program, call, frame):
        call, frame = frame.call, frame.caller
    return call, frame


def _handed_out(program: Program, call: Call, frame: Frame) -> bool:
    """Whether a function returns the context that a call makes, or yields inside of it."""
    if frame.function.kind == "lambda":
        return False
    around = program.ask_of(surroundings, frame.function).yields
    given = [*program.returns(frame.function), *(around.managers if around is not None else ())]
    return any(call in _parts(value) for value in given)


def _parts(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, Select):
        yield from _parts(term.then)
        yield from _parts(term.other)
    elif isinstance(term, (And, Or)):
        for part in term.operands:
            yield from _parts(part)
