"""Saves by what is not seen: methods of unknown libraries that are visibly handed states."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.values import ClassValue, FunctionValue
from trainlint.ir.nodes import Call, Dict, SequenceDisplay, Term
from trainlint.preflight.evidence.asking import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.words import handed
from trainlint.preflight.ways import Place

#: What puts states together.
_GATHERS = frozenset(("dict", "OrderedDict"))


def handed_states(job: Job) -> list[Place]:
    """The calls of what is named ``save_…`` and is handed states: ``model.save_to_folder(folder, {"opt": opt.state_dict()})``.

    A function of the project is looked at itself.
    """
    gives = frozenset(table(job, "gives-states"))
    return [
        each
        for each in job.trail.places
        if isinstance(each.term, Call)
        and (last_name(each.term.callee) or "").startswith("save")
        and any(_holds_states(given, gives) for given in handed(each.term))
        and not _is_of_project(job, each, each.term)
    ]


def _holds_states(term: Term, gives: frozenset[str]) -> bool:
    """Whether a state is handed over: itself, or in a dict or a list; not what is only computed from one."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Call):
            name = last_name(part.callee)
            if name in gives:
                return True
            waiting += handed(part) if name in _GATHERS else ()
        elif isinstance(part, Dict):
            waiting += [value for _, value in part.items if value is not None]
        elif isinstance(part, SequenceDisplay):
            waiting += part.items
    return False


def _is_of_project(job: Job, place: Place, call: Call) -> bool:
    """Whether a call is seen to run functions of the project."""
    frame = job.program.frame(place.module, place.function)
    found = [*job.program.values(call.callee, frame), *job.program.ask(CallGraph).targets(call, frame)]
    return any(isinstance(each, (FunctionValue, ClassValue)) for each in found) or bool(job.trail.method(call.callee))
