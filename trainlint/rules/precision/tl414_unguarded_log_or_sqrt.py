"""TL414 unguarded-log-or-sqrt. Its page, which is also its test: rules/precision/TL414-unguarded-log-or-sqrt.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL414",
    summary="a logarithm or square root of a value that may be 0, where gradients are recorded",
    needs=("root",),
)

_HARM = {
    "log": "its result and its gradient are infinite there\nA single such element turns the weights into NaN. Add a small number",
    "sqrt": "its gradient is infinite there\nThe backward pass then yields inf, or NaN (inf times 0). Add a small number",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each logarithm and square root of what may be 0 for some inputs."""
    from trainlint.domains.numerics import near_zero
    from trainlint.program.naming import quoted

    for found in near_zero.unguarded_functions(program):
        spot = found.site.call.term.site
        name = f"a root of {quoted(found.site.call.term)}, a" if found.raised else f"{quoted(found.site.call.term)} of a"
        yield Suspect(
            path=found.site.module,
            spot=spot,
            node="Call",
            statement=found.site.call.statement,
            message=f"{name} value that may be 0: {_HARM[found.word]}, or clamp the argument.",
        )
