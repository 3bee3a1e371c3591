"""Saves by what is not seen: methods of unknown libraries that are visibly handed states."""

from __future__ import annotations

from trainlint.facts.calls import Calls, last_name
from trainlint.facts.values import ClassValue, FunctionValue
from trainlint.model.terms import Term
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
        if each.term[0] == "call"
        and (last_name(each.term[1]) or "").startswith("save")
        and any(_holds_states(given, gives) for given in handed(each.term))
        and not _is_of_project(job, each)
    ]


def _holds_states(term: Term, gives: frozenset[str]) -> bool:
    """Whether a state is handed over: itself, or in a dict or a list; not what is only computed from one."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if part[0] == "call":
            name = last_name(part[1])
            if name in gives:
                return True
            waiting += handed(part) if name in _GATHERS else ()
        elif part[0] == "dict":
            waiting += [value for _, value in part[1] if value is not None]
        elif part[0] in ("list", "tuple"):
            waiting += part[1]
    return False


def _is_of_project(job: Job, place: Place) -> bool:
    """Whether a call is seen to run functions of the project."""
    frame = job.program.frame(place.module, place.function)
    found = [*job.program.values(place.term[1], frame), *job.program.ask(Calls).targets(place.term, frame)]
    return any(isinstance(each, (FunctionValue, ClassValue)) for each in found) or bool(job.trail.method(place.term[1]))
