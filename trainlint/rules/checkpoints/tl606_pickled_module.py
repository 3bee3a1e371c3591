"""TL606 pickled-module. Its page, which is also its test: rules/checkpoints/TL606-pickled-module.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import AppendCall, Applicability, Change, Program, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL606",
    summary="a whole pickled module in a file: it can only be loaded with the code that it was saved with",
    needs=("file", "gradient", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each save of a module as it is."""
    from trainlint.domains.checkpoints import wrapped_states
    from trainlint.program.naming import quoted

    for found in wrapped_states.pickled(program):
        call = found.save.site.call
        name = quoted(call.term)
        what = f"{name} pickles the whole module" if found.sure else f"{name} seems to pickle a whole module"
        if found.key is not None:
            what = f"{name} seems to pickle a whole module, as `{found.key}`"
        yield at_call(
            found.save.site.module,
            call,
            message=f"{what}: loading the file runs code, and fails once a class has moved\n"
            "`weights_only=True` refuses such a file. Save the module's `state_dict()` instead.",
            evidence="must" if found.sure else "likely",
            data={"direct": not (found.key or found.read) and call.term.args[:1] == (found.save.given,)},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Save the state instead of the object."""
    if not suspect.data["direct"]:
        return None
    message = "Save the state dict, and load it into a newly constructed model"
    return AppendCall(Applicability.UNSAFE, message, whole=suspect.spot, paths=((("argument", 0),),), code="state_dict()")
