"""TL103 data-dependent-collective. Its page, which is also its test: rules/distributed/TL103-data-dependent-collective.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AnswerTogether, Applicability, Change, Program, Rule, Suspect

RULE = Rule.ours(
    code="TL103",
    summary="a collective that each rank runs or skips depending on its own data, clock or error",
    needs=("collective", "rank", "gradient", "job"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each collective, or step of a parallel model, that a rank may run without the others."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.twin_suspects(program)


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how all ranks could give one answer."""
    if suspect.data["library"] is None:
        return None
    return AnswerTogether(
        Applicability.DISPLAY,
        "Let all ranks decide alike",
        statement=suspect.data["guard"],
        test=suspect.data["test"],
        library=suspect.data["library"],
        word=suspect.data["word"],
    )
