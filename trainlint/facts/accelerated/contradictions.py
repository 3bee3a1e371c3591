"""Everything about accelerate that is said twice, and not alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.facts.accelerated.alone import alone
from trainlint.facts.accelerated.scripted import scripted
from trainlint.facts.accelerated.started import started

if TYPE_CHECKING:
    from trainlint.facts.accelerated.configurations import Conflict
    from trainlint.facts.program import Program


def contradictions(program: Program) -> Iterator[Conflict]:
    """Those of the files and lines in the program without modules, those of the scripts in the others."""
    if program.modules:
        yield from scripted(program)
        return
    told: set[object] = set()
    for found in (*alone(program), *started(program)):
        if (found.at.path, found.at.spot) not in told:
            told.add((found.at.path, found.at.spot))
            yield found
