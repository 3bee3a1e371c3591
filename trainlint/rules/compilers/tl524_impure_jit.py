"""TL524 impure-jit. Its page, which is also its test: rules/compilers/TL524-impure-jit.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL524",
    summary="a side effect in a traced function: it prints, stores a traced value, draws on the host, or reads the clock",
    needs=("jax-key",),
)

_SAYS = {
    "print": "`print` runs only once, while JAX traces, and prints a tracer instead of values\n"
    "`jax.debug.print` prints the values at each call. Shapes and types may be printed like this.",
    "keep": "this stores a tracer outside of the traced function (a leaked tracer): using it later is an error\n"
    "A tracer has no value. Return the result instead of storing it.",
    "draw": "this random number is drawn only once, while JAX traces: every later call uses the same one\n"
    "Draw with `jax.random` and a key that is an argument, or outside the traced function.",
    "clock": "the clock is read only once, while JAX traces, and never again\n"
    "Read it around the call, and wait for the result (`block_until_ready`).",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place that is run while tracing only."""
    from trainlint.domains.jax.impurity import impure, printed

    for found in impure(program):
        yield Suspect(
            path=found.module,
            spot=found.spot,
            node=found.node,
            statement=found.statement,
            message=_SAYS[found.kind],
            because=tuple(Reason(module, spot, said) for module, spot, said in found.places),
            data={"change": printed(program, found)},
        )
