"""Parts of models whose parameters need no gradient: whoever freezes them, where they are made or in a method beside.

A part goes by the name of the attribute that holds it. Freezing that is done under a test, or to something whose name is not in
sight, freezes nothing for certain, and may freeze anything: two questions, each answered so that doubt means silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, FunctionValue, Made, Other
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Element, Global, Ref, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Store
from trainlint.ir.walk import of_kind

_WEIGHT = "weight"


class Freezing(NamedTuple):
    """A statement that says whether parameters need gradients.

    ``part`` is the attribute whose parameters they are (None: nobody can say which), ``off`` whether they need none from then on,
    ``always`` whether it is done without a test.
    """

    module: str
    part: str | None
    off: bool
    always: bool


class Frozen:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self._attributes = program.knowledge.freezes
        self._found: list[Freezing] | None = None

    def surely(self, part: Term, frame: Frame) -> bool:
        """Whether the parameters of a part of a model need no gradient, whatever happens."""
        values = self.program.values(part, frame)
        if values and all(isinstance(value, Made) and self._made_frozen(value) for value in values):
            return not self._named(frame, part, off=False)
        name = _name(part)
        known = [each for each in self._all() if name is not None and each.part == name and self._near(each, frame)]
        return any(each.off and each.always for each in known) and not self._named(frame, part, off=False)

    def perhaps(self, part: Term, frame: Frame) -> bool:
        """Whether somebody may freeze a part: it is named, or what is frozen goes by no name."""
        return self._named(frame, part, off=True)

    def _named(self, frame: Frame, part: Term, *, off: bool) -> bool:
        name = _name(part)
        return any(each.off is off and each.part in (None, name) and self._near(each, frame) for each in self._all())

    def _near(self, freezing: Freezing, frame: Frame) -> bool:
        return self.program.together(freezing.module, frame.module)

    def _made_frozen(self, value: Made) -> bool:
        """What is made with its parameters frozen: by a call that does so unless it is told otherwise (table ``made_frozen``)."""
        switch = self.knowledge.tables["made_frozen"].get(value.name)
        if switch is None or value.call is None or value.frame is None:
            return False
        if len(value.call.args) > 1:
            return False  # perhaps by its place
        given = next((term for name, term in value.call.kwargs if name == switch), None)
        values = self.program.values(given, value.frame) if given is not None else ()
        return all(isinstance(v, Other) and isinstance(v.term, Const) and v.term.value is True for v in values)

    # -- who freezes -----------------------------------------------------------------------------------------------

    def _all(self) -> list[Freezing]:
        if self._found is None:
            self._found = [found for path, function in self.program.functions() for found in self._in(path, function)]
        return self._found

    def _in(self, path: str, function: Function) -> Iterator[Freezing]:
        tests: dict[int, bool] | None = None
        nodes: list[Store | CallStep] = [*of_kind(function, Store), *calls_of(function)]
        for node in nodes:
            found = self._stated(node) if isinstance(node, Store) else self._called(node, path, function)
            if found is None:
                continue
            if tests is None:
                tests = {id(each): bool(led) for each, led in walk_tested(function.body)}
            of, off = found
            yield Freezing(path, self._part(of, function), off, not tests.get(id(node), True))

    def _stated(self, node: Store) -> tuple[Term, bool] | None:
        """``p.requires_grad = False``."""
        target = node.target
        if not isinstance(target, Attr) or target.name not in self._attributes:
            return None
        return target.base, isinstance(node.value, Const) and node.value.value is False

    def _called(self, node: CallStep, path: str, function: Function) -> tuple[Term, bool] | None:
        """``part.requires_grad_(False)``, or a function or method out of sight that says that it freezes what it is given."""
        call = node.term
        callee, given = call.callee, (*call.args, *(value for _, value in call.kwargs))
        name = callee.name.rpartition(".")[2].lower() if isinstance(callee, (Attr, Ref, Global)) else ""
        if isinstance(callee, Attr) and name.rstrip("_") in self._attributes and name.endswith("_"):
            return callee.base, bool(given) and isinstance(given[0], Const) and given[0].value is False
        if not any(word in name for word in self.knowledge.freeze_words):
            return None
        given_to = call.args[0] if call.args else callee.base if isinstance(callee, Attr) else None
        targets = self.program.ask(CallGraph).targets(call, self.program.frame(path, function))
        if given_to is None or any(isinstance(target, FunctionValue) for target in targets):
            return None  # it was given nothing, or what it does is in sight
        return given_to, not name.startswith(("un", "de"))

    def _part(self, of: Term, function: Function) -> str | None:
        """The attribute whose parameters are meant: of each of its parameters, of its weight, of itself."""
        term = of
        if isinstance(term, Subscript):
            term = term.base  # one of the pairs of ``named_parameters()``
        if isinstance(term, Element):
            term = term.of
            if (
                not isinstance(term, Call)
                or not isinstance(term.callee, Attr)
                or term.callee.name not in self.knowledge.hands_parameters
            ):
                return None
            term = term.callee.base
        elif isinstance(term, Attr) and term.name == _WEIGHT:
            term = term.base
        name = _name(term)
        if name is None:
            held = (node.target for node in of_kind(function, Store) if node.value is term and isinstance(term, Call))
            name = next((_name(target) for target in held), None)
        return name


def _name(part: Term) -> str | None:
    """The attribute that a part of a model is, or one item of which it is."""
    while isinstance(part, (Subscript, Element)):
        part = part.stem
    return part.name if isinstance(part, Attr) else None
