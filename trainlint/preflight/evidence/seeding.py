"""Which calls seed the job, and which only seed a generator of their own: of a sampler, of a text that is made to look at."""

from __future__ import annotations

from trainlint.ir.nodes import Attr, Call, Compare, Const, Select, Term
from trainlint.ir.terms import parts_of
from trainlint.preflight.evidence.asking import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Place
from trainlint.preflight.values.constants import is_of_configuration
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.program.call_graph import last_name
from trainlint.program.values import Library, LibraryObject

#: What people call a generator, and those of PyTorch that everything is drawn from.
_GENERATORS = frozenset(("generator", "gen", "rng"))
_COMMON = frozenset(("default_generator", "default_generators"))
#: What functions are called that begin a worker of a loader: the process that trains is not seeded there.
_OF_WORKERS = frozenset(("worker_init", "seed_worker", "worker_seed", "seed_workers"))

#: What gives another number in each run.
_DRAWS = frozenset(
    ("get_rng_state", "initial_seed", "seed", "time", "time_ns", "urandom", "randint", "randbits", "SystemRandom", "getpid")
)


def seeds_of(job: Job) -> tuple[list[Place], list[Place]]:
    """The calls that seed the generators which a whole process draws from, and those that seed one of their own."""
    found = job.trail.calls(table(job, "seeds"))
    found += [
        each for each in job.trail.calls([f".{name}" for name in table(job, "called-seeding")]) if _is_of_library(job, each)
    ]
    own = [each for each in found if _is_of_one_generator(job, each) or _is_of_workers(each)]
    return [_as_drawn(job, each) for each in found if each not in own], own


def may_seed(job: Job) -> list[Place]:
    """The calls of a library's function that is named just ``seed``: ``util.seed(seed)``.

    A method of an object, ``env.seed(3)``, seeds that object.
    """
    return [
        each
        for each in job.trail.calls(table(job, "may-seed"))
        if each.way is not None and each.way.option is None and isinstance(each.term, Call) and any(handed(each.term))
        if _is_function_of_unknown(job, each, each.term.callee)
    ]


def _is_function_of_unknown(job: Job, place: Place, callee: Term) -> bool:
    """Whether a function is called that stands in a module of a library of which it is not known what it seeds."""
    frame = job.program.frame(place.module, place.function)
    known = frozenset(table(job, "seeds-known-of"))
    if isinstance(callee, Attr) and not any(isinstance(each, Library) for each in job.program.values(callee.base, frame)):
        return False
    found = [each for each in job.program.values(callee, frame) if isinstance(each, Library)]
    return bool(found) and not any(each.name.startswith("<project>") or each.name.partition(".")[0] in known for each in found)


def _as_drawn(job: Job, place: Place) -> Place:
    """A place with the option without which the seed is drawn anew in each run: ``seed if seed is not None else drawn()``.

    ``if seed is None: seed = drawn()`` is the same. Where a configuration that nobody holds says the seed, it is not known.
    """
    if place.way is None or place.way.option is not None or not isinstance(place.term, Call):
        return place
    for part in parts_of(*handed(place.term)):
        asked = _asked_before_drawn(part)
        if asked is None:
            continue
        name, said = job.options.name(asked, place.module), job.options.default(asked, place.module)
        if said == (None,) and name is not None:
            return place._replace(way=place.way._replace(option=name))
        if said is None and is_of_configuration(asked) and (name is None or not job.options.is_given(name)):
            return place._replace(way=None, is_unsaid=True)
    return place


def _asked_before_drawn(part: Term) -> Term | None:
    """The value that is asked whether it is None before a seed is drawn anew."""
    if not isinstance(part, Select) or not isinstance(part.test, Compare) or part.test.op not in ("Is", "IsNot"):
        return None
    asked, other = part.test.sides
    if (
        not isinstance(other, Const)
        or other.value is not None
        or not _is_drawn(part.then if part.test.op == "Is" else part.other)
    ):
        return None
    found: Term = asked
    return found


def _is_drawn(term: Term) -> bool:
    """Whether a value is another one in each run: of the generator's own state, of the clock, of the system."""
    return any(isinstance(part, Call) and last_name(part.callee) in _DRAWS for part in parts_of(term))


def _is_of_workers(place: Place) -> bool:
    """Whether a call stands where a worker begins, or where an item of the data is made, again and again."""
    return place.function.name == "__getitem__" or not _OF_WORKERS.isdisjoint(split(place.function.name))


def _is_of_library(job: Job, place: Place) -> bool:
    """Whether a function is one of a library, and not of a file of the project in which nothing was worth reading."""
    values = (
        job.program.values(place.term.callee, job.program.frame(place.module, place.function))
        if isinstance(place.term, Call)
        else ()
    )
    return any(isinstance(each, Library) and not each.name.startswith("<project>") for each in values)


def _is_of_one_generator(job: Job, place: Place) -> bool:
    """Whether what is seeded is an object that only those draw from who are handed it: ``torch.Generator().manual_seed(0)``."""
    if (
        not isinstance(place.term, Call)
        or not isinstance(place.term.callee, Attr)
        or not (last_name(place.term) or "").endswith("seed")
    ):
        return False
    base = place.term.callee.base
    words = frozenset(words_of(job.program, base))
    if not words.isdisjoint(_COMMON):
        return False
    values = job.program.values(base, job.program.frame(place.module, place.function))
    if any(isinstance(each, LibraryObject) and each.name in table(job, "generators") for each in values):
        return True
    return not any(isinstance(each, Library) for each in values) and not words.isdisjoint(_GENERATORS)
