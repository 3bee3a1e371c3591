"""What only looks as if it bounded something: the length of a schedule, a clip that clips nothing."""

from __future__ import annotations

import os

from trainlint.facts.calls import Calls, last_name
from trainlint.facts.program import calls_of
from trainlint.facts.values import FunctionValue
from trainlint.model.sketch import Function, Keep, Store
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind
from trainlint.preflight.evidence.asking import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.preflight.ways import Place

#: What schedules of the learning rate are called: how long they last ends nothing.
_SCHEDULES = frozenset(
    ("scheduler", "schedulers", "schedule", "schedules", "sched", "lr", "warmup", "annealing", "cosine", "lrscheduler", "decay")
)
#: What gradients are called.
_GRADIENTS = frozenset(("grad", "grads", "gradient", "gradients", "g", "gv", "grads_and_vars", "gvs", "d"))
#: Words in the names of what changes gradients where they are.
_CHANGES = frozenset(("clamp", "mul", "div", "copy", "clip", "minimum", "maximum", "scale", "sub", "add"))
#: Arguments of functions that clip by which nothing is bounded.
_BESIDE = frozenset(("parameters", "params", "model", "norm_type"))


def is_of_schedule(place: Place) -> bool:
    """Whether a call makes a schedule, or stands in one."""
    called = split(last_name(place.term[1]) or "")
    return not _SCHEDULES.isdisjoint(called) or _is_schedule(place.module, place.function)


def _is_schedule(path: str, function: Function) -> bool:
    words = {*split(function.qualname), *split(os.path.basename(path).removesuffix(".py"))}  # noqa: PTH119
    return not _SCHEDULES.isdisjoint(words)


def clips(job: Job, place: Place) -> bool:
    """Whether a call that is called after clipping clips: one of the project's own may only measure."""
    if place.term[0] != "call":
        return True
    if last_name(place.term[1]) in table(job, "clips-anything"):
        return not _GRADIENTS.isdisjoint(words_of(job.program, place.module, *handed(place.term)))
    if last_name(place.term[1]) not in table(job, "called-clipping"):
        return True
    targets = job.program.ask(Calls).targets(place.term, job.program.frame(place.module, place.function))
    own = [each for each in targets if isinstance(each, FunctionValue)]
    return not own or len(own) != len(targets) or any(_bounds(each.function, place.term) for each in own)


def _bounds(function: Function, call: Term) -> bool:
    """Whether a function of the project changes gradients, and is not handed None for all that it could bound them by."""
    changed = any(not _CHANGES.isdisjoint(split(last_name(each.term[1]) or "")) for each in calls_of(function))
    kept = [node.target for node in of_kind(function, Keep)] + [node.target for node in of_kind(function, Store)]
    if not changed and not any(last_name(each) in ("grad", "data") for each in kept if each[0] == "a"):
        return False
    bounds = [*call[2][1:], *(value for keyword, value in call[3] if keyword not in _BESIDE)]
    return not bounds or not all(each[0] == "c" and each[2] is None for each in bounds)
