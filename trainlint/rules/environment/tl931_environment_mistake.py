"""TL931 environment-mistake. Its page, which is also its test: rules/environment/TL931-environment-mistake.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Program, Reason, RewriteText, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.jobs import environment_variables

RULE = Rule.ours(
    code="TL931",
    summary="an environment variable that does not have the effect it is set for",
    certainty="syntax",
    needs=("exported", "group"),
    reads=("environment", "launch"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each such setting: of the program itself, or of the files beside it."""
    from trainlint.jobs import environment_variables

    if program.modules:
        for each in environment_variables.in_code(program):
            write = each.write
            node = "Call" if write.by_call else "Assign"
            yield Suspect(path=write.module, spot=write.spot, node=node, statement=write.spot, message=_message(each.mistake))
        return
    for found in environment_variables.in_files(program):
        setting, other = found.setting, found.other
        because: tuple[Reason, ...] = ()
        if other is not None:
            because = (Reason(other.document.path, other.spot, f"`{found.mistake.known}` is set here."),)
        place = setting.said if found.mistake.kind in ("value", "number") else setting.named
        yield Suspect(
            path=setting.document.path,
            spot=setting.spot,
            node="Text",
            statement=setting.spot,
            message=_message(found.mistake),
            because=because,
            data={"place": place, "kind": found.mistake.kind, "meant": found.mistake.meant},
        )


def _message(mistake: environment_variables.Mistake) -> str:
    said = f"`{mistake.name}={mistake.value}`"
    if mistake.kind == "name":
        first = f"nothing reads `{mistake.name}`: did you mean `{mistake.meant}`?"
        second = f"{mistake.known} does not warn about unknown names: the job runs without the setting."
    elif mistake.kind == "value":
        first = f"{said} is not a valid value"
        instead = f"`{mistake.meant}` is probably meant" if mistake.meant else "any other is ignored, or ends the job"
        second = f"Valid are {mistake.known}; {instead}."
    elif mistake.kind == "number":
        first = f"{said} is not a number"
        second = (
            f"NCCL reads a word as 0, so this means the opposite. Write `{mistake.meant}`."
            if mistake.meant
            else f"{mistake.known} ends the job when this is not a number."
        )
    elif mistake.kind == "old":
        first = f"`{mistake.name}` is deprecated: it is called `{mistake.meant}` since PyTorch {mistake.known}"
        second = "The old name is still read, with a warning from each process."
    elif mistake.kind == "gone":
        first = f"`{mistake.name}` is no longer read"
        second = f"The NCCL of PyTorch {mistake.known} and later chooses by itself; see `{mistake.meant}`. Remove the line."
    elif mistake.kind == "against":
        first = f"`{mistake.name}` has no effect with `{mistake.known}`"
        second = "One of the two is a mistake. Remove it."
    elif mistake.kind == "debug":
        first = f"the debugging setting {said} is on in every run of this job"
        second = f"Each run pays for it: {mistake.known}. Set it only in the run that you debug."
    else:
        first = f"`{mistake.name}` is not exported"
        second = (
            f"{mistake.known} reads it in the programs that the script starts, which do not see it. Write `export` before it."
        )
    return f"{first}\n{second}"


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Write the name, or the value, that is meant; export what is kept."""
    place = suspect.data.get("place")
    meant, kind = suspect.data.get("meant", ""), suspect.data.get("kind")
    if place is None:
        return None
    if kind == "kept":
        start = place._replace(end_line=place.line, end_column=place.column)
        return RewriteText(Applicability.UNSAFE, "Export the variable", edits=((start, "export "),))
    if kind not in ("name", "old", "value", "number") or not meant:
        return None
    return RewriteText(Applicability.UNSAFE, f"Write `{meant}`", edits=((place, meant),))
