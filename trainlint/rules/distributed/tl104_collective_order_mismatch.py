"""TL104 collective-order-mismatch. Its page, which is also its test: rules/distributed/TL104-collective-order-mismatch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL104",
    summary="a rank test whose branches run different collectives, or the same in another order",
    needs=("collective", "rank"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place where the arms of a test on the rank surely run collectives that do not meet."""
    from trainlint.spmd import divergence_report

    yield from divergence_report.rank_suspects(
        program,
        "order",
        "`{collective}` runs on {reach} here, `{instead}` on {miss}: the two collectives do not match\n"
        "Collectives are matched in the order in which each rank calls them. Run the same ones in the same order on "
        "all ranks.",
        "{reach_take} one branch of this test, {miss_take} the other",
    )
