"""Tensors on XLA: which terms stand for one in an activation, and which of those are boolean masks."""

from __future__ import annotations

from trainlint.domains.xla.training_loops import Xla
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Element,
    Global,
    Invert,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.program.call_graph import chained, last_name
from trainlint.program.consteval import is_constant
from trainlint.program.heap import item_of
from trainlint.program.loops import Loops
from trainlint.program.memo import remembered
from trainlint.program.origins import origins
from trainlint.program.program import Program
from trainlint.program.sources import innermost, returned
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)

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

    # -- on the device ---------------------------------------------------------------------------------------------

    @remembered(False)
    def on_device(self, term: Term, frame: Context) -> bool:
        """Whether a term is certainly a tensor on the XLA device: a batch of the loop, or computed from one."""
        known = self._on_device(term, frame)
        if not known and isinstance(term, (Access, Call, Element)):
            made = origins(self.program, term, frame)
            known = Argument(term, frame) not in made and all(self.on_device(*each) for each in made)
        return known

    def _on_device(self, term: Term, frame: Context) -> bool:
        if isinstance(term, Element):
            return self.xla.loads(term.of, frame)
        if isinstance(term, Param):
            bound = frame.given(term)
            return isinstance(bound, Argument) and self.on_device(bound.term, bound.frame)
        if isinstance(term, Attr):
            return term.name not in self.program.knowledge.on_host and self.on_device(term.base, frame)
        if isinstance(term, Subscript):
            return self._item(term, frame)
        if isinstance(term, Compare):
            return term.op not in _IDENTITY and any(self.on_device(part, frame) for part in term.sides)
        if isinstance(term, (BinOp, Invert)):
            return any(self.on_device(part, frame) for part in term.subterms())
        if isinstance(term, Select):
            arms = (self.on_device(term.then, frame), self.on_device(term.other, frame))
            return all(arms) or (any(arms) and self.xla.asks(term.test, frame))  # else it is what other devices take
        if isinstance(term, Comprehension):
            return self.on_device(term.item, frame)
        return isinstance(term, Call) and self._result(term, frame)

    def _item(self, term: Subscript, frame: Context) -> bool:
        """An item of a tensor or of a batch; the count that ``enumerate`` puts first is none."""
        container, key = term.base, term.key
        if isinstance(container, Element) and isinstance(key, Const) and key.value == 0:
            for value in self.program.values(container.of, frame):
                if isinstance(value, LibraryObject) and self.program.knowledge.iterates.get(value.name) == "indexed":
                    return False
        if isinstance(container, SequenceDisplay):
            item = item_of(container, key)
            return item is not None and self.on_device(item, frame)
        if self.on_device(container, frame):
            return True
        return isinstance(container, Call) and any(
            self.on_device(term, inner) for term, inner in self.returned(container, frame, key)
        )

    def _result(self, call: Call, frame: Context) -> bool:
        callee = call.callee
        if isinstance(callee, Attr):
            if callee.name in self.program.knowledge.on_host:
                return False
            moved = self._moved(call, frame)
            if moved is not None:
                return moved
            if self.on_device(callee.base, frame):
                return True
        given = (*call.args, *(value for _, value in call.kwargs))
        if given and any(self.xla.takes_one(value) for value in self.program.values(callee, frame)):
            return self.xla.loads(given[0], frame)
        if any(self._computes(value) for value in self.program.values(callee, frame)) or self._inherits(callee, frame):
            return any(self.on_device(a, frame) for a in given) or any(
                name == "device" and self._is_device(value, frame) for name, value in call.kwargs
            )
        return any(self.on_device(term, inner) for term, inner in self.returned(call, frame, None))

    def _moved(self, call: Call, frame: Context) -> bool | None:
        """Whether ``x.to(…)`` puts a tensor on the XLA device; None when it only changes its type."""
        callee = call.callee
        if not isinstance(callee, Attr) or callee.name not in self.program.knowledge.fluent or not call.args:
            return None
        if any(self._is_device(argument, frame) for argument in call.args):
            return True
        if isinstance(call.args[0], Attr) and self.on_device(call.args[0].base, frame):
            return None  # ``x.to(other.dtype)``
        values = self.program.values(call.args[0], frame)
        return None if all(isinstance(value, Library) for value in values) or self.on_device(call.args[0], frame) else False

    def _is_device(self, term: Term, frame: Context) -> bool:
        """Whether a term may stand for an XLA device: by itself, or as the device of a tensor that is on one."""
        if self.xla.is_device(term, frame):
            return True
        return isinstance(term, Attr) and term.name in self.program.knowledge.placed_by and self.on_device(term.base, frame)

    def _computes(self, value: Value) -> bool:
        """A function of a tensor library, or a layer of it; what is in a wrapper may return anything."""
        if not isinstance(value, (Library, LibraryObject)) or value.name.partition(".")[0] not in self.libraries:
            return False
        known = self.program.knowledge
        return known.kinds.get(value.name) not in _WRAPPERS and value.name not in known.parallel

    def _inherits(self, callee: Term, frame: Context) -> bool:
        """A method that a class of the project has from a tensor library: ``Scaled.apply`` of an autograd function."""
        if not isinstance(callee, Attr) or not isinstance(callee.base, (Ref, Global)):
            return False
        classes = [value for value in self.program.values(callee.base, frame) if isinstance(value, ClassValue)]
        return any(
            self.program.method(cls, callee.name) is None and any(self._computes(base) for base in self.program.lineage(cls))
            for cls in classes
        )

    def returned(self, call: Call, frame: Context, key: Term | None) -> list[Argument]:
        """What a function of the project returns (of a tuple, the item under ``key``), in this very call."""
        return [each for each in returned(self.program, self.targets(call, frame), call, frame, key) if each is not None]

    # -- what is called --------------------------------------------------------------------------------------------

    def targets(self, call: Call, frame: Context) -> list[FunctionValue]:
        """The project functions that a call runs; of a module its ``forward``, through wrappers and ``model.to(…)``."""
        found: list[FunctionValue] = []
        for value in innermost(self.program, self.program.values(call.callee, frame), self._inside):
            if isinstance(value, FunctionValue):
                found.append(value)
            elif isinstance(value, Instance):
                methods = (self.program.method(ClassValue(value.module, value.cls), name) for name in ("__call__", "forward"))
                found += [FunctionValue(method[0], method[1], value) for method in [*filter(None, methods)][:1]]
        return [target for target in found if frame.follows(target.function)]

    def _inside(self, value: Value) -> list[Argument] | None:
        """The modules in a wrapper, in a sequence of layers, or before ``.to(…)``; None for what is called itself."""
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            kind = self.program.knowledge.kinds.get(value.name)
            if kind in _WRAPPERS:
                return [Argument(argument, value.frame) for argument in value.call.args[:1]]
            return [Argument(argument, value.frame) for argument in value.call.args] if kind == "layers" else None
        itself = chained(self.program, value.term) if isinstance(value, Unresolved) else None
        return None if itself is None or not isinstance(value, Unresolved) else [Argument(itself, value.frame)]

    def of_module(self, frame: Context) -> bool:
        """Whether an activation is one of a method of a module."""
        owner = frame.owner()
        return isinstance(owner, Instance) and self.asked.library(owner, "module") is not None

    # -- masks -----------------------------------------------------------------------------------------------------

    def word(self, call: Call, frame: Context) -> str | None:
        """What the table ``shapes`` says of a call: of a function, or of a method of a tensor on the device."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self.program.knowledge.shapes:
                return self.program.knowledge.shapes[value.name]
        if isinstance(call.callee, Attr) and self.on_device(call.callee.base, frame):
            word = self._words.get(last_name(call.callee) or "")
            return word if word != "one-argument" else None
        return None

    def operand(self, call: Call) -> Term | None:
        """The tensor that a function or method of the table ``shapes`` works on."""
        if isinstance(call.callee, Attr):
            return call.callee.base
        return call.args[0] if call.args else None

    @remembered(False)
    def is_mask(self, term: Term, frame: Context) -> bool:
        """Whether a term is certainly a tensor of truth values on the device, or None."""
        made = [each for each in origins(self.program, term, frame) if not is_constant(self.program, *each, None)]
        return bool(made) and all(self._is_truths(*each) for each in made)

    def _is_truths(self, term: Term, frame: Context) -> bool:
        if isinstance(term, Compare):
            return self.on_device(term, frame)
        if isinstance(term, Invert) or (isinstance(term, BinOp) and term.op in ("BitAnd", "BitOr")):
            return all(self.is_mask(part, frame) for part in term.subterms())
        if isinstance(term, Call):
            word = self.word(term, frame)
            if word == "mask":
                operand = self.operand(term)
                return self.on_device(term, frame) or (operand is not None and self.on_device(operand, frame))
            if word == "filled":
                return any(isinstance(part, Const) and part.type == "bool" for part in term.args[1:2])
            if word == "keeps" or (isinstance(term.callee, Attr) and self._moved(term, frame)):
                operand = self.operand(term)
                return operand is not None and self.is_mask(operand, frame)
            return word is None and self._returns_mask(term, frame, None)
        return isinstance(term, Subscript) and isinstance(term.base, Call) and self._returns_mask(term.base, frame, term.key)

    def _returns_mask(self, call: Call, frame: Context, key: Term | None) -> bool:
        returned = self.returned(call, frame, key)
        return bool(returned) and all(self.is_mask(term, inner) for term, inner in returned)
