"""TL128 unwaited-request. Its page, which is also its test: rules/distributed/TL128-unwaited-request.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AppendCall, Applicability, Change, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL128",
    summary="a tensor that is used while it is still being sent or received",
    needs=("request",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each request whose tensor is used before anybody has waited."""
    from trainlint.domains import requests

    for found in requests.unwaited(program):
        tensor = f"`{found.tensor}`" if found.tensor else "the tensor"
        harm = "the changed values may be sent" if found.sent else f"{tensor} may hold old values, or a mix of old and new ones"
        yield at_call(
            found.site.module,
            found.site.call,
            message=f"`{found.name}` is asynchronous here, and {tensor} is {_done(found.sent)} without a `.wait()` in between\n"
            f"Until `.wait()` of the work handle returns, {harm}, without an error.",
            because=(Reason(*found.where, f"{tensor} is {_done(found.sent)} here"),),
            data={"kept": found.kept},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Wait at once: where the wait can stand later, so much the better, but only the author knows."""
    if suspect.data["kept"]:
        return None
    return AppendCall(Applicability.DISPLAY, "Wait for the work handle", whole=suspect.spot, paths=((),), code="wait()")


def _done(sent: object) -> str:
    return "changed" if sent else "used"
