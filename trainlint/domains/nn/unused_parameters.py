"""Whether all parameters of a model are used in each forward pass, and where DDP looks for unused ones anyway."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.domains.nn.registration import Unregistered
from trainlint.finding import Spot
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import (
    Attr,
    BoolOp,
    Call,
    Comprehension,
    Const,
    Display,
    Element,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Statement, Store
from trainlint.ir.terms import parts_through
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import contexts_at
from trainlint.program.object_identity import Identities
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import each_call, executed
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, Instance, Library, LibraryObject, Unresolved, Value

_FORWARD = "forward"


class AllParametersUsed:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._known: dict[Instance, bool] = {}
        self._within: list[LibraryObject] = []

    def is_whole(self, model: Value) -> bool:
        """Whether all parameters of a model are seen to take part in each forward pass."""
        if isinstance(model, Instance):
            if model not in self._known:
                self._known[model] = False
                self._known[model] = self._of_object(model)
            return self._known[model]
        return isinstance(model, LibraryObject) and self._of_layer(model)

    def _of_layer(self, layer: LibraryObject) -> bool:
        """A layer of the library uses all that it has; a container, if all that is in it does."""
        if layer.name not in self.knowledge.tables["unused_search.holds"]["names"]:
            return layer.name in self.knowledge.weights
        if layer.call is None or layer.frame is None or layer in self._within:
            return False
        self._within.append(layer)
        inside = [value for term in layer.call.args for value in self._items(term, layer)]
        whole = bool(inside) and all(self.is_whole(value) or self._is_bare(value) for value in inside)
        self._within.pop()
        return whole

    def _items(self, term: Term, layer: LibraryObject) -> Iterator[Value]:
        assert layer.frame is not None
        if isinstance(term, Comprehension):
            yield from self.program.values(term.item, layer.frame)
        elif isinstance(term, SequenceDisplay) and type(term.items) is tuple:
            for item in term.items:
                yield from self.program.values(item, layer.frame)
        else:
            yield from self.program.values(term, layer.frame)

    def _is_bare(self, value: Value) -> bool:
        """Whether something is known to have no parameters: a layer of the library without any."""
        if not isinstance(value, LibraryObject) or value.name in self.knowledge.tables["unused_search.holds"]["names"]:
            return False
        return value.name.startswith(self.knowledge.written["layers"]) and not self.program.ask(Unregistered).has_weights(value)

    # -- an object of a class of the project -----------------------------------------------------------------------

    def _of_object(self, model: Instance) -> bool:
        cls = ClassValue(model.module, model.cls)
        lineage = list(self.program.lineage(cls))
        bases = [base for base in lineage if isinstance(base, Library)]
        forward = self.program.method(cls, _FORWARD)
        if forward is None or not bases or any(base.name not in self.knowledge.module_bases for base in bases):
            return False
        used = self._used(model, *forward)
        parts = self._parts(model, lineage)
        if used is None or parts is None:
            return False
        called, mentioned = used
        for name, values in parts.items():
            for value in values:
                if self._is_bare(value):
                    continue
                if isinstance(value, LibraryObject) and value.name == self.knowledge.written["parameter"]:
                    if name not in mentioned:
                        return False
                elif isinstance(value, Unresolved):
                    if name in called:
                        return False  # somebody hands it over
                elif name not in called or not self.is_whole(value):
                    return False
        return any(
            not isinstance(value, Unresolved) and not self._is_bare(value) for values in parts.values() for value in values
        )

    def _parts(self, model: Instance, lineage: list[ClassValue | Library]) -> dict[str, list[Value]] | None:
        """What the methods of an object store in it, of what may be a module; None where parts get in otherwise."""
        found: dict[str, list[Value]] = {}
        for cls in lineage:
            if not isinstance(cls, ClassValue):
                continue
            for qualname in cls.cls.methods.values():
                function = self.program.modules[cls.module].functions[qualname]
                frame = self.program.instance_frame(model, cls.module, function)
                if any(self._registers(node) for node in calls_of(function)):
                    return None
                for node, led in walk_tested(function.body):
                    if not isinstance(node, Store) or not isinstance(node.target, Attr) or not isinstance(node.target.base, Self):
                        continue
                    values = [value for value in self.program.values(node.value, frame) if not _is_constant(value)]
                    if led and any(self.program.ask(Unregistered).has_weights(value) for value in values):
                        return None  # some models of the class have it
                    found.setdefault(node.target.name, []).extend(values)
        return found

    def _registers(self, node: CallStep) -> bool:
        callee = node.term.callee
        name = callee.name if isinstance(callee, (Attr, Ref)) else ""
        return name in self.knowledge.registered_by_hand

    def _used(self, model: Instance, module: str, forward: Function) -> tuple[set[str], set[str]] | None:
        """What a pass calls of the object's parts, and what it mentions, whatever is asked; None where it may be over sooner."""
        if _always_run(forward) is None:
            return None
        frame = self.program.instance_frame(model, module, forward)
        below = each_call(self.program)

        def entered(node: CallStep, here: Context) -> Iterator[Context]:
            found = below(node, here) if _own(node.term.callee) is not None else ()
            return (inner for inner in found if inner.function.cls == forward.cls)

        called: set[str] = set()
        mentioned: set[str] = set()
        for node, _ in executed(forward.body, frame, lambda _, here: _always_run(here.function) or (), entered):
            term = node.term if isinstance(node, CallStep) else node.value if isinstance(node, (Keep, Store, Exit)) else None
            for part in _surely(term) if term is not None else ():
                if isinstance(part, Attr) and isinstance(part.base, Self):
                    mentioned.add(part.name)
            name = _own(node.term.callee) if isinstance(node, CallStep) else None
            if name is not None:
                called.add(name)
        return called, mentioned


def _always_run(function: Function) -> list[Statement] | None:
    """What each run of a function comes to; None where it may be over sooner."""
    found: list[Statement] = []
    for node, led in walk_tested(function.body):
        if isinstance(node, Exit) and node.kind in ("return", "break", "continue") and (led or isinstance(node.value, Display)):
            return None
        if not led:
            found.append(node)
    return found


def _surely(term: Term) -> Iterator[Term]:
    """The parts of a term that are computed whatever a test in it says, each once."""
    return parts_through(term, lambda each: each.subterms()[: 1 if isinstance(each, (Select, BoolOp)) else None])


def _own(callee: Term) -> str | None:
    """The attribute of the object that is called, or whose item is."""
    if (
        isinstance(callee, Subscript)
        and isinstance(callee.base, Element)
        and isinstance(callee.key, Const)
        and callee.key.value == 1
    ):
        numbered = callee.base.of  # enumerate(self.layers)
        callee = numbered.args[0] if isinstance(numbered, Call) and len(numbered.args) == 1 else callee
    elif isinstance(callee, Element):
        callee = callee.of
    return callee.name if isinstance(callee, Attr) and isinstance(callee.base, Self) else None


def _is_constant(value: Value) -> bool:
    return isinstance(value, Unresolved) and isinstance(value.term, Const)


class UnusedSearch(NamedTuple):
    """A call that asks for it, by which argument, and the model that has no such parameters; where that is said, if elsewhere."""

    site: CallSite
    keyword: str
    model: Instance
    place: tuple[str, Spot] | None


def unused_searches(program: Program) -> Iterator[UnusedSearch]:
    """The calls that ask for the search whatever happens, for models all of whose parts are seen to run in each step."""
    table = program.knowledge.tables["unused_search"]
    for word in sorted({name.rpartition(".")[2] for name in table}):
        for site in program.ask(CallGraph).sites_named(word):
            frame = program.frame(site.module, site.function)
            names = [value.name for value in program.values(site.call.term.callee, frame) if isinstance(value, Library)]
            keyword = table.get(names[0]) if len(names) == 1 else None
            if keyword is None or tests_software(program, site.module, site.function):
                continue
            asked = program.ask(Options).constant(site, keyword)
            if asked is None or asked.value is not True:
                continue
            model = _model(program, site)
            if model is not None:
                yield UnusedSearch(site, keyword, model, program.ask(Options).written_at(site.call.term, frame, keyword))


def _model(program: Program, site: CallSite) -> Instance | None:
    """The model that is wrapped, if it is in sight in each activation, and whole; None where DDP is told that nothing changes."""
    call = site.call.term
    if any(name in (None, "static_graph") for name, _ in call.kwargs):
        return None
    given = call.args[0] if call.args else next((value for name, value in call.kwargs if name == "module"), None)
    found: list[Instance] = []
    for frame in contexts_at(program, site) if given is not None else ():
        assert given is not None
        asked = program.ask(Identities)
        makers = [asked.makers.get(key) for key in asked.among(asked.of(given, frame))]
        if not makers or not all(
            isinstance(maker, Instance) and program.ask(AllParametersUsed).is_whole(maker) for maker in makers
        ):
            return None
        found += [maker for maker in makers if isinstance(maker, Instance)]
    return found[0] if found else None
