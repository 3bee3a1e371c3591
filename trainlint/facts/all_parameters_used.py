"""Models of which every part with parameters takes part in each forward pass.

Said of a class of the project whose bases, parts and forward pass are all in sight: what its constructor stores is known to have
parameters or to have none, and each part that has some is called (a parameter: mentioned) on a way that no test leads to. One
value comes back: of several, a loss may leave some out.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program, calls_of
from trainlint.facts.unregistered import Unregistered
from trainlint.facts.values import ClassValue, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Attr, BoolOp, Call, Const, Display, Element, Ref, Select, Self, SequenceDisplay, Subscript, Term
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Store
from trainlint.ir.terms import parts_through

_DEEPEST = 5
_FORWARD = "forward"


class Whole:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._known: dict[Instance, bool] = {}

    def is_whole(self, model: Value, depth: int = _DEEPEST) -> bool:
        """Whether all parameters of a model are seen to take part in each forward pass."""
        if isinstance(model, Instance) and depth:
            if model not in self._known:
                self._known[model] = False
                self._known[model] = self._of_object(model, depth)
            return self._known[model]
        return isinstance(model, Made) and self._of_layer(model, depth)

    def _of_layer(self, layer: Made, depth: int) -> bool:
        """A layer of the library uses all that it has; a container, if all that is in it does."""
        if layer.name not in self.knowledge.tables["unused_search.holds"]["names"]:
            return layer.name in self.knowledge.weights
        if layer.call is None or layer.frame is None or depth == 0:
            return False
        inside = [value for term in layer.call.args for value in self._items(term, layer)]
        return bool(inside) and all(self.is_whole(value, depth - 1) or self._is_bare(value) for value in inside)

    def _items(self, term: Term, layer: Made) -> Iterator[Value]:
        assert layer.frame is not None
        drawn = layer.frame.function.drawn.get(term)
        if drawn is not None:
            yield from self.program.values(drawn.item, layer.frame)
        elif isinstance(term, SequenceDisplay) and type(term.items) is tuple:
            for item in term.items:
                yield from self.program.values(item, layer.frame)
        else:
            yield from self.program.values(term, layer.frame)

    def _is_bare(self, value: Value) -> bool:
        """Whether something is known to have no parameters: a layer of the library without any."""
        if not isinstance(value, Made) or value.name in self.knowledge.tables["unused_search.holds"]["names"]:
            return False
        return value.name.startswith(self.knowledge.written["layers"]) and not self.program.ask(Unregistered).has_weights(value)

    # -- an object of a class of the project -----------------------------------------------------------------------

    def _of_object(self, model: Instance, depth: int) -> bool:
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
                if isinstance(value, Made) and value.name == self.knowledge.written["parameter"]:
                    if name not in mentioned:
                        return False
                elif isinstance(value, Other):
                    if name in called:
                        return False  # somebody hands it over
                elif name not in called or not self.is_whole(value, depth - 1):
                    return False
        return any(not isinstance(value, Other) and not self._is_bare(value) for values in parts.values() for value in values)

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

    def _used(self, model: Instance, module: str, forward: Function, depth: int = 2) -> tuple[set[str], set[str]] | None:
        """What a pass calls of the object's parts, and what it mentions, whatever is asked; None where it may be over sooner."""
        called: set[str] = set()
        mentioned: set[str] = set()
        frame = self.program.instance_frame(model, module, forward)
        for node, led in walk_tested(forward.body):
            leaves = isinstance(node, Exit) and node.kind in ("return", "break", "continue")
            if leaves and (led or (isinstance(node, Exit) and node.value is not None and isinstance(node.value, Display))):
                return None
            if led:
                continue
            terms = [node.term] if isinstance(node, CallStep) else [node.value] if isinstance(node, (Keep, Store, Exit)) else []
            for part in (part for term in terms if term is not None for part in _surely(term)):
                if isinstance(part, Attr) and isinstance(part.base, Self):
                    mentioned.add(part.name)
            if isinstance(node, CallStep):
                name = _own(node.term.callee)
                if name is not None:
                    called.add(name)
                    for target in self.index.targets(node.term, frame) if depth else ():
                        if (
                            isinstance(target, FunctionValue)
                            and target.function.cls == forward.cls
                            and target.function is not forward
                        ):
                            inner = self._used(model, target.module, target.function, depth - 1)
                            if inner is not None:
                                called |= inner[0]
                                mentioned |= inner[1]
        return called, mentioned


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
    return isinstance(value, Other) and isinstance(value.term, Const)
