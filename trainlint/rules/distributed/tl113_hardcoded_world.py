"""TL113 hardcoded-world. Its page, which is also its test: rules/distributed/TL113-hardcoded-world.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL113",
    summary="a process group whose rank or world size is a number in the code",
    needs=("group",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each start of a group of several processes with such a number."""
    from trainlint.domains.process_groups import options

    for found in options.hardcoded_worlds(program):
        site = found.start.site
        if found.rank is not None:
            what = f"`rank` is hardcoded: every process that gets here joins the group as rank {found.rank}"
            why = "Two processes with the same rank wait for the other ranks forever, or the second is rejected."
        else:
            what = f"`world_size` is hardcoded: the group has {found.size} processes, however many are started"
            why = "With fewer processes, all of them wait until the timeout; with more, the extra ones are rejected."
        yield at_call(
            site.module,
            site.call,
            message=f"{what}\n{why} Leave it to the launcher (`torchrun` sets `RANK` and `WORLD_SIZE`), or pass it on.",
            because=(Reason(*found.place, "the number comes from here"),) if found.place is not None else (),
        )
