"""Which datasets leave a shorter last batch to a training whose program is compiled for fixed shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.consumed import Consumer, divided, fits, walked
from trainlint.facts.tensorflow.pipelines import Pipeline, Pipelines, Stage
from trainlint.facts.tensorflow.strategies import on_tpus, trained_on_tpus
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import Frame, FunctionValue, Made, Other
from trainlint.finding import Spot
from trainlint.ir.nodes import NAMED, Attr, Call, Const, Element, Term
from trainlint.ir.sketch import CallStep, Exit, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import walk

_ONE, _EPOCH, _JAX = 1, "epoch", "jax-"
#: Stages that change how many elements there are, or what an element is, in ways that cannot be seen.
_UNCLEAR = frozenset(("group", "unbatch", "rebatch", "apply", "bucket"))
_TRAINS = frozenset(("shuffle", "repeat"))


class Ragged(NamedTuple):
    """The stage that makes batches, its statement, and two places: what the batches are for, and what compiles that.

    ``by`` says what compiles: a strategy of TPUs, JAX, or JAX wherever that is. ``position`` is where the option stands among the
    arguments; ``alone`` says that the stage makes batches for nothing else.
    """

    stage: Stage
    statement: Spot
    used: tuple[str, Spot]
    compiled: tuple[str, Spot] | None
    position: int | None
    alone: bool
    by: Literal["tpu", "jax", "grain"]


def ragged(program: Program) -> Iterator[Ragged]:
    """Each such stage, once."""
    seen: set[Term] = set()
    for found in (*_under_strategies(program), *_for_jax(program)):
        if found.stage.term not in seen and isinstance(found.stage.term, Call):
            seen.add(found.stage.term)
            yield found


def _under_strategies(program: Program) -> Iterator[Ragged]:
    known = program.knowledge.tables["strategies"]
    if not any(program.ask(CallGraph).sites.get(name.rpartition(".")[2]) for name, word in known.items() if word == "tpu"):
        return
    for consumer in (*fits(program), *divided(program)):
        callee = consumer.call.callee if consumer.call is not None else None
        strategy = (
            on_tpus(program, callee.base, consumer.frame)
            if consumer.way != "fit" and isinstance(callee, Attr)
            else trained_on_tpus(program, consumer.frame)
        )
        if strategy is None or strategy.call is None or strategy.frame is None:
            continue
        stages = [_short(program, each) for each in consumer.made]
        if all(stages) and all(_reaches_the_end(each, consumer) for each in consumer.made):
            for stage in stages:
                if stage is not None:
                    place = (strategy.frame.module, strategy.call.site)
                    yield from _ragged(program, stage, (consumer.frame.module, consumer.spot), place, "tpu")


def _reaches_the_end(way: Pipeline, consumer: Consumer) -> bool:
    """Whether the training comes to the last batch of the data: it is not told to stop before, or goes on with the next epoch."""
    words = way.words()
    if consumer.way == "divided" and not _TRAINS.intersection(words):
        return False  # it may be an evaluation, which has to see all
    return not consumer.limited or "repeat" in words[words.index("batch") :]


def _for_jax(program: Program) -> Iterator[Ragged]:
    yield from _in_jitted_loops(program)
    asked = program.ask(Pipelines)
    makers = {name.rpartition(".")[2] for name, word in asked.sources.items() if word.startswith(_JAX)}
    if not any(program.ask(CallGraph).sites.get(name) for name in makers):
        return
    for site, frame, way in asked.ending("batch"):
        if way.source is not None and way.source.startswith(_JAX) and "shuffle" in way.words() and _short(program, way):
            made = (frame.module, way.first.site) if way.first is not None else None
            yield from _ragged(program, way.stages[-1], made or (site.module, site.call.term.site), None, "grain")


def _in_jitted_loops(program: Program) -> Iterator[Ragged]:
    """Shuffled datasets that a loop goes over to its end, and hands each batch to a function that JAX compiles."""
    words = frozenset(program.knowledge.tables["datasets.remainders"]["compiled"])
    for consumer, loop in walked(program):
        if not all("shuffle" in each.words() for each in consumer.made) or _leaves(loop):
            continue
        stages = [_short(program, each) for each in consumer.made]
        run = (
            next(
                (
                    node
                    for node in walk(loop.body)
                    if isinstance(node, CallStep) and _is_fed(node, loop) and _is_compiled(program, node, consumer.frame, words)
                ),
                None,
            )
            if all(stages)
            else None
        )
        for stage in stages if run is not None else ():
            if stage is not None and run is not None:
                used = (consumer.frame.module, consumer.spot)
                yield from _ragged(program, stage, used, (consumer.frame.module, run.term.site), "jax")


def _leaves(loop: Loop) -> bool:
    """Whether a loop may end before the data do."""
    return any(isinstance(node, Exit) and node.kind in ("break", "return") for node in walk(loop.body))


def _is_fed(node: CallStep, loop: Loop) -> bool:
    """Whether a call is given what the loop hands out."""
    given = (*node.term.args, *(value for _, value in node.term.kwargs))
    return any(isinstance(part, Element) and part.of is loop.subject for term in given for part in parts_of(term))


def _is_compiled(program: Program, node: CallStep, frame: Frame, words: frozenset[str]) -> bool:
    """Whether a call runs what JAX compiles for the shapes it is given."""
    asked = program.ask(Roots)
    for value in program.values(node.term.callee, frame):
        if asked.word(value) in words and isinstance(value, Made):
            return True
        if isinstance(value, FunctionValue):
            decorated = value.function.decorator_spots
            if any(root.word in words and root.spot in decorated for root in asked.of(value.function)):
                return True
    return False


def _ragged(
    program: Program,
    stage: Stage,
    used: tuple[str, Spot],
    compiled: tuple[str, Spot] | None,
    by: Literal["tpu", "jax", "grain"],
) -> Iterator[Ragged]:
    function, module = stage.frame.function, stage.frame.module
    if tests_software(program, module, function):
        return
    node = next((each for each in calls_of(function) if each.term is stage.term), None)
    if node is not None:
        alone = len(activations(program, module, function)) == 1
        yield Ragged(stage, node.statement, used, compiled, _position(program, stage.call), alone, by)


# -- the last batch ------------------------------------------------------------------------------------------------------


def _short(program: Program, way: Pipeline) -> Stage | None:
    """The stage that makes the batches of a dataset, if the last one of an epoch may be shorter."""
    words = way.words()
    if way.source == "batches" or words.count("batch") != 1 or _UNCLEAR.intersection(words):
        return None
    number = words.index("batch")
    before, stage = way.stages[:number], way.stages[number]
    if any(_fills(program, each) or (each.word == "take" and isinstance(each.term, Call)) for each in before):
        return None
    if any(_pads(program, each) for each in way.stages[number + 1 :]):
        return None
    if any(each.word == "repeat" and not _ends(each) for each in before):
        return None
    return stage if _keeps_rest(program, stage) else None


def _fills(program: Program, stage: Stage) -> bool:
    """Whether elements that come behind may be there to fill the last batch up; those of another source in sight are data."""
    if stage.word != "fill":
        return False
    ways = [each for term in stage.call.args[:1] for each in program.ask(Pipelines).seen(term, stage.frame)]
    return not ways or any("repeat" in each.words() for each in ways)


def _pads(program: Program, stage: Stage) -> bool:
    """Whether a ``map`` behind the batches fills tensors up: perhaps the last batch."""
    names = program.knowledge.tables["datasets.remainders"]["pads"]
    given = stage.term.args if stage.word == "map" and isinstance(stage.term, Call) else ()
    values = (value for term in given for value in program.values(term, stage.frame))
    functions = (value.function for value in values if isinstance(value, FunctionValue))
    return any(last_name(call.term.callee) in names for function in functions for call in calls_of(function))


def _ends(repeat: Stage) -> bool:
    """Whether data are repeated a number of times that is written there, or called one of epochs."""
    given = (*repeat.call.args, *(value for _, value in repeat.call.kwargs))
    if not given:
        return False
    count = given[0]
    if isinstance(count, Const):
        return isinstance(count.value, int) and count.value > 0
    return any(_EPOCH in (last_name(part) or "").lower() for part in parts_of(count) if isinstance(part, NAMED))


def _keeps_rest(program: Program, stage: Stage) -> bool:
    """Whether a stage keeps the elements that are left over: it is not told to drop them, and takes more than one at a time."""
    call, table = stage.term, program.knowledge.tables["datasets.remainders"]
    if not isinstance(call, Call) or any(name is None or name in table["fills"] for name, _ in call.kwargs):
        return False
    named = dict(call.kwargs)
    sizes = call.args[1:] if last_name(call.callee) in table["functions"] else call.args
    size = sizes[0] if sizes else next((named[each] for each in table["sizes"] if each in named), None)
    if size is None or (isinstance(size, Const) and size.value == _ONE):
        return False
    position = _position(program, call)
    given = next((named[each] for each in table["drops"] if each in named), None)
    if given is None and position is not None and len(call.args) > position:
        given = call.args[position]
    return given is None or _is_false(program, given, stage.frame)


def _position(program: Program, call: Call) -> int | None:
    """Where the option to drop the rest stands among the arguments; None where that is not known."""
    position = program.knowledge.tables["datasets.positions"].get(last_name(call.callee) or "")
    return int(position) if position is not None else None


def _is_false(program: Program, term: Term, frame: Frame) -> bool:
    values = program.values(term, frame)
    return all(isinstance(value, Other) and isinstance(value.term, Const) and value.term.value is False for value in values)


__all__ = ["Ragged", "ragged"]
