"""Which trainings wait for data that nothing prepares meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.loops import Loops
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.consumed import Consumer, fits, walked
from trainlint.facts.tensorflow.pipelines import Pipeline, Stage
from trainlint.finding import Spot
from trainlint.ir.nodes import Call

_MAP, _BATCH = "map", "batch"
#: Stages behind which elements are ready: they were prepared before, or are prepared meanwhile.
_READY = frozenset(("prefetch", "cache", "apply"))


class Unprefetched(NamedTuple):
    """The last stage of a dataset, what is computed on the way, where it is trained on, and how the buffer's size is spelled."""

    stage: Stage
    work: Stage
    batch: Stage
    used: tuple[str, Spot]
    size: str | None


def unprefetched(program: Program) -> Iterator[Unprefetched]:
    """The first such dataset of each file that trains."""
    seen: set[object] = set()
    for consumer in _trainings(program):
        module = consumer.frame.module
        if module in seen or tests_software(program, module, consumer.frame.function):
            continue
        found = [_found(program, each, consumer) for each in consumer.made]
        first = found[0]
        if first is not None and all(found) and first.stage.call not in seen:
            seen |= {module, first.stage.call}
            yield first


def _trainings(program: Program) -> Iterator[Consumer]:
    yield from fits(program)
    names = frozenset(program.knowledge.tables["datasets.fits"]["steps"])
    for consumer, loop in walked(program):
        if program.ask(Loops).says(consumer.frame.module, consumer.frame.function, loop.body, names):
            yield consumer


def _found(program: Program, way: Pipeline, consumer: Consumer) -> Unprefetched | None:
    words = way.words()
    if way.source == "batches" or _MAP not in words or _BATCH not in words:
        return None
    last = len(words) - 1 - words[::-1].index(_MAP)
    stage = way.stages[-1]
    if _READY.intersection(words[last:]) or "prefetch" in words or not isinstance(stage.term, Call):
        return None
    sizes = program.knowledge.tables["datasets.fits"]["buffers"]
    size = next((known for known in (reference(each, program.modules[stage.frame.module]) for each in sizes) if known), None)
    batch = way.stages[words.index(_BATCH)]
    return Unprefetched(stage, way.stages[last], batch, (consumer.frame.module, consumer.spot), size)


__all__ = ["Unprefetched", "unprefetched"]
