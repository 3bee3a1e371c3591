"""TL112 every-rank-writes. Its page, which is also its test: rules/distributed/TL112-every-rank-writes.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, Suspect, Wrap, at_call

RULE = Rule.ours(
    code="TL112",
    summary="a file at one path that every rank of a distributed job writes",
    needs=("collective", "rank", "job"),
)

_HARM = {
    "write": "The ranks overwrite one another in one file. Let one rank write, or give every rank its own path.",
    "make": "All ranks but the fastest fail because the directory exists. Let one rank create it, or pass `exist_ok=True`.",
    "link": "All ranks but the fastest fail because the link exists. Let one rank create it.",
    "remove": "All ranks but the fastest fail, or delete what another rank needs. Let one rank do it.",
    "track": "The job then has one run per rank. Start it on one rank only.",
    "log": "The job then has a log per rank, or all write to one. Open it on one rank only.",
    "append": "It then contains each line once per rank. Open it on one rank only.",
    "truncate": "The ranks truncate it, and overwrite each other's lines. Open it on one rank only.",
}


_DOES = {
    "write": "{} writes to the same file",
    "track": "{} runs",
    "log": "{} opens a log file",
    "append": "{} opens the same log file",
    "truncate": '{} opens the same log file with `mode="w"`',
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each write to one thing that several ranks run."""
    from trainlint.program.naming import quoted
    from trainlint.spmd.writes import everywhere

    for found in everywhere.written(program):
        call = found.site.call
        who = "local rank 0 of every node" if found.local else "every rank"
        if found.member.runner:
            who = f"every rank that calls `{found.member.runner}`, as all ranks must"
        kind = everywhere.log_mode(program, found) or found.operation.kind
        does = _DOES.get(kind, "{} runs on the same path").format(quoted(call.term))
        reasons = [Reason(found.member.frame.module, found.member.spot, found.member.why)]
        reasons += [
            Reason(test.module, test.spot, "local rank 0 of every node gets past this test") for test in found.member.reach.tests
        ]
        reasons += [Reason(module, spot, f"`{name}` is called here") for module, spot, name in everywhere.way(found)]
        yield at_call(
            found.site.module,
            call,
            message=f"{does} on {who}\n{_HARM[kind]}",
            because=tuple(reasons),
            data={"test": everywhere.guard(program, found)},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Put the statement under a test for rank 0 that the function already has."""
    test = suspect.data["test"]
    if test is None:
        return None
    return Wrap(Applicability.UNSAFE, "Write on rank 0 only", statement=suspect.statement, test=test)
