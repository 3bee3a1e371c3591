"""How many items an iterable has on one rank: followed to where it is made, computed from what that says."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made, Other, Value
from trainlint.ir.nodes import (
    Asserted,
    Attr,
    BinOp,
    Call,
    Collected,
    Const,
    Global,
    List,
    LoopPhi,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.pragmas import UNIFORM
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import of_kind
from trainlint.spmd.shards.questions import Amount, Questions
from trainlint.spmd.symbols import WORLD, World

_DEEPEST = 30
#: How deep in an argument the number of ranks is looked for.
_DEEPEST_TERM = 3


class Lengths(Questions):
    """The lengths of a measurement."""

    def length(self, term: Term, frame: Frame) -> Amount:
        """How many items this rank gets; ENDLESS when it never ends, None when that cannot be said."""
        if self.depth > _DEEPEST or self._changed(term, frame) or self.agreed(term, frame):
            return None
        self.frames.add(frame)
        self.depth += 1
        try:
            return self._length(term, frame)
        finally:
            self.depth -= 1

    def _length(self, term: Term, frame: Frame) -> Amount:
        if isinstance(term, Select):
            truth = self.truth(term.test, frame)
            return None if truth is None else self.length(term.then if truth else term.other, frame)
        if isinstance(term, Asserted):  # by a comment: there are equally many on all ranks
            return self.example.size((term, frame)) if term.word == UNIFORM else self.length(term.value, frame)
        if isinstance(term, Subscript):
            return self.part(term, frame)
        if isinstance(term, BinOp):
            return self._joined(term, frame)
        if isinstance(term, (List, Tuple, Set)):
            if not term.items:
                return self.filled(term, frame)
            return None if any(isinstance(item, Unknown) for item in term.items) else len(term.items)
        if isinstance(term, Const):
            return None
        if isinstance(term, Attr):
            for base in self.program.values(term.base, frame):
                if isinstance(base, Instance) and self.program.stores(ClassValue(base.module, base.cls), term.name):
                    return self._of_attribute(base, term, frame)
        found = self.program.values(term, frame)
        if not found:
            return None
        return self.of(found[self.example.pick((term, frame), len(found))], term, frame)

    def _joined(self, term: BinOp, frame: Frame) -> Amount:
        """``a + b``, ``a * n``."""
        if term.op == "Add":
            total = _padded_to(term.left, term.right)
            if total is not None:
                number = self.number(total, frame)
                return number if number is not None and number % WORLD == 0 else None
            left, right = self.length(term.left, frame), self.length(term.right, frame)
            return None if left is None or right is None else left + right
        if term.op == "Mult":
            for items, times in ((term.left, term.right), (term.right, term.left)):
                if isinstance(items, (List, Tuple, Call, Subscript, BinOp, Attr, Param)):
                    length, number = self.length(items, frame), self.number(times, frame)
                    if length is not None and number is not None:
                        return length * number
        return None

    def of(self, value: Value, term: Term, frame: Frame) -> Amount:
        """How many items one of the values of a term has."""
        if isinstance(value, Other):
            if value.term is not term or value.frame is not frame:
                return self.length(value.term, value.frame)
            return self._bare(term, frame)
        if isinstance(value, Made):
            return self._made(value)
        if isinstance(value, Instance):
            return self.of_object(value)
        return self.example.size(self.key(term, frame))

    def _bare(self, term: Term, frame: Frame) -> Amount:
        """What cannot be followed further: a comprehension, a generator, a method of an unknown, or just data."""
        if isinstance(term, LoopPhi):
            return None
        if isinstance(term, Unknown):
            known = self.drawn(term, frame)
            return known if known is not None else None if isinstance(term, Collected) else self.example.size((term, frame))
        if isinstance(term, Call):
            if any(isinstance(t, FunctionValue) and t.function.generator for t in self.program.values(term.callee, frame)):
                return self.generated(term, frame)
            word = self.program.knowledge.sizes.get(term.callee.name) if isinstance(term.callee, Attr) else None
            return self.split(word, term, frame) if word is not None else self._of_call(term, frame)
        return None if self.differs(term, frame) else self.example.size(self.key(term, frame))

    def _of_call(self, term: Call, frame: Frame) -> Amount:
        """What an unknown call returns is some data, unless it was told something of the ranks: then it may be an even part."""
        arguments = (*term.args, *(value for _, value in term.kwargs))
        if any(self.peer.evaluate(argument, frame)[1] or self._of_world(argument, frame, 0) for argument in arguments):
            return None
        return self.example.size(self.key(term, frame))

    def _of_world(self, term: Term, frame: Frame, depth: int) -> bool:
        """Whether a term mentions the number of ranks."""
        if isinstance(self.peer.value(term, frame), World):
            return True
        return depth < _DEEPEST_TERM and any(self._of_world(part, frame, depth + 1) for part in term.subterms())

    def _made(self, value: Made) -> Amount:
        """What a library call returned."""
        knowledge = self.program.knowledge
        call, frame = value.call, value.frame
        kind = knowledge.kinds.get(value.name)
        if kind == "loader" or knowledge.sizes.get(value.name) == "loader":
            return self.loaded(value)
        if value.name in knowledge.lengths:
            return knowledge.lengths[value.name]
        if call is None or frame is None:
            return self.example.size(value.name)
        if kind == "prepared":
            return self._prepared(call, frame)
        word = knowledge.sizes.get(value.name)
        if word is None and isinstance(call.callee, Attr):
            word = knowledge.sizes.get(call.callee.name)
        if word is None and isinstance(call.callee, Ref):
            word = knowledge.sizes.get(value.name.rpartition(".")[2]) if "." in value.name and self._method(value.name) else None
        return self.split(word, call, frame) if word is not None else self._of_call(call, frame)

    def _prepared(self, call: Call, frame: Frame) -> Amount:
        """What a library makes of a loader: it makes the ranks' parts equal, unless it was told not to."""
        if not isinstance(call.callee, Attr):
            return None
        for value in self.program.values(call.callee.base, frame):
            if isinstance(value, Made) and value.call is not None and value.frame is not None and self._leaves(value, 0):
                return self.split("unpadded", value.call, value.frame)
        return None

    def _leaves(self, value: Made, depth: int) -> bool:
        """Whether the arguments of a call, or of what it is given, say that parts may be unequal."""
        assert value.call is not None
        assert value.frame is not None
        for name, term in value.call.kwargs:
            if name in self.program.knowledge.unevened_by and isinstance(term, Const) and term.value is False:
                return True
            if depth == 0 and name is not None:
                inner = self.program.values(term, value.frame)
                if any(isinstance(v, Made) and v.call is not None and v.frame is not None and self._leaves(v, 1) for v in inner):
                    return True
        return False

    def _method(self, name: str) -> bool:
        """Whether a dotted name is a method: of a class, or of what another call returned."""
        return any(part[:1].isupper() for part in name.split(".")[:-1])

    # -- what is changed in place ----------------------------------------------------------------------------------

    def _changed(self, term: Term, frame: Frame) -> bool:
        """Whether items are put into, or taken out of, what a local name holds."""
        if not isinstance(term, (Call, BinOp, Subscript, Unknown, Param, Global, Attr)):
            return False
        return term in self.program.ask_of(_changed_in, frame.function)

    def _of_attribute(self, owner: Instance, term: Attr, frame: Frame) -> Amount:
        """What an object keeps under a name: one of the things stored there, when nothing changes it afterwards."""
        cls, name = ClassValue(owner.module, owner.cls), term.name
        stores = [store for store in self.program.stores(cls, name) if not isinstance(store[2], Const)]
        for qualname in owner.cls.methods.values():
            changed = self.program.ask_of(_changed_in, self.program.modules[owner.module].functions[qualname])
            if any(isinstance(each, Attr) and isinstance(each.base, Self) and each.name == name for each in changed):
                return None
        if any(_mentions(value, term) for _, _, value in stores):
            return None
        standing = [a for i, a in enumerate(stores) if not any(b[1] is a[1] and _within(a[2], b[2]) for b in stores[i + 1 :])]
        if not standing:
            return None
        module, function, value = standing[self.example.pick((term, frame), len(standing))]
        return self.length(value, self.program.instance_frame(owner, module, function))


def _changed_in(program: Program, function: Function) -> frozenset[Term]:
    """Into what a function puts items, or out of what it takes some."""
    names = frozenset(program.knowledge.gathers) | program.knowledge.empties | {"remove"}
    calls = [node.term for node in of_kind(function, CallStep)]
    return frozenset(t.callee.base for t in calls if isinstance(t.callee, Attr) and t.callee.name in names)


def _padded_to(items: Term, more: Term) -> Term | None:
    """The ``total`` of ``items + items[: total - len(items)]``: what the author takes to be the length then."""
    if not isinstance(more, Subscript) or more.base is not items or not isinstance(more.key, Slice):
        return None
    upper = more.key.upper
    if not isinstance(upper, BinOp) or upper.op != "Sub" or not isinstance(upper.right, Call) or upper.right.args != (items,):
        return None
    return upper.left


def _mentions(term: Term, attribute: Attr) -> bool:
    return any(isinstance(part, Attr) and isinstance(part.base, Self) and part.name == attribute.name for part in parts_of(term))


def _within(part: Term, whole: Term) -> bool:
    """Whether a value goes into another one: that is then kept in its place."""
    return part is not whole and mentions(whole, part)
