"""TL807 no-mixed-precision. Its page, which is also its test: rules/throughput/TL807-no-mixed-precision.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertBefore, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL807",
    summary="a training on a GPU in plain float32",
    certainty="heuristic",
    needs=("gradient", "autocast", "narrow"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the backward pass of each such training."""
    from trainlint.domains.precision import model_precision

    for found in model_precision.plain(program):
        trained, start = found.entry.backward, found.entry.start
        begins = Reason(start.module, start.call.term.site, "the training begins here")
        yield at_call(
            trained.module,
            trained.call,
            message="this training runs in float32 on a GPU: no `autocast`, and the program selects no "
            "other precision\n"
            "Under `torch.autocast` with bfloat16 large matrix products are much faster, and activations take up to half less "
            'memory. `torch.set_float32_matmul_precision("high")` speeds up matrix products alone, without any other '
            "change.",
            because=() if start.call is trained.call else (begins,),
            data={"code": found.code, "where": start.call.statement, "same": start.module == trained.module},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the line that lets products of float32 be faster."""
    code: str | None = suspect.data["code"]
    if code is None or not suspect.data["same"]:
        return None
    return InsertBefore(Applicability.DISPLAY, "Let float32 products use TF32", statement=suspect.data["where"], code=code)
