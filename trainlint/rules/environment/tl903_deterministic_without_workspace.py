"""TL903 deterministic-without-workspace. Its page and test: rules/environment/TL903-deterministic-without-workspace.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertBefore, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL903",
    summary="a run that should be deterministic, without the environment variable that cuBLAS needs for that",
    needs=("deterministic",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that asks for results that repeat where nobody sets the variable."""
    from trainlint.domains import reproducibility

    for found in reproducibility.incomplete(program):
        does = "warns about" if found.warns else "raises an error for"
        yield Suspect(
            path=found.use.module,
            spot=found.use.spot,
            node="Call",
            statement=found.use.statement,
            message=f"`{found.variable}` is not set, though deterministic algorithms are requested\n"
            f"PyTorch before {found.until} then {does} matrix products on CUDA: cuBLAS may use a different workspace, "
            "and round differently, in each run. Set the variable before the first of them.",
            data={"code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Set the variable, unless it is set."""
    return InsertBefore(
        Applicability.SAFE, "Set the variable that cuBLAS reads", statement=suspect.statement, code=suspect.data["code"]
    )
