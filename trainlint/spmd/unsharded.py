"""Training loops of a model that several ranks train together, over a loader that gives all of them the same data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.contexts import activations
from trainlint.facts.framework import framework
from trainlint.facts.layers import model_of
from trainlint.facts.loops import BatchLoop, EpochLoop, Loops, Pass
from trainlint.facts.naming import names_of, reference
from trainlint.facts.parallel import Parallel
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.traced.consteval import deep
from trainlint.facts.values import Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.facts.xla.batches import Batches, statement_of
from trainlint.facts.xla.phases import trains
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Const, Element, Nested, NestedClass, Ref, Subscript, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Block, CallStep
from trainlint.ir.terms import parts_of
from trainlint.spmd.seeds import Beginning, Seeds, is_test
from trainlint.spmd.shares import Shares

#: What each rank trains on data of its own.
_DATA_PARALLEL = frozenset(("ddp", "fsdp", "fsdp2"))
_DEEPEST = 3
#: Parameters of a loader before `shuffle`: with more arguments than these it is not passed by its name.
_BEFORE_SHUFFLE = 2


class Forward(NamedTuple):
    """The forward pass of a parallel model; ``always`` is False where the model may also be the plain one."""

    frame: Frame
    call: Call
    always: bool


class Unsharded(NamedTuple):
    """A loader that gives every rank all of its data, the loop that trains on it, and the forward pass in that loop."""

    loader: Made | Instance
    batches: BatchLoop
    forward: Forward
    statement: Spot
    repair: Repair | None


class Repair(NamedTuple):
    """How to split the data: the ``sampler`` argument, what goes (``shuffle``), and what tells the sampler the epoch."""

    sampler: str
    has_shuffle: bool
    has_sampler: bool
    loop: Spot | None
    reset: str | None


def unsharded(program: Program) -> Iterator[Unsharded]:
    """Every loader without a sharding sampler that feeds the training of a model wrapped for data parallelism, once."""
    if not program.ask(Parallel).active:
        return
    asked = program.ask(Loops)
    seen: set[Term] = set()
    for found in asked.training_passes():
        if is_test(found.module):
            continue
        for frame in activations(program, found.module, found.function):
            loaders = _loaders(program, asked, found, frame)
            if not loaders or not trains(program, found.body, frame):
                continue
            forward = _forward(program, found.body, frame)
            if forward is None or _splits_by_hand(program, found, frame):
                continue
            for loader in loaders:
                result = _judged(program, found, frame, loader, forward)
                if result is not None and loader.call not in seen:
                    seen.add(loader.call)  # type: ignore[arg-type]
                    yield result


def _loaders(program: Program, asked: Loops, found: Pass, frame: Frame) -> list[Made | Instance]:
    """The loaders of a loop, if each of them gives all data to whoever iterates it and nothing else may be iterated."""
    loaders = list(asked.iterated(found.subject, frame))
    if not loaders or any(True for _ in asked.prepared(found.subject, frame)):
        return []
    return loaders if all(is_whole(program, asked, loader) for loader in loaders) else []


def is_whole(program: Program, asked: Loops, loader: Made | Instance) -> bool:
    """Whether a loader is made with nothing that could split its data: no sampler but one of all items."""
    batches, library = program.ask(Batches), asked.library(loader, "loader")
    if library is None or not isinstance(loader, Made) or loader.call is None or loader.frame is None:
        return False
    if is_test(loader.frame.module) or not batches.given(loader, "batch_sampler", library).absent:
        return False
    if not batches.given(loader, "generator", library).absent:
        return False
    sampler = batches.given(loader, "sampler", library)
    return sampler.known and all(_takes_all(program, value) for value in sampler.values)


def _takes_all(program: Program, sampler: Value) -> bool:
    """No sampler, or one that hands out every item once."""
    if isinstance(sampler, Other):
        return bool(isinstance(sampler.term, Const) and sampler.term.value is None)
    if not isinstance(sampler, Made) or sampler.name not in program.knowledge.whole or sampler.call is None:
        return False
    return len(sampler.call.args) <= 1 and all(name == "data_source" for name, _ in sampler.call.kwargs)


# -- the training step -------------------------------------------------------------------------------------------------


def _forward(program: Program, block: Block, frame: Frame, depth: int = 0) -> Forward | None:
    """The forward pass of a model wrapped for data parallelism, in a block or in what it calls."""
    models, asked = program.ask(Parallel), program.ask(Loops)
    later: list[tuple[FunctionValue, Call]] = []
    for node in deep(program, block, frame):
        if not isinstance(node, CallStep):
            continue
        callee = model_of(program, node.term)
        if not isinstance(callee, (Ref, Nested, NestedClass)) and node.term.args + node.term.kwargs:
            kinds = models.kinds(callee, frame)
            if kinds and kinds <= _DATA_PARALLEL and not _never_wrapped(program, callee, frame):
                return Forward(frame, node.term, _always(program, callee, frame))
        targets = asked.index.targets(node.term, frame)
        later += [(target, node.term) for target in targets if isinstance(target, FunctionValue)]
    for target, call in later if depth < _DEEPEST else ():
        if not frame.runs(target.function):
            inner = program.enter(target, call, frame)
            found = _forward(program, target.function.body, inner, depth + 1)
            if found is not None:
                return found
    return None


def _never_wrapped(program: Program, model: Term, frame: Frame) -> bool:
    """Whether the tests around every wrapping of a model are known to fail: ``if world_size > 1`` where it is 1."""
    models = program.ask(Parallel)
    found = False
    for value in program.values(model, frame):
        if isinstance(value, Made) and value.call is not None and value.frame is not None:
            if not models.kinds(value.call, value.frame):
                continue
            found = True
            tests = program.ask_of(surroundings, value.frame.function).of(value.call).tests
            if all(program.ask(Seeds).truth(test, value.frame) in (None, way) for test, way in tests):
                return False
    return found


def _always(program: Program, model: Term, frame: Frame) -> bool:
    """Whether the model is wrapped in every run: all that it may be is, and no test decides it."""
    models = program.ask(Parallel)
    values = program.values(model, frame)
    calls = [value.call for value in values if isinstance(value, (Made, Instance)) and value.call is not None]
    if len(calls) != len(values) or len(set(calls)) != 1:
        return False
    value = values[0]
    assert isinstance(value, (Made, Instance))
    if value.frame is None or value.call is None or not models.kinds(value.call, value.frame):
        return False
    return not program.ask_of(surroundings, value.frame.function).of(value.call).tests


def _splits_by_hand(program: Program, found: Pass, frame: Frame) -> bool:
    """Whether a step takes the rank's part of each batch itself: ``x[rank::world]``."""
    asked = program.ask(Shares)
    for node in deep(program, found.body, frame):
        for term in parts_of(*(term for term in node if isinstance(term, Term))):
            if (
                isinstance(term, Subscript)
                and not isinstance(term.key, Const)
                and asked.speaks(term.key)
                and _of_batch(term.base)
            ):
                return True
            if not isinstance(term, Call) or isinstance(term.callee, Call):
                continue
            if asked.names_share(last_name(term.callee) or "") and any(map(_of_batch, term.args)):
                return True
    return False


def _of_batch(term: Term) -> bool:
    """Whether something that a loop hands out is in a term."""
    return any(isinstance(part, Element) for part in parts_of(term))


# -- the loader --------------------------------------------------------------------------------------------------------


def _judged(program: Program, found: Pass, frame: Frame, loader: Made | Instance, forward: Forward) -> Unsharded | None:
    assert loader.call is not None
    assert loader.frame is not None
    asked, batches = program.ask(Shares), program.ask(Batches)
    library = program.ask(Loops).library(loader, "loader")
    data = batches.given(loader, "dataset", library)
    statement = statement_of(loader.frame.function, loader.call)
    if not data.known or data.term is None or statement is None or asked.elsewhere(loader.frame):
        return None
    order = batches.given(loader, "shuffle", library)
    shuffled = order.constants() == [True] or not batches.given(loader, "sampler", library).absent
    if not all(asked.by_index(value, shuffled) for value in data.values):
        return None
    if asked.of_rank(data.term, loader.frame) or asked.touched(data.term, loader.frame, loader.call):
        return None
    levels = list(_levels(loader, forward))
    if any(asked.in_loop(call, level) for call, level in levels) or _tested(program, levels):
        return None
    drawn = not order.absent and order.constants() != [False]
    if (drawn or shuffled) and not _drawn_alike(program, found, loader):
        return None
    loop = BatchLoop(frame, found.subject, found.spot, found.around, loader)
    return Unsharded(loader, loop, forward, statement, _repair(program, loop, data.term, forward))


def _levels(loader: Made | Instance, forward: Forward) -> Iterator[tuple[Call, Frame]]:
    """The call that makes a loader and the calls that lead to it, up to the function that leads to the forward pass too."""
    shared = set()
    frame: Frame | None = forward.frame
    while frame is not None:
        shared.add(id(frame.function))
        frame = frame.caller
    call, frame = loader.call, loader.frame
    while frame is not None and call is not None:
        yield call, frame
        if id(frame.function) in shared:
            return
        call, frame = frame.call, frame.caller


def _tested(program: Program, levels: list[tuple[Call, Frame]]) -> bool:
    """Whether a test about the number of processes stands around the making of a loader, or of what leads there."""
    asked = program.ask(Shares)
    around = (program.ask_of(surroundings, frame.function).of(call).tests for call, frame in levels)
    return any(asked.asks_for_processes(test) for tests in around for test, _ in tests)


def _drawn_alike(program: Program, found: Pass, loader: Made | Instance) -> bool:
    """Whether random orders of the ranks are not meant to differ.

    Ranks seeded differently on purpose draw samples independently. So do ranks that nobody seeds, as long as nothing counts
    epochs: steps over an endless stream.
    """
    assert loader.frame is not None
    how = program.ask(Seeds).of_process(framework(program), loader.frame.module).how
    if how is Beginning.ENTROPY:
        return not any(loop.kind == "while" for loop in found.around) and not _endless(program, found)
    return how is Beginning.ALIKE


def _endless(program: Program, found: Pass) -> bool:
    """Whether the loop runs over a generator of the project, which may never end."""
    index = program.ask(Loops).index
    values = program.values(found.subject, program.frame(found.module, found.function))
    made = [(value.term, value.frame) for value in values if isinstance(value, Other) and isinstance(value.term, Call)]
    return any(isinstance(target, FunctionValue) for call, frame in made for target in index.targets(call, frame))


# -- the repair --------------------------------------------------------------------------------------------------------


def _repair(program: Program, batches: BatchLoop, data: Term, forward: Forward) -> Repair | None:
    """The arguments that split the data; None where a name is missing or a run without processes is possible."""
    loader = batches.loader
    assert loader.call is not None
    assert loader.frame is not None
    named = name_in(data, loader.frame.function)
    keywords = dict(loader.call.kwargs)
    if named is None or not forward.always or len(loader.call.args) > _BEFORE_SHUFFLE or None in keywords:
        return None
    sampler = _sampler(program, loader.frame.module)
    order = keywords.get("shuffle")
    if sampler is None or (order is not None and not isinstance(order, Const)):
        return None
    text = f"{sampler}({named})" if order is not None and order.value else f"{sampler}({named}, shuffle=False)"
    epoch = program.ask(Loops).epoch_loop(batches)
    loop, reset = _reset(program, epoch, loader, bool(order is not None and order.value))
    if reset is None and loop is not None:
        return None
    return Repair(text, "shuffle" in keywords, "sampler" in keywords, loop, reset)


def _sampler(program: Program, module: str) -> str | None:
    """How the file can write the sampler that splits data, by its imports."""
    kinds = program.knowledge.kinds
    names = (name for name, kind in kinds.items() if kind == "distributed-sampler")
    found = (reference(name, program.modules[module]) for name in names)
    return next((text for text in found if text is not None), None)


def _reset(program: Program, epoch: EpochLoop | None, loader: Made | Instance, draws: bool) -> tuple[Spot | None, str | None]:
    """The epoch loop and the statement that tells the sampler the epoch; a loop without a statement where it has no name."""
    assert loader.frame is not None
    if epoch is None or not draws:
        return None, None
    loop = epoch.loop
    if epoch.frame.module != loader.frame.module or loop.kind != "for" or len(loop.names) != 1 or loop.names[0] == "_":
        return loop.spot, None
    for naming in names_of(program, epoch.frame, loader):
        if naming.always:
            return loop.spot, f"{naming.text}.sampler.set_epoch({loop.names[0]})"
    return loop.spot, None


def wrap_of(program: Program, forward: Forward) -> tuple[str, Spot] | None:
    """Where the model of a forward pass is wrapped."""
    callee = model_of(program, forward.call)
    index = program.ask(Loops).index
    made = (value for value in program.values(callee, forward.frame) if isinstance(value, Made))
    for value in made:
        if value.call is None or value.frame is None:
            continue
        if any(isinstance(target, Library) for target in index.targets(value.call, value.frame)):
            return value.frame.module, value.call.site
    return None
