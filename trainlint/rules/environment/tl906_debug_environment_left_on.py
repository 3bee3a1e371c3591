"""TL906 debug-environment-left-on. Its page, which is also its test: rules/environment/TL906-debug-environment-left-on.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, RemoveStatement, Rule, Suspect

RULE = Rule.ours(
    code="TL906",
    summary="an environment variable for debugging that is set in every run",
    needs=("slow-variable",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each statement that sets such a variable whatever happens."""
    from trainlint.domains import debugging_aids

    for found in debugging_aids.debug_variables_left_on(program):
        yield Suspect(
            path=found.module,
            spot=found.spot,
            node="Call" if found.by_call else "Assign",
            statement=found.spot,
            message=f"the debugging variable `{found.name}={found.value.parts[1]}` is set in every run\n"
            f"{debugging_aids.cost(program, found)} Set it on the command line of the run that you debug.",
            data={"alone": found.alone},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Leave the variable to the environment."""
    if suspect.statement is None or not suspect.data["alone"]:
        return None
    return RemoveStatement(Applicability.SAFE, "Leave the variable to the environment", statement=suspect.statement)
