"""What bounds gradients, and what only looks as if it did.

What only looks as if it bounded something: the length of a schedule, a clip that clips nothing.

Optimizers of the project's own that bound the gradients in their step.

They shrink each gradient by a factor that is called after clipping, or cut it off, before it is used. Where what makes one says
how much, and says nothing, nothing is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from trainlint.app.preflight.evidence.answers import table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.values.words import OFF, handed, split, words_of
from trainlint.ir.nodes import Access, Attr, BinOp, Call, Self, Term
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.program import calls_of
from trainlint.program.values import Argument, ClassValue, FunctionValue, Library

#: What schedules of the learning rate are called: how long they last ends nothing.
_SCHEDULES = frozenset(
    ("scheduler", "schedulers", "schedule", "schedules", "sched", "lr", "warmup", "annealing", "cosine", "lrscheduler", "decay")
)
#: What gradients are called.
_BOUNDING_GRADIENTS = frozenset(("grad", "grads", "gradient", "gradients", "g", "gv", "grads_and_vars", "gvs", "d"))
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
    words = {*split(function.qualname), *split(PurePath(path).name.removesuffix(".py"))}
    return not _SCHEDULES.isdisjoint(words)


def clips(job: Job, place: Place) -> bool:
    """Whether a call that is called after clipping clips: one of the project's own may only measure."""
    if not isinstance(place.term, Call):
        return True
    if last_name(place.term.callee) in table(job, "clips-anything"):
        return not _BOUNDING_GRADIENTS.isdisjoint(words_of(job.program, *handed(place.term)))
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
    return not bounds or not all(is_none(each) for each in bounds)


#: Methods of tensors by which a gradient becomes smaller: by a factor, by bounds.
_FACTORS = frozenset(("mul", "mul_", "multiply", "multiply_", "div", "div_", "divide", "divide_"))
_BOUNDS = frozenset(("clamp", "clamp_", "clip", "clip_"))
_CLIPPED_GRADIENTS = frozenset(("grad", "grads", "gradient", "gradients"))
_CLIPS = frozenset(("clip", "clipping", "clipped"))


def optimizers_that_clip(job: Job) -> list[Place]:
    """The calls that make such an optimizer; one of which it is not known how much it bounds is not seen to run."""
    found = []
    own = {cls.cls.name: cls for cls in _own(job) if _clips(job, cls)}
    for place in job.trail.places if own else ():
        if place.way is None or not isinstance(place.term, Call) or last_name(place.term.callee) not in own:
            continue
        for value in job.program.values(place.term.callee, job.program.frame(place.module, place.function)):
            if isinstance(value, ClassValue) and value in own.values():
                bounds = _is_on(job, place.module, place.function, place.term)
                if bounds is not False:
                    found.append(place if bounds else place._replace(way=None, is_unsaid=True))
    return found


def _own(job: Job) -> Iterator[ClassValue]:
    """The classes in the files of a job that are derived from PyTorch's optimizer."""
    for path in sorted(job.files):
        for cls in job.program.modules[path].classes.values():
            value = ClassValue(path, cls)
            if any(isinstance(each, Library) and each.name in table(job, "optimizers") for each in job.program.lineage(value)):
                yield value


def _clips(job: Job, cls: ClassValue) -> bool:
    """Whether the step of an optimizer, or a method of its own that the step calls, makes gradients smaller."""
    step = job.program.method(cls, "step")
    if step is None:
        return False
    steps = [step]
    for call in calls_of(step[1]):
        if isinstance(call.term.callee, Attr) and isinstance(call.term.callee.base, Self):
            targets = job.program.ask(CallGraph).targets(call.term, job.program.frame(*step))
            steps += [(each.module, each.function) for each in targets if isinstance(each, FunctionValue)]
    return any(_shrinks(job, call.term) for path, function in steps for call in calls_of(function))


def _shrinks(job: Job, call: Call) -> bool:
    """Whether a call makes a gradient smaller, or is handed one that is multiplied by a factor."""
    for part in parts_of(call):
        if isinstance(part, BinOp) and part.op in ("Mult", "Div"):
            sides = ((part.left, part.right), (part.right, part.left))
            if any(_is_gradient(one) and _is_after_clipping(job, other) for one, other in sides):
                return True
    callee = call.callee
    if not isinstance(callee, Attr) or not _is_gradient(callee.base):
        return False
    return callee.name in _BOUNDS or (callee.name in _FACTORS and any(_is_after_clipping(job, each) for each in handed(call)))


def _is_gradient(term: Term) -> bool:
    """Whether a term is a gradient of a parameter: ``p.grad``, ``p.grad.data``."""
    while isinstance(term, Attr) and term.name == "data":
        term = term.base
    return bool(isinstance(term, Attr) and term.name in _CLIPPED_GRADIENTS)


def _is_after_clipping(job: Job, term: Term) -> bool:
    """Whether a factor is called after clipping."""
    return not _CLIPS.isdisjoint(words_of(job.program, term))


def _is_on(job: Job, path: str, function: Function, call: Call) -> bool | None:
    """Whether an optimizer is told to bound something where it is made, or does so by itself; None: that is not known."""
    frame = job.program.frame(path, function)
    answers: list[bool | None] = []
    for target in job.program.ask(CallGraph).targets(call, frame):
        made = job.program.enter(target, call, frame) if isinstance(target, FunctionValue) else None
        for name in made.function.parameters if made is not None else ():
            if made is None or (_CLIPS.isdisjoint(split(name)) and name != "max_grad_norm"):
                continue
            own = made.function.defaults.get(name) if not made.open else None
            given = made.arguments.get(name) or (Argument(own, made) if own is not None else None)
            said = job.options.default(given.term, given.frame.module) if isinstance(given, Argument) else None
            answers.append(None if said is None else said[0] not in OFF)
    return True if not answers or True in answers else None if None in answers else False
