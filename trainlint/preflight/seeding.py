"""Which calls seed the job, and which only seed a generator of their own: of a sampler, of a text that is made to look at."""

from __future__ import annotations

from trainlint.facts.calls import last_name
from trainlint.facts.values import Library, Made
from trainlint.preflight.asking import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.ways import Place
from trainlint.preflight.words import split, words_of

#: What people call a generator, and those of PyTorch that everything is drawn from.
_GENERATORS = frozenset(("generator", "gen", "rng"))
_COMMON = frozenset(("default_generator", "default_generators"))
#: What functions are called that begin a worker of a loader: the process that trains is not seeded there.
_OF_WORKERS = frozenset(("worker_init", "seed_worker", "worker_seed", "seed_workers"))


def seeds_of(job: Job) -> tuple[list[Place], list[Place]]:
    """The calls that seed the generators which a whole process draws from, and those that seed one of their own."""
    found = job.trail.calls(table(job, "seeds"))
    found += [
        each for each in job.trail.calls([f".{name}" for name in table(job, "called-seeding")]) if _is_of_library(job, each)
    ]
    own = [each for each in found if _is_of_one_generator(job, each) or not _OF_WORKERS.isdisjoint(split(each.function.name))]
    return [each for each in found if each not in own], own


def _is_of_library(job: Job, place: Place) -> bool:
    """Whether a function is one of a library, and not of a file of the project in which nothing was worth reading."""
    values = job.program.values(place.term[1], job.program.frame(place.module, place.function)) if place.term[0] == "call" else ()
    return any(isinstance(each, Library) and not each.name.startswith("<project>") for each in values)


def _is_of_one_generator(job: Job, place: Place) -> bool:
    """Whether what is seeded is an object that only those draw from who are handed it: ``torch.Generator().manual_seed(0)``."""
    if place.term[0] != "call" or place.term[1][0] != "a" or not (last_name(place.term) or "").endswith("seed"):
        return False
    base = place.term[1][1]
    words = frozenset(words_of(job.program, place.module, base))
    if not words.isdisjoint(_COMMON):
        return False
    values = job.program.values(base, job.program.frame(place.module, place.function))
    if any(isinstance(each, Made) and each.name in table(job, "generators") for each in values):
        return True
    return not any(isinstance(each, Library) for each in values) and not words.isdisjoint(_GENERATORS)
