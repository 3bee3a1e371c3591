"""What is to be said where a rank and its twin part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.finding import Reason, Suspect
from trainlint.ir.nodes import Unknown
from trainlint.spmd.data_divergence import Twins
from trainlint.spmd.divergence import Divergence
from trainlint.spmd.explain import suspect

#: What decides on each rank, and what is said where that comes from, by the word of its source.
WORDS = {
    "loss": ("its own loss", "each rank computes this loss from its own batch"),
    "answer": ("what its model makes of its own batch", "each rank has another batch for the model here"),
    "batch": ("its own batch", "each rank draws other batches here"),
    "clock": ("its own clock", "each rank reads its own clock here"),
    "drawn": ("a random number of its own", "nobody seeds this: each rank draws another number"),
    "process": ("which process it is", "this is another one in each process"),
    "memory": ("its own memory", "each rank asks for its own memory here"),
    "progress": ("how far its own work in the background is", "each rank asks how far its own work is"),
    "error": ("an error of its own", ""),
    "failure": ("an error of its own", "this may fail on one rank alone"),
    "own file": ("a file of its own", "each rank looks for another file here"),
    "file": ("a file that one rank makes meanwhile", "a rank that asks late sees what another one made"),
}
_SHARE = "Let all ranks learn of the error before one of them goes on: reduce a flag after the `try`, or let it end the job."
_ADVICE = {
    "error": _SHARE,
    "failure": _SHARE,
    "file": "Let one rank look and tell the others, or let every rank come to the collective.",
}
_REDUCE = "Let all ranks decide alike: reduce or broadcast the answer before it is acted on."


def suspects(program: Program) -> Iterator[Suspect]:
    """The suspects of all places where ranks part by what they have for themselves."""
    analysis = program.ask(Twins)
    for divergence in analysis.reported():
        source = analysis.tested[divergence.guard]
        whose, origin = WORDS[source.word]
        message = (
            "whether a rank runs `{collective}` depends on "
            + whose
            + ": ranks that go different ways wait for each other{when}, "
            "or mix what does not belong together\n" + _ADVICE.get(source.word, _REDUCE)
        )
        guard = (
            "an error of one rank is swallowed here"
            if isinstance(divergence.guard.condition, Unknown)
            else "each rank answers this for itself"
        )
        found = suspect(program, divergence, message, guard)
        because = found.because
        if origin and source.spot is not None:
            because = (because[0], Reason(source.module, source.spot, origin), *because[1:])
        yield replace(found, because=because, data={**found.data, **_answered(program, divergence, source.word)})


def _answered(program: Program, divergence: Divergence, word: str) -> dict[str, object]:
    """What the repair needs: the test, what ``torch.distributed`` is called there, and how the answers are put together."""
    guard = divergence.guard
    plain = word not in _ADVICE and guard.module == divergence.call.module and guard.test.line == guard.spot.line
    library = reference("torch.distributed", program.modules[guard.module]) if plain else None
    return {"test": guard.test, "library": library, "word": "all" if divergence.arm else "any"}
