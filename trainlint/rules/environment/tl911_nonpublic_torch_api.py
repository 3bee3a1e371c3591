"""TL911 nonpublic-torch-api. Its page, which is also its test: rules/environment/TL911-nonpublic-torch-api.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL911",
    name="nonpublic-torch-api",
    summary="a private name of PyTorch where there is a public one for the same thing",
    level=Level.ADVICE,
    certainty="flow",
    fix="safe",
    needs=("private",),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each use of a private name of something that has a public one."""
    from trainlint.jobs import deprecated_apis

    for found in deprecated_apis.private(program):
        yield Suspect(
            path=found.use.module,
            spot=found.use.spot,
            node=found.use.node,
            statement=found.use.statement,
            message=f"`{found.use.name}` is private\n"
            f"It may move in any release. `{found.public}` is the same thing, since PyTorch {found.since}.",
            data={"change": found.change},
        )
