"""TL904 deprecated-amp. Its page, which is also its test: rules/environment/TL904-deprecated-amp.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL904",
    summary="a mixed-precision API with the device in its name, which PyTorch deprecated",
    needs=("amp",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each use of an autocast, a loss scaler or a decorator that is made for one device."""
    from trainlint.jobs import deprecated_apis

    for found in deprecated_apis.old_amp(program):
        use = found.use
        yield Suspect(
            path=use.module,
            spot=use.spot,
            node=use.node,
            statement=use.statement,
            message=f"`{use.name}` is deprecated since PyTorch {found.since}\n"
            f"Every use raises a `FutureWarning`, and it will be removed. Use {found.instead}, which does the same.",
            data={"change": found.change},
        )
