"""TL603 incomplete-checkpoint. Its page, which is also its test: rules/checkpoints/TL603-incomplete-checkpoint.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL603",
    name="incomplete-checkpoint",
    summary="a checkpoint that training goes on from, without the scheduler, the scaler or the optimizer of that training",
    level=Level.WARNING,
    certainty="flow",
    fix="display",
    needs=("gradient", "step-part", "state"),
    since="0.1",
)

_WORDS = {"scheduler": "learning rate scheduler", "scaler": "loss scaler"}
_HARM = {
    "scheduler": "After a restart it begins anew: the learning rate is that of the first epochs again. Save its `state_dict()`, too.",
    "scaler": "After a restart it begins anew with its first scale, and steps are skipped until it fits. Save its `state_dict()`, too.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each saved state of an optimizer beside which a scheduler or a scaler is forgotten."""
    from trainlint.authoring import forgotten

    for found in forgotten.forgotten(program):
        call = found.saved.site.call
        restored = found.restored.site
        yield Suspect(
            path=found.saved.site.module,
            spot=call.term[4],
            node="Call",
            statement=call.statement,
            message=f"the optimizer is saved here and restored later, but its {_WORDS[found.kind]} is not\n{_HARM[found.kind]}",
            because=(
                Reason(found.module, found.node.term[4], f"the {_WORDS[found.kind]} is made here, and never saved"),
                Reason(restored.module, restored.call.term[4], "training goes on from the saved state here"),
            ),
        )
