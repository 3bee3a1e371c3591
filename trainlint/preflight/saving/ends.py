"""What the path of a file ends in, and which callbacks of Keras write which files."""

from __future__ import annotations

import re

from trainlint.facts.call_graph import last_name
from trainlint.facts.checkpoints.names import Names, base_of
from trainlint.ir.nodes import Call, Term
from trainlint.preflight.evidence.asking import runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.ways import Place

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
    path = path_of(place)
    found = endings(job, place, path) if path is not None else []
    if not found or "" in found:
        return None
    return all(_FIELD.search(each) for each in found)


def holds_weights_alone(job: Job, place: Place) -> bool | None:
    """Whether what saves weights leaves out the optimizer: to HDF5 it does, and Keras 3 knows nothing else.

    Keras 2 writes any other path as a checkpoint of TensorFlow, with all objects that the model has: the optimizer too.
    """
    path = path_of(place)
    found = endings(job, place, path) if path is not None else []
    if not found or "" in found:
        return None
    kinds = {each.endswith(_ALONE) for each in found}
    return kinds.pop() if len(kinds) == 1 else None
