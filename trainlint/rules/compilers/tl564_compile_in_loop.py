"""TL564 compile-in-loop. Its page, which is also its test: rules/compilers/TL564-compile-in-loop.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveStatement, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL564",
    summary="`torch.compile` with new options in each iteration of a training loop, or after the compilation cache was cleared",
    needs=("compiled-function", "gradient"),
)

_WHAT = {
    "option": "an option of `torch.compile` changes in each iteration, so everything is recompiled\n"
    "Compile once before the loop, or once per option if there are only a few.",
    "backend": "the backend of `torch.compile` is a new function in each iteration, so everything is recompiled\n"
    "Define it once, outside the loop.",
    "reset": "`torch.compiler.reset` clears the compilation cache in each iteration, so everything is recompiled\n"
    "Clear it where the model changes, not in the training loop.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call in a training loop that makes each round compile."""
    from trainlint.domains.dynamo.compiled_models import compiled_again

    for found in compiled_again(program):
        yield at_call(
            found.module,
            found.call,
            message=_WHAT[found.why],
            because=(Reason(found.module, found.loop, "the training loop"),),
            data={"reset": found.why == "reset" and found.call.statement == found.call.term.site},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show a reset removed."""
    if not suspect.data["reset"] or suspect.statement is None:
        return None
    return RemoveStatement(Applicability.DISPLAY, "Keep the compilation cache", statement=suspect.statement)
