"""TL905 deprecated-torch-api. Its page, which is also its test: rules/environment/TL905-deprecated-torch-api.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL905",
    summary="a function, class or argument of PyTorch that is deprecated or removed",
    needs=("old-api",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each use of an old name, and each call with an old argument."""
    from trainlint.jobs import deprecated_apis

    for found in (*deprecated_apis.old_names(program), *deprecated_apis.old_arguments(program)):
        gone = f"{found.what} was removed in PyTorch {found.removed}" if found.removed else None
        yield Suspect(
            path=found.use.module,
            spot=found.use.spot,
            node=found.use.node,
            statement=found.use.statement,
            message=f"{gone or f'{found.what} is deprecated since PyTorch {found.since}'}\n{found.advice}",
            data={"change": found.change},
            evidence="likely" if found.quiet else "must",
        )
