"""How ranks share data without a sampler: indices that are cut by rank, and loaders of libraries that are told to do so.

What these loaders are told by keywords of their own, others are told in other ways.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.values import ClassValue, FunctionValue
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Call, Const, Slice, Subscript, Term
from trainlint.ir.terms import parts_of
from trainlint.preflight.evidence.asking import runs, table
from trainlint.preflight.evidence.by_rank import NUMBER, RANK
from trainlint.preflight.jobs import Job
from trainlint.preflight.running.nearness import JUDGES, judges
from trainlint.preflight.values.words import OFF, handed, split, words_of
from trainlint.preflight.ways import Place

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
        return _speaks(job, key.lower, RANK) and _speaks(job, key.step, NUMBER)
    cuts = isinstance(part.base, Call) and last_name(part.base.callee) in table(job, "cuts") and not any(_texts(part.base))
    return cuts and _speaks(job, key, RANK)


def _texts(call: Call) -> Iterator[Term]:
    """The texts that a call is handed: it cuts a text then."""
    return (each for each in handed(call) if isinstance(each, Const) and isinstance(each.value, str))


def _speaks(job: Job, term: Term, words: frozenset[str]) -> bool:
    return not words.isdisjoint(words_of(job.program, term))
