"""The source of a library that the tables know: there its methods are functions of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.own_source import names_of_source
from trainlint.facts.values import Frame

if TYPE_CHECKING:
    from trainlint.facts.program import Program


def library_method(program: Program, frame: Frame) -> str | None:
    """The dotted name of a method that all ranks have to call, if an activation that nobody in sight makes is one of it.

    That is told by the folders of its file, its class and its name: ``accelerate/accelerator.py``, ``Accelerator.save_state``.
    """
    function = frame.function
    if function.cls is None or frame.caller is not None:
        return None
    known = program.knowledge
    wanted = known.collectives.keys() | known.job_hooks.values()
    roots = {name.partition(".")[0] for name in wanted}
    return next((name for name in names_of_source(program, frame.module, function.qualname, roots) if name in wanted), None)
