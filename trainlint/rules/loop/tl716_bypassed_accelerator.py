"""TL716 bypassed-accelerator. Its page, which is also its test: rules/loop/TL716-bypassed-accelerator.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect

RULE = Rule.ours(
    code="TL716",
    summary="`loss.backward()` or plain gradient clipping where Accelerate or Fabric has a method of its own",
    needs=("gradient", "step-part"),
)

_WHAT = {
    "backward": "`backward()` bypasses the framework that runs this loop: nothing is scaled, divided or sharded\n"
    "Call the framework's own `backward`, and pass it the loss.",
    "clip": "plain gradient clipping bypasses the framework that runs this loop: the gradients may be scaled or sharded\n"
    "Use the framework's own clipping method, which prepares them first.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each backward pass and each clip that passes a framework by."""
    from trainlint.domains.training_step import bypassed

    for found in bypassed.unmanaged(program):
        event, made = found.event, found.made
        assert made.call is not None
        where = (Reason(made.frame.module, made.call.site, "the framework takes over here"),) if made.frame is not None else ()
        yield Suspect(
            path=event.frame.module,
            spot=event.spot,
            node="Call",
            statement=event.statement,
            message=_WHAT[found.what],
            because=where,
            data={"method": f"{found.manager}.{found.method}" if found.manager else None, "what": found.what},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Let the framework do it."""
    method, what = suspect.data["method"], suspect.data["what"]
    if method is None:
        return None
    message = f"Call {method}"
    if what == "clip":
        paths = ((("arguments", 0),),)
        return Rewrite(Applicability.SAFE, message, spot=suspect.spot, code=f"{method}({{0}})", paths=paths)
    path = (("receiver", 0),)
    return Rewrite(Applicability.SAFE, message, spot=suspect.spot, code=f"{method}({{0}})", paths=(path,))
