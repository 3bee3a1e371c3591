"""TL921 precision-conflict. Its page, which is also its test: rules/environment/TL921-precision-conflict.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL921",
    summary="a configuration that selects two precisions at once, or a different one than the script or its launch line",
    certainty="syntax",
    needs=("deepspeed",),
    reads=("deepspeed", "launch"),
)

_READERS = {
    "transformers": 'transformers ends the job at startup: its arguments and the configuration must agree. Write "auto" in '
    "the configuration to use the arguments.",
    "accelerate": "accelerate ends the job at startup: remove one of the two.",
    "lightning": "Lightning enables its own beside it, and DeepSpeed supports one precision only: remove one of the two.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the second of two precisions that a configuration switches on, and what is said otherwise elsewhere."""
    from trainlint.jobs import deepspeed_contradictions

    for found in deepspeed_contradictions.precision_conflicts(program):
        one, other = found.first, found.second
        yield Suspect(
            path=other.path,
            spot=other.spot,
            node="Text" if found.statement is None else "Call",
            statement=found.statement or other.spot,
            message=f"`{other.written}` is enabled, and so is `{one.written}`\n"
            "DeepSpeed ends the job at startup: only one precision can be enabled. Disable the other one.",
            because=() if found.statement is not None else (Reason(one.path, one.spot, f"`{one.written}` is enabled here."),),
        )
    for each in deepspeed_contradictions.precision_differences(program):
        said, stated = each.said, each.stated
        here = Reason(stated.path, stated.spot, f"`{stated.written}` is set here.")
        yield Suspect(
            path=said.path,
            spot=said.spot,
            node=each.node,
            statement=each.statement,
            message=f"{_said(said.written, said.value)} contradicts DeepSpeed's configuration, where `{stated.written}` is "
            f"{'on' if stated.value is True else 'off'}\n"
            f"{_READERS.get(each.reader.partition('.')[0], 'Remove one of the two.')}",
            because=(here,) if stated.path != said.path else (),
        )
    for under in deepspeed_contradictions.overruled(program) if program.modules else ():
        path, place = under.made
        enabled = Reason(under.stated.path, under.stated.spot, f"`{under.stated.written}` is enabled here.")
        yield at_call(
            under.site.module,
            under.site.call,
            message=f"this runs under an autocast to `{under.dtype}`, but `{under.stated.written}` is enabled for DeepSpeed\n"
            "DeepSpeed 0.19 disables the autocast around its model; older versions compute in one precision what was "
            "set up for the other. Remove the autocast, or configure `torch_autocast`.",
            because=(Reason(path, place, "This is the autocast."), enabled),
        )


def _said(written: str, value: object) -> str:
    """How an argument says it; one that is left out says no."""
    return f"`{written}`" if value is True else f"`{written}`, which is off,"
