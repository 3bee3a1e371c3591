"""Tensors on XLA: which terms stand for one in an activation, and which of those are boolean masks."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.calls import last_name
from trainlint.facts.displays import item_of
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.facts.xla.running import Xla
from trainlint.model.terms import Term, subterms

_DEEPEST = 20
_DEEPEST_CALL = 6
_DEEPEST_WRAPPER = 4
_IDENTITY = ("Is", "IsNot", "In", "NotIn")
#: Kinds of things that wrap a module and are called as it is.
_WRAPPERS = ("ddp", "wrapper")


class Tensors:
    """Questions about tensors, each in an activation."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.xla = program.ask(Xla)
        self.asked = program.ask(Loops)
        self.libraries = frozenset(name.partition(".")[0] for name in program.knowledge.shapes)
        self._words = {name.rpartition(".")[2]: word for name, word in program.knowledge.shapes.items()}
        self._known: dict[tuple[Term, Frame], bool] = {}

    # -- on the device ---------------------------------------------------------------------------------------------

    def on_device(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a term is certainly a tensor on the XLA device: a batch of the loop, or computed from one."""
        key = (term, frame)
        known = self._known.get(key)
        if known is None:
            if depth > _DEEPEST:
                return False
            self._known[key] = False  # ends recursion
            known = self._known[key] = self._on_device(term, frame, depth + 1)
        return known

    def _on_device(self, term: Term, frame: Frame, depth: int) -> bool:
        tag = term[0]
        if tag == "elem":
            return self.xla.loads(term[1], frame)
        if tag == "p":
            bound = frame.given(term)
            return isinstance(bound, Bound) and self.on_device(bound.term, bound.frame, depth)
        if tag == "a":
            return term[2] not in self.program.knowledge.on_host and self.on_device(term[1], frame, depth)
        if tag == "sub":
            return self._item(term, frame, depth)
        if tag == "cmp":
            return term[1] not in _IDENTITY and any(self.on_device(part, frame, depth) for part in term[2:])
        if tag in ("bin", "inv"):
            return any(self.on_device(part, frame, depth) for part in subterms(term))
        if tag == "if":
            arms = (self.on_device(term[2], frame, depth), self.on_device(term[3], frame, depth))
            return all(arms) or (any(arms) and self.xla.asks(term[1], frame))  # else it is what other devices take
        if tag == "v":
            drawn = frame.function.drawn.get(term)
            return drawn is not None and self.on_device(drawn.item, frame, depth)
        return tag == "call" and self._result(term, frame, depth)

    def _item(self, term: Term, frame: Frame, depth: int) -> bool:
        """An item of a tensor or of a batch; the count that ``enumerate`` puts first is none."""
        container, key = term[1], term[2]
        if container[0] == "elem" and key[0] == "c" and key[2] == 0:
            for value in self.program.values(container[1], frame):
                if isinstance(value, Made) and self.program.knowledge.iterates.get(value.name) == "indexed":
                    return False
        if container[0] in ("tuple", "list"):
            item = item_of(container, key)
            return item is not None and self.on_device(item, frame, depth)
        if self.on_device(container, frame, depth):
            return True
        return container[0] == "call" and any(
            self.on_device(term, inner, depth) for term, inner in self.returned(container, frame, key)
        )

    def _result(self, call: Term, frame: Frame, depth: int) -> bool:
        callee = call[1]
        if callee[0] == "a":
            if callee[2] in self.program.knowledge.on_host:
                return False
            moved = self._moved(call, frame)
            if moved is not None:
                return moved
            if self.on_device(callee[1], frame, depth):
                return True
        given = (*call[2], *(value for _, value in call[3]))
        if given and any(self.xla.takes_one(value) for value in self.program.values(callee, frame)):
            return self.xla.loads(given[0], frame)
        if any(self._computes(value) for value in self.program.values(callee, frame)) or self._inherits(callee, frame):
            return any(self.on_device(a, frame, depth) for a in given) or any(
                name == "device" and self._is_device(value, frame) for name, value in call[3]
            )
        return any(self.on_device(term, inner, depth) for term, inner in self.returned(call, frame, None))

    def _moved(self, call: Term, frame: Frame) -> bool | None:
        """Whether ``x.to(…)`` puts a tensor on the XLA device; None when it only changes its type."""
        if call[1][2] not in self.program.knowledge.fluent or not call[2]:
            return None
        if any(self._is_device(argument, frame) for argument in call[2]):
            return True
        if call[2][0][0] == "a" and self.on_device(call[2][0][1], frame):
            return None  # ``x.to(other.dtype)``
        values = self.program.values(call[2][0], frame)
        return None if all(isinstance(value, Library) for value in values) or self.on_device(call[2][0], frame) else False

    def _is_device(self, term: Term, frame: Frame) -> bool:
        """Whether a term may stand for an XLA device: by itself, or as the device of a tensor that is on one."""
        if self.xla.is_device(term, frame):
            return True
        return term[0] == "a" and term[2] in self.program.knowledge.placed_by and self.on_device(term[1], frame)

    def _computes(self, value: Value) -> bool:
        """A function of a tensor library, or a layer of it; what is in a wrapper may return anything."""
        if not isinstance(value, (Library, Made)) or value.name.partition(".")[0] not in self.libraries:
            return False
        known = self.program.knowledge
        return known.kinds.get(value.name) not in _WRAPPERS and value.name not in known.parallel

    def _inherits(self, callee: Term, frame: Frame) -> bool:
        """A method that a class of the project has from a tensor library: ``Scaled.apply`` of an autograd function."""
        if callee[0] != "a" or callee[1][0] not in ("r", "g"):
            return False
        classes = [value for value in self.program.values(callee[1], frame) if isinstance(value, ClassValue)]
        return any(
            self.program.method(cls, callee[2]) is None and any(self._computes(base) for base in self.program.lineage(cls))
            for cls in classes
        )

    def returned(self, call: Term, frame: Frame, key: Term | None) -> Iterator[tuple[Term, Frame]]:
        """What a function of the project returns (of a tuple, the item under ``key``), in this very call."""
        if frame.depth >= _DEEPEST_CALL:
            return
        for target in self.targets(call, frame):
            inner = self.program.enter(target, call, frame)
            for term in self.program.returns(target.function):
                if key is None:
                    yield term, inner
                elif term[0] == "tuple" and key[0] == "c" and type(key[2]) is int and 0 <= key[2] < len(term[1]):
                    yield term[1][key[2]], inner

    # -- what is called --------------------------------------------------------------------------------------------

    def targets(self, call: Term, frame: Frame) -> list[FunctionValue]:
        """The project functions that a call runs; of a module its ``forward``, through wrappers and ``model.to(…)``."""
        found: list[FunctionValue] = []
        for value in self.program.values(call[1], frame):
            self._add_targets(value, found, 0)
        return [target for target in found if not frame.runs(target.function)]

    def _add_targets(self, value: Value, found: list[FunctionValue], depth: int) -> None:
        if depth > _DEEPEST_WRAPPER:
            return
        if isinstance(value, FunctionValue):
            found.append(value)
        elif isinstance(value, Instance):
            for name in ("__call__", "forward"):
                method = self.program.method(ClassValue(value.module, value.cls), name)
                if method is not None:
                    found.append(FunctionValue(method[0], method[1], value))
                    break
        else:
            for inner, frame in self._inside(value):
                for wrapped in self.program.values(inner, frame):
                    self._add_targets(wrapped, found, depth + 1)

    def _inside(self, value: Value) -> list[tuple[Term, Frame]]:
        """The modules in a wrapper, in a sequence of layers, or before ``.to(…)``."""
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            kind = self.program.knowledge.kinds.get(value.name)
            if kind in _WRAPPERS:
                return [(argument, value.frame) for argument in value.call[2][:1]]
            return [(argument, value.frame) for argument in value.call[2]] if kind == "layers" else []
        callee = value.term[1] if isinstance(value, Other) and value.term[0] == "call" else None
        if callee is not None and callee[0] == "a" and callee[2] in self.program.knowledge.fluent:
            return [(callee[1], value.frame)]  # type: ignore[union-attr,list-item]
        return []

    def of_module(self, frame: Frame) -> bool:
        """Whether an activation is one of a method of a module."""
        owner = frame.owner()
        return isinstance(owner, Instance) and self.asked.library(owner, "module") is not None

    # -- masks -----------------------------------------------------------------------------------------------------

    def word(self, call: Term, frame: Frame) -> str | None:
        """What the table ``shapes`` says of a call: of a function, or of a method of a tensor on the device."""
        for value in self.program.values(call[1], frame):
            if isinstance(value, Library) and value.name in self.program.knowledge.shapes:
                return self.program.knowledge.shapes[value.name]
        if call[1][0] == "a" and self.on_device(call[1][1], frame):
            word = self._words.get(last_name(call[1]) or "")
            return word if word != "one-argument" else None
        return None

    def operand(self, call: Term) -> Term | None:
        """The tensor that a function or method of the table ``shapes`` works on."""
        if call[1][0] == "a":
            return call[1][1]  # type: ignore[no-any-return]
        return call[2][0] if call[2] else None

    def is_mask(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a term is certainly a tensor of truth values on the device."""
        if depth > _DEEPEST:
            return False
        tag = term[0]
        if tag == "p":
            bound = frame.given(term)
            return isinstance(bound, Bound) and self.is_mask(bound.term, bound.frame, depth + 1)
        if tag == "cmp":
            return self.on_device(term, frame)
        if tag == "if":
            arms = [arm for arm in term[2:4] if not (arm[0] == "c" and arm[2] is None)]
            return bool(arms) and all(self.is_mask(arm, frame, depth + 1) for arm in arms)
        if tag == "inv" or (tag == "bin" and term[1] in ("BitAnd", "BitOr")):
            return all(self.is_mask(part, frame, depth + 1) for part in subterms(term))
        if tag == "call":
            word = self.word(term, frame)
            if word == "mask":
                operand = self.operand(term)
                return self.on_device(term, frame) or (operand is not None and self.on_device(operand, frame))
            if word == "filled":
                return any(part[0] == "c" and part[1] == "bool" for part in term[2][1:2])
            if word == "keeps" or (term[1][0] == "a" and self._moved(term, frame)):
                operand = self.operand(term)
                return operand is not None and self.is_mask(operand, frame, depth + 1)
            return word is None and self._returns_mask(term, frame, None, depth)
        return tag == "sub" and term[1][0] == "call" and self._returns_mask(term[1], frame, term[2], depth)

    def _returns_mask(self, call: Term, frame: Frame, key: Term | None, depth: int) -> bool:
        returned = list(self.returned(call, frame, key))
        return bool(returned) and all(self.is_mask(term, inner, depth + 1) for term, inner in returned)
