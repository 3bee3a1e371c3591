"""How many rounds a loop makes on one rank, with one set of example values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.numbers import is_range
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Other
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Const,
    Dict,
    Element,
    List,
    LoopPhi,
    Self,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import Block, CallStep, Drawn, Exit, If, Loop, Statement, Try, With, Yield
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import effects, walk
from trainlint.spmd.counting import deciding
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.shards.amounts import Amounts
from trainlint.spmd.shards.examples import Example
from trainlint.spmd.shards.lengths import Lengths
from trainlint.spmd.shards.questions import ENDLESS, Amount
from trainlint.spmd.symbols import WORLD

#: Rounds that are gone through.
_MOST_ROUNDS = 4_000
#: How many items a statement makes when it runs; None when it makes nothing.
_Made = Callable[[Statement], "Amount | str | None"]


class _Count(NamedTuple):
    """Items made in one round: always, and in those rounds only that a test on the rank picks out."""

    always: float = 0
    picked: float = 0


class Measure(Amounts, Lengths):
    """Counts for one rank."""

    def __init__(self, program: Program, peer: Evaluator, example: Example) -> None:
        self.program = program
        self.peer = peer
        self.example = example
        self.ranked = False
        self.dropping = False
        self.depth = 0
        self.origins: dict[tuple[Term, Frame], None] = {}
        self.frames: set[Frame] = set()
        self.held: dict[Term, Amount] = {}

    def split(self, word: str, call: Call, frame: Frame) -> Amount:
        """How many items a call hands out on this rank, by its word in the table ``sizes``."""
        counted = _COUNTED.get(word)
        return counted(self, call, frame) if counted is not None else None

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

    def _strided(self, length: Amount, call: Call, frame: Frame) -> Amount:
        """Every fourth item, from the rank on."""
        if length is None or length == ENDLESS:
            return length
        self.ranked = True
        self.origins.setdefault((call, frame))
        return len(range(self.peer.rank, int(length), WORLD))

    def word_shard(self, call: Call, frame: Frame) -> Amount:
        """``data.shard(count, index)``."""
        count, index = self.argument(call, frame, 0), self.argument(call, frame, 1)
        if count is None or index is None or not isinstance(call.callee, Attr):
            return None
        length = self.length(call.callee.base, frame)
        return self._strided(length, call, frame) if self.differs(index, frame) else length

    def word_by_node(self, call: Call, frame: Frame) -> Amount:
        """``split_dataset_by_node(data, rank, world_size)``."""
        rank = self.argument(call, frame, 1)
        data = self.argument(call, frame, 0)
        if data is None or rank is None:
            return None
        length = self.length(data, frame)
        return self._strided(length, call, frame) if self.differs(rank, frame) else length

    def word_between(self, call: Call, frame: Frame) -> Amount:
        """``with split_between_processes(data) as part``; ``apply_padding`` makes the parts equal."""
        padding = self.argument(call, frame, 1)
        data = self.argument(call, frame, 0)
        if data is None or (padding is not None and not (isinstance(padding, Const) and not padding.value)):
            return None
        length = self.length(data, frame)
        return self._strided(length, call, frame)

    def word_web(self, call: Call, frame: Frame) -> Amount:
        """A WebDataset: its shards may be split by node; drawn anew without end when it resamples."""
        if any(
            name in self.program.knowledge.endless_by and not (isinstance(v, Const) and not v.value) for name, v in call.kwargs
        ):
            return ENDLESS
        if any(self._splits(value, frame) for _, value in call.kwargs):
            return self._strided(self.example.size(call), call, frame)
        return self.example.size(call)

    def word_pipeline(self, call: Call, frame: Frame) -> Amount:
        """A pipeline of stages, one of which may split by node."""
        if any(self._splits(stage, frame) for stage in call.args):
            stages = [value for stage in call.args for value in self.program.values(stage, frame)]
            sizes = self.program.knowledge.sizes
            endless = any(isinstance(v, Made) and sizes.get(v.name) == "endless" for v in stages)
            if endless or any(isinstance(stage, Unknown) for stage in call.args):
                return ENDLESS
            return self._strided(self.example.size(call), call, frame)
        return self.example.size(call)

    def word_unpadded(self, call: Call, frame: Frame) -> Amount:
        """What ``prepare`` of an accelerator hands back when that was told not to make the ranks' parts equal."""
        return self._strided(self.example.size(call), call, frame)

    def _splits(self, term: Term, frame: Frame) -> bool:
        known = self.program.knowledge.splitters
        return any(isinstance(v, (Library, Made)) and v.name in known for v in self.program.values(term, frame))

    def loaded(self, made: Made) -> Amount:
        """How many items a loader goes over: batches differ when items do, but with ``drop_last`` not for a single one."""
        if made.call is None or made.frame is None:
            return self.example.size(made.name)
        given = self._given_to(made)
        if given is None:
            return None
        for name in ("batch_sampler", "sampler", "dataset"):
            term = given.get(name)
            if term is not None and not _nothing(term):
                self.dropping = self.dropping or self._drops(given)
                return self.length(term, made.frame)
        return None

    def _given_to(self, made: Made) -> dict[str, Term] | None:
        """The arguments of a loader by name; None when some are out of sight."""
        assert made.call is not None
        assert made.frame is not None
        signature = self.program.knowledge.signatures.get(made.name, ["dataset"])
        given = dict(zip(signature, made.call.args, strict=False))
        for name, value in made.call.kwargs:
            if name is not None:
                given[name] = value
                continue
            displays = self.program.values(value, made.frame)
            display = displays[0] if len(displays) == 1 else None
            if not isinstance(display, Other) or not isinstance(display.term, Dict):
                return None
            for key, item in display.term.items:
                if not isinstance(key, Const):
                    return None
                given.setdefault(key.value, item)
        return given

    def _drops(self, given: dict[str, Term]) -> bool:
        term = given.get("drop_last")
        return term is not None and not (isinstance(term, Const) and not term.value)

    def of_object(self, value: Instance) -> Amount:
        """How many items an object of the project hands out: by its ``__iter__``, or its ``__len__`` and ``__getitem__``."""
        cls = ClassValue(value.module, value.cls)
        own = self.program.method(cls, "__iter__")
        if own is not None:
            frame = self.program.instance_frame(value, *own)
            if own[1].generator:
                return self.yielded(FunctionValue(own[0], own[1], value), frame)
            return self._returned(own[1].qualname, self.program.returns(own[1]), frame)
        for above in self.program.lineage(cls):
            if isinstance(above, Library):
                word = self.program.knowledge.sizes.get(above.name)
                if word == "even":
                    return self.example.size(("even", value.cls.qualname))
                if self.program.knowledge.kinds.get(above.name) in ("loader", "stream", "sampler"):
                    return None
        size = self.program.method(cls, "__len__")
        if size is None:
            return None
        results = self.program.returns(size[1])
        frame = self.program.instance_frame(value, *size)
        if not results:
            return None
        self.frames.add(frame)
        return self.number(results[self.example.pick((size[1].qualname, "returns"), len(results))], frame)

    def _returned(self, name: str, results: list[Term], frame: Frame) -> Amount:
        if not results:
            return None
        result = results[self.example.pick((name, "returns"), len(results))]
        return None if isinstance(result, Self) else self.length(result, frame)

    def rounds(self, loop: Loop, frame: Frame) -> Amount:
        """How many rounds this rank makes of a loop; None when that cannot be said."""
        if loop.kind == "for":
            return self.length(loop.subject, frame)
        names = deciding((loop.subject,), frame)
        saved = self.held
        try:
            held: dict[Term, Amount] = {name: self._number_before(name, frame) for name in names}
            for done in range(_MOST_ROUNDS if names else 0):
                if None in held.values():
                    return None
                self.held = {**saved, **held}
                goes_on = self.truth(loop.subject, frame)
                if not goes_on:
                    return None if goes_on is None else done
                held = {name: self.number(frame.function.carried[name][1], frame) for name in names}
            return None
        finally:
            self.held = saved

    def _number_before(self, name: Term, frame: Frame) -> Amount:
        """What a name holds before the first round; a stride that begins at the rank is the number of ranks."""
        first, last = frame.function.carried[name]
        if isinstance(last, BinOp) and last.op == "Add" and last.left is name and self.differs(first, frame):
            self.settle(first, last.right, frame)
        return self.number(first, frame)

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

    def drawn(self, term: Term, frame: Frame) -> Amount:
        """How many items a comprehension makes; None when it is none, or cannot be counted."""
        known, where = self._comprehension(term, frame)
        if known is None:
            return None
        length = self.length(known.subject, where)
        if length is None or length == ENDLESS:
            return length
        for condition in known.tests:
            if self._picks(condition, where):
                self.ranked = True
                self.origins.setdefault((term, where))
                return len(range(self.peer.rank, int(length), WORLD))
        return length

    def drawn_item(self, term: Term, frame: Frame, number: Amount) -> Amount:
        """How many items are in one of the lists that a comprehension over numbers makes (``[x[i::n] for i in range(n)]``)."""
        known, where = self._comprehension(term, frame)
        if known is None or known.tests or number is None or not self._counts_up(known.subject, where):
            return None
        if isinstance(known.item, List):
            return None  # made empty, to be filled
        if isinstance(known.item, Subscript) and isinstance(known.item.key, Slice):
            self._take(known.item.key.step, where)
        self.peer.loops[known.target] = int(number)
        try:
            return self.length(known.item, where)
        finally:
            del self.peer.loops[known.target]

    def _counts_up(self, subject: Term, frame: Frame) -> bool:
        """Whether an iterable is ``range(n)``."""
        return isinstance(subject, Call) and is_range(self.program, subject, frame) and len(subject.args) == 1

    def _take(self, step: Term, frame: Frame) -> None:
        """The stride of the list of a rank is the number of ranks, whatever it is called."""
        if not isinstance(self.peer.value(step, frame), int):
            self.example.fixed.setdefault(self.key(step, frame), WORLD)

    def _comprehension(self, term: Term, frame: Frame) -> tuple[Drawn | None, Frame]:
        """The comprehension whose value a term stands for, and the activation it is in."""
        where: Frame | None = frame
        while where is not None and term not in where.function.drawn:
            where = where.closure
        if where is None:
            top = self.program.modules[frame.module].functions["<module>"]
            where = self.program.frame(frame.module, top)
        return where.function.drawn.get(term), where

    def _picks(self, condition: Term, frame: Frame) -> bool:
        """Whether a test picks out some rounds for each rank (``i % world == rank``)."""
        if isinstance(condition, And):
            return any(self._picks(part, frame) for part in condition.operands)
        return _has(condition, Element) and self.differs(condition, frame)

    def filled(self, term: Term, frame: Frame) -> Amount:
        """How many items a function puts into a list that it makes empty; some length when it puts none."""

        def made(node: Statement) -> Amount | str | None:
            if not isinstance(node, CallStep) or not isinstance(node.term.callee, Attr) or node.term.callee.base is not term:
                return None
            name = node.term.callee.name
            how = self.program.knowledge.gathers.get(name)
            if how == "all":
                return self.length(node.term.args[0], frame) if node.term.args else "?"
            return 1 if how is not None else "?" if name in self.program.knowledge.empties else None

        if not any(made(node) is not None for node in walk(frame.function.body) if isinstance(node, CallStep)):
            return self.example.size((term, frame))
        count = self._count(frame.function.body, frame, made)
        return None if count is None else count.always + count.picked

    def dealt(self, term: Subscript, frame: Frame) -> Amount:
        """How many items were dealt to one of several lists (``parts[i % world].append(x)``); None when none were."""
        base = term.base

        def made(node: Statement) -> Amount | str | None:
            callee = node.term.callee if isinstance(node, CallStep) else None
            if not isinstance(callee, Attr) or not isinstance(callee.base, Subscript) or callee.base.base is not base:
                return None
            return 1 if callee.name in self.program.knowledge.gathers and _has(callee.base.key, Element) else "?"

        count = self._count(frame.function.body, frame, made)
        total = None if count is None else count.always + count.picked
        if not total or total == ENDLESS:
            return None
        self.ranked = True
        self.origins.setdefault((term, frame))
        return len(range(self.peer.rank, int(total), WORLD))

    def generated(self, call: Call, frame: Frame) -> Amount:
        """How many items a generator of the project yields."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, FunctionValue) and value.function.generator and not frame.runs(value.function):
                return self.yielded(value, self.program.enter(value, call, frame))
        return None

    def yielded(self, value: FunctionValue, frame: Frame) -> Amount:
        """How many items the body of a generator yields in one activation."""
        self.frames.add(frame)

        def made(node: Statement) -> Amount | str | None:
            if not isinstance(node, Yield):
                return None
            if not node.whole:
                return 1
            length = self.length(node.value, frame) if node.value is not None else None
            return length if length is not None else "?"

        count = self._count(value.function.body, frame, made)
        return None if count is None else count.always + count.picked

    def _count(self, block: Block, frame: Frame, made: _Made) -> _Count | None:
        """What a block makes when it runs once; None when that cannot be said."""
        always: float = 0
        picked: float = 0
        choosing = False
        for node in effects(block):
            count = self._one(node, frame, made)
            if count is None:
                return None
            always += 0 if choosing else count.always
            picked += count.picked + (count.always if choosing else 0)
            if isinstance(node, If) and _skips(node) and self._picks(node.condition, frame):
                choosing = True
        return _Count(always, picked)

    def _one(self, node: Statement, frame: Frame, made: _Made) -> _Count | None:
        if isinstance(node, Loop):
            return self._looped(node, frame, made)
        if isinstance(node, If):
            return self._branched(node, frame, made)
        if isinstance(node, With):
            return self._count(node.body, frame, made)
        if isinstance(node, Try):
            return self._count((*node.body, *node.orelse, *node.final), frame, made)
        found = made(node)
        if isinstance(found, str):
            return None
        return _Count(found) if found is not None else _Count()

    def _branched(self, node: If, frame: Frame, made: _Made) -> _Count | None:
        then, other = self._count(node.body, frame, made), self._count(node.orelse, frame, made)
        if then is None or other is None:
            return None
        if not any((*then, *other)):
            return then
        if self._picks(node.condition, frame):
            self.ranked = True
            chosen = then if any(then) else other
            return _Count(0, chosen.always + chosen.picked) if not (any(then) and any(other)) else None
        if self.differs(node.condition, frame):
            truth = self.truth(node.condition, frame)
            return None if truth is None else then if truth else other
        if _has(node.condition, Element) or _has(node.condition, LoopPhi):
            return then if any(then) else other  # some of the items: each rank has its own
        truth = self.truth(node.condition, frame)
        return None if truth is None else then if truth else other

    def _looped(self, node: Loop, frame: Frame, made: _Made) -> _Count | None:
        inner = self._count(node.body, frame, made)
        if inner is None or not any(inner):
            return inner
        if _leaves(node.body):
            return None
        if node.kind != "for":
            if isinstance(node.subject, Const) and node.subject.value:
                return _Count(ENDLESS)
            return inner if _has(node.subject, LoopPhi) else None  # as much as there is: of a rank's items as of all others
        length = self.length(node.subject, frame)
        if length is None:
            return None
        if length == ENDLESS:
            return _Count(ENDLESS)
        total = inner.always * length
        if inner.picked:
            self.ranked = True
            self.origins.setdefault((node.subject, frame))
            total += inner.picked * len(range(self.peer.rank, int(length), WORLD))
        return _Count(total)


def _nothing(term: Term) -> bool:
    return bool(isinstance(term, Const) and term.value is None)


def left_out(term: Term) -> bool:
    """Whether a bound or argument is None, or was not written."""
    return bool(isinstance(term, Const) and term.value is None)


def _skips(node: If) -> bool:
    """Whether a branch goes on with the next round."""
    return bool(node.body) and isinstance(node.body[-1], Exit) and node.body[-1].kind == "continue" and not effects(node.orelse)


def _leaves(block: Block) -> bool:
    """Whether a loop with this body may be left early. Leaving an inner loop counts as well: what is left over is unknown."""
    return any(isinstance(node, Exit) and node.kind in ("break", "return") for node in walk(block))


def _has(term: Term, kind: type[Term]) -> bool:
    return any(isinstance(part, kind) for part in parts_of(term))


#: What counts the items that a call hands out, by its word in the table ``sizes``.
_COUNTED: dict[str, Callable[[Any, Call, Frame], Amount]] = {
    "range": Measure.word_range,
    "number": Measure.word_number,
    "either": Measure.word_either,
    "same": Measure.word_same,
    "second": Measure.word_second,
    "given": Measure.word_given,
    "receiver": Measure.word_receiver,
    "shortest": Measure.word_shortest,
    "sum": Measure.word_sum,
    "islice": Measure.word_islice,
    "endless": Measure.word_endless,
    "even": Measure.word_even,
    "drawn": Measure.word_drawn,
    "batched": Measure.word_batched,
    "shard": Measure.word_shard,
    "by-node": Measure.word_by_node,
    "between": Measure.word_between,
    "web": Measure.word_web,
    "pipeline": Measure.word_pipeline,
    "unpadded": Measure.word_unpadded,
}
