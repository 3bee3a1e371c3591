"""How many items an iterable has on one rank: followed to where it is made, computed from what that says."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Made, Other, Value
from trainlint.model.sketch import Call, Function
from trainlint.model.terms import Term, mentions, parts_of, subterms
from trainlint.model.told import UNIFORM
from trainlint.model.walk import of_kind
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
        tag = term[0]
        if tag == "if":
            truth = self.truth(term[1], frame)
            return None if truth is None else self.length(term[2] if truth else term[3], frame)
        if tag == "said":  # by a comment: there are equally many on all ranks
            return self.example.size((term, frame)) if term[1] == UNIFORM else self.length(term[2], frame)
        if tag == "sub":
            return self.part(term, frame)
        if tag == "bin":
            return self._joined(term, frame)
        if tag in ("list", "tuple", "set"):
            if not term[1]:
                return self.filled(term, frame)
            return None if any(item[0] == "v" for item in term[1]) else len(term[1])
        if tag == "c":
            return None
        if tag == "a":
            for base in self.program.values(term[1], frame):
                if isinstance(base, Instance) and self.program.stores(ClassValue(base.module, base.cls), term[2]):
                    return self._of_attribute(base, term, frame)
        found = self.program.values(term, frame)
        if not found:
            return None
        return self.of(found[self.example.pick((term, frame), len(found))], term, frame)

    def _joined(self, term: Term, frame: Frame) -> Amount:
        """``a + b``, ``a * n``."""
        if term[1] == "Add":
            total = _padded_to(term[2], term[3])
            if total is not None:
                number = self.number(total, frame)
                return number if number is not None and number % WORLD == 0 else None
            left, right = self.length(term[2], frame), self.length(term[3], frame)
            return None if left is None or right is None else left + right
        if term[1] == "Mult":
            for items, times in ((term[2], term[3]), (term[3], term[2])):
                if items[0] in ("list", "tuple", "call", "sub", "bin", "a", "p"):
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
        tag = term[0]
        if tag == "lv":
            return None
        if tag == "v":
            known = self.drawn(term, frame)
            return known if known is not None else None if self._draws(term, frame) else self.example.size((term, frame))
        if tag == "call":
            if any(isinstance(t, FunctionValue) and t.function.generator for t in self.program.values(term[1], frame)):
                return self.generated(term, frame)
            word = self.program.knowledge.sizes.get(term[1][2]) if term[1][0] == "a" else None
            return self.split(word, term, frame) if word is not None else self._of_call(term, frame)
        return None if self.differs(term, frame) else self.example.size(self.key(term, frame))

    def _draws(self, term: Term, frame: Frame) -> bool:
        return any(term in each.drawn for each in (frame.function, *_around(frame)))

    def _of_call(self, term: Term, frame: Frame) -> Amount:
        """What an unknown call returns is some data, unless it was told something of the ranks: then it may be an even part."""
        arguments = (*term[2], *(value for _, value in term[3]))
        if any(self.peer.evaluate(argument, frame)[1] or self._of_world(argument, frame, 0) for argument in arguments):
            return None
        return self.example.size(self.key(term, frame))

    def _of_world(self, term: Term, frame: Frame, depth: int) -> bool:
        """Whether a term mentions the number of ranks."""
        if isinstance(self.peer.value(term, frame), World):
            return True
        return depth < _DEEPEST_TERM and any(self._of_world(part, frame, depth + 1) for part in subterms(term))

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
        if word is None and call[1][0] == "a":
            word = knowledge.sizes.get(call[1][2])
        if word is None and call[1][0] == "r":
            word = knowledge.sizes.get(value.name.rpartition(".")[2]) if "." in value.name and self._method(value.name) else None
        return self.split(word, call, frame) if word is not None else self._of_call(call, frame)

    def _prepared(self, call: Term, frame: Frame) -> Amount:
        """What a library makes of a loader: it makes the ranks' parts equal, unless it was told not to."""
        if call[1][0] != "a":
            return None
        for value in self.program.values(call[1][1], frame):
            if isinstance(value, Made) and value.call is not None and value.frame is not None and self._leaves(value, 0):
                return self.split("unpadded", value.call, value.frame)
        return None

    def _leaves(self, value: Made, depth: int) -> bool:
        """Whether the arguments of a call, or of what it is given, say that parts may be unequal."""
        assert value.call is not None
        assert value.frame is not None
        for name, term in value.call[3]:
            if name in self.program.knowledge.unevened_by and term[0] == "c" and term[2] is False:
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
        if term[0] not in ("call", "bin", "sub", "v", "p", "g", "a"):
            return False
        return term in self.program.ask_of(_changed_in, frame.function)

    def _of_attribute(self, owner: Instance, term: Term, frame: Frame) -> Amount:
        """What an object keeps under a name: one of the things stored there, when nothing changes it afterwards."""
        cls, name = ClassValue(owner.module, owner.cls), term[2]
        stores = [store for store in self.program.stores(cls, name) if store[2][0] != "c"]
        for qualname in owner.cls.methods.values():
            changed = self.program.ask_of(_changed_in, self.program.modules[owner.module].functions[qualname])
            if any(each[0] == "a" and each[1][0] == "self" and each[2] == name for each in changed):
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
    calls = [node.term for node in of_kind(function, Call)]
    return frozenset(t[1][1] for t in calls if t[1][0] == "a" and t[1][2] in names)


def _padded_to(items: Term, more: Term) -> Term | None:
    """The ``total`` of ``items + items[: total - len(items)]``: what the author takes to be the length then."""
    if more[0] != "sub" or more[1] is not items or more[2][0] != "slice":
        return None
    upper = more[2][2]
    if upper[0] != "bin" or upper[1] != "Sub" or upper[3][0] != "call" or upper[3][2] != (items,):
        return None
    return upper[2]  # type: ignore[no-any-return]


def _mentions(term: Term, attribute: Term) -> bool:
    return any(part[0] == "a" and part[1][0] == "self" and part[2] == attribute[2] for part in parts_of(term))


def _within(part: Term, whole: Term) -> bool:
    """Whether a value goes into another one: that is then kept in its place."""
    return part is not whole and mentions(whole, part)


def _around(frame: Frame) -> list[Function]:
    found = []
    closure = frame.closure
    while closure is not None:
        found.append(closure.function)
        closure = closure.closure
    return found
