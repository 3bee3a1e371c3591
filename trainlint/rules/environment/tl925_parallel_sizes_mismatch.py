"""TL925 parallel-sizes-mismatch. Its page, which is also its test: rules/environment/TL925-parallel-sizes-mismatch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL925",
    summary="degrees of parallelism that do not match the number of processes, or the model",
    certainty="syntax",
    needs=(),
    reads=("degrees", "launch"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each size that does not come out even with the others."""
    from trainlint.jobs import parallel_constraints

    for found in parallel_constraints.impossible(program):
        yield Suspect(
            path=found.at.document.path,
            spot=found.at.spot,
            node="Text",
            statement=found.at.spot,
            message=f"{found.says}\n{found.why}",
            because=tuple(Reason(size.document.path, size.spot, f"Here: `{size.written}`.") for size in found.others),
        )
