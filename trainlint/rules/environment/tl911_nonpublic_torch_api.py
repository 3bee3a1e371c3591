"""TL911 nonpublic-torch-api. Its page, which is also its test: rules/environment/TL911-nonpublic-torch-api.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL911",
    summary="a private API of PyTorch where a public one does the same",
    needs=("private",),
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
            message=f"`{found.use.name}` is a private API\n"
            f"It may change in any release. Use `{found.public}`, the public equivalent since PyTorch {found.since}.",
            data={"change": found.change},
        )
