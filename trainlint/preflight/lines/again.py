"""Functions of a project's own that compute activations again in the backward pass."""

from __future__ import annotations

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import calls_of
from trainlint.facts.values import ClassValue, Library
from trainlint.ir.nodes import Attr, Call
from trainlint.preflight.evidence.asking import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.ways import Place


def own_checkpoints(job: Job) -> list[Place]:
    """The calls of functions of autograd which run something without gradients, and run it again with them backwards."""
    found = []
    for place in job.trail.calls([".apply"]):
        if isinstance(place.term, Call) and isinstance(place.term.callee, Attr):
            frame = job.program.frame(place.module, place.function)
            values = job.program.values(place.term.callee.base, frame)
            if any(isinstance(each, ClassValue) and _computes_again(job, each) for each in values):
                found.append(place)
    return found


def _computes_again(job: Job, value: ClassValue) -> bool:
    above = job.program.lineage(value)
    if not any(isinstance(each, Library) and each.name in table(job, "functions-of-autograd") for each in above):
        return False
    methods = value.cls.methods
    if "forward" not in methods or "backward" not in methods:
        return False
    functions = job.program.modules[value.module].functions
    called = {
        name: {last_name(call.term.callee) for call in calls_of(functions[methods[name]])} for name in ("forward", "backward")
    }
    return "no_grad" in called["forward"] and "enable_grad" in called["backward"]
