"""Where the hooks of a save write: into the folder that the save itself is handed.

Accelerate's ``save_state(folder)`` calls each hook that was registered with it, ``hook(models, weights, folder)``: nothing in the
project passes that folder.
"""

from __future__ import annotations

from trainlint.facts.checkpoints.names import Names, Part, Shape
from trainlint.facts.contexts import activations
from trainlint.facts.files.operations import argument
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.nodes import Call, Term
from trainlint.ir.sketch import Function
from trainlint.preflight.evidence.asking import runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.words import handed

#: The parameter of a hook that is the folder, and a shape of which nothing is known.
_FOLDER = 2
_UNKNOWN: Shape = (Part("unknown"),)
#: A path may look in so many ways.
_MOST = 8


def shapes_of(job: Job, path: Term, frame: Frame) -> list[Shape]:
    """What a path may look like that a function saves to; the folder of a hook is that of the saves which call it."""
    found = job.program.ask(Names).shapes(path, frame)
    folder = _folder(job, frame.function)
    here = None if folder is None else Part("setting", folder)
    if here is None or not any(here in shape for shape in found):
        return found
    before = _handed(job) or [_UNKNOWN]
    whole = (tuple(each for part in shape for each in (one if part == here else (part,))) for shape in found for one in before)
    return list(dict.fromkeys(whole))[:_MOST]


def _folder(job: Job, function: Function) -> str | None:
    """The name of the parameter of a hook by which it gets the folder; None for what is no hook."""
    own = [each for each in function.parameters if function.cls is None or each != "self"]
    if len(own) <= _FOLDER:
        return None
    for place in runs(job.trail.calls(table(job, "hooks-of-saves"))):
        frame = job.program.frame(place.module, place.function)
        for given in handed(place.term) if isinstance(place.term, Call) else ():
            for value in job.program.values(given, frame):
                if isinstance(value, FunctionValue) and value.function is function:
                    return own[_FOLDER]
    return None


def _handed(job: Job) -> list[Shape]:
    """What the folders look like that the saves are handed; of one that is handed nothing it is not known."""
    found: list[Shape] = []
    for place in runs(job.trail.calls(table(job, "saves-with-hooks"))):
        given = argument(place.term, "0", "output_dir") if isinstance(place.term, Call) else None
        if given is None:
            found.append(_UNKNOWN)
            continue
        for frame in activations(job.program, place.module, place.function):
            found += job.program.ask(Names).shapes(given, frame)
    return found
