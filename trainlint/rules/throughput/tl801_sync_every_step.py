"""TL801 sync-every-step. Its page, which is also its test: rules/throughput/TL801-sync-every-step.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL801",
    summary="a value that is fetched from the GPU in every step of a training loop",
    needs=("gradient",),
)

_MOST_NAMED = 3


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the first value that is fetched in each step, once for a loop."""
    from trainlint.domains.asynchronous import every_step
    from trainlint.program.naming import quoted

    for found in every_step.read_every_step(program):
        more = dict.fromkeys((module, call.site) for module, call in found.more if call.site != found.call.term.site)
        also = (Reason(*place, "and read here") for place in list(more)[:_MOST_NAMED])
        yield at_call(
            found.module,
            found.call,
            message=f"{quoted(found.call.term)} makes the host wait for the GPU in every iteration of the training loop, "
            "just to read a number\n"
            "Keep the number on the GPU (`total += loss.detach()`), and call `.item()` only when something is logged.",
            because=(Reason(*found.backward, "the iteration's backward pass"), *also),
            data={"value": found.value if not found.more else None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the value stays on the GPU."""
    value = suspect.data["value"]
    if value is None:
        return None
    message = "Keep the value on the GPU until it is logged"
    return Rewrite(Applicability.DISPLAY, message, spot=suspect.spot, code="{0}.detach()", paths=(((value, 0),),))
