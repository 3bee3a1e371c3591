"""State of Python that a traced function asks for and that somebody else changes: the trace keeps what it was at the first call.

Numbers, texts and truth values in an attribute of an object, or in a global, are constants of what is compiled. JAX and
``tf.function`` look at them while they trace, and never again (jax 0.10, TensorFlow 2.21, run).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.traced.functions import Reached, reached
from trainlint.edits.changes import Change, InsertAfter
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import Attr, BinaryOp, Const, Global, Param, Self, Term
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Statement, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, statements_of, tests_of
from trainlint.program.call_graph import last_name
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Instance, Library

_CONSTANTS = ("bool", "int", "float", "str")
_SETS_UP = ("__init__", "__post_init__", "setup", "build")


class Frozen(NamedTuple):
    """A place in a traced function that uses such state; ``name`` is how it is written, ``change`` where it is changed.

    ``word`` says what traces (table ``tracing``), ``begins`` where that is said.
    """

    module: str
    function: Function
    word: str
    name: str
    spot: Spot
    node: str
    statement: Spot
    change: tuple[str, Spot]
    begins: tuple[str, Spot]
    mended: Change | None = None


def frozen(program: Program, words: frozenset[str]) -> Iterator[Frozen]:
    """Each such attribute or global, once for each function, in what something with one of these words traces."""
    steps = program.ask_of(reached, words)
    asked = _States(program, steps)
    for step in steps.values():
        place = step.root.frame.module, step.root.frame.function
        if tests_software(program, step.module, step.function) or tests_software(program, *place):
            continue
        if asked.lasts(step):
            yield from asked.of(step)


class _States:
    def __init__(self, program: Program, steps: dict[int, Reached]) -> None:
        self.program = program
        self._traced = steps
        tables = program.knowledge.tables
        self._models = frozenset(tables["traced.bases"]["names"]) | frozenset(tables["tracers.pytrees"]["names"])
        self._clears: list[str] = tables["tracers.clears"]["names"]
        self._forgetting = frozenset(tables["tracers.forgets"]["names"])
        self._changes: dict[tuple[object, str], tuple[str, Spot] | None] = {}
        self._outside: dict[str, list[tuple[str, Function, Store | Keep]]] | None = None

    def lasts(self, step: Reached) -> bool:
        """Whether what is compiled is there for longer than a call: decorated, or compiled where a file or an object begins."""
        root = step.root
        if root.spot in root.target.function.decorator_spots:
            return root.target.function.outer is None or root.target.function.cls is not None
        return root.frame.function.kind == "module" or root.frame.function.name in _SETS_UP

    def of(self, step: Reached) -> Iterator[Frozen]:
        """The state that one function uses."""
        seen: set[Term] = set()
        function = step.function
        own = {node.target for node in of_kind(function, Store)}
        for place, node, statement, terms in _places(function):
            for term in terms:
                if term in seen or term in own:
                    continue
                change = self._changed(step, term)
                if change is not None:
                    seen.add(term)
                    name = term.name
                    said = f"self.{name}" if isinstance(term, Attr) else name
                    begins = (step.root.frame.module, step.root.spot)
                    mended = self._mended(step, change)
                    yield Frozen(step.module, function, step.root.word, said, place, node, statement, change, begins, mended)

    def _mended(self, step: Reached, change: tuple[str, Spot]) -> Change | None:
        """What is compiled forgotten where the state changes, if it is decorated and stands in the same file."""
        target = step.root.target
        decorated = step.root.spot in target.function.decorator_spots
        named = all(part.isidentifier() for part in target.function.qualname.split("."))
        if not decorated or not named or change[0] != target.module or step.root.name not in self._forgetting:
            return None
        code = f"{target.function.qualname}.{self._clears[0]}()"
        return InsertAfter(Applicability.DISPLAY, "Retrace when it has changed", statement=change[1], code=code)

    def _changed(self, step: Reached, term: Attr | Global) -> tuple[str, Spot] | None:
        """Where an attribute of the object, or a global, gets another value outside of traces."""
        if isinstance(term, Global):
            module = self.program.modules[step.module]
            first = module.names.get(term.name)
            if term.name not in module.rebound or first is None or not _is_plain(first):
                return None
            for function in module.functions.values():
                for node in of_kind(function, Store):
                    outside = id(function) not in self._traced and not self._forgets(function)
                    if node.target is term and outside and self._is_other(node, first):
                        return step.module, node.spot
            return None
        owner = step.frame.owner()
        if not isinstance(owner, Instance) or not isinstance(term.base, Self):
            return None
        key = (owner.cls, term.name)
        if key not in self._changes:
            self._changes[key] = self._attribute(ClassValue(owner.module, owner.cls), term.name)
        return self._changes[key]

    def _attribute(self, cls: ClassValue, name: str) -> tuple[str, Spot] | None:
        lineage = list(self.program.lineage(cls))
        for each in lineage:
            if isinstance(each, Library):
                if each.name in self._models:
                    return None
            elif "__hash__" in each.cls.methods or each.cls.decorators:
                return None
        stores = [(each.module, *found) for each in lineage if isinstance(each, ClassValue) for found in self._stores(each, name)]
        first = next((node.value for _, function, node in stores if function.name in _SETS_UP), None)
        if first is None or not (_is_plain(first) or isinstance(first, Param)):
            return None
        changing = [each for each in stores if each[1].name not in _SETS_UP and not self._forgets(each[1])]
        inside = [(module, node) for module, _, node in changing]
        if any(id(function) in self._traced for _, function, _ in stores):
            return None
        for module, node in (*inside, *self._from_outside(cls, name)):
            if self._is_other(node, first):
                return module, node.spot
        return None

    def _stores(self, cls: ClassValue, name: str) -> Iterator[tuple[Function, Store | Keep]]:
        functions = self.program.modules[cls.module].functions
        for qualname in cls.cls.methods.values():
            function = functions[qualname]
            for node in _stored(function):
                if isinstance(node.target, Attr) and isinstance(node.target.base, Self) and node.target.name == name:
                    yield function, node

    def _from_outside(self, cls: ClassValue, name: str) -> Iterator[tuple[str, Store | Keep]]:
        """What others set on an object of the class."""
        if self._outside is None:
            self._outside = {}
            for module, function in self.program.functions():
                for node in _stored(function):
                    if isinstance(node.target, Attr) and not isinstance(node.target.base, Self):
                        self._outside.setdefault(node.target.name, []).append((module, function, node))
        for module, function, node in self._outside.get(name, ()):
            frame = self.program.frame(module, function)
            values = self.program.values(node.target.base, frame) if isinstance(node.target, Attr) else ()
            own = any(isinstance(value, Instance) and value.cls is cls.cls for value in values)
            if own and not self._forgets(function) and not tests_software(self.program, module, function):
                yield module, node

    def _forgets(self, function: Function) -> bool:
        """Whether a function lets go of what was compiled, so that it is traced anew."""
        return any(last_name(node.term.callee) in self._clears for node in of_kind(function, CallStep))

    def _is_other(self, node: Store | Keep, first: Term) -> bool:
        """Whether a number, a text or a truth value is set that is not the first one."""
        if node.kind == "AugAssign":
            return True
        return _is_plain(node.value) and node.value is not first and bool(node.value.parts[1] != first.parts[1])


def _stored(function: Function) -> list[Store | Keep]:
    return [*of_kind(function, Store), *of_kind(function, Keep)]


def _is_plain(term: Term) -> bool:
    return isinstance(term, Const) and term.type in _CONSTANTS


def _places(function: Function) -> Iterator[tuple[Spot, str, Spot, list[Attr | Global]]]:
    """Where a function uses attributes and globals: in tests, and in what it calculates."""
    for branch in tests_of(function):
        yield branch.test, "expr", branch.spot, [part for part in parts_of(branch.condition) if isinstance(part, (Attr, Global))]
    for node in statements_of(function):
        value = _used(node)
        if value:
            found = [part for term in value for part in (term, *_operands(term)) if isinstance(part, (Attr, Global))]
            if isinstance(node, CallStep):
                yield node.term.site, "Call", node.statement, found
            elif isinstance(node, Exit) and "lambda" not in function.name:
                yield node.spot, "Return", node.spot, found


def _used(node: Statement) -> list[Term]:
    if isinstance(node, CallStep):
        return [*node.term.args, *(value for _, value in node.term.kwargs)]
    return [node.value] if isinstance(node, Exit) and node.kind == "return" and node.value is not None else []


def _operands(term: Term) -> Iterator[Attr | Global]:
    """The attributes and globals that are operands of a calculation in a term."""
    for part in parts_of(term):
        if isinstance(part, BinaryOp):
            yield from (each for each in part.subterms() if isinstance(each, (Attr, Global)))


__all__ = ["Frozen", "frozen"]
