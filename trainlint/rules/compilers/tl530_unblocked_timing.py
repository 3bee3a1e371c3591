"""TL530 unblocked-timing. Its page, which is also its test: rules/compilers/TL530-unblocked-timing.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL530",
    name="unblocked-timing",
    summary="a clock is read, or a recording ended, while JAX still works on what is measured",
    level=Level.WARNING,
    certainty="flow",
    fix="safe",
    needs=("clock", "trace", "compiled"),
    since="0.1",
)

_SAID = {
    "clock": "the clock is read while JAX is still at work: this is how long it took to ask for the result, not to compute it\n"
    "A compiled function returns at once. Wait with `jax.block_until_ready` before the clock is read.",
    "ends": "the recording ends while JAX is still at work: what was asked for last is cut off, or missing\n"
    "A compiled function returns at once. Wait with `jax.block_until_ready` before the recording is ended.",
    "begins": "the recording begins while JAX is still at work on earlier steps, which are recorded as well\n"
    "A compiled function returns at once. Wait with `jax.block_until_ready` before the recording is begun.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each reading of a clock, and each begin or end of a recording, at which a device still works."""
    from trainlint.domains.jax import async_dispatch

    for found in async_dispatch.unblocked(program):
        because = [Reason(found.module, found.work.term.site, "this was asked for, and nothing waits for it")]
        if found.start is not None:
            because.append(Reason(found.module, found.start, "the time is taken from here"))
        yield Suspect(
            path=found.module,
            spot=found.node.term.site,
            node="Call",
            statement=found.node.statement,
            message=_SAID[found.what],
            because=tuple(because),
            data={"change": found.change},
        )
