"""TL714 unregistered-modules. Its page, which is also its test: rules/loop/TL714-unregistered-modules.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.domains.nn import registration

RULE = Rule.ours(
    code="TL714",
    summary="modules or parameters in a plain list or dict of a module: not trained, not saved, not moved",
    needs=("weights",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each assignment of a plain container with weights in it to an attribute of a module."""
    from trainlint.domains.nn import registration
    from trainlint.program import naming

    for kept in registration.unregistered(program):
        spot = kept.store.spot
        wanted = _instead(kept)
        put = [item.call.site for item in kept.items if item.call is not None]
        what = "parameters" if kept.of_parameters else "modules"
        yield Suspect(
            path=kept.module,
            spot=spot,
            node=kept.store.kind,
            statement=spot,
            message=f"`{kept.name}` is a plain {'dict' if kept.keyed else 'list'}, so the {what} in it are not registered\n"
            f"{_SWITCHED if kept.moded else _SKIPPED} Use `{wanted.removeprefix('torch.')}`{_UNLESS if kept.hidden else ''}.",
            evidence="likely" if kept.hidden else "must",
            because=tuple(Reason(kept.module, each, "added here") for each in dict.fromkeys(put)),
            data={
                "instead": naming.reference(wanted, program.modules[kept.module]) if kept.becomes else None,
                "empty": kept.empty,
            },
        )


_SKIPPED = (
    "`.parameters()`, `.state_dict()` and `.to()` skip them: no optimizer trains them, no checkpoint contains them, and they "
    "stay on the CPU."
)
_SWITCHED = "`eval()` does not reach them: their dropout stays active in evaluation."
_UNLESS = ", unless they are hidden on purpose"


def _instead(kept: registration.Kept) -> str:
    """The container that registers what is in it."""
    return f"torch.nn.{'Parameter' if kept.of_parameters else 'Module'}{'Dict' if kept.keyed else 'List'}"


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Put the container into one that registers its items; nothing where other things are done with it than that one can."""
    instead = suspect.data["instead"]
    if instead is None:
        return None
    message = f"Register them: use `{instead}`"
    code, paths = (f"{instead}()", ()) if suspect.data["empty"] else (f"{instead}({{0}})", ((),))
    return Rewrite(Applicability.SAFE, message, spot=suspect.spot, code=code, paths=paths)
