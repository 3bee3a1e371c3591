"""Parts of something: slices, items of what was cut up, and what calls leave to a rank."""

from __future__ import annotations

from trainlint.facts.values import Frame, Made, Other
from trainlint.ir.nodes import Attr, Call, Const, Slice, Subscript, Term, Tuple, Unknown
from trainlint.spmd.shards.questions import ENDLESS, Amount, Questions
from trainlint.spmd.symbols import WORLD


class Parts(Questions):
    """The parts of a measurement."""

    def part(self, term: Subscript, frame: Frame) -> Amount:
        """How many items are in ``x[a:b:c]``, ``x[key]``, or in one of the parts that something was cut into."""
        base, key = term.base, term.key
        if isinstance(key, Tuple) and key.items and isinstance(key.items[0], Slice):
            key = key.items[0]
        if isinstance(base, Attr) and self.program.knowledge.sizes.get(base.name) == "receiver":
            base = base.base
        if isinstance(key, Slice):
            if self.differs(key.lower, frame) or self.differs(key.upper, frame):
                self.origins.setdefault((term, frame))
            return self._sliced(base, key, frame)
        if isinstance(key, Unknown):
            return None
        cut = self._cut(base, key, frame)
        if cut is not False:
            self.origins.setdefault((term, frame))
            return cut
        if self.differs(key, frame):
            return self.dealt(term, frame)
        found = self.program.values(term, frame)
        value = found[self.example.pick((term, frame), len(found))] if found else None
        if isinstance(value, Other) and value.term is term and value.frame is frame:
            return self.example.size(self.key(term, frame))
        return self.of(value, term, frame) if value is not None else None

    def _sliced(self, base: Term, key: Slice, frame: Frame) -> Amount:
        lower, upper, step = key.lower, key.upper, key.step
        if not left_out(step) and not self.settle(lower, step, frame):
            return None
        length = self.length(base, frame)
        if not left_out(step) and not left_out(upper) and self.differs(lower, frame):
            length = self._stated(upper, length, frame)
        if length is None or length == ENDLESS:
            return length
        bounds: list[int | None] = []
        for bound in (lower, upper, step):
            number = None if left_out(bound) else self.number(bound, frame)
            if number is None and not left_out(bound):
                return length if bound is step and not self.differs(lower, frame) else None
            bounds.append(None if number is None else int(number))
        if bounds[2] == 0:
            return None
        return len(range(*slice(*bounds).indices(int(length))))

    def _stated(self, upper: Term, length: Amount, frame: Frame) -> Amount:
        """``x[rank:total:world]``: who gives the end takes it for the length, and mostly has it made a multiple."""
        total = self.number(upper, frame)
        if total is not None and total % WORLD == 0:
            return total
        return length if isinstance(upper, Call) else None

    def settle(self, lower: Term, step: Term, frame: Frame) -> bool:
        """``x[rank::n]``: whatever the stride is called, it is the number of ranks; False when it is another one."""
        if not self.differs(lower, frame):
            return True
        if not isinstance(self.peer.value(step, frame), int):
            self.example.fixed.setdefault(self.key(step, frame), WORLD)
        number = self.number(step, frame)
        return number is not None and number % WORLD == 0

    def _cut(self, base: Term, key: Term, frame: Frame) -> Amount | bool:
        """An item of what a call cut something into; False when it is no such thing."""
        knowledge = self.program.knowledge
        for value in self.program.values(base, frame):
            call = value.call if isinstance(value, Made) else value.term if isinstance(value, Other) else None
            inner = value.frame if isinstance(value, (Made, Other)) else None
            if call is not None and inner is not None and isinstance(call, Unknown) and self.differs(key, frame):
                found = self.drawn_item(call, inner, self.number(key, frame))
                if found is not None:
                    return found
            if call is None or inner is None or not isinstance(call, Call):
                continue
            name = value.name if isinstance(value, Made) else ""
            word = knowledge.sizes.get(name) or (knowledge.sizes.get(call.callee.name) if isinstance(call.callee, Attr) else None)
            if word in ("parts", "chunks", "pieces", "parted"):
                return self._one_of(word, call, inner, key, frame) if self.differs(key, frame) else None
        return False

    def _one_of(self, word: str, call: Call, inner: Frame, key: Term, frame: Frame) -> Amount:
        """How large the part is that a rank picks of equally many parts, chunks, or pieces of one size."""
        whole, count = self._operands(word, call, inner)
        if whole is None or count is None:
            return None
        index = self.number(key, frame)
        value = self.peer.value(count, inner)
        if word != "pieces" and not isinstance(value, int):
            self.example.fixed[self.key(count, inner)] = WORLD
        length, number = self.length(whole, inner), self.number(count, inner)
        if index is None or length is None or number is None or number < 1 or length == ENDLESS:
            return None
        if word in ("parts", "parted"):
            return length // number + (index < length % number)
        size = number if word == "pieces" else -(-length // number)
        return max(0, min(size, length - index * size))

    def _operands(self, word: str, call: Call, frame: Frame) -> tuple[Term | None, Term | None]:
        """What is cut up, and into how many parts (or pieces of which size)."""
        whole, count = self.argument(call, frame, 0), self.argument(call, frame, 1)
        if isinstance(call.callee, Attr):
            whole, count = call.callee.base, call.args[0] if call.args else self.argument(call, frame, 1)
        return (count, whole) if word == "parted" else (whole, count)


def left_out(term: Term) -> bool:
    """Whether a bound or argument is None, or was not written."""
    return bool(isinstance(term, Const) and term.value is None)
