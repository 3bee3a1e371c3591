"""Tensors on XLA: which terms stand for one in an activation, and which of those are boolean masks."""

from __future__ import annotations

from trainlint.facts.calls import last_name
from trainlint.facts.loops import loops
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.facts.xla import xla
from trainlint.model.terms import Term

_DEEPEST = 20
_DEEPEST_CALL = 6
_IDENTITY = ("Is", "IsNot", "In", "NotIn")
#: Kinds of things that wrap a module and are called as it is.
_WRAPPERS = ("ddp", "fsdp", "compiled")


class Tensors:
    """Questions about tensors, each in an activation."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.xla = xla(program)
        self.asked = loops(program)
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
            holder = frame.holder(term[1])
            bound = holder.arguments.get(term[2]) if holder is not None else None
            return isinstance(bound, Bound) and self.on_device(bound.term, bound.frame, depth)
        if tag == "a":
            return term[2] not in self.program.knowledge.on_host and self.on_device(term[1], frame, depth)
        if tag == "sub":
            return self._item(term, frame, depth)
        if tag == "cmp":
            return term[1] not in _IDENTITY and any(self.on_device(part, frame, depth) for part in term[2:])
        if tag == "bin":
            return any(self.on_device(part, frame, depth) for part in term[2:])
        if tag == "if":
            return self.on_device(term[2], frame, depth) and self.on_device(term[3], frame, depth)
        return tag == "call" and self._result(term, frame, depth)

    def _item(self, term: Term, frame: Frame, depth: int) -> bool:
        """An item of a tensor or of a batch; the count that ``enumerate`` puts first is none."""
        container, key = term[1], term[2]
        if container[0] == "elem" and key[0] == "c" and key[2] == 0:
            for value in self.program.values(container[1], frame):
                if isinstance(value, Made) and self.program.knowledge.iterates.get(value.name) == "indexed":
                    return False
        if container[0] in ("tuple", "list"):
            return key[0] == "c" and type(key[2]) is int and any(self.on_device(t, frame, depth) for t in container[1][key[2] :][:1])
        if self.on_device(container, frame, depth):
            return True
        return container[0] == "call" and self._returned(container, frame, depth, key)

    def _result(self, call: Term, frame: Frame, depth: int) -> bool:
        callee = call[1]
        if callee[0] == "a":
            if callee[2] in self.program.knowledge.on_host:
                return False
            if self._moves(call, frame):
                return any(self.xla.is_device(argument, frame) for argument in call[2])
            if self.on_device(callee[1], frame, depth):
                return True
        given = (*call[2], *(value for _, value in call[3]))
        if any(self._computes(value, frame) for value in self.program.values(callee, frame)):
            return any(self.on_device(a, frame, depth) for a in given) or any(
                name == "device" and self.xla.is_device(value, frame) for name, value in call[3]
            )
        return self._returned(call, frame, depth, None)

    def _moves(self, call: Term, frame: Frame) -> bool:
        """``x.to(device)``: where it goes is what counts, unless only its type changes."""
        if call[1][2] not in self.program.knowledge.fluent or not call[2]:
            return False
        return not self.on_device(call[1][1], frame) or any(
            isinstance(value, Made) and self.program.knowledge.xla.get(value.name) == "named" for value in self.program.values(call[2][0], frame)
        )

    def _computes(self, value: Value, frame: Frame) -> bool:
        """A function of a tensor library, or a layer of it."""
        return isinstance(value, (Library, Made)) and value.name.partition(".")[0] in self.libraries

    def _returned(self, call: Term, frame: Frame, depth: int, key: Term | None) -> bool:
        """What a function of the project returns (its item under ``key``), in this very call."""
        if frame.depth >= _DEEPEST_CALL:
            return False
        for target in self.targets(call, frame):
            inner = self.program.enter(target, call, frame)
            for returned in self.program.returns(target.function):
                term = returned
                if key is not None:
                    if returned[0] != "tuple" or key[0] != "c" or type(key[2]) is not int or not 0 <= key[2] < len(returned[1]):
                        continue
                    term = returned[1][key[2]]
                if self.on_device(term, inner, depth):
                    return True
        return False

    # -- what is called --------------------------------------------------------------------------------------------

    def targets(self, call: Term, frame: Frame) -> list[FunctionValue]:
        """The project functions that a call runs; of a module its ``forward``, through wrappers and ``model.to(…)``."""
        found: list[FunctionValue] = []
        for value in self.program.values(call[1], frame):
            self._add_targets(value, found, 0)
        return [target for target in found if not frame.runs(target.function)]

    def _add_targets(self, value: Value, found: list[FunctionValue], depth: int) -> None:
        if depth > 4:
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
        if isinstance(value, Other) and value.term[0] == "call" and value.term[1][0] == "a":
            if value.term[1][2] in self.program.knowledge.fluent:
                return [(value.term[1][1], value.frame)]
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
            holder = frame.holder(term[1])
            bound = holder.arguments.get(term[2]) if holder is not None else None
            return isinstance(bound, Bound) and self.is_mask(bound.term, bound.frame, depth + 1)
        if tag == "cmp":
            return self.on_device(term, frame)
        if tag == "bin" and term[1] in ("BitAnd", "BitOr"):
            return all(self.is_mask(part, frame, depth + 1) for part in term[2:])
        if tag == "call":
            word = self.word(term, frame)
            if word == "mask":
                operand = self.operand(term)
                return self.on_device(term, frame) or (operand is not None and self.on_device(operand, frame))
            if word == "keeps" or (term[1][0] == "a" and term[1][2] in self.program.knowledge.fluent and term[1][2] not in ("float",)):
                operand = self.operand(term)
                return operand is not None and self.is_mask(operand, frame, depth + 1)
        return False
