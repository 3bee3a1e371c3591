"""How ranks share data: samplers and pipes that know the rank, indices cut by it, loaders that are told to.

Samplers and data of the project's own that know the rank, and pipes that share themselves out.

How ranks share data without a sampler: indices that are cut by rank, and loaders of libraries that are told to do so.

What these loaders are told by keywords of their own, others are told in other ways.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.app.preflight.evidence.answers import evidence, runs, table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Place
from trainlint.app.preflight.running.nearness import JUDGES, judges
from trainlint.app.preflight.values.words import OFF, functions_of, handed, split, words_of
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Call, Const, Slice, Subscript, Term
from trainlint.ir.sketch import Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.program.program import calls_of
from trainlint.program.values import ClassValue, FunctionValue, Library

#: The words for the own part of the data, and for how many parts there are, in the table.
_OWN, _ALL = "words-of-the-own-part", "words-of-all-parts"
#: Pipes that the loader shares out among workers and ranks.
_PIPES = ("ShardingFilterIterDataPipe", "ShardingFilter")


def knows_ranks(job: Job, place: Place) -> bool:
    """Whether a sampler is handed the rank and the number of those who share the data."""
    words = {*job.trail.words(place), *(keyword for keyword, _ in (place.term.kwargs if isinstance(place.term, Call) else ()))}
    if not words.isdisjoint(table(job, _OWN)) and not words.isdisjoint(table(job, _ALL)):
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


def cut_by_rank(job: Job) -> Evidence | None:
    """Where something that the job runs takes every n-th of several things, from the rank on: ``ids[hvd.rank()::hvd.size()]``."""
    for path, function in functions_of(job.program, job.files):
        if not job.trail.reaches(function, path) or judges(path, function, job.path):
            continue
        loops = (node.subject for node in of_kind(function, Loop) if node.kind == "for")
        for part in parts_of(*loops, *held_at_end(function).values()):
            key = part.key if isinstance(part, Subscript) else None
            if isinstance(key, Slice) and _speaks(job, key.lower, _OWN) and not isinstance(key.step, Const):
                return Evidence(path, function.spot, "each rank takes its part here")
    return None


#: What loaders of any kind are called.
LOADERS = frozenset(("loader", "dataloader", "data_loader", "loaders", "dataloaders", "train_loader", "train_dataloader"))
_TRAINS = frozenset(("train", "training"))


def of_training(job: Job, places: list[Place]) -> list[Place]:
    """The loaders that are not seen to be of an evaluation, by the function that makes them or the name that they get."""
    return [each for each in places if not judges(each.module, each.function, job.path) and not _is_named_so(each)]


def made_elsewhere(job: Job) -> list[Place]:
    """The loaders that a method of an unknown library makes: by its name, and because it is told how many workers there are.

    ``accelerator.prepare_dataloader(data, num_workers=8)``. What the project makes in its own functions is looked at there.
    """
    if job.library != "torch":
        return []
    return [
        each
        for each in runs(job.trail.places)
        if isinstance(each.term, Call)
        and any(keyword == "num_workers" for keyword, _ in each.term.kwargs)
        and not LOADERS.isdisjoint(split(last_name(each.term.callee) or ""))
        and not any(
            isinstance(value, (FunctionValue, ClassValue))
            for value in job.program.values(each.term.callee, job.program.frame(each.module, each.function))
        )
        and job.trail.feeds(each.function, each.module)
    ]


def _is_named_so(place: Place) -> bool:
    """``val_loader = DataLoader(…)``."""
    names = [name for name, value in held_at_end(place.function).items() if value is place.term]
    words = {word for name in names for word in split(name)}
    return not words.isdisjoint(JUDGES) and words.isdisjoint(_TRAINS)


def sharing(job: Job, loaders: list[Place]) -> list[Place]:
    """Those of the loaders that draw anew, from the part of one rank alone."""
    return [
        each
        for each in runs(loaders)
        if each.way is not None
        and each.way.option is None
        and isinstance(each.term, Call)
        and _shuffles(job, each)
        and (_is_told(job, each, "shares-when-told") or any(_is_cut(job, part) for part in parts_of(*handed(each.term))))
    ]


def _keyword(place: Place, name: str) -> Term | None:
    given = place.term.kwargs if isinstance(place.term, Call) else ()
    return next((value for keyword, value in given if keyword == name), None)


def _shuffles(job: Job, place: Place) -> bool:
    """Whether a loader is told to draw in another order in each epoch."""
    given = _keyword(place, "shuffle")
    return given is not None and _is_on(job, place, given)


def told_to(job: Job, loaders: list[Place], words: str) -> list[Place]:
    """The loaders that a library knows another keyword for, by a key of the table of evidence, and that are told so."""
    return [each for each in runs(loaders) if each.way is not None and each.way.option is None and _is_told(job, each, words)]


def _is_told(job: Job, place: Place, words: str) -> bool:
    """Whether a library's loader is told something by a keyword of its own: ``use_ddp=True``."""
    if not isinstance(place.term, Call) or job.trail.keys(place).isdisjoint(table(job, "loaders-with-own-words")):
        return False
    given = (_keyword(place, name) for name in table(job, words))
    return any(each is not None and _is_on(job, place, each) for each in given)


def _is_on(job: Job, place: Place, value: Term) -> bool:
    said = job.options.default(value, place.module)
    return said is not None and said[0] not in OFF


def _is_cut(job: Job, part: Term) -> bool:
    """Whether something is the part of one rank: ``indices.split(size)[rank]``, ``indices[rank::world_size]``."""
    if not isinstance(part, Subscript):
        return False
    key = part.key
    if isinstance(key, Slice):
        return _speaks(job, key.lower, _OWN) and _speaks(job, key.step, _ALL)
    cuts = isinstance(part.base, Call) and last_name(part.base.callee) in table(job, "cuts") and not any(_texts(part.base))
    return cuts and _speaks(job, key, _OWN)


def _texts(call: Call) -> Iterator[Term]:
    """The texts that a call is handed: it cuts a text then."""
    return (each for each in handed(call) if isinstance(each, Const) and isinstance(each.value, str))


def _speaks(job: Job, term: Term, words: str) -> bool:
    return not frozenset(words_of(job.program, term)).isdisjoint(table(job, words))
