"""Which functions something traces: decorated with it, handed to it, or the model on which it is called.

What traces is in the knowledge table ``tracing``: its dotted name, a word for what it does (``jit``, ``scan``, ``dynamo``) and at
which places it is given functions (0 where nothing is said; ``self`` for what is called on a model).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.partials import partial_of
from trainlint.facts.program import Program
from trainlint.facts.traced.module_list_calls import wrapped
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Term
from trainlint.ir.sketch import Function

#: Through how many others the function is looked for: ``jit(vmap(grad(f)))``.
_MOST_WRAPPED = 4
_SELF = "self"


class Root(NamedTuple):
    """A function that is traced.

    ``name`` is what traces it, ``word`` what the tables say of that. ``call`` has its options: ``jit(f, donate_argnums=0)``, the
    ``jit(donate_argnums=0)`` of a ``partial`` or a decorator, None for a bare decorator. ``frame`` is where that stands, and
    ``spot``.
    """

    target: FunctionValue
    word: str
    name: str
    call: Call | None
    frame: Frame
    spot: Spot


class _Tracer(NamedTuple):
    """What traces, and the call that gives its options and no function yet."""

    name: str
    options: Call | None = None


class Roots:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        table = program.knowledge.tables["tracing"]
        self.words = {name: str(said).partition(" ")[0] for name, said in table.items()}
        self._places = {name: str(said).split()[1:] or ["0"] for name, said in table.items()}
        self._named: list[str] = program.knowledge.tables["tracing.arguments"]["names"]
        self._runs: list[str] = program.knowledge.tables["tracing.runs"]["names"]
        self._same: list[str] = program.knowledge.tables["tracing.same"]["names"]
        self._found: dict[int, list[Root]] | None = None

    def of(self, function: Function) -> list[Root]:
        """What traces a function directly."""
        return self.all().get(id(function), [])

    def all(self) -> dict[int, list[Root]]:
        """Every traced function (by its id), with what traces it."""
        if self._found is None:
            self._found = {}
            for root in (*self._decorated(), *self._handed()):
                known = self._found.setdefault(id(root.target.function), [])
                if root not in known:
                    known.append(root)
        return self._found

    def word(self, value: Value) -> str | None:
        """What something of a library, or what made something, does with the function it is given; None if it takes none."""
        return self.words.get(value.name) if isinstance(value, (Library, Made)) else None

    def is_same(self, value: Value) -> bool:
        """Whether a function, called, runs the one that it was made of once, with the same arguments: ``vmap(f)``."""
        return isinstance(value, Made) and self.words.get(value.name) in self._same

    def inner(self, made: Made) -> Iterator[FunctionValue]:
        """The functions of the project that run when the result of such a call is called: of ``jit(f)`` it is ``f``."""
        return self._inner(made, _MOST_WRAPPED)

    def _inner(self, made: Made, depth: int) -> Iterator[FunctionValue]:
        if made.name in self.words and made.call is not None and made.frame is not None:
            yield from self._functions(_Tracer(made.name), made.call, made.frame, depth)

    def _tracers(self, value: Value) -> Iterator[_Tracer]:
        """What a value traces with: ``jit``, ``partial(jit, …)``, ``jit(…)`` that was given no function."""
        if isinstance(value, Library) and value.name in self.words:
            yield _Tracer(value.name)
        partial = partial_of(value)
        if partial is not None:
            for inner in self.program.values(partial.callee, partial.frame):
                if isinstance(inner, Library) and inner.name in self.words:
                    yield _Tracer(inner.name, partial.applied)
        elif (
            isinstance(value, Made)
            and value.name in self.words
            and value.call is not None
            and self._is_open(value.call, value.frame)
        ):
            yield _Tracer(value.name, value.call)

    def _is_open(self, call: Call, frame: Frame | None) -> bool:
        """Whether a call gives options and no function yet, also through ``*args`` of nothing."""
        given = [each for each in call.args if frame is None or not frame.hands_on_nothing(each)]
        return not given and not any(name in self._named for name, _ in call.kwargs)

    def _decorated(self) -> Iterator[Root]:
        for module, function in self.program.functions():
            if not function.decorators:
                continue
            functions = self.program.modules[module].functions
            frame = self.program.frame(module, functions.get(function.outer or "<module>", functions["<module>"]))
            alone = self.program.frame(module, function)
            target = FunctionValue(module, function, alone.receiver, alone.closure)
            for decorator, spot in zip(function.decorators, function.decorator_spots, strict=False):
                for value in self.program.values(decorator, frame):
                    for tracer in self._tracers(value):
                        yield Root(target, self.words[tracer.name], tracer.name, tracer.options, frame, spot)

    def _handed(self) -> Iterator[Root]:
        index = self.program.ask(CallGraph)
        seen: set[Term] = set()
        for name in sorted({dotted.rpartition(".")[2] for dotted in self.words}):
            for site in index.sites_named(name):
                call, frame = site.call.term, self.program.frame(site.module, site.function)
                if call in seen:
                    continue
                seen.add(call)
                for value in self.program.values(call.callee, frame):
                    for tracer in self._tracers(value):
                        named = () if tracer.options is None else tracer.options.kwargs
                        whole = Call.new(call.callee, call.args, (*named, *call.kwargs), call.site)
                        for target in self._functions(tracer, call, frame, _MOST_WRAPPED):
                            yield Root(target, self.words[tracer.name], tracer.name, whole, frame, call.site)

    def _functions(self, tracer: _Tracer, call: Call, frame: Frame, depth: int) -> Iterator[FunctionValue]:
        """The functions of the project that a call hands to what traces them."""
        given = [value for name, value in call.kwargs if name in self._named]
        for place in self._places[tracer.name]:
            if place == _SELF:
                given += [call.callee.base] if isinstance(call.callee, Attr) else []
            elif len(call.args) > int(place):
                given.append(call.args[int(place)])
        for term in given:
            found = False
            for value in self.program.values(term, frame):
                for target in self._called(value, depth):
                    found = True
                    yield target
            if not found:
                yield from wrapped(self.program, term, frame)

    def _called(self, value: Value, depth: int) -> Iterator[FunctionValue]:
        if isinstance(value, FunctionValue):
            yield value
        elif isinstance(value, Instance):
            methods = (self.program.method(ClassValue(value.module, value.cls), name) for name in self._runs)
            method = next((each for each in methods if each is not None), None)
            if method is not None:
                yield FunctionValue(method[0], method[1], value)
        elif (partial := partial_of(value)) is not None and depth:
            for inner in self.program.values(partial.callee, partial.frame):
                for found in self._called(inner, depth - 1):
                    yield found._replace(given=Bound(partial.call, partial.frame))
        elif isinstance(value, Made) and depth:
            yield from self._inner(value, depth - 1)


__all__ = ["Root", "Roots"]
