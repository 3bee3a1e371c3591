"""Samplers and data of the project's own that know the rank, and pipes that share themselves out."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import calls_of
from trainlint.facts.values import ClassValue, Library
from trainlint.ir.nodes import Call
from trainlint.ir.sketch import Function
from trainlint.preflight.evidence.asking import evidence, runs
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence
from trainlint.preflight.ways import Place

#: What a sampler is handed that shares the data: the own number, and how many there are.
RANK = frozenset(
    (
        "rank",
        "local_rank",
        "global_rank",
        "dp_rank",
        "data_parallel_rank",
        "get_rank",
        "rank_id",
        "shard",
        "shard_id",
        "offset",
        "shard_index",
    )
)
NUMBER = frozenset(
    (
        "world_size",
        "num_replicas",
        "dp_size",
        "data_parallel_size",
        "get_world_size",
        "num_shards",
        "dp_world_size",
        "stride",
        "shard_count",
    )
)
#: Pipes that the loader shares out among workers and ranks.
_PIPES = ("ShardingFilterIterDataPipe", "ShardingFilter")


def knows_ranks(job: Job, place: Place) -> bool:
    """Whether a sampler is handed the rank and the number of those who share the data."""
    words = {*job.trail.words(place), *(keyword for keyword, _ in (place.term.kwargs if isinstance(place.term, Call) else ()))}
    if not words.isdisjoint(RANK) and not words.isdisjoint(NUMBER):
        return True
    asked = {last_name(call.term.callee) for method in _methods(job, place) for call in calls_of(method)}
    return "get_rank" in asked and "get_world_size" in asked


def _methods(job: Job, place: Place) -> Iterator[Function]:
    """The methods of the class of which a call makes an object, and of those above it."""
    callee = place.term.callee if isinstance(place.term, Call) else place.term
    for value in job.program.values(callee, job.program.frame(place.module, place.function)):
        for cls in job.program.lineage(value) if isinstance(value, ClassValue) else ():
            if isinstance(cls, ClassValue):
                yield from (each for each in job.program.modules[cls.module].functions.values() if each.cls == cls.cls.qualname)


def waits_for_epochs(job: Job, place: Place) -> bool:
    """Whether a sampler or data have a ``set_epoch`` that they make their order with."""
    return any(each.name == "set_epoch" for each in _methods(job, place))


def sharded(job: Job) -> Evidence | None:
    """Where a pipe of data is made that each rank has its own part of: the loader sees to it."""
    filters = runs(job.trail.calls([".sharding_filter"]))
    if filters:
        return evidence(filters)[0]
    for path in sorted(job.files):
        for cls in job.program.modules[path].classes.values():
            above = job.program.lineage(ClassValue(path, cls))
            if any(isinstance(each, Library) and each.name.endswith(_PIPES) for each in above):
                return Evidence(path, cls.spot, "this pipe")
    return None
