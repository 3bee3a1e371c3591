"""TL604 checkpoint-key-mismatch. Its page, which is also its test: rules/checkpoints/TL604-checkpoint-key-mismatch.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.domains.checkpoints import loading

RULE = Rule.ours(
    code="TL604",
    summary="a key that is read from a checkpoint and never saved in one, or a state that is saved and never restored",
    needs=("gradient", "step-part", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each key that is read and not saved, and each state that is saved and not restored."""
    from trainlint.domains.checkpoints import loading

    for missing in loading.missing(program):
        read, made = missing.read, missing.contents.made
        like = f": did you mean `{missing.like}`?" if missing.like is not None else ""
        message = (
            f"the key `{read.key}` is read from the checkpoint here, but never saved in one{like}\n"
            "The resumed run fails with a KeyError. Save it, or do not read it."
        )
        if missing.is_whole:
            message = (
                "`load_state_dict` is given the whole checkpoint, not the state of the optimizer in it\n"
                f"The resumed run fails: a checkpoint has no `{read.key}`. Pass the item that holds the state."
            )
        yield Suspect(
            path=read.module,
            spot=read.spot,
            node=read.node,
            statement=read.spot,
            message=message,
            because=(Reason(made.frame.module, missing.save.site.call.term.site, "the checkpoint is saved here, without it"),),
            evidence="must" if missing.sure else "likely",
            data={"code": _code(missing)},
        )
    for lost in loading.unrestored(program):
        load = lost.resumption.load
        assert load.frame is not None
        assert load.call is not None
        yield Suspect(
            path=lost.bound.frame.module,
            spot=lost.spot,
            node="Call",
            statement=lost.spot,
            message=f"`load_state_dict` is never called on the {lost.kind}, though its state is saved here (key `{lost.key}`)\n"
            f"A resumed run starts with a new {lost.kind}. Restore it where the rest of the checkpoint is loaded.",
            because=(
                Reason(load.frame.module, load.call.site, "the checkpoint is loaded here"),
                Reason(lost.resumption.module, lost.resumption.loop.spot, "training resumes from it here"),
            ),
        )


def _code(missing: loading.Missing) -> str | None:
    """The call that is given the item, with the one that was probably meant: ``{0}`` is what is called."""
    from trainlint.program import naming

    read = missing.read
    whole = naming.name_in(read.base, read.function)
    if whole is None or missing.like is None or not missing.is_only_argument:
        return None
    return f'{{0}}({whole}["{missing.like}"])'


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show how the key that is saved is read."""
    code = suspect.data.get("code")
    if code is None:
        return None
    message = "Read the key that is saved"
    return Rewrite(Applicability.DISPLAY, message, spot=suspect.spot, code=code, paths=((("function", 0),),))
