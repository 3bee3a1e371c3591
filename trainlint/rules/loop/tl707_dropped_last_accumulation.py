"""TL707 dropped-last-accumulation. Its page, which is also its test: rules/loop/TL707-dropped-last-accumulation.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL707",
    summary="the last, incomplete accumulation window of an epoch is never applied",
    needs=("gradient", "step-part"),
)

_LATE = (
    "`optimizer.step()` is skipped for the last batches of an epoch when they do not fill an accumulation window\n"
    "Their gradients are discarded, or leak into the first step of the next epoch. Call `step()` after the last batch as well."
)
_FITTED = (
    "`optimizer.step()` is skipped for the last batches of an epoch when they do not fill an accumulation window\n"
    "Their gradients are discarded, or leak into the first step of the next epoch. This is likely, not certain: a "
    "length is divided here, perhaps so that the number of batches is a multiple of the window."
)
_EARLY = (
    "`optimizer.step()` is off by one: it runs after the first batch alone, and not for the last batches of an epoch\n"
    "The index starts at 0: a window is full when the number of batches, `index + 1`, is a multiple of its size."
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each step that is made in full windows only."""
    from trainlint.domains.training_step import accumulation

    for found in accumulation.remainders(program):
        place, doubt = found.step.place, found.doubt
        yield at_place(
            place,
            message=_EARLY if found.early else _FITTED if found.fitted else _LATE,
            because=(Reason(doubt.frame.module, doubt.spot, "unless this call steps; its source is not available"),)
            if doubt
            else (),
            evidence="must" if doubt is None and not found.fitted else "likely",
            data={"test": found.test, "code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the step at the last batch."""
    test, code = suspect.data["test"], suspect.data["code"]
    if test is None or code is None:
        return None
    return Rewrite(Applicability.DISPLAY, "Step at the last batch, too", spot=test, code=code, paths=())
