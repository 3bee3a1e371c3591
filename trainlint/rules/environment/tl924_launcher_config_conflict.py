"""TL924 launcher-config-conflict. Its page, which is also its test: rules/environment/TL924-launcher-config-conflict.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL924",
    summary="settings of accelerate that contradict each other",
    certainty="syntax",
    needs=("accelerated",),
    reads=("accelerate", "launch"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield what is lost, or refused, because of something else that is said."""
    from trainlint.jobs import accelerate

    for found in accelerate.contradictions(program):
        other = found.others[0].says if found.others else ""
        yield Suspect(
            path=found.at.path,
            spot=found.at.spot,
            node="Text" if found.statement is None else "Call",
            statement=found.at.spot if found.statement is None else found.statement,
            message=f"`{found.at.says}` contradicts {f'`{other}`' if other else 'the number of machines'}\n{found.why}",
            because=tuple(Reason(each.path, each.spot, f"Here: `{each.says}`.") for each in found.others),
        )
