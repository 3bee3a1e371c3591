"""What the code says of Transformers' trainer: the data it is handed, what starts before it, whom it reports to."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.app.preflight.evidence.answers import runs, table, without_option
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.values.words import split
from trainlint.ir.nodes import Call, Const, SequenceDisplay, Term
from trainlint.program.call_graph import last_name
from trainlint.program.contexts import At, calling_contexts, runs_before
from trainlint.program.program import calls_of
from trainlint.program.values import ClassValue, Instance, Library

#: What speaks of an order that is drawn anew.
_SHUFFLES = frozenset(
    ("shuffle", "shuffled", "shuffling", "random", "randperm", "permutation", "randint", "choice", "choices", "rng")
)


def given(job: Job, keyword: str) -> Iterator[tuple[Place, Term]]:
    """What the calls that run are handed by a keyword, whatever it is."""
    for place in job.trail.places:
        if place.way is not None and isinstance(place.term, Call):
            yield from ((place, value) for name, value in place.term.kwargs if name == keyword)


def streams(job: Job) -> list[tuple[Place, ClassValue]]:
    """The project's own classes of iterable data of which the trainer is handed an object to train on.

    Nothing where it may be handed anything else: it makes a sampler for that.
    """
    found = []
    for place, value in given(job, "train_dataset"):
        for frame in calling_contexts(job.program, place.module, place.function):
            for each in job.program.values(value, frame):
                cls = ClassValue(each.module, each.cls) if isinstance(each, Instance) else None
                if cls is None or not _is_iterable(job, cls):
                    return []
                found.append((place, cls))
    return found


def _is_iterable(job: Job, cls: ClassValue) -> bool:
    names = frozenset(table(job, "iterable-datasets"))
    return any(isinstance(each, Library) and each.name in names for each in job.program.lineage(cls))


def is_told_epochs(job: Job, cls: ClassValue) -> bool:
    """Whether data have a method by which they are told the epoch."""
    return job.program.method(cls, "set_epoch") is not None


def may_shuffle(job: Job, cls: ClassValue) -> bool:
    """Whether anything in a class of the project may draw an order anew."""
    for each in job.program.lineage(cls):
        if isinstance(each, ClassValue):
            for function in job.program.modules[each.module].functions.values():
                if function.cls == each.cls.qualname and any(
                    not _SHUFFLES.isdisjoint(split(last_name(call.term.callee) or "")) for call in calls_of(function)
                ):
                    return True
    return False


def started_before(job: Job) -> list[Place]:
    """The calls that start a process group before the arguments of the trainer are made, which would give it their timeout."""
    starts = without_option(job.trail.calls([*table(job, "groups"), *table(job, "starts-a-group")]))
    made = [*runs(job.trail.calls(table(job, "trainer-arguments"))), *runs(job.trail.calls([".parse_args_into_dataclasses"]))]
    return [each for each in starts if made and all(each.spot != other.spot and _is_before(job, each, other) for other in made)]


def _is_before(job: Job, one: Place, other: Place) -> bool:
    """Whether one call is seen to run before another one, whoever calls the functions around both."""
    first, second = (
        [At(frame, each.spot) for frame in calling_contexts(job.program, each.module, each.function)] for each in (one, other)
    )
    return any(runs_before(job.program, here, there) for here in first for there in second)


def reports_to(job: Job) -> tuple[list[Place], frozenset[str]] | None:
    """Whom the trainer reports to, by constants of the code; None where these do not say it."""
    places, names = [], set[str]()
    for place, value in (each for name in table(job, "reports-to") for each in given(job, name)):
        items = value.items if isinstance(value, SequenceDisplay) else (value,)
        said = [each.value for each in items if isinstance(each, Const)]
        if place.way is None or place.way.option is not None or len(said) != len(items):
            return None
        if any(each in (None, "all") for each in said):
            return None
        places.append(place)
        names.update(str(each).lower() for each in said)
    return (places, frozenset(names)) if places else None
