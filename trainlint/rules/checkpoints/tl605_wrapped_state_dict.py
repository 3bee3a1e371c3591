"""TL605 wrapped-state-dict. Its page, which is also its test: rules/checkpoints/TL605-wrapped-state-dict.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AppendCall, Applicability, Change, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL605",
    summary="the state dict of a DDP or DataParallel wrapper in a file that is loaded into a model without one",
    needs=("gradient", "state", "parallel"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each state of a wrapper that is saved and does not fit the model it is read into."""
    from trainlint.domains.checkpoints import wrapped_states

    for found in wrapped_states.wrapped_states(program):
        call = found.site.call
        what = "the state dict of the wrapper is saved: all its keys begin with `module.`"
        because: list[Reason] = []
        if found.wrapper is not None:
            what = (
                "all keys in the saved state dict begin with `module.` if the model is still wrapped (DDP or DataParallel) here"
            )
            because.append(Reason(found.wrapper[0], found.wrapper[1].site, "the model is wrapped here"))
        if found.restored is not None:
            because.append(
                Reason(
                    found.restored.module,
                    found.restored.call.term.site,
                    "the state is loaded into a model without a wrapper here",
                )
            )
        yield at_call(
            found.site.module,
            call,
            message=f"{what}\n"
            "A model without the wrapper rejects these keys. Save the state dict of the inner model: `.module.state_dict()`.",
            because=tuple(because),
            evidence="must" if found.wrapper is None else "likely",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Take the state of the model in the wrapper, where there surely is one."""
    if suspect.evidence == "likely":
        return None
    message = "Save the state dict of the inner model"
    return AppendCall(Applicability.SAFE, message, whole=suspect.spot, paths=((("receiver", 0),),), code="module")
