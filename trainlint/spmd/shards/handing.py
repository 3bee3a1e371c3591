"""Calls that hand items on or choose some of them: how many, by their word in the table ``sizes``."""

from __future__ import annotations

from trainlint.facts.call_graph import last_name
from trainlint.facts.values import Frame, Library, Made
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Term
from trainlint.spmd.shards.parts import left_out
from trainlint.spmd.shards.questions import ENDLESS, Amount, Questions


class Handing(Questions):
    """The calls of a measurement."""

    def parameters(self, call: Call, frame: Frame) -> list[str]:
        """What the positional parameters of a callee are called, whatever name it goes by here (``KINDS["weighted"](…)``)."""
        known = self.program.knowledge.size_parameters
        values = self.program.values(call.callee, frame)
        meant = (value.name.rpartition(".")[2] for value in values if isinstance(value, (Library, Made)))
        return next((known[name] for name in (*meant, last_name(call.callee) or "") if name in known), [])

    def argument(self, call: Call, frame: Frame, position: int) -> Term | None:
        """An argument of a call, by its position or the keyword that stands for it."""
        names = self.parameters(call, frame)
        for name, value in call.kwargs:
            if position < len(names) and name == names[position]:
                return value
        return call.args[position] if len(call.args) > position else None

    def word_range(self, call: Call, frame: Frame) -> Amount:
        strided = call.args[2:]
        if not call.args:
            return None
        if strided:
            if not self.settle(call.args[0], strided[0], frame):
                return None
            if self.differs(call.args[0], frame):
                self.origins.setdefault((call, frame))
        numbers = [self.number(bound, frame) for bound in call.args]
        whole = [int(number) for number in numbers if number is not None]
        if len(whole) != len(numbers) or whole[2:] == [0]:
            return None
        if strided and not self.differs(call.args[0], frame):
            whole[2] = 1 if whole[2] > 0 else -1  # batches differ when items do
        return len(range(*whole))

    def word_number(self, call: Call, frame: Frame) -> Amount:
        return self.number(call.args[0], frame) if call.args else None

    def word_either(self, call: Call, frame: Frame) -> Amount:
        """A number, or something whose items are permuted."""
        if not call.args:
            return None
        count = self.number(call.args[0], frame) if isinstance(call.args[0], (Call, BinOp)) else None
        return count or self.length(call.args[0], frame)

    def word_same(self, call: Call, frame: Frame) -> Amount:
        items = self.argument(call, frame, 0)
        return self.length(items, frame) if items is not None else None

    def word_second(self, call: Call, frame: Frame) -> Amount:
        items = self.argument(call, frame, 1)
        return self.length(items, frame) if items is not None else None

    def word_given(self, call: Call, frame: Frame) -> Amount:
        items = self.argument(call, frame, 0)
        return self.length(items, frame) if items is not None else None

    def word_receiver(self, call: Call, frame: Frame) -> Amount:
        return self.length(call.callee.base, frame) if isinstance(call.callee, Attr) else None

    def word_shortest(self, call: Call, frame: Frame) -> Amount:
        lengths = [self.length(argument, frame) for argument in call.args]
        known = [length for length in lengths if length is not None]
        return min(known) if known and len(known) == len(lengths) else None

    def word_sum(self, call: Call, frame: Frame) -> Amount:
        lengths = [self.length(argument, frame) for argument in call.args]
        known = [length for length in lengths if length is not None]
        return sum(known) if known and len(known) == len(lengths) else None

    def word_islice(self, call: Call, frame: Frame) -> Amount:
        """``islice``: with a stop, that many (whoever stops knows that there are so many); with a stride, each n-th."""
        bounds = call.args[1:]
        if not bounds:
            return None
        if len(bounds) == 1:
            return self.number(bounds[0], frame)
        start, stop = bounds[:2]
        step = bounds[-1] if bounds[2:] else None
        if step is not None and not left_out(step) and not self.settle(start, step, frame):
            return None
        length = self.length(call.args[0], frame) if left_out(stop) else self.number(stop, frame)
        begin = 0 if left_out(start) else self.number(start, frame)
        stride = 1 if step is None or left_out(step) else self.number(step, frame)
        if length is None or begin is None or not stride or length == ENDLESS:
            return length
        return len(range(int(begin), int(length), int(stride)))

    def word_endless(self, _call: Term, _frame: Frame) -> Amount:
        return ENDLESS

    def word_even(self, call: Call, _frame: Frame) -> Amount:
        return self.example.size(call)

    def word_drawn(self, call: Call, frame: Frame) -> Amount:
        """A sampler that draws: as many as it is told, otherwise as many as there are."""
        names = self.parameters(call, frame)
        count = self.argument(call, frame, len(names) - 1) if names else None
        if count is not None and not left_out(count):
            return self.number(count, frame)
        return self.word_same(call, frame)

    def word_batched(self, call: Call, frame: Frame) -> Amount:
        """Batches of a sampler's items; with ``drop_last`` parts that differ by one item mostly have equally many."""
        sampler, last = self.argument(call, frame, 0), self.argument(call, frame, 2)
        self.dropping = self.dropping or last is None or not (isinstance(last, Const) and not last.value)
        return self.length(sampler, frame) if sampler is not None else None
