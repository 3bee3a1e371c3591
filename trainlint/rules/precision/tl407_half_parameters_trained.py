"""TL407 half-parameters-trained. Its page, which is also its test: rules/precision/TL407-half-parameters-trained.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL407",
    summary="a model that is converted to float16 and then trained",
    needs=("step-part", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that turns the parameters of a model into float16 that an optimizer then steps."""
    from trainlint.domains.precision import model_precision
    from trainlint.program.naming import quoted

    for found in model_precision.trained(program):
        site, step = found.site, found.step.place
        made = found.optimizer
        reasons = [Reason(step.frame.module, step.call.site, "the optimizer updates the parameters here")]
        if made.call is not None and made.frame is not None:
            reasons.insert(
                0, Reason(made.frame.module, made.call.site, "this optimizer keeps no float32 copies of the parameters")
            )
        yield at_call(
            site.module,
            site.call,
            message=f"{quoted(site.call.term)} converts the parameters to float16, and the optimizer updates them in float16\n"
            "Small updates are rounded away, and Adam's epsilon of 1e-8 becomes 0. Keep the parameters in float32 and "
            "compute under autocast.",
            because=tuple(reasons),
            data={"half": not site.call.term.args and not site.call.term.kwargs},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the call that leaves the parameters in float32."""
    if not suspect.data["half"]:
        return None
    message = "Keep the parameters in float32"
    return Rewrite(Applicability.DISPLAY, message, spot=suspect.spot, code="{0}.float()", paths=((("receiver", 0),),))
