"""Which saves and loads are of data: processed files, caches. They have nothing to do with what a training has learned.

Nothing but words and classes tell: the words of what is saved and where, those of the callers that hand it over, and whether
all of it happens in a class of data.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.values import ClassValue, Library
from trainlint.ir.nodes import Attr, Call, Param, Ref, Self
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.preflight.ways import Place

#: Words of data that are made ready, and kept.
_DATA = frozenset(
    (
        "dataset", "datasets", "processed", "preprocessed", "preprocess", "cache", "cached", "slices", "samples", "examples",
        "tokenized", "indices", "pre_transform", "pre_filter", "data_list",
    )
)  # fmt: skip
#: Words of the state of a training: a thing of which any speaks is no data.
_STATES = frozenset(
    (
        "state_dict", "state", "states", "model", "models", "module", "net", "network", "checkpoint", "checkpoints", "ckpt",
        "snapshot", "weights", "params", "parameters", "optimizer", "optim", "scheduler", "ema", "generator", "discriminator",
        "encoder", "decoder", "best", "last", "pretrained", "resume", "restore", "trainer", "unwrap_model",
    )
)  # fmt: skip
#: How many callers what is saved is followed through.
_DEEPEST = 4
_TOP = "<module>"
_TORCH = frozenset(("torch.utils.data.Dataset", "torch.utils.data.IterableDataset"))


def is_of_data(job: Job, place: Place) -> bool:
    """Whether a save or a load is of data, whoever of the job comes to it."""
    return isinstance(place.term, Call) and _is_of_data(job, place.module, place.function, place.term, frozenset(), False, 0)


def _is_of_data(job: Job, path: str, function: Function, call: Call, words: frozenset[str], in_data: bool, depth: int) -> bool:
    """The same of a call; ``words`` and ``in_data`` are of those behind it, to which it leads."""
    words |= {*_spoken(job, call), *(split(function.qualname) if function.name != _TOP else ())}
    if not words.isdisjoint(_STATES):
        return False
    in_data = in_data or _is_in_data(job, path, function)
    if not any(isinstance(part, Param) and part.function == function.qualname for part in parts_of(*handed(call))):
        return in_data or not words.isdisjoint(_DATA)
    sites = [
        site
        for site in job.program.ask(CallGraph).callers(function)
        if job.trail.reaches(site.function, site.module) and site.function is not function
    ]
    if not sites or depth >= _DEEPEST:
        return in_data
    return all(_is_of_data(job, each.module, each.function, each.call.term, words, in_data, depth + 1) for each in sites)


def _spoken(job: Job, call: Call) -> Iterator[str]:
    """The words of what a call is handed, and what it is a method of; of imports the last name alone."""
    base = (call.callee.base,) if isinstance(call.callee, Attr) and not isinstance(call.callee.base, (Ref, Self)) else ()
    yield from split(last_name(call.callee) or "")
    yield from (word for keyword, _ in call.kwargs if keyword for word in split(keyword))
    yield from words_of(job.program, *base, *handed(call))


def _is_in_data(job: Job, path: str, function: Function) -> bool:
    """Whether a function is a method of a class of data."""
    cls = job.program.modules[path].classes.get(function.cls) if function.cls is not None else None
    above = () if cls is None else job.program.lineage(ClassValue(path, cls))
    return any(isinstance(each, Library) and each.name in _TORCH for each in above)
