"""TL415 low-precision-reduction. Its page, which is also its test: rules/precision/TL415-low-precision-reduction.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import AppendCall, Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect

if TYPE_CHECKING:
    from trainlint.domains.precision import narrow_sums

RULE = Rule.ours(
    code="TL415",
    summary="a sum over many iterations that is kept in float16 or bfloat16",
    needs=("narrow",),
)

#: The largest whole number from which on every one of them exists (11 and 8 bits of precision).
_STOPS = {"float16": "2048", "bfloat16": "256"}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each statement that adds to a sum of 16 bits in every round."""
    from trainlint.domains.precision import narrow_sums

    for found in narrow_sums.narrow_sums(program):
        name = found.made.dtype.rpartition(".")[2]
        yield Suspect(
            path=found.sink.module,
            spot=found.sink.spot,
            node=found.sink.node,
            statement=found.sink.statement,
            message=f"this running sum is kept in `{name}`: once it is large, small additions are rounded away\n"
            f"A sum of ones stops at {_STOPS.get(name, 'a few thousand')}. Accumulate in float32, and convert the "
            "result.",
            because=tuple(_reasons(found)),
            data={
                "whole": found.sink.spot,
                "paths": found.paths,
                "maker": found.made.maker if found.made.module == found.sink.module else None,
                "wide": narrow_sums.wide(program, found.sink.module),
            },
        )


def _reasons(found: narrow_sums.NarrowSum) -> Iterator[Reason]:
    if found.made.maker is not None:
        name = found.made.dtype.rpartition(".")[2]
        yield Reason(found.made.module, found.made.maker, f"the sum is created in {name} here")


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Add in float32: make the total so, or what is added."""
    message = "Accumulate in float32"
    maker, paths, wide = suspect.data["maker"], suspect.data["paths"], suspect.data["wide"]
    if paths:
        return AppendCall(Applicability.UNSAFE, message, whole=suspect.data["whole"], paths=paths, code="float()")
    if maker is None or wide is None:
        return None
    return SetKeyword(Applicability.UNSAFE, message, call=maker, keyword="dtype", value=wide)
