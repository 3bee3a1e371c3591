"""TL564 compile-in-loop. Its page, which is also its test: rules/compilers/TL564-compile-in-loop.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Reason, RemoveStatement, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL564",
    name="compile-in-loop",
    summary="torch.compile with other options in each round of a training loop, or after all that was compiled was thrown away",
    level=Level.ADVICE,
    certainty="flow",
    fix="display",
    needs=("compiled-function", "gradient"),
    since="0.1",
)

_WHAT = {
    "option": "an option changes with the round, so that this is compiled again in each\n"
    "Compile once before the loop, once for each option if there are a few.",
    "backend": "the backend is another function in each round, for which everything is compiled again\n"
    "Define it once, outside of the loop.",
    "reset": "all that was compiled is thrown away in each round, and compiled again\n"
    "Do that where the model changes, not in the training loop.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call in a training loop that makes each round compile."""
    from trainlint.domains.dynamo.compiled_models import compiled_again

    for found in compiled_again(program):
        yield Suspect(
            path=found.module,
            spot=found.call.term.site,
            node="Call",
            statement=found.call.statement,
            message=_WHAT[found.why],
            because=(Reason(found.module, found.loop, "the training loop"),),
            data={"reset": found.why == "reset" and found.call.statement == found.call.term.site},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show a reset removed."""
    if not suspect.data["reset"] or suspect.statement is None:
        return None
    return RemoveStatement(Applicability.DISPLAY, "Keep what was compiled", statement=suspect.statement)
