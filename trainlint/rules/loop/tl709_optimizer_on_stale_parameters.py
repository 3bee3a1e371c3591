"""TL709 optimizer-on-stale-parameters. Its page, which is also its test: rules/loop/TL709-optimizer-on-stale-parameters.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL709",
    summary="parameters that are replaced after the optimizer was constructed: the new ones are never trained",
    needs=("gradient", "step-part"),
)

_WHAT = {
    "part": "this layer is added after the optimizer was constructed, so it is never trained",
    "method": "`{}` replaces parameters after the optimizer was constructed, so the new ones are never trained",
    "model": "the model is constructed again after the optimizer took its parameters, so the new one is never trained",
}
_WRAPPED = (
    "parameters are replaced after the model was wrapped in DDP: the gradients of the new ones are not averaged over the ranks"
)
#: By what took the parameters: the cure, and what is said of the place where they were taken and where they are used.
_WORDS = {
    "optimizer": (
        "Construct the optimizer afterwards, or pass it the new parameters with `add_param_group`.",
        "the optimizer takes the parameters here",
        "the optimizer keeps the old ones",
    ),
    "wrapper": ("Wrap the model afterwards.", "the model is wrapped here", "the model is trained here"),
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place where parameters that an optimizer took are replaced before it steps."""
    from trainlint.domains.training_step import stale_parameters

    for found in stale_parameters.stale(program):
        taken, replaced = found.taken, found.replaced
        message = _WHAT[replaced.how].format(replaced.called) if taken.kind == "optimizer" else _WRAPPED
        cure, taking, going_on = _WORDS[taken.kind]
        together = taken.frame.function is replaced.frame.function and replaced.how != "model"
        yield Suspect(
            path=replaced.frame.module,
            spot=replaced.spot,
            node=replaced.node,
            statement=replaced.statement,
            message=f"{message}\n{cure}",
            because=(
                Reason(taken.frame.module, taken.node.term.site, taking),
                Reason(found.step.frame.module, found.step.spot, going_on),
            ),
            data={"statement": taken.node.statement if together else None, "target": replaced.statement},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the optimizer made behind it."""
    data = suspect.data
    if data["statement"] is None:
        return None
    message = "Construct the optimizer after the parameters are replaced"
    return Move(Applicability.DISPLAY, message, statement=data["statement"], target=data["target"], behind=True)
