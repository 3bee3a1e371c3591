"""The source of a library that the tables know: there its methods are functions of the project."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from trainlint.facts.values import Frame

if TYPE_CHECKING:
    from trainlint.facts.program import Program

#: How many folders deep in a library a class may be written.
_FOLDERS = 5


def library_method(program: Program, frame: Frame) -> str | None:
    """The dotted name of a method that all ranks have to call, if an activation that nobody in sight makes is one of it.

    That is told by the folders of its file, its class and its name: ``accelerate/accelerator.py``, ``Accelerator.save_state``.
    """
    function = frame.function
    if function.cls is None or frame.caller is not None:
        return None
    known = program.knowledge
    folders = PurePath(frame.module).with_suffix("").parts
    for length in range(2, min(len(folders), _FOLDERS) + 1):
        name = known.canonical(".".join((*folders[-length:], function.qualname)))
        if name in known.job_hooks.values() or name in known.collectives:
            return name
    return None
