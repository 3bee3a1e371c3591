"""Parts of something: slices, items of what was cut up, and what calls leave to a rank."""

from __future__ import annotations

from trainlint.facts.values import Frame, Instance, Library, Made, Other
from trainlint.model.terms import Term
from trainlint.spmd.shards.questions import ENDLESS, Amount, Questions
from trainlint.spmd.symbols import WORLD


class Parts(Questions):
    """The parts of a measurement."""

    def part(self, term: Term, frame: Frame) -> Amount:
        """How many items are in ``x[a:b:c]``, ``x[key]``, or in one of the parts that something was cut into."""
        base, key = term[1], term[2]
        if key[0] == "tuple" and key[1] and key[1][0][0] == "slice":
            key = key[1][0]
        if base[0] == "a" and base[2] in ("iloc", "loc"):
            base = base[1]
        if key[0] == "slice":
            if self.differs(key[1], frame) or self.differs(key[2], frame):
                self.origins.setdefault((term, frame))
            return self._sliced(base, key, frame)
        if key[0] == "v":
            return None
        cut = self._cut(base, key, frame)
        if cut is not False:
            self.origins.setdefault((term, frame))
            return cut
        if self.differs(key, frame):
            return self.dealt(term, frame)
        found = self.program.values(term, frame)
        value = found[self.example.pick((term, frame), len(found))] if found else None
        if isinstance(value, Other):
            if value.term is not term or value.frame is not frame:
                return self.length(value.term, value.frame)
            return self.example.size(self.key(term, frame))
        if isinstance(value, Made) and value.call is not None:
            return self.loaded(value) if self.program.knowledge.kinds.get(value.name) == "loader" else None
        return self.of_object(value) if isinstance(value, Instance) else None

    def _sliced(self, base: Term, key: Term, frame: Frame) -> Amount:
        lower, upper, step = key[1], key[2], key[3]
        if not _left_out(step) and not self._settle(lower, step, frame):
            return None
        length = self.length(base, frame)
        if length is None or length == ENDLESS:
            return length
        bounds: list[int | None] = []
        for bound in (lower, upper, step):
            number = None if _left_out(bound) else self.number(bound, frame)
            if number is None and not _left_out(bound):
                return length if bound is step and not self.differs(lower, frame) else None
            bounds.append(None if number is None else int(number))
        if bounds[2] == 0:
            return None
        return len(range(*slice(*bounds).indices(int(length))))

    def _settle(self, lower: Term, step: Term, frame: Frame) -> bool:
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
            if call is None or inner is None or call[0] != "call":
                continue
            name = value.name if isinstance(value, Made) else ""
            word = knowledge.sizes.get(name) or (knowledge.sizes.get(call[1][2]) if call[1][0] == "a" else None)
            if word in ("parts", "chunks", "pieces", "parted"):
                return self._one_of(word, call, inner, key, frame) if self.differs(key, frame) else None
        return False

    def _one_of(self, word: str, call: Term, inner: Frame, key: Term, frame: Frame) -> Amount:
        """How large the part is that a rank picks of equally many parts, chunks, or pieces of one size."""
        whole, count = self._operands(word, call)
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

    def _operands(self, word: str, call: Term) -> tuple[Term | None, Term | None]:
        """What is cut up, and into how many parts (or pieces of which size)."""
        arguments = list(call[2])
        if call[1][0] == "a":
            arguments.insert(0, call[1][1])
        for name, value in call[3]:
            if name in ("chunks", "sections", "split_size_or_sections", "indices_or_sections"):
                arguments.append(value)
        if word == "parted":
            arguments.reverse()
        return (arguments[0], arguments[1]) if len(arguments) > 1 else (None, None)

    # -- calls -----------------------------------------------------------------------------------------------------

    def split(self, word: str, call: Term, frame: Frame) -> Amount:
        """How many items a call hands out on this rank, by its word in the table ``sizes``."""
        handler = getattr(self, "word_" + word.replace("-", "_"), None)
        return handler(call, frame) if handler is not None else None  # type: ignore[no-any-return]

    def _argument(self, call: Term, position: int, *names: str) -> Term | None:
        for name, value in call[3]:
            if name in names:
                return value  # type: ignore[no-any-return]
        return call[2][position] if len(call[2]) > position else None

    def _first(self, call: Term, position: int, frame: Frame) -> Amount:
        return self.length(call[2][position], frame) if len(call[2]) > position else None

    def word_range(self, call: Term, frame: Frame) -> Amount:
        if not 1 <= len(call[2]) <= 3:
            return None
        if len(call[2]) == 3:
            if not self._settle(call[2][0], call[2][2], frame):
                return None
            if self.differs(call[2][0], frame):
                self.origins.setdefault((call, frame))
        numbers = [self.number(bound, frame) for bound in call[2]]
        whole = [int(number) for number in numbers if number is not None]
        if len(whole) != len(numbers) or whole[2:] == [0]:
            return None
        return len(range(*whole))

    def word_number(self, call: Term, frame: Frame) -> Amount:
        return self.number(call[2][0], frame) if call[2] else None

    def word_either(self, call: Term, frame: Frame) -> Amount:
        """A number, or something whose items are permuted."""
        if not call[2]:
            return None
        counts = call[2][0][0] in ("call", "bin") and self.number(call[2][0], frame)
        return counts if counts else self.length(call[2][0], frame)

    def word_same(self, call: Term, frame: Frame) -> Amount:
        argument = self._argument(call, 0, "iterable", "indices", "data_source")
        return self.length(argument, frame) if argument is not None else None

    def word_second(self, call: Term, frame: Frame) -> Amount:
        argument = self._argument(call, 1, "indices")
        return self.length(argument, frame) if argument is not None else None

    def word_given(self, call: Term, frame: Frame) -> Amount:
        argument = self._argument(call, 0, "indices")
        return self.length(argument, frame) if argument is not None else None

    def word_receiver(self, call: Term, frame: Frame) -> Amount:
        return self.length(call[1][1], frame) if call[1][0] == "a" else None

    def word_shortest(self, call: Term, frame: Frame) -> Amount:
        lengths = [self.length(argument, frame) for argument in call[2]]
        known = [length for length in lengths if length is not None]
        return min(known) if known and len(known) == len(lengths) else None

    def word_sum(self, call: Term, frame: Frame) -> Amount:
        lengths = [self.length(argument, frame) for argument in call[2]]
        known = [length for length in lengths if length is not None]
        return sum(known) if known and len(known) == len(lengths) else None

    def word_islice(self, call: Term, frame: Frame) -> Amount:
        """``islice``: with a stop, that many (whoever stops knows that there are so many); with a stride, each n-th."""
        bounds = call[2][1:]
        if not bounds:
            return None
        if len(bounds) == 1:
            return self.number(bounds[0], frame)
        start, stop, step = bounds[0], bounds[1], bounds[2] if len(bounds) > 2 else None
        if step is not None and not _left_out(step) and not self._settle(start, step, frame):
            return None
        length = self.length(call[2][0], frame) if _left_out(stop) else self.number(stop, frame)
        begin = 0 if _left_out(start) else self.number(start, frame)
        stride = 1 if step is None or _left_out(step) else self.number(step, frame)
        if length is None or begin is None or not stride or length == ENDLESS:
            return length
        return len(range(int(begin), int(length), int(stride)))

    def word_endless(self, call: Term, frame: Frame) -> Amount:
        return ENDLESS

    def word_even(self, call: Term, frame: Frame) -> Amount:
        return self.example.size(call)

    def word_drawn(self, call: Term, frame: Frame) -> Amount:
        """A sampler that draws: as many as it is told, otherwise as many as there are."""
        count = self._argument(call, 2, "num_samples")
        if count is None and len(call[2]) == 2:
            count = call[2][1]
        if count is not None and not _left_out(count):
            return self.number(count, frame)
        return self.word_same(call, frame)

    def word_batched(self, call: Term, frame: Frame) -> Amount:
        """Batches of a sampler's items; with ``drop_last`` parts that differ by one item mostly have equally many."""
        sampler, last = self._argument(call, 0, "sampler"), self._argument(call, 2, "drop_last")
        if sampler is None or last is None or not (last[0] == "c" and not last[2]):
            return None
        return self.length(sampler, frame)

    # -- calls that give each rank a part of its own -----------------------------------------------------------------

    def _strided(self, length: Amount, call: Term, frame: Frame) -> Amount:
        """Every fourth item, from the rank on."""
        if length is None or length == ENDLESS:
            return length
        self.ranked = True
        self.origins.setdefault((call, frame))
        return len(range(self.peer.rank, int(length), WORLD))

    def word_shard(self, call: Term, frame: Frame) -> Amount:
        """``data.shard(count, index)``."""
        count, index = self._argument(call, 0, "num_shards"), self._argument(call, 1, "index")
        if count is None or index is None or call[1][0] != "a":
            return None
        length = self.length(call[1][1], frame)
        return self._strided(length, call, frame) if self.differs(index, frame) else length

    def word_by_node(self, call: Term, frame: Frame) -> Amount:
        """``split_dataset_by_node(data, rank, world_size)``."""
        rank = self._argument(call, 1, "rank")
        data = self._argument(call, 0, "dataset")
        if data is None or rank is None:
            return None
        length = self.length(data, frame)
        return self._strided(length, call, frame) if self.differs(rank, frame) else length

    def word_between(self, call: Term, frame: Frame) -> Amount:
        """``with split_between_processes(data) as part``; ``apply_padding`` makes the parts equal."""
        padding = self._argument(call, 1, "apply_padding")
        data = self._argument(call, 0, "inputs")
        if data is None or (padding is not None and not (padding[0] == "c" and not padding[2])):
            return None
        length = self.length(data, frame)
        return self._strided(length, call, frame)

    def word_web(self, call: Term, frame: Frame) -> Amount:
        """A WebDataset: its shards may be split by node; drawn anew without end when it resamples."""
        for name, value in call[3]:
            if name == "resampled" and not (value[0] == "c" and not value[2]):
                return ENDLESS
            if name == "nodesplitter" and self._splits(value, frame):
                return self._strided(self.example.size(call), call, frame)
        return self.example.size(call)

    def word_pipeline(self, call: Term, frame: Frame) -> Amount:
        """A pipeline of stages, one of which may split by node."""
        if any(self._splits(stage, frame) for stage in call[2]):
            stages = [value for stage in call[2] for value in self.program.values(stage, frame)]
            if any(isinstance(v, Made) and "Resampled" in v.name for v in stages) or any(s[0] == "v" for s in call[2]):
                return ENDLESS
            return self._strided(self.example.size(call), call, frame)
        return self.example.size(call)

    def _splits(self, term: Term, frame: Frame) -> bool:
        known = self.program.knowledge.splitters
        return any(isinstance(v, (Library, Made)) and v.name in known for v in self.program.values(term, frame))


def _left_out(term: Term) -> bool:
    return bool(term[0] == "c" and term[2] is None)
