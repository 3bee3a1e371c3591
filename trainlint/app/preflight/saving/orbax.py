"""What Orbax saves and restores for a job of JAX: its managers come as parameters, and what they are told says what they do.

``manager.save(step, args=ocp.args.StandardSave(state))``, ``manager.restore(step, args=ocp.args.StandardRestore(state))``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trainlint.app.preflight.evidence.answers import runs, table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.values.constants import is_left_open
from trainlint.app.preflight.values.words import functions_of, handed, split, terms_of, words_of
from trainlint.ir.nodes import VARIABLES, Attr, Call, Ref, Select, Term
from trainlint.ir.terms import parts_of, parts_through
from trainlint.program.call_graph import called, last_name
from trainlint.program.values import FunctionValue

#: What people call the whole state of a training, and what of it is its optimizer's.
_STATES = frozenset(("state", "train_state", "training_state", "trainstate", "trainer_state"))
_OF_OPTIMIZER = frozenset(("opt_state", "optimizer", "tx", "apply_gradients", "opt_states", "optimizer_state"))
#: Words of a part of a state, without its optimizer.
_PARTS = frozenset(("params", "param", "weights", "model", "variables", "parameters", "lora", "ema"))
#: Words of the number of a checkpoint.
_STEPS = frozenset(("step", "latest_step", "latest", "epoch", "last_step", "best_step"))


def restored(job: Job) -> list[Place]:
    """The calls that run and restore what Orbax saved."""
    return [each for each in runs(job.trail.calls([".restore"])) if isinstance(each.term, Call) and _is_of_orbax(job, each)]


def resumed(job: Job) -> list[Place]:
    """Those of them that take up the state of a training: by the number of a step, and not a part of it alone."""
    return [
        each
        for each in restored(job)
        if isinstance(each.term, Call)
        and each.term.args
        and not _STEPS.isdisjoint(words_of(job.program, each.term.args[0]))
        and any(True for call in _told(each, "Restore") for item in _items(call) for _ in _states(item))
    ]


def saved_whole(job: Job) -> list[Place]:
    """The calls that run and save the whole state of a training, which holds an optimizer."""
    found = [each for each in runs(job.trail.calls([".save"])) if isinstance(each.term, Call) and _is_of_orbax(job, each)]
    whole = [(each, {name for call in _told(each, "Save") for item in _items(call) for name in _states(item)}) for each in found]
    holding = _with_optimizers(job) if any(names for _, names in whole) else frozenset()
    return [each for each, names in whole if not names.isdisjoint(holding)]


def preempted(job: Job) -> list[Place]:
    """The calls that ask a manager of Orbax whether the machine is about to be taken away; not what only wraps such a call."""
    return [
        each
        for each in job.trail.calls(table(job, "asks-for-preemption"))
        if isinstance(each.term, Call)
        and not any(
            isinstance(value, FunctionValue)
            for value in job.program.values(each.term.callee, job.program.frame(each.module, each.function))
        )
    ]


def keeps_few(job: Job) -> list[Place]:
    """The policies by which only the last few are kept; those told ``None`` keep all, and who tells others may do so, too."""
    found = []
    for each in job.trail.calls(table(job, "keeps-the-last-few")):
        given = _first(each.term, "n") if isinstance(each.term, Call) else None
        if given is None or not _is_of_orbax(job, each):
            continue
        said = job.options.default(given, each.module)
        if said is None and is_left_open(given):
            found.append(each._replace(way=None, is_unsaid=True))
        elif said is None or said[0] is not None:
            found.append(each)
    return found


def _first(call: Call, name: str) -> Term | None:
    """The first argument of a call, which has a name, too."""
    return next((value for keyword, value in call.kwargs if keyword == name), next(iter(call.args), None))


def _is_of_orbax(job: Job, place: Place) -> bool:
    """Whether a call is one of Orbax: by what it is a method of, or by what it is told."""
    if any(key.startswith("orbax.") for key in job.trail.keys(place)):
        return True
    return any(True for _ in _told(place, ""))


def _told(place: Place, ending: str) -> Iterator[Call]:
    """The calls of Orbax in what a call is handed whose names have an ending: ``ocp.args.StandardSave(state)``."""
    for part in parts_of(*(handed(place.term) if isinstance(place.term, Call) else ())):
        if (
            isinstance(part, Call)
            and isinstance(part.callee, Ref)
            and part.callee.name.startswith("orbax.")
            and part.callee.name.endswith(ending)
        ):
            yield part


def _items(call: Call) -> Iterator[Term]:
    """What such a call is to save, or what it restores."""
    yield from (value for keyword, value in call.kwargs if keyword == "item")
    yield from call.args[:1]


def _states(item: Term) -> Iterator[str]:
    """The names of whole states in what is saved or restored: itself, what is chosen between, what functions make of it."""

    def inner(part: Term) -> Sequence[Term]:
        if isinstance(part, Call):
            return list(handed(part)) if _PARTS.isdisjoint(split(last_name(part.callee) or "")) else ()
        return part.arms if isinstance(part, Select) else ()

    names = (called(each) for each in parts_through(item, inner) if isinstance(each, VARIABLES))
    return (name for name in names if not _STATES.isdisjoint(split(name)) and _PARTS.isdisjoint(split(name)))


def _with_optimizers(job: Job) -> frozenset[str]:
    """The names of states of which what runs asks for the optimizer: ``state.opt_state``, ``state.apply_gradients``."""
    found: set[str] = set()
    for _, function in functions_of(job.program, job.files):
        if id(function) not in job.trail.run:
            continue
        asked = (part for part in parts_of(*terms_of(function)) if isinstance(part, Attr) and part.name in _OF_OPTIMIZER)
        found.update(last_name(part.base) or "" for part in asked)
    return frozenset(found & _STATES)
