"""TL549 logits-mismatch. Its page, which is also its test: rules/compilers/TL549-logits-mismatch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveKeyword, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL549",
    summary="a loss that reads logits as probabilities, or probabilities as logits",
    needs=("keras-loss", "keras-layer"),
)

_RAW = (
    "`{0}` expects probabilities (no `from_logits=True`), but the model's last layer has no activation: it outputs logits\n"
    "Keras clips the outputs to the range from 0 to 1, and the gradient of what lies outside is 0: "
)
_TWICE = "`{0}` applies {1}, and so does the model\nThe loss can hardly become small: "


def _cure(raw: bool, text: bool, instead: str | None) -> str:
    if text:
        return f"pass {f'`{instead}`' if instead else 'a loss object with `from_logits=True`'} instead of the name."
    return "pass `from_logits=True` to the loss." if raw else "remove one of the two."


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loss that does not fit the output it is given."""
    from trainlint.domains.tensorflow.model_outputs import mismatches

    for found in mismatches(program):
        because = [Reason(found.head.frame.module, found.head.call.site, "this computes the output")]
        if found.use != (found.module, found.node.term.site):
            because.append(Reason(*found.use, "the loss receives it here"))
        yield at_call(
            found.module,
            found.node,
            message=(_RAW if found.kind == "raw" else _TWICE).format(found.loss, found.squash)
            + _cure(found.kind == "raw", found.text, found.instead),
            because=tuple(because),
            data={"kind": found.kind, "text": found.text, "instead": found.instead, "call": found.node.term},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Say what the model's output is."""
    kind, text, instead = suspect.data["kind"], suspect.data["text"], suspect.data["instead"]
    unsafe = Applicability.UNSAFE
    if text:
        message = "Take the output as it is"
        return SetKeyword(unsafe, message, call=suspect.spot, keyword="loss", value=instead) if instead is not None else None
    if kind == "raw":
        return SetKeyword(unsafe, "Take the output as it is", call=suspect.spot, keyword="from_logits", value="True")
    if any(name == "from_logits" for name, _ in suspect.data["call"].kwargs):
        return RemoveKeyword(unsafe, "Take the output for probabilities", call=suspect.spot, keyword="from_logits", also=())
    return None
