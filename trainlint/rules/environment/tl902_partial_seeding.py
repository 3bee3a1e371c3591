"""TL902 partial-seeding. Its page, which is also its test: rules/environment/TL902-partial-seeding.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL902",
    summary="a random number generator that a run uses and does not seed, though it seeds others",
    needs=("seeding",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield, for each generator that is left out, the call that seeds another one."""
    from trainlint.domains import reproducibility

    for found in reproducibility.partial_seeding(program):
        yield at_call(
            found.site.module,
            found.site.call,
            message=f"the random generator of `{found.family}` is not seeded, though others are, and this run draws from it\n"
            "Two runs with the same seed then differ: a difference may come from the draws instead of from what was changed.",
            because=(Reason(found.use.module, found.use.call.term.site, f"`{found.family}` is used here"),),
            data={"code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Seed it, too, with the same seed."""
    code: str | None = suspect.data["code"]
    if code is None:
        return None
    return InsertAfter(Applicability.UNSAFE, "Seed it with the same seed", statement=suspect.statement, code=code)
