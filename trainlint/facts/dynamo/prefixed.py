"""States of compiled models that are saved: all of their keys begin with the name of the wrapper (run in torch 2.13).

``torch.compile(model)`` is another module, which holds the model. Its ``state_dict()`` has other keys than the model's, and
fits no model that is not compiled. Where the program knows of the prefix, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.checkpoints.written import Save, Written
from trainlint.facts.def_use import Uses
from trainlint.facts.dynamo.models import CompiledModels
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Bound, Frame, FunctionValue, Made
from trainlint.finding import Applicability, Spot
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, Call, Const, Dict, Param, Select, Subscript, Term
from trainlint.ir.order import within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Function, If
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.sites.changes import Change, Rewrite

_LOADS = "load_state_dict"
_DEEPEST = 4
_MOST_CLEANERS = 4


class Prefixed(NamedTuple):
    """A state that is taken of a compiled model, and saved.

    ``compiled`` is where the model was compiled, ``cleaners`` where the keys of a state lose the prefix of another wrapper, and
    not this one.
    """

    module: str
    state: Call
    statement: Spot
    compiled: Made
    saved: CallSite
    cleaners: tuple[CallSite, ...]
    change: Change | None


class _Search:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.models = program.ask(CompiledModels)
        self.taken = frozenset(program.knowledge.tables["checkpoints.taken"]["names"])
        self.prefix: str = program.knowledge.tables["dynamo.prefix"]["name"]
        self._aware: dict[str, bool] = {}

    def all(self) -> Iterator[Prefixed]:
        index = self.program.ask(CallGraph)
        if not any(index.sites.get(name.rpartition(".")[2]) for name in self.models.names):
            return
        seen: set[Term] = set()
        for save in self.program.ask(Written).saves:
            site = save.site
            if tests_software(self.program, site.module, site.function):
                continue
            for state, frame in self._states(save):
                made = self.models.of(state.callee.base, frame) if isinstance(state.callee, Attr) else ()
                if not made or state in seen or self._is_own(state, frame):
                    continue
                seen.add(state)
                if self._knows(frame.module) or self._comes_back(made[0]):
                    continue
                yield self._found(save, state, frame, made[0])

    def _found(self, save: Save, state: Call, frame: Frame, made: Made) -> Prefixed:
        statement = next((node.statement for node in calls_of(frame.function) if node.term is state), Spot(*state.site))
        cleaners = tuple(self._cleaners(frame.module))[:_MOST_CLEANERS]
        return Prefixed(frame.module, state, statement, made, save.site, cleaners, self._change(state, frame, made))

    # -- what is saved ---------------------------------------------------------------------------------------------

    def _states(self, save: Save) -> Iterator[tuple[Call, Frame]]:
        """The calls that hand out what is saved, by itself or in a dict, also in a function that returns it."""
        parts = [Bound(save.given, save.frame)]
        parts += chain.from_iterable(chain(*found.items.values()) for found in self.program.ask(Written).contents(save))
        for part in parts:
            yield from self._taken(part.term, part.frame, _DEEPEST)

    def _taken(self, term: Term, frame: Frame, depth: int) -> Iterator[tuple[Call, Frame]]:
        if depth == 0:
            return
        if isinstance(term, Param):
            bound = frame.given(term)
            if isinstance(bound, Bound):
                yield from self._taken(bound.term, bound.frame, depth - 1)
        elif isinstance(term, Select):
            for part in term.arms:
                yield from self._taken(part, frame, depth - 1)
        elif isinstance(term, Call):
            if isinstance(term.callee, Attr) and last_name(term.callee) in self.taken:
                if not term.args:
                    yield term, frame
                return
            for value in self.program.values(term.callee, frame):
                if isinstance(value, FunctionValue) and not value.function.generator and not frame.runs(value.function):
                    inner = self.program.enter(value, term, frame)
                    for returned in self.program.returns(value.function):
                        yield from self._taken(returned, inner, depth - 1)

    def _is_own(self, state: Call, frame: Frame) -> bool:
        """Whether a method of the project hands the state out."""
        return any(isinstance(value, FunctionValue) for value in self.program.values(state.callee, frame))

    # -- what is known of the prefix -------------------------------------------------------------------------------

    def _knows(self, module: str) -> bool:
        """Whether somebody around knows of the prefix: takes it off, or takes the model out."""
        component = self.program.component(module)
        known = self._aware.get(component)
        if known is None:
            known = self._aware[component] = any(
                self._mentions(path) for path in self.program.modules if self.program.component(path) == component
            )
        return known

    def _mentions(self, path: str) -> bool:
        module = self.program.modules[path]
        held = chain(module.names.values(), *(held_at_end(function).values() for function in module.functions.values()))
        defaults = chain.from_iterable(function.defaults.values() for function in module.functions.values())
        return any(self._speaks(term) for term in chain(self.program.ask(Uses).parents(path).of, held, defaults))

    def _speaks(self, term: Term) -> bool:
        if isinstance(term, Const):
            return isinstance(term.value, str) and f"{self.prefix}." in f"{term.value}."
        return bool(isinstance(term, Attr) and term.name == self.prefix)

    def _comes_back(self, made: Made) -> bool:
        """Whether the model is compiled in every run, and given its state back as that: such files fit it."""
        assert made.call is not None
        assert made.frame is not None
        if _is_optional(made.frame.function, made.call):
            return False
        for site in self.program.ask(CallGraph).sites.get(_LOADS, ()):
            callee = site.call.term.callee
            if isinstance(callee, Attr) and site.call.term.args and self.program.together(site.module, made.frame.module):
                frame = self.program.frame(site.module, site.function)
                in_memory = self._is_in_memory(site.call.term.args[0])
                if not in_memory and any(each.call is made.call for each in self.models.of(callee.base, frame)):
                    return True
        return False

    def _is_in_memory(self, given: Term) -> bool:
        """Whether a state was never in a file: it was put aside in the same run."""
        while isinstance(given, Subscript):
            given = given.base
        if isinstance(given, Dict):
            return True
        return isinstance(given, Call) and any(
            last_name(part.callee) in self.taken for part in parts_of(given) if isinstance(part, Call)
        )

    def _cleaners(self, module: str) -> Iterator[CallSite]:
        """Where keys lose the prefix of another wrapper."""
        tables = self.program.knowledge.tables
        prefixes = {name + end for name in self.program.knowledge.unwraps for end in ("", ".")}
        for name in tables["dynamo.cleans"]["names"]:
            for site in self.program.ask(CallGraph).sites.get(name, ()):
                given = site.call.term.args
                if (
                    given
                    and isinstance(given[0], Const)
                    and given[0].value in prefixes
                    and self.program.together(site.module, module)
                ):
                    yield site

    def _change(self, state: Call, frame: Frame, made: Made) -> Change | None:
        """Take the state of the model inside; where no state comes back into the compiled one."""
        if not isinstance(state.callee, Attr):
            return None
        said = name_in(state.callee.base, frame.function)
        if said is None or state.args or state.kwargs or self._is_given_any(made):
            return None
        code = f'getattr({{0}}, "{self.prefix}", {{0}}).{state.callee.name}()'
        message = "Take the state of the model that was compiled"
        return Rewrite(Applicability.SAFE, message, spot=state.site, code=code, paths=((("receiver", 0),),))

    def _is_given_any(self, made: Made) -> bool:
        assert made.frame is not None
        return any(
            isinstance(site.call.term.callee, Attr)
            and self.program.together(site.module, made.frame.module)
            and self.models.of(site.call.term.callee.base, self.program.frame(site.module, site.function))
            for site in self.program.ask(CallGraph).sites.get(_LOADS, ())
        )


def _is_optional(function: Function, call: Call) -> bool:
    """Whether a test decides whether a function makes a call."""
    return any(within(function, node, call) for node in of_kind(function, If))


def prefixed(program: Program) -> Iterator[Prefixed]:
    """Each state of a compiled model that is saved as it is, where nobody knows of its prefix."""
    yield from _Search(program).all()


__all__ = ["Prefixed", "prefixed"]
