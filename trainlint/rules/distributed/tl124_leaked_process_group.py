"""TL124 leaked-process-group. Its page, which is also its test: rules/distributed/TL124-leaked-process-group.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL124",
    summary="a program that starts a process group and never destroys it",
    needs=("group",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each start of a group that nobody ends."""
    from trainlint.domains.process_groups import lifecycle

    for found in lifecycle.leaked(program):
        site = found.start.site
        yield at_call(
            site.module,
            site.call,
            message="`destroy_process_group` is never called: the process group is never destroyed\n"
            "A process that exits while other ranks still communicate can make them fail at the very end, and PyTorch has "
            "warned about it since 2.4. Call it at the end of the program.",
            data={"entry": found.entry, "code": found.code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """End the group behind the last statement of the program."""
    entry, code = suspect.data["entry"], suspect.data["code"]
    if entry is None or code is None:
        return None
    return InsertAfter(Applicability.SAFE, "Destroy the process group at the end", statement=entry, code=code)
