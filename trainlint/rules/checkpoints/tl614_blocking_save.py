"""TL614 blocking-save. Its page, which is also its test: rules/checkpoints/TL614-blocking-save.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL614",
    summary="a sharded state dict that is saved while all GPUs wait",
    needs=("gradient", "state", "collective"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each blocking save of a sharded state in a training loop."""
    from trainlint.domains.checkpoints import save_policy
    from trainlint.program.naming import quoted

    for found in save_policy.blocking(program):
        call = found.site.call
        yield at_call(
            found.site.module,
            call,
            message=f"{quoted(call.term)} blocks training until every shard is on disk: use `async_save`\n"
            "`async_save` copies the state to the host and writes it in the background; wait for the previous save "
            "before the next one.",
            because=(Reason(found.module, found.loop, "the training loop"),),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change:
    """Show the save in the background."""
    message = "Save in the background, and wait for the previous save before the next"
    paths = ((("receiver", 0),), (("arguments", 0),))
    return Rewrite(Applicability.DISPLAY, message, spot=suspect.spot, code="{0}.async_save({1})", paths=paths)
