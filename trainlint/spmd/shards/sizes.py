"""How many items library calls hand out on one rank: by their word in the table ``sizes``, and by what a loader goes over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trainlint.ir.nodes import Attr, BinOp, Call, Const, Dict, Term, Unknown
from trainlint.ir.operators import length_of_range
from trainlint.ir.terms import is_none
from trainlint.program.values import Context, Library, LibraryObject, Unresolved
from trainlint.spmd.shards.amounts import ENDLESS, Amount
from trainlint.spmd.symbols import WORLD

if TYPE_CHECKING:
    from trainlint.spmd.shards.measure import Measure


def left_out(term: Term) -> bool:
    """Whether a bound or argument is None, or was not written."""
    return is_none(term)


def _range(measure: Measure, call: Call, frame: Context) -> Amount:
    strided = call.args[2:]
    if not call.args:
        return None
    if strided:
        if not measure.settle(call.args[0], strided[0], frame):
            return None
        if measure.differs(call.args[0], frame):
            measure.origins.setdefault((call, frame))
    numbers = [measure.number(bound, frame) for bound in call.args]
    whole = [int(number) for number in numbers if number is not None]
    if len(whole) != len(numbers):
        return None
    if whole[2:] not in ([], [0]) and not measure.differs(call.args[0], frame):
        whole[2] = 1 if whole[2] > 0 else -1  # batches differ when items do
    return length_of_range(*whole)


def _number(measure: Measure, call: Call, frame: Context) -> Amount:
    return measure.number(call.args[0], frame) if call.args else None


def _either(measure: Measure, call: Call, frame: Context) -> Amount:
    """A number, or something whose items are permuted."""
    if not call.args:
        return None
    count = measure.number(call.args[0], frame) if isinstance(call.args[0], (Call, BinOp)) else None
    return count or measure.length(call.args[0], frame)


def _same(measure: Measure, call: Call, frame: Context) -> Amount:
    items = measure.argument(call, frame, 0)
    return measure.length(items, frame) if items is not None else None


def _second(measure: Measure, call: Call, frame: Context) -> Amount:
    items = measure.argument(call, frame, 1)
    return measure.length(items, frame) if items is not None else None


def _receiver(measure: Measure, call: Call, frame: Context) -> Amount:
    return measure.length(call.callee.base, frame) if isinstance(call.callee, Attr) else None


def _shortest(measure: Measure, call: Call, frame: Context) -> Amount:
    lengths = [measure.length(argument, frame) for argument in call.args]
    known = [length for length in lengths if length is not None]
    return min(known) if known and len(known) == len(lengths) else None


def _sum(measure: Measure, call: Call, frame: Context) -> Amount:
    lengths = [measure.length(argument, frame) for argument in call.args]
    known = [length for length in lengths if length is not None]
    return sum(known) if known and len(known) == len(lengths) else None


def _islice(measure: Measure, call: Call, frame: Context) -> Amount:
    """``islice``: with a stop, that many (whoever stops knows that there are so many); with a stride, each n-th."""
    bounds = call.args[1:]
    if not bounds:
        return None
    if len(bounds) == 1:
        return measure.number(bounds[0], frame)
    start, stop = bounds[:2]
    step = bounds[-1] if bounds[2:] else None
    if step is not None and not left_out(step) and not measure.settle(start, step, frame):
        return None
    length = measure.length(call.args[0], frame) if left_out(stop) else measure.number(stop, frame)
    begin = 0 if left_out(start) else measure.number(start, frame)
    stride = 1 if step is None or left_out(step) else measure.number(step, frame)
    if length is None or begin is None or not stride or length == ENDLESS:
        return length
    return len(range(int(begin), int(length), int(stride)))


def _endless(_measure: Measure, _call: Term, _frame: Context) -> Amount:
    return ENDLESS


def _even(measure: Measure, call: Call, _frame: Context) -> Amount:
    return measure.example.size(call)


def _drawn(measure: Measure, call: Call, frame: Context) -> Amount:
    """A sampler that draws: as many as it is told, otherwise as many as there are."""
    names = measure.parameters(call, frame)
    count = measure.argument(call, frame, len(names) - 1) if names else None
    if count is not None and not left_out(count):
        return measure.number(count, frame)
    return _same(measure, call, frame)


def _batched(measure: Measure, call: Call, frame: Context) -> Amount:
    """Batches of a sampler's items; with ``drop_last`` parts that differ by one item mostly have equally many."""
    sampler, last = measure.argument(call, frame, 0), measure.argument(call, frame, 2)
    measure.dropping = measure.dropping or last is None or not (isinstance(last, Const) and not last.value)
    return measure.length(sampler, frame) if sampler is not None else None


def _strided(measure: Measure, length: Amount, call: Call, frame: Context) -> Amount:
    """Every fourth item, from the rank on."""
    if length is None or length == ENDLESS:
        return length
    measure.ranked = True
    measure.origins.setdefault((call, frame))
    return len(range(measure.peer.rank, int(length), WORLD))


def _shard(measure: Measure, call: Call, frame: Context) -> Amount:
    """``data.shard(count, index)``."""
    count, index = measure.argument(call, frame, 0), measure.argument(call, frame, 1)
    if count is None or index is None or not isinstance(call.callee, Attr):
        return None
    length = measure.length(call.callee.base, frame)
    return _strided(measure, length, call, frame) if measure.differs(index, frame) else length


def _by_node(measure: Measure, call: Call, frame: Context) -> Amount:
    """``split_dataset_by_node(data, rank, world_size)``."""
    rank = measure.argument(call, frame, 1)
    data = measure.argument(call, frame, 0)
    if data is None or rank is None:
        return None
    length = measure.length(data, frame)
    return _strided(measure, length, call, frame) if measure.differs(rank, frame) else length


def _between(measure: Measure, call: Call, frame: Context) -> Amount:
    """``with split_between_processes(data) as part``; ``apply_padding`` makes the parts equal."""
    padding = measure.argument(call, frame, 1)
    data = measure.argument(call, frame, 0)
    if data is None or (padding is not None and not (isinstance(padding, Const) and not padding.value)):
        return None
    length = measure.length(data, frame)
    return _strided(measure, length, call, frame)


def _web(measure: Measure, call: Call, frame: Context) -> Amount:
    """A WebDataset: its shards may be split by node; drawn anew without end when it resamples."""
    if any(
        name in measure.program.knowledge.endless_by and not (isinstance(v, Const) and not v.value) for name, v in call.kwargs
    ):
        return ENDLESS
    if any(_splits(measure, value, frame) for _, value in call.kwargs):
        return _strided(measure, measure.example.size(call), call, frame)
    return measure.example.size(call)


def _pipeline(measure: Measure, call: Call, frame: Context) -> Amount:
    """A pipeline of stages, one of which may split by node."""
    if any(_splits(measure, stage, frame) for stage in call.args):
        stages = [value for stage in call.args for value in measure.program.values(stage, frame)]
        sizes = measure.program.knowledge.sizes
        endless = any(isinstance(v, LibraryObject) and sizes.get(v.name) == "endless" for v in stages)
        if endless or any(isinstance(stage, Unknown) for stage in call.args):
            return ENDLESS
        return _strided(measure, measure.example.size(call), call, frame)
    return measure.example.size(call)


def _unpadded(measure: Measure, call: Call, frame: Context) -> Amount:
    """What ``prepare`` of an accelerator hands back when that was told not to make the ranks' parts equal."""
    return _strided(measure, measure.example.size(call), call, frame)


def _splits(measure: Measure, term: Term, frame: Context) -> bool:
    known = measure.program.knowledge.splitters
    return any(isinstance(v, (Library, LibraryObject)) and v.name in known for v in measure.program.values(term, frame))


def loaded(measure: Measure, made: LibraryObject) -> Amount:
    """How many items a loader goes over: batches differ when items do, but with ``drop_last`` not for a single one."""
    if made.call is None or made.frame is None:
        return measure.example.size(made.name)
    given = _given_to(measure, made)
    if given is None:
        return None
    for name in ("batch_sampler", "sampler", "dataset"):
        term = given.get(name)
        if term is not None and not left_out(term):
            measure.dropping = measure.dropping or _drops(given)
            return measure.length(term, made.frame)
    return None


def _given_to(measure: Measure, made: LibraryObject) -> dict[str, Term] | None:
    """The arguments of a loader by name; None when some are out of sight."""
    assert made.call is not None
    assert made.frame is not None
    signature = measure.program.knowledge.signatures.get(made.name, ["dataset"])
    given = dict(zip(signature, made.call.args, strict=False))
    for name, value in made.call.kwargs:
        if name is not None:
            given[name] = value
            continue
        displays = measure.program.values(value, made.frame)
        display = displays[0] if len(displays) == 1 else None
        if not isinstance(display, Unresolved) or not isinstance(display.term, Dict):
            return None
        for key, item in display.term.items:
            if not isinstance(key, Const):
                return None
            given.setdefault(key.value, item)
    return given


def _drops(given: dict[str, Term]) -> bool:
    term = given.get("drop_last")
    return term is not None and not (isinstance(term, Const) and not term.value)


def prepared(measure: Measure, call: Call, frame: Context) -> Amount:
    """What a library makes of a loader: it makes the ranks' parts equal, unless it was told not to."""
    if not isinstance(call.callee, Attr):
        return None
    for value in measure.program.values(call.callee.base, frame):
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None and _leaves(measure, value, 0):
            return _unpadded(measure, value.call, value.frame)
    return None


def _leaves(measure: Measure, value: LibraryObject, depth: int) -> bool:
    """Whether the arguments of a call, or of what it is given, say that parts may be unequal."""
    assert value.call is not None
    assert value.frame is not None
    for name, term in value.call.kwargs:
        if name in measure.program.knowledge.unevened_by and isinstance(term, Const) and term.value is False:
            return True
        if depth == 0 and name is not None:
            inner = measure.program.values(term, value.frame)
            if any(
                isinstance(v, LibraryObject) and v.call is not None and v.frame is not None and _leaves(measure, v, 1)
                for v in inner
            ):
                return True
    return False


#: What counts the items that a call hands out, by its word in the table ``sizes``.
SIZES: dict[str, Callable[[Measure, Call, Context], Amount]] = {
    "range": _range,
    "number": _number,
    "either": _either,
    "same": _same,
    "second": _second,
    "given": _same,
    "receiver": _receiver,
    "shortest": _shortest,
    "sum": _sum,
    "islice": _islice,
    "endless": _endless,
    "even": _even,
    "drawn": _drawn,
    "batched": _batched,
    "shard": _shard,
    "by-node": _by_node,
    "between": _between,
    "web": _web,
    "pipeline": _pipeline,
    "unpadded": _unpadded,
}
