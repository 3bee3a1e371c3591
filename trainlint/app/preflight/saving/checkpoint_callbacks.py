"""Which files the callbacks of trainers write, under one name or several.

What the path of a file ends in, and which callbacks of Keras write which files.

Whether a trainer's callback gives its checkpoints one name: Lightning writes the next one over the last then.
"""

from __future__ import annotations

import re

from trainlint.app.preflight.evidence.answers import evidence, runs, table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Line, Place, Verdict
from trainlint.domains.checkpoints.file_names import Names, base_of
from trainlint.ir.nodes import Call, Const, Term
from trainlint.ir.terms import is_none
from trainlint.program.call_graph import last_name

#: What Keras fills in: the number of the epoch, and what was measured.
_FIELD = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
#: What files of weights alone end in: those of HDF5.
_ALONE = (".h5", ".hdf5", ".keras")
#: What a callback is told by position: that of Keras its path first, others after a switch of their own.
_SECOND = ("AverageModelCheckpoint",)


def endings(job: Job, place: Place, path: Term) -> list[str]:
    """The texts that the last part of a path ends in; a text of nothing for what is not known."""
    frame = job.program.frame(place.module, place.function)
    shapes = [base_of(each) for each in job.program.ask(Names).shapes(path, frame)]
    return [each[-1].text if each and each[-1].kind == "text" else "" for each in shapes]


def callbacks_of_keras(job: Job) -> list[Place]:
    """The callbacks of Keras that save, of those that the job runs."""
    return runs(job.trail.calls(table(job, "callbacks-that-save"))) if job.framework == "keras" else []


def path_of(place: Place) -> Term | None:
    """The path that a callback, or a method that saves weights, is handed."""
    if not isinstance(place.term, Call):
        return None
    named = dict(place.term.kwargs)
    first = 1 if last_name(place.term.callee) in _SECOND else 0
    return named.get("filepath") or (place.term.args[first] if len(place.term.args) > first else None)


def has_own_files(job: Job, place: Place) -> bool | None:
    """Whether a callback writes another file each time: ``ckpt-{epoch:d}``; None: what it is told is not known."""
    found = _endings_told(job, place)
    return all(_FIELD.search(each) for each in found) if found else None


def _endings_told(job: Job, place: Place) -> list[str]:
    """How the names end that what saves is told; nothing where that is not known."""
    path = path_of(place)
    found = endings(job, place, path) if path is not None else []
    return [] if "" in found else found


def holds_weights_alone(job: Job, place: Place) -> bool | None:
    """Whether what saves weights leaves out the optimizer: to HDF5 it does, and Keras 3 knows nothing else.

    Keras 2 writes any other path as a checkpoint of TensorFlow, with all objects that the model has: the optimizer too.
    """
    kinds = {each.endswith(_ALONE) for each in _endings_told(job, place)}
    return kinds.pop() if len(kinds) == 1 else None


_FIELDS = ("{", "epoch", "step")
#: How many are kept that have one name; of more, each gets a version.
_ONE = (None, 1)


def by_one_name(job: Job) -> Line | None:
    """The line of a job whose trainer writes over its checkpoint in place.

    Since 2.4.0 Lightning writes beside it, and names the file when it is whole (`_atomic_save`, pull request 20011).
    """
    since = table(job, "trainer-saves-atomically-since")[0]
    older = job.asks_below("pytorch-lightning", since) or job.asks_below("lightning", since)
    if older is None:
        return None
    callbacks = runs(job.trail.calls(["lightning.callbacks.ModelCheckpoint"]))
    told = [
        Evidence(place.module, place.spot, "this callback")
        for place in callbacks
        for name, value in (place.term.kwargs if isinstance(place.term, Call) else ())
        if name == "filename" and _keeps_one(_given(place).get("save_top_k"))
        if (found := endings(job, place, value)) and all(each and _is_one(each) for each in found)
    ]
    if told and not any(keeps_all(each) for each in callbacks):
        why = f"All checkpoints have one name, and Lightning before {since} writes over the last one in place."
        return Line(Verdict.MISSING, why, (*told[:2], older))
    last = [each for each in callbacks if _keeps_a_last_one(each)]
    if last:
        why = f"The newest state is in `last.ckpt` alone, which Lightning before {since} writes over in place."
        return Line(Verdict.MISSING, why, (*evidence(last, "this callback is told `save_last`"), older))
    return None


def _is_one(name: str) -> bool:
    """Whether a name holds nothing that Lightning fills in; ``${…}`` is filled in once for the whole run."""
    return not any(field in name.replace("${", "") for field in _FIELDS)


def _keeps_a_last_one(place: Place) -> bool:
    """Whether a callback keeps the best ones, and the newest one under one name: ``monitor="loss", save_last=True``.

    Without something to watch the files of their own are the newest, or all of them are kept.
    """
    given = _given(place)
    is_last = "save_last" in given and isinstance(given["save_last"], Const) and given["save_last"].value is True
    watched = given.get("monitor")
    return is_last and watched is not None and not is_none(watched) and not keeps_all(place)


def keeps_all(place: Place) -> bool:
    """Whether a callback of Lightning is told to remove nothing."""
    kept = _given(place).get("save_top_k")
    return isinstance(kept, Const) and bool(kept.value == -1)


def _given(place: Place) -> dict[str | None, Term]:
    """What a callback is handed, by the keywords."""
    return dict(place.term.kwargs) if isinstance(place.term, Call) else {}


def _keeps_one(given: Term | None) -> bool:
    return given is None or (isinstance(given, Const) and given.value in _ONE)
