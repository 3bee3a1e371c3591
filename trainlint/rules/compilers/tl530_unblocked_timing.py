"""TL530 unblocked-timing. Its page, which is also its test: rules/compilers/TL530-unblocked-timing.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL530",
    summary="a clock that is read, or a profile that is ended, while JAX still computes what is measured",
    needs=("clock", "trace", "compiled"),
)

_SAID = {
    "clock": "the clock is read before JAX has finished (no `block_until_ready`): this measures the dispatch only\n"
    "A compiled function returns at once. Call `jax.block_until_ready` on the result before the clock is read.",
    "ends": "the profile ends before JAX has finished (no `block_until_ready`): the last computations are cut off, or missing\n"
    "A compiled function returns at once. Call `jax.block_until_ready` on the result before the profile ends.",
    "begins": "the profile starts while JAX still computes earlier steps (no `block_until_ready`): they are recorded as well\n"
    "A compiled function returns at once. Call `jax.block_until_ready` on the result before the profile starts.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each reading of a clock, and each begin or end of a recording, at which a device still works."""
    from trainlint.domains.jax import async_dispatch

    for found in async_dispatch.unblocked(program):
        yield at_call(
            found.module,
            found.node,
            message=_SAID[found.what],
            because=found.because,
            data={"change": found.change},
        )
