"""TL715 exhausted-parameters. Its page, which is also its test: rules/loop/TL715-exhausted-parameters.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect

RULE = Rule.ours(
    code="TL715",
    summary="a generator of parameters that is iterated twice: the second time it is empty",
    needs=("parameters",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the call that makes each generator of parameters which is gone through twice."""
    from trainlint.domains.nn import registration
    from trainlint.program.naming import quoted

    for found in registration.exhausted(program):
        spot = found.made.site
        first = Reason(*found.first, "the generator is first iterated here")
        again = found.first == found.second
        second = Reason(*found.second, "iterated here; in the next iteration of the loop it is empty")
        yield Suspect(
            path=found.module,
            spot=spot,
            node="Call",
            statement=found.statement,
            message=f"the generator that {quoted(found.made)} returns is iterated twice: the second time it is empty\n"
            "The second pass silently does nothing: it clips no gradients, for example, or sums up to 0. Make it a list first.",
            because=(second,) if again else (first, Reason(*found.second, "the generator is empty here")),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Make a list of it."""
    return Rewrite(Applicability.SAFE, "Make it a list", spot=suspect.spot, code="list({0})", paths=((),))
