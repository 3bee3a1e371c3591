"""Which evidence is of the training itself, where JAX is what trains: the jit of a step, the key that a seed makes.

Much is compiled beside the step (how keys are drawn, how data are made up), and much is drawn from constant keys.
"""

from __future__ import annotations

from collections.abc import Sequence

from trainlint.facts.values import FunctionValue, Library
from trainlint.ir.nodes import Access, Call, Global, Nested, Param, Ref, Term
from trainlint.ir.terms import parts_of
from trainlint.preflight.evidence.asking import without_option
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.words import handed, named_items, split, words_of
from trainlint.preflight.ways import Place

#: Words of what trains for a step, and of what judges or starts a model.
_STEPS = frozenset(("train", "step", "update", "learn", "optimize", "fit"))
#: Terms that may be a function.
_NAMES = (Global, Nested, Ref, Access, Param)
_OTHERS = frozenset(("eval", "evaluate", "validate", "valid", "val", "test", "predict", "init", "sample"))


def of_step(job: Job, places: Sequence[Place]) -> list[Place]:
    """Of calls that compile those which compile the step, if one is sure; never those that compile a library's function."""
    if job.library != "jax":
        return list(places)
    found = [each for each in places if not _is_of_library(job, each)]
    steps = [each for each in found if _compiles_step(job, each)]
    return steps if without_option(steps) else found


def of_seed(job: Job, places: Sequence[Place]) -> list[Place]:
    """Of calls that make keys those which are handed a seed, if one is sure: others draw data, or show what they look like."""
    if job.library != "jax":
        return list(places)
    seeded = [
        each
        for each in places
        if isinstance(each.term, Call) and "seed" in words_of(job.program, each.module, *handed(each.term))
    ]
    return seeded if without_option(seeded) else list(places)


def _compiled(place: Place) -> Term | None:
    """What a call compiles."""
    return place.term.args[0] if isinstance(place.term, Call) and place.term.args else None


def _is_of_library(job: Job, place: Place) -> bool:
    """Whether it compiles a function that another library has: ``jit(jax.random.fold_in)``."""
    given = _compiled(place)
    if given is None or not isinstance(given, Ref):
        return False
    values = list(job.program.values(given, job.program.frame(place.module, place.function)))
    return bool(values) and all(isinstance(each, Library) for each in values)


def _compiles_step(job: Job, place: Place) -> bool:
    """Whether a function that trains is compiled: one with gradients in it, or that is called so."""
    if place.term in place.function.decorators:
        functions, said = [place.function], frozenset(split(place.function.name))
    else:
        given = _compiled(place)
        if given is None:
            return False
        frame = job.program.frame(place.module, place.function)
        values = [
            value for part in parts_of(given) for value in (job.program.values(part, frame) if isinstance(part, _NAMES) else ())
        ]
        functions = [each.function for each in values if isinstance(each, FunctionValue)]
        names = (word for each in functions for word in split(each.name))
        module = job.program.modules[place.module]
        said = frozenset((*names, *words_of(job.program, place.module, given), *named_items(module, given)))
    trains = {id(function) for _, function in (*job.trail.training[0], *job.trail.training[1])}
    if any(id(each) in trains for each in functions):
        return True
    return not said.isdisjoint(_STEPS) and said.isdisjoint(_OTHERS)
