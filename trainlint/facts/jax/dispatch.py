"""What a call is to the devices of JAX: it gives them work and returns at once, the host waits for a result, or neither.

It answers as :class:`trainlint.facts.timing.device.Device` does, so that the questions about clocks can be asked of both. What
nobody can see counts as waiting where it is handed what was computed.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.components import imported
from trainlint.facts.constant_branch import alternatives
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program, calls_of
from trainlint.facts.timing.device import Effect, is_counted
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import Bound, Frame, FunctionValue, Library, Made, Value
from trainlint.ir.nodes import Attr, Call, Global, LoopPhi, Nested, Param, Ref, Select, Term, Unknown
from trainlint.ir.sketch import CallStep, Function

_COMPILES = ("jit", "pmap")
_WAITS, _ALL, BEGINS, ENDS = "waits", "all", "begins", "ends"
_DEEPEST = 3
#: Terms that are looked through for a result, in one question.
_MOST = 2000
_EMPTY: frozenset[Term] = frozenset()


class Dispatch:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        tables = program.knowledge.tables
        self.words: dict[str, str] = dict(tables["dispatch"])
        self._methods = frozenset(tables["dispatch.methods"]["names"])
        self._harmless = frozenset(tables["dispatch.harmless"]["names"]) | self.knowledge.only_asks
        self._packages = tuple(tables["dispatch.packages"]["names"])
        self._roots = {name.partition(".")[0] for name in self._packages}
        self._asking: list[str] = tables["dispatch.asking"]["names"]
        self._once: list[str] = tables["traced.starts"]["names"]
        self.explicit = frozenset((self.knowledge.written["blocks"].rpartition(".")[2],))
        self._used: dict[str, bool] = {}
        self._known: dict[tuple[Term, Frame], Effect] = {}
        self._awaited: dict[int, frozenset[Term]] = {}
        self._handed: dict[int, frozenset[Term]] = {}
        self._contents: dict[int, dict[Term, list[Term]]] = {}

    def used(self, module: str) -> bool:
        """Whether a file computes with the library."""
        if module not in self._used:
            names = imported(self.program.modules[module])
            self._used[module] = any(name.partition(".")[0] in self._roots for name in names)
        return self._used[module]

    def elsewhere(self, module: str, function: Function) -> bool:
        """Whether a function says that it measures how long it takes to ask; on every device calls return at once."""
        return self.measures_asking(f"{module}.{function.qualname}".lower())

    def excludes(self, _test: Term, _arm: bool) -> bool:
        """No test says that calls wait: they return at once on every device."""
        return False

    def measures_asking(self, name: str) -> bool:
        """Whether a name (lower case) says that it is about how long it takes to ask for something, or to compile it."""
        return any(word in name for word in self._asking)

    # -- one call --------------------------------------------------------------------------------------------------

    def compiled(self, callee: Value) -> bool:
        """Whether a value is a compiled function, which returns before its work is done."""
        if isinstance(callee, Made):
            ours = callee.call is not None and callee.name.partition(".")[0] in self._roots
            return ours and self.program.ask(Roots).word(callee) in _COMPILES
        if isinstance(callee, FunctionValue) and callee.function.decorators:
            spots = callee.function.decorator_spots
            return any(root.word in _COMPILES and root.spot in spots for root in self.program.ask(Roots).of(callee.function))
        return False

    def computes(self, call: Call, frame: Frame) -> bool:
        """Whether a call gives a device work: of a compiled function, or of one whose result is waited for elsewhere here.

        Of a function that runs once the compilation takes the time, and that is done when the call returns.
        """
        if call.callee in self._waited_for(frame):
            return True
        if any(word in (last_name(call.callee) or "").lower() for word in self._once):
            return False
        return any(self.compiled(value) for value in self.program.values(call.callee, frame))

    def word(self, call: Call, frame: Frame) -> str | None:
        """What a function of the library does that waits, begins to record or ends that."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self.words:
                return self.words[value.name]
        return None

    def effect(self, call: Call, frame: Frame, depth: int = 0) -> Effect:
        """What a call is to the device, in an activation."""
        key = (call, frame)
        if key not in self._known:
            self._known[key] = "waits"  # ends recursion
            self._known[key] = self._effect(call, frame, depth)
        return self._known[key]

    def _effect(self, call: Call, frame: Frame, depth: int) -> Effect:
        if self.computes(call, frame):
            return "work"
        name = last_name(call.callee) or ""
        word = self.word(call, frame)
        if word == _ALL:
            return "waits"
        if word in (BEGINS, ENDS):
            return "nothing"
        given = [*call.args, *(value for _, value in call.kwargs)]
        if isinstance(call.callee, Ref) and call.callee.name.startswith("builtins."):
            return "waits" if name in self.knowledge.reads_values and self._any(given, frame) else "nothing"
        targets = self.program.ask(CallGraph).targets(call, frame)
        libraries = [target.name for target in targets if isinstance(target, Library)]
        functions = [target for target in targets if isinstance(target, FunctionValue)]
        if functions:
            effects = {self._of_function(target, call, frame, depth) for target in functions}
            return effects.pop() if len(effects) == 1 else "waits"
        if any(self._is_waiting(each, frame) for each in call.args) and self._any(given, frame):
            return "waits"  # for each leaf of a tree
        quiet = word is None and name not in self._methods
        if quiet and libraries and all(library.startswith(self._packages) for library in libraries):
            return "nothing"
        if isinstance(call.callee, Attr):
            given.append(call.callee.base)
            if name in self._harmless:
                return "nothing"
            if name in self._methods and word != _WAITS and not self._any(given, frame):
                return "waits"  # of something computed elsewhere, perhaps before
        return "waits" if self._any(given, frame) else "nothing"

    def _is_waiting(self, term: Term, frame: Frame) -> bool:
        """Whether a term is a function that waits for what it is given: of the library, or one that is written there."""
        if isinstance(term, Nested):
            inner = self.program.modules[frame.module].functions.get(term.name)
            return inner is not None and self.waits_in(inner)
        if not isinstance(term, Ref):
            return False
        name = term.name
        values = self.program.values(term, frame)
        waits = any(isinstance(value, Library) and self.words.get(value.name) in (_WAITS, _ALL) for value in values)
        return waits or name.rpartition(".")[2] in self._methods or not name.startswith((*self._packages, "builtins."))

    def _of_function(self, target: FunctionValue, call: Call, frame: Frame, depth: int) -> Effect:
        if depth >= _DEEPEST or frame.runs(target.function):
            return "waits"
        inner = self.program.enter(target, call, frame)
        effects = set[Effect]()
        for node, place in self.program.ask_of(surroundings, target.function).places:
            effect = self.effect(node.term, inner, depth + 1)
            if effect == "work" and any(each.kind == "for" and not is_counted(each) for each in place.loops):
                return "long"
            effects.add(effect)
        order: tuple[Effect, ...] = ("long", "waits", "work")
        return next((strongest for strongest in order if strongest in effects), "nothing")

    # -- what was computed -----------------------------------------------------------------------------------------

    def holds_result(self, term: Term, frame: Frame) -> bool:
        """Whether a term mentions what a device was asked for, here or in an activation around."""
        seen: set[tuple[Term, Frame]] = set()
        pending = [(term, frame)]
        while pending and len(seen) < _MOST:
            key = pending.pop()
            if key in seen:
                continue
            seen.add(key)
            part, where = key
            if isinstance(part, Call) and (self.computes(part, where) or self._leads_to_work(part, where)):
                return True
            pending.extend(self._behind(part, where))
        return False

    def _leads_to_work(self, call: Call, frame: Frame) -> bool:
        """Whether a function of the project asks a device for something, and hands on what may not be there yet."""
        if frame.depth >= _DEEPEST or self._known.get((call, frame)) is not None:
            return self._known.get((call, frame)) in ("work", "long")
        targets = self.program.ask(CallGraph).targets(call, frame)
        return any(isinstance(each, FunctionValue) for each in targets) and self.effect(call, frame) in ("work", "long")

    def _behind(self, part: Term, frame: Frame) -> Iterator[tuple[Term, Frame]]:
        """What a term is made of, and what it stands for."""
        function = frame.function
        yield from ((each, frame) for each in self._put(function).get(part, ()))
        if isinstance(part, Param):
            given = frame.given(part)
            if isinstance(given, Bound):
                yield given.term, given.frame
        elif isinstance(part, LoopPhi):
            held = (*function.carried.get(part, ()), *((function.ended[part],) if part in function.ended else ()))
            yield from ((each, frame) for each in held)
        elif isinstance(part, Unknown):
            yield from ((each, frame) for each in part.pieces)
        elif isinstance(part, Select):
            yield from ((each, frame) for each in alternatives(part, frame))
        else:
            yield from ((each, frame) for each in part.subterms())

    def _put(self, function: Function) -> dict[Term, list[Term]]:
        """What a function puts into its containers by their methods."""
        key = id(function)
        if key not in self._contents:
            found: dict[Term, list[Term]] = {}
            for node in calls_of(function):
                callee = node.term.callee
                if isinstance(callee, Attr) and callee.name in self.knowledge.gathers:
                    found.setdefault(callee.base, []).extend(node.term.args)
            self._contents[key] = found
        return self._contents[key]

    def _any(self, terms: list[Term], frame: Frame) -> bool:
        """Whether one of some terms mentions a result, or is a thing that a compiled function may have changed."""
        handed = self._handed_to_compiled(frame)
        return any(self.holds_result(each, frame) or each in handed for each in terms)

    def _handed_to_compiled(self, frame: Frame) -> frozenset[Term]:
        """The things (no values of a loop) that a function hands to compiled ones: an object's arrays may be results then."""
        key = id(frame.function)
        if key not in self._handed:
            self._handed[key] = _EMPTY
            alone = self.program.frame(frame.module, frame.function)
            found = (each for node in calls_of(frame.function) if self.computes(node.term, alone) for each in node.term.args)
            self._handed[key] = frozenset(each for each in found if isinstance(each, (Param, Global, Attr, Call)))
        return self._handed[key]

    # -- results that somebody waits for ---------------------------------------------------------------------------

    def _waited_for(self, frame: Frame) -> frozenset[Term]:
        """The functions (as a function names them) of whose result it once waits: they return before that is there."""
        key = id(frame.function)
        if key not in self._awaited:
            self._awaited[key] = _EMPTY
            self._awaited[key] = frozenset(self._awaited_in(frame)) if self.used(frame.module) else _EMPTY
        return self._awaited[key]

    def _awaited_in(self, frame: Frame) -> Iterator[Term]:
        for node in calls_of(frame.function):
            call = node.term
            if last_name(call.callee) in self._methods and call.args and self.word(call, frame) == _WAITS:
                held = call.args[0]
                if isinstance(held, LoopPhi):
                    held = frame.function.ended.get(held, held)
                if (
                    isinstance(held, Call)
                    and isinstance(held.callee, (Ref, Global))
                    and not held.callee.name.startswith(self._packages)
                ):
                    yield held.callee

    def waits_in(self, function: Function) -> bool:
        """Whether a function waits for something by name, whatever that is."""
        return any(last_name(node.term.callee) in self._methods for node in calls_of(function))


def marks(program: Program, name: str) -> Iterator[tuple[str, Function, CallStep]]:
    """The calls of the library that begin, or end, a recording of what runs on the devices."""
    asked = program.ask(Dispatch)
    for last in sorted({dotted.rpartition(".")[2] for dotted, word in asked.words.items() if word == name}):
        for site in program.ask(CallGraph).sites.get(last, ()):
            if asked.word(site.call.term, program.frame(site.module, site.function)) == name:
                yield site.module, site.function, site.call


__all__ = ["BEGINS", "ENDS", "Dispatch", "marks"]
