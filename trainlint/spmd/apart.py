"""What is to be said where a rank and its twin part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trainlint.facts.program import Program
from trainlint.finding import Reason, Suspect
from trainlint.spmd.explain import suspect
from trainlint.spmd.twins import twins

#: What a rank asks, by the word of its source.
_ASKED = {
    "loss": "its own loss",
    "batch": "its own batch",
    "clock": "its own clock",
    "memory": "its own memory",
}
#: Where that comes from.
_ORIGIN = {
    "loss": "each rank computes this loss from its own batch",
    "batch": "each rank draws other batches here",
    "clock": "each rank reads its own clock here",
    "memory": "each rank asks for its own memory here",
}


def suspects(program: Program) -> Iterator[Suspect]:
    """The suspects of all places where ranks part by what they have for themselves."""
    analysis = twins(program)
    for divergence in analysis.reported():
        source = analysis.tested[divergence.guard]
        asked = _ASKED[source.word]
        message = (
            "`{collective}` runs on a rank or not by " + asked + ": where ranks disagree, those that run it hang{when}, or meet a "
            "later one of the others\n"
            "Let all ranks take the same way: reduce or broadcast what the test asks for before it is asked."
        )
        found = suspect(program, divergence, message, "each rank asks " + asked + " here")
        origin = Reason(source.module, source.spot, _ORIGIN[source.word]) if source.spot is not None else None
        because = found.because if origin is None else (found.because[0], origin, *found.because[1:])
        yield replace(found, because=because)
