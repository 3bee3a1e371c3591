"""TL305 empty-cache-in-loop. Its page, which is also its test: rules/memory/TL305-empty-cache-in-loop.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveStatement, Rule, Suspect, at_call

if TYPE_CHECKING:
    from trainlint.domains.asynchronous import every_step

RULE = Rule.ours(
    code="TL305",
    summary="memory that is freed by hand in every step of a training loop",
    needs=("free", "gradient"),
)

_WHY = {
    "memory": "`empty_cache()` in every step returns the cached memory to the driver, and the next step has to allocate it "
    "again\n"
    "Each call synchronizes the GPU, and it does not make more memory available to PyTorch. Call it, if at all, once "
    "after a peak.",
    "objects": "`gc.collect()` in every step makes Python's garbage collector visit all objects\n"
    "Tensors are freed when the last reference goes; the collector only finds cycles, and runs by itself.",
}

_SWITCHED = " This runs only when the tested setting is on."


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that frees memory in every step."""
    from trainlint.domains.asynchronous import every_step

    for found in every_step.freed_every_step(program):
        site = found.site
        yield at_call(
            site.module,
            site.call,
            message=_WHY[found.word] + (_SWITCHED if found.switched else ""),
            because=tuple(_reasons(found)),
            evidence="likely" if found.switched else "must",
        )


def _reasons(found: every_step.Freed) -> Iterator[Reason]:
    looped = found.looped
    if looped is not found.site:
        yield Reason(looped.module, looped.call.term.site, "the function is called here, in every step")
    yield Reason(looped.module, found.step.term.site, "this trains, in every iteration of the same loop")


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Leave the call out."""
    return RemoveStatement(Applicability.UNSAFE, "Remove the call", statement=suspect.statement)
