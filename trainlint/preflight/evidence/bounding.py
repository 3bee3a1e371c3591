"""What only looks as if it bounded something: the length of a schedule, a clip that clips nothing."""

from __future__ import annotations

import os

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.program import calls_of
from trainlint.facts.values import FunctionValue
from trainlint.ir.nodes import Access, Attr, Call, Const
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.walk import of_kind
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
    term = place.term
    called = split((last_name(term.stem) if isinstance(term, (Access, Call)) else None) or "")
    return not _SCHEDULES.isdisjoint(called) or _is_schedule(place.module, place.function)


def _is_schedule(path: str, function: Function) -> bool:
    words = {*split(function.qualname), *split(os.path.basename(path).removesuffix(".py"))}  # noqa: PTH119
    return not _SCHEDULES.isdisjoint(words)


def clips(job: Job, place: Place) -> bool:
    """Whether a call that is called after clipping clips: one of the project's own may only measure."""
    if not isinstance(place.term, Call):
        return True
    if last_name(place.term.callee) in table(job, "clips-anything"):
        return not _GRADIENTS.isdisjoint(words_of(job.program, place.module, *handed(place.term)))
    if last_name(place.term.callee) not in table(job, "called-clipping"):
        return True
    targets = job.program.ask(CallGraph).targets(place.term, job.program.frame(place.module, place.function))
    own = [each for each in targets if isinstance(each, FunctionValue)]
    return not own or len(own) != len(targets) or any(_bounds(each.function, place.term) for each in own)


def _bounds(function: Function, call: Call) -> bool:
    """Whether a function of the project changes gradients, and is not handed None for all that it could bound them by."""
    changed = any(not _CHANGES.isdisjoint(split(last_name(each.term.callee) or "")) for each in calls_of(function))
    kept = [node.target for node in of_kind(function, Keep)] + [node.target for node in of_kind(function, Store)]
    if not changed and not any(last_name(each) in ("grad", "data") for each in kept if isinstance(each, Attr)):
        return False
    bounds = [*call.args[1:], *(value for keyword, value in call.kwargs if keyword not in _BESIDE)]
    return not bounds or not all(isinstance(each, Const) and each.value is None for each in bounds)
